"""Log entries: their fields and their canonical bytes. `hash_chain` links them. Pure.

The canonical JSON of an entry has sorted keys, no white space, no needless escapes, UTF-8, and
whole numbers below 2^53.

``events`` and fields that this version does not know are kept as they are. So a log that any
version wrote can be read, verified and written back byte for byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec import Struct

from passline.game.words.log import say_log

#: A JSON value: None, bool, int, str, a list or a dict of them.
Json = Any
#: A JSON object.
JsonObject = dict[str, Any]

#: Every JSON parser represents whole numbers below this limit exactly.
JSON_INT_LIMIT: Final = 2**53

_CANONICAL_ENCODER = msgspec.json.Encoder(order="deterministic")
_TIME_PATTERN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
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
#: Types that need no further check.
_SCALAR_TYPES: Final = frozenset({str, bool, type(None)})
#: The names of the fields that every entry has.
FIELD_NAMES: Final = frozenset(_FIELD_TYPES) | {"hash"}


class LogError(Exception):
    """Something is wrong with a log. ``code`` selects the message in `game.words.log`."""

    def __init__(self, code: str, /, **figures: object) -> None:
        super().__init__(say_log(code, **figures))


class EntryError(LogError, ValueError):
    """The data cannot be an entry of a log; the message says why."""


class DiceProof(Struct, frozen=True):
    """The proof of a throw of the house's dice: the secret, the nonce and the next commitment."""

    secret: str
    nonce: str
    next: str


class LogHead(Struct, frozen=True):
    """The end of a log: the number, hash and time of its last entry."""

    seq: int
    hash: str
    at: str


#: The head of a log that has no entry yet.
EMPTY_LOG_HEAD: Final = LogHead(-1, "", "")


class Draft(Struct, frozen=True, kw_only=True):
    """An entry before it is appended. The store adds its number, its time and its hashes.

    ``role`` and ``by`` are the author, and ``id`` is the request's id. ``line`` is what was said,
    in canonical words, and ``events`` what followed. ``more`` holds the fields that only some
    entries have: ``act``, ``fair``, ``commit``, and those of entry 0.
    """

    role: str
    by: str
    id: str | None = None
    line: str = ""
    events: Sequence[Json] = ()
    more: Mapping[str, Json] = {}


class Entry(Struct, frozen=True, kw_only=True):
    """One entry of a log: number ``seq``, time ``at``, author (``role``, ``by``), line, events.

    ``id`` is the request's id, ``hash`` the entry's hash, and ``prev`` the hash of the entry
    before. ``more`` holds the fields that not all entries have.
    """

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
        """The end of a log whose last entry this is: its number, hash and time."""
        return LogHead(self.seq, self.hash, self.at)

    @property
    def act(self) -> str:
        """What an entry without a record line does, such as ``invite``; empty for other entries."""
        act = self.more.get("act", "")
        return act if isinstance(act, str) else ""

    @property
    def commit(self) -> str:
        """The dice commitment in the field ``commit``. A throw has it in ``fair.next`` instead."""
        commit = self.more.get("commit", "")
        return commit if isinstance(commit, str) else ""

    @property
    def fair(self) -> DiceProof | None:
        """The proof of a throw of the house's dice, or None for an entry without one.

        Raise EntryError if the proof is malformed.
        """
        if "fair" not in self.more:
            return None
        try:
            return msgspec.convert(self.more["fair"], DiceProof)
        except msgspec.ValidationError as wrong:
            raise EntryError("field-fair", error=wrong) from None

    def body(self) -> bytes:
        """Return the canonical bytes that the hash covers: all fields except the hash."""
        before, after = self.halves()
        return before + b"," + after

    def text(self) -> bytes:
        """Return the entry as one canonical line of a log, without the line end."""
        before, after = self.halves()
        return insert_hash(before, self.hash, after)

    def halves(self) -> tuple[bytes, bytes]:
        """Return the canonical JSON in two parts, between which ``hash`` belongs.

        The first has the fields that sort before ``hash`` and lacks the closing brace; the second
        has the others and lacks the opening brace.
        """
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


