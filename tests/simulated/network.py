"""A simulated network: requests and answers that are late, lost, doubled or cut.

A connection is what uvicorn would hand to the application: the real routes answer it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from tests.simulated.servers import Server
    from tests.simulated.world import World

#: Bytes that lie between a server and a client before the server has to wait.
ROOM = 16 * 1024
HOST = b"127.0.0.1:7117"


class Request(Struct, frozen=True, kw_only=True):
    """What is asked. ``parts``: its body, as it comes in pieces."""

    method: str = "GET"
    path: str
    query: bytes = b""
    token: str = ""
    headers: tuple[tuple[bytes, bytes], ...] = ()
    parts: tuple[bytes, ...] = ()

    def scope(self) -> dict[str, Any]:
        """The request as ASGI has it."""
        headers = [(b"host", HOST), *self.headers]
        if self.token:
            headers.append((b"authorization", b"Bearer " + self.token.encode()))
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": self.method,
            "scheme": "http",
            "path": self.path,
            "raw_path": self.path.encode("utf-8", "surrogatepass"),
            "query_string": self.query,
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 7117),
        }

    def __str__(self) -> str:
        body = b"".join(self.parts)[:90].decode("utf-8", "replace")
        return f"{self.method} {self.path}{'?' if self.query else ''}{self.query.decode()} {body}"


def json_request(method: str, path: str, body: object = None, token: str = "") -> Request:
    """A request with JSON, if it has a body."""
    if body is None:
        return Request(method=method, path=path, token=token)
    kind = ((b"content-type", b"application/json"),)
    parts = (msgspec.json.encode(body),)
    return Request(method=method, path=path, token=token, headers=kind, parts=parts)


class Reply(Struct, frozen=True):
    """What came back, whole."""

    status: int
    body: bytes

    @property
    def json(self) -> Any:
        """Its JSON."""
        return msgspec.json.decode(self.body)

    def __str__(self) -> str:
        return f"{self.status} {self.body[:260].decode('utf-8', 'replace')}"


class Connection:
    """One request at one server, and the answer on its way."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.status = 0
        self.whole = False
        self.lost = False
        self._coming: list[bytes] = []
        self._all_came = not request.parts
        self._begun = False
        self._buffer = bytearray()
        self._news, self._room = asyncio.Event(), asyncio.Event()

    # The client's end.

    def give(self, part: bytes, last: bool) -> None:
        """A piece of the body comes."""
        self._coming.append(part)
        self._all_came = last
        self._stir()

    def cut(self) -> None:
        """Nobody is there any more, on one of the ends."""
        self.lost = True
        self._stir()

    async def read(self) -> bytes:
        """What came since; nothing, once there is no more."""
        while not (self._buffer or self.whole or self.lost):
            await self._wait()
        data = bytes(self._buffer)
        self._buffer.clear()
        self._stir()
        return data

    async def save_answer(self) -> Reply | None:
        """The whole answer, taken as it comes; None where not all of it does."""
        body = b""
        while data := await self.read():
            body += data
        return Reply(self.status, body) if self.whole else None

    def _stir(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def _wait(self) -> None:
        await self._news.wait()

    # The server's end, as uvicorn has it: who is gone is told by receive, and sent nothing.

    async def receive(self) -> dict[str, Any]:
        """What the application hears."""
        while not (self._coming or self.lost or self.whole):
            if self._all_came and not self._begun:
                break
            await self._wait()
        if self.lost or self.whole:
            return {"type": "http.disconnect"}
        self._begun = True
        part = self._coming.pop(0) if self._coming else b""
        more = bool(self._coming) or not self._all_came
        return {"type": "http.request", "body": part, "more_body": more}

    async def send(self, message: dict[str, Any]) -> None:
        """What the application says."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        if self.lost or self.whole:
            return
        self._buffer += message.get("body", b"")
        self.whole = not message.get("more_body", False)
        self._stir()
        while len(self._buffer) > ROOM and not (self.lost or self.whole):
            await self._wait()

    def answer(self, status: int, body: bytes) -> bool:
        """A whole JSON answer, written past everything between."""
        if self.lost or self.status:
            return False
        self.status, self.whole = status, True
        self._buffer += body
        self._stir()
        return True

    def put(self, chunk: bytes) -> bool:
        """A chunk of a stream, written past everything between."""
        if self.lost or self.whole or len(self._buffer) > ROOM:
            return False
        size, _, rest = chunk.partition(b"\r\n")
        assert len(rest) == int(size, 16) + 2, chunk
        self._buffer += rest[:-2]
        self._stir()
        return True


class Network:
    """Carries requests to servers, as badly as the plan has it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.chance = world.chance("network")

    def delay(self) -> float:
        """How long something takes on its way."""
        if self._world.strikes("slow", self.chance):
            return self.chance.uniform(0.5, 8)
        return self.chance.uniform(0.001, 0.03)

    async def ask(self, who: str, server: Server, request: Request) -> Reply | None:
        """Ask a server; None where no answer comes, whatever the reason."""
        world, chance = self._world, self.chance
        number, age = next(world.requests), world.age
        world.note(f"{who} -> {server.name} #{number} {request}")
        await asyncio.sleep(self.delay())
        if world.strikes("twice", chance):
            world.spawn(self._again(who, number, request, chance.choice((0.0, 1, 5, 20))))
        if world.strikes("lost", chance):
            await asyncio.sleep(chance.uniform(1, 10))
            world.note(f"{who} <- #{number} (lost)")
            return None
        reply = await self._carried(server, request)
        await asyncio.sleep(self.delay())
        if reply is None or age != world.age or world.strikes("unheard", chance):
            world.note(f"{who} <- #{number} ({'nothing' if reply is None else 'unheard'})")
            return None
        world.note(f"{who} <- #{number} {reply}")
        world.replied(request, reply)
        return reply

    async def _again(self, who: str, number: int, request: Request, after: float) -> None:
        """The same request once more, from nobody who listens."""
        await asyncio.sleep(after + self.delay())
        server = self._world.any_server(self.chance)
        reply = await self._carried(server, request)
        self._world.note(f"{who} #{number} came twice: {reply}")
        if reply is not None:
            self._world.replied(request, reply)

    async def _carried(self, server: Server, request: Request) -> Reply | None:
        """One request at the server, its body in pieces; who asked may be gone before the end."""
        world, chance = self._world, self.chance
        connection = server.accept(request)
        if connection is None:
            return None
        vanishes = world.strikes("vanish", chance)
        leaves = chance.choice((0.0, 0.001, 0.005, 0.02)) if vanishes else 60.0
        try:
            async with asyncio.timeout(leaves):
                for number, part in enumerate(request.parts, 1):
                    connection.give(part, number == len(request.parts))
                    if number < len(request.parts):
                        await asyncio.sleep(self.delay())
                return await connection.save_answer()
        except TimeoutError:
            connection.cut()
            return None
