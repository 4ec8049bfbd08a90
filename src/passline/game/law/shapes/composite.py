"""Composites: one stake spread over other one-roll wagers, such as the horn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from passline.game.dice.dice import OUTCOMES, outcome_total
from passline.game.law.citations import CitedValue
from passline.game.law.shapes.one_roll import OneRoll
from passline.game.law.verdicts import TableTerms, Verdict, VerdictTable, repeat_for_pucks
from passline.game.law.wagers import DecisionKind, FeltArea, PayLine, WagerRule
from passline.game.money.amounts import Odds

if TYPE_CHECKING:
    from passline.game.law.book import Book

#: The standard names of composites with the same units on every leg, by their legs' names.
_STANDARD_NAMES = {
    frozenset({"any-craps", "eleven"}): "c-and-e",
    frozenset({"craps-2", "craps-12"}): "hi-lo",
    frozenset({"craps-2", "craps-3", "craps-12"}): "three-way-craps",
    frozenset({"craps-2", "craps-3", "eleven", "craps-12"}): "horn",
    frozenset({"craps-2", "craps-3", "eleven", "craps-12", "any-seven"}): "whirl",
}


class Composite(WagerRule, frozen=True, kw_only=True, tag="composite"):
    """Units on several other wagers, its legs, each paid as its own wager is.

    ``high``: the wager is made on one of these numbers, whose leg has ``high_units`` more.
    ``won_by`` and ``lost_by`` are the clauses that a settlement cites. ``won_by`` may have one for
    each total: "2", or "2 high" and "2 low". ``level_by`` is for a roll that wins as much as it
    loses, and ``level`` says what such a roll counts as.
    """

    is_composite: ClassVar[bool] = True

    legs: CitedValue[dict[str, int]]
    won_by: tuple[str, ...] | dict[str, str]
    lost_by: tuple[str, ...]
    level_by: tuple[str, ...] = ()
    level: Literal["win", "push"] = "win"
    #: The clause that asks for whole units; empty: none does.
    units_by: str = ""
    high: CitedValue[tuple[int, ...]] | None = None
    high_units: CitedValue[int] | None = None
    #: When it is booked as its parts: always, where the layout has no spot for it, or never.
    split: CitedValue[Literal["always", "no-spot", "never"]] | None = None
    parts: CitedValue[dict[str, int]] | None = None
    pays: tuple[PayLine, ...] = ()

    def list_numbers(self, book: Book) -> tuple[int, ...]:
        """Return the numbers that it may be high on; else no number."""
        return self.high.value if self.high is not None else (0,)

    def find_standard_name(self, book: Book, family: str) -> str:
        """Return the name for its legs, with ``-high`` where one leg has more units."""
        legs = frozenset(book.wager[leg].find_standard_name(book, leg) for leg in self.legs.value)
        equal = len(set(self.legs.value.values())) == 1
        name = _STANDARD_NAMES.get(legs, "") if equal else ""
        if not name:
            return family
        return f"{name}-high" if self.high is not None else name

    def find_high_leg(self, book: Book, number: int) -> str:
        """Return the leg that wins on this number alone; LookupError where none does."""
        for slug in self.legs.value:
            leg = book.wager[slug]
            if isinstance(leg, OneRoll) and leg.win.value == (number,):
                return slug
        raise LookupError(f"no leg of {self.title} wins on {number} alone")

    def find_legs(self, book: Book, number: int) -> dict[str, int]:
        """Return the units on each leg, with the extra ones on the high number."""
        legs = dict(self.legs.value)
        if number and self.high_units is not None:
            legs[self.find_high_leg(book, number)] += self.high_units.value
        return legs

    def find_layout_order(self, book: Book) -> tuple[int, bool, bool]:
        """Return the last place: its legs are compiled before it."""
        return 6, False, False

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return the net of its legs, each settled at its own posted odds."""
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
        """Return the verdict for a net result, per unit staked."""
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
        """Check its legs, its high numbers and its parts."""
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
        """Check that it has no payout lines."""
        if lines:
            yield "pays: a composite is paid as its legs"

    def find_felt_area(
        self, book: Book, dealt: Mapping[str, WagerRule], family: str, number: int
    ) -> FeltArea:
        """Return where a composite of these legs lies.

        High on one number it lies in that number's box; with a leg on the seven, above the seven;
        with one leg on one total and one on several, on the circles; else among the other
        combinations.
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

    def find_decision_kind(self, number: int) -> DecisionKind:
        """Return that one roll decides it."""
        return "one-roll"
