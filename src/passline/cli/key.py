"""``passline key``: how a dealer works out a payoff by mental arithmetic. A key is the number to
multiply by.
"""

from __future__ import annotations

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
    from passline.crew.payoff_keys import PayoffKey
    from passline.game.layout.spots import Layout


@click.command(
    epilog="\b\nExamples:\n  passline key hi-lo 10\n  passline key place-6 18\n"
    "  passline key pass-odds 30 --point 4"
)
@click.argument("wager", metavar="WAGER")
@click.argument("amount", metavar="AMOUNT")
@click.option("--point", type=click.IntRange(2, 12), help="For line odds: this point only.")
@school_rulebook_option
@game_option
@election_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    wager: str,
    amount: str,
    point: int | None,
    rulebook: str,
    game: str | None,
    options: tuple[tuple[str, str], ...],
    as_json: bool,
) -> None:
    """Show what WAGER wins for AMOUNT on each roll, and how a dealer works it out.

    WAGER is a name such as horn or place-6, a set of hops such as hops-6, or several names joined
    by a plus.
    """
    from passline.crew.payoff_keys import find_legs
    from passline.game.house.load import house_for
    from passline.game.layout.compile import compile_layout
    from passline.game.money.amounts import AmountError, parse_dollars, show_dollars
    from passline.game.words.wagers import layout_name

    with exit_on_house_error():
        layout = compile_layout(house_for(rulebook, game, options))
    try:
        stake = parse_dollars(amount)
    except AmountError as wrong:
        fail(str(wrong))
    if point is not None and point not in layout.house.book.points.value:
        fail(f"{point} can't be a point")
    wager = resolve_wager(layout, wager)
    parts = find_legs(layout, wager)
    if not parts:
        _show_priced_key(layout, wager, stake, point, as_json)
        return
    step = sum(parts.values()) * layout.house.chip
    if stake % step:
        fail(f"{layout_name(wager)} comes in multiples of {show_dollars(step)}")
    rows = _key_rows(layout, wager, parts)
    if as_json:
        print_json([_json(faces, key, stake) for faces, key in rows])
        return
    for faces, key in rows:
        click.echo(_key_line(layout, faces, key, stake))
        for words, cents in key.calculate_steps(stake):
            click.echo(f"    {words}: {show_dollars(cents)}")


def _show_priced_key(
    layout: Layout, wager: str, stake: int, point: int | None, as_json: bool
) -> None:
    """Print the key of a bet with one price, such as place or odds: "every $6 gets $7"."""
    from passline.crew.payoff_keys import derive_priced_key
    from passline.crew.payoffs import compute_payoff, find_spot, list_winning_prices
    from passline.game.money.amounts import show_dollars, to_dollars
    from passline.game.words.wagers import layout_name

    spot = find_spot(layout, wager)
    found = list_winning_prices(layout, spot, point or 0) if spot is not None else ()
    if spot is None or not found:
        fail(f"there is no key for {wager!r}: {suggest_wagers(layout, wager)}")
    if stake % layout.house.chip:
        fail(f"{layout_name(wager)} comes in multiples of {show_dollars(layout.house.chip)}")
    rows = []
    for win in found:
        done = compute_payoff(layout, spot, win, stake).settlement
        rows.append((list(win.throws), derive_priced_key(win.ratio, done.cite), win.ratio, done))
    if as_json:
        print_json(
            [
                {
                    **_json(throws, key, stake),
                    "pays": to_dollars(done.paid),
                    "vig": to_dollars(done.vig),
                }
                for throws, key, _, done in rows
            ]
        )
        return
    for throws, key, (win_, per), done in rows:
        chips, _ = layout.house.rack.divide(done.paid)
        cut = f" ({chips})" if chips else ""
        on = ", ".join(throws)
        click.echo(f"{on}: {show_dollars(done.paid)}{cut}: {key.words} [{key.cites[0]}]")
        if stake % (per * 100) == 0:
            units = stake // (per * 100)
            click.echo(f"    every ${per} gets ${win_}: {units} of them")
        elif key.compute_win(stake) != done.paid:
            click.echo(f"    {show_dollars(key.compute_win(stake))}, rounded down to whole chips")
        if done.vig:
            click.echo(f"    less vigorish of {show_dollars(done.vig)}")


def _key_rows(
    layout: Layout, wager: str, parts: dict[str, int]
) -> list[tuple[list[str], PayoffKey]]:
    """Return each key (the multiplier of a bet) with the rolls that it applies to."""
    from passline.crew.payoff_keys import find_key, list_winning_faces
    from passline.game.dice.dice import OUTCOMES

    rows: list[tuple[list[str], PayoffKey]] = []
    for index in list_winning_faces(layout, parts):
        faces = "{}-{}".format(*OUTCOMES[index])
        found = find_key(layout, wager, faces)
        if found is None:
            continue
        same = next((row for row in rows if row[1] == found), None)
        if same is not None:
            same[0].append(faces)
        else:
            rows.append(([faces], found))
    return rows


def _key_line(layout: Layout, faces: list[str], key: PayoffKey, stake: int) -> str:
    from passline.game.money.amounts import show_dollars

    paid = key.compute_win(stake)
    chips, _ = layout.house.rack.divide(paid)
    cut = f" ({chips})" if chips else ""
    thrown = ", ".join(faces)
    return f"{thrown}: {show_dollars(paid)}{cut}: {key.words} [{key.cites[0]}]"


def _json(faces: list[str], key: PayoffKey, stake: int) -> dict[str, Any]:
    from passline.game.money.amounts import to_dollars

    return {
        "faces": faces,
        "words": key.words,
        "bet": key.bet,
        "box": key.box,
        "share": str(key.share),
        "pays": to_dollars(key.compute_win(stake)),
        "steps": [
            {"words": words, "is": to_dollars(cents)} for words, cents in key.calculate_steps(stake)
        ],
        "cites": key.cites,
    }
