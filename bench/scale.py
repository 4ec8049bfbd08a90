"""Measure how live tables scale over servers that share PostgreSQL: ``python -m bench.scale``.

The same players at the same tables, on 1, 2 and 4 servers, one after the other in one run. All
players of a table are on one server, as a proxy that routes by table has them; with ``--mixed``
also spread over two servers. It prints lines a second, the time from a line to its event, and what
the servers, the database and the players took of the processors. Ratios to one server say more
than the figures themselves, and both only mean something on a quiet machine with more processors
than processes. With ``--pin`` each server has two processors of its own, the database four, and
the players the rest. With ``--rates`` each number of servers is given one rate after the other,
and the last table says which was the highest whose p99 held the bound.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from threading import BrokenBarrierError
from typing import Any

import psycopg
import uvloop

from bench.live import ENVIRONMENT, NO_LIMITS, busy, cpu_of, lateness, seated, serving
from bench.live_load import Heard, Load, Seat, play_steps
from bench.postgres import Server, running

#: Leases are used 11 seconds after they were taken, so that a shorter warm-up measures without.
WARM_UP = 14.0
#: The warm-up of a further rate on the same tables.
NEXT_WARM_UP = 2.0
_SERVER_CORES, _DATABASE_CORES = 2, 4
_CONNECTING_SECONDS = 60

#: All processes of players wait here until everyone is connected.
_barrier: Any = None


def _share_barrier(barrier: Any) -> None:
    global _barrier
    _barrier = barrier


def _play_part(
    urls: Sequence[str],
    tables: Sequence[Sequence[Seat]],
    loads: Sequence[Load],
    routed: bool,
    spenders: tuple[list[int], int, str],
) -> tuple[list[Heard], list[int], list[float]]:
    """In a process of its own: play at some tables.

    Return (results of each load, transactions, the database's processor seconds). The last two have
    the totals before and after each load. ``spenders`` are the servers' process ids, the
    database's, and its URL.
    """
    pids, database_pid, database_url = spenders
    transactions: list[int] = []
    database: list[float] = []

    def spent_by_servers() -> float:
        transactions.append(count_transactions(database_url))
        database.append(cpu_of(database_pid))
        return sum(map(cpu_of, pids))

    def wait_for_all() -> None:
        try:
            _barrier.wait(_CONNECTING_SECONDS)
        except BrokenBarrierError:
            raise SystemExit("not everyone could connect within a minute") from None

    spent = (spent_by_servers, lambda: cpu_of(os.getpid()), busy)
    heard = uvloop.run(play_steps(urls, tables, loads, spent, wait_for_all, routed=routed))
    return heard, transactions, database


def measure(
    database: Server,
    servers: int,
    given: argparse.Namespace,
    cores: dict[str, list[int]],
    *,
    routed: bool = True,
) -> list[dict[str, Any]]:
    """Start servers that share a database, and return the figures of each load on them."""
    schema = f"scale{servers}{'r' if routed else 'm'}"
    with psycopg.connect(database.url(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        ENVIRONMENT["PASSLINE_HOME"] = folder  # The servers share the keys there.
        store = ["--database", database.url(schema)]
        command = ["passline", "serve", "--json", "--port", "0", *NO_LIMITS, *store]
        own = cores["servers"]
        found = [
            stack.enter_context(serving(command, own[_SERVER_CORES * k : _SERVER_CORES * (k + 1)]))
            for k in range(servers)
        ]
        shares = [
            seated(url, len(range(number, given.tables, servers)), given.players)
            for number, (url, _) in enumerate(found)
        ]
        # Table k is on server k modulo their number, which `play_steps` sends its players to.
        tables = [shares[k % servers][k // servers] for k in range(given.tables)]
        loads = list_loads(given, servers)
        spenders = ([pid for _, pid in found], postmaster(database), database.url())
        parts = split_tables(tables, servers, given.processes)
        context = get_context("spawn")
        shared = (context.Barrier(len(parts)),)
        urls = [url for url, _ in found]
        with ProcessPoolExecutor(len(parts), context, _share_barrier, shared) as pool:
            jobs = [pool.submit(_play_part, urls, part, loads, routed, spenders) for part in parts]
            results = [job.result() for job in jobs]
    _, transactions, spent = results[0]
    return [
        {
            "servers": servers,
            "routed": routed,
            **figures(
                load,
                [heard[n] for heard, _, _ in results],
                servers,
                transactions[2 * n + 1] - transactions[2 * n],
                spent[2 * n + 1] - spent[2 * n],
            ),
        }
        for n, load in enumerate(loads)
    ]


def list_loads(given: argparse.Namespace, servers: int) -> list[Load]:
    """Return a load for each of ``--rates`` (lines a second for each server), one after the other.

    Without ``--rates``, return one load, in which every player sends a line each ``--every``
    seconds.
    """
    seconds, people = given.seconds, given.tables * given.players
    if not given.rates:
        return [Load(every=given.every, seconds=seconds, warm_up=given.warm_up)]
    rates = [float(rate) * servers for rate in given.rates.split(",")]
    warm_ups = [given.warm_up, *[NEXT_WARM_UP] * (len(rates) - 1)]
    return [
        Load(every=people / rate, seconds=seconds, warm_up=warm_up)
        for rate, warm_up in zip(rates, warm_ups, strict=True)
    ]


def split_tables(
    tables: Sequence[Sequence[Seat]], servers: int, processes: int
) -> list[list[Sequence[Seat]]]:
    """Divide the tables among the processes that play them.

    A table's index modulo the number of servers stays as it was, because it decides the server.
    """
    groups = [tables[start : start + servers] for start in range(0, len(tables), servers)]
    parts = [[seats for group in groups[k::processes] for seats in group] for k in range(processes)]
    return [part for part in parts if part]


def figures(
    load: Load, parts: Sequence[Heard], servers: int, transactions: int, database: float
) -> dict[str, Any]:
    """Return the figures of one load, from the results of each process of players (``parts``).

    ``transactions`` and ``database`` (processor seconds) are what the database did for the load.
    """
    taken = sorted(time for heard in parts for time in heard.taken) or [0.0]
    count = sum(len(heard.taken) for heard in parts)
    statuses: dict[int, int] = {}
    for heard in parts:
        for status, times in heard.statuses.items():
            statuses[status] = statuses.get(status, 0) + times
    behind = sorted(time for heard in parts for time in heard.behind) or [0.0]
    return {
        "lines_per_second": round(count / load.seconds, 1),
        "events_per_second": round(sum(heard.events for heard in parts) / load.seconds),
        "p50_ms": round(taken[len(taken) // 2], 2),
        "p99_ms": round(taken[len(taken) * 99 // 100], 2),
        "statuses": statuses,
        "unsaid": sum(heard.late for heard in parts),
        "sent_late_p99_ms": round(behind[len(behind) * 99 // 100], 2),
        "server_cores_each": round(parts[0].cpu / load.seconds / servers, 2),
        "database_cores": round(database / load.seconds, 2),
        "players_cores": round(sum(heard.own for heard in parts) / load.seconds, 2),
        "machine_cores": round(parts[0].machine / load.seconds, 2),
        "transactions_a_line": round(transactions / max(1, count), 2),
    }


def postmaster(database: Server) -> int:
    """Return the process id of a database server."""
    return int((database.folder / "data" / "postmaster.pid").read_text().split()[0])


def count_transactions(url: str) -> int:
    """Return how many transactions the database has committed so far."""
    query = "SELECT sum(xact_commit)::bigint FROM pg_stat_database"
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(query).fetchone()
    return int(row[0]) if row else 0


def show(found: dict[str, Any], first: dict[str, Any]) -> None:
    """Print one line of figures, and their ratio to those of the first run."""
    speed = found["lines_per_second"] / max(0.1, first["lines_per_second"])
    late = found["p99_ms"] / max(0.01, first["p99_ms"])
    print(
        f"{found['servers']} server(s), {'routed by table' if found['routed'] else 'mixed'}: "
        f"{found['lines_per_second']:,.0f} lines a second ({speed:.2f} times), p50 "
        f"{found['p50_ms']} ms, p99 {found['p99_ms']} ms ({late:.2f} times); cores: "
        f"{found['server_cores_each']} each server, {found['database_cores']} the database, "
        f"{found['players_cores']} the players, {found['machine_cores']} the machine of "
        f"{os.cpu_count()}; {found['transactions_a_line']} transactions a line; "
        f"unsaid {found['unsaid']}, sent late p99 {found['sent_late_p99_ms']}, "
        f"{found['statuses']}",
        flush=True,
    )


def show_highest(found: Sequence[dict[str, Any]], bound: float) -> None:
    """Print, for each number of servers, the most lines a second with a p99 within the bound."""
    print(f"most lines a second with a p99 of at most {bound:.0f} ms:")
    for servers, routed in dict.fromkeys((one["servers"], one["routed"]) for one in found):
        held = [
            one
            for one in found
            if (one["servers"], one["routed"]) == (servers, routed) and one["p99_ms"] <= bound
        ]
        best = max(held, key=lambda one: float(one["lines_per_second"]), default=None)
        name = f"{servers} server(s), {'routed by table' if routed else 'mixed'}"
        if best is None:
            print(f"  {name}: none of these rates")
        else:
            print(f"  {name}: {best['lines_per_second']:,.0f} (p99 {best['p99_ms']} ms)")


def pin(most_servers: int) -> dict[str, list[int]]:
    """Divide the processors: {"servers": ..., "database": ..., "players": ...}.

    Exit if there are too few.
    """
    cores = sorted(os.sched_getaffinity(0))
    servers = _SERVER_CORES * most_servers
    if len(cores) <= servers + _DATABASE_CORES:
        raise SystemExit(f"--pin needs more than {servers + _DATABASE_CORES} processors")
    after = servers + _DATABASE_CORES
    return {"servers": cores[:servers], "database": cores[servers:after], "players": cores[after:]}


def main() -> int:
    """Measure and print. Return 2 if there is no PostgreSQL, else 0."""
    asked = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    asked.add_argument("--servers", default="1,2,4", help="numbers of servers (1,2,4)")
    asked.add_argument("--tables", type=int, default=100)
    asked.add_argument("--players", type=int, default=10, help="at each table (10)")
    asked.add_argument("--processes", type=int, default=1, help="that the players run in (1)")
    asked.add_argument("--every", type=float, default=0.1, help="seconds between one's lines (0.1)")
    asked.add_argument(
        "--rates", default="", help="lines a second for each server, such as 500,1000"
    )
    asked.add_argument("--bound", type=float, default=100.0, help="milliseconds of p99 (100)")
    asked.add_argument("--seconds", type=float, default=15.0, help="measured each time (15)")
    asked.add_argument("--warm-up", type=float, default=WARM_UP, help=f"seconds ({WARM_UP:.0f})")
    asked.add_argument("--mixed", action="store_true", help="also two servers without routing")
    asked.add_argument("--pin", action="store_true", help="give each process its own processors")
    asked.add_argument("--json", type=Path, help="where the figures go as JSON")
    given = asked.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    runs = [(int(number), True) for number in given.servers.split(",")]
    runs += [(2, False)] if given.mixed else []
    everywhere = sorted(os.sched_getaffinity(0))
    cores = {"servers": [], "database": everywhere, "players": everywhere}
    if given.pin:
        cores = pin(max(servers for servers, _ in runs))
    print(f"this machine wakes late by {lateness():.2f} ms (p99)", flush=True)
    found: list[dict[str, Any]] = []
    try:
        os.sched_setaffinity(0, cores["database"])  # The database's processes inherit it.
        with running(sync=True) as database:
            os.sched_setaffinity(0, cores["players"])
            for servers, routed in runs:
                for one in measure(database, servers, given, cores, routed=routed):
                    found.append(one)
                    show(one, found[0])
                if given.json:  # A run that is stopped leaves what it has.
                    given.json.write_text(json.dumps(found, indent=1) + "\n")
    except LookupError as missing:
        print(f"not measured: {missing}", file=sys.stderr)
        return 2
    if given.rates:
        show_highest(found, given.bound)
    return 0


if __name__ == "__main__":
    sys.exit(main())
