"""A machine whose player bets less when short of chips (``--short reduce``).

A player whose worth (rail plus bets) does not cover the strategy's bets in a state goes on in a
**reduced state**. It is a copy of the state for that one worth, with each bet as large as the house
takes and the rail holds. ``AffordableBets`` makes such bets, asking ``decide`` about every amount.
``ReducedBetExplorer`` adds these states to the machine's, and those that smaller bets lead to.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from passline.game.dice.dice import FAIR, Dice
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Refusal
from passline.game.layout.wager_checks import find_bounds
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.options import bet_option
from passline.game.table.state import Table
from passline.game.words.lab import say_lab
from passline.lab.machines.arrays import Int32Array, IntArray
from passline.lab.machines.bettor import BettorMove, MachineFull
from passline.lab.machines.chain import Chain
from passline.lab.machines.lump_states import lump_with_reduced_bets
from passline.lab.machines.next_states import (
    PLAYER,
    AfterTurn,
    MachineSeat,
    State,
    apply_command,
    build_table,
    sum_stakes,
)


class AffordableBets:
    """Finds the bets that a player with a limited worth (rail plus bets) can afford."""

    def __init__(self, seat: MachineSeat) -> None:
        self._seat = seat
        self._least: dict[State, int] = {}

    def least(self, state: State) -> int:
        """Return the least worth (rail plus bets, in cents) with which some bet can be made.

        Return 0 if the player has bets up, because play goes on with them.
        """
        if state.wagers:
            return 0
        bare = state.without_view()
        if bare not in self._least:
            self._least[bare] = _find_least_outlay(self._seat.layout, bare)
        return self._least[bare]

    def take_affordable_turn(self, state: State, has: int | None = None) -> AfterTurn | None:
        """Make the strategy's bets with a worth of ``has`` cents; None means enough for any bet.

        Each bet, in the strategy's order, is as large as the house takes and the rail holds; bets
        that cannot be made at all are left out. Return the table after the turn, or None if the
        player ends up without any bet.
        """
        table = build_table(self._seat.layout, state)
        if has is not None:
            seat, rail = table.playing[0], has - sum_stakes(table)
            seats = (replace(seat, rail=rail), *table.playing[1:])
            table = replace(table, playing=seats, drop=table.drop - seat.rail + rail)
        after_turn = self._seat.take_turn(table, self._seat.view(state), _make_affordable_move)
        has_bets = has is None or after_turn.table.playing[0].wagers
        return after_turn if has_bets else None


def _find_least_outlay(layout: Layout, bare: State) -> int:
    """Return the cost in cents of the cheapest bet that the house takes in a state.

    Vigorish paid with the bet is included. ``bare`` is the state, without bets. Return 0 if no bet
    can be made.
    """
    table = build_table(layout, bare)
    rail, found = table.playing[0].rail, []
    for wager in layout.spots:
        option = bet_option(table, PLAYER, wager)
        if option.bar is None:
            made = apply_command(table, cmd.Bet(PLAYER, wager, option.least))
            found += [] if made is None else [rail - made.playing[0].rail]
    return min(found, default=0)


def _make_affordable_move(table: Table, move: BettorMove) -> Table:
    """Return the table after as much of a move as the player can afford."""
    commands = move.commands(table, PLAYER)
    if isinstance(commands, Refusal):
        return table
    for command in commands:
        made = apply_command(table, command)
        if made is None and (less := _reduce_bet(table, command)) is not None:
            made = apply_command(table, less)
        table = made or table
    return table


def _reduce_bet(table: Table, command: cmd.AnyCommand) -> cmd.AnyCommand | None:
    """Return a bet command with the largest amount that the house takes and the rail holds.

    The amount is no larger than that of ``command``. Return None if the house takes no amount, or
    if ``command`` does not make or change a bet.
    """
    if not isinstance(command, cmd.Bet | cmd.Change) or command.wager not in table.layout.spots:
        return None
    seat, wager, chip = table.playing[0], command.wager, table.layout.house.chip
    up = seat.wagers[wager].amount if wager in seat.wagers else 0
    total = command.to if isinstance(command, cmd.Change) else up + command.amount
    option = bet_option(table, PLAYER, wager)
    if option.bar is None:  # The house may also accept amounts between two steps.
        high = option.most + option.step
    else:
        high = find_bounds(table.layout, table.layout.spots[wager], table.point, seat.wagers).least
    for to in range(min(total, up + seat.rail, high) // chip * chip, up, -chip):
        less = cmd.Change(PLAYER, wager, to) if up else cmd.Bet(PLAYER, wager, to)
        if not isinstance(decide(table, less), Refusal):
            return less
    return None


#: The most states that are explored, reduced states included: for an exact answer, before sampled
#: play, and during sampled play.
MAX_REDUCED_STATES, MAX_STATES_BEFORE_PLAY, MAX_STATES_WHILE_PLAYING = 40_000, 5_000, 400_000


class ReducedBetStates(NamedTuple):
    """The states in which players who cannot afford a state's bets go on with smaller ones.

    ``to[state, k]`` is that state for a worth of ``least + k * unit`` cents. It is -1 if that worth
    covers the state's bets, or cannot occur.
    """

    to: Int32Array
    least: int
    unit: int


class ReducedBetMachine(NamedTuple):
    """The arrays of a machine with states for players who bet less, the machine's own states first.

    ``states[number]`` is the table state behind a number, and ``least[number]`` the least worth in
    cents with which some bet can be made there. A reduced state in which the player can bet nothing
    has a ``need`` above its worth, so play ends there.
    """

    next: Int32Array
    money: Int32Array
    need: IntArray
    least: IntArray
    states: tuple[State, ...]
    reduced: ReducedBetStates

    def chain(self, apart: Sequence[int], dice: Dice = FAIR) -> tuple[Chain, ReducedBetStates]:
        """Return (chain with equivalent states merged, its reduced states).

        States with different numbers in ``apart`` (one number for each state) are not merged.
        """
        chain, to = lump_with_reduced_bets(
            self.next, self.money, self.need, apart, dice, self.reduced.to
        )
        return chain, self.reduced._replace(to=to)


class ReducedBetExplorer:
    """Adds states for players who bet less to the arrays of a machine.

    A reduced state is a machine's state together with one worth that is too small for its bets.
    """

    def __init__(
        self,
        seat: MachineSeat,
        states: Sequence[State],
        next_: Int32Array,
        money: Int32Array,
        need: IntArray,
        most: int = MAX_REDUCED_STATES,
    ) -> None:
        self._seat, self._affordable, self._most = seat, AffordableBets(seat), most
        self._states = list(states)
        self._numbers = {state: number for number, state in enumerate(states)}
        known = next_[:, 0] >= 0  # All entries of an unexplored state are below zero.
        self._next: list[Sequence[int]] = [
            row if is_known else () for row, is_known in zip(next_.tolist(), known, strict=True)
        ]
        self._money: list[Sequence[int]] = list(money.tolist())
        self._need: list[int] = need.tolist()
        #: The states that are not tied to one worth. All others are reduced states of one of them.
        self._any_worth = list(range(len(self._states)))
        self._reduced: dict[tuple[int, int], int] = {}
        self._rows_by_layout: dict[State, tuple[Sequence[int], Sequence[int]]] = {}

    def explore(self, bankroll: int) -> ReducedBetMachine:
        """Add a reduced state for every worth that is too small for a state's bets.

        Play starts from a bankroll in cents. Raise MachineFull if there are too many states. The
        bet sizes determine the unit of money, and the unit determines which worths can occur. So
        repeat until the unit no longer changes.
        """
        unit = 0
        while True:
            finer = math.gcd(unit, *{abs(m) for row in self._money for m in row}) or bankroll
            if finer == unit:
                return self._rows(bankroll % unit, unit)
            unit, done = finer, 0
            while done < len(self._any_worth):
                short: list[tuple[int, int]] = []
                while done < len(self._any_worth):
                    number = self._any_worth[done]
                    if not self._next[number]:
                        self._fill(number, None)
                    worths = self._short_worths(number, bankroll % unit, unit)
                    short += [(number, has) for has in worths]
                    self._require_room(len(short))  # Early: it takes long to play all of them.
                    done += 1
                for number, has in short:
                    reduced = self._reduced[number, has] = self._add(self._states[number])
                    self._fill(reduced, has)

    def _short_worths(self, number: int, lowest: int, unit: int) -> Iterator[int]:
        """Yield the worths that are too small for a state's bets and have no reduced state yet."""
        up = sum(stake.amount for _, stake in self._states[number].wagers)
        first = lowest + max(-(-(up - lowest) // unit), 0) * unit
        for has in range(first, self._need[number], unit):
            if (number, has) not in self._reduced:
                yield has

    def _require_room(self, more: int) -> None:
        if len(self._states) + more > self._most:
            raise MachineFull(say_lab("too-many-reduced", most=self._most))

    def _add(self, state: State) -> int:
        number = len(self._states)
        self._require_room(1)
        self._states.append(state)
        self._next.append(())
        self._money.append(())
        self._need.append(0)
        return number

    def _fill(self, number: int, has: int | None) -> None:
        """Make the bets of state ``number``, roll, and fill in its row of the arrays.

        ``has`` is the worth of a reduced state in cents, and None for any other state.
        """
        after_turn = self._affordable.take_affordable_turn(self._states[number], has)
        if after_turn is None:  # Nothing can be bet: play ends in this state.
            self._next[number], self._money[number] = [number] * 36, [0] * 36
            self._need[number] = (has or 0) + 1
            return
        layout = self._seat.find_layout_state(after_turn)
        if layout not in self._rows_by_layout:
            transitions = self._seat.roll_all_outcomes(after_turn)
            next_states = [self._number(each) for each in transitions.next]
            money_before_cost = [money + after_turn.cost for money in transitions.money]
            self._rows_by_layout[layout] = (next_states, money_before_cost)
        self._next[number], before_cost = self._rows_by_layout[layout]
        self._money[number] = [money - after_turn.cost for money in before_cost]
        self._need[number] = after_turn.need if has is None else 0

    def _number(self, state: State) -> int:
        """Return the number of a state that is not tied to one worth; add it if it is new."""
        found = self._numbers.get(state)
        if found is None:
            found = self._numbers[state] = self._add(state)
            self._any_worth.append(found)
        return found

    def state(self, number: int) -> State:
        """Return the puck, the bets and so on that a state number stands for."""
        return self._states[number]

    def find_broke_limit(self, number: int) -> int:
        """Return the least worth in cents that allows a bet in a state, at most the state's need.

        A player whose worth is below the state's need is ruined. Below this limit, such a player is
        also broke: not even a smaller bet is possible.
        """
        return min(self._affordable.least(self._states[number]), self._need[number])

    def explore_state(self, number: int) -> tuple[Sequence[int], Sequence[int], int]:
        """Return (next state by outcome, cents by outcome, need) of state ``number``.

        The player makes all the strategy's bets there. ``need`` is the least worth in cents that is
        enough for them.
        """
        if not self._next[number]:
            self._fill(number, None)
        return self._next[number], self._money[number], self._need[number]

    def find_reduced(self, number: int, has: int) -> int | None:
        """Return the number of the reduced state for a player in state ``number`` who is short.

        The player's worth (rail plus bets) is ``has`` cents. Explore the reduced state if it is
        new. Return None if such a player has no bet up and can afford none.
        """
        if (number, has) not in self._reduced:
            reduced = self._reduced[number, has] = self._add(self._states[number])
            self._fill(reduced, has)
        reduced = self._reduced[number, has]
        return None if self._need[reduced] else reduced

    def _rows(self, lowest: int, unit: int) -> ReducedBetMachine:
        size = len(self._states)
        wide = max((has - lowest) // unit + 1 for _, has in [*self._reduced, (0, lowest)])
        to = np.full((size, wide), -1, np.int32)
        for (number, has), reduced in self._reduced.items():
            to[number, (has - lowest) // unit] = reduced
        return ReducedBetMachine(
            next=np.array(self._next, np.int32),
            money=np.array(self._money, np.int32),
            need=np.array(self._need, np.int64),
            least=np.array([self._affordable.least(state) for state in self._states], np.int64),
            states=tuple(self._states),
            reduced=ReducedBetStates(to, lowest, unit),
        )
