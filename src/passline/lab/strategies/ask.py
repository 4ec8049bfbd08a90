"""Ask a strategy for its next bets under a time limit, and check its answer.

``time_limit`` interrupts Python code of this process. Code that may never return to Python runs in
a child process (``host_client.py``), which is ended when time is up. ``deadline`` does the timing
in another thread, on any system and without SIGALRM.
"""

from __future__ import annotations

import ctypes
import inspect
import os
import sys
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, redirect_stdout
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from passline.lab.machines.bettor import StrategyError, View
from passline.termination_signals import TerminationExit
from passline.text import escape_unprintable

#: Seconds that a strategy has for one answer. It only reads a few numbers, so this is plenty.
ANSWER_SECONDS = 5.0
_TICK_SECONDS = 0.05  # seconds between two checks of the clock


class StrategyTimeout(BaseException):
    """Raised inside a strategy that takes too long.

    It is not an Exception, because a strategy may catch every Exception.
    """


class Deadline:
    """A running time limit: ``on_expiry`` is called at ``expires_at`` (``time.monotonic``).

    ``expired`` is true once that has happened.
    """

    def __init__(self, seconds: float, on_expiry: Callable[[], None]) -> None:
        self.expires_at = time.monotonic() + seconds
        self.on_expiry = on_expiry
        self.expired = False


