"""A house: one rulebook, one game, and what the casino elected, resolved to plain values."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from passline.house.elections import Elections, Value, read_elections
from passline.house.keys import ElectionError
from passline.law.book import Book, Vig
from passline.money import Odds, Rounding, round_to

#: The multiples by which full odds win six times the flat on every point; in crapless craps the
#: same holds on 2 and 12 (6 to 1) and on 3 and 11 (3 to 1).
THREE_FOUR_FIVE = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
_DEFAULT_CHIP = 100
_DEFAULT_MIN = 500
_DEFAULT_CENTER_MIN = 100


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
    chip: int
    minimum: int
    center_minimum: int
    maximum: int
    max_by_wager: dict[str, int]
    min_by_wager: dict[str, int]
    breakage: str
    true_odds_breakage: str
    #: Odds multiples by number: taken, by stake; laid, by what they may win.
    taken: dict[int, int]
    laid: dict[int, int]
    #: Laid odds are limited by what they may win, or (a printed table) by their stake.
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


def _by_point(book: Book, elected: Elections, taken: bool) -> dict[int, int]:
    """Odds multiples by number. A book that prints its own has them in its tables."""
    numbers = book.wager["come"].travels.value if "come" in book.wager else book.points.value  # type: ignore[union-attr]
    default = book.odds.default
    given: Value = elected.get("odds.multiple", default.value if default else 1)
    if given == "3-4-5":
        multiples = {n: THREE_FOUR_FIVE[n] for n in numbers}
    else:
        assert isinstance(given, int)
        multiples = dict.fromkeys(numbers, given)
    if "odds.multiple" not in elected:
        printed = book.odds.taken if taken else book.odds.laid
        for key, multiple in printed.items():
            multiples.update({int(n): multiple.value for n in key.split()})
    for key, value in elected.items():
        if key.startswith("odds.multiple."):
            assert isinstance(value, int)
            multiples[int(key.rpartition(".")[2])] = value
    return multiples


def _laid_by(book: Book, elected: Elections) -> str:
    """An elected multiple bounds what laid odds may win; a printed table may bound their stake."""
    printed = book.odds.laid_by
    return "win" if printed is None or "odds.multiple" in elected else printed.value


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


def make_house(
    book: Book, game: str | None = None, given: Mapping[str, Any] | None = None, name: str = ""
) -> House:
    """A house with these elections; what is not elected is the book's default.

    Whether the book allows them is not asked here: see lint.
    """
    elected = read_elections(book, given or {})
    named = elected.pop("game", None)
    game = game or str(named or book.games.value[0])
    if game not in book.games.value:
        raise ElectionError(
            f"{book.id} has no game {game!r}: its games are {', '.join(book.games.value)}"
        )
    return resolve(book, game, elected, name)


def resolve(book: Book, game: str, elected: Elections, name: str = "") -> House:
    """A house from elections that have been read."""
    chip = _cents(elected, "limits.smallest_chip", _DEFAULT_CHIP)
    breakage = elected.get("limits.breakage")
    callers = book.throw.callers.get(game)
    designated = elected.get("dice.no_roll_by", callers.value if callers else ())
    assert isinstance(designated, tuple)
    return House(
        book=book,
        game=game,
        name=name or book.title,
        elections=elected,
        chip=chip,
        minimum=_cents(elected, "limits.min", _DEFAULT_MIN),
        center_minimum=_cents(elected, "limits.center_min", _DEFAULT_CENTER_MIN),
        maximum=_cents(elected, "limits.max", book.stakes.max_default.value * 100),
        max_by_wager=_by_wager(elected, "limits.max_by_wager."),
        min_by_wager=_by_wager(elected, "limits.min_by_wager."),
        breakage=str(breakage or book.stakes.breakage.value),
        true_odds_breakage=str(breakage or book.stakes.true_odds_breakage.value),
        taken=_by_point(book, elected, taken=True),
        laid=_by_point(book, elected, taken=False),
        laid_by=_laid_by(book, elected),
        pays={
            k.removeprefix("pays."): Odds.parse(str(v))
            for k, v in elected.items()
            if k.startswith("pays.")
        },
        vig={which: _vig_terms(which, vig, elected, chip) for which, vig in book.vig.items()},
        no_roll_by=designated,
    )
