"""Stores that are emptied, deleted or replaced under a server, and clocks that jump."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from passline.live import daily
from passline.live.audit.audit import Audit
from passline.live.dice_proofs import Sealer
from passline.live.schema import LineRequest, OpenTableRequest, SeatRequest, ServiceError
from passline.live.service import TableService
from passline.live.store import JumpGuard, Store, StoreError, UnusableError
from passline.live.stores.memory import MemoryStore
from passline.live.stores.open_store import MARKER_FILE, check_tables_known
from passline.live.stores.postgres import PostgresStore
from passline.live.stores.sqlite import DATABASE_FILE, SqliteStore
from passline.live.tokens import Holder
from tests.live.conftest import Opener

pytestmark = pytest.mark.anyio
ANN = Holder("player", "ann")


async def play(store: Store) -> tuple[TableService, str]:
    service = TableService(store, Sealer(bytes(32)))
    opened = await service.open_table(OpenTableRequest(rulebook="iowa"))
    await service.sit(opened.table, SeatRequest(name="ann", buy_in="500"))
    return service, opened.table


@pytest.mark.parametrize("name", [DATABASE_FILE, f"{DATABASE_FILE}-wal"])
@pytest.mark.parametrize("how", ["removed", "replaced"])
async def test_nothing_is_acknowledged_into_a_removed_file(
    tmp_path: Path, name: str, how: str
) -> None:
    store = await SqliteStore.open(tmp_path)
    service, table = await play(store)
    kept = (tmp_path / name).read_bytes()
    (tmp_path / name).rename(tmp_path / "aside")
    if how == "replaced":
        (tmp_path / name).write_bytes(kept)
    for number in range(2):
        with pytest.raises(ServiceError, match="was removed, replaced or cut short"):
            await service.say(table, ANN, LineRequest(id=f"a{number}", say="pass for 10"))
        with pytest.raises(StoreError, match="was removed, replaced or cut short"):
            await store.check_writable()  # What /readyz asks.
    (tmp_path / "aside").replace(tmp_path / name)  # It comes back, and so does the server.
    await store.check_writable()
    assert (await service.say(table, ANN, LineRequest(id="b", say="pass for 10"))).seq is not None
    await store.close()


async def test_nothing_is_acknowledged_into_a_file_that_was_cut_short(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    service, table = await play(store)
    os.truncate(tmp_path / DATABASE_FILE, 0)
    with pytest.raises(ServiceError, match="was removed, replaced or cut short"):
        await service.say(table, ANN, LineRequest(id="a", say="pass for 10"))
    await store.close()


async def test_a_folder_whose_logs_were_emptied_is_noticed(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    await play(store)
    await check_tables_known(store, tmp_path, str(tmp_path))
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as database:
        database.execute("DELETE FROM entries")
        database.commit()
    with pytest.raises(UnusableError, match="had tables and has none now"):
        await check_tables_known(store, tmp_path, str(tmp_path))
    await store.close()


async def test_a_store_that_is_emptied_under_a_server_is_noticed(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    await store.check_not_emptied()  # It never had any.
    await play(store)
    await store.check_not_emptied()
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as database:
        database.execute("DELETE FROM entries")
        database.commit()
    for _ in range(2):
        with pytest.raises(StoreError, match="had tables and has none now"):
            await store.check_not_emptied()
    await store.close()


async def test_tables_that_an_operator_deleted_are_not_missed(
    another: Opener, tmp_path: Path
) -> None:
    """Neither by a server that runs, nor by one that starts; what is emptied later is missed."""
    server, command = await another(), await another()
    _, one = await play(server)
    _, two = await play(server)
    await check_tables_known(server, tmp_path, "place")
    await server.check_not_emptied()
    for table in (one, two):
        await command.delete_table(table)
        await server.check_not_emptied()
        await check_tables_known(server, tmp_path, "place")
    await play(server)
    await check_tables_known(server, tmp_path, "place")
    await server.check_not_emptied()
    if isinstance(server, MemoryStore):
        server.memory_disk.logs.clear()
    elif isinstance(server, SqliteStore):
        with server._writable() as db:
            db.execute("DELETE FROM entries")
    elif isinstance(server, PostgresStore):
        await server._writing.run("DELETE FROM passline_entries")
    with pytest.raises(StoreError, match="had tables and has none now"):
        await server.check_not_emptied()
    with pytest.raises(UnusableError, match="had tables and has none now"):
        await check_tables_known(server, tmp_path, "place")


async def test_deleting_some_tables_excuses_no_store_that_is_emptied(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    _, one = await play(store)
    await play(store)
    await store.check_not_emptied()
    await store.delete_table(one)
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as database:
        database.execute("DELETE FROM entries")
        database.commit()
    with pytest.raises(StoreError, match="had tables and has none now"):
        await store.check_not_emptied()
    await store.close()


async def test_a_fact_only_grows(another: Opener) -> None:
    store, other = await another(), await another()
    assert await store.fact("day") == 0
    for number, found in ((5, 5), (3, 5), (7, 7)):
        await store.raise_fact("day", number)
        assert (await other.fact("day"), await other.fact("days")) == (found, 0)


async def test_a_folder_that_had_tables_and_has_none_is_noticed(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    await check_tables_known(store, tmp_path, str(tmp_path))
    assert not (tmp_path / MARKER_FILE).exists()  # It never had any.
    await play(store)
    for _ in range(2):
        await check_tables_known(store, tmp_path, str(tmp_path))
    await store.close()
    (tmp_path / DATABASE_FILE).unlink()
    empty = await SqliteStore.open(tmp_path)
    with pytest.raises(UnusableError, match="had tables and has none now"):
        await check_tables_known(empty, tmp_path, str(tmp_path))
    await check_tables_known(empty, tmp_path, "postgresql://db/other")  # Another store.
    (tmp_path / MARKER_FILE).unlink()
    await check_tables_known(empty, tmp_path, str(tmp_path))
    await empty.close()


class JumpingClock:
    """A wall clock that can be set, beside seconds that cannot."""

    def __init__(self) -> None:
        self.wall, self.passed = datetime(2026, 11, 18, 12, tzinfo=UTC), 0.0
        self.guard = JumpGuard(lambda: self.passed)

    def now(self) -> datetime:
        return self.guard.check(self.wall)

    async def sleep(self, seconds: float) -> None:
        raise AssertionError("nobody waits here")

    def turn(self, seconds: float) -> None:
        self.wall, self.passed = self.wall + timedelta(seconds=seconds), self.passed + seconds


def test_small_steps_are_followed_and_jumps_are_not() -> None:
    clock = JumpingClock()
    noon = clock.now()
    clock.turn(100)
    clock.wall += timedelta(seconds=50)  # Somebody sets it right.
    assert clock.now() - noon == timedelta(seconds=150)
    for jump in (timedelta(days=1), timedelta(days=-2)):
        clock.wall += jump
        clock.turn(10)
        assert clock.now() - noon == timedelta(seconds=160)
        clock.wall -= jump
        assert clock.now() - noon == timedelta(seconds=160)
        clock.turn(-10)
        clock.now()


async def test_a_clock_that_jumps_a_day_tells_no_secret_and_freezes_no_table(
    tmp_path: Path,
) -> None:
    clock = JumpingClock()
    store = await SqliteStore.open(tmp_path, clock=clock.now)
    service = TableService(store, Sealer(bytes(32)), clock)
    asked = OpenTableRequest(rulebook="iowa", pace={"betting": 10, "shooter": 0})
    table = (await service.open_table(asked)).table
    await service.sit(table, SeatRequest(name="ann", buy_in="500"))
    day = daily.format_day(clock.now())
    for number, jump in enumerate((timedelta(days=1), timedelta(days=-1))):
        clock.wall += jump
        assert (await daily.daily_json(service, day))["secret"] is None
        with pytest.raises(ServiceError):  # Nobody plays tomorrow's today.
            await daily.daily_json(service, daily.format_day(clock.wall + timedelta(days=1)))
        await service.say(table, ANN, LineRequest(id=f"b{number}", say="pass for 10"))
        clock.turn(11)
        thrown = await service.say(table, ANN, LineRequest(id=f"r{number}", say="roll"))
        assert thrown.seq is not None, thrown
        entries = await service.entries(table)
        assert {entry.at[:10] for entry in entries} == {day}
    await store.close()


async def test_a_clock_that_is_behind_at_the_start_freezes_no_table(tmp_path: Path) -> None:
    """It was a day ahead while another server ran, or is a day behind now: the log is ahead of it.

    The betting time passes as always, in the log too.
    """
    asked = OpenTableRequest(rulebook="iowa", pace={"betting": 10, "shooter": 0})
    table, noon = "", datetime(2026, 11, 18, 12, tzinfo=UTC)
    for days in (1, 0, -1):
        clock = JumpingClock()
        clock.wall = noon + timedelta(days=days)
        store = await SqliteStore.open(tmp_path, clock=clock.now)
        service = TableService(store, Sealer(bytes(32)), clock)
        if not table:
            table = (await service.open_table(asked)).table
            for name in ("ann", "bob"):  # Nobody waits who is alone.
                await service.sit(table, SeatRequest(name=name, buy_in="500"))
        for seconds, thrown in ((11, True), (9, False), (2, True)):
            for say, passed in (("pass for 10", seconds), ("roll", 0)):
                line = LineRequest(id=f"{say} {days} {seconds}", say=say)
                said = await service.say(table, ANN, line)
                clock.turn(passed)
            assert (said.seq is not None) is thrown, (days, seconds)
            await service.auto_dealer.run_due()
        audit = Audit()
        audit.add_lines([line async for line in service.log(table)])
        assert audit.end().first is None
        await store.close()
    assert audit.end().proven == 6
