"""A strategy of crapssim at our table: asked as theirs are, answering as ours do.

Before every throw but the first it hears of the last one (``after_roll``), with its bets as they
lay and the point as it stood; then it changes its bets (``update_bets``), and the difference is
said. What it keeps in itself is put by as a number (``frozen``): two turns at which it is the same
are one state of a machine.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from passline.machines import StrategyError, View
from passline.machines.view import dollars_of
from passline.strategies.answer import KeptMemory
from passline.strategies.crapssim.bets import (
    ONE_ROLL,
    RESTING,
    STAYING,
    bet_on,
    cents_of,
    slug_of,
)
from passline.strategies.crapssim.chips import DeepChips
from passline.strategies.crapssim.code import hears_throws, names_used
from passline.strategies.crapssim.frozen import Freezer, Tree, thaw
from passline.strategies.crapssim.shown import ShownTable, shown_player

#: Counts of the table's that are kept for a strategy which asks for them.
_COUNTS = ("n_rolls", "n_shooters")
#: About how many bytes a state of a strategy takes.
_WEIGHT = 400
_BOXES = ("come", "dont-come")
_LINE_ODDS = ("pass-odds", "dont-pass-odds")


class PutBet(NamedTuple):
    """A bet as it was left: ``amount`` is their float, which need not be the cents it means."""

    slug: str
    amount: float
    working: bool | None


class AfterTheirTurn(NamedTuple):
    """What a turn leaves for the next. Nothing here that the strategy could not tell apart."""

    tree: Tree
    bets: tuple[PutBet, ...]
    point: int | None
    fresh: bool | None
    counts: tuple[int, ...]
    chips: bool
    over: bool


def is_theirs(thing: Any) -> bool:
    """Whether something is a strategy of crapssim's kind, or a class of such."""
    tools = sys.modules.get("crapssim.strategy.tools")
    if tools is None:
        return False
    kind = thing if isinstance(thing, type) else type(thing)
    return issubclass(kind, tools.Strategy)


class Visitor:
    """A strategy of theirs, as a function of a View."""

    def __init__(self, strategy: Any, name: str) -> None:
        self.__name__ = name
        self._freezer = Freezer()
        names = names_used(strategy)
        self._counted = tuple(count for count in _COUNTS if count in names)
        self._asks_fresh = "new_shooter" in names
        self._here: tuple[Tree, Any, bool] | None = None
        self._plain = _plain_of(strategy)
        self._heard: dict[Tree, bool] = {}
        self._numbers: dict[AfterTheirTurn, int] = {}
        self._left: list[AfterTheirTurn] = []
        self._first = self._freezer.freeze(strategy)

    def __call__(self, view: View) -> tuple[list[str], KeptMemory]:
        """What the strategy says, and what it keeps."""
        left = self._left[view.memory.number] if isinstance(view.memory, KeptMemory) else None
        if left is not None and left.over:
            return [], view.memory
        strategy = self._awake(self._first if left is None else left.tree)
        if left is not None:
            self._hear(strategy, left, view)
        counts = self._count(left, view)
        player = self._player(strategy, left, view, counts)
        over = left is not None and is_completed(strategy, player)
        if not over:
            strategy.update_bets(player)
        says = [] if over else self._says(player.bets, view)
        return says, self._keep(player, view, counts, over)

    def _awake(self, tree: Tree) -> Any:
        """The strategy as it was put by: the one that is there, where it is still so."""
        here, self._here = self._here, None
        return here[1] if here and here[0] is tree and not here[2] else thaw(tree)

    def _hears(self, strategy: Any, tree: Tree) -> bool:
        found = self._heard.get(tree)
        if found is None:
            found = self._heard[tree] = hears_throws(strategy)
        return found

    def _hear(self, strategy: Any, left: AfterTheirTurn, view: View) -> None:
        """The dice have fallen, and nothing has been paid yet."""
        if not self._hears(strategy, left.tree):
            return
        counts = dict(zip(self._counted, left.counts, strict=True))
        if "n_rolls" in counts:
            counts["n_rolls"] += 1
        table = ShownTable(view, left.point, bool(left.fresh), counts)
        bets = [bet_on(put.slug, put.amount, left.point, put.working) for put in left.bets]
        strategy.after_roll(shown_player(table, DeepChips(), bets, strategy))

    def _count(self, left: AfterTheirTurn | None, view: View) -> dict[str, int]:
        if left is None:
            return {name: int(name == "n_shooters") for name in self._counted}
        counts = dict(zip(self._counted, left.counts, strict=True))
        if "n_rolls" in counts:
            counts["n_rolls"] += 1
        if "n_shooters" in counts:
            counts["n_shooters"] += view.new_shooter
        return counts

    def _player(
        self, strategy: Any, left: AfterTheirTurn | None, view: View, counts: dict[str, int]
    ) -> Any:
        """Their player between throws: what is up with us, in the order that it was put up."""
        table = ShownTable(view, view.puck, None, counts)
        if left is None:
            bets = [bet_on(slug, float(up), view.puck, None) for slug, up in view.wagers.items()]
            return shown_player(table, DeepChips(), [b for b in bets if b is not None], strategy)
        fates = after_throw(left.bets, view)
        bets = [bet_on(now.slug, now.amount, view.puck, now.working) for _, now in fates if now]
        bankroll = DeepChips(_won(fates, view) if left.chips else 0)
        return shown_player(table, bankroll, bets, strategy)

    def _says(self, bets: list[Any], view: View) -> list[str]:
        wanted: dict[str, int] = {}
        called: dict[str, bool] = {}
        for bet in bets:
            slug = slug_of(bet)
            if slug in _LINE_ODDS and bet.number != view.puck:
                raise StrategyError(
                    f"it bets {bet!r} with the puck {_puck(view)}: no odds are that"
                )
            wanted[slug] = wanted.get(slug, 0) + cents_of(bet)
            called[slug] = bool(getattr(bet, "always_working", None))
        up = {slug: round(amount * 100) for slug, amount in view.wagers.items()}
        known = [slug for slug in up if bet_on(slug, 0.0, view.puck, None) is not None]
        gone = [slug for slug in known if slug not in wanted]
        # Odds come down before the wager that they stand behind.
        says = [f"{slug} down" for slug in sorted(gone, key=lambda slug: "odds" not in slug)]
        for slug, cents in wanted.items():
            if slug not in up:
                says.append(f"{slug} for {dollars_of(cents)}")
            elif up[slug] != cents:
                says.append(f"{slug} to {dollars_of(cents)}")
            # A call lasts until the wager is decided, and matters on a come-out roll alone.
            if called[slug] and view.puck is None and RESTING.fullmatch(slug):
                says.append(f"{slug} on")
        return says

    def _shown(self, strategy: Any) -> str:
        """What it keeps that has changed, for a message."""
        now = _plain_of(strategy)
        changed = [
            f"{name}={value}" for name, value in now.items() if self._plain.get(name) != value
        ]
        return " ".join([type(strategy).__name__, *changed])

    def _keep(self, player: Any, view: View, counts: dict[str, int], over: bool) -> KeptMemory:
        """Put the strategy by, as it is now."""
        strategy = player.strategy
        tree = self._freezer.freeze(strategy, player.bankroll.dollars)
        chips = self._freezer.chips
        self._here = (tree, strategy, chips)
        hears = self._hears(strategy, tree)
        puts = [
            PutBet(slug_of(bet), bet.amount, getattr(bet, "always_working", None))
            for bet in player.bets
        ]
        if not (hears or chips):
            puts = [put for put in puts if not ONE_ROLL.fullmatch(put.slug)]
        if chips and any(put.slug.startswith(("buy-", "lay-")) for put in puts):
            raise StrategyError("it reckons with its bankroll and pays vigorish: not both are told")
        left = AfterTheirTurn(
            tree=() if over else tree,
            bets=() if over else tuple(puts),
            point=view.puck if hears else None,
            fresh=view.new_shooter if hears and self._asks_fresh else None,
            counts=() if over else tuple(counts.values()),
            chips=chips,
            over=over,
        )
        number = self._numbers.setdefault(left, len(self._left))
        if number == len(self._left):
            self._left.append(left)
        return KeptMemory(number, _WEIGHT + 100 * len(puts), self._shown(strategy))


