"""Adapt a crapssim strategy to a function of our View.

Before every throw but the first, the strategy receives the last one (``after_roll``), with its bets
and the point as they were; then it changes its bets (``update_bets``), and the difference becomes
says. Its own state is stored as a plain value (``frozen_state``), so two turns with the same state
are one state of a machine.

``DiceView`` and ``TableView`` stand in for crapssim's Dice and Table. They look values up only when
the strategy reads them, because values that it never reads need not tell states apart
(``View.fields_read``). The names that a strategy's code can read are found in its classes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from passline.lab.machines.bettor import StrategyError, View, dollars_of
from passline.lab.strategies.ask import MemoryHandle
from passline.lab.strategies.crapssim.bets import (
    OFF_ON_COME_OUT,
    ONE_ROLL_BETS,
    STAYS_UP_WHEN_PAID,
    find_slug,
    make_bet,
    to_cents,
)
from passline.lab.strategies.crapssim.frozen_state import Freezer, FrozenTree, UnknownBankroll, thaw

#: Modules whose functions belong to no strategy; crapssim's classes are read themselves.
_FOREIGN_PACKAGES = sys.stdlib_module_names | {"crapssim"}


def list_parts(strategy: Any) -> list[Any]:
    """Return a strategy and every object of its own that it is made of, each once."""
    found: dict[int, Any] = {}
    waiting = [strategy]
    while waiting:
        thing = waiting.pop()
        if id(thing) in found or isinstance(thing, str | bytes | int | float | type | None):
            continue
        found[id(thing)] = thing
        if isinstance(thing, dict):
            waiting += [*thing.keys(), *thing.values()]
        elif isinstance(thing, list | tuple | set | frozenset):
            waiting += thing
        elif hasattr(thing, "__dict__") and not isinstance(thing, FunctionType):
            waiting += vars(thing).values()
    return list(found.values())


def find_names_used(strategy: Any) -> frozenset[str]:
    """Return every name that a strategy's code, or the files it comes from, looks up."""
    names: set[str] = set()
    for code in _list_code(list_parts(strategy)):
        names.update(code.co_names)
        names.update(word for word in code.co_consts if isinstance(word, str))
    return frozenset(names)


def handles_rolls(strategy: Any) -> bool:
    """Return whether any part of a strategy does something after a roll."""
    tools = sys.modules["crapssim.strategy.tools"]
    silent = {tools.Strategy.after_roll, tools.AggregateStrategy.after_roll}
    return any(
        type(part).after_roll not in silent
        for part in list_parts(strategy)
        if isinstance(part, tools.Strategy)
    )


def _list_code(parts: list[Any]) -> Iterator[CodeType]:
    seen: set[CodeType] = set()
    waiting = [code for part in parts for code in _own_code(part)]
    while waiting:
        code = waiting.pop()
        if code not in seen:
            seen.add(code)
            waiting += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
            yield code


def _own_code(part: Any) -> Iterator[CodeType]:
    """Return the code of a function, of an object's classes, and of the modules they are in."""
    homes: list[Any] = []
    if isinstance(part, FunctionType):
        yield part.__code__
        homes.append(sys.modules.get(part.__module__))
    for kind in type(part).__mro__:
        homes += [kind, sys.modules.get(kind.__module__)]
    for home in homes:
        if home is None or (not isinstance(home, type) and _top_package(home) in _FOREIGN_PACKAGES):
            continue
        for thing in vars(home).values():
            for function in (thing, getattr(thing, "fget", None), getattr(thing, "__func__", None)):
                if isinstance(function, FunctionType):
                    yield function.__code__


def _top_package(module: Any) -> str:
    return str(module.__name__).partition(".")[0]


@cache
def _make_crapssim_table() -> Any:
    """Return a crapssim Table, for its settings and rules."""
    return import_module("crapssim.table").Table()


class DiceView:
    """Stands in for crapssim's Dice: the last throw, with the lower die first."""

    def __init__(self, table: TableView) -> None:
        self._table = table

    @property
    def result(self) -> tuple[int, int] | None:
        """The two faces; None before the first throw."""
        return self._table.view.last

    @property
    def total(self) -> int | None:
        """The sum of the faces; None before the first throw."""
        faces = self.result
        return None if faces is None else sum(faces)

    def __getattr__(self, name: str) -> Any:
        """Return the number of throws."""
        if name == "n_rolls":
            return self._table.count(name)
        raise AttributeError(f"dice have no {name}")


