"""Puts in talk: `put bet on the 6 for 12` where puts are dealt, and where they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.record.deal import deal_text

POINT_8 = "player: ann 1000\nplayer: bob 1000\nann: pass for 15\nroll 4 4\n"
#: A rulebook of tests that deals puts on the line and on the numbers.
BOOKS = Path(__file__).parents[1] / "law" / "own"


@pytest.fixture
def las_vegas(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PASSLINE_BOOKS", str(BOOKS))
    return f"rulebook: las-vegas\n{POINT_8}"


@pytest.mark.parametrize(
    ("line", "wager", "cents"),
    [
        ("ann: put bet on the 6 for 30", "come-6", 3000),
        ("ann: put bet on the 8 for 30", "come-8", 3000),
        ("bob: put bet on the 8 for 30", "pass", 3000),
        ("bob: put bet on the point for 30", "pass", 3000),
        ("bob: put bet on the 6 for 30", "come-6", 3000),
        ("bob: put bet on the line for 15", "pass", 1500),
        ("bob: 15 on the 5 as a put bet", "come-5", 1500),
    ],
)
def test_a_put_is_made_where_puts_are_dealt(
    las_vegas: str, line: str, wager: str, cents: int
) -> None:
    dealt = deal_text(f"{las_vegas}{line}\n")
    assert not dealt.refusals
    assert dealt.table.seat(line[:3]).wagers[wager].amount == cents


@pytest.mark.parametrize(
    "rulebook", ["new-jersey", "section-2", "iowa", "dealer-school", "maryland-crapless"]
)
@pytest.mark.parametrize("number", [6, 8])
def test_a_put_is_refused_where_puts_are_not_dealt(rulebook: str, number: int) -> None:
    dealt = deal_text(f"rulebook: {rulebook}\n{POINT_8}ann: put bet on the {number} for 12\n")
    (refused,) = dealt.refusals
    assert refused.refusal is not None
    assert refused.refusal.code == "travels"
    assert refused.refusal.cite
    assert list(dealt.table.seat("ann").wagers) == ["pass"]
