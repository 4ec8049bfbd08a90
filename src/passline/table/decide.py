"""The one door: a table and a command give events, or a refusal with its citation."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from passline.layout import refuse
from passline.table import (
    betting,
    change,
    coming_and_going,
    correcting,
    custody,
    dead_game,
    dice_down,
    inspection,
    limits,
    relief,
    sending,
    shootout,
    throwing,
    tokes,
)
from passline.table import commands as cmd
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.state import Table

#: What somebody says who is not here yet.
_COMING = (cmd.Join, cmd.BuyIn)
#: Why nobody is heard who is not at the table.
AWAY = "custom: only a player at the table may ask for anything"


def decide(table: Table, command: cmd.AnyCommand) -> Answer:
    """What a command does: the events to fold in, or why it may not be.

    A command that makes no sense (no such player, no such face, no amount) is a programmer's
    mistake: ValueError, when it is made or here.
    """
    player: str = getattr(command, "player", "")
    if player and not isinstance(command, _COMING) and not table.seat(player).here:
        return refuse("has-left", AWAY, player=table.seat(player).name)
    if table.status != "live":
        return dead_game.wake(table, command, _answer)
    return _answer(table, command)


def _answer(table: Table, command: cmd.AnyCommand) -> Answer:
    match command:
        case cmd.Roll():
            return throwing.roll(table, command)
        case cmd.Bet():
            return betting.bet(table, command)
        case cmd.Change():
            return betting.change(table, command)
        case cmd.TakeDown():
            return betting.take_down(table, command)
        case cmd.Call():
            return betting.call(table, command)
        case cmd.TakeAllDown():
            return betting.take_all_down(table, command)
        case cmd.Confirm():
            return betting.confirm(table, command)
        case cmd.Undo():
            return correcting.undo(table, command)
        case cmd.BuyIn():
            return coming_and_going.buy_in(table, command)
        case cmd.Join():
            return coming_and_going.join(table, command)
        case cmd.Leave():
            return coming_and_going.leave(table, command)
        case cmd.Stand():
            return coming_and_going.stand(table, command)
        case cmd.Sit():
            return coming_and_going.sit(table, command)
        case cmd.Toke():
            return tokes.toke(table, command)
        case cmd.TokeBet():
            return tokes.toke_bet(table, command)
        case cmd.ColourUp():
            return change.colour_up(table, command)
        case cmd.AskColour():
            return change.ask_colour(table, command)
        case cmd.PermitColour():
            return change.permit_colour(table, command)
        case cmd.ChangeCheques():
            return change.change_cheques(table, command)
        case _:
            return _answer_dice(table, command)


def _answer_dice(table: Table, command: cmd.DiceCommand) -> Answer:
    match command:
        case cmd.TakeDice():
            return custody.take_dice(table, command)
        case cmd.DeclineDice():
            return custody.decline_dice(table, command)
        case cmd.PassDice():
            return custody.pass_dice(table, command)
        case cmd.OrderPass():
            return custody.order_pass(table, command)
        case cmd.SameDice():
            return custody.same_dice(table, command)
        case cmd.AskDice():
            return custody.ask_dice(table, command)
        case cmd.SendDice():
            return sending.send(table, command)
        case cmd.DrawBack():
            return sending.draw_back(table, command)
        case cmd.ReleaseDice():
            return sending.release(table, command)
        case cmd.CallNoRoll():
            return throwing.call_no_roll(table, command)
        case cmd.Warn():
            return throwing.warn(table, command)
        case cmd.Rule():
            return throwing.rule(table, command)
        case cmd.Clock():
            return _clock(table, command)
        case _:
            return _answer_set(table, command)


def _answer_set(table: Table, command: cmd.SetCommand) -> Answer:
    match command:
        case cmd.NewDice():
            return inspection.new_dice(table, command)
        case cmd.InspectDice():
            return inspection.inspect(table, command)
        case cmd.RecallDice():
            return inspection.recall(table, command)
        case cmd.CancelDice():
            return inspection.cancel(table, command)
        case cmd.LoseDie():
            return dice_down.lose(table, command)
        case cmd.FindDie():
            return dice_down.find(table, command)
        case cmd.Relieve():
            return relief.relieve(table, command)
        case cmd.OkayDice():
            return relief.okay(table, command)
        case cmd.DeadGame():
            return dead_game.go_dead(table, command)
        case cmd.CloseTable():
            return dead_game.close(table, command)
        case cmd.OpenTable():
            return dead_game.reopen(table, command)
        case cmd.SetLimits():
            return limits.set_limits(table, command)
        case _:
            assert_never(command)


def _clock(table: Table, ask: cmd.Clock) -> Answer:
    when = datetime.fromisoformat(ask.when)
    if table.now and when < datetime.fromisoformat(table.now):
        return refuse("clock-back", "custom: time does not run back", now=table.now)
    return (ev.Clocked(ask.when), *shootout.on_clock(table, when))
