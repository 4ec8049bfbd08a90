"""The ON and OFF buttons: on which wagers they lie, and how they move.

Under Iowa's rules (place/one-button, stick.13#2) one button on the wager nearest the box covers all
of a player's wagers of a kind. Elsewhere every wager that was called on or off has its own button.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from passline.crew.props_and_dice import has_one_button
from passline.game.table import table_ends
from passline.game.table.state import Table


class Button(NamedTuple):
    """A button that says ON (`on` is True) or OFF.

    With `all`, it covers all of the player's wagers of its kind, such as all hardways.
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

    The group is "numbers" for bets on the numbers, "hardways", or else the wager itself.
    """
    rule = table.layout.spots[wager].rule
    if rule.is_hardway:
        return "hardways"
    return "numbers" if rule.is_race and not rule.wins_on_seven else wager


def find_buttons(table: Table, player: str) -> ButtonsByWager:
    """Return the ON and OFF buttons on a player's wagers, by wager."""
    up = table.seat(player).wagers
    found: ButtonsByWager = {slug: Button(s.call) for slug, s in up.items() if s.call is not None}
    if not found or not has_one_button(table.house.book.id):
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
    """Yield how a player's buttons change between the tables `before` and `after`.

    Buttons taken off come first. A wager that is no longer up is left out: its button goes with it.
    """
    was, now = find_buttons(before, player), find_buttons(after, player)
    up = after.seat(player).wagers
    for wager in was:
        if wager in up and wager not in now:
            yield ButtonMove(wager, None)
    for wager, button in now.items():
        if was.get(wager) != button:
            yield ButtonMove(wager, button)
