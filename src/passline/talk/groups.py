"""Groups of place numbers under one name: across, inside, outside, and the iron cross.

One sum comes in units, or so much goes on each. With a point on, the amount decides whether the
point is among them; where a sum fits either way, the book does (``groups`` of the rulebook).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import gcd, lcm

from passline.money import show_dollars
from passline.table import commands as cmd
from passline.table.state import Table
from passline.talk.says import money_words
from passline.talk.utterance import Heard, UnplayableError, offer_choices, unplayable

_GROUP = re.compile(r"(across|inside|outside|iron-cross)(-box)?(?:-no-(\d+|point)|-(with)-point)?")
#: What the floor calls a wager that is placed to win.
PLACE = "place-win"
_MORE = tuple(f"{PLACE}-{number}" for number in (2, 3, 11, 12))
#: Groups that may take in the 2, 3, 11 and 12 where those can be placed.
_MAY_GO_FURTHER = ("across", "outside")


def is_group(word: str) -> bool:
    """Whether a word is a group's name, with or without a number left out."""
    return _GROUP.fullmatch(word) is not None


def units_of(table: Table, word: str) -> tuple[dict[str, int], str]:
    """The wagers of a group with their dollars a unit, and the clause that says so.

    Where nothing is said of the point, it is left out as the book has it.
    """
    found = _GROUP.fullmatch(word)
    assert found is not None
    name, left_out, kept = found[1], found[3], found[4]
    group = table.house.book.groups[name]
    units = dict(group.unit.value)
    if left_out:
        units.pop(str(table.puck) if left_out == "point" else left_out, None)
    elif not kept and group.leaves_out_point.value:
        units.pop(str(table.puck), None)
    names = {f"{PLACE}-{n}" if n.isdigit() else n: unit for n, unit in units.items()}
    return {table.layout.slug(name): unit for name, unit in names.items()}, group.unit.cite


def _leaves_out_point(table: Table, name: str) -> bool:
    return table.house.book.groups[name].leaves_out_point.value


def unit_on(table: Table, number: int) -> int:
    """What a unit on a place number is, in cents: the group's, or the posted odds' stake."""
    slug = table.layout.slug(f"{PLACE}-{number}")
    spot = table.layout.spots.get(slug)
    across = units_of(table, "across-with-point")[0]
    return across.get(slug, spot.odds.stake if spot else 5) * 100


def bet_group(heard: Heard, word: str, cents: int, share: str) -> list[cmd.AnyCommand]:
    """A group for one sum (``share`` empty or ``total``), or for so much each."""
    _ask_how_far(heard, word, cents, share)
    if share == "each":
        units, cite = units_of(heard.table, word)
        unit = 500 * _fewest(heard.table, units)
        if cents % unit:
            raise unplayable("group-units", cite, group=_words(word), unit=unit)
        return _in_units(heard, units, cents // 500)
    readings = _readings(heard.table, word)
    for reading in readings:
        units, _ = units_of(heard.table, reading)
        if not cents % least_sum(heard.table, reading):
            return _in_units(heard, units, cents // (sum(units.values()) * 100))
    raise _nearest(heard, readings, cents)


def least_sum(table: Table, word: str) -> int:
    """The least sum that a group takes, in cents: a unit, or as many as make whole chips."""
    units, _ = units_of(table, word)
    return sum(units.values()) * 100 * _fewest(table, units)


def _fewest(table: Table, units: dict[str, int]) -> int:
    """How many units make whole chips on every wager of a group."""
    chip = table.house.chip
    return lcm(*(chip // gcd(chip, unit * 100) for unit in units.values()))


def _in_units(heard: Heard, units: dict[str, int], count: int) -> list[cmd.AnyCommand]:
    return [heard.bet(slug, unit * 100 * count) for slug, unit in units.items()]


def _readings(table: Table, word: str) -> list[str]:
    """A group as it was said; with a point on that it could hold, without it and with it."""
    found = _GROUP.fullmatch(word)
    assert found is not None
    base = f"{found[1]}{found[2] or ''}"
    if word != base or units_of(table, f"{base}-no-point") == units_of(table, f"{base}-with-point"):
        return [word]
    both = [f"{base}-no-point", f"{base}-with-point"]
    return both if _leaves_out_point(table, found[1]) else both[::-1]


def _nearest(heard: Heard, readings: list[str], cents: int) -> UnplayableError:
    """No reading divides: the nearest sum of each is offered, or of one alone those around it."""
    near: list[tuple[str, int]] = []
    cite = ""
    for reading in readings:
        cite = units_of(heard.table, reading)[1]
        unit = least_sum(heard.table, reading)
        low = max(cents // unit, 1) * unit
        around = [low, low + unit]
        if len(readings) > 1:
            around = [min(around, key=lambda one: abs(one - cents))]
        near += [(reading, one) for one in around]
    ways = [f"{_words(reading)} for {money_words(one)}" for reading, one in near]
    name = _words(_named(readings[0]))
    return offer_choices("group-sum", ways, cite, amount=cents, group=name)


def _named(word: str) -> str:
    """A group's own name, with nothing said of the point."""
    return word.removesuffix("-no-point").removesuffix("-with-point")


def _words(word: str) -> str:
    """A group as it is said: ``across-box-no-point`` is across the box numbers, no point."""
    found = _GROUP.fullmatch(word.removesuffix("-with-point"))
    if found is None:
        return word
    box = " the box numbers" if found[2] else ""
    without = f" no {found[3]}" if found[3] else ""
    without = " without the point" if found[3] == "point" else without
    kept = " with the point" if word.endswith("-with-point") else ""
    return f"{found[1].replace('-', ' ')}{box}{without}{kept}"


def _ask_how_far(heard: Heard, word: str, cents: int, share: str) -> None:
    """At a crapless table across and outside may take in the 2, 3, 11 and 12: that is asked.

    No book says so, and what a unit on those would be is nobody's rule: they are named by
    themselves.
    """
    found = _GROUP.fullmatch(word)
    assert found is not None
    name, box = found[1], found[2]
    further = any(heard.spot(name) for name in _MORE)
    if box or not further or name not in _MAY_GO_FURTHER:
        return
    if heard.table.house.book.groups[name].unit.clauses:
        return  # the book itself says which numbers these are
    said = _words(word.replace(name, f"{name}-box", 1))
    ways = [f"{said} for {money_words(cents)} {share}".strip()]
    raise offer_choices("group-how-far", ways, group=name)


def name_group(table: Table, bets: Sequence[cmd.AnyCommand]) -> str:
    """The group that plain bets made together are, as a dealer repeats it; empty if they are none.

    With a point on that the group could hold, the repeat says whether it is among them.
    """
    made = [bet for bet in bets if isinstance(bet, cmd.Bet)]
    if not all(bet == cmd.Bet(bet.player, bet.wager, bet.amount) for bet in made):
        return ""  # tendered in a way of its own
    sums = {bet.wager: bet.amount for bet in made}
    if len(made) != len(bets) or len(made) < 3:
        return ""
    further = any(table.layout.spot(name) for name in _MORE)
    for name in table.house.book.groups:
        base = f"{name}-box" if further and name in _MAY_GO_FURTHER else name
        for reading in _readings(table, base):
            units, _ = units_of(table, reading)
            unit = sum(sums.values()) // sum(units.values())
            if sums == {slug: dollars * unit for slug, dollars in units.items()}:
                return f"{show_dollars(sum(sums.values()))} {_words(reading)}"
    return ""
