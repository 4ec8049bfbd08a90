"""Come wagers: come and don't come, before and after they travel to a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from passline.game.law.citations import CitedValue
from passline.game.law.rule_checks import check_members
from passline.game.law.shapes.first_roll import FirstRollWager
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
    Dealt,
    Decider,
    DecisionKind,
    FeltArea,
    PayLine,
    PayoutNames,
)

if TYPE_CHECKING:
    from passline.game.law.book import Book


class Come(FirstRollWager, frozen=True, kw_only=True, tag="come"):
    """Come and don't come. The roll after the wager is made acts as its come-out roll."""

    is_come: ClassVar[bool] = True
    layout_rank: ClassVar[int] = 1

    travels: CitedValue[tuple[int, ...]]
    #: Numbers on which the wager may be made directly ("put"), without a first roll.
    put: CitedValue[tuple[int, ...]] | None = None
    wins: CitedValue[Decider]
    loses: CitedValue[Decider]
    pays: tuple[PayLine, ...]

    def is_reached_by_moving(self, number: int) -> bool:
        """Return whether the wager gets to this number only by a roll, not by a put bet."""
        return number not in (0, *self.put_numbers)

    def list_set_numbers(self, book: Book) -> tuple[int, ...]:
        """Return the totals that, on the wager's first roll, move it to that number."""
        return self.travels.value

    def list_numbers(self, book: Book) -> tuple[int, ...]:
        """Return 0 for a new wager, then the numbers that it can travel to."""
        return 0, *self.travels.value

    def find_standard_name(self, book: Book, family: str) -> str:
        """Return ``come`` or ``dont-come``."""
        return "dont-come" if self.wins_on_seven else "come"

    def list_payout_names(self, slug: str, pay: PayLine, number: int, first: bool) -> PayoutNames:
        """Return {name: faces}: the name under which a house may raise this payout line.

        The name has no number, since all numbers are paid alike.
        """
        return {slug.removesuffix(f"-{number}"): pay.on}

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return the verdicts of its first roll or, on a number, of the number against seven."""
        priced = terms.price(terms.number)
        if terms.number:
            priced, loses = price_every_outcome(priced), self.loses
            table = make_race_table(terms.number, self.wins.value, loses.value, priced, loses.cite)
        else:
            table = self.make_first_roll_table(priced, self._list_travels(terms.family))
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
        yield from self.check_first_roll(book, "travels")
        mistake = "is no number that can be a point"
        yield from check_members("travels", travels, POINT_NUMBERS, mistake)
        if self.put is not None:
            mistake = "is no number that it travels to"
            yield from check_members("put", self.put.value, travels, mistake)
        yield from self.check_every_total(book)

    def find_felt_area(self, book: Book, dealt: Dealt, family: str, number: int) -> FeltArea:
        """Return the area of the felt: come, don't come or, on a number, in or behind its box."""
        if number:
            return "behind" if self.wins_on_seven else "box"
        return "dont-come" if self.wins_on_seven else "come"

    def find_call_place(self, book: Book, number: int) -> CallPlace:
        """Return the area that a stick call names: come, don't come, the boxes or behind them."""
        if number:
            return "behind" if self.wins_on_seven else "boxes"
        return "dont-come" if self.wins_on_seven else "come"

    def find_decision_kind(self, number: int) -> DecisionKind:
        """Return "first-roll" for a new wager, and "by-faces" once it is on a number."""
        return "by-faces" if number else "first-roll"
