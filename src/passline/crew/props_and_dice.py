"""Where the stickperson puts propositions and unused dice, by the rulebook.

``crew/placement.toml`` has the positions. It also says whether one ON or OFF button covers all of a
player's wagers of a kind (see ``on_off_buttons``), and which totals dice sent out may not show.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from passline.crew import post_names
from passline.game.law.book_parts import load_part
from passline.game.layout.spots import Spot
from passline.game.table.state import Table


class _PlacementData(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"holder": "in"}
):
    """A position in words and its clause. ``in`` is the container there, such as a bowl, if any."""

    where: str
    holder: str = ""
    cite: str = ""
    also: tuple[str, ...] = ()


class _SentDice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The totals that the dice may not show when they are sent to the shooter.

    If there are none, they show the last roll.
    """

    never: tuple[int, ...]
    cite: str


class _OneButton(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule that one button covers a player's wagers of a kind if all are on or all off."""

    cite: str
    also: tuple[str, ...] = ()


class _PlacementFile(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"one_button": "one-button"}
):
    prop: dict[str, _PlacementData]
    unused: _PlacementData
    one_button: _OneButton | None = None
    sent: _SentDice | None = None


class Placement(NamedTuple):
    """Where the crew puts something: the place in words, and the clause that says so.

    ``holder`` is the container for it, such as a bowl for unused dice; "" if there is none.
    """

    where: str
    cite: str
    holder: str = ""


def _load_placements(book: str) -> _PlacementFile:
    return load_part(book, "crew/placement", _PlacementFile)


def find_prop_placement(table: Table, spot: Spot, player: str) -> Placement:
    """Return the position in the center at which the stick puts a player's proposition."""
    places = _load_placements(table.house.book.id).prop
    kind = "hardway" if spot.rule.is_hardway else spot.kind
    placement = places.get(kind, places["*"])  # The star stands for any other wager.
    return Placement(placement.where.format(player=player, number=spot.number), placement.cite)


def find_unused_dice(table: Table) -> Placement:
    """Return the position and the container (`holder`) of the dice that are not in play."""
    placement = _load_placements(table.house.book.id).unused
    where = placement.where.format(stick=post_names.name_stickperson(table))
    cite = placement.cite or "custom: the stick keeps the unused dice"
    return Placement(where, cite, placement.holder)


def find_dice_holder(book: str) -> str:
    """Return the container of unused dice under a rulebook, such as a bowl or a cup."""
    return _load_placements(book).unused.holder


def find_avoided_totals(table: Table) -> tuple[int, ...]:
    """Return the totals that the dice may not show when they are sent to the shooter, if any."""
    sent = _load_placements(table.house.book.id).sent
    return sent.never if sent is not None else ()


def has_one_button(book: str) -> bool:
    """Return whether one ON or OFF button covers a player's wagers of a kind, by a rulebook."""
    return _load_placements(book).one_button is not None
