"""Decide on commands about players: join, buy in, change chips, stand up, sit down, leave."""

from __future__ import annotations

from passline.game.layout.stakes import Refusal, refuse
from passline.game.layout.wager_checks import check_chips
from passline.game.table import bets, dice_custody
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.bets import lapse_late_bets, refuse_short_of_chips
from passline.game.table.events import Answer
from passline.game.table.posts import present_roles
from passline.game.table.state import Seat, Table
from passline.game.table.table_ends import count_places

_CHANGE_CITE = "custom: change is cut in the chips of the table's rack"


def check_change_allowed(table: Table) -> Refusal | None:
    """Return a refusal if the dice are out and the book forbids exchanging money or chips then.

    Players may still call wagers aloud then: see ``check_tender``.
    """
    rule = table.house.book.tender.change_out
    if not table.dice.out or rule.value:
        return None
    return refuse("change-waits", rule.cite)


def color_up(table: Table, command: cmd.ColorUp) -> Answer:
    """Return the event that exchanges a player's small chips for large ones, or a refusal."""
    refused = check_change_allowed(table)
    if refused is None and command.player in table.color_up_requests:
        allowed, cite = color_up_permitters(table)
        return refuse("colour-waits", cite, allowed)
    return refused or (ev.ColoredUp(command.player),)


def color_up_permitters(table: Table) -> tuple[tuple[str, ...], str]:
    """Return (roles that may permit a color-up and work this game, clause)."""
    rule = table.house.book.tender.colour_by
    return present_roles(table.house, rule.value), rule.cite


def ask_to_color_up(table: Table, command: cmd.AskColorUp) -> Answer:
    """Return the event of a player's request to color up, or a refusal.

    No chips move until an official permits it.
    """
    _, cite = color_up_permitters(table)
    if command.player in table.color_up_requests:
        return refuse("colour-called", cite, player=table.seat(command.player).name)
    return check_change_allowed(table) or (ev.ColorUpRequested(command.player, cite),)


def permit_color_up(table: Table, command: cmd.PermitColorUp) -> Answer:
    """Return the events by which an official permits a color-up and the chips are exchanged.

    Return a refusal if nobody asked for it, or the official may not permit it.
    """
    allowed, cite = color_up_permitters(table)
    if command.player not in table.color_up_requests:
        return refuse("no-colour-called", cite, player=table.seat(command.player).name)
    if command.by not in allowed:
        return refuse("not-theirs-to-permit", cite, allowed, by=command.by)
    done = (ev.ColorUpPermitted(command.player, command.by, cite), ev.ColoredUp(command.player))
    return check_change_allowed(table) or done


def change_chips(table: Table, command: cmd.ChangeCheques) -> Answer:
    """Return the event that exchanges part of the rail for chips of one color, or a refusal."""
    rack, seat = table.house.rack, table.seat(command.player)
    if refused := check_change_allowed(table):
        return refused
    chip = rack.chip(command.colour)
    if chip is None:
        colours = tuple(chip.color for chip in rack.chips)
        return refuse("no-such-colour", _CHANGE_CITE, colours, colour=command.colour)
    if command.amount % chip.value:
        color, amount = chip.color, command.amount
        return refuse("not-in-colour", _CHANGE_CITE, colour=color, amount=amount, chip=chip.value)
    if command.amount > seat.rail:
        return refuse_short_of_chips(table, seat, command.amount, seat.rail)
    color, count = chip.color, command.amount // chip.value
    changed = ev.ChequesChanged(
        seat.id, command.amount, colour=color, count=count, cite=_CHANGE_CITE
    )
    return (changed,)


_PLACES_CITE = "custom: one player stands at a place"


