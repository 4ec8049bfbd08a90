"""Where the crew puts things: propositions, unused dice, and the ON and OFF buttons.

Under Iowa's rules (place/one-button, stick.13#2) one button on the wager nearest the box covers all
of a player's wagers of a kind. Elsewhere every wager that was called has its own button.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from passline.crew import post_names
from passline.game.law.book_parts import load_part
from passline.game.layout.spots import Spot
from passline.game.table import table_ends
from passline.game.table.state import Table


class _PlacementData(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"holder": "in"}
):
    """A place in words and its clause. ``in`` is the container there, such as a bowl, if any."""

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
    """Return the totals that the dice may not show when they are sent out, if any."""
    sent = _load_placements(table.house.book.id).sent
    return sent.never if sent is not None else ()


class Button(NamedTuple):
    """A button that says ON (`on` is True) or OFF.

    With `all`, it covers all of the player's wagers of its kind.
    """

    on: bool
    all: bool = False


#: Buttons by wager.
ButtonsByWager = dict[str, Button]


class ButtonMove(NamedTuple):
    """A button put on a wager, or taken off it if `button` is None."""

    wager: str
    button: Button | None


def find_button_kind(table: Table, wager: str) -> str:
    """Return the name of the group of wagers that one ON or OFF button may cover.

    It is "numbers" for bets on the numbers, "hardways", or else the wager itself.
    """
    rule = table.layout.spots[wager].rule
    if rule.is_hardway:
        return "hardways"
    return "numbers" if rule.is_race and not rule.wins_on_seven else wager


def find_buttons(table: Table, player: str) -> ButtonsByWager:
    """Return the ON and OFF buttons on a player's wagers, by wager."""
    up = table.seat(player).wagers
    found: ButtonsByWager = {slug: Button(s.call) for slug, s in up.items() if s.call is not None}
    if not found or _load_placements(table.house.book.id).one_button is None:
        return found
    end = table_ends.find_end(table, player)
    for kind in dict.fromkeys(find_button_kind(table, slug) for slug in found):
        own = [slug for slug in up if find_button_kind(table, slug) == kind]
        if len(own) > 1 and len({up[slug].call for slug in own}) == 1:
            own.sort(
                key=lambda slug: table_ends.center_out_key(end, table.layout.spots[slug].number)
            )
            button = found[own[0]]
            found = {slug: other for slug, other in found.items() if slug not in own}
            found[own[0]] = Button(button.on, all=True)
    return {slug: found[slug] for slug in up if slug in found}


def list_button_moves(before: Table, after: Table, player: str) -> Iterator[ButtonMove]:
    """Yield how a player's buttons change between two tables: those taken off come first."""
    was, now = find_buttons(before, player), find_buttons(after, player)
    up = after.seat(player).wagers
    for wager in was:
        if wager in up and wager not in now:
            yield ButtonMove(wager, None)
    for wager, button in now.items():
        if was.get(wager) != button:
            yield ButtonMove(wager, button)
