"""What a player's chips still allow: the least wager there is, and a turn with what is on the rail.

Short of chips, he who plays on (``--short reduce``) bets as much of what he would bet as the house
takes and the rail holds. It decides nothing: every amount is asked of ``decide``.

A machine whose player plays on when he is short: bets as large as his chips allow.

Where a worth does not cover what the strategy bets in a state, play goes on beside it, in a state
of its own that knows the worth: that is ``aside``. What a reduced bet leads to (a smaller wager
up) may be states that the machine has not; they are explored behind its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from passline.game.dice.dice import FAIR, Dice
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Refusal
from passline.game.layout.wager_checks import find_bounds
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.events import BoughtIn
from passline.game.table.evolve import evolve
from passline.game.table.options import bet_option
from passline.game.table.state import Table
from passline.lab.machines.bettor import BettorMove, MachineFull, StrategyError
from passline.lab.machines.chain import Chain
from passline.lab.machines.lump_states import lump_with_reduced_bets
from passline.lab.machines.seat import (
    PLAYER,
    AfterTurn,
    MachineSeat,
    State,
    add_shooter_bet,
    build_table,
    count_worth,
)


class AffordableBets:
    """A machine's seat, asked what its player can still afford."""

    def __init__(self, seat: MachineSeat) -> None:
        self._seat = seat
        self._least: dict[State, int] = {}

    def least(self, state: State) -> int:
        """The least worth (cents) with which any wager can be made: under it he is broke. Nought
        where something is up: that is played for."""
        if state.wagers:
            return 0
        bare = State(
            puck=state.puck,
            fresh=state.fresh,
            made=state.made,
            thrown=state.thrown,
            riding=state.riding,
        )
        found = self._least.get(bare)
        if found is None:
            found = self._least[bare] = _find_least_outlay(self._seat.layout, bare)
        return found

    def take_affordable_turn(self, state: State, has: int | None = None) -> AfterTurn | None:
        """The bettor's turn with a worth of ``has`` cents (None: chips enough), each bet as large
        as the house takes and the rail holds, in the order in which they are said; what cannot be
        made at all is left out. None: nothing could be made, and nothing is up."""
        table = build_table(self._seat.layout, state)
        if has is not None:
            table = _set_worth(table, has)
        before, view = count_worth(table), self._seat.view(state)
        turn = self._seat.bettor.take_turn(view)
        self._seat.looked |= view.looked
        need = 0 if turn.moves else _sum_stakes(table)
        for move in turn.moves:
            table = _make_affordable_move(table, move)
            need = max(need, _sum_stakes(table) + before - count_worth(table))
        if has is not None and not table.playing[0].wagers:
            return None
        return AfterTurn(
            table=add_shooter_bet(table), turn=turn, need=need, cost=before - count_worth(table)
        )


def _sum_stakes(table: Table) -> int:
    return sum(stake.amount for stake in table.playing[0].wagers.values())


def _set_worth(table: Table, has: int) -> Table:
    seat = table.playing[0]
    rail = has - _sum_stakes(table)
    seats = (replace(seat, rail=rail), *table.playing[1:])
    return replace(table, playing=seats, drop=table.drop - seat.rail + rail)


def _find_least_outlay(layout: Layout, bare: State) -> int:
    """The cheapest wager that the house takes here, its vigorish counted."""
    table = build_table(layout, bare)
    rail, found = table.playing[0].rail, []
    for wager in layout.spots:
        option = bet_option(table, PLAYER, wager)
        if option.bar is None:
            made = _apply_command(table, cmd.Bet(PLAYER, wager, option.least))
            found += [] if made is None else [rail - made.playing[0].rail]
    return min(found, default=0)


def _make_affordable_move(table: Table, move: BettorMove) -> Table:
    """The table after as much of a move as can be done."""
    commands = move.commands(table, PLAYER)
    if isinstance(commands, Refusal):
        return table
    for command in commands:
        made = _apply_command(table, command)
        if made is None:
            less = _reduce_bet(table, command)
            made = None if less is None else _apply_command(table, less)
        table = table if made is None else made
    return table


def _apply_command(table: Table, command: cmd.AnyCommand) -> Table | None:
    """The table after a command; None where it is refused."""
    answer = decide(table, command)
    if isinstance(answer, Refusal):
        return None
    for event in answer:
        if isinstance(event, BoughtIn):
            raise StrategyError("the strategy may not buy in")
        table = evolve(table, event)
    return table


