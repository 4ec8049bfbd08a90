"""Where a wager goes on the felt, in words: by its kind and by where its player stands."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

from passline.crew.placing import prop_place
from passline.felt.areas import FeltArea, area_of
from passline.felt.measures import EndFrame, Measures
from passline.felt.plan import plan_and_measures
from passline.felt.where import cited
from passline.layout import Layout, Spot
from passline.school.questions import own_clauses
from passline.table import Table
from passline.table.opening import PLACES
from passline.words.wagers import layout_name

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
)  # fmt: skip


@cache
def _words() -> dict[str, str]:
    text = resources.files("passline.school").joinpath("places.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=dict[str, str])


@cache
def _topics() -> dict[str, dict[str, tuple[str, ...]]]:
    text = resources.files("passline.school").joinpath("topics.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=dict[str, dict[str, tuple[str, ...]]])


def place_cites(layout: Layout, spot: Spot) -> tuple[str, ...]:
    """The clauses by which a wager lies where it does: its own, or those of every wager."""
    book = layout.house.book.id
    own = cited(area_of(layout, spot), book)
    if not own.startswith("custom: "):
        return (own,)
    return _topics()["positions"].get(book, ()) or own_clauses(spot)[:2]


def measures_of(layout: Layout, places: int = PLACES) -> Measures:
    """How a house's felt is cut for so many places."""
    return plan_and_measures(layout, places)[1]


def where_words(layout: Layout, spot: Spot, place: int, player: str = "the player") -> str:
    """Where the wager of whoever stands at a place lies.

    >>> from passline.house.files import house_for
    >>> from passline.layout import lay_felt
    >>> felt = lay_felt(house_for("iowa"))
    >>> where_words(felt, felt.spots["place-win-6"], 6)
    'on the front line of the 6, the third share from the center'
    """
    area = area_of(layout, spot)
    m = measures_of(layout)
    end = m.frame(place)
    if area in _words():
        front = not end.round_the_end(place)
        return _words()[area].format(
            n=spot.number or layout_name(spot.slug),
            line="front" if front else "back",
            share=share_words(end, place, area),
        )
    return f"in the center, on the {layout_name(spot.slug)}, {_side(end)}"


def share_words(end: EndFrame, place: int, area: FeltArea) -> str:
    """Whose share of a box: counted from the center, in front for the stick's side."""
    seat = end.seat(place)
    share = f"the {_ORDINALS[int(seat.column)]} share from the center"
    if area == "place":  # the line says which row
        return share
    if area == "hard":
        return _side(end)
    return f"{share}, {'at the front' if seat.row else 'at the back'}"


def _side(end: EndFrame) -> str:
    return f"toward the {end.name} end, in the player's position"


def set_words(table: Table, spot: Spot, player: str) -> str:
    """Where the crew sets a wager up for a player: a proposition where the manual puts it."""
    if spot.rule.area == "center":
        return f"{layout_name(spot.slug)}: {prop_place(table, spot, player).where}"
    return where_words(table.layout, spot, table.seat(player).place, player)


def set_cites(table: Table, spot: Spot, player: str) -> tuple[str, ...]:
    """The clauses that put it there."""
    area = area_of(table.layout, spot)
    found = cited(area, table.house.book.id)
    put = prop_place(table, spot, player).cite if spot.rule.area == "center" else ""
    return tuple(cite for cite in (put, found) if cite)
