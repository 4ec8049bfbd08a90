"""The loops of the waves: one roll of every row at once, at some frequencies.

Every number of the loops stands in this file: compiled code is made anew when it changes.

Long sessions far from ruin and from every stop, by waves instead of rung by rung.

Where nobody can come to an end, a roll only adds to the worth: the Fourier transform of the rows'
weights is turned by each arc's step and nothing else, each frequency for itself. After some hundred
rolls worths are so spread that a few hundred frequencies of a hundred thousand are left, which are
all that is rolled on. What they leave out and lose is under ``FAINT`` for every worth.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from passline.lab.exact.bankroll_evolution import NEGLIGIBLE_CHANCE, BankrollEvolution
from passline.lab.exact.bankroll_grid import (
    DOUBLE_ADDITIONS_PER_SECOND,
    BankrollGrid,
    estimate_doubles,
    find_roll_deviation,
)
from passline.lab.exact.open_bets import add_open_bets_rounded
from passline.lab.machines.arrays import FloatArray, IntArray
from passline.lab.machines.compile_loops import compile_loop
from passline.lab.sessions.distribution import PlayOutOutcomes
from passline.lab.sessions.session import Effort, Plan, choose_checkpoints


@compile_loop()
def roll_frequencies(
    now: FloatArray,
    then: FloatArray,
    source: IntArray,
    step: IntArray,
    phases: FloatArray,
    target: IntArray,
    first: IntArray,
) -> None:
    """``now[part, row, frequency]`` becomes ``then``: part 0 is real, part 1 imaginary.

    An arc from ``source`` turns what it brings by ``phases[part, step, frequency]``.
    """
    wide = now.shape[2]
    then[:] = 0.0
    for place in range(len(target)):
        real, imag = then[0, target[place]], then[1, target[place]]
        for arc in range(first[place], first[place + 1]):
            a, b = now[0, source[arc]], now[1, source[arc]]
            c, d = phases[0, step[arc]], phases[1, step[arc]]
            for at in range(wide):
                real[at] += a[at] * c[at] - b[at] * d[at]
                imag[at] += a[at] * d[at] + b[at] * c[at]


@compile_loop()
def sum_log_moments(
    rolls: int,
    start: int,
    rows: int,
    source: IntArray,
    factor: FloatArray,
    target: IntArray,
    first: IntArray,
) -> FloatArray:
    """The logarithm of the mean of exp(tilt x worth), added up over every roll from none to
    ``rolls``: for each tilt, an arc from ``source`` multiplying by ``factor[arc, tilt]``."""
    tilts = factor.shape[1]
    now, then = np.zeros((rows, tilts)), np.zeros((rows, tilts))
    now[start] = 1.0
    scale, summed = np.zeros(tilts), np.zeros(tilts)
    for _ in range(rolls):
        then[:] = 0.0
        for place in range(len(target)):
            into = then[target[place]]
            for arc in range(first[place], first[place + 1]):
                here, times = now[source[arc]], factor[arc]
                for at in range(tilts):
                    into[at] += here[at] * times[at]
        now, then = then, now
        for at in range(tilts):
            whole = now[:, at].sum()
            now[:, at] /= whole
            scale[at] += np.log(whole)
            summed[at] = np.logaddexp(summed[at], scale[at])
    return summed


#: Chances under this are not told by waves: worths at the ends that have less are left out. So is
#: every frequency whose waves are no higher, all rows together, which they never are again: what
#: half of all frequencies, each of which weighs two over their number, add to a worth is no more.
FAINT_CHANCE = 1e-15
#: Waves are begun once there were so many rolls, where rung by rung takes so many seconds at least,
#: and not of more rolls than these.
_MIN_SWITCH_ROLL, _MIN_SECONDS, _MAX_ROLLS = 100, 1.0, 10**6
#: How many standard deviations the tilts of a bound are made for.
_TILTS = (8.0, 10.0, 11.0, 12.0, 13.0, 14.0, 16.0)


class RungRange(NamedTuple):
    """The rungs beyond which nobody comes in so many rolls, but for TINY of them."""

    low: int
    high: int


def find_rung_range(steps: BankrollGrid, rolls: int, sd: float) -> RungRange:
    """How far worths come at most in ``rolls``, by Chernoff's bound over every roll on the way.

    ``sd`` is about the deviation of one roll, in rungs: it chooses the bounds, none of which is
    wrong with another.

    >>> from passline.lab.exact.bankroll_grid import build_grid
    >>> from passline.lab.machines.chain import Arc, Chain
    >>> from passline.lab.sessions.session import Plan
    >>> coin = Chain(((Arc(0, -500, 18), Arc(0, 500, 18)),), (500,))
    >>> find_rung_range(build_grid(coin, Plan(bankroll=10**8, rolls=1)), 10_000, 1.0)
    RungRange(low=-1158, high=1158)
    """
    each = np.array(_TILTS) / (sd * math.sqrt(rolls))
    tilts = np.concatenate([each, -each])
    factor = np.exp(np.multiply.outer(steps.shift, tilts)) * (steps.weight / steps.whole)[:, None]
    summed = sum_log_moments(
        rolls, steps.start, steps.states, steps.source, factor, steps.target, steps.first
    )
    bounds = (summed - math.log(NEGLIGIBLE_CHANCE)) / np.abs(tilts)
    half = len(each)
    return RungRange(-math.ceil(bounds[half:].min()), math.ceil(bounds[:half].min()))


def estimate_fourier(steps: BankrollGrid, rolls: int, reach: RungRange) -> Effort:
    """About what the rolls from ``find_switch_roll`` on cost in waves."""
    begin = find_switch_roll(rolls)
    wide = reach.high - reach.low
    frequencies = 40 * math.sqrt(rolls / begin)
    before = estimate_doubles(steps, begin)
    turns = 4.0 * frequencies * len(steps.source) * rolls / DOUBLE_ADDITIONS_PER_SECOND
    size = 16 * (3 * steps.states * frequencies + 6 * wide)
    return Effort(before.seconds + turns + rolls * 2e-5, before.size + int(size))


def find_switch_roll(rolls: int) -> int:
    """The look from which on a session is rolled in waves."""
    return next((look for look in choose_checkpoints(rolls) if look >= _MIN_SWITCH_ROLL), rolls)


class _Rotations:
    """The arcs with what each turns a wave by, those of the same shift and weight alike."""

    def __init__(self, steps: BankrollGrid, circle: float, frequencies: IntArray) -> None:
        """``circle`` is what a rung turns the first frequency by."""
        pairs = np.stack([steps.shift, steps.weight], axis=1)
        distinct, step = np.unique(pairs, axis=0, return_inverse=True)
        shift, weight = distinct.T
        turned = np.exp(1j * circle * np.multiply.outer(shift, frequencies))
        turned *= (weight / steps.whole)[:, None]
        self.phases: FloatArray = np.stack([turned.real, turned.imag])
        self.frequencies = frequencies
        self._arcs = steps.source, step.reshape(-1).astype(np.int64)
        self._into = steps.target, steps.first

    def roll(self, now: FloatArray, then: FloatArray) -> None:
        roll_frequencies(now, then, *self._arcs, self.phases, *self._into)

    def keep(self, kept: IntArray) -> None:
        """Only these frequencies from now on."""
        self.phases = np.ascontiguousarray(self.phases[:, :, kept])
        self.frequencies = self.frequencies[kept]


def find_safe_range(steps: BankrollGrid, plan: Plan) -> RungRange | None:
    """How far worths come, where no end is within that and waves are worth their while."""
    rolls, sd = plan.rolls, find_roll_deviation(steps)
    ends = max(int(steps.need.max()), steps.floor), steps.goal
    if (
        not _MIN_SWITCH_ROLL < rolls <= _MAX_ROLLS
        or not sd
        or min(-ends[0], ends[1]) < _TILTS[0] * sd * math.sqrt(rolls)
        or estimate_doubles(steps, rolls).seconds < _MIN_SECONDS
    ):
        return None
    reach = find_rung_range(steps, rolls, sd)
    return reach if ends[0] < reach.low and reach.high < ends[1] else None


class FourierEvolution:
    """A session on its way, as ``Climb`` is one, from where that was: nobody ends from there on.

    ``room`` rungs further than the reach are kept at both ends for what comes of wagers left up.
    """

    counted, over, whole = False, False, 1.0

    def __init__(
        self, climb: BankrollEvolution, reach: RungRange, left: Sequence[PlayOutOutcomes]
    ) -> None:
        self.steps, self.kinds, self.rolled = climb.steps, climb.kinds, climb.rolled
        steps, unit = climb.steps, climb.steps.unit
        widest = max(abs(Fraction(change)) for each in left for change, _ in each)
        more = int(widest // unit) + 1
        self._lowest = reach.low - more
        self._size = _find_fft_size(reach.high + more - self._lowest + 1)
        self._left = left
        kept, waves = self._transform_rows(climb)
        self._now = np.stack([waves.real, waves.imag])
        self._then = np.zeros_like(self._now)
        circle = -2 * math.pi / self._size
        self._turns = _Rotations(steps, circle, kept)
        #: What is left up turns a wave by, for each kind; None where it is not whole steps.
        self._open: np.ndarray | None = None
        if all(change % unit == 0 for each in left for change, _ in each):
            self._open = np.stack(
                [
                    sum(
                        float(chance) * np.exp(1j * circle * int(change // unit) * kept)
                        for change, chance in each
                    )
                    for each in left
                ]
            )

    @property
    def even(self) -> bool:
        """Whether what is left up comes to whole steps, as everything else."""
        return self._open is not None

    def _transform_rows(self, climb: BankrollEvolution) -> tuple[IntArray, np.ndarray]:
        """The frequencies that matter, and every row's wave at them."""
        rows = [
            (row, int(begin) - self._lowest, climb.row(row))
            for row, begin in enumerate(climb.low)
            if begin < climb.high[row]
        ]
        height = np.zeros(self._size // 2 + 1)
        for _, begin, weights in rows:
            height += np.abs(self._wave(begin, weights))
        kept = np.flatnonzero(height > FAINT_CHANCE)
        waves = np.zeros((self.steps.states, len(kept)), np.complex128)
        for row, begin, weights in rows:
            waves[row] = self._wave(begin, weights)[kept]
        return kept, waves

    def _wave(self, begin: int, weights: FloatArray) -> np.ndarray:
        laid = np.zeros(self._size)
        laid[begin : begin + len(weights)] = weights
        return np.fft.rfft(laid)

    def roll(self) -> None:
        """One roll."""
        self._turns.roll(self._now, self._then)
        self.__dict__.update(_now=self._then, _then=self._now, rolled=self.rolled + 1)

    def _drop_faint_frequencies(self) -> None:
        """Leave out the frequencies that matter no more."""
        height = np.hypot(self._now[0], self._now[1]).sum(axis=0)
        kept = np.flatnonzero(height > FAINT_CHANCE)
        if len(kept) < len(height):
            self._turns.keep(kept)
            self._now = np.ascontiguousarray(self._now[:, :, kept])
            self._then = np.zeros_like(self._now)
            if self._open is not None:
                self._open = self._open[:, kept]

    def _by_kind(self) -> np.ndarray:
        """The waves of the rows of each kind, added up."""
        waves = np.zeros((self.kinds, self._now.shape[2]), np.complex128)
        np.add.at(waves, self.steps.kinds, self._now[0] + 1j * self._now[1])
        return waves

    def _heard(self, wave: np.ndarray) -> tuple[int, FloatArray]:
        """A wave's chances: the lowest rung, and the chances from there up."""
        whole = np.zeros(self._size // 2 + 1, np.complex128)
        whole[self._turns.frequencies] = wave
        chances = np.fft.irfft(whole, self._size)
        there = np.flatnonzero(chances > FAINT_CHANCE)
        if not there.size:
            return 0, np.zeros(0)
        first, last = int(there[0]), int(there[-1]) + 1
        return self._lowest + first, np.maximum(chances[first:last], 0.0)

    def chances(self) -> Iterator[tuple[int, int, FloatArray]]:
        """By kind: the lowest rung, and the chances from there up."""
        self._drop_faint_frequencies()
        for kind, wave in enumerate(self._by_kind()):
            lowest, chances = self._heard(wave)
            if chances.size:
                yield kind, lowest, chances

    def mixed(self, bankroll: int) -> tuple[range, FloatArray]:
        """Worths (cents) from the lowest up, what was left up played out, and their chances."""
        unit = self.steps.unit
        if self._open is None:
            return add_open_bets_rounded(self.chances(), self._left, bankroll, unit)
        self._drop_faint_frequencies()
        lowest, chances = self._heard((self._by_kind() * self._open).sum(axis=0))
        begin = bankroll + lowest * unit
        return range(begin, begin + len(chances) * unit, unit), chances

    def weigh_ruined_below(self, rungs: Sequence[int]) -> float:
        """What those weigh who are ruined under a rung: nobody is ruined within the reach."""
        return 0.0

    def ended(self) -> tuple[float, ...]:
        """Nobody is ruined, at the goal, or stopped."""
        return 0.0, 0.0, 0.0


def _find_fft_size(size: int) -> int:
    """The next size that has small factors only, and is even."""
    while True:
        rest = size
        for factor in (2, 3, 5, 7):
            while rest % factor == 0:
                rest //= factor
        if rest == 1 and size % 2 == 0:
            return size
        size += 1
