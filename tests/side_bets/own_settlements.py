"""What becomes of a side bet, from the rules as published. Imports nothing of Passline.

A bet is made before a hand begins. ``settle`` is told every throw of the hand so far and counts
from the beginning each time.
"""

from __future__ import annotations

from collections.abc import Sequence

Dice = tuple[int, int]
POINTS = (4, 5, 6, 8, 9, 10)
REPEATER = {2: 40, 3: 50, 4: 65, 5: 80, 6: 90}
DOUBLES = {3: 4, 4: 8, 5: 15, 6: 100}
HOT_HAND = {9: 20, 10: 80}
SHARP = {3: 5, 4: 10, 5: 20, 6: 30, 7: 50, 8: 100, 9: 200, 10: 300}
HOT = {8: 0, 16: 2, 24: 4, 32: 6, 40: 11, 45: 29, 51: 99}
ROW = {2: 2, 3: 5, 4: 15, 5: 40, 6: 100}

#: A win with its odds to one, a push or a loss; None: the bet stays up.
Fate = tuple[str, int] | None


class Hand:
    """A hand as told by its throws: points made, craps on a come-out, and whether it is over."""

    def __init__(self, throws: Sequence[Dice]) -> None:
        self.made: list[int] = []
        self.craps = self.over = False
        point = 0
        for first, second in throws:
            total = first + second
            if not point:
                self.craps |= total in (2, 3, 12)
                point = total if total in POINTS else 0
            elif total in (point, 7):
                self.made += [point] * (total == point)
                self.over |= total == 7
                point = 0


def _paid(card: dict[int, int], count: int) -> tuple[str, int]:
    reached = [on for on in card if on <= count]
    if not reached:
        return ("lose", 0)
    return ("win", card[max(reached)]) if card[max(reached)] else ("push", 0)


def settle(bet: str, throws: Sequence[Dice]) -> Fate:
    """Return what the last of these throws does to a bet that the others left up."""
    totals = [sum(dice) for dice in throws]
    hand, seven = Hand(throws), totals[-1] == 7
    if bet.startswith("repeater-"):
        total = int(bet.removeprefix("repeater-"))
        times = min(total, 14 - total)
        if totals.count(total) == times:
            return "win", REPEATER[times]
        return ("lose", 0) if seven else None
    if bet == "different-doubles":
        doubles = len({first for first, second in throws if first == second})
        return _paid(DOUBLES, doubles) if seven or doubles == 6 else None
    if bet in ("flaming-four", "sizzling-six", "hot-hand"):
        needs = {"flaming-four": {2, 3, 11, 12}, "sizzling-six": set(POINTS)}.get(bet)
        have = len((needs or set(range(2, 13)) - {7}) & set(totals))
        card = {"flaming-four": {4: 70}, "sizzling-six": {6: 12}}.get(bet, HOT_HAND)
        return _paid(card, have) if seven or have == max(card) else None
    if bet == "sharp-shooter":
        return _paid(SHARP, len(hand.made)) if hand.over else None
    if bet == "hot-shooter":
        return _paid(HOT, len(throws)) if hand.over else None
    if bet == "points-in-a-row":
        return _paid(ROW, len(hand.made)) if hand.over or hand.craps else None
    raise LookupError(bet)
