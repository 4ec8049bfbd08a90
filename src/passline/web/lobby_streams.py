"""The lobby's pages and their streams: ``GET /`` and ``GET /api/lobby/events``.

The lobby lists its tables on pages, those with players first. A page's state is a JSON object: how
many tables there are, their order on this page, and the card of each as HTML. Browsers get the
whole state once, and then merge patches. It is computed at most once a second for everybody, and
only the cards of changed tables are drawn again.
"""

from __future__ import annotations

from asyncio import Task, create_task, sleep
from collections import deque
from collections.abc import Sequence
from fractions import Fraction
from time import time
from typing import Any, Final

import msgspec

from passline.game.law.book_files import BookError
from passline.game.law.load import rulebook
from passline.game.money.amounts import show_dollars
from passline.live.lobby import Lobby, LobbyRow
from passline.live.log_entries import JsonObject
from passline.live.merge_patch import make_patch
from passline.live.schema import ServiceError
from passline.web.event_streams import Channel, Frame, Streams
from passline.web.page_templates import contains_words, render_page

#: Tables on one page of the lobby.
PAGE_TABLES: Final = 48
#: Seconds between two looks at what has changed.
_UPDATE_SECONDS: Final = 1.0
#: Changes that a page of the lobby keeps for browsers that reconnect.
_KEPT_CHANGES: Final = 50
#: The most cards in memory.
_MAX_CARDS: Final = 5_000
#: Names of players on a card.
_SHOWN_NAMES: Final = 6


class LobbyPages:
    """The pages of the lobby, and the streams that keep them up to date."""

    def __init__(self, lobby: Lobby, streams: Streams) -> None:
        self._lobby, self.streams = lobby, streams
        self._sorted: tuple[int, list[LobbyRow]] = (-1, [])
        self._cards: dict[str, tuple[LobbyRow, str]] = {}
        self._channels: dict[int, LobbyChannel] = {}
        self._task: Task[None] | None = None

    async def page(self, number: int, words: Sequence[str] = ()) -> JsonObject:
        """Return page ``number`` (from 1) of the listed tables whose names contain all ``words``.

        The page is a JSON object: counts, the order of the table ids, and each table's card as
        HTML. A number that is too high or too low means the last or first page.
        """
        rows = await self._sort_rows()
        if words:
            rows = [row for row in rows if contains_words(row.listed.name, words)]
        pages = max(1, -(-len(rows) // PAGE_TABLES))
        number = min(max(1, number), pages)
        shown = rows[(number - 1) * PAGE_TABLES : number * PAGE_TABLES]
        return {
            "count": len(rows),
            "page": number,
            "pages": pages,
            "order": [row.listed.table for row in shown],
            "cards": {row.listed.table: self._draw_card(row) for row in shown},
        }

    async def _sort_rows(self) -> list[LobbyRow]:
        """Return the listed tables, sorted by `_sort_key`."""
        rows = await self._lobby.rows()
        if self._sorted[0] != self._lobby.version:
            listed = [row for row in rows.values() if row.is_listed]
            self._sorted = self._lobby.version, sorted(listed, key=_sort_key)
        return self._sorted[1]

    def _draw_card(self, row: LobbyRow) -> str:
        """Return a table's card as HTML, from the cache if it would look the same as before."""
        table = row.listed.table
        known = self._cards.get(table)
        if known is not None and known[0].public_fields == row.public_fields:
            return known[1]
        if len(self._cards) >= _MAX_CARDS:
            self._cards.clear()
        card = render_page("lobby_card.html", table=_describe_table(row))
        self._cards[table] = row, card
        return card

    # Streams.

    async def open(self, number: int) -> LobbyChannel:
        """Return the channel (the shared stream) of a page of the lobby. Pages count from 1."""
        state = await self.page(number)
        channel = self._channels.get(number)
        if channel is None or channel.ended:
            channel = self._channels[number] = LobbyChannel(self, number, state)
            self.streams.register(channel)
        if self._task is None or self._task.done():
            self._task = create_task(self._run())
        return channel

    async def _run(self) -> None:
        """Send each page's changes to its streams once a second, while any page has streams."""
        while self._channels:
            await sleep(_UPDATE_SECONDS)
            try:
                for channel in list(self._channels.values()):
                    channel.show(await self.page(channel.number))
            except ServiceError:
                continue  # The store cannot be read now.

    def remove(self, channel: LobbyChannel) -> None:
        """Forget the channel of a page that has closed."""
        if self._channels.get(channel.number) is channel:
            del self._channels[channel.number]


class LobbyChannel(Channel):
    """The channel (shared stream) of one page of the lobby."""

    def __init__(self, pages: LobbyPages, number: int, state: JsonObject) -> None:
        # The numbers of events begin at the time, so that no other server has sent the same ones.
        super().__init__(pages.streams, ("lobby", number), int(time() * 1000), _KEPT_CHANGES)
        self._pages, self.number, self._state = pages, number, state
        self._states: deque[int] = deque([self.head], _KEPT_CHANGES)

    def show(self, state: JsonObject) -> None:
        """Set the page's state. If it changed, send the changes to the streams."""
        changes = make_patch(self._state, state)
        if changes:
            self._state = state
            self.publish(Frame(self.head + 1, _encode_event(self.head + 1, {"changes": changes})))
            self._states.append(self.head)
            self.wake_streams()

    def frames_after(self, seq: int) -> Sequence[Frame] | None:
        """Return the changes after event ``seq``, or None if the browser needs the whole page."""
        return super().frames_after(seq) if seq in self._states else None

    async def read_missing(self, after: int) -> Sequence[Frame]:
        """Return the whole page as one frame. ``after`` does not matter."""
        return [Frame(self.head, _encode_event(self.head, {"whole": self._state}))]

    def close(self) -> None:
        """Stop sending, and end the streams."""
        super().close()
        self._pages.remove(self)


def _encode_event(seq: int, body: JsonObject) -> bytes:
    data = msgspec.json.encode({"seq": seq, **body})
    return b"id: %d\nevent: page\ndata: %b\n\n" % (seq, data)


def _sort_key(row: LobbyRow) -> tuple[bool, int, str, str]:
    """Return the key by which tables are sorted: those with players and a free seat first.

    After that, tables with more players come first, and then they are sorted by name.
    """
    listed = row.listed
    has_company = 0 < listed.players < listed.seats
    return not has_company, -listed.players, listed.name.casefold(), listed.table


def _describe_table(row: LobbyRow) -> dict[str, Any]:
    """Return the template's values for a table's card in the lobby."""
    listed = row.listed
    return {
        **msgspec.structs.asdict(listed),
        "minimum": show_dollars(Fraction(listed.minimum) * 100),
        "maximum": show_dollars(Fraction(listed.maximum) * 100),
        "id": listed.table,
        "rulebook": _book_title(listed.rulebook),
        "shooter": row.shooter,
        "names": row.names[:_SHOWN_NAMES],
        "more_names": max(0, len(row.names) - _SHOWN_NAMES),
    }


def _book_title(book_id: str) -> str:
    """Return a rulebook's title, or its id if the rulebook is no longer installed."""
    try:
        return rulebook(book_id).title
    except BookError:
        return book_id
