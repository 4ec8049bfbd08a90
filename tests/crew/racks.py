"""Layouts of houses with their own chip colors."""

from __future__ import annotations

from functools import cache

from passline.game.house.house import make_house
from passline.game.law.load import rulebook
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout
from passline.game.money.chips import Chips, Rack


@cache
def felt_with(*chips: str, book: str = "dealer-school") -> Layout:
    """Return the school's layout with these chip values by color: `green=20`."""
    given = {f"chips.{colour}": int(value) for colour, value in (c.split("=") for c in chips)}
    return compile_layout(make_house(rulebook(book), given=given))


def in_color(rack: Rack, cents: int, colour: str) -> Chips:
    """Return an amount in chips of one color and smaller ones, which may not be the fewest
    chips.
    """
    largest = rack.chip(colour)
    assert largest is not None
    small = Rack(tuple(chip for chip in rack.chips if chip.value <= largest.value))
    return small.divide(cents)[0]
