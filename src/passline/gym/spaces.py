"""What an agent sees: the spaces, and a table put into them."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from passline.gym.seat import most_up, most_won
from passline.layout import Layout
from passline.table import Table

Observation = dict[str, Any]
_TOTALS = 13  # indexes 2 to 12 are totals of two dice


def observation_space(layout: Layout, bankroll: int, rolls: int, says: int) -> spaces.Dict:
    """Everything the next throw and the next say depend on. Money in dollars.

    The rail is bounded by the bankroll and what so many throws could win at the very best.
    """
    most = (bankroll + rolls * most_won(layout)) / 100
    tops = [min(most_up(layout, spot) / 100, most) for spot in layout.spots.values()]
    return spaces.Dict(
        {
            "puck": spaces.Discrete(_TOTALS),
            "dice": spaces.MultiDiscrete([7, 7]),
            "fresh": spaces.Discrete(2),
            "rail": spaces.Box(0.0, most, (1,), np.float64),
            "wagers": spaces.Box(np.zeros(len(tops)), np.array(tops), dtype=np.float64),
            "calls": spaces.MultiDiscrete([3] * len(tops)),
            "made": spaces.MultiBinary(_TOTALS),
            "thrown": spaces.MultiBinary(_TOTALS),
            "says_left": spaces.Discrete(says + 1),
        }
    )


def observe(table: Table, dice: tuple[int, int], says_left: int) -> Observation:
    """A table as the player sees it, in those spaces."""
    spots, seat = table.layout.spots, table.seats[0]
    wagers, calls = np.zeros(len(spots)), np.zeros(len(spots), np.int64)
    for place, slug in enumerate(spots):
        stake = seat.wagers.get(slug)
        if stake is not None:
            wagers[place] = stake.amount / 100
            calls[place] = {None: 0, True: 1, False: 2}[stake.call]
    return {
        "puck": table.puck,
        "dice": np.array(dice, np.int64),
        "fresh": int(table.fresh and not table.puck),
        "rail": np.array([seat.rail / 100]),
        "wagers": wagers,
        "calls": calls,
        "made": _flags(table.made),
        "thrown": _flags(table.thrown),
        "says_left": says_left,
    }


def _flags(totals: frozenset[int]) -> np.ndarray[Any, np.dtype[np.int8]]:
    flags = np.zeros(_TOTALS, np.int8)
    flags[list(totals)] = 1
    return flags
