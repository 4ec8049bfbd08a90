"""Event streams: send what happens at a table to every client that follows it.

``Streams`` holds all open streams of a server. Streams to which the same events are sent share a
``Channel``, which encodes each event once as a frame and wakes them. The channel of a table's log,
``LogChannel``, follows the log; the channels of its pages are in ``page_streams``. A ``Stream`` is
one client's response: first the frames that the client missed, then new ones as they come.
"""

from __future__ import annotations

import logging
from asyncio import CancelledError, Future, Task, create_task, gather, get_running_loop, sleep
from asyncio import timeout as within
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from typing import Final, NamedTuple, Protocol

from starlette.types import Receive, Scope, Send

from passline.live.schema import ServiceError
from passline.live.service import OPERATOR
from passline.live.store import StoreError
from passline.live.table_cache import StreamEntry
from passline.live.tokens import Holder
from passline.web.metrics import Metrics
from passline.web.request_limits import OpenCounter
from passline.web.responses import send_in_time

log = logging.getLogger("passline.web")

#: A stream that has caught up and then falls this many entries behind is closed. The client
#: reconnects and resumes by itself.
MOST_BEHIND: Final = 1000
#: Seconds between comments, which keep a silent stream open through proxies.
PULSE: Final = 15.0
#: Seconds that a client has to accept each piece that is sent to it.
PATIENCE: Final = 30.0
#: Seconds that a channel stays open after its last stream, for clients that reconnect.
LINGER: Final = 5.0
#: Seconds that a stream has to send the end of its response.
_END_SECONDS: Final = 1.0
#: Entries that one read of the log returns.
_READ_ENTRIES: Final = 50
#: Bytes sent at a time. This bounds the memory held for a client that reads nothing.
_SEND_BYTES: Final = 64 * 1024

BYE: Final = b"event: bye\ndata: {}\n\n"
COMMENT: Final = b": here\n\n"
_STREAM_HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class LogSource(Protocol):
    """The part of the table service that streams read."""

    async def entry_lines(self, table: str, after: int, limit: int) -> Sequence[bytes]:
        """Return at most ``limit`` entries after number ``after``, each as a line of the log."""

    def follow(self, table: str, after: int, holder: Holder) -> AsyncIterator[StreamEntry]:
        """Yield the entries after number ``after``, then each new one, until the service stops."""


def event_frame(seq: int, text: bytes) -> bytes:
    """Return an entry as the bytes of a server-sent event. ``text`` is its line of the log.

    A line of the log contains no line break, so one ``data`` field is enough.
    """
    return b"id: %d\nevent: entry\ndata: %b\n\n" % (seq, text)


class Frame(NamedTuple):
    """A server-sent event as bytes, and the number of the last entry that it covers."""

    seq: int
    data: bytes


class Streams:
    """All open streams of this server. ``opened`` counts them by address, within limits."""

    def __init__(self, service: LogSource, metrics: Metrics, opened: OpenCounter) -> None:
        self.service, self.metrics, self.opened = service, metrics, opened
        self.stopping = False
        self._channels: dict[Hashable, Channel] = {}
        self._comments: Task[None] | None = None

    def log_channel(self, table: str, head: int) -> Channel:
        """Return the channel of a table's log. Make it if there is none.

        ``head`` is the number of the log's last entry.
        """
        channel = self._channels.get(table)
        if channel is None or channel.ended:
            channel = LogChannel(self, table, head)
            self.register(channel)
        return channel

    def register(self, channel: Channel) -> None:
        """Add a channel, so that its streams get comments and end when the server stops."""
        self._channels[channel.key] = channel
        if self._comments is None:
            self._comments = create_task(self._send_comments())

    def count_ended(self, reason: str) -> None:
        """Add one to the metric of ended streams.

        ``reason`` is a word such as ``left`` or ``behind``.
        """
        self.metrics.add("passline_streams_ended_total", why=reason)

    def forget(self, channel: Channel) -> None:
        """Remove a channel that has ended."""
        if self._channels.get(channel.key) is channel:
            del self._channels[channel.key]

    async def _send_comments(self) -> None:
        while True:
            await sleep(PULSE)
            for channel in list(self._channels.values()):
                for stream in list(channel.listeners):
                    stream.request_comment()

    async def stop(self) -> None:
        """End every stream with a ``bye`` event. Streams that begin later end in the same way."""
        self.stopping = True
        if self._comments is not None:
            self._comments.cancel()
        channels = list(self._channels.values())
        for channel in channels:
            for stream in list(channel.listeners):
                stream.wake()
        for channel in channels:
            channel.close()
        await gather(*(task for one in channels if (task := one.task)), return_exceptions=True)


