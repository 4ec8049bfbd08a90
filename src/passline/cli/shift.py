"""``passline shift``: what a table of players brings the house in a shift."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import election_option, exit_on_house_error, fail, game_option, print_json
from passline.cli.lab_options import (
    DICE_OPTION,
    HOURS_OPTION,
    JSON_OPTION,
    OPEN_WAGERS_OPTION,
    OPEN_WAGERS_WORDS,
    PACE_OPTION,
    RULEBOOK_OPTION,
    is_ascii_output,
    is_saved_machine,
    parse_count,
    parse_dollars_option,
    parse_seed,
    parse_shift_rolls,
    read_dice_option,
    show_dice,
)
from passline.cli.progress import note_compiling
from passline.game.money.amounts import show_money

if TYPE_CHECKING:
    from passline.lab.shifts import PlayerGroup, ShiftResult, WorstRoll

#: Shifts that can be sampled, players of one kind, and kinds of them.
_MAX_TRIALS, _MAX_PLAYERS, _MAX_KINDS = 10**6, 100, 20


@click.command(
    epilog="\b\nExample:\n"
    "  passline shift pass-odds:3 field@300 --rulebook new-jersey --hours 2 --trials 2000"
)
@click.argument("guests", metavar="STRATEGY[:PLAYERS][@BANKROLL]...", nargs=-1, required=True)
@RULEBOOK_OPTION
@HOURS_OPTION
@PACE_OPTION
@click.option("--trials", metavar="N", help="Sample so many shifts, and compute nothing.")
@click.option("--seed", metavar="N", help="Of the dice: sample the same shifts again.")
@OPEN_WAGERS_OPTION
@DICE_OPTION
@game_option
@election_option
@JSON_OPTION
def command(guests: tuple[str, ...], **given: Any) -> None:
    """Show what a table of players brings the house in a shift: the distribution of its win, the
    chance that the table loses, the largest loss that one throw can bring, and the reserve that
    covers the deepest deficit in 99.9 percent of shifts.

    PLAYERS (1 unless told) bet alike; all of the table bet on the same throws. With a BANKROLL they
    leave when it cannot cover their wagers; without one they have chips enough. Exact where nobody
    has a bankroll and the machines together are small, else sampled. What is up when the shift ends
    is played out, unless --open says otherwise.
    """
    from passline.game.house.load import house_for
    from passline.lab.machines.bettor import StrategyError
    from passline.lab.shifts import find_shift_win, shift_json

    if given["source"] is None:
        fail("--rulebook is missing: expected a rulebook's id or a house-rules file")
    rolls = parse_shift_rolls(given["hours"] or "8", given["pace"])
    assert rolls is not None
    dice, asked = read_dice_option(given["dice"]), _parse_guests(guests)
    with exit_on_house_error():
        house = house_for(given["source"], given["game"], given["options"])
    try:
        with note_compiling():
            found = find_shift_win(
                house,
                asked,
                rolls,
                dice=dice,
                trials=parse_count("--trials", given["trials"], 16, _MAX_TRIALS),
                seed=parse_seed(given["seed"]) or 1,
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


def _parse_guests(texts: tuple[str, ...]) -> list[PlayerGroup]:
    from passline.lab.shifts import PlayerGroup, parse_player_group

    if len(texts) > _MAX_KINDS:
        fail(f"{len(texts)} kinds of players: expected {_MAX_KINDS} at most")
    found = []
    for text in texts:
        try:
            strategy, players, bankroll = parse_player_group(text)
        except ValueError as wrong:
            fail(str(wrong))
        if is_saved_machine(strategy):
            fail("a saved machine does not hold its wagers: name the strategy itself")
        if not 1 <= players <= _MAX_PLAYERS:
            fail(f"{text[:40]!r}: expected 1 to {_MAX_PLAYERS} players")
        found.append(PlayerGroup(strategy, players, parse_dollars_option("a bankroll:", bankroll)))
    return found


def _show(found: ShiftResult) -> None:
    from passline.game.money.amounts import show_dollars
    from passline.lab.charts.terminal import draw_histogram

    win, worst = found.win, found.worst_roll
    players = sum(guest.players for guest in found.guests)
    many = "1 player" if players == 1 else f"{players} players"
    click.secho(f"{many} at {found.house.name}, {found.rolls:,} rolls", bold=True)
    sure = found.trials is not None
    error = f" ± {show_money(win.sd / (found.trials or 1) ** 0.5)}" if sure else ""
    shown = "   ".join(f"{p}% {show_dollars(win.quantile(p))}" for p in (1, 5, 50, 95, 99))
    off = "" if found.reserve_error is None else f" ± {show_money(found.reserve_error)}"
    for label, text in (
        ("win", f"{show_money(float(win.mean))}{error}, sd {show_money(win.sd)}"),
        ("", shown),
        ("loses", f"{float(found.loses):.4%} of shifts"),
        *_worst_roll_rows(worst),
        ("reserve", f"{show_money(found.reserve)}{off} covers 99.9% of shifts at any moment"),
    ):
        click.echo(f"  {label:<12}{text}")
    click.echo(f"\n{draw_histogram(win, ascii=is_ascii_output())}\n")
    click.echo(OPEN_WAGERS_WORDS[found.open_wagers])
    if sure:
        click.echo(f"simulated: {found.trials:,} shifts, seed {found.seed}, ± one standard error")
    else:
        click.echo("exact, in doubles: the players' machines as one")


def _worst_roll_rows(worst: WorstRoll) -> list[tuple[str, str]]:
    """The largest loss of one throw; none where no throw costs the house anything."""
    if worst.loss <= 0:
        return [("worst roll", "no throw costs the house anything")]
    seen = "largest seen" if worst.seen else "largest possible"
    return [
        ("worst roll", f"{show_money(worst.loss)}, {seen}: {worst.chance:.4%} of throws,"),
        ("", f"{worst.in_shift:.4%} of shifts"),
    ]
