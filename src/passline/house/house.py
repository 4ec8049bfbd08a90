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
from passline.law.cited import Cited
from passline.law.wagers import OddsRule
from passline.money import Odds, Rack, Rounding, paid_in_chips, round_to
from passline.money.chips import standard_values

#: How many times its flat wager odds may be: a whole number, or an exact fraction (2.5).
Multiple = int | Fraction


class VigTerms(msgspec.Struct, frozen=True):
    """Vigorish as this house takes it: rate, on what, when (by number), rounded how."""

    rate: Fraction
    base: str
    won_on: frozenset[int]
    rounding: Rounding
    chip: int
    #: How a win that does not come out in whole chips is paid.
    breakage: str
    refund: bool
    renews: bool

    def on(self, stake: int, odds: Odds) -> int:
        """What the rate is taken of, in cents: the stake, or the win as it is paid."""
        if self.base == "stake":
            return stake
        return paid_in_chips(stake * odds.win, odds.stake, self.chip, self.breakage)

    def charge(self, stake: int, odds: Odds) -> int:
        """The vigorish on a stake, in cents."""
        return round_to(self.on(stake, odds) * self.rate, self.chip, self.rounding)


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
    given = elected.get("odds.multiple", default.value if default else None)
    multiples: dict[int, Multiple] = {}
    if given == "3-4-5":
        multiples = three_four_five(book)
    elif given is not None:
        multiples = dict.fromkeys(odds_numbers(book), _number(given))
    if "odds.multiple" not in elected:
        multiples.update(_printed(book.odds.taken if taken else book.odds.laid))
    multiples.update(_own(elected))
    return dict(sorted(multiples.items()))


def _printed(table: Mapping[str, Cited[int]]) -> dict[int, int]:
    """Multiples as a book prints them ("4 10" → 3), by number."""
    return {int(n): multiple.value for key, multiple in table.items() for n in key.split()}


def three_four_five(book: Book) -> dict[int, Multiple]:
    """What 3-4-5 odds are on each number that has odds.

    >>> from passline.law import rulebook
    >>> three_four_five(rulebook("iowa"))
    {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
    """
    table = _printed(book.odds.three_four_five)
    return {number: table[number] for number in odds_numbers(book) if number in table}


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


def _vig_terms(which: str, vig: Vig, elected: Elections, chip: int, breakage: str) -> VigTerms:
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
        breakage=breakage,
        refund=vig.refund.value,
        renews=vig.renews is not None and vig.renews.value,
    )


def _cents(elected: Elections, key: str, default: Cited[int]) -> int:
    """An amount elected, or the book's default, which is in dollars."""
    value = elected.get(key, default.value * 100)
    assert isinstance(value, int)
    return value


def _center_minimum(elected: Elections, default: Cited[int], chip: int) -> int:
    """The least in the center as elected; by default the book's, or the next in whole chips."""
    least = _cents(elected, "limits.center_min", default)
    return least if "limits.center_min" in elected else -(-least // chip) * chip


def _by_wager(elected: Elections, stem: str) -> dict[str, int]:
    return {
        key.removeprefix(stem): value
        for key, value in elected.items()
        if key.startswith(stem) and isinstance(value, int)
    }


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
    stakes = book.stakes
    chip = _cents(elected, "limits.smallest_chip", stakes.chip_default)
    breakage = elected.get("limits.breakage")
    true_odds = str(breakage or stakes.true_odds_breakage.value)
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
        minimum=_cents(elected, "limits.min", stakes.min_default),
        center_minimum=_center_minimum(elected, stakes.center_min_default, chip),
        maximum=_cents(elected, "limits.max", stakes.max_default),
        max_by_wager=_by_wager(elected, "limits.max_by_wager."),
        min_by_wager=_by_wager(elected, "limits.min_by_wager."),
        breakage=str(breakage or stakes.breakage.value),
        true_odds_breakage=true_odds,
        taken=_by_point(book, elected, taken=True),
        laid=laid,
        laid_by=laid_by,
        pays={key: odds_of(odds) for key, odds in pays.items()},
        vig={w: _vig_terms(w, vig, elected, chip, true_odds) for w, vig in book.vig.items()},
        no_roll_by=designated,
    )
