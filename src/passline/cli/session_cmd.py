"""``passline session``: how an evening at the table ends, exactly or sampled."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from passline.cli.cluster_option import join_cluster
from passline.cli.common import fail
from passline.cli.device_option import card_asked
from passline.cli.lab_options import dice_json, show_dice
from passline.cli.progress import note_compiling, show_progress
from passline.cli.session_args import SessionAsked, read_session_asked, session_options
from passline.cli.strategy_options import (
    check_plot,
    house_at,
    is_saved,
    machine_of,
    note,
    save_plot,
)

if TYPE_CHECKING:
    from passline.lab.extremes import Extremes
    from passline.machines import Machine, SavedMachine
    from passline.sessions import Remedy, Session
    from passline.sessions.report import PlayedSession
    from passline.simulation.gpu import GraphicsCard
    from passline.simulation.workers import Workers


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
    asked = read_session_asked(given)
    card = card_asked(asked.device)
    names = (strategy, *given["others"])
    if given["plot"]:
        check_plot(given["plot"], names)
    house = house_at(given["source"], given["game"], given["options"])
    if given["memory"] is not None and not asked.exact and all(map(is_saved, names)):
        note("--memory has no effect: a saved machine is as large as it is")
    machines = [machine_of(name, house, asked.memory) for name in names]
    with note_compiling(), ExitStack() as stack:
        played, wrong = _play(machines, asked, card, join_cluster(asked.dask, stack))
    if not played:
        fail(wrong)
    if given["extremes"]:
        found = _find_extremes(machines, played, asked)
    undrawn = save_plot(given["plot"], lambda path: _plot(path, played))
    _show(played, given, asked, found if given["extremes"] else [])
    if wrong or undrawn:
        fail("; ".join(filter(None, (wrong, undrawn))))


def _play(
    machines: list[Machine | SavedMachine],
    asked: SessionAsked,
    card: GraphicsCard | None,
    cluster: Workers | None,
) -> tuple[list[PlayedSession], str]:
    """A session of each machine; where one fails or is broken off, those so far, and why."""
    from passline.lab.sessions import session
    from passline.sessions import TooLong
    from passline.sessions.report import PlayedSession
    from passline.simulation.workers import WorkersLost

    found: list[PlayedSession] = []
    for machine in machines:
        name = machine.about.strategy
        try:
            plan = asked.plan
            if asked.until_over:
                plan = replace(plan, rolls=_until_over(machine, asked))
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
        except TooLong as wrong:
            return found, f"{name}: {wrong.told(_remedy_options())}"
        except ValueError as wrong:
            return found, f"{name}: {wrong}"
        except Exception as wrong:
            if cluster is None:
                raise
            return found, f"--dask: {WorkersLost(wrong, cluster.who)}: nothing of {name} was played"
        except KeyboardInterrupt:
            return found, f"interrupted before anything of {name} was done"
        found.append(PlayedSession(machine.about, each))
        if each.interrupted:
            return found, _broken_off(each, asked)
    return found, ""


def _until_over(machine: Machine | SavedMachine, asked: SessionAsked) -> int:
    from passline.lab.sessions import rolls_until_over

    return rolls_until_over(machine, asked.plan, asked.dice, asked.when_short)


def _remedy_options() -> dict[Remedy, str]:
    """The option behind each thing that would help where a session is too long."""
    from passline.sessions import Remedy

    return {Remedy.MEMORY: "--memory", Remedy.SAMPLE: "--trials"}


def _broken_off(session: Session, asked: SessionAsked) -> str:
    """Why a session was broken off, and how much of it is shown."""
    from passline.sessions import SampledSession

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
    machines: list[Machine | SavedMachine], played: list[PlayedSession], asked: SessionAsked
) -> list[Extremes]:
    from passline.lab.extremes import extremes

    found = []
    for machine, each in zip(machines, played, strict=False):
        try:
            found.append(
                extremes(
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
    asked: SessionAsked,
    found: list[Extremes],
) -> None:
    from passline.cli import session_view as view

    if given["as_json"]:
        more = dice_json(asked.dice) | ({"until": given["until"]} if given["until"] else {})
        view.print_sessions(played, given["distribution"], more, found)
    else:
        show_dice(asked.dice)
        view.show_sessions(played, given["distribution"])
        if asked.until_over:
            view.show_over(played)
        view.show_extremes(played, found)


def _plot(path: str, played: list[PlayedSession]) -> None:
    from passline.charts import heading, save_sessions

    named = [(each.about.strategy, each.session) for each in played]
    save_sessions(path, named, heading([each.about for each in played]))
