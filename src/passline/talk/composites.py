"""Composites that a book books as their parts: a whirl as a horn and any seven.

``whirl for 5`` puts chips on the parts, and nothing is up as a whirl; so ``whirl down`` takes the
parts down, as far as they make a whirl.
"""

from __future__ import annotations

from passline.table import commands as cmd
from passline.table.betting import booked_as
from passline.table.state import Table


def part_out(table: Table, command: cmd.AnyCommand) -> list[cmd.AnyCommand]:
    """The taking down of a composite, as commands for the parts that it was booked as.

    Every other command stays as it is, and so does one where no such wager can be up.
    """
    if not isinstance(command, cmd.TakeDown):
        return [command]
    wagers = table.seat(command.player).wagers
    spot = table.layout.spots.get(command.wager)
    if spot is None or command.wager in wagers:
        return [command]
    parts = booked_as(table.layout, spot, spot.units)
    up = min((wagers[s].amount // n if s in wagers else 0 for s, n in parts.items()), default=0)
    up -= up % table.house.chip
    if not up:
        return [command]
    found: list[cmd.AnyCommand] = []
    for slug, count in parts.items():
        left = wagers[slug].amount - count * up
        down = cmd.TakeDown(command.player, slug)
        found.append(cmd.Change(command.player, slug, left) if left else down)
    return found
