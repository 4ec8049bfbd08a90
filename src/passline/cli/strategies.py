"""``passline strategies``: the built-in strategies, with what each costs, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import election_option, exit_on_house_error, game_option, print_json
from passline.cli.lab_options import DICE_OPTION, dice_json, read_dice_option, show_dice
from passline.game.money.amounts import show_money

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.game.house.house import House


@click.command(epilog="\b\nExample:\n  passline strategies --rulebook iowa")
@click.option(
    "--rulebook",
    default="new-jersey",
    show_default=True,
    metavar="RULEBOOK|FILE",
    help="The rulebook, or the house-rules file, to reckon the cost by.",
)
@DICE_OPTION
@game_option
@election_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def command(
    rulebook: str,
    dice: str | None,
    game: str | None,
    options: tuple[tuple[str, str], ...],
    as_json: bool,
) -> None:
    """List the built-in strategies: what each does, and what a roll of it costs.

    The cost is the exact long-run mean under one rulebook, in cents a roll, and in percent of what
    it needs for its wagers. A strategy whose wagers are not dealt there says what is missing.
    """
    from passline.game.house.load import house_for
    from passline.lab.strategies.built_in import BUILT_IN

    thrown = read_dice_option(dice)
    with exit_on_house_error():
        house = house_for(rulebook, game, options)
    if as_json:
        rows = [_strategy_row(house, name, thrown) for name in BUILT_IN]
        print_json(
            {
                "rulebook": house.book.id,
                "game": house.game,
                "house": house.name,
                **dice_json(thrown),
                "strategies": rows,
            }
        )
        return
    for place, name in enumerate(BUILT_IN):
        row = _strategy_row(house, name, thrown)
        if not place:  # nothing is printed before it is seen that there are machines at all
            show_dice(thrown)
            click.echo(f"{house.name}: {house.game} under {house.book.id}")
        _show(row)
    click.echo("A strategy of your own comes as file.py:function (docs/play/strategies.md).")


def _strategy_row(house: House, name: str, dice: Dice) -> dict[str, Any]:
    """A built-in's line: its cost, or why it cannot be played here."""
    from passline.cli.machine import cost_json, explore_strategy, report_machine
    from passline.lab.machines.bettor import StrategyError
    from passline.lab.strategies.built_in import summarize_strategy

    row: dict[str, Any] = {"name": name, "summary": summarize_strategy(name)}
    try:
        machine = explore_strategy(house, name)
    except StrategyError as wrong:
        return {**row, "why_not": wrong.why}
    report = report_machine(machine, dice)
    return {**row, "states": machine.states, "lumped": report.lumped, **cost_json(report.cost)}


def _show(row: dict[str, Any]) -> None:
    click.echo(click.style(f"{row['name']:<18}", bold=True) + f" {row['summary']}")
    if "why_not" in row:
        click.echo(f"{'':<18} not here: {row['why_not']}")
    elif row["mean_per_roll"] is not None:
        share = row["mean_per_roll"] / row["needed"] if row["needed"] else 0
        click.echo(
            f"{'':<18} {row['mean_per_roll']:+.4f} cents a roll, {share:+.4%} of the "
            f"{show_money(row['needed'])} that it needs"
        )
    else:
        click.echo(f"{'':<18} cost not worked out: {row['states']:,} states are too many")
