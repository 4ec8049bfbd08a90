"""What a strategy is shown at a table where others play too: one player's view of it.

A strategy that speaks, at a seat where commands are taken.

A strategy says what it wants in a player's words; what they mean may depend on the table as it
stands when they are said (``pass-odds for max``). So every say is a move, which becomes commands
when it is due.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
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
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.understand import understand


def make_view(table: Table, player: str, last: Rolled | None, memory: Hashable) -> View:
    """A player's view between throws: ``last`` is the last throw, ``memory`` what the strategy
    handed back before it."""
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


class StrategyBettor:
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
        return Turn(
            moves=moves,
            memory=memory,
            kind=type_signature(memory),
            weight=measure_memory(memory) or 0,
        )

    def check_turn(self, view: View, before: Turn) -> None:
        """StrategyError unless the strategy still says and keeps the same."""
        says = tuple(str(move.text) for move in before.moves if isinstance(move, SpokenMove))
        check_same_answer(self.strategy, view, (says, before.memory))
