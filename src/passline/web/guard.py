"""What holds for every request: its host is ours, its answer is guarded, nothing ends in a 500."""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import Collection
from functools import lru_cache
from time import perf_counter
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passline.live import StoreError
from passline.live.asks import HallError
from passline.web.answers import GoneError
from passline.web.metrics import Metrics
from passline.web.refusing import told_to

log = logging.getLogger("passline.web")

#: Scripts, styles and everything else come from here or not at all; nobody frames us.
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_RAW: Final = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
#: Methods that there are: others are counted together, so that nobody fills the metrics.
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


@lru_cache(256)
def host_name(host: str) -> str:
    """The name in a Host header, without its port."""
    name, sign, port = host.rpartition(":")
    return (name if sign and port.isdecimal() else host).lower().removesuffix(".")


class WebGuard:
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
                message["headers"] = [*headers, *(pair for pair in _RAW if pair[0] not in given)]
            await send(message)

        scope["app"] = self  # so that unknown routes and methods are raised, not answered
        try:
            self._check_host(scope)
            await self._app(scope, receive, guarded)
        except GoneError:
            return
        except CancelledError:  # the server ends, and waits no longer
            if not status:
                late = HallError(503, "the server is ending", retry_after=1)
                await told_to(Request(scope), late)(scope, receive, guarded)
        except Exception as wrong:
            told = self._told(wrong)
            if status:
                return  # half an answer is out: the server cuts it off
            answer = told_to(Request(scope), told)
            if isinstance(wrong, HTTPException):
                answer.headers.update(wrong.headers or {})
            await answer(scope, receive, guarded)
        finally:
            status = status or scope.get("answered", 0)
            self._count(scope, status, 0.0 if streams else perf_counter() - began)

    def _check_host(self, scope: Scope) -> None:
        if self._hosts is None:
            return
        host = next((value for name, value in scope["headers"] if name == b"host"), b"")
        if host_name(host.decode("latin-1")) not in self._hosts:
            raise HallError(400, "no such host here: ask by the address that the server gave")

    def _told(self, wrong: Exception) -> HallError:
        """What is said of something that went wrong, whatever it was."""
        match wrong:
            case HallError():
                if wrong.status == 503:
                    self._metrics.add("passline_store_errors_total")
                return wrong
            case StoreError():
                self._metrics.add("passline_store_errors_total")
                log.error("the store: %s", wrong)
                return HallError(503, f"the store cannot be used now: {wrong}", retry_after=1)
            case HTTPException():
                return HallError(wrong.status_code, _of_route(wrong))
            case _:
                self._metrics.add("passline_failures_total")
                log.error("a fault of the server's own", exc_info=wrong)
                return HallError(
                    503, "the server failed here: the same request, with its id, may be sent again"
                )

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("endpoint"), "__name__", "none")
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self._metrics.request(route, method, str(status), seconds)


def _of_route(wrong: HTTPException) -> str:
    """What is said where there is no such route, or no such method for it."""
    match wrong.status_code:
        case 404:
            return "there is nothing at this address: /docs/protocol says what there is"
        case 405:
            allowed = sorted((wrong.headers or {}).get("Allow", "").split(", "))
            return f"not by this method: expected {', '.join(allowed)}"
        case _:
            return str(wrong.detail)
