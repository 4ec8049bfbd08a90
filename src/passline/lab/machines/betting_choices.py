"""List everything that a player may bet between rolls from a menu of bets, on the real engine.

``machine`` explores one strategy; this module explores all. ``best_play`` searches the result for
the best one. ``decide`` says whether a bet may be made, changed or taken down and at what cost;
``settle`` says what a roll does to a bet.

A bet that can be taken down and made again at no cost is worth the same as chips in the rail, so it
is counted there. The puck and the other bets (such as a pass bet after the point is set) form a
**place**: the state in which the player chooses. The choice is a **layout**: all bets that are up
at the next roll.

The last part proves whether any bet on a menu favors the player, which bounds every strategy's
chance of reaching a goal.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from passline.game.dice.dice import FAIR, OUTCOMES, Dice
from passline.game.layout.settle import Throw, settle
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Stake, Wagers, apply_settlements
from passline.game.layout.wager_checks import check_amount, find_bounds
from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.lab.machines.chain import Arc
from passline.lab.machines.next_states import (
    PLAYER,
    State,
    add_shooter_bet,
    apply_command,
    build_table,
    roll_dice,
)

#: The player's bets as pairs of slug and stake, sorted by slug.
OpenBets = tuple[tuple[str, Stake], ...]


class TooManyChoices(Exception):  # noqa: N818
    """Raised when a menu leads to more layouts than the caller allows."""


class BetChange(NamedTuple):
    """A change of bets, and its cost in cents.

    ``after`` has pairs of slug and new stake, which is None if the bet is gone.
    """

    after: tuple[tuple[str, Stake | None], ...]
    cost: int


def list_open_bets(table: Table) -> OpenBets:
    """Return the player's bets on a table: pairs of slug and stake, sorted."""
    return tuple(sorted(table.playing[0].wagers.items()))


def diff_tables(table: Table, after: Table) -> BetChange:
    """Return how the player's bets changed from ``table`` to the later table ``after``."""
    before, then = table.playing[0], after.playing[0]
    slugs = sorted({*before.wagers, *then.wagers})
    changed = [s for s in slugs if before.wagers.get(s) != then.wagers.get(s)]
    return BetChange(tuple([(s, then.wagers.get(s)) for s in changed]), before.rail - then.rail)


def _plain_bet(slug: str, amount: int) -> BetChange:
    """Return the change that makes the bet ``slug`` of ``amount`` cents, not called on or off.

    The bet has no vigorish.
    """
    return BetChange(((slug, Stake(amount, amount)),), amount)


def apply_change(wagers: Wagers, after: tuple[tuple[str, Stake | None], ...]) -> Wagers:
    """Return the bets after a change: ``after`` has pairs of slug and new stake, or None."""
    then = dict(wagers)
    for slug, stake in after:
        if stake is None:
            then.pop(slug, None)
        else:
            then[slug] = stake
    return then


