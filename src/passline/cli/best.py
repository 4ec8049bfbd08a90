"""``passline best``: the bets with the best chance of reaching a goal before ruin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
import msgspec

from passline.cli import lab_commands as lab
from passline.cli.common import fail
from passline.cli.files import check_outputs, force_option, write_output
from passline.cli.progress import show_progress
from passline.game.money.amounts import show_dollars
from passline.game.words.wagers import wager_label

if TYPE_CHECKING:
    from passline.game.house.house import House
    from passline.lab.best_play import BestPlayResult
    from passline.lab.strategies.policy import PolicyBet

#: The most policy rows in the text; JSON has all rows.
_MAX_SHOWN_ROWS = 40
_MAX_STATES, _MAX_ROLLS = 10**7, 10**6


@lab.declare(
    "passline best --goal 100 --bankroll 50 --menu pass,odds --rulebook new-jersey",
    lab.dollars_option("--goal", "The rail to reach.", required=True),
    lab.dollars_option("--bankroll", "The rail at the start.", required=True),
    lab.RULEBOOK_OPTION,
    lab.count_option("--rolls", "The most rolls to take; no limit by default.", 1, _MAX_ROLLS),
    click.option(
        "--menu",
        metavar="W1,W2,...",
        help="The wagers to choose from; line,odds,place,field by default.",
    ),
    lab.dollars_option(
        "--unit", "Bet in whole units of this amount; the table minimum by default."
    ),
    lab.flag_option("--calls", "Also allow calling wagers on and off."),
    lab.count_option(
        "--states",
        "The most layouts to explore; beyond that, show bounds.",
        1,
        _MAX_STATES,
        default="250000",
        show_default=True,
    ),
    click.option(
        "--policy", metavar="FILE.json", help="Save the policy, to play it as best:FILE.json."
    ),
    force_option,
    compiles=True,
)
def command(
    house: House, goal: int, bankroll: int, menu: str | None, policy: str | None, **more: Any
) -> lab.Report:
    """Find the play that gives the best chance of reaching a goal before ruin, over everything that
    a menu of wagers allows between rolls: bet, raise, reduce, take down, wait.

    Another player shoots, and the puck is off at first. Amounts are the smallest that the house
    takes at or above whole units. The goal counts chips in the rail; never finishing counts as
    failing. The saved policy is a strategy: use best:FILE.json with simulate, session, compare and
    sit.
    """
    from passline.lab.best_play import best_play_json, find_best_play

    check_outputs({"policy": policy})
    words = menu.split(",") if menu is not None else ()
    try:
        with show_progress("best") as bar:
            watch = None if bar is None else lambda done: bar(done, None, f"{done:,}")
            result = find_best_play(house, goal, bankroll, menu=words, watch=watch, **more)
    except KeyboardInterrupt:
        fail("interrupted before there was a result")
    if policy:
        write_output(msgspec.json.encode(result.policy).decode() + "\n", policy)
    return lab.Report(json=lambda: best_play_json(result), lines=lambda: _lines(result))


def _lines(result: BestPlayResult) -> Iterator[str]:
    ends = f"within {result.rolls:,} rolls" if result.rolls else "without a limit of rolls"
    yield lab.bold(
        f"{show_dollars(result.goal)} from {show_dollars(result.bankroll)} at {result.house.name}, "
        f"{ends}, units of {show_dollars(result.unit)}"
    )
    yield f"  on the menu: {', '.join(map(wager_label, result.menu))}"
    if result.chance is not None:
        yield f"  the best chance is {result.chance:.6%}"
    else:
        yield f"  the best chance is between {result.low:.6%} and {result.high:.6%}"
        yield f"  to know more: {', or '.join(result.advice)}"
    for name, chance in result.alone[:6]:
        names = ", ".join(map(wager_label, name.split(", ")))
        yield f"  with {names} alone: {chance:.6%}"
    if result.policy.rows:
        yield from _policy_lines(result)
    gap = result.optimality_gap
    if result.goal <= result.bankroll:
        yield "\nYou already have the goal."
        return
    yield f"\n{result.method}{'' if gap is None else f'; no play is {gap:.0e} better: proved'}"


def _policy_lines(result: BestPlayResult) -> Iterator[str]:
    playing = [row for row in result.policy.rows if row.up or row.rail >= result.policy.unit]
    rows = [row for row in playing if row.rolls == (result.rolls or 0)]
    yield "\nthe rail, the puck, the bets that must stay: the bets to have for the next throw"
    for row in rows[:_MAX_SHOWN_ROWS]:
        puck = f"on {row.puck}" if row.puck else "off"
        yield (
            f"  {show_dollars(row.rail):>10}  {puck:<5}  {_bets_text(row.up) or '-':<20}  "
            f"{_bets_text(row.lay) or 'none: wait'}"
        )
    hidden = len(playing) - min(len(rows), _MAX_SHOWN_ROWS)
    if hidden:
        yield f"  and {hidden:,} more states (--policy FILE.json and --json have them all)"


def _bets_text(wagers: tuple[PolicyBet, ...]) -> str:
    return ", ".join(f"{wager_label(w.wager)} {show_dollars(w.amount)}" for w in wagers)
