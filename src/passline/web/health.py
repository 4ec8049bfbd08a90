"""What operators ask a server: whether it is alive, whether it can write, and its metrics."""

from __future__ import annotations

import os
import sys
from asyncio import CancelledError, Lock, get_running_loop, sleep, timeout
from pathlib import Path
from time import monotonic, process_time, time
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from passline.game.words.web import say_web
from passline.live.schema import ServiceError
from passline.live.service import TableService
from passline.live.store import StoreError
from passline.version import VERSION
from passline.web.admission import VALID_TOKEN_KEY
from passline.web.auth import HouseKey, find_token
from passline.web.connection_limits import Connections
from passline.web.metrics import Metrics
from passline.web.request_limits import DiskWatch, limit_error
from passline.web.responses import json_response
from passline.web.table_api import TableApi

if sys.platform != "win32":
    import resource

#: Seconds for which the result of one write to the store is reused, and that the write may take.
_READY_SECONDS: Final = 1.0
_CHECK_SECONDS: Final = 3.0
#: Seconds between two measurements of the event loop's delay.
_LAG_SECONDS: Final = 0.5
_DESCRIPTORS: Final = Path("/proc/self/fd")


class Readiness:
    """Finds out whether an entry could be written now.

    It writes to the store at most once a second, however many clients ask.
    """

    def __init__(self, service: TableService, disk: DiskWatch) -> None:
        self._service, self._disk = service, disk
        self._lock = Lock()
        self._checked_at = -1.0
        self._error: ServiceError | None = None

    async def check(self) -> None:
        """Raise ServiceError (``unavailable``) if no log entry could be written now."""
        if self._service.stopping.is_set():
            raise limit_error("unavailable", "stopping", 5)
        self._disk.check()
        async with self._lock:
            if not 0 <= monotonic() - self._checked_at < _READY_SECONDS:
                self._error = await self._try_store()
                self._checked_at = monotonic()
        if self._error is not None:
            raise self._error

    async def _try_store(self) -> ServiceError | None:
        try:
            async with timeout(_CHECK_SECONDS):
                await self._service.store.check_writable()
                await self._service.store.check_not_emptied()
        except TimeoutError:
            return limit_error("unavailable", "store-slow", 5, seconds=_CHECK_SECONDS)
        except StoreError as error:
            return ServiceError(
                "unavailable",
                say_web("store-not-written", error=error),
                retry_after=5,
                public=say_web("store-closed"),
                limit="store-not-written",
            )
        return None


class OperatorApi:
    """The handlers of ``/healthz``, ``/readyz`` and ``/metrics``.

    ``metrics_key`` reads the metrics and nothing else. If it is None, only the house key reads
    them.
    """

    def __init__(
        self,
        tables: TableApi,
        disk: DiskWatch,
        metrics_key: HouseKey | None = None,
        connections: Connections | None = None,
    ) -> None:
        self._tables, self._disk, self._metrics_key = tables, disk, metrics_key
        self._connections = connections
        self._readiness = Readiness(tables.service, disk)

    async def health(self, request: Request) -> Response:
        """``GET /healthz``: report that the server is alive. It does not use the store."""
        at = self._tables.service.clock.now().isoformat()
        return json_response({"ok": True, "version": VERSION, "at": at})

    async def ready(self, request: Request) -> Response:
        """``GET /readyz``: report that an entry could be written now. Raise ServiceError if not."""
        await self._readiness.check()
        return json_response({"ok": True, "version": VERSION})

    async def show_metrics(self, request: Request) -> Response:
        """``GET /metrics``: the metrics as text, for the metrics key or the house key."""
        token = find_token(request)
        if token is None or self._metrics_key is None or not self._metrics_key.matches(token.token):
            await self._tables.require_operator(request)
        request.scope[VALID_TOKEN_KEY] = True
        metrics, service = self._tables.metrics, self._tables.service
        commits = service.store.writer.batch_sizes
        metrics.set("passline_commits_total", sum(commits.values()))
        metrics.set("passline_appends_total", sum(n * of for n, of in commits.items()))
        metrics.set("passline_tables", len(service.tables.all()))
        for kind, count in self._connections.counts().items() if self._connections else ():
            metrics.set("passline_connections", count, kind=kind)
        set_process_metrics(metrics, self._disk)
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4")


async def measure_lag(metrics: Metrics) -> None:
    """Measure how late the event loop runs its tasks, until this task is cancelled.

    The metrics get the last delay and the longest one of the last minute, in seconds.
    """
    loop, longest, since = get_running_loop(), 0.0, monotonic()
    try:
        while True:
            due = loop.time() + _LAG_SECONDS
            await sleep(_LAG_SECONDS)
            lag = max(0.0, loop.time() - due)
            if monotonic() - since > 60:
                longest, since = 0.0, monotonic()
            longest = max(longest, lag)
            metrics.set("passline_loop_lag_seconds", round(lag, 6))
            metrics.set("passline_loop_lag_longest_seconds", round(longest, 6))
    except CancelledError:
        return


_STARTED: Final = time()


def count_open_files() -> int:
    """Return how many files and sockets this process has open, or 0 if the system does not say."""
    try:
        return len(os.listdir(_DESCRIPTORS))
    except OSError:
        return 0


def file_limit() -> int:
    """Return how many files this process may open, or 0 if the system does not say."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] if sys.platform != "win32" else 0


def set_process_metrics(metrics: Metrics, disk: DiskWatch) -> None:
    """Set the metrics of the process and the disk, under the names that Prometheus uses."""
    metrics.set("process_cpu_seconds_total", round(process_time(), 3))
    metrics.set("process_start_time_seconds", round(_STARTED, 3))
    metrics.set("process_resident_memory_bytes", _resident_bytes())
    metrics.set("process_open_fds", count_open_files())
    metrics.set("process_max_fds", file_limit())
    if (free := disk.free_bytes()) >= 0:
        metrics.set("passline_disk_free_bytes", free)
        metrics.set("passline_disk_reserve_bytes", disk.reserve)


def _resident_bytes() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
