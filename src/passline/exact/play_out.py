"""Play-outs, solved: what comes of the wagers that are up when a player says no more."""

from __future__ import annotations

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
        for arc in ways[place]:
            chance = Fraction(arc.weight, whole)
            if arc.next in inside:
                assert not arc.money, "money moved, and everything stayed up"
                inside[place][arc.next] = inside[place].get(arc.next, Fraction(0)) + chance
            else:
                _add(found[place], found[arc.next], chance, arc.money)
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


def _add(to: _Chances, more: _Chances, times: Fraction, money: int = 0) -> None:
    for change, chance in more.items():
        to[change + money] = to.get(change + money, Fraction(0)) + times * chance
