"""Servers that are wrong on purpose: each breaks one promise, and the worlds must tell.

A mutant that no seed finds would show that the simulation cannot see that promise broken.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import apsw
from msgspec.structs import replace

from passline.live import (
    auto_dealer,
    handle_line,
    repeated_requests,
    service,
    table_cache,
    throw_with_proof,
)
from passline.live.store import (
    Append,
    AppendOutcome,
    StampedAppend,
    Store,
    decode_row,
    stamp_append,
)
from passline.live.stores import memory, sqlite
from passline.web import event_streams
from tests.simulated.plan import Disk

#: What is put where: an owner, the name of what it has, and what takes its place.
Patch = tuple[Any, str, Any]
Mutant = Callable[[], Sequence[Patch]]


def answers_before_it_is_written() -> Sequence[Patch]:
    """An append is acknowledged at once, and written in its own time."""
    submit = Store.append

    async def append(self: Any, append: Append) -> AppendOutcome:
        if append.after.seq < 1:
            return await submit(self, append)
        ready = stamp_append(append, await self.now())
        assert isinstance(ready, StampedAppend)
        asyncio.ensure_future(submit(self, append)).add_done_callback(
            lambda done: done.cancelled() or done.exception()
        )
        return ready.appended

    return [(Store, "append", append)]


def forgets_ids() -> Sequence[Patch]:
    """A request that comes again is written again."""

    async def unseen(*_: Any) -> None:
        return None

    return [
        (memory, "make_duplicate", lambda row, table: None),
        (StampedAppend, "request_key", property(lambda self: None)),
        (handle_line, "find_earlier_entry", unseen),
    ]


def appends_after_anything() -> Sequence[Patch]:
    """What is to be written is written after whatever stands, not after what it was decided on."""
    one = memory.MemoryStore._one

    def anywhere(self: memory.MemoryStore, append: Append, now: str) -> AppendOutcome | Exception:
        log = self.memory_disk.logs.get(append.table, [])
        if log and append.after.seq >= 0:
            append = replace(append, after=decode_row(log[-1], append.table).head)
        return one(self, append, now)

    return [(memory.MemoryStore, "_one", anywhere)]


def drops_a_line_of_catching_up() -> Sequence[Patch]:
    """Whoever has fallen behind misses the last entry of what was appended meanwhile."""

    known = event_streams.Channel.frames_after

    def frames_after(self: event_streams.Channel, seq: int) -> Sequence[event_streams.Frame] | None:
        frames = known(self, seq)
        return frames[1:] if frames is not None and len(frames) > 1 else frames

    return [(event_streams.Channel, "frames_after", frames_after)]


def does_not_sync() -> Sequence[Patch]:
    """A commit returns before it is on the disk."""
    connected = sqlite.connect_file

    def unsynced(*args: Any, **more: Any) -> apsw.Connection:
        connection = connected(*args, **more)
        connection.pragma("synchronous", "off")
        return connection

    return [(sqlite, "connect_file", unsynced)]


def reads_what_it_has() -> Sequence[Patch]:
    """A server answers from what it folded, whatever others appended."""

    async def get(self: table_cache.TableCache, table: str) -> table_cache.CachedTable:
        if table not in self._tables:
            async with table_cache.translate_store_errors():
                self._tables[table] = await table_cache.load_table(self.store, table)
        return self._tables[table]

    return [(table_cache.TableCache, "get", get)]


def forgets_the_restore() -> Sequence[Patch]:
    """After a restore the dice go on with secrets that anybody may know."""

    async def nothing(*_: Any) -> None:
        return None

    patches: list[Patch] = [(auto_dealer, "recommit_all", nothing)]
    return [*patches, (throw_with_proof.HouseDice, "is_unused", lambda self, live: True)]


def keeps_no_secret() -> Sequence[Patch]:
    """A throw's next secret is not written with its entry."""
    write = memory.MemoryStore._write

    def without(self: memory.MemoryStore, ready: StampedAppend) -> None:
        if ready.first.fair is not None:
            ready = replace(ready, append=replace(ready.append, secret=None))
        write(self, ready)

    def stays(self: Any, table: str) -> tuple[bytes, Any]:
        return secrets[table] if table in secrets else secrets.setdefault(table, fresh(self, table))

    secrets: dict[str, tuple[bytes, Any]] = {}
    fresh = throw_with_proof.HouseDice.new_secret
    return [
        (memory.MemoryStore, "_write", without),
        (throw_with_proof.HouseDice, "new_secret", stays),
    ]


def lets_withdrawn_tokens_speak() -> Sequence[Patch]:
    """Whom a token spoke for is remembered for ever."""
    known: dict[tuple[str, str], Any] = {}
    holder = service.TableService.holder

    async def remembered(self: service.TableService, table: str, token: str) -> Any:
        if (table, token) not in known:
            known[table, token] = await holder(self, table, token)
        return known[table, token]

    return [(service.TableService, "holder", remembered)]


def answers_a_repeat_otherwise() -> Sequence[Patch]:
    """A request that comes again is told the number of the last entry, not of its own."""
    again = repeated_requests.repeat_answer

    async def other(
        store: Any, table: table_cache.CachedTable, holder: Any, asked: Any, entry: Any
    ) -> Any:
        answer = await again(store, table, holder, asked, entry)
        return replace(answer, seq=table.live.head.seq, hash=table.live.head.hash)

    return [(service, "repeat_answer", other)]


def folds_twice() -> Sequence[Patch]:
    """An entry that two readers bring is folded by both."""

    async def catch_up(self: table_cache.CachedTable, store: Any) -> None:
        for entry in await store.read(self.live.id, self.live.head.seq):
            self.apply_entry(entry)
        self.stale = False

    return [(table_cache.CachedTable, "catch_up", catch_up)]


def stands_still_behind_its_log() -> Sequence[Patch]:
    """A table whose log is ahead of the clock waits until the clock is there."""
    return [(table_cache.CachedTable, "read_time", lambda self, now: now)]


#: Each mutant, the disk that shows it, and the first of the seeds that are tried.
MUTANTS: dict[Mutant, tuple[Disk, int]] = {
    answers_before_it_is_written: ("shelf", 0),
    forgets_ids: ("shelf", 0),
    appends_after_anything: ("shared", 20),
    drops_a_line_of_catching_up: ("shelf", 0),
    does_not_sync: ("sqlite", 0),
    reads_what_it_has: ("shared", 0),
    forgets_the_restore: ("shelf", 35),
    keeps_no_secret: ("shelf", 0),
    lets_withdrawn_tokens_speak: ("shelf", 0),
    answers_a_repeat_otherwise: ("shelf", 0),
    folds_twice: ("shared", 0),
    stands_still_behind_its_log: ("shelf", 70),
}


@contextmanager
def mutated(mutant: Mutant) -> Iterator[None]:
    """The product, wrong in one way."""
    before: list[Patch] = []
    for owner, name, instead in mutant():
        before.append((owner, name, owner.__dict__[name]))
        setattr(owner, name, instead)
    try:
        yield
    finally:
        for owner, name, was in reversed(before):
            setattr(owner, name, was)
