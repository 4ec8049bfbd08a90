"""``passline session``: how an evening at the table ends, exactly or sampled."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import fail
from passline.cli.session_args import Asked, read_asked, session_options
from passline.cli.strategy_options import (
    check_plot,
    compiling,
    house_at,
    machine_of,
    note,
    save_plot,
    saved,
)

if TYPE_CHECKING:
    from passline.cli.session_view import Played
    from passline.machines import Machine, SavedMachine
    from passline.sessions import Session

_EVERY = 0.1  # seconds between two looks at the clock of the progress bar


@click.command(
    epilog="\b\nExample:\n"
    "  passline session pass-odds --rulebook new-jersey --bankroll 500 --rolls 400 --exact"
)
@click.argument("strategy", metavar="STRATEGY|FILE.npz")
@session_options
def command(strategy: str, **given: Any) -> None:
    """Show how a session of STRATEGY ends: ruin, goal, and the final bankroll.

    STRATEGY is a built-in's name, file.py:function, or a saved machine. A session is so many rolls
    from a bankroll, or until a stop. Ruin: the rail cannot cover the strategy's next wagers. Wagers
    still up at the end count at their stake. Without --exact, sessions are sampled and standard
    errors shown.
    """
    asked = read_asked(given)
    names = (strategy, *given["others"])
    if given["plot"]:
        check_plot(given["plot"], names)
    house = house_at(given["source"], given["game"], given["options"])
    if given["memory"] is not None and not asked.exact and all(map(saved, names)):
        note("--memory has no effect: a saved machine is as large as it is")
    machines = [machine_of(name, house, asked.memory) for name in names]
    with compiling():
        played, wrong = _played(machines, asked)
    if not played:
        fail(wrong)
    undrawn = save_plot(given["plot"], lambda path: _plot(path, played))
    _show(played, given)
    if wrong or undrawn:
        fail("; ".join(filter(None, (wrong, undrawn))))


def _played(machines: list[Machine | SavedMachine], asked: Asked) -> tuple[list[Played], str]:
    """A session of each machine; where one fails or is broken off, those so far, and why."""
    from passline.cli.session_view import Played
    from passline.lab.sessions import session

    found: list[Played] = []
    for machine in machines:
        name = machine.about.strategy
        try:
            with _progress(name) as watch:
                each = session(
                    machine,
                    asked.plan,
                    exact=asked.exact,
                    arithmetic=asked.arithmetic,
                    trials=asked.trials,
                    seed=asked.seed,
                    workers=asked.workers,
                    watch=watch,
                    memory=asked.memory,
                )
        except ValueError as wrong:
            hints = (("sample it", " (--trials)"), ("allow more", " (--memory)"))
            return found, f"{name}: {wrong}{''.join(h for w, h in hints if w in str(wrong))}"
        except KeyboardInterrupt:
            return found, f"interrupted before anything of {name} was done"
        found.append(Played(machine.about, each))
        if each.interrupted:
            return found, _broken_off(each, asked)
    return found, ""


def _broken_off(session: Session, asked: Asked) -> str:
    """Why a session was broken off, and how much of it is shown."""
    why, rolls = "interrupted", ""
    if session.plan.rolls < asked.plan.rolls:
        rolls = f"{session.plan.rolls:,} of {asked.plan.rolls:,} rolls"
    done = [rolls] if rolls else []
    if session.trials is not None:
        why = getattr(session, "reason", "") or why
        done.insert(0, f"{session.trials:,} of {asked.trials:,} sessions")
        if left_out := getattr(session, "under_way", 0):
            done.append(f"without {left_out:,} that were under way")
    return f"{why}; shown is what was done, {', '.join(done)}"


@contextmanager
def _progress(name: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal's standard error, and nothing anywhere else."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    looked = 0.0
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=None)

        def watch(done: int, asked: int) -> None:
            nonlocal looked
            now = time.monotonic()
            if now - looked >= _EVERY:
                looked = now
                bar.update(task, completed=done, total=asked)

        yield watch


def _show(played: list[Played], given: dict[str, Any]) -> None:
    from passline.cli import session_view as view

    if given["as_json"]:
        view.print_sessions(played, given["distribution"])
    else:
        view.show_sessions(played, given["distribution"])


def _plot(path: str, played: list[Played]) -> None:
    from passline.charts import heading, save_sessions

    named = [(each.about.strategy, each.session) for each in played]
    save_sessions(path, named, heading([each.about for each in played]))
