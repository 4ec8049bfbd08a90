"""A real server: it starts, serves, is killed, comes back and ends as the contract says."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import apsw
import httpx
import pytest

from tests.web.serving import KEY, Server, serving

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests that leave it as it is."""
    with serving(tmp_path_factory.mktemp("live")) as one:
        yield one


def passline(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "passline", *args],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **env},
    )


def speaking(
    server: Server, table: str, token: str, answers: dict[str, dict[str, Any]]
) -> threading.Thread:
    """Somebody who says one line after the other until the server is gone, and keeps the answers
    by their ids."""

    def speak() -> None:
        with httpx.Client(base_url=server.url) as http:
            for number in range(1000):
                try:
                    said = http.post(
                        f"/api/tables/{table}/say",
                        json={"id": f"f{number}", "say": "field for 5"},
                        headers={"Authorization": f"Bearer {token}"},
                    )
                except httpx.TransportError:
                    return
                if said.status_code == 200:
                    answers[f"f{number}"] = said.json()

    speaker = threading.Thread(target=speak)
    speaker.start()
    return speaker


def test_a_game_from_the_seat_to_the_record(server: Server, tmp_path: Path) -> None:
    table = server.open()["table"]
    token = server.sit(table)
    with server.stream(table) as heard:
        assert [next(heard)[0] for _ in range(2)] == ["0", "1"]
        said = server.say(table, token, "a1", "pass for 10").json()
        rolled = server.say(table, token, "a2", "roll", nonce="abc").json()
        found: list[tuple[str, str, str]] = []
        while not found or int(found[-1][0]) < rolled["seq"]:
            found.append(next(heard))
    assert {kind for _, kind, _ in found} == {"entry"}
    entries = {int(seq): json.loads(data) for seq, _, data in found}
    assert entries[said["seq"]]["hash"] == said["hash"]
    assert entries[rolled["seq"]]["fair"]["nonce"] == "abc"
    assert entries[rolled["seq"]]["line"] == rolled["entries"][0]["words"]

    record = tmp_path / "game.craps"
    record.write_text(server.ask("GET", f"/{table}/record").text, "utf-8")
    dealt = json.loads(passline("deal", str(record), "--json").stdout)
    view = server.ask("GET", f"/{table}").json()
    assert dealt["players"]["ann"]["rail"] == view["players"][0]["rail"]
    assert dealt["house"]["win"] == server.ask("GET", f"/{table}", token=KEY).json()["house"]["win"]


