"""Come wagers: come and don't come, before and after they travel to a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from passline.game.law.citations import CitedValue
from passline.game.law.rule_checks import check_members, check_paid_outcomes
from passline.game.law.shapes.first_roll import (
    check_every_total,
    check_first_roll,
    find_winning_totals,
    make_first_roll_table,
)
from passline.game.law.verdicts import (
    TableTerms,
    Verdict,
    VerdictTable,
    make_race_table,
    price_every_outcome,
    repeat_for_pucks,
)
from passline.game.law.wagers import (
    POINT_NUMBERS,
    CallPlace,
    Decider,
    DecisionKind,
    Face,
    FeltArea,
    PayLine,
    WagerRule,
)

if TYPE_CHECKING:
    from passline.game.law.book import Book


class Come(WagerRule, frozen=True, kw_only=True, tag="come"):
    """Come and don't come. The roll after the wager is made acts as its come-out roll."""

    is_come: ClassVar[bool] = True

    first_win: CitedValue[tuple[int, ...]]
    first_lose: CitedValue[tuple[int, ...]] | None = None
    first_push: CitedValue[tuple[int, ...]] | None = None
    travels: CitedValue[tuple[int, ...]]
    #: Numbers on which the wager may be made directly ("put"), without a first roll.
    put: CitedValue[tuple[int, ...]] | None = None
    wins: CitedValue[Decider]
    loses: CitedValue[Decider]
    pays: tuple[PayLine, ...]

    @property
    def wins_on_seven(self) -> bool:
        """Whether it is the don't side."""
        return self.wins.value == "seven"

    @property
    def put_numbers(self) -> tuple[int, ...]:
        """The numbers on which the wager may be made directly, without a first roll."""
        return self.put.value if self.put is not None else ()

    def list_numbers(self, book: Book) -> tuple[int, ...]:
        """Return 0 for a new wager, then the numbers that it can travel to."""
        return 0, *self.travels.value

    @property
    def push_totals(self) -> tuple[int, ...]:
        """The totals of its first roll on which the wager pushes."""
        return self.first_push.value if self.first_push is not None else ()

    def find_standard_name(self, book: Book, family: str) -> str:
        """Return ``come`` or ``dont-come``."""
        return "dont-come" if self.wins_on_seven else "come"

    def list_payout_names(
        self, slug: str, pay: PayLine, number: int, first: bool
    ) -> dict[str, tuple[Face, ...]]:
        """Return the wager's name without a number, since it pays the same on every number."""
        return {slug.removesuffix(f"-{number}"): pay.on}

    def find_layout_order(self, book: Book) -> tuple[int, bool, bool]:
        """Return the sort key: after the line wagers, and come before don't come."""
        return 1, self.wins_on_seven, False

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return the verdicts of its first roll or, on a number, of the number against seven."""
        priced = terms.price(terms.number)
        if terms.number:
            wins, loses = self.wins.value, self.loses
            priced = price_every_outcome(priced)
            table = make_race_table(terms.number, wins, loses.value, priced, loses.cite)
        else:
            table = make_first_roll_table(self, priced, self._list_travels(terms.family))
        return repeat_for_pucks(table)

    def _list_travels(self, family: str) -> dict[int, Verdict]:
        cite = self.travels.cite
        return {
            total: Verdict(
                result="travel", win=0, per=1, odds=None, cite=cite, to=f"{family}-{total}"
            )
            for total in self.travels.value
        }

    def check(self, book: Book) -> Iterator[str]:
        """Yield mistakes in its first roll (each total has one meaning) and in its numbers."""
        travels = self.travels.value
        yield from check_first_roll(self, travels, "travels")
        mistake = "is no number that can be a point"
        yield from check_members("travels", travels, POINT_NUMBERS, mistake)
        if self.put is not None:
            mistake = "is no number that it travels to"
            yield from check_members("put", self.put.value, travels, mistake)
        yield from check_every_total(self, travels)

    def check_pay_lines(self, book: Book, lines: list[PayLine], where: str) -> Iterator[str]:
        """Yield a mistake unless every way to win has exactly one payout."""
        yield from check_paid_outcomes(find_winning_totals(self, self.travels.value), lines, where)

    def find_felt_area(
        self, book: Book, dealt: Mapping[str, WagerRule], family: str, number: int
    ) -> FeltArea:
        """Return the come or don't come area, or on a number its box or the strip behind it."""
        if number:
            return "behind" if self.wins_on_seven else "box"
        return "dont-come" if self.wins_on_seven else "come"

    def find_call_place(self, book: Book, number: int) -> CallPlace:
        """Return the area that the stick names: come, don't come, the boxes or behind them."""
        if number:
            return "behind" if self.wins_on_seven else "boxes"
        return "dont-come" if self.wins_on_seven else "come"

    def find_decision_kind(self, number: int) -> DecisionKind:
        """Return the kind: its first roll or, on a number, the number against the seven."""
        return "by-faces" if number else "first-roll"
