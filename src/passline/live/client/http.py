"""HTTP for clients of live tables: addresses, requests with retries, errors.

It uses the standard library only. The schema of requests and responses is in `live.schema`.
"""

from __future__ import annotations

import random
import re
import ssl
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from time import monotonic, sleep
from typing import Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from passline.game.words.log import say_log
from passline.live.schema import ErrorResponse
from passline.version import VERSION


class ClientError(Exception):
    """A request was not carried out.

    ``status`` is the HTTP status, or 0 if no server answered. ``cite`` is the clause that decides,
    if any. If a line was not understood, ``understood`` holds the words that were and ``nearest``
    the closest known phrase. A bet that the rules refuse raises no error; the answer contains its
    refusal.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        cite: str = "",
        understood: Sequence[str] = (),
        nearest: str = "",
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.cite = status, message, cite
        self.understood, self.nearest = tuple(understood), nearest


class EntryReceipt(Struct, frozen=True):
    """An entry that the server said it wrote, for ``passline audit --receipt``.

    ``signature`` is the house's (see `live.signing_key`); empty if the server sent none.

    >>> str(EntryReceipt(3, "0f")), str(EntryReceipt(3, "0f", "a1"))
    ('3:0f', '3:0f:a1')
    """

    seq: int
    hash: str
    signature: str = ""

    def __str__(self) -> str:
        """Return the receipt in the form that ``--receipt`` takes."""
        return f"{self.seq}:{self.hash}{f':{self.signature}' if self.signature else ''}"


ReplyType = TypeVar("ReplyType")

JSON_TYPE: Final = "application/json"
#: The timeout of one request, in seconds.
REQUEST_TIMEOUT: Final = 15.0
#: Statuses after which a request may be sent again: it wrote nothing, or its id is recognized.
_RETRY_STATUSES: Final = frozenset({429, 502, 503, 504})
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 5.0
_TABLE_PATH = re.compile(r"/(?:t|api/tables)/([A-Za-z0-9]+)/?")
#: What a request line or a header may hold: no spaces, no line ends.
_HEADER_SAFE = re.compile(r"[\x21-\x7e]*")


class ServerAddress(NamedTuple):
    """The address of a server, and the table and the token in it, each "" if there is none."""

    base: str
    table: str = ""
    token: str = ""


def read_address(text: str) -> ServerAddress:
    """Parse the address of a server or table as people send it. Raise ValueError if malformed.

    >>> read_address("http://127.0.0.1:7117/t/abcd2345#0f0f")
    ServerAddress(base='http://127.0.0.1:7117', table='abcd2345', token='0f0f')
    >>> read_address("localhost:7117")
    ServerAddress(base='http://localhost:7117', table='', token='')
    """
    wrong = say_log("no-address", address=text)
    given = text.strip()
    if not _HEADER_SAFE.fullmatch(given):
        raise ValueError(wrong)
    try:
        parts = urlsplit(given if "://" in given else f"http://{given}")
        named, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueError(wrong) from None
    if parts.scheme not in {"http", "https"} or not named or parts.username is not None:
        raise ValueError(wrong)
    found = _TABLE_PATH.search(parts.path)
    if found is None and parts.path not in {"", "/"}:
        raise ValueError(wrong)
    before = parts.path[: found.start()] if found else ""
    base = f"{parts.scheme}://{parts.netloc}{before}"
    return ServerAddress(base, found[1] if found else "", parts.fragment if found else "")


class HttpReply(NamedTuple):
    """The answer to a request: status, body, and how many seconds the server asks to wait."""

    status: int
    body: bytes
    retry_after: float


class ServerConnection:
    """Sends requests to one server. Threads may share it; one request runs at a time.

    ``base`` is the server's address. If a request fails, it is sent again for up to
    ``retry_seconds`` before ClientError is raised. ``rest`` is called with the seconds to pause
    between two attempts.
    """

    def __init__(
        self, base: str, retry_seconds: float, rest: Callable[[float], None] = sleep
    ) -> None:
        parts = urlsplit(base)
        self.base, self.retry_seconds, self.rest = base, retry_seconds, rest
        self._timeout = REQUEST_TIMEOUT
        self._prefix, self._https = parts.path, parts.scheme == "https"
        self._host, self._port = parts.hostname or "", parts.port
        self._lock = threading.Lock()
        self._idle: HTTPConnection | None = None

    def connect(self, timeout: float) -> HTTPConnection:
        """Return a new connection, with a timeout in seconds, that other requests do not use."""
        if self._https:
            return HTTPSConnection(self._host, self._port, timeout=timeout)
        return HTTPConnection(self._host, self._port, timeout=timeout)

    def send(
        self, connection: HTTPConnection, method: str, path: str, body: bytes | None, **more: str
    ) -> HTTPResponse:
        """Send a request on a connection and return the response with its headers read.

        ``more`` holds further headers by name.
        """
        headers = {"User-Agent": f"passline/{VERSION}", "Accept": JSON_TYPE, **more}
        if body is not None:
            headers["Content-Type"] = JSON_TYPE
        connection.request(method, self._prefix + path, body, headers)
        return connection.getresponse()

    def request(
        self, method: str, path: str, body: object = None, *, token: str = "", once: bool = False
    ) -> HttpReply:
        """Send a request. Return an answer below status 400; raise ClientError for any other.

        After a lost reply, a 503 or a 429 the same request is sent again. So it should have an id
        that the server recognizes. A request that must not arrive twice sets ``once``: then it is
        sent again only if it certainly was not carried out.
        """
        data = None if body is None else msgspec.json.encode(body)
        headers = auth_header(token)
        pauses = Backoff(self)
        while True:
            try:
                reply = self._send_once(method, path, data, headers, fresh=once)
            except (OSError, HTTPException) as wrong:
                if not _may_retry(wrong, once) or not pauses.wait():
                    raise self.make_lost_error(wrong) from None
                continue
            if reply.status < 400:
                return reply
            again = reply.status == 429 or (reply.status in _RETRY_STATUSES and not once)
            if not again or not pauses.wait(reply.retry_after):
                raise error_from_reply(reply)

    def _send_once(
        self, method: str, path: str, data: bytes | None, headers: dict[str, str], fresh: bool
    ) -> HttpReply:
        """Send a request and return the answer. ``fresh`` asks for a new connection.

        If the server has closed an idle connection meanwhile, open another and send the request
        again.
        """
        with self._lock:
            if fresh:
                self._drop()
            while True:
                reused = self._idle is not None
                connection = self._idle = self._idle or self.connect(self._timeout)
                try:
                    response = self.send(connection, method, path, data, **headers)
                    reply = HttpReply(response.status, response.read(), _read_retry_after(response))
                except BaseException as wrong:  # After Ctrl-C too, start with a new connection.
                    self._drop()
                    lost = isinstance(wrong, OSError | HTTPException)
                    if reused and lost and not isinstance(wrong, TimeoutError | ssl.SSLError):
                        continue  # The server had closed the idle connection.
                    raise
                if response.will_close:
                    self._drop()
                return reply

    def _drop(self) -> None:
        if self._idle is not None:
            self._idle.close()
            self._idle = None

    def hurry(self, seconds: float) -> None:
        """Limit the timeout and the retries of each later request to ``seconds`` seconds."""
        self.retry_seconds = min(self.retry_seconds, seconds)
        self._timeout = min(self._timeout, seconds)
        self.close()  # The next connection has the shorter timeout.

    def close(self) -> None:
        """Close the connection. The next request opens it again."""
        with self._lock:
            self._drop()

    def __del__(self) -> None:
        """Close the connection if the caller forgot to."""
        with suppress(AttributeError):
            self._drop()

    def make_lost_error(self, wrong: Exception) -> ClientError:
        """Return the ClientError for a server that does not answer. ``wrong`` is the cause."""
        why = getattr(wrong, "strerror", None) or str(wrong) or type(wrong).__name__
        return ClientError(0, say_log("no-answer", server=self.base, why=why))


class Backoff:
    """Pauses between retries, each longer than the last, up to ``retry_seconds`` in all."""

    def __init__(self, server: ServerConnection) -> None:
        self._server, self._began, self._pause = server, monotonic(), _FIRST_PAUSE

    def wait(self, least: float = 0.0) -> bool:
        """Pause for a random time, longer with each call and at least ``least`` seconds.

        Return False, without a pause, if the pause would end after the connection's
        ``retry_seconds``.
        """
        pause = max(least, self._pause * random.uniform(0.5, 1.0))
        self._pause = min(self._pause * 2, _LONGEST_PAUSE)
        if monotonic() + pause > self._began + self._server.retry_seconds:
            return False
        self._server.rest(pause)
        return True


def auth_header(token: str) -> dict[str, str]:
    """Return the Authorization header with a token as a dict; {} if there is no token.

    Raise ClientError if the text cannot be a token.
    """
    if not _HEADER_SAFE.fullmatch(token):
        raise ClientError(401, say_log("token-letters"))
    return {"Authorization": f"Bearer {token}"} if token else {}


def _may_retry(wrong: Exception, once: bool) -> bool:
    """Return whether a request that failed with the error ``wrong`` may be sent again.

    After a certificate error it may not. With ``once``, it may only if the server refused the
    connection.
    """
    if isinstance(wrong, ssl.SSLCertVerificationError):
        return False
    return not once or isinstance(wrong, ConnectionRefusedError)


def _read_retry_after(response: HTTPResponse) -> float:
    """Return the seconds in a response's ``Retry-After`` header.

    Return 0 if it is not a whole number of up to four digits.
    """
    given = response.getheader("Retry-After", "")
    return float(given) if re.fullmatch(r"\d{1,4}", given) else 0.0


def error_from_reply(reply: HttpReply) -> ClientError:
    """Return the ClientError that describes an answer with a status of 400 or above."""
    try:
        error = msgspec.json.decode(reply.body, type=ErrorResponse)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ClientError(reply.status, say_log("reply-no-reason", status=reply.status))
    known, nearest = error.understood, error.nearest
    cite = error.cite or ""
    return ClientError(reply.status, error.error, cite=cite, understood=known, nearest=nearest)


def read_reply(reply: HttpReply, shape: type[ReplyType]) -> ReplyType:
    """Decode an answer's JSON body as the type ``shape``. Raise ClientError if it does not fit."""
    try:
        return msgspec.json.decode(reply.body, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        words = say_log("reply-not-table", error=str(wrong)[:200])
        raise ClientError(reply.status, words) from None
