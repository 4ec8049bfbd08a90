"""A menu of line bets and of bets that come down for free, as arrays for ``exact.line_solver``.

On such a menu only line bets (pass, don't pass) must stay up once a point is set, and the shooter's
next seven or point decides them all. Every other bet, such as odds, a place bet or the field, is
between rolls as good as chips. So a state is the point, the sizes of the line bets and the rail,
and a choice is one size for each other bet, independent of the rest.

All amounts come from the engine, through ``betting_choices``. They are in levels: multiples of the
largest amount that divides them all.
"""

from __future__ import annotations

from math import gcd
from typing import Any, NamedTuple

import numpy as np

from passline.game.dice.dice import OUTCOMES, SEVEN
from passline.game.layout.stakes import Stake, Wagers
from passline.lab.machines.arrays import FloatArray, IntArray
from passline.lab.machines.betting_choices import BetChange, BettingChoices, OpenBets
from passline.lab.machines.next_states import State

#: The results of a roll at a point are listed in this order: the point, the seven, all others.
POINT_RESULT, SEVEN_RESULT = 0, 1
#: Line bets are pass and don't pass, or one of them.
LINES = 2


class NotALineGame(Exception):  # noqa: N818
    """Raised for a menu that has other bets than a line game allows, or other rules."""


class BetSizes(NamedTuple):
    """The sizes in which one bet can be made, the first of which is no bet.

    ``cost[k]`` is what size k takes from the rail, and ``net[k, result]`` what the rail has gained
    after the roll, with the bet taken down again. ``bets[k]`` are the bets to have up.
    """

    cost: IntArray
    net: IntArray
    bets: tuple[OpenBets, ...]


class PointTable(NamedTuple):
    """What can be bet and won while one point is on.

    ``chance`` has the probability of each result of a roll: the point, the seven, and others,
    which leave line bets where they are. By line bet and size, ``back`` has the levels that come
    back on the point and on the seven, ``odds`` the number of odds sizes allowed behind it,
    ``worth`` what can be expected back at most, and ``down`` what comes back if it is taken down,
    0 if it may not be. ``change[line]`` is +1 if that line bet can be raised by one size, -1 if it
    can be reduced, 0 if neither.

    ``odds_sizes`` has the odds behind each line bet. ``places`` are the bets that lose on the seven
    and win on one other result, ``place_result`` those results. ``spread`` is a bet that wins or
    loses otherwise, such as the field; it may be empty.
    """

    puck: int
    chance: FloatArray
    back: IntArray
    odds: IntArray
    worth: FloatArray
    down: IntArray
    change: tuple[int, ...]
    odds_sizes: tuple[BetSizes, ...]
    places: tuple[BetSizes, ...]
    place_result: tuple[int, ...]
    spread: BetSizes


class LineGame(NamedTuple):
    """A goal with a menu of line bets and bets that come down for free.

    Level k is a rail of ``base`` + k ``step`` cents. At ``goal`` levels the goal is reached.
    ``line_bets[line]`` are the sizes of a line bet, from no bet up, and ``sizes[line]`` their cost.
    ``chance`` has the probability of each result of a come-out roll, and ``point`` the index in
    ``points`` of the point that it sets, or -1. ``back[line, size, result]`` are the levels that
    come back if it sets none. ``spread`` is a bet that may be made beside line bets.
    Sizes of line bets that lose more on average than was allowed are left out; the least of them
    costs ``least_omitted``.
    """

    base: int
    step: int
    goal: int
    line_bets: tuple[tuple[OpenBets, ...], ...]
    sizes: IntArray
    chance: FloatArray
    point: IntArray
    back: IntArray
    spread: BetSizes
    points: tuple[PointTable, ...]
    least_omitted: int


