"""Who says what in a log: an entry's words given back to whoever said them, to be dealt again."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

from passline.layout import Refusal
from passline.live.acts import matrix, may_call_it, may_turn_down, speaks
from passline.live.auditing.findings import WrongError
from passline.live.dealer import CLOCK, Due, dues, line_of
from passline.live.dealing import DealtLine, deal, taken_down
from passline.live.entries import Entry
from passline.live.inviting import GIVEN
from passline.live.learning import check_worked
from passline.live.live_table import MACHINE, LiveTable, time_of
from passline.live.pacing import may_throw
from passline.live.saying import Acts, SaidByPlayer, ThrowSaid, hear
from passline.live.tables import older
from passline.live.tokens import Holder, voice
from passline.record.table_lines import read_happening
from passline.table import commands as cmd
from passline.table import decide
from passline.talk.errors import RecordError
from passline.talk.says import read_say
from passline.talk.understand import knows

#: An entry is stamped after its server has looked at the same clock, which may be put back a little
#: in between.
_SLACK: Final = timedelta(seconds=1)
_MINUTE: Final = timedelta(minutes=1)
_OWN_ACTS: Final = frozenset({"ready", "line-down", "line-up"})
_COMMITS: Final = frozenset({"commit", "restore"})
_GIVEN: Final = frozenset({*GIVEN, "player"})
_GIVERS: Final = frozenset({"operator", "floor"})


def line_of_people(live: LiveTable, entry: Entry) -> DealtLine | Refusal:
    """What comes of a line that a player or a post said. HallError, WrongError: it is not theirs
    to say."""
    who = _speaker(entry)
    if "fair" in entry.more or "daily" in entry.more:
        if who.role != "player":
            raise WrongError(f"the {who.role} throws no dice of the house")
        refused = may_throw(live, who.name, time_of(entry.at) + _SLACK)
        return refused or _thrown(live, entry)
    if who.role == "player" and entry.line.startswith(f"{who.name} joins for "):
        if live.settings.buy_ins == "box":
            raise WrongError("the box says who joins here")
        return _happens(live, entry.line)
    if entry.id is None:
        raise WrongError("a say without an id")
    heard = hear(live, who, entry.line)
    if isinstance(heard, ThrowSaid | Acts):
        raise WrongError(f"{entry.line[:80]!r} is no line of a log")
    if isinstance(heard, SaidByPlayer):
        _canonical(live, heard)
    return deal(live, who, heard)


def _canonical(live: LiveTable, heard: SaidByPlayer) -> None:
    """A log holds no talk: what is no canonical say need not be listened to, nor guessed at."""
    for say in heard.says:
        try:
            said = read_say(heard.player, say, partial(knows, live.table))
        except RecordError as wrong:
            raise WrongError(f"{say[:80]!r}: {wrong.message}") from None
        if said is None:
            raise WrongError(f"{say[:80]!r} is no say in canonical words")


def line_of_machine(live: LiveTable, entry: Entry) -> DealtLine | Refusal:
    """What comes of a line of the machine's own. WrongError: it had no reason to say it."""
    of_machine(entry)
    now = time_of(entry.at) + _SLACK
    come = [due for due in dues(live) if due.when <= now]
    if "fair" in entry.more:
        if not any(due.line == "" for due in come):
            raise WrongError("the machine throws, and has no reason to")
        return _thrown(live, entry)
    if not any(_says(live, due, entry.line, now) for due in come):
        raise WrongError(f"the machine says {entry.line[:80]!r}, and has no reason to")
    return _happens(live, entry.line)


def _says(live: LiveTable, due: Due, line: str, now: datetime) -> bool:
    """Whether it is a line that the machine says for this, by now; a time that it tells has
    come, and is not older than what it tells it for."""
    if due.line == "":
        return False
    if due.line != CLOCK:
        return line_of(live, due, now) == line
    try:
        told = datetime.strptime(line, f"{CLOCK} %Y-%m-%d %H:%M")
    except ValueError:
        return False
    zone = ZoneInfo(live.settings.zone)
    times = (told.replace(tzinfo=zone, fold=fold) for fold in (0, 1))  # an hour may come twice
    return any(
        due.when - _MINUTE < time <= now and line_of(live, due, time) == line for time in times
    )


