"""Strategies with the side wagers that a house may elect: bonus craps and fire."""

from __future__ import annotations

from passline.machines import View
from passline.strategies.line import pass_line
from passline.strategies.units import UNIT, Says

#: The most that every book with a fire wager takes on it.
FIRE_UNIT = 5


def small_tall_all(view: View) -> Says:
    """All small, all tall and make them all for $10 each, for every new shooter.

    The house must offer bonus craps: -o offers.bonus=A, or B.
    """
    if not view.new_shooter:
        return []
    bonus = ("all-small", "all-tall", "make-them-all")
    return [f"{wager} for {UNIT}" for wager in bonus if not view.up(wager)]


def fire_and_pass(view: View) -> Says:
    """Pass for $10 on every come-out roll, and fire for $5 for every new shooter.

    $5 is the most that the books take on fire. The house must offer it: -o offers.fire=A, or B.
    """
    fire = view.new_shooter and not view.up("fire")
    return pass_line(view) + ([f"fire for {FIRE_UNIT}"] if fire else [])
