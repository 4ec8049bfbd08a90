"""The play that gives the best chance of a goal before ruin, over everything a menu lets one do.

Between two throws whatever the house allows may be done with the wagers of the menu, in amounts
that are the least that it takes at or above whole units: make, raise, reduce, take down, or wait.
The goal is chips in the rail, counted between throws once whatever may come down is down. Ruin is
nothing up and nothing that can be bet; never coming to either is failing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from passline.dice import FAIR, Dice
from passline.exact.reach import Ladder, Picks, climb, roll_back, worth_within
from passline.house import House
from passline.house.named import named_house
from passline.house.terms import elections_of
from passline.lab.best_found import Best
from passline.lab.best_ladder import lay_ladder
from passline.lab.best_menu import read_best_menu
from passline.law.wagers import OddsRule
from passline.layout import Layout, lay_felt
from passline.machines.choice_moves import TooManyChoices
from passline.machines.choices import Choices
from passline.machines.edges import favours_nobody
from passline.money import show_dollars
from passline.strategies.policy import Policy, PolicyRow, laid_of

#: Ways for the layout to lie that are gone through before it settles for bounds.
STATES = 100_000
#: Ways on that a sweep may go, and a whole play with an end; states times rolls that are kept.
_WORK, _LONG_WORK, _KEPT = 10**8, 2 * 10**10, 10**8
#: Rolls beyond which nobody plays for a goal.
MOST_ROLLS = 10**6

#: What another way to lie may still add to a chance that is called the best.
_RESIDUAL = 1e-11

EXACT = "exact, by dynamic programming in doubles"

#: Told now and then what is counted: ways to lie, then sweeps.
WatchBest = Callable[[int], None]


class _Asked(NamedTuple):
    """What is asked, but for the menu and the unit."""

    layout: Layout
    goal: int
    bankroll: int
    rolls: int
    calls: bool
    dice: Dice
    watch: WatchBest | None


class _Play(NamedTuple):
    """The best play of a menu: its chance and everything that leads to it. ``high``: what no play
    of this menu is above, where that is more than the chance."""

    menu: tuple[str, ...]
    unit: int
    chance: float
    choices: Choices
    ladder: Ladder
    base: int
    step: int
    plays: list[Picks]
    high: float | None = None


def best(
    house: House | str,
    goal: int,
    bankroll: int,
    *,
    rolls: int | None = None,
    menu: Sequence[str] = (),
    unit: int | None = None,
    states: int = STATES,
    calls: bool = False,
    dice: Dice = FAIR,
    watch: WatchBest | None = None,
) -> Best:
    """The best chance of ``goal`` from ``bankroll`` (cents), within so many rolls or without end.

    Somebody else shoots, and the puck is off at first. ``menu``: names of wagers, the line, odds,
    place wagers and the field unless told; ``unit``: the table minimum unless told; ``calls``:
    wagers may be called on and off too. Beyond ``states`` ways for the layout to lie, bounds.
    ValueError, one line, for what makes no sense.

    >>> found = best("new-jersey", 2000, 1000, menu=["field"])
    >>> round(found.chance, 12), found.method
    (0.444444444444, 'exact, by dynamic programming in doubles')
    """
    house = named_house(house)
    layout = lay_felt(house)
    unit = house.minimum if unit is None else unit
    _check(house, goal, bankroll, unit, rolls)
    slugs = read_best_menu(layout, menu)
    asked = _Asked(
        layout=layout,
        goal=goal,
        bankroll=bankroll,
        rolls=rolls or 0,
        calls=calls,
        dice=dice,
        watch=watch,
    )
    if goal <= bankroll:
        policy = _policy(asked, slugs, unit, 1.0, ())
        return _told(asked, slugs, unit, policy, chance=1.0, method="nothing to play: it is there")
    if bankroll < unit:
        raise ValueError(
            f"a bankroll of {show_dollars(bankroll)} is less than a unit of {show_dollars(unit)}: "
            "no wager is possible"
        )
    try:
        play = _solve(asked, slugs, unit, states)
    except TooManyChoices:
        return _bounded(asked, slugs, unit, states)
    rest = _alone(asked, slugs, unit, states // 10)
    single = tuple((_name(asked.layout, one.menu), one.chance) for one in rest)
    return _found(asked, slugs, unit, play, alone=single if len(single) > 1 else ())


def _check(house: House, goal: int, bankroll: int, unit: int, rolls: int | None) -> None:
    for what, cents in (("goal", goal), ("bankroll", bankroll), ("unit", unit)):
        if cents <= 0:
            raise ValueError(f"a {what} of {show_dollars(cents)}: expected more than nothing")
        if cents % house.chip:
            chip = show_dollars(house.chip)
            raise ValueError(f"a {what} of {show_dollars(cents)} is not in whole chips of {chip}")
    if rolls is not None and not 1 <= rolls <= MOST_ROLLS:
        raise ValueError(f"{rolls} rolls: expected 1 to {MOST_ROLLS:,}")


def _solve(asked: _Asked, menu: tuple[str, ...], unit: int, states: int) -> _Play:
    """The best play of a menu. TooManyChoices where that is too much."""
    choices = Choices(asked.layout, menu, unit, asked.goal - 1, asked.dice, asked.calls)
    choices.walk(states, asked.watch)
    ladder, base, step = lay_ladder(choices, asked.bankroll, asked.dice.whole)
    if ladder.work > _WORK:
        raise TooManyChoices
    rolls, start = asked.rolls, int(ladder.row[0]) + (asked.bankroll - base) // step
    high = None
    if rolls and max(rolls * ladder.states / _KEPT, rolls * ladder.work / _LONG_WORK) <= 1:
        values, plays = roll_back(ladder, rolls, asked.watch)
    else:
        climbed = climb(ladder, asked.watch)
        values, plays = climbed.values, [climbed.picks]
        if climbed.residual > _RESIDUAL:
            high = 1.0
        if rolls:  # the same play whatever is left: no worse is the best, no better one without end
            high = high or float(values[start])
            values = worth_within(ladder, climbed.picks, rolls)
    chance = float(values[start])
    return _Play(
        menu=menu,
        unit=unit,
        chance=min(chance, 1.0),
        choices=choices,
        ladder=ladder,
        base=base,
        step=step,
        plays=plays,
        high=high,
    )


def _alone(asked: _Asked, menu: tuple[str, ...], unit: int, states: int) -> list[_Play]:
    """The best plays of the menu's wagers one by one, each with its odds, best first."""
    spots = asked.layout.spots
    found: list[_Play] = []
    for slug in menu:
        if isinstance(spots[slug].rule, OddsRule):
            continue
        family = spots[slug].family
        own = {s for s in menu if spots[s].flat and spots[spots[s].flat].family == family}
        for part in dict.fromkeys((tuple(s for s in menu if s == slug or s in own), (slug,))):
            try:
                found.append(_solve(asked, part, unit, states))
                break
            except TooManyChoices:
                continue
    return sorted(found, key=lambda play: -play.chance)


