"""A shooter's hand, walked on the real engine: every throw from the come-out to the seven that
ends it."""

from __future__ import annotations

from typing import NamedTuple

from passline.dice import FAIR, OUTCOMES, Dice
from passline.layout import Layout
from passline.machines.decision import roll_dice
from passline.machines.seat import State, shooter_bets, table_at
from passline.table import Table
from passline.table.custody import automated
from passline.table.events import Rolled
from passline.table.throwing import must_pass

#: Where the throw leads that ends the hand, and where one leads that decides the line.
ENDED, COME_OUT = -1, 0


class HandWay(NamedTuple):
    """One way on: the state it leads to (or ENDED), what it weighs, and the point that is made
    (0: none)."""

    next: int
    weight: int
    made: int


class HandThrow(NamedTuple):
    """A total thrown: the state it leads to (or ENDED), what it weighs, the point that is made."""

    total: int
    next: int
    weight: int
    made: int


def walk_hand(layout: Layout, dice: Dice = FAIR) -> tuple[tuple[HandWay, ...], ...]:
    """The ways on from every state of a hand: the come-out is state 0, the others its points."""
    found = []
    for throws in walk_throws(layout, dice):
        ways: dict[tuple[int, int], int] = {}
        for throw in throws:
            way = throw.next, throw.made
            ways[way] = ways.get(way, 0) + throw.weight
        found.append(tuple(HandWay(to, often, made) for (to, made), often in ways.items()))
    return tuple(found)


def walk_throws(layout: Layout, dice: Dice = FAIR) -> tuple[tuple[HandThrow, ...], ...]:
    """The same, every total by itself."""
    numbers: dict[int, int] = {0: COME_OUT}
    waiting = [0]
    found: list[tuple[HandThrow, ...]] = []
    while len(found) < len(waiting):
        puck = waiting[len(found)]
        table = shooter_bets(table_at(layout, State(puck)))
        throws: dict[tuple[int, int, int], int] = {}
        for faces, weight in zip(OUTCOMES, dice.weights, strict=True):
            after = roll_dice(table, *faces).puck
            if must_pass(table, sum(faces)):
                way = sum(faces), ENDED, 0
            else:
                if after not in numbers:
                    numbers[after] = len(waiting)
                    waiting.append(after)
                way = sum(faces), numbers[after], puck if after == 0 else 0
            throws[way] = throws.get(way, 0) + weight
        found.append(tuple(HandThrow(*way[:2], w, way[2]) for way, w in throws.items()))
    return tuple(found)


def hand_ended(before: Table, rolled: Rolled) -> int:
    """How many throws the hand had that this throw ended; 0: it ended none.

    Where a machine throws there is no shooter, and no hand.
    """
    if automated(before) or not must_pass(before, rolled.first + rolled.second):
        return 0
    return before.turn + 1
