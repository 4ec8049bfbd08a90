"""People come up to the table, buy in, stand, sit and leave."""

from __future__ import annotations

from passline.layout import Refusal, refuse
from passline.layout.amounts import check_chips
from passline.table import betting, change, custody
from passline.table import commands as cmd
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.opening import places_of
from passline.table.state import Table
from passline.table.tendering import lapse_late

_PLACES = "custom: one player stands at a place"


def buy_in(table: Table, ask: cmd.BuyIn) -> Answer:
    """Cash for chips. Whoever had left is back, at the same place if nobody took it."""
    refused = change.must_wait(table) or check_chips(table.layout, ask.amount)
    if refused is not None:
        return refused
    seat, bought = table.seat(ask.player), ev.BoughtIn(ask.player, ask.amount)
    if seat.here:
        return (bought,)
    place = seat.place if _free(table, seat.place, seat.id) else _lowest_free(table, seat.id)
    if isinstance(place, Refusal):
        return place
    return (ev.Joined(seat.id, seat.name, place), bought)


def join(table: Table, ask: cmd.Join) -> Answer:
    """Somebody comes up in mid-game, or comes back, at a place of their choice."""
    known = table.find(ask.player)
    if known is not None and known.here:
        return refuse("already-here", _PLACES, player=known.name)
    refused = change.must_wait(table) or check_chips(table.layout, ask.amount)
    if refused is not None:
        return refused
    place = _chosen(table, ask.place, ask.player)
    if isinstance(place, Refusal):
        return place
    name = ask.player if known is None else known.name
    return (ev.Joined(ask.player, name, place), ev.BoughtIn(ask.player, ask.amount))


def _chosen(table: Table, place: int, player: str) -> int | Refusal:
    if not place:
        return _lowest_free(table, player)
    if place > places_of(table):
        return refuse("no-such-place", _PLACES, place=place, places=places_of(table))
    if not _free(table, place, player):
        free = [n for n in range(1, places_of(table) + 1) if _free(table, n, player)]
        return refuse("place-taken", _PLACES, free, place=place)
    return place


def _free(table: Table, place: int, player: str) -> bool:
    """Whether nobody else is there, or has wagers lying there that still play."""
    return not any(seat.place == place and seat.id != player for seat in table.playing)


def _lowest_free(table: Table, player: str) -> int | Refusal:
    for place in range(1, places_of(table) + 1):
        if _free(table, place, player):
            return place
    return refuse("table-full", _PLACES, places=places_of(table))


def leave(table: Table, ask: cmd.Leave) -> Answer:
    """What may come down comes down; a wager that may not plays on without its player."""
    seat = table.seat(ask.player)
    refused = _stays_seated(table, ask.player)
    if refused is not None:
        return refused
    found: list[ev.AnyEvent] = []
    if seat.wagers:
        down = betting.take_all_down(table, cmd.TakeAllDown(ask.player))
        found += () if isinstance(down, Refusal) else down
    if table.shooter == seat.id:
        passed = custody.pass_dice(table, cmd.PassDice(ask.player))
        if isinstance(passed, Refusal):
            return passed
        found += passed
    lapsed = [late for late in lapse_late(table) if late.player == seat.id]
    return (*lapsed, *found, ev.LeftTable(ask.player))


def _stays_seated(table: Table, player: str) -> Refusal | None:
    seating, seat = table.house.book.seating, table.seat(player)
    if table.house.game not in seating.required.value:
        return None
    if not seat.wagers or seating.until.value == "free":
        return None
    return refuse("stays-seated", seating.until.cite, player=seat.name)


def stand(table: Table, ask: cmd.Stand) -> Answer:
    """A player gets up."""
    refused = _stays_seated(table, ask.player)
    return refused if refused is not None else (ev.Seated(ask.player, standing=True),)


def sit(table: Table, ask: cmd.Sit) -> Answer:
    """A player sits down again."""
    return (ev.Seated(ask.player, standing=False),)
