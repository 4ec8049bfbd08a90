"""Decide every line of a log again, and require that the same events follow.

The service's own functions decide each line on the table that the earlier events left. They use the
rulebook whose digest the log names, today's or an archived one. Entries of another version, or of a
rulebook that is not here, cannot be dealt: they are unverified, and what this version would deal
differently becomes a note. Other packages register checks for their own acts
(`register_act_check`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, get_args
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from passline.game.house.elections import parse_value
from passline.game.house.house import describe_elections, make_house
from passline.game.house.lint import lint
from passline.game.law.archived_books import archived_book
from passline.game.law.book import Book
from passline.game.law.book_files import BookError
from passline.game.law.load import rulebook
from passline.game.layout.compile import compile_layout
from passline.game.layout.stakes import Refusal
from passline.game.table import codec
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.decide import decide
from passline.game.table.open_close import opening_event
from passline.game.table.state import Table
from passline.game.words.log import say_log
from passline.game.words.refusals import describe_refusal
from passline.live import permissions, scheduled_actions
from passline.live.audit.findings import MAX_NOTES, AuditNote, BadEntryError
from passline.live.decide_line import decide_line
from passline.live.decided_line import DecidedLine
from passline.live.line_bet_repeats import repeat_line_bets, take_line_bets_down
from passline.live.live_table import MACHINE, POST_NAMES, LiveTable, open_from_entry, parse_time
from passline.live.log_entries import Entry
from passline.live.parse_line import PlayerTalk, TableAct, ThrowRequest, parse_line
from passline.live.schema import PostHolder, ServiceError
from passline.live.seats import TOKEN_ROLES
from passline.live.signing_key import is_public_key
from passline.live.table_cache import is_older_version
from passline.live.tokens import Holder, entry_author
from passline.record.table_lines import read_table_line
from passline.talk.canonical import parse_canonical
from passline.talk.errors import RecordError
from passline.version import VERSION

#: An entry is stamped after its server read the same clock, which may be set back a little in
#: between.
_CLOCK_SLACK: Final = timedelta(seconds=1)
_MINUTE: Final = timedelta(minutes=1)
_PLAYER_ACTS: Final = frozenset({"ready", "line-down", "line-up"})
_COMMIT_ACTS: Final = frozenset({"commit", "restore", "rollback"})
_INVITABLE_ROLES: Final = frozenset({*TOKEN_ROLES, "player"})
_INVITER_ROLES: Final = frozenset({"operator", "floor"})


#: A check of one act: return whether the entry is right on the table before it.
ActCheck = Callable[[LiveTable, Entry], bool]
_ACT_CHECKS: dict[str, ActCheck] = {}
#: Acts that other packages check. An entry of such an act fails the audit if nobody does.
_REGISTERED_ACTS: Final = frozenset({"worked"})


def register_act_check(act: str, check: ActCheck) -> None:
    """Register the function that checks the entries with this act (an action that is no line).

    The package that writes such entries calls this. The school does it for ``worked`` entries,
    which hold a learner's graded work.
    """
    _ACT_CHECKS[act] = check


def _check_registered_act(live: LiveTable, entry: Entry) -> None:
    """Call the check that `register_act_check` registered for an entry's act.

    Raise BadEntryError if it fails or there is none.
    """
    check = _ACT_CHECKS.get(entry.act)
    if check is None:
        raise BadEntryError("no-act-check", act=entry.act)
    if not check(live, entry):
        raise BadEntryError("work-grade")


def replay_spoken_line(live: LiveTable, entry: Entry) -> DecidedLine | Refusal:
    """Decide again a line that a player or a crew post said. Return the decision or the refusal.

    Raise ServiceError or BadEntryError if the author may not say the line.
    """
    who = _find_author(entry)
    if "fair" in entry.more or "daily" in entry.more:
        if who.role != "player":
            raise BadEntryError("role-throws", role=who.role)
        refused = scheduled_actions.refuse_throw(
            live, who.name, parse_time(entry.at) + _CLOCK_SLACK
        )
        return refused or _replay_throw(live, entry)
    if who.role == "player" and entry.line.startswith(f"{who.name} joins for "):
        if live.settings.buy_ins == "box":
            raise BadEntryError("box-seats")
        return _replay_command(live, entry.line)
    if entry.id is None:
        raise BadEntryError("no-request-id")
    parsed = parse_line(live, who, entry.line)
    if isinstance(parsed, ThrowRequest | TableAct):
        raise BadEntryError("not-a-line", line=entry.line)
    if isinstance(parsed, PlayerTalk):
        _require_canonical(live, parsed)
    return decide_line(live, who, parsed)


def _require_canonical(live: LiveTable, parsed: PlayerTalk) -> None:
    """Raise BadEntryError if a line is not in canonical words.

    A player may say a bet in other words, but the server writes the canonical ones to the log.
    """
    for say in parsed.says:
        try:
            said = parse_canonical(parsed.player, say, live.table.layout.slugs)
        except RecordError as wrong:
            raise BadEntryError("not-understood", line=say, error=wrong.message) from None
        if said is None:
            raise BadEntryError("not-canonical", line=say)


def replay_machine_line(live: LiveTable, entry: Entry) -> DecidedLine | Refusal:
    """Decide a line of the auto dealer (role ``machine``) again.

    Return the decision, or the engine's refusal. Raise BadEntryError unless the schedule has an
    action that was due at the entry's time and writes this line, or it calls a die off the table at
    a shift of the dealer school.
    """
    require_machine(entry)
    now = parse_time(entry.at) + _CLOCK_SLACK
    actions = (
        *scheduled_actions.pending_actions(live),
        *scheduled_actions.closing_actions(live),
    )
    come = [due for due in actions if due.when <= now]
    if "fair" in entry.more:
        if not any(due.line == "" for due in come):
            raise BadEntryError("machine-throws")
        return _replay_throw(live, entry)
    by_school = entry.line in scheduled_actions.list_die_off_lines(live).values()
    if not by_school and not any(_action_says(live, due, entry.line, now) for due in come):
        raise BadEntryError("machine-writes", line=entry.line)
    return _replay_command(live, entry.line)


def _action_says(
    live: LiveTable, due: scheduled_actions.ScheduledAction, line: str, now: datetime
) -> bool:
    """Return whether a scheduled action writes this line at or before the time ``now``.

    A line that announces the time must not give a time after ``now`` or before the action's due
    time.
    """
    if due.line == "":
        return False
    if due.line != scheduled_actions.CLOCK_LINE:
        return scheduled_actions.find_action_line(live, due, now) == line
    try:
        told = datetime.strptime(line, f"{scheduled_actions.CLOCK_LINE} %Y-%m-%d %H:%M")
    except ValueError:
        return False
    zone = ZoneInfo(live.settings.zone)
    for fold in (0, 1):  # An hour repeats when summer time ends.
        time = told.replace(tzinfo=zone, fold=fold)
        if (
            due.when - _MINUTE < time <= now
            and scheduled_actions.find_action_line(live, due, time) == line
        ):
            return True
    return False


def replay_act(live: LiveTable, entry: Entry) -> list[DecidedLine]:
    """Check an entry that has an act instead of a line.

    Return the lines that the auto dealer must have written right after it, mostly none. Raise
    BadEntryError or ServiceError if the entry is wrong.
    """
    act = entry.act
    if act in _PLAYER_ACTS:
        who = _find_author(entry)
        if who.role != "player" or live.table.find(who.name) is None:
            raise BadEntryError("only-player", act=act)
        return take_line_bets_down(live, who.name) if act == "line-down" else []
    if act == "asks":
        _check_buy_in_request(live, entry)
    elif act in permissions.load_matrix().calls.values():
        if not permissions.authorize_call(live, _find_author(entry), act):
            raise BadEntryError("no-call", act=act)
    elif act == "turn-down":
        player = entry.more.get("player")
        if player not in live.buy_in_requests or not isinstance(entry.more.get("reason"), str):
            raise BadEntryError("nobody-asked")
        permissions.authorize_decline(live, _find_author(entry), player)
    elif act in ("invite", "withdraw"):
        _check_invitation(live, entry)
    elif act in _REGISTERED_ACTS:
        _find_author(entry)
        _check_registered_act(live, entry)
    elif act in _COMMIT_ACTS:
        require_machine(entry)
        if not entry.commit:
            raise BadEntryError("commit-missing")
    elif act in ("moved", "arrived"):
        if (entry.role, entry.by, entry.id) != ("operator", "house", None):
            raise BadEntryError("only-operator")
        if live.moved != (act == "arrived"):
            raise BadEntryError("arrived-once")
        if act == "arrived" and live.settings.dice == "secure" and not entry.commit:
            raise BadEntryError("commit-missing")
    elif act in ("away", "back"):
        require_machine(entry)
        player = entry.more.get("player")
        if not isinstance(player, str) or live.table.find(player) is None:
            raise BadEntryError("away-nobody")
    elif act == "version":
        require_machine(entry)
        version = str(entry.more.get("version"))
        other_law = str(entry.more.get("law", live.law)) != live.law
        if not is_older_version(live.version, version) and not (
            other_law and version == live.version
        ):
            raise BadEntryError("not-later", version=live.version, found=version)
    elif act == "key":
        require_machine(entry)
        key = entry.more.get("public_key")
        if not isinstance(key, str) or not is_public_key(key) or key == live.public_key:
            raise BadEntryError("key-entry")
    else:
        raise BadEntryError("unknown-act", act=act)
    return []


def _find_author(entry: Entry) -> Holder:
    """Return the author of an entry as a holder: a role, and a name if there is one.

    Raise BadEntryError if the name does not fit the role.
    """
    who = Holder(entry.role, entry.by if entry.role == "player" else "")
    if entry_author(who)[1] != entry.by:
        raise BadEntryError("other-author", role=entry.role, name=entry.by)
    return who


def require_machine(entry: Entry) -> None:
    """Raise BadEntryError unless the server's auto dealer (role ``machine``) wrote the entry."""
    if (entry.role, entry.by, entry.id) != (MACHINE, MACHINE, None):
        raise BadEntryError("only-machine")