class Channel:
    """Events that are encoded once, as frames, for all streams that send them.

    ``key`` is unique among the channels of a server. ``head`` is the number of the last entry that
    the frames cover; the last ``size`` frames stay in memory. A subclass adds frames (`publish`)
    and reads older ones (`read_missing`).
    """

    #: The task that makes frames, if this channel has one of its own.
    task: Task[None] | None = None

    def __init__(self, streams: Streams, key: Hashable, head: int, size: int) -> None:
        self.streams, self.key, self.head = streams, key, head
        self.frames: deque[Frame] = deque(maxlen=size)
        #: The frames cover every entry after this number.
        self.complete_after = head
        #: In the order in which they joined: the stream that joined first is woken first.
        self.listeners: dict[Stream, None] = {}
        self.ended = False

    def publish(self, frame: Frame) -> None:
        """Add a frame. The streams send it after `wake_streams`."""
        if len(self.frames) == self.frames.maxlen:
            self.complete_after = self.frames[0].seq
        self.frames.append(frame)
        self.head = frame.seq

    def wake_streams(self, withdrawn: Holder | None = None) -> None:
        """Make every stream send its new frames.

        End the streams of the holder ``withdrawn``, if given.
        """
        for stream in list(self.listeners):
            stream.notify(withdrawn)

    def frames_after(self, seq: int) -> Sequence[Frame] | None:
        """Return the frames after entry ``seq``, or None if some are no longer in memory."""
        if seq >= self.head:
            return ()
        if seq < self.complete_after:
            return None
        if self.frames[-1].seq > seq and (len(self.frames) == 1 or self.frames[-2].seq <= seq):
            return (self.frames[-1],)  # Nearly always: no need to copy them all.
        return [frame for frame in self.frames if frame.seq > seq]

    async def read_missing(self, after: int) -> Sequence[Frame]:
        """Return frames after entry ``after`` for a stream that needs some no longer in memory."""
        raise NotImplementedError

    def join(self, stream: Stream) -> None:
        """Add a stream, so that it is woken at every frame, and count it for its address.

        Raise ServiceError if the address, or the server, has too many streams.
        """
        self.streams.opened.add(stream.address)
        self.listeners[stream] = None
        self.streams.metrics.add("passline_streams")

    def leave(self, stream: Stream) -> None:
        """Remove a stream. A channel without streams closes after a few seconds."""
        self.listeners.pop(stream, None)
        self.streams.opened.remove(stream.address)
        self.streams.metrics.add("passline_streams", -1)
        if not self.listeners and not self.ended:
            get_running_loop().call_later(LINGER, self._close_if_unused)

    def _close_if_unused(self) -> None:
        if not self.listeners:
            self.close()

    def close(self) -> None:
        """Stop making frames, and end the streams."""
        self.ended = True
        if self.task is not None:
            self.task.cancel()
        self.streams.forget(self)
        for stream in list(self.listeners):
            stream.wake()


async def run_until_ended(streams: Streams, table: str, follow: Awaitable[None]) -> None:
    """Await ``follow``, which follows a table for its streams.

    If an error ends it, log and count the error instead of raising it.
    """
    try:
        await follow
    except CancelledError:
        raise
    except (StoreError, ServiceError) as error:
        streams.metrics.add("passline_store_errors_total")
        log.warning("table %s: its streams end: %s", table, error)
    except Exception as error:
        streams.metrics.add("passline_failures_total")
        log.error("table %s: its streams end", table, exc_info=error)


class LogChannel(Channel):
    """The channel of one table's log: a frame for each entry."""

    def __init__(self, streams: Streams, table: str, head: int) -> None:
        # Clients that reconnect after a restart all ask for the same last entries: follow the
        # log from there, and read the store once.
        super().__init__(streams, table, max(head - MOST_BEHIND, -1), MOST_BEHIND)
        self.table, self._first_head = table, head
        self.task = create_task(self._run())

    async def _run(self) -> None:
        try:
            await run_until_ended(self.streams, self.table, self._follow_log())
        finally:
            self.close()

    async def _follow_log(self) -> None:
        async for entry in self.streams.service.follow(self.table, self.head, OPERATOR):
            self.publish(Frame(entry.seq, event_frame(entry.seq, entry.text)))
            is_new = entry.seq > self._first_head
            if is_new:
                self.streams.metrics.add("passline_entries_total")
            self.wake_streams(entry.withdrawn if is_new else None)

    async def read_missing(self, after: int) -> Sequence[Frame]:
        """Return at most fifty entries after number ``after`` as frames, read from the log."""
        page = await self.streams.service.entry_lines(self.table, after, _READ_ENTRIES)
        return [Frame(seq, event_frame(seq, text)) for seq, text in enumerate(page, after + 1)]