def test_it_goes_on_where_it_was(tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        table = first.open()["table"]
        token = first.sit(table)
        said = first.say(table, token, "a1", "pass for 10").json()
        view = first.ask("GET", f"/{table}", token=token).json()
        assert first.end() == (0, "")
    with serving(tmp_path) as second:
        assert second.ask("GET", f"/{table}", token=token).json() == view
        assert second.say(table, token, "a1", "pass for 10").json() == said
        with second.stream(table, **{"Last-Event-ID": str(said["seq"] - 1)}) as heard:
            assert next(heard)[0] == str(said["seq"])
            more = second.say(table, token, "a2", "field for 5").json()
            assert any(seq == str(more["seq"]) for seq, _, _ in heard)


def test_after_a_restore_the_dice_are_committed_anew(tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        table = first.open()["table"]
        before = first.ask("GET", f"/{table}").json()["commit"]
        assert first.end() == (0, "")
    with serving(tmp_path, "", "--restored") as second:
        view = second.ask("GET", f"/{table}").json()
        assert view["seq"] == 1
        assert view["commit"] != before
        last = json.loads(second.ask("GET", f"/{table}/log").text.splitlines()[1])
        assert (last["line"], last["commit"]) == ("", view["commit"])
        assert last["act"]


def test_heads_have_no_body(server: Server) -> None:
    table = server.open()["table"]
    paths = [f"/api/tables/{table}{kind}" for kind in ("", "/events", "/record", "/log")]
    for path in (*paths, "/", f"/t/{table}", "/healthz", "/api/tables"):
        answer = server.http.head(path)
        assert (answer.status_code, answer.content) == (200, b""), path


def test_nothing_is_lost_or_doubled_by_kill_9(tmp_path: Path) -> None:
    answers: dict[str, dict[str, Any]] = {}
    with serving(tmp_path) as first:
        table = first.open()["table"]
        token = first.sit(table)

        speaker = speaking(first, table, token, answers)
        while len(answers) < 10:
            time.sleep(0.01)
        assert first.end(signal.SIGKILL)[0] == -signal.SIGKILL
        speaker.join()
    with serving(tmp_path) as second:
        log = [json.loads(line) for line in second.ask("GET", f"/{table}/log").text.splitlines()]
        stands = [entry["id"] for entry in log if entry["id"]]
        assert len(set(stands)) == len(stands)
        assert len(stands) - len(answers) in {0, 1}  # one may stand unanswered
        assert set(answers) <= set(stands)
        for id_, answer in answers.items():
            while (again := second.say(table, token, id_, "field for 5")).status_code == 429:
                time.sleep(0.1)  # twenty lines a second
            assert again.json() == answer
        after = [json.loads(line) for line in second.ask("GET", f"/{table}/log").text.splitlines()]
        assert [entry["id"] for entry in after if entry["id"]] == stands


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_with_goodbye_and_0(tmp_path: Path, how: signal.Signals) -> None:
    with serving(tmp_path) as server:
        table = server.open()["table"]
        # One that never reads, one half-way through its request, one that waits: none holds it up.
        where = urlsplit(server.url)
        address = (str(where.hostname), where.port or 0)
        with (
            socket.create_connection(address) as stalled,
            socket.create_connection(address) as half,
        ):
            stalled.sendall(
                f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode()
            )
            half.sendall(b"POST /api/tables HTTP/1.1\r\nContent-Le")
            with socket.create_connection(address):
                with server.stream(table) as heard:
                    next(heard)
                    began = time.monotonic()
                    server.process.send_signal(how)
                    *_, last = heard
                    assert last == ("", "bye", "{}")
                _, err = server.process.communicate(timeout=30)
        assert (server.process.returncode, err) == (0, "")
        assert time.monotonic() - began < 5


def test_a_page_that_takes_long_holds_up_nobody(tmp_path: Path) -> None:
    """Neither those who ask for something else meanwhile, nor the end."""
    with serving(tmp_path) as server:
        answers: list[int] = []

        def ask() -> None:
            with httpx.Client(base_url=server.url, timeout=30) as http:
                answers.append(http.get("/par/maryland-crapless").status_code)

        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(0.3)
        assert server.http.get("/law").status_code == 200
        assert answers == []
        began = time.monotonic()
        assert server.end()[0] == 0
        assert time.monotonic() - began < 5
        asking.join()
        assert answers in ([503], [200])  # a quick machine makes it in time


def test_what_was_taken_is_finished(tmp_path: Path) -> None:
    """A line under way when the signal comes is answered, and stands."""
    with serving(tmp_path) as server:
        table = server.open()["table"]
        token = server.sit(table)
        answers: dict[str, dict[str, Any]] = {}
        speaker = speaking(server, table, token, answers)
        while len(answers) < 3:
            time.sleep(0.01)
        assert server.end()[0] == 0
        speaker.join()
    with serving(tmp_path) as again:
        log = [json.loads(line) for line in again.ask("GET", f"/{table}/log").text.splitlines()]
        stands = {(entry["id"], entry["seq"]) for entry in log}
        assert {(id_, answer["seq"]) for id_, answer in answers.items()} <= stands
        ids = [entry["id"] for entry in log if entry["id"]]
        assert len(set(ids)) == len(ids)


def test_a_second_server_on_the_same_folder_exits_2(tmp_path: Path) -> None:
    with serving(tmp_path):
        second = passline("serve", "--port", "0", "--data", str(tmp_path))
    assert (second.returncode, second.stdout) == (2, "")
    assert len(second.stderr.splitlines()) == 1
    assert "passline serve: " in second.stderr


def test_the_house_key_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    keys = []
    for _ in range(2):
        with serving(tmp_path / "new", env={"PASSLINE_HOUSE_KEY": ""}) as server:
            file = Path(server.ready["house_key_file"])
            assert file.is_relative_to(tmp_path)
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            keys.append(file.read_text().strip())
            answer = server.ask("POST", "", {"rulebook": "iowa"}, keys[-1])
            assert answer.status_code == 201
            assert server.end()[0] == 0
    assert keys[0] == keys[1]
    file.chmod(0o644)
    refused = passline("serve", "--port", "0", "--data", str(tmp_path / "new"))
    assert refused.returncode == 2
    assert "chmod 600" in refused.stderr


def test_logs_are_kept_where_games_are(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "passline", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PASSLINE_HOME": str(tmp_path / "home")},
    ) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line.startswith("tables at http://127.0.0.1:")
            assert line.endswith(f"the house key in {tmp_path / 'home' / 'house.key'}\n")
            assert (tmp_path / "home" / "live.sqlite").exists()
        finally:
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "", "")


def test_what_cannot_be_served_exits_2_with_a_line(tmp_path: Path, server: Server) -> None:
    (tmp_path / "file").write_text("")
    busy = str(urlsplit(server.url).port)
    for args in (
        ("--data", str(tmp_path), "--port", busy),
        ("--data", str(tmp_path), "--host", "256.1.1.1", "--port", "0"),
        ("--data", str(tmp_path), "--port", "70000"),
        ("--data", str(tmp_path / "file"), "--port", "0"),
        ("--data", str(tmp_path), "--database", "postgresql:///x"),
        ("--database", "not a database", "--port", "0"),
    ):
        ended = passline("serve", *args, PASSLINE_HOME=str(tmp_path / "home"))
        assert (ended.returncode, ended.stdout) == (2, ""), args
        assert len(ended.stderr.splitlines()) == 1, ended.stderr
    spaced = passline("serve", "--data", str(tmp_path), PASSLINE_HOUSE_KEY="a key")
    assert spaced.returncode == 2
    sealing = passline("serve", "--data", str(tmp_path), PASSLINE_DICE_KEY="short")
    assert (sealing.returncode, "64 hex digits" in sealing.stderr) == (2, True)


def raw(server: Server, *parts: bytes) -> bytes:
    """What comes back to bytes on a connection."""
    where = urlsplit(server.url)
    with socket.create_connection((str(where.hostname), where.port or 0), timeout=20) as line:
        for part in parts:
            line.sendall(part)
        found = b""
        while more := line.recv(65536):
            found += more
    return found


@pytest.mark.parametrize(
    "request_",
    [
        b"hello\r\n\r\n",
        b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nA b: c\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(40) + b"\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n"
        b"Transfer-Encoding: gzip\r\n\r\nhello",
    ],
    ids=lambda text: repr(text[:40]),
)
def test_invalid_http_is_refused(server: Server, request_: bytes) -> None:
    """By uvicorn's own short text where the request never reaches the application."""
    answer = raw(server, request_)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.split(b"\r\n")[0].startswith((b"HTTP/1.1 400", b"HTTP/1.1 501")), answer
    assert b"connection: close" in head.lower()
    assert body == b"Invalid HTTP request received." or json.loads(body)["error"]


def test_a_large_body_is_answered_though_it_goes_on(server: Server) -> None:
    start = (
        b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
        + KEY.encode()
        + b"\r\nConnection: close\r\n"
    )
    waiting = raw(server, start + b"Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n")
    assert waiting.startswith(b"HTTP/1.1 413")
    chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    chunked = raw(server, start + b"Transfer-Encoding: chunked\r\n\r\n", chunk * 4, b"0\r\n\r\n")
    assert chunked.startswith(b"HTTP/1.1 413")


def test_a_thousand_tables_cost_nothing_until_somebody_comes(tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        table = first.open()["table"]
        assert first.end() == (0, "")
    with apsw.Connection(str(tmp_path / "live.sqlite")) as store:
        for number in range(1000):
            for rows in ("tables (tbl, settings)", "entries (tbl, seq, hash, body)"):
                columns = rows.partition("(")[2].rstrip(")").replace("tbl", f"'copy{number}'")
                source = rows.split()[0]
                store.execute(
                    f"INSERT INTO {rows} SELECT {columns} FROM {source} WHERE tbl = ?", (table,)
                )
    with serving(tmp_path) as second:
        metrics = second.http.get("/metrics", headers={"Authorization": f"Bearer {KEY}"}).text
        assert "passline_tables 0" in metrics
        assert len(second.ask("GET", "").json()) == 1002  # and Practice


def test_a_server_without_tables_opens_one(tmp_path: Path) -> None:
    """Dealt by the machine, open to anybody; once, whatever becomes of it."""
    with serving(tmp_path) as first:
        (listed,) = first.ask("GET", "").json()
        assert (listed["name"], listed["rulebook"], listed["game"]) == (
            "Practice",
            "new-jersey",
            "craps",
        )
        first.sit(listed["table"])
        closed = first.say(listed["table"], KEY, "c1", "table closes").json()
        assert closed["seq"] is not None
        assert first.end() == (0, "")
    with serving(tmp_path) as second:
        assert second.ask("GET", "").json() == []
    with serving(tmp_path / "restored", "", "--restored") as third:
        assert third.ask("GET", "").json() == []
