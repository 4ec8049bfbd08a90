"""The loops of the deepest fall: rolls of everybody, by their highest worth and how far below it.

``now[layer, row, place]``: the layer is the top that was reached, its last place is the top itself,
each place before it a rung further down; below the first is the fall that is asked for.

Every function and number of the loops stands in this file: compiled code is kept beside it and
made anew when it changes, and only then.
"""

from __future__ import annotations

from passline.machines.arrays import Floats, Ints
from passline.machines.compiling import compiled

#: Left out of a row at either end, as on the ladder of worths.
_TINY = 1e-27
#: How few are nobody.
_NOBODY = 1e-12


@compiled()
def _roll(
    now: Floats,
    then: Floats,
    spans: Ints,
    arcs: tuple[Ints, Ints, Ints, Floats],
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


@compiled()
def _stand(
    then: Floats,
    spans: Ints,
    needs: Ints,
    asides: tuple[Ints, Ints, Ints],
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
            while low < high and gone + lane[low] < _TINY:
                gone += lane[low]
                low += 1
            gone = 0.0
            while low < high and gone + lane[high - 1] < _TINY:
                gone += lane[high - 1]
                high -= 1
            spans[layer, row, 0], spans[layer, row, 1] = low, high
            for place in range(low, high):
                left += lane[place]
    return left


@compiled()
def roll_falls(
    now: Floats,
    then: Floats,
    spans: Ints,
    arcs: tuple[Ints, Ints, Ints, Floats],
    needs: Ints,
    asides: tuple[Ints, Ints, Ints],
    tops: tuple[int, int, int],
    rolls: int,
) -> tuple[float, float]:
    """So many rolls, from one array to the other and back: who fell, and who is left. ``tops``: the
    first layer's, the last layer's, and the goal; ``needs[row]``: under which rung one leaves."""
    fallen = 0.0
    left = _stand(now, spans, needs, asides, tops[0])
    for _ in range(rolls):
        if left < _NOBODY:
            break
        then[:] = 0.0
        fallen += _roll(now, then, spans, arcs, tops)
        left = _stand(then, spans, needs, asides, tops[0])
        now, then = then, now
    return fallen, left
