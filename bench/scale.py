"""Measure how live tables scale over servers that share PostgreSQL: ``python -m bench.scale``.

The same players at the same tables, on 1, 2 and 4 servers, one after the other in one run. All
players of a table are on one server, as a proxy that routes by table has them; with ``--mixed``
also spread over two servers. It prints lines a second, the time from a line to its event, and what
the servers, the database and this process took of the processors. Ratios to one server say more
than the figures themselves, and both only mean something on a quiet machine with more processors
than processes: two for each server, four for the database, one for the players.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
import uvloop

from bench.live import ENVIRONMENT, NO_LIMITS, busy, cpu_of, seated, serving
from bench.live_load import Load, play
from bench.postgres import Server, running

#: Leases are used 11 seconds after they were taken, so that a shorter warm-up measures without.
WARM_UP = 14.0


def measure(
    database: Server, servers: int, given: argparse.Namespace, *, routed: bool = True
) -> dict[str, Any]:
    """Return the figures of a load on some servers of a database."""
    schema = f"scale{servers}{'r' if routed else 'm'}"
    with psycopg.connect(database.url(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        ENVIRONMENT["PASSLINE_HOME"] = folder  # The servers share the keys there.
        store = ["--database", database.url(schema)]
        command = ["passline", "serve", "--json", "--port", "0", *NO_LIMITS, *store]
        found = [stack.enter_context(serving(command)) for _ in range(servers)]
        shares = [
            seated(url, len(range(number, given.tables, servers)), given.players)
            for number, (url, _) in enumerate(found)
        ]
        # Table k is on server k modulo their number, which `play` sends its players to.
        tables = [shares[k % servers][k // servers] for k in range(given.tables)]
        pids, server_pid = [pid for _, pid in found], postmaster(database)
        load = Load(every=given.every, seconds=given.seconds, warm_up=given.warm_up)
        transactions: list[int] = []

        def spent_by_servers() -> float:
            transactions.append(count_transactions(database))
            return sum(map(cpu_of, pids))

        spent_by_database: list[float] = []

        def spent_here() -> float:
            spent_by_database.append(cpu_of(server_pid))
            return cpu_of(os.getpid())

        urls = [url for url, _ in found]
        spent = (spent_by_servers, spent_here, busy)
        heard = uvloop.run(play(urls, tables, load, spent, lambda: None, routed=routed))
    taken = sorted(heard.taken) or [0.0]
    lines = max(1, len(taken))
    return {
        "servers": servers,
        "routed": routed,
        "lines_per_second": round(len(heard.taken) / load.seconds, 1),
        "p50_ms": round(taken[len(taken) // 2], 2),
        "p99_ms": round(taken[len(taken) * 99 // 100], 2),
        "statuses": heard.statuses,
        "unsaid": heard.late,
        "server_cores_each": round(heard.cpu / load.seconds / servers, 2),
        "database_cores": round((spent_by_database[-1] - spent_by_database[0]) / load.seconds, 2),
        "players_cores": round(heard.own / load.seconds, 2),
        "machine_cores": round(heard.machine / load.seconds, 2),
        "transactions_a_line": round((transactions[-1] - transactions[0]) / lines, 2),
    }


def postmaster(database: Server) -> int:
    """Return the process id of a database server."""
    return int((database.folder / "data" / "postmaster.pid").read_text().split()[0])


def count_transactions(database: Server) -> int:
    """Return how many transactions the database has committed so far."""
    query = "SELECT sum(xact_commit)::bigint FROM pg_stat_database"
    with psycopg.connect(database.url(), autocommit=True) as connection:
        row = connection.execute(query).fetchone()
    return int(row[0]) if row else 0


def show(found: dict[str, Any], first: dict[str, Any]) -> None:
    """Print one line of figures, and their ratio to one server's."""
    speed = found["lines_per_second"] / max(0.1, first["lines_per_second"])
    late = found["p99_ms"] / max(0.01, first["p99_ms"])
    print(
        f"{found['servers']} server(s), {'routed by table' if found['routed'] else 'mixed'}: "
        f"{found['lines_per_second']:,.0f} lines a second ({speed:.2f} times), p50 "
        f"{found['p50_ms']} ms, p99 {found['p99_ms']} ms ({late:.2f} times); cores: "
        f"{found['server_cores_each']} each server, {found['database_cores']} the database, "
        f"{found['players_cores']} the players, {found['machine_cores']} the machine of "
        f"{os.cpu_count()}; {found['transactions_a_line']} transactions a line; "
        f"unsaid {found['unsaid']}, {found['statuses']}",
        flush=True,
    )


def main() -> int:
    """Measure and print."""
    asked = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    asked.add_argument("--servers", default="1,2,4", help="numbers of servers (1,2,4)")
    asked.add_argument("--tables", type=int, default=100)
    asked.add_argument("--players", type=int, default=10, help="at each table (10)")
    asked.add_argument("--every", type=float, default=0.1, help="seconds between one's lines (0.1)")
    asked.add_argument("--seconds", type=float, default=15.0, help="measured each time (15)")
    asked.add_argument("--warm-up", type=float, default=WARM_UP, help=f"seconds ({WARM_UP:.0f})")
    asked.add_argument("--mixed", action="store_true", help="also two servers without routing")
    asked.add_argument("--json", type=Path, help="where the figures go as JSON")
    given = asked.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    runs = [(int(number), True) for number in given.servers.split(",")]
    found: list[dict[str, Any]] = []
    try:
        with running(sync=True) as database:
            for servers, routed in runs + ([(2, False)] if given.mixed else []):
                found.append(measure(database, servers, given, routed=routed))
                show(found[-1], found[0])
    except LookupError as missing:
        print(f"not measured: {missing}", file=sys.stderr)
        return 2
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
