"""Admission: which requests the server accepts while connections or disk space run short.

A request on a connection over a limit is answered only for health checks, for the operator and for
the metrics. One address may have only so many requests in progress. An address that guesses keys
must wait. While the disk is nearly full, only the operator may write. All other requests pass. The
limits are in `request_limits` and `connection_limits`.
"""

from __future__ import annotations

from asyncio import sleep, timeout
from collections import Counter
from contextlib import suppress
from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passline.live.schema import ServiceError
from passline.live.tokens import hash_token
from passline.web import request_limits
from passline.web.auth import GUESS_CHECK_KEY, HouseKey
from passline.web.connection_limits import ADDRESS_LIMIT, RETRY_SECONDS, Connection, Connections
from passline.web.request_limits import (
    DiskWatch,
    OpenCounter,
    WrongTokens,
    client_address,
    limit_error,
)
from passline.web.responses import DOWNLOADS_KEY, ClientDisconnectedError, send_in_time

#: The paths of health checks, which have a reserve of connections.
HEALTH_PATHS: Final = frozenset({"/healthz", "/readyz"})
METRICS_PATH: Final = "/metrics"
#: Keys of a request's scope: the addresses of its connection before proxy headers were read, and
#: whether its key or token was found valid, or wrong.
PEER_KEY: Final = "passline.peer"
VALID_TOKEN_KEY: Final = "passline.valid_token"
WRONG_TOKEN_KEY: Final = "passline.wrong_token"
#: Bytes and seconds to read of a refused request's body, so that its client reads the answer.
_DRAINED_BYTES: Final = 64 * 1024
_DRAIN_SECONDS: Final = 2.0
#: Seconds until the connection of a client that was turned away is closed, at the latest.
_CLOSED_SECONDS: Final = 5.0
#: Seconds until uvicorn knows that a connection was aborted.
_ABORT_SECONDS: Final = 0.05
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class ClientStuckError(TimeoutError, ClientDisconnectedError):
    """The client did not accept a piece of the response in time and was disconnected."""


class RefusedError(Exception):
    """Raised for a request on a connection over a limit. The server answers and then closes it.

    ``is_answered`` means that the client has the answer already.
    """

    def __init__(self, error: ServiceError, is_answered: bool = False) -> None:
        super().__init__(error.message)
        self.error, self.is_answered = error, is_answered


