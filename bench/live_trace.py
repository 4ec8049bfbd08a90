"""Show where a line's time goes in a server: ``python -m bench.live --trace``.

It runs our server and measures how long lines wait for a commit, the writing thread, the disk, the
event loop and the streams, what the garbage collector takes, and how late the loop is. It prints
the figures to standard error when it ends.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from passline.cli.main import main as passline
from passline.live import store
from passline.live.stores import sqlite
from passline.web import event_streams

#: Seconds between two looks at how late the loop is.
_LOOK = 0.005
_times: dict[str, list[float]] = {}


def note(stage: str, seconds: float) -> None:
    """Record how long one stage of handling lines took, once. The figures are in milliseconds."""
    _times.setdefault(stage, []).append(seconds * 1000)


def _watch_commits() -> None:
    submit, written = store.GroupCommit.submit, sqlite.SqliteStore._write
    commit = sqlite.SqliteStore._commit

    async def submitted(self: Any, job: Any) -> Any:
        began = perf_counter()
        try:
            return await submit(self, job)
        finally:
            note("line: decided to written", perf_counter() - began)

    queued_at = 0.0
    ended = 0.0

    def write(self: Any, *arguments: Any) -> Any:
        nonlocal ended
        began = perf_counter()
        note("commit: the thread is woken", began - queued_at)
        try:
            return written(self, *arguments)
        finally:
            ended = perf_counter()
            note("commit: on the disk", ended - began)

    async def committed(self: Any, batch: Sequence[Any]) -> Any:
        nonlocal queued_at
        queued_at = perf_counter()
        try:
            return await commit(self, batch)
        finally:
            note("commit: the loop is told", perf_counter() - ended)
            note("commit: lines (not ms)", len(batch) / 1000)

    store.GroupCommit.submit = submitted  # type: ignore[method-assign]
    sqlite.SqliteStore._write = write  # type: ignore[method-assign, assignment]
    sqlite.SqliteStore._commit = committed  # type: ignore[method-assign]


def _watch_streams() -> None:
    tell = event_streams.Channel.wake_streams

    def timed(self: Any, *arguments: Any) -> None:
        began = perf_counter()
        tell(self, *arguments)
        note("streams: one entry sent to all", perf_counter() - began)

    event_streams.Channel.wake_streams = timed  # type: ignore[method-assign, assignment]


def _watch_garbage() -> None:
    began = 0.0

    def collected(phase: str, info: dict[str, int]) -> None:
        nonlocal began
        if phase == "start":
            began = perf_counter()
        else:
            note(f"garbage: generation {info['generation']}", perf_counter() - began)
            note("garbage: found (not ms)", info["collected"] / 1000)

    gc.callbacks.append(collected)


async def _watch_loop() -> None:
    while True:
        began = perf_counter()
        await asyncio.sleep(_LOOK)
        note("loop: late by", perf_counter() - began - _LOOK)


def print_times() -> None:
    for stage, times in sorted(_times.items()):
        times.sort()
        at = [
            times[min(len(times) - 1, int(len(times) * part))] for part in (0.5, 0.9, 0.99, 0.999)
        ]
        figures = " ".join(f"{figure:8.2f}" for figure in (*at, times[-1]))
        print(f"{stage:32} {len(times):7} times: {figures}", file=sys.stderr)


def main() -> None:
    """Serve like ``passline`` with the same arguments, and print the figures at the end."""
    _watch_commits()
    _watch_streams()
    _watch_garbage()
    beat = event_streams.Streams._send_comments

    async def beaten(self: Any) -> None:
        await asyncio.gather(_watch_loop(), beat(self))

    event_streams.Streams._send_comments = beaten  # type: ignore[method-assign]
    try:
        passline()
    finally:
        print("milliseconds: p50, p90, p99, p99.9, most", file=sys.stderr)
        print_times()


if __name__ == "__main__":
    main()
