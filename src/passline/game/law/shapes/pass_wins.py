"""Ride the Line: a bet paid by how often a shooter wins the pass line before the seven-out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from passline.game.dice.dice import OUTCOMES, SEVEN, TOTALS, outcome_total
from passline.game.law.shapes.first_roll import FirstRollWager
from passline.game.law.shapes.staged import StagedWager
from passline.game.law.verdicts import (
    NO_VERDICTS,
    PUCKS,
    TableTerms,
    VerdictTable,
)
from passline.game.law.wagers import DecisionKind, PayLine, WhenMade

if TYPE_CHECKING:
    from passline.game.law.book import Book


class PassWins(StagedWager, frozen=True, kw_only=True, tag="pass-wins"):
    """A wager on how often a shooter wins the pass line before the seven-out.

    The wager's stage is the number of pass wins so far. Each win, on the come-out or by a point
    made, moves it one stage on, up to the highest stage that has a payout. The seven-out pays it by
    its stage, or takes it.
    """

    decision_kind: ClassVar[DecisionKind] = "pass-wins"
    only_made: ClassVar[WhenMade | None] = "new-shooter"

    @property
    def follows_puck(self) -> bool:
        """Always True: the puck decides the wager, since points made are pass wins."""
        return True

    @property
    def stages(self) -> tuple[int, ...]:
        """The numbers of pass wins that some pay table pays, in rising order."""
        return tuple(sorted({int(stage) for pay in self.pays for stage in pay.on}))

    def list_numbers(self, book: Book) -> tuple[int, ...]:
        """Return every number of pass wins from 0 to the highest that has a payout."""
        return tuple(range(max(self.stages, default=0) + 1))

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return a verdict table for each puck position: the come-out roll, then each point."""
        natural = find_pass_line(terms.book).first_win.value
        points = terms.book.points.value
        come_out = self._make_table(terms, natural, ends=False)
        after = (
            self._make_table(terms, (puck,), ends=True) if puck in points else NO_VERDICTS
            for puck in PUCKS[1:]
        )
        return come_out, *after

    def _make_table(self, terms: TableTerms, wins: tuple[int, ...], ends: bool) -> VerdictTable:
        """Return the verdicts by outcome of the dice.

        Totals in ``wins`` move the wager to its next stage. If ``ends``, a seven ends it.
        """
        top = terms.number == max(self.stages)
        moved = None if top else self._move_to(terms, terms.number + 1)
        priced = self._price_stage(terms)
        return tuple(
            self._settle_stage(priced, index)
            if ends and outcome_total(index) == SEVEN
            else moved
            if outcome_total(index) in wins
            else None
            for index in range(len(OUTCOMES))
        )

    def check(self, book: Book) -> Iterator[str]:
        """Yield a mistake if a payout is for fewer than 2 or more than 12 pass wins.

        Yield one too if the book has no pass line, or the wager's ``moves`` is not "pass-win" or
        its ``loses`` not "seven-out".
        """
        yield from self._check_words("pass-win", "seven-out")
        for stage in (face for pay in self.pays for face in pay.on):
            if stage not in TOTALS:
                yield f"pays: {stage!r} is no number of wins from 2 to 12"
        if not any(_iter_pass(book)):
            yield "shape: the book has no pass line"

    def check_pay_lines(self, book: Book, lines: list[PayLine], where: str) -> Iterator[str]:
        """Yield a mistake unless every number of wins from the least to the highest is paid."""
        paid = [int(face) for pay in lines for face in pay.on if isinstance(face, int)]
        if not paid:
            yield f"pays: no payout is given{where}"
            return
        yield from self._check_stages(lines, tuple(range(min(paid), max(self.stages) + 1)), where)


def _iter_pass(book: Book) -> Iterator[FirstRollWager]:
    rules = (rule for rule in book.wager.values() if isinstance(rule, FirstRollWager))
    return (rule for rule in rules if rule.is_line and not rule.wins_on_seven)


def find_pass_line(book: Book) -> FirstRollWager:
    """Return the rule of the book's first pass line, which ``check`` makes sure of."""
    return next(_iter_pass(book))
