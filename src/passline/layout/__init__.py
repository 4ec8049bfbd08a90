"""One player's wagers: the layout's spots, what may be done with a wager, and what a roll does."""

from passline.layout.felt import lay_felt
from passline.layout.may import Moment
from passline.layout.settle import Throw, settle
from passline.layout.spots import Layout, Spot, Verdict
from passline.layout.stakes import Refusal, Settlement, Stake, Wagers, refuse, remaining

__all__ = [
    "Layout",
    "Moment",
    "Refusal",
    "Settlement",
    "Spot",
    "Stake",
    "Throw",
    "Verdict",
    "Wagers",
    "lay_felt",
    "refuse",
    "remaining",
    "settle",
]
