"""The fold of what happens to the set of dice, to the crew's posts, and to a game that dies."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from passline.table import events as ev
from passline.table.limits import fold_limits
from passline.table.state import NOBODY, Bar, DiceSet, Table


def fold_dice(table: Table, event: ev.DiceEvent) -> Table:
    """The table after something that happened to the dice, the posts or the game."""
    match event:
        case ev.DiceTaken():
            place = table.seat(event.player).place
            taken = {"shooter": event.player, "last_shooter": event.player, "last_place": place}
            return replace(table, **taken, declined=(), fell=0)
        case ev.DicePassed():
            return _passed(table)
        case ev.ShootoutMoved():
            return _shootout_moved(table, event)
        case ev.Clocked():
            # The set in play is as old as the clock can tell.
            dice = replace(table.dice, since=table.dice.since or event.when)
            return replace(table, now=event.when, dice=dice)
        case ev.DiceDeclined():
            return replace(table, declined=(*table.declined, event.player))
        case ev.DiceAsked():
            return replace(table, off_table=False, strayed=0, fell=0, dice=in_center(table.dice))
        case ev.Warned():
            warned = (*table.warned, (event.player, event.ground))
            return replace(table, warned=tuple(dict.fromkeys(warned)))
        case ev.NoRoll():
            return replace(
                table,
                off_table=event.off_table,
                strayed=0,
                fell=0,
                throws=table.throws + 1,
                dice=in_center(table.dice),
            )
        case ev.DiceSent():
            return replace(table, dice=replace(table.dice, out=True))
        case ev.DiceReleased():
            return replace(table, dice=replace(table.dice, out=True, in_air=True))
        case ev.DiceDrawnBack():
            return replace(table, dice=in_center(table.dice))
        case ev.Rolled():
            raise AssertionError("a throw is folded with the seats")
        case _:
            return _fold_set(table, event)


def _fold_set(table: Table, event: ev.SetEvent) -> Table:
    match event:
        case ev.DiceInspected():
            return _inspected(table, event)
        case ev.DiceRecalled():
            bar = Bar(event.reason, "inspection", event.cite)
            return replace(table, dice=_barred(table.dice, bar))
        case ev.DiceChanged():
            return _changed(table, event)
        case ev.SetCancelled():
            return _cancelled(table, event)
        case ev.DieLost():
            return _lost(table, event)
        case ev.DieFound():
            return _found(table, event)
        case ev.Relieved():
            dice = replace(table.dice, held=True) if event.holds else table.dice
            return replace(table, dice=dice, crew={**table.crew, event.post: event.name})
        case ev.DiceOkayed():
            return replace(table, dice=replace(table.dice, held=False))
        case ev.GameDied():
            return replace(_over(table), status="dead")
        case ev.BowlDumped() | ev.TableOpened():
            return replace(table, status="live")
        case ev.TableClosed():
            return _closed(table, event)
        case ev.LimitsSet():
            return fold_limits(table, event)
        case _:
            assert_never(event)


def in_center(dice: DiceSet) -> DiceSet:
    """The dice back before the box."""
    return replace(dice, out=False, in_air=False) if dice.out else dice


def _passed(table: Table) -> Table:
    return replace(
        table,
        shooter=NOBODY,
        declined=(),
        fresh=True,
        turn=0,
        off_table=False,
        strayed=0,
        dice=in_center(table.dice),
    )


def _shootout_moved(table: Table, event: ev.ShootoutMoved) -> Table:
    state = table.shootout
    assert state is not None
    log = state.log if event.note is None else (*state.log, event.note)
    made = frozenset(event.made)
    moved = replace(state, amount=event.amount, made=made, open=event.open, log=log)
    return replace(table, shootout=moved)


def _barred(dice: DiceSet, bar: Bar) -> DiceSet:
    """What needs a new set is not mended by an inspection."""
    kept = dice.bar if dice.bar is not None and dice.bar.needs == "new-set" else bar
    return replace(in_center(dice), bar=kept)


def _without(serials: tuple[str, ...], serial: str) -> tuple[str, ...]:
    return tuple(other for other in serials if other != serial)


def _inspected(table: Table, event: ev.DiceInspected) -> Table:
    dice, fault = table.dice, event.faults[0] if event.faults else None
    if event.serial:
        others = _without(dice.ready, event.serial)
        ready = others if fault is not None else (*others, event.serial)
        return replace(table, dice=replace(dice, ready=ready))
    if fault is not None:
        dice = _barred(dice, Bar("fault", "new-set", fault.cite, fault))
    elif dice.bar is not None and dice.bar.needs == "inspection":
        dice = replace(dice, bar=None)
    return replace(table, dice=dice)


def _changed(table: Table, event: ev.DiceChanged) -> Table:
    """The old set comes off, whole or not, and whatever kept it from being thrown with it."""
    old = table.dice
    retired = (*_without(old.retired, old.serial), old.serial) if old.serial else old.retired
    dice = DiceSet(
        held=old.held,
        since=table.now,
        serial=event.serial,
        ready=_without(old.ready, event.serial),
        retired=_without(retired, event.serial),
        cancelled=old.cancelled,
    )
    return replace(table, dice=dice, off_table=False, strayed=0, fell=0)


def _cancelled(table: Table, event: ev.SetCancelled) -> Table:
    gone, dice = event.serial, table.dice
    dice = replace(
        dice,
        ready=_without(dice.ready, gone),
        retired=_without(dice.retired, gone),
        cancelled=(*_without(dice.cancelled, gone), gone),
    )
    return replace(table, dice=dice)


def _lost(table: Table, event: ev.DieLost) -> Table:
    dice = replace(table.dice, lost=table.dice.lost + 1)
    if not event.plays_on:
        dice = _barred(dice, Bar("lost", "new-set", event.cite))
    return replace(table, dice=dice, strayed=table.strayed + 1)


def _found(table: Table, event: ev.DieFound) -> Table:
    dice = table.dice
    lost = max(dice.lost - 1, 0)
    if dice.bar is not None and dice.bar.why == "lost" and not lost:
        dice = replace(dice, bar=None)
    if event.inspect:
        dice = _barred(dice, Bar("down", "inspection", event.cite))
    return replace(table, dice=replace(dice, lost=lost), strayed=max(table.strayed - 1, 0))


def _over(table: Table) -> Table:
    """Nobody plays: the puck is off, nothing that was being gathered goes on, and no wager of the
    game that is over can be taken back up."""
    return replace(
        table,
        playing=tuple(replace(seat, told=()) if seat.told else seat for seat in table.playing),
        puck=0,
        declined=(),
        fresh=True,
        turn=0,
        made=frozenset(),
        thrown=frozenset(),
        riding=frozenset(),
        special=False,
    )


def _closed(table: Table, event: ev.TableClosed) -> Table:
    """A table that opens again offers the dice as any that opens: nobody was the last shooter."""
    dice = table.dice
    if event.fresh_dice:
        dice = _barred(dice, Bar("reopened", "new-set", event.cite))
    return replace(_over(table), status="closed", last_shooter=NOBODY, last_place=0, dice=dice)
