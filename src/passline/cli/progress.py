"""Progress on standard error: a bar, and a note while loops are compiled.

The bar appears only on a terminal, so scripts never see it.
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
    """A callback for progress: units done, the total (None if unknown), and words to show."""

    def __call__(self, done: int, total: int | None = None, words: str = "") -> None:
        """Show the progress, at most every 0.1 seconds."""


@contextmanager
def show_progress(name: str) -> Iterator[ProgressBar | None]:
    """Show a progress bar on a terminal and yield its callback; yield None elsewhere."""
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
    """Return a callback for a machine's exploration that shows the number of states."""
    return None if bar is None else lambda states: bar(states, None, f"{states:,} states")


@contextmanager
def note_compiling() -> Iterator[None]:
    """Print a note if loops are compiled meanwhile, which happens on the first run."""
    from passline.lab.machines.compile_loops import notify_on_compile

    with notify_on_compile(
        lambda: click.echo("Compiling, which takes a few seconds the first time.", err=True)
    ):
        yield
