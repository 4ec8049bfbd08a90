"""What a live table's server answers, typed; and the one exception for what it does not.

HTTP as a client of a live table speaks it: addresses, requests that are sent again, answers.

The standard library's client, and no more: this works wherever passline is installed.
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

from passline.live.requests import ErrorResponse
from passline.version import VERSION


class ClientError(Exception):
    """A request that was not carried out: the HTTP status (0: no server answered), what is wrong
    and what was expected; where a clause decides, its citation; where talk was not understood, the
    words that were and the nearest say. What the rules refuse is no error, but an answer."""

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
    """An entry that the server said it wrote: ``passline audit --receipt`` holds it to that.

    >>> str(EntryReceipt(3, "0f"))
    '3:0f'
    """

    seq: int
    hash: str

    def __str__(self) -> str:
        """As ``--receipt`` takes it."""
        return f"{self.seq}:{self.hash}"


ReplyType = TypeVar("ReplyType")

JSON_TYPE: Final = "application/json"
#: Seconds that one request may take.
REQUEST_TIMEOUT: Final = 15.0
#: Statuses after which the same request may be sent again: it wrote nothing, or its id is known.
_RETRY_STATUSES: Final = frozenset({429, 502, 503, 504})
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 5.0
_TABLE_PATH = re.compile(r"/(?:t|api/tables)/([A-Za-z0-9]+)/?")
#: What a request line and a header may hold: nothing that could end them.
_HEADER_SAFE = re.compile(r"[\x21-\x7e]*")


class ServerAddress(NamedTuple):
    """Where a server is, and perhaps which of its tables is meant and by which token."""

    base: str
    table: str = ""
    token: str = ""


def read_address(text: str) -> ServerAddress:
    """An address as people hand it on. ValueError where it is none.

    >>> read_address("http://127.0.0.1:7117/t/abcd2345#0f0f")
    ServerAddress(base='http://127.0.0.1:7117', table='abcd2345', token='0f0f')
    >>> read_address("localhost:7117")
    ServerAddress(base='http://localhost:7117', table='', token='')
    """
    wrong = f"{text[:200]!r} is no address: expected one such as 127.0.0.1:7117/t/TABLE"
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
    """An answer as it came."""

    status: int
    body: bytes
    retry_after: float


class ServerConnection:
    """Requests to one server. Several threads may send them, one at a time.

    ``patience``: for how many seconds a request that may be sent again is, before ClientError.
    """

    def __init__(self, base: str, patience: float, rest: Callable[[float], None] = sleep) -> None:
        parts = urlsplit(base)
        self.base, self.patience, self.rest = base, patience, rest
        self._prefix, self._https = parts.path, parts.scheme == "https"
        self._host, self._port = parts.hostname or "", parts.port
        self._lock = threading.Lock()
        self._kept: HTTPConnection | None = None

    def connect(self, timeout: float) -> HTTPConnection:
        """A connection of its own: for a stream, or for what is sent once."""
        if self._https:
            return HTTPSConnection(self._host, self._port, timeout=timeout)
        return HTTPConnection(self._host, self._port, timeout=timeout)

    def send(
        self, connection: HTTPConnection, method: str, path: str, body: bytes | None, **more: str
    ) -> HTTPResponse:
        """Send a request on a connection, and wait for the head of its answer."""
        headers = {"User-Agent": f"passline/{VERSION}", "Accept": JSON_TYPE, **more}
        if body is not None:
            headers["Content-Type"] = JSON_TYPE
        connection.request(method, self._prefix + path, body, headers)
        return connection.getresponse()

    def ask(
        self, method: str, path: str, body: object = None, *, token: str = "", once: bool = False
    ) -> HttpReply:
        """An answer below 400. ClientError for any other, and where none comes.

        The very same request is sent again after a lost reply, a 503 and a 429: give it an id, or
        ``once``, which sends it again only where it surely never arrived.
        """
        data = None if body is None else msgspec.json.encode(body)
        headers = auth_header(token)
        pauses = Backoff(self.patience, self.rest)
        while True:
            try:
                reply = self._asked(method, path, data, headers, fresh=once)
            except (OSError, HTTPException) as wrong:
                if not _may_retry(wrong, once) or not pauses.wait():
                    raise self.lost(wrong) from None
                continue
            if reply.status < 400:
                return reply
            again = reply.status == 429 or (reply.status in _RETRY_STATUSES and not once)
            if not again or not pauses.wait(reply.retry_after):
                raise error_from_reply(reply)

    def _asked(
        self, method: str, path: str, data: bytes | None, headers: dict[str, str], fresh: bool
    ) -> HttpReply:
        with self._lock:
            if fresh:
                self._drop()
            while True:
                reused, connection = (
                    self._kept is not None,
                    self._kept or self.connect(REQUEST_TIMEOUT),
                )
                self._kept = connection
                try:
                    response = self.send(connection, method, path, data, **headers)
                    reply = HttpReply(response.status, response.read(), _read_retry_after(response))
                except BaseException as wrong:  # Ctrl-C too: what comes next starts afresh
                    self._drop()
                    if (
                        reused
                        and isinstance(wrong, OSError | HTTPException)
                        and not _is_timeout(wrong)
                    ):
                        continue  # the server closed what had been kept
                    raise
                if response.will_close:
                    self._drop()
                return reply

    def _drop(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def close(self) -> None:
        """Close what is kept open. The next request opens it again."""
        with self._lock:
            self._drop()

    def __del__(self) -> None:
        """Whoever forgets to close leaves nothing open."""
        with suppress(AttributeError):
            self._drop()

    def lost(self, wrong: Exception) -> ClientError:
        """What is told of a server that does not answer."""
        why = getattr(wrong, "strerror", None) or str(wrong) or type(wrong).__name__
        return ClientError(0, f"{self.base} does not answer: {why}")


class Backoff:
    """Longer and longer pauses, until patience runs out."""

    def __init__(self, patience: float, rest: Callable[[float], None]) -> None:
        self._until, self._rest, self._pause = monotonic() + patience, rest, _FIRST_PAUSE

    def wait(self, least: float = 0.0) -> bool:
        """Pause, and whether it is worth while to try again. Not all come back at once."""
        pause = max(least, self._pause * random.uniform(0.5, 1.0))
        self._pause = min(self._pause * 2, _LONGEST_PAUSE)
        if monotonic() + pause > self._until:
            return False
        self._rest(pause)
        return True


def auth_header(token: str) -> dict[str, str]:
    """The header that shows a token. ClientError where it cannot be one."""
    if not _HEADER_SAFE.fullmatch(token):
        raise ClientError(401, "that is no token: expected letters and digits")
    return {"Authorization": f"Bearer {token}"} if token else {}


def _may_retry(wrong: Exception, once: bool) -> bool:
    """Whether a request that failed so may be sent again: not to a server that is not who it
    says, and not where it might be done twice."""
    if isinstance(wrong, ssl.SSLCertVerificationError):
        return False
    return not once or isinstance(wrong, ConnectionRefusedError)


def _is_timeout(wrong: BaseException) -> bool:
    return isinstance(wrong, TimeoutError | ssl.SSLError)


def _read_retry_after(response: HTTPResponse) -> float:
    given = response.getheader("Retry-After", "")
    return float(given) if re.fullmatch(r"\d{1,4}", given) else 0.0


def error_from_reply(reply: HttpReply) -> ClientError:
    """What an answer of 400 and above says."""
    try:
        told = msgspec.json.decode(reply.body, type=ErrorResponse)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ClientError(reply.status, f"status {reply.status}, and no word why")
    return ClientError(
        reply.status,
        told.error,
        cite=told.cite or "",
        understood=told.understood,
        nearest=told.nearest,
    )


def read_reply(reply: HttpReply, shape: type[ReplyType]) -> ReplyType:
    """An answer's body as what it should be. ClientError where it is not."""
    try:
        return msgspec.json.decode(reply.body, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise ClientError(
            reply.status, f"that is no answer of a live table: {str(wrong)[:200]}"
        ) from None
