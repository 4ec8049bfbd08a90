"""Dealing a log again: every line through the functions that the hall deals by, and its events held
against those of the log.

The log's own events are folded on, so an entry is judged by the table that it was said to. Entries
of another version may have been dealt by another law: there, differences are notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct

from passline.layout import Refusal
from passline.live.asks import HallError, Held
from passline.live.auditing.findings import MOST_NOTES, Note, WrongError
from passline.live.auditing.voices import act_of, line_of_machine, line_of_people, of_machine
from passline.live.dealing import Dealt, said_again
from passline.live.entries import Entry
from passline.live.live_table import MACHINE, POSTS, LiveTable, opening
from passline.table import codec, tell_opening
from passline.table import events as ev
from passline.version import VERSION
from passline.words import refusal_words

_PLAIN = msgspec.json.Encoder(order="sorted")
_HOLDERS: Final = frozenset(get_args(Held))
_FIELDS: Final = frozenset({"table", "version", "house", "settings", "commit"})
#: Fields of which an entry has some, and no law changes.
_TOLD: Final[Mapping[str, frozenset[str]]] = {
    "": frozenset({"fair", "daily"}),
    "asks": frozenset({"act", "amount", "place"}),
    "turn-down": frozenset({"act", "player", "reason"}),
    "invite": frozenset({"act", "holder"}),
    "withdraw": frozenset({"act", "holder"}),
    "worked": frozenset({"act", "throw", "steps", "faults"}),
    "version": frozenset({"act", "version"}),
    "commit": frozenset({"act", "commit"}),
    "restore": frozenset({"act", "commit"}),
    "arrived": frozenset({"act", "commit"}),
}


class _Due(Struct, frozen=True):
    """What was to be written: a line and its events."""

    line: str
    events: tuple[ev.AnyEvent, ...]


class Replay:
    """A log dealt again, entry by entry; ``live`` is its fold so far."""

    def __init__(self, table: str) -> None:
        self._table = table
        self.live: LiveTable | None = None
        #: Entries of other versions that today's law would deal otherwise.
        self.notes: list[Note] = []
        self.noted = 0
        #: What the machine says next in any case: it was appended with the entry before.
        self._next: list[Dealt] = []

    @property
    def version(self) -> str:
        """The version by which the log is written, as far as it was read."""
        return self.live.version if self.live is not None else ""

    def take(self, entry: Entry) -> None:
        """Deal the next entry. WrongError where it is not what the table makes of it."""
        try:
            self._take(entry)
        except WrongError:
            raise
        except HallError as wrong:
            raise WrongError(f"{wrong.message}{_cited(wrong.cite)}") from None
        except Exception as wrong:
            # What was not written by a table may meet anything on its way through one.
            raise WrongError(f"it cannot be dealt: {wrong}"[:300]) from None

    def _take(self, entry: Entry) -> None:
        if self.live is None:
            self._open(entry)
            return
        before, told = self.live, None
        by = entry.more.get("version") if entry.act == "version" else before.version
        try:
            due = self._dealt(before, entry)
            _compare(entry, due)
            told = due.events
        except (HallError, WrongError) as wrong:
            if by == VERSION:
                raise
            why = wrong.message + _cited(wrong.cite) if isinstance(wrong, HallError) else str(wrong)
            self._note(entry.seq, f"today's law: {why}")
            self._next = []
        events = told if told is not None else [codec.from_plain(one) for one in entry.events]
        self.live = before.after(entry, events)
        if any(isinstance(event, ev.Rolled) for event in events):
            self._next = said_again(before, events)

    def _open(self, entry: Entry) -> None:
        live = opening(self._table, entry)
        if (entry.role, entry.by, entry.id, entry.line) != ("operator", "house", None, ""):
            raise WrongError("entry 0 is the operator's, and has no id and no line")
        told = entry.events[0]
        if len(entry.events) != 1 or entry.more["house"] != told["house"]:
            raise WrongError("the house is not the one that the opening tells")
        settings, house = live.settings, live.table.house
        if (settings.rulebook, settings.game) != (house.book.id, house.game):
            raise WrongError("the settings name another rulebook or game than the house")
        ZoneInfo(settings.zone)
        if not _HOLDERS.issuperset(settings.posts.values()) or set(settings.posts) != set(POSTS):
            raise WrongError("the settings tell not who holds each post")
        if not _FIELDS.issuperset(entry.more) and live.version == VERSION:
            raise WrongError(f"a field that no opening has: {_other(entry, _FIELDS)!r}")
        if live.version != told["version"]:
            raise WrongError(f"version {live.version}, and the opening tells {told['version']}")
        same = [msgspec.to_builtins(settings), codec.to_plain(tell_opening(house))]
        if _PLAIN.encode(same) != _PLAIN.encode([entry.more["settings"], told]):
            if live.version == VERSION:
                raise WrongError("the house or its settings are not as they are told at an opening")
            self._note(0, "today's law: the rulebook or its terms read otherwise")
        self.live = live

    def _note(self, seq: int, why: str) -> None:
        self.noted += 1
        if len(self.notes) < MOST_NOTES:
            self.notes.append(Note(seq, why))

    def _dealt(self, live: LiveTable, entry: Entry) -> _Due:
        """What the table makes of an entry's words. WrongError, HallError: it takes none such."""
        fields = _TOLD.get(entry.act, frozenset({"act"}))
        if not fields.issuperset(entry.more):
            raise WrongError(f"a field that no such entry has: {_other(entry, fields)!r}")
        if self._next:
            first, self._next = self._next[0], self._next[1:]
            if entry.role != MACHINE or entry.act or "fair" in entry.more:
                raise WrongError(f"the machine's {first.line!r} is missing before it")
            of_machine(entry)
            return _due(entry, first)
        if live.moved and entry.act != "arrived":
            raise WrongError("the table had moved to another store")
        if entry.act:
            self._next = act_of(live, entry)
            return _Due("", ())
        if entry.role == MACHINE:
            return _due(entry, line_of_machine(live, entry))
        return _due(entry, line_of_people(live, entry))


