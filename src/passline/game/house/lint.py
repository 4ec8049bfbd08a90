"""Check elections: report each that the rulebook does not allow, what it allows, and the clause.

Each check covers one subject: limits and payouts, chips, odds, dice, and the book's own choices.
It yields a ``Finding`` for each election that fails. ``lint`` runs all checks, and those of
``lint_vigorish``. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import ceil

from passline.game.house.elections import (
    CHIPS_PREFIX,
    Elections,
    ElectionValue,
    find_unlisted_name,
    is_always_dealt,
    show_value,
)
from passline.game.house.house import (
    House,
    choose_game,
    resolve_house,
    three_four_five_multiples,
)
from passline.game.house.limits import find_book_maximum, find_limits, find_stake_step
from passline.game.house.lint_findings import Finding, list_clauses, make_finding
from passline.game.house.lint_vigorish import check_vigorish
from passline.game.house.payouts import (
    Payout,
    find_pay_lines,
    find_payouts,
    is_dealt,
    is_line_active,
)
from passline.game.house.rule_elections import (
    BAR_KEY,
    LEFT_OUT,
    RULE_KINDS,
    RuleChange,
    iter_changes,
    list_bar_choices,
    list_kinds,
)
from passline.game.law.book import Book
from passline.game.law.citations import CitedValue
from passline.game.law.shapes import AnyWager
from passline.game.law.shapes.odds import OddsRule
from passline.game.law.wager_names import iter_slugs
from passline.game.money.amounts import Odds, show_dollars
from passline.game.money.chips import standard_chip_values
from passline.text import join_words

_ORDER_REASON = "custom: a maximum is no less than the minimum"
_WHOLE_CHIPS_REASON = "custom: wagers are made in the house's chips"
_CHIP_KEY = "limits.smallest_chip"
_MAX_PREFIX, _MIN_PREFIX = "limits.max_by_wager.", "limits.min_by_wager."


def _check_limits(house: House) -> Iterator[Finding]:
    """Yield a finding for each elected limit that breaks a rule: the first rule that it breaks.

    The rules: minimum below maximum, whole chips, the book's limits, and every wager playable.
    """
    found: dict[str, Finding] = {}
    for check in (_check_table_limits, _check_wagers, _check_chips, _check_playable):
        for one in check(house):
            found.setdefault(one.key, one)
    yield from found.values()


def _check_wagers(house: House) -> Iterator[Finding]:
    for family, rule in house.book.wager.items():
        if rule.is_odds:  # Odds are limited by their flat wager: see _check_odds.
            continue
        for slug, number in iter_slugs(house.book, family, rule):
            yield from _check_wager_maximum(house, rule, slug, number)
            yield from _check_wager_minimum(house, rule, slug, number)


def _check_table_limits(house: House) -> Iterator[Finding]:
    printed = house.book.stakes.max_default
    if printed.cites and "limits.max" in house.elections and house.maximum > printed.value * 100:
        allowed = f"at most {show_dollars(printed.value * 100)}"
        yield make_finding("limits.max", house.elections["limits.max"], allowed, printed)
    for key, least in (("limits.min", house.minimum), ("limits.center_min", house.center_minimum)):
        if key in house.elections:
            yield from _check_table_minimum(house, key, least)
    elected = {"limits.min", "limits.center_min"} & house.elections.keys()
    if house.minimum > house.maximum and not elected:
        allowed = f"at least the minimum, {show_dollars(house.minimum)}"
        yield make_finding("limits.max", house.elections["limits.max"], allowed, [_ORDER_REASON])


def _check_table_minimum(house: House, key: str, least: int) -> Iterator[Finding]:
    """Yield a finding if a table minimum (``least``, elected by ``key``) is above a maximum."""
    tight = min(_list_book_maxima(house, key), key=lambda one: one[0], default=None)
    if tight is not None and least > tight[0]:
        allowed = f"at most {show_dollars(tight[0])}, the most that {tight[1]} takes"
        yield make_finding(key, house.elections[key], allowed, tight[2])
    elif least > house.maximum:
        allowed = f"at most the maximum, {show_dollars(house.maximum)}"
        yield make_finding(key, house.elections[key], allowed, [_ORDER_REASON])


def _list_book_maxima(house: House, key: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield (cents, slug, clauses): the book's maximum for each wager that has a given minimum.

    ``key`` is the election of that minimum: the table's or the center's.
    """
    for family, rule in house.book.wager.items():
        center = rule.area == "center"
        own = rule.is_odds or rule.own_minimum is not None
        if own or center != (key == "limits.center_min") or not is_dealt(house, rule):
            continue
        for slug, number in iter_slugs(house.book, family, rule):
            most, cites = _find_own_maximum(house, rule, number)
            if most is not None and slug not in house.min_by_wager:
                yield most, slug, cites


