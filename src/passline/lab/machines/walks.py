"""Walking one wager of the real engine to its decision.

The wager is made through ``decide``, every throw is decided by the table; this module only keeps
count of where the throws lead. What it finds is a ``Walk``: a chain that ends when the wager is
decided, for ``exact`` to solve.

A shooter's hand, walked on the real engine: every throw from the come-out to the seven that
ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from passline.game.dice.dice import FAIR, OUTCOMES, SEVEN, TOTALS, Dice
from passline.game.law.shapes.collect import Collect
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Refusal, Settlement, Stake, Wagers, apply_settlements
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.dice_custody import is_automated
from passline.game.table.events import Rolled, Wagered
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.game.table.throws import must_pass_dice
from passline.lab.machines.seat import PLAYER, State, add_shooter_bet, build_table

#: Where a throw leads that decides the wager.
DECIDED = -1

#: Wagers to add on coming to a state (odds behind a flat that has its number), as (slug, cents).
AddBets = Callable[[Table], Sequence[tuple[str, int]]]


class Branch(NamedTuple):
    """One way on: the state it leads to (or DECIDED), what it weighs, the net (cents)."""

    next: int
    weight: int
    net: int


class OutcomeGroup(NamedTuple):
    """Throws that do the same from a state: their faces, what they weigh, the state they lead to
    (or DECIDED), the net, and what they settle."""

    faces: tuple[tuple[int, int], ...]
    weight: int
    next: int
    net: int
    settled: tuple[Settlement, ...]


class BetWalk(msgspec.Struct, frozen=True):
    """A wager's way to its decision, from state 0. Money in cents.

    ``stake`` was wagered and ``vig`` paid for it up front; ``added`` is what is wagered besides on
    coming to a state; ``paid`` is the most that any one throw pays, ``cost`` the most that one
    costs the house. The net of a decision is what it leaves the player with, less the stake and
    the vigorish up front; vigorish taken for the decision after it still belongs to the player.
    ``whole`` is what the ways on from a state weigh together. ``states`` is what the states stand
    for, and ``falls`` has the ways on throw by throw, with what each settles: why it is so.
    """

    stake: int
    vig: int
    ways: tuple[tuple[Branch, ...], ...]
    added: tuple[int, ...]
    paid: int
    cost: int
    whole: int
    states: tuple[State, ...] = ()
    falls: tuple[tuple[OutcomeGroup, ...], ...] = ()


class WalkSetup(msgspec.Struct, frozen=True):
    """How a wager is watched: where it starts, and what moves.

    ``held``: the puck stays where it was, so that the wager is seen while it works. ``aside``: the
    slugs of wagers in ``start`` that only stand there (the flat behind which odds are taken).
    ``whole``: every state by itself, also those that nothing can tell apart. ``dice``: those that
    are thrown. ``match``: the face of a coupon that goes with the wager (cents).
    """

    start: State
    held: bool
    aside: frozenset[str] = frozenset()
    add_bets: AddBets | None = None
    whole: bool = False
    dice: Dice = FAIR
    match: int = 0


def walk_wager(layout: Layout, wager: str, stake: int, course: WalkSetup) -> BetWalk | Refusal:
    """Make a wager where its course starts, and follow it to its decision."""
    return _Walker(layout, course).walked(wager, stake)


def walk_open_bet(
    layout: Layout, wager: str, state: State, held: bool = False, dice: Dice = FAIR
) -> tuple[BetWalk, dict[State, int]]:
    """Follow a wager that lies there to its decision, nothing more being said: ``state`` holds it
    and the table around it. What is off waits; what nothing will ever decide comes down as it is.

    Beside the walk, the numbers of its states: ``find_canonical_state`` says which stands for one.
    """
    stake = dict(state.wagers)[wager]
    walker = _Walker(layout, WalkSetup(state, held=held, dice=dice))
    walker.number(state)
    ways: list[tuple[Branch, ...]] = []
    while len(ways) < len(walker.waiting):
        found = walker.spread(walker.waiting[len(ways)])
        assert not isinstance(found, Refusal), found
        ways.append(found[1])
    walk = BetWalk(
        stake=stake.amount,
        vig=stake.vig,
        ways=_end_stuck_states(ways, dice.whole),
        added=(0,) * len(ways),
        paid=walker.paid,
        cost=walker.cost,
        whole=dice.whole,
    )
    return walk, walker.numbers


def _end_stuck_states(ways: list[tuple[Branch, ...]], whole: int) -> tuple[tuple[Branch, ...], ...]:
    """The same ways, but that what would wait for ever comes down as it is."""
    ends: set[int] = {DECIDED}
    growing = True
    while growing:
        more = {s for s, onward in enumerate(ways) if any(way.next in ends for way in onward)}
        growing = not more <= ends
        ends |= more
    down = (Branch(DECIDED, whole, 0),)
    return tuple(onward if state in ends else down for state, onward in enumerate(ways))


_EqualThrows = tuple[list[tuple[int, int]], int]


class _Walker:
    def __init__(self, layout: Layout, course: WalkSetup) -> None:
        self.layout, self.course = layout, course
        self.numbers: dict[State, int] = {}
        self.waiting: list[State] = []
        self.groups: dict[tuple[int, tuple[str, ...]], list[_EqualThrows]] = {}
        self.falls: list[tuple[OutcomeGroup, ...]] = []
        self.paid = self.cost = 0

    def walked(self, wager: str, stake: int) -> BetWalk | Refusal:
        table = build_table(self.layout, self.course.start)
        answer = decide(table, cmd.Bet(PLAYER, wager, stake, match=self.course.match))
        if isinstance(answer, Refusal):
            return answer
        vig = 0
        for event in answer:
            table = evolve(table, event)
            vig += event.vig if isinstance(event, Wagered) else 0
        self.number(self.course.start._replace(wagers=_sort_wagers(table.playing[0].wagers)))
        ways: list[tuple[Branch, ...]] = []
        added: list[int] = []
        while len(ways) < len(self.waiting):
            found = self.spread(self.waiting[len(ways)])
            if isinstance(found, Refusal):
                return found
            added.append(found[0])
            ways.append(found[1])
        return BetWalk(
            stake=stake,
            vig=vig,
            ways=tuple(ways),
            added=tuple(added),
            paid=self.paid,
            cost=self.cost,
            whole=self.course.dice.whole,
            states=tuple(self.waiting),
            falls=tuple(self.falls),
        )

    def number(self, state: State) -> int:
        """A state's number; states that nothing of the wager's future tells apart share one."""
        plain = not self.course.whole and self.course.dice.level
        state = find_canonical_state(self.layout, state) if plain else state
        if state not in self.numbers:
            self.numbers[state] = len(self.waiting)
            self.waiting.append(state)
        return self.numbers[state]

    def spread(self, state: State) -> tuple[int, tuple[Branch, ...]] | Refusal:
        """What is added in a state and every way on from it, or why it may not be added."""
        table = build_table(self.layout, state)
        added = 0
        for slug, amount in self.course.add_bets(table) if self.course.add_bets is not None else ():
            answer = decide(table, cmd.Bet(PLAYER, slug, amount))
            if isinstance(answer, Refusal):
                return answer
            for event in answer:
                table = evolve(table, event)
            added += amount
        table = add_shooter_bet(table)
        found: dict[tuple[int, int], int] = {}
        falls = []
        for faces, weight in self.throws(table):
            to, net, settled = self.thrown(table, state, *faces[0])
            found[to, net] = found.get((to, net), 0) + weight
            falls.append(
                OutcomeGroup(faces=tuple(faces), weight=weight, next=to, net=net, settled=settled)
            )
        self.falls.append(tuple(falls))
        return added, tuple(Branch(to, weight, net) for (to, net), weight in found.items())

    def throws(self, table: Table) -> list[_EqualThrows]:
        """Throws that do the same, and what they weigh.

        Throws with one total and the same verdict on everything up do the same.
        """
        slugs = tuple(table.playing[0].wagers)
        if (table.puck, slugs) not in self.groups:
            tables = [self.layout.spots[slug].tables[table.puck] for slug in slugs]
            alike: dict[object, _EqualThrows] = {}
            for index, (faces, weight) in enumerate(
                zip(OUTCOMES, self.course.dice.weights, strict=True)
            ):
                key = sum(faces), tuple([rows[index] for rows in tables])
                others, before = alike.get(key, ([], 0))
                alike[key] = [*others, faces], before + weight
            self.groups[table.puck, slugs] = list(alike.values())
        return self.groups[table.puck, slugs]

    def thrown(
        self, table: Table, state: State, first: int, second: int
    ) -> tuple[int, int, tuple[Settlement, ...]]:
        """Where a throw leads, the net where it decides, and what it settles."""
        rolled = roll_dice(table, first, second)
        own = [s for s in rolled.settlements if s.player == PLAYER]
        wagers = table.playing[0].wagers
        left = apply_settlements(wagers, own) if own else wagers
        watched = [s for s in own if s.wager not in self.course.aside]
        if any(s.result != "travel" for s in watched):
            self.paid = max(self.paid, sum(s.paid for s in watched))
            self.cost = max(self.cost, sum(map(find_house_cost, watched)))
            slugs = dict.fromkeys(s.wager for s in watched)
            net = sum(find_net(slug, wagers[slug], left, watched) for slug in slugs)
            return DECIDED, net, tuple(watched)
        puck = state.puck if self.course.held else rolled.puck
        after = State(
            puck=puck,
            wagers=_sort_wagers(left),
            made=frozenset(rolled.made),
            thrown=frozenset(rolled.thrown),
            riding=frozenset(rolled.riding),
        )
        return self.number(after), 0, tuple(watched)


def roll_dice(table: Table, first: int, second: int) -> Rolled:
    """What a throw does at a table where somebody may throw."""
    answer = decide(table, cmd.Roll(first, second))
    assert not isinstance(answer, Refusal), answer
    return next(event for event in answer if isinstance(event, Rolled))


def find_house_cost(done: Settlement) -> int:
    """What a settlement costs the house, in cents; below zero: what it brings."""
    return 0 if done.to is not None else done.back + done.left - done.stake


def find_net(wager: str, before: Stake, left: Wagers, settled: Sequence[Settlement]) -> int:
    """What a throw's settlements leave of a wager, prepaid vigorish counted, less what was put
    down. What stays on its spot is the player's still."""
    after = left.get(wager)
    kept = after.amount + after.vig if after is not None else 0
    back = sum(done.back for done in settled if done.wager == wager)
    return back + kept - before.amount - before.vig


