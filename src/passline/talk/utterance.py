"""What a form of table talk is told, and the two ways in which it may fail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from passline.house.payouts import wager_slugs
from passline.law.slugs import known_slugs
from passline.layout import Refusal, Wagers
from passline.table import commands as cmd
from passline.table.state import Table


class Decided(NamedTuple):
    """A wager of the last throw that decided any: its stake and what it was paid, in cents, and
    whether it won and stays up."""

    wager: str
    stake: int
    paid: int = 0
    stays: bool = False


#: What players may repeat, by name: what the last throw to decide anything of theirs decided.
Last = Mapping[str, tuple[Decided, ...]]


class UnplayableError(Exception):
    """Talk that is understood and cannot be done: a matter of play, refused and not unreadable.

    ``what`` is the matter, ``choices`` are says that would leave no doubt, where there was one.
    """

    def __init__(
        self,
        what: str,
        cite: str = "custom: nothing to do it with",
        choices: tuple[str, ...] = (),
    ) -> None:
        super().__init__(what)
        self.what, self.cite, self.choices = what, cite, choices

    @property
    def refusal(self) -> Refusal:
        """The same as a refusal of the table, its choices in words."""
        if not self.choices:
            return Refusal(self.what, self.cite)
        *others, last = [f"'{choice}'" for choice in self.choices]
        said = f"{', '.join(others)} or {last}" if others else last
        return Refusal(f"{self.what}: say {said}", self.cite)


class UndealtError(UnplayableError):
    """A wager that the table refuses as such: its own refusal stands."""

    def __init__(self, refused: Refusal) -> None:
        super().__init__(refused.reason, refused.cite)
        self._refused = refused

    @property
    def refusal(self) -> Refusal:
        """What the table said."""
        return self._refused


class UnheardError(Exception):
    """The form fits, the meaning does not: try the next."""


class HowMuchError(UnheardError):
    """A wager was named, and no amount; ``word`` is what leads to one."""

    def __init__(self, word: str = "for") -> None:
        super().__init__()
        self.word = word


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
        return self.table.seats[self.table.index(self.player)].wagers

    def with_word(self, word: str, others: list[str]) -> list[str]:
        """What was said, the first of a word put in other words: each leaves no doubt.

        A word that was left out (``reduce to 30``) is put in after the verb.
        """
        if word not in self.words:
            return [" ".join((*self.words[:1], put, *self.words[1:])) for put in others]
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
    return UnplayableError(what, "custom: money is never guessed", tuple(choices))
