"""Odds: the wager behind a line or come wager, decided with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from passline.game.law.rule_checks import check_paid_numbers
from passline.game.law.shapes.come import Come
from passline.game.law.shapes.line import Line
from passline.game.law.verdicts import (
    NO_VERDICTS,
    PUCKS,
    TableTerms,
    VerdictTable,
    make_race_table,
    price_every_outcome,
    repeat_for_pucks,
)
from passline.game.law.wagers import (
    CallPlace,
    Dealt,
    DecisionKind,
    FeltArea,
    PayLine,
    PayoutNames,
    WagerRule,
    WhenMade,
)

if TYPE_CHECKING:
    from passline.game.law.book import Book


class OddsRule(WagerRule, frozen=True, kw_only=True, tag="odds"):
    """The rule of odds: the extra bet behind a flat bet (line or come).

    Odds are decided when the flat bet is, and win or lose with it. Odds that are off at that time
    are returned instead.
    """

    is_odds: ClassVar[bool] = True
    decision_kind: ClassVar[DecisionKind] = "with-flat"
    only_made: ClassVar[WhenMade | None] = "number"
    pays_by_number: ClassVar[bool] = True
    stake_fits_pay: ClassVar[bool] = False

    #: The slug of the line or come wager that the odds go behind.
    flat: str
    #: The clause by which they lose with their flat wager. The next one limits their amount.
    lost_by: str
    limited_by: str
    pays: tuple[PayLine, ...]

    @property
    def pays_true_odds(self) -> bool:
        """Always True: odds are paid at true odds."""
        return True

    def find_flat(self, book: Book) -> Line | Come:
        """Return the rule of the wager that the odds go behind."""
        flat = book.wager[self.flat]
        assert isinstance(flat, Line | Come)
        return flat

    def is_laid(self, book: Book) -> bool:
        """Return whether the odds are laid (behind a don't wager), as opposed to taken.

        >>> from passline.game.law.load import rulebook
        >>> book = rulebook("new-jersey")
        >>> book.wager["dont-pass-odds"].is_laid(book), book.wager["come-odds"].is_laid(book)
        (True, False)
        """
        return self.find_flat(book).wins_on_seven

    def list_numbers(self, book: Book) -> tuple[int, ...]:
        """Return the numbers that the come wager travels to, or (0,) behind a line wager."""
        flat = self.find_flat(book)
        return flat.travels.value if isinstance(flat, Come) else (0,)

    def find_standard_name(self, book: Book, family: str) -> str:
        """Return the flat wager's name and ``-odds``."""
        flat = self.find_flat(book)
        return f"{flat.find_standard_name(book, self.flat)}-odds"

    def list_payout_names(self, slug: str, pay: PayLine, number: int, first: bool) -> PayoutNames:
        """Return {name: faces}: the name under which a house may raise this payout line.

        The name is the slug with its number or point.
        """
        if number and not slug.endswith(f"-{number}"):
            return {f"{slug}-{number}": pay.on}
        return {slug: pay.on}

    def find_layout_order(self, book: Book) -> tuple[int, bool, bool]:
        """Return the sort key for the layout, which puts the odds right after their flat wager."""
        first, second, _ = self.find_flat(book).find_layout_order(book)
        return first, second, True

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return a verdict table for each puck position.

        The odds win or lose by their own number, or behind a line wager the point, against the
        seven.
        """
        flat = self.find_flat(terms.book)

        def table(number: int) -> VerdictTable:
            priced = price_every_outcome(terms.price(number))
            wins, loses = flat.wins.value, flat.loses.value
            return make_race_table(number, wins, loses, priced, self.lost_by)

        if terms.number:
            return repeat_for_pucks(table(terms.number))
        points = terms.book.points.value
        return tuple(table(puck) if puck in points else NO_VERDICTS for puck in PUCKS)

    def check(self, book: Book) -> Iterator[str]:
        """Yield a mistake if its flat wager does not exist or a clause is missing."""
        if not isinstance(book.wager.get(self.flat), Line | Come):
            yield f"flat: {self.flat!r} is no line or come wager of the book"
        for key in ("lost_by", "limited_by"):
            if not getattr(self, key):
                yield f"{key}: expected a clause, or custom: and a reason"

    def check_pay_lines(self, book: Book, lines: list[PayLine], where: str) -> Iterator[str]:
        """Yield a mistake unless each number of its flat wager has exactly one payout."""
        flat = book.wager.get(self.flat)
        numbers = flat.travels.value if isinstance(flat, Come) else book.points.value
        yield from check_paid_numbers(numbers, lines, where)

    def find_felt_area(self, book: Book, dealt: Dealt, family: str, number: int) -> FeltArea:
        """Return the area of the felt for the odds, beside that of their flat wager."""
        laid = self.is_laid(book)
        if self.find_flat(book).is_line:
            return "dont-pass-odds" if laid else "pass-odds"
        return "behind-odds" if laid else "box-odds"

    def find_call_place(self, book: Book, number: int) -> CallPlace:
        """Return the area that a stick call names for the flat wager once it is on its number."""
        laid = self.is_laid(book)
        if self.find_flat(book).is_line:
            return "donts" if laid else "line"
        return "behind" if laid else "boxes"
