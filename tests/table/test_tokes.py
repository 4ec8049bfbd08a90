"""Tokes that are wagers, and change."""

from __future__ import annotations

import pytest

from passline.game.house.house import make_house
from passline.game.law.load import rulebook
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.open_close import open_table
from passline.game.table.state import DEALERS
from tests.table.games import deal, money, notes, rail, reason, settled, shooter, up

PASS = "ann: pass for 10\n"
TWO = "ann 1000, bob 1000"


def test_a_wager_for_the_dealers_is_theirs() -> None:
    dealt = deal("ann: hard-8 for 1 for the dealers", book="iowa")
    assert (rail(dealt), up(dealt), up(dealt, DEALERS)) == ("999", {}, {"hard-8": "1"})
    assert notes(dealt) == [
        "ann has hard 8 up for the dealers, $1, announced [tokes.2]",
        "the dealers: hard 8 for $1",
    ]


def test_what_it_wins_and_what_comes_down_go_to_the_toke_box() -> None:
    dealt = deal(PASS + "ann: eleven for 1 for the dealers\nroll 6 5")
    assert settled(dealt) == ["ann pass win 10", "the dealers eleven win 15"]
    assert (money(dealt.table.tokes), up(dealt, DEALERS), rail(dealt)) == ("16", {}, "1009")


def test_what_it_loses_is_the_houses() -> None:
    dealt = deal(PASS + "ann: eleven for 1 for the dealers\nroll 3 3")
    assert (money(dealt.table.tokes), money(dealt.table.win)) == ("0", "1")


def test_players_add_to_the_dealers_wager() -> None:
    dealt = deal("ann: hard-8 for 1 for the dealers\nbob: hard-8 for 2 for the dealers", TWO)
    assert up(dealt, DEALERS) == {"hard-8": "3"}


def test_vigorish_comes_from_the_player() -> None:
    dealt = deal("ann: buy-4 for 20 for the dealers")
    assert (rail(dealt), up(dealt, DEALERS), money(dealt.table.vig)) == (
        "979",
        {"buy-4": "20"},
        "1",
    )


def test_a_wager_that_is_booked_as_its_parts_is_so_for_the_dealers() -> None:
    dealt = deal("ann: horn-high-12 for 5 for the dealers", elect={"layout.horn-high": "false"})
    assert sum(int(amount) for amount in up(dealt, DEALERS).values()) == 5
    assert rail(dealt) == "995"


def test_the_limits_are_those_of_any_wager() -> None:
    deal("ann: pass for 4 for the dealers", refused=["custom"])
    dealt = deal("ann: pass for 20 for the dealers", "ann 10", refused=["19:47-1.3(b)#1"])
    assert reason(dealt) == "ann needs $20 and has $10 in the rail"


def test_odds_for_the_dealers_need_a_flat_of_theirs() -> None:
    play = PASS + "{}roll 3 3\nann: pass-odds for 5 for the dealers"
    deal(play.format("ann: pass for 5 for the dealers\n"))
    refused = deal(play.format(""), refused=["19:47-1.6(a)#1"])
    assert DEALERS not in [seat.name for seat in refused.table.seats]


def test_it_makes_nobody_a_shooter() -> None:
    deal("ann: pass for 10 for the dealers\nroll 3 3", refused=["19:47-1.8#1"])


def test_the_dealers_are_never_offered_the_dice() -> None:
    play = "ann: pass for 5 for the dealers\n" + PASS + "bob: pass for 10\nroll 3 3\nroll 4 3\n"
    play += PASS + "bob: pass for 10\nroll 3 3\nroll 4 3\n" + PASS + "roll 3 3"
    assert shooter(deal(play, TWO)) == "ann"
    right = {"dice/first/craps/is": "right"}
    play = "ann: pass for 5 for the dealers\nbob: pass for 10\n" + PASS + "roll 3 3"
    assert shooter(deal(play, TWO, but=right)) == "bob"


def test_the_dealers_ask_for_nothing() -> None:
    table = deal("ann: pass for 5 for the dealers").table
    for command in (cmd.BuyIn(DEALERS, 500), cmd.TakeDown(DEALERS, "pass")):
        with pytest.raises(ValueError, match="no player 'the dealers'"):
            decide(table, command)


def test_no_player_has_the_dealers_name() -> None:
    with pytest.raises(ValueError, match="the dealers'"):
        open_table(make_house(rulebook("iowa")), ("ann", DEALERS))


def test_fire_gathers_for_the_dealers_alone() -> None:
    fire = "ann: fire for 1 for the dealers\n" + PASS
    made = "".join(f"roll {a} {b}\n" * 2 + PASS for a, b in ((2, 2), (2, 3), (3, 3), (4, 4)))
    dealt = deal(fire + made + "roll 5 4\nroll 4 3", elect={"offers.fire": "A"})
    assert dealt.table.tokes > 0


def test_the_dealers_have_no_share_of_the_shootout() -> None:
    points = "".join(
        f"roll {a} {b}\n" * 2 + PASS for a, b in ((2, 2), (2, 3), (3, 3), (4, 4), (5, 4), (5, 5))
    )
    dealt = deal(PASS + "ann: pass for 5 for the dealers\n" + points, book="iowa")
    awards = [
        done.player
        for entry in dealt.entries
        for event in entry.events
        for done in getattr(event, "settlements", ())
        if done.wager in {"shootout", "share-the-wealth"}
    ]
    assert "ann" in awards
    assert DEALERS not in awards


def test_a_book_may_take_no_tips_or_no_wagers_for_them() -> None:
    say = "ann: hard-8 for 1 for the dealers"
    deal(say, book="iowa", but={"tender/toke/is": "refuse"}, refused=["tokes.1"])
    deal(say, book="iowa", but={"tender/toke_bets/is": False}, refused=["tokes.2"])


def test_the_json_has_the_dealers_while_they_have_wagers_up() -> None:
    open_ = deal(PASS + "ann: hard-8 for 1 for the dealers").to_json()
    assert open_["dealers"] == {"layout": "1.00", "wagers": {"hard-8": "1.00"}}
    assert open_["house"]["tokes"] == "0.00"
    over = deal(PASS + "ann: eleven for 1 for the dealers\nroll 6 5").to_json()
    assert "dealers" not in over
    named = {done["player"] for roll in over["rolls"] for done in roll["settlements"]}
    assert named == {"ann", DEALERS}
    assert list(over["players"]) == ["ann"]
    assert (over["house"]["win"], over["house"]["tokes"]) == ("-25.00", "16.00")


# Change


def test_change_moves_no_money() -> None:
    dealt = deal("ann changes 100 to green")
    assert notes(dealt) == ["ann changes $100 to 4 green"]
    assert rail(dealt) == "1000"


def test_change_is_cut_in_the_chips_of_the_rack() -> None:
    assert "it has yellow, purple" in reason(deal("ann changes 100 to mauve", refused=["custom"]))
    assert reason(deal("ann changes 110 to green", refused=["custom"])) == (
        "$110 is no multiple of $25, which a green chip is"
    )


def test_change_comes_from_the_rail() -> None:
    deal("ann changes 2000 to green", refused=["19:47-1.3(b)#1"])
