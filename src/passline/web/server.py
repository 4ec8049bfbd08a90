"""Connections: a request's bytes in, an answer's out, and nobody who dawdles is waited for.

httptools parses; what it leaves open is closed here. A head has a size and a time, errors are JSON,
and HTTP/1.0, whose answers may not come in chunks, is h11's.

Serving: sockets, uvicorn, and an end that leaves nobody hanging.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import resource
import signal
import socket
import sys
from asyncio import TimerHandle, create_task, sleep
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from types import FrameType
from typing import Any, Final, Protocol

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from passline.web import limits
from passline.web.middleware import SECURITY_HEADERS

#: Bytes of a request's line and headers.
MAX_HEAD_BYTES: Final = 16 * 1024
#: Requests that may wait for the answers before theirs: each holds memory, and a read a thousand.
_MAX_PIPELINED: Final = 100


def _bad_request(error: str) -> bytes:
    """An answer that no application gives."""
    body = f'{{"error":"{error}"}}'.encode()
    return b"".join(
        (
            b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\n",
            b"content-length: %d\r\n" % len(body),
            *(f"{name.lower()}: {value}\r\n".encode() for name, value in SECURITY_HEADERS.items()),
            b"\r\n",
            body,
        )
    )


def _json_head(status: bytes) -> bytes:
    """The head of a JSON answer, but for its length."""
    own = b"".join(
        f"{name.lower()}: {value}\r\n".encode() for name, value in SECURITY_HEADERS.items()
    )
    return b"HTTP/1.1 %b\r\ncontent-type: application/json\r\n%b" % (status, own)


_JSON_HEADS: Final = {200: _json_head(b"200 OK"), 202: _json_head(b"202 Accepted")}
_NOT_HTTP_RESPONSE: Final = _bad_request("this is no HTTP request")
_BODY_TIMEOUT_RESPONSE: Final = _bad_request("the body did not come in time")


class _Http10Connection(H11Protocol):
    """A connection of HTTP/1.0: one request, which has its time to come."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection over, and wait for all of its request so long."""
        super().connection_made(transport)
        self._timeout_handle = self.loop.call_later(limits.REQUEST_SECONDS, transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """The other end is gone."""
        self._timeout_handle.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what came."""
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._timeout_handle.cancel()

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP is told so, and let go."""
        self.transport.write(_NOT_HTTP_RESPONSE)
        self.transport.close()


class _JoinedTransport:
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


class HttpConnection(HttpToolsProtocol):
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
        self._timeout_handle: TimerHandle | None = self.loop.call_later(
            limits.REQUEST_SECONDS, self._give_up
        )

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The other end is gone, and whoever still answers it hears so: uvicorn tells who answers
        the last request, which is another where requests were sent ahead of the answers."""
        self._cancel_timeout()
        super().connection_lost(exc)
        for cycle in self._cycles:
            cycle.disconnected = True
            cycle.message_event.set()

    def _cancel_timeout(self) -> None:
        if self._timeout_handle is not None:
            self._timeout_handle.cancel()
            self._timeout_handle = None

    def data_received(self, data: bytes) -> None:
        """Read what came; which HTTP it is, its first line says."""
        if self._first is not None:
            data = self._first + data
            line, sign, _ = data.partition(b"\n")
            if not sign and len(data) <= MAX_HEAD_BYTES:
                self._first = data
                return
            self._first = None
            if line.rstrip().endswith(b"HTTP/1.0"):
                self._hand_over(data)
                return
        if self._head >= 0:  # else a body's, or of one that waits for its answer
            self._head += len(data)
        super().data_received(data)
        if self._head > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("")
        # Nearly every request is whole in what came at once: only others need a timer.
        if (
            self._late is not None
            and self._timeout_handle is None
            and not self.transport.is_closing()
        ):
            self._timeout_handle = self.loop.call_later(limits.REQUEST_SECONDS, self._late)

    def on_message_begin(self) -> None:
        """A request begins: its head has its time."""
        super().on_message_begin()
        self._late = self._give_up

    def on_headers_complete(self) -> None:
        """Its head is here: now its body has its time. ValueError, which ends the connection,
        where too many wait."""
        if len(self.pipeline) >= _MAX_PIPELINED:
            raise ValueError
        self._head = -1
        self._cancel_timeout()
        self._late = self._close_body_timeout
        super().on_headers_complete()
        self.cycle.transport = _JoinedTransport(self.transport, self.loop)  # type: ignore[assignment]
        while self._cycles and self._cycles[0].response_complete:
            self._cycles.popleft()
        self._cycles.append(self.cycle)

    def on_message_complete(self) -> None:
        """All of it is here."""
        self._head, self._late = 0, None
        self._cancel_timeout()
        super().on_message_complete()

    def _close_body_timeout(self) -> None:
        if not self.transport.is_closing():
            if not self.cycle.response_started:
                self.transport.write(_BODY_TIMEOUT_RESPONSE)
            self.transport.close()

    def _hand_over(self, data: bytes) -> None:
        self._cancel_timeout()
        self.connections.discard(self)
        # What leaves by this connection's own wire does not: h11 sends its answers.
        state = {name: held for name, held in self.app_state.items() if name != "wire"}
        old = _Http10Connection(self.config, self.server_state, state, self.loop)
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
        self.transport.write(b"".join((_JSON_HEADS[status], *head, length, body)))
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
        self.transport.write(_NOT_HTTP_RESPONSE)
        self.transport.close()


#: Seconds for what was taken to be answered, once it is time to go.
GRACE_SECONDS: Final = 2
#: Milliseconds after which a connection whose other end takes nothing is given up.
_SEND_TIMEOUT_MS: Final = 60_000
#: Bytes that the system keeps for a client beyond what is on its way: without this it is several
#: millions, a thousand clients that read nothing hold gigabytes, and who is behind seems not to be.
_UNSENT_BYTES: Final = 64 * 1024
#: Objects more than there were, after which garbage is looked for whoever waits; and those that are
#: worth a look while nobody has asked for anything for so many seconds.
_GC_THRESHOLD: Final = 100_000
_GC_MIN_OBJECTS: Final = 2000
_IDLE_SECONDS: Final = 1.0


class Stoppable(Protocol):
    """What is told that the server ends."""

    async def stop(self) -> None:
        """Say goodbye to whoever still listens."""


class ListenError(Exception):
    """An address that cannot be listened at, in a sentence."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens. ListenError where there cannot be one."""
    try:
        info = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, proto, _, address = info[0]
        ear = socket.socket(family, kind, proto)
    except (OSError, UnicodeError) as wrong:
        raise ListenError(f"{host} is no address to listen at: {_error_text(wrong)}") from None
    try:
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            ear.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _SEND_TIMEOUT_MS)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            ear.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES)
        ear.bind(address)
        ear.listen(2048)
        ear.setblocking(False)
    except (OSError, OverflowError) as wrong:
        ear.close()
        raise ListenError(f"cannot listen at {host} port {port}: {_error_text(wrong)}") from None
    return ear


