"""A strategy that speaks, at a seat where commands are taken.

A strategy says what it wants in a player's words; what they mean may depend on the table as it
stands when they are said (``pass-odds for max``). So every say is a move, which becomes commands
when it is due.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from passline.layout import Refusal
from passline.machines import StrategyError, View
from passline.machines.bettor import Turn
from passline.strategies.answer import Strategy, ask_again, ask_strategy, tell_kind, weigh
from passline.table import Table
from passline.table.commands import AnyCommand
from passline.talk import RecordError, UnplayableError, understand


class SpokenMove(NamedTuple):
    """A move that is said: ``pass for 10``."""

    text: str

    def __str__(self) -> str:
        """As a message quotes it."""
        return repr(self.text)

    def commands(self, table: Table, player: str) -> Sequence[AnyCommand] | Refusal:
        """What the player said, as a dealer understands it at this table."""
        try:
            return understand(table, player, self.text)
        except UnplayableError as wrong:
            return wrong.refusal
        except RecordError as wrong:
            raise StrategyError(f"the strategy said {self}: {wrong}") from None


class SpeakingBettor:
    """A strategy as a machine's seat takes it: asked for its says, understood at the table."""

    def __init__(self, strategy: Strategy, name: str = "") -> None:
        self.strategy = strategy
        self.name = name or getattr(strategy, "__name__", "strategy")
        #: Says and the moves they are: a strategy says few things, and says them in many states.
        self._moves: dict[tuple[str, ...], tuple[SpokenMove, ...]] = {}

    def take_turn(self, view: View) -> Turn:
        """What the strategy says, and keeps."""
        says, memory = ask_strategy(self.strategy, view)
        moves = self._moves.get(says)
        if moves is None:
            moves = self._moves[says] = tuple(map(SpokenMove, says))
        return Turn(moves=moves, memory=memory, kind=tell_kind(memory), weight=weigh(memory) or 0)

    def check_turn(self, view: View, before: Turn) -> None:
        """StrategyError unless the strategy still says and keeps the same."""
        says = tuple(str(move.text) for move in before.moves if isinstance(move, SpokenMove))
        ask_again(self.strategy, view, (says, before.memory))
