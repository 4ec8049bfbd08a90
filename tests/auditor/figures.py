"""The published figures of the rulebooks, typed in. Odds are (paid, for) pairs."""

from __future__ import annotations

from typing import NamedTuple

Price = tuple[int, int]
Prices = dict[int, Price]

SIX = (4, 5, 6, 8, 9, 10)
TEN = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)

PLACE: Prices = {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)}
PLACE_LOSE: Prices = {4: (5, 11), 5: (5, 8), 6: (4, 5), 8: (4, 5), 9: (5, 8), 10: (5, 11)}
TRUE: Prices = {4: (2, 1), 5: (3, 2), 6: (6, 5), 8: (6, 5), 9: (3, 2), 10: (2, 1)}
LAID: Prices = {4: (1, 2), 5: (2, 3), 6: (5, 6), 8: (5, 6), 9: (2, 3), 10: (1, 2)}
CRAPLESS_TRUE: Prices = {2: (6, 1), 3: (3, 1), **TRUE, 11: (3, 1), 12: (6, 1)}
CRAPLESS_PLACE: Prices = {2: (11, 2), 3: (11, 4), **PLACE, 11: (11, 4), 12: (11, 2)}
#: The other of Maryland's two printed payouts.
CRAPLESS_PLACE_B: Prices = {2: (25, 5), 3: (13, 5), 11: (13, 5), 12: (25, 5)}
HARD: Prices = {4: (7, 1), 6: (9, 1), 8: (9, 1), 10: (7, 1)}
FIELD: Prices = {2: (2, 1), 3: (1, 1), 4: (1, 1), 9: (1, 1), 10: (1, 1), 11: (1, 1), 12: (2, 1)}

#: One roll, by totals.
TOTALS: dict[str, Prices] = {
    "field": FIELD,
    "any-seven": {7: (4, 1)},
    "any-craps": {2: (7, 1), 3: (7, 1), 12: (7, 1)},
    "craps-2": {2: (30, 1)},
    "craps-3": {3: (15, 1)},
    "craps-12": {12: (30, 1)},
    "eleven": {11: (15, 1)},
}
#: The seventeen hops: a pair pays thirty to one, a mixed combination fifteen.
HOPS: dict[str, Price] = {
    **{f"hop-{n}-{n}": (30, 1) for n in (2, 3, 4, 5)},
    **{f"hop-{a}-{b}": (15, 1) for a in (1, 2, 3, 4) for b in (3, 4, 5, 6) if a < b},
}

_HORN = {"craps-2": 1, "craps-3": 1, "eleven": 1, "craps-12": 1}
HORNS: dict[str, dict[str, int]] = {
    "horn": _HORN,
    "horn-high-2": {**_HORN, "craps-2": 2},
    "horn-high-3": {**_HORN, "craps-3": 2},
    "horn-high-11": {**_HORN, "eleven": 2},
    "horn-high-12": {**_HORN, "craps-12": 2},
}
WHIRL = {"whirl": {**_HORN, "any-seven": 1}}
C_AND_E = {"c-and-e": {"any-craps": 1, "eleven": 1}}
HI_LO = {"hi-lo": {"craps-2": 1, "craps-12": 1}}
THREE_WAY = {"three-way-craps": {"craps-2": 1, "craps-3": 1, "craps-12": 1}}

FIRE = {
    "A": {4: (24, 1), 5: (249, 1), 6: (999, 1)},
    "B": {4: (39, 1), 5: (199, 1), 6: (499, 1)},
    "C": {4: (10, 1), 5: (200, 1), 6: (2000, 1)},
    "D": {3: (6, 1), 4: (29, 1), 5: (149, 1), 6: (299, 1)},
}
#: The field of Las Vegas, by what the house elects.
TRIPLE: dict[str, Prices] = {
    "twelve": {**FIELD, 12: (3, 1)},
    "two": {**FIELD, 2: (3, 1)},
    "double": FIELD,
}
#: Side bets of the catalog, with the numbers that each can have.
SIDE_BETS: dict[str, set[int]] = {
    "muggsys-corner": {0},
    "ride-the-line": set(range(12)),
    "twice-hard": {0, 4, 6, 8, 10},
}
#: Ride the Line's published pays to 1 by pass wins (0: the stake back), pay tables 1 and 7.
RIDES = {
    "A": {2: 0, 3: 1, 4: 2, 5: 4, 6: 6, 7: 8, 8: 15, 9: 20, 10: 25, 11: 50},
    "G": {3: 0, 4: 2, 5: 4, 6: 7, 7: 10, 8: 15, 9: 25, 10: 40, 11: 150},
}
BONUS: dict[str, dict[str, Price]] = {
    "A": {"all-small": (34, 1), "make-them-all": (175, 1), "all-tall": (34, 1)},
    "B": {"all-small": (30, 1), "make-them-all": (150, 1), "all-tall": (30, 1)},
}
BONUS_NEEDS = {
    "all-small": {2, 3, 4, 5, 6},
    "all-tall": {8, 9, 10, 11, 12},
    "make-them-all": set(TEN),
}

