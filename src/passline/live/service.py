"""The table service: everything that a server does with live tables, except HTTP.

`TableService` opens tables, checks tokens, seats players, handles lines and answers readers. To
handle a line it reads the log's new entries, checks the request id and the permission, parses and
decides the line, appends it as the next entry, and only then answers. If another server appended an
entry first, it reads that and decides again.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import nullcontext, suppress
from secrets import token_bytes
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from passline.live import (
    auto_dealer,
    live_table,
    player_page,
    schema,
    seats,
    table_cache,
    table_setup,
)
from passline.live.dice_proofs import Sealer, is_nonce
from passline.live.handle_line import LineHandler
from passline.live.hosted_tables import HOST_ROLES, HostedTables, check_hosted_request
from passline.live.live_table import MACHINE
from passline.live.lobby import Lobby, row_json, save_rows
from passline.live.log_entries import Draft, Entry
from passline.live.page_feed import LISTED_ENTRIES, PageFeed, Viewer
from passline.live.record_export import RecordExporter
from passline.live.repeated_requests import repeat_answer
from passline.live.signing_key import SigningKey, format_receipt
from passline.live.store import (
    PAGE_SIZE,
    Appended,
    Clock,
    Store,
    StoreClock,
    StoreError,
    SystemClock,
)
from passline.live.table_cache import (
    StreamEntry,
    TableCache,
    translate_store_errors,
)
from passline.live.throw_with_proof import HouseDice, RandomBytes
from passline.live.tokens import Holder, hash_token, make_grant
from passline.live.views import CREW_ROLES, view_table

#: The holder of the house key.
OPERATOR: Final = Holder("operator", "house")
#: Seconds that writing snapshots may take at shutdown.
_SNAPSHOT_SECONDS: Final = 1.5
#: A reader of an open table without a token.
WATCHER: Final = Holder("watcher")


class TableService:
    """The live tables of one store. Call ``start``, then ``stop``; the caller closes the store.

    ``sealer`` encrypts the dice secrets. ``restored`` means that the store comes from a backup, so
    that every table needs a new dice commitment. ``signing_key`` signs receipts and the school's
    certificates; its default is derived from the sealing key.
    """

    def __init__(
        self,
        store: Store,
        sealer: Sealer,
        clock: Clock | None = None,
        random_bytes: RandomBytes = token_bytes,
        restored: bool = False,
        signing_key: SigningKey | None = None,
    ) -> None:
        self.signing_key = signing_key or SigningKey(sealer.day_secret("signing key"))
        self.store, self.clock = store, StoreClock(store, clock or SystemClock())
        self.tables = TableCache(store, self.clock, self.signing_key.public_key)
        self.dice = HouseDice(sealer, random_bytes)
        self.stopping = asyncio.Event()
        self._random_bytes, self._restored = random_bytes, restored
        self._tasks: list[asyncio.Task[None]] = []
        self.auto_dealer = auto_dealer.AutoDealer(self.tables, self.dice, self.clock)
        self.lobby_rows = Lobby(self.tables)
        self.hosting = HostedTables(self.tables, self.lobby_rows, self.clock, self.dice.day_secret)
        self.line_handler = LineHandler(
            self.tables, self.dice, self.clock, self.hosting.check_reopening
        )
        self.streams = table_cache.EntryStreams(
            self.tables, self.stopping, self.auto_dealer.reschedule
        )

    # Opening and closing

    async def start(self, tend: bool = True) -> None:
        """Start the background tasks: the auto dealer, and closing abandoned hosted tables.

        With ``tend`` false, start none: tests call the auto dealer themselves.
        """
        if self._restored:
            await auto_dealer.recommit_all(self.tables, self.dice)
        if tend:
            runs = (self.auto_dealer.run, self.hosting.run)
            self._tasks = [asyncio.create_task(run(self.stopping)) for run in runs]

    async def stop(self) -> None:
        """End the streams and the background tasks, and store the lobby rows and snapshots."""
        self.stopping.set()
        await self.streams.close()
        with suppress(StoreError):
            await save_rows(self.store, [cached.live for cached in self.tables.all()])
        with suppress(TimeoutError):
            await asyncio.wait_for(self.tables.save_snapshots(), _SNAPSHOT_SECONDS)
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def open_table(
        self, request: schema.OpenTableRequest, host: str = "", *, shift: bool = False
    ) -> schema.OpenTableResponse:
        """Open a table and return its id and its tokens.

        ``host`` is the host's id (`HostedTables.host_id`), or empty if the house key opens the
        table. ``shift`` marks a shift of the dealer school. Raise ServiceError if the request is
        not allowed.
        """
        new_id = seats.new_table_id
        while True:
            table = new_id(self._random_bytes)
            opened = await self._open(table, request, host, shift=shift)
            if opened is not None:  # Else the random id is taken.
                return opened

    async def host_table(
        self, request: schema.OpenTableRequest, address: str, most: int, most_in_all: int = 0
    ) -> schema.OpenTableResponse:
        """Open a table for the host at a network address, without the house key.

        Raise ServiceError if the request is not allowed, if this host has ``most`` tables open
        already, or if all hosts together have ``most_in_all``; 0 means no limit.
        """
        check_hosted_request(request)
        host = self.hosting.host_id(address)
        async with self.hosting.lock:
            await self.hosting.check_limit(host, most, most_in_all)
            return await self.open_table(request, host)

    async def _open(
        self,
        table: str,
        request: schema.OpenTableRequest,
        host: str = "",
        *,
        shift: bool = False,
    ) -> schema.OpenTableResponse | None:
        """Open a table under this id and return its tokens. Return None if the id is taken.

        ``host`` is the host's id, or empty if the house key opens the table. ``shift`` marks a
        shift of the dealer school. Raise ServiceError if the request is not allowed.
        """
        house = table_setup.read_requested_house(request)
        settings = table_setup.read_requested_settings(request, house)
        if host:
            settings = replace(settings, host=host)
        if shift:
            settings = replace(settings, shift=True)
        roles = HOST_ROLES if host else seats.TOKEN_ROLES
        tokens = {role: self._random_bytes(24).hex() for role in roles}
        grants = [make_grant(token, role) for role, token in tokens.items()]
        sealed = self.dice.new_secret(table)[1] if settings.dice == "secure" else None
        commit = sealed.commit if sealed else ""
        draft = table_setup.make_opening_draft(
            table, house, settings, commit, self.signing_key.public_key
        )
        async with translate_store_errors():
            outcome = await self.store.create(table, draft, secret=sealed, grants=grants)
        if not isinstance(outcome, Appended):
            return None
        self.dice.record_commitment(table, commit)
        with suppress(StoreError):  # The table is open; its lobby row can wait.
            opened = live_table.open_from_entry(table, outcome.entries[0])
            await save_rows(self.store, [opened])
        return schema.OpenTableResponse(table, "", tokens)

    async def open_practice(self) -> None:
        """Open a practice table for everyone if the store has no table at all.

        Servers that share a store and start together use one fixed id, so that they open only one.
        """
        async with translate_store_errors():
            tables = await self.store.tables()
        if not tables and self.store.shared:
            await self._open("practice", table_setup.PRACTICE_TABLE)
        elif not tables:
            await self.open_table(table_setup.PRACTICE_TABLE)

    # Tokens and seats

    async def holder(self, table: str, token: str) -> Holder:
        """Return who holds a token at a table: a role, and a name if there is one.

        Raise ServiceError with the code ``not_found`` if there is no such table, and
        ``unauthorized`` if the token is not valid there.
        """
        cached = await self.tables.get(table)
        known = cached.holders.get(hash_token(token))
        if known is not None:
            return known
        withdrawn = cached.withdrawn
        async with translate_store_errors():
            found = await self.store.holder(table, token)
        if found is None:
            raise schema.ServiceError("invalid-token")
        if cached.withdrawn == withdrawn:  # Otherwise this token may have been withdrawn meanwhile.
            cached.holders[hash_token(token)] = found
        return found

    async def is_known_token(self, token: str) -> bool:
        """Return whether a token is valid at any table."""
        async with translate_store_errors():
            return await self.store.is_known_token(token)

    async def reader(self, table: str, token: str = "") -> Holder:
        """Return who reads a table: the token's holder, or a watcher without a token.

        Raise ServiceError if the token is not valid, or the table is private and there is no token.
        """
        if token:
            return await self.holder(table, token)
        cached = await self.tables.get(table)
        if not cached.live.settings.open:
            raise schema.ServiceError("private-table")
        return WATCHER

    async def invite(self, table: str, role: str, name: str = "", by: Holder = OPERATOR) -> str:
        """Make a new token for a role at a table and return it.

        ``by`` is who invites, as the log names them.
        """
        token = self._random_bytes(24).hex()
        cached = await self.tables.get(table)
        await seats.write_token_entry(self.tables, cached, by, Holder(role, name), token)
        return token

    async def withdraw(self, table: str, role: str, name: str = "", by: Holder = OPERATOR) -> None:
        """Make the tokens of a role and name invalid. End the event streams opened with them.

        An empty name means the tokens of the role that name nobody; for ``player`` those are the
        invitations. ``by`` is who withdraws them, as the log names them.
        """
        cached = await self.tables.get(table)
        await seats.write_token_entry(self.tables, cached, by, Holder(role, name), "")

    async def sit(
        self, table: str, request: schema.SeatRequest, invitation: str = ""
    ) -> schema.SeatResponse:
        """Seat a player at once, or ask the boxperson if the table's buy-ins need one.

        ``invitation`` is the token of the player's invitation, if there is one. Raise ServiceError
        if the player cannot have the seat.
        """
        claim = seats.SeatClaim.from_request(request, invitation, self._random_bytes)
        cached = await self.tables.get(table)
        async with cached.lock:
            answer = await seats.take_seat(self.tables, cached, claim)
        self.auto_dealer.reschedule(cached)
        return replace(answer, receipt=self._sign_receipt(table, answer.seq, answer.hash))

    def _sign_receipt(self, table: str, seq: int | None, entry_hash: str | None) -> str | None:
        """Return the signed receipt of an entry, or None if there is no entry."""
        if seq is None or entry_hash is None:
            return None
        return format_receipt(self.signing_key, table, seq, entry_hash)

    async def set_away(self, table: str, player: str, away: bool) -> None:
        """Log that a player closed all pages of a table (``away``) or opened one again.

        Write nothing if the log says so already, or for somebody who never sat down. Write no
        "away" in a Daily, for a player who left, or if no other player is there to wait.
        """
        cached = await self.tables.get(table)
        async with cached.lock:
            while True:
                live = await self.tables.require_writable(cached)
                seat = live.table.find(player)
                here = [one for one in live.table.playing if one.here]
                if (player in live.away) == away or seat is None:
                    return
                if away and (not seat.here or len(here) < 2 or live.settings.daily):
                    return
                more = {"act": "away" if away else "back", "player": player}
                draft = Draft(role=MACHINE, by=MACHINE, more=more)
                if isinstance(await self.tables.append(cached, live, [draft]), Appended):
                    return

    # Lines

    async def say(
        self, table: str, holder: Holder, request: schema.LineRequest, *, found: bool = False
    ) -> schema.LineOutcome:
        """Decide a line, append it to the log, and return what became of each command.

        Raise ServiceError if the holder may not say this line, or it was not understood. ``found``
        means that the caller has just brought the cached table up to date.
        """
        schema.check_request_id(request.id)
        if not is_nonce(request.nonce):
            raise schema.ServiceError("nonce-form")
        cached = (self.tables.get_cached(table) if found else None) or await self.tables.get(table)
        may_reopen = cached.live.is_closed and cached.live.settings.host_id
        async with self.hosting.lock if may_reopen else nullcontext(), cached.lock:
            said = await self.line_handler.handle(cached, holder, request)
        self.auto_dealer.reschedule(cached)
        if not isinstance(said, schema.LineOutcome):
            said = await repeat_answer(self.tables.store, cached, holder, request, said)
        return replace(said, receipt=self._sign_receipt(table, said.seq, said.hash))

    # Reading

    async def view(self, table: str, holder: Holder = WATCHER) -> dict[str, Any]:
        """Return a table as a holder may see it, as JSON, up to the last entry of the log."""
        cached = await self.tables.get(table)
        self.auto_dealer.reschedule(cached)
        view: dict[str, Any] = schema.to_json_value(view_table(cached.live, holder))
        return view

    async def page(self, table: str, viewer: Viewer) -> dict[str, Any]:
        """Return {"seq", "whole"}: the last entry's number, and all that a viewer's page shows."""
        cached = await self.tables.get(table)
        self.auto_dealer.reschedule(cached)
        feed = PageFeed(cached.live)
        log = []
        if viewer.holder.role in CREW_ROLES:
            log = await self.entries(table, max(-1, feed.seq - LISTED_ENTRIES))
        feed.add(viewer, [entry for entry in log if entry.seq <= feed.seq])
        return {"seq": feed.seq, "whole": feed.whole(viewer)}

    async def felt(self, table: str, end: str, place: int) -> dict[str, Any]:
        """Return the felt's drawing, and the click targets of one end, as JSON (`felt_json`).

        ``place`` is the viewer's seat position.
        """
        return player_page.felt_json((await self.tables.get(table)).live, end, place)

    async def entries(self, table: str, after: int = -1, limit: int = PAGE_SIZE) -> list[Entry]:
        """Return the entries after number ``after``: at most ``limit``, and at most a thousand."""
        cached = await self.tables.get(table)
        near = cached.entries_after(after)
        if near is None:
            async with translate_store_errors():
                return await self.store.read(table, after, min(limit, PAGE_SIZE))
        entries = []
        for near_entry in near[:limit]:
            entries.append(near_entry.entry)
            await self.store.fair_yield.wait_turn()  # Let other tasks run.
        return entries

    async def entry_lines(self, table: str, after: int, limit: int = PAGE_SIZE) -> list[bytes]:
        """Return at most ``limit`` entries after number ``after``, each as a line of the log."""
        near = (await self.tables.get(table)).entries_after(after)
        if near is not None:
            return [near_entry.text for near_entry in near[:limit]]
        await self.store.fair_yield.wait_turn()
        return [entry.text() for entry in await self.entries(table, after, limit)]

    def follow(
        self, table: str, after: int = -1, holder: Holder = WATCHER
    ) -> AsyncIterator[StreamEntry]:
        """Yield the entries after number ``after``, then each new one when it is written.

        See `EntryStreams.follow`.
        """
        return self.streams.follow(table, after, holder)

    async def log(self, table: str) -> AsyncGenerator[bytes, None]:
        """Yield the whole log of a table as bytes, one line for each entry."""
        await self.tables.get(table)
        async with translate_store_errors():
            async for entry in self.store.log(table):
                yield entry.text() + b"\n"

    async def record(self, table: str) -> str:
        """Return the game of a table as a ``.craps`` record."""
        await self.tables.get(table)
        lines: list[str] = []
        exporter = RecordExporter()
        async with translate_store_errors():
            async for entry in self.store.log(table):
                lines += exporter.add_entry(entry)
        lines += exporter.end()
        return "\n".join(lines) + "\n"

    async def lobby(self, limit: int | None = None, after: str = "") -> list[dict[str, Any]]:
        """Return the tables that are open to everyone and not closed, as JSON, sorted by id.

        Begin after the table with the id ``after``, and return at most ``limit`` if that is set.
        """
        listed = await self.lobby_rows.listed()
        first = bisect_right(listed, after, key=lambda one: one.table)
        page = listed[first : None if limit is None else first + limit]
        rows: list[dict[str, Any]] = msgspec.to_builtins(page)
        return rows

    async def heads(self, limit: int, after: str = "") -> list[dict[str, str]]:
        """Return the signed receipt of the last log entry of each table in the lobby, sorted by id.

        ``limit`` and ``after`` are those of `lobby`.
        """
        heads = []
        for row in await self.lobby(limit, after):
            table = row["table"]
            async with translate_store_errors():
                end = await self.store.log_end(table)
            if end is not None:
                receipt = format_receipt(self.signing_key, table, *end)
                heads.append({"table": table, "receipt": receipt})
                await self.store.fair_yield.wait_turn()  # Let other tasks run.
        return heads

    async def all_tables(self) -> list[dict[str, Any]]:
        """Return all tables, sorted by id, as JSON objects with ``status`` and ``open``."""
        rows = await self.lobby_rows.rows()
        return [row_json(rows[table]) for table in sorted(rows)]
