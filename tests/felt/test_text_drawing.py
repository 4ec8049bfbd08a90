"""The felt in characters has the same plan, and leaves out nothing that is on the felt."""

from __future__ import annotations

import pytest

from passline.felt.layout_contents import find_layout_contents
from passline.felt.text_drawing import draw_text
from passline.record.deal import deal_text
from tests.felt.tables import FELTS, GAME, lying, plan


@pytest.mark.parametrize("name", FELTS)
@pytest.mark.parametrize("view", ["whole", "end:left", "center"])
def test_every_felt_in_characters(name: str, view: str) -> None:
    text = draw_text(plan(name), lying(name, "pass"), view)
    assert all(len(line) <= 156 for line in text.splitlines()[:60])
    assert ("COME" in text) == (view != "center")
    assert ("ANY SEVEN" in text) == (view != "end:left")
    assert text.count("Pass $10") == 16


def test_what_lies_there() -> None:
    dealt = deal_text(GAME)
    text = draw_text(plan("iowa"), find_layout_contents(dealt.table), "end:left")
    rows = text.splitlines()
    assert "$30" in text  # the come bet on the nine, and its odds
    assert any("ON" in row for row in rows[:3])
    assert rows[-2:] == [
        "ann: Pass $10, Come 9 $10, Come 9 odds $20, Place 6 $12",
        "bob: Don't pass $10, Don't come 9 $10",
    ]


@pytest.mark.parametrize("book", ["iowa", "new-jersey", "section-2"])
def test_place_bets_are_shown_in_their_strips(book: str) -> None:
    """The strips of the place bets are one row high."""
    head = f"rulebook: {book}\nplayer: ann 500\n\nann: pass for 5\nroll 3 1\n"
    dealt = deal_text(f"{head}ann: place the 5 for 10; place the 6 for 12\n")
    text = draw_text(plan(book), find_layout_contents(dealt.table), "end:left")
    picture = text.rpartition("\nann: ")[0]
    assert all(amount in picture for amount in ("$5", "$10", "$12"))


def test_boxes_are_closed() -> None:
    text = draw_text(plan("section-2"), lying("section-2"), "end:left")
    assert text.count("┌") >= 1
    assert "SIX" in text
    assert "NINE" in text


@pytest.mark.parametrize("view", ["whole", "end:left", "center"])
def test_a_flipped_felt_is_turned_by_half_a_circle(view: str) -> None:
    usual = draw_text(plan("iowa"), lying("iowa"), view)
    turned = draw_text(plan("iowa"), lying("iowa"), view, flipped=True)
    corners = str.maketrans("┌┐└┘├┤┬┴", "┘└┐┌┤├┴┬")

    def lines_of(text: str) -> list[str]:
        rows = [row for row in text.splitlines() if set(row) & set("┌┐└┘")]
        return ["".join(char for char in row if char in "┌┐└┘") for row in rows]

    assert lines_of(turned) == [row.translate(corners)[::-1] for row in lines_of(usual)][::-1]
    if view != "center":
        assert "PASS LINE" in turned
