"""Middleware around every request: checks its Host, adds security headers, reports errors.

Every exception becomes a response: a page for browsers, JSON for programs. No response has status
500. Requests are counted and timed for the metrics, and logged if the operator wants that. Refusals
(429 and 503) and wrong keys are logged once per cause, with a count.
"""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import Collection
from functools import lru_cache
from time import perf_counter
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passline.game.words.web import ERROR_TITLES, say_web
from passline.live.schema import ServiceError
from passline.live.store import StoreError
from passline.live.table_cache import make_store_unavailable
from passline.web.admission import HEALTH_PATHS, WRONG_TOKEN_KEY, RefusedError
from passline.web.metrics import ROUTE_KEY, Metrics
from passline.web.operator_log import RepeatedMessages, access_log
from passline.web.page_templates import render_page
from passline.web.request_limits import client_address, limit_error
from passline.web.responses import (
    ClientDisconnectedError,
    error_code,
    error_response,
    http_status,
    page_response,
)

log = logging.getLogger("passline.web")

#: Pages load scripts, styles and data from this server only, and no other page may frame them.
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
#: The methods that metrics count separately. All others are counted together, so that clients
#: cannot fill the metrics with invented methods.
_KNOWN_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


#: The errors that mean that a store could not serve a request.
_STORE_FAULTS: Final = frozenset({"store-failed", "store-not-written", "store-slow"})


class GuardMiddleware:
    """Checks, counts and times every request of a server, and turns exceptions into responses.

    ``hosts`` are the Host names that the server answers to, None for every name. A server that only
    this machine should use must check them. Otherwise a page of another site could make its name
    resolve to this machine (DNS rebinding) and act like a page of this server.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, hosts: Collection[str] | None) -> None:
        self._app, self._metrics, self._hosts = app, metrics, hosts
        self.repeated = RepeatedMessages(log)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request's Host, pass it to the application, and answer its exceptions.

        Add the security headers to the response, then count and time the request.
        """
        began = perf_counter()
        status, is_stream = 0, False

        async def send_guarded(message: Message) -> None:
            nonlocal status, is_stream
            if message["type"] == "http.response.start":
                status, headers = message["status"], message["headers"]
                own = dict(headers)
                is_stream = own.get(b"content-type", b"").startswith(b"text/event-stream")
                message["headers"] = [
                    *headers,
                    *(pair for pair in _RAW_SECURITY_HEADERS if pair[0] not in own),
                ]
            await send(message)

        try:
            self._check_host(scope)
            await self._app(scope, receive, send_guarded)
        except ClientDisconnectedError:
            return
        except CancelledError:  # The server is stopping and does not wait for this request.
            if not status:
                stopping = ServiceError("unavailable", say_web("stopping"), retry_after=1)
                response = error_page_or_json(Request(scope), stopping)
                await response(scope, receive, send_guarded)
        except Exception as error:
            reported = self._to_service_error(error)
            self._report(Request(scope), reported)
            if isinstance(error, RefusedError) and error.is_answered:
                status = http_status(reported)
            if status:
                return  # Part of the response is out: uvicorn closes the connection.
            response = error_page_or_json(Request(scope), reported)
            if isinstance(error, HTTPException):
                response.headers.update(error.headers or {})
            elif isinstance(error, RefusedError):
                response.headers["Connection"] = "close"
            await response(scope, receive, send_guarded)
        finally:
            seconds = perf_counter() - began
            self._count(scope, status, 0.0 if is_stream else seconds)
            if access_log.isEnabledFor(logging.INFO):
                _log_access(scope, status, seconds)

    def _check_host(self, scope: Scope) -> None:
        if self._hosts is None or scope["path"] in HEALTH_PATHS:
            return
        host = next((value for name, value in scope["headers"] if name == b"host"), b"")
        if parse_host(host.decode("latin-1")) not in self._hosts:
            raise ServiceError(
                "invalid",
                say_web("other-host"),
            )

    def _to_service_error(self, error: Exception) -> ServiceError:
        """Return the ServiceError that reports an exception to the client.

        Count it in the metrics, and log it if it is a fault of the server.
        """
        match error:
            case RefusedError():
                return error.error
            case ServiceError():
                if error.limit in _STORE_FAULTS:
                    self._metrics.add("passline_store_errors_total")
                return error
            case StoreError():
                self._metrics.add("passline_store_errors_total")
                return make_store_unavailable(error)
            case HTTPException():
                return ServiceError(error_code(error.status_code), _route_error_message(error))
            case _:
                self._metrics.add("passline_failures_total")
                log.error("a request failed by a fault of the server", exc_info=error)
                return limit_error("unavailable", "server-failed", 0)

    def _report(self, request: Request, error: ServiceError) -> None:
        """Count and log an error that the operator should know of: a refusal or a wrong key."""
        status, route = http_status(error), request.scope.get(ROUTE_KEY)
        at = f" at {route}" if route else ""  # Some requests are refused before they have a route.
        address = client_address(request)
        if status in (429, 503):
            self._metrics.add("passline_refused_total", limit=error.limit, status=str(status))
            cause = f"{status} {error.message}"
            self.repeated.report(cause, f"{status}{at} for {address}: {error.message}")
        elif request.scope.get(WRONG_TOKEN_KEY):
            self._metrics.add("passline_wrong_tokens_total")
            self.repeated.report("401", f"wrong key or token from {address}{at}")

    def count_refused_connection(self, limit: str, address: str) -> None:
        """Count and log a connection over a limit."""
        self._metrics.add("passline_refused_total", limit=limit, status="connection")
        self.repeated.report(f"connection {limit}", f"connection over a limit ({limit}): {address}")

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _KNOWN_METHODS else "other"
        self._metrics.count_request(scope.get(ROUTE_KEY, "none"), method, str(status), seconds)


def _log_access(scope: Scope, status: int, seconds: float) -> None:
    """Log one request without its query. Paths never contain tokens."""
    client = scope.get("client") or ("", 0)
    path = scope.get("raw_path", scope["path"].encode()).decode("latin-1")
    fields = {"client": client[0], "method": scope["method"], "path": path, "status": status}
    access_log.info(
        "%s %s %s %d %.1f ms",
        *(client[0], scope["method"], path, status, seconds * 1000),
        extra={**fields, "ms": round(seconds * 1000, 1)},
    )


@lru_cache(256)
def parse_host(host: str) -> str:
    """Return the name in a Host header, in lower case, without its port."""
    name, sign, port = host.rpartition(":")
    return (name if sign and port.isdecimal() else host).lower().removesuffix(".")


def error_page_or_json(request: Request, error: ServiceError) -> Response:
    """Return the response for an error: a page if a browser loads a page, otherwise JSON."""
    response = error_response(error)
    # The review of a private table is a page under /api, where the browser sends its cookie.
    is_page = not request.url.path.startswith("/api/") or request.url.path.endswith("/luck")
    if not is_page or "text/html" not in request.headers.get("accept", ""):
        return response
    status = http_status(error)
    title = ERROR_TITLES.get(status, say_web("title.other"))
    message = error.public[:1].upper() + error.public[1:].removesuffix(".") + "."
    page = page_response(request, render_page("error.html", title=title, message=message), status)
    for name in ("retry-after", "www-authenticate"):
        if name in response.headers:
            page.headers[name] = response.headers[name]
    return page


def _route_error_message(error: HTTPException) -> str:
    if error.status_code == 404:
        return say_web("no-page")
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        return say_web("wrong-method", allowed=allowed)
    return str(error.detail)
