"""The state of a live table after some entry of its log. Pure.

`open_from_entry` makes the state after entry 0 and `LiveTable.apply_entry` the state after each
further entry. The state depends on the log alone, so every server computes the same one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from passline.game.house.elections import parse_value
from passline.game.house.house import House, make_house
from passline.game.law.book import Book
from passline.game.law.load import rulebook
from passline.game.law.roles import POSTS as CREW
from passline.game.law.roles import find_relieved_posts
from passline.game.layout.stakes import Refusal
from passline.game.table import codec
from passline.game.table import events as ev
from passline.game.table.dice_custody import find_next_shooter
from passline.game.table.evolve import evolve
from passline.game.table.open_close import unopened_table
from passline.game.table.state import Table
from passline.game.words.events import describe_command
from passline.game.words.refusals import describe_refusal
from passline.live.dice_proofs import DiceCommitment
from passline.live.log_entries import Entry, LogHead
from passline.live.table_settings import Settings
from passline.talk.same_bet import BetMemory, remember_decisions
from passline.text import fold_look_alikes

#: The names of the crew's posts, which are also roles of tokens.
POST_NAMES: Final = tuple(post.name for post in CREW)
#: Events of players' bets.
_BET_EVENTS: Final = (ev.Wagered, ev.Changed, ev.Called)
#: Results that end a Shootout bonus. The dice are inspected afterwards.
_BONUS_ENDINGS: Final = ("hit", "void")
#: How many throws a page lists.
_LISTED_THROWS: Final = 20
#: How many players who have left a view still shows, the latest first.
_REMEMBERED_LEAVERS: Final = 32
#: The role and name of entries that the server's auto dealer writes.
MACHINE: Final = "machine"
#: The holder of a post that a learner works at: the server deals for it and grades the work.
LEARNER: Final = "learner"


class SeatedPlayer(Struct, frozen=True):
    """A player's first seat position, and the number and hash of the log entry that seated them."""

    place: int
    seq: int
    hash: str


class BuyInRequest(Struct, frozen=True):
    """A buy-in that waits for the boxperson or was declined.

    ``amount`` is cents, and ``place`` the seat position asked for, or 0 for any.
    """

    amount: int
    place: int = 0
    #: The number of the entry that asks for the buy-in.
    seq: int = 0
    #: Why the buy-in was declined; empty until then.
    reason: str = ""


class TableThrow(Struct, frozen=True):
    """A throw, the table before it, and the correction if the crew corrected its faces."""

    before: Table
    rolled: ev.Rolled
    corrected: ev.ThrowCorrected | None = None


class PastThrow(Struct, frozen=True):
    """A throw as a page lists it: its entry's number, its dice, and what it did to the point.

    ``mark`` is empty if the throw did nothing to the point.
    """

    seq: int
    dice: tuple[int, int]
    mark: Literal["", "point", "made", "seven-out"] = ""


class TakenLine(Struct, frozen=True):
    """A line with one command that the table accepted, and the role that said it."""

    role: str
    line: str

    @property
    def is_line_bet(self) -> bool:
        """Whether the auto dealer said the line, to repeat a winner's line bet or take it down."""
        return self.role == MACHINE and ": " in self.line


class DroppedLine(Struct, frozen=True):
    """A command that a correction of the throw undid.

    It has the player, the command in words, and the reason why it no longer holds, with its clause.
    """

    player: str
    words: str
    reason: str
    cite: str


class SinceThrow(Struct, frozen=True, kw_only=True):
    """What a correction of the last throw needs, besides the table before it.

    ``seq`` is the number of the throw's entry. ``memory`` (each player's last bets) and
    ``bonus_hit`` are as before the throw. ``no_line_repeat`` has the players who had turned line
    repeats off then, and those who did since. ``lines`` were accepted since the throw, one command
    each. ``dropped`` are the commands that the last correction undid.
    """

    seq: int
    memory: BetMemory
    no_line_repeat: frozenset[str]
    bonus_hit: bool
    lines: tuple[TakenLine, ...] = ()
    dropped: tuple[DroppedLine, ...] = ()


