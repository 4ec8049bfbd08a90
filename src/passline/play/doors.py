"""Telling apart what is said to the dealer from what is asked of the screen."""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple

from passline.play.answers import ask_table
from passline.record.table_lines import read_happening
from passline.table import Table
from passline.talk.errors import RecordError
from passline.talk.understand import UnplayableError, understand

#: Two dice as people type them, perhaps after "roll".
DICE = re.compile(r"([1-6])(\s*[,+ -]?\s*)([1-6])")
#: What may be two dice, and is none where a face is wrong: "4 7".
_NO_DICE = re.compile(r"\d(\s*[,+-]\s*|\s+)\d", re.ASCII)
_ALONE = ("roll", "table", "odds", "help", "crew", "undo", "leave", "quit")
_WITH_MORE = ("why", "bets", "save")
_SHORT = {
    "q": "quit", "exit": "quit", "bye": "quit", "?": "help", "h": "help", "t": "table",
    "r": "roll", "throw": "roll", "roll dice": "roll", "roll em": "roll", "shoot": "roll",
    "throw dice": "roll", "cash out": "leave", "bet": "bets", "why not": "why",
}  # fmt: skip
#: What a player does at the table besides betting: the words, and the record's.
_DOES = {
    "pass dice": "passes the dice",
    "take dice": "takes the dice",
    "decline dice": "declines the dice",
    "colour up": "colours up",
    "color up": "colours up",
    "stand": "stands",
    "stand up": "stands",
    "sit": "sits",
    "sit down": "sits",
    "same dice": "asks for the same dice",
    "new dice": "asks for new dice",
    "other dice": "asks for new dice",
    "change dice": "asks for new dice",
}
#: Whether a line wager that won is made again: the words, and what is wanted.
_LINE = re.compile(r"(?:leave|keep)(?: (?:line|pass line|it|pass|bet|don't pass))* (up|down)")
#: Words of courtesy, and small ones, around what is asked of the screen.
_COURTESY = frozenset(
    {"please", "thanks", "thank", "you", "sir", "the", "a", "an", "my", "me", "some", "i", "i'd"}
    | {"like", "want", "i'll", "can", "could", "have", "get", "give", "for", "now", "let's", "let"}
)
_BUY_IN = re.compile(r"(?:rebuy|buys? in)(?: for)?(?: (.*))?")
#: After "bets" these are a call, or take them down: no question.
_CALLED = re.compile(r"(?:(?:are|is|back|all) )*(?:on|off|(?:not )?working|down)")
#: How lines of a real table begin: what is wrong in one is told as a record's reader tells it.
_TABLE_LINES = (
    *("no roll", "ruling ", "new dice ", "clock ", "die ", "dice out", "dice back", "dead game"),
    *("inspect dice", "recall dice", "cancel dice", "table closes", "table opens"),
)
#: A typo within reach: more alike than this.
_ALIKE = 0.74


class Door(NamedTuple):
    """Something that is no say: which door it goes to, and the rest of the words."""

    name: str
    rest: str = ""


def find_door(part: str, player: str, table: Table, typed: bool) -> Door | None:
    """Where a part of a typed line goes; None for a say to the dealer.

    ``typed``: the dice are typed in, and so is what else happens to them.
    """
    low = " ".join(part.lower().split()).rstrip(" .!")
    plain = low.replace(",", " ").rstrip(" ?")
    bare = " ".join(word for word in plain.split() if word not in _COURTESY)
    for words in (low, _SHORT.get(low, low), bare, _SHORT.get(bare, bare)):
        if words in _ALONE:
            return Door(words)
    question = ask_table(low)
    if question is not None:
        return Door("asks", question)
    first, _, rest = part.partition(" ")
    first, rest = (_SHORT[low], "") if low in _SHORT else (first.lower(), rest)
    if first in _WITH_MORE and not (first == "bets" and _CALLED.fullmatch(rest.strip().lower())):
        return Door(first, rest.strip())
    dice = low.removeprefix("roll ").strip()
    if DICE.fullmatch(dice) or low.startswith("roll ") or (typed and _NO_DICE.fullmatch(low)):
        with_more = typed and not DICE.fullmatch(dice) and _happens(low, table)  # "tampered"
        return Door("does", low) if with_more else Door("roll", dice)
    if bare in _DOES:
        return Door("does", f"{player} {_DOES[bare]}")
    line = _LINE.fullmatch(bare)
    if line:
        return Door("line", line[1])
    bought = _BUY_IN.fullmatch(low)
    if bought:
        return Door("buy in", bought[1] or "")
    return _of_the_table(part, player, table, typed)


def _of_the_table(part: str, player: str, table: Table, typed: bool) -> Door | None:
    """A record's own line: ``bob passes the dice``, or what happens on the floor of a real table.

    A player may be called Field or Max: what is no line of theirs and can be said, is said.
    """
    first, _, rest = part.partition(" ")
    seats = {seat.name.lower(): seat.name for seat in table.seats}
    if first.lower() in seats and rest.strip():
        line = f"{seats[first.lower()]} {rest.strip()}"
        if _happens(line, table) or not _can_be_said(part, player, table):
            return Door("does", line)
        return None
    if typed and (part.lower().startswith(_TABLE_LINES) or _happens(part, table)):
        return Door("does", part)
    return None


def _happens(line: str, table: Table) -> bool:
    """Whether a record's reader knows a line of the table."""
    try:
        read_happening(line, table)
    except RecordError:
        return False
    return True


def _can_be_said(words: str, player: str, table: Table) -> bool:
    """Whether the dealer would know what is meant, be it allowed or not."""
    try:
        understand(table, player, words)
    except UnplayableError:
        return True
    except RecordError:
        return False
    return True


def which_dice(said: str) -> str:
    """What is asked of somebody who types the dice in and has not said two of them.

    >>> which_dice("4 7")
    'A die has the faces 1 to 6: type the two that fell, such as 4 3'
    """
    if _NO_DICE.fullmatch(said):
        return "A die has the faces 1 to 6: type the two that fell, such as 4 3"
    return "Which dice fell? Type the two of them, such as 4 3"


def nearest(words: str) -> str:
    """The command that a mistyped one is near to; nothing where none is.

    >>> nearest("rol"), nearest("qiut"), nearest("place the six")
    ('roll', 'quit', '')
    """
    known = [*_ALONE, *_WITH_MORE, *_DOES, "pass the dice", "take the dice"]
    return next(iter(difflib.get_close_matches(words.lower(), known, 1, _ALIKE)), "")
