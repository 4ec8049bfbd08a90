"""The lobby's rows: read once, and brought up to date by what changes, on any server."""

from __future__ import annotations

import pytest

from passline.live import lobby
from passline.live.live_table import LiveTable
from passline.live.schema import LineRequest
from passline.live.service import OPERATOR, TableService
from passline.live.store import TableListing
from tests.live.floor import NO_WAIT, Floor

pytestmark = pytest.mark.anyio


async def test_the_store_is_listed_once_and_only_changed_rows_are_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    floor = await Floor().open(name="One", pace=NO_WAIT)
    one = floor.table
    await floor.open(name="Two")
    assert len(await floor.service.lobby()) == 2
    listed: list[str] = []
    made: list[str] = []
    tables, make_row = floor.service.store.tables, lobby.make_row

    async def list_tables() -> list[TableListing]:
        listed.append("listed")
        return await tables()

    def count_row(live: LiveTable) -> lobby.LobbyRow:
        made.append(live.id)
        return make_row(live)

    monkeypatch.setattr(floor.service.store, "tables", list_tables)
    monkeypatch.setattr(lobby, "make_row", count_row)
    for _ in range(5):
        await floor.service.lobby()
    assert (listed, made) == ([], [])
    floor.table = one
    await floor.sit("ann")
    rows = {row["table"]: row["players"] for row in await floor.service.lobby()}
    assert rows[one] == 1
    assert (listed, made) == ([], [one])


async def test_another_servers_tables_and_changes_are_seen() -> None:
    floor = Floor()
    other = floor.another()
    assert await other.lobby() == []
    await floor.open(name="One", pace=NO_WAIT)
    assert [row["name"] for row in await other.lobby()] == ["One"]
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    assert [row["players"] for row in await other.lobby()] == [1]
    row = (await other.lobby_rows.rows())[floor.table]
    assert row.names == ("ann",)
    version = other.lobby_rows.version
    await floor.taken("ann", "field for 5")
    await other.lobby()
    assert other.lobby_rows.version == version, "a bet changes nothing that the lobby shows"
    await floor.service.say(floor.table, OPERATOR, LineRequest(id="x", say="limits 10 to 100"))
    assert [row["minimum"] for row in await other.lobby()] == ["10.00"]
    assert other.lobby_rows.version > version


async def test_pages_of_the_lobby_follow_one_another() -> None:
    floor = Floor()
    for number in range(7):
        await floor.open(name=f"No. {number}")
    everything = [row["table"] for row in await floor.service.lobby()]
    assert everything == sorted(everything)
    found: list[str] = []
    while page := await _ids(floor.service, found[-1] if found else ""):
        assert len(page) <= 3
        found += page
    assert found == everything


async def _ids(service: TableService, after: str) -> list[str]:
    return [row["table"] for row in await service.lobby(3, after)]
