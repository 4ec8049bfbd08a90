"""Tokens in requests: in the Authorization header or a browser's cookie.

A browser sends cookies with requests of any page. So a request that changes something must come
from a page of this server: its Origin and Sec-Fetch-Site headers are checked here.
"""

from __future__ import annotations

from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct
from starlette.requests import Request

from passline.game.words.web import say_web
from passline.live.schema import ServiceError
from passline.live.tokens import hash_token, token_matches

#: The cookie of a table. A browser sends it to that table's API only.
TABLE_COOKIE: Final = "passline"
#: The cookie of the table's host, who may have a seat there too. A page sends the header
#: ``Passline-As: host`` to use it.
HOST_COOKIE: Final = "passline-host"
_AS_HEADER: Final = "passline-as"
#: How many seconds a browser keeps the cookie: thirty days.
_COOKIE_SECONDS: Final = 30 * 24 * 60 * 60
#: The message to an operator who sends no house key, or a wrong one.
MISSING_HOUSE_KEY: Final = say_web("house-key-missing")
WRONG_HOUSE_KEY: Final = say_web("house-key-wrong")
#: The key of a request's scope for the function that `check_guesses` calls.
GUESS_CHECK_KEY: Final = "passline.check_guesses"
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


class PresentedToken(Struct, frozen=True):
    """The token of a request. ``cookie`` is true if it came in a cookie and not in a header."""

    token: str
    cookie: bool = False

    @property
    def key(self) -> str:
        """The hash of the token, which identifies it without revealing it."""
        return hash_token(self.token)


class HouseKey:
    """A key that the operator sets: the house key or the metrics key. Keeps only its hash."""

    def __init__(self, key: str) -> None:
        self._hash = hash_token(key)

    def matches(self, token: str) -> bool:
        """Return whether a token is this key. The comparison takes constant time."""
        return token_matches(token, self._hash)


def find_token(request: Request, name: str = TABLE_COOKIE) -> PresentedToken | None:
    """Return the token in the Authorization header, or else in the cookie ``name``, or None.

    Raise ServiceError if the header is malformed, if the address sent too many wrong tokens, or if
    the request changes something and may come from a page of another site.
    """
    found = _read_token(request, name)
    if found is not None:
        check_guesses(request, found.token)
    return found


def check_guesses(request: Request, token: str) -> None:
    """Slow down a client that guesses: call this for each token that is going to be looked up.

    Raise ServiceError if the request's address sent too many wrong ones. If the request fails
    because this token is wrong, it counts as one more.
    """
    check = request.scope.get(GUESS_CHECK_KEY)
    if check is not None:
        check(token)


def _read_token(request: Request, name: str) -> PresentedToken | None:
    _check_origin(request)
    headers = request.headers.getlist("authorization")
    if headers:
        scheme, _, token = headers[0].partition(" ")
        if len(headers) > 1 or scheme.lower() != "bearer" or not token.strip():
            raise ServiceError("unauthorized", say_web("token-header"))
        return PresentedToken(token.strip())
    if name == TABLE_COOKIE and request.headers.get(_AS_HEADER) == "host":
        name = HOST_COOKIE
    cookie = request.cookies.get(name)
    if not cookie:
        return None
    if not _is_safe_method(request):
        require_json(request)
        if "origin" not in request.headers:
            raise ServiceError("forbidden", say_web("origin-missing"))
    return PresentedToken(cookie, cookie=True)


def require_json(request: Request) -> None:
    """Raise ServiceError unless the request's Content-Type is JSON.

    A form on a page of another site cannot send that type.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise ServiceError("invalid", say_web("not-json-type"))


def _is_safe_method(request: Request) -> bool:
    return request.method in {"GET", "HEAD"}


def _check_origin(request: Request) -> None:
    """Raise ServiceError if a page of another site sends a request that changes something."""
    if _is_safe_method(request):
        return
    for name, value in request.headers.raw:
        if name == b"origin" and not _is_same_origin(request, value.decode("latin-1")):
            raise ServiceError("forbidden", say_web("other-origin"))
        if name == b"sec-fetch-site" and value not in {b"same-origin", b"none"}:
            raise ServiceError("forbidden", say_web("other-site"))


def _is_same_origin(request: Request, origin: str) -> bool:
    """Return whether an Origin header names the server to which the request was sent.

    Behind a proxy that ends TLS this server sees http where the browser has https, so an https
    origin is accepted too.
    """
    scheme, sign, place = origin.partition("://")
    if not sign or scheme not in _DEFAULT_PORTS or scheme == "http" != request.url.scheme:
        return False
    sender = _host_and_port(scheme, place)
    own = _host_and_port(scheme, request.headers.get("host", ""))
    return sender is not None and sender == own


def _host_and_port(scheme: str, netloc: str) -> tuple[str, int] | None:
    """Return (host, port) of an address, with the scheme's default port.

    Return None if ``netloc`` is not a host with an optional port.
    """
    try:
        parts = urlsplit(f"//{netloc}")
        port = parts.port or _DEFAULT_PORTS[scheme]
    except ValueError:
        return None
    if parts.hostname is None or parts.netloc != netloc or "@" in netloc:
        return None
    return parts.hostname, port


def table_cookie_header(request: Request, table: str, token: str, name: str = TABLE_COOKIE) -> str:
    """Return the value of the Set-Cookie header for a table's token.

    ``name`` is the cookie's name. An empty token deletes the cookie.
    """
    return cookie_header(request, f"/api/tables/{table}", token, name)


def cookie_header(
    request: Request,
    path: str,
    token: str,
    name: str = TABLE_COOKIE,
    seconds: int = _COOKIE_SECONDS,
) -> str:
    """Return the value of the Set-Cookie header for a token that is sent to one path only.

    An empty token deletes the cookie. The browser stores it for ``seconds`` seconds.
    """
    cookie: SimpleCookie = SimpleCookie({name: token})
    morsel = cookie[name]
    morsel["path"] = path
    morsel["max-age"] = seconds if token else 0
    morsel["httponly"], morsel["samesite"] = True, "Strict"
    if request.url.scheme == "https":
        morsel["secure"] = True
    return morsel.OutputString()
