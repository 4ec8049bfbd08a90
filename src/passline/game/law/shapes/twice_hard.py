"""Twice Hard: a bet that one hardway comes twice, before its total comes easy and before seven."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from passline.game.dice.dice import OUTCOMES, SEVEN
from passline.game.law.citations import CitedValue
from passline.game.law.rule_checks import check_members
from passline.game.law.shapes.staged import StagedWager
from passline.game.law.verdicts import TableTerms, Verdict, VerdictTable, repeat_for_pucks
from passline.game.law.wagers import DecisionKind, PayLine

if TYPE_CHECKING:
    from passline.game.law.book import Book

_HARDWAYS = (4, 6, 8, 10)


class TwiceHard(StagedWager, frozen=True, kw_only=True, tag="twice-hard"):
    """A wager that the same hardway is rolled twice.

    The first hardway among ``numbers`` moves the wager to that total, which is its stage. Then it
    wins when that hardway comes again, and loses when the total comes easy. A seven takes it at any
    time.
    """

    decision_kind: ClassVar[DecisionKind] = "twice-hard"

    numbers: CitedValue[tuple[int, ...]]

    def list_numbers(self, book: Book) -> tuple[int, ...]:
        """Return 0 for a new wager, then the totals of its hardways."""
        return 0, *self.numbers.value

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return the verdict table of the wager's stage, repeated for each puck position."""
        priced = self._price_stage(terms)

        def find_verdict(index: int) -> Verdict | None:
            first, second = OUTCOMES[index]
            total, hard = first + second, first == second
            if total == SEVEN:
                return self._settle_stage({}, index)
            if terms.number:
                won = priced if hard else {}
                return self._settle_stage(won, index) if total == terms.number else None
            return self._move_to(terms, total) if hard and total in self.numbers.value else None

        return repeat_for_pucks(tuple(map(find_verdict, range(len(OUTCOMES)))))

    def check(self, book: Book) -> Iterator[str]:
        """Yield a mistake if no hardway is listed, or a number other than 4, 6, 8 and 10.

        Yield one too if the wager's ``moves`` is not "hardway" or its ``loses`` not
        "easy-or-seven".
        """
        yield from self._check_words("hardway", "easy-or-seven")
        yield from check_members("numbers", self.numbers.value, _HARDWAYS, "is no hardway")
        if not self.numbers.value:
            yield "numbers: it wins on no hardway"

    def check_pay_lines(self, book: Book, lines: list[PayLine], where: str) -> Iterator[str]:
        """Yield a mistake unless each of its hardways has exactly one payout."""
        yield from self._check_stages(lines, self.numbers.value, where)
