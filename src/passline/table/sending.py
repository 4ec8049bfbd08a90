"""The dice on their way: sent out, drawn back, and what keeps them from being thrown."""

from __future__ import annotations

from datetime import datetime, timedelta

from passline.layout import Refusal, refuse
from passline.table import commands as cmd
from passline.table import custody
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.state import IN_BOX, Bar, Table

CLOSED = "custom: nothing is played at a closed table"


def kept_back(table: Table) -> Refusal | None:
    """Why the dice may neither go out nor be thrown now; None: they may."""
    if table.dice is IN_BOX and table.status == "live":
        return None
    book, dice = table.house.book, table.dice
    if table.status == "closed":
        return refuse("table-closed", CLOSED)
    if table.status == "dead":
        return refuse("game-dead", book.dead_game.bowl.cite)
    if dice.held:
        return refuse("needs-okay", book.relief.okay.cite)
    if dice.bar is not None:
        return _barred(dice.bar)
    return _too_old(table)


def _barred(bar: Bar) -> Refusal:
    fault = bar.fault
    if fault is None:
        return refuse("dice-barred", bar.cite, [bar.needs], why=bar.why)
    return refuse(
        "dice-barred",
        bar.cite,
        [bar.needs],
        why=fault.what,
        flaw=fault.flaw,
        die=fault.die,
        size=fault.size,
        limit=fault.limit,
    )


def _too_old(table: Table) -> Refusal | None:
    """A set has its hours, where the book counts them, from when the clock first saw it."""
    hours, since = table.house.book.inspection.hours, table.dice.since
    if hours is None or not since:
        return None
    age = datetime.fromisoformat(table.now) - datetime.fromisoformat(since)
    if age < timedelta(hours=hours.value):
        return None
    return refuse("set-too-old", hours.cite, ["new-set"], since=since, hours=hours.value)


def send(table: Table, ask: cmd.SendDice) -> Answer:
    """The dice go out to whoever throws next."""
    if custody.automated(table):
        return custody.no_dice(table)
    if table.dice.out:
        return refuse("dice-are-out", "custom: dice are sent from the center")
    who = kept_back(table) or custody.thrower(table)
    if isinstance(who, Refusal):
        return who
    return (*who.events, ev.DiceSent(who.id))


def release(table: Table, ask: cmd.ReleaseDice) -> Answer:
    """The shooter lets the dice go: what is bet from now on is late."""
    if custody.automated(table):
        return custody.no_dice(table)
    who = custody.check_in_air(table) or kept_back(table) or custody.thrower(table)
    if isinstance(who, Refusal):
        return who
    return (*who.events, ev.DiceReleased(who.id))


def draw_back(table: Table, ask: cmd.DrawBack) -> Answer:
    """Dice that are out, and not thrown, come back to the center."""
    if custody.automated(table):
        return custody.no_dice(table)
    if not table.dice.out:
        return refuse("dice-not-out", "custom: only dice that are out are drawn back")
    return custody.check_in_air(table) or (ev.DiceDrawnBack(),)
