"""``passline key``: how a dealer works out a payoff by mental arithmetic.

A key is such a rule: "seven times the bet, less a quarter of it".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import click

from passline.cli.common import (
    NumberRange,
    check_point,
    complete_wager,
    fail,
    house_command,
    print_json,
    resolve_wager,
    school_options,
)
from passline.crew.cut_payoff import WinningPrice, compute_payoff, find_spot, list_winning_prices
from passline.crew.payoff_keys import (
    PayoffKey,
    derive_priced_key,
    find_key,
    find_legs,
    list_winning_faces,
)
from passline.game.dice.dice import OUTCOMES
from passline.game.house.house import House
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout, Spot
from passline.game.money.amounts import parse_dollars, show_dollars, to_dollars
from passline.game.words.wagers import layout_name, suggest_wagers


class _KeyRow(NamedTuple):
    """A line of the output: a way to compute a payoff (``key``) and the rolls on which it applies.

    ``paid`` is what is paid in cents, and ``notes`` are the steps to show.
    """

    throws: Sequence[str]
    key: PayoffKey
    paid: int
    notes: list[str]
    vig: int | None = None


@house_command(
    "passline key hi-lo 10",
    "passline key 'place 6' 18",
    "passline key 'pass odds' 30 --point 4",
)
@click.argument("wager", metavar="WAGER", shell_complete=complete_wager)
@click.argument("amount", metavar="AMOUNT")
@click.option("--point", type=NumberRange(2, 12), help="For line odds: this point only.")
@school_options
def command(house: House, wager: str, amount: str, point: int | None, as_json: bool) -> None:
    """Show what WAGER wins for AMOUNT on each roll, and how a dealer works it out.

    WAGER is a name such as horn or "place 6", a set of hops such as "hops 6", or several names
    joined by a plus.
    """
    layout = compile_layout(house)
    stake = parse_dollars(amount)
    check_point(house, point)
    typed = wager
    wager = "+".join(_find_name(layout, part) for part in wager.split("+"))
    parts = find_legs(layout, wager)
    spot = find_spot(layout, wager)
    prices = list_winning_prices(layout, spot, point or 0) if spot is not None else ()
    if not parts and not prices:
        fail(f"there is no key for {typed!r}: {suggest_wagers(typed, layout.spots)}")
    step = sum(parts.values() or [1]) * house.chip
    if stake % step:
        fail(f"{layout_name(wager)} comes in multiples of {show_dollars(step)}")
    if spot is None or parts:
        rows = _leg_rows(layout, wager, parts, stake)
    else:
        rows = _price_rows(layout, spot, prices, stake)
    if as_json:
        print_json([_json(row, stake) for row in rows])
        return
    for row in rows:
        chips, _ = house.rack.divide(row.paid)
        cut = f" ({chips})" if chips else ""
        on = ", ".join(row.throws)
        click.echo(f"{on}: {show_dollars(row.paid)}{cut}: {row.key.words} [{row.key.cites[0]}]")
        for note in row.notes:
            click.echo(f"    {note}")


def _find_name(layout: Layout, text: str) -> str:
    """Return the slug of a wager, or of a set of hops (``hops-6``), that a text names.

    If it names none, return the text in one word, with hyphens.
    """
    return "-".join(resolve_wager(layout, text.strip()).split())


def _leg_rows(layout: Layout, wager: str, parts: dict[str, int], stake: int) -> list[_KeyRow]:
    """Return a row for each payoff of a proposition, with the rolls on which it is paid.

    ``parts`` has the units bet on each of its legs (a horn has four), by slug.
    """
    throws: dict[PayoffKey, list[str]] = {}
    for index in list_winning_faces(layout, parts):
        faces = "{}-{}".format(*OUTCOMES[index])
        if (key := find_key(layout, wager, faces)) is not None:
            throws.setdefault(key, []).append(faces)
    return [
        _KeyRow(
            throws=faces,
            key=key,
            paid=key.compute_win(stake),
            notes=[
                f"{words}: {show_dollars(cents)}" for words, cents in key.calculate_steps(stake)
            ],
        )
        for key, faces in throws.items()
    ]


def _price_rows(
    layout: Layout, spot: Spot, prices: Iterable[WinningPrice], stake: int
) -> list[_KeyRow]:
    """Return a row for each price of a place or odds bet, with a note: "every $6 gets $7"."""
    rows = []
    for price in prices:
        done = compute_payoff(layout, spot, price, stake).settlement
        key, (win, per) = derive_priced_key(price.ratio, done.cite), price.ratio
        notes = []
        if stake % (per * 100) == 0:
            every, each = show_dollars(per * 100), show_dollars(win * 100)
            notes.append(f"every {every} gets {each}: {stake // (per * 100)} of them")
        elif key.compute_win(stake) != done.paid:
            notes.append(f"{show_dollars(key.compute_win(stake))}, rounded down to whole chips")
        if done.vig:
            notes.append(f"less vigorish of {show_dollars(done.vig)}")
        rows.append(
            _KeyRow(throws=price.throws, key=key, paid=done.paid, notes=notes, vig=done.vig)
        )
    return rows


def _json(row: _KeyRow, stake: int) -> dict[str, Any]:
    key = row.key
    return {
        "faces": row.throws,
        "words": key.words,
        "bet": key.bet,
        "box": key.box,
        "share": str(key.share),
        "pays": to_dollars(row.paid),
        "steps": [
            {"words": words, "is": to_dollars(cents)} for words, cents in key.calculate_steps(stake)
        ],
        "cites": key.cites,
        **({"vig": to_dollars(row.vig)} if row.vig is not None else {}),
    }
