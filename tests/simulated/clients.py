"""The people of a world: players and crew who say lines under ids, and go on until answered."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from tests.simulated import spoken_lines
from tests.simulated.model import Ack
from tests.simulated.network import Reply, Request, json_request
from tests.simulated.onlookers import Follower, guest, look_on, vandal
from tests.simulated.servers import KEY

if TYPE_CHECKING:
    from tests.simulated.world import World

NAMES = ("ann", "bob", "cal")
#: Answers after which the same request is sent again.
AGAIN = frozenset({429, 503})

#: What somebody says under an id that wrote something else.
OTHER_WORDS = "place 8 for 6"


def _same_line(reply: Reply, other: Reply) -> bool:
    """Whether other words came to the line that was written: `same bet` may be just that."""
    told = [
        (each.json["seq"], [one["words"] for one in each.json["entries"]])
        for each in (reply, other)
        if each.status == 200
    ]
    return len(told) == 2 and told[0] == told[1]


class Table:
    """A table as its people know it."""

    def __init__(self, id_: str, asked_for: dict[str, Any], tokens: dict[str, str]) -> None:
        self.id, self.asked, self.tokens = id_, asked_for, tokens
        self.path = f"/api/tables/{id_}"

    @property
    def machine(self) -> bool:
        """Whether the machine deals all of it."""
        return "posts" not in self.asked


class Voice:
    """Somebody who says lines: a player, a post or the operator."""

    def __init__(self, world: World, table: Table, name: str, token: str) -> None:
        self.world, self.table, self.name, self.token = world, table, name, token
        self.chance = world.chance(f"{name} at {table.id}")
        self._number = 0

    async def insist(self, request: Request) -> Reply:
        """Send a request until it is answered."""
        while True:
            server = self.world.any_server(self.chance)
            calm = self.world.calm and server.up
            reply = await self.world.network.ask(self.name, server, request)
            if reply is not None and reply.status not in AGAIN:
                return reply
            if calm and (reply is None or reply.status == 503):
                self.world.wrong(f"in calm, no good answer to {self.name}'s {request}: {reply}")
            await asyncio.sleep(self.chance.uniform(0.2, 2))

    def saying(self, say: str, request: str, nonce: str = "") -> Request:
        """A line."""
        body = {"id": request, "say": say, **({"nonce": nonce} if nonce else {})}
        return json_request("POST", f"{self.table.path}/say", body, self.token)

    async def say(self, say: str) -> Reply:
        """Say something under an id of its own, and perhaps once more later."""
        self._number += 1
        request = f"{self.name}-{self._number}"
        nonce = f"n{self._number}" if say == "roll" and self.chance.random() < 0.7 else ""
        if say == "roll":  # Whoever knows a secret tries to choose the throw.
            nonce = self.world.model.choose_nonce(self.table.id, (6, 5)) or nonce
        age = self.world.age
        reply = await self.insist(self.saying(say, request, nonce))
        if age != self.world.age:
            return reply  # It may be of what is gone.
        await self._check_answer(say, request, reply)
        again = self.chance.random()
        if reply.status == 200 and again < 0.25 and age == self.world.age:
            await asyncio.sleep(self.chance.uniform(0, 3))
            later = await self.insist(self.saying(say, request, nonce))
            if age == self.world.age:
                self._same(say, request, reply, later)
                await self._check_answer(say, request, later)
        elif reply.status == 200 and again < 0.35:
            other = await self.insist(self.saying(OTHER_WORDS, request))
            if age != self.world.age:
                return reply
            if reply.json["seq"] is None:
                await self._check_answer(OTHER_WORDS, request, other)
            elif other.status != 409 and not _same_line(reply, other):
                self.world.wrong(f"{request} wrote {say!r}, and other words got {other}")
        return reply

    def _same(self, say: str, request: str, reply: Reply, later: Reply) -> None:
        if reply.json["seq"] is not None and later != reply:
            self.world.wrong(f"{request} {say!r} got {reply}, and then {later}")

    async def _check_answer(self, say: str, request: str, reply: Reply) -> None:
        if reply.status == 409 and say != OTHER_WORDS:
            self.world.wrong(f"{request} {say!r} is said to be other words: {reply}")
        if reply.status == 200:
            self.world.model.save_answer(self.table.id, self.name, request, say, reply.json)

    async def work(self, lines: Iterator[str]) -> None:
        """Say one line after the other; some of them before the last is answered."""
        pause = self.chance.choice((0.05, 1.0, 5.0))
        said: list[asyncio.Task[Reply]] = []
        for line in lines:
            said.append(asyncio.ensure_future(self.say(line)))
            if self.chance.random() < 0.75:
                await asyncio.gather(*said)
                said.clear()
            await asyncio.sleep(self.chance.uniform(0, pause))
        await asyncio.gather(*said)


class Player(Voice):
    """A player, who sits down first, with a token of his own."""

    def __init__(self, world: World, table: Table, name: str) -> None:
        super().__init__(
            world, table, name, world.chance(f"token {name} {table.id}").randbytes(20).hex()
        )

    async def sit(self) -> bool:
        """Take a seat, or the seat that was taken."""
        body = {"name": self.name, "buy_in": "300", "token": self.token}
        path = f"{self.table.path}/seats"
        bearer = ""
        if self.table.asked.get("open") is False:
            bearer = self.table.tokens.get("player", "")
        age = self.world.age
        reply = await self.insist(json_request("POST", path, body, bearer))
        if age != self.world.age:
            return await self.sit()
        if reply.status not in (201, 202):
            told = reply.json["error"]
            box = "box" in self.table.asked.get("posts", {})
            if reply.status != 409 or not (box or told == "the table is closed"):
                self.world.wrong(f"{self.name} cannot sit down: {reply}")
            return False
        told = reply.json
        self.token = told["token"]
        if told["seq"] is not None:
            self.world.model.acknowledge(Ack(self.table.id, told["seq"], told["hash"], self.name))
        return True

    async def say(self, say: str) -> Reply:
        """Say something; whose seat was lost in a restore sits down again."""
        reply = await super().say(say)
        if reply.status == 401:
            if not self.world.age:
                self.world.wrong(f"{self.name}'s token is not known any more")
            await self.sit()
        return reply

    async def play(self, lines: int) -> None:
        """Sit down and say so many lines."""
        await asyncio.sleep(self.chance.uniform(0, 2))
        if await self.sit():
            await self.work(spoken_lines.player(self.chance) for _ in range(lines))


class People:
    """Everybody."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.tables: list[Table] = []
        self.followers: list[Follower] = []
        self.players: list[Player] = []
        self.operator = Voice(world, Table("", {}, {}), "operator", KEY)

    async def open_tables(self) -> None:
        """Open the tables of the plan, and invite to those that are not open."""
        for wanted in self.world.plan.tables:
            reply = await self.operator.insist(json_request("POST", "/api/tables", wanted, KEY))
            if reply.status != 201:
                self.world.wrong(f"no table: {reply}")
                continue
            told = reply.json
            table = Table(told["table"], wanted, told["tokens"])
            self.tables.append(table)
            if wanted.get("open") is False:
                request = json_request("POST", f"{table.path}/tokens", {"role": "player"}, KEY)
                table.tokens["player"] = (await self.operator.insist(request)).json["token"]

    def work(self) -> Iterator[Coroutine[Any, Any, None]]:
        """What everybody does."""
        world, plan = self.world, self.world.plan
        for table in self.tables:
            for name in NAMES[: plan.players]:
                player = Player(world, table, name)
                self.players.append(player)
                yield player.play(plan.says)
            for post in table.asked.get("posts", {}):
                lines = spoken_lines.STICK if post == "stick" else spoken_lines.BOX
                yield self._crew(table, post, lines, plan.says)
            chance = world.chance(f"house {table.id}")
            if chance.random() < 0.3:
                voice = Voice(world, table, "house", KEY)
                yield voice.work(iter(chance.choices(spoken_lines.FLOOR, k=3)))
            for number in range(chance.choice((1, 1, 2))):
                follower = Follower(world, table, f"f{number}")
                self.followers.append(follower)
                world.spawn(follower.follow())
            yield look_on(world, table, Random(f"{plan.seed} looks {table.id}"))
            if chance.random() < 0.5:
                yield guest(world, table)
            if chance.random() < 0.4:
                yield vandal(world, table)

    def _crew(
        self, table: Table, post: str, lines: tuple[str, ...], many: int
    ) -> Coroutine[Any, Any, None]:
        voice = Voice(self.world, table, post, table.tokens[post])
        return voice.work(iter(voice.chance.choices(lines, k=many)))

    def leave(self) -> None:
        """Nobody follows any more."""
        for follower in self.followers:
            follower.leaves = True

    async def go_on(self) -> None:
        """In calm, every line is answered and a table that the machine deals is dealt."""
        for table in self.tables:
            opens = Voice(self.world, table, "house", KEY)
            opens._number = 100
            await opens.say("table opens")
            if table.machine:
                await self._throws(table)

    async def _throws(self, table: Table) -> None:
        seats = [player for player in self.players if player.table is table]
        begun = self.world.model.floor.get(table.id, -1)
        for player in seats:
            await player.sit()
            await player.say("buy in 200")
        for _ in range(40):
            for player in seats:
                for line in ("pass for 10", "take the dice", "roll"):
                    reply = await player.say(line)
                    if line == "roll" and reply.status == 200 and reply.json["seq"] is not None:
                        return
            if await self._thrown(table, begun):
                return
            await asyncio.sleep(5)
        self.world.wrong(f"{table.id}: no throw within minutes of calm")

    async def _thrown(self, table: Table, begun: int) -> bool:
        """Whether the machine threw by itself."""
        request = Request(
            path=f"{table.path}/events",
            query=b"after=%d" % begun,
            token=KEY,
            headers=((b"accept", b"application/json"),),
        )
        reply = await self.operator.insist(request)
        if reply.status != 200:
            self.world.wrong(f"{table.id} is not there any more: {reply}")
            return True
        return any("fair" in entry for entry in reply.json["entries"])
