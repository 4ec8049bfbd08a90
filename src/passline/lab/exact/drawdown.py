"""The loops of the deepest fall: rolls of everybody, by their highest worth and how far below it.

``now[layer, row, place]``: the layer is the top that was reached, its last place is the top itself,
each place before it a rung further down; below the first is the fall that is asked for.

Every function and number of the loops stands in this file: compiled code is kept beside it and
made anew when it changes, and only then.

The deepest fall of a session from its highest worth: exact chances, in doubles.

Whoever stands a ``depth`` under the highest worth that he had has fallen so far. For one depth
everybody is told apart by his top and by how far he is below it, but only where the top matters:
while it is too low for a fall (ruin, or the floor, comes first), all tops are one layer; where it
is so high that the fall comes before any ruin, they are one again, and a new top is the old one.
Between them, and up to a goal, each top is a layer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from passline.lab.exact.bankroll_evolution import ShortBankrollTransfer
from passline.lab.exact.bankroll_grid import BankrollGrid, find_longest_session
from passline.lab.exact.bankroll_kernels import UNREACHABLE
from passline.lab.machines.arrays import FloatArray, IntArray
from passline.lab.machines.compile_loops import compile_loop
from passline.lab.sessions.session import Effort

#: Left out of a row at either end, as on the ladder of worths.
_NEGLIGIBLE_CHANCE = 1e-27
#: How few are nobody.
_NOBODY_LEFT = 1e-12


@compile_loop()
def _roll_layers(
    now: FloatArray,
    then: FloatArray,
    spans: IntArray,
    arcs: tuple[IntArray, IntArray, IntArray, FloatArray],
    tops: tuple[int, int, int],
) -> float:
    """One roll, ``then`` being empty before; those who fell, who are in it no more."""
    source, target, shift, weight = arcs
    first, last, goal = tops
    depth = now.shape[2]
    fallen = 0.0
    for layer in range(now.shape[0]):
        for step in range(len(source)):
            low, high = spans[layer, source[step], 0], spans[layer, source[step], 1]
            if low >= high:
                continue
            by, times = shift[step], weight[step]
            here = now[layer, source[step]]
            down = min(max(-by, low), high)  # those below it fall
            up = max(min(depth - by, high), down)  # those from it up make a new top
            for place in range(low, down):
                fallen += times * here[place]
            there = then[layer, target[step], down + by : up + by]
            mine = here[down:up]
            for place in range(up - down):
                there[place] += times * mine[place]
            for place in range(up, high):
                rung = first + layer - depth + 1 + place + by
                if rung < goal:
                    then[min(rung, last) - first, target[step], depth - 1] += times * here[place]
    return fallen


@compile_loop()
def _drop_ended_layers(
    then: FloatArray,
    spans: IntArray,
    needs: IntArray,
    asides: tuple[IntArray, IntArray, IntArray],
    first: int,
) -> float:
    """Those step aside who are short and play on, those leave who are under their need; where
    rows stand now is put down in ``spans``. Those who are left."""
    rows, rungs, beside = asides
    layers, states, depth = then.shape
    left = 0.0
    for layer in range(layers):
        bottom = first + layer - depth + 1
        for k in range(len(rows)):
            place = rungs[k] - bottom
            if 0 <= place < depth:
                then[layer, beside[k], place] += then[layer, rows[k], place]
                then[layer, rows[k], place] = 0.0
        for row in range(states):
            lane = then[layer, row]
            low, high = min(max(needs[row] - bottom, 0), depth), depth
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
                left += lane[place]
    return left


@compile_loop()
def roll_drawdown(
    now: FloatArray,
    then: FloatArray,
    spans: IntArray,
    arcs: tuple[IntArray, IntArray, IntArray, FloatArray],
    needs: IntArray,
    asides: tuple[IntArray, IntArray, IntArray],
    tops: tuple[int, int, int],
    rolls: int,
) -> tuple[float, float]:
    """So many rolls, from one array to the other and back: who fell, and who is left. ``tops``: the
    first layer's, the last layer's, and the goal; ``needs[row]``: under which rung one leaves."""
    fallen = 0.0
    left = _drop_ended_layers(now, spans, needs, asides, tops[0])
    for _ in range(rolls):
        if left < _NOBODY_LEFT:
            break
        then[:] = 0.0
        fallen += _roll_layers(now, then, spans, arcs, tops)
        left = _drop_ended_layers(then, spans, needs, asides, tops[0])
        now, then = then, now
    return fallen, left


#: Additions a second on one core, as measured (most rolls reach few of the rungs), and what an
#: arc of a layer costs besides.
_ADDITIONS_PER_SECOND, _ARC_OVERHEAD = 4e9, 8
#: Additions after which Ctrl-C is heard.
_ADDITIONS_PER_CALL = 2**29


class PeakLayers(NamedTuple):
    """The tops from ``first`` to ``last`` that are told apart for falls of ``depth`` rungs."""

    depth: int
    first: int
    last: int

    @property
    def many(self) -> int:
        """How many they are."""
        return self.last - self.first + 1


def build_layers(steps: BankrollGrid, depth: int) -> PeakLayers:
    """The layers for falls of ``depth`` rungs.

    >>> from passline.lab.exact.bankroll_grid import build_grid
    >>> from passline.lab.machines.chain import Arc, Chain
    >>> from passline.lab.sessions.session import Plan
    >>> coin = Chain(((Arc(0, -500, 18), Arc(0, 500, 18)),), (500,))
    >>> steps = build_grid(coin, Plan(bankroll=5000, rolls=100))
    >>> build_layers(steps, 3), build_layers(steps, 12)
    (PeakLayers(depth=3, first=0, last=0), PeakLayers(depth=12, first=1, last=2))
    """
    needs = _find_leave_rungs(steps)
    first = max(_find_lowest_rung(steps) + depth - 1, 0)
    if steps.goal < UNREACHABLE:
        return PeakLayers(depth, min(first, steps.goal - 1), steps.goal - 1)
    return PeakLayers(depth, first, max(int(needs.max()) + depth - 1, first))


def estimate_drawdown(steps: BankrollGrid, rolls: int, depth: int) -> Effort:
    """About what the chance of falls of ``depth`` rungs costs."""
    layers = build_layers(steps, depth).many
    if steps.goal < UNREACHABLE:
        rolls = min(rolls, find_longest_session(steps, 1e-12))
    added = layers * (len(steps.source) * (depth + _ARC_OVERHEAD) + 2 * steps.states * depth)
    return Effort(added * rolls / _ADDITIONS_PER_SECOND, 2 * 8 * layers * steps.states * depth)


def find_drawdown_chance(
    steps: BankrollGrid, rolls: int, depth: int, aside: ShortBankrollTransfer | None = None
) -> float:
    """The chance that a session of so many rolls falls ``depth`` rungs from its highest worth.

    >>> from passline.lab.exact.bankroll_grid import build_grid
    >>> from passline.lab.machines.chain import Arc, Chain
    >>> from passline.lab.sessions.session import Plan
    >>> coin = Chain(((Arc(0, -500, 18), Arc(0, 500, 18)),), (500,))
    >>> find_drawdown_chance(build_grid(coin, Plan(bankroll=5000, rolls=3)), 3, 2)
    0.375
    """
    layers = build_layers(steps, depth)
    bottom = layers.first - depth + 1
    if steps.goal <= 0 or steps.floor >= 0 or bottom > 0:  # it is over before the first roll
        return 0.0
    if depth > find_deepest_drawdown(steps):
        return 0.0
    now = np.zeros((layers.many, steps.states, depth))
    now[0, steps.start, -bottom] = 1.0
    then, spans = np.zeros_like(now), np.zeros((layers.many, steps.states, 2), np.int64)
    target = np.repeat(steps.target, np.diff(steps.first))
    arcs = steps.source, target, steps.shift, steps.weight / steps.whole
    nobody = np.zeros(0, np.int64)
    asides = (nobody, nobody, nobody) if aside is None else aside.moves
    tops = layers.first, layers.last, steps.goal
    every = max(
        int(
            _ADDITIONS_PER_CALL
            / (_ADDITIONS_PER_SECOND * estimate_drawdown(steps, 1, depth).seconds)
        ),
        1,
    )
    fallen, rolled, left = 0.0, 0, 1.0
    while rolled < rolls and left > 1e-12:
        many = min(every, rolls - rolled)
        fell, left = roll_drawdown(
            now, then, spans, arcs, _find_leave_rungs(steps), asides, tops, many
        )
        fallen, rolled = fallen + fell, rolled + many
        if many % 2:
            now, then = then, now
    return min(fallen, 1.0)


def find_deepest_drawdown(steps: BankrollGrid) -> int:
    """The rungs that no fall is deeper than: from a goal to the lowest that one can come to."""
    return steps.goal - 1 - _find_lowest_rung(steps)


def _find_lowest_rung(steps: BankrollGrid) -> int:
    """The lowest rung that anybody comes to."""
    return int(_find_leave_rungs(steps).min()) + min(int(steps.shift.min()), 0)


def _find_leave_rungs(steps: BankrollGrid) -> IntArray:
    """By row: the rung under which one leaves it, ruined or at the floor."""
    needs: IntArray = np.maximum(steps.need, steps.floor + 1)
    return needs
