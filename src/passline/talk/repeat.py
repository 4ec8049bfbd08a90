"""A bet said back, as a base dealer repeats it: short, and understood if it is said again."""

from __future__ import annotations

import re
from collections.abc import Iterable

from passline.money import show_dollars
from passline.table import commands as cmd
from passline.table.state import Table
from passline.talk.groups import name_group
from passline.talk.says import say_words

_NAMES = {
    "dont-pass": "don't pass",
    "dont-come": "don't come",
    "c-and-e": "C and E",
    "dont-pass-odds": "don't pass odds",
    "eleven": "yo",
    "craps-2": "aces",
    "craps-3": "ace-deuce",
    "craps-12": "boxcars",
    "horn-high-2": "horn high aces",
    "horn-high-3": "horn high ace-deuce",
    "horn-high-11": "horn high yo",
    "horn-high-12": "horn high boxcars",
}
_COME_ODDS = re.compile(r"(dont-)?come-odds-([2-689]|1[0-2])")
_PLACE = re.compile(r"place-(win|lose)-(\d+)")
_HOP = re.compile(r"hop-(\d)-(\d)")
_CALLED = re.compile(r"(dont-)?come-(odds-)?\d+|hop-(?:1-1|1-2|5-6|6-6)|horn-high-\d+|[a-z-]+-7")


def wager_words(slug: str) -> str:
    """A wager as a dealer names it.

    >>> wager_words("place-win-6"), wager_words("hop-1-5"), wager_words("eleven")
    ('place 6', 'hop 1-5', 'yo')
    >>> wager_words("dont-come-odds-8")
    "don't come odds on the 8"
    """
    if slug in _NAMES:
        return _NAMES[slug]
    odds = _COME_ODDS.fullmatch(slug)
    if odds:
        side = "don't come" if odds[1] else "come"
        return f"{side} odds on the {odds[2]}"
    if _CALLED.fullmatch(slug):
        return slug  # no words of its own that could not be taken for another
    placed = _PLACE.fullmatch(slug)
    if placed:
        return f"place {placed[2]}" + (" to lose" if placed[1] == "lose" else "")
    hop = _HOP.fullmatch(slug)
    return f"hop {hop[1]}-{hop[2]}" if hop else slug.replace("-", " ")


def echo(commands: cmd.Command | Iterable[cmd.Command], table: Table | None = None) -> str:
    """What was understood, said back. With the table, a group by its name, and whether the point
    is among its numbers.

    >>> echo([cmd.Bet("ann", "place-win-6", 1200), cmd.Change("ann", "hard-8", 1000)])
    'place 6 for $12, hard 8 to $10'
    """
    if isinstance(commands, cmd.Command):
        return _one(commands)
    said = tuple(commands)
    group = name_group(table, said) if table is not None else ""
    return group or ", ".join(_one(command) for command in said)


def _one(command: cmd.Command) -> str:
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
