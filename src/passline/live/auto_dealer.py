"""Run the auto dealer, which deals in place of crew members who are not there.

`scheduled_actions` lists its actions, such as throws, and their times. This module reads the
clock and appends entries through the table cache.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from datetime import datetime
from typing import Final

from passline.game.layout.stakes import Refusal
from passline.game.table.decide import decide
from passline.live import table_cache
from passline.live.decided_line import DecidedLine, make_machine_draft
from passline.live.live_table import MACHINE, LiveTable
from passline.live.log_entries import Draft
from passline.live.scheduled_actions import (
    ScheduledAction,
    find_action_line,
    iter_near_actions,
    list_die_off_lines,
)
from passline.live.schema import ServiceError
from passline.live.store import Appended, CorruptStoreError, StoreClock, StoreError
from passline.live.table_cache import CachedTable, TableCache, translate_store_errors
from passline.live.throw_with_proof import HouseDice
from passline.record.table_lines import read_table_line

log = logging.getLogger("passline.live")

#: The longest wait between two runs, and the wait after an error of the store, in seconds.
_MAX_WAIT: Final = 60.0
_RETRY_WAIT: Final = 1.0
#: How many tables get a new dice commitment at the same time.
_COMMIT_BATCH: Final = 200


class AutoDealer:
    """Runs the scheduled actions of all tables in memory, in one background task."""

    def __init__(self, tables: TableCache, dice: HouseDice, clock: StoreClock) -> None:
        self._tables, self._dice, self._clock = tables, dice, clock
        self._woken = asyncio.Event()
        self._planned: datetime | None = None

    def reschedule(self, cached: CachedTable) -> None:
        """Wake the background task if an action of this table is due before it wakes by itself.

        Call this after each entry.
        """
        planned = self._planned and self._planned + cached.lead
        if any(planned is None or due.when < planned for due in iter_near_actions(cached.live)):
            self._woken.set()

    async def run(self, stopping: asyncio.Event) -> None:
        """Run due actions in a loop until the event ``stopping`` is set."""
        waker = asyncio.ensure_future(self._wake_often(stopping))
        try:
            while not stopping.is_set():
                self._woken.clear()
                await self._next(await self.run_due())
        finally:
            waker.cancel()

    async def _next(self, wait: float) -> None:
        """Wait ``wait`` seconds, or less if `reschedule` wakes the task."""
        sleeper = asyncio.ensure_future(self._clock.sleep(wait))
        woken = asyncio.ensure_future(self._woken.wait())
        try:
            await asyncio.wait([sleeper, woken], return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeper.cancel()
            woken.cancel()

    async def _wake_often(self, stopping: asyncio.Event) -> None:
        """Load the active tables: once, or every minute if other servers share the store.

        If one of those servers stops, this server deals at its tables from then on.
        """
        while not stopping.is_set():
            try:
                await self.load_active_tables()
                if not self._tables.store.shared:
                    return
                await self._clock.sleep(_MAX_WAIT)
            except ServiceError:
                await self._clock.sleep(_RETRY_WAIT)

    async def load_active_tables(self) -> None:
        """Load the tables that the store lists as active: with players, or with bets up.

        Their games then go on after a restart, or after another server has stopped. Skip tables
        that can't be loaded. Raise ServiceError if the store cannot list them.
        """
        async with translate_store_errors():
            names = await table_cache.active_table_ids(self._tables.store)
        cached = {cached.live.id for cached in self._tables.all()}
        for table in names:
            if table not in cached:
                with suppress(ServiceError):  # A damaged log must not stop the others.
                    self.reschedule(await self._tables.get(table))
                await asyncio.sleep(0)

    async def run_due(self) -> float:
        """Run every action that is due at the tables in memory.

        Return how many seconds to wait for the next action, at most a minute; after an error of the
        store, at most one second. An error at one table does not stop the others.
        """
        self._planned = None
        try:
            await self._clock.synchronize()
        except StoreError:
            return _RETRY_WAIT
        wait, now = _MAX_WAIT, self._clock.now()
        for cached in self._tables.all():
            try:
                await self._run_table(cached)
            except ServiceError:
                wait = min(wait, _RETRY_WAIT)
                continue
            except Exception as wrong:  # An error at one table must not stop the others.
                log.error("table %s: the machine cannot go on: %r", cached.live.id, wrong)
                cached.skip_action()
                continue
            due = cached.next_action()
            if due is not None:
                when = due.when - cached.lead
                wait = min(wait, max(0.0, (when - now).total_seconds()))
                if self._planned is None or when < self._planned:
                    self._planned = when
        return wait

    async def _run_table(self, cached: CachedTable) -> None:
        """Run one table's due actions, under its lock. Skip those that the rules do not allow."""
        due = cached.next_action()
        if due is None or due.when > cached.read_time(self._clock.now()):
            return
        async with cached.lock:
            if self._tables.store.shared:
                await self._tables.refresh(cached)
            while (due := cached.next_action()) is not None and await self._has_come(cached, due):
                live = await self._tables.require_writable(cached)
                if cached.next_action() == due and not await self._perform(cached, live, due):
                    cached.skip_action()

    async def _has_come(self, cached: CachedTable, due: ScheduledAction) -> bool:
        """Return whether an action is due, by this computer's clock and by the store's.

        The store's clock is read before each action. If only this computer's clock counted and it
        jumped ahead, the auto dealer would throw the dice again and again without any betting time.
        """
        if due.when > cached.read_time(self._clock.now()):
            return False
        async with translate_store_errors():
            await self._clock.synchronize()
        return due.when <= cached.read_time(self._clock.now())

    async def _perform(self, cached: CachedTable, live: LiveTable, due: ScheduledAction) -> bool:
        """Write the entries of an action. Return False if the rules do not allow the action now."""
        if not due.line:
            await self._throw(cached, live)
            return True
        line = find_action_line(live, due, cached.read_time(self._clock.now()))
        answer = decide(live.table, read_table_line(line, live.table)) if line else None
        if answer is None or isinstance(answer, Refusal):
            return False
        draft = make_machine_draft(DecidedLine((), line, answer))
        await self._tables.append(cached, live, [draft], [answer], yields=True)
        return True

    async def call_die_off(self, table: str, side: str) -> bool:
        """Have the machine call no roll at a table of a school shift, because a die fell off.

        ``side`` is where it fell: ``outside`` or ``inside``. Return whether the call was written.
        It is not if the rules forbid it now, or if another server wrote to the table first.
        """
        cached = await self._tables.get(table)
        async with cached.lock:
            live = await self._tables.require_writable(cached)
            line = list_die_off_lines(live).get(side, "")
            answer = decide(live.table, read_table_line(line, live.table)) if line else None
            if answer is None or isinstance(answer, Refusal):
                return False
            draft = make_machine_draft(DecidedLine((), line, answer))
            outcome = await self._tables.append(cached, live, [draft], [answer])
        self.reschedule(cached)
        return isinstance(outcome, Appended)

    async def _throw(self, cached: CachedTable, live: LiveTable) -> None:
        """Throw the house's dice.

        If somebody may know the secret of the throw, or it is lost, write a new dice commitment
        instead.
        """
        secret = await self._dice.find_secret(self._tables, cached, live)
        if secret is None:
            await self._dice.recommit(self._tables, cached, live, "commit", yields=True)
            return
        thrown = self._dice.make_throw(live, secret, "", Draft(role=MACHINE, by=MACHINE))
        outcome = await self._tables.append(
            cached, live, thrown.drafts, thrown.draft_events, secret=thrown.secret, yields=True
        )
        self._dice.record_outcome(live.id, outcome, thrown.secret)
        cached.secret = thrown.next


