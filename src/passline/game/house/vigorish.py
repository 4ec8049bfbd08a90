"""The vigorish of a house on bought and laid bets: its rate, its base, its rounding and its amount.

When it is taken and given back is decided in `table.bets` and `layout.settle`. Pure.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from passline.game.house.elections import Elections, select_elections
from passline.game.law.book import VigRules
from passline.game.money.amounts import Odds
from passline.game.money.rounding import Rounding, pay_in_chips, round_to_unit


class VigTerms(msgspec.Struct, frozen=True):
    """The vigorish of a house on buy or on lay wagers.

    ``rate`` is the fraction of ``base`` (stake or win) that it takes: on a win on the numbers in
    ``won_on``, else when the wager is made. ``chip`` is the smallest chip in cents. With
    ``refund``, a wager that is taken down gets its vigorish back. With ``renews``, a wager that
    stays up after a win pays the vigorish again.
    """

    rate: Fraction
    base: str
    won_on: frozenset[int]
    rounding: Rounding
    chip: int
    #: How to round a win that is not a whole number of chips.
    breakage: str
    refund: bool
    renews: bool

    def on(self, stake: int, odds: Odds) -> int:
        """Return the cents to which the rate applies: the stake, or what the stake wins."""
        if self.base == "stake":
            return stake
        return pay_in_chips(stake * odds.win, odds.stake, self.chip, self.breakage)

    def charge(self, stake: int, odds: Odds) -> int:
        """Return the vigorish in cents on a stake in cents that pays these odds."""
        return round_to_unit(self.on(stake, odds) * self.rate, self.chip, self.rounding)

    def exact_share(self, odds: Odds) -> Fraction:
        """Return the vigorish as a share of a stake that pays these odds, not rounded."""
        return self.rate if self.base == "stake" else self.rate * odds.win / odds.stake


def resolve_vig_terms(
    which: str, vig: VigRules, elected: Elections, chip: int, breakage: str
) -> VigTerms:
    """Return the vigorish of a house on ``which`` wagers (``buy`` or ``lay``).

    Each value is the elected one, or else the book's. ``chip`` is the smallest chip in cents, and
    ``breakage`` says how a win is rounded to whole chips.
    """
    when = elected.get(f"{which}.when", vig.when.value)
    numbers = set(range(2, 13))
    won_on = numbers if when == "won" else set()
    if f"{which}.when" not in elected and vig.won_on is not None:
        won_on |= set(vig.won_on.value)
    for number, value in select_elections(elected, f"{which}.when.").items():
        (won_on.add if value == "won" else won_on.discard)(int(number))
    rate: Any = elected.get(f"{which}.rate", vig.rate.value)
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
