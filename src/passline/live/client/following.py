"""A table's log as it grows: server-sent events read, resumed, and held to their chain."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from time import monotonic
from typing import Final, NamedTuple

from passline.live.client.answers import ClientError
from passline.live.client.wire import HttpReply, Pauses, ServerWire, bearer, error_of
from passline.live.entries import (
    START,
    ChainError,
    Entry,
    EntryError,
    Head,
    chained,
    read_entry,
)

#: A stream is never silent for so long: the server sends a comment every 15 seconds.
SILENCE: Final = 40.0
#: Bytes of a line of a stream: an entry holds one line of a record and what came of it.
_LONGEST: Final = 64 * 1024 * 1024
#: A stream that held for so many seconds was a good one: patience begins anew.
_STEADY: Final = 10.0
#: Statuses after which a stream is worth another try.
_PASSING: Final = frozenset({429, 500, 502, 503, 504})


class Message(NamedTuple):
    """One server-sent event."""

    id: str
    event: str
    data: str


def messages(lines: Iterable[bytes]) -> Iterator[Message]:
    """Server-sent events, read as browsers read them; comments are left out.

    >>> list(messages([b": here", b"", b"id: 3", b"event: entry", b"data: {}", b""]))
    [Message(id='3', event='entry', data='{}')]
    """
    fields: dict[str, list[str]] = {}
    for raw in lines:
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if not line:
            if fields:
                yield Message(
                    fields.get("id", [""])[-1],
                    fields.get("event", ["message"])[-1],
                    "\n".join(fields.get("data", [])),
                )
            fields = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(":")
            fields.setdefault(name, []).append(value.removeprefix(" "))


class HeldChain:
    """Holds what a server shows to one unbroken chain, and to what it said before.

    ``receipts`` are the entries that it said it wrote: number → hash. ``head`` is the entry that
    was seen last, if one was.
    """

    def __init__(self, receipts: Mapping[int, str], head: Head | None = None) -> None:
        self._receipts, self.head = receipts, head

    def begin(self, after: int) -> None:
        """What comes next follows entry ``after``: the one that was seen last, one that a receipt
        tells of, or one of which nothing is known here."""
        if after < 0:
            self.head = START
        elif self.head is None or self.head.seq != after:
            known = self._receipts.get(after)
            self.head = Head(after, known, "") if known is not None else None

    def take(self, entry: Entry) -> Entry:
        """The same entry, shown to be the next. ChainError where it is not."""
        head = self.head if self.head is not None else Head(entry.seq - 1, entry.prev, "")
        for whole in chained([entry], head):
            if self._receipts.get(whole.seq, whole.hash) != whole.hash:
                raise ChainError(whole.seq, "not the entry that the receipt is for")
            self.head = whole.head
        return entry


class LogStream:
    """One table's log, followed for as long as it is asked for. It comes back by itself after a
    lost connection and after ``bye``, and misses nothing."""

    def __init__(
        self, wire: ServerWire, path: str, token: str, chain: HeldChain, after: int
    ) -> None:
        self._wire, self._path, self._token, self._chain = wire, path, token, chain
        self._after = after
        self._connection: HTTPConnection | None = None
        self._response: HTTPResponse | None = None
        self._socket: socket.socket | None = None
        self._over = False

    def entries(self) -> Iterator[Entry]:
        """Entries as they come. ClientError where the server does not let us follow any more, or
        is gone for longer than patience lasts; ChainError where the log is not whole."""
        self._chain.begin(self._after)
        pauses: Pauses | None = None
        while not self._over:
            last: Exception = ConnectionResetError("the stream ended")
            began = monotonic()
            try:
                for entry in self._connected():
                    pauses = None
                    self._after = entry.seq
                    yield entry
            except (OSError, HTTPException, ValueError) as wrong:
                last = wrong
            except ClientError as wrong:
                if wrong.status not in _PASSING:
                    raise
                last = wrong
            finally:
                self._drop()
            if pauses is None or monotonic() - began > _STEADY:
                pauses = Pauses(self._wire.patience, self._wire.rest)
            if not self._over and not pauses.wait():
                raise last if isinstance(last, ClientError) else self._wire.lost(last)

    def _connected(self) -> Iterator[Entry]:
        connection = self._connection = self._wire.connect(SILENCE)
        more = {"Accept": "text/event-stream", **bearer(self._token)}
        if self._after >= 0:
            more["Last-Event-ID"] = str(self._after)
        connection.connect()
        self._socket = connection.sock
        response = self._response = self._wire.send(connection, "GET", self._path, None, **more)
        if response.status != 200:
            raise error_of(HttpReply(response.status, response.read(_LONGEST), 0.0))
        for message in messages(_lines(response)):
            if message.event == "bye":
                return
            if message.event == "entry":
                yield self._chain.take(_entry(message))

    def _drop(self) -> None:
        for part in (self._response, self._connection):
            if part is not None:
                part.close()
        self._response = self._connection = self._socket = None

    def end(self) -> None:
        """End it, from whichever thread: who waits for the next entry waits no longer."""
        self._over = True
        waits = self._socket
        if waits is not None:
            with suppress(OSError):
                waits.shutdown(socket.SHUT_RDWR)


def _entry(message: Message) -> Entry:
    try:
        return read_entry(message.data)
    except EntryError as wrong:
        raise ClientError(200, f"event {message.id[:20]} is no entry of a log: {wrong}") from None


def _lines(response: HTTPResponse) -> Iterator[bytes]:
    while line := response.readline(_LONGEST):
        yield line
