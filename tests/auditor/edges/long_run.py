"""What a strategy comes to by the roll, in the long run: worked by hand, in cents.

Somebody shoots for ever. Rolls fall into rounds: come-out rolls, then rolls with the point on until
it is made or a seven ends it. With the point on the throws are like any throws, so a wager that is
always up then costs its mean on each such roll, and only their share of all rolls need be known.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from .collect import hand_rolls
from .pips import WAYS, before_seven, chance, rolls_of
from .rows import points, rows

Cents = Fraction

UNIT = 1000
UNIT_ON_6_8 = 1200


def decision_rolls(book: str) -> Fraction:
    """Rolls from one come-out roll to the next decision of the line: the come-out and then on."""
    return 1 + sum((chance(n) * rolls_of(n) for n in points(book)), Fraction())


def share_on(book: str) -> Fraction:
    """The share of rolls that are thrown with a point on.

    >>> share_on("iowa")
    Fraction(392, 557)
    """
    return 1 - 1 / decision_rolls(book)


#: The election of a book's default house, where the wager depends on one.
_USUAL = {("las-vegas", "field"): "offers.field=twelve"}


def _edge(book: str, wager: str, option: str | None = None) -> Fraction:
    usual = _USUAL.get((book, wager))
    return rows(book)[wager, option or usual].edge


def pass_line(book: str) -> Cents:
    """$10 on every come-out roll; odds behind it win and lose nothing on average."""
    return -UNIT * _edge(book, "pass") / decision_rolls(book)


def dont_pass(book: str) -> Cents:
    """$10 likewise: a barred twelve is a come-out roll on which the wager stays as it is."""
    return -UNIT * _edge(book, "dont-pass") / decision_rolls(book)


def come(book: str) -> Cents:
    """$10 in the come on every roll with a point on: each is one more line wager, soon or late."""
    return -UNIT * _edge(book, "come") * share_on(book)


def field(book: str) -> Cents:
    """$10 on every roll."""
    return -UNIT * _edge(book, "field")


def _placed(book: str, *numbers: int) -> Cents:
    """What wagers on the numbers cost on one roll with the point on."""
    cost = Fraction()
    for number in numbers:
        stake = UNIT_ON_6_8 if number in {6, 8} else UNIT
        wager = rows(book)[f"place-win-{number}", None]
        cost -= stake * wager.edge / wager.rolls
    return cost


def place_6_8(book: str) -> Cents:
    """$12 each, made when a point is on, left up, off on come-out rolls."""
    return share_on(book) * _placed(book, 6, 8)


def inside(book: str) -> Cents:
    """The same on 5, 6, 8 and 9."""
    return share_on(book) * _placed(book, 5, 6, 8, 9)


def across(book: str) -> Cents:
    """The same on 4, 5, 6, 8, 9 and 10."""
    return share_on(book) * _placed(book, 4, 5, 6, 8, 9, 10)


def iron_cross(book: str) -> Cents:
    """5, 6 and 8 placed, and the field on every roll with a point on."""
    return share_on(book) * (_placed(book, 5, 6, 8) + field(book))


def press_6_8(book: str) -> Cents:
    """$12 each, $12 more after each hit, up to $60; back to $12 after a seven-out.

    Of the rolls with a point on, a number has hit at least k times since the last seven with
    chance (its ways against the seven's) to the power k, so the mean stake is a short sum.
    """
    again = before_seven(6)
    units = sum((again**hits for hits in range(5)), Fraction())
    return share_on(book) * units * _placed(book, 6, 8)


def martingale(book: str) -> Cents:
    """$10 on the line, doubled after a loss, up to $320, then anew.

    The k-th stake is bet as often as k losses run together: a share of the wagers that falls by the
    chance of losing at each step.
    """
    flat = rows(book)["pass", None]
    often = [flat.lose**step for step in range(6)]
    stake = sum((UNIT * 2**step * share for step, share in enumerate(often)), Fraction())
    return -stake / sum(often, Fraction()) * flat.edge / decision_rolls(book)


def hardways(book: str) -> Cents:
    """$10 on each, made while a point is on, and made again when lost.

    In `iowa` they work on come-out rolls too, and a come-out roll finds one up where the point was
    made without losing it, and no seven came since.
    """
    cost = Fraction()
    for number in (4, 6, 8, 10):
        wager = rows(book)[f"hard-{number}", None]
        a_roll = -UNIT * wager.edge / wager.rolls
        cost += a_roll * share_on(book)
        if book == "iowa":
            cost += a_roll * _come_outs_with(number) / _round_rolls(book)
    return cost


def _round_rolls(book: str) -> Fraction:
    """Rolls from the end of one point to the end of the next."""
    spread = chance(*points(book))
    on = sum((chance(n) * rolls_of(n) for n in points(book)), Fraction())
    return (1 + on) / spread


def _come_outs_with(number: int) -> Fraction:
    """Come-out rolls in a round of `iowa` that find a hardway up."""
    six = points("iowa")
    up = Fraction()
    for point in six:
        made = chance(point) / chance(*six) * before_seven(point)
        # Made the easy way, the hardway on the point itself has just lost.
        up += made * (Fraction(1, WAYS[point]) if point == number else 1)
    # Another come-out roll follows with it still up only after 2, 3, 11 and 12.
    return up / (1 - chance(2, 3, 11, 12))


def small_tall_all(table: str) -> Cents:
    """$10 on each of the three for every shooter's hand: a seven-out leaves none of them up."""
    book = "maryland-crapless"
    three = ("all-small", "all-tall", "make-them-all")
    cost = sum((UNIT * _edge(book, wager, f"offers.bonus={table}") for wager in three), Fraction())
    return -cost / hand_rolls(points(book))


def fire_and_pass(book: str, table: str) -> Cents:
    """Pass as above, and $5 on fire for every shooter's hand."""
    fire = _edge(book, "fire", f"offers.fire={table}")
    return pass_line(book) - Fraction(500) * fire / hand_rolls(points(book))


Place = tuple[int, frozenset[int]]


def _after(place: Place, total: int, book: str) -> Place:
    """Three point Molly's puck and come numbers after a throw."""
    puck, numbers = place
    if total == 7:
        return 0, frozenset()
    if total not in points(book):
        return place
    moves = {total} if puck and len(numbers) < 2 else set()
    return (0 if total == puck else puck or total), (numbers - {total}) | moves


def molly(book: str, rolls: int = 150) -> float:
    """Pass, and a come wager while a point is on and fewer than two come numbers are up.

    Odds cost nothing, so each flat costs its edge, and what is asked is how often a come wager is
    made. The one answer here in doubles: the chances after so many throws, when they have settled.
    """
    now: dict[Place, float] = {(0, frozenset()): 1.0}
    for _ in range(rolls):
        then: dict[Place, float] = {}
        for place, weight in now.items():
            for total in WAYS:
                to = _after(place, total, book)
                then[to] = then.get(to, 0.0) + weight * WAYS[total] / 36
        now = then
    made = sum(weight for (puck, up), weight in now.items() if puck and len(up) < 2)
    return float(pass_line(book)) - made * float(UNIT * _edge(book, "come"))


Worked = Callable[[str], Cents]

#: By the strategy's name. Odds change no mean: where they are at the maximum they pay exactly.
WORKED: dict[str, Worked] = {
    "pass": pass_line,
    "pass-odds": pass_line,
    "dont-pass": dont_pass,
    "dont-pass-odds": dont_pass,
    "come-odds": come,
    "place-6-8": place_6_8,
    "inside": inside,
    "across": across,
    "iron-cross": iron_cross,
    "field": field,
    "hardways": hardways,
    "press-6-8": press_6_8,
    "pass-martingale": martingale,
}
