"""Where things are put on the layout, and how the dice go out: ``placing.toml``.

On and off buttons: which lie where, and what the crew does when wagers are called.

Where one button stands for all of a player's wagers of a kind (Iowa's place/one-button and
stick.13#2) it lies on the one nearest the box; otherwise every wager that was called has its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from passline.crew import ends
from passline.game.law.book_parts import load_part
from passline.game.law.shapes.hardway import Hardway
from passline.game.law.shapes.race import Race
from passline.game.layout.spots import Spot
from passline.game.table.state import Table

#: Any other wager.
ANY_OTHER = "*"


class _PlacementData(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"holder": "in"}
):
    """A place, and the clause that has it so; ``in`` is what holds things there."""

    where: str
    holder: str = ""
    cite: str = ""
    also: tuple[str, ...] = ()


class _SentDice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The totals that dice never show as they go out; else they show the one that fell."""

    never: tuple[int, ...]
    cite: str


class _OneButton(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One button stands for all of a player's wagers of a kind, if all are on or all off."""

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
    """A place in words, the clause, and what holds things there."""

    where: str
    cite: str
    holder: str = ""


def _load_placements(book: str) -> _PlacementFile:
    return load_part(book, "crew/placement", _PlacementFile)


def find_prop_placement(table: Table, spot: Spot, player: str) -> Placement:
    """Return where the stick sets a proposition up for a player."""
    places = _load_placements(table.house.book.id).prop
    kind = "hardway" if isinstance(spot.rule, Hardway) else spot.kind
    put = places.get(kind, places[ANY_OTHER])
    return Placement(put.where.format(player=player, number=spot.number), put.cite)


def find_unused_dice(table: Table) -> Placement:
    """Return what holds the dice that are not in play, and where it stands."""
    put = _load_placements(table.house.book.id).unused
    cite = put.cite or "custom: unused dice are kept by whoever has the stick"
    return Placement(put.where.format(stick=ends.name_stickperson(table)), cite, put.holder)


def find_dice_holder(book: str) -> str:
    """Return what holds the dice that are not in play under a rulebook: a bowl or a cup."""
    return _load_placements(book).unused.holder


def uses_one_button(table: Table) -> bool:
    """Return whether one button stands for all of a player's wagers of a kind."""
    return _load_placements(table.house.book.id).one_button is not None


def find_avoided_totals(table: Table) -> tuple[int, ...]:
    """Return the totals that dice never show as they go out; empty where there is no such rule."""
    sent = _load_placements(table.house.book.id).sent
    return sent.never if sent is not None else ()


class Button(NamedTuple):
    """A button: what it says; ``all``: it stands for every wager of its kind of that player."""

    on: bool
    all: bool = False


#: Buttons by the wager that they lie on.
ButtonsByWager = dict[str, Button]


class ButtonMove(NamedTuple):
    """One button put on a wager, or (None) taken off it."""

    wager: str
    button: Button | None


def find_button_kind(table: Table, wager: str) -> str:
    """What one button may stand for: bets on the numbers together, hardways together."""
    rule = table.layout.spots[wager].rule
    if isinstance(rule, Hardway):
        return "hardways"
    return "numbers" if isinstance(rule, Race) and rule.wins.value == "number" else wager


def find_buttons(table: Table, player: str) -> ButtonsByWager:
    """The buttons that lie on a player's wagers."""
    up = table.seat(player).wagers
    found: ButtonsByWager = {slug: Button(s.call) for slug, s in up.items() if s.call is not None}
    if not uses_one_button(table):
        return found
    end = ends.find_end(table, player)
    for kind in dict.fromkeys(find_button_kind(table, slug) for slug in found):
        own = [slug for slug in up if find_button_kind(table, slug) == kind]
        if len(own) > 1 and len({up[slug].call for slug in own}) == 1:
            own.sort(key=lambda slug: ends.center_out_key(end, table.layout.spots[slug].number))
            said = found[own[0]]
            found = {slug: button for slug, button in found.items() if slug not in own}
            found[own[0]] = Button(said.on, all=True)
    return {slug: found[slug] for slug in up if slug in found}


def list_button_moves(before: Table, after: Table, player: str) -> Iterator[ButtonMove]:
    """What the crew does to a player's buttons between two tables: off first, then on."""
    was, now = find_buttons(before, player), find_buttons(after, player)
    up = after.seat(player).wagers
    for wager in was:
        if wager in up and wager not in now:
            yield ButtonMove(wager, None)
    for wager, button in now.items():
        if was.get(wager) != button:
            yield ButtonMove(wager, button)
