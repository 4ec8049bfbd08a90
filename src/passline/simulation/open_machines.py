"""Machines that grow while they are played."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from passline.dice import FAIR, OUTCOMES, Dice
from passline.machines import Chain, Machine, SavedMachine
from passline.simulation.look_up import unroll


class BeganAnew(Exception):  # noqa: N818 - the strategy looks back, which is no error
    """The machine found that its strategy looks back, and began anew: so must the play."""


#: What can be played: a chain, or a machine that may still grow.
Playable = Chain | Machine | SavedMachine
#: What dice may weigh that are thrown for a machine that grows: it has a column for each of that.
FINEST = 512


class Rows:
    """The arrays that are played on: of a chain, or of a machine that may still grow.

    All changes of money are multiples of ``unit`` cents. ``dice``: those that are thrown for a
    machine that may still grow; a chain has its own.
    """

    def __init__(self, played: Playable, dice: Dice = FAIR) -> None:
        self.machine: Machine | None = None
        self.start, self.unit = 0, 1
        if isinstance(played, Machine) and not played.closed:
            self.machine = played
            self._falls = None if dice.fair else _falls(dice)
            self._widen()
            return
        chain = played if isinstance(played, Chain) else played.chain()
        self._next, self._money = unroll(chain)
        self._need = np.array(chain.need, np.int64)
        self._kinds = np.array(chain.kinds or (0,) * len(chain), np.int64)
        self.start, self._states = chain.start, len(chain)
        self.unit = math.gcd(*np.unique(self._money).tolist()) or 1

    def _widen(self, states: list[int] | None = None) -> None:
        """Take the machine's rows over, all or some: with other dice than fair ones each outcome
        has as many columns as it weighs."""
        machine = self.machine
        assert machine is not None
        if self._falls is None:
            self._next, self._money = machine.next, machine.money
        elif states is None or len(self._next) != len(machine.next):
            self._next = machine.next.take(self._falls, axis=1)
            self._money = machine.money.take(self._falls, axis=1)
        else:
            self._money[states] = machine.money[states].take(self._falls, axis=1)
            self._next[states] = machine.next[states].take(self._falls, axis=1)

    @property
    def next(self) -> NDArray[np.int32]:
        """The next state for each state and outcome; -1 where it is not explored."""
        return self._next[: self.states]

    @property
    def money(self) -> NDArray[np.int32]:
        """The change of money, in cents."""
        return self._money[: self.states]

    @property
    def need(self) -> NDArray[np.int64]:
        """The least worth that covers a state's wagers."""
        return self._need if self.machine is None else self.machine.need[: self.states]

    @property
    def kinds(self) -> NDArray[np.int64]:
        """What may be up tells states apart: a chain's by kind, a machine's each by itself."""
        if self.machine is None:
            return self._kinds
        return np.arange(self.states, dtype=np.int64)

    @property
    def states(self) -> int:
        """How many states there are, or are known."""
        return self._states if self.machine is None else self.machine.states

    def explore(self, states: list[int]) -> None:
        """Explore these states, unless they are explored already."""
        assert self.machine is not None, "a chain has no unexplored states"
        for state in states:
            if self.machine.next[state, 0] < 0 and not self.machine.expand(state):
                self._widen()
                raise BeganAnew
        self._widen(states)


def _falls(dice: Dice) -> NDArray[np.int64]:
    """The outcome of each of the columns; ValueError where there would be too many."""
    if dice.whole > FINEST:
        raise ValueError(
            f"it grows as it is played, and the weights of these dice come to {dice.whole:,}: "
            f"expected {FINEST} at most"
        )
    return np.repeat(np.arange(len(OUTCOMES)), dice.weights)
