"""Measure pages of live tables: ``python -m bench.pages``.

A page holds a page stream and sends lines. The time of a line runs from just before it is sent
until another player's page of the same table receives the change. Afterwards the same players send
a line a second as programs, which read the log's stream. With ``--watchers``, many idle pages of
one table are opened, and their cost in memory and processor time is reported. The server runs in
its own process, the pages in this one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import sys
import tempfile
from collections import deque
from collections.abc import Collection, Sequence
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import uvloop
from msgspec import Struct

from bench.live import (
    KEY,
    NO_LIMITS,
    cpu_of,
    lateness,
    loaded,
    memory_of,
    seated,
    serving,
    split_cores,
)
from bench.live_load import Load, Seat

_EVENT: Final = re.compile(rb"id: (\d+)\nevent: page\ndata: ")
_SEQ: Final = re.compile(rb'"seq":(\d+),')
#: Players at a table.
_PLAYERS: Final = 16


class PageLoad(Struct, frozen=True, kw_only=True):
    """The load: pages in all, seconds between the lines of each, and the bound (ms) of the p99."""

    pages: int
    every: float
    most_p99: float
    seconds: float = 15.0
    warm_up: float = 3.0
    roll_every: float = 15.0


class Figures(Struct):
    """What the pages measured: milliseconds from line to page, and the changes received.

    ``patches`` counts these changes. ``refused`` counts lines that the table refused, ``unsaid``
    those not sent because the last one was unanswered.
    """

    delays: list[float]
    patches: int = 0
    patch_bytes: int = 0
    refused: int = 0
    unsaid: int = 0


class _Connection(asyncio.Protocol):
    def __init__(self, hear: Any) -> None:
        self._hear = hear

    def data_received(self, data: bytes) -> None:
        self._hear(data)


class Table:
    """The pages of one table."""

    def __init__(self) -> None:
        self.pages: list[Page] = []


class Page:
    """One player's page: a page stream, and a connection for lines."""

    def __init__(self, seat: Seat, address: tuple[str, int], table: Table, found: Figures) -> None:
        self.seat, self._address, self._table, self._found = seat, address, table, found
        self._buffer = b""
        self.received: deque[tuple[int, float]] = deque(maxlen=64)
        self._waiting: dict[int, float] = {}
        self._sent_at = 0.0
        self._answer = b""
        self._open = asyncio.Event()
        self._number, self._up, self.busy, self.measured = 0, False, False, False
        table.pages.append(self)

    async def connect(self) -> None:
        """Open both connections and wait for the whole page."""
        loop = asyncio.get_running_loop()
        host, port = self._address
        stream, _ = await loop.create_connection(lambda: _Connection(self._on_events), host, port)
        stream.write(self._head("GET", "page/events") + b"\r\n")
        await self._open.wait()
        self._posts = await self._open_posts()

    def _head(self, method: str, path: str) -> bytes:
        host, port = self._address
        return (
            f"{method} /api/tables/{self.seat.table}/{path} HTTP/1.1\r\nHost: {host}:{port}\r\n"
            f"Authorization: Bearer {self.seat.token}\r\n"
        ).encode()

    def speak(self, line: str = "") -> None:
        """Send a line, unless the last one is unanswered.

        By default it is a bet on the hard 8 or its removal, in turn.
        """
        if self.busy:
            self._found.unsaid += self.measured
            return
        self.busy = True
        self._number += 1
        words = line or ("take down hard 8" if self._up else "hard 8 for 5")
        self._up ^= not line
        name = f"page-{self.seat.name}-{self._number}"
        body = json.dumps({"id": name, "say": words, "nonce": name}).encode()
        head = b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
        self._sent_at = perf_counter()
        self._task = asyncio.ensure_future(self._send(self._head("POST", "say") + head + body))

    async def _send(self, request: bytes) -> None:
        """Send a request. The server closes connections that were idle, as it does a browser's."""
        if self._posts.is_closing():
            self._posts = await self._open_posts()
        self._posts.write(request)

    async def _open_posts(self) -> asyncio.Transport:
        loop = asyncio.get_running_loop()
        found, _ = await loop.create_connection(
            lambda: _Connection(self._on_answer), *self._address
        )
        return found

    def _on_events(self, data: bytes) -> None:
        now = perf_counter()
        self._buffer += data
        *events, self._buffer = self._buffer.split(b"\n\n")
        for event in events:
            if found := _EVENT.search(event):
                self._open.set()
                seq = int(found[1])
                self.received.append((seq, now))
                self._found.patches += self.measured
                self._found.patch_bytes += len(event) * self.measured
                for page in self._table.pages:
                    page.note(self, seq, now)

    def _on_answer(self, data: bytes) -> None:
        self._answer += data
        head, _, body = self._answer.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        if length is None or len(body) < int(length[1]):
            return
        self._answer, self.busy = b"", False
        seq = _SEQ.search(body)
        if seq is None:
            self._found.refused += self.measured
            return
        self._waiting = {id(page): 0.0 for page in self._table.pages if page is not self}
        self._line = int(seq[1])
        for page in self._table.pages:
            for got, at in page.received:
                if got >= self._line:
                    self.note(page, got, at)
                    break

    def note(self, page: Page, seq: int, at: float) -> None:
        """Record that ``page`` received entry ``seq``, if that has the change of our last line."""
        if id(page) in self._waiting and seq >= self._line:
            del self._waiting[id(page)]
            if self.measured:
                self._found.delays.append((at - self._sent_at) * 1000)


