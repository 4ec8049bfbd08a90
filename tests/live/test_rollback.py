"""History that runs backwards: a secret that may have been seen is never used again."""

from __future__ import annotations

from contextlib import suppress

import pytest

from passline.live.requests import ServiceError
from passline.live.stores.memory import MemoryDisk
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
