"""Parse one line that somebody says at a live table. Pure.

`parse_line` turns the text into one of four things: talk about bets, an engine command, a request
for a throw, or an act, which is something that records have no line for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from passline.game.table import commands as cmd
from passline.live.live_table import LiveTable
from passline.live.permissions import (
    ENGINE_ROLES,
    authorize,
    authorize_call,
    authorize_decline,
    load_matrix,
    require_speaker,
)
from passline.live.schema import (
    ServiceError,
)
from passline.live.tokens import Holder
from passline.record.table_lines import read_table_line
from passline.talk.errors import RecordError
from passline.text import join_names_in, show_name

#: The longest line, in characters.
MAX_LINE_LENGTH: Final = 2000
_BUY_IN_PATTERN = re.compile(r"(?:rebuy|buys? in)(?: for)? (\S+)(?: dollars)?")
_CHANGE_PATTERN = re.compile(r"change (\S+) (?:to|into|for) (\S+)")
_DECLINED_PATTERN = re.compile(
    r"(\S+) buy-in declined(?: (?:for|because) (.{1,200}))?", re.IGNORECASE
)
_SPEAKER_PATTERN = re.compile(r"([^\s:;]+)\s*:\s*(.*)", re.DOTALL)


class PlayerTalk(Struct, frozen=True):
    """Commands about bets, as text that a player says or that the crew books for a player."""

    player: str
    says: tuple[str, ...]


class TableCommand(Struct, frozen=True):
    """One command for the rules engine, with the text from which it was parsed."""

    text: str
    command: cmd.AnyCommand


class ThrowRequest(Struct, frozen=True):
    """A request to throw the house's dice. ``text`` is what the player said."""

    text: str


class TableAct(Struct, frozen=True):
    """Something without a record line, such as ``ready``. It becomes the ``act`` of an entry."""

    text: str
    act: str
    more: Mapping[str, Any] = {}


ParsedLine = PlayerTalk | TableCommand | ThrowRequest | TableAct


def parse_line(live: LiveTable, holder: Holder, text: str) -> ParsedLine:
    """Return what a line from this holder means: talk, a command, a throw or an act.

    Raise ServiceError with the code ``not_understood`` for words that mean nothing here, and
    ``forbidden`` if another role must say them.
    """
    require_speaker(live, holder)
    if len(text) > MAX_LINE_LENGTH:
        raise ServiceError("long-line", count=len(text), most=MAX_LINE_LENGTH)
    if not text.replace(";", " ").split():
        raise ServiceError("empty-line")
    text = join_names_in(text, (*live.table.names, *live.buy_in_requests))
    parse = _parse_player_line if holder.role == "player" else _parse_crew_line
    return parse(live, holder, text)


def _parse_player_line(live: LiveTable, holder: Holder, text: str) -> ParsedLine:
    """Parse a player's line: either bets, or a single throw, act or command such as a buy-in.

    Raise ServiceError if bets and other things are in one line, or the player speaks for another.
    """
    name = holder.name
    if live.table.find(name) is None:
        raise ServiceError("no-seat")
    speaker = _split_speaker(live, text)
    if speaker is not None and speaker[0] == name:
        text = speaker[1]
    elif speaker is not None:
        raise ServiceError("only-yourself", player=speaker[0])
    parts = tuple(part.strip() for part in text.split(";") if part.strip())
    alone = [_parse_single(live, name, part) for part in parts]
    if len(parts) == 1 and alone[0] is not None:
        return _check_player_line(live, holder, alone[0])
    if any(one is not None for one in alone):
        which = next(part for part, one in zip(parts, alone, strict=True) if one is not None)
        raise ServiceError("separate-line", words=which, nearest=which[:80])
    return PlayerTalk(name, parts)


def _parse_single(live: LiveTable, name: str, part: str) -> ParsedLine | None:
    """Parse one part of a player's line as a throw, an act or a command such as a buy-in.

    Return None if it is talk to a dealer, about bets.
    """
    low = " ".join(part.lower().split())
    known = load_matrix()
    if low in known.throws["says"]:
        return ThrowRequest(part)
    if low in known.acted:
        return TableAct(part, known.acted[low])
    if low == "undo":
        return PlayerTalk(name, ("undo",))
    line = f"{name} {known.does[low]}" if low in known.does else _find_own_line(live, name, part)
    if line:  # This also covers a player who is named like one of these words.
        return _read_command(live, part, line)
    if bought := _BUY_IN_PATTERN.fullmatch(low):
        line = f"{name} buys in {bought[1]}"
    elif changed := _CHANGE_PATTERN.fullmatch(low):
        line = f"{name} changes {changed[1]} to {changed[2]}"
    return _read_command(live, part, line) if line else None


