"""Sitting down: names, places, tokens, invitations, buy-ins that wait for the box."""

from __future__ import annotations

import pytest

from passline.live.schema import (
    LineRequest,
    SeatRequest,
    SeatResponse,
    ServiceError,
    check_seat_name,
)
from passline.live.tokens import Holder
from passline.text import fold_look_alikes
from tests.live.floor import EVERY_POST, NO_WAIT, Floor

pytestmark = pytest.mark.anyio

MINE, OTHER = "m" * 32, "o" * 40


async def sat(floor: Floor, invitation: str = "", **asked: object) -> SeatResponse:
    fields = {"name": "ann", "buy_in": "100", **asked}
    return await floor.service.sit(floor.table, SeatRequest(**fields), invitation)  # type: ignore[arg-type]


async def refused(floor: Floor, invitation: str = "", **asked: object) -> str:
    before = await floor.log()
    with pytest.raises(ServiceError) as wrong:
        await sat(floor, invitation, **asked)
    assert await floor.log() == before
    return wrong.value.code


async def test_the_same_name_and_token_again_gets_the_same_answer() -> None:
    floor = await Floor().open()
    first = await sat(floor, token=MINE)
    assert (first.name, first.place, first.token, first.seq) == ("ann", 1, MINE, 1)
    assert await sat(floor, token=MINE) == first
    assert await sat(floor, token=MINE, buy_in="900", place=5) == first
    await floor.taken("ann", "leave")
    floor.service = floor.another()
    assert await sat(floor, token=MINE) == first
    assert await floor.lines() == ["ann joins for 100", "ann leaves"]


async def test_a_name_stays_its_tokens_for_the_tables_life() -> None:
    floor = await Floor().open()
    await sat(floor, token=MINE)
    await floor.taken("ann", "leave")
    for name in ("ann", "Ann", "ANN"):
        assert await refused(floor, name=name, token=OTHER) == "conflict"
        assert await refused(floor, name=name) == "conflict"
    assert await refused(floor, name="bob", token=MINE) == "conflict"
    assert await refused(floor, name="bob", token=floor.tokens["stick"]) == "conflict"


@pytest.mark.parametrize(
    "asked",
    [
        {"name": ""},
        {"name": "roll"},
        {"name": "machine"},
        {"name": "Machine"},
        {"name": "box"},
        {"name": "Limits"},
        {"name": "St\u0131ck"},
        {"name": "floor"},
        {"name": "house"},
        {"name": "operator"},
        {"name": "a:b"},
        {"name": "x" * 41},
        {"name": "9lives"},
        {"name": "\u0430nn"},
        {"buy_in": "0"},
        {"buy_in": "-5"},
        {"buy_in": "ten"},
        {"buy_in": "10000000.01"},
        {"buy_in": "0.50"},
        {"place": 17},
        {"place": -1},
        {"place": 0},
        {"token": "short"},
        {"token": "x" * 65},
        {"token": "-" * 32},
    ],
)
async def test_what_has_not_the_shape_is_a_400(asked: dict[str, object]) -> None:
    floor = await Floor().open()
    assert await refused(floor, "", **asked) == "invalid"


async def test_nobody_sits_down_as_anothers_double() -> None:
    floor = await Floor().open()
    await sat(floor, name="aca", token=MINE)
    assert await refused(floor, name="\u0430\u0441\u0430", token=OTHER) == "conflict"


async def test_places_are_the_lowest_free_unless_asked_for() -> None:
    floor = await Floor().open()
    places = {name: (await sat(floor, name=name)).place for name in ("ann", "bob")}
    assert (await sat(floor, name="cal", place=9)).place == 9
    assert places == {"ann": 1, "bob": 2}
    assert await refused(floor, name="dee", place=9) == "conflict"
    await floor.taken("ann", "leave")
    assert (await sat(floor, name="dee")).place == 1
    for number in range(13):
        await sat(floor, name=f"p{chr(97 + number)}")
    assert await refused(floor, name="last") == "conflict"
    await floor.hold()


async def test_a_table_that_is_not_open_asks_for_an_invitation() -> None:
    floor = await Floor().open(open=False)
    assert await refused(floor) == "unauthorized"
    assert await refused(floor, token=MINE) == "forbidden"
    assert await refused(floor, floor.tokens["watcher"]) == "forbidden"
    anyone = await floor.service.invite(floor.table, "player")
    first = await sat(floor, token=anyone)
    assert await sat(floor, token=anyone) == first
    assert await floor.service.holder(floor.table, first.token) == Holder("player", "ann")
    second = await sat(floor, anyone, name="bob", token=MINE)
    assert second.token == MINE
    assert await sat(floor, anyone, name="bob", token=MINE) == second
    cal = await floor.service.invite(floor.table, "player", "cal")
    assert await refused(floor, anyone, name="cal") == "conflict"
    assert await refused(floor, anyone, name="CAL") == "conflict"
    assert (await sat(floor, token=cal, name="cal")).token == cal
    with pytest.raises(ServiceError):
        await floor.service.reader(floor.table)
    assert await floor.service.reader(floor.table, cal) == Holder("player", "cal")
    await floor.service.withdraw(floor.table, "player")
    assert await refused(floor, token=anyone, name="dee") == "forbidden"


