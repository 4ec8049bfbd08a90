"""Commands of the prompt that are not bets: find them in a typed line, and run some of them.

This module runs rolling, buying in, undoing, saving and leaving; ``answers`` has those that only
show something. Everything else in a line goes to the dealer.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from passline.game.layout.stakes import Refusal
from passline.game.money.amounts import AmountError, parse_dollars
from passline.game.table.dice_custody import find_next_shooter
from passline.game.table.state import Table
from passline.game.words.prompt import describe_lost_dice, say_prompt
from passline.game.words.refusals import describe_refusal
from passline.play.answers import classify_question
from passline.play.saved_games import save_copy, save_path, write_failure_message
from passline.record.table_lines import read_table_line
from passline.talk.canonical import format_amount
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.understand import understand

if TYPE_CHECKING:
    from passline.play.terminal_session import TerminalSession

#: Two dice as people type them, perhaps after "roll".
TWO_DICE = re.compile(r"([1-6])(\s*[,+ -]?\s*)([1-6])")
#: Text that looks like two dice, even if a face is impossible: "4 7".
_DICE_LIKE = re.compile(r"\d(\s*[,+-]\s*|\s+)\d", re.ASCII)
_BARE_COMMANDS = ("roll", "table", "odds", "help", "crew", "undo", "leave", "quit")
_COMMANDS_WITH_TEXT = ("why", "bets", "save")
_ALIASES = {
    "q": "quit", "exit": "quit", "bye": "quit", "?": "help", "h": "help", "t": "table",
    "r": "roll", "throw": "roll", "roll dice": "roll", "roll em": "roll", "shoot": "roll",
    "throw dice": "roll", "cash out": "leave", "bet": "bets", "why not": "why",
}  # fmt: skip
#: Actions besides betting: the words that a player types, and the words of the record.
_PLAYER_ACTIONS = {
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
#: Phrases that set whether a winning line bet is made again (up) or not (down).
_LINE_PREFERENCE = re.compile(
    r"(?:leave|keep)(?: (?:line|pass line|it|pass|bet|don't pass))* (up|down)"
)
#: Polite and small words that are ignored around a command.
_FILLER_WORDS = frozenset(
    {"please", "thanks", "thank", "you", "sir", "the", "a", "an", "my", "me", "some", "i", "i'd"}
    | {"like", "want", "i'll", "can", "could", "have", "get", "give", "for", "now", "let's", "let"}
)
_BUY_IN = re.compile(r"(?:rebuy|buys? in)(?: for)?(?: (.*))?")
#: After "bets", these words turn bets on or off or take them down; they don't ask for the list.
_CALL_AFTER_BETS = re.compile(r"(?:(?:are|is|back|all) )*(?:on|off|(?:not )?working|down)")
#: Lines that begin like this get the error message of the record reader.
_TABLE_LINES = (
    *("no roll", "ruling ", "new dice ", "clock ", "die ", "dice out", "dice back", "dead game"),
    *("inspect dice", "recall dice", "cancel dice", "table closes", "table opens"),
)
#: A word more similar to a command than this (0 to 1) counts as a typing error.
_SIMILARITY = 0.74


class Command(NamedTuple):
    """A command in a typed line: its name, and the words after it."""

    name: str
    rest: str = ""


def find_command(part: str, player: str, table: Table, typed: bool) -> Command | None:
    """Return the command in one part of a typed line, or None if the words are for the dealer.

    ``player`` is the one who speaks. With ``typed``, the user types the dice of a real game, and
    may type its other record lines too.
    """
    low = " ".join(part.lower().split()).rstrip(" .!")
    plain = low.replace(",", " ").rstrip(" ?")
    bare = " ".join(word for word in plain.split() if word not in _FILLER_WORDS)
    for words in (low, _ALIASES.get(low, low), bare, _ALIASES.get(bare, bare)):
        if words in _BARE_COMMANDS:
            return Command(words)
    question = classify_question(low)
    if question is not None:
        return Command("asks", question)
    first, _, rest = part.partition(" ")
    first, rest = (_ALIASES[low], "") if low in _ALIASES else (first.lower(), rest)
    if first in _COMMANDS_WITH_TEXT and not (
        first == "bets" and _CALL_AFTER_BETS.fullmatch(rest.strip().lower())
    ):
        return Command(first, rest.strip())
    dice = low.removeprefix("roll ").strip()
    if TWO_DICE.fullmatch(dice) or low.startswith("roll ") or (typed and _DICE_LIKE.fullmatch(low)):
        # At a real table more may follow, such as "tampered".
        more = typed and not TWO_DICE.fullmatch(dice) and _is_table_line(low, table)
        return Command("does", low) if more else Command("roll", dice)
    if bare in _PLAYER_ACTIONS:
        return Command("does", f"{player} {_PLAYER_ACTIONS[bare]}")
    if line := _LINE_PREFERENCE.fullmatch(bare):
        return Command("line", line[1])
    if bought := _BUY_IN.fullmatch(low):
        return Command("buy in", bought[1] or "")
    return _find_table_line(part, player, table, typed)


def _find_table_line(part: str, player: str, table: Table, typed: bool) -> Command | None:
    """Return the command for a record line such as ``bob passes the dice``, or None.

    A player may have a name such as Field or Max. If the words can be read as a bet, they are a
    bet. With ``typed``, lines about the dice and the table count too.
    """
    first, _, rest = part.partition(" ")
    seats = {seat.name.lower(): seat.name for seat in table.seats}
    if first.lower() in seats and rest.strip():
        line = f"{seats[first.lower()]} {rest.strip()}"
        if _is_table_line(line, table) or not _is_understood(part, player, table):
            return Command("does", line)
        return None
    if typed and (part.lower().startswith(_TABLE_LINES) or _is_table_line(part, table)):
        return Command("does", part)
    return None


def _is_table_line(line: str, table: Table) -> bool:
    """Return whether the line is a valid record line that is not a player's statement."""
    with suppress(RecordError):
        read_table_line(line, table)
        return True
    return False


