"""Files on the user's disk: where Passline stores its own, and safe ways to read and replace them.

After a crash, a replaced file is entirely the old one or the new one. Reading is limited in size,
and every problem is reported as one clear line.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from passline.text import escape_unprintable

#: Windows locks a range of bytes. This one is beyond the end of every file that is locked.
_LOCKED_BYTE = 2**30


def home_folder() -> Path:
    """Return the folder for saved games and logs.

    The environment variable ``PASSLINE_HOME`` names it. The default is ``passline`` in
    ``XDG_STATE_HOME``, or in ``~/.local/state``. Raise RuntimeError if there is no home folder.
    """
    chosen = os.environ.get("PASSLINE_HOME")
    if chosen:
        return Path(chosen).expanduser()
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(state) / "passline"


def cache_folder() -> Path | None:
    """Return the folder for files that can be computed again, or None if caching is off.

    The environment variable ``PASSLINE_CACHE`` names the folder, or is ``off``. The default is the
    system's usual place for caches.
    """
    chosen = os.environ.get("PASSLINE_CACHE")
    if chosen:
        return None if chosen.lower() == "off" else Path(chosen)
    usual = {"win32": os.environ.get("LOCALAPPDATA", ""), "darwin": "~/Library/Caches"}
    own = os.environ.get("XDG_CACHE_HOME") or usual.get(sys.platform) or "~/.cache"
    try:
        return Path(own).expanduser() / "passline"
    except RuntimeError:  # There is no home folder.
        return None


def replace_file(path: Path, data: bytes) -> None:
    """Replace a file, or create it, in one step.

    Links are followed and stay links. An existing file keeps its permissions. Raise OSError on
    failure, and if the path is a folder, a device or a pipe.
    """
    path = real_path(path)
    before = path.stat() if path.exists() else None
    if path.is_dir():
        raise OSError(errno.EISDIR, "it is a folder")
    if before is not None and not path.is_file():
        raise OSError(errno.EINVAL, "it is no plain file")
    half = _write_draft(path, data, 0o666)
    try:
        if before is not None:
            half.chmod(stat.S_IMODE(before.st_mode))
        half.replace(path)
    except BaseException:
        with suppress(OSError):
            half.unlink()
        raise
    sync_folder(path.parent)


def create_file(path: Path, data: bytes, mode: int = 0o666) -> bool:
    """Create a file, with the permissions ``mode``, and return True. May raise OSError.

    If it exists already, change nothing and return False.
    """
    half = _write_draft(path, data, mode)
    try:
        os.link(half, path)
    except FileExistsError:
        return False
    finally:
        half.unlink()
    sync_folder(path.parent)
    return True


def make_private_folder(folder: Path) -> None:
    """Create a folder and its missing parents, open to their owner only. May raise OSError."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(exist_ok=True, mode=0o700)


def sync_folder(folder: Path) -> None:
    """Make sure that files created or renamed in a folder survive a crash, where possible."""
    with suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def lock_file(handle: int, *, shared: bool = False, wait: bool = True) -> None:
    """Lock an open file until it is closed: exclusively, or ``shared`` with other readers.

    ``handle`` is its file descriptor. Wait until it is free, or raise BlockingIOError with
    ``wait=False``. On Windows a shared lock is an exclusive one. Raise OSError on a file system
    without locks.
    """
    if sys.platform == "win32":
        import msvcrt

        while True:
            position = os.lseek(handle, 0, os.SEEK_CUR)
            os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
                return
            except OSError as error:
                if error.errno not in {errno.EACCES, errno.EDEADLK}:
                    raise
                if not wait:
                    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from None
                time.sleep(0.05)
            finally:
                os.lseek(handle, position, os.SEEK_SET)
    else:
        import fcntl

        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        fcntl.flock(handle, kind if wait else kind | fcntl.LOCK_NB)


