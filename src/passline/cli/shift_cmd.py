"""``passline shift``: what a table of players brings the house in a shift."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import election_option, fail, game_option, house_errors, print_json
from passline.cli.lab_options import (
    DICE,
    HOURS,
    OPEN,
    OPENED,
    PACE,
    dice_of,
    dollars_of_option,
    shift_of,
    show_dice,
)
from passline.cli.progress import note_compiling
from passline.cli.strategy_options import (
    JSON,
    SOURCE,
    is_saved,
    plain_letters,
    read_count,
    seed_of,
)

if TYPE_CHECKING:
    from passline.lab.shifts import Guest, ShiftWin, WorstRoll

#: Shifts that can be sampled, players of one kind, and kinds of them.
_MOST_TRIALS, _MOST_PLAYERS, _MOST_KINDS = 10**6, 100, 20


@click.command(
    epilog="\b\nExample:\n"
    "  passline shift pass-odds:3 field@300 --rulebook new-jersey --hours 2 --trials 2000"
)
@click.argument("guests", metavar="STRATEGY[:PLAYERS][@BANKROLL]...", nargs=-1, required=True)
@SOURCE
@HOURS
@PACE
@click.option("--trials", metavar="N", help="Sample so many shifts, and compute nothing.")
@click.option("--seed", metavar="N", help="Of the dice: sample the same shifts again.")
@OPEN
@DICE
@game_option
@election_option
@JSON
def command(guests: tuple[str, ...], **given: Any) -> None:
    """Show what a table of players brings the house in a shift: the distribution of its win, the
    chance that the table loses, the largest loss that one throw can bring, and the reserve that
    covers the deepest deficit in 99.9 percent of shifts.

    PLAYERS (1 unless told) bet alike; all of the table bet on the same throws. With a BANKROLL they
    leave when it cannot cover their wagers; without one they have chips enough. Exact where nobody
    has a bankroll and the machines together are small, else sampled. What is up when the shift ends
    is played out, unless --open says otherwise.
    """
    from passline.house.files import house_for
    from passline.lab.shift_report import shift_json
    from passline.lab.shifts import table_shift
    from passline.machines import StrategyError

    if given["source"] is None:
        fail("--rulebook is missing: expected a rulebook's id or a house-rules file")
    rolls = shift_of(given["hours"] or "8", given["pace"])
    assert rolls is not None
    dice, asked = dice_of(given["dice"]), _guests(guests)
    with house_errors():
        house = house_for(given["source"], given["game"], given["options"])
    try:
        with note_compiling():
            found = table_shift(
                house,
                asked,
                rolls,
                dice=dice,
                trials=read_count("--trials", given["trials"], 16, _MOST_TRIALS),
                seed=seed_of(given["seed"]) or 1,
                open_wagers=given["open_wagers"],
            )
    except StrategyError as wrong:
        fail(str(wrong))
    except ValueError as wrong:
        fail(str(wrong))
    if given["as_json"]:
        print_json(shift_json(found))
        return
    show_dice(dice)
    _show(found)


def _guests(texts: tuple[str, ...]) -> list[Guest]:
    from passline.lab.shifts import Guest, read_guest

    if len(texts) > _MOST_KINDS:
        fail(f"{len(texts)} kinds of players: expected {_MOST_KINDS} at most")
    found = []
    for text in texts:
        try:
            strategy, players, bankroll = read_guest(text)
        except ValueError as wrong:
            fail(str(wrong))
        if is_saved(strategy):
            fail("a saved machine does not hold its wagers: name the strategy itself")
        if not 1 <= players <= _MOST_PLAYERS:
            fail(f"{text[:40]!r}: expected 1 to {_MOST_PLAYERS} players")
        found.append(Guest(strategy, players, dollars_of_option("a bankroll:", bankroll)))
    return found


def _show(found: ShiftWin) -> None:
    from passline.charts.terminal import histogram
    from passline.money import show_dollars

    win, worst = found.win, found.worst_roll
    players = sum(guest.players for guest in found.guests)
    many = "1 player" if players == 1 else f"{players} players"
    click.secho(f"{many} at {found.house.name}, {found.rolls:,} rolls", bold=True)
    sure = found.trials is not None
    error = f" ± {_money(win.sd / (found.trials or 1) ** 0.5)}" if sure else ""
    shown = "   ".join(f"{p}% {show_dollars(win.quantile(p))}" for p in (1, 5, 50, 95, 99))
    off = "" if found.reserve_error is None else f" ± {_money(found.reserve_error)}"
    for label, text in (
        ("win", f"{_money(float(win.mean))}{error}, sd {_money(win.sd)}"),
        ("", shown),
        ("loses", f"{float(found.loses):.4%} of shifts"),
        *_worst_roll(worst),
        ("reserve", f"{_money(found.reserve)}{off} covers 99.9% of shifts at any moment"),
    ):
        click.echo(f"  {label:<12}{text}")
    click.echo(f"\n{histogram(win, ascii=plain_letters())}\n")
    click.echo(OPENED[found.open_wagers])
    if sure:
        click.echo(f"simulated: {found.trials:,} shifts, seed {found.seed}, ± one standard error")
    else:
        click.echo("exact, in doubles: the players' machines as one")


def _worst_roll(worst: WorstRoll) -> list[tuple[str, str]]:
    """The largest loss of one throw; none where no throw costs the house anything."""
    if worst.loss <= 0:
        return [("worst roll", "no throw costs the house anything")]
    seen = "largest seen" if worst.seen else "largest possible"
    return [
        ("worst roll", f"{_money(worst.loss)}, {seen}: {worst.chance:.4%} of throws,"),
        ("", f"{worst.in_shift:.4%} of shifts"),
    ]


def _money(cents: float) -> str:
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"
