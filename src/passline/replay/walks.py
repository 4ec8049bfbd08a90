"""The walks that a process has under way: the latest, and as many as there is room for."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from passline.live.waiting import Breath
from passline.replay.sources import ReplaySource
from passline.replay.walk import GameWalk

#: Tables as they stood that are kept in all, a few kilobytes each.
_MOST: Final = 8192


class GameWalks:
    """Walks by their game's id, the last used last."""

    def __init__(self, most: int = _MOST) -> None:
        self._most, self._breath = most, Breath()
        self._walks: OrderedDict[str, GameWalk] = OrderedDict()

    def of(self, source: ReplaySource) -> GameWalk:
        """The walk of a game; those that nobody walked for longest make room for it."""
        walk = self._walks.get(source.id)
        if walk is None:
            walk = self._walks[source.id] = GameWalk(source, breath=self._breath)
        self._walks.move_to_end(source.id)
        while len(self._walks) > 1 and sum(1 + w.kept for w in self._walks.values()) > self._most:
            self._walks.popitem(last=False)
        return walk
