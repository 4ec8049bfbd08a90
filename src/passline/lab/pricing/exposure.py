"""Compute what one throw can cost the house: for a wager at its maximum, or for a whole layout."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from passline.game.dice.dice import FAIR, OUTCOMES, Dice
from passline.game.layout.odds_limits import find_odds_cap
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Refusal, Stake, Wagers
from passline.game.layout.wager_checks import check_amount, find_bounds, find_stake_step
from passline.game.money.amounts import show_money
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.events import Rolled
from passline.game.table.state import Table
from passline.game.words.odds import say_odds
from passline.lab.machines.bet_walks import BetWalk, find_house_cost, walk_wager
from passline.lab.pricing.walk_setup import add_full_odds, make_course, make_odds_course
from passline.lab.results import LabResult, ResultTable


class WagerLimit(msgspec.Struct, frozen=True):
    """A wager at its posted limits, alone on the layout. Money is in cents.

    ``least`` is the smallest stake that the house accepts, and ``stake`` the largest. With the
    largest, ``paid`` is the most that the wager wins on a throw, and ``cost`` the most that a throw
    costs the house.
    """

    least: int
    stake: int
    paid: int
    cost: int


def find_limit(felt: Layout, slug: str, with_odds: bool = False) -> WagerLimit | None:
    """Return a wager's posted limits, with the most that it wins and costs at its maximum.

    ``slug`` is the wager, and ``felt`` the layout. With ``with_odds``, the player adds full odds
    behind it. Return None if no amount within the limits may be wagered.
    """
    spot = felt.spots[slug]
    if spot.is_odds:
        walks = [walked for walked in _odds_walks(felt, spot) if isinstance(walked, BetWalk)]
    else:
        course = make_course(felt, spot)
        course = replace(course, add_bets=add_full_odds) if with_odds else course
        walked = walk_wager(felt, slug, _most_stake(spot), course) if _most_stake(spot) else None
        walks = [walked] if isinstance(walked, BetWalk) else []
    if not walks:
        return None
    worst = max(walks, key=lambda found: found.cost)
    return WagerLimit(
        least=_least_stake(felt, spot), stake=worst.stake, paid=worst.paid, cost=worst.cost
    )


def _least_stake(felt: Layout, spot: Spot) -> int:
    """Return the smallest stake (cents) that the house accepts; for odds, on any point."""
    if not spot.is_odds:
        return find_bounds(felt, spot, 0, {}).least
    flat = _most_stake(felt.spots[spot.flat])
    behind = {spot.flat: Stake(flat, flat)}
    points = (0,) if spot.number else felt.house.book.points.value
    return min(_least_odds(felt, spot, point, behind) for point in points)


def _least_odds(felt: Layout, spot: Spot, point: int, behind: Wagers) -> int:
    """Return the smallest odds in whole chips that the house accepts behind a flat bet, in cents.

    ``spot`` is the odds wager, ``point`` the point, and ``behind`` holds the flat bet. If the house
    accepts none below its maximum, return the maximum.
    """
    chip, most = felt.house.chip, find_odds_cap(felt, spot, point, behind)
    tried = range(chip, most, chip)
    return next((a for a in tried if check_amount(felt, spot, point, behind, a) is None), most)


def _most_stake(spot: Spot) -> int:
    """Return the largest stake in cents that the house accepts and pays in full."""
    return spot.maximum - spot.maximum % find_stake_step(spot)


def _odds_walks(felt: Layout, spot: Spot) -> Iterator[BetWalk | Refusal]:
    """Yield, for each point, how full odds behind the largest flat bet are decided, or a Refusal.

    The bet's chain of states is a ``BetWalk``.
    """
    flat = _most_stake(felt.spots[spot.flat])
    for point in (0,) if spot.number else felt.house.book.points.value:
        cap = find_odds_cap(felt, spot, point, {spot.flat: Stake(flat, flat)})
        yield walk_wager(felt, spot.slug, cap, make_odds_course(felt, spot, point, flat))


class ThrowCost(msgspec.Struct, frozen=True):
    """One outcome of the dice: its weight, and what it costs the house in cents.

    The cost is negative if the house wins. ``by`` splits it into (player, wager, cents).
    """

    dice: tuple[int, int]
    weight: int
    cost: int
    by: tuple[tuple[str, str, int], ...]


class Exposure(LabResult, msgspec.Struct, frozen=True):
    """What each throw would cost the house at a table. Money is in cents.

    ``stakes`` is the total on the layout. ``falls`` has the cost of each outcome of the dice, and
    ``whole`` is their total weight. ``refused`` counts the lines of the table's record that the
    rules refused.
    """

    puck: int
    stakes: int
    falls: tuple[ThrowCost, ...]
    refused: int = 0
    whole: int = FAIR.whole

    def headline(self) -> str:
        """Return in one line what the next throw costs the house, at worst and on average."""
        worst = "-".join(map(str, self.worst.dice))
        most, mean = show_money(self.worst.cost), show_money(self.mean)
        return say_odds("exposure", most=most, dice=worst, mean=mean)

    def to_table(self) -> ResultTable:
        """Return a table of the outcomes, the most expensive first."""
        return ResultTable(
            {"dice": "words", "weight": "count", "cost": "money"},
            [("-".join(map(str, f.dice)), f.weight, f.cost) for f in self.dearest_first()],
            x_column="dice",
            y_column="cost",
        )

    def dearest_first(self) -> list[ThrowCost]:
        """Return the outcomes, the one that costs the house most first."""
        return sorted(self.falls, key=lambda fall: -fall.cost)

    @property
    def worst(self) -> ThrowCost:
        """The throw that costs the house most."""
        return max(self.falls, key=lambda fall: fall.cost)

    @property
    def mean(self) -> Fraction:
        """The mean cost of the next throw to the house in cents; negative if it expects to win."""
        return Fraction(sum(fall.cost * fall.weight for fall in self.falls), self.whole)


def compute_exposure(table: Table, refused: int = 0, thrown: Dice = FAIR) -> Exposure | Refusal:
    """Return the cost to the house of every outcome at a table, or the Refusal to throw the dice.

    ``refused`` is only recorded: how many lines of the table's record the rules refused. ``thrown``
    are the dice.
    """
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
        by = tuple(
            (s.player, s.wager, find_house_cost(s))
            for s in rolled.settlements
            if find_house_cost(s)
        )
        falls.append(
            ThrowCost(dice=dice, weight=weight, cost=sum(cost for _, _, cost in by), by=by)
        )
    stakes = sum(stake.amount for seat in table.seats for stake in seat.wagers.values())
    return Exposure(
        puck=table.point, stakes=stakes, falls=tuple(falls), refused=refused, whole=thrown.whole
    )
