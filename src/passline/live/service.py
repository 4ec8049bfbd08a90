"""Tables in a line each, told from what is folded or from what was kept: the open ones for the
lobby, all of them for the operator.

A hall: tables, those who speak at them, the machine that deals, and one log for each.

Catch up; was the id seen? may this role say it (403)? is it understood (422)? decide; append,
synced, under the next number; fold it in; only then answer. Who loses the number catches up and
decides again. Time, chance and the store come in from outside.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import suppress
from secrets import token_bytes
from typing import Any, Final

import msgspec

from passline.live import (
    auto_dealer,
    crew_page,
    live_table,
    player_page,
    requests,
    seats,
    table_cache,
    table_setup,
)
from passline.live.dice_proofs import Sealer, is_nonce
from passline.live.entries import Entry
from passline.live.handle_line import LineHandler
from passline.live.house_dice import HouseDice, RandomBytes
from passline.live.live_table import LiveTable
from passline.live.record_export import export_record_lines
from passline.live.requests import (
    LineOutcome,
    LineRequest,
    OpenTableRequest,
    OpenTableResponse,
    ServiceError,
)
from passline.live.store import (
    PAGE_SIZE,
    Appended,
    Clock,
    Snapshot,
    Store,
    StoreClock,
    StoreError,
    SystemClock,
    TableListing,
)
from passline.live.table_cache import StreamEntry, TableCache, load_table, translate_store_errors
from passline.live.tokens import Holder, hash_token, make_grant
from passline.live.views import list_table, view_table
from passline.version import VERSION

#: Snapshots of this kind hold a table's line; another version tells its own.
_LOBBY_KIND: Final = f"lobby {VERSION}"


#: Tables that are folded before what was found is kept.
_FOLD_BATCH: Final = 200

LobbyRow = dict[str, Any]


async def list_open_tables(tables: TableCache) -> list[LobbyRow]:
    """The tables that are open to anybody, and not closed."""
    rows = await _list_rows(tables, _is_open)
    return [row for row in rows if row.pop("status", "live") != "closed"]


async def list_all_tables(tables: TableCache) -> list[LobbyRow]:
    """Every table there is, for the operator: ``status`` besides, and whether it is ``open``."""
    async with translate_store_errors():
        opened = {found.table for found in await tables.store.tables() if _is_open(found)}
    rows = await _list_rows(tables, lambda listing: True)
    return [row | {"open": row["table"] in opened} for row in rows]


async def _list_rows(tables: TableCache, which: Callable[[TableListing], bool]) -> list[LobbyRow]:
    """A line of each of these tables, with its status."""
    store = tables.store
    async with translate_store_errors():
        listings = [found for found in await store.tables() if which(found)]
        kept = {snap.table: snap for snap in await store.snapshots(_LOBBY_KIND)}
    cached = {table.live.id: table for table in tables.all()}
    rows: dict[str, LobbyRow] = {}
    cold: list[TableListing] = []
    for listing in listings:
        snapshot, here = kept.get(listing.table), cached.get(listing.table)
        if here is not None and here.live.head.seq >= listing.seq:
            rows[listing.table] = _make_row(here.live)
        elif snapshot is not None and snapshot.seq == listing.seq:
            rows[listing.table] = msgspec.json.decode(snapshot.data)
        else:
            cold.append(listing)
    for start in range(0, len(cold), _FOLD_BATCH):
        rows |= await _fold_rows(tables, cold[start : start + _FOLD_BATCH])
    return [rows[listing.table] for listing in listings if listing.table in rows]


def _is_open(listing: TableListing) -> bool:
    settings = listing.settings
    return isinstance(settings, dict) and settings.get("open") is True


def _make_row(live: LiveTable) -> LobbyRow:
    return {
        **msgspec.to_builtins(list_table(live)),
        "status": "closed" if live.moved else live.table.status,
    }


async def save_lobby_rows(store: Store, lives: Iterable[LiveTable]) -> None:
    """Keep what the lobby tells of tables, so that nobody need fold them for it."""
    await store.save_snapshots(
        *(
            Snapshot(
                table=live.id,
                kind=_LOBBY_KIND,
                seq=live.head.seq,
                data=msgspec.json.encode(_make_row(live)),
            )
            for live in lives
        )
    )


async def _fold_rows(tables: TableCache, listings: Sequence[TableListing]) -> dict[str, LobbyRow]:
    """Tables' lines from their logs, kept for the next time."""
    lives = []
    for listing in listings:
        try:
            async with translate_store_errors():
                lives.append((await load_table(tables.store, listing.table)).live)
        except ServiceError:
            continue  # a log that cannot be folded hides no other table
    async with translate_store_errors():
        await save_lobby_rows(tables.store, lives)
    return {live.id: _make_row(live) for live in lives}


#: Who holds the house key.
OPERATOR: Final = Holder("operator", "house")
#: Whoever reads an open table without a token.
WATCHER: Final = Holder("watcher")
#: Entries of the log that a post's page lists to begin with.
_LISTED_ENTRIES: Final = 200


