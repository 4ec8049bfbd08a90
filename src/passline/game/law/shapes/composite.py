"""Composites: one stake spread over other one-roll wagers, such as the horn."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from passline.game.dice.dice import OUTCOMES, outcome_total
from passline.game.law.citations import CitedValue
from passline.game.law.shapes.one_roll import OneRoll
from passline.game.law.verdicts import TableTerms, Verdict, VerdictTable, repeat_for_pucks
from passline.game.law.wagers import Dealt, DecisionKind, FeltArea, PayLine, WagerRule
from passline.game.money.amounts import Odds

if TYPE_CHECKING:
    from passline.game.law.book import Book

#: The standard names of composites with equal units on every leg, by the names of the legs.
STANDARD_NAMES = {
    frozenset({"any-craps", "eleven"}): "c-and-e",
    frozenset({"craps-2", "craps-3", "eleven", "craps-12"}): "horn",
    frozenset({"craps-2", "craps-3", "eleven", "craps-12", "any-seven"}): "whirl",
    frozenset({"craps-2", "craps-12"}): "hi-lo",
    frozenset({"craps-2", "craps-3", "craps-12"}): "three-way-craps",
}


class Composite(WagerRule, frozen=True, kw_only=True, tag="composite"):
    """A wager that is split in units over other one-roll wagers, its legs; each is paid as usual.

    ``high`` lists the numbers of which the player picks one, and that number's leg gets
    ``high_units`` more. A settlement cites ``won_by`` or ``lost_by``. ``won_by`` may differ by
    total: "2", or "2 high" and "2 low". ``level`` says whether a roll on which the legs win as much
    as they lose is a win or a push, and ``level_by`` is the clause for it.
    """

    is_composite: ClassVar[bool] = True
    stays_on_push: ClassVar[bool] = False
    decision_kind: ClassVar[DecisionKind] = "one-roll"
    layout_rank: ClassVar[int] = 6

    legs: CitedValue[dict[str, int]]
    won_by: tuple[str, ...] | dict[str, str]
    lost_by: tuple[str, ...]
    level_by: tuple[str, ...] = ()
    level: Literal["win", "push"] = "win"
    #: The clause that requires whole units; empty: none does.
    units_by: str = ""
    high: CitedValue[tuple[int, ...]] | None = None
    high_units: CitedValue[int] | None = None
    #: When the wager is booked as separate wagers on its legs: always, only where the layout has no
    #: spot for it, or never.
    split: CitedValue[Literal["always", "no-spot", "never"]] | None = None
    parts: CitedValue[dict[str, int]] | None = None
    pays: tuple[PayLine, ...] = ()

    def list_numbers(self, book: Book) -> tuple[int, ...]:
        """Return the numbers that may be high, or (0,) if the wager has no high number."""
        return self.high.value if self.high is not None else (0,)

    def find_standard_name(self, book: Book, family: str) -> str:
        """Return the name that most tables use for a bet with these legs, such as ``horn``.

        It ends with ``-high`` if the player picks a number that gets more.
        """
        legs = frozenset(book.wager[leg].find_standard_name(book, leg) for leg in self.legs.value)
        equal = len(set(self.legs.value.values())) == 1
        name = STANDARD_NAMES.get(legs, "") if equal else ""
        if not name:
            return family
        return f"{name}-high" if self.high is not None else name

    def find_high_leg(self, book: Book, number: int) -> str:
        """Return the slug of the leg that wins on this number only.

        Raise LookupError if there is none.
        """
        for slug in self.legs.value:
            leg = book.wager[slug]
            if isinstance(leg, OneRoll) and leg.win.value == (number,):
                return slug
        raise LookupError(f"no leg of {self.title} wins on {number} alone")

    def find_legs(self, book: Book, number: int) -> dict[str, int]:
        """Return the units on each leg by slug.

        ``number`` is the high number, whose leg has extra units.
        """
        legs = dict(self.legs.value)
        if number and self.high_units is not None:
            legs[self.find_high_leg(book, number)] += self.high_units.value
        return legs

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return a table for each puck position: the net result of all legs, by outcome."""
        legs = self.find_legs(terms.book, terms.number)
        units = sum(legs.values())
        cells: list[Verdict | None] = []
        for index in range(len(OUTCOMES)):
            net, hit = Fraction(0), False
            for slug, count in legs.items():
                verdict = terms.leg_tables[slug][index]
                if verdict is not None and verdict.result == "win":
                    net += count * Fraction(verdict.win, verdict.per)
                    hit = True
                else:
                    net -= count
            won_by = self._find_win_clause(outcome_total(index), terms.number)
            cells.append(self._make_verdict(net / units, hit, won_by))
        return repeat_for_pucks(tuple(cells))

    def _find_win_clause(self, total: int, number: int) -> str:
        if not isinstance(self.won_by, dict):
            return self.won_by[0]
        side = "high" if total == number else "low"
        first = next(iter(self.won_by.values()))
        return self.won_by.get(f"{total} {side}") or self.won_by.get(str(total), first)

    def _make_verdict(self, net: Fraction, hit: bool, won_by: str) -> Verdict:
        """Return the verdict for ``net``, the result of all legs per unit staked.

        ``hit`` says whether any leg won, and ``won_by`` is the clause of a win.
        """
        if net > 0:
            odds = Odds(net.numerator, net.denominator)
            return Verdict(result="win", win=odds.win, per=odds.stake, odds=str(odds), cite=won_by)
        if net == 0 and hit:
            cite = (self.level_by or (won_by,))[0]
            return Verdict(result=self.level, win=0, per=1, odds=None, cite=cite)
        back, lost_by = 1 + net, self.lost_by[0]
        return Verdict(
            result="lose", win=back.numerator, per=back.denominator, odds=None, cite=lost_by
        )

    def check(self, book: Book) -> Iterator[str]:
        """Yield mistakes in its legs, its high numbers and its split rule."""
        straight = []
        for leg, units in self.legs.value.items():
            found = book.wager.get(leg)
            if not isinstance(found, OneRoll):
                yield f"legs: {leg!r} is no one-roll wager of the book"
            else:
                straight += [found.win.value]
            if units < 1:
                yield f"legs: {leg} = {units} is no unit"
        if len(self.legs.value) < 2:
            yield "legs: expected two legs or more"
        if (self.high is None) != (self.high_units is None):
            yield "high_units: high and high_units go together"
        for number in self.high.value if self.high is not None else ():
            if (number,) not in straight:
                yield f"high: no leg wins on {number} alone"
        if not self.won_by or not self.lost_by:
            yield f"{'lost_by' if self.won_by else 'won_by'}: expected a clause"
        if (self.split is None) != (self.parts is None):
            yield "parts: split and parts go together"
        for part, units in self.parts.value.items() if self.parts is not None else ():
            if units < 1 or (part not in book.wager and (part != "high" or self.high is None)):
                yield f"parts: {part} = {units} is no part: expected wagers of the book"

    def check_pay_lines(self, book: Book, lines: list[PayLine], where: str) -> Iterator[str]:
        """Yield a mistake if it has payout lines, since its legs are paid."""
        if lines:
            yield "pays: a composite is paid as its legs"

    def find_felt_area(self, book: Book, dealt: Dealt, family: str, number: int) -> FeltArea:
        """Return the area of the felt for this composite.

        With a high number, that is the box of the number. With a leg on the seven, it is above the
        seven. With a leg on one total and a leg on several (C and E), it is the circles. Otherwise,
        it is among the combinations.
        """
        if self.high is not None:
            return "high"
        areas = [
            rule.find_felt_area(book, dealt, leg, 0)
            for leg, rule in dealt.items()
            if leg in self.legs.value
        ]
        if "seven" in areas:
            return "above-seven"
        return "circles" if sorted(areas) == ["total", "totals"] else "parts"
