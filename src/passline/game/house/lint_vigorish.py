"""Check the elections of vigorish: its rate, base, rounding and time, against the rulebook.

Where the book limits the rate after rounding, find the smallest stake that would be charged more.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from passline.game.house.elections import show_value
from passline.game.house.house import House
from passline.game.house.limits import find_limits, find_stake_step
from passline.game.house.lint_findings import Finding, list_clauses, make_finding
from passline.game.house.payouts import find_pay_lines
from passline.game.house.vigorish import VigTerms
from passline.game.law.book import VigRules
from passline.game.law.citations import CitedValue
from passline.game.law.shapes.race import Race
from passline.game.money.amounts import Odds, show_dollars
from passline.game.money.rounding import ROUNDINGS
from passline.text import join_words

#: How many stakes are tried for each number. The pattern of rounding repeats much sooner.
_STAKES_TRIED = 2000


def check_vigorish(house: House) -> Iterator[Finding]:
    """Yield findings about the vigorish on buy and lay wagers.

    If the book lacks one of these wagers, every election about it is a finding.
    """
    for which in ("buy", "lay"):
        keys = [key for key in house.elections if key.startswith(f"{which}.")]
        vig = house.book.vig.get(which)
        if vig is None:
            cites = [c for c in (house.book.no_other_fee, house.book.unlisted) if c]
            for key in keys:
                allowed = f"{house.book.id} has no {which} wagers"
                yield make_finding(key, house.elections[key], allowed, cites)
        else:
            yield from _check_terms(house, which, vig)
            yield from _check_times(house, which, vig, keys)


def _check_terms(house: House, which: str, vig: VigRules) -> Iterator[Finding]:
    """Yield findings about the rate and the base of the vigorish on ``which``: buy or lay.

    If the book allows both, check the rounding too.
    """
    terms, most = house.vig[which], Fraction(vig.most.value)
    sound = True
    if terms.rate > most:
        sound = False
        yield make_finding(f"{which}.rate", terms.rate, f"at most {show_value(most)}", vig.most)
    if terms.base not in vig.bases.value:
        sound = False
        yield make_finding(
            f"{which}.base", terms.base, join_words(vig.bases.value, "or"), vig.bases
        )
    if sound:
        yield from _check_rounding(house, which, vig)


def _check_rounding(house: House, which: str, vig: VigRules) -> Iterator[Finding]:
    """Yield a finding if the rounding of vigorish on ``which`` (buy or lay) is not allowed.

    If the book limits the rate after rounding, no stake may be charged more. Otherwise, if a clause
    requires one way of rounding, the house must use it.
    """
    given, stated = house.vig[which].rounding, vig.rounding
    if vig.capped.value:
        yield from _check_cap(house, which, vig)
    elif stated.cites and given != stated.value:
        yield make_finding(f"{which}.rounding", given, stated.value, stated)


def _check_times(house: House, which: str, vig: VigRules, keys: list[str]) -> Iterator[Finding]:
    """Yield findings about when vigorish is taken, in general and on single numbers.

    ``which`` is ``buy`` or ``lay``, and ``keys`` are its elections.
    """
    general = f"{which}.when"
    own = {key: int(key.rpartition(".")[2]) for key in keys if key.startswith(f"{general}.")}
    numbers = {n for _, rule in _iter_races(house, which) for n in rule.numbers.value}
    if general in keys:
        yield from _check_one_time(house, general, vig, sorted(numbers - set(own.values())))
    for key, number in own.items():
        yield from _check_one_time(house, key, vig, [number])
    won = numbers & house.vig[which].won_on
    if vig.mixed is not None and not vig.mixed.value and won and won != numbers:
        for key in own:
            time = house.elections[key]
            yield make_finding(key, time, "one time for every number", vig.mixed)


def _check_one_time(house: House, key: str, vig: VigRules, numbers: list[int]) -> Iterator[Finding]:
    allowed = {n: _list_allowed_times(vig, n) for n in numbers}
    wrong = [by for times, by in allowed.values() if house.elections[key] not in times]
    if wrong:
        words: dict[str, list[int]] = {}
        for number, (times, _) in allowed.items():
            words.setdefault(join_words(times, "or"), []).append(number)
        shown = [f"{time} on {join_words(on, 'or')}" for time, on in words.items()]
        only = next(iter(words)) if len(words) == 1 else ", ".join(shown)
        yield make_finding(key, house.elections[key], only, list_clauses(*wrong))


def _list_allowed_times(vig: VigRules, number: int) -> tuple[tuple[str, ...], CitedValue[Any]]:
    """Return (times at which a house may take vigorish on a number, the value that cites them)."""
    if vig.won_on is not None and number in vig.won_on.value and len(vig.whens.value) < 2:
        return ("won",), vig.won_on  # On these numbers the book requires vigorish after a win.
    return vig.whens.value, vig.whens


def _iter_races(house: House, which: str) -> Iterator[tuple[str, Race]]:
    for family, rule in house.book.wager.items():
        if isinstance(rule, Race) and rule.vig == which:
            yield family, rule


class _Overcharge(NamedTuple):
    """A stake in cents on which the house would charge more than the rulebook's maximum.

    ``slug`` is the wager, ``charged`` the vigorish, and ``most`` the maximum, both in cents.
    """

    slug: str
    stake: int
    charged: int
    most: Fraction


def _check_cap(house: House, which: str, vig: VigRules) -> Iterator[Finding]:
    terms = house.vig[which]
    over = _find_overcharge(house, which, vig, terms)
    if over is None:
        return
    fitting = [
        how
        for how in ROUNDINGS
        if not _find_overcharge(house, which, vig, msgspec.structs.replace(terms, rounding=how))
    ]
    allowed = (
        f"{join_words(fitting, 'or')}: {over.slug} for {show_dollars(over.stake)} "
        f"would be charged {show_dollars(over.charged)}, and the most is {_show_cents(over.most)}"
    )
    yield make_finding(f"{which}.rounding", terms.rounding, allowed, vig.capped)


def _show_cents(amount: Fraction) -> str:
    return show_dollars(int(amount)) if amount.denominator == 1 else f"${show_value(amount / 100)}"


def _find_overcharge(
    house: House, which: str, vig: VigRules, terms: VigTerms
) -> _Overcharge | None:
    """Return the smallest stake that ``terms`` charge more than the book's maximum rate, or None.

    ``which`` is buy or lay, and ``vig`` has the book's rules for it.
    """
    found: list[_Overcharge] = []
    for family, rule in _iter_races(house, which):
        for number in rule.numbers.value:
            slug = f"{family}-{number}"
            odds = [odds for _, odds in find_pay_lines(house, slug, rule, number)]
            limits = find_limits(house, rule, slug, number)
            step = find_stake_step(house, rule, odds)[0]
            first = -(-limits.low // step) * step
            stakes = range(first, limits.high + 1, step)[:_STAKES_TRIED]
            over = _find_overcharged_stake(stakes, odds[0], vig, terms)
            if over is not None:
                found.append(_Overcharge(slug, *over))
    return min(found, key=lambda one: one.stake, default=None)


def _find_overcharged_stake(
    stakes: range, odds: Odds, vig: VigRules, terms: VigTerms
) -> tuple[int, int, Fraction] | None:
    """Return (stake, charge, most allowed) of the first stake charged too much, or None.

    Rounding adds less than one chip. So once the maximum is one chip above the exact charge, no
    larger stake can exceed it.
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
