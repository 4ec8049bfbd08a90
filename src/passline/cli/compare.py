"""``passline compare``: strategies side by side on the same throws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from passline.cli import lab_commands as lab
from passline.cli.common import complete_strategy, fail

if TYPE_CHECKING:
    from passline.game.house.house import House
    from passline.lab.compare import Comparison, PairComparison

_MAX_STRATEGIES, _MAX_ROLLS, _MAX_TRIALS = 6, 10**6, 10**6


def _check_strategies(
    _ctx: click.Context, _parameter: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the names, or exit 2: too few or too many strategies, or names of rulebooks."""
    from passline.game.law.book_files import book_ids

    books = [name for name in names if name in book_ids()]
    if books and len(books) == len(names):
        fail(
            f"{' and '.join(names)}: compare takes strategies; to compare two rulebooks, use "
            f"'passline diff {' '.join(names[:2])}'"
        )
    if books:
        fail(f"{books[0]} is a rulebook, not a strategy: name it with --rulebook {books[0]}")
    if not 2 <= len(names) <= _MAX_STRATEGIES:
        fail(f"name 2 to {_MAX_STRATEGIES} strategies")
    return names


@lab.declare(
    "passline compare pass dont-pass --rulebook new-jersey --rolls 100",
    click.argument(
        "strategies",
        metavar="STRATEGY...",
        shell_complete=complete_strategy,
        nargs=-1,
        required=True,
        callback=_check_strategies,
        is_eager=True,
    ),
    lab.RULEBOOK_OPTION,
    lab.count_option("--rolls", "Rolls that each of them plays.", 1, _MAX_ROLLS, required=True),
    lab.count_option("--trials", "Sample so many sequences of throws.", 16, _MAX_TRIALS),
    lab.SEED_OPTION,
    lab.OPEN_WAGERS_OPTION,
    lab.plot_options,
    compiles=True,
)
def command(strategies: tuple[str, ...], house: House, rolls: int, **more: Any) -> lab.Report:
    """Compare STRATEGIES (built-in names or file.py:function) on the same throws: who is ahead
    after N rolls, what each costs, how much it varies. Exact: each pair is solved as one machine.
    With --trials, they are sampled: so can be strategies with too many states to solve.

    Every player has enough chips. Bets still open when the rolls end are played out on the same
    throws, or as --open says. To compare two rulebooks or houses, use passline diff.
    """
    from passline.lab.charts.compare import save_comparison
    from passline.lab.compare import compare, comparison_json

    if more["seed"] is not None and more["trials"] is None:
        fail("--seed goes with --trials: without it the result is exact")
    result = compare(house, strategies, rolls, **more)
    return lab.Report(
        json=lambda: comparison_json(result),
        lines=lambda: _lines(result),
        save_plot=lambda path: save_comparison(path, result),
    )


def _lines(result: Comparison) -> Iterator[str]:
    from passline.game.money.amounts import show_money
    from passline.lab.charts.terminal import draw_histogram

    yield lab.bold(f"{result.rolls:,} rolls at {result.house.name}, on the same throws")
    rows = [["strategy", "mean", "sd", "ahead", "5%", "median", "95%", "a roll", "handle", "swing"]]
    for each in result.contenders:
        final = each.session.final
        rows.append(
            [
                each.name,
                show_money(final.mean),
                show_money(final.sd),
                f"{float(each.ahead):.2%}",
                *(show_money(final.quantile(percent)) for percent in (5, 50, 95)),
                show_money(each.mean_per_roll),
                "-" if each.handle is None else show_money(each.handle),
                "-" if each.sd_rate is None else show_money(each.sd_rate),
            ]
        )
    yield from lab.table_lines(rows)
    yield ""
    for pair in result.pairs:
        behind = 1 - float(pair.ahead) - float(pair.tied)
        yield (
            f"  {pair.first} ahead of {pair.second} {float(pair.ahead):.2%}, level "
            f"{float(pair.tied):.2%}, behind {behind:.2%}{_open_wagers_note(result, pair)}"
        )
    first = result.pairs[0]
    yield f"\nthe lead of {first.first} over {first.second}:"
    yield draw_histogram(first.lead, ascii=lab.is_ascii_output())
    words = lab.OPEN_WAGERS_WORDS[result.open_wagers]
    if result.trials is None:
        yield f"\nexact, in {result.contenders[0].session.arithmetic}; {words}"
        return
    off = 50 / result.trials**0.5
    yield f"\nsimulated: {result.trials:,} sequences of throws, seed {result.seed}; {words}"
    yield f"standard errors: sd / {result.trials**0.5:,.0f} of a mean, {off:.2g} points of a share"


def _open_wagers_note(result: Comparison, pair: PairComparison) -> str:
    """Return a note if a pair's open bets could not be played out together; else ""."""
    fair = pair.open_wagers == "fair" != result.open_wagers
    return " (open bets at expected value: too many states to play out together)" if fair else ""
