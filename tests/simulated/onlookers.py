"""Those who read: streams that must hold every entry once, views that must hold what was told,
guests whose tokens are withdrawn, and those who send anything at all."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from tests.simulated import spoken_lines
from tests.simulated.network import Connection, Request, json_request
from tests.simulated.servers import KEY

if TYPE_CHECKING:
    from tests.simulated.clients import Table
    from tests.simulated.world import World

JSON = ((b"accept", b"application/json"),)


class Follower:
    """Follows a table's events, and comes back after the last that it heard."""

    def __init__(self, world: World, table: Table, name: str) -> None:
        self.world, self.table, self.name = world, table, name
        self.chance = world.chance(f"{name} at {table.id}")
        self.last = -1
        self.leaves = False

    async def follow(self) -> None:
        """Until it leaves."""
        age = self.world.age
        while not self.leaves:
            if age != self.world.age:
                age, self.last = self.world.age, -1
            await self._once()
            await asyncio.sleep(self.chance.uniform(0.01, 2))

    async def _once(self) -> None:
        headers = ((b"last-event-id", b"%d" % self.last),) if self.last >= 0 else ()
        path = f"{self.table.path}/events"
        server, age = self.world.any_server(self.chance), self.world.age
        await asyncio.sleep(self.world.network.delay())
        stream = server.accept(Request(path=path, headers=headers, token=KEY))
        if stream is None:
            return
        self.world.note(f"{self.name} follows {server.name} after {self.last}")
        rest = b""
        try:
            while True:
                await self._dawdle()
                data = await self._read(stream)
                if not data or age != self.world.age or self.leaves:
                    return
                if self.world.strikes("cut", self.chance):
                    data = data[: self.chance.randrange(len(data))]
                    self._hear(rest + data)
                    return
                rest = self._hear(rest + data)
        finally:
            stream.cut()

    async def _dawdle(self) -> None:
        stalls = self.world.strikes("stall", self.chance)
        await asyncio.sleep(self.chance.choice((5, 45)) if stalls else 0.01)

    async def _read(self, stream: Connection) -> bytes:
        """What comes; a stream that is silent for longer than its comments is dead."""
        try:
            async with asyncio.timeout(40):
                return await stream.read()
        except TimeoutError:
            self.world.wrong(f"{self.name}: a stream said nothing for 40 seconds")
            return b""

    def _hear(self, data: bytes) -> bytes:
        """Take in whole events; what is left of the last."""
        *events, rest = data.split(b"\n\n")
        for event in events:
            lines = dict(line.split(b": ", 1) for line in event.split(b"\n") if line[:1] != b":")
            if lines.get(b"event") == b"entry":
                self._entry(lines)
        return rest

    def _entry(self, lines: dict[bytes, bytes]) -> None:
        entry = self.world.model.hear(self.table.id, lines[b"data"])
        seq = int(lines[b"id"])
        if seq != self.last + 1 or seq != entry["seq"]:
            self.world.wrong(f"{self.name} heard {seq} ({entry['seq']}) after {self.last}")
        self.last = seq
        self.world.note(f"{self.name} hears {seq}")


async def look_on(world: World, table: Table, chance: Random) -> None:
    """Read the table now and then: everything is there that was told before."""
    for _ in range(4):
        await asyncio.sleep(chance.uniform(0, 8))
        await look(world, table, chance)


async def look(world: World, table: Table, chance: Random) -> None:
    """Read it once, in one of the ways that there are."""
    model, age = world.model, world.age
    floor = model.floor.get(table.id, -1)
    what = chance.choice(("view", "events", "log", "record", "lobby"))
    path = {"view": table.path, "lobby": "/api/tables"}.get(what, f"{table.path}/{what}")
    after = chance.randrange(-1, max(0, floor) + 1)
    headers, query = (JSON, b"after=%d" % after) if what == "events" else ((), b"")
    request = Request(path=path, query=query, headers=headers, token=KEY)
    reply = await world.network.ask("looker", world.any_server(chance), request)
    if reply is None or reply.status != 200 or age != world.age:
        return
    if what == "view":
        told = reply.json
        last = told["seq"]
        if model.told.setdefault((table.id, last), told["head"]) != told["head"]:
            world.wrong(f"a view's head {last} is another entry")
    elif what in ("events", "log"):
        start = after if what == "events" else -1
        last = _page(world, table, reply.body, start, what)
    else:
        return
    if last < floor:
        world.wrong(f"a read ({what}) shows {last}, and {floor} was acknowledged before it")


def _page(world: World, table: Table, body: bytes, after: int, what: str) -> int:
    entries: list[Any]
    if what == "log":
        entries = [msgspec.json.decode(line) for line in body.splitlines()]
    else:
        entries = msgspec.json.decode(body)["entries"]
    for entry in entries:
        if entry["seq"] != after + 1:
            world.wrong(f"a page ({what}) has {entry['seq']} after {after}")
        after = entry["seq"]
        world.model.hear(table.id, msgspec.json.encode(entry))
    return after


async def guest(world: World, table: Table) -> None:
    """Somebody is given a token, reads with it, and has it withdrawn: it speaks no more."""
    from tests.simulated.clients import Voice

    voice = Voice(world, table, "host", KEY)
    who = {"role": "surveillance", "name": "gus"}
    path = f"{table.path}/tokens"
    for _ in range(2):
        age = world.age
        reply = await voice.insist(json_request("POST", path, who, KEY))
        if reply.status != 201:
            world.wrong(f"no invitation: {reply}")
            return
        reads = Request(path=table.path, token=reply.json["token"])
        before = await voice.insist(reads)
        await asyncio.sleep(voice.chance.uniform(0, 5))
        gone = await voice.insist(json_request("DELETE", path, who, KEY))
        after = await voice.insist(reads)
        # A withdrawal that comes twice may take away what was given between.
        if age == world.age and after.status != 401:
            world.wrong(f"a withdrawn token reads: {before.status} {gone} {after}")


async def vandal(world: World, table: Table) -> None:
    """Anything at all, to anywhere: never a 500."""
    chance = world.chance(f"vandal at {table.id}")
    tokens = ("", "x", KEY, *table.tokens.values())
    ends = ("", "/say", "/seats", "/tokens", "/events", "/cookie", "/record", "/nowhere", "/log")
    for _ in range(8):
        await asyncio.sleep(chance.uniform(0, 2))
        body = spoken_lines.garbage(chance)
        cut = chance.randrange(len(body) + 1)
        request = Request(
            method=chance.choice(("POST", "POST", "POST", "GET", "DELETE", "PUT", "HEAD", "ODD")),
            path=chance.choice((table.path, "/api/tables", "/api/tables/none"))
            + chance.choice(ends),
            query=chance.choice((b"", b"after=x", b"after=-1", b"after=99999999", b"%ff")),
            token=chance.choice(tokens),
            headers=(
                (b"content-type", chance.choice((b"application/json", b"text/plain", b"\xff"))),
                *chance.choice((JSON, ((b"last-event-id", b"\xff"),), ((b"origin", b"null"),))),
            ),
            parts=(body[:cut], body[cut:]),
        )
        if request.path.endswith("/events") and request.method == "GET":
            request = msgspec.structs.replace(request, headers=JSON)
        await world.network.ask("vandal", world.any_server(chance), request)