def split_taken(role: str, line: str) -> tuple[TakenLine, ...]:
    """Split an entry's line into lines with one command each. ``role`` is the author's.

    >>> [taken.line for taken in split_taken("player", "ann: field for 5; horn for 4")]
    ['ann: field for 5', 'ann: horn for 4']
    """
    name, colon, rest = line.partition(": ")
    if not colon:
        return (TakenLine(role, line),)
    return tuple(TakenLine(role, f"{name}: {say}") for say in rest.split("; "))


def keep_taken(
    lines: Iterable[TakenLine], entry: Entry, events: Iterable[ev.AnyEvent]
) -> tuple[TakenLine, ...]:
    """Return the lines accepted since a throw that still hold after an entry corrected it.

    ``lines`` are the lines so far, and ``events`` the entry's events. The line bets that
    the machine repeated for the corrected throw come first.
    """
    repeats = [TakenLine(MACHINE, str(line)) for line in entry.more.get("repeats", ())]
    again = [*repeats, *(line for line in lines if not line.is_line_bet)]
    dropped = {event.number for event in events if isinstance(event, ev.CommandDropped)}
    return tuple(line for number, line in enumerate(again) if number not in dropped)


class LiveTable(Struct, frozen=True, kw_only=True):
    """The state of a live table after an entry of its log. Do not change its dicts."""

    id: str
    settings: Settings
    #: The version of the program that writes the log now, the digest of the rulebook that it deals
    #: by, and the public key of the house that signs the receipts.
    version: str
    law: str = ""
    public_key: str = ""
    table: Table
    head: LogHead
    opened: str
    commitment: DiceCommitment = DiceCommitment()
    memory: BetMemory = {}
    #: Who holds each post: ``person``, ``machine`` or ``learner``; and their names, if known.
    posts: dict[str, str] = {}
    post_names: dict[str, str] = {}
    #: Names by their folded form (`text.fold_look_alikes`): of players, and of invited players.
    names: dict[str, str] = {}
    invited: dict[str, str] = {}
    seated: dict[str, SeatedPlayer] = {}
    #: The players who left last, the latest first. Views show these, not everyone who ever left.
    recent_leavers: tuple[str, ...] = ()
    buy_in_requests: dict[str, BuyInRequest] = {}
    declined_buy_ins: dict[str, BuyInRequest] = {}
    #: Whether the table has moved to another store and goes on there.
    moved: bool = False
    #: The stickperson has asked somebody else to call the throw.
    someone_else_calls: bool = False
    #: A bonus was hit (or void) with these dice, and nobody has inspected them since.
    bonus_hit: bool = False
    #: Players whose pages are all closed, so that nobody waits for them.
    away: frozenset[str] = frozenset()
    #: Players who are ready for the next throw.
    ready: frozenset[str] = frozenset()
    #: Learners' posts that have sent their work on the last throw.
    posts_done: frozenset[str] = frozenset()
    no_line_repeat: frozenset[str] = frozenset()
    #: Line bets that the server repeated for winners since the last throw: (player, wager).
    repeated_line_bets: frozenset[tuple[str, str]] = frozenset()
    last_throw: TableThrow | None = None
    #: Where dice are typed in, and while the last throw may be corrected.
    since_throw: SinceThrow | None = None
    #: The latest throws, the newest last.
    history: tuple[PastThrow, ...] = ()
    #: Times of entries: of the last throw (at first, of the opening); of the first throw; of the
    #: first bet on an empty layout; since when it is ``next_shooter``'s turn; and since when each
    #: player has been silent without a bet.
    thrown_at: str
    first_thrown_at: str = ""
    first_bet_at: str = ""
    next_shooter: str = ""
    due_since: str = ""
    silent_since: dict[str, str] = {}
    #: The time of the last entry that the machine did not write.
    visited: str = ""

    @property
    def is_closed(self) -> bool:
        """Whether the table is closed, or has moved to another store."""
        return self.moved or self.table.status == "closed"

    @property
    def machine_has_stick(self) -> bool:
        """Whether the auto dealer works the stickperson's post."""
        return self.machine_deals("stick")

    def machine_deals(self, post: str) -> bool:
        """Return whether the auto dealer works a post, because nobody has it or a learner does."""
        return self.posts.get(post, MACHINE) in (MACHINE, LEARNER)

    def apply_entry(
        self,
        entry: Entry,
        decoded: Sequence[ev.AnyEvent] | None = None,
        table_after: Table | None = None,
    ) -> LiveTable:
        """Return the state after the next entry.

        ``decoded`` holds the entry's events and ``table_after`` the table after them, if the caller
        knows them.
        """
        events = decoded
        if events is None:
            events = [codec.event_from_builtins(event) for event in entry.events]
        table, memory, last = table_after or self.table, self.memory, self.last_throw
        correction: ev.ThrowCorrected | None = None
        for event in events if table_after is None else ():
            if isinstance(event, ev.ThrowCorrected):
                correction = event
            elif isinstance(event, ev.Rolled):
                last = TableThrow(table, event, correction)
            table = evolve(table, event)
        corrected = self.since_throw if "corrects" in entry.more else None
        if any(isinstance(event, ev.Rolled) for event in events):
            memory = dict(memory if corrected is None else corrected.memory)
            remember_decisions(memory, table, events)
        found = replace(
            self,
            table=table,
            memory=memory,
            last_throw=last,
            since_throw=_update_since(self, entry, events, table),
            history=_extend_history(self.history, entry.seq, events),
            bonus_hit=self.bonus_hit if corrected is None else corrected.bonus_hit,
            head=entry.head,
            commitment=self.commitment.apply_entry(entry),
        )
        if entry.act:
            found = _apply_act(found, entry)
        if events:
            found = _apply_people(found, entry, events)
        return _apply_times(self, found, entry, events)


