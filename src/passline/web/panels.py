"""``GET /api/tables/T/worth``: what a seated player's wagers are worth, worked out beside the
loop."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from passline.live.asks import HallError
from passline.live.entries import Entry
from passline.live.hall import Hall
from passline.live.tokens import Holder
from passline.live.worth import MOST_ENTRIES, WorthDesk
from passline.web.answers import json_answer
from passline.web.pages.heavy import Workshop

#: Answers that are kept: whoever asks again before anything happened gets the same.
_KEPT: Final = 200
#: Events and settlements of an entry, on average, beyond which a log is looked back on no more.
_MUCH: Final = 4

Reader = Callable[[Request], Awaitable[Holder]]


class WorthPanel:
    """The handler of the panel. ``reader`` says who asks."""

    def __init__(self, hall: Hall, reader: Reader) -> None:
        self._hall, self._reader = hall, reader
        self._desk, self._workshop = WorthDesk(), Workshop()
        self._kept: OrderedDict[tuple[str, str, int], dict[str, Any]] = OrderedDict()

    async def worth(self, request: Request) -> Response:
        """``GET /api/tables/T/worth``"""
        table, holder = request.path_params["table"], await self._reader(request)
        live = (await self._hall.tables.get(table)).live
        player = holder.name
        if holder.role != "player" or live.table.find(player) is None:
            raise HallError(403, "what is it worth to whom? sit down first")
        key = table, player, live.head.seq
        if key not in self._kept:
            log = await entries_of(self._hall, table, live.head.seq, MOST_ENTRIES)
            made = await self._workshop.done(lambda: self._desk.worth(live, player, log))
            self._kept[key] = made
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return json_answer(self._kept[key])


async def entries_of(hall: Hall, table: str, last: int, most: int) -> list[Entry] | None:
    """A table's log up to an entry; None where it has more entries than ``most``, or where so much
    happened in them that they are as long to look back on as more would be."""
    if last >= most:
        return None
    found: list[Entry] = []
    happened = 0
    while len(found) <= last:
        page = await hall.entries(table, len(found) - 1)
        if not page:
            break
        found += page
        happened += sum(_happened(entry) for entry in page)
        if happened > _MUCH * most:
            return None
    return found[: last + 1]


def _happened(entry: Entry) -> int:
    """How much an entry has to tell: its events, and what a throw settled."""
    return sum(1 + len(event.get("settlements", ())) for event in entry.events)
