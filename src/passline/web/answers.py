"""Bodies in and out: JSON of a known shape, errors in one shape, pages and texts in pieces."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, Protocol, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from passline.live.asks import HallError
from passline.web import limits

AskShape = TypeVar("AskShape")

JSON = "application/json"
#: What pages are told besides, in headers: the bodies are a promise.
ALLOWED, PLAIN = "Passline-Allowed", "Passline-Plain"
#: Bytes that a long text is sent in.
_PART = 32 * 1024


class GoneError(Exception):
    """The client left before it had said everything: nobody is there to be answered."""


class Wire(Protocol):
    """A connection, as the server hands it over in its state: what leaves by it goes past
    everything between, where the client takes it."""

    def answer(self, status: int, body: bytes) -> bool:
        """Write a whole JSON answer."""

    def put(self, chunk: bytes) -> bool:
        """Write a chunk of an answer that comes in chunks."""

    def cut(self) -> None:
        """End it, whatever waits to be taken."""

    def hand_over(self) -> int | None:
        """The connection's file, for another process to go on with."""


class Whole:
    """A JSON answer that leaves in one piece: an ASGI response."""

    def __init__(self, status: int, value: object) -> None:
        self._status, self._body = status, msgspec.json.encode(value)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        wire: Wire | None = scope.get("state", {}).get("wire")
        if wire is not None and wire.answer(self._status, self._body):
            scope["answered"] = self._status
        else:
            await Response(self._body, self._status, media_type=JSON)(scope, receive, send)


def json_answer(
    value: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A JSON answer."""
    return Response(msgspec.json.encode(value), status, headers, JSON)


def refused_answer(wrong: HallError) -> Response:
    """The answer to a request that is not carried out."""
    told: dict[str, Any] = {"error": wrong.message}
    if wrong.cite:
        told["cite"] = wrong.cite
    if wrong.status == 422:
        told |= {"understood": wrong.understood, "nearest": wrong.nearest}
    headers = {}
    if wrong.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if wrong.plain:
        headers[PLAIN] = json.dumps(wrong.plain)
    if wrong.retry_after:
        headers["Retry-After"] = str(wrong.retry_after)
    return json_answer(told, wrong.status, headers)


async def read_as(request: Request, shape: type[AskShape]) -> AskShape:
    """What a request's body says. HallError 400 or 413 where it is not that."""
    body = await _body(request)
    try:
        return msgspec.json.decode(body, type=shape)
    except msgspec.ValidationError as wrong:
        raise HallError(400, f"the body is not as expected: {wrong}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise HallError(400, f"the body is no JSON: {wrong}") from None
    except RecursionError:
        raise HallError(400, "the body is nested too deeply") from None


async def _body(request: Request) -> bytes:
    """A body of any size that may be; of one that is too large, the rest is read and dropped."""
    claimed = request.headers.get("content-length", "")
    large = HallError(413, f"a body holds {limits.BODY} bytes at most")
    if claimed.isdecimal() and int(claimed) > limits.BODY and "expect" in request.headers:
        raise large  # it waits to be told to send it
    message = await request.receive()
    body: bytes = message.get("body", b"")
    size = len(body)
    while message.get("more_body", message["type"] != "http.disconnect"):
        message = await request.receive()
        size += len(message.get("body", b""))
        if size > limits.DROPPED:
            break
        if size <= limits.BODY:
            body += message.get("body", b"")
    if message["type"] == "http.disconnect":
        raise GoneError
    if size > limits.BODY:
        raise large
    return body


async def in_pieces(request: Request, pieces: AsyncIterator[bytes], media_type: str) -> Response:
    """A long text as it comes; a short one whole. What goes wrong before the second piece is an
    answer of its own."""
    parts = _larger(pieces)
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


async def _larger(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same in fewer pieces."""
    part = bytearray()
    async for piece in pieces:
        part += piece
        if len(part) >= _PART:
            yield bytes(part)
            part.clear()
    yield bytes(part)
