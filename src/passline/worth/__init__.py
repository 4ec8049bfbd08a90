"""What wagers and strategies are worth: exactly, and assembled from chains and simulations."""

from passline.worth.costs import Exposure, exposure
from passline.worth.par import ParSheet, par_sheet
from passline.worth.resolve import machine
from passline.worth.rows import odds, sheet
from passline.worth.sessions import session
from passline.worth.simulations import Simulation, simulate
from passline.worth.wager import RefusedOdds, StakeRefused, WagerError, WagerOdds

__all__ = [
    "Exposure",
    "ParSheet",
    "RefusedOdds",
    "Simulation",
    "StakeRefused",
    "WagerError",
    "WagerOdds",
    "exposure",
    "machine",
    "odds",
    "par_sheet",
    "session",
    "sheet",
    "simulate",
]
