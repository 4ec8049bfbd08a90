"""Races between a number and the seven: place, buy, lay, big 6 and big 8."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from passline.game.law.citations import CitedValue
from passline.game.law.rule_checks import check_members, check_paid_numbers, check_sides
from passline.game.law.verdicts import (
    TableTerms,
    VerdictTable,
    make_race_table,
    price_every_outcome,
    repeat_for_pucks,
)
from passline.game.law.wagers import (
    POINT_NUMBERS,
    CallPlace,
    Dealt,
    Decider,
    FeltArea,
    PayLine,
    PayoutNames,
    VigKind,
    WagerRule,
)

if TYPE_CHECKING:
    from passline.game.law.book import Book


class Race(WagerRule, frozen=True, kw_only=True, tag="race"):
    """A bet that a number comes before the seven, or after it: place, buy, lay, big 6 and big 8."""

    is_race: ClassVar[bool] = True
    layout_rank: ClassVar[int] = 2
    pays_by_number: ClassVar[bool] = True

    numbers: CitedValue[tuple[int, ...]]
    wins: CitedValue[Decider]
    loses: CitedValue[Decider]
    pays: tuple[PayLine, ...]
    #: Which vigorish the wager pays (``vig.buy`` or ``vig.lay`` of the book); empty: none.
    vig: VigKind = ""

    @property
    def pays_true_odds(self) -> bool:
        """Whether the wager pays vigorish, and so is paid at true odds."""
        return bool(self.vig)

    def list_numbers(self, book: Book) -> tuple[int, ...]:
        """Return the numbers on which the wager can be made."""
        return self.numbers.value

    def find_standard_name(self, book: Book, family: str) -> str:
        """Return ``buy``, ``lay``, ``place-lose``, ``place-win``, or ``big`` if it pays even."""
        if self.vig:
            return self.vig
        if self.wins_on_seven:
            return "place-lose"
        return "big" if {pay.odds for pay in self.pays} == {"1 to 1"} else "place-win"

    def list_payout_names(self, slug: str, pay: PayLine, number: int, first: bool) -> PayoutNames:
        """Return {slug: faces}: a house may raise this payout line under the wager's slug."""
        return {slug: pay.on}

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return the table of its number against the seven, repeated for each puck position."""
        priced = price_every_outcome(terms.price(terms.number))
        wins, loses = self.wins.value, self.loses
        table = make_race_table(terms.number, wins, loses.value, priced, loses.cite)
        return repeat_for_pucks(table)

    def check(self, book: Book) -> Iterator[str]:
        """Yield mistakes in its numbers, in what wins and loses, and in its vigorish."""
        yield from check_sides(self.wins, self.loses)
        if not self.numbers.value:
            yield "numbers: expected numbers"
        mistake = "is no number that can be a point"
        yield from check_members("numbers", self.numbers.value, POINT_NUMBERS, mistake)
        if self.vig and self.vig not in book.vig:
            yield f"vig: the book has no vig.{self.vig}"

    def check_pay_lines(self, book: Book, lines: list[PayLine], where: str) -> Iterator[str]:
        """Yield a mistake unless each of its numbers has exactly one payout."""
        yield from check_paid_numbers(self.numbers.value, lines, where)

    def find_felt_area(self, book: Book, dealt: Dealt, family: str, number: int) -> FeltArea:
        """Return the area of the felt for the wager, which is in the column of its number.

        A wager against the number is behind the box, one with vigorish in the box, and any other on
        the place lines. If a book has two place wagers on a number, the one on fewer numbers has a
        box of its own (big 6 and 8).
        """
        if self.wins_on_seven:
            return "behind"
        if self.vig:
            return "box"
        rivals = [
            len(rule.numbers.value)
            for other, rule in dealt.items()
            if other != family
            and isinstance(rule, Race)
            and not rule.wins_on_seven
            and not rule.vig
        ]
        return "big" if any(count > len(self.numbers.value) for count in rivals) else "place"

    def find_call_place(self, book: Book, number: int) -> CallPlace:
        """Return the area that a stick call names: the numbers, or behind them."""
        return "behind" if self.wins_on_seven else "numbers"
