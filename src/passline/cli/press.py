"""``passline press``: how a dealer presses (raises) a place bet, motion by motion, in chips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from passline.cli.common import (
    NumberRange,
    fail,
    house_command,
    parse_chips,
    print_json,
    print_motions,
    school_options,
)
from passline.crew.press import Press, compute_press
from passline.crew.report import chips_to_json, motions_to_json
from passline.game.house.house import House
from passline.game.layout.compile import compile_layout
from passline.game.layout.stakes import Refusal
from passline.game.money.amounts import parse_dollars, show_dollars, to_dollars
from passline.game.words.refusals import describe_refusal


@house_command("passline press 6 8 --from 24 --to 30")
@click.argument("numbers", nargs=-1, required=True, type=NumberRange(2, 12), metavar="NUMBER...")
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
@school_options
def command(
    house: House,
    numbers: tuple[int, ...],
    before: tuple[str, ...],
    after: tuple[str, ...],
    thrown: str,
    way: str | None,
    as_json: bool,
) -> None:
    """Press the place bets on these NUMBERs when the first of them is thrown."""
    if len(set(numbers)) != len(numbers):
        fail("name each number once")
    starts = [parse_chips(house.rack, text) for text in _match_amounts(before, numbers, "--from")]
    ends = [parse_dollars(text) for text in _match_amounts(after, numbers, "--to")]
    bets = dict(zip(numbers, zip(starts, ends, strict=True), strict=True))
    extra = 0 if thrown == "0" else parse_chips(house.rack, thrown)
    move = compute_press(compile_layout(house), bets, thrown=extra, way=way)
    if isinstance(move, Refusal):
        fail(f"{describe_refusal(move)} [{move.cite}]")
    if as_json:
        print_json(_json(move))
    else:
        _show(move)


def _match_amounts(given: Sequence[str], numbers: Sequence[int], option: str) -> Sequence[str]:
    """Return one amount for each number; a single amount is repeated for all numbers.

    ``option`` names the option in the message if the counts do not match.
    """
    if len(given) not in {1, len(numbers)}:
        fail(f"{option}: expected one amount, or one for each of {len(numbers)} numbers")
    return given if len(given) > 1 else [given[0]] * len(numbers)


def _show(move: Press) -> None:
    for number, chips in move.before.items():
        after = move.after[number]
        click.echo(
            f"{number}: {show_dollars(chips.amount)} ({chips}) to "
            f"{show_dollars(after.amount)} ({after})"
        )
    if move.press:
        change = f"{'press' if move.press > 0 else 'reduced by'} {show_dollars(abs(move.press))}"
    else:
        change = "no press"
    click.echo(
        f"win {show_dollars(move.win)}, {change}, "
        f"thrown in {show_dollars(move.thrown.amount)}, overpaid {show_dollars(move.overpaid)}, "
        f"to the player {show_dollars(move.to_player.amount)}"
    )
    click.echo(f"by {move.way} [{', '.join(move.cites)}]")
    click.echo(move.why)
    print_motions(move.motions)
    if move.also:
        click.echo(f"also: {'; '.join(move.also)} (--way)")


def _json(move: Press) -> dict[str, Any]:
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
