"""An id that wrote an entry gets that entry's answer for ever, at no cost to the others."""

from __future__ import annotations

import asyncio

import pytest

from passline.live import table_cache as warm_tables
from passline.live.live_table import LiveTable
from passline.live.log_entries import Entry
from passline.live.schema import LineRequest, ServiceError
from passline.live.tokens import Holder
from tests.live.floor import EVERY_POST, NO_WAIT, Floor

pytestmark = pytest.mark.anyio


async def test_a_post_is_answered_whoever_relieved_it() -> None:
    floor = await Floor().open(posts=EVERY_POST, dice="typed", pace=NO_WAIT)
    await floor.sit("ann")
    await floor.taken("floor", "kim relieves the stick")
    first = await floor.taken(Holder("stick", "kim"), "ann: yo for 5", id="k1")
    await floor.taken("floor", "lee relieves the stick")
    for service in (floor.service, floor.another()):  # also where no answer is kept at hand
        for who in (Holder("stick", "kim"), Holder("stick", "lee"), Holder("stick")):
            same = LineRequest(id="k1", say="ann: yo for 5")
            assert await service.say(floor.table, who, same) == first
            with pytest.raises(ServiceError) as other:
                await service.say(floor.table, who, LineRequest(id="k1", say="ann: yo for 6"))
            assert other.value.code == "conflict"


async def test_same_bet_is_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Said again it is answered as it was, whatever it would be by now; and words that come to the
    line that it wrote are the same words: a log holds lines."""
    monkeypatch.setattr(warm_tables, "_MAX_ANSWERS", 0)
    floor = await Floor().open(pace=NO_WAIT)
    await floor.sit("ann", "1000")
    await floor.taken("ann", "pass for 10; field for 5")
    await floor.taken("ann", "roll")
    first = await floor.taken("ann", "same bet", id="same")
    await floor.taken("ann", "hard 8 for 25; any seven for 15")
    await floor.taken("ann", "roll")
    ann, words = Holder("player", "ann"), "; ".join(one.words for one in first.entries)
    for service in (floor.service, floor.another()):
        same = LineRequest(id="same", say="same bet")
        assert await service.say(floor.table, ann, same) == first
        assert (
            await service.say(floor.table, ann, LineRequest(id="same", say=words))
        ).seq == first.seq
        with pytest.raises(ServiceError) as other:
            await service.say(floor.table, ann, LineRequest(id="same", say="any seven for 15"))
        assert other.value.code == "conflict"
    later = await floor.taken("ann", "same bet")
    assert [one.words for one in later.entries] != [one.words for one in first.entries]


async def _long(monkeypatch: pytest.MonkeyPatch) -> Floor:
    monkeypatch.setattr(warm_tables, "CHECKPOINT_INTERVAL", 10)
    floor = await Floor().open(pace=NO_WAIT)
    await floor.sit("ann", "10000")
    for number in range(60):
        await floor.taken("ann", "field for 5" if number % 2 else "hard 8 for 5", id=f"a{number}")
    return floor


async def test_what_was_said_lately_is_folded_from_near(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = await _long(monkeypatch)
    service = floor.another()
    await service.view(floor.table)
    folded: list[int] = []
    after = LiveTable.apply_entry

    def counted(live: LiveTable, entry: Entry) -> LiveTable:
        folded.append(entry.seq)
        return after(live, entry)

    monkeypatch.setattr(LiveTable, "apply_entry", counted)
    said = await service.say(
        floor.table, Holder("player", "ann"), LineRequest(id="a57", say="field for 5")
    )
    assert said.seq == 59
    assert 0 < len(folded) < 10
    folded.clear()
    said = await service.say(
        floor.table, Holder("player", "ann"), LineRequest(id="a0", say="hard 8 for 5")
    )
    assert (said.seq, folded) == (2, [1])


async def test_what_was_said_long_ago_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = await _long(monkeypatch)
    ann, service = Holder("player", "ann"), floor.another()
    cached = await service.tables.get(floor.table)
    async with cached.history_lock:  # somebody has an old id looked up, which takes its time
        old = asyncio.create_task(
            service.say(floor.table, ann, LineRequest(id="a3", say="field for 5"))
        )
        new = await service.say(floor.table, ann, LineRequest(id="new", say="field for 5"))
        assert new.seq is not None
        assert not old.done()
    assert (await old).seq == 5
