"""Servers killed while they write: nothing acknowledged is lost, nothing stands twice."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from bench.postgres import Server

from passline.live.hash_chain import verify_chain
from passline.live.store import Append, Appended, DuplicateRequest, Store, UnavailableError
from passline.live.stores.memory import MemoryDisk, MemoryStore
from passline.live.stores.postgres import PostgresStore
from passline.live.stores.sqlite import SqliteStore
from tests.live.helpers import insist, line_draft, opened, whole, written
from tests.live.writer import TABLES

pytestmark = [pytest.mark.anyio, pytest.mark.system]
ROOT = Path(__file__).parent.parent.parent


def started(kind: str, address: str) -> subprocess.Popen[bytes]:
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    return subprocess.Popen(
        [sys.executable, "-m", "tests.live.writer", kind, address],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
    )


def acknowledged_by(writers: list[subprocess.Popen[bytes]], lines: int) -> set[tuple[str, ...]]:
    """What writers told before they were killed, a good while after they began."""
    told = []
    for writer in writers:
        assert writer.stdout
        told += [writer.stdout.readline() for _ in range(lines)]
    for writer in writers:
        writer.kill()
    for writer in writers:
        told += writer.communicate()[0].splitlines(keepends=True)
    return {tuple(line.decode().split()) for line in told if line.endswith(b"\n")}


async def holds(store: Store, told: set[tuple[str, ...]]) -> None:
    """Everything that was acknowledged is there, in whole chains, each id once."""
    there = set()
    for number in range(TABLES):
        entries = await whole(store, f"t{number}")
        verify_chain(entries)
        there |= {(f"t{number}", str(entry.seq), entry.hash) for entry in entries}
        ids = [entry.id for entry in entries if entry.id]
        assert len(set(ids)) == len(ids)
    assert told <= there


async def test_sqlite_survives_being_killed(tmp_path: Path) -> None:
    told: set[tuple[str, ...]] = set()
    for _ in range(3):
        told |= acknowledged_by([started("sqlite", str(tmp_path))], 100)
        store = await SqliteStore.open(tmp_path)
        await holds(store, told)
        await store.close()
    assert len(told) >= 300


async def test_two_servers_on_postgres_survive_being_killed(database: str) -> None:
    told = acknowledged_by([started("postgres", database) for _ in range(2)], 100)
    store = await PostgresStore.open(database)
    await holds(store, told)
    await store.close()
    assert len(told) >= 200


async def test_postgres_itself_may_crash(database: str, postgres: Server) -> None:
    writer = started("postgres", database)
    assert writer.stdout
    told = [writer.stdout.readline() for _ in range(50)]
    postgres.stop("immediate")
    told += acknowledged(writer)
    postgres.start()
    store = await PostgresStore.open(database)
    await holds(store, {tuple(line.decode().split()) for line in told if line.endswith(b"\n")})
    await store.close()


def acknowledged(writer: subprocess.Popen[bytes]) -> list[bytes]:
    writer.kill()
    return writer.communicate()[0].splitlines(keepends=True)


async def test_a_crash_before_or_after_a_commit_in_memory() -> None:
    """The simulated disk: what fails before is not there, what fails after is, unanswered."""
    memory_disk, failing = MemoryDisk(), ["before"]

    async def step(when: str, batch: object) -> None:
        if when in failing:
            raise UnavailableError(f"failed {when}")

    calm = MemoryStore(memory_disk)
    head = await opened(calm)
    store = MemoryStore(memory_disk, step=step)
    request = Append(table="t1", after=head, drafts=[line_draft("a", "1")])
    with pytest.raises(UnavailableError, match="before"):
        await store.append(request)
    assert await calm.head("t1") == head
    failing[:] = ["after"]
    with pytest.raises(UnavailableError, match="after"):
        await store.append(request)
    failing.clear()
    assert isinstance(await store.append(request), DuplicateRequest)


class Failing(apsw.VFS):
    """A disk that can be told to fail: ``sync`` fails to sync, ``write`` to write."""

    def __init__(self) -> None:
        self.fails = ""
        super().__init__("failing", "unix", makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return FailingFile(name, flags, lambda: self.fails)


class FailingFile(apsw.VFSFile):
    """A file on it."""

    def __init__(
        self, name: str | apsw.URIFilename | None, flags: list[int], fails: Callable[[], str]
    ) -> None:
        self._fails = fails
        super().__init__("unix", name, flags)

    def xSync(self, flags: int) -> None:  # noqa: N802
        if self._fails() == "sync":
            raise apsw.IOError("the disk does not sync")
        super().xSync(flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        if self._fails() == "write":
            raise apsw.FullError("the disk is full")
        super().xWrite(data, offset)


@pytest.mark.parametrize("how", ["sync", "write"])
async def test_a_disk_that_fails_under_a_commit(tmp_path: Path, how: str) -> None:
    disk = Failing()
    try:
        store = await SqliteStore.open(tmp_path)
        await opened(store)
        kept = written(await insist(store, "t1", line_draft("a", "1")))
        disk.fails = how
        outcomes = await asyncio.gather(
            *(
                store.append(Append(table="t1", after=kept.head, drafts=[line_draft("b", f"b{n}")]))
                for n in range(3)
            ),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes] == [UnavailableError] * 3
        with pytest.raises(UnavailableError):  # and as long as it fails
            await insist(store, "t1", line_draft("c", "c"))
        disk.fails = ""
        # Whoever asked asks again: it is there once, whether the first attempt stands or not.
        assert isinstance(
            await insist(store, "t1", line_draft("b", "b0")), Appended | DuplicateRequest
        )
        entries = await whole(store, "t1")
        assert verify_chain(entries).seq == len(entries) - 1
        assert [entry.id for entry in entries].count("b0") == 1
        await store.close()
    finally:
        disk.unregister()
