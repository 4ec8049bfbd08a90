"""A server's start with many tables in its store, for ``bench.live``."""

from __future__ import annotations

from asyncio import gather
from pathlib import Path
from secrets import token_bytes

from passline.live import live_table, lobbies, opening
from passline.live.appends import Appended
from passline.live.asks import OpenAsked
from passline.live.inviting import GIVEN, new_id
from passline.live.seal import Sealer
from passline.live.stores.sqlite import SqliteStore
from passline.live.throws import HouseDice
from passline.live.tokens import grant, new_token

#: Tables that are opened together.
_TOGETHER = 500


async def fill(folder: Path, tables: int) -> None:
    """Open tables as a hall opens them, but many in one commit."""
    asked = OpenAsked(rulebook="iowa")
    house = opening.house_asked(asked)
    settings = opening.settings_asked(asked, house)
    dice = HouseDice(Sealer(token_bytes(32)), token_bytes)
    store = await SqliteStore.open(folder)

    async def opened() -> live_table.LiveTable:
        table = new_id(token_bytes)
        sealed = dice.fresh(table)[1]
        draft = opening.opening_draft(table, house, settings, sealed.commit)
        grants = [grant(new_token(), role) for role in GIVEN]
        outcome = await store.create(table, draft, secret=sealed, grants=grants)
        assert isinstance(outcome, Appended)
        return live_table.opening(table, outcome.entries[0])

    for start in range(0, tables, _TOGETHER):
        many = min(_TOGETHER, tables - start)
        await lobbies.keep_rows(store, await gather(*(opened() for _ in range(many))))
    await store.close()
