"""Lint of money: limits that leave a wager playable and within the book's own, and payouts."""

from __future__ import annotations

from collections.abc import Iterator

from passline.house.finding import Finding, clauses_of, finding, refused
from passline.house.house import House
from passline.house.limits import legs_of, limits_of, printed_most, step_of
from passline.house.payouts import Payout, deals, in_force, lines_for, payouts_of, slugs_of
from passline.law.wagers import AnyWager, Collect, OddsRule
from passline.money import Odds, show_dollars

_ORDERED = "custom: a maximum is no less than the minimum"
_WHOLE = "custom: wagers are made in the house's chips"
_CHIP = "limits.smallest_chip"
_MAX, _MIN = "limits.max_by_wager.", "limits.min_by_wager."


def check_limits(house: House) -> Iterator[Finding]:
    """Table limits in order and in whole chips, the book's own maxima kept, and every wager still
    playable: one finding for an election, the first of these that holds it back."""
    found: dict[str, Finding] = {}
    for check in (_check_table, _check_wagers, _check_chips, _check_playable):
        for one in check(house):
            found.setdefault(one.key, one)
    yield from found.values()


def _check_wagers(house: House) -> Iterator[Finding]:
    for family, rule in house.book.wager.items():
        if isinstance(rule, OddsRule):  # held to the flat wager: see check_odds
            continue
        for slug, number in slugs_of(house.book, family, rule):
            yield from _check_most(house, rule, slug, number)
            yield from _check_least(house, rule, slug, number)


def _check_table(house: House) -> Iterator[Finding]:
    printed = house.book.stakes.max_default
    if printed.cites and "limits.max" in house.elections and house.maximum > printed.value * 100:
        allowed = f"at most {show_dollars(printed.value * 100)}"
        yield refused("limits.max", house.elections["limits.max"], allowed, printed)
    for key, least in (("limits.min", house.minimum), ("limits.center_min", house.center_minimum)):
        if key in house.elections:
            yield from _check_minimum(house, key, least)
    elected = {"limits.min", "limits.center_min"} & house.elections.keys()
    if house.minimum > house.maximum and not elected:
        allowed = f"at least the minimum, {show_dollars(house.minimum)}"
        yield finding("limits.max", house.elections["limits.max"], allowed, [_ORDERED])


def _check_minimum(house: House, key: str, least: int) -> Iterator[Finding]:
    """A table's minimum: not over the most that the book lets some wager hold, nor the maximum."""
    tight = min(_printed_mosts(house, key), key=lambda one: one[0], default=None)
    if tight is not None and least > tight[0]:
        allowed = f"at most {show_dollars(tight[0])}, the most that {tight[1]} takes"
        yield finding(key, house.elections[key], allowed, tight[2])
    elif least > house.maximum:
        allowed = f"at most the maximum, {show_dollars(house.maximum)}"
        yield finding(key, house.elections[key], allowed, [_ORDERED])


