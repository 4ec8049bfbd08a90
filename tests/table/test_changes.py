"""Wagers that are up: raised, reduced, taken down, called on and off."""

from __future__ import annotations

import msgspec
import pytest

from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.decide import decide
from passline.game.table.state import Table
from passline.record.deal import Dealt
from tests.table.games import deal, notes, rail, reason, settled, throws, up

POINT = "ann: pass for 10\nroll 3 2\n"


def cited(dealt: Dealt) -> list[str]:
    """The clauses that the last line's changes name."""
    changes = dealt.entries[-1].events
    return [event.cite for event in changes if isinstance(event, ev.Changed)]


# Changing


@pytest.mark.parametrize("say", ["hard-8 to 5", "hard-8 down", "hard-8 off", "hard-8 on"])
def test_only_a_wager_that_is_up_is_changed(say: str) -> None:
    dealt = deal(f"ann: pass for 10; {say}", refused=["custom"])
    assert reason(dealt) == "ann has no hard 8 up"


@pytest.mark.parametrize("say", ["big-6 to 5", "big-6 down", "big-6 off"])
def test_a_wager_that_is_not_dealt_is_refused_as_that(say: str) -> None:
    deal(f"ann: {say}", refused=["19:47-1.2(b)"])


def test_adding_to_a_wager_and_raising_it_to_the_sum_are_the_same() -> None:
    added, raised = deal("ann: field for 5; field for 10"), deal("ann: field for 5; field to 15")
    assert up(added) == up(raised) == {"field": "15"}
    assert rail(added) == rail(raised) == "985"


@pytest.mark.clause("new-jersey:19:47-1.3(c)1")
@pytest.mark.parametrize("say", ["pass to 5", "pass down"])
def test_a_pass_wager_is_a_contract_once_its_point_is_on(say: str) -> None:
    assert up(deal(POINT + f"ann: {say}", refused=["19:47-1.3(c)1"])) == {"pass": "10"}
    assert up(deal(f"ann: pass for 10; {say}")) in ({}, {"pass": "5"})


@pytest.mark.parametrize(
    ("book", "cite"),
    [
        ("new-jersey", "19:47-1.2(a)1"),
        ("section-2", "2(b)(1)(i)#1"),
        ("maryland-crapless", "3.A(1)"),
    ],
)
def test_the_law_books_let_no_pass_wager_grow_on_its_point(book: str, cite: str) -> None:
    deal(POINT + "ann: pass to 20; pass for 10", book=book, refused=[cite, cite])


@pytest.mark.parametrize("book", ["iowa", "dealer-school"])
def test_the_manuals_let_it_grow(book: str) -> None:
    assert up(deal(POINT + "ann: pass to 20; pass for 10", book=book)) == {"pass": "30"}


@pytest.mark.parametrize("book", ["new-jersey", "iowa"])
def test_no_pass_wager_is_made_with_a_point_on(book: str) -> None:
    play = "bob: pass for 10\nroll 3 2\nann: pass for 10"
    cite = {"new-jersey": "19:47-1.2(a)1", "iowa": "wagers.1"}[book]
    deal(play, "ann 1000, bob 1000", book=book, refused=[cite])


@pytest.mark.clause("new-jersey:19:47-1.3(c)1")
@pytest.mark.parametrize("say", ["come-9 to 5", "come-9 down"])
def test_so_is_a_come_wager_that_has_its_number(say: str) -> None:
    play = POINT + "ann: come for 10\nroll 5 4\n"
    dealt = deal(play + f"ann: {say}", refused=["19:47-1.3(c)1"])
    assert up(dealt) == {"pass": "10", "come-9": "10"}


@pytest.mark.parametrize(
    ("say", "cites"),
    [
        ("dont-pass to 5", ["19:47-1.3(d)#1"]),
        ("dont-pass down", ["19:47-1.3(c)", "19:47-1.3(d)#1"]),
        ("dont-pass-odds to 6", ["19:47-1.3(c)"]),
    ],
)
def test_a_change_names_the_clause_that_allows_it(say: str, cites: list[str]) -> None:
    play = "ann: dont-pass for 10\nroll 3 2\nann: dont-pass-odds for 15\n"
    assert cited(deal(play + f"ann: {say}")) == cites


def test_a_raise_and_a_trim_name_theirs() -> None:
    assert cited(deal(POINT + "ann: pass to 20", book="iowa")) == ["wagers.1.c#2"]
    play = "ann: dont-pass for 10\nroll 2 2\nann: dont-pass-odds for 200\nann: dont-pass to 5"
    flat, odds = cited(deal(play, book="iowa"))
    assert flat == "wagers.2.d#1"
    assert odds.startswith("custom: odds against a reduced don't wager are trimmed")


def test_a_change_to_the_same_amount_is_noted_as_that() -> None:
    dealt = deal("ann: pass for 10\nann: pass to 10")
    assert notes(dealt) == ["ann: pass line stays at $10"]


# All down


def test_all_down_takes_what_may_come_down_and_leaves_the_rest() -> None:
    play = POINT + "ann: pass-odds for 10; hard-8 for 5; dont-come for 10\nroll 4 2\n"
    dealt = deal(play + "ann: dont-come-odds-6 for 12\nann: all down")
    assert (up(dealt), rail(dealt)) == ({"pass": "10"}, "990")


@pytest.mark.parametrize("play", ["", POINT])
def test_all_down_with_nothing_to_take_down_is_refused(play: str) -> None:
    dealt = deal(play + "ann: all down", refused=["custom"])
    assert reason(dealt) == "ann has nothing up that may come down"


