"""Players come up in mid-game, leave and come back; the dice follow the places."""

from __future__ import annotations

import pytest

from passline.record.deal import deal_text
from passline.record.write import write_record
from passline.talk.errors import RecordError
from tests.table.games import deal, rail, reason, shooter, throws

HEADER = "rulebook: new-jersey\n"


def test_somebody_joins_at_the_lowest_free_place() -> None:
    dealt = deal("bob joins for 200\nbob: pass for 10\nroll 4 3")
    assert [(s.id, s.place) for s in dealt.table.seats] == [("ann", 1), ("bob", 2)]
    assert rail(dealt, "bob") == "210"
    assert dealt.table.drop == 120_000


def test_somebody_joins_at_a_place_of_their_choice() -> None:
    dealt = deal("cyd joins for 200 at 12\nbob joins for 100 at 5")
    assert [(s.id, s.place) for s in dealt.table.seats] == [("ann", 1), ("bob", 5), ("cyd", 12)]


def test_a_place_that_is_taken_or_is_not_there_is_refused() -> None:
    dealt = deal("bob joins for 100 at 1", refused=["custom"])
    assert reason(dealt).startswith("somebody stands at place 1; free: 2, 3, 4")
    assert "no place 17" in reason(deal("bob joins for 100 at 17", refused=["custom"]))
    assert "no place 170" in reason(deal("bob joins for 100 at 170", refused=["custom"]))
    with pytest.raises(RecordError, match="expected"):
        deal("bob joins for 100 at 0")


def test_whose_coming_was_refused_is_not_heard() -> None:
    play = "bob joins for 100 at 1\nbob: pass for 5; 5 on the field\nbob leaves\nbob buys in 20\n"
    play += "boxperson orders bob to pass for delay\n"
    dealt = deal(play, refused=["custom"] * 6)
    assert reason(dealt) == "bob is not at the table"
    assert [seat.id for seat in dealt.table.seats] == ["ann"]
    assert (
        deal(play + "bob joins for 100\nbob: pass for 5", refused=["custom"] * 6)
        .table.seat("bob")
        .wagers
    )
    with pytest.raises(RecordError, match="no player here"):
        deal("bob joins for 100 at 1\nbib leaves")


def test_nobody_joins_twice_and_everybody_may_come_back() -> None:
    assert "already" in reason(deal("ann joins for 100", refused=["custom"]))
    dealt = deal("bob joins for 100 at 3\nbob leaves\nbob joins for 50 at 9\n")
    bob = dealt.table.seat("bob")
    assert (bob.here, bob.place, bob.rail, bob.bought_in) == (True, 9, 15_000, 15_000)


def test_a_leaver_who_buys_in_is_back_at_his_place_or_at_a_free_one() -> None:
    dealt = deal("bob joins for 100 at 3\nbob leaves\nbob buys in 50\n")
    assert dealt.table.seat("bob").place == 3
    play = "bob joins for 100 at 3\nbob leaves\ncyd joins for 100 at 3\nbob buys in 50\n"
    assert deal(play).table.seat("bob").place == 2


def test_wagers_of_a_leaver_play_on_at_his_place() -> None:
    play = (
        "bob joins for 100 at 2\nbob: pass for 10\nroll 2 2\nbob leaves\ncyd joins for 100 at 2\n"
    )
    dealt = deal(play, refused=["custom"])
    assert "pass" in dealt.table.seat("bob").wagers
    over = deal(play + "ann takes the dice\nroll 4 3\ncyd joins for 100 at 2", refused=["custom"])
    assert over.table.seat("cyd").place == 2


def test_the_dice_go_round_by_the_places() -> None:
    play = (
        "cyd joins for 100 at 3\nbob joins for 100 at 2\n"
        "ann: pass for 10\nbob: pass for 10\ncyd: pass for 10\n"
        "roll 2 2\nroll 4 3\n"
        "ann: pass for 10\nbob: pass for 10\ncyd: pass for 10\nroll 2 2\n"
    )
    assert [throw.shooter for throw in throws(deal(play))] == ["ann", "ann", "bob"]


def test_whoever_comes_back_elsewhere_is_offered_the_dice_there() -> None:
    play = (
        "bob joins for 100 at 2\ncyd joins for 100 at 3\nbob leaves\nbob joins for 100 at 8\n"
        "ann: pass for 5\nbob: pass for 5\ncyd: pass for 5\nroll 2 2\nroll 4 3\n"
        "ann: pass for 5\nbob: pass for 5\ncyd: pass for 5\nroll 3 3\nroll 4 3\n"
        "ann: pass for 5\nbob: pass for 5\ncyd: pass for 5\nroll 3 3\n"
    )
    assert shooter(deal(play)) == "bob"


def test_a_full_table_takes_nobody() -> None:
    names = [f"p{chr(97 + n)}" for n in range(15)]
    play = "".join(f"{name} joins for 100\n" for name in names) + "zoe joins for 100"
    assert "every one of the 16 places" in reason(deal(play, refused=["custom"]))


def test_a_record_may_begin_with_nobody() -> None:
    text = HEADER + "ann joins for 100 at 4\nann: pass for 10\nroll 4 3\n"
    dealt = deal_text(text)
    assert dealt.table.seat("ann").rail == 11_000
    assert deal_text(write_record(dealt)).table == dealt.table
    with pytest.raises(RecordError, match="expected a header line such as 'player: ann 500'"):
        deal_text(HEADER + "roll 4 3")


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("roll joins for 100", "expected two dice"),
        ("9bob joins for 100", "cannot be a player's name"),
        ("dealer joins for 100", "cannot be a player's name"),
        ("bob joins for nothing", "not a valid amount"),
        ("bob: pass for 5", "neither a player"),
    ],
)
def test_a_name_or_an_amount_that_cannot_be(line: str, wrong: str) -> None:
    with pytest.raises(RecordError) as caught:
        deal_text(HEADER + "player: ann 100\n" + line)
    assert wrong in str(caught.value)
