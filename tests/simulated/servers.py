"""Servers: the real service and application, started, stopped and killed."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from passline.live.dice_proofs import Sealer
from passline.live.schema import ServiceError
from passline.live.service import TableService
from passline.live.store import Store, StoreError
from passline.web.app import App
from passline.web.request_limits import RateLimiter
from tests.simulated.clock import SERVER, Clock
from tests.simulated.network import Connection, Request

if TYPE_CHECKING:
    from tests.simulated.world import World

KEY = "the-house-key-of-these-tests"


class Server:
    """One run of ``passline serve``, from its start to its end; the next is another."""

    def __init__(self, world: World, name: str, restored: bool = False) -> None:
        self.world, self.name = world, name
        self.clock = Clock(world.loop)
        self.clock.ahead = world.set_ahead
        self.up = self.dead = False
        self.tasks: dict[asyncio.Task[Any], None] = {}
        self.connections: dict[Connection, None] = {}
        self.store: Store | None = None
        self.service: TableService | None = None
        self.app: App | None = None
        self._restored = restored
        self._context = contextvars.copy_context()
        self._context.run(SERVER.set, self)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Have this server do something."""
        return self.world.loop.create_task(work, context=self._context)

    async def start(self) -> None:
        """Start, as ``passline serve`` does; it ends where the store cannot be opened."""
        self.world.note(f"{self.name} starts{' restored' if self._restored else ''}")
        try:
            await self.spawn(self._start())
        except asyncio.CancelledError:
            if not self.dead:
                self.kill("ended")
                raise
        except (StoreError, ServiceError) as wrong:
            self.world.note(f"{self.name} does not start: {wrong}")
            self.kill("ended")

    async def _start(self) -> None:
        self.store = await self.world.disk.opened(self)
        chance = self.world.chance(f"secrets of {self.name}").randbytes
        service = TableService(self.store, Sealer(bytes(32)), self.clock, chance, self._restored)
        self.service = service
        await service.start()
        app = App(service, KEY, {"127.0.0.1"})
        app.tables.line_limiter = RateLimiter(clock=self.world.loop.time)
        self.app, self.up = app, True
        self.world.note(f"{self.name} is up")

    async def stop(self) -> None:
        """SIGTERM: finish what was taken, say goodbye, and end within five seconds."""
        if not self.up:
            return
        self.world.note(f"{self.name} stops")
        self.up = False
        begun = self.world.loop.time()
        try:
            await self.spawn(self._stop())
        except asyncio.CancelledError:
            if not self.dead:
                raise
        if not self.dead and self.world.loop.time() - begun > 5:
            self.world.wrong(f"{self.name} took more than five seconds to stop")
        self.kill("stopped")

    async def _stop(self) -> None:
        assert self.app is not None
        assert self.service is not None
        assert self.store is not None
        await self.app.streams.stop()
        for _ in range(20):  # uvicorn gives what was taken two seconds
            if self.connections:
                await asyncio.sleep(0.1)
        await self.service.stop()
        await self.store.close(2.0)

    def kill(self, how: str = "is killed") -> None:
        """kill -9: nothing that it does from now on reaches anybody."""
        if self.dead:
            return
        self.world.note(f"{self.name} {how}")
        self.up, self.dead = False, True
        self.world.disk.died(self)
        for connection in list(self.connections):
            connection.cut()
        for task in list(self.tasks):
            task.cancel()
        if self.app is not None:
            failed = sum(self.app.metrics._counts["passline_failures_total"].values())
            if failed:
                self.world.wrong(f"{self.name} failed {failed} times by a fault of its own")

    def accept(self, request: Request) -> Connection | None:
        """Take a request, if the server is there."""
        if not self.up:
            return None
        connection = Connection(request)
        self.connections[connection] = None
        self.spawn(self._answer(connection))
        return connection

    async def _answer(self, connection: Connection) -> None:
        assert self.app is not None
        scope = {**connection.request.scope(), "state": {"wire": connection}}
        try:
            await self.app(scope, connection.receive, connection.send)  # type: ignore[arg-type]
        except asyncio.CancelledError:
            connection.cut()
            raise
        except Exception as wrong:
            self.world.wrong(f"{self.name}: a 500 for {connection.request}: {wrong!r}")
        finally:
            self.connections.pop(connection, None)
        if not (connection.status or connection.lost):
            self.world.wrong(f"{self.name}: no answer to {connection.request}")
        connection.cut()
