"""Live tables: the log that is their only authority, and what keeps it.

This much needs nothing of the engine: entries and their chain, stores, tokens, the house's dice.
"""

from passline.live.appends import (
    Append,
    Appended,
    DamagedError,
    ForkedError,
    OccupiedError,
    Outcome,
    Secret,
    Seen,
    StoreError,
    Taken,
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

__all__ = [
    "START",
    "Append",
    "Appended",
    "ChainError",
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
    "OccupiedError",
    "Outcome",
    "Promise",
    "Secret",
    "Seen",
    "Snapshot",
    "Store",
    "StoreError",
    "Taken",
    "UnavailableError",
    "UnusableError",
    "chained",
    "open_store",
    "read_entry",
    "verify_chain",
]
