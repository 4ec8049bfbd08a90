"""The streams of table pages: ``GET /api/tables/TABLE/page/events``.

A page gets its whole state once, and then only what changes. ``TablePages`` follows one table and
computes the changes once for all its pages (`live.page_feed`). Pages of the same viewer share a
``ViewerChannel``. When somebody opens or closes a page, all pages of the table are sent the list of
players who are connected.
"""

from __future__ import annotations

from asyncio import Task, TimerHandle, create_task, get_running_loop
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from secrets import token_hex
from typing import Any, Final

import msgspec

from passline.game.words.web import say_web
from passline.live.page_feed import (
    LISTED_ENTRIES,
    PageFeed,
    PageThrow,
    Viewer,
    describe_throw,
    encode_event,
)
from passline.live.schema import ServiceError
from passline.live.service import TableService
from passline.live.store import UnavailableError
from passline.live.table_cache import CachedTable
from passline.live.tokens import Holder
from passline.live.views import CREW_ROLES
from passline.web.event_streams import Channel, Frame, Stream, Streams, run_until_ended

#: Changes that a viewer's channel keeps for pages that reconnect. Others get the whole state.
_KEPT_CHANGES: Final = 50
_KEPT_STATES: Final = 100
#: The most entries in which a page that reconnects looks for throws that it missed.
_MISSED_ENTRIES: Final = 1000
#: Seconds until pages hear that somebody came or went, and how many pages add a second to that, so
#: that a crowd that arrives is not announced to itself again and again.
_PRESENCE_SECONDS: Final = 0.5
_PAGES_PER_SECOND: Final = 500
#: Seconds after a player's last page closed until nobody waits for the player any more.
_AWAY_SECONDS: Final = 8.0
#: What servers of one database tell each other: a player's last page closed here, one is open here.
_CLOSED_WORD: Final = "page-closed"
_OPEN_WORD: Final = "page-open"


class PageStreams:
    """The open pages of all tables of a server."""

    def __init__(self, streams: Streams, service: TableService) -> None:
        self._streams, self._service = streams, service
        self._tables: dict[str, TablePages] = {}
        self._tasks: set[Task[None]] = set()
        #: The players whose last page here has just closed, by (table, player).
        self._leaving: dict[tuple[str, str], TimerHandle] = {}
        #: This server in the messages to the others.
        self._name = token_hex(8)
        service.store.message_listeners.append(self._receive)

    async def open(self, table: str, viewer: Viewer) -> ViewerChannel:
        """Return the channel (shared stream) of a viewer's pages, at the table's latest state."""
        pages = self._tables.get(table)
        if pages is None or pages.ended:
            pages = self._tables[table] = TablePages(
                self._streams, self._service, table, self._note_player
            )
        return await pages.open(viewer)

    def connected(self, table: str) -> set[str]:
        """Return the names of the players who have a page of this table open."""
        pages = self._tables.get(table)
        return pages.connected() if pages is not None else set()

    def _note_player(self, table: str, player: str) -> None:
        """Schedule the log entry that a player is back or away, after a page was opened or closed.

        After the last page is closed, wait a while: a page that reloads or loses its connection is
        back in a few seconds, perhaps at another server, which then sends a message.
        """
        self._stop_waiting(table, player)
        if self._streams.stopping:
            return
        if player in self.connected(table):
            self._run(self._send_presence(_OPEN_WORD, table, player))
            self._write_away(table, player, False)
        else:
            self._run(self._send_presence(_CLOSED_WORD, table, player))
            later = get_running_loop().call_later
            self._leaving[table, player] = later(_AWAY_SECONDS, self._note_absence, table, player)

    def _stop_waiting(self, table: str, player: str) -> None:
        """Cancel the scheduled log entry that a player is away."""
        timer = self._leaving.pop((table, player), None)
        if timer is not None:
            timer.cancel()

    def _note_absence(self, table: str, player: str) -> None:
        self._leaving.pop((table, player), None)
        if player not in self.connected(table) and not self._streams.stopping:
            self._write_away(table, player, True)

    async def _send_presence(self, word: str, table: str, player: str) -> None:
        """Tell the other servers whether a player has a page of this table open.

        ``word`` is the kind of the message, and says which.
        """
        with suppress(UnavailableError):  # `TablePages` corrects what was written too soon.
            await self._service.store.send_message(word, table, player, self._name)

    def _receive(self, words: Sequence[str]) -> None:
        """Handle another server's message about a player's pages."""
        match words:
            case [_, _, _, name] if name == self._name:
                return
            case [word, table, player, _] if word == _OPEN_WORD:
                self._stop_waiting(table, player)
            case [word, table, player, _] if player in self.connected(table):
                self._run(self._send_presence(_OPEN_WORD, table, player))

    def _write_away(self, table: str, player: str, away: bool) -> None:
        """Start a task that logs that a player is away or, if the log says so, back again."""
        cached = self._service.tables.get_cached(table)
        if cached is not None and not away and player not in cached.live.away:
            return
        self._run(self._set_away(table, player, away))

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _set_away(self, table: str, player: str, away: bool) -> None:
        with suppress(ServiceError):  # The store cannot be written. Others wait for the player.
            await self._service.set_away(table, player, away)

    def has_visitors(self, table: str) -> bool:
        """Return whether anybody has a page of this table open."""
        pages = self._tables.get(table)
        return pages is not None and pages.has_visitors