async def test_a_token_withdrawn_while_it_is_looked_up_is_not_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    floor = await Floor().open()
    token, other = await floor.service.invite(floor.table, "box"), floor.another()
    looked_up = other.store.holder

    async def meanwhile(table: str, shown: str) -> Holder | None:
        found = await looked_up(table, shown)
        await floor.service.withdraw(floor.table, "box")
        await other.view(floor.table)  # somebody else reads there, and it is folded
        return found

    monkeypatch.setattr(other.store, "holder", meanwhile)
    assert await other.holder(floor.table, token) == Holder("box")  # it was, when it was asked
    monkeypatch.undo()
    with pytest.raises(ServiceError) as wrong:
        await other.holder(floor.table, token)
    assert wrong.value.code == "unauthorized"


async def test_a_floor_that_the_machine_holds_gives_and_withdraws_no_tokens() -> None:
    floor = await Floor().open()
    for act in (floor.service.invite, floor.service.withdraw):
        with pytest.raises(ServiceError) as wrong:
            await act(floor.table, "watcher", by=Holder("floor"))
        assert (wrong.value.code, len(await floor.log())) == ("forbidden", 1)


async def test_only_operator_and_floor_give_tokens() -> None:
    floor = await Floor().open(posts={"floor": "person"})
    for by in ("stick", "box", "player", "watcher"):
        with pytest.raises(ServiceError) as wrong:
            await floor.service.invite(floor.table, "stick", by=Holder(by))
        assert wrong.value.code == "forbidden"
    for role, name in (("king", ""), ("operator", ""), ("player", "a;b"), ("stick", "!")):
        with pytest.raises(ServiceError) as wrong:
            await floor.service.invite(floor.table, role, name)
        assert wrong.value.code == "invalid"
    await floor.sit("ann")
    with pytest.raises(ServiceError) as wrong:
        await floor.service.invite(floor.table, "player", "Ann")
    assert wrong.value.code == "conflict"
    lost = await floor.service.invite(floor.table, "player", "ann", by=Holder("floor"))
    assert await floor.service.holder(floor.table, lost) == Holder("player", "ann")


async def test_a_buy_in_waits_until_the_box_says_so() -> None:
    floor = await Floor().open(buy_ins="box", posts={"box": "person"})
    asked = await sat(floor, token=MINE, place=3)
    assert (asked.pending, asked.seq, asked.hash, asked.place) == (True, None, None, 3)
    assert await sat(floor, token=MINE, place=3) == asked
    assert await refused(floor, name="Ann", token=OTHER) == "conflict"
    assert (await floor.error("ann", "pass for 10")).code == "forbidden"
    view = await floor.service.view(floor.table, Holder("box"))
    assert view["asking"] == [{"name": "ann", "amount": "100.00", "place": 3}]
    assert "asking" not in await floor.service.view(floor.table)
    await floor.taken("box", "ann joins for 100 at 3")
    seated = await sat(floor, token=MINE, place=3)
    assert (seated.pending, seated.seq, seated.place) == (False, 2, 3)
    more = await floor.say("ann", "buy in 50", id="b")
    assert (more.pending, more.seq) == (True, 3)
    assert await floor.say("ann", "buy in 50", id="b") == more
    await floor.taken("box", "ann buys in 50")
    again = await floor.say("ann", "buy in 50", id="b")
    assert (again.pending, again.seq) == (False, 3)
    assert (await floor.error("ann", "buy in 60", id="b")).code == "conflict"
    assert (await floor.seat("ann")).rail == 15000
    assert await floor.refused("ann", "buy in 0.50") == "whole-chips"
    await floor.hold()


async def test_who_watches_the_bank_admits_where_there_is_no_box() -> None:
    floor = await Floor().open(game="mini-craps", buy_ins="box", posts=EVERY_POST)
    assert (await sat(floor)).pending
    assert (await floor.error("box", "ann joins for 100")).code == "forbidden"
    await floor.taken("floor", "ann joins for 100")


async def test_nobody_sits_down_at_a_closed_table() -> None:
    floor = await Floor().open()
    await floor.say("operator", "table closes", id="c")
    assert await refused(floor) == "conflict"
    await floor.say("operator", "table opens", id="o")
    assert (await sat(floor)).seq == 3


async def test_two_sit_down_at_once_on_two_servers_under_one_name() -> None:
    import asyncio

    floor = await Floor().open()
    other = floor.another()

    async def sit(service: object, token: str) -> SeatResponse | str:
        try:
            asked = SeatRequest(name="ann", buy_in="100", token=token)
            return await service.sit(floor.table, asked)  # type: ignore[attr-defined, no-any-return]
        except ServiceError as wrong:
            return wrong.code

    found = await asyncio.gather(sit(floor.service, MINE), sit(other, OTHER))
    assert sorted(type(one).__name__ for one in found) == ["SeatResponse", "str"]
    same = await asyncio.gather(*(sit(service, "s" * 32) for service in (floor.service, other)))
    assert same == ["conflict", "conflict"]


