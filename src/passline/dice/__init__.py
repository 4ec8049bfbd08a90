"""The dice: the 36 outcomes, and where rolls come from.

What a total means is the law's business, not the dice's.
"""

from passline.dice.outcomes import (
    OUTCOMES,
    TOTALS,
    Outcome,
    faces_of,
    index_of,
    is_pair,
    parse_faces,
    total_of,
)

__all__ = [
    "OUTCOMES",
    "TOTALS",
    "Outcome",
    "faces_of",
    "index_of",
    "is_pair",
    "parse_faces",
    "total_of",
]