class TableService:
    """The server's heart. ``start`` it, and ``stop`` it; the store is its owner's to close."""

    def __init__(
        self,
        store: Store,
        sealer: Sealer,
        clock: Clock | None = None,
        random_bytes: RandomBytes = token_bytes,
        restored: bool = False,
    ) -> None:
        self.store, self.clock = store, StoreClock(store, clock or SystemClock())
        self.tables = TableCache(store)
        self.dice = HouseDice(sealer, random_bytes)
        self.stopping = asyncio.Event()
        self._random_bytes, self._restored = random_bytes, restored
        self._dealer_task: asyncio.Task[None] | None = None
        self.line_handler = LineHandler(self.tables, self.dice, self.clock)
        self.auto_dealer = auto_dealer.AutoDealer(self.tables, self.dice, self.clock)
        self.streams = table_cache.EntryStreams(
            self.tables, self.stopping, self.auto_dealer.reschedule
        )

    # Opening and ending

    async def start(self, tend: bool = True) -> None:
        """Get ready: after a restore, commit anew at every table. ``tend``: the machine deals by
        itself; tests turn it by hand."""
        if self._restored:
            await auto_dealer.recommit_all(self.tables, self.dice)
        if tend:
            self._dealer_task = asyncio.create_task(self.auto_dealer.run(self.stopping))

    async def stop(self) -> None:
        """End the streams and the machine's dealing; keep what the lobby tells."""
        self.stopping.set()
        await self.streams.close()
        with suppress(StoreError):
            await save_lobby_rows(self.store, [cached.live for cached in self.tables.all()])
        if self._dealer_task is not None:
            self._dealer_task.cancel()
            with suppress(asyncio.CancelledError):
                await self._dealer_task

    async def open_table(self, asked: OpenTableRequest) -> OpenTableResponse:
        """Open a table: its id, and a token for every role but operator and player."""
        while (opened := await self._open(seats.new_table_id(self._random_bytes), asked)) is None:
            pass  # there is such a table
        return opened

    async def _open(self, table: str, asked: OpenTableRequest) -> OpenTableResponse | None:
        """Open a table under an id; None: there is one."""
        house = table_setup.read_requested_house(asked)
        settings = table_setup.read_requested_settings(asked, house)
        tokens = {role: self._random_bytes(24).hex() for role in seats.TOKEN_ROLES}
        grants = [make_grant(token, role) for role, token in tokens.items()]
        sealed = self.dice.new_secret(table)[1] if settings.dice == "secure" else None
        draft = table_setup.make_opening_draft(
            table, house, settings, sealed.commit if sealed else ""
        )
        async with translate_store_errors():
            outcome = await self.store.create(table, draft, secret=sealed, grants=grants)
        if not isinstance(outcome, Appended):
            return None
        with suppress(StoreError):  # the table stands; its line in the lobby can wait
            opened = live_table.open_from_entry(table, outcome.entries[0])
            await save_lobby_rows(self.store, [opened])
        return OpenTableResponse(table, "", tokens)

    async def open_practice(self) -> None:
        """Where the store has no table at all, open one that anybody can sit down at. Servers
        that share it, and start together, open it under one id: the first of them does."""
        async with translate_store_errors():
            tables = await self.store.tables()
        if not tables and self.store.shared:
            await self._open("practice", table_setup.PRACTICE_TABLE)
        elif not tables:
            await self.open_table(table_setup.PRACTICE_TABLE)

    async def close_table(self, table: str, request: str, holder: Holder = OPERATOR) -> LineOutcome:
        """Close a table: the floor's line."""
        return await self.say(table, holder, LineRequest(id=request, say="table closes"))

    async def reopen_table(
        self, table: str, request: str, holder: Holder = OPERATOR
    ) -> LineOutcome:
        """Open a closed table again."""
        return await self.say(table, holder, LineRequest(id=request, say="table opens"))

    # Who may speak

    async def holder(self, table: str, token: str) -> Holder:
        """Whom a token speaks for. ServiceError where there is no such table, 401."""
        cached = await self.tables.get(table)
        known = cached.holders.get(hash_token(token))
        if known is not None:
            return known
        withdrawn = cached.withdrawn
        async with translate_store_errors():
            found = await self.store.holder(table, token)
        if found is None:
            raise ServiceError("unauthorized", "that token speaks for nobody at this table")
        if cached.withdrawn == withdrawn:  # else it may have been this one, after it was found
            cached.holders[hash_token(token)] = found
        return found

    async def is_known_token(self, token: str) -> bool:
        """Whether a token speaks for somebody at some table."""
        async with translate_store_errors():
            return await self.store.is_known_token(token)

    async def reader(self, table: str, token: str = "") -> Holder:
        """Who reads a table: whoever holds a token, or anybody where it is open (a watcher)."""
        if token:
            return await self.holder(table, token)
        cached = await self.tables.get(table)
        if not cached.live.settings.open:
            raise ServiceError("unauthorized", "this table is not open: expected a token of it")
        return WATCHER

    async def invite(self, table: str, role: str, name: str = "", by: Holder = OPERATOR) -> str:
        """A new token for a role at a table."""
        token = self._random_bytes(24).hex()
        cached = await self.tables.get(table)
        await seats.invite_holder(self.tables, cached, by, Holder(role, name), token)
        return token

    async def withdraw(self, table: str, role: str, name: str = "", by: Holder = OPERATOR) -> None:
        """Withdraw the tokens of a role that name nobody, or one name's; their streams end."""
        cached = await self.tables.get(table)
        await seats.withdraw_tokens(self.tables, cached, by, Holder(role, name))

    async def sit(
        self, table: str, asked: requests.SeatRequest, invitation: str = ""
    ) -> requests.SeatResponse:
        """Sit down: a name, a buy-in, a place. ``invitation``: the token that came with it."""
        claim = seats.SeatClaim.from_request(asked, invitation, self._random_bytes)
        cached = await self.tables.get(table)
        async with cached.lock:
            answer = await seats.take_seat(self.tables, cached, claim)
        self.auto_dealer.reschedule(cached)
        return answer

    # Saying

    async def say(
        self, table: str, holder: Holder, asked: LineRequest, *, found: bool = False
    ) -> LineOutcome:
        """Deal what somebody says. ServiceError where it is not carried out. ``found``: since it was
        asked the table was brought up to date once, when ``holder`` told who speaks."""  # noqa: E501
        requests.check_request_id(asked.id)
        if not is_nonce(asked.nonce):
            raise ServiceError("invalid", "nonce: expected up to 64 letters, digits, - and _")
        cached = (self.tables.get_cached(table) if found else None) or await self.tables.get(table)
        async with cached.lock:
            said = await self.line_handler.handle(cached, holder, asked)
        self.auto_dealer.reschedule(cached)
        if isinstance(said, LineOutcome):
            return said
        return await self.line_handler.repeat_answer(cached, holder, asked, said)

    # Reading

    async def view(self, table: str, holder: Holder = WATCHER) -> dict[str, Any]:
        """A table as somebody sees it, everything shown that was acknowledged before."""
        cached = await self.tables.get(table)
        self.auto_dealer.reschedule(cached)
        view: dict[str, Any] = requests.to_json_value(view_table(cached.live, holder))
        return view

    async def player_page(self, table: str, holder: Holder = WATCHER) -> dict[str, Any]:
        """Everything that somebody's page shows of a table."""
        cached = await self.tables.get(table)
        self.auto_dealer.reschedule(cached)
        return player_page.page_state(cached.live, holder, self.clock.now())

    async def crew_page(
        self, table: str, holder: Holder, player: str = "", after: int | None = None
    ) -> dict[str, Any]:
        """Everything that the page of somebody's post shows, and the log after a number: unless
        one is given, its last entries. ServiceError for whoever is not of the crew."""
        cached = await self.tables.get(table)
        live = cached.live
        since = max(-1, live.head.seq - _LISTED_ENTRIES if after is None else after)
        log = await self.entries(table, since)
        return crew_page.crew_page_state(live, holder, self.clock.now(), player, log)

    async def felt(self, table: str, end: str, place: int) -> dict[str, Any]:
        """The felt of a table as one end sees it."""
        return player_page.felt_json((await self.tables.get(table)).live, end, place)

    async def entries(self, table: str, after: int = -1, limit: int = PAGE_SIZE) -> list[Entry]:
        """The entries after a number, a thousand at most."""
        cached = await self.tables.get(table)
        near = cached.entries_after(after)
        if near is None:
            async with translate_store_errors():
                return await self.store.read(table, after, min(limit, PAGE_SIZE))
        entries = []
        for told in near[:limit]:
            entries.append(told.entry)
            await self.store.fair_yield.wait_turn()  # a page of them may be long
        return entries

    async def entry_lines(self, table: str, after: int, limit: int = PAGE_SIZE) -> list[bytes]:
        """The same as lines of the log: what is at hand is not decoded for it."""
        near = (await self.tables.get(table)).entries_after(after)
        if near is not None:
            return [told.text for told in near[:limit]]
        await self.store.fair_yield.wait_turn()
        return [entry.text() for entry in await self.entries(table, after, limit)]

    def follow(
        self, table: str, after: int = -1, holder: Holder = WATCHER
    ) -> AsyncIterator[StreamEntry]:
        """Entries from the one after a number, as they come. It ends when the hall stops, when
        the holder's token is withdrawn, and when who reads falls a thousand behind."""
        return self.streams.follow(table, after, holder)

    async def log(self, table: str) -> AsyncIterator[bytes]:
        """The whole log, one entry a line."""
        await self.tables.get(table)
        async with translate_store_errors():
            async for entry in self.store.log(table):
                yield entry.text() + b"\n"

    async def record(self, table: str) -> str:
        """The game as a ``.craps`` record."""
        await self.tables.get(table)
        lines: list[str] = []
        async with translate_store_errors():
            async for entry in self.store.log(table):
                lines += export_record_lines([entry])
        return "\n".join(lines) + "\n"

    async def lobby(self) -> list[dict[str, Any]]:
        """The open tables, for whoever comes in."""
        return await list_open_tables(self.tables)

    async def all_tables(self) -> list[dict[str, Any]]:
        """Every table there is, as the operator sees them."""
        return await list_all_tables(self.tables)