def _extend_history(
    history: tuple[PastThrow, ...], seq: int, events: Sequence[ev.AnyEvent]
) -> tuple[PastThrow, ...]:
    """Return the throws that pages list, after an entry's events. A correction removes the last."""
    for event in events:
        if isinstance(event, ev.ThrowCorrected):
            history = history[:-1]
        elif isinstance(event, ev.Rolled):
            throw = PastThrow(seq, (event.first, event.second), _find_mark(event))
            history = (*history, throw)[-_LISTED_THROWS:]
    return history


def _update_since(
    live: LiveTable, entry: Entry, events: Sequence[ev.AnyEvent], table: Table
) -> SinceThrow | None:
    """Return what a correction of the last throw needs, after an entry.

    Return None if the last throw can no longer be corrected. ``live`` is the state before the entry
    and ``table`` the table after it.
    """
    since = live.since_throw
    if live.settings.dice != "typed" or table.correctable is None:
        return None
    if since is not None and "corrects" in entry.more:
        lines, dropped = keep_taken(since.lines, entry, events), _list_dropped(events)
        return replace(since, seq=entry.seq, lines=lines, dropped=dropped)
    if any(isinstance(event, ev.Rolled) for event in events):
        return SinceThrow(
            seq=entry.seq,
            memory=live.memory,
            no_line_repeat=live.no_line_repeat,
            bonus_hit=live.bonus_hit,
        )
    if since is not None and entry.line:
        return replace(since, lines=(*since.lines, *split_taken(entry.role, entry.line)))
    if since is not None and entry.act == "line-down":
        return replace(since, no_line_repeat=since.no_line_repeat | {entry.by})
    return since


def _list_dropped(events: Iterable[ev.AnyEvent]) -> tuple[DroppedLine, ...]:
    return tuple(
        DroppedLine(
            player=event.player,
            words=describe_command(event.command),
            reason=describe_refusal(event.refusal, event.player),
            cite=event.refusal.cite,
        )
        for event in events
        if isinstance(event, ev.CommandDropped)
    )


def _find_mark(rolled: ev.Rolled) -> Literal["", "point", "made", "seven-out"]:
    """Return what a throw did to the point: set it ("point"), "made", "seven-out", or ""."""
    if not rolled.was:
        return "point" if rolled.puck else ""
    total = rolled.first + rolled.second
    return "seven-out" if total == 7 else "made" if total == rolled.was else ""


def open_from_entry(id_: str, entry: Entry, book: Book | None = None) -> LiveTable:
    """Return the state after entry 0. ``id_`` is the table's id.

    ``book`` is the rulebook to deal by, by default the one that this program has now. Raise
    ValueError if the entry does not open a table.
    """
    opened = codec.event_from_builtins(entry.events[0])
    if not isinstance(opened, ev.Opened):
        raise ValueError("entry 0 does not open a table")
    settings = msgspec.convert(entry.more["settings"], Settings)
    return LiveTable(
        id=id_,
        settings=settings,
        version=str(entry.more["version"]),
        law=opened.digest,
        public_key=str(entry.more.get("public_key", "")),
        table=evolve(unopened_table(house_from_event(opened, book)), opened),
        head=entry.head,
        opened=entry.at,
        commitment=DiceCommitment().apply_entry(entry),
        posts={post: settings.posts.get(post, MACHINE) for post in POST_NAMES},
        thrown_at=entry.at,
        visited=entry.at,
    )


