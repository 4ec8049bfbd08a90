"""Change: chips for chips of another colour, and when money changes hands at all."""

from __future__ import annotations

from passline.layout import Refusal, refuse
from passline.table import commands as cmd
from passline.table import events as ev
from passline.table.betting import short_of_chips
from passline.table.events import Answer
from passline.table.posts import at_work
from passline.table.state import Table

_CUT = "custom: change is cut in the chips of the table's rack"


def must_wait(table: Table) -> Refusal | None:
    """Where the book keeps hands out of the way of the dice, money waits until they have gone by.

    A wager may still be spoken: that is ``tender``.
    """
    rule = table.house.book.tender.change_out
    if not table.dice.out or rule.value:
        return None
    return refuse("change-waits", rule.cite)


def colour_up(table: Table, ask: cmd.ColourUp) -> Answer:
    """Small chips for large ones."""
    refused = must_wait(table)
    if refused is None and ask.player in table.colour:
        allowed, cite = permitters(table)
        return refuse("colour-waits", cite, allowed)
    return refused or (ev.ColouredUp(ask.player),)


def permitters(table: Table) -> tuple[tuple[str, ...], str]:
    """Who lets a colour change come in, and by which clause."""
    rule = table.house.book.tender.colour_by
    return at_work(table.house, rule.value), rule.cite


def ask_colour(table: Table, ask: cmd.AskColour) -> Answer:
    """A colour change is called, and nothing moves before there is leave."""
    _, cite = permitters(table)
    if ask.player in table.colour:
        return refuse("colour-called", cite, player=table.seat(ask.player).name)
    return must_wait(table) or (ev.ColourCalled(ask.player, cite),)


def permit_colour(table: Table, ask: cmd.PermitColour) -> Answer:
    """Leave is given, and the chips come in."""
    allowed, cite = permitters(table)
    if ask.player not in table.colour:
        return refuse("no-colour-called", cite, player=table.seat(ask.player).name)
    if ask.by not in allowed:
        return refuse("not-theirs-to-permit", cite, allowed, by=ask.by)
    done = (ev.ColourPermitted(ask.player, ask.by, cite), ev.ColouredUp(ask.player))
    return must_wait(table) or done


def change_cheques(table: Table, ask: cmd.ChangeCheques) -> Answer:
    """So much of the rail in chips of one colour."""
    rack, seat = table.house.rack, table.seat(ask.player)
    refused = must_wait(table)
    if refused is not None:
        return refused
    chip = rack.chip(ask.colour)
    if chip is None:
        colours = tuple(chip.colour for chip in rack.chips)
        return refuse("no-such-colour", _CUT, colours, colour=ask.colour)
    if ask.amount % chip.value:
        return refuse("not-in-colour", _CUT, colour=ask.colour, amount=ask.amount, chip=chip.value)
    if ask.amount > seat.rail:
        return short_of_chips(table, seat, ask.amount, seat.rail)
    count = ask.amount // chip.value
    return (
        ev.ChequesChanged(
            player=seat.id, amount=ask.amount, colour=ask.colour, count=count, cite=_CUT
        ),
    )
