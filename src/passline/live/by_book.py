"""What a rulebook says of whose an act is: by a value of its own, or by a clause of procedure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from passline.law.cited import Cited
from passline.law.roles import Role
from passline.law.voices import Voice, voices
from passline.live.live_table import LiveTable
from passline.table import commands as cmd
from passline.table.change import permitters
from passline.table.custody import automated
from passline.table.inspection import inspectors


class Given(NamedTuple):
    """Whom a rulebook names for an act, and the clause."""

    names: Sequence[str]
    cite: str


def given(live: LiveTable, command: cmd.AnyCommand) -> Given | None:
    """Whom the rulebook names for an act; None: nobody, and the matrix decides."""
    table = live.table
    if automated(table):
        return None
    book, game = table.house.book, table.house.game
    match command:
        case cmd.CallNoRoll(ground=ground) | cmd.Warn(ground=ground):
            own = next((g for g in book.throw.grounds if g.name == ground and game in g.by), None)
            if own is not None:
                return Given(own.by[game], own.cite)
            return _named(book.throw.callers.get(game))
        case cmd.Rule():
            return _named(book.throw.rulings.get(game))
        case cmd.OrderPass():
            return _named(book.dice.order_by.get(game))
        case cmd.Confirm():
            return _named(book.tender.late.get(game))
        case cmd.InspectDice() if book.inspection.in_play_by and table.dice.bar is None:
            names, cite = inspectors(table)
            return Given((*names, *book.inspection.in_play_by.value), cite)
        case cmd.InspectDice() | cmd.CancelDice():
            return Given(*inspectors(table))
        case cmd.PermitColour():
            return Given(*permitters(table))
        case cmd.OkayDice() if book.relief.okay.value:
            return Given(("boxperson",), book.relief.okay.cite)
        case _:
            return None


def _named(rule: Cited[tuple[Role, ...]] | None) -> Given | None:
    return Given(rule.value, rule.cite) if rule is not None else None


def said_of(live: LiveTable, act: str) -> tuple[Voice, ...]:
    """What the rulebook says of whose an act is; a machine has no crew to say it of."""
    house = live.table.house
    return () if automated(live.table) else voices(house.book.id, house.game, act)


def voiced(live: LiveTable, act: str, answers: bool = False) -> Given | None:
    """Whom a clause of procedure names for an act; None: nobody."""
    names: tuple[str, ...] = ()
    cite = ""
    for voice in said_of(live, act):
        due = {"": True, "call-it": live.call_it, "asked": answers}[voice.when]
        if voice.by and due:
            names, cite = (*names, *voice.by), cite or voice.cite
    return Given(names, cite) if names else None


HALTED: Final = "the bonus was hit: play halts until the dice are inspected"


def halted(live: LiveTable) -> str:
    """The clause by which play halts until a person on the floor has looked the dice over; empty:
    it goes on. A machine there looks at once."""
    if not live.hit or live.machine_deals("floor"):
        return ""
    return next((v.cite for v in said_of(live, "roll") if v.until == "inspected"), "")


def tendered_by(live: LiveTable, bet: cmd.Bet) -> str:
    """The clause by which how a wager was tendered is the crew's to say, where one decides."""
    tender = live.table.house.book.tender
    late = tender.late.get(live.table.house.game)
    if bet.no_bet and tender.no_bet.value:
        return tender.no_bet.cite
    if bet.in_air and late is not None:
        return late.cite
    if bet.cash or bet.confirmed:
        return tender.cash_confirmed_by.cite
    return "custom: how a wager was tendered is the crew's to say"
