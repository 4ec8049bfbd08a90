"""Lint of vigorish: its rate, base and time, and a rounding that takes more than the law's rate."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec

from passline.house.finding import Finding, clauses_of, finding, refused
from passline.house.house import House, VigTerms
from passline.house.keys import show
from passline.house.limits import limits_of, step_of
from passline.house.payouts import lines_for
from passline.law.book import Vig
from passline.law.cited import Cited
from passline.law.wagers import Race
from passline.money import ROUNDINGS, Odds, show_dollars
from passline.sentences import join_words

#: Stakes tried for each number: far more than the few in which rounding repeats itself.
_TRIED = 2000


def lint_vig(house: House) -> Iterator[Finding]:
    """Vigorish on buy and on lay wagers, where the book has them."""
    for which in ("buy", "lay"):
        keys = [key for key in house.elections if key.startswith(f"{which}.")]
        vig = house.book.vig.get(which)
        if vig is None:
            cites = [c for c in (house.book.no_other_fee, house.book.unlisted) if c]
            for key in keys:
                allowed = f"{house.book.id} has no {which} wagers"
                yield finding(key, house.elections[key], allowed, cites)
        else:
            yield from _check_terms(house, which, vig)
            yield from _check_times(house, which, vig, keys)


def _check_terms(house: House, which: str, vig: Vig) -> Iterator[Finding]:
    """Rate and base; and the rounding, where those two are sound."""
    terms, most = house.vig[which], Fraction(vig.most.value)
    sound = True
    if terms.rate > most:
        sound = False
        yield refused(f"{which}.rate", terms.rate, f"at most {show(most)}", vig.most)
    if terms.base not in vig.bases.value:
        sound = False
        yield refused(f"{which}.base", terms.base, join_words(vig.bases.value, "or"), vig.bases)
    if sound:
        yield from _check_rounding(house, which, vig)


def _check_rounding(house: House, which: str, vig: Vig) -> Iterator[Finding]:
    """None that passes a rate which is a cap; else, where a clause gives one, no other."""
    given, stated = house.vig[which].rounding, vig.rounding
    if vig.capped.value:
        yield from _check_cap(house, which, vig)
    elif stated.cites and given != stated.value:
        yield refused(f"{which}.rounding", given, stated.value, stated)


def _check_times(house: House, which: str, vig: Vig, keys: list[str]) -> Iterator[Finding]:
    """When it is taken: on every number by the general election, or by the number's own."""
    general = f"{which}.when"
    own = {key: int(key.rpartition(".")[2]) for key in keys if key.startswith(f"{general}.")}
    numbers = {n for _, rule in _races(house, which) for n in rule.numbers.value}
    if general in keys:
        yield from _check_time(house, general, vig, sorted(numbers - set(own.values())))
    for key, number in own.items():
        yield from _check_time(house, key, vig, [number])
    won = numbers & house.vig[which].won_on
    if vig.mixed is not None and not vig.mixed.value and won and won != numbers:
        for key in own:
            time = house.elections[key]
            yield refused(key, time, "one time for every number", vig.mixed)


def _check_time(house: House, key: str, vig: Vig, numbers: list[int]) -> Iterator[Finding]:
    allowed = {n: _times(vig, n) for n in numbers}
    wrong = [by for times, by in allowed.values() if house.elections[key] not in times]
    if wrong:
        words: dict[str, list[int]] = {}
        for number, (times, _) in allowed.items():
            words.setdefault(join_words(times, "or"), []).append(number)
        shown = [f"{time} on {join_words(on, 'or')}" for time, on in words.items()]
        only = next(iter(words)) if len(words) == 1 else ", ".join(shown)
        yield finding(key, house.elections[key], only, clauses_of(*wrong))


def _times(vig: Vig, number: int) -> tuple[tuple[str, ...], Cited[Any]]:
    """The times that a house may choose from on a number, and what says so."""
    if vig.won_on is not None and number in vig.won_on.value and len(vig.whens.value) < 2:
        return ("won",), vig.won_on  # the book leaves no choice, and has two times itself
    return vig.whens.value, vig.whens


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


def _check_cap(house: House, which: str, vig: Vig) -> Iterator[Finding]:
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
        f"{join_words(fitting, 'or')}: {over.slug} for {show_dollars(over.stake)} "
        f"would be charged {show_dollars(over.charged)}, and the most is {_cents(over.most)}"
    )
    yield refused(f"{which}.rounding", terms.rounding, allowed, vig.capped)


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
