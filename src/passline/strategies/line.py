"""Strategies on the line and in the come: flat units of $10, odds at the house's maximum."""

from __future__ import annotations

from passline.machines import View
from passline.strategies.units import UNIT, Says

#: pass-martingale starts over when a doubled wager would pass this, the last doubling that every
#: book takes (one stops at $500).
MARTINGALE_TOP = 320


def _line(view: View, wager: str) -> Says:
    """The line wager before a come-out roll, once."""
    return [f"{wager} for {UNIT}"] if view.puck is None and not view.up(wager) else []


def _line_with_odds(view: View, wager: str) -> Says:
    odds = f"{wager}-odds"
    if view.puck is not None and view.up(wager) and not view.up(odds):
        return [f"{odds} for max"]
    return _line(view, wager)


def come_numbers(view: View) -> list[str]:
    """The numbers that come wagers have travelled to.

    >>> come_numbers(View(6, {"come-4": 10, "come-odds-4": 10, "come": 10, "come-9": 10}))
    ['4', '9']
    """
    numbers = (slug.removeprefix("come-") for slug in view.wagers if slug.startswith("come-"))
    return [number for number in numbers if number.isdigit()]


def _come_odds(view: View) -> Says:
    return [
        f"come-odds-{number} for max"
        for number in come_numbers(view)
        if not view.up(f"come-odds-{number}")
    ]


def pass_line(view: View) -> Says:
    """Pass for $10 on every come-out roll."""
    return _line(view, "pass")


def pass_odds(view: View) -> Says:
    """Pass for $10, with full odds behind it once a point is on."""
    return _line_with_odds(view, "pass")


def dont_pass(view: View) -> Says:
    """Don't pass for $10 on every come-out roll."""
    return _line(view, "dont-pass")


def dont_pass_odds(view: View) -> Says:
    """Don't pass for $10, laying full odds once a point is on."""
    return _line_with_odds(view, "dont-pass")


def come_odds(view: View) -> Says:
    """Come for $10 on every roll while a point is on, with full odds on each that has travelled.

    Nothing on the line. Come wagers stay up over a come-out roll, their odds off there as the
    book has it.
    """
    says = _come_odds(view)
    if view.puck is not None and not view.up("come"):
        says.append(f"come for {UNIT}")
    return says


def three_point_molly(view: View) -> Says:
    """Pass and up to two come wagers for $10 each, with full odds on all three numbers.

    While a point is on and fewer than three numbers are covered, the point among them, another
    come wager is made.
    """
    says = _line_with_odds(view, "pass") + _come_odds(view)
    if view.puck is not None and not view.up("come") and len(come_numbers(view)) < 2:
        says.append(f"come for {UNIT}")
    return says


def pass_martingale(view: View) -> tuple[Says, int]:
    """Pass for $10, doubled after each loss and back to $10 after a win, up to $320.

    After a loss at $320 it starts over at $10, so that its states end. It remembers the
    amount.
    """
    stake = view.memory if isinstance(view.memory, int) else UNIT
    for seen in view.settled:
        if seen.wager == "pass":
            stake = UNIT if seen.result == "win" or 2 * stake > MARTINGALE_TOP else 2 * stake
    made = view.puck is None and not view.up("pass")
    return ([f"pass for {stake}"] if made else []), stake
