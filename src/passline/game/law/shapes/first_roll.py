"""The base class of line and come wagers: a first roll decides them or sets their number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from passline.game.dice.dice import OUTCOMES, SEVEN, TOTALS, find_outcomes, outcome_total
from passline.game.law.citations import CitedValue
from passline.game.law.rule_checks import check_paid_outcomes, check_sides
from passline.game.law.verdicts import (
    PricedOutcomes,
    Verdict,
    VerdictTable,
    lose_verdict,
    win_verdict,
)
from passline.game.law.wagers import Decider, PayLine, WagerRule

if TYPE_CHECKING:
    from passline.game.law.book import Book

_KEYS = ("first_win", "first_lose", "first_push")


class FirstRollWager(WagerRule, frozen=True, kw_only=True):
    """The base class of line and come wagers, with the totals that decide their first roll."""

    first_win: CitedValue[tuple[int, ...]]
    first_lose: CitedValue[tuple[int, ...]] | None = None
    first_push: CitedValue[tuple[int, ...]] | None = None
    if TYPE_CHECKING:  # Fields of both shapes. Their order is a part of a book's digest.
        wins: CitedValue[Decider]
        loses: CitedValue[Decider]

    def list_set_numbers(self, book: Book) -> tuple[int, ...]:
        """Return the totals that become the wager's number when they come on its first roll."""
        raise NotImplementedError

    def find_layout_order(self, book: Book) -> tuple[int, bool, bool]:
        """Return the sort key for the layout; don't wagers come after their opposite."""
        return self.layout_rank, self.wins_on_seven, False

    def make_first_roll_table(
        self, priced: PricedOutcomes, travels: dict[int, Verdict]
    ) -> VerdictTable:
        """Return the verdicts of the first roll, by outcome.

        ``travels`` has, by total, the verdict that moves a come wager to its number.
        """
        lose, push = self.first_lose, self.first_push
        cells: list[Verdict | None] = []
        for index in range(len(OUTCOMES)):
            total = outcome_total(index)
            if total in self.first_win.value:
                cells.append(win_verdict(priced, index))
            elif lose is not None and total in lose.value:
                cells.append(lose_verdict(lose.cite))
            elif push is not None and total in push.value:
                cells.append(Verdict(result="push", win=0, per=1, odds=None, cite=push.cite))
            else:
                cells.append(travels.get(total))
        return tuple(cells)

    def check_first_roll(self, book: Book, source: str) -> Iterator[str]:
        """Yield a mistake for each first-roll total that is impossible or has two meanings.

        Also check that the wager does not win and lose by the same thing. ``source`` names the
        totals that set the wager's number, for the message.
        """
        yield from check_sides(self.wins, self.loses)
        numbers = self.list_set_numbers(book)
        listed: dict[int, str] = {}
        for key in _KEYS:
            totals = getattr(self, key)
            for total in totals.value if totals is not None else ():
                if total not in TOTALS:
                    yield f"{key}: {total} is no total of two dice"
                elif total in listed:
                    yield f"{key}: {total} stands in {listed[total]} too"
                elif total in numbers:
                    yield f"{key}: {total} is among the {source} too"
                listed[total] = key

    def check_every_total(self, book: Book) -> Iterator[str]:
        """Yield a mistake if the rule does not say what some totals of a first roll do."""
        listed = [getattr(self, key) for key in _KEYS]
        known = {*self.list_set_numbers(book), *(t for one in listed if one for t in one.value)}
        if unknown := [str(total) for total in TOTALS if total not in known]:
            yield f"first_win: nothing is said of a first roll of {', '.join(unknown)}"

    def check_pay_lines(self, book: Book, lines: list[PayLine], where: str) -> Iterator[str]:
        """Yield a mistake unless every way to win, on any roll, has exactly one payout."""
        decisive = (SEVEN,) if self.wins_on_seven else self.list_set_numbers(book)
        wins = find_outcomes(t for t in (*self.first_win.value, *decisive) if t in TOTALS)
        yield from check_paid_outcomes(wins, lines, where)