class TablePages:
    """The open pages of one table. It ends a few seconds after the last page was closed.

    ``note_player`` is called with the table's id and a player's name when a page of that player
    opens or closes.
    """

    def __init__(
        self,
        streams: Streams,
        service: TableService,
        table: str,
        note_player: Callable[[str, str], None],
    ) -> None:
        self.streams, self.service, self.table = streams, service, table
        self._note_player = note_player
        self.ended = False
        self._feed: PageFeed | None = None
        self._cached: CachedTable | None = None
        self._channels: dict[Viewer, ViewerChannel] = {}
        self._presence: TimerHandle | None = None
        #: The entries after which the pages' state was computed. Only there can a page resume.
        self.states: deque[int] = deque(maxlen=_KEPT_STATES)
        self._task = create_task(self._run())

    async def open(self, viewer: Viewer) -> ViewerChannel:
        """Return the channel (shared stream) of a viewer's pages, at the table's latest state."""
        after = (await self.service.tables.get(self.table)).live.head.seq - LISTED_ENTRIES
        log = (
            await self.service.entries(self.table, max(-1, after))
            if viewer.holder.role in CREW_ROLES
            else []
        )
        cached = await self.service.tables.get(self.table)
        feed = self._advance(cached)
        feed.add(viewer, [entry for entry in log if entry.seq <= feed.seq])
        channel = self._channels.get(viewer)
        if channel is None or channel.ended:
            channel = ViewerChannel(self, viewer, feed.seq)
            self._channels[viewer] = channel
            self.streams.register(channel)
        return channel

    def whole(self, viewer: Viewer) -> tuple[int, dict[str, object]]:
        """Return (number of the last entry, whole state of a viewer's page)."""
        assert self._feed is not None
        return self._feed.seq, self._feed.whole(viewer)

    def read_time(self) -> str:
        """Return the table's time (`CachedTable.read_time`), from which pages count down."""
        assert self._cached is not None
        return self._cached.read_time(self.service.clock.now()).isoformat()

    async def _run(self) -> None:
        try:
            await run_until_ended(self.streams, self.table, self._follow_table())
        finally:
            self._end()

    async def _follow_table(self) -> None:
        async for cached in self.service.streams.follow_states(self.table):
            self._advance(cached)

    def _advance(self, cached: CachedTable) -> PageFeed:
        """Apply a table's new entries to its pages, send each viewer the changes, return the feed.

        Raise ServiceError if the pages are so far behind that entries are missing.
        """
        feed, self._cached = self._feed, cached
        if feed is None:
            feed = self._feed = PageFeed(cached.live)
            self.states.append(feed.seq)
        near = cached.entries_after(feed.seq)
        if near is None:
            self._end()
            raise ServiceError("unavailable", say_web("pages-behind"))
        if not near:
            return feed
        throws = [describe_throw(seq, one) for seq, one in cached.recent_throws if seq > feed.seq]
        entries = [one.entry for one in near] if feed.lists_entries else []
        events = feed.advance(cached.live, entries, throws)
        self.states.append(feed.seq)
        for viewer, channel in self._channels.items():
            if viewer in events:
                channel.publish(Frame(feed.seq, events[viewer]))
            else:
                channel.head = feed.seq
        for player in self.connected() & cached.live.away if cached.live.away else ():
            self._note_player(self.table, player)  # Another server wrote it, wrongly.
        for channel in list(self._channels.values()):
            for one in near:
                channel.wake_streams(one.withdrawn)
        return feed

    def remove(self, channel: ViewerChannel) -> None:
        """Forget a channel that was closed. End these pages if it was the last one."""
        if self._channels.get(channel.viewer) is channel:
            del self._channels[channel.viewer]
            if self._feed is not None:
                self._feed.remove(channel.viewer)
        if not self._channels:
            self._end()

    def _end(self) -> None:
        if self.ended:
            return
        self.ended = True
        self._task.cancel()
        if self._presence is not None:
            self._presence.cancel()
        for channel in list(self._channels.values()):
            channel.close()

    # Who is connected.

    @property
    def has_visitors(self) -> bool:
        """Whether anybody has a page of the table open."""
        return any(channel.listeners for channel in self._channels.values())

    def connected(self) -> set[str]:
        """Return the names of the players who have a page open."""
        return {
            viewer.holder.name
            for viewer, channel in self._channels.items()
            if viewer.holder.role == "player" and viewer.holder.name and channel.listeners
        }

    def presence_frame(self) -> bytes:
        """Return the event, as bytes, that says who is connected to this server.

        People who came by an invitation and have not sat down yet count as watchers.
        """
        watchers = sum(
            len(channel.listeners)
            for viewer, channel in self._channels.items()
            if viewer.holder.role == "watcher" or viewer.holder == Holder("player")
        )
        data = {"watchers": watchers, "connected": sorted(self.connected())}
        return b"event: presence\ndata: %b\n\n" % msgspec.json.encode(data)

    def announce_presence(self, viewer: Viewer) -> None:
        """Schedule that all pages get the list of who is connected.

        Call this when ``viewer`` has opened or closed a page. For a player, also call
        ``note_player``, which logs that the player is away or back.
        """
        if viewer.holder.role == "player" and viewer.holder.name:
            self._note_player(self.table, viewer.holder.name)
        if self._presence is not None or self.ended:
            return
        pages = sum(len(channel.listeners) for channel in self._channels.values())
        delay = _PRESENCE_SECONDS + pages / _PAGES_PER_SECOND
        self._presence = get_running_loop().call_later(delay, self._send_presence)

    def _send_presence(self) -> None:
        self._presence = None
        frame = self.presence_frame()
        for channel in self._channels.values():
            for stream in channel.listeners:
                stream.request_note(frame)

    # What a page that reconnects has missed.

    async def read_missed_throws(self, after: int) -> list[PageThrow]:
        """Return the throws after entry ``after``, at most from the latest thousand entries.

        A corrected throw is left out, because its correction is in the list.
        """
        cached = await self.service.tables.get(self.table)
        known = {seq: describe_throw(seq, throw) for seq, throw in cached.recent_throws}
        since = max(after, cached.live.head.seq - _MISSED_ENTRIES)
        throws: dict[int, PageThrow] = {}
        for entry in await self.service.entries(self.table, since):
            throws.pop(entry.more.get("corrects", -1), None)
            for event in entry.events:
                if event["event"] == "rolled":
                    dice = event["first"], event["second"]
                    thrown = known.get(entry.seq) or PageThrow(entry.seq, dice, str(sum(dice)))
                    throws[entry.seq] = thrown
        return list(throws.values())


