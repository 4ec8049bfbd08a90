"""Make a crapssim strategy callable with our View, like any other strategy.

After each throw, first call the strategy's ``after_roll``, with its bets and the point as they were
before the throw. Then call its ``update_bets``, and turn what it changed into betting phrases. Its
state is stored as a plain value (``frozen_state``). ``DiceView`` and ``TableView`` read a value of
our View only when the strategy does, because a machine has fewer states if values are not read.
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

#: Modules whose code is not searched for names, because it belongs to no strategy.
_FOREIGN_PACKAGES = sys.stdlib_module_names | {"crapssim"}


def list_parts(strategy: Any) -> list[Any]:
    """Return a strategy and all objects inside it, at any depth, each once."""
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
    """Return every name and every text constant in the code of a strategy and of its modules.

    They show which values of a table the strategy may read, such as "n_rolls".
    """
    names: set[str] = set()
    for code in _list_code(list_parts(strategy)):
        names.update(code.co_names)
        names.update(word for word in code.co_consts if isinstance(word, str))
    return frozenset(names)


def handles_rolls(strategy: Any) -> bool:
    """Return whether any part of a strategy overrides ``after_roll``."""
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
    """Yield the code objects of a function, of an object's classes, and of their modules."""
    homes: list[Any] = []
    if isinstance(part, FunctionType):
        yield part.__code__
        homes.append(sys.modules.get(part.__module__))
    for kind in type(part).__mro__:
        homes += [kind, sys.modules.get(kind.__module__)]
    for home in homes:
        if home is None or (
            not isinstance(home, type) and home.__name__.partition(".")[0] in _FOREIGN_PACKAGES
        ):
            continue
        for thing in vars(home).values():
            for function in (thing, getattr(thing, "fget", None), getattr(thing, "__func__", None)):
                if isinstance(function, FunctionType):
                    yield function.__code__


@cache
def _import_crapssim(name: str) -> Any:
    return import_module(f"crapssim.{name}")


class DiceView:
    """Replacement for crapssim's Dice: the last throw, with the lower die first."""

    def __init__(self, table: TableView) -> None:
        self._table = table

    @property
    def result(self) -> tuple[int, int] | None:
        """The two faces of the last throw, the lower one first; None before the first throw."""
        return self._table.view.last

    @property
    def total(self) -> int | None:
        """The sum of the last throw's faces; None before the first throw."""
        faces = self.result
        return None if faces is None else sum(faces)

    def __getattr__(self, name: str) -> Any:
        """Return the number of throws for the name ``n_rolls``; raise AttributeError for others."""
        if name == "n_rolls":
            return self._table.count(name)
        raise AttributeError(f"dice have no {name}")


class TableView:
    """Replacement for crapssim's Table between two throws, with one player.

    While ``after_roll`` is called, ``point`` and ``fresh`` (a new shooter) are those from before
    the throw. Otherwise ``fresh`` is None, and ``view`` says whether the shooter is new. ``counts``
    holds the table's counters that the strategy reads.
    """

    def __init__(
        self, view: View, point: int | None, fresh: bool | None, counts: dict[str, int]
    ) -> None:
        real = _import_crapssim("table").Table()
        self.view = view
        self.point = _import_crapssim("point").Point(point)
        self.rules, self.settings, self.seed = real.rules, real.settings, None
        self.dice = DiceView(self)
        self.players: list[Any] = []
        self._fresh, self._counts = fresh, counts

    @property
    def new_shooter(self) -> bool:
        """Whether a new shooter is about to throw."""
        return self.view.new_shooter if self._fresh is None else self._fresh

    def __getattr__(self, name: str) -> Any:
        """Return ``last_roll`` (its total), or the counter ``n_shooters`` or ``pass_rolls``.

        Raise AttributeError for another name.
        """
        if name == "last_roll":
            return self.dice.total
        if name in ("n_shooters", "pass_rolls"):
            return self.count(name)
        raise AttributeError(f"a table has no {name}")

    def count(self, name: str) -> int:
        """Return the table's counter ``name``. Raise StrategyError if we have none."""
        if name not in self._counts:
            raise StrategyError(f"it reads the table's {name}, which passline does not provide")
        return self._counts[name]


