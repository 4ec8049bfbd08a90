"""A shooter's hand, walked on the real engine: every throw from the come-out to the seven that
ends it."""

from __future__ import annotations

from typing import NamedTuple

from passline.dice import OUTCOMES
from passline.layout import Layout
from passline.machines.decision import roll_dice
from passline.machines.seat import State, shooter_bets, table_at
from passline.table import Table
from passline.table.custody import automated
from passline.table.events import Rolled
from passline.table.throwing import must_pass

#: Where the throw leads that ends the hand.
ENDED = -1


class HandWay(NamedTuple):
    """One way on: the state it leads to (or ENDED), how many of 36 outcomes, and whether a point
    is made."""

    next: int
    weight: int
    made: bool


def walk_hand(layout: Layout) -> tuple[tuple[HandWay, ...], ...]:
    """The ways on from every state of a hand: the come-out is state 0, the others its points."""
    numbers: dict[int, int] = {0: 0}
    waiting = [0]
    found: list[tuple[HandWay, ...]] = []
    while len(found) < len(waiting):
        puck = waiting[len(found)]
        table = shooter_bets(table_at(layout, State(puck)))
        ways: dict[tuple[int, bool], int] = {}
        for dice in OUTCOMES:
            after = roll_dice(table, *dice).puck
            if must_pass(table, sum(dice)):
                way = ENDED, False
            else:
                if after not in numbers:
                    numbers[after] = len(waiting)
                    waiting.append(after)
                way = numbers[after], puck != 0 and after == 0
            ways[way] = ways.get(way, 0) + 1
        found.append(tuple(HandWay(to, often, made) for (to, made), often in ways.items()))
    return tuple(found)


def hand_ended(before: Table, rolled: Rolled) -> int:
    """How many throws the hand had that this throw ended; 0: it ended none.

    Where a machine throws there is no shooter, and no hand.
    """
    if automated(before) or not must_pass(before, rolled.first + rolled.second):
        return 0
    return before.turn + 1
