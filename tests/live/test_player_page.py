"""What a player's page shows: what may be done is what the table accepts, and nobody sees more."""

from __future__ import annotations

import pytest

from passline.game.law.book_files import BOOKS
from passline.live.schema import ServiceError
from passline.live.tokens import Holder
from tests.live.floor import Floor

pytestmark = pytest.mark.anyio

ANN = Holder("player", "ann")


@pytest.mark.parametrize("book", BOOKS)
async def test_what_may_be_done_is_taken_and_what_is_barred_is_not(book: str) -> None:
    floor = await Floor().open(book)
    await floor.sit("ann")
    await floor.taken("ann", "pass for 15")
    sight = await floor.page(ANN)
    assert (sight["me"], sight["seat"]["rail"], sight["seat"]["up"]) == ("ann", "485.00", "15.00")
    assert sight["acts"]["roll"] == {}
    assert sight["next"]["7"] == [{"way": "", "net": "15.00"}]
    taken = barred = 0
    for slug, verbs in sight["may"].items():
        option = verbs.get("bet")
        if option is None:
            continue
        if "bar" in option:
            answer = await floor.say("ann", f"{slug} for 5")
            assert answer.seq is None, slug
            assert option["bar"]["cite"]
            barred += 1
        else:
            answer = await floor.say("ann", f"{slug} for {option['least']}")
            assert answer.seq is not None, slug
            await floor.taken("ann", "undo")
            taken += 1
    assert taken > 20
    assert barred > 0


async def test_a_watcher_sees_the_felt_and_may_do_nothing() -> None:
    floor = await Floor().open("new-jersey")
    await floor.sit("ann")
    sight = await floor.page()
    assert not {"me", "seat", "may", "acts"} & set(sight)
    assert "house" not in sight
    assert "work" not in sight
    assert "ann" in sight["felt"]["plate/ann"]
    assert sight["commit"] == (await floor.live()).commitment.commit  # For the shooter's nonce.
    crew = await floor.page(Holder("box", ""))
    assert crew["post"]["house"]["drop"] == "500.00"


async def test_a_throw_is_told_with_ones_own_net_and_what_may_be_repeated() -> None:
    floor = await Floor().open("new-jersey")
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10; any seven for 5; any craps for 5")
    await floor.taken("ann", "roll")
    sight = await floor.page(ANN)
    last = (await floor.live()).last_throw
    assert last is not None
    settled = last.rolled.settlements
    assert sight["net"]
    moves = sight["last"]["moves"]  # everybody sees the hands on the layout
    worked = {(move["player"], move["wager"]) for move in moves if move["player"]}
    assert worked == {(done.player, done.wager) for done in settled}
    assert all(move["cite"] for move in moves)
    assert {move["rule"] for move in moves if move["wager"]} == {done.cite for done in settled}
    assert (await floor.page())["last"]["moves"] == moves
    said = {line.split(" for ")[0] for line in sight["repeat"]}
    assert said <= {"any-seven", "any-craps", "pass"}
    assert said
    assert sight["throw_count"] == 1
    assert [one["dice"] for one in sight["history"]] == [sight["last"]["dice"]]


async def test_who_has_too_little_for_a_line_bet_is_told_so() -> None:
    floor = await Floor().open("new-jersey")
    await floor.sit("ann", "3")
    sight = await floor.page(ANN)
    assert sight["now"] == "Your rail holds $3, and a line bet is $5: buy in for more."
    assert (sight["buys"], sight["begins"], sight["learns"]) == (True, False, False)
    bar = sight["may"]["pass"]["bet"]["bar"]
    assert bar["reason"] == "you need $5 and have $3 in the rail"
    assert bar["allowed"] == ["buy in 100.00"]
    await floor.taken("ann", "buy in 100")
    sight = await floor.page(ANN)
    assert (sight["now"], sight["begins"]) == ("Make a bet. Most begin on the pass line.", True)


async def test_the_felt_is_drawn_for_an_end() -> None:
    floor = await Floor().open("new-jersey", game="mini-craps")
    drawn = await floor.service.felt(floor.table, "right", 2)
    assert drawn["svg"].startswith("<svg")
    assert {row["name"] for row in drawn["rows"]} >= {"Line and field", "Center"}
    assert {chip["colour"] for chip in drawn["chips"]} >= {"white", "red"}
    with pytest.raises(ServiceError):
        await floor.service.felt("nowhere", "left", 1)


async def test_a_bar_says_what_would_be_taken_or_comes_first() -> None:
    floor = await Floor().open("new-jersey")
    await floor.sit("ann")
    await floor.taken("ann", "pass for 5")
    may = (await floor.page(ANN))["may"]
    assert may["dont-pass-odds"]["bet"]["bar"]["first"] == "dont-pass"
    assert may["come-4"]["bet"]["bar"]["first"] == "come"
    assert may["pass"]["reduce"]["bar"]["allowed"] == ["pass down"]
    sight = await floor.page(ANN)
    assert sight["seat"]["odds"] == {"pass": "pass-odds"}


async def test_who_comes_to_a_point_is_not_sent_to_a_line_that_is_closed() -> None:
    floor = await Floor().open("new-jersey")
    await floor.sit("ann")
    await floor.sit("bob")
    bob = Holder("player", "bob")
    assert "pass line" in (await floor.page(bob))["now"]
    puck = None
    while not puck:
        await floor.say("ann", "pass for 5")
        await floor.taken("ann", "ready")
        await floor.taken("bob", "ready")
        await floor.taken("ann", "roll")
        puck = (await floor.page(bob)).get("puck")
    assert "next come-out" in (await floor.page(bob))["now"]


async def test_who_throws_dice_that_the_stick_sends_is_told_when() -> None:
    floor = await Floor().open("new-jersey", dice="typed", posts={"stick": "person"})
    await floor.sit("ann")
    await floor.sit("bob")
    await floor.taken("ann", "pass for 5")
    bob = Holder("player", "bob")
    assert "yours when the stick" in (await floor.page(ANN))["now"]
    stick = Holder("stick", "stick")
    await floor.taken(stick, "dice out")
    assert "throw them" in (await floor.page(ANN))["now"]
    assert "wait for the throw" in (await floor.page(bob))["now"]
