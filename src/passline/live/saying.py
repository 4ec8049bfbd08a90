"""What somebody says at a live table, heard as a line of a record, or as what no record has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from passline.live.acts import acting, matrix, may_call_it, may_turn_down, speaks
from passline.live.asks import HallError
from passline.live.live_table import LiveTable
from passline.live.tokens import Holder
from passline.record.table_lines import read_happening
from passline.table import commands as cmd
from passline.talk.errors import RecordError

#: A line of a record is no longer than this.
LONGEST: Final = 2000
_BUY_IN = re.compile(r"(?:rebuy|buys? in)(?: for)? (\S+)(?: dollars)?")
_CHANGE = re.compile(r"change (\S+) (?:to|into|for) (\S+)")
_TURNED_DOWN = re.compile(r"(\S+) buy-in declined(?: (?:for|because) (.{1,200}))?", re.IGNORECASE)
_SPEAKER = re.compile(r"([^\s:;]+)\s*:\s*(.*)", re.DOTALL)


class SaidByPlayer(Struct, frozen=True):
    """What a player says to the dealer, or the crew books for one: says, split."""

    player: str
    says: tuple[str, ...]


class Does(Struct, frozen=True):
    """What happens at the table: one command, by whoever says it."""

    said: str
    command: cmd.AnyCommand


class ThrowSaid(Struct, frozen=True):
    """The house's dice are to be thrown."""

    said: str


class Acts(Struct, frozen=True):
    """What no record has: an entry's ``act``."""

    said: str
    act: str
    more: Mapping[str, Any] = {}


HeardSay = SaidByPlayer | Does | ThrowSaid | Acts


def hear(live: LiveTable, holder: Holder, text: str) -> HeardSay:
    """What a say is. HallError: 403 where it is not theirs to say, 422 where nobody could."""
    speaks(live, holder)
    if len(text) > LONGEST:
        raise HallError(422, f"{len(text)} characters: a line has {LONGEST} at most")
    if not text.strip(" \t\r\n;"):
        raise HallError(422, "nothing was said: expected a line such as 'pass for 10'")
    return _player(live, holder, text) if holder.role == "player" else _crew(live, holder, text)


def _player(live: LiveTable, holder: Holder, text: str) -> HeardSay:
    name = holder.name
    if live.table.find(name) is None:
        raise HallError(403, f"{name or 'nobody'} has no seat here yet: sit down first")
    speaker = _speaker(live, text)
    if speaker is not None and speaker[0] == name:
        text = speaker[1]
    elif speaker is not None:
        raise HallError(403, f"{name} speaks for {name}, and not for {speaker[0]}")
    parts = tuple(part.strip() for part in text.split(";") if part.strip())
    alone = [_alone(live, name, part) for part in parts]
    if len(parts) == 1 and alone[0] is not None:
        return _checked(live, holder, alone[0])
    if any(one is not None for one in alone):
        which = next(part for part, one in zip(parts, alone, strict=True) if one is not None)
        raise HallError(422, f"{which[:40]!r} stands alone: say it by itself", nearest=which[:80])
    return SaidByPlayer(name, parts)


def _alone(live: LiveTable, name: str, part: str) -> HeardSay | None:
    """What a player says that is no wager; None: it is for the dealer."""
    low = " ".join(part.lower().split())
    known = matrix()
    if low in known.throws["says"]:
        return ThrowSaid(part)
    if low in known.acted:
        return Acts(part, known.acted[low])
    if low == "undo":
        return SaidByPlayer(name, ("undo",))
    line = f"{name} {known.does[low]}" if low in known.does else _own_line(live, name, part)
    if line:  # of a player whose name is one of these words, too
        return _happening(live, part, line)
    if bought := _BUY_IN.fullmatch(low):
        line = f"{name} buys in {bought[1]}"
    elif changed := _CHANGE.fullmatch(low):
        line = f"{name} changes {changed[1]} to {changed[2]}"
    return _happening(live, part, line) if line else None


