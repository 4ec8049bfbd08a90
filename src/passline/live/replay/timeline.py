"""Where steps come from: a live table's log, in a hall or in a file, or a record that was dealt.

A walk through a game: any moment of it at once, however long it is.

The table is kept as it stood at every so-many-eth step. A moment is folded from the nearest of
these, so a click costs the same at the end of a hundred thousand entries as at the beginning.

The walks that a process has under way: the latest, and as many as there is room for.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import groupby
from typing import Final, Protocol

from passline.game.table import codec
from passline.game.table import events as ev
from passline.live.entries import Entry
from passline.live.live_table import open_from_entry
from passline.live.replay.moments import (
    GameMoment,
    GameStep,
    TableAtStep,
    ThrowIndex,
    apply_step,
    make_opening_moment,
)
from passline.live.service import TableService
from passline.live.store import PAGE_SIZE, FairYield
from passline.live.table_cache import translate_store_errors
from passline.record.deal import Dealt, RecordEntry


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


def step_from_entry(entry: Entry) -> GameStep:
    """An entry of a log as a step."""
    return GameStep(
        number=entry.seq,
        said=entry.line,
        events=tuple([codec.event_from_builtins(event) for event in entry.events]),
        role=entry.role,
        by=entry.by,
        at=entry.at,
        act=entry.act,
        hash=entry.hash,
        prev=entry.prev,
    )


class LiveTableSource:
    """A table of a hall, which goes on while it is walked."""

    running = True

    def __init__(self, service: TableService, table: str, name: str) -> None:
        self.id, self.name, self._service = table, name, service

    async def first(self) -> GameMoment:
        """How the table opens."""
        async with translate_store_errors():
            entry = (await self._service.store.read(self.id, -1, 1))[0]
        return make_opening_moment(step_from_entry(entry), open_from_entry(self.id, entry).table)

    async def head(self) -> tuple[int, str]:
        """The last step's number, and its hash."""
        live = (await self._service.tables.get(self.id)).live
        return live.head.seq, live.head.hash

    async def steps(self, after: int, limit: int) -> Sequence[GameStep]:
        """The steps after a number, so many at most."""
        entries = await self._service.entries(self.id, after, min(limit, PAGE_SIZE))
        return [step_from_entry(entry) for entry in entries]


class _LoadedSource:
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


