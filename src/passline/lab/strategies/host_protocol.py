"""The messages between passline and the child process that runs a strategy's file."""

from __future__ import annotations

from decimal import Decimal
from typing import Protocol

import msgspec

from passline.lab.machines.bettor import SettledBet, View
from passline.lab.strategies.parameters import ParameterValue

#: The most bytes of a message; the longest is a source file.
_MAX_MESSAGE_BYTES = 4_000_000
_HEADER_BYTES = 4


class LoadRequest(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A request to load a strategy from a file.

    ``function`` is its name in the file, ``import_folders`` is where the file's imports are looked
    up, and ``parameters`` are the values of the function's keyword arguments.
    """

    number: int
    path: str
    source: bytes
    function: str
    import_folders: tuple[str, ...]
    parameters: dict[str, ParameterValue] = {}


class AskRequest(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A request to ask the strategy ``times`` times about one view, whose parts are the fields.

    ``memory`` is the number under which the child process stores the strategy's memory, 0 for None.
    """

    number: int
    times: int
    puck: int | None
    wagers: dict[str, int | Decimal]
    last: tuple[int, int] | None
    settled: tuple[tuple[str, str, int | Decimal], ...]
    new_shooter: bool
    memory: int


class AnswerMessage(msgspec.Struct, frozen=True, array_like=True):
    """A strategy's answer: its betting phrases (``says``) and its new memory.

    ``memory`` is the number under which the child process stores the memory (0 for none),
    ``weight`` its size, and ``shown`` its text.
    """

    says: tuple[str, ...]
    memory: int
    weight: int
    shown: str


class Reply(msgspec.Struct, frozen=True, array_like=True):
    """The reply to the request with the same ``number``.

    ``error`` is an error message of one line, or "". ``printed`` is the text that the strategy
    printed. ``name`` is the name of a strategy that was loaded. ``answers`` are those to an
    AskRequest, and ``fields_read`` the optional parts of the view that the strategy read for them.
    ``names_file`` is true if the error message begins with the name of the file at fault.
    """

    number: int
    error: str = ""
    printed: str = ""
    name: str = ""
    answers: tuple[AnswerMessage, ...] = ()
    fields_read: tuple[str, ...] = ()
    names_file: bool = False


class Pipe(Protocol):
    """The reading end of a pipe."""

    def read(self, size: int, /) -> bytes | None:
        """Return at most ``size`` bytes, or no bytes at the end of the pipe."""


_encode = msgspec.msgpack.Encoder().encode
_request_decoder: msgspec.msgpack.Decoder[LoadRequest | AskRequest] = msgspec.msgpack.Decoder(
    LoadRequest | AskRequest
)
_reply_decoder = msgspec.msgpack.Decoder(Reply)


def encode_frame(message: LoadRequest | AskRequest | Reply) -> bytes:
    """Return a message as bytes for a pipe: its length, then its body."""
    body = _encode(message)
    return len(body).to_bytes(_HEADER_BYTES, "big") + body


class FrameReader:
    """Reads messages from a pipe. An interrupted read can be repeated without losing bytes."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._buffer = bytearray()

    def request(self) -> LoadRequest | AskRequest:
        """Read and return the parent process's next request. Raise EOFError if its pipe ends."""
        return _request_decoder.decode(self._next())

    def reply(self) -> Reply:
        """Read and return the strategy process's next reply.

        Raise EOFError if the process has closed its output, DecodeError for an invalid message.
        """
        return _reply_decoder.decode(self._next())

    def _next(self) -> bytes:
        size = int.from_bytes(self._up_to(_HEADER_BYTES)[:_HEADER_BYTES], "big")
        if size > _MAX_MESSAGE_BYTES:
            raise msgspec.DecodeError("too large for a message")
        whole = self._up_to(_HEADER_BYTES + size)
        body = bytes(whole[_HEADER_BYTES : _HEADER_BYTES + size])
        del self._buffer[: _HEADER_BYTES + size]
        return body

    def _up_to(self, size: int) -> bytearray:
        while len(self._buffer) < size:
            more = self._pipe.read(65536)
            if not more:
                raise EOFError
            self._buffer += more
        return self._buffer


def make_ask_request(number: int, view: View, times: int, memory: int) -> AskRequest:
    """Return the request to ask the strategy about a view ``times`` times.

    ``memory`` is the number of its memory in the child process. Reading the view's values here does
    not mark them as read by the strategy; the reply says which ones it read.
    """
    fields_read = set(view.fields_read)
    request = AskRequest(
        number=number,
        times=times,
        puck=view.puck,
        wagers=dict(view.wagers),
        last=view.last,
        settled=view.settled,
        new_shooter=view.new_shooter,
        memory=memory,
    )
    view.fields_read.clear()
    view.fields_read.update(fields_read)
    return request


def decode_view(request: AskRequest, memory: object) -> View:
    """Return the view that a request describes, with this ``memory`` of the strategy."""
    settled = tuple(SettledBet(*seen) for seen in request.settled)
    return View(request.puck, request.wagers, request.last, settled, memory, request.new_shooter)
