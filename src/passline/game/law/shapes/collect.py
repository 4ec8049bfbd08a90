"""Collecting wagers: fire and bonus craps, won by what a shooter rolls over many rolls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from passline.game.dice.dice import SEVEN
from passline.game.law.citations import CitedValue
from passline.game.law.rule_checks import check_members
from passline.game.law.verdicts import (
    NO_VERDICTS,
    TableTerms,
    Verdict,
    VerdictTable,
    lose_verdict,
    repeat_for_pucks,
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
from passline.game.money.amounts import Odds

if TYPE_CHECKING:
    from passline.game.law.book import Book

#: The standard names of bonus wagers, by the totals that they require.
STANDARD_NAMES = {
    frozenset(POINT_NUMBERS[:5]): "all-small",
    frozenset(POINT_NUMBERS[5:]): "all-tall",
    frozenset(POINT_NUMBERS): "make-them-all",
}


class Collect(WagerRule, frozen=True, kw_only=True, tag="collect"):
    """A wager that wins when the shooter completes a set over many rolls.

    ``points-made`` (fire) counts the different points that the shooter makes. It is settled on the
    seven-out and paid by that count. ``totals-thrown`` (bonus craps) wins as soon as every total in
    ``needs`` has been rolled. On a seven before that it loses, or is paid by the count of totals if
    that is at least ``least`` (Hot Hand).
    """

    is_collect: ClassVar[bool] = True
    call_place: ClassVar[CallPlace | None] = "side"
    decision_kind: ClassVar[DecisionKind] = "collected"
    only_made: ClassVar[WhenMade | None] = "new-shooter"
    stake_fits_pay: ClassVar[bool] = False

    counts: CitedValue[Literal["points-made", "totals-thrown"]]
    needs: CitedValue[tuple[int, ...]]
    #: How many points must be made, or totals thrown, to win: a number, or one for each pay table
    #: of points (``{ A = 4, D = 3 }``).
    least: CitedValue[int | dict[str, int]]
    settled: CitedValue[Literal["loser-seven", "complete"]]
    lost_by: CitedValue[Literal["loser-seven", "any-seven"]]
    minimum: CitedValue[int] | None = None
    maximum: CitedValue[int] | None = None
    step: CitedValue[int] | None = None
    pays: tuple[PayLine, ...]

    @property
    def counts_points(self) -> bool:
        """Whether the wager counts points made, as opposed to totals thrown."""
        return self.counts.value == "points-made"

    @property
    def fewest(self) -> int:
        """How many points or totals win under the pay table that asks for the fewest."""
        least = self.least.value
        return least if isinstance(least, int) else min(least.values())

    @property
    def unit_name(self) -> str:
        """What the counts of its payout lines count: ``points`` or ``totals``."""
        return "points" if self.counts_points else "totals"

    @property
    def follows_puck(self) -> bool:
        """Whether the puck decides the wager: it does if points made are counted."""
        return self.counts_points

    def find_standard_name(self, book: Book, family: str) -> str:
        """Return ``fire``, or the bonus wager's name for the totals it needs."""
        if self.counts_points:
            return "fire"
        whole = self.fewest == len(self.needs.value)
        return STANDARD_NAMES.get(frozenset(self.needs.value), family) if whole else family

    def list_payout_names(self, slug: str, pay: PayLine, number: int, first: bool) -> PayoutNames:
        """Return {name: faces} of a payout line; the name is the slug and its number of points."""
        if pay.on:
            return {f"{slug}-{pay.on[0]}": pay.on}
        return WagerRule.list_payout_names(self, slug, pay, number, first)

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return tables without verdicts: no single roll decides it (see ``find_verdict``)."""
        return repeat_for_pucks(NO_VERDICTS)

    def find_tiers(self, lines: list[tuple[PayLine, Odds]]) -> dict[int, tuple[Odds, str]]:
        """Return (odds, clause) by the number of points made; key 0 is for totals thrown.

        The least number of points that wins is always a key, and no smaller number is.
        """
        found = {int(count): (odds, pay.cite) for pay, odds in lines for count in pay.on or (0,)}
        if not self.counts_points or not found or 0 in found:
            return found
        least = self._find_least([pay for pay, _ in lines])
        found.setdefault(least, next(iter(found.values())))
        return {count: tier for count, tier in found.items() if count >= least}

    def find_verdict(
        self,
        tiers: Mapping[int, tuple[Odds, str]],
        made: frozenset[int],
        thrown: frozenset[int],
        total: int,
        loser_seven: bool,
    ) -> Verdict | None:
        """Return what a roll does to the wager, or None if it does not decide it.

        ``tiers`` is what ``find_tiers`` returns. ``made`` (points) and ``thrown`` (totals) are
        collected so far, with this roll. ``loser_seven`` is a seven with a point on.
        """
        have = (made if self.counts_points else thrown).intersection(self.needs.value)
        enough = len(have) >= max(self.fewest, min(tiers))
        lost = loser_seven if self.lost_by.value == "loser-seven" else total == SEVEN
        complete = self.settled.value == "complete" and len(have) == len(self.needs.value)
        if enough and (lost or complete):
            tier = max((count for count in tiers if count <= len(have)), default=0)
            odds, cite = tiers.get(tier, next(iter(tiers.values())))
            return Verdict(result="win", win=odds.win, per=odds.stake, odds=str(odds), cite=cite)
        return lose_verdict(self.lost_by.cite) if lost else None

    def check(self, book: Book) -> Iterator[str]:
        """Yield mistakes in the points or totals that it needs and in its limits."""
        known = book.points.value if self.counts_points else POINT_NUMBERS
        mistake = "is no point of the book" if self.counts_points else "is no number"
        yield from check_members("needs", self.needs.value, known, mistake)
        by_table = self.least.value if isinstance(self.least.value, dict) else {}
        tables = {pay.elect.partition("=")[2] for pay in self.pays}
        yield from check_members("least", by_table, tables, "is no pay table of the wager")
        for least in by_table.values() or (self.least.value,):
            if not isinstance(least, int) or not 1 <= least <= len(self.needs.value):
                yield f"least: {least} of {len(self.needs.value)} cannot be"
        for key in ("minimum", "maximum", "step"):
            dollars = getattr(self, key)
            if dollars is not None and dollars.value < 1:
                yield f"{key}: {dollars.value} is no amount: expected dollars, 1 or more"
        low, high = self.minimum, self.maximum
        if low is not None and high is not None and low.value > high.value:
            yield f"minimum: {low.value} is over the maximum, {high.value}"

    def check_pay_lines(self, book: Book, lines: list[PayLine], where: str) -> Iterator[str]:
        """Yield a mistake if the wager's least win has no payout, or a count is impossible."""
        counts = [count for pay in lines for count in pay.on or (0,)]
        if not counts:
            yield f"pays: no payout is given{where}"
        elif self.counts_points and 0 not in counts:
            least = self._find_least(lines)
            if least not in counts:
                yield f"pays: no payout is given for {least}{where}"
            elif any(isinstance(count, int) and count < least for count in counts):
                yield f"pays: a payout is given for fewer than {least}{where}"
        for count in counts:
            if not isinstance(count, int) or not 0 <= count <= len(self.needs.value):
                yield f"pays: {count!r} of {len(self.needs.value)} cannot be gathered"

    def _find_least(self, lines: list[PayLine]) -> int:
        """Return how many points must be made to win under the pay table of these lines."""
        least = self.least.value
        if isinstance(least, int):
            return least
        chosen = {pay.elect.partition("=")[2] for pay in lines}
        return max((points for table, points in least.items() if table in chosen), default=0)

    def find_felt_area(self, book: Book, dealt: Dealt, family: str, number: int) -> FeltArea:
        """Return the fire or the bonus spots."""
        return "fire" if self.counts_points else "bonus"
