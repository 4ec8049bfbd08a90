"""Limits on open connections: accept within them, answer those over one, and close idle ones.

`request_limits` has the limits on what is sent over connections; `admission` applies both.

This module owns the listening socket. It never has more connections open than the process has file
descriptors for, because a system that runs out of them resets connections without an answer. There
are three kinds of connections:

- regular ones, up to ``total`` in all and ``per_address`` of one address;
- reserve ones, accepted over a limit: only ``/healthz``, ``/readyz`` and the operator are served on
  them (`admission` decides that), everybody else gets 429 or 503 and the connection is closed;
- refused ones, which have their answer and are read until the client closes, since closing a socket
  with unread bytes would reset it.

When the reserve is full, its oldest connection without a request in progress is answered and
refused. When too many are refused, the oldest is closed. A request head must arrive completely in
time. A connection on which nothing arrives is closed without an answer, sooner when few are left.
"""

from __future__ import annotations

import asyncio
import errno
import json
import socket
from asyncio import CancelledError, Event, Task, create_task, get_running_loop, sleep
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, cast

from msgspec import Struct

from passline.game.words.web import say_web
from passline.live.hosted_tables import normalize_address

#: Seconds that a request head may take to arrive, and one on the reserve.
HEAD_SECONDS: Final = 10.0
RESERVE_HEAD_SECONDS: Final = 3.0
#: Seconds that a connection stays open between two requests: longer than players pause.
KEEP_SECONDS: Final = 75.0
#: The same while more than four fifths of the connections of an address, or of all, are in use.
CROWDED_KEEP_SECONDS: Final = 5.0
#: Seconds that a client has to read a refusal and close.
LINGER_SECONDS: Final = 1.0
#: Seconds between two searches for connections that are too slow.
_SWEEP_SECONDS: Final = 0.5
#: Seconds to wait when the system cannot accept a connection.
_ACCEPT_PAUSE: Final = 0.2
#: What a refused client should wait, in seconds.
RETRY_SECONDS: Final = 5
#: File descriptors for the store, the school, log files and the interpreter.
_OTHER_FILES: Final = 64
_CROWDED: Final = 0.8
_MAX_DEFAULT_TOTAL: Final = 20_000
_MAX_DEFAULT_PER_ADDRESS: Final = 2_500
_LEAST_TOTAL: Final = 16

#: The limit that a connection exceeds: of its address, or of the server.
ADDRESS_LIMIT: Final = "connections-per-address"
TOTAL_LIMIT: Final = "connections"
_REFUSALS: Final = {
    ADDRESS_LIMIT: (429, "Too Many Requests", "address-connections"),
    TOTAL_LIMIT: (503, "Service Unavailable", "all-connections"),
    "slow-request": (408, "Request Timeout", "slow-request"),
}

#: Identifies an open connection: the client's and the server's (host, port).
ConnectionKey = tuple[tuple[str, int], tuple[str, int]]


class ConnectionLimits(Struct, frozen=True):
    """The maximum of connections: regular ones in all and of one address, in reserve, and refused.

    0 means no limit for ``per_address``.
    """

    total: int
    per_address: int
    reserve: int = 32
    refused: int = 32


#: For a server without limits of its own: one finished game, or a test.
DEFAULT_CONNECTION_LIMITS: Final = ConnectionLimits(total=2000, per_address=0)

#: The limit on open files that is assumed where the system does not say, as on Windows.
_UNKNOWN_FILE_LIMIT: Final = 4096


class LimitError(Exception):
    """Raised if the limits do not fit the process. The message is a sentence for the operator."""


