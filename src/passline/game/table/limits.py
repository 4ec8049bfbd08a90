"""Limits that change in mid-game: what may be wagered from now on; what is up stands."""

from __future__ import annotations

from msgspec.structs import replace

from passline.game.house.house import resolve_house
from passline.game.house.lint import lint
from passline.game.layout.compile import compile_layout
from passline.game.layout.stakes import refuse
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.events import Answer
from passline.game.table.state import Table

_LIMITS_CITE = "custom: limits change between throws, and wagers that are up stand"


def _election_keys(wager: str) -> tuple[str, str]:
    """The elections that hold the limits of the table, or of one wager."""
    if not wager:
        return "limits.min", "limits.max"
    return f"limits.min_by_wager.{wager}", f"limits.max_by_wager.{wager}"


def set_limits(table: Table, ask: cmd.SetLimits) -> Answer:
    """The house posts other limits, as far as the book lets a house elect them."""
    house = table.house
    if ask.wager and ask.wager not in table.layout.spots:
        return refuse("not-a-wager", house.book.unlisted, wager=ask.wager, book=house.book.id)
    if table.dice.out:
        return refuse("limits-wait", _LIMITS_CITE)
    if ask.low > ask.high:
        return refuse("limits-crossed", _LIMITS_CITE, low=ask.low, high=ask.high)
    elected = dict(zip(_election_keys(ask.wager), (ask.low, ask.high), strict=True))
    elections = {**house.elections, **elected}
    before = {found.key for found in lint(house.book, house.game, house.elections)}
    for found in lint(house.book, house.game, elections):
        if found.key not in before:
            return refuse("limits-barred", found.cite, [found.allowed], key=found.key)
    return (ev.LimitsSet(wager=ask.wager, low=ask.low, high=ask.high, cite=_LIMITS_CITE),)


def apply_limits(table: Table, event: ev.LimitsSet) -> Table:
    """The same table under other limits: a felt laid anew, for wagers to come; no chip moves."""
    house = table.house
    elected = dict(zip(_election_keys(event.wager), (event.low, event.high), strict=True))
    changed = resolve_house(house.book, house.game, {**house.elections, **elected}, house.name)
    return replace(table, layout=compile_layout(changed))
