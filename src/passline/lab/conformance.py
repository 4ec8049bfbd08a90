"""List how every bet is settled on every roll, as rows to test other programs against.

A menu is one bet, the odds behind it, and the player's calls that turn them on or off. This module
explores each menu on the real table, roll by roll, until no new state appears. Bets of different
menus are never up together, so rules about several bets (Iowa nets its center bets) are not
covered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import lcm
from typing import NamedTuple

import msgspec

from passline.game.dice.dice import OUTCOMES
from passline.game.house.house import House, describe_elections
from passline.game.law.verdicts import Result
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Settlement
from passline.game.layout.wager_checks import find_bounds, find_stake_step
from passline.game.money.amounts import to_dollars
from passline.game.table import commands as cmd
from passline.game.table.events import Rolled
from passline.game.table.state import Table
from passline.lab.machines.next_states import (
    PLAYER,
    State,
    add_shooter_bet,
    apply_command,
    build_table,
    read_state,
    roll_dice,
)
from passline.version import VERSION

#: The version of the rows. A change that a reader could not ignore gets the next number.
FORMAT = 1
#: A stake in cents at which vigorish is not rounded to nothing.
_VIG_STAKE = 2_000


class HeaderRow(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="header"):
    """The first row: which rules these are, and which program made the rows."""

    format: int
    passline: str
    rulebook: str
    game: str
    smallest_chip: str
    elections: dict[str, str]


class Situation(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """A bet that is up before a roll, and whether it works on that roll.

    ``puck`` is the point, or None while the puck is off.
    """

    wager: str
    puck: int | None
    working: bool


class MenuRow(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="menu"):
    """One bet, the stakes it was tried with, and a summary of what can happen to it.

    ``states`` counts the table states that the bet can lead to with the last of the stakes: puck,
    bets, calls, and what a bet such as fire has collected. ``situations`` are the bets that can be
    up before a roll; a roll without a settlement for a situation leaves that bet as it is.
    ``settlements`` counts the settlement rows just before this one. A bet that the house splits
    into others (a whirl into a horn and any seven) is settled in the menus of those.
    """

    menu: str
    stakes: tuple[str, ...]
    states: int
    situations: tuple[Situation, ...]
    settlements: int


class SettlementRow(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="settlement"):
    """How a roll settles a bet. Money is in dollars; ``paid`` does not include the stake.

    ``wager``, ``puck`` and ``working`` say which bet was up (see ``Situation``), ``dice`` is the
    roll, and ``result`` what becomes of the bet. ``odds`` is what it pays, such as "7 to 6",
    ``vig`` the vigorish, and ``cite`` the clause. ``left`` is the part that stays up, and ``to``
    the wager that a come bet becomes when it travels. For bets on a set of points or totals, such
    as fire, ``made`` (points) and ``thrown`` (totals) are what this shooter had before the roll.
    ``tally`` is what other such bets have counted: the totals of different doubles, or how many.
    """

    wager: str
    puck: int | None
    working: bool
    dice: tuple[int, int]
    stake: str
    result: Result
    odds: str | None
    paid: str
    vig: str
    left: str
    to: str | None
    cite: str
    made: tuple[int, ...] = ()
    thrown: tuple[int, ...] = ()
    tally: tuple[int, ...] = ()


class TotalRow(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="total"):
    """The last row: how many rows of each kind came before. A file without it is incomplete."""

    menus: int
    states: int
    settlements: int


ConformanceRow = HeaderRow | MenuRow | SettlementRow | TotalRow


def conformance_schema() -> dict[str, object]:
    """Return the JSON Schema of one row."""
    title = "A row of passline conformance"
    return {"title": title, **msgspec.json.schema(ConformanceRow)}


class _Explored(NamedTuple):
    """What exploring one bet with one stake found.

    ``states`` is the number of different table states. ``situations`` are the bets that were up
    before rolls. ``settlements`` are the rows to write; the dict keeps their order.
    """

    states: int
    situations: set[Situation]
    settlements: dict[SettlementRow, None]


def list_conformance_rows(
    house: House, progress: Callable[[int, int], None] | None = None
) -> Iterator[ConformanceRow]:
    """Yield a house's rows: a header, each bet's settlements and its summary, and the total.

    ``progress`` is called with the number of bets done and of all bets.
    """
    layout = compile_layout(house)
    yield HeaderRow(
        format=FORMAT,
        passline=VERSION,
        rulebook=house.book.id,
        game=house.game,
        smallest_chip=to_dollars(house.chip),
        elections=describe_elections(house),
    )
    menus = [spot for spot in layout.spots.values() if not (spot.is_odds or spot.only_travels)]
    explorer = _Explorer(layout)
    states, written = 0, dict[SettlementRow, None]()
    for done, spot in enumerate(menus):
        if progress is not None:
            progress(done, len(menus))
        stakes = _list_stakes(layout, spot)
        found = [explorer.explore_menu(spot, cents) for cents in stakes]
        rows = {row: None for explored in found for row in explored.settlements}
        rows = {row: None for row in rows if row not in written}
        written |= rows
        yield from rows
        situations = {one for explored in found for one in explored.situations}
        yield MenuRow(
            menu=spot.slug,
            stakes=tuple(map(to_dollars, stakes)),
            states=found[-1].states,
            situations=tuple(sorted(situations, key=_situation_key)),
            settlements=len(rows),
        )
        states += found[-1].states
    yield TotalRow(menus=len(menus), states=states, settlements=len(written))


def _situation_key(situation: Situation) -> tuple[str, int, bool]:
    return situation.wager, situation.puck or 0, situation.working


def _list_stakes(layout: Layout, spot: Spot) -> list[int]:
    """Return the stakes in cents to try a bet with: the least, and one paid without rounding.

    They may be the same. A bet that collects points or totals gets one stake, because rounding does
    not matter.
    """
    bounds = find_bounds(layout, spot, 0, {})
    low = max(bounds.least, _VIG_STAKE if spot.vig else 0)
    step = find_stake_step(spot)
    if not (spot.rule.is_composite or spot.rule.is_collect):
        step = lcm(step, spot.odds.step(layout.house.chip))
    exact = min(-(-low // step) * step, bounds.most)
    return [exact] if spot.rule.is_collect else sorted({bounds.least, exact})


class _Explorer:
    """Explores bets on one layout.

    It caches the states that a roll without bets leads to, because all menus share them.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._empty_rolls: dict[State, list[State]] = {}

    def explore_menu(self, spot: Spot, cents: int) -> _Explored:
        """Explore every state that a table can reach with one bet of ``cents`` on ``spot``."""
        opening = self._trim(State())
        seen, waiting = {opening}, [opening]
        found = _Explored(0, set(), {})
        while waiting:
            state = waiting.pop()
            table = build_table(self.layout, state)
            after = [*self._act(table, spot, cents), *self._roll(table, state, found)]
            fresh = [one for one in dict.fromkeys(after) if one not in seen]
            seen.update(fresh)
            waiting += fresh
        return found._replace(states=len(seen))

    def _trim(self, state: State) -> State:
        """Return a state with ``fresh`` (a new shooter) set to true, unless the bets depend on it.

        So states that differ only in this unused field are the same.
        """
        return state if self.layout.collects else state._replace(fresh=True)

    def _act(self, table: Table, spot: Spot, cents: int) -> Iterator[State]:
        """Yield the table states after each thing that the player may do with one bet.

        That is to make it for ``cents``, to add the least odds, or to call it on or off.
        """
        for command in self._list_commands(table, spot, cents):
            after = apply_command(table, command)
            if after is not None:
                yield self._trim(read_state(after))

    def _list_commands(self, table: Table, spot: Spot, cents: int) -> Iterator[cmd.AnyCommand]:
        wagers, spots = table.playing[0].wagers, self.layout.spots
        if not wagers:
            yield cmd.Bet(PLAYER, spot.slug, cents)
        for slug, stake in wagers.items():
            behind = spots[slug].behind
            if behind and behind not in wagers:
                bounds = find_bounds(self.layout, spots[behind], table.point, wagers)
                yield cmd.Bet(PLAYER, behind, bounds.least)
            yield from (cmd.Call(PLAYER, slug, on) for on in (True, False) if stake.call is not on)

    def _roll(self, table: Table, state: State, found: _Explored) -> list[State]:
        """Return the states after each roll, and add what the rolls settle to ``found``."""
        if not state.wagers and state in self._empty_rolls:
            return self._empty_rolls[state]
        ready = add_shooter_bet(table)
        situations = {slug: self._situate(state, slug) for slug, _ in state.wagers}
        found.situations.update(situations.values())
        after = []
        for group in self._group_dice(state):
            rolled, events = roll_dice(ready, *group[0])
            after.append(self._trim(read_state(rolled)))
            for done in (s for e in events if isinstance(e, Rolled) for s in e.settlements):
                if done.player == PLAYER:
                    rows = (self._make_row(state, situations[done.wager], d, done) for d in group)
                    found.settlements.update(dict.fromkeys(rows))
        if not state.wagers:
            self._empty_rolls[state] = after
        return after

    def _group_dice(self, state: State) -> Iterable[list[tuple[int, int]]]:
        """Return the 36 outcomes in groups of the same total and the same effect on each bet."""
        groups: dict[object, list[tuple[int, int]]] = {}
        spots = self.layout.spots
        tables = [spots[slug].list_outcome_keys(state.puck) for slug, _ in state.wagers]
        for index, dice in enumerate(OUTCOMES):
            key = (sum(dice), *(table[index] for table in tables))
            groups.setdefault(key, []).append(dice)
        return groups.values()

    def _situate(self, state: State, slug: str) -> Situation:
        call = dict(state.wagers)[slug].call
        working = call if call is not None else bool(state.puck) or self.layout.spots[slug].works
        return Situation(wager=slug, puck=state.puck or None, working=working)

    def _make_row(
        self, state: State, situation: Situation, dice: tuple[int, int], done: Settlement
    ) -> SettlementRow:
        collects = self.layout.spots[done.wager].rule.is_collect
        return SettlementRow(
            wager=done.wager,
            puck=situation.puck,
            working=situation.working,
            dice=dice,
            stake=to_dollars(done.stake),
            result=done.result,
            odds=done.odds,
            paid=to_dollars(done.paid),
            vig=to_dollars(done.vig),
            left=to_dollars(done.left),
            to=done.to,
            cite=done.cite,
            made=tuple(sorted(state.made)) if collects else (),
            thrown=tuple(sorted(state.thrown)) if collects else (),
            tally=dict(state.tallies).get(done.wager, ()),
        )
