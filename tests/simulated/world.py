"""A world: servers, a network, a disk and people, from the opening of its tables to the audit."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from hashlib import sha256
from random import Random
from typing import Any

from msgspec import Struct

from tests.simulated import checks, events
from tests.simulated.clients import People
from tests.simulated.clock import Clock, Loop, OverError, numbered
from tests.simulated.disk import Disk, ShelfDisk
from tests.simulated.files import SqliteDisk
from tests.simulated.model import Model
from tests.simulated.network import Network, Reply, Request
from tests.simulated.plan import Plan, planned
from tests.simulated.servers import Server

#: A world in which so much went wrong is told of as it is.
ENOUGH = 5


class Outcome(Struct, frozen=True):
    """What came of a seed: a digest of all that happened, and what went wrong."""

    seed: int
    digest: str
    wrong: tuple[str, ...]
    entries: int
    requests: int
    trace: tuple[str, ...] = ()


class World:
    """Everything that there is."""

    def __init__(self, plan: Plan, loop: Loop, traced: bool) -> None:
        self.plan, self.loop = plan, loop
        self.digest, self.trace, self._traced = sha256(), [""][:0], traced
        self.problems: list[str] = []
        self.requests = numbered()
        self.calm = self.ending = False
        #: How often the store was restored: what was heard before does not hold after it.
        self.age = 0
        self.clock = Clock(loop)
        #: How far the clock of a machine is ahead when a server starts there.
        self.set_ahead = 0.0
        self.model = Model(self)
        self.disk: Disk = (
            SqliteDisk(self) if plan.disk == "sqlite" else ShelfDisk(self, plan.disk == "shared")
        )
        self.network = Network(self)
        self.servers: list[Server] = []
        #: Nobody starts servers now; which of them are told of a restore when they start.
        self.away = False
        self.tells: set[int] = set()
        self._names = numbered()
        self._tasks: dict[asyncio.Task[Any], None] = {}
        self.entries = 0

    # Chance and what is noted of it all

    def chance(self, name: str) -> Random:
        """Chance of somebody's own."""
        return Random(f"{self.plan.seed} {name}")

    def strikes(self, fault: str, chance: Random) -> bool:
        """Whether a fault strikes now."""
        odds = self.plan.faults.get(fault)
        return odds is not None and not self.calm and chance.random() < odds

    def note(self, what: str) -> None:
        """Something happened."""
        line = f"{self.loop.time():10.4f} {what}".encode("unicode_escape")
        self.digest.update(line)
        if self._traced:
            self.trace.append(line.decode())

    def wrong(self, what: str) -> None:
        """Something is not as it was promised."""
        self.note(f"WRONG: {what}")
        self.problems.append(what)
        if len(self.problems) >= ENOUGH and not self.ending:
            self.loop.end()

    def replied(self, request: Request, reply: Reply) -> None:
        """What holds for every answer."""
        self.model.replied(request, reply)

    # Servers

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Have something done beside everything else."""
        task = self.loop.create_task(work)
        self._tasks[task] = None
        task.add_done_callback(lambda task: self._tasks.pop(task, None))
        return task

    def any_server(self, chance: Random) -> Server:
        """One of the servers, there or not."""
        return chance.choice(self.servers)

    async def start(self, place: int | None = None, restored: bool = False) -> None:
        """Start a server, another or in the place of one that is gone."""
        server = Server(self, f"s{next(self._names)}", restored)
        if place is None:
            self.servers.append(server)
        else:
            self.servers[place] = server
        await server.start()

    async def heal(self) -> None:
        """No fault strikes any more, and every server is there."""
        self.calm = True
        self.disk.full = False
        self.note("calm")
        await self._all_up()

    async def _all_up(self) -> None:
        while not all(server.up for server in self.servers):
            await asyncio.sleep(0.5)

    # From the beginning to the end

    async def run(self) -> None:
        """Everything."""
        for _ in range(self.plan.servers):
            await self.start()
        looks = self.spawn(events.look_after(self))
        await self._all_up()
        people = People(self)
        await people.open_tables()
        troubles = self.spawn(events.happen(self))
        playing = [self.spawn(work) for work in people.work()]
        await asyncio.sleep(self.plan.length)
        await troubles
        await self.heal()
        await self._finish(playing, "a client's lines are not all answered")
        await people.go_on()
        await checks.of_servers(self, people)
        people.leave()
        looks.cancel()
        for server in self.servers:
            await server.stop()
        await asyncio.sleep(30)  # what was sent twice has come by then
        checks.of_logs(self, people, await self.disk.logs())

    async def _finish(self, tasks: list[asyncio.Task[None]], what: str) -> None:
        done, late = await asyncio.wait(tasks, timeout=300)
        if late:
            self.wrong(f"{what} within five minutes of calm: {len(late)}")
        for task in done:
            if task.exception() is not None:
                raise task.exception()  # type: ignore[misc]

    async def end(self) -> None:
        """Let nothing be left."""
        for server in self.servers:
            server.kill("ends")
            await asyncio.gather(*list(server.tasks), return_exceptions=True)
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def _small(limits: dict[str, int]) -> Iterator[None]:
    """The server's limits as the plan has them."""
    before: list[tuple[Any, str, Any]] = []
    for path, value in limits.items():
        module, _, name = path.rpartition(".")
        place = importlib.import_module(module)
        before.append((place, name, getattr(place, name)))
        setattr(place, name, value)
    try:
        yield
    finally:
        for place, name, value in before:
            setattr(place, name, value)


def run(seed: int, traced: bool = False, plan: Plan | None = None) -> Outcome:
    """One world."""
    plan = plan or planned(seed)
    pace = Random(f"{seed} threads")
    loop = Loop(lambda: pace.uniform(0.0002, 0.004) * plan.slow)
    asyncio.set_event_loop(loop)
    world = World(plan, loop, traced)
    world.note(str(plan))
    try:
        with _small(plan.small):
            try:
                loop.run_until_complete(world.run())
            except OverError:
                pass
            except Exception as wrong:
                world.wrong(f"the world ends: {wrong!r}")
            loop.tidy()
            world.ending = True
            loop.run_until_complete(world.end())
        for unheard in loop.unheard:
            world.wrong(unheard)
    finally:
        world.disk.close()
        loop.run_until_complete(loop.shutdown_asyncgens())
        asyncio.set_event_loop(None)
        loop.close()
    return Outcome(
        seed,
        world.digest.hexdigest(),
        tuple(world.problems),
        world.entries,
        next(world.requests) - 1,
        tuple(world.trace),
    )
