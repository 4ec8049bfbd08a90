"""How long a shooter's hand lasts and what it collects, exactly, under any rules and dice.

Also compute how rare a hand that just ended was, and split the means of a hand by throw.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import asdict

from passline.game.dice.dice import FAIR, OUTCOMES, SEVEN, TOTALS, Dice
from passline.game.house.house import House
from passline.game.house.load import as_house
from passline.game.law.shapes.collect import SHARED_KINDS, Collect, Counts
from passline.game.law.shapes.pass_wins import find_pass_line
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout
from passline.game.table.events import Rolled
from passline.game.table.state import Table
from passline.game.words.hands import describe_hand
from passline.game.words.lab import say_lab
from passline.lab.exact.hand_length import (
    HandLength,
    find_collect_chance,
    find_partial_collect_chance,
    find_tally_chance,
)
from passline.lab.machines.hand_chain import (
    COME_OUT,
    HAND_ENDED,
    count_ended_hand_throws,
    walk_collecting,
    walk_hand,
)
from passline.lab.results import LabResult, ResultTable, exact_json, make_columns

#: The longest hand whose chance is computed: beyond it the chance is too small to matter.
MAX_THROWS = 1000

_hand_lengths: dict[tuple[str, str, Dice], HandLength] = {}


class FinishedHand(msgspec.Struct, frozen=True):
    """A hand that ended: its number of throws, and the chance that a hand lasts as long or longer.

    The chance counts from a come-out roll, even if the shooter took over with a point on. Hands of
    more than MAX_THROWS throws get the chance of MAX_THROWS.
    """

    rolls: int
    chance: Fraction

    @property
    def words(self) -> str:
        """The hand's length and how rare it is, such as ``31 rolls: 1 in 70``."""
        return describe_hand(self.rolls, self.chance)


def get_hand_length(layout: Layout, dice: Dice = FAIR) -> HandLength:
    """Return how long hands last under a layout's rules.

    The result is cached for each rulebook, game and dice.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.layout.compile import compile_layout
    >>> get_hand_length(compile_layout(house_for("new-jersey"))).mean_rolls
    Fraction(1671, 196)
    """
    key = layout.house.book.digest, layout.house.game, dice
    if key not in _hand_lengths:
        _hand_lengths[key] = HandLength(walk_hand(layout, dice), dice.whole)
    return _hand_lengths[key]


def find_finished_hand(before: Table, rolled: Rolled, dice: Dice = FAIR) -> FinishedHand | None:
    """Return the hand that a throw ended, or None if it goes on.

    ``before`` is the table before the throw.
    """
    rolls = count_ended_hand_throws(before, rolled)
    if not rolls:
        return None
    return FinishedHand(
        rolls, get_hand_length(before.layout, dice).survival(min(rolls, MAX_THROWS))
    )


#: The hand lengths that are always reported, and the longest one in a full distribution.
SURVIVAL_TAILS, MAX_LISTED_ROLLS = (10, 20, 50, 100, 154, 200), 200
#: The longest shift, in rolls, whose longest hand is computed.
MAX_LONGEST_ROLLS = 20_000
#: The largest numbers of points made and of decisions that are reported.
MAX_LISTED_POINTS = 40


class NoShooterError(ValueError):
    """Raised for a game in which a machine throws the dice."""


class CollectChance(msgspec.Struct, frozen=True, kw_only=True):
    """The chance that one hand collects enough to win a wager such as fire, or a promotion.

    ``name`` is the wager or promotion. ``gathers`` says what it collects: "points-made",
    "totals-thrown", or another kind of count. ``chance`` is the chance to collect at least
    ``least`` of ``needs``, if the wager is made when the hand begins.
    """

    name: str
    gathers: Counts
    needs: tuple[int, ...]
    least: int
    chance: Fraction
    cite: str


