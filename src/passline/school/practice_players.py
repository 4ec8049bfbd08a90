"""Simulated players of practice tables: each bets by one strategy, in amounts of one size.

Most strategies are the lab's. Those below add what the lab's leave out: don't comes, buy and lay
bets, and wagers that only some rulebooks have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import lcm
from typing import TYPE_CHECKING

import msgspec

from passline.game.house.house import House
from passline.game.layout.odds_limits import find_odds_price
from passline.game.layout.spots import Spot
from passline.game.table.options import bet_option
from passline.lab.machines.bettor import View
from passline.lab.strategies import built_in
from passline.lab.strategies.built_in import Says
from passline.lab.strategies.table_adapter import make_view
from passline.school.seeded_random import SeededRandom
from passline.talk.canonical import format_amount

if TYPE_CHECKING:
    from passline.school.practice_tables import PracticeTable

PracticeStrategy = Callable[[View], Says]

_PHRASE_PATTERN = re.compile(r"([a-z0-9-]+) for (\d+|max)")
_NUMBERS = (4, 5, 6, 8, 9, 10)


def dont_come(view: View) -> Says:
    """Bet the don't pass and up to two don't comes, laying odds on each."""
    says = built_in.dont_pass_odds(view)
    behind = [n for n in _NUMBERS if view.up(f"dont-come-{n}")]
    says += [f"dont-come-odds-{n} for max" for n in behind if not view.up(f"dont-come-odds-{n}")]
    if view.puck is not None and not view.up("dont-come") and len(behind) < 2:
        says.append("dont-come for 10")
    return says


def buy_outside(view: View) -> Says:
    """Bet the pass line and buy the 4 and the 10, except the point."""
    return [*built_in.pass_line(view), *_bet_numbers(view, "buy", (4, 10))]


def lay_outside(view: View) -> Says:
    """Bet the don't pass and lay the 4 and the 10, except the point."""
    return [*built_in.dont_pass(view), *_bet_numbers(view, "lay", (4, 10))]


def lay_inside(view: View) -> Says:
    """Bet the don't pass and lay the 6 and the 9, except the point."""
    return [*built_in.dont_pass(view), *_bet_numbers(view, "lay", (6, 9))]


def buy_numbers(view: View) -> Says:
    """Buy the 5, the 9 and the 10, except the point."""
    return _bet_numbers(view, "buy", (5, 9, 10))


def place_and_line(view: View) -> Says:
    """Bet the pass line with odds, and place the 6 and the 8, except the point."""
    placed = [say for say in built_in.place_6_8(view) if f"-{view.puck} " not in say]
    return [*built_in.pass_odds(view), *placed]


def pass_and_field(view: View) -> Says:
    """Bet the pass line, and the field on every roll."""
    return [*built_in.pass_line(view), *built_in.field(view)]


def _bet_numbers(view: View, kind: str, numbers: Sequence[int]) -> Says:
    if view.puck is None:
        return []
    fresh = [n for n in numbers if n != view.puck and not view.up(f"{kind}-{n}")]
    return [f"{kind}-{n} for 20" for n in fresh]


#: Strategies with a line bet, for shooters, and for the other players; the first few are for the
#: first levels.
_SHOOTERS: tuple[PracticeStrategy, ...] = (
    built_in.pass_odds, place_and_line, pass_and_field, built_in.dont_pass_odds, dont_come,
    built_in.three_point_molly, built_in.pass_odds, buy_outside,
)  # fmt: skip
_OTHERS: tuple[PracticeStrategy, ...] = (
    built_in.pass_odds, built_in.place_6_8, built_in.field, built_in.dont_pass_odds, dont_come,
    built_in.three_point_molly, built_in.come_odds, built_in.inside, built_in.across,
    built_in.iron_cross, built_in.hardways, buy_numbers, buy_outside, lay_outside, lay_inside,
)  # fmt: skip
_SIMPLE_STRATEGIES, _ALL_STRATEGIES_LEVEL = 4, 3
#: By level, the sizes of players: how many times the usual minimum each bet is.
_TIMES_BY_LEVEL = {1: (1, 1, 2), 2: (1, 2, 3), 3: (2, 3, 5), 4: (5, 6, 10, 12), 5: (5, 10, 20, 40)}
_MAX_CENTER_TIMES = 10
#: From this level, one bet in so many does not pay evenly.
_UNEVEN_BETS_LEVEL, _UNEVEN_ONE_IN = 4, 4
#: One player in this many makes a bet in the center of the layout, from level 2.
_CENTER_BET_ONE_IN = 3
#: Nobody buys or lays a number for a vigorish below this many cents.
_MIN_VIG = 100


