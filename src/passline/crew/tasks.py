"""Tasks: one thing that one member of the crew does, and the money that it moves.

The engine has settled the throw already; tasks only say by whose hands, in which order. Carrying
out a list of them must move exactly what the engine settled, and ``carried_out`` proves it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

import msgspec

from passline.table import Table
from passline.table.state import DEALERS

TaskVerb = Literal[
    "call", "retrieve", "turn", "watch", "take", "push", "pay", "return", "place", "mark", "clear",
    "button", "announce", "ask", "verify", "notify", "book", "set up", "change", "drop", "offer",
    "send", "inspect", "tell", "keep", "bring out", "hand off",
]  # fmt: skip


class Pot(NamedTuple):
    """Where money lies: a rail, a wager on the layout, or the house's bank, vigorish or tokes."""

    kind: Literal["rail", "layout", "bank", "vig", "tokes", "drop"]
    player: str = ""
    wager: str = ""


BANK, VIG, TOKES, DROP = Pot("bank"), Pot("vig"), Pot("tokes"), Pot("drop")


class Move(NamedTuple):
    """So many cents from one pot to another."""

    source: Pot
    target: Pot
    amount: int


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What one member of the crew does.

    ``by`` is the member ("stickperson", "base dealer, left end"), ``do`` the verb, ``words`` the
    whole of it for people, ``cite`` the clause of the manual, or ``custom: `` and a reason.
    ``chips`` is what is handled, by colour, largest first; ``moves`` the money. ``post`` is whose
    hands these are (``stick``, ``box``, ``base``, ``supervisor``), ``end`` where it is done, if at
    one end; ``said`` what is said aloud for all, where ``words`` tell that it is.
    """

    by: str
    do: TaskVerb
    words: str
    cite: str
    post: str = ""
    end: str = ""
    player: str = ""
    wager: str = ""
    said: str = ""
    amount: int = 0
    chips: tuple[tuple[str, int], ...] = ()
    where: str = ""
    moves: tuple[Move, ...] = ()


Ledger = dict[Pot, int]


def ledger(table: Table) -> Ledger:
    """Where every cent at a table lies. The bank holds what the house won, less what it lost."""
    pots: Ledger = {BANK: table.win, VIG: table.vig, TOKES: table.tokes, DROP: -table.drop}
    for seat in table.seats:
        pots[Pot("rail", seat.id)] = seat.rail
    for player, wagers in table.everybody():
        for slug, stake in wagers.items():
            pots[Pot("layout", player, slug)] = stake.amount
    return {pot: amount for pot, amount in pots.items() if amount}


def _held(pot: Pot) -> Pot:
    """The dealers have no rail: what is theirs and on no wager is in the toke box."""
    return TOKES if pot == Pot("rail", DEALERS) else pot


def carried_out(before: Ledger, tasks: Iterable[Task]) -> Ledger:
    """The ledger once the crew has done its tasks, one after the other.

    Chips are moved only from where they lie: a rail or a wager that would owe raises ValueError.

    >>> ann = Pot("layout", "ann", "pass")
    >>> lost = Task(by="base dealer", do="take", words="", cite="", moves=(Move(ann, BANK, 500),))
    >>> carried_out({ann: 500}, [lost])
    {Pot(kind='bank', player='', wager=''): 500}
    """
    pots = dict(before)
    for task in tasks:
        for source, target, amount in task.moves:
            source, target = _held(source), _held(target)
            pots[source] = pots.get(source, 0) - amount
            pots[target] = pots.get(target, 0) + amount
            if pots[source] < 0 and source.kind in {"rail", "layout"}:
                where = " ".join(part for part in source if part)
                raise ValueError(f"{where} has too little: {task.words}")
    return {pot: amount for pot, amount in pots.items() if amount}
