"""Find any moment of a log or a record, however long the game is.

A source provides the steps: a live table, a log file or a dealt record. `GameTimeline` stores the
table at about every 128th step and computes a moment from the nearest stored table. So a moment
late in a long game is found as fast as an early one. `TimelineCache` holds the games that somebody
is watching.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import groupby
from typing import Final, Protocol

from passline.game.table import codec
from passline.game.table import events as ev
from passline.game.words.log import say_log
from passline.live.live_table import open_from_entry
from passline.live.log_entries import Entry
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
    """A game as a sequence of steps (see `GameStep`).

    ``running`` means that the game may still get more steps.
    """

    id: str
    name: str
    running: bool

    async def first(self) -> GameMoment:
        """Return the opening moment."""

    async def head(self) -> tuple[int, str]:
        """Return (number, hash) of the last step."""

    async def steps(self, after: int, limit: int) -> Sequence[GameStep]:
        """Return at most ``limit`` steps after step ``after``."""


def step_from_entry(entry: Entry) -> GameStep:
    """Return a log entry as a step."""
    return GameStep(
        number=entry.seq,
        said=entry.line,
        events=tuple([codec.event_from_builtins(event) for event in entry.events]),
        role=entry.role,
        by=entry.by,
        at=entry.at,
        act=entry.act,
        player=str(entry.more.get("player", "")),
        hash=entry.hash,
        prev=entry.prev,
        commit=entry.commit,
        fair=entry.fair,
    )


class LiveTableSource:
    """The steps of a table of the table service. The game may go on while it is replayed."""

    running = True

    def __init__(self, service: TableService, table: str, name: str) -> None:
        self.id, self.name, self._service = table, name, service

    async def first(self) -> GameMoment:
        """Return the opening moment."""
        async with translate_store_errors():
            entry = (await self._service.store.read(self.id, -1, 1))[0]
        return make_opening_moment(step_from_entry(entry), open_from_entry(self.id, entry).table)

    async def head(self) -> tuple[int, str]:
        """Return (number, hash) of the last step."""
        live = (await self._service.tables.get(self.id)).live
        return live.head.seq, live.head.hash

    async def steps(self, after: int, limit: int) -> Sequence[GameStep]:
        """Return at most ``limit`` steps after step ``after``."""
        entries = await self._service.entries(self.id, after, min(limit, PAGE_SIZE))
        return [step_from_entry(entry) for entry in entries]


class _LoadedSource:
    """A game whose steps are all in memory."""

    running = False

    def __init__(self, id_: str, name: str, first: GameMoment, steps: Sequence[GameStep]) -> None:
        self.id, self.name, self._first, self._steps = id_, name, first, steps

    async def first(self) -> GameMoment:
        """Return the opening moment."""
        return self._first

    async def head(self) -> tuple[int, str]:
        """Return (number, hash) of the last step."""
        last = self._steps[-1] if self._steps else self._first.step
        return last.number, last.hash

    async def steps(self, after: int, limit: int) -> Sequence[GameStep]:
        """Return at most ``limit`` steps after step ``after``."""
        return self._steps[max(after, 0) : max(after, 0) + limit]


class LogSource(_LoadedSource):
    """The steps of a log file, whose hash chain must have been verified before."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        walked = iter(entries)
        entry = next(walked)
        table = str(entry.more.get("table", "")) or "log"
        live = open_from_entry(table, entry)
        first = make_opening_moment(step_from_entry(entry), live.table)
        super().__init__(table, live.settings.name, first, [step_from_entry(one) for one in walked])


class RecordSource(_LoadedSource):
    """A record as steps, one for each of its lines."""

    def __init__(self, dealt: Dealt, name: str) -> None:
        header = dealt.record.players
        seated = tuple(ev.BoughtIn(player.name, player.amount) for player in header)
        begin = GameStep(number=0, said="", events=seated)
        taken = [entry for entry in dealt.entries if not entry.dropped_by]
        lines = enumerate(groupby(taken, key=lambda entry: entry.line), 1)
        steps = [_step_from_lines(number, line, list(said)) for number, (line, said) in lines]
        super().__init__("record", name, make_opening_moment(begin, dealt.opening), steps)


def _step_from_lines(number: int, line: int, entries: Sequence[RecordEntry]) -> GameStep:
    """Return one line of a record as a step. ``entries`` are the commands on that line."""
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


#: The number of steps between two stored tables at first, and the most stored tables of one game.
#: When there are more, every second one is dropped and the distance doubles.
_CHECKPOINT_INTERVAL: Final = 128
_MAX_CHECKPOINTS: Final = 2048
#: Steps that are read at a time. Other tasks run after each of them.
_PAGE_SIZE: Final = 50


class NoMomentError(LookupError):
    """No moment of the game has the requested number. The message gives the valid numbers."""


