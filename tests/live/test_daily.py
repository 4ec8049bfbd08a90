"""Daily: the same fifty throws for everybody, seen by nobody before, checked by anybody after."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Literal

import pytest

from passline.game.words.refusals import describe_refusal
from passline.live import daily
from passline.live.audit.audit import Audit, AuditResult
from passline.live.daily import DailyRequest
from passline.live.dice_proofs import Sealer, derive_faces, hash_secret
from passline.live.page_feed import Viewer
from passline.live.schema import LineRequest, ServiceError
from passline.live.service import TableService
from passline.live.store import Append, StoreError
from passline.live.stores.memory import MemoryDisk, MemoryStore
from passline.live.stores.sqlite import SqliteStore
from passline.live.tokens import Holder

pytestmark = pytest.mark.anyio
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


class Sundial:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = NOON

    def now(self) -> datetime:
        return self.time

    async def sleep(self, seconds: float) -> None:
        raise AssertionError("nobody waits here")


@pytest.fixture
def clock() -> Sundial:
    return Sundial()


@pytest.fixture
def service(clock: Sundial) -> TableService:
    store = MemoryStore(MemoryDisk(), clock.now)
    return TableService(store, Sealer(bytes(range(32))), clock)


async def plays(service: TableService, name: str, throws: int, bet: str = "pass for 10") -> str:
    """Somebody plays so many throws of the day: the table."""
    table, _ = await daily.join_daily(service, DailyRequest(name, f"{name:x<40}"))
    me = Holder("player", name)
    for number in range(throws):
        await service.say(table, me, LineRequest(id=f"b{number}", say=bet))
        said = await service.say(table, me, LineRequest(id=f"r{number}", say="roll"))
        assert said.seq is not None, said
    return table


async def dice(service: TableService, table: str) -> list[str]:
    return [e.line for e in await service.entries(table) if e.line.startswith("roll ")]


async def audited(service: TableService, table: str, secret: str = "") -> AuditResult:
    audit = Audit(find_day_secret=lambda day, commit: secret)
    audit.add_lines([line async for line in service.log(table)])
    return audit.end()


async def test_the_same_for_everybody_and_another_the_next_day(
    service: TableService, clock: Sundial
) -> None:
    first, second = (
        await plays(service, "ann", 12),
        await plays(service, "bob", 12, "dont-pass for 10"),
    )
    throws = await dice(service, first)
    assert first != second
    assert throws == await dice(service, second)
    assert len(throws) == 12
    clock.time += timedelta(days=1)
    assert await dice(service, await plays(service, "ann", 12)) != throws


async def test_nobody_looks_ahead(service: TableService) -> None:
    """No secret is in the log, the table is nobody else's to read, and the day keeps its own."""
    table = await plays(service, "ann", 3)
    told = await daily.daily_json(service, "2026-11-16")
    secret = service.dice.day_secret("2026-11-16")
    text = b"".join([line async for line in service.log(table)]).decode()
    assert told["secret"] is None
    assert told["commit"] == hash_secret(secret)
    assert secret.hex() not in text + json.dumps(told)
    assert "fair" not in text
    with pytest.raises(ServiceError, match="is private"):
        await service.reader(table)
    assert await service.lobby() == []
    for day in ("2026-11-17", "2026-13-01", "today", "20261116"):
        with pytest.raises(ServiceError) as wrong:
            await daily.daily_json(service, day)
        assert wrong.value.code == "not_found"


async def test_anybody_can_check_afterwards(service: TableService, clock: Sundial) -> None:
    table = await plays(service, "ann", 5)
    before = await audited(service, table)
    assert (before.findings, before.unproven, before.proven) == ((), 5, 0)
    clock.time = datetime(2026, 11, 17, 0, 6, tzinfo=UTC)
    secret = (await daily.daily_json(service, "2026-11-16"))["secret"]
    after = await audited(service, table, secret)
    assert (after.findings, after.unproven, after.proven) == ((), 0, 5)
    faces = [derive_faces(bytes.fromhex(secret), "daily:2026-11-16", n) for n in range(5)]
    assert [f"roll {a} {b}" for a, b in faces] == await dice(service, table)
    wrong = await audited(service, table, "0" * 64)
    assert wrong.first is not None
    assert "not the one that was committed to" in wrong.first.why


