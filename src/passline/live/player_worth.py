"""Compute what a player's bets are worth: each bet's odds, the cost per hour, the result's rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from itertools import pairwise
from statistics import median
from typing import Final

from passline.game.dice.dice import OUTCOMES
from passline.game.house.house import House, describe_elections
from passline.game.money.amounts import to_dollars
from passline.game.table.state import Table
from passline.game.table.throws import foresee_settlements
from passline.game.words.live import say_live
from passline.game.words.wagers import felt_wager_name
from passline.lab.luck.bet_values import OpenBetValuer
from passline.lab.luck.session_rank import NoRankError, find_habit, rank_session
from passline.lab.pricing.wager_odds import Appraiser, OddsRow, WagerOdds, wager_title
from passline.live.live_table import LiveTable, parse_time
from passline.live.log_entries import Entry, JsonObject
from passline.live.record_export import export_record
from passline.live.views import is_working
from passline.optional_packages import find_extra
from passline.record.deal import deal_text
from passline.text import join_words

#: Throws per hour for a table that has had too few to measure.
DEFAULT_THROWS_PER_HOUR: Final = 100
#: The fewest gaps between throws to measure, how many recent throws count, and how many seconds
#: make a pause.
_MIN_GAPS, _RECENT_THROWS, _PAUSE_SECONDS = 10, 100, 300.0
#: The longest log, in entries, for which a session is ranked.
MAX_LOG_ENTRIES: Final = 5_000


_ROW_CACHE_SIZE: Final = 2_000


class WorthCalculator:
    """Computes the figures of the panel that shows what a player's bets are worth.

    The odds of each bet are computed only once for a house.
    """

    def __init__(self) -> None:
        self._rows: dict[object, OddsRow] = {}
        self._valuer = OpenBetValuer()

    def worth(self, live: LiveTable, player: str, entries: Sequence[Entry] | None) -> JsonObject:
        """Return the JSON of ``/worth``: open bets, cost per hour, all chips, the result's rank.

        ``entries`` is the log, or None if it is too long; then there is no rank and no measured
        pace.
        """
        table = live.table
        times = [
            parse_time(entry.at)
            for entry in entries or ()
            if any(event.get("event") == "rolled" for event in entry.events)
            and "corrects" not in entry.more
        ]
        pace, measured = measure_pace(times)
        wagers = [self._wager(table, player, slug, pace) for slug in table.wagers_of(player)]
        seat = table.seat(player)
        hour = [one.pop("_hour") for one in wagers]
        return {
            "table": live.id,
            "seq": live.head.seq,
            "player": player,
            "wagers": wagers,
            "hour": {
                "throws": pace,
                "measured": measured,
                "cost": to_dollars(round(sum(hour, Fraction(0)))),
            },
            "worth": to_dollars(seat.rail + sum(up.amount for up in seat.wagers.values())),
            "bought_in": to_dollars(seat.bought_in),
            "standing": _rank_json(table, player, entries),
        }

    def _wager(self, table: Table, player: str, slug: str, pace: int) -> JsonObject:
        """Return one open bet as JSON: its edge, expected result, and next-throw outcomes.

        ``pace`` is throws per hour. The key ``_hour`` has the bet's cost per hour in cents; the
        caller must remove it.
        """
        stake = table.wagers_of(player)[slug]
        row = self._row(table.house, slug, table)
        edge = row.edge if isinstance(row, WagerOdds) else None
        hour = row.edge_per_roll * pace if isinstance(row, WagerOdds) else Fraction(0)
        expects = self._valuer.edge(table, slug, stake)
        return {
            "wager": slug,
            "name": wager_title(table.layout.spots[slug]),
            "amount": to_dollars(stake.amount),
            "working": is_working(table, slug, stake),
            "edge": None if edge is None else str(edge),
            "edge_percent": None if edge is None else f"{float(edge):.3%}",
            "expects": str(expects / 100),
            "expects_float": float(expects / 100),
            "next": count_outcomes(table, player, slug),
            "_hour": hour * stake.amount,
        }

    def _row(self, house: House, slug: str, table: Table) -> OddsRow:
        """Return the odds of a bet in a house, from the cache if possible."""
        spot = table.layout.spots[slug]
        wager = spot.family if spot.only_travels else slug
        key = house.book.id, house.game, tuple(sorted(describe_elections(house).items())), wager
        if key not in self._rows:
            if len(self._rows) > _ROW_CACHE_SIZE:
                self._rows.clear()
            self._rows[key] = Appraiser(house).price_wager(wager)
        return self._rows[key]


def count_outcomes(table: Table, player: str, slug: str) -> dict[str, int]:
    """Return {"wins", "loses", "stays"}: on how many of the 36 dice outcomes a bet does each.

    A push and a move to a number count as ``stays``.
    """
    found = {"wins": 0, "loses": 0, "stays": 0}
    for dice in OUTCOMES:
        settled = foresee_settlements(table, player, *dice)
        results = {one.result for one in settled if one.wager == slug}
        key = "wins" if "win" in results else "loses" if "lose" in results else "stays"
        found[key] += 1
    return found


def measure_pace(times: Sequence[datetime]) -> tuple[int, bool]:
    """Return (throws per hour, True), measured by the median time between the latest throws.

    Return (100, False) if there were too few throws. ``times`` are the times of all throws.
    """
    recent = times[-_RECENT_THROWS:]
    gaps = [(after - before).total_seconds() for before, after in pairwise(recent)]
    played = [gap for gap in gaps if 0 < gap < _PAUSE_SECONDS]
    if len(played) < _MIN_GAPS:
        return DEFAULT_THROWS_PER_HOUR, False
    return max(1, round(3600 / median(played))), True


def _rank_json(table: Table, player: str, entries: Iterable[Entry] | None) -> JsonObject:
    """Return how a player's result compares with sessions of the same bets and length, as JSON.

    If that cannot be computed, the JSON has only ``why_not``, a sentence that says why.
    """
    if entries is None:
        return {"why_not": say_live("log-too-long")}
    dealt = deal_text(export_record(entries))
    seat = dealt.table.seat(player)
    worth = seat.rail + sum(up.amount for up in seat.wagers.values())
    try:
        habit = find_habit(dealt, player)
        found = rank_session(table.house, table.layout, habit, seat.bought_in, worth)
    except NoRankError as wrong:
        return {"why_not": str(wrong)}
    except ModuleNotFoundError as wrong:
        return {"why_not": say_live("rank-extra", extra=find_extra(wrong) or wrong.name)}
    return {
        "throws": found.throws,
        "bankroll": to_dollars(found.bankroll),
        "worth": to_dollars(found.worth),
        "like": list(found.like),
        "below_float": found.below,
        "level_float": found.level,
        "method": "exact",
        "words": say_live(
            "session-rank",
            below=_per_hundred(found.below),
            worth=found.worth,
            level=_per_hundred(found.level),
            throws=found.throws,
            bankroll=found.bankroll,
            wagers=join_words(_name_wager(table, say) for say in found.like),
        ),
    }


def _name_wager(table: Table, say: str) -> str:
    """Replace the slug at the start of a command (``place-win-6 for 12``) by the bet's name."""
    slug, _, rest = say.partition(" ")
    spot = table.layout.spots.get(slug)
    return f"{felt_wager_name(slug, spot.rule.title, spot.number)} {rest}" if spot else say


def _per_hundred(share: float) -> str:
    """Return a probability as text, a whole number out of a hundred; in words near 0 and 1.

    >>> _per_hundred(0.3333), _per_hundred(0.001), _per_hundred(0.9999), _per_hundred(0.0)
    ('33', 'fewer than 1', 'more than 99', '0')
    """
    if 0 < share < 0.01:
        return "fewer than 1"
    return "more than 99" if 0.99 < share < 1 else f"{share * 100:.0f}"