def is_worth_vig(house: House, spot: Spot, stake: int) -> bool:
    """Return whether players would make a bet of ``stake`` cents.

    They would if its vigorish, before rounding, is at least a dollar and one smallest chip of the
    house, or if the wager has none.
    """
    if not spot.vig:
        return True
    terms = house.vig[spot.vig]
    return terms.on(stake, spot.odds) * terms.rate >= max(_MIN_VIG, terms.chip)


class PracticePlayer(msgspec.Struct, frozen=True):
    """A player at a practice table: the name, the strategy, and the size of the bets.

    ``times`` is how many times the usual minimum the player bets.
    """

    name: str
    strategy: PracticeStrategy
    times: int

    def bet(self, practice: PracticeTable, random: SeededRandom) -> None:
        """Make the bets of the strategy at this moment, except those that the house refuses."""
        for phrase in self.strategy(make_view(practice.table, self.name, None, None)):
            found = _PHRASE_PATTERN.fullmatch(phrase)
            spot = practice.setup.layout.spot(found[1]) if found else None
            if found and spot is not None:
                self._make_bet(practice, spot, random)

    def bet_center(self, practice: PracticeTable, random: SeededRandom) -> None:
        """Make one bet in the center of the layout, if the player lacks one.

        Each kind of wager is equally likely; all hops together are one kind.
        """
        mine = practice.table.seat(self.name).wagers
        by_kind: dict[str, list[Spot]] = {}
        for spot in practice.setup.layout.spots.values():
            if spot.rule.area == "center" and not spot.tiers and spot.slug not in mine:
                kind = "hop" if spot.slug.startswith("hop-") else spot.family
                by_kind.setdefault(kind, []).append(spot)
        if by_kind:
            self._make_bet(practice, random.pick(random.pick(list(by_kind.values()))), random)

    def _make_bet(self, practice: PracticeTable, spot: Spot, random: SeededRandom) -> None:
        amount = self._pick_amount(practice, spot, random)
        if amount:
            practice.say(self.name, f"{spot.slug} for {format_amount(amount)}")

    def _pick_amount(self, practice: PracticeTable, spot: Spot, random: SeededRandom) -> int:
        """Return the amount of a bet in cents, or 0 if the house takes none."""
        option, setup = bet_option(practice.table, self.name, spot.slug), practice.setup
        if option.bar is not None:
            return 0
        price = find_odds_price(spot, practice.table.point)
        unit = lcm(option.step, price.step(setup.house.chip))  # It pays in whole chips.
        usual = setup.house.minimum if spot.rule.area == "table" else 0
        least = -(-max(option.least, usual) // unit) * unit
        if spot.is_odds:
            flat = practice.table.seat(self.name).wagers[spot.flat].amount
            amount = random.pick((flat, 2 * flat, option.most))
        else:
            center = spot.rule.area == "center"
            amount = least * (min(self.times, _MAX_CENTER_TIMES) if center else self.times)
            uneven = setup.level >= _UNEVEN_BETS_LEVEL and price.win != price.stake
            if uneven and random.one_in(_UNEVEN_ONE_IN):
                amount += option.step * random.between(1, 3)
        while not is_worth_vig(setup.house, spot, amount):
            amount += least
        if spot.is_odds:
            amount = amount // unit * unit
        amount = min(amount, option.most // unit * unit)
        return amount if amount >= option.least else option.least


def make_players(
    practice: PracticeTable, names: Sequence[str], random: SeededRandom
) -> list[PracticePlayer]:
    """Return the players at a table, each with a strategy and a bet size; the first one shoots."""
    level = practice.setup.level
    last = len(_OTHERS) if level >= _ALL_STRATEGIES_LEVEL else _SIMPLE_STRATEGIES
    return [
        PracticePlayer(
            name,
            random.pick(_OTHERS[:last] if n else _SHOOTERS[:last]),
            random.pick(_TIMES_BY_LEVEL[level]),
        )
        for n, name in enumerate(names)
    ]


def bet_round(
    practice: PracticeTable, players: Sequence[PracticePlayer], random: SeededRandom
) -> None:
    """Have every player bet once, between two throws; ``practice`` changes."""
    for player in players:
        player.bet(practice, random)


def bet_propositions(
    practice: PracticeTable, players: Sequence[PracticePlayer], random: SeededRandom
) -> None:
    """Have about a third of the players bet in the center, from level 2; ``practice`` changes."""
    for player in players:
        if practice.setup.level > 1 and random.one_in(_CENTER_BET_ONE_IN):
            player.bet_center(practice, random)
