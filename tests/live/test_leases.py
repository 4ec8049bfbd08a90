"""Leases and channels of PostgreSQL: who alone writes need not ask, and nothing is missed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from time import monotonic

import psycopg
import pytest

from passline.live.dice_proofs import Sealer
from passline.live.schema import LineRequest, OpenTableRequest, SeatRequest
from passline.live.service import TableService
from passline.live.store import Append, Appended, SequenceConflict
from passline.live.stores import leases, postgres
from passline.live.stores.postgres import DatabaseConnection, PostgresStore, QueryValues
from passline.live.tokens import Holder
from tests.live.helpers import insist, line_draft, opened

pytestmark = [pytest.mark.anyio, pytest.mark.system]


@pytest.fixture
async def stores(
    database: str, anyio_backend: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[list[PostgresStore]]:
    """Two servers whose leases settle at once."""
    found = []
    for _ in range(2):
        store = await PostgresStore.open(database)
        store.leases._settle_seconds = 0.0
        found.append(store)
    yield found
    for store in found:
        await store.close()


async def write(store: PostgresStore, count: int, table: str = "t1", by: str = "a") -> None:
    for _ in range(count):
        assert isinstance(await insist(store, table, line_draft(by)), Appended)


async def wait_for_lease(store: PostgresStore, table: str = "t1") -> int:
    async with asyncio.timeout(10):
        while not (number := store.write_lease(table)):
            await asyncio.sleep(0.02)
    return number


async def test_who_writes_alone_gets_a_lease_and_gives_it_up(
    stores: list[PostgresStore],
) -> None:
    here, there = stores
    await opened(here)
    await write(here, leases.OWN_ENTRIES - 2)  # The one that opened the table counts too.
    await here.leases.renew()
    assert here.write_lease("t1") == 0  # Not yet.
    await write(here, 2)
    await wait_for_lease(here)
    began = monotonic()
    await write(there, 1, by="b")  # It asks for the lease and gets it at once.
    assert monotonic() - began < leases.LEASE_SECONDS - 1
    assert here.write_lease("t1") == there.write_lease("t1") == 0
    await write(here, 20)
    await here.leases.renew()
    assert here.write_lease("t1") == 0  # There is a rival.


async def test_a_lease_of_a_server_that_is_gone_ends(stores: list[PostgresStore]) -> None:
    here, there = stores
    await opened(here)
    await write(here, leases.OWN_ENTRIES)
    await wait_for_lease(here)
    for task in list(here._tasks):  # It hears and renews nothing any more.
        task.cancel()
    began = monotonic()
    await write(there, 1, by="b")
    assert 0.5 < monotonic() - began < leases.LEASE_SECONDS + 1
    assert here.write_lease("t1") == 0  # It noticed by its own clock.


async def test_a_lease_from_before_the_clock_was_set_back_keeps_nobody_out(
    stores: list[PostgresStore], database: str
) -> None:
    """The database's clock was a day ahead when a server took the lease; then the server died."""
    here, there = stores
    await opened(here)
    await write(here, 1)
    with psycopg.connect(database, autocommit=True) as other:
        other.execute(
            "INSERT INTO passline_leases VALUES ('t1', 'gone', clock_timestamp() - interval '1 s',"
            " clock_timestamp() + interval '1 day')"
        )
    await write(there, leases.OWN_ENTRIES, by="b")
    await there.leases.renew()
    await wait_for_lease(there)


