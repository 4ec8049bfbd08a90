"""Connect a strategy to a table: show it a View, and turn its phrases into table commands.

The meaning of a phrase may depend on the table at that moment (``pass-odds for max``). So each
phrase is a ``SpokenMove``, which becomes commands only when it is made.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import NamedTuple

from passline.game.layout.stakes import Refusal
from passline.game.table.commands import AnyCommand
from passline.game.table.events import Rolled
from passline.game.table.state import Table
from passline.lab.machines.bettor import SettledBet, StrategyError, Turn, View, dollars_of
from passline.lab.strategies.ask import (
    Strategy,
    ask_strategy,
    check_same_answer,
    measure_memory,
    type_signature,
)
from passline.lab.strategies.built_in import is_built_in
from passline.lab.strategies.policy import Policy
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.understand import understand


def make_view(table: Table, player: str, last: Rolled | None, memory: Hashable) -> View:
    """Return a player's View between throws.

    ``last`` is the last throw, and ``memory`` the value that the strategy returned on its last
    turn.
    """
    floor = table.layout.floor
    mine = [done for done in last.settlements if done.player == player] if last else []
    return View(
        table.puck,
        {floor(slug): dollars_of(up.amount) for slug, up in table.seat(player).wagers.items()},
        (min(last.first, last.second), max(last.first, last.second)) if last else None,
        tuple(SettledBet(floor(done.wager), done.result, dollars_of(done.paid)) for done in mine),
        memory=memory,
        new_shooter=table.fresh and not table.point,
    )


class SpokenMove(NamedTuple):
    """A bet or other action of a strategy as a betting phrase, such as ``pass for 10``."""

    text: str

    def __str__(self) -> str:
        """Return the phrase in quotes, for messages."""
        return repr(self.text)

    def commands(self, table: Table, player: str) -> Sequence[AnyCommand] | Refusal:
        """Return the commands that the phrase means at this table, or the Refusal of the rules.

        Raise StrategyError for a phrase that cannot be understood.
        """
        try:
            return understand(table, player, self.text)
        except UnplayableError as error:
            return error.refusal
        except RecordError as error:
            raise StrategyError(f"the strategy said {self}: {error}") from None


class StrategyBettor:
    """A strategy function as the ``Bettor`` that a machine asks for its turns."""

    def __init__(self, strategy: Strategy, name: str = "") -> None:
        self.strategy = strategy
        self.name = name or getattr(strategy, "__name__", "strategy")
        bare = strategy.func if isinstance(strategy, partial) else strategy
        self._never_random = isinstance(bare, Policy) or is_built_in(bare)
        #: The moves for each tuple of phrases, cached because many states share the same phrases.
        self._moves: dict[tuple[str, ...], tuple[SpokenMove, ...]] = {}

    def take_turn(self, view: View) -> Turn:
        """Ask the strategy about a view, and return its moves and memory."""
        says, memory = ask_strategy(self.strategy, view)
        moves = self._moves.get(says)
        if moves is None:
            moves = self._moves[says] = tuple(map(SpokenMove, says))
        policy = self.strategy if isinstance(self.strategy, Policy) else None
        return Turn(
            moves=moves,
            memory=memory,
            kind=type_signature(memory),
            weight=measure_memory(memory) or 0,
            least=0 if policy is None else policy.find_least_worth(memory),
        )

    def check_turn(self, view: View, before: Turn) -> None:
        """Ask the strategy again about a view. Raise StrategyError unless it answers ``before``.

        Built-in strategies and policies are not asked, because they are not random.
        """
        if self._never_random:
            return
        says = tuple(str(move.text) for move in before.moves if isinstance(move, SpokenMove))
        check_same_answer(self.strategy, view, (says, before.memory))
