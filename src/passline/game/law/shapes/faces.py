"""Functions that hardway and one-roll wagers share: faces that win and faces that lose."""

from __future__ import annotations

from collections.abc import Iterator

from passline.game.dice.dice import OUTCOMES, find_outcomes
from passline.game.law.rule_checks import check_faces
from passline.game.law.verdicts import (
    PricedOutcomes,
    Verdict,
    VerdictTable,
    lose_verdict,
    win_verdict,
)
from passline.game.law.wagers import Face


def make_face_table(
    wins: frozenset[int], losses: list[tuple[frozenset[int], str]], priced: PricedOutcomes
) -> VerdictTable:
    """Return the verdicts of a wager that wins on some outcomes.

    ``losses`` pairs each group of losing outcomes with its clause.
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
    """Yield a mistake if a face does not exist, no face wins, or a face both wins and loses."""
    parts = {"win": win, "lose": lose, "lose_also": also}
    mistakes = [one for key, faces in parts.items() for one in check_faces(key, faces)]
    yield from mistakes
    if mistakes:
        return
    if not win:
        yield "win: it wins on no face"
    if find_outcomes(win) & find_outcomes(lose):
        yield "lose: some face of it wins already"


def find_winning_faces(win: tuple[Face, ...]) -> frozenset[int]:
    """Return the outcomes that win; empty if a face is invalid."""
    return frozenset() if any(check_faces("win", win)) else find_outcomes(win)
