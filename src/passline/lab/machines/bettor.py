"""What can be wrong with a strategy, or with a machine.

What a bettor is shown between throws.

Who bets at a machine's seat: asked in every state, answering with commands.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from passline.game.layout.stakes import Refusal
    from passline.game.table.commands import AnyCommand
    from passline.game.table.state import Table


class StrategyError(ValueError):
    """A strategy that cannot be played: it raised, was refused, or answered nonsense.

    ``why`` is the reason alone; the message has the strategy's name before it, where that is known.
    """

    def __init__(self, why: str, strategy: str = "") -> None:
        super().__init__(f"{strategy}: {why}" if strategy else why)
        self.why = why


class MachineFull(StrategyError):  # noqa: N818
    """The machine met its ceiling: more states than its memory was allowed to hold."""


class MachineFileError(ValueError):
    """A saved machine that cannot be read."""


Dollars = int | Decimal


class SettledBet(NamedTuple):
    """One of the player's own settlements on the last throw: ``paid`` leaves the stake out."""

    wager: str
    result: str
    paid: Dollars


class View:
    """What a player sees between throws.

    ``puck`` is None or the point; ``wagers`` maps the player's own slugs to dollars; ``last`` is
    the last throw, the lower die first (None before the first), and ``settled`` what it did to the
    own wagers; ``new_shooter`` whether the coming throw is a new shooter's first; ``memory`` is
    whatever the strategy last handed back (None at first): keep it small.

    >>> view = View(6, {"pass": 10})
    >>> view.puck, view.up("pass"), view.up("pass-odds")
    (6, True, False)
    """

    __slots__ = ("_fresh", "_last", "_memory", "_puck", "_settled", "_wagers", "looked")

    def __init__(
        self,
        puck: int | None,
        wagers: Mapping[str, Dollars],
        last: tuple[int, int] | None = None,
        settled: tuple[SettledBet, ...] = (),
        memory: Hashable = None,
        new_shooter: bool = False,
    ) -> None:
        self._puck = puck
        self._wagers = MappingProxyType(dict(wagers))
        self._memory = memory
        self._last = last
        self._settled = settled
        self._fresh = new_shooter
        #: Which of ``last``, ``settled`` and ``new_shooter`` were asked for: the others need not
        #: be told apart by a machine's states.
        self.looked: set[str] = set()

    @property
    def puck(self) -> int | None:
        """The point, or None."""
        return self._puck

    @property
    def wagers(self) -> Mapping[str, Dollars]:
        """The player's own wagers: the floor's slug → dollars."""
        return self._wagers

    @property
    def memory(self) -> Any:
        """What the strategy last handed back, None at first."""
        return self._memory

    @property
    def last(self) -> tuple[int, int] | None:
        """The last throw, the lower die first."""
        self.looked.add("last")
        return self._last

    @property
    def settled(self) -> tuple[SettledBet, ...]:
        """What the last throw did to the player's wagers."""
        self.looked.add("settled")
        return self._settled

    @property
    def new_shooter(self) -> bool:
        """Whether the coming throw is the first of a new shooter."""
        self.looked.add("new_shooter")
        return self._fresh

    def up(self, wager: str) -> bool:
        """Whether a wager is up."""
        return wager in self._wagers

    def __str__(self) -> str:
        """In words, for an error message: the last throw only where it has been looked at.

        So a strategy that reads these words learns nothing that a machine does not know of.
        """
        puck = f"the puck on {self._puck}" if self._puck else "the puck off"
        up = ", ".join(f"{slug} {amount}" for slug, amount in self._wagers.items())
        seen = self._last if "last" in self.looked else None
        last = f", after {seen[0]}-{seen[1]}" if seen else ""
        memory = f", memory {self._memory!r:.60}" if self._memory is not None else ""
        return f"with {puck}, {up or 'nothing'} up{last}{memory}"


def dollars_of(cents: int) -> Dollars:
    """Cents as a strategy sees them: whole dollars where they are whole.

    >>> dollars_of(1200), dollars_of(1250)
    (12, Decimal('12.50'))
    """
    whole, part = divmod(cents, 100)
    return Decimal(cents).scaleb(-2) if part else whole


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
