"""Change: chips for chips of another colour, and when money changes hands at all.

People come up to the table, buy in, stand, sit and leave.
"""

from __future__ import annotations

from passline.game.layout.stakes import Refusal, refuse
from passline.game.layout.wager_checks import check_chips
from passline.game.table import bets, dice_custody
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.bets import lapse_late_bets, refuse_short_of_chips
from passline.game.table.events import Answer
from passline.game.table.opening import count_places
from passline.game.table.posts import present_roles
from passline.game.table.state import Table

_CHANGE_CITE = "custom: change is cut in the chips of the table's rack"


def check_change_allowed(table: Table) -> Refusal | None:
    """Where the book keeps hands out of the way of the dice, money waits until they have gone by.

    A wager may still be spoken: that is ``tender``.
    """
    rule = table.house.book.tender.change_out
    if not table.dice.out or rule.value:
        return None
    return refuse("change-waits", rule.cite)


def color_up(table: Table, ask: cmd.ColorUp) -> Answer:
    """Small chips for large ones."""
    refused = check_change_allowed(table)
    if refused is None and ask.player in table.colour:
        allowed, cite = color_up_permitters(table)
        return refuse("colour-waits", cite, allowed)
    return refused or (ev.ColoredUp(ask.player),)


def color_up_permitters(table: Table) -> tuple[tuple[str, ...], str]:
    """Who lets a colour change come in, and by which clause."""
    rule = table.house.book.tender.colour_by
    return present_roles(table.house, rule.value), rule.cite


def ask_to_color_up(table: Table, ask: cmd.AskColorUp) -> Answer:
    """A colour change is called, and nothing moves before there is leave."""
    _, cite = color_up_permitters(table)
    if ask.player in table.colour:
        return refuse("colour-called", cite, player=table.seat(ask.player).name)
    return check_change_allowed(table) or (ev.ColorUpRequested(ask.player, cite),)


def permit_color_up(table: Table, ask: cmd.PermitColorUp) -> Answer:
    """Leave is given, and the chips come in."""
    allowed, cite = color_up_permitters(table)
    if ask.player not in table.colour:
        return refuse("no-colour-called", cite, player=table.seat(ask.player).name)
    if ask.by not in allowed:
        return refuse("not-theirs-to-permit", cite, allowed, by=ask.by)
    done = (ev.ColorUpPermitted(ask.player, ask.by, cite), ev.ColoredUp(ask.player))
    return check_change_allowed(table) or done


def change_chips(table: Table, ask: cmd.ChangeCheques) -> Answer:
    """So much of the rail in chips of one colour."""
    rack, seat = table.house.rack, table.seat(ask.player)
    refused = check_change_allowed(table)
    if refused is not None:
        return refused
    chip = rack.chip(ask.colour)
    if chip is None:
        colours = tuple(chip.colour for chip in rack.chips)
        return refuse("no-such-colour", _CHANGE_CITE, colours, colour=ask.colour)
    if ask.amount % chip.value:
        return refuse(
            "not-in-colour", _CHANGE_CITE, colour=ask.colour, amount=ask.amount, chip=chip.value
        )
    if ask.amount > seat.rail:
        return refuse_short_of_chips(table, seat, ask.amount, seat.rail)
    count = ask.amount // chip.value
    return (
        ev.ChequesChanged(
            player=seat.id, amount=ask.amount, colour=ask.colour, count=count, cite=_CHANGE_CITE
        ),
    )


_PLACES_CITE = "custom: one player stands at a place"


def buy_in(table: Table, ask: cmd.BuyIn) -> Answer:
    """Cash for chips. Whoever had left is back, at the same place if nobody took it."""
    refused = check_change_allowed(table) or check_chips(table.layout, ask.amount)
    if refused is not None:
        return refused
    seat, bought = table.seat(ask.player), ev.BoughtIn(ask.player, ask.amount)
    if seat.here:
        return (bought,)
    place = (
        seat.place if _is_free(table, seat.place, seat.id) else _lowest_free_place(table, seat.id)
    )
    if isinstance(place, Refusal):
        return place
    return (ev.Joined(seat.id, seat.name, place), bought)


def join_table(table: Table, ask: cmd.Join) -> Answer:
    """Somebody comes up in mid-game, or comes back, at a place of their choice."""
    known = table.find(ask.player)
    if known is not None and known.here:
        return refuse("already-here", _PLACES_CITE, player=known.name)
    refused = check_change_allowed(table) or check_chips(table.layout, ask.amount)
    if refused is not None:
        return refused
    place = _choose_place(table, ask.place, ask.player)
    if isinstance(place, Refusal):
        return place
    name = ask.player if known is None else known.name
    return (ev.Joined(ask.player, name, place), ev.BoughtIn(ask.player, ask.amount))


def _choose_place(table: Table, place: int, player: str) -> int | Refusal:
    if not place:
        return _lowest_free_place(table, player)
    if place > count_places(table):
        return refuse("no-such-place", _PLACES_CITE, place=place, places=count_places(table))
    if not _is_free(table, place, player):
        free = [n for n in range(1, count_places(table) + 1) if _is_free(table, n, player)]
        return refuse("place-taken", _PLACES_CITE, free, place=place)
    return place


def _is_free(table: Table, place: int, player: str) -> bool:
    """Whether nobody else is there, or has wagers lying there that still play."""
    return not any(seat.place == place and seat.id != player for seat in table.playing)


def _lowest_free_place(table: Table, player: str) -> int | Refusal:
    for place in range(1, count_places(table) + 1):
        if _is_free(table, place, player):
            return place
    return refuse("table-full", _PLACES_CITE, places=count_places(table))


def leave_table(table: Table, ask: cmd.Leave) -> Answer:
    """What may come down comes down; a wager that may not plays on without its player."""
    seat = table.seat(ask.player)
    refused = _check_may_stand(table, ask.player)
    if refused is not None:
        return refused
    found: list[ev.AnyEvent] = []
    if seat.wagers:
        down = bets.take_down_all_bets(table, cmd.TakeAllDown(ask.player))
        found += () if isinstance(down, Refusal) else down
    if table.shooter == seat.id:
        passed = dice_custody.pass_dice(table, cmd.PassDice(ask.player))
        if isinstance(passed, Refusal):
            return passed
        found += passed
    lapsed = [late for late in lapse_late_bets(table) if late.player == seat.id]
    return (*lapsed, *found, ev.LeftTable(ask.player))


def _check_may_stand(table: Table, player: str) -> Refusal | None:
    seating, seat = table.house.book.seating, table.seat(player)
    if table.house.game not in seating.required.value:
        return None
    if not seat.wagers or seating.until.value == "free":
        return None
    return refuse("stays-seated", seating.until.cite, player=seat.name)


def stand_up(table: Table, ask: cmd.Stand) -> Answer:
    """A player gets up."""
    refused = _check_may_stand(table, ask.player)
    return refused if refused is not None else (ev.Seated(ask.player, standing=True),)


def sit_down(table: Table, ask: cmd.Sit) -> Answer:
    """A player sits down again."""
    return (ev.Seated(ask.player, standing=False),)
