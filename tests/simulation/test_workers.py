"""Whoever was handed over to play and fails: what was played is kept."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from passline.lab.simulation import rolls
from passline.lab.simulation.rolls import make_chunks, play_rolls, split_run
from passline.lab.simulation.workers import Workers, WorkersLost, WorkPlan, run_work
from tests.simulation.chains import closed, opened


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of some thousand rolls."""
    monkeypatch.setattr(rolls, "MIN_CHUNK_ROLLS", 2**14)
    monkeypatch.setattr(rolls, "MAX_CHUNK_ROLLS", 2**14)


class Failing(ThreadPoolExecutor):
    """Workers whose work fails from a piece on, or that take no more."""

    def __init__(self, good: int, how: str) -> None:
        super().__init__(2)
        self.good, self.how = good, how

    def submit(self, *given: Any, **named: Any) -> Any:
        self.good -= 1
        if self.good >= 0:
            return super().submit(*given, **named)
        if self.how == "refuses":
            raise RuntimeError("no\nmore")
        lost: Future[Any] = Future()
        lost.set_exception({"fails": OSError("gone"), "broken": BrokenExecutor()}[self.how])
        return lost


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("refuses", "the executor failed: RuntimeError: no more"),
        ("fails", "the executor failed: OSError: gone"),
        ("broken", "the executor failed: BrokenExecutor"),
    ],
)
def test_an_executor_that_fails_keeps_what_was_played(
    small_chunks: None, how: str, why: str
) -> None:
    chain = closed("pass").chain()
    whole = play_rolls(chain, 10**6, seed=3)
    with Failing(4, how) as hands:
        found = play_rolls(chain, 10**6, seed=3, executor=hands, workers=2)
    assert (found.interrupted, found.reason) == (True, why)
    assert 0 < found.rolls < whole.rolls
    assert found.standard_error
    with Failing(0, how) as hands, pytest.raises((OSError, RuntimeError)):
        play_rolls(chain, 10**6, seed=3, executor=hands)


def test_our_own_threads_do_not_fail_in_silence(
    monkeypatch: pytest.MonkeyPatch, small_chunks: None
) -> None:
    play_chunk = rolls.play_chunk

    def fails(job: Any, chunk: rolls.Chunk) -> rolls.Chunk:
        if chunk.number == 5:
            raise OSError("a fault of ours")
        return play_chunk(job, chunk)

    monkeypatch.setattr(rolls, "play_chunk", fails)
    with pytest.raises(OSError, match="a fault of ours"):
        play_rolls(closed("pass").chain(), 10**6, seed=1, workers=1)


def test_a_growing_machine_is_given_to_an_executor_too() -> None:
    with Failing(0, "refuses") as hands, pytest.raises(RuntimeError, match="no"):
        play_rolls(opened("pass"), 1000, seed=1, executor=hands, workers=2)


@pytest.mark.parametrize(("wrong", "kept"), [(OSError("gone"), []), (BrokenExecutor("gone"), [0])])
def test_pieces_that_come_back_with_one_that_failed_are_counted(
    wrong: Exception, kept: list[int]
) -> None:
    """A failed piece is dropped, or kept as submitted if its worker was lost. The others count."""
    counted: list[int] = []
    shift = WorkPlan(print, int, lambda piece: counted.append(piece.number))
    (one,) = make_chunks(split_run(100, 1, 1), 1, 0)
    pieces = [replace(one, number=number, played=100) for number in range(3)]
    answers = iter(pieces)

    class Together(ThreadPoolExecutor):
        def submit(self, *given: Any, **named: Any) -> Any:
            back: Future[Any] = Future()
            piece = next(answers)
            if piece.number:
                back.set_result(piece)
            else:
                back.set_exception(wrong)
            return back

    with Together(3) as hands, pytest.raises(WorkersLost, match="gone") as lost:
        run_work(Workers(hands, 3), shift, pieces)
    assert sorted(counted) == [1, 2]
    assert [piece.number for piece in lost.value.under_way] == kept
