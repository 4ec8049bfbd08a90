"""Play out the bets that are up when a player stops betting, on the real engine.

Each bet comes down at its first decision. A bet that is off stays until it works again, and a bet
that no roll can decide is returned at its stake. All bets see the same rolls. The open bets and the
puck form a state of the play-out; its number is called a **place**.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from passline.game.dice.dice import FAIR, OUTCOMES, Dice
from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.lab.machines.arrays import IntArray
from passline.lab.machines.chain import FAIR_DICE_WEIGHT, Arc, merge_ways
from passline.lab.machines.next_states import (
    PLAYER,
    MachineSeat,
    State,
    add_shooter_bet,
    apply_command,
    build_table,
    count_worth,
    find_decided_open_bets,
    read_state,
    roll_dice,
)

#: The number of the play-out state without bets.
NOTHING_UP = 0
#: A function that returns (next state, change of worth in cents) for each of the 36 outcomes. It
#: returns None if the machine has not explored these bets, or if a decided bet stays up.
KnownRolls = Callable[[State], Sequence[tuple[State, int]] | None]


class PlayOutWays(NamedTuple):
    """The transitions of play-outs: what happens to open bets when no new bets are made.

    A play-out's states are called places. ``places[i]`` is the place at which the play-out of state
    i begins. ``ways[place]`` lists the transitions, whose weights add up to ``whole``.
    """

    places: tuple[int, ...]
    ways: tuple[tuple[Arc, ...], ...]
    whole: int = FAIR_DICE_WEIGHT


class PlayOutRows(NamedTuple):
    """Play-outs as arrays: what happens to open bets when no new bets are made.

    A play-out's states are called places. ``places[state]`` is the place at which the play-out of a
    machine's state begins. ``next[place, outcome]`` is the next place and ``money[place, outcome]``
    the change in cents.
    """

    places: IntArray
    next: IntArray
    money: IntArray


class PlayOutExplorer:
    """Explores how open bets are decided when no new bets are made.

    A play-out state is the open bets and the puck. ``ways[place]`` lists the transitions from state
    number ``place``, with money in cents. ``known_rolls(state)`` returns (next state, cents) for
    each outcome if that was computed before, else None.
    """

    def __init__(self, seat: MachineSeat, known_rolls: KnownRolls, dice: Dice = FAIR) -> None:
        self._seat, self._layout, self._dice = seat, seat.layout, dice
        self._known_rolls = known_rolls
        self._numbers: dict[State, int] = {State(): NOTHING_UP}
        self._places: list[State] = [State()]
        self.ways: list[tuple[Arc, ...]] = [(Arc(NOTHING_UP, 0, dice.whole),)]
        #: For each place and each of the 36 outcomes: the next place, the change of worth (cents).
        self.rows: list[tuple[tuple[int, int], ...]] = [((NOTHING_UP, 0),) * len(OUTCOMES)]

    def find_place(self, state: State) -> int:
        """Explore what happens to the open bets of ``state`` when no new bets are made.

        Return the number of the play-out state at which that begins.
        """
        place = self._number(state)
        while len(self.ways) < len(self._places):
            self.ways.append(self._explore_place(self._places[len(self.ways)]))
        return place

    def _number(self, state: State) -> int:
        if not state.wagers:
            return NOTHING_UP
        plain = state.without_view()
        if not self._layout.collects:
            plain = plain._replace(fresh=True)
        number = self._numbers.get(plain)
        if number is None:
            number = self._numbers[plain] = len(self._places)
            self._places.append(plain)
        return number

    def _explore_place(self, state: State) -> tuple[Arc, ...]:
        known = self._known_rolls(state)
        if known is None:
            row = self._roll_all_outcomes(state)
        else:
            numbers = {after: self._number(after) for after in dict.fromkeys(a for a, _ in known)}
            row = [(numbers[after], money) for after, money in known]
        self.rows.append(tuple(row))
        return merge_ways(row, self._dice)

    def _roll_all_outcomes(self, state: State) -> list[tuple[int, int]]:
        """Return (number of the next state, change of worth in cents) for each of the 36 outcomes.

        A state here is the open bets and the puck.
        """
        table = add_shooter_bet(build_table(self._layout, state))
        before = count_worth(table)
        found: dict[object, tuple[int, int]] = {}
        group_outcomes = self._seat.group_outcomes(table)
        for faces, key in zip(OUTCOMES, group_outcomes, strict=True):
            if key not in found:
                after, events = roll_dice(table, *faces)
                for wager in find_decided_open_bets(after, events):
                    after = _take_down(after, wager)
                found[key] = self._number(read_state(after)), count_worth(after) - before
        return [found[key] for key in group_outcomes]


def _take_down(table: Table, wager: str) -> Table:
    """Return the table after the player's bet ``wager`` is taken down.

    If the rules do not allow that, its stake goes back to the rail all the same.
    """
    down = apply_command(table, cmd.TakeDown(PLAYER, wager))
    if down is not None:
        return down
    seat = table.playing[0]
    wagers = {slug: stake for slug, stake in seat.wagers.items() if slug != wager}
    rail = seat.rail + seat.wagers[wager].amount
    return replace(table, playing=(replace(seat, wagers=wagers, rail=rail), *table.playing[1:]))
