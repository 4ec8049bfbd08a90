"""How a session ends: one numbering for every row, tally and report.

Compiled loops are handed these numbers and hold none of their own: what is compiled is kept until
its own file changes.
"""

from __future__ import annotations

from typing import Final

#: Ruined, left a winner, left a loser: the three ways to end before the last roll.
RUINED: Final = 0
GOAL: Final = 1
STOPPED: Final = 2
#: Played to the last roll.
PLAYED: Final = 3

#: The three as results and reports call them, by number.
EARLY_ENDS = ("ruin", "goal", "stopped")
