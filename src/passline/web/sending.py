"""Pages and files out: compressed for whoever takes that, and not sent again to whoever has them.

Streams and the API's answers do not come through here; nothing compresses them.
"""

from __future__ import annotations

import gzip
import re
from hashlib import sha256
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

HTML: Final = "text/html; charset=utf-8"
#: What may be kept as long as it is asked after each time; and what never changes.
ASK: Final = "no-cache"
FOREVER: Final = "public, max-age=31536000, immutable"
#: Below this, compressing saves nothing.
_SMALL: Final = 500
_GZIP = re.compile(r"\s*(?:gzip|\*)\s*(?:;\s*q=(?:0?\.0*[1-9]\d*|1(?:\.0*)?)\s*)?", re.IGNORECASE)


class KeptBody(NamedTuple):
    """A body that is sent more than once: as it is, compressed, and the tag it is known by."""

    body: bytes
    zipped: bytes
    media_type: str
    tag: str


def keep_body(body: bytes | str, media_type: str = HTML) -> KeptBody:
    """A body, compressed once for all."""
    data = body.encode() if isinstance(body, str) else body
    small = len(data) < _SMALL
    zipped = b"" if small else gzip.compress(data, 6, mtime=0)
    tag = f'"{sha256(data).hexdigest()[:20]}"'
    return KeptBody(body=data, zipped=zipped, media_type=media_type, tag=tag)


def takes_gzip(accepted: str) -> bool:
    """Whether an ``Accept-Encoding`` header takes gzip.

    >>> takes_gzip("gzip, deflate, br"), takes_gzip("br;q=1, gzip;q=0.5"), takes_gzip("*")
    (True, True, True)
    >>> takes_gzip(""), takes_gzip("gzip;q=0"), takes_gzip("identity")
    (False, False, False)
    """
    return any(_GZIP.fullmatch(one) for one in accepted.split(","))


def send_body(request: Request, kept: KeptBody, cache: str = ASK) -> Response:
    """A body that was kept, or 304 where the client has it already."""
    headers = {"Cache-Control": cache, "ETag": kept.tag, "Vary": "Accept-Encoding"}
    known = request.headers.get("if-none-match", "")
    if kept.tag in {one.strip().removeprefix("W/") for one in known.split(",")}:
        return Response(status_code=304, headers=headers)
    return _answer(request, kept, 200, headers)


def send_once(request: Request, page: str, status: int = 200) -> Response:
    """A page as it is at this moment, which nobody keeps."""
    return _answer(request, keep_body(page), status, {"Vary": "Accept-Encoding"})


def _answer(request: Request, kept: KeptBody, status: int, headers: dict[str, str]) -> Response:
    body = kept.body
    if kept.zipped and takes_gzip(request.headers.get("accept-encoding", "")):
        body, headers = kept.zipped, {**headers, "Content-Encoding": "gzip"}
    return Response(body, status, {**headers, "Content-Type": kept.media_type})
