"""Live tables under load, beside a bare pipeline of the same shape: ``python -m bench.live``.

A thousand connected players at a hundred tables, each saying something every second, each table
rolling every ten: a thousand lines and ten thousand events a second, synced to the disk. The
server runs in a process of its own, the players in this one.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import uvloop

from bench.live_load import Heard, Load, Seat, play

KEY = "bench"
_ENV = {**os.environ, "PASSLINE_HOUSE_KEY": KEY}
#: Milliseconds from a line sent to its event received that 99 of 100 stay under.
MOST_P99 = 25.0


@contextmanager
def serving(command: Sequence[str]) -> Iterator[tuple[str, int]]:
    """A server of its own: its address and process id."""
    process = subprocess.Popen(
        [sys.executable, "-m", *command], stdout=subprocess.PIPE, text=True, env=_ENV
    )
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["url"], process.pid
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()


def seated(url: str, tables: int, players: int) -> list[list[Seat]]:
    """Tables with everybody seated; player 0 of each is the first to shoot."""
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


def memory_of(pid: int) -> int:
    """Bytes resident."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
    return 0


def cpu_of(pid: int) -> float:
    """Seconds of processor time."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def told(heard: Heard, load: Load, cpu: float, pid: int) -> dict[str, Any]:
    """The figures of one load."""
    taken = sorted(heard.taken) or [0.0]
    return {
        "lines_per_second": round(len(heard.taken) / load.seconds, 1),
        "events_per_second": round(heard.events / load.seconds, 1),
        "p50_ms": round(taken[len(taken) // 2], 2),
        "p99_ms": round(taken[len(taken) * 99 // 100], 2),
        "most_ms": round(taken[-1], 2),
        "statuses": heard.statuses,
        "unsaid": heard.late,
        "server_cpu": round(cpu, 2),
        "server_mb": round(memory_of(pid) / 1e6, 1),
    }


def loaded(url: str, pid: int, tables: Sequence[Sequence[Seat]], load: Load) -> dict[str, Any]:
    """Play, and what came of it."""
    before = cpu_of(pid)
    heard = uvloop.run(play(url, tables, load))
    share = (cpu_of(pid) - before) / (load.seconds + load.warm_up)
    return told(heard, load, share, pid)


def bare(tables: int, players: int, load: Load) -> dict[str, Any]:
    """The yardstick under the same load."""
    everybody = [
        [Seat(f"t{n}", f"p{n}-{k}", "x" * 32) for k in range(players)] for n in range(tables)
    ]
    with tempfile.TemporaryDirectory() as folder, serving(["bench.live_bare", folder]) as found:
        return loaded(*found, everybody, load)


def ours(tables: int, players: int, load: Load) -> dict[str, Any]:
    """A server of ours under it."""
    command = ["passline", "serve", "--json", "--port", "0", "--data"]
    with tempfile.TemporaryDirectory() as folder, serving([*command, folder]) as (url, pid):
        empty = memory_of(pid)
        everybody = seated(url, tables, players)
        full = memory_of(pid)
        found = loaded(url, pid, everybody, load)
        found["kb_a_table_with_players"] = round((full - empty) / tables / 1000, 1)
        return found


def show(name: str, found: dict[str, Any]) -> None:
    """One line that a person reads."""
    print(
        f"{name:10} {found['lines_per_second']:8,.0f} lines and {found['events_per_second']:9,.0f} "
        f"events a second: p50 {found['p50_ms']:7.2f} ms, p99 {found['p99_ms']:7.2f} ms, most "
        f"{found['most_ms']:7.1f}; {found['server_cpu']:.2f} cores, {found['server_mb']} MB; "
        f"unsaid {found['unsaid']}, {found['statuses']}",
        flush=True,
    )


def main() -> int:
    """Measure and tell; exit 1 where the bound does not hold."""
    asked = argparse.ArgumentParser(prog="python -m bench.live", description=__doc__)
    asked.add_argument("--tables", type=int, default=100)
    asked.add_argument("--players", type=int, default=10, help="at each table (10)")
    asked.add_argument("--seconds", type=float, default=15.0, help="measured (15)")
    asked.add_argument("--every", type=float, default=1.0, help="seconds between one's lines (1)")
    asked.add_argument("--no-bare", action="store_true")
    asked.add_argument("--json", type=Path, help="where the figures go as JSON")
    given = asked.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    load = Load(every=given.every, seconds=given.seconds)
    found = {}
    if not given.no_bare:
        found["bare"] = bare(given.tables, given.players, load)
        show("bare", found["bare"])
    found["passline"] = ours(given.tables, given.players, load)
    show("passline", found["passline"])
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0 if found["passline"]["p99_ms"] < MOST_P99 else 1


if __name__ == "__main__":
    sys.exit(main())
