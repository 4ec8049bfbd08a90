"""A game walked through: every moment is the fold from scratch, the ledger sums to zero at each."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.game.table import events as ev
from passline.live.live_table import fold_log
from passline.live.record_export import export_record
from passline.live.replay.export import compute_balances, moment_json
from passline.live.replay.moments import GameMoment, GameStep
from passline.live.replay.timeline import (
    GameTimeline,
    NoMomentError,
    RecordSource,
    ReplaySource,
    TimelineCache,
)
from passline.record.deal import deal_text
from tests.properties.effort import effort
from tests.replay.games import GOLDEN, LOGS, entries, late, log, odd, record

MACHINE_LOGS = [path for path in LOGS if "crew" not in path.stem]


async def _walked(source: ReplaySource, apart: int = 16) -> tuple[GameTimeline, list[GameMoment]]:
    walk = GameTimeline(source, apart=apart)
    return walk, [moment async for moment in walk.moments()]


def walked(source: ReplaySource, apart: int = 16) -> tuple[GameTimeline, list[GameMoment]]:
    return asyncio.run(_walked(source, apart))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_ledger_sums_to_zero_and_every_settlement_has_its_clause(path: Path) -> None:
    check(record(path))


def test_also_where_odd_things_happen() -> None:
    moments = check(odd())
    kinds = {type(event) for moment in moments for event in moment.step.events}
    assert kinds >= {ev.Undone, ev.NoRoll, ev.Joined, ev.LeftTable}
    assert kinds >= {ev.Toked, ev.TokeMade, ev.Clocked, ev.ShootoutMoved}
    assert any(moment.step.refused for moment in moments)
    called = {type(event) for moment in check(late()) for event in moment.step.events}
    assert called >= {ev.LateCalled, ev.LateConfirmed, ev.LateLapsed}


def check(source: ReplaySource) -> list[GameMoment]:
    walk, moments = walked(source)
    settled = 0
    for moment in moments:
        told = moment_json(moment, walk.throws)
        assert told["ledger"]["sum"] == "0.00"
        assert sum(compute_balances(moment.after.table).values()) == 0
        assert sum(_cents(one["change"]) for one in told["ledger"]["accounts"]) == 0
        for done in (told["throw"] or {"settlements": []})["settlements"]:
            assert done["cite"]
            settled += 1
        for refused in told["refusals"]:
            assert refused["reason"]
    assert settled > 3
    return moments


def _cents(amount: str) -> int:
    return round(float(amount) * 100)


@pytest.mark.parametrize("path", MACHINE_LOGS, ids=lambda path: path.stem)
def test_a_log_and_its_record_have_the_same_moments(path: Path) -> None:
    _, of_log = walked(log(path))
    spoken = [moment for moment in of_log[1:] if moment.step.said]
    dealt = deal_text(export_record(entries(path)))
    _, of_record = walked(RecordSource(dealt, "it"))
    assert len(spoken) == len(of_record) - 1
    for one, other in zip(spoken, of_record[1:], strict=True):
        assert one.step.said == other.step.said
        assert one.step.events == other.step.events
        assert compute_balances(one.after.table) == compute_balances(other.after.table)
        assert one.after.table.puck == other.after.table.puck
        if one.step.number % 8 == 0:  # all of it, now and then: it takes its time
            assert _facts(one) == _facts(other)


def _facts(moment: GameMoment) -> dict[str, Any]:
    told = moment_json(moment, GameTimeline(odd()).throws)
    del told["proof"]  # only a log has it
    own = ("at", "time", "line", "role", "by", "walk")
    return {key: value for key, value in told.items() if key not in own}


@pytest.mark.parametrize("path", LOGS[:3], ids=lambda path: path.stem)
def test_a_jump_is_the_fold_from_scratch(path: Path) -> None:
    walk = GameTimeline(log(path), apart=7, most=8)
    every = entries(path)
    chance = random.Random(path.stem)

    async def jumps() -> None:
        for number in chance.sample(range(len(every)), 12):
            moment = await walk.moment(number)
            live = fold_log("t", every[: number + 1])
            assert live is not None
            assert (moment.after.table, moment.after.thrown) == (live.table, live.last_throw)
            if moment.before is not None:
                before = fold_log("t", every[:number])
                assert before is not None
                assert moment.before.table == before.table

    asyncio.run(jumps())


WHOLE = walked(odd())[1]


@effort(40)
@given(st.lists(st.integers(0, len(WHOLE) - 1), max_size=6), st.integers(1, 9), st.integers(1, 4))
def test_any_way_through_a_game_meets_the_same_moments(
    ways: list[int], apart: int, most: int
) -> None:
    """Forward, back and by jumps, however far apart tables are kept, and however few."""

    async def go() -> None:
        walk = GameTimeline(odd(), apart=apart, most=most)
        for number in ways:
            assert await walk.moment(number) == WHOLE[number]
        assert walk.checkpoint_count <= most + 1

    asyncio.run(go())


def test_there_is_no_moment_beyond() -> None:
    walk = GameTimeline(odd())
    for number in (-1, len(WHOLE), 10**12):
        with pytest.raises(NoMomentError, match=f"from 0 to {len(WHOLE) - 1}"):
            asyncio.run(walk.moment(number))


def test_throws_are_found_hand_by_hand() -> None:
    walk, moments = walked(odd())
    throws = walk.throws
    thrown = [
        moment.step.number
        for moment in moments
        if any(isinstance(event, ev.Rolled | ev.NoRoll) for event in moment.step.events)
    ]
    assert len(throws) == len(thrown)
    assert [one.number for n in range(throws.hands) for one in throws.hand(n + 1).throws] == thrown
    faces = [(one.first, one.second) for one in throws.hand(1).throws]
    assert faces == [(4, 4), (0, 0), (6, 3), (4, 4), (2, 2), (3, 4)]
    assert [throws.hand(hand + 1).shooter for hand in range(throws.hands)] == ["ann", "bob"]
    assert (throws.previous_throw(thrown[0]), throws.next_throw(thrown[0])) == (None, thrown[1])
    assert (throws.previous_throw(thrown[-1] + 1), throws.next_throw(thrown[-1])) == (
        thrown[-1],
        None,
    )
    assert (throws.hand_at(0), throws.hand_at(thrown[0])) == (0, 1)


class Growing:
    """A game that goes on while it is walked, and may be put back."""

    id, name, running = "g", "g", True

    def __init__(self) -> None:
        self.source = odd()
        self.shown = 3
        self.salt = ""

    async def first(self) -> GameMoment:
        return await self.source.first()

    async def head(self) -> tuple[int, str]:
        return self.shown, f"{self.salt}{self.shown}" if self.shown else ""

    async def steps(self, after: int, limit: int) -> list[GameStep]:
        from msgspec.structs import replace

        found = await self.source.steps(after, min(limit, self.shown - after))
        return [
            replace(
                step,
                hash=f"{self.salt}{step.number}",
                prev=f"{self.salt}{step.number - 1}" if step.number > 1 else "",
            )
            for step in found
        ]


def test_a_game_is_followed_as_it_grows_and_forgotten_when_it_is_another() -> None:
    async def follow() -> None:
        game = Growing()
        walk = TimelineCache().get(game)
        assert await walk.last_number() == 3
        game.shown = 9
        assert (await walk.moment(9)).after.table == WHOLE[9].after.table
        game.salt = "restored-"
        assert await walk.last_number() == 9
        assert (await walk.moment(9)).after.hash == "restored-9"
        game.shown, game.salt = 12, "again-"
        assert (await walk.moment(12)).after.hash == "again-12"
        game.shown = 2
        assert await walk.last_number() == 2
        assert len(walk.throws) == 0

    asyncio.run(follow())


def test_old_walks_make_room() -> None:
    async def many() -> None:
        walks = TimelineCache(most=4)
        first = record(GOLDEN[0])
        kept = walks.get(first)
        await kept.last_number()
        assert walks.get(first) is kept
        for number in range(4):
            other = record(GOLDEN[1])
            other.id = str(number)
            await walks.get(other).last_number()
        assert walks.get(first) is not kept

    asyncio.run(many())


def test_a_click_reads_no_more_than_lies_between_two_tables_that_are_kept() -> None:
    class Counted:
        id, name, running = "c", "c", False

        def __init__(self) -> None:
            self.source, self.read = log(LOGS[1]), 0

        async def first(self) -> GameMoment:
            return await self.source.first()

        async def head(self) -> tuple[int, str]:
            return await self.source.head()

        async def steps(self, after: int, limit: int) -> Any:
            found = await self.source.steps(after, limit)
            self.read += len(found)
            return found

    async def click() -> None:
        game = Counted()
        walk = GameTimeline(game, apart=16)
        last = await walk.last_number()
        for number in range(last + 1):
            game.read = 0
            await walk.moment(number)
            assert game.read <= 16

    asyncio.run(click())
