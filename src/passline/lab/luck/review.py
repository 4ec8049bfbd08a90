"""An evening's luck, split from its decisions; they add up to what was won, exactly.

What lies on the layout is worth its expectation, played out (``lying``). A player's acts change
what he may expect: these changes are his decisions. Dice change it too: that is his luck, and on
average over the 36 outcomes it is nothing, on every throw. A wager that was decided and is left up
is made again: that is a decision. What is left over a push counts so too. A bonus that the house
gives on top (a shootout) is luck altogether.

A finished evening's throws, dealt again for a strategy: what it would have made of the same
dice.

A finished evening, whole: each player's luck and decisions, its hands, its throws played by
strategies. What ``passline luck`` prints and a page shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from passline.game.dice.dice import FAIR, Dice
from passline.game.house.house import House
from passline.game.layout.stakes import Settlement, Stake, Wagers
from passline.game.money.amounts import show_money, to_dollars
from passline.game.table.events import AnyEvent, BoughtIn, Rolled
from passline.game.table.evolve import evolve
from passline.game.table.state import Seat, Table
from passline.lab.luck.hands import FinishedHand, find_finished_hand, get_hand_length
from passline.lab.luck.open_bets import OpenBetValuer
from passline.lab.machines.bettor import StrategyError
from passline.lab.machines.seat import OPENING, PLAYER, MachineSeat, State, build_table, count_worth
from passline.lab.machines.walks import find_net
from passline.lab.results import ColumnKind, LabResult, ResultTable
from passline.lab.strategies.load import LoadedStrategy
from passline.lab.strategies.table_adapter import StrategyBettor
from passline.record.deal import Dealt

#: What is no wager's: tokes, and what the house gives.
NO_WAGER = ""
_ZERO = Fraction(0)


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

    def to_table(self) -> ResultTable:
        """The parts by wager."""
        columns: dict[str, ColumnKind] = {"wager": "words", "decisions": "money", "luck": "money"}
        records = [(s or "none", part.decisions, part.luck) for s, part in self.by_wager.items()]
        return ResultTable(columns, records, x_column="wager", y_column="luck")


class LuckSplitter:
    """A player's evening as it goes: tell it every act and every throw, and ask for the split."""

    def __init__(self, player: str, lying: OpenBetValuer | None = None) -> None:
        self.player = player
        self._lying = lying or OpenBetValuer()
        self._decided: dict[str, Fraction] = {}
        self._lucky: dict[str, Fraction] = {}
        self._throws = 0

    def event(self, before: Table, event: AnyEvent, after: Table) -> None:
        """Anything that happened between two tables."""
        if isinstance(event, Rolled):
            self.throw(before, event.settlements, after)
        else:
            self.act(before, after, _amount_bought(event, self.player))

    def act(self, before: Table, after: Table, bought: int = 0) -> None:
        """What was done between throws: wagers made, changed, taken down; tokes."""
        was, now = _find_seat(before, self.player), _find_seat(after, self.player)
        if now is None:
            return
        self.moved(before, after)
        rail, wagers = (was.rail, was.wagers) if was is not None else (0, {})
        given = rail + _total_put_down(wagers) + bought - now.rail - _total_put_down(now.wagers)
        _add_amount(self._decided, NO_WAGER, Fraction(-given))

    def moved(self, before: Table, after: Table) -> None:
        """What lies there, or the table around it, changed; the rail aside."""
        was, now = _find_seat(before, self.player), _find_seat(after, self.player)
        wagers, left = (was.wagers if was else {}), (now.wagers if now else {})
        around = (
            _table_context(before) != _table_context(after) or before.layout is not after.layout
        )
        for slug in dict.fromkeys((*wagers, *left)):
            if around or wagers.get(slug) != left.get(slug):
                change = self._edge(after, slug, left) - self._edge(before, slug, wagers)
                _add_amount(self._decided, slug, change)

    def _edge(self, table: Table, slug: str, wagers: Wagers) -> Fraction:
        return self._lying.edge(table, slug, wagers[slug]) if slug in wagers else _ZERO

    def throw(self, before: Table, settled: Iterable[Settlement], after: Table) -> None:
        """A throw that counted."""
        was, now = _find_seat(before, self.player), _find_seat(after, self.player)
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
                net = Fraction(find_net(slug, stake, left, own))
                _add_amount(self._lucky, slug, net - expected)
                _add_amount(self._decided, slug, self._edge(after, slug, left))
            else:
                to = gone.get(slug) or slug
                _add_amount(self._lucky, slug, self._edge(after, to, now.wagers) - expected)
        for done in own:
            if done.wager not in was.wagers:
                _add_amount(self._lucky, NO_WAGER, Fraction(done.back))

    @property
    def decisions(self) -> Fraction:
        """What the decisions so far were worth."""
        return sum(self._decided.values(), _ZERO)

    @property
    def luck(self) -> Fraction:
        """What the dice did so far."""
        return sum(self._lucky.values(), _ZERO)

    def split(self, table: Table) -> LuckSplit:
        """The evening so far; ``table`` as it stands."""
        seat = _find_seat(table, self.player)
        wagers = seat.wagers if seat is not None else {}
        rail, bought = (seat.rail, seat.bought_in) if seat is not None else (0, 0)
        worth = Fraction(_total_put_down(wagers))
        worth += sum((self._edge(table, slug, wagers) for slug in wagers), _ZERO)
        return self.told(rail + worth - bought, wagers, worth, bought)

    def told(self, net: Fraction, wagers: Wagers, worth: Fraction, bought: int) -> LuckSplit:
        """The split, the money being known; what does not add up is a programming error."""
        decisions, luck = self.decisions, self.luck
        assert net == decisions + luck, "luck and decisions do not add up to what was won"
        slugs = [*self._decided, *(slug for slug in self._lucky if slug not in self._decided)]
        parts = {s: LuckPart(self._decided.get(s, _ZERO), self._lucky.get(s, _ZERO)) for s in slugs}
        return LuckSplit(
            net=net,
            decisions=decisions,
            luck=luck,
            up=sum(stake.amount for stake in wagers.values()),
            worth=worth,
            bought_in=bought,
            throws=self._throws,
            by_wager={slug: part for slug, part in parts.items() if part != LuckPart(_ZERO, _ZERO)},
        )


