"""What every store promises, held over each of them."""

from __future__ import annotations

import asyncio
import tracemalloc

import pytest

from passline.live.hash_chain import verify_chain
from passline.live.log_entries import EMPTY_LOG_HEAD, Draft, EntryError, LogHead, read_entry
from passline.live.store import (
    Append,
    Appended,
    DuplicateRequest,
    ForkedError,
    Secret,
    SequenceConflict,
    Snapshot,
    Store,
    TableListing,
    UnavailableError,
)
from passline.live.stores.memory import MemoryStore
from passline.live.tokens import Holder, make_grant
from tests.live.conftest import Opener
from tests.live.helpers import OPENING, insist, line_draft, opened, whole, written

pytestmark = pytest.mark.anyio


async def test_a_table_opens_with_all_that_belongs_to_it(store: Store) -> None:
    token = "a" * 32
    first = Secret("c" * 64, b"\x00sealed\xff")
    grants = [make_grant(token, "player", "ann"), make_grant("b" * 32, "stick")]
    entry = written(await store.create("t1", OPENING, secret=first, grants=grants))
    assert (entry.seq, entry.prev, entry.more) == (0, "", OPENING.more)
    assert await store.read("t1") == [entry]
    assert await store.head("t1") == entry.head
    assert await store.secret("t1") == first
    assert await store.holder("t1", token) == Holder("player", "ann")
    assert await store.holder("t1", "b" * 32) == Holder("stick")
    assert await store.holder("t1", "c" * 32) is None
    assert await store.holder("t2", token) is None
    assert [await store.is_known_token(one) for one in (token, "c" * 32, "")] == [
        True,
        False,
        False,
    ]
    assert await store.table("t1") == TableListing("t1", 0, OPENING.more["settings"])


async def test_a_table_opens_once(store: Store) -> None:
    entry = written(await store.create("t1", OPENING))
    other = await store.create("t1", OPENING, grants=[make_grant("a" * 32, "stick")])
    assert other == SequenceConflict()
    assert await store.read("t1") == [entry]
    assert await store.holder("t1", "a" * 32) is None


async def test_entries_come_back_as_they_were_stamped(store: Store) -> None:
    head, kept = await opened(store), []
    for number in range(5):
        draft = line_draft(f"place 6 for {number}", f"i{number}")
        kept.append(written(await store.append(Append(table="t1", after=head, drafts=[draft]))))
        head = kept[-1].head
    assert await store.read("t1", 0) == kept
    assert await store.read("t1", 2, 2) == kept[2:4]
    assert await store.read("t1", 5) == await store.read("t1", 99) == []
    assert [entry.seq for entry in await store.read("t1", -7)] == list(range(6))
    assert verify_chain(await whole(store, "t1")) == head == await store.head("t1")
    assert [read_entry(entry.text()) for entry in kept] == kept
    pages = [entry.seq async for entry in store.log("t1", page=2)]
    assert pages == list(range(6))


async def test_what_is_not_there_is_empty(store: Store) -> None:
    assert await store.tables() == []
    for table in ("nowhere", "", "no such\x00name", "ü", "x" * 65):
        assert await store.read(table) == []
        assert await store.head(table) is None
        assert await store.table(table) is None
        assert await store.find(table, "player", "ann", "i") is None
        assert await store.secret(table) is None
        assert await store.holder(table, "t") is None
        assert await store.snapshot(table, "view") is None


async def test_who_appends_second_catches_up(store: Store) -> None:
    head = await opened(store)
    first = await store.append(Append(table="t1", after=head, drafts=[line_draft("a")]))
    second = await store.append(Append(table="t1", after=head, drafts=[line_draft("b")]))
    assert isinstance(first, Appended)
    assert second == SequenceConflict()
    assert len(await store.read("t1")) == 2