async def test_the_secret_is_told_when_nobody_can_throw_any_more(
    service: TableService, clock: Sundial
) -> None:
    table = await plays(service, "ann", 2)
    clock.time = datetime(2026, 11, 17, tzinfo=UTC)
    said = await service.say(table, Holder("player", "ann"), LineRequest(id="late", say="roll"))
    assert said.seq is None
    assert said.entries[0].refusal is not None
    assert "the day is over" in describe_refusal(said.entries[0].refusal)
    assert (await daily.daily_json(service, "2026-11-16"))["secret"] is None
    clock.time += timedelta(minutes=6)
    assert (await daily.daily_json(service, "2026-11-16"))["secret"] is not None


async def test_it_ends_after_fifty_throws(service: TableService) -> None:
    table = await plays(service, "ann", 50)
    me = Holder("player", "ann")
    await service.say(table, me, LineRequest(id="more", say="pass for 10"))
    said = await service.say(table, me, LineRequest(id="again", say="roll"))
    assert said.seq is None
    sight = (await service.page(table, Viewer(me)))["whole"]
    assert "fifty throws are made" in sight["acts"]["roll"]["bar"]["reason"]
    seat = sight["seat"]
    worth = float(seat["rail"]) + float(seat["up"]) - 500
    [row] = (await daily.daily_json(service, "2026-11-16"))["results"]
    assert row == {"place": 1, "name": "ann", "result": f"{worth:.2f}", "throws": 50, "done": True}
    assert (await audited(service, table)).findings == ()


async def test_a_name_has_one_try(service: TableService) -> None:
    table = await plays(service, "ann", 1)
    again, seat = await daily.join_daily(service, DailyRequest("ann", f"{'ann':x<40}"))
    assert (again, seat.name) == (table, "ann")
    for name in ("ann", "Ann"):
        with pytest.raises(ServiceError) as wrong:
            await daily.join_daily(service, DailyRequest(name, "y" * 40))
        assert wrong.value.code == "conflict"
    with pytest.raises(ServiceError) as refused:
        await service.say(table, Holder("player", "ann"), LineRequest(id="b", say="buy in 500"))
    assert refused.value.code == "forbidden"


async def test_equals_share_a_place(service: TableService) -> None:
    for name, bet in (("ann", "pass for 10"), ("bob", "pass for 10"), ("cat", "pass for 20")):
        await plays(service, name, 2, bet)
    await daily.join_daily(service, DailyRequest("dan"))  # has thrown nothing
    rows = (await daily.daily_json(service, "2026-11-16"))["results"]
    places = {row["name"]: row["place"] for row in rows}
    assert places["ann"] == places["bob"]
    assert set(places) == {"ann", "bob", "cat"}
    assert sorted(places.values()) in ([1, 1, 3], [1, 2, 2], [1, 1, 1])


async def test_who_thinks_for_long_keeps_the_seat(service: TableService, clock: Sundial) -> None:
    from passline.live.scheduled_actions import pending_actions

    table, _ = await daily.join_daily(service, DailyRequest("ann"))
    live = (await service.tables.get(table)).live
    assert not [due for due in pending_actions(live) if due.line.endswith("leaves")]


async def test_nobody_is_offered_more_chips(service: TableService) -> None:
    table, _ = await daily.join_daily(service, DailyRequest("ann"))
    sight = (await service.page(table, Viewer(Holder("player", "ann"))))["whole"]
    assert (sight["buys"], sight["begins"]) == (False, True)


