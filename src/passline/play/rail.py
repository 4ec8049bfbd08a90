"""The others at the rail: players who bet by a strategy."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from passline.machines import StrategyError
from passline.play.played import Played
from passline.record import RecordError
from passline.strategies import Strategy
from passline.strategies.answer import ask_strategy
from passline.strategies.seeing import view_at
from passline.talk.says import money_words


class Other:
    """One player of the rail: a name, a strategy, and what it remembers.

    ``trouble`` says what is wrong with a strategy that failed; its player bets no more.
    """

    def __init__(self, name: str, title: str, strategy: Strategy | None) -> None:
        self.name, self.title, self.strategy = name, title, strategy
        self.memory: Hashable = None
        self.wanted: tuple[str, ...] = ()
        self.trouble = ""

    def listens(self, game: Played) -> None:
        """Look at a betting moment that opens: settle what to say, and remember."""
        self.wanted = self._wants(game)

    def speaks(self, game: Played) -> None:
        """Say what is wanted. What is refused or not understood is left at that.

        A player who is broke, or too short to get a single bet up, buys in once more for what
        they came with and says it again: somebody is always at the rail.
        """
        says, self.wanted = self.wanted, ()
        self._say_all(game, says)
        seat = game.table.seat(self.name)
        came_with = game.came_with(self.name)
        broke = seat.rail < game.house.minimum or (says and seat.rail < came_with)
        if broke and not seat.wagers:
            game.happen(f"{self.name} buys in {money_words(came_with)}")
            self._say_all(game, says)

    def _say_all(self, game: Played, says: tuple[str, ...]) -> None:
        try:
            game.say(self.name, "; ".join(says))
        except RecordError:
            for say in says:
                self._say(game, say)

    def _say(self, game: Played, say: str) -> None:
        try:
            game.say(self.name, say)
        except RecordError:
            return  # a say that this table does not know

    def _wants(self, game: Played) -> tuple[str, ...]:
        if self.strategy is None or self.trouble:
            return ()
        view = view_at(game.table, self.name, game.thrown, self.memory)
        try:
            says, self.memory = ask_strategy(self.strategy, view)
        except StrategyError as wrong:
            self.trouble = str(wrong)
            return ()
        return says


def open_betting(game: Played, others: Iterable[Other]) -> None:
    """A betting moment opens: everybody at the rail bets."""
    for other in others:
        other.listens(game)
        other.speaks(game)


def catch_up(game: Played, others: Iterable[Other]) -> None:
    """After a game was dealt again: those who were cut off before they could speak do so now."""
    late = [other for other in others if other.name not in game.spoke and other.wanted]
    for other in late:
        other.speaks(game)
