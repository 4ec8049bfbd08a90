"""A game at a live table, played from the terminal.

Statements go to the server through ``live.client``. A listener thread receives the log's entries,
and this module applies them to a local copy of the table.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from passline.game.layout.stakes import refuse
from passline.game.table import codec
from passline.game.table.state import Table
from passline.game.words.prompt import say_prompt
from passline.live.client.client import Client
from passline.live.client.http import ClientError
from passline.live.client.listener import EntryOrError, LogListener, fold_entry
from passline.live.live_table import LiveTable
from passline.live.log_entries import Entry as LogEntry
from passline.live.random_dice import DiceSource
from passline.live.schema import LineResponse
from passline.play.game import BaseGame, spoken_words
from passline.play.terminal_session import LineBetKeeper
from passline.record.deal import RecordEntry, deal_line
from passline.record.read import RecordLine
from passline.talk.errors import RecordError
from passline.talk.same_bet import BetMemory

#: Errors of the server after which the player can rephrase and try again.
_REPHRASE_STATUSES = frozenset({400, 403, 409, 413, 422})


class LiveGame(BaseGame):
    """A game at a live table where the client already has a seat.

    One thread listens for log entries. Entries that arrive while the player's line is handled
    (``handling_line``) wait until it is done. At other times the listener's thread calls
    ``on_news`` at once. ``describe_entry`` returns the lines to show for what others did;
    ``unshown_lines`` are those not shown yet.
    """

    house_file = ""

    def __init__(self, client: Client) -> None:
        self.client, self.player = client, client.name
        self.players_who_spoke, self.written = set(), []
        self.throws = 0
        self.unshown_lines: list[str] = []
        self.describe_entry: Callable[[LogEntry, list[RecordEntry]], Iterable[str]] = lambda *_: ()
        self.on_news: Callable[[], None] = lambda: None
        self.failed: Exception | None = None
        self._live: LiveTable | None = None
        self._waiting: deque[LogEntry] = deque()
        self._news = threading.Condition(threading.RLock())
        self._handling = True
        self._mine: list[str] = []
        self._listener = LogListener(client, self._receive)

    @property
    def quit_note(self) -> str:  # type: ignore[override]
        """How to come back to the seat. It contains the token: show it only to the player."""
        again = f"passline play --name {self.player} --table {self.client.url}#{self.client.token}"
        return say_prompt("seat-stays", command=again)

    @property
    def live(self) -> LiveTable:
        """The table as of the last entry received."""
        assert self._live is not None, "no entry has arrived yet"
        return self._live

    @property
    def text(self) -> str:
        """The record of the game, fetched from the server."""
        return self.client.record()

    # Receiving entries.

    def _receive(self, received: EntryOrError) -> None:
        with self._news:
            if isinstance(received, Exception):
                self.failed = received
            else:
                self._waiting.append(received)
            self._news.notify_all()
            if not self._handling:
                self.on_news()

    @contextmanager
    def handling_line(self) -> Iterator[None]:
        """Return a context in which log entries of other players wait to be shown.

        Use it while a line that the player typed is handled.
        """
        with self._news:
            self._handling = True
        try:
            yield
        finally:
            with self._news:
                self.catch_up()
                self._handling = False

    def catch_up(self) -> None:
        """Apply all waiting log entries to the table. Add lines on them to ``unshown_lines``."""
        with self._news:
            while self._waiting:
                self._fold(own="")

    def wait_for_seat(self) -> None:
        """Wait until the player has a seat, which the boxperson may have to approve."""
        while self._live is None or self.live.table.find(self.player) is None:
            self._next()
        while self._waiting:
            self._next()
        self.unshown_lines.clear()

    def _next(self, own: str = "") -> list[RecordEntry]:
        """Wait for the next log entry and apply it. ``own`` is the hash of the player's own entry.

        Raise the listener's error if it failed.
        """
        with self._news:
            self._news.wait_for(lambda: self._waiting or self.failed)
            if not self._waiting:
                assert self.failed is not None
                raise self.failed
            return self._fold(own)

    def _fold(self, own: str) -> list[RecordEntry]:
        """Apply the first waiting log entry to the local table, and return its record entries.

        Add lines that describe it to ``unshown_lines``, unless its hash is ``own``.
        """
        entry = self._waiting.popleft()
        before = self._live
        live = self._live = fold_entry(self.client.table, before, entry)
        self.table, self.house = live.table, live.table.house
        if before is None:
            self.before, self.thrown = live.table, None
            return []
        if live.last_throw is not None and live.last_throw is not before.last_throw:
            self.thrown, self.before = live.last_throw.rolled, live.last_throw.before
            self.throws += 1
            self._mine.clear()
        dealt = redeal_entry(before.table, before.memory, entry)
        if entry.hash != own:
            self.unshown_lines += self.describe_entry(entry, dealt)
        return dealt

    # Sending lines.

    def _send(self, words: str, here: Iterable[RecordEntry] = ()) -> list[RecordEntry]:
        """Send the line ``words``, apply log entries up to the player's own, and return results.

        ``here`` are the results of the same statements dealt locally. Raise RecordError with the
        server's message if the player can rephrase.
        """
        try:
            response = self.client.say(words)
        except ClientError as error:
            if error.status not in _REPHRASE_STATUSES:
                raise
            cite = f" [{error.cite}]" if error.cite else ""
            raise RecordError(f"{error.message}{cite}") from None
        if response.pending:
            self.unshown_lines.append(say_prompt("waits-for-box"))
        dealt: list[RecordEntry] = []
        while response.seq is not None and self.live.head.seq < response.seq:
            dealt = self._next(response.hash or "")
        return _match_entries(self.player, response, dealt, here)

    def say(self, player: str, text: str) -> list[RecordEntry]:
        """Check the player's statements locally, then send them to the server, which decides.

        Checking first gives the usual message for words that are not understood. Raise RecordError
        for those.
        """
        if player != self.player:
            raise RecordError(say_prompt("speaks-for-self", player=player))
        says = tuple(say.strip() for say in text.split(";") if say.strip())
        if not says:
            return []
        line = RecordLine(0, text, player=player, says=says)
        here = [one for one, _ in deal_line(self.table, line, dict(self.live.memory))]
        entries = self._send("; ".join(says), here)
        self._mine += [spoken_words(one) for one in entries if one.refusal is None and one.events]
        return entries

    def do_table_line(self, text: str) -> list[RecordEntry]:
        """Send a record line about the player, such as a buy-in."""
        return self._send(text)

    def roll(self, dice: DiceSource) -> list[RecordEntry]:
        """Ask the house to roll, with a nonce of the client's. ``dice`` is not used."""
        return self._send("roll")

    def undo(self, player: str) -> tuple[str, list[RecordEntry]]:
        """Take back the player's last statement since the roll. Return (its words, the entries)."""
        entries = self._send("undo")
        taken = all(entry.refusal is None for entry in entries)
        said = self._mine.pop() if taken and self._mine else say_prompt("said-last")
        return said, entries

    def note(self, comment: str) -> None:
        """Do nothing: the log of a live table has no comments."""

    def close(self) -> None:
        """Stop the listener."""
        self._listener.close()


