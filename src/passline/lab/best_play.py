"""Find the bets with the best chance of reaching a goal before ruin, using only a menu of wagers.

Between two throws a player may make, change or take down any bets on the menu, as the house allows.
Amounts are whole units, or the smallest above them that the house takes. The goal counts the rail
after every bet that may come down is down. A player with no bets who cannot make one is ruined;
never reaching goal or ruin counts as failing. Money is in cents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from itertools import combinations, permutations
from math import gcd
from typing import Any, NamedTuple

import msgspec
import numpy as np

from passline.game.dice.dice import FAIR, Dice
from passline.game.house.house import House, describe_elections
from passline.game.house.load import as_house
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Refusal
from passline.game.layout.wager_checks import find_spot
from passline.game.money.amounts import show_dollars, to_dollars
from passline.game.words.refusals import describe_refusal
from passline.game.words.wagers import layout_name
from passline.lab.exact.goal_solver import (
    GoalProblem,
    PolicyArray,
    evaluate_policy,
    evaluate_policy_within,
    find_upper_bound,
    list_reached_states,
    solve_goal,
    solve_goal_within,
)
from passline.lab.exact.line_solver import LineSolver
from passline.lab.machines.arrays import FloatArray, IntArray
from passline.lab.machines.betting_choices import (
    BettingChoices,
    ChosenLayout,
    OpenBets,
    TooManyChoices,
    find_bet_worths,
    sum_bet_worths,
)
from passline.lab.machines.line_game import LineGame, NotALineGame, build_line_game
from passline.lab.machines.next_states import State
from passline.lab.results import LabResult, ResultTable, show_percent
from passline.lab.strategies.policy import Policy, PolicyBet, PolicyRow, to_policy_bets
from passline.text import join_words

#: Menu words that name several wagers at once, by shape or by family.
DEFAULT_MENU = ("line", "odds", "place", "field")
_PLACE_FAMILY = "place-win"


class MenuError(ValueError):
    """Raised for a menu that cannot be used. The message is one line that says why."""


def read_menu(layout: Layout, words: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the slugs of the wagers that ``words`` name, in the layout's order.

    Without words, return the default menu. ``line`` and ``odds`` name all such wagers (odds only
    behind wagers on the menu), and a family such as ``place`` or ``hard`` names all its numbers.
    Raise MenuError for a wager that the house does not deal.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.layout.compile import compile_layout
    >>> read_menu(compile_layout(house_for("iowa")), ["place-6", "pass", "odds"])
    ('pass', 'pass-odds', 'place-win-6')
    """
    names = ["-".join(word.lower().replace("'", "").split()) for word in words]
    if not words:  # the words of the default menu that name wagers dealt here
        names = [w for w in DEFAULT_MENU if w == "odds" or any(_slugs_in_family(layout, w))]
    if not names or not all(names):
        raise MenuError("a menu is names of wagers with commas between them, such as pass,odds")
    found = {slug for word in names if word != "odds" for slug in _find_slugs(layout, word)}
    if "odds" in names:
        behind = {s for s, spot in layout.spots.items() if _is_odds_behind(layout, spot, found)}
        if not behind and words:
            raise MenuError("odds: nothing else on the menu takes odds behind it")
        found |= behind
    for slug in found:
        spot = layout.spots[slug]
        if spot.is_odds and not _is_odds_behind(layout, spot, found):
            first = layout_name(spot.flat)
            raise MenuError(f"{layout_name(slug)} goes behind {first}: put that on the menu too")
        if spot.rule.is_collect:
            raise MenuError(
                f"{layout_name(slug)} collects totals over a whole hand: leave it off the menu"
            )
    return tuple(sorted(found, key=lambda slug: layout.spots[slug].rank))


def _find_slugs(layout: Layout, word: str) -> list[str]:
    spot = layout.spot(word) or layout.spot(word.replace("place-", f"{_PLACE_FAMILY}-", 1))
    if spot is not None and spot.only_travels:
        first = layout_name(layout.spots[spot.slug].kind)
        raise MenuError(f"{layout_name(spot.slug)} is not bet directly: put {first} on the menu")
    named = [spot.slug] if spot is not None else list(_slugs_in_family(layout, word))
    if named:
        return named
    refusal = find_spot(layout, layout.slug(word))
    near = [layout_name(each) for each in get_close_matches(word, layout.spots, 2)]
    if isinstance(refusal, Refusal) and (refusal.code != "not-a-wager" or not near):
        raise MenuError(f"{describe_refusal(refusal)} [{refusal.cite}]: leave it off the menu")
    raise MenuError(f"{word[:60]} is not a wager here: did you mean {' or '.join(near)}?")


def _slugs_in_family(layout: Layout, word: str) -> Iterable[str]:
    kind = _PLACE_FAMILY if word == "place" else word
    for slug, spot in layout.spots.items():
        shape = word == "line" and spot.rule.is_line
        if (shape or kind in (spot.kind, spot.family)) and not spot.only_travels:
            yield slug


def _is_odds_behind(layout: Layout, spot: Spot, menu: set[str]) -> bool:
    """Return whether ``spot`` is an odds wager behind a wager on the menu.

    The wager on the menu may be the flat bet or one that becomes it, as a come bet does.
    """
    if not spot.is_odds:
        return False
    flat = layout.spots[spot.flat]
    return flat.slug in menu or any(layout.spots[s].family == flat.family for s in menu)