async def test_a_lease_ends_while_the_machine_is_suspended(
    stores: list[PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock that asyncio counts by stands still then."""
    here, _ = stores
    await opened(here)
    await write(here, leases.OWN_ENTRIES)
    await wait_for_lease(here)
    since_boot = time.clock_gettime
    monkeypatch.setattr(time, "clock_gettime", lambda which: since_boot(which) + 60)
    assert here.write_lease("t1") == 0


async def test_the_machine_leaves_a_table_to_the_holder(stores: list[PostgresStore]) -> None:
    here, there = stores
    await opened(here)
    await write(here, leases.OWN_ENTRIES)
    number = await wait_for_lease(here)
    head = await there.head("t1")
    assert head is not None
    drafts = [line_draft("throw", role="machine", by="machine")]
    append = Append(table="t1", after=head, drafts=drafts, yields=True)
    assert isinstance(await there.append(append), SequenceConflict)
    assert here.write_lease("t1") == number


async def test_a_first_throw_and_a_closed_page_do_not_wait_for_a_lease_to_end(
    stores: list[PostgresStore],
) -> None:
    """Both need an entry by the machine, which the holder of the lease does not write."""
    one, two = (TableService(store, Sealer(bytes(32))) for store in stores)
    asked_for = OpenTableRequest(rulebook="iowa", pace={"betting": 0, "shooter": 0})
    table = (await one.open_table(asked_for)).table
    ann = Holder("player", "ann")
    for name in ("ann", "bob"):
        await one.sit(table, SeatRequest(name=name, buy_in="500"))
    await one.say(table, ann, LineRequest(id="p", say="pass for 5"))
    for act, acted in (
        ("commit", lambda: two.say(table, ann, LineRequest(id="r", say="roll"))),
        ("away", lambda: two.set_away(table, "bob", True)),
    ):
        stores[0].leases._rivals.clear()
        for number in range(leases.OWN_ENTRIES):
            await one.say(table, ann, LineRequest(id=f"{act}{number}", say="field for 5"))
        await wait_for_lease(stores[0], table)
        async with asyncio.timeout(leases.LEASE_SECONDS - 1):
            await acted()
        assert act in [entry.act for entry in await one.entries(table)]


async def test_a_lease_that_began_again_has_another_number(
    stores: list[PostgresStore], database: str
) -> None:
    """As after PostgreSQL was replaced by an older copy: what was known must be compared anew."""
    here, _ = stores
    await opened(here)
    await write(here, leases.OWN_ENTRIES)
    number = await wait_for_lease(here)
    await asyncio.sleep(1.3)
    with psycopg.connect(database, autocommit=True) as other:
        other.execute("DELETE FROM passline_leases")
    await here.leases.renew()
    assert await wait_for_lease(here) > number


async def test_a_lease_is_not_used_before_older_statements_have_ended(database: str) -> None:
    assert leases.SETTLE_SECONDS > 10
    assert "statement_timeout = '10s'" in postgres._SESSION_SQL
    store = await PostgresStore.open(database)
    await opened(store)
    await write(store, leases.OWN_ENTRIES)
    await store.leases.renew()
    assert store.leases.is_stored("t1")
    assert store.write_lease("t1") == 0
    await store.close()
    with psycopg.connect(database, autocommit=True) as other:
        assert other.execute("SELECT count(*) FROM passline_leases").fetchone() == (0,)


async def test_the_holder_reads_without_asking_and_misses_nothing(
    stores: list[PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    run = DatabaseConnection.run

    async def count(
        self: DatabaseConnection, query: str, values: QueryValues = None
    ) -> list[object]:
        if self is stores[0]._asking and query == postgres._TIPS_SQL:
            asked.append(query)
        return await run(self, query, values)

    monkeypatch.setattr(DatabaseConnection, "run", count)
    one, two = (TableService(store, Sealer(bytes(32))) for store in stores)
    asked_for = OpenTableRequest(rulebook="iowa", pace={"betting": 0, "shooter": 0})
    table = (await one.open_table(asked_for)).table
    await one.sit(table, SeatRequest(name="ann", buy_in="500"))
    ann = Holder("player", "ann")
    for number in range(leases.OWN_ENTRIES):
        await one.say(table, ann, LineRequest(id=f"a{number}", say="field for 5"))
    await wait_for_lease(stores[0], table)
    await one.view(table)
    asked.clear()
    for number in range(5):
        await one.say(table, ann, LineRequest(id=f"b{number}", say="field for 5"))
        seen = await two.view(table)
        assert (await one.view(table))["seq"] == seen["seq"]
    assert asked == []
    answer = await two.say(table, ann, LineRequest(id="c", say="field for 5"))
    assert (await one.view(table))["seq"] == answer.seq  # Acknowledged before, so it is shown.
    assert asked != []


async def test_a_server_hears_only_of_tables_that_are_followed(
    stores: list[PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = stores
    heard: list[str] = []
    receive = there._receive

    def note(text: str) -> None:
        heard.append(text)
        receive(text)

    monkeypatch.setattr(there, "_receive", note)
    await opened(here, "t1")
    await opened(here, "t2")
    waiting = asyncio.create_task(there.wait_for_change("t1", 0))
    await asyncio.sleep(0.3)
    await write(here, 3, "t2")
    await write(here, 1, "t1")
    assert await asyncio.wait_for(waiting, 5) == 1
    await asyncio.sleep(0.1)
    named = [text for text in heard if text.endswith(here.leases.holder)]
    assert f"t1:1 {here.leases.holder}" in named
    assert not any("t2" in text for text in named)
    async with asyncio.timeout(5):  # And of all tables together, later, for the lobby.
        while not any("t2:3" in text.split() for text in heard):
            await asyncio.sleep(0.05)


async def test_channels_of_tables_that_nobody_follows_are_left(
    stores: list[PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_UNLISTEN_SECONDS", 0.2)
    here, _ = stores
    await opened(here)
    waiting = asyncio.create_task(here.wait_for_change("t1", 0))
    await asyncio.sleep(0.2)
    assert set(here._channels) == {"t1"}
    waiting.cancel()
    async with asyncio.timeout(5):
        while here._channels:
            await asyncio.sleep(0.05)
