"""The file of a backup: gzip-compressed JSON lines with a checksum at the end.

The first line names the format. Each further line is a row (see `backup_rows`) with its bytes in
base64. The last has the number of rows and the SHA-256 of everything before it, so a file that was
cut short or changed is not restored.
"""

from __future__ import annotations

import gzip
import os
import secrets
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from passline.files import sync_folder
from passline.game.words.log import say_log
from passline.live.backup_rows import LIVE_COLUMNS, SCHOOL_COLUMNS, BackupRow
from passline.live.store import StoreError
from passline.version import VERSION

_FORMAT: Final = 1
_COLUMNS: Final = {**LIVE_COLUMNS, **SCHOOL_COLUMNS}
_MAX_LINE: Final = 64 * 1024 * 1024


class BackupError(StoreError):
    """The file is not a whole backup, or it cannot be written. The message says why."""


def write_backup(path: Path, rows: Iterable[BackupRow], *, replace: bool = False) -> dict[str, int]:
    """Write a backup that only its owner can read. Return how many rows of each table it has.

    The file appears whole or not at all. Raise BackupError if it cannot be written, or if it exists
    and ``replace`` is false.
    """
    half = path.with_name(f".{path.name[:40]}.{secrets.token_hex(4)}.new")
    try:
        handle = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "wb") as raw:
                with gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
                    counts = _write_rows(file, rows)
                raw.flush()
                os.fsync(raw.fileno())
            if replace:
                half.replace(path)
            else:
                os.link(half, path)
        finally:
            with suppress(FileNotFoundError):
                half.unlink()
        sync_folder(path.parent)
    except OSError as wrong:
        raise BackupError(f"{path}: {wrong.strerror or wrong}") from None
    return counts


def _write_rows(file: gzip.GzipFile, rows: Iterable[BackupRow]) -> dict[str, int]:
    counts: dict[str, int] = {}
    digest = sha256()

    def write(line: Any) -> None:
        data = msgspec.json.encode(line) + b"\n"
        digest.update(data)
        file.write(data)

    write({"passline-backup": _FORMAT, "version": VERSION})
    for row in rows:
        counts[row[0]] = counts.get(row[0], 0) + 1
        write(row)
    write({"rows": sum(counts.values()), "sha256": digest.hexdigest()})
    return counts


def read_backup(path: Path) -> Iterator[BackupRow]:
    """Yield the rows of a backup. Raise BackupError if it is no backup, damaged or cut short.

    The checksum is at the end. So read the whole backup a first time before you write any row of
    it.
    """
    try:
        with gzip.open(path, "rb") as file:
            digest, count = sha256(), 0
            header = _decode_line(path, file.readline(_MAX_LINE))
            if not isinstance(header, dict) or header.get("passline-backup") != _FORMAT:
                raise BackupError(say_log("backup-foreign", path=path))
            digest.update(msgspec.json.encode(header) + b"\n")
            while line := file.readline(_MAX_LINE):
                row = _decode_line(path, line)
                if isinstance(row, dict):
                    if row != {"rows": count, "sha256": digest.hexdigest()} or file.read(1):
                        break
                    return
                digest.update(line)
                count += 1
                yield _decode_bytes(path, row)
    except (OSError, EOFError, zlib.error) as wrong:
        if isinstance(wrong, gzip.BadGzipFile):
            raise BackupError(say_log("backup-foreign", path=path)) from None
        error = wrong.strerror if isinstance(wrong, OSError) and wrong.strerror else "cut short"
        raise BackupError(f"{path}: {error}") from None
    raise BackupError(say_log("backup-damaged", path=path))


def _decode_line(path: Path, line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BackupError(say_log("backup-damaged", path=path)) from None


def _decode_bytes(path: Path, row: Any) -> BackupRow:
    """Return a row of a backup with its base64 columns decoded to bytes.

    Raise BackupError if ``row`` is not a row of a known table.
    """
    columns = _COLUMNS.get(row[0]) if isinstance(row, list) and row else None
    if columns is None or len(row) != len(columns) + 1:
        raise BackupError(say_log("backup-damaged", path=path))
    try:
        decoded = [
            msgspec.convert(value, bytes) if binary and value is not None else value
            for value, binary in zip(row[1:], columns.values(), strict=True)
        ]
    except msgspec.ValidationError:
        raise BackupError(say_log("backup-damaged", path=path)) from None
    return [row[0], *decoded]
