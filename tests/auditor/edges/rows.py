"""Every row that a book's odds sheet should have, worked from its table alone."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache

from .closed import (
    Vig,
    dont_line,
    hardway,
    one_roll,
    pass_line,
    some_odds,
    to_lose,
    to_win,
)
from .collect import bonus, fire
from .pips import PAIRS, SIX, TEN
from .tables import Line, dice_of, lines, odds
from .tale import Figures

#: A wager, and the election it stands under where it is one.
Key = tuple[str, str | None]
Rows = dict[Key, Figures]

_NUMBERS_FOR_BONUS = {
    "all-small": (2, 3, 4, 5, 6),
    "all-tall": (8, 9, 10, 11, 12),
    "make-them-all": TEN,
}
#: A come wager that is put on a number is a race for even money.
_TO_WIN = ("place-win", "buy", "big", "pass-odds", "come-odds", "come")
_TO_LOSE = ("place-lose", "lay", "dont-pass-odds", "dont-come-odds")


def points(book: str) -> tuple[int, ...]:
    """The totals that become points."""
    return TEN if book == "maryland-crapless" else SIX


def _split(wager: str) -> tuple[str, int]:
    family, _, last = wager.rpartition("-")
    return (family, int(last)) if last.isdigit() else (wager, 0)


def _vigs(table: list[Line]) -> dict[str, Vig]:
    """The vigorish on a family of wagers, or on one of them."""
    found = {}
    for line in table:
        if line.wager.startswith("vig "):
            rate, _, rest = line.pays.partition(" of ")
            base, _, when = rest.partition(", ")
            found[line.wager.removeprefix("vig ")] = Vig(Fraction(rate), base, when)
    return found


def _line(book: str, table: list[Line]) -> Rows:
    found: Rows = {}
    for line in table:
        if line.wager in {"pass", "come", "dont-pass", "dont-come"}:
            assert odds(line.pays) == 1
            dont = line.wager.startswith("dont")
            found[line.wager, None] = dont_line() if dont else pass_line(points(book))
    return found


def _numbers(table: list[Line]) -> Rows:
    """Races; and the odds behind a line, point by point (``pass-odds-4``) and as one."""
    found: Rows = {}
    behind: dict[str, dict[int, Fraction]] = defaultdict(dict)
    vigs = _vigs(table)
    for line in table:
        family, number = _split(line.wager)
        if family not in _TO_WIN + _TO_LOSE or not number:
            continue
        vig = vigs.get(line.wager) or vigs.get(family)
        race = to_win if family in _TO_WIN else to_lose
        found[line.wager, line.option] = race(number, odds(line.pays), vig)
        if family.endswith("pass-odds"):
            behind[family][number] = odds(line.pays)
    for family, pays in behind.items():
        found[family, None] = some_odds(pays, laid=family.startswith("dont"))
    return found


def _hardways(table: list[Line]) -> Rows:
    return {
        (line.wager, None): hardway(int(line.wager.removeprefix("hard-")), odds(line.pays))
        for line in table
        if line.wager.startswith("hard-")
    }


def _one_rolls(table: list[Line]) -> Rows:
    """By totals or faces, hops, and composites by their legs."""
    nets: dict[Key, dict[tuple[int, int], Fraction]] = defaultdict(dict)
    for line in table:
        hop = line.wager.removeprefix("hop-") if line.wager.startswith("hop-") else ""
        if line.wager != "fire" and (line.when or hop):
            for pair in dice_of(line.when or hop):
                nets[line.wager, line.option][pair] = odds(line.pays)
    for line in table:
        if "+" in line.pays:
            nets[line.wager, None] = _legs(line.pays, nets)
    return {key: one_roll(net) for key, net in nets.items()}


def _legs(
    text: str, nets: dict[Key, dict[tuple[int, int], Fraction]]
) -> dict[tuple[int, int], Fraction]:
    """What ``1 craps-2 + 1 craps-12`` nets on each pair, for one unit over all of it."""
    legs = [(int(units), leg) for units, leg in (one.split(" ") for one in text.split(" + "))]
    whole = sum(units for units, _ in legs)
    found = {}
    for pair in PAIRS:
        each = (units * nets[leg, None].get(pair, Fraction(-1)) for units, leg in legs)
        found[pair] = sum(each, Fraction()) / whole
    return found


def _collecting(book: str, table: list[Line]) -> Rows:
    found: Rows = {}
    ladders: dict[str | None, dict[int, Fraction]] = defaultdict(dict)
    for line in table:
        if line.wager == "fire":
            ladders[line.option][int(line.when)] = odds(line.pays)
        elif line.wager in _NUMBERS_FOR_BONUS:
            numbers = _NUMBERS_FOR_BONUS[line.wager]
            found[line.wager, line.option] = bonus(numbers, odds(line.pays))
    for option, ladder in ladders.items():
        found["fire", option] = fire(points(book), ladder)
    return found


@cache
def rows(book: str) -> Rows:
    """Every wager of a book, option tables as rows of their own."""
    table = lines(book)
    found = _line(book, table) | _numbers(table) | _hardways(table)
    found |= _one_rolls(table) | _collecting(book, table)
    told = {line.wager for line in table if not line.wager.startswith("vig ")}
    assert told <= {wager for wager, _ in found}, "a line of the table was not worked"
    return found