def make_player(table: TableView, bankroll: Any, bets: list[Any], strategy: Any) -> Any:
    """Return a crapssim Player at a table, with these bets and this strategy.

    Do not call Player's constructor, which needs a number as bankroll.
    """
    kind = _import_crapssim("table").Player
    player = kind.__new__(kind)
    player.bankroll, player.bets, player.strategy = bankroll, bets, strategy
    player.name, player._table = "player", table
    table.players.append(player)
    return player


#: Counters of crapssim's Table that are stored if a strategy reads them.
_TABLE_COUNTS = ("n_rolls", "n_shooters")
#: The approximate size of a strategy's stored state, in bytes.
_STATE_BYTES = 400
_COME_BOXES = ("come", "dont-come")
_LINE_ODDS = ("pass-odds", "dont-pass-odds")


class OpenBet(NamedTuple):
    """A bet after the strategy's turn. ``amount`` is crapssim's float in dollars, perhaps inexact.

    ``working`` says whether the bet always works; None if crapssim has no such setting for it.
    """

    slug: str
    amount: float
    working: bool | None


class TurnState(NamedTuple):
    """What one turn stores for the next: only values that can change the strategy's bets.

    ``tree`` is the strategy's state. ``bets`` are its bets on the table after the turn. ``point``
    and ``fresh`` (a new shooter) describe the table at the turn, and ``counts`` its counters.
    ``chips`` says whether the strategy stores a bankroll, and ``over`` whether it has finished.
    """

    tree: FrozenTree
    bets: tuple[OpenBet, ...]
    point: int | None
    fresh: bool | None
    counts: tuple[int, ...]
    chips: bool
    over: bool


def is_crapssim_strategy(thing: Any) -> bool:
    """Return whether an object is a crapssim strategy, or a class of such strategies."""
    tools = sys.modules.get("crapssim.strategy.tools")
    if tools is None:
        return False
    kind = thing if isinstance(thing, type) else type(thing)
    return issubclass(kind, tools.Strategy)


class CrapssimStrategy:
    """A crapssim strategy as a function of a View. ``name`` is used in messages."""

    def __init__(self, strategy: Any, name: str) -> None:
        self.__name__ = name
        self._freezer = Freezer()
        names = find_names_used(strategy)
        self._counted = tuple(count for count in _TABLE_COUNTS if count in names)
        self._reads_new_shooter = "new_shooter" in names
        self._here: tuple[FrozenTree, Any, bool] | None = None
        self._plain = _plain_attributes(strategy)
        self._rolls_handled: dict[FrozenTree, bool] = {}
        self._numbers: dict[TurnState, int] = {}
        self._left: list[TurnState] = []
        self._first = self._freezer.freeze(strategy)

    def __call__(self, view: View) -> tuple[list[str], MemoryHandle]:
        """Return (betting phrases, new memory) of the strategy for this view."""
        left = self._left[view.memory.number] if isinstance(view.memory, MemoryHandle) else None
        if left is not None and left.over:
            return [], view.memory
        strategy = self._restore_strategy(self._first if left is None else left.tree)
        if left is not None:
            self._call_after_roll(strategy, left, view)
        counted = left is not None and "n_shooters" in self._counted
        counts = self._count(left, view.new_shooter if counted else 0)
        player = self._player(strategy, left, view, counts)
        over = left is not None and is_completed(strategy, player)
        if not over:
            strategy.update_bets(player)
        says = [] if over else self._says(player.bets, view)
        return says, self._store_turn(player, view, counts, over)

    def _restore_strategy(self, tree: FrozenTree) -> Any:
        """Return the strategy in its stored state, or the current object if it has that state."""
        here, self._here = self._here, None
        return here[1] if here and here[0] is tree and not here[2] else thaw(tree)

    def _handles_rolls(self, strategy: Any, tree: FrozenTree) -> bool:
        found = self._rolls_handled.get(tree)
        if found is None:
            found = self._rolls_handled[tree] = handles_rolls(strategy)
        return found

    def _call_after_roll(self, strategy: Any, left: TurnState, view: View) -> None:
        """Call the strategy's ``after_roll`` for the last roll, with its bets not paid yet.

        ``left`` is what the last turn stored. Do nothing if the strategy ignores rolls.
        """
        if not self._handles_rolls(strategy, left.tree):
            return
        table = TableView(view, left.point, bool(left.fresh), self._count(left, 0))
        bets = [make_bet(put.slug, put.amount, left.point, put.working) for put in left.bets]
        strategy.after_roll(make_player(table, UnknownBankroll(), bets, strategy))

    def _count(self, left: TurnState | None, shooters: int) -> dict[str, int]:
        if left is None:
            return {name: int(name == "n_shooters") for name in self._counted}
        more = {"n_rolls": 1, "n_shooters": shooters}
        return {n: old + more[n] for n, old in zip(self._counted, left.counts, strict=True)}

    def _player(
        self, strategy: Any, left: TurnState | None, view: View, counts: dict[str, int]
    ) -> Any:
        """Return a crapssim Player with the open bets, in the order in which they were made.

        ``left`` is what the last turn stored, None on the first turn. ``counts`` are the table's
        counters.
        """
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
                puck = f"on {view.puck}" if view.puck else "off"
                raise StrategyError(f"it bets {bet!r} with the puck {puck}: no odds are that")
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
            # Calling a bet on lasts until the bet is decided, and matters only on a come-out roll.
            if called[slug] and view.puck is None and OFF_ON_COME_OUT.fullmatch(slug):
                says.append(f"{slug} on")
        return says

    def _describe_changes(self, strategy: Any) -> str:
        """Describe the parts of the strategy's state that have changed, for an error message."""
        now = _plain_attributes(strategy)
        changed = [
            f"{name}={value}" for name, value in now.items() if self._plain.get(name) != value
        ]
        return " ".join([type(strategy).__name__, *changed])

    def _store_turn(
        self, player: Any, view: View, counts: dict[str, int], over: bool
    ) -> MemoryHandle:
        """Store the strategy's state after its turn, and return the handle to restore it by.

        The handle is the strategy's memory in the machine. ``over`` says whether the strategy has
        finished. Raise StrategyError if the state cannot be stored.
        """
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
        return MemoryHandle(
            number, _STATE_BYTES + 100 * len(puts), self._describe_changes(strategy)
        )