def _check_buy_in_request(live: LiveTable, entry: Entry) -> None:
    """Raise BadEntryError unless a player may ask the boxperson for this buy-in at this table."""
    who, amount, place = _find_author(entry), entry.more.get("amount"), entry.more.get("place")
    whole = type(amount) is int and type(place) is int
    if who.role != "player" or live.settings.buy_ins != "box" or not whole:
        raise BadEntryError("buy-in-form")
    assert isinstance(amount, int)
    assert isinstance(place, int)
    known = live.table.find(who.name) is not None
    asked = cmd.BuyIn(who.name, amount) if known else cmd.Join(who.name, amount, place)
    if isinstance(decide(live.table, asked), Refusal):
        raise BadEntryError("buy-in-refused")


def _check_invitation(live: LiveTable, entry: Entry) -> None:
    """Raise BadEntryError or ServiceError unless the floor or the operator invites a valid role."""
    permissions.require_speaker(live, _find_author(entry))
    holder = entry.more.get("holder")
    told = holder if isinstance(holder, dict) and set(holder) == {"role", "name"} else {}
    if told.get("role") not in _INVITABLE_ROLES or not isinstance(told["name"], str):
        raise BadEntryError("no-holder")
    if entry.role not in _INVITER_ROLES or entry.id is not None:
        raise BadEntryError("only-floor")


