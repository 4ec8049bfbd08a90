"""The order of the crew's work on a throw, as data: ``sequence.toml``."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from passline.crew.ends import Way
from passline.crew.tasks import Verb
from passline.dice import SEVEN
from passline.table.events import Rolled

#: Where the game stands when a throw comes: a come-out that decides, one that sets a point, a throw
#: between, the point made, or a seven-out.
Phase = Literal["come-out", "point-set", "between", "made", "seven-out"]
#: The book whose order is kept where a book gives none (decisions: settlement order).
CUSTOM = "iowa"


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step: who does what to which wagers, walking which way, and the clause by rulebook."""

    name: str
    do: Verb
    by: Literal["stick", "base", "box"]
    words: str = ""
    kinds: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    when: tuple[Phase, ...] = ()
    only: tuple[str, ...] = ()
    #: Only if such wagers are decided too: what is pushed aside is in somebody's way.
    before: tuple[str, ...] = ()
    #: Handles a part of the wager; the rest is still to be settled.
    partly: bool = False
    way: Way = "base-to-stick"
    first: Literal["", "dice-end"] = ""
    where: str = ""
    cite: dict[str, str]
    #: Further clauses that its place, order or manner carries out.
    also: dict[str, tuple[str, ...]] = {}

    def cited(self, book: str, game: str = "") -> str:
        """The book's clause for the step (that of the game, where it has its own), or the custom
        by which it is done so."""
        for key in (f"{book} {game}", book):
            if key in self.cite:
                return self.cite[key]
        if CUSTOM in self.cite:
            return f"custom: the crew works as {CUSTOM} {self.cite[CUSTOM]} has it"
        return "custom: the crew's own order"


class _Sequence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    step: tuple[Step, ...]


@cache
def steps() -> tuple[Step, ...]:
    """Every step, in order."""
    text = resources.files("passline.crew").joinpath("sequence.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=_Sequence).step


def steps_for(book: str, phase: Phase) -> tuple[Step, ...]:
    """The steps of a throw under a rulebook."""
    return tuple(
        step
        for step in steps()
        if (not step.when or phase in step.when) and (not step.only or book in step.only)
    )


def phase_of(rolled: Rolled) -> Phase:
    """Where the game stood.

    >>> phase_of(Rolled(3, 3, "ann", 0, 6, ())), phase_of(Rolled(4, 3, "ann", 6, 0, ()))
    ('point-set', 'seven-out')
    """
    if not rolled.was:
        return "point-set" if rolled.puck else "come-out"
    if rolled.puck:
        return "between"
    return "seven-out" if rolled.first + rolled.second == SEVEN else "made"