def match_bets_after_throw(
    bets: tuple[OpenBet, ...], view: View
) -> list[tuple[OpenBet, OpenBet | None]]:
    """Return (before, after) for each bet: as it was, and as crapssim has it after the throw.

    ``after`` is None if the bet is gone. In crapssim a paid bet comes down, except a place bet. So
    a paid bet counts as gone even if it stays up at our table; the strategy may make it again.
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
    """Return the slug of the bet that a come bet became when it traveled to a number, or "".

    ``box`` is "come" or "dont-come". The number is one that had no such bet before, or whose bet
    the throw decided.
    """
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
    """Return whether crapssim would have taken down a bet that is still up at our table.

    ``slug`` is the bet, one of ``bets`` before the last throw; ``view`` shows the table after it.
    """
    if slug == "dont-pass":
        # With the puck off, the bet is still up only after a push on a come-out twelve.
        return view.puck is None
    if STAYS_UP_WHEN_PAID.fullmatch(slug):
        return any(seen.wager == slug and seen.result == "win" for seen in view.settled)
    box = slug.rpartition("-")[0]
    if box in _COME_BOXES and any(put.slug == box for put in bets):
        # The old come bet was decided, and a new one traveled to the same number.
        return _find_traveled_bet(box, bets, view) == slug
    return False


def _amount_won(fates: list[tuple[OpenBet, OpenBet | None]], view: View) -> float:
    """Return the dollars that a throw adds to crapssim's bankroll: winnings and returned stakes.

    ``fates`` pairs each bet before the throw with the same bet after it.
    """
    results = {seen.wager: seen.result for seen in view.settled}
    cents = sum(round(seen.paid * 100) for seen in view.settled)
    for put, now in fates:
        if now is None and results.get(put.slug) in ("win", "push", "return"):
            cents += round(put.amount * 100)
    return cents / 100


def _plain_attributes(strategy: Any) -> dict[str, object]:
    return {k: v for k, v in vars(strategy).items() if isinstance(v, int | float | str)}


def is_completed(strategy: Any, player: Any) -> bool:
    """Return whether a strategy reports that it has finished.

    Ignore the report of a strategy made of others that has no parts yet: it may still bet
    (crapssim's Place682Come does).
    """
    return bool(strategy.completed(player)) and getattr(strategy, "strategies", None) != ()
