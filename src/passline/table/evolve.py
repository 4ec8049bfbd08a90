"""The fold: a table and an event make the next table. No rule is decided here, and none is asked:
an old log folds to the same table whatever the law says today."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, assert_never

from msgspec.structs import replace

from passline.layout.stakes import Settlement, Stake, Wagers, remaining
from passline.table import events as ev
from passline.table.evolve_dice import fold_dice, in_center
from passline.table.state import DEALERS, Late, Seat, ShootoutState, Table, Told, balance


class LedgerError(AssertionError):
    """Money appeared or vanished: a programming error, and never let past."""


_NONE: Final[frozenset[Any]] = frozenset()


def evolve(table: Table, event: ev.AnyEvent) -> Table:
    """The table after an event. The ledger must sum to zero, in production too."""
    if table.gone and (player := getattr(event, "player", "")) in table.gone:
        table = _come_back(table, player)
    after = _fold(table, event)
    if balance(after):
        raise LedgerError(f"{balance(after)} cents astray after {event}")
    for seat in after.playing:
        if seat.rail < 0:
            raise LedgerError(f"{seat.id}'s rail is short after {event}")
        if not (seat.here or seat.wagers):
            after = _put_away(after, seat)
    return after


def evolve_all(table: Table, happened: Iterable[ev.AnyEvent]) -> Table:
    """The table after several events."""
    for event in happened:
        table = evolve(table, event)
    return table


def _fold(table: Table, event: ev.AnyEvent) -> Table:
    match event:
        case ev.Rolled():
            return _rolled(table, event)
        case ev.Wagered():
            return _wagered(table, event)
        case ev.Changed():
            return _changed(table, event)
        case ev.DiceTaken() | ev.DicePassed():  # with the few above, nearly all that happens
            return fold_dice(table, event)
        case ev.Called():
            return _called(table, event)
        case ev.BoughtIn():
            return _bought_in(table, event)
        case ev.Undone():
            return _undone(table, event)
        case ev.Toked():
            seat = table.seat(event.player)
            seats = _with_seat(table, replace(seat, rail=seat.rail - event.amount))
            return replace(table, playing=seats, tokes=table.tokes + event.amount)
        case ev.TokeMade():
            return _toke_made(table, event)
        case ev.TokesDropped():
            return _tokes_dropped(table, event)
        case ev.Opened():
            return _opened(table, event)
        case ev.Joined():
            return _joined(table, event)
        case ev.LeftTable():
            # What came down on leaving stays down: there is nothing to take back.
            gone = replace(table.seat(event.player), here=False, told=())
            return replace(table, playing=_with_seat(table, gone))
        case ev.Seated():
            seat = replace(table.seat(event.player), standing=event.standing)
            return replace(table, playing=_with_seat(table, seat))
        case ev.LateCalled() | ev.LateConfirmed() | ev.LateLapsed():
            return _late(table, event)
        case ev.ColourCalled():
            return replace(table, colour=(*table.colour, event.player))
        case ev.ColouredUp():
            waiting = tuple(player for player in table.colour if player != event.player)
            return replace(table, colour=waiting) if table.colour else table
        case ev.ChequesChanged() | ev.ColourPermitted() | ev.LimitsTold():
            return table
        case _:
            return fold_dice(table, event)


def _come_back(table: Table, player: str) -> Table:
    """Somebody who was gone is of the game again, if only to be put away once more."""
    gone = dict(table.gone)
    seat = gone.pop(player)
    playing = sorted((seat, *table.playing), key=_place)
    return replace(table, playing=tuple(playing), gone=gone, carried=table.carried - seat.rail)


def _put_away(table: Table, seat: Seat) -> Table:
    """Somebody left, and nothing of his plays on."""
    playing = tuple([other for other in table.playing if other is not seat])
    gone = {**table.gone, seat.id: seat}
    return replace(table, playing=playing, gone=gone, carried=table.carried + seat.rail)


def _place(seat: Seat) -> int:
    return seat.place


def _with_seat(table: Table, seat: Seat) -> tuple[Seat, ...]:
    seats = table.playing
    if len(seats) == 1:
        return (seat,)
    return tuple([seat if other.id == seat.id else other for other in seats])


def _opened(table: Table, event: ev.Opened) -> Table:
    seats = tuple(Seat(id=at.id, name=at.name, place=at.place) for at in event.seats)
    shootout = None if event.shootout is None else ShootoutState(event.shootout)
    furthest = max((at.place for at in event.seats), default=0)
    return replace(table, playing=seats, furthest=furthest, shootout=shootout)


def _joined(table: Table, event: ev.Joined) -> Table:
    """A newcomer, or somebody who left and comes back: still the same seat, elsewhere perhaps."""
    known = [seat for seat in table.playing if seat.id == event.player]
    seat = known[0] if known else Seat(id=event.player, name=event.name, place=event.place)
    seat = replace(seat, place=event.place, here=True, standing=False)
    others = [other for other in table.playing if other.id != event.player]
    return replace(table, playing=tuple(sorted((*others, seat), key=_place)))


def _bought_in(table: Table, event: ev.BoughtIn) -> Table:
    seat = table.seat(event.player)
    seat = replace(
        seat,
        rail=seat.rail + event.amount,
        bought_in=seat.bought_in + event.amount,
        here=True,
    )
    return replace(table, playing=_with_seat(table, seat), drop=table.drop + event.amount)


def _moved(table: Table, seat: Seat, wagers: Wagers, moved: int, vig: int, part: bool) -> Table:
    """A player's chips went to the layout (or, negative, came back), with the way back kept."""
    told, number = seat.told, table.said
    if part and told:
        last = told[-1]
        told = (*told[:-1], replace(last, moved=last.moved + moved, vig=last.vig + vig))
    else:
        number += 1
        before = told if told and told[-1].throws == table.throws else ()
        told = (*before, Told(number, table.throws, seat.wagers, moved, vig))
    seat = replace(seat, rail=seat.rail - moved, wagers=wagers, told=told)
    return replace(table, playing=_with_seat(table, seat), vig=table.vig + vig, said=number)


