"""What ``passline session`` is asked: its options, read and checked.

``passline session``: how an evening at the table ends, exactly or sampled.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from msgspec.structs import replace

from passline.cli.common import election_option, fail, game_option
from passline.cli.lab_options import (
    COMPARE_OPTION,
    DASK_OPTION,
    DEVICE_OPTION,
    DICE_OPTION,
    JSON_OPTION,
    MEMORY_OPTION,
    OPEN_WAGERS_OPTION,
    PLOT_OPTIONS,
    RULEBOOK_OPTION,
    WORKERS_OPTION,
    check_plot,
    dice_json,
    explore_machine,
    find_house,
    is_saved_machine,
    join_cluster,
    note,
    open_requested_card,
    parse_count,
    parse_dollars_option,
    parse_memory,
    parse_seed,
    parse_workers,
    read_dice_option,
    save_plot,
    show_dice,
)
from passline.cli.progress import note_compiling, show_progress

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.lab.extremes import Extremes
    from passline.lab.machines.machine import Machine, SavedMachine
    from passline.lab.sessions.session import (
        Arithmetic,
        OpenWagers,
        Plan,
        PlayedSession,
        Remedy,
        Session,
        WhenShort,
    )
    from passline.lab.simulation.gpu.card import GraphicsCard
    from passline.lab.simulation.workers import Workers

_AMOUNT_METAVAR, _NUMBER_METAVAR = "AMOUNT", "N"
_SESSION_OPTIONS = (
    RULEBOOK_OPTION,
    click.option(
        "--bankroll", metavar=_AMOUNT_METAVAR, required=True, help="Dollars to begin with."
    ),
    click.option("--rolls", metavar=_NUMBER_METAVAR, help="Rolls of the session."),
    click.option(
        "--until",
        type=click.Choice(["goal-or-ruin"]),
        help="In place of --rolls: play until --stop-win is won, or lost is what there is.",
    ),
    click.option("--stop-win", metavar=_AMOUNT_METAVAR, help="Leave when ahead by so much."),
    click.option("--stop-loss", metavar=_AMOUNT_METAVAR, help="Leave when behind by so much."),
    OPEN_WAGERS_OPTION,
    click.option(
        "--short",
        "when_short",
        type=click.Choice(["stop", "reduce"]),
        default="stop",
        help="When the rail does not cover the next bets: stop (unless told), or bet what it does.",
    ),
    click.option("--exact", is_flag=True, help="Compute it without sampling."),
    click.option(
        "--fractions",
        is_flag=True,
        help="With --exact: in whole numbers, also where that takes long.",
    ),
    click.option(
        "--doubles",
        is_flag=True,
        help="With --exact: in double precision, which is faster.",
    ),
    click.option(
        "--trials", metavar=_NUMBER_METAVAR, help="Sessions to sample: 100,000 unless told."
    ),
    click.option(
        "--seed", metavar=_NUMBER_METAVAR, help="Of the dice: sample the same sessions again."
    ),
    WORKERS_OPTION,
    DASK_OPTION,
    DICE_OPTION,
    DEVICE_OPTION,
    COMPARE_OPTION,
    PLOT_OPTIONS,
    click.option(
        "--extremes",
        is_flag=True,
        help="Also the best and the worst moment, the time to ruin and the drawdown.",
    ),
    click.option(
        "--distribution",
        is_flag=True,
        help="Also every final worth with its chance, and quantiles on the way.",
    ),
    game_option,
    election_option,
    MEMORY_OPTION,
    JSON_OPTION,
)


def session_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of the command, in the order in which help shows them."""
    for option in reversed(_SESSION_OPTIONS):
        command = option(command)
    return command


class SessionRequest(NamedTuple):
    """The session that is meant, and how it is to be worked out."""

    plan: Plan
    open_wagers: OpenWagers
    when_short: WhenShort
    exact: bool
    arithmetic: Arithmetic | None
    trials: int
    seed: int | None
    workers: int | None
    memory: int
    dice: Dice
    until_over: bool
    device: str
    dask: str | None


