"""A strategy of a file, asked in a process of its own.

Whatever it does there (loop, fork, exit, eat memory, close its output, crash the interpreter) ends
in one line here. There is no alarm: a deadline ends the process, from any thread, on any system.
What it remembers stays over there; here it is a number.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import weakref
from contextlib import suppress
from itertools import count
from pathlib import Path

import msgspec

from passline.machines.errors import StrategyError
from passline.machines.view import View
from passline.plain import plain
from passline.strategies.answer import Elsewhere, KeptMemory, StrategyAnswer
from passline.strategies.patience import SECONDS, deadline
from passline.strategies.wire import Ask, Frames, Load, Reply, ask_about, frame

#: Seconds for Python to start in, on a machine that has much else to do.
STARTS = 60.0
_MOMENT = 1.0  # seconds for a process that has ended to be seen to have
_HOST = "passline.strategies.host"
#: Where passline itself lies, for a Python that does not know.
_HOME = str(Path(__file__).parents[2])
#: A strategy looks at a few numbers: no pool of threads for that.
_ALONE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class _FileError(StrategyError):
    """What was found wrong with the file over there: it names the file."""


class Hosted(Elsewhere):
    """The function of a file. ``name`` is what it is called: ``own.py:play``."""

    def __init__(self, path: Path, source: bytes, function: str, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._numbers = count(1)
        self._lock = threading.Lock()
        self._process = _started()
        self._end = weakref.finalize(self, _ended, self._process)
        assert self._process.stdout is not None
        self._frames = Frames(self._process.stdout)
        self._exchange(None, STARTS)
        load = Load(
            number=next(self._numbers),
            path=str(path),
            source=source,
            function=function,
            places=tuple(sys.path),
        )
        try:
            self.name = self.__name__ = plain(self._exchange(load, seconds).name)
        except StrategyError as wrong:
            self._end()
            # What befell the process does not name the file.
            named = isinstance(wrong, _FileError)
            raise StrategyError(f"{wrong}" if named else f"{path}: {wrong}") from None

    def asked(self, view: View, times: int) -> list[StrategyAnswer]:
        """Its answers, held over there to what a machine can use."""
        memory = view.memory.number if isinstance(view.memory, KeptMemory) else 0
        reply = self._exchange(
            ask_about(next(self._numbers), view, times, memory), self._seconds, view
        )
        return [
            (told.says, KeptMemory(told.memory, told.weight, told.shown) if told.memory else None)
            for told in reply.answers
        ]

    def _exchange(
        self, request: Load | Ask | None, seconds: float, view: View | None = None
    ) -> Reply:
        """Send a request and wait for its reply, for so long; None: for the first, unasked."""
        with self._lock, deadline(seconds, self._process.kill) as wait:
            try:
                if request is not None:
                    assert self._process.stdin is not None
                    self._process.stdin.write(frame(request))
                wanted = 0 if request is None else request.number
                while (reply := self._frames.reply()).number != wanted:
                    pass  # the reply to somebody who did not wait for it
            except (EOFError, OSError, ValueError, msgspec.DecodeError):
                how = self._how_it_ended()
                if wait.rang:
                    how = f"did not answer within {seconds:g} seconds"
                raise StrategyError(f"the strategy {how}") from None
        _show(reply.printed)
        if view is not None:
            view.looked.update(reply.looked)
        if reply.wrong:
            raise (_FileError if reply.names_file else StrategyError)(reply.wrong)
        return reply

    def _how_it_ended(self) -> str:
        try:
            status = self._process.wait(_MOMENT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return "closed the pipe through which it is asked"
        how = f"exit {status}" if status >= 0 else signal.Signals(-status).name
        return f"ended the process that it runs in ({how})"


def _started() -> subprocess.Popen[bytes]:
    """A Python that waits for a file. It does not hear Ctrl-C: it is told when to end."""
    places = [_HOME, *filter(None, [os.environ.get("PYTHONPATH")])]
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", _HOST],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env={**os.environ, **_ALONE, "PYTHONPATH": os.pathsep.join(places)},
            start_new_session=os.name == "posix",
        )
    except (OSError, ValueError) as wrong:
        why = getattr(wrong, "strerror", None) or wrong
        raise StrategyError(f"no process can be started for the strategy: {why}") from None


def _ended(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            if pipe is not None:
                pipe.close()
    process.kill()
    process.wait()


def _show(printed: str) -> None:
    """What a strategy prints is not our output, which may be JSON."""
    for line in printed.splitlines():
        print(plain(line), file=sys.stderr)
