"""What a throw does to one player's wagers, and what lies there afterwards."""

from __future__ import annotations

import pytest

from passline.game.dice.dice import outcome_index
from passline.game.layout.settle import Throw, settle
from passline.game.layout.stakes import Settlement, Stake, apply_settlements
from tests.layout.felts import felt, throw


def test_a_winner_comes_down_with_its_pay_or_stays_where_the_book_has_it_stay() -> None:
    assert throw(felt(), {"pass": 10}, 4, 3) == ["pass win 10 back 20 left 0"]
    assert throw(felt(), {"place-win-8": 12}, 5, 3, puck=6) == [
        "place-win-8 win 14 back 14 left 12"
    ]


def test_settlements_come_in_layout_order_whatever_was_bet_first() -> None:
    wagers = {"hard-8": 5, "field": 5, "place-win-8": 12, "pass": 10}
    settled = throw(felt(), wagers, 4, 3, puck=6)
    assert [line.split()[0] for line in settled] == ["pass", "place-win-8", "field", "hard-8"]


def test_a_void_flat_wager_stays_on_its_spot() -> None:
    assert throw(felt(), {"dont-pass": 10}, 6, 6) == ["dont-pass push 10 back 0 left 10"]


def test_odds_that_are_off_come_back_when_their_flat_is_decided() -> None:
    wagers = {"come-9": 10, "come-odds-9": 10}
    assert throw(felt(), wagers, 4, 3) == [
        "come-9 lose 10 back 0 left 0",
        "come-odds-9 return 10 back 10 left 0",
    ]
    assert throw(felt(), wagers, 4, 3, puck=6)[1] == "come-odds-9 lose 10 back 0 left 0"
    assert throw(felt(), wagers, 4, 2) == []


def test_odds_come_back_by_the_clause_that_rests_them_or_by_the_players_call() -> None:
    wagers = {"come-odds-9": Stake(1000), "pass-odds": Stake(1000, call=False)}
    resting = settle(felt(), "ann", wagers, Throw(outcome_index(4, 3), 7, 0))
    assert [s.cite for s in resting] == ["19:47-1.3(e)#2"]
    called = settle(felt(), "ann", wagers, Throw(outcome_index(4, 2), 6, 6))
    assert [s.cite for s in called] == ["custom: the odds were called off"]


def test_a_place_wager_that_is_off_does_not_see_the_roll() -> None:
    off, on = Stake(1200, call=False), Stake(1200, call=True)
    assert throw(felt(), {"place-win-8": off}, 4, 3, puck=6) == []
    assert throw(felt(), {"place-win-8": 12}, 4, 3) == []
    assert throw(felt(), {"place-win-8": on}, 4, 3) == ["place-win-8 lose 12 back 0 left 0"]


# Breakage


@pytest.mark.parametrize(("how", "paid"), [("down", "12"), ("up", "13")])
def test_a_win_that_does_not_come_out_even_is_broken_down_or_up(how: str, paid: str) -> None:
    # Eleven on the six at 7 to 6 wins 12.83.
    layout = felt("iowa", elect={"limits.breakage": how})
    settled = throw(layout, {"place-win-6": 11}, 4, 2, puck=4)
    assert settled == [f"place-win-6 win {paid} back {paid} left 11"]


def test_a_win_in_whole_chips_is_never_broken() -> None:
    layout = felt("iowa", elect={"limits.breakage": "up"})
    assert throw(layout, {"place-win-6": 12}, 4, 2, puck=4)[0].startswith("place-win-6 win 14 ")


def test_a_fraction_of_a_chip_counts_as_breakage() -> None:
    # Five at 3 to 2 wins 7.50: whole cents, but no whole chip.
    layout = felt("iowa", elect={"limits.breakage": "up"})
    wagers = {"pass": 10, "pass-odds": 5}
    assert throw(layout, wagers, 3, 2, puck=5)[1].startswith("pass-odds win 8 ")
    assert throw(felt("iowa"), wagers, 3, 2, puck=5)[1].startswith("pass-odds win 7 ")


