"""The one door: a table and a command give events, or a refusal with its citation."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from passline.layout import Refusal
from passline.layout.amounts import check_chips
from passline.table import (
    betting,
    change,
    custody,
    dead_game,
    dice_down,
    inspection,
    relief,
    sending,
    shootout,
    throwing,
    tokes,
)
from passline.table import commands as cmd
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.state import DEALERS, Table

_AWAY = "custom: only a player at the table may ask for anything"


def _buy_in(table: Table, ask: cmd.BuyIn) -> Answer:
    refused = change.must_wait(table) or check_chips(table.layout, ask.amount)
    return refused if refused is not None else (ev.BoughtIn(ask.player, ask.amount),)


def _leave(table: Table, ask: cmd.Leave) -> Answer:
    """What may come down comes down; a wager that may not plays on without its player."""
    index = table.index(ask.player)
    seat = table.seats[index]
    refused = _stays_seated(table, ask.player)
    if refused is not None:
        return refused
    found: list[ev.Event] = []
    if seat.wagers:
        down = betting.take_all_down(table, cmd.TakeAllDown(ask.player))
        found += () if isinstance(down, Refusal) else down
    if table.shooter == index:
        passed = custody.pass_dice(table, cmd.PassDice(ask.player))
        if isinstance(passed, Refusal):
            return passed
        found += passed
    return (*found, ev.LeftTable(ask.player))


def _stays_seated(table: Table, player: str) -> Refusal | None:
    seating, seat = table.house.book.seating, table.seats[table.index(player)]
    if seating.required is None or table.house.game not in seating.required.value:
        return None
    if not seat.wagers or seating.until is None or seating.until.value == "free":
        return None
    return Refusal(f"{player} stays seated until every wager is decided", seating.until.cite)


def _stand(table: Table, ask: cmd.Stand) -> Answer:
    refused = _stays_seated(table, ask.player)
    return refused if refused is not None else (ev.Seated(ask.player, standing=True),)


def _sit(table: Table, ask: cmd.Sit) -> Answer:
    return (ev.Seated(ask.player, standing=False),)


def _clock(table: Table, ask: cmd.Clock) -> Answer:
    when = datetime.fromisoformat(ask.when)
    if table.now and when < datetime.fromisoformat(table.now):
        return Refusal(f"it is {table.now} already", "custom: time does not run back")
    moved = shootout.on_clock(table, when)
    return (ev.Clocked(ask.when), *moved)


_DOORS: dict[type[cmd.Command], Callable[[Table, Any], Answer]] = {
    cmd.Bet: betting.bet,
    cmd.Change: betting.change,
    cmd.TakeDown: betting.take_down,
    cmd.TakeAllDown: betting.take_all_down,
    cmd.Call: betting.call,
    cmd.Toke: tokes.toke,
    cmd.TokeBet: tokes.toke_bet,
    cmd.BuyIn: _buy_in,
    cmd.ColourUp: change.colour_up,
    cmd.AskColour: change.ask_colour,
    cmd.PermitColour: change.permit_colour,
    cmd.ChangeCheques: change.change_cheques,
    cmd.Leave: _leave,
    cmd.Stand: _stand,
    cmd.Sit: _sit,
    cmd.TakeDice: custody.take_dice,
    cmd.DeclineDice: custody.decline_dice,
    cmd.PassDice: custody.pass_dice,
    cmd.OrderPass: custody.order_pass,
    cmd.SameDice: custody.same_dice,
    cmd.AskDice: custody.ask_dice,
    cmd.NewDice: inspection.new_dice,
    cmd.SendDice: sending.send,
    cmd.DrawBack: sending.draw_back,
    cmd.InspectDice: inspection.inspect,
    cmd.RecallDice: inspection.recall,
    cmd.CancelDice: inspection.cancel,
    cmd.LoseDie: dice_down.lose,
    cmd.FindDie: dice_down.find,
    cmd.Relieve: relief.relieve,
    cmd.OkayDice: relief.okay,
    cmd.DeadGame: dead_game.go_dead,
    cmd.CloseTable: dead_game.close,
    cmd.OpenTable: dead_game.reopen,
    cmd.Roll: throwing.roll,
    cmd.CallNoRoll: throwing.call_no_roll,
    cmd.Warn: throwing.warn,
    cmd.Rule: throwing.rule,
    cmd.Clock: _clock,
}


def decide(table: Table, command: cmd.Command) -> Answer:
    """What a command does: the events to fold in, or why it may not be.

    A command that makes no sense (no such player, no such face, no amount) is a programmer's
    mistake: ValueError, when it is made or here.
    """
    player = getattr(command, "player", "")
    away = player and not table.seats[table.index(player)].here
    if away and (type(command) is not cmd.BuyIn or player == DEALERS):
        return Refusal(f"{player} has left the table", _AWAY)
    if table.status != "live":
        return dead_game.answered(table, command, _DOORS[type(command)])
    return _DOORS[type(command)](table, command)
