"""Responses: JSON, errors, long texts, cached pages and files.

Pages and files are compressed for clients that accept gzip. A client that already has the current
version gets status 304. The API's JSON and the event streams are never compressed.
"""

from __future__ import annotations

import gzip
import json
import re
from asyncio import timeout
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Mapping,
)
from functools import partial
from hashlib import sha256
from typing import Any, Final, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from passline.live.schema import ErrorCode, ServiceError
from passline.web import request_limits

JSON = "application/json"
#: Headers with hints for pages. The bodies are fixed by the contract.
ALLOWED_HEADER, OFFERS_HEADER, PLAIN_HEADER = (
    "Passline-Allowed",
    "Passline-Offers",
    "Passline-Plain",
)
#: The key of a request's scope that holds the counter of long downloads.
DOWNLOADS_KEY: Final = "passline.downloads"
#: The size of the pieces that a long text is sent in.
_PIECE_BYTES = 32 * 1024


class ClientDisconnectedError(Exception):
    """The client disconnected before its request was answered, so no response is possible."""


async def send_in_time(send: Send, message: Message, seconds: float) -> None:
    """Send a message. Raise TimeoutError if the client does not accept it within ``seconds``.

    Most sends do not have to wait. They get no timer, because at a busy table the timers took a
    tenth of the server's time.
    """
    sending = send(message)
    started = sending.__await__()
    try:
        first = next(started)
    except StopIteration:
        return
    async with timeout(seconds):
        await _Rest(started, first)


class _Rest:
    """The remaining part of an awaitable that has already begun.

    ``started`` is its running generator and ``first`` what the generator waits for now.
    """

    def __init__(self, started: Generator[Any, Any, None], first: object) -> None:
        self._started, self._first = started, first

    def __await__(self) -> Generator[Any, Any, None]:
        waits_for = self._first
        while True:
            try:
                result = yield waits_for
            except BaseException as error:
                step = partial(self._started.throw, error)
            else:
                step = partial(self._started.send, result)
            try:
                waits_for = step()
            except StopIteration:
                return


