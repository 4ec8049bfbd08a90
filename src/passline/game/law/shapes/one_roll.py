"""One-roll wagers: the field, any seven, craps, eleven and hops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Literal

from passline.game.dice.dice import SEVEN, find_outcomes
from passline.game.law.citations import CitedValue
from passline.game.law.rule_checks import ALL_OUTCOMES, check_faces
from passline.game.law.shapes.faces import FaceWager, check_win_and_lose, make_face_table
from passline.game.law.verdicts import TableTerms, VerdictTable, repeat_for_pucks
from passline.game.law.wagers import Dealt, DecisionKind, Face, FeltArea, PayLine

if TYPE_CHECKING:
    from passline.game.law.book import Book

#: The standard names of one-roll wagers of the center, by their winning totals.
STANDARD_NAMES: dict[frozenset[Face], str] = {
    frozenset({7}): "any-seven",
    frozenset({2, 3, 12}): "any-craps",
    frozenset({2}): "craps-2",
    frozenset({3}): "craps-3",
    frozenset({12}): "craps-12",
    frozenset({11}): "eleven",
    frozenset({6, 7, 8}): "six-seven-eight",
}


class OneRoll(FaceWager, frozen=True, kw_only=True, tag="one-roll"):
    """A wager that the next roll decides. ``lose = "other"`` means every face that does not win."""

    decision_kind: ClassVar[DecisionKind] = "one-roll"

    win: CitedValue[tuple[Face, ...]]
    lose: CitedValue[tuple[Face, ...] | Literal["other"]]
    pays: tuple[PayLine, ...]

    @property
    def is_hop(self) -> bool:
        """Whether the wager is a hop: on one combination of dice."""
        return len(self.win.value) == 1 and isinstance(self.win.value[0], str)

    def find_standard_name(self, book: Book, family: str) -> str:
        """Return ``field``, a hop's dice, or the common name of a center wager on these totals."""
        if self.area == "table":
            return "field"
        if self.is_hop:
            return f"hop-{self.win.value[0]}"
        return STANDARD_NAMES.get(frozenset(self.win.value), family)

    def find_layout_order(self, book: Book) -> tuple[int, bool, bool]:
        """Return the sort key for the layout: first the field, then the bets in the center."""
        return (3 if self.area == "table" else 5), False, False

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return one table of wins and losses by outcome, repeated for each puck position."""
        wins, lose = find_outcomes(self.win.value), self.lose.value
        lost = ALL_OUTCOMES - wins if isinstance(lose, str) else find_outcomes(lose)
        priced = terms.price(terms.number)
        return repeat_for_pucks(make_face_table(wins, [(lost, self.lose.cite)], priced))

    def check(self, book: Book) -> Iterator[str]:
        """Yield mistakes in the faces that win and lose, or if some roll would not decide it."""
        win, lose = self.win.value, self.lose.value
        mistakes = list(check_win_and_lose(win, () if isinstance(lose, str) else lose, ()))
        yield from mistakes
        if isinstance(lose, str) or any(check_faces("win", win)) or any(check_faces("lose", lose)):
            return
        if find_outcomes(win) | find_outcomes(lose) != ALL_OUTCOMES:
            yield (
                "lose: the next roll may decide nothing: a one-roll wager wins or loses on every "
                "face"
            )

    def find_felt_area(self, book: Book, dealt: Dealt, family: str, number: int) -> FeltArea:
        """Return the area of the felt: field, hops, or the box of the totals in the center."""
        if self.area == "table":
            return "field"
        if self.is_hop:
            return "hop"
        if self.win.value == (SEVEN,):
            return "seven"
        return "total" if len(self.win.value) == 1 else "totals"