def _replay_throw(live: LiveTable, entry: Entry) -> DecidedLine | Refusal:
    """Decide the ``roll`` line of an entry again. Return the decision, or the engine's refusal.

    Raise BadEntryError if the line is not a throw.
    """
    command = read_table_line(entry.line, live.table)
    if not isinstance(command, cmd.Roll):
        raise BadEntryError("not-a-throw", line=entry.line)
    return _replay_command(live, entry.line)


def _replay_command(live: LiveTable, line: str) -> DecidedLine | Refusal:
    """Decide a ``.craps`` record line on the table ``live``. Return the decision or the refusal."""
    answer = decide(live.table, read_table_line(line, live.table))
    return answer if isinstance(answer, Refusal) else DecidedLine((), line, answer)


_SORTED_ENCODER = msgspec.json.Encoder(order="sorted")
_POST_HOLDERS: Final = frozenset(get_args(PostHolder))
_OPENING_FIELDS: Final = frozenset(
    {"table", "version", "house", "settings", "commit", "public_key"}
)
#: The extra fields of entries, by act. They are the same in all versions.
_ACT_FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "": frozenset({"fair", "daily", "corrects", "repeats"}),
    "asks": frozenset({"act", "amount", "place"}),
    "turn-down": frozenset({"act", "player", "reason"}),
    "invite": frozenset({"act", "holder"}),
    "withdraw": frozenset({"act", "holder"}),
    "away": frozenset({"act", "player"}),
    "back": frozenset({"act", "player"}),
    "worked": frozenset({"act", "throw", "steps", "faults"}),
    "version": frozenset({"act", "version", "law"}),
    "key": frozenset({"act", "public_key"}),
    "commit": frozenset({"act", "commit"}),
    "restore": frozenset({"act", "commit"}),
    "rollback": frozenset({"act", "commit"}),
    "moved": frozenset({"act", "to"}),
    "arrived": frozenset({"act", "commit"}),
}


