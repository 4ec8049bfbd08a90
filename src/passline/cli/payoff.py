"""``passline payoff``: what a winning bet is paid, in which chips, and how the dealer sets them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import (
    election_option,
    exit_on_house_error,
    fail,
    game_option,
    print_json,
    resolve_wager,
    school_rulebook_option,
    suggest_wagers,
)

if TYPE_CHECKING:
    from passline.crew.payoffs import PricedPayoff
    from passline.game.layout.spots import Layout, Spot
    from passline.game.money.chips import Chips


@click.command(epilog='\b\nExample:\n  passline payoff pass-odds --chips "1 green 3 red" --point 9')
@click.argument("wager", metavar="WAGER")
@click.option(
    "--chips",
    "given",
    required=True,
    metavar="CHIPS",
    help='The bet, in chips ("4 green 2 red") or in dollars.',
)
@click.option(
    "--flat", metavar="CHIPS", help="For odds: the flat bet. Its color decides how they are paid."
)
@click.option("--total", is_flag=True, help="With --flat: pay the line bet and its odds together.")
@click.option("--point", type=click.IntRange(2, 12), help="The point.")
@click.option("--dice", metavar="A-B", help="One roll only, such as 3-3.")
@school_rulebook_option
@game_option
@election_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    wager: str,
    given: str,
    flat: str | None,
    total: bool,
    point: int | None,
    dice: str | None,
    rulebook: str,
    game: str | None,
    options: tuple[tuple[str, str], ...],
    as_json: bool,
) -> None:
    """Show what WAGER is paid when it wins, in which chips, and how the dealer sets them.

    WAGER is a name such as "place 6", pass or horn. If the pay depends on the roll or the
    point, every payoff is shown; --point and --dice pick one.
    """
    from passline.crew.payoffs import (
        compute_payoff,
        compute_total_payoff,
        find_spot,
        is_behind_line,
        list_winning_prices,
    )
    from passline.game.house.load import house_for
    from passline.game.layout.compile import compile_layout

    with exit_on_house_error():
        layout = compile_layout(house_for(rulebook, game, options))
    spot = find_spot(layout, resolve_wager(layout, wager))
    if spot is None:
        fail(f"there is no payoff for {wager!r}: {suggest_wagers(layout, wager)}")
    if point is not None and point not in layout.house.book.points.value:
        fail(f"{point} can't be a point")
    stake, beside = _parse_chips(layout, given), _parse_chips(layout, flat) if flat else None
    _check_stake(layout, spot, stake)
    faces = _parse_faces(dice) if dice else None
    found = list_winning_prices(layout, spot, point or 0, faces)
    if not found:
        on = f" on {dice}" if dice else ""
        fail(f"{wager} wins nothing{on}" + (f" with the {point} on" if point else ""))
    if total and (beside is None or not is_behind_line(layout, spot)):
        fail("--total is for odds behind a line bet: try pass-odds --flat 10 --total")
    if total and beside is not None:
        rows = [compute_total_payoff(layout, spot, win, stake, beside) for win in found]
    else:
        rows = [compute_payoff(layout, spot, win, stake, beside) for win in found]
    if as_json:
        print_json([_json(row) for row in rows])
        return
    for row in rows:
        _show(row)


def _check_stake(layout: Layout, spot: Spot, stake: Chips) -> None:
    """Exit with status 2 if the house does not take the bet; odds are not checked."""
    from passline.game.layout.wager_checks import check_amount
    from passline.game.words.refusals import describe_refusal

    refused = None
    if not spot.is_odds:
        refused = check_amount(layout, spot, 0, {}, stake.amount)
    if refused is not None:
        fail(f"{describe_refusal(refused)} [{refused.cite}]")


def _parse_chips(layout: Layout, text: str) -> Chips:
    """Return the chips that the text names. An amount in dollars is cut into the largest chips."""
    from passline.game.money.amounts import AmountError, parse_dollars
    from passline.game.money.chips import UncutAmount

    try:
        if any(letter.isalpha() for letter in text):
            return layout.house.rack.read(text)
        cut = layout.house.rack.cut(parse_dollars(text))
    except (AmountError, ValueError) as wrong:
        fail(str(wrong))
    if isinstance(cut, UncutAmount):
        fail(cut.reason)
    return cut


def _parse_faces(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([1-6])[-, ]([1-6])", text.strip())
    if found is None:
        fail(f"--dice {text!r}: expected two faces, such as 3-3")
    return int(found[1]), int(found[2])


def _show(row: PricedPayoff) -> None:
    from passline.game.money.amounts import show_dollars
    from passline.game.words.wagers import layout_name

    won, pay = row.win, row.payoff
    name = layout_name(row.settlement.wager) + (
        " with its flat" if pay.manner == "totalled" else ""
    )
    on = f"{name} {show_dollars(row.settlement.stake)} ({pay.stake}), on {', '.join(won.throws)}"
    vig = f", vigorish {show_dollars(pay.vig)} taken off" if pay.vig else ""
    chips = f" ({pay.chips})" if pay.chips else ""
    click.echo(f"{on}: {show_dollars(pay.due)}{chips} at {won.odds}{vig} [{row.settlement.cite}]")
    click.echo(f"{pay.words} [{', '.join(pay.cites)}]")
    if row.position:
        click.echo(f"the odds lie {row.position} by their flat")
    for place, motion in enumerate(pay.motions, 1):
        click.echo(f"{place:3}. {motion.hand:7}  {motion.words}")


def _json(row: PricedPayoff) -> dict[str, Any]:
    from passline.crew.report import chips_to_json, motions_to_json
    from passline.game.money.amounts import to_dollars

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
