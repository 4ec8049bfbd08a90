"""``passline hand``: how long a shooter's hand lasts, and which points and totals it collects."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from passline.cli import lab_commands as lab
from passline.game.law.book_files import DEFAULT_BOOK
from passline.game.law.shapes.collect import Collect
from passline.game.law.shapes.pass_wins import PassWins
from passline.game.words.hands import describe_chance
from passline.game.words.wagers import wager_label
from passline.lab.results import exact_suffix

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.game.house.house import House
    from passline.lab.luck.shooter_hand import CollectChance, HandTerm, ShooterHand

_BAR_WIDTH = 30  # characters of the longest bar


@lab.declare(
    "passline hand new-jersey --hours 8",
    lab.rulebook_argument(DEFAULT_BOOK),
    lab.HOURS_OPTION,
    lab.PACE_OPTION,
    lab.count_option("--rolls", "Rolls in a shift, in place of --hours.", 1, lab.MAX_SHIFT_ROLLS),
    lab.flag_option(
        "--explain", "Show where the means come from: each throw and how often it comes."
    ),
)
def command(
    house: House,
    hours: int | None,
    rolls_per_hour: int,
    rolls: int | None,
    explain: bool,
    dice: Dice,
) -> lab.Report:
    """Show how long a shooter's hand lasts: rolls, points and decisions, exactly. Also show the
    chance that a hand collects what the fire and bonus wagers and the Craps Shootout need, in one
    hand and in a shift, and the longest hand of a shift.

    A hand begins with a come-out roll and ends with the seven that passes the dice.
    """
    from passline.lab.luck.shooter_hand import (
        explain_hand,
        explained_hand_json,
        shooter_hand_json,
        solve_shooter_hand,
    )

    shift = lab.count_shift_rolls(hours, rolls_per_hour, rolls)
    hand = solve_shooter_hand(house, dice)
    terms = explain_hand(hand) if explain else ()
    more = {"explain": explained_hand_json(terms)} if explain else {}
    return lab.Report(
        json=lambda: shooter_hand_json(hand, shift) | more,
        lines=lambda: (*_lines(hand, shift), *_term_lines(terms)),
    )


def _lines(hand: ShooterHand, shift: int | None) -> Iterator[str]:
    from passline.lab.luck.shooter_hand import SURVIVAL_TAILS

    length = hand.length
    yield lab.bold(f"A hand at {hand.house.name}, {hand.house.game}")
    for name, mean in (
        ("rolls", length.mean_rolls),
        ("points made", length.mean_points),
        ("decisions of the line", length.mean_decisions),
    ):
        yield f"  {float(mean):8.4f} {name} on average{exact_suffix(mean)}"
    yield "\nIt lasts at least"
    for tail, chance in zip(SURVIVAL_TAILS, length.survivals(SURVIVAL_TAILS), strict=True):
        yield f"  {tail:>4} rolls  {_chance_text(chance)}"
    for title, chances in (
        ("Points made", length.points(6)),
        ("Different points made", length.different_points()),
    ):
        yield f"\n{title}"
        for count, chance in enumerate(chances):
            yield f"  {count:>4} {_bar(chance)}"
    yield from _pass_win_lines(hand)
    if hand.collect_chances:
        yield f"\nCollected{'' if shift is None else f', and in a shift of {shift:,} rolls'}"
    for each in hand.collect_chances:
        later = "" if shift is None else f"  in the shift {hand.in_shift(each, shift):.4%}"
        yield f"  {_collection_name(hand, each):<32} {_chance_text(each.chance)}{later}"
    longest = None if shift is None else hand.find_longest(shift)
    if longest is not None:
        yield f"\nThe longest hand in a shift of {shift:,} rolls"
        yield f"  {longest.mean:8.4f} rolls on average"
        for share in (0.5, 0.1, 0.01):
            yield f"  {longest.reached_in(share):>4} rolls or more in {share:.0%} of shifts"
    yield f"\nexact, in fractions{'' if shift is None else '; for a shift, exact in doubles'}"


def _pass_win_lines(hand: ShooterHand) -> Iterator[str]:
    """Yield, for each wager that pays for pass wins in a hand, the chance of enough of them."""
    from passline.lab.luck.shooter_hand import list_pass_wins

    for rule in hand.house.book.wager.values():
        if isinstance(rule, PassWins):
            chances = list_pass_wins(hand, max(rule.stages))
            yield f"\n{rule.title}: pass wins before the seven-out, at least"
            for wins in rule.stages:
                yield f"  {wins:>4} {_bar(1 - sum(chances[:wins], Fraction(0)))}"


def _term_lines(terms: tuple[HandTerm, ...]) -> Iterator[str]:
    """Yield the lines of ``--explain``: each state of a hand, and in it each total's effect."""
    place = ""
    for term in terms:
        if term.place != place:
            place = term.place
            yield f"\n{place}: {float(term.rolls):.4f} rolls a hand{exact_suffix(term.rolls)}"
        cite = f" [{term.cite}]" if term.cite else ""
        of, often = f"{term.weight:,}/{term.whole:,}", f"{term.often} a hand"
        yield f"  {term.total:>2}  {of:>7}  {often:<22} {term.does}{cite}".rstrip()
    if terms:
        yield "\nthe longest hand of a shift: the hands are independent, and end by these throws;"
        yield "a hand that the end of the shift cuts off counts as far as it came"
        yield "\nrolls: all of these; points: those that make one; decisions: those that"
        yield "decide the come-out, make a point or end the hand"


def _collection_name(hand: ShooterHand, each: CollectChance) -> str:
    if each.gathers == "points-made":
        return f"{wager_label(each.name)}: {each.least} different points"
    if each.gathers == "totals-thrown":
        return f"{wager_label(each.name)}: {each.least} totals, no seven"
    rule = hand.house.book.wager[each.name]
    assert isinstance(rule, Collect)
    return f"{wager_label(each.name)}: {rule.describe_count(each.least)}"


def _chance_text(chance: Fraction) -> str:
    return f"{float(chance):<12.6g} {describe_chance(chance)}"


def _bar(chance: Fraction) -> str:
    return f"{float(chance):8.4%} {'#' * round(float(chance) * _BAR_WIDTH)}".rstrip()
