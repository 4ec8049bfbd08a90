"""What is said between us and the process in which a strategy of a file is asked."""

from __future__ import annotations

from decimal import Decimal
from typing import Protocol

import msgspec

from passline.machines.view import Seen, View

#: Bytes of a message: a source file is the longest.
_LARGEST = 4_000_000
_HEAD = 4


class Load(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """The file to run, the function to find in it, and where its imports are looked for."""

    number: int
    path: str
    source: bytes
    function: str
    places: tuple[str, ...]


class Ask(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A view to be asked about so many times. ``memory``: its number over there, 0 for None."""

    number: int
    times: int
    puck: int | None
    wagers: dict[str, int | Decimal]
    last: tuple[int, int] | None
    settled: tuple[tuple[str, str, int | Decimal], ...]
    new_shooter: bool
    memory: int


class ToldAnswer(msgspec.Struct, frozen=True, array_like=True):
    """One answer: the says; the memory's number, its weight and how it looks."""

    says: tuple[str, ...]
    memory: int
    weight: int
    shown: str


class Reply(msgspec.Struct, frozen=True, array_like=True):
    """What came of a request. ``wrong`` is a line for people; ``printed`` what was printed.

    ``names_file``: that line begins with the file that is at fault.
    """

    number: int
    wrong: str = ""
    printed: str = ""
    name: str = ""
    answers: tuple[ToldAnswer, ...] = ()
    looked: tuple[str, ...] = ()
    names_file: bool = False


class Pipe(Protocol):
    """The end of a pipe that bytes come out of, as many as there are."""

    def read(self, size: int, /) -> bytes | None:
        """At most so many bytes; none at the end."""


_pack = msgspec.msgpack.Encoder().encode
_requests: msgspec.msgpack.Decoder[Load | Ask] = msgspec.msgpack.Decoder(Load | Ask)
_replies = msgspec.msgpack.Decoder(Reply)


def frame(message: Load | Ask | Reply) -> bytes:
    """A message as it goes through a pipe: its length, and itself."""
    body = _pack(message)
    return len(body).to_bytes(_HEAD, "big") + body


class Frames:
    """Messages as they come out of a pipe. Whoever breaks off reading one may go on with it."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._held = bytearray()

    def request(self) -> Load | Ask:
        """The next request. EOFError at the end."""
        return _requests.decode(self._next())

    def reply(self) -> Reply:
        """The next reply. EOFError at the end, DecodeError for what is none."""
        return _replies.decode(self._next())

    def _next(self) -> bytes:
        size = int.from_bytes(self._up_to(_HEAD)[:_HEAD], "big")
        if size > _LARGEST:
            raise msgspec.DecodeError("too large for a message")
        whole = self._up_to(_HEAD + size)
        body = bytes(whole[_HEAD : _HEAD + size])
        del self._held[: _HEAD + size]
        return body

    def _up_to(self, size: int) -> bytearray:
        while len(self._held) < size:
            more = self._pipe.read(65536)
            if not more:
                raise EOFError
            self._held += more
        return self._held


def ask_about(number: int, view: View, times: int, memory: int) -> Ask:
    """A view, put in a message. What the strategy looks at is told by the answer."""
    looked = set(view.looked)
    asked = Ask(
        number=number,
        times=times,
        puck=view.puck,
        wagers=dict(view.wagers),
        last=view.last,
        settled=view.settled,
        new_shooter=view.new_shooter,
        memory=memory,
    )
    view.looked.clear()
    view.looked.update(looked)
    return asked


def view_of(asked: Ask, memory: object) -> View:
    """The view of a message, with the memory that it names."""
    settled = tuple(Seen(*seen) for seen in asked.settled)
    return View(asked.puck, asked.wagers, asked.last, settled, memory, asked.new_shooter)