def _find_own_line(live: LiveTable, name: str, part: str) -> str:
    """Return a player's text as a record line if it begins with the player's own name.

    Return "" if it does not, or if it is no record line.
    """
    first, _, rest = part.partition(" ")
    line = f"{name} {rest.strip()}"
    if first.lower() != name.lower() or not rest.strip():
        return ""
    try:
        read_table_line(line, live.table)
    except ValueError:
        return ""
    return line


def _check_player_line(live: LiveTable, holder: Holder, parsed: ParsedLine) -> ParsedLine:
    """Return a player's parsed line; a command gets its author's role in ``by``.

    Raise ServiceError if this table does not allow the line: a Daily allows no buy-ins, and a table
    with typed dice no throws. Raise it also if the player may not give the command.
    """
    if isinstance(parsed, TableCommand):
        if live.settings.daily and isinstance(parsed.command, cmd.BuyIn):
            raise ServiceError("daily-chips")
        return TableCommand(parsed.text, assign_author(live, holder, parsed.command))
    if isinstance(parsed, ThrowRequest) and live.settings.dice == "typed":
        raise ServiceError("dice-are-real")
    return parsed


def _parse_crew_line(live: LiveTable, holder: Holder, text: str) -> ParsedLine:
    """Parse a line of a crew member: bets booked for a player, a call, or a record line.

    Raise ServiceError for any other text.
    """
    if "#" in text:
        raise ServiceError("line-comment")
    speaker = _split_speaker(live, text)
    if speaker is not None:
        parts = tuple(part.strip() for part in speaker[1].split(";") if part.strip())
        if not parts:
            raise ServiceError("missing-bet", player=speaker[0])
        return PlayerTalk(speaker[0], parts)
    if unknown := _SPEAKER_PATTERN.fullmatch(text.strip()):
        players = [show_name(name) for name in live.table.names]
        raise ServiceError("unknown-player", player=unknown[1], players=players)
    called = _parse_crew_call(live, holder, text.strip())
    if called is not None:
        return called
    does = _read_command(live, text, text.strip(), ENGINE_ROLES[holder.role][0])
    return TableCommand(does.text, assign_author(live, holder, does.command))


def _parse_crew_call(live: LiveTable, holder: Holder, text: str) -> TableAct | None:
    """Parse a crew member's call for which records have no line, such as declining a buy-in.

    Return None for any other line. Raise ServiceError if the holder may not make the call.
    """
    act = load_matrix().calls.get(" ".join(text.lower().rstrip("!").split()))
    if act is not None and authorize_call(live, holder, act):
        return TableAct(text, act)
    declined = _DECLINED_PATTERN.fullmatch(" ".join(text.split()))
    if declined is None:
        return None
    who = next((name for name in live.buy_in_requests if name.lower() == declined[1].lower()), "")
    if not who:
        raise ServiceError("no-buy-in-asked", player=declined[1])
    authorize_decline(live, holder, who)
    return TableAct(text, "turn-down", {"player": who, "reason": declined[2] or ""})


def make_not_understood(
    live: LiveTable, holder: Holder, text: str, wrong: RecordError
) -> ServiceError:
    """Return the error for a line that was not understood. ``wrong`` is the parser's error.

    If the line means something that only another role may say, return that ``forbidden`` error.
    """
    try:
        does = _read_command(live, text, text.strip())
        authorize(live, holder, does.command)
    except ServiceError as other:
        if other.code == "forbidden":
            return other
    return ServiceError(
        "not_understood",
        wrong.message,
        understood=tuple(getattr(wrong, "known_words", ())),
        nearest=str(getattr(wrong, "suggestion", "")),
        plain=str(getattr(wrong, "short_message", "")),
    )


def assign_author(live: LiveTable, holder: Holder, command: cmd.AnyCommand) -> cmd.AnyCommand:
    """Return the command with its author's role, as the engine names it, in ``by``.

    Raise ServiceError if the holder may not give it.
    """
    return replace(command, by=authorize(live, holder, command))


def _split_speaker(live: LiveTable, text: str) -> tuple[str, str] | None:
    """Split ``NAME: text`` into (name, text). Return None if no player here has that name."""
    found = _SPEAKER_PATTERN.fullmatch(text.strip()) if ":" in text else None
    if found is None:
        return None
    names = {name.lower(): name for name in live.table.names}
    name = names.get(found[1].lower())
    return (name, found[2]) if name else None


def _read_command(live: LiveTable, said: str, line: str, speaker: str = "") -> TableCommand:
    """Parse a ``.craps`` record line into a command. ``said`` is the text that the person sent.

    ``speaker`` is the role of the crew member who says it.

    Raise ServiceError (``not_understood``) if it is not a record line.
    """
    try:
        return TableCommand(said.strip(), read_table_line(line, live.table, speaker))
    except RecordError as wrong:
        raise ServiceError("not_understood", wrong.message) from None
    except ValueError as wrong:  # A seat position or an amount is out of range.
        raise ServiceError("not_understood", str(wrong)) from None
