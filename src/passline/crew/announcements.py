"""What the stick announces beside the call: before a come-out, as the dice go out, on a no roll.

Which lines there are, and under which rulebook each is said, is data (``announcements.toml``). What
must hold for a line is read from the table: whether hardways work, who shoots, where the puck is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

import msgspec

from passline.crew import ends
from passline.crew.facts import place_of
from passline.crew.styles import phrase_text, style_for
from passline.law.wagers import Hardway
from passline.layout import Refusal
from passline.table import Table
from passline.table.custody import automated, thrower
from passline.table.events import NoRoll
from passline.table.state import NOBODY

AnnouncedAt = Literal[
    "coming-out", "from-the-dont", "dice-out", "point-set", "no-roll", "call-it", "colour-in"
]
Condition = Literal[
    "new-shooter",
    "same-shooter",
    "same-direction",
    "different-direction",
    "from-the-dont",
    "hardways-off",
    "hardways-on",
    "come-out",
    "point-on",
    "down",
    "down-outside",
    "down-inside",
    "down-both",
]

#: A die off the table, by where it fell, as far as that was told.
_DOWN: dict[str, Condition] = {
    "": "down",
    "outside": "down-outside",
    "inside": "down-inside",
    "both": "down-both",
}
#: Moments that have the puck on, or off.
_PUCK: dict[AnnouncedAt, bool] = {"coming-out": False, "point-set": True}


class Announcement(NamedTuple):
    """A line that the stick says, and the clause that asks for it."""

    words: str
    cite: str


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"words": "is"}):
    moment: AnnouncedAt
    words: str
    when: tuple[Condition, ...] = ()
    #: Wagers that ``{bets}`` invites, each under its name, where the house deals them.
    bets: tuple[tuple[str, str], ...] = ()
    cite: dict[str, tuple[str, ...]] = {}
    custom: str = ""
    #: The event's own clause is the one to name.
    by_event: bool = False

    def source(self, book_id: str) -> str:
        """The clause that asks for it under a rulebook, or the custom; empty: it is not said."""
        if book_id in self.cite:
            return self.cite[book_id][0]
        return f"custom: {self.custom}" if self.custom else ""


class _Lines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    line: tuple[_Line, ...]


@cache
def _lines() -> tuple[_Line, ...]:
    return msgspec.toml.decode(phrase_text("announcements.toml"), type=_Lines).line


def announcements(
    table: Table,
    moment: AnnouncedAt,
    *,
    happened: NoRoll | None = None,
    after: str = "",
) -> tuple[Announcement, ...]:
    """What is announced at a moment, with the table as it stands then.

    ``happened`` is the no roll that is called; ``after`` names the shooter before this one, once
    the dice have been taken. A machine announces nothing.
    """
    if moment in _PUCK and bool(table.puck) != _PUCK[moment]:
        raise ValueError(f"nothing is announced as {moment} with the puck at {table.puck}")
    if automated(table):
        return ()
    holds = frozenset(_conditions(table, happened, after))
    found = []
    for line in _lines():
        source = line.source(table.house.book.id)
        if line.moment != moment or not source or not holds.issuperset(line.when):
            continue
        cite = happened.cite if line.by_event and happened is not None else source
        words = _filled(table, line)
        if words:
            found.append(Announcement(words, cite))
    return tuple(found)


def announce(
    table: Table,
    moment: AnnouncedAt,
    *,
    happened: NoRoll | None = None,
    after: str = "",
) -> str:
    """The same in one breath."""
    lines = announcements(table, moment, happened=happened, after=after)
    return ", ".join(line.words for line in lines)


def _filled(table: Table, line: _Line) -> str:
    """A line's words; empty where it invites wagers and the house deals none of them."""
    dealt = {spot.kind for spot in table.layout.spots.values()}
    bets = [name for kind, name in line.bets if kind in dealt]
    if line.bets and not bets:
        return ""
    names = style_for(table.house.book.id).numbers.value
    point = names[str(table.puck)] if table.puck else ""
    return line.words.format(bets=", ".join(bets), point=point)


def _conditions(table: Table, happened: NoRoll | None, after: str) -> Iterator[Condition]:
    yield "point-on" if table.puck else "come-out"
    yield from _hardways(table)
    yield from _shooter(table, after)
    if happened is not None and happened.off_table:
        yield _DOWN[happened.side]


def _hardways(table: Table) -> Iterator[Condition]:
    """Whether the house's hardways see a come-out roll when nobody has said anything."""
    works = {spot.works for spot in table.layout.spots.values() if isinstance(spot.rule, Hardway)}
    if works == {True}:
        yield "hardways-on"
    elif works == {False}:
        yield "hardways-off"


def _shooter(table: Table, after: str) -> Iterator[Condition]:
    """Who throws next, compared with who threw before: the same, or somebody at which end."""
    shooter = table.shooter
    if shooter == NOBODY:
        who = thrower(table)
        if isinstance(who, Refusal):
            return
        shooter = who.id
        if table.last_shooter != NOBODY:
            after = table.seat(table.last_shooter).name
    name = table.seat(shooter).name
    # Whoever has thrown nothing in this turn is a new shooter, also one who is alone at the table
    # and has just sevened out.
    new = table.fresh
    yield "new-shooter" if new else "same-shooter"
    if new and after and after != name:
        alike = ends.end_of(table, name) == ends.end_of(table, after)
        yield "same-direction" if alike else "different-direction"
    sides = {place_of(table.layout, table.layout.spots[w]) for w in table.seat(shooter).wagers}
    if "donts" in sides and "line" not in sides:
        yield "from-the-dont"