class GameTimeline:
    """Finds any moment of one game: a step, and the table before and after it.

    It reads each step of ``source`` once to index the throws, and stores the table after every
    ``apart`` steps. If that makes more than ``most`` tables, it drops every second one and doubles
    the distance. A moment is computed from the nearest stored table before it.
    """

    def __init__(
        self,
        source: ReplaySource,
        apart: int = _CHECKPOINT_INTERVAL,
        most: int = _MAX_CHECKPOINTS,
        fair_yield: FairYield | None = None,
    ) -> None:
        self.source, self.throws = source, ThrowIndex()
        self._apart, self._most = apart, most
        self._checkpoints: list[TableAtStep] = []
        self._first: GameMoment | None = None
        self._last: TableAtStep | None = None
        self._lock, self._fair_yield = asyncio.Lock(), fair_yield or FairYield()

    @property
    def checkpoint_count(self) -> int:
        """How many tables are stored at the moment."""
        return len(self._checkpoints)

    async def last_number(self) -> int:
        """Read all new steps of the source, and return the number of the last moment.

        If the source's log was replaced, start again from its opening.
        """
        async with self._lock:
            number, hash_ = await self.source.head()
            last = self._last
            if last and (number < last.number or (number == last.number and hash_ != last.hash)):
                self._forget()
            if self._last is None:
                self._begin(await self.source.first())
            while self._last is not None and self._last.number < number:
                if not await self._read(number):
                    break  # The source has fewer steps than its head promised.
            assert self._last is not None
            return self._last.number

    async def _read(self, upto: int) -> bool:
        """Read and apply one page of steps up to step ``upto``. Return False if there was none.

        If the source's log was replaced, start again from its opening.
        """
        last = self._last
        assert last is not None
        steps = await self.source.steps(last.number, min(_PAGE_SIZE, upto - last.number))
        for step in steps:
            if step.prev != last.hash:  # After a restore the log may be another one.
                self._forget()
                self._begin(await self.source.first())
                return True
            self.throws.add_step(step, last.table.shooter)
            last = self._last = apply_step(last, step)
            self._mark(last)
            await self._fair_yield.wait_turn()
        return bool(steps)

    def _begin(self, first: GameMoment) -> None:
        self._first, self._last = first, first.after
        self._checkpoints.append(first.after)

    def _forget(self) -> None:
        self.throws, self._checkpoints, self._first, self._last = ThrowIndex(), [], None, None

    def _mark(self, standing: TableAtStep) -> None:
        """Store the table after a step if its number is due (every ``_apart`` steps).

        If too many are stored, drop every second one.
        """
        if standing.number % self._apart:
            return
        self._checkpoints.append(standing)
        if len(self._checkpoints) > self._most:
            self._apart *= 2
            del self._checkpoints[1::2]

    async def moment(self, number: int) -> GameMoment:
        """Return moment ``number``: that step, and the table before and after it.

        Raise NoMomentError if the game has no such step.
        """
        last = await self.last_number()
        if not 0 <= number <= last:
            raise NoMomentError(say_log("choose-moment", last=last))
        if number == 0:
            assert self._first is not None
            return self._first
        standing = self._checkpoints[(number - 1) // self._apart]
        while steps := await self.source.steps(standing.number, number - standing.number):
            for step in steps:
                after = apply_step(standing, step)
                if step.number == number:
                    return GameMoment(step=step, before=standing, after=after)
                standing = after
                await self._fair_yield.wait_turn()
        raise NoMomentError(say_log("moment-gone", number=number))

    async def moments(self) -> AsyncIterator[GameMoment]:
        """Yield every moment in order."""
        last = await self.last_number()
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
                await self._fair_yield.wait_turn()


#: The most stored tables of all games. Each takes a few kilobytes.
_MAX_CACHED_CHECKPOINTS: Final = 8192


class TimelineCache:
    """The timelines of games, by the game's id, in the order of their last use.

    ``most`` limits how many tables all of them together store.
    """

    def __init__(self, most: int = _MAX_CACHED_CHECKPOINTS) -> None:
        self._most, self._fair_yield = most, FairYield()
        self._timelines: OrderedDict[str, GameTimeline] = OrderedDict()

    def get(self, source: ReplaySource) -> GameTimeline:
        """Return the timeline of a game, from the cache if it is there.

        If too many tables are stored, drop the timelines that were not used for longest.
        """
        walk = self._timelines.get(source.id)
        if walk is None:
            walk = self._timelines[source.id] = GameTimeline(source, fair_yield=self._fair_yield)
        self._timelines.move_to_end(source.id)
        stored = sum(1 + one.checkpoint_count for one in self._timelines.values())
        while len(self._timelines) > 1 and stored > self._most:
            stored -= 1 + self._timelines.popitem(last=False)[1].checkpoint_count
        return walk
