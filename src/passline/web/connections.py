"""Connections: a request's bytes in, an answer's out, and nobody who dawdles is waited for.

httptools parses; what it leaves open is closed here. A head has a size and a time, errors are JSON,
and HTTP/1.0, whose answers may not come in chunks, is h11's.
"""

from __future__ import annotations

import asyncio
import os
from asyncio import TimerHandle
from collections import deque
from collections.abc import Callable
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from passline.web import limits
from passline.web.guard import HEADERS

#: Bytes of a request's line and headers.
HEAD: Final = 16 * 1024
#: Requests that may wait for the answers before theirs: each holds memory, and a read a thousand.
_AHEAD: Final = 100


def _refused(error: str) -> bytes:
    """An answer that no application gives."""
    body = f'{{"error":"{error}"}}'.encode()
    return b"".join(
        (
            b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\n",
            b"content-length: %d\r\n" % len(body),
            *(f"{name.lower()}: {value}\r\n".encode() for name, value in HEADERS.items()),
            b"\r\n",
            body,
        )
    )


def _head(status: bytes) -> bytes:
    """The head of a JSON answer, but for its length."""
    own = b"".join(f"{name.lower()}: {value}\r\n".encode() for name, value in HEADERS.items())
    return b"HTTP/1.1 %b\r\ncontent-type: application/json\r\n%b" % (status, own)


_HEADS: Final = {200: _head(b"200 OK"), 202: _head(b"202 Accepted")}
_UNREADABLE: Final = _refused("this is no HTTP request")
_LATE: Final = _refused("the body did not come in time")


class _Old(H11Protocol):
    """A connection of HTTP/1.0: one request, which has its time to come."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection over, and wait for all of its request so long."""
        super().connection_made(transport)
        self._hurry = self.loop.call_later(limits.PATIENCE, transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """The other end is gone."""
        self._hurry.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what came."""
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._hurry.cancel()

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP is told so, and let go."""
        self.transport.write(_UNREADABLE)
        self.transport.close()


class _Joined:
    """A transport by which an answer's head leaves with its body, in one piece."""

    __slots__ = ("_head", "_loop", "_transport")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._head: bytes | None = None

    def write(self, data: bytes) -> None:
        if self._head is None:
            self._head = data
            self._loop.call_soon(self.flush)
        else:
            held, self._head = self._head, b""
            self._transport.write(held + data)

    def flush(self) -> None:
        if self._head:
            held, self._head = self._head, b""
            self._transport.write(held)

    def close(self) -> None:
        self.flush()
        self._transport.close()

    def is_closing(self) -> bool:
        return self._transport.is_closing()


class Connection(HttpToolsProtocol):
    """A connection of HTTP/1.1, or one that has yet to say which it is."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, and wait for its first request so long."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, "wire": self}
        self._first: bytes | None = b""
        self._head = 0
        self._cycles: deque[RequestResponseCycle] = deque()
        #: What happens to a request that has begun and does not come in time.
        self._late: Callable[[], None] | None = None
        self._hurry: TimerHandle | None = self.loop.call_later(limits.PATIENCE, self._give_up)

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The other end is gone, and whoever still answers it hears so: uvicorn tells who answers
        the last request, which is another where requests were sent ahead of the answers."""
        self._in_time()
        super().connection_lost(exc)
        for cycle in self._cycles:
            cycle.disconnected = True
            cycle.message_event.set()

    def _in_time(self) -> None:
        if self._hurry is not None:
            self._hurry.cancel()
            self._hurry = None

    def data_received(self, data: bytes) -> None:
        """Read what came; which HTTP it is, its first line says."""
        if self._first is not None:
            data = self._first + data
            line, sign, _ = data.partition(b"\n")
            if not sign and len(data) <= HEAD:
                self._first = data
                return
            self._first = None
            if line.rstrip().endswith(b"HTTP/1.0"):
                self._hand_over(data)
                return
        if self._head >= 0:  # else a body's, or of one that waits for its answer
            self._head += len(data)
        super().data_received(data)
        if self._head > HEAD and not self.transport.is_closing():
            self.send_400_response("")
        # Nearly every request is whole in what came at once: only others need a timer.
        if self._late is not None and self._hurry is None and not self.transport.is_closing():
            self._hurry = self.loop.call_later(limits.PATIENCE, self._late)

    def on_message_begin(self) -> None:
        """A request begins: its head has its time."""
        super().on_message_begin()
        self._late = self._give_up

    def on_headers_complete(self) -> None:
        """Its head is here: now its body has its time. ValueError, which ends the connection,
        where too many wait."""
        if len(self.pipeline) >= _AHEAD:
            raise ValueError
        self._head = -1
        self._in_time()
        self._late = self._without_body
        super().on_headers_complete()
        self.cycle.transport = _Joined(self.transport, self.loop)  # type: ignore[assignment]
        while self._cycles and self._cycles[0].response_complete:
            self._cycles.popleft()
        self._cycles.append(self.cycle)

    def on_message_complete(self) -> None:
        """All of it is here."""
        self._head, self._late = 0, None
        self._in_time()
        super().on_message_complete()

    def _without_body(self) -> None:
        if not self.transport.is_closing():
            if not self.cycle.response_started:
                self.transport.write(_LATE)
            self.transport.close()

    def _hand_over(self, data: bytes) -> None:
        self._in_time()
        self.connections.discard(self)
        # What leaves by this connection's own wire does not: h11 sends its answers.
        state = {name: held for name, held in self.app_state.items() if name != "wire"}
        old = _Old(self.config, self.server_state, state, self.loop)
        self.transport.set_protocol(old)
        old.connection_made(self.transport)
        old.data_received(data)

    def answer(self, status: int, body: bytes) -> bool:
        """Write a whole JSON answer at once, where nothing stands in its way: made here, its head
        needs no looking over. False: it is to be sent as any other."""
        cycle = self.cycle
        if self.pipeline or cycle.response_started or not cycle.keep_alive:
            return False
        if self.flow.write_paused or self.transport.is_closing():
            return False
        head = [b"%b: %b\r\n" % pair for pair in self.server_state.default_headers]
        length = b"content-length: %d\r\n\r\n" % len(body)
        cycle.response_started = cycle.response_complete = True
        cycle.message_event.set()
        self.transport.write(b"".join((_HEADS[status], *head, length, body)))
        cycle.on_response()
        return True

    def put(self, chunk: bytes) -> bool:
        """Write a chunk of a stream at once, where the client takes it. What frames chunks keeps no
        count of them, so the answer still ends as it should."""
        if self.flow.write_paused or self.transport.is_closing():
            return False
        self.transport.write(chunk)
        return True

    def cut(self) -> None:
        """End the connection of a client that takes nothing: nothing is kept for it."""
        for cycle in self._cycles:
            cycle.disconnected = True
        self.transport.abort()

    def hand_over(self) -> int | None:
        """The connection's file, for whoever goes on with it: here it is over. None where it
        cannot be had: something is still to be sent, or there is more between than a socket."""
        transport = self.transport
        own = transport.get_extra_info("socket")
        if self.pipeline or transport.is_closing() or transport.get_write_buffer_size():
            return None
        if own is None or transport.get_extra_info("sslcontext") is not None:
            return None
        file = os.dup(own.fileno())
        transport.abort()  # this end's file is closed and nothing sent: the other keeps it open
        return file

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP is told so, and let go."""
        self.transport.write(_UNREADABLE)
        self.transport.close()
