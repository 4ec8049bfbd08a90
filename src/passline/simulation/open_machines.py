"""Machines that grow while they are played."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from passline.machines import Chain, Machine, SavedMachine
from passline.simulation.look_up import unroll


class BeganAnew(Exception):  # noqa: N818 - the strategy looks back, which is no error
    """The machine found that its strategy looks back, and began anew: so must the play."""


#: What can be played: a chain, or a machine that may still grow.
Playable = Chain | Machine | SavedMachine


class Rows:
    """The arrays that are played on: of a chain, or of a machine that may still grow.

    All changes of money are multiples of ``unit`` cents.
    """

    def __init__(self, played: Playable) -> None:
        self.machine: Machine | None = None
        self.start, self.unit = 0, 1
        if isinstance(played, Machine) and not played.closed:
            self.machine = played
            return
        chain = played if isinstance(played, Chain) else played.chain()
        self._next, self._money = unroll(chain)
        self._need = np.array(chain.need, np.int64)
        self._kinds = np.array(chain.kinds or (0,) * len(chain), np.int64)
        self.start, self._states = chain.start, len(chain)
        self.unit = math.gcd(*np.unique(self._money).tolist()) or 1

    @property
    def next(self) -> NDArray[np.int32]:
        """The next state for each state and outcome; -1 where it is not explored."""
        return self._next if self.machine is None else self.machine.next[: self.states]

    @property
    def money(self) -> NDArray[np.int32]:
        """The change of money, in cents."""
        return self._money if self.machine is None else self.machine.money[: self.states]

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
                raise BeganAnew