def act_of(live: LiveTable, entry: Entry) -> list[DealtLine]:
    """What the machine says after an act, at once. WrongError where there is no such act."""
    act = entry.act
    if act in _OWN_ACTS:
        who = _speaker(entry)
        if who.role != "player" or live.table.find(who.name) is None:
            raise WrongError(f"{act} is a player's to say")
        return taken_down(live, who.name) if act == "line-down" else []
    if act == "asks":
        _asks(live, entry)
    elif act in matrix().calls.values():
        if not may_call_it(live, _speaker(entry), act):
            raise WrongError(f"the rulebook has no call {act!r}")
    elif act == "turn-down":
        _turns_down(live, entry)
    elif act in ("invite", "withdraw"):
        _gives(live, entry)
    elif act == "worked":
        _speaker(entry)
        if not check_worked(live, entry):
            raise WrongError("the learner's work is not marked as it is judged")
    elif act in _COMMITS:
        of_machine(entry)
    elif act in ("moved", "arrived"):
        if (entry.role, entry.by, entry.id) != ("operator", "house", None):
            raise WrongError("the operator moves tables")
        if live.moved != (act == "arrived"):
            raise WrongError("a table arrives once after it has moved")
    elif act == "version":
        of_machine(entry)
        if not older(live.version, str(entry.more.get("version"))):
            raise WrongError(f"no later version than {live.version}: {entry.more.get('version')!r}")
    else:
        raise WrongError(f"there is no act {act[:40]!r}")
    return []


def _speaker(entry: Entry) -> Holder:
    who = Holder(entry.role, entry.by if entry.role == "player" else "")
    if voice(who)[1] != entry.by:
        raise WrongError(f"the {entry.role} does not speak as {entry.by[:40]!r}")
    return who


def of_machine(entry: Entry) -> None:
    """Show that an entry is the machine's own. WrongError where it is not."""
    if (entry.role, entry.by, entry.id) != (MACHINE, MACHINE, None):
        raise WrongError("it is the machine's, as machine, and without an id")


def _asks(live: LiveTable, entry: Entry) -> None:
    who, amount, place = _speaker(entry), entry.more.get("amount"), entry.more.get("place")
    whole = type(amount) is int and type(place) is int
    if who.role != "player" or live.settings.buy_ins != "box" or not whole:
        raise WrongError("a player asks the box for chips, where the table does")
    assert isinstance(amount, int)
    assert isinstance(place, int)
    known = live.table.find(who.name) is not None
    asked = cmd.BuyIn(who.name, amount) if known else cmd.Join(who.name, amount, place)
    if isinstance(decide(live.table, asked), Refusal):
        raise WrongError("the table would have refused those chips at once")


def _turns_down(live: LiveTable, entry: Entry) -> None:
    player = entry.more.get("player")
    if player not in live.asking or not isinstance(entry.more.get("reason"), str):
        raise WrongError("it turns down a buy-in that nobody asked for")
    may_turn_down(live, _speaker(entry), player)


def _gives(live: LiveTable, entry: Entry) -> None:
    speaks(live, _speaker(entry))
    holder = entry.more.get("holder")
    told = holder if isinstance(holder, dict) and set(holder) == {"role", "name"} else {}
    if told.get("role") not in _GIVEN or not isinstance(told["name"], str):
        raise WrongError("it does not tell whose the token is")
    if entry.role not in _GIVERS or entry.id is not None:
        raise WrongError("the operator and the floor give tokens and withdraw them")


def _thrown(live: LiveTable, entry: Entry) -> DealtLine | Refusal:
    command = read_happening(entry.line, live.table)
    if not isinstance(command, cmd.Roll):
        raise WrongError(f"a throw's line is 'roll A B', and this is {entry.line[:80]!r}")
    return _happens(live, entry.line)


def _happens(live: LiveTable, line: str) -> DealtLine | Refusal:
    answer = decide(live.table, read_happening(line, live.table))
    return answer if isinstance(answer, Refusal) else DealtLine((), line, answer)
