"""Compile loops to machine code with numba, and cache the code.

Only the first run compiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from numba import njit
from numba.core import event  # numba documents this module for applications.

_Loop = TypeVar("_Loop", bound=Callable[..., Any])


def compile_loop(signature: str | None = None) -> Callable[[_Loop], _Loop]:
    """Return a decorator that compiles a loop with numba; the loop runs without the GIL.

    With ``signature``, numba's notation of the argument types, the loop is compiled at import, else
    on its first call. The machine code is cached beside the source or in the user's cache
    directory. If neither can be written, every run compiles again.
    """

    def compile_(loop: _Loop) -> _Loop:
        try:
            return cast(_Loop, njit(signature, cache=True, nogil=True)(loop))
        except (RuntimeError, OSError):  # No cache directory can be written.
            return cast(_Loop, njit(signature, nogil=True)(loop))

    return compile_


def compile_helper(function: _Loop) -> _Loop:
    """Return a function compiled for use inside a compiled loop."""
    return cast(_Loop, njit(function))


@contextmanager
def notify_on_compile(notify: Callable[[], None]) -> Iterator[None]:
    """Call ``notify`` before the first loop that is compiled in this ``with`` block.

    Do not call it if all loops are in numba's cache, and not again for later loops.
    """
    install: Any = event.install_listener
    with install("numba:compile", _CompileListener(notify)):
        yield


class _CompileListener(event.Listener):
    def __init__(self, notify: Callable[[], None]) -> None:
        self._notify: Callable[[], None] | None = notify

    def on_start(self, event: event.Event) -> None:
        notify, self._notify = self._notify, None
        if notify is not None:
            notify()

    def on_end(self, event: event.Event) -> None:
        pass
