"""The stores under test: the same tests run over each of them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path

import psycopg
import pytest
from bench.postgres import Server, running

from passline.live.store import Store
from passline.live.stores.memory import MemoryDisk, MemoryStore
from passline.live.stores.postgres import PostgresStore
from passline.live.stores.sqlite import SqliteStore
from passline.school.throw_work import register_audit_check

#: Opens another store object on the same tables, as a second server would; where only one server
#: can have them, the one that is open.
Opener = Callable[[], Awaitable[Store]]

_SCHEMAS = count(1)
register_audit_check()  # audits of these tests grade learners' work again, as `passline audit` does


@pytest.fixture
def anyio_backend() -> str:
    """Coroutines run on asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server of our own, where its binaries are found."""
    try:
        with running(sync=False) as server:
            yield server
    except LookupError as missing:
        pytest.skip(f"not tested with PostgreSQL: {missing}")


@pytest.fixture
def database(postgres: Server) -> str:
    """The address of an empty schema."""
    schema = f"t{os.getpid()}_{next(_SCHEMAS)}"
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    return postgres.url(schema)


@pytest.fixture(
    params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.system)],
)
async def another(
    request: pytest.FixtureRequest, tmp_path: Path, anyio_backend: str
) -> AsyncIterator[Opener]:
    """Opens store objects over one set of tables."""
    async with AsyncExitStack() as stack:
        memory_disk = MemoryDisk()
        only: list[Store] = []
        address = request.getfixturevalue("database") if request.param == "postgres" else ""

        async def open_one() -> Store:
            store: Store
            if request.param == "memory":
                store = MemoryStore(memory_disk)
            elif request.param == "postgres":
                store = await PostgresStore.open(address)
            elif only:
                return only[0]
            else:
                store = await SqliteStore.open(tmp_path / "live")
                only.append(store)
            stack.push_async_callback(store.close)
            return store

        yield open_one


@pytest.fixture
async def store(another: Opener) -> Store:
    """One store, open and empty."""
    return await another()
