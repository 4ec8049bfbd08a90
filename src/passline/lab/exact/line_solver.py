"""The best probability of reaching a goal in a line game, by dynamic programming in doubles.

A line game (``machines.line_game``) has line bets, which must stay up once a point is set, and
other bets, each chosen in one of many sizes before every roll. There are far too many combinations
to try them all. Two facts make them unnecessary:

* No bet favors the player, so a player with a rail of w and line bets worth x has a chance of at
  most (w + x) / goal. The difference to the known chance is the state's gap. A combination that
  loses more than the gap on average cannot be better.
* A place bet matters on its own number, and through the total that the seven takes. Give every
  level (unit of money) that the seven takes a price. Then each bet has a best size of its own, and
  the sum of these is at least what any combination is worth. If that is not above the known chance,
  no combination is better. Otherwise the sizes near the best of each bet are searched. If there are
  too many, the state counts as worth that sum: the result is then an upper bound.

The solver starts with few pairs of sizes of the line bets. A pair that was not explored counts as
worth what nobody can exceed, (w + x) / goal. The pairs that look better than the best known choice
are explored next, until none does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.lab.machines.arrays import FloatArray, IntArray
from passline.lab.machines.betting_choices import OpenBets
from passline.lab.machines.compile_loops import compile_loop
from passline.lab.machines.line_game import (
    LINES,
    POINT_RESULT,
    SEVEN_RESULT,
    LineGame,
    PointTable,
)

#: A choice must be better by this much to replace another. The proof allows for it.
_MIN_GAIN = 2e-14
#: Prices of a level that the seven takes, as multiples of its fair price.
_PRICES = np.array([0.97, 1.0, 0.94, 0.985, 0.955, 0.9, 1.03, 0.8, 0.5, 0.1])
_ZEROS = np.zeros(len(_PRICES))
#: Choices at so many larger rails are tried first.
_NEAR_LEVELS = 12
#: The most combinations that are searched in one state.
_MAX_SEARCH = 2_000
#: How many sizes smaller a combination of odds may be that wins as much as another.
_MAX_SMALLER = 10
#: The most passes over stored choices, and the rise after which they end.
_MAX_SWEEPS, _CONVERGED_CHANGE = 1_000, 1e-16
#: By how much the values of a player with no bets up may rise before bounds are computed again.
_SLACK = 2e-6
#: What a choice is: none, a layout of bets, or a line bet changed by one size (plus its number).
NO_CHOICE, LAYOUT, CHANGE = -1, 0, 1
#: Columns of a stored choice: what it is, the odds combination, the spread bet, the place bets.
_KIND, _ODDS, _SPREAD, _PLACES = 0, 1, 2, 3


class _Point(NamedTuple):
    """A point's table as flat arrays for numba.

    The sizes of all place bets follow each other: those of place p are ``first[p]`` to
    ``first[p + 1]``, the first of them no bet. ``own[p]`` is the result on which place p wins.
    Combinations of odds behind both line bets are sorted by ``odds_cost``; ``odds_size[c, line]``
    are the sizes, and ``odds_net[c, result]`` the net on the point and on the seven.
    """

    chance: FloatArray
    odds_cost: IntArray
    odds_size: IntArray
    odds_net: IntArray
    first: IntArray
    own: IntArray
    place_cost: IntArray
    place_gain: IntArray
    spread_cost: IntArray
    spread_net: IntArray
    spread_loss: FloatArray


class _Prices(NamedTuple):
    """Prices of a level that the seven takes, and what ends of a hand are worth at each.

    ``on_point[n, level]`` and ``on_seven[n, level]`` come from ``_tabulate_prices``.
    """

    price: FloatArray
    on_point: FloatArray
    on_seven: FloatArray


@compile_loop()
def _at(values: FloatArray, level: int) -> float:
    return 1.0 if level >= len(values) else values[level]


@compile_loop()
def _find_place(point: _Point, result: int) -> int:
    """Return the place bet that wins on a result, or -1."""
    for place in range(len(point.own)):
        if point.own[place] == result:
            return place
    return -1


@compile_loop()
def _is_bounded(
    worth: float, one: FloatArray, other: FloatArray, third: FloatArray, most: float
) -> bool:
    """Return whether ``worth`` plus the others does not exceed ``most`` at some price."""
    for n in range(len(one)):  # noqa: SIM110 - numba has no any()
        if worth + one[n] + other[n] + third[n] <= most:
            return True
    return False


@compile_loop()
def _price_place(point: _Point, values: FloatArray, place: int, level: int, price: float) -> float:
    """Return the most that a place bet adds on its own result, less the price of its cost."""
    chance, best = point.chance[point.own[place]], 0.0
    for k in range(point.first[place], point.first[place + 1]):
        if point.place_cost[k] > level and k > point.first[place]:
            break
        worth = chance * _at(values, level + point.place_gain[k]) - price * point.place_cost[k]
        best = max(best, worth)
        if level + point.place_gain[k] >= len(values):
            break  # A larger bet costs more and wins no more than the goal.
    return best


@compile_loop()
def _tabulate_prices(
    point: _Point, rail_values: FloatArray, unit: int, prices: FloatArray, size: int
) -> tuple[FloatArray, FloatArray]:
    """Return (on_point, on_seven): the most that the results that end a hand are worth, by price.

    By level after the line bets, odds and spread bet. A place bet on the point may add to the
    first. The second is what is left if place bets lose any multiple of ``unit``, plus the price of
    that amount.
    """
    on_point, on_seven = np.zeros((len(prices), size)), np.zeros((len(prices), size))
    place = -1
    for p in range(len(point.own)):
        if point.own[p] == 0:
            place = p
    for n in range(len(prices)):
        price = prices[n] * unit
        for level in range(size):
            best = point.chance[0] * _at(rail_values, level)
            if place >= 0 and level < len(rail_values):
                for k in range(point.first[place], point.first[place + 1]):
                    then = level + point.place_gain[k]
                    cost = prices[n] * point.place_cost[k]
                    best = max(best, point.chance[0] * _at(rail_values, then) - cost)
                    if then >= len(rail_values):
                        break
            on_point[n, level] = best
            on_seven[n, level] = point.chance[1] * _at(rail_values, level)
            if level >= unit:
                on_seven[n, level] = max(on_seven[n, level], on_seven[n, level - unit] + price)
    return on_point, on_seven


@compile_loop()
def _evaluate(
    point: _Point,
    rail_values: FloatArray,
    values: FloatArray,
    back: IntArray,
    choice: NDArray[np.int32],
    level: int,
    idle: bool,
) -> tuple[float, float]:
    """Return (mean, stay) of a stored layout.

    The mean leaves out the results that change nothing; ``stay`` is their chance.

    ``back`` is what the line bets give back on the point and on the seven.
    """
    odds, spread, count = choice[_ODDS], choice[_SPREAD], len(point.own)
    on_point = level + back[0] + point.odds_net[odds, 0] + point.spread_net[spread, 0]
    on_seven = level + back[1] + point.odds_net[odds, 1] + point.spread_net[spread, 1]
    for p in range(count):
        k = point.first[p] + choice[_PLACES + p]
        on_seven -= point.place_cost[k]
        if point.own[p] == 0:
            on_point += point.place_gain[k]
    total, stay = point.chance[1] * _at(rail_values, on_seven), 0.0
    if idle and on_point == level:
        stay = point.chance[0]
    else:
        total += point.chance[0] * _at(rail_values, on_point)
    for result in range(2, len(point.chance)):
        then = level + point.spread_net[spread, result]
        for p in range(count):
            if point.own[p] == result:
                then += point.place_gain[point.first[p] + choice[_PLACES + p]]
        if then == level:
            stay += point.chance[result]
        else:
            total += point.chance[result] * _at(values, then)
    return total, stay


@compile_loop()
def _find_cost(point: _Point, choice: NDArray[np.int32]) -> int:
    """Return what a stored layout takes from the rail."""
    cost = int(point.odds_cost[choice[_ODDS]] + point.spread_cost[choice[_SPREAD]])
    for place in range(len(point.own)):
        cost += point.place_cost[point.first[place] + choice[_PLACES + place]]
    return cost


@compile_loop()
def _bound_places(
    point: _Point, values: FloatArray, prices: _Prices, level: int, spread: int
) -> tuple[IntArray, float, FloatArray]:
    """Return (order, fixed, rest) of the results that do not end a hand.

    ``order`` has the place bets on them. ``fixed`` is what the results without a place bet are
    worth. ``rest[q, n]`` is the most that the place bets from number n of ``order`` on are worth,
    less price q of their cost.
    """
    net, order, depth, fixed = point.spread_net[spread], np.zeros(len(point.own), np.int64), 0, 0.0
    for result in range(2, len(point.chance)):
        place = _find_place(point, result)
        if place < 0:
            fixed += point.chance[result] * _at(values, level + net[result])
        else:
            order[depth] = place
            depth += 1
    rest = np.zeros((len(prices.price), depth + 1))
    for q in range(len(prices.price)):
        for n in range(depth - 1, -1, -1):
            own = point.own[order[n]]
            more = _price_place(point, values, order[n], level + net[own], prices.price[q])
            rest[q, n] = rest[q, n + 1] + more
    return order[:depth], fixed, rest


@compile_loop()
def _keep_sizes(
    point: _Point,
    values: FloatArray,
    prices: _Prices,
    order: IntArray,
    level: int,
    spread: int,
    rest: FloatArray,
    bounds: FloatArray,
    target: float,
) -> IntArray:
    """Return, for each place bet in ``order``, the sizes of layouts that may exceed ``target``.

    Each row ends with -1. ``bounds`` and ``rest`` are those of ``_search``.
    """
    net, rail = point.spread_net[spread], level - point.spread_cost[spread]
    kept = np.full((len(order), len(point.place_cost) + 1), -1, np.int64)
    for n in range(len(order)):
        place = order[n]
        own, number = point.own[place], 0
        for at in range(point.first[place], point.first[place + 1]):
            if point.place_cost[at] > rail:
                break
            worth = point.chance[own] * _at(values, level + net[own] + point.place_gain[at])
            good = True
            for q in range(len(prices.price)):
                slack = rest[q, n] - rest[q, n + 1] - worth
                slack += prices.price[q] * point.place_cost[at]
                good = good and bounds[q] - slack > target
            if good:
                kept[n, number] = at
                number += 1
    return kept


@compile_loop()
def _search(
    point: _Point,
    rail_values: FloatArray,
    values: FloatArray,
    prices: _Prices,
    back: IntArray,
    combos: IntArray,
    level: int,
    spread: int,
    bounds: FloatArray,
    target: float,
    found: NDArray[np.int32],
) -> tuple[float, bool]:
    """Return (mean, finished): the best layout with one size of the spread bet, if any is better.

    The mean is ``target`` if none exceeds it. Write the layout to ``found``. Stop after
    ``_MAX_SEARCH`` steps, before the search is finished. ``bounds`` has what no layout can exceed,
    at each of ``prices``. Go through the place bets depth first. What those that are left can add
    is bounded at each price.
    """
    count, net = len(point.own), point.spread_net[spread]
    rail = level - point.spread_cost[spread]
    order, fixed, rest = _bound_places(point, values, prices, level, spread)
    depth, winner = len(order), _find_place(point, 0)
    kept = _keep_sizes(point, values, prices, order, level, spread, rest, bounds, target)
    size, steps, most = np.zeros(count + 1, np.int64), 0, target
    worth, lost = np.zeros(depth + 1), np.zeros(depth + 1, np.int64)
    for c in combos:
        left = rail - point.odds_cost[c]
        if left < 0:
            break
        a = level + back[0] + point.odds_net[c, 0] + net[0]
        b = level + back[1] + point.odds_net[c, 1] + net[1]
        if _is_bounded(fixed, prices.on_point[:, a], prices.on_seven[:, b], rest[:, 0], most):
            continue
        first, last = 0, 1
        if winner >= 0:
            first, last = point.first[winner], point.first[winner + 1]
        for k in range(first, last):
            cost = gain = 0
            if winner >= 0:
                cost, gain = point.place_cost[k], point.place_gain[k]
            if cost > left:
                break
            worth[0], lost[0] = fixed + point.chance[0] * _at(rail_values, a + gain), cost
            n, size[0] = 0, -1
            if _is_bounded(worth[0], rest[:, 0], prices.on_seven[:, b - cost], _ZEROS, most):
                continue
            while n >= 0:
                steps += 1
                if steps > _MAX_SEARCH:
                    return most, False
                if n == depth:
                    mean = worth[n] + point.chance[1] * _at(rail_values, b - lost[n])
                    if mean > most:
                        most = mean
                        found[:] = 0
                        found[_ODDS], found[_SPREAD] = c, spread
                        for m in range(depth):
                            found[_PLACES + order[m]] = kept[m, size[m]] - point.first[order[m]]
                        if winner >= 0:
                            found[_PLACES + winner] = k - first
                    n -= 1
                    continue
                place = order[n]
                size[n] += 1
                at, own = kept[n, size[n]], point.own[place]
                if at < 0 or lost[n] + point.place_cost[at] > left:
                    n -= 1
                    continue
                then = level + net[own] + point.place_gain[at]
                more = worth[n] + point.chance[own] * _at(values, then)
                less = lost[n] + point.place_cost[at]
                if not _is_bounded(
                    more, rest[:, n + 1], prices.on_seven[:, b - less], _ZEROS, most
                ):
                    n += 1
                    worth[n], lost[n], size[n] = more, less, -1
    return most, True


@compile_loop()
def _find_better(
    point: _Point,
    rail_values: FloatArray,
    values: FloatArray,
    prices: _Prices,
    back: IntArray,
    combos: IntArray,
    level: int,
    spread: int,
    found: NDArray[np.int32],
) -> tuple[float, float]:
    """Return (mean, bound) of the best layout with one size of the spread bet.

    The mean is 0 if none was found that is better than ``values[level]``; otherwise ``found`` has
    the layout. The bound is 0 if at some price, or by a search, no layout is better; otherwise no
    layout exceeds it.
    """
    net, left = point.spread_net[spread], level - point.spread_cost[spread]
    target, bounds = values[level] + _MIN_GAIN, np.zeros(len(prices.price))
    for n in range(len(prices.price)):
        bound = 0.0
        for result in range(2, len(point.chance)):
            place = _find_place(point, result)
            if place >= 0:
                bound += _price_place(point, values, place, level + net[result], prices.price[n])
            else:
                bound += point.chance[result] * _at(values, level + net[result])
        most = 0.0
        for c in combos:
            if point.odds_cost[c] > left:
                break
            a = level + back[0] + point.odds_net[c, 0] + net[0]
            b = level + back[1] + point.odds_net[c, 1] + net[1]
            most = max(most, prices.on_point[n, a] + prices.on_seven[n, b])
        bounds[n] = bound + most
        if bounds[n] <= target:
            return 0.0, 0.0
    mean, finished = _search(
        point, rail_values, values, prices, back, combos, level, spread,
        bounds, target, found,
    )  # fmt: skip
    if mean > target:
        return mean, bounds.min()
    return 0.0, 0.0 if finished else bounds.min()


@compile_loop()
def _raise_place(
    point: _Point,
    rail_values: FloatArray,
    values: FloatArray,
    policy: NDArray[np.int32],
    floor: FloatArray,
    fair: FloatArray,
    back: IntArray,
    combos: IntArray,
    top: int,
    prices: _Prices,
    first_spread: int,
    spreads: int,
) -> float:
    """Raise the values at one point with one pair of line bets to those of the best choices.

    Return the largest rise. A state with too many layouts to search gets a bound, and keeps the
    best choice that was found. ``floor`` has the
    values of changing a line bet, ``fair`` those that nobody can exceed. From level ``top`` on the
    goal is reached. Without line bets ``values`` is ``rail_values``: a player with no bets up. Try
    the sizes of the spread bet from ``first_spread`` to ``spreads``; if both are 0, only odds.
    """
    found = np.zeros(policy.shape[1], np.int32)
    ends, idle = point.chance[0] + point.chance[1], back[1] == 0 and back[0] == 0
    rise = 0.0
    for level in range(top - 1, -1, -1):
        before = values[level]
        if policy[level, _KIND] == LAYOUT:
            total, stay = _evaluate(point, rail_values, values, back, policy[level], level, idle)
            values[level] = max(values[level], total / (1.0 - stay))
        if floor[level] > values[level] + _MIN_GAIN:
            values[level], policy[level, _KIND] = floor[level], CHANGE
        if not idle:  # First the best odds alone.
            best, best_c = 0.0, 0
            for c in combos:
                if point.odds_cost[c] > level:
                    break
                a = level + back[0] + point.odds_net[c, 0]
                b = level + back[1] + point.odds_net[c, 1]
                total = point.chance[0] * _at(rail_values, a)
                total += point.chance[1] * _at(rail_values, b)
                if total > best:
                    best, best_c = total, c
            if policy[level, _KIND] == NO_CHOICE or best / ends > values[level] + _MIN_GAIN:
                values[level] = max(values[level], best / ends)
                policy[level, :] = 0
                policy[level, _ODDS] = best_c
        # The bets of a rail a little larger are often as good here.
        for more in range(1, _NEAR_LEVELS * (spreads > 0) + 1):
            if level + more < top and policy[level + more, _KIND] == LAYOUT:
                near = policy[level + more]
                if _find_cost(point, near) <= level:
                    total, stay = _evaluate(point, rail_values, values, back, near, level, idle)
                    if total / (1.0 - stay) > values[level] + _MIN_GAIN:
                        values[level], policy[level] = total / (1.0 - stay), near
        for spread in range(first_spread, spreads):
            if point.spread_cost[spread] > level:
                break
            while point.spread_loss[spread] < fair[level] - values[level]:
                mean, bound = _find_better(
                    point, rail_values, values, prices, back, combos, level, spread, found
                )
                if mean > 0.0:
                    total, stay = _evaluate(point, rail_values, values, back, found, level, idle)
                    values[level] = total / (1.0 - stay)
                    policy[level] = found
                elif bound > 0.0:  # Count the state as worth what no layout exceeds.
                    more = (bound - values[level]) / (ends - point.chance[0] * idle)
                    values[level] = min(fair[level], values[level] + more)
                else:
                    break
        rise = max(rise, values[level] - before)
    return rise


class _ComeOut(NamedTuple):
    """The come-out roll as flat arrays for numba, by line bet and size as in ``LineGame``.

    ``point`` is -1 or the row of the values that follow. ``loss[line, size]`` and ``spread_loss``
    are what a bet loses on average, in chances of reaching the goal. ``worth[row, line, size]`` is
    what can be expected back at most from a line bet at a point, also as a chance. ``fair`` is the
    chance that nobody can exceed with no bets up, by level.
    """

    sizes: IntArray
    counts: IntArray
    chance: FloatArray
    point: IntArray
    back: IntArray
    loss: FloatArray
    worth: FloatArray
    spread_cost: IntArray
    spread_net: IntArray
    spread_loss: FloatArray
    fair: FloatArray


@compile_loop()
def _mean_of_pair(
    come_out: _ComeOut,
    rail_values: FloatArray,
    values: FloatArray,
    pair: int,
    first: int,
    second: int,
    spread: int,
    level: int,
) -> tuple[float, float]:
    """Return (mean, stay) of a come-out roll with two line bets, as ``_evaluate`` does.

    ``pair`` is the index of their values at the points, or -1 if they were not explored.
    """
    left = level - come_out.sizes[0, first] - come_out.sizes[1, second]
    total = stay = 0.0
    for result in range(len(come_out.chance)):
        row, chance = come_out.point[result], come_out.chance[result]
        then = left + come_out.spread_net[spread, result]
        if row < 0:
            then += come_out.back[0, first, result] + come_out.back[1, second, result]
            if then == level:
                stay += chance
            else:
                total += chance * _at(rail_values, then)
        elif first == 0 and second == 0:
            if then == level:
                stay += chance
            else:
                total += chance * _at(rail_values, then)
        elif pair < 0:
            worth = come_out.worth[row, 0, first] + come_out.worth[row, 1, second]
            total += chance * min(1.0, _at(come_out.fair, then) + worth)
        else:
            total += chance * _at(values[row, pair], then)
    return total, stay


@compile_loop()
def _raise_rail(
    come_out: _ComeOut,
    rail_values: FloatArray,
    values: FloatArray,
    pairs: IntArray,
    ready: IntArray,
    choice: IntArray,
    wanted: IntArray,
    spreads: int,
) -> float:
    """Raise the values of a player with no bets up to those of the best bets on a come-out roll.

    Return the largest rise. Write (first size, second size, spread size) to ``choice``.
    ``pairs[first, second]`` is -1 for a pair that was not explored, and ``ready`` of one that has
    only bounds is 0. If such a pair looks better, set ``wanted[first, second]`` instead.
    Try the first ``spreads`` sizes of the spread bet.
    """
    rise, goal = 0.0, len(rail_values)
    for level in range(goal):
        before = rail_values[level]
        for first in range(come_out.counts[0]):
            for second in range(come_out.counts[1]):
                left = level - come_out.sizes[0, first] - come_out.sizes[1, second]
                if left < 0:
                    break
                for spread in range(spreads):
                    if come_out.spread_cost[spread] > left or first + second + spread == 0:
                        continue
                    loss = come_out.loss[0, first] + come_out.loss[1, second]
                    loss += come_out.spread_loss[spread]
                    if loss >= come_out.fair[level] - rail_values[level]:
                        break
                    pair = pairs[first, second]
                    total, stay = _mean_of_pair(
                        come_out, rail_values, values, pair, first, second, spread, level
                    )
                    if total <= (1.0 - stay) * rail_values[level] + _MIN_GAIN:
                        continue
                    if pair < 0 or not ready[pair]:
                        wanted[first, second] = 1
                    else:
                        rail_values[level] = total / (1.0 - stay)
                        choice[level] = first, second, spread
        rise = max(rise, rail_values[level] - before)
    return rise


@compile_loop()
def _sweep_choices(
    points: tuple[_Point, ...],
    come_out: _ComeOut,
    rail_values: FloatArray,
    values: FloatArray,
    policy: NDArray[np.int32],
    backs: IntArray,
    pairs: IntArray,
    choice: IntArray,
) -> float:
    """Raise the values of players with no bets up by what their stored choices give now.

    Return the largest rise. Update the values at the points right after the come-out roll only.
    """
    rise, goal = 0.0, len(rail_values)
    for level in range(goal):
        first, second, spread = choice[level]
        if first + second + spread <= 0:
            continue
        pair = pairs[first, second]
        left = level - come_out.sizes[0, first] - come_out.sizes[1, second]
        for result in range(len(come_out.chance)):
            row, at = come_out.point[result], left + come_out.spread_net[spread, result]
            if row >= 0 and pair > 0 and at < goal and policy[row, pair, at, _KIND] == LAYOUT:
                total, stay = _evaluate(
                    points[row], rail_values, values[row, pair], backs[row, pair],
                    policy[row, pair, at], at, False,
                )  # fmt: skip
                values[row, pair, at] = max(values[row, pair, at], total / (1.0 - stay))
        total, stay = _mean_of_pair(
            come_out, rail_values, values, pair, first, second, spread, level
        )
        rise = max(rise, total / (1.0 - stay) - rail_values[level])
        rail_values[level] = max(rail_values[level], total / (1.0 - stay))
    return rise


class LineSolver:
    """Find the best choices of a line game, and prove how close to the best chance they are.

    After ``solve``, ``proved`` is whether no choice was left out that could be better; then
    ``find_upper_bound`` bounds the chance of any play, and ``choose`` has the choices.
    """

    def __init__(
        self, game: LineGame, goal: int, max_loss: float, watch: Callable[[int], None] | None = None
    ) -> None:
        self._game, self._watch, self._max_loss = game, watch, max_loss / goal
        #: What a level is worth, as a chance, if nobody is favored; and the rail by level.
        self._unit = game.step / goal
        self._fair = (np.arange(game.goal) * game.step + game.base) / goal
        self._prepare_points()
        self._prepare_come_out()
        self.proved = False
        shape = len(self._points), 0, game.goal
        self._rail = np.zeros(game.goal)
        self._values = np.zeros(shape)
        self._policy = np.zeros((*shape, _PLACES + self._most_places), np.int32)
        self._idle_policy = np.full((shape[0], game.goal, self._policy.shape[-1]), -1, np.int32)
        self._rail_choice = np.zeros((game.goal, LINES + 1), np.int64)
        #: The row of the point at which a player with no bets up bets; -1: on the come-out roll.
        self._idle_row = np.full(game.goal, -1, np.int64)
        self._pairs: list[tuple[int, int]] = []
        self._numbers = np.full(self._counts, -1, np.int64)
        #: By pair: whether its values are those of choices, not bounds; whether it has bounds.
        self._ready = np.zeros(0, np.int64)
        self._bounded = np.zeros(0, np.int64)
        self._rail_bound = np.zeros(game.goal)
        self._loose: dict[tuple[int, int, tuple[int, int]], FloatArray] = {}
        self._rises = 0
        self._explore([(0, 0)])

    # Preparation.

    def _prepare_points(self) -> None:
        """Make the arrays of each point. Points that are alike share a row, such as 4 and 10."""
        rows: dict[object, int] = {}
        self._points: list[_Point] = []
        self._tables: list[PointTable] = []
        self._row_of: list[int] = []
        self._place_order: list[list[int]] = []
        for table in self._game.points:
            ordered, order = _sort_results(table)
            arrays = _to_arrays(ordered, self._unit)
            key = tuple(a.tobytes() for a in (*arrays, ordered.back, ordered.odds, ordered.worth))
            row = rows.setdefault((key, ordered.change), len(rows))
            if row == len(self._points):
                self._points.append(arrays)
                self._tables.append(ordered)
            self._row_of.append(row)
            self._place_order.append(order)
        self._most_places = max(len(point.own) for point in self._points)

    def _prepare_come_out(self) -> None:
        game = self._game
        self._counts = tuple(len(bets) for bets in game.line_bets)
        point = np.array([self._row_of[n] if n >= 0 else -1 for n in game.point], np.int64)
        worth = np.array([table.worth for table in self._tables])
        after = [worth[row] if row >= 0 else np.zeros_like(worth[0]) for row in point]
        loss = game.sizes - game.back @ game.chance
        loss = loss - sum(p * w for p, w in zip(game.chance, after, strict=True))
        self._come_out = _ComeOut(
            sizes=game.sizes,
            counts=np.array(self._counts, np.int64),
            chance=game.chance,
            point=point,
            back=game.back,
            loss=loss * self._unit,
            worth=worth * self._unit,
            spread_cost=game.spread.cost,
            spread_net=game.spread.net,
            spread_loss=-(game.spread.net @ game.chance) * self._unit,
            fair=self._fair,
        )

    def _explore(self, wanted: list[tuple[int, int]]) -> None:
        """Add pairs of line bets, with those that they can be reduced to, to those explored."""
        reduced = [any(table.change[line] < 0 for table in self._tables) for line in range(LINES)]
        for first, second in wanted:
            for i in range(first + 1) if reduced[0] else [first]:
                for j in range(second + 1) if reduced[1] else [second]:
                    if self._numbers[i, j] < 0:
                        self._numbers[i, j] = len(self._pairs)
                        self._pairs.append((i, j))
        new = len(self._pairs) - self._values.shape[1]
        grow = ((0, 0), (0, new), (0, 0))
        self._values = np.pad(self._values, grow)
        self._policy = np.pad(self._policy, (*grow, (0, 0)), constant_values=NO_CHOICE)
        sizes = [np.array(pair) for pair in zip(*self._pairs, strict=True)]
        self._backs = np.array(
            [t.back[0, sizes[0]] + t.back[1, sizes[1]] for t in self._tables], np.int64
        )
        self._tops = np.array(
            [self._game.goal - t.down[0, sizes[0]] - t.down[1, sizes[1]] for t in self._tables]
        )
        self._ready = np.pad(self._ready, (0, new))
        self._bounded = np.pad(self._bounded, (0, new))
        for pair in range(len(self._pairs) - new, len(self._pairs)):
            self._fill_goals(pair)

    def _fill_goals(self, pair: int) -> None:
        """Set the values of a pair to 1 where the goal is reached by taking bets down."""
        for row, tops in enumerate(self._tops):
            self._values[row, pair, max(0, tops[pair]) :] = 1.0

    def _list_combos(self, row: int, pair: int) -> IntArray:
        """Return the numbers of the combinations of odds that a pair of line bets allows."""
        size, table = self._points[row].odds_size, self._tables[row]
        first, second = self._pairs[pair]
        fits = (size[:, 0] <= table.odds[0, first]) & (size[:, 1] <= table.odds[1, second])
        return np.flatnonzero(fits)

    # The solution.

    def solve(self) -> None:
        """Find the best choices.

        ``proved`` is false if a size that the game left out may be better.
        """
        most = [max(1, count - 1) for count in self._counts]
        self._explore([(i, 0) for i in range(most[0])] + [(0, j) for j in range(most[1])])
        self._ready[:] = 1
        self._improve(full=False)
        used = {int(self._numbers[i, j]) for i, j, _ in self._rail_choice.tolist()}
        self._ready[:] = [pair in used or pair == 0 for pair in range(len(self._pairs))]
        while True:
            self._improve(full=True)
            self._bound_others()
            before = self._rail.copy()
            wanted = self._raise_rail(full=True) | self._find_wanted_changes()
            outside = any(i >= most[0] > 1 or j >= most[1] > 1 for i, j in wanted)
            gap = (self._fair - self._rail)[self._game.least_omitted :]
            if outside or (gap > self._max_loss).any():
                return
            if not wanted and float((self._rail - before).max()) <= _MIN_GAIN:
                self.proved = True
                return
            new = [pair for pair in wanted if self._numbers[pair] < 0]
            for pair in wanted - set(new):
                self._reset(int(self._numbers[pair]))
                self._ready[self._numbers[pair]] = 1
            self._explore(new)

    def _improve(self, *, full: bool) -> None:
        """Improve choices with the pairs that are ready until nothing changes.

        Without ``full``, use only line bets and odds.
        """
        pairs = np.flatnonzero(self._ready).tolist()
        while True:
            before = self._rail.copy()
            rise = self._raise_places(pairs, self._rail, full=full)
            self._raise_rail(full=full)
            if max(rise, float((self._rail - before).max())) <= _MIN_GAIN:
                return
            while True:  # Follow the choices, and improve only the odds.
                before = self._rail.copy()
                self._sweep_choices()
                rise = self._raise_places(pairs, self._rail, full=False)
                self._raise_rail(full=False)
                if max(rise, float((self._rail - before).max())) <= _MIN_GAIN:
                    break

    def _sweep_choices(self) -> None:
        """Follow the choices on and after the come-out roll until no value changes."""
        for _ in range(_MAX_SWEEPS):
            rise = _sweep_choices(
                tuple(self._points), self._come_out, self._rail, self._values, self._policy,
                self._backs, self._numbers, self._rail_choice,
            )  # fmt: skip
            if rise <= _CONVERGED_CHANGE:
                break

    def _reset(self, pair: int) -> None:
        self._values[:, pair], self._policy[:, pair] = 0.0, NO_CHOICE
        self._fill_goals(pair)

    def _bound_others(self) -> None:
        """Give the pairs that are not ready values that nobody can exceed, unless they have some.

        They stay so as long as the values of a player with no bets up rise by less than ``_SLACK``.
        """
        others = np.flatnonzero(self._ready == 0)
        if (self._rail > self._rail_bound).any():
            self._rail_bound = np.minimum(1.0, self._rail + _SLACK)
            self._bounded[:] = 0
            self._loose.clear()
        stale = [int(k) for k in others if not self._bounded[k] or not self._has_bounds(int(k))]
        for pair in stale:
            self._reset(pair)
        self._bounded[stale] = 1
        self._raise_places(stale, self._rail_bound, full=True)

    def _has_bounds(self, pair: int) -> bool:
        floors = [self._find_floor(row, pair, self._rail_bound) for row in range(len(self._tables))]
        return bool((np.array(floors) <= self._values[:, pair] + _MIN_GAIN).all())

    def _raise_rail(self, *, full: bool) -> set[tuple[int, int]]:
        """Improve the come-out roll. Return the pairs that are not ready and look better."""
        wanted = np.zeros(self._counts, np.int64)
        before = self._rail.copy()
        _raise_rail(
            self._come_out, self._rail, self._values, self._numbers, self._ready,
            self._rail_choice, wanted, len(self._come_out.spread_cost) if full else 1,
        )  # fmt: skip
        self._idle_row[self._rail > before] = -1
        self._rises += 1
        if self._watch is not None:
            self._watch(self._rises)
        return {(int(i), int(j)) for i, j in np.argwhere(wanted)}

    def _raise_places(self, pairs: list[int], rail: FloatArray, *, full: bool) -> float:
        """Improve the choices at all points with some pairs. Return the largest rise.

        ``rail`` has the values of a player with no bets up.
        """
        # A pair that others can be raised or reduced to comes before these.
        ordered = sorted(set(pairs) - {0}, key=lambda k: self._find_order(*self._pairs[k]))
        most = 0.0
        for row, point in enumerate(self._points):
            tables = self._tabulate(point, rail)
            for pair in ordered:
                most = max(most, self._raise_place(row, pair, rail, tables, full=full))
            if full and 0 in pairs:
                before = self._rail.copy()
                most = max(most, self._raise_place(row, 0, self._rail, tables, full=full))
                better = self._rail > before
                self._rail_choice[better], self._idle_row[better] = 0, row
        return most

    def _tabulate(self, point: _Point, rail: FloatArray) -> _Prices:
        """Return the price tables of a point. ``rail`` has the values with no bets up."""
        prices = _PRICES * self._unit * point.chance[1]
        size = self._game.goal + int(self._backs.max()) + int(point.odds_net.max())
        size += int(point.spread_net.max()) + 1
        unit = int(np.gcd.reduce(point.place_cost)) or size
        return _Prices(prices, *_tabulate_prices(point, rail, unit, prices, size))

    def _find_order(self, first: int, second: int) -> tuple[int, int]:
        signs = [min(table.change[line] for table in self._tables) for line in range(LINES)]
        return (second if signs[1] < 0 else -second), (first if signs[0] < 0 else -first)

    def _raise_place(
        self, row: int, pair: int, rail: FloatArray, tables: _Prices, *, full: bool
    ) -> float:
        point = self._points[row]
        values, policy = self._values[row, pair], self._policy[row, pair]
        if pair == 0:
            values, policy = rail, self._idle_policy[row]
        arrays = (
            point,
            rail,
            values,
            policy,
            self._find_floor(row, pair, rail),
            self._find_fair(row, *self._pairs[pair]),
            self._backs[row, pair],
            self._list_combos(row, pair),
            int(self._tops[row, pair]),
            tables,
        )
        spreads, most = len(point.spread_cost), 0.0
        while True:
            # The spread bet comes last: it alone can lead to a smaller rail at the same point.
            most = max(most, _raise_place(*arrays, 0, int(full)))
            rise = _raise_place(*arrays, 1, spreads) if full and spreads > 1 else 0.0
            if rise <= _MIN_GAIN:
                return most
            most = max(most, rise)

    def _find_fair(self, row: int, first: int, second: int) -> FloatArray:
        """Return the chance that nobody can exceed at a point with a pair of line bets, by rail."""
        worth = self._come_out.worth[row]
        last = worth.shape[1] - 1
        fair = self._fair + worth[0, min(first, last)] + worth[1, min(second, last)]
        bound: FloatArray = np.minimum(1.0, fair)
        return bound

    def _find_floor(self, row: int, pair: int, rail: FloatArray) -> FloatArray:
        """Return the best value of raising or reducing a line bet by one size, by rail.

        For a pair that is ready, leave out changes to pairs that are not.
        """
        floor = np.zeros(self._game.goal)
        for to, cost in self._list_changes(row, pair):
            number = self._find_number(to)
            if number >= 0 and (self._ready[number] or not self._ready[pair]):
                values = rail if number == 0 else self._values[row, number]
                np.maximum(floor, _shift(values, cost), out=floor)
            elif not self._ready[pair]:
                np.maximum(floor, self._bound_change(row, to, cost), out=floor)
        return floor

    def _find_number(self, pair: tuple[int, int]) -> int:
        """Return the number of a pair, or -1 if it was not explored."""
        inside = pair[0] < self._counts[0] and pair[1] < self._counts[1]
        return int(self._numbers[pair]) if inside else -1

    def _bound_change(self, row: int, to: tuple[int, int], cost: int) -> FloatArray:
        """Return a bound on the value of changing to a pair that was not explored, by rail."""
        if to[0] >= self._counts[0] or to[1] >= self._counts[1]:
            cost = 0  # It was left out. Raising a bet to it does not add to what can be expected.
        return _shift(self._find_fair(row, *to), cost)

    def _list_changes(self, row: int, pair: int) -> Iterator[tuple[tuple[int, int], int]]:
        """Yield (pair, cost) for each change of a line bet by one size at a point."""
        sizes, here = self._game.sizes, self._pairs[pair]
        for line, change in enumerate(self._tables[row].change):
            then = here[line] + change
            if change and here[line]:
                to = (then, here[1]) if line == 0 else (here[0], then)
                last = self._counts[line] - 1
                yield to, int(sizes[line, min(then, last)] - sizes[line, here[line]])

    def _find_wanted_changes(self) -> set[tuple[int, int]]:
        """Return the pairs that are not ready and to which one that is may well be changed."""
        wanted: set[tuple[int, int]] = set()
        for row in range(len(self._tables)):
            for pair in np.flatnonzero(self._ready)[1:].tolist():
                for to, cost in self._list_changes(row, pair):
                    number = self._find_number(to)
                    if to in wanted or (number >= 0 and self._ready[number]):
                        continue
                    if self._may_improve(row, pair, to, cost):
                        wanted.add(to)
        return wanted

    def _may_improve(self, row: int, pair: int, to: tuple[int, int], cost: int) -> bool:
        """Return whether changing a pair to one that is not ready may be better at some rail."""
        top, number = self._tops[row, pair], self._find_number(to)
        known = self._values[row, pair] + _MIN_GAIN
        then = self._bound_change(row, to, cost)
        if number >= 0:
            then = np.minimum(then, _shift(self._values[row, number], cost))
        if (then[:top] <= known[:top]).all():
            return False
        loose = self._bound_odds(row, pair, to, cost)
        return bool((np.minimum(then, loose)[:top] > known[:top]).any())

    def _bound_odds(self, row: int, pair: int, to: tuple[int, int], cost: int) -> FloatArray:
        """Return a bound on the value of raising a line bet of a pair, by rail.

        Raising it, again and again, and taking odds are all bets on the point that favor nobody.
        So allow any such bet, of any size, after the first raise.
        """
        if (row, pair, to) not in self._loose:
            point, table, goal = self._points[row], self._tables[row], self._game.goal
            size = np.minimum(to, np.array(self._counts) - 1)
            back = table.back[0, size[0]] + table.back[1, size[1]]
            fits = (point.odds_size <= table.odds[[0, 1], size]).all(axis=1)
            most_lost = max(0, -int(point.odds_net[fits, 0].min()))
            win = np.arange(-most_lost, goal)
            lose = np.ceil(win * (point.chance[0] / point.chance[1]) - 1e-9).astype(np.int64)
            net = np.stack([win, -lose], axis=1)
            need = np.maximum(0, np.maximum(-win, lose))
            order = np.argsort(need, kind="stable")
            unlimited = point._replace(
                odds_cost=need[order],
                odds_size=np.zeros((len(win), 2), np.int64),
                odds_net=np.ascontiguousarray(net[order]),
            )
            values = np.zeros(goal)
            values[self._tops[row, pair] :] = 1.0
            tables = self._tabulate(unlimited, self._rail_bound)
            policy = np.full((goal, self._policy.shape[-1]), NO_CHOICE, np.int32)
            fair = self._find_fair(row, *to)
            _raise_place(
                unlimited, self._rail_bound, values, policy, np.zeros(goal), fair, back,
                np.arange(len(win)), int(self._tops[row, pair]), tables, 0,
                len(point.spread_cost),
            )  # fmt: skip
            self._loose[row, pair, to] = _shift(values, cost)
        return self._loose[row, pair, to]

    # The result.

    def find_upper_bound(self, level: int) -> float:
        """Return an upper bound on the chance of any play from a rail, with no bets up.

        The values miss the best ones by at most e in each roll. Let Q be the rail and the worth of
        all line bets as a fraction of the goal, plus a little if a line bet is up at a point. Q
        falls on average with every roll that bets are made for, by d or more. So the values plus
        (e / d) Q are at least their own mean after every choice, and no play exceeds them.
        """
        drop = self._find_least_drop()
        if drop <= 0:
            return 1.0
        rounding = (max(len(point.chance) for point in self._points) + 8) * 2.0**-52
        error = 3 * _MIN_GAIN + rounding
        return min(1.0, float(self._rail[level] + error / drop * self._fair[level]))

    def _find_least_drop(self) -> float:
        """Return d of ``find_upper_bound``, or 0 if some bet may favor the player."""
        losses, ends = [], 1.0
        for row, point in enumerate(self._points):
            for place in range(len(point.own)):
                sizes = slice(point.first[place] + 1, point.first[place + 1])
                won = point.place_gain[sizes] * point.chance[point.own[place]]
                losses.append((point.place_cost[sizes] * point.chance[1] - won) * self._unit)
            losses.append(point.spread_loss[1:])
            ends = min(ends, float(point.chance[:2].sum()))
            odds = -(point.odds_net @ point.chance[:2])
            steps = self._list_worth_losses(row)
            if odds.min(initial=0.0) < -1e-12 or steps.min(initial=1.0) <= 0:
                return 0.0
        point_chance = float(self._come_out.chance[self._come_out.point >= 0].sum())
        losses.append(self._come_out.spread_loss[1:])
        lines = np.concatenate(
            [loss[1:count] for loss, count in zip(self._come_out.loss, self._counts, strict=True)]
        )
        least_line = float(lines.min(initial=1.0))
        extra = least_line / 2 / max(point_chance, 1e-9)
        return min(*(float(each.min(initial=1.0)) for each in losses), least_line / 2, extra * ends)

    def favors_nobody(self) -> bool:
        """Return whether every bet loses on average, or is odds, which lose nothing."""
        return self._find_least_drop() > 0

    def _list_worth_losses(self, row: int) -> FloatArray:
        """Return what is lost on average by raising or reducing a line bet by each size."""
        table, lost = self._tables[row], [np.zeros(0)]
        for line, change in enumerate(table.change):
            count = self._counts[line]
            size, worth = self._game.sizes[line, :count], table.worth[line, :count]
            if change:
                lost.append(change * np.diff(size - worth))
        return np.concatenate(lost)

    def choose(self, puck: int, up: OpenBets, rail: int) -> OpenBets:
        """Return the bets to have up at the next roll. ``rail`` is in cents.

        ``up`` are the line bets that are up, and ``puck`` the point, 0 if the puck is off.
        """
        game = self._game
        level = (rail - game.base) // game.step
        if puck == 0:
            first, second, spread = self._rail_choice[level].tolist()
            lines = (*game.line_bets[0][first], *game.line_bets[1][second])
            return tuple(sorted((*lines, *game.spread.bets[spread])))
        index = [table.puck for table in game.points].index(puck)
        row = self._row_of[index]
        known = {
            bet: (line, n) for line in range(LINES) for n, bet in enumerate(game.line_bets[line])
        }
        sizes = [0, 0]
        for bet in up:
            line, size = known[(bet,)]
            sizes[line] = size
        pair = int(self._numbers[tuple(sizes)])
        while pair and self._policy[row, pair, level, _KIND] == CHANGE:
            changes = []
            for to, cost in self._list_changes(row, pair):
                number = self._find_number(to)
                if number >= 0 and self._ready[number] and level >= cost:
                    values = self._rail if number == 0 else self._values[row, number]
                    then = level - cost
                    changes.append((1.0 if then >= len(values) else values[then], number, then))
            _, pair, level = max(changes)
        lines = (*game.line_bets[0][self._pairs[pair][0]], *game.line_bets[1][self._pairs[pair][1]])
        choice = self._policy[row, pair, level]
        if pair == 0:
            choice = self._idle_policy[row, level]
            if self._idle_row[level] != row:
                return ()
        if choice[_KIND] != LAYOUT:
            return tuple(sorted(lines))
        point, table = self._points[row], self._tables[row]
        odds = point.odds_size[choice[_ODDS]]
        bets = [*lines, *table.spread.bets[choice[_SPREAD]]]
        for line in range(LINES):
            bets += table.odds_sizes[line].bets[odds[line]]
        own = game.points[index].places
        for place, original in enumerate(self._place_order[index]):
            bets += own[original].bets[choice[_PLACES + place]]
        return tuple(sorted(bets))


def _shift(values: FloatArray, cost: int) -> FloatArray:
    """Return ``values[level - cost]`` for each level: 0 below all levels, 1 above them."""
    if cost >= 0:
        return np.concatenate(
            [np.zeros(min(cost, len(values))), values[: max(0, len(values) - cost)]]
        )
    return np.concatenate([values[-cost:], np.ones(min(-cost, len(values)))])


def _sort_results(table: PointTable) -> tuple[PointTable, list[int]]:
    """Return (table, order): a point's results and place bets in an order equal for like points.

    ``order`` has the number of each place bet in the table before.
    """
    own = {result: n for n, result in enumerate(table.place_result)}

    def describe(result: int) -> tuple[object, ...]:
        bet = table.places[own[result]] if result in own else None
        sizes = () if bet is None else (*bet.cost.tolist(), *bet.net[:, result].tolist())
        return table.chance[result], table.spread.net[:, result].tolist(), sizes

    others = sorted(range(SEVEN_RESULT + 1, len(table.chance)), key=describe)
    results = [POINT_RESULT, SEVEN_RESULT, *others]
    order = [own[result] for result in results if result in own]
    return table._replace(
        chance=table.chance[results],
        odds_sizes=tuple(bet._replace(net=bet.net[:, results]) for bet in table.odds_sizes),
        places=tuple(table.places[n]._replace(net=table.places[n].net[:, results]) for n in order),
        place_result=tuple(results.index(table.place_result[n]) for n in order),
        spread=table.spread._replace(net=table.spread.net[:, results]),
    ), order


def _to_arrays(table: PointTable, unit: float) -> _Point:
    """Return a point's table as arrays. ``unit`` is what a level is worth."""
    one, other = table.odds_sizes
    cost = one.cost[:, None] + other.cost[None, :]
    net = one.net[:, None, :2] + other.net[None, :, :2]
    kept = ~_find_dominated(net)
    sizes = np.argwhere(kept)
    by_cost = np.argsort(cost[kept], kind="stable")
    return _Point(
        chance=table.chance,
        odds_cost=np.ascontiguousarray(cost[kept][by_cost]),
        odds_size=np.ascontiguousarray(sizes[by_cost]),
        odds_net=np.ascontiguousarray(net[kept][by_cost]),
        first=np.cumsum([0, *(len(bet.cost) for bet in table.places)]),
        own=np.array(table.place_result, np.int64),
        place_cost=np.concatenate([np.zeros(0, np.int64), *(bet.cost for bet in table.places)]),
        place_gain=np.concatenate(
            [
                np.zeros(0, np.int64),
                *(bet.net[:, n] for bet, n in zip(table.places, table.place_result, strict=True)),
            ]
        ),
        spread_cost=table.spread.cost,
        spread_net=np.ascontiguousarray(table.spread.net),
        spread_loss=-(table.spread.net @ table.chance) * unit,
    )


def _find_dominated(net: IntArray) -> NDArray[np.bool_]:
    """Return which combinations of odds win no more than one with less on one or both line bets.

    ``net[first size, second size]`` has what a combination wins on the point and on the seven.
    """
    found = np.zeros(net.shape[:2], bool)
    for i in range(min(_MAX_SMALLER, len(net))):
        for j in range(min(_MAX_SMALLER, net.shape[1])):
            if i + j:
                less = net[: len(net) - i, : net.shape[1] - j]
                found[i:, j:] |= (less >= net[i:, j:]).all(axis=2)
    return found
