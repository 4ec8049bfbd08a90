"""``passline hand``: how long a shooter's hand lasts, and what is gathered in it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import click

from passline.cli.common import election_option, exit_on_house_error, fail, game_option, print_json
from passline.cli.lab_options import (
    DICE_OPTION,
    HOURS_OPTION,
    PACE_OPTION,
    parse_shift_rolls,
    read_dice_option,
)
from passline.game.law.book_files import DEFAULT_BOOK
from passline.game.words.hands import describe_chance

if TYPE_CHECKING:
    from passline.lab.luck.hands import CollectChance, HandTerm, ShooterHand

_BAR_WIDTH = 30  # letters of the longest bar


@click.command(epilog="\b\nExample:\n  passline hand new-jersey --hours 8")
@click.argument("source", metavar="[RULEBOOK|FILE]", default=DEFAULT_BOOK)
@HOURS_OPTION
@PACE_OPTION
@click.option("--rolls", metavar="N", help="Rolls of a shift, in place of --hours.")
@click.option(
    "--explain", is_flag=True, help="Unfold the means: every throw of a hand, how often it comes."
)
@DICE_OPTION
@game_option
@election_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def command(
    source: str,
    hours: str | None,
    pace: str,
    rolls: str | None,
    explain: bool,
    dice: str | None,
    game: str | None,
    options: tuple[tuple[str, str], ...],
    as_json: bool,
) -> None:
    """Show how long a shooter's hand lasts: rolls, points and decisions, exactly; and the chance
    that a hand gathers what fire, bonus and the Craps Shootout ask for, or one of a shift does.

    A hand begins with a come-out roll and ends with the seven that passes the dice.
    """
    from passline.game.house.load import house_for
    from passline.lab.luck.hands import (
        NoShooterError,
        explain_hand,
        explained_hand_json,
        shooter_hand_json,
        solve_shooter_hand,
    )

    shift = parse_shift_rolls(hours, pace, rolls)
    with exit_on_house_error():
        house = house_for(source, game, options)
    try:
        hand = solve_shooter_hand(house, read_dice_option(dice))
    except NoShooterError as wrong:
        fail(str(wrong))
    terms = explain_hand(hand) if explain else ()
    if as_json:
        more = {"explain": explained_hand_json(terms)} if explain else {}
        print_json(shooter_hand_json(hand, shift) | more)
    else:
        _show(hand, shift)
        _show_terms(terms)


def _show_terms(terms: tuple[HandTerm, ...]) -> None:
    """Place by place, what each total does and how often it comes in a hand."""
    place = ""
    for term in terms:
        if term.place != place:
            place = term.place
            click.echo(
                f"\n{place}: {float(term.rolls):.4f} rolls a hand{_exact_suffix(term.rolls)}"
            )
        cite = f" [{term.cite}]" if term.cite else ""
        of, often = f"{term.weight:,}/{term.whole:,}", f"{term.often} a hand"
        click.echo(f"  {term.total:>2}  {of:>7}  {often:<22} {term.does}{cite}".rstrip())
    if terms:
        click.echo("\nrolls: all of these; points: those that make one; decisions: those that")
        click.echo("decide the come-out, make a point or end the hand")


def _show(hand: ShooterHand, shift: int | None) -> None:
    from passline.lab.luck.hands import SURVIVAL_TAILS

    length = hand.length
    dice = "" if hand.dice.fair else f", a seven {float(hand.dice.sevens):.4%} of the time"
    click.secho(f"A hand at {hand.house.name}, {hand.house.game}{dice}", bold=True)
    for name, mean in (
        ("rolls", length.mean_rolls),
        ("points made", length.mean_points),
        ("decisions of the line", length.mean_decisions),
    ):
        click.echo(f"  {float(mean):8.4f} {name} on average{_exact_suffix(mean)}")
    click.echo("\nIt lasts at least")
    for tail, chance in zip(SURVIVAL_TAILS, length.survivals(SURVIVAL_TAILS), strict=True):
        click.echo(f"  {tail:>4} rolls  {_chance_text(chance)}")
    click.echo("\nPoints made")
    for many, chance in enumerate(length.points(6)):
        click.echo(f"  {many:>4} {_bar(chance)}")
    click.echo("\nDifferent points made")
    for many, chance in enumerate(length.different_points()):
        click.echo(f"  {many:>4} {_bar(chance)}")
    if hand.collect_chances:
        click.echo(f"\nGathered{'' if shift is None else f', and in a shift of {shift:,} rolls'}")
    for each in hand.collect_chances:
        later = "" if shift is None else f"  in the shift {hand.in_shift(each, shift):.4%}"
        click.echo(f"  {_gathering_name(each):<32} {_chance_text(each.chance)}{later}")
    method = "exact, in fractions"
    click.echo(f"\n{method}{'' if shift is None else '; of a shift, exact in doubles'}")


def _gathering_name(each: CollectChance) -> str:
    if each.gathers == "points-made":
        return f"{each.name}: {each.least} different points"
    return f"{each.name}: {each.least} totals, no seven"


def _exact_suffix(value: Fraction) -> str:
    return f" = {value}" if len(str(value)) <= 40 else ""


def _chance_text(chance: Fraction) -> str:
    return f"{float(chance):<12.6g} {describe_chance(chance)}"


def _bar(chance: Fraction) -> str:
    return f"{float(chance):8.4%} {'#' * round(float(chance) * _BAR_WIDTH)}".rstrip()
