"""The lobby as data: pages for programs, and the stream that keeps the page up to date."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from passline.live.merge_patch import apply_patch
from passline.web import lobby_streams
from passline.web.lobby_streams import LobbyPages
from passline.web.page_templates import render_page
from tests.web.conftest import House
from tests.web.serving import events, serving

pytestmark = pytest.mark.anyio


async def test_programs_read_the_lobby_in_pages(house: House) -> None:
    for number in range(5):
        await house.open(name=f"No. {number}")
    whole = (await house.ask("GET", "/api/tables")).json()
    assert len(whole) == 5
    first = (await house.ask("GET", "/api/tables?limit=2")).json()
    assert first == whole[:2]
    after = first[-1]["table"]
    assert (await house.ask("GET", f"/api/tables?limit=2&after={after}")).json() == whole[2:4]
    assert (await house.ask("GET", f"/api/tables?after={after}")).json() == whole[2:]
    for wrong in ("0", "-1", "x", "1e3", "99999", "%D9%A3"):
        answer = await house.ask("GET", f"/api/tables?limit={wrong}")
        assert answer.status_code == 400


async def test_the_page_shows_some_tables_and_the_way_to_others(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_streams, "PAGE_TABLES", 2)
    opened = [(await house.open(name=f"No. {letter}"))["table"] for letter in "abcde"]
    await house.sit(opened[3])
    first = (await house.ask("GET", "/")).text
    assert first.count('class="card"') == 2
    assert first.index("No. d") < first.index("No. a"), "company first"
    assert 'href="/?page=2"' in first
    assert 'aria-label="5 open tables"' in first
    last = (await house.ask("GET", "/?page=99")).text
    assert "Page 3 of 3" in last
    found = (await house.ask("GET", "/?q=NO.+e")).text
    assert found.count('class="card"') == 1
    assert "No. e" in found
    assert "No open table has a name like that" in (await house.ask("GET", "/?q=zzz")).text


async def test_a_card_tells_what_the_table_looks_like_now(house: House) -> None:
    table = (await house.open(name="One"))["table"]
    ann = await house.sit(table, "ann")
    await house.sit(table, "bob")
    for number in range(60):
        await house.say(table, ann, f"b{number}", "pass for 10")
        await house.say(table, ann, f"r{number}", "roll")
        if (await house.ask("GET", f"/api/tables/{table}")).json()["puck"]:
            break
        await house.say(table, ann, f"t{number}", "take the dice")
    view = (await house.ask("GET", f"/api/tables/{table}")).json()
    page = (await house.ask("GET", "/")).text
    assert f"on {view['puck']}" in page
    assert f"<dd>{view['shooter']}</dd>" in page
    assert "2 of 16: ann, bob" in page


async def test_only_what_changed_is_drawn_and_sent(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = LobbyPages(house.app.service.lobby_rows, house.app.streams)
    one = (await house.open(name="One"))["table"]
    await house.open(name="Two")
    before = await pages.page(1)
    drawn: list[str] = []

    def count(name: str, **values: Any) -> str:
        drawn.append(values["table"]["name"])
        return render_page(name, **values)

    monkeypatch.setattr(lobby_streams, "render_page", count)
    await house.sit(one)
    after = await pages.page(1)
    assert drawn == ["One"]
    assert after["cards"][one] != before["cards"][one]


@pytest.mark.system
def test_the_stream_sends_the_page_once_and_then_changes(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        one = server.open(name="One")["table"]
        with server.http.stream("GET", "/api/lobby/events") as answer:
            sent = events(answer.iter_lines())
            number, event, data = next(sent)
            assert event == "page"
            state = json.loads(data)["whole"]
            assert one in state["cards"]
            server.sit(one, "ann")
            last, event, data = next(sent)
            changes = json.loads(data)["changes"]
            assert set(changes["cards"]) == {one}
            state = apply_patch(state, changes)
            assert "ann" in state["cards"][one]
        resumed = {"Last-Event-ID": last}
        server.open(name="Later")
        with server.http.stream("GET", "/api/lobby/events", headers=resumed) as answer:
            _, _, data = next(events(answer.iter_lines()))
            assert "changes" in json.loads(data)
            assert "Later" in data
        with server.http.stream(
            "GET", "/api/lobby/events", headers={"Last-Event-ID": "5"}
        ) as answer:
            _, _, data = next(events(answer.iter_lines()))
            assert "whole" in json.loads(data)
        assert int(last) > int(number)
