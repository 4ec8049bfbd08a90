"""Advance long sessions that cannot end before their last roll, by Fourier transform.

If no session can reach ruin or a limit, a roll only shifts the player's worth. In the frequency
domain, each arc of the chain multiplies by a phase, and frequencies do not mix. After some hundred
rolls the distribution is wide, and only a few hundred of a hundred thousand frequencies have a
noticeable amplitude. This module drops the others. The error of each probability is below
``FAINT_CHANCE``.

Loops use only constants of this module: numba renews its cache only when this file changes.
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
from passline.lab.exact.solve_play_outs import add_open_bets_rounded
from passline.lab.machines.arrays import FloatArray, IntArray
from passline.lab.machines.compile_loops import compile_loop
from passline.lab.sessions.distribution import PlayOutOutcomes
from passline.lab.sessions.plan_and_result import Effort, Plan, choose_checkpoints


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
    """Advance one roll from ``now[part, row, frequency]`` into ``then``.

    A row is a state of the chain. Part 0 is real, part 1 imaginary. An arc from row ``source[arc]``
    multiplies by ``phases[part, step[arc], frequency]``. The arcs into row ``target[i]`` are
    ``first[i]`` to ``first[i + 1]``.
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
    """Return, for each tilt t, the log of the sum of E[exp(t * worth)] over 0 to ``rolls`` rolls.

    ``find_level_range`` bounds the worth with these moments. A row is a state of the chain, and
    ``start`` the first. An arc from row ``source[arc]`` multiplies by ``factor[arc, tilt]``. The
    arcs into row ``target[i]`` are ``first[i]`` to ``first[i + 1]``.
    """
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


#: Worths at the ends with a smaller probability than this are dropped. So is a frequency whose
#: amplitude over all rows is no larger, since amplitudes never grow again. Together the dropped
#: frequencies change no probability by more than this.
FAINT_CHANCE = 1e-15
#: The first roll at which to switch to frequencies, the fewest seconds of the direct method that
#: make switching worthwhile, and the most rolls.
_MIN_SWITCH_ROLL, _MIN_SECONDS, _MAX_ROLLS = 100, 1.0, 10**6
#: The tilts that are tried for Chernoff's bound, in standard deviations.
_TILTS = (8.0, 10.0, 11.0, 12.0, 13.0, 14.0, 16.0)


class LevelRange(NamedTuple):
    """Bankroll levels, ``low`` to ``high``, that sessions leave only with negligible probability.

    A level counts units of money from the starting bankroll.
    """

    low: int
    high: int


def find_level_range(grid: BankrollGrid, rolls: int, sd: float) -> LevelRange:
    """Return the levels that sessions of ``rolls`` rolls practically never leave (Chernoff bound).

    ``sd`` is a rough standard deviation of one roll in levels; any value gives a valid bound.

    >>> from passline.lab.exact.bankroll_grid import build_grid
    >>> from passline.lab.machines.chain import Arc, Chain
    >>> from passline.lab.sessions.plan_and_result import Plan
    >>> coin = Chain(((Arc(0, -500, 18), Arc(0, 500, 18)),), (500,))
    >>> find_level_range(build_grid(coin, Plan(bankroll=10**8, rolls=1)), 10_000, 1.0)
    LevelRange(low=-1158, high=1158)
    """
    each = np.array(_TILTS) / (sd * math.sqrt(rolls))
    tilts = np.concatenate([each, -each])
    factor = np.exp(np.multiply.outer(grid.shift, tilts)) * (grid.weight / grid.whole)[:, None]
    summed = sum_log_moments(
        rolls, grid.start, grid.states, grid.source, factor, grid.target, grid.first
    )
    bounds = (summed - math.log(NEGLIGIBLE_CHANCE)) / np.abs(tilts)
    half = len(each)
    return LevelRange(-math.ceil(bounds[half:].min()), math.ceil(bounds[:half].min()))


def estimate_fourier(grid: BankrollGrid, rolls: int, level_range: LevelRange) -> Effort:
    """Estimate the time and memory to solve a session that switches to the frequency domain."""
    begin = find_switch_roll(rolls)
    wide = level_range.high - level_range.low
    frequencies = 40 * math.sqrt(rolls / begin)
    before = estimate_doubles(grid, begin)
    turns = 4.0 * frequencies * len(grid.source) * rolls / DOUBLE_ADDITIONS_PER_SECOND
    size = 16 * (3 * grid.states * frequencies + 6 * wide)
    return Effort(before.seconds + turns + rolls * 2e-5, before.size + int(size))


