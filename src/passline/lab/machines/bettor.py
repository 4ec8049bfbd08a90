"""What a strategy sees and returns: a view of the table between rolls, its bets, and its errors.

A ``Bettor`` is a strategy that answers a ``View`` with a ``Turn``. This module has their types; it
needs no numpy and does not run the engine.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from passline.game.law.book_files import read_each_book
from passline.game.law.load import rulebook
from passline.game.law.wager_names import known_slugs, wager_slugs

if TYPE_CHECKING:
    from passline.game.layout.stakes import Refusal
    from passline.game.table.commands import AnyCommand
    from passline.game.table.state import Table


class StrategyError(ValueError):
    """Raised for a strategy that fails, makes a bet that is refused, or returns nonsense.

    ``why`` is the reason alone. The message adds the strategy's name if it is known.
    """

    def __init__(self, why: str, strategy: str = "") -> None:
        super().__init__(f"{strategy}: {why}" if strategy else why)
        self.why = why


class MachineFull(StrategyError):  # noqa: N818
    """Raised when a machine has more states than its memory, or the caller's limit, allows."""


class MachineFileError(ValueError):
    """Raised when a saved machine cannot be read or written."""


Dollars = int | Decimal


class SettledBet(NamedTuple):
    """One of the player's bets that the last roll settled, and what it paid in dollars.

    ``paid`` excludes the stake.
    """

    wager: str
    result: str
    paid: Dollars


class View:
    """What a strategy sees of a table between rolls. Immutable.

    ``fields_read`` holds the names of the optional parts, such as "last", that the strategy has
    read.

    >>> view = View(6, {"pass": 10})
    >>> view.puck, view.up("pass"), view.up("pass-odds")
    (6, True, False)
    """

    __slots__ = ("_last", "_memory", "_new_shooter", "_puck", "_settled", "_wagers", "fields_read")

    def __init__(
        self,
        puck: int | None,
        wagers: Mapping[str, Dollars],
        last: tuple[int, int] | None = None,
        settled: tuple[SettledBet, ...] = (),
        memory: Hashable = None,
        new_shooter: bool = False,
    ) -> None:
        self._puck, self._wagers = puck, MappingProxyType(dict(wagers))
        self._last, self._settled, self._new_shooter = last, settled, new_shooter
        self._memory = memory
        #: Which of ``last``, ``settled`` and ``new_shooter`` the strategy has read. A machine
        #: leaves the others out of its states.
        self.fields_read: set[str] = set()

    @property
    def puck(self) -> int | None:
        """The point, or None if the puck is off."""
        return self._puck

    @property
    def wagers(self) -> Mapping[str, Dollars]:
        """The player's own bets: a mapping from the bet's name to its amount in dollars."""
        return self._wagers

    @property
    def memory(self) -> Any:
        """The value that the strategy returned with its last bets; None before its first bets.

        Each different value makes new states of the machine.
        """
        return self._memory

    @property
    def last(self) -> tuple[int, int] | None:
        """The last roll, lower die first; None before the first roll."""
        self.fields_read.add("last")
        return self._last

    @property
    def settled(self) -> tuple[SettledBet, ...]:
        """The player's own bets that the last roll settled."""
        self.fields_read.add("settled")
        return self._settled

    @property
    def new_shooter(self) -> bool:
        """Whether the next roll is the first of a new shooter."""
        self.fields_read.add("new_shooter")
        return self._new_shooter

    def up(self, wager: str) -> bool:
        """Return whether the player has this wager on the table.

        Raise StrategyError for a name that no rulebook has: otherwise a strategy with a misspelled
        name would bet again on every roll.
        """
        if wager in self._wagers:
            return True
        if wager not in known_slugs():
            _check_wager_name(wager)
        return False

    def __str__(self) -> str:
        """Describe the view in words, for error messages.

        Include the last roll only if the strategy has read it. Otherwise the strategy could learn
        it from these words, although the machine's states do not distinguish it.
        """
        puck = f"the puck on {self._puck}" if self._puck else "the puck off"
        up = ", ".join(f"{slug} {amount}" for slug, amount in self._wagers.items())
        roll = self._last if "last" in self.fields_read else None
        last = f", after {roll[0]}-{roll[1]}" if roll else ""
        memory = f", memory {self._memory!r:.60}" if self._memory is not None else ""
        return f"with {puck}, {up or 'nothing'} up{last}{memory}"


def _check_wager_name(name: str) -> None:
    """Raise StrategyError, with the nearest names, unless some rulebook has a wager ``name``."""
    if any(name in wager_slugs(book) for book in read_each_book(rulebook)):
        return
    near = get_close_matches(str(name), known_slugs(), 3, 0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "use a name such as pass or field"
    raise StrategyError(f"view.up({name!r}): there is no such wager; {hint}")


def dollars_of(cents: int) -> Dollars:
    """Convert cents to dollars: an int if they are whole dollars, otherwise a Decimal.

    >>> dollars_of(1200), dollars_of(1250)
    (12, Decimal('12.50'))
    """
    whole, part = divmod(cents, 100)
    return Decimal(cents).scaleb(-2) if part else whole


class BettorMove(Protocol):
    """One action of a strategy, such as a bet. ``str(move)`` names it in messages."""

    def commands(self, table: Table, player: str) -> Sequence[AnyCommand] | Refusal:
        """Return the commands that make the move at a table, or a Refusal.

        Raise StrategyError if the move makes no sense.
        """


class Turn(NamedTuple):
    """What a strategy does before one roll, and the memory that its next view will show.

    ``kind`` is the type of the memory, since values of different types can be equal (1 and True).
    ``weight`` is the memory's approximate size in bytes. ``least`` is an amount in cents: a player
    whose rail and bets are worth less is ruined, even if the turn has no moves.
    """

    moves: tuple[BettorMove, ...] = ()
    memory: Hashable = None
    kind: object = type(None)
    weight: int = 0
    least: int = 0


class Bettor(Protocol):
    """A strategy. It must answer equal views with equal turns."""

    @property
    def name(self) -> str:
        """The strategy's name in messages and saved machines."""

    def take_turn(self, view: View) -> Turn:
        """Return the moves before the next roll. Raise StrategyError if the strategy fails."""

    def check_turn(self, view: View, before: Turn) -> None:
        """Ask the strategy a second time for its turn. Raise StrategyError if it now differs.

        ``before`` is the turn that it took for the same view. A machine needs strategies that
        always answer a view in the same way.
        """
