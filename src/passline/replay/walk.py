"""A walk through a game: any moment of it at once, however long it is.

The table is kept as it stood at every so-many-eth step. A moment is folded from the nearest of
these, so a click costs the same at the end of a hundred thousand entries as at the beginning.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from passline.live.waiting import Breath
from passline.replay.moments import GameMoment, GameStep, Stood, advance
from passline.replay.sources import ReplaySource
from passline.replay.throws import HandThrows

#: Steps between two tables that are kept, to begin with; and how many are kept of one game: where
#: there would be more, they are kept twice as far apart.
_APART: Final = 128
_MOST: Final = 2048
#: Steps that are read at a time. Somebody else is let speak after each of them.
_PAGE: Final = 50


class NoMomentError(LookupError):
    """A number that no moment of a game has; the message says which there are."""


class GameWalk:
    """One game. Whoever asks first has it folded once; what comes later is folded as it comes."""

    def __init__(
        self,
        source: ReplaySource,
        apart: int = _APART,
        most: int = _MOST,
        breath: Breath | None = None,
    ) -> None:
        self.source, self.throws = source, HandThrows()
        self._apart, self._most = apart, most
        self._marks: list[Stood] = []
        self._first: GameMoment | None = None
        self._last: Stood | None = None
        self._lock, self._breath = asyncio.Lock(), breath or Breath()

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
        steps = await self.source.steps(last.number, min(_PAGE, upto - last.number))
        for step in steps:
            if step.prev != last.hash:  # after a restore the log may be another
                self._forget()
                self._begin(await self.source.first())
                return True
            self.throws.take(step, last.table.shooter)
            last = self._last = advance(last, step)
            self._mark(last)
            await self._breath.take()
        return bool(steps)

    def _begin(self, first: GameMoment) -> None:
        self._first, self._last = first, first.after
        self._marks.append(first.after)

    def _forget(self) -> None:
        self.throws, self._marks, self._first, self._last = HandThrows(), [], None, None

    def _mark(self, standing: Stood) -> None:
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
                after = advance(standing, step)
                if step.number == number:
                    return GameMoment(step=step, before=standing, after=after)
                standing = after
                await self._breath.take()
        raise NoMomentError(f"there is no moment {number} any more")

    async def moments(self) -> AsyncIterator[GameMoment]:
        """Every moment there is, in order, none of them kept."""
        last = await self.upto()
        assert self._first is not None
        yield self._first
        standing = self._first.after
        while standing.number < last:
            steps: list[GameStep] = list(await self.source.steps(standing.number, _PAGE))
            if not steps:
                return
            for step in steps[: last - standing.number]:
                after = advance(standing, step)
                yield GameMoment(step=step, before=standing, after=after)
                standing = after
                await self._breath.take()
