"""Keep the pages of one table up to date: find what changed and encode it for each viewer. Pure.

A `PageFeed` holds the public state of a table and the private state of each viewer who has a page
open. After new entries, `advance` computes the public changes once and each viewer's private
changes, and returns a server-sent event for every viewer whose page changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from passline.crew.stick import make_stick_call
from passline.live.crew_page import crew_page_state
from passline.live.live_table import LiveTable, TableThrow, parse_time
from passline.live.log_entries import Entry, JsonObject
from passline.live.merge_patch import drop_nulls, make_patch
from passline.live.player_page import PrivateState, SharedKey, public_state
from passline.live.tokens import Holder
from passline.live.views import CREW_ROLES, list_shown_seats

#: Log entries that the page of a post lists.
LISTED_ENTRIES = 100


class Viewer(NamedTuple):
    """The viewer of a page: a token's holder, and the player that a crew member picked there."""

    holder: Holder
    player: str = ""


def find_viewer(live: LiveTable, holder: Holder, player: str = "") -> Viewer:
    """Return the viewer of a page from a request's token holder and the player that it picks.

    A picked player is ignored unless the holder is of the crew and the player is shown at the
    table. That limits the number of different pages, each of which costs the server work.
    """
    crew = holder.role in CREW_ROLES
    known = crew and any(seat.id == player for seat in list_shown_seats(live, holder))
    return Viewer(holder, player if known else "")


class PageThrow(NamedTuple):
    """A throw as a page shows it: its entry's number, its faces, and the stickperson's call."""

    seq: int
    dice: tuple[int, int]
    call: str


def describe_throw(seq: int, thrown: TableThrow) -> PageThrow:
    """Return a throw as pages show it. ``seq`` is the number of its entry."""
    rolled = thrown.rolled
    return PageThrow(
        seq, (rolled.first, rolled.second), make_stick_call(thrown.before, thrown.rolled)
    )


def encode_event(seq: int, body: JsonObject, throws: Sequence[PageThrow] = ()) -> bytes:
    """Return a server-sent event of a page, as bytes.

    ``seq`` is the number of the last entry that it covers. ``body`` holds the page's state as
    ``whole``, or a merge patch as ``changes``. ``throws`` are the throws to animate.
    """
    data: JsonObject = {"seq": seq, **body}
    if throws:
        data["throws"] = [throw._asdict() for throw in throws]
    return b"id: %d\nevent: page\ndata: %b\n\n" % (seq, msgspec.json.encode(data))


class PageFeed:
    """The open pages of one table. ``live`` is the state that they show."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live
        self._public = public_state(live)
        self._key = SharedKey(live)
        self._viewers: dict[Viewer, _ViewerState] = {}

    @property
    def seq(self) -> int:
        """The number of the last entry that the pages show."""
        return self.live.head.seq

    @property
    def lists_entries(self) -> bool:
        """Whether a page of the crew is open. Such pages list the log."""
        return any(viewer.holder.role in CREW_ROLES for viewer in self._viewers)

    def add(self, viewer: Viewer, log: Sequence[Entry] = ()) -> None:
        """Add a viewer, whose changes ``advance`` then computes.

        ``log`` holds the latest entries, which the crew's pages list.
        """
        if viewer not in self._viewers:
            self._viewers[viewer] = _ViewerState(viewer, self.live, log, self._key)

    def remove(self, viewer: Viewer) -> None:
        """Forget a viewer who has closed the page."""
        self._viewers.pop(viewer, None)

    def whole(self, viewer: Viewer) -> JsonObject:
        """Return the whole state of a viewer's page as JSON. The viewer must have been added."""
        return self._public | self._viewers[viewer].state

    def advance(
        self, live: LiveTable, entries: Sequence[Entry], throws: Sequence[PageThrow]
    ) -> dict[Viewer, bytes]:
        """Update all pages to ``live``, the state after the new ``entries``.

        Return the encoded event for each viewer whose page changes. ``throws`` are the new throws.
        """
        before, self.live = self._public, live
        self._public = public_state(live)
        public, key = make_patch(before, self._public), SharedKey(live, self._key)
        self._key = key
        events = {}
        for viewer, view in self._viewers.items():
            changes = public | view.advance(live, key, entries)
            if changes or throws:
                events[viewer] = encode_event(live.head.seq, {"changes": changes}, throws)
        return events


class _ViewerState:
    """The private state of one viewer: the part of the page that other viewers do not see."""

    def __init__(
        self, viewer: Viewer, live: LiveTable, log: Sequence[Entry], key: SharedKey
    ) -> None:
        self._viewer, self._private = viewer, PrivateState(viewer.holder)
        self._log = tuple(log[-LISTED_ENTRIES:])
        self.state = self._compute(live, key)

    def advance(self, live: LiveTable, key: SharedKey, entries: Sequence[Entry]) -> JsonObject:
        """Update ``state`` and return its changes as a merge patch, empty if there are none.

        ``key`` says what all viewers' states depend on (see `SharedKey`).
        """
        self._log = (*self._log, *entries)[-LISTED_ENTRIES:]
        before, self.state = self.state, self._compute(live, key)
        return {} if before is self.state else make_patch(before, self.state)

    def _compute(self, live: LiveTable, key: SharedKey) -> JsonObject:
        state = self._private.update(live, key)
        if self._viewer.holder.role in CREW_ROLES:
            now, viewer = parse_time(live.head.at), self._viewer
            post = crew_page_state(live, viewer.holder, now, viewer.player, self._log)
            return state | {"post": drop_nulls(post)}
        return state