class _ExpectedEntry(Struct, frozen=True):
    """The line and the events that the rules give for an entry of the log."""

    line: str
    events: tuple[ev.AnyEvent, ...]
    #: The fields of a correction.
    more: Mapping[str, Any] = {}


class LogReplay:
    """Deals a log again, entry by entry.

    ``live`` is the table's state so far. ``unverified`` counts the entries that this program cannot
    deal, and ``first_unverified`` is the number of the first. ``notes`` lists what it would deal
    differently in them, up to a limit; ``note_count`` counts all such differences.
    """

    def __init__(self, table: str) -> None:
        self._table = table
        self.live: LiveTable | None = None
        self.notes: list[AuditNote] = []
        self.note_count = 0
        self.unverified = 0
        self.first_unverified: int | None = None
        #: The version and the law's digest that the log names at this point, and whether this
        #: program can deal by them.
        self.version = self._law = ""
        self.is_dealable = False
        self._book_id = ""
        self._book: Book | None = None
        #: The state was lost at an entry that this program cannot apply.
        self._lost = False
        #: Lines that the auto dealer must have written next, in one append with the entry before.
        self._next: list[DecidedLine] = []

    def add_entry(self, entry: Entry) -> None:
        """Decide the next entry again and apply it.

        Raise BadEntryError if the rules give another result. An entry that this program cannot deal
        is counted, and a difference in it becomes a note.
        """
        self._read_version(entry)
        if entry.seq and self.live is None and not self._lost:
            raise BadEntryError("not-from-0")
        if not self.is_dealable or self._lost:
            self.unverified += 1
            if self.first_unverified is None:
                self.first_unverified = entry.seq
        if self._lost:
            return
        try:
            self._replay(entry)
        except Exception as wrong:  # A forged entry may raise anything on its way.
            if self.is_dealable:
                raise _make_bad_entry(wrong) from None
            self._note(entry.seq, "this-version", why=_make_bad_entry(wrong))
            self.live, self._lost = None, True

    def _read_version(self, entry: Entry) -> None:
        """Read which version writes the log from here on, from entry 0 or a ``version`` entry.

        Such an entry also names the rulebook's digest. Other entries change nothing.
        """
        if entry.seq and entry.act != "version":
            return
        first = entry.events[0] if entry.events else None
        opened = first if not entry.seq and isinstance(first, dict) else {}
        version = str(entry.more.get("version", ""))
        law = str(opened.get("digest", "") if not entry.seq else entry.more.get("law", self._law))
        told = opened.get("house")
        if isinstance(told, dict):
            self._book_id = str(told.get("rulebook", ""))
        self.version, self._law = version, law
        versions = {version, str(opened.get("version", version))}
        before, self._book = self._book, _find_book(self._book_id, law)
        self.is_dealable = versions == {VERSION} and self._book is not None
        if self.is_dealable and self._book != (before or rulebook(self._book_id)):
            self._note(entry.seq, "other-law", digest=law[:12])

    def _replay(self, entry: Entry) -> None:
        """Compare an entry with what the rules give, and apply it to ``live``.

        Raise an error if it differs. If this program cannot deal the entry, only make a note of
        that.
        """
        if self.live is None:
            self._open(entry)
            return
        before, told = self.live, None
        try:
            due = self._expect(before, entry)
            _compare_entry(entry, due)
            told = due.events
        except (ServiceError, BadEntryError) as wrong:
            if self.is_dealable:
                raise
            self._note(entry.seq, "this-version", why=_make_bad_entry(wrong))
            self._next = []
        events = told
        if events is None:
            events = tuple(codec.event_from_builtins(one) for one in entry.events)
        self.live = before.apply_entry(entry, events)
        if entry.act == "version" and self._book is not None:
            self.live = replace(self.live, table=_change_book(self.live.table, self._book))
        if any(isinstance(event, ev.Rolled) for event in events):
            self._next = repeat_line_bets(before, events)

    def _open(self, entry: Entry) -> None:
        """Check entry 0, and set ``live`` to the table that it opens.

        Raise BadEntryError if it opens no table that the rules allow.
        """
        live = open_from_entry(self._table, entry, self._book)
        if (entry.role, entry.by, entry.id, entry.line) != ("operator", "house", None, ""):
            raise BadEntryError("opening-author")
        told = entry.events[0]
        if len(entry.events) != 1 or entry.more["house"] != told["house"]:
            raise BadEntryError("opening-house")
        settings, house = live.settings, live.table.house
        if (settings.rulebook, settings.game) != (house.book.id, house.game):
            raise BadEntryError("opening-book")
        ZoneInfo(settings.zone)
        if not _POST_HOLDERS.issuperset(settings.posts.values()) or set(settings.posts) != set(
            POST_NAMES
        ):
            raise BadEntryError("opening-posts")
        if not _OPENING_FIELDS.issuperset(entry.more) and self.is_dealable:
            raise BadEntryError("opening-field", field=_find_unknown_field(entry, _OPENING_FIELDS))
        if self.is_dealable and not is_public_key(str(entry.more.get("public_key", "0" * 64))):
            raise BadEntryError("opening-key")
        if live.version != told["version"]:
            raise BadEntryError("opening-version", version=live.version, found=told["version"])
        if self.is_dealable and self._book is not None:
            # No server opens such a table, and its wins could be shaved by what the house elects.
            for unlawful in lint(self._book, house.game, house.elections):
                raise BadEntryError("opening-unlawful", why=unlawful.message)
        # An archived book may have another digest now, if books have more fields since.
        opening = replace(opening_event(house), digest=self._law)
        same = [msgspec.to_builtins(settings), codec.event_to_builtins(opening)]
        if _SORTED_ENCODER.encode(same) != _SORTED_ENCODER.encode([entry.more["settings"], told]):
            if self.is_dealable:
                raise BadEntryError("opening-form")
            self._note(0, "rulebook-reads")
        self.live = live

    def _note(self, seq: int, code: str, **figures: object) -> None:
        self.note_count += 1
        if len(self.notes) < MAX_NOTES:
            self.notes.append(AuditNote(seq, say_log(code, **figures)))

    def _expect(self, live: LiveTable, entry: Entry) -> _ExpectedEntry:
        """Return the line and events that the entry should have on the state ``live``.

        Raise BadEntryError or ServiceError if the log may not have such an entry here.
        """
        fields = _ACT_FIELDS.get(entry.act, frozenset({"act"}))
        if not fields.issuperset(entry.more):
            raise BadEntryError("entry-field", field=_find_unknown_field(entry, fields))
        if self._next:
            first, self._next = self._next[0], self._next[1:]
            if entry.role != MACHINE or entry.act or "fair" in entry.more:
                raise BadEntryError("machine-skipped", line=first.line)
            require_machine(entry)
            return _expect_entry(entry, first)
        if live.moved and entry.act != "arrived":
            raise BadEntryError("moved-away")
        if entry.act:
            self._next = replay_act(live, entry)
            return _ExpectedEntry("", ())
        if entry.role == MACHINE:
            return _expect_entry(entry, replay_machine_line(live, entry))
        return _expect_entry(entry, replay_spoken_line(live, entry))


