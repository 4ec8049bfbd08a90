"""The play that gives the best chance of a goal before ruin, over everything a menu lets one do.

Between two throws whatever the house allows may be done with the wagers of the menu, in amounts
that are the least that it takes at or above whole units: make, raise, reduce, take down, or wait.
The goal is chips in the rail, counted between throws once whatever may come down is down. Ruin is
nothing up and nothing that can be bet; never coming to either is failing.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from passline.dice import FAIR, Dice
from passline.house import House
from passline.house.named import named_house
from passline.lab.best_found import Best
from passline.lab.best_menu import read_best_menu
from passline.lab.best_play import (
    BestAsked,
    BestPlay,
    WatchBest,
    openings_of,
    policy_for,
    policy_of,
    solve_menu,
)
from passline.law.wagers import OddsRule
from passline.layout import Layout, lay_felt
from passline.machines.choice_moves import TooManyChoices
from passline.machines.choices import Choices
from passline.machines.edges import favours_nobody
from passline.money import show_dollars
from passline.strategies.policy import Policy

#: Ways for the layout to lie that are gone through before it settles for bounds.
STATES = 100_000
#: Rolls beyond which nobody plays for a goal.
MOST_ROLLS = 10**6

EXACT = "exact, by dynamic programming in doubles"
_THERE, _RUINED = "nothing to play: it is there", "nothing to play: no wager is possible"
_MANY_ROLLS = (
    "bounds: low is one play for any number of rolls to go, exact; high is what no play is above "
    "without an end, proved"
)
_NOT_SURE = "bounds: low is the play that was found, exact; high is what no play is above, proved"


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
    asked = BestAsked(
        layout=layout,
        goal=goal,
        bankroll=bankroll,
        rolls=rolls or 0,
        calls=calls,
        dice=dice,
        watch=watch,
    )
    if goal <= bankroll or bankroll < unit:
        chance, why = (1.0, _THERE) if goal <= bankroll else (0.0, _RUINED)
        policy = policy_for(asked, slugs, unit, chance)
        return _told(asked, slugs, unit, policy, method=why)
    try:
        play = solve_menu(asked, slugs, unit, states, sure=True)
    except TooManyChoices:
        return _bounded(asked, slugs, unit, states)
    rest = _alone(asked, slugs, unit, states // 10)
    single = tuple((_name(asked.layout, one.menu), one.chance) for one in rest)
    told = _told(asked, slugs, unit, policy_of(asked, play), play, alone=single)
    if play.high is None:
        return told
    fair = _fair(asked, slugs, unit)
    high = min(play.high, bankroll / goal if fair else 1.0)
    how = _bounds(fair, "of this menu that was found")
    if play.high < 1 and play.high == high:
        how = _MANY_ROLLS if rolls else _NOT_SURE
    return msgspec.structs.replace(told, low=told.chance, high=max(high, told.chance), method=how)


def _check(house: House, goal: int, bankroll: int, unit: int, rolls: int | None) -> None:
    for what, cents in (("goal", goal), ("bankroll", bankroll), ("unit", unit)):
        if cents <= 0:
            raise ValueError(f"a {what} of {show_dollars(cents)}: expected more than nothing")
        if cents % house.chip:
            chip = show_dollars(house.chip)
            raise ValueError(f"a {what} of {show_dollars(cents)} is not in whole chips of {chip}")
    if rolls is not None and not 1 <= rolls <= MOST_ROLLS:
        raise ValueError(f"{rolls} rolls: expected 1 to {MOST_ROLLS:,}")


def _alone(asked: BestAsked, menu: tuple[str, ...], unit: int, states: int) -> list[BestPlay]:
    """The best plays of the menu's wagers one by one, each with its odds, best first."""
    spots = asked.layout.spots
    found: list[BestPlay] = []
    for slug in menu:
        if isinstance(spots[slug].rule, OddsRule):
            continue
        family = spots[slug].family
        own = {s for s in menu if spots[s].flat and spots[spots[s].flat].family == family}
        for part in dict.fromkeys((tuple(s for s in menu if s == slug or s in own), (slug,))):
            if part == menu:  # it was tried, or is what is told already
                continue
            try:
                found.append(solve_menu(asked, part, unit, states))
                break
            except TooManyChoices:
                continue
    return sorted(found, key=lambda play: -play.chance)


def _bounded(asked: BestAsked, menu: tuple[str, ...], unit: int, states: int) -> Best:
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
            plays.append(solve_menu(asked, both, unit, states // 10))
            together = both
        except TooManyChoices:
            break
    times = 2
    while unit * times <= asked.bankroll:
        try:
            plays.append(solve_menu(asked, menu, unit * times, states // 10))
            break
        except TooManyChoices:
            times *= 2
    fair = _fair(asked, menu, unit)
    high = asked.bankroll / asked.goal if fair else 1.0
    alone = tuple((_name(asked.layout, one.menu), one.chance) for one in singles)
    most = max(plays, key=lambda play: play.chance, default=None)
    if most is None:
        policy, how = policy_for(asked, menu, unit, 0.0), _bounds(fair)
    else:
        policy = policy_of(asked, most)
        named = f"with {_name(asked.layout, most.menu)} in units of {show_dollars(most.unit)}"
        how = _bounds(fair, named)
    told = _told(asked, menu, unit, policy, most, alone=alone, method=how)
    return msgspec.structs.replace(told, low=told.chance, high=max(high, told.chance))


def _fair(asked: BestAsked, menu: tuple[str, ...], unit: int) -> bool:
    """Whether no wager of the menu favours the player."""
    choices = Choices(asked.layout, menu, unit, asked.goal - 1, asked.dice, asked.calls)
    return favours_nobody(choices, asked.dice)


def _bounds(fair: bool, how: str = "no play was found") -> str:
    above = (
        "bankroll / goal, since no wager favours the player" if fair else "nothing better than 1"
    )
    return f"bounds: low is the best play {how}, exact; high is {above}"


def _name(layout: Layout, menu: Sequence[str]) -> str:
    return ", ".join(layout.floor(slug) for slug in menu)


def _told(
    asked: BestAsked,
    menu: tuple[str, ...],
    unit: int,
    policy: Policy,
    play: BestPlay | None = None,
    *,
    alone: tuple[tuple[str, float], ...] = (),
    method: str = EXACT,
) -> Best:
    return Best(
        house=asked.layout.house,
        goal=asked.goal,
        bankroll=asked.bankroll,
        unit=unit,
        menu=tuple(asked.layout.floor(slug) for slug in menu),
        rolls=asked.rolls or None,
        chance=policy.chance,
        method=method,
        policy=policy,
        sure_to=None if play is None else play.sure_to,
        states=0 if play is None else play.ladder.states,
        stands=0 if play is None else len(play.ladder.need),
        alone=alone if len(alone) > 1 else (),
        openings=() if play is None else openings_of(play),
    )