def _is_understood(words: str, player: str, table: Table) -> bool:
    """Return whether the dealer understands the words, even if the bet is not allowed now."""
    with suppress(RecordError):
        with suppress(UnplayableError):
            understand(table, player, words)
        return True
    return False


def dice_question(typed: str) -> str:
    """Return the message for a player who types the dice and did not type two valid ones.

    >>> dice_question("4 7")
    'A die has the faces 1 to 6: type the two that fell, such as 4 3.'
    """
    return say_prompt("dice-faces" if _DICE_LIKE.fullmatch(typed) else "which-dice")


def nearest_command(words: str) -> str:
    """Return the command that a mistyped word resembles, or an empty string.

    >>> nearest_command("rol"), nearest_command("qiut"), nearest_command("place the six")
    ('roll', 'quit', '')
    """
    phrases = (*_PLAYER_ACTIONS, "pass the dice", "take the dice")
    known = [*_BARE_COMMANDS, *_COMMANDS_WITH_TEXT, *phrases]
    return next(iter(difflib.get_close_matches(words.lower(), known, 1, _SIMILARITY)), "")


#: The most that is sold at a time, in cents: chips that a screen can show.
MOST_BUY_IN = 1_000_000_000


def roll_dice(session: TerminalSession, rest: str) -> Iterator[str]:
    """Roll the dice, or use the two in ``rest``, the words after "roll". Yield the lines to show.

    If the dice would pass to another player before this roll, such as when the player has no line
    bet, only warn, once per roll. Typed dice are rolled without a warning.
    """
    game, dice, typed = session.game, session.dice, TWO_DICE.fullmatch(rest)
    if typed and dice is not None:
        yield say_prompt("dice-are-rolled")
        yield say_prompt("typed-dice-option")
        return
    if dice is None and not typed:
        yield dice_question(rest)
        return
    if typed and not typed[2] and rest in {"11", "12"}:
        yield say_prompt("total-or-dice", typed=rest, apart=f"{rest[0]} {rest[1]}")
        return
    who = find_next_shooter(game.table)
    if isinstance(who, Refusal):
        session.refused, session.stopped = who, True
        reason = describe_refusal(who, to=session.player)
        words = say_prompt("no", reason=reason, cite=who.cite)
        yield from session.look.fold(words, "lose")
        yield from session.look.fold(session.hints.next(game.table, requested=True), "even")
        return
    lost = describe_lost_dice(who.events, session.player)
    if lost and typed is None and session.warned != game.throws:
        session.warned, session.stopped = game.throws, True
        words = f"{lost} {session.hints.make(game.table, 'keep-dice')}"
        yield from session.look.fold(words, "even")
    elif typed:
        yield from session.do_table_line(f"roll {typed[1]} {typed[3]}")
    elif dice is not None:
        yield from session.run_action(lambda: game.roll(dice))


def buy_in(session: TerminalSession, words: str) -> Iterator[str]:
    """Buy chips for the amount in ``words``, and yield the lines to show."""
    if not words:
        yield say_prompt("buy-in-how-much")
        return
    try:
        cents = parse_dollars(words.removesuffix(" dollars"))
    except AmountError as error:
        yield from session.look.fold(str(error), "lose")
        return
    if cents > MOST_BUY_IN:
        yield say_prompt("buy-in-limit", most=MOST_BUY_IN)
        return
    yield from session.do_table_line(f"{session.player} buys in {format_amount(cents)}")


def undo_last(session: TerminalSession, _: str) -> Iterator[str]:
    """Take back what the player said last, and yield the lines to show."""
    words, entries = session.game.undo(session.player)
    if refused := [entry for entry in entries if entry.refusal is not None]:
        yield from session.show_answers(refused[:1])
        return
    rail = session.game.table.seat(session.player).rail
    yield from session.look.fold(say_prompt("taken-back", words=words, rail=rail))


def save_as(session: TerminalSession, name: str) -> Iterator[str]:
    """Save the record to the file ``name``, and yield the lines to show.

    Ask before an existing file is replaced.
    """
    if not name:
        yield say_prompt("save-where")
        return
    try:
        path = save_path(name)
        there = path.exists() and not path.is_dir()
    except (OSError, ValueError, RuntimeError) as error:
        yield from session.look.fold(write_failure_message(name, error))
        return

    def save() -> Iterator[str]:
        yield from session.look.fold(save_copy(session.game, session.base, path))

    if there:
        session.question = save
        yield from session.look.fold(say_prompt("replace-file", path=path))
    else:
        yield from save()


def leave_table(session: TerminalSession, _: str) -> Iterator[str]:
    """Take down every bet that may come down, and quit. Yield the lines to show.

    If the table refuses, the session goes on; the lines say how to quit.
    """
    yield from session.do_table_line(f"{session.player} leaves")
    if session.refused is None:
        yield from quit_table(session, "")
    else:
        yield say_prompt("quit-instead")


def quit_table(session: TerminalSession, _: str) -> Iterator[str]:
    """End the session and yield a farewell. The game stays as it is and can be resumed."""
    session.over = True
    seat = session.game.table.seat(session.player)
    up = sum(stake.amount for stake in seat.wagers.values())
    change = seat.rail + up - seat.bought_in
    yield say_prompt(
        "you-go-with-bets" if up else "you-go",
        rail=seat.rail,
        up=up,
        change=change,
    )
