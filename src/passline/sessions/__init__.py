"""Sessions: what is planned, how they end, and the distributions of what is left."""

from passline.sessions.session import PERCENTS, Band, Distribution, Plan, Session

__all__ = ["PERCENTS", "Band", "Distribution", "Plan", "Session"]
