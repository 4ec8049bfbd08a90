"""Throws of the house's dice at a live table: the secret that was promised, and its entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from passline.game.layout.stakes import Refusal
from passline.game.table import codec
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.decide import decide
from passline.live.dice_proofs import SECRET_BYTES, Sealer, derive_faces, hash_secret, make_proof
from passline.live.entries import Draft
from passline.live.live_table import MACHINE, LiveTable
from passline.live.parse_line import DecidedLine, repeat_line_bets
from passline.live.store import Secret
from passline.live.table_cache import CachedTable, TableCache, translate_store_errors

RandomBytes = Callable[[int], bytes]


class ThrowDrafts(Struct, frozen=True):
    """A throw as it is to be written: its entry first, then the line wagers said again."""

    drafts: Sequence[Draft]
    told: Sequence[Sequence[ev.AnyEvent]]
    secret: Secret | None
    next: bytes
    line: str


class HouseDice:
    """Secrets from the secure source, sealed for the store."""

    def __init__(self, sealer: Sealer, random_bytes: RandomBytes) -> None:
        self._sealer, self._random_bytes = sealer, random_bytes
        #: Tables that were restored, and have had no fresh commit since.
        self.needs_recommit: set[str] = set()

    def new_secret(self, table: str) -> tuple[bytes, Secret]:
        """A new secret, and as the store keeps it."""
        secret = self._random_bytes(SECRET_BYTES)
        return secret, Secret(hash_secret(secret), self._sealer.seal(table, secret))

    async def find_secret(
        self, tables: TableCache, cached: CachedTable, live: LiveTable
    ) -> bytes | None:
        """The secret of the commit that stands; None: it is missing, or may be known."""
        if live.id in self.needs_recommit:
            return None
        commit = live.commitment.commit
        if cached.secret and hash_secret(cached.secret) == commit:
            return cached.secret
        async with translate_store_errors():
            kept = await tables.store.secret(live.id)
        if kept is None or kept.commit != commit:
            return None
        found = self._sealer.open(live.id, commit, kept.sealed)
        cached.secret = found or b""
        return found

    async def recommit(
        self, tables: TableCache, cached: CachedTable, live: LiveTable, act: str
    ) -> None:
        """Write a fresh commit, where the one that stands is known or its secret is missing."""
        secret, sealed = self.new_secret(live.id)
        draft = Draft(role=MACHINE, by=MACHINE, more={"act": act, "commit": sealed.commit})
        await tables.append(cached, live, [draft], secret=sealed)
        stands = cached.live.commitment.commit == sealed.commit
        cached.secret = secret if stands else b""
        if stands:
            self.needs_recommit.discard(live.id)

    def make_throw(self, live: LiveTable, secret: bytes, nonce: str, draft: Draft) -> ThrowDrafts:
        """The throw that a secret and a nonce make; ``draft`` says whose it is."""
        if live.settings.daily:
            return self._daily(live, live.settings.daily, draft)
        first, second = derive_faces(secret, live.id, live.commitment.throws, nonce)
        answer = decide(live.table, cmd.Roll(first, second))
        assert not isinstance(answer, Refusal), answer
        after, sealed = self.new_secret(live.id)
        fair = msgspec.to_builtins(make_proof(secret, nonce, after))
        thrown = _make_throw_drafts(live, draft, (first, second), answer, {"fair": fair})
        return msgspec.structs.replace(thrown, secret=sealed, next=after)

    def day_secret(self, day: str) -> bytes:
        """The secret of a Daily's dice."""
        return self._sealer.day_secret(day)

    def _daily(self, live: LiveTable, day: str, draft: Draft) -> ThrowDrafts:
        """The next throw of a day: no fresh secret, and it does not pretend to be."""
        number = live.table.throws
        faces = derive_faces(self.day_secret(day), f"daily:{day}", number)
        answer = decide(live.table, cmd.Roll(*faces))
        assert not isinstance(answer, Refusal), answer
        return _make_throw_drafts(live, draft, faces, answer, {"daily": number})


def _make_throw_drafts(
    live: LiveTable,
    draft: Draft,
    faces: tuple[int, int],
    answer: tuple[ev.AnyEvent, ...],
    more: dict[str, Any],
) -> ThrowDrafts:
    """A throw's entry, with the line wagers that are said again after it."""
    line = f"roll {faces[0]} {faces[1]}"
    events = [codec.event_to_builtins(event) for event in answer]
    own = msgspec.structs.replace(draft, line=line, events=events, more=more)
    again = repeat_line_bets(live, answer)
    drafts = [own, *(make_machine_draft(one) for one in again)]
    told = [answer, *(one.events for one in again)]
    return ThrowDrafts(drafts=drafts, told=told, secret=None, next=b"", line=line)


def make_machine_draft(decided: DecidedLine) -> Draft:
    """A line of the machine's own."""
    events = [codec.event_to_builtins(event) for event in decided.events]
    return Draft(role=MACHINE, by=MACHINE, line=decided.line, events=events)
