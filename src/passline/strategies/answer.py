"""Asking a strategy, and holding its answer to what a machine can use."""

from __future__ import annotations

import inspect
import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from contextlib import redirect_stdout
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from passline.machines import StrategyError, View
from passline.plain import plain
from passline.strategies.patience import TimeUp, patience

MOST_SAYS = 100
LONGEST_SAY = 200  # characters
#: A memory may weigh so much: characters, bytes of numbers, and eight for each thing in it.
LARGEST_MEMORY = 2_000
_LONGEST = 200  # characters of an answer that an error repeats
_DEEPEST = 50  # tuples in tuples: what is deeper is large, and endless to look at
_PLAIN: tuple[type[Any], ...] = (
    int,
    str,
    bytes,
    float,
    Decimal,
    Fraction,
    tuple,
    frozenset,
    Enum,
    object,
    type(None),
)
#: How plain values, and what is made of them without a word about it, tell that they are equal.
_EQUALS: frozenset[object] = frozenset(kind.__eq__ for kind in _PLAIN)
_HASHES: frozenset[object] = frozenset(kind.__hash__ for kind in _PLAIN)
_OURS = Path(__file__).parents[1]

#: A strategy: a plain function of a View. It returns says in the record's words, as a list
#: (``["pass for 10"]``), one string, or None for nothing; or a pair of those and the new memory.
Strategy = Callable[[View], Any]
#: What it says, and the memory to keep.
StrategyAnswer = tuple[tuple[str, ...], Hashable]


def ask_strategy(strategy: Strategy, view: View) -> StrategyAnswer:
    """A strategy's says and memory. It is asked twice: the answer must be the same.

    >>> ask_strategy(lambda view: (["pass for 10"], 1), View(None, {}))
    (('pass for 10',), 1)
    """
    first, second = _asked(strategy, view, 2)
    if _differ(first, second):
        raise StrategyError(
            f"the strategy is not deterministic: it answered {_told(first)} and then "
            f"{_told(second)} ({view})"
        )
    return first


def ask_again(strategy: Strategy, view: View, before: StrategyAnswer) -> None:
    """Ask once more, later: StrategyError unless the answer is the same as it was before."""
    (now,) = _asked(strategy, view, 1)
    if _differ(before, now):
        raise StrategyError(
            f"the strategy is not deterministic: it answered {_told(before)}, and when it was "
            f"asked again later {_told(now)} ({view})"
        )


def _differ(first: StrategyAnswer, second: StrategyAnswer) -> bool:
    return first != second or tell_kind(first[1]) != tell_kind(second[1])


def _asked(strategy: Strategy, view: View, times: int) -> list[StrategyAnswer]:
    try:
        if isinstance(strategy, Elsewhere):
            return strategy.asked(view, times)
        # What a strategy prints is not our output, which may be JSON.
        with patience(), redirect_stdout(sys.stderr):
            return ask_here(strategy, view, times)
    except StrategyError as wrong:
        raise StrategyError(f"{wrong} ({view})") from None


class Elsewhere(ABC):
    """A strategy that is asked in a process of its own, where it can be stopped."""

    @abstractmethod
    def asked(self, view: View, times: int) -> list[StrategyAnswer]:
        """Its answers, held to what a machine can use. StrategyError where they are not."""

    def __call__(self, view: View) -> Any:
        """An answer, as any strategy gives it."""
        ((says, memory),) = self.asked(view, 1)
        return list(says) if memory == view.memory else (list(says), memory)


class KeptMemory(NamedTuple):
    """A memory that is kept elsewhere: its number there, its weight, and how it looks."""

    number: int
    weight: int
    shown: str

    def __repr__(self) -> str:
        """As the memory itself looks."""
        return self.shown


def ask_here(strategy: Strategy, view: View, times: int) -> list[StrategyAnswer]:
    """Ask a strategy, here and now: what it says and keeps. StrategyError where that is no use."""
    try:
        answers = [strategy(view) for _ in range(times)]
    except (StrategyError, KeyboardInterrupt, TimeUp):
        raise
    except BaseException as wrong:  # SystemExit too: a strategy does not end the program
        said = show_short(wrong)
        raise StrategyError(
            f"the strategy raised {type(wrong).__name__}{': ' if said else ''}{said}"
            f"{_line_of(strategy, wrong)}"
        ) from None
    try:
        for answer in answers:
            if inspect.iscoroutine(answer):
                answer.close()  # it is refused, and must not complain that nobody waited for it
        return [_parted(answer, view.memory) for answer in answers]
    except (StrategyError, TimeUp):
        raise
    except BaseException as wrong:  # things that do not do what things of their kind do
        why = f"{type(wrong).__name__}: {show_short(wrong)}"
        raise StrategyError(f"the strategy's answer cannot be looked at ({why})") from None


