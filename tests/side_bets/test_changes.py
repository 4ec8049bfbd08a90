"""A bet on what a shooter collects stays as it was made, and takes the table's minimum."""

from __future__ import annotations

import pytest

from passline.game.law.side_bets import read_side_bets
from passline.record.deal import deal_text

COLLECTING = {
    family: offer
    for offer, wagers in read_side_bets().items()
    for family, wager in wagers.items()
    if wager["shape"] == "collect"
}


def _refuse(wager: str, *lines: str) -> list[str]:
    """Return the codes of the refusals after a bet of $10 on ``wager``, before any roll."""
    text = f"rulebook: sides\nhouse.offers.{COLLECTING[wager]}: A\nplayer: ann 500\n"
    talk = "".join(f"ann: {wager} {line}\n" for line in lines)
    return [one.refusal.code for one in deal_text(text + talk).refusals if one.refusal]


@pytest.mark.parametrize("wager", COLLECTING)
def test_it_may_not_be_changed(wager: str) -> None:
    assert _refuse(wager, "for 10", "to 15", "to 5", "down") == [
        "not-raised",
        "not-reduced",
        "not-taken-down",
    ]


@pytest.mark.parametrize("wager", COLLECTING)
def test_it_takes_the_minimum_of_the_table(wager: str) -> None:
    assert _refuse(wager, "for 4") == ["under-minimum"]
