"""Games that nobody plays, and closed tables."""

from __future__ import annotations

import pytest

from passline.game.table.state import DEALERS
from tests.table.games import deal, money, notes, rail, reason, settled, shooter, throws, up

PASS = "ann: pass for 10\n"


def test_a_game_with_a_wager_up_is_alive() -> None:
    assert reason(deal(PASS + "dead game", refused=["custom"])) == "wagers of ann are up: pass line"


@pytest.mark.parametrize("idle", ["dead game", "table closes"])
def test_the_dealers_wagers_keep_no_game_alive(idle: str) -> None:
    play = (
        PASS + "ann: pass for 5 for the dealers\nroll 3 3\nann: pass-odds for 5 for the dealers\n"
    )
    play += "ann: place-win-8 for 6 for the dealers\nann: buy-4 for 20 for the dealers\nroll 4 4\n"
    play += "roll 3 3\nann: pass for 5 for the dealers\nann leaves\n"
    dealt = deal(play + idle)
    assert up(dealt, DEALERS) == {}
    # Pass and its odds won 5 + 6; the eight won 7; then everything comes down, vigorish too.
    won, down = 5 + 5 + 5 + 6 + 7, 6 + 20 + 1 + 5
    assert money(dealt.table.tokes) == str(won + down)
    custom = "custom: where nobody plays the dealers' wagers come down, into the toke box"
    assert notes(dealt)[-2] == f"${down} for the dealers, into the toke box [{custom}]"


@pytest.mark.parametrize("idle", ["dead game", "table closes\ntable opens"])
def test_contract_wagers_of_the_dealers_come_down_with_their_odds(idle: str) -> None:
    play = "ann: dont-pass for 10\nann: pass for 5 for the dealers\nroll 3 3\n"
    play += "ann: pass-odds for 5 for the dealers\nann: dont-pass down\n" + idle
    dealt = deal(play)
    assert (money(dealt.table.tokes), rail(dealt), up(dealt, DEALERS)) == ("10", "990", {})


@pytest.mark.parametrize("idle", ["dead game", "table closes\ntable opens"])
def test_no_point_outlives_the_game(idle: str) -> None:
    play = "ann: dont-pass for 10\nroll 3 3\n"
    play += "ann: dont-pass down\nann leaves\nbob declines the dice\n"
    table = deal(play + idle, "ann 1000, bob 1000").table
    assert (table.puck, table.fresh, table.turn, table.declined) == (None, True, 0, ())
    dealt = deal(f"{play}{idle}\nbob: pass for 10\nroll 6 5", "ann 1000, bob 1000")
    assert settled(dealt) == ["bob pass win 10"]


def test_what_was_being_gathered_ends_with_the_game() -> None:
    fire = {"offers.fire": "A"}
    play = PASS + "ann: fire for 1 for the dealers\nroll 3 3\nroll 3 3\ndead game"
    table = deal(play, elect=fire).table
    assert (table.made, table.thrown, table.riding) == (frozenset(), frozenset(), frozenset())
    table = deal(play.replace("dead game", "table closes"), elect=fire).table
    assert (table.made, table.thrown, table.riding) == (frozenset(), frozenset(), frozenset())


def test_a_special_roll_ends_with_the_game() -> None:
    come = PASS + "roll 3 3\nann: come for 10\nroll 4 4\nroll 3 3\nroll 5 3\n"
    assert deal(come.replace("roll 5 3\n", "roll 5 4")).table.special
    table = deal(come + "dead game").table
    assert (table.special, table.puck) == (False, None)


def test_a_wager_of_somebody_who_left_plays_on() -> None:
    play = PASS + "roll 3 3\nann leaves\ndead game"
    assert reason(deal(play, refused=["custom"])) == "wagers of ann are up: pass line"


@pytest.mark.clause("new-jersey:19:47-1.7(b)1#1")
def test_a_table_that_opens_again_offers_the_dice_as_at_first() -> None:
    play = "ann: pass for 10\nroll 6 5\ntable closes\ntable opens\n"
    play += "ann: pass for 10\nbob: pass for 10\nroll 3 3"
    assert shooter(deal(play, "ann 1000, bob 1000")) == "ann"


def test_a_game_with_the_dice_out_is_alive() -> None:
    play = PASS + "dice out\nann: pass down\ndead game\ntable closes"
    assert reason(deal(play, refused=["custom"] * 2)) == "the dice are out: wait until they rest"


def test_a_dead_game_is_dead_once() -> None:
    assert reason(deal("dead game\ndead game", refused=["custom"])) == "the game is dead"
    assert reason(deal("table closes\ndead game", refused=["custom"])) == "the game is closed"


def test_the_shooter_gives_the_dice_up_as_the_game_dies() -> None:
    dealt = deal("ann takes the dice\ndead game")
    assert notes(dealt)[0].startswith("ann passes the dice, the game is dead")
    assert shooter(dealt) is None


def test_a_book_may_leave_dice_out_of_the_bowl() -> None:
    dealt = deal("dead game", book="iowa", but={"dead_game/bowl/is": "unused"})
    assert notes(dealt) == ["the game is dead: 3 dice in the bowl [dead-game.2#2]"]


@pytest.mark.parametrize(
    "line",
    [
        *("ann: pass for 10", "ann buys in 100", "ann takes the dice"),
        "ann: pass for 5 for the dealers",
    ],
)
def test_whoever_comes_up_to_play_wakes_the_game(line: str) -> None:
    dealt = deal(f"dead game\n{line}")
    assert notes(dealt)[0].startswith("ann comes up: the bowl is emptied")
    assert dealt.table.status == "live"


def test_what_is_no_play_wakes_nobody() -> None:
    dealt = deal("dead game\nann colours up\nann: pass for 1\nroll 3 3", refused=["custom"] * 2)
    assert dealt.table.status == "dead"


def test_a_book_may_leave_the_bowl_alone() -> None:
    but = {"dead_game/dump/is": False}
    deal("dead game\n" + PASS + "roll 3 3", book="dealer-school", but=but, refused=["stick.11.a"])


@pytest.mark.parametrize("line", ["ann: pass for 10", "ann buys in 100", "ann takes the dice"])
def test_nothing_is_played_at_a_closed_table(line: str) -> None:
    dealt = deal(f"table closes\n{line}\nroll 3 3\ntable closes", refused=["custom"] * 3)
    assert reason(dealt) == "the table is closed"


def test_a_table_that_opens_goes_on_with_its_dice_by_custom() -> None:
    assert throws(deal("ann takes the dice\ntable closes\ntable opens\n" + PASS + "roll 3 3"))


def test_an_open_table_is_not_opened() -> None:
    deal("table opens", refused=["custom"])


def test_a_book_may_open_again_with_the_dice_it_has() -> None:
    same = {"inspection/reopen/is": "same-set"}
    play = "table closes\ntable opens\n" + PASS + "roll 3 3"
    assert throws(deal(play, book="maryland-crapless", but=same))


def test_fresh_dice_may_come_while_the_table_is_closed() -> None:
    play = "table closes\nnew dice reopen\ntable opens\n" + PASS + "roll 3 3"
    assert throws(deal(play, book="maryland-crapless"))
