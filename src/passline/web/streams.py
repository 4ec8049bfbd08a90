"""Streams: what stands in a table's log, told to all who listen, as it comes.

A table that somebody listens to has one channel. It follows the log once, encodes each entry once,
and wakes its streams; each of them sends what it has not sent. What is older than the channel keeps
is read from the log. Where many listen, the crier goes on with those who have heard everything.

One client's stream: what it missed, then what comes, until somebody ends it.

What it missed is read from its channel or from the log; a crowd's streams that have heard all of it
are handed over to the crier.
"""

from __future__ import annotations

import logging
from asyncio import CancelledError, Future, Task, create_task, gather, get_running_loop, sleep
from asyncio import timeout as within
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from itertools import count
from typing import Final, Protocol

from starlette.types import Receive, Scope, Send

from passline.live.requests import ServiceError
from passline.live.service import OPERATOR
from passline.live.store import StoreError
from passline.live.table_cache import StreamEntry
from passline.live.tokens import Holder
from passline.web.limits import MAX_STREAMS
from passline.web.metrics import Metrics
from passline.web.responses import RawConnection
from passline.web.stream_fanout import StreamFanout, encode_chunk

log = logging.getLogger("passline.web")

#: A live stream that is so many entries behind is closed; it resumes by itself.
MOST_BEHIND: Final = 1000
#: Seconds between comments, which keep a silent stream open through whatever is between.
PULSE: Final = 15.0
#: Seconds that a client has to take what is sent to it.
PATIENCE: Final = 30.0
#: Seconds that a channel stays after its last stream, for those who come back.
LINGER: Final = 5.0

BYE: Final = b"event: bye\ndata: {}\n\n"
COMMENT: Final = b": here\n\n"


class Log(Protocol):
    """What streams need of a hall."""

    async def texts(self, table: str, after: int, limit: int) -> Sequence[bytes]:
        """Entries after a number, as lines of the log."""

    def follow(self, table: str, after: int, holder: Holder) -> AsyncIterator[StreamEntry]:
        """Entries after a number, as they come, until the hall stops."""


def event_frame(seq: int, text: bytes) -> bytes:
    """An entry as a stream sends it. Canonical JSON holds no line break, so one ``data`` does."""
    return b"id: %d\nevent: entry\ndata: %b\n\n" % (seq, text)


class Streams:
    """Every open stream of this server."""

    def __init__(self, hall: Log, metrics: Metrics, most: int = MAX_STREAMS) -> None:
        self.hall, self.metrics = hall, metrics
        #: How many one address may hold open, 0 for any number; how many each does, and all do.
        self.most, self.held, self.open = most, Counter[str](), 0
        self.stopping = False
        self.crowd = StreamFanout(self._forget, MOST_BEHIND, PATIENCE)
        self.numbers = count(1)
        self._channels: dict[str, Channel] = {}
        self._pulse: Task[None] | None = None

    def channel(self, table: str, head: int) -> Channel:
        """The channel of a table whose log ends at ``head`` now."""
        channel = self._channels.get(table)
        if channel is None or channel.ended:
            channel = self._channels[table] = Channel(self, table, head)
        if self._pulse is None:
            self._pulse = create_task(self._beat())
        return channel

    def check_stream_limit(self, address: str) -> None:
        """ServiceError 429 where an address holds as many streams as it may."""
        if self.most and self.held[address] >= self.most:
            words = f"one address holds {self.most} streams open at most: expected fewer"
            raise ServiceError(429, words, retry_after=10)

    def crowded(self) -> bool:
        """Whether the crier goes on with streams."""
        return not self.stopping and self.crowd.takes(self.open)

    def ended(self, why: str) -> None:
        """Count a stream that ended."""
        self.metrics.add("passline_streams_ended_total", why=why)

    def _forget(self, channel: Channel, address: str, why: str) -> None:
        """A stream that was handed over is over."""
        channel.count_closed(address)
        self.ended(why)

    def drop(self, channel: Channel) -> None:
        """Forget a channel that ended."""
        if self._channels.get(channel.table) is channel:
            del self._channels[channel.table]

    async def _beat(self) -> None:
        """Wake every stream now and then: one that has nothing to send sends a comment."""
        while True:
            await sleep(PULSE)
            for channel in list(self._channels.values()):
                for stream in list(channel.streams):
                    stream.pulse()
            self.crowd.pulse(COMMENT)

    async def stop(self) -> None:
        """Have every stream say goodbye, and end; a stream that begins now ends the same way."""
        self.stopping = True
        if self._pulse is not None:
            self._pulse.cancel()
        channels = list(self._channels.values())
        for channel in channels:
            for stream in list(channel.streams):
                stream.wake()
            self.crowd.end(channel, "bye", BYE)
        for channel in channels:
            channel.close()
        await gather(*(channel.task for channel in channels), return_exceptions=True)
        await self.crowd.stop()


