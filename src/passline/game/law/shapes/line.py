"""Line wagers: pass and don't pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from passline.game.law.citations import CitedValue
from passline.game.law.rule_checks import check_paid_outcomes
from passline.game.law.shapes.first_roll import (
    check_every_total,
    check_first_roll,
    find_winning_totals,
    make_first_roll_table,
)
from passline.game.law.verdicts import (
    NO_VERDICTS,
    PUCKS,
    TableTerms,
    VerdictTable,
    make_race_table,
)
from passline.game.law.wagers import CallPlace, Decider, DecisionKind, FeltArea, PayLine, WagerRule

if TYPE_CHECKING:
    from passline.game.law.book import Book


class Line(WagerRule, frozen=True, kw_only=True, tag="line"):
    """Pass and don't pass: decided by the come-out roll, or by the point against the seven."""

    is_line: ClassVar[bool] = True

    first_win: CitedValue[tuple[int, ...]]
    first_lose: CitedValue[tuple[int, ...]] | None = None
    first_push: CitedValue[tuple[int, ...]] | None = None
    wins: CitedValue[Decider]
    loses: CitedValue[Decider]
    pays: tuple[PayLine, ...]

    @property
    def wins_on_seven(self) -> bool:
        """Whether it is the don't side."""
        return self.wins.value == "seven"

    @property
    def push_totals(self) -> tuple[int, ...]:
        """The totals of the come-out roll on which the wager pushes."""
        return self.first_push.value if self.first_push is not None else ()

    def find_standard_name(self, book: Book, family: str) -> str:
        """Return ``pass`` or ``dont-pass``."""
        return "dont-pass" if self.wins_on_seven else "pass"

    def find_layout_order(self, book: Book) -> tuple[int, bool, bool]:
        """Return the sort key: first, and pass before don't pass."""
        return 0, self.wins_on_seven, False

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return the verdicts of a come-out roll, and for each point those against the seven."""
        priced = terms.price(terms.number)
        wins, loses = self.wins.value, self.loses
        points = terms.book.points.value
        races = (
            make_race_table(puck, wins, loses.value, priced, loses.cite)
            if puck in points
            else NO_VERDICTS
            for puck in PUCKS[1:]
        )
        return make_first_roll_table(self, priced, {}), *races

    def check(self, book: Book) -> Iterator[str]:
        """Yield a mistake unless every total of a come-out roll has one meaning."""
        points = book.points.value
        yield from check_first_roll(self, points, "points of the book")
        yield from check_every_total(self, points)

    def check_pay_lines(self, book: Book, lines: list[PayLine], where: str) -> Iterator[str]:
        """Yield a mistake unless every way to win has exactly one payout."""
        yield from check_paid_outcomes(find_winning_totals(self, book.points.value), lines, where)

    def find_felt_area(
        self, book: Book, dealt: Mapping[str, WagerRule], family: str, number: int
    ) -> FeltArea:
        """Return the pass line or the don't pass bar."""
        return "dont-pass" if self.wins_on_seven else "pass"

    def find_call_place(self, book: Book, number: int) -> CallPlace:
        """Return the area that the stick names: the line, or the don'ts."""
        return "donts" if self.wins_on_seven else "line"

    def find_decision_kind(self, number: int) -> DecisionKind:
        """Return the decision kind: by the come-out roll, and then by the point."""
        return "come-out"
