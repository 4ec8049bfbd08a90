"""The machine: a strategy at a table, explored into two arrays.

``next[state, outcome]`` and ``money[state, outcome]`` (cents) are all that ``exact`` and
``simulation`` ever see. Small machines are closed at once; large ones grow as play meets new
states, as a regular-expression engine grows its automaton.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from passline.house import House
from passline.machines.about import About, about
from passline.machines.chain import Chain, lump
from passline.machines.errors import MachineFull
from passline.machines.seat import OPENING, SeatAt, State
from passline.machines.view import Strategy

UNKNOWN = -1
#: States explored before a machine counts as large.
CLOSE_AT = 20_000
#: Megabytes a machine may take unless told otherwise, and the bytes of one state (measured).
MEMORY = 512
BYTES_A_STATE = 2_500

Watch = Callable[[int], None]


class Machine:
    """A strategy under a house's rules, as a finite table. Grow it with ``close`` or ``expand``.

    ``need[state]`` is the least worth (cents) that covers what the strategy wagers there.
    """

    def __init__(
        self, house: House, strategy: Strategy, name: str = "", memory: int = MEMORY
    ) -> None:
        self.about: About = about(house, strategy, name)
        self.memory = memory
        self._house, self._strategy = house, strategy
        self._keeps: frozenset[str] = frozenset()
        self._begin()

    def _begin(self) -> None:
        self._seat = SeatAt(self._house, self._strategy, self._keeps)
        self._numbers: dict[State, int] = {OPENING: 0}
        self._states: list[State] = [OPENING]
        self.next: NDArray[np.int32] = np.full((64, 36), UNKNOWN, np.int32)
        self.money: NDArray[np.int32] = np.zeros((64, 36), np.int32)
        self.need: NDArray[np.int64] = np.zeros(64, np.int64)
        self.explored = 0

    @property
    def states(self) -> int:
        """How many states are known, explored or not."""
        return len(self._states)

    @property
    def closed(self) -> bool:
        """Whether every state that can be reached is explored."""
        return self.explored == self.states

    def state(self, number: int) -> State:
        """What a state stands for."""
        return self._states[number]

    def close(self, limit: int = CLOSE_AT, watch: Watch | None = None) -> bool:
        """Explore until closed, or until ``limit`` states are known; whether it closed.

        ``watch`` is told the number of states now and then.
        """
        number = 0
        while number < self.states and self.states <= limit:
            if self.next[number, 0] == UNKNOWN and not self.expand(number):
                number = -1  # it began anew
            number += 1
            if watch is not None and number % 256 == 0:
                watch(self.states)
        return self.closed

    def expand(self, number: int) -> bool:
        """Explore one state. False: the strategy was found to look back, and all began anew."""
        spread = self._seat.spread(self._states[number])
        if not self._seat.looked <= self._keeps:
            self._keeps = frozenset(self._keeps | self._seat.looked)
            self._begin()
            return False
        next_ = [self._number(state) for state in spread.next]
        self.need[number] = spread.need
        self.money[number] = spread.money
        self.next[number] = next_
        self.explored += 1
        return True

    def _number(self, state: State) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = len(self._states)
            if number * BYTES_A_STATE > self.memory * 2**20:
                raise MachineFull(
                    f"{self.about.strategy} has more than {number:,} states, which is all that "
                    f"{self.memory:,} MB hold: either it keeps changing state without end "
                    f"(its last memory was {state.memory!r:.80}), or it needs more memory"
                )
            self._numbers[state] = number
            self._states.append(state)
            if number >= len(self.next):
                self._grow()
        return number

    def _grow(self) -> None:
        more = len(self.next)
        self.next = np.concatenate([self.next, np.full((more, 36), UNKNOWN, np.int32)])
        self.money = np.concatenate([self.money, np.zeros((more, 36), np.int32)])
        self.need = np.concatenate([self.need, np.zeros(more, np.int64)])

    def chain(self) -> Chain:
        """The closed machine with states that nothing tells apart made one."""
        if not self.closed:
            raise ValueError("only a closed machine has a chain: it still has states to explore")
        size = self.states
        return lump(self.next[:size], self.money[:size], self.need[:size])
