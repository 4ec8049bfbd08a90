"""Entries to append, and the ways that tests append them."""

from __future__ import annotations

from passline.live.log_entries import Draft, Entry, LogHead
from passline.live.store import Append, Appended, AppendOutcome, SequenceConflict, Store

OPENING = Draft(
    role="operator",
    by="house",
    more={"version": "0", "house": {}, "settings": {"name": "One", "dice": "secure"}},
)


def line_draft(line: str, id: str | None = None, by: str = "ann", role: str = "player") -> Draft:  # noqa: A002
    """A line as a player said it."""
    return Draft(role=role, by=by, id=id, line=line, events=[{"tag": "test", "cents": 500}])


def written(outcome: AppendOutcome) -> Entry:
    """The last entry of an append that was written."""
    assert isinstance(outcome, Appended), outcome
    return outcome.entries[-1]


async def opened(store: Store, table: str = "t1") -> LogHead:
    """A new table; its head."""
    return written(await store.create(table, OPENING)).head


async def insist(store: Store, table: str, draft: Draft) -> AppendOutcome:
    """Append as a server does: catch up and try again until it is written, or was."""
    while True:
        head = await store.head(table)
        assert head is not None
        outcome = await store.append(Append(table=table, after=head, drafts=(draft,)))
        if not isinstance(outcome, SequenceConflict):
            return outcome


async def whole(store: Store, table: str) -> list[Entry]:
    """A table's whole log."""
    return [entry async for entry in store.log(table)]
