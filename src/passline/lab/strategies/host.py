"""The child process that runs a strategy's file: ``python -m passline.lab.strategies.host``.

It reads requests and writes replies (``host_protocol.py``) until its input ends. The strategy has
no access to the two pipes: its prints are captured, its standard input is empty, and it cannot
start processes.
"""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from typing import Any

from msgspec.structs import replace

from passline.lab.machines.bettor import StrategyError
from passline.lab.strategies.ask import (
    Strategy,
    ask_in_process,
    measure_memory,
    show_shortened,
    type_signature,
)
from passline.lab.strategies.host_protocol import (
    AnswerMessage,
    AskRequest,
    FrameReader,
    LoadRequest,
    Reply,
    decode_view,
    encode_frame,
)
from passline.lab.strategies.strategy_file import load_from_file

#: The most bytes of memory that a strategy may use, so that the system does not run out.
MAX_BYTES = 2 * 2**30
_MAX_PRINTED = 10_000  # characters that a strategy may print during one answer
_FORBIDDEN_EVENTS = frozenset(
    {
        *("os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile"),
        *("os.system", "os.kill", "os.killpg", "subprocess.Popen", "pty.spawn"),
    }
)


class _Host:
    """Answers the parent process's requests: load a strategy, and ask it for its bets.

    A strategy returns a memory with its bets, and is given it the next time. The memories stay in
    this process; the parent refers to them by number.
    """

    def __init__(self) -> None:
        self.strategy: Strategy | None = None
        self.numbers: dict[object, int] = {(type_signature(None), None): 0}
        self.memories: list[Any] = [None]

    def reply(self, request: LoadRequest | AskRequest) -> Reply:
        try:
            if isinstance(request, LoadRequest):
                return self.load(request)
            return self.ask(request)
        except KeyboardInterrupt:
            return Reply(request.number, error="the strategy raised KeyboardInterrupt")

    def load(self, request: LoadRequest) -> Reply:
        try:
            sys.path[:] = request.import_folders
            name, self.strategy = load_from_file(
                request.path, request.source, request.function, request.parameters
            )
        except StrategyError as error:
            return Reply(request.number, error=str(error), names_file=True)
        return Reply(request.number, name=name)

    def ask(self, request: AskRequest) -> Reply:
        assert self.strategy is not None
        view = decode_view(request, self.memories[request.memory])
        error = ""
        answers: tuple[AnswerMessage, ...] = ()
        try:
            found = ask_in_process(self.strategy, view, request.times)
            answers = tuple(
                AnswerMessage(says, *self.number_memory(memory)) for says, memory in found
            )
        except StrategyError as failure:
            error = str(failure)
        fields_read = tuple(sorted(view.fields_read))
        return Reply(request.number, error=error, answers=answers, fields_read=fields_read)

    def number_memory(self, memory: Any) -> tuple[int, int, str]:
        """Return (number, size in bytes, text) of a memory.

        Memories that are equal and of the same types share a number.
        """
        known = (type_signature(memory), memory)
        number = self.numbers.setdefault(known, len(self.memories))
        if number == len(self.memories):
            self.memories.append(memory)
        return number, measure_memory(memory) or 0, show_shortened(repr(memory))


class _CapturedOutput(io.StringIO):
    """A text stream that collects what the strategy prints, up to a limit; the rest is dropped."""

    def write(self, text: str, /) -> int:
        return super().write(text) if self.tell() < _MAX_PRINTED else len(text)

    def take_text(self) -> str:
        """Return the text that the strategy printed since the last call."""
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        return text[:_MAX_PRINTED]


def main() -> None:
    """Serve the parent process until it closes the pipe."""
    requests, answers = _take_pipes()
    _set_limits()
    host, frames = _Host(), FrameReader(requests)
    sys.stdout = sys.stderr = printed = _CapturedOutput()
    answers.write(encode_frame(Reply(0)))
    own = os.getpid()
    while True:
        try:
            request = frames.request()
        except EOFError:
            return
        reply = host.reply(request)
        if os.getpid() != own:  # This is a child that the strategy forked; it must not answer.
            os._exit(0)
        if sys.stdout is not printed or printed.closed:
            sys.stdout = sys.stderr = printed = _CapturedOutput()
            reply = Reply(reply.number, error="the strategy closed or replaced standard output")
        answers.write(encode_frame(replace(reply, printed=printed.take_text())))


def _take_pipes() -> tuple[io.FileIO, io.FileIO]:
    """Return (requests, answers), the two pipes; disconnect standard input and output from them."""
    pipes = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    return os.fdopen(pipes[0], "rb", buffering=0), os.fdopen(pipes[1], "wb", buffering=0)


def _set_limits() -> None:
    """Limit this process's memory, forbid it new processes, and end it when its parent ends."""
    try:
        import resource
    except ImportError:  # Windows has no resource module.
        pass
    else:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = MAX_BYTES if hard == resource.RLIM_INFINITY else min(MAX_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.addaudithook(_refuse_processes)
    threading.Thread(target=_exit_with_parent, args=(os.getppid(),), daemon=True).start()


def _refuse_processes(event: str, _: tuple[Any, ...]) -> None:
    if event in _FORBIDDEN_EVENTS:
        raise PermissionError(f"a strategy starts and ends no processes ({event})")


def _exit_with_parent(parent: int) -> None:
    """Exit this process when the parent process ends, even while the strategy is still running."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


if __name__ == "__main__":
    main()
