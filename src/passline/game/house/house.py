"""A house: one rulebook, one game, and the casino's elections, resolved to plain values.

The table reads these values from a ``House``. ``describe_terms`` formats every value of a house as
text. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from passline.game.house.elections import (
    CHIPS_PREFIX,
    ElectionError,
    Elections,
    ElectionValue,
    parse_odds,
    read_elections,
    select_elections,
    show_election,
    show_value,
)
from passline.game.house.payouts import select_lines_for_number
from passline.game.house.rule_elections import elect_rules
from passline.game.house.vigorish import VigTerms, resolve_vig_terms
from passline.game.law.book import Book
from passline.game.law.citations import CitedValue
from passline.game.law.wager_names import odds_numbers
from passline.game.money.amounts import Odds, to_dollars
from passline.game.money.chips import Rack, standard_chip_values

#: The limit on odds as a multiple of the flat wager: an integer, or an exact fraction (2.5).
Multiple = int | Fraction


class House(msgspec.Struct, frozen=True, kw_only=True):
    """The rules and values by which one casino deals: its rulebook, and every elected value.

    The table reads these, and only a few choices from ``elections`` itself (``elected``,
    ``offers``). Money is in cents; ``max_by_wager`` and ``min_by_wager`` have limits of single
    wagers by slug, ``pays`` raised odds by payout name, and ``vig`` the vigorish on ``buy`` and
    ``lay`` wagers.
    """

    book: Book
    game: str
    name: str
    elections: Elections
    #: The value of the smallest chip, and the rack with every color in use.
    chip: int
    rack: Rack
    minimum: int
    center_minimum: int
    maximum: int
    max_by_wager: dict[str, int]
    min_by_wager: dict[str, int]
    breakage: str
    true_odds_breakage: str
    #: Odds multiples by number: for taken odds (limiting the stake), and for laid odds.
    taken_multiples: dict[int, Multiple]
    laid_multiples: dict[int, Multiple]
    #: Whether laid odds are limited by what they win, or by their stake (a table printed in the
    #: book).
    laid_by: str
    pays: dict[str, Odds]
    vig: dict[str, VigTerms]
    no_roll_by: tuple[str, ...]

    def elected(self, key: str) -> ElectionValue:
        """Return the value of an election key: the house's choice, or the book's default."""
        if key in self.elections:
            return self.elections[key]
        return self.book.elect[key].default.value

    def offers(self, key: str) -> bool:
        """Return whether the house deals the wager or promotion of the election ``offers.KEY``.

        Return True too if the book has no such election.
        """
        full = f"offers.{key}"
        return full not in self.book.elect or self.elected(full) is not False


def _resolve_multiples(book: Book, elected: Elections, taken: bool) -> dict[int, Multiple]:
    """Return the odds multiples by number, for taken or for laid odds.

    An elected multiple replaces those that the book prints for single numbers.
    """
    default = book.odds.default
    given = elected.get("odds.multiple", default.value if default else None)
    multiples: dict[int, Multiple] = {}
    if given == "3-4-5":
        multiples = three_four_five_multiples(book)
    elif given is not None:
        assert isinstance(given, int | Fraction)
        multiples = dict.fromkeys(odds_numbers(book), given)
    if "odds.multiple" not in elected:
        multiples.update(_multiples_by_number(book.odds.taken if taken else book.odds.laid))
    multiples.update(_elected_multiples(elected))
    return dict(sorted(multiples.items()))


def _multiples_by_number(table: Mapping[str, CitedValue[int]]) -> dict[int, int]:
    """Return {number: multiple} for a book's table, whose keys list numbers ("4 10")."""
    return {int(n): multiple.value for key, multiple in table.items() for n in key.split()}


def three_four_five_multiples(book: Book) -> dict[int, Multiple]:
    """Return the 3-4-5 multiple of each number that has odds.

    >>> from passline.game.law.load import rulebook
    >>> three_four_five_multiples(rulebook("iowa"))
    {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
    """
    table = _multiples_by_number(book.odds.three_four_five)
    return {number: table[number] for number in odds_numbers(book) if number in table}


def _elected_multiples(elected: Elections) -> dict[int, Multiple]:
    return {
        int(number): times
        for number, times in select_elections(elected, "odds.multiple.").items()
        if isinstance(times, int | Fraction)
    }


def _resolve_laid_multiples(book: Book, elected: Elections) -> tuple[dict[int, Multiple], str]:
    """Return (multiples for laid odds by number, what they limit: ``stake`` or ``win``).

    An elected multiple limits what laid odds may win. The book's own table may limit the stake
    instead (Iowa's does). If the house elects a multiple for only some points, the rest of the
    table is converted to what the stakes win, so that all points have one kind of limit.
    """
    laid, own = _resolve_multiples(book, elected, taken=False), _elected_multiples(elected)
    printed = book.odds.laid_by
    if printed is None or printed.value == "win" or "odds.multiple" in elected:
        return laid, "win"
    if not own:
        return laid, "stake"
    prices = _find_laid_prices(book)
    wins = {n: Fraction(laid[n] * prices[n]) for n in laid if n not in own}
    whole = {n: times.numerator if times.denominator == 1 else times for n, times in wins.items()}
    return {n: own[n] if n in own else whole[n] for n in laid}, "win"


def _find_laid_prices(book: Book) -> dict[int, Fraction]:
    """Return {number: dollars that a dollar of laid odds wins}; {} if no odds are laid."""
    for rule in book.wager.values():
        if rule.is_laid(book):
            lines = {n: select_lines_for_number(rule.pays, rule, n) for n in odds_numbers(book)}
            return {n: Odds.parse(pays[0].odds).ratio for n, pays in lines.items() if pays}
    return {}


