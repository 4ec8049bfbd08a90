"""What each role sees, and records that deal to the same table."""

from __future__ import annotations

import pytest

from passline.live.log_entries import Entry
from passline.live.record_export import export_record
from passline.live.schema import ServiceError
from passline.live.tokens import Holder
from passline.record.deal import deal_text
from tests.live.floor import EVERY_POST, Floor

pytestmark = pytest.mark.anyio

KEYS = {
    *("table", "name", "rulebook", "game", "seq", "head", "puck", "shooter", "dice_out"),
    *("commit", "players", "last"),
}


async def played() -> Floor:
    floor = await Floor().open(dice="typed", posts=EVERY_POST, name="One")
    await floor.sit("ann", "100")
    await floor.sit("bob", "200", place=9)
    await floor.taken("ann", "pass for 10; hard-6 for 2")
    await floor.taken("bob", "dont pass for 5; place 8 for 12")
    await floor.taken("stick", "roll 2 4")
    await floor.taken("stick", "roll 4 4")
    return floor


async def test_the_view_is_as_the_contract_has_it() -> None:
    floor = await played()
    view = await floor.service.view(floor.table)
    assert set(view) >= KEYS
    assert not {"house", "work"} & set(view)
    assert {key: view[key] for key in ("name", "puck", "shooter", "dice_out", "commit")} == {
        "name": "One",
        "puck": 6,
        "shooter": "ann",
        "dice_out": False,
        "commit": None,
    }
    head = (await floor.log())[-1]
    assert (view["seq"], view["head"]) == (head.seq, head.hash)
    assert view["players"][1] == {
        "name": "bob",
        "place": 9,
        "here": True,
        "rail": "197.00",
        "bought_in": "200.00",
        "wagers": [
            {"wager": "dont-pass", "amount": "5.00", "working": True},
            {"wager": "place-win-8", "amount": "12.00", "working": True},
        ],
    }
    assert view["last"]["dice"] == [4, 4]
    assert view["last"]["call"]
    assert [done["wager"] for done in view["last"]["settlements"]] == ["place-win-8"]
    await floor.taken("stick", "dice out")
    assert (await floor.service.view(floor.table))["dice_out"] is True


async def test_the_crew_and_surveillance_see_the_house_and_the_work() -> None:
    floor = await played()
    for role in (*EVERY_POST, "surveillance", "operator"):
        view = await floor.service.view(floor.table, Holder(role))
        assert view["house"] == {"drop": "300.00", "win": "-14.00", "vig": "0.00", "tokes": "0.00"}
        assert any(task["do"] == "pay" for task in view["work"])
    for holder in (Holder("player", "ann"), Holder("watcher")):
        assert not {"house", "work"} & set(await floor.service.view(floor.table, holder))


async def test_wagers_are_shown_as_they_work() -> None:
    floor = await Floor().open(dice="typed", posts=EVERY_POST)
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10; place 6 for 12; hard 8 for 5; hard 8 on")

    async def working() -> dict[str, bool]:
        wagers = (await floor.service.view(floor.table))["players"][0]["wagers"]
        return {one["wager"]: one["working"] for one in wagers}

    assert await working() == {"pass": True, "place-win-6": False, "hard-8": True}
    await floor.taken("stick", "roll 4 5")
    assert await working() == {"pass": True, "place-win-6": True, "hard-8": True}
    await floor.taken("ann", "place-win-6 off")
    assert (await working())["place-win-6"] is False


async def test_before_a_throw_there_is_no_last_and_no_work() -> None:
    floor = await Floor().open("iowa")
    view = await floor.service.view(floor.table, Holder("box"))
    assert (view["last"], view["work"], view["puck"], view["shooter"]) == (None, [], None, None)
    assert view["commit"] == (await floor.log())[0].commit


async def test_a_read_shows_what_any_server_acknowledged() -> None:
    floor = await played()
    other = floor.another()
    assert (await other.view(floor.table))["seq"] == 6
    await floor.taken("ann", "field for 5")
    assert (await other.view(floor.table))["seq"] == 7
    assert [entry.seq for entry in await other.entries(floor.table, 5)] == [6, 7]


async def test_a_record_deals_to_the_same_table_to_the_cent() -> None:
    floor = await played()
    await floor.taken("left-base", "ann: field for 5; come for 5")
    await floor.taken("floor", "kim relieves the stickperson")
    await floor.taken("box", "ann buys in 100")
    await floor.hold()
    text = await floor.service.record(floor.table)
    assert text.startswith("rulebook: new-jersey\ngame: craps\n\nann joins for 100\n")
    assert text == export_record(await floor.log())
    log = b"".join([line async for line in floor.service.log(floor.table)])
    assert log.count(b"\n") == len(await floor.log())


def test_a_long_line_is_split_between_its_says() -> None:
    says = "; ".join(["place-win-6 for 6"] * 80)
    entry = Entry(
        seq=1,
        at="",
        role="player",
        by="ann",
        id="x",
        line=f"ann: {says}",
        events=(),
        prev="",
        hash="",
    )
    lines = export_record([entry]).splitlines()
    assert len(lines) == 2
    assert all(len(line) < 1100 and line.startswith("ann: ") for line in lines)
    game = "rulebook: iowa\nplayer: ann 500\n" + "\n".join(lines)
    assert deal_text(game).table.seat("ann").wagers["place-win-6"].amount == 48000


async def test_a_view_shows_those_who_left_last() -> None:
    """A thousand guests make no view of a hundred kilobytes; their names stay their own."""
    floor = await Floor().open()
    for number in range(40):
        await floor.sit(f"guest{number}", "100")
        await floor.taken(f"guest{number}", "place 6 for 12" if number == 3 else "field for 5")
        await floor.taken(f"guest{number}", "leave")
    await floor.sit("ann")

    async def shown(who: Holder) -> set[str]:
        view = await floor.service.view(floor.table, who)
        return {player["name"] for player in view["players"]}

    up = {seat.name for seat in (await floor.live()).table.seats if seat.wagers}
    last = {f"guest{number}" for number in range(8, 40)}
    assert await shown(Holder("watcher")) == {"ann", *last, *up}
    assert await shown(Holder("player", "guest1")) == {"ann", "guest1", *last, *up}
    assert await refused_name(floor, "guest1") == "conflict"
    await floor.taken("guest1", "buy in 100")
    assert "guest1" in await shown(Holder("watcher"))
    floor.service = floor.another()
    assert "guest0" not in await shown(Holder("operator"))
    await floor.hold()


async def refused_name(floor: Floor, name: str) -> str:
    with pytest.raises(ServiceError) as wrong:
        await floor.sit(name)
    return wrong.value.code
