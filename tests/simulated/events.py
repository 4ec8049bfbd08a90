"""What happens to a world at times of its own: kills, stops, full disks, clocks, restores."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from passline.live.store import decode_row
from passline.live.stores.memory import MemoryDisk
from tests.simulated.disk import ShelfDisk

if TYPE_CHECKING:
    from tests.simulated.world import World


async def happen(world: World) -> None:
    """Everything that the plan has."""
    chance = world.chance("events")
    begun = world.loop.time()
    for at, what in world.plan.events:
        await asyncio.sleep(max(0.0, begun + at - world.loop.time()))
        place = chance.randrange(len(world.servers))
        server = world.servers[place]
        if what == "kill":
            server.kill()
        elif what == "stop":
            await server.stop()
        elif what == "full":
            world.spawn(_full(world, chance.uniform(1, 15)))
        elif what == "jump":
            server.clock.ahead = chance.choice((-30.0, -2.0, 0.0, 1.0, 45.0))
            world.note(f"{server.name}'s clock is {server.clock.ahead:+} s")
        elif what == "set":
            world.set_ahead = chance.choice((-86_400.0, 86_400.0))
            world.note(f"the clock is set {world.set_ahead:+} s off")
            server.kill()
            await asyncio.sleep(chance.uniform(5, 30))
            world.set_ahead = 0.0
            world.note("the clock is set right")
            world.servers[place].kill()
        elif isinstance(world.disk, ShelfDisk):
            backup = world.disk.backup()
            world.note("a backup is made")
            await asyncio.sleep(chance.uniform(1, 10))
            await _restored(world, world.disk, backup, what)


async def look_after(world: World) -> None:
    """Start servers that ended again, in a while; after a restore they are told of it."""
    chance = world.chance("supervisor")
    while True:
        for place, server in enumerate(world.servers):
            if server.dead and not world.away:
                await world.start(place, place in world.tells)
                if world.servers[place].up:
                    world.tells.discard(place)
        await asyncio.sleep(0.5 if world.calm else chance.uniform(0.2, 3))


async def _full(world: World, seconds: float) -> None:
    world.note("the disk is full")
    world.disk.full = True
    await asyncio.sleep(seconds)
    world.disk.full = False
    world.note("the disk has room")


async def _restored(world: World, disk: ShelfDisk, backup: MemoryDisk, what: str) -> None:
    """The store is lost, and its backup put in place.

    The servers are told so as they start, or not ("unsaid"), or go on meanwhile ("replaced").
    """
    if what != "replaced":
        world.away = True
        for server in world.servers:
            server.kill()
        await asyncio.sleep(1)
    heads = {table: len(log) - 1 for table, log in backup.logs.items()}
    secrets: dict[str, tuple[str, int]] = {}
    for table, log in disk.memory_disk.logs.items():
        throws = 0
        for seq, row in enumerate(log):
            entry = decode_row(row, table)
            if entry.fair is None:
                continue
            if seq > heads.get(table, -1):
                secrets[entry.fair.secret] = (table, throws)
            throws += 1
    disk.replace(backup)
    world.age += 1
    world.note(f"the store is restored ({what}): {heads}")
    world.model.rewound(heads, secrets)
    if what == "restore":
        world.tells = set(range(len(world.servers)))
    world.away = False