def find_switch_roll(rolls: int) -> int:
    """Return the roll from which a session of ``rolls`` rolls is advanced in the frequency domain.

    The switch is at the first checkpoint from roll 100 on, or at ``rolls`` if there is none. At
    checkpoints the session's quantiles are recorded.
    """
    return next((c for c in choose_checkpoints(rolls) if c >= _MIN_SWITCH_ROLL), rolls)


def find_safe_range(grid: BankrollGrid, plan: Plan) -> LevelRange | None:
    """Return the bankroll levels that a session does not leave, or None if it should not switch.

    It should not switch to the frequency domain if it may end before its last roll, or if that
    would save too little time.
    """
    rolls, sd = plan.rolls, find_roll_deviation(grid)
    ends = max(int(grid.need.max()), grid.floor), grid.goal
    if (
        not _MIN_SWITCH_ROLL < rolls <= _MAX_ROLLS
        or not sd
        or min(-ends[0], ends[1]) < _TILTS[0] * sd * math.sqrt(rolls)
        or estimate_doubles(grid, rolls).seconds < _MIN_SECONDS
    ):
        return None
    level_range = find_level_range(grid, rolls, sd)
    return level_range if ends[0] < level_range.low and level_range.high < ends[1] else None


class FourierEvolution:
    """Continue a ``BankrollEvolution`` in the frequency domain. No session may end there.

    ``level_range`` is the range of bankroll levels that no session leaves. States with the same
    open bets are of one kind, and ``play_outs[kind]`` are the outcomes of those bets.
    """

    is_exact, is_over, whole = False, False, 1.0

    def __init__(
        self,
        evolution: BankrollEvolution,
        level_range: LevelRange,
        play_outs: Sequence[PlayOutOutcomes],
    ) -> None:
        self.grid, self.kinds, self.rolled = evolution.grid, evolution.kinds, evolution.rolled
        grid, unit = evolution.grid, evolution.grid.unit
        widest = max(abs(Fraction(change)) for each in play_outs for change, _ in each)
        more = int(widest // unit) + 1
        self._lowest = level_range.low - more
        self._size = _find_fft_size(level_range.high + more - self._lowest + 1)
        self._play_outs = play_outs
        kept, transforms = self._transform_rows(evolution)
        self._now = np.stack([transforms.real, transforms.imag])
        self._then = np.zeros_like(self._now)
        angle = -2 * math.pi / self._size  # The phase of frequency 1 for a shift of one level.
        # Arcs with the same shift and weight share one phase factor.
        pairs = np.stack([grid.shift, grid.weight], axis=1)
        distinct, step = np.unique(pairs, axis=0, return_inverse=True)
        shift, weight = distinct.T
        rotated = np.exp(1j * angle * np.multiply.outer(shift, kept))
        rotated *= (weight / grid.whole)[:, None]
        self._phases: FloatArray = np.stack([rotated.real, rotated.imag])
        self._frequencies, self._steps = kept, step.reshape(-1).astype(np.int64)
        #: The transform of the outcomes of open bets, by kind; None if they are not whole levels.
        self._open_bet_factors: np.ndarray | None = None
        if all(change % unit == 0 for each in play_outs for change, _ in each):
            factors = [
                [
                    float(chance) * np.exp(1j * angle * int(change // unit) * kept)
                    for change, chance in each
                ]
                for each in play_outs
            ]
            self._open_bet_factors = np.stack([sum(each) for each in factors])

    @property
    def is_on_grid(self) -> bool:
        """Whether all outcomes of open bets are whole bankroll levels."""
        return self._open_bet_factors is not None

    def _transform_rows(self, evolution: BankrollEvolution) -> tuple[IntArray, np.ndarray]:
        """Return (kept, transforms): the frequencies to keep, and each state's values there."""
        rows = [
            (row, int(begin) - self._lowest, evolution.row(row))
            for row, begin in enumerate(evolution.low)
            if begin < evolution.high[row]
        ]
        amplitude = np.zeros(self._size // 2 + 1)
        for _, begin, weights in rows:
            amplitude += np.abs(self._transform(begin, weights))
        kept = np.flatnonzero(amplitude > FAINT_CHANCE)
        transforms = np.zeros((self.grid.states, len(kept)), np.complex128)
        for row, begin, weights in rows:
            transforms[row] = self._transform(begin, weights)[kept]
        return kept, transforms

    def _transform(self, begin: int, weights: FloatArray) -> np.ndarray:
        padded = np.zeros(self._size)
        padded[begin : begin + len(weights)] = weights
        return np.fft.rfft(padded)

    def roll(self) -> None:
        """Advance the distribution of the bankroll by one roll."""
        grid = self.grid
        arcs = grid.source, self._steps, self._phases, grid.target, grid.first
        roll_frequencies(self._now, self._then, *arcs)
        self.__dict__.update(_now=self._then, _then=self._now, rolled=self.rolled + 1)

    def _drop_faint_frequencies(self) -> None:
        amplitude = np.hypot(self._now[0], self._now[1]).sum(axis=0)
        kept = np.flatnonzero(amplitude > FAINT_CHANCE)
        if len(kept) < len(amplitude):
            self._phases = np.ascontiguousarray(self._phases[:, :, kept])
            self._frequencies = self._frequencies[kept]
            self._now = np.ascontiguousarray(self._now[:, :, kept])
            self._then = np.zeros_like(self._now)
            if self._open_bet_factors is not None:
                self._open_bet_factors = self._open_bet_factors[:, kept]

    def _group_by_kind(self) -> np.ndarray:
        """Return ``array[kind, frequency]``: the transforms, added up over the states of each kind.

        States of one kind have the same open bets.
        """
        transforms = np.zeros((self.kinds, self._now.shape[2]), np.complex128)
        np.add.at(transforms, self.grid.kinds, self._now[0] + 1j * self._now[1])
        return transforms

    def _invert(self, transform: np.ndarray) -> tuple[int, FloatArray]:
        """Invert a transform. Return (lowest bankroll level, probabilities from that level up)."""
        whole = np.zeros(self._size // 2 + 1, np.complex128)
        whole[self._frequencies] = transform
        chances = np.fft.irfft(whole, self._size)
        there = np.flatnonzero(chances > FAINT_CHANCE)
        if not there.size:
            return 0, np.zeros(0)
        first, last = int(there[0]), int(there[-1]) + 1
        return self._lowest + first, np.maximum(chances[first:last], 0.0)

    def chances(self) -> Iterator[tuple[int, int, FloatArray]]:
        """Yield (kind, lowest bankroll level, probabilities from there up), once for each kind.

        States with the same open bets are of one kind, which has a number.
        """
        self._drop_faint_frequencies()
        for kind, transform in enumerate(self._group_by_kind()):
            lowest, chances = self._invert(transform)
            if chances.size:
                yield kind, lowest, chances

    def add_open_bets(self, bankroll: int) -> tuple[range, FloatArray]:
        """Return (worths, probabilities) after the open bets are decided.

        Worths are in cents, and ``bankroll`` is the starting bankroll.
        """
        unit = self.grid.unit
        if self._open_bet_factors is None:
            return add_open_bets_rounded(self.chances(), self._play_outs, bankroll, unit)
        self._drop_faint_frequencies()
        lowest, chances = self._invert((self._group_by_kind() * self._open_bet_factors).sum(axis=0))
        begin = bankroll + lowest * unit
        return range(begin, begin + len(chances) * unit, unit), chances

    def weigh_ruined_below(self, levels: Sequence[int]) -> float:
        """Return 0, because no session is ruined in the frequency domain."""
        return 0.0

    def ended(self) -> tuple[float, ...]:
        """Return three zeros: no session has ended in ruin, at the goal or at the loss limit."""
        return 0.0, 0.0, 0.0


def _find_fft_size(size: int) -> int:
    """Return the smallest even number from ``size`` on with no prime factors but 2, 3, 5 and 7."""
    while True:
        rest = size
        for factor in (2, 3, 5, 7):
            while rest % factor == 0:
                rest //= factor
        if rest == 1 and size % 2 == 0:
            return size
        size += 1
