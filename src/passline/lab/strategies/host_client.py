"""Run a strategy's file in a child process, and ask it for bets there.

Whatever the strategy does (loop, fork, exit, use up memory, close its output, crash the
interpreter), the caller gets an error of one line. A deadline ends the process, from any thread and
on any system. The strategy's memories stay in the child process; this process refers to them by
number.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import MappingProxyType

import msgspec

from passline.lab.machines.bettor import StrategyError, View
from passline.lab.strategies.ask import (
    ANSWER_SECONDS,
    MemoryHandle,
    RemoteStrategy,
    StrategyAnswer,
    deadline,
)
from passline.lab.strategies.host_protocol import (
    AskRequest,
    FrameReader,
    LoadRequest,
    Reply,
    encode_frame,
    make_ask_request,
)
from passline.lab.strategies.parameters import ParameterValue
from passline.text import escape_unprintable

#: Seconds to wait for the child process to start, even on a busy computer.
START_SECONDS = 60.0
_EXIT_SECONDS = 1.0  # seconds to wait until the exit of an ended process is noticed
_HOST_MODULE = "passline.lab.strategies.host"
#: The folder that contains passline, for a Python without it on its path.
_SOURCE_ROOT = str(Path(__file__).parents[3])
#: Variables that keep numeric libraries from starting pools of threads in the child process.
_ONE_THREAD_ENV = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class _FileError(StrategyError):
    """A StrategyError whose message already names the strategy's file."""


class HostedStrategy(RemoteStrategy):
    """A strategy from a user's file, run in a child process. ``name`` is like ``own.py:play``.

    ``source`` is the content of the file at ``path``, ``function`` the name of its function (or a
    call that makes it), and ``seconds`` the time limit of an answer. Creating it starts the process
    and raises StrategyError if the file cannot be loaded.
    """

    def __init__(
        self,
        path: Path,
        source: bytes,
        function: str,
        seconds: float = ANSWER_SECONDS,
        parameters: Mapping[str, ParameterValue] = MappingProxyType({}),
    ) -> None:
        self._seconds = seconds
        self._numbers = count(1)
        self._lock = threading.Lock()
        self._process = _start_host()
        self._end = weakref.finalize(self, _stop_host, self._process)
        assert self._process.stdout is not None
        self._frames = FrameReader(self._process.stdout)
        self._exchange(None, START_SECONDS)
        load = LoadRequest(
            number=next(self._numbers),
            path=str(path),
            source=source,
            function=function,
            import_folders=tuple(sys.path),
            parameters=dict(parameters),
        )
        try:
            self.name = self.__name__ = escape_unprintable(self._exchange(load, seconds).name)
        except StrategyError as error:
            self._end()
            # Other errors of the child process do not name the file, so add it.
            named = isinstance(error, _FileError)
            raise StrategyError(f"{error}" if named else f"{path}: {error}") from None

    def ask(self, view: View, times: int) -> list[StrategyAnswer]:
        """Ask the child process ``times`` times about one view.

        Return pairs of betting phrases and new memory. The memory is a handle: its value stays in
        the child process.
        """
        memory = view.memory.number if isinstance(view.memory, MemoryHandle) else 0
        reply = self._exchange(
            make_ask_request(next(self._numbers), view, times, memory), self._seconds, view
        )
        return [
            (
                answer.says,
                MemoryHandle(answer.memory, answer.weight, answer.shown) if answer.memory else None,
            )
            for answer in reply.answers
        ]

    def _exchange(
        self, request: LoadRequest | AskRequest | None, seconds: float, view: View | None = None
    ) -> Reply:
        """Send a request and return its reply within ``seconds``; with None, only wait for a reply.

        Raise StrategyError if there is none or it reports an error. Mark the parts of ``view`` that
        the strategy read.
        """
        with self._lock, deadline(seconds, self._process.kill) as wait:
            try:
                if request is not None:
                    assert self._process.stdin is not None
                    self._process.stdin.write(encode_frame(request))
                wanted = 0 if request is None else request.number
                while (reply := self._frames.reply()).number != wanted:
                    pass  # Skip late replies to requests that timed out.
            except (EOFError, OSError, ValueError, msgspec.DecodeError):
                how = self._describe_exit()
                if wait.expired:
                    how = f"did not answer within {seconds:g} seconds"
                raise StrategyError(f"the strategy {how}") from None
        _print_to_stderr(reply.printed)
        if view is not None:
            view.fields_read.update(reply.fields_read)
        if reply.error:
            raise (_FileError if reply.names_file else StrategyError)(reply.error)
        return reply

    def _describe_exit(self) -> str:
        try:
            status = self._process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return "closed the pipe through which it is asked"
        how = f"exit {status}" if status >= 0 else signal.Signals(-status).name
        return f"ended the process that it runs in ({how})"


def _start_host() -> subprocess.Popen[bytes]:
    """Start a child process that runs a strategy once it gets a LoadRequest.

    Ctrl-C does not reach it (except on Windows). Raise StrategyError if it cannot be started.
    """
    places = [_SOURCE_ROOT, *filter(None, [os.environ.get("PYTHONPATH")])]
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", _HOST_MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env={**os.environ, **_ONE_THREAD_ENV, "PYTHONPATH": os.pathsep.join(places)},
            start_new_session=os.name == "posix",
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise StrategyError(f"no process can be started for the strategy: {why}") from None


def _stop_host(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            if pipe is not None:
                pipe.close()
    process.kill()
    process.wait()


def _print_to_stderr(printed: str) -> None:
    """Pass on text that a strategy printed, to our standard error: standard output may be JSON."""
    for line in printed.splitlines():
        print(escape_unprintable(line), file=sys.stderr)
