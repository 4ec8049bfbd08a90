"""Functions that line and come wagers share: a first roll decides them or sets their number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from passline.game.dice.dice import OUTCOMES, SEVEN, TOTALS, find_outcomes, outcome_total
from passline.game.law.rule_checks import check_sides
from passline.game.law.verdicts import (
    PricedOutcomes,
    Verdict,
    VerdictTable,
    lose_verdict,
    win_verdict,
)

if TYPE_CHECKING:
    from passline.game.law.shapes.come import Come
    from passline.game.law.shapes.line import Line

_KEYS = ("first_win", "first_lose", "first_push")


def make_first_roll_table(
    rule: Line | Come, priced: PricedOutcomes, travels: dict[int, Verdict]
) -> VerdictTable:
    """Return the verdicts of the first roll. ``travels`` has the moves of a come wager."""
    lose, push = rule.first_lose, rule.first_push
    cells: list[Verdict | None] = []
    for index in range(len(OUTCOMES)):
        total = outcome_total(index)
        if total in rule.first_win.value:
            cells.append(win_verdict(priced, index))
        elif lose is not None and total in lose.value:
            cells.append(lose_verdict(lose.cite))
        elif push is not None and total in push.value:
            cells.append(Verdict(result="push", win=0, per=1, odds=None, cite=push.cite))
        else:
            cells.append(travels.get(total))
    return tuple(cells)


def check_first_roll(rule: Line | Come, numbers: tuple[int, ...], source: str) -> Iterator[str]:
    """Yield a mistake unless every total of a first roll either decides the wager or sets its
    number.

    ``numbers`` are the totals that set its number. ``source`` names their key in messages.
    """
    yield from check_sides(rule.wins, rule.loses)
    listed: dict[int, str] = {}
    for key in _KEYS:
        totals = getattr(rule, key)
        for total in totals.value if totals is not None else ():
            if total not in TOTALS:
                yield f"{key}: {total} is no total of two dice"
            elif total in listed:
                yield f"{key}: {total} stands in {listed[total]} too"
            elif total in numbers:
                yield f"{key}: {total} is among the {source} too"
            listed[total] = key


def check_every_total(rule: Line | Come, numbers: tuple[int, ...]) -> Iterator[str]:
    """Yield a mistake for each total of a first roll that has no meaning."""
    totals = [getattr(rule, key) for key in _KEYS]
    listed = {total for one in totals if one is not None for total in one.value}
    open_totals = [str(total) for total in TOTALS if total not in listed and total not in numbers]
    if open_totals:
        yield f"first_win: nothing is said of a first roll of {', '.join(open_totals)}"


def find_winning_totals(rule: Line | Come, numbers: tuple[int, ...]) -> frozenset[int]:
    """Return the dice outcomes on which a line or come wager can win, on any roll."""
    decisive = numbers if rule.wins.value == "number" else (SEVEN,)
    return find_outcomes(t for t in (*rule.first_win.value, *decisive) if t in TOTALS)
