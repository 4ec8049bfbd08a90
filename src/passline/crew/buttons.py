"""On and off buttons: which lie where, and what the crew does when wagers are called.

Where one button stands for all of a player's wagers of a kind (Iowa's place/one-button and
stick.13#2) it lies on the one nearest the box; otherwise every wager that was called has its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from passline.crew import ends
from passline.crew.placing import one_button
from passline.law.wagers import Hardway, Race
from passline.table import Table


class Button(NamedTuple):
    """A button: what it says; ``all``: it stands for every wager of its kind of that player."""

    on: bool
    all: bool = False


#: Buttons by the wager that they lie on.
Buttons = dict[str, Button]


class Moved(NamedTuple):
    """One button put on a wager, or (None) taken off it."""

    wager: str
    button: Button | None


def button_kind(table: Table, wager: str) -> str:
    """What one button may stand for: bets on the numbers together, hardways together."""
    rule = table.layout.spots[wager].rule
    if isinstance(rule, Hardway):
        return "hardways"
    return "numbers" if isinstance(rule, Race) and rule.wins.value == "number" else wager


def buttons_of(table: Table, player: str) -> Buttons:
    """The buttons that lie on a player's wagers."""
    up = table.seat(player).wagers
    found: Buttons = {slug: Button(s.call) for slug, s in up.items() if s.call is not None}
    if not one_button(table):
        return found
    end = ends.end_of(table, player)
    for kind in dict.fromkeys(button_kind(table, slug) for slug in found):
        own = [slug for slug in up if button_kind(table, slug) == kind]
        if len(own) > 1 and len({up[slug].call for slug in own}) == 1:
            own.sort(key=lambda slug: ends.inside_first(end, table.layout.spots[slug].number))
            said = found[own[0]]
            found = {slug: button for slug, button in found.items() if slug not in own}
            found[own[0]] = Button(said.on, all=True)
    return {slug: found[slug] for slug in up if slug in found}


def buttons_moved(before: Table, after: Table, player: str) -> Iterator[Moved]:
    """What the crew does to a player's buttons between two tables: off first, then on."""
    was, now = buttons_of(before, player), buttons_of(after, player)
    up = after.seat(player).wagers
    for wager in was:
        if wager in up and wager not in now:
            yield Moved(wager, None)
    for wager, button in now.items():
        if was.get(wager) != button:
            yield Moved(wager, button)
