"""The machine's dealing: what it says next at a table, and when. A pure function of the log.

It keeps the game moving by the rulebook: tells the time where a rule needs it, brings new dice,
passes a slow shooter for delay, throws where a machine throws, marks a dead game, and lets go of
players who have been silent for ten minutes without a wager.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from passline.law.roles import posts_of
from passline.law.voices import voices
from passline.layout import Refusal
from passline.live.acts import other_end
from passline.live.learning import learner_ends
from passline.live.live_table import LiveTable, time_of
from passline.live.pacing import betting_ends
from passline.record.table_lines import happening_words, read_happening
from passline.table import commands as cmd
from passline.table import decide, evolve_all, posts
from passline.table.acting import inspector_of
from passline.table.custody import automated, thrower
from passline.table.sending import kept_back

#: Who is silent for so long without a wager leaves.
PATIENCE: Final = timedelta(minutes=10)
CLOCK: Final = "clock"


class Due(Struct, frozen=True):
    """What the machine says, and when. An empty line: it throws the house's dice; ``clock``: it
    tells the time. ``slow``: a shooter is to lose the dice for delay."""

    when: datetime
    line: str = ""
    slow: bool = False


def dues(live: LiveTable) -> tuple[Due, ...]:
    """What the machine would do if nobody says anything before, the soonest first. Whether it
    may, ``line_of`` says when the time has come."""
    return tuple(sorted(_dues(live), key=lambda due: due.when))


def _dues(live: LiveTable) -> Iterator[Due]:
    yield from soon(live)
    yield from _silent(live)


def soon(live: LiveTable) -> Iterator[Due]:
    """What may be due at once: all but the leaving of those who are silent for long."""
    if live.moved:
        return  # it is dealt elsewhere
    yield from _dead(live)
    yield from _clock(live)
    yield from _mended(live)
    yield from _confirmed(live)
    yield from _let_in(live)
    yield from _thrown(live)
    yield from _slow(live)


def line_of(live: LiveTable, due: Due, now: datetime) -> str:
    """The line that the machine says; empty: it may not be said as the table stands."""
    line, table = due.line, live.table
    if line == CLOCK:
        line = f"{CLOCK} {now.astimezone(ZoneInfo(live.settings.zone)):%Y-%m-%d %H:%M}"
    answer = decide(table, read_happening(line, table))
    if isinstance(answer, Refusal):
        return ""
    if due.slow:
        then = thrower(evolve_all(table, answer))
        if isinstance(then, Refusal) or then.id == live.due:
            return ""  # nobody else may throw: the game waits
    return line


def _holds(live: LiveTable, name: str, player: str = "") -> bool:
    """Whether the machine has the post of somebody whom the engine calls so; of the dealers, the
    player's own."""
    held = posts_of(name)
    if name == "dealer" and posts.base_dealers(live.table.house)[0] == 1:
        held = ("left-base",)  # one dealer deals to both ends
    elif name == "dealer" and player:
        held = tuple(post for post in held if not other_end(live, post, player))
    return any(live.machine_deals(post) for post in held)


def _here(live: LiveTable) -> bool:
    return any(seat.here for seat in live.table.playing)


def _dead(live: LiveTable) -> Iterator[Due]:
    """Nobody plays: the last one has left, and nothing lies on the layout."""
    table = live.table
    if _here(live):  # nearly always, and this is asked after every line
        return
    idle = bool(table.gone) and not table.playing and table.status == "live"
    if idle and not automated(table) and _holds(live, "boxperson"):
        yield Due(time_of(live.head.at), "dead game")


def _clock(live: LiveTable) -> Iterator[Due]:
    """The time, where a rule turns on it: at first, and when the rule has something to do."""
    table = live.table
    hours, shootout = table.house.book.inspection.hours, table.house.book.shootout
    if (hours is None and table.shootout is None) or not _here(live):
        return
    if not table.now:
        yield Due(time_of(live.head.at), CLOCK)
        return
    told, zone = datetime.fromisoformat(table.now), ZoneInfo(live.settings.zone)
    if table.shootout is not None and shootout is not None:
        at = datetime.combine(told.date(), time.fromisoformat(shootout.at.value), zone)
        at += timedelta(days=at.replace(tzinfo=None) <= told)
        yield Due(at, CLOCK)
    if hours is not None and table.dice.since:
        old = datetime.fromisoformat(table.dice.since) + timedelta(hours=hours.value)
        if old > told:
            yield Due(old.replace(tzinfo=zone), CLOCK)