class TableView:
    """Stands in for crapssim's Table between two throws, with one player.

    ``point`` and ``fresh`` may be those of before the throw. ``counts`` are stored only if the
    strategy reads them.
    """

    def __init__(
        self, view: View, point: int | None, fresh: bool | None, counts: dict[str, int]
    ) -> None:
        real = _make_crapssim_table()
        self.view = view
        self.point = _point_class()(point)
        self.rules, self.settings, self.seed = real.rules, real.settings, None
        self.dice = DiceView(self)
        self.players: list[Any] = []
        self._fresh, self._counts = fresh, counts

    @property
    def new_shooter(self) -> bool:
        """Whether a new shooter is about to throw."""
        return self.view.new_shooter if self._fresh is None else self._fresh

    def __getattr__(self, name: str) -> Any:
        """Return other attributes of a Table: the last roll's total, and counts."""
        if name == "last_roll":
            return self.dice.total
        if name in ("n_shooters", "pass_rolls"):
            return self.count(name)
        raise AttributeError(f"a table has no {name}")

    def count(self, name: str) -> int:
        """Return a stored count. Raise StrategyError for any other."""
        if name not in self._counts:
            raise StrategyError(f"it reads the table's {name}, which passline does not provide")
        return self._counts[name]


@cache
def _player_class() -> Any:
    return import_module("crapssim.table").Player


@cache
def _point_class() -> Any:
    return import_module("crapssim.point").Point


def make_player(table: TableView, bankroll: Any, bets: list[Any], strategy: Any) -> Any:
    """Return a crapssim Player at our table.

    Its constructor is not called, because it needs a bankroll that is a number.
    """
    kind = _player_class()
    player = kind.__new__(kind)
    player.bankroll, player.bets, player.strategy = bankroll, bets, strategy
    player.name, player._table = "player", table
    table.players.append(player)
    return player


#: Counts of the table that are stored for a strategy that reads them.
_TABLE_COUNTS = ("n_rolls", "n_shooters")
#: About how many bytes a state of a strategy takes.
_STATE_BYTES = 400
_COME_BOXES = ("come", "dont-come")
_LINE_ODDS = ("pass-odds", "dont-pass-odds")


class OpenBet(NamedTuple):
    """A bet after the strategy's turn. ``amount`` is crapssim's float, which may not be whole
    cents.
    """

    slug: str
    amount: float
    working: bool | None


class TurnState(NamedTuple):
    """What one turn stores for the next: only what the strategy can tell apart."""

    tree: FrozenTree
    bets: tuple[OpenBet, ...]
    point: int | None
    fresh: bool | None
    counts: tuple[int, ...]
    chips: bool
    over: bool


def is_crapssim_strategy(thing: Any) -> bool:
    """Return whether an object is a crapssim strategy, or a class of them."""
    tools = sys.modules.get("crapssim.strategy.tools")
    if tools is None:
        return False
    kind = thing if isinstance(thing, type) else type(thing)
    return issubclass(kind, tools.Strategy)


