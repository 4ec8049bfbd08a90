"""What is told of a request that is not carried out: a page to whoever reads pages, else JSON.

What holds for every request: its host is ours, its answer is guarded, nothing ends in a 500.
"""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import Collection
from functools import lru_cache
from html import escape
from time import perf_counter
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passline.live.requests import ServiceError
from passline.live.store import StoreError
from passline.web.metrics import Metrics
from passline.web.page_layout import find_home_label, link, render_page
from passline.web.responses import (
    ClientDisconnectedError,
    error_code,
    error_response,
    http_status,
    page_response,
)
from passline.web.routes import ROUTE_KEY

_ERROR_TITLES: Final = {
    400: "That cannot be read",
    401: "By invitation",
    403: "Not yours to do",
    404: "Nothing here",
    405: "Not this way",
    429: "One moment",
    503: "Not now",
}


def error_page_or_json(request: Request, wrong: ServiceError) -> Response:
    """The answer to a request that is not carried out."""
    answer = error_response(wrong)
    if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        return answer
    page = page_response(request, _error_page(wrong), http_status(wrong))
    for name in ("retry-after", "www-authenticate"):
        if name in answer.headers:
            page.headers[name] = answer.headers[name]
    return page


def _error_page(wrong: ServiceError) -> str:
    head = _ERROR_TITLES.get(http_status(wrong), "That did not work")
    words = (wrong.message[:1].upper() + wrong.message[1:]).rstrip(".")
    first = find_home_label().lower()
    where = f"From here: {link('/', f'the {first}')}, or {link('/docs', 'the docs')}."
    return render_page(
        head, f"<h1>{head}</h1>\n<p>{escape(words)}.</p>\n<p>{where}</p>"
    )


log = logging.getLogger("passline.web")

#: Scripts, styles and everything else come from here or not at all; nobody frames us.
_CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": _CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_RAW_SECURITY_HEADERS: Final = [
    (name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()
]
#: Methods that there are: others are counted together, so that nobody fills the metrics.
_KNOWN_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


@lru_cache(256)
def parse_host(host: str) -> str:
    """The name in a Host header, without its port."""
    name, sign, port = host.rpartition(":")
    return (name if sign and port.isdecimal() else host).lower().removesuffix(".")


class GuardMiddleware:
    """Stands before the routes.

    ``hosts`` are the names that a server on this machine's own address answers to: a page
    elsewhere whose name is made to lead here is no page of ours. None: every name.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, hosts: Collection[str] | None) -> None:
        self._app, self._metrics, self._hosts = app, metrics, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        began = perf_counter()
        status, streams = 0, False

        async def guarded(message: Message) -> None:
            nonlocal status, streams
            if message["type"] == "http.response.start":
                status, headers = message["status"], message["headers"]
                given = dict(headers)
                streams = given.get(b"content-type", b"").startswith(b"text/event-stream")
                message["headers"] = [
                    *headers,
                    *(pair for pair in _RAW_SECURITY_HEADERS if pair[0] not in given),
                ]
            await send(message)

        try:
            self._check_host(scope)
            await self._app(scope, receive, guarded)
        except ClientDisconnectedError:
            return
        except CancelledError:  # the server ends, and waits no longer
            if not status:
                late = ServiceError("unavailable", "the server is ending", retry_after=1)
                await error_page_or_json(Request(scope), late)(scope, receive, guarded)
        except Exception as wrong:
            told = self._told(wrong)
            if status:
                return  # half an answer is out: the server cuts it off
            answer = error_page_or_json(Request(scope), told)
            if isinstance(wrong, HTTPException):
                answer.headers.update(wrong.headers or {})
            await answer(scope, receive, guarded)
        finally:
            self._count(scope, status, 0.0 if streams else perf_counter() - began)

    def _check_host(self, scope: Scope) -> None:
        if self._hosts is None:
            return
        host = next((value for name, value in scope["headers"] if name == b"host"), b"")
        if parse_host(host.decode("latin-1")) not in self._hosts:
            raise ServiceError(
                "invalid", "no such host here: ask by the address that the server gave"
            )

    def _told(self, wrong: Exception) -> ServiceError:
        """What is said of something that went wrong, whatever it was."""
        match wrong:
            case ServiceError():
                if wrong.code == "unavailable":
                    self._metrics.add("passline_store_errors_total")
                return wrong
            case StoreError():
                self._metrics.add("passline_store_errors_total")
                log.error("the store: %s", wrong)
                return ServiceError(
                    "unavailable", f"the store cannot be used now: {wrong}", retry_after=1
                )
            case HTTPException():
                return ServiceError(error_code(wrong.status_code), _route_error_message(wrong))
            case _:
                self._metrics.add("passline_failures_total")
                log.error("a fault of the server's own", exc_info=wrong)
                return ServiceError(
                    "unavailable",
                    "the server failed here: the same request, with its id, may be sent again",
                )

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        route = scope.get(ROUTE_KEY, "none")
        method = scope["method"] if scope["method"] in _KNOWN_METHODS else "other"
        self._metrics.request(route, method, str(status), seconds)


def _route_error_message(wrong: HTTPException) -> str:
    """What is said where there is no such route, or no such method for it."""
    match wrong.status_code:
        case 404:
            return "there is nothing at this address: /docs/protocol says what there is"
        case 405:
            allowed = sorted((wrong.headers or {}).get("Allow", "").split(", "))
            return f"not by this method: expected {', '.join(allowed)}"
        case _:
            return str(wrong.detail)
