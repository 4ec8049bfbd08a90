"""The fold: a table and an event make the next table. No rule is decided here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from passline.layout import Settlement, Stake, remaining
from passline.table import events as ev
from passline.table.evolve_dice import DICE_FOLDS, in_center
from passline.table.state import DEALERS, NOBODY, Seat, Table, balance


class LedgerError(AssertionError):
    """Money appeared or vanished: a programming error, and never let past."""


def evolve(table: Table, event: ev.Event) -> Table:
    """The table after an event. The ledger must sum to zero, in production too."""
    after = _FOLDS[type(event)](table, event)
    if balance(after):
        raise LedgerError(f"{balance(after)} cents astray after {event}")
    for seat in after.seats:
        if seat.rail < 0:
            raise LedgerError(f"{seat.name}'s rail is short after {event}")
    return after


def evolve_all(table: Table, happened: Iterable[ev.Event]) -> Table:
    """The table after several events."""
    for event in happened:
        table = evolve(table, event)
    return table


def _with_seat(table: Table, index: int, seat: Seat) -> tuple[Seat, ...]:
    seats = table.seats
    if len(seats) == 1:
        return (seat,)
    return (*seats[:index], seat, *seats[index + 1 :])


def _bought_in(table: Table, event: ev.BoughtIn) -> Table:
    index = table.index(event.player)
    seat = table.seats[index]
    seat = replace(
        seat,
        rail=seat.rail + event.amount,
        bought_in=seat.bought_in + event.amount,
        here=True,
    )
    return replace(table, seats=_with_seat(table, index, seat), drop=table.drop + event.amount)


def _wagered(table: Table, event: ev.Wagered) -> Table:
    index = table.index(event.player)
    seat = table.seats[index]
    up = seat.wagers.get(event.wager)
    wagers = dict(seat.wagers)
    if up is None:
        wagers[event.wager] = Stake(
            event.amount, event.amount, None, event.vig, event.match, event.unnoticed
        )
    else:
        total = up.amount + event.amount
        wagers[event.wager] = Stake(
            total,
            total,
            up.call,
            up.vig + event.vig,
            up.match + event.match,
            up.unnoticed or event.unnoticed,
        )
    rail = seat.rail - event.amount - event.vig
    seat = Seat(seat.name, rail, seat.bought_in, wagers, seat.here, seat.standing)
    return replace(table, seats=_with_seat(table, index, seat), vig=table.vig + event.vig)


def _changed(table: Table, event: ev.Changed) -> Table:
    index = table.index(event.player)
    seat = table.seats[index]
    wagers = dict(seat.wagers)
    up = wagers[event.wager]
    if event.now:
        wagers[event.wager] = replace(up, amount=event.now, flat=event.flat, vig=up.vig + event.vig)
    else:
        del wagers[event.wager]
    rail = seat.rail + event.was - event.now - event.vig
    seat = replace(seat, rail=rail, wagers=wagers)
    return replace(table, seats=_with_seat(table, index, seat), vig=table.vig + event.vig)


def _called(table: Table, event: ev.Called) -> Table:
    index = table.index(event.player)
    seat = table.seats[index]
    wagers = dict(seat.wagers)
    wagers[event.wager] = replace(wagers[event.wager], call=event.on)
    return replace(table, seats=_with_seat(table, index, replace(seat, wagers=wagers)))


def _toked(table: Table, event: ev.Toked) -> Table:
    index = table.index(event.player)
    seat = table.seats[index]
    seat = replace(seat, rail=seat.rail - event.amount)
    return replace(table, seats=_with_seat(table, index, seat), tokes=table.tokes + event.amount)


def _toke_made(table: Table, event: ev.TokeMade) -> Table:
    """The dealers have a seat from their first wager on; they are not here to be offered dice."""
    index = table.index(event.player)
    seat = table.seats[index]
    seats = _with_seat(table, index, replace(seat, rail=seat.rail - event.amount))
    if len(table.players) == len(seats):
        seats = (*seats, Seat(DEALERS, 0, 0, {}, here=False))
    dealers = seats[-1]
    return replace(table, seats=(*seats[:-1], replace(dealers, rail=dealers.rail + event.amount)))


def _tokes_dropped(table: Table, event: ev.TokesDropped) -> Table:
    *players, dealers = table.seats
    dealers = replace(dealers, rail=dealers.rail - event.amount)
    return replace(table, seats=(*players, dealers), tokes=table.tokes + event.amount)


def _left_table(table: Table, event: ev.LeftTable) -> Table:
    index = table.index(event.player)
    return replace(table, seats=_with_seat(table, index, replace(table.seats[index], here=False)))


def _seated(table: Table, event: ev.Seated) -> Table:
    index = table.index(event.player)
    seat = replace(table.seats[index], standing=event.standing)
    return replace(table, seats=_with_seat(table, index, seat))


def _dice_taken(table: Table, event: ev.DiceTaken) -> Table:
    index = table.index(event.player)
    return replace(table, shooter=index, last_shooter=index, declined=frozenset(), fell=0)


def _dice_declined(table: Table, event: ev.DiceDeclined) -> Table:
    return replace(table, declined=table.declined | {table.index(event.player)})


def _dice_passed(table: Table, event: ev.DicePassed) -> Table:
    return replace(
        table,
        shooter=NOBODY,
        declined=frozenset(),
        fresh=True,
        turn=0,
        off_table=False,
        strayed=0,
        dice=in_center(table.dice),
    )


def _dice_asked(table: Table, event: ev.DiceAsked) -> Table:
    return replace(table, off_table=False, strayed=0, fell=0, dice=in_center(table.dice))


def _no_change(table: Table, event: ev.Event) -> Table:
    return table


def _no_roll(table: Table, event: ev.NoRoll) -> Table:
    off = event.ground == "off-table"
    return replace(table, off_table=off, strayed=0, fell=0, dice=in_center(table.dice))


def _warned(table: Table, event: ev.Warned) -> Table:
    return replace(table, warned=table.warned | {(event.player, event.ground)})


def _colour_called(table: Table, event: ev.ColourCalled) -> Table:
    return replace(table, colour=table.colour | {event.player})


def _coloured_up(table: Table, event: ev.ColouredUp) -> Table:
    return replace(table, colour=table.colour - {event.player}) if table.colour else table


def _rolled(table: Table, event: ev.Rolled) -> Table:
    seats, win, vig = table.seats, table.win, table.vig
    if event.settlements:
        seats, won, charged = _carried_out(seats, event)
        win += won
        vig += charged
    return replace(
        table,
        seats=seats,
        win=win,
        vig=vig,
        puck=event.puck,
        fresh=table.fresh and event.was != 0,
        turn=table.turn + 1,
        made=event.made,
        thrown=event.thrown,
        riding=event.riding,
        special=event.special,
        declined=frozenset(),
        off_table=False,
        strayed=0,
        fell=event.first + event.second,
        dice=in_center(table.dice),
    )


def _carried_out(seats: tuple[Seat, ...], event: ev.Rolled) -> tuple[tuple[Seat, ...], int, int]:
    """The seats after a throw's settlements, and what the house won and took as vigorish."""
    win = vig = 0
    after = []
    for seat in seats:
        own = [s for s in event.settlements if s.player == seat.name]
        if own:
            rail = seat.rail
            for done in own:
                _hold_identity(done)
                rail += done.back
                vig += done.vig
                if done.to is None:
                    win += done.stake - done.left - done.back - done.vig
            wagers = remaining(seat.wagers, own)
            seat = Seat(seat.name, rail, seat.bought_in, wagers, seat.here, seat.standing)
        after.append(seat)
    return tuple(after), win, vig