def split_luck(
    dealt: Dealt, players: Iterable[str], lying: OpenBetValuer | None = None
) -> dict[str, LuckSplit]:
    """The luck of players of a record that was dealt, split from their decisions.

    >>> from passline.record.deal import deal_text
    >>> dealt = deal_text("rulebook: iowa\\nplayer: ann 100\\nann: pass for 10\\nroll 4 3")
    >>> found = split_luck(dealt, ["ann"])["ann"]
    >>> found.net, found.decisions, found.luck
    (Fraction(1000, 1), Fraction(-1400, 99), Fraction(100400, 99))
    """
    lying = lying or OpenBetValuer()
    splitters = [LuckSplitter(player, lying) for player in players]
    table = dealt.opening
    for entry in dealt.entries:
        for event in entry.events:
            after = evolve(table, event)
            for splitter in splitters:
                splitter.event(table, event, after)
            table = after
    return {splitter.player: splitter.split(table) for splitter in splitters}


def _amount_bought(event: AnyEvent, player: str) -> int:
    """What a player bought in for by this event."""
    return event.amount if isinstance(event, BoughtIn) and event.player == player else 0


def _find_seat(table: Table, player: str) -> Seat | None:
    return table.find(player)


def _table_context(table: Table) -> tuple[object, ...]:
    """What a wager's future depends on beside itself."""
    return table.point, table.made, table.thrown, table.riding


def _total_put_down(wagers: Wagers) -> int:
    """What was put down for wagers and lies there still, prepaid vigorish counted."""
    return sum(map(_amount_put_down, wagers.values()))


