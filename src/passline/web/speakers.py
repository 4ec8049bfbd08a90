"""Who speaks: a bearer's token or a browser's cookie, and what a foreign page may not do."""

from __future__ import annotations

from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct
from starlette.requests import Request

from passline.live.asks import HallError
from passline.live.tokens import same_token, token_hash

#: The cookie of a table, sent to that table's API alone.
COOKIE: Final = "passline"
#: Seconds that a browser keeps it: thirty days.
_KEPT: Final = 30 * 24 * 60 * 60
_PORTS: Final = {"http": 80, "https": 443}


class ShownToken(Struct, frozen=True):
    """A token as it was shown: in a header or, ``cookie``, by a browser that sends it unasked."""

    token: str
    cookie: bool = False

    @property
    def key(self) -> str:
        """What tells it from others, in place of the token itself."""
        return token_hash(self.token)


class HouseKey:
    """The operator's key. Only its hash is held."""

    def __init__(self, key: str) -> None:
        self._hash = token_hash(key)

    def opens(self, token: str) -> bool:
        """Whether it is this one, told in constant time."""
        return same_token(token, self._hash)


def shown_token(request: Request, name: str = COOKIE) -> ShownToken | None:
    """The token that a request shows, in a header or the cookie of this name; None where it shows
    none.

    HallError 401 where its header is no bearer's; 403 where a page elsewhere has a browser send it.
    """
    _check_origin(request)
    given = request.headers.getlist("authorization")
    if given:
        scheme, _, token = given[0].partition(" ")
        if len(given) > 1 or scheme.lower() != "bearer" or not token.strip():
            raise HallError(401, "expected one header 'Authorization: Bearer TOKEN'")
        return ShownToken(token.strip())
    cookie = request.cookies.get(name)
    if not cookie:
        return None
    if not _safe(request):
        check_json(request)
        if "origin" not in request.headers:
            raise HallError(403, "with a cookie, a request that changes something names its Origin")
    return ShownToken(cookie, cookie=True)


def check_json(request: Request) -> None:
    """HallError 400 where a body does not say that it is JSON: forms of other pages cannot."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HallError(400, "expected Content-Type: application/json")


def _safe(request: Request) -> bool:
    return request.method in {"GET", "HEAD"}


def _check_origin(request: Request) -> None:
    """HallError 403 for what a page that is not ours has a browser change here."""
    if _safe(request):
        return
    for name, value in request.headers.raw:
        if name == b"origin" and not _ours(request, value.decode("latin-1")):
            raise HallError(403, "a page of another origin may not do this")
        if name == b"sec-fetch-site" and value not in {b"same-origin", b"none"}:
            raise HallError(403, "a page of another site may not do this")


def _ours(request: Request, origin: str) -> bool:
    """Whether an origin is the one that the request went to. Where TLS ends before us, we see http
    and the browser https."""
    scheme, sign, place = origin.partition("://")
    if not sign or scheme not in _PORTS or scheme == "http" != request.url.scheme:
        return False
    given, own = _place(scheme, place), _place(scheme, request.headers.get("host", ""))
    return given is not None and given == own


def _place(scheme: str, netloc: str) -> tuple[str, int] | None:
    """A host and its port; None where there is more to it, or less."""
    try:
        parts = urlsplit(f"//{netloc}")
        port = parts.port or _PORTS[scheme]
    except ValueError:
        return None
    if parts.hostname is None or parts.netloc != netloc or "@" in netloc:
        return None
    return parts.hostname, port


def cookie_for(request: Request, table: str, token: str) -> str:
    """The header that has a browser keep a token for a table; an empty one, forget it."""
    return cookie_at(request, f"/api/tables/{table}", token)


def cookie_at(
    request: Request, path: str, token: str, name: str = COOKIE, kept: int = _KEPT
) -> str:
    """The header that has a browser keep a token, and send it to these addresses alone; an empty
    one, forget it."""
    cookie: SimpleCookie = SimpleCookie({name: token})
    morsel = cookie[name]
    morsel["path"] = path
    morsel["max-age"] = kept if token else 0
    morsel["httponly"], morsel["samesite"] = True, "Strict"
    if request.url.scheme == "https":
        morsel["secure"] = True
    return morsel.OutputString()
