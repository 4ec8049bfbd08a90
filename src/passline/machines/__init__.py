"""The engine, explored into a finite table: ``next[state, outcome]`` and ``money``."""

from passline.machines.about import About
from passline.machines.chain import WHOLE, Arc, Chain
from passline.machines.errors import MachineFileError, MachineFull, StrategyError
from passline.machines.keep import SavedMachine, load_machine
from passline.machines.machine import MEMORY, Machine
from passline.machines.session import PERCENTS, Band, Distribution, Plan, Session
from passline.machines.view import Seen, Strategy, View

__all__ = [
    "MEMORY",
    "PERCENTS",
    "WHOLE",
    "About",
    "Arc",
    "Band",
    "Chain",
    "Distribution",
    "Machine",
    "MachineFileError",
    "MachineFull",
    "Plan",
    "SavedMachine",
    "Seen",
    "Session",
    "Strategy",
    "StrategyError",
    "View",
    "load_machine",
]
