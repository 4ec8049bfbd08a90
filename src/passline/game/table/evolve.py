"""``evolve``: apply an event to a table.

Nothing is decided here and no rule is read, so an old log gives the same table even if a rulebook
changes. The ledger is checked after every event.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, Final, assert_never

from msgspec import UNSET
from msgspec.structs import asdict, replace

from passline.game.layout.stakes import Settlement, Stake, Wagers, apply_settlements
from passline.game.table import events as ev
from passline.game.table.limit_changes import apply_limits
from passline.game.table.state import (
    DEALERS,
    NOBODY,
    CorrectableThrow,
    DiceRestriction,
    DiceSet,
    LateBet,
    Seat,
    ShootoutState,
    Table,
    UndoStep,
    ledger_balance,
)


def _apply_dice_event(table: Table, event: ev.DiceEvent) -> Table:
    """Return the table after an event that changes no seat: about the dice, posts or table."""
    match event:
        case ev.DiceTaken():
            place = table.seat(event.player).place
            taken = {"shooter": event.player, "last_shooter": event.player, "last_place": place}
            return replace(table, **taken, declined=(), fell=0)
        case ev.DicePassed():
            return _apply_dice_passed(table)
        case ev.ShootoutMoved():
            return _apply_shootout_moved(table, event)
        case ev.Clocked():
            # The age of the set counts from the first time that the clock was set.
            dice = replace(table.dice, since=table.dice.since or event.when)
            return replace(table, now=event.when, dice=dice)
        case ev.DiceDeclined():
            return replace(table, declined=(*table.declined, event.player))
        case ev.DiceAsked():
            return replace(
                table, off_table=False, strayed=0, fell=0, dice=_return_to_center(table.dice)
            )
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
                correctable=None,
                dice=_return_to_center(table.dice),
            )
        case ev.DiceSent():
            return replace(table, dice=replace(table.dice, out=True), correctable=None)
        case ev.DiceReleased():
            dice = replace(table.dice, out=True, in_air=True)
            return replace(table, dice=dice, correctable=None)
        case ev.ThrowCorrected():
            assert table.correctable is not None
            return table.correctable.before
        case ev.CommandDropped():
            return table
        case ev.DiceDrawnBack():
            return replace(table, dice=_return_to_center(table.dice))
        case ev.Rolled():
            raise AssertionError("a throw is folded with the seats")
        case _:
            return _apply_dice_set_event(table, event)


def _apply_dice_set_event(table: Table, event: ev.DiceSetEvent) -> Table:
    match event:
        case ev.DiceInspected():
            return _apply_inspected(table, event)
        case ev.DiceRecalled():
            bar = DiceRestriction(event.reason, "inspection", event.cite)
            return replace(table, dice=_restrict(table.dice, bar))
        case ev.DiceChanged():
            return _apply_set_changed(table, event)
        case ev.SetCancelled():
            return _apply_set_cancelled(table, event)
        case ev.DieLost():
            return _apply_die_lost(table, event)
        case ev.DieFound():
            return _apply_die_found(table, event)
        case ev.Relieved():
            dice = replace(table.dice, held=True) if event.holds else table.dice
            return replace(table, dice=dice, crew={**table.crew, event.post: event.name})
        case ev.DiceOkayed():
            return replace(table, dice=replace(table.dice, held=False))
        case ev.GameDied():
            return replace(_clear_game(table), status="dead")
        case ev.BowlDumped() | ev.TableOpened():
            return replace(table, status="live")
        case ev.TableClosed():
            return _apply_table_closed(table, event)
        case ev.LimitsSet():
            return apply_limits(table, event)
        case _:
            assert_never(event)


def _return_to_center(dice: DiceSet) -> DiceSet:
    """Return the dice set moved back to the center, in front of the boxperson."""
    return replace(dice, out=False, in_air=False) if dice.out else dice


def _apply_dice_passed(table: Table) -> Table:
    return replace(
        table,
        shooter=NOBODY,
        declined=(),
        fresh=True,
        turn=0,
        off_table=False,
        strayed=0,
        dice=_return_to_center(table.dice),
    )


def _apply_shootout_moved(table: Table, event: ev.ShootoutMoved) -> Table:
    state = table.shootout
    assert state is not None
    log = state.log if event.note is None else (*state.log, event.note)
    made = frozenset(event.made)
    moved = replace(state, amount=event.amount, made=made, open=event.open, log=log)
    return replace(table, shootout=moved)


def _restrict(dice: DiceSet, bar: DiceRestriction) -> DiceSet:
    """Return the dice moved to the center, with ``bar`` as the reason why nobody may throw them.

    If a new set must already replace the dice, that earlier reason stays instead.
    """
    restriction = dice.bar if dice.bar is not None and dice.bar.needs == "new-set" else bar
    return replace(_return_to_center(dice), bar=restriction)


def _remove_serial(serials: tuple[str, ...], serial: str) -> tuple[str, ...]:
    return tuple(other for other in serials if other != serial)


def _apply_inspected(table: Table, event: ev.DiceInspected) -> Table:
    dice, fault = table.dice, event.faults[0] if event.faults else None
    if event.serial:
        others = _remove_serial(dice.ready, event.serial)
        ready = others if fault is not None else (*others, event.serial)
        return replace(table, dice=replace(dice, ready=ready))
    if fault is not None:
        dice = _restrict(dice, DiceRestriction("fault", "new-set", fault.cite, fault))
    elif dice.bar is not None and dice.bar.needs == "inspection":
        dice = replace(dice, bar=None)
    return replace(table, dice=dice)


def _apply_set_changed(table: Table, event: ev.DiceChanged) -> Table:
    """Return the table with a new set of dice. Restrictions on the old set no longer apply."""
    old = table.dice
    retired = (*_remove_serial(old.retired, old.serial), old.serial) if old.serial else old.retired
    dice = DiceSet(
        held=old.held,
        since=table.now,
        serial=event.serial,
        ready=_remove_serial(old.ready, event.serial),
        retired=_remove_serial(retired, event.serial),
        cancelled=old.cancelled,
    )
    return replace(table, dice=dice, off_table=False, strayed=0, fell=0)


def _apply_set_cancelled(table: Table, event: ev.SetCancelled) -> Table:
    gone, dice = event.serial, table.dice
    dice = replace(
        dice,
        ready=_remove_serial(dice.ready, gone),
        retired=_remove_serial(dice.retired, gone),
        cancelled=(*_remove_serial(dice.cancelled, gone), gone),
    )
    return replace(table, dice=dice)


def _apply_die_lost(table: Table, event: ev.DieLost) -> Table:
    dice = replace(table.dice, lost=table.dice.lost + 1)
    if not event.plays_on:
        dice = _restrict(dice, DiceRestriction("lost", "new-set", event.cite))
    return replace(table, dice=dice, strayed=table.strayed + 1)


def _apply_die_found(table: Table, event: ev.DieFound) -> Table:
    dice = table.dice
    lost = max(dice.lost - 1, 0)
    if dice.bar is not None and dice.bar.why == "lost" and not lost:
        dice = replace(dice, bar=None)
    if event.inspect:
        dice = _restrict(dice, DiceRestriction("down", "inspection", event.cite))
    return replace(table, dice=replace(dice, lost=lost), strayed=max(table.strayed - 1, 0))


def _clear_game(table: Table) -> Table:
    """Return the table with no game in progress: puck off, nothing collected or to undo."""
    return replace(
        table,
        playing=tuple(
            replace(seat, undo_steps=()) if seat.undo_steps else seat for seat in table.playing
        ),
        point=0,
        declined=(),
        fresh=True,
        turn=0,
        made=frozenset(),
        thrown=frozenset(),
        riding=frozenset(),
        tallies=(),
        last_total=0,
        special=False,
    )


def _apply_table_closed(table: Table, event: ev.TableClosed) -> Table:
    """Return the closed table. When it reopens, there is no last shooter."""
    dice = table.dice
    if event.fresh_dice:
        dice = _restrict(dice, DiceRestriction("reopened", "new-set", event.cite))
    return replace(
        _clear_game(table), status="closed", last_shooter=NOBODY, last_place=0, dice=dice
    )


class LedgerError(AssertionError):
    """Raised if money appeared or vanished. This is a programming error and is never ignored."""


_EMPTY: Final[frozenset[Any]] = frozenset()


def evolve(table: Table, event: ev.AnyEvent) -> Table:
    """Return the table after an event.

    Raise LedgerError unless the ledger sums to zero and no rail is negative.
    """
    if table.gone and (player := getattr(event, "player", "")) in table.gone:
        table = _restore_seat(table, player)
    after = _apply_event(table, event)
    if ledger_balance(after):
        raise LedgerError(f"{ledger_balance(after)} cents astray after {event}")
    for seat in after.playing:
        if seat.rail < 0:
            raise LedgerError(f"{seat.id}'s rail is short after {event}")
        if not (seat.here or seat.wagers):
            after = _archive_seat(after, seat)
    return after


def evolve_all(table: Table, happened: Iterable[ev.AnyEvent]) -> Table:
    """Return the table after several events."""
    for event in happened:
        table = evolve(table, event)
    return table


def _apply_event(table: Table, event: ev.AnyEvent) -> Table:
    match event:
        case ev.Rolled():
            return _apply_rolled(table, event)
        case ev.Wagered():
            return _apply_wagered(table, event)
        case ev.Changed():
            return _apply_bet_changed(table, event)
        # With the cases above, these are almost all events, so they are tested first.
        case ev.DiceTaken() | ev.DicePassed():
            return _apply_dice_event(table, event)
        case ev.Called():
            return _apply_called(table, event)
        case ev.BoughtIn():
            return _apply_bought_in(table, event)
        case ev.Undone():
            return _apply_undone(table, event)
        case ev.Toked() | ev.TokeMade():  # A wager for the dealers follows as its own event.
            seat = table.seat(event.player)
            seats = _replace_seat(table, replace(seat, rail=seat.rail - event.amount))
            return replace(table, playing=seats, tokes=table.tokes + event.amount)
        case ev.Opened():
            return _apply_opened(table, event)
        case ev.Joined():
            return _apply_joined(table, event)
        case ev.LeftTable():
            # Wagers that came down when the player left cannot be restored by an undo.
            gone = replace(table.seat(event.player), here=False, undo_steps=())
            return replace(table, playing=_replace_seat(table, gone))
        case ev.Seated():
            seat = replace(table.seat(event.player), standing=event.standing)
            return replace(table, playing=_replace_seat(table, seat))
        case ev.LateCalled() | ev.LateConfirmed() | ev.LateLapsed():
            return _apply_late_bet(table, event)
        case ev.ColorUpRequested():
            return replace(table, color_up_requests=(*table.color_up_requests, event.player))
        case ev.ColoredUp():
            waiting = tuple(player for player in table.color_up_requests if player != event.player)
            return replace(table, color_up_requests=waiting) if table.color_up_requests else table
        case ev.ChequesChanged() | ev.ColorUpPermitted() | ev.LimitsTold() | ev.TokesDropped():
            return table  # A settlement has already put dropped tips into the box.
        case _:
            return _apply_dice_event(table, event)


def _restore_seat(table: Table, player: str) -> Table:
    """Return the table with a departed player moved from ``gone`` back to ``playing``."""
    gone = dict(table.gone)
    seat = gone.pop(player)
    playing = sorted((seat, *table.playing), key=attrgetter("place"))
    return replace(table, playing=tuple(playing), gone=gone, carried=table.carried - seat.rail)


def _archive_seat(table: Table, seat: Seat) -> Table:
    """Return the table with a player who left, and has no wagers up, moved to ``gone``."""
    playing = tuple([other for other in table.playing if other is not seat])
    gone = {**table.gone, seat.id: seat}
    return replace(table, playing=playing, gone=gone, carried=table.carried + seat.rail)


def _replace_seat(table: Table, seat: Seat) -> tuple[Seat, ...]:
    seats = table.playing
    if len(seats) == 1:
        return (seat,)
    return tuple([seat if other.id == seat.id else other for other in seats])


def _apply_opened(table: Table, event: ev.Opened) -> Table:
    seats = tuple(Seat(id=at.id, name=at.name, place=at.place) for at in event.seats)
    shootout = None if event.shootout is None else ShootoutState(event.shootout)
    furthest = max((at.place for at in event.seats), default=0)
    return replace(table, playing=seats, furthest=furthest, shootout=shootout)


def _apply_joined(table: Table, event: ev.Joined) -> Table:
    known = table.find(event.player) or Seat(id=event.player, name=event.name, place=event.place)
    seat = replace(known, place=event.place, here=True, standing=False)
    others = [other for other in table.playing if other.id != event.player]
    return replace(table, playing=tuple(sorted((*others, seat), key=attrgetter("place"))))


def _apply_bought_in(table: Table, event: ev.BoughtIn) -> Table:
    seat = table.seat(event.player)
    rail, bought_in = seat.rail + event.amount, seat.bought_in + event.amount
    seat = replace(seat, rail=rail, bought_in=bought_in, here=True)
    return replace(table, playing=_replace_seat(table, seat), drop=table.drop + event.amount)


def _move_chips(
    table: Table, seat: Seat, wagers: Wagers, moved: int, vig: int, part: bool
) -> Table:
    """Return the table after ``moved`` cents went from a player's rail to the layout.

    A negative ``moved`` went back to the rail. ``wagers`` are the player's wagers afterwards.
    ``vig`` cents of it are vigorish. With ``part``, the move belongs to the same undo step as the
    one before it.
    """
    steps, number = seat.undo_steps, table.bet_commands
    if part and steps:
        last = steps[-1]
        steps = (*steps[:-1], replace(last, moved=last.moved + moved, vig=last.vig + vig))
    else:
        number += 1
        before = steps if steps and steps[-1].throws == table.throws else ()
        steps = (*before, UndoStep(number, table.throws, seat.wagers, moved, vig))
    seat = replace(seat, rail=seat.rail - moved, wagers=wagers, undo_steps=steps)
    return replace(
        table, playing=_replace_seat(table, seat), vig=table.vig + vig, bet_commands=number
    )


def _apply_wagered(table: Table, event: ev.Wagered) -> Table:
    before = table.wagers_of(event.player)
    up, amount, vig = before.get(event.wager), event.amount, event.vig
    if up is None:
        stake = Stake(amount, amount, None, vig, event.match, event.unnoticed)
    else:
        total, unnoticed = up.amount + amount, up.unnoticed or event.unnoticed
        stake = Stake(total, total, up.call, up.vig + vig, up.match + event.match, unnoticed)
    wagers = {**before, event.wager: stake}
    if event.player == DEALERS:
        return replace(table, dealers=wagers, vig=table.vig + vig, tokes=table.tokes - amount - vig)
    return _move_chips(table, table.seat(event.player), wagers, amount + vig, vig, event.part)


def _apply_bet_changed(table: Table, event: ev.Changed) -> Table:
    wagers = dict(table.wagers_of(event.player))
    up = wagers[event.wager]
    if event.now:
        wagers[event.wager] = replace(up, amount=event.now, flat=event.flat, vig=up.vig + event.vig)
    else:
        del wagers[event.wager]
    moved = event.now - event.was + event.vig
    if event.player == DEALERS:
        return replace(table, dealers=wagers, vig=table.vig + event.vig, tokes=table.tokes - moved)
    return _move_chips(table, table.seat(event.player), wagers, moved, event.vig, event.part)


def _apply_called(table: Table, event: ev.Called) -> Table:
    seat = table.seat(event.player)
    wagers = dict(seat.wagers)
    wagers[event.wager] = replace(wagers[event.wager], call=event.on)
    return _move_chips(table, seat, wagers, 0, 0, event.part)


def _apply_undone(table: Table, event: ev.Undone) -> Table:
    seat = table.seat(event.player)
    steps = tuple(step for step in seat.undo_steps if step.number != event.corrects)
    seat = replace(seat, rail=seat.rail + event.moved, wagers=dict(event.wagers), undo_steps=steps)
    return replace(table, playing=_replace_seat(table, seat), vig=table.vig - event.vig)


def _apply_late_bet(table: Table, event: ev.LateCalled | ev.LateConfirmed | ev.LateLapsed) -> Table:
    late = {(late.player, late.wager): late for late in table.late}
    key = (event.player, event.wager)
    match event:
        case ev.LateCalled():
            late[key] = LateBet(**asdict(event))
        case ev.LateConfirmed():
            needs = tuple(role for role in late[key].needs if role != event.by)
            late[key] = replace(late[key], needs=needs)
            if not needs:
                del late[key]
        case ev.LateLapsed():
            del late[key]
        case _:
            assert_never(event)
    return replace(table, late=tuple(late.values()))


def _apply_rolled(table: Table, event: ev.Rolled) -> Table:
    seats, dealers = table.playing, table.dealers
    win, vig, tokes, promo = table.win, table.vig, table.tokes, table.promo
    if event.settlements:
        seats = tuple([_settle_seat(seat, event.settlements) for seat in seats])
        for done in event.settlements:
            _check_settlement(done)
            vig += done.vig
            promo += done.promo
            if done.to is None:
                win += done.stake - done.left - done.back - done.vig
        if dealers:
            own = [done for done in event.settlements if done.player == DEALERS]
            dealers = apply_settlements(dealers, own)
            tokes += sum(done.back for done in own)
    return replace(
        table,
        playing=seats,
        dealers=dealers,
        win=win,
        vig=vig,
        tokes=tokes,
        promo=promo,
        point=event.puck,
        fresh=table.fresh and event.was != 0,
        turn=table.turn + 1,
        throws=table.throws + 1,
        made=frozenset(event.made) if event.made else _EMPTY,
        thrown=frozenset(event.thrown) if event.thrown else _EMPTY,
        riding=frozenset(event.riding) if event.riding else _EMPTY,
        tallies=() if event.tallies is UNSET else event.tallies,
        last_total=event.first + event.second,
        special=event.special,
        declined=(),
        off_table=False,
        strayed=0,
        fell=event.first + event.second,
        correctable=_make_correctable(table, event),
        dice=_return_to_center(table.dice),
    )


def _make_correctable(table: Table, event: ev.Rolled) -> CorrectableThrow:
    """Return what a correction of this throw needs. ``table`` is the table before the throw."""
    return CorrectableThrow(
        before=table if table.correctable is None else replace(table, correctable=None),
        first=event.first,
        second=event.second,
        shooter=event.shooter,
        special=event.special,
        ruled_by=event.ruled_by,
    )


def _settle_seat(seat: Seat, settlements: tuple[Settlement, ...]) -> Seat:
    own = [done for done in settlements if done.player == seat.id]
    if not own:
        return seat
    rail = seat.rail + sum([done.back for done in own])
    return replace(seat, rail=rail, wagers=apply_settlements(seat.wagers, own))


def _check_settlement(done: Settlement) -> None:
    """Raise LedgerError unless the money of a settlement adds up.

    For a win, what goes to the rail, stays up and is vigorish must equal the stake and its pay.
    """
    out = done.left + done.back + done.vig
    match done.result:
        case "win":
            holds = out == done.stake + done.paid and 0 <= done.promo <= done.paid
        case "lose":
            holds = 0 <= out <= done.stake
        case "travel":
            holds = out == 0 and done.to is not None
        case _:
            holds = out == done.stake
    if not holds:
        raise LedgerError(f"a settlement that does not add up: {done}")