def _reduce_bet(table: Table, command: cmd.AnyCommand) -> cmd.AnyCommand | None:
    """The same wager for the largest amount that is taken; None: for none."""
    if not isinstance(command, cmd.Bet | cmd.Change) or command.wager not in table.layout.spots:
        return None
    seat, wager, chip = table.playing[0], command.wager, table.layout.house.chip
    up = seat.wagers[wager].amount if wager in seat.wagers else 0
    asked = command.to if isinstance(command, cmd.Change) else up + command.amount
    option = bet_option(table, PLAYER, wager)
    if option.bar is None:  # amounts between two that are paid to the cent may be taken too
        high = option.most + option.step
    else:
        high = find_bounds(table.layout, table.layout.spots[wager], table.puck, seat.wagers).least
    for to in range(min(asked, up + seat.rail, high) // chip * chip, up, -chip):
        less = cmd.Change(PLAYER, wager, to) if up else cmd.Bet(PLAYER, wager, to)
        if not isinstance(decide(table, less), Refusal):
            return less
    return None


#: States, those beside others counted, up to which it is explored.
MAX_REDUCED_STATES = 40_000


class ReducedBetStates(NamedTuple):
    """``to[state, place]``: where play goes on with a worth of ``least + place * unit`` cents that
    does not cover the state's bets; -1 where it does, or cannot be."""

    to: NDArray[np.int32]
    least: int
    unit: int


class ReducedBetMachine(NamedTuple):
    """The arrays of a machine that plays on when short, its own states first; ``states[number]`` is
    what is up there. A state whose worth allows nothing needs more than that."""

    next: NDArray[np.int32]
    money: NDArray[np.int32]
    need: NDArray[np.int64]
    least: NDArray[np.int64]
    states: tuple[State, ...]
    aside: ReducedBetStates

    def chain(self, apart: Sequence[int], dice: Dice = FAIR) -> tuple[Chain, ReducedBetStates]:
        """States that nothing tells apart made one."""
        chain, to = lump_with_reduced_bets(
            self.next, self.money, self.need, apart, dice, self.aside.to
        )
        return chain, self.aside._replace(to=to)


class ReducedBetExplorer:
    """The exploring. ``next``, ``money`` and ``need`` are a closed machine's own."""

    def __init__(
        self,
        seat: MachineSeat,
        states: Sequence[State],
        next_: NDArray[np.int32],
        money: NDArray[np.int32],
        need: NDArray[np.int64],
    ) -> None:
        self._seat, self._purse = seat, AffordableBets(seat)
        self._states = list(states)
        self._numbers = {state: number for number, state in enumerate(states)}
        self._next: list[Sequence[int]] = list(next_.tolist())
        self._money: list[Sequence[int]] = list(money.tolist())
        self._need: list[int] = need.tolist()
        #: States whose worth is not known: the others stand beside one of these.
        self._open = list(range(len(self._states)))
        self._beside: dict[tuple[int, int], int] = {}
        self._rows_by_layout: dict[State, tuple[Sequence[int], Sequence[int]]] = {}

    def explore(self, bankroll: int) -> ReducedBetMachine:
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
                    self._fill(number, self._purse.take_affordable_turn(self._states[number]), None)
                self._add_reduced_states(number, bankroll % unit, unit)
                place += 1

    def _add_reduced_states(self, number: int, lowest: int, unit: int) -> None:
        state = self._states[number]
        up = sum(stake.amount for _, stake in state.wagers)
        first = lowest + max(-(-(up - lowest) // unit), 0) * unit
        for has in range(first, self._need[number], unit):
            if (number, has) not in self._beside:
                beside = self._beside[number, has] = self._add(state)
                self._fill(beside, self._purse.take_affordable_turn(state, has), has)

    def _add(self, state: State) -> int:
        number = len(self._states)
        if number >= MAX_REDUCED_STATES:
            raise MachineFull(
                f"it has over {MAX_REDUCED_STATES:,} states when it plays on short of chips"
            )
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
        if stands not in self._rows_by_layout:
            spread = self._seat.spread(spoken)
            onward = [self._number(each) for each in spread.next]
            self._rows_by_layout[stands] = onward, [money + spoken.cost for money in spread.money]
        self._next[number], plain = self._rows_by_layout[stands]
        self._money[number] = [money - spoken.cost for money in plain]
        self._need[number] = spoken.need if has is None else 0

    def _number(self, state: State) -> int:
        """A state that the machine has not is explored in its turn, with chips enough."""
        found = self._numbers.get(state)
        if found is None:
            found = self._numbers[state] = self._add(state)
            self._open.append(found)
        return found

    def _rows(self, lowest: int, unit: int) -> ReducedBetMachine:
        size = len(self._states)
        wide = max((has - lowest) // unit + 1 for _, has in [*self._beside, (0, lowest)])
        to = np.full((size, wide), -1, np.int32)
        for (number, has), beside in self._beside.items():
            to[number, (has - lowest) // unit] = beside
        return ReducedBetMachine(
            next=np.array(self._next, np.int32),
            money=np.array(self._money, np.int32),
            need=np.array(self._need, np.int64),
            least=np.array([self._purse.least(state) for state in self._states], np.int64),
            states=tuple(self._states),
            aside=ReducedBetStates(to, lowest, unit),
        )
