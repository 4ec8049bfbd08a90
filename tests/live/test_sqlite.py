"""What only the SQLite store has to hold: its folder, its file, and a disk that fails."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import sys
import threading
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from passline.live.hash_chain import verify_chain
from passline.live.store import (
    Append,
    Appended,
    CorruptStoreError,
    Snapshot,
    StoreLockedError,
    UnavailableError,
    UnusableError,
)
from passline.live.stores import sqlite
from passline.live.stores.open_store import open_store
from passline.live.stores.sqlite import SqliteStore
from tests.live.helpers import insist, line_draft, opened, whole, written

pytestmark = pytest.mark.anyio


async def test_what_was_written_is_there_when_opened_again(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "a" / "live")
    await opened(store)
    entry = written(await insist(store, "t1", line_draft("roll", "1")))
    await store.close()
    again = await SqliteStore.open(tmp_path / "a" / "live")
    assert await again.head("t1") == entry.head
    assert (await again.read("t1"))[-1] == entry
    await again.close()


async def test_a_commit_is_synced_in_full(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    await opened(store)
    assert store._writes is not None
    assert store._writes.pragma("journal_mode") == "wal"
    assert store._writes.pragma("synchronous") == 2
    assert apsw.sqlite_lib_version() >= "3.51.3"  # free of the write-ahead log's known bug
    await store.close()


async def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = await SqliteStore.open(tmp_path / "live")
        await opened(store)
        modes = {path: stat.S_IMODE(path.stat().st_mode) for path in store.file.parent.iterdir()}
    finally:
        os.umask(before)
    assert len(modes) == 4  # the file, its log, its index, the lock
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(store.file.parent.stat().st_mode) == 0o700
    await store.close()


async def test_a_store_is_opened_by_its_place(tmp_path: Path) -> None:
    store = await open_store(tmp_path)
    assert isinstance(store, SqliteStore)
    await store.close()
    with pytest.raises(UnusableError):
        await open_store(database="no address at all")
    with pytest.raises(ValueError, match="folder"):
        await open_store()


async def test_a_second_server_is_told(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    await opened(store)
    with pytest.raises(StoreLockedError, match="another server"):
        await SqliteStore.open(tmp_path)
    looking = await SqliteStore.open(tmp_path, read_only=True)
    await insist(store, "t1", line_draft("a"))
    assert len(await looking.read("t1")) == 2
    with pytest.raises(UnavailableError):
        await insist(looking, "t1", line_draft("b"))
    await looking.close()
    await store.close()
    await (await SqliteStore.open(tmp_path)).close()


async def test_what_is_no_store_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(UnusableError):
        await SqliteStore.open(tmp_path / "nothing", read_only=True)
    file = tmp_path / sqlite.DATABASE_FILE
    file.write_bytes(b"some other file, quite long enough to be one" * 100)
    with pytest.raises(UnusableError):
        await SqliteStore.open(tmp_path)
    assert file.read_bytes().startswith(b"some other")
    file.unlink()
    other = apsw.Connection(str(file))
    other.execute("CREATE TABLE theirs (x)")
    other.close()
    held = file.read_bytes()
    with pytest.raises(UnusableError, match="not a file of Passline tables"):
        await SqliteStore.open(tmp_path)
    assert file.read_bytes() == held
    with pytest.raises(UnusableError):
        await SqliteStore.open(file)  # a folder it is not


async def test_schemas_migrate_and_later_ones_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqliteStore.open(tmp_path)
    await opened(store)
    await store.close()
    step = "ALTER TABLE tables ADD COLUMN note TEXT NOT NULL DEFAULT 'new'"
    with monkeypatch.context() as later:
        later.setattr(sqlite, "MIGRATIONS", (*sqlite.MIGRATIONS, step))
        store = await SqliteStore.open(tmp_path)
        assert await store._query("SELECT note FROM tables") == [("new",)]
        assert len(await store.read("t1")) == 1
        await store.close()
    for read_only in (False, True):
        with pytest.raises(UnusableError, match="later version"):
            await SqliteStore.open(tmp_path, read_only=read_only)


async def test_a_step_that_fails_leaves_the_version_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await SqliteStore.open(tmp_path)).close()
    bad = "ALTER TABLE tables ADD COLUMN note TEXT; SELECT no_such_column FROM tables;"
    with monkeypatch.context() as later:
        later.setattr(sqlite, "MIGRATIONS", (*sqlite.MIGRATIONS, bad))
        with pytest.raises(UnusableError):
            await SqliteStore.open(tmp_path)
    store = await SqliteStore.open(tmp_path)
    assert isinstance(await store.create("t1", line_draft("")), Appended)
    await store.close()


async def test_a_full_disk_is_told_and_got_over(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    head = await opened(store)
    assert store._writes is not None
    store._writes.pragma("max_page_count", store._writes.pragma("page_count"))
    large = [Append(table="t1", after=head, drafts=[line_draft("x" * 100_000, "1")])]
    small = [Append(table="t2", after=head, drafts=[line_draft("a", "2")])]
    outcomes = await asyncio.gather(
        *(store.append(append) for append in large + small), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes] == [UnavailableError] * 2
    assert "full" in str(outcomes[0])
    assert await store.head("t1") == head  # reading goes on
    assert isinstance(await insist(store, "t1", line_draft("x" * 100_000, "1")), Appended)
    await store.close()


async def test_a_disk_with_room_for_little_is_full(tmp_path: Path) -> None:
    """A row of some bytes may still fit where no entry does."""
    store = await SqliteStore.open(tmp_path)
    await opened(store, "t1")

    def fill() -> None:
        pages = int(str(store._writable().pragma("page_count")))
        store._writable().pragma("max_page_count", pages + 1)

    await store._run_in(store._writing, fill)
    with pytest.raises(UnavailableError, match="full"):
        await store.check_writable()
    await store.check_writable()  # The connection is another one, without that limit.
    await store.close()


async def test_a_locked_file_is_told_and_got_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_MS", 50)
    store = await SqliteStore.open(tmp_path)
    await opened(store)
    other = apsw.Connection(str(store.file))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(UnavailableError, match="locked"):
        await insist(store, "t1", line_draft("a"))
    other.execute("ROLLBACK")
    other.close()
    assert isinstance(await insist(store, "t1", line_draft("a")), Appended)
    await store.close()


async def filled(folder: Path, lines: int = 200) -> list[bytes]:
    """A store with one table of some length, closed; its entries."""
    store = await SqliteStore.open(folder)
    await opened(store)
    for number in range(lines):
        await insist(store, "t1", line_draft(f"place 6 for {number}", f"i{number}"))
    texts = [entry.text() for entry in await whole(store, "t1")]
    await store.close()
    return texts


@pytest.mark.parametrize("seed", range(12))
async def test_a_damaged_file_never_gives_a_wrong_answer(tmp_path: Path, seed: int) -> None:
    """Pages overwritten here and there: what is read is what was written, or an error."""
    texts = await filled(tmp_path, 60)
    file = tmp_path / sqlite.DATABASE_FILE
    content = bytearray(file.read_bytes())
    start = 4096 + (seed * 7919 * 13) % (len(content) - 4096 - 64)
    content[start : start + 64] = bytes((seed * 31 + n) % 256 for n in range(64))
    file.write_bytes(content)
    try:
        store = await SqliteStore.open(tmp_path, read_only=True)
    except UnusableError:
        return
    got = []
    with suppress(CorruptStoreError):
        got = [entry.text() for entry in await whole(store, "t1")]
    assert got in ([], texts)
    await store.close()


async def test_one_changed_byte_in_an_entry_is_found(tmp_path: Path) -> None:
    await filled(tmp_path, 20)
    file = tmp_path / sqlite.DATABASE_FILE
    file.write_bytes(file.read_bytes().replace(b"place 6 for 13", b"place 6 for 93"))
    store = await SqliteStore.open(tmp_path)
    with pytest.raises(CorruptStoreError, match="is damaged"):
        await store.read("t1")
    assert len(await store.read("t1", 14)) == 6  # what is whole can be read
    assert await store.find("t1", "player", "ann", "i3") is not None
    with pytest.raises(CorruptStoreError):
        await store.find("t1", "player", "ann", "i13")
    head = await store.head("t1")
    assert head is not None
    requests = [
        Append(table="t1", after=head, drafts=[line_draft("x", name)]) for name in ("i13", "j")
    ]
    outcomes = await asyncio.gather(*map(store.append, requests), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [CorruptStoreError, Appended]
    await store.close()


async def test_rows_that_are_gone_are_missed(tmp_path: Path) -> None:
    await filled(tmp_path, 20)
    other = apsw.Connection(str(tmp_path / sqlite.DATABASE_FILE))
    other.execute("DELETE FROM entries WHERE seq = 7")
    other.execute("UPDATE tables SET settings = x'00'")
    other.close()
    store = await SqliteStore.open(tmp_path)
    with pytest.raises(CorruptStoreError, match="entry 7 "):
        await store.read("t1")
    with pytest.raises(CorruptStoreError, match="entry 7 "):
        await store.read("t1", 6)
    with pytest.raises(CorruptStoreError, match="its listing is damaged"):
        await store.table("t1")
    assert (await store.tables(), await store.ids()) == ([], ["t1"])  # it hides no other
    await store.close()


async def test_a_torn_log_ends_before_the_tear(tmp_path: Path) -> None:
    """The machine dies while it writes: what was not synced may be there in part."""
    store = await SqliteStore.open(tmp_path / "one")
    await opened(store)
    for number in range(5):
        await insist(store, "t1", line_draft("a", f"i{number}"))
    texts = [entry.text() for entry in await whole(store, "t1")]
    (tmp_path / "two").mkdir()
    for name in (sqlite.DATABASE_FILE, f"{sqlite.DATABASE_FILE}-wal"):
        (tmp_path / "two" / name).write_bytes((tmp_path / "one" / name).read_bytes())
    await store.close()
    log = tmp_path / "two" / f"{sqlite.DATABASE_FILE}-wal"
    log.write_bytes(log.read_bytes()[:-1000])
    torn = await SqliteStore.open(tmp_path / "two")
    got = await whole(torn, "t1")
    assert [entry.text() for entry in got] == texts[:-1]
    assert isinstance(await insist(torn, "t1", line_draft("b", "i4")), Appended)
    verify_chain(await whole(torn, "t1"))
    await torn.close()


async def test_a_snapshot_that_was_damaged_is_gone(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    await store.save_snapshots(Snapshot("t1", "view", 3, b"as it was"))
    other = apsw.Connection(str(store.file))
    other.execute("UPDATE snapshots SET data = substr(data, 1, 40)")
    other.close()
    assert await store.snapshot("t1", "view") is None
    assert await store.snapshots("view") == []
    await store.close()


async def test_it_closes_with_its_threads_and_its_clock_is_the_one_given(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path, clock=lambda: datetime(2026, 1, 2, tzinfo=UTC))
    head = await opened(store)
    assert head.at == await store.now() == "2026-01-02T00:00:00.000000Z"
    late = Append(table="t1", after=head, drafts=[line_draft("b")])
    taken = asyncio.create_task(store.append(late))
    await asyncio.sleep(0)
    await store.close()
    assert isinstance(await taken, Appended)  # taken before it closed, so finished
    with pytest.raises(UnavailableError, match="closed"):
        await store.create("t2", line_draft(""))
    await asyncio.sleep(0.1)
    assert not [thread for thread in threading.enumerate() if "passline" in thread.name]


async def test_the_log_is_copied_beside_the_commits_and_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "CHECKPOINT_INTERVAL", 20)
    store = await SqliteStore.open(tmp_path)
    await opened(store)
    for number in range(200):
        written(await insist(store, "t1", line_draft("pass for 10", str(number))))
    for number in range(200, 260):  # a busy machine may not have come to copy before
        await insist(store, "t1", line_draft("pass for 10", str(number)))
        copying = store._checkpointer._copying
        assert copying is not None
        await copying
    assert store._writes is not None
    await insist(store, "t1", line_draft("pass for 10", "last"))
    pages, copied = store._writes.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
    assert 0 < copied <= pages < 200  # as it grew, it would hold four pages an entry
    await store.close()
    assert not (tmp_path / "live.sqlite-wal").exists()


async def test_a_copy_that_fails_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "CHECKPOINT_INTERVAL", 1)

    def fails(*_: object) -> None:
        raise apsw.IOError("the disk does not take it")

    store = await SqliteStore.open(tmp_path)
    monkeypatch.setattr(sqlite, "connect_file", fails)
    await opened(store)
    entry = written(await insist(store, "t1", line_draft("roll", "1")))
    await store.close()
    again = await SqliteStore.open(tmp_path, read_only=True)
    assert await again.head("t1") == entry.head
    await again.close()


_LOOK = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
print(db.execute("SELECT max(seq) FROM entries").fetchone()[0])
db.close()
"""


def seen_by_another(file: Path) -> int:
    """The last entry that another program finds there: it opens the file, reads, and closes."""
    run = subprocess.run(
        (sys.executable, "-c", _LOOK, str(file)), capture_output=True, text=True, check=True
    )
    return int(run.stdout)


async def test_another_program_that_looks_on_takes_no_log_away(tmp_path: Path) -> None:
    """Whoever closes the file last tidies its log away. The copier's connection, or a writer's
    after an error, must not make others believe that it is them."""
    store = await SqliteStore.open(tmp_path)
    await opened(store)
    store._checkpointer.copy()
    assert seen_by_another(store.file) == 0
    store._drop(store._writing)
    await insist(store, "t1", line_draft("roll", "1"))
    assert seen_by_another(store.file) == 1
    await insist(store, "t1", line_draft("roll", "2"))
    assert seen_by_another(store.file) == 2  # from the log that the store wrote to, not another
    await store.close()
