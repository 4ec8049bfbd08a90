"""The dice: the 36 outcomes of two of them.

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

__all__ = [
    "OUTCOMES",
    "SEVEN",
    "TOTALS",
    "Outcome",
    "index_of",
    "parse_faces",
    "total_of",
]
