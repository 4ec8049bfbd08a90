"""A long log, made cheaply: a few entries that a hall wrote, repeated under new numbers, times, ids
and hashes. ``python -m tests.live.long_log 1000000 FILE`` writes one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

from passline.live.hash_chain import stamp_entry
from passline.live.log_entries import Draft, Entry, LogHead

from .floor import EVERY_POST, Floor


async def _pattern() -> tuple[list[Entry], list[Entry]]:
    """How the game begins, and what goes on for ever: the shooter throws a seven at every come-out,
    and his line wager is said again."""
    floor = await Floor(5).open("new-jersey", dice="typed", posts=EVERY_POST)
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    await floor.taken("stick", "roll 4 3")
    start = await floor.log()
    await floor.taken("stick", "roll 4 3")
    return start, (await floor.log())[len(start) :]


def long_log(entries: int) -> Iterator[bytes]:
    """The lines of a log of so many entries."""
    start, cycle = asyncio.run(_pattern())
    for entry in start:
        yield entry.text() + b"\n"
    head = start[-1].head
    for number in range(entries - len(start)):
        entry = again(cycle[number % len(cycle)], head, f"long-{number}")
        yield entry.text() + b"\n"
        head = entry.head


def again(entry: Entry, after: LogHead, request: str = "") -> Entry:
    """The same entry once more, after another."""
    draft = Draft(
        role=entry.role,
        by=entry.by,
        id=(request or entry.id) if entry.id is not None else None,
        line=entry.line,
        events=entry.events,
        more=entry.more,
    )
    return stamp_entry(draft, after, entry.at)


def main() -> None:
    """Write a long log."""
    with Path(sys.argv[2]).open("wb") as file:
        file.writelines(long_log(int(sys.argv[1])))


if __name__ == "__main__":
    main()
