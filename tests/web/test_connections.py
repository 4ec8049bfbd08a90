"""A server on a real port: slow clients, pipelining, HTTP/1.0, and how connections end."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from passline.web import event_streams, request_limits, server
from passline.web.server import find_allowed_hosts, format_address, listen, serve
from tests.web.conftest import House

pytestmark = pytest.mark.anyio

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def served(house: House) -> AsyncIterator[int]:
    """The house on a port of this machine, in this process."""
    ready = asyncio.Event()
    ear = listen("127.0.0.1", 0)
    port = int(ear.getsockname()[1])
    assert format_address(ear, "127.0.0.1") == f"http://127.0.0.1:{port}"
    app = house.app
    task = asyncio.create_task(serve(app, ear, ready.set, app.streams, app.connections))
    await asyncio.wait_for(ready.wait(), 10)
    try:
        yield port
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(task, 10)


async def answered(port: int, sent: bytes) -> bytes:
    """What comes back until the other end closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(sent)
        return await asyncio.wait_for(reader.read(), 5)
    finally:
        writer.close()


@pytest.mark.parametrize("version", ["1.0", "1.1"])
async def test_a_slow_body_is_not_waited_for(
    house: House, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_limits, "REQUEST_SECONDS", 0.1)
    async with served(house) as port:
        slow = await answered(
            port,
            f"POST /api/tables/T/cookie HTTP/{version}\r\nHost: 127.0.0.1\r\n"
            "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{".encode(),
        )
        assert slow.startswith(b"HTTP/1.1 400")
        assert b"The request body did not arrive in time." in slow


@pytest.mark.parametrize("version", ["1.0", "1.1"])
async def test_an_endless_head_is_refused(house: House, version: str) -> None:
    head = f"GET / HTTP/{version}\r\nHost: 127.0.0.1\r\nX: ".encode()
    async with served(house) as port:
        answer = await answered(port, head + b"x" * 100_000)
        assert answer.startswith(b"HTTP/1.1 400")
        assert (await answered(port, b"x" * 100_000)).startswith(b"HTTP/1.1 400")


async def test_who_leaves_half_way_is_not_answered(house: House) -> None:
    async with served(house) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            b"POST /api/tables/T/cookie HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            b"Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{"
        )
        await asyncio.sleep(0.1)
        writer.close()
        await asyncio.sleep(0.1)
    assert "passline_failures_total 0" in house.app.metrics.text()


@pytest.mark.parametrize("version", ["1.0", "1.1"])
async def test_a_stream_outlives_the_time_that_its_request_has(
    house: House, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_limits, "REQUEST_SECONDS", 0.1)
    table = (await house.open())["table"]
    async with served(house) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        path = f"/api/tables/{table}/events"
        writer.write(f"GET {path} HTTP/{version}\r\nHost: 127.0.0.1\r\n\r\n".encode())
        await reader.readuntil(b"id: 0\n")
        await asyncio.sleep(0.3)
        await house.sit(table)
        await asyncio.wait_for(reader.readuntil(b"id: 1\n"), 5)
        writer.close()


@pytest.mark.parametrize("version", ["1.0", "1.1"])
async def test_a_stream_is_framed_as_its_version_has_it(house: House, version: str) -> None:
    table = (await house.open())["table"]
    token = await house.sit(table)
    async with served(house) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        path = f"/api/tables/{table}/events?after=0"
        writer.write(f"GET {path} HTTP/{version}\r\nHost: 127.0.0.1\r\n\r\n".encode())
        heard = await reader.readuntil(b"id: 1\n")
        for number in range(3):
            await house.say(table, token, f"f{number}", "field for 5")
            heard += await reader.readuntil(b"id: %d\n" % (number + 2))
    heard += await asyncio.wait_for(reader.read(), 5)
    writer.close()
    head, _, body = heard.partition(b"\r\n\r\n")
    if b"chunked" in head.lower():
        assert version == "1.1"
        rest, body = body, b""
        while rest:  # every chunk is as long as it says, and the last is empty
            size, _, rest = rest.partition(b"\r\n")
            chunk, end, rest = (
                rest[: int(size, 16)],
                rest[int(size, 16) :][:2],
                rest[int(size, 16) + 2 :],
            )
            assert end == b"\r\n"
            body += chunk
        assert chunk == b""
    blocks = body.decode().split("\n\n")
    seqs = [block.split("\n")[0] for block in blocks if block.startswith("id: ")]
    assert seqs == ["id: 1", "id: 2", "id: 3", "id: 4"]
    assert blocks[-2:] == ["event: bye\ndata: {}", ""]


