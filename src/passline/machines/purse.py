"""What a player's chips still allow: the least wager there is, and a turn with what is on the rail.

Short of chips, he who plays on (``--short reduce``) bets as much of what he would bet as the house
takes and the rail holds. It decides nothing: every amount is asked of ``decide``.
"""

from __future__ import annotations

from msgspec.structs import replace

from passline.layout import Layout, Refusal
from passline.layout.amounts import bounds
from passline.machines.bettor import BettorMove
from passline.machines.errors import StrategyError
from passline.machines.seat import (
    PLAYER,
    AfterTurn,
    MachineSeat,
    State,
    shooter_bets,
    table_at,
    worth,
)
from passline.table import Table, decide, evolve
from passline.table import commands as cmd
from passline.table.events import BoughtIn
from passline.table.options import may_bet


class Purse:
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
            found = self._least[bare] = _least_outlay(self._seat.layout, bare)
        return found

    def make_do(self, state: State, has: int | None = None) -> AfterTurn | None:
        """The bettor's turn with a worth of ``has`` cents (None: chips enough), each bet as large
        as the house takes and the rail holds, in the order in which they are said; what cannot be
        made at all is left out. None: nothing could be made, and nothing is up."""
        table = table_at(self._seat.layout, state)
        if has is not None:
            table = _with_worth(table, has)
        before, view = worth(table), self._seat.view(state)
        turn = self._seat.bettor.take_turn(view)
        self._seat.looked |= view.looked
        need = 0 if turn.moves else _up(table)
        for move in turn.moves:
            table = _make(table, move)
            need = max(need, _up(table) + before - worth(table))
        if has is not None and not table.playing[0].wagers:
            return None
        return AfterTurn(
            table=shooter_bets(table), turn=turn, need=need, cost=before - worth(table)
        )


def _up(table: Table) -> int:
    return sum(stake.amount for stake in table.playing[0].wagers.values())


def _with_worth(table: Table, has: int) -> Table:
    seat = table.playing[0]
    rail = has - _up(table)
    seats = (replace(seat, rail=rail), *table.playing[1:])
    return replace(table, playing=seats, drop=table.drop - seat.rail + rail)


def _least_outlay(layout: Layout, bare: State) -> int:
    """The cheapest wager that the house takes here, its vigorish counted."""
    table = table_at(layout, bare)
    rail, found = table.playing[0].rail, []
    for wager in layout.spots:
        option = may_bet(table, PLAYER, wager)
        if option.bar is None:
            made = _played(table, cmd.Bet(PLAYER, wager, option.least))
            found += [] if made is None else [rail - made.playing[0].rail]
    return min(found, default=0)


def _make(table: Table, move: BettorMove) -> Table:
    """The table after as much of a move as can be done."""
    commands = move.commands(table, PLAYER)
    if isinstance(commands, Refusal):
        return table
    for command in commands:
        made = _played(table, command)
        if made is None:
            less = _reduced(table, command)
            made = None if less is None else _played(table, less)
        table = table if made is None else made
    return table


def _played(table: Table, command: cmd.AnyCommand) -> Table | None:
    """The table after a command; None where it is refused."""
    answer = decide(table, command)
    if isinstance(answer, Refusal):
        return None
    for event in answer:
        if isinstance(event, BoughtIn):
            raise StrategyError("the strategy may not buy in")
        table = evolve(table, event)
    return table


def _reduced(table: Table, command: cmd.AnyCommand) -> cmd.AnyCommand | None:
    """The same wager for the largest amount that is taken; None: for none."""
    if not isinstance(command, cmd.Bet | cmd.Change) or command.wager not in table.layout.spots:
        return None
    seat, wager, chip = table.playing[0], command.wager, table.layout.house.chip
    up = seat.wagers[wager].amount if wager in seat.wagers else 0
    asked = command.to if isinstance(command, cmd.Change) else up + command.amount
    option = may_bet(table, PLAYER, wager)
    if option.bar is None:  # amounts between two that are paid to the cent may be taken too
        high = option.most + option.step
    else:
        high = bounds(table.layout, table.layout.spots[wager], table.puck, seat.wagers).least
    for to in range(min(asked, up + seat.rail, high) // chip * chip, up, -chip):
        less = cmd.Change(PLAYER, wager, to) if up else cmd.Bet(PLAYER, wager, to)
        if not isinstance(decide(table, less), Refusal):
            return less
    return None
