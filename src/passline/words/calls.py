"""A throw in words: the total, and what it does to the line. Fuller calls are the crew's."""

from __future__ import annotations

from collections.abc import Callable

from passline.dice import SEVEN
from passline.law import Book
from passline.law.families import family_called
from passline.table import Table
from passline.table.events import Rolled

#: Puts a throw in words, given the table as it stood before it.
Caller = Callable[[Table, Rolled], str]

#: What the floor calls the line wager that wins with the shooter.
_LINE = "pass"
_NAMES = {
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    9: "nine",
    10: "ten",
    11: "yo eleven",
    12: "twelve",
}


def plain_call(rolled: Rolled, book: Book | None = None) -> str:
    """What the stick would call, in short. ``book``: whose line wagers a winner is told by.

    >>> plain_call(Rolled(3, 3, "ann", 0, 6, ()))
    'six, hard six, mark the point'
    """
    total = rolled.first + rolled.second
    parts = [_NAMES[total]]
    if total in {4, 6, 8, 10}:
        way = "hard" if rolled.first == rolled.second else "easy"
        parts.append(f"{way} {_NAMES[total]}")
    if rolled.special:
        return ", ".join(parts)  # thrown for come wagers alone: the line has no part in it
    if rolled.was:
        if rolled.puck == 0:
            parts.append("out, line away" if total == SEVEN else "winner, front line winner")
    elif rolled.puck:
        parts.append("mark the point")
    elif total == SEVEN or _won_line(rolled, book):
        parts.append("winner, front line winner")
    elif total in {2, 3, 12}:
        parts.append("craps, line away")
    return ", ".join(parts)


def _won_line(rolled: Rolled, book: Book | None) -> bool:
    """Whether a wager on the shooter's side of the line won."""
    line = family_called(book, _LINE) if book is not None else _LINE
    return any(done.wager == line and done.result == "win" for done in rolled.settlements)