async def test_an_id_writes_once_whatever_it_is_made_of(store: Store) -> None:
    await opened(store)
    for number in ("1", "", "\x00", "é\u2028\U0001f3b2", '"\\', "x" * 16000):
        entry = written(await insist(store, "t1", line_draft("roll", number)))
        again = await insist(store, "t1", line_draft("other words", number))
        assert again == DuplicateRequest(entry)
        assert await store.find("t1", "player", "ann", number) == entry
    assert isinstance(await insist(store, "t1", line_draft("roll", "1", by="bob")), Appended)
    assert isinstance(await insist(store, "t1", line_draft("roll", "1", role="stick")), Appended)
    await opened(store, "t2")
    assert isinstance(await insist(store, "t2", line_draft("roll", "1")), Appended)
    assert await store.find("t1", "player", "ann", "unheard") is None


async def test_an_id_is_known_even_after_an_old_head(store: Store) -> None:
    head = await opened(store)
    entry = written(await insist(store, "t1", line_draft("roll", "1")))
    await insist(store, "t1", line_draft("roll", "2"))
    stale = await store.append(Append(table="t1", after=head, drafts=[line_draft("roll", "1")]))
    assert stale == DuplicateRequest(entry)


async def test_entries_without_an_id_may_be_alike(store: Store) -> None:
    await opened(store)
    for _ in range(3):
        assert isinstance(await insist(store, "t1", line_draft("dead", by="machine")), Appended)
    assert len(await store.read("t1")) == 4


async def test_what_belongs_to_an_entry_goes_with_it_or_not_at_all(store: Store) -> None:
    head = await opened(store)
    tokens = ["a" * 32, "b" * 32]
    joined = Append(
        table="t1",
        after=head,
        drafts=[
            line_draft("ann joins for 100", "1"),
            line_draft("one", by="machine"),
            line_draft("two"),
        ],
        secret=Secret("1" * 64, b"one"),
        grants=[make_grant(tokens[0], "player", "ann")],
    )
    outcome = await store.append(joined)
    assert isinstance(outcome, Appended)
    assert [entry.seq for entry in outcome.entries] == [1, 2, 3]
    late = Append(
        table="t1",
        after=head,
        drafts=[line_draft("bob joins for 100", "2"), line_draft("three")],
        secret=Secret("2" * 64, b"two"),
        grants=[make_grant(tokens[1], "player", "bob")],
        withdrawn=[Holder("player", "ann")],
    )
    assert await store.append(late) == SequenceConflict()
    assert await store.holder("t1", tokens[0]) == Holder("player", "ann")
    assert await store.holder("t1", tokens[1]) is None
    assert await store.secret("t1") == Secret("1" * 64, b"one")
    assert verify_chain(await whole(store, "t1")).seq == 3


async def test_tokens_are_withdrawn_and_not_taken_over(store: Store) -> None:
    tokens = ["a" * 32, "b" * 32, "c" * 32]
    entry = written(
        await store.create("t1", OPENING, grants=[make_grant(token, "stick") for token in tokens])
    )
    taken_over = [make_grant(tokens[0], "floor"), make_grant("d" * 32, "box")]
    entry = written(
        await store.append(
            Append(table="t1", after=entry.head, drafts=[line_draft("")], grants=taken_over)
        )
    )
    assert await store.holder("t1", tokens[0]) == Holder("stick")
    gone = Append(
        table="t1",
        after=entry.head,
        drafts=[line_draft("")],
        withdrawn=[Holder("stick"), Holder("nobody", "there")],
        grants=[make_grant(tokens[1], "stick")],
    )
    written(await store.append(gone))
    assert [await store.holder("t1", token) for token in tokens] == [None, Holder("stick"), None]
    assert await store.holder("t1", "d" * 32) == Holder("box")


