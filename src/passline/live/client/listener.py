"""Follow a table's log in a thread and compute the table's state from it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

from passline.game.words.log import say_log
from passline.live.client.client import Client
from passline.live.client.http import ClientError
from passline.live.live_table import LiveTable, open_from_entry
from passline.live.log_entries import Entry
from passline.version import VERSION

#: What a listener passes on: an entry, or the error that ended it.
EntryOrError = Entry | Exception


class LogListener:
    """Follows a table's log in a thread, from the first entry until ``close``.

    The thread calls ``hear`` with each entry in order. If an error (ClientError, ChainError) ends
    the stream, it calls ``hear`` one last time with that error.
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
        except Exception as wrong:  # The reader must learn of every error.
            if not self._over:
                self._hear(wrong)

    def close(self) -> None:
        """Stop listening, and close the client: its streams and its connection."""
        self._over = True
        self._client.close()
        self._thread.join(1.0)


class FollowedTable:
    """A table's state, computed from its log one entry at a time."""

    def __init__(self, client: Client) -> None:
        self._arrivals: SimpleQueue[EntryOrError | None] = SimpleQueue()
        self._table = client.table
        self._live: LiveTable | None = None
        self._listener = LogListener(client, self._arrivals.put)

    @property
    def live(self) -> LiveTable:
        """The state after the entries read so far. At least one must have been read."""
        assert self._live is not None, "nothing was heard yet"
        return self._live

    def next(self, seconds: float) -> Entry | None:
        """Wait up to ``seconds`` for the next entry, apply it to ``live`` and return it.

        Return None if no entry arrives in time or ``wake`` is called. Raise the error that ended
        the stream, if one did.
        """
        try:
            arrival = (
                self._arrivals.get(timeout=seconds) if seconds > 0 else self._arrivals.get_nowait()
            )
        except Empty:
            return None
        if arrival is None:
            return None
        if isinstance(arrival, Exception):
            self._arrivals.put(arrival)  # The next call raises it again.
            raise arrival
        self._live = fold_entry(self._table, self._live, arrival)
        return arrival

    def wake(self) -> None:
        """Make one call of ``next``, the one that waits or the one that comes next, return None.

        A signal handler may call this, because SimpleQueue is reentrant.
        """
        self._arrivals.put(None)

    def close(self) -> None:
        """Stop following the log, and close the client."""
        self._listener.close()


def fold_entry(table: str, live: LiveTable | None, entry: Entry) -> LiveTable:
    """Return the state after an entry. ``live`` is the state before it, or None for entry 0.

    ``table`` is the table's id. Raise ClientError if this version cannot apply the entry.
    """
    try:
        return open_from_entry(table, entry) if live is None else live.apply_entry(entry)
    except Exception as wrong:
        why = f"{type(wrong).__name__}: {str(wrong)[:200]}"
        words = say_log("later-entry", version=VERSION, seq=entry.seq, why=why)
        raise ClientError(200, words) from None
