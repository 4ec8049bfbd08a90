"""``decide``: turn a command into events, or a refusal with its citation.

Every command passes through here: from records, the terminal, live tables, strategies and tests.
"""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from passline.game.layout.stakes import refuse
from passline.game.table import (
    bets,
    dice_custody,
    dice_set,
    limits,
    opening,
    players,
    posts,
    shootout,
    throws,
)
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.events import Answer
from passline.game.table.state import Table

#: Commands of a person who is not at the table yet.
_ARRIVAL_COMMANDS = (cmd.Join, cmd.BuyIn)
#: The citation for refusing a command of a person who is not at the table.
NOT_AT_TABLE_CITE = "custom: only a player at the table may ask for anything"


def decide(table: Table, command: cmd.AnyCommand) -> Answer:
    """Return the events that a command causes, or the refusal that says why it is not allowed.

    Raise ValueError for an invalid command, such as an unknown player or a die with seven spots:
    that is an error of the program, not of a player.
    """
    player: str = getattr(command, "player", "")
    if player and not isinstance(command, _ARRIVAL_COMMANDS) and not table.seat(player).here:
        return refuse("has-left", NOT_AT_TABLE_CITE, player=table.seat(player).name)
    if table.status != "live":
        return opening.decide_when_idle(table, command, _decide_player_command)
    return _decide_player_command(table, command)


def _decide_player_command(table: Table, command: cmd.AnyCommand) -> Answer:
    match command:
        case cmd.Roll():
            return throws.roll_dice(table, command)
        case cmd.Bet():
            return bets.make_bet(table, command)
        case cmd.Change():
            return bets.change_bet(table, command)
        case cmd.TakeDown():
            return bets.take_down_bet(table, command)
        case cmd.Call():
            return bets.call_bet_on_or_off(table, command)
        case cmd.TakeAllDown():
            return bets.take_down_all_bets(table, command)
        case cmd.Confirm():
            return bets.confirm_late_bet(table, command)
        case cmd.Undo():
            return bets.undo_last(table, command)
        case cmd.BuyIn():
            return players.buy_in(table, command)
        case cmd.Join():
            return players.join_table(table, command)
        case cmd.Leave():
            return players.leave_table(table, command)
        case cmd.Stand():
            return players.stand_up(table, command)
        case cmd.Sit():
            return players.sit_down(table, command)
        case cmd.Toke():
            return bets.tip_dealers(table, command)
        case cmd.TokeBet():
            return bets.bet_for_dealers(table, command)
        case cmd.ColorUp():
            return players.color_up(table, command)
        case cmd.AskColorUp():
            return players.ask_to_color_up(table, command)
        case cmd.PermitColorUp():
            return players.permit_color_up(table, command)
        case cmd.ChangeCheques():
            return players.change_chips(table, command)
        case _:
            return _decide_dice_command(table, command)


def _decide_dice_command(table: Table, command: cmd.DiceCommand) -> Answer:
    match command:
        case cmd.TakeDice():
            return dice_custody.take_dice(table, command)
        case cmd.DeclineDice():
            return dice_custody.decline_dice(table, command)
        case cmd.PassDice():
            return dice_custody.pass_dice(table, command)
        case cmd.OrderPass():
            return dice_custody.order_pass(table, command)
        case cmd.SameDice():
            return dice_custody.ask_for_same_dice(table, command)
        case cmd.AskDice():
            return dice_custody.ask_for_new_dice(table, command)
        case cmd.SendDice():
            return dice_custody.send_dice(table, command)
        case cmd.DrawBack():
            return dice_custody.draw_dice_back(table, command)
        case cmd.ReleaseDice():
            return dice_custody.release_dice(table, command)
        case cmd.CallNoRoll():
            return throws.call_no_roll(table, command)
        case cmd.Warn():
            return throws.warn_shooter(table, command)
        case cmd.Rule():
            return throws.rule_on_throw(table, command)
        case cmd.Clock():
            return _set_clock(table, command)
        case _:
            return _decide_dice_set_command(table, command)


def _decide_dice_set_command(table: Table, command: cmd.DiceSetCommand) -> Answer:
    match command:
        case cmd.NewDice():
            return dice_set.bring_in_new_set(table, command)
        case cmd.InspectDice():
            return dice_set.inspect_dice(table, command)
        case cmd.RecallDice():
            return dice_set.recall_dice(table, command)
        case cmd.CancelDice():
            return dice_set.cancel_set(table, command)
        case cmd.LoseDie():
            return dice_set.lose_die(table, command)
        case cmd.FindDie():
            return dice_set.find_die(table, command)
        case cmd.Relieve():
            return posts.relieve_post(table, command)
        case cmd.OkayDice():
            return posts.okay_dice(table, command)
        case cmd.DeadGame():
            return opening.declare_dead_game(table, command)
        case cmd.CloseTable():
            return opening.close_table(table, command)
        case cmd.OpenTable():
            return opening.reopen_table(table, command)
        case cmd.SetLimits():
            return limits.set_limits(table, command)
        case _:
            assert_never(command)


def _set_clock(table: Table, command: cmd.Clock) -> Answer:
    when = datetime.fromisoformat(command.when)
    if table.now and when < datetime.fromisoformat(table.now):
        return refuse("clock-back", "custom: time does not run back", now=table.now)
    return (ev.Clocked(command.when), *shootout.apply_clock(table, when))
