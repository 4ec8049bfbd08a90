"""``passline bankroll``: the smallest bankroll with which a strategy is ruined rarely enough."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from passline.cli import lab_commands as lab
from passline.cli.progress import show_progress
from passline.game.money.amounts import show_dollars

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.game.house.house import House
    from passline.lab.bankroll import BankrollResult

_DEFAULT_HOURS, _DEFAULT_RUIN = 4, "5%"
#: About how many bankrolls the text shows; JSON and the picture have more.
_SHOWN_ROWS = 12


@lab.declare(
    "passline bankroll pass-odds --rulebook new-jersey --hours 4 --ruin 5%",
    lab.STRATEGY_ARGUMENT,
    lab.RULEBOOK_OPTION,
    lab.HOURS_OPTION,
    lab.PACE_OPTION,
    lab.count_option("--rolls", "Rolls of the session, in place of --hours.", 1, 10**6),
    lab.percent_option("--ruin", "The chance of ruin to accept; 5% by default.", _DEFAULT_RUIN),
    lab.dollars_option("--bankroll", "Also show how large the bets may be with this bankroll."),
    lab.flag_option("--explain", "Show why the bankroll is the least, and what ruin means."),
    lab.MEMORY_OPTION,
    lab.plot_options,
    compiles=True,
)
def command(
    strategy: str,
    house: House,
    hours: int | None,
    rolls_per_hour: int,
    rolls: int | None,
    ruin: Fraction,
    bankroll: int | None,
    explain: bool,
    memory: int | None,
    dice: Dice,
) -> lab.Report:
    """Show the bankroll that STRATEGY needs: the least one whose chance of ruin in a session is at
    most --ruin, and the chance of ruin by bankroll and hours. With --bankroll, also show how many
    times as large all its bets may be.

    Ruin: the rail cannot cover the strategy's next wagers, at any time of the session. The session
    lasts --hours (4 by default), or --rolls. The result is exact.
    """
    from passline.lab.bankroll import bankroll_json, find_bankroll
    from passline.lab.charts.bankroll import save_ruin_curve
    from passline.lab.charts.style import make_heading

    if hours is None and rolls is None:
        hours = _DEFAULT_HOURS
    length = lab.count_shift_rolls(hours, rolls_per_hour, rolls)
    assert length is not None
    machine = lab.explore_machine(strategy, house, memory)
    with show_progress(strategy) as bar:
        found = find_bankroll(
            machine,
            length,
            ruin / 100,
            rolls_per_hour=rolls_per_hour,
            bankroll=bankroll,
            chip=house.chip,
            dice=dice,
            watch=bar,
        )
    return lab.Report(
        json=lambda: bankroll_json(found) | lab.dice_json(dice),
        lines=lambda: _lines(found, explain),
        save_plot=lambda path: save_ruin_curve(path, found, make_heading([found.about])),
    )


def _lines(found: BankrollResult, explain: bool) -> Iterator[str]:
    length = found.describe_checkpoint(found.rolls)
    target = f"{float(found.target * 100):g}%"
    yield lab.bold(f"{found.about.strategy} at {found.about.house}, {length}")
    facts = [("least", f"{show_dollars(found.least)}: ruin {found.ruin:.4%}")]
    if found.bankroll is not None:
        times = f"{found.multiple} times the bets" if found.multiple else "not even these bets"
        facts.append(
            (show_dollars(found.bankroll), f"ruin {found.bankroll_ruin:.4%}; it allows {times}")
        )
    yield from lab.fact_lines(facts, 10)
    yield "\nchance of ruin by bankroll and length:"
    names = [found.describe_checkpoint(rolls) for rolls in found.checkpoints]
    every = max(1, len(found.curve) // _SHOWN_ROWS)
    rows = [
        [show_dollars(row.bankroll), *(f"{one:.4%}" for one in row.ruin)]
        for number, row in enumerate(found.curve, 1)
        if number % every == 0 or row.bankroll in (found.least, found.bankroll)
    ]
    yield from lab.table_lines([["", *names], *rows], left_columns=0)
    if explain:
        below = show_dollars(found.below)
        yield f"\nwith {below}, ruin is {found.ruin_below:.4%}: more than {target}"
        yield "ruin: before some roll, or after the last, the rail and the bets that are up do not"
        yield "cover what the strategy wants to have up; more chips never make it more likely"
        if found.multiple is not None:
            yield "larger bets: every bet is multiplied, pays in proportion, and is within"
            yield "the maximum"
    yield "\nexact, in doubles"
