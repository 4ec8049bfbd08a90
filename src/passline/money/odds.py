"""Odds as a casino posts them: "9 to 5", exact, and always with the word "to"."""

from __future__ import annotations

import re
from fractions import Fraction
from math import gcd
from typing import NamedTuple

_POSTED = re.compile(r"(\d{1,4}) to (\d{1,4})")


class Odds(NamedTuple):
    """``win`` paid for every ``stake`` put up, kept as posted (25 to 5 stays 25 to 5).

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
        """Read posted odds."""
        found = _POSTED.fullmatch(text.strip()) if isinstance(text, str) else None
        if found is None or int(found.group(2)) == 0:
            raise ValueError(f'{text!r} are no odds: expected a form like "9 to 5"')
        return cls(int(found.group(1)), int(found.group(2)))

    @property
    def ratio(self) -> Fraction:
        """The odds as a fraction, for comparing."""
        return Fraction(self.win, self.stake)

    def paid(self, cents: int) -> int:
        """What a stake wins, any fraction of a cent dropped."""
        return cents * self.win // self.stake

    def pays_exactly(self, cents: int, chip: int) -> bool:
        """Whether the win can be handed over in the smallest chip.

        >>> Odds(7, 6).pays_exactly(1200, 100), Odds(7, 6).pays_exactly(1000, 100)
        (True, False)
        """
        return cents * self.win % (self.stake * chip) == 0

    def step(self, chip: int) -> int:
        """The smallest stake that is whole chips and pays in whole chips; its multiples do too.

        >>> Odds(7, 6).step(100), Odds(3, 2).step(100), Odds(2, 1).step(100)
        (600, 200, 100)
        """
        return self.stake // gcd(self.win, self.stake) * chip

    def __str__(self) -> str:
        return f"{self.win} to {self.stake}"