async def test_nobody_is_given_the_token_of_a_name_that_plays(service: TableService) -> None:
    """Also not of one who came without a token of his own: his seat would be anybody's."""
    table, seat = await daily.join_daily(service, DailyRequest("ann"))
    assert await service.holder(table, seat.token) == Holder("player", "ann")
    for token in ("", "x" * 40):
        with pytest.raises(ServiceError, match="one try") as wrong:
            await daily.join_daily(service, DailyRequest("ann", token))
        assert wrong.value.code == "conflict"


async def test_after_the_last_throw_the_chips_come_back(service: TableService) -> None:
    table = await plays(service, "ann", 50)
    me = Holder("player", "ann")
    await service.say(table, me, LineRequest(id="more", say="pass for 10"))
    before = (await service.page(table, Viewer(me)))["whole"]
    assert "over" not in before
    await service.auto_dealer.run_due()
    after = (await service.page(table, Viewer(me)))["whole"]
    assert after["over"] is True
    assert after["now"] == "Your fifty throws are made, and your bets have come back."
    assert after["seat"]["up"] == "0.00"
    assert float(after["seat"]["rail"]) == float(before["seat"]["rail"]) + float(
        before["seat"]["up"]
    )
    assert (await audited(service, table)).findings == ()


async def test_a_second_name_at_an_address_is_not_ranked(
    service: TableService, clock: Sundial
) -> None:
    """Also not if it was opened first: the one that throws first may be ranked."""
    tables = {}
    for name, address in (("ann", "192.0.2.1"), ("bob", "192.0.2.1"), ("cat", "192.0.2.2")):
        request = DailyRequest(name, f"{name:x<40}")
        tables[name] = (await daily.join_daily(service, request, address))[0]
    for name, bet in (("bob", "pass for 10"), ("ann", "pass for 10"), ("cat", "pass for 10")):
        clock.time += timedelta(seconds=5)
        me = Holder("player", name)
        await service.say(tables[name], me, LineRequest(id="b", say=bet))
        await service.say(tables[name], me, LineRequest(id="r", say="roll"))
    rows = (await daily.daily_json(service, "2026-11-16"))["results"]
    places = {row["name"]: row["place"] for row in rows}
    assert places == {"bob": 1, "cat": 1, "ann": None}
    assert rows[-1]["name"] == "ann"
    text = b"".join([line async for line in service.log(tables["ann"])]).decode()
    assert "192.0.2.1" not in text


async def test_the_ranking_loads_no_table(service: TableService) -> None:
    """However many tables a day has, their rows in the lobby are enough."""
    for name in ("ann", "bob"):
        await plays(service, name, 2)
    day = daily.format_day(service.clock.now())
    shown = await daily.daily_json(service, day)
    assert [row["throws"] for row in shown["results"]] == [2, 2]

    async def load(table: str) -> object:
        raise AssertionError(f"{table} is loaded")

    service.tables.get = load  # type: ignore[method-assign,assignment]
    assert await daily.daily_json(service, day) == shown


def roll(request: str) -> LineRequest:
    return LineRequest(id=request, say="roll")


ANN = Holder("player", "ann")


@pytest.mark.parametrize("ahead", [1, 0], ids=["it started a day ahead", "it started a day behind"])
async def test_a_day_whose_secret_was_told_is_over_for_good(ahead: int, tmp_path: Path) -> None:
    """A server told a day's secret; the next start, by another clock, would play that day."""
    clock = Sundial()
    clock.time = NOON + timedelta(days=ahead)
    day = daily.format_day(NOON + timedelta(days=ahead - 1))

    async def start() -> TableService:
        return TableService(
            await SqliteStore.open(tmp_path, clock=clock.now), Sealer(bytes(32)), clock
        )

    service = await start()
    clock.time -= timedelta(days=1)
    table = await plays(service, "ann", 1)
    clock.time += timedelta(days=1)
    assert (await daily.daily_json(service, day))["secret"] is not None
    await service.store.close()
    clock.time -= timedelta(days=1)
    service = await start()
    assert daily.format_day(clock.now()) == day
    for name in ("ann", "bob"):
        with pytest.raises(ServiceError, match="was published, so that its throws are known"):
            await daily.join_daily(service, DailyRequest(name, f"{name:x<40}"))
    await service.say(table, ANN, LineRequest(id="bet", say="pass for 10"))
    said = await service.say(table, ANN, roll("late"))
    assert said.seq is None
    assert said.entries[0].refusal is not None
    assert "its throws are known" in describe_refusal(said.entries[0].refusal)
    assert len(await dice(service, table)) == 1
    clock.time += timedelta(days=1)
    await plays(service, "ann", 1)  # The next day has another secret.
    await service.store.close()


