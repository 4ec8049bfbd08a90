"""What an exact session will cost, before it is begun: additions, and rungs to keep at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from passline.exact.ladder import FAR
from passline.exact.limbs import bits_for, limbs_for
from passline.exact.steps import Steps
from passline.machines.arrays import Ints
from passline.sessions import Effort

#: Additions a second on one core, as measured: of limbs, and of doubles.
COUNTED, MEASURED = 1.5e9, 3e9
#: Doubles leave out what weighs less than 1e-27: so many standard deviations from the middle.
_SPREAD = 11.1
_LOOKS = 500
#: Rolls that are gone through one by one before their effort is drawn out.
_CLOSELY = 4096


def reckon_counted(steps: Steps, rolls: int, longest: float) -> Effort:
    """The effort in whole numbers; counting it stops once it is over ``longest`` seconds.

    The first rolls are gone through. Where rows come to stand as they stood before, they do so for
    ever; else they go on spreading, at most from the lowest rung to the goal.
    """
    most = longest * COUNTED
    bits = bits_for(steps.heaviest)
    low, high = np.full(steps.states, FAR), np.full(steps.states, -FAR)
    low[steps.start], high[steps.start] = 0, 1
    added: list[int] = []  # rungs that are added up in each roll
    additions, widest, seen, back = 0, 1, _stand(low, high), 0
    for roll in range(min(rolls, _CLOSELY)):
        wide = np.maximum(high - low, 0)
        added.append(int(wide[steps.source].sum()))
        additions += added[-1] * limbs_for(roll + 1, bits, steps.whole)
        if additions > most or not wide.any():
            return Effort(additions / COUNTED, _size(steps, rolls, bits, widest))
        low, high = steps.reach(low, high)
        widest = max(widest, int(high.max() - low.min()))
        _leave(steps, low, high)
        stand = _stand(low, high)
        if stand == seen:
            repeated = added[back:]
            rest = _rest(
                np.full(_LOOKS, np.mean(repeated)), roll + 1, rolls, _limbs_a_roll(steps, bits)
            )
            return Effort((additions + rest) / COUNTED, _size(steps, rolls, bits, widest))
        if roll + 1 == 2 * max(back, 1):  # Brent: look back to a place twice as far on each time
            seen, back = stand, roll + 1
    gone = len(added)
    if gone == rolls:
        return Effort(additions / COUNTED, _size(steps, rolls, bits, widest))
    bottom = max(int(steps.need.min()), steps.floor + 1)
    room = steps.goal - bottom + 2 * int(np.abs(steps.shift).max())
    growing = np.minimum(
        added[-1] / gone * np.linspace(gone, rolls, _LOOKS), room * len(steps.source)
    )
    rest = _rest(growing, gone, rolls, _limbs_a_roll(steps, bits))
    widest = min(widest * rolls // gone, max(room, widest))
    return Effort((additions + rest) / COUNTED, _size(steps, rolls, bits, widest))


def _leave(steps: Steps, low: Ints, high: Ints) -> None:
    """Take out where nobody stays."""
    low[:] = np.maximum(low, np.maximum(steps.need, steps.floor + 1))
    high[:] = np.minimum(high, steps.goal)
    gone = low >= high
    low[gone], high[gone] = FAR, -FAR


def _stand(low: Ints, high: Ints) -> bytes:
    return low.tobytes() + high.tobytes()


def _limbs_a_roll(steps: Steps, bits: int) -> float:
    return float(np.log2(steps.whole)) / bits


def _rest(added: NDArray[Any], gone: int, rolls: int, limbs_a_roll: float) -> float:
    """The additions of limbs in the rolls from ``gone`` on, by their rungs at even distances."""
    limbs = np.linspace(gone + 1, rolls, len(added)) * limbs_a_roll + 1
    return float((added * limbs).mean()) * (rolls - gone)


def _size(steps: Steps, rolls: int, bits: int, widest: int) -> int:
    return (
        2 * limbs_for(rolls, bits, steps.whole) * 8 * (steps.states * widest + size_of_ends(steps))
    )


def reckon_measured(steps: Steps, rolls: int) -> Effort:
    """The effort in doubles, nearly: how far worths spread is estimated.

    Between a goal and ruin nobody walks for ever: the share still playing falls by a constant part
    with each roll, as heat leaves a rod, and what is over once it is tiny is not worked out.
    """
    sd = deviation(steps)
    depth = _depth(steps)
    if steps.goal < FAR and sd:
        rolls = min(rolls, longest_walk(steps))
    reach = np.linspace(0, rolls, _LOOKS)
    spread = _SPREAD * sd * np.sqrt(reach)
    jump = int(np.abs(steps.shift).max())
    up = np.minimum(np.minimum(spread, reach * max(int(steps.shift.max()), 0)), steps.goal)
    down = np.minimum(np.minimum(spread, reach * max(-int(steps.shift.min()), 0)), depth)
    wide = up + down + 1
    additions = float(wide.mean()) * rolls * len(steps.source)
    size = 2 * 8 * (steps.states * (wide.max() + 2 * jump) + size_of_ends(steps))
    return Effort(additions / MEASURED, int(size))


def longest_walk(steps: Steps, left: float = 1e-27) -> int:
    """The rolls after which no more than ``left`` of all are left between a goal and ruin."""
    sd = deviation(steps)
    wide = (steps.goal + _depth(steps) + 1) / sd if sd else 0.0
    return int(-2 * np.log(left) / np.pi**2 * wide**2) + 100


def _depth(steps: Steps) -> int:
    """The rungs from the bankroll down to ruin or the floor."""
    return max(-max(int(steps.need.min()), steps.floor), 0)


def size_of_ends(steps: Steps) -> int:
    """The rungs that are kept of ended sessions."""
    kinds = int(steps.kinds.max()) + 1
    return kinds * sum(end - begin for begin, end in steps.end_spans)


def deviation(steps: Steps) -> float:
    """The standard deviation of one roll's change, in rungs, once play has settled."""
    chance: NDArray[Any] = np.zeros(steps.states)
    chance[steps.start] = 1.0
    weight = steps.weight / steps.whole
    target = np.repeat(steps.target, np.diff(steps.first))
    square = 0.0
    for _ in range(_LOOKS):
        moved = chance[steps.source] * weight
        square += float((moved * steps.shift.astype(np.float64) ** 2).sum())
        chance = np.bincount(target, moved, steps.states)
    return float(np.sqrt(square / _LOOKS))
