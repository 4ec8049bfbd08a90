"""Don't wagers that shrink with odds behind them: as first wagered, or trimmed."""

from __future__ import annotations

import pytest

from tests.table.games import deal, notes, rail, reason, up

#: New Jersey, multiple 1: behind 20 on don't pass, odds on the four may win 20, so 40 is laid.
NJ = "ann: dont-pass for 20\nroll 2 2\n"


@pytest.mark.clause("new-jersey:19:47-1.6(b)#2")
def test_laid_odds_may_win_as_much_as_the_flat() -> None:
    dealt = deal(
        NJ + "ann: dont-pass-odds for 42; dont-pass-odds for 40", refused=["19:47-1.6(b)#2"]
    )
    assert up(dealt) == {"dont-pass": "20", "dont-pass-odds": "40"}
    assert reason(dealt) == "don't pass odds may be at most $40 behind $20 on don't pass"


def test_in_new_jersey_odds_are_measured_by_the_flat_as_first_wagered() -> None:
    dealt = deal(NJ + "ann: dont-pass-odds for 40; dont-pass to 5")
    assert up(dealt) == {"dont-pass": "5", "dont-pass-odds": "40"}
    after = deal(NJ + "ann: dont-pass to 5; dont-pass-odds for 40")
    assert up(after) == {"dont-pass": "5", "dont-pass-odds": "40"}


@pytest.mark.clause("new-jersey:19:47-1.3(d)#2")
def test_a_flat_that_was_cut_does_not_grow_again() -> None:
    deal(NJ + "ann: dont-pass to 5; dont-pass to 10", refused=["19:47-1.3(d)#2"])
    deal(NJ + "ann: dont-pass to 30", refused=["19:47-1.2(a)2"])


def test_reducing_it_twice_still_measures_by_the_first() -> None:
    dealt = deal(NJ + "ann: dont-pass to 10; dont-pass to 5; dont-pass-odds for 40")
    assert up(dealt) == {"dont-pass": "5", "dont-pass-odds": "40"}


def test_a_say_that_changes_nothing_changes_nothing() -> None:
    dealt = deal(NJ + "ann: dont-pass to 5; dont-pass to 5; dont-pass-odds for 40")
    assert up(dealt) == {"dont-pass": "5", "dont-pass-odds": "40"}


def test_before_its_point_a_flat_is_simply_another_amount() -> None:
    play = "ann: dont-pass for 20; dont-pass to 10\nroll 2 2\n"
    said = "ann: dont-pass-odds for 22; dont-pass-odds for 20"
    dealt = deal(play + said, refused=["19:47-1.6(b)#2"])
    assert up(dealt) == {"dont-pass": "10", "dont-pass-odds": "20"}


def test_a_dont_come_wager_keeps_its_measure_too() -> None:
    play = NJ + "ann: dont-come for 15\nroll 5 4\nann: dont-come-9 to 5\n"
    # Fifteen won at 2 to 3 takes 22.50: the next amount that pays exactly is 24.
    said = "ann: dont-come-odds-9 for 27; dont-come-odds-9 for 24"
    dealt = deal(play + said, refused=["19:47-1.6(d)#2"])
    assert up(dealt) == {"dont-pass": "20", "dont-come-9": "5", "dont-come-odds-9": "24"}


# Trimmed


@pytest.mark.parametrize(
    ("roll", "most", "less"), [("2 2", "200", "100"), ("4 1", "150", "75"), ("4 2", "120", "60")]
)
def test_in_iowa_odds_are_cut_to_what_the_smaller_flat_allows(
    roll: str, most: str, less: str
) -> None:
    play = f"ann: dont-pass for 10\nroll {roll}\nann: dont-pass-odds for {most}\n"
    dealt = deal(play + "ann: dont-pass to 5", book="iowa")
    assert up(dealt) == {"dont-pass": "5", "dont-pass-odds": less}
    assert notes(dealt) == [
        "ann: don't pass down to $5",
        f"ann: don't pass odds down to ${less}",
    ]
    assert rail(dealt) == str(1000 - 5 - int(less))


def test_odds_within_what_it_allows_stay() -> None:
    play = "ann: dont-pass for 10\nroll 2 2\nann: dont-pass-odds for 100; dont-pass to 5"
    dealt = deal(play, book="iowa")
    assert up(dealt) == {"dont-pass": "5", "dont-pass-odds": "100"}
    assert notes(dealt)[-1] == "ann: don't pass down to $5"


def test_the_school_lays_to_win_three_four_or_five_times() -> None:
    # Point four: three times 10 is won by 60 at 1 to 2; behind 5 it is 30.
    play = "ann: dont-pass for 10\nroll 2 2\nann: dont-pass-odds for 60; dont-pass to 5"
    assert up(deal(play, book="dealer-school")) == {"dont-pass": "5", "dont-pass-odds": "30"}


def test_a_dont_come_wager_trims_the_odds_on_its_own_number() -> None:
    play = "ann: dont-pass for 10\nroll 2 2\nann: dont-come for 10\nroll 4 2\n"
    said = "ann: dont-come-odds-6 for 120; dont-pass-odds for 200; dont-come-6 to 5"
    assert up(deal(play + said, book="iowa")) == {
        "dont-pass": "10",
        "dont-come-6": "5",
        "dont-come-odds-6": "60",
        "dont-pass-odds": "200",
    }


# Taken down


@pytest.mark.parametrize("book", ["new-jersey", "section-2", "iowa", "dealer-school"])
def test_a_flat_taken_down_takes_its_odds_with_it(book: str) -> None:
    play = "ann: dont-pass for 10\nroll 2 2\nann: dont-pass-odds for 20; dont-pass down"
    dealt = deal(play, book=book)
    assert (up(dealt), rail(dealt)) == ({}, "1000")


def test_a_dont_come_taken_down_takes_its_own_odds_and_no_others() -> None:
    play = (
        NJ
        + "ann: dont-come for 10\nroll 4 2\nann: dont-come-odds-6 for 12; dont-pass-odds for 20\n"
    )
    dealt = deal(play + "ann: dont-come-6 down")
    assert up(dealt) == {"dont-pass": "20", "dont-pass-odds": "20"}


def test_once_down_it_is_not_put_back_until_decided() -> None:
    deal(NJ + "ann: dont-pass down; dont-pass for 20", refused=["19:47-1.2(a)2"])