def house_from_event(opened: ev.Opened, book: Book | None = None) -> House:
    """Return the house that an opening event describes, even if the rulebook forbids it now.

    ``book`` is the rulebook to deal by, by default the one that this program has now.
    """
    house = opened.house
    elections = {key: parse_value(text) for key, text in house.elections.items()}
    return make_house(book or rulebook(house.rulebook), house.game, elections, house.name)


def fold_log(id_: str, entries: Iterable[Entry]) -> LiveTable | None:
    """Return the state after all entries of a table's log, or None for an empty log."""
    live: LiveTable | None = None
    for entry in entries:
        live = open_from_entry(id_, entry) if live is None else live.apply_entry(entry)
    return live


@lru_cache(4096)
def parse_time(at: str) -> datetime:
    """Return the time in an entry's field ``at``."""
    return datetime.fromisoformat(at)


def _apply_act(live: LiveTable, entry: Entry) -> LiveTable:
    """Return the state after an entry that has an act instead of a line, such as ``ready``."""
    match entry.act:
        case "ready":
            return replace(live, ready=live.ready | {entry.by})
        case "away" | "back":
            player = {str(entry.more["player"])}
            away = live.away | player if entry.act == "away" else live.away - player
            return replace(live, away=away)
        case "worked":
            return replace(live, posts_done=live.posts_done | {entry.role})
        case "line-down":
            return replace(live, no_line_repeat=live.no_line_repeat | {entry.by})
        case "line-up":
            return replace(live, no_line_repeat=live.no_line_repeat - {entry.by})
        case "asks":
            more = entry.more
            asking = BuyInRequest(int(more["amount"]), int(more.get("place", 0)), entry.seq)
            names = {**live.names, fold_look_alikes(entry.by): entry.by}
            down = _drop_player(live.declined_buy_ins, entry.by)
            requests = {**live.buy_in_requests, entry.by: asking}
            return replace(live, names=names, buy_in_requests=requests, declined_buy_ins=down)
        case "turn-down":
            who, why = str(entry.more["player"]), str(entry.more["reason"])
            down = {**live.declined_buy_ins, who: replace(live.buy_in_requests[who], reason=why)}
            requests = _drop_player(live.buy_in_requests, who)
            return replace(live, buy_in_requests=requests, declined_buy_ins=down)
        case "call-it":
            return replace(live, someone_else_calls=True)
        case "invite" | "withdraw":
            return _apply_invitation(live, entry)
        case "moved" | "arrived":
            return replace(live, moved=entry.act == "moved")
        case "version":
            law = str(entry.more.get("law", live.law))
            return replace(live, version=str(entry.more["version"]), law=law)
        case "key":
            return replace(live, public_key=str(entry.more["public_key"]))
        case _:
            return live


def _drop_player(asks: dict[str, BuyInRequest], player: str) -> dict[str, BuyInRequest]:
    """Return a copy of the buy-in requests without that of a player."""
    return {name: ask for name, ask in asks.items() if name != player}


def _apply_invitation(live: LiveTable, entry: Entry) -> LiveTable:
    """Return the state after an invitation by name, or after such an invitation was withdrawn."""
    who: dict[str, Any] = entry.more["holder"]
    if who.get("role") != "player" or not who.get("name"):
        return live
    name = str(who["name"])
    invited = {look: other for look, other in live.invited.items() if other != name}
    if entry.act == "invite":
        invited[fold_look_alikes(name)] = name
    return replace(live, invited=invited)


