"""Passline: the craps table, whole. Five published rulebooks as executable law.

>>> import passline
>>> dealt = passline.deal_text("rulebook: iowa\\nplayer: ann 100\\nann: pass for 10\\nroll 5 2")
>>> dealt.table.seats[0].rail
11000
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from passline.charts import draw_result
    from passline.house import House, make_house
    from passline.house.files import house_for
    from passline.lab import Simulation, machine, session, simulate
    from passline.law import BOOKS, Book, rulebook
    from passline.layout import Refusal, Settlement
    from passline.machines import Machine, View, load_machine
    from passline.pricing import WagerOdds, odds, sheet
    from passline.record import Dealt, RecordError, deal_text, read_record, write_record
    from passline.sessions import Plan, Session
    from passline.table import Table, commands, decide, events, evolve, open_table

__all__ = [
    "BOOKS",
    "Book",
    "Dealt",
    "House",
    "Machine",
    "Plan",
    "RecordError",
    "Refusal",
    "Session",
    "Settlement",
    "Simulation",
    "Table",
    "View",
    "WagerOdds",
    "commands",
    "deal_text",
    "decide",
    "draw_result",
    "events",
    "evolve",
    "house_for",
    "load_machine",
    "machine",
    "make_house",
    "odds",
    "open_table",
    "read_record",
    "rulebook",
    "session",
    "sheet",
    "simulate",
    "write_record",
]

_HOMES = {
    "passline.charts": ("draw_result",),
    "passline.law": ("BOOKS", "Book", "rulebook"),
    "passline.house": ("House", "make_house"),
    "passline.house.files": ("house_for",),
    "passline.layout": ("Refusal", "Settlement"),
    "passline.table": ("Table", "commands", "decide", "events", "evolve", "open_table"),
    "passline.sessions": ("Plan", "Session"),
    "passline.machines": ("Machine", "View", "load_machine"),
    "passline.pricing": ("WagerOdds", "odds", "sheet"),
    "passline.lab": ("Simulation", "machine", "session", "simulate"),
    "passline.record": ("Dealt", "RecordError", "deal_text", "read_record", "write_record"),
}


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for, so that importing passline stays instant."""
    for home, names in _HOMES.items():
        if name in names:
            try:
                return getattr(import_module(home), name)
            except ModuleNotFoundError as wrong:
                from passline.extras import missing_extra

                raise missing_extra(wrong, f"passline.{name}") or wrong from None
    raise AttributeError(f"module 'passline' has no attribute {name!r}")