def _bounded(asked: _Asked, menu: tuple[str, ...], unit: int, states: int) -> Best:
    """A play of a part of the menu, or with larger units, and what no play is above.

    Both parts are sound: whatever a part of the menu or larger units allow, the whole menu allows
    too; and ``favours_nobody`` proves the bound from above.
    """
    singles = _alone(asked, menu, unit, states)
    plays = list(singles)
    together: tuple[str, ...] = singles[0].menu if singles else ()
    for play in singles[1:]:
        both = tuple(slug for slug in menu if slug in {*together, *play.menu})
        try:
            plays.append(_solve(asked, both, unit, states // 10))
            together = both
        except TooManyChoices:
            break
    times = 2
    while unit * times <= asked.bankroll:
        try:
            plays.append(_solve(asked, menu, unit * times, states // 10))
            break
        except TooManyChoices:
            times *= 2
    gathers = any(isinstance(asked.layout.spots[slug].rule, Collect) for slug in menu)
    fair = not gathers and favours_nobody(
        Choices(asked.layout, menu, unit, asked.goal - 1, asked.dice, asked.calls), asked.dice
    )
    high = asked.bankroll / asked.goal if fair else 1.0
    alone = tuple((_name(asked.layout, one.menu), one.chance) for one in singles)
    if not plays:
        policy = _policy(asked, menu, unit, 0.0, ())
        return _told(
            asked, menu, unit, policy, chance=0.0, low=0.0, high=high, method=_bounds(fair)
        )
    most = max(plays, key=lambda play: play.chance)
    how = f"with {_name(asked.layout, most.menu)} in units of {show_dollars(most.unit)}"
    return _found(
        asked, menu, unit, most, alone=alone, high=max(high, most.chance), how=_bounds(fair, how)
    )


def _bounds(fair: bool, how: str = "no play was found") -> str:
    above = (
        "bankroll / goal, since no wager favours the player" if fair else "nothing better than 1"
    )
    return f"bounds: low is the best play {how}, exact; high is {above}"


def _name(layout: Layout, menu: Sequence[str]) -> str:
    return ", ".join(layout.floor(slug) for slug in menu)


def _found(
    asked: _Asked,
    menu: tuple[str, ...],
    unit: int,
    play: _Play,
    alone: tuple[tuple[str, float], ...],
    high: float | None = None,
    how: str = EXACT,
) -> Best:
    policy = _policy(asked, play.menu, play.unit, play.chance, tuple(_rows(asked, play)))
    told = _told(asked, menu, unit, policy, chance=play.chance, method=how)
    return msgspec.structs.replace(
        told,
        low=None if high is None else play.chance,
        high=high,
        states=play.ladder.states,
        stands=len(play.ladder.need),
        alone=alone,
    )


def _told(
    asked: _Asked,
    menu: tuple[str, ...],
    unit: int,
    policy: Policy,
    *,
    chance: float,
    method: str,
    low: float | None = None,
    high: float | None = None,
) -> Best:
    return Best(
        house=asked.layout.house,
        goal=asked.goal,
        bankroll=asked.bankroll,
        unit=unit,
        menu=tuple(asked.layout.floor(slug) for slug in menu),
        rolls=asked.rolls or None,
        chance=chance,
        low=low,
        high=high,
        method=method,
        policy=policy,
        states=0,
        stands=0,
    )


def _policy(
    asked: _Asked, menu: tuple[str, ...], unit: int, chance: float, rows: tuple[PolicyRow, ...]
) -> Policy:
    house = asked.layout.house
    return Policy(
        rulebook=house.book.id,
        game=house.game,
        house=house.name,
        elections=elections_of(house),
        goal=asked.goal,
        bankroll=asked.bankroll,
        unit=unit,
        menu=menu,
        calls=asked.calls,
        rolls=asked.rolls,
        chance=chance,
        rows=rows,
    )


def _rows(asked: _Asked, play: _Play) -> list[PolicyRow]:
    """What the play does in every state that it comes to, from the opening on.

    With an end a play has rows for every number of rolls to go; the puck of an opening that is
    come to late (somebody sits down with a point on) is there too where waiting leads to it.
    """
    choices, ladder = play.choices, play.ladder
    first = (asked.rolls, 0, (asked.bankroll - play.base) // play.step)
    seen, waiting = {first}, [first]
    found: list[PolicyRow] = []
    while waiting:
        rolls, place, rung = waiting.pop()
        picks = play.plays[max(0, rolls - 1)]
        pick = int(picks[ladder.row[place] + rung])
        number = max(pick - int(ladder.stand[place]), 0) if pick >= 0 else 0
        stand = choices.stands[place][number]
        state, rail = choices.places[place], play.base + rung * play.step
        found.append(
            PolicyRow(
                puck=state.puck,
                rail=rail,
                up=laid_of(state.wagers),
                lay=laid_of(stand.wagers),
                leaves=rail - stand.cost,
                rolls=rolls,
            )
        )
        for arc in stand.arcs:
            then = rung + (arc.money - stand.cost) // play.step
            onward = (rolls - 1 if rolls else 0, arc.next, then)
            over = then >= ladder.goal[arc.next] or (asked.rolls and rolls == 1)
            if not over and onward not in seen:
                seen.add(onward)
                waiting.append(onward)
    return sorted(found, key=lambda row: (-row.rolls, row.puck, len(row.up), -row.rail))
