"""``passline press``: a press move, motion by motion, in chips."""

from __future__ import annotations

from collections.abc import Sequence
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
from passline.words.refusals import refusal_words

if TYPE_CHECKING:
    from passline.crew.press import Press
    from passline.layout import Layout
    from passline.money import Chips


@click.command(epilog="\b\nExample:\n  passline press 6 8 --from 24 --to 30")
@click.argument("numbers", nargs=-1, required=True, type=click.IntRange(2, 12), metavar="NUMBER...")
@click.option(
    "--from",
    "before",
    multiple=True,
    required=True,
    metavar="AMOUNT",
    help='What lies there, in dollars or chips ("4 red, 4 white"); one for each, or all.',
)
@click.option(
    "--to",
    "after",
    multiple=True,
    required=True,
    metavar="AMOUNT",
    help="What is to lie there; one for each number, or one for all.",
)
@click.option("--thrown", default="0", metavar="AMOUNT", help="What the player throws in besides.")
@click.option("--way", metavar="WAY", help="Another way of the hands, such as slide.")
@school_option
@game_option
@election_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    numbers: tuple[int, ...],
    before: tuple[str, ...],
    after: tuple[str, ...],
    thrown: str,
    way: str | None,
    rulebook: str,
    game: str | None,
    options: tuple[tuple[str, str], ...],
    as_json: bool,
) -> None:
    """Press the place bets on these NUMBERs when the first of them is thrown."""
    from passline.crew.press import press
    from passline.house.files import house_for
    from passline.layout import Refusal, lay_felt

    with house_errors():
        layout = lay_felt(house_for(rulebook, game, options))
    if len(set(numbers)) != len(numbers):
        fail("each number stands once")
    starts = [_held(layout, text) for text in _each(before, numbers, "--from")]
    ends = [_amount(text) for text in _each(after, numbers, "--to")]
    bets = dict(zip(numbers, zip(starts, ends, strict=True), strict=True))
    extra = 0 if thrown == "0" else _held(layout, thrown)
    move = press(layout, bets, thrown=extra, way=way)
    if isinstance(move, Refusal):
        fail(f"{refusal_words(move)} [{move.cite}]")
    if as_json:
        print_json(_json(move))
    else:
        _show(move)


def _each(given: Sequence[str], numbers: Sequence[int], option: str) -> Sequence[str]:
    """One amount for every number: as many as there are, or one for all."""
    if len(given) == 1:
        return [given[0]] * len(numbers)
    if len(given) != len(numbers):
        fail(f"{option}: expected one amount, or one for each of {len(numbers)} numbers")
    return given


def _amount(text: str) -> int:
    from passline.money import AmountError, parse_dollars

    try:
        return parse_dollars(text)
    except AmountError as wrong:
        fail(str(wrong))


def _held(layout: Layout, text: str) -> int | Chips:
    """An amount, or the chips themselves."""
    if not any(letter.isalpha() for letter in text):
        return _amount(text)
    try:
        return layout.house.rack.read(text)
    except ValueError as wrong:
        fail(str(wrong))


def _show(move: Press) -> None:
    from passline.money import show_dollars

    for number, chips in move.before.items():
        after = move.after[number]
        click.echo(
            f"{number}: {show_dollars(chips.amount)} ({chips}) to "
            f"{show_dollars(after.amount)} ({after})"
        )
    click.echo(
        f"win {show_dollars(move.win)}, {_change(move.press)}, "
        f"thrown in {show_dollars(move.thrown.amount)}, overpaid {show_dollars(move.overpaid)}, "
        f"to the player {show_dollars(move.to_player.amount)}"
    )
    click.echo(f"by {move.way} [{', '.join(move.cites)}]")
    click.echo(move.why)
    for place, motion in enumerate(move.motions, 1):
        click.echo(f"{place:3}. {motion.hand:7}  {motion.words}")
    if move.also:
        click.echo(f"also: {'; '.join(move.also)} (--way)")


def _change(cents: int) -> str:
    """A press; where less is to lie there than did, no press but a reduction."""
    from passline.money import show_dollars

    if not cents:
        return "no press"
    return f"press {show_dollars(cents)}" if cents > 0 else f"reduced by {show_dollars(-cents)}"


def _json(move: Press) -> dict[str, Any]:
    from passline.crew.report import chips_json, motions_json
    from passline.money import dollars

    return {
        "before": {number: chips_json(chips) for number, chips in move.before.items()},
        "after": {number: chips_json(chips) for number, chips in move.after.items()},
        "win": dollars(move.win),
        "press": dollars(move.press),
        "thrown": chips_json(move.thrown),
        "set_out": chips_json(move.set_out),
        "overpaid": dollars(move.overpaid),
        "to_box": chips_json(move.to_box),
        "to_player": chips_json(move.to_player),
        "way": move.way,
        "why": move.why,
        "also": move.also,
        "cites": move.cites,
        "motions": motions_json(move.motions),
    }
