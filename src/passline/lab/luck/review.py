"""Split exactly what each player won in a recorded game into decisions and luck.

Open bets count at their expected value. What a player's action changes of it counts as a decision,
and so does leaving a decided bet up. What a throw changes counts as luck, which is zero on average.
A bonus from the house is luck. This module can also play a strategy on the recorded throws. Money
is in cents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from passline.game.dice.dice import FAIR, Dice
from passline.game.house.house import House
from passline.game.layout.stakes import Settlement, Wagers
from passline.game.money.amounts import to_dollars
from passline.game.table.corrections import drop_corrected
from passline.game.table.events import AnyEvent, BoughtIn, Rolled
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.game.words.lab import say_lab
from passline.game.words.wagers import wager_label
from passline.lab.luck.bet_values import OpenBetValuer
from passline.lab.luck.shooter_hand import FinishedHand, find_finished_hand, get_hand_length
from passline.lab.machines.bet_walks import find_net
from passline.lab.machines.bettor import StrategyError
from passline.lab.machines.next_states import OPENING, PLAYER, MachineSeat, build_table, count_worth
from passline.lab.results import LabResult, ResultTable, exact_json, make_columns
from passline.lab.strategies.load import LoadedStrategy
from passline.lab.strategies.table_adapter import StrategyBettor
from passline.record.deal import Dealt

#: The part for amounts of no wager: tokes, and gifts from the house.
NO_WAGER = ""
_ZERO = Fraction(0)


class LuckPart(msgspec.Struct, frozen=True):
    """One wager's part of what a player won: by decisions and by luck, in cents."""

    decisions: Fraction
    luck: Fraction


