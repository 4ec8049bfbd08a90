"""Whose turn it is at a table that several servers write to.

Who wrote last knows the table, decides at once, and is first again; who lost has to catch up before
he decides. Flat out, one server's players waited nine seconds for the other's. So who has written a
few entries in a row, where another wrote lately, lets the time of some commits go by; and after
many all the same, as another who never comes to it is not seen.
"""

from __future__ import annotations

from math import inf
from typing import Final

#: Entries in a row, with another about and without; and seconds for which his are remembered.
IN_A_ROW: Final = 4
ALONE: Final = 16
LATELY: Final = 10.0
#: How many of one's own commits are waited for, and seconds at most.
_COMMITS: Final = 3
_MOST: Final = 0.2


class Turns:
    """The turns of one table, as one of its servers sees them.

    >>> turns = Turns()
    >>> turns.other(now=0.0)
    >>> for now in (1.0, 1.1, 1.2, 1.3):
    ...     turns.own(now - 0.02, now)
    >>> round(turns.wait(1.31), 3), turns.wait(1.4)
    (0.05, 0.0)
    """

    def __init__(self) -> None:
        self._others, self._row, self._until = -inf, 0, 0.0

    def other(self, now: float) -> None:
        """Another server's entry was found."""
        self._others, self._row = now, 0

    def own(self, began: float, now: float) -> None:
        """An own entry was written."""
        self._row += 1
        if self._row % (IN_A_ROW if now - self._others < LATELY else ALONE) == 0:
            self._until = now + min(_COMMITS * (now - began), _MOST)

    def wait(self, now: float) -> float:
        """Seconds until the next own entry may be decided on."""
        return max(0.0, self._until - now)
