"""A table moves to another store: its log, its tokens, a fresh commit; and it stays one table."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from secrets import token_bytes

import pytest

from passline.live.audit.audit import Audit
from passline.live.dice_proofs import Sealer
from passline.live.log_entries import Draft
from passline.live.move_table import MoveError, find_move_status, move_table
from passline.live.scheduled_actions import pending_actions
from passline.live.schema import LineRequest, OpenTableRequest, SeatRequest, ServiceError
from passline.live.service import OPERATOR, TableService
from passline.live.store import Append, Store, UnavailableError
from passline.live.stores.memory import MemoryStore
from passline.live.stores.postgres import PostgresStore
from passline.live.stores.sqlite import SqliteStore
from passline.live.throw_with_proof import HouseDice
from passline.live.tokens import Holder

pytestmark = pytest.mark.anyio

ANN = Holder("player", "ann")
DICE = HouseDice(Sealer(bytes(32)), token_bytes)
Maker = Callable[[str], Awaitable[Store]]


@pytest.fixture
async def made(
    request: pytest.FixtureRequest, tmp_path: Path, anyio_backend: str
) -> AsyncIterator[Maker]:
    """Makes an empty store of a kind."""
    async with AsyncExitStack() as stack:

        async def make(kind: str) -> Store:
            store: Store = MemoryStore()
            if kind == "sqlite":
                store = await SqliteStore.open(tmp_path / f"live{len(list(tmp_path.iterdir()))}")
            elif kind == "postgres":
                store = await PostgresStore.open(request.getfixturevalue("database"))
            stack.push_async_callback(store.close)
            return store

        yield make


def service(store: Store, key: int = 0) -> TableService:
    return TableService(store, Sealer(bytes([key] * 32)))


async def played(store: Store, **asked: object) -> str:
    """A table with a player, a wager and a throw."""
    here = service(store)
    pace = {"betting": 0, "shooter": 0}
    opened = await here.open_table(OpenTableRequest(rulebook="iowa", pace=pace, **asked))  # type: ignore[arg-type]
    await here.sit(opened.table, SeatRequest(name="ann", buy_in="500", token="a" * 32))
    say = LineRequest(id="a1", say="pass for 10; place 6 for 12")
    await here.say(opened.table, ANN, say)
    if not asked:
        await here.say(opened.table, ANN, LineRequest(id="a2", say="roll", nonce="n"))
    return opened.table


async def found(store: Store, table: str) -> tuple[list[str], object]:
    audit = Audit(table)
    acts = []
    async for entry in store.log(table):
        audit.add_lines([entry.text()])
        acts.append(entry.act)
    return [act for act in acts if act], audit.end().first


@pytest.mark.parametrize(
    "kinds",
    [
        pytest.param(("sqlite", "postgres"), marks=pytest.mark.system),
        pytest.param(("postgres", "sqlite"), marks=pytest.mark.system),
        ("memory", "memory"),
    ],
)
async def test_a_table_goes_on_elsewhere(made: Maker, kinds: tuple[str, str]) -> None:
    source, target = [await made(kind) for kind in kinds]
    table = await played(source)
    before = await service(source).view(table, ANN)
    running = service(source)
    await running.view(table)
    head = await move_table(source, target, table, DICE)
    assert await target.head(table) == head
    assert await found(target, table) == (["moved", "arrived"], None)
    assert (await found(source, table)) == (["moved"], None)
    assert await find_move_status(source, target, table, "") == "done"
    assert await find_move_status(target, source, table, "") == "here"

    there = service(target)
    after = await there.view(table, ANN)
    same = ("players", "puck", "shooter", "last", "name")
    assert {key: after[key] for key in same} == {key: before[key] for key in same}
    assert after["commit"] != before["commit"]
    assert await there.holder(table, "a" * 32) == ANN
    assert [row["table"] for row in await there.lobby()] == [table]
    again = LineRequest(id="a1", say="pass for 10; place 6 for 12")
    assert (await there.say(table, ANN, again)).seq == 2  # an id is answered as it was
    thrown = await there.say(table, ANN, LineRequest(id="b1", say="roll", nonce="n"))
    fresh = ["commit"] if thrown.seq is not None else []  # before a server's first throw
    acts = ["moved", "arrived", *fresh]
    assert await found(target, table) == (acts, None)

    for old in (service(source), *((running,) if source.shared else ())):  # also one that ran on
        assert await old.lobby() == []
        assert (await old.view(table))["status"] == "closed"
        for words in ("field for 5", "leave"):
            with pytest.raises(ServiceError) as wrong:
                await old.say(table, ANN, LineRequest(id=f"late {words}", say=words))
            assert wrong.value.code == "unavailable"
        with pytest.raises(ServiceError):
            await old.invite(table, "box", by=OPERATOR)
        assert not pending_actions((await old.tables.get(table)).live)


async def test_a_table_is_one_table(made: Maker) -> None:
    first, second, third = [await made("memory") for _ in range(3)]
    table = await played(first)
    await move_table(first, second, table, DICE)
    with pytest.raises(MoveError, match="already"):
        await move_table(first, second, table, DICE)  # it goes on there
    with pytest.raises(MoveError, match="no table"):
        await move_table(first, second, "nowhere", DICE)
    said = await service(second).say(table, ANN, LineRequest(id="c1", say="field for 5"))
    await move_table(second, first, table, DICE)  # it comes back, with what was played meanwhile
    assert await found(first, table) == (["moved", "arrived"] * 2, None)
    assert await service(first).say(table, ANN, LineRequest(id="c1", say="field for 5")) == said
    with pytest.raises(MoveError, match="already"):
        await move_table(second, first, table, DICE)
    other = await played(third)
    memory_disk = third.memory_disk  # type: ignore[attr-defined]
    memory_disk.logs[table] = memory_disk.logs.pop(other)
    with pytest.raises(MoveError):
        await move_table(third, second, table, DICE)  # another table of that name


@pytest.mark.parametrize(
    "kind", ["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.system)]
)
async def test_what_fails_half_way_is_asked_for_again(made: Maker, kind: str) -> None:
    source, target = await made("memory"), await made(kind)
    table = await played(source)
    grants = source.grants

    async def cut(table: str) -> list[object]:
        raise UnavailableError("cut")

    source.grants = cut  # type: ignore[assignment]
    with pytest.raises(UnavailableError):
        await move_table(source, target, table, DICE)
    assert await target.head(table) is None
    assert (
        await find_move_status(source, target, table, "") == "unfinished"
    )  # nobody plays at either: it is asked for again
    source.grants = grants  # type: ignore[method-assign]
    rows, asked = source.rows, []

    async def torn(table: str, after: int = -1, limit: int = 2) -> list[object]:
        asked.append(after)
        if len(asked) > 5:
            raise UnavailableError("torn")
        return await rows(table, after, 2)  # type: ignore[return-value]

    source.rows = torn  # type: ignore[assignment]
    with pytest.raises(UnavailableError, match="torn"):
        await move_table(source, target, table, DICE)
    assert await target.head(table) is None  # nothing of it, after a page was written
    source.rows = rows  # type: ignore[method-assign]
    await move_table(source, target, table, DICE)
    assert await found(target, table) == (["moved", "arrived"], None)
    left = await source.head(table)
    assert left is not None
    assert (await service(target).view(table))["seq"] == left.seq + 1


async def test_what_an_audit_finds_does_not_move(made: Maker) -> None:
    source, target = await made("memory"), await made("memory")
    table = await played(source)
    log = source.memory_disk.logs[table]  # type: ignore[attr-defined]
    log[2] = (log[2][0], log[2][1].replace(b"pass", b"fish"))
    with pytest.raises(MoveError, match="entry 2"):
        await move_table(source, target, table, DICE)
    assert await target.head(table) is None


async def test_typed_dice_are_promised_nowhere(made: Maker) -> None:
    source, target = await made("memory"), await made("memory")
    table = await played(source, dice="typed", posts={"stick": "person"})
    await move_table(source, target, table, DICE)
    assert await found(target, table) == (["moved", "arrived"], None)
    await service(target).say(table, Holder("stick"), LineRequest(id="s1", say="roll 3 3"))
    assert (await service(target).view(table))["puck"] == 6


async def test_nothing_is_written_between(made: Maker) -> None:
    """An audit tells of a table that went on where it had left."""
    source, target = await made("memory"), await made("memory")
    table = await played(source)
    await move_table(source, target, table, DICE)
    late = service(source)
    live = (await late.tables.get(table)).live
    draft = Draft(role="player", by="ann", more={"act": "ready"})
    await source.append(Append(table=table, after=live.head, drafts=[draft]))
    assert "moved" in str((await found(source, table))[1])
