"""The pace of a table whose dice the house throws: who may throw, and from when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from passline.layout import Refusal, refuse
from passline.live.by_book import HALTED, halted
from passline.live.learning import learner_ends
from passline.live.live_table import LiveTable, time_of
from passline.table.custody import automated, thrower
from passline.table.sending import kept_back

_PACE = "custom: everybody has the betting time before a throw"
_LEARNING = "custom: the game waits a while for whoever learns a post"
_TURN = "custom: whoever is due throws"
_FIFTY = "custom: a Daily is fifty throws of its day"
#: The throws of a Daily.
DAILY_THROWS: Final = 50


def betting_ends(live: LiveTable) -> datetime:
    """When everybody has had the time to bet.

    It runs from the last throw; where it ran out over an empty layout, from the first wager.
    """
    span = timedelta(seconds=live.settings.pace.betting)
    start = time_of(live.thrown_at)
    if live.bet_at and time_of(live.bet_at) > start + span:
        start = time_of(live.bet_at)
    return start + span


def waits(live: LiveTable) -> bool:
    """Whether anybody is there to be waited for: not who plays alone, nor once all are ready."""
    here = [seat.id for seat in live.table.playing if seat.here]
    return len(here) > 1 and not live.ready.issuperset(here)


def day_over(live: LiveTable, now: datetime) -> Refusal | None:
    """Why a Daily's dice are not thrown any more: its day is over, and its secret may be known."""
    day = live.settings.daily
    if not day or now.astimezone(UTC).date().isoformat() <= day:
        return None
    return refuse("said", _FIFTY, words=f"the day is over: {day} is played no more")


def may_throw(live: LiveTable, player: str, now: datetime) -> Refusal | None:
    """Why a player may not have the house's dice thrown now; None: he may."""
    table = live.table
    if cite := halted(live):
        return refuse("said", cite, words=HALTED)
    if live.settings.daily and table.throws >= DAILY_THROWS:
        words = "the fifty throws are made: what is up comes back to you"
        return refuse("said", _FIFTY, words=words)
    who = kept_back(table) or thrower(table)
    if isinstance(who, Refusal):
        return who
    if automated(table):
        if not table.seat(player).here or not table.seat(player).wagers:
            return refuse("said", _TURN, words=f"{player} has no wager up")
    elif who.id != player:
        due = table.seat(who.id).name
        return refuse("said", _TURN, [due], words=f"{due} is due to throw")
    elif not live.machine_stick and not table.dice.out:
        return refuse("dice-not-out", "custom: the stick sends the dice out first")
    left = (betting_ends(live) - now).total_seconds()
    if left > 0 and waits(live):
        words = f"everybody has {live.settings.pace.betting} seconds to bet: {int(left) + 1} more"
        return refuse("said", _PACE, words=words)
    ends = learner_ends(live)
    left = (ends - now).total_seconds() if ends is not None else 0
    if left > 0:
        words = f"a learner works on the last throw: {int(left) + 1} seconds more at most"
        return refuse("said", _LEARNING, words=words)
    return None
