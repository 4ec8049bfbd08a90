"""``passline key``: how a payoff is reckoned in the head."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import (
    election_option,
    fail,
    game_option,
    house_errors,
    print_json,
    school_option,
)

if TYPE_CHECKING:
    from passline.crew.keys import Key
    from passline.layout import Layout


@click.command(
    epilog="\b\nExamples:\n  passline key hi-lo 10\n  passline key place-6 18\n"
    "  passline key pass-odds 30 --point 4"
)
@click.argument("wager", metavar="WAGER")
@click.argument("amount", metavar="AMOUNT")
@click.option("--point", type=click.IntRange(2, 12), help="Odds on the line: this point only.")
@school_option
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
    """Show what WAGER wins for AMOUNT on each throw, and how a dealer reckons it.

    WAGER is a slug such as horn or place-6, a set of hops such as hops-6, or wagers joined by a
    plus.
    """
    from passline.crew.keys import legs
    from passline.house.files import house_for
    from passline.layout import lay_felt
    from passline.money import AmountError, parse_dollars, show_dollars

    with house_errors():
        layout = lay_felt(house_for(rulebook, game, options))
    try:
        stake = parse_dollars(amount)
    except AmountError as wrong:
        fail(str(wrong))
    parts = legs(layout, wager)
    if not parts:
        _priced(layout, wager, stake, point, rulebook, as_json)
        return
    step = sum(parts.values()) * layout.house.chip
    if stake % step:
        fail(f"{wager} comes in multiples of {show_dollars(step)}")
    rows = _rows(layout, wager, parts)
    if as_json:
        print_json([_json(faces, key, stake) for faces, key in rows])
        return
    for faces, key in rows:
        click.echo(_line(layout, faces, key, stake))
        for words, cents in key.reckon(stake):
            click.echo(f"    {words}: {show_dollars(cents)}")


def _priced(
    layout: Layout, wager: str, stake: int, point: int | None, rulebook: str, as_json: bool
) -> None:
    """Place, buy, lay, odds and the flat wagers: so much for every so much."""
    from passline.crew.keys import priced_key
    from passline.crew.payoffs import paid, spot_named, wins
    from passline.money import dollars, show_dollars

    spot = spot_named(layout, wager)
    found = wins(layout, spot, point or 0) if spot is not None else ()
    if spot is None or not found:
        fail(f"{wager!r} has no key under {rulebook}: expected one such as horn, place-6 or hops-6")
    if stake % layout.house.chip:
        fail(f"{wager} comes in multiples of {show_dollars(layout.house.chip)}")
    rows = []
    for win in found:
        done = paid(layout, spot, win, stake).done
        rows.append((list(win.throws), priced_key(win.ratio, done.cite), win.ratio, done))
    if as_json:
        print_json(
            [
                {**_json(throws, key, stake), "pays": dollars(done.paid), "vig": dollars(done.vig)}
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
        elif key.pays(stake) != done.paid:
            click.echo(f"    {show_dollars(key.pays(stake))}, rounded down to whole chips")
        if done.vig:
            click.echo(f"    less vigorish of {show_dollars(done.vig)}")


def _rows(layout: Layout, wager: str, parts: dict[str, int]) -> list[tuple[list[str], Key]]:
    """Each key with the throws that it is for."""
    from passline.crew.keys import key, winning_faces
    from passline.dice import OUTCOMES

    rows: list[tuple[list[str], Key]] = []
    for index in winning_faces(layout, parts):
        faces = "{}-{}".format(*OUTCOMES[index])
        found = key(layout, wager, faces)
        if found is None:
            continue
        same = next((row for row in rows if row[1] == found), None)
        if same is not None:
            same[0].append(faces)
        else:
            rows.append(([faces], found))
    return rows


def _line(layout: Layout, faces: list[str], key: Key, stake: int) -> str:
    from passline.money import show_dollars

    paid = key.pays(stake)
    chips, _ = layout.house.rack.divide(paid)
    cut = f" ({chips})" if chips else ""
    thrown = ", ".join(faces)
    return f"{thrown}: {show_dollars(paid)}{cut}: {key.words} [{key.cites[0]}]"


def _json(faces: list[str], key: Key, stake: int) -> dict[str, Any]:
    from passline.money import dollars

    return {
        "faces": faces,
        "words": key.words,
        "bet": key.bet,
        "box": key.box,
        "share": str(key.share),
        "pays": dollars(key.pays(stake)),
        "steps": [{"words": words, "is": dollars(cents)} for words, cents in key.reckon(stake)],
        "cites": key.cites,
    }
