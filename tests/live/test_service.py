"""The service's main path: open, sit, say, throw, read, follow, and the same answer every time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from passline.game.law.load import replace_book, rulebook
from passline.live.dice_proofs import DiceCommitment, verify_throw
from passline.live.log_entries import Draft
from passline.live.replay.timeline import GameTimeline, LiveTableSource
from passline.live.schema import LineRequest, OpenTableRequest, SeatRequest, ServiceError
from passline.live.service import OPERATOR
from passline.live.store import ListingRow, add_checksum
from passline.live.stores.memory import MemoryDisk
from passline.live.table_cache import StreamEntry, load_table
from passline.live.tokens import Holder, token_matches
from passline.version import VERSION
from tests.live.floor import EVERY_POST, NO_WAIT, Floor

pytestmark = pytest.mark.anyio


async def test_a_table_opens_with_its_house_its_settings_and_its_first_commit() -> None:
    floor = await Floor().open(name="One", elections={"odds.multiple": "5"})
    first = (await floor.log())[0]
    assert (first.seq, first.role, first.by, first.id, first.line) == (
        0,
        "operator",
        "house",
        None,
        "",
    )
    assert first.more["version"] == VERSION
    assert first.more["house"]["elections"] == {"odds.multiple": "5"}
    assert first.more["house"]["terms"]["odds.multiple.4"] == "5"
    assert first.more["settings"]["pace"] == {"betting": 10, "shooter": 45}
    assert first.more["settings"]["zone"] == "UTC"
    kept = floor.memory_disk.secrets[floor.table]
    assert kept.commit == first.more["commit"]
    assert set(floor.tokens) == {*EVERY_POST, "watcher", "surveillance"}


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"rulebook": "nowhere"},
        {"rulebook": "iowa", "house": 'rulebook = "iowa"'},
        {"house": "not = = toml"},
        {"rulebook": "iowa", "game": "chess"},
        {"rulebook": "iowa", "elections": {"odds.multiple": "1000"}},
        {"rulebook": "iowa", "elections": {"nothing": "1"}},
        {"rulebook": "iowa", "dice": "typed"},
        {"rulebook": "new-jersey", "game": "automated-craps", "dice": "typed", "posts": EVERY_POST},
        {"rulebook": "iowa", "pace": {"betting": -1}},
        {"rulebook": "iowa", "zone": "../../etc/passwd"},
        {"rulebook": "iowa", "name": "a\nb"},
    ],
)
async def test_what_cannot_be_opened_is_a_400(asked: dict[str, object]) -> None:
    floor = Floor()
    with pytest.raises(ServiceError) as wrong:
        await floor.service.open_table(OpenTableRequest(**asked))  # type: ignore[arg-type]
    assert wrong.value.code == "invalid"
    assert not floor.memory_disk.logs


async def test_a_house_file_opens_a_table() -> None:
    text = 'rulebook = "new-jersey"\nname = "Boardwalk"\n[limits]\nmin = 15\n'
    floor = Floor()
    opened = await floor.service.open_table(
        OpenTableRequest(house=text, elections={"odds.multiple": 3})
    )
    floor.table = opened.table
    assert (await floor.service.view(floor.table))["name"] == "Boardwalk"
    await floor.sit("ann")
    assert await floor.refused("ann", "pass for 10") == "under-minimum"
    await floor.taken("ann", "pass for 15")
    await floor.hold()


async def test_a_round_from_the_first_wager_to_the_record() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    answer = await floor.taken("ann", "ten on the line; field for 5; any seven for 0.50")
    assert [(one.words, one.refusal is None) for one in answer.entries] == [
        ("pass for 10", True),
        ("field for 5", True),
        ("any-seven for 0.50", False),
    ]
    entry = (await floor.log())[-1]
    assert entry.line == "ann: pass for 10; field for 5"
    assert (entry.role, entry.by, entry.hash) == ("player", "ann", answer.hash)
    for _ in range(6):
        await floor.taken("ann", "roll", nonce="lucky")
        if not (await floor.seat("ann")).wagers:
            await floor.taken("ann", "pass for 10")
    await floor.hold()


async def test_every_throw_of_the_house_is_proven_by_the_log() -> None:
    floor = await Floor(seed=5).open(pace=NO_WAIT)
    await floor.sit("ann")
    for number in range(12):
        await floor.say("ann", "pass for 10")
        await floor.taken("ann", "roll", nonce="" if number % 3 else f"n-{number}")
    promise, secrets = DiceCommitment(), set()
    for entry in await floor.log():
        verify_throw(floor.table, promise, entry)
        promise = promise.apply_entry(entry)
        if entry.fair:
            assert entry.line.startswith("roll ")
            secrets.add(entry.fair.secret)
    assert (promise.throws, len(secrets), promise.throws_without_nonce) == (12, 12, 8)
    assert (await floor.service.view(floor.table))["commit"] == promise.commit


async def test_a_refused_throw_reveals_nothing() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    before = floor.memory_disk.secrets[floor.table]
    assert await floor.refused("ann", "roll") == "nobody-may-throw"
    assert floor.memory_disk.secrets[floor.table] == before
    assert len(await floor.log()) == 2


async def test_an_id_gets_its_answer_for_ever_from_any_server() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    say = "pass for 10; field for 0.50; place the 6 for 12"
    first = await floor.say("ann", say, id="x")
    throw = await floor.say("ann", "roll", id="r", nonce="n")
    assert await floor.say("ann", say, id="x") == first
    assert await floor.say("ann", "roll", id="r", nonce="n") == throw
    length = len(await floor.log())
    floor.service = floor.another()
    assert await floor.say("ann", say, id="x") == first
    assert await floor.say("ann", "roll", id="r", nonce="n") == throw
    assert len(await floor.log()) == length
    for other in ("pass for 20", "roll", "undo", "ready", "nonsense", "bob: pass for 10"):
        assert (await floor.error("ann", other, id="x")).code == "conflict"
    assert (await floor.error("ann", "pass for 10", id="r")).code == "conflict"


async def test_an_id_that_wrote_nothing_is_decided_afresh() -> None:
    floor = await Floor().open()
    await floor.sit("ann", "100")
    assert (await floor.say("ann", "pass for 200", id="x")).seq is None
    assert (await floor.error("ann", "gibberish", id="x")).code == "not_understood"
    await floor.taken("ann", "buy in 200")
    assert (await floor.say("ann", "pass for 200", id="x")).seq is not None


async def test_an_id_belongs_to_its_seat_or_post_whatever_the_token() -> None:
    floor = await Floor().open(posts=EVERY_POST, dice="typed")
    await floor.sit("ann")
    await floor.sit("bob")
    first = await floor.taken("ann", "pass for 10", id="x")
    other = await floor.taken("bob", "pass for 20", id="x")
    assert first.seq != other.seq
    post = await floor.say(Holder("stick"), "roll 3 3", id="x")
    assert await floor.say(Holder("stick", "kim"), "roll 3 3", id="x") == post


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"id": ""}, "invalid"),
        ({"id": "x" * 201}, "invalid"),
        ({"id": "a\x00b"}, "invalid"),
        ({"id": "x", "nonce": "no spaces"}, "invalid"),
        ({"id": "x", "nonce": "n" * 65}, "invalid"),
    ],
)
async def test_requests_have_a_shape(asked: dict[str, str], code: str) -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    assert (await floor.error("ann", "pass for 10", **asked)).code == code


async def test_what_is_not_understood_says_what_was() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    wrong = await floor.error("ann", "plaice the six for twelve")
    assert wrong.code == "not_understood"
    assert wrong.nearest == "place the six for twelve"
    assert "the six for twelve" in " ".join(wrong.understood)
    for nothing in ("", " ; ; ", "x" * 2001):
        assert (await floor.error("ann", nothing)).code == "not_understood"
    for mixed in ("pass for 10; roll", "undo; pass for 10", "pass for 10; leave"):
        assert (await floor.error("ann", mixed)).code == "not_understood"


async def test_undo_takes_back_one_after_the_other() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    await floor.taken("ann", "field for 5")
    await floor.taken("ann", "undo")
    assert set((await floor.seat("ann")).wagers) == {"pass"}
    await floor.taken("ann", "undo")
    assert (await floor.seat("ann")).rail == 50000
    assert await floor.refused("ann", "undo") == "nothing-to-undo"
    assert (await floor.lines())[-1] == "ann: undo"
    await floor.hold()


async def test_a_player_comes_back_with_a_buy_in() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    await floor.taken("ann", "leave")
    assert not (await floor.seat("ann")).here
    assert await floor.refused("ann", "pass for 10") == "has-left"
    await floor.taken("ann", "buy in 200")
    assert (await floor.seat("ann")).here
    await floor.hold()


async def test_no_amount_passes_ten_million() -> None:
    floor = await Floor().open()
    with pytest.raises(ServiceError) as wrong:
        await floor.sit("ann", "10,000,001")
    assert wrong.value.code == "invalid"
    await floor.sit("ann", "10000000")
    assert await floor.refused("ann", "buy in 10000001") == "amount-too-high"
    assert await floor.refused("operator", "limits 5 to 10000001") == "amount-too-high"
    assert await floor.refused("ann", "toke 10000000.01") == "amount-too-high"
    await floor.hold()


async def test_a_winning_line_wager_is_said_again_as_a_line_of_its_own() -> None:
    floor = await Floor().open(dice="typed", posts={"stick": "person"})
    await floor.sit("ann")
    await floor.sit("bob")
    await floor.taken("ann", "pass for 10")
    await floor.taken("bob", "pass for 20")
    await floor.taken("bob", "leave my line down")
    await floor.taken("stick", "roll 3 4")
    assert (await floor.lines())[-2:] == ["roll 3 4", "ann: pass for 10"]
    assert ((await floor.log())[-1].by, (await floor.log())[-1].id) == ("machine", None)
    assert not (await floor.seat("bob")).wagers
    await floor.taken("bob", "keep my line up")
    await floor.taken("bob", "pass for 20")
    await floor.taken("ann", "undo")
    await floor.taken("stick", "roll 5 6")
    assert (await floor.lines())[-1] == "bob: pass for 20"
    await floor.hold()


async def test_a_line_wager_that_was_left_up_is_not_made_twice() -> None:
    floor = await Floor().open(dice="typed", posts={"stick": "person", "left-base": "person"})
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    await floor.taken("stick", "roll 3 4")
    assert await floor.refused("ann", "pass for 10") == "left-up"
    assert await floor.refused("ann", "ten on the line") == "left-up"
    await floor.taken("ann", "pass for 5")
    assert (await floor.seat("ann")).wagers["pass"].amount == 1500
    await floor.taken("stick", "roll 5 6")
    await floor.taken("ann", "leave my line down")
    assert (await floor.lines())[-2:] == ["(line-down)", "ann: pass down"]
    assert (await floor.seat("ann")).rail == 50000 + 1000 + 1500
    await floor.taken("ann", "pass for 15")
    await floor.taken("stick", "roll 5 6")
    assert (await floor.lines())[-1] == "roll 5 6"
    await floor.hold()


async def test_two_halls_over_one_store_race_and_agree() -> None:
    floor = await Floor().open(pace=NO_WAIT)
    other = floor.another()
    names = ["ann", "bob", "cal", "dee"]
    for name in names:
        await floor.sit(name)
    halls = [floor.service, other]

    async def play(number: int, name: str) -> None:
        for turn in range(12):
            service = halls[(number + turn) % 2]
            say = ("pass for 10", "field for 5", "roll", "place 6 for 12")[turn % 4]
            asked = LineRequest(id=f"{name}{turn}", say=say)
            first = await service.say(floor.table, Holder("player", name), asked)
            if first.seq is not None:
                again = await halls[(number + turn + 1) % 2].say(
                    floor.table, Holder("player", name), asked
                )
                assert again == first

    await asyncio.gather(*(play(number, name) for number, name in enumerate(names)))
    await floor.hold()
    assert (await other.view(floor.table)) == (await floor.service.view(floor.table))
    promise = DiceCommitment()
    for entry in await floor.log():
        verify_throw(floor.table, promise, entry)
        promise = promise.apply_entry(entry)
    assert promise.throws > 2


async def test_a_server_older_than_the_table_does_not_write() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    live = await floor.live()
    cached = await floor.service.tables.get(floor.table)
    draft = Draft(role="machine", by="machine", more={"act": "version", "version": "99.0.0"})
    await floor.service.tables.append(cached, live, [draft])
    assert (await floor.error("ann", "pass for 10")).code == "unavailable"
    with pytest.raises(ServiceError, match=r"99\.0\.0"):
        await floor.sit("bob")
    assert (await floor.service.view(floor.table))["seq"] == 2


async def test_a_newer_server_says_so_before_it_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    monkeypatch.setattr("passline.live.table_cache.VERSION", "99.1.0")
    await floor.taken("ann", "pass for 10")
    assert (await floor.lines())[-2:] == ["(version)", "ann: pass for 10"]
    assert (await floor.log())[-2].more["version"] == "99.1.0"


async def test_after_a_restore_every_table_commits_anew() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    before = (await floor.live()).commitment.commit
    floor.service = floor.another(restored=True)
    await floor.service.start(tend=False)
    live = await floor.live()
    assert live.commitment.commit != before
    assert live.commitment.recommits == 1
    assert (await floor.lines())[-1] == "(restore)"
    await floor.taken("ann", "roll")
    await floor.hold()


async def test_a_restore_starts_whatever_is_damaged_in_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    damaged, whole = floor.table, floor.memory_disk.logs[floor.table]
    floor.memory_disk.logs[damaged] = [*whole[:1], (whole[1][0], b"{}"), *whole[2:]]
    await floor.open()
    floor.service = floor.another(restored=True)
    await floor.service.start(tend=False)
    assert await floor.lines() == ["(restore)"]
    assert f"table {damaged}: no fresh commit yet" in caplog.text
    # Once it is mended, its dice are committed anew before anybody throws them.
    floor.table, floor.memory_disk.logs[damaged] = damaged, whole
    await floor.taken("ann", "roll")
    lines = await floor.lines()
    assert lines[-2] == "(commit)"
    assert lines[-1].startswith("roll ")
    await floor.hold()


async def test_a_table_that_is_not_listed_as_it_was_hides_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    floor = await Floor().open(name="One")
    await floor.open(name="Two")
    table, whole = floor.table, floor.service.store._list_rows

    async def bent(one: str | None) -> list[ListingRow]:
        rows = await whole(one)
        return [(name, seq, b"x" + kept if name == table else kept) for name, seq, kept in rows]

    monkeypatch.setattr(floor.service.store, "_list_rows", bent)
    assert [row["name"] for row in await floor.service.lobby()] == ["One"]
    assert (await floor.service.view(table))["name"] == "Two"


async def test_where_a_secret_is_missing_a_fresh_commit_comes_first() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    del floor.memory_disk.secrets[floor.table]
    await floor.taken("ann", "roll", nonce="n")
    lines = await floor.lines()
    assert lines[lines.index("(commit)") + 1].startswith("roll ")  # a winner may be said after
    promise = DiceCommitment()
    for entry in await floor.log():
        verify_throw(floor.table, promise, entry)
        promise = promise.apply_entry(entry)
    assert promise.recommits == 1


async def test_a_stream_gives_every_entry_once_and_ends_when_the_hall_stops() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    got: list[int] = []

    async def follow(after: int) -> None:
        async for told in floor.service.follow(floor.table, after):
            got.append(told.seq)
            assert told.text == told.entry.text()

    stream = asyncio.create_task(follow(0))
    for say in ("pass for 10", "field for 5", "undo"):
        await asyncio.sleep(0)
        await floor.taken("ann", say)
    other = floor.another()
    await other.say(floor.table, Holder("player", "ann"), LineRequest(id="y", say="field for 5"))
    for _ in range(20):
        await asyncio.sleep(0)
    assert got == [1, 2, 3, 4, 5]
    await floor.service.stop()
    await asyncio.wait_for(stream, 1)


async def test_a_withdrawn_tokens_streams_end_at_once() -> None:
    floor = await Floor().open()
    kim = Holder("stick", "kim")
    for _ in range(2):
        token = await floor.service.invite(floor.table, "stick", "kim")
        assert await floor.service.holder(floor.table, token) == kim
        seen: list[int] = []

        async def follow(seen: list[int] = seen) -> None:
            seen.extend([told.seq async for told in floor.service.follow(floor.table, -1, kim)])

        stream = asyncio.create_task(follow())
        for _ in range(5):
            await asyncio.sleep(0)
        assert not stream.done()
        await floor.service.withdraw(floor.table, "stick", "kim")
        await asyncio.wait_for(stream, 1)
        with pytest.raises(ServiceError) as wrong:
            await floor.service.holder(floor.table, token)
        assert wrong.value.code == "unauthorized"
    assert (await floor.lines()) == ["(invite)", "(withdraw)"] * 2
    await floor.service.stop()


async def test_who_falls_a_thousand_behind_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    cached = await floor.service.tables.get(floor.table)
    stream = floor.service.follow(floor.table)
    assert (await anext(stream)).seq == 0
    assert (await anext(stream)).seq == 1
    waiting = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    await floor.taken("ann", "ready")
    assert (await waiting).seq == 2
    for _ in range(1005):
        draft = Draft(role="player", by="ann", more={"act": "ready"})
        await floor.service.tables.append(cached, cached.live, [draft])
    with pytest.raises(StopAsyncIteration):
        await anext(stream)
    resumed = [told.seq async for told in _first(floor.service.follow(floor.table, 2), 1005)]
    assert resumed == list(range(3, 1008))
    assert len(await floor.service.entries(floor.table)) == 1000
    await floor.service.stop()


async def _first(stream: AsyncIterator[StreamEntry], count: int) -> AsyncIterator[StreamEntry]:
    async for told in stream:
        yield told
        count -= 1
        if not count:
            return


async def test_a_table_that_is_not_there_is_a_404() -> None:
    service = Floor().service
    for ask in (
        service.view("nowhere"),
        service.entries("nowhere"),
        service.record("nowhere"),
        service.say("nowhere", OPERATOR, LineRequest(id="x", say="table closes")),
        service.sit("nowhere", SeatRequest(name="ann", buy_in="100")),
        service.invite("nowhere", "stick"),
        service.holder("no/where", "x" * 32),
    ):
        with pytest.raises(ServiceError) as wrong:
            await ask
        assert wrong.value.code == "not_found"


async def test_a_store_that_cannot_be_written_is_a_503_and_nothing_is_lost() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    floor.service.store._step = _full_disk  # type: ignore[attr-defined]
    assert (await floor.error("ann", "pass for 10", id="x")).code == "unavailable"
    floor.service.store._step = None  # type: ignore[attr-defined]
    assert (await floor.say("ann", "pass for 10", id="x")).seq == 2


async def _full_disk(when: str, batch: object) -> None:
    from passline.live.store import UnavailableError

    raise UnavailableError("the disk is full")


async def test_an_answer_that_was_lost_is_given_again() -> None:
    floor = await Floor().open()
    await floor.sit("ann")

    async def lose(when: str, batch: object) -> None:
        if when == "after":
            await _full_disk(when, batch)

    floor.service.store._step = lose  # type: ignore[attr-defined]
    with pytest.raises(ServiceError) as wrong:
        await floor.say("ann", "pass for 10", id="x")
    assert wrong.value.code == "unavailable"
    floor.service.store._step = None  # type: ignore[attr-defined]
    assert (await floor.say("ann", "pass for 10", id="x")).seq == 2
    assert (await floor.lines()) == ["ann joins for 500", "ann: pass for 10"]


async def test_only_hashes_and_sealed_secrets_are_kept() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    kept = repr(vars(floor.memory_disk))
    assert not any(token in kept for token in floor.tokens.values())
    stored = [place[1] for place in floor.memory_disk.tokens if place[0] == floor.table]
    assert any(token_matches(floor.tokens["ann"], one) for one in stored)


async def test_the_lobby_lists_open_tables() -> None:
    floor = await Floor(memory_disk=MemoryDisk()).open(name="One")
    await floor.sit("ann")
    one = floor.table
    await floor.open("iowa", name="Two", open=False)
    await floor.open("maryland-crapless", name="Three")
    three = floor.table
    for service in (floor.service, floor.another(), floor.another()):
        rows = {row["table"]: row for row in await service.lobby()}
        assert set(rows) == {one, three}
        assert rows[one] == {
            "table": one,
            "name": "One",
            "rulebook": "new-jersey",
            "game": "craps",
            "players": 1,
            "seats": 16,
            "minimum": "5.00",
            "maximum": "5000.00",
            "puck": None,
        }
    await floor.service.say(three, OPERATOR, LineRequest(id="c", say="table closes"))
    assert [row["table"] for row in await floor.another().lobby()] == [one]
    await floor.service.say(three, OPERATOR, LineRequest(id="o", say="table opens"))
    assert len(await floor.service.lobby()) == 2


async def test_a_log_that_is_none_of_ours_is_a_503_and_spoils_no_lobby() -> None:
    floor = await Floor().open()
    odd = Draft(role="operator", by="house", more={"settings": {"open": True}})
    await floor.service.store.create("odd", odd)
    with pytest.raises(ServiceError) as wrong:
        await floor.service.view("odd")
    assert wrong.value.code == "unavailable"
    assert [row["table"] for row in await floor.service.lobby()] == [floor.table]


async def test_a_long_log_is_folded_from_where_it_was_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("passline.live.table_cache.SNAPSHOT_INTERVAL", 5)
    floor = await Floor().open(pace=NO_WAIT)
    await floor.sit("ann")
    for _ in range(4):
        await floor.say("ann", "pass for 10")
        await floor.taken("ann", "roll")
    before = await floor.hold()
    kept = {kind: one for (_, kind), one in floor.memory_disk.snapshots.items() if "state" in kind}
    assert [one[1] > 0 for one in kept.values()] == [True]  # while it ran
    while (await floor.service.view(floor.table, OPERATOR))["seq"] < next(iter(kept.values()))[
        1
    ] + 5:
        await floor.taken("ann", "field for 5")
    seen = await floor.service.view(floor.table, OPERATOR)
    kept = {kind: one for (_, kind), one in floor.memory_disk.snapshots.items() if "state" in kind}
    assert [one[1] for one in kept.values()] == [seen["seq"]]
    await floor.say("ann", "field for 5")
    await floor.taken("ann", "undo")
    floor.service = floor.another()
    cached = await load_table(floor.service.store, floor.table)
    assert [one.seq for one in cached.recent] == [seen["seq"] + 1, seen["seq"] + 2]
    assert (await floor.hold()).throws == before.throws
    # What was folded into it is not in the log any more: it is left alone.
    floor.memory_disk.logs[floor.table] = floor.memory_disk.logs[floor.table][:4]
    floor.service = floor.another()
    assert (await floor.service.view(floor.table))["seq"] == 3
    place = (floor.table, next(iter(kept)))
    floor.memory_disk.snapshots[place] = (floor.table, 3, add_checksum(b"{}"))
    floor.service = floor.another()
    assert (await floor.service.view(floor.table))["seq"] == 3


async def test_a_server_that_stops_leaves_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.live.table_cache.STOP_SNAPSHOT_ENTRIES", 2)
    floor = await Floor().open()
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10")
    await floor.service.stop()
    kept = {kind: one for (_, kind), one in floor.memory_disk.snapshots.items() if "state" in kind}
    assert [one[1] for one in kept.values()] == [2]
    assert VERSION not in str([*kept])  # The next version need not fold the log again.
    floor.service = floor.another()
    cached = await load_table(floor.service.store, floor.table)
    assert (cached.live.head.seq, len(cached.recent)) == (2, 0)
    row = next(kind for _, kind in floor.memory_disk.snapshots if kind.startswith("lobby"))
    assert VERSION not in row


async def test_a_snapshot_of_another_rulebook_is_folded_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("passline.live.table_cache.STOP_SNAPSHOT_ENTRIES", 1)
    floor = await Floor().open()
    await floor.sit("ann")
    await floor.service.stop()
    old = rulebook("new-jersey")
    replace_book(replace(old, title="Another title"))
    try:
        cached = await load_table(floor.another().store, floor.table)
        assert len(cached.recent) == cached.live.head.seq + 1
    finally:
        replace_book(old)


async def test_a_store_that_went_back_is_folded_again() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    await floor.taken("ann", "pass for 10", id="x")
    memory_disk = floor.memory_disk
    memory_disk.logs[floor.table] = memory_disk.logs[floor.table][:2]
    memory_disk.ids.clear()
    assert (await floor.service.view(floor.table))["seq"] == 1
    assert (await floor.say("ann", "pass for 20", id="x")).seq == 2
    other = floor.another()
    await other.view(floor.table)
    memory_disk.logs[floor.table] = memory_disk.logs[floor.table][:2]
    memory_disk.ids.clear()
    await floor.taken("ann", "pass for 30")
    assert (await other.view(floor.table))["players"][0]["rail"] == "470.00"
    await floor.hold()


async def test_who_goes_away_in_mid_append_hides_nothing() -> None:
    floor = await Floor().open()
    await floor.sit("ann")
    floor.service.store.shared = False
    gate, under_way = asyncio.Event(), asyncio.Event()

    async def wait(when: str, batch: object) -> None:
        under_way.set()
        await gate.wait()

    floor.service.store._step = wait  # type: ignore[attr-defined]
    asking = asyncio.create_task(floor.say("ann", "pass for 10", id="x"))
    await under_way.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert (await floor.service.view(floor.table))["seq"] == 1
    gate.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert (await floor.service.view(floor.table))["seq"] == 2
    assert (await floor.say("ann", "pass for 10", id="x")).seq == 2
    await floor.hold()


async def test_whoever_folds_a_long_log_lets_others_speak_after_every_entry() -> None:
    """Else one request to a table that nobody has at hand stops everybody's."""
    floor = await Floor().open()
    await floor.sit("ann")
    for _ in range(20):
        await floor.taken("ann", "field for 5")
        await floor.taken("ann", "undo")
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    speaking = asyncio.create_task(others())
    other = floor.another()
    walk = GameTimeline(LiveTableSource(other, floor.table, ""))
    for read in (
        other.view(floor.table),
        other.record(floor.table),
        walk.last_number(),
        walk.moment(40),
    ):
        before = turns
        await read
        assert turns - before > 35, read
    speaking.cancel()
