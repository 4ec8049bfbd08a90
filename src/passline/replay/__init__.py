"""A game walked through, forward and back: the moments of a live table's log or of a record."""

from passline.replay.moments import GameMoment, GameStep, Stood
from passline.replay.sources import LogSource, RecordSource, ReplaySource
from passline.replay.walk import GameWalk, NoMomentError
from passline.replay.walks import GameWalks

__all__ = [
    "GameMoment",
    "GameStep",
    "GameWalk",
    "GameWalks",
    "LogSource",
    "NoMomentError",
    "RecordSource",
    "ReplaySource",
    "Stood",
]
