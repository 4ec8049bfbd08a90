"""Run an ASGI application under uvicorn: listen, serve, and stop on a signal.

This module opens the listening socket, sets the limits of the process, and starts uvicorn using
only its public settings. `web.connection_limits` accepts connections and passes each to uvicorn's
protocol, since uvicorn would accept more than the process can have open. On SIGINT or SIGTERM the
server ends the open event streams first, lets uvicorn finish the requests that it has accepted, and
returns.

uvicorn parses HTTP with h11, which limits the size of a request's head, reads one pipelined request
at a time, and sends no chunked responses to clients of HTTP/1.0.
"""

from __future__ import annotations

import gc
import logging
import signal
import socket
import sys
from asyncio import Task, create_task, get_running_loop, sleep
from collections.abc import Callable, Iterable
from contextlib import suppress
from ipaddress import ip_address
from types import FrameType
from typing import Final, Protocol

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from passline.game.words.web import say_web
from passline.web.connection_limits import (
    DEFAULT_CONNECTION_LIMITS,
    KEEP_SECONDS,
    Connections,
)

if sys.platform != "win32":
    import resource

#: The largest request line and headers, in bytes.
MAX_HEAD_BYTES: Final = 16 * 1024
#: How many seconds accepted requests have to finish once the server is stopping.
GRACE_SECONDS: Final = 2
#: How many milliseconds a client may leave sent data unacknowledged before the system closes it.
_SEND_TIMEOUT_MS: Final = 60_000
#: How many unsent bytes the system buffers for a client. The default is several megabytes: a
#: thousand clients that read nothing would hold gigabytes, and none of them would seem behind.
_UNSENT_BYTES: Final = 64 * 1024
#: Collect garbage at once after this many new objects; or, after a second without a request, when
#: there are at least the smaller number.
_GC_THRESHOLD: Final = 100_000
_GC_MIN_OBJECTS: Final = 2000
_IDLE_SECONDS: Final = 1.0


class Stoppable(Protocol):
    """Something that the server stops before it waits for its last requests, such as streams."""

    async def stop(self) -> None:
        """Stop, and return when everything has ended."""


class ListenError(Exception):
    """Raised if the server cannot listen at an address. The message is for the operator."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at a host and port; port 0 means any free one.

    Raise ListenError if the address is unknown, taken or not allowed.
    """
    try:
        info = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, proto, _, address = info[0]
        listener = socket.socket(family, kind, proto)
    except (OSError, UnicodeError) as error:
        raise ListenError(say_web("no-listen", host=host, error=_error_text(error))) from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _SEND_TIMEOUT_MS)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES)
        listener.bind(address)
        listener.listen(2048)
        listener.setblocking(False)
    except (OSError, OverflowError) as error:
        listener.close()
        raise ListenError(
            say_web("no-listen-port", host=host, port=port, error=_error_text(error))
        ) from None
    return listener


def _error_text(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def format_address(listener: socket.socket, host: str) -> str:
    """Return the URL at which people open a listening server in their browser."""
    port = listener.getsockname()[1]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def is_local(host: str) -> bool:
    """Return whether a host is this machine's loopback address."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def find_allowed_hosts(host: str, added: Iterable[str] = ()) -> frozenset[str] | None:
    """Return the Host names that the server answers to: this machine's and those in ``added``.

    A reverse proxy may use names in ``added``. Return None, for every name, if other machines can
    reach ``host`` and ``added`` is empty.
    """
    names = {name.lower() for name in added}
    if not is_local(host) and not names:
        return None
    own = f"[{host}]" if ":" in host else host.lower()
    return frozenset({"localhost", "127.0.0.1", "[::1]", own} | names)


class _ServedApp:
    """The application as uvicorn runs it: counts requests and reports when serving begins.

    ``started`` is called when uvicorn has installed its own signal handlers and is about to accept
    connections.
    """

    def __init__(self, app: ASGIApp, started: Callable[[], None]) -> None:
        self._app, self._started = app, started
        self.requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await receive()
            self._started()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
        else:
            self.requests += 1
            await self._app(scope, receive, send)


def raise_file_limit() -> None:
    """Raise this process's limit on open files, and so on connections, to the system's maximum."""
    if sys.platform != "win32":
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _tune_garbage_collector() -> None:
    """Set up garbage collection so that most of it runs when no requests arrive.

    Tables are made of values without reference cycles, and a full collection with a thousand
    connections took 25 ms. Objects that exist at the start (rulebooks, layouts, code) are exempt.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD, 20, 50)
    # The thread that writes to the store takes the interpreter lock several times per commit, and
    # every line waits for it. With Python's default of 5 ms the median line took 100 ms instead
    # of 11; with 0.2 ms it takes 5.
    sys.setswitchinterval(0.0002)


async def _collect_when_idle(count_requests: Callable[[], int]) -> None:
    """Collect garbage whenever no request has arrived for a second and there is enough of it.

    ``count_requests`` returns the number of requests so far. This never returns.
    """
    while True:
        await sleep(_IDLE_SECONDS)
        before, objects = count_requests(), gc.get_count()[0]
        await sleep(_IDLE_SECONDS)
        if count_requests() == before and objects > _GC_MIN_OBJECTS:
            gc.collect()


async def serve(
    app: ASGIApp,
    listener: socket.socket,
    ready: Callable[[], None],
    streams: Stoppable | None = None,
    connections: Connections | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM, then stop the streams and finish accepted requests.

    ``ready`` is called when clients can connect. ``streams`` are the event streams to stop, and
    ``connections`` accepts clients. A second signal ends the server at once.
    """
    loop, connections = get_running_loop(), connections or Connections(DEFAULT_CONNECTION_LIMITS)
    stopping: list[Task[None]] = []

    def stop() -> None:
        server.force_exit = server.should_exit
        server.should_exit = True
        if not stopping:
            stopping.append(create_task(connections.stop()))
            if streams is not None:
                stopping.append(create_task(streams.stop()))

    def on_signal(_signal: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop)

    def started() -> None:
        # uvicorn's own handlers would raise the signal again after a graceful stop, so that the
        # process ends with an error. It restores the original handlers by itself.
        for handled in (signal.SIGINT, signal.SIGTERM):
            signal.signal(handled, on_signal)
        connections.start(listener, make_protocol)
        ready()

    def make_protocol() -> H11Protocol:
        return H11Protocol(
            config=config, server_state=server.server_state, app_state=server.lifespan.state
        )

    served = _ServedApp(app, started)
    config = uvicorn.Config(
        served,
        http="h11",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_keep_alive=int(KEEP_SECONDS) + 1,  # `web.connection_limits` closes idle ones.
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
    )
    server = uvicorn.Server(config)
    raise_file_limit()
    _tune_garbage_collector()
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    collecting = create_task(_collect_when_idle(lambda: served.requests))
    try:
        await server.serve([])  # The connections are accepted here, not by uvicorn.
        for task in stopping:
            await task
    finally:
        collecting.cancel()
        await connections.stop()
