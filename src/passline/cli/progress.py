"""What a person sees while a command works: one bar, one note on compiling, nothing in a pipe.

Everything goes to standard error, and only where that is a terminal: what a script reads is never
touched.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import click

_REFRESH_SECONDS = 0.1  # seconds between two looks of the bar at what was told


class ProgressBar(Protocol):
    """Told how far the work is: what is done, of how many (None: nobody knows), and a few words."""

    def __call__(self, done: int, total: int | None = None, words: str = "") -> None:
        """Show it, unless the last time was a moment ago."""


@contextmanager
def show_progress(name: str) -> Iterator[ProgressBar | None]:
    """A bar on a terminal's standard error while this is entered; None anywhere else."""
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
    looked = 0.0
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=None, words="")

        def tell(done: int, total: int | None = None, words: str = "") -> None:
            nonlocal looked
            now = time.monotonic()
            if now - looked >= _REFRESH_SECONDS:
                looked = now
                bar.update(task, completed=done, total=total, words=words)

        yield tell


def watch_states(bar: ProgressBar | None) -> Callable[[int], None] | None:
    """What a machine that is explored tells, put on the bar."""
    return None if bar is None else lambda states: bar(states, None, f"{states:,} states")


@contextmanager
def note_compiling() -> Iterator[None]:
    """Say so where loops are compiled meanwhile, which they are in the first run ever."""
    from passline.lab.machines.compile_loops import notify_on_compile

    with notify_on_compile(
        lambda: click.echo("compiling the loops, once: a few seconds", err=True)
    ):
        yield