def _find_book(book_id: str, digest: str) -> Book | None:
    """Return the rulebook with this id and digest, today's or an archived one, or None."""
    try:
        today = rulebook(book_id)
    except BookError:
        return None
    if today.digest == digest:
        return today
    archived = archived_book(digest)
    return archived if archived is not None and archived.id == book_id else None


def _change_book(table: Table, book: Book) -> Table:
    """Return a table that is dealt by ``book``, another edition of its rulebook, from now on."""
    house = table.house
    if house.book.digest == book.digest:
        return table
    elections = {key: parse_value(text) for key, text in describe_elections(house).items()}
    made = make_house(book, house.game, elections, house.name)
    return replace(table, layout=compile_layout(made))


def _make_bad_entry(wrong: Exception) -> BadEntryError:
    """Turn any error that occurred while an entry was dealt into a BadEntryError."""
    if isinstance(wrong, BadEntryError):
        return wrong
    if isinstance(wrong, ServiceError):
        return BadEntryError("said", words=f"{wrong.message}{_format_cite(wrong.cite)}")
    return BadEntryError("not-dealt", error=str(wrong)[:270])


def _expect_entry(entry: Entry, decided: DecidedLine | Refusal) -> _ExpectedEntry:
    """Return the line and events that an entry must have, given its line as decided again.

    Raise BadEntryError if the line, or one command of it, was refused.
    """
    if isinstance(decided, Refusal):
        refusal: Refusal | None = decided
    else:
        refusal = next((one.refusal for one in decided.decisions if one.refusal), None)
    if refusal is not None or isinstance(decided, Refusal):
        assert refusal is not None
        why = f"{describe_refusal(refusal)}{_format_cite(refusal.cite)}"
        raise BadEntryError("line-refused", line=entry.line, why=why)
    return _ExpectedEntry(decided.line, decided.events, decided.more)


