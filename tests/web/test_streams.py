"""Event streams: they resume where the client was, in order, and end for a known reason."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
from starlette.types import Send

from passline.live.store import Store, UnavailableError
from passline.web import event_streams
from tests.web.conftest import KEY, House

pytestmark = pytest.mark.anyio


class Listener:
    """A client that hears a stream, and may stop taking what is sent."""

    def __init__(self) -> None:
        self.heard = b""
        self.status = 0
        self.ended = asyncio.Event()
        self.takes = asyncio.Event()
        self.takes.set()
        self.gone = asyncio.Event()

    async def receive(self) -> MutableMapping[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        await self.takes.wait()
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        self.heard += message["body"]
        if not message.get("more_body", False):
            self.ended.set()

    @property
    def events(self) -> list[dict[str, str]]:
        """What was heard whole, field by field."""
        blocks = self.heard.decode().split("\n\n")[:-1]
        return [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]

    @property
    def seqs(self) -> list[int]:
        return [int(event["id"]) for event in self.events if event.get("event") == "entry"]

    async def until(self, seq: int) -> None:
        """Wait until an entry was heard."""
        async with asyncio.timeout(10):
            while seq not in self.seqs:
                await asyncio.sleep(0.005)


@asynccontextmanager
async def listening(
    house: House,
    table: str,
    query: str = "",
    token: str = "",
    path: str = "/events",
    **headers: str,
) -> AsyncIterator[Listener]:
    """A stream of a table. An underscore in a header's name stands for a hyphen."""
    one = Listener()
    given = {"host": "127.0.0.1", **headers}
    if token:
        given["authorization"] = f"Bearer {token}"
    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/api/tables/{table}{path}",
        "query_string": query.encode(),
        "headers": [
            (name.replace("_", "-").encode(), value.encode()) for name, value in given.items()
        ],
        "scheme": "http",
        "server": ("127.0.0.1", 7117),
        "root_path": "",
        "client": ("127.0.0.1", 40000),
    }
    task = asyncio.create_task(house.app(scope, one.receive, one.send))
    try:
        yield one
    finally:
        one.gone.set()
        one.takes.set()
        await asyncio.wait_for(task, 10)


def ended(house: House) -> str:
    """Why the one stream that ended did."""
    lines = house.app.metrics.text().splitlines()
    found = [line for line in lines if line.startswith("passline_streams_ended_total{")]
    assert len(found) == 1, found
    return found[0].split('"')[1]


async def bets(house: House, table: str, token: str, first: int, count: int) -> None:
    house.app.tables.line_limiter = type(house.app.tables.line_limiter)(10_000)
    for number in range(first, first + count):
        said = await house.say(table, token, f"b{number}", "field for 5")
        assert said.status_code == 200
        assert said.json()["seq"] is not None, said.text


async def test_a_stream_tells_what_was_and_what_comes(house: House) -> None:
    table = (await house.open())["table"]
    token = await house.sit(table)
    async with listening(house, table) as all_, listening(house, table, "after=1") as new:
        await all_.until(1)
        await bets(house, table, token, 0, 2)
        await all_.until(3)
        await new.until(3)
    assert all_.status == 200
    assert (all_.seqs, new.seqs) == ([0, 1, 2, 3], [2, 3])
    log = (await house.ask("GET", f"/api/tables/{table}/log")).text.splitlines()
    assert [event["data"] for event in all_.events if "id" in event] == log
    assert json.loads(log[3])["line"] == "ann: field for 5"


async def test_what_the_browser_remembers_goes_before_the_query(house: House) -> None:
    table = (await house.open())["table"]
    token = await house.sit(table)
    await bets(house, table, token, 0, 2)
    async with listening(house, table, "after=0", **{"last-event-id": "2"}) as one:
        await one.until(3)
    assert one.seqs == [3]


async def test_a_long_log_is_read_in_pages(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "MOST_BEHIND", 2)
    monkeypatch.setattr(event_streams, "_READ_ENTRIES", 3)
    table = (await house.open())["table"]
    token = await house.sit(table)
    await bets(house, table, token, 0, 10)
    async with listening(house, table) as one:
        await one.until(11)
        await bets(house, table, token, 10, 1)
        await one.until(12)
    assert one.seqs == list(range(13))


