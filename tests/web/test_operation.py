"""A real server that is short of something: files, disk, time. It answers, and says so once."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from passline.live.stores.sqlite import DATABASE_FILE
from tests.web.serving import KEY

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no ulimit"),
]


@contextmanager
def limited(
    data: Path, ulimit: str, *args: str
) -> Iterator[tuple[httpx.Client, int, subprocess.Popen[str]]]:
    """A server under a limit of the system, its client, its port and its process."""
    command = [sys.executable, "-m", "passline", "serve", "--port", "0", "--json"]
    shell = ["bash", "-c", f'ulimit {ulimit}; exec "$@"', "bash"]
    process = subprocess.Popen(
        [*shell, *command, "--data", str(data), *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PASSLINE_HOUSE_KEY": KEY},
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.communicate(timeout=30)
    url = json.loads(line)["url"]
    try:
        with httpx.Client(base_url=url, timeout=20) as http:
            yield http, int(url.rsplit(":", 1)[1]), process
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate(timeout=30)


def test_six_hundred_sockets_of_one_address_stop_nobody(tmp_path: Path) -> None:
    with limited(tmp_path, "-n 256", "--log-format", "json") as (http, port, process):
        held = []
        for number in range(600):
            one = socket.create_connection(("127.0.0.1", port), timeout=10)
            if number % 2:
                one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            held.append(one)
        for _ in range(3):
            assert httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
            assert httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 200
        bearer = {"Authorization": f"Bearer {KEY}"}
        metrics = httpx.get(f"http://127.0.0.1:{port}/metrics", headers=bearer)
        assert metrics.status_code == 200
        transport = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(base_url=http.base_url, transport=transport) as other:
            assert other.get("/").status_code == 200
        assert len(os.listdir(f"/proc/{process.pid}/fd")) < 256
        time.sleep(1)
        seen = Counter(first_bytes(one) for one in held)
        assert set(seen) <= {"HTTP/1.1 200", "HTTP/1.1 429", "open"}, seen
        assert seen["HTTP/1.1 429"] > 300
        for one in held:
            one.close()
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=20)
        assert process.returncode == 0
    messages = [json.loads(line)["message"] for line in log.splitlines()]
    assert len(messages) < 12, messages
    assert any("connections-per-address" in message for message in messages)
    assert any("more" in message for message in messages)


def test_a_server_whose_store_is_emptied_is_not_ready(tmp_path: Path) -> None:
    with limited(tmp_path, "-n 1024") as (http, _, process):
        assert http.get("/readyz").status_code == 200
        with closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as database:
            database.execute("DELETE FROM entries")
            database.commit()
        time.sleep(1.1)  # Readiness is looked at once a second.
        assert http.get("/readyz").status_code == 503
        assert http.get("/healthz").status_code == 200
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=20)
    assert "the store had tables and has none now" in log


def first_bytes(one: socket.socket) -> str:
    one.setblocking(False)
    try:
        return one.recv(12).decode()
    except BlockingIOError:
        return "open"
    except OSError as error:
        return repr(error)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="there is no prlimit")
def test_a_store_that_cannot_be_written_is_not_ready(tmp_path: Path) -> None:
    """As with a full disk: no file may grow, and later they may again."""
    with limited(tmp_path, "-n 1024") as (http, _, process):
        assert http.get("/readyz").status_code == 200
        table = http.get("/api/tables").json()[0]["table"]
        seat = http.post(f"/api/tables/{table}/seats", json={"name": "ann", "buy_in": "500"})
        bearer = {"Authorization": f"Bearer {seat.json()['token']}"}
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, most))
        time.sleep(1.1)  # Readiness is looked at once a second.
        for number in range(5):
            talk = {"id": f"n{number}", "say": "field for 5"}
            said = http.post(f"/api/tables/{table}/say", json=talk, headers=bearer)
            assert (said.status_code, said.headers["retry-after"]) == (503, "1")
        ready = http.get("/readyz")
        assert ready.status_code == 503
        assert "cannot be written" in ready.json()["error"]
        assert http.get("/healthz").status_code == 200
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, most))
        time.sleep(1.1)
        assert http.get("/readyz").status_code == 200
        talk = {"id": "n0", "say": "field for 5"}
        assert http.post(f"/api/tables/{table}/say", json=talk, headers=bearer).status_code == 200
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=20)
        assert process.returncode == 0
    lines = [line for line in log.splitlines() if "503 at /api/tables/{table}/say" in line]
    assert len(lines) == 2
    assert lines[1].endswith("(4 more)")
    assert "Traceback" not in log
