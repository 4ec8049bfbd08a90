"""Players who close their pages hold nobody up; those who left come back with their chips."""

from __future__ import annotations

import pytest

from passline.live.page_feed import PageFeed, Viewer
from passline.live.tokens import Holder
from tests.live.floor import Floor

pytestmark = pytest.mark.anyio


async def two() -> Floor:
    floor = await Floor().open(pace={"betting": 10, "shooter": 45})
    await floor.sit("ann")
    await floor.sit("bob")
    await floor.taken("ann", "pass for 10")
    await floor.taken("bob", "pass for 10")
    return floor


async def test_nobody_waits_for_a_closed_page() -> None:
    floor = await two()
    assert await floor.refused("ann", "roll") == "betting-time"
    await floor.service.set_away(floor.table, "bob", True)
    live = await floor.live()
    assert live.away == {"bob"}
    page = await floor.page(Holder("player", "ann"))
    assert page["away"] == ["bob"]
    assert "betting_ends" not in page
    assert "ready" not in page["acts"]
    await floor.taken("ann", "roll")
    await floor.hold()


async def test_a_page_that_opens_again_or_a_line_counts_again() -> None:
    floor = await two()
    for name in ("bob", "bob", "nobody-here"):
        await floor.service.set_away(floor.table, name, True)
    before = len(await floor.log())
    assert [entry.act for entry in await floor.log()].count("away") == 1
    await floor.service.set_away(floor.table, "bob", False)
    await floor.service.set_away(floor.table, "bob", False)
    assert len(await floor.log()) == before + 1
    assert await floor.refused("ann", "roll") == "betting-time"
    await floor.service.set_away(floor.table, "bob", True)
    await floor.taken("bob", "field for 5")
    assert (await floor.live()).away == frozenset()
    assert await floor.refused("ann", "roll") == "betting-time"
    await floor.hold()


async def test_alone_nobody_is_away() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    await floor.service.set_away(floor.table, "ann", True)
    assert (await floor.live()).away == frozenset()


async def test_the_pages_hear_of_it() -> None:
    floor = await two()
    feed = PageFeed(await floor.live())
    ann = Viewer(Holder("player", "ann"))
    feed.add(ann)
    assert "betting_ends" in feed.whole(ann)
    await floor.service.set_away(floor.table, "bob", True)
    (event,) = feed.advance(await floor.live(), [], []).values()
    assert b'"betting_ends":null' in event
    assert b'"away":["bob"]' in event


async def test_who_left_comes_back_with_the_money_in_one_line() -> None:
    floor = await Floor().open()
    await floor.sit("ann", "300")
    place = (await floor.seat("ann")).place
    await floor.taken("ann", "leave")
    page = await floor.page(Holder("player", "ann"))
    assert page["acts"] == {"return": {}}
    assert "$300" in page["now"]
    await floor.taken("ann", "come back")
    seat = await floor.seat("ann")
    assert (seat.here, seat.rail, seat.bought_in, seat.place) == (True, 30000, 30000, place)
    assert (await floor.lines())[-1] == "ann sits"
    await floor.hold()


async def test_after_ten_silent_minutes_too_and_a_dead_game_goes_on() -> None:
    floor = await Floor().open("iowa")
    await floor.sit("ann", "300")
    await floor.tend(minutes=11)
    await floor.tend(seconds=1)
    assert not (await floor.seat("ann")).here
    await floor.taken("ann", "come back")
    await floor.taken("ann", "pass for 10")
    await floor.hold()


async def test_who_left_with_nothing_buys_in() -> None:
    floor = await Floor().open()
    await floor.sit("ann", "5")
    await floor.sit("bob")
    await floor.taken("ann", "toke 5")
    await floor.taken("ann", "leave")
    assert await floor.refused("ann", "come back") == "left-without-chips"
    assert (await floor.page(Holder("player", "ann"))).get("acts", {}) == {}
