"""Lint of vigorish: its rate, base and time, and a rounding that takes more than the law's rate."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec

from passline.house.finding import Finding, finding
from passline.house.house import House, VigTerms
from passline.house.keys import either, show, show_election
from passline.house.limits import limits_of, step_of
from passline.house.payouts import lines_for
from passline.law.book import Vig
from passline.law.cited import Cited
from passline.law.wagers import Race
from passline.money import ROUNDINGS, Odds, show_dollars

#: Stakes tried for each number: far more than the few in which rounding repeats itself.
_TRIED = 2000


def check_vig(house: House) -> Iterator[Finding]:
    """Vigorish on buy and on lay wagers, where the book has them."""
    for which in ("buy", "lay"):
        keys = [key for key in house.elections if key.startswith(f"{which}.")]
        vig = house.book.vig.get(which)
        if vig is None:
            cites = [c for c in (house.book.no_other_fee, house.book.unlisted) if c]
            for key in keys:
                allowed = f"{house.book.id} has no {which} wagers"
                yield finding(key, show_election(key, house.elections[key]), allowed, cites)
        else:
            yield from _check_terms(house, which, vig)
            yield from _check_times(house, which, vig, keys)


def _refused(house: House, key: str, allowed: str, by: Cited[Any]) -> Finding:
    return finding(key, show(house.elections[key]), allowed, by.clauses or (by.cite,))


def _check_terms(house: House, which: str, vig: Vig) -> Iterator[Finding]:
    """Rate and base; and the rounding, where those two are sound."""
    terms, most = house.vig[which], Fraction(vig.most.value)
    sound = True
    if terms.rate > most:
        sound = False
        yield _refused(house, f"{which}.rate", f"at most {show(most)}", vig.most)
    if terms.base not in vig.bases.value:
        sound = False
        yield _refused(house, f"{which}.base", either(vig.bases.value), vig.bases)
    if sound and vig.capped.value:
        yield from _check_rounding(house, which, vig)


def _check_times(house: House, which: str, vig: Vig, keys: list[str]) -> Iterator[Finding]:
    """When it is taken, in general and by number."""
    timed = [key for key in keys if key == f"{which}.when" or key.startswith(f"{which}.when.")]
    for key in timed:
        if house.elections[key] not in vig.whens.value:
            yield _refused(house, key, either(vig.whens.value), vig.whens)
    if vig.mixed is None or vig.mixed.value:
        return
    numbers = {n for _, rule in _races(house, which) for n in rule.numbers.value}
    won = numbers & house.vig[which].won_on
    if won and won != numbers:
        for key in timed:
            if key != f"{which}.when":
                yield _refused(house, key, "one time for every number", vig.mixed)


def _races(house: House, which: str) -> Iterator[tuple[str, Race]]:
    for family, rule in house.book.wager.items():
        if isinstance(rule, Race) and rule.vig == which:
            yield family, rule


class _Over(msgspec.Struct, frozen=True):
    """A stake that is charged more than the cap."""

    slug: str
    stake: int
    charged: int
    most: Fraction


def _check_rounding(house: House, which: str, vig: Vig) -> Iterator[Finding]:
    terms = house.vig[which]
    over = _first_over(house, which, vig, terms)
    if over is None:
        return
    fitting = [
        how
        for how in ROUNDINGS
        if not _first_over(house, which, vig, msgspec.structs.replace(terms, rounding=how))
    ]
    allowed = (
        f"{either(fitting)}: {over.slug} for {show_dollars(over.stake)} "
        f"would be charged {show_dollars(over.charged)}, and the most is {_cents(over.most)}"
    )
    cites = vig.capped.clauses or (vig.capped.cite,)
    yield finding(f"{which}.rounding", terms.rounding, allowed, cites)


def _cents(amount: Fraction) -> str:
    """An amount that may end in a fraction of a cent."""
    return show_dollars(int(amount)) if amount.denominator == 1 else f"${show(amount / 100)}"


def _first_over(house: House, which: str, vig: Vig, terms: VigTerms) -> _Over | None:
    """The smallest stake within limits, of all numbers, that is charged more than the cap."""
    found: list[_Over] = []
    for family, rule in _races(house, which):
        for number in rule.numbers.value:
            slug = f"{family}-{number}"
            odds = [odds for _, odds in lines_for(house, slug, rule, number)]
            limits = limits_of(house, rule, slug, number)
            step = step_of(house, rule, odds)[0]
            first = -(-limits.low // step) * step
            stakes = range(first, limits.high + 1, step)[:_TRIED]
            over = _over(stakes, odds[0], vig, terms)
            if over is not None:
                found.append(_Over(slug, *over))
    return min(found, key=lambda one: one.stake, default=None)


def _over(stakes: range, odds: Odds, vig: Vig, terms: VigTerms) -> tuple[int, int, Fraction] | None:
    """The first of these stakes charged more than the cap on the cap's own base.

    What rounding adds is less than a chip, so once the cap is a chip above the exact charge no
    larger stake can pass it.
    """
    cap = Fraction(vig.most.value) * (odds.ratio if vig.base.value == "win" else 1)
    rate = terms.rate * (odds.ratio if terms.base == "win" else 1)
    if rate <= cap and terms.rounding in {"down", "exact"}:
        return None
    for stake in stakes:
        charged = terms.charge(stake, odds)
        if charged > cap * stake:
            return stake, charged, cap * stake
        if (cap - rate) * stake >= terms.chip:
            return None
    return None