async def test_nothing_follows_what_is_not_there(store: Store) -> None:
    head = await opened(store)
    for lost in (LogHead(0, "f" * 64, head.at), LogHead(7, head.hash, head.at)):
        with pytest.raises(ForkedError):
            await store.append(
                Append(table="t1", after=lost, drafts=[line_draft("a"), line_draft("b")])
            )
    with pytest.raises(ForkedError):
        await store.append(Append(table="t9", after=head, drafts=[line_draft("a")]))
    assert len(await store.read("t1")) == 1


async def test_a_bad_draft_spoils_nobody_elses(store: Store) -> None:
    heads = [await opened(store, f"t{number}") for number in range(4)]
    bad = Draft(role="player", by="ann", events=[{"cents": 0.5}])
    drafts = [line_draft("a"), bad, line_draft("b"), line_draft("c")]
    outcomes = await asyncio.gather(
        *(
            store.append(Append(table=f"t{number}", after=heads[number], drafts=[draft]))
            for number, draft in enumerate(drafts)
        ),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [Appended, EntryError, Appended, Appended]


async def test_one_loser_never_aborts_the_others(store: Store) -> None:
    heads = [await opened(store, f"t{number}") for number in range(20)]
    drafts = [line_draft("a", "1"), line_draft("b", "2")]
    outcomes = await asyncio.gather(
        *(
            store.append(Append(table=f"t{number}", after=heads[number], drafts=[draft]))
            for number in range(20)
            for draft in drafts
        )
    )
    assert outcomes[1::2] == [SequenceConflict()] * 20
    assert all(isinstance(outcome, Appended) for outcome in outcomes[::2])
    assert sum(size * times for size, times in store.writer.batch_sizes.items()) == 60
    assert max(store.writer.batch_sizes) > 10  # they went together


async def test_the_same_request_at_once_is_written_once(store: Store) -> None:
    head = await opened(store)
    request = Append(table="t1", after=head, drafts=[line_draft("a", "1")])
    outcomes = await asyncio.gather(*(store.append(request) for _ in range(10)))
    entry = written(outcomes[0])
    assert outcomes[1:] == [DuplicateRequest(entry)] * 9


async def test_two_servers_leave_no_gap_and_no_double(another: Opener) -> None:
    stores = [await another(), await another()]
    await opened(stores[0])

    async def write(number: int) -> int:
        entry = written(await insist(stores[number % 2], "t1", line_draft("a", f"i{number}")))
        return entry.seq

    seqs = await asyncio.gather(*(write(number) for number in range(50)))
    assert sorted(seqs) == list(range(1, 51))
    log = await whole(stores[0], "t1")
    assert log == await whole(stores[1], "t1")
    assert verify_chain(log).seq == 50
    assert len({entry.id for entry in log}) == 51


async def test_two_servers_and_the_same_ids(another: Opener) -> None:
    stores = [await another(), await another()]
    await opened(stores[0])
    outcomes = await asyncio.gather(
        *(insist(stores[n % 2], "t1", line_draft("a", f"i{n // 2}")) for n in range(40))
    )
    assert sum(isinstance(outcome, Appended) for outcome in outcomes) == 20
    assert verify_chain(await whole(stores[1], "t1")).seq == 20


async def test_many_tables_from_two_servers(another: Opener) -> None:
    stores = [await another(), await another()]
    tables = [f"t{number}" for number in range(12)]
    for table in tables:
        await opened(stores[0], table)
    await asyncio.gather(
        *(insist(stores[n % 2], tables[(n * 7) % 12], line_draft("a", f"i{n}")) for n in range(240))
    )
    for table in tables:
        assert verify_chain(await whole(stores[0], table)).seq == 20


async def test_the_lobby_lists_tables_and_where_they_stand(store: Store) -> None:
    for table in ("b", "a", "B"):
        await opened(store, table)
    await insist(store, "a", line_draft("x"))
    listed = await store.tables()
    assert [(listing.table, listing.seq) for listing in listed] == [("B", 0), ("a", 1), ("b", 0)]
    assert all(listing.settings == OPENING.more["settings"] for listing in listed)


async def test_time_never_runs_back(store: Store) -> None:
    now = await store.now()
    head = await opened(store)
    assert now <= head.at
    later = LogHead(head.seq, head.hash, "2999-01-01T00:00:00.000000Z")
    entry = written(await store.append(Append(table="t1", after=later, drafts=[line_draft("a")])))
    assert entry.at == later.at


async def test_news_reaches_those_who_wait(another: Opener) -> None:
    here, there = await another(), await another()
    head = await opened(here)
    waiting = [asyncio.create_task(store.wait_for_change("t1", 0)) for store in (here, there)]
    gone = asyncio.create_task(there.wait_for_change("t1", 0))
    await asyncio.sleep(0.05)
    gone.cancel()
    assert not any(task.done() for task in waiting)
    await here.append(Append(table="t1", after=head, drafts=[line_draft("a"), line_draft("b")]))
    assert await asyncio.wait_for(asyncio.gather(*waiting), 5) == [2, 2]
    assert await there.wait_for_change("t1", 1) == 2


async def test_who_asked_may_be_gone_and_others_hear_of_it(store: Store) -> None:
    head = await opened(store)
    waiting = asyncio.create_task(store.wait_for_change("t1", 0))
    asked = asyncio.create_task(
        store.append(Append(table="t1", after=head, drafts=[line_draft("a", "1")]))
    )
    await asyncio.sleep(0)
    asked.cancel()
    assert await asyncio.wait_for(waiting, 5) == 1
    assert await store.find("t1", "player", "ann", "1") is not None


async def test_snapshots_are_caches(store: Store) -> None:
    await opened(store)
    await opened(store, "t2")
    old, new = Snapshot("t1", "view", 3, b"old"), Snapshot("t1", "view", 7, b"\x00new")
    other = Snapshot("t2", "view", 1, b"")
    for snapshot in (new, old, other, Snapshot("t1", "lobby", 9, b"x")):
        await store.save_snapshots(snapshot)
    assert await store.snapshot("t1", "view") == new
    assert await store.snapshots("view") == [new, other]
    assert await store.snapshot("t1", "lobby") is not None


async def test_a_long_log_is_walked_in_flat_memory(store: Store) -> None:
    head, peaks = await opened(store), []
    for _ in range(10):
        drafts = [line_draft("x" * 1000) for _ in range(100)]
        outcome = await store.append(Append(table="t1", after=head, drafts=drafts))
        head = written(outcome).head
    for most in (100, 1000):
        tracemalloc.start()
        walked = [entry.seq async for entry in store.log("t1", page=20) if entry.seq <= most]
        assert walked == list(range(most + 1))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0] + 100_000  # and not ten times


