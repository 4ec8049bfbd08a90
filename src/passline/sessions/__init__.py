"""Sessions: what is planned, how they end, and the distributions of what is left."""

from passline.sessions.distribution import PERCENTS, Band, Distribution
from passline.sessions.limits import Effort, Remedy, TooLong
from passline.sessions.plan import Plan
from passline.sessions.session import (
    Arithmetic,
    OpenWagers,
    SampledSession,
    Session,
    WatchProgress,
    WhenShort,
)

__all__ = [
    "PERCENTS",
    "Arithmetic",
    "Band",
    "Distribution",
    "Effort",
    "OpenWagers",
    "Plan",
    "Remedy",
    "SampledSession",
    "Session",
    "TooLong",
    "WatchProgress",
    "WhenShort",
]
