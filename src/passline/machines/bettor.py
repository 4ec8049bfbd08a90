"""Who bets at a machine's seat: asked in every state, answering with commands."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from passline.machines.view import View

if TYPE_CHECKING:
    from passline.layout import Refusal
    from passline.table import Table
    from passline.table.commands import AnyCommand


class BettorMove(Protocol):
    """One thing that a bettor does. Its words (``str``) name it in messages."""

    def commands(self, table: Table, player: str) -> Sequence[AnyCommand] | Refusal:
        """What is asked of the table as it stands when the move is due; or why it cannot be done.

        StrategyError where the move makes no sense.
        """


class Turn(NamedTuple):
    """What a bettor does in a state, and what is kept for the next.

    ``kind`` tells memories apart that are equal and do not look the same (1 and True); ``weight``
    is about how many bytes the memory takes.
    """

    moves: tuple[BettorMove, ...] = ()
    memory: Hashable = None
    kind: object = type(None)
    weight: int = 0


class Bettor(Protocol):
    """A way to bet: the same view always gets the same turn."""

    @property
    def name(self) -> str:
        """What messages and saved machines call it."""

    def take_turn(self, view: View) -> Turn:
        """What to do before the next throw. StrategyError where it has no answer."""

    def check_turn(self, view: View, before: Turn) -> None:
        """StrategyError unless the turn would be the same as it was before."""
