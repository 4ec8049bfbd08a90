"""The dice in the air are a state of the table: what is called then waits for the crew."""

from __future__ import annotations

import pytest

from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from tests.table.games import deal, notes, reason, settled, up

PLAY = "ann: pass for 10\nroll 2 2\ndice in the air\n"


@pytest.mark.clause("new-jersey:19:47-1.3(a)1")
def test_a_late_wager_waits_for_everybody_whom_the_book_names() -> None:
    called = PLAY + "ann: hard-8 for 5\n"
    dealt = deal(called)
    assert up(dealt) == {"pass": "10"}
    assert [late.needs for late in dealt.table.late] == [("dealer", "boxperson")]
    one = deal(called + "dealer confirms ann hard-8\n")
    assert "hard-8" not in up(one)
    both = deal(called + "dealer confirms ann hard-8\nboxperson confirms ann hard-8\n")
    assert up(both)["hard-8"] == "5"
    assert both.table.late == ()


def test_what_nobody_confirmed_has_no_action() -> None:
    dealt = deal(PLAY + "ann: hard-8 for 5\ndealer confirms ann hard-8\nroll 4 4\n")
    assert "hard-8" not in " ".join(settled(dealt))
    assert any("not confirmed, has no action" in note for note in notes(dealt))
    assert dealt.table.late == ()


def test_whoever_is_not_named_does_not_confirm() -> None:
    called = PLAY + "ann: hard-8 for 5\n"
    dealt = deal(called + "stickperson confirms ann hard-8", refused=["19:47-1.3(a)1"])
    assert "dealer and boxperson" in reason(dealt)
    deal(PLAY + "boxperson confirms ann field", refused=["19:47-1.3(a)1"])


def test_a_player_does_not_confirm_for_himself() -> None:
    table = deal("ann: pass for 10\nroll 2 2").table
    both = ("dealer", "boxperson")
    own = cmd.Bet("ann", "hard-8", 500, in_air=True, confirmed=both)
    refused = decide(table, own)
    assert isinstance(refused, Refusal)
    assert refused.code == "self-confirmed"
    booked = cmd.Bet("ann", "hard-8", 500, in_air=True, confirmed=both, by="dealer")
    assert not isinstance(decide(table, booked), Refusal)


def test_a_late_wager_is_held_to_the_rules_when_it_is_called() -> None:
    dealt = deal(PLAY + "ann: place-win-6 for 7", refused=["19:47-1.4(f)"])
    assert dealt.table.late == ()


@pytest.mark.parametrize("book", ["iowa", "dealer-school", "maryland-crapless"])
def test_where_the_book_takes_none_it_is_refused(book: str) -> None:
    start = "ann: pass for 10\nroll 2 2\ndice in the air\nann: field for 5"
    cites = {"iowa": "wagers.intro.3#1", "dealer-school": "custom", "maryland-crapless": "4.A"}
    dealt = deal(start, book=book, refused=[cites[book]])
    (refused,) = [entry.refusal for entry in dealt.entries if entry.refusal]
    assert refused.code == "in-air"


def test_dice_in_the_air_come_down_with_the_throw() -> None:
    assert deal(PLAY).table.dice.in_air
    assert not deal(PLAY + "roll 3 1").table.dice.in_air
    assert not deal(PLAY + "no roll off-table").table.dice.in_air
    assert "in the air" in reason(deal(PLAY + "dice back", refused=["custom"]))
    assert "in the air" in reason(deal(PLAY + "dice in the air", refused=["custom"]))
    for line in (
        "ann passes the dice",
        "ann declines the dice",
        "ann asks for new dice",
        "boxperson orders ann to pass for delay",
        "recall dice out-of-sight",
    ):
        assert "in the air" in reason(deal(PLAY + line, refused=["custom"])), line


def test_nobody_calls_a_no_roll_anonymously() -> None:
    with pytest.raises(ValueError, match="by whom"):
        cmd.CallNoRoll("off-table", "")


@pytest.mark.parametrize(
    ("book", "cite"),
    [
        ("new-jersey", "19:47-1.3(a)#1"),
        ("section-2", "2(c)(1)#1"),
        ("iowa", "wagers.intro.3#1"),
        ("dealer-school", "custom"),
        ("maryland-crapless", "4.A"),
    ],
)
def test_what_is_up_stands_as_it_lies_while_they_fly(book: str, cite: str) -> None:
    start = "ann: pass for 10\nroll 2 2\nann: place-win-8 for 12; hard-8 for 5\ndice in the air\n"
    for say in (
        "place-win-8 to 24",
        "place-win-8 to 6",
        "place-win-8 down",
        "hard-8 off",
        "all off",
        "all down",
    ):
        dealt = deal(start + f"ann: {say}", book=book, refused=[cite])
        assert "stands as it lies" in reason(dealt), say
        assert up(dealt) == {"pass": "10", "place-win-8": "12", "hard-8": "5"}, say


def test_whoever_leaves_while_they_fly_takes_nothing_along() -> None:
    start = "ann: pass for 10\nbob: dont-pass for 10\nroll 2 2\ndice in the air\nbob leaves\n"
    dealt = deal(start + "roll 2 2\n", "ann 500, bob 500")
    assert any("dont-pass" in one and "lose" in one for one in settled(dealt))