async def recommit_all(tables: TableCache, dice: HouseDice) -> None:
    """Write a new dice commitment at every table where the house throws, after a restore.

    Raise ServiceError if the store fails: somebody may know the old secrets, so the server must not
    start. Skip tables where nobody can throw on this server anyway: those that are damaged, moved
    away, or written by a later version.
    """
    async with translate_store_errors():
        ids = await tables.store.ids()
    for start in range(0, len(ids), _COMMIT_BATCH):
        batch = ids[start : start + _COMMIT_BATCH]
        await asyncio.gather(*(_recommit_table(tables, dice, table) for table in batch))


async def _recommit_table(tables: TableCache, dice: HouseDice, table: str) -> None:
    """Write a new dice commitment at one table, if the house throws there."""
    dice.needs_recommit.add(table)
    try:
        cached = await tables.get(table)
        async with cached.lock:
            live = await tables.require_writable(cached)
            while live.settings.dice == "secure" and table in dice.needs_recommit:
                await dice.recommit(tables, cached, live, "restore")
                live = await tables.require_writable(cached)
    except ServiceError as wrong:
        trouble = wrong.__context__
        if isinstance(trouble, StoreError) and not isinstance(trouble, CorruptStoreError):
            raise
        log.warning("table %s: no fresh commit yet: %s", table, wrong)
