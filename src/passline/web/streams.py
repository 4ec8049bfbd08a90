"""Streams: what stands in a table's log, told to all who listen, as it comes.

A table that somebody listens to has one channel. It follows the log once, encodes each entry once,
and wakes its streams; each of them sends what it has not sent. What is older than the channel keeps
is read from the log. Where many listen, the crier goes on with those who have heard everything.
"""

from __future__ import annotations

import logging
from asyncio import CancelledError, Task, create_task, gather, get_running_loop, sleep
from collections import Counter, deque
from collections.abc import AsyncIterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Final, Protocol

from passline.live import StoreError
from passline.live.asks import HallError
from passline.live.hall import OPERATOR
from passline.live.tokens import Holder
from passline.live.warm import ToldEntries
from passline.web.answers import Wire
from passline.web.crowd import Crowd, chunked
from passline.web.limits import STREAMS
from passline.web.metrics import Metrics

if TYPE_CHECKING:
    from passline.web.stream import Stream

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

    def follow(self, table: str, after: int, holder: Holder) -> AsyncIterator[ToldEntries]:
        """Entries after a number, as they come, until the hall stops."""


def event_frame(seq: int, text: bytes) -> bytes:
    """An entry as a stream sends it. Canonical JSON holds no line break, so one ``data`` does."""
    return b"id: %d\nevent: entry\ndata: %b\n\n" % (seq, text)


class Streams:
    """Every open stream of this server."""

    def __init__(self, hall: Log, metrics: Metrics, most: int = STREAMS) -> None:
        self.hall, self.metrics = hall, metrics
        #: How many one address may hold open, 0 for any number; how many each does, and all do.
        self.most, self.held, self.open = most, Counter[str](), 0
        self.stopping = False
        self.crowd = Crowd(self._forget, MOST_BEHIND, PATIENCE)
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

    def admit(self, address: str) -> None:
        """HallError 429 where an address holds as many streams as it may."""
        if self.most and self.held[address] >= self.most:
            words = f"one address holds {self.most} streams open at most: expected fewer"
            raise HallError(429, words, retry_after=10)

    def crowded(self) -> bool:
        """Whether the crier goes on with streams."""
        return not self.stopping and self.crowd.takes(self.open)

    def ended(self, why: str) -> None:
        """Count a stream that ended."""
        self.metrics.add("passline_streams_ended_total", why=why)

    def _forget(self, channel: Channel, address: str, why: str) -> None:
        """A stream that was handed over is over."""
        channel.uncount(address)
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
        except (StoreError, HallError) as wrong:
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
        chunk = chunked(frame)
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

    def hand_over(self, wire: Wire, holder: Holder | None, address: str) -> bool:
        """Have the crier go on with a stream that has heard everything; it counts as before."""
        return self.owner.crowd.take(self, wire, holder, address)

    def leave(self, stream: Stream) -> None:
        """Wake a stream no more."""
        self.streams.pop(stream, None)
        self.uncount(stream.address)

    def uncount(self, address: str) -> None:
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
