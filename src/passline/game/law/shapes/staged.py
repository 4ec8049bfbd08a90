"""The base class of side bets that move from stage to stage: the stage is the wager's number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from passline.game.law.citations import CitedValue
from passline.game.law.verdicts import (
    PricedOutcomes,
    TableTerms,
    Verdict,
    lose_verdict,
    price_every_outcome,
    win_verdict,
)
from passline.game.law.wagers import CallPlace, Dealt, FeltArea, PayLine, PayoutNames, WagerRule

if TYPE_CHECKING:
    from passline.game.law.book import Book


class StagedWager(WagerRule, frozen=True, kw_only=True):
    """A side bet that is made without a number, and moves from stage to stage as the shooter rolls.

    Its slug says the stage: ``ride-the-line`` becomes ``ride-the-line-1`` at the first pass win.
    Each payout line names the stages that it is for. Odds of 0 to 1 give the stake back.
    """

    call_place: ClassVar[CallPlace | None] = "side"
    pays_by_number: ClassVar[bool] = True
    may_pay_nothing: ClassVar[bool] = True
    stays_on_push: ClassVar[bool] = False

    moves: CitedValue[str]
    loses: CitedValue[str]
    pays: tuple[PayLine, ...]

    def is_reached_by_moving(self, number: int) -> bool:
        """Return whether the wager gets to this stage by a roll: all stages but the first."""
        return number != 0

    def list_payout_names(self, slug: str, pay: PayLine, number: int, first: bool) -> PayoutNames:
        """Return {slug: stages}: a house may raise a stage's payout under the slug of that stage.

        Return {} for the first stage (``number`` 0), which pays nothing.
        """
        return {slug: pay.on} if number else {}

    def _check_words(self, moves: str, loses: str) -> Iterator[str]:
        """Yield a mistake if the wager's own ``moves`` or ``loses`` is not what its shape requires.

        The arguments are the required words, such as "pass-win" and "seven-out".
        """
        if self.moves.value != moves:
            yield f"moves: {self.moves.value!r} is not {moves!r}"
        if self.loses.value != loses:
            yield f"loses: {self.loses.value!r} is not {loses!r}"

    def _move_to(self, terms: TableTerms, number: int) -> Verdict:
        """Return the verdict that moves the wager to the stage ``number``."""
        to = f"{terms.family}-{number}"
        return Verdict(result="travel", win=0, per=1, odds=None, cite=self.moves.cite, to=to)

    def _price_stage(self, terms: TableTerms) -> PricedOutcomes:
        """Return the price of the wager's stage for every outcome; {} if the stage pays nothing."""
        return price_every_outcome(terms.price(terms.number)) if terms.number else {}

    def _settle_stage(self, priced: PricedOutcomes, index: int) -> Verdict:
        """Return the verdict on an outcome (``index``) that ends the wager at the current stage.

        ``priced`` is from ``_price_stage``. It is a loss if the stage pays nothing, and a push at
        odds of 0 to 1.
        """
        if not priced:
            return lose_verdict(self.loses.cite)
        verdict = win_verdict(priced, index)
        return verdict if verdict.win else verdict._replace(result="push", odds=None)

    def _check_stages(
        self, lines: list[PayLine], stages: tuple[int, ...], where: str
    ) -> Iterator[str]:
        """Yield a mistake unless each of these stages has exactly one payout, and no other has."""
        for stage in stages:
            count = sum(stage in pay.on for pay in lines)
            if count != 1:
                yield f"pays: {count} payouts are given for {stage}{where}"
        for face in (face for pay in lines for face in pay.on):
            if face not in stages:
                yield f"pays: {face!r} is no stage that pays{where}"

    def find_felt_area(self, book: Book, dealt: Dealt, family: str, number: int) -> FeltArea:
        """Return the area of the felt for side bets, in front of the boxperson."""
        return "bonus"
