"""When a wager may be made or changed and how much it may hold: the auditor's own reading."""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

from .figures import BONUS_NEEDS, HOPS, TOTALS, Price
from .wagers import Rules, known, price, split

CHIP = 100
TABLE_MIN, CENTER_MIN, TABLE_MAX = 500, 100, 500_000


class Up(NamedTuple):
    """A wager on the layout, in cents."""

    amount: int
    flat: int
    call: bool | None = None
    vig: int = 0
    match: int = 0
    unnoticed: bool = False


class Moment(NamedTuple):
    """What of the table matters to a wager: the point, a new shooter, fire and bonus waiting."""

    puck: int
    fresh: bool
    waiting: frozenset[str]


def kind_of(slug: str) -> str:
    """Fire and bonus wagers wait apart."""
    return "fire" if slug == "fire" else "bonus" if slug in BONUS_NEEDS else ""


def center(slug: str) -> bool:
    """Proposition, hardway and hop wagers: everything in the middle of the layout."""
    family, _ = split(slug)
    middle = (set(TOTALS) - {"field"}) | set(HOPS) | {"six-seven-eight", "c-and-e", "hi-lo"}
    middle |= {"three-way-craps", "whirl", "horn", "hard"}
    return family in middle or slug.startswith("horn-high-")


def flat_of(slug: str) -> str:
    """The flat wager that odds stand behind; nothing for any other wager."""
    family, number = split(slug)
    if not family.endswith("-odds"):
        return ""
    flat = family.removesuffix("-odds")
    return f"{flat}-{number}" if number else flat


def odds_of(slug: str) -> str:
    """The odds that stand behind a flat wager."""
    family, number = split(slug)
    return f"{family}-odds-{number}" if number else f"{family}-odds"


def may_make(rules: Rules, slug: str, now: Moment, up: dict[str, Up]) -> bool:
    """Whether a new wager may be made at this time."""
    family, number = split(slug)
    if not known(rules, slug):
        return False
    if family in {"pass", "dont-pass"}:
        return not now.puck
    if family in {"come", "dont-come"}:
        return now.puck != 0 and not number
    if flat := flat_of(slug):
        return flat in up and (number != 0 or now.puck != 0)
    if kind := kind_of(slug):
        return not now.puck and now.fresh and kind not in now.waiting
    return True


def settled_in(slug: str, puck: int) -> bool:
    """Whether a line or come wager has its number."""
    family, number = split(slug)
    if family in {"pass", "dont-pass"}:
        return puck != 0
    return family in {"come", "dont-come"} and number != 0


def may_raise(rules: Rules, slug: str, puck: int) -> bool:
    """Whether a wager that is up may grow."""
    if kind_of(slug):
        return False
    return not settled_in(slug, puck) or (slug == "pass" and rules.book.raise_pass)


def may_shrink(slug: str, puck: int) -> bool:
    """Whether a wager that is up may be reduced or taken down."""
    if kind_of(slug):
        return False
    return not settled_in(slug, puck) or slug.startswith("dont-")


def step(paid: Price) -> int:
    """The smallest stake that is paid in whole chips."""
    return paid[1] // gcd(*paid) * CHIP


def amount_fits(rules: Rules, slug: str, amount: int, puck: int, up: dict[str, Up]) -> bool:
    """Whether a wager may hold so much in all."""
    if amount % CHIP:
        return False
    if flat := flat_of(slug):
        return _odds_fit(rules, slug, amount, puck, up[flat])
    book, (family, number) = rules.book, split(slug)
    if slug == "fire":
        return 100 <= amount <= 500
    least = CENTER_MIN if center(slug) else TABLE_MIN
    if not least <= amount <= most(rules, slug):
        return False
    legs = book.composites.get(slug) or book.booked_as.get(slug)
    if legs:
        return amount % (sum(legs.values()) * CHIP) == 0
    if book.exact and number and family != "hard":
        return amount % step(price(rules, slug)) == 0
    return True


def most(rules: Rules, slug: str) -> int:
    """The most a wager may hold; no leg of a composite more than it may hold alone."""
    book, (family, _) = rules.book, split(slug)
    limit = TABLE_MAX
    for key in (family, slug):
        if key in book.most:
            limit = book.most[key] * 100
    for leg, units in book.composites.get(slug, {}).items():
        limit = min(limit, most(rules, leg) * sum(book.composites[slug].values()) // units)
    return limit


def odds_cap(rules: Rules, slug: str, puck: int, flat: Up) -> int:
    """The most odds: by stake, or by win where they are laid; up to the next that pays exactly."""
    number = split(slug)[1] or puck
    paid = price(rules, slug, puck)
    multiple = rules.multiple(number)
    laid = slug.startswith("dont-")
    basis = flat.flat if laid and not rules.book.trims_dont_odds else flat.amount
    top, bottom = basis * multiple, 1
    if laid:
        top, bottom = top * paid[1], paid[0]
    if top > TABLE_MAX * bottom:
        top = TABLE_MAX * bottom
    unit = step(paid) * bottom
    return -(-top // unit) * step(paid)


def _odds_fit(rules: Rules, slug: str, amount: int, puck: int, flat: Up) -> bool:
    book, paid = rules.book, price(rules, slug, puck)
    if amount > odds_cap(rules, slug, puck, flat):
        return False
    exact = book.exact or (book.odds_exact_under_min and amount < TABLE_MIN)
    return not exact or amount % step(paid) == 0


def vigorish(rules: Rules, slug: str, amount: int) -> int:
    """Five percent, rounded to the chip; nothing on wagers that bear none."""
    family, _ = split(slug)
    if family not in {"buy", "lay"}:
        return 0
    paid = price(rules, slug)
    on_win = family == "lay" and rules.book.lay_vig_on == "win"
    top, bottom = (amount * paid[0], paid[1]) if on_win else (amount, 1)
    # top / bottom cents at 5%, in chips of 100: top * 5 / (bottom * 100 * 100)
    top, bottom = top * 5, bottom * 100 * CHIP
    if rules.book.vig_half_up:
        return (2 * top + bottom) // (2 * bottom) * CHIP
    return top // bottom * CHIP


def vig_when_won(rules: Rules, slug: str) -> bool:
    """Whether its vigorish is taken only from a win."""
    family, number = split(slug)
    elected = rules.elected(f"{family}.when.{number}") or rules.elected(f"{family}.when")
    if elected:
        return elected == "won"
    return family == "buy" and number in rules.book.buy_vig_won_on
