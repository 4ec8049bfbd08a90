"""What the built-in strategies share: flat units in dollars, and what they answer with."""

from __future__ import annotations

UNIT = 10
#: On the 6 and the 8, which pay 7 to 6.
UNIT_ON_6_8 = 12

#: Says in the record's words.
Says = list[str]
