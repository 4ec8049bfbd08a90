"""The engine, explored into a finite table: ``next[state, outcome]`` and ``money``."""

from passline.machines.bettor import Bettor, BettorMove, Turn
from passline.machines.chain import WHOLE, Arc, Chain
from passline.machines.errors import MachineFileError, MachineFull, StrategyError
from passline.machines.files import SavedMachine, load_machine
from passline.machines.machine import MEMORY, Machine
from passline.machines.origin import About
from passline.machines.view import Seen, View

__all__ = [
    "MEMORY",
    "WHOLE",
    "About",
    "Arc",
    "Bettor",
    "BettorMove",
    "Chain",
    "Machine",
    "MachineFileError",
    "MachineFull",
    "SavedMachine",
    "Seen",
    "StrategyError",
    "Turn",
    "View",
    "load_machine",
]
