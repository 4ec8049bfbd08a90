"""``passline strategies``: the built-in strategies, with what each costs, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from passline.cli import lab_commands as lab
from passline.cli.common import house_title
from passline.game.law.book_files import DEFAULT_BOOK
from passline.game.money.amounts import show_dollars, show_money

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.game.house.house import House

_NAME_WIDTH = 18


@lab.declare(
    "passline strategies --rulebook iowa",
    lab.rulebook_option(
        "The rulebook, or the house-rules file, to compute the cost under.", DEFAULT_BOOK
    ),
)
def command(house: House, dice: Dice) -> lab.Report:
    """List the built-in strategies: what each does, and its exact long-run cost a roll.

    The cost is in cents, and in percent of the money (rail plus bets) that its bets need on an
    average roll. If the rulebook refuses a bet of the strategy, the refusal is shown instead.
    """
    from passline.lab.strategies.built_in import BUILT_IN

    rows = (_strategy_row(house, name, dice) for name in BUILT_IN)
    heading = {"rulebook": house.book.id, "game": house.game, "house": house.name}
    return lab.Report(
        json=lambda: {**heading, **lab.dice_json(dice), "strategies": list(rows)},
        lines=lambda: _lines(house, rows),
    )


def _strategy_row(house: House, name: str, dice: Dice) -> dict[str, Any]:
    """Return the JSON of one strategy: its cost, or why it cannot be played under these rules."""
    from passline.cli.machine import explore_strategy
    from passline.lab.machine_report import long_run_json, report_machine
    from passline.lab.machines.bettor import StrategyError
    from passline.lab.strategies.built_in import summarize_strategy

    row: dict[str, Any] = {"name": name, "summary": summarize_strategy(name)}
    try:
        machine = explore_strategy(house, name)
    except StrategyError as error:
        return {**row, "why_not": error.why}
    report = report_machine(machine, dice)
    return {**row, "states": machine.states, "lumped": report.lumped, **long_run_json(report)}


def _lines(house: House, rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    from passline.lab.strategies.built_in import UNIT
    from passline.lab.strategies.load import find_unit

    first = next(rows)  # Fails if numpy is missing, so print nothing before this line.
    yield house_title(house)
    if (unit := find_unit(house)) != UNIT:
        flat, usual = show_dollars(unit * 100), show_dollars(UNIT * 100)
        yield f"{flat} is bet instead of {usual}, since this table takes no less in whole chips."
    for row in (first, *rows):
        yield lab.bold(row["name"].ljust(_NAME_WIDTH)) + f" {row['summary']}"
        yield f"{'':<{_NAME_WIDTH}} {_cost_text(row)}"
    yield "A strategy of your own is file.py:function (docs/play/strategies.md)."


def _cost_text(row: dict[str, Any]) -> str:
    if "why_not" in row:
        return f"not here: {row['why_not']}"
    if row["mean_per_roll"] is None:
        return f"cost not computed: {row['states']:,} states are too many"
    share = row["mean_per_roll"] / row["needed"] if row["needed"] else 0
    return (
        f"{row['mean_per_roll']:+.4f} cents a roll, {share:+.4%} of the "
        f"{show_money(row['needed'])} that it needs on average"
    )
