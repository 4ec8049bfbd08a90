"""Bodies in and out: JSON of a known shape, errors in one shape, pages and texts in pieces.

Pages and files out: compressed for whoever takes that, and not sent again to whoever has them.

Streams and the API's answers do not come through here; nothing compresses them.
"""

from __future__ import annotations

import gzip
import json
import re
from asyncio import timeout
from collections.abc import AsyncIterator, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from passline.live.requests import ErrorCode, ServiceError
from passline.web import limits

BodyType = TypeVar("BodyType")

JSON = "application/json"
#: What pages are told besides, in headers: the bodies are a promise.
ALLOWED_HEADER, PLAIN_HEADER = "Passline-Allowed", "Passline-Plain"
#: Bytes that a long text is sent in.
_PIECE_BYTES = 32 * 1024


class ClientDisconnectedError(Exception):
    """The client left before it had said everything: nobody is there to be answered."""


def json_response(
    value: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A JSON answer."""
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


def error_response(wrong: ServiceError) -> Response:
    """The answer to a request that is not carried out."""
    told: dict[str, Any] = {"error": wrong.message}
    if wrong.cite:
        told["cite"] = wrong.cite
    if wrong.code == "not_understood":
        told |= {"understood": wrong.understood, "nearest": wrong.nearest}
    headers = {}
    if wrong.code == "unauthorized":
        headers["WWW-Authenticate"] = "Bearer"
    if wrong.plain:
        headers[PLAIN_HEADER] = json.dumps(wrong.plain)
    if wrong.retry_after:
        headers["Retry-After"] = str(wrong.retry_after)
    return json_response(told, http_status(wrong), headers)


async def read_json(request: Request, shape: type[BodyType]) -> BodyType:
    """Return a request's JSON body as a struct.

    Raise ServiceError (``invalid``) when it is no JSON of that shape, 413 when it is too large.
    """
    try:
        async with timeout(limits.REQUEST_SECONDS):
            body = await _read_body(request)
    except TimeoutError:
        raise HTTPException(
            400, "The request body did not arrive in time.", {"Connection": "close"}
        ) from None
    try:
        return msgspec.json.decode(body, type=shape)
    except msgspec.ValidationError as error:
        raise ServiceError("invalid", f"The JSON body has the wrong shape: {error}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ServiceError("invalid", f"The body is not valid JSON: {error}.") from None
    except RecursionError:
        raise ServiceError("invalid", "The JSON body is nested too deeply.") from None


async def _read_body(request: Request) -> bytes:
    """Return the body. Read and discard the rest of a body that is too large, so that the client
    receives the error."""
    claimed = request.headers.get("content-length", "")
    too_large = ServiceError(
        "too_large", f"The body may have at most {limits.MAX_BODY_BYTES} bytes."
    )
    if claimed.isdecimal() and int(claimed) > limits.MAX_BODY_BYTES and "expect" in request.headers:
        raise too_large  # The client waits for "100 Continue" before it sends the body.
    message = await request.receive()
    body: bytes = message.get("body", b"")
    size = len(body)
    while message.get("more_body", message["type"] != "http.disconnect"):
        message = await request.receive()
        size += len(message.get("body", b""))
        if size > limits.MAX_DISCARDED_BYTES:
            break
        if size <= limits.MAX_BODY_BYTES:
            body += message.get("body", b"")
    if message["type"] == "http.disconnect":
        raise ClientDisconnectedError
    if size > limits.MAX_BODY_BYTES:
        raise too_large
    return body


async def stream_response(
    request: Request, pieces: AsyncIterator[bytes], media_type: str
) -> Response:
    """A long text as it comes; a short one whole. What goes wrong before the second piece is an
    answer of its own."""
    parts = _join_pieces(pieces)
    first = await anext(parts, b"")
    if request.method == "HEAD":
        return Response(b"", media_type=media_type)
    second = await anext(parts, None)
    if second is None:
        return Response(first, media_type=media_type)

    async def every() -> AsyncIterator[bytes]:
        yield first
        yield second
        async for part in parts:
            yield part

    return StreamingResponse(every(), media_type=media_type)


async def _join_pieces(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same in fewer pieces."""
    part = bytearray()
    async for piece in pieces:
        part += piece
        if len(part) >= _PIECE_BYTES:
            yield bytes(part)
            part.clear()
    yield bytes(part)


HTML: Final = "text/html; charset=utf-8"
#: What may be kept as long as it is asked after each time; and what never changes.
REVALIDATE: Final = "no-cache"
IMMUTABLE: Final = "public, max-age=31536000, immutable"
#: Below this, compressing saves nothing.
_MIN_GZIP_BYTES: Final = 500
_GZIP = re.compile(r"\s*(?:gzip|\*)\s*(?:;\s*q=(?:0?\.0*[1-9]\d*|1(?:\.0*)?)\s*)?", re.IGNORECASE)


class CachedBody(NamedTuple):
    """A body that is sent more than once: as it is, compressed, and the tag it is known by."""

    body: bytes
    gzipped: bytes
    media_type: str
    tag: str


def prepare_body(body: bytes | str, media_type: str = HTML) -> CachedBody:
    """A body, compressed once for all."""
    data = body.encode() if isinstance(body, str) else body
    small = len(data) < _MIN_GZIP_BYTES
    gzipped = b"" if small else gzip.compress(data, 6, mtime=0)
    tag = f'"{sha256(data).hexdigest()[:20]}"'
    return CachedBody(body=data, gzipped=gzipped, media_type=media_type, tag=tag)


def accepts_gzip(accepted: str) -> bool:
    """Whether an ``Accept-Encoding`` header takes gzip.

    >>> accepts_gzip("gzip, deflate, br"), accepts_gzip("br;q=1, gzip;q=0.5"), accepts_gzip("*")
    (True, True, True)
    >>> accepts_gzip(""), accepts_gzip("gzip;q=0"), accepts_gzip("identity")
    (False, False, False)
    """
    return any(_GZIP.fullmatch(one) for one in accepted.split(","))


def cached_response(request: Request, kept: CachedBody, cache: str = REVALIDATE) -> Response:
    """A body that was kept, or 304 where the client has it already."""
    headers = {"Cache-Control": cache, "ETag": kept.tag, "Vary": "Accept-Encoding"}
    known = request.headers.get("if-none-match", "")
    if kept.tag in {one.strip().removeprefix("W/") for one in known.split(",")}:
        return Response(status_code=304, headers=headers)
    return _body_response(request, kept, 200, headers)


def page_response(request: Request, page: str, status: int = 200) -> Response:
    """A page as it is at this moment, which nobody keeps."""
    return _body_response(request, prepare_body(page), status, {"Vary": "Accept-Encoding"})


def _body_response(
    request: Request, kept: CachedBody, status: int, headers: dict[str, str]
) -> Response:
    body = kept.body
    if kept.gzipped and accepts_gzip(request.headers.get("accept-encoding", "")):
        body, headers = kept.gzipped, {**headers, "Content-Encoding": "gzip"}
    return Response(body, status, {**headers, "Content-Type": kept.media_type})