def fit_connections(
    files: int, open_files: int, total: int | None = None, per_address: int | None = None
) -> ConnectionLimits:
    """Return connection limits that fit a process's limit on open files.

    ``files`` is that limit, or 0 where it is unknown, and ``open_files`` how many are open already.
    The default of ``total`` is as many as fit, at most 20,000; that of ``per_address`` is half of
    ``total``, at most 2,500. Raise LimitError if they do not fit.

    >>> fit_connections(256, 20)
    ConnectionLimits(total=140, per_address=70, reserve=16, refused=16)
    """
    files = files or _UNKNOWN_FILE_LIMIT
    spare = 32 if files >= 1024 else 16
    room = files - open_files - _OTHER_FILES - 2 * spare
    if room < _LEAST_TOTAL:
        raise LimitError(
            f"this process may open {files} files, too few for a server: raise the limit (ulimit "
            f"-n) to {files - room + _LEAST_TOTAL} or more"
        )
    if total is not None and total > room:
        raise LimitError(
            f"--connections {total} does not fit: this process may open {files} files, which is "
            f"enough for {room} connections. Raise the limit (ulimit -n) or use a lower number"
        )
    total = min(room, _MAX_DEFAULT_TOTAL) if total is None else total
    if per_address is None:
        per_address = min(max(1, total // 2), _MAX_DEFAULT_PER_ADDRESS)
    return ConnectionLimits(total=total, per_address=per_address, reserve=spare, refused=spare)


class Connection(asyncio.Protocol):
    """One accepted connection. It passes what it receives to uvicorn's protocol, unless refused.

    ``over_limit`` names the limit that the connection exceeds, or is empty. ``is_privileged`` is
    set when the operator or a health check has used it.
    """

    def __init__(
        self, connections: Connections, address: str, over_limit: str, inner: asyncio.Protocol
    ) -> None:
        self._connections, self.address, self.over_limit = connections, address, over_limit
        self._inner = inner
        self._transport: asyncio.Transport | None = None
        self.key: ConnectionKey | None = None
        self.idle_since = get_running_loop().time()
        #: When the first bytes of a request head arrived that is not whole yet; 0 if none did.
        self.head_since = 0.0
        self.requests = self.requests_in_all = 0
        self.is_privileged = False
        self.refused_at = 0.0
        self._ended = False

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.requests == 0

    def begin_request(self) -> None:
        """Record that a complete request head has arrived."""
        self.requests += 1
        self.requests_in_all += 1
        self.head_since = 0.0

    def end_request(self) -> None:
        """Record that a request was answered. The time to wait for the next one begins."""
        self.requests -= 1
        self.idle_since = get_running_loop().time()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember the socket and the addresses of a new connection. asyncio calls this."""
        self._transport = cast(asyncio.Transport, transport)
        peer, own = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
        if peer and own:
            self.key = (str(peer[0]), int(peer[1])), (str(own[0]), int(own[1]))
            self._connections.by_key[self.key] = self
        self._inner.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Pass on what the client sent; discard it if the connection is refused."""
        if not self.requests and not self.head_since:
            self.head_since = get_running_loop().time()
        if not self.refused_at:
            self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        """Close the connection when the client has sent everything. asyncio calls this.

        Return what uvicorn's protocol returns.
        """
        return None if self.refused_at else self._inner.eof_received()

    def pause_writing(self) -> None:
        """Stop sending until the client has read more. asyncio calls this."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Send again, because the client has read enough. asyncio calls this."""
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection that has ended. asyncio calls this."""
        self._inner.connection_lost(exc)
        if not self._ended:
            self._ended = True
            self._connections.forget(self)

    def refuse(self, limit: str) -> None:
        """Answer a connection with the error for a limit, and close it when that was sent.

        No response to a request may have begun on it.
        """
        assert self._transport is not None
        if self.refused_at or self._transport.is_closing():
            return
        self.refused_at = get_running_loop().time()
        self._transport.write(_refusal(limit))
        if self._transport.can_write_eof():
            self._transport.write_eof()

    def close(self) -> None:
        """Close the connection at once, even if the client has not read everything."""
        if self._transport is not None:
            self._transport.abort()

    def close_idle(self) -> None:
        """Close a connection that has no request in progress."""
        if self._transport is not None:
            self._transport.close()


def _same(connection: Connection) -> Connection:
    return connection


def _refusal(limit: str) -> bytes:
    """Return the complete HTTP response for a connection over a limit."""
    status, phrase, code = _REFUSALS[limit]
    body = json.dumps({"error": say_web(code, wait=RETRY_SECONDS)}).encode()
    head = (
        f"HTTP/1.1 {status} {phrase}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\nretry-after: {RETRY_SECONDS}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body


class Connections:
    """All connections of a server.

    ``count_refused`` is called with the limit and the address of each connection over a limit.
    ``exempt`` returns whether an address is a trusted proxy. Its connections belong to many
    clients, so ``per_address`` does not apply to them.
    """

    def __init__(
        self,
        limits: ConnectionLimits,
        count_refused: Callable[[str, str], None] = lambda limit, address: None,
        exempt: Callable[[str], bool] = lambda address: False,
    ) -> None:
        self.limits = limits
        self._count_refused, self._exempt = count_refused, exempt
        self.by_key: dict[ConnectionKey, Connection] = {}
        self._regular: dict[Connection, None] = {}
        self._reserve: dict[Connection, None] = {}
        self._refused: dict[Connection, None] = {}
        self._by_address = Counter[str]()
        self._room = Event()
        self._tasks: list[Task[None]] = []
        self._listener: socket.socket | None = None

    def counts(self) -> dict[str, int]:
        """Return how many connections are open, by kind: regular, reserve and refused."""
        kinds = {"regular": self._regular, "reserve": self._reserve, "refused": self._refused}
        return {kind: len(held) for kind, held in kinds.items()}

    def start(self, listener: socket.socket, make_protocol: Callable[[], asyncio.Protocol]) -> None:
        """Begin to accept connections on a socket.

        ``make_protocol`` makes uvicorn's protocol for each.
        """
        self._listener = listener
        self._tasks = [
            create_task(self._accept_all(listener, make_protocol)),
            create_task(self._sweep()),
        ]

    async def stop(self) -> None:
        """Accept no more connections, and close those that were refused."""
        for task in self._tasks:
            task.cancel()
            with suppress(CancelledError):
                await task
        if self._listener is not None:
            self._listener.close()
        for connection in list(self._refused):
            connection.close()

    async def _accept_all(
        self, listener: socket.socket, make_protocol: Callable[[], asyncio.Protocol]
    ) -> None:
        loop = get_running_loop()
        while True:
            await self._make_room()
            try:
                accepted, peer = await loop.sock_accept(listener)
            except OSError as error:
                if error.errno in {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}:
                    self._count_refused("open-files", "")
                    await sleep(_ACCEPT_PAUSE)
                continue  # Otherwise the client left before it was accepted.
            connection = self._admit(str(peer[0]), make_protocol)
            try:
                await loop.connect_accepted_socket(partial(_same, connection), accepted)
            except OSError:  # The client left.
                accepted.close()
                self.forget(connection)

    def _admit(self, peer: str, make_protocol: Callable[[], asyncio.Protocol]) -> Connection:
        """Return a new connection from the address ``peer``, counted as regular or reserve."""
        address = normalize_address(peer)
        over_limit = self._find_limit(address)
        connection = Connection(self, address, over_limit, make_protocol())
        if over_limit:
            self._reserve[connection] = None
            self._count_refused(over_limit, address)
        else:
            self._regular[connection] = None
            self._by_address[address] += 1
        return connection

    def _find_limit(self, address: str) -> str:
        """Return the limit that one more connection of an address would exceed, or ""."""
        limits = self.limits
        if len(self._regular) >= limits.total:
            return TOTAL_LIMIT
        if limits.per_address and self._by_address[address] >= limits.per_address:
            return "" if self._exempt(address) else ADDRESS_LIMIT
        return ""

    def promote(self, connection: Connection) -> None:
        """Make a connection of the reserve a regular one, if there is room for it now."""
        if connection in self._reserve and not self._find_limit(connection.address):
            del self._reserve[connection]
            self._regular[connection] = None
            self._by_address[connection.address] += 1
            connection.over_limit = ""

    def turn_away(self, connection: Connection) -> None:
        """Answer the request on a connection of the reserve with an error, at once.

        Then the reserve has room again, even if the client goes on sending or does not read.
        """
        self._refuse(connection, connection.over_limit)

    async def _make_room(self) -> None:
        """Wait until one more connection can be accepted without exceeding the reserve."""
        while len(self._reserve) + len(self._refused) >= self.limits.reserve + self.limits.refused:
            self._room.clear()
            self._evict()
            await self._room.wait()
        if len(self._reserve) >= self.limits.reserve:
            self._evict_reserve()

    def _evict(self) -> None:
        """Close the oldest refused connection. If there is none, refuse one of the reserve."""
        if self._refused:
            next(iter(self._refused)).close()
        else:
            self._evict_reserve()

    def _evict_reserve(self) -> None:
        """Refuse the oldest connection of the reserve that has no request in progress.

        Prefer those that neither the operator nor a health check has used. Do nothing if all have a
        request in progress.
        """
        idle = next((one for one in self._reserve if one.is_idle and not one.is_privileged), None)
        idle = idle or next((one for one in self._reserve if one.is_idle), None)
        if idle is not None:
            self._refuse(idle, idle.over_limit)

    def _refuse(self, connection: Connection, limit: str) -> None:
        """Answer a connection with the error for a limit, and read it until the client closes."""
        connection.refuse(limit)
        if connection in self._regular:
            del self._regular[connection]
            self._release_address(connection)
        self._reserve.pop(connection, None)
        self._refused[connection] = None

    def _release_address(self, connection: Connection) -> None:
        self._by_address[connection.address] -= 1
        if self._by_address[connection.address] <= 0:
            del self._by_address[connection.address]

    def forget(self, connection: Connection) -> None:
        """Remove a connection that has ended."""
        if connection.key is not None and self.by_key.get(connection.key) is connection:
            del self.by_key[connection.key]
        if connection in self._regular:
            del self._regular[connection]
            self._release_address(connection)
        self._reserve.pop(connection, None)
        self._refused.pop(connection, None)
        self._room.set()

    async def _sweep(self) -> None:
        """Close the connections that are too slow, or idle for too long."""
        while True:
            await sleep(_SWEEP_SECONDS)
            now = get_running_loop().time()
            crowded = len(self._regular) > self.limits.total * _CROWDED
            for held, seconds in (
                (self._regular, HEAD_SECONDS),
                (self._reserve, RESERVE_HEAD_SECONDS),
            ):
                for one in list(held):
                    self._check_times(one, now, seconds, crowded)
            for one in [c for c in self._refused if now - c.refused_at > LINGER_SECONDS]:
                one.close()

    def _check_times(self, one: Connection, now: float, seconds: float, crowded: bool) -> None:
        """Refuse or close a connection whose client is too slow.

        A request head may take ``seconds``. ``crowded`` means that few connections are left.
        """
        if not one.is_idle:
            return
        if one.head_since:
            if now - one.head_since > seconds:
                self._count_refused("slow-request", one.address)
                self._refuse(one, "slow-request")
        elif now - one.idle_since > self._find_keep_seconds(one, seconds, crowded):
            one.close_idle()

    def _find_keep_seconds(self, one: Connection, seconds: float, crowded: bool) -> float:
        """Return how many seconds a connection without a request stays open.

        It is ``seconds`` for one that has had no request yet or is over a limit. ``crowded`` means
        that few connections are left.
        """
        if not one.requests_in_all or one.over_limit:
            return seconds
        most = self.limits.per_address * _CROWDED
        crowded = crowded or 0 < most < self._by_address[one.address]
        return CROWDED_KEEP_SECONDS if crowded else KEEP_SECONDS
