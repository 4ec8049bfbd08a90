"""A hand's luck, told when it ends: how likely a hand is to last as long.

A shooter's hand: how long it lasts, what is gathered in it, and in a shift of them.

A hand's means, unfolded: where its throws are thrown, and what each of them does.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Literal

import msgspec

from passline.game.dice.dice import FAIR, OUTCOMES, SEVEN, TOTALS, Dice
from passline.game.house.house import House
from passline.game.house.load import as_house
from passline.game.law.shapes.collect import Collect
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout
from passline.game.table.events import Rolled
from passline.game.table.state import Table
from passline.game.words.hands import describe_hand
from passline.lab.exact.walks import HandLength, find_collect_chance
from passline.lab.machines.walks import (
    COME_OUT,
    HAND_ENDED,
    HandThrow,
    count_ended_hand_throws,
    walk_hand,
    walk_hand_totals,
)
from passline.lab.results import ColumnKind, LabResult, ResultTable

#: Throws of a hand up to which its chance is worked out: beyond, it is below any that means much.
MAX_THROWS = 1000

_hand_lengths: dict[tuple[str, str, Dice], HandLength] = {}


class FinishedHand(msgspec.Struct, frozen=True):
    """A hand that ended: its throws, and the chance that a hand lasts as long or longer.

    The chance is that of a hand from its come-out; whoever took the dice over with a point on is
    told the same.
    """

    rolls: int
    chance: Fraction

    @property
    def words(self) -> str:
        """For people: ``31 rolls: 1 in 70``."""
        return describe_hand(self.rolls, self.chance)


def get_hand_length(layout: Layout, dice: Dice = FAIR) -> HandLength:
    """How long hands last under a layout's rules, walked once.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.layout.compile import compile_layout
    >>> get_hand_length(compile_layout(house_for("new-jersey"))).mean_rolls
    Fraction(1671, 196)
    """
    key = layout.house.book.id, layout.house.game, dice
    if key not in _hand_lengths:
        _hand_lengths[key] = HandLength(walk_hand(layout, dice), dice.whole)
    return _hand_lengths[key]


def find_finished_hand(before: Table, rolled: Rolled, dice: Dice = FAIR) -> FinishedHand | None:
    """The hand that a throw ended, given the table as it stood before it; None: it ended none."""
    rolls = count_ended_hand_throws(before, rolled)
    if not rolls:
        return None
    return FinishedHand(
        rolls, get_hand_length(before.layout, dice).survival(min(rolls, MAX_THROWS))
    )


#: The tails that are always told, and how far the whole distribution is.
SURVIVAL_TAILS, MAX_LISTED_ROLLS = (10, 20, 50, 100, 154, 200), 200
#: So many points, and so many decisions, are told one by one.
MAX_LISTED_POINTS = 40


class NoShooterError(ValueError):
    """A game in which nobody shoots."""


class CollectChance(msgspec.Struct, frozen=True, kw_only=True):
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
    collect_chances: tuple[CollectChance, ...]

    def headline(self) -> str:
        """How long a hand lasts on average, and how seldom a very long one comes."""
        mean, longest = self.length.mean_rolls, SURVIVAL_TAILS[-2]
        one_in = round(1 / self.length.survival(longest))
        return (
            f"a hand at {self.house.name}: {float(mean):.4f} rolls on average = {mean}; "
            f"{longest} or more once in {one_in:,} hands; exact"
        )

    def to_table(self) -> ResultTable:
        """The chance that a hand lasts at least so many rolls, and exactly so many."""
        lasts = list(self.length.survivals(range(1, MAX_LISTED_ROLLS + 2)))
        records = [
            (n, lasts[n - 1], lasts[n - 1] - lasts[n]) for n in range(1, MAX_LISTED_ROLLS + 1)
        ]
        columns: dict[str, ColumnKind] = {"rolls": "count", "at_least": "share", "exactly": "share"}
        return ResultTable(columns, records, x_column="rolls", y_column="at_least")

    def in_shift(self, gathering: CollectChance, rolls: int) -> float:
        """The chance that it is gathered in a hand within so many rolls (which begin one), in
        doubles. Needs numpy (``passline[lab]``)."""
        from passline.lab.exact.repeated_hands import find_chances_by_roll

        return float(
            find_chances_by_roll(
                self.throws, gathering.gathers, gathering.needs, gathering.least, rolls, SEVEN
            )[-1]
        )


def solve_shooter_hand(house: House | str, dice: Dice = FAIR) -> ShooterHand:
    """How a shooter's hand goes at a house; NoShooterError where a machine throws.

    >>> solve_shooter_hand("new-jersey").length.mean_rolls
    Fraction(1671, 196)
    """
    dealt = as_house(house)
    layout = compile_layout(dealt)
    if dealt.game in dealt.book.dice.automated.value:
        raise NoShooterError(f"{dealt.game} has no shooter, and so no hand")
    length = HandLength(walk_hand(layout, dice), dice.whole)
    return ShooterHand(
        house=dealt,
        dice=dice,
        length=length,
        throws=walk_hand_totals(layout, dice),
        collect_chances=tuple(_list_collect_chances(dealt, length, dice)),
    )


def _list_collect_chances(house: House, length: HandLength, dice: Dice) -> Iterator[CollectChance]:
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
            yield CollectChance(
                name=slug,
                gathers="totals-thrown",
                needs=needs,
                least=len(needs),
                chance=find_collect_chance(weights, needs, SEVEN),
                cite=rule.needs.cite,
            )
        else:
            yield from _chances_by_count(slug, length, needs, rule.least.value, rule.needs.cite)
    promotion = house.book.shootout
    if promotion is not None:
        points = promotion.points.value
        yield from _chances_by_count("shootout", length, points, len(points), promotion.points.cite)


def _chances_by_count(
    name: str, length: HandLength, needs: tuple[int, ...], least: int, cite: str
) -> Iterator[CollectChance]:
    """A step for each number of different points from the least that counts."""
    chances = length.different_points(needs)
    for many in range(least, len(needs) + 1):
        yield CollectChance(
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
    lasts = list(length.survivals(range(1, MAX_LISTED_ROLLS + 2)))
    points, decisions = length.points(MAX_LISTED_POINTS), length.decisions(MAX_LISTED_POINTS)
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
        "survival": {str(tail): float(lasts[tail - 1]) for tail in SURVIVAL_TAILS},
        "survival_exact": {str(tail): str(lasts[tail - 1]) for tail in SURVIVAL_TAILS},
        "rolls": [float(lasts[n - 1] - lasts[n]) for n in range(1, MAX_LISTED_ROLLS + 1)],
        "points": [float(chance) for chance in points],
        "points_exact": [str(chance) for chance in length.points(6)],
        "decisions": [float(chance) for chance in decisions],
        "different_points": [float(chance) for chance in different],
        "different_points_exact": [str(chance) for chance in different],
        "gathered": [_collect_json(hand, each, rolls) for each in hand.collect_chances],
        "shift_rolls": rolls,
    }


def _collect_json(hand: ShooterHand, each: CollectChance, rolls: int | None) -> dict[str, Any]:
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


class HandTerm(msgspec.Struct, frozen=True, kw_only=True):
    """A total thrown at a place. ``rolls``: how many are thrown there on average; ``does``: ends
    the hand, makes the point, decides the come-out, sets a point, or none of these; ``cite``: the
    clause by which it ends the hand, or sets a point and makes it."""

    place: str
    total: int
    weight: int
    whole: int
    rolls: Fraction
    does: str
    cite: str

    @property
    def often(self) -> Fraction:
        """How often it is thrown in a hand, on average."""
        return self.rolls * Fraction(self.weight, self.whole)


def explain_hand(hand: ShooterHand) -> tuple[HandTerm, ...]:
    """Every throw of a hand: how often it comes adds up to its rolls, points and decisions.

    >>> from passline.lab.luck.hands import solve_shooter_hand
    >>> terms = explain_hand(solve_shooter_hand("iowa"))
    >>> sum(term.often for term in terms), sum(t.often for t in terms if t.does == "ends the hand")
    (Fraction(1671, 196), Fraction(1, 1))
    """
    book = hand.house.book
    names = {COME_OUT: "come-out"} | {
        throw.next: f"puck on {throw.total}"
        for throw in hand.throws[COME_OUT]
        if throw.next not in (COME_OUT, HAND_ENDED)
    }
    found = []
    for state, rolls in hand.length.visits().items():
        for throw in hand.throws[state]:
            if throw.next == HAND_ENDED:
                does, cite = "ends the hand", book.dice.must_pass.cite
            elif throw.made:
                does, cite = "makes the point", book.points.cite
            elif state == COME_OUT and throw.next == COME_OUT:
                does, cite = "decides the come-out", ""
            elif state == COME_OUT:
                does, cite = "sets a point", book.points.cite
            else:
                does, cite = "", ""
            found.append(
                HandTerm(
                    place=names[state],
                    total=throw.total,
                    weight=throw.weight,
                    whole=hand.length.whole,
                    rolls=rolls,
                    does=does,
                    cite=cite,
                )
            )
    return tuple(found)


def explained_hand_json(terms: tuple[HandTerm, ...]) -> list[dict[str, Any]]:
    """As ``passline hand --explain --json`` has it under ``explain``."""
    return [
        {
            "place": term.place,
            "total": term.total,
            "weight": term.weight,
            "whole": term.whole,
            "rolls": str(term.rolls),
            "often": str(term.often),
            "does": term.does or None,
            "cite": term.cite or None,
        }
        for term in terms
    ]
