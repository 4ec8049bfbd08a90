"""The crier: who was handed over hears everything once, and ends as everybody else does."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import socket
import subprocess
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from passline.live.tokens import Holder
from passline.web import stream_fanout
from tests.web.conftest import KEY, House
from tests.web.test_connections import Line, served

pytestmark = pytest.mark.anyio


OPEN: list[Line] = []


@pytest.fixture(autouse=True)
async def few_are_a_crowd(house: House, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    monkeypatch.setattr(stream_fanout, "MIN_STREAMS", 1)
    yield
    while OPEN:
        OPEN.pop()[1].close()


async def listens(port: int, table: str, token: str = "", after: int = -1) -> Line:
    """A stream, once it has begun."""
    line = await asyncio.open_connection("127.0.0.1", port)
    OPEN.append(line)
    said = f"Authorization: Bearer {token}\r\n" if token else ""
    path = f"/api/tables/{table}/events?after={after}"
    line[1].write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{said}\r\n".encode())
    await asyncio.wait_for(line[0].readuntil(b": passline\n\n"), 5)
    return line


async def handed(house: House, many: int) -> None:
    """Wait until the crier has so many."""
    async with asyncio.timeout(5):
        while len(house.app.streams.crowd._handed) != many:
            await asyncio.sleep(0.01)


async def hears(line: Line, mark: bytes) -> bytes:
    return await asyncio.wait_for(line[0].readuntil(mark), 5)


async def rest(line: Line) -> bytes:
    """All that comes until the other end closes."""
    return await asyncio.wait_for(line[0].read(), 5)


def counted(house: House, name: str) -> int:
    found = [line for line in house.app.metrics.text().splitlines() if line.startswith(name)]
    return int(found[-1].rpartition(" ")[2])


async def test_who_was_handed_over_hears_everything_once(house: House) -> None:
    table = (await house.open())["table"]
    token = await house.sit(table)
    async with served(house) as port:
        lines = [await listens(port, table, after=seq) for seq in (-1, 0, 1)]
        await handed(house, 3)
        for number in range(3):
            await house.say(table, token, f"bet {number}", "field for 5")
        heard = [await hears(line, b"id: 4\n") for line in lines]
        for first, said in zip((0, 1, 2), heard, strict=True):
            told = [int(part.partition(b"\n")[0]) for part in said.split(b"id: ")[1:]]
            assert told == list(range(first, 5))
        assert counted(house, "passline_streams ") == 3
    ends = [await rest(line) for line in lines]
    assert all(b"event: bye\ndata: {}\n\n\r\n0\r\n\r\n" in end for end in ends)
    assert counted(house, "passline_streams ") == 0
    assert counted(house, 'passline_streams_ended_total{why="bye"}') == 3


async def test_a_withdrawn_token_ends_its_streams_and_no_others(house: House) -> None:
    table = (await house.open(open=False))["table"]
    invited = {"role": "watcher"}
    token = (await house.ask("POST", f"/api/tables/{table}/tokens", invited, KEY)).json()["token"]
    async with served(house) as port:
        his, others = await listens(port, table, token), await listens(port, table, KEY)
        await handed(house, 2)
        await house.ask("DELETE", f"/api/tables/{table}/tokens", invited, KEY)
        end = await rest(his)
        assert end.endswith(b"0\r\n\r\n")
        assert b'"act":"withdraw"' not in end
        await hears(others, b'"act":"withdraw"')
        assert counted(house, 'passline_streams_ended_total{why="withdrawn"}') == 1


async def test_a_channel_that_ends_and_comes_back(house: House) -> None:
    table = (await house.open())["table"]
    async with served(house) as port:
        first = [await listens(port, table) for _ in range(2)]
        await handed(house, 2)
        house.app.streams.channel(table, 0).task.cancel()  # as when its store fails
        assert all([(await rest(line)).endswith(b"0\r\n\r\n") for line in first])
        again = await listens(port, table, after=0)
        await handed(house, 1)
        await house.sit(table)
        assert (await hears(again, b"id: 1\n")).count(b"id: ") == 1
        assert counted(house, 'passline_streams_ended_total{why="store"}') == 2
        assert counted(house, "passline_streams ") == 1


async def test_a_silent_stream_is_kept_open(house: House) -> None:
    table = (await house.open())["table"]
    async with served(house) as port:
        line = await listens(port, table)
        await hears(line, b"id: 0\n")
        await handed(house, 1)
        house.app.streams.crowd.pulse(b": here\n\n")
        await hears(line, b": here\n\n")


async def test_who_leaves_is_forgotten(house: House) -> None:
    table = (await house.open())["table"]
    async with served(house) as port:
        gone, stays = await listens(port, table), await listens(port, table)
        await handed(house, 2)
        assert house.app.streams.held == {"127.0.0.1": 2}
        gone[1].write(b"GET / HTTP/1.1\r\n\r\n")  # what a stream's client says nobody heeds
        gone[1].close()
        await handed(house, 1)
        assert house.app.streams.held == {"127.0.0.1": 1}
        await house.sit(table)
        await hears(stays, b"id: 1\n")


@pytest.mark.parametrize(("behind", "patience", "why"), [(3, 30.0, "behind"), (9999, 0.2, "stuck")])
async def test_one_that_takes_nothing_is_given_up(
    house: House, behind: int, patience: float, why: str
) -> None:
    streams = house.app.streams
    streams.crowd = stream_fanout.StreamFanout(streams._forget, behind, patience)
    table = (await house.open())["table"]
    async with served(house) as port:
        stays = await listens(port, table)
        with socket.create_connection(("127.0.0.1", port)) as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            ask = f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            slow.sendall(ask.encode())
            await handed(house, 2)
            channel = streams.channel(table, 0)
            async with asyncio.timeout(10):
                while len(streams.crowd._handed) == 2:
                    streams.crowd.tell(
                        channel, stream_fanout.encode_chunk(b": " + b"x" * 30_000), None
                    )
                    await asyncio.wait_for(stays[0].readuntil(b"x\r\n"), 5)
        assert counted(house, f'passline_streams_ended_total{{why="{why}"}}') == 1


async def test_a_crier_that_is_killed_costs_no_entry(house: House) -> None:
    table = (await house.open())["table"]
    async with served(house) as port:
        line = await listens(port, table)
        await hears(line, b"}\n\n\r\n")
        await handed(house, 1)
        crier = house.app.streams.crowd._crier
        assert crier is not None
        os.kill(crier._process.pid, signal.SIGKILL)
        assert await rest(line) == b""  # the client comes back
        await handed(house, 0)
        await house.sit(table)
        again = await listens(port, table, after=0)
        await hears(again, b"id: 1\n")
        assert house.app.streams.crowd._crier is None  # for a moment, nobody is handed over
        assert counted(house, 'passline_streams_ended_total{why="crier"}') == 1


async def test_a_crier_that_hangs_is_let_go(house: House) -> None:
    """It answers each pulse before the next."""
    table = (await house.open())["table"]
    async with served(house) as port:
        line = await listens(port, table)
        await hears(line, b"}\n\n\r\n")
        await handed(house, 1)
        crier = house.app.streams.crowd._crier
        assert crier is not None
        house.app.streams.crowd.pulse(b": one\n\n")
        await hears(line, b": one\n\n\r\n")
        async with asyncio.timeout(5):
            while not crier._here:
                await asyncio.sleep(0.01)
        os.kill(crier._process.pid, signal.SIGSTOP)
        for _ in range(2):
            house.app.streams.crowd.pulse(b": two\n\n")
        await handed(house, 0)
        assert await rest(line) == b""
        assert house.app.streams.open == 0


class _Wire:
    """A connection that can be had."""

    def __init__(self) -> None:
        self.client, self._own = socket.socketpair()

    def hand_over(self) -> int:
        return self._own.detach()


async def test_whatever_is_said_to_a_crier_that_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams are handed over, told and ended meanwhile, and all are forgotten once."""
    monkeypatch.setattr(stream_fanout, "_MAX_UNSENT_BYTES", 0)
    whys: list[str] = []
    several = stream_fanout.StreamFanout(lambda channel, address, why: whys.append(why), 1000, 30.0)
    channel: Any = SimpleNamespace(number=1, handed={})
    wires: list[Any] = [_Wire() for _ in range(3)]
    holders = [Holder("watcher"), None, None]
    for wire, holder in zip(wires, holders, strict=True):
        assert several.take(channel, wire, holder, "here")
    assert several.tell(channel, b"1\r\nx\r\n", holders[0]) == 2
    several.end(channel, "bye")
    again: Any = _Wire()
    assert several.take(channel, again, None, "here")
    await asyncio.sleep(0.05)
    assert whys == ["withdrawn", "bye", "bye", "crier"]
    assert channel.handed == {}
    for wire in (*wires, again):
        with wire.client as client:
            client.settimeout(5)
            assert client.recv(10) == b""


