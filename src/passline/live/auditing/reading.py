"""Reading a log from outside: bounded lines, each an entry with the bytes that its hash covers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import IO, Final, NoReturn

import msgspec

from passline.live.appends import StoredRow
from passline.live.auditing.findings import WrongError
from passline.live.entries import Entry, EntryError, canonical, entry_of, read_entry

#: No entry is longer than this, in bytes: a throw at a full table is a hundredth of it.
LONGEST: Final = 16 * 1024 * 1024
_MARK: Final = b"\xef\xbb\xbf"  # some editors begin a file with it
_SORTED = msgspec.json.Encoder(order="deterministic")
_YEARS: Final = range(1970, 9999)
#: What may be a number of 2^53 or more; it may also stand in a text.
_LARGE = re.compile(rb"[:\[,]-?\d{16}")


def _refused(number: str) -> NoReturn:
    raise ValueError(f"{number} is no whole number")


_DECODER = msgspec.json.Decoder(float_hook=_refused)


def lines_in(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a log, without their ends; empty ones are left out. WrongError where one is
    longer than any entry."""
    lead = _MARK
    while line := file.readline(LONGEST + 1):
        if len(line) > LONGEST:
            raise WrongError(f"a line of more than {LONGEST // 2**20} MiB is no entry")
        line = line.removeprefix(lead).strip(b" \t\r\n")
        lead = b""
        if line:
            yield line


def entry_in(line: bytes) -> tuple[Entry, bytes]:
    """An entry from a line of a log, in any spelling of its JSON, and its canonical bytes.
    WrongError where it is none."""
    try:
        fields = _DECODER.decode(line)
        if isinstance(fields, dict) and isinstance(fields.get("hash"), str):
            told = fields.pop("hash")
            body = _SORTED.encode(fields)
            # As it is written, mostly: nothing stands twice in it, and the bytes are at hand.
            if line.replace(b',"hash":' + _SORTED.encode(told), b"", 1) == body:
                fields["hash"] = told
                return _timed(entry_of(fields)), _exact(fields, body)
        entry = read_entry(line)
        return _timed(entry), entry.body()
    except (EntryError, msgspec.MsgspecError, UnicodeError) as wrong:
        raise WrongError(_plainly(wrong)) from None
    except RecursionError:
        raise WrongError("nested too deeply") from None


def entry_in_row(row: StoredRow) -> tuple[Entry, bytes]:
    """An entry from a store's row, as it lies there. WrongError where it is none."""
    told, body = row
    try:
        fields = _DECODER.decode(body)
        if not isinstance(fields, dict) or "hash" in fields:
            raise WrongError("what the store holds is no entry")
        if canonical(fields) != body:
            raise WrongError("it is not written as the store writes")
        return _timed(entry_of({**fields, "hash": told})), bytes(body)
    except (EntryError, msgspec.MsgspecError, UnicodeError) as wrong:
        raise WrongError(_plainly(wrong)) from None
    except RecursionError:
        raise WrongError("nested too deeply") from None


def _exact(fields: dict[str, object], body: bytes) -> bytes:
    """The same bytes, every number in them whole and below 2^53."""
    if _LARGE.search(body):
        canonical(fields)
    return body


def _timed(entry: Entry) -> Entry:
    try:
        told = datetime.fromisoformat(entry.at).year in _YEARS
    except ValueError:
        told = False
    if not told:
        raise WrongError(f"at is no time of a table: {entry.at!r}")
    return entry


def _plainly(wrong: Exception) -> str:
    if isinstance(wrong, EntryError):
        return str(wrong)[:200]
    return f"no JSON: {wrong}"[:200]