def _compare_entry(entry: Entry, due: _ExpectedEntry) -> None:
    """Raise BadEntryError unless an entry has the expected line, events and correction fields."""
    if entry.line != due.line:
        raise BadEntryError("line-differs", line=entry.line, dealt=due.line)
    for key in ("corrects", "repeats"):
        if entry.more.get(key) != due.more.get(key):
            found, dealt = _shorten_json(entry.more.get(key)), _shorten_json(due.more.get(key))
            raise BadEntryError("event-differs", where=key, found=found, dealt=dealt)
    if _SORTED_ENCODER.encode(due.events) == _SORTED_ENCODER.encode(entry.events):
        return
    decided = [codec.event_to_builtins(event) for event in due.events]
    if len(decided) != len(entry.events):
        raise BadEntryError("event-count", count=len(entry.events), dealt=len(decided))
    for number, (mine, theirs) in enumerate(zip(decided, entry.events, strict=True)):
        where, one, other = _find_difference(mine, theirs, f"event {number}")
        if where:
            found, dealt = _shorten_json(other), _shorten_json(one)
            raise BadEntryError("event-differs", where=where, found=found, dealt=dealt)
    raise BadEntryError("events-form")


def _find_difference(mine: Any, theirs: Any, where: str) -> tuple[str, Any, Any]:
    """Return (key path, mine, theirs) for the first place where two JSON values differ.

    The path begins with ``where``, or is "" if the values are equal.
    """
    if isinstance(mine, dict) and isinstance(theirs, dict):
        pairs = [(key, mine.get(key), theirs.get(key)) for key in {**mine, **theirs}]
        where = f"{where} {mine.get('event') or mine.get('wager') or ''}".rstrip()
    elif isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        pairs = [(str(n), *pair) for n, pair in enumerate(zip(mine, theirs, strict=True))]
    else:
        same = (type(mine), mine) == (type(theirs), theirs)
        return ("" if same else where), mine, theirs
    for key, one, other in pairs:
        found = _find_difference(one, other, f"{where}: {key}")
        if found[0]:
            return found
    return "", mine, theirs


def _shorten_json(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:57]}..."


def _find_unknown_field(entry: Entry, known: frozenset[str]) -> str:
    """Return the first of an entry's extra fields that is not in ``known``."""
    return sorted(set(entry.more) - known)[0][:40]


def _format_cite(cite: str) -> str:
    return f" ({cite})" if cite else ""
