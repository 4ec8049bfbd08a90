"""Live tables: the log that is their only authority, and what keeps it.

This much needs nothing of the engine: entries and their chain, stores, tokens, the house's dice.
``Client`` is loaded when it is first asked for.
"""

from typing import TYPE_CHECKING, Any

from passline.live.appends import (
    Append,
    Appended,
    AppendOutcome,
    DamagedError,
    ForkedError,
    NumberTaken,
    OccupiedError,
    Secret,
    SeenBefore,
    StoreError,
    UnavailableError,
    UnusableError,
)
from passline.live.dice import Promise
from passline.live.entries import (
    START,
    ChainError,
    Draft,
    Entry,
    EntryError,
    Fair,
    Head,
    chained,
    read_entry,
    verify_chain,
)
from passline.live.store import Listing, Snapshot, Store
from passline.live.stores import open_store
from passline.live.tokens import Grant, Holder

if TYPE_CHECKING:
    from passline.live.client import Client, ClientError

__all__ = [
    "START",
    "Append",
    "AppendOutcome",
    "Appended",
    "ChainError",
    "Client",
    "ClientError",
    "DamagedError",
    "Draft",
    "Entry",
    "EntryError",
    "Fair",
    "ForkedError",
    "Grant",
    "Head",
    "Holder",
    "Listing",
    "NumberTaken",
    "OccupiedError",
    "Promise",
    "Secret",
    "SeenBefore",
    "Snapshot",
    "Store",
    "StoreError",
    "UnavailableError",
    "UnusableError",
    "chained",
    "open_store",
    "read_entry",
    "verify_chain",
]


def __getattr__(name: str) -> Any:
    """The client's names, which no server needs."""
    if name in {"Client", "ClientError"}:
        from passline.live import client

        return getattr(client, name)
    raise AttributeError(f"module 'passline.live' has no attribute {name!r}")
