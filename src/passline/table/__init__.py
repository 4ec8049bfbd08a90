"""The table: players, rails, the bank, the dice. Commands in, events or refusals out."""

from passline.table import codec, commands, events
from passline.table.decide import decide
from passline.table.evolve import LedgerError, evolve, evolve_all
from passline.table.opening import open_table, tell_opening
from passline.table.options import Option, may_do
from passline.table.state import Seat, Table, balance

__all__ = [
    "LedgerError",
    "Option",
    "Seat",
    "Table",
    "balance",
    "codec",
    "commands",
    "decide",
    "events",
    "evolve",
    "evolve_all",
    "may_do",
    "open_table",
    "tell_opening",
]
