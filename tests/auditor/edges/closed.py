"""Closed forms: line and come wagers, races, hardways, one-roll wagers and their sums."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from .pips import PAIRS, SEVENS, SIX, WAYS, before_seven, chance, rolls_of
from .tale import Figures, figures

ONE = Fraction(1)
ZERO = Fraction(0)


class Vig(NamedTuple):
    """Vigorish: a share of the stake or of the win, paid when the wager is made or won."""

    rate: Fraction
    base: str
    when: str

    def of(self, pays: Fraction) -> Fraction:
        """The charge on one unit that would win ``pays``, not rounded."""
        return self.rate * (ONE if self.base == "stake" else pays)


def race(win: Fraction, pays: Fraction, rolls: Fraction, vig: Vig | None = None) -> Figures:
    """A wager that wins with one chance and otherwise loses."""
    charge = vig.of(pays) if vig else ZERO
    upfront = charge if vig and vig.when == "made" else ZERO
    ends = [(win, pays - charge), (1 - win, -1 - upfront)]
    return figures(ends, rolls, ONE + upfront)


def to_win(number: int, pays: Fraction, vig: Vig | None = None) -> Figures:
    """A number before a seven: place, buy, big, odds taken, a come that has travelled."""
    return race(before_seven(number), pays, rolls_of(number), vig)


def to_lose(number: int, pays: Fraction, vig: Vig | None = None) -> Figures:
    """A seven before a number: place to lose, lay, odds laid, a don't come that has travelled."""
    return race(1 - before_seven(number), pays, rolls_of(number), vig)


def hardway(number: int, pays: Fraction) -> Figures:
    """The pair before the number any other way, and before a seven."""
    deciding = WAYS[number] + SEVENS
    return race(Fraction(1, deciding), pays, Fraction(36, deciding))


def pass_line(points: tuple[int, ...] = SIX) -> Figures:
    """Pass and come; where every total but seven is a point, only a seven wins at once.

    >>> pass_line().edge
    Fraction(7, 495)
    """
    naturals = chance(*({7, 11} - set(points)))
    made = sum((chance(n) * before_seven(n) for n in points), ZERO)
    rolls = 1 + sum((chance(n) * rolls_of(n) for n in points), ZERO)
    win = naturals + made
    return race(win, ONE, rolls)


def dont_line() -> Figures:
    """Don't pass and don't come: two and three win, twelve is void.

    >>> dont_line().edge, dont_line().edge_resolved
    (Fraction(3, 220), Fraction(27, 1925))
    """
    missed = sum((chance(n) * (1 - before_seven(n)) for n in SIX), ZERO)
    win, push = chance(2, 3) + missed, chance(12)
    return figures([(win, ONE), (push, ZERO), (1 - win - push, -ONE)], pass_line().rolls)


def some_odds(pays: Mapping[int, Fraction], laid: bool) -> Figures:
    """One unit of odds behind a flat whose point is not told yet: each point by its chance."""
    whole = sum(WAYS[n] for n in pays)
    ends, rolls = [], ZERO
    for number, paid in pays.items():
        share = Fraction(WAYS[number], whole)
        win = 1 - before_seven(number) if laid else before_seven(number)
        ends += [(share * win, paid), (share * (1 - win), -ONE)]
        rolls += share * rolls_of(number)
    return figures(ends, rolls)


def one_roll(nets: Mapping[tuple[int, int], Fraction]) -> Figures:
    """A wager decided by the next throw: what each pair of dice nets, the rest losing one."""
    ends = [(Fraction(1, 36), nets.get(pair, -ONE)) for pair in PAIRS]
    return figures(ends, ONE)


class Together(NamedTuple):
    """A flat with its odds: of the flat alone, and of all that is wagered on average."""

    wagered: Fraction
    edge: Fraction
    edge_flat: Fraction
    edge_resolved: Fraction
    variance: Fraction


def line_with_odds(
    pays: Mapping[int, Fraction], odds: Mapping[int, Fraction], dont: bool = False
) -> Together:
    """A line wager of one unit with ``odds`` units behind it on each point.

    ``pays`` are the points' odds, taken or laid. Odds cost nothing: only what is wagered grows.

    >>> taken = {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5)}
    >>> taken |= {14 - n: paid for n, paid in taken.items()}
    >>> float(line_with_odds(taken, dict.fromkeys(taken, Fraction(1))).edge)
    0.008484848484848486
    """
    points = tuple(pays)
    if dont:
        at_once = [(chance(2, 3), ONE), (chance(12), ZERO), (chance(7, 11), -ONE)]
    else:
        naturals = {7, 11} - set(points)
        craps = {2, 3, 12} - set(points)
        at_once = [(chance(*naturals), ONE), (chance(*craps), -ONE)]
    ends = list(at_once)
    for number, paid in pays.items():
        win = 1 - before_seven(number) if dont else before_seven(number)
        ends.append((chance(number) * win, 1 + odds[number] * paid))
        ends.append((chance(number) * (1 - win), -1 - odds[number]))
    assert sum(p for p, _ in ends) == 1
    mean = sum((p * net for p, net in ends), ZERO)
    square = sum((p * net**2 for p, net in ends), ZERO)
    wagered = 1 + sum((chance(n) * odds[n] for n in points), ZERO)
    resolved = wagered - sum((p for p, net in at_once if not net), ZERO)
    return Together(
        wagered=wagered,
        edge=-mean / wagered,
        edge_flat=-mean,
        edge_resolved=-mean / resolved,
        variance=square - mean**2,
    )
