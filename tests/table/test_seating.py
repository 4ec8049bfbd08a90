"""Mini-craps: only seated players bet, and they stay seated while a wager is undecided."""

from __future__ import annotations

import pytest

from tests.table.games import deal, notes, rail, reason, up


@pytest.mark.clause("new-jersey:19:47-1.3(f)#1")
@pytest.mark.parametrize("say", ["pass for 10", "field for 5"])
def test_a_player_on_his_feet_does_not_bet_at_mini_craps(say: str) -> None:
    play = f"ann stands\nann: {say}\nann sits\nann: {say}"
    dealt = deal(play, game="mini-craps", refused=["19:47-1.3(f)#1"])
    assert reason(dealt) == "ann must be seated to bet: sit down first"
    assert len(up(dealt)) == 1


def test_at_craps_players_stand() -> None:
    assert up(deal("ann stands\nann: pass for 10")) == {"pass": "10"}


@pytest.mark.clause("section-2:2(c)(6)#2")
@pytest.mark.parametrize("line", ["ann stands", "ann leaves"])
def test_a_player_stays_seated_until_every_wager_is_decided(line: str) -> None:
    play = f"ann: pass for 10\n{line}\nroll 4 3\n{line}"
    dealt = deal(play, book="section-2", game="mini-craps", refused=["2(c)(6)#2"])
    seat = dealt.table.seats[0]
    assert seat.standing or not seat.here


def test_at_craps_a_player_leaves_with_a_wager_undecided() -> None:
    dealt = deal("ann: pass for 10\nroll 3 3\nann leaves")
    assert notes(dealt)[-1] == "ann leaves the table"


def test_a_book_may_leave_players_free_to_get_up() -> None:
    but = {"seating/until/is": "free"}
    dealt = deal("ann: pass for 10\nann stands", game="mini-craps", but=but)
    assert dealt.table.seats[0].standing


def test_a_book_may_say_nothing_of_getting_up() -> None:
    dealt = deal("ann: pass for 10\nann stands", game="mini-craps", but={"seating/until": None})
    assert dealt.table.seats[0].standing


def test_standing_a_wager_is_reduced_but_not_raised() -> None:
    but = {"seating/until/is": "free"}
    play = "ann: pass for 10\nann stands\nann: pass to 5; pass to 20"
    dealt = deal(play, game="mini-craps", but=but, refused=["19:47-1.3(f)#1"])
    assert up(dealt) == {"pass": "5"}
    assert rail(dealt) == "995"
