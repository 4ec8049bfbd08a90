"""What a strategy or a night comes to: the library's ``machine``, ``simulate`` and ``session``."""

from passline.lab.resolve import machine, seat_strategy
from passline.lab.sessions import session
from passline.lab.simulations import Simulation, simulate

__all__ = ["Simulation", "machine", "seat_strategy", "session", "simulate"]
