"""Games on disk: every line is written as it is played, so that nothing is ever lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from passline.durable import real_path, replace_file
from passline.home import folder


class InUseError(Exception):
    """A game that is being played in another window."""


def new_file(rulebook: str) -> Path:
    """A file for a new game, made so that no other game takes it; its name, if it cannot be made.

    Two games that begin in the same second get two files.
    """
    now = f"{datetime.now():%Y-%m-%d-%H%M%S}"
    with suppress(OSError):  # it is told of when the game is to be written
        folder().mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        again = "" if number == 1 else f"-{number}"
        path = folder() / f"{now}{again}-{rulebook}.craps"
        try:
            path.open("x").close()
        except FileExistsError:
            number += 1
            continue
        except OSError:
            pass
        return path


def games(rulebook: str = "") -> Iterator[Path]:
    """The kept games, the one played last first."""
    found: list[tuple[int, Path]] = []
    with suppress(OSError):
        for path in folder().glob(f"*-{rulebook}.craps" if rulebook else "*.craps"):
            with suppress(OSError):  # a link to nowhere, a file gone meanwhile: the others stay
                about = path.stat()
                if about.st_size:  # else a name that was taken, and no game yet
                    found.append((about.st_mtime_ns, path))
    for _, path in sorted(found, reverse=True):
        yield path


def ours(path: Path) -> bool:
    """Whether a file, its links followed, lies where this system's own games are kept."""
    try:
        return real_path(path).parent == real_path(folder())
    except OSError:
        return False


def forget(path: Path) -> None:
    """Take a game off the disk, as far as that can be done."""
    with suppress(OSError):
        path.unlink()


def is_empty(path: Path) -> bool:
    """Whether a file holds nothing: a name that was taken for a game that was never written."""
    try:
        return path.stat().st_size == 0
    except OSError:
        return False


def write(path: Path, text: str) -> None:
    """Put a whole record in place of what was there, in one step."""
    path = real_path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, text.encode())


class Keeper:
    """Writes a game to its file after every line; says so, once, where that cannot be done."""

    def __init__(self, path: Path, tell: Callable[[str], None]) -> None:
        self.path, self.tell = path, tell
        self.failed = False

    def __call__(self, text: str) -> None:
        """Write the text of the game as it stands."""
        try:
            write(self.path, text)
        except OSError as wrong:
            if not self.failed:
                self.tell(f"this game cannot be kept at {self.path}: {wrong.strerror}")
            self.failed = True
            return
        if self.failed:
            self.tell(f"this game is kept again at {self.path}")
        self.failed = False


class Claim:
    """A game's file taken by this process, so that no other window plays it at the same time.

    Held until ``release``, or until the process ends in whatever way. The lock lies beside the
    game: whoever plays there looks for it in the same place. InUseError: somebody else has it.
    """

    def __init__(self, path: Path) -> None:
        with suppress(OSError):
            path = real_path(path)
        self._lock = path.with_name(f".{path.name}.open")
        self._handle = _locked(self._lock)

    def release(self) -> None:
        """Let others have it."""
        if self._handle is not None:
            forget(self._lock)
            os.close(self._handle)
            self._handle = None


def _locked(lock: Path) -> int | None:
    """A hold on a lock's file; None where nobody can hold one, and so nobody is kept out.

    A lock that its last holder takes off the disk just as we get it is none: we try again.
    """
    try:
        import fcntl
    except ImportError:
        return None
    while True:
        try:
            handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        except OSError:
            return None  # nothing can be kept there, so nothing can be taken from anybody
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as wrong:
            os.close(handle)
            if isinstance(wrong, BlockingIOError):
                raise InUseError from None
            return None  # a disk without locks
        with suppress(OSError):
            if os.path.samestat(os.fstat(handle), lock.stat()):
                return handle
        os.close(handle)
