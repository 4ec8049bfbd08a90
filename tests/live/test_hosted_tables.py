"""Tables that anybody hosts: how many, what their host may say, and when they close."""

from __future__ import annotations

import pytest

from passline.live.hosted_tables import normalize_address
from passline.live.schema import OpenTableRequest, ServiceError
from passline.live.service import TableService
from tests.live.floor import NO_WAIT, Floor

pytestmark = pytest.mark.anyio

ASKED = OpenTableRequest(rulebook="new-jersey", name="Friday")


async def hosted(floor: Floor, address: str = "192.0.2.1", **asked: object) -> Floor:
    request = OpenTableRequest(rulebook="new-jersey", pace=NO_WAIT, **asked)  # type: ignore[arg-type]
    answer = await floor.service.host_table(request, address, 3)
    floor.table, floor.tokens = answer.table, dict(answer.tokens)
    return floor


async def status(service: TableService, table: str) -> str:
    return str((await service.view(table))["status"])


async def test_a_host_gets_tokens_for_floor_and_watcher_only() -> None:
    floor = await hosted(Floor())
    assert set(floor.tokens) == {"floor", "watcher"}
    assert {(await floor.service.holder(floor.table, t)).role for t in floor.tokens.values()} == {
        "floor",
        "watcher",
    }
    first = (await floor.service.entries(floor.table))[0]
    assert "192.0.2.1" not in first.text().decode()


async def test_the_machine_deals_and_the_host_speaks_as_the_floor() -> None:
    floor = await hosted(Floor())
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    await floor.taken("ann", "roll")
    await floor.taken("floor", "limits 10 to 500")
    assert (await floor.service.view(floor.table))["posts"]["floor"] == "machine"
    (row,) = await floor.service.lobby()
    assert (row["minimum"], row["maximum"]) == ("10.00", "500.00")
    await floor.hold()


async def test_no_crew_of_people_without_the_key() -> None:
    floor = Floor()
    for asked in (
        OpenTableRequest(rulebook="iowa", dice="typed", posts={"stick": "person"}),
        OpenTableRequest(rulebook="iowa", posts={"box": "person"}),
        OpenTableRequest(rulebook="iowa", buy_ins="box"),
    ):
        with pytest.raises(ServiceError) as wrong:
            await floor.service.host_table(asked, "192.0.2.1", 3)
        assert wrong.value.code == "forbidden"


async def test_three_tables_an_address_on_any_server() -> None:
    floor = Floor()
    for _ in range(3):
        await hosted(floor)
    for service in (floor.service, floor.another()):
        with pytest.raises(ServiceError) as wrong:
            await service.host_table(ASKED, "192.0.2.1", 3)
        assert wrong.value.code == "too_many_requests"
        assert wrong.value.retry_after
    await floor.service.host_table(ASKED, "192.0.2.2", 3)
    await floor.taken("floor", "table closes")
    await floor.service.host_table(ASKED, "192.0.2.1", 3)


def test_an_ipv6_network_is_one_address() -> None:
    assert normalize_address("2001:db8::1") == normalize_address("2001:db8::2")
    assert normalize_address("2001:db8::1") != normalize_address("2001:db8:0:1::1")
    assert normalize_address("::ffff:192.0.2.1") == "192.0.2.1"


async def test_a_table_is_closed_after_a_day_without_anybody() -> None:
    floor = await hosted(Floor())
    await floor.sit("ann")
    await floor.sit("bob")
    await floor.taken("bob", "field for 5")
    floor.clock.turn(hours=23)
    await floor.service.hosting.close_abandoned()
    assert await status(floor.service, floor.table) == "live"
    floor.clock.turn(hours=2)
    floor.service.hosting.has_visitors = lambda table: True
    await floor.service.hosting.close_abandoned()
    assert await status(floor.service, floor.table) == "live", "somebody watches"
    floor.service.hosting.has_visitors = lambda table: False
    await floor.service.hosting.close_abandoned()
    assert await status(floor.service, floor.table) == "closed"
    assert await floor.service.lobby() == []
    assert await floor.another().lobby() == []
    await floor.hold()


async def test_bets_that_cannot_come_down_do_not_hold_a_table_open() -> None:
    floor = await hosted(Floor(seed=3))
    await floor.sit("ann")
    while not (await floor.service.view(floor.table))["puck"]:
        await floor.taken("ann", "pass for 10")
        await floor.taken("ann", "roll")
    seat = await floor.seat("ann")
    before = seat.rail + sum(stake.amount for stake in seat.wagers.values())
    floor.clock.turn(days=2)
    await floor.service.hosting.close_abandoned()
    assert await status(floor.service, floor.table) == "closed"
    entries = await floor.service.entries(floor.table)
    lines = [entry.line for entry in entries]
    assert lines[-3:] == ["ann gets all bets back", "ann leaves", "table closes"]
    await floor.service.hosting.close_abandoned()
    assert len(await floor.service.entries(floor.table)) == len(entries)
    await floor.hold()
    await floor.taken("floor", "table opens")
    await floor.taken("ann", "come back")
    assert (await floor.seat("ann")).rail == before


async def test_the_operators_tables_stay_open() -> None:
    floor = await Floor().open()
    floor.clock.turn(days=30)
    await floor.service.hosting.close_abandoned()
    assert await status(floor.service, floor.table) == "live"