def _sort_wagers(wagers: Wagers) -> tuple[tuple[str, Stake], ...]:
    return tuple(sorted(wagers.items(), key=lambda item: item[0]))


def find_canonical_state(layout: Layout, state: State) -> State:
    """The state that stands for all those from which a gathering wager fares the same.

    Only what the wager needs is told apart; and of two totals that come equally often (4 and 10),
    both needed or not and both points or not, it does not matter which was gathered.
    """
    gathering = [layout.spots[slug].rule for slug, _ in state.wagers]
    needs = [set(rule.needs.value) for rule in gathering if isinstance(rule, Collect)]
    if len(needs) != 1 or len(state.wagers) != 1:
        return state
    points = layout.house.book.points.value
    made, thrown, puck = state.made & needs[0], state.thrown & needs[0], state.puck
    for low in TOTALS:
        high = 2 * SEVEN - low
        if low >= high or (low in needs[0]) != (high in needs[0]):
            continue
        if (low in points) == (high in points):
            made, thrown, puck = _swap_equal_totals(low, high, made, thrown, puck)
    return state._replace(puck=puck, made=made, thrown=thrown)


def _swap_equal_totals(
    low: int, high: int, made: frozenset[int], thrown: frozenset[int], puck: int
) -> tuple[frozenset[int], frozenset[int], int]:
    """Of a pair, the lower one stands for the one that was gathered, or that the puck is on."""
    pair = {low, high}
    got = (made | thrown) & pair
    other = {low: high, high: low}
    if got == {high} or (got != {low} and puck == high):
        made = frozenset(other.get(n, n) for n in made)
        thrown = frozenset(other.get(n, n) for n in thrown)
        puck = other.get(puck, puck)
    return made, thrown, puck


