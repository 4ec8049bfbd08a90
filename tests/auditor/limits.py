"""When a wager may be made or changed and how much it may hold: the auditor's own reading."""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

from .figures import BONUS_NEEDS, HOPS, TOTALS, Price
from .reading import cents
from .wagers import Rules, known, price, split

CENTER_MIN = 100


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
    if family == "pass" and rules.book.puts:
        return True
    if family in {"pass", "dont-pass"}:
        return not now.puck
    if family in {"come", "dont-come"}:
        put = family == "come" and rules.book.puts
        return now.puck != 0 and (put or not number)
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
    if slug.startswith("dont-") and not rules.book.raise_donts and "odds" not in slug:
        return False
    raised = "pass" if rules.book.raise_pass else ""
    return (
        not settled_in(slug, puck)
        or slug == raised
        or (rules.book.puts and split(slug)[0] == "come")
    )


def may_shrink(slug: str, puck: int) -> bool:
    """Whether a wager that is up may be reduced or taken down."""
    if kind_of(slug):
        return False
    return not settled_in(slug, puck) or slug.startswith("dont-")


def table_min(rules: Rules) -> int:
    """The table minimum in cents: $5 unless elected."""
    return cents(rules.elected("limits.min") or "5")


def table_max(rules: Rules) -> int:
    """The table maximum in cents: $5,000 unless elected."""
    return cents(rules.elected("limits.max") or "5000")


def step(rules: Rules, paid: Price) -> int:
    """The smallest stake that is paid in whole chips."""
    return paid[1] // gcd(*paid) * rules.chip


def amount_fits(rules: Rules, slug: str, amount: int, puck: int, up: dict[str, Up]) -> bool:
    """Whether a wager may hold so much in all."""
    if amount % rules.chip:
        return False
    if flat := flat_of(slug):
        return _odds_fit(rules, slug, amount, puck, up[flat])
    book, (family, number) = rules.book, split(slug)
    if slug == "fire":
        return 100 <= amount <= rules.book.fire_most * 100 and amount % 100 == 0
    if slug in BONUS_NEEDS and rules.book.bonus_most:
        return 100 <= amount <= rules.book.bonus_most * 100 and amount % 100 == 0
    least = CENTER_MIN if center(slug) else table_min(rules)
    if not least <= amount <= most(rules, slug):
        return False
    legs = book.composites.get(slug) or book.booked_as.get(slug)
    if legs:
        return amount % (sum(legs.values()) * rules.chip) == 0
    if rules.breakage == "refuse" and number and family != "hard":
        return amount % step(rules, price(rules, slug)) == 0
    return True


def most(rules: Rules, slug: str) -> int:
    """The most a wager may hold; no leg of a composite more than it may hold alone."""
    book, (family, _) = rules.book, split(slug)
    limit = table_max(rules)
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
    if rules.book.max_binds_odds and top > table_max(rules) * bottom:
        top = table_max(rules) * bottom
    unit = step(rules, paid)
    return -(-top // (unit * bottom)) * unit


def _odds_fit(rules: Rules, slug: str, amount: int, puck: int, flat: Up) -> bool:
    book, paid = rules.book, price(rules, slug, puck)
    if amount > odds_cap(rules, slug, puck, flat):
        return False
    exact = book.odds_exact_under_min and amount < table_min(rules)
    return not (exact or rules.breakage == "refuse") or amount % step(rules, paid) == 0


def _base(rules: Rules, family: str) -> str:
    return rules.book.lay_vig_on if family == "lay" else "stake"


def vigorish(rules: Rules, slug: str, amount: int) -> int:
    """Five percent unless elected, rounded to the chip; nothing on wagers that bear none."""
    family, _ = split(slug)
    if family not in {"buy", "lay"}:
        return 0
    paid = price(rules, slug)
    on_win = (rules.elected(f"{family}.base") or _base(rules, family)) == "win"
    top, bottom = amount, 1
    if on_win:  # as it is paid, in whole chips
        exact, unit = amount * paid[0], paid[1] * rules.chip
        top = (-(-exact // unit) if rules.breakage == "up" else exact // unit) * rules.chip
    # The charge is top / bottom cents; it is rounded to whole chips.
    rate = rules.elected(f"{family}.rate") or "0.05"
    top, bottom = top * int(rate.removeprefix("0.").ljust(4, "0")), bottom * 10_000
    how = rules.elected(f"{family}.rounding") or ("half-up" if rules.book.vig_half_up else "down")
    if how == "exact":
        return top // bottom
    unit = bottom * rules.chip
    chips = {"down": top // unit, "up": -(-top // unit), "half-up": (2 * top + unit) // (2 * unit)}
    return chips[how] * rules.chip


def vig_when_won(rules: Rules, slug: str) -> bool:
    """Whether its vigorish is taken only from a win."""
    family, number = split(slug)
    elected = rules.elected(f"{family}.when.{number}") or rules.elected(f"{family}.when")
    if elected:
        return elected == "won"
    return family == "buy" and number in rules.book.buy_vig_won_on