class LogSource(_LoadedSource):
    """A log from a file: its entries, shown to be a chain already."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        walked = iter(entries)
        entry = next(walked)
        table = str(entry.more.get("table", "")) or "log"
        live = open_from_entry(table, entry)
        first = make_opening_moment(step_from_entry(entry), live.table)
        super().__init__(table, live.settings.name, first, [step_from_entry(one) for one in walked])


class RecordSource(_LoadedSource):
    """A record that was dealt: a step for each of its lines."""

    def __init__(self, dealt: Dealt, name: str) -> None:
        header = dealt.record.players
        seated = tuple(ev.BoughtIn(player.name, player.amount) for player in header)
        begin = GameStep(number=0, said="", events=seated)
        lines = groupby(dealt.entries, key=lambda entry: entry.line)
        steps = [
            _step_from_lines(number, line, list(entries))
            for number, (line, entries) in enumerate(lines, 1)
        ]
        super().__init__("record", name, make_opening_moment(begin, dealt.opening), steps)


def _step_from_lines(number: int, line: int, entries: Sequence[RecordEntry]) -> GameStep:
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


#: Steps between two tables that are kept, to begin with; and how many are kept of one game: where
#: there would be more, they are kept twice as far apart.
_CHECKPOINT_INTERVAL: Final = 128
_MAX_CHECKPOINTS: Final = 2048
#: Steps that are read at a time. Somebody else is let speak after each of them.
_PAGE_SIZE: Final = 50


class NoMomentError(LookupError):
    """A number that no moment of a game has; the message says which there are."""


class GameTimeline:
    """One game. Whoever asks first has it folded once; what comes later is folded as it comes."""

    def __init__(
        self,
        source: ReplaySource,
        apart: int = _CHECKPOINT_INTERVAL,
        most: int = _MAX_CHECKPOINTS,
        fair_yield: FairYield | None = None,
    ) -> None:
        self.source, self.throws = source, ThrowIndex()
        self._apart, self._most = apart, most
        self._marks: list[TableAtStep] = []
        self._first: GameMoment | None = None
        self._last: TableAtStep | None = None
        self._lock, self._breath = asyncio.Lock(), fair_yield or FairYield()

    @property
    def kept(self) -> int:
        """How many tables are kept."""
        return len(self._marks)

    async def upto(self) -> int:
        """The number of the last moment, everything that stands there read."""
        async with self._lock:
            number, hash_ = await self.source.head()
            if self._last is not None and (
                number < self._last.number
                or (number == self._last.number and hash_ != self._last.hash)
            ):
                self._forget()
            if self._last is None:
                self._begin(await self.source.first())
            while self._last is not None and self._last.number < number:
                if not await self._read(number):
                    break  # less stands there than was told: what does is shown
            assert self._last is not None
            return self._last.number

    async def _read(self, upto: int) -> bool:
        """Fold the next steps; whether there were any."""
        last = self._last
        assert last is not None
        steps = await self.source.steps(last.number, min(_PAGE_SIZE, upto - last.number))
        for step in steps:
            if step.prev != last.hash:  # after a restore the log may be another
                self._forget()
                self._begin(await self.source.first())
                return True
            self.throws.add_step(step, last.table.shooter)
            last = self._last = apply_step(last, step)
            self._mark(last)
            await self._breath.wait_turn()
        return bool(steps)

    def _begin(self, first: GameMoment) -> None:
        self._first, self._last = first, first.after
        self._marks.append(first.after)

    def _forget(self) -> None:
        self.throws, self._marks, self._first, self._last = ThrowIndex(), [], None, None

    def _mark(self, standing: TableAtStep) -> None:
        if standing.number % self._apart:
            return
        self._marks.append(standing)
        if len(self._marks) > self._most:
            self._apart *= 2
            del self._marks[1::2]

    async def moment(self, number: int) -> GameMoment:
        """The moment of a number. NoMomentError where there is none."""
        last = await self.upto()
        if not 0 <= number <= last:
            raise NoMomentError(f"expected a moment from 0 to {last}")
        if number == 0:
            assert self._first is not None
            return self._first
        standing = self._marks[(number - 1) // self._apart]
        while steps := await self.source.steps(standing.number, number - standing.number):
            for step in steps:
                after = apply_step(standing, step)
                if step.number == number:
                    return GameMoment(step=step, before=standing, after=after)
                standing = after
                await self._breath.wait_turn()
        raise NoMomentError(f"there is no moment {number} any more")

    async def moments(self) -> AsyncIterator[GameMoment]:
        """Every moment there is, in order, none of them kept."""
        last = await self.upto()
        assert self._first is not None
        yield self._first
        standing = self._first.after
        while standing.number < last:
            steps: list[GameStep] = list(await self.source.steps(standing.number, _PAGE_SIZE))
            if not steps:
                return
            for step in steps[: last - standing.number]:
                after = apply_step(standing, step)
                yield GameMoment(step=step, before=standing, after=after)
                standing = after
                await self._breath.wait_turn()


#: Tables as they stood that are kept in all, a few kilobytes each.
_MAX_CACHED_CHECKPOINTS: Final = 8192


class TimelineCache:
    """Walks by their game's id, the last used last."""

    def __init__(self, most: int = _MAX_CACHED_CHECKPOINTS) -> None:
        self._most, self._breath = most, FairYield()
        self._walks: OrderedDict[str, GameTimeline] = OrderedDict()

    def of(self, source: ReplaySource) -> GameTimeline:
        """The walk of a game; those that nobody walked for longest make room for it."""
        walk = self._walks.get(source.id)
        if walk is None:
            walk = self._walks[source.id] = GameTimeline(source, fair_yield=self._breath)
        self._walks.move_to_end(source.id)
        while len(self._walks) > 1 and sum(1 + w.kept for w in self._walks.values()) > self._most:
            self._walks.popitem(last=False)
        return walk
