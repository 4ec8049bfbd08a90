"""Lint of the rack: colours that can be told apart, and chips that make every amount."""

from __future__ import annotations

from collections.abc import Iterator

from passline.house.finding import Finding, finding
from passline.house.house import House
from passline.house.keys import CHIPS
from passline.money import show_dollars
from passline.money.chips import standard_values

_OWN = "custom: a colour stands for one value, and a value has one colour"
_WHOLE = "custom: every chip is a multiple of the smallest"
_SMALLEST = "custom: what a table pays in its smallest chip, it must have that chip for"


def check_rack(house: House) -> Iterator[Finding]:
    """Every colour elected: a value of its own, in whole smallest chips; and a smallest chip."""
    elected = [key for key in house.elections if key.startswith(CHIPS)]
    wrong = {found.key: found for key in elected for found in _check_colour(house, key)}
    yield from wrong.values()
    if any(chip.value == house.chip for chip in house.rack.chips):
        return
    # The standard rack has the smallest chip: only electing that colour takes it away.
    standard = standard_values(house.chip)
    key = next(CHIPS + colour for colour, cents in standard.items() if cents == house.chip)
    if key not in wrong:
        allowed = f"some colour at {show_dollars(house.chip)}, the smallest chip"
        yield finding(key, house.elections[key], allowed, [_SMALLEST])


def _check_colour(house: House, key: str) -> Iterator[Finding]:
    value = house.elections[key]
    if not isinstance(value, int) or value is False:
        return
    colour, least = key.removeprefix(CHIPS), show_dollars(house.chip)
    same = [c.colour for c in house.rack.chips if c.value == value and c.colour != colour]
    if value % house.chip:
        allowed = f"a multiple of {least}, the smallest chip"
        yield finding(key, value, allowed, [_WHOLE])
    elif same:
        allowed = f"a value of its own ({same[0]} is {show_dollars(value)})"
        yield finding(key, value, allowed, [_OWN])
