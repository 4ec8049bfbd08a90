"""Answers kept: on disk before anything else, whole after a crash, by one learner's name."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from passline.school.answer_log import (
    AnswerRecord,
    FileAnswerStore,
    LearnerError,
    clean_learner_name,
)

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def answered(n: int, *, right: bool = True, drill: str = "payoffs") -> AnswerRecord:
    return AnswerRecord(
        at=NOON + timedelta(seconds=n),
        drill=drill,
        right=right,
        clauses=("dealer-school:place/5-9",),
        missed=() if right else ("dealer-school:place/5-9",),
        seconds=4.5,
        rulebook="dealer-school",
        seed="1",
        n=n,
        id=f"answer {n}",
    )


def test_what_is_kept_is_read(tmp_path: Path) -> None:
    reviews = FileAnswerStore(tmp_path / "school")
    assert reviews.read("ann").answers == ()
    assert reviews.list_learners() == ()
    for n in (1, 2, 3):
        reviews.append("Ann", answered(n, right=n > 1))
    reviews.append("Ann", answered(3))  # sent twice
    assert reviews.read("ann").answers == tuple(answered(n, right=n > 1) for n in (1, 2, 3))
    reviews.append("Zoë K", answered(1))
    assert reviews.list_learners() == ("Ann", "Zoë K")


def test_names_that_look_alike_are_one_learners_and_others_are_not(tmp_path: Path) -> None:
    reviews = FileAnswerStore(tmp_path)
    reviews.append("ann", answered(1))
    assert len(reviews.read(" ANN ").answers) == 1
    assert reviews.read("a-nn").answers == ()
    assert reviews.find_path("../../etc/passwd").parent == tmp_path
    assert reviews.find_path("a b") != reviews.find_path("a-b")


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\x1b[2Jb", "\u202eann", "аnn"])
def test_names_that_nobody_has(name: str, tmp_path: Path) -> None:
    with pytest.raises(LearnerError):
        clean_learner_name(name)
    with pytest.raises(LearnerError):
        FileAnswerStore(tmp_path).append(name, answered(1))


def test_a_crash_in_the_middle_of_a_line_loses_that_line_alone(tmp_path: Path) -> None:
    """Wherever the line is cut: what was kept before is read, and what comes after is kept."""
    reviews = FileAnswerStore(tmp_path)
    path = reviews.find_path("ann")
    for n in (1, 2, 3):
        reviews.append("ann", answered(n))
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rindex(b"\n") + 1
    for cut in range(last, len(whole)):
        path.write_bytes(whole[:cut])
        log = reviews.read("ann")
        kept = 3 if cut == len(whole) - 1 else 2
        assert [each.n for each in log.answers] == [1, 2, 3][:kept]
        assert log.torn == (last < cut < len(whole) - 1)
        if cut % 23 == 0 or cut == len(whole) - 1:
            reviews.append("ann", answered(4))
            again = reviews.read("ann")
            assert [each.n for each in again.answers] == [*[1, 2, 3][:kept], 4]
            assert again.torn == log.torn


def test_a_header_that_was_torn_is_written_again(tmp_path: Path) -> None:
    reviews = FileAnswerStore(tmp_path)
    tmp_path.mkdir(exist_ok=True)
    reviews.find_path("ann").write_bytes(b'{"learner":"a')
    reviews.append("ann", answered(1))
    assert reviews.list_learners() == ("ann",)
    log = reviews.read("ann")
    assert ([each.n for each in log.answers], log.torn) == ([1], 1)


APPEND = """
import sys
from pathlib import Path
from tests.school.test_reviews import answered
from passline.school.answer_log import FileAnswerStore
first = int(sys.argv[2])
for n in range(first, first + 20):
    FileAnswerStore(Path(sys.argv[1])).append("ann", answered(n))
"""


def test_two_programs_append_at_once(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent.parent
    running = [
        subprocess.Popen([sys.executable, "-c", APPEND, str(tmp_path), str(first)], cwd=root)
        for first in (1000, 2000)
    ]
    assert [each.wait(60) for each in running] == [0, 0]
    log = FileAnswerStore(tmp_path).read("ann")
    assert log.torn == 0
    assert {each.n for each in log.answers} == {*range(1000, 1020), *range(2000, 2020)}
    for first in (1000, 2000):  # each in its own order
        mine = [each.n for each in log.answers if first <= each.n < first + 1000]
        assert mine == sorted(mine)


def test_a_learner_is_forgotten(tmp_path: Path) -> None:
    reviews = FileAnswerStore(tmp_path)
    assert not reviews.delete("ann")
    reviews.append("ann", answered(1))
    reviews.append("bob", answered(1))
    assert reviews.delete("ANN")
    assert reviews.list_learners() == ("bob",)
    assert reviews.read("ann").answers == ()


def test_a_place_where_nothing_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    reviews = FileAnswerStore(tmp_path / "file" / "school")
    with pytest.raises(LearnerError, match="can't be used"):
        reviews.append("ann", answered(1))
