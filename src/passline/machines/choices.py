"""Everything that a menu of wagers lets one do between throws, walked on the real engine.

Whether a wager may be made, raised, reduced or taken down, and at what cost, is asked of
``decide``; what a throw does to it, of ``settle``. This module only keeps count of where that
leads, as ``machine`` does for a strategy; here nobody has decided yet.

What may come down and be made again as it was, at once and for nothing, is as good as chips in the
rail: it is counted there, so that a **place** holds only what one is not free to have or not to
have (a line wager with its point). From a place one goes to a **stand**: how the layout lies when
the dice go out.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from passline.dice import FAIR, Dice
from passline.law.wagers import OddsRule
from passline.layout import Layout, Stake, Wagers
from passline.layout.amounts import bounds
from passline.machines.chain import Arc
from passline.machines.choice_moves import (
    ChoiceMove,
    LyingWagers,
    TooManyChoices,
    done,
    lying_at,
    move_between,
    put_wagers,
)
from passline.machines.choice_throws import ChoiceThrows
from passline.machines.seat import PLAYER, State, table_at
from passline.table import Table
from passline.table import commands as cmd


class ChoiceStand(NamedTuple):
    """How the layout lies when the dice go out: what it takes from the rail to come to lie so, and
    the ways on; ``money`` of an arc goes to the rail. In cents."""

    wagers: LyingWagers
    cost: int
    arcs: tuple[Arc, ...]


class Choices(ChoiceThrows):
    """The places that a menu leads to and the stands of each, from an empty layout.

    ``top`` is the most chips (cents) that may be in the rail in a place while the goal, ``most``
    and more, is not reached; ``gain`` what taking down brings to the rail at the most.
    """

    def __init__(
        self, layout: Layout, menu: Sequence[str], unit: int, most: int, dice: Dice = FAIR,
        calls: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(layout, dice)
        self.unit, self.most, self.calls = unit, most, calls
        self.menu = frozenset(menu)
        self._order = sorted(layout.spots, key=self._rank)
        self._moves: dict[object, tuple[ChoiceMove, ...]] = {}
        self._freed: dict[object, tuple[State, int]] = {}
        self._free_parts: dict[object, tuple[LyingWagers, int]] = {}
        self._limit = 0
        self.numbers: dict[State, int] = {}
        self.places: list[State] = []
        self.top: list[int] = []
        self.gain: list[int] = []
        self.stands: list[list[ChoiceStand]] = []

    def _rank(self, slug: str) -> tuple[bool, int]:
        """Flat wagers first, the odds behind them after: as they are made."""
        spot = self.layout.spots[slug]
        return isinstance(spot.rule, OddsRule), spot.rank

    def walk(self, limit: int, watch: Callable[[int], None] | None = None) -> None:
        """Find all places and stands. TooManyChoices beyond ``limit`` stands."""
        waiting: list[tuple[int, int]] = []
        seen: list[int] = []

        def reach(state: State, rail: int) -> int:
            """The number of a place that is come to with so much in the rail."""
            number = self.numbers.get(state)
            if number is None:
                number = self.numbers[state] = len(self.places)
                self.places.append(state)
                self.top.append(-1)
                self.stands.append([])
                self.gain.append(self.down_at(state))
                seen.append(-1)
            rail = min(rail, self.most - self.gain[number])
            if rail > self.top[number]:
                self.top[number] = rail
                heapq.heappush(waiting, (-rail, number))
            return number

        reach(State(), self.most)
        total, self._limit = 0, limit
        while waiting:
            _, number = heapq.heappop(waiting)
            top, before = self.top[number], seen[number]
            if before >= top:
                continue
            seen[number] = top
            state = self.places[number]
            for wagers, cost in self._lies(state, top):
                if cost <= before and before >= 0:
                    continue
                arcs: dict[tuple[int, int], int] = {}
                for after, back, weight in self._throws(state, wagers):
                    way = reach(after, top - cost + back), back
                    arcs[way] = arcs.get(way, 0) + weight
                ways = tuple(Arc(to, money, weight) for (to, money), weight in arcs.items())
                self.stands[number].append(ChoiceStand(wagers, cost, ways))
                total += 1
                if total > limit:
                    raise TooManyChoices
                if watch is not None and total % 1024 == 0:
                    watch(total)
            self._push_tops(number, before, top, reach)

    def _push_tops(
        self, number: int, before: int, top: int, reach: Callable[[State, int], int]
    ) -> None:
        """Stands that were found with fewer chips lead further with more."""
        if before < 0:
            return
        for stand in self.stands[number]:
            if stand.cost <= before:
                for arc in stand.arcs:
                    reach(self.places[arc.next], top - stand.cost + arc.money)

    # Between throws.

    def down_at(self, state: State) -> int:
        """What goes to the rail in a state if everything comes down that may."""
        table = table_at(self.layout, state)
        down = done(table, cmd.TakeAllDown(PLAYER)) if state.wagers else None
        return 0 if down is None else down.playing[0].rail - table.playing[0].rail

    def _lies(self, state: State, rail: int) -> Iterator[tuple[LyingWagers, int]]:
        """Every way that the layout may come to lie from a state with so much in the rail, each
        with the least that takes. Leaving all as it is comes first."""
        best: dict[LyingWagers, int] = {}
        start = dict(state.wagers)
        slugs = [slug for slug in self._order if slug in self.menu or slug in start]
        # What may still come down of what lies there: it pays for what goes up before it.
        slack = [0]
        for slug in reversed(slugs):
            up = start.get(slug)
            slack.append(slack[-1] + (up.amount + up.vig if up is not None else 0))
        slack.reverse()

        def change(wagers: Wagers, place: int, cost: int) -> None:
            if place == len(slugs):
                lying = tuple(sorted(wagers.items()))
                if cost <= rail and cost < best.get(lying, rail + 1):
                    best[lying] = cost
                    if len(best) > self._limit:
                        raise TooManyChoices
                return
            change(wagers, place + 1, cost)
            for after, more in self.moves(state, wagers, slugs[place]):
                if cost + more <= rail + slack[place + 1]:
                    change(put_wagers(wagers, after), place + 1, cost + more)

        change(start, 0, 0)
        return iter(best.items())

    def moves(self, state: State, wagers: Wagers, slug: str) -> tuple[ChoiceMove, ...]:
        """What may be done with one wager as those lie that it has to do with."""
        spot = self.layout.spots[slug]
        lying = tuple([(s, wagers[s]) for s in (slug, spot.flat, spot.behind) if s in wagers])
        lying += tuple([(s, wagers[s]) for s in spot.legs if s in wagers and s != slug])
        key = slug, state.puck, state.fresh, state.riding, lying
        found = self._moves.get(key)
        if found is None:
            table = table_at(self.layout, state._replace(wagers=lying))
            asked = self._asked(table, slug)
            found = self._moves[key] = tuple([m for m in asked if not self._idle(state, m)])
        return found

    def _asked(self, table: Table, slug: str) -> Iterator[ChoiceMove]:
        up = table.playing[0].wagers.get(slug)
        tables: list[Table] = []
        if up is not None:
            down = done(table, cmd.TakeDown(PLAYER, slug))
            tables += [down] if down is not None else []
        if up is not None or slug in self.menu:
            tables += self._holding(table, slug)
        seen = {lying_at(table)}
        for after in [*tables, *self._called(slug, [table, *tables])]:
            if lying_at(after) not in seen:
                seen.add(lying_at(after))
                yield move_between(table, after)

    def _idle(self, state: State, move: ChoiceMove) -> bool:
        """Whether a move only puts up what no throw touches (a place wager before a come-out roll)
        and what is as good as chips afterwards: then the chips may as well stay in the rail."""
        if move.cost <= 0 or len(move.after) != 1:
            return False
        slug, stake = move.after[0]
        if stake is None:
            return False
        lying: LyingWagers = ((slug, stake),)
        if stake.amount + stake.vig != move.cost:  # it is raised, and was not free to come down
            return False
        for index, after in enumerate(self.pucks_after(state.puck)):
            if self.fate(state.puck, lying, index) != (0, lying):
                return False
            if self.free(State(after, lying)) != (State(after), move.cost):
                return False
        return True

    def _called(self, slug: str, tables: Sequence[Table]) -> Iterator[Table]:
        """The tables with a wager called on, and off, where that may be."""
        for table in tables if self.calls else ():
            for on in (True, False):
                if slug in table.playing[0].wagers:
                    after = done(table, cmd.Call(PLAYER, slug, on))
                    if after is not None:
                        yield after

    def _holding(self, table: Table, slug: str) -> list[Table]:
        """The tables at which the wager holds so many units, or so much more as the house asks.

        None holds a unit more than the goal: one that holds the goal brings it when it comes back,
        and more is lost no better.
        """
        up = table.playing[0].wagers.get(slug)
        now = up.amount if up is not None else 0
        found: list[Table] = []
        units = self.unit
        while units <= self.most + self.unit:
            after = self._least(table, slug, units)
            held = units
            if after is not None:
                found.append(after)
                held = max(units, after.playing[0].wagers.get(slug, Stake(0)).amount)
            elif units <= now:
                held = now  # it may not be reduced; perhaps it may be raised
            else:
                break  # nor may it hold more
            units = held - held % self.unit + self.unit
        return found

    def _least(self, table: Table, slug: str, units: int) -> Table | None:
        """The table at which the wager holds the least that the house takes at or above so much."""
        wagers, chip = table.playing[0].wagers, self.layout.house.chip
        spot = self.layout.spots[slug]
        least, _, step = bounds(self.layout, spot, table.puck, wagers)
        above = least + max(0, -(-(units - least) // step)) * step
        for to in dict.fromkeys((-(-units // chip) * chip, above)):
            ask = cmd.Change(PLAYER, slug, to) if slug in wagers else cmd.Bet(PLAYER, slug, to)
            after = done(table, ask)
            if after is not None:
                return after
        return None

    # A throw.

    def _throws(self, state: State, wagers: LyingWagers) -> Iterator[tuple[State, int, int]]:
        """Where the throws lead: the place, what goes to the rail, and what they weigh."""
        puck = state.puck
        pucks = self.pucks_after(puck)
        netted = self.layout.house.book.net_center.value and len(wagers) > 1
        for index, weight in self.alike(puck, tuple([slug for slug, _ in wagers])):
            if netted:
                back, left = self.fate(puck, wagers, index)
            else:
                fates = [self.fate(puck, (lying,), index) for lying in wagers]
                back = sum(fate[0] for fate in fates)
                left = tuple(sorted(chain.from_iterable(fate[1] for fate in fates)))
            after, free = self.free(State(puck=pucks[index], wagers=left))
            yield after, back + free, weight

    def free(self, state: State) -> tuple[State, int]:
        """The place that a state is: without what may come down and be made again as it was, for
        nothing; and what that is in the rail."""
        if not state.wagers:
            return state, 0
        found = self._freed.get(state)
        if found is None:
            parts = [self._free_part(state, part) for part in self._parts(state.wagers)]
            left = tuple(sorted(chain.from_iterable(part for part, _ in parts)))
            gain = sum(gain for _, gain in parts)
            found = self._freed[state] = state._replace(wagers=left), gain
        return found

    def _parts(self, wagers: LyingWagers) -> list[LyingWagers]:
        """Wagers by what they have to do with each other: odds with what they stand behind."""
        spots = self.layout.spots
        if len(wagers) == 1 or any(spots[slug].legs for slug, _ in wagers):
            return [wagers]
        parts: dict[str, LyingWagers] = {}
        for lying in wagers:
            first = spots[lying[0]].flat or lying[0]
            parts[first] = (*parts.get(first, ()), lying)
        return list(parts.values())

    def _free_part(self, state: State, wagers: LyingWagers) -> tuple[LyingWagers, int]:
        key = state.puck, wagers
        found = self._free_parts.get(key)
        if found is None:
            table = table_at(self.layout, state._replace(wagers=wagers))
            before = table.playing[0].rail
            for slug in reversed(self._order):
                up = table.playing[0].wagers.get(slug)
                if up is not None and slug in self.menu:
                    table = self._freed_of(table, slug, up.amount)
            gain = table.playing[0].rail - before
            left = tuple([(slug, self._plain(slug, up)) for slug, up in lying_at(table)])
            found = self._free_parts[key] = left, gain
        return found

    def _plain(self, slug: str, up: Stake) -> Stake:
        """What odds are measured by tells nothing where none are on the menu."""
        odds = self.layout.spots[slug].behind
        return up if odds in self.menu else replace(up, flat=up.amount)

    def _freed_of(self, table: Table, slug: str, amount: int) -> Table:
        """The table without a wager, if that is as good."""
        down = done(table, cmd.TakeDown(PLAYER, slug))
        again = None if down is None else self._least(down, slug, amount - amount % self.unit)
        if down is None or again is None:
            return table
        same = [again, *self._called(slug, [again])]
        own = table.playing[0]
        as_it_was = any(
            (t.playing[0].rail, t.playing[0].wagers) == (own.rail, own.wagers) for t in same
        )
        return down if as_it_was else table
