"""What one throw can cost the house: a wager at its posted maximum, or a whole layout."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from passline.dice import FAIR, OUTCOMES, Dice
from passline.law.wagers import OddsRule
from passline.layout import Layout, Refusal, Spot, Stake, Wagers
from passline.layout.amounts import bounds, check_amount, odds_cap, stake_step
from passline.machines.decision import Walk, cost_of, walk_wager
from passline.pricing.setups import add_full_odds, course_of, odds_course
from passline.results import LabResult, ResultTable, show_money
from passline.table import Table, decide
from passline.table import commands as cmd
from passline.table.events import Rolled


class Limit(msgspec.Struct, frozen=True):
    """A wager at its posted limits, alone on the layout. Money in cents.

    ``least`` is the least stake that is taken, ``stake`` the most that may be wagered and paid;
    ``paid`` the most it then wins on a throw, and ``cost`` the most a throw costs the house.
    """

    least: int
    stake: int
    paid: int
    cost: int


def at_limit(felt: Layout, slug: str, with_odds: bool = False) -> Limit | None:
    """A wager at its posted maximum; None where no amount within its limits may be wagered."""
    spot = felt.spots[slug]
    if isinstance(spot.rule, OddsRule):
        walks = [walked for walked in _odds_walks(felt, spot) if isinstance(walked, Walk)]
    else:
        course = course_of(felt, spot)
        course = replace(course, dress=add_full_odds) if with_odds else course
        walked = walk_wager(felt, slug, _most(spot), course) if _most(spot) else None
        walks = [walked] if isinstance(walked, Walk) else []
    if not walks:
        return None
    worst = max(walks, key=lambda found: found.cost)
    return Limit(least=_least(felt, spot), stake=worst.stake, paid=worst.paid, cost=worst.cost)


def _least(felt: Layout, spot: Spot) -> int:
    """The least stake that is taken; of odds, on the number where that is least."""
    if not isinstance(spot.rule, OddsRule):
        return bounds(felt, spot, 0, {}).least
    flat = _most(felt.spots[spot.flat])
    behind = {spot.flat: Stake(flat, flat)}
    points = (0,) if spot.number else felt.house.book.points.value
    return min(_least_odds(felt, spot, point, behind) for point in points)


def _least_odds(felt: Layout, spot: Spot, point: int, behind: Wagers) -> int:
    """Whole chips, until there are enough of them to be taken (as many as there may be are)."""
    chip, most = felt.house.chip, odds_cap(felt, spot, point, behind)
    tried = range(chip, most, chip)
    return next((a for a in tried if check_amount(felt, spot, point, behind, a) is None), most)


def _most(spot: Spot) -> int:
    """The most that a wager takes and pays, in its steps."""
    return spot.maximum - spot.maximum % stake_step(spot)


def _odds_walks(felt: Layout, spot: Spot) -> Iterator[Walk | Refusal]:
    """All the odds behind a flat at its own maximum, on each point."""
    flat = _most(felt.spots[spot.flat])
    for point in (0,) if spot.number else felt.house.book.points.value:
        cap = odds_cap(felt, spot, point, {spot.flat: Stake(flat, flat)})
        yield walk_wager(felt, spot.slug, cap, odds_course(felt, spot, point, flat))


class Fall(msgspec.Struct, frozen=True):
    """One fall of the dice: how many of the whole, what it costs the house, by which wagers."""

    dice: tuple[int, int]
    weight: int
    cost: int
    by: tuple[tuple[str, str, int], ...]


class Exposure(LabResult, msgspec.Struct, frozen=True):
    """What each throw would cost the house at a table as it stands. Money in cents.

    ``stakes`` is what lies on the layout, ``refused`` how many says of its record were refused;
    ``whole`` is what the falls weigh together.
    """

    puck: int
    stakes: int
    falls: tuple[Fall, ...]
    refused: int = 0
    whole: int = FAIR.whole

    def headline(self) -> str:
        """The worst that the next throw can cost, and the mean."""
        worst = "-".join(map(str, self.worst.dice))
        return (
            f"the next throw costs the house {show_money(self.worst.cost)} at most, on {worst}, "
            f"and {show_money(self.mean)} on average; exact"
        )

    def listed(self) -> ResultTable:
        """Each fall of the dice, the dearest first."""
        falls = sorted(self.falls, key=lambda fall: -fall.cost)
        return ResultTable(
            {"dice": "words", "weight": "count", "cost": "money"},
            [("-".join(map(str, fall.dice)), fall.weight, fall.cost) for fall in falls],
            across="dice",
            up="cost",
        )

    @property
    def worst(self) -> Fall:
        """The throw that costs the house most."""
        return max(self.falls, key=lambda fall: fall.cost)

    @property
    def mean(self) -> Fraction:
        """The mean cost of the throw; below zero: what the house expects to take."""
        return Fraction(sum(fall.cost * fall.weight for fall in self.falls), self.whole)


def exposure(table: Table, refused: int = 0, thrown: Dice = FAIR) -> Exposure | Refusal:
    """Throw every combination of the dice at a table; or why nobody may throw there."""
    falls = []
    weights: dict[tuple[int, int], int] = {}
    for pair, own in zip(OUTCOMES, thrown.weights, strict=True):
        faces = (min(pair), max(pair))
        weights[faces] = weights.get(faces, 0) + own
    for dice, weight in weights.items():
        answer = decide(table, cmd.Roll(*dice))
        if isinstance(answer, Refusal):
            return answer
        rolled = next(event for event in answer if isinstance(event, Rolled))
        by = tuple((s.player, s.wager, cost_of(s)) for s in rolled.settlements if cost_of(s))
        falls.append(Fall(dice=dice, weight=weight, cost=sum(cost for _, _, cost in by), by=by))
    stakes = sum(stake.amount for seat in table.seats for stake in seat.wagers.values())
    return Exposure(
        puck=table.puck, stakes=stakes, falls=tuple(falls), refused=refused, whole=thrown.whole
    )
