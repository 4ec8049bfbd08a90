"""Passline: a craps engine that enforces five casino rulebooks and cites the clause behind every
payout and refusal.

The public names below are loaded when they are first used, so that importing passline is fast.

>>> import passline
>>> dealt = passline.deal_text("rulebook: iowa\\nplayer: ann 100\\nann: pass for 10\\nroll 5 2")
>>> dealt.table.seats[0].rail
11000
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from passline.game.house.house import House, make_house
    from passline.game.house.load import house_for
    from passline.game.law.book import Book
    from passline.game.law.book_files import BOOKS
    from passline.game.law.load import rulebook
    from passline.game.layout.stakes import Refusal, Settlement
    from passline.game.table import commands, events
    from passline.game.table.decide import decide
    from passline.game.table.evolve import evolve
    from passline.game.table.open_close import open_table
    from passline.game.table.state import Table
    from passline.lab.bankroll import bankroll
    from passline.lab.best_play import find_best_play as best
    from passline.lab.compare import compare
    from passline.lab.costs import cost
    from passline.lab.dice_evidence import evidence
    from passline.lab.house_shift import shift
    from passline.lab.luck.shooter_hand import solve_shooter_hand as hand
    from passline.lab.machines.bettor import View
    from passline.lab.machines.machine import Machine, load_machine
    from passline.lab.pricing.wager_odds import WagerOdds, odds, sheet
    from passline.lab.results import draw_result
    from passline.lab.run_session import session
    from passline.lab.sessions.plan_and_result import Plan, Session
    from passline.lab.simulate import Simulation, simulate
    from passline.lab.strategy_machine import machine
    from passline.lab.sweep import sweep
    from passline.live.client.client import Client
    from passline.record.deal import Dealt, deal_text
    from passline.record.read import read_record
    from passline.record.write import write_record
    from passline.talk.errors import RecordError

__all__ = [
    "BOOKS",
    "Book",
    "Client",
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
    "bankroll",
    "best",
    "commands",
    "compare",
    "cost",
    "deal_text",
    "decide",
    "draw_result",
    "events",
    "evidence",
    "evolve",
    "hand",
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
    "shift",
    "simulate",
    "sweep",
    "write_record",
]

#: Public name -> the module that defines it, and after a colon the name there if it is another; or
#: the module itself, for commands and events.
_HOMES = {
    "BOOKS": "passline.game.law.book_files",
    "Book": "passline.game.law.book",
    "Client": "passline.live.client.client",
    "Dealt": "passline.record.deal",
    "House": "passline.game.house.house",
    "Machine": "passline.lab.machines.machine",
    "Plan": "passline.lab.sessions.plan_and_result",
    "RecordError": "passline.talk.errors",
    "Refusal": "passline.game.layout.stakes",
    "Session": "passline.lab.sessions.plan_and_result",
    "Settlement": "passline.game.layout.stakes",
    "Simulation": "passline.lab.simulate",
    "Table": "passline.game.table.state",
    "View": "passline.lab.machines.bettor",
    "WagerOdds": "passline.lab.pricing.wager_odds",
    "bankroll": "passline.lab.bankroll",
    "best": "passline.lab.best_play:find_best_play",
    "commands": "passline.game.table.commands",
    "compare": "passline.lab.compare",
    "cost": "passline.lab.costs",
    "deal_text": "passline.record.deal",
    "decide": "passline.game.table.decide",
    "draw_result": "passline.lab.results",
    "events": "passline.game.table.events",
    "evidence": "passline.lab.dice_evidence",
    "evolve": "passline.game.table.evolve",
    "hand": "passline.lab.luck.shooter_hand:solve_shooter_hand",
    "house_for": "passline.game.house.load",
    "load_machine": "passline.lab.machines.machine",
    "machine": "passline.lab.strategy_machine",
    "make_house": "passline.game.house.house",
    "odds": "passline.lab.pricing.wager_odds",
    "open_table": "passline.game.table.open_close",
    "read_record": "passline.record.read",
    "rulebook": "passline.game.law.load",
    "session": "passline.lab.run_session",
    "sheet": "passline.lab.pricing.wager_odds",
    "shift": "passline.lab.house_shift",
    "simulate": "passline.lab.simulate",
    "sweep": "passline.lab.sweep",
    "write_record": "passline.record.write",
}
#: Public names that are modules, used as namespaces: ``passline.commands.Roll``.
_MODULES = {"commands", "events"}


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    """Return a public name, importing its module on first use.

    Raise AttributeError for any other name, and MissingExtra if the module needs an optional extra
    that is not installed.
    """
    if name not in _HOMES:
        raise AttributeError(f"module 'passline' has no attribute {name!r}")
    path, _, other = _HOMES[name].partition(":")
    try:
        home = import_module(path)
    except ModuleNotFoundError as wrong:
        from passline.optional_packages import missing_extra

        raise missing_extra(wrong, f"passline.{name}") or wrong from None
    return home if name in _MODULES else getattr(home, other or name)