class _DeadlineThread:
    """Calls ``on_expiry`` of each deadline that expires, all from one thread of its own.

    The thread ends when no deadline is left.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.deadlines: set[Deadline] = set()
        self.running = False

    def add(self, entry: Deadline) -> None:
        with self.lock:
            self.deadlines.add(entry)
            if not self.running:
                self.running = True
                threading.Thread(target=self.run, name="strategy-deadlines", daemon=True).start()

    def remove(self, entry: Deadline) -> None:
        with self.lock:
            self.deadlines.discard(entry)

    def run(self) -> None:
        while True:
            time.sleep(_TICK_SECONDS)
            with self.lock:
                if not self.deadlines:
                    self.running = False
                    return
                now = time.monotonic()
                for entry in [entry for entry in self.deadlines if entry.expires_at <= now]:
                    self.deadlines.remove(entry)
                    entry.expired = True
                    entry.on_expiry()


_deadlines = _DeadlineThread()


def _reset_after_fork() -> None:
    """Make a new deadline thread in a forked process, because threads do not survive a fork."""
    global _deadlines
    _deadlines = _DeadlineThread()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_after_fork)


@contextmanager
def deadline(seconds: float, on_expiry: Callable[[], None]) -> Iterator[Deadline]:
    """Call ``on_expiry`` once, from another thread, if the ``with`` block takes too long.

    The limit is ``seconds``.
    """
    entry = Deadline(seconds, on_expiry)
    thread = _deadlines
    try:
        thread.add(entry)  # Inside the try: an interrupt must not leave it registered.
        yield entry
    finally:
        thread.remove(entry)


@contextmanager
def time_limit(seconds: float = ANSWER_SECONDS) -> Iterator[None]:
    """Raise StrategyError if the ``with`` block takes longer than ``seconds``.

    Only this thread is interrupted, and only when it next runs Python code: inside the block a
    StrategyTimeout is raised, which becomes the StrategyError at its end.
    """
    thread = threading.get_ident()
    try:
        with deadline(seconds, lambda: _raise_in_thread(thread, StrategyTimeout)) as entry:
            yield
        if entry.expired:  # The body finished as the time ran out: cancel a timeout not raised yet.
            _raise_in_thread(thread, None)
    except StrategyTimeout:
        if not entry.expired:  # This timeout belongs to an outer time_limit.
            raise
        raise StrategyError(f"the strategy did not answer within {seconds:g} seconds") from None


def _raise_in_thread(thread: int, error: type[BaseException] | None) -> None:
    """Raise an exception class in the thread with this id; None cancels a pending one."""
    what = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)


MAX_SAYS = 100
MAX_SAY_LENGTH = 200  # characters
#: The largest size of a strategy's memory, as ``measure_memory`` counts it (about bytes).
MAX_MEMORY_BYTES = 2_000
_MAX_SHOWN_LENGTH = 200  # characters of an answer that an error message shows
_MAX_DEPTH = 50  # nested tuples; a deeper memory counts as too large
_PLAIN_TYPES: tuple[type[Any], ...] = (
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
#: The ``__eq__`` methods of plain values, and of classes that do not define their own.
_PLAIN_EQ_METHODS: frozenset[object] = frozenset(kind.__eq__ for kind in _PLAIN_TYPES)
_PLAIN_HASH_METHODS: frozenset[object] = frozenset(kind.__hash__ for kind in _PLAIN_TYPES)
_PACKAGE_ROOT = Path(__file__).parents[2]

#: A strategy: a function of a View. It returns its bets as phrases of the record language: a list
#: (``["pass for 10"]``), one string, or None for nothing; or a pair of those and a new memory.
Strategy = Callable[[View], Any]
#: The phrases that a strategy returned (its "says"), and the memory to store.
StrategyAnswer = tuple[tuple[str, ...], Hashable]


def ask_strategy(strategy: Strategy, view: View) -> StrategyAnswer:
    """Return a strategy's betting phrases and its new memory for one view.

    Ask twice, and raise StrategyError if the two answers differ.

    >>> ask_strategy(lambda view: (["pass for 10"], 1), View(None, {}))
    (('pass for 10',), 1)
    """
    first, second = _ask(strategy, view, 2)
    if _answers_differ(first, second):
        raise StrategyError(
            f"the strategy is not deterministic: it answered {_describe_answer(first)} and then "
            f"{_describe_answer(second)} ({view})"
        )
    return first


def check_same_answer(strategy: Strategy, view: View, before: StrategyAnswer) -> None:
    """Ask the strategy again, and raise StrategyError unless it repeats the answer ``before``."""
    (now,) = _ask(strategy, view, 1)
    if _answers_differ(before, now):
        raise StrategyError(
            f"the strategy is not deterministic: it answered {_describe_answer(before)}, and when it was "  # noqa: E501
            f"asked again later {_describe_answer(now)} ({view})"
        )


def _answers_differ(first: StrategyAnswer, second: StrategyAnswer) -> bool:
    return first != second or type_signature(first[1]) != type_signature(second[1])


def _ask(strategy: Strategy, view: View, times: int) -> list[StrategyAnswer]:
    try:
        if isinstance(strategy, RemoteStrategy):
            return strategy.ask(view, times)
        # What a strategy prints goes to standard error: our output may be JSON.
        with time_limit(), redirect_stdout(sys.stderr):
            return ask_in_process(strategy, view, times)
    except StrategyError as error:
        raise StrategyError(f"{error} ({view})") from None


class RemoteStrategy(ABC):
    """Base class of a strategy that runs in a child process, where a timeout can stop it."""

    @abstractmethod
    def ask(self, view: View, times: int) -> list[StrategyAnswer]:
        """Ask the strategy ``times`` times about one view.

        Return pairs of betting phrases and new memory. Raise StrategyError if an answer is not
        usable.
        """

    def __call__(self, view: View) -> Any:
        """Ask the strategy once and return its answer, as a call of a strategy function does.

        The answer is a list of betting phrases. If the memory changed, it is a pair of that list
        and the memory.
        """
        ((says, memory),) = self.ask(view, 1)
        return list(says) if memory == view.memory else (list(says), memory)


class MemoryHandle(NamedTuple):
    """Stands for a strategy's memory whose value is stored elsewhere, as in a child process.

    ``number`` identifies it there, ``weight`` is its size in bytes, and ``shown`` its text.
    """

    number: int
    weight: int
    shown: str

    def __repr__(self) -> str:
        """Return the text of the memory itself."""
        return self.shown


def ask_in_process(strategy: Strategy, view: View, times: int) -> list[StrategyAnswer]:
    """Ask a strategy ``times`` times in this process. Return pairs of betting phrases and memory.

    Raise StrategyError if the strategy fails or an answer is not usable.
    """
    try:
        answers = [strategy(view) for _ in range(times)]
    except (StrategyError, KeyboardInterrupt, StrategyTimeout, TerminationExit):
        raise
    except BaseException as error:  # SystemExit too: a strategy must not end the program
        text = show_shortened(error)
        raise StrategyError(
            f"the strategy raised {type(error).__name__}{': ' if text else ''}{text}"
            f"{_error_line(strategy, error)}"
        ) from None
    try:
        for answer in answers:
            if inspect.iscoroutine(answer):
                answer.close()  # Avoids a "never awaited" warning; the answer is refused below.
        return [_split_answer(answer, view.memory) for answer in answers]
    except (StrategyError, KeyboardInterrupt, StrategyTimeout, TerminationExit):
        raise
    except BaseException as error:  # The answer's own methods may raise anything.
        why = f"{type(error).__name__}: {show_shortened(error)}"
        raise StrategyError(f"the strategy's answer cannot be read ({why})") from None


def _error_line(strategy: Strategy, error: BaseException) -> str:
    """Return " at FILE line N" for an exception raised in the strategy's own file, else ""."""
    frames = traceback.extract_tb(error.__traceback__)
    code = getattr(inspect.unwrap(strategy), "__code__", None)
    if code is not None:
        own = [frame for frame in frames if frame.filename == code.co_filename]
    else:  # A callable object: use every frame outside this package.
        own = [frame for frame in frames if _PACKAGE_ROOT not in Path(frame.filename).parents]
    return (
        f" at {escape_unprintable(Path(own[-1].filename).name)} line {own[-1].lineno}"
        if own
        else ""
    )