def weigh_points_set(layout: Layout, dice: Dice = FAIR) -> dict[int, int]:
    """What the come-out rolls weigh (of 36, with fair dice) in which each point is set."""
    table = add_shooter_bet(build_table(layout, State()))
    found: dict[int, int] = {}
    for faces, weight in zip(OUTCOMES, dice.weights, strict=True):
        puck = roll_dice(table, *faces).puck
        if puck:
            found[puck] = found.get(puck, 0) + weight
    return dict(sorted(found.items()))


#: Where the throw leads that ends the hand, and where one leads that decides the line.
HAND_ENDED, COME_OUT = -1, 0


class HandBranch(NamedTuple):
    """One way on: the state it leads to (or ENDED), what it weighs, and the point that is made
    (0: none)."""

    next: int
    weight: int
    made: int


class HandThrow(NamedTuple):
    """A total thrown: the state it leads to (or ENDED), what it weighs, the point that is made."""

    total: int
    next: int
    weight: int
    made: int


def walk_hand(layout: Layout, dice: Dice = FAIR) -> tuple[tuple[HandBranch, ...], ...]:
    """The ways on from every state of a hand: the come-out is state 0, the others its points."""
    found = []
    for throws in walk_hand_totals(layout, dice):
        ways: dict[tuple[int, int], int] = {}
        for throw in throws:
            way = throw.next, throw.made
            ways[way] = ways.get(way, 0) + throw.weight
        found.append(tuple(HandBranch(to, often, made) for (to, made), often in ways.items()))
    return tuple(found)


def walk_hand_totals(layout: Layout, dice: Dice = FAIR) -> tuple[tuple[HandThrow, ...], ...]:
    """The same, every total by itself."""
    numbers: dict[int, int] = {0: COME_OUT}
    waiting = [0]
    found: list[tuple[HandThrow, ...]] = []
    while len(found) < len(waiting):
        puck = waiting[len(found)]
        table = add_shooter_bet(build_table(layout, State(puck)))
        throws: dict[tuple[int, int, int], int] = {}
        for faces, weight in zip(OUTCOMES, dice.weights, strict=True):
            after = roll_dice(table, *faces).puck
            if must_pass_dice(table, sum(faces)):
                way = sum(faces), HAND_ENDED, 0
            else:
                if after not in numbers:
                    numbers[after] = len(waiting)
                    waiting.append(after)
                way = sum(faces), numbers[after], puck if after == 0 else 0
            throws[way] = throws.get(way, 0) + weight
        found.append(tuple(HandThrow(*way[:2], w, way[2]) for way, w in throws.items()))
    return tuple(found)


def count_ended_hand_throws(before: Table, rolled: Rolled) -> int:
    """How many throws the hand had that this throw ended; 0: it ended none.

    Where a machine throws there is no shooter, and no hand.
    """
    if is_automated(before) or not must_pass_dice(before, rolled.first + rolled.second):
        return 0
    return before.turn + 1