def json_response(
    value: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a response with a value encoded as JSON."""
    return Response(msgspec.json.encode(value), status, headers, JSON)


#: The HTTP status of each error code. This is the only place that decides it.
STATUS_BY_CODE: Final[Mapping[ErrorCode, int]] = {
    "invalid": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "conflict": 409,
    "too_large": 413,
    "not_understood": 422,
    "too_many_requests": 429,
    "not_supported": 501,
    "unavailable": 503,
}
_CODE_BY_STATUS: Final = {status: code for code, status in STATUS_BY_CODE.items()}


def http_status(error: ServiceError) -> int:
    """Return the HTTP status of an error."""
    return STATUS_BY_CODE[error.code]


def error_code(status: int) -> ErrorCode:
    """Return the error code of an HTTP status; ``invalid`` if there is none."""
    return _CODE_BY_STATUS.get(status, "invalid")


def error_response(error: ServiceError) -> Response:
    """Return the response for an error, as JSON."""
    body: dict[str, Any] = {"error": error.public}
    if error.cite:
        body["cite"] = error.cite
    if error.code == "not_understood":
        body |= {"understood": error.understood, "nearest": error.nearest}
    headers = {}
    if error.code == "unauthorized":
        headers["WWW-Authenticate"] = "Bearer"
    if error.plain:
        headers[PLAIN_HEADER] = json.dumps(error.plain)
    status = http_status(error)
    if error.retry_after or status in (429, 503):
        headers["Retry-After"] = str(error.retry_after or 1)
    return json_response(body, status, headers)


class _Download(StreamingResponse):
    """A long text that is sent in pieces. ``end`` is awaited when it ends, even with an error."""

    def __init__(
        self, parts: AsyncIterator[bytes], media_type: str, end: Callable[[], Awaitable[None]]
    ) -> None:
        super().__init__(parts, media_type=media_type)
        self._end = end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._end()


async def stream_response(
    request: Request, pieces: AsyncGenerator[bytes, None], media_type: str
) -> Response:
    """Return a response that sends a text in pieces, or all at once if it is short.

    An error before the second piece is raised, so that the client receives an error response. Raise
    ServiceError, before the first piece is read, if the client's address or the server has too many
    such downloads.
    """
    downloads: request_limits.OpenCounter | None = request.scope.get(DOWNLOADS_KEY)
    address, parts = request_limits.client_address(request), _join_pieces(pieces)

    async def end() -> None:
        if downloads is not None:
            downloads.remove(address)
        await parts.aclose()
        await pieces.aclose()

    if downloads is not None:
        downloads.add(address)
    try:
        response = await _begin_download(request, parts, media_type, end)
    except BaseException:
        await end()
        raise
    if not isinstance(response, _Download):
        await end()
    return response


async def _begin_download(
    request: Request,
    parts: AsyncGenerator[bytes, None],
    media_type: str,
    end: Callable[[], Awaitable[None]],
) -> Response:
    """Read the first two parts. Return a response with the whole text if that was all of it.

    Otherwise return a download that sends these parts and the others.
    """
    held = [await anext(parts, b"")]
    if request.method == "HEAD":
        return Response(b"", media_type=media_type)
    second = await anext(parts, None)
    if second is None:
        return Response(held[0], media_type=media_type)
    held.append(second)

    async def all_parts() -> AsyncIterator[bytes]:
        while held:
            yield held.pop(0)
        async for part in parts:
            yield part

    return _Download(all_parts(), media_type, end)


async def _join_pieces(pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield the same bytes joined to pieces of at least 32 KiB; the last may be smaller."""
    part = bytearray()
    async for piece in pieces:
        part += piece
        if len(part) >= _PIECE_BYTES:
            yield bytes(part)
            part.clear()
    yield bytes(part)


HTML: Final = "text/html; charset=utf-8"
#: Cache-Control for what a browser must check each time, and for what never changes.
REVALIDATE: Final = "no-cache"
IMMUTABLE: Final = "public, max-age=31536000, immutable"
#: Smaller bodies are not compressed.
_MIN_GZIP_BYTES: Final = 500
_GZIP = re.compile(r"\s*(?:gzip|\*)\s*(?:;\s*q=(?:0?\.0*[1-9]\d*|1(?:\.0*)?)\s*)?", re.IGNORECASE)


class CachedBody(NamedTuple):
    """A response body that is sent many times: plain and compressed (``gzipped``), with ETag."""

    body: bytes
    gzipped: bytes
    media_type: str
    tag: str


def prepare_body(body: bytes | str, media_type: str = HTML) -> CachedBody:
    """Compress a body and compute its ETag, so that it can be sent many times."""
    data = body.encode() if isinstance(body, str) else body
    small = len(data) < _MIN_GZIP_BYTES
    gzipped = b"" if small else gzip.compress(data, 6, mtime=0)
    tag = f'"{sha256(data).hexdigest()[:20]}"'
    return CachedBody(body=data, gzipped=gzipped, media_type=media_type, tag=tag)


def accepts_gzip(accepted: str) -> bool:
    """Return whether an ``Accept-Encoding`` header accepts gzip.

    >>> accepts_gzip("gzip, deflate, br"), accepts_gzip("br;q=1, gzip;q=0.5"), accepts_gzip("*")
    (True, True, True)
    >>> accepts_gzip(""), accepts_gzip("gzip;q=0"), accepts_gzip("identity")
    (False, False, False)
    """
    return any(_GZIP.fullmatch(coding) for coding in accepted.split(","))


def cached_response(request: Request, cached: CachedBody, cache: str = REVALIDATE) -> Response:
    """Return a response with a prepared body, or 304 if the client already has it.

    ``cache`` is the Cache-Control header.
    """
    headers = {"Cache-Control": cache, "ETag": cached.tag, "Vary": "Accept-Encoding"}
    known = request.headers.get("if-none-match", "")
    if cached.tag in {tag.strip().removeprefix("W/") for tag in known.split(",")}:
        return Response(status_code=304, headers=headers)
    return body_response(request, cached, 200, headers)


def cached_json(request: Request, value: object) -> Response:
    """Return a response with a value as JSON, or 304 if the client already has it."""
    return cached_response(request, prepare_body(msgspec.json.encode(value), JSON))


def page_response(request: Request, page: str, status: int = 200) -> Response:
    """Return a response with a page that browsers must not cache."""
    return body_response(request, prepare_body(page), status, {"Vary": "Accept-Encoding"})


def body_response(
    request: Request, cached: CachedBody, status: int, headers: dict[str, str]
) -> Response:
    """Return a response with a body. Send it compressed if the client accepts that."""
    body = cached.body
    if cached.gzipped and accepts_gzip(request.headers.get("accept-encoding", "")):
        body, headers = cached.gzipped, {**headers, "Content-Encoding": "gzip"}
    return Response(body, status, {**headers, "Content-Type": cached.media_type})
