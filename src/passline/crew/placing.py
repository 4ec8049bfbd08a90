"""Where things are put on the layout, and how the dice go out: ``placing.toml``."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import NamedTuple

import msgspec

from passline.crew import ends
from passline.law.wagers import Hardway
from passline.layout import Spot
from passline.table import Table

#: Any other wager, any other book.
OTHER = "*"


class _Put(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"holder": "in"}):
    """A place, by the clause of each rulebook that has it so; ``in``: what holds it there."""

    where: str
    holder: str = ""
    cite: dict[str, str] = {}
    also: dict[str, tuple[str, ...]] = {}


class _Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Totals that dice never show as they go out; else they show the one that fell."""

    never: tuple[int, ...]
    cite: dict[str, str]


class _Convention(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that only the books named here do."""

    cite: dict[str, str]
    also: dict[str, tuple[str, ...]] = {}


class _Placing(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"one_button": "one-button"}
):
    prop: dict[str, _Put]
    unused: dict[str, _Put]
    one_button: _Convention
    sent: dict[str, _Sent]


class Put(NamedTuple):
    """A place in words, and the clause; what holds things there."""

    where: str
    cite: str
    holder: str = ""


@cache
def _placing() -> _Placing:
    text = resources.files("passline.crew").joinpath("placing.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=_Placing)


def prop_place(table: Table, spot: Spot, player: str) -> Put:
    """Where the stick sets a proposition up, for a player."""
    places = _placing().prop
    kind = "hardway" if isinstance(spot.rule, Hardway) else spot.kind
    put = places.get(kind, places[OTHER])
    where = put.where.format(player=player, number=spot.number)
    return Put(where, put.cite.get(table.house.book.id, ""))


def unused_dice(table: Table) -> Put:
    """What holds the dice that are not in play, and where it stands."""
    places, book = _placing().unused, table.house.book.id
    put = places.get(book, places[OTHER])
    cite = put.cite.get(book, "custom: unused dice are kept by whoever has the stick")
    return Put(put.where.format(stick=ends.stick(table)), cite, put.holder)


def unused_in(book: str) -> str:
    """What holds the dice that are not in play under a rulebook: a bowl or a cup."""
    places = _placing().unused
    return places.get(book, places[OTHER]).holder


def one_button(table: Table) -> bool:
    """Whether one button stands for all of a player's wagers of a kind."""
    return table.house.book.id in _placing().one_button.cite


def never_shown(table: Table) -> tuple[int, ...]:
    """Totals that the dice never show as they go out, where they else show the one that fell."""
    sent = _placing().sent.get(table.house.book.id)
    return sent.never if sent is not None else ()
