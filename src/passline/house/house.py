"""A house: one rulebook, one game, and what the casino elected, resolved to plain values."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from passline.house.elections import Elections, Value, odds_of, read_elections
from passline.house.keys import CHIPS, ElectionError
from passline.house.payouts import is_laid, odds_numbers, on_number
from passline.law.book import Book, Vig
from passline.law.wagers import Odds as OddsRule
from passline.money import Odds, Rack, Rounding, round_to
from passline.money.chips import standard_values

#: How many times its flat wager odds may be: a whole number, or an exact fraction (2.5).
Multiple = int | Fraction

#: The multiples by which full odds win six times the flat on every point; in crapless craps the
#: same holds on 2 and 12 (6 to 1) and on 3 and 11 (3 to 1).
THREE_FOUR_FIVE = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
_DEFAULT_CHIP = 100
_DEFAULT_MIN = 500
_DEFAULT_CENTER_MIN = 100  # or the next amount in whole chips


class VigTerms(msgspec.Struct, frozen=True):
    """Vigorish as this house takes it: rate, on what, when (by number), rounded how."""

    rate: Fraction
    base: str
    won_on: frozenset[int]
    rounding: Rounding
    chip: int
    refund: bool
    renews: bool

    def charge(self, stake: int, odds: Odds) -> int:
        """The vigorish on a stake, in cents."""
        on = Fraction(stake) if self.base == "stake" else Fraction(stake * odds.win, odds.stake)
        return round_to(on * self.rate, self.chip, self.rounding)


class House(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that play reads of a casino. Money in cents."""

    book: Book
    game: str
    name: str
    elections: Elections
    #: The smallest chip's value, and every colour in use.
    chip: int
    rack: Rack
    minimum: int
    center_minimum: int
    maximum: int
    max_by_wager: dict[str, int]
    min_by_wager: dict[str, int]
    breakage: str
    true_odds_breakage: str
    #: Odds multiples by number: taken, by stake; laid, by ``laid_by``.
    taken: dict[int, Multiple]
    laid: dict[int, Multiple]
    #: Laid odds are limited by what they may win, or (a book's own table) by their stake.
    laid_by: str
    pays: dict[str, Odds]
    vig: dict[str, VigTerms]
    no_roll_by: tuple[str, ...]

    def elected(self, key: str) -> Value:
        """An election of the book's own (``offers.fire``), as given or by default."""
        if key in self.elections:
            return self.elections[key]
        return self.book.elect[key].default.value

    def offers(self, key: str) -> bool:
        """Whether something elective is dealt here."""
        full = f"offers.{key}"
        return full not in self.book.elect or self.elected(full) is not False


def _by_point(book: Book, elected: Elections, taken: bool) -> dict[int, Multiple]:
    """Odds multiples by number. A book that prints its own has them in its tables."""
    default = book.odds.default
    given: Value = elected.get("odds.multiple", default.value if default else 1)
    multiples: dict[int, Multiple] = {}
    for number in odds_numbers(book):
        multiples[number] = THREE_FOUR_FIVE[number] if given == "3-4-5" else _number(given)
    if "odds.multiple" not in elected:
        printed = book.odds.taken if taken else book.odds.laid
        for key, multiple in printed.items():
            multiples.update({int(n): multiple.value for n in key.split()})
    return {**multiples, **_own(elected)}


def _number(value: Value) -> Multiple:
    assert isinstance(value, int | Fraction)
    return value


def _own(elected: Elections) -> dict[int, Multiple]:
    """The multiples elected for one point each."""
    stem = "odds.multiple."
    return {int(k.removeprefix(stem)): _number(elected[k]) for k in elected if k.startswith(stem)}


def _laid(book: Book, elected: Elections) -> tuple[dict[int, Multiple], str]:
    """Laid multiples, and what they bound: a book's own table may bound the stake (Iowa's does).

    An elected multiple bounds what laid odds may win. Where only some points have one, the
    table's others are turned into what their stakes win, so that one word holds for all.
    """
    laid, printed, own = _by_point(book, elected, taken=False), book.odds.laid_by, _own(elected)
    if printed is None or printed.value == "win" or "odds.multiple" in elected:
        return laid, "win"
    if not own:
        return laid, "stake"
    prices = _laid_prices(book)
    return {n: own[n] if n in own else _whole(laid[n] * prices[n]) for n in laid}, "win"