def _mended(live: LiveTable) -> Iterator[Due]:
    """What keeps the dice from being thrown, and is for a post that the machine has."""
    table, now = live.table, time_of(live.head.at)
    if live.hit and _holds(live, inspector_of(table)):
        yield Due(now, f"inspect dice by {inspector_of(table)}")
    refused = kept_back(table) if table.status == "live" and _here(live) else None
    if refused is None or automated(table):
        return
    if refused.code == "needs-okay" and _holds(live, "boxperson"):
        yield Due(now, "boxperson okays the dice")
    elif refused.code == "set-too-old" and _brings_dice(live):
        yield Due(now, "new dice age")
    elif refused.code == "dice-barred" and refused.allowed == ("inspection",):
        by = inspector_of(table)
        if _holds(live, by):
            yield Due(now, f"inspect dice by {by}")
    elif refused.code == "dice-barred" and _brings_dice(live):
        why = {"reopened": "reopen", "lost": "die-lost"}.get(str(refused.figures["why"]), "damage")
        yield Due(now, f"new dice {why}")


def _brings_dice(live: LiveTable) -> bool:
    """Whether a new set is for a post that the machine has: whom the book names, or the box."""
    house = live.table.house
    named = (v.by for v in voices(house.book.id, house.game, "new-dice") if v.by)
    return any(_holds(live, by) for by in next(named, ("boxperson",)))


def _confirmed(live: LiveTable) -> Iterator[Due]:
    """A late wager is confirmed, too, by those of the crew whose posts the machine has."""
    for late in live.table.late:
        for by in late.needs:
            if _holds(live, by, late.player):
                name = live.table.seat(late.player).name
                yield Due(time_of(live.head.at), f"{by} confirms {name} {late.wager}")


def _let_in(live: LiveTable) -> Iterator[Due]:
    """Where a table asks the box, and the machine has it and the floor, nobody waits."""
    if not live.asking:
        return
    if not all(live.machine_deals(post) for post in ("box", "floor")):
        return
    for name, ask in live.asking.items():
        more = live.table.find(name) is not None
        command = cmd.BuyIn(name, ask.amount) if more else cmd.Join(name, ask.amount, ask.place)
        yield Due(time_of(live.head.at), happening_words(command))


def _thrown(live: LiveTable) -> Iterator[Due]:
    """Where a machine throws, it throws when the betting time ends."""
    table = live.table
    if not automated(table) or not live.settings.pace.betting or kept_back(table) is not None:
        return
    if any(seat.wagers for seat in table.playing):  # also of one who left: they play on
        yield Due(betting_ends(live))


def _slow(live: LiveTable) -> Iterator[Due]:
    """A shooter past his time is passed for delay, if somebody else may throw then."""
    table, pace = live.table, live.settings.pace
    if not (live.due and pace.shooter and live.machine_stick) or live.settings.dice == "typed":
        return
    if kept_back(table) is not None:
        return
    line = _let_go(live)
    if line:
        start = max(betting_ends(live), time_of(live.due_at))
        start = max(start, learner_ends(live) or start)
        yield Due(start + timedelta(seconds=pace.shooter), line, True)


def _let_go(live: LiveTable) -> str:
    """The order that has a shooter pass; one who has not taken the dice lets them go by."""
    table = live.table
    name = table.seat(live.due).name
    if table.shooter != live.due:
        return f"{name} declines the dice"
    dice = table.house.book.dice
    who = dice.order_by.get(table.house.game)
    if who is None or not any(ground.name == "delay" for ground in dice.order_for):
        return ""
    by = next((by for by in who.value if _holds(live, by)), "")
    return f"{by} orders {name} to pass for delay" if by else ""


def _silent(live: LiveTable) -> Iterator[Due]:
    """Silent for ten minutes without a wager, a player leaves; not a Daily, which is his alone."""
    for seat in () if live.moved or live.settings.daily else live.table.playing:
        if seat.here and not seat.wagers and seat.id in live.silent:
            yield Due(time_of(live.silent[seat.id]) + PATIENCE, f"{seat.name} leaves")
