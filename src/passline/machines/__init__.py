"""The engine, explored into a finite table: ``next[state, outcome]`` and ``money``."""

from passline.machines.chain import WHOLE, Arc, Chain
from passline.machines.errors import MachineFileError, MachineFull, StrategyError
from passline.machines.files import SavedMachine, load_machine
from passline.machines.machine import MEMORY, Machine
from passline.machines.origin import About
from passline.machines.view import Seen, Strategy, View

__all__ = [
    "MEMORY",
    "WHOLE",
    "About",
    "Arc",
    "Chain",
    "Machine",
    "MachineFileError",
    "MachineFull",
    "SavedMachine",
    "Seen",
    "Strategy",
    "StrategyError",
    "View",
    "load_machine",
]
