"""What a bettor is shown between throws."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, NamedTuple

Dollars = int | Decimal


class Seen(NamedTuple):
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
        settled: tuple[Seen, ...] = (),
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
    def settled(self) -> tuple[Seen, ...]:
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