class AdmissionMiddleware:
    """Passes on the requests that the server accepts, and raises an error for the others.

    ``key`` is the house key and ``metrics_key`` the one that reads the metrics, if there is one.
    ``connections`` are those of the server, or None in tests without sockets.
    """

    def __init__(
        self,
        app: ASGIApp,
        key: HouseKey,
        disk: DiskWatch,
        downloads: OpenCounter,
        connections: Connections | None = None,
        metrics_key: HouseKey | None = None,
    ) -> None:
        self._app, self._disk, self._downloads = app, disk, downloads
        self._key, self._metrics_key = key, metrics_key
        self._connections = connections
        #: How many requests of one address may be in progress, 0 for any number.
        self._per_address = connections.limits.per_address if connections is not None else 0
        self._in_progress = Counter[str]()
        self.wrong_tokens = WrongTokens()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request.

        Raise ServiceError or RefusedError if the server does not accept it, and
        ClientDisconnectedError if the client is gone or does not accept the response in time.
        """
        request = Request(scope, receive, send)
        address, token = client_address(request), _header_token(request)
        scope[DOWNLOADS_KEY] = self._downloads
        connection = self._find_connection(scope)
        if connection is not None:
            if connection.refused_at:  # It was idle, and its request came while it was answered.
                await _wait_until_closed(receive)
                raise ClientDisconnectedError
            connection.begin_request()
        self._in_progress[address] += 1
        looked_up = ""  # The hash of the token that the request was decided by.

        def check_guesses(sent: str) -> None:
            nonlocal looked_up
            looked_up = hash_token(sent)
            self.wrong_tokens.check(address, looked_up)

        scope[GUESS_CHECK_KEY] = check_guesses
        try:
            if token:  # Also where nobody looks it up.
                self.wrong_tokens.check(address, hash_token(token))
            await self._check_limits(request, receive, connection, address, token)
            await self._serve(scope, receive, send, connection)
        except ServiceError as error:
            if looked_up and (error.code == "unauthorized" or error.limit == "invitation-invalid"):
                self.wrong_tokens.add_wrong(address, looked_up)
                scope[WRONG_TOKEN_KEY] = True
            raise
        finally:
            if looked_up and scope.get(VALID_TOKEN_KEY):
                self.wrong_tokens.add_valid(looked_up)
            self._in_progress[address] -= 1
            if not self._in_progress[address]:
                del self._in_progress[address]
            if connection is not None:
                connection.end_request()

    def _find_connection(self, scope: Scope) -> Connection | None:
        if self._connections is None:
            return None
        return self._connections.by_key.get(scope.get(PEER_KEY))  # type: ignore[arg-type]

    async def _check_limits(
        self,
        request: Request,
        receive: Receive,
        connection: Connection | None,
        address: str,
        token: str,
    ) -> None:
        """Raise an error for a request over a limit.

        Health checks and the operator's requests pass.
        """
        if connection is not None and connection.over_limit and self._connections is not None:
            self._connections.promote(connection)
        over_limit = connection.over_limit if connection is not None else ""
        if not over_limit and self._per_address and self._in_progress[address] > self._per_address:
            over_limit = ADDRESS_LIMIT
        writes = request.method not in _SAFE_METHODS
        if not over_limit and not (writes and self._disk.reserve):
            return
        if request.url.path in HEALTH_PATHS or self._is_operator(request.url.path, token):
            if connection is not None:
                connection.is_privileged = True
            return
        if over_limit and connection is not None and connection.over_limit and self._connections:
            self._connections.turn_away(connection)
            await _wait_until_closed(receive)
            raise RefusedError(_limit_error(over_limit), is_answered=True)
        if over_limit:
            await _drain(receive)
            raise RefusedError(_limit_error(over_limit))
        self._disk.check()

    def _is_operator(self, path: str, token: str) -> bool:
        """Return whether a token is the house key or, for ``/metrics``, the metrics key."""
        if not token or self._key.matches(token):
            return bool(token)
        metrics_key = self._metrics_key if path == METRICS_PATH else None
        return metrics_key is not None and metrics_key.matches(token)

    async def _serve(
        self, scope: Scope, receive: Receive, send: Send, connection: Connection | None
    ) -> None:
        """Serve a request, and send its response in pieces.

        A client that does not accept a piece in time is disconnected.
        """

        async def send_piece(message: Message) -> None:
            try:
                await send_in_time(send, message, request_limits.SEND_SECONDS)
            except TimeoutError:
                if connection is not None:
                    connection.close()
                    await sleep(_ABORT_SECONDS)
                raise ClientStuckError from None

        async def send_pieces(message: Message) -> None:
            body, size = message.get("body", b""), request_limits.PIECE_BYTES
            if len(body) <= size:
                await send_piece(message)
                return
            last = (len(body) - 1) // size * size
            for start in range(0, last, size):
                piece = body[start : start + size]
                await send_piece({**message, "body": piece, "more_body": True})
            await send_piece({**message, "body": body[last:]})

        await self._app(scope, receive, send_pieces)


def _limit_error(limit: str) -> ServiceError:
    """Return the error for a request on a connection over the limit named ``limit``."""
    if limit == ADDRESS_LIMIT:
        return limit_error(
            "too_many_requests", "address-connections", RETRY_SECONDS, wait=RETRY_SECONDS
        )
    return limit_error("unavailable", "all-connections", RETRY_SECONDS, wait=RETRY_SECONDS)


def _header_token(request: Request) -> str:
    """Return the key or token in a request's Authorization header, or ""."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


async def _wait_until_closed(receive: Receive) -> None:
    """Wait until an answered connection is closed, so that uvicorn does not answer it again."""
    with suppress(TimeoutError):
        async with timeout(_CLOSED_SECONDS):
            while (await receive())["type"] != "http.disconnect":
                pass


async def _drain(receive: Receive) -> None:
    """Read the body of a refused request, up to a limit, so that the client reads the answer."""
    size = 0
    with suppress(TimeoutError):
        async with timeout(_DRAIN_SECONDS):
            while size < _DRAINED_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                if not message.get("more_body"):
                    return