class CrapssimStrategy:
    """A crapssim strategy as a function of a View."""

    def __init__(self, strategy: Any, name: str) -> None:
        self.__name__ = name
        self._freezer = Freezer()
        names = find_names_used(strategy)
        self._counted = tuple(count for count in _TABLE_COUNTS if count in names)
        self._reads_new_shooter = "new_shooter" in names
        self._here: tuple[FrozenTree, Any, bool] | None = None
        self._plain = _plain_attributes(strategy)
        self._heard: dict[FrozenTree, bool] = {}
        self._numbers: dict[TurnState, int] = {}
        self._left: list[TurnState] = []
        self._first = self._freezer.freeze(strategy)

    def __call__(self, view: View) -> tuple[list[str], MemoryHandle]:
        """Return what the strategy says, and its memory."""
        left = self._left[view.memory.number] if isinstance(view.memory, MemoryHandle) else None
        if left is not None and left.over:
            return [], view.memory
        strategy = self._restore_strategy(self._first if left is None else left.tree)
        if left is not None:
            self._hear(strategy, left, view)
        counts = self._count(left, view)
        player = self._player(strategy, left, view, counts)
        over = left is not None and is_completed(strategy, player)
        if not over:
            strategy.update_bets(player)
        says = [] if over else self._says(player.bets, view)
        return says, self._keep(player, view, counts, over)

    def _restore_strategy(self, tree: FrozenTree) -> Any:
        """Return the strategy in its stored state; the current object if it is still in that
        state.
        """
        here, self._here = self._here, None
        return here[1] if here and here[0] is tree and not here[2] else thaw(tree)

    def _handles_rolls(self, strategy: Any, tree: FrozenTree) -> bool:
        found = self._heard.get(tree)
        if found is None:
            found = self._heard[tree] = handles_rolls(strategy)
        return found

    def _hear(self, strategy: Any, left: TurnState, view: View) -> None:
        """Tell the strategy about the last roll, before its bets are paid."""
        if not self._handles_rolls(strategy, left.tree):
            return
        counts = dict(zip(self._counted, left.counts, strict=True))
        if "n_rolls" in counts:
            counts["n_rolls"] += 1
        table = TableView(view, left.point, bool(left.fresh), counts)
        bets = [make_bet(put.slug, put.amount, left.point, put.working) for put in left.bets]
        strategy.after_roll(make_player(table, UnknownBankroll(), bets, strategy))

    def _count(self, left: TurnState | None, view: View) -> dict[str, int]:
        if left is None:
            return {name: int(name == "n_shooters") for name in self._counted}
        counts = dict(zip(self._counted, left.counts, strict=True))
        if "n_rolls" in counts:
            counts["n_rolls"] += 1
        if "n_shooters" in counts:
            counts["n_shooters"] += view.new_shooter
        return counts

    def _player(
        self, strategy: Any, left: TurnState | None, view: View, counts: dict[str, int]
    ) -> Any:
        """Return a Player with our open bets, in the order in which they were made."""
        table = TableView(view, view.puck, None, counts)
        if left is None:
            bets = [make_bet(slug, float(up), view.puck, None) for slug, up in view.wagers.items()]
            return make_player(
                table, UnknownBankroll(), [b for b in bets if b is not None], strategy
            )
        fates = match_bets_after_throw(left.bets, view)
        bets = [make_bet(now.slug, now.amount, view.puck, now.working) for _, now in fates if now]
        bankroll = UnknownBankroll(_amount_won(fates, view) if left.chips else 0)
        return make_player(table, bankroll, bets, strategy)

    def _says(self, bets: list[Any], view: View) -> list[str]:
        wanted: dict[str, int] = {}
        called: dict[str, bool] = {}
        for bet in bets:
            slug = find_slug(bet)
            if slug in _LINE_ODDS and bet.number != view.puck:
                raise StrategyError(
                    f"it bets {bet!r} with the puck {_show_puck(view)}: no odds are that"
                )
            wanted[slug] = wanted.get(slug, 0) + to_cents(bet)
            called[slug] = bool(getattr(bet, "always_working", None))
        up = {slug: round(amount * 100) for slug, amount in view.wagers.items()}
        known = [slug for slug in up if make_bet(slug, 0.0, view.puck, None) is not None]
        gone = [slug for slug in known if slug not in wanted]
        # Odds come down before the wager that they are behind.
        says = [f"{slug} down" for slug in sorted(gone, key=lambda slug: "odds" not in slug)]
        for slug, cents in wanted.items():
            if slug not in up:
                says.append(f"{slug} for {dollars_of(cents)}")
            elif up[slug] != cents:
                says.append(f"{slug} to {dollars_of(cents)}")
            # A call lasts until the wager is decided, and matters only on a come-out roll.
            if called[slug] and view.puck is None and OFF_ON_COME_OUT.fullmatch(slug):
                says.append(f"{slug} on")
        return says

    def _shown(self, strategy: Any) -> str:
        """Return the parts of the strategy's state that have changed, for a message."""
        now = _plain_attributes(strategy)
        changed = [
            f"{name}={value}" for name, value in now.items() if self._plain.get(name) != value
        ]
        return " ".join([type(strategy).__name__, *changed])

    def _keep(self, player: Any, view: View, counts: dict[str, int], over: bool) -> MemoryHandle:
        """Store the state of the strategy."""
        strategy = player.strategy
        tree = self._freezer.freeze(strategy, player.bankroll.dollars)
        chips = self._freezer.chips
        self._here = (tree, strategy, chips)
        hears = self._handles_rolls(strategy, tree)
        puts = [
            OpenBet(find_slug(bet), bet.amount, getattr(bet, "always_working", None))
            for bet in player.bets
        ]
        if not (hears or chips):
            puts = [put for put in puts if not ONE_ROLL_BETS.fullmatch(put.slug)]
        if chips and any(put.slug.startswith(("buy-", "lay-")) for put in puts):
            raise StrategyError(
                "it uses its bankroll and pays vigorish: passline cannot show it both"
            )
        left = TurnState(
            tree=() if over else tree,
            bets=() if over else tuple(puts),
            point=view.puck if hears else None,
            fresh=view.new_shooter if hears and self._reads_new_shooter else None,
            counts=() if over else tuple(counts.values()),
            chips=chips,
            over=over,
        )
        number = self._numbers.setdefault(left, len(self._left))
        if number == len(self._left):
            self._left.append(left)
        return MemoryHandle(number, _STATE_BYTES + 100 * len(puts), self._shown(strategy))


