"""What must be true in the end, whatever happened."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from passline.game.table.state import ledger_balance
from passline.live.dice_proofs import DiceCommitment, DiceProofError, hash_secret, verify_throw
from passline.live.hash_chain import ChainError, verify_chain
from passline.live.live_table import MACHINE, LiveTable, open_from_entry, parse_time
from passline.live.log_entries import Entry
from passline.live.record_export import export_record
from passline.live.scheduled_actions import betting_deadline, waits_for_players
from passline.live.tokens import Holder
from passline.live.views import view_table
from passline.record.deal import deal_text
from tests.live.tampering import audited
from tests.simulated.network import Request
from tests.simulated.servers import KEY

if TYPE_CHECKING:
    from tests.simulated.clients import People
    from tests.simulated.world import World


async def of_servers(world: World, people: People) -> None:
    """In calm: every stream hears the last entry, and every server shows the fold of the log."""
    await asyncio.sleep(85)  # streams that hang are given up, and come back
    logs = await world.disk.logs()
    await asyncio.sleep(5)  # what stood before is heard by now, whatever the machine wrote since
    for follower in people.followers:
        head = logs[follower.table.id][-1].seq if follower.table.id in logs else -1
        if follower.last < head:
            world.wrong(f"{follower.name} heard up to {follower.last} of {head}, long after")
    for server in world.servers:
        for table in people.tables:
            if table.id not in logs:
                continue
            request = Request(path=table.path, token=KEY)
            reply = await world.network.ask("checker", server, request)
            if reply is None or reply.status != 200:
                world.wrong(f"in calm, {server.name} does not show {table.id}: {reply}")
                continue
            live: LiveTable | None = None
            for entry in (await world.disk.logs())[table.id]:
                if entry.seq <= reply.json["seq"]:
                    live = folded(table.id, live, entry)
            assert live is not None
            shown = msgspec.json.decode(msgspec.json.encode(view_table(live, Holder("operator"))))
            if reply.json != shown:
                world.wrong(f"{server.name} shows {table.id} otherwise than its log folds")


def folded(table: str, live: LiveTable | None, entry: Entry) -> LiveTable:
    """A table once an entry stands."""
    return open_from_entry(table, entry) if live is None else live.apply_entry(entry)


def of_logs(world: World, people: People, logs: dict[str, list[Entry]]) -> None:
    """Nothing acknowledged is lost, nothing stands twice, and every log proves itself."""
    for ack in world.model.acks:
        log = logs.get(ack.table, [])
        if ack.seq >= len(log) or log[ack.seq].hash != ack.hash:
            world.wrong(f"acknowledged, and not in the log: {ack}")
        elif ack.request is not None and log[ack.seq].id != ack.request:
            world.wrong(f"acknowledged for another request: {ack}")
    for (table, seq), told in world.model.told.items():
        log = logs.get(table, [])
        if seq >= len(log) or log[seq].hash != told:
            world.wrong(f"told of, and not in the log: {table} {seq}")
    secrets: set[str] = set()
    for table, log in logs.items():
        world.entries += len(log)
        _proven(world, table, log, secrets)
    for found, where in world.model.seen.items():
        if found.decode() in secrets:
            world.wrong(f"a secret was told in the answer to {where}")


def _proven(world: World, table: str, log: list[Entry], secrets: set[str]) -> None:
    try:
        verify_chain(log)
    except ChainError as wrong:
        world.wrong(f"{table}: {wrong}")
    ids: set[tuple[str, str, str]] = set()
    live: LiveTable | None = None
    promise, commits = DiceCommitment(), set[str]()
    # A server alone has no clock but its own: where that jumps, nobody can say how long it was.
    clocked = world.plan.disk == "shared" or all(what != "jump" for _, what in world.plan.events)
    found = audited(entry.text() for entry in log).first
    if found is not None and (clocked or found.check != "replay"):
        world.wrong(f"{table}: the audit finds entry {found.entry} wrong: {found.why}")
    for entry in log:
        if entry.id is not None:
            if (entry.role, entry.by, entry.id) in ids:
                world.wrong(f"{table}: {entry.by}'s {entry.id} stands twice")
            ids.add((entry.role, entry.by, entry.id))
        try:
            verify_throw(table, promise, entry)
        except DiceProofError as wrong:
            world.wrong(f"{table}: entry {entry.seq}: {wrong}")
        if entry.fair is not None:
            secret = entry.fair.secret
            if secret in secrets or secret in world.model.burnt:
                world.wrong(f"{table}: entry {entry.seq} throws a secret that was known")
            secrets.add(secret)
            if entry.fair.next == hash_secret(bytes.fromhex(secret)) or entry.fair.next in commits:
                world.wrong(f"{table}: entry {entry.seq} commits again to what was committed to")
            commits.add(entry.fair.next)
        if clocked and live is not None and _too_soon(live, entry):
            world.wrong(f"{table}: entry {entry.seq} throws before the betting time is over")
        promise = promise.apply_entry(entry)
        live = folded(table, live, entry)
        if ledger_balance(live.table) != 0:
            world.wrong(f"{table}: the ledger does not sum to zero after {entry.seq}")
    if live is not None and live.table.seats:
        dealt = deal_text(export_record(log))
        if dealt.refusals or (
            msgspec.structs.replace(dealt.table, layout=live.table.layout) != live.table
        ):
            world.wrong(f"{table}: its record, dealt, ends at another table")


def _too_soon(live: LiveTable, entry: Entry) -> bool:
    binds = entry.fair is not None and (waits_for_players(live) or entry.by == MACHINE)
    return binds and parse_time(entry.at) < betting_deadline(live)