def test_names_of_this_machine() -> None:
    here = frozenset({"localhost", "127.0.0.1", "[::1]"})
    for host in ("127.0.0.1", "localhost", "::1"):
        assert find_allowed_hosts(host) == here
    assert find_allowed_hosts("0.0.0.0") is find_allowed_hosts("tables.example.com") is None
    named = ["Tables.example.com"]
    assert find_allowed_hosts("127.0.0.1", named) == here | {"tables.example.com"}
    assert find_allowed_hosts("0.0.0.0", named) == here | {"0.0.0.0", "tables.example.com"}


@pytest.mark.parametrize("host", ["", "256.1.1.1", "\ud800", "a" * 300])
def test_what_is_no_address(host: str) -> None:
    with pytest.raises(server.ListenError):
        listen(host, 0)


async def test_a_line_has_the_same_response_on_every_kind_of_connection(house: House) -> None:
    """Alone on a connection, pipelined, before the connection closes, and by HTTP/1.0."""
    table = (await house.open())["table"]
    token = await house.sit(table)

    def line(id_: str, more: str = "") -> bytes:
        body = f'{{"id":"{id_}","say":"pass for 10"}}'
        return (
            f"POST /api/tables/{table}/say HTTP/1.1\r\nHost: 127.0.0.1\r\n{more}"
            f"Authorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        ).encode()

    async with served(house) as port:
        closes = await answered(port, line("a", "Connection: close\r\n"))
        both = await answered(port, line("a") + line("a", "Connection: close\r\n"))
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(line("a"))
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
        alone = head + await reader.read(10_000)
        writer.close()
        old = await answered(port, line("a").replace(b"HTTP/1.1", b"HTTP/1.0"))

    def parts(answer: bytes) -> tuple[set[bytes], bytes]:
        head, _, body = answer.partition(b"\r\n\r\n")
        left_out = (b"date:", b"connection:")
        lines = head.split(b"\r\n")
        return {one for one in lines if not one.lower().startswith(left_out)}, body

    assert closes.startswith(b"HTTP/1.1 200 OK\r\n")
    assert parts(alone) == parts(closes) == parts(old)
    assert b"\r\ndate: " in alone
    first, second = (b"HTTP/1.1" + one for one in both.split(b"HTTP/1.1")[1:])
    assert parts(first) == parts(second) == parts(closes)
    said = 'passline_requests_total{route="/api/tables/{table}/say",method="POST",status="200"} 5'
    assert said in house.app.metrics.text()


async def test_a_stream_whose_client_asked_ahead_ends_when_it_leaves(house: House) -> None:
    """Requests that wait behind a stream do not keep it open."""
    table = (await house.open())["table"]
    async with served(house) as port:
        _, writer = line = await asyncio.open_connection("127.0.0.1", port)
        ask = f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        writer.write(ask + b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 2)
        await asyncio.wait_for(line[0].readuntil(b"id: 0\n"), 5)
        assert house.app.streams.opened.by_address.total() == 1
        writer.transport.abort()
        async with asyncio.timeout(5):
            while house.app.streams.opened.by_address:  # a failing send shows that the client left
                for stream in [
                    s for c in house.app.streams._channels.values() for s in c.listeners
                ]:
                    stream.request_comment()
                await asyncio.sleep(0.02)


async def test_one_that_takes_nothing_is_cut_off(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its stream ends as "stuck", nothing is logged, and the server can stop."""
    monkeypatch.setattr(event_streams, "PATIENCE", 0.1)
    monkeypatch.setattr(
        event_streams, "event_frame", lambda seq, text: b": " + b"x" * 500_000 + b"\n\n"
    )
    table = (await house.open())["table"]
    async with served(house) as port:
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect(("127.0.0.1", port))
            ask = f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            slow.sendall(ask.encode())
            while not house.app.streams.opened.by_address:
                await asyncio.sleep(0.02)
            await house.sit(table)
            ended = 'passline_streams_ended_total{why="stuck"} 1'
            async with asyncio.timeout(5):
                while ended not in house.app.metrics.text():
                    await asyncio.sleep(0.02)
            await asyncio.sleep(1.2)  # The stream has one second to send its end.
    assert not caplog.records


async def test_pipelined_requests_are_answered_one_by_one(house: House) -> None:
    """Requests that are sent ahead of their responses wait unread: they hold little memory."""
    table = (await house.open())["table"]
    one = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    last = one.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    stream = f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    async with served(house) as port:
        assert (await answered(port, one * 50 + last)).count(b"HTTP/1.1 200 OK") == 51
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(stream + one * 1000)
        await asyncio.wait_for(reader.readuntil(b"id: 0\n"), 5)
        heard = await reader.read(10_000)
        assert b"HTTP/1.1" not in heard
        writer.transport.abort()