async def test_a_throw_on_its_way_is_decided_again_when_the_secret_is_told(
    clock: Sundial,
) -> None:
    """Another server tells it after this one decided a throw; the player then changes the bets."""
    disk, key = MemoryDisk(), Sealer(bytes(32))
    other = TableService(MemoryStore(disk, clock.now), key, clock)
    thrown: list[str] = []

    async def step(when: Literal["before", "after"], batch: Sequence[Append]) -> None:
        if when == "before" and batch[0].drafts[0].line.startswith("roll ") and not thrown:
            thrown.append(batch[0].drafts[0].line)
            clock.time += timedelta(days=1)
            assert (await daily.daily_json(other, "2026-11-16"))["secret"] is not None
            clock.time -= timedelta(days=1)
            changed = LineRequest(id="knowing", say="dont-pass for 10")
            assert (await other.say(table, ANN, changed)).seq is not None

    service = TableService(MemoryStore(disk, clock.now, step), key, clock)
    table, _ = await daily.join_daily(service, DailyRequest("ann", "a" * 40))
    await service.say(table, ANN, LineRequest(id="b", say="pass for 10"))
    said = await service.say(table, ANN, roll("r"))
    assert (said.seq, len(thrown)) == (None, 1)
    assert await dice(service, table) == []


async def test_a_secret_that_the_store_cannot_note_is_not_told(
    service: TableService, clock: Sundial, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(name: str, number: int) -> None:
        raise StoreError("the disk is full")

    clock.time += timedelta(days=1)
    with monkeypatch.context() as full:
        full.setattr(service.store, "raise_fact", fail)
        with pytest.raises(ServiceError) as wrong:
            await daily.daily_json(service, "2026-11-16")
        assert wrong.value.code == "unavailable"
        assert await daily.daily_json(service, "2026-11-17")  # Today's has nothing to note.
    assert (await daily.daily_json(service, "2026-11-16"))["secret"] is not None


@pytest.mark.parametrize("hours", [14, -12])
async def test_the_day_ends_in_utc_wherever_the_server_is(clock: Sundial, hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    store = MemoryStore(clock=lambda: clock.now().astimezone(UTC))
    service = TableService(store, Sealer(bytes(32)), clock)
    clock.time = datetime(2026, 11, 16, 23, 59, tzinfo=UTC).astimezone(zone)
    assert (await daily.daily_json(service, "2026-11-16"))["secret"] is None
    with pytest.raises(ServiceError):
        await daily.daily_json(service, "2026-11-17")
    clock.time = datetime(2026, 11, 17, 0, 6, tzinfo=UTC).astimezone(zone)
    assert (await daily.daily_json(service, "2026-11-16"))["secret"] is not None


async def test_a_new_dice_key_has_other_days(service: TableService, clock: Sundial) -> None:
    """A clock that was years ahead ended every day until then; a new key begins anew."""
    clock.time += timedelta(days=3650)
    await daily.daily_json(service, "2036-11-01")
    clock.time = NOON
    with pytest.raises(ServiceError):
        await plays(service, "ann", 1)
    anew = TableService(service.store, Sealer(bytes(32)), clock)
    await plays(anew, "ann", 1)
