"""The process in which a strategy of a file is asked: ``python -m passline.strategies.host``.

It reads requests and writes replies (``strategies/wire.py``) until there are no more. The strategy
has neither of the two pipes: what it prints is caught, what it reads is empty, and it may start no
process of its own.
"""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from typing import Any

from passline.machines.errors import StrategyError
from passline.strategies.answer import Strategy, ask_here, show_short, tell_kind, weigh
from passline.strategies.files import run_file
from passline.strategies.wire import Ask, Frames, Load, Reply, ToldAnswer, frame, view_of

#: Bytes that a strategy may take: what grows without end is stopped before the system is.
MOST_BYTES = 2 * 2**30
_MOST_PRINTED = 10_000  # characters of one answer
_PROCESSES = frozenset(
    {
        *("os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile"),
        *("os.system", "os.kill", "os.killpg", "subprocess.Popen", "pty.spawn"),
    }
)


class _Host:
    """The strategy, and what it remembers, by number."""

    def __init__(self) -> None:
        self.strategy: Strategy | None = None
        self.numbers: dict[object, int] = {(tell_kind(None), None): 0}
        self.memories: list[Any] = [None]

    def reply(self, request: Load | Ask) -> Reply:
        try:
            if isinstance(request, Load):
                return self.load(request)
            return self.ask(request)
        except KeyboardInterrupt:
            return Reply(request.number, wrong="the strategy raised KeyboardInterrupt")

    def load(self, request: Load) -> Reply:
        try:
            sys.path[:] = request.places
            name, self.strategy = run_file(request.path, request.source, request.function)
        except StrategyError as wrong:
            return Reply(request.number, wrong=str(wrong), names_file=True)
        return Reply(request.number, name=name)

    def ask(self, request: Ask) -> Reply:
        assert self.strategy is not None
        view = view_of(request, self.memories[request.memory])
        wrong = ""
        answers: tuple[ToldAnswer, ...] = ()
        try:
            found = ask_here(self.strategy, view, request.times)
            answers = tuple(ToldAnswer(says, *self.kept(memory)) for says, memory in found)
        except StrategyError as error:
            wrong = str(error)
        looked = tuple(sorted(view.looked))
        return Reply(request.number, wrong=wrong, answers=answers, looked=looked)

    def kept(self, memory: Any) -> tuple[int, int, str]:
        """A memory's number, weight and looks; equal ones that look the same have one number."""
        known = (tell_kind(memory), memory)
        number = self.numbers.setdefault(known, len(self.memories))
        if number == len(self.memories):
            self.memories.append(memory)
        return number, weigh(memory) or 0, show_short(repr(memory))


class _Printed(io.StringIO):
    """What is printed, up to a point."""

    def write(self, text: str, /) -> int:
        return super().write(text) if self.tell() < _MOST_PRINTED else len(text)

    def taken(self) -> str:
        """What was printed since the last time."""
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        return text[:_MOST_PRINTED]


def main() -> None:
    """Serve whoever started us, until they are gone."""
    given, answers = _pipes()
    _bound()
    host, frames = _Host(), Frames(given)
    sys.stdout = sys.stderr = printed = _Printed()
    answers.write(frame(Reply(0)))
    own = os.getpid()
    while True:
        try:
            request = frames.request()
        except EOFError:
            return
        reply = host.reply(request)
        if os.getpid() != own:  # a process that was started all the same does not answer
            os._exit(0)
        if sys.stdout is not printed or printed.closed:
            sys.stdout = sys.stderr = printed = _Printed()
            reply = Reply(reply.number, wrong="the strategy closed or replaced standard output")
        # A struct is frozen: it is made once more, with what was printed.
        fields = {name: getattr(reply, name) for name in Reply.__struct_fields__}
        answers.write(frame(Reply(**{**fields, "printed": printed.taken()})))


def _pipes() -> tuple[io.FileIO, io.FileIO]:
    """The two pipes, for us alone: standard input and output lead nowhere from here on."""
    pipes = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - for as long as there is one
    return os.fdopen(pipes[0], "rb", buffering=0), os.fdopen(pipes[1], "wb", buffering=0)


def _bound() -> None:
    """Memory has an end, a strategy starts no processes, and nothing outlives who asked for it."""
    try:
        import resource
    except ImportError:  # not on every system
        pass
    else:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = MOST_BYTES if hard == resource.RLIM_INFINITY else min(MOST_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.addaudithook(_refuse)
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


def _refuse(event: str, _: tuple[Any, ...]) -> None:
    if event in _PROCESSES:
        raise PermissionError(f"a strategy starts and ends no processes ({event})")


def _watch(parent: int) -> None:
    """End with whoever started us, also in the middle of an answer that never comes."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


if __name__ == "__main__":
    main()
