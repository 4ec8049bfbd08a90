"""What every wager is worth: odds and par sheets, exact, from the engine that deals them."""

from passline.pricing.costs import Exposure, exposure
from passline.pricing.par import ParSheet, par_sheet
from passline.pricing.rows import odds, sheet
from passline.pricing.wager import RefusedOdds, StakeRefused, WagerError, WagerOdds

__all__ = [
    "Exposure",
    "ParSheet",
    "RefusedOdds",
    "StakeRefused",
    "WagerError",
    "WagerOdds",
    "exposure",
    "odds",
    "par_sheet",
    "sheet",
]