def match_bets_after_throw(
    bets: tuple[OpenBet, ...], view: View
) -> list[tuple[OpenBet, OpenBet | None]]:
    """Return each bet before the throw with what crapssim has of it after the throw, in its order.

    In crapssim a paid bet comes down, except on a placed number. At our table it may stay up, and
    the strategy may make it again.
    """
    up = {slug: round(amount * 100) for slug, amount in view.wagers.items()}
    fates: list[tuple[OpenBet, OpenBet | None]] = []
    for put in bets:
        slug = _find_traveled_bet(put.slug, bets, view) if put.slug in _COME_BOXES else put.slug
        if slug not in up or _is_taken_down(put.slug, bets, view):
            fates.append((put, None))
            continue
        amount = put.amount if round(put.amount * 100) == up[slug] else up[slug] / 100
        fates.append((put, OpenBet(slug, amount, put.working)))
    return fates


def _find_traveled_bet(box: str, bets: tuple[OpenBet, ...], view: View) -> str:
    """Return where a come wager has traveled: the number that is new, or has just won."""
    old = {put.slug for put in bets}
    numbers = [slug for slug in view.wagers if slug.removeprefix(f"{box}-").isdigit()]
    for slug in numbers:
        if slug not in old:
            return slug
    if numbers:
        for seen in view.settled:
            if seen.wager in numbers and seen.result in ("win", "lose"):
                return seen.wager
    return ""


def _is_taken_down(slug: str, bets: tuple[OpenBet, ...], view: View) -> bool:
    """Return whether a bet that is up at our table is no longer up in crapssim."""
    if slug == "dont-pass":
        return view.puck is None  # only the twelve of a come-out leaves it there: a push
    if STAYS_UP_WHEN_PAID.fullmatch(slug):
        return any(seen.wager == slug and seen.result == "win" for seen in view.settled)
    box = slug.rpartition("-")[0]
    if box in _COME_BOXES and any(put.slug == box for put in bets):
        return (
            _find_traveled_bet(box, bets, view) == slug
        )  # decided, and the next come wager came to it
    return False


def _amount_won(fates: list[tuple[OpenBet, OpenBet | None]], view: View) -> float:
    """Return what a throw adds to crapssim's bankroll: pays and returned stakes."""
    results = {seen.wager: seen.result for seen in view.settled}
    cents = sum(round(seen.paid * 100) for seen in view.settled)
    for put, now in fates:
        if now is None and results.get(put.slug) in ("win", "push", "return"):
            cents += round(put.amount * 100)
    return cents / 100


def _plain_attributes(strategy: Any) -> dict[str, object]:
    return {k: v for k, v in vars(strategy).items() if isinstance(v, int | float | str)}


def _show_puck(view: View) -> str:
    return f"on {view.puck}" if view.puck else "off"


def is_completed(strategy: Any, player: Any) -> bool:
    """Return whether a strategy says that it is completed.

    An aggregate of no strategies says so before it begins, although it may bet (Place682Come does):
    it is asked on.
    """
    return bool(strategy.completed(player)) and getattr(strategy, "strategies", None) != ()
