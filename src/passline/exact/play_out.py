"""Play-outs, solved: what comes of the wagers that are up when a player says no more."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from passline.exact.reduce import find_rings
from passline.machines import WHOLE, Arc
from passline.machines.play_out import OVER
from passline.sessions.distribution import PlayedOut

#: What a play-out comes to, in no order.
_Chances = dict[int, Fraction]


def solve_play_outs(ways: Sequence[tuple[Arc, ...]], whole: int = WHOLE) -> list[PlayedOut]:
    """What the play-out from each place comes to. ``ways`` as ``machines.play_out`` finds them.

    >>> coin = ((Arc(0, 0, 36),), (Arc(0, 100, 9), Arc(0, -100, 18), Arc(1, 0, 9)))
    >>> solve_play_outs(coin)[1]
    ((-100, Fraction(2, 3)), (100, Fraction(1, 3)))
    """
    everywhere = len(ways)
    onward = [[arc.next for arc in arcs] for arcs in ways] + [list(range(len(ways)))]
    found: list[_Chances] = [{} for _ in ways]
    found[OVER] = {0: Fraction(1)}
    for ring in reversed(list(find_rings(onward, everywhere))):
        if ring not in ([OVER], [everywhere]):
            _solve_ring(ring, ways, found, whole)
    return [tuple(sorted(chances.items())) for chances in found]


def _solve_ring(
    ring: list[int], ways: Sequence[tuple[Arc, ...]], found: list[_Chances], whole: int
) -> None:
    """Places that lead back to each other: each is left out in turn, and then put back in.

    Within a ring no money moves: what is decided comes down, and never comes back up.
    """
    inside: dict[int, dict[int, Fraction]] = {place: {} for place in ring}
    for place in ring:
        leaves = []
        for arc in ways[place]:
            if arc.next in inside:
                assert not arc.money, "money moved, and everything stayed up"
                chance = Fraction(arc.weight, whole)
                inside[place][arc.next] = inside[place].get(arc.next, Fraction(0)) + chance
            else:
                leaves.append(arc)
        found[place] = _mixed(leaves, found, whole)
    if not any(found[place] for place in ring):  # it waits for ever: down as it is
        for place in ring:
            found[place] = {0: Fraction(1)}
        return
    steps: list[tuple[int, dict[int, Fraction]]] = []
    for out in ring:
        on = inside.pop(out)
        again = 1 / (1 - on.pop(out, Fraction(0)))
        on = {to: chance * again for to, chance in on.items()}
        found[out] = {money: chance * again for money, chance in found[out].items()}
        for place, others in inside.items():
            reached = others.pop(out, None)
            if reached is None:
                continue
            _add(found[place], found[out], reached)
            for to, chance in on.items():
                others[to] = others.get(to, Fraction(0)) + reached * chance
        steps.append((out, on))
    for place, on in reversed(steps):
        for to, chance in on.items():
            _add(found[place], found[to], chance)


def _mixed(arcs: list[Arc], found: list[_Chances], whole: int) -> _Chances:
    """What arcs to places that are solved come to: all over one denominator, which is far faster
    than fraction by fraction."""
    under = math.lcm(*{c.denominator for arc in arcs for c in found[arc.next].values()})
    ways: dict[int, int] = {}
    for arc in arcs:
        for change, chance in found[arc.next].items():
            share = arc.weight * chance.numerator * (under // chance.denominator)
            ways[change + arc.money] = ways.get(change + arc.money, 0) + share
    return {change: Fraction(many, whole * under) for change, many in ways.items()}


def _add(to: _Chances, more: _Chances, times: Fraction) -> None:
    for change, chance in more.items():
        to[change] = to.get(change, Fraction(0)) + times * chance