def insert_hash(before: bytes, hash_: str, after: bytes) -> bytes:
    """Return an entry's line of the log from its two parts (see `Entry.halves`) and its hash."""
    return b'%b,"hash":%b,%b' % (before, encode_canonical(hash_), after)


def encode_canonical(value: Json) -> bytes:
    """Return the canonical JSON of a value. Raise EntryError for a value that JSON cannot hold.

    >>> encode_canonical({"say": "père: \\n", "n": [1, True, None]}).decode()
    '{"n":[1,true,null],"say":"père: \\\\n"}'
    >>> encode_canonical(0.5)
    Traceback (most recent call last):
    passline.live.log_entries.EntryError: 0.5 is not a whole number
    """
    try:
        _check_json(value)
        return _CANONICAL_ENCODER.encode(value)
    except UnicodeEncodeError:
        raise EntryError("unpaired-surrogate") from None
    except RecursionError:
        raise EntryError("nested-deep") from None


def _check_json(value: Json) -> None:
    """Raise EntryError for values that canonical JSON cannot hold, such as fractions."""
    kind = type(value)
    if kind in _SCALAR_TYPES:
        return
    if kind is int:
        if not -JSON_INT_LIMIT < value < JSON_INT_LIMIT:
            raise EntryError("number-too-large", number=value)
    elif kind is dict:
        for key, part in value.items():
            if type(key) is not str:
                raise EntryError("key-not-text", key=key)
            if type(part) not in _SCALAR_TYPES:  # Saves a call for nearly every value.
                _check_json(part)
    elif kind is list or kind is tuple:
        for part in value:
            _check_json(part)
    elif kind is float:
        raise EntryError("not-whole", number=value)
    else:
        raise EntryError("not-in-json", kind=kind.__name__)


def format_time(time: datetime) -> str:
    """Return a UTC time in the format of the log. Raise ValueError for a time in another zone.

    >>> from datetime import UTC
    >>> format_time(datetime(2026, 11, 15, 14, 46, 3, 123456, UTC))
    '2026-11-15T14:46:03.123456Z'
    """
    if time.utcoffset():
        raise ValueError("the log's times are UTC")
    return f"{time.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def read_entry(line: bytes | str) -> Entry:
    """Parse a line of a log, without checking its hash. Raise EntryError if it is not an entry."""
    raw = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    try:
        entry = entry_from_fields(_decode_json(raw))
    except RecursionError:
        raise EntryError("nested-deep") from None
    try:
        as_written = entry.text()
    except EntryError:
        as_written = b""  # The chain check reports this, with the entry's number.
    if as_written != raw.strip():
        _reject_duplicate_fields(raw)
    return entry


def _decode_json(raw: bytes) -> Json:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise EntryError("not-json", error=wrong) from None


def _reject_duplicate_fields(raw: bytes) -> None:
    """Raise EntryError if a JSON object has a key twice: programs could read different values."""

    def once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        fields = dict(pairs)
        if len(fields) != len(pairs):
            raise EntryError("field-twice")
        return fields

    json.loads(raw, object_pairs_hook=once)


def entry_from_fields(fields: Json) -> Entry:
    """Return the entry of a decoded JSON object, or raise EntryError for a wrong field."""
    if not isinstance(fields, dict):
        raise EntryError("not-an-object")
    for name, kinds in {**_FIELD_TYPES, "hash": (str,)}.items():
        if name not in fields:
            raise EntryError("field-missing", name=name)
        if type(fields[name]) not in kinds:
            raise EntryError("field-type", name=name, kind=type(fields[name]).__name__)
    if not _TIME_PATTERN.fullmatch(fields["at"]):
        raise EntryError("field-time", time=fields["at"])
    own = {name: fields[name] for name in FIELD_NAMES}
    return Entry(**own, more={name: fields[name] for name in fields if name not in FIELD_NAMES})
