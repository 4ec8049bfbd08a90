"""``passline session``: how a session of a strategy ends, exactly or sampled.

This module reads the options, plays the sessions and collects what they report;
``session_output`` makes the JSON and the text.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from msgspec.structs import replace

from passline.cli.common import fail
from passline.cli.lab_options import (
    COMPARE_OPTION,
    DASK_OPTION,
    DEVICE_OPTION,
    DICE_OPTION,
    JSON_OPTION,
    MEMORY_OPTION,
    OPEN_WAGERS_OPTION,
    RULEBOOK_OPTION,
    SEED_OPTION,
    STRATEGY_ARGUMENT,
    WORKERS_OPTION,
    count_option,
    dollars_option,
    explore_machine,
    house_options,
    is_saved_machine,
    join_cluster,
    lab_command,
    open_requested_card,
    plot_options,
    print_note,
)
from passline.cli.lab_output import LabReport, dice_json
from passline.cli.progress import show_progress
from passline.lab.sessions.session import MAX_COUNT, Plan

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.game.house.house import House
    from passline.lab.extremes import Extremes
    from passline.lab.machines.machine import Machine, SavedMachine
    from passline.lab.sessions.session import (
        Arithmetic,
        OpenWagers,
        PlayedSession,
        Remedy,
        Session,
        WhenShort,
    )
    from passline.lab.simulation.gpu.card import GraphicsCard
    from passline.lab.simulation.workers import Workers


class SessionRequest(NamedTuple):
    """The options of ``passline session`` after parsing: the plan, and how to compute it."""

    plan: Plan
    open_wagers: OpenWagers
    when_short: WhenShort
    exact: bool
    arithmetic: Arithmetic | None
    trials: int
    seed: int | None
    workers: int | None
    memory: int | None
    dice: Dice
    until_over: bool
    device: str
    dask: str | None


@lab_command(
    "passline session pass-odds --rulebook new-jersey --bankroll 500 --rolls 400 --exact",
    STRATEGY_ARGUMENT,
    RULEBOOK_OPTION,
    dollars_option("--bankroll", "Dollars at the start.", required=True),
    count_option("--rolls", "Rolls of the session.", 1, MAX_COUNT),
    click.option(
        "--until",
        type=click.Choice(["goal-or-ruin"]),
        help="In place of --rolls: play until --stop-win is won or the bankroll is lost.",
    ),
    dollars_option("--stop-win", "Leave when ahead by this much."),
    dollars_option("--stop-loss", "Leave when behind by this much."),
    OPEN_WAGERS_OPTION,
    click.option(
        "--short",
        "when_short",
        type=click.Choice(["stop", "reduce"]),
        default="stop",
        help="When the rail does not cover the next bets: stop (default), or bet what it covers.",
    ),
    click.option("--exact", is_flag=True, help="Compute the result without sampling."),
    click.option(
        "--fractions",
        is_flag=True,
        help="With --exact: compute in whole numbers, even where that takes long.",
    ),
    click.option(
        "--doubles",
        is_flag=True,
        help="With --exact: compute in double precision, which is faster.",
    ),
    count_option("--trials", "Sessions to sample; 100,000 by default.", 1, MAX_COUNT),
    SEED_OPTION,
    WORKERS_OPTION,
    DASK_OPTION,
    DICE_OPTION,
    DEVICE_OPTION,
    COMPARE_OPTION,
    plot_options,
    click.option(
        "--extremes",
        is_flag=True,
        help="Also show the best and the worst moment, the time to ruin and the drawdown.",
    ),
    click.option(
        "--distribution",
        is_flag=True,
        help="Also show each final worth with its chance, and quantiles on the way.",
    ),
    house_options,
    MEMORY_OPTION,
    JSON_OPTION,
    saved_machines=True,
    compiles=True,
)
def command(
    strategy: str,
    house: House | None,
    others: tuple[str, ...],
    extremes: bool,
    distribution: bool,
    **options: Any,
) -> LabReport:
    """Show how a session of STRATEGY ends: ruin, goal, and the final bankroll.

    STRATEGY is a built-in name, file.py:function, or a saved machine. A session lasts a number of
    rolls from a bankroll, or until a stop. Ruin: the rail cannot cover the strategy's next wagers,
    either short (chips left for some wager) or broke (none). With --short reduce, the player goes
    on with what the rail covers. Bets still open when the rolls end are played out, or as --open
    says. Without --exact, sessions are sampled and standard errors are shown.
    """
    request = _read_request(options)
    card = open_requested_card(request.device)
    names = (strategy, *others)
    if request.memory is not None and not request.exact and all(map(is_saved_machine, names)):
        print_note("--memory has no effect: a saved machine has a fixed size")
    machines = [explore_machine(name, house, request.memory) for name in names]
    with ExitStack() as stack:
        played, error = _play_sessions(machines, request, card, join_cluster(request.dask, stack))
    if not played:
        fail(error)
    found = _find_extremes(machines, played, request) if extremes else []
    return _report(played, request, found, distribution, error)


def _report(
    played: list[PlayedSession],
    request: SessionRequest,
    extremes: list[Extremes],
    distribution: bool,
    error: str,
) -> LabReport:
    from passline.cli import session_output as output
    from passline.lab.charts.sessions import save_sessions
    from passline.lab.charts.style import make_heading

    until = {"until": "goal-or-ruin"} if request.until_over else {}
    named = [(each.about.strategy, each.session) for each in played]
    heading = make_heading([each.about for each in played])
    return LabReport(
        json=lambda: output.sessions_json(
            played, distribution, dice_json(request.dice) | until, extremes
        ),
        lines=lambda: (
            *output.session_lines(played, distribution),
            *(output.unfinished_lines(played) if request.until_over else ()),
            *output.extremes_lines(played, extremes),
        ),
        dice=request.dice,
        save_plot=lambda path: save_sessions(path, named, heading),
        error=error,
    )


def _read_request(options: dict[str, Any]) -> SessionRequest:
    """Return the request. End the command if options contradict each other."""
    from passline.lab.run_session import DEFAULT_TRIALS

    if options["exact"] and options["trials"] is not None:
        fail("--exact samples nothing: use --exact or --trials, not both")
    if (options["rolls"] is None) == (options["until"] is None):
        fail("how long? use --rolls or --until goal-or-ruin, and not both")
    if options["until"] and options["stop_win"] is None:
        fail("--until goal-or-ruin needs a goal: add --stop-win")
    plan = Plan(
        bankroll=options["bankroll"],
        rolls=options["rolls"] or MAX_COUNT,
        stop_win=options["stop_win"],
        stop_loss=options["stop_loss"],
    )
    same = ("open_wagers", "when_short", "exact", "seed", "workers", "memory", "dice", "device")
    request = SessionRequest(
        plan=plan,
        arithmetic=_parse_arithmetic(options),
        trials=options["trials"] or DEFAULT_TRIALS,
        until_over=options["until"] is not None,
        dask=options["dask"],
        **{name: options[name] for name in same},
    )
    _check_request(request)
    return request


def _check_request(request: SessionRequest) -> None:
    """End the command if options contradict each other; note those that have no effect."""
    this_machine = request.exact or request.workers is not None
    if request.dask is not None and (this_machine or request.device == "gpu"):
        fail("--dask samples on a cluster: leave out --exact, --workers and --device")
    if request.device == "gpu" and this_machine:
        fail("--device gpu samples on a card: leave out --exact and --workers")
    if request.device == "gpu" and request.when_short == "reduce":
        fail("--device gpu plays no sessions with --short reduce: leave one of them out")
    idle = [f"--{name}" for name in ("seed", "workers") if getattr(request, name) is not None]
    if request.exact and idle:
        verb = "has" if len(idle) == 1 else "have"
        print_note(f"{' and '.join(idle)} {verb} no effect with --exact")
    if request.plan.floor is not None and request.plan.floor < 0:
        print_note("--stop-loss is more than the bankroll: it is never reached")


def _parse_arithmetic(options: dict[str, Any]) -> Arithmetic | None:
    chosen: list[Arithmetic] = [word for word in ("fractions", "doubles") if options[word]]
    if len(chosen) > 1:
        fail("--fractions and --doubles are two ways to compute: use one of them")
    if chosen and not options["exact"]:
        fail(f"--{chosen[0]} is a way to compute: it goes with --exact")
    return chosen[0] if chosen else None


def _play_sessions(
    machines: list[Machine | SavedMachine],
    request: SessionRequest,
    card: GraphicsCard | None,
    cluster: Workers | None,
) -> tuple[list[PlayedSession], str]:
    """Return a session of each machine. If one fails, return those before it and the error."""
    from passline.lab.machines.machine import DEFAULT_MEMORY_MB
    from passline.lab.run_session import session
    from passline.lab.sessions.session import PlayedSession, SessionTooLargeError
    from passline.lab.simulation.workers import WorkersLost

    found: list[PlayedSession] = []
    for machine in machines:
        name = machine.about.strategy
        try:
            plan = request.plan
            if request.until_over:
                plan = replace(plan, rolls=_count_rolls_until_over(machine, request))
            with show_progress(name) as bar:
                each = session(
                    machine,
                    plan,
                    exact=request.exact,
                    open_wagers=request.open_wagers,
                    when_short=request.when_short,
                    arithmetic=request.arithmetic,
                    trials=request.trials,
                    seed=request.seed,
                    workers=request.workers,
                    executor=cluster,
                    card=card,
                    watch=bar,
                    memory=request.memory or DEFAULT_MEMORY_MB,
                    dice=request.dice,
                )
        except SessionTooLargeError as error:
            return found, f"{name}: {error.describe(_remedy_options())}"
        except ValueError as error:
            return found, f"{name}: {error}"
        except Exception as error:
            if cluster is None:
                raise
            return (
                found,
                f"--dask: {WorkersLost(error, cluster.name)}: nothing of {name} was played",
            )
        except KeyboardInterrupt:
            return found, f"interrupted before anything of {name} was done"
        found.append(PlayedSession(machine.about, each))
        if each.interrupted:
            return found, _interruption_words(each, request)
    return found, ""


def _count_rolls_until_over(machine: Machine | SavedMachine, request: SessionRequest) -> int:
    from passline.lab.run_session import rolls_until_over

    return rolls_until_over(machine, request.plan, request.dice, request.when_short)


def _remedy_options() -> dict[Remedy, str]:
    """Return, for each remedy for a session that is too large, the option that applies it."""
    from passline.lab.sessions.session import Remedy

    return {Remedy.MEMORY: "--memory", Remedy.SAMPLE: "--trials"}


def _interruption_words(session: Session, request: SessionRequest) -> str:
    """Return why a session was interrupted, and how much of it is shown."""
    from passline.lab.sessions.session import SampledSession

    why, done = "interrupted", []
    if isinstance(session, SampledSession):
        why = session.reason or why
        done.append(f"{session.trials:,} of {request.trials:,} sessions")
    if session.plan.rolls < request.plan.rolls:
        done.append(f"{session.plan.rolls:,} of {request.plan.rolls:,} rolls")
    if isinstance(session, SampledSession) and session.under_way:
        done.append(f"without {session.under_way:,} that were under way")
    return f"{why}; shown is what was done, {', '.join(done)}"


def _find_extremes(
    machines: list[Machine | SavedMachine], played: list[PlayedSession], request: SessionRequest
) -> list[Extremes]:
    from passline.lab.extremes import find_extremes

    found = []
    for machine, each in zip(machines, played, strict=False):
        try:
            found.append(
                find_extremes(
                    machine,
                    each.session.plan,
                    dice=request.dice,
                    when_short=request.when_short,
                    seed=request.seed or 1,
                )
            )
        except ValueError as error:
            fail(f"--extremes: {each.about.strategy}: {error}")
    return found