class LongestHand(LabResult, msgspec.Struct, frozen=True):
    """How long the longest hand in a shift of ``shift_rolls`` rolls is.

    ``at_least[n - 1]`` is the chance that it has n rolls or more. A hand that the end of the shift
    cuts off counts with the rolls it had.
    """

    shift_rolls: int
    at_least: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean number of rolls of the longest hand."""
        return sum(self.at_least)

    def reached_in(self, share: float) -> int:
        """Return the most rolls that the longest hand reaches in at least ``share`` of shifts."""
        return sum(chance >= share for chance in self.at_least)

    def headline(self) -> str:
        """Return the mean and the median of the longest hand in one line."""
        return say_lab(
            "longest-hand", rolls=self.shift_rolls, mean=self.mean, middle=self.reached_in(0.5)
        )

    def to_table(self) -> ResultTable:
        """Return a table of the chances that the longest hand has at least n rolls."""
        columns = make_columns(rolls="count", at_least="share")
        records = list(enumerate(self.at_least, 1))
        return ResultTable(columns, records, x_column="rolls", y_column="at_least")


class ShooterHand(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """A shooter's hand under a house's rules and dice. ``length`` has its exact probabilities.

    ``collect_chances`` are the chances that it collects enough points or totals to win a wager such
    as fire, or a promotion.
    """

    house: House
    dice: Dice
    length: HandLength
    collect_chances: tuple[CollectChance, ...]

    def headline(self) -> str:
        """Return in one line the mean length of a hand, and how rare a very long one is."""
        mean, longest = self.length.mean_rolls, SURVIVAL_TAILS[-2]
        one_in = round(1 / self.length.survival(longest))
        figures = {"mean": float(mean), "exact": mean, "longest": longest, "one_in": one_in}
        return say_lab("hand", house=self.house.name, **figures)

    def to_table(self) -> ResultTable:
        """Return a table of the chances that a hand lasts at least, and exactly, n rolls."""
        lasts = list(self.length.survivals(range(1, MAX_LISTED_ROLLS + 2)))
        records = [
            (n, lasts[n - 1], lasts[n - 1] - lasts[n]) for n in range(1, MAX_LISTED_ROLLS + 1)
        ]
        columns = make_columns(rolls="count", at_least="share", exactly="share")
        return ResultTable(columns, records, x_column="rolls", y_column="at_least")

    def in_shift(self, gathering: CollectChance, rolls: int) -> float:
        """Return the chance that some hand within ``rolls`` rolls collects enough to win a wager.

        ``gathering`` names the wager and says what is enough. The first roll begins a hand.
        Requires numpy (``passline[lab]``).
        """
        from passline.lab.exact.longest_hand import (
            find_chances_by_roll,
            find_tally_chances_by_roll,
        )

        kind, least = gathering.gathers, gathering.least
        if kind == "points-made" or kind == "totals-thrown":
            chances = find_chances_by_roll(
                self.length.ways, kind, gathering.needs, least, rolls, SEVEN
            )
        else:
            rule = self.house.book.wager[gathering.name]
            assert isinstance(rule, Collect)
            branches = walk_collecting(compile_layout(self.house), rule, least, self.dice)
            chances = find_tally_chances_by_roll(branches, self.dice.whole, rolls)
        return float(chances[-1])

    def find_longest(self, rolls: int) -> LongestHand | None:
        """Return how long the longest hand in a shift of ``rolls`` rolls is.

        Return None if the shift has more than MAX_LONGEST_ROLLS rolls. Requires numpy
        (``passline[lab]``).
        """
        from passline.lab.exact.longest_hand import find_longest_hand

        if rolls > MAX_LONGEST_ROLLS:
            return None
        lasts = self.length.survivals(range(1, MAX_LISTED_ROLLS + 2))
        chances = find_longest_hand([float(chance) for chance in lasts], rolls)
        return LongestHand(rolls, tuple(max(float(chance), 0.0) for chance in chances))


def solve_shooter_hand(house: House | str, dice: Dice = FAIR) -> ShooterHand:
    """Compute the hand of a shooter at a house.

    Raise NoShooterError if a machine throws the dice.

    >>> solve_shooter_hand("new-jersey").length.mean_rolls
    Fraction(1671, 196)
    """
    dealt = as_house(house)
    layout = compile_layout(dealt)
    if dealt.game in dealt.book.dice.automated.value:
        raise NoShooterError(say_lab("no-shooter", game=dealt.game))
    length = HandLength(walk_hand(layout, dice), dice.whole)
    return ShooterHand(
        house=dealt,
        dice=dice,
        length=length,
        collect_chances=tuple(_list_collect_chances(dealt, length, dice)),
    )


def _list_collect_chances(house: House, length: HandLength, dice: Dice) -> Iterator[CollectChance]:
    """Yield the chances to win each wager or promotion that collects points or totals over a hand.

    Include those of the rulebook that this house has not elected to offer.
    """
    weights = dict.fromkeys(TOTALS, 0)
    for faces, weight in zip(OUTCOMES, dice.weights, strict=True):
        weights[sum(faces)] += weight
    for slug, rule in house.book.wager.items():
        if not isinstance(rule, Collect):
            continue
        if rule.games is not None and house.game not in rule.games.value:
            continue
        needs = rule.needs.value
        if rule.counts.value not in SHARED_KINDS:
            yield from _tally_chances(compile_layout(house), slug, rule, dice)
        elif rule.counts.value == "totals-thrown":
            for least in range(rule.fewest, len(needs)):
                chance = find_partial_collect_chance(weights, needs, SEVEN, least)
                yield _make_chance(slug, rule, least, chance)
            chance = find_collect_chance(weights, needs, SEVEN)
            yield _make_chance(slug, rule, len(needs), chance)
        else:
            yield from _chances_by_count(slug, length, needs, rule.fewest, rule.needs.cite)
    promotion = house.book.shootout
    if promotion is not None:
        points = promotion.points.value
        yield from _chances_by_count("shootout", length, points, len(points), promotion.points.cite)


def _tally_chances(layout: Layout, slug: str, rule: Collect, dice: Dice) -> Iterator[CollectChance]:
    """Yield the chance to reach each count that a pay table of the wager pays, in one hand."""
    for least in rule.list_paid_counts():
        branches = walk_collecting(layout, rule, least, dice)
        yield _make_chance(slug, rule, least, find_tally_chance(branches, dice.whole))


def _make_chance(name: str, rule: Collect, least: int, chance: Fraction) -> CollectChance:
    return CollectChance(
        name=name,
        gathers=rule.counts.value,
        needs=rule.needs.value,
        least=least,
        chance=chance,
        cite=rule.needs.cite,
    )


def _chances_by_count(
    name: str, length: HandLength, needs: tuple[int, ...], least: int, cite: str
) -> Iterator[CollectChance]:
    """Yield the chance to make at least n different points of ``needs``, with n from ``least``."""
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


def list_pass_wins(hand: ShooterHand, most: int) -> tuple[Fraction, ...]:
    """Return the chances that the pass line wins 0, 1, ... up to ``most`` times in a hand."""
    return tuple(hand.length.pass_wins(find_pass_line(hand.house.book).first_win.value, most))


def shooter_hand_json(hand: ShooterHand, rolls: int | None = None) -> dict[str, Any]:
    """Return the JSON of ``passline hand``; with ``rolls``, also the chances in a shift."""
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
        found |= exact_json(**{name: getattr(length, name)})
    return found | {
        "survival": {str(tail): float(lasts[tail - 1]) for tail in SURVIVAL_TAILS},
        "survival_exact": {str(tail): str(lasts[tail - 1]) for tail in SURVIVAL_TAILS},
        "rolls": [float(lasts[n - 1] - lasts[n]) for n in range(1, MAX_LISTED_ROLLS + 1)],
        "points": [float(chance) for chance in points],
        "points_exact": [str(chance) for chance in length.points(6)],
        "decisions": [float(chance) for chance in decisions],
        "pass_wins": [float(chance) for chance in list_pass_wins(hand, MAX_LISTED_POINTS)],
        "different_points": [float(chance) for chance in different],
        "different_points_exact": [str(chance) for chance in different],
        "gathered": [_collect_json(hand, each, rolls) for each in hand.collect_chances],
        "shift_rolls": rolls,
        "longest": None if rolls is None else _longest_json(hand.find_longest(rolls)),
    }


def _longest_json(longest: LongestHand | None) -> dict[str, Any] | None:
    if longest is None:
        return None
    return {"mean": longest.mean, "at_least": list(longest.at_least)}


def _collect_json(hand: ShooterHand, each: CollectChance, rolls: int | None) -> dict[str, Any]:
    in_shift = None if rolls is None else hand.in_shift(each, rolls)
    return {**asdict(each), **exact_json(chance=each.chance), "in_shift": in_shift}


class HandTerm(msgspec.Struct, frozen=True, kw_only=True):
    """A total thrown in one state of a hand, such as a 7 with the puck on 4.

    ``place`` names the state. ``weight`` of ``whole`` is the chance of the total there. ``rolls``
    is the mean number of throws in that state. ``does`` is the effect of the total, such as to end
    the hand or make the point, and ``cite`` its clause.
    """

    place: str
    total: int
    weight: int
    whole: int
    rolls: Fraction
    does: str
    cite: str

    @property
    def often(self) -> Fraction:
        """The mean number of times in a hand that the shooter throws the total in this state."""
        return self.rolls * Fraction(self.weight, self.whole)


def explain_hand(hand: ShooterHand) -> tuple[HandTerm, ...]:
    """Return a term for every total that can be thrown in each state of a hand.

    Their frequencies (``often``) add up to the mean numbers of rolls, points and decisions.

    >>> from passline.lab.luck.shooter_hand import solve_shooter_hand
    >>> terms = explain_hand(solve_shooter_hand("iowa"))
    >>> sum(term.often for term in terms), sum(t.often for t in terms if t.does == "ends the hand")
    (Fraction(1671, 196), Fraction(1, 1))
    """
    book = hand.house.book
    names = {COME_OUT: "come-out"} | {
        throw.next: f"puck on {throw.total}"
        for throw in hand.length.ways[COME_OUT]
        if throw.next not in (COME_OUT, HAND_ENDED)
    }
    found = []
    for state, rolls in hand.length.visits().items():
        for throw in hand.length.ways[state]:
            if throw.next == HAND_ENDED:
                does, cite = "ends the hand", book.dice.must_pass.cite
            elif throw.made:
                does, cite = "makes the point", book.points.cite
            elif state != COME_OUT:
                does, cite = "", ""
            elif throw.next == COME_OUT:
                does, cite = "decides the come-out", ""
            else:
                does, cite = "sets a point", book.points.cite
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
    """Return the field ``explain`` of ``passline hand --explain --json``."""
    return [
        {key: str(value) if isinstance(value, Fraction) else value or None for key, value in pairs}
        for pairs in ((*asdict(term).items(), ("often", term.often)) for term in terms)
    ]
