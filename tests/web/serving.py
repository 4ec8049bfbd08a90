"""A real server, in a process of its own, on a free port of this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

KEY = "the-house-key-of-these-tests"


class Server:
    """``passline serve``, and what one asks of it. What it keeps is in ``data``, or in a
    database and its keys there."""

    def __init__(
        self, data: Path, database: str = "", *args: str, env: dict[str, str] | None = None
    ) -> None:
        command = [sys.executable, "-m", "passline", "serve", "--port", "0", "--json"]
        where = ["--database", database] if database else ["--data", str(data)]
        self.data = data
        self.process = subprocess.Popen(
            [*command, *where, *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "PASSLINE_HOUSE_KEY": KEY,
                "PASSLINE_HOME": str(data),
                **(env or {}),
            },
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate(timeout=30)
        self.ready: dict[str, Any] = json.loads(line)
        self.url: str = self.ready["url"]
        self.http = httpx.Client(base_url=self.url, timeout=30)

    def ask(self, method: str, path: str, body: object = None, token: str = "") -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self.http.request(method, f"/api/tables{path}", json=body, headers=headers)

    def open(self, **asked: object) -> dict[str, Any]:
        body = {"rulebook": "new-jersey", "pace": {"betting": 0, "shooter": 0}, **asked}
        answer = self.ask("POST", "", body, KEY)
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def sit(self, table: str, name: str = "ann") -> str:
        answer = self.ask("POST", f"/{table}/seats", {"name": name, "buy_in": "500"})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["token"])

    def say(self, table: str, token: str, id_: str, say: str, **more: str) -> httpx.Response:
        return self.ask("POST", f"/{table}/say", {"id": id_, "say": say, **more}, token)

    @contextmanager
    def stream(self, table: str, **headers: str) -> Iterator[Iterator[tuple[str, str, str]]]:
        """The events of a table: id, event, data."""
        path = f"/api/tables/{table}/events"
        with self.http.stream("GET", path, headers=headers) as answer:
            assert answer.status_code == 200
            assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
            yield events(answer.iter_lines())

    def end(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """End it: its exit status, and what it wrote to standard error."""
        self.http.close()
        self.process.send_signal(how)
        _, err = self.process.communicate(timeout=30)
        return self.process.returncode, err


def events(lines: Iterator[str]) -> Iterator[tuple[str, str, str]]:
    """Server-sent events; comments are left out."""
    fields: dict[str, str] = {}
    for line in lines:
        if line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value
        elif not line and fields:
            yield fields.get("id", ""), fields.get("event", ""), fields.get("data", "")
            fields = {}


@contextmanager
def serving(
    data: Path, database: str = "", *args: str, env: dict[str, str] | None = None
) -> Iterator[Server]:
    """A server that is gone afterwards, whatever happens."""
    server = Server(data, database, *args, env=env)
    try:
        yield server
    finally:
        server.http.close()
        if server.process.poll() is None:
            server.process.kill()
            server.process.communicate(timeout=30)
