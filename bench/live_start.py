"""Fill a store with tables, so that ``bench.live`` can measure a server's start with them."""

from __future__ import annotations

from asyncio import gather
from pathlib import Path
from secrets import token_bytes

from passline.live import live_table, lobby, table_setup
from passline.live.dice_proofs import Sealer
from passline.live.schema import OpenTableRequest
from passline.live.seats import TOKEN_ROLES, new_table_id
from passline.live.store import Appended
from passline.live.stores.sqlite import SqliteStore
from passline.live.throw_with_proof import HouseDice
from passline.live.tokens import make_grant, new_token

#: Tables that are opened together.
_TOGETHER = 500


async def fill(folder: Path, tables: int) -> None:
    """Open new tables in the store in ``folder``, as the service does, but many in one commit."""
    request = OpenTableRequest(rulebook="iowa")
    house = table_setup.read_requested_house(request)
    settings = table_setup.read_requested_settings(request, house)
    dice = HouseDice(Sealer(token_bytes(32)), token_bytes)
    store = await SqliteStore.open(folder)

    async def opened() -> live_table.LiveTable:
        table = new_table_id(token_bytes)
        sealed = dice.new_secret(table)[1]
        draft = table_setup.make_opening_draft(table, house, settings, sealed.commit, "")
        grants = [make_grant(new_token(), role) for role in TOKEN_ROLES]
        outcome = await store.create(table, draft, secret=sealed, grants=grants)
        assert isinstance(outcome, Appended)
        return live_table.open_from_entry(table, outcome.entries[0])

    for start in range(0, tables, _TOGETHER):
        many = min(_TOGETHER, tables - start)
        await lobby.save_rows(store, await gather(*(opened() for _ in range(many))))
    await store.close()
