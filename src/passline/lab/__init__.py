"""What a strategy or a night comes to: the library's ``machine``, ``simulate`` and ``session``."""

from passline.lab.resolve import machine
from passline.lab.sessions import session
from passline.lab.simulations import Simulation, simulate

__all__ = ["Simulation", "machine", "session", "simulate"]
