"""Who speaks: a bearer's token or a browser's cookie, and what a foreign page may not do."""

from __future__ import annotations

from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct
from starlette.requests import Request

from passline.live.requests import ServiceError
from passline.live.tokens import hash_token, token_matches

#: The cookie of a table, sent to that table's API alone.
TABLE_COOKIE: Final = "passline"
#: Seconds that a browser keeps it: thirty days.
_COOKIE_SECONDS: Final = 30 * 24 * 60 * 60
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


class PresentedToken(Struct, frozen=True):
    """A token as it was shown: in a header or, ``cookie``, by a browser that sends it unasked."""

    token: str
    cookie: bool = False

    @property
    def key(self) -> str:
        """What tells it from others, in place of the token itself."""
        return hash_token(self.token)


class HouseKey:
    """The operator's key. Only its hash is held."""

    def __init__(self, key: str) -> None:
        self._hash = hash_token(key)

    def opens(self, token: str) -> bool:
        """Whether it is this one, told in constant time."""
        return token_matches(token, self._hash)


def find_token(request: Request, name: str = TABLE_COOKIE) -> PresentedToken | None:
    """The token that a request shows, in a header or the cookie of this name; None where it shows
    none.

    ServiceError where its header is no bearer's; 403 where a page elsewhere has a browser send it.
    """
    _check_origin(request)
    given = request.headers.getlist("authorization")
    if given:
        scheme, _, token = given[0].partition(" ")
        if len(given) > 1 or scheme.lower() != "bearer" or not token.strip():
            raise ServiceError("unauthorized", "expected one header 'Authorization: Bearer TOKEN'")
        return PresentedToken(token.strip())
    cookie = request.cookies.get(name)
    if not cookie:
        return None
    if not _is_safe_method(request):
        require_json(request)
        if "origin" not in request.headers:
            raise ServiceError(
                "forbidden", "with a cookie, a request that changes something names its Origin"
            )
    return PresentedToken(cookie, cookie=True)


def require_json(request: Request) -> None:
    """ServiceError where a body does not say that it is JSON: forms of other pages cannot."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise ServiceError("invalid", "expected Content-Type: application/json")


def _is_safe_method(request: Request) -> bool:
    return request.method in {"GET", "HEAD"}


def _check_origin(request: Request) -> None:
    """ServiceError (``forbidden``) for what a page that is not ours has a browser change here."""
    if _is_safe_method(request):
        return
    for name, value in request.headers.raw:
        if name == b"origin" and not _is_same_origin(request, value.decode("latin-1")):
            raise ServiceError("forbidden", "a page of another origin may not do this")
        if name == b"sec-fetch-site" and value not in {b"same-origin", b"none"}:
            raise ServiceError("forbidden", "a page of another site may not do this")


def _is_same_origin(request: Request, origin: str) -> bool:
    """Whether an origin is the one that the request went to. Where TLS ends before us, we see http
    and the browser https."""
    scheme, sign, place = origin.partition("://")
    if not sign or scheme not in _DEFAULT_PORTS or scheme == "http" != request.url.scheme:
        return False
    given, own = (
        _host_and_port(scheme, place),
        _host_and_port(scheme, request.headers.get("host", "")),
    )
    return given is not None and given == own


def _host_and_port(scheme: str, netloc: str) -> tuple[str, int] | None:
    """A host and its port; None where there is more to it, or less."""
    try:
        parts = urlsplit(f"//{netloc}")
        port = parts.port or _DEFAULT_PORTS[scheme]
    except ValueError:
        return None
    if parts.hostname is None or parts.netloc != netloc or "@" in netloc:
        return None
    return parts.hostname, port


def table_cookie_header(request: Request, table: str, token: str) -> str:
    """The header that has a browser keep a token for a table; an empty one, forget it."""
    return cookie_header(request, f"/api/tables/{table}", token)


def cookie_header(
    request: Request, path: str, token: str, name: str = TABLE_COOKIE, kept: int = _COOKIE_SECONDS
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
