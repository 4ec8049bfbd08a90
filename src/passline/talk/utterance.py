"""The input of every talk parser (`Utterance`), and helpers that build refusals.

Parsers read the table and never change it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Figure, Wagers, refuse
from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.talk.errors import UnplayableError


class DecidedBet(NamedTuple):
    """A wager that the last deciding roll settled for its player; amounts are in cents.

    `stays_up` says that it won and stays on the layout.
    """

    wager: str
    stake: int
    paid: int = 0
    stays_up: bool = False


#: By player: what the last roll that decided any of the player's wagers decided.
LastBets = Mapping[str, tuple[DecidedBet, ...]]


class Utterance(NamedTuple):
    """What a player said, as normalized words, and the bets that "same bet" may repeat.

    `table` is the table at which the player spoke.
    """

    table: Table
    player: str
    words: tuple[str, ...]
    last_bets: LastBets

    @property
    def text(self) -> str:
        """Return the normalized words joined by spaces."""
        return " ".join(self.words)

    @property
    def spots(self) -> Mapping[str, Spot]:
        """Return the spots of the layout, by slug."""
        return self.table.layout.spots

    @property
    def wagers(self) -> Wagers:
        """Return the wagers that the player has on the layout, by slug."""
        return self.table.seat(self.player).wagers

    def replace_word(self, word: str, others: list[str]) -> list[str]:
        """Return the text once for each of `others`, with the first `word` replaced by it.

        If the player left the word out (`reduce to 30`), it is inserted after the verb.
        """
        at = self.words.index(word) if word in self.words else 1
        rest = self.words[at + (word in self.words) :]
        return [" ".join((*self.words[:at], other, *rest)) for other in others]

    def change_or_bet(self, slug: str, cents: int) -> list[cmd.AnyCommand]:
        """Return [a change to `cents`] if the wager is up, or else [a bet of `cents` on it]."""
        if slug in self.wagers:
            return [cmd.Change(self.player, slug, cents)]
        return [self.make_bet(slug, cents)]

    def is_slug(self, word: str) -> bool:
        """Return whether a word is a wager slug: a standard one, or one of this rulebook's."""
        return word in self.table.layout.slugs

    def make_bet(self, name: str, cents: int) -> cmd.Bet:
        """Return a plain bet of `cents` by this player on the wager of that name."""
        return cmd.Bet(self.player, self.find_slug(name), cents)

    def find_slug(self, name: str) -> str:
        """Return this rulebook's slug for a wager, given its common name or the slug itself."""
        return self.table.layout.slug(name)

    def find_spot(self, name: str) -> Spot | None:
        """Return the spot of a wager, or None if this table does not deal it."""
        return self.table.layout.spot(name)

    def find_kind(self, name: str) -> str:
        """Return the standard name of a wager's family, such as `place-win`.

        `name` is the wager's common name or slug. Return "" if this table does not deal the wager.
        """
        spot = self.find_spot(name)
        return spot.kind if spot is not None else ""


#: Why talk about a change, about odds, or without its amount cannot be played.
_CHANGE_CITE = "custom: only a wager that is up can be changed"
ODDS_CITE = "custom: odds go behind a wager that is up"
MONEY_CITE = "custom: money is never guessed"


def make_unplayable(code: str, cite: str = _CHANGE_CITE, **figures: Figure) -> UnplayableError:
    """Return the error to raise for talk that is understood but cannot be played.

    `code` is the key of the error's sentence in `game.words.refusals`, `figures` fills in its
    placeholders, and `cite` is the clause or custom.
    """
    return UnplayableError(refuse(code, cite, (), **figures))


def offer_choices(
    code: str, choices: Sequence[str], cite: str = MONEY_CITE, **figures: Figure
) -> UnplayableError:
    """Return the error to raise for ambiguous talk. It offers `choices`: what the talk may mean.

    `choices` are phrases to say instead. The other arguments are as for `make_unplayable`.
    """
    return UnplayableError(refuse(code, cite, choices, **figures))
