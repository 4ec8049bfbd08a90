"""What a strategy is shown, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, NamedTuple

from passline.machines.errors import StrategyError
from passline.machines.patience import patience

Dollars = int | Decimal
MOST_SAYS = 100
_LONGEST = 200  # characters of an answer that an error repeats


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

    __slots__ = ("_fresh", "_last", "_settled", "looked", "memory", "puck", "wagers")

    def __init__(
        self,
        puck: int | None,
        wagers: Mapping[str, Dollars],
        last: tuple[int, int] | None = None,
        settled: tuple[Seen, ...] = (),
        memory: Hashable = None,
        new_shooter: bool = False,
    ) -> None:
        self.puck = puck
        self.wagers = MappingProxyType(dict(wagers))
        self.memory = memory
        self._last = last
        self._settled = settled
        self._fresh = new_shooter
        #: Which of ``last``, ``settled`` and ``new_shooter`` were asked for: the others need not
        #: be told apart by a machine's states.
        self.looked: set[str] = set()

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
        return wager in self.wagers

    def __str__(self) -> str:
        """In words, for an error message."""
        puck = f"the puck on {self.puck}" if self.puck else "the puck off"
        up = ", ".join(f"{slug} {amount}" for slug, amount in self.wagers.items())
        memory = f", memory {self.memory!r:.60}" if self.memory is not None else ""
        return f"with {puck}, {up or 'nothing'} up{memory}"


#: A strategy: a plain function of a View. It returns says in the record's words, as a list
#: (``["pass for 10"]``), one string, or None for nothing; or a pair of those and the new memory.
Strategy = Callable[[View], Any]


def dollars_of(cents: int) -> Dollars:
    """Cents as a strategy sees them: whole dollars where they are whole.

    >>> dollars_of(1200), dollars_of(1250)
    (12, Decimal('12.50'))
    """
    whole, part = divmod(cents, 100)
    return Decimal(cents).scaleb(-2) if part else whole


def answered(strategy: Strategy, view: View) -> tuple[tuple[str, ...], Hashable]:
    """A strategy's says and memory. It is asked twice: the answer must be the same."""
    first, second = _asked(strategy, view), _asked(strategy, view)
    if first != second:
        raise StrategyError(
            f"the strategy is not deterministic: it answered {_short(first)} and then "
            f"{_short(second)} {view}"
        )
    return first


def _asked(strategy: Strategy, view: View) -> tuple[tuple[str, ...], Hashable]:
    try:
        with patience():
            answer = strategy(view)
    except StrategyError as wrong:
        raise StrategyError(f"{wrong} {view}") from None
    except Exception as wrong:
        raise StrategyError(
            f"the strategy raised {type(wrong).__name__}: {_short(wrong)} {view}"
        ) from wrong
    memory: Hashable = view.memory
    if isinstance(answer, tuple) and len(answer) == 2 and not isinstance(answer[0], str):
        answer, memory = answer
    return _says(answer), _kept(memory)


def _says(answer: Any) -> tuple[str, ...]:
    if answer is None:
        return ()
    if isinstance(answer, str):
        answer = answer.split(";")
    if not isinstance(answer, list | tuple) or not all(isinstance(say, str) for say in answer):
        raise StrategyError(
            f"the strategy answered {_short(repr(answer))}: expected a list of says such as "
            "['pass for 10'], alone or with the memory to keep"
        )
    if len(answer) > MOST_SAYS:
        raise StrategyError(f"the strategy said {len(answer)} things at once, over {MOST_SAYS}")
    return tuple(say.strip() for say in answer if say.strip())


def _kept(memory: Any) -> Hashable:
    try:
        hash(memory)
    except TypeError:
        raise StrategyError(
            f"the strategy's memory {_short(repr(memory))} cannot be kept: use numbers, words and "
            "tuples of them"
        ) from None
    if memory != memory:  # not equal to itself, as nan: every state would be new
        raise StrategyError("the strategy's memory is not equal to itself")
    kept: Hashable = memory
    return kept


def _short(thing: object) -> str:
    text = " ".join(str(thing).split())
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
