"""Follow one bet to its decision on the real engine, through every possible roll.

``decide`` makes bets and settles rolls. The result, a ``BetWalk``, is a small Markov chain that
``exact.bet_decisions`` solves. This module needs no numpy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from passline.game.dice.dice import FAIR, OUTCOMES, SEVEN, TOTALS, Dice
from passline.game.law.shapes.collect import Collect
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Refusal, Settlement, Stake, Wagers, apply_settlements
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.events import Rolled, Wagered
from passline.game.table.state import Table
from passline.lab.machines.next_states import (
    PLAYER,
    State,
    add_shooter_bet,
    build_table,
    evolve_all,
    sort_wagers,
)

#: The next state of a roll that decides the bet.
DECIDED = -1

#: A function that returns the bets to add at a table, such as odds: pairs of slug and cents.
AddBets = Callable[[Table], Sequence[tuple[str, int]]]


class Branch(NamedTuple):
    """A transition of a bet: the next state or DECIDED, its weight, and the player's net in cents.

    A loss is negative. The net is 0 unless the roll decides the bet.
    """

    next: int
    weight: int
    net: int


class OutcomeGroup(NamedTuple):
    """Dice outcomes that have the same effect in a state.

    The fields: the dice faces, the total weight, the next state or DECIDED, the player's net in
    cents, and the settlements.
    """

    faces: tuple[tuple[int, int], ...]
    weight: int
    next: int
    net: int
    settled: tuple[Settlement, ...]


class BetWalk(msgspec.Struct, frozen=True):
    """The Markov chain of one bet, from its start (state 0) to its decision. Money is in cents.

    * ``stake``: the bet; ``vig``: the vigorish paid with it.
    * ``ways[state]``: the transitions; the weights of each state add up to ``whole``.
    * ``added[state]``: the amount that is bet in addition on entering the state.
    * ``paid``: the most that one roll pays the player; ``cost``: the most that one roll costs the
      house. Both are at least 0.
    * ``states``, ``outcome_groups``: the table state behind each number, and what its rolls settle.

    The net of a decision is the amount returned to the player less the stake and the vigorish paid
    with it. Vigorish that was prepaid for a later decision still counts as the player's.
    """

    stake: int
    vig: int
    ways: tuple[tuple[Branch, ...], ...]
    added: tuple[int, ...]
    paid: int
    cost: int
    whole: int
    states: tuple[State, ...] = ()
    outcome_groups: tuple[tuple[OutcomeGroup, ...], ...] = ()


class WalkSetup(msgspec.Struct, frozen=True):
    """How to follow one bet: the table state in which it is made, and what may change on the way.

    * ``puck_stays``: no roll moves the puck, so a bet that works now works on every roll.
    * ``unwatched``: slugs of bets in ``start`` that are not followed, such as the line bet behind
      which odds are taken.
    * ``add_bets``: a function that returns bets to add on entering a state.
    * ``keep_all_states``: do not merge states in which the bet has the same future.
    * ``dice``: the dice that are rolled; ``match``: the face value in cents of a coupon that goes
      with the bet.
    """

    start: State
    puck_stays: bool
    unwatched: frozenset[str] = frozenset()
    add_bets: AddBets | None = None
    keep_all_states: bool = False
    dice: Dice = FAIR
    match: int = 0


def walk_wager(layout: Layout, wager: str, stake: int, setup: WalkSetup) -> BetWalk | Refusal:
    """Make a bet of ``stake`` cents in the state ``setup.start`` and follow it to its decision.

    Return the chain of the bet's states, or the Refusal if the rules do not allow the bet, or one
    that ``setup`` adds later.
    """
    return _Walker(layout, setup).walk_bet(wager, stake)


def walk_open_bet(
    layout: Layout, wager: str, state: State, puck_stays: bool = False, dice: Dice = FAIR
) -> tuple[BetWalk, dict[State, int]]:
    """Return (walk, numbers) of a bet that is already on the table and is left alone.

    The bet is ``wager`` in the table state ``state``. If ``puck_stays``, no roll moves the puck.
    The walk is the chain of states of the bet until its decision. A bet that is off stays until it
    works again. A bet that no roll can decide is returned at its stake. ``numbers`` maps states to
    their numbers in the walk; convert a state with ``find_canonical_state`` before looking it up.
    """
    stake = dict(state.wagers)[wager]
    walker = _Walker(layout, WalkSetup(state, puck_stays=puck_stays, dice=dice))
    walk = walker.walk_from(state, stake.amount, stake.vig)
    assert not isinstance(walk, Refusal), walk
    return msgspec.structs.replace(
        walk, ways=_end_stuck_states(walk.ways, dice.whole)
    ), walker.numbers


def reweigh_walk(walk: BetWalk, dice: Dice) -> BetWalk:
    """Return the chain of states of a bet with the probabilities of other dice.

    ``walk`` must not come from dice for which ``Dice.level`` is true (they throw a total as often
    as the one equally far from seven), because it has merged states that other dice keep apart.
    """
    found = tuple(
        tuple(group._replace(weight=dice.weigh(group.faces)) for group in groups)
        for groups in walk.outcome_groups
    )
    return msgspec.structs.replace(
        walk, ways=tuple(map(_make_branches, found)), whole=dice.whole, outcome_groups=found
    )


def _make_branches(groups: Sequence[OutcomeGroup]) -> tuple[Branch, ...]:
    """Return the transitions of a state: add up the groups with the same next state and net."""
    weights: Counter[tuple[int, int]] = Counter()
    for group in groups:
        weights[group.next, group.net] += group.weight
    return tuple(Branch(to, weight, net) for (to, net), weight in weights.items())


def _end_stuck_states(
    ways: tuple[tuple[Branch, ...], ...], whole: int
) -> tuple[tuple[Branch, ...], ...]:
    """Return a bet's transitions, changed so that it cannot wait forever.

    In a state from which no decision can be reached, the next roll now returns the bet to the
    player. ``ways[state]`` lists the transitions, and ``whole`` is the weight of all dice outcomes.
    """
    ends: set[int] = {DECIDED}
    changed = True
    while changed:
        more = {s for s, onward in enumerate(ways) if any(way.next in ends for way in onward)}
        changed = not more <= ends
        ends |= more
    down = (Branch(DECIDED, whole, 0),)
    return tuple(onward if state in ends else down for state, onward in enumerate(ways))


_EqualThrows = tuple[list[tuple[int, int]], int]


class _Walker:
    def __init__(self, layout: Layout, setup: WalkSetup) -> None:
        self.layout, self.setup = layout, setup
        self.numbers: dict[State, int] = {}
        self.states: list[State] = []
        self.groups: dict[tuple[int, tuple[str, ...]], list[_EqualThrows]] = {}
        self.outcome_groups: list[tuple[OutcomeGroup, ...]] = []
        self.paid = self.cost = 0
        self._merges = not setup.keep_all_states and setup.dice.level

    def walk_bet(self, wager: str, stake: int) -> BetWalk | Refusal:
        table = build_table(self.layout, self.setup.start)
        answer = decide(table, cmd.Bet(PLAYER, wager, stake, match=self.setup.match))
        if isinstance(answer, Refusal):
            return answer
        vig = sum(event.vig for event in answer if isinstance(event, Wagered))
        wagers = sort_wagers(evolve_all(table, answer).playing[0].wagers)
        return self.walk_from(self.setup.start._replace(wagers=wagers), stake, vig)

    def walk_from(self, start: State, stake: int, vig: int) -> BetWalk | Refusal:
        """Follow the bets in ``start``. Return their chain, or the Refusal of a bet added later.

        ``stake`` and ``vig`` are recorded in the chain, in cents.
        """
        self.number(start)
        ways: list[tuple[Branch, ...]] = []
        added: list[int] = []
        while len(ways) < len(self.states):
            found = self.roll_all_outcomes(self.states[len(ways)])
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
            whole=self.setup.dice.whole,
            states=tuple(self.states),
            outcome_groups=tuple(self.outcome_groups),
        )

    def number(self, state: State) -> int:
        """Return the number of a state, adding it if it is new.

        States in which the bet has the same future share a number.
        """
        if self._merges:
            state = find_canonical_state(self.layout, state)
        if state not in self.numbers:
            self.numbers[state] = len(self.states)
            self.states.append(state)
        return self.numbers[state]

    def roll_all_outcomes(self, state: State) -> tuple[int, tuple[Branch, ...]] | Refusal:
        """Add the bets of ``setup.add_bets`` in a state and roll each outcome of the dice.

        Return (cents added, transitions), or the Refusal of an added bet.
        """
        table = build_table(self.layout, state)
        added = 0
        for slug, amount in self.setup.add_bets(table) if self.setup.add_bets is not None else ():
            answer = decide(table, cmd.Bet(PLAYER, slug, amount))
            if isinstance(answer, Refusal):
                return answer
            table = evolve_all(table, answer)
            added += amount
        table = add_shooter_bet(table)
        groups = []
        for faces, weight in self._group_outcomes(table):
            to, net, settled = self._roll(table, state, *faces[0])
            groups.append(OutcomeGroup(tuple(faces), weight, to, net, settled))
        self.outcome_groups.append(tuple(groups))
        return added, _make_branches(groups)

    def _group_outcomes(self, table: Table) -> list[_EqualThrows]:
        """Return (faces, weight) for each group of rolls with the same total and effect on bets.

        ``faces`` lists the rolls of a group as pairs of dice.
        """
        slugs = tuple(table.playing[0].wagers)
        if (table.point, slugs) not in self.groups:
            tables = [self.layout.spots[slug].list_outcome_keys(table.point) for slug in slugs]
            alike: dict[object, _EqualThrows] = {}
            for index, faces in enumerate(OUTCOMES):
                key = sum(faces), tuple([rows[index] for rows in tables])
                others, before = alike.get(key, ([], 0))
                alike[key] = [*others, faces], before + self.setup.dice.weights[index]
            self.groups[table.point, slugs] = list(alike.values())
        return self.groups[table.point, slugs]

    def _roll(
        self, table: Table, state: State, first: int, second: int
    ) -> tuple[int, int, tuple[Settlement, ...]]:
        """Return (next state or DECIDED, net in cents if decided, settlements) for a roll."""
        rolled = find_roll_event(table, first, second)
        own = [s for s in rolled.settlements if s.player == PLAYER]
        wagers = table.playing[0].wagers
        left = apply_settlements(wagers, own) if own else wagers
        watched = [s for s in own if s.wager not in self.setup.unwatched]
        if any(s.result != "travel" for s in watched):
            self.paid = max(self.paid, sum(s.paid for s in watched))
            self.cost = max(self.cost, sum(map(find_house_cost, watched)))
            slugs = dict.fromkeys(s.wager for s in watched)
            net = sum(find_net(slug, wagers[slug], left, watched) for slug in slugs)
            return DECIDED, net, tuple(watched)
        after = State(
            puck=state.puck if self.setup.puck_stays else rolled.puck,
            wagers=sort_wagers(left),
            made=frozenset(rolled.made),
            thrown=frozenset(rolled.thrown),
            riding=frozenset(rolled.riding),
            tallies=() if rolled.tallies is UNSET else rolled.tallies,
        )
        return self.number(after), 0, tuple(watched)


def find_roll_event(table: Table, first: int, second: int) -> Rolled:
    """Return the Rolled event of the dice ``first`` and ``second``. The table needs a shooter."""
    answer = decide(table, cmd.Roll(first, second))
    assert not isinstance(answer, Refusal), answer
    return next(event for event in answer if isinstance(event, Rolled))


def find_house_cost(done: Settlement) -> int:
    """Return what a settlement costs the house in cents; negative if the house gains.

    A bet that only travels to a number costs nothing.
    """
    return 0 if done.to is not None else done.back + done.left - done.stake


def find_net(wager: str, before: Stake, left: Wagers, settled: Sequence[Settlement]) -> int:
    """Return what the bet ``wager`` has won (or lost, if negative) by a roll, in cents.

    ``before`` is the bet before the roll, and ``left`` are the bets up after it. The net is the
    amount returned plus the amount still up, less the amount up before. Prepaid vigorish counts as
    part of both amounts that are up.
    """
    after = left.get(wager)
    still_up = after.amount + after.vig if after is not None else 0
    back = sum(done.back for done in settled if done.wager == wager)
    return back + still_up - before.amount - before.vig


def find_canonical_state(layout: Layout, state: State) -> State:
    """Return one state that stands for all in which a bet such as fire has the same future.

    Only the totals that the bet needs matter. Where the bet treats 4 and 10 (or another pair
    equally far from seven) alike, it does not matter which one was collected. With any other bets
    up, return ``state`` itself.
    """
    gathering = [layout.spots[slug].rule for slug, _ in state.wagers]
    rules = [rule for rule in gathering if isinstance(rule, Collect)]
    if len(rules) != 1 or len(state.wagers) != 1 or rules[0].reads_doubles:
        return state
    needs = [set(rules[0].needs.value)]
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
    """Return (made, thrown, puck) with the total ``high`` renamed to ``low``, if nothing is lost.

    ``high`` is as likely as ``low``. Rename it if only ``high`` was collected, or if neither was
    and the puck is on ``high``.
    """
    pair = {low, high}
    got = (made | thrown) & pair
    other = {low: high, high: low}
    if got == {high} or (got != {low} and puck == high):
        made = frozenset(other.get(n, n) for n in made)
        thrown = frozenset(other.get(n, n) for n in thrown)
        puck = other.get(puck, puck)
    return made, thrown, puck


def weigh_points_set(layout: Layout, dice: Dice = FAIR) -> dict[int, int]:
    """Return a dict from each point to the weight of the come-out rolls that set it.

    With fair dice, the weights are out of 36.
    """
    table = add_shooter_bet(build_table(layout, State()))
    weights: Counter[int] = Counter()
    for faces, weight in zip(OUTCOMES, dice.weights, strict=True):
        weights[find_roll_event(table, *faces).puck] += weight
    return {puck: weight for puck, weight in sorted(weights.items()) if puck and weight}
