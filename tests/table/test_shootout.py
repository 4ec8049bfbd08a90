"""Iowa's Craps Shootout: all six points in one turn, and a bonus that grows by the day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from passline.game.table.state import ShootoutNote, ShootoutState
from passline.game.words.events import describe_shootout_note
from passline.record.deal import Dealt
from tests.table.games import deal, notes, rail, settled

FOUR = "ann 1000, bob 1000, cat 1000, dan 1000"
POINTS = {4: "2 2", 5: "3 2", 6: "4 2", 8: "5 3", 9: "5 4", 10: "6 4"}
OUT = "roll 2 2\nroll 4 3\n"


def making(*points: int, who: str = "ann") -> str:
    """These points set and made, one after the other."""
    return "".join(f"{who}: pass for 5\n" + f"roll {POINTS[p]}\n" * 2 for p in points)


ALL = making(4, 5, 6, 8, 9, 10)
#: The same, bob laying against the four from the fifth point on: that wager is up at the hit.
SHARED = making(4, 5, 6, 8, 9) + "bob: lay-4 for 10\n" + making(10)


def run(
    play: str,
    players: str = FOUR,
    *,
    but: Mapping[str, Any] | None = None,
    refused: Sequence[str] = (),
    elect: Mapping[str, str] | None = None,
) -> Dealt:
    return deal(play, players, book="iowa", but=but, refused=refused, elect=elect)


def state(dealt: Dealt) -> ShootoutState:
    found = dealt.table.shootout
    assert found is not None
    return found


# A hit


@pytest.mark.clause("iowa:shootout.intro.1")
@pytest.mark.parametrize("order", [(4, 5, 6, 8, 9, 10), (10, 9, 8, 6, 5, 4)])
def test_all_six_points_in_one_turn_win_the_bonus(order: tuple[int, ...]) -> None:
    dealt = run(making(*order))
    assert settled(dealt) == ["ann pass win 5", "ann shootout win 100"]
    assert rail(dealt) == "1130"  # six pass wagers of 5, and 100


def test_repeats_come_out_sevens_and_craps_neither_count_nor_reset() -> None:
    start = making(4, 4, 4, 5, 6, 8) + "ann: pass for 5\nroll 4 3\nann: pass for 5\nroll 1 1\n"
    assert "ann shootout win 100" not in settled(run(start + making(9, 9)))
    assert "ann shootout win 100" in settled(run(start + making(9, 10)))


def test_the_dont_side_qualifies_too() -> None:
    play = "ann: dont-pass for 5\nroll 2 2\nroll 2 2\n" + making(5, 6, 8, 9, 10)
    assert "ann shootout win 100" in settled(run(play))


def test_without_a_line_wager_on_it_a_point_does_not_count() -> None:
    # In this book every throw needs one; in one where only the come-out does, it may be missing.
    but = {"dice/line_bet/is": "come-out"}
    bare = "ann: dont-pass for 5\nroll 2 2\nann: dont-pass down\nroll 2 2\n"
    dealt = run(bare + making(5, 6, 8, 9, 10), but=but)
    assert state(dealt).made == {5, 6, 8, 9, 10}
    assert settled(dealt) == ["ann pass win 5"]


def test_five_points_and_a_seven_out_win_nothing_and_begin_anew() -> None:
    dealt = run(making(4, 5, 6, 8, 9) + "ann: pass for 5\n" + OUT)
    assert settled(dealt) == ["ann pass lose 5"]
    assert state(dealt) == ShootoutState(10000)


def test_the_next_shooter_starts_from_nothing() -> None:
    play = making(4, 5, 6, 8, 9) + "ann: pass for 5\n" + OUT
    assert state(run(play + making(10, who="bob"))).made == {10}


@pytest.mark.clause("iowa:shootout.9")
def test_after_a_hit_the_bonus_starts_again_and_the_shooter_may_win_it_again() -> None:
    grown = "clock 2007-04-02 08:00\nclock 2007-04-04 10:00\n"
    dealt = run(grown + ALL + ALL)
    assert settled(dealt) == ["ann pass win 5", "ann shootout win 100"]
    # Three nines in the morning went by: twelve pass wagers of 5, then 400 and 100.
    assert rail(dealt) == "1560"


def test_a_house_may_run_no_shootout() -> None:
    play = "clock 2007-04-02 08:00\n" + ALL + "ann passes the dice\nclock 2007-04-03 10:00\n"
    dealt = run(play, elect={"offers.shootout": "false"})
    assert dealt.table.shootout is None
    assert settled(dealt) == ["ann pass win 5"]


# Share the wealth


@pytest.mark.clause("iowa:shootout.10#2")
def test_everybody_else_with_a_wager_up_shares_once() -> None:
    play = making(4, 5, 6, 8, 9) + "ann: pass for 5\nroll 6 4\nbob: field for 5; hard-8 for 1\n"
    dealt = run(play + "cat: place-win-10 for 5\nroll 6 4")
    shares = [line for line in settled(dealt) if "share" in line]
    # The wagers are counted before the throw settles them; dan has none.
    assert shares == ["bob share-the-wealth win 10", "cat share-the-wealth win 10"]


@pytest.mark.parametrize(
    ("days", "bonus", "share"),
    [(0, "100", "10"), (6, "700", "10"), (7, "800", "20"), (13, "1400", "20"), (14, "1500", "30")],
)
def test_the_share_goes_by_the_bonus(days: int, bonus: str, share: str) -> None:
    clocks = f"clock 2007-04-01 10:00\nclock 2007-04-{1 + days:02d} 10:00\n"
    dealt = run(clocks + SHARED)
    assert f"ann shootout win {bonus}" in settled(dealt)
    assert f"bob share-the-wealth win {share}" in settled(dealt)


def test_a_book_may_share_only_with_line_wagers_and_with_the_shooter() -> None:
    but = {"shootout/share_needs/is": "line-bet", "shootout/share_shooter/is": True}
    play = "bob: pass for 5\n" + making(4, 5, 6, 8, 9) + "bob: pass for 5\ncat: lay-4 for 10\n"
    shares = [line for line in settled(run(play + making(10), but=but)) if "share" in line]
    assert shares == ["ann share-the-wealth win 10", "bob share-the-wealth win 10"]


def test_a_bonus_that_no_line_of_the_table_names_is_not_shared() -> None:
    dealt = run(SHARED, but={"shootout/start/is": 50})
    assert "ann shootout win 50" in settled(dealt)
    assert not any("share" in line for line in settled(dealt))


@pytest.mark.clause("iowa:shootout.11")
def test_both_awards_come_out_of_the_tables_bank() -> None:
    hit, before = run(SHARED), run(SHARED.removesuffix("roll 6 4\n"))
    # The last ten wins the pass wager's 5, the bonus of 100 and bob's share of 10.
    assert before.table.win - hit.table.win == 500 + 10000 + 1000


# Void runs


@pytest.mark.clause("iowa:shootout.12#1")
def test_dice_passed_by_choice_void_the_run() -> None:
    play = making(4, 5, 6, 8, 9) + "bob: pass for 5\nann passes the dice\n"
    dealt = run(play)
    assert state(dealt) == ShootoutState(10000, open=False)
    assert notes(dealt)[-1] == "shootout $100, points made: none, waits for a seven-out"


@pytest.mark.clause("iowa:shootout.12#3")
def test_after_a_pass_the_next_run_begins_with_a_seven_out() -> None:
    play = making(4) + "ann passes the dice\n" + making(4, 5, 6, 8, 9, 10, who="bob")
    assert "bob shootout win 100" not in settled(run(play))
    after = play + "bob: pass for 5\n" + OUT + making(4, 5, 6, 8, 9, 10, who="cat")
    assert "cat shootout win 100" in settled(run(after))


def test_an_order_to_pass_voids_it_too() -> None:
    dealt = run(making(4, 5) + "supervisor orders ann to pass for delay")
    assert not state(dealt).open


def test_so_does_leaving_with_the_dice() -> None:
    assert not state(run(making(4, 5) + "ann leaves")).open


def test_dice_passed_before_the_first_throw_void_nothing() -> None:
    dealt = run("ann takes the dice\nann passes the dice\n" + making(4, who="bob"))
    assert state(dealt) == ShootoutState(10000, frozenset({4}))


def test_a_book_may_let_the_run_go_on_when_the_dice_pass() -> None:
    but = {"shootout/void_on_pass/is": False}
    dealt = run(making(4, 5, 6) + "ann passes the dice\n" + making(8, 9, 10, who="bob"), but=but)
    assert "bob shootout win 100" in settled(dealt)


def test_a_book_may_open_the_next_run_with_the_next_shooter() -> None:
    but = {"shootout/resumes/is": "next-shooter"}
    play = making(4) + "ann passes the dice\n" + making(4, 5, 6, 8, 9, 10, who="bob")
    assert "bob shootout win 100" in settled(run(play, but=but))


@pytest.mark.clause("iowa:shootout.4#2")
def test_signs_of_tampering_void_the_award_and_leave_the_amount() -> None:
    play = making(4, 5, 6, 8, 9) + "ann: pass for 5\nbob: lay-4 for 10\nroll 6 4\nroll 6 4 tampered"
    dealt = run(play)
    assert settled(dealt) == ["ann pass win 5"]
    assert state(dealt).amount == 10000
    assert state(dealt).log == (ShootoutNote("void", 10000),)


def test_after_tampering_the_next_run_begins_with_a_seven_out() -> None:
    play = making(4, 5, 6, 8, 9) + "ann: pass for 5\nroll 6 4\nroll 6 4 tampered\n"
    assert "ann shootout win 100" not in settled(run(play + ALL))
    after = play + "ann: pass for 5\n" + OUT + making(4, 5, 6, 8, 9, 10, who="bob")
    assert "bob shootout win 100" in settled(run(after))


def test_a_throw_that_was_ruled_upon_is_not_taken_for_tampered() -> None:
    play = making(4, 5, 6, 8, 9) + "ann: pass for 5\nroll 6 4\nruling 6 4 by supervisor"
    assert "ann shootout win 100" in settled(run(play))


def test_tampering_on_any_other_throw_changes_nothing() -> None:
    play = making(4, 5, 6, 8, 9) + "ann: pass for 5\nroll 6 4 tampered\nroll 6 4"
    assert "ann shootout win 100" in settled(run(play))


def test_a_book_may_pay_all_the_same() -> None:
    play = making(4, 5, 6, 8, 9) + "ann: pass for 5\nroll 6 4\nroll 6 4 tampered"
    dealt = run(play, but={"shootout/void_on_tampering/is": False})
    assert "ann shootout win 100" in settled(dealt)


# The clock


@pytest.mark.clause("iowa:shootout.7")
@pytest.mark.parametrize(
    ("first", "then", "bonus"),
    [
        ("2007-04-02 08:59", "2007-04-02 09:00", 200),
        ("2007-04-02 09:00", "2007-04-03 08:59", 100),
        ("2007-04-02 09:00", "2007-04-03 09:00", 200),
        ("2007-04-02 10:00", "2007-04-05 10:00", 400),
        ("2007-04-02 08:00", "2007-04-05 08:00", 400),
        ("2007-04-02 08:00", "2007-04-05 09:30", 500),
        ("2007-12-31 10:00", "2008-01-01 09:00", 200),
    ],
)
def test_it_grows_by_a_hundred_at_each_nine_in_the_morning(
    first: str, then: str, bonus: int
) -> None:
    assert state(run(f"clock {first}\nclock {then}")).amount == bonus * 100


@pytest.mark.parametrize(
    ("then", "bonus"),
    [
        pytest.param("15", 1400, marks=pytest.mark.clause("iowa:shootout.7")),
        pytest.param("16", 1500, marks=pytest.mark.clause("iowa:shootout.8")),
        pytest.param("17", 1500, marks=pytest.mark.clause("iowa:shootout.8")),
    ],
)
def test_it_stops_at_fifteen_hundred(then: str, bonus: int) -> None:
    dealt = run(f"clock 2007-04-02 10:00\nclock 2007-04-{then} 10:00")
    assert state(dealt).amount == bonus * 100


def test_the_days_may_be_told_one_by_one() -> None:
    days = "".join(f"clock 2007-04-{day:02d} 12:00\n" for day in range(2, 20))
    dealt = run(days)
    assert state(dealt).amount == 150000
    assert [describe_shootout_note(note) for note in state(dealt).log[:2]] == [
        "2007-04-03 12:00: bonus $200",
        "2007-04-04 12:00: bonus $300",
    ]
    assert len(state(dealt).log) == 17


def test_the_first_word_of_the_time_grows_nothing() -> None:
    assert notes(run("clock 2007-04-02 10:00")) == ["it is 2007-04-02 10:00"]


def test_growing_leaves_the_run_as_it_is() -> None:
    dealt = run("clock 2007-04-02 10:00\n" + making(4, 5) + "clock 2007-04-03 10:00")
    assert state(dealt).made == {4, 5}
    assert notes(dealt)[-1] == (
        "shootout $200, points made: 4, 5, open; log: 2007-04-03 10:00: bonus $200"
    )


def test_a_hit_is_logged_with_its_time_amount_and_shares() -> None:
    dealt = run("clock 2007-04-02 10:00\n" + SHARED)
    assert [describe_shootout_note(note) for note in state(dealt).log] == [
        "2007-04-02 10:00: hit for $100, 1 shared"
    ]


def test_time_does_not_run_back() -> None:
    play = "clock 2007-04-02 10:00\nclock 2007-04-01 10:00\nclock 2007-04-02 10:00"
    dealt = run(play, refused=["custom"])
    assert dealt.table.now == "2007-04-02 10:00"


@pytest.mark.parametrize(
    ("first", "then", "bonus"),
    [("9999-12-30 08:00", "9999-12-31 10:00", 300), ("0001-01-01 08:00", "0001-01-01 09:00", 200)],
)
def test_the_clock_runs_from_the_first_day_to_the_last(first: str, then: str, bonus: int) -> None:
    assert state(run(f"clock {first}\nclock {then}")).amount == bonus * 100


def test_the_clock_runs_at_tables_without_a_shootout() -> None:
    dealt = deal("clock 2007-04-02 10:00\nclock 2007-04-03 10:00")
    assert notes(dealt) == ["it is 2007-04-03 10:00"]