#: Iowa's maxima in dollars, by wager or by the family of a wager.
IOWA_MOST = {
    "pass": 500,
    "dont-pass": 500,
    "come": 500,
    "dont-come": 500,
    "place-win": 500,
    "place-win-6": 600,
    "place-win-8": 600,
    "buy": 500,
    "field": 500,
    "big": 500,
    "hard": 200,
    "any-seven": 400,
    "craps-2": 50,
    "craps-12": 50,
    "craps-3": 100,
    "eleven": 100,
}


NOTHING: Prices = {}
NO_LEGS: dict[str, dict[str, int]] = {}
NO_MOST: dict[str, int] = {}


class Book(NamedTuple):
    """What the auditor knows of one rulebook."""

    points: tuple[int, ...] = SIX
    dont: bool = True
    place: Prices = PLACE
    place_lose: Prices = NOTHING
    true: Prices = TRUE
    laid: Prices = LAID
    big: tuple[int, ...] = ()
    composites: dict[str, dict[str, int]] = NO_LEGS
    #: Composites that are always booked as other wagers.
    booked_as: dict[str, dict[str, int]] = NO_LEGS
    #: A composite that comes out level is called this.
    level: str = "win"
    exact: bool = True
    multiple: int | str = 1
    odds_exact_under_min: bool = False
    max_binds_odds: bool = True
    raise_pass: bool = False
    #: A don't pass or don't come wager may grow until it has its number.
    raise_donts: bool = True
    trims_dont_odds: bool = False
    hardways_work: bool = False
    come_odds_call: bool = True
    lay_off_returns: bool = False
    lay_vig_on: str = "win"
    buy_vig_won_on: tuple[int, ...] = ()
    vig_half_up: bool = False
    most: dict[str, int] = NO_MOST
    line_every_throw: bool = False
    rolls_on: bool = True
    nets: bool = False
    shootout: bool = False
    match_play: bool = False
    six_seven_eight: str = ""
    fire: bool = False
    bonus: bool = False
    #: The field is triple on one side unless elected otherwise: twelve or two.
    triple: str = ""
    #: A pass or come wager may be put on a number, and a come wager raised there.
    puts: bool = False
    #: A lay, and odds on a don't come, may be called off.
    lay_rests: bool = False
    laid_odds_rest: bool = False
    fire_most: int = 5
    bonus_most: int = 0


_WHIRL_SPLIT = {"whirl": {"horn": 4, "any-seven": 1}}

BOOKS: dict[str, Book] = {
    "section-2": Book(
        place_lose=PLACE_LOSE,
        composites={**HORNS, **C_AND_E},
        booked_as=_WHIRL_SPLIT,
        match_play=True,
    ),
    "new-jersey": Book(
        place_lose=PLACE_LOSE,
        composites={**HORNS, **C_AND_E},
        booked_as=_WHIRL_SPLIT,
        lay_vig_on="stake",
        match_play=True,
        six_seven_eight="elected",
        fire=True,
    ),
    "maryland-crapless": Book(
        points=TEN,
        dont=False,
        place=CRAPLESS_PLACE,
        true=CRAPLESS_TRUE,
        laid=NOTHING,
        composites={**HORNS, **WHIRL},
        six_seven_eight="always",
        fire=True,
        bonus=True,
    ),
    "iowa": Book(
        big=(6, 8),
        composites={**HORNS, **HI_LO, **THREE_WAY},
        exact=False,
        multiple=10,
        odds_exact_under_min=True,
        max_binds_odds=False,
        raise_pass=True,
        raise_donts=False,
        trims_dont_odds=True,
        hardways_work=True,
        come_odds_call=False,
        lay_off_returns=True,
        most=IOWA_MOST,
        line_every_throw=True,
        rolls_on=False,
        nets=True,
        shootout=True,
    ),
    "dealer-school": Book(
        composites={**HORNS, **WHIRL, **C_AND_E, **HI_LO},
        level="push",
        exact=False,
        multiple="3-4-5",
        max_binds_odds=False,
        raise_pass=True,
        trims_dont_odds=True,
        buy_vig_won_on=(4, 10),
        vig_half_up=True,
        rolls_on=False,
    ),
    "las-vegas": Book(
        place_lose=PLACE_LOSE,
        big=(6, 8),
        composites={**HORNS, **WHIRL, **C_AND_E, **HI_LO, **THREE_WAY},
        exact=False,
        multiple="3-4-5",
        max_binds_odds=False,
        raise_pass=True,
        trims_dont_odds=True,
        buy_vig_won_on=SIX,
        rolls_on=False,
        match_play=True,
        fire=True,
        bonus=True,
        triple="twelve",
        puts=True,
        lay_rests=True,
        laid_odds_rest=True,
        level="push",
        fire_most=10,
        bonus_most=100,
    ),
}