def _line_of(strategy: Strategy, wrong: BaseException) -> str:
    """The line of the strategy's own file that an exception went through last."""
    frames = traceback.extract_tb(wrong.__traceback__)
    code = getattr(inspect.unwrap(strategy), "__code__", None)
    if code is not None:
        own = [frame for frame in frames if frame.filename == code.co_filename]
    else:  # an object that plays: whatever is not ours
        own = [frame for frame in frames if _OURS not in Path(frame.filename).parents]
    return f" at {plain(Path(own[-1].filename).name)} line {own[-1].lineno}" if own else ""


def _parted(answer: Any, memory: Hashable) -> StrategyAnswer:
    """An answer's says and the memory to keep: a pair brings one, else it stays as it was."""
    if isinstance(answer, tuple) and len(answer) == 2 and not _all_words(answer):
        answer, memory = answer
        memory = _kept(memory)
    return _says(answer), memory


def _all_words(things: Any) -> bool:
    return all(isinstance(thing, str) for thing in things)


def _says(answer: Any) -> tuple[str, ...]:
    if answer is None:
        return ()
    if isinstance(answer, str):
        answer = answer.split(";")
    if not isinstance(answer, list | tuple) or not _all_words(answer):
        raise StrategyError(
            f"the strategy answered {_shown(answer)}: expected a list of says such as "
            "['pass for 10'], alone or with the memory to keep"
        )
    if len(answer) > MOST_SAYS:
        raise StrategyError(f"the strategy said {len(answer)} things at once, over {MOST_SAYS}")
    if any(len(say) > LONGEST_SAY for say in answer):
        raise StrategyError(f"the strategy said something longer than {LONGEST_SAY} characters")
    says = [str.strip(say) for say in answer]  # no other strip than that of plain words
    if any("\ud800" <= letter <= "\udfff" for say in says for letter in say):
        raise StrategyError("the strategy said something that is no text")  # half a character
    return tuple(say for say in says if say)


def _kept(memory: Any) -> Hashable:
    weight = weigh(memory)
    if weight is None:
        raise StrategyError(
            f"the strategy's memory {_shown(memory)} cannot be kept: use numbers, words, and "
            "tuples and frozensets of them"
        )
    if weight > LARGEST_MEMORY:
        raise StrategyError(
            f"the strategy's memory is too large to keep ({_shown(memory)}): a few numbers will do"
        )
    kept: Hashable = memory
    return kept


def weigh(memory: Any, depth: int = 0) -> int | None:
    """About how many bytes a memory takes; None for what is no plain value.

    Plain values that look the same are the same, now and later, and cost nothing to compare. The
    other way it takes ``tell_kind``: 1 and True are equal and do not look the same.

    >>> weigh((1, "two", None)), weigh([1]), weigh(float("nan")), weigh(object())
    (35, None, None, None)
    """
    if isinstance(memory, KeptMemory):
        return memory.weight
    if type(memory).__eq__ not in _EQUALS or type(memory).__hash__ not in _HASHES:
        return None  # it may say that it is what it is not
    if memory is None or isinstance(memory, bool | Enum):
        return 8
    if isinstance(memory, int):
        return 8 + memory.bit_length() // 8
    if isinstance(memory, str | bytes):
        return 8 + len(memory)
    if isinstance(memory, float | Decimal | Fraction):
        return 16 if memory == memory else None  # nan is not: every state would be new
    if isinstance(memory, tuple | frozenset):
        total = 8 if depth < _DEEPEST else LARGEST_MEMORY + 1
        for thing in memory:
            weight = weigh(thing, depth + 1) if total <= LARGEST_MEMORY else 0
            if weight is None:
                return None
            total += weight
        return total
    return None


def tell_kind(memory: Any) -> object:
    """What tells equal memories apart that do not look the same.

    >>> tell_kind(1) == tell_kind(2), tell_kind(1) == tell_kind(True)
    (True, False)
    >>> tell_kind((1,)) == tell_kind((1.0,))
    False
    """
    kind = type(memory)
    if isinstance(memory, tuple):
        return kind, tuple([tell_kind(thing) for thing in memory])
    if isinstance(memory, frozenset):
        return kind, frozenset([(tell_kind(thing), thing) for thing in memory])
    if isinstance(memory, float | Decimal):
        return kind, str(memory)  # 0.0 and -0.0, 1.0 and 1.00
    return kind


def show_short(thing: object) -> str:
    """A thing's words on one line, cut where they go on and on."""
    try:
        text = plain(" ".join(str(thing).split()))
    except Exception:
        return f"(a {type(thing).__name__} that cannot be shown)"
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _shown(thing: object) -> str:
    try:
        return show_short(repr(thing))
    except Exception:
        return show_short(_Unshown(thing))


class _Unshown:
    def __init__(self, thing: object) -> None:
        self.kind = type(thing).__name__

    def __str__(self) -> str:
        return f"a {self.kind} that cannot be shown"


def _told(answer: StrategyAnswer) -> str:
    says, memory = answer
    return show_short(f"{list(says)}" + (f" with memory {memory!r}" if memory is not None else ""))
