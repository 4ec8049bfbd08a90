"""Simulations shown: one JSON object for scripts, a few lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from passline.cli.common import print_json
from passline.cli.lab_options import dice_json
from passline.cli.strategy_options import plain_letters
from passline.dice import FAIR, Dice
from passline.money import show_dollars

if TYPE_CHECKING:
    from passline.cli.progress import ProgressBar
    from passline.lab.simulations import Simulation
    from passline.simulation import PlayedRolls
    from passline.simulation.rolls import WatchRolls

_LABEL = 15
_LONG = 0.5  # seconds of exploring, worth a word beside the speed of the play
_MANY = 1024  # rolls, enough for an error unless they are all alike


def print_simulations(found: Sequence[Simulation], dice: Dice = FAIR) -> None:
    """JSON: the first run's fields, and the others' in ``compared``."""
    first, *others = (simulation_json(each) for each in found)
    if others:
        first["compared"] = others
    print_json(first | dice_json(dice))


def simulation_json(found: Simulation) -> dict[str, object]:
    """One run: money in cents; the exact mean as a fraction, with a float beside it."""
    exact = found.exact_mean_per_roll
    return {
        "strategy": found.about.strategy,
        "rulebook": found.about.rulebook,
        "game": found.about.game,
        "elections": found.about.elections,
        "method": found.method,
        "rolls": found.rolls,
        "net": found.net,
        "mean_per_roll": found.mean_per_roll,
        "sd_per_roll": found.sd_per_roll,
        "standard_error": found.standard_error,
        "standard_error_from": found.error_from,
        "games": found.games,
        "classes": None if found.settling is None else found.settling.classes,
        "settling_rolls": None if found.settling is None else found.settling.rolls,
        "mean_of_games": found.mean_of_games,
        "exact_mean_per_roll": None if exact is None else str(exact),
        "exact_mean_per_roll_float": None if exact is None else float(exact),
        "exact_sd_per_roll": found.exact_sd_per_roll,
        "sd_rate": found.sd_rate,
        "states": found.states,
        "closed": found.closed,
        "seed": found.seed,
        "workers": found.workers,
        "device": found.device or "cpu",
        "seconds": found.seconds,
        "exploring_seconds": found.exploring_seconds,
        "rolls_per_second": found.rolls_per_second,
        "rolls_per_lookup": found.rolls_per_lookup,
        "interrupted": found.interrupted,
        "reason": found.reason or None,
    }


def show_simulations(found: Sequence[Simulation]) -> None:
    """What a person reads."""
    for place, each in enumerate(found):
        if place:
            click.echo()
        click.echo("\n".join(_lines(each)))
    click.echo(f"\n{_chart(found)}")


def _chart(found: Sequence[Simulation]) -> str:
    from passline.charts.terminal import Mean, means

    runs = [
        Mean(
            name=each.about.strategy,
            mean=each.mean_per_roll,
            error=each.standard_error,
            exact=_float(each),
        )
        for each in found
    ]
    return means(runs, ascii=plain_letters())


def _float(found: Simulation) -> float | None:
    exact = found.exact_mean_per_roll
    return None if exact is None else float(exact)


def _lines(found: Simulation) -> Iterator[str]:
    about = found.about
    house = "" if about.house in ("", about.rulebook) else f"{about.house}, "
    yield f"{about.strategy}: {found.rolls:,} rolls at {house}{about.rulebook} {about.game}"
    for label, words in _facts(found):
        yield f"  {label:<{_LABEL}}{words}"


def _facts(found: Simulation) -> Iterator[tuple[str, str]]:
    yield "net", show_dollars(found.net)
    error = found.standard_error
    told = _no_error(found) if error is None else f"± {error:,.4f}, {_error_words(found)}"
    yield "mean a roll", f"{found.mean_per_roll:+,.4f} cents ({told})"
    exact = found.exact_mean_per_roll
    if exact is not None:
        yield "exact", f"{float(exact):+,.4f} cents{_fraction(exact)}{_off(found, float(exact))}"
        yield from _settling(found)
    else:
        why = "too many states to solve" if found.closed else "not all its states are known"
        yield "exact", f"not computed: {why}"
    sd = found.exact_sd_per_roll
    beside = "" if sd is None else f" (exact {sd:,.2f})"
    yield "deviation", f"{found.sd_per_roll:,.2f} cents a roll{beside}"
    speed = found.rolls_per_second / 1e6
    workers = found.device or f"{found.workers} worker{'s' if found.workers > 1 else ''}"
    yield "speed", f"{speed:,.1f} million rolls a second, {found.seconds:.2f} s, {workers}"
    explored = found.exploring_seconds
    before = f", explored in {explored:.2f} s before the play" if explored >= _LONG else ""
    yield "states", f"{found.states:,}{'' if found.closed else ' so far'}{before}"
    yield "seed", str(found.seed)


def _off(found: Simulation, exact: float) -> str:
    """How far the run is from what it should come to: its games, where those are its measure."""
    error, games = found.standard_error, found.mean_of_games
    if not error:
        return ""
    of = "" if games is None else f", in such games {games:+,.4f}"
    away = abs(found.mean_per_roll - (exact if games is None else games)) / error
    return f"{of}, {away:.1f} errors away"


def _error_words(found: Simulation) -> str:
    return "standard error between games" if found.error_from == "games" else "standard error"


def _settling(found: Simulation) -> Iterator[tuple[str, str]]:
    """Why the error is the one between games, where that is the machine's doing."""
    if found.settling is None or not found.settling.slow:
        return
    ways, rolls = found.settling.classes, found.settling.rolls
    why = (
        f"it settles down in {ways} ways" if ways > 1 else f"it takes {rolls:,.0f} rolls to settle"
    )
    yield "games", f"{found.games:,}, each from the opening: {why}, and games differ"


def _no_error(found: Simulation) -> str:
    if found.interrupted and found.reason:
        return "no error: it ended at what it met, not by chance"
    alike = not found.sd_per_roll and found.rolls >= _MANY
    return "no error: every roll alike" if alike else "too few rolls for an error"


def _fraction(exact: object) -> str:
    text = str(exact)
    return f" = {text}" if len(text) <= 40 else ""


def watch_rolls(bar: ProgressBar | None, rolls: int) -> WatchRolls | None:
    """What a run tells on its way, put on the bar with the running estimate."""
    if bar is None:
        return None
    return lambda played: bar(played.rolls, rolls, show_estimate(played))


def show_estimate(played: PlayedRolls) -> str:
    """The running estimate and its error, and the speed."""
    error = "" if played.standard_error is None else f" ± {played.standard_error:,.3f}"
    speed = played.rolls_per_second / 1e6
    return f"{played.mean_per_roll:+,.3f}{error} cents a roll, {speed:,.0f} M rolls/s"
