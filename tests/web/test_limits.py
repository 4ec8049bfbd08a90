"""Limits of a server: over each of them an answer with Retry-After, never a reset."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path

import httpx
import pytest

from passline.live.dice_proofs import Sealer
from passline.live.schema import ServiceError
from passline.live.service import TableService
from passline.live.stores.memory import MemoryDisk, MemoryStore
from passline.web import connection_limits, operator_log, request_limits
from passline.web.app import App
from passline.web.connection_limits import ConnectionLimits, LimitError, fit_connections
from passline.web.pages import daily
from passline.web.proxies import Proxies, ProxyError
from passline.web.request_limits import LogBudget, SeatCounter, ServerLimits, WrongTokens
from passline.web.responses import error_response
from tests.web.conftest import BASE, KEY, House
from tests.web.test_connections import answered, served

pytestmark = pytest.mark.anyio

METRICS_KEY = "the-metrics-key-of-these-tests"


@asynccontextmanager
async def house_with(
    server_limits: ServerLimits | None = None,
    connections: ConnectionLimits | None = None,
    proxies: Proxies | None = None,
    folder: Path | None = None,
) -> AsyncIterator[House]:
    """A house with limits of its own."""
    store = MemoryStore(MemoryDisk())
    service = TableService(store, Sealer(bytes(32)))
    await service.start(tend=False)
    app = App(
        service,
        KEY,
        None,
        limits=server_limits or ServerLimits(),
        folder=folder,
        metrics_key=METRICS_KEY,
        connection_limits=connections or ConnectionLimits(2000, 0),
        proxies=proxies,
    )
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as http:
        yield House(app, http)
    app.close()
    await app.streams.stop()
    await service.stop()
    await store.close()


def get(path: str, key: str = "") -> bytes:
    more = f"Authorization: Bearer {key}\r\n" if key else ""
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n{more}Connection: close\r\n\r\n".encode()


async def hold(
    port: int, count: int, source: str = "127.0.0.1", send: bytes = b""
) -> list[asyncio.StreamWriter]:
    """Open connections that send nothing, or something once."""
    held = []
    for _ in range(count):
        _, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
        writer.write(send)
        held.append(writer)
    await asyncio.sleep(0.05)
    return held


def release(held: list[asyncio.StreamWriter]) -> None:
    for writer in held:
        writer.transport.abort()


@pytest.mark.parametrize(
    ("of", "status", "limit"),
    [
        (ConnectionLimits(3, 0, 4, 4), b"503", "connections"),
        (ConnectionLimits(30, 3, 4, 4), b"429", "connections-per-address"),
    ],
)
async def test_connections_over_a_limit_are_answered(
    of: ConnectionLimits, status: bytes, limit: str
) -> None:
    async with house_with(connections=of) as house, served(house) as port:
        held = await hold(port, 3)
        for ask in (get("/"), get("/api/tables"), get("/api/tables", "x" * 20)):
            answer = await answered(port, ask)
            assert answer.startswith(b"HTTP/1.1 " + status), answer
            assert b"\r\nretry-after: 5\r\n" in answer.lower()
        body = b"x" * 9000
        post = b"POST /api/lint HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n" + body
        assert (await answered(port, post)).startswith(b"HTTP/1.1 " + status)
        metrics = get("/metrics", METRICS_KEY)
        for ask in (get("/healthz"), get("/readyz"), get("/api/tables", KEY), metrics):
            assert (await answered(port, ask)).startswith(b"HTTP/1.1 200")
        count = f'passline_refused_total{{limit="{limit}",status="connection"}}'
        assert f"{count} 8" in house.app.metrics.text()
        release(held)


async def test_one_address_leaves_room_for_the_others() -> None:
    of = ConnectionLimits(8, 3, 4, 4)
    async with house_with(connections=of) as house, served(house) as port:
        held = await hold(port, 20)
        _, other = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0))
        other.write(get("/api/tables"))
        reader = _
        assert (await asyncio.wait_for(reader.read(), 5)).startswith(b"HTTP/1.1 200")
        other.close()
        release(held)


async def test_idle_connections_over_a_limit_are_answered_not_reset() -> None:
    """However many come, no more files are open than there is room for."""
    of = ConnectionLimits(2, 0, 3, 3)
    async with house_with(connections=of) as house, served(house) as port:
        held = await hold(port, 30)
        assert (await answered(port, get("/healthz"))).startswith(b"HTTP/1.1 200")
        counts = house.app.connections.counts()
        assert counts["regular"] == 2
        assert counts["reserve"] + counts["refused"] <= 6
        release(held)
        with socket.create_connection(("127.0.0.1", port)) as again:
            again.settimeout(5)
            await asyncio.sleep(0.2)
            again.sendall(get("/api/tables"))
            assert (await asyncio.to_thread(again.recv, 100)).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "head", [b"Transfer-Encoding: chunked\r\n\r\n5\r\naaaaa\r\n", b"Content-Length: 99\r\n\r\n{"]
)
async def test_bodies_that_do_not_end_leave_room_for_health_checks(
    head: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """Requests over a limit are answered at once: they hold no place of the reserve."""
    of = ConnectionLimits(30, 2, 2, 4)
    async with house_with(connections=of) as house, served(house) as port:
        held = await hold(port, 2)
        held += await hold(port, 12, send=b"POST /api/lint HTTP/1.1\r\nHost: x\r\n" + head)
        for _ in range(4):
            begun = asyncio.get_running_loop().time()
            assert (await answered(port, get("/healthz"))).startswith(b"HTTP/1.1 200")
            assert asyncio.get_running_loop().time() - begun < 1.5
        release(held)
    assert "fault of the server" not in caplog.text
    assert "without completing response" not in caplog.text


async def test_a_request_on_a_connection_that_was_just_refused_is_no_fault(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It arrives while the connection, idle until now, makes room for another."""
    of = ConnectionLimits(30, 1, 2, 4)
    async with house_with(connections=of) as house, served(house) as port:
        held = await hold(port, 1)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.sleep(0.05)
        connections = house.app.connections
        [reserve] = connections._reserve
        received, refuse = reserve.data_received, connections.turn_away

        def refused_after(data: bytes) -> None:
            received(data)  # uvicorn starts a task for the request, which runs later.
            refuse(reserve)

        reserve.data_received = refused_after  # type: ignore[method-assign]
        writer.write(get("/api/tables"))
        answer = await asyncio.wait_for(reader.read(), 5)
        assert answer.count(b"HTTP/1.1 ") == answer.count(b"HTTP/1.1 429") == 1
        writer.close()
        await asyncio.sleep(0.05)
        release(held)
    assert "fault of the server" not in caplog.text
    assert "passline_failures_total 0" in house.app.metrics.text()


