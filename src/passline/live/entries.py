"""Log entries: what stands in one, its canonical bytes, its hash, and the chain that they make.

An entry's hash is the SHA-256 of its other fields as canonical JSON: keys sorted, no white space,
nothing escaped that need not be, UTF-8, numbers whole and below 2^53. Each entry holds the hash of
the one before it, so whoever holds the last hash holds the whole log.

What the engine made of a line (``events``) and fields that this version does not know are kept as
they are: a log of any version reads, verifies and writes back byte for byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Struct

#: A JSON value: None, bool, int, str, a list or a dict of them.
Json = Any
#: An object of it.
JsonObject = dict[str, Any]

#: Whole numbers that every reader of JSON holds exactly lie below this.
JSON_INT_LIMIT: Final = 2**53

_CANONICAL_ENCODER = msgspec.json.Encoder(order="deterministic")
_TIME_PATTERN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
_HASH_PATTERN = re.compile(r"[0-9a-f]{64}", re.ASCII)
#: The fields that every entry has, ``hash`` apart, and what each may be.
_FIELD_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "seq": (int,),
    "at": (str,),
    "role": (str,),
    "by": (str,),
    "id": (str, type(None)),
    "line": (str,),
    "events": (list,),
    "prev": (str,),
}
#: What is a JSON value whatever it is.
_SCALAR_TYPES: Final = frozenset({str, bool, type(None)})
_FIELD_NAMES: Final = frozenset(_FIELD_TYPES) | {"hash"}


class EntryError(ValueError):
    """What cannot be an entry of a log, and why."""


class ChainError(Exception):
    """The first entry of a log that is wrong: its number, and why."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"entry {seq}: {why}")
        self.seq, self.why = seq, why


class DiceProof(Struct, frozen=True):
    """The proof of a throw of the house's dice: what was committed to, and the next commit."""

    secret: str
    nonce: str
    next: str


class LogHead(Struct, frozen=True):
    """Where a log ends: the last entry's number, hash and time. What the next one follows."""

    seq: int
    hash: str
    at: str


#: The head of a log that has no entry yet.
EMPTY_LOG_HEAD: Final = LogHead(-1, "", "")


class Draft(Struct, frozen=True, kw_only=True):
    """An entry before it is appended: the store adds its number, its time and its hashes.

    ``more`` holds the fields that only some entries have: ``act``, ``fair``, ``commit``, and those
    of entry 0.
    """

    role: str
    by: str
    id: str | None = None
    line: str = ""
    events: Sequence[Json] = ()
    more: Mapping[str, Json] = {}


class Entry(Struct, frozen=True, kw_only=True):
    """One entry of a log. ``more`` holds every field beyond those that all entries have."""

    seq: int
    at: str
    role: str
    by: str
    id: str | None
    line: str
    events: Sequence[Json]
    prev: str
    hash: str
    more: Mapping[str, Json] = {}

    @property
    def head(self) -> LogHead:
        """The log's head, while this is its last entry."""
        return LogHead(self.seq, self.hash, self.at)

    @property
    def act(self) -> str:
        """What was done that is no line of a record; empty for a line, and for entry 0."""
        act = self.more.get("act", "")
        return act if isinstance(act, str) else ""

    @property
    def commit(self) -> str:
        """The commit that the entry brings by itself; a throw's is its ``fair.next``."""
        commit = self.more.get("commit", "")
        return commit if isinstance(commit, str) else ""

    @property
    def fair(self) -> DiceProof | None:
        """The proof of a throw of the house's dice, or None. EntryError where it is no proof."""
        if "fair" not in self.more:
            return None
        try:
            return msgspec.convert(self.more["fair"], DiceProof)
        except msgspec.ValidationError as wrong:
            raise EntryError(f"fair is not as it should be: {wrong}") from None

    def body(self) -> bytes:
        """What the hash covers: the other fields, canonical."""
        before, after = self.halves()
        return before + b"," + after

    def text(self) -> bytes:
        """The entry as a line of a log, without its end: canonical, hash and all."""
        before, after = self.halves()
        return _insert_hash(before, self.hash, after)

    def halves(self) -> tuple[bytes, bytes]:
        """The canonical fields before ``hash`` and those after it, each in its brace."""
        first = {"at": self.at, "by": self.by, "events": self.events}
        last = {
            "id": self.id,
            "line": self.line,
            "prev": self.prev,
            "role": self.role,
            "seq": self.seq,
        }
        for name, value in self.more.items():
            (first if name < "hash" else last)[name] = value
        return encode_canonical(first)[:-1], encode_canonical(last)[1:]


def _insert_hash(before: bytes, hash_: str, after: bytes) -> bytes:
    return b'%b,"hash":%b,%b' % (before, encode_canonical(hash_), after)


def encode_canonical(value: Json) -> bytes:
    """A JSON value's one way to be written. EntryError where it has none.

    >>> encode_canonical({"say": "père: \\n", "n": [1, True, None]}).decode()
    '{"n":[1,true,null],"say":"père: \\\\n"}'
    >>> encode_canonical(0.5)
    Traceback (most recent call last):
    passline.live.entries.EntryError: 0.5 is no whole number
    """
    try:
        _check_json(value)
        return _CANONICAL_ENCODER.encode(value)
    except UnicodeEncodeError:
        raise EntryError("a text holds half a character") from None
    except RecursionError:
        raise EntryError("nested too deeply") from None