async def test_a_store_that_is_closed_says_so(store: Store) -> None:
    await opened(store)
    await store.close()
    with pytest.raises(UnavailableError):
        await store.create("t2", OPENING)
    if not isinstance(store, MemoryStore):
        with pytest.raises(UnavailableError):
            await store.read("t1")
    await store.close()  # once more does no harm


@pytest.mark.parametrize(
    "append",
    [
        Append(table="no name", after=LogHead(0, "", ""), drafts=[line_draft("a")]),
        Append(table="t1", after=LogHead(0, "", ""), drafts=[]),
        Append(
            table="t1", after=LogHead(0, "", ""), drafts=[line_draft("a"), line_draft("b", "2")]
        ),
        Append(
            table="t1",
            after=EMPTY_LOG_HEAD,
            drafts=[line_draft("a")],
            grants=[make_grant("t", "player", "\x00")],
        ),
        Append(
            table="t1",
            after=EMPTY_LOG_HEAD,
            drafts=[line_draft("a")],
            withdrawn=[Holder("player", "\ud800")],
        ),
    ],
)
async def test_mistakes_are_told(store: Store, append: Append) -> None:
    with pytest.raises(
        ValueError, match=r"not a table id|cannot be named|nothing to append|may have an id"
    ):
        await store.append(append)
