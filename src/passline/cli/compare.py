"""``passline compare``: strategies side by side on the same throws."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import election_option, exit_on_house_error, fail, game_option, print_json
from passline.cli.lab_options import (
    DICE_OPTION,
    JSON_OPTION,
    OPEN_WAGERS_OPTION,
    OPEN_WAGERS_WORDS,
    PLOT_OPTIONS,
    RULEBOOK_OPTION,
    check_plot,
    is_ascii_output,
    is_saved_machine,
    parse_count,
    read_dice_option,
    save_plot,
    show_dice,
)
from passline.cli.progress import note_compiling
from passline.game.money.amounts import show_money

if TYPE_CHECKING:
    from passline.lab.compare import Comparison, PairComparison

#: Strategies that fit side by side, and rolls beyond which nobody waits.
_MAX_STRATEGIES, _MAX_ROLLS = 6, 10**6


@click.command(
    epilog="\b\nExample:\n  passline compare pass dont-pass --rulebook new-jersey --rolls 100"
)
@click.argument("strategies", metavar="STRATEGY...", nargs=-1, required=True)
@RULEBOOK_OPTION
@click.option("--rolls", metavar="N", required=True, help="Rolls that all of them play.")
@OPEN_WAGERS_OPTION
@DICE_OPTION
@PLOT_OPTIONS
@game_option
@election_option
@JSON_OPTION
def command(strategies: tuple[str, ...], **given: Any) -> None:
    """Compare STRATEGIES (built-ins' names or file.py:function) on the same throws: who is ahead
    after N rolls, what each costs, how much it swings. Exact: every pair is one machine.

    All have chips enough. What is up when the rolls end is played out, on the same throws, unless
    --open says otherwise.
    """
    from passline.game.house.load import house_for
    from passline.lab.compare import compare, comparison_json
    from passline.lab.machines.bettor import StrategyError

    if not 2 <= len(strategies) <= _MAX_STRATEGIES:
        fail(f"{len(strategies)} strategies: expected 2 to {_MAX_STRATEGIES}")
    if any(map(is_saved_machine, strategies)):
        fail("a saved machine does not hold its wagers: name the strategies themselves")
    if given["source"] is None:
        fail("--rulebook is missing: expected a rulebook's id or a house-rules file")
    rolls = parse_count("--rolls", given["rolls"], 1, _MAX_ROLLS) or 0
    dice = read_dice_option(given["dice"])
    if given["plot"]:
        check_plot(given["plot"], strategies)
    with exit_on_house_error():
        house = house_for(given["source"], given["game"], given["options"])
    try:
        with note_compiling():
            found = compare(house, strategies, rolls, dice=dice, open_wagers=given["open_wagers"])
    except StrategyError as wrong:
        fail(str(wrong))
    except ValueError as wrong:
        fail(str(wrong))
    undrawn = save_plot(given["plot"], lambda path: _plot(path, found))
    if given["as_json"]:
        before = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(0)
        try:
            print_json(comparison_json(found))
        finally:
            sys.set_int_max_str_digits(before)
    else:
        show_dice(dice)
        _show(found)
    if undrawn:
        fail(undrawn)


def _plot(path: str, found: Comparison) -> None:
    from passline.lab.charts.sessions import save_sessions

    title = f"{found.rolls:,} rolls at {found.house.name}, from nought"
    save_sessions(path, [(each.name, each.session) for each in found.contenders], title)


def _show(found: Comparison) -> None:
    from passline.lab.charts.terminal import draw_histogram

    click.secho(f"{found.rolls:,} rolls at {found.house.name}, on the same throws", bold=True)
    rows = [["strategy", "mean", "sd", "ahead", "5%", "median", "95%", "a roll", "handle", "swing"]]
    for each in found.contenders:
        final = each.session.final
        rows.append(
            [
                each.name,
                show_money(float(final.mean)),
                show_money(final.sd),
                f"{float(each.ahead):.2%}",
                *(show_money(final.quantile(percent)) for percent in (5, 50, 95)),
                show_money(float(each.mean_per_roll)),
                show_money(float(each.handle)),
                "-" if each.sd_rate is None else show_money(each.sd_rate),
            ]
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        shown = [f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True)]
        click.echo("  ".join([f"  {name:<{widths[0]}}", *shown]))
    click.echo()
    for duel in found.duels:
        behind = 1 - float(duel.ahead) - float(duel.tied)
        click.echo(
            f"  {duel.first} ahead of {duel.second} {float(duel.ahead):.2%}, level "
            f"{float(duel.tied):.2%}, behind {behind:.2%}{_open_wagers_note(found, duel)}"
        )
    first = found.duels[0]
    click.echo(f"\nthe lead of {first.first} over {first.second}:")
    click.echo(draw_histogram(first.lead, ascii=is_ascii_output()))
    arithmetic = found.contenders[0].session.arithmetic
    click.echo(f"\nexact, in {arithmetic}; {OPEN_WAGERS_WORDS[found.open_wagers]}")


def _open_wagers_note(found: Comparison, duel: PairComparison) -> str:
    """Where a pair's open wagers are valued otherwise than was asked."""
    fair = duel.open_wagers == "fair" != found.open_wagers
    return " (what is up at expectation: too much to be played out together)" if fair else ""
