"""The base class of hardway and one-roll wagers: faces that win and faces that lose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from passline.game.dice.dice import OUTCOMES, find_outcomes
from passline.game.law.rule_checks import check_faces, check_paid_outcomes
from passline.game.law.verdicts import (
    PricedOutcomes,
    Verdict,
    VerdictTable,
    lose_verdict,
    win_verdict,
)
from passline.game.law.wagers import Face, PayLine, WagerRule

if TYPE_CHECKING:
    from passline.game.law.book import Book


def make_face_table(
    wins: frozenset[int], losses: list[tuple[frozenset[int], str]], priced: PricedOutcomes
) -> VerdictTable:
    """Return the verdicts, by outcome, of a wager that wins on the outcomes in ``wins``.

    ``losses`` pairs each group of losing outcomes with its clause. Other outcomes decide nothing.
    """
    cells: list[Verdict | None] = []
    for index in range(len(OUTCOMES)):
        if index in wins:
            cells.append(win_verdict(priced, index))
        else:
            cite = next((cite for group, cite in losses if index in group), None)
            cells.append(None if cite is None else lose_verdict(cite))
    return tuple(cells)


def check_win_and_lose(
    win: tuple[Face, ...], lose: tuple[Face, ...], also: tuple[Face, ...]
) -> Iterator[str]:
    """Yield a mistake if a face does not exist, no face wins, or a face both wins and loses.

    ``also`` are the faces of ``lose_also``: they must exist.
    """
    parts = {"win": win, "lose": lose, "lose_also": also}
    mistakes = [one for key, faces in parts.items() for one in check_faces(key, faces)]
    yield from mistakes
    if mistakes:
        return
    if not win:
        yield "win: it wins on no face"
    if find_outcomes(win) & find_outcomes(lose):
        yield "lose: some face of it wins already"


class FaceWager(WagerRule, frozen=True, kw_only=True):
    """The base class of hardway and one-roll wagers, which win on the faces in ``win``."""

    def check_pay_lines(self, book: Book, lines: list[PayLine], where: str) -> Iterator[str]:
        """Yield a mistake unless every winning face has exactly one payout."""
        invalid = any(check_faces("win", self.winning_faces))
        wins = frozenset() if invalid else find_outcomes(self.winning_faces)
        yield from check_paid_outcomes(wins, lines, where)
