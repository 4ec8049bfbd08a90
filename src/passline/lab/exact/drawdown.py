"""The probability that a session falls a given depth below its highest worth, exact in doubles.

A drawdown is the fall from the highest worth so far. The distribution is over (peak, state, worth),
stored as ``now[layer, row, column]``. A layer is a peak: the highest level reached so far. The last
column of a layer is the peak itself, and each column before it is one level lower. A session that
falls below the first column has the full drawdown.

Peaks share a layer when they need not be distinguished. All low peaks share one, because ruin or
the loss limit comes before a full drawdown. All high peaks share one, because a full drawdown comes
before ruin. In between, and up to a goal, each peak has its own layer.

Loops use only constants of this module: numba renews its cache only when this file changes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from passline.lab.exact.bankroll_evolution import ShortBankrollTransfer
from passline.lab.exact.bankroll_grid import BankrollGrid, find_longest_session
from passline.lab.exact.evolution_kernels import UNREACHABLE
from passline.lab.machines.arrays import FloatArray, IntArray
from passline.lab.machines.compile_loops import compile_loop
from passline.lab.sessions.plan_and_result import Effort

#: The most probability that is dropped at either end of a row after a roll.
_NEGLIGIBLE_CHANCE = 1e-27
#: The computation stops when the probability of still playing falls below this.
_NOBODY_LEFT = 1e-12


@compile_loop()
def _roll_layers(
    now: FloatArray,
    then: FloatArray,
    spans: IntArray,
    arcs: tuple[IntArray, IntArray, IntArray, FloatArray],
    peaks: tuple[int, int, int],
) -> float:
    """Advance one roll from ``now`` into ``then``, which must be zero. Return the chance of a fall.

    A session falls if this roll takes it the full depth below its peak, the highest level so far.
    In ``now[layer, row, column]`` a layer is a peak and a row is a state. The last column is the
    peak itself, and each column before it is a level lower. ``spans[layer, row]`` is the range of
    columns in use. ``arcs`` are four arrays: source row, target row, shift in levels and
    probability. ``peaks`` is (the first layer's peak, the last layer's peak, the goal); sessions at
    the goal end.
    """
    source, target, shift, weight = arcs
    first, last, goal = peaks
    depth = now.shape[2]
    fallen = 0.0
    for layer in range(now.shape[0]):
        for step in range(len(source)):
            low, high = spans[layer, source[step], 0], spans[layer, source[step], 1]
            if low >= high:
                continue
            by, times = shift[step], weight[step]
            here = now[layer, source[step]]
            down = min(max(-by, low), high)  # Columns below this one fall the full depth.
            up = max(min(depth - by, high), down)  # Columns from this one on make a new peak.
            for place in range(low, down):
                fallen += times * here[place]
            there = then[layer, target[step], down + by : up + by]
            mine = here[down:up]
            for place in range(up - down):
                there[place] += times * mine[place]
            for place in range(up, high):
                level = first + layer - depth + 1 + place + by
                if level < goal:
                    then[min(level, last) - first, target[step], depth - 1] += times * here[place]
    return fallen


@compile_loop()
def _drop_ended_layers(
    then: FloatArray,
    spans: IntArray,
    exit_levels: IntArray,
    transfers: tuple[IntArray, ...],
    first: int,
) -> float:
    """Let players short of chips bet less, and end the sessions below their state's exit level.

    Change ``then`` in place, trim its rows, and write each row's range of columns to ``spans``.
    ``exit_levels[row]`` is the level below which a session ends. ``transfers`` are the moves of a
    ``ShortBankrollTransfer``; ``first`` is the first layer's peak. Return the probability of still
    playing.
    """
    rows, levels, targets = transfers
    layers, states, depth = then.shape
    playing = 0.0
    for layer in range(layers):
        bottom = first + layer - depth + 1
        for k in range(len(rows)):
            place = levels[k] - bottom
            if 0 <= place < depth:
                then[layer, targets[k], place] += then[layer, rows[k], place]
                then[layer, rows[k], place] = 0.0
        for row in range(states):
            lane = then[layer, row]
            low, high = min(max(exit_levels[row] - bottom, 0), depth), depth
            lane[:low] = 0.0
            gone = 0.0
            while low < high and gone + lane[low] < _NEGLIGIBLE_CHANCE:
                gone += lane[low]
                low += 1
            gone = 0.0
            while low < high and gone + lane[high - 1] < _NEGLIGIBLE_CHANCE:
                gone += lane[high - 1]
                high -= 1
            spans[layer, row, 0], spans[layer, row, 1] = low, high
            for place in range(low, high):
                playing += lane[place]
    return playing


@compile_loop()
def roll_drawdown(
    now: FloatArray,
    then: FloatArray,
    spans: IntArray,
    arcs: tuple[IntArray, IntArray, IntArray, FloatArray],
    exit_levels: IntArray,
    transfers: tuple[IntArray, ...],
    peaks: tuple[int, int, int],
    rolls: int,
) -> tuple[float, float]:
    """Advance ``rolls`` rolls, from ``now`` to ``then`` and back in turn.

    ``peaks`` is (the first layer's peak, the last layer's peak, the goal). ``exit_levels[row]`` is
    the level below which a session ends. The other arguments are those of ``_roll_layers`` and
    ``_drop_ended_layers``. Return (fallen, playing): the probability of having fallen the full
    depth in these rolls, and of still playing.
    """
    fallen = 0.0
    playing = _drop_ended_layers(now, spans, exit_levels, transfers, peaks[0])
    for _ in range(rolls):
        if playing < _NOBODY_LEFT:
            break
        then[:] = 0.0
        fallen += _roll_layers(now, then, spans, arcs, peaks)
        playing = _drop_ended_layers(then, spans, exit_levels, transfers, peaks[0])
        now, then = then, now
    return fallen, playing


#: Measured additions per second on one core (most rolls reach few of the levels), and the fixed
#: cost of an arc in each layer, in additions.
_ADDITIONS_PER_SECOND, _ARC_OVERHEAD = 4e9, 8
#: The additions in one call of the loop. Ctrl-C takes effect only between calls.
_ADDITIONS_PER_CALL = 2**29


class PeakLayers(NamedTuple):
    """Which peaks (highest bankroll levels so far) to keep apart: ``first`` to ``last``.

    They are for drawdowns of ``depth`` levels. Level 0 is the starting bankroll. Sessions with the
    same peak share a layer; lower peaks share the first one, and higher ones the last.
    """

    depth: int
    first: int
    last: int

    @property
    def size(self) -> int:
        """The number of layers: one for each peak from ``first`` to ``last``."""
        return self.last - self.first + 1


def build_layers(grid: BankrollGrid, depth: int) -> PeakLayers:
    """Return which peaks to keep apart to compute drawdowns of ``depth`` bankroll levels.

    A peak is the highest level so far.

    >>> from passline.lab.exact.bankroll_grid import build_grid
    >>> from passline.lab.machines.chain import Arc, Chain
    >>> from passline.lab.sessions.plan_and_result import Plan
    >>> coin = Chain(((Arc(0, -500, 18), Arc(0, 500, 18)),), (500,))
    >>> steps = build_grid(coin, Plan(bankroll=5000, rolls=100))
    >>> build_layers(steps, 3), build_layers(steps, 12)
    (PeakLayers(depth=3, first=0, last=0), PeakLayers(depth=12, first=1, last=2))
    """
    first = max(_find_lowest_level(grid) + depth - 1, 0)
    if grid.goal < UNREACHABLE:
        return PeakLayers(depth, min(first, grid.goal - 1), grid.goal - 1)
    return PeakLayers(depth, first, max(int(grid.exit_levels.max()) + depth - 1, first))


def estimate_drawdown(grid: BankrollGrid, rolls: int, depth: int) -> Effort:
    """Estimate the time and memory to compute the chance of a drawdown of ``depth`` units of money.

    A session has at most ``rolls`` rolls.
    """
    layers = build_layers(grid, depth).size
    if grid.goal < UNREACHABLE:
        rolls = min(rolls, find_longest_session(grid, _NOBODY_LEFT))
    added = layers * (len(grid.source) * (depth + _ARC_OVERHEAD) + 2 * grid.states * depth)
    return Effort(added * rolls / _ADDITIONS_PER_SECOND, 2 * 8 * layers * grid.states * depth)


def find_drawdown_chance(
    grid: BankrollGrid, rolls: int, depth: int, transfer: ShortBankrollTransfer | None = None
) -> float:
    """Return the probability that a session falls ``depth`` units of money below its highest worth.

    The session has at most ``rolls`` rolls. With ``transfer``, players who are short of chips bet
    less.

    >>> from passline.lab.exact.bankroll_grid import build_grid
    >>> from passline.lab.machines.chain import Arc, Chain
    >>> from passline.lab.sessions.plan_and_result import Plan
    >>> coin = Chain(((Arc(0, -500, 18), Arc(0, 500, 18)),), (500,))
    >>> find_drawdown_chance(build_grid(coin, Plan(bankroll=5000, rolls=3)), 3, 2)
    0.375
    """
    layers = build_layers(grid, depth)
    bottom = layers.first - depth + 1
    over_at_once = grid.goal <= 0 or grid.floor >= 0 or bottom > 0
    if over_at_once or depth > find_deepest_drawdown(grid):
        return 0.0
    now = np.zeros((layers.size, grid.states, depth))
    now[0, grid.start, -bottom] = 1.0
    then, spans = np.zeros_like(now), np.zeros((layers.size, grid.states, 2), np.int64)
    target = np.repeat(grid.target, np.diff(grid.first))
    arcs = grid.source, target, grid.shift, grid.weight / grid.whole
    nobody = np.zeros(0, np.int64)
    transfers = (nobody, nobody, nobody) if transfer is None else transfer.moves
    peaks = layers.first, layers.last, grid.goal
    roll_cost = _ADDITIONS_PER_SECOND * estimate_drawdown(grid, 1, depth).seconds
    every = max(int(_ADDITIONS_PER_CALL / roll_cost), 1)
    limits = grid.exit_levels, transfers, peaks
    fallen, rolled, playing = 0.0, 0, 1.0
    while rolled < rolls and playing > _NOBODY_LEFT:
        now_rolls = min(every, rolls - rolled)
        fell, playing = roll_drawdown(now, then, spans, arcs, *limits, now_rolls)
        fallen, rolled = fallen + fell, rolled + now_rolls
        if now_rolls % 2:
            now, then = then, now
    return min(fallen, 1.0)


def find_deepest_drawdown(grid: BankrollGrid) -> int:
    """Return how many units of money a session can fall at most, from just below its goal.

    Without a goal, the result is larger than any possible drawdown.
    """
    return grid.goal - 1 - _find_lowest_level(grid)


def _find_lowest_level(grid: BankrollGrid) -> int:
    """Return the lowest bankroll level that any session can reach."""
    return int(grid.exit_levels.min()) + min(int(grid.shift.min()), 0)