async def run_pages(url: str, tables: Sequence[Sequence[Seat]], load: PageLoad, pid: int) -> Any:
    """Open every page and send the load. Return (figures, the server's processor seconds)."""
    address = (str(urlsplit(url).hostname), int(urlsplit(url).port or 0))
    found, groups = Figures([]), []
    for seats in tables:
        table = Table()
        groups.append([Page(seat, address, table, found) for seat in seats])
    pages = [page for group in groups for page in group]
    for start in range(0, len(pages), 50):
        await asyncio.gather(*(page.connect() for page in pages[start : start + 50]))
    began, spent = perf_counter() + load.warm_up, 0.0
    random = Random(1)
    turns = [(random.random() * load.every, page, "") for page in pages]
    turns += [(random.random() * load.roll_every, group[0], "roll") for group in groups]
    turns.sort(key=lambda turn: turn[0])
    stop = began + load.seconds
    queue = deque((began - load.warm_up + at, page, line) for at, page, line in turns)
    while queue and queue[0][0] < stop:
        due, page, line = queue.popleft()
        if (wait := due - perf_counter()) > 0:
            await asyncio.sleep(wait)
        if not pages[0].measured and perf_counter() >= began:
            spent = cpu_of(pid)
            for one in pages:
                one.measured = True
        page.speak(line)
        again = due + (load.roll_every if line else load.every)
        at = next((n for n, turn in enumerate(queue) if turn[0] > again), len(queue))
        queue.insert(at, (again, page, line))
    await asyncio.sleep(0.5)
    return found, cpu_of(pid) - spent


