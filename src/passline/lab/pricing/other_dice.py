"""Compute each wager's edge with unfair dice, and how many rolls reveal such dice."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from passline.game.dice.dice import Dice
from passline.game.house.house import House
from passline.game.house.load import as_house
from passline.game.words.odds import say_odds
from passline.lab.exact.rolls_to_detect_bias import FairDiceTest, count_rolls_to_detect
from passline.lab.pricing.wager_odds import WagerOdds, sheet
from passline.lab.results import LabResult, ResultTable, exact_json, show_percent


class WagerEdgeChange(msgspec.Struct, frozen=True):
    """A wager's house edge with fair dice and with other dice; a negative edge is the player's.

    ``option`` is the house option that the wager needs.
    """

    wager: str
    option: str | None
    fair: Fraction
    edge: Fraction

    @property
    def worth(self) -> Fraction:
        """What the dice are worth to the player, as a share of the amount wagered."""
        return self.fair - self.edge


class OtherDice(LabResult, msgspec.Struct, frozen=True):
    """Unfair dice: how many rolls reveal them, and each wager's edge with them."""

    house: House
    dice: Dice
    evidence: FairDiceTest
    wagers: tuple[WagerEdgeChange, ...]

    def headline(self) -> str:
        """Return how often a seven comes, and how many rolls reveal the dice, in one line."""
        rolls, sevens = self.evidence.rolls, show_percent(self.dice.sevens)
        if rolls is None:
            return say_odds("dice-never-shown", sevens=sevens)
        return say_odds("dice-shown", sevens=sevens, rolls=f"{rolls:,}")

    def to_table(self) -> ResultTable:
        """Return a table of each wager's edge with fair dice and these, and the player's gain."""
        return ResultTable(
            {"wager": "words", "fair": "share", "edge": "share", "worth": "share"},
            [(each.wager, each.fair, each.edge, each.worth) for each in self.wagers],
            x_column="wager",
            y_column="worth",
        )


def price_dice(house: House | str, dice: Dice, wager: str | None = None) -> OtherDice:
    """Return what these dice change for every wager of a house, or only for ``wager``.

    Raise WagerError if the house does not deal the wager.

    >>> from passline.game.dice.dice import parse_dice
    >>> found = price_dice("new-jersey", parse_dice("sevens=1/7"), "pass")
    >>> found.wagers[0].edge, found.evidence.method
    (Fraction(-11, 630), 'exact')
    """
    dealt = as_house(house)
    pairs = zip(sheet(dealt, wager), sheet(dealt, wager, dice=dice), strict=True)
    wagers = [
        WagerEdgeChange(wager=own.wager, option=own.option, fair=fair.edge, edge=own.edge)
        for fair, own in pairs
        if isinstance(fair, WagerOdds) and isinstance(own, WagerOdds)
    ]
    evidence = count_rolls_to_detect(dice)
    return OtherDice(house=dealt, dice=dice, evidence=evidence, wagers=tuple(wagers))


def other_dice_json(found: OtherDice) -> dict[str, Any]:
    """Return the JSON of ``passline dice``."""
    evidence = found.evidence
    return {
        "rulebook": found.house.book.id,
        "game": found.house.game,
        "dice": str(found.dice),
        **exact_json(sevens=found.dice.sevens),
        "rolls_to_show": evidence.rolls,
        "size": evidence.size,
        "power": evidence.power,
        "test": "likelihood ratio",
        "test_method": evidence.method,
        "method": "exact",
        "wagers": [
            {
                "wager": each.wager,
                "option": each.option,
                "fair_edge": str(each.fair),
                **exact_json(edge=each.edge, worth=each.worth),
            }
            for each in found.wagers
        ],
    }
