"""Read and show amounts of money, and posted odds such as "9 to 5".

Amounts are whole cents everywhere. ``show_dollars`` and ``show_money`` are the only functions that
format money for people; ``to_dollars`` writes it for JSON and logs.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import gcd
from typing import NamedTuple, Protocol

_AMOUNT_PATTERN = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{1,2}))?")
_MAX_LENGTH = 20  # The most digits of an amount, so that an error message can repeat it.


class AmountError(ValueError):
    """Raised for text that is no amount of money. The message says what is expected."""


def parse_dollars(text: str) -> int:
    """Return the amount in a text, in cents. Raise AmountError unless it is an amount above zero.

    >>> parse_dollars("12"), parse_dollars("$12.50"), parse_dollars("1,500")
    (1200, 1250, 150000)
    >>> parse_dollars("-5")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    passline.game.money.amounts.AmountError: '-5' is not a valid amount: use dollars, such as ...
    """
    found = _AMOUNT_PATTERN.fullmatch(text.strip())
    if found is None or len(text) > _MAX_LENGTH:
        shown = text if len(text) <= _MAX_LENGTH else text[:_MAX_LENGTH] + "..."
        raise AmountError(f"{shown!r} is not a valid amount: use dollars, such as 12 or 12.50")
    whole, part = found.group(1).replace(",", ""), found.group(2) or ""
    cents = int(whole) * 100 + int(part.ljust(2, "0"))
    if cents == 0:
        raise AmountError(f"{text!r} is nothing: expected an amount above zero")
    return cents


class _Number(Protocol):
    """Any exact number, such as an int or a Fraction."""

    def as_integer_ratio(self) -> tuple[int, int]: ...


def to_dollars(cents: int) -> str:
    """Return cents as text for JSON and logs: two decimal places, no dollar sign.

    >>> to_dollars(1250), to_dollars(-5)
    ('12.50', '-0.05')
    """
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return f"{sign}{whole}.{part:02d}"


def from_dollars(amount: str) -> int:
    """Return the cents of an amount that ``to_dollars`` wrote.

    >>> from_dollars("12.50"), from_dollars("-0.05")
    (1250, -5)
    """
    return int(amount.replace(".", ""))


def show_dollars(cents: _Number, *, plus: bool = False) -> str:
    """Return cents as text for people, without ``.00`` if the dollars are whole.

    A fraction of a cent is rounded. ``plus`` puts a ``+`` before an amount above zero.

    >>> show_dollars(1200), show_dollars(1250), show_dollars(-1200000), show_dollars(500, plus=True)
    ('$12', '$12.50', '-$12,000', '+$5')
    """
    return show_money(cents, plus=plus).removesuffix(".00")


def show_money(cents: _Number, *, plus: bool = False) -> str:
    """Return cents as text for people, always with two decimal places: for columns and averages.

    >>> show_money(-125050), show_money(Fraction(1, 3)), show_money(1200, plus=True)
    ('-$1,250.50', '$0.00', '+$12.00')
    """
    rounded = round(Fraction(*cents.as_integer_ratio()))
    sign = "-" if rounded < 0 else "+" if rounded > 0 and plus else ""
    whole, part = divmod(abs(rounded), 100)
    return f"{sign}${whole:,}.{part:02d}"


_ODDS_PATTERN = re.compile(r"(\d{1,4}) to (\d{1,4})")


class Odds(NamedTuple):
    """Odds as posted: ``win`` is paid for every ``stake`` wagered.

    They are not reduced: 25 to 5 stays different from 5 to 1.

    >>> Odds.parse("9 to 5").paid(2500)
    4500
    >>> Odds.parse("7 for 1")
    Traceback (most recent call last):
    ValueError: '7 for 1' are no odds: expected a form like "9 to 5"
    """

    win: int
    stake: int

    @classmethod
    def parse(cls, text: str) -> Odds:
        """Return the odds in a text such as "9 to 5". Raise ValueError for any other text."""
        found = _ODDS_PATTERN.fullmatch(text.strip()) if isinstance(text, str) else None
        if found is None or int(found.group(2)) == 0:
            raise ValueError(f'{text!r} are no odds: expected a form like "9 to 5"')
        return cls(int(found.group(1)), int(found.group(2)))

    @property
    def ratio(self) -> Fraction:
        """The odds as a fraction, for comparing."""
        return Fraction(self.win, self.stake)

    def paid(self, cents: int) -> int:
        """Return what a stake wins, in cents; a fraction of a cent is dropped."""
        return cents * self.win // self.stake

    def pays_exactly(self, cents: int, chip: int) -> bool:
        """Return whether a stake of ``cents`` wins a whole number of chips of ``chip`` cents.

        >>> Odds(7, 6).pays_exactly(1200, 100), Odds(7, 6).pays_exactly(1000, 100)
        (True, False)
        """
        return cents * self.win % (self.stake * chip) == 0

    def step(self, chip: int) -> int:
        """Return the smallest stake in cents that wins whole chips of ``chip`` cents.

        All its multiples do so too.

        >>> Odds(7, 6).step(100), Odds(3, 2).step(100), Odds(2, 1).step(100)
        (600, 200, 100)
        """
        return self.stake // gcd(self.win, self.stake) * chip

    def __str__(self) -> str:
        return f"{self.win} to {self.stake}"
