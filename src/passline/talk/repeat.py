"""A bet said back, as a base dealer repeats it: short, and understood if it is said again."""

from __future__ import annotations

from collections.abc import Iterable

from passline.money import show_dollars
from passline.table import commands as cmd
from passline.table.state import Table
from passline.talk.groups import name_group
from passline.talk.says import say_words
from passline.words.wagers import wager_words


def echo(commands: cmd.AnyCommand | Iterable[cmd.AnyCommand], table: Table | None = None) -> str:
    """What was understood, said back. With the table, a group by its name, and whether the point
    is among its numbers.

    >>> echo([cmd.Bet("ann", "place-win-6", 1200), cmd.Change("ann", "hard-8", 1000)])
    'place 6 for $12, hard 8 to $10'
    """
    if isinstance(commands, cmd.AnyCommand):
        return _one(commands)
    said = tuple(commands)
    group = name_group(table, said) if table is not None else ""
    return group or ", ".join(_one(command) for command in said)


def _one(command: cmd.AnyCommand) -> str:
    match command:
        case cmd.Bet():
            _, _, more = say_words(command).partition(" for ")
            tail = more.partition(" ")[2]
            said = f"{wager_words(command.wager)} for {show_dollars(command.amount)}"
            return f"{said} {tail}" if tail else said
        case cmd.TokeBet():
            said = f"{wager_words(command.wager)} for {show_dollars(command.amount)}"
            return f"{said} for the dealers"
        case cmd.Change():
            return f"{wager_words(command.wager)} to {show_dollars(command.to)}"
        case cmd.TakeDown():
            return f"{wager_words(command.wager)} down"
        case cmd.Call(wager=wager) if wager:
            return f"{wager_words(wager)} {'on' if command.on else 'off'}"
        case cmd.ChangeCheques():
            return f"change {show_dollars(command.amount)} to {command.colour}"
        case cmd.Toke():
            return f"{show_dollars(command.amount)} for the dealers"
        case _:
            return say_words(command)
