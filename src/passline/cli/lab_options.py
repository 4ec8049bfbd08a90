"""What commands of the lab share: other dice, and how long a shift is."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from passline.cli.common import fail
from passline.cli.strategy_options import read_count

if TYPE_CHECKING:
    from passline.dice import Dice

#: Rolls of a shift beyond which nobody means what he says.
_MOST_ROLLS, _MOST_HOURS = 10**6, 10**4

DICE = click.option(
    "--dice",
    "dice",
    metavar="DICE",
    help="Other dice: 36 weights, two dice's six each (1,1,1,1,1,2 x 1,1,1,1,1,1), or sevens=1/7.",
)
PACE = click.option(
    "--rolls-per-hour", "pace", metavar="N", default="100", show_default=True, help="The pace."
)
OPEN = click.option(
    "--open",
    "open_wagers",
    type=click.Choice(["played", "fair", "stake"]),
    default="played",
    help="What is up at the end: played out (unless told), at expectation, or at its stake.",
)
#: What ``--open`` means, in words.
OPENED = {
    "played": "what is up is played out once the rolls end",
    "fair": "what is up counts at what it is worth on average",
    "stake": "what is up counts at its stake",
}
HOURS = click.option("--hours", metavar="N", help="Hours of a shift.")


def dice_of(text: str | None, option: str = "--dice") -> Dice:
    """What ``--dice`` means, or an argument."""
    from passline.dice import FAIR, WeightsError, parse_dice

    if text is None:
        return FAIR
    try:
        return parse_dice(text)
    except WeightsError as wrong:
        fail(f"{option} {wrong}")


def dice_json(dice: Dice) -> dict[str, str]:
    """What JSON says of other dice than fair ones."""
    return {} if dice.fair else {"dice": str(dice)}


def show_dice(dice: Dice) -> None:
    """What people are told of other dice than fair ones."""
    if not dice.fair:
        click.echo(f"other dice than fair ones: a seven {float(dice.sevens):.4%} of the time")


def percent_of(option: str, text: str | None) -> Fraction:
    """A percent, such as 20 or 2.5; nothing is 0."""
    if text is None:
        return Fraction(0)
    plain = text.strip().removesuffix("%")
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?", plain) or not 0 <= Fraction(plain) <= 100:
        fail(f"{option} {text[:40]!r}: expected a percent from 0 to 100")
    return Fraction(plain)


def dollars_of_option(option: str, text: str | None) -> int | None:
    """An amount of money, in cents."""
    from passline.money import AmountError, parse_dollars
    from passline.sessions.plan import RICHEST

    if text is None:
        return None
    try:
        cents = parse_dollars(text)
    except AmountError as wrong:
        fail(f"{option} {wrong}")
    if cents > RICHEST:
        fail(f"{option} {text}: expected ${RICHEST // 100:,} at most")
    return cents


def read_pace(text: str) -> int:
    """What ``--rolls-per-hour`` means."""
    return read_count("--rolls-per-hour", text, 1, _MOST_ROLLS) or 0


def shift_of(hours: str | None, pace: str, rolls: str | None = None) -> int | None:
    """The rolls of a shift, by its hours or by themselves; None: neither is given."""
    if hours is not None and rolls is not None:
        fail("--hours and --rolls both say how long a shift is: give one of them")
    if rolls is not None:
        return read_count("--rolls", rolls, 1, _MOST_ROLLS)
    an_hour = read_pace(pace)
    if hours is None:
        return None
    found = (read_count("--hours", hours, 1, _MOST_HOURS) or 0) * an_hour
    if found > _MOST_ROLLS:
        fail(f"a shift of {found:,} rolls: expected {_MOST_ROLLS:,} at most")
    return found
