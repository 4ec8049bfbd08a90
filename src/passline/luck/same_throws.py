"""A finished evening's throws, dealt again for a strategy: what it would have made of the same
dice."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from passline.house import House
from passline.luck.lying import Lying
from passline.luck.split import LuckSplit, Splitter
from passline.machines.seat import OPENING, PLAYER, MachineSeat, State, table_at, worth
from passline.record.deal import Dealt
from passline.results import LabResult, ResultTable, show_money
from passline.strategies import Loaded
from passline.strategies.speech import SpeakingBettor
from passline.table.events import Rolled

_LOOKS = frozenset({"last", "settled", "new_shooter"})


class ThrownDice(NamedTuple):
    """A throw that counted: its dice, the puck before it, and whether the shooter was new."""

    first: int
    second: int
    puck: int
    fresh: bool


class SameThrows(LabResult, msgspec.Struct, frozen=True):
    """What a strategy made of an evening's throws. ``bankroll``: the least (cents) that covers
    everything that it wagered."""

    strategy: str
    split: LuckSplit
    bankroll: int

    def headline(self) -> str:
        """What it won, and with what bankroll."""
        return f"{self.strategy}, with {show_money(self.bankroll)}: {self.split.headline()}"

    def listed(self) -> ResultTable:
        """The parts by wager."""
        return self.split.listed()


def thrown_dice(dealt: Dealt) -> list[ThrownDice]:
    """The throws of a record, in order."""
    return [
        ThrownDice(first=rolled.first, second=rolled.second, puck=table.puck, fresh=table.fresh)
        for _, table, rolled in dealt.throws()
    ]


def play_same_throws(
    house: House, throws: Sequence[ThrownDice], strategy: Loaded, lying: Lying | None = None
) -> SameThrows:
    """Play a strategy on throws of old, somebody else shooting, with chips enough.

    StrategyError where it says what the rules refuse.

    >>> from passline.record.deal import deal_text
    >>> from passline.strategies import load_strategy
    >>> dealt = deal_text("rulebook: iowa\\nplayer: ann 100\\nann: pass for 5\\nroll 4 3")
    >>> found = play_same_throws(dealt.table.house, thrown_dice(dealt), load_strategy("pass"))
    >>> found.split.net, found.bankroll
    (Fraction(1000, 1), 1000)
    """
    seat = MachineSeat(house, SpeakingBettor(strategy.function, strategy.name), _LOOKS)
    splitter = Splitter(PLAYER, lying)
    state, table, money, bankroll = OPENING, table_at(seat.layout, OPENING), 0, 0
    for thrown in throws:
        state = _as_it_was(state, thrown)
        before = table_at(seat.layout, state)
        splitter.moved(table, before)
        spoken = seat.speak(state)
        splitter.act(before, spoken.table)
        bankroll = max(bankroll, spoken.need - money)
        state, table, events = seat.throw(spoken, thrown.first, thrown.second)
        for event in events:
            if isinstance(event, Rolled):
                splitter.throw(spoken.table, event.settlements, table)
        money += worth(table) - worth(before)
    wagers = dict(state.wagers)
    edges = (lying or Lying()).edges(table, PLAYER)
    worth_up = sum((stake.amount + stake.vig for stake in wagers.values()), Fraction(0))
    worth_up += sum(edges.values(), Fraction(0))
    net = money - sum(stake.amount for stake in wagers.values()) + worth_up
    return SameThrows(strategy.name, splitter.told(net, wagers, worth_up, 0), bankroll)


def _as_it_was(state: State, thrown: ThrownDice) -> State:
    """The state with the puck and the shooter as they were at the table that evening."""
    return state._replace(puck=thrown.puck, fresh=thrown.fresh)
