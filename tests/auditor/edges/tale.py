"""How a wager ends, told as chances of what it nets, and the figures that follow."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

Ends = Iterable[tuple[Fraction, Fraction]]


class Figures(NamedTuple):
    """What a row of the odds sheet says. Edges are the house's where they are positive."""

    win: Fraction
    lose: Fraction
    push: Fraction
    edge: Fraction
    edge_resolved: Fraction
    rolls: Fraction
    edge_per_roll: Fraction
    sd: float
    edge_outlay: Fraction


def figures(ends: Ends, rolls: Fraction, outlay: Fraction = Fraction(1)) -> Figures:
    """The figures of a wager of one unit from its ends: (chance, net) pairs.

    A push is a decision that nets nothing. ``outlay`` is the stake with the vigorish paid up front.

    >>> coin = figures([(Fraction(1, 2), Fraction(1)), (Fraction(1, 2), Fraction(-1))], Fraction(1))
    >>> coin.win, coin.edge, coin.sd
    (Fraction(1, 2), Fraction(0, 1), 1.0)
    """
    chances: dict[Fraction, Fraction] = defaultdict(Fraction)
    for chance, net in ends:
        chances[net] += chance
    assert sum(chances.values()) == 1, "the ends of a wager must be all of them"
    mean = sum((p * net for net, p in chances.items()), Fraction())
    square = sum((p * net**2 for net, p in chances.items()), Fraction())
    win = sum((p for net, p in chances.items() if net > 0), Fraction())
    push = chances[Fraction(0)]
    return Figures(
        win=win,
        lose=1 - win - push,
        push=push,
        edge=-mean,
        edge_resolved=-mean / (1 - push),
        rolls=rolls,
        edge_per_roll=-mean / rolls,
        sd=math.sqrt(square - mean**2),
        edge_outlay=-mean / outlay,
    )
