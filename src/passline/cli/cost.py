"""``passline cost``: what a strategy costs, and what comes back of it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import election_option, exit_on_house_error, fail, game_option, print_json
from passline.cli.lab_options import (
    DICE_OPTION,
    JSON_OPTION,
    PACE_OPTION,
    RULEBOOK_OPTION,
    is_saved_machine,
    parse_count,
    parse_dollars_option,
    parse_pace,
    parse_percent,
    read_dice_option,
    show_dice,
)
from passline.cli.progress import note_compiling

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.game.house.house import House
    from passline.lab.costs import StrategyCost
    from passline.lab.sessions.session import Plan

_LABEL_WIDTH = 18


@click.command(
    epilog="\b\nExample:\n"
    "  passline cost pass-odds --rulebook new-jersey --comps 20 --rebate 10 --bankroll 500 "
    "--rolls 200"
)
@click.argument("strategy", metavar="STRATEGY")
@RULEBOOK_OPTION
@PACE_OPTION
@click.option("--comps", metavar="PERCENT", help="Comps: so much of the theoretical win.")
@click.option("--match-play", metavar="AMOUNT", help="A match play coupon of so much an hour.")
@click.option(
    "--match-on", metavar="WAGER", default="pass", show_default=True, help="Where it is played."
)
@click.option("--promotion", metavar="AMOUNT", help="Dollars that are given an hour besides.")
@click.option("--rebate", metavar="PERCENT", help="So much of a session's loss comes back.")
@click.option("--bankroll", metavar="AMOUNT", help="Of that session, in dollars.")
@click.option("--rolls", metavar="N", help="Of that session.")
@click.option(
    "--explain",
    is_flag=True,
    help="Unfold handle and theoretical win: each wager decided, how often, its pay and clause.",
)
@DICE_OPTION
@game_option
@election_option
@JSON_OPTION
def command(strategy: str, **given: Any) -> None:
    """Show what STRATEGY (a built-in's name or file.py:function) costs: what is wagered and what
    the house expects to win, by the roll, the hour and the shooter; what comps, a match play coupon
    and promotions give back; and what a rebate on the loss of a session is worth. All exact.
    """
    from passline.game.house.load import house_for
    from passline.lab.costs import cost_json, find_strategy_cost
    from passline.lab.machines.bettor import StrategyError

    if is_saved_machine(strategy):
        fail("a saved machine does not hold its wagers: name the strategy itself")
    if given["source"] is None:
        fail("--rulebook is missing: expected a rulebook's id or a house-rules file")
    with exit_on_house_error():
        house = house_for(given["source"], given["game"], given["options"])
    dice = read_dice_option(given["dice"])
    promotions = Fraction(parse_dollars_option("--promotion", given["promotion"]) or 0)
    try:
        with note_compiling():
            found = find_strategy_cost(
                house,
                strategy,
                pace=parse_pace(given["pace"]),
                comps=parse_percent("--comps", given["comps"]),
                promotions=promotions + _coupon_value(house, given, dice),
                rebate=parse_percent("--rebate", given["rebate"]),
                plan=_read_plan(given),
                dice=dice,
                explain=given["explain"],
            )
    except StrategyError as wrong:
        fail(str(wrong))
    except ValueError as wrong:
        fail(f"{strategy}: {wrong}")
    if given["as_json"]:
        print_json(cost_json(found))
        return
    show_dice(dice)
    _show(found)
    for term in found.explained:
        does = f"{term.wager} {term.result}" if term.wager else "vigorish paid when wagers are made"
        pays = f" at {term.odds}" if term.odds else ""
        cite = f"  [{term.cite}]" if term.cite else ""
        click.echo(f"\n{does}{pays}{cite}")
        click.echo(f"  {term.often} a roll; handle ${term.handle / 100}, won ${term.net / 100}")


def _coupon_value(house: House, given: dict[str, Any], dice: Dice) -> Fraction:
    from passline.lab.pricing.wager_odds import WagerError, price_coupon

    face = parse_dollars_option("--match-play", given["match_play"])
    if face is None:
        return Fraction(0)
    try:
        return price_coupon(house, given["match_on"], face, dice)
    except WagerError as wrong:
        fail(f"--match-play: {wrong}")


def _read_plan(given: dict[str, Any]) -> Plan | None:
    from passline.lab.sessions.session import MAX_COUNT, Plan

    needed = ("rebate", "bankroll", "rolls")
    missing = [f"--{name}" for name in needed if given[name] is None]
    if len(missing) == len(needed):
        return None
    if missing:
        fail(f"{', '.join(missing)} missing: --rebate, --bankroll and --rolls go together")
    bankroll = parse_dollars_option("--bankroll", given["bankroll"]) or 0
    rolls = parse_count("--rolls", given["rolls"], 1, MAX_COUNT) or 0
    return Plan(bankroll=bankroll, rolls=rolls)


def _show(found: StrategyCost) -> None:
    about = found.about
    click.secho(f"{about.strategy} at {about.house}, {found.pace} rolls an hour", bold=True)
    click.echo(f"  {'':<{_LABEL_WIDTH}}{'a roll':>12}{'an hour':>14}{'a shooter':>14}")
    for name, amount in (("handle", found.handle), ("theoretical win", found.theoretical)):
        cells = [found.by(length, amount) for length in ("roll", "hour", "shooter")]
        widths = (12, 14, 14)
        shown = [f"{_money(c):>{w}}" for c, w in zip(cells, widths, strict=True)]
        click.echo(f"  {name:<{_LABEL_WIDTH}}{''.join(shown)}")
    facts = []
    if found.hold is not None:
        facts.append(("hold", f"{float(found.hold):.4%} of the handle = {found.hold}"))
    if found.sd_rate is not None:
        hour = found.sd_rate * found.pace**0.5
        facts.append(("swing", f"{_money(hour)} an hour, one standard deviation in the long run"))
    if found.comps:
        facts.append(("comps", f"{_money(found.comps_per_hour)} an hour ({found.comps}%)"))
    if found.promotions:
        facts.append(("promotions", f"{_money(found.promotions)} an hour"))
    if found.comps or found.promotions:
        left = "left to pay" if found.net_per_hour >= 0 else "won in the end"
        facts.append((left, f"{_money(abs(found.net_per_hour))} an hour"))
    if found.breakeven_comps is not None and found.breakeven_comps < 0:
        facts.append(("breakeven", "without comps: promotions are more than it costs"))
    elif found.breakeven_comps is not None:
        facts.append(("breakeven", f"comps of {float(found.breakeven_comps):.2f}%"))
    facts += _rebate_facts(found)
    for label, text in facts:
        click.echo(f"  {label:<{_LABEL_WIDTH}}{text}")
    click.echo("\nexact: the machine's chain, solved in fractions")


def _rebate_facts(found: StrategyCost) -> list[tuple[str, str]]:
    rebate = found.rebate
    if rebate is None:
        return []
    plan = rebate.session.plan
    facts = [
        ("session", f"{plan.rolls:,} rolls from {_money(plan.bankroll)}: {_money(rebate.mean)}"),
        ("rebate", f"{rebate.percent}% of the loss: {_money(rebate.worth)} on average"),
        ("with it", _money(rebate.mean + rebate.worth)),
    ]
    if rebate.breakeven is not None:
        facts.append(("breakeven", f"a rebate of {float(rebate.breakeven):.2f}%"))
    return facts


def _money(cents: float | Fraction | None) -> str:
    if cents is None:
        return "-"
    dollars = float(cents) / 100
    return f"{'-' if dollars < 0 else ''}${abs(dollars):,.{4 if abs(dollars) < 1 else 2}f}"
