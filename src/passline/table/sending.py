"""The dice on their way: sent out, drawn back, and what keeps them from being thrown."""

from __future__ import annotations

from datetime import datetime, timedelta

from passline.layout import Refusal
from passline.table import commands as cmd
from passline.table import custody
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.state import IN_BOX, Table

CLOSED = "custom: nothing is played at a closed table"


def kept_back(table: Table) -> Refusal | None:
    """Why the dice may neither go out nor be thrown now; None: they may."""
    if table.dice is IN_BOX and table.status == "live":
        return None
    book, dice = table.house.book, table.dice
    if table.status == "closed":
        return Refusal("the table is closed", CLOSED)
    if table.status == "dead":
        cite = book.dead_game.bowl.cite
        return Refusal("the game is dead: its dice are in the bowl until somebody comes up", cite)
    if dice.held:
        cite = book.relief.okay.cite
        return Refusal("the dice wait for the OK of the boxperson who came in", cite)
    if dice.bar is not None:
        needs = "an inspection" if dice.bar.needs == "inspection" else "a new set"
        return Refusal(
            f"before the next throw the dice need {needs}: {dice.bar.why}", dice.bar.cite
        )
    return _too_old(table)


def _too_old(table: Table) -> Refusal | None:
    """A set has its hours, where the book counts them, from when the clock first saw it."""
    hours, since = table.house.book.inspection.hours, table.dice.since
    if hours is None or not since:
        return None
    age = datetime.fromisoformat(table.now) - datetime.fromisoformat(since)
    if age < timedelta(hours=hours.value):
        return None
    return Refusal(f"the dice came in at {since}: a set is played {hours.value} hours", hours.cite)


def send(table: Table, ask: cmd.SendDice) -> Answer:
    """The dice go out to whoever throws next."""
    if custody.automated(table):
        return custody.no_dice(table)
    if table.dice.out:
        return Refusal("the dice are out", "custom: dice are sent from the center")
    who = kept_back(table) or custody.thrower(table)
    if isinstance(who, Refusal):
        return who
    return (*who.events, ev.DiceSent(table.seats[who.index].name))


def draw_back(table: Table, ask: cmd.DrawBack) -> Answer:
    """Dice that are out, and not thrown, come back to the center."""
    if custody.automated(table):
        return custody.no_dice(table)
    if not table.dice.out:
        return Refusal("the dice are not out", "custom: only dice that are out are drawn back")
    return (ev.DiceDrawnBack(),)
