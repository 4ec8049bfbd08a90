"""Read the JSON body of a request: how large it may be, how slowly it may arrive, and its shape."""

from __future__ import annotations

from asyncio import timeout
from typing import TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request

from passline.game.words.web import say_web
from passline.live.schema import ServiceError
from passline.web import request_limits
from passline.web.responses import ClientDisconnectedError

BodyType = TypeVar("BodyType")


async def read_json(request: Request, shape: type[BodyType]) -> BodyType:
    """Decode a request's JSON body as the type ``shape`` and return it.

    Raise ServiceError if the body is too large, is not JSON or does not fit the type, HTTPException
    (400) if it arrives too slowly, and ClientDisconnectedError if the client leaves before its end.
    """
    try:
        async with timeout(request_limits.REQUEST_SECONDS):
            body = await _read_body(request)
    except TimeoutError:
        raise HTTPException(400, say_web("body-late"), {"Connection": "close"}) from None
    try:
        return msgspec.json.decode(body, type=shape)
    except msgspec.ValidationError as error:
        raise ServiceError("invalid", say_web("json-shape", error=error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ServiceError("invalid", say_web("not-json", error=error)) from None
    except RecursionError:
        raise ServiceError("invalid", say_web("json-nested")) from None


async def _read_body(request: Request) -> bytes:
    """Return the body of a request. Raise ServiceError if it has more than ``MAX_BODY_BYTES``.

    Up to ``MAX_DISCARDED_BYTES`` of a larger body are read first, so that the client receives the
    error. Raise ClientDisconnectedError if the client leaves before the body's end.
    """
    claimed = request.headers.get("content-length", "")
    too_large = ServiceError(
        "too_large", say_web("body-too-large", most=request_limits.MAX_BODY_BYTES)
    )
    if (
        claimed.isdecimal()
        and int(claimed) > request_limits.MAX_BODY_BYTES
        and "expect" in request.headers
    ):
        raise too_large  # The client waits for "100 Continue" before it sends the body.
    message = await request.receive()
    body: bytes = message.get("body", b"")
    size = len(body)
    while message.get("more_body", message["type"] != "http.disconnect"):
        message = await request.receive()
        size += len(message.get("body", b""))
        if size > request_limits.MAX_DISCARDED_BYTES:
            break
        if size <= request_limits.MAX_BODY_BYTES:
            body += message.get("body", b"")
    if message["type"] == "http.disconnect":
        raise ClientDisconnectedError
    if size > request_limits.MAX_BODY_BYTES:
        raise too_large
    return body
