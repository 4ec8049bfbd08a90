"""History that runs backwards: a secret that may have been seen is never used again."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from shutil import copytree

import pytest

from passline.live.dice_proofs import Sealer
from passline.live.schema import LineRequest, OpenTableRequest, SeatRequest, ServiceError
from passline.live.service import TableService
from passline.live.store import UnavailableError
from passline.live.stores.memory import MemoryDisk, MemoryStore
from passline.live.stores.sqlite import SqliteStore
from passline.live.tokens import Holder
from tests.live.floor import Floor
from tests.live.tampering import audited

pytestmark = pytest.mark.anyio


def save(disk: MemoryDisk) -> MemoryDisk:
    """A copy of what is stored."""
    copy = MemoryDisk()
    restore(copy, disk)
    return copy


def restore(disk: MemoryDisk, saved: MemoryDisk) -> None:
    """Put back what was stored. Nobody says so."""
    disk.logs = {table: list(rows) for table, rows in saved.logs.items()}
    disk.ids, disk.tokens = dict(saved.ids), dict(saved.tokens)
    disk.secrets, disk.snapshots = dict(saved.secrets), dict(saved.snapshots)


async def acts(floor: Floor) -> list[str]:
    return [entry.act for entry in await floor.log() if entry.act]


async def throw(floor: Floor, number: int, nonce: str = "n") -> str:
    """Throw with a line bet up; the entry's line."""
    await floor.say("ann", "pass for 5")
    said = await floor.say("ann", "roll", id=f"t{number}", nonce=nonce)
    assert said.seq is not None, said
    return (await floor.log())[said.seq].line


async def test_a_servers_first_throw_has_a_fresh_commitment() -> None:
    floor = await Floor().open(pace={"betting": 0, "shooter": 0})
    await floor.sit("ann")
    await throw(floor, 0)
    assert await acts(floor) == []  # this server opened the table
    before = (await floor.live()).commitment.commit
    floor.service = floor.another()
    await throw(floor, 1)
    assert await acts(floor) == ["commit"]
    log = await floor.log()
    fresh = next(entry for entry in log if entry.act == "commit")
    assert fresh.commit not in ("", before)
    await throw(floor, 2)
    assert await acts(floor) == ["commit"]  # only before its first


async def test_a_backup_put_back_lets_nobody_choose_the_dice() -> None:
    """The player saw a secret, has the store put back to before the throw, and tries nonces."""
    floor = await Floor().open(pace={"betting": 0, "shooter": 0})
    await floor.sit("ann")
    await floor.say("ann", "pass for 5")
    saved = save(floor.memory_disk)
    await throw(floor, 0)
    revealed = (await floor.log())[-1].fair or (await floor.log())[-2].fair
    assert revealed is not None
    restore(floor.memory_disk, saved)  # without --restored
    floor.service = floor.another()
    await throw(floor, 1, "chosen")
    secrets = [entry.fair.secret for entry in await floor.log() if entry.fair is not None]
    assert revealed.secret not in secrets


async def test_a_log_that_goes_back_under_a_running_server_is_noticed() -> None:
    floor = await Floor().open(pace={"betting": 0, "shooter": 0})
    await floor.sit("ann")
    saved = save(floor.memory_disk)
    await throw(floor, 0)
    revealed = [entry.fair.secret for entry in await floor.log() if entry.fair is not None]
    restore(floor.memory_disk, saved)
    with suppress(ServiceError):  # The request that notices it may have to be sent again.
        await throw(floor, 1)
    await throw(floor, 1)
    assert "rollback" in await acts(floor)
    secrets = [entry.fair.secret for entry in await floor.log() if entry.fair is not None]
    assert secrets
    assert not set(secrets) & set(revealed)
    audit = audited([line async for line in floor.service.log(floor.table)])
    assert audit.findings == ()


async def test_a_server_that_saw_nothing_go_back_uses_no_secret_of_another() -> None:
    """Two servers share a table. What one of them revealed is lost; the other never knew of it."""
    floor = await Floor().open(pace={"betting": 0, "shooter": 0})
    await floor.sit("ann")
    first, second = floor.service, floor.another()
    await throw(floor, 0)
    floor.service = second
    await throw(floor, 1)
    saved = save(floor.memory_disk)
    floor.service = first
    await floor.service.view(floor.table)  # It has all that is saved.
    floor.service = second
    await throw(floor, 2)
    revealed = {entry.fair.secret for entry in await floor.log() if entry.fair is not None}
    restore(floor.memory_disk, saved)
    kept = {entry.fair.secret for entry in await floor.log() if entry.fair is not None}
    floor.service = first
    await throw(floor, 3, "chosen")
    log = await floor.log()
    secrets = [entry.fair.secret for entry in log if entry.fair is not None]
    assert len(secrets) == len(kept) + 1
    assert secrets[-1] not in revealed
    assert audited([entry.text() for entry in log]).findings == ()