def _due(entry: Entry, dealt: Dealt | Refusal) -> _Due:
    refusal = dealt if isinstance(dealt, Refusal) else None
    if isinstance(dealt, Dealt):
        refusal = next((said.refusal for said in dealt.said if said.refusal is not None), None)
    if refusal is not None or not isinstance(dealt, Dealt):
        assert refusal is not None
        words = f"{refusal_words(refusal)}{_cited(refusal.cite)}"
        raise WrongError(f"{entry.line[:80]!r} is refused: {words}")
    return _Due(dealt.line, dealt.events)


def _compare(entry: Entry, due: _Due) -> None:
    if entry.line != due.line:
        raise WrongError(f"the line is {entry.line[:80]!r}, dealt again {due.line[:80]!r}")
    if _PLAIN.encode(due.events) == _PLAIN.encode(entry.events):
        return
    dealt = [codec.to_plain(event) for event in due.events]
    if len(dealt) != len(entry.events):
        raise WrongError(f"{len(entry.events)} events, dealt again {len(dealt)}")
    for number, (mine, theirs) in enumerate(zip(dealt, entry.events, strict=True)):
        where, one, other = _differing(mine, theirs, f"event {number}")
        if where:
            raise WrongError(f"{where} is {_short(other)}, dealt again {_short(one)}")
    raise WrongError("the events are not as they are written")


def _differing(mine: Any, theirs: Any, where: str) -> tuple[str, Any, Any]:
    """Where two values first differ, and how; an empty place: nowhere."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        pairs = [(key, mine.get(key), theirs.get(key)) for key in {**mine, **theirs}]
        where = f"{where} {mine.get('event') or mine.get('wager') or ''}".rstrip()
    elif isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        pairs = [(str(n), *pair) for n, pair in enumerate(zip(mine, theirs, strict=True))]
    else:
        same = (type(mine), mine) == (type(theirs), theirs)
        return ("" if same else where), mine, theirs
    for key, one, other in pairs:
        found = _differing(one, other, f"{where}: {key}")
        if found[0]:
            return found
    return "", mine, theirs


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:57]}..."


def _other(entry: Entry, known: frozenset[str]) -> str:
    return sorted(set(entry.more) - known)[0][:40]


def _cited(cite: str) -> str:
    return f" ({cite})" if cite else ""
