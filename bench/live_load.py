"""Simulated players at live tables: each sends lines and reads the stream.

It uses plain sockets so that the server is what is measured. A line's time runs from just before it
is sent until its own entry arrives on the sender's stream. Delays of this process, which shares the
machine with the server, are reported separately.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter
from urllib.parse import urlsplit

from msgspec import Struct


class Seat(Struct, frozen=True):
    """A player's table, name and token."""

    table: str
    name: str
    token: str


class Load(Struct, frozen=True, kw_only=True):
    """The load: seconds between a player's lines, and between a table's throws (``roll_every``).

    With ``every`` 0, a player sends a line as soon as the entry of the last one arrives. The first
    ``warm_up`` seconds are not measured, the ``seconds`` after them are.
    """

    every: float = 1.0
    roll_every: float = 10.0
    warm_up: float = 3.0
    seconds: float = 15.0


class Heard(Struct):
    """The results: milliseconds of each line, lines by HTTP status, and events received.

    ``late`` counts the lines that were not sent because the last one was unanswered.
    """

    taken: list[float]
    statuses: dict[int, int]
    events: int = 0
    throws: int = 0
    late: int = 0
    #: Milliseconds that each line was sent after it was due.
    behind: list[float] = []
    #: Seconds of processor time that the servers took for it, this process, and the machine.
    cpu: float = 0.0
    own: float = 0.0
    machine: float = 0.0