class ThrowCache:
    """Computes what a roll does to the puck and to bets, and caches the results."""

    def __init__(self, layout: Layout, dice: Dice) -> None:
        self.layout = layout
        self.dice = dice
        self.whole = dice.whole
        self._pucks: dict[int, tuple[int, ...]] = {}
        self._groups: dict[object, tuple[tuple[int, int], ...]] = {}
        self._rolls: dict[object, tuple[int, OpenBets]] = {}

    def settle_roll(self, puck: int, wagers: OpenBets, index: int) -> tuple[int, OpenBets]:
        """Return (cents, bets): what a roll returns to the rail, and the bets that remain.

        ``index`` is the number of the dice outcome, 0 to 35.
        """
        key = puck, wagers, index
        if key not in self._rolls:
            amount, throw = dict(wagers), Throw(index, sum(OUTCOMES[index]), puck)
            settled = settle(self.layout, PLAYER, amount, throw)
            left = tuple(sorted(apply_settlements(amount, settled).items()))
            self._rolls[key] = sum(done.back for done in settled), left
        return self._rolls[key]

    def pucks_after(self, puck: int) -> tuple[int, ...]:
        """Return the point after each of the 36 outcomes, or 0 where the puck is then off."""
        if puck not in self._pucks:
            table = add_shooter_bet(build_table(self.layout, State(puck)))
            self._pucks[puck] = tuple([roll_dice(table, *faces)[0].point for faces in OUTCOMES])
        return self._pucks[puck]

    def group_outcomes(self, puck: int, slugs: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
        """Return (one outcome, total weight) for each group of outcomes with the same effect.

        Outcomes are numbers from 0 to 35. A group moves the puck, and settles the bets named by
        ``slugs``, in the same way.
        """
        if (puck, slugs) not in self._groups:
            tables = [self.layout.spots[slug].tables[puck] for slug in slugs]
            groups: dict[object, tuple[int, int]] = {}
            for index, key in enumerate(zip(self.pucks_after(puck), *tables, strict=True)):
                first, before = groups.get(key, (index, 0))
                groups[key] = first, before + self.dice.weights[index]
            self._groups[puck, slugs] = tuple(groups.values())
        return self._groups[puck, slugs]


class ChosenLayout(NamedTuple):
    """One choice between rolls: the bets that will be up, their cost, and the results of the roll.

    Money is in cents. ``arcs`` are the transitions of the next roll, and their ``money`` goes to
    the rail. If ``step`` is true, no roll follows: the choice changes one bet that must stay up,
    and leads to another choice.
    """

    wagers: OpenBets
    cost: int
    arcs: tuple[Arc, ...]
    step: bool = False


class BettingChoices(ThrowCache):
    """Every combination of bets that a player can choose between rolls, betting only from a menu.

    A place is the puck and the bets that must stay; the first is an empty table. A layout is all
    bets up at the next roll. For each place, ``layouts`` lists the layouts to choose from,
    ``max_rail`` is the most cents that the rail can hold before the goal ``most`` is reached, and
    ``gain`` the cents that the rail gains if every bet that may come down does. ``unit`` is the
    step between bet sizes. With ``calls``, bets may also be called on and off.

    With ``steps``, a bet that must stay is raised or reduced one size at a time, each a choice of
    its own before the roll. That reaches the same layouts with fewer choices. Use it only without a
    limit of rolls, because a step counts as a choice but not as a roll.
    """

    def __init__(
        self, layout: Layout, menu: Sequence[str], unit: int, most: int, dice: Dice = FAIR,
        calls: bool = False, steps: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(layout, dice)
        self.unit, self.most, self.calls, self.steps = unit, most, calls, steps
        self.menu = frozenset(menu)
        self._order = sorted(layout.spots, key=self._rank)
        self._changes: dict[object, tuple[BetChange, ...]] = {}
        self._places_by_state: dict[object, tuple[State, int]] = {}
        self._free_parts: dict[object, tuple[OpenBets, int]] = {}
        self._odds_come_down: dict[tuple[int, str], bool] = {}
        #: The most layouts, and the number so far.
        self._limit = self._total = 0
        #: Places to explore, the largest rail first: (-rail, number). By place: the rail that it
        #: was explored with, or -1.
        self._waiting: list[tuple[int, int]] = []
        self._explored: list[int] = []
        self.numbers: dict[State, int] = {}
        self.places: list[State] = []
        self.max_rail: list[int] = []
        self.gain: list[int] = []
        self.layouts: list[list[ChosenLayout]] = []

    def _rank(self, slug: str) -> tuple[bool, int]:
        """Return a sort key for a bet's slug: flat bets come before the odds behind them."""
        spot = self.layout.spots[slug]
        return spot.is_odds, spot.rank

    def walk(
        self,
        limit: int,
        watch: Callable[[int], None] | None = None,
        within: Container[int] | None = None,
    ) -> None:
        """Find all places that can be reached, and the layouts to choose from in each.

        A place is the puck and the bets that must stay; a layout is all bets up at the next roll.
        ``within`` limits the numbers of the places that are explored. The others that are found
        have no layouts until a later call explores them. Raise TooManyChoices beyond ``limit``
        layouts. ``watch`` is called with the number of layouts so far.
        """
        self._limit = limit
        if not self.places:
            self._enter_place(State(), self.most)
        left: list[tuple[int, int]] = []
        while self._waiting:
            entry = heapq.heappop(self._waiting)
            if within is None or entry[1] in within:
                self._explore_place(entry[1], watch)
            else:
                left.append(entry)
        self._waiting = left

    def _enter_place(self, state: State, rail: int) -> int:
        """Return the number of a place, which the player enters with ``rail`` cents; add a new one.

        ``state`` is the puck and the bets that must stay.
        """
        number = self.numbers.get(state)
        if number is None:
            number = self.numbers[state] = len(self.places)
            self.places.append(state)
            self.max_rail.append(-1)
            self.layouts.append([])
            self.gain.append(self.find_take_down_gain(state))
            self._explored.append(-1)
        rail = min(rail, self.most - self.gain[number])
        if rail > self.max_rail[number]:
            self.max_rail[number] = rail
            heapq.heappush(self._waiting, (-rail, number))
        return number

    def _explore_place(self, number: int, watch: Callable[[int], None] | None) -> None:
        """Add the layouts to choose from in place ``number`` that its largest rail can buy.

        Raise TooManyChoices beyond the limit of layouts.
        """
        max_rail, before = self.max_rail[number], self._explored[number]
        if before >= max_rail:
            return
        self._explored[number] = max_rail
        state, enter = self.places[number], self._enter_place
        steps = self._find_steps(state) if self.steps else {}
        for change in steps.values() if before < 0 else ():
            after, gain = self._take_step(state, change)
            arc = Arc(enter(after, max_rail + gain), gain + change.cost, self.whole)
            step = ChosenLayout(after.wagers, change.cost, (arc,), step=True)
            self.layouts[number].append(step)
        for wagers, cost in self._list_layouts(state, max_rail, frozenset(steps)):
            if cost <= before and before >= 0:
                continue
            self._add_layout(number, wagers, cost, max_rail)
            self._total += 1
            if self._total > self._limit:
                raise TooManyChoices
            if watch is not None and self._total % 1024 == 0:
                watch(self._total)
        # Follow the layouts that were known before once more: the largest rail has grown.
        for chosen in self.layouts[number] if before >= 0 else ():
            for arc in chosen.arcs if chosen.step or chosen.cost <= before else ():
                enter(self.places[arc.next], max_rail - chosen.cost + arc.money)

    def _add_layout(self, number: int, wagers: OpenBets, cost: int, rail: int) -> ChosenLayout:
        """Add a layout to a place, entered with ``rail`` cents, and the places that follow."""
        weights: Counter[tuple[int, int]] = Counter()
        for after, back, weight in self._roll_layout(self.places[number], wagers):
            weights[self._enter_place(after, rail - cost + back), back] += weight
        ways = tuple(Arc(*way, weight) for way, weight in weights.items())
        self.layouts[number].append(ChosenLayout(wagers, cost, ways))
        return self.layouts[number][-1]

    def add_layout(self, state: State, wagers: OpenBets, rail: int) -> ChosenLayout:
        """Return one layout of a place, entered with ``rail`` cents. Add it if it is new.

        Bets that are not in ``state`` are made, and those that are not in ``wagers`` come down, at
        their amounts. Use this in place of ``walk``, to list only the layouts of a known play.
        """
        number = self._enter_place(state, rail)
        for chosen in self.layouts[number]:
            if chosen.wagers == wagers:
                for arc in chosen.arcs:
                    self._enter_place(self.places[arc.next], rail - chosen.cost + arc.money)
                return chosen
        cost = sum(s.amount for _, s in wagers) - sum(s.amount for _, s in state.wagers)
        return self._add_layout(number, wagers, cost, rail)

    # Between rolls.

    def find_take_down_gain(self, state: State) -> int:
        """Return the cents that the rail gains if the player takes down every bet that may be."""
        table = build_table(self.layout, state)
        down = apply_command(table, cmd.TakeAllDown(PLAYER)) if state.wagers else None
        return 0 if down is None else down.playing[0].rail - table.playing[0].rail

    def _find_steps(self, state: State) -> dict[str, BetChange]:
        """Return, by slug, the smallest change of each bet that can only be raised or only reduced.

        Leave out a bet unless repeated small changes lead to all its other sizes, and no change
        touches another bet.
        """
        found: dict[str, BetChange] = {}
        wagers = dict(state.wagers)
        for slug in wagers:
            changes = self.list_changes(state, wagers, slug)
            costs = [change.cost for change in changes]
            if not costs or not (min(costs) > 0 or max(costs) < 0):
                continue
            first = min(changes, key=lambda change: abs(change.cost))
            then = apply_change(wagers, first.after)
            onward = self.list_changes(state, then, slug) if slug in then else ()
            left = sorted(cost - first.cost for cost in costs if cost != first.cost)
            alone = all(len(change.after) == 1 for change in (*changes, *onward))
            if alone and sorted(change.cost for change in onward) == left:
                found[slug] = first
        return found

    def _take_step(self, state: State, change: BetChange) -> tuple[State, int]:
        """Return (state after ``change``, cents that the rail gains by it)."""
        wagers = tuple(sorted(apply_change(dict(state.wagers), change.after).items()))
        after, gain = self.take_down_free_bets(state._replace(wagers=wagers))
        return after, gain - change.cost

    def _list_layouts(
        self, state: State, rail: int, fixed: frozenset[str] = frozenset()
    ) -> Iterator[tuple[OpenBets, int]]:
        """Yield (bets, least cost) for every combination of bets that ``rail`` cents can buy.

        The first leaves all bets as they are. Bets named in ``fixed`` do not change.
        """
        best: dict[OpenBets, int] = {}
        start = dict(state.wagers)
        slugs = [s for s in self._order if (s in self.menu or s in start) and s not in fixed]
        # Bets later in the order may still be taken down, and so pay for bets made before them.
        slack = [0]
        for slug in reversed(slugs):
            up = start.get(slug)
            slack.append(slack[-1] + (up.amount + up.vig if up is not None else 0))
        slack.reverse()

        def change(wagers: Wagers, place: int, cost: int) -> None:
            if place == len(slugs):
                bets = tuple(sorted(wagers.items()))
                if cost <= rail and cost < best.get(bets, rail + 1):
                    best[bets] = cost
                    if len(best) > self._limit:
                        raise TooManyChoices
                return
            change(wagers, place + 1, cost)
            for after, more in self.list_changes(state, wagers, slugs[place]):
                if cost + more <= rail + slack[place + 1]:
                    change(apply_change(wagers, after), place + 1, cost + more)

        change(start, 0, 0)
        return iter(best.items())

    def list_changes(self, state: State, wagers: Wagers, slug: str) -> tuple[BetChange, ...]:
        """List the useful changes of the bet ``slug``, with ``wagers`` as all bets that are up.

        Leave out a new bet that the next roll cannot affect, if it can come down at no cost
        afterward.
        """
        spot = self.layout.spots[slug]
        bets = tuple([(s, wagers[s]) for s in (slug, spot.flat, spot.behind) if s in wagers])
        bets += tuple([(s, wagers[s]) for s in spot.legs if s in wagers and s != slug])
        key = slug, state.puck, state.fresh, state.after_seven, state.riding, bets
        if key not in self._changes:
            table = build_table(self.layout, state._replace(wagers=bets))
            changes = list(self._list_possible_changes(table, slug))
            self._changes[key] = tuple([c for c in changes if not self._is_pointless(state, c)])
        return self._changes[key]

    def _list_possible_changes(self, table: Table, slug: str) -> Iterator[BetChange]:
        up = table.playing[0].wagers.get(slug)
        if up is None and self.layout.spots[slug].is_odds and not self.calls:
            yield from self._list_new_odds(table, slug)
            return
        tables: list[Table] = []
        if up is not None:
            down = apply_command(table, cmd.TakeDown(PLAYER, slug))
            tables += [down] if down is not None else []
        if up is not None or slug in self.menu:
            tables += self._list_amount_tables(table, slug)
        seen = {list_open_bets(table)}
        for after in [*tables, *self._list_call_tables(slug, [table, *tables])]:
            if list_open_bets(after) not in seen:
                seen.add(list_open_bets(after))
                yield diff_tables(table, after)

    def _is_pointless(self, state: State, move: BetChange) -> bool:
        """Return whether a change only makes a bet that could as well be made after the next roll.

        That is a bet that the next roll cannot affect, such as a place bet before a come-out roll,
        and that can come down at no cost.
        """
        if move.cost <= 0 or len(move.after) != 1:
            return False
        slug, stake = move.after[0]
        if stake is None:
            return False
        bets: OpenBets = ((slug, stake),)
        if stake.amount + stake.vig != move.cost:  # It raises a bet that could not come down.
            return False
        for index, after in enumerate(self.pucks_after(state.puck)):
            if self.settle_roll(state.puck, bets, index) != (0, bets):
                return False
            if self.take_down_free_bets(State(after, bets)) != (State(after), move.cost):
                return False
        return True

    def _list_call_tables(self, slug: str, tables: Sequence[Table]) -> Iterator[Table]:
        """Yield each table with the bet ``slug`` called on, and called off, if the rules allow.

        Yield nothing if these choices do not include calls.
        """
        for table in tables if self.calls else ():
            if slug in table.playing[0].wagers:
                called = [apply_command(table, cmd.Call(PLAYER, slug, on)) for on in (True, False)]
                yield from [after for after in called if after is not None]

    def _list_new_odds(self, table: Table, slug: str) -> Iterator[BetChange]:
        """Yield the changes that make the odds bet ``slug``, one for each size.

        The engine makes only the smallest. If that has no vigorish, ``check_amount`` alone decides
        about the larger ones, which is much faster.
        """
        first = self._find_least_table(table, slug, self.unit) if slug in self.menu else None
        if first is None:
            return
        change = diff_tables(table, first)
        if change != _plain_bet(slug, change.cost):
            yield from (diff_tables(table, one) for one in self._list_amount_tables(table, slug))
            return
        spot, chip = self.layout.spots[slug], self.layout.house.chip
        wagers = table.playing[0].wagers
        bounds = find_bounds(self.layout, spot, table.point, wagers)
        units, last = self.unit, 0
        while units <= self.most + self.unit:
            fits = bounds.least + max(0, -(-(units - bounds.least) // bounds.step)) * bounds.step
            for amount in dict.fromkeys((-(-units // chip) * chip, fits)):
                if check_amount(self.layout, spot, table.point, wagers, amount) is None:
                    break
            else:
                return
            if amount > last:
                yield _plain_bet(slug, amount)
                last = amount
            units = max(units, amount) - max(units, amount) % self.unit + self.unit

    def _list_amount_tables(self, table: Table, slug: str) -> list[Table]:
        """Return one table for each possible size of the bet ``slug``, in steps of ``unit`` cents.

        Stop a unit above the goal: a bet as large as the goal already reaches it.
        """
        up = table.playing[0].wagers.get(slug)
        now = up.amount if up is not None else 0
        found: list[Table] = []
        units = self.unit
        while units <= self.most + self.unit:
            after = self._find_least_table(table, slug, units)
            amount = units
            if after is not None:
                found.append(after)
                amount = max(units, after.playing[0].wagers.get(slug, Stake(0)).amount)
            elif units <= now:
                amount = now  # The bet may not be reduced, but perhaps it may be raised.
            else:
                break
            units = amount - amount % self.unit + self.unit
        return found

    def _find_least_table(self, table: Table, slug: str, units: int) -> Table | None:
        """Return the table after the smallest legal bet of ``units`` cents or more, or None."""
        wagers, chip = table.playing[0].wagers, self.layout.house.chip
        spot = self.layout.spots[slug]
        least, _, step = find_bounds(self.layout, spot, table.point, wagers)
        above = least + max(0, -(-(units - least) // step)) * step
        for to in dict.fromkeys((-(-units // chip) * chip, above)):
            command = cmd.Change(PLAYER, slug, to) if slug in wagers else cmd.Bet(PLAYER, slug, to)
            after = apply_command(table, command)
            if after is not None:
                return after
        return None

    # The roll.

    def _roll_layout(self, state: State, wagers: OpenBets) -> Iterator[tuple[State, int, int]]:
        """Yield (next state, cents for the rail, weight) for each result of a roll with these bets.

        The next state is the puck and the bets that must stay.
        """
        puck = state.puck
        pucks = self.pucks_after(puck)
        netted = self.layout.house.book.net_center.value and len(wagers) > 1
        for index, weight in self.group_outcomes(puck, tuple([slug for slug, _ in wagers])):
            if netted:
                back, left = self.settle_roll(puck, wagers, index)
            else:
                results = [self.settle_roll(puck, (bet,), index) for bet in wagers]
                back = sum(result[0] for result in results)
                left = tuple(sorted(chain.from_iterable(result[1] for result in results)))
            after, gain = self.take_down_free_bets(State(puck=pucks[index], wagers=left))
            yield after, back + gain, weight

    def take_down_free_bets(self, state: State) -> tuple[State, int]:
        """Take down bets that can be made again at no cost. Return (state left, cents gained)."""
        if not state.wagers:
            return state, 0
        if state not in self._places_by_state:
            parts = [self._free_part(state, part) for part in self._group_bets(state.wagers)]
            left = tuple(sorted(chain.from_iterable(part for part, _ in parts)))
            gain = sum(gain for _, gain in parts)
            self._places_by_state[state] = state._replace(wagers=left), gain
        return self._places_by_state[state]

    def _group_bets(self, wagers: OpenBets) -> list[OpenBets]:
        """Return the bets in independent groups: odds with their flat bet, any other bet alone.

        If one bet is several in one, such as the horn, all bets are one group.
        """
        spots = self.layout.spots
        if len(wagers) == 1 or any(spots[slug].legs for slug, _ in wagers):
            return [wagers]
        parts: dict[str, OpenBets] = {}
        for bets in wagers:
            first = spots[bets[0]].flat or bets[0]
            parts[first] = (*parts.get(first, ()), bets)
        return list(parts.values())

    def _free_part(self, state: State, wagers: OpenBets) -> tuple[OpenBets, int]:
        key = state.puck, wagers
        if key not in self._free_parts and (odds := self._free_odds(state, wagers)) is not None:
            self._free_parts[key] = odds
        elif key not in self._free_parts:
            table = build_table(self.layout, state._replace(wagers=wagers))
            before = table.playing[0].rail
            for slug in reversed(self._order):
                up = table.playing[0].wagers.get(slug)
                if up is not None and slug in self.menu:
                    table = self._remove_if_free(table, slug, up.amount)
            gain = table.playing[0].rail - before
            left = [(slug, self._drop_flat_amount(slug, up)) for slug, up in list_open_bets(table)]
            self._free_parts[key] = tuple(left), gain
        return self._free_parts[key]

    def _free_odds(self, state: State, wagers: OpenBets) -> tuple[OpenBets, int] | None:
        """Return (bets that stay, cents gained) for a flat bet that must stay with odds behind it.

        The odds come down if that is allowed and the same amount may be bet again. Return None if
        ``wagers`` are other bets, which ``_free_part`` works out.
        """
        spots = self.layout.spots
        if self.calls or len(wagers) != 2:
            return None
        (flat, under), (odds, up) = sorted(wagers, key=lambda bet: spots[bet[0]].is_odds)
        if spots[odds].flat != flat or odds not in self.menu or up != Stake(up.amount, up.amount):
            return None
        left, gain = self._free_part(state, ((flat, under),))
        changes = self.list_changes(State(state.puck), {flat: under}, odds) if left else ()
        if gain or _plain_bet(odds, up.amount) not in changes:
            return None
        key = state.puck, odds
        if key not in self._odds_come_down:
            table = build_table(self.layout, state._replace(wagers=wagers))
            down = apply_command(table, cmd.TakeDown(PLAYER, odds))
            self._odds_come_down[key] = down is not None
        return (left, up.amount) if self._odds_come_down[key] else None

    def _drop_flat_amount(self, slug: str, up: Stake) -> Stake:
        """Return the stake ``up`` with ``flat`` set to its amount, if ``flat`` does not matter.

        ``flat`` is the amount that the bet had when its number was set. It matters only if the menu
        has laid odds that the rulebook limits by it. Otherwise, setting it makes equal bets equal.
        """
        odds, book = self.layout.spots[slug].behind, self.layout.house.book
        basis = book.changes.dont_odds_basis
        matters = (
            odds in self.menu
            and self.layout.spots[odds].rule.is_laid(book)
            and basis is not None
            and basis.value == "original"
        )
        return up if matters else replace(up, flat=up.amount)

    def _remove_if_free(self, table: Table, slug: str, amount: int) -> Table:
        """Return ``table`` without the bet ``slug``, if it could be made again at no cost.

        Otherwise return ``table`` unchanged. ``amount`` is the bet's size in cents.
        """
        down = apply_command(table, cmd.TakeDown(PLAYER, slug))
        again = down and self._find_least_table(down, slug, amount - amount % self.unit)
        if down is None or again is None:
            return table
        own = table.playing[0].rail, table.playing[0].wagers
        for same in (again, *self._list_call_tables(slug, [again])):
            if (same.playing[0].rail, same.playing[0].wagers) == own:
                return down
        return table


#: The most passes of value iteration over all bets, and the edge in cents that counts as zero.
_MAX_ROUNDS, _EDGE_TOLERANCE = 5_000, 1e-6


class _OpenBet(NamedTuple):
    """One bet on the table, and the puck."""

    puck: int
    slug: str
    stake: Stake


class _BetOutcomes(NamedTuple):
    """What can happen to one bet, by a roll or by taking it down.

    ``throws`` lists (chance, cents back, remaining bet) for each result of a roll. ``downs`` lists
    (cents back, remaining bet) for each way to take some or all of the bet down.
    """

    throws: tuple[tuple[float, int, _OpenBet | None], ...]
    downs: tuple[tuple[int, _OpenBet | None], ...]


#: From each bet (None: no bet) to the most that can be expected back from it, in cents.
BetWorths = dict[_OpenBet | None, float]


def find_bet_worths(choices: BettingChoices, dice: Dice) -> BetWorths | None:
    """Return the most that can be expected back from each bet on a menu.

    Return None if some bet, however it is made and changed, is worth more than it costs. Otherwise
    the chance of reaching a goal G from a bankroll B is at most B / G:

    Let M be the most that can be expected back from a bet that is left, reduced or taken down at
    the best times. Making or raising a bet never adds more to M than it costs. So F = rail + the
    sum of M over all bets does not grow on average, whatever the player does. F starts as B, is
    never negative, and is at least G when the goal is reached (optional stopping).
    """
    walk = _SingleBetWalks(choices, dice)
    worth: dict[_OpenBet | None, float] = {None: 0.0, **dict.fromkeys(walk.outcomes, 0.0)}
    for _ in range(_MAX_ROUNDS):
        change = 0.0
        for bet, outcomes in walk.outcomes.items():
            most = sum(p * (back + worth[then]) for p, back, then in outcomes.throws)
            for back, then in outcomes.downs:
                most = max(most, back + worth[then])
            if most > worth[bet]:
                change = max(change, most - worth[bet])
                worth[bet] = most
        if change < _EDGE_TOLERANCE / 100:
            break
    fair = all(
        worth[after] - worth[before] <= cost + _EDGE_TOLERANCE
        for before, after, cost in walk.raises
    )
    return worth if fair else None


def sum_bet_worths(worths: BetWorths, state: State) -> float:
    """Return the most that can be expected back from all bets of a state together, in cents.

    ``worths`` come from ``find_bet_worths``.
    """
    return sum(
        worths.get(_OpenBet(state.puck, slug, replace(up, flat=up.amount)), float(up.amount))
        for slug, up in state.wagers
    )


class _SingleBetWalks:
    """Follows every bet on a menu alone, from the moment it is made.

    ``outcomes`` maps each bet to what can happen to it. ``raises`` lists (bet before, bet after,
    cost in cents) for each way to make or raise a bet.
    """

    def __init__(self, choices: BettingChoices, dice: Dice) -> None:
        self._choices, self.dice = choices, dice
        self.outcomes: dict[_OpenBet, _BetOutcomes] = {}
        #: Ways to make or raise a bet: the bet before (None: no bet), the bet after, the cost.
        self.raises: list[tuple[_OpenBet | None, _OpenBet, int]] = []
        self._waiting: list[_OpenBet] = []
        self._known: set[_OpenBet] = set()
        layout = choices.layout
        for puck in (0, *layout.house.book.points.value):
            for slug in sorted(choices.menu):
                for move in choices.list_changes(State(puck), self._find_line_bet(slug), slug):
                    for made, stake in move.after:
                        if stake is not None:
                            self.raises.append((None, self._add_bet(puck, made, stake), move.cost))
        while self._waiting:
            bet = self._waiting.pop()
            self.outcomes[bet] = self._follow_bet(bet)

    def _find_line_bet(self, slug: str) -> Wagers:
        """Return the line bet behind which the odds bet ``slug`` goes, large enough for any odds.

        Return an empty dict if ``slug`` is not an odds bet.
        """
        spot = self._choices.layout.spots[slug]
        most = self._choices.most + 1
        return {spot.flat: Stake(most, most)} if spot.is_odds else {}

    def _add_bet(self, puck: int, slug: str, stake: Stake) -> _OpenBet:
        # The flat amount that limits the odds has no value of its own.
        bet = _OpenBet(puck, slug, replace(stake, flat=stake.amount))
        if bet not in self._known:
            self._known.add(bet)
            self._waiting.append(bet)
        return bet

    def _follow_bet(self, bet: _OpenBet) -> _BetOutcomes:
        choices, (puck, slug, stake) = self._choices, bet
        chances: defaultdict[tuple[int, _OpenBet | None], float] = defaultdict(float)
        pucks = choices.pucks_after(puck)
        for index, weight in enumerate(self.dice.weights):
            back, left = choices.settle_roll(puck, ((slug, stake),), index)
            then = self._add_bet(pucks[index], *left[0]) if left else None
            chances[back, then] += weight / self.dice.whole
        throws = tuple((p, back, then) for (back, then), p in chances.items())
        return _BetOutcomes(throws, tuple(self._list_reductions(bet)))

    def _list_reductions(self, bet: _OpenBet) -> list[tuple[int, _OpenBet | None]]:
        choices, (puck, slug, stake) = self._choices, bet
        around = self._find_line_bet(slug)
        wagers = tuple(sorted({**around, slug: stake}.items()))
        place, gain = choices.take_down_free_bets(State(puck, wagers))
        if slug not in dict(place.wagers):  # Free to come and go: as good as chips.
            if around and around.keys() - dict(place.wagers).keys():
                gain -= sum(flat.amount for flat in around.values())
            return [(gain, None)]
        downs: list[tuple[int, _OpenBet | None]] = []
        for after, cost in choices.list_changes(State(puck), dict(wagers), slug):
            then = dict(after).get(slug)
            bet_then = None if then is None else self._add_bet(puck, slug, then)
            if cost > 0 and bet_then is not None:
                self.raises.append((bet, bet_then, cost))
            else:
                downs.append((-cost, bet_then))
        return downs
