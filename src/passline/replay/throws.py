"""The throws of a game, hand by hand: where each stands, in a few bytes."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from passline.replay.moments import GameStep
from passline.table import events as ev

#: After these the next throw begins another hand.
_OVER = (ev.DicePassed, ev.GameDied, ev.TableClosed)


class ThrowMark(NamedTuple):
    """A throw: its step's number, and the faces; both 0 where it was no roll."""

    number: int
    first: int
    second: int


class HandMark(NamedTuple):
    """A shooter's hand: its number from 1, whose it is (nobody's where a machine throws), and its
    throws."""

    hand: int
    shooter: str
    throws: tuple[ThrowMark, ...]


class HandThrows:
    """Every throw so far, those that were no roll too."""

    def __init__(self) -> None:
        self._numbers, self._faces = array("Q"), bytearray()
        #: The first throw of each hand, and whose hand it is.
        self._begins, self._shooters = array("Q"), list[str]()
        self._over = True

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def hands(self) -> int:
        """How many hands there are."""
        return len(self._begins)

    def take(self, step: GameStep, shooter: str) -> None:
        """The next step; ``shooter`` had the dice before it."""
        for event in step.events:
            if isinstance(event, ev.Rolled | ev.NoRoll):
                self._throw(step.number, event, shooter)
            elif isinstance(event, _OVER):
                self._over = True

    def _throw(self, number: int, event: ev.Rolled | ev.NoRoll, shooter: str) -> None:
        if self._over:
            self._begins.append(len(self._numbers))
            self._shooters.append(event.shooter if isinstance(event, ev.Rolled) else shooter)
        self._numbers.append(number)
        self._over = False
        if isinstance(event, ev.NoRoll):
            self._faces.append(0)
            return
        self._faces.append(event.first * 8 + event.second)
        # Where nobody shoots nothing passes: there a hand ends when the puck goes off unmade.
        unmade = event.was and not event.puck and event.first + event.second != event.was
        self._over = bool(unmade and not event.shooter)

    def at(self, number: int) -> int:
        """How many throws there were once a step was done."""
        return bisect_right(self._numbers, number)

    def before(self, number: int) -> int | None:
        """The step of the last throw before one."""
        place = bisect_left(self._numbers, number)
        return self._numbers[place - 1] if place else None

    def after(self, number: int) -> int | None:
        """The step of the next throw after one."""
        place = bisect_right(self._numbers, number)
        return self._numbers[place] if place < len(self._numbers) else None

    def hand_at(self, number: int) -> int:
        """The hand of the last throw up to a step; 0: there was none."""
        return bisect_left(self._begins, self.at(number))

    def hand(self, hand: int) -> HandMark:
        """A hand by its number."""
        first = self._begins[hand - 1]
        end = self._begins[hand] if hand < self.hands else len(self._numbers)
        marks = tuple(
            ThrowMark(self._numbers[place], *divmod(self._faces[place], 8))
            for place in range(first, end)
        )
        return HandMark(hand, self._shooters[hand - 1], marks)
