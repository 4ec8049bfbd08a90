"""A die that left the table: not found, or brought back."""

from __future__ import annotations

from passline.layout import refuse
from passline.table import commands as cmd
from passline.table import custody
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.state import Table

_LEAST = 2
_THROWN = 2


def lose(table: Table, ask: cmd.LoseDie) -> Answer:
    """A die is not found. The game goes on with those that are left, or waits for a new set."""
    if custody.automated(table):
        return custody.no_dice(table)
    if not table.off_table:
        return refuse("no-die-left", "custom: a die that is here is not lost")
    if table.strayed == _THROWN:
        return refuse("both-lost", "custom: two dice are thrown, and no more can be lost")
    left = custody.set_size(table) - table.dice.lost - 1
    if left < _LEAST:
        return refuse("no-two-left", "custom: the game is played with two dice")
    rule = table.house.book.inspection.lost
    return (ev.DieLost(left, rule.value == "play-on", rule.cite),)


def find(table: Table, ask: cmd.FindDie) -> Answer:
    """A die comes back to the table, to be looked over first where the book asks for it."""
    if custody.automated(table):
        return custody.no_dice(table)
    if not table.off_table and not table.dice.lost:
        return refuse("no-die-left", "custom: there is no die to be found")
    rule = table.house.book.inspection.down_by
    return (ev.DieFound(bool(rule.value), rule.cite),)
