"""Fire and bonus wagers: gathered over many rolls, and across a change of shooter."""

from __future__ import annotations

import pytest

from tests.table.games import deal, rail, reason, settled, up

TWO = "ann 1000, bob 1000"
FIRE = {"offers.fire": "A"}
BONUS = {"offers.bonus": "A"}
MADE = {4: "roll 2 2\n" * 2, 5: "roll 3 2\n" * 2, 6: "roll 4 2\n" * 2, 8: "roll 5 3\n" * 2}
MADE |= {9: "roll 5 4\n" * 2, 10: "roll 6 4\n" * 2, 2: "roll 1 1\n" * 2}
#: A point of ten, and a seven-out.
OUT = "roll 6 4\nroll 4 3\n"


def making(*points: int, who: str = "ann") -> str:
    """Each of these points set and made, a line wager up every time."""
    return "".join(f"{who}: pass for 5\n{MADE[point]}" for point in points) + f"{who}: pass for 5\n"


@pytest.mark.parametrize(
    ("points", "win"), [((4, 5, 6, 8), 120), ((4, 5, 6, 8, 9), 1245), ((4, 5, 6, 8, 9, 10), 4995)]
)
def test_fire_pays_by_the_points_made_before_the_seven_out(
    points: tuple[int, ...], win: int
) -> None:
    dealt = deal("ann: fire for 5\n" + making(*points) + OUT, elect=FIRE)
    assert settled(dealt) == ["ann pass lose 5", f"ann fire win {win}"]


def test_fewer_than_four_points_lose_it() -> None:
    dealt = deal("ann: fire for 5\n" + making(4, 5, 6) + OUT, elect=FIRE)
    assert settled(dealt) == ["ann pass lose 5", "ann fire lose 5"]


def test_a_point_made_twice_counts_once() -> None:
    dealt = deal("ann: fire for 5\n" + making(4, 5, 6, 6, 4) + OUT, elect=FIRE)
    assert "ann fire lose 5" in settled(dealt)


def test_a_come_out_seven_settles_no_fire_wager() -> None:
    dealt = deal("ann: fire for 5\nann: pass for 5\nroll 4 3", elect=FIRE)
    assert up(dealt) == {"fire": "5"}


def test_six_or_more_of_ten_points_pay_the_top_line_in_crapless() -> None:
    play = "ann: fire for 5\n" + making(4, 5, 6, 8, 9, 10, 2) + OUT
    dealt = deal(play, book="maryland-crapless", elect=FIRE)
    assert settled(dealt)[1] == "ann fire win 4995"


# A change of shooter


def test_when_the_dice_pass_what_the_successor_makes_counts_on() -> None:
    play = "ann: fire for 5\n" + making(4, 5) + "ann passes the dice\n"
    dealt = deal(play + making(6, 8, who="bob") + OUT, TWO, elect=FIRE)
    assert "ann fire win 120" in settled(dealt)


def test_no_new_fire_wager_while_one_rides() -> None:
    play = "ann: fire for 5\n" + making(4) + "ann passes the dice\nbob: pass for 5; fire for 1\n"
    dealt = deal(play, TWO, elect=FIRE, refused=["custom"])
    assert reason(dealt) == "fire waits until those already riding are decided"


def test_once_it_is_decided_a_new_shooter_brings_new_ones() -> None:
    play = "ann: fire for 5\n" + making(4) + OUT + "bob: pass for 5; fire for 1\n"
    assert up(deal(play, TWO, elect=FIRE), "bob") == {"pass": "5", "fire": "1"}


def test_what_was_gathered_does_not_count_for_the_next_ones() -> None:
    play = "ann: fire for 5\n" + making(4, 5, 6) + OUT
    again = "bob: fire for 5\n" + making(8, who="bob") + OUT
    assert "bob fire lose 5" in settled(deal(play + again, TWO, elect=FIRE))


@pytest.mark.clause("new-jersey:19:47-1.2(a)40#1")
def test_fire_is_made_before_a_new_shooters_first_come_out_only() -> None:
    cite = "19:47-1.2(a)40#1"
    play = "ann: pass for 5\nroll 4 3\nann: fire for 5; pass for 5\nroll 3 3\nann: fire for 5\n"
    deal(play, elect=FIRE, refused=[cite, cite])


