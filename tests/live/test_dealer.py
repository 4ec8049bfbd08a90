"""The machine's dealing: pace, delay, dead games, new dice, clocks, silence. All on a clock that
the tests turn."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest

from passline.live import auto_dealer
from passline.live.dice_proofs import Sealer
from passline.live.live_table import LiveTable
from passline.live.scheduled_actions import ScheduledAction, find_action_line, pending_actions
from passline.live.service import TableService
from tests.live.floor import NO_WAIT, Clock, Floor

pytestmark = pytest.mark.anyio


async def two(floor: Floor) -> Floor:
    await floor.sit("ann")
    await floor.sit("bob")
    return floor


async def test_everybody_has_the_betting_time_before_the_shooter_throws() -> None:
    floor = await two(await Floor().open())
    await floor.taken("ann", "pass for 10")
    assert await floor.refused("ann", "roll") == "betting-time"
    floor.clock.turn(seconds=9)
    assert await floor.refused("ann", "roll") == "betting-time"
    floor.clock.turn(seconds=1)
    assert await floor.refused("bob", "roll") == "not-your-turn"
    await floor.taken("ann", "roll")
    await floor.say("ann", "pass for 10")
    assert await floor.refused("ann", "roll") == "betting-time"


async def test_betting_time_runs_from_the_first_wager_where_it_ran_out_over_nothing() -> None:
    floor = await two(await Floor().open())
    floor.clock.turn(minutes=5)
    await floor.taken("ann", "pass for 10")
    assert await floor.refused("ann", "roll") == "betting-time"
    floor.clock.turn(seconds=5)
    await floor.taken("bob", "pass for 10")
    floor.clock.turn(seconds=5)
    await floor.taken("ann", "roll")


async def test_who_plays_alone_or_with_all_ready_need_not_wait() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    await floor.taken("ann", "roll")
    await floor.sit("bob")
    await floor.say("ann", "pass for 10")
    assert await floor.refused("ann", "roll") == "betting-time"
    await floor.taken("ann", "ready")
    assert await floor.refused("ann", "roll") == "betting-time"
    await floor.taken("bob", "ready")
    assert (await floor.service.view(floor.table))["ready"] == ["ann", "bob"]
    await floor.taken("ann", "roll")
    assert (await floor.service.view(floor.table))["ready"] == []


async def test_no_pace_no_wait() -> None:
    floor = await two(await Floor().open(pace=NO_WAIT))
    await floor.taken("ann", "pass for 10")
    await floor.taken("ann", "roll")
    await floor.tend(minutes=9)
    assert not any("delay" in line for line in await floor.lines())


async def test_a_slow_shooter_is_passed_for_delay() -> None:
    floor = await two(await Floor(seed=3).open(pace={"betting": 0, "shooter": 45}))
    await floor.taken("ann", "pass for 10")
    await floor.taken("bob", "pass for 10")
    await floor.taken("ann", "take the dice")
    await floor.tend(seconds=44)
    assert (await floor.lines())[-1] == "ann takes the dice"
    await floor.tend(seconds=1)
    assert (await floor.lines())[-1] == "boxperson orders ann to pass for delay"
    assert [e.by for e in await floor.log()][-1] == "machine"
    assert (await floor.service.view(floor.table))["due"] == "bob"
    await floor.tend(seconds=45)
    assert (await floor.lines())[-1] == "bob declines the dice"
    await floor.taken("ann", "roll")
    await floor.hold()


async def test_iowas_supervisor_orders_it_where_the_machine_is_the_floor() -> None:
    floor = await two(await Floor().open("iowa"))
    for name in ("ann", "bob"):
        await floor.taken(name, "pass for 10")
    await floor.taken("ann", "take the dice")
    await floor.tend(seconds=60)
    assert "supervisor orders ann to pass for delay" in await floor.lines()


async def test_if_nobody_else_may_throw_the_game_waits() -> None:
    floor = await two(await Floor().open())
    await floor.taken("ann", "pass for 10")
    await floor.taken("ann", "take the dice")
    await floor.tend(minutes=5)
    assert (await floor.lines())[-1] == "ann takes the dice"


async def test_a_person_at_the_box_orders_it_himself() -> None:
    floor = await two(await Floor().open(posts={"box": "person"}))
    for name in ("ann", "bob"):
        await floor.taken(name, "pass for 10")
    await floor.taken("ann", "take the dice")
    await floor.tend(minutes=5)
    assert (await floor.lines())[-1] == "ann takes the dice"


async def test_pace_binds_only_tables_whose_dice_the_house_throws() -> None:
    floor = await two(await Floor().open(dice="typed", posts={"stick": "person"}))
    for name in ("ann", "bob"):
        await floor.taken(name, "pass for 10")
    await floor.taken("stick", "roll 3 3")
    await floor.taken("stick", "roll 3 2")
    await floor.tend(minutes=5)
    assert (await floor.lines())[-1] == "roll 3 2"


async def test_automated_craps_throws_when_the_betting_time_ends() -> None:
    floor = await two(await Floor().open(game="automated-craps"))
    await floor.tend(minutes=1)
    assert len(await floor.lines()) == 2
    await floor.taken("ann", "pass for 10")
    assert await floor.refused("ann", "roll") == "betting-time"
    await floor.tend(seconds=9)
    assert (await floor.lines())[-1] == "ann: pass for 10"
    await floor.tend(seconds=1)
    thrown = next(e for e in await floor.log() if e.fair)
    assert (thrown.by, thrown.role, thrown.id) == ("machine", "machine", None)
    assert thrown.fair is not None
    assert thrown.fair.nonce == ""
    await floor.hold()


async def test_the_machine_throws_on_for_the_wagers_of_one_who_left() -> None:
    floor = await Floor(seed=2).open(game="automated-craps")
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    for _ in range(40):
        if (await floor.live()).table.puck:
            break
        await floor.tend(seconds=10)
        await floor.say("ann", "pass for 10")
    await floor.taken("ann", "leave")
    assert (await floor.seat("ann")).wagers
    for _ in range(60):
        await floor.tend(seconds=10)
    assert not (await floor.seat("ann")).wagers
    await floor.hold()


async def test_automated_craps_without_betting_time_throws_on_any_bettors_word() -> None:
    floor = await two(await Floor().open(game="automated-craps", pace={"betting": 0}))
    await floor.taken("ann", "pass for 10")
    await floor.tend(minutes=1)
    assert await floor.refused("bob", "roll") == "no-wager-up"
    await floor.taken("bob", "field for 5")
    await floor.taken("bob", "roll", nonce="mine")
    await floor.hold()


async def test_silent_for_ten_minutes_without_a_wager_a_player_leaves() -> None:
    floor = await two(await Floor().open())
    await floor.taken("bob", "pass for 10")
    await floor.tend(minutes=9)
    await floor.sit("cal")
    await floor.tend(minutes=1)
    assert (await floor.lines())[-1] == "ann leaves"
    assert (await floor.seat("cal")).here
    await floor.taken("bob", "undo")
    await floor.tend(minutes=9)
    assert (await floor.seat("bob")).here
    await floor.tend(minutes=1)
    assert not any([(await floor.seat(name)).here for name in ("bob", "cal")])
    assert (await floor.lines())[-1] == "dead game"
    await floor.hold()


async def test_ten_minutes_count_from_when_the_last_wager_came_down() -> None:
    floor = await two(await Floor().open(dice="typed", posts={"stick": "person"}))
    await floor.taken("ann", "field for 5")
    await floor.taken("bob", "pass for 10")
    await floor.tend(minutes=20)
    await floor.taken("stick", "roll 2 3")
    assert not (await floor.seat("ann")).wagers
    await floor.tend(minutes=9)
    assert (await floor.seat("ann")).here
    await floor.tend(minutes=1)
    assert not (await floor.seat("ann")).here


async def test_a_game_that_nobody_plays_is_dead_and_wakes() -> None:
    floor = await Floor().open("dealer-school")
    await floor.tend(minutes=1)
    assert await floor.lines() == []
    await floor.sit("ann")
    await floor.taken("ann", "leave")
    await floor.tend()
    assert (await floor.lines())[-1] == "dead game"
    assert (await floor.live()).table.status == "dead"
    await floor.tend(hours=5)
    assert (await floor.lines())[-1] == "dead game"
    await floor.taken("ann", "buy in 100")
    assert (await floor.live()).table.status == "live"
    await floor.hold()


async def test_the_shootouts_clock_is_told_in_the_tables_zone() -> None:
    elections = {"offers.shootout": True}
    floor = await Floor().open("iowa", elections=elections, zone="America/Chicago")
    await floor.tend()
    assert await floor.lines() == []
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    await floor.tend()
    assert (await floor.lines())[-1] == "clock 2026-11-15 08:00"
    await floor.tend(minutes=59)
    assert (await floor.lines())[-1] == "clock 2026-11-15 08:00"
    await floor.tend(minutes=1)
    assert (await floor.lines())[-1] == "clock 2026-11-15 09:00"
    shootout = (await floor.live()).table.shootout
    assert shootout is not None
    assert shootout.amount == 20000
    await floor.tend(days=3)
    assert (await floor.lines())[-1] == "clock 2026-11-18 09:00"
    assert len(await floor.lines()) == 5
    await floor.hold()


async def test_a_set_of_dice_has_its_hours() -> None:
    floor = await Floor().open("maryland-crapless")
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    await floor.tend()
    assert (await floor.lines())[-1] == "clock 2026-11-15 14:00"
    await floor.tend(hours=23, minutes=59)
    assert (await floor.lines())[-1] == "clock 2026-11-15 14:00"
    await floor.tend(minutes=1)
    assert (await floor.lines())[-2:] == ["clock 2026-11-16 14:00", "new dice age"]
    await floor.taken("ann", "roll")
    await floor.hold()


async def test_a_reopened_table_gets_the_new_set_that_its_book_asks_for() -> None:
    floor = await Floor().open("maryland-crapless")
    await floor.sit("ann")
    await floor.say("operator", "table closes", id="c")
    await floor.say("operator", "table opens", id="o")
    await floor.tend()
    assert (await floor.lines())[-1] == "new dice reopen"
    await floor.taken("ann", "pass for 10")
    await floor.taken("ann", "roll")
    await floor.hold()


async def test_the_machine_looks_over_dice_that_were_called_in() -> None:
    floor = await Floor().open(posts={"floor": "person"})
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    await floor.taken("floor", "recall dice damage")
    assert await floor.refused("ann", "roll") == "dice-barred"
    await floor.tend()
    assert (await floor.lines())[-1] == "inspect dice by boxperson"
    await floor.taken("ann", "roll")
    await floor.hold()


async def test_the_machines_box_gives_its_ok() -> None:
    floor = await Floor().open("iowa", posts={"box": "person"})
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    await floor.taken("operator", "machine relieves the boxperson")
    assert await floor.refused("ann", "roll") == "needs-okay"
    await floor.tend()
    assert (await floor.lines())[-1] == "boxperson okays the dice"
    await floor.taken("ann", "roll")


async def test_what_the_machine_may_not_say_is_not_tried_for_ever() -> None:
    floor = await Floor().open(game="mini-craps", posts={"left-base": "person"})
    await two(floor)
    for name in ("ann", "bob"):
        await floor.taken(name, "pass for 10")
    await floor.taken("ann", "take the dice")
    lines = await floor.lines()
    await floor.tend(hours=2)
    await floor.tend(hours=2)
    assert await floor.lines() == lines


async def test_a_fault_at_one_table_keeps_no_other_waiting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    bad = floor.table
    await floor.open()
    await floor.sit("bob")

    def faulty(live: LiveTable, due: ScheduledAction, now: datetime) -> str:
        assert live.id != bad, "a fault of the server's own"
        return find_action_line(live, due, now)

    monkeypatch.setattr(auto_dealer, "find_action_line", faulty)
    await floor.tend(minutes=10)
    assert "bob leaves" in await floor.lines()
    assert f"table {bad}: the machine cannot go on" in caplog.text
    caplog.clear()
    await floor.tend(seconds=1)
    assert not caplog.text  # nor is it tried for ever


async def test_the_machine_deals_by_itself_once_the_hall_has_started() -> None:
    import asyncio

    floor = await Floor().open(game="automated-craps", pace={"betting": 1})
    await floor.service.start()
    await two(floor)
    await floor.taken("ann", "pass for 10")
    for _ in range(30):
        await asyncio.sleep(0)
        floor.clock.turn(seconds=0.1)
    assert any(line.startswith("roll ") for line in await floor.lines())
    await floor.service.stop()


async def test_two_servers_deal_once() -> None:
    import asyncio

    floor = await two(await Floor().open())
    other = floor.another()
    await other.view(floor.table)
    for name in ("ann", "bob"):
        await floor.taken(name, "pass for 10")
    await floor.taken("ann", "take the dice")
    floor.clock.turn(seconds=60)
    await asyncio.gather(floor.service.auto_dealer.run_due(), other.auto_dealer.run_due())
    assert sum("delay" in line for line in await floor.lines()) == 1


async def test_an_empty_table_is_due_nothing() -> None:
    floor = await Floor().open("iowa", elections={"offers.shootout": True})
    assert pending_actions(await floor.live()) == ()


async def test_the_dice_are_offered_clockwise_and_the_line_wager_is_asked_for() -> None:
    floor = await two(await Floor().open(pace=NO_WAIT))

    async def asks() -> object:
        found = (await floor.service.view(floor.table))["asks"]
        return found and (found["of"], found["wagers"], found["cite"])

    lines = ["pass", "dont-pass"]
    assert await asks() == ("ann", lines, "19:47-1.8#1")
    await floor.taken("ann", "decline")
    assert await asks() == ("bob", lines, "19:47-1.8#1")
    await floor.taken("bob", "pass for 10")
    assert await asks() is None
    assert (await floor.service.view(floor.table))["due"] == "bob"
    await floor.hold()


@pytest.mark.parametrize(
    ("book", "person", "machine"),
    [
        pytest.param("iowa", "floor", False, marks=pytest.mark.clause("iowa:dice-inspection.5#1")),
        pytest.param("iowa", "box", True, marks=pytest.mark.clause("iowa:dice-inspection.5#1")),
        ("maryland-crapless", "floor", True),
        ("maryland-crapless", "box", False),
    ],
)
async def test_new_dice_are_for_the_post_that_the_book_names(
    book: str, person: str, machine: bool
) -> None:
    floor = await two(await Floor().open(book, posts={person: "person"}))
    await floor.taken(person, "inspect dice flaw chipped")
    await floor.tend(seconds=1)
    assert ("new dice damage" in await floor.lines()) == machine


async def test_the_machine_confirms_late_wagers_for_the_posts_that_it_has() -> None:
    posts = {"stick": "person", "left-base": "person"}
    floor = Floor()
    await floor.open(posts=posts, dice="typed")
    await floor.sit("ann", place=1)
    await floor.sit("bob", place=9)
    await floor.taken("ann", "pass for 10")
    await floor.taken("stick", "dice in the air")
    await floor.taken("ann", "field for 5")
    await floor.taken("bob", "field for 5")
    await floor.tend(seconds=1)
    assert (await floor.lines())[-3:] == [
        "boxperson confirms ann field",
        "dealer confirms bob field",
        "boxperson confirms bob field",
    ]
    assert set((await floor.seat("bob")).wagers) == {"field"}
    assert set((await floor.seat("ann")).wagers) == {"pass"}
    await floor.taken("left-base", "dealer confirms ann field")
    assert set((await floor.seat("ann")).wagers) == {"field", "pass"}
    await floor.taken("stick", "roll 3 6")
    await floor.hold()


async def test_a_machine_at_the_box_lets_players_in() -> None:
    floor = await Floor().open(buy_ins="box")
    await floor.sit("ann", "100", place=4)
    await floor.tend(seconds=1)
    assert (await floor.lines())[-1] == "ann joins for 100 at 4"
    await floor.say("ann", "buy in 50")
    await floor.tend(seconds=1)
    assert (await floor.lines())[-1] == "ann buys in 50"
    floor = await Floor().open(buy_ins="box", posts={"floor": "person"})
    await floor.sit("ann", "100")
    await floor.tend(seconds=1)
    assert (await floor.lines())[-1] == "(asks)"
    await floor.taken("floor", "ann joins for 100")
    await floor.hold()


async def test_only_tables_that_somebody_plays_at_wake_after_a_restart() -> None:
    floor = await Floor().open()
    empty = [floor.table, (await Floor(2, floor.memory_disk).open()).table]
    await floor.open()
    left = floor.table
    await floor.sit("cal")
    await floor.taken("cal", "leave")
    await floor.tend(seconds=1)
    await floor.open()
    await floor.sit("ann")
    floor.service = floor.another()
    await floor.service.auto_dealer.load_active_tables()
    assert [cached.live.id for cached in floor.service.tables.all()] == [floor.table]
    await floor.tend(minutes=11)
    assert "ann leaves" in await floor.lines()
    floor.service = floor.another()
    await floor.service.auto_dealer.load_active_tables()
    assert floor.service.tables.all() == []
    assert len({*empty, left, floor.table}) == 4


async def test_a_started_hall_tends_what_nobody_has_read() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    floor.service = floor.another()
    floor.clock.turn(minutes=11)
    await floor.service.start()
    try:
        for _ in range(50):
            await asyncio.sleep(0.01)
            if "ann leaves" in await floor.lines():
                break
        assert "ann leaves" in await floor.lines()
    finally:
        await floor.service.stop()


async def test_a_clock_that_is_set_in_the_middle_of_it_hurries_nobody() -> None:
    """Entries are stamped by the store's clock: by that one everybody has the betting time."""
    floor = Floor()
    own = Clock()
    floor.service = TableService(
        floor.service.store, Sealer(bytes(32)), own, floor.random.randbytes
    )
    await floor.open(game="automated-craps", pace={"betting": 3, "shooter": 0})
    await floor.sit("ann")
    await floor.taken("ann", "place 6 for 12; place 8 for 12; place 5 for 10")

    async def set_ahead(when: str, batch: object) -> None:
        own.turn(seconds=45)

    floor.service.store._step = set_ahead  # type: ignore[attr-defined]
    floor.clock.turn(seconds=3)
    own.turn(seconds=3)
    await floor.service.auto_dealer.run_due()
    assert (await floor.live()).table.throws == 1
