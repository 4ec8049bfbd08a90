"""Where steps come from: a live table's log, in a hall or in a file, or a record that was dealt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Protocol

from passline.live.entries import Entry
from passline.live.hall import Hall
from passline.live.live_table import opening
from passline.live.store import PAGE
from passline.live.tables import store_errors
from passline.record.deal import Dealt, RecordEntry
from passline.replay.moments import GameMoment, GameStep, opened
from passline.table import codec
from passline.table import events as ev


class ReplaySource(Protocol):
    """A game as steps. ``running``: more of them may come."""

    id: str
    name: str
    running: bool

    async def first(self) -> GameMoment:
        """How the table opens."""

    async def head(self) -> tuple[int, str]:
        """The last step's number, and its hash."""

    async def steps(self, after: int, limit: int) -> Sequence[GameStep]:
        """The steps after a number, so many at most."""


def log_step(entry: Entry) -> GameStep:
    """An entry of a log as a step."""
    return GameStep(
        number=entry.seq,
        said=entry.line,
        events=tuple([codec.from_plain(event) for event in entry.events]),
        role=entry.role,
        by=entry.by,
        at=entry.at,
        act=entry.act,
        hash=entry.hash,
        prev=entry.prev,
    )


class LiveSource:
    """A table of a hall, which goes on while it is walked."""

    running = True

    def __init__(self, hall: Hall, table: str, name: str) -> None:
        self.id, self.name, self._hall = table, name, hall

    async def first(self) -> GameMoment:
        """How the table opens."""
        async with store_errors():
            entry = (await self._hall.store.read(self.id, -1, 1))[0]
        return opened(log_step(entry), opening(self.id, entry).table)

    async def head(self) -> tuple[int, str]:
        """The last step's number, and its hash."""
        live = (await self._hall.tables.get(self.id)).live
        return live.head.seq, live.head.hash

    async def steps(self, after: int, limit: int) -> Sequence[GameStep]:
        """The steps after a number, so many at most."""
        entries = await self._hall.entries(self.id, after, min(limit, PAGE))
        return [log_step(entry) for entry in entries]


class _Held:
    """Steps that are all at hand."""

    running = False

    def __init__(self, id_: str, name: str, first: GameMoment, steps: Sequence[GameStep]) -> None:
        self.id, self.name, self._first, self._steps = id_, name, first, steps

    async def first(self) -> GameMoment:
        """How the table opens."""
        return self._first

    async def head(self) -> tuple[int, str]:
        """The last step's number, and its hash."""
        last = self._steps[-1] if self._steps else self._first.step
        return last.number, last.hash

    async def steps(self, after: int, limit: int) -> Sequence[GameStep]:
        """The steps after a number, so many at most."""
        return self._steps[max(after, 0) : max(after, 0) + limit]


class LogSource(_Held):
    """A log from a file: its entries, shown to be a chain already."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        walked = iter(entries)
        entry = next(walked)
        table = str(entry.more.get("table", "")) or "log"
        live = opening(table, entry)
        first = opened(log_step(entry), live.table)
        super().__init__(table, live.settings.name, first, [log_step(one) for one in walked])


class RecordSource(_Held):
    """A record that was dealt: a step for each of its lines."""

    def __init__(self, dealt: Dealt, name: str) -> None:
        header = dealt.record.players
        seated = tuple(ev.BoughtIn(player.name, player.amount) for player in header)
        begin = GameStep(number=0, said="", events=seated)
        lines = groupby(dealt.entries, key=lambda entry: entry.line)
        steps = [
            _record_step(number, line, list(entries))
            for number, (line, entries) in enumerate(lines, 1)
        ]
        super().__init__("record", name, opened(begin, dealt.opening), steps)


def _record_step(number: int, line: int, entries: Sequence[RecordEntry]) -> GameStep:
    player = entries[0].player
    said = "; ".join(entry.words for entry in entries)
    return GameStep(
        number=number,
        said=f"{player}: {said}" if player else said,
        events=tuple([event for entry in entries for event in entry.events]),
        role="player" if player else "",
        by=player,
        line=line,
        refused=tuple(entry for entry in entries if entry.refusal is not None),
    )