class OpeningPlay(NamedTuple):
    """The best first bets from one rail (cents) with the puck off, and their chance of success."""

    rail: int
    chance: float
    lay: tuple[PolicyBet, ...]


class BestPlayResult(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """The best chance of reaching a goal (cents), and a policy: what to bet in each state.

    If the best chance is not known, ``chance`` is None. It is then between ``low``, the chance of
    the policy, and ``high``; ``advice`` says what would bring these bounds closer. ``choices`` is
    the number of bet combinations that were searched. ``alone`` has the best chance with each
    single wager and its odds, if known. ``openings`` has the chance from other rails.
    ``optimality_gap`` is how much better other bets could be at most, without a limit of rolls.
    """

    house: House
    goal: int
    bankroll: int
    unit: int
    menu: tuple[str, ...]
    rolls: int | None
    chance: float | None
    low: float | None = None
    high: float | None = None
    advice: tuple[str, ...] = ()
    optimality_gap: float | None = None
    method: str
    policy: Policy
    states: int
    choices: int
    alone: tuple[tuple[str, float], ...] = ()
    openings: tuple[OpeningPlay, ...] = ()

    def headline(self) -> str:
        """Return the best chance in one line."""
        goal, bankroll = show_dollars(self.goal), show_dollars(self.bankroll)
        ends = f"within {self.rolls:,} rolls" if self.rolls else "before ruin"
        if self.chance is not None:
            chance = show_percent(self.chance)
        else:
            chance = f"{show_percent(self.low or 0.0)} to {show_percent(self.high or 1.0)}"
        return f"{goal} from {bankroll} {ends}: {chance} at best, with {_name_menu(self.menu)}"

    def to_table(self) -> ResultTable:
        """Return a table of the chance and the opening bets for each rail."""
        rows = [(one.rail, one.chance, show_policy_bets(one.lay)) for one in self.openings]
        return ResultTable(
            columns={"rail": "money", "chance": "share", "lay": "words"},
            records=rows,
            x_column="rail",
            y_column="chance",
            as_line=True,
        )


def show_policy_bets(wagers: tuple[PolicyBet, ...]) -> str:
    """Return bets as text, each by its name and dollars.

    >>> show_policy_bets((PolicyBet("pass", 1000), PolicyBet("field", 500)))
    'pass $10, field $5'
    """
    return ", ".join(f"{w.wager} {show_dollars(w.amount)}" for w in wagers)


def build_goal_problem(
    choices: BettingChoices, bankroll: int, whole: int
) -> tuple[GoalProblem, int, int]:
    """Return (problem, base, step): the choices of bets as arrays, and their scale in cents.

    Level k of the problem is a rail of ``base`` + k ``step`` cents. Every change of the rail is a
    whole number of steps. ``whole`` is the total weight of the dice outcomes.
    """
    for layouts in choices.layouts:
        layouts.sort(key=lambda choice: choice.cost)  # stable: equal costs keep their order
    every = [choice for layouts in choices.layouts for choice in layouts]
    step = gcd(*(s.cost for s in every), *(arc.money for s in every for arc in s.arcs))
    step = step or choices.most + 1
    base, goal = bankroll % step, choices.most + 1
    top = np.array([(top - base) // step if top >= 0 else -1 for top in choices.max_rail], np.int64)
    arcs = [arc for choice in every for arc in choice.arcs]
    problem = GoalProblem(
        offset=_cumulative_offsets(top + 1)[:-1],
        max_level=top,
        goal=np.array([-((base + gain - goal) // step) for gain in choices.gain], np.int64),
        choice_start=_cumulative_offsets([len(layouts) for layouts in choices.layouts]),
        idle_choice=_waiting_moves(choices),
        need=np.array([max(0, -((base - choice.cost) // step)) for choice in every], np.int64),
        branch_start=_cumulative_offsets([len(choice.arcs) for choice in every]),
        branch_place=np.array([arc.next for arc in arcs], np.int64),
        branch_shift=np.array(
            [(arc.money - choice.cost) // step for choice in every for arc in choice.arcs], np.int64
        ),
        branch_chance=np.array([arc.weight / whole for arc in arcs]),
    )
    return problem, base, step


def _waiting_moves(choices: BettingChoices) -> IntArray:
    """Return, for each table state, the number of the choice that changes no bets, or -1.

    A state here is the puck and the bets that must stay.
    """
    found, first = [], 0
    for state, layouts in zip(choices.places, choices.layouts, strict=True):
        found += [first + n for n, choice in enumerate(layouts) if choice.wagers == state.wagers]
        found += [-1] if not layouts else []
        first += len(layouts)
    return np.array(found, np.int64)


def _cumulative_offsets(lengths: list[int] | IntArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(np.asarray(lengths, np.int64))]).astype(np.int64)


#: Limits: transitions in one pass over all states, transitions in all passes, rolls for which
#: choices are stored, and stored choices (states times rolls).
_MAX_SWEEP_WORK, _MAX_TOTAL_WORK = 3 * 10**8, 2 * 10**10
_MAX_STORED_ROLLS, _MAX_STORED_PICKS = 5_000, 3 * 10**7
#: A play is called the best if no other is proved to be better by more than this chance: half a
#: unit of the last digit that is printed (49.851313%).
_OPTIMALITY_TOLERANCE = 5e-9

#: Called now and then with a count: first of layouts found, then of passes over all states.
BestPlayProgress = Callable[[int], None]


class GoalRequest(NamedTuple):
    """The goal, bankroll, rolls and dice of a problem, without the menu and the unit.

    ``rolls`` is 0 if there is no limit. With ``calls``, bets may be called on and off. ``watch``
    reports progress.
    """

    layout: Layout
    goal: int
    bankroll: int
    rolls: int
    calls: bool
    dice: Dice
    watch: BestPlayProgress | None


class MenuSolution(NamedTuple):
    """The best bets from one menu in every state, and their chance of reaching the goal.

    Level k of ``problem`` is a rail of ``base`` + k ``step`` cents. ``plays[k]`` has the choices
    with k + 1 rolls left; a single entry is for any number. ``values`` are the chances from every
    state. ``high`` is an upper bound on the chance of any choices, if it is above ``chance``.
    ``optimality_gap`` bounds how much better other choices might be; None if it was not computed.
    ``opening_levels`` are the levels with the puck off and nothing up whose chance is
    known; None: all.
    """

    menu: tuple[str, ...]
    unit: int
    chance: float
    choices: BettingChoices
    problem: GoalProblem
    base: int
    step: int
    plays: list[PolicyArray]
    values: FloatArray
    high: float | None = None
    optimality_gap: float | None = None
    opening_levels: tuple[int, ...] | None = None


def solve_menu(
    request: GoalRequest, menu: tuple[str, ...], unit: int, states: int, *, sure: bool = False
) -> MenuSolution:
    """Return the best bets from one menu, in whole ``unit`` cents.

    With ``sure``, also bound how much better other bets might be. Raise TooManyChoices for more
    than ``states`` combinations of bets, or for a problem that takes too much work.
    """
    choices = _make_choices(request, menu, unit)
    choices.walk(states, request.watch)
    problem, base, step = build_goal_problem(choices, request.bankroll, request.dice.whole)
    if problem.work > _MAX_SWEEP_WORK:
        raise TooManyChoices
    rolls, level = request.rolls, (request.bankroll - base) // step
    start = int(problem.offset[0]) + level
    high = optimality_gap = None
    work = max(
        rolls / _MAX_STORED_ROLLS,
        rolls * problem.states / _MAX_STORED_PICKS,
        rolls * problem.work / _MAX_TOTAL_WORK,
    )
    if rolls and work <= 1:
        values, plays = solve_goal_within(problem, rolls, request.watch)
    else:
        solution = solve_goal(problem, request.watch)
        values, plays = solution.values, [solution.policy]
        top = _find_top(request, choices, problem, values, (level, step)) if sure else None
        if top is not None and top - values[start] <= _OPTIMALITY_TOLERANCE and not rolls:
            optimality_gap = top - float(values[start])
        elif sure or rolls:
            high = 1.0 if top is None else top
        if rolls:
            # This policy's value is a lower bound; the value without a limit is an upper bound.
            values = evaluate_policy_within(problem, solution.policy, rolls)
    chance = float(values[start])
    return MenuSolution(
        menu=menu,
        unit=unit,
        chance=min(chance, 1.0),
        choices=choices,
        problem=problem,
        base=base,
        step=step,
        plays=plays,
        values=values,
        high=high,
        optimality_gap=optimality_gap,
    )


def _make_choices(request: GoalRequest, menu: tuple[str, ...], unit: int) -> BettingChoices:
    return BettingChoices(
        request.layout,
        menu,
        unit,
        request.goal - 1,
        request.dice,
        request.calls,
        steps=not request.rolls,
    )


class PlaceSearch:
    """Find the best play of a menu by exploring only the places that good plays lead to.

    It is for problems without a limit of rolls, in which no bet favors the player. Then nobody
    reaches the goal with a chance above (rail + what the bets are worth) / goal. A place that is
    not explored counts as worth that much, so the best chance is never above that of this relaxed
    problem. Each round solves the relaxed problem, and explores the places that its best play leads
    to from the bankroll. If they were all explored before, that play is the best of all.

    ``play`` is the best play once it is found. ``fails`` is whether the search cannot go on: some
    bet favors the player, or the problem is too large (``too_large``).
    """

    def __init__(self, request: GoalRequest, menu: tuple[str, ...], unit: int, states: int) -> None:
        self._request, self._menu, self._unit, self._states = request, menu, unit, states
        self._choices = _make_choices(request, menu, unit)
        self._worths = None if request.rolls else find_bet_worths(self._choices, request.dice)
        self._explored = {0}
        self.play: MenuSolution | None = None
        self.fails = self._worths is None
        self.too_large = False
        #: What ``find_upper_bound`` takes, of the last round.
        self._last: tuple[GoalProblem, FloatArray, int, FloatArray] | None = None

    def find_high(self) -> float:
        """Return an upper bound on the chance of every play: that of the last relaxed problem."""
        if self._last is None:
            return 1.0
        problem, values, level, worths = self._last
        return find_upper_bound(problem, values, 0, level, worths) or 1.0

    def run(self, rounds: int) -> None:
        """Search for ``rounds`` more rounds, or until the best play is found."""
        for _ in range(rounds):
            if self.fails or self.play is not None:
                return
            try:
                self._choices.walk(self._states, self._request.watch, self._explored)
            except TooManyChoices:
                self.fails = self.too_large = True
                return
            self._solve_round()

    def _solve_round(self) -> None:
        request, choices = self._request, self._choices
        problem, base, step = build_goal_problem(choices, request.bankroll, request.dice.whole)
        if problem.work > _MAX_SWEEP_WORK:
            self.fails = self.too_large = True
            return
        ends = self._value_unexplored(problem, base, step)
        solution = solve_goal(problem, request.watch, ends)
        level = (request.bankroll - base) // step
        self._last = problem, solution.values, level, self._worths_by_place() / step
        reached = list_reached_states(problem, solution.policy, level)
        found = {place for place, _ in reached} - self._explored
        if found:
            self._explored |= found
            return
        values = evaluate_policy(problem, solution.policy)
        top, chance = self.find_high(), float(values[int(problem.offset[0]) + level])
        if top - chance > _OPTIMALITY_TOLERANCE:
            self.fails = True
            return
        self.play = MenuSolution(
            menu=self._menu,
            unit=self._unit,
            chance=min(chance, 1.0),
            choices=choices,
            problem=problem,
            base=base,
            step=step,
            plays=[solution.policy],
            values=values,
            optimality_gap=top - chance,
            opening_levels=tuple(sorted(k for place, k in reached if place == 0)),
        )

    def _worths_by_place(self) -> FloatArray:
        """Return the most cents that can be expected back from the bets of each place."""
        assert self._worths is not None
        return np.array([sum_bet_worths(self._worths, state) for state in self._choices.places])

    def _value_unexplored(self, problem: GoalProblem, base: int, step: int) -> FloatArray:
        """Return, for each state of a place that is not explored, a bound on the chance from there.

        The value of all other states is 0.
        """
        places = np.repeat(np.arange(len(problem.offset)), problem.max_level + 1)
        rail = base + (np.arange(problem.states) - problem.offset[places]) * step
        bound = np.minimum((rail + self._worths_by_place()[places]) / self._request.goal, 1.0)
        explored = np.isin(places, list(self._explored))
        return np.where(explored, 0.0, bound)


#: The largest goal, in levels of the rail, for a line game with bets beside line bets and odds.
_MAX_LEVELS_WITH_PLACES = 300
#: The first and the largest part of the goal that a line bet may lose on average in a line game.
_FIRST_LOSS, _MOST_LOSS = 1 / 320, 1 / 20


def _solve_line_game(request: GoalRequest, menu: tuple[str, ...], unit: int) -> MenuSolution | None:
    """Return the best play of line bets and bets that come down for free; None for another menu.

    If it is not proved to be the best, ``high`` bounds the chance of any other. Raise
    TooManyChoices if there are too many states, with place bets or the like in each.
    """
    loss = request.goal * _FIRST_LOSS
    while not request.rolls and loss <= request.goal * _MOST_LOSS:
        choices = _make_choices(request, menu, unit)
        try:
            game = build_line_game(choices, request.bankroll, loss)
        except NotALineGame:
            return None
        if menu != _list_line_bets(request.layout, menu) and game.goal > _MAX_LEVELS_WITH_PLACES:
            raise TooManyChoices
        solver = LineSolver(game, request.goal, loss, request.watch)
        if not solver.favors_nobody():
            return None
        solver.solve()
        if solver.proved:
            return _record_play(request, menu, unit, game, solver)
        loss *= 2
    return None


def _record_play(
    request: GoalRequest, menu: tuple[str, ...], unit: int, game: LineGame, solver: LineSolver
) -> MenuSolution:
    """Return the play that a solver chose, its chance worked out anew from the engine's layouts."""
    choices = _make_choices(request, menu, unit)
    picks: dict[tuple[int, int], OpenBets] = {}
    waiting = [(State(), request.bankroll)]
    choices.add_layout(State(), (), choices.most)
    while waiting:
        state, rail = waiting.pop()
        wagers = solver.choose(state.puck, state.wagers, rail)
        choices.add_layout(state, state.wagers, rail)
        chosen = choices.add_layout(state, wagers, rail)
        picks[choices.numbers[state], rail] = wagers
        for arc in chosen.arcs:
            then = rail - chosen.cost + arc.money
            known = (arc.next, then) in picks
            if not known and then + choices.gain[arc.next] < request.goal:
                picks[arc.next, then] = ()
                waiting.append((choices.places[arc.next], then))
    problem, base, step = build_goal_problem(choices, request.bankroll, request.dice.whole)
    policy: PolicyArray = np.full(problem.states, -1, np.int32)
    for (place, rail), wagers in picks.items():
        layouts = [one.wagers for one in choices.layouts[place]]
        level = (rail - base) // step
        policy[problem.offset[place] + level] = problem.choice_start[place] + layouts.index(wagers)
    values = evaluate_policy(problem, policy)
    level = (request.bankroll - base) // step
    chance = float(values[int(problem.offset[0]) + level])
    high = solver.find_upper_bound((request.bankroll - game.base) // game.step)
    exact = high - chance <= _OPTIMALITY_TOLERANCE
    return MenuSolution(
        menu=menu,
        unit=unit,
        chance=min(chance, 1.0),
        choices=choices,
        problem=problem,
        base=base,
        step=step,
        plays=[policy],
        values=values,
        high=None if exact else high,
        optimality_gap=max(0.0, high - chance) if exact else None,
        opening_levels=tuple(sorted((rail - base) // step for place, rail in picks if not place)),
    )


def _find_top(
    request: GoalRequest,
    choices: BettingChoices,
    problem: GoalProblem,
    values: FloatArray,
    start: tuple[int, int],
) -> float | None:
    """Return an upper bound on the chance of reaching the goal with any bets, or None.

    ``start`` is (level of the bankroll, cents in one level).
    """
    level, step = start
    worths = find_bet_worths(choices, request.dice)
    if worths is None:
        return find_upper_bound(problem, values, 0, level)
    by_place = np.array([sum_bet_worths(worths, state) / step for state in choices.places])
    return find_upper_bound(problem, values, 0, level, by_place)


def list_openings(play: MenuSolution) -> tuple[OpeningPlay, ...]:
    """Return the chance and the best first bets for each rail, with the puck off and no bets up.

    If only some places were explored, these are the rails that the play comes to.
    """
    first, found = int(play.problem.offset[0]), []
    levels = play.opening_levels
    for level in range(int(play.problem.max_level[0]) + 1) if levels is None else levels:
        value = min(float(play.values[first + level]), 1.0)
        lay = _find_pick(play, play.plays[-1], 0, level)[0].wagers if value else ()
        found.append(OpeningPlay(play.base + level * play.step, value, to_policy_bets(lay)))
    return tuple(found)


def _find_pick(
    play: MenuSolution, picks: PolicyArray, place: int, level: int
) -> tuple[ChosenLayout, int]:
    """Return (layout, level): the bets that a solution chooses, and the rail before them.

    ``picks`` has the number of the choice for each state. ``place`` is the number of a table state,
    and ``level`` counts the chips in the rail. A choice may be a step, which changes one bet and
    leads to another choice before the roll; follow steps to their end. If no choice can reach the
    goal, return the cheapest bets.
    """
    while True:
        layouts = play.choices.layouts[place]
        pick = int(picks[play.problem.offset[place] + level])
        if pick < 0:
            return next(one for one in layouts if not one.step), level
        chosen = layouts[pick - int(play.problem.choice_start[place])]
        if not chosen.step:
            return chosen, level
        (arc,) = chosen.arcs
        place, level = arc.next, level + (arc.money - chosen.cost) // play.step


def _list_policy_rows(request: GoalRequest, play: MenuSolution) -> list[PolicyRow]:
    """Return the rows of the policy: what to bet in each state that can be reached from the start.

    With a limit of rolls there are rows for each number of rolls left, unless the bets are the same
    for all. States with a point on and no bets are included if waiting leads to them, for a player
    who joins during a hand.
    """
    choices, problem = play.choices, play.problem
    ends = request.rolls if play.high is None else 0
    first = (ends, 0, (request.bankroll - play.base) // play.step)
    seen, waiting = {first}, [first]
    found: list[PolicyRow] = []
    while waiting:
        rolls, place, level = waiting.pop()
        choice, paid_from = _find_pick(play, play.plays[max(0, rolls - 1)], place, level)
        state, rail = choices.places[place], play.base + level * play.step
        found.append(
            PolicyRow(
                puck=state.puck,
                rail=rail,
                up=to_policy_bets(state.wagers),
                lay=to_policy_bets(choice.wagers),
                leaves=play.base + paid_from * play.step - choice.cost,
                rolls=rolls,
                lost=bool(play.plays[max(0, rolls - 1)][problem.offset[place] + level] < 0),
            )
        )
        for arc in choice.arcs:
            then = paid_from + (arc.money - choice.cost) // play.step
            onward = (rolls - 1 if rolls else 0, arc.next, then)
            over = then >= problem.goal[arc.next] or rolls == 1
            if not over and onward not in seen:
                seen.add(onward)
                waiting.append(onward)
    return sorted(found, key=lambda row: (-row.rolls, row.puck, len(row.up), -row.rail))


#: The most layouts that are explored. If there are more, the result has bounds only.
MAX_STATES = 250_000
#: The most rolls that a goal may take.
MAX_ROLLS = 10**6

EXACT_METHOD = "exact, by dynamic programming in doubles"
_ALREADY_AT_GOAL = "nothing to play: it is there"
_CANNOT_BET = "nothing to play: no wager is possible"
_FAIR_BOUND = "bankroll / goal, since no wager favors the player"


def find_best_play(
    house: House | str,
    goal: int,
    bankroll: int,
    *,
    rolls: int | None = None,
    menu: Sequence[str] = (),
    unit: int | None = None,
    states: int = MAX_STATES,
    calls: bool = False,
    dice: Dice = FAIR,
    watch: BestPlayProgress | None = None,
) -> BestPlayResult:
    """Return the best chance of reaching ``goal`` from ``bankroll`` (cents), with its bets.

    ``rolls`` limits the number of rolls; None means no limit. Another player shoots, and the puck
    starts off. ``menu`` names the wagers to use; by default the line, odds, place wagers and the
    field. ``unit`` is the step between bets in cents, by default the table minimum. With ``calls``,
    wagers may also be called on and off. Beyond ``states`` combinations of bets, the result has
    bounds instead of the best chance. Raise ValueError (message of one line) for input that
    makes no sense.

    >>> found = find_best_play("new-jersey", 2000, 1000, menu=["field"])
    >>> round(found.chance, 12), found.method
    (0.444444444444, 'exact, by dynamic programming in doubles')
    """
    house = as_house(house)
    layout = compile_layout(house)
    unit = house.minimum if unit is None else unit
    _check_amounts(house, goal, bankroll, unit, rolls)
    slugs = read_menu(layout, menu)
    request = GoalRequest(
        layout=layout,
        goal=goal,
        bankroll=bankroll,
        rolls=rolls or 0,
        calls=calls,
        dice=dice,
        watch=watch,
    )
    if goal <= bankroll or bankroll < unit:
        chance, why = (1.0, _ALREADY_AT_GOAL) if goal <= bankroll else (0.0, _CANNOT_BET)
        return _make_result(request, slugs, unit, chance=chance, method=why)
    play, high = _solve_whole_menu(request, slugs, unit, states)
    part = None
    if (play is None or play.high is not None) and (lines := _list_line_bets(layout, slugs)):
        part = _solve_line_game(request, lines, unit) if lines != slugs else None
    if play is not None or part is not None:
        plays = _solve_parts(request, slugs, unit, states // 10, pairs=False)
        plays += [part] if part is not None else []
    else:
        plays = _solve_parts(request, slugs, unit, states, pairs=True)
    single = _list_alone(request, slugs, plays)
    if play is not None and play.high is None:
        return _make_result(request, slugs, unit, play, alone=single)
    return _bound_result(request, slugs, unit, states, play, plays, high)


#: The rounds of a search before all places are explored, and after that was too much.
_FIRST_ROUNDS, _MORE_ROUNDS = 12, 60


def _solve_whole_menu(
    request: GoalRequest, menu: tuple[str, ...], unit: int, states: int
) -> tuple[MenuSolution | None, float]:
    """Return (play, high): the best play of the whole menu, and a bound on the chance of any play.

    The play is None if the menu leads to too many layouts. A small problem is solved as a whole.
    Otherwise search first for a play that needs few of the places.
    """
    play = _try_menu(request, menu, unit, states // 10, sure=True)
    if play is not None:
        return play, 1.0
    try:
        play = _solve_line_game(request, menu, unit)
    except TooManyChoices:
        return None, 1.0
    if play is not None:
        return play, 1.0
    search = PlaceSearch(request, menu, unit, states)
    search.run(_FIRST_ROUNDS)
    if search.play is None and not search.too_large:
        play = _try_menu(request, menu, unit, states, sure=True)
    if play is None:
        search.run(_MORE_ROUNDS)
    return (play or search.play), search.find_high()


def _bound_result(
    request: GoalRequest,
    menu: tuple[str, ...],
    unit: int,
    states: int,
    play: MenuSolution | None,
    plays: list[MenuSolution],
    high: float,
) -> BestPlayResult:
    """Return a result with bounds on the best chance, and the best bets that were found.

    ``play`` is the solution of the whole menu, not proved to be the best; None if it was not
    solved. ``plays`` are solutions with a part of the menu or larger units. No play is above
    ``high``.
    """
    fair = _favors_nobody(request, menu, unit)
    top = request.bankroll / request.goal if fair else 1.0
    if play is not None:
        plays = [play, *plays]
    best = max(plays, key=lambda one: one.chance, default=None)
    above = _FAIR_BOUND if fair else "nothing better than 1"
    if play is not None and play.high is not None:
        high = min(high, play.high)
    if high < min(top, 1.0):
        top, above = high, "what no play is above, proved"
    if best is None:
        how = "no play was found"
    elif best is play and request.rolls:
        how = "low is one play for any number of rolls to go, exact"
        above += " without an end" if top == high else ""
    elif best is play:
        how = "low is the play that was found, exact"
    else:
        units = f"in units of {show_dollars(best.unit)}"
        how = f"low is the best play with {_name_menu(best.menu)} {units}, exact"
    alone = _list_alone(request, menu, plays)
    result = _make_result(
        request, menu, unit, best, alone=alone, method=f"bounds: {how}; high is {above}"
    )
    low = result.policy.chance
    return msgspec.structs.replace(
        result,
        chance=None,
        low=low,
        high=max(top, low),
        advice=_advise(request, menu, unit, states, play is None),
    )


def _advise(
    request: GoalRequest, menu: tuple[str, ...], unit: int, states: int, too_large: bool
) -> tuple[str, ...]:
    """Return options that would bring the bounds closer, such as "a larger unit (--unit 20)".

    ``too_large`` says that the whole menu was too large to solve.
    """
    if not too_large:
        return ("fewer rolls (--rolls)",) if request.rolls else ("a larger unit (--unit)",)
    found = [f"more layouts (--states {states * 10})"]
    if unit * 2 <= request.bankroll:
        found.append(f"a larger unit (--unit {to_dollars(unit * 2)})")
    if len(_list_groups(request.layout, menu)) > 1:
        found.append("fewer wagers (--menu)")
    return tuple(found)


def _check_amounts(house: House, goal: int, bankroll: int, unit: int, rolls: int | None) -> None:
    for what, cents in (("goal", goal), ("bankroll", bankroll), ("unit", unit)):
        if cents <= 0:
            raise ValueError(f"a {what} of {show_dollars(cents)}: expected more than zero")
        if cents % house.chip:
            chip = show_dollars(house.chip)
            raise ValueError(f"a {what} of {show_dollars(cents)} is not in whole chips of {chip}")
    if rolls is not None and not 1 <= rolls <= MAX_ROLLS:
        raise ValueError(f"{rolls} rolls: expected 1 to {MAX_ROLLS:,}")


def _list_groups(layout: Layout, menu: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the menu in groups: each wager that is not odds, with the odds behind it."""
    spots, groups = layout.spots, []
    for slug in menu:
        if not spots[slug].is_odds:
            family = spots[slug].family
            own = {s for s in menu if spots[s].flat and spots[spots[s].flat].family == family}
            groups.append(tuple(s for s in menu if s == slug or s in own))
    return groups


def _list_line_bets(layout: Layout, menu: tuple[str, ...]) -> tuple[str, ...]:
    """Return the line bets of a menu and the odds behind them."""
    lines = {slug for slug in menu if layout.spots[slug].rule.is_line}
    return tuple(slug for slug in menu if {slug, layout.spots[slug].flat} & lines)


#: The most groups of a menu of which every part is tried. Of larger menus, only parts of two groups
#: are tried. There are many of them, so each gets a part of the layouts: one in ten.
_MAX_GROUPS_FOR_ALL_PARTS, _PAIR_SHARE = 4, 10


def _solve_parts(
    request: GoalRequest, menu: tuple[str, ...], unit: int, states: int, *, pairs: bool
) -> list[MenuSolution]:
    """Return the best bets from each part of the menu that is small enough to solve.

    A part is one group of ``_list_groups``. It is small enough with at most ``states`` combinations
    of bets. Try a larger group without its odds, and in larger units. With ``pairs``, also try
    parts of two groups (of a small menu: all parts) and the whole menu in larger units. A player of
    the whole menu may make the same bets, so each chance is a lower bound.
    """
    groups = _list_groups(request.layout, menu)
    plays: list[MenuSolution] = []
    solved: dict[frozenset[tuple[str, ...]], MenuSolution] = {}
    for group in groups:
        # The whole menu was too large, or is solved.
        whole = None if group == menu else _solve_group(request, group, unit, states)
        if whole is not None:
            solved[frozenset({group})] = whole
        elif len(group) > 1 and (pairs or group != menu):
            first = _try_menu(request, group[:1], unit, states)
            plays += [first] if first else _solve_in_larger_units(request, group[:1], unit, states)
            if group != menu:
                plays += _solve_in_larger_units(request, group, unit, states)
    if not pairs:
        return [*solved.values(), *plays]
    all_parts = len(groups) <= _MAX_GROUPS_FOR_ALL_PARTS
    most, part_states = (len(groups) - 1, states) if all_parts else (2, states // _PAIR_SHARE)
    for size in range(2, most + 1):
        for some in combinations(groups, size):
            smaller = [frozenset(part) for part in combinations(some, size - 1)]
            if not all(part in solved for part in smaller):
                continue  # A part of it is too large already.
            if _count_layouts(solved, some) > part_states:
                continue
            part = tuple(slug for slug in menu if any(slug in group for group in some))
            if (found := _try_menu(request, part, unit, part_states)) is not None:
                solved[frozenset(some)] = found
    plays += _solve_in_larger_units(request, menu, unit, states // 10)
    return [*solved.values(), *plays]


def _solve_group(
    request: GoalRequest, group: tuple[str, ...], unit: int, states: int
) -> MenuSolution | None:
    """Return the best bets from one wager and its odds, if it is small enough or a line game."""
    play = _try_menu(request, group, unit, states // 10)
    if play is None and len(group) > 1 and (play := _solve_line_game(request, group, unit)):
        play = play if play.high is None else None
    return play or _try_menu(request, group, unit, states)


def _try_menu(
    request: GoalRequest, menu: tuple[str, ...], unit: int, states: int, *, sure: bool = False
) -> MenuSolution | None:
    try:
        return solve_menu(request, menu, unit, states, sure=sure)
    except TooManyChoices:
        return None


def _solve_in_larger_units(
    request: GoalRequest, menu: tuple[str, ...], unit: int, states: int
) -> list[MenuSolution]:
    """Return the best bets from a menu in the smallest of 2, 4, 8, ... units that can be solved."""
    while (unit := unit * 2) <= request.bankroll:
        if (found := _try_menu(request, menu, unit, states)) is not None:
            return [found]
    return []


def _count_layouts(
    solved: dict[frozenset[tuple[str, ...]], MenuSolution], groups: tuple[tuple[str, ...], ...]
) -> int:
    """Return a lower bound on how many combinations of bets the whole menu allows.

    A group is a wager with its odds, solved alone in ``solved``. For each pair of groups, combine
    every choice of the first with every choice of the second that the rest of the rail can buy.
    Return the largest number of combinations.
    """
    most = 0
    for one, other in permutations(groups, 2):
        first, second = solved[frozenset({one})].choices, solved[frozenset({other})].choices
        costs = {
            state.puck: np.sort([choice.cost for choice in layouts])
            for state, layouts in zip(second.places, second.layouts, strict=True)
            if not state.wagers
        }
        count = 0
        for number, state in enumerate(first.places):
            if state.puck in costs:
                left = [first.max_rail[number] - s.cost for s in first.layouts[number]]
                count += int(np.searchsorted(costs[state.puck], left, "right").sum())
        most = max(most, count)
    return most


def _list_alone(
    request: GoalRequest, menu: tuple[str, ...], plays: list[MenuSolution]
) -> tuple[tuple[str, float], ...]:
    """Return (names, chance) for each group of the menu that was solved alone, the best first."""
    firsts = {group[0] for group in _list_groups(request.layout, menu)}
    best: dict[str, MenuSolution] = {}
    for play in plays:
        if play.menu != menu and len(firsts & set(play.menu)) == 1:
            first = play.menu[0]
            if first not in best or play.chance > best[first].chance:
                best[first] = play
    ordered = sorted(best.values(), key=lambda play: -play.chance)
    return tuple((", ".join(map(request.layout.floor, play.menu)), play.chance) for play in ordered)


def _favors_nobody(request: GoalRequest, menu: tuple[str, ...], unit: int) -> bool:
    choices = _make_choices(request, menu, unit)
    try:
        game = build_line_game(choices, request.bankroll, request.goal * _FIRST_LOSS)
        if LineSolver(game, request.goal, request.goal * _FIRST_LOSS).favors_nobody():
            return True
    except NotALineGame:
        pass  # The general proof takes longer.
    return find_bet_worths(choices, request.dice) is not None


def _name_menu(menu: Sequence[str]) -> str:
    return join_words([layout_name(slug) for slug in menu])


def _make_result(
    request: GoalRequest,
    menu: tuple[str, ...],
    unit: int,
    play: MenuSolution | None = None,
    *,
    chance: float = 0.0,
    alone: tuple[tuple[str, float], ...] = (),
    method: str = EXACT_METHOD,
) -> BestPlayResult:
    """Return the result with the choices of ``play``; if it is None, with a policy that never bets.

    ``chance`` is used only if ``play`` is None. ``alone`` has the best chance with each single
    wager.
    """
    house = request.layout.house
    rows = [] if play is None else _list_policy_rows(request, play)
    policy = Policy(
        rulebook=house.book.id,
        game=house.game,
        house=house.name,
        elections=describe_elections(house),
        goal=request.goal,
        bankroll=request.bankroll,
        unit=unit if play is None else play.unit,
        menu=menu if play is None else play.menu,
        calls=request.calls,
        rolls=max((row.rolls for row in rows), default=0),
        chance=chance if play is None else play.chance,
        rows=tuple(rows),
    )
    return BestPlayResult(
        house=house,
        goal=request.goal,
        bankroll=request.bankroll,
        unit=unit,
        menu=tuple(request.layout.floor(slug) for slug in menu),
        rolls=request.rolls or None,
        chance=policy.chance,
        method=method,
        policy=policy,
        optimality_gap=None if play is None else play.optimality_gap,
        states=0 if play is None else play.problem.states,
        choices=0 if play is None else len(play.problem.need),
        alone=alone if len(alone) > 1 else (),
        openings=() if play is None else list_openings(play),
    )


def best_play_json(found: BestPlayResult) -> dict[str, Any]:
    """Return the JSON of ``passline best`` as a dict, with dollars as decimal strings."""
    bounds: dict[str, Any] = {}
    if found.chance is None:
        bounds = {"low": found.low, "high": found.high, "advice": list(found.advice)}
    return {
        "rulebook": found.house.book.id,
        "game": found.house.game,
        "house": found.house.name,
        "goal": to_dollars(found.goal),
        "bankroll": to_dollars(found.bankroll),
        "unit": to_dollars(found.unit),
        "menu": list(found.menu),
        "rolls": found.rolls,
        "chance": found.chance,
        **bounds,
        "sure_to": found.optimality_gap,
        "method": found.method,
        "states": found.states,
        "choices": found.choices,
        "alone": [{"menu": name, "chance": chance} for name, chance in found.alone],
        "openings": [
            {"rail": to_dollars(one.rail), "chance": one.chance, "lay": _bets_json(one.lay)}
            for one in found.openings
        ],
        "policy": [_policy_row_json(row) for row in found.policy.rows],
    }


def _policy_row_json(row: PolicyRow) -> dict[str, Any]:
    return {
        **({"rolls": row.rolls} if row.rolls else {}),
        "puck": row.puck or None,
        "rail": to_dollars(row.rail),
        "up": _bets_json(row.up),
        "lay": _bets_json(row.lay),
        "leaves": to_dollars(row.leaves),
    }


def _bets_json(wagers: tuple[PolicyBet, ...]) -> dict[str, str]:
    return {w.wager: to_dollars(w.amount) for w in wagers}