class Stream:
    """One client's stream of a channel, as an ASGI response.

    ``after`` is the number of the last entry that the client has. ``holder`` is the role and name
    of the client's token, None without a token or with the house key. ``token_is_valid`` checks the
    token a second time after the stream has joined the channel, in case it was withdrawn in
    between. ``address`` is the client's.
    """

    def __init__(
        self,
        channel: Channel,
        after: int,
        holder: Holder | None = None,
        token_is_valid: Callable[[], Awaitable[bool]] | None = None,
        address: str = "",
    ) -> None:
        self.channel, self.after, self.address = channel, after, address
        self._holder, self._token_is_valid = holder, token_is_valid
        self._waiting: Future[None] | None = None
        self._end_reason = ""
        #: What to send when there is no frame: a comment, or who is connected.
        self._note = b""
        self._caught_up = False
        self._sending: Task[None] | None = None

    # The channel calls these.

    def wake(self) -> None:
        """Wake the stream if it waits, so that it looks for frames to send."""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def request_comment(self) -> None:
        """Ask the stream to send a comment, which keeps the connection open.

        If it has a note to send, it sends that instead.
        """
        self.request_note(self._note or COMMENT)

    def request_note(self, note: bytes) -> None:
        """Ask the stream to send ``note``, an event without a number, after its frames."""
        self._note = note
        self.wake()

    def notify(self, withdrawn: Holder | None) -> None:
        """Send new frames, or end the stream.

        It ends if ``withdrawn`` is its own holder, whose token became invalid. It also ends if the
        client is too far behind, even while a send to the client is blocked.
        """
        if withdrawn is not None and withdrawn == self._holder:
            self._end("withdrawn")
        elif self._caught_up and self.after < self.channel.complete_after:
            self._end("behind")
        else:
            self.wake()

    def _end(self, reason: str) -> None:
        """End the stream.

        ``reason`` is a word for the metrics; if this is called again, the first counts.
        """
        self._end_reason = self._end_reason or reason
        if self._sending is not None:
            self._sending.cancel()

    # The server calls this.

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send frames until the client leaves or the stream ends."""

        async def wait_for_disconnect() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            self._end("left")

        self.channel.join(self)
        disconnect = create_task(wait_for_disconnect())
        self._sending = create_task(self._send_all(send))
        try:
            await self._sending
        except CancelledError:
            if not self._end_reason:
                self._end_reason = "stopped"
                disconnect.cancel()
                raise
        except TimeoutError:
            self._end_reason = "stuck"
        except (StoreError, ServiceError):
            self._end_reason = "store"
        finally:
            self._sending.cancel()
            self.channel.leave(self)
            self.channel.streams.count_ended(self._end_reason)
        try:
            async with within(_END_SECONDS):
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:
            # The client accepts nothing. The system closes its connection (see server.listen),
            # and until then there is no way to end the response.
            await disconnect
        finally:
            disconnect.cancel()

    async def _send_all(self, send: Send) -> None:
        """Send the start of the response, then frames and notes until the stream must end."""
        await send({"type": "http.response.start", "status": 200, "headers": _STREAM_HEADERS})
        await self._send_bytes(send, b": passline\n\n")
        if self._token_is_valid is not None and not await self._token_is_valid():
            self._end_reason = "withdrawn"
        streams = self.channel.streams
        while not self._end_reason:
            frames = await self._next_frames()
            if frames is None:
                self._end_reason = "behind"
            elif frames:
                batch = _first_batch(frames)
                del frames
                await self._send_bytes(send, b"".join(frame.data for frame in batch))
                self.after = batch[-1].seq
                streams.metrics.add("passline_sent_total", len(batch))
            elif streams.stopping:
                self._end_reason = "bye"
                await self._send_bytes(send, BYE)
            elif self.channel.ended:
                self._end_reason = "store"
            elif self._note:
                note, self._note = self._note, b""
                await self._send_bytes(send, note)
            else:
                await self._wait()

    async def _send_bytes(self, send: Send, data: bytes) -> None:
        if self._note is COMMENT:
            self._note = b""  # Anything that is sent keeps the stream open.
        message = {"type": "http.response.body", "body": data, "more_body": True}
        await send_in_time(send, message, PATIENCE)

    async def _next_frames(self) -> Sequence[Frame] | None:
        """Return the frames to send next; an empty sequence if there are none.

        Return None if the stream had caught up and has since fallen behind the channel.
        """
        frames = self.channel.frames_after(self.after)
        if frames is not None:
            self._caught_up = True
            return frames
        if self._caught_up:
            return None
        return await self.channel.read_missing(self.after)

    async def _wait(self) -> None:
        self._waiting = get_running_loop().create_future()
        try:
            await self._waiting
        finally:
            self._waiting = None


def _first_batch(frames: Sequence[Frame]) -> Sequence[Frame]:
    """Return the first frames, at least one and about 64 KiB at most, to be sent together."""
    size = 0
    for number, frame in enumerate(frames, 1):
        size += len(frame.data)
        if size >= _SEND_BYTES:
            return frames[:number]
    return frames
