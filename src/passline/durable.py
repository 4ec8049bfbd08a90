"""Writing a file so that a crash leaves the old one or the new one, whole and on the disk."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Put a file in place of what was there, in one step.

    Links are followed and stay links; a file that was there keeps its permissions; a folder, a
    device or a pipe is left alone. OSError where it cannot be done.
    """
    path = real_path(path)
    before = path.stat() if path.exists() else None
    if path.is_dir():
        raise OSError(errno.EISDIR, "it is a folder")
    if before is not None and not path.is_file():
        raise OSError(errno.EINVAL, "it is no plain file")
    half = _draft(path, data, 0o666)
    try:
        if before is not None:
            half.chmod(stat.S_IMODE(before.st_mode))
        half.replace(path)
    except BaseException:
        _drop(half)
        raise
    settle_folder(path.parent)


def create_file(path: Path, data: bytes, mode: int = 0o666) -> bool:
    """Put a file where there is none; False, and nothing touched, where there is one."""
    half = _draft(path, data, mode)
    try:
        os.link(half, path)
    except FileExistsError:
        return False
    finally:
        half.unlink()
    settle_folder(path.parent)
    return True


def settle_folder(folder: Path) -> None:
    """Have a new name, or one that is gone, on the disk too, where the system can be asked."""
    with suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def real_path(path: Path) -> Path:
    """A file by its own place, links followed. OSError where that has no end."""
    try:
        return path.resolve()
    except RuntimeError:  # links in a circle, as older Pythons tell it
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None


def _draft(path: Path, data: bytes, mode: int) -> Path:
    """The whole of it on the disk under another name, never through a link that lay in wait."""
    half = path.with_name(f".{path.name[:40]}.{secrets.token_hex(4)}.new")
    handle = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        _drop(half)
        raise
    return half


def _drop(half: Path) -> None:
    with suppress(OSError):
        half.unlink()
