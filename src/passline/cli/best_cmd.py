"""``passline best``: the play that gives the best chance of a goal before ruin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import election_option, fail, game_option, house_errors, print_json
from passline.cli.lab_options import DICE, dice_of, dollars_of_option, show_dice
from passline.cli.outputs import check_outputs, force_option, write_output
from passline.cli.progress import note_compiling, show_progress
from passline.cli.strategy_options import JSON, SOURCE, read_count

if TYPE_CHECKING:
    from passline.lab.best_found import Best
    from passline.strategies.policy import Laid

#: Rows of a policy that a person is shown.
_SHOWN = 40
_MOST_STATES = 10**7


@click.command(
    epilog="\b\nExample:\n"
    "  passline best --goal 100 --bankroll 50 --menu pass,odds --rulebook new-jersey"
)
@click.option("--goal", metavar="AMOUNT", required=True, help="Chips wanted in the rail.")
@click.option("--bankroll", metavar="AMOUNT", required=True, help="Chips to begin with.")
@SOURCE
@click.option("--rolls", metavar="N", help="Within so many rolls; else without end.")
@click.option(
    "--menu", metavar="W1,W2,...", help="What may be bet: line,odds,place,field unless told."
)
@click.option("--unit", metavar="AMOUNT", help="Amounts are whole units: the table minimum.")
@click.option("--calls", is_flag=True, help="Wagers may be called on and off, too.")
@click.option(
    "--states",
    metavar="N",
    default="100000",
    show_default=True,
    help="Ways for the layout to lie that are gone through; beyond, bounds.",
)
@click.option("--policy", metavar="FILE.json", help="Save the policy, for best:FILE.json.")
@force_option
@DICE
@game_option
@election_option
@JSON
def command(**given: Any) -> None:
    """Find the play that gives the best chance of a goal before ruin, over everything that a menu
    of wagers lets one do between rolls: bet, raise, reduce, take down, wait.

    Somebody else shoots, and the puck is off at first. Amounts are the least that the house takes
    at or above whole units. The goal is chips in the rail; never finishing is failing. The policy
    is a strategy: passline simulate best:FILE.json, session, compare, sit.
    """
    from passline.house.files import house_for
    from passline.lab.best import MOST_ROLLS, best
    from passline.lab.best_report import best_json

    if given["source"] is None:
        fail("--rulebook is missing: expected a rulebook's id or a house-rules file")
    goal = dollars_of_option("--goal", given["goal"]) or 0
    bankroll = dollars_of_option("--bankroll", given["bankroll"]) or 0
    unit = dollars_of_option("--unit", given["unit"])
    rolls = read_count("--rolls", given["rolls"], 1, MOST_ROLLS)
    states = read_count("--states", given["states"], 1, _MOST_STATES) or 0
    dice = dice_of(given["dice"])
    check_outputs({"policy": given["policy"]})
    with house_errors():
        house = house_for(given["source"], given["game"], given["options"])
    try:
        with note_compiling(), show_progress("best") as bar:
            found = best(
                house,
                goal,
                bankroll,
                rolls=rolls,
                menu=given["menu"].split(",") if given["menu"] is not None else (),
                unit=unit,
                states=states,
                calls=given["calls"],
                dice=dice,
                watch=None if bar is None else lambda done: bar(done, None, f"{done:,}"),
            )
    except ValueError as wrong:
        fail(str(wrong))
    except KeyboardInterrupt:
        fail("interrupted: nothing is known yet")
    if given["policy"]:
        _save(found, given["policy"])
    if given["as_json"]:
        print_json(best_json(found))
        return
    show_dice(dice)
    _show(found)


def _save(found: Best, path: str) -> None:
    import msgspec

    write_output(msgspec.json.encode(found.policy).decode() + "\n", path)


def _show(found: Best) -> None:
    from passline.money import show_dollars

    ends = f"within {found.rolls:,} rolls" if found.rolls else "without an end"
    click.secho(
        f"{show_dollars(found.goal)} from {show_dollars(found.bankroll)} at {found.house.name}, "
        f"{ends}, units of {show_dollars(found.unit)}",
        bold=True,
    )
    click.echo(f"  on the menu: {', '.join(found.menu)}")
    if found.low is not None and found.high is not None:
        click.echo(f"  the best chance is between {found.low:.6%} and {found.high:.6%}")
    else:
        click.echo(f"  the best chance is {found.chance:.6%}")
    for name, chance in found.alone[:6]:
        click.echo(f"  with {name} alone: {chance:.6%}")
    if found.policy.rows:
        _show_policy(found)
    sure = "" if found.sure_to is None else f"; no play is {found.sure_to:.0e} better: proved"
    click.echo(f"\n{found.method}{sure}")


def _show_policy(found: Best) -> None:
    from passline.money import show_dollars

    playing = [row for row in found.policy.rows if row.up or row.rail >= found.policy.unit]
    rows = [row for row in playing if row.rolls == (found.rolls or 0)]
    more = len(playing) - len(rows)
    click.echo("\nin the rail, the puck, what has to stay up: what to have up for the throw")
    for row in rows[:_SHOWN]:
        puck = f"on {row.puck}" if row.puck else "off"
        click.echo(
            f"  {show_dollars(row.rail):>10}  {puck:<5}  {_laid(row.up) or '-':<20}  "
            f"{_laid(row.lay) or 'nothing: wait'}"
        )
    hidden = more + max(0, len(rows) - _SHOWN)
    if hidden:
        click.echo(f"  and {hidden:,} states more (--policy FILE.json and --json have them all)")


def _laid(wagers: tuple[Laid, ...]) -> str:
    from passline.money import show_dollars

    return ", ".join(f"{w.wager} {show_dollars(w.amount)}" for w in wagers)
