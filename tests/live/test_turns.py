"""Turns between servers that write to one table: nobody writes on and on while another waits."""

from __future__ import annotations

import pytest

from passline.live.table_cache import MAX_STREAK, MAX_STREAK_ALONE, RIVAL_SECONDS, WriteTurns
from tests.live.floor import Floor

pytestmark = pytest.mark.anyio


class _Always(WriteTurns):
    """Somebody else's turn, every time."""

    asked = 0

    def seconds_to_wait(self, now: float) -> float:
        self.asked += 1
        return 0.001


def written(turns: WriteTurns, entries: int, at: float = 0.0) -> float:
    """Own entries, each in no time but a commit of 10 ms, and the wait after them."""
    for _ in range(entries):
        turns.record_own(at - 0.01, at)
    return turns.seconds_to_wait(at)


def test_after_a_few_in_a_row_another_who_wrote_lately_has_his_turn() -> None:
    turns = WriteTurns()
    turns.record_other(0.0)
    assert written(turns, MAX_STREAK - 1) == 0.0
    assert written(turns, 1) == pytest.approx(0.03)
    assert turns.seconds_to_wait(0.03) == pytest.approx(0.0)
    turns.record_other(0.03)
    assert written(turns, MAX_STREAK - 1, 0.04) == 0.0


def test_one_who_is_not_seen_has_his_turn_after_many() -> None:
    turns = WriteTurns()
    turns.record_other(0.0)
    assert written(turns, MAX_STREAK_ALONE - 1, RIVAL_SECONDS) == 0.0
    assert written(turns, 1, RIVAL_SECONDS) == pytest.approx(0.03)


async def test_a_server_that_waited_its_turn_decides_on_what_came_meanwhile() -> None:
    floor = await Floor().open(pace={"betting": 0, "shooter": 0})
    await floor.sit("ann")
    first, second = floor.service, floor.another()
    (await first.tables.get(floor.table)).turns = turns = _Always()
    for number in range(6):
        floor.service = (first, second)[number % 2]
        await floor.taken("ann", "field for 5")
    assert (await floor.seat("ann")).wagers["field"].amount == 30_00
    assert turns.asked == 3
    await floor.hold()