class Channel:
    """One table's log as its streams hear it: the last entries, encoded."""

    def __init__(self, streams: Streams, table: str, head: int) -> None:
        self.owner, self.table = streams, table
        self.frames: deque[bytes] = deque(maxlen=MOST_BEHIND)
        # Those who come back after a restart all ask for the same last entries.
        self.head = max(head - MOST_BEHIND, -1)
        self._old = head
        #: In the order in which they came: nobody hears of an entry before who came first.
        self.streams: dict[Stream, None] = {}
        #: Whose streams the crier has, by their numbers there; and the channel's own.
        self.handed: dict[int, Holder | None] = {}
        self.number = next(streams.numbers)
        self.ended = False
        self.task = create_task(self._follow())

    async def _follow(self) -> None:
        try:
            await self._hear()
        except CancelledError:
            raise
        except (StoreError, ServiceError) as wrong:
            self.owner.metrics.add("passline_store_errors_total")
            log.warning("table %s: its streams end: %s", self.table, wrong)
        except Exception as wrong:
            self.owner.metrics.add("passline_failures_total")
            log.error("table %s: its streams end", self.table, exc_info=wrong)
        finally:
            self.ended = True
            self.owner.drop(self)
            for stream in list(self.streams):
                stream.wake()
            self.owner.crowd.end(self, "store")

    async def _hear(self) -> None:
        async for told in self.owner.hall.follow(self.table, self.head, OPERATOR):
            self.frames.append(event_frame(told.seq, told.text))
            self.head = told.seq
            withdrawn = None
            if told.seq > self._old:
                self.owner.metrics.add("passline_entries_total")
                withdrawn = told.withdrawn
            self._tell(told.seq, self.frames[-1], withdrawn)

    def _tell(self, seq: int, frame: bytes, withdrawn: Holder | None) -> None:
        """Have every stream hear of an entry. Its chunk is made once for all that can take it."""
        chunk = encode_chunk(frame)
        put = sum(stream.hear(seq, chunk, withdrawn) for stream in list(self.streams))
        put += self.owner.crowd.tell(self, chunk, withdrawn)
        self.owner.metrics.add("passline_sent_total", put)

    def since(self, after: int) -> list[bytes] | None:
        """The frames after a number; None where they are not kept here any more."""
        missing = self.head - after
        if missing > len(self.frames):
            return None
        return list(self.frames)[len(self.frames) - missing :] if missing > 0 else []

    def join(self, stream: Stream) -> None:
        """Have a stream woken."""
        self.streams[stream] = None
        self.owner.held[stream.address] += 1
        self.owner.open += 1
        self.owner.metrics.add("passline_streams")

    def hand_over(self, wire: RawConnection, holder: Holder | None, address: str) -> bool:
        """Have the crier go on with a stream that has heard everything; it counts as before."""
        return self.owner.crowd.take(self, wire, holder, address)

    def leave(self, stream: Stream) -> None:
        """Wake a stream no more."""
        self.streams.pop(stream, None)
        self.count_closed(stream.address)

    def count_closed(self, address: str) -> None:
        """One stream less; a channel that nobody hears ends after a while."""
        held = self.owner.held
        self.owner.open -= 1
        held[address] -= 1
        if held[address] <= 0:
            del held[address]
        self.owner.metrics.add("passline_streams", -1)
        if not self._heard() and not self.ended:
            get_running_loop().call_later(LINGER, self._close_if_idle)

    def _heard(self) -> bool:
        return bool(self.streams or self.handed)

    def _close_if_idle(self) -> None:
        if not self._heard():
            self.close()

    def close(self) -> None:
        """Follow the log no more."""
        self.ended = True
        self.task.cancel()
        self.owner.drop(self)


#: Entries that one read of the log gives, and bytes that are sent at a time: what a client that
#: reads nothing has held for it.
_READ_ENTRIES: Final = 50
_SEND_BYTES: Final = 64 * 1024
_STREAM_HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


def _take_frames(frames: Sequence[bytes]) -> Sequence[bytes]:
    """As many of the first as are sent at a time: one at least."""
    size = 0
    for number, frame in enumerate(frames, 1):
        size += len(frame)
        if size >= _SEND_BYTES:
            return frames[:number]
    return frames


class Stream:
    """One client's stream: an ASGI response.

    ``holder`` is whom its token speaks for, None where it needs none; ``stands`` asks whether the
    token still does, once the stream can hear of it. ``address``: where it comes from.
    """

    def __init__(
        self,
        channel: Channel,
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
        self._wire: RawConnection | None = None

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
        elif self._live and seq - self.after > MOST_BEHIND:
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
        except (StoreError, ServiceError):
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
        await send({"type": "http.response.start", "status": 200, "headers": _STREAM_HEADERS})
        await self._put(send, b": passline\n\n")
        if self._stands is not None and not await self._stands():
            self._over = "withdrawn"
        while not self._over:
            frames = await self._next()
            if frames is None:
                self._over = "behind"
            elif frames:
                sent = _take_frames(frames)
                del frames
                await self._put(send, b"".join(sent))
                self.after += len(sent)
                self.channel.owner.metrics.add("passline_sent_total", len(sent))
            elif self.channel.owner.stopping:
                self._over = "bye"
                await self._put(send, BYE)
            elif self.channel.ended:
                self._over = "store"
            elif self._due:
                await self._put(send, COMMENT)
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
        async with within(PATIENCE):
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
        page = await self.channel.owner.hall.texts(self.channel.table, self.after, _READ_ENTRIES)
        return [event_frame(seq, text) for seq, text in enumerate(page, self.after + 1)]

    async def _wait(self) -> None:
        self._waiting = get_running_loop().create_future()
        try:
            await self._waiting
        finally:
            self._waiting = None
