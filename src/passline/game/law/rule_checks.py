"""Checks that several wager shapes share when a rulebook is loaded.

Each check yields one line for each mistake: the key of the value, a colon, and the problem. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

from passline.game.dice.dice import OUTCOMES, TOTALS, find_outcomes
from passline.game.law.citations import CitedValue
from passline.game.law.wagers import Decider, Face, PayLine

T = TypeVar("T")
_DICE_PATTERN = re.compile(r"[1-6]-[1-6]")
ALL_OUTCOMES = frozenset(range(len(OUTCOMES)))


def check_members(
    key: str, members: Iterable[T], known: Collection[T], mistake: str
) -> Iterator[str]:
    """Yield the line ``KEY: MEMBER MISTAKE`` for each member that is not in ``known``."""
    yield from (f"{key}: {member} {mistake}" for member in members if member not in known)


def check_faces(key: str, faces: Iterable[Face]) -> Iterator[str]:
    """Yield a mistake for each face that is no total or combination, or is listed twice."""
    seen: set[Face] = set()
    for face in faces:
        if not (face in TOTALS if isinstance(face, int) else _DICE_PATTERN.fullmatch(face)):
            yield f'{key}: {face!r} is no face: expected a total such as 8, or dice such as "3-5"'
        elif face in seen:
            yield f"{key}: {face} is listed twice"
        seen.add(face)


def check_sides(wins: CitedValue[Decider], loses: CitedValue[Decider]) -> Iterator[str]:
    """Yield a mistake if ``wins`` and ``loses`` are both the number, or both the seven."""
    if wins.value == loses.value:
        yield f"loses: {loses.value!r} wins already"


def check_paid_numbers(numbers: tuple[int, ...], lines: list[PayLine], where: str) -> Iterator[str]:
    """Yield a mistake unless each number of a wager has exactly one payout line.

    ``where`` is added to each message; it says for which election the lines are.
    """
    if faults := _check_line_faces(lines):
        yield from faults
        return
    for number in numbers:
        if not any(not pay.on or number in pay.on for pay in lines):
            yield f"pays: no payout is given on {number}{where}"
    for face in (face for pay in lines for face in pay.on):
        if face not in numbers:
            yield f"pays: it is never on {face}, and has a payout for it{where}"
    yield from _check_priced_once(lines, where)


def check_paid_outcomes(wins: frozenset[int], lines: list[PayLine], where: str) -> Iterator[str]:
    """Yield a mistake unless each outcome on which a wager wins has exactly one payout line.

    ``wins`` are indexes of outcomes. ``where`` is added to each message; it says for which election
    the lines are.
    """
    if faults := _check_line_faces(lines):
        yield from faults
        return
    paid = [find_outcomes(pay.on) if pay.on else ALL_OUTCOMES for pay in lines]
    for face in (face for pay in lines for face in pay.on):
        if not find_outcomes((face,)) & wins:
            yield f"pays: it never wins on {face}, and has a payout for it{where}"
    missing = wins - frozenset().union(*paid)
    if missing:
        faces = sorted({"{}-{}".format(*OUTCOMES[index]) for index in missing})
        yield f"pays: it wins on {', '.join(faces)} and has no payout for it{where}"
    yield from _check_priced_once(lines, where)


def _check_line_faces(lines: list[PayLine]) -> list[str]:
    """Return the mistakes in the faces of the first payout line that has mistakes; else []."""
    faults = (list(check_faces(f"pays[{index}].on", pay.on)) for index, pay in enumerate(lines))
    return next(filter(None, faults), [])


def _check_priced_once(lines: list[PayLine], where: str) -> Iterator[str]:
    """Yield a mistake for each payout line with a face that an earlier line pays too.

    Lines for different elections do not conflict.
    """
    priced: set[tuple[str, int]] = set()
    for pay in lines:
        own = {(pay.elect or "", face) for face in (find_outcomes(pay.on) if pay.on else ())}
        if own & priced:
            yield f"pays: {', '.join(map(str, pay.on))} has two payouts{where}"
        priced |= own