def _printed_mosts(house: House, key: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """The most that the book lets each wager hold whose minimum is this one."""
    for family, rule in house.book.wager.items():
        center = rule.area == "center"
        own = isinstance(rule, OddsRule) or (isinstance(rule, Collect) and rule.minimum is not None)
        if own or center != (key == "limits.center_min") or not deals(house, rule):
            continue
        for slug, number in slugs_of(house.book, family, rule):
            most, cites = _own_most(house, rule, number)
            if most is not None and slug not in house.min_by_wager:
                yield most, slug, cites


def _check_most(house: House, rule: AnyWager, slug: str, number: int) -> Iterator[Finding]:
    """A wager's maximum: not over the book's own, not under the wager's minimum."""
    key = _MAX + slug
    if key not in house.elections:
        return
    most, cites = _own_most(house, rule, number)
    if most is not None and house.max_by_wager[slug] > most:
        yield finding(key, house.elections[key], f"at most {show_dollars(most)}", cites)
        return
    low = limits_of(house, rule, slug, number).low
    if house.max_by_wager[slug] < low:
        allowed = f"at least the minimum, {show_dollars(low)}"
        yield finding(key, house.elections[key], allowed, [_ORDERED])


def _own_most(house: House, rule: AnyWager, number: int) -> tuple[int | None, tuple[str, ...]]:
    """The most that the book prints for a wager, or for a composite through its legs, in cents."""
    if isinstance(rule, Collect) and rule.maximum is not None:
        return rule.maximum.value * 100, rule.maximum.clauses or (rule.maximum.cite,)
    printed = printed_most(rule.most, number)
    found = [(printed.dollars * 100, printed.clauses)] if printed is not None else []
    legs = legs_of(house.book, rule, number)
    for leg, units in legs.items():
        line = printed_most(house.book.wager[leg].most, 0)
        if line is not None:
            found.append((line.dollars * 100 * sum(legs.values()) // units, line.clauses))
    return min(found, key=lambda one: one[0], default=(None, ()))


def _check_least(house: House, rule: AnyWager, slug: str, number: int) -> Iterator[Finding]:
    """A wager's minimum: not under the book's own, not over the wager's maximum."""
    key = _MIN + slug
    if key not in house.elections:
        return
    least = house.min_by_wager[slug]
    own = rule.minimum if isinstance(rule, Collect) else None
    if own is not None and least < own.value * 100:
        allowed = f"at least {show_dollars(own.value * 100)}"
        yield refused(key, least, allowed, own)
    printed, cites = _own_most(house, rule, number)
    high = limits_of(house, rule, slug, number).high
    if printed is not None and least > printed:
        yield finding(key, least, f"at most {show_dollars(printed)}", cites)
    elif least > high and _MAX + slug not in house.elections:
        allowed = f"at most the maximum, {show_dollars(high)}"
        yield finding(key, least, allowed, [_ORDERED])


def _check_chips(house: House) -> Iterator[Finding]:
    """Minima in whole chips: an elected one is held to the chip, the chip to the usual ones."""
    minima = {"limits.min": house.minimum, "limits.center_min": house.center_minimum}
    minima |= {_MIN + slug: least for slug, least in house.min_by_wager.items()}
    chip = show_dollars(house.chip)
    usual = []
    for key, least in minima.items():
        if least % house.chip and key in house.elections:
            allowed = f"a multiple of {chip}, the smallest chip"
            yield finding(key, house.elections[key], allowed, [_WHOLE])
        elif least % house.chip:
            usual.append(f"{key}, {show_dollars(least)}")
    if usual:
        allowed = f"a chip that goes into {' and '.join(usual)}, where those are not elected too"
        yield finding(_CHIP, house.elections[_CHIP], allowed, [_WHOLE])


def _check_playable(house: House) -> Iterator[Finding]:
    """A chip, a maximum or a payout with which some wager cannot be made at all."""
    for family, rule in house.book.wager.items():
        if not deals(house, rule) or isinstance(rule, OddsRule):
            continue
        for slug, number in slugs_of(house.book, family, rule):
            limits = limits_of(house, rule, slug, number)
            step = _step(house, rule, slug, number)
            key = _to_blame(house, family, slug)
            if key and limits.low <= limits.high and -(-limits.low // step) * step > limits.high:
                span = f"{show_dollars(limits.low)} to {show_dollars(limits.high)}"
                what = "a chip in which" if key == _CHIP else "a value with which"
                allowed = f"{what} {slug} can be made, from {span}"
                yield finding(key, house.elections[key], allowed, [limits.high_cite])


def _to_blame(house: House, family: str, slug: str) -> str:
    """Of the elections that decide in what steps a wager is made, the first that there is."""
    pays = [f"pays.{name}" for name in house.pays if name == slug or name.startswith(f"{family}-")]
    keys = (_CHIP, _MAX + slug, *pays)
    return next((key for key in keys if key in house.elections), "")


def _step(house: House, rule: AnyWager, slug: str, number: int) -> int:
    """The steps in which a wager can be made and paid: whole chips, or a unit on each leg."""
    odds = [odds for _, odds in lines_for(house, slug, rule, number)]
    return step_of(house, rule, odds)[0] * (sum(legs_of(house.book, rule, number).values()) or 1)


def check_pays(house: House) -> Iterator[Finding]:
    """Every payout elected: in the book's word, never under the book's, no other where fixed."""
    payouts = payouts_of(house.book)
    for name in house.pays:
        if name in payouts:  # what is not there is told as a wager that the book does not have
            yield from _check_payout(house, name, payouts[name])


def _check_payout(house: House, name: str, payout: Payout) -> Iterator[Finding]:
    key, given, stakes = f"pays.{name}", house.pays[name], house.book.stakes
    word = house.book.odds_word
    bound = stakes.pays_fixed
    if bound is None or payout.family not in bound.value:
        bound = None
    fixed = bound is not None or stakes.pays.value == "fixed"
    lines = [pay for pay in payout.lines if in_force(house, pay)] or payout.lines
    pay = min(lines, key=lambda line: Odds.parse(line.odds).ratio)
    posted = Odds.parse(pay.odds)
    allowed = f"exactly {posted}" if fixed else f"{posted} or more"
    cites: tuple[str, ...] = ()
    if f" {word.value} " not in str(house.elections[key]):
        allowed += f', posted with the word "{word.value}"'
        cites = clauses_of(word)
    if given.ratio < posted.ratio or (fixed and given.ratio != posted.ratio):
        general = bound if bound is not None else stakes.pays
        cites += (pay.cite, *pay.clauses, *general.clauses)
    if cites:
        yield finding(key, house.elections[key], allowed, cites)
