"""One player at the real table, somebody else shooting: states in, states out.

This is the bridge between the engine and the machine. It decides nothing: every wager goes
through ``decide``, every throw is folded by ``evolve``.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import msgspec

from passline.dice import OUTCOMES
from passline.house import House
from passline.layout import Layout, Refusal, Stake, lay_felt
from passline.machines.errors import StrategyError
from passline.machines.view import Seen, Strategy, View, answered, dollars_of
from passline.record import RecordError
from passline.record.talk import UnplayableError, understand
from passline.table import Table, decide, evolve
from passline.table import commands as cmd
from passline.table.custody import automated
from passline.table.events import Event, Rolled
from passline.table.state import NOBODY, Seat

PLAYER, SHOOTER = "player", "shooter"
#: Chips enough that no rail is ever short: the machine counts changes, not bankrolls.
_DEEP = 10**15


class State(NamedTuple):
    """The player's side of a table between throws: all that the next throw depends on."""

    puck: int = 0
    wagers: tuple[tuple[str, Stake], ...] = ()
    fresh: bool = True
    made: frozenset[int] = frozenset()
    thrown: frozenset[int] = frozenset()
    riding: frozenset[str] = frozenset()
    last: tuple[int, int] | None = None
    settled: tuple[Seen, ...] = ()
    memory: Hashable = None


OPENING = State()


class Spread(NamedTuple):
    """What a state leads to: ``need`` is the least worth that covers its wagers, then for each of
    the 36 outcomes the next state and the change of worth (rail and layout), in cents."""

    need: int
    next: tuple[State, ...]
    money: tuple[int, ...]


class SeatAt:
    """A seat at a house's table, playing a strategy."""

    def __init__(self, house: House, strategy: Strategy, keeps: frozenset[str]) -> None:
        self.layout = lay_felt(house)
        self.strategy = strategy
        #: What of ``last``, ``settled`` and ``new_shooter`` belongs to a state.
        self.keeps = keeps
        #: What the strategy was seen to look at.
        self.looked: set[str] = set()

    def view(self, state: State) -> View:
        """What the player sees in a state."""
        wagers = {slug: dollars_of(stake.amount) for slug, stake in state.wagers}
        new = state.fresh and not state.puck
        return View(state.puck or None, wagers, state.last, state.settled, state.memory, new)

    def spread(self, state: State) -> Spread:
        """Let the strategy speak, then throw each of the 36 outcomes."""
        table = table_at(self.layout, state)
        before = worth(table)
        view = self.view(state)
        says, memory = answered(self.strategy, view)
        self.looked |= view.looked
        for say in says:
            table = self._said(table, say, state)
        table = shooter_bets(table)
        up = sum(stake.amount for stake in table.seats[0].wagers.values())
        need = up + before - worth(table)
        alike: dict[object, tuple[State, int]] = {}
        following, money = [], []
        for index, dice in enumerate(OUTCOMES):
            key = _alike(table, index, dice, "last" in self.keeps)
            if key not in alike:
                after, events = throw(table, *dice)
                alike[key] = (self._state(after, events, memory, dice), worth(after) - before)
            state_after, change = alike[key]
            following.append(state_after)
            money.append(change)
        return Spread(need, tuple(following), tuple(money))

    def _said(self, table: Table, say: str, state: State) -> Table:
        try:
            commands = understand(table, PLAYER, say)
        except (RecordError, UnplayableError) as wrong:
            raise StrategyError(f"the strategy said {say!r}: {wrong} {self.view(state)}") from None
        for command in commands:
            answer = decide(table, command)
            if isinstance(answer, Refusal):
                raise StrategyError(
                    f"the strategy said {say!r}, which is refused: {answer.reason} "
                    f"[{answer.cite}] {self.view(state)}"
                )
            for event in answer:
                table = evolve(table, event)
        return table

    def _state(
        self, table: Table, events: tuple[Event, ...], memory: Hashable, dice: tuple[int, int]
    ) -> State:
        first, second = sorted(dice)
        return State(
            table.puck,
            tuple(sorted(table.seats[0].wagers.items(), key=lambda item: item[0])),
            table.fresh if self.layout.collects or "new_shooter" in self.keeps else True,
            table.made,
            table.thrown,
            table.riding,
            (first, second) if "last" in self.keeps else None,
            _seen(events) if "settled" in self.keeps else (),
            memory,
        )


def _alike(table: Table, index: int, dice: tuple[int, int], keeps_last: bool) -> object:
    """Throws with one total and the same verdict on everything up do the same."""
    if keeps_last:
        return tuple(sorted(dice))
    spots, puck = table.layout.spots, table.puck
    verdicts = [spots[slug].tables[puck] for slug in table.seats[0].wagers]
    return sum(dice), tuple([rows[index] for rows in verdicts if rows])


def _seen(events: tuple[Event, ...]) -> tuple[Seen, ...]:
    return tuple(
        Seen(done.wager, done.result, dollars_of(done.paid))
        for event in events
        if isinstance(event, Rolled)
        for done in event.settlements
        if done.player == PLAYER
    )


def worth(table: Table) -> int:
    """The player's rail and layout together."""
    seat = table.seats[0]
    return seat.rail + sum(stake.amount for stake in seat.wagers.values())


def table_at(layout: Layout, state: State) -> Table:
    """The table in which the player's side is ``state`` and the other seat holds the dice."""
    low = layout.spots["pass"].minimum
    line = {"pass": Stake(low, low)} if state.puck else {}
    seats = (Seat(PLAYER, _DEEP, 0, dict(state.wagers)), Seat(SHOOTER, _DEEP, 0, line))
    held = 2 * _DEEP + sum(stake.amount for seat in seats for stake in seat.wagers.values())
    table = Table(
        layout=layout,
        seats=seats,
        puck=state.puck,
        shooter=1,
        last_shooter=1,
        fresh=state.fresh,
        made=state.made,
        thrown=state.thrown,
        riding=state.riding,
        drop=held,
    )
    return msgspec.structs.replace(table, shooter=NOBODY) if automated(table) else table


def shooter_bets(table: Table) -> Table:
    """The other player keeps a line wager up, so that there is always somebody to shoot."""
    if table.puck or automated(table):
        return table
    answer = decide(table, cmd.Bet(SHOOTER, "pass", table.layout.spots["pass"].minimum))
    assert not isinstance(answer, Refusal), answer
    for event in answer:
        table = evolve(table, event)
    return table


def throw(table: Table, first: int, second: int) -> tuple[Table, tuple[Event, ...]]:
    """The table after a throw, and what happened."""
    answer = decide(table, cmd.Roll(first, second))
    assert not isinstance(answer, Refusal), answer
    for event in answer:
        table = evolve(table, event)
    return table, answer
