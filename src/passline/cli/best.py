"""``passline best``: the play that gives the best chance of a goal before ruin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import election_option, exit_on_house_error, fail, game_option, print_json
from passline.cli.files import check_outputs, force_option, write_output
from passline.cli.lab_options import (
    DICE_OPTION,
    JSON_OPTION,
    RULEBOOK_OPTION,
    parse_count,
    parse_dollars_option,
    read_dice_option,
    show_dice,
)
from passline.cli.progress import note_compiling, show_progress

if TYPE_CHECKING:
    from passline.lab.best_play import BestPlayResult
    from passline.lab.strategies.policy import PolicyBet

#: Rows of a policy that a person is shown.
_MAX_SHOWN_ROWS = 40
_MAX_STATES = 10**7


@click.command(
    epilog="\b\nExample:\n"
    "  passline best --goal 100 --bankroll 50 --menu pass,odds --rulebook new-jersey"
)
@click.option("--goal", metavar="AMOUNT", required=True, help="Chips wanted in the rail.")
@click.option("--bankroll", metavar="AMOUNT", required=True, help="Chips to begin with.")
@RULEBOOK_OPTION
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
@DICE_OPTION
@game_option
@election_option
@JSON_OPTION
def command(**given: Any) -> None:
    """Find the play that gives the best chance of a goal before ruin, over everything that a menu
    of wagers lets one do between rolls: bet, raise, reduce, take down, wait.

    Somebody else shoots, and the puck is off at first. Amounts are the least that the house takes
    at or above whole units. The goal is chips in the rail; never finishing is failing. The policy
    is a strategy: passline simulate best:FILE.json, session, compare, sit.
    """
    from passline.game.house.load import house_for
    from passline.lab.best_play import MAX_ROLLS, best_play_json, find_best_play

    if given["source"] is None:
        fail("--rulebook is missing: expected a rulebook's id or a house-rules file")
    goal = parse_dollars_option("--goal", given["goal"]) or 0
    bankroll = parse_dollars_option("--bankroll", given["bankroll"]) or 0
    unit = parse_dollars_option("--unit", given["unit"])
    rolls = parse_count("--rolls", given["rolls"], 1, MAX_ROLLS)
    states = parse_count("--states", given["states"], 1, _MAX_STATES) or 0
    dice = read_dice_option(given["dice"])
    check_outputs({"policy": given["policy"]})
    with exit_on_house_error():
        house = house_for(given["source"], given["game"], given["options"])
    try:
        with note_compiling(), show_progress("best") as bar:
            found = find_best_play(
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
        _save_policy(found, given["policy"])
    if given["as_json"]:
        print_json(best_play_json(found))
        return
    show_dice(dice)
    _show(found)


def _save_policy(found: BestPlayResult, path: str) -> None:
    import msgspec

    write_output(msgspec.json.encode(found.policy).decode() + "\n", path)


def _show(found: BestPlayResult) -> None:
    from passline.game.money.amounts import show_dollars

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
    sure = (
        ""
        if found.optimality_gap is None
        else f"; no play is {found.optimality_gap:.0e} better: proved"
    )
    click.echo(f"\n{found.method}{sure}")


def _show_policy(found: BestPlayResult) -> None:
    from passline.game.money.amounts import show_dollars

    playing = [row for row in found.policy.rows if row.up or row.rail >= found.policy.unit]
    rows = [row for row in playing if row.rolls == (found.rolls or 0)]
    more = len(playing) - len(rows)
    click.echo("\nin the rail, the puck, what has to stay up: what to have up for the throw")
    for row in rows[:_MAX_SHOWN_ROWS]:
        puck = f"on {row.puck}" if row.puck else "off"
        click.echo(
            f"  {show_dollars(row.rail):>10}  {puck:<5}  {_wager_words(row.up) or '-':<20}  "
            f"{_wager_words(row.lay) or 'nothing: wait'}"
        )
    hidden = more + max(0, len(rows) - _MAX_SHOWN_ROWS)
    if hidden:
        click.echo(f"  and {hidden:,} states more (--policy FILE.json and --json have them all)")


def _wager_words(wagers: tuple[PolicyBet, ...]) -> str:
    from passline.game.money.amounts import show_dollars

    return ", ".join(f"{w.wager} {show_dollars(w.amount)}" for w in wagers)