def _own_line(live: LiveTable, name: str, part: str) -> str:
    """A record's line about the player himself: ``ann takes the dice``, said by ann."""
    first, _, rest = part.partition(" ")
    line = f"{name} {rest.strip()}"
    if first.lower() != name.lower() or not rest.strip():
        return ""
    try:
        read_happening(line, live.table)
    except ValueError:
        return ""
    return line


def _checked(live: LiveTable, holder: Holder, heard: HeardSay) -> HeardSay:
    if isinstance(heard, Does):
        if live.settings.daily and isinstance(heard.command, cmd.BuyIn):
            raise HallError(403, "everybody plays a Daily with the same buy-in, and no more")
        return Does(heard.said, said_by(live, holder, heard.command))
    if isinstance(heard, ThrowSaid) and live.settings.dice == "typed":
        raise HallError(403, "real dice are thrown here: the stick types them in")
    return heard


def _crew(live: LiveTable, holder: Holder, text: str) -> HeardSay:
    if "#" in text:
        raise HallError(422, "a '#' begins a comment: expected a line of a record without one")
    speaker = _speaker(live, text)
    if speaker is not None:
        parts = tuple(part.strip() for part in speaker[1].split(";") if part.strip())
        if not parts:
            raise HallError(422, f"expected what {speaker[0]} says after the name")
        return SaidByPlayer(speaker[0], parts)
    called = _called(live, holder, text.strip())
    if called is not None:
        return called
    does = _happening(live, text, text.strip())
    return Does(does.said, said_by(live, holder, does.command))


def _called(live: LiveTable, holder: Holder, text: str) -> Acts | None:
    """What the crew says that no record has; None: it is a line of one."""
    act = matrix().calls.get(" ".join(text.lower().rstrip("!").split()))
    if act is not None and may_call_it(live, holder, act):
        return Acts(text, act)
    declined = _TURNED_DOWN.fullmatch(" ".join(text.split()))
    if declined is None:
        return None
    who = next((name for name in live.asking if name.lower() == declined[1].lower()), "")
    if not who:
        raise HallError(422, f"{declined[1][:40]!r} asks for no buy-in here")
    may_turn_down(live, holder, who)
    return Acts(text, "turn-down", {"player": who, "reason": declined[2] or ""})


def not_said(live: LiveTable, holder: Holder, text: str, wrong: RecordError) -> HallError:
    """What is told of talk that is not understood: a line that somebody else may say is 403."""
    try:
        does = _happening(live, text, text.strip())
        acting(live, holder, does.command)
    except HallError as other:
        if other.status == 403:
            return other
    heard = tuple(getattr(wrong, "heard", ()))
    nearest = str(getattr(wrong, "suggestion", ""))
    plain = str(getattr(wrong, "plain", ""))
    return HallError(422, wrong.message, understood=heard, nearest=nearest, plain=plain)


def said_by(live: LiveTable, holder: Holder, command: cmd.AnyCommand) -> cmd.AnyCommand:
    """The same command by whoever holds the token: HallError 403 where it is not theirs."""
    return replace(command, by=acting(live, holder, command))


def _speaker(live: LiveTable, text: str) -> tuple[str, str] | None:
    """``NAME: what``, where the name is somebody's here."""
    found = _SPEAKER.fullmatch(text.strip()) if ":" in text else None
    if found is None:
        return None
    names = {name.lower(): name for name in live.table.names}
    name = names.get(found[1].lower())
    return (name, found[2]) if name else None


def _happening(live: LiveTable, said: str, line: str) -> Does:
    try:
        return Does(said.strip(), read_happening(line, live.table))
    except RecordError as wrong:
        raise HallError(422, wrong.message) from None
    except ValueError as wrong:  # a place, an amount that no command has
        raise HallError(422, str(wrong)) from None
