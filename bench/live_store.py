"""Measure appends per second, each on disk before it is answered: ``python -m bench.live_store``.

Several tables append at once, each line after the answer to its last; those that arrive together
share a commit. Entries are like a throw with ten settlements. PostgreSQL is measured if installed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.postgres import running
from passline.live.log_entries import Draft
from passline.live.store import Append, Appended, Store
from passline.live.stores.memory import MemoryStore
from passline.live.stores.postgres import PostgresStore
from passline.live.stores.sqlite import SqliteStore

TABLES = (1, 10, 100, 500)
#: Tables in the store of a server that starts, each with a house file of some size.
MANY = 10_000
OPENING = Draft(role="operator", by="", more={"settings": {"name": "A table"}, "house": "x" * 8000})
EVENTS = [
    {"tag": "settled", "seat": f"player{n}", "wager": "place 6", "stake": 1200, "paid": 1400}
    for n in range(10)
]


async def table_appends(store: Store, table: str, until: float, seconds_each: list[float]) -> None:
    """Append lines to one table until a time, and add the seconds of each to ``seconds_each``."""
    outcome = await store.create(table, Draft(role="operator", by="", more={"settings": {}}))
    number = 0
    while perf_counter() < until:
        assert isinstance(outcome, Appended)
        head, began = outcome.entries[-1].head, perf_counter()
        draft = Draft(role="player", by="ann", id=str(number), line="roll 3 4", events=EVENTS)
        outcome = await store.append(Append(table=table, after=head, drafts=(draft,)))
        seconds_each.append(perf_counter() - began)
        number += 1


async def measured(
    opener: Callable[[], Awaitable[Store]], tables: int, seconds: float, servers: int = 1
) -> dict[str, Any]:
    """Measure appends per second and their times while ``tables`` tables append at once."""
    stores = [await opener() for _ in range(servers)]
    seconds_each: list[float] = []
    began = perf_counter()
    await asyncio.gather(
        *(
            table_appends(
                stores[n % servers], f"b{tables}-{servers}-{n}", began + seconds, seconds_each
            )
            for n in range(tables)
        )
    )
    elapsed = perf_counter() - began
    sizes: dict[int, int] = {}
    for store in stores:
        for size, times in store.writer.batch_sizes.items():
            sizes[size] = sizes.get(size, 0) + times
        await store.close()
    seconds_each.sort()
    commits = sum(sizes.values())
    return {
        "tables": tables,
        "servers": servers,
        "appends_per_second": round(len(seconds_each) / elapsed),
        "commits_per_second": round(commits / elapsed),
        "batch_mean": round(sum(size * times for size, times in sizes.items()) / commits, 1),
        "batch_most": max(sizes),
        "p50_ms": round(1000 * seconds_each[len(seconds_each) // 2], 2),
        "p99_ms": round(1000 * seconds_each[len(seconds_each) * 99 // 100], 2),
    }


async def lobby(opener: Callable[[], Awaitable[Store]]) -> dict[str, Any]:
    """Fill a store with MANY tables. Return the seconds to open it again and to list them."""
    store = await opener()
    for start in range(0, MANY, 500):
        names = (f"many-{n}" for n in range(start, start + 500))
        await asyncio.gather(*(store.create(name, OPENING) for name in names))
    await store.close()
    began = perf_counter()
    store = await opener()
    opened = perf_counter() - began
    listed = len(await store.tables())
    took = perf_counter() - began - opened
    await store.close()
    return {"tables": listed, "open_s": round(opened, 4), "list_s": round(took, 4)}


async def every(name: str, opener: Callable[[], Awaitable[Store]], seconds: float) -> list[Any]:
    """Measure each number of TABLES, then the lobby (not in memory), and print each at once."""
    found = []
    for tables in TABLES:
        found.append(await measured(opener, tables, seconds))
        show(name, found[-1])
    if name != "memory":
        found.append(await lobby(opener))
        print(f"{name:9} {found[-1]}", flush=True)
    return found


def show(name: str, found: dict[str, Any]) -> None:
    """Print one line of figures."""
    print(
        f"{name:9} {found['tables']:4} tables: {found['appends_per_second']:7,} appends a second, "
        f"{found['commits_per_second']:5,} commits, {found['batch_mean']:5} in each (most "
        f"{found['batch_most']:3}), p50 {found['p50_ms']:6} ms, p99 {found['p99_ms']:6} ms",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each takes (3)")
    parser.add_argument("--json", type=Path, help="where the figures go as JSON")
    options = parser.parse_args()
    found = {}

    async def in_memory() -> Store:
        return MemoryStore()

    found["memory"] = asyncio.run(every("memory", in_memory, options.seconds))
    with tempfile.TemporaryDirectory() as folder:
        found["sqlite"] = asyncio.run(
            every("sqlite", lambda: SqliteStore.open(Path(folder)), options.seconds)
        )
    try:
        with running(sync=True) as server:
            found["postgres"] = asyncio.run(
                every("postgres", lambda: PostgresStore.open(server.url()), options.seconds)
            )
    except LookupError as missing:
        print(f"postgres: not measured: {missing}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
