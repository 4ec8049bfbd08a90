"""The messages between passline and the child process that runs a strategy's file."""

from __future__ import annotations

from decimal import Decimal
from typing import Protocol

import msgspec

from passline.lab.machines.bettor import SettledBet, View

#: The most bytes of a message; the longest is a source file.
_MAX_MESSAGE_BYTES = 4_000_000
_HEADER_BYTES = 4


class LoadRequest(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Run this file, find this function in it, and look for its imports in these places."""

    number: int
    path: str
    source: bytes
    function: str
    places: tuple[str, ...]


class AskRequest(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Ask about a view ``times`` times. ``memory`` is its number in the child process, 0 for
    None.
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
    """One answer: the says, and the memory's number, size and text."""

    says: tuple[str, ...]
    memory: int
    weight: int
    shown: str


class Reply(msgspec.Struct, frozen=True, array_like=True):
    """The reply to a request. ``wrong`` is an error in one line; ``printed`` is what was printed.

    ``names_file``: the error begins with the file that is at fault.
    """

    number: int
    wrong: str = ""
    printed: str = ""
    name: str = ""
    answers: tuple[AnswerMessage, ...] = ()
    fields_read: tuple[str, ...] = ()
    names_file: bool = False


class Pipe(Protocol):
    """The reading end of a pipe."""

    def read(self, size: int, /) -> bytes | None:
        """Return at most ``size`` bytes; none at the end."""


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
    """Reads messages from a pipe. A read that is interrupted can be repeated."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._held = bytearray()

    def request(self) -> LoadRequest | AskRequest:
        """Return the next request. Raise EOFError at the end."""
        return _request_decoder.decode(self._next())

    def reply(self) -> Reply:
        """Return the next reply. Raise EOFError at the end, DecodeError for other bytes."""
        return _reply_decoder.decode(self._next())

    def _next(self) -> bytes:
        size = int.from_bytes(self._up_to(_HEADER_BYTES)[:_HEADER_BYTES], "big")
        if size > _MAX_MESSAGE_BYTES:
            raise msgspec.DecodeError("too large for a message")
        whole = self._up_to(_HEADER_BYTES + size)
        body = bytes(whole[_HEADER_BYTES : _HEADER_BYTES + size])
        del self._held[: _HEADER_BYTES + size]
        return body

    def _up_to(self, size: int) -> bytearray:
        while len(self._held) < size:
            more = self._pipe.read(65536)
            if not more:
                raise EOFError
            self._held += more
        return self._held


def make_ask_request(number: int, view: View, times: int, memory: int) -> AskRequest:
    """Return a view as a message, without counting the values as looked at.

    The reply says which values the strategy looked at.
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
    """Return the view of a message, with the memory that it names."""
    settled = tuple(SettledBet(*seen) for seen in request.settled)
    return View(request.puck, request.wagers, request.last, settled, memory, request.new_shooter)
