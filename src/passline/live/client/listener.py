"""Listening to a table in a thread of its own, and folding what is heard."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

from passline.live.client.client import Client
from passline.live.client.http import ClientError
from passline.live.entries import Entry
from passline.live.live_table import LiveTable, open_from_entry
from passline.version import VERSION

#: What a listener hands on: an entry, or what ended the listening.
EntryOrError = Entry | Exception


class LogListener:
    """Follows a table's log from its opening, until it is closed.

    What is heard goes to ``hear``, in the listener's thread: entries in order and, once, what
    ended it (ClientError, ChainError).
    """

    def __init__(self, client: Client, hear: Callable[[EntryOrError], None]) -> None:
        self._client, self._hear = client, hear
        self._over = False
        self._thread = threading.Thread(target=self._follow, name="listener", daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        try:
            for entry in self._client.follow():
                if self._over:
                    return
                self._hear(entry)
        except Exception as wrong:  # whoever waits for entries has to hear of it, whatever it is
            if not self._over:
                self._hear(wrong)

    def close(self) -> None:
        """Listen no more."""
        self._over = True
        self._client.close()
        self._thread.join(1.0)


class FollowedTable:
    """A table as what was heard of it says, one entry after the other."""

    def __init__(self, client: Client) -> None:
        self._heard: SimpleQueue[EntryOrError] = SimpleQueue()
        self._table = client.table
        self._live: LiveTable | None = None
        self._listener = LogListener(client, self._heard.put)

    @property
    def live(self) -> LiveTable:
        """The table as far as it was heard of."""
        assert self._live is not None, "nothing was heard yet"
        return self._live

    def next(self, seconds: float) -> Entry | None:
        """The next entry, folded; None where none comes within so many seconds. Raises what ended
        the listening."""
        try:
            heard = self._heard.get(timeout=seconds) if seconds > 0 else self._heard.get_nowait()
        except Empty:
            return None
        if isinstance(heard, Exception):
            self._heard.put(heard)  # for whoever asks again
            raise heard
        self._live = fold_entry(self._table, self._live, heard)
        return heard

    def close(self) -> None:
        """Listen no more."""
        self._listener.close()


def fold_entry(table: str, live: LiveTable | None, entry: Entry) -> LiveTable:
    """The table once an entry was heard: the first one opens it. ClientError where it holds what
    this version does not know: whatever a server sends, it is told in one line."""
    try:
        return open_from_entry(table, entry) if live is None else live.apply_entry(entry)
    except Exception as wrong:
        why = f"{type(wrong).__name__}: {str(wrong)[:200]}"
        raise ClientError(200, f"entry {entry.seq} is not for version {VERSION}: {why}") from None
