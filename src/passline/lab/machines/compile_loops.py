"""Compiling loops with numba: to machine code that is kept, so that only the first run waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from numba import njit
from numba.core import event

_Loop = TypeVar("_Loop", bound=Callable[..., Any])


def compile_loop(signature: str | None = None) -> Callable[[_Loop], _Loop]:
    """Compile a loop at once for one signature, or on its first call. Other threads run meanwhile.

    The machine code is kept beside the source or in the user's cache; where neither can be
    written, it is compiled in every run.
    """

    def compile_(loop: _Loop) -> _Loop:
        try:
            return cast(_Loop, njit(signature, cache=True, nogil=True)(loop))
        except (RuntimeError, OSError):  # no place to keep it
            return cast(_Loop, njit(signature, nogil=True)(loop))

    return compile_


def compile_helper(function: _Loop) -> _Loop:
    """A part of a loop: compiled where it is called."""
    return cast(_Loop, njit(function))


@contextmanager
def notify_on_compile(tell: Callable[[], None]) -> Iterator[None]:
    """Call ``tell`` once if anything is compiled meanwhile, before it is; not if it was kept."""
    told: list[event.Event] = []

    def hear(happening: event.Event) -> None:
        if happening.is_start and not told:
            told.append(happening)
            tell()

    listen: Any = event.install_listener
    with listen("numba:compile", _CompileListener(hear)):
        yield


class _CompileListener(event.Listener):
    def __init__(self, hear: Callable[[event.Event], None]) -> None:
        self._hear = hear

    def on_start(self, event: event.Event) -> None:
        self._hear(event)

    def on_end(self, event: event.Event) -> None:
        pass
