"""The odds and the clause for each face, from the payout lines that a house has in force."""

from __future__ import annotations

from passline.dice import parse_faces
from passline.house.payouts import lines_for
from passline.law.wagers import Pay
from passline.money import Odds

__all__ = ["lines_for", "odds_by_face"]


def odds_by_face(lines: list[tuple[Pay, Odds]]) -> dict[int, tuple[Odds, str]]:
    """The odds and the clause for each dice index, where lines name faces (or none: all)."""
    table: dict[int, tuple[Odds, str]] = {}
    for pay, odds in lines:
        faces = frozenset(range(36)) if not pay.on else frozenset().union(*map(parse_faces, pay.on))
        for index in faces:
            table.setdefault(index, (odds, pay.cite))
    return table
