"""Repeat a bet back as a base dealer does: briefly, in words that `understand` accepts again."""

from __future__ import annotations

from collections.abc import Iterable

from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.talk.canonical import echo_command
from passline.talk.groups import name_group


def echo(commands: cmd.AnyCommand | Iterable[cmd.AnyCommand], table: Table | None = None) -> str:
    """Return commands in the words in which a dealer repeats them.

    With `table`, bets that together make a group become one phrase: `$32 across`.

    >>> echo([cmd.Bet("ann", "place-win-6", 1200), cmd.Change("ann", "hard-8", 1000)])
    'place 6 for $12, hard 8 to $10'
    """
    if isinstance(commands, cmd.AnyCommand):
        return echo_command(commands)
    bets = tuple(commands)
    group = name_group(table, bets) if table is not None else ""
    return group or ", ".join(map(echo_command, bets))
