"""Tables for tests of the felt, with any wagers up, lawful or not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from passline.felt.geometry import Rectangle
from passline.felt.layout_contents import ChipStack, LayoutContents, find_layout_contents
from passline.felt.plan import FeltPlan, plan_felt
from passline.game.house.house import House
from passline.game.house.load import house_for
from passline.game.layout.stakes import Stake
from passline.game.table.open_close import open_table
from passline.game.table.state import Table
from passline.game.table.table_ends import count_places

NAMES = tuple(f"p{place}" for place in range(1, 25))
#: Every side bet of the catalog, and the fire and bonus bets.
SIDE_BETS = [
    "fire",
    "bonus",
    "muggsys-corner",
    "hot-hand",
    "different-doubles",
    "repeater",
    "sharp-shooter",
    "hot-shooter",
    "points-in-a-row",
    "ride-the-line",
    "twice-hard",
]
#: Every felt that differs from the others: rulebook, game, elections.
FELTS: dict[str, tuple[str, str | None, tuple[tuple[str, str], ...]]] = {
    "section-2": ("section-2", None, ()),
    "new-jersey": ("new-jersey", None, (("offers.fire", "A"), ("offers.six-seven-eight", "true"))),
    "mini-craps": ("new-jersey", "mini-craps", ()),
    "automated": ("new-jersey", "automated-craps", ()),
    "crapless": ("maryland-crapless", None, (("offers.fire", "A"), ("offers.bonus", "A"))),
    "iowa": ("iowa", None, ()),
    "school": ("dealer-school", None, ()),
    "sides": ("las-vegas", None, tuple((f"offers.{name}", "A") for name in SIDE_BETS)),
}


def house(name: str) -> House:
    """Return the house of a felt by its name in these tests."""
    book, game, options = FELTS[name]
    return house_for(book, game, options)


def table(name: str, players: int = 16, **more: Any) -> Table:
    """Return a table with that many players, and further fields as given."""
    return replace(open_table(house(name), NAMES[:players]), **more)


def plan(name: str, players: int = 16) -> FeltPlan:
    """Return the plan of such a table."""
    there = table(name, players)
    return plan_felt(there.layout, count_places(there))


def with_up(there: Table, wagers: Mapping[str, int], places: Iterable[int] = ()) -> Table:
    """Return the table with these wagers up (in cents) for the players at these places, or for
    all.
    """
    stakes = {slug: Stake(amount, amount) for slug, amount in wagers.items()}
    chosen = set(places) or {seat.place for seat in there.seats}
    seats = [replace(s, wagers=stakes if s.place in chosen else s.wagers) for s in there.seats]
    return replace(there, playing=tuple(seats))


def lying(
    name: str, *slugs: str, players: int = 16, amount: int = 1000, **more: Any
) -> LayoutContents:
    """Return what is on the felt when everybody has these wagers up."""
    return find_layout_contents(with_up(table(name, players, **more), dict.fromkeys(slugs, amount)))


def stacks(contents: LayoutContents, slug: str) -> dict[str, ChipStack]:
    """Return the stacks of one wager by player."""
    return {stack.player: stack for stack in contents.stacks if stack.slug == slug}


def overlap(one: Rectangle, two: Rectangle) -> bool:
    """Return whether two rectangles share more than an edge."""
    return (
        one.left < two.right - 0.01
        and two.left < one.right - 0.01
        and one.top < two.bottom - 0.01
        and two.top < one.bottom - 0.01
    )


#: A short game that leaves bets of several kinds up.
GAME = """rulebook: iowa
player: ann 500
player: bob 500
ann: pass for 10
bob: dont-pass for 10
roll 4 4
ann: come for 10; place 6 for 12
bob: dont-come for 10
roll 5 4
ann: come odds on the 9 for 20
"""