async def test_a_seat_says_nothing_before_it_is_there() -> None:
    floor = await Floor().open()
    asked = LineRequest(id="x", say="pass for 10")
    with pytest.raises(ServiceError) as wrong:
        await floor.service.say(floor.table, Holder("player"), asked)
    assert wrong.value.code == "forbidden"


def test_names_that_look_alike_are_one() -> None:
    assert (
        fold_look_alikes("Ren\u00e9")
        == fold_look_alikes("rene\u0301")
        == fold_look_alikes("REN\u00c9")
    )
    assert fold_look_alikes("\uff41nn") == fold_look_alikes("ann")
    assert len({fold_look_alikes(name) for name in ("ann", "anne", "bob", "b0b", "cal")}) == 5
    assert check_seat_name("o'neill") == "o'neill"


async def test_the_box_turns_a_buy_in_down_and_may_be_asked_again() -> None:
    floor = await Floor().open(posts=EVERY_POST, buy_ins="box")
    asked = SeatRequest(name="ann", buy_in="500", token="a" * 32, place=3)
    assert (await floor.service.sit(floor.table, asked)).pending
    assert (await floor.error("right-base", "ann buy-in declined")).code == "forbidden"
    for role in ("stick", "floor", "watcher"):
        assert (await floor.error(role, "ann buy-in declined")).code == "forbidden"
    assert (await floor.error("box", "zed buy-in declined")).code == "not_understood"
    await floor.taken("box", "ann buy-in declined for want of papers")
    for _ in range(2):
        with pytest.raises(ServiceError, match="declined: want of papers") as wrong:
            await floor.service.sit(floor.table, asked)
        assert wrong.value.code == "forbidden"
    other = SeatRequest(name="ann", buy_in="400", token="a" * 32, place=3)
    assert (await floor.service.sit(floor.table, other)).pending
    assert (await floor.service.sit(floor.table, other)).pending
    await floor.taken("left-base", "ann buy-in declined")
    await floor.taken("box", "ann joins for 400 at 3")  # the box thinks better of it
    seated = await floor.service.sit(floor.table, other)
    assert (seated.place, seated.pending) == (3, False)
    assert await floor.service.sit(floor.table, asked) == seated
    await floor.hold()


async def test_a_buy_in_at_the_table_is_turned_down_too() -> None:
    floor = await Floor().open(posts=EVERY_POST, buy_ins="box")
    await floor.sit("ann", place=1)
    await floor.taken("box", "ann joins for 500 at 1")
    assert (await floor.say("ann", "buy in 200", id="more")).pending
    assert (await floor.say("ann", "buy in 200", id="more")).pending
    assert (await floor.say("ann", "buy in 200", id="besides")).pending
    answer = await floor.taken("box", "ann buy-in declined", id="no")
    assert await floor.say("box", "ann buy-in declined", id="no") == answer
    wrong = await floor.error("ann", "buy in 200", id="besides")
    assert (wrong.code, "declined" in wrong.message) == ("forbidden", True)
    assert (await floor.say("ann", "buy in 200", id="again")).pending
    await floor.taken("left-base", "ann buys in 200")
    assert not (await floor.say("ann", "buy in 200", id="again")).pending
    assert (await floor.seat("ann")).rail == 700_00
    await floor.hold()


async def test_one_who_was_turned_down_is_nobody_elses_name() -> None:
    floor = await Floor().open(posts=EVERY_POST, buy_ins="box")
    await floor.sit("ann")
    await floor.taken("box", "ann buy-in declined")
    with pytest.raises(ServiceError, match="already") as wrong:
        await floor.sit("ann")
    assert wrong.value.code == "conflict"


async def test_a_player_may_be_called_as_a_say_begins() -> None:
    floor = await Floor().open()
    await floor.sit("rebuy", "100")
    for said in ("leave", "rebuy 50", "rebuy buys in 25", "leave"):
        await floor.taken("rebuy", said)
    await floor.hold()
    assert (await floor.seat("rebuy")).bought_in == 175_00


async def test_those_who_left_are_no_weight_on_the_game() -> None:
    floor = await Floor().open(pace=NO_WAIT)
    await floor.sit("ann")
    for number in range(40):
        await floor.sit(f"guest{number}", "50")
        if number % 2:
            await floor.taken(f"guest{number}", "pass for 10")
        await floor.taken(f"guest{number}", "leave")
    table = await floor.hold()
    assert [seat.id for seat in table.playing] == ["ann"]
    assert len(table.seats) == len({seat.id for seat in table.seats}) == 41
    assert table.carried == sum(seat.rail for seat in table.gone.values()) == 40 * 50_00
    assert await refused(floor, name="guest7") == "conflict"
    await floor.taken("guest7", "buy in 20")
    assert (await floor.seat("guest7")).rail == 70_00
    await floor.taken("guest7", "leave")
    await floor.taken("ann", "pass for 10")
    assert [seat.id for seat in (await floor.hold()).playing] == ["ann"]
