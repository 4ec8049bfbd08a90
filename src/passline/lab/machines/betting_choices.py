"""Changes of a player's wagers between throws, as the engine carries them out.

What a throw does to wagers as they lie: asked of ``settle`` once, and kept.

Everything that a menu of wagers lets one do between throws, walked on the real engine.

Whether a wager may be made, raised, reduced or taken down, and at what cost, is asked of
``decide``; what a throw does to it, of ``settle``. This module only keeps count of where that
leads, as ``machine`` does for a strategy; here nobody has decided yet.

What may come down and be made again as it was, at once and for nothing, is as good as chips in the
rail: it is counted there, so that a **place** holds only what one is not free to have or not to
have (a line wager with its point). From a place one goes to a **stand**: how the layout lies when
the dice go out.

Whether nothing on a menu favours the player: what bounds every play's chance of a goal.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from passline.game.dice.dice import FAIR, OUTCOMES, Dice
from passline.game.law.shapes.odds import OddsRule
from passline.game.layout.settle import Throw, settle
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Refusal, Stake, Wagers, apply_settlements
from passline.game.layout.wager_checks import find_bounds
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.lab.machines.chain import Arc
from passline.lab.machines.seat import PLAYER, State, add_shooter_bet, build_table, throw_dice

#: Wagers as a state holds them, by slug.
OpenBets = tuple[tuple[str, Stake], ...]


class TooManyChoices(Exception):  # noqa: N818
    """There are more stands than were allowed."""


class BetChange(NamedTuple):
    """A change of one wager: what lies there then of those concerned (None: nothing), its cost."""

    after: tuple[tuple[str, Stake | None], ...]
    cost: int


def apply_command(table: Table, ask: cmd.AnyCommand) -> Table | None:
    """The table after something was done; None: it may not be."""
    answer = decide(table, ask)
    if isinstance(answer, Refusal):
        return None
    for event in answer:
        table = evolve(table, event)
    return table


def list_open_bets(table: Table) -> OpenBets:
    """What the player has up at a table."""
    return tuple(sorted(table.playing[0].wagers.items()))


def diff_tables(table: Table, after: Table) -> BetChange:
    """What was changed from one table to the other."""
    before, then = table.playing[0], after.playing[0]
    slugs = sorted({*before.wagers, *then.wagers})
    changed = [s for s in slugs if before.wagers.get(s) != then.wagers.get(s)]
    return BetChange(tuple([(s, then.wagers.get(s)) for s in changed]), before.rail - then.rail)


def apply_change(wagers: Wagers, after: tuple[tuple[str, Stake | None], ...]) -> Wagers:
    """Wagers with a change carried out."""
    then = dict(wagers)
    for slug, stake in after:
        if stake is None:
            then.pop(slug, None)
        else:
            then[slug] = stake
    return then


class ThrowCache:
    """The throws of some dice at a layout."""

    def __init__(self, layout: Layout, dice: Dice) -> None:
        self.layout = layout
        self._dice = dice
        self._pucks: dict[int, tuple[int, ...]] = {}
        self._groups: dict[object, tuple[tuple[int, int], ...]] = {}
        self._fates: dict[object, tuple[int, OpenBets]] = {}

    def fate(self, puck: int, wagers: OpenBets, index: int) -> tuple[int, OpenBets]:
        """What a throw brings to the rail of these wagers, and what it leaves."""
        key = puck, wagers, index
        found = self._fates.get(key)
        if found is None:
            held = dict(wagers)
            throw = Throw(index, sum(OUTCOMES[index]), puck)
            settled = settle(self.layout, PLAYER, held, throw)
            left = tuple(sorted(apply_settlements(held, settled).items()))
            found = self._fates[key] = sum(done.back for done in settled), left
        return found

    def pucks_after(self, puck: int) -> tuple[int, ...]:
        """The puck after each of the 36 outcomes."""
        if puck not in self._pucks:
            table = add_shooter_bet(build_table(self.layout, State(puck)))
            self._pucks[puck] = tuple([throw_dice(table, *faces)[0].puck for faces in OUTCOMES])
        return self._pucks[puck]

    def alike(self, puck: int, slugs: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
        """Throws that do something of their own (one of each), and what those weigh together."""
        if (puck, slugs) not in self._groups:
            tables = [self.layout.spots[slug].tables[puck] for slug in slugs]
            found: dict[object, tuple[int, int]] = {}
            pucks = self.pucks_after(puck)
            for index, weight in enumerate(self._dice.weights):
                key = pucks[index], tuple([rows[index] for rows in tables])
                first, before = found.get(key, (index, 0))
                found[key] = first, before + weight
            self._groups[puck, slugs] = tuple(found.values())
        return self._groups[puck, slugs]


class ChosenLayout(NamedTuple):
    """How the layout lies when the dice go out: what it takes from the rail to come to lie so, and
    the ways on; ``money`` of an arc goes to the rail. In cents."""

    wagers: OpenBets
    cost: int
    arcs: tuple[Arc, ...]


class BettingChoices(ThrowCache):
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
        self._moves: dict[object, tuple[BetChange, ...]] = {}
        self._freed: dict[object, tuple[State, int]] = {}
        self._free_parts: dict[object, tuple[OpenBets, int]] = {}
        self._limit = 0
        self.numbers: dict[State, int] = {}
        self.places: list[State] = []
        self.top: list[int] = []
        self.gain: list[int] = []
        self.stands: list[list[ChosenLayout]] = []

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
                self.gain.append(self.find_take_down_gain(state))
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
            for wagers, cost in self._list_layouts(state, top):
                if cost <= before and before >= 0:
                    continue
                arcs: dict[tuple[int, int], int] = {}
                for after, back, weight in self._throws(state, wagers):
                    way = reach(after, top - cost + back), back
                    arcs[way] = arcs.get(way, 0) + weight
                ways = tuple(Arc(to, money, weight) for (to, money), weight in arcs.items())
                self.stands[number].append(ChosenLayout(wagers, cost, ways))
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

    def find_take_down_gain(self, state: State) -> int:
        """What goes to the rail in a state if everything comes down that may."""
        table = build_table(self.layout, state)
        down = apply_command(table, cmd.TakeAllDown(PLAYER)) if state.wagers else None
        return 0 if down is None else down.playing[0].rail - table.playing[0].rail

    def _list_layouts(self, state: State, rail: int) -> Iterator[tuple[OpenBets, int]]:
        """Every way that the layout may come to lie from a state with so much in the rail, each
        with the least that takes. Leaving all as it is comes first."""
        best: dict[OpenBets, int] = {}
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
                    change(apply_change(wagers, after), place + 1, cost + more)

        change(start, 0, 0)
        return iter(best.items())

    def moves(self, state: State, wagers: Wagers, slug: str) -> tuple[BetChange, ...]:
        """What may be done with one wager as those lie that it has to do with."""
        spot = self.layout.spots[slug]
        lying = tuple([(s, wagers[s]) for s in (slug, spot.flat, spot.behind) if s in wagers])
        lying += tuple([(s, wagers[s]) for s in spot.legs if s in wagers and s != slug])
        key = slug, state.puck, state.fresh, state.riding, lying
        found = self._moves.get(key)
        if found is None:
            table = build_table(self.layout, state._replace(wagers=lying))
            asked = self._asked(table, slug)
            found = self._moves[key] = tuple([m for m in asked if not self._idle(state, m)])
        return found

    def _asked(self, table: Table, slug: str) -> Iterator[BetChange]:
        up = table.playing[0].wagers.get(slug)
        tables: list[Table] = []
        if up is not None:
            down = apply_command(table, cmd.TakeDown(PLAYER, slug))
            tables += [down] if down is not None else []
        if up is not None or slug in self.menu:
            tables += self._list_amount_tables(table, slug)
        seen = {list_open_bets(table)}
        for after in [*tables, *self._called(slug, [table, *tables])]:
            if list_open_bets(after) not in seen:
                seen.add(list_open_bets(after))
                yield diff_tables(table, after)

    def _idle(self, state: State, move: BetChange) -> bool:
        """Whether a move only puts up what no throw touches (a place wager before a come-out roll)
        and what is as good as chips afterwards: then the chips may as well stay in the rail."""
        if move.cost <= 0 or len(move.after) != 1:
            return False
        slug, stake = move.after[0]
        if stake is None:
            return False
        lying: OpenBets = ((slug, stake),)
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
                    after = apply_command(table, cmd.Call(PLAYER, slug, on))
                    if after is not None:
                        yield after

    def _list_amount_tables(self, table: Table, slug: str) -> list[Table]:
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
        least, _, step = find_bounds(self.layout, spot, table.puck, wagers)
        above = least + max(0, -(-(units - least) // step)) * step
        for to in dict.fromkeys((-(-units // chip) * chip, above)):
            ask = cmd.Change(PLAYER, slug, to) if slug in wagers else cmd.Bet(PLAYER, slug, to)
            after = apply_command(table, ask)
            if after is not None:
                return after
        return None

    # A throw.

    def _throws(self, state: State, wagers: OpenBets) -> Iterator[tuple[State, int, int]]:
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

    def _parts(self, wagers: OpenBets) -> list[OpenBets]:
        """Wagers by what they have to do with each other: odds with what they stand behind."""
        spots = self.layout.spots
        if len(wagers) == 1 or any(spots[slug].legs for slug, _ in wagers):
            return [wagers]
        parts: dict[str, OpenBets] = {}
        for lying in wagers:
            first = spots[lying[0]].flat or lying[0]
            parts[first] = (*parts.get(first, ()), lying)
        return list(parts.values())

    def _free_part(self, state: State, wagers: OpenBets) -> tuple[OpenBets, int]:
        key = state.puck, wagers
        found = self._free_parts.get(key)
        if found is None:
            table = build_table(self.layout, state._replace(wagers=wagers))
            before = table.playing[0].rail
            for slug in reversed(self._order):
                up = table.playing[0].wagers.get(slug)
                if up is not None and slug in self.menu:
                    table = self._remove_if_free(table, slug, up.amount)
            gain = table.playing[0].rail - before
            left = tuple([(slug, self._plain(slug, up)) for slug, up in list_open_bets(table)])
            found = self._free_parts[key] = left, gain
        return found

    def _plain(self, slug: str, up: Stake) -> Stake:
        """What odds are measured by tells nothing where none are on the menu."""
        odds = self.layout.spots[slug].behind
        return up if odds in self.menu else replace(up, flat=up.amount)

    def _remove_if_free(self, table: Table, slug: str, amount: int) -> Table:
        """The table without a wager, if that is as good."""
        down = apply_command(table, cmd.TakeDown(PLAYER, slug))
        again = None if down is None else self._least(down, slug, amount - amount % self.unit)
        if down is None or again is None:
            return table
        same = [again, *self._called(slug, [again])]
        own = table.playing[0]
        as_it_was = any(
            (t.playing[0].rail, t.playing[0].wagers) == (own.rail, own.wagers) for t in same
        )
        return down if as_it_was else table


#: Rounds of rolls that wagers are followed for, and the cents of an edge that count as none.
_MAX_ROUNDS, _EDGE_TOLERANCE = 5_000, 1e-6


class _OpenBet(NamedTuple):
    """A wager as it lies, with the puck."""

    puck: int
    slug: str
    stake: Stake


class _BetOutcomes(NamedTuple):
    """What may become of it: by the throws (chance, cents back, what is left), or by taking some
    or all of it down (cents back, what is left)."""

    throws: tuple[tuple[float, int, _OpenBet | None], ...]
    downs: tuple[tuple[int, _OpenBet | None], ...]


def has_no_player_edge(choices: BettingChoices, dice: Dice) -> bool:
    """Whether no wager of a menu, however it is made, changed and taken down, is worth more to the
    player than it takes.

    Let M be the most that can be expected back of a wager as it lies, by leaving it, reducing it
    or taking it down at the best times. Where making or raising one never adds more to M than it
    takes from the rail, F = rail + the sum of M over what is up does not grow on average whatever
    is done: M is at least its mean after a throw, and at least what a change brings. F is the
    bankroll B at first, never below nought, and the goal G or more where that is reached; so the
    chance of G from B is at most B / G (optional stopping).
    """
    walk = _SingleBetWalks(choices, dice)
    worth: dict[_OpenBet | None, float] = {None: 0.0, **dict.fromkeys(walk.onward, 0.0)}
    for _ in range(_MAX_ROUNDS):
        change = 0.0
        for lies, onward in walk.onward.items():
            most = sum(p * (back + worth[then]) for p, back, then in onward.throws)
            for back, then in onward.downs:
                most = max(most, back + worth[then])
            if most > worth[lies]:
                change = max(change, most - worth[lies])
                worth[lies] = most
        if change < _EDGE_TOLERANCE / 100:
            break
    return all(
        worth[after] - worth[before] <= cost + _EDGE_TOLERANCE for before, after, cost in walk.asked
    )


class _SingleBetWalks:
    """Every wager of a menu by itself, from its making on."""

    def __init__(self, choices: BettingChoices, dice: Dice) -> None:
        self._choices, self._dice = choices, dice
        self.onward: dict[_OpenBet, _BetOutcomes] = {}
        #: What is made or raised: from what (None: nothing), to what, for how much.
        self.asked: list[tuple[_OpenBet | None, _OpenBet, int]] = []
        self._waiting: list[_OpenBet] = []
        self._known: set[_OpenBet] = set()
        layout = choices.layout
        for puck in (0, *layout.house.book.points.value):
            for slug in sorted(choices.menu):
                for move in choices.moves(State(puck), self._around(slug), slug):
                    for made, stake in move.after:
                        if stake is not None:
                            self.asked.append((None, self._seen(puck, made, stake), move.cost))
        while self._waiting:
            lies = self._waiting.pop()
            self.onward[lies] = self._spread(lies)

    def _around(self, slug: str) -> Wagers:
        """A flat wager that odds may stand behind, as large as any: odds are the same behind it."""
        spot = self._choices.layout.spots[slug]
        most = self._choices.most + 1
        return {spot.flat: Stake(most, most)} if isinstance(spot.rule, OddsRule) else {}

    def _seen(self, puck: int, slug: str, stake: Stake) -> _OpenBet:
        # What odds are measured by is worth nothing by itself.
        lies = _OpenBet(puck, slug, replace(stake, flat=stake.amount))
        if lies not in self._known:
            self._known.add(lies)
            self._waiting.append(lies)
        return lies

    def _spread(self, lies: _OpenBet) -> _BetOutcomes:
        choices, (puck, slug, stake) = self._choices, lies
        found: dict[tuple[int, _OpenBet | None], float] = {}
        pucks = choices.pucks_after(puck)
        for index, weight in enumerate(self._dice.weights):
            back, left = choices.fate(puck, ((slug, stake),), index)
            then = self._seen(pucks[index], *left[0]) if left else None
            found[back, then] = found.get((back, then), 0.0) + weight / self._dice.whole
        throws = tuple((p, back, then) for (back, then), p in found.items())
        return _BetOutcomes(throws, tuple(self._downs(lies)))

    def _downs(self, lies: _OpenBet) -> list[tuple[int, _OpenBet | None]]:
        choices, (puck, slug, stake) = self._choices, lies
        around = self._around(slug)
        wagers = tuple(sorted({**around, slug: stake}.items()))
        place, gain = choices.free(State(puck, wagers))
        if slug not in dict(place.wagers):  # made and taken down at will: as good as chips
            if around and around.keys() - dict(place.wagers).keys():
                gain -= sum(flat.amount for flat in around.values())
            return [(gain, None)]
        downs: list[tuple[int, _OpenBet | None]] = []
        for after, cost in choices.moves(State(puck), dict(wagers), slug):
            then = dict(after).get(slug)
            lies_then = None if then is None else self._seen(puck, slug, then)
            if cost > 0 and lies_then is not None:
                self.asked.append((lies, lies_then, cost))
            else:
                downs.append((-cost, lies_then))
        return downs