def _laid_prices(book: Book) -> dict[int, Fraction]:
    """What a dollar of laid odds wins, by number."""
    for rule in book.wager.values():
        if isinstance(rule, OddsRule) and is_laid(book, rule):
            lines = {n: on_number(rule.pays, rule, n) for n in odds_numbers(book)}
            return {n: Odds.parse(pays[0].odds).ratio for n, pays in lines.items() if pays}
    return {}


def _whole(times: Fraction) -> Multiple:
    return times.numerator if times.denominator == 1 else times


def _vig_terms(which: str, vig: Vig, elected: Elections, chip: int) -> VigTerms:
    when = elected.get(f"{which}.when", vig.when.value)
    numbers = set(range(2, 13))
    won_on = numbers if when == "won" else set()
    if f"{which}.when" not in elected and vig.won_on is not None:
        won_on |= set(vig.won_on.value)
    for key, value in elected.items():
        if key.startswith(f"{which}.when."):
            number = int(key.rpartition(".")[2])
            (won_on.add if value == "won" else won_on.discard)(number)
    rate = elected.get(f"{which}.rate", Fraction(vig.rate.value))
    assert isinstance(rate, Fraction | int)
    rounding: Any = elected.get(f"{which}.rounding", vig.rounding.value)
    return VigTerms(
        rate=Fraction(rate),
        base=str(elected.get(f"{which}.base", vig.base.value)),
        won_on=frozenset(won_on),
        rounding=rounding,
        chip=chip,
        refund=vig.refund.value,
        renews=vig.renews is not None and vig.renews.value,
    )


def _cents(elected: Elections, key: str, default: int) -> int:
    value = elected.get(key, default)
    assert isinstance(value, int)
    return value


def _by_wager(elected: Elections, stem: str) -> dict[str, int]:
    return {k.removeprefix(stem): _cents(elected, k, 0) for k in elected if k.startswith(stem)}


def _rack(elected: Elections, chip: int) -> Rack:
    """The standard colours that go with the smallest chip, and the house's own over them."""
    values: dict[str, Value] = {**standard_values(chip)}
    for key, value in elected.items():
        if key.startswith(CHIPS):
            values[key.removeprefix(CHIPS)] = value
    return Rack.of({c: v for c, v in values.items() if isinstance(v, int) and v is not False})


def make_house(
    book: Book, game: str | None = None, given: Mapping[str, Any] | None = None, name: str = ""
) -> House:
    """A house with these elections; what is not elected is the book's default.

    Any house: whether the book allows the elections is not asked here, so that tests and studies
    can ask what would happen if it did. ``lawful_house`` asks.
    """
    elected = read_elections(book, given or {})
    game = game_of(book, game, elected.pop("game", None))
    if game not in book.games.value:
        games = ", ".join(book.games.value)
        raise ElectionError(f"{book.id} has no game {game!r}: its games are {games}")
    return resolve(book, game, elected, name)


def game_of(book: Book, *asked: Value | None) -> str:
    """The first game that is asked for at all, or the book's first."""
    return str(next((game for game in asked if game is not None), book.games.value[0]))


def resolve(book: Book, game: str, elected: Elections, name: str = "") -> House:
    """A house from elections that have been read."""
    chip = _cents(elected, "limits.smallest_chip", _DEFAULT_CHIP)
    breakage = elected.get("limits.breakage")
    callers = book.throw.callers.get(game)
    designated = elected.get("dice.no_roll_by", callers.value if callers else ())
    assert isinstance(designated, tuple)
    laid, laid_by = _laid(book, elected)
    pays = {k.removeprefix("pays."): str(v) for k, v in elected.items() if k.startswith("pays.")}
    return House(
        book=book,
        game=game,
        name=name or book.title,
        elections=elected,
        chip=chip,
        rack=_rack(elected, chip),
        minimum=_cents(elected, "limits.min", _DEFAULT_MIN),
        center_minimum=_cents(elected, "limits.center_min", -(-_DEFAULT_CENTER_MIN // chip) * chip),
        maximum=_cents(elected, "limits.max", book.stakes.max_default.value * 100),
        max_by_wager=_by_wager(elected, "limits.max_by_wager."),
        min_by_wager=_by_wager(elected, "limits.min_by_wager."),
        breakage=str(breakage or book.stakes.breakage.value),
        true_odds_breakage=str(breakage or book.stakes.true_odds_breakage.value),
        taken=_by_point(book, elected, taken=True),
        laid=laid,
        laid_by=laid_by,
        pays={key: odds_of(odds) for key, odds in pays.items()},
        vig={which: _vig_terms(which, vig, elected, chip) for which, vig in book.vig.items()},
        no_roll_by=designated,
    )