class LuckSplit(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """What a player won: ``net`` is ``decisions`` plus ``luck``, exactly.

    All amounts are in cents. ``net`` is the rail plus the open bets at expected value, less the
    buy-ins (``bought_in``). ``up`` is the stake of the open bets, ``worth`` their expected value.
    ``throws`` counts the throws on which the player had a bet up. ``by_wager`` has the parts by
    wager; "" is for money that belongs to no wager.
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
        """Return in one line what was won, and how much of it was decisions and luck."""
        return say_lab("luck", net=self.net, decisions=self.decisions, luck=self.luck)

    def to_table(self) -> ResultTable:
        """Return a table of decisions and luck by wager."""
        columns = make_columns(wager="words", decisions="money", luck="money")
        records = [(s or "none", part.decisions, part.luck) for s, part in self.by_wager.items()]
        return ResultTable(columns, records, x_column="wager", y_column="luck")


class LuckSplitter:
    """Splits one player's result into decisions and luck: record all events, then call ``split``.

    ``valuer`` values the open bets; share one between players, since it caches what it solves.
    """

    def __init__(self, player: str, valuer: OpenBetValuer | None = None) -> None:
        self.player = player
        self._valuer = valuer or OpenBetValuer()
        self._decided: dict[str, Fraction] = {}
        self._lucky: dict[str, Fraction] = {}
        self._throws = 0

    def record_event(self, before: Table, event: AnyEvent, after: Table) -> None:
        """Record one event of the table; ``before`` and ``after`` are the tables around it."""
        if isinstance(event, Rolled):
            self.record_throw(before, event.settlements, after)
        else:
            bought = 0
            if isinstance(event, BoughtIn) and event.player == self.player:
                bought = event.amount
            self.record_action(before, after, bought)

    def record_action(self, before: Table, after: Table, bought: int = 0) -> None:
        """Record what the player did between the tables ``before`` and ``after``, with no throw.

        The player may have made, changed or taken down bets, or tipped. ``bought`` is the cents of
        chips bought by the action.
        """
        was, now = before.find(self.player), after.find(self.player)
        if now is None:
            return
        self.record_change(before, after)
        rail, wagers = (was.rail, was.wagers) if was is not None else (0, {})
        gift = rail + _total_put_down(wagers) + bought - now.rail - _total_put_down(now.wagers)
        _add_amount(self._decided, NO_WAGER, Fraction(-gift))

    def record_change(self, before: Table, after: Table) -> None:
        """Count as decisions what changed in the open bets' value from ``before`` to ``after``.

        Ignore the rail.
        """
        was, now = before.find(self.player), after.find(self.player)
        wagers, left = (was.wagers if was else {}), (now.wagers if now else {})
        around = (
            _table_context(before) != _table_context(after) or before.layout is not after.layout
        )
        for slug in dict.fromkeys((*wagers, *left)):
            if around or wagers.get(slug) != left.get(slug):
                change = self._edge(after, slug, left) - self._edge(before, slug, wagers)
                _add_amount(self._decided, slug, change)

    def _edge(self, table: Table, slug: str, wagers: Wagers) -> Fraction:
        return self._valuer.edge(table, slug, wagers[slug]) if slug in wagers else _ZERO

    def record_throw(self, before: Table, settled: Iterable[Settlement], after: Table) -> None:
        """Count as luck what a throw changed: what it paid, and the value of bets still up.

        The settlements are ``settled``; ``before`` and ``after`` are the tables around the throw.
        If a decided bet stays up, its new expected value counts as a decision.
        """
        was, now = before.find(self.player), after.find(self.player)
        own = [done for done in settled if done.player == self.player]
        if was is None or now is None:
            return
        self._throws += bool(was.wagers)
        decided = {done.wager for done in own if done.to is None}
        gone = {done.wager: done.to for done in own if done.to is not None}
        # When a come wager is paid on a number, another may have traveled to the same number.
        left = {slug: up for slug, up in now.wagers.items() if slug not in gone.values()}
        for slug, stake in was.wagers.items():
            expected = self._valuer.edge(before, slug, stake)
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
        """The value of the player's decisions so far, in cents."""
        return sum(self._decided.values(), _ZERO)

    @property
    def luck(self) -> Fraction:
        """The player's luck so far, in cents: what throws won or lost beyond expectation."""
        return sum(self._lucky.values(), _ZERO)

    def split(self, table: Table) -> LuckSplit:
        """Return what the player won so far, split into decisions and luck.

        ``table`` is the table now, where open bets are valued.
        """
        seat = table.find(self.player)
        wagers = seat.wagers if seat is not None else {}
        rail, bought = (seat.rail, seat.bought_in) if seat is not None else (0, 0)
        worth = Fraction(_total_put_down(wagers))
        worth += sum((self._edge(table, slug, wagers) for slug in wagers), _ZERO)
        return self.make_split(rail + worth - bought, wagers, worth, bought)

    def make_split(self, net: Fraction, wagers: Wagers, worth: Fraction, bought: int) -> LuckSplit:
        """Return the split for a known net (cents). Assert that decisions and luck add up to it.

        ``wagers`` are the open bets, ``worth`` is their expected value, and ``bought`` the buy-ins.
        """
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
    dealt: Dealt, players: Iterable[str], valuer: OpenBetValuer | None = None
) -> dict[str, LuckSplit]:
    r"""Return a dict from each of ``players`` to the split of what that player won in a record.

    ``valuer`` values the open bets; pass one to reuse what it has solved.

    >>> from passline.record.deal import deal_text
    >>> dealt = deal_text("rulebook: iowa\nplayer: ann 100\nann: pass for 10\nroll 4 3")
    >>> found = split_luck(dealt, ["ann"])["ann"]
    >>> found.net, found.decisions, found.luck
    (Fraction(1000, 1), Fraction(-1400, 99), Fraction(100400, 99))
    """
    valuer = valuer or OpenBetValuer()
    splitters = [LuckSplitter(player, valuer) for player in players]
    table = dealt.opening
    for event in drop_corrected(event for entry in dealt.entries for event in entry.events):
        after = evolve(table, event)
        for splitter in splitters:
            splitter.record_event(table, event, after)
        table = after
    return {splitter.player: splitter.split(table) for splitter in splitters}


def _table_context(table: Table) -> tuple[object, ...]:
    """Return what a bet's value depends on besides the bet: the puck and the totals collected."""
    return table.point, table.made, table.thrown, table.riding, table.tallies


def _total_put_down(wagers: Wagers) -> int:
    """Return the total paid for the bets that are still up, prepaid vigorish included, in cents."""
    return sum(stake.amount + stake.vig for stake in wagers.values())


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
    """The result of a strategy played on the throws of a record.

    ``bankroll`` is the least in cents that covers all its bets.
    """

    strategy: str
    split: LuckSplit
    bankroll: int

    def headline(self) -> str:
        """Return in one line what the strategy won, and the bankroll that it needed."""
        figures = {"bankroll": self.bankroll, "luck": self.split.headline()}
        return say_lab("strategy-luck", strategy=self.strategy, **figures)

    def to_table(self) -> ResultTable:
        """Return a table of decisions and luck by wager."""
        return self.split.to_table()


def list_throws(dealt: Dealt) -> list[RecordedThrow]:
    """Return the throws of a record that counted, in order."""
    return [
        RecordedThrow(first=rolled.first, second=rolled.second, puck=table.point, fresh=table.fresh)
        for _, table, rolled in dealt.throws()
    ]


