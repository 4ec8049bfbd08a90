"""``passline session``: how a session of a strategy ends, exactly or sampled.

This module reads the options and plays the sessions; ``session_output`` makes the JSON and the
text.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from passline.cli import lab_commands as lab
from passline.cli.common import fail
from passline.lab.sessions.plan_and_result import MAX_COUNT, MAX_SHOOTERS, Plan

if TYPE_CHECKING:
    from passline.cli.progress import ProgressBar
    from passline.game.house.house import House
    from passline.lab.extremes import Extremes
    from passline.lab.machines.machine import Machine, SavedMachine
    from passline.lab.sessions.plan_and_result import Arithmetic, PlayedSession


@lab.declare(
    "passline session pass-odds --rulebook new-jersey --bankroll 500 --rolls 400 --exact",
    lab.STRATEGY_ARGUMENT,
    lab.OPTIONAL_RULEBOOK,
    lab.dollars_option("--bankroll", "Dollars at the start.", required=True),
    lab.count_option("--rolls", "Rolls of the session.", 1, MAX_COUNT),
    click.option(
        "--until",
        type=click.Choice(["goal-or-ruin"]),
        help="In place of --rolls: play until --stop-win is won or the bankroll is lost.",
    ),
    lab.count_option(
        "--shooters",
        "In place of --rolls: leave when this many shooters have sevened out (with --exact).",
        1,
        MAX_SHOOTERS,
    ),
    lab.dollars_option(
        "--per-shooter", "Never risk more on one shooter: losses and bets that are up together."
    ),
    lab.dollars_option("--stop-win", "Leave when ahead by this much."),
    lab.dollars_option("--stop-loss", "Leave when behind by this much."),
    lab.OPEN_WAGERS_OPTION,
    click.option(
        "--short",
        "when_short",
        type=click.Choice(["stop", "reduce"]),
        default="stop",
        help="When the rail does not cover the next bets: stop (default), or bet what it covers.",
    ),
    lab.flag_option("--exact", "Compute the result without sampling."),
    lab.flag_option(
        "--fractions", "With --exact: compute in whole numbers, even where that takes long."
    ),
    lab.flag_option("--doubles", "With --exact: compute in double precision, which is faster."),
    lab.count_option("--trials", "Sessions to sample; 100,000 by default.", 1, MAX_COUNT),
    lab.SEED_OPTION,
    lab.WORKERS_OPTION,
    lab.DASK_OPTION,
    lab.DEVICE_OPTION,
    lab.COMPARE_OPTION,
    lab.plot_options,
    lab.flag_option(
        "--extremes",
        "Also show the best and the worst moment, the time to ruin and the drawdown.",
    ),
    lab.flag_option(
        "--distribution", "Also show each final worth with its chance, and quantiles on the way."
    ),
    lab.MEMORY_OPTION,
    saved_machines=True,
    compiles=True,
)
def command(
    strategy: str,
    house: House | None,
    others: tuple[str, ...],
    extremes: bool,
    distribution: bool,
    dask: str | None,
    device: str,
    memory: int | None,
    until: str | None,
    per_shooter: int | None,
    **options: Any,
) -> lab.Report:
    """Show how a session of STRATEGY ends: ruin, goal, and the final bankroll.

    STRATEGY is a built-in name, file.py:function, or a saved machine. A session lasts a number of
    rolls from a bankroll, or until a stop. Ruin: the rail cannot cover the strategy's next wagers,
    either short (chips left for some wager) or broke (none). With --short reduce, the player goes
    on with what the rail covers. Bets still open when the rolls end are played out, or as --open
    says. Without --exact, sessions are sampled and standard errors are shown.
    """
    from passline.lab.machines.machine import DEFAULT_MEMORY_MB
    from passline.lab.run_session import DEFAULT_TRIALS

    plan = _read_plan(options, until)
    if per_shooter is not None and options["when_short"] == "reduce":
        fail("--per-shooter plays no sessions with --short reduce: leave one of them out")
    if plan.shooters is not None and extremes:
        fail("--extremes counts rolls, not shooters: leave one of them out")
    arithmetic = _read_arithmetic(options)
    _check_options(options, dask, device, plan)
    card = lab.open_requested_card(device)
    names, exact = (strategy, *others), options["exact"]
    machines, _ = lab.explore_machines(names, house, memory, exact=exact, shooter_limit=per_shooter)
    options |= {"arithmetic": arithmetic, "trials": options["trials"] or DEFAULT_TRIALS}
    options |= {"card": card, "memory": memory or DEFAULT_MEMORY_MB}
    with ExitStack() as stack:
        options["executor"] = cluster = lab.join_cluster(dask, stack)
        played, error = lab.run_each(
            machines,
            lambda machine, bar: _play(machine, plan, until is not None, bar, options),
            lambda each: _describe_stop(each, plan, options["trials"]),
            cluster,
        )
    if not played:
        fail(error)
    found = _find_extremes(machines, played, options) if extremes else []
    more = lab.dice_json(options["dice"]) | ({} if until is None else {"until": until})
    return _report(played, found, distribution, more, error)


def _report(
    played: list[PlayedSession],
    extremes: list[Extremes],
    distribution: bool,
    more: dict[str, str],
    error: str,
) -> lab.Report:
    from passline.cli import session_output as output
    from passline.lab.charts.sessions import save_sessions
    from passline.lab.charts.style import make_heading

    named = [(each.about.strategy, each.session) for each in played]
    heading = make_heading([each.about for each in played])
    return lab.Report(
        json=lambda: output.sessions_json(played, distribution, more, extremes),
        lines=lambda: (
            *output.session_lines(played, distribution),
            *(output.unfinished_lines(played) if "until" in more else ()),
            *output.extremes_lines(played, extremes),
        ),
        save_plot=lambda path: save_sessions(path, named, heading),
        error=error,
    )


def _read_plan(options: dict[str, Any], until: str | None) -> Plan:
    """Remove the options about length and stops from ``options``, and return them as a plan.

    Exit 2 if they contradict each other.
    """
    rolls, goal = options.pop("rolls"), options.pop("stop_win")
    if options["exact"] and options["trials"] is not None:
        fail("--exact samples nothing: use --exact or --trials, not both")
    shooters = options.pop("shooters")
    if [rolls, until, shooters].count(None) != 2:
        fail("how long? use one of --rolls, --shooters and --until goal-or-ruin")
    if shooters and not options["exact"]:
        fail("--shooters is computed, not sampled: add --exact")
    if shooters and options["when_short"] == "reduce":
        fail("--shooters plays no sessions with --short reduce: leave one of them out")
    if until and goal is None:
        fail("--until goal-or-ruin needs a goal: add --stop-win")
    return Plan(
        bankroll=options.pop("bankroll"),
        rolls=rolls or MAX_COUNT,
        stop_win=goal,
        stop_loss=options.pop("stop_loss"),
        shooters=shooters,
    )


def _check_options(options: dict[str, Any], dask: str | None, device: str, plan: Plan) -> None:
    """Exit 2 if options contradict each other; print a note about those that have no effect."""
    this_machine = options["exact"] or options["workers"] is not None
    if dask is not None and (this_machine or device == "gpu"):
        fail("--dask samples on a cluster: leave out --exact, --workers and --device")
    if device == "gpu" and this_machine:
        fail("--device gpu samples on a card: leave out --exact and --workers")
    if device == "gpu" and options["when_short"] == "reduce":
        fail("--device gpu plays no sessions with --short reduce: leave one of them out")
    idle = [f"--{name}" for name in ("seed", "workers") if options[name] is not None]
    if options["exact"] and idle:
        verb = "has" if len(idle) == 1 else "have"
        lab.print_note(f"{' and '.join(idle)} {verb} no effect with --exact")
    if plan.floor is not None and plan.floor < 0:
        lab.print_note("--stop-loss is more than the bankroll: it is never reached")


def _read_arithmetic(options: dict[str, Any]) -> Arithmetic | None:
    words: tuple[Arithmetic, ...] = ("fractions", "doubles")
    chosen = [word for word in words if options.pop(word)]
    if len(chosen) > 1:
        fail("--fractions and --doubles are two ways to compute: use one of them")
    if chosen and not options["exact"]:
        fail(f"--{chosen[0]} is a way to compute: it goes with --exact")
    return chosen[0] if chosen else None


def _until_arithmetic(options: dict[str, Any]) -> Arithmetic | None:
    return "doubles" if options["exact"] else None


def _play(
    machine: Machine | SavedMachine,
    plan: Plan,
    until_over: bool,
    bar: ProgressBar | None,
    options: dict[str, Any],
) -> PlayedSession:
    from passline.lab.run_session import (
        find_length_percentile,
        rolls_for_shooters,
        rolls_until_over,
        session,
        set_over_by,
    )
    from passline.lab.sessions.plan_and_result import PlayedSession, Remedy, SessionTooLargeError

    try:
        if until_over:
            rolls = rolls_until_over(machine, plan, options["dice"], options["when_short"])
            plan = replace(plan, rolls=rolls)
            # All but one in 10^12 sessions are counted, so fractions would not be more exact.
            options = options | {"arithmetic": options["arithmetic"] or _until_arithmetic(options)}
        if plan.shooters is not None:
            rolls = rolls_for_shooters(machine, plan.shooters, options["dice"])
            plan = replace(plan, rolls=rolls)
        found = session(machine, plan, watch=bar, **options)
        if until_over and not found.interrupted:
            short = options["when_short"]
            found = set_over_by(
                found, find_length_percentile(machine, plan, options["dice"], short)
            )
        return PlayedSession(machine.about, found)
    except SessionTooLargeError as error:
        remedies = {Remedy.MEMORY: "--memory", Remedy.SAMPLE: "--trials"}
        raise ValueError(error.describe(remedies)) from None


def _describe_stop(played: PlayedSession, plan: Plan, trials: int) -> str:
    """Return why a session was interrupted, and how much of it is shown; "" if it is complete.

    ``trials`` is the number of sessions that were wanted.
    """
    from passline.lab.sessions.plan_and_result import SampledSession

    session, why, done = played.session, "interrupted", []
    if not session.interrupted:
        return ""
    if isinstance(session, SampledSession):
        why = session.reason or why
        done.append(f"{session.trials:,} of {trials:,} sessions")
    if session.plan.rolls < plan.rolls:
        done.append(f"{session.plan.rolls:,} of {plan.rolls:,} rolls")
    if isinstance(session, SampledSession) and session.under_way:
        done.append(f"without {session.under_way:,} that were under way")
    return f"{why}; shown is what was done, {', '.join(done)}"


def _find_extremes(
    machines: list[Machine | SavedMachine], played: list[PlayedSession], options: dict[str, Any]
) -> list[Extremes]:
    from passline.lab.extremes import find_extremes

    settings = {"dice": options["dice"], "when_short": options["when_short"]}
    found = []
    for machine, each in zip(machines, played, strict=False):
        try:
            seed = options["seed"] or 1
            found.append(find_extremes(machine, each.session.plan, seed=seed, **settings))
        except ValueError as error:
            fail(f"--extremes: {each.about.strategy}: {error}")
    return found
