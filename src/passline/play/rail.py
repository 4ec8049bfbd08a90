"""Other players at the table, who bet by a strategy."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from contextlib import suppress

from passline.lab.machines.bettor import StrategyError
from passline.lab.strategies.ask import Strategy, ask_strategy
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategies.load import load_strategy
from passline.lab.strategies.table_adapter import make_view
from passline.play.game import BaseGame
from passline.talk.canonical import format_amount
from passline.talk.errors import RecordError


class RailPlayer:
    """A player who bets by a strategy, with the strategy's memory.

    ``error`` is the message of a strategy that failed. Its player stops betting.
    """

    def __init__(self, name: str, title: str, strategy: Strategy | None) -> None:
        self.name, self.title, self.strategy = name, title, strategy
        self.memory: Hashable = None
        self.next_bets: tuple[str, ...] = ()
        self.error = ""

    def choose_bets(self, game: BaseGame) -> None:
        """Ask the strategy for its next bets, and store them for ``place_bets``."""
        self.next_bets = ()
        if self.strategy is None or self.error:
            return
        view = make_view(game.table, self.name, game.thrown, self.memory)
        strategy = self.strategy
        if self.title in BUILT_IN:
            strategy = load_strategy(self.title, house=game.house).function
        try:
            self.next_bets, self.memory = ask_strategy(strategy, view)
        except StrategyError as error:
            self.error = str(error)

    def place_bets(self, game: BaseGame) -> None:
        """Make the stored bets. Skip each that is refused or not understood.

        A player who then has no bet up buys in again, for the same amount as at first, if the rail
        is below the table minimum, or below that amount although there were bets to make. Then the
        bets are made once more. So the table never empties.
        """
        says, self.next_bets = self.next_bets, ()
        self._say_all(game, says)
        seat = game.table.seat(self.name)
        initial_buy_in = game.initial_buy_in(self.name)
        broke = seat.rail < game.house.minimum or (says and seat.rail < initial_buy_in)
        if broke and not seat.wagers:
            game.do_table_line(f"{self.name} buys in {format_amount(initial_buy_in)}")
            self._say_all(game, says)

    def _say_all(self, game: BaseGame, says: tuple[str, ...]) -> None:
        try:
            game.say(self.name, "; ".join(says))
        except RecordError:
            for say in says:
                with suppress(RecordError):  # This table does not understand the statement.
                    game.say(self.name, say)


def let_rail_bet(game: BaseGame, others: Iterable[RailPlayer]) -> None:
    """Let every strategy choose its bets and make them."""
    for other in others:
        other.choose_bets(game)
        other.place_bets(game)


def let_rail_catch_up(game: BaseGame, others: Iterable[RailPlayer]) -> None:
    """After a resume, place the bets of strategies that had not bet yet since the last roll."""
    for other in [o for o in others if o.name not in game.players_who_spoke and o.next_bets]:
        other.place_bets(game)