async def test_a_crier_without_room_takes_nobody_else(house: House) -> None:
    """One whose file does not come loses it and nobody else's; where that is known, it stays."""
    table = (await house.open())["table"]
    async with served(house) as port:
        stays = await listens(port, table)
        await handed(house, 1)
        crier = house.app.streams.crowd._crier
        assert crier is not None
        crier.pulse(stream_fanout.encode_chunk(b": it is there\n\n"))
        await hears(stays, b"it is there")
        held = set(os.listdir(f"/proc/{crier._process.pid}/fd"))
        most = next(number for number in count() if str(number) not in held)
        resource.prlimit(crier._process.pid, resource.RLIMIT_NOFILE, (most, most))
        assert (await rest(await listens(port, table))).count(b"id: ") <= 1
        await handed(house, 1)
        assert counted(house, 'passline_streams_ended_total{why="full"}') == 1
        crier.room = 1
        here = await listens(port, table)
        await house.sit(table)
        for line in (stays, here):
            await hears(line, b"id: 1\n")
        await handed(house, 1)
        assert counted(house, "passline_streams ") == 2


async def test_no_room_for_a_crier(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams go on where they are."""

    def none(*args: object, **kwargs: object) -> None:
        raise BlockingIOError

    monkeypatch.setattr(subprocess, "Popen", none)
    table = (await house.open())["table"]
    async with served(house) as port:
        line = await listens(port, table)
        await house.sit(table)
        await hears(line, b"id: 1\n")
        assert counted(house, "passline_streams ") == 1


async def test_the_crier_ends_with_the_server_whatever_ends_it(house: House) -> None:
    table = (await house.open())["table"]
    async with served(house) as port:
        line = await listens(port, table)
        await handed(house, 1)
        crier = house.app.streams.crowd._crier
        assert crier is not None
        for _ in range(2):  # while it starts, and when it is there
            os.kill(crier._process.pid, signal.SIGTERM)  # all of a service's processes may get this
            os.kill(crier._process.pid, signal.SIGINT)
            crier.tell(1, stream_fanout.encode_chunk(b": it is there\n\n"))
            await hears(line, b"it is there")
        await house.sit(table)
        await hears(line, b"id: 1\n")
        crier._let_go()  # as the system does for a server that is killed
        assert (await rest(line)).endswith(b"\n\n\r\n")
        async with asyncio.timeout(5):
            while crier._process.poll() is None:
                await asyncio.sleep(0.01)
        house.app.streams.crowd._lost()


async def test_it_needs_nothing_of_ours() -> None:
    """It starts before any package is looked for, and is small."""
    from passline.web import fanout_process

    text = Path(fanout_process.__file__).read_text()
    assert "from passline" not in text
    assert "import passline" not in text
