"""crapssim's own strategies as Passline strategies: functions from a player's view to phrases."""

from __future__ import annotations

from passline.lab.machines.bettor import View

_ODDS_345 = {4: 30, 5: 40, 6: 50, 8: 50, 9: 40, 10: 30}
_CROSS = {5: 10, 6: 12, 8: 12}


def pass_odds(view: View) -> list[str]:
    """Bet as BetPassLine(10) with PassLineOddsMultiplier: pass, with 3-4-5 times odds."""
    if view.puck is None:
        return [] if view.up("pass") else ["pass for 10"]
    return [] if view.up("pass-odds") else [f"pass-odds for {_ODDS_345[view.puck]}"]


def iron_cross(view: View) -> list[str]:
    """Bet as IronCross(5): pass with double odds, the field, and place 5, 6, 8 but the point."""
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
    """Bet as ThreePointMolly(10): pass and two come wagers, with single odds."""
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