def real_path(path: Path) -> Path:
    """Return a path with all links followed. Raise OSError if the links form a loop."""
    try:
        return path.resolve()
    except RuntimeError:  # Older Pythons raise RuntimeError for a loop of symbolic links.
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None


def _write_draft(path: Path, data: bytes, mode: int) -> Path:
    """Write the data to a new file beside the target and return that file's path.

    ``mode`` is the permissions of the new file. Links are never followed.
    """
    half = path.with_name(f".{path.name[:40]}.{secrets.token_hex(4)}.new")
    handle = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        with suppress(OSError):
            half.unlink()
        raise
    return half


_MAX_PATH_LENGTH = 200  # The most characters of a path that a message repeats.


class UnreadableError(ValueError):
    """A file cannot be read; the message is one line that says which file and why."""


@contextmanager
def open_file(path: str | Path, what: str, *, plain: bool = True) -> Iterator[IO[bytes]]:
    """Yield a file opened for reading. ``what`` names the kind of file in error messages.

    ``plain`` accepts only a regular file: a pipe or a device could make the reader wait forever.
    Raise UnreadableError if it cannot be opened, and for any OSError in the ``with`` block.
    """
    try:
        with open_bytes(path, what, plain=plain) as file:
            yield file
    except OSError as error:
        raise _make_unreadable_error(Path(path), error) from None


def open_bytes(path: str | Path, what: str, *, plain: bool = True) -> IO[bytes]:
    """Return a file opened for reading in binary mode. The caller must close it.

    The arguments are those of ``open_file``. Raise UnreadableError if it cannot be opened.
    """
    path = Path(path)
    try:
        folder, other = path.is_dir(), plain and path.exists() and not path.is_file()
        if not folder and not other:
            return path.open("rb")
    except FileNotFoundError:
        raise UnreadableError(f"there is no {what} {show_path(path)}") from None
    except (OSError, ValueError) as error:  # ValueError: the path contains a zero byte.
        raise _make_unreadable_error(path, error) from None
    kind = "a folder" if folder else "no plain file"
    raise UnreadableError(f"{show_path(path)} is {kind}: expected a {what}")


def _make_unreadable_error(path: Path, error: Exception) -> UnreadableError:
    why = getattr(error, "strerror", None) or str(error)
    return UnreadableError(f"{str(path)[:_MAX_PATH_LENGTH]!r} cannot be read: {why}")


def read_file(path: str | Path, what: str, most: int, *, plain: bool = True) -> bytes:
    """Return the bytes of a file. ``what`` names the kind of file in error messages.

    Raise UnreadableError if it cannot be read or has more than ``most`` bytes.

    >>> read_file("/gone.toml", "house-rules file", 100)
    Traceback (most recent call last):
    passline.files.UnreadableError: there is no house-rules file /gone.toml
    """
    with open_file(path, what, plain=plain) as file:
        data = file.read(most + 1)
    if len(data) > most:
        size = f"{most // 1_000_000:,} MB" if most >= 1_000_000 else f"{most:,} bytes"
        raise UnreadableError(f"{show_path(path)} is over {size}: too large for a {what}")
    return data


def read_text(path: str | Path, what: str, most: int, *, plain: bool = True) -> str:
    """Return the text of a UTF-8 file. ``what`` names the kind of file in error messages.

    Raise UnreadableError if it cannot be read, has more than ``most`` bytes or is not UTF-8.
    """
    try:
        return read_file(path, what, most, plain=plain).decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableError(f"{show_path(path)} is not UTF-8 text: expected a {what}") from None


def show_path(path: str | Path) -> str:
    """Return a path for a message: on one line, with control characters escaped.

    >>> show_path("game.craps"), show_path("a\\x1b[2Jb")
    ('game.craps', 'a\\\\x1b[2Jb')
    """
    text = str(path)
    cut = text[:_MAX_PATH_LENGTH] + "..." if len(text) > _MAX_PATH_LENGTH else text
    return escape_unprintable(cut)
