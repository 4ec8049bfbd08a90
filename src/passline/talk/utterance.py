"""What a form of table talk is told, and the two ways in which it may fail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from passline.house.payouts import wager_slugs
from passline.law.slugs import known_slugs
from passline.layout import Wagers, refuse
from passline.table import commands as cmd
from passline.table.state import Table

#: What players may repeat: by name, the wagers that came down when they were decided, in cents.
Last = Mapping[str, tuple[tuple[str, int], ...]]


class UnplayableError(Exception):
    """Talk that is understood and cannot be done: a matter of play, refused and not unreadable.

    ``choices`` are says that would leave no doubt, where there was one.
    """

    def __init__(
        self,
        reason: str,
        cite: str = "custom: nothing to do it with",
        choices: tuple[str, ...] = (),
    ) -> None:
        super().__init__(reason)
        self.refusal = refuse("said", cite, choices, words=reason)
        self.choices = choices


class UnheardError(Exception):
    """The form fits, the meaning does not: try the next."""


class HowMuchError(UnheardError):
    """A wager was named, and no amount."""


class Heard(NamedTuple):
    """The table, the player, what was said in plain words, and what may be repeated."""

    table: Table
    player: str
    words: tuple[str, ...]
    last: Last

    @property
    def said(self) -> str:
        """The plain words in a row."""
        return " ".join(self.words)

    @property
    def wagers(self) -> Wagers:
        """What the player has up."""
        return self.table.seat(self.player).wagers

    def with_word(self, word: str, others: list[str]) -> list[str]:
        """What was said, the first of a word put in other words: each leaves no doubt."""
        at = self.words.index(word)
        return [" ".join((*self.words[:at], put, *self.words[at + 1 :])) for put in others]

    def bet(self, slug: str, cents: int) -> cmd.Bet:
        """A plain bet by the player."""
        return cmd.Bet(self.player, slug, cents)


def knows(table: Table, slug: str) -> bool:
    """Whether a word is a wager's slug: one of the contract's, or one that this rulebook adds."""
    return (
        slug in table.layout.spots or slug in known_slugs() or slug in wager_slugs(table.house.book)
    )


def either(what: str, choices: list[str]) -> UnplayableError:
    """A refusal for words with more than one meaning: the choices, none of them taken."""
    *others, last = [f"'{choice}'" for choice in choices]
    said = f"{', '.join(others)} or {last}" if others else last
    return UnplayableError(
        f"{what}: say {said}",
        "custom: money is never guessed",
        tuple(choices),
    )
