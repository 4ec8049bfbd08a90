"""Measure live tables under load, beside a bare pipeline: ``python -m bench.live``.

A thousand players at a hundred tables each send a line every second, and each table throws every
ten seconds: a thousand lines and ten thousand events a second, synced to disk. The bare pipeline
(``bench.live_bare``) does the same input and output, but has no table. The server runs in its own
process, the players in this one.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

import httpx
import uvloop

from bench.live_load import Heard, Load, Seat, play
from bench.live_start import fill
from bench.postgres import running

KEY = "the-key-of-this-bench"
ENVIRONMENT = {**os.environ, "PASSLINE_HOUSE_KEY": KEY}
#: Everybody plays from one address here, and writes as much as possible.
NO_LIMITS = ("--connections-per-address=0", "--streams=0", "--log-mb=0", "--log-mb-total=0")
#: Milliseconds from a line sent to its event received that 99 of 100 stay under.
MOST_P99 = 25.0


@contextmanager
def serving(command: Sequence[str], cores: Collection[int] = ()) -> Iterator[tuple[str, int]]:
    """Start a server, yield (address, process id), and stop the server at the end.

    ``command`` is what follows ``python -m``. The server runs on the processors ``cores`` only, if
    there are any.
    """
    pinned = ["taskset", "-c", ",".join(map(str, cores))] if cores else []
    process = subprocess.Popen(
        [*pinned, sys.executable, "-m", *command],
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["url"], process.pid
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()


def split_cores() -> list[int]:
    """Return two processors for the server, and limit this process to the others.

    Exit if there are fewer than four.
    """
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 4:
        raise SystemExit("--pin needs four processors or more")
    os.sched_setaffinity(0, cores[2:])
    return cores[:2]


def seated(url: str, tables: int, players: int) -> list[list[Seat]]:
    """Open tables, seat everyone, and return the seats by table.

    Player 0 of each table bets the pass line, and so shoots first.
    """
    found = []
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {KEY}"}) as house:
        for number in range(tables):
            opening = {
                "name": f"Table {number}",
                "rulebook": "new-jersey",
                "pace": {"betting": 0, "shooter": 0},
            }
            table = house.post("/api/tables", json=opening).json()["table"]
            seats = []
            for place in range(players):
                name = f"p{place}"
                asked = {"name": name, "buy_in": "1000000"}
                token = house.post(f"/api/tables/{table}/seats", json=asked).json()["token"]
                seats.append(Seat(table, name, token))
            bet = {"id": "line", "say": "pass for 10"}
            head = {"Authorization": f"Bearer {seats[0].token}"}
            house.post(f"/api/tables/{table}/say", json=bet, headers=head).raise_for_status()
            found.append(seats)
    return found


def family(pid: int) -> list[int]:
    """Return a process's id and those of its children."""
    with suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [pid, *map(int, children)]
    return [pid]


def memory_of(pid: int) -> int:
    """Return the resident memory of a process and its children, in bytes."""
    found = 0
    for one in family(pid):
        with suppress(OSError):
            for line in Path(f"/proc/{one}/status").read_text().splitlines():
                found += int(line.split()[1]) * 1024 if line.startswith("VmRSS") else 0
    return found


def cpu_of(pid: int) -> float:
    """Return the processor time of a process and its children, in seconds."""
    found = 0
    for one in family(pid):
        with suppress(OSError):  # A child may have ended since it was listed.
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            found += int(fields[11]) + int(fields[12])
    return found / os.sysconf("SC_CLK_TCK")


