"""Collecting wagers: fire, bonus craps and side bets that count what a shooter rolls.

The wager counts points made, totals or doubles over many rolls, and wins if it counts enough. What
it has counted so far is its tally.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from passline.game.dice.dice import DOUBLES, SEVEN, TOTALS
from passline.game.law.citations import CitedValue
from passline.game.law.rule_checks import check_members
from passline.game.law.verdicts import (
    NO_VERDICTS,
    Result,
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
#: What a wager counts. The first three count different ones, the others count every one.
Counts = Literal[
    "points-made",
    "totals-thrown",
    "doubles-thrown",
    "points-repeated",
    "totals-repeated",
]
_DIFFERENT = ("points-made", "totals-thrown", "doubles-thrown")
#: Kinds that all wagers of a table count together, in ``Table.made`` and ``Table.thrown``.
SHARED_KINDS = ("points-made", "totals-thrown")
#: The highest count that a payout line may ask for.
_MAX_COUNT = 1_000
#: What a wager has counted: the different totals in rising order, or one number, how many.
Tally = tuple[int, ...]


class CollectThrow(NamedTuple):
    """A throw, reduced to what collecting wagers (fire, bonus) need to know about it.

    ``puck`` is the point before the throw, or 0 on a come-out roll. ``line`` is what the throw does
    to a pass line wager, or None if it does not decide one.
    """

    total: int
    puck: int
    double: bool
    line: Result | None

    @property
    def loser_seven(self) -> bool:
        """Whether the throw is a seven-out: a seven with a point on."""
        return self.total == SEVEN and self.puck != 0


class Collect(WagerRule, frozen=True, kw_only=True, tag="collect"):
    """A wager that wins if the shooter collects enough over many rolls.

    ``counts`` says what is counted of the numbers in ``needs``: different points made (fire),
    different totals (bonus craps), different doubles, or every point made or total thrown, with
    repeats. ``lost_by`` names the throw that ends the wager: then it is paid by its count, or lost
    if the count is below ``least``. If ``settled`` is ``complete``, it is paid as soon as it has
    all of its numbers, or with repeats the highest count that pays. A payout of 0 to 1 is a push.
    """

    is_collect: ClassVar[bool] = True
    call_place: ClassVar[CallPlace | None] = "side"
    decision_kind: ClassVar[DecisionKind] = "collected"
    only_made: ClassVar[WhenMade | None] = "new-shooter"
    stake_fits_pay: ClassVar[bool] = False
    may_pay_nothing: ClassVar[bool] = True
    stays_on_push: ClassVar[bool] = False

    counts: CitedValue[Counts]
    needs: CitedValue[tuple[int, ...]]
    #: How many must be collected to win: a number, or one for each pay table of points
    #: (``{ A = 4, D = 3 }``).
    least: CitedValue[int | dict[str, int]]
    settled: CitedValue[Literal["loser-seven", "complete"]]
    lost_by: CitedValue[Literal["loser-seven", "any-seven", "line-loss"]]
    minimum: CitedValue[int] | None = None
    maximum: CitedValue[int] | None = None
    step: CitedValue[int] | None = None
    pays: tuple[PayLine, ...]

    @property
    def counts_points(self) -> bool:
        """Whether the wager counts different points made (fire)."""
        return self.counts.value == "points-made"

    @property
    def counts_totals(self) -> bool:
        """Whether the wager counts different totals thrown (bonus craps)."""
        return self.counts.value == "totals-thrown"

    @property
    def counts_different(self) -> bool:
        """Whether a point, total or double counts only once."""
        return self.counts.value in _DIFFERENT

    @property
    def fewest(self) -> int:
        """The lowest count that wins under any of the wager's pay tables."""
        least = self.least.value
        return least if isinstance(least, int) else min(least.values())

    @property
    def unit_name(self) -> str:
        """What the numbers in its payout lines count: points, totals, doubles, times or rolls."""
        kind = self.counts.value
        if kind == "totals-repeated":
            return "rolls" if set(self.needs.value) == set(TOTALS) else "times"
        return {"totals-thrown": "totals", "doubles-thrown": "doubles"}.get(kind, "points")

    def describe_count(self, count: int, more: str = "") -> str:
        """Return a count in words: "3 points", "1 time"; ``more`` follows the number."""
        one = count == 1 and not more
        return f"{count}{more} {self.unit_name.removesuffix('s') if one else self.unit_name}"

    @property
    def follows_puck(self) -> bool:
        """Whether the puck decides the wager, by what it counts or by what it loses on."""
        return self.unit_name == "points" or self.lost_by.value != "any-seven"

    @property
    def reads_doubles(self) -> bool:
        """Whether the wager tells a double from another throw of the same total."""
        return self.counts.value == "doubles-thrown"

    def find_riding_key(self, slug: str) -> str:
        """Return the key under which the table remembers that this wager is undecided.

        While it is, no wager with the same key may be made. The key is the kind of count, which
        several wagers share, or the wager's own slug.
        """
        return self.counts.value if self.counts.value in SHARED_KINDS else slug

    def find_standard_name(self, book: Book, family: str) -> str:
        """Return ``fire``, or the bonus wager's name for the totals it needs."""
        if self.counts_points:
            return "fire"
        whole = self.counts.value == "totals-thrown" and self.fewest == len(self.needs.value)
        return STANDARD_NAMES.get(frozenset(self.needs.value), family) if whole else family

    def list_payout_names(self, slug: str, pay: PayLine, number: int, first: bool) -> PayoutNames:
        """Return {name: counts}: the name under which a house may raise this payout line.

        The name is the slug with the count that the line pays on, such as `fire-4` for four points
        made. The wager's first line has the slug alone if it names no count.
        """
        if pay.on:
            return {f"{slug}-{pay.on[0]}": pay.on}
        return WagerRule.list_payout_names(self, slug, pay, number, first)

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return tables without verdicts, since no single roll decides the wager.

        ``find_verdict`` decides it from the rolls collected.
        """
        return repeat_for_pucks(NO_VERDICTS)

    def find_tiers(self, lines: list[tuple[PayLine, Odds]]) -> dict[int, tuple[Odds, str]]:
        """Return {count: (odds, clause)} from the payout lines, without counts too low to win.

        If the wager has a single payout, the only key is 0: that payout is for ``least`` or more.
        """
        found = {int(count): (odds, pay.cite) for pay, odds in lines for count in pay.on or (0,)}
        if not found or 0 in found:
            return found
        least = self._find_least([pay for pay, _ in lines])
        found.setdefault(least, next(iter(found.values())))
        return {count: tier for count, tier in found.items() if count >= least}

    def find_top(self, tiers: Mapping[int, tuple[Odds, str]]) -> int:
        """Return the count at which the wager is complete.

        That is the number of its totals or points; if repeats count, it is the highest count that
        pays.
        """
        return len(self.needs.value) if self.counts_different else max(self.fewest, *tiers)

    def goes_beyond(self, count: int) -> bool:
        """Return whether a shooter could collect more than ``count`` before the wager ends."""
        if self.counts_different:
            return count < len(self.needs.value)
        return self.settled.value != "complete"

    def pick_tally(self, made: frozenset[int], thrown: frozenset[int], own: Tally) -> Tally:
        """Return what the wager has counted so far.

        The table counts points ``made`` and totals ``thrown`` for all wagers: of these, return
        those that this wager needs. A wager that counts anything else has its ``own`` tally.
        """
        shared = {"points-made": made, "totals-thrown": thrown}.get(self.counts.value)
        return own if shared is None else tuple(sorted(shared.intersection(self.needs.value)))

    def list_paid_counts(self) -> list[int]:
        """Return every count that a pay table lists, and the lowest count that wins, in order."""
        on = (int(count) for pay in self.pays for count in pay.on)
        return sorted({self.fewest, *on})

    def count_tally(self, tally: Tally) -> int:
        """Return the count in a tally: how many totals it has, or the one figure that it holds."""
        return len(tally) if self.counts_different else sum(tally)

    def add_throw(
        self, tiers: Mapping[int, tuple[Odds, str]], tally: Tally, throw: CollectThrow
    ) -> Tally:
        """Return what the wager has counted after a throw.

        ``tally`` is the count before it, and ``tiers`` are from ``find_tiers``.
        """
        if not self._is_counted(throw):
            return tally
        if self.counts_different:
            return tuple(sorted({*tally, throw.total}))
        return (min(sum(tally) + 1, self.find_top(tiers)),)

    def _is_counted(self, throw: CollectThrow) -> bool:
        kind = self.counts.value
        if throw.total not in self.needs.value:
            return False
        if kind in ("points-made", "points-repeated"):
            return throw.puck == throw.total
        return throw.double or kind != "doubles-thrown"

    def find_verdict(
        self, tiers: Mapping[int, tuple[Odds, str]], tally: Tally, throw: CollectThrow
    ) -> Verdict | None:
        """Return what a throw does to the wager, or None if it does not decide it.

        ``tiers`` is what ``find_tiers`` returns. ``tally`` is what it has counted, this throw
        included.
        """
        have = self.count_tally(tally)
        enough = have >= max(self.fewest, min(tiers))
        lost = self.is_lost(throw)
        complete = self.settled.value == "complete" and have >= self.find_top(tiers)
        if enough and (lost or complete):
            tier = max((count for count in tiers if count <= have), default=0)
            odds, cite = tiers.get(tier, next(iter(tiers.values())))
            result: Result = "win" if odds.win else "push"
            return Verdict(result=result, win=odds.win, per=odds.stake, odds=str(odds), cite=cite)
        return lose_verdict(self.lost_by.cite) if lost else None

    def is_lost(self, throw: CollectThrow) -> bool:
        """Return whether this throw ends the wager. It then loses, unless its count pays."""
        if self.lost_by.value == "line-loss":
            return throw.line == "lose"
        return throw.loser_seven if self.lost_by.value == "loser-seven" else throw.total == SEVEN

    def check(self, book: Book) -> Iterator[str]:
        """Yield mistakes in what the wager counts and in the counts that win."""
        known, mistake = self._list_known(book)
        yield from check_members("needs", self.needs.value, known, mistake)
        by_table = self.least.value if isinstance(self.least.value, dict) else {}
        tables = {pay.elect.partition("=")[2] for pay in self.pays}
        yield from check_members("least", by_table, tables, "is no pay table of the wager")
        for least in by_table.values() or (self.least.value,):
            if not isinstance(least, int) or not 1 <= least <= self._most:
                yield f"least: {least} of {self._most} cannot be"
        for key in ("minimum", "maximum", "step"):
            dollars = getattr(self, key)
            if dollars is not None and dollars.value < 1:
                yield f"{key}: {dollars.value} is no amount: expected dollars, 1 or more"
        low, high = self.minimum, self.maximum
        if low is not None and high is not None and low.value > high.value:
            yield f"minimum: {low.value} is over the maximum, {high.value}"
        if self.made.value == "after-seven" and self.lost_by.value != "any-seven":
            yield "made: after-seven is for a wager that any seven decides"

    def _list_known(self, book: Book) -> tuple[tuple[int, ...], str]:
        """Return (the numbers that ``needs`` may have, the words that reject any other number)."""
        kind = self.counts.value
        if kind in ("points-made", "points-repeated"):
            return book.points.value, "is no point of the book"
        if kind == "doubles-thrown":
            return DOUBLES, "is no total of a double"
        if kind == "totals-thrown":
            return POINT_NUMBERS, "is no number"
        return TOTALS, "is no total"

    @property
    def _most(self) -> int:
        """The highest count that a payout may be for."""
        return len(self.needs.value) if self.counts_different else _MAX_COUNT

    def check_pay_lines(self, book: Book, lines: list[PayLine], where: str) -> Iterator[str]:
        """Yield a mistake if the lowest count that wins has no payout, or a lower count has one.

        Also yield one for each count that the wager cannot reach.
        """
        counts = [count for pay in lines for count in pay.on or (0,)]
        if not counts:
            yield f"pays: no payout is given{where}"
        elif 0 not in counts:
            least = self._find_least(lines)
            if least not in counts:
                yield f"pays: no payout is given for {least}{where}"
            elif any(isinstance(count, int) and count < least for count in counts):
                yield f"pays: a payout is given for fewer than {least}{where}"
        for count in counts:
            if not isinstance(count, int) or not 0 <= count <= self._most:
                yield f"pays: {count!r} of {self._most} cannot be gathered"

    def _find_least(self, lines: list[PayLine]) -> int:
        """Return how many must be collected to win under the pay table of these lines."""
        least = self.least.value
        if isinstance(least, int):
            return least
        chosen = {pay.elect.partition("=")[2] for pay in lines}
        return max((points for table, points in least.items() if table in chosen), default=0)

    def find_felt_area(self, book: Book, dealt: Dealt, family: str, number: int) -> FeltArea:
        """Return the area of the felt for this wager: that of fire or that of bonus bets."""
        return "fire" if self.counts_points else "bonus"
