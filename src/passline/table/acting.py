"""Who does a thing where nobody is named: whoever the book gives it to."""

from __future__ import annotations

from passline.table import posts
from passline.table.custody import automated
from passline.table.inspection import inspectors
from passline.table.state import Table


def caller_of(table: Table, ground: str) -> str:
    """Who calls a no roll on a ground: the house's own choice, or the first whom the book names."""
    rules, house = table.house.book.throw, table.house
    own = next((g.by.get(house.game) for g in rules.grounds if g.name == ground), None)
    if own:
        return own[0]
    if house.game in rules.designate and house.no_roll_by:
        return house.no_roll_by[0]
    callers = rules.callers.get(house.game)
    return callers.value[0] if callers is not None else "stickperson"


def inspector_of(table: Table) -> str:
    """Who looks the dice over, or cancels them: the first whom the book names."""
    if automated(table):
        return "supervisor"  # there are none to look over, and whoever asks is told so
    return next(iter(inspectors(table)[0]), posts.bank(table.house).who)