class _Reader(asyncio.Protocol):
    """A connection that passes its bytes to a function."""

    def __init__(self, hear: Callable[[bytes], None]) -> None:
        self._hear = hear
        self.lost = False

    def data_received(self, data: bytes) -> None:
        self._hear(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True


class Player:
    """One seat with a stream and a connection for its lines, one line at a time."""

    def __init__(self, seat: Seat, address: tuple[str, int], heard: Heard) -> None:
        self.seat, self._address, self._heard = seat, address, heard
        self._number, self._up = 0, False
        self._pending, self._sent_at = b"", 0.0
        typed = b"Content-Type: application/json\r\nContent-Length: "
        self._say = self._head("POST", "say") + typed
        self._free = asyncio.Event()
        self._answer = b""
        self.measured = self.shooter = False

    async def connect(self, after: int) -> None:
        """Open both connections. The stream has begun when this returns."""
        loop = asyncio.get_running_loop()
        host, port = self._address
        self._stream, self._reader = await loop.create_connection(
            lambda: _Reader(self._on_events), host, port
        )
        self._stream.write(self._head("GET", f"events?after={after}") + b"\r\n")
        await self._free.wait()  # its stream has begun
        await self._open_posts()

    async def _open_posts(self) -> None:
        loop = asyncio.get_running_loop()
        found, _ = await loop.create_connection(lambda: _Reader(self._on_answer), *self._address)
        self._posts = found

    def _head(self, method: str, path: str) -> bytes:
        host, port = self._address
        return (
            f"{method} /api/tables/{self.seat.table}/{path} HTTP/1.1\r\nHost: {host}:{port}\r\n"
            f"Authorization: Bearer {self.seat.token}\r\n"
        ).encode()

    def count_in(self, heard: Heard) -> None:
        """Put results into ``heard`` from now on; count nothing until ``measured`` is set again."""
        self._heard, self.measured = heard, False

    def speak(self, due: float, wanted: str = "") -> None:
        """Send a line, unless the last one is unanswered.

        It is ``wanted``, or else a bet on the hard 8 or its removal, in turn. ``due`` is when it
        should have been sent.
        """
        if self._pending:
            self._heard.late += self.measured
            return
        self._number += 1
        said = wanted or ("take down hard 8" if self._up else "hard 8 for 5")
        request = f"{self.seat.name}-{self._number}"
        body = json.dumps({"id": request, "say": said, "nonce": request}).encode()
        self._pending, self._wanted = b'"id":"%b"' % request.encode(), wanted
        sent = self._say + b"%d\r\n\r\n%b" % (len(body), body)
        self._sent_at = perf_counter()
        if self.measured:
            self._heard.behind.append((self._sent_at - due) * 1000)
        if self._posts.is_closing():  # The server closes connections that were idle.
            self._task = asyncio.ensure_future(self._send_again(sent))
        else:
            self._posts.write(sent)

    async def _send_again(self, request: bytes) -> None:
        await self._open_posts()
        self._posts.write(request)

    def _on_events(self, data: bytes) -> None:
        heard = perf_counter()
        if not self._free.is_set() and not self._pending:
            self._free.set()
        if self.measured:
            self._heard.events += data.count(b"event: entry")
            self._heard.throws += self.shooter and data.count(b'"line":"roll ')
        if self._pending and self._pending in data:
            if self.measured:
                self._heard.taken.append((heard - self._sent_at) * 1000)
            self._done()

    def _on_answer(self, data: bytes) -> None:
        self._answer += data
        head, sign, body = self._answer.partition(b"\r\n\r\n")
        if not sign or len(body) < _length(head):
            return
        self._answer = b""
        status = int(head[9:12])
        if self.measured:
            self._heard.statuses[status] = self._heard.statuses.get(status, 0) + 1
        refused = status != 200 or b'"seq":null' in body
        if refused:
            self._done()
        if not self._wanted:  # a hard eight that lost is bet again, one that is up comes down
            self._up = not self._up

    def _done(self) -> None:
        self._pending = b""
        self._free.set()

    async def wait_for_entry(self) -> None:
        """Wait for the last line's own entry, or its refusal."""
        self._free.clear()
        if self._pending:
            await self._free.wait()

    def close(self) -> None:
        """Close both connections."""
        self._stream.close()
        self._posts.close()


def _length(head: bytes) -> int:
    _, sign, rest = head.partition(b"content-length: ")
    return int(rest.partition(b"\r\n")[0]) if sign else 0


async def play(
    urls: Sequence[str],
    tables: Sequence[Sequence[Seat]],
    load: Load,
    spent: Sequence[Callable[[], float]],
    connected: Callable[[], None],
    *,
    routed: bool = False,
) -> Heard:
    """Connect everyone, let them play for a while, and return the results.

    ``play_steps`` says what the arguments are.
    """
    (heard,) = await play_steps(urls, tables, [load], spent, connected, routed=routed)
    return heard


async def play_steps(
    urls: Sequence[str],
    tables: Sequence[Sequence[Seat]],
    loads: Sequence[Load],
    spent: Sequence[Callable[[], float]],
    connected: Callable[[], None],
    *,
    routed: bool = False,
) -> list[Heard]:
    """Connect everyone and let them play under one load after the other. Return the results.

    The players of a table are spread over the servers, or, if ``routed``, all on the same one.
    ``spent`` has three functions; they return the processor seconds used so far by the servers, by
    this process and by the machine. ``connected`` is called once everyone is connected.
    """
    parts = [urlsplit(url) for url in urls]
    addresses = [(part.hostname or "127.0.0.1", part.port or 80) for part in parts]
    found = [Heard([], {}, behind=[]) for _ in loads]
    players = [
        [
            Player(seat, addresses[(number if routed else k) % len(addresses)], found[0])
            for k, seat in enumerate(seats)
        ]
        for number, seats in enumerate(tables)
    ]
    everybody = [player for seats in players for player in seats]
    for seats in players:
        seats[0].shooter = True
    for number in range(0, len(everybody), 50):
        await asyncio.gather(*(player.connect(0) for player in everybody[number : number + 50]))
    await asyncio.sleep(0.5)
    connected()
    for load, heard in zip(loads, found, strict=True):
        await _play_one(everybody, load, heard, spent)
    for player in everybody:
        player.close()
    return found


async def _play_one(
    everybody: Sequence[Player], load: Load, heard: Heard, spent: Sequence[Callable[[], float]]
) -> None:
    began, chance = perf_counter() + 0.5, Random(7)  # people do not speak in step
    last = began + load.warm_up + load.seconds
    for player in everybody:
        player.count_in(heard)
    await asyncio.gather(
        _timed(heard, spent, last - load.seconds, last),
        *(
            _speak_on(
                player,
                began + (load.every or 1) * chance.random(),
                began + load.roll_every * chance.random(),
                last,
                load,
            )
            for player in everybody
        ),
    )
    await asyncio.sleep(1)


async def _timed(
    heard: Heard, spent: Sequence[Callable[[], float]], begun: float, last: float
) -> None:
    await asyncio.sleep(begun - perf_counter())
    before = [so_far() for so_far in spent]
    await asyncio.sleep(last - perf_counter())
    now = [so_far() for so_far in spent]
    heard.cpu, heard.own, heard.machine = (b - a for a, b in zip(before, now, strict=True))


async def _speak_on(player: Player, due: float, next_roll: float, last: float, load: Load) -> None:
    """Send one player's lines when they are due.

    The first player of a table also bets the pass line and throws, in turn. The bet is refused
    while an earlier one is undecided.
    """
    begun, bet = last - load.seconds, False
    while due < last:
        await asyncio.sleep(max(0.0, due - perf_counter()))
        player.measured = due >= begun
        wanted = ""
        if player.shooter and due >= next_roll:
            wanted = "roll" if bet else "pass for 10"
            next_roll += load.roll_every if bet else 0.0
            bet = not bet
        player.speak(due, wanted)
        if load.every:
            due += load.every
        else:
            await player.wait_for_entry()
            due = perf_counter()
