"""Strategies on the numbers, the field and the hardways: $10, and $12 on the 6 and the 8.

Wagers are made while a point is on and stay up; whether they work on a come-out roll is the
book's.
"""

from __future__ import annotations

from passline.machines import View
from passline.strategies.units import UNIT, UNIT_ON_6_8, Says

#: press-6-8 presses a number no further than this.
PRESSED_TOP = 60


def _placed(view: View, *numbers: int) -> Says:
    if view.puck is None:
        return []
    return [
        f"place-win-{number} for {UNIT_ON_6_8 if number in (6, 8) else UNIT}"
        for number in numbers
        if not view.up(f"place-win-{number}")
    ]


def place_6_8(view: View) -> Says:
    """Place the 6 and the 8 for $12 each while a point is on."""
    return _placed(view, 6, 8)


def inside(view: View) -> Says:
    """Place the 5 and the 9 for $10, the 6 and the 8 for $12, while a point is on."""
    return _placed(view, 5, 6, 8, 9)


def across(view: View) -> Says:
    """Place the 4, 5, 9 and 10 for $10, the 6 and the 8 for $12, while a point is on."""
    return _placed(view, 4, 5, 6, 8, 9, 10)


def field(view: View) -> Says:
    """Field for $10 on every roll."""
    return [] if view.up("field") else [f"field for {UNIT}"]


def iron_cross(view: View) -> Says:
    """While a point is on: place the 5 for $10, the 6 and the 8 for $12, and field for $10.

    Every total but the seven wins something. The field is made again for each roll.
    """
    if view.puck is None:
        return []
    return _placed(view, 5, 6, 8) + field(view)


def hardways(view: View) -> Says:
    """All four hardways for $10 each while a point is on, put back when they lose."""
    if view.puck is None:
        return []
    return [f"hard-{n} for {UNIT}" for n in (4, 6, 8, 10) if not view.up(f"hard-{n}")]


def press_6_8(view: View) -> Says:
    """Place the 6 and the 8 for $12 each, each pressed by $12 when it hits, up to $60.

    After a seven-out both start again at $12.
    """
    says = _placed(view, 6, 8)
    for seen in view.settled:
        up = view.wagers.get(seen.wager, PRESSED_TOP)
        if seen.result == "win" and up < PRESSED_TOP:
            says.append(f"{seen.wager} to {up + UNIT_ON_6_8}")
    return says
