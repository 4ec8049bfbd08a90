"""What is too long to compute says so in codes; words and options are put to them outside."""

from __future__ import annotations

import pickle

import pytest

from passline.lab.sessions.plan_and_result import Remedy, SessionTooLargeError

ALL = (Remedy.MEMORY, Remedy.ROLLS, Remedy.SAMPLE)


@pytest.mark.parametrize(
    ("remedies", "said"),
    [
        ((), "it is long"),
        ((Remedy.SAMPLE,), "it is long: sample it"),
        (ALL, "it is long: allow more, ask for fewer rolls, or sample it"),
    ],
)
def test_the_words(remedies: tuple[Remedy, ...], said: str) -> None:
    wrong = SessionTooLargeError("it is long", *remedies)
    assert (str(wrong), wrong.remedies) == (said, remedies)


def test_a_command_puts_its_options_to_them() -> None:
    wrong = SessionTooLargeError("it is long", *ALL)
    options = {Remedy.MEMORY: "--memory", Remedy.SAMPLE: "--trials"}
    said = "it is long: allow more (--memory), ask for fewer rolls, or sample it (--trials)"
    assert wrong.describe(options) == said


def test_it_comes_whole_out_of_another_process() -> None:
    back = pickle.loads(pickle.dumps(SessionTooLargeError("it is long", *ALL)))
    assert (back.why, back.remedies) == ("it is long", ALL)
