"""The dice: the 36 outcomes of two of them, and what each weighs.

What a total means is the law's business, not the dice's.
"""

from passline.dice.outcomes import (
    OUTCOMES,
    SEVEN,
    TOTALS,
    Outcome,
    index_of,
    parse_faces,
    total_of,
)
from passline.dice.weights import FAIR, Dice, WeightsError, dice_model, parse_dice

__all__ = [
    "FAIR",
    "OUTCOMES",
    "SEVEN",
    "TOTALS",
    "Dice",
    "Outcome",
    "WeightsError",
    "dice_model",
    "index_of",
    "parse_dice",
    "parse_faces",
    "total_of",
]
