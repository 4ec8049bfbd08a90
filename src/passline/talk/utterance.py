"""What a form of table talk is told, and the two ways in which it may fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Figure, Refusal, Wagers, refuse
from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.game.words.refusals import TALK_SENTENCES, describe_refusal


class DecidedBet(NamedTuple):
    """A wager of the last throw that decided any: its stake and what it was paid, in cents, and
    whether it won and stays up."""

    wager: str
    stake: int
    paid: int = 0
    stays: bool = False


#: What players may repeat, by name: what the last throw to decide anything of theirs decided.
LastBets = Mapping[str, tuple[DecidedBet, ...]]


class UnplayableError(Exception):
    """Talk that is understood and cannot be done: a matter of play, refused and not unreadable.

    Its ``refusal`` has a code and figures, worded in ``words``; ``choices`` are says that would
    leave no doubt, where there was one.
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(describe_refusal(refusal))
        self.refusal = refusal

    @property
    def choices(self) -> tuple[str, ...]:
        """Says that leave no doubt."""
        return tuple(map(str, self.refusal.allowed)) if self.refusal.code in TALK_SENTENCES else ()


class NoMatchError(Exception):
    """The form fits, the meaning does not: try the next."""


class MissingAmountError(NoMatchError):
    """A wager was named, and no amount; ``word`` is what leads to one."""

    def __init__(self, word: str = "for") -> None:
        super().__init__()
        self.word = word


class Utterance(NamedTuple):
    """The table, the player, what was said in plain words, and what may be repeated."""

    table: Table
    player: str
    words: tuple[str, ...]
    last: LastBets

    @property
    def said(self) -> str:
        """The plain words in a row."""
        return " ".join(self.words)

    @property
    def wagers(self) -> Wagers:
        """What the player has up."""
        return self.table.seat(self.player).wagers

    def replace_word(self, word: str, others: list[str]) -> list[str]:
        """What was said, the first of a word put in other words: each leaves no doubt.

        A word that was left out (``reduce to 30``) is put in after the verb.
        """
        if word not in self.words:
            return [" ".join((*self.words[:1], put, *self.words[1:])) for put in others]
        at = self.words.index(word)
        return [" ".join((*self.words[:at], put, *self.words[at + 1 :])) for put in others]

    def bet(self, name: str, cents: int) -> cmd.Bet:
        """A plain bet by the player, on what is called so."""
        return cmd.Bet(self.player, self.slug(name), cents)

    def slug(self, name: str) -> str:
        """The book's slug of what the floor, or the book itself, calls so."""
        return self.table.layout.slug(name)

    def spot(self, name: str) -> Spot | None:
        """The spot of what is called so; None: it is not dealt."""
        return self.table.layout.spot(name)

    def kind(self, name: str) -> str:
        """What the floor calls the family of a wager that is dealt here; empty: it is not."""
        spot = self.spot(name)
        return spot.kind if spot is not None else ""


def is_wager_slug(table: Table, slug: str) -> bool:
    """Whether a word is a wager's slug: one of the contract's, or one that this rulebook adds."""
    return slug in table.layout.slugs


def make_unplayable(
    code: str, cite: str = "custom: nothing to do it with", **figures: Figure
) -> UnplayableError:
    """A refusal of something that is understood, for want of what it is about."""
    return UnplayableError(refuse(code, cite, (), **figures))


def offer_choices(
    code: str,
    choices: Sequence[str],
    cite: str = "custom: money is never guessed",
    **figures: Figure,
) -> UnplayableError:
    """A refusal for words with more than one meaning: the choices, none of them taken."""
    return UnplayableError(refuse(code, cite, choices, **figures))
