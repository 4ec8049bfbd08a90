"""What only the PostgreSQL store has to hold: lines that are lost, servers that come and go."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import psycopg
import pytest
from bench.postgres import Server

from passline.live.hash_chain import verify_chain
from passline.live.store import (
    Append,
    Appended,
    AppendOutcome,
    Secret,
    UnavailableError,
    UnusableError,
)
from passline.live.stores import postgres as postgres_schema
from passline.live.stores.postgres import (
    DatabaseConnection,
    PostgresStore,
    QueryValues,
    _make_payloads,
    _read_payload,
)
from tests.live.helpers import insist, line_draft, opened, whole, written

pytestmark = [pytest.mark.anyio, pytest.mark.system]


async def test_any_number_of_servers_open_at_once(database: str) -> None:
    stores = await asyncio.gather(*(PostgresStore.open(database) for _ in range(6)))
    await opened(stores[0])
    for store in stores:
        assert len(await store.read("t1")) == 1
        await store.close()


async def test_what_cannot_be_used_is_told(database: str, postgres: Server) -> None:
    with pytest.raises(UnusableError, match="has no Passline tables"):
        await PostgresStore.open(database, read_only=True)
    with pytest.raises(UnusableError):
        await PostgresStore.open("postgresql://a=b=c?nonsense=1")
    with pytest.raises(UnavailableError):
        await PostgresStore.open("postgresql:///postgres?host=/nowhere/at/all")
    with pytest.raises(UnusableError):
        await PostgresStore.open(postgres.url("no_such_schema"))
    store = await PostgresStore.open(database)
    await opened(store)
    looking = await PostgresStore.open(database, read_only=True)
    assert await whole(looking, "t1") == await whole(store, "t1")
    await looking.close()
    await store.close()


async def test_a_database_that_cannot_hold_every_name_is_refused(postgres: Server) -> None:
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(UnusableError, match="UTF8"):
        await PostgresStore.open(postgres.url().replace("/postgres?", "/latin?"))


async def test_schemas_migrate_and_later_ones_are_refused(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await PostgresStore.open(database)
    await opened(store)
    await store.close()
    step = "ALTER TABLE passline_tables ADD COLUMN note text NOT NULL DEFAULT 'new'"
    with monkeypatch.context() as later:
        later.setattr(postgres_schema, "MIGRATIONS", (*postgres_schema.MIGRATIONS, step))
        store = await PostgresStore.open(database)
        assert await store._reading.run("SELECT note FROM passline_tables") == [("new",)]
        await store.close()
    with pytest.raises(UnusableError, match="later version"):
        await PostgresStore.open(database)


async def test_commits_are_synced_whatever_the_database_is_set_to(database: str) -> None:
    async def setting(line: DatabaseConnection) -> str:
        return str((await line.run("SELECT current_setting('synchronous_commit')"))[0][0])

    store = await PostgresStore.open(f"{database}%20-csynchronous_commit%3Doff")
    assert await setting(store._writing) == "on"
    assert await setting(store._reading) == "off"
    await store.close()
    store = await PostgresStore.open(f"{database}%20-csynchronous_commit%3Dremote_apply")
    assert await setting(store._writing) == "remote_apply"
    await store.close()


async def cut(database: str, store: PostgresStore) -> None:
    """End every line of a store from the other side."""
    pids = []
    for line in (store._writing, store._reading, store._hearing):
        connection = await line.connection()
        pids.append(connection.info.backend_pid)
    with psycopg.connect(database, autocommit=True) as other:
        for pid in pids:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))


async def test_lost_lines_are_made_again(database: str) -> None:
    here, there = await PostgresStore.open(database), await PostgresStore.open(database)
    await opened(here)
    for number in range(3):
        await cut(database, here)
        written(await insist(here, "t1", line_draft("a", f"i{number}")))
        await cut(database, here)
        assert len(await here.read("t1")) == number + 2
    await cut(database, here)
    waiting = asyncio.create_task(here.wait_for_change("t1", 3))
    await asyncio.sleep(0.05)
    await insist(there, "t1", line_draft("b"))
    assert await asyncio.wait_for(waiting, 10) == 4
    for store in (here, there):
        await store.close()


async def test_a_commit_whose_answer_is_lost_is_known_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line breaks after the commit: sent again, it stands once, and what belongs to it too."""
    store, other = await PostgresStore.open(database), await PostgresStore.open(database)
    head = await opened(store)
    ask = DatabaseConnection._ask
    broken: list[list[object]] = []

    async def breaks(self: DatabaseConnection, query: str, values: QueryValues) -> list[object]:
        rows = await ask(self, query, values)
        if self is store._writing and "INSERT INTO passline_entries" in query and not broken:
            broken.append(rows)
            # Meanwhile another server goes on, and its secret must not be put back.
            after = (await other.read("t1"))[-1].head
            later = Append(
                table="t1", after=after, drafts=[line_draft("c")], secret=Secret("2" * 64, b"later")
            )
            assert isinstance(await other.append(later), Appended)
            raise psycopg.OperationalError("the line was lost")
        return rows

    monkeypatch.setattr(DatabaseConnection, "_ask", breaks)
    first = Append(
        table="t1",
        after=head,
        drafts=[line_draft("a", "1"), line_draft("b")],
        secret=Secret("1" * 64, b"first"),
    )
    outcome = await store.append(first)
    assert broken
    assert isinstance(outcome, Appended)
    assert [entry.seq for entry in outcome.entries] == [1, 2]
    assert verify_chain(await whole(store, "t1")).seq == 3
    assert await store.secret("t1") == Secret("2" * 64, b"later")
    for one in (store, other):
        await one.close()


