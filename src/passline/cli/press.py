"""``passline press``: how a dealer presses (raises) a place bet, motion by motion, in chips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import (
    election_option,
    exit_on_house_error,
    fail,
    game_option,
    print_json,
    school_rulebook_option,
)
from passline.game.words.refusals import describe_refusal

if TYPE_CHECKING:
    from passline.crew.press import Press
    from passline.game.layout.spots import Layout
    from passline.game.money.chips import Chips


@click.command(epilog="\b\nExample:\n  passline press 6 8 --from 24 --to 30")
@click.argument("numbers", nargs=-1, required=True, type=click.IntRange(2, 12), metavar="NUMBER...")
@click.option(
    "--from",
    "before",
    multiple=True,
    required=True,
    metavar="AMOUNT",
    help='The bet now, in dollars or chips ("4 red, 4 white"); one for each number or for all.',
)
@click.option(
    "--to",
    "after",
    multiple=True,
    required=True,
    metavar="AMOUNT",
    help="The bet afterwards; one for each number or for all.",
)
@click.option("--thrown", default="0", metavar="AMOUNT", help="Money that the player adds.")
@click.option("--way", metavar="WAY", help="Another way to do it, such as slide.")
@school_rulebook_option
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
    from passline.crew.press import compute_press
    from passline.game.house.load import house_for
    from passline.game.layout.compile import compile_layout
    from passline.game.layout.stakes import Refusal

    with exit_on_house_error():
        layout = compile_layout(house_for(rulebook, game, options))
    if len(set(numbers)) != len(numbers):
        fail("name each number once")
    starts = [_parse_chips(layout, text) for text in _match_amounts(before, numbers, "--from")]
    ends = [_parse_amount(text) for text in _match_amounts(after, numbers, "--to")]
    bets = dict(zip(numbers, zip(starts, ends, strict=True), strict=True))
    extra = 0 if thrown == "0" else _parse_chips(layout, thrown)
    move = compute_press(layout, bets, thrown=extra, way=way)
    if isinstance(move, Refusal):
        fail(f"{describe_refusal(move)} [{move.cite}]")
    if as_json:
        print_json(_json(move))
    else:
        _show(move)


def _match_amounts(given: Sequence[str], numbers: Sequence[int], option: str) -> Sequence[str]:
    """Return one amount for each number, from a list of the same length or a single amount for
    all.
    """
    if len(given) == 1:
        return [given[0]] * len(numbers)
    if len(given) != len(numbers):
        fail(f"{option}: expected one amount, or one for each of {len(numbers)} numbers")
    return given


def _parse_amount(text: str) -> int:
    from passline.game.money.amounts import AmountError, parse_dollars

    try:
        return parse_dollars(text)
    except AmountError as wrong:
        fail(str(wrong))


def _parse_chips(layout: Layout, text: str) -> int | Chips:
    """Return the chips that the text names, or the chips of an amount in dollars."""
    if not any(letter.isalpha() for letter in text):
        return _parse_amount(text)
    try:
        return layout.house.rack.read(text)
    except ValueError as wrong:
        fail(str(wrong))


def _show(move: Press) -> None:
    from passline.game.money.amounts import show_dollars

    for number, chips in move.before.items():
        after = move.after[number]
        click.echo(
            f"{number}: {show_dollars(chips.amount)} ({chips}) to "
            f"{show_dollars(after.amount)} ({after})"
        )
    click.echo(
        f"win {show_dollars(move.win)}, {_change_words(move.press)}, "
        f"thrown in {show_dollars(move.thrown.amount)}, overpaid {show_dollars(move.overpaid)}, "
        f"to the player {show_dollars(move.to_player.amount)}"
    )
    click.echo(f"by {move.way} [{', '.join(move.cites)}]")
    click.echo(move.why)
    for place, motion in enumerate(move.motions, 1):
        click.echo(f"{place:3}. {motion.hand:7}  {motion.words}")
    if move.also:
        click.echo(f"also: {'; '.join(move.also)} (--way)")


def _change_words(cents: int) -> str:
    """Return the change of the bet in words: a press, or a reduction."""
    from passline.game.money.amounts import show_dollars

    if not cents:
        return "no press"
    return f"press {show_dollars(cents)}" if cents > 0 else f"reduced by {show_dollars(-cents)}"


def _json(move: Press) -> dict[str, Any]:
    from passline.crew.report import chips_to_json, motions_to_json
    from passline.game.money.amounts import to_dollars

    return {
        "before": {number: chips_to_json(chips) for number, chips in move.before.items()},
        "after": {number: chips_to_json(chips) for number, chips in move.after.items()},
        "win": to_dollars(move.win),
        "press": to_dollars(move.press),
        "thrown": chips_to_json(move.thrown),
        "set_out": chips_to_json(move.set_out),
        "overpaid": to_dollars(move.overpaid),
        "to_box": chips_to_json(move.to_box),
        "to_player": chips_to_json(move.to_player),
        "way": move.way,
        "why": move.why,
        "also": move.also,
        "cites": move.cites,
        "motions": motions_to_json(move.motions),
    }