def _amount_put_down(stake: Stake) -> int:
    return stake.amount + stake.vig


def _add_amount(parts: dict[str, Fraction], slug: str, more: Fraction) -> None:
    parts[slug] = parts.get(slug, _ZERO) + more


_VIEW_FIELDS = frozenset({"last", "settled", "new_shooter"})


class RecordedThrow(NamedTuple):
    """A throw that counted: its dice, the puck before it, and whether the shooter was new."""

    first: int
    second: int
    puck: int
    fresh: bool


class StrategyReplay(LabResult, msgspec.Struct, frozen=True):
    """What a strategy made of an evening's throws. ``bankroll``: the least (cents) that covers
    everything that it wagered."""

    strategy: str
    split: LuckSplit
    bankroll: int

    def headline(self) -> str:
        """What it won, and with what bankroll."""
        return f"{self.strategy}, with {show_money(self.bankroll)}: {self.split.headline()}"

    def to_table(self) -> ResultTable:
        """The parts by wager."""
        return self.split.to_table()


def list_throws(dealt: Dealt) -> list[RecordedThrow]:
    """The throws of a record, in order."""
    return [
        RecordedThrow(first=rolled.first, second=rolled.second, puck=table.point, fresh=table.fresh)
        for _, table, rolled in dealt.throws()
    ]


def replay_strategy(
    house: House,
    throws: Sequence[RecordedThrow],
    strategy: LoadedStrategy,
    lying: OpenBetValuer | None = None,
) -> StrategyReplay:
    """Play a strategy on throws of old, somebody else shooting, with chips enough.

    StrategyError where it says what the rules refuse.

    >>> from passline.record.deal import deal_text
    >>> from passline.lab.strategies.load import load_strategy
    >>> dealt = deal_text("rulebook: iowa\\nplayer: ann 100\\nann: pass for 5\\nroll 4 3")
    >>> found = replay_strategy(dealt.table.house, list_throws(dealt), load_strategy("pass"))
    >>> found.split.net, found.bankroll
    (Fraction(1000, 1), 1000)
    """
    seat = MachineSeat(house, StrategyBettor(strategy.function, strategy.name), _VIEW_FIELDS)
    splitter = LuckSplitter(PLAYER, lying)
    state, table, money, bankroll = OPENING, build_table(seat.layout, OPENING), 0, 0
    for thrown in throws:
        state = _restore_table(state, thrown)
        before = build_table(seat.layout, state)
        splitter.moved(table, before)
        spoken = seat.play_turn(state)
        splitter.act(before, spoken.table)
        bankroll = max(bankroll, spoken.need - money)
        state, table, events = seat.roll(spoken, thrown.first, thrown.second)
        for event in events:
            if isinstance(event, Rolled):
                splitter.throw(spoken.table, event.settlements, table)
        money += count_worth(table) - count_worth(before)
    wagers = dict(state.wagers)
    edges = (lying or OpenBetValuer()).edges(table, PLAYER)
    worth_up = sum((stake.amount + stake.vig for stake in wagers.values()), Fraction(0))
    worth_up += sum(edges.values(), Fraction(0))
    net = money - sum(stake.amount for stake in wagers.values()) + worth_up
    return StrategyReplay(strategy.name, splitter.told(net, wagers, worth_up, 0), bankroll)


def _restore_table(state: State, thrown: RecordedThrow) -> State:
    """The state with the puck and the shooter as they were at the table that evening."""
    return state._replace(puck=thrown.puck, fresh=thrown.fresh)