async def test_a_server_that_slept_through_a_fork_reads_and_deals_again() -> None:
    floor = await Floor().open(pace={"betting": 0, "shooter": 0})
    await floor.sit("ann")
    sleeper, awake = floor.service, floor.another()
    saved = save(floor.memory_disk)
    for number in range(3):
        await throw(floor, number)
    revealed = {entry.fair.secret for entry in await floor.log() if entry.fair is not None}
    restore(floor.memory_disk, saved)
    floor.service = awake
    for number in range(9):  # The other branch grows longer than what the sleeper knows.
        await throw(floor, 10 + number)
    floor.service = sleeper
    assert (await floor.service.view(floor.table))["seq"] == len(await floor.log()) - 1
    await throw(floor, 99, "chosen")
    log = await floor.log()
    assert "rollback" in await acts(floor)
    secrets = [entry.fair.secret for entry in log if entry.fair is not None]
    assert len(set(secrets)) == len(secrets) == 10
    assert not revealed & set(secrets)
    assert audited([entry.text() for entry in log]).findings == ()


async def test_a_throw_that_may_have_been_written_is_not_thrown_again_with_its_secret() -> None:
    """The store fails over a throw, somebody reads it, and the store loses it."""
    floor = await Floor().open(pace={"betting": 0, "shooter": 0})
    await floor.sit("ann")
    await floor.say("ann", "pass for 5")
    saved = save(floor.memory_disk)

    async def fail(when: str, batch: object) -> None:
        if when == "after":
            raise UnavailableError("the line to the store broke")

    assert isinstance(floor.service.store, MemoryStore)
    floor.service.store._step = fail
    with pytest.raises(ServiceError):
        await floor.say("ann", "roll", id="t0", nonce="n")
    floor.service.store._step = None
    revealed = {entry.fair.secret for entry in await floor.log() if entry.fair is not None}
    assert revealed
    restore(floor.memory_disk, saved)
    await throw(floor, 1, "chosen")
    secrets = {entry.fair.secret for entry in await floor.log() if entry.fair is not None}
    assert secrets
    assert not revealed & secrets


async def test_a_damaged_frame_of_the_write_ahead_log_brings_no_secret_back(
    tmp_path: Path,
) -> None:
    """Killed, with the frame of the last throw damaged: SQLite drops it, and nobody says so."""
    store = await SqliteStore.open(tmp_path / "here")
    service = TableService(store, Sealer(bytes(32)))
    asked = OpenTableRequest(rulebook="new-jersey", pace={"betting": 0, "shooter": 0})
    table = (await service.open_table(asked)).table
    await service.sit(table, SeatRequest(name="ann", buy_in="500"))
    ann = Holder("player", "ann")
    await service.say(table, ann, LineRequest(id="b", say="pass for 5"))
    wal = tmp_path / "here" / "live.sqlite-wal"
    size = wal.stat().st_size
    await service.say(table, ann, LineRequest(id="r", say="roll", nonce="n"))
    revealed = {e.fair.secret async for e in store.log(table) if e.fair is not None}
    copytree(tmp_path / "here", tmp_path / "there")  # As kill -9 leaves it.
    await store.close()
    data = bytearray((tmp_path / "there" / wal.name).read_bytes())
    data[size + 100] ^= 0xFF
    (tmp_path / "there" / wal.name).write_bytes(data)

    again = await SqliteStore.open(tmp_path / "there")
    assert not [e async for e in again.log(table) if e.fair is not None]  # The throw is lost.
    restarted = TableService(again, Sealer(bytes(32)))
    thrown = await restarted.say(table, ann, LineRequest(id="s", say="roll", nonce="chosen"))
    assert thrown.seq is not None
    log = [entry async for entry in again.log(table)]
    secrets = {entry.fair.secret for entry in log if entry.fair is not None}
    assert secrets
    assert not revealed & secrets
    assert audited([entry.text() for entry in log]).findings == ()
    await again.close()