def read_session_request(given: dict[str, Any]) -> SessionRequest:
    """The options as they are meant; what makes no sense ends the command."""
    from passline.lab.run_session import DEFAULT_TRIALS
    from passline.lab.sessions.session import MAX_COUNT, Plan

    if given["exact"] and given["trials"] is not None:
        fail("--exact samples nothing: give it or --trials, not both")
    if (given["rolls"] is None) == (given["until"] is None):
        fail("how long? give --rolls, or --until goal-or-ruin, and not both")
    if given["until"] and given["stop_win"] is None:
        fail("--until goal-or-ruin: the goal is missing (--stop-win)")
    arithmetic = _parse_arithmetic(given)
    bankroll = parse_dollars_option("--bankroll", given["bankroll"])
    assert bankroll is not None
    plan = Plan(
        bankroll=bankroll,
        rolls=parse_count("--rolls", given["rolls"], 1, MAX_COUNT) or MAX_COUNT,
        stop_win=parse_dollars_option("--stop-win", given["stop_win"]),
        stop_loss=parse_dollars_option("--stop-loss", given["stop_loss"]),
    )
    asked = SessionRequest(
        plan=plan,
        open_wagers=given["open_wagers"],
        when_short=given["when_short"],
        exact=given["exact"],
        arithmetic=arithmetic,
        trials=parse_count("--trials", given["trials"], 1, MAX_COUNT) or DEFAULT_TRIALS,
        seed=parse_seed(given["seed"]),
        workers=parse_workers(given["workers"]),
        memory=parse_memory(given["memory"]),
        dice=read_dice_option(given["dice"]),
        until_over=given["until"] is not None,
        device=given["device"],
        dask=given["dask"],
    )
    if asked.dask is not None and (
        asked.exact or asked.workers is not None or asked.device == "gpu"
    ):
        fail("--dask samples on a cluster: --exact, --workers and --device are this machine's")
    if asked.device == "gpu" and (asked.exact or asked.workers is not None):
        fail("--device gpu samples on a card: --exact and --workers are the processor's")
    if asked.device == "gpu" and asked.when_short == "reduce":
        fail("--device gpu plays no sessions that go on short: leave it out with --short reduce")
    idle = [f"--{name}" for name in ("seed", "workers") if given[name] is not None]
    if asked.exact and idle:
        note(f"{' and '.join(idle)} {'has' if len(idle) == 1 else 'have'} no effect with --exact")
    if plan.floor is not None and plan.floor < 0:
        note("--stop-loss is more than the bankroll: nobody loses that much")
    return asked


def _parse_arithmetic(given: dict[str, Any]) -> Arithmetic | None:
    asked = [word for word in ("fractions", "doubles") if given[word]]
    if len(asked) > 1:
        fail("--fractions and --doubles are two ways to compute: give one of them")
    if asked and not given["exact"]:
        fail(f"--{asked[0]} is a way to compute: it goes with --exact")
    return "fractions" if given["fractions"] else "doubles" if given["doubles"] else None


@click.command(
    epilog="\b\nExample:\n"
    "  passline session pass-odds --rulebook new-jersey --bankroll 500 --rolls 400 --exact"
)
@click.argument("strategy", metavar="STRATEGY|FILE.npz")
@session_options
def command(strategy: str, **given: Any) -> None:
    """Show how a session of STRATEGY ends: ruin, goal, and the final bankroll.

    STRATEGY is a built-in's name, file.py:function, or a saved machine. A session is so many rolls
    from a bankroll, or until a stop. Ruin: the rail cannot cover the strategy's next wagers; short,
    with chips left for some wager, or broke, with none; --short reduce plays on with what there is.
    What is up when the rolls end is played out, unless --open says otherwise. Without --exact,
    sessions are sampled and standard errors shown.
    """
    asked = read_session_request(given)
    card = open_requested_card(asked.device)
    names = (strategy, *given["others"])
    if given["plot"]:
        check_plot(given["plot"], names)
    house = find_house(given["source"], given["game"], given["options"])
    if given["memory"] is not None and not asked.exact and all(map(is_saved_machine, names)):
        note("--memory has no effect: a saved machine is as large as it is")
    machines = [explore_machine(name, house, asked.memory) for name in names]
    with note_compiling(), ExitStack() as stack:
        played, wrong = _play_sessions(machines, asked, card, join_cluster(asked.dask, stack))
    if not played:
        fail(wrong)
    if given["extremes"]:
        found = _find_extremes(machines, played, asked)
    undrawn = save_plot(given["plot"], lambda path: _plot_sessions(path, played))
    _show(played, given, asked, found if given["extremes"] else [])
    if wrong or undrawn:
        fail("; ".join(filter(None, (wrong, undrawn))))


