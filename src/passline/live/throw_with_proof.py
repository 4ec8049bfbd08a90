"""The house's dice at a live table: find the secret, make the throw, commit to the next one.

The mathematics of commitments is in `dice_proofs`; this module adds the store and the encrypted
secrets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import msgspec
from msgspec import Struct

from passline.game.layout.stakes import Refusal
from passline.game.table import codec
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.decide import decide
from passline.live.decided_line import make_machine_draft
from passline.live.dice_proofs import SECRET_BYTES, Sealer, derive_faces, hash_secret, make_proof
from passline.live.line_bet_repeats import repeat_line_bets
from passline.live.live_table import MACHINE, LiveTable
from passline.live.log_entries import Draft
from passline.live.store import Appended, AppendOutcome, Secret, Store
from passline.live.table_cache import CachedTable, TableCache, translate_store_errors

RandomBytes = Callable[[int], bytes]


class ThrowDrafts(Struct, frozen=True):
    """A throw to be written: its entry first, then the line bets that are repeated after it.

    ``draft_events`` has the events of each draft, and ``line`` is the throw's record line. ``next``
    is the secret of the next throw, and ``secret`` the same encrypted for the store; a throw of a
    Daily has neither (b"" and None).
    """

    drafts: Sequence[Draft]
    draft_events: Sequence[Sequence[ev.AnyEvent]]
    secret: Secret | None
    next: bytes
    line: str


class HouseDice:
    """Makes the throws of the house's dice from random secrets, which are stored encrypted."""

    def __init__(self, sealer: Sealer, random_bytes: RandomBytes) -> None:
        self._sealer, self._random_bytes = sealer, random_bytes
        #: Restored tables that have no new commitment yet.
        self.needs_recommit: set[str] = set()
        #: The last commitment that this server wrote at each table, while no throw with its secret
        #: was sent to the store; and those whose throw is being written.
        self._unused: dict[str, str] = {}
        self._in_flight: dict[str, str] = {}

    def record_commitment(self, table: str, commit: str) -> None:
        """Record that this server wrote the commitment ``commit`` and has not used its secret."""
        self._unused[table] = commit

    def is_unused(self, live: LiveTable) -> bool:
        """Return whether only this server can know the secret of a table's current commitment.

        That is so if this server made the secret and never sent a throw with it to the store. Any
        other secret may have been revealed: by a server that has stopped since, or in a part of the
        log that was lost without anybody noticing.
        """
        return self._unused.get(live.id) == live.commitment.commit

    def record_outcome(
        self, table: str, outcome: AppendOutcome, next_secret: Secret | None
    ) -> None:
        """Record whether a throw of `make_throw` was written.

        ``next_secret`` is the secret of the throw after it. If the store fails, do not call this:
        the throw may have been written, so its secret must not be used again.
        """
        spent = self._in_flight.pop(table, "")
        if not isinstance(outcome, Appended):
            self._unused[table] = spent  # Nothing was written.
        elif next_secret is not None:
            self._unused[table] = next_secret.commit

    def new_secret(self, table: str) -> tuple[bytes, Secret]:
        """Make a new random secret for a table. Return (secret, stored form).

        The stored form is a `Secret`: the commitment (the secret's hash) and the encrypted secret.
        """
        secret = self._random_bytes(SECRET_BYTES)
        return secret, Secret(hash_secret(secret), self._sealer.seal(table, secret))

    async def find_secret(
        self, tables: TableCache, cached: CachedTable, live: LiveTable
    ) -> bytes | None:
        """Return the secret of the current commitment, or None if it is lost or others may know it.

        A secret that is read from the store is saved in ``cached.secret``.
        """
        if live.id in self.needs_recommit | tables.rolled_back or not self.is_unused(live):
            return None
        commit = live.commitment.commit
        if cached.secret and hash_secret(cached.secret) == commit:
            return cached.secret
        async with translate_store_errors():
            stored = await tables.store.secret(live.id)
        if stored is None or stored.commit != commit:
            return None
        found = self._sealer.open(live.id, commit, stored.sealed)
        cached.secret = found or b""
        return found

    async def recommit(
        self,
        tables: TableCache,
        cached: CachedTable,
        live: LiveTable,
        act: str,
        *,
        yields: bool = False,
    ) -> None:
        """Write a new commitment, because the secret of the old one is lost or others may know it.

        ``act`` is the act of the entry: "commit" or "restore". If the log went back or forked, the
        act is "rollback" instead. ``yields`` is a field of `Append`.
        """
        act = "rollback" if live.id in tables.rolled_back else act
        secret, sealed = self.new_secret(live.id)
        draft = Draft(role=MACHINE, by=MACHINE, more={"act": act, "commit": sealed.commit})
        await tables.append(cached, live, [draft], secret=sealed, yields=yields)
        stands = cached.live.commitment.commit == sealed.commit
        cached.secret = secret if stands else b""
        if stands:
            self.needs_recommit.discard(live.id)
            tables.rolled_back.discard(live.id)
            self.record_commitment(live.id, sealed.commit)

    def make_throw(self, live: LiveTable, secret: bytes, nonce: str, draft: Draft) -> ThrowDrafts:
        """Return the entries of the throw that a secret and a nonce give. Write nothing.

        ``draft`` has the author and request id. All throws of a Daily (see `live.daily`) use the
        day's secret instead of ``secret``. After the throw's entry come those that repeat the
        winners' line bets. Pass the outcome of the append to `record_outcome`.
        """
        sealed, after = None, b""
        if day := live.settings.daily:
            more: dict[str, Any] = {"daily": live.table.throws}
            faces = derive_faces(self.day_secret(day), f"daily:{day}", live.table.throws)
        else:
            self._in_flight[live.id] = self._unused.pop(live.id, "")
            after, sealed = self.new_secret(live.id)
            more = {"fair": msgspec.to_builtins(make_proof(secret, nonce, after))}
            faces = derive_faces(secret, live.id, live.commitment.throws, nonce)
        answer = decide(live.table, cmd.Roll(*faces))
        assert not isinstance(answer, Refusal), answer
        line = f"roll {faces[0]} {faces[1]}"
        events = [codec.event_to_builtins(event) for event in answer]
        own = msgspec.structs.replace(draft, line=line, events=events, more=more)
        again = repeat_line_bets(live, answer)
        return ThrowDrafts(
            drafts=[own, *(make_machine_draft(one) for one in again)],
            draft_events=[answer, *(one.events for one in again)],
            secret=sealed,
            next=after,
            line=line,
        )

    def day_secret(self, day: str) -> bytes:
        """Return the secret derived from a text, such as the day of a Daily (``2026-11-16``)."""
        return self._sealer.day_secret(day)

    async def publish_day(self, store: Store, day: str) -> bytes:
        """Return the secret of a Daily, to publish it. First end its day and those before for good.

        The store tells that to every server, also one whose clock is behind. Raise StoreError if
        the store cannot be written: the secret must stay secret then.
        """
        if not await self.is_published(store, day):
            await store.raise_fact(self._days_fact, date.fromisoformat(day).toordinal())
        return self.day_secret(day)

    async def is_published(self, store: Store, day: str) -> bool:
        """Return whether a server may have published the secret of a Daily, or of a later one."""
        return date.fromisoformat(day).toordinal() <= await store.fact(self._days_fact)

    @property
    def _days_fact(self) -> str:
        """The fact of the last day that was published with this key: another has other secrets."""
        return f"published {hash_secret(self.day_secret('published days'))[:16]}"