def _check_json(value: Json) -> None:
    """Refuse what canonical JSON does not hold: fractions, large numbers, keys that are no text."""
    kind = type(value)
    if kind in _SCALAR_TYPES:
        return
    if kind is int:
        if not -JSON_INT_LIMIT < value < JSON_INT_LIMIT:
            raise EntryError(f"{value} is not below 2^53")
    elif kind is dict:
        for key, part in value.items():
            if type(key) is not str:
                raise EntryError(f"a key that is no text: {key!r}")
            if (
                type(part) not in _SCALAR_TYPES
            ):  # nearly everything is one, and every line is checked
                _check_json(part)
    elif kind is list or kind is tuple:
        for part in value:
            _check_json(part)
    elif kind is float:
        raise EntryError(f"{value} is no whole number")
    else:
        raise EntryError(f"{kind.__name__} is nothing that JSON holds")


def stamp_entry(draft: Draft, after: LogHead, now: str) -> Entry:
    """The entry that a draft becomes after a head, at a time that is never before the head's.

    EntryError where the draft holds what no entry may.
    """
    return stamp_with_bytes(draft, after, now)[0]


def stamp_with_bytes(draft: Draft, after: LogHead, now: str) -> tuple[Entry, bytes, bytes]:
    """The entry that a draft becomes, the bytes that its hash covers, and its line of the log:
    written out once for the store, the streams and the hash."""
    if not _FIELD_NAMES.isdisjoint(draft.more):
        raise EntryError(f"fields given twice: {', '.join(sorted(_FIELD_NAMES & set(draft.more)))}")
    entry = Entry(
        seq=after.seq + 1,
        at=max(now, after.at),
        role=draft.role,
        by=draft.by,
        id=draft.id,
        line=draft.line,
        events=list(draft.events),
        prev=after.hash,
        hash="",
        more=dict(draft.more),
    )
    first, last = entry.halves()
    body = first + b"," + last
    found = hash_body(body)
    return msgspec.structs.replace(entry, hash=found), body, _insert_hash(first, found, last)


def hash_body(body: bytes) -> str:
    """The hash of an entry's canonical bytes."""
    return sha256(body).hexdigest()


def format_time(time: datetime) -> str:
    """A time as the log writes it.

    >>> from datetime import UTC
    >>> format_time(datetime(2026, 11, 15, 14, 46, 3, 123456, UTC))
    '2026-11-15T14:46:03.123456Z'
    """
    if time.utcoffset():
        raise ValueError("the log's times are UTC")
    return f"{time.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def read_entry(line: bytes | str) -> Entry:
    """An entry from a line of a log, in any spelling of its JSON. EntryError where it is none.

    Its hash is taken as it stands there: ``chained`` says whether it is right.
    """
    raw = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    try:
        entry = entry_from_fields(_decode_json(raw))
    except RecursionError:
        raise EntryError("nested too deeply") from None
    try:
        as_written = entry.text()
    except EntryError:
        as_written = b""  # the chain tells of it, with the entry's number
    if as_written != raw.strip():
        _reject_duplicate_fields(raw)
    return entry


def _decode_json(raw: bytes) -> Json:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise EntryError(f"no JSON: {wrong}") from None


def _reject_duplicate_fields(raw: bytes) -> None:
    """Refuse a field that is given twice: two readers could read two things."""

    def once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        fields = dict(pairs)
        if len(fields) != len(pairs):
            raise EntryError("a field is given twice")
        return fields

    json.loads(raw, object_pairs_hook=once)


def entry_from_fields(fields: Json) -> Entry:
    """An entry from its decoded JSON. EntryError where a field is missing or of another kind."""
    if not isinstance(fields, dict):
        raise EntryError("an entry is a JSON object")
    for name, kinds in {**_FIELD_TYPES, "hash": (str,)}.items():
        if name not in fields:
            raise EntryError(f"no {name}")
        if type(fields[name]) not in kinds:
            raise EntryError(f"{name} is {type(fields[name]).__name__}")
    if not _TIME_PATTERN.fullmatch(fields["at"]):
        raise EntryError(f"at is no time: {fields['at']!r}")
    own = {name: fields[name] for name in _FIELD_NAMES}
    return Entry(**own, more={name: fields[name] for name in fields if name not in _FIELD_NAMES})


def iter_verified(entries: Iterable[Entry], after: LogHead = EMPTY_LOG_HEAD) -> Iterator[Entry]:
    """The same entries, each shown to be the next of the chain first. ChainError at the first not.

    Holds one entry at a time, so a log of any length is walked in flat memory.
    """
    head = after
    for entry in entries:
        try:
            body = entry.body()
        except EntryError as wrong:
            raise ChainError(entry.seq, str(wrong)) from None
        check_link(entry, body, head)
        head = entry.head
        yield entry


def check_link(entry: Entry, body: bytes, after: LogHead) -> None:
    """Show that an entry is the next one after a head. ChainError where it is not.

    ``body``: the canonical bytes of its other fields."""
    if entry.seq != after.seq + 1:
        raise ChainError(after.seq + 1, f"entry {entry.seq} stands in its place")
    if entry.prev != after.hash:
        raise ChainError(entry.seq, "prev is not the hash of the entry before")
    if entry.at < after.at:
        raise ChainError(entry.seq, "earlier than the entry before")
    if not _HASH_PATTERN.fullmatch(entry.hash):
        raise ChainError(entry.seq, "hash is no SHA-256 in hex")
    if hash_body(body) != entry.hash:
        raise ChainError(entry.seq, "hash is not that of the entry")


def verify_chain(entries: Iterable[Entry], after: LogHead = EMPTY_LOG_HEAD) -> LogHead:
    """The head that a whole chain ends in. ChainError at the first entry that is wrong."""
    head = after
    for entry in iter_verified(entries, after):
        head = entry.head
    return head
