"""``decide``: turn a command into events, or a refusal with its citation.

Every command passes through here: from records, the terminal, live tables, strategies and tests.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from passline.game.layout.stakes import Refusal, refuse
from passline.game.table import (
    bets,
    corrections,
    dice_custody,
    dice_set,
    limit_changes,
    open_close,
    players,
    posts,
    shootout,
    throws,
)
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.corrections import NOT_AT_TABLE_CITE
from passline.game.table.events import Answer
from passline.game.table.state import Table

#: Commands about a person who need not be at the table.
_ABSENT_COMMANDS = (cmd.Join, cmd.BuyIn, cmd.Sit, cmd.ReturnBets)
#: Commands by which a player joins a dead game, so that the dice come out of the bowl.
_JOINING_COMMANDS = (cmd.BuyIn, cmd.Bet, cmd.TokeBet, cmd.TakeDice, cmd.Join)


def decide(table: Table, command: cmd.AnyCommand) -> Answer:
    """Return the events that a command causes, or the refusal that says why it is not allowed.

    Raise ValueError for an invalid command, such as an unknown player or a die with seven spots:
    that is an error of the program, not of a player.
    """
    player: str = getattr(command, "player", "")
    if player and not isinstance(command, _ABSENT_COMMANDS) and not table.seat(player).here:
        return refuse("has-left", NOT_AT_TABLE_CITE, player=table.seat(player).name)
    if table.status == "live" or not _joins_game(table, command):
        return _decide_by_type(table, command)
    if table.status == "closed":
        return refuse("table-closed", dice_custody.CLOSED_CITE)
    answer, rule = _decide_by_type(table, command), table.house.book.dead_game.dump
    if isinstance(answer, Refusal) or not rule.value:
        return answer
    return (ev.BowlDumped(player, rule.cite), *answer)


def _joins_game(table: Table, command: cmd.AnyCommand) -> bool:
    """Return whether by this command a player joins the game or returns to it."""
    if isinstance(command, cmd.Sit):
        return not table.seat(command.player).here
    return isinstance(command, _JOINING_COMMANDS)


def _decide_by_type(table: Table, command: cmd.AnyCommand) -> Answer:
    handler = _HANDLERS.get(type(command))
    if handler is None:
        if dice_custody.is_automated(table):
            return dice_custody.refuse_machine_throws(table)
        handler = _DICE_HANDLERS[type(command)]
    return handler(table, command)


def _set_clock(table: Table, command: cmd.Clock) -> Answer:
    when = datetime.fromisoformat(command.when)
    if table.now and when < datetime.fromisoformat(table.now):
        return refuse("clock-back", "custom: time does not run back", now=table.now)
    return (ev.Clocked(command.when), *shootout.apply_clock(table, when))


def _correct_throw(table: Table, command: cmd.CorrectThrow) -> Answer:
    return corrections.correct_throw(table, command, decide)


#: The function that decides each type of command.
_HANDLERS: dict[type, Callable[[Table, Any], Answer]] = {
    cmd.Roll: throws.roll_dice,
    cmd.Bet: bets.make_bet,
    cmd.Change: bets.change_bet,
    cmd.TakeDown: bets.take_down_bet,
    cmd.Call: bets.call_bet_on_or_off,
    cmd.TakeAllDown: bets.take_down_all_bets,
    cmd.Confirm: bets.confirm_late_bet,
    cmd.Undo: bets.undo_last,
    cmd.BuyIn: players.buy_in,
    cmd.Join: players.join_table,
    cmd.Leave: players.leave_table,
    cmd.Stand: players.stand_up,
    cmd.Sit: players.sit_down,
    cmd.ReturnBets: bets.return_all_bets,
    cmd.Toke: bets.tip_dealers,
    cmd.TokeBet: bets.bet_for_dealers,
    cmd.ColorUp: players.color_up,
    cmd.AskColorUp: players.ask_to_color_up,
    cmd.PermitColorUp: players.permit_color_up,
    cmd.ChangeCheques: players.change_chips,
    cmd.PassDice: dice_custody.pass_dice,
    cmd.OrderPass: dice_custody.order_pass,
    cmd.AskDice: dice_custody.ask_for_new_dice,
    cmd.Clock: _set_clock,
    cmd.Relieve: posts.relieve_post,
    cmd.OkayDice: posts.okay_dice,
    cmd.CloseTable: open_close.close_table,
    cmd.OpenTable: open_close.reopen_table,
    cmd.SetLimits: limit_changes.set_limits,
}
#: The same for commands about dice and throws. They are refused where a machine throws.
_DICE_HANDLERS: dict[type, Callable[[Table, Any], Answer]] = {
    cmd.TakeDice: dice_custody.take_dice,
    cmd.DeclineDice: dice_custody.decline_dice,
    cmd.SameDice: dice_custody.ask_for_same_dice,
    cmd.SendDice: dice_custody.send_dice,
    cmd.DrawBack: dice_custody.draw_dice_back,
    cmd.ReleaseDice: dice_custody.release_dice,
    cmd.CallNoRoll: throws.call_no_roll,
    cmd.Warn: throws.warn_shooter,
    cmd.Rule: throws.rule_on_throw,
    cmd.CorrectThrow: _correct_throw,
    cmd.NewDice: dice_set.bring_in_new_set,
    cmd.InspectDice: dice_set.inspect_dice,
    cmd.RecallDice: dice_set.recall_dice,
    cmd.CancelDice: dice_set.cancel_set,
    cmd.LoseDie: dice_set.lose_die,
    cmd.FindDie: dice_set.find_die,
    cmd.DeadGame: open_close.declare_dead_game,
}
