"""A chain: what is left of a machine when only money and chance are asked about.

States that nothing tells apart are one here: same need, and the same money with the same chances
of going on alike. Which dice do it no longer matters, so the point 4 and the point 10 are one.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

#: With fair dice, an arc's weight is so many of the 36 outcomes.
FAIR_DICE_WEIGHT = 36
#: Larger chains are not solved for their long run by default: it would take minutes.
MAX_SOLVED_STATES = 5_000


class Arc(NamedTuple):
    """One way on from a state: where to, the change of money (cents), what it weighs."""

    next: int
    money: int
    weight: int


class Chain(msgspec.Struct, frozen=True):
    """States by number: their arcs, and the least worth (cents) that covers their wagers.

    ``kinds`` tells states apart besides, where something asks for more than money and chance: what
    is up there, to be played out. Empty: nothing does. ``whole`` is what the arcs of a state weigh
    together: 36 with fair dice.
    """

    arcs: tuple[tuple[Arc, ...], ...]
    need: tuple[int, ...]
    start: int = 0
    kinds: tuple[int, ...] = ()
    whole: int = FAIR_DICE_WEIGHT

    def __len__(self) -> int:
        """How many states."""
        return len(self.arcs)
