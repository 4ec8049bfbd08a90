"""Throws that count and throws that do not: void, called no roll, ruled upon."""

from __future__ import annotations

import msgspec
import pytest

from passline.game.table.state import Table
from passline.game.words.refusals import name_ground
from tests.table.games import deal, notes, reason, settled, shooter, throws

BET = "ann: pass for 10\n"


@pytest.mark.parametrize(
    ("ground", "cite"),
    [
        ("off-table", "19:47-1.9(a)#1"),
        ("stacked", "19:47-1.9(a)#2"),
        ("leaning-two-sides", "19:47-1.10(a)1#2"),
    ],
)
def test_a_void_throw_decides_nothing_and_somebody_calls_it(ground: str, cite: str) -> None:
    dealt = deal(BET + f"no roll {ground}")
    assert notes(dealt)[-1] == f"no roll, {name_ground(ground)}, called by the boxperson [{cite}]"
    assert throws(dealt) == []
    assert shooter(dealt) == "ann"


@pytest.mark.parametrize("role", ["boxperson", "stickperson"])
def test_a_ground_is_called_by_one_who_may(role: str) -> None:
    dealt = deal(BET + f"no roll not-together by {role}")
    assert notes(dealt)[-1] == f"no roll, not together, called by the {role} [19:47-1.9(b)1]"


def test_and_by_nobody_else() -> None:
    dealt = deal(BET + "no roll not-together by dealer", refused=["19:47-1.9(e)1#1"])
    assert reason(dealt) == "the dealer may not call that: boxperson or stickperson may"


def test_a_ground_may_name_its_own_callers() -> None:
    # At mini-craps the floorperson calls no roll, but not on his own judgement.
    play = BET + "no roll improper by floorperson\nno roll in-cup by floorperson"
    dealt = deal(play, game="mini-craps", refused=["19:47-1.9(b)6"])
    assert notes(dealt)[-1].startswith("no roll, in cup, called by the floorperson")


@pytest.mark.clause("new-jersey:19:47-1.9(e)1#2")
def test_a_house_designates_which_of_them_calls() -> None:
    elect = {"dice.no_roll_by": "stickperson"}
    play = BET + "no roll in-cup by boxperson\nno roll in-cup by stickperson"
    dealt = deal(play, elect=elect, refused=["19:47-1.9(e)1#2"])
    assert reason(dealt) == "this house has the stickperson call it"


@pytest.mark.clause("new-jersey:19:47-1.9(d)")
@pytest.mark.parametrize("ground", ["touched-chips", "touched-coupons"])
def test_dice_that_touch_chips_or_coupons_count(ground: str) -> None:
    dealt = deal(BET + f"no roll {ground}", refused=["19:47-1.9(d)"])
    assert reason(dealt) == f"{name_ground(ground)} is no ground for a no roll"


def test_a_ground_that_the_book_does_not_know_is_refused_with_those_it_knows() -> None:
    dealt = deal(BET + "no roll wrong-shooter", refused=["19:47-1.9(b)"])
    assert "not together" in reason(dealt)
    assert "stacked" in reason(dealt)


def test_a_no_roll_with_nobody_to_throw_takes_no_dice() -> None:
    dealt = deal("no roll off-table")
    assert shooter(dealt) is None
    assert dealt.table.off_table


@pytest.mark.clause("new-jersey:19:47-1.10(a)2.i")
def test_the_boxperson_rules_on_a_face_in_dispute() -> None:
    play = BET + "ruling 4 3 by stickperson\nruling 4 3 by boxperson"
    dealt = deal(play, refused=["19:47-1.10(a)2.i"])
    assert settled(dealt) == ["ann pass win 10"]
    assert throws(dealt)[-1].ruled_by == "boxperson"
    assert reason(dealt) == "the stickperson does not rule on that: boxperson does"


def test_a_ruling_may_void_the_throw() -> None:
    dealt = deal(BET + "ruling void by boxperson")
    assert notes(dealt) == [
        "no roll, ruled void, called by the boxperson [19:47-1.10(a)2.i]",
    ]
    assert throws(dealt) == []


def test_a_ruled_throw_needs_a_shooter_like_any_other() -> None:
    deal("ruling 4 3 by boxperson", refused=["19:47-1.8#1"])


# The puck


@pytest.mark.parametrize("book", ["new-jersey", "maryland-crapless"])
def test_the_puck_goes_on_a_point_and_off_on_its_decision(book: str) -> None:
    dice = {2: "1 1", 3: "1 2", 4: "2 2", 5: "3 2", 6: "4 2"}
    dice |= {7: "4 3", 8: "5 3", 9: "5 4", 10: "6 4", 11: "6 5", 12: "6 6"}
    marked = {n for n, faces in dice.items() if deal(BET + f"roll {faces}", book=book).table.puck}
    points = {4, 5, 6, 8, 9, 10}
    assert marked == (points if book == "new-jersey" else points | {2, 3, 11, 12})
    for decided, puck in (("3 3", None), ("4 3", None), ("5 4", 6)):
        assert deal(BET + f"roll 4 2\nroll {decided}", book=book).table.puck == puck


@pytest.mark.parametrize("idle", ["table closes", "dead game"])
def test_no_throw_is_ruled_void_where_the_dice_are_kept_back(idle: str) -> None:
    cite = {"table closes": "custom", "dead game": "stick.11.a"}[idle]
    play = f"{idle}\nruling void by boxperson"
    deal(play, book="dealer-school", refused=[cite])


def test_no_throw_is_ruled_void_while_the_dice_wait() -> None:
    play = "kim relieves the boxperson\nruling void by supervisor"
    deal(BET + play, book="iowa", refused=["relief.box.1#2"])


def test_the_puck_is_none_while_it_is_off_and_stored_as_zero() -> None:
    names = {field.name: field.encode_name for field in msgspec.structs.fields(Table)}
    assert names["point"] == "puck"
    table = deal(BET).table
    assert (table.puck, table.point) == (None, 0)
    table = deal(BET + "roll 4 2").table
    assert (table.puck, table.point) == (6, 6)


@pytest.mark.parametrize("words", ["leaning-two-sides", "leaning two sides"])
def test_a_ground_is_read_with_hyphens_or_with_spaces(words: str) -> None:
    dealt = deal(BET + f"no roll {words}")
    assert notes(dealt)[-1].startswith("no roll, leaning two sides, ")
