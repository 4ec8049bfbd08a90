"""Repeat a bet back as a base dealer does: briefly, in words that `understand` accepts again."""

from __future__ import annotations

from collections.abc import Iterable

from passline.game.money.amounts import show_dollars
from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.game.words.wagers import spoken_wager_name
from passline.talk.canonical import format_command
from passline.talk.groups import name_group


def echo(commands: cmd.AnyCommand | Iterable[cmd.AnyCommand], table: Table | None = None) -> str:
    """Return the commands in words. With `table`, bets that form a group are named as one (`$32
    across`).

    >>> echo([cmd.Bet("ann", "place-win-6", 1200), cmd.Change("ann", "hard-8", 1000)])
    'place 6 for $12, hard 8 to $10'
    """
    if isinstance(commands, cmd.AnyCommand):
        return _echo_command(commands)
    bets = tuple(commands)
    group = name_group(table, bets) if table is not None else ""
    return group or ", ".join(_echo_command(command) for command in bets)


def _echo_command(command: cmd.AnyCommand) -> str:
    match command:
        case cmd.Bet():
            _, _, more = format_command(command).partition(" for ")
            tail = more.partition(" ")[2]
            words = f"{spoken_wager_name(command.wager)} for {show_dollars(command.amount)}"
            return f"{words} {tail}" if tail else words
        case cmd.TokeBet():
            words = f"{spoken_wager_name(command.wager)} for {show_dollars(command.amount)}"
            return f"{words} for the dealers"
        case cmd.Change():
            return f"{spoken_wager_name(command.wager)} to {show_dollars(command.to)}"
        case cmd.TakeDown():
            return f"{spoken_wager_name(command.wager)} down"
        case cmd.Call(wager=wager) if wager:
            return f"{spoken_wager_name(wager)} {'on' if command.on else 'off'}"
        case cmd.ChangeCheques():
            return f"change {show_dollars(command.amount)} to {command.colour}"
        case cmd.Toke():
            return f"{show_dollars(command.amount)} for the dealers"
        case _:
            return format_command(command)
