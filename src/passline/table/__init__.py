"""The table: players, rails, the bank, the dice. Commands in, events or refusals out."""

from passline.table import commands, events
from passline.table.decide import decide
from passline.table.evolve import LedgerError, evolve, evolve_all
from passline.table.state import Seat, Table, balance, open_table

__all__ = [
    "LedgerError",
    "Seat",
    "Table",
    "balance",
    "commands",
    "decide",
    "events",
    "evolve",
    "evolve_all",
    "open_table",
]