class RecordReview(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """What became of a record. ``mean_hand``: the throws of a hand on average;
    ``unplayed``: strategies that the house's rules refuse, and why; ``dice``: by which everything
    was expected."""

    rulebook: str
    game: str
    throws: int
    players: dict[str, LuckSplit]
    hands: tuple[FinishedHand, ...]
    mean_hand: Fraction
    strategies: tuple[StrategyReplay, ...]
    refused_strategies: dict[str, str]
    dice: Dice = FAIR

    def headline(self) -> str:
        """Where, and how many throws."""
        return f"{self.rulebook}, {self.game}: {self.throws:,} throws; exact"

    def to_table(self) -> ResultTable:
        """Each player, and each strategy on the same throws."""
        who = [*self.players.items(), *((one.strategy, one.split) for one in self.strategies)]
        columns: dict[str, ColumnKind] = {
            "who": "words",
            "net": "money",
            "decisions": "money",
            "luck": "money",
        }
        records = [(name, split.net, split.decisions, split.luck) for name, split in who]
        return ResultTable(columns, records, x_column="who", y_column="luck")


def review_record(
    dealt: Dealt,
    players: Sequence[str] | None = None,
    strategies: Sequence[LoadedStrategy] = (),
    dice: Dice = FAIR,
) -> RecordReview:
    """Look back on a record that was dealt: all its players, unless some are named. ``dice``:
    those that were thrown, by which all is expected; fair ones unless told."""
    lying, house = OpenBetValuer(dice), dealt.table.house
    named = [seat.id for seat in dealt.table.seats] if players is None else players
    throws = list_throws(dealt)
    played: list[StrategyReplay] = []
    refused_strategies: dict[str, str] = {}
    split = split_luck(dealt, named, lying)
    for one in strategies:
        try:
            played.append(replay_strategy(house, throws, one, lying))
        except StrategyError as wrong:
            refused_strategies[one.name] = str(wrong)
    ended = (find_finished_hand(before, rolled, dice) for _, before, rolled in dealt.throws())
    return RecordReview(
        rulebook=house.book.id,
        game=house.game,
        throws=len(throws),
        players=split,
        hands=tuple(hand for hand in ended if hand is not None),
        mean_hand=get_hand_length(dealt.table.layout, dice).mean_rolls,
        strategies=tuple(played),
        refused_strategies=refused_strategies,
        dice=dice,
    )


def review_json(evening: RecordReview) -> dict[str, Any]:
    """An evening as JSON: money in dollars, exact fractions as text with floats beside them."""
    return {
        "rulebook": evening.rulebook,
        "game": evening.game,
        **({} if evening.dice.fair else {"dice": str(evening.dice)}),
        "throws": evening.throws,
        "players": [
            {"player": name, **split_json(split), "bought_in": to_dollars(split.bought_in)}
            for name, split in evening.players.items()
        ],
        "mean_hand": str(evening.mean_hand),
        "hands": [
            {
                "rolls": hand.rolls,
                "chance": str(hand.chance) if hand.rolls <= 200 else None,
                "chance_float": float(hand.chance),
                "words": hand.words,
            }
            for hand in evening.hands
        ],
        "strategies": [
            {
                "strategy": one.strategy,
                **split_json(one.split),
                "bankroll": to_dollars(one.bankroll),
            }
            for one in evening.strategies
        ],
        "unplayed": evening.refused_strategies,
    }


def split_json(split: LuckSplit) -> dict[str, Any]:
    """A split as JSON: ``net`` is ``decisions`` plus ``luck``, exactly."""
    return {
        **_split_amounts(split.net, split.decisions, split.luck),
        "throws": split.throws,
        "up": to_dollars(split.up),
        "up_worth": str(split.worth / 100),
        "wagers": [
            {
                "wager": slug or None,
                **_split_amounts(part.decisions + part.luck, part.decisions, part.luck),
            }
            for slug, part in split.by_wager.items()
        ],
    }


def _split_amounts(net: Fraction, decisions: Fraction, luck: Fraction) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, cents in (("net", net), ("decisions", decisions), ("luck", luck)):
        found |= {key: str(cents / 100), f"{key}_float": float(cents / 100)}
    return found


def wager_name(slug: str) -> str:
    """What a part of a split is called: its wager, or what is none."""
    return slug if slug != NO_WAGER else "no wager (tokes, bonuses)"