@pytest.mark.parametrize("head", [b"GET / HTT", b"GET / HTTP/1.1\r\nHost: x\r\nX: "])
async def test_a_head_that_does_not_come_is_not_waited_for(
    head: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_limits, "HEAD_SECONDS", 0.1)
    async with house_with() as house, served(house) as port:
        answer = await answered(port, head)
        assert answer.startswith(b"HTTP/1.1 408")
        # Nor after a first request on the same connection.
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(get("/healthz").replace(b"Connection: close\r\n", b""))
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        await asyncio.sleep(0.2)
        writer.write(head)
        rest = await asyncio.wait_for(reader.read(), 5)
        assert rest.count(b"HTTP/1.1 408") == 1
        writer.close()


async def test_idle_connections_are_kept_while_there_are_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A page that says a line every ten seconds does so on one connection."""
    monkeypatch.setattr(connection_limits, "HEAD_SECONDS", 0.1)
    monkeypatch.setattr(connection_limits, "CROWDED_KEEP_SECONDS", 0.1)
    request = get("/healthz").replace(b"Connection: close\r\n", b"")
    async with house_with(connections=ConnectionLimits(10, 0)) as house, served(house) as port:
        unused, first = await asyncio.open_connection("127.0.0.1", port)
        assert await asyncio.wait_for(unused.read(), 5) == b""  # Closed, without an answer.
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(2):
            writer.write(request)
            assert (await reader.readuntil(b"}")).startswith(b"HTTP/1.1 200")
            await asyncio.sleep(1.2)
        crowd = [await asyncio.open_connection("127.0.0.1", port) for _ in range(8)]
        for _, one in crowd:
            one.write(request)
        assert await asyncio.wait_for(reader.read(), 5) == b""
        for _, one in [(unused, first), (reader, writer), *crowd]:
            one.close()


async def test_requests_behind_a_proxy_count_for_their_client() -> None:
    of = ConnectionLimits(30, 2, 4, 4)
    trusted = Proxies(["127.0.0.1"])
    async with (
        house_with(connections=of, proxies=trusted) as house,
        served(house) as port,
    ):
        table = (await house.open())["table"]

        def ask(path: str, client: str) -> bytes:
            more = b"X-Forwarded-For: " + client.encode() + b"\r\nConnection: close\r\n"
            return get(path).replace(b"Connection: close\r\n", more)

        held = []
        for _ in range(2):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(ask(f"/api/tables/{table}/events", "192.0.2.7"))
            await asyncio.wait_for(reader.readuntil(b"id: 0\n"), 5)
            held.append(writer)
        assert house.app.streams.opened.by_address == {"192.0.2.7": 2}
        assert (await answered(port, ask("/api/tables", "192.0.2.7"))).startswith(b"HTTP/1.1 429")
        assert (await answered(port, ask("/api/tables", "192.0.2.8"))).startswith(b"HTTP/1.1 200")
        forged = ask("/api/tables", "192.0.2.9, 192.0.2.7")  # The client wrote the first itself.
        assert (await answered(port, forged)).startswith(b"HTTP/1.1 429")
        release(held)


async def test_other_peoples_forwarded_addresses_are_not_believed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with house_with(ServerLimits(seats=1)) as house:
        table = (await house.open())["table"]
        for number, status in ((1, 201), (2, 429)):
            body = {"name": f"p{number}", "buy_in": "500"}
            answer = await house.ask(
                "POST",
                f"/api/tables/{table}/seats",
                body,
                headers={"X-Forwarded-For": f"192.0.2.{number}"},
            )
            assert answer.status_code == status
    assert "start the server with --proxies" in caplog.text


async def test_every_429_and_503_says_when_to_try_again() -> None:
    for code in ("too_many_requests", "unavailable"):
        assert error_response(ServiceError(code, "Busy.")).headers["retry-after"] == "1"
        later = ServiceError(code, "Busy.", retry_after=7)
        assert error_response(later).headers["retry-after"] == "7"
    assert "retry-after" not in error_response(ServiceError("invalid", "No.")).headers


def test_what_is_no_proxy() -> None:
    for wrong in ("proxy.example", "10.0.0.1/8", "*", "300.1.1.1"):
        with pytest.raises(ProxyError):
            Proxies([wrong])


async def test_one_address_holds_so_many_seats() -> None:
    async with house_with(ServerLimits(seats=2)) as house:
        one, two = (await house.open())["table"], (await house.open(name="Two"))["table"]
        ann = await house.sit(one, "ann", token="a" * 32)
        await house.sit(two, "bob")
        body = {"name": "cid", "buy_in": "500"}
        third = await house.ask("POST", f"/api/tables/{two}/seats", body)
        assert (third.status_code, third.headers["retry-after"]) == (429, "60")
        assert await house.sit(one, "ann", token="a" * 32) == ann  # The same seat again.
        assert (await house.ask("POST", f"/api/tables/{two}/seats", body, KEY)).is_success
        assert (await house.say(one, ann, "l", "leave")).status_code == 200
        await house.sit(one, "dan")
        text = (await house.ask("GET", "/metrics", token=KEY)).text
        assert 'passline_refused_total{limit="address-seats",status="429"} 1' in text


def test_a_seat_at_a_table_out_of_memory_counts_for_a_while() -> None:
    now = [0.0]
    seats = SeatCounter(1, lambda table, name: None, lambda: now[0])
    seats.add("here", "t", "ann")
    with pytest.raises(ServiceError):
        seats.check("here", "t", "bob")
    seats.check("there", "t", "bob")
    now[0] = 901.0
    seats.check("here", "t", "bob")


async def test_one_address_writes_so_much_log() -> None:
    async with house_with() as house:
        table = (await house.open())["table"]
        ann = await house.sit(table)
        house.app.tables.log_budget = LogBudget(1, 0)
        await house.say(table, ann, "a1", "field for 5")
        used = house.app.tables.log_budget._used["127.0.0.1"][0]
        lines = (await house.ask("GET", f"/api/tables/{table}/log")).text.splitlines()
        assert abs(used - len(lines[-1])) < 2
        house.app.tables.log_budget.spend("127.0.0.1", 1_000_000)
        said = await house.say(table, ann, "a2", "field for 5")
        assert said.status_code == 429
        assert int(said.headers["retry-after"]) >= 1
        assert "1 MB" in said.json()["error"]
        assert (await house.say(table, KEY, "a3", "table closes")).status_code == 200


async def test_invitations_count_as_log_too() -> None:
    async with house_with(ServerLimits(hosting=3)) as house:
        # The clock stands still: on a slow machine, what is used up would come back meanwhile.
        budget = house.app.tables.log_budget = LogBudget(64, 0, clock=lambda: 0.0)
        hosted = (await house.ask("POST", "/api/tables", {"rulebook": "iowa"})).json()
        path, floor = f"/api/tables/{hosted['table']}/tokens", hosted["tokens"]["floor"]
        before = budget._used["127.0.0.1"][0]
        for method, status in (("POST", 201), ("DELETE", 204)):
            answer = await house.ask(method, path, {"role": "player", "name": "ann"}, floor)
            assert answer.status_code == status
        assert budget._used["127.0.0.1"][0] > before + 300
        statuses = {
            (await house.ask("POST", path, {"role": "watcher"}, floor)).status_code
            for _ in range(25)
        }
        assert statuses == {201, 429}
        budget.spend("127.0.0.1", 64_000_000)
        house.app.tables.line_limiter._times.clear()
        assert (await house.ask("POST", path, {"role": "watcher"}, floor)).status_code == 429
        assert (await house.ask("POST", path, {"role": "watcher"}, KEY)).status_code == 201


def test_all_addresses_together_write_so_much_log() -> None:
    now = [0.0]
    budget = LogBudget(0, 1, lambda: now[0])
    for number in range(10):
        budget.check(f"address {number}")
        budget.spend(f"address {number}", 100_000)
    with pytest.raises(ServiceError, match="This server takes 1 MB") as full:
        budget.check("another")
    assert full.value.code == "unavailable"
    now[0] = float(full.value.retry_after)
    budget.check("another")


async def test_wrong_keys_are_slowed_down_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with house_with() as house:
        assert (await house.ask("GET", "/metrics", token=KEY)).is_success
        for number in range(request_limits.MAX_WRONG_TOKENS):
            wrong = f"wrong-key-number-{number}"
            for _ in range(2):  # The same one again is no other guess.
                assert (await house.ask("POST", "/api/tables", {}, wrong)).status_code == 401
        slowed = await house.ask("POST", "/api/tables", {}, "another-wrong-key")
        assert slowed.status_code == 429
        assert 1 <= int(slowed.headers["retry-after"]) <= 60
        assert (
            await house.ask("GET", "/", token="a-guess-that-no-page-looks-at")
        ).status_code == 429
        assert (await house.ask("GET", "/metrics", token=KEY)).is_success  # It was valid before.
        text = (await house.ask("GET", "/metrics", token=KEY)).text
        assert "passline_wrong_tokens_total 20" in text
    lines = [line for line in caplog.messages if line.startswith("wrong key or token")]
    assert lines == [
        "wrong key or token from 127.0.0.1 at /api/tables",
        "wrong key or token from 127.0.0.1 at /api/tables (19 more)",
    ]


@pytest.mark.parametrize(
    ("method", "path", "body", "cookie"),
    [
        ("POST", "cookie", {"token": "{}"}, ""),
        ("POST", "seats", {"name": "bob", "buy_in": "100", "token": "{}"}, ""),
        ("GET", "", None, "passline={}"),
        ("GET", "", None, "passline=of-another-table; passline-host={}"),
        ("GET", "/api/school/learner", None, "passline-learner={}"),
    ],
)
async def test_guesses_in_cookies_and_bodies_are_slowed_down(
    method: str, path: str, body: dict[str, str] | None, cookie: str
) -> None:
    async with house_with() as house:
        table = (await house.open(open=False))["table"]
        path = path if path.startswith("/") else f"/api/tables/{table}/{path}".removesuffix("/")
        wrong = 0
        for number in range(request_limits.MAX_WRONG_TOKENS + 1):
            token = f"{number:048}"
            sent = {key: value.format(token) for key, value in (body or {}).items()}
            headers = {"Cookie": cookie.format(token)} if cookie else {}
            if "passline-host" in cookie:
                headers["Passline-As"] = "host"
            answer = await house.ask(method, path, sent or None, headers=headers)
            wrong += answer.status_code in (401, 403)
        assert (wrong, answer.status_code) == (request_limits.MAX_WRONG_TOKENS, 429)
        text = (await house.ask("GET", "/metrics", token=KEY)).text
        assert f"passline_wrong_tokens_total {wrong}" in text


async def test_guesses_from_many_addresses_hide_no_other_cause(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with house_with(proxies=Proxies(["127.0.0.1"])) as house:
        for part in map("".join, product("abcdef", repeat=3)):
            sender = {"X-Forwarded-For": f"2001:db8:{part}::1"}
            wrong = "a-wrong-key-of-a-stranger"
            answer = await house.ask("POST", "/api/tables", {}, wrong, headers=sender)
            assert answer.status_code == 401
        house.app.service.stopping.set()
        assert (await house.ask("GET", "/readyz")).status_code == 503
    assert "503 at /readyz for 127.0.0.1: The server is stopping. Try again." in caplog.messages


def test_after_a_minute_keys_are_looked_at_again() -> None:
    now = [0.0]
    guard = WrongTokens(lambda: now[0])
    for number in range(request_limits.MAX_WRONG_TOKENS):
        guard.add_wrong("here", str(number))
    with pytest.raises(ServiceError):
        guard.check("here", "x")
    guard.check("there", "x")
    now[0] = 61.0
    guard.check("here", "x")


async def test_a_disk_that_is_nearly_full_takes_nothing_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house_with(ServerLimits(disk_reserve_mb=100), folder=tmp_path) as house:
        table = (await house.open())["table"]
        ann = await house.sit(table)
        monkeypatch.setattr(request_limits, "disk_usage", lambda folder: Usage(99_000_000))
        house.app.guard._app._disk._looked_at = -1.0  # type: ignore[attr-defined]
        said = await house.say(table, ann, "a1", "field for 5")
        assert (said.status_code, said.headers["retry-after"]) == (503, "60")
        assert "nearly full" in said.json()["error"]
        assert (await house.ask("GET", "/readyz")).status_code == 503
        assert (await house.ask("GET", f"/api/tables/{table}")).is_success
        assert (await house.say(table, KEY, "a2", "table closes")).status_code == 200
        text = (await house.ask("GET", "/metrics", token=KEY)).text
        assert "passline_disk_free_bytes 99000000" in text


class Usage:
    def __init__(self, free: int) -> None:
        self.free = free


async def test_the_metrics_have_a_key_of_their_own() -> None:
    async with house_with() as house:
        answer = await house.ask("GET", "/metrics", token=METRICS_KEY)
        assert answer.is_success
        for name in ("process_open_fds", "process_resident_memory_bytes", "process_max_fds"):
            assert f"\n{name} " in answer.text
        assert 'passline_connections{kind="regular"} 0' in answer.text
        opened = await house.ask("POST", "/api/tables", {"rulebook": "iowa"}, METRICS_KEY)
        assert opened.status_code == 401


async def test_hosted_tables_are_limited_in_all() -> None:
    async with house_with(ServerLimits(hosting=5, hosted_tables=2)) as house:
        for status in (201, 201, 503):
            answer = await house.ask("POST", "/api/tables", {"rulebook": "iowa"})
            assert answer.status_code == status
        assert answer.headers["retry-after"] == "600"
        assert (await house.ask("POST", "/api/tables", {"rulebook": "iowa"}, KEY)).is_success


async def test_unread_logs_are_limited_and_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "SEND_SECONDS", 0.5)
    read = 0

    async def log(table: str) -> AsyncIterator[bytes]:
        nonlocal read
        for _ in range(512):
            read += 1
            yield b"x" * 32 * 1024

    async with house_with(ServerLimits(downloads=2, downloads_total=3)) as house:
        table = (await house.open())["table"]
        path = f"/api/tables/{table}/log"
        monkeypatch.setattr(house.app.service, "log", log)
        async with served(house) as port:
            slow = []
            for number in (1, 1, 2):
                one = socket.socket()
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                one.bind((f"127.0.0.{number}", 0))
                one.connect(("127.0.0.1", port))
                one.sendall(get(path))
                slow.append(one)
            await asyncio.sleep(0.2)
            assert read < 3 * 200  # They hold pieces, not the whole.
            before = read
            refused = await answered(port, get(path))
            assert refused.startswith(b"HTTP/1.1 429")
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=("127.0.0.3", 0)
            )
            writer.write(get(path))
            full = await asyncio.wait_for(reader.read(), 5)
            assert full.startswith(b"HTTP/1.1 503")
            assert b"retry-after: 10" in full
            assert read == before  # Nothing is read for those who are refused.
            writer.close()
            await asyncio.sleep(1.0)  # Those who accept nothing are cut off.
            whole = await answered(port, get(path))
            assert len(whole) > 512 * 32 * 1024
            for one in slow:
                one.close()
    assert "passline_failures_total 0" in house.app.metrics.text()


def test_limits_fit_the_process() -> None:
    assert fit_connections(100_000, 20).total == 20_000
    assert fit_connections(100_000, 20, 50, 7) == ConnectionLimits(50, 7, 32, 32)
    with pytest.raises(LimitError, match="--connections 5000 does not fit"):
        fit_connections(1024, 20, 5000)
    with pytest.raises(LimitError, match="ulimit -n"):
        fit_connections(64, 20)


async def test_what_repeats_is_counted(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operator_log, "REPEAT_SECONDS", 0.05)
    repeated = operator_log.RepeatedMessages(logging.getLogger("passline.web"))
    for wait in range(5):
        repeated.report(f"wait {wait} s", f"busy, wait {wait} s")
    repeated.report("full", "the disk is full")
    await asyncio.sleep(0.12)
    assert caplog.messages == [
        "busy, wait 0 s",
        "the disk is full",
        "busy, wait 0 s (4 more in 0 s)",
    ]
    repeated.report("full", "the disk is full")
    repeated.close()
    assert caplog.messages[3:] == ["the disk is full"]


def test_lines_of_json() -> None:
    record = logging.makeLogRecord(
        {"name": "passline.access", "levelname": "INFO", "msg": "GET %s", "args": ("/\n",)}
    )
    record.status = 200
    line = operator_log.JsonFormatter().format(record)
    assert "\n" not in line
    found = json.loads(line)
    assert found.pop("at").endswith("Z")
    wanted = {"level": "info", "logger": "passline.access", "message": "GET /\n", "status": 200}
    assert found == wanted


async def test_one_address_cannot_take_all_tables_of_the_daily(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(daily, "_MAX_NEW_TABLES", 2)
    async with house_with(ServerLimits(log_mb=1)) as house:
        answers = [
            await house.ask("POST", "/api/daily", {"name": name, "token": "a" * 40})
            for name in ("ann", "bob", "cal", "ann")
        ]
        assert [answer.status_code for answer in answers] == [201, 201, 429, 201]
        assert int(answers[2].headers["retry-after"]) > 3000
        assert (await house.ask("GET", "/api/daily")).json()["results"] == []


async def test_a_table_of_the_daily_counts_as_log_of_its_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(request_limits, "_MEGABYTE", 3_000)
    async with house_with(ServerLimits(log_mb=1)) as house:
        first = await house.ask("POST", "/api/daily", {"name": "ann", "token": "a" * 40})
        second = await house.ask("POST", "/api/daily", {"name": "bob"})
        again = await house.ask("POST", "/api/daily", {"name": "ann", "token": "a" * 40})
    assert (first.status_code, second.status_code, again.json()) == (201, 429, first.json())
    assert "of log in an hour" in second.json()["error"]
