"""The hash chain of a log: give entries their numbers and hashes, and verify them. Pure.

An entry's hash is the SHA-256 of its other fields as canonical JSON (see `log_entries`). Each entry
holds the hash of the entry before it, so the last hash fixes the whole log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256

import msgspec

from passline.game.words.log import say_log
from passline.live.log_entries import (
    EMPTY_LOG_HEAD,
    FIELD_NAMES,
    Draft,
    Entry,
    EntryError,
    LogHead,
    insert_hash,
)

_HASH_PATTERN = re.compile(r"[0-9a-f]{64}", re.ASCII)


class ChainError(Exception):
    """An entry of a log does not follow from the one before it.

    ``seq`` is its number, and ``why`` says what is wrong. ``code`` selects that sentence in
    `game.words.log`.
    """

    def __init__(self, seq: int, code: str, /, **figures: object) -> None:
        self.seq, self.why = seq, say_log(code, **figures)
        super().__init__(f"entry {seq}: {self.why}")


def stamp_entry(draft: Draft, after: LogHead, now: str) -> Entry:
    """Turn a draft into the log's next entry: give it its number, its time and its hash.

    ``after`` is the log's head. The time is ``now``, or the head's time if that is later. Raise
    EntryError if the draft cannot be an entry.
    """
    return stamp_with_bytes(draft, after, now)[0]


def stamp_with_bytes(draft: Draft, after: LogHead, now: str) -> tuple[Entry, bytes, bytes]:
    """Like `stamp_entry`, but return (entry, the bytes that its hash covers, its log line).

    Raise EntryError for the same reasons.
    """
    if not FIELD_NAMES.isdisjoint(draft.more):
        raise EntryError("fields-twice", names=sorted(FIELD_NAMES & set(draft.more)))
    entry = Entry(
        seq=after.seq + 1,
        at=max(now, after.at),
        role=draft.role,
        by=draft.by,
        id=draft.id,
        line=draft.line,
        events=list(draft.events),
        prev=after.hash,
        hash="",
        more=dict(draft.more),
    )
    first, last = entry.halves()
    body = first + b"," + last
    found = hash_body(body)
    return msgspec.structs.replace(entry, hash=found), body, insert_hash(first, found, last)


def hash_body(body: bytes) -> str:
    """Return the SHA-256 of an entry's canonical bytes as 64 hex digits."""
    return sha256(body).hexdigest()


def iter_verified(entries: Iterable[Entry], after: LogHead = EMPTY_LOG_HEAD) -> Iterator[Entry]:
    """Yield the given entries unchanged, one at a time. Raise ChainError at the first broken link.

    ``after`` is the head of the log before the first of them.
    """
    head = after
    for entry in entries:
        try:
            body = entry.body()
        except EntryError as wrong:
            raise ChainError(entry.seq, "said", words=wrong) from None
        check_link(entry, body, head)
        head = entry.head
        yield entry


def check_link(entry: Entry, body: bytes, after: LogHead) -> None:
    """Raise ChainError unless an entry is the next one after the log's head ``after``.

    ``body`` holds the entry's canonical bytes, which its hash must match.
    """
    if entry.seq != after.seq + 1:
        raise ChainError(after.seq + 1, "wrong-number", seq=entry.seq)
    if entry.prev != after.hash:
        raise ChainError(entry.seq, "wrong-prev")
    if entry.at < after.at:
        raise ChainError(entry.seq, "earlier")
    if not _HASH_PATTERN.fullmatch(entry.hash):
        raise ChainError(entry.seq, "hash-form")
    if hash_body(body) != entry.hash:
        raise ChainError(entry.seq, "wrong-hash")


def verify_chain(entries: Iterable[Entry], after: LogHead = EMPTY_LOG_HEAD) -> LogHead:
    """Check entries that follow the head ``after``, and return the head after the last of them.

    Raise ChainError at the first wrong entry.
    """
    head = after
    for entry in iter_verified(entries, after):
        head = entry.head
    return head
