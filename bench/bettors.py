"""crapssim's own strategies, said to our table: plain functions of what a player sees."""

from __future__ import annotations

from passline.lab.machines.bettor import View

_ODDS_345 = {4: 30, 5: 40, 6: 50, 8: 50, 9: 40, 10: 30}
_CROSS = {5: 10, 6: 12, 8: 12}


def pass_odds(view: View) -> list[str]:
    """BetPassLine(10) and PassLineOddsMultiplier, 3-4-5 times."""
    if view.puck is None:
        return [] if view.up("pass") else ["pass for 10"]
    return [] if view.up("pass-odds") else [f"pass-odds for {_ODDS_345[view.puck]}"]


def iron_cross(view: View) -> list[str]:
    """IronCross(5): pass with double odds, place 5, 6 and 8 but for the point, the field."""
    says = []
    for number, dollars in _CROSS.items():
        slug = f"place-win-{number}"
        wanted = view.puck not in (None, number)
        if wanted != view.up(slug):
            says.append(f"{slug} for {dollars}" if wanted else f"{slug} down")
    if view.puck is None:
        return says if view.up("pass") else [*says, "pass for 5"]
    if not view.up("pass-odds"):
        says.append("pass-odds for 10")
    if not view.up("field"):
        says.append("field for 5")
    return says


def three_point_molly(view: View) -> list[str]:
    """ThreePointMolly(10): pass and two come wagers, with single odds."""
    says = []
    if view.puck is None:
        if not view.up("pass"):
            says.append("pass for 10")
    elif not view.up("pass-odds"):
        says.append("pass-odds for 10")
    numbers = [slug for slug in view.wagers if slug.removeprefix("come-").isdigit()]
    if view.puck is not None and len(numbers) + view.up("come") < 2:
        says.append("come for 10")
    for slug in numbers:
        odds = slug.replace("come-", "come-odds-")
        if not view.up(odds):
            says.append(f"{odds} for 10")
    return says
