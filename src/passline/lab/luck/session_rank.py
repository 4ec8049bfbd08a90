"""Rank a player's final bankroll among similar sessions, by their exact distribution.

Similar sessions start with the player's buy-in and have as many throws as the player saw. They make
the bets that the player had up on at least half of the throws, each for its most frequent amount.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from passline.game.house.house import House
from passline.game.layout.spots import Layout
from passline.game.words.lab import say_lab
from passline.lab.machines.bettor import StrategyError, View, dollars_of
from passline.lab.sessions.distribution import exact_ratio
from passline.lab.sessions.plan_and_result import Plan, SessionTooLargeError
from passline.lab.strategies.table_adapter import StrategyBettor
from passline.record.deal import Dealt

#: The most throws and the most states of a machine that can be solved while a page loads.
MAX_THROWS, MAX_STATES = 2_000, 4_000
_MAX_SECONDS = 5.0

#: The amount of each bet in cents, by slug.
BetAmounts = dict[str, int]


class BettingHabit(msgspec.Struct, frozen=True):
    """The bets that a player usually has up before a throw, with the puck off and with it on.

    ``off`` and ``on`` are dicts from slug to cents. ``throws`` is how many throws the player saw.
    """

    throws: int
    off: BetAmounts
    on: BetAmounts

    @property
    def says(self) -> tuple[str, ...]:
        """The usual bets as phrases, such as ``pass for 10``, each once."""
        return tuple(_bet_say(slug, cents) for slug, cents in {**self.on, **self.off}.items())

    def bet(self, view: View) -> list[str]:
        """Return betting phrases for every usual bet that is not up.

        This method can be used as a strategy function.
        """
        usual = self.on if view.puck else self.off
        return [_bet_say(slug, cents) for slug, cents in usual.items() if not view.up(slug)]

    def without(self, slugs: Iterable[str]) -> BettingHabit:
        """Return the habit without the bets named by ``slugs``."""
        gone = set(slugs)
        off = {slug: cents for slug, cents in self.off.items() if slug not in gone}
        on = {slug: cents for slug, cents in self.on.items() if slug not in gone}
        return BettingHabit(self.throws, off, on)


class SessionRank(msgspec.Struct, frozen=True, kw_only=True):
    """How many similar sessions end worse than a player's. Money is in cents.

    ``worth`` is the player's final worth. ``below`` and ``level`` are the shares of sessions that
    end below it and exactly at it. ``like`` are the bets of these sessions as phrases.
    """

    throws: int
    bankroll: int
    worth: int
    like: tuple[str, ...]
    below: float
    level: float


class NoRankError(ValueError):
    """Raised for a session that cannot be ranked; the message says why."""


def _bet_say(slug: str, cents: int) -> str:
    return f"{slug} for {dollars_of(cents)}"


def find_habit(dealt: Dealt, player: str) -> BettingHabit:
    """Return the bets that a player usually had up in a record, from the first buy-in on.

    Usually means on at least half of the throws with the puck off, or of those with it on.
    """
    seen: dict[bool, Counter[tuple[str, int]]] = {False: Counter(), True: Counter()}
    throws = {False: 0, True: 0}
    for _, table, rolled in dealt.throws():
        if any(seat.id == player and seat.bought_in for seat in table.seats):
            on = rolled.was != 0
            throws[on] += 1
            spots, wagers = table.layout.spots, table.seat(player).wagers
            # A come bet on a number is left out: it traveled there.
            made = [
                (slug, up.amount) for slug, up in wagers.items() if not spots[slug].only_travels
            ]
            seen[on].update(made)
    off, on_ = (_usual_bets(seen[on], throws[on]) for on in (False, True))
    return BettingHabit(sum(throws.values()), off, on_)


def _usual_bets(seen: Mapping[tuple[str, int], int], throws: int) -> BetAmounts:
    """Return a dict from slug to cents of the bets that were up on at least half of the throws.

    ``seen[slug, cents]`` is the number of throws with that bet up. Return each bet's most frequent
    amount.
    """
    often: Counter[str] = Counter()
    for (slug, _), times in seen.items():
        often[slug] += times
    found: BetAmounts = {}
    for slug, times in often.items():
        if throws and 2 * times >= throws:
            amounts = {cents: n for (name, cents), n in seen.items() if name == slug}
            found[slug] = max(amounts, key=lambda cents: (amounts[cents], -cents))
    return found


def rank_session(
    house: House, layout: Layout, habit: BettingHabit, bankroll: int, worth: int
) -> SessionRank:
    """Return the rank of a final worth (cents) among sessions that make a habit's bets.

    The sessions start from ``bankroll``. If the rules refuse some of the bets, leave out the odds.
    Raise NoRankError if the rank cannot be computed.
    """
    if not habit.throws:
        raise NoRankError(say_lab("no-throw"))
    if not habit.says:
        raise NoRankError(say_lab("no-habit"))
    if habit.throws > MAX_THROWS:
        raise NoRankError(say_lab("too-many-throws", most=MAX_THROWS))
    odds = [slug for slug in (*habit.off, *habit.on) if layout.spots[slug].flat]
    for tried in (habit, habit.without(odds)):
        try:
            return _rank_exactly(house, tried, bankroll, worth)
        except StrategyError as error:
            why = error
    raise NoRankError(say_lab("habit-refused", why=why))


def _rank_exactly(house: House, habit: BettingHabit, bankroll: int, worth: int) -> SessionRank:
    from passline.lab.exact.solve_session import solve_session
    from passline.lab.machines.machine import Machine

    if not habit.says:
        raise NoRankError(say_lab("no-habit"))
    machine = Machine(house, StrategyBettor(habit.bet, "the same wagers"))
    if not machine.close(limit=MAX_STATES):
        raise NoRankError(say_lab("too-many-wagers"))
    plan = Plan(bankroll=bankroll, rolls=habit.throws)
    try:
        final = solve_session(
            machine.chain(), plan, arithmetic="doubles", longest=_MAX_SECONDS
        ).final
    except SessionTooLargeError as error:
        raise NoRankError(str(error)) from None
    pairs = list(zip(final.worths, final.weights, strict=True))
    below = sum(weight for end, weight in pairs if end < worth)
    level = sum(weight for end, weight in pairs if end == worth)
    return SessionRank(
        throws=habit.throws,
        bankroll=bankroll,
        worth=worth,
        like=habit.says,
        below=float(exact_ratio(below, final.whole)),
        level=float(exact_ratio(level, final.whole)),
    )
