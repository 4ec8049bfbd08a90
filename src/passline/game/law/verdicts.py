"""Verdict tables: what each outcome of the dice does to a wager.

The wager shapes build these tables when a layout is compiled, and ``layout.settle`` reads them.
Everything here is a pure function of the rule and the odds that a house pays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from passline.game.dice.dice import OUTCOMES, SEVEN, find_outcomes, outcome_total
from passline.game.law.wagers import Decider, PayLine
from passline.game.money.amounts import Odds

if TYPE_CHECKING:
    from passline.game.law.book import Book

#: What a roll does to a wager: it wins, loses, is a push, is returned, or travels to its number.
Result = Literal["win", "lose", "push", "return", "travel"]


class Verdict(NamedTuple):
    """The effect of a roll on a wager that is working.

    A winning stake is paid ``win`` for every ``per``. A losing stake gets that fraction back, which
    is zero except for a composite whose winning leg pays less than its other legs lose. ``to`` is
    the slug that a come wager or a staged side bet moves to.
    """

    result: Result
    win: int
    per: int
    odds: str | None
    cite: str
    to: str | None = None


#: Verdicts by outcome of the dice; None: that roll does not decide the wager.
VerdictTable = tuple[Verdict | None, ...]
#: The odds and the clause of the payout, by outcome of the dice.
PricedOutcomes = dict[int, tuple[Odds, str]]

#: The positions of the puck: 0 for off, else the point.
PUCKS = range(13)
NO_VERDICTS: VerdictTable = (None,) * len(OUTCOMES)


class TableTerms(NamedTuple):
    """What a shape needs to build a wager's verdict tables.

    ``number`` is the number that the wager is on, or 0. ``price`` takes a number or a point (0 for
    none) and returns the house's {outcome: (odds, clause)}. ``leg_tables`` has the verdict tables
    of a composite's legs by slug.
    """

    book: Book
    family: str
    number: int
    price: Callable[[int], PricedOutcomes]
    leg_tables: Mapping[str, VerdictTable]


def price_outcomes(lines: Iterable[tuple[PayLine, Odds]]) -> PricedOutcomes:
    """Return, by index of outcome, the (odds, clause) of the first payout line that covers it.

    A payout line without faces covers every outcome.
    """
    table: PricedOutcomes = {}
    for pay, odds in lines:
        for index in find_outcomes(pay.on) if pay.on else range(len(OUTCOMES)):
            table.setdefault(index, (odds, pay.cite))
    return table


def price_every_outcome(priced: PricedOutcomes) -> PricedOutcomes:
    """Return {outcome: price} with the first price in ``priced`` for all 36 outcomes.

    It is for a wager that pays the same however it wins. Return {} if ``priced`` is empty.
    """
    price = next(iter(priced.values()), None)
    return {} if price is None else dict.fromkeys(range(len(OUTCOMES)), price)


def win_verdict(priced: PricedOutcomes, index: int) -> Verdict:
    """Return the verdict of a win on this outcome, at its posted odds."""
    odds, cite = priced[index]
    return Verdict(result="win", win=odds.win, per=odds.stake, odds=str(odds), cite=cite)


def lose_verdict(cite: str) -> Verdict:
    """Return the verdict that the whole stake is lost. ``cite`` is the clause that says so."""
    return Verdict(result="lose", win=0, per=1, odds=None, cite=cite)


def repeat_for_pucks(table: VerdictTable) -> tuple[VerdictTable, ...]:
    """Return the same table once for each position of the puck (off, or on a number)."""
    return (table,) * len(PUCKS)


def make_race_table(
    number: int, wins: Decider, loses: Decider, priced: PricedOutcomes, lost_by: str
) -> VerdictTable:
    """Return the verdicts of a wager that wins on a number and loses on the seven, or the reverse.

    ``priced`` has the odds by outcome, and ``lost_by`` is the clause of a loss.
    """
    deciding = {"number": number, "seven": SEVEN}
    cells: list[Verdict | None] = []
    for index in range(len(OUTCOMES)):
        total = outcome_total(index)
        if total == deciding[wins]:
            cells.append(win_verdict(priced, index))
        elif total == deciding[loses]:
            cells.append(lose_verdict(lost_by))
        else:
            cells.append(None)
    return tuple(cells)
