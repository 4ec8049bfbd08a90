"""``passline payoff``: what a winning bet is paid, in which chips, and how the dealer sets them."""

from __future__ import annotations

import re
from typing import Any

import click

from passline.cli.common import (
    NumberRange,
    check_point,
    complete_wager,
    fail,
    house_command,
    parse_chips,
    print_json,
    print_motions,
    resolve_wager,
    school_options,
)
from passline.crew.cut_payoff import (
    PricedPayoff,
    compute_payoff,
    compute_total_payoff,
    find_spot,
    is_behind_line,
    list_winning_prices,
)
from passline.crew.report import chips_to_json, motions_to_json
from passline.game.house.house import House
from passline.game.layout.compile import compile_layout
from passline.game.layout.wager_checks import check_amount
from passline.game.money.amounts import show_dollars, to_dollars
from passline.game.words.refusals import describe_refusal
from passline.game.words.wagers import layout_name, suggest_wagers


@house_command('passline payoff pass-odds --chips "1 green 3 red" --point 9')
@click.argument("wager", metavar="WAGER", shell_complete=complete_wager)
@click.option(
    "--chips",
    required=True,
    metavar="CHIPS",
    help='The bet, in chips ("4 green 2 red") or in dollars.',
)
@click.option(
    "--flat",
    metavar="CHIPS",
    help="For odds: the flat bet. Its color decides how they are paid.",
)
@click.option("--total", is_flag=True, help="With --flat: pay the line bet and its odds together.")
@click.option("--point", type=NumberRange(2, 12), help="The point.")
@click.option("--dice", metavar="A-B", help="One roll only, such as 3-3.")
@school_options
def command(
    house: House,
    wager: str,
    chips: str,
    flat: str | None,
    total: bool,
    point: int | None,
    dice: str | None,
    as_json: bool,
) -> None:
    """Show what WAGER is paid when it wins, in which chips, and how the dealer sets them.

    WAGER is a name such as "place 6", pass or horn. If the pay depends on the roll or the
    point, every payoff is shown; --point and --dice pick one.
    """
    layout = compile_layout(house)
    spot = find_spot(layout, resolve_wager(layout, wager))
    if spot is None:
        fail(f"there is no payoff for {wager!r}: {suggest_wagers(wager, layout.spots)}")
    check_point(house, point)
    stake = parse_chips(house.rack, chips)
    beside = parse_chips(house.rack, flat) if flat else None
    refused = None if spot.is_odds else check_amount(layout, spot, 0, {}, stake.amount)
    if refused is not None:
        fail(f"{describe_refusal(refused)} [{refused.cite}]")
    prices = list_winning_prices(layout, spot, point or 0, _parse_faces(dice) if dice else None)
    if not prices:
        on = f" on {dice}" if dice else ""
        fail(f"{wager} wins nothing{on}" + (f" with the {point} on" if point else ""))
    if total and (beside is None or not is_behind_line(layout, spot)):
        fail("--total is for odds behind a line bet: try pass-odds --flat 10 --total")
    rows = [
        compute_total_payoff(layout, spot, price, stake, beside)
        if total and beside is not None
        else compute_payoff(layout, spot, price, stake, beside)
        for price in prices
    ]
    if as_json:
        print_json([_json(row) for row in rows])
        return
    for row in rows:
        _show(row)


def _parse_faces(text: str) -> tuple[int, int]:
    faces = re.fullmatch(r"([1-6])[-, ]([1-6])", text.strip())
    if faces is None:
        fail(f"--dice {text!r}: expected two faces, such as 3-3")
    return int(faces[1]), int(faces[2])


def _show(row: PricedPayoff) -> None:
    won, pay = row.win, row.payoff
    flat = " with its flat" if pay.manner == "totalled" else ""
    name = f"{layout_name(row.settlement.wager)}{flat}"
    on = f"{name} {show_dollars(row.settlement.stake)} ({pay.stake}), on {', '.join(won.throws)}"
    vig = f", vigorish {show_dollars(pay.vig)} taken off" if pay.vig else ""
    chips = f" ({pay.chips})" if pay.chips else ""
    click.echo(f"{on}: {show_dollars(pay.due)}{chips} at {won.odds}{vig} [{row.settlement.cite}]")
    click.echo(f"{pay.words} [{', '.join(pay.cites)}]")
    if row.position:
        click.echo(f"the odds lie {row.position} by their flat")
    print_motions(pay.motions)


def _json(row: PricedPayoff) -> dict[str, Any]:
    pay = row.payoff
    return {
        "wager": row.settlement.wager,
        "on": row.win.throws,
        "odds": row.win.odds,
        "stake": chips_to_json(pay.stake),
        "lies": row.position or None,
        "paid": to_dollars(row.settlement.paid),
        "vig": to_dollars(pay.vig),
        "due": to_dollars(pay.due),
        "chips": dict(pay.chips.counts),
        "coin": to_dollars(pay.coin),
        "manner": pay.manner,
        "words": pay.words,
        "cite": row.settlement.cite,
        "cites": pay.cites,
        "motions": motions_to_json(pay.motions),
    }
