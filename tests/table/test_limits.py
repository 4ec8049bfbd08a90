"""Limits posted in mid-game: what may be wagered from then on; what is up stands."""

from __future__ import annotations

import pytest

from passline.record.deal import deal_text

HEADER = "rulebook: {book}\nplayer: ann 5000\n"


def dealt(lines: str, book: str = "iowa") -> list[str]:
    """The refusals' codes, in order."""
    found = deal_text(HEADER.format(book=book) + lines)
    return [entry.refusal.code for entry in found.refusals if entry.refusal is not None]


def test_wagers_are_held_to_the_limits_that_were_posted_last() -> None:
    lines = "ann: pass for 5\nlimits 15 to 300\nann: field for 10\nann: field for 15\n"
    assert dealt(lines) == ["under-minimum"]
    assert dealt(lines + "ann: field to 400\n") == ["under-minimum", "over-maximum"]


def test_a_wager_that_is_up_stands_and_is_settled() -> None:
    text = HEADER.format(book="iowa") + "ann: pass for 5\nlimits 15 to 300\nroll 4 3\n"
    assert deal_text(text).table.win == -5_00


def test_one_wager_has_limits_of_its_own() -> None:
    assert dealt("limits field 10 to 50\nann: field for 5\nann: pass for 5\n") == ["under-minimum"]
    assert dealt("limits marbles 10 to 50\n") == ["not-a-wager"]


def test_limits_change_between_throws_and_do_not_cross() -> None:
    assert dealt("ann: pass for 10\ndice out\nlimits 15 to 300\n") == ["limits-wait"]
    assert dealt("limits 300 to 15\n") == ["limits-crossed"]


def test_what_the_book_lets_no_house_elect_is_refused() -> None:
    found = deal_text(HEADER.format(book="iowa") + "limits pass 10 to 5000\n")
    (entry,) = found.refusals
    assert entry.refusal is not None
    assert (entry.refusal.code, entry.refusal.cite) == ("limits-barred", "max.1")


@pytest.mark.parametrize("book", ["new-jersey", "section-2", "maryland-crapless", "dealer-school"])
def test_every_book_takes_them(book: str) -> None:
    assert dealt("limits 15 to 1000\nann: pass for 10\n", book) == ["under-minimum"]


def test_a_player_may_be_called_so() -> None:
    text = "rulebook: iowa\nplayer: limits 100\nlimits changes 25 to green\n"
    assert not deal_text(text).refusals