def build_line_game(choices: BettingChoices, bankroll: int, max_loss: float) -> LineGame:
    """Return the line game of a menu, in levels. Raise NotALineGame if it has other bets or rules.

    ``bankroll`` is in cents. The goal is one cent above ``choices.most``. Leave out sizes of line
    bets that lose more than ``max_loss`` cents on average.
    """
    game = _Builder(choices, max_loss).build()
    arrays = [game.sizes, game.back, game.spread.cost, game.spread.net]
    for table in game.points:
        arrays += [table.back, table.down]
        for bet in (*table.odds_sizes, *table.places, table.spread):
            arrays += [bet.cost, bet.net]
    step = gcd(*(int(np.gcd.reduce(array, axis=None)) for array in arrays if array.size))
    step = step or choices.most + 1
    base = bankroll % step
    points = [
        table._replace(
            back=table.back // step,
            worth=table.worth / step,
            down=table.down // step,
            odds_sizes=tuple(_scale(bet, step) for bet in table.odds_sizes),
            places=tuple(_scale(bet, step) for bet in table.places),
            spread=_scale(table.spread, step),
        )
        for table in game.points
    ]
    return game._replace(
        base=base,
        step=step,
        goal=-((base - choices.most - 1) // step),
        sizes=game.sizes // step,
        back=game.back // step,
        spread=_scale(game.spread, step),
        points=tuple(points),
        least_omitted=game.least_omitted // step,
    )


def _scale(bet: BetSizes, step: int) -> BetSizes:
    return bet._replace(cost=bet.cost // step, net=bet.net // step)


def _require(condition: bool) -> None:
    if not condition:
        raise NotALineGame


class _Builder:
    """Read the bets of a menu from the engine. Money is in cents."""

    def __init__(self, choices: BettingChoices, max_loss: float) -> None:
        self._choices, self._max_loss = choices, max_loss
        spots = choices.layout.spots
        menu = sorted(choices.menu, key=lambda slug: spots[slug].rank)
        lines = [slug for slug in menu if spots[slug].rule.is_line]
        #: Two line bets, in the order of the layout; "" for none.
        self._lines = [*lines, *[""] * (LINES - len(lines))]
        self._odds = [
            next((s for s in menu if line and spots[s].flat == line), "") for line in self._lines
        ]
        self._others = [slug for slug in menu if slug not in (*self._lines, *self._odds)]
        self._menu = tuple(menu)
        self._least_omitted = choices.most + 1
        _require(len(lines) <= LINES and not choices.calls)
        _require(not choices.layout.house.book.net_center.value)
        _require(not any(spots[s].is_odds or spots[s].legs for s in self._others))

    def build(self) -> LineGame:
        """Return the line game, in cents: a level is a cent."""
        choices = self._choices
        groups, pucks = choices.group_outcomes(0, self._menu), choices.pucks_after(0)
        chance = np.array([weight / choices.whole for _, weight in groups])
        numbers = sorted({pucks[index] for index, _ in groups} - {0})
        point = np.array([numbers.index(pucks[i]) if pucks[i] else -1 for i, _ in groups], np.int64)
        line_bets = [self._list_line_bets(line) for line in self._lines]
        sizes = _pad([[_sum_amounts(bets) for bets in sized] for sized in line_bets])
        back = _pad(
            [
                [[self._read_come_out(bets, index) for index, _ in groups] for bets in sized]
                for sized in line_bets
            ]
        )
        # Leave out the sizes that lose too much on average.
        decided = [self._read_decisions(puck, line_bets) for puck in numbers]
        after = [np.zeros_like(sizes) if n < 0 else decided[n][1] for n in point]
        loss = sizes - back @ chance - sum(p * w for p, w in zip(chance, after, strict=True))
        keep = []
        for line, sized in enumerate(line_bets):
            losses = loss[line, : len(sized)]
            count = int(np.argmax([*(losses > self._max_loss), True]))
            if count < len(sized):
                self._least_omitted = min(self._least_omitted, int(sizes[line, count]))
            keep.append(sized[:count])
        most = max(map(len, keep))
        near = BettingChoices(
            choices.layout, self._menu, choices.unit, int(sizes[:, most - 1].max()), choices.dice
        )
        points = tuple(
            self._read_point(near, puck, keep, back_then[:, :most], worth[:, :most])
            for puck, (back_then, worth) in zip(numbers, decided, strict=True)
        )
        spread = [bet for slug in self._others if len((bet := self._read_bet(0, slug)).cost) > 1]
        _require(len(spread) <= 1)
        return LineGame(
            base=0,
            step=1,
            goal=choices.most + 1,
            line_bets=tuple(keep),
            sizes=sizes[:, :most],
            chance=chance,
            point=point,
            back=back[:, :most],
            spread=spread[0] if spread else _no_bet(len(groups)),
            points=points,
            least_omitted=self._least_omitted,
        )

    def _list_line_bets(self, line: str) -> tuple[OpenBets, ...]:
        """Return the bets for each size of a line bet on a come-out roll, from no bet up."""
        changes = self._choices.list_changes(State(), {}, line) if line else ()
        return ((), *map(_read_plain, changes))

    def _read_come_out(self, bets: OpenBets, index: int) -> int:
        """Return what a line bet gives back on a come-out roll, 0 if a point is set."""
        if not bets:
            return 0
        puck = self._choices.pucks_after(0)[index]
        back, left = self._choices.settle_roll(0, bets, index)
        if puck:
            _require((back, left) == (0, bets))
            return 0
        state, gain = self._choices.take_down_free_bets(State(0, left))
        _require(not state.wagers)
        return back + gain

    def _read_decisions(
        self, puck: int, line_bets: list[tuple[OpenBets, ...]]
    ) -> tuple[IntArray, FloatArray]:
        """Return (back, worth) at a point, by line bet and size.

        ``back`` has the cents that come back on the point and on the seven. ``worth`` is their mean
        or the bet itself, if that is more.
        """
        groups = self._group_results(puck)
        back = _pad(
            [[self._read_ends(puck, bets, groups) for bets in sized] for sized in line_bets]
        )
        ends = np.array([weight for _, weight in groups[:2]])
        amount = _pad([[_sum_amounts(bets) for bets in sized] for sized in line_bets])
        return back, np.maximum(back @ ends / ends.sum(), amount * (back[..., 0] < back[..., 1]))

    def _read_ends(self, puck: int, bets: OpenBets, groups: list[tuple[int, int]]) -> list[int]:
        """Return what a line bet gives back on the point and on the seven; no other decides it."""
        if not bets:
            return [0, 0]
        results = [self._choices.settle_roll(puck, bets, index) for index, _ in groups]
        _require(all(result == (0, bets) for result in results[2:]))
        _require(not any(left for _, left in results[:2]))
        return [back for back, _ in results[:2]]

    def _group_results(self, puck: int) -> list[tuple[int, int]]:
        """Return (outcome, weight) of each result at a point: the point, the seven, all others."""
        pucks = self._choices.pucks_after(puck)
        groups = self._choices.group_outcomes(puck, self._menu)
        ends = {sum(OUTCOMES[g[0]]): g for g in groups if pucks[g[0]] != puck}
        others = [g for g in groups if pucks[g[0]] == puck]
        _require(set(ends) == {puck, SEVEN} and len(others) + len(ends) == len(groups))
        _require(not any(pucks[index] for index, _ in ends.values()))
        return [ends[puck], ends[SEVEN], *others]

    def _read_point(
        self,
        near: BettingChoices,
        puck: int,
        line_bets: list[tuple[OpenBets, ...]],
        back: IntArray,
        worth: FloatArray,
    ) -> PointTable:
        """Return what can be done at a point. ``near`` has no amounts above the line bets kept."""
        down = np.zeros(back.shape[:2], np.int64)
        odds = np.zeros(back.shape[:2], np.int64)
        change, odds_sizes = [], []
        for line, sized in enumerate(line_bets):
            slug = self._lines[line]
            change.append(self._find_change(near, puck, slug, sized))
            for size, bets in enumerate(sized):
                down[line, size] = near.find_take_down_gain(State(puck, bets))
                _require(down[line, size] == (_sum_amounts(bets) if change[line] < 0 else 0))
            by_size = [self._read_odds(puck, dict(bets), self._odds[line]) for bets in sized]
            longest = max(by_size, key=len)
            _require(all(each == longest[: len(each)] for each in by_size))
            odds[line, : len(sized)] = list(map(len, by_size))
            odds_sizes.append(self._to_sizes(puck, longest))
        places, results, spread = self._sort_others(puck)
        groups = self._group_results(puck)
        return PointTable(
            puck=puck,
            chance=np.array([weight / self._choices.whole for _, weight in groups]),
            back=back,
            odds=odds,
            worth=worth,
            down=down,
            change=tuple(change),
            odds_sizes=tuple(odds_sizes),
            places=places,
            place_result=results,
            spread=spread,
        )

    def _find_change(
        self, near: BettingChoices, puck: int, slug: str, sized: tuple[OpenBets, ...]
    ) -> int:
        """Return whether a line bet can be raised (1), reduced (-1) or neither (0) at a point."""
        if not slug:
            return 0
        _require(not near.list_changes(State(puck), {}, slug))
        known = {bets: size for size, bets in enumerate(sized)}
        found: set[int] = set()
        for size in range(1, len(sized)):
            targets: set[int] = set()
            for change in near.list_changes(State(puck, sized[size]), dict(sized[size]), slug):
                _require(len(change.after) == 1 and change.after[0][0] == slug)
                left = tuple((slug, stake) for _, stake in change.after if stake is not None)
                state, gain = near.take_down_free_bets(State(puck, left))
                target = known.get(state.wagers, len(sized))  # A size that was left out.
                _require(not gain and (target < len(sized) or change.cost > 0))
                targets.add(target)
            up, down = set(range(size + 1, len(sized))), set(range(size))
            _require(targets - {len(sized)} in (set(), up, down))
            found.add(int(targets - {len(sized)} == up and bool(targets)) - int(targets == down))
        _require(found <= {1} or found <= {-1} or found <= {0})
        return found.pop() if found else 0

    def _read_odds(self, puck: int, up: Wagers, odds: str) -> tuple[OpenBets, ...]:
        """Return the odds that may be made behind a line bet. They must come down for free."""
        changes = self._choices.list_changes(State(puck), up, odds) if odds and up else ()
        for change in changes[-1:]:  # The engine treats all sizes alike.
            bets = tuple(sorted({**up, **dict(_read_plain(change))}.items()))
            state, gain = self._choices.take_down_free_bets(State(puck, bets))
            _require((dict(state.wagers), gain) == (up, change.cost))
        return tuple(map(_read_plain, changes))

    def _sort_others(self, puck: int) -> tuple[tuple[BetSizes, ...], tuple[int, ...], BetSizes]:
        """Return (places, their results, spread): the bets that are neither line bets nor odds."""
        places: dict[int, BetSizes] = {}
        spread: list[BetSizes] = []
        for slug in self._others:
            bet = self._read_bet(puck, slug)
            if len(bet.cost) == 1:
                continue
            wins = np.flatnonzero((bet.net > 0).any(axis=0)).tolist()
            losses = np.flatnonzero((bet.net < 0).any(axis=0)).tolist()
            on_seven = bet.net[:, SEVEN_RESULT]
            if losses == [SEVEN_RESULT] and len(wins) == 1 and (on_seven == -bet.cost).all():
                _require(wins[0] not in places)
                places[wins[0]] = bet
            else:
                spread.append(bet)
        _require(len(spread) <= 1)
        none = _no_bet(len(self._group_results(puck)))
        results = tuple(sorted(places))
        return tuple(places[result] for result in results), results, (*spread, none)[0]

    def _read_bet(self, puck: int, slug: str) -> BetSizes:
        """Return what the sizes of a bet that is no line bet and no odds cost and net."""
        changes = self._choices.list_changes(State(puck), {}, slug)
        return self._to_sizes(puck, tuple(map(_read_plain, changes)))

    def _to_sizes(self, puck: int, sized: tuple[OpenBets, ...]) -> BetSizes:
        """Return what each size costs and nets. It must come down for free after every roll."""
        choices = self._choices
        groups = self._group_results(puck) if puck else choices.group_outcomes(0, self._menu)
        pucks = choices.pucks_after(puck)
        every: list[OpenBets] = [(), *sized]
        cost = [_sum_amounts(bets) for bets in every]
        net = np.zeros((len(every), len(groups)), np.int64)
        is_odds = bool(sized) and choices.layout.spots[sized[0][0][0]].is_odds
        for size, bets in enumerate(every):
            for result, (index, _) in enumerate(groups) if bets else ():
                back, left = choices.settle_roll(puck, bets, index)
                if is_odds:  # Only the point and the seven decide odds.
                    _require(left == (bets if result > SEVEN_RESULT else ()))
                    gain = _sum_amounts(left)
                else:
                    state, gain = choices.take_down_free_bets(State(pucks[index], left))
                    _require(not state.wagers)
                net[size, result] = back + gain - cost[size]
        return BetSizes(np.array(cost, np.int64), net, tuple(every))


def _pad(rows: list[list[Any]]) -> IntArray:
    """Return an array of rows of different lengths, with the last entry repeated."""
    most = max(map(len, rows))
    return np.array([row + row[-1:] * (most - len(row)) for row in rows], np.int64)


def _sum_amounts(bets: OpenBets) -> int:
    return sum(stake.amount for _, stake in bets)


def _read_plain(change: BetChange) -> OpenBets:
    """Return the bet that a change makes. Raise NotALineGame if it is another change."""
    ((slug, stake),) = change.after if len(change.after) == 1 else (("", None),)
    if stake is None or stake != Stake(change.cost, change.cost):
        raise NotALineGame
    return ((slug, stake),)


def _no_bet(results: int) -> BetSizes:
    return BetSizes(np.zeros(1, np.int64), np.zeros((1, results), np.int64), ((),))