async def test_wake_ups_that_are_lost_are_made_good(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await PostgresStore.open(database), await PostgresStore.open(database, poll=0.1)
    head = await opened(here)
    monkeypatch.setattr(here, "_notify_soon", lambda table, seq: None)
    waiting = asyncio.create_task(there.wait_for_change("t1", 0))
    await asyncio.sleep(0.05)
    await here.append(Append(table="t1", after=head, drafts=[line_draft("a")]))
    assert await asyncio.wait_for(waiting, 5) == 1
    for store in (here, there):
        await store.close()


async def test_wake_ups_come_sooner_than_looking_would(database: str) -> None:
    here, there = await PostgresStore.open(database), await PostgresStore.open(database, poll=60)
    head = await opened(here)
    await asyncio.sleep(0.2)  # it listens by now
    waiting = asyncio.create_task(there.wait_for_change("t1", 0))
    await here.append(Append(table="t1", after=head, drafts=[line_draft("a")]))
    assert await asyncio.wait_for(waiting, 10) == 1
    for store in (here, there):
        await store.close()


async def test_servers_send_each_other_words(database: str) -> None:
    one, two = [await PostgresStore.open(database) for _ in range(2)]
    heard: list[list[str]] = []
    arrived = asyncio.Event()

    def listen(words: Sequence[str]) -> None:
        heard.append(list(words))
        arrived.set()

    two.message_listeners.append(listen)
    async with asyncio.timeout(10):
        while not arrived.is_set():  # It may not listen yet.
            await one.send_message("page-open", "t1", "Mary_Ann", "a1")
            await asyncio.sleep(0.1)
    assert heard[0] == ["page-open", "t1", "Mary_Ann", "a1"]
    await one.close()
    await two.close()


async def test_many_wake_ups_go_in_few_messages() -> None:
    news = {f"table-{number:040}": number for number in range(1000)}
    payloads = list(_make_payloads(news))
    assert len(payloads) < 10
    assert max(map(len, payloads)) < 8000
    assert dict(pair for payload in payloads for pair in _read_payload(payload)) == news
    assert list(_make_payloads({})) == []
    assert list(_read_payload("")) == []
    assert list(_read_payload("no message of:ours :: t:²")) == []


async def test_a_server_that_dies_is_told_and_got_over(postgres: Server, database: str) -> None:
    store = await PostgresStore.open(database)
    await opened(store)
    kept = written(await insist(store, "t1", line_draft("a", "1")))
    postgres.stop("immediate")
    try:
        with pytest.raises(UnavailableError):
            await store.head("t1")
        with pytest.raises(UnavailableError):
            await store.append(Append(table="t1", after=kept.head, drafts=[line_draft("b", "2")]))
    finally:
        postgres.start()
    assert await store.head("t1") == kept.head
    assert isinstance(await insist(store, "t1", line_draft("b", "2")), Appended)
    await store.close()


async def test_batches_of_two_servers_never_wait_in_a_circle(database: str) -> None:
    stores = [await PostgresStore.open(database) for _ in range(2)]
    tables = [f"t{number}" for number in range(30)]
    heads = [await opened(stores[0], table) for table in tables]

    async def both(number: int) -> list[AppendOutcome]:
        draft = line_draft("a", f"{number}")
        ways = (zip(tables, heads, strict=True), zip(tables[::-1], heads[::-1], strict=True))
        return await asyncio.gather(
            *(
                store.append(Append(table=table, after=head, drafts=[draft]))
                for store, way in zip(stores, ways, strict=True)
                for table, head in way
            )
        )

    outcomes = await asyncio.wait_for(both(1), 5)
    assert sum(isinstance(outcome, Appended) for outcome in outcomes) == 30
    for store in stores:
        await store.close()


async def test_the_ends_of_many_logs_are_asked_for_together(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await PostgresStore.open(database)
    heads = [await opened(store, f"t{number}") for number in range(5)]
    asked: list[str] = []
    run = DatabaseConnection.run

    async def noted(
        self: DatabaseConnection, query: str, values: QueryValues = None
    ) -> list[object]:
        if self is store._asking:
            asked.append(query)
        return await run(self, query, values)

    monkeypatch.setattr(DatabaseConnection, "run", noted)
    names = [f"t{number % 6}" for number in range(60)]
    found = await asyncio.gather(*(store.log_end(name) for name in (*names, "no such; table")))
    tips = [(head.seq, head.hash) for head in heads]
    assert found == [*([*tips, None] * 10), None]
    assert len(asked) == 1
    await store.close()
