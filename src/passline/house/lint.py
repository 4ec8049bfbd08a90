"""Lint: every election that the rulebook does not allow, with what it allows and its citation."""

from __future__ import annotations

from collections.abc import Iterator

from passline.house.elections import Elections, Value
from passline.house.finding import Finding, finding, refused
from passline.house.house import House, game_of, resolve
from passline.house.keys import show, unlisted
from passline.house.lint_amounts import check_limits, check_pays
from passline.house.lint_chips import check_rack
from passline.house.lint_odds import lint_odds
from passline.house.lint_vig import lint_vig
from passline.house.offers import deals_always
from passline.law.book import Book, Elective
from passline.sentences import join_words

__all__ = ["Finding", "lint"]

_MOST_DICE = 100


def lint(book: Book, game: str | None, elections: Elections) -> tuple[Finding, ...]:
    """Every election that the book does not allow, one finding each.

    >>> from passline.law import rulebook
    >>> [f.message for f in lint(rulebook("new-jersey"), "craps", {"odds.multiple": 101})]
    ['odds.multiple = 101 is not allowed; allowed: 1 to 100 [19:47-1.6(e)#1]']
    """
    game = game_of(book, elections.get("game"), game)
    found: list[Finding] = []
    if game not in book.games.value:
        found.append(refused("game", game, _one_of(book.games.value), book.games))
        game = book.games.value[0]
    house = resolve(book, game, elections)
    for check in (
        _check_unlisted,
        check_limits,
        check_rack,
        _check_breakage,
        lint_odds,
        check_pays,
        lint_vig,
        _check_offers,
        _check_dice,
        _check_fees,
    ):
        found.extend(check(house))
    return tuple(found)


def _one_of(values: tuple[str | bool | int, ...]) -> str:
    return join_words([show(value) for value in values], "or")


def _check_unlisted(house: House) -> Iterator[Finding]:
    """Limits and payouts of a wager that the book does not have."""
    book = house.book
    for key, value in house.elections.items():
        if name := unlisted(book, key):
            yield finding(key, value, f"nothing ({book.id} has no {name})", [book.unlisted])


def _check_breakage(house: House) -> Iterator[Finding]:
    allowed = house.book.stakes.breakage_allowed
    given = house.elections.get("limits.breakage")
    if given is not None and given not in allowed.value:
        yield refused("limits.breakage", given, _one_of(allowed.value), allowed)


def _check_offers(house: House) -> Iterator[Finding]:
    for key, value in house.elections.items():
        parent = key.rpartition(".")[0]
        if key in house.book.elect:
            yield from _check_choice(house, key, value)
        elif parent in house.book.elect:
            choices = house.book.elect[parent].choices
            allowed = f"{_choices(house.book.elect[parent])}, for the whole of {parent}"
            yield refused(key, value, allowed, choices)
        elif key.startswith("offers."):
            yield from _check_unelective(house, key, value)


def _choices(elective: Elective) -> str:
    choices = elective.choices.value or (True, False)
    return _one_of(choices)


def _check_choice(house: House, key: str, value: Value) -> Iterator[Finding]:
    """One of the book's own elections: a value that it offers, in a game that has the wager."""
    elective = house.book.elect[key]
    choices = elective.choices.value or (True, False)
    # True equals 1 in Python, but no house writes 1 for true.
    if not any(type(choice) is type(value) and choice == value for choice in choices):
        yield refused(key, value, _choices(elective), elective.choices)
        return
    name = key.removeprefix("offers.")
    for rule in house.book.wager.values():
        if value is not False and rule.offer == name and rule.games is not None:
            if house.game not in rule.games.value:
                allowed = f"{rule.title} is dealt only in {', '.join(rule.games.value)}"
                yield refused(key, value, allowed, rule.games)
            return


def _check_unelective(house: House, key: str, value: Value) -> Iterator[Finding]:
    """A wager, or an offer that some rulebook makes elective, over which this one gives no say."""
    book = house.book
    if not deals_always(book, key.removeprefix("offers.")):
        if value is not False:
            cites = [book.unlisted]
            if key == "offers.match_play":
                cites += book.tender.match_play.clauses
            yield finding(key, value, f"false ({book.id} has no such offer)", cites)
    elif value is not True:
        reason = f"custom: {book.id} deals it without an election"
        yield finding(key, value, "true", [reason])


def _check_dice(house: House) -> Iterator[Finding]:
    yield from _check_callers(house)
    given = house.elections.get("dice.set_of")
    dice = house.book.dice
    if not isinstance(given, int) or given == dice.set_of.value:
        return
    more = dice.set_more.value
    if given < dice.set_of.value or not more:
        allowed = f"{dice.set_of.value}" + (" or more" if more else "")
        yield refused("dice.set_of", given, allowed, dice.set_of)
    elif given > _MOST_DICE:
        allowed = f"{dice.set_of.value} to {_MOST_DICE}"
        yield finding("dice.set_of", given, allowed, ["custom: a set of dice fits its cup"])


def _check_callers(house: House) -> Iterator[Finding]:
    """Who calls no roll: one or more of those who may, where the house designates them."""
    given = house.elections.get("dice.no_roll_by")
    if not isinstance(given, tuple):
        return
    throw = house.book.throw
    callers = throw.callers.get(house.game)
    designate = throw.designate.get(house.game)
    if callers is None:
        none = house.book.dice.automated
        yield refused("dice.no_roll_by", given, f"nobody calls dice in {house.game}", none)
    elif not set(given) <= set(callers.value):
        allowed = f"one or more of {', '.join(callers.value)}"
        yield refused("dice.no_roll_by", given, allowed, callers)
    elif designate is not None and not designate.value and set(given) != set(callers.value):
        allowed = f"all of {', '.join(callers.value)}"
        yield refused("dice.no_roll_by", given, allowed, designate)


def _check_fees(house: House) -> Iterator[Finding]:
    """No fee on a wager but vigorish, in any book."""
    cite = house.book.no_other_fee or "custom: the only fee on a wager is vigorish"
    vig = " and ".join(house.book.vig)
    for key, value in house.elections.items():
        if key.startswith("fees."):
            allowed = f"no fee but the vigorish on {vig} wagers"
            yield finding(key, value, allowed, [cite])
