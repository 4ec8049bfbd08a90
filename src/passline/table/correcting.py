"""Corrections: what a player said of his wagers is taken back, and the correction says what."""

from __future__ import annotations

from passline.layout import refuse
from passline.table import commands as cmd
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.state import Table, Told

_OPEN = "custom: a wager is the player's own until the dice are out"


def last_told(table: Table, player: str) -> Told | None:
    """What a player said last of his wagers since the last throw or no roll, if anything."""
    told = table.seat(player).told
    return told[-1] if told and told[-1].throws == table.throws else None


def undo(table: Table, ask: cmd.Undo) -> Answer:
    """The player's wagers, calls and rail as they were before that; said again, the one before.

    Buy-ins, tokes and dice stay, and so does what others said.
    """
    seat, last = table.seat(ask.player), last_told(table, ask.player)
    if last is None:
        return refuse("nothing-to-undo", _OPEN, player=seat.name)
    if table.dice.out:
        return refuse("undo-too-late", _OPEN)
    if seat.rail + last.moved < 0:  # it was given away meanwhile
        cite = table.house.book.tender.chips
        needed = -last.moved
        return refuse("short-of-chips", cite, player=seat.name, needed=needed, rail=seat.rail)
    return (
        ev.Undone(
            player=seat.id,
            corrects=last.number,
            wagers=tuple(last.wagers.items()),
            moved=last.moved,
            vig=last.vig,
        ),
    )
