"""Lines that no player says: throws, calls, the dice going round, people coming and going."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from passline.law import Book, grounds
from passline.record.crew_lines import (
    crew_line_words,
    read_crew_line,
    read_ground,
    serial_number,
)
from passline.record.read import player_name
from passline.table import Table
from passline.table import commands as cmd
from passline.table.acting import caller_of
from passline.table.throwing import OFF_TABLE
from passline.talk.errors import RecordError
from passline.talk.says import money_words, read_amount, read_role

#: Other words for grounds.
_GROUND_ALSO = {
    "not-simultaneous": "not-together",
    "judgement": "improper",
    "in-bowl": "in-cup",
    "leaning-uncertain": "leaning",
    "multi-side-rest": "leaning-two-sides",
    "one down": OFF_TABLE,
    "one-down": OFF_TABLE,
    "misses the wall": "misses-wall",
    "missing the wall": "misses-wall",
    "chip-contact": "touched-chips",
    "contact-chips": "touched-chips",
    "contact-coupons": "touched-coupons",
}
#: Where a die that left the table fell: beyond the players, or on the crew's side; or both did.
SIDES = ("outside", "inside", "both")

_PLAYER_LINES: dict[str, Callable[[str], cmd.AnyCommand]] = {
    "takes the dice": cmd.TakeDice,
    "declines the dice": cmd.DeclineDice,
    "passes the dice": cmd.PassDice,
    "asks for the same dice": cmd.SameDice,
    "asks for new dice": cmd.AskDice,
    "asks to colour up": cmd.AskColour,
    "asks to color up": cmd.AskColour,
    "colours up": cmd.ColourUp,
    "colors up": cmd.ColourUp,
    "leaves": cmd.Leave,
    "stands": cmd.Stand,
    "sits": cmd.Sit,
}
#: Players who are named where somebody is meant who is none.
_MOST_NAMED = 24
_EXPECTED = (
    "expected 'NAME: say; say', 'roll A B', 'no roll GROUND by ROLE', 'NAME takes the dice', "
    "'NAME joins for AMOUNT', 'NAME buys in AMOUNT' or another line of a record"
)


def read_happening(text: str, table: Table) -> cmd.AnyCommand:
    """A line of the table as a command; a rulebook may add grounds and reasons of its own."""
    book = table.house.book
    words = text.split()
    head = words[0].lower()
    lower = " ".join(words).lower()
    if head == "roll":
        return _roll(words[1:])
    if lower.startswith("no roll "):
        return _no_roll(table, lower.removeprefix("no roll").strip())
    if head == "ruling":
        return _ruling(lower.removeprefix("ruling").strip())
    if lower.startswith("new dice "):
        reason, kind = lower.removeprefix("new dice").strip(), grounds.for_new_dice
        if len(words) == 5 and words[3].lower() == "serial":
            reason, serial = words[2], serial_number(words[4])
            return cmd.NewDice(read_ground(reason, kind, book, "reason"), serial)
        return cmd.NewDice(read_ground(reason, kind, book, "reason"))
    if head == "clock":
        return _clock(" ".join(words[1:]))
    ordered = re.fullmatch(r"(\S+) orders (\S+) to pass for (\S+)", " ".join(words), re.IGNORECASE)
    if ordered is not None:
        player = _named(ordered[2], table)
        reason = read_ground(ordered[3], grounds.for_pass, book, "reason")
        return cmd.OrderPass(read_role(ordered[1]), player, reason)
    found = _official_line(words, table) or read_crew_line(words, table)
    return found if found is not None else _player_line(words, table)


def _official_line(words: list[str], table: Table) -> cmd.AnyCommand | None:
    """What an official says to a player; None: it is some other line."""
    text = " ".join(words)
    leave = re.fullmatch(r"(\S+) permits (\S+) to colou?r up", text, re.IGNORECASE)
    if leave is not None:
        return cmd.PermitColour(read_role(leave[1]), _named(leave[2], table))
    warns = re.fullmatch(r"(\S+) warns (\S+)(?: for (.+))?", text, re.IGNORECASE)
    if warns is not None:
        book = table.house.book
        said = warns[3] or next(grounds.known_grounds(grounds.for_warning, book), "")
        return cmd.Warn(read_role(warns[1]), _named(warns[2], table), _ground(said, book))
    return None


def _player_line(words: list[str], table: Table) -> cmd.AnyCommand:
    rest = " ".join(words[1:]).lower()
    joins = re.fullmatch(r"joins for (\S+)(?: at (?:place )?(0*[1-9]\d{0,3}))?", rest)
    if joins is not None:
        return cmd.Join(player_name(words[0]), read_amount(joins[1]), int(joins[2] or 0))
    if rest in _PLAYER_LINES:
        return _PLAYER_LINES[rest](_named(words[0], table))
    if rest.startswith("buys in"):
        return cmd.BuyIn(_named(words[0], table), read_amount(rest.removeprefix("buys in").strip()))
    changes = re.fullmatch(r"changes (\S+) (?:to|into|for) (\S+)", rest)
    if changes is not None:
        return cmd.ChangeCheques(_named(words[0], table), read_amount(changes[1]), changes[2])
    raise RecordError(f"{' '.join(words)[:60]!r} is not understood: {_EXPECTED}")


def _named(name: str, table: Table) -> str:
    if table.find(name) is not None:
        return name
    raise RecordError(f"{name[:40]!r} is no player here: {', '.join(table.names[:_MOST_NAMED])}")


def _face(word: str) -> int:
    if word.isascii() and word.isdigit() and len(word) == 1 and 1 <= int(word) <= 6:
        return int(word)
    raise RecordError(f"a die shows 1 to 6, not {word[:20]!r}: expected a line like 'roll 3 4'")


def _roll(words: list[str]) -> cmd.Roll:
    tampered = len(words) == 3 and words[2].lower() == "tampered"
    if len(words) != 2 and not tampered:
        raise RecordError("expected two dice: a line like 'roll 3 4'")
    return cmd.Roll(_face(words[0]), _face(words[1]), tampered)


def _no_roll(table: Table, rest: str) -> cmd.CallNoRoll:
    """The ground, for a die off the table perhaps where it fell, and who called it."""
    words, by, who = rest.partition(" by ")
    side = next((side for side in SIDES if words.endswith(f" {side}")), "")
    ground = _ground(words.removesuffix(side).rstrip(" ,"), table.house.book)
    if side and ground != OFF_TABLE:
        raise RecordError(f"of dice off the table that is told: 'no roll off-table {side}'")
    return cmd.CallNoRoll(ground, read_role(who) if by else caller_of(table, ground), side)


def _ground(words: str, book: Book) -> str:
    said = words.strip().lower()
    return read_ground(_GROUND_ALSO.get(said, said), grounds.for_no_roll, book, "ground")


def _ruling(rest: str) -> cmd.Rule:
    faces, by, who = rest.partition(" by ")
    if not by:
        raise RecordError("expected who ruled: 'ruling 3 4 by boxperson' or 'ruling void by ...'")
    if faces.strip() == "void":
        return cmd.Rule(0, 0, read_role(who))
    words = faces.split()
    if len(words) != 2:
        raise RecordError("expected two dice or void: 'ruling 3 4 by boxperson'")
    return cmd.Rule(_face(words[0]), _face(words[1]), read_role(who))


def _clock(text: str) -> cmd.Clock:
    try:
        when = datetime.strptime(text, "%Y-%m-%d %H:%M")
    except ValueError:
        raise RecordError(f"{text!r} is no time: expected 'clock 2007-04-02 09:00'") from None
    return cmd.Clock(when.isoformat(" ", "minutes"))


def happening_words(command: cmd.AnyCommand) -> str:
    """A table line in canonical words.

    >>> happening_words(cmd.CallNoRoll("off-table", "stickperson"))
    'no roll off-table by stickperson'
    """
    match command:
        case cmd.Roll(first, second, tampered):
            return f"roll {first} {second}" + (" tampered" if tampered else "")
        case cmd.CallNoRoll(ground, by, side):
            return f"no roll {ground}{f' {side}' if side else ''} by {by}"
        case cmd.Warn(by, player, ground):
            return f"{by} warns {player} for {ground}"
        case cmd.PermitColour(by, player):
            return f"{by} permits {player} to colour up"
        case cmd.Rule(first, second, by):
            return f"ruling {f'{first} {second}' if first else 'void'} by {by}"
        case cmd.NewDice(reason, serial):
            return f"new dice {reason}" + (f" serial {serial}" if serial else "")
        case cmd.Clock(when):
            return f"clock {when}"
        case cmd.OrderPass(by, player, reason):
            return f"{by} orders {player} to pass for {reason}"
        case cmd.Join(player, cents, place):
            at = f" at {place}" if place else ""
            return f"{player} joins for {money_words(cents)}{at}"
        case cmd.BuyIn(player, cents):
            return f"{player} buys in {money_words(cents)}"
        case cmd.ChangeCheques(player, cents, colour):
            return f"{player} changes {money_words(cents)} to {colour}"
        case _:
            for words, kind in _PLAYER_LINES.items():
                if type(command) is kind:
                    return f"{getattr(command, 'player', '')} {words}"
            return crew_line_words(command)