def _hold_identity(done: Settlement) -> None:
    """A settlement moves no more than its stake and its pay, whatever it says."""
    out = done.left + done.back + done.vig
    match done.result:
        case "win":
            holds = out == done.stake + done.paid
        case "lose":
            holds = 0 <= out <= done.stake
        case "travel":
            holds = out == 0 and done.to is not None
        case _:
            holds = out == done.stake
    if not holds:
        raise LedgerError(f"a settlement that does not add up: {done}")


def _shootout_moved(table: Table, event: ev.ShootoutMoved) -> Table:
    assert table.shootout is not None
    log = (*table.shootout.log, event.entry) if event.entry else table.shootout.log
    moved = replace(table.shootout, amount=event.amount, made=event.made, open=event.open, log=log)
    return replace(table, shootout=moved)


def _clocked(table: Table, event: ev.Clocked) -> Table:
    """The set in play is as old as the clock can tell."""
    since = table.dice.since or event.when
    return replace(table, now=event.when, dice=replace(table.dice, since=since))


_FOLDS: dict[type[ev.Event], Callable[[Table, Any], Table]] = {
    ev.BoughtIn: _bought_in,
    ev.Wagered: _wagered,
    ev.Changed: _changed,
    ev.Called: _called,
    ev.Toked: _toked,
    ev.TokeMade: _toke_made,
    ev.TokesDropped: _tokes_dropped,
    ev.ChequesChanged: _no_change,
    ev.LeftTable: _left_table,
    ev.Seated: _seated,
    ev.DiceTaken: _dice_taken,
    ev.DiceDeclined: _dice_declined,
    ev.DicePassed: _dice_passed,
    ev.ColouredUp: _coloured_up,
    ev.ColourCalled: _colour_called,
    ev.ColourPermitted: _no_change,
    ev.Warned: _warned,
    ev.LimitsTold: _no_change,
    ev.NoRoll: _no_roll,
    ev.Rolled: _rolled,
    ev.ShootoutMoved: _shootout_moved,
    ev.Clocked: _clocked,
    ev.DiceAsked: _dice_asked,
    **DICE_FOLDS,
}
