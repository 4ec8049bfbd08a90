"""Change: chips for chips of another colour, and when money changes hands at all."""

from __future__ import annotations

from passline.layout import Refusal
from passline.money import show_dollars
from passline.table import commands as cmd
from passline.table import events as ev
from passline.table.betting import short_of_chips
from passline.table.events import Answer
from passline.table.state import Table

_CUT = "custom: change is cut in the chips of the table's rack"


def must_wait(table: Table) -> Refusal | None:
    """Where the book keeps hands out of the way of the dice, money waits until they have gone by.

    A wager may still be spoken: that is ``tender``.
    """
    rule = table.house.book.tender.change_out
    if not table.dice.out or rule.value:
        return None
    return Refusal("the dice are out: money is changed once they have gone by", rule.cite)


def colour_up(table: Table, ask: cmd.ColourUp) -> Answer:
    """Small chips for large ones."""
    return must_wait(table) or (ev.ColouredUp(ask.player),)


def change_cheques(table: Table, ask: cmd.ChangeCheques) -> Answer:
    """So much of the rail in chips of one colour."""
    rack, seat = table.house.rack, table.seats[table.index(ask.player)]
    refused = must_wait(table)
    if refused is not None:
        return refused
    chip = rack.chip(ask.colour)
    if chip is None:
        colours = ", ".join(chip.colour for chip in rack.chips)
        return Refusal(f"this table has no {ask.colour} chips: it has {colours}", _CUT)
    if ask.amount % chip.value:
        amount, value = show_dollars(ask.amount), show_dollars(chip.value)
        return Refusal(f"{amount} is no multiple of {value}, which a {ask.colour} chip is", _CUT)
    if ask.amount > seat.rail:
        return short_of_chips(table, seat, ask.amount, seat.rail)
    count = ask.amount // chip.value
    return (ev.ChequesChanged(seat.name, ask.amount, ask.colour, count, _CUT),)