def lateness(times: int = 1000) -> float:
    """Return how many milliseconds late this machine wakes a process that sleeps for one.

    It is the 99th percentile of ``times`` tries, to compare the p99 of lines with.
    """
    late = []
    for _ in range(times):
        began = perf_counter()
        sleep(0.001)
        late.append((perf_counter() - began) * 1000 - 1)
    return sorted(late)[times * 99 // 100]


def busy() -> float:
    """Return the processor time of the whole machine since it started, in seconds."""
    spent = [int(part) for part in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    return (sum(spent) - spent[3] - spent[4]) / os.sysconf("SC_CLK_TCK")


def told(heard: Heard, load: Load, pids: Sequence[int]) -> dict[str, Any]:
    """Return the figures of one load. "others_cores" is what other programs took meanwhile."""
    others = max(0.0, heard.machine - heard.cpu - heard.own)
    taken, behind = sorted(heard.taken) or [0.0], sorted(heard.behind) or [0.0]
    return {
        "lines_per_second": round(len(heard.taken) / load.seconds, 1),
        "events_per_second": round(heard.events / load.seconds, 1),
        "throws_per_second": round(heard.throws / load.seconds, 1),
        "p50_ms": round(taken[len(taken) // 2], 2),
        "p99_ms": round(taken[len(taken) * 99 // 100], 2),
        "most_ms": round(taken[-1], 2),
        "statuses": heard.statuses,
        "unsaid": heard.late,
        "sent_late_p99_ms": round(behind[len(behind) * 99 // 100], 2),
        "server_cores": round(heard.cpu / load.seconds, 2),
        "others_cores": round(others / load.seconds, 2),
        "server_ms_a_line": round(heard.cpu / max(1, len(heard.taken)) * 1000, 3),
        "server_mb": round(sum(map(memory_of, pids)) / 1e6, 1),
    }


Served = tuple[str, int]


def loaded(
    servers: Sequence[Served], tables: Sequence[Sequence[Seat]], load: Load
) -> dict[str, Any]:
    """Run a load on servers. Return its figures, with the memory for each connected player."""
    before, connected = memory_of(servers[0][1]), 0

    def note() -> None:
        nonlocal connected
        connected = memory_of(servers[0][1])

    urls, pids = [url for url, _ in servers], [pid for _, pid in servers]
    spent = (lambda: sum(map(cpu_of, pids)), lambda: cpu_of(os.getpid()), busy)
    heard = uvloop.run(play(urls, tables, load, spent, note))
    figures = told(heard, load, pids)
    there = sum(map(len, tables)) / len(servers)
    figures["kb_a_connected_player"] = round((connected - before) / there / 1000, 1)
    return figures


def bare(tables: int, players: int, load: Load, cores: Collection[int] = ()) -> dict[str, Any]:
    """Run the load on the bare pipeline, and return its figures."""
    everybody = [
        [Seat(f"t{n}", f"p{n}-{k}", "x" * 32) for k in range(players)] for n in range(tables)
    ]
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(["bench.live_bare", folder], cores) as found,
    ):
        return loaded([found], everybody, load)


def ours(
    tables: int,
    players: int,
    load: Load,
    store: Sequence[str] = (),
    servers: int = 1,
    program: str = "passline",
    cores: Collection[int] = (),
) -> dict[str, Any]:
    """Run the load on our servers, and return its figures.

    ``store`` has the command-line options of their store; by default it is a temporary folder.
    """
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        kept = store or ("--data", folder)
        command = [program, "serve", "--json", "--port", "0", *NO_LIMITS, *kept]
        found = [stack.enter_context(serving(command, cores)) for _ in range(servers)]
        empty = memory_of(found[0][1])
        everybody = seated(found[0][0], tables, players)
        full = memory_of(found[0][1])
        figures = loaded(found, everybody, load)
        figures["kb_a_table_with_players"] = round((full - empty) / tables / 1000, 1)
        return figures


def starting(tables: int) -> dict[str, Any]:
    """Measure a server's start with many tables: seconds until ready, lobby, and memory."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["passline", "serve", "--json", "--port", "0", "--data", folder]
        uvloop.run(fill(Path(folder), tables))
        began = perf_counter()
        with serving(command) as (url, pid):
            ready = perf_counter() - began
            listed = len(httpx.get(f"{url}/api/tables", timeout=60).json())
            first = perf_counter() - began - ready
            return {
                "tables": listed,
                "ready_s": round(ready, 2),
                "lobby_s": round(first, 2),
                **time_lobby(url),
                "mb": round(memory_of(pid) / 1e6, 1),
            }


def time_lobby(url: str) -> dict[str, Any]:
    """Measure the lobby's page once its rows are in memory: the median of twenty, and its size."""
    took = []
    with httpx.Client(base_url=url, timeout=60) as http:
        for _ in range(20):
            began = perf_counter()
            page = http.get("/")
            took.append(1000 * (perf_counter() - began))
    return {"lobby_page_ms": round(median(took), 1), "lobby_page_kb": len(page.content) // 1000}


def middle(rounds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the median of each figure over the rounds; a dict is that of the first round."""
    figures = {
        name: median(one[name] for one in rounds)
        for name, value in rounds[0].items()
        if not isinstance(value, dict)
    }
    return {**rounds[0], **figures, "p99_each": [one["p99_ms"] for one in rounds]}


def show(name: str, found: dict[str, Any]) -> None:
    """Print one line of figures."""
    print(
        f"{name:22} {found['lines_per_second']:7,.0f} lines, {found['events_per_second']:8,.0f} "
        f"events, {found['throws_per_second']:.0f} throws a second: p50 {found['p50_ms']:7.2f} ms, "
        f"p99 {found['p99_ms']:7.2f} ms, most {found['most_ms']:7.1f}; sent late p99 "
        f"{found['sent_late_p99_ms']}; server: {found['server_ms_a_line']} ms a line, "
        f"{found['server_mb']} MB; others: {found['others_cores']} cores; "
        f"unsaid {found['unsaid']}, {found['statuses']}",
        flush=True,
    )


def measured(given: argparse.Namespace) -> dict[str, Any]:
    """Run every measurement that was asked for and print each as it is done."""
    load = Load(every=given.every, seconds=given.seconds)
    size, found = (given.tables, given.players), {}
    cores = split_cores() if given.pin else []

    def note(name: str, figures: dict[str, Any]) -> None:
        found[name] = figures
        show(name, figures) if "p50_ms" in figures else print(f"{name:22} {figures}", flush=True)

    program = "bench.live_trace" if given.trace else "passline"
    rounds: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for number in range(1, given.rounds + 1):  # in turn: the machine is not the same all the time
        print(f"the machine, round {number}: wakes late by {lateness():.2f} ms (p99)", flush=True)
        one = bare(*size, load, cores), ours(*size, load, program=program, cores=cores)
        rounds.append(one)
        show(f"bare, round {number}", rounds[-1][0])
        show(f"passline, round {number}", rounds[-1][1])
    note("bare pipeline", middle([one for one, _ in rounds]))
    note("passline", middle([one for _, one in rounds]))
    memory = ("kb_a_table_with_players", "kb_a_connected_player", "server_mb")
    note("memory", {name: found["passline"][name] for name in memory})
    if not given.whole:
        return found
    flat_out = Load(every=0.0, seconds=given.seconds)
    note("bare, flat out", bare(*size, flat_out))
    note("passline, flat out", ours(*size, flat_out))
    note("start", starting(10_000))
    try:
        for servers in (1, 2):
            with running(sync=True) as database:
                store = ("--database", database.url())
                note(f"postgres, {servers} server(s)", ours(*size, flat_out, store, servers))
    except LookupError as missing:
        print(f"postgres: not measured: {missing}")
    return found


def main() -> int:
    """Measure and print. Return 1 if the p99 is not below its bound, else 0."""
    asked = argparse.ArgumentParser(prog="python -m bench.live", description=__doc__)
    asked.add_argument("--tables", type=int, default=100)
    asked.add_argument("--players", type=int, default=10, help="at each table (10)")
    asked.add_argument("--seconds", type=float, default=8.0, help="measured in each round (8)")
    asked.add_argument("--rounds", type=int, default=3, help="of both, in turn (3)")
    asked.add_argument("--every", type=float, default=1.0, help="seconds between one's lines (1)")
    asked.add_argument(
        "--whole", action="store_true", help="also flat out, on PostgreSQL, and many tables"
    )
    asked.add_argument("--pin", action="store_true", help="the server on two processors alone")
    asked.add_argument("--trace", action="store_true", help="tell where a line's time goes")
    asked.add_argument("--json", type=Path, help="where the figures go as JSON")
    given = asked.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    found = measured(given)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    ours_p99, bare_p99 = found["passline"]["p99_ms"], found["bare pipeline"]["p99_ms"]
    print(
        f"p99 {ours_p99} ms, the middle of {given.rounds} rounds: {ours_p99 / bare_p99:.1f} times "
        f"the bare pipeline's {bare_p99} (others took {found['passline']['others_cores']} cores)"
    )
    return 0 if ours_p99 < MOST_P99 else 1


if __name__ == "__main__":
    sys.exit(main())
