"""Results print well, turn into data frames, and draw themselves."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from passline.game.dice.dice import parse_dice
from passline.game.house.load import house_for
from passline.lab.exact.rolls_to_detect_bias import count_rolls_to_detect
from passline.lab.luck.review import review_record
from passline.lab.luck.shooter_hand import solve_shooter_hand
from passline.lab.pricing.explain import explain_wager
from passline.lab.pricing.exposure import Exposure, compute_exposure
from passline.lab.pricing.house_comparison import compare_houses
from passline.lab.pricing.other_dice import price_dice
from passline.lab.pricing.par_sheet import make_par_sheet
from passline.lab.pricing.wager_odds import odds, sheet
from passline.lab.results import LabResult
from passline.optional_packages import MissingExtra
from passline.record.deal import deal_text

if TYPE_CHECKING:
    from passline.lab.compare import Comparison

RECORD = "rulebook: iowa\nplayer: ann 100\nann: pass for 10; field for 5\nroll 4 3\n"


def _exposed() -> LabResult:
    found = compute_exposure(deal_text(RECORD.removesuffix("roll 4 3\n")).table)
    assert isinstance(found, Exposure)
    return found


def _machine() -> Any:
    from passline.lab.strategy_machine import machine

    return machine("iowa", "pass")


def _session() -> LabResult:
    from passline import Plan, session

    return session(_machine(), Plan(bankroll=5000, rolls=6, stop_win=2000))


def _simulated() -> LabResult:
    from passline import simulate

    return simulate(_machine(), 2000, seed=1)


def _compared() -> Comparison:
    from passline.lab.compare import compare

    return compare("iowa", ["pass", "field"], 4)


def _extremes() -> LabResult:
    from passline import Plan
    from passline.lab.extremes import find_extremes

    return find_extremes(_machine(), Plan(bankroll=2000, rolls=8))


def _rebate() -> LabResult:
    from passline import Plan
    from passline.lab.costs import find_strategy_cost

    found = find_strategy_cost("iowa", "pass", rebate=10, plan=Plan(bankroll=2000, rolls=4)).rebate
    assert found is not None
    return found


def _same_throws() -> LabResult:
    from passline.lab.luck.review import list_throws, replay_strategy
    from passline.lab.strategies.load import load_strategy

    dealt = deal_text(RECORD)
    return replay_strategy(dealt.table.house, list_throws(dealt), load_strategy("pass"))


def _cost() -> LabResult:
    from passline.lab.costs import find_strategy_cost

    return find_strategy_cost("iowa", "pass")


def _shift() -> LabResult:
    from passline.lab.house_shift import PlayerGroup, find_shift_win

    return find_shift_win("iowa", [PlayerGroup("pass")], 4, trials=50, seed=1)


#: What makes one, and what stands in its line.
MADE: dict[str, tuple[Callable[[], LabResult], str]] = {
    "wager": (lambda: odds("iowa", "pass"), "edge 1.414% = 7/495"),
    "sheet": (lambda: sheet("iowa", "field"), "1 wagers, the edge from field"),
    "par": (lambda: make_par_sheet(house_for("iowa")), "par sheet of"),
    "explained": (lambda: explain_wager("iowa", "field"), "from 11 ways to be decided"),
    "dice": (lambda: price_dice("iowa", parse_dice("sevens=1/7"), "pass"), "a seven 14.286%"),
    "diff": (
        lambda: compare_houses("iowa", house_for("iowa"), wager="pass"),
        "differ in 0 of 1 wagers",
    ),
    "exposure": (_exposed, "costs the house $"),
    "hand": (lambda: solve_shooter_hand("iowa"), "8.5255 rolls on average = 1671/196"),
    "evening": (lambda: review_record(deal_text(RECORD)), "iowa, craps: 1 throws"),
    "split": (lambda: review_record(deal_text(RECORD)).players["ann"], "$5.00 = decisions"),
    "session": (_session, "6 rolls from $50.00: $"),
    "simulation": (_simulated, "pass, 2,000 rolls: "),
    "comparison": (_compared, "4 rolls on the same dice: pass ahead of field"),
    "contender": (lambda: _compared().contenders[0], "pass: -$0."),
    "duel": (lambda: _compared().pairs[0], "pass ahead of field "),
    "extremes": (_extremes, "ruin 19.235%, after 5.3 rolls on average; exact"),
    "rebate": (_rebate, "10% of what 4 rolls from $20.00 lose are $"),
    "same throws": (_same_throws, "pass, with $10.00: $10.00 = decisions"),
    "evidence": (lambda: count_rolls_to_detect(parse_dice("sevens=1/7")), "rolls would show"),
    "cost": (_cost, "1.414% = 7/495 of the handle"),
    "shift": (_shift, "4 rolls: the house wins "),
}
LAB = {
    *("session", "simulation", "comparison", "cost", "shift"),
    *("contender", "duel", "extremes", "rebate", "same throws"),
}
#: There is nothing to see in these, or nothing differs.
PLAIN = {"explained", "diff", "evidence", "extremes"}


@cache
def made(kind: str) -> LabResult:
    if kind in LAB:
        pytest.importorskip("numpy")
    return MADE[kind][0]()


@pytest.mark.parametrize("kind", MADE)
def test_it_prints_and_shows_itself(kind: str) -> None:
    found, words = made(kind), MADE[kind][1]
    assert words in repr(found)
    assert "\n" not in repr(found)
    lines = str(found).splitlines()
    assert lines[0] == found.headline()
    assert list(found.to_table().columns) == lines[1].split()
    html = found._repr_html_()
    assert html is not None
    shown = ET.fromstring(html)
    assert len(shown.findall(".//th")) == len(found.to_table().columns)
    if kind in PLAIN:
        with pytest.raises(ValueError, match="nothing to draw"):
            found.draw()
        return
    assert ET.fromstring(found.draw().svg).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames(library: str) -> None:
    pytest.importorskip(library)
    for kind in MADE:
        found = made(kind)
        frame = found.to_frame(library)
        assert list(frame.columns) == list(found.to_table().columns)
        assert len(frame) == len(found.records())
    frame = made("wager").to_frame(library, exact=True)
    assert list(frame["edge"]) == ["7/495"]
    night = made("session").to_frame(library)
    assert sum(night["chance"]) == pytest.approx(1)
    assert min(night["worth"]) >= 0
    assert max(night["worth"]) < 200  # dollars


def test_records_are_exact() -> None:
    cost = made("cost").records()[0]
    assert (cost["by"], cost["handle"]) == ("roll", Fraction(1650, 557))
    assert made("wager").records()[0]["edge"] == Fraction(7, 495)


def test_without_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtra, match="needs pandas or polars: pip install pandas"):
        made("wager").to_frame()
    with pytest.raises(MissingExtra, match="needs polars: pip install polars"):
        made("wager").to_frame("polars")
    with pytest.raises(ValueError, match="use pandas or polars"):
        made("wager").to_frame("excel")


def test_a_drawing_is_saved(tmp_path: Path) -> None:
    drawn = made("hand").draw()
    drawn.save(tmp_path / "hand.svg")
    assert (tmp_path / "hand.svg").read_text("utf-8") == drawn._repr_svg_()
    assert repr(drawn).startswith("<Drawing: a hand at Iowa")
