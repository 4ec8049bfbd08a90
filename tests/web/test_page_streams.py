"""Page streams: the whole page once, then merge patches; every throw; who is connected."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest

from passline.live.dice_proofs import Sealer
from passline.live.merge_patch import apply_patch
from passline.live.service import TableService
from passline.live.store import UnavailableError
from passline.live.stores.memory import MemoryDisk, MemoryStore
from passline.web import page_streams
from passline.web.app import App
from tests.web.conftest import BASE, KEY, House
from tests.web.test_streams import Listener, bets, listening

pytestmark = pytest.mark.anyio
Json = dict[str, Any]


class Page:
    """A page that a stream keeps up to date, as a browser's script does."""

    def __init__(self, listener: Listener) -> None:
        self.listener = listener

    def events(self, kind: str = "page") -> list[Json]:
        return [
            json.loads(event["data"])
            for event in self.listener.events
            if event.get("event") == kind
        ]

    @property
    def seq(self) -> int:
        events = self.events()
        return int(events[-1]["seq"]) if events else -1

    @property
    def state(self) -> Json:
        """The whole, with every patch since applied."""
        state: Json = {}
        for event in self.events():
            assert ("whole" in event) != ("changes" in event)
            state = event["whole"] if "whole" in event else apply_patch(state, event["changes"])
        return state

    @property
    def throws(self) -> list[int]:
        return [throw["seq"] for event in self.events() for throw in event.get("throws", [])]

    async def until(self, ready: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not ready():
                await asyncio.sleep(0.005)


@asynccontextmanager
async def page_of(
    house: House, table: str, token: str = "", query: str = "", **headers: str
) -> AsyncIterator[Page]:
    async with listening(house, table, query, token, "/page/events", **headers) as listener:
        page = Page(listener)
        await page.until(lambda: page.seq >= 0 or listener.ended.is_set())
        yield page


async def fresh(house: House, table: str, token: str = "") -> Json:
    answer = await house.ask("GET", f"/api/tables/{table}/page", token=token)
    whole: Json = answer.json()["whole"]
    return whole


async def test_a_page_gets_the_whole_once_and_then_what_changes(house: House) -> None:
    table = (await house.open(pace={"betting": 0, "shooter": 0}))["table"]
    ann, bob = await house.sit(table), await house.sit(table, "bob")
    async with page_of(house, table, ann) as own, page_of(house, table) as watcher:
        for number, line in enumerate(("pass for 10", "roll", "field for 5", "roll", "roll")):
            await house.say(table, ann, f"n{number}", line)
        last = (await house.say(table, bob, "b", "field for 5")).json()["seq"]
        for page, token in ((own, ann), (watcher, "")):
            await page.until(lambda page=page: page.seq >= last)  # type: ignore[misc]
            assert sum("whole" in event for event in page.events()) == 1
            assert page.state == await fresh(house, table, token)
            seqs = [event["seq"] for event in page.events()]
            assert seqs == sorted(set(seqs))
        entries = (await house.ask("GET", f"/api/tables/{table}/log")).text.splitlines()
        thrown = [e["seq"] for e in map(json.loads, entries) if e["line"].startswith("roll ")]
        assert own.throws == watcher.throws == thrown
        assert thrown
        ids = [event["id"] for event in own.listener.events if event.get("event") == "page"]
        assert ids == [str(event["seq"]) for event in own.events()]
        assert "may" not in watcher.state
        assert own.state["may"]


async def test_a_page_that_reconnects_gets_patches_or_the_whole(house: House) -> None:
    table = (await house.open())["table"]
    ann = await house.sit(table)
    async with page_of(house, table, ann) as stays:
        async with page_of(house, table, ann) as first:
            seen, state = first.seq, first.state
        await house.say(table, ann, "p", "pass for 10")
        await house.say(table, ann, "r", "roll")
        await stays.until(lambda: stays.seq >= seen + 2)
        async with page_of(house, table, ann, last_event_id=str(seen)) as again:
            await again.until(lambda: again.seq >= seen + 2)
            assert not any("whole" in event for event in again.events())
            for event in again.events():
                state = apply_patch(state, event["changes"])
            assert state == await fresh(house, table, ann)
            assert again.throws == [seen + 2]
        async with page_of(house, table, ann, last_event_id="0") as old:
            assert "whole" in old.events()[0]
            assert old.throws == [seen + 2]
        async with page_of(house, table, ann, last_event_id="999999") as ahead:
            assert "whole" in ahead.events()[0]
    house_pages = house.app.tables.page_streams
    async with page_of(house, table, ann, last_event_id="x") as wrong:
        assert wrong.listener.status == 400
    assert house_pages.connected(table) == set()


async def test_pages_hear_who_is_connected(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_streams, "_PRESENCE_SECONDS", 0.01)
    table = (await house.open())["table"]
    ann = await house.sit(table)
    async with page_of(house, table) as watcher:
        async with page_of(house, table, ann):
            await watcher.until(
                lambda: {"watchers": 1, "connected": ["ann"]} in watcher.events("presence")
            )
        await watcher.until(
            lambda: watcher.events("presence")[-1] == {"watchers": 1, "connected": []}
        )
        assert all("presence" not in event for event in watcher.events())


async def test_who_came_by_an_invitation_watches_until_seated(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_streams, "_PRESENCE_SECONDS", 0.01)
    monkeypatch.setattr(page_streams, "_AWAY_SECONDS", 0.01)
    table = (await house.open(open=False))["table"]
    path = f"/api/tables/{table}/tokens"
    invitation = (await house.ask("POST", path, {"role": "player"}, token=KEY)).json()["token"]
    async with page_of(house, table, invitation) as page:
        await page.until(lambda: {"watchers": 1, "connected": []} in page.events("presence"))
    await asyncio.sleep(0.1)
    log = (await house.ask("GET", f"/api/tables/{table}/log", token=KEY)).text
    assert "away" not in log


async def test_a_player_who_closes_the_page_is_away_until_it_opens_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_streams, "_AWAY_SECONDS", 0.05)
    table = (await house.open(pace={"betting": 60}))["table"]
    ann, bob = await house.sit(table, "Mary Ann"), await house.sit(table, "bob")
    async with page_of(house, table, bob) as page:
        async with page_of(house, table, ann):
            await page.until(lambda: "betting_ends" in page.state)
        await page.until(lambda: page.state.get("away") == ["Mary_Ann"])
        assert "betting_ends" not in page.state
        async with page_of(house, table, ann):
            await page.until(lambda: "away" not in page.state)
            assert "betting_ends" in page.state
    post = (await house.ask("GET", f"/api/tables/{table}/page", token=KEY)).json()["whole"]["post"]
    told = {entry["words"][0]: entry["seq"] for entry in post["log"].values() if entry["words"]}
    assert "Mary Ann has closed the page" in told
    again = "Mary Ann has the page open again"
    moment = await house.ask("GET", f"/api/tables/{table}/replay?at={told[again]}")
    assert moment.json()["words"] == [again]


