"""SQLite on a simulated disk: what was written and not synced may be lost, or half lost, at a kill.

The files lie in memory (``/dev/shm``), written through as they would be to the system's cache. What
is on the disk is a second copy of each, brought up to date by a sync and by nothing else. A kill
here is a power cut: each write since the last sync stays, goes, or is torn in the middle.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import apsw

from passline.live.log_entries import Entry
from passline.live.store import AppendOutcome, StampedAppend, Store
from passline.live.stores.sqlite import SqliteStore
from tests.simulated.clock import SERVER, numbered

if TYPE_CHECKING:
    from tests.simulated.servers import Server
    from tests.simulated.world import World

_SECTOR = 512
_NAME = "simulated"


class OnDisk:
    """One file: its bytes as of the last sync, and what was done to it since."""

    def __init__(self, data: bytes) -> None:
        self.synced = bytearray(data)
        #: Writes (where, what), and new lengths (where, None).
        self.since: list[tuple[int, bytes | None]] = []

    def sync(self) -> None:
        """Everything that was done is on the disk."""
        for where, what in self.since:
            write_at(self.synced, where, what)
        self.since.clear()

    def after_power_cut(self, chance: Random) -> bytes:
        """What the disk holds when the power comes back."""
        mode = chance.choice(("none", "all", "some"))
        for where, what in self.since:
            if mode == "none" or (mode == "some" and chance.random() < 0.5):
                continue
            if mode == "some" and what is not None and chance.random() < 0.3:
                what = what[: chance.randrange(0, len(what) + 1, _SECTOR)]
            write_at(self.synced, where, what)
        self.since.clear()
        return bytes(self.synced)


def write_at(data: bytearray, where: int, what: bytes | None) -> None:
    if what is None:
        del data[where:]
        return
    if len(data) < where:
        data.extend(bytes(where - len(data)))
    data[where : where + len(what)] = what


class Files(apsw.VFS):
    """The simulated disk, as SQLite sees it."""

    def __init__(self) -> None:
        super().__init__(_NAME, "unix", makedefault=True)
        self.files: dict[str, OnDisk] = {}
        self.off = self.full = self.unsynced = False
        #: How much is still done before the power goes; -1: it does not go.
        self.left = -1

    def goes_off(self) -> bool:
        """Whether the power is gone, one more piece of work later."""
        if self.left == 0:
            self.off = True
        self.left -= self.left > 0
        return self.off

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        if path not in self.files:
            there = Path(path)
            self.files[path] = OnDisk(there.read_bytes() if there.exists() else b"")
        return File(self, self.files[path], name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        if not self.goes_off():
            self.files.pop(filename, None)
            super().xDelete(filename, syncdir)


class File(apsw.VFSFile):
    """One of its files, open."""

    def __init__(
        self, disk: Files, file: OnDisk, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        self._disk, self._file = disk, file
        super().__init__("unix", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        if self._disk.goes_off():
            return
        if self._disk.full:
            raise apsw.FullError("the disk is full")
        self._file.since.append((offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        if not self._disk.goes_off():
            self._file.since.append((newsize, None))
            super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        if self._disk.goes_off():
            return
        if self._disk.unsynced:
            raise apsw.IOError("the disk does not sync")
        self._file.sync()


class FaultyStore(SqliteStore):
    """The store of a server, and the faults that the plan has."""

    disk: SqliteDisk

    def __init__(self, folder: Path, read_only: bool, clock: Callable[[], datetime]) -> None:
        super().__init__(folder, read_only, clock)
        self.server = SERVER.get()
        if self.server is not None:
            self.disk.stores[self.server] = self

    def _write(
        self, ready: Sequence[StampedAppend], together: Sequence[StampedAppend], rows: str
    ) -> list[AppendOutcome | Exception]:
        disk, server, files = self.disk, self.server, self.disk.files
        assert server is not None
        world, chance = disk.world, disk.chance
        files.full = disk.full or world.strikes("refuse", chance)
        files.unsynced = world.strikes("doubt", chance)
        dies = world.strikes("die_before", chance)
        files.left = chance.randrange(12) if dies else -1
        if dies or world.strikes("die_after", chance):
            world.loop.call_soon(server.kill, "dies over a commit")
        try:
            outcomes = super()._write(ready, together, rows)
        finally:
            files.full = files.unsynced = False
        for one, outcome in zip(ready, outcomes, strict=True):
            told, table = [e.seq for e in getattr(outcome, "entries", ())], one.append.table
            world.note(f"{server.name} writes {table}: {type(outcome).__name__} {told}")
        return outcomes

    def let_go(self) -> None:
        """The process is gone: its files are closed, and nothing more is written."""
        for connection in (self._writes, self._reads):
            if connection is not None:
                with suppress(apsw.Error):  # it cannot tidy up any more
                    connection.close(force=True)
        self._checkpointer.disconnect()
        self._writes = self._reads = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class SqliteDisk:
    """A folder on it: one server at a time."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.chance = world.chance("disk")
        place = "/dev/shm" if os.path.isdir("/dev/shm") else None
        self._place = Path(tempfile.mkdtemp(prefix="passline-faults-", dir=place))
        self._cuts = numbered()
        self.folder = self._place / "0"
        self.files = Files()
        self.full = False
        self.stores: dict[Server, FaultyStore] = {}

        class OnThisDisk(FaultyStore):
            disk = self

        self._kind = OnThisDisk

    async def opened(self, server: Server) -> Store:
        return await self._kind.open(self.folder, clock=server.clock.now)

    def died(self, server: Server) -> None:
        store = self.stores.pop(server, None)
        if store is None:
            return
        self.files.off = True
        store.let_go()
        self.files.off, self.files.left = False, -1
        # The next server finds other files: nothing that this process still knows of the old ones
        # (their locks, their shared memory) is carried over a power cut.
        held = {Path(name).name: file for name, file in self.files.files.items()}
        self.files.files.clear()
        self.folder = self._place / str(next(self._cuts))
        self.folder.mkdir(mode=0o700)
        for name, file in held.items():
            path, data = self.folder / name, file.after_power_cut(self.chance)
            path.write_bytes(data)
            self.files.files[str(path)] = OnDisk(data)

    async def logs(self) -> dict[str, list[Entry]]:
        store = await SqliteStore.open(self.folder, read_only=True)
        try:
            names = [listing.table for listing in await store.tables()]
            return {table: [entry async for entry in store.log(table)] for table in names}
        finally:
            await store.close()

    def close(self) -> None:
        self.files.unregister()
        shutil.rmtree(self._place, ignore_errors=True)