def test_true_odds_may_break_another_way() -> None:
    layout = felt("iowa", but={"stakes/true_odds_breakage/is": "up"})
    wagers = {"pass": 10, "pass-odds": 5, "place-win-5": 6}
    settled = throw(layout, wagers, 3, 2, puck=5)
    # Five at 3 to 2 is 7.50, up to 8; six at 7 to 5 is 8.40, down to 8.
    assert settled[1].startswith("pass-odds win 8 ")
    assert settled[2].startswith("place-win-5 win 8 ")
    buy = throw(layout, {"buy-5": Stake(500, 500)}, 3, 2, puck=4)
    assert buy[0].startswith("buy-5 win 8 ")


# Netting


def test_in_iowa_losing_center_wagers_come_out_of_the_win_and_all_stay_up() -> None:
    settled = throw(felt("iowa"), {"eleven": 5, "any-craps": 5, "field": 5}, 6, 5)
    assert settled == [
        "field win 5 back 10 left 0",
        "any-craps lose 5 back -5 left 5",
        "eleven win 75 back 75 left 5",
    ]


def test_a_win_that_does_not_cover_the_losers_nets_nothing() -> None:
    settled = throw(felt("iowa"), {"any-seven": 1, "horn": 8}, 4, 3)
    assert settled == ["any-seven win 4 back 5 left 0", "horn lose 8 back 0 left 0"]


def test_a_win_that_just_covers_them_does() -> None:
    settled = throw(felt("iowa"), {"any-seven": 2, "horn": 8}, 4, 3)
    assert settled == ["any-seven win 8 back 8 left 2", "horn lose 8 back -8 left 8"]


@pytest.mark.parametrize("wagers", [{"eleven": 5, "field": 5}, {"any-craps": 5, "horn": 4}])
def test_with_only_winners_or_only_losers_there_is_nothing_to_net(wagers: dict[str, int]) -> None:
    dice = (6, 5) if "eleven" in wagers else (5, 4)
    assert all(line.endswith("left 0") for line in throw(felt("iowa"), wagers, *dice))


@pytest.mark.parametrize("but", [{"net_center/is": False}, {"net_down/is": "at-once"}])
def test_a_book_may_net_nothing_or_take_all_down_at_once(but: dict[str, object]) -> None:
    settled = throw(felt("iowa", but=but), {"eleven": 5, "any-craps": 5}, 6, 5)
    assert settled == ["any-craps lose 5 back 0 left 0", "eleven win 75 back 80 left 0"]


def test_other_books_settle_each_by_itself() -> None:
    settled = throw(felt(), {"eleven": 5, "any-craps": 5}, 6, 5)
    assert settled == ["any-craps lose 5 back 0 left 0", "eleven win 75 back 80 left 0"]


# Gathering


def test_fire_waits_for_the_seven_out() -> None:
    layout = felt(elect={"offers.fire": "A"})
    made = frozenset({4, 5, 6, 8})
    assert throw(layout, {"fire": 5}, 5, 3, puck=8, made=made) == []
    assert throw(layout, {"fire": 5}, 4, 3, made=made) == []
    assert throw(layout, {"fire": 5}, 4, 3, puck=9, made=made) == ["fire win 120 back 125 left 0"]
    assert throw(layout, {"fire": 5}, 4, 3, puck=9, made=frozenset({4})) == [
        "fire lose 5 back 0 left 0"
    ]


def test_bonus_counts_only_the_totals_it_needs() -> None:
    layout = felt("maryland-crapless", elect={"offers.bonus": "B"})
    small, tall = frozenset({2, 3, 4, 5, 6}), frozenset({8, 9, 10, 11, 12})
    assert throw(layout, {"all-small": 5}, 4, 2, thrown=small) == [
        "all-small win 150 back 155 left 0"
    ]
    assert throw(layout, {"all-small": 5}, 6, 6, thrown=tall) == []
    assert throw(layout, {"make-them-all": 5}, 6, 6, thrown=small | tall) == [
        "make-them-all win 750 back 755 left 0"
    ]