async def test_a_client_that_takes_nothing_has_little_held_for_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever opens many streams of a long log, and reads none, fills the memory."""
    table = (await house.open())["table"]
    token = await house.sit(table)
    await bets(house, table, token, 0, 10)
    monkeypatch.setattr(event_streams, "_SEND_BYTES", 1000)
    first = await house.ask("GET", f"/api/tables/{table}/log")
    longest = max(map(len, first.content.splitlines()))
    sent: list[int] = []
    put = event_streams.Stream._send_bytes

    async def counted(self: event_streams.Stream, send: Send, data: bytes) -> None:
        sent.append(len(data))
        await put(self, send, data)

    monkeypatch.setattr(event_streams.Stream, "_send_bytes", counted)
    async with listening(house, table) as one:
        await one.until(11)
    assert max(sent) < 1000 + longest + 100
    assert len(sent) > 4


async def test_one_that_falls_behind_is_closed_and_resumes(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "MOST_BEHIND", 4)
    table = (await house.open())["table"]
    token = await house.sit(table)
    async with listening(house, table) as slow, listening(house, table) as quick:
        await slow.until(1)
        slow.takes.clear()
        await bets(house, table, token, 0, 8)
        await quick.until(9)
        slow.takes.set()
        await asyncio.wait_for(slow.ended.wait(), 10)
        assert quick.seqs == list(range(10))
        assert slow.seqs[-1] < 9
        assert ended(house) == "behind"
    async with listening(house, table, f"after={slow.seqs[-1]}") as again:
        await again.until(9)
    assert slow.seqs + again.seqs == list(range(10))


async def test_one_that_takes_nothing_is_given_up(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "PATIENCE", 0.05)
    table = (await house.open())["table"]
    token = await house.sit(table)
    async with listening(house, table) as one:
        await one.until(1)
        one.takes.clear()
        await bets(house, table, token, 0, 1)
        while "passline_streams 0" not in house.app.metrics.text():
            await asyncio.sleep(0.01)
        assert ended(house) == "stuck"


async def test_a_silent_stream_is_kept_open(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "PULSE", 0.02)
    table = (await house.open())["table"]
    async with listening(house, table) as one:
        await one.until(0)
        before = one.heard.count(b": here\n\n")
        await asyncio.sleep(0.2)
        assert one.heard.count(b": here\n\n") > before


async def test_a_withdrawn_token_ends_its_streams_and_no_others(house: House) -> None:
    opened = await house.open(open=False)
    table, path = opened["table"], f"/api/tables/{opened['table']}/tokens"
    eve = (await house.ask("POST", path, {"role": "watcher", "name": "eve"}, KEY)).json()["token"]
    other = opened["tokens"]["surveillance"]
    async with (
        listening(house, table, token=eve) as one,
        listening(house, table, token=eve) as stuck,
        listening(house, table, token=other) as two,
        listening(house, table, token=KEY) as three,
    ):
        for listener in (one, stuck, two, three):
            await listener.until(1)
        stuck.takes.clear()
        await house.ask("POST", path, {"role": "watcher", "name": "bob"}, KEY)
        await one.until(2)
        gone = await house.ask("DELETE", path, {"role": "watcher", "name": "eve"}, KEY)
        assert gone.status_code == 204
        await asyncio.wait_for(one.ended.wait(), 10)
        stuck.takes.set()
        await asyncio.wait_for(stuck.ended.wait(), 10)
        await two.until(3)
        await three.until(3)
        assert 3 not in one.seqs
        assert not two.ended.is_set()
        assert ended(house) == "withdrawn"


async def test_goodbye(house: House) -> None:
    table = (await house.open())["table"]
    async with listening(house, table) as one, listening(house, table) as two:
        await one.until(0)
        await two.until(0)
        await house.app.streams.stop()
        for listener in (one, two):
            await asyncio.wait_for(listener.ended.wait(), 10)
            assert listener.events[-1] == {"event": "bye", "data": "{}"}
    async with listening(house, table) as late:
        await asyncio.wait_for(late.ended.wait(), 10)
        assert late.events[-1] == {"event": "bye", "data": "{}"}


async def test_who_leaves_is_forgotten_and_so_is_the_channel(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "LINGER", 0.01)
    table = (await house.open())["table"]
    async with listening(house, table) as one:
        await one.until(0)
        assert "passline_streams 1" in house.app.metrics.text()
    assert "passline_streams 0" in house.app.metrics.text()
    assert ended(house) == "left"
    await asyncio.sleep(0.1)
    assert house.app.streams._channels == {}


async def test_a_stream_outlives_a_store_that_comes_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = (await house.open())["table"]
    token = await house.sit(table)
    async with listening(house, table) as one:
        await one.until(1)

        async def gone(*_: object) -> None:
            raise UnavailableError("gone")

        with monkeypatch.context() as broken:
            broken.setattr(Store, "append", gone)
            assert (await house.say(table, token, "b0", "field for 5")).status_code == 503
        await bets(house, table, token, 0, 1)
        await one.until(2)


async def test_no_stream_of_a_fault(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> AsyncIterator[object]:
        raise ValueError("broken")
        yield

    table = (await house.open())["table"]
    monkeypatch.setattr(house.app.service, "follow", broken)
    async with listening(house, table, "after=0") as one:
        await asyncio.wait_for(one.ended.wait(), 10)
    assert one.seqs == []


async def test_one_address_holds_so_many_streams(house: House) -> None:
    table = (await house.open())["table"]
    house.app.streams.opened.per_address = 2
    path = f"/api/tables/{table}/events"
    async with listening(house, table) as first, listening(house, table) as second:
        await first.until(0)
        await second.until(0)
        third = await house.ask("GET", path, headers={"accept": "text/event-stream"})
        assert (third.status_code, third.headers["retry-after"]) == (429, "10")
        assert "2 streams" in third.json()["error"]
        assert (await house.ask("GET", path, headers={"accept": "application/json"})).is_success
    assert not house.app.streams.opened.by_address
    house.app.streams.opened.per_address = 0  # any number
    async with listening(house, table) as again:
        await again.until(0)