def _apply_people(live: LiveTable, entry: Entry, events: Sequence[ev.AnyEvent]) -> LiveTable:
    """Return the state after events that change who is at the table or who has which post."""
    for event in events:
        match event:
            case ev.Joined(player, name, place):
                seated = live.seated
                if player not in seated:
                    seated = {**seated, player: SeatedPlayer(place, entry.seq, entry.hash)}
                names = {**live.names, fold_look_alikes(name): name}
                live = replace(live, seated=seated, names=names)
            case ev.LeftTable(player):
                others = (other for other in live.recent_leavers if other != player)
                live = replace(live, recent_leavers=(player, *others)[:_REMEMBERED_LEAVERS])
            case ev.BoughtIn(player) if {player} & {*live.buy_in_requests, *live.declined_buy_ins}:
                asking = _drop_player(live.buy_in_requests, player)
                down = _drop_player(live.declined_buy_ins, player)
                live = replace(live, buy_in_requests=asking, declined_buy_ins=down)
            case ev.ShootoutMoved(note=note) if note is not None and note.what in _BONUS_ENDINGS:
                live = replace(live, bonus_hit=True)
            case ev.DiceInspected(serial="") | ev.DiceChanged():
                live = replace(live, bonus_hit=False) if live.bonus_hit else live
            case ev.Relieved(name, post):
                posts, named = dict(live.posts), dict(live.post_names)
                for role in (held.name for held in find_relieved_posts(post)):
                    posts[role] = MACHINE if name == MACHINE else "person"
                    named[role] = name
                live = replace(live, posts=posts, post_names=named)
    return live


def _apply_times(
    before: LiveTable, live: LiveTable, entry: Entry, events: Sequence[ev.AnyEvent]
) -> LiveTable:
    """Return ``live`` with the times and turns brought up to date after an entry.

    The pace of the game depends on them. ``before`` is the state before the entry.
    """
    at, table = entry.at, live.table
    thrown = any(isinstance(event, ev.Rolled | ev.NoRoll) for event in events)
    rolled = any(isinstance(event, ev.Rolled) for event in events)
    first_bet_at = at if _has_bets(table) and not _has_bets(before.table) else live.first_bet_at
    due = live.next_shooter
    if _may_change_shooter(table, events):
        who = find_next_shooter(table) if table.status == "live" and table.playing else None
        due = "" if who is None or isinstance(who, Refusal) else who.id
    active = {seat.id for seat in before.table.playing if seat.wagers}
    if entry.role == "player":
        active.add(entry.by)
    since = live.silent_since
    silent = {
        seat.id: at if seat.id in active else since.get(seat.id, at)
        for seat in table.playing
        if seat.here
    }
    return replace(
        live,
        thrown_at=at if thrown else live.thrown_at,
        first_thrown_at=live.first_thrown_at or (at if thrown else ""),
        ready=frozenset() if thrown else live.ready,
        # A throw that did not count has no work: what was done on the one before it stays done.
        posts_done=frozenset() if rolled else live.posts_done,
        someone_else_calls=live.someone_else_calls and not thrown,
        repeated_line_bets=_find_repeated_bets(live, entry, events, thrown),
        first_bet_at=first_bet_at,
        next_shooter=due,
        due_since=at if thrown or due != live.next_shooter else live.due_since,
        silent_since=silent,
        away=live.away - {entry.by} if entry.by in live.away else live.away,
        visited=live.visited if entry.role == MACHINE else at,
    )


def _may_change_shooter(table: Table, events: Sequence[ev.AnyEvent]) -> bool:
    """Return whether events may change whose turn it is to shoot.

    Of all bets only line bets can, so after other bets the shooter need not be computed again.
    """
    lines = table.house.book.dice.line_wagers.value
    return any(not isinstance(event, _BET_EVENTS) or event.wager in lines for event in events)


def _find_repeated_bets(
    live: LiveTable, entry: Entry, events: Sequence[ev.AnyEvent], thrown: bool
) -> frozenset[tuple[str, str]]:
    """Return, as (player, wager), the line bets that the server has repeated since the last throw.

    ``live`` is the state before the entry and ``thrown`` means that the entry is a throw.
    """
    if "corrects" in entry.more:
        repeats = (line.partition(": ") for line in entry.more.get("repeats", ()))
        return frozenset((name, said.partition(" ")[0]) for name, _, said in repeats)
    if entry.role == MACHINE and not thrown:
        made = {(e.player, e.wager) for e in events if isinstance(e, ev.Wagered)}
        return live.repeated_line_bets | made
    return frozenset() if thrown else live.repeated_line_bets


def _has_bets(table: Table) -> bool:
    return any(seat.wagers for seat in table.playing)
