"""Line wagers: pass and don't pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from passline.game.law.citations import CitedValue
from passline.game.law.shapes.first_roll import FirstRollWager
from passline.game.law.verdicts import (
    NO_VERDICTS,
    PUCKS,
    TableTerms,
    VerdictTable,
    make_race_table,
)
from passline.game.law.wagers import CallPlace, Dealt, Decider, DecisionKind, FeltArea, PayLine

if TYPE_CHECKING:
    from passline.game.law.book import Book


class Line(FirstRollWager, frozen=True, kw_only=True, tag="line"):
    """Pass and don't pass: decided by the come-out roll, or by the point against the seven."""

    is_line: ClassVar[bool] = True
    decision_kind: ClassVar[DecisionKind] = "come-out"
    layout_rank: ClassVar[int] = 0

    wins: CitedValue[Decider]
    loses: CitedValue[Decider]
    pays: tuple[PayLine, ...]

    def find_standard_name(self, book: Book, family: str) -> str:
        """Return ``pass`` or ``dont-pass``."""
        return "dont-pass" if self.wins_on_seven else "pass"

    def list_set_numbers(self, book: Book) -> tuple[int, ...]:
        """Return the book's points: the come-out totals that become a line wager's number."""
        return book.points.value

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return a table by puck position: for the come-out roll, then for each point."""
        priced, points = terms.price(terms.number), terms.book.points.value
        wins, loses = self.wins.value, self.loses
        races = (
            make_race_table(puck, wins, loses.value, priced, loses.cite)
            if puck in points
            else NO_VERDICTS
            for puck in PUCKS[1:]
        )
        return self.make_first_roll_table(priced, {}), *races

    def check(self, book: Book) -> Iterator[str]:
        """Yield a mistake for each total of a come-out roll that has no meaning, or two."""
        yield from self.check_first_roll(book, "points of the book")
        yield from self.check_every_total(book)

    def find_felt_area(self, book: Book, dealt: Dealt, family: str, number: int) -> FeltArea:
        """Return the area of the felt for the wager: the pass line, or the don't pass bar."""
        return "dont-pass" if self.wins_on_seven else "pass"

    def find_call_place(self, book: Book, number: int) -> CallPlace:
        """Return the area that a stick call names: the line, or the don'ts."""
        return "donts" if self.wins_on_seven else "line"