def _check_wager_maximum(house: House, rule: AnyWager, slug: str, number: int) -> Iterator[Finding]:
    """Yield a finding if a wager's elected maximum is above the book's or below its own minimum."""
    key = _MAX_PREFIX + slug
    if key not in house.elections:
        return
    most, cites = _find_own_maximum(house, rule, number)
    if most is not None and house.max_by_wager[slug] > most:
        yield make_finding(key, house.elections[key], f"at most {show_dollars(most)}", cites)
        return
    low = find_limits(house, rule, slug, number).low
    if house.max_by_wager[slug] < low:
        allowed = f"at least the minimum, {show_dollars(low)}"
        yield make_finding(key, house.elections[key], allowed, [_ORDER_REASON])


def _find_own_maximum(
    house: House, rule: AnyWager, number: int
) -> tuple[int | None, tuple[str, ...]]:
    """Return (the book's maximum for a wager in cents, its clauses), or (None, ()) if it has none.

    A composite, such as a horn, is also limited by the maximums of its legs.
    """
    if rule.own_maximum is not None:
        return rule.own_maximum.value * 100, rule.own_maximum.clauses or (rule.own_maximum.cite,)
    printed = find_book_maximum(rule.most, number)
    found = [(printed.dollars * 100, printed.clauses)] if printed is not None else []
    legs = rule.find_legs(house.book, number)
    for leg, units in legs.items():
        line = find_book_maximum(house.book.wager[leg].most, 0)
        if line is not None:
            found.append((line.dollars * 100 * sum(legs.values()) // units, line.clauses))
    return min(found, key=lambda one: one[0], default=(None, ()))


def _check_wager_minimum(house: House, rule: AnyWager, slug: str, number: int) -> Iterator[Finding]:
    """Yield a finding if a wager's elected minimum is below the book's or above a maximum."""
    key = _MIN_PREFIX + slug
    if key not in house.elections:
        return
    least = house.min_by_wager[slug]
    own = rule.own_minimum
    if own is not None and least < own.value * 100:
        allowed = f"at least {show_dollars(own.value * 100)}"
        yield make_finding(key, least, allowed, own)
    printed, cites = _find_own_maximum(house, rule, number)
    high = find_limits(house, rule, slug, number).high
    if printed is not None and least > printed:
        yield make_finding(key, least, f"at most {show_dollars(printed)}", cites)
    elif least > high and _MAX_PREFIX + slug not in house.elections:
        allowed = f"at most the maximum, {show_dollars(high)}"
        yield make_finding(key, least, allowed, [_ORDER_REASON])


def _check_chips(house: House) -> Iterator[Finding]:
    """Yield a finding for each minimum, elected or default, that is not whole chips."""
    minima = {"limits.min": house.minimum, "limits.center_min": house.center_minimum}
    minima |= {_MIN_PREFIX + slug: least for slug, least in house.min_by_wager.items()}
    chip = show_dollars(house.chip)
    usual = []
    for key, least in minima.items():
        if least % house.chip and key in house.elections:
            allowed = f"a multiple of {chip}, the smallest chip"
            yield make_finding(key, house.elections[key], allowed, [_WHOLE_CHIPS_REASON])
        elif least % house.chip:
            usual.append(f"{key}, {show_dollars(least)}")
    if usual:
        allowed = f"a chip that goes into {' and '.join(usual)}, where those are not elected too"
        yield make_finding(_CHIP_KEY, house.elections[_CHIP_KEY], allowed, [_WHOLE_CHIPS_REASON])


def _check_playable(house: House) -> Iterator[Finding]:
    """Yield a finding for each elected value with which no stake of some wager is possible.

    The value is a chip, a maximum or a payout.
    """
    for family, rule in house.book.wager.items():
        if not is_dealt(house, rule) or rule.is_odds:
            continue
        for slug, number in iter_slugs(house.book, family, rule):
            limits = find_limits(house, rule, slug, number)
            step = _find_wager_step(house, rule, slug, number)
            key = _find_cause(house, family, slug)
            if key and limits.low <= limits.high and -(-limits.low // step) * step > limits.high:
                span = f"{show_dollars(limits.low)} to {show_dollars(limits.high)}"
                what = "a chip in which" if key == _CHIP_KEY else "a value with which"
                allowed = f"{what} {slug} can be made, from {span}"
                yield make_finding(key, house.elections[key], allowed, [limits.high_cite])


def _find_cause(house: House, family: str, slug: str) -> str:
    """Return the key of the first election that affects a wager's possible stakes, or ""."""
    pays = [f"pays.{name}" for name in house.pays if name == slug or name.startswith(f"{family}-")]
    keys = (_CHIP_KEY, _MAX_PREFIX + slug, *pays)
    return next((key for key in keys if key in house.elections), "")


def _find_wager_step(house: House, rule: AnyWager, slug: str, number: int) -> int:
    """Return the step in cents of a wager's stake with which it, and each leg, can be paid."""
    odds = [odds for _, odds in find_pay_lines(house, slug, rule, number)]
    return find_stake_step(house, rule, odds)[0] * (
        sum(rule.find_legs(house.book, number).values()) or 1
    )


def _check_pays(house: House) -> Iterator[Finding]:
    """Yield a finding for each elected payout that the book does not allow.

    It must have the book's word ("to" or "for"), and pay as much as the book says or, if the book
    allows, more.
    """
    payouts = find_payouts(house.book)
    for name in house.pays:
        if name in payouts:  # Other names are reported by _check_unlisted.
            yield from _check_payout(house, name, payouts[name])


def _check_payout(house: House, name: str, payout: Payout) -> Iterator[Finding]:
    key, given, stakes = f"pays.{name}", house.pays[name], house.book.stakes
    word = house.book.odds_word
    bound = stakes.pays_fixed
    if bound is None or payout.family not in bound.value:
        bound = None
    if bound is None and stakes.pays.value == "posted":
        return
    fixed = bound is not None or stakes.pays.value == "fixed"
    lines = [pay for pay in payout.lines if is_line_active(house, pay)] or payout.lines
    pay = min(lines, key=lambda line: Odds.parse(line.odds).ratio)
    posted = Odds.parse(pay.odds)
    allowed = f"exactly {posted}" if fixed else f"{posted} or more"
    cites: tuple[str, ...] = ()
    if f" {word.value} " not in str(house.elections[key]):
        allowed += f', posted with the word "{word.value}"'
        cites = list_clauses(word)
    if given.ratio < posted.ratio or (fixed and given.ratio != posted.ratio):
        general = bound if bound is not None else stakes.pays
        cites += (pay.cite, *pay.clauses, *general.clauses)
    if cites:
        yield make_finding(key, house.elections[key], allowed, cites)


_ONE_COLOR_REASON = "custom: a color stands for one value, and a value has one color"
_MULTIPLE_REASON = "custom: every chip is a multiple of the smallest"
_SMALLEST_CHIP_REASON = "custom: what a table pays in its smallest chip, it must have that chip for"


def _check_rack(house: House) -> Iterator[Finding]:
    """Yield findings about the chip colors.

    Values must differ, be multiples of the smallest chip, and include it.
    """
    elected = [key for key in house.elections if key.startswith(CHIPS_PREFIX)]
    wrong = {found.key: found for key in elected for found in _check_color(house, key)}
    yield from wrong.values()
    if any(chip.value == house.chip for chip in house.rack.chips):
        return
    # The standard rack has a chip of the smallest value. It is missing only if the house elects
    # another value for that color.
    standard = standard_chip_values(house.chip)
    key = next(CHIPS_PREFIX + colour for colour, cents in standard.items() if cents == house.chip)
    if key not in wrong:
        allowed = f"some color at {show_dollars(house.chip)}, the smallest chip"
        yield make_finding(key, house.elections[key], allowed, [_SMALLEST_CHIP_REASON])


def _check_color(house: House, key: str) -> Iterator[Finding]:
    value = house.elections[key]
    if not isinstance(value, int) or value is False:
        return
    colour, least = key.removeprefix(CHIPS_PREFIX), show_dollars(house.chip)
    same = [c.color for c in house.rack.chips if c.value == value and c.color != colour]
    if value % house.chip:
        allowed = f"a multiple of {least}, the smallest chip"
        yield make_finding(key, value, allowed, [_MULTIPLE_REASON])
    elif same:
        allowed = f"a value of its own ({same[0]} is {show_dollars(value)})"
        yield make_finding(key, value, allowed, [_ONE_COLOR_REASON])


def _check_odds(house: House) -> Iterator[Finding]:
    """Yield findings about the elected odds multiples, then about the odds limits in dollars."""
    for key, value in house.elections.items():
        if key.startswith("odds.multiple"):
            yield from _check_multiple(house, key, value)
    for family, rule in house.book.wager.items():
        if isinstance(rule, OddsRule):
            for slug, number in iter_slugs(house.book, family, rule):
                yield from _check_odds_limits(house, rule, slug, number)


def _check_multiple(house: House, key: str, value: object) -> Iterator[Finding]:
    multiples = three_four_five_multiples(house.book).values() if value == "3-4-5" else (value,)
    times = [m for m in multiples if isinstance(m, int | Fraction)]
    broken: list[CitedValue[int]] = []
    allowed: dict[str, str] = {}
    for side, low, high in _list_multiple_bounds(house):
        broken += [low] if min(times) < low.value else []
        broken += [high] if high is not None and max(times) > high.value else []
        allowed[side] = f"{low.value} or more" if high is None else f"{low.value} to {high.value}"
    if broken:
        ranges = [f"{words} {side}" for side, words in allowed.items()]
        words = " and ".join(ranges) if len(set(allowed.values())) > 1 else allowed["taken"]
        yield make_finding(key, value, words, list_clauses(*broken))


def _list_multiple_bounds(
    house: House,
) -> Iterator[tuple[str, CitedValue[int], CitedValue[int] | None]]:
    """Yield (side, least, most): the range of the odds multiple that a house may elect.

    The side is ``taken``, then ``laid``. ``most`` is None if the book sets no limit.
    """
    odds = house.book.odds
    yield "taken", odds.least, odds.most
    rules = house.book.wager.values()
    if any(rule.is_laid(house.book) for rule in rules):
        yield "laid", odds.laid_least or odds.least, odds.laid_most or odds.most


def _check_odds_limits(house: House, rule: OddsRule, slug: str, number: int) -> Iterator[Finding]:
    """Yield a finding if odds limits in dollars forbid odds that the book guarantees a player.

    The book guarantees a least multiple of the flat wager.
    """
    if slug not in house.max_by_wager and slug not in house.min_by_wager:
        return
    odds, title = house.book.odds, rule.find_flat(house.book).title.lower()
    least = (odds.laid_least if rule.is_laid(house.book) else None) or odds.least
    cites = list_clauses(least)
    if rule.limited_by in cites:
        cites = (rule.limited_by, *cites)
    low, high = _find_guaranteed_odds(house, rule, slug, number)
    low, high = low * least.value, high * least.value
    if odds.posted_max.value:
        high = min(high, Fraction(house.maximum))
    takes = f"{title} wager takes odds of {least.value} times"
    if house.max_by_wager.get(slug, high) < high:
        allowed = f"at least {show_dollars(ceil(high))}, so that the largest {takes}"
        yield make_finding(_MAX_PREFIX + slug, house.max_by_wager[slug], allowed, cites)
    # The book accepts odds below any minimum.
    if odds.under_min is not None and odds.under_min.cites:
        low, cites = Fraction(house.chip), odds.under_min.clauses
        takes = f"{title} wager takes odds under the table's minimum"
    if house.min_by_wager.get(slug, low) > low:
        allowed = f"at most {show_dollars(ceil(low))}, so that the smallest {takes}"
        yield make_finding(_MIN_PREFIX + slug, house.min_by_wager[slug], allowed, cites)


def _find_guaranteed_odds(
    house: House, rule: OddsRule, slug: str, number: int
) -> tuple[Fraction, Fraction]:
    """Return (least, most): the odds in cents that equal the smallest and the largest flat wager.

    A player must be allowed to bet these amounts times the book's least multiple.
    """
    flat = rule.find_flat(house.book)
    limits = find_limits(house, flat, rule.flat, 0)
    high = limits.high
    if number:  # A come wager that has traveled has the same maximum as before.
        high = min(high, find_limits(house, flat, f"{rule.flat}-{number}", number).high)
    points = (number,) if number else house.book.points.value
    stakes = [_odds_per_flat_dollar(house, rule, slug, point) for point in points]
    return limits.low * min(stakes), high * max(stakes)


def _odds_per_flat_dollar(house: House, rule: OddsRule, slug: str, point: int) -> Fraction:
    """Return the dollars of odds that the odds limit counts as one dollar of the flat bet.

    This is $1 where the limit is on the odds staked. Where it is on what the odds win (as for all
    laid odds), it is the stake that wins $1.
    """
    if not rule.is_laid(house.book) and house.book.odds.taken_by.value == "stake":
        return Fraction(1)
    return 1 / find_pay_lines(house, slug, rule, point)[0][1].ratio


_MAX_DICE = 100
#: How many answers of ``lint`` are cached.
_MAX_CACHED_ANSWERS = 256


class _LintKey:
    """A cache key, equal only for the same book object, and the same game and elections.

    Elections of the same keys and values in another order are not the same, because the findings
    come in that order; nor are 1 and True.
    """

    __slots__ = ("book", "elections", "game", "text")

    def __init__(self, book: Book, game: str | None, elections: Elections) -> None:
        self.book, self.game, self.elections = book, game, elections
        self.text = f"{game!r} {elections!r}"

    def __hash__(self) -> int:
        return hash((id(self.book), self.text))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _LintKey) and self.book is other.book and self.text == other.text


def lint(book: Book, game: str | None, elections: Elections) -> tuple[Finding, ...]:
    """Return every election that the book does not allow, one finding each.

    >>> from passline.game.law.load import rulebook
    >>> [f.message for f in lint(rulebook("new-jersey"), "craps", {"odds.multiple": 101})]
    ['odds.multiple = 101 is not allowed; allowed: 1 to 100 [19:47-1.6(e)#1]']
    """
    return _lint_cached(_LintKey(book, game, dict(elections)))


@lru_cache(_MAX_CACHED_ANSWERS)
def _lint_cached(key: _LintKey) -> tuple[Finding, ...]:
    book, elections = key.book, key.elections
    game = choose_game(book, elections.get("game"), key.game)
    found: list[Finding] = []
    if game not in book.games.value:
        found.append(make_finding("game", game, _show_choices(book.games.value), book.games))
        game = book.games.value[0]
    found += _check_rules(book, elections)
    house = resolve_house(book, game, elections)
    for check in (
        _check_unlisted,
        _check_limits,
        _check_rack,
        _check_breakage,
        _check_odds,
        _check_pays,
        check_vigorish,
        _check_offers,
        _check_dice,
        _check_fees,
    ):
        found.extend(check(house))
    return tuple(found)


def _check_rules(book: Book, elections: Elections) -> Iterator[Finding]:
    """Yield a finding for each elected rule value that a clause of the book does not allow."""
    kinds, wrong = list_kinds(book), dict[str, list[RuleChange]]()
    for change in iter_changes(book, elections):
        if change.forbidden:
            wrong.setdefault(change.key, []).append(change)
    for key, value in elections.items():
        head, dot, kind = key.partition(".")
        if key == BAR_KEY and value not in list_bar_choices(book):
            allowed = join_words([str(n) for n in list_bar_choices(book)], "or")
            cites = wrong[key][0].stated.clauses if key in wrong else (book.unlisted,)
            yield make_finding(key, value, allowed or f"{book.id} bars no total", cites)
        elif head + dot in RULE_KINDS and kind not in kinds:
            yield make_finding(key, value, f"nothing ({book.id} has no {kind})", [book.unlisted])
        elif key in wrong:
            clauses = list_clauses(*(change.stated for change in wrong[key]))
            allowed = _show_rule(head, wrong[key][0].now)
            yield make_finding(key, value, allowed, clauses)


def _show_rule(head: str, now: object) -> str:
    """Return what the book says, written as the value of an election.

    ``head`` is the beginning of the election's key, and ``now`` the book's value.
    """
    if head == "call_off" and now == "returned":
        return "a wager that is called off comes down"
    if head == "call_off":
        return show_value(now != "no")
    return show_value(now)


def _show_choices(values: tuple[str | bool | int, ...]) -> str:
    return join_words([show_value(value) for value in values], "or")


def _check_unlisted(house: House) -> Iterator[Finding]:
    """Yield a finding for each limit or payout of a wager that the book does not have."""
    book = house.book
    for key, value in house.elections.items():
        if name := find_unlisted_name(book, key):
            yield make_finding(key, value, f"nothing ({book.id} has no {name})", [book.unlisted])


def _check_breakage(house: House) -> Iterator[Finding]:
    allowed = house.book.stakes.breakage_allowed
    given = house.elections.get("limits.breakage")
    if given is not None and given not in allowed.value:
        yield make_finding("limits.breakage", given, _show_choices(allowed.value), allowed)


def _check_offers(house: House) -> Iterator[Finding]:
    for key, value in house.elections.items():
        parent = key.rpartition(".")[0]
        if key in house.book.elect:
            yield from _check_choice(house, key, value)
        elif parent in house.book.elect:
            choices = house.book.elect[parent].choices
            allowed = f"{_show_choices(choices.value or (True, False))}, for the whole of {parent}"
            yield make_finding(key, value, allowed, choices)
        elif key.startswith("offers."):
            yield from _check_not_elective(house, key, value)


def _check_choice(house: House, key: str, value: ElectionValue) -> Iterator[Finding]:
    """Yield a finding if the value is not among the book's choices, or is for another game."""
    elective = house.book.elect[key]
    choices = elective.choices.value or (True, False)
    # In Python True == 1, but a house that writes 1 does not mean true.
    if not any(type(choice) is type(value) and choice == value for choice in choices):
        yield make_finding(key, value, _show_choices(choices), elective.choices)
        return
    name = key.removeprefix("offers.")
    for rule in house.book.wager.values():
        if value is not False and rule.offer == name and rule.games is not None:
            if house.game not in rule.games.value:
                allowed = f"{rule.title} is dealt only in {', '.join(rule.games.value)}"
                yield make_finding(key, value, allowed, rule.games)
            return


def _check_not_elective(house: House, key: str, value: ElectionValue) -> Iterator[Finding]:
    """Yield a finding for an election of something that the book does not leave to the house.

    ``key`` begins with ``offers.``. The value may still repeat the rulebook: true if the book deals
    the wager, else false.
    """
    book = house.book
    if not is_always_dealt(book, key.removeprefix("offers.")):
        if value is not False:
            cites = [book.unlisted]
            if key == "offers.match_play":
                cites += book.tender.match_play.clauses
            yield make_finding(key, value, f"false ({book.id} has no such offer)", cites)
    elif value is not True and not (value is False and key.removeprefix("offers.") in LEFT_OUT):
        reason = f"custom: {book.id} deals it without an election"
        allowed = "true or false" if key.removeprefix("offers.") in LEFT_OUT else "true"
        yield make_finding(key, value, allowed, [reason])


def _check_dice(house: House) -> Iterator[Finding]:
    yield from _check_callers(house)
    given = house.elections.get("dice.set_of")
    dice = house.book.dice
    if not isinstance(given, int) or given == dice.set_of.value:
        return
    more = dice.set_more.value
    if given < dice.set_of.value or not more:
        allowed = f"{dice.set_of.value}" + (" or more" if more else "")
        yield make_finding("dice.set_of", given, allowed, dice.set_of)
    elif given > _MAX_DICE:
        allowed = f"{dice.set_of.value} to {_MAX_DICE}"
        yield make_finding("dice.set_of", given, allowed, ["custom: a set of dice fits its cup"])


def _check_callers(house: House) -> Iterator[Finding]:
    """Yield a finding if the house lets roles call "no roll" that the book does not allow to."""
    given = house.elections.get("dice.no_roll_by")
    if not isinstance(given, tuple):
        return
    throw = house.book.throw
    callers = throw.callers.get(house.game)
    designate = throw.designate.get(house.game)
    if callers is None:
        none = house.book.dice.automated
        yield make_finding("dice.no_roll_by", given, f"nobody calls dice in {house.game}", none)
    elif not set(given) <= set(callers.value):
        allowed = f"one or more of {', '.join(callers.value)}"
        yield make_finding("dice.no_roll_by", given, allowed, callers)
    elif designate is not None and not designate.value and set(given) != set(callers.value):
        allowed = f"all of {', '.join(callers.value)}"
        yield make_finding("dice.no_roll_by", given, allowed, designate)


def _check_fees(house: House) -> Iterator[Finding]:
    """Yield a finding for every fee on a wager. Only vigorish is allowed, by its own keys."""
    cite = house.book.no_other_fee or "custom: the only fee on a wager is vigorish"
    vig = " and ".join(house.book.vig)
    for key, value in house.elections.items():
        if key.startswith("fees."):
            allowed = f"no fee but the vigorish on {vig} wagers"
            yield make_finding(key, value, allowed, [cite])
