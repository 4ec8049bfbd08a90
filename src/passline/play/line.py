"""A line wager that won, made again for its player: an explicit line of the record.

Whether it is wanted is noted in the record, as a comment that ``--resume`` reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from passline.law.wagers import Line
from passline.play.played import Played
from passline.record.deal import RecordEntry
from passline.table import commands as cmd
from passline.talk.errors import RecordError
from passline.talk.says import say_words
from passline.talk.understand import UnplayableError, understand

_NOTE = re.compile(r"#\s*line:\s*(up|down)")


def line_note(up: bool) -> str:
    """The comment that says what a player wants."""
    return f"# line: {'up' if up else 'down'}"


def is_left_up(text: str) -> bool:
    """Whether a game's player wants a winning line wager made again: as noted last, else yes.

    >>> is_left_up("rulebook: iowa"), is_left_up("# line: down\\n")
    (True, False)
    """
    notes = [note[1] for line in text.splitlines() if (note := _NOTE.fullmatch(line.strip()))]
    return not notes or notes[-1] == "up"


class LeftUp:
    """Whether a player's winning line wager is made again, and what was made so since the throw."""

    def __init__(self, game: Played, player: str) -> None:
        self.game, self.player = game, player
        self.wanted = is_left_up(game.text)
        self._made: tuple[str, ...] = ()

    def make_again(self) -> list[RecordEntry]:
        """Make what the throw won and took down again, where that is wanted."""
        self._made = ()
        says = tuple(self._says()) if self.wanted else ()
        if not says:
            return []
        entries = self.game.say(self.player, "; ".join(says))
        taken = [entry.command for entry in entries if entry.refusal is None]
        self._made = tuple(command.wager for command in taken if isinstance(command, cmd.Bet))
        return entries

    def _says(self) -> Iterator[str]:
        table = self.game.table
        seat = table.seat(self.player)
        for done in self.game.settled(self.player):
            won = done.result == "win" and not done.left and seat.here
            line = isinstance(table.layout.spots[done.wager].rule, Line)
            if won and line and done.wager not in seat.wagers:
                yield say_words(cmd.Bet(self.player, done.wager, done.stake))

    def want(self, up: bool) -> str:
        """Note what is wanted from now on; the say that takes down what was just left up."""
        self.wanted = up
        self.game.note(line_note(up))
        made, self._made = self._made, () if not up else self._made
        wagers = self.game.table.seat(self.player).wagers
        return "" if up else "; ".join(f"{slug} down" for slug in made if slug in wagers)

    def as_it_stands(self, say: str) -> cmd.Bet | None:
        """A say that would make a wager which was left up, just as it stands; else None.

        Nobody who says so means to have it twice without a word.
        """
        if not self._made:
            return None
        table = self.game.table
        try:
            said = understand(table, self.player, say)
        except (UnplayableError, RecordError):
            return None
        bet = said[0] if len(said) == 1 else None
        if not isinstance(bet, cmd.Bet) or bet.wager not in self._made:
            return None
        up = table.seat(self.player).wagers.get(bet.wager)
        return bet if up is not None and up.amount == bet.amount else None
