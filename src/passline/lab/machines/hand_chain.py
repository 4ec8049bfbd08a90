"""Follow a shooter's hand to its seven-out on the real engine, through every possible roll.

The result is a small Markov chain of ``HandThrow`` that ``exact.hand_length`` solves. This module
needs no numpy.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from passline.game.dice.dice import FAIR, OUTCOMES, Dice
from passline.game.law.shapes.collect import Collect, Tally
from passline.game.layout.settle import see_throw
from passline.game.layout.spots import Layout
from passline.game.money.amounts import Odds
from passline.game.table.dice_custody import is_automated
from passline.game.table.events import Rolled
from passline.game.table.state import Table
from passline.game.table.throws import must_pass_dice
from passline.lab.machines.bet_walks import find_roll_event
from passline.lab.machines.next_states import State, add_shooter_bet, build_table

#: The next state of a roll that ends the hand, and the state before a come-out roll.
HAND_ENDED, COME_OUT = -1, 0


class HandThrow(NamedTuple):
    """A roll in a shooter's hand: its total, the next state or HAND_ENDED, and its weight.

    ``made`` is the point that the roll makes, or 0.
    """

    total: int
    next: int
    weight: int
    made: int


def walk_hand(layout: Layout, dice: Dice = FAIR) -> tuple[tuple[HandThrow, ...], ...]:
    """Return, for each state of a shooter's hand, the rolls that are possible there.

    State 0 is the come-out; each other state is a point.
    """
    pucks = [0]
    states: list[tuple[HandThrow, ...]] = []
    for puck in pucks:  # The list grows meanwhile.
        table = add_shooter_bet(build_table(layout, State(puck)))
        throws: Counter[tuple[int, int, int]] = Counter()
        for faces, weight in zip(OUTCOMES, dice.weights, strict=True):
            if not weight:
                continue
            after = find_roll_event(table, *faces).puck
            if must_pass_dice(table, sum(faces)):
                way = sum(faces), HAND_ENDED, 0
            else:
                if after not in pucks:
                    pucks.append(after)
                way = sum(faces), pucks.index(after), puck if after == 0 else 0
            throws[way] += weight
        states.append(tuple(HandThrow(*way[:2], w, way[2]) for way, w in throws.items()))
    return tuple(states)


#: In ``walk_collecting``, the next state of a throw with which the wager has collected enough.
COLLECTED = -2


class CollectBranch(NamedTuple):
    """A transition of ``walk_collecting``: the state, the next one, and the weight of the throws.

    ``next`` is COLLECTED if the wager has collected enough, and HAND_ENDED if the hand is over.
    """

    state: int
    next: int
    weight: int


def walk_collecting(
    layout: Layout, rule: Collect, least: int, dice: Dice = FAIR
) -> list[CollectBranch]:
    """Follow a shooter's hand until a wager such as fire has collected enough, or the hand ends.

    ``rule`` is the wager's, and ``least`` is how many it must collect. Return the transitions
    between states. A state is the puck, and what the wager has counted or that it is lost; state 0
    is the first come-out roll. The house need not deal the wager.
    """
    tiers = {least: (Odds(1, 1), "")}
    lost: Tally = (-1,)
    numbers: dict[tuple[int, Tally], int] = {(0, ()): 0}
    rolls: dict[int, list[tuple[int, bool]]] = {}
    found: list[CollectBranch] = []
    states = list(numbers)
    for puck, tally in states:  # The list grows meanwhile.
        if puck not in rolls:
            table = add_shooter_bet(build_table(layout, State(puck)))
            rolls[puck] = [
                (find_roll_event(table, *faces).puck, must_pass_dice(table, sum(faces)))
                for faces in OUTCOMES
            ]
        weights: Counter[int] = Counter()
        for index, (after, over) in enumerate(rolls[puck]):
            own, seen = tally, see_throw(layout, index, puck)
            if tally != lost:
                own = rule.add_throw(tiers, tally, seen)
            if own != lost and rule.count_tally(own) >= least:
                to = COLLECTED
            elif over:
                to = HAND_ENDED
            else:
                state = after, lost if tally == lost or rule.is_lost(seen) else own
                if state not in numbers:
                    numbers[state] = len(states)
                    states.append(state)
                to = numbers[state]
            weights[to] += dice.weights[index]
        here = numbers[puck, tally]
        found += [CollectBranch(here, to, weight) for to, weight in weights.items() if weight]
    return found


def count_ended_hand_throws(before: Table, rolled: Rolled) -> int:
    """Return how many rolls the hand had if this roll ended it, else 0.

    ``before`` is the table before the roll. Where a machine throws the dice there are no hands, and
    the result is 0.
    """
    if is_automated(before) or not must_pass_dice(before, rolled.first + rolled.second):
        return 0
    return before.turn + 1
