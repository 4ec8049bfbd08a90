"""The grid of bankroll levels for an exact session, and estimates of what solving it costs.

A player's worth is the chips in the rail plus the bets that are up. A level is a worth counted from
the starting bankroll, which is level 0. One level is ``unit`` cents, the greatest common divisor of
all changes of money. The limits of a session (goal, loss limit, the worth that covers the next
bets) become the first whole levels at which they apply.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.lab.exact.big_integers import choose_limb_bits, count_limbs
from passline.lab.exact.evolution_kernels import UNREACHABLE
from passline.lab.machines.arrays import IntArray
from passline.lab.machines.chain import Chain
from passline.lab.sessions.plan_and_result import Effort, Plan


class BankrollGrid(NamedTuple):
    """The transitions (arcs) of a chain by target state, and the levels at which sessions end.

    * The arcs into state ``target[i]`` are ``first[i]`` to ``first[i + 1]``. Each has a ``source``
      state, a ``shift`` in levels and a ``weight``. The weights of all arcs of a source add up to
      ``whole``.
    * ``need[state]`` is the lowest level that covers the bets of the state. ``kinds[state]`` is the
      chain's number for the state's open bets, 0 if the chain has none.
    * ``goal`` is the lowest level at which the player leaves as a winner. ``floor`` is the highest
      level at which the player leaves as a loser.
    """

    unit: int
    start: int
    source: IntArray
    shift: IntArray
    weight: IntArray
    target: IntArray
    first: IntArray
    need: IntArray
    kinds: IntArray
    goal: int
    floor: int
    whole: int

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.need)

    @property
    def exit_levels(self) -> IntArray:
        """For each state, the level below which a session ends, in ruin or at the loss limit."""
        levels: IntArray = np.maximum(self.need, self.floor + 1)
        return levels

    @property
    def end_ranges(self) -> tuple[tuple[int, int], ...]:
        """The bankroll levels at which sessions end: in ruin, at the goal, at the loss limit.

        Each is (first, end), where ``end`` is one more than the last level. A session ends at most
        one roll's largest win or loss beyond a limit.
        """
        up, down = max(int(self.shift.max()), 0), min(int(self.shift.min()), 0)
        lowest = int(self.exit_levels.min()) + down
        at_once = self.need[self.start] > 0  # The bankroll does not even cover the first bets.
        ruined = min(lowest, 0) if at_once else lowest, max(int(self.need.max()), lowest)
        goal = (self.goal, self.goal + up) if self.goal < UNREACHABLE else (0, 0)
        stopped = (self.floor + 1 + down, self.floor + 1) if self.floor > -UNREACHABLE else (0, 0)
        return ruined, goal, stopped

    @property
    def heaviest(self) -> int:
        """An upper bound on the factor by which one roll can multiply the largest weight.

        Exact weights must have room for it in a machine word.
        """
        added = int(np.add.reduceat(self.weight, self.first[:-1]).max())
        return max(added, self.whole, self.states + 1)

    def next_ranges(self, low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
        """Return (low, high): each state's first and end bankroll level one roll later.

        The arguments are these levels before the roll. The end is one more than the highest level.
        """
        lower, higher = np.full(self.states, UNREACHABLE), np.full(self.states, -UNREACHABLE)
        lower[self.target] = np.minimum.reduceat(low[self.source] + self.shift, self.first[:-1])
        higher[self.target] = np.maximum.reduceat(high[self.source] + self.shift, self.first[:-1])
        return lower, higher


def build_grid(chain: Chain, plan: Plan) -> BankrollGrid:
    """Return the bankroll levels and transitions for solving a session of this plan exactly.

    >>> from passline.lab.machines.chain import Arc
    >>> coin = Chain(((Arc(0, -500, 18), Arc(0, 500, 18)),), (500,))
    >>> found = build_grid(coin, Plan(bankroll=1200, rolls=1, stop_win=1000))
    >>> found.unit, found.shift.tolist(), found.need.tolist(), found.goal
    (500, [-1, 1], [-1], 2)
    """
    arcs = sorted(
        (arc.next, state, arc.money, arc.weight)
        for state, ways in enumerate(chain.arcs)
        for arc in ways
    )
    unit = math.gcd(*(arc[2] for arc in arcs)) or 1
    table = np.array(arcs, np.int64)
    target, first = np.unique(table[:, 0], return_index=True)
    goal, floor = plan.find_stop_levels(unit, UNREACHABLE)
    return BankrollGrid(
        unit=unit,
        start=chain.start,
        source=table[:, 1].copy(),
        shift=table[:, 2] // unit,
        weight=table[:, 3].copy(),
        target=target,
        first=np.append(first, len(arcs)).astype(np.int64),
        need=plan.find_level(np.array(chain.need, np.int64), unit),
        kinds=np.array(chain.kinds or (0,) * len(chain), np.int64),
        goal=goal,
        floor=floor,
        whole=chain.whole,
    )


#: Measured additions per second on one core: of limbs (machine words of exact integers), and of
#: doubles.
LIMB_ADDITIONS_PER_SECOND, DOUBLE_ADDITIONS_PER_SECOND = 1.5e9, 3e9
#: Doubles drop probabilities below 1e-27: this many standard deviations from the mean.
_SPREAD_DEVIATIONS = 11.1
_SAMPLE_POINTS = 500
#: The number of first rolls that are computed one by one; the rest is extrapolated.
_EXACT_ROLLS = 4096


def estimate_fractions(grid: BankrollGrid, rolls: int, longest: float) -> Effort:
    """Estimate the time and memory to solve a session in exact integers.

    Stop estimating once the time exceeds ``longest`` seconds. The estimate follows each state's
    range of levels over the first rolls. If the ranges repeat, they repeat forever. Otherwise they
    are assumed to grow at the same pace, at most from the lowest level to the goal.
    """
    bits = choose_limb_bits(grid.heaviest)
    low, high = np.full(grid.states, UNREACHABLE), np.full(grid.states, -UNREACHABLE)
    low[grid.start], high[grid.start] = 0, 1
    added: list[int] = []  # levels that are added up in each roll
    additions, widest, old_snapshot, old_roll = 0.0, 1, _snapshot_ranges(low, high), 0
    for roll in range(min(rolls, _EXACT_ROLLS)):
        wide = np.maximum(high - low, 0)
        added.append(int(wide[grid.source].sum()))
        additions += added[-1] * count_limbs(roll + 1, bits, grid.whole)
        if additions > longest * LIMB_ADDITIONS_PER_SECOND or not wide.any():
            break
        low, high = grid.next_ranges(low, high)
        widest = max(widest, int(high.max() - low.min()))
        _drop_ended_ranges(grid, low, high)
        snapshot = _snapshot_ranges(low, high)
        if snapshot == old_snapshot:
            repeated = np.full(_SAMPLE_POINTS, np.mean(added[old_roll:]))
            additions += _estimate_remaining(grid, repeated, roll + 1, rolls, bits)
            break
        if roll + 1 == 2 * max(old_roll, 1):  # Brent's cycle detection
            old_snapshot, old_roll = snapshot, roll + 1
    else:
        done = len(added)
        if done < rolls:
            max_width = grid.goal - int(grid.exit_levels.min()) + 2 * int(np.abs(grid.shift).max())
            growing = added[-1] / done * np.linspace(done, rolls, _SAMPLE_POINTS)
            growing = np.minimum(growing, max_width * len(grid.source))
            additions += _estimate_remaining(grid, growing, done, rolls, bits)
            widest = min(widest * rolls // done, max(max_width, widest))
    levels = grid.states * widest + count_end_levels(grid)
    size = 2 * 8 * count_limbs(rolls, bits, grid.whole) * levels
    return Effort(additions / LIMB_ADDITIONS_PER_SECOND, size)


def _drop_ended_ranges(grid: BankrollGrid, low: IntArray, high: IntArray) -> None:
    """Cut each state's range of bankroll levels to those at which sessions play on.

    Change both arrays, ``low`` and ``high``, in place; they have an entry for each state.
    """
    low[:] = np.maximum(low, grid.exit_levels)
    high[:] = np.minimum(high, grid.goal)
    done = low >= high
    low[done], high[done] = UNREACHABLE, -UNREACHABLE


def _snapshot_ranges(low: IntArray, high: IntArray) -> bytes:
    return low.tobytes() + high.tobytes()


def _estimate_remaining(
    grid: BankrollGrid, added: NDArray[Any], done: int, rolls: int, bits: int
) -> float:
    """Estimate how many additions of machine words (limbs) the rolls ``done`` to ``rolls`` take.

    ``added`` is how many levels are added up in each of some evenly spaced sample rolls. ``bits``
    is how many bits of an exact weight one word holds.
    """
    limbs_per_roll = float(np.log2(grid.whole)) / bits
    limbs = np.linspace(done + 1, rolls, len(added)) * limbs_per_roll + 1
    return float((added * limbs).mean()) * (rolls - done)


def estimate_doubles(grid: BankrollGrid, rolls: int) -> Effort:
    """Estimate the time and memory to solve a session in doubles, from the spread of the bankroll.

    Between a goal and ruin, the probability of still playing decays exponentially. The computation
    stops once that probability is negligible.
    """
    sd = find_roll_deviation(grid)
    depth = _count_levels_to_ruin(grid)
    if grid.goal < UNREACHABLE and sd:
        rolls = min(rolls, find_longest_session(grid))
    rolls_so_far = np.linspace(0, rolls, _SAMPLE_POINTS)
    spread = _SPREAD_DEVIATIONS * sd * np.sqrt(rolls_so_far)
    jump = int(np.abs(grid.shift).max())
    up = np.minimum(np.minimum(spread, rolls_so_far * max(int(grid.shift.max()), 0)), grid.goal)
    down = np.minimum(np.minimum(spread, rolls_so_far * max(-int(grid.shift.min()), 0)), depth)
    wide = up + down + 1
    additions = float(wide.mean()) * rolls * len(grid.source)
    size = 2 * 8 * (grid.states * (wide.max() + 2 * jump) + count_end_levels(grid))
    return Effort(additions / DOUBLE_ADDITIONS_PER_SECOND, int(size))


def find_longest_session(grid: BankrollGrid, left: float = 1e-27) -> int:
    """Estimate after how many rolls the probability of still playing falls to ``left``.

    The grid must have a goal.
    """
    sd = find_roll_deviation(grid)
    wide = (grid.goal + _count_levels_to_ruin(grid) + 1) / sd if sd else 0.0
    return int(-2 * np.log(left) / np.pi**2 * wide**2) + 100


def _count_levels_to_ruin(grid: BankrollGrid) -> int:
    """Return the number of bankroll levels from the start down to ruin or the loss limit."""
    return max(-max(int(grid.need.min()), grid.floor), 0)


def count_end_levels(grid: BankrollGrid) -> int:
    """Return how many bankroll levels are stored for sessions that have ended.

    Each way to end (ruin, goal, loss limit) has levels of its own for each combination of open
    bets.
    """
    kinds = int(grid.kinds.max()) + 1
    return kinds * sum(end - begin for begin, end in grid.end_ranges)


def find_roll_deviation(grid: BankrollGrid) -> float:
    """Return the root mean square change of money in one of the first 500 rolls, in levels."""
    chance: NDArray[Any] = np.zeros(grid.states)
    chance[grid.start] = 1.0
    weight = grid.weight / grid.whole
    target = np.repeat(grid.target, np.diff(grid.first))
    square = 0.0
    for _ in range(_SAMPLE_POINTS):
        moved = chance[grid.source] * weight
        square += float((moved * grid.shift.astype(np.float64) ** 2).sum())
        chance = np.bincount(target, moved, grid.states)
    return float(np.sqrt(square / _SAMPLE_POINTS))
