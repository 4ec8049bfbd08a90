# mypy: ignore-errors
"""A file of strategies as crapssim's users write them."""

from crapssim.bet import Come, Field, PassLine, Place
from crapssim.strategy import AddIfTrue, BetPassLine, RemoveIfTrue, Strategy
from crapssim.strategy.tools import ReplaceIfTrue


class Doubler(Strategy):
    """Pass for the unit, doubled after each loss up to eight units; stops after two shooters."""

    def __init__(self, unit=5, shooters=None):
        self.unit, self.level, self.shooters = unit, 0, shooters

    def completed(self, player):
        return self.shooters is not None and player.table.n_shooters > self.shooters

    def after_roll(self, player):
        for bet in player.get_bets_by_type(PassLine):
            result = bet.get_result(player.table)
            if result.lost:
                self.level = min(self.level + 1, 3)
            elif result.won:
                self.level = 0

    def update_bets(self, player):
        if player.table.point == "Off" and not player.has_bets(PassLine):
            player.add_bet(PassLine(self.unit * 2**self.level))


class Quitter(Strategy):
    """Field until it is $20 ahead of where this shooter began."""

    def __init__(self):
        self.began = None

    def completed(self, player):
        return False

    def update_bets(self, player):
        if player.table.new_shooter or self.began is None:
            self.began = player.bankroll
        if player.bankroll - self.began < 20:
            player.add_bet(Field(5))


class Greedy(Strategy):
    """A tenth of the bankroll: no machine knows that."""

    def completed(self, player):
        return False

    def update_bets(self, player):
        player.add_bet(Field(player.bankroll / 10))


after_a_twelve = AddIfTrue(Field(5), lambda player: player.table.dice.total == 12)
up_to_three = (
    BetPassLine(5)
    + AddIfTrue(Come(5), lambda player: len(player.bets) < 4)
    + RemoveIfTrue(lambda bet, player: isinstance(bet, Place))
)
swap = BetPassLine(5) + ReplaceIfTrue(
    Place(8, 6), lambda bet, player: isinstance(bet, Place) and bet.number == 6
)


def ours(unit):
    """A maker of a strategy of ours."""
    return lambda view: [] if view.up("field") else [f"field for {unit}"]
