"""A game walked through, forward and back: the moments of a live table's log or of a record."""

from passline.replay.moments import Moment, Standing, Step
from passline.replay.sources import LogSource, RecordSource, ReplaySource
from passline.replay.walk import NoMomentError, Walk
from passline.replay.walks import Walks

__all__ = [
    "LogSource",
    "Moment",
    "NoMomentError",
    "RecordSource",
    "ReplaySource",
    "Standing",
    "Step",
    "Walk",
    "Walks",
]