def _split_answer(answer: Any, memory: Hashable) -> StrategyAnswer:
    """Return (betting phrases, new memory) from an answer.

    An answer that is not a pair has phrases only; the old ``memory`` stays then.
    """
    if isinstance(answer, tuple) and len(answer) == 2 and not _all_strings(answer):
        answer, memory = answer
        memory = _check_memory(memory)
    return _check_says(answer), memory


def _all_strings(things: Any) -> bool:
    return all(isinstance(thing, str) for thing in things)


def _check_says(answer: Any) -> tuple[str, ...]:
    if answer is None:
        return ()
    if isinstance(answer, str):
        answer = answer.split(";")
    if not isinstance(answer, list | tuple) or not _all_strings(answer):
        raise StrategyError(
            f"the strategy answered {_show_repr(answer)}: expected a list of says such as "
            "['pass for 10'], alone or with a memory to store"
        )
    if len(answer) > MAX_SAYS:
        raise StrategyError(f"the strategy said {len(answer)} things at once, over {MAX_SAYS}")
    if any(len(say) > MAX_SAY_LENGTH for say in answer):
        raise StrategyError(f"the strategy said something longer than {MAX_SAY_LENGTH} characters")
    says = [str.strip(say) for say in answer]  # A str subclass may override strip.
    if any("\ud800" <= letter <= "\udfff" for say in says for letter in say):
        raise StrategyError("the strategy said something that is not text")  # an unpaired surrogate
    return tuple(say for say in says if say)


def _check_memory(memory: Any) -> Hashable:
    weight = measure_memory(memory)
    if weight is None:
        raise StrategyError(
            f"the strategy's memory {_show_repr(memory)} cannot be stored: use numbers, words, and "
            "tuples and frozensets of them"
        )
    if weight > MAX_MEMORY_BYTES:
        raise StrategyError(
            f"the strategy's memory is too large to store ({_show_repr(memory)}): a few numbers will do"  # noqa: E501
        )
    checked: Hashable = memory
    return checked


def measure_memory(memory: Any, depth: int = 0) -> int | None:
    """Return about how many bytes a strategy's memory takes; None if it is not of plain values.

    Plain values are numbers, text, None, and tuples and frozensets of them. Equal memories may
    still differ, such as 1 and True; ``type_signature`` tells those apart. ``depth`` is how deep
    inside other values this one is.

    >>> measure_memory((1, "two", None)), measure_memory([1])
    (35, None)
    >>> measure_memory(float("nan")), measure_memory(object())
    (None, None)
    """
    if isinstance(memory, MemoryHandle):
        return memory.weight
    if (
        type(memory).__eq__ not in _PLAIN_EQ_METHODS
        or type(memory).__hash__ not in _PLAIN_HASH_METHODS
    ):
        return None  # A custom __eq__ or __hash__ could make different memories look equal.
    if memory is None or isinstance(memory, bool | Enum):
        return 8
    if isinstance(memory, int):
        return 8 + memory.bit_length() // 8
    if isinstance(memory, str | bytes):
        return 8 + len(memory)
    if isinstance(memory, float | Decimal | Fraction):
        # NaN never equals itself, so every state would look new.
        return 16 if memory == memory else None
    if isinstance(memory, tuple | frozenset):
        total = 8 if depth < _MAX_DEPTH else MAX_MEMORY_BYTES + 1
        for thing in memory:
            weight = measure_memory(thing, depth + 1) if total <= MAX_MEMORY_BYTES else 0
            if weight is None:
                return None
            total += weight
        return total
    return None


def type_signature(memory: Any) -> object:
    """Return a key that differs for memories that are equal but not the same, such as 1 and True.

    >>> type_signature(1) == type_signature(2), type_signature(1) == type_signature(True)
    (True, False)
    >>> type_signature((1,)) == type_signature((1.0,))
    False
    """
    kind = type(memory)
    if isinstance(memory, tuple):
        return kind, tuple([type_signature(thing) for thing in memory])
    if isinstance(memory, frozenset):
        return kind, frozenset([(type_signature(thing), thing) for thing in memory])
    if isinstance(memory, float | Decimal):
        return kind, str(memory)  # 0.0 and -0.0, 1.0 and 1.00
    return kind


def show_shortened(thing: object) -> str:
    """Return a value's text on one line, shortened to 200 characters if it is longer.

    If the value cannot be converted to text, name its type instead.
    """
    try:
        text = escape_unprintable(" ".join(str(thing).split()))
    except Exception:
        return f"(a {type(thing).__name__} that cannot be shown)"
    return text if len(text) <= _MAX_SHOWN_LENGTH else text[:_MAX_SHOWN_LENGTH] + "..."


def _show_repr(thing: object) -> str:
    try:
        return show_shortened(repr(thing))
    except Exception:
        return f"a {type(thing).__name__} that cannot be shown"


def _describe_answer(answer: StrategyAnswer) -> str:
    says, memory = answer
    return show_shortened(
        f"{list(says)}" + (f" with memory {memory!r}" if memory is not None else "")
    )
