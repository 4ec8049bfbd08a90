"""What is up when a player says no more, followed to its end on the real table.

Every wager comes down at its first decision, what is off waits, and what nothing will ever decide
comes down as it is. Wagers are thrown for together: one throw may decide several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from passline.game.dice.dice import FAIR, OUTCOMES, Dice
from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.lab.machines.chain import FAIR_DICE_WEIGHT, Arc
from passline.lab.machines.seat import (
    PLAYER,
    MachineSeat,
    State,
    add_shooter_bet,
    build_table,
    count_worth,
    find_decided_open_bets,
    throw_dice,
)

#: The place at which nothing is up.
NOTHING_UP = 0
#: Asked for what throws came to before, where the layout stood like this and no throw leaves a
#: wager up that it decided: by outcome the next state, and the change of worth; None: not known.
KnownThrows = Callable[[State], Sequence[tuple[State, int]] | None]


class PlayOutWays(NamedTuple):
    """Where the play-outs of some states begin, and the ways on from every place, each place's
    of a ``whole``."""

    places: tuple[int, ...]
    ways: tuple[tuple[Arc, ...], ...]
    whole: int = FAIR_DICE_WEIGHT


class PlayOutRows(NamedTuple):
    """Where the play-outs of all states of a machine begin; ``next[place, outcome]`` and
    ``money[place, outcome]`` as a machine has them."""

    places: NDArray[np.int64]
    next: NDArray[np.int64]
    money: NDArray[np.int64]


class PlayOutExplorer:
    """The places that play-outs come through: ``ways[place]`` leads on from each, in cents."""

    def __init__(self, seat: MachineSeat, thrown_before: KnownThrows, dice: Dice = FAIR) -> None:
        self._seat, self._layout, self._dice = seat, seat.layout, dice
        self._thrown_before = thrown_before
        self._numbers: dict[State, int] = {State(): NOTHING_UP}
        self._places: list[State] = [State()]
        self.ways: list[tuple[Arc, ...]] = [(Arc(NOTHING_UP, 0, dice.whole),)]
        #: By place, for each of the 36 outcomes: the place that it leads to, and the money.
        self.rows: list[tuple[tuple[int, int], ...]] = [((NOTHING_UP, 0),) * len(OUTCOMES)]

    def place_of(self, state: State) -> int:
        """Where the play-out of a state begins; everything that it leads to is explored."""
        place = self._number(state)
        while len(self.ways) < len(self._places):
            self.ways.append(self._spread(self._places[len(self.ways)]))
        return place

    def _number(self, state: State) -> int:
        if not state.wagers:
            return NOTHING_UP
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
        known = self._thrown_before(state)
        if known is None:
            row = self._throw(state)
        else:
            numbers: dict[State, int] = {}
            for after, _ in known:
                if after not in numbers:
                    numbers[after] = self._number(after)
            row = [(numbers[after], money) for after, money in known]
        ways: dict[tuple[int, int], int] = {}
        for way, weight in zip(row, self._dice.weights, strict=True):
            ways[way] = ways.get(way, 0) + weight
        self.rows.append(tuple(row))
        return tuple(Arc(to, money, weight) for (to, money), weight in sorted(ways.items()))

    def _throw(self, state: State) -> list[tuple[int, int]]:
        """By outcome, the place that it leads to and the money, at the table."""
        table = add_shooter_bet(build_table(self._layout, state))
        before = count_worth(table)
        found: dict[object, tuple[int, int]] = {}
        alike = self._seat.alike(table)
        for faces, like in zip(OUTCOMES, alike, strict=True):
            if like not in found:
                after, events = throw_dice(table, *faces)
                for wager in find_decided_open_bets(after, events):
                    after = _take_down(after, wager)
                found[like] = self._number(_find_state_left(after)), count_worth(after) - before
        return [found[like] for like in alike]


def _find_state_left(table: Table) -> State:
    return State(
        puck=table.puck,
        wagers=tuple(sorted(table.playing[0].wagers.items(), key=lambda up: up[0])),
        fresh=table.fresh,
        made=table.made,
        thrown=table.thrown,
        riding=table.riding,
    )


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
