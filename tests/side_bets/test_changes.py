"""When side bets may be changed, and the table's minimum for them."""

from __future__ import annotations

import pytest

from passline.game.house.load import house_for
from passline.game.law.side_bets import read_side_bets
from passline.game.words.placard import render_placard_text
from passline.record.deal import deal_text

OFFERS = {
    family: (offer, wager)
    for offer, wagers in read_side_bets().items()
    for family, wager in wagers.items()
}
_CHANGES = (" to 15", " to 5", " down")
COLLECTING = [name for name, (_, wager) in OFFERS.items() if wager["shape"] == "collect"]


def _refuse(wager: str, *lines: str) -> list[str]:
    """Return the codes of the refusals of these lines about ``wager``. A "roll" is thrown."""
    text = f"rulebook: sides\nhouse.offers.{OFFERS[wager][0]}: A\nplayer: ann 500\n"
    talk = "".join(
        f"ann: pass for 10\n{line}\n" if line.startswith("roll") else f"ann: {wager}{line}\n"
        for line in lines
    )
    return [one.refusal.code for one in deal_text(text + talk).refusals if one.refusal]


@pytest.mark.parametrize("wager", [*COLLECTING, "ride-the-line"])
def test_it_may_not_be_changed(wager: str) -> None:
    assert _refuse(wager, " for 10", *_CHANGES) == [
        "not-raised",
        "not-reduced",
        "not-taken-down",
    ]


@pytest.mark.parametrize(
    ("wager", "roll", "stage"),
    [("muggsys-corner", "roll 3 3", ""), ("twice-hard", "roll 3 3", "-6")],
)
def test_it_is_changed_until_it_has_its_number(wager: str, roll: str, stage: str) -> None:
    before = (" for 10", *_CHANGES, " for 10")
    assert _refuse(wager, *before) == []
    after = _refuse(wager, *before, roll, *(f"{stage}{change}" for change in _CHANGES))
    assert after == [f"not-{done}-with-number" for done in ("raised", "reduced", "taken-down")]


@pytest.mark.parametrize("wager", COLLECTING)
def test_it_takes_the_minimum_of_the_table(wager: str) -> None:
    assert _refuse(wager, " for 4") == ["under-minimum"]


def test_what_chips_allow_is_named_and_posted() -> None:
    elections = (("limits.smallest_chip", "2.50"), ("offers.fire", "A"))
    header = "rulebook: las-vegas\n" + "".join(
        f"house.{key}: {value}\n" for key, value in elections
    )
    dealt = deal_text(f"{header}player: ann 100\nann: fire for 1; fire for 2.50; fire for 10\n")
    near = [one.refusal.allowed for one in dealt.refusals if one.refusal]
    assert near == [(500,), (500,)]
    assert dealt.table.seat("ann").wagers["fire"].amount == 1_000
    card = render_placard_text(house_for("las-vegas", None, elections))
    assert "From $5 to $10, in steps of $5." in card
