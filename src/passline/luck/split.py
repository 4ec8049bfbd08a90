"""An evening's luck, split from its decisions; they add up to what was won, exactly.

What lies on the layout is worth its expectation, played out (``lying``). A player's acts change
what he may expect: these changes are his decisions. Dice change it too: that is his luck, and on
average over the 36 outcomes it is nothing, on every throw. A wager that was decided and is left up
is made again: that is a decision. What is left over a push counts so too. A bonus that the house
gives on top (a shootout) is luck altogether.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from passline.layout import Settlement, Stake, Wagers
from passline.luck.lying import Lying
from passline.machines.decision import net_of
from passline.record.deal import Dealt
from passline.results import ColumnKind, LabResult, ResultTable, show_money
from passline.table import Table, evolve
from passline.table.events import AnyEvent, BoughtIn, Rolled
from passline.table.state import Seat

#: What is no wager's: tokes, and what the house gives.
OTHER = ""
_NONE = Fraction(0)


class LuckPart(msgspec.Struct, frozen=True):
    """One wager's part of an evening, in cents: what its player decided, what the dice did."""

    decisions: Fraction
    luck: Fraction


class LuckSplit(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """What a player won, in cents: ``net`` is ``decisions`` plus ``luck``, exactly.

    ``net`` counts the rail and, at its expectation, what still lies on the layout (``up`` at its
    stake, ``worth`` at its expectation), less what was bought in. ``throws`` are those that counted
    while a wager of his was up; ``by_wager`` has the parts by wager, of which "" is no wager's.
    """

    net: Fraction
    decisions: Fraction
    luck: Fraction
    up: int
    worth: Fraction
    bought_in: int
    throws: int
    by_wager: dict[str, LuckPart]

    def headline(self) -> str:
        """What was won, decided and thrown."""
        decided, lucky = show_money(self.decisions), show_money(self.luck)
        return f"{show_money(self.net)} = decisions {decided} + luck {lucky}; exact"

    def listed(self) -> ResultTable:
        """The parts by wager."""
        columns: dict[str, ColumnKind] = {"wager": "words", "decisions": "money", "luck": "money"}
        records = [(s or "none", part.decisions, part.luck) for s, part in self.by_wager.items()]
        return ResultTable(columns, records, across="wager", up="luck")


class Splitter:
    """A player's evening as it goes: tell it every act and every throw, and ask for the split."""

    def __init__(self, player: str, lying: Lying | None = None) -> None:
        self.player = player
        self._lying = lying or Lying()
        self._decided: dict[str, Fraction] = {}
        self._lucky: dict[str, Fraction] = {}
        self._throws = 0

    def event(self, before: Table, event: AnyEvent, after: Table) -> None:
        """Anything that happened between two tables."""
        if isinstance(event, Rolled):
            self.throw(before, event.settlements, after)
        else:
            self.act(before, after, _bought(event, self.player))

    def act(self, before: Table, after: Table, bought: int = 0) -> None:
        """What was done between throws: wagers made, changed, taken down; tokes."""
        was, now = _seat(before, self.player), _seat(after, self.player)
        if now is None:
            return
        self.moved(before, after)
        rail, wagers = (was.rail, was.wagers) if was is not None else (0, {})
        given = rail + _face(wagers) + bought - now.rail - _face(now.wagers)
        _add(self._decided, OTHER, Fraction(-given))

    def moved(self, before: Table, after: Table) -> None:
        """What lies there, or the table around it, changed; the rail aside."""
        was, now = _seat(before, self.player), _seat(after, self.player)
        wagers, left = (was.wagers if was else {}), (now.wagers if now else {})
        around = _around(before) != _around(after) or before.layout is not after.layout
        for slug in dict.fromkeys((*wagers, *left)):
            if around or wagers.get(slug) != left.get(slug):
                change = self._edge(after, slug, left) - self._edge(before, slug, wagers)
                _add(self._decided, slug, change)

    def _edge(self, table: Table, slug: str, wagers: Wagers) -> Fraction:
        return self._lying.edge(table, slug, wagers[slug]) if slug in wagers else _NONE

    def throw(self, before: Table, settled: Iterable[Settlement], after: Table) -> None:
        """A throw that counted."""
        was, now = _seat(before, self.player), _seat(after, self.player)
        own = [done for done in settled if done.player == self.player]
        if was is None or now is None:
            return
        self._throws += bool(was.wagers)
        decided = {done.wager for done in own if done.to is None}
        gone = {done.wager: done.to for done in own if done.to is not None}
        # Where one come wager is paid, another may have travelled to.
        left = {slug: up for slug, up in now.wagers.items() if slug not in gone.values()}
        for slug, stake in was.wagers.items():
            expected = self._lying.edge(before, slug, stake)
            if slug in decided:
                net = Fraction(net_of(slug, stake, left, own))
                _add(self._lucky, slug, net - expected)
                _add(self._decided, slug, self._edge(after, slug, left))
            else:
                to = gone.get(slug) or slug
                _add(self._lucky, slug, self._edge(after, to, now.wagers) - expected)
        for done in own:
            if done.wager not in was.wagers:
                _add(self._lucky, OTHER, Fraction(done.back))

    @property
    def decisions(self) -> Fraction:
        """What the decisions so far were worth."""
        return sum(self._decided.values(), _NONE)

    @property
    def luck(self) -> Fraction:
        """What the dice did so far."""
        return sum(self._lucky.values(), _NONE)

    def split(self, table: Table) -> LuckSplit:
        """The evening so far; ``table`` as it stands."""
        seat = _seat(table, self.player)
        wagers = seat.wagers if seat is not None else {}
        rail, bought = (seat.rail, seat.bought_in) if seat is not None else (0, 0)
        worth = Fraction(_face(wagers))
        worth += sum((self._edge(table, slug, wagers) for slug in wagers), _NONE)
        return self.told(rail + worth - bought, wagers, worth, bought)

    def told(self, net: Fraction, wagers: Wagers, worth: Fraction, bought: int) -> LuckSplit:
        """The split, the money being known; what does not add up is a programming error."""
        decisions, luck = self.decisions, self.luck
        assert net == decisions + luck, "luck and decisions do not add up to what was won"
        slugs = [*self._decided, *(slug for slug in self._lucky if slug not in self._decided)]
        parts = {s: LuckPart(self._decided.get(s, _NONE), self._lucky.get(s, _NONE)) for s in slugs}
        return LuckSplit(
            net=net,
            decisions=decisions,
            luck=luck,
            up=sum(stake.amount for stake in wagers.values()),
            worth=worth,
            bought_in=bought,
            throws=self._throws,
            by_wager={slug: part for slug, part in parts.items() if part != LuckPart(_NONE, _NONE)},
        )


def split_luck(
    dealt: Dealt, players: Iterable[str], lying: Lying | None = None
) -> dict[str, LuckSplit]:
    """The luck of players of a record that was dealt, split from their decisions.

    >>> from passline.record.deal import deal_text
    >>> dealt = deal_text("rulebook: iowa\\nplayer: ann 100\\nann: pass for 10\\nroll 4 3")
    >>> found = split_luck(dealt, ["ann"])["ann"]
    >>> found.net, found.decisions, found.luck
    (Fraction(1000, 1), Fraction(-1400, 99), Fraction(100400, 99))
    """
    lying = lying or Lying()
    splitters = [Splitter(player, lying) for player in players]
    table = dealt.opening
    for entry in dealt.entries:
        for event in entry.events:
            after = evolve(table, event)
            for splitter in splitters:
                splitter.event(table, event, after)
            table = after
    return {splitter.player: splitter.split(table) for splitter in splitters}


def _bought(event: AnyEvent, player: str) -> int:
    """What a player bought in for by this event."""
    return event.amount if isinstance(event, BoughtIn) and event.player == player else 0


def _seat(table: Table, player: str) -> Seat | None:
    return table.find(player)


def _around(table: Table) -> tuple[object, ...]:
    """What a wager's future depends on beside itself."""
    return table.puck, table.made, table.thrown, table.riding


def _face(wagers: Wagers) -> int:
    """What was put down for wagers and lies there still, prepaid vigorish counted."""
    return sum(map(_put_down, wagers.values()))


def _put_down(stake: Stake) -> int:
    return stake.amount + stake.vig


def _add(parts: dict[str, Fraction], slug: str, more: Fraction) -> None:
    parts[slug] = parts.get(slug, _NONE) + more
