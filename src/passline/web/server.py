"""Serving: sockets, uvicorn, and an end that leaves nobody hanging."""

from __future__ import annotations

import gc
import logging
import os
import resource
import signal
import socket
import sys
from asyncio import create_task, sleep
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from types import FrameType
from typing import Any, Final, Protocol

import uvicorn
from starlette.types import ASGIApp

from passline.web.connections import HEAD, Connection

#: Seconds for what was taken to be answered, once it is time to go.
GRACE: Final = 2
#: Milliseconds after which a connection whose other end takes nothing is given up.
_UNTAKEN: Final = 60_000
#: Bytes that the system keeps for a client beyond what is on its way: without this it is several
#: millions, a thousand clients that read nothing hold gigabytes, and who is behind seems not to be.
_UNSENT: Final = 64 * 1024
#: Objects more than there were, after which garbage is looked for whoever waits; and those that are
#: worth a look while nobody has asked for anything for so many seconds.
_UNLOOKED: Final = 100_000
_FEW: Final = 2000
_QUIET: Final = 1.0


class Ended(Protocol):
    """What is told that the server ends."""

    async def stop(self) -> None:
        """Say goodbye to whoever still listens."""


class BusyError(Exception):
    """An address that cannot be listened at, in a sentence."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens. BusyError where there cannot be one."""
    try:
        info = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, proto, _, address = info[0]
        ear = socket.socket(family, kind, proto)
    except (OSError, UnicodeError) as wrong:
        raise BusyError(f"{host} is no address to listen at: {_why(wrong)}") from None
    try:
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            ear.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNTAKEN)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            ear.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT)
        ear.bind(address)
        ear.listen(2048)
        ear.setblocking(False)
    except (OSError, OverflowError) as wrong:
        ear.close()
        raise BusyError(f"cannot listen at {host} port {port}: {_why(wrong)}") from None
    return ear


def _why(wrong: Exception) -> str:
    return getattr(wrong, "strerror", None) or str(wrong)


def address_of(ear: socket.socket, host: str) -> str:
    """The address that people give their browser."""
    port = ear.getsockname()[1]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def own_names(host: str) -> frozenset[str] | None:
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
        self, config: uvicorn.Config, streams: Ended | None, ready: Callable[[], None]
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


def _many_connections() -> None:
    """Let this process hold as many connections as the system lets it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _collect_seldom() -> None:
    """Leave garbage to quiet moments: what a table is made of is values, which need no looking
    for, and a look at all that a thousand connections hold took 25 ms.

    What stands when people come in (rulebooks, felts, code) is never looked through again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_UNLOOKED, 20, 50)
    # The thread that writes asks for the interpreter several times a commit, and everybody's lines
    # wait for it: 5 ms (Python's own) made a median of 100 ms of one of 11; a fifth of 1 ms, of 5.
    sys.setswitchinterval(0.0002)


async def _collect_when_quiet(requests: Callable[[], int]) -> None:
    """Look for garbage whenever nobody has asked for anything for a moment, if there may be any."""
    while True:
        await sleep(_QUIET)
        before, made = requests(), gc.get_count()[0]
        await sleep(_QUIET)
        if requests() == before and made > _FEW:
            gc.collect()


async def serve(
    app: ASGIApp, ear: socket.socket, ready: Callable[[], None], streams: Ended | None = None
) -> None:
    """Serve until a signal comes; then finish what was taken, and say goodbye to the streams."""
    settings: dict[str, Any] = {
        "http": Connection,
        "ws": "none",
        "lifespan": "off",
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "timeout_graceful_shutdown": GRACE,
        "h11_max_incomplete_event_size": HEAD,
    }
    _many_connections()
    _collect_seldom()
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    server = _Server(uvicorn.Config(app, **settings), streams, ready)
    collecting = create_task(_collect_when_quiet(lambda: server.server_state.total_requests))
    try:
        await server.serve([ear])
    finally:
        collecting.cancel()
