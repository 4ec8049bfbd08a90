"""Muggsy's Corner: a bet on a seven on the come-out roll, or right after the point is set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Literal

from passline.game.dice.dice import OUTCOMES, outcome_total
from passline.game.law.citations import CitedValue
from passline.game.law.rule_checks import check_members
from passline.game.law.verdicts import (
    NO_VERDICTS,
    PUCKS,
    PricedOutcomes,
    TableTerms,
    VerdictTable,
    lose_verdict,
    price_every_outcome,
    win_verdict,
)
from passline.game.law.wagers import (
    POINT_NUMBERS,
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


class PointSeven(WagerRule, frozen=True, kw_only=True, tag="point-seven"):
    """A wager on two rolls at most: the come-out roll, and the one after it if that set a point.

    ``wins`` has the totals that win on either roll. On the come-out a point leaves it up; every
    other total decides it. The payout line on the winning totals is for the come-out, and the line
    on the points is for the roll after it.
    """

    call_place: ClassVar[CallPlace | None] = "side"
    decision_kind: ClassVar[DecisionKind] = "two-rolls"
    only_made: ClassVar[WhenMade | None] = "come-out"
    pays_by_number: ClassVar[bool] = True

    wins: CitedValue[tuple[int, ...]]
    loses: CitedValue[Literal["other"]]
    pays: tuple[PayLine, ...]

    @property
    def takes_point(self) -> bool:
        """Always True: the point becomes the wager's number, for one more roll."""
        return True

    @property
    def follows_puck(self) -> bool:
        """Always True: the puck decides the wager, since a point leads to its second roll."""
        return True

    @property
    def wins_on_seven(self) -> bool:
        """Always False: the seven can win it, but it has no number to bet against."""
        return False

    def list_payout_names(self, slug: str, pay: PayLine, number: int, first: bool) -> PayoutNames:
        """Return {name: faces}: the name under which a house may raise this payout line.

        For the come-out roll the name is the slug, for the second roll the slug and ``-point``.
        """
        come_out = set(pay.on) & set(self.wins.value)
        return {slug if come_out else f"{slug}-point": pay.on}

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return a table by puck position: the come-out roll, and the roll after each point."""
        points = terms.book.points.value
        after = (
            self._make_table(price_every_outcome(terms.price(puck)), ())
            if puck in points
            else NO_VERDICTS
            for puck in PUCKS[1:]
        )
        return self._make_table(terms.price(0), points), *after

    def _make_table(self, priced: PricedOutcomes, undecided: tuple[int, ...]) -> VerdictTable:
        return tuple(
            win_verdict(priced, index)
            if outcome_total(index) in self.wins.value
            else None
            if outcome_total(index) in undecided
            else lose_verdict(self.loses.cite)
            for index in range(len(OUTCOMES))
        )

    def check(self, book: Book) -> Iterator[str]:
        """Yield mistakes in the totals that win; a point must not be among them."""
        totals = [total for total in range(2, 13) if total not in book.points.value]
        yield from check_members("wins", self.wins.value, totals, "is no total that can win")
        if not self.wins.value:
            yield "wins: it wins on no total"

    def check_pay_lines(self, book: Book, lines: list[PayLine], where: str) -> Iterator[str]:
        """Yield a mistake unless each roll on which it can win has exactly one payout."""
        for total in (*self.wins.value, *book.points.value):
            count = sum(total in pay.on for pay in lines)
            if count != 1:
                yield f"pays: {count} payouts are given for {total}{where}"
        for pay in lines:
            known = {*self.wins.value, *POINT_NUMBERS}
            yield from check_members("pays", pay.on, known, "is neither a point nor wins")

    def find_felt_area(self, book: Book, dealt: Dealt, family: str, number: int) -> FeltArea:
        """Return the area of the felt for side bets, in front of the boxperson."""
        return "bonus"