def measure_pages(load: PageLoad, cores: Collection[int] = ()) -> dict[str, Any]:
    """Return the figures of one load on a fresh server."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["passline", "serve", "--json", "--port", "0", "--data", folder, *NO_LIMITS]
        with serving(command, cores) as (url, pid):
            tables = _seat_pages(url, load.pages)
            found, spent = uvloop.run(run_pages(url, tables, load, pid))
            programs = loaded([(url, pid)], tables, Load(every=1.0, seconds=load.seconds))
            delays = sorted(found.delays) or [0.0]
            return {
                "pages": load.pages,
                "p50_ms": round(delays[len(delays) // 2], 2),
                "p99_ms": round(delays[len(delays) * 99 // 100], 2),
                "most_ms": round(delays[-1], 1),
                "changes": len(delays),
                "patch_bytes": round(found.patch_bytes / max(1, found.patches)),
                "refused": found.refused,
                "unsaid": found.unsaid,
                "server_cores": round(spent / load.seconds, 2),
                "server_mb": round(memory_of(pid) / 1e6, 1),
                "programs_p99_ms": programs["p99_ms"],
            }


def _seat_pages(url: str, pages: int) -> list[list[Seat]]:
    full, rest = divmod(pages, _PLAYERS)
    tables = seated(url, full, _PLAYERS) if full else []
    return tables + (seated(url, 1, rest) if rest else [])


async def _watch(url: str, table: str, count: int, pid: int, seconds: float) -> dict[str, Any]:
    address = str(urlsplit(url).hostname), int(urlsplit(url).port or 0)
    before, loop, received = memory_of(pid), asyncio.get_running_loop(), 0

    def hear(data: bytes) -> None:
        nonlocal received
        received += len(data)

    request = f"GET /api/tables/{table}/page/events HTTP/1.1\r\nHost: {address[0]}\r\n\r\n"
    for start in range(0, count, 100):
        found = await asyncio.gather(
            *(
                loop.create_connection(lambda: _Connection(hear), *address)
                for _ in range(min(100, count - start))
            )
        )
        for transport, _ in found:
            transport.write(request.encode())
    await asyncio.sleep(5 + count / 500)
    spent = cpu_of(pid)
    await asyncio.sleep(seconds)
    return {
        "watchers": count,
        "kb_a_watcher": round((memory_of(pid) - before) / count / 1000, 1),
        "server_cores": round((cpu_of(pid) - spent) / seconds, 3),
    }


def measure_watchers(
    count: int, cores: Collection[int] = (), seconds: float = 20.0
) -> dict[str, Any]:
    """Return the memory and processor time that ``count`` idle watchers of one table cost."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["passline", "serve", "--json", "--port", "0", "--data", folder, *NO_LIMITS]
        with serving(command, cores) as (url, pid):
            opening = {"rulebook": "new-jersey"}
            head = {"Authorization": f"Bearer {KEY}"}
            table = httpx.post(f"{url}/api/tables", json=opening, headers=head).json()["table"]
            return uvloop.run(_watch(url, table, count, pid, seconds))


def main() -> int:
    """Measure and print. Return 1 if a bound is missed, else 0."""
    asked = argparse.ArgumentParser(prog="python -m bench.pages", description=__doc__)
    asked.add_argument("--seconds", type=float, default=15.0, help="measured for each load (15)")
    asked.add_argument(
        "--watchers", type=int, default=0, help="idle pages of one table, such as 10000"
    )
    asked.add_argument(
        "--only", type=int, default=0, metavar="PAGES", help="one load only: 100 or 1000"
    )
    asked.add_argument("--pin", action="store_true", help="the server on two processors alone")
    asked.add_argument("--json", type=Path, help="where the figures go as JSON")
    given = asked.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    loads = [
        PageLoad(pages=100, every=1.0, most_p99=50.0, seconds=given.seconds),
        PageLoad(pages=1000, every=10.0, most_p99=100.0, seconds=given.seconds),
    ]
    print(
        f"this machine wakes late by {lateness():.2f} ms (p99), {os.cpu_count()} cores", flush=True
    )
    results, failed = [], False
    cores = split_cores() if given.pin else []
    for load in loads:
        if given.only in (0, load.pages):
            found = measure_pages(load, cores)
            results.append(found)
            holds = found["p99_ms"] <= load.most_p99 and found["patch_bytes"] < 2048
            failed |= not holds
            print(
                f"{found} (at most {load.most_p99:.0f} ms: {'yes' if holds else 'NO'})", flush=True
            )
    if given.watchers:
        results.append(measure_watchers(given.watchers, cores))
        print(results[-1])
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
