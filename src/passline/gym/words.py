"""The table in words, for a person watching an agent."""

from __future__ import annotations

from passline.money import show_dollars
from passline.table import Table


def show_table(table: Table, dice: tuple[int, int], call: str, rolls: int) -> str:
    """Puck, last call, wagers and rail, a line each."""
    seat = table.seats[0]
    up = sum(stake.amount for stake in seat.wagers.values())
    puck = f"ON {table.puck}" if table.puck else "OFF"
    last = f"{dice[0]}-{dice[1]}: {call}" if rolls else "nothing thrown yet"
    wagers = ", ".join(
        f"{slug} {show_dollars(stake.amount)}{_called(stake.call)}"
        for slug, stake in seat.wagers.items()
    )
    return "\n".join(
        (
            f"roll {rolls:<5} puck {puck:<6} {last}",
            f"wagers     {wagers or 'nothing up'}",
            f"rail       {show_dollars(seat.rail)}, worth {show_dollars(seat.rail + up)}",
        )
    )


def _called(call: bool | None) -> str:
    return "" if call is None else f" ({'on' if call else 'off'})"
