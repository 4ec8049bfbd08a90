"""Show a progress bar, and a note while loops are compiled, on standard error.

Nothing goes to standard output. There is no bar where standard error is not a terminal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import click

_REFRESH_SECONDS = 0.1


class ProgressBar(Protocol):
    """A callback that shows progress: the amount done, the total (None if unknown) and a text."""

    def __call__(self, done: int, total: int | None = None, words: str = "") -> None:
        """Update the bar, unless it was updated less than a tenth of a second ago."""


@contextmanager
def show_progress(name: str) -> Iterator[ProgressBar | None]:
    """Show a bar named ``name`` while the body runs, and yield the callback that updates it.

    Yield None if standard error is not a terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[words]}", markup=False),
        Remaining(),
    )
    last_shown = 0.0
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=None, words="")

        def update(done: int, total: int | None = None, words: str = "") -> None:
            nonlocal last_shown
            now = time.monotonic()
            if now - last_shown >= _REFRESH_SECONDS:
                last_shown = now
                bar.update(task, completed=done, total=total, words=words)

        yield update


def watch_states(bar: ProgressBar | None) -> Callable[[int], None] | None:
    """Return a callback that shows a number of explored states on the bar; None without a bar."""
    return None if bar is None else lambda states: bar(states, None, f"{states:,} states")


@contextmanager
def note_compiling() -> Iterator[None]:
    """Print a note, also where there is no terminal, if the body compiles loops.

    The first run after an installation does.
    """
    from passline.lab.machines.compile_loops import notify_on_compile

    with notify_on_compile(
        lambda: click.echo("Compiling, which takes a few seconds the first time.", err=True)
    ):
        yield