def _error_text(wrong: Exception) -> str:
    return getattr(wrong, "strerror", None) or str(wrong)


def format_address(ear: socket.socket, host: str) -> str:
    """The address that people give their browser."""
    port = ear.getsockname()[1]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def find_allowed_hosts(host: str) -> frozenset[str] | None:
    """The names that a server on this machine's own address answers to, with those that
    ``PASSLINE_HOSTS`` adds for a proxy's; None, every name, on any other address."""
    added = {name.strip().lower() for name in os.environ.get("PASSLINE_HOSTS", "").split(",")}
    try:
        here = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        here = False
    if not here and not any(added):
        return None
    own = f"[{host}]" if ":" in host else host.lower()
    return frozenset({"localhost", "127.0.0.1", "[::1]", own} | added) - {""}


class _Server(uvicorn.Server):
    """uvicorn, ended by a signal with exit 0, its streams told first."""

    def __init__(
        self, config: uvicorn.Config, streams: Stoppable | None, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._streams, self._ready = streams, ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {one: signal.signal(one, self._leave) for one in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def _leave(self, _signal: int, _frame: FrameType | None) -> None:
        self.force_exit = self.should_exit  # a second time: at once
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        if self._streams is not None:
            await self._streams.stop()
        await super().shutdown(sockets)


def _raise_file_limit() -> None:
    """Let this process hold as many connections as the system lets it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _tune_garbage_collector() -> None:
    """Leave garbage to quiet moments: what a table is made of is values, which need no looking
    for, and a look at all that a thousand connections hold took 25 ms.

    What stands when people come in (rulebooks, felts, code) is never looked through again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD, 20, 50)
    # The thread that writes asks for the interpreter several times a commit, and everybody's lines
    # wait for it: 5 ms (Python's own) made a median of 100 ms of one of 11; a fifth of 1 ms, of 5.
    sys.setswitchinterval(0.0002)


async def _collect_when_idle(requests: Callable[[], int]) -> None:
    """Look for garbage whenever nobody has asked for anything for a moment, if there may be any."""
    while True:
        await sleep(_IDLE_SECONDS)
        before, made = requests(), gc.get_count()[0]
        await sleep(_IDLE_SECONDS)
        if requests() == before and made > _GC_MIN_OBJECTS:
            gc.collect()


async def serve(
    app: ASGIApp, ear: socket.socket, ready: Callable[[], None], streams: Stoppable | None = None
) -> None:
    """Serve until a signal comes; then finish what was taken, and say goodbye to the streams."""
    settings: dict[str, Any] = {
        "http": HttpConnection,
        "ws": "none",
        "lifespan": "off",
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "timeout_graceful_shutdown": GRACE_SECONDS,
        "h11_max_incomplete_event_size": MAX_HEAD_BYTES,
    }
    _raise_file_limit()
    _tune_garbage_collector()
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    server = _Server(uvicorn.Config(app, **settings), streams, ready)
    collecting = create_task(_collect_when_idle(lambda: server.server_state.total_requests))
    try:
        await server.serve([ear])
    finally:
        collecting.cancel()