def test_several_may_bet_before_that_roll() -> None:
    dealt = deal("ann: fire for 5\nbob: fire for 1", TWO, elect=FIRE)
    assert (up(dealt), up(dealt, "bob")) == ({"fire": "5"}, {"fire": "1"})


@pytest.mark.parametrize(
    ("say", "cite"),
    [
        ("fire for 1", "19:47-1.3(c)2#1"),
        ("fire to 3", "19:47-1.3(c)2#1"),
        ("fire to 1", "19:47-1.3(c)2#1"),
        ("fire down", "19:47-1.3(c)2#2"),
    ],
)
def test_a_fire_wager_lies_until_it_is_decided(say: str, cite: str) -> None:
    dealt = deal(f"ann: fire for 2\nann: {say}", elect=FIRE, refused=[cite])
    assert up(dealt) == {"fire": "2"}


@pytest.mark.parametrize(
    ("amount", "cite"),
    [("6", "19:47-1.12(b)1#2"), ("0.50", "19:47-1.12(b)1#1"), ("1.50", "19:47-1.12(b)1#3")],
)
def test_fire_takes_one_to_five_whole_dollars(amount: str, cite: str) -> None:
    elect = {**FIRE, "limits.smallest_chip": "0.50"}
    deal(f"ann: fire for {amount}", elect=elect, refused=[cite])


def test_fire_is_not_dealt_at_mini_craps_nor_where_it_is_not_elected() -> None:
    deal("ann: fire for 1", game="mini-craps", refused=["19:47-1.2(a)#2"])
    deal("ann: fire for 1", refused=["19:47-1.12(a)"])


# Bonus


SMALL = "roll 1 1\nroll 1 2\nroll 2 2\nroll 3 2\n"


def bonus(play: str, players: str = "ann 1000", refused: tuple[str, ...] = ()) -> list[str]:
    dealt = deal(play, players, book="maryland-crapless", elect=BONUS, refused=refused)
    return settled(dealt)


def test_all_small_is_paid_as_soon_as_its_five_totals_are_thrown() -> None:
    # The point is the two of the first roll; 3, 4 and 5 decide nothing; the 6 completes.
    assert bonus(f"ann: pass for 5; all-small for 5\n{SMALL}roll 4 2") == ["ann all-small win 170"]


def test_any_seven_takes_what_is_not_complete() -> None:
    taken = bonus("ann: pass for 5; all-tall for 5; all-small for 5\nroll 4 3")
    assert taken == ["ann pass win 5", "ann all-small lose 5", "ann all-tall lose 5"]


def test_the_others_ride_on_when_one_is_paid() -> None:
    play = f"ann: pass for 5; all-small for 5; make-them-all for 5\n{SMALL}roll 4 2\n"
    rest = "roll 5 3\nroll 5 4\nroll 6 4\nroll 6 5\nroll 6 6"
    assert bonus(play + rest) == ["ann make-them-all win 875"]


def test_totals_thrown_by_a_successor_count() -> None:
    play = f"ann: pass for 5; all-small for 5\n{SMALL}ann passes the dice\nroll 4 2"
    assert bonus(play, TWO) == ["ann all-small win 170"]


def test_what_a_paid_one_gathered_does_not_count_for_the_next() -> None:
    play = f"ann: pass for 5; all-small for 5\n{SMALL}roll 4 2\nroll 1 1\nann passes the dice\n"
    assert bonus(play + "bob: pass for 5; all-small for 5\nroll 4 2", TWO) == []


def test_fire_and_bonus_gather_apart() -> None:
    elect = {**FIRE, **BONUS}
    play = "ann: pass for 5; fire for 1; all-small for 5\nroll 4 3\n"
    dealt = deal(play, book="maryland-crapless", elect=elect)
    assert up(dealt) == {"fire": "1"}
    assert dealt.table.riding == {"points-made"}


def test_a_paid_bonus_wager_comes_down_with_its_stake() -> None:
    play = f"ann: pass for 5; all-small for 5\n{SMALL}roll 4 2"
    dealt = deal(play, book="maryland-crapless", elect=BONUS)
    assert (rail(dealt), up(dealt)) == ("1165", {"pass": "5"})  # 990 and 175
