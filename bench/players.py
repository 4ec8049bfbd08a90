"""Ways to bet, as commands to our engine: each does what crapssim's own strategy does.

A player is a function that takes the table and returns the commands before the next throw.
"""

from __future__ import annotations

from collections.abc import Callable

from passline.game.table.commands import AnyCommand, Bet, TakeDown
from passline.game.table.state import Table

NAME = "ann"
Player = Callable[[Table], list[AnyCommand]]

_THREE_FOUR_FIVE = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}


def _place(number: int, dollars: int) -> tuple[AnyCommand, AnyCommand]:
    """Return the commands that make a place wager and that take it down."""
    slug = f"place-win-{number}"
    return Bet(NAME, slug, dollars * 100), TakeDown(NAME, slug)


_PASS_5, _PASS_10 = Bet(NAME, "pass", 500), Bet(NAME, "pass", 1000)
_FIELD_5 = Bet(NAME, "field", 500)
_ODDS_345 = {n: Bet(NAME, "pass-odds", 1000 * x) for n, x in _THREE_FOUR_FIVE.items()}
_ODDS_2X = Bet(NAME, "pass-odds", 1000)
_SIX_EIGHT = {n: _place(n, 12) for n in (6, 8)}
_CROSS = {5: _place(5, 10), 6: _place(6, 12), 8: _place(8, 12)}
_SLUG = {n: f"place-win-{n}" for n in (5, 6, 8)}


def pass_odds(table: Table) -> list[AnyCommand]:
    """Bet $10 on the pass line, with 3-4-5 times odds."""
    wagers = table.seats[0].wagers
    if not table.point:
        return [] if "pass" in wagers else [_PASS_10]
    return [] if "pass-odds" in wagers else [_ODDS_345[table.point]]


def _places(
    table: Table, numbers: dict[int, tuple[AnyCommand, AnyCommand]], skip_point: bool
) -> list[AnyCommand]:
    """Return the commands that put place wagers up when a point is on, and down on a come-out.

    ``numbers`` has (make, take down) by number. With ``skip_point``, the point has no wager.
    """
    wagers = table.seats[0].wagers
    says: list[AnyCommand] = []
    for number, (make, take_down) in numbers.items():
        wanted = table.point != 0 and not (skip_point and number == table.point)
        if wanted != (_SLUG[number] in wagers):
            says.append(make if wanted else take_down)
    return says


def place_alone(table: Table) -> list[AnyCommand]:
    """Place the 6 and the 8 for $12 each, and bet nothing else."""
    return _places(table, _SIX_EIGHT, skip_point=False)


def place_six_eight(table: Table) -> list[AnyCommand]:
    """Bet $10 on the pass line, and place the 6 and the 8 for $12 each."""
    says = _places(table, _SIX_EIGHT, skip_point=False)
    if not table.point and "pass" not in table.seats[0].wagers:
        says.append(_PASS_10)
    return says


def iron_cross(table: Table) -> list[AnyCommand]:
    """Bet $5 on pass with double odds and on the field, and place 5, 6 and 8 but the point."""
    wagers = table.seats[0].wagers
    says = _places(table, _CROSS, skip_point=True)
    if not table.point:
        if "pass" not in wagers:
            says.append(_PASS_5)
        return says
    if "pass-odds" not in wagers:
        says.append(_ODDS_2X)
    if "field" not in wagers:
        says.append(_FIELD_5)
    return says