def _odds_first(table: Table) -> Table:
    """The same table with a player's wagers listed the other way round."""
    seat = table.seats[0]
    turned = msgspec.structs.replace(seat, wagers=dict(reversed(seat.wagers.items())))
    return msgspec.structs.replace(table, playing=(turned,))


def test_nothing_comes_down_twice_whatever_order_the_wagers_lie_in() -> None:
    table = deal("ann: dont-pass for 10\nroll 3 2\nann: dont-pass-odds for 15").table
    answer = decide(_odds_first(table), cmd.TakeAllDown("ann"))
    assert not isinstance(answer, Refusal)
    came_down = [event.wager for event in answer if isinstance(event, ev.Changed)]
    assert came_down == ["dont-pass-odds", "dont-pass"]


# Calls


@pytest.mark.clause("new-jersey:19:47-1.3(e)#1")
def test_a_place_wager_rests_on_a_come_out_roll_unless_called_on() -> None:
    play = "ann: pass for 10; place-win-8 for 12\n"
    assert settled(deal(play + "roll 4 3")) == ["ann pass win 10"]
    called = deal(play + "ann: place-win-8 on\nroll 4 3")
    assert settled(called) == ["ann pass win 10", "ann place-win-8 lose 12"]


def test_a_call_lasts_until_the_wager_is_decided() -> None:
    play = "ann: pass for 10; place-win-8 for 12; place-win-8 on\nroll 5 3\nroll 6 2\n"
    # Called on, it wins on the come-out eight, which is the point; made again with the point.
    dealt = deal(play + "ann: pass for 10\nroll 4 3")
    assert [len(throw.settlements) for throw in throws(dealt)] == [1, 2, 1]
    assert up(dealt) == {"place-win-8": "12"}


def test_called_off_during_a_point_it_does_not_see_the_roll() -> None:
    dealt = deal(POINT + "ann: place-win-8 for 12; place-win-8 off\nroll 5 3\nroll 4 3")
    assert [len(throw.settlements) for throw in throws(dealt)] == [0, 0, 1]
    assert up(dealt) == {"place-win-8": "12"}


def test_called_on_again_it_does() -> None:
    dealt = deal(POINT + "ann: place-win-8 for 12; place-win-8 off; place-win-8 on\nroll 5 3")
    assert settled(dealt) == ["ann place-win-8 win 14"]


@pytest.mark.parametrize(
    ("say", "cite"),
    [
        ("pass off", "19:47-1.3(e)#5"),
        ("pass on", "19:47-1.3(e)#5"),
        ("field off", "19:47-1.3(e)#5"),
        ("lay-4 off", "19:47-1.3(e)#5"),
    ],
)
def test_what_always_works_is_not_called(say: str, cite: str) -> None:
    deal(f"ann: pass for 10; field for 5; lay-4 for 40; {say}", refused=[cite])


def test_a_line_wager_is_simply_not_called() -> None:
    dealt = deal("ann: pass for 10; pass off", refused=["19:47-1.3(e)#5"])
    assert reason(dealt) == "pass line may not be called off"


def test_a_lay_that_may_not_be_called_off_is_taken_down() -> None:
    dealt = deal("ann: lay-4 for 40; lay-4 off", refused=["19:47-1.3(e)#5"])
    assert reason(dealt) == "lay 4 may not be called off, it is taken down"


@pytest.mark.clause("iowa:lay/call-off#1")
def test_in_iowa_a_lay_called_off_is_handed_back_with_its_vigorish() -> None:
    dealt = deal("ann: lay-4 for 40\nann: lay-4 off", book="iowa")
    assert (up(dealt), rail(dealt)) == ({}, "1000")


@pytest.mark.clause("iowa:wagers.10.hardways#4")
def test_in_iowa_hardways_work_unless_called_off_and_again_when_called_on() -> None:
    play = "ann: pass for 10; hard-8 for 5\n"
    working = deal(play + "roll 4 3", book="iowa")
    assert settled(working) == ["ann pass win 10", "ann hard-8 lose 5"]
    resting = deal(play + "ann: hard-8 off\nroll 4 3", book="iowa")
    assert settled(resting) == ["ann pass win 10"]
    again = deal(play + "ann: hard-8 off; hard-8 on\nroll 4 3", book="iowa")
    assert settled(again) == settled(working)
    noted = notes(deal(play + "ann: hard-8 off\nann: hard-8 on", book="iowa"))
    assert noted == ["ann: hard 8 is working by the rules"]


def test_come_odds_called_on_work_on_a_come_out_and_may_be_called_back() -> None:
    play = (
        "ann: pass for 10\nroll 2 2\nann: come for 10\nroll 4 1\nann: come-odds-5 for 10\n"
        "roll 3 1\nann: pass for 10; come-odds-5 on\n"
    )
    assert "ann come-odds-5 lose 10" in settled(deal(play + "roll 4 3"))
    back = deal(play + "ann: come-odds-5 off\nroll 4 3")
    assert "ann come-odds-5 return 10" in settled(back)


def test_all_off_and_all_on_call_every_wager_that_may_be() -> None:
    play = POINT + "ann: place-win-8 for 12; hard-8 for 5; field for 5\n"
    dealt = deal(play + "ann: all off")
    assert notes(dealt) == ["ann: place 8 is off", "ann: hard 8 is off"]
    assert settled(deal(play + "ann: all off\nroll 4 4")) == ["ann field lose 5"]


@pytest.mark.parametrize("word", ["on", "off"])
def test_with_nothing_up_to_call_all_is_refused(word: str) -> None:
    dealt = deal(f"ann: pass for 10; all {word}", refused=["custom"])
    assert reason(dealt) == f"ann has nothing up to call {word}"