# What is left


def test_what_was_not_settled_lies_as_it_lay() -> None:
    wagers = {"pass": Stake(1000, 1000, match=500), "hard-8": Stake(500, 500, call=False)}
    assert apply_settlements(wagers, []) == wagers


def test_a_travelled_wager_lies_on_its_number() -> None:
    layout = felt()
    wagers = {"come": Stake(1000, 1000), "field": Stake(500, 500)}
    settled = settle(layout, "ann", wagers, Throw(outcome_index(5, 4), 9, 6))
    assert apply_settlements(wagers, settled) == {"come-9": Stake(1000, 1000)}


def test_a_come_wager_takes_the_place_of_the_one_that_won_on_its_number() -> None:
    wagers = {"come-9": Stake(1000, 1000), "come": Stake(500, 500)}
    settled = settle(felt(), "ann", wagers, Throw(outcome_index(5, 4), 9, 6))
    assert [s.result for s in settled] == ["travel", "win"]
    assert apply_settlements(wagers, settled) == {"come-9": Stake(500, 500)}


def test_a_call_ends_with_the_decision() -> None:
    wagers = {"place-win-8": Stake(1200, 1200, call=True)}
    settled = settle(felt(), "ann", wagers, Throw(outcome_index(5, 3), 8, 0))
    assert apply_settlements(wagers, settled) == {"place-win-8": Stake(1200, 1200)}


def test_it_ends_too_where_a_loser_is_netted_and_stays_up() -> None:
    """Iowa's hardway that came easy was decided, though it lies there still."""
    wagers = {"hard-8": Stake(500, 500, call=True), "hop-2-6": Stake(500, 500)}
    throw = Throw(outcome_index(2, 6), 8, 0)
    settled = settle(felt("iowa"), "ann", wagers, throw)
    assert [(s.wager, s.result, s.left) for s in settled] == [
        ("hard-8", "lose", 500),
        ("hop-2-6", "win", 500),
    ]
    assert apply_settlements(wagers, settled)["hard-8"] == Stake(500, 500)


def test_it_lasts_while_nothing_is_decided() -> None:
    wagers = {"hard-8": Stake(500, 500, call=False), "place-win-6": Stake(600, 600, call=True)}
    settled = settle(felt("iowa"), "ann", wagers, Throw(outcome_index(5, 4), 9, 0))
    assert apply_settlements(wagers, settled) == wagers


def test_a_push_keeps_everything_the_wager_had() -> None:
    wagers = {"dont-pass": Stake(1000, 1000, match=500)}
    settled = settle(felt(), "ann", wagers, Throw(outcome_index(6, 6), 12, 0))
    assert apply_settlements(wagers, settled) == wagers


def test_odds_that_were_handed_back_are_gone() -> None:
    wagers = {"come-9": Stake(1000, 1000), "come-odds-9": Stake(1000, 1000)}
    settled = settle(felt(), "ann", wagers, Throw(outcome_index(4, 3), 7, 0))
    assert apply_settlements(wagers, settled) == {}


def test_an_award_for_no_wager_leaves_the_layout_alone() -> None:
    award = Settlement(
        player="ann",
        wager="shootout",
        stake=0,
        result="win",
        odds=None,
        paid=10000,
        vig=0,
        cite="shootout.intro.1",
        back=10000,
        left=0,
    )
    assert apply_settlements({"pass": Stake(500, 500)}, [award]) == {"pass": Stake(500, 500)}


def test_a_loser_seven_is_a_seven_with_a_point_on() -> None:
    index = outcome_index(4, 3)
    assert Throw(index, 7, 6).loser_seven
    assert not Throw(index, 7, 0).loser_seven
    assert not Throw(outcome_index(3, 3), 6, 6).loser_seven
