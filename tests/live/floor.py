"""A table service for tests: its clock is set by hand, and its random numbers are fixed."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from passline.game.table.state import Seat, Table, ledger_balance
from passline.live.audit.audit import Audit
from passline.live.dice_proofs import Sealer
from passline.live.hash_chain import verify_chain
from passline.live.live_table import LiveTable, fold_log
from passline.live.log_entries import Entry
from passline.live.page_feed import Viewer
from passline.live.schema import (
    LineOutcome,
    LineRequest,
    OpenTableRequest,
    SeatRequest,
    ServiceError,
)
from passline.live.service import OPERATOR, TableService
from passline.live.stores.memory import MemoryDisk, MemoryStore
from passline.live.table_cache import decode_snapshot, encode_snapshot
from passline.live.tokens import Holder
from passline.record.deal import deal_text
from tests.table.games import standing

EVERY_POST = dict.fromkeys(("floor", "box", "stick", "left-base", "right-base"), "person")
NO_WAIT = {"betting": 0, "shooter": 0}


class Clock:
    """Stands still until it is turned."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 15, 14, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)

    def turn(self, **by: float) -> None:
        self.time += timedelta(**by)


class Floor:
    """One hall, or several over one shelf, and the table that a test is about."""

    def __init__(
        self, seed: int = 1, memory_disk: MemoryDisk | None = None, **service: Any
    ) -> None:
        self.clock = Clock()
        self.memory_disk = memory_disk or MemoryDisk()
        self.random = random.Random(seed)
        self.service = self.another(**service)
        self.table = ""
        self.tokens: dict[str, str] = {}
        self._ids = count(1)

    def another(self, **service: Any) -> TableService:
        store = MemoryStore(self.memory_disk, self.clock.now)
        return TableService(store, Sealer(bytes(32)), self.clock, self.random.randbytes, **service)

    async def open(self, rulebook: str = "new-jersey", **asked: Any) -> Floor:
        answer = await self.service.open_table(OpenTableRequest(rulebook=rulebook, **asked))
        self.table, self.tokens = answer.table, dict(answer.tokens)
        return self

    async def sit(self, name: str, buy_in: str = "500", **asked: Any) -> Holder:
        answer = await self.service.sit(self.table, SeatRequest(name=name, buy_in=buy_in, **asked))
        self.tokens[name] = answer.token
        return Holder("player", name)

    async def page(self, who: Holder | None = None, player: str = "") -> dict[str, Any]:
        """Everything that somebody's page shows; a watcher's, if nobody is named."""
        viewer = Viewer(who or Holder("watcher"), player)
        whole: dict[str, Any] = (await self.service.page(self.table, viewer))["whole"]
        return whole

    async def say(self, who: Holder | str, say: str, **asked: Any) -> LineOutcome:
        """Say something under a new id; a player by name, a post by its role."""
        request = {"id": f"i{next(self._ids)}", **asked}
        return await self.service.say(self.table, holder(who), LineRequest(say=say, **request))

    async def taken(self, who: Holder | str, say: str, **asked: Any) -> LineOutcome:
        answer = await self.say(who, say, **asked)
        assert answer.seq is not None, answer
        return answer

    async def refused(self, who: Holder | str, say: str) -> str:
        """The code of the refusal of something of which nothing is taken."""
        answer = await self.say(who, say)
        assert answer.seq is None, answer
        refusal = answer.entries[0].refusal
        assert refusal is not None
        return refusal.code

    async def error(self, who: Holder | str, say: str, **asked: Any) -> ServiceError:
        """The error that it meets; nothing is written."""
        before = await self.log()
        try:
            answer = await self.say(who, say, **asked)
        except ServiceError as wrong:
            assert await self.log() == before
            return wrong
        raise AssertionError(f"{who} may say {say!r}: {answer}")

    async def cited(self, who: Holder | str, say: str) -> str:
        """The clause by which something is not taken: of a 403, or of a refusal."""
        if await self.code(who, say) != "done":
            return (await self.error(who, say)).cite
        answer = await self.say(who, say)
        assert answer.seq is None, answer
        refusal = answer.entries[0].refusal
        assert refusal is not None
        return refusal.cite

    async def code(self, who: Holder | str, say: str) -> str:
        """What comes of it: "done", or the error's code."""
        try:
            await self.say(who, say)
        except ServiceError as wrong:
            return wrong.code
        return "done"

    async def tend(self, **by: float) -> None:
        self.clock.turn(**by)
        await self.service.auto_dealer.run_due()

    async def log(self) -> list[Entry]:
        return [entry async for entry in self.service.store.log(self.table)]

    async def lines(self) -> list[str]:
        return [entry.line or f"({entry.act})" for entry in (await self.log())[1:]]

    async def live(self) -> LiveTable:
        return (await self.service.tables.get(self.table)).live

    async def seat(self, name: str) -> Seat:
        return (await self.live()).table.seat(name)

    async def hold(self) -> Table:
        """What is always true: the chain is whole, the fold is the table, the ledger sums to
        zero, an audit finds nothing, and the record, dealt, ends at the same table."""
        entries, live = await self.log(), await self.live()
        assert verify_chain(entries) == live.head
        audit = Audit()
        audit.add_lines(entry.text() for entry in entries)
        assert audit.end().findings == ()
        assert fold_log(self.table, entries) == live
        assert ledger_balance(live.table) == 0
        assert decode_snapshot(self.table, entries[0], encode_snapshot(live)) == live
        if live.table.seats:
            dealt = deal_text(await self.service.record(self.table))
            assert not dealt.refusals
            assert dealt.table.house.elections == live.table.house.elections
            assert standing(dealt.table) == standing(live.table)
        return live.table


def holder(who: Holder | str) -> Holder:
    if isinstance(who, Holder):
        return who
    if who == "operator":
        return OPERATOR
    return (
        Holder(who)
        if who in EVERY_POST or who in ("watcher", "surveillance")
        else Holder("player", who)
    )
