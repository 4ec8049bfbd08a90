"""One client's stream: what it missed, then what comes, until somebody ends it.

What it missed is read from its channel or from the log; a crowd's streams that have heard all of it
are handed over to the crier.
"""

from __future__ import annotations

from asyncio import CancelledError, Future, Task, create_task, get_running_loop, sleep
from asyncio import timeout as within
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from starlette.types import Receive, Scope, Send

from passline.live import StoreError
from passline.live.asks import HallError
from passline.live.tokens import Holder
from passline.web import streams
from passline.web.answers import Wire

#: Entries that one read of the log gives, and bytes that are sent at a time: what a client that
#: reads nothing has held for it.
_READ: Final = 50
_MOUTHFUL: Final = 64 * 1024
_HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


def _mouthful(frames: Sequence[bytes]) -> Sequence[bytes]:
    """As many of the first as are sent at a time: one at least."""
    size = 0
    for number, frame in enumerate(frames, 1):
        size += len(frame)
        if size >= _MOUTHFUL:
            return frames[:number]
    return frames


class Stream:
    """One client's stream: an ASGI response.

    ``holder`` is whom its token speaks for, None where it needs none; ``stands`` asks whether the
    token still does, once the stream can hear of it. ``address``: where it comes from.
    """

    def __init__(
        self,
        channel: streams.Channel,
        after: int,
        holder: Holder | None = None,
        stands: Callable[[], Awaitable[bool]] | None = None,
        address: str = "",
    ) -> None:
        self.channel, self.after, self.address = channel, after, address
        self._holder, self._stands = holder, stands
        self._waiting: Future[None] | None = None
        self._over = ""
        self._due = self._live = False
        self._sending: Task[None] | None = None
        self._wire: Wire | None = None

    # What the channel tells it.

    def wake(self) -> None:
        """There may be something to do."""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def pulse(self) -> None:
        """A comment is due, if nothing else is sent."""
        self._due = True
        self.wake()

    def hear(self, seq: int, chunk: bytes, withdrawn: Holder | None) -> bool:
        """There is one more entry; it may take somebody's tokens away. Whether it was sent: one
        who waits for nothing but this gets it at once."""
        if withdrawn is not None and withdrawn == self._holder:
            self._end("withdrawn")
        elif self._live and seq - self.after > streams.MOST_BEHIND:
            self._end("behind")  # also where the client takes nothing and a send hangs
        elif self._idle and self.after == seq - 1 and self._wire and self._wire.put(chunk):
            self.after = seq
            return True
        else:
            self.wake()
        return False

    @property
    def _idle(self) -> bool:
        return self._waiting is not None and not self._waiting.done()

    def _end(self, why: str) -> None:
        self._over = self._over or why
        if self._sending is not None:
            self._sending.cancel()

    # What it does.

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until somebody ends it."""

        async def leave() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            self._end("left")

        if scope.get("http_version") == "1.1":
            self._wire = scope.get("state", {}).get("wire")
        self.channel.join(self)
        leaving = create_task(leave())
        self._sending = create_task(self._send_all(send))
        try:
            await self._sending
        except CancelledError:
            if not self._over:
                self._over = "stopped"
                raise
        except TimeoutError:
            self._over = "stuck"
        except (StoreError, HallError):
            self._over = "store"
        finally:
            self._sending.cancel()
            leaving.cancel()
            if self._over == "handed":
                self.channel.streams.pop(self, None)  # it is counted as before
            else:
                self.channel.leave(self)
                self.channel.owner.ended(self._over)
        if self._over == "handed":
            return
        try:
            async with within(1.0):
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:
            if self._wire is not None:
                self._wire.cut()

    async def _send_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        await self._put(send, b": passline\n\n")
        if self._stands is not None and not await self._stands():
            self._over = "withdrawn"
        while not self._over:
            frames = await self._next()
            if frames is None:
                self._over = "behind"
            elif frames:
                sent = _mouthful(frames)
                del frames
                await self._put(send, b"".join(sent))
                self.after += len(sent)
                self.channel.owner.metrics.add("passline_sent_total", len(sent))
            elif self.channel.owner.stopping:
                self._over = "bye"
                await self._put(send, streams.BYE)
            elif self.channel.ended:
                self._over = "store"
            elif self._due:
                await self._put(send, streams.COMMENT)
            elif not await self._hand_over():
                await self._wait()

    async def _hand_over(self) -> bool:
        """Have the crier go on with it, where a crowd listens; whether anything changed."""
        if self._wire is None or not self.channel.owner.crowded():
            return False
        await sleep(0)  # what was written leaves first
        if self._over or self.channel.owner.stopping or self.channel.ended:
            return True
        if self.channel.head != self.after:
            return True
        if not self.channel.hand_over(self._wire, self._holder, self.address):
            return False
        self._over = "handed"
        return True

    async def _put(self, send: Send, data: bytes) -> None:
        self._due = False
        async with within(streams.PATIENCE):
            await send({"type": "http.response.body", "body": data, "more_body": True})

    async def _next(self) -> Sequence[bytes] | None:
        """What is to be sent next: what the channel keeps, or a page of the log; None where it
        kept up once, and does not any more."""
        kept = self.channel.since(self.after)
        if kept is not None:
            self._live = True
            return kept
        if self._live:
            return None
        page = await self.channel.owner.hall.texts(self.channel.table, self.after, _READ)
        return [streams.event_frame(seq, text) for seq, text in enumerate(page, self.after + 1)]

    async def _wait(self) -> None:
        self._waiting = get_running_loop().create_future()
        try:
            await self._waiting
        finally:
            self._waiting = None
