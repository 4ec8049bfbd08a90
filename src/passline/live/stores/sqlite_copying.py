"""The write-ahead log copied into its file, beside those who write.

SQLite would copy within somebody's commit, and nobody is answered meanwhile: 30 to 80 ms, every
three seconds of a thousand lines a second. Another connection copies here, in a thread of its own;
commits go on. What goes wrong loses nothing: the log stands, and is copied the next time.
"""

from __future__ import annotations

from asyncio import CancelledError, Future, get_running_loop
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Final

import apsw

from passline.live.appends import StoreError
from passline.live.stores.sqlite_schema import connected

#: Entries after which the log is copied.
EVERY: Final = 1000
#: The first pass copies nearly all; the second the little that came meanwhile, so that who commits
#: next finds all of it copied, and begins the log anew. Else it would grow as long as people play.
_PASSES: Final = 2


class WalCopier:
    """Copies the log of one file, once enough was written."""

    def __init__(self, file: Path, patience: int) -> None:
        self._file, self._patience = file, patience
        self._thread = ThreadPoolExecutor(1, "passline-copy")
        self._connection: apsw.Connection | None = None
        self._copying: Future[None] | None = None
        self._written = 0

    def wrote(self, entries: int) -> None:
        """There are so many entries more in the log."""
        self._written += entries
        if self._written >= EVERY and (self._copying is None or self._copying.done()):
            self._written = 0
            self._copying = get_running_loop().run_in_executor(self._thread, self.copy)

    def copy(self) -> None:
        """Copy what nobody reads or writes at this moment."""
        try:
            if self._connection is None:
                self._connection = connected(self._file, self._patience)
            for _ in range(_PASSES):
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except (apsw.Error, StoreError):
            self.let_go()

    def let_go(self) -> None:
        """Close the connection; the next copy opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(apsw.Error):
                connection.close(force=True)

    async def close(self) -> None:
        """Finish, and let go."""
        if self._copying is not None:
            with suppress(CancelledError):
                await self._copying
        await get_running_loop().run_in_executor(self._thread, self.let_go)
        self._thread.shutdown(wait=False)
