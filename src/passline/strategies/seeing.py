"""What a strategy is shown at a table where others play too: one player's view of it."""

from __future__ import annotations

from collections.abc import Hashable

from passline.machines import Seen, View
from passline.machines.view import dollars_of
from passline.table import Table
from passline.table.events import Rolled


def view_at(table: Table, player: str, last: Rolled | None, memory: Hashable) -> View:
    """A player's view between throws: ``last`` is the last throw, ``memory`` what the strategy
    handed back before it."""
    floor = table.layout.floor
    mine = [done for done in last.settlements if done.player == player] if last else []
    return View(
        table.puck or None,
        {floor(slug): dollars_of(up.amount) for slug, up in table.seat(player).wagers.items()},
        (min(last.first, last.second), max(last.first, last.second)) if last else None,
        tuple(Seen(floor(done.wager), done.result, dollars_of(done.paid)) for done in mine),
        memory=memory,
        new_shooter=table.fresh and not table.puck,
    )
