"""Change the limits during a game. New limits apply to later wagers; wagers that are up stay up."""

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
    """Return (key of the minimum, key of the maximum) in a house's elections.

    The limits are the table's own if ``wager`` is empty, else that wager's.
    """
    if not wager:
        return "limits.min", "limits.max"
    return f"limits.min_by_wager.{wager}", f"limits.max_by_wager.{wager}"


def set_limits(table: Table, command: cmd.SetLimits) -> Answer:
    """Return the event that sets new limits for the table or one wager, or a refusal.

    They must be within what the book lets a house elect.
    """
    house = table.house
    if command.wager and command.wager not in table.layout.spots:
        return refuse("not-a-wager", house.book.unlisted, wager=command.wager, book=house.book.id)
    if table.dice.out:
        return refuse("limits-wait", _LIMITS_CITE)
    if command.low > command.high:
        return refuse("limits-crossed", _LIMITS_CITE, low=command.low, high=command.high)
    elected = dict(zip(_election_keys(command.wager), (command.low, command.high), strict=True))
    elections = {**house.elections, **elected}
    before = {found.key for found in lint(house.book, house.game, house.elections)}
    for found in lint(house.book, house.game, elections):
        if found.key not in before:
            return refuse("limits-barred", found.cite, [found.allowed], key=found.key)
    return (ev.LimitsSet(command.wager, command.low, command.high, cite=_LIMITS_CITE),)


def apply_limits(table: Table, event: ev.LimitsSet) -> Table:
    """Return the table with the layout compiled for the new limits. No chip moves."""
    house = table.house
    elected = dict(zip(_election_keys(event.wager), (event.low, event.high), strict=True))
    changed = resolve_house(house.book, house.game, {**house.elections, **elected}, house.name)
    return replace(table, layout=compile_layout(changed))
