"""The fold of what happens to the set of dice, to the crew's posts, and to a game that dies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from passline.table import events as ev
from passline.table.state import DOWN, LOST, NOBODY, REOPENED, Bar, DiceSet, Table


def in_center(dice: DiceSet) -> DiceSet:
    """The dice back before the box."""
    return replace(dice, out=False) if dice.out else dice


def _sent(table: Table, event: ev.DiceSent) -> Table:
    return replace(table, dice=replace(table.dice, out=True))


def _drawn_back(table: Table, event: ev.DiceDrawnBack) -> Table:
    return replace(table, dice=in_center(table.dice))


def _barred(dice: DiceSet, bar: Bar) -> DiceSet:
    """What needs a new set is not mended by an inspection."""
    kept = dice.bar if dice.bar is not None and dice.bar.needs == "new-set" else bar
    return replace(dice, out=False, bar=kept)


def _inspected(table: Table, event: ev.DiceInspected) -> Table:
    dice, fault = table.dice, event.faults[0] if event.faults else None
    if event.serial:
        others = dice.ready - {event.serial}
        ready = others if fault is not None else others | {event.serial}
        return replace(table, dice=replace(dice, ready=ready))
    if fault is not None:
        dice = _barred(dice, Bar(fault.what, "new-set", fault.cite))
    elif dice.bar is not None and dice.bar.needs == "inspection":
        dice = replace(dice, bar=None)
    return replace(table, dice=dice)


def _recalled(table: Table, event: ev.DiceRecalled) -> Table:
    bar = Bar(event.reason, "inspection", event.cite)
    return replace(table, dice=_barred(table.dice, bar))


def _changed(table: Table, event: ev.DiceChanged) -> Table:
    """The old set comes off, whole or not, and whatever kept it from being thrown with it."""
    old, new = table.dice, {event.serial}
    retired = old.retired | {old.serial} if old.serial else old.retired
    dice = DiceSet(
        held=old.held,
        since=table.now,
        serial=event.serial,
        ready=old.ready - new,
        retired=retired - new,
        cancelled=old.cancelled,
    )
    return replace(table, dice=dice, off_table=False, strayed=0, fell=0)


def _cancelled(table: Table, event: ev.SetCancelled) -> Table:
    gone, dice = {event.serial}, table.dice
    dice = replace(
        dice,
        ready=dice.ready - gone,
        retired=dice.retired - gone,
        cancelled=dice.cancelled | gone,
    )
    return replace(table, dice=dice)


def _lost(table: Table, event: ev.DieLost) -> Table:
    dice = replace(table.dice, lost=table.dice.lost + 1)
    if not event.plays_on:
        dice = _barred(dice, Bar(LOST, "new-set", event.cite))
    return replace(table, dice=dice, strayed=table.strayed + 1)


def _found(table: Table, event: ev.DieFound) -> Table:
    dice = table.dice
    lost = max(dice.lost - 1, 0)
    if dice.bar is not None and dice.bar.why == LOST and not lost:
        dice = replace(dice, bar=None)
    if event.inspect:
        dice = _barred(dice, Bar(DOWN, "inspection", event.cite))
    return replace(table, dice=replace(dice, lost=lost), strayed=max(table.strayed - 1, 0))


def _relieved(table: Table, event: ev.Relieved) -> Table:
    dice = replace(table.dice, held=True) if event.holds else table.dice
    return replace(table, dice=dice, crew={**table.crew, event.post: event.name})


def _okayed(table: Table, event: ev.DiceOkayed) -> Table:
    return replace(table, dice=replace(table.dice, held=False))


def _over(table: Table) -> Table:
    """Nobody plays: the puck is off, and nothing that was being gathered goes on."""
    return replace(
        table,
        puck=0,
        declined=frozenset(),
        fresh=True,
        turn=0,
        made=frozenset(),
        thrown=frozenset(),
        riding=frozenset(),
        special=False,
    )


def _died(table: Table, event: ev.GameDied) -> Table:
    return replace(_over(table), status="dead")


def _live(table: Table, event: ev.Event) -> Table:
    return replace(table, status="live")


def _closed(table: Table, event: ev.TableClosed) -> Table:
    """A table that opens again offers the dice as any that opens: nobody was the last shooter."""
    dice = table.dice
    if event.fresh_dice:
        dice = _barred(dice, Bar(REOPENED, "new-set", event.cite))
    return replace(_over(table), status="closed", last_shooter=NOBODY, dice=dice)


DICE_FOLDS: dict[type[ev.Event], Callable[[Table, Any], Table]] = {
    ev.DiceSent: _sent,
    ev.DiceDrawnBack: _drawn_back,
    ev.DiceInspected: _inspected,
    ev.DiceRecalled: _recalled,
    ev.DiceChanged: _changed,
    ev.SetCancelled: _cancelled,
    ev.DieLost: _lost,
    ev.DieFound: _found,
    ev.Relieved: _relieved,
    ev.DiceOkayed: _okayed,
    ev.GameDied: _died,
    ev.BowlDumped: _live,
    ev.TableClosed: _closed,
    ev.TableOpened: _live,
}