def replay_strategy(
    house: House,
    throws: Sequence[RecordedThrow],
    strategy: LoadedStrategy,
    valuer: OpenBetValuer | None = None,
) -> StrategyReplay:
    """Play a strategy on recorded throws, with another shooter and enough chips.

    Raise StrategyError if the rules refuse one of its bets.

    >>> from passline.record.deal import deal_text
    >>> from passline.lab.strategies.load import load_strategy
    >>> dealt = deal_text("rulebook: iowa\\nplayer: ann 100\\nann: pass for 5\\nroll 4 3")
    >>> found = replay_strategy(dealt.table.house, list_throws(dealt), load_strategy("pass"))
    >>> found.split.net, found.bankroll
    (Fraction(1000, 1), 1000)
    """
    seat = MachineSeat(house, StrategyBettor(strategy.function, strategy.name), _VIEW_FIELDS)
    splitter = LuckSplitter(PLAYER, valuer)
    state, table, money, bankroll = OPENING, build_table(seat.layout, OPENING), 0, 0
    for thrown in throws:
        state = state._replace(puck=thrown.puck, fresh=thrown.fresh)
        before = build_table(seat.layout, state)
        splitter.record_change(table, before)
        spoken = seat.play_turn(state)
        splitter.record_action(before, spoken.table)
        bankroll = max(bankroll, spoken.need - money)
        state, table, events = seat.roll(spoken, thrown.first, thrown.second)
        for event in events:
            if isinstance(event, Rolled):
                splitter.record_throw(spoken.table, event.settlements, table)
        money += count_worth(table) - count_worth(before)
    wagers = dict(state.wagers)
    edges = (valuer or OpenBetValuer()).edges(table, PLAYER)
    worth_up = _total_put_down(wagers) + sum(edges.values(), Fraction(0))
    net = money - sum(stake.amount for stake in wagers.values()) + worth_up
    return StrategyReplay(strategy.name, splitter.make_split(net, wagers, worth_up, 0), bankroll)


class RecordReview(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """A review of a recorded game: players' luck, the hands, and strategies on the same throws.

    ``mean_hand`` is the mean number of throws in a hand. ``refused_strategies`` has the strategies
    that the rules refuse, and the reasons. ``dice`` are the dice that expected values assume.
    """

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
        """Return in one line the rulebook, the game and the number of throws."""
        return say_lab("evening", rulebook=self.rulebook, game=self.game, throws=self.throws)

    def to_table(self) -> ResultTable:
        """Return a table with a row for each player, and for each strategy on the same throws."""
        who = [*self.players.items(), *((one.strategy, one.split) for one in self.strategies)]
        columns = make_columns(who="words", net="money", decisions="money", luck="money")
        records = [(name, split.net, split.decisions, split.luck) for name, split in who]
        return ResultTable(columns, records, x_column="who", y_column="luck")


def review_record(
    dealt: Dealt,
    players: Sequence[str] | None = None,
    strategies: Sequence[LoadedStrategy] = (),
    dice: Dice = FAIR,
) -> RecordReview:
    """Review a recorded game: all its players, or only ``players``.

    Each of ``strategies`` is played on the same throws. ``dice`` are the dice that expected values
    assume.
    """
    valuer, house = OpenBetValuer(dice), dealt.table.house
    named = [seat.id for seat in dealt.table.seats] if players is None else players
    throws = list_throws(dealt)
    played: list[StrategyReplay] = []
    refused_strategies: dict[str, str] = {}
    split = split_luck(dealt, named, valuer)
    for one in strategies:
        try:
            played.append(replay_strategy(house, throws, one, valuer))
        except StrategyError as error:
            refused_strategies[one.name] = str(error)
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
    """Return a review as JSON: money in dollars, exact fractions as text, and floats."""
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
                **exact_json(chance=hand.chance),
                **({} if hand.rolls <= 200 else {"chance": None}),
                "words": hand.words,
            }
            for hand in evening.hands
        ],
        "strategies": [
            {"strategy": o.strategy, **split_json(o.split), "bankroll": to_dollars(o.bankroll)}
            for o in evening.strategies
        ],
        "unplayed": evening.refused_strategies,
    }


def split_json(split: LuckSplit) -> dict[str, Any]:
    """Return what a player won by luck and by decisions as JSON: dollars, fractions, floats."""
    return {
        **exact_json(100, net=split.net, decisions=split.decisions, luck=split.luck),
        "throws": split.throws,
        "up": to_dollars(split.up),
        "up_worth": str(split.worth / 100),
        "wagers": [
            {
                "wager": slug or None,
                **exact_json(100, net=part.decisions + part.luck),
                **exact_json(100, decisions=part.decisions, luck=part.luck),
            }
            for slug, part in split.by_wager.items()
        ],
    }


def wager_name(slug: str) -> str:
    """Return the wager's name, or a label for money that belongs to no wager (tokes, bonuses)."""
    return wager_label(slug) if slug != NO_WAGER else say_lab("no-wager")