def _play_sessions(
    machines: list[Machine | SavedMachine],
    asked: SessionRequest,
    card: GraphicsCard | None,
    cluster: Workers | None,
) -> tuple[list[PlayedSession], str]:
    """A session of each machine; where one fails or is broken off, those so far, and why."""
    from passline.lab.run_session import session
    from passline.lab.sessions.session import PlayedSession, SessionTooLargeError
    from passline.lab.simulation.workers import WorkersLost

    found: list[PlayedSession] = []
    for machine in machines:
        name = machine.about.strategy
        try:
            plan = asked.plan
            if asked.until_over:
                plan = replace(plan, rolls=_count_rolls_until_over(machine, asked))
            with show_progress(name) as bar:
                each = session(
                    machine,
                    plan,
                    exact=asked.exact,
                    open_wagers=asked.open_wagers,
                    when_short=asked.when_short,
                    arithmetic=asked.arithmetic,
                    trials=asked.trials,
                    seed=asked.seed,
                    workers=asked.workers,
                    executor=cluster,
                    card=card,
                    watch=bar,
                    memory=asked.memory,
                    dice=asked.dice,
                )
        except SessionTooLargeError as wrong:
            return found, f"{name}: {wrong.told(_remedy_options())}"
        except ValueError as wrong:
            return found, f"{name}: {wrong}"
        except Exception as wrong:
            if cluster is None:
                raise
            lost = WorkersLost(wrong, cluster.name)
            return found, f"--dask: {lost}: nothing of {name} was played"
        except KeyboardInterrupt:
            return found, f"interrupted before anything of {name} was done"
        found.append(PlayedSession(machine.about, each))
        if each.interrupted:
            return found, _interruption_words(each, asked)
    return found, ""


def _count_rolls_until_over(machine: Machine | SavedMachine, asked: SessionRequest) -> int:
    from passline.lab.run_session import rolls_until_over

    return rolls_until_over(machine, asked.plan, asked.dice, asked.when_short)


def _remedy_options() -> dict[Remedy, str]:
    """The option behind each thing that would help where a session is too long."""
    from passline.lab.sessions.session import Remedy

    return {Remedy.MEMORY: "--memory", Remedy.SAMPLE: "--trials"}


def _interruption_words(session: Session, asked: SessionRequest) -> str:
    """Why a session was broken off, and how much of it is shown."""
    from passline.lab.sessions.session import SampledSession

    why, done = "interrupted", []
    if isinstance(session, SampledSession):
        why = session.reason or why
        done.append(f"{session.trials:,} of {asked.trials:,} sessions")
    if session.plan.rolls < asked.plan.rolls:
        done.append(f"{session.plan.rolls:,} of {asked.plan.rolls:,} rolls")
    if isinstance(session, SampledSession) and session.under_way:
        done.append(f"without {session.under_way:,} that were under way")
    return f"{why}; shown is what was done, {', '.join(done)}"


def _find_extremes(
    machines: list[Machine | SavedMachine], played: list[PlayedSession], asked: SessionRequest
) -> list[Extremes]:
    from passline.lab.extremes import find_extremes

    found = []
    for machine, each in zip(machines, played, strict=False):
        try:
            found.append(
                find_extremes(
                    machine,
                    each.session.plan,
                    dice=asked.dice,
                    when_short=asked.when_short,
                    seed=asked.seed or 1,
                )
            )
        except ValueError as wrong:
            fail(f"--extremes: {each.about.strategy}: {wrong}")
    return found


def _show(
    played: list[PlayedSession],
    given: dict[str, Any],
    asked: SessionRequest,
    found: list[Extremes],
) -> None:
    from passline.cli import session_output as view

    if given["as_json"]:
        more = dice_json(asked.dice) | ({"until": given["until"]} if given["until"] else {})
        view.print_sessions(played, given["distribution"], more, found)
    else:
        show_dice(asked.dice)
        view.show_sessions(played, given["distribution"])
        if asked.until_over:
            view.show_unfinished(played)
        view.show_extremes(played, found)


def _plot_sessions(path: str, played: list[PlayedSession]) -> None:
    from passline.lab.charts.sessions import save_sessions
    from passline.lab.charts.style import make_heading

    named = [(each.about.strategy, each.session) for each in played]
    save_sessions(path, named, make_heading([each.about for each in played]))
