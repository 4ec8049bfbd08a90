"""The edges of side bets, from the rules as published. Imports nothing of Passline.

Each function plays a bet through every sequence of rolls by its own reading and returns the
expected loss of one unit, as an exact fraction.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}
POINTS = (4, 5, 6, 8, 9, 10)
WHOLE = 36


def muggsys_corner(come_out: int, after_point: int) -> Fraction:
    """Lose a unit unless a seven comes at once, or right after the point."""
    point = Fraction(sum(WAYS[n] for n in POINTS), WHOLE)
    seven = Fraction(WAYS[7], WHOLE)
    won = seven * come_out + point * seven * after_point
    return 1 - seven - point * seven - won


def totals_before_seven(needs: tuple[int, ...], pays: dict[int, int]) -> Fraction:
    """Every total in ``needs`` is paid at once, fewer when the seven comes; pays by the count."""
    top = len(needs)

    @cache
    def value(missing: frozenset[int]) -> Fraction:
        have = top - len(missing)
        if not missing:
            return Fraction(pays[top])
        whole = WAYS[7] + sum(WAYS[n] for n in missing)
        found = Fraction(WAYS[7] * pays.get(have, -1), whole)
        return found + sum(Fraction(WAYS[n], whole) * value(missing - {n}) for n in missing)

    return -value(frozenset(needs))


def different_doubles(pays: dict[int, int]) -> Fraction:
    """So many of the six doubles before a seven; all are equally likely, as is each seven."""
    left, expected = Fraction(1), Fraction(0)
    for have in range(7):
        new = 6 - have
        expected += left * Fraction(WAYS[7], WAYS[7] + new) * pays.get(have, -1)
        left *= Fraction(new, WAYS[7] + new)
    return -expected


def repeater(total: int, times: int, pays: int) -> Fraction:
    """One total so many times before a seven: it must beat the seven each time."""
    won = Fraction(WAYS[total], WAYS[total] + WAYS[7]) ** times
    return 1 - won - won * pays


def repeaters(pays: dict[int, int]) -> dict[int, Callable[[], Fraction]]:
    """The edge of each Repeater by its total; ``pays`` has the odds to one by times."""
    times = {total: min(total, 14 - total) for total in WAYS if total != 7}
    return {n: lambda n=n, t=t: repeater(n, t, pays[t]) for n, t in times.items()}  # type: ignore[misc]


def best_of(pays: dict[int, int], count: int) -> int:
    """What so many are paid: as the highest count on the card that they reach; -1: too few."""
    return max((on, odds) for on, odds in {-1: -1, **pays}.items() if on <= count)[1]


def points_in_a_hand(pays: dict[int, int], breaks: bool) -> Fraction:
    """Points made before the seven-out, or, if craps on the come-out breaks the row, before that.

    Each trial is the next thing that counts: a point made, or the end.
    """
    made = sum((Fraction(WAYS[n] ** 2, WHOLE * (WAYS[n] + 6)) for n in POINTS), Fraction(0))
    out = sum((Fraction(WAYS[n] * 6, WHOLE * (WAYS[n] + 6)) for n in POINTS), Fraction(0))
    ends = out + (Fraction(4, WHOLE) if breaks else 0)
    again, top = made / (made + ends), max(pays)
    won = again**top * pays[top]
    for count in range(top):
        won += again**count * (1 - again) * best_of(pays, count)
    return -won


def rolls_of_a_hand(pays: dict[int, int]) -> Fraction:
    """How often the shooter rolls, the seven-out counted: the hand is followed roll by roll."""
    here = {0: Fraction(1)}
    expected, top = Fraction(0), max(pays)
    for rolls in range(1, top):
        after: dict[int, Fraction] = {}
        for point, often in here.items():
            for total, ways in WAYS.items():
                chance = often * Fraction(ways, WHOLE)
                if point and total == 7:
                    expected += chance * best_of(pays, rolls)
                    continue
                on = 0 if total == point else point or (total if total in POINTS else 0)
                after[on] = after.get(on, Fraction(0)) + chance
        here = after
    return -expected - sum(here.values()) * pays[top]


#: Repeater in table A, "to 1", and in table B, the same numbers "for 1".
REPEATERS = {
    "A": repeaters({2: 40, 3: 50, 4: 65, 5: 80, 6: 90}),
    "B": repeaters({2: 39, 3: 49, 4: 64, 5: 79, 6: 89}),
}
SHARP = {3: 5, 4: 10, 5: 20, 6: 30, 7: 50, 8: 100, 9: 200, 10: 300}
HOT = {8: 0, 16: 2, 24: 4, 32: 6, 40: 11, 45: 29, 51: 99}
ROW = {2: 2, 3: 5, 4: 15, 5: 40, 6: 100}

#: The published edge in percent, to two places ("": none was found), and the program that computes
#: it.
#: Ride the Line: what each number of pass wins pays, by the published pay table, 1 to 7.
RIDES = {
    "A": {2: 0, 3: 1, 4: 2, 5: 4, 6: 6, 7: 8, 8: 15, 9: 20, 10: 25, 11: 50},
    "B": {3: 1, 4: 2, 5: 4, 6: 6, 7: 12, 8: 20, 9: 30, 10: 40, 11: 75},
    "C": {3: 1, 4: 2, 5: 3, 6: 6, 7: 10, 8: 20, 9: 30, 10: 40, 11: 100},
    "D": {3: 1, 4: 2, 5: 3, 6: 4, 7: 10, 8: 15, 9: 20, 10: 30, 11: 150},
    "E": {3: 1, 4: 2, 5: 5, 6: 8, 7: 10, 8: 20, 9: 30, 10: 40, 11: 50},
    "F": {3: 0, 4: 3, 5: 5, 6: 7, 7: 12, 8: 20, 9: 25, 10: 30, 11: 100},
    "G": {3: 0, 4: 2, 5: 4, 6: 7, 7: 10, 8: 15, 9: 25, 10: 40, 11: 150},
}
#: The published chances of 0 to 10 pass wins, and of 11 or more.
RIDE_CHANCES = (
    0.445454545,
    0.247024793,
    0.136986476,
    0.075965228,
    0.042126172,
    0.023360877,
    0.012954668,
    0.007183952,
    0.003983828,
    0.002209214,
    0.001225109,
    0.001525136,
)


def pass_wins(most: int) -> list[Fraction]:
    """Return the chances of 0, 1, ... pass wins before the seven-out; the last is ``most`` or more.

    Come-out craps decide nothing here: the shooter keeps the dice.
    """
    win, out = Fraction(WAYS[7] + WAYS[11], WHOLE), Fraction(0)
    for point in POINTS:
        made = Fraction(WAYS[point], WAYS[point] + WAYS[7])
        win += Fraction(WAYS[point], WHOLE) * made
        out += Fraction(WAYS[point], WHOLE) * (1 - made)
    again = win / (win + out)
    return [again**wins * (1 - again) for wins in range(most)] + [again**most]


def ride_the_line(pays: dict[int, int]) -> Fraction:
    """Each number of pass wins is paid or given back (0) at the seven-out, or loses the unit."""
    top = max(pays)
    return -sum(
        (chance * pays.get(wins, -1) for wins, chance in enumerate(pass_wins(top))), Fraction(0)
    )


def twice_hard(pay: int) -> Fraction:
    """The first hardway before a seven, then the same one before its total comes easy, or 7."""
    won = Fraction(0)
    for total in (4, 6, 8, 10):
        won += Fraction(1, 4 + WAYS[7]) * Fraction(1, WAYS[total] + WAYS[7])
    return 1 - won - won * pay


#: The published edge in percent, to two places, and the program that computes it.
PUBLISHED: dict[str, tuple[str, Callable[[], Fraction]]] = {
    "muggsys-corner": ("5.56", lambda: muggsys_corner(2, 3)),
    "flaming-four": ("18.55", lambda: totals_before_seven((2, 3, 11, 12), {4: 70})),
    "sizzling-six": ("19.18", lambda: totals_before_seven(POINTS, {6: 12})),
    "hot-hand": ("18.02", lambda: totals_before_seven((2, 3, *POINTS, 11, 12), {9: 20, 10: 80})),
    "different-doubles": ("27.92", lambda: different_doubles({3: 4, 4: 8, 5: 15, 6: 100})),
    **{f"repeater-{total}": ("", edge) for total, edge in REPEATERS["A"].items()},
    "sharp-shooter": ("", lambda: points_in_a_hand(SHARP, breaks=False)),
    "hot-shooter": ("9.90", lambda: rolls_of_a_hand(HOT)),
    "points-in-a-row": ("", lambda: points_in_a_hand(ROW, breaks=True)),
    "ride-the-line": ("9.28", lambda: ride_the_line(RIDES["A"])),
    # No figure of Twice Hard is published: this is 5/33 by hand.
    "twice-hard": ("15.15", lambda: twice_hard(20)),
}


def edge_by_table(wager: str, table: str) -> Fraction:
    """Return the edge of a side bet by one of its pay tables. Raise KeyError for an unknown one."""
    if wager == "ride-the-line":
        return ride_the_line(RIDES[table])
    if wager.startswith("repeater-"):
        return REPEATERS[table][int(wager.removeprefix("repeater-"))]()
    if table != "A":
        raise KeyError(table)
    return PUBLISHED[wager][1]()