def _read_cents(elected: Elections, key: str, default: CitedValue[int]) -> int:
    """Return an elected amount in cents, or the book's default, which is in dollars."""
    value = elected.get(key, default.value * 100)
    assert isinstance(value, int)
    return value


def _resolve_center_minimum(elected: Elections, default: CitedValue[int], chip: int) -> int:
    least = _read_cents(elected, "limits.center_min", default)
    return least if "limits.center_min" in elected else -(-least // chip) * chip


def _resolve_rack(elected: Elections, chip: int) -> Rack:
    """Return the chip colors of a house, with their values.

    The house has the standard colors for a smallest chip of ``chip`` cents, changed by those that
    it elects.
    """
    values = standard_chip_values(chip) | select_elections(elected, CHIPS_PREFIX)
    return Rack.of({color: value for color, value in values.items() if value is not False})


def make_house(
    book: Book, game: str | None = None, given: Mapping[str, Any] | None = None, name: str = ""
) -> House:
    """Return a house with these elections (``given``). Every other value is the book's default.

    ``game`` is the name of a game of the book (default: the first), and ``name`` the house's name.
    The elections are not checked against the book, so that tests and studies can try other rules;
    ``make_lawful_house`` checks them first. Raise ElectionError if one cannot be read.
    """
    elected = read_elections(book, given or {})
    game = choose_game(book, game, elected.pop("game", None))
    if game not in book.games.value:
        games = ", ".join(book.games.value)
        raise ElectionError(f"{book.title} has no game {game!r}: its games are {games}")
    return resolve_house(book, game, elected, name)


def choose_game(book: Book, *asked: ElectionValue | None) -> str:
    """Return the first of the ``asked`` names that is not None, or else the book's first game."""
    return str(next((game for game in asked if game is not None), book.games.value[0]))


def resolve_house(book: Book, game: str, elected: Elections, name: str = "") -> House:
    """Return a house named ``name`` from elections whose values are already converted.

    Money in them is in cents. The house's ``book`` is ``book`` with the rules that the house elects
    in place of customs (``rule_elections``).
    """
    book = elect_rules(book, elected)
    stakes = book.stakes
    chip = _read_cents(elected, "limits.smallest_chip", stakes.chip_default)
    breakage = elected.get("limits.breakage")
    true_odds = str(breakage or stakes.true_odds_breakage.value)
    callers = book.throw.callers.get(game)
    designated = elected.get("dice.no_roll_by", callers.value if callers else ())
    assert isinstance(designated, tuple)
    laid, laid_by = _resolve_laid_multiples(book, elected)
    return House(
        book=book,
        game=game,
        name=name or book.title,
        elections=elected,
        chip=chip,
        rack=_resolve_rack(elected, chip),
        minimum=_read_cents(elected, "limits.min", stakes.min_default),
        center_minimum=_resolve_center_minimum(elected, stakes.center_min_default, chip),
        maximum=_read_cents(elected, "limits.max", stakes.max_default),
        max_by_wager=select_elections(elected, "limits.max_by_wager."),
        min_by_wager=select_elections(elected, "limits.min_by_wager."),
        breakage=str(breakage or stakes.breakage.value),
        true_odds_breakage=true_odds,
        taken_multiples=_resolve_multiples(book, elected, taken=True),
        laid_multiples=laid,
        laid_by=laid_by,
        pays={k: parse_odds(odds) for k, odds in select_elections(elected, "pays.").items()},
        vig={w: resolve_vig_terms(w, vig, elected, chip, true_odds) for w, vig in book.vig.items()},
        no_roll_by=designated,
    )


def describe_elections(house: House) -> dict[str, str]:
    """Return the elections as text by key. Under the same book, they make the same house again."""
    return {key: show_election(key, value) for key, value in sorted(house.elections.items())}


def describe_terms(house: House) -> dict[str, str]:
    """Return {option: value as text} for every option of a house, chosen by it or a default.

    >>> from passline.game.house.load import house_for
    >>> terms = describe_terms(house_for("iowa"))
    >>> terms["limits.min"], terms["odds.multiple.4"], terms["lay.base"]
    ('5', '10', 'win')
    """
    found = {
        "limits.smallest_chip": _show_amount(house.chip),
        "limits.min": _show_amount(house.minimum),
        "limits.center_min": _show_amount(house.center_minimum),
        "limits.max": _show_amount(house.maximum),
        "limits.breakage": house.breakage,
        "limits.breakage.true_odds": house.true_odds_breakage,
        "odds.laid_by": house.laid_by,
        "dice.no_roll_by": show_value(house.no_roll_by),
    }
    found |= {f"odds.multiple.{n}": show_value(times) for n, times in house.taken_multiples.items()}
    found |= {f"odds.laid.{n}": show_value(times) for n, times in house.laid_multiples.items()}
    found |= {f"chips.{chip.color}": _show_amount(chip.value) for chip in house.rack.chips}
    for which, vig in house.vig.items():
        found |= {
            f"{which}.rate": show_value(vig.rate),
            f"{which}.base": vig.base,
            f"{which}.rounding": vig.rounding,
            f"{which}.won_on": show_value(tuple(map(str, sorted(vig.won_on)))),
        }
    found |= {key: show_value(house.elected(key)) for key in house.book.elect}
    return found | describe_elections(house)


def _show_amount(cents: int) -> str:
    return to_dollars(cents).removesuffix(".00")
