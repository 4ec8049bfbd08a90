"""The engine, explored into a finite table: ``next[state, outcome]`` and ``money``.

What needs numpy (``passline[lab]``) is loaded when it is first asked for: wagers are walked to
their decisions, and strategies asked at the rail, without it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from passline.machines.bettor import Bettor, BettorMove, Turn
from passline.machines.chain import WHOLE, Arc, Chain
from passline.machines.errors import MachineFileError, MachineFull, StrategyError
from passline.machines.origin import About
from passline.machines.view import Seen, View

if TYPE_CHECKING:
    from passline.machines.files import SavedMachine, load_machine
    from passline.machines.machine import MEMORY, Machine

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

_HOMES = {
    "MEMORY": "machine",
    "Machine": "machine",
    "SavedMachine": "files",
    "load_machine": "files",
}


def __getattr__(name: str) -> Any:
    """Load what needs numpy; MissingExtra where that is not installed."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    except ModuleNotFoundError as wrong:
        from passline.extras import missing_extra

        raise missing_extra(wrong, "a machine") or wrong from None
