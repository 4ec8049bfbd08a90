"""Our table as a strategy of theirs sees it: its Table and its Dice, as far as they are looked at.

What is not looked at tells no states apart (``View.looked``), so everything here is looked up when
it is asked for.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from passline.machines import StrategyError, View


@cache
def _real_table() -> Any:
    """A table of theirs, for its settings and rules."""
    return import_module("crapssim.table").Table()


class ShownDice:
    """The last throw, as their Dice tell of it. The lower die comes first: that is all we keep."""

    def __init__(self, table: ShownTable) -> None:
        self._table = table

    @property
    def result(self) -> tuple[int, int] | None:
        """The two faces; None before the first throw."""
        return self._table.view.last

    @property
    def total(self) -> int | None:
        """Their sum; None before the first throw."""
        faces = self.result
        return None if faces is None else sum(faces)

    def __getattr__(self, name: str) -> Any:
        """How many throws there were."""
        if name == "n_rolls":
            return self._table.count(name)
        raise AttributeError(f"dice have no {name}")


class ShownTable:
    """Their Table between two throws, one player at it.

    ``point`` and ``fresh`` may be those of before the throw; ``counts`` are kept only where the
    strategy is seen to ask for them.
    """

    def __init__(
        self, view: View, point: int | None, fresh: bool | None, counts: dict[str, int]
    ) -> None:
        real = _real_table()
        self.view = view
        self.point = _point_kind()(point)
        self.rules, self.settings, self.seed = real.rules, real.settings, None
        self.dice = ShownDice(self)
        self.players: list[Any] = []
        self._fresh, self._counts = fresh, counts

    @property
    def new_shooter(self) -> bool:
        """Whether a new shooter is about to throw."""
        return self.view.new_shooter if self._fresh is None else self._fresh

    def __getattr__(self, name: str) -> Any:
        """What their Table has besides: its last roll's total, and counts."""
        if name == "last_roll":
            return self.dice.total
        if name in ("n_shooters", "pass_rolls"):
            return self.count(name)
        raise AttributeError(f"a table has no {name}")

    def count(self, name: str) -> int:
        """A count that is kept for a strategy that asks for it; StrategyError for any other."""
        if name not in self._counts:
            raise StrategyError(f"it looks at the table's {name}, which is not kept")
        return self._counts[name]


@cache
def _player_kind() -> Any:
    return import_module("crapssim.table").Player


@cache
def _point_kind() -> Any:
    return import_module("crapssim.point").Point


def shown_player(table: ShownTable, bankroll: Any, bets: list[Any], strategy: Any) -> Any:
    """Their Player, at our table. Its own maker wants a bankroll that is one number."""
    kind = _player_kind()
    player = kind.__new__(kind)
    player.bankroll, player.bets, player.strategy = bankroll, bets, strategy
    player.name, player._table = "player", table
    table.players.append(player)
    return player
