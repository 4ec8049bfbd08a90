"""A chain and a plan as steps on a ladder of worths, in arrays that a kernel can read.

A rung is a worth: rung 0 is the bankroll, and the distance between two rungs is the greatest that
all changes of money are multiples of. Needs and stops become the first rungs at which they hold.

What an exact session will cost, before it is begun: additions, and rungs to keep at once.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.lab.exact.bankroll_kernels import UNREACHABLE
from passline.lab.exact.limbs import choose_limb_bits, count_limbs
from passline.lab.machines.arrays import IntArray
from passline.lab.machines.chain import Chain
from passline.lab.sessions.session import Effort, Plan


class BankrollGrid(NamedTuple):
    """Every arc by where it leads, ``source``, ``shift`` (rungs) and ``weight`` of ``target[i]``
    standing from ``first[i]`` to ``first[i + 1]``; and where a session ends.

    ``kinds[state]``: the kind of what is up there. ``need[state]``: the lowest rung that covers its
    wagers. ``goal``: the lowest rung at which the player leaves a winner. ``floor``: the highest at
    which he leaves a loser. ``whole`` is what the arcs of a state weigh together.
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
        """How many states the chain has."""
        return len(self.need)

    @property
    def end_ranges(self) -> tuple[tuple[int, int], ...]:
        """The rungs, from and up to, at which sessions end RUINED, at the GOAL and STOPPED.

        Nobody stands under his need, at the floor or at the goal before a roll, so no end is
        further from there than the roll's step.
        """
        up, down = max(int(self.shift.max()), 0), min(int(self.shift.min()), 0)
        lowest = max(int(self.need.min()), self.floor + 1) + down
        at_once = self.need[self.start] > 0  # the bankroll is short from the first
        ruined = min(lowest, 0) if at_once else lowest, max(int(self.need.max()), lowest)
        goal = (self.goal, self.goal + up) if self.goal < UNREACHABLE else (0, 0)
        stopped = (self.floor + 1 + down, self.floor + 1) if self.floor > -UNREACHABLE else (0, 0)
        return ruined, goal, stopped

    @property
    def heaviest(self) -> int:
        """The most that is ever added up on one rung of one row, in parts of what a rung holds."""
        added = int(np.add.reduceat(self.weight, self.first[:-1]).max())
        return max(added, self.whole, self.states + 1)

    def reach(self, low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
        """The rungs that each row may stand on one roll after it stood from ``low`` to ``high``."""
        lower, higher = np.full(self.states, UNREACHABLE), np.full(self.states, -UNREACHABLE)
        lower[self.target] = np.minimum.reduceat(low[self.source] + self.shift, self.first[:-1])
        higher[self.target] = np.maximum.reduceat(high[self.source] + self.shift, self.first[:-1])
        return lower, higher


def build_grid(chain: Chain, plan: Plan) -> BankrollGrid:
    """The chain's arcs as steps from rung to rung.

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
    return BankrollGrid(
        unit=unit,
        start=chain.start,
        source=table[:, 1].copy(),
        shift=table[:, 2] // unit,
        weight=table[:, 3].copy(),
        target=target,
        first=np.append(first, len(arcs)).astype(np.int64),
        need=np.array([-((plan.bankroll - need) // unit) for need in chain.need], np.int64),
        kinds=np.array(chain.kinds or (0,) * len(chain), np.int64),
        goal=UNREACHABLE if plan.stop_win is None else -(-plan.stop_win // unit),
        floor=-UNREACHABLE if plan.stop_loss is None else -plan.stop_loss // unit,
        whole=chain.whole,
    )


#: Additions a second on one core, as measured: of limbs, and of doubles.
LIMB_ADDITIONS_PER_SECOND, DOUBLE_ADDITIONS_PER_SECOND = 1.5e9, 3e9
#: Doubles leave out what weighs less than 1e-27: so many standard deviations from the middle.
_SPREAD_DEVIATIONS = 11.1
_SAMPLE_POINTS = 500
#: Rolls that are gone through one by one before their effort is drawn out.
_EXACT_ROLLS = 4096


def estimate_fractions(steps: BankrollGrid, rolls: int, longest: float) -> Effort:
    """The effort in whole numbers; counting it stops once it is over ``longest`` seconds.

    The first rolls are gone through. Where rows come to stand as they stood before, they do so for
    ever; else they go on spreading, at most from the lowest rung to the goal.
    """
    most = longest * LIMB_ADDITIONS_PER_SECOND
    bits = choose_limb_bits(steps.heaviest)
    low, high = np.full(steps.states, UNREACHABLE), np.full(steps.states, -UNREACHABLE)
    low[steps.start], high[steps.start] = 0, 1
    added: list[int] = []  # rungs that are added up in each roll
    additions, widest, seen, back = 0, 1, _snapshot_ranges(low, high), 0
    for roll in range(min(rolls, _EXACT_ROLLS)):
        wide = np.maximum(high - low, 0)
        added.append(int(wide[steps.source].sum()))
        additions += added[-1] * count_limbs(roll + 1, bits, steps.whole)
        if additions > most or not wide.any():
            return Effort(
                additions / LIMB_ADDITIONS_PER_SECOND, _estimate_bytes(steps, rolls, bits, widest)
            )
        low, high = steps.reach(low, high)
        widest = max(widest, int(high.max() - low.min()))
        _drop_ended_ranges(steps, low, high)
        stand = _snapshot_ranges(low, high)
        if stand == seen:
            repeated = added[back:]
            rest = _estimate_remaining(
                np.full(_SAMPLE_POINTS, np.mean(repeated)),
                roll + 1,
                rolls,
                _count_limbs_per_roll(steps, bits),
            )
            return Effort(
                (additions + rest) / LIMB_ADDITIONS_PER_SECOND,
                _estimate_bytes(steps, rolls, bits, widest),
            )
        if roll + 1 == 2 * max(back, 1):  # Brent: look back to a place twice as far on each time
            seen, back = stand, roll + 1
    gone = len(added)
    if gone == rolls:
        return Effort(
            additions / LIMB_ADDITIONS_PER_SECOND, _estimate_bytes(steps, rolls, bits, widest)
        )
    bottom = max(int(steps.need.min()), steps.floor + 1)
    room = steps.goal - bottom + 2 * int(np.abs(steps.shift).max())
    growing = np.minimum(
        added[-1] / gone * np.linspace(gone, rolls, _SAMPLE_POINTS), room * len(steps.source)
    )
    rest = _estimate_remaining(growing, gone, rolls, _count_limbs_per_roll(steps, bits))
    widest = min(widest * rolls // gone, max(room, widest))
    return Effort(
        (additions + rest) / LIMB_ADDITIONS_PER_SECOND, _estimate_bytes(steps, rolls, bits, widest)
    )


def _drop_ended_ranges(steps: BankrollGrid, low: IntArray, high: IntArray) -> None:
    """Take out where nobody stays."""
    low[:] = np.maximum(low, np.maximum(steps.need, steps.floor + 1))
    high[:] = np.minimum(high, steps.goal)
    gone = low >= high
    low[gone], high[gone] = UNREACHABLE, -UNREACHABLE


def _snapshot_ranges(low: IntArray, high: IntArray) -> bytes:
    return low.tobytes() + high.tobytes()


def _count_limbs_per_roll(steps: BankrollGrid, bits: int) -> float:
    return float(np.log2(steps.whole)) / bits


def _estimate_remaining(added: NDArray[Any], gone: int, rolls: int, limbs_a_roll: float) -> float:
    """The additions of limbs in the rolls from ``gone`` on, by their rungs at even distances."""
    limbs = np.linspace(gone + 1, rolls, len(added)) * limbs_a_roll + 1
    return float((added * limbs).mean()) * (rolls - gone)


def _estimate_bytes(steps: BankrollGrid, rolls: int, bits: int, widest: int) -> int:
    return (
        2
        * count_limbs(rolls, bits, steps.whole)
        * 8
        * (steps.states * widest + count_end_rungs(steps))
    )


def estimate_doubles(steps: BankrollGrid, rolls: int) -> Effort:
    """The effort in doubles, nearly: how far worths spread is estimated.

    Between a goal and ruin nobody walks for ever: the share still playing falls by a constant part
    with each roll, as heat leaves a rod, and what is over once it is tiny is not worked out.
    """
    sd = find_roll_deviation(steps)
    depth = _count_rungs_to_ruin(steps)
    if steps.goal < UNREACHABLE and sd:
        rolls = min(rolls, find_longest_session(steps))
    reach = np.linspace(0, rolls, _SAMPLE_POINTS)
    spread = _SPREAD_DEVIATIONS * sd * np.sqrt(reach)
    jump = int(np.abs(steps.shift).max())
    up = np.minimum(np.minimum(spread, reach * max(int(steps.shift.max()), 0)), steps.goal)
    down = np.minimum(np.minimum(spread, reach * max(-int(steps.shift.min()), 0)), depth)
    wide = up + down + 1
    additions = float(wide.mean()) * rolls * len(steps.source)
    size = 2 * 8 * (steps.states * (wide.max() + 2 * jump) + count_end_rungs(steps))
    return Effort(additions / DOUBLE_ADDITIONS_PER_SECOND, int(size))


def find_longest_session(steps: BankrollGrid, left: float = 1e-27) -> int:
    """The rolls after which no more than ``left`` of all are left between a goal and ruin."""
    sd = find_roll_deviation(steps)
    wide = (steps.goal + _count_rungs_to_ruin(steps) + 1) / sd if sd else 0.0
    return int(-2 * np.log(left) / np.pi**2 * wide**2) + 100


def _count_rungs_to_ruin(steps: BankrollGrid) -> int:
    """The rungs from the bankroll down to ruin or the floor."""
    return max(-max(int(steps.need.min()), steps.floor), 0)


def count_end_rungs(steps: BankrollGrid) -> int:
    """The rungs that are kept of ended sessions."""
    kinds = int(steps.kinds.max()) + 1
    return kinds * sum(end - begin for begin, end in steps.end_ranges)


def find_roll_deviation(steps: BankrollGrid) -> float:
    """The standard deviation of one roll's change, in rungs, once play has settled."""
    chance: NDArray[Any] = np.zeros(steps.states)
    chance[steps.start] = 1.0
    weight = steps.weight / steps.whole
    target = np.repeat(steps.target, np.diff(steps.first))
    square = 0.0
    for _ in range(_SAMPLE_POINTS):
        moved = chance[steps.source] * weight
        square += float((moved * steps.shift.astype(np.float64) ** 2).sum())
        chance = np.bincount(target, moved, steps.states)
    return float(np.sqrt(square / _SAMPLE_POINTS))
