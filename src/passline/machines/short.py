"""A machine whose player plays on when he is short: bets as large as his chips allow.

Where a worth does not cover what the strategy bets in a state, play goes on beside it, in a state
of its own that knows the worth: that is ``aside``. What a reduced bet leads to (a smaller wager
up) may be states that the machine has not; they are explored behind its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.dice import FAIR, Dice
from passline.machines.chain import Chain
from passline.machines.errors import MachineFull
from passline.machines.lumping import lump_aside
from passline.machines.purse import Purse
from passline.machines.seat import AfterTurn, MachineSeat, State

#: States, those beside others counted, up to which it is explored.
MOST_SHORT = 40_000


class Aside(NamedTuple):
    """``to[state, place]``: where play goes on with a worth of ``least + place * unit`` cents that
    does not cover the state's bets; -1 where it does, or cannot be."""

    to: NDArray[np.int32]
    least: int
    unit: int


class ShortRows(NamedTuple):
    """The arrays of a machine that plays on when short, its own states first; ``states[number]`` is
    what is up there. A state whose worth allows nothing needs more than that."""

    next: NDArray[np.int32]
    money: NDArray[np.int32]
    need: NDArray[np.int64]
    least: NDArray[np.int64]
    states: tuple[State, ...]
    aside: Aside

    def chain(self, apart: Sequence[int], dice: Dice = FAIR) -> tuple[Chain, Aside]:
        """States that nothing tells apart made one."""
        chain, to = lump_aside(self.next, self.money, self.need, apart, dice, self.aside.to)
        return chain, self.aside._replace(to=to)


class ShortPlay:
    """The exploring. ``next``, ``money`` and ``need`` are a closed machine's own."""

    def __init__(
        self,
        seat: MachineSeat,
        states: Sequence[State],
        next_: NDArray[np.int32],
        money: NDArray[np.int32],
        need: NDArray[np.int64],
    ) -> None:
        self._seat, self._purse = seat, Purse(seat)
        self._states = list(states)
        self._numbers = {state: number for number, state in enumerate(states)}
        self._next: list[Sequence[int]] = list(next_.tolist())
        self._money: list[Sequence[int]] = list(money.tolist())
        self._need: list[int] = need.tolist()
        #: States whose worth is not known: the others stand beside one of these.
        self._open = list(range(len(self._states)))
        self._beside: dict[tuple[int, int], int] = {}
        self._stood: dict[State, tuple[Sequence[int], Sequence[int]]] = {}

    def explore(self, bankroll: int) -> ShortRows:
        """Every worth that a state may be short with, from a bankroll. MachineFull: too many."""
        unit = 0
        while True:
            finer = math.gcd(unit, *{abs(m) for row in self._money for m in row}) or bankroll
            if finer == unit:
                return self._rows(bankroll % unit, unit)
            unit, place = finer, 0
            while place < len(self._open):
                number = self._open[place]
                if not self._next[number]:
                    self._fill(number, self._purse.make_do(self._states[number]), None)
                self._stand_beside(number, bankroll % unit, unit)
                place += 1

    def _stand_beside(self, number: int, lowest: int, unit: int) -> None:
        state = self._states[number]
        up = sum(stake.amount for _, stake in state.wagers)
        first = lowest + max(-(-(up - lowest) // unit), 0) * unit
        for has in range(first, self._need[number], unit):
            if (number, has) not in self._beside:
                beside = self._beside[number, has] = self._add(state)
                self._fill(beside, self._purse.make_do(state, has), has)

    def _add(self, state: State) -> int:
        number = len(self._states)
        if number >= MOST_SHORT:
            raise MachineFull(f"it has over {MOST_SHORT:,} states when it plays on short of chips")
        self._states.append(state)
        self._next.append(())
        self._money.append(())
        self._need.append(0)
        return number

    def _fill(self, number: int, spoken: AfterTurn | None, has: int | None) -> None:
        """What comes of a turn with so much, or with chips enough."""
        if spoken is None:  # nothing can be made: he stays, and has too little for that
            self._next[number], self._money[number] = [number] * 36, [0] * 36
            self._need[number] = (has or 0) + 1
            return
        stands = self._seat.stands(spoken)
        if stands not in self._stood:
            spread = self._seat.spread(spoken)
            onward = [self._number(each) for each in spread.next]
            self._stood[stands] = onward, [money + spoken.cost for money in spread.money]
        self._next[number], plain = self._stood[stands]
        self._money[number] = [money - spoken.cost for money in plain]
        self._need[number] = spoken.need if has is None else 0

    def _number(self, state: State) -> int:
        """A state that the machine has not is explored in its turn, with chips enough."""
        found = self._numbers.get(state)
        if found is None:
            found = self._numbers[state] = self._add(state)
            self._open.append(found)
        return found

    def _rows(self, lowest: int, unit: int) -> ShortRows:
        size = len(self._states)
        wide = max((has - lowest) // unit + 1 for _, has in [*self._beside, (0, lowest)])
        to = np.full((size, wide), -1, np.int32)
        for (number, has), beside in self._beside.items():
            to[number, (has - lowest) // unit] = beside
        return ShortRows(
            next=np.array(self._next, np.int32),
            money=np.array(self._money, np.int32),
            need=np.array(self._need, np.int64),
            least=np.array([self._purse.least(state) for state in self._states], np.int64),
            states=tuple(self._states),
            aside=Aside(to, lowest, unit),
        )
