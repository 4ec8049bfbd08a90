"""The ASGI applications of ``passline serve`` (App) and ``passline replay`` (ReplayApp)."""

from __future__ import annotations

from asyncio import Task, create_task
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from starlette.types import Receive, Scope, Send

from passline.live.replay.timeline import ReplaySource
from passline.live.service import TableService
from passline.school.answer_log import AnswerStore
from passline.school.audition_attempts import AttemptStore
from passline.school.learner_tokens import LearnerTokens
from passline.web.admission import AdmissionMiddleware
from passline.web.auth import HouseKey
from passline.web.connection_limits import DEFAULT_CONNECTION_LIMITS, ConnectionLimits, Connections
from passline.web.event_streams import Streams
from passline.web.health import OperatorApi, measure_lag
from passline.web.metrics import Metrics
from passline.web.middleware import GuardMiddleware
from passline.web.page_templates import limit_navigation
from passline.web.proxies import Proxies
from passline.web.replay import RecordedGame
from passline.web.request_limits import DiskWatch, OpenCounter, ServerLimits
from passline.web.routes import live_routes, make_router, replay_routes
from passline.web.school.api import SchoolApi
from passline.web.school.auditions import AuditionApi
from passline.web.school.learners import LearnerService
from passline.web.school.shifts import ShiftApi
from passline.web.table_api import TableApi

_DEFAULT_LIMITS: Final = ServerLimits()


class App:
    """Live tables, the school and the pages, as an ASGI application.

    ``hosts`` are the Host names that the server answers to, None for all. ``answers``,
    ``learner_tokens`` and ``attempts`` store the answers, tokens and exams of the school's
    learners; without them nothing is saved. ``limits`` bound what clients may use. ``folder`` is on
    the disk whose free space is watched. ``metrics_key`` reads the metrics, as the house key does.
    ``connection_limits`` are for the sockets of ``connections``, which `web.server.serve` accepts.
    ``proxies`` are the addresses and networks of trusted proxies.
    """

    def __init__(
        self,
        service: TableService,
        house_key: str,
        hosts: Collection[str] | None = None,
        answers: AnswerStore | None = None,
        learner_tokens: LearnerTokens | None = None,
        attempts: AttemptStore | None = None,
        limits: ServerLimits = _DEFAULT_LIMITS,
        folder: Path | None = None,
        metrics_key: str = "",
        connection_limits: ConnectionLimits = DEFAULT_CONNECTION_LIMITS,
        proxies: Proxies | None = None,
    ) -> None:
        self.service, self.metrics = service, Metrics()
        key, disk = HouseKey(house_key), DiskWatch(folder, limits.disk_reserve_mb)
        learners = LearnerService(answers, learner_tokens, service.clock.now)
        self.school = SchoolApi(key, learners)
        opened = OpenCounter("streams", limits.streams, limits.streams_total)
        self.streams = Streams(service, self.metrics, opened)
        self.tables = TableApi(service, key, self.streams, self.metrics, limits)
        self.shifts = ShiftApi(service, self.school, attempts, limits, self.tables.log_budget)
        self.auditions = AuditionApi(self.school, attempts, service.signing_key, self.shifts)
        self._proxies = proxies or Proxies()
        self.connections = Connections(
            connection_limits, self._count_refused, self._proxies.is_trusted
        )
        reads_metrics = HouseKey(metrics_key) if metrics_key else None
        self.operator = OperatorApi(self.tables, disk, reads_metrics, self.connections)
        router = make_router(
            live_routes(self.tables, self.school, self.operator, self.auditions, self.shifts)
        )
        downloads = OpenCounter("downloads", limits.downloads, limits.downloads_total)
        admission = AdmissionMiddleware(
            router, key, disk, downloads, self.connections, reads_metrics
        )
        self.guard = GuardMiddleware(admission, self.metrics, hosts)
        self._app = self._proxies.wrap(self.guard, self.guard.repeated)
        self._lag: Task[None] | None = None

    def start(self) -> None:
        """Begin to measure the delay of the event loop."""
        self._lag = create_task(measure_lag(self.metrics))

    def close(self) -> None:
        """Stop measuring, and log the counts of repeated messages that were not logged yet."""
        if self._lag is not None:
            self._lag.cancel()
        self.guard.repeated.close()

    def _count_refused(self, limit: str, address: str) -> None:
        self.guard.count_refused_connection(limit, address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        if scope["type"] == "http":
            await self._app(scope, receive, send)


class ReplayApp:
    """One finished game as an ASGI application, for a browser on this machine.

    ``record`` is the game as ``.craps`` text; ``log`` is its log as text, None if it has none.
    """

    def __init__(
        self, source: ReplaySource, record: str, log: str | None, hosts: Iterable[str]
    ) -> None:
        game = RecordedGame(source, record, log)
        routes = replay_routes(game)
        self.path, self._paths = game.path, [route.path for route in routes]
        self._guard = GuardMiddleware(make_router(routes), Metrics(), frozenset(hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        if scope["type"] == "http":
            limit_navigation("Game", self._paths)
            await self._guard(scope, receive, send)
