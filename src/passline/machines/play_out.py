"""What is up when a player says no more, followed to its end on the real table.

Every wager comes down at its first decision, what is off waits, and what nothing will ever decide
comes down as it is. Wagers are thrown for together: one throw may decide several.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from passline.dice import FAIR, OUTCOMES, Dice
from passline.layout import Refusal
from passline.machines.chain import WHOLE, Arc
from passline.machines.seat import (
    PLAYER,
    MachineSeat,
    State,
    shooter_bets,
    table_at,
    throw_dice,
    worth,
)
from passline.table import Table, decide, evolve
from passline.table import commands as cmd
from passline.table.events import AnyEvent, Rolled

#: The place at which nothing is up.
OVER = 0
#: A wager that stays where it is, or goes where it is meant to, is not decided.
_UNDECIDED = frozenset({"push", "travel"})


class PlayOutWays(NamedTuple):
    """Where the play-outs of some states begin, and the ways on from every place, each place's
    of a ``whole``."""

    places: tuple[int, ...]
    ways: tuple[tuple[Arc, ...], ...]
    whole: int = WHOLE


class PlayOutRows(NamedTuple):
    """Where the play-outs of all states of a machine begin; ``next[place, outcome]`` and
    ``money[place, outcome]`` as a machine has them."""

    places: NDArray[np.int64]
    next: NDArray[np.int64]
    money: NDArray[np.int64]


class PlayOut:
    """The places that play-outs come through: ``ways[place]`` leads on from each, in cents."""

    def __init__(self, seat: MachineSeat, dice: Dice = FAIR) -> None:
        self._seat, self._layout, self._dice = seat, seat.layout, dice
        self._numbers: dict[State, int] = {State(): OVER}
        self._places: list[State] = [State()]
        self.ways: list[tuple[Arc, ...]] = [(Arc(OVER, 0, dice.whole),)]
        #: By place, for each of the 36 outcomes: the place that it leads to, and the money.
        self.rows: list[tuple[tuple[int, int], ...]] = [((OVER, 0),) * len(OUTCOMES)]

    def place_of(self, state: State) -> int:
        """Where the play-out of a state begins; everything that it leads to is explored."""
        place = self._number(state)
        while len(self.ways) < len(self._places):
            self.ways.append(self._spread(self._places[len(self.ways)]))
        return place

    def _number(self, state: State) -> int:
        if not state.wagers:
            return OVER
        keeps = bool(self._layout.collects)
        plain = State(
            puck=state.puck,
            wagers=state.wagers,
            fresh=state.fresh if keeps else True,
            made=state.made,
            thrown=state.thrown,
            riding=state.riding,
        )
        number = self._numbers.get(plain)
        if number is None:
            number = self._numbers[plain] = len(self._places)
            self._places.append(plain)
        return number

    def _spread(self, state: State) -> tuple[Arc, ...]:
        table = shooter_bets(table_at(self._layout, state))
        before = worth(table)
        ways: dict[tuple[int, int], int] = {}
        found: dict[object, tuple[int, int]] = {}
        alike = self._seat.alike(table)
        for faces, like, weight in zip(OUTCOMES, alike, self._dice.weights, strict=True):
            if like not in found:
                after, events = throw_dice(table, *faces)
                after = _take_down_decided(after, events)
                found[like] = self._number(_left(after)), worth(after) - before
            way = found[like]
            ways[way] = ways.get(way, 0) + weight
        self.rows.append(tuple([found[like] for like in alike]))
        return tuple(Arc(to, money, weight) for (to, money), weight in sorted(ways.items()))


def _left(table: Table) -> State:
    return State(
        puck=table.puck,
        wagers=tuple(sorted(table.playing[0].wagers.items(), key=lambda up: up[0])),
        fresh=table.fresh,
        made=table.made,
        thrown=table.thrown,
        riding=table.riding,
    )


def _take_down_decided(table: Table, events: tuple[AnyEvent, ...]) -> Table:
    """The table without the wagers that the throw decided and left up."""
    settled = [
        done
        for event in events
        if isinstance(event, Rolled)
        for done in event.settlements
        if done.player == PLAYER
    ]
    came = {done.to for done in settled if done.to is not None}
    decided = {done.wager for done in settled if done.result not in _UNDECIDED}
    for wager in sorted((decided - came) & table.playing[0].wagers.keys()):
        table = _take_down(table, wager)
    return table


def _take_down(table: Table, wager: str) -> Table:
    """By the rules where they let it come down; where they do not, this is the end of it."""
    answer = decide(table, cmd.TakeDown(PLAYER, wager))
    if not isinstance(answer, Refusal):
        for event in answer:
            table = evolve(table, event)
        return table
    seat = table.playing[0]
    wagers = {slug: stake for slug, stake in seat.wagers.items() if slug != wager}
    rail = seat.rail + seat.wagers[wager].amount
    return replace(table, playing=(replace(seat, wagers=wagers, rail=rail), *table.playing[1:]))
