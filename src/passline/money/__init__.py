"""Money as whole cents, odds as exact ratios. No float ever stands for money."""

from passline.money.cents import AmountError, dollars, parse_dollars, show_dollars
from passline.money.chips import RACK, Chip, Chips, Rack, Uncut
from passline.money.odds import Odds
from passline.money.rounding import ROUNDINGS, Rounding, paid_in_chips, round_to

__all__ = [
    "RACK",
    "ROUNDINGS",
    "AmountError",
    "Chip",
    "Chips",
    "Odds",
    "Rack",
    "Rounding",
    "Uncut",
    "dollars",
    "paid_in_chips",
    "parse_dollars",
    "round_to",
    "show_dollars",
]