def after_throw(bets: tuple[PutBet, ...], view: View) -> list[tuple[PutBet, PutBet | None]]:
    """Each bet that was left, and what they have of it after the throw, in their order.

    What a throw pays comes down with them, a placed number apart; with us it may stay up, and is
    then theirs to put up again.
    """
    up = {slug: round(amount * 100) for slug, amount in view.wagers.items()}
    fates: list[tuple[PutBet, PutBet | None]] = []
    for put in bets:
        slug = _where(put.slug, bets, view) if put.slug in _BOXES else put.slug
        if slug not in up or _came_down(put.slug, bets, view):
            fates.append((put, None))
            continue
        amount = put.amount if round(put.amount * 100) == up[slug] else up[slug] / 100
        fates.append((put, PutBet(slug, amount, put.working)))
    return fates


def _where(box: str, bets: tuple[PutBet, ...], view: View) -> str:
    """Where the wager in a come box has gone: the number that is new, or has just been won."""
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


def _came_down(slug: str, bets: tuple[PutBet, ...], view: View) -> bool:
    """Whether a wager that is up with us is one that they no longer have up."""
    if slug == "dont-pass":
        return view.puck is None  # only the twelve of a come-out leaves it there: a push
    if STAYING.fullmatch(slug):
        return any(seen.wager == slug and seen.result == "win" for seen in view.settled)
    box = slug.rpartition("-")[0]
    if box in _BOXES and any(put.slug == box for put in bets):
        return _where(box, bets, view) == slug  # decided, and the next come wager came to it
    return False


def _won(fates: list[tuple[PutBet, PutBet | None]], view: View) -> float:
    """What a throw brought to their bankroll: pays, and the stakes that came back."""
    results = {seen.wager: seen.result for seen in view.settled}
    cents = sum(round(seen.paid * 100) for seen in view.settled)
    for put, now in fates:
        if now is None and results.get(put.slug) in ("win", "push", "return"):
            cents += round(put.amount * 100)
    return cents / 100


def _plain_of(strategy: Any) -> dict[str, object]:
    return {k: v for k, v in vars(strategy).items() if isinstance(v, int | float | str)}


def _puck(view: View) -> str:
    return f"on {view.puck}" if view.puck else "off"


def is_completed(strategy: Any, player: Any) -> bool:
    """Whether a strategy plays no more, as it says itself.

    An aggregate of nothing says so before it has begun (Place682Come is one that bets all the
    same): it is asked on.
    """
    return bool(strategy.completed(player)) and getattr(strategy, "strategies", None) != ()
