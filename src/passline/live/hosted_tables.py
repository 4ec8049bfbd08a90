"""Hosted tables, which anybody may open without the house key: their limits and their end.

The table's entry 0 identifies its host by a keyed hash of the network address, so that nobody can
read the address from the log. The host has the token of the floor. A table is closed when nobody
has been there for a day.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from passline.game.layout.stakes import Refusal
from passline.game.table.decide import decide
from passline.live import scheduled_actions
from passline.live.decided_line import DecidedLine, make_machine_draft
from passline.live.live_table import LiveTable, parse_time
from passline.live.lobby import Lobby
from passline.live.log_entries import Draft
from passline.live.scheduled_actions import ABANDONED_AFTER
from passline.live.schema import OpenTableRequest, ServiceError
from passline.live.store import StoreClock
from passline.live.table_cache import CachedTable, TableCache
from passline.live.tokens import Holder
from passline.record.table_lines import read_table_line

log = logging.getLogger("passline.live")

#: The roles that get a token when a host opens a table.
HOST_ROLES: Final = ("floor", "watcher")
#: Seconds between two searches for abandoned tables.
_SWEEP_SECONDS: Final = 600.0
#: Digits of the hash that identifies a host.
_ID_DIGITS: Final = 32


class HostedTables:
    """Limits the tables that visitors open without the house key, and closes abandoned ones.

    ``day_secret`` derives a secret from a text (and the server's key); host ids are made with it.
    ``has_visitors`` tells whether somebody has a page of the table with this id open, and
    ``find_limits`` returns how many tables one host and all hosts may have open. The web server
    sets both; without ``find_limits`` any table may be opened again.
    """

    def __init__(
        self,
        tables: TableCache,
        lobby: Lobby,
        clock: StoreClock,
        day_secret: Callable[[str], bytes],
    ) -> None:
        self._tables, self._lobby, self._clock = tables, lobby, clock
        self._day_secret = day_secret
        self.has_visitors: Callable[[str], bool] = lambda table: False
        self.find_limits: Callable[[], tuple[int, int]] | None = None
        #: Held while a table is counted and opened, or opened again.
        self.lock = asyncio.Lock()

    def host_id(self, address: str) -> str:
        """Return the id of the host at a network address.

        All addresses of an IPv6 /64 network share one id.
        """
        return self._day_secret(f"host {normalize_address(address)}").hex()[:_ID_DIGITS]

    async def check_limit(self, host: str, most: int, most_in_all: int) -> None:
        """Raise ServiceError if the host with the id ``host`` has ``most`` tables open already.

        Also raise it if all hosts together have ``most_in_all`` tables open; 0 means no limit.
        """
        if (await self._list_open_hosts()).count(host) >= most:
            raise ServiceError("too-many-hosted", most=most, retry_after=600)
        await self.check_total(most_in_all)

    async def check_total(self, most: int) -> None:
        """Raise ServiceError if ``most`` tables of visitors are open; 0 means no limit.

        Tables that visitors host count, and the tables of their school shifts.
        """
        if most and len(await self._list_open_hosts()) >= most:
            raise ServiceError("all-hosted", most=most, retry_after=600)

    async def _list_open_hosts(self) -> list[str]:
        """Return the host's id of each open table that a visitor opened."""
        rows = await self._lobby.rows()
        return [row.host for row in rows.values() if row.host and row.status != "closed"]

    async def check_reopening(self, live: LiveTable, holder: Holder) -> None:
        """Raise ServiceError if ``holder`` may not open a closed hosted table again now.

        That is so if its host, or all hosts together, have too many tables open. The operator may
        always open one.
        """
        host = live.settings.host_id
        if host and live.is_closed and holder.role != "operator" and self.find_limits is not None:
            await self.check_limit(host, *self.find_limits())

    async def run(self, stopping: asyncio.Event) -> None:
        """Close abandoned tables every ten minutes until the event ``stopping`` is set."""
        while not stopping.is_set():
            await self._clock.sleep(_SWEEP_SECONDS)
            try:
                await self.close_abandoned()
            except ServiceError as wrong:
                log.warning("abandoned tables were not closed: %s", wrong)

    async def close_abandoned(self) -> None:
        """Close the hosted tables where nobody has been for a day."""
        latest = self._clock.now() - ABANDONED_AFTER
        for table, row in list((await self._lobby.rows()).items()):
            is_old = row.host and row.status != "closed" and parse_time(row.visited) <= latest
            if is_old and not self.has_visitors(table):
                try:
                    await self._close(await self._tables.get(table))
                except ServiceError as wrong:
                    log.warning("table %s was not closed: %s", table, wrong)

    async def _close(self, cached: CachedTable) -> None:
        """Return the bets, make all players leave, and close the table, as far as the rules allow.

        Stop if somebody has come to the table in the meantime.
        """
        async with cached.lock:
            while not (live := await self._tables.require_writable(cached)).is_closed:
                draft = _make_closing_draft(live)
                if draft is None or not scheduled_actions.is_abandoned(live, self._clock.now()):
                    return
                await self._tables.append(cached, live, [draft])


def _make_closing_draft(live: LiveTable) -> Draft | None:
    """Return the next entry that helps to close an abandoned table, or None if none is allowed."""
    for due in scheduled_actions.closing_actions(live):
        answer = decide(live.table, read_table_line(due.line, live.table))
        if not isinstance(answer, Refusal):
            return make_machine_draft(DecidedLine((), due.line, answer))
    return None


def check_hosted_request(request: OpenTableRequest) -> None:
    """Raise ServiceError if a request for a hosted table asks for what only an operator may have.

    At a hosted table the server throws the dice, anyone may buy in, and the machine deals every
    post.
    """
    if request.dice != "secure" or request.posts or request.buy_ins != "open":
        raise ServiceError("operator-opens")


def normalize_address(address: str) -> str:
    """Return an IPv4 address as it is, and for an IPv6 address its /64 network.

    One customer has a whole /64 network.

    >>> normalize_address("2001:db8::17"), normalize_address("192.0.2.1")
    ('2001:db8::/64', '192.0.2.1')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return str(ip_network((found, 64), strict=False))
    return str(getattr(found, "ipv4_mapped", None) or found)