class ViewerChannel(Channel):
    """The channel (shared stream) of one viewer's pages at one table."""

    def __init__(self, pages: TablePages, viewer: Viewer, head: int) -> None:
        super().__init__(pages.streams, ("page", pages.table, viewer), head, _KEPT_CHANGES)
        self._pages, self.viewer = pages, viewer

    def frames_after(self, seq: int) -> Sequence[Frame] | None:
        """Return the changes after entry ``seq``, or None if a page needs the whole state."""
        return super().frames_after(seq) if seq in self._pages.states else None

    async def read_missing(self, after: int) -> Sequence[Frame]:
        """Return one frame: the whole state, and the throws after entry ``after`` to animate."""
        throws = await self._pages.read_missed_throws(after) if after >= 0 else []
        seq, whole = self._pages.whole(self.viewer)
        throws = [throw for throw in throws if throw.seq <= seq]
        body = {"at": self._pages.read_time(), "whole": whole}
        return [Frame(seq, encode_event(seq, body, throws))]

    def join(self, stream: Stream) -> None:
        """Add a stream, and soon afterwards send all pages the list of who is connected."""
        super().join(stream)
        stream.request_note(self._pages.presence_frame())
        self._pages.announce_presence(self.viewer)

    def leave(self, stream: Stream) -> None:
        """Remove a stream, and soon afterwards send all pages the list of who is connected."""
        super().leave(stream)
        self._pages.announce_presence(self.viewer)

    def close(self) -> None:
        """End the streams, and remove this channel from the table's pages."""
        super().close()
        self._pages.remove(self)
