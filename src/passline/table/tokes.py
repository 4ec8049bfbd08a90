"""Tokes: tips for the dealers, dropped in their box or wagered for them."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from passline.layout import Refusal, Settlement, refuse
from passline.layout.amounts import check_chips
from passline.table import betting
from passline.table import commands as cmd
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.state import DEALERS, Table


def toke(table: Table, ask: cmd.Toke) -> Answer:
    """A tip: chips from the rail to the toke box."""
    seat = table.seat(ask.player)
    rule = table.house.book.tender.toke
    if rule.value == "refuse":
        return refuse("no-tips", rule.cite)
    refused = check_chips(table.layout, ask.amount)
    if refused is not None:
        return refused
    if ask.amount > seat.rail:
        return betting.short_of_chips(table, seat, ask.amount, seat.rail)
    return (ev.Toked(seat.id, ask.amount, rule.cite),)


def toke_bet(table: Table, ask: cmd.TokeBet) -> Answer:
    """A wager for the dealers: the player's chips on a spot, under the rules of any wager there.

    It is the dealers' from then on: it counts for nobody's turn with the dice, and what it brings
    is theirs. Like any wager it stays up after a win where the book has it so; nobody may take it
    down, and it comes down when the game dies or the table closes.
    """
    tender = table.house.book.tender
    if tender.toke.value == "refuse":
        return refuse("no-tips", tender.toke.cite)
    rule = tender.toke_bets
    if not rule.value:
        return refuse("no-toke-bets", rule.cite)
    seat = replace(table.seat(ask.player), wagers=table.dealers)
    answer = betting.book_bet(table, seat, cmd.Bet(ask.player, ask.wager, ask.amount))
    if isinstance(answer, Refusal):
        return answer
    if any(isinstance(event, ev.LateCalled) for event in answer):
        return refuse("dice-in-air", tender.closes.cite)
    made = [replace(event, player=DEALERS) for event in answer if isinstance(event, ev.Wagered)]
    total = sum(event.amount + event.vig for event in made)
    return (ev.TokeMade(player=ask.player, wager=ask.wager, amount=total, cite=rule.cite), *made)


def winnings_dropped(table: Table, settlements: Iterable[Settlement]) -> tuple[ev.AnyEvent, ...]:
    """What a throw brought the dealers goes into their box."""
    if not table.dealers:
        return ()
    won = sum(done.back for done in settlements if done.player == DEALERS)
    custom = "custom: what a wager for the dealers brings goes to the toke box"
    return (ev.TokesDropped(won, custom),) if won else ()


def bring_down(table: Table) -> tuple[ev.AnyEvent, ...]:
    """No wager of the dealers keeps a game alive that nobody plays: every one comes down, whether
    or not a player might take it down, and goes into their box."""
    if not table.dealers:
        return ()
    custom = "custom: where nobody plays the dealers' wagers come down, into the toke box"
    down = betting.all_downed(table, DEALERS, table.dealers)
    total = sum(event.was - event.vig for event in down)
    return (*(replace(event, cite=custom) for event in down), ev.TokesDropped(total, custom))
