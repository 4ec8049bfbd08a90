"""A shooter's hand: how long it lasts, what is gathered in it, and in a shift of them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Literal

import msgspec

from passline.dice import FAIR, OUTCOMES, SEVEN, TOTALS, Dice
from passline.exact.hand import HandLength, chance_to_gather
from passline.house import House
from passline.house.named import named_house
from passline.law.wagers import Collect
from passline.layout import lay_felt
from passline.machines.hand import HandThrow, walk_hand, walk_throws
from passline.results import ColumnKind, LabResult, ResultTable

#: The tails that are always told, and how far the whole distribution is.
TAILS, LONGEST = (10, 20, 50, 100, 154, 200), 200
#: So many points, and so many decisions, are told one by one.
MOST_POINTS = 40


class NoHand(ValueError):  # noqa: N818 - the rules' answer, not a fault
    """A game in which nobody shoots."""


class Gathering(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a hand may gather: a step of a wager, or a promotion.

    ``chance``: that a hand gathers at least ``least`` of ``needs``; of totals, for a wager made
    when the hand begins.
    """

    name: str
    gathers: Literal["points-made", "totals-thrown"]
    needs: tuple[int, ...]
    least: int
    chance: Fraction
    cite: str


class ShooterHand(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """A hand under a house's rules, with any dice: ``length`` has its chances, exact."""

    house: House
    dice: Dice
    length: HandLength
    throws: tuple[tuple[HandThrow, ...], ...]
    gatherings: tuple[Gathering, ...]

    def headline(self) -> str:
        """How long a hand lasts on average, and how seldom a very long one comes."""
        mean, longest = self.length.mean_rolls, TAILS[-2]
        one_in = round(1 / self.length.survival(longest))
        return (
            f"a hand at {self.house.name}: {float(mean):.4f} rolls on average = {mean}; "
            f"{longest} or more once in {one_in:,} hands; exact"
        )

    def listed(self) -> ResultTable:
        """The chance that a hand lasts at least so many rolls, and exactly so many."""
        lasts = list(self.length.survivals(range(1, LONGEST + 2)))
        records = [(n, lasts[n - 1], lasts[n - 1] - lasts[n]) for n in range(1, LONGEST + 1)]
        columns: dict[str, ColumnKind] = {"rolls": "count", "at_least": "share", "exactly": "share"}
        return ResultTable(columns, records, across="rolls", up="at_least")

    def in_shift(self, gathering: Gathering, rolls: int) -> float:
        """The chance that it is gathered in a hand within so many rolls (which begin one), in
        doubles. Needs numpy (``passline[lab]``)."""
        from passline.exact.hands import chances_by_roll

        return float(
            chances_by_roll(
                self.throws, gathering.gathers, gathering.needs, gathering.least, rolls, SEVEN
            )[-1]
        )


def shooter_hand(house: House | str, dice: Dice = FAIR) -> ShooterHand:
    """How a shooter's hand goes at a house; NoHand where a machine throws.

    >>> shooter_hand("new-jersey").length.mean_rolls
    Fraction(1671, 196)
    """
    dealt = named_house(house)
    layout = lay_felt(dealt)
    if dealt.game in dealt.book.dice.automated.value:
        raise NoHand(f"{dealt.game} has no shooter, and so no hand")
    length = HandLength(walk_hand(layout, dice), dice.whole)
    return ShooterHand(
        house=dealt,
        dice=dice,
        length=length,
        throws=walk_throws(layout, dice),
        gatherings=tuple(_gatherings(dealt, length, dice)),
    )


def _gatherings(house: House, length: HandLength, dice: Dice) -> Iterator[Gathering]:
    """What the book's wagers and promotions ask a hand to gather, whether elected or not."""
    weights = dict.fromkeys(TOTALS, 0)
    for faces, weight in zip(OUTCOMES, dice.weights, strict=True):
        weights[sum(faces)] += weight
    for slug, rule in house.book.wager.items():
        if not isinstance(rule, Collect):
            continue
        if rule.games is not None and house.game not in rule.games.value:
            continue
        needs = rule.needs.value
        if rule.counts.value == "totals-thrown":
            yield Gathering(
                name=slug,
                gathers="totals-thrown",
                needs=needs,
                least=len(needs),
                chance=chance_to_gather(weights, needs, SEVEN),
                cite=rule.needs.cite,
            )
        else:
            yield from _steps(slug, length, needs, rule.least.value, rule.needs.cite)
    promotion = house.book.shootout
    if promotion is not None:
        points = promotion.points.value
        yield from _steps("shootout", length, points, len(points), promotion.points.cite)


def _steps(
    name: str, length: HandLength, needs: tuple[int, ...], least: int, cite: str
) -> Iterator[Gathering]:
    """A step for each number of different points from the least that counts."""
    chances = length.different_points(needs)
    for many in range(least, len(needs) + 1):
        yield Gathering(
            name=name,
            gathers="points-made",
            needs=needs,
            least=many,
            chance=sum(chances[many:], Fraction(0)),
            cite=cite,
        )


def shooter_hand_json(hand: ShooterHand, rolls: int | None = None) -> dict[str, Any]:
    """A hand as ``passline hand --json`` tells it; ``rolls``: those of a shift, too."""
    length = hand.length
    lasts = list(length.survivals(range(1, LONGEST + 2)))
    points, decisions = length.points(MOST_POINTS), length.decisions(MOST_POINTS)
    different = length.different_points()
    found: dict[str, Any] = {
        "rulebook": hand.house.book.id,
        "game": hand.house.game,
        "dice": str(hand.dice),
        "method": "exact",
    }
    for name in ("mean_rolls", "mean_points", "mean_decisions"):
        value = getattr(length, name)
        found |= {name: str(value), f"{name}_float": float(value)}
    return found | {
        "survival": {str(tail): float(lasts[tail - 1]) for tail in TAILS},
        "survival_exact": {str(tail): str(lasts[tail - 1]) for tail in TAILS},
        "rolls": [float(lasts[n - 1] - lasts[n]) for n in range(1, LONGEST + 1)],
        "points": [float(chance) for chance in points],
        "points_exact": [str(chance) for chance in length.points(6)],
        "decisions": [float(chance) for chance in decisions],
        "different_points": [float(chance) for chance in different],
        "different_points_exact": [str(chance) for chance in different],
        "gathered": [_gathered(hand, each, rolls) for each in hand.gatherings],
        "shift_rolls": rolls,
    }


def _gathered(hand: ShooterHand, each: Gathering, rolls: int | None) -> dict[str, Any]:
    return {
        "name": each.name,
        "gathers": each.gathers,
        "needs": list(each.needs),
        "least": each.least,
        "chance": str(each.chance),
        "chance_float": float(each.chance),
        "in_shift": None if rolls is None else hand.in_shift(each, rolls),
        "cite": each.cite,
    }
