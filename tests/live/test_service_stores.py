"""The service over each store: the same game, a restart, and two servers where it allows them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from passline.live.dice_proofs import DiceCommitment, Sealer, verify_throw
from passline.live.live_table import fold_log
from passline.live.schema import LineRequest, OpenTableRequest, SeatRequest
from passline.live.service import TableService
from passline.live.store import TableListing
from passline.live.stores.memory import MemoryStore
from passline.live.tokens import Holder
from tests.live.conftest import Opener
from tests.live.floor import Clock, Floor

pytestmark = pytest.mark.anyio


async def test_a_game_is_the_same_over_every_store(another: Opener) -> None:
    stores = [await another(), await another()]
    halls = [TableService(store, Sealer(bytes(32))) for store in stores]
    if stores[0] is stores[1]:
        halls[1] = halls[0]  # one server has the folder
    opened = await halls[0].open_table(OpenTableRequest(rulebook="iowa", pace={"betting": 0}))
    table, names = opened.table, ("ann", "bob")
    for name in names:
        await halls[0].sit(table, SeatRequest(name=name, buy_in="500", token=name[0] * 32))
    got: list[int] = []

    async def follow() -> None:
        async for told in halls[1].follow(table):
            got.append(told.seq)

    stream = asyncio.create_task(follow())

    async def play(number: int) -> None:
        for turn in range(9):
            say = ("pass for 10", "place 6 for 12", "roll")[turn % 3]
            asked = LineRequest(id=f"i{turn}", say=say, nonce="n")
            who = Holder("player", names[number])
            first = await halls[(turn + number) % 2].say(table, who, asked)
            if first.seq is not None:
                assert await halls[(turn + number + 1) % 2].say(table, who, asked) == first

    await asyncio.gather(play(0), play(1))
    views = [await service.view(table) for service in halls]
    assert views[0] == views[1]
    for _ in range(200):
        if got and got[-1] == views[0]["seq"]:
            break
        await asyncio.sleep(0.02)
    assert got == list(range(views[0]["seq"] + 1))
    await halls[1].stop()
    await asyncio.wait_for(stream, 2)
    entries = [entry async for entry in stores[0].log(table)]
    live = fold_log(table, entries)
    assert live is not None
    assert live.head.hash == views[0]["head"]
    promise = DiceCommitment()
    for entry in entries:
        verify_throw(table, promise, entry)
        promise = promise.apply_entry(entry)
    again = TableService(stores[0], Sealer(bytes(32)))
    assert await again.view(table) == views[0]
    assert await again.lobby() == await halls[0].lobby()
    assert await again.holder(table, "a" * 32) == Holder("player", "ann")
    other = TableService(stores[0], Sealer(bytes([7] * 32)))  # the sealing key was lost
    shooter = live.next_shooter
    if shooter:
        asked = LineRequest(id="lost", say="roll", nonce="n")
        await other.say(table, Holder("player", shooter), asked)
        acts = [entry.act async for entry in stores[0].log(table) if entry.act]
        assert acts.pop(-2) == "key"  # this one's is derived from the sealing key
        # A server throws only with a secret that it made itself.
        assert set(acts) == {"commit"}
        assert len(acts) >= len(set(halls))


async def test_servers_that_start_together_open_one_practice(another: Opener) -> None:
    stores = [await another(), await another()]
    halls = [TableService(store, Sealer(bytes(32))) for store in stores]
    if stores[0] is stores[1]:
        del halls[1]
    looked = asyncio.Barrier(len(halls))
    for service in halls:
        look = service.store.tables

        async def together(
            look: Callable[[], Awaitable[list[TableListing]]] = look,
        ) -> list[TableListing]:
            found = await look()
            await looked.wait()
            return found

        service.store.tables = together  # type: ignore[method-assign]
    await asyncio.gather(*(service.open_practice() for service in halls))
    assert [
        row["name"] for row in await TableService(await another(), Sealer(bytes(32))).lobby()
    ] == ["Practice"]


async def test_a_server_whose_clock_is_ahead_cuts_no_betting_time_short() -> None:
    """Servers that share a store are paced by its clock, whatever their own say."""
    floor = await Floor().open(game="automated-craps", pace={"betting": 10})
    fast = Clock()
    fast.turn(seconds=45)
    store = MemoryStore(floor.memory_disk, floor.clock.now)
    service = TableService(store, Sealer(bytes(32)), fast, floor.random.randbytes)
    ann = await floor.sit("ann")
    await floor.sit("bob")
    await floor.taken(ann, "field for 5")
    wait = await _tended(service, floor.table)
    assert 0 < wait <= 10
    assert (await floor.lines())[-1] == "ann: field for 5"
    assert (await service.say(floor.table, ann, LineRequest(id="r", say="roll"))).seq is None
    for clock in (fast, floor.clock):
        clock.turn(seconds=11)
    await _tended(service, floor.table)
    assert any(line.startswith("roll ") for line in await floor.lines())


async def _tended(service: TableService, table: str) -> float:
    await service.view(table)
    return await service.auto_dealer.run_due()