async def test_a_shooter_who_is_ready_reads_for_whom_the_dice_wait(house: House) -> None:
    table = (await house.open(pace={"betting": 60}))["table"]
    ann, bob = await house.sit(table), await house.sit(table, "Mary Ann")
    for token in (ann, bob):
        await house.say(table, token, "a1", "pass for 10")
    assert (await fresh(house, table, ann))["now_before"].endswith("Bet, or press Ready.")
    await house.say(table, ann, "a2", "ready")
    state = await fresh(house, table, ann)
    assert state["now_before"].endswith("or the others are ready: Mary Ann.")
    assert "ready" not in state["acts"]
    await house.say(table, bob, "a2", "ready")
    assert "now_before" not in await fresh(house, table, ann)


async def test_a_page_ends_with_its_token_and_with_the_server(house: House) -> None:
    opened = await house.open(open=False)
    table, watcher = opened["table"], opened["tokens"]["watcher"]
    async with page_of(house, table) as nobody:
        assert nobody.listener.status == 401
    async with page_of(house, table, watcher) as page, page_of(house, table, KEY) as operator:
        withdrawn = await house.ask(
            "DELETE", f"/api/tables/{table}/tokens", {"role": "watcher"}, token=KEY
        )
        assert withdrawn.status_code == 204
        await page.until(page.listener.ended.is_set)
        assert "post" in operator.state
        assert not operator.listener.ended.is_set()
        await house.app.streams.stop()
        await operator.until(operator.listener.ended.is_set)
        assert operator.listener.heard.endswith(b"event: bye\ndata: {}\n\n")


