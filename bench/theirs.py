"""Deal the same games at crapssim's table, with its own strategies and without output."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bench.ours import BANKROLL

_THREE_FOUR_FIVE = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}


def strategies() -> dict[str, Any]:
    """Return crapssim's strategies by the name of our function that bets the same."""
    single: Any = import_module("crapssim.strategy.single_bet")
    odds: Any = import_module("crapssim.strategy.odds")
    examples: Any = import_module("crapssim.strategy.examples")
    return {
        "pass_odds": single.BetPassLine(10) + odds.PassLineOddsMultiplier(_THREE_FOUR_FIVE),
        "place_alone": single.BetPlace({6: 12, 8: 12}, skip_point=False),
        "place_six_eight": examples.PassLinePlace68(10, 12, 12, skip_point=False),
        "iron_cross": examples.IronCross(5),
        "three_point_molly": examples.ThreePointMolly(10),
    }


def new_table(strategy: Any) -> Any:
    """Return a table with one player, who has the same bankroll as ours."""
    table = import_module("crapssim.table").Table()
    table.add_player(bankroll=BANKROLL, strategy=strategy)
    return table


def deal(table: Any, dice: list[tuple[int, int]]) -> None:
    """Deal these throws in crapssim's fastest way: it draws no random numbers, prints nothing."""
    table.fixed_run(dice, verbose=False)


def worth(table: Any) -> int:
    """Return the player's money in cents, bets included."""
    cents: float = table.players[0].total_player_cash * 100
    return round(cents)