def buy_in(table: Table, command: cmd.BuyIn) -> Answer:
    """Return the events of a buy-in, or a refusal.

    A player who had left returns, to the same seat position if it is free.
    """
    if refused := check_change_allowed(table) or check_chips(table.layout, command.amount):
        return refused
    seat, bought = table.seat(command.player), ev.BoughtIn(command.player, command.amount)
    if seat.here:
        return (bought,)
    back = _return_to_table(table, seat)
    return back if isinstance(back, Refusal) else (*back, bought)


def _return_to_table(table: Table, seat: Seat) -> Answer:
    """Return the event that seats a player who had left, at the same position if it is free."""
    again = seat.place if _is_free(table, seat.place, seat.id) else 0
    place = again or _choose_place(table, 0, seat.id)
    if isinstance(place, Refusal):
        return place
    return (ev.Joined(seat.id, seat.name, place),)


def join_table(table: Table, command: cmd.Join) -> Answer:
    """Return the events by which a player joins or returns with a buy-in, or a refusal."""
    known = table.find(command.player)
    if known is not None and known.here:
        return refuse("already-here", _PLACES_CITE, player=known.name)
    if refused := check_change_allowed(table) or check_chips(table.layout, command.amount):
        return refused
    place = _choose_place(table, command.place, command.player)
    if isinstance(place, Refusal):
        return place
    name = command.player if known is None else known.name
    return (ev.Joined(command.player, name, place), ev.BoughtIn(command.player, command.amount))


def _choose_place(table: Table, place: int, player: str) -> int | Refusal:
    """Return the seat position ``place`` if it is free, the lowest free one for 0, or a refusal."""
    places = count_places(table)
    if place > places:
        return refuse("no-such-place", _PLACES_CITE, place=place, places=places)
    free = [n for n in range(1, places + 1) if _is_free(table, n, player)]
    if place:
        taken = place not in free
        return refuse("place-taken", _PLACES_CITE, free, place=place) if taken else place
    return free[0] if free else refuse("table-full", _PLACES_CITE, places=places)


def _is_free(table: Table, place: int, player: str) -> bool:
    """Return whether a seat position is free for ``player``.

    It is taken if another player is there, or left wagers in play there.
    """
    return not any(seat.place == place and seat.id != player for seat in table.playing)


def leave_table(table: Table, command: cmd.Leave) -> Answer:
    """Return the events by which a player leaves, or a refusal.

    Wagers that may come down do so; the others stay in play. A shooter passes the dice.
    """
    seat = table.seat(command.player)
    if refused := _check_may_stand(table, command.player):
        return refused
    found: list[ev.AnyEvent] = []
    if seat.wagers:
        down = bets.take_down_all_bets(table, cmd.TakeAllDown(command.player))
        found += () if isinstance(down, Refusal) else down
    if table.shooter == seat.id:
        passed = dice_custody.pass_dice(table, cmd.PassDice(command.player))
        if isinstance(passed, Refusal):
            return passed
        found += passed
    lapsed = [late for late in lapse_late_bets(table) if late.player == seat.id]
    return (*lapsed, *found, ev.LeftTable(command.player))


def _check_may_stand(table: Table, player: str) -> Refusal | None:
    seating, seat = table.house.book.seating, table.seat(player)
    if table.house.game not in seating.required.value:
        return None
    if not seat.wagers or seating.until.value == "free":
        return None
    return refuse("stays-seated", seating.until.cite, player=seat.name)


def stand_up(table: Table, command: cmd.Stand) -> Answer:
    """Return the event that a player got up from a seat, or a refusal."""
    return _check_may_stand(table, command.player) or (ev.Seated(command.player, standing=True),)


def sit_down(table: Table, command: cmd.Sit) -> Answer:
    """Return the event that a player sits down again, or a refusal.

    A player who had left comes back with the chips that were taken along; without any, it is
    refused.
    """
    seat = table.seat(command.player)
    if seat.here:
        return (ev.Seated(command.player, standing=False),)
    if not seat.rail:
        return refuse("left-without-chips", _PLACES_CITE, player=seat.name)
    return _return_to_table(table, seat)
