"""Hardways: bets that a pair comes before the seven, and before its total in any other way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from passline.game.dice.dice import find_outcomes
from passline.game.law.citations import CitedValue
from passline.game.law.shapes.faces import FaceWager, check_win_and_lose, make_face_table
from passline.game.law.verdicts import TableTerms, VerdictTable, repeat_for_pucks
from passline.game.law.wagers import CallPlace, Dealt, Face, FeltArea, PayLine

if TYPE_CHECKING:
    from passline.game.law.book import Book


class Hardway(FaceWager, frozen=True, kw_only=True, tag="hardway"):
    """A wager on a pair, such as 4-4: it loses to the total made otherwise, and to the seven."""

    is_hardway: ClassVar[bool] = True
    call_place: ClassVar[CallPlace | None] = "hardways"
    layout_rank: ClassVar[int] = 4

    win: CitedValue[tuple[str, ...]]
    lose: CitedValue[tuple[Face, ...]]
    #: Further faces that lose, by another clause.
    lose_also: CitedValue[tuple[Face, ...]] | None = None
    pays: tuple[PayLine, ...]

    def find_standard_name(self, book: Book, family: str) -> str:
        """Return ``hard-`` and the total of its pair, such as ``hard-8``."""
        first, _, second = self.win.value[0].partition("-")
        return f"hard-{int(first) + int(second)}"

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return one table of wins and losses by outcome, repeated for each puck position."""
        groups = [self.lose] if self.lose_also is None else [self.lose, self.lose_also]
        losses = [(find_outcomes(group.value), group.cite) for group in groups]
        wins = find_outcomes(self.win.value)
        return repeat_for_pucks(make_face_table(wins, losses, terms.price(terms.number)))

    def check(self, book: Book) -> Iterator[str]:
        """Yield mistakes in the faces on which the wager wins and loses."""
        also = self.lose_also.value if self.lose_also is not None else ()
        yield from check_win_and_lose(self.win.value, self.lose.value, also)

    def find_felt_area(self, book: Book, dealt: Dealt, family: str, number: int) -> FeltArea:
        """Return the area of the hardways, in the center."""
        return "hard"