class HouseLineBets(LineBetKeeper):
    """Lets the server of a live table make winning line bets again."""

    def __init__(self, game: LiveGame) -> None:
        self.game, self.player, self._live = game, game.player, game
        self.wanted = game.player not in game.live.no_line_repeat
        self._made = ()

    def remake_bets(self) -> list[RecordEntry]:
        """Return an empty list, because the server makes the bets again."""
        return []

    def set_preference(self, up: bool) -> str:
        """Send the player's preference to the server, and return "".

        If ``up`` is false, the server takes down a line bet that it just made again.
        """
        self.wanted = up
        self._live.do_table_line(f"leave my line {'up' if up else 'down'}")
        return ""


def redeal_entry(table: Table, memory: BetMemory, entry: LogEntry) -> list[RecordEntry]:
    """Play a log entry's line on the table before it. Return a record entry for each command.

    ``memory`` holds the bets that players may repeat. If the local events differ from those in the
    log (the server may run another version), return one entry with the log's events. Return [] if
    the entry has no line.
    """
    if not entry.line:
        return []
    name, colon, rest = entry.line.partition(": ")
    player = name if colon and table.find(name) is not None else ""
    line = RecordLine(0, entry.line, player=player, says=tuple(rest.split("; ")) if player else ())
    try:
        dealt = [one for one, _ in deal_line(table, line, dict(memory))]
    except RecordError:
        dealt = []
    events = tuple(codec.event_from_builtins(event) for event in entry.events)
    if tuple(event for one in dealt for event in one.events) == events:
        return dealt
    return [_make_record_entry(player, entry.line, entry.line, events=events)]


def _make_record_entry(player: str, said: str, words: str, **more: Any) -> RecordEntry:
    more = {"events": (), "refusal": None, **more}
    return RecordEntry(line=0, player=player, said=said, words=words, command=None, **more)


def _match_entries(
    player: str, response: LineResponse, dealt: list[RecordEntry], here: Iterable[RecordEntry]
) -> list[RecordEntry]:
    """Return one entry for each statement of the player's line, in the order of the response.

    An accepted statement is its entry in ``dealt``, from the log, with what the player typed as
    ``said``. A refused one has the refusal from ``here``, the same line dealt locally, if there is
    one: it has more figures than the server's. Return ``dealt`` if no statement has an entry.
    """
    taken = iter(dealt if len(dealt) == len(response.accepted) else [])
    known = {(one.words, one.refusal.cite): one.refusal for one in here if one.refusal}
    entries = []
    for one in response.entries:
        if one.refusal is not None:
            cite = one.refusal.cite or ""
            refusal = known.get((one.words, cite), refuse("said", cite, words=one.refusal.reason))
            entries.append(_make_record_entry(player, one.said, one.words, refusal=refusal))
        elif (entry := next(taken, None)) is not None:
            entries.append(msgspec.structs.replace(entry, said=one.said))
    return entries or dealt
