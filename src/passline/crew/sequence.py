"""The order of the crew's work on a throw, as data: ``sequence.toml``."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from passline.crew.ends import WalkWay
from passline.crew.facts import Occasion
from passline.crew.tasks import TaskVerb

#: The book whose order is kept where a book gives none (decisions: settlement order).
CUSTOM = "iowa"
#: Every kind of wager.
ANY = "*"
StepHands = Literal["stick", "base", "box"]


def custom_of(cite: dict[str, str]) -> str:
    """What is named where a book says nothing: the custom, and whose it is."""
    if CUSTOM in cite:
        return f"custom: the crew works as {CUSTOM} {cite[CUSTOM]} has it"
    return "custom: the crew's own order"


class Beat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is done once for a player in a step, where it handles such wagers of his."""

    do: TaskVerb
    kinds: tuple[str, ...]
    words: str
    cite: dict[str, str]

    def cited(self, book: str) -> str:
        """The book's clause, or the custom."""
        return self.cite.get(book) or custom_of(self.cite)


class Spoken(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is announced as a wager is taken or paid; ``custom``: under every book.

    ``by`` says who does, if not whoever handles the wager; ``also`` further clauses that ask it.
    """

    by: StepHands | None = None
    do: tuple[TaskVerb, ...]
    kinds: tuple[str, ...]
    cite: dict[str, str]
    also: dict[str, tuple[str, ...]] = {}
    custom: bool = False

    def cited(self, book: str) -> str:
        """The book's clause, or the custom; empty: it is not said under this book."""
        return self.cite.get(book) or (custom_of(self.cite) if self.custom else "")


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step: who does what to which wagers, walking which way, and the clause by rulebook."""

    name: str
    do: TaskVerb
    by: StepHands
    words: str = ""
    kinds: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    when: tuple[Occasion, ...] = ()
    only: tuple[str, ...] = ()
    #: Only if such wagers are decided too: what is pushed aside is in somebody's way.
    before: tuple[str, ...] = ()
    #: Handles a part of the wager; the rest is still to be settled.
    partly: bool = False
    way: WalkWay = "base-to-stick"
    order: Literal["kind", "inside"] = "kind"
    first: Literal["", "dice-end"] = ""
    #: At one end only: where the dice lie, or where the shooter stands.
    end: Literal["", "dice", "shooter"] = ""
    where: str = ""
    before_player: tuple[Beat, ...] = ()
    after_player: tuple[Beat, ...] = ()
    cite: dict[str, str]
    #: Further clauses that its place, order or manner carries out.
    also: dict[str, tuple[str, ...]] = {}

    def cited(self, book: str, game: str = "") -> str:
        """The book's clause for the step (that of the game, where it has its own), or the custom
        by which it is done so."""
        for key in (f"{book} {game}", book):
            if key in self.cite:
                return self.cite[key]
        return custom_of(self.cite)


class _Sequence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    announce: tuple[Spoken, ...]
    step: tuple[Step, ...]


@cache
def _sequence() -> _Sequence:
    text = resources.files("passline.crew").joinpath("sequence.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=_Sequence)


def steps_for(book: str, occasion: Occasion) -> tuple[Step, ...]:
    """The steps of a throw under a rulebook."""
    return tuple(
        step
        for step in _sequence().step
        if (not step.when or occasion in step.when) and (not step.only or book in step.only)
    )


def spoken_for(book: str, step: Step, kind: str) -> Spoken | None:
    """What is announced as a step takes or pays a wager of a kind; None: nothing."""
    for line in _sequence().announce:
        fits = step.do in line.do and (kind in line.kinds or line.kinds == (ANY,))
        if fits and line.cited(book):
            return line
    return None