async def test_the_crew_picks_a_player(house: House) -> None:
    opened = await house.open(posts={"stick": "person"})
    table, stick = opened["table"], opened["tokens"]["stick"]
    ann = await house.sit(table)
    await house.sit(table, "bob")
    async with page_of(house, table, stick, "player=bob") as page:
        assert page.state["post"]["player"] == "bob"
        before = len(page.state["post"]["log"])
        await bets(house, table, ann, 0, 1)
        await page.until(lambda: len(page.state["post"]["log"]) == before + 1)


@asynccontextmanager
async def two_servers() -> AsyncIterator[tuple[House, House]]:
    """Two applications whose stores share what is stored."""
    disk = MemoryDisk()
    async with AsyncExitStack() as stack:
        houses = []
        for _ in range(2):
            service = TableService(MemoryStore(disk), Sealer(bytes(32)))
            await service.start(tend=False)
            stack.push_async_callback(service.store.close)
            stack.push_async_callback(service.stop)
            app = App(service, KEY, {"127.0.0.1", "localhost"})
            stack.push_async_callback(app.streams.stop)
            http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE)
            houses.append(House(app, await stack.enter_async_context(http)))
        yield houses[0], houses[1]


@pytest.mark.parametrize("first", ["closed", "open"])
async def test_a_page_that_moves_to_another_server_is_there(
    monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    """The server that it left writes nothing, whichever page opens or closes first."""
    monkeypatch.setattr(page_streams, "_AWAY_SECONDS", 0.2)
    async with two_servers() as (one, two):
        table = (await one.open(pace={"betting": 60}))["table"]
        ann, bob = await one.sit(table), await one.sit(table, "bob")
        async with page_of(one, table, bob) as page, AsyncExitStack() as there:
            async with page_of(one, table, ann):
                if first == "open":
                    await there.enter_async_context(page_of(two, table, ann))
            if first == "closed":
                await there.enter_async_context(page_of(two, table, ann))
            await asyncio.sleep(0.5)
            assert "away" not in (await one.ask("GET", f"/api/tables/{table}/log")).text
            await there.aclose()
            await page.until(lambda: page.state.get("away") == ["ann"])


async def test_a_player_wrongly_written_away_is_back_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the message between the servers was lost."""
    monkeypatch.setattr(page_streams, "_AWAY_SECONDS", 0.05)

    async def lose(*_: str) -> None:
        raise UnavailableError("lost")

    async with two_servers() as (one, two):
        table = (await one.open(pace={"betting": 60}))["table"]
        ann, _ = await one.sit(table), await one.sit(table, "bob")
        for house in (one, two):
            monkeypatch.setattr(house.app.tables.service.store, "send_message", lose)
        async with page_of(two, table, ann) as page:
            async with page_of(one, table, ann):
                pass
            await page.until(lambda: any(e.get("changes", {}).get("away") for e in page.events()))
            await page.until(lambda: "away" not in page.state)
        log = (await one.ask("GET", f"/api/tables/{table}/log")).text.splitlines()
        acts = [json.loads(line).get("act") for line in log]
        assert [act for act in acts if act in {"away", "back"}][:2] == ["away", "back"]
