"""The machine: a strategy at a table, explored into three arrays.

``next[state, outcome]``, ``money[state, outcome]`` and ``need[state]`` (cents) are all that
``exact`` and ``simulation`` ever see. Small machines are closed at once; large ones grow as play
meets new states, as a regular-expression engine grows its automaton.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from passline.dice import FAIR, Dice
from passline.house import House
from passline.layout import Settlement
from passline.machines.bettor import Bettor, BettorMove, Turn
from passline.machines.chain import Chain
from passline.machines.errors import MachineFileError, MachineFull, StrategyError
from passline.machines.files import write_machine
from passline.machines.lumping import lump
from passline.machines.origin import About, origin_of
from passline.machines.play_out import PlayOut, PlayOutRows, PlayOutWays
from passline.machines.purse import Purse
from passline.machines.seat import OPENING, AfterTurn, MachineSeat, State
from passline.machines.short import ShortPlay, ShortRows

UNKNOWN = -1
#: States explored before a machine counts as large.
CLOSE_AT = 50_000
#: Megabytes a machine may take unless told otherwise, and the bytes of one state. Measured on
#: machines of 6,000 to 100,000 states: 700 to 1,050, and half as much again while arrays grow.
MEMORY = 128
BYTES_A_STATE = 1_500

#: The most cents that a roll may move: what an int32 holds.
_MOST = 2**31 - 1
#: Answers that are asked for again once there is nothing more to explore.
ASKED_AGAIN = 2_000

#: Told the number of states now and then, while a machine is explored.
WatchStates = Callable[[int], None]


class Machine:
    """A bettor under a house's rules, as a finite table. Grow it with ``close`` or ``expand``.

    ``need[state]`` is the least worth (cents) that covers what the strategy wagers there.
    """

    def __init__(self, house: House, bettor: Bettor, memory: int = MEMORY) -> None:
        self.about: About = origin_of(house, bettor.name)
        self.memory = memory
        self._house, self._bettor = house, bettor
        self._keeps: frozenset[str] = frozenset()
        self._play_outs: dict[Dice, PlayOut] = {}
        self._begin()

    def _begin(self) -> None:
        self._seat = MachineSeat(self._house, self._bettor, self._keeps)
        self._numbers: dict[State, int] = {OPENING: 0}
        self._states: list[State] = [OPENING]
        #: How the layout stood when the dice went out → a state that led there, its cost, and
        #: whether the throws leave nothing up that they decided.
        self._stood: dict[State, tuple[int, int, bool]] = {}
        #: What the bettor did in each state that is explored; equal moves are kept once.
        self._turns: list[Turn | None] = [None]
        self._one: dict[tuple[BettorMove, ...], tuple[BettorMove, ...]] = {}
        self._asked = 0
        self._held = 0
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

    def close(self, limit: int = CLOSE_AT, watch: WatchStates | None = None) -> bool:
        """Explore until closed, or until ``limit`` states are known; whether it closed.

        ``watch`` is told the number of states now and then. At the end the strategy is asked some
        of it again, in another order: StrategyError where it does not answer as before.
        """
        try:
            self._explore(limit, watch)
        except MachineFull:  # what there is may be played all the same
            self._ask_again()
            raise
        self._ask_again()
        return self.closed

    def _explore(self, limit: int, watch: WatchStates | None) -> None:
        number = 0
        while number < self.states and self.states <= limit:
            if self.next[number, 0] == UNKNOWN and not self.expand(number):
                number = -1  # it began anew
            number += 1
            if watch is not None and number % 256 == 0:
                watch(self.states)

    def _ask_again(self) -> None:
        """Chance that seldom speaks, and counters of a strategy's own, are found out here."""
        if self.explored == self._asked:
            return
        known = [number for number, turn in enumerate(self._turns) if turn is not None]
        for number in random.Random(0).choices(known, k=ASKED_AGAIN):
            before = self._turns[number]
            assert before is not None
            try:
                self._seat.ask_again(self._states[number], before)
            except StrategyError as wrong:
                raise StrategyError(wrong.why, self.about.strategy) from None
        self._asked = self.explored

    def expand(self, number: int) -> bool:
        """Explore one state. False: the strategy was found to look back, and all began anew."""
        spoken = self._spoken(number)
        if not self._seat.looked <= self._keeps:
            self._keeps = frozenset(self._keeps | self._seat.looked)
            self._begin()
            return False
        stands = self._seat.stands(spoken)
        twin = self._stood.get(stands)
        if twin is None:
            spread = self._seat.spread(spoken)
            money = self._row(spread.money)
            next_ = [self._number(state, spoken.turn.weight) for state in spread.next]
            self.money[number] = money
            self.next[number] = next_
            self._stood[stands] = (number, spoken.cost, spread.clear)
        else:
            other, cost, _ = twin
            self.money[number] = self._row(
                [m + cost - spoken.cost for m in self.money[other].tolist()]
            )
            self.next[number] = self.next[other]
        self.need[number] = spoken.need
        turn = spoken.turn
        self._turns[number] = turn._replace(moves=self._one.setdefault(turn.moves, turn.moves))
        self.explored += 1
        return True

    def _spoken(self, number: int) -> AfterTurn:
        try:
            return self._seat.speak(self._states[number])
        except StrategyError as wrong:
            raise StrategyError(wrong.why, self.about.strategy) from None

    def _number(self, state: State, weight: int) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = len(self._states)
            self._held += BYTES_A_STATE + weight
            if self._held > self.memory * 2**20:
                raise MachineFull(self._full(state))
            self._numbers[state] = number
            self._states.append(state)
            self._turns.append(None)
            if number >= len(self.next):
                self._grow()
        return number

    def _row(self, money: Sequence[int]) -> Sequence[int]:
        """The changes of a row, none more than its array can hold."""
        if max(map(abs, money)) > _MOST:
            why = f"a roll moves more than ${_MOST // 100:,}: too much for a machine"
            raise StrategyError(why, self.about.strategy)
        return money

    def _full(self, state: State) -> str:
        memory = f" (its last memory was {state.memory!r:.80})" if state.memory is not None else ""
        return (
            f"{self.about.strategy}: more than {self.states:,} states, which is all that "
            f"{self.memory:,} MB hold: either it keeps changing state without end{memory}, or it "
            "needs more memory (memory=, or --memory)"
        )

    def _grow(self) -> None:
        more = len(self.next)
        self.next = np.concatenate([self.next, np.full((more, 36), UNKNOWN, np.int32)])
        self.money = np.concatenate([self.money, np.zeros((more, 36), np.int32)])
        self.need = np.concatenate([self.need, np.zeros(more, np.int64)])

    def save(self, path: str | Path) -> None:
        """Write the closed machine to a file that ``load_machine`` reads. MachineFileError if not.

        The file is whole or not there at all. An open machine is not saved: without its strategy
        and its table it could not grow.
        """
        if not self.closed:
            raise MachineFileError(
                f"{self.about.strategy} is not closed ({self.explored:,} of {self.states:,} known "
                "states are explored): only a closed machine is saved"
            )
        size = self.states
        write_machine(
            path,
            self.next[:size],
            self.money[:size],
            self.need[:size],
            self.about,
            self.play_out(range(size)),
            np.array(self.least(range(size)), np.int64),
        )

    def chain(self, apart: Sequence[int] = (), dice: Dice = FAIR) -> Chain:
        """The closed machine with states that nothing tells apart made one.

        ``apart`` tells states apart besides: a number for each. ``dice``: others than fair ones.
        """
        if not self.closed:
            raise ValueError("only a closed machine has a chain: it still has states to explore")
        size = self.states
        return lump(self.next[:size], self.money[:size], self.need[:size], apart, dice)

    def settled(self, number: int) -> list[tuple[Settlement, ...]]:
        """For each of the 36 outcomes: the wagers that it decides in a state."""
        return self._seat.settled(self._states[number])

    def decided(self, number: int) -> list[int]:
        """For each of the 36 outcomes: the stakes (cents) that it decides in a state."""
        return [sum(done.stake for done in own) for own in self.settled(number)]

    def least(self, states: Sequence[int]) -> list[int]:
        """By state: the least worth (cents) with which any wager can be made there; nought where
        something is up."""
        purse = Purse(self._seat)
        return [purse.least(self._states[number]) for number in states]

    def play_short(self, bankroll: int) -> ShortRows:
        """The closed machine, its player playing on with what he has when that does not cover what
        the strategy bets. MachineFull where that takes too many states."""
        while True:
            size = self.states
            arrays = (self.next[:size], self.money[:size], self.need[:size])
            found = ShortPlay(self._seat, self._states, *arrays).explore(bankroll)
            if self._seat.looked <= self._keeps:
                return found
            self._keeps = frozenset(self._keeps | self._seat.looked)
            self._begin()
            self.close()

    def play_out(self, states: Sequence[int], dice: Dice = FAIR) -> PlayOutWays:
        """What is up in these states, followed to its end, should the player say no more."""
        return self.play_out_of([self._states[number] for number in states], dice)

    def play_out_of(self, states: Sequence[State], dice: Dice = FAIR) -> PlayOutWays:
        """The same of states that need not be the machine's own."""
        if dice not in self._play_outs:
            seat = MachineSeat(self._house, self._bettor, frozenset())
            self._play_outs[dice] = PlayOut(seat, self._thrown_before, dice)
        out = self._play_outs[dice]
        places = tuple([out.place_of(state) for state in states])
        return PlayOutWays(places, tuple(out.ways), dice.whole)

    def _thrown_before(self, stood: State) -> list[tuple[State, int]] | None:
        """What throws came to, if a state was explored in which the layout stood like this."""
        number, cost, clear = self._stood.get(stood, (UNKNOWN, 0, False))
        if not clear:
            return None
        ways = zip(self.next[number].tolist(), self.money[number].tolist(), strict=True)
        return [(self._states[to], money + cost) for to, money in ways]

    def play_out_rows(self) -> PlayOutRows:
        """The play-outs of all its states, throw by throw; those of any dice."""
        places = self.play_out(range(self.states)).places
        rows = np.array(self._play_outs[FAIR].rows, np.int64)
        return PlayOutRows(np.array(places, np.int64), rows[:, :, 0], rows[:, :, 1])
