"""Ways to bet, as commands to our engine: each does what crapssim's own strategy does.

A player is a function of the table: what is said before the next throw.
"""

from __future__ import annotations

from collections.abc import Callable

from passline.game.table.commands import AnyCommand, Bet, TakeDown
from passline.game.table.state import Table

NAME = "ann"
Player = Callable[[Table], list[AnyCommand]]

_THREE_FOUR_FIVE = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}


def _place(number: int, dollars: int) -> tuple[AnyCommand, AnyCommand]:
    """A place wager: how it is made and how it is taken down."""
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
    """$10 on the pass line, 3-4-5 times odds behind it."""
    wagers = table.seats[0].wagers
    if not table.point:
        return [] if "pass" in wagers else [_PASS_10]
    return [] if "pass-odds" in wagers else [_ODDS_345[table.point]]


def _places(
    table: Table, numbers: dict[int, tuple[AnyCommand, AnyCommand]], skip_point: bool
) -> list[AnyCommand]:
    """Place wagers up while a point is on, and down on a come-out."""
    wagers = table.seats[0].wagers
    says: list[AnyCommand] = []
    for number, (make, take_down) in numbers.items():
        wanted = table.point != 0 and not (skip_point and number == table.point)
        if wanted != (_SLUG[number] in wagers):
            says.append(make if wanted else take_down)
    return says


def place_alone(table: Table) -> list[AnyCommand]:
    """$12 on the 6 and on the 8, nothing else."""
    return _places(table, _SIX_EIGHT, skip_point=False)


def place_six_eight(table: Table) -> list[AnyCommand]:
    """The pass line, and $12 on the 6 and on the 8."""
    says = _places(table, _SIX_EIGHT, skip_point=False)
    if not table.point and "pass" not in table.seats[0].wagers:
        says.append(_PASS_10)
    return says


def iron_cross(table: Table) -> list[AnyCommand]:
    """Pass with double odds, place 5, 6 and 8 but for the point, and the field."""
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