def _wagered(table: Table, event: ev.Wagered) -> Table:
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
    return _moved(table, table.seat(event.player), wagers, amount + vig, vig, event.part)


def _changed(table: Table, event: ev.Changed) -> Table:
    wagers = dict(table.wagers_of(event.player))
    up = wagers[event.wager]
    if event.now:
        wagers[event.wager] = replace(up, amount=event.now, flat=event.flat, vig=up.vig + event.vig)
    else:
        del wagers[event.wager]
    moved = event.now - event.was + event.vig
    if event.player == DEALERS:
        return replace(table, dealers=wagers, vig=table.vig + event.vig, tokes=table.tokes - moved)
    return _moved(table, table.seat(event.player), wagers, moved, event.vig, event.part)


def _called(table: Table, event: ev.Called) -> Table:
    seat = table.seat(event.player)
    wagers = dict(seat.wagers)
    wagers[event.wager] = replace(wagers[event.wager], call=event.on)
    return _moved(table, seat, wagers, 0, 0, event.part)


def _undone(table: Table, event: ev.Undone) -> Table:
    seat = table.seat(event.player)
    told = tuple(said for said in seat.told if said.number != event.corrects)
    seat = replace(seat, rail=seat.rail + event.moved, wagers=dict(event.wagers), told=told)
    return replace(table, playing=_with_seat(table, seat), vig=table.vig - event.vig)


def _toke_made(table: Table, event: ev.TokeMade) -> Table:
    """A player's chips are the dealers'; their wager, which follows, takes them."""
    seat = table.seat(event.player)
    seats = _with_seat(table, replace(seat, rail=seat.rail - event.amount))
    return replace(table, playing=seats, tokes=table.tokes + event.amount)


def _tokes_dropped(table: Table, event: ev.TokesDropped) -> Table:
    """What the dealers' wagers brought is in the box already: this tells that it went there."""
    return table


def _late(table: Table, event: ev.LateCalled | ev.LateConfirmed | ev.LateLapsed) -> Table:
    late = {(late.player, late.wager): late for late in table.late}
    key = (event.player, event.wager)
    match event:
        case ev.LateCalled():
            late[key] = Late(
                player=event.player,
                wager=event.wager,
                amount=event.amount,
                needs=event.needs,
                cite=event.cite,
            )
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


def _rolled(table: Table, event: ev.Rolled) -> Table:
    seats, dealers = table.playing, table.dealers
    win, vig, tokes, promo = table.win, table.vig, table.tokes, table.promo
    if event.settlements:
        seats = tuple([_settled(seat, event.settlements) for seat in seats])
        for done in event.settlements:
            _hold_identity(done)
            vig += done.vig
            promo += done.promo
            if done.to is None:
                win += done.stake - done.left - done.back - done.vig
        if dealers:
            own = [done for done in event.settlements if done.player == DEALERS]
            dealers = remaining(dealers, own)
            tokes += sum(done.back for done in own)
    return replace(
        table,
        playing=seats,
        dealers=dealers,
        win=win,
        vig=vig,
        tokes=tokes,
        promo=promo,
        puck=event.puck,
        fresh=table.fresh and event.was != 0,
        turn=table.turn + 1,
        throws=table.throws + 1,
        made=frozenset(event.made) if event.made else _NONE,
        thrown=frozenset(event.thrown) if event.thrown else _NONE,
        riding=frozenset(event.riding) if event.riding else _NONE,
        special=event.special,
        declined=(),
        off_table=False,
        strayed=0,
        fell=event.first + event.second,
        dice=in_center(table.dice),
    )


def _settled(seat: Seat, settlements: tuple[Settlement, ...]) -> Seat:
    """A seat once a throw's settlements are carried out."""
    own = [done for done in settlements if done.player == seat.id]
    if not own:
        return seat
    rail = seat.rail + sum([done.back for done in own])
    return replace(seat, rail=rail, wagers=remaining(seat.wagers, own))


def _hold_identity(done: Settlement) -> None:
    """A settlement moves no more than its stake and its pay, whatever it says."""
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
