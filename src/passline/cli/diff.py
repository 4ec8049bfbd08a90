"""``passline diff``: two rulebooks or houses side by side, wager by wager."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from passline.cli import lab_commands as lab
from passline.cli.common import complete_rulebook, exit_on_house_error, fail
from passline.game.money.amounts import show_money

if TYPE_CHECKING:
    from fractions import Fraction

    from passline.game.dice.dice import Dice
    from passline.lab.pricing.explain import Explanation
    from passline.lab.pricing.house_comparison import HouseDifference, WagerSide

_DEFAULT_HOURS = 8


@lab.declare(
    "passline diff new-jersey src/passline/samples/boardwalk.toml",
    click.argument("first", metavar="RULEBOOK|FILE", shell_complete=complete_rulebook),
    click.argument("second", metavar="RULEBOOK|FILE", shell_complete=complete_rulebook),
    click.option("--wager", metavar="WAGER", help="Only this wager, such as field or pass+odds."),
    lab.dollars_option(
        "--stake", "The stake that is always up, in dollars.", default="10", show_default=True
    ),
    lab.HOURS_OPTION,
    lab.PACE_OPTION,
    click.option("--all", "every", is_flag=True, help="Also show the wagers that do not differ."),
    lab.flag_option("--explain", "Show where the edges come from, in both houses."),
)
def command(
    first: str,
    second: str,
    wager: str | None,
    stake: int,
    hours: int | None,
    rolls_per_hour: int,
    dice: Dice,
    every: bool,
    explain: bool,
) -> lab.Report:
    """Show two houses side by side: each wager that they price differently, its pay and its edge in
    each, and how much more the second house wins in a shift of --hours (8 by default) with --stake
    always up and working. Exact. For pass+odds, the edge is that of flat bet and odds together.
    Then every rule that differs: what works, what may be called, limits, refusals, when a bet may
    be made or changed, what stays up, and vigorish, with the clauses of both houses.
    """
    from passline.game.house.load import house_for
    from passline.lab.pricing.house_comparison import compare_houses, house_difference_json

    rolls = lab.count_shift_rolls(hours or _DEFAULT_HOURS, rolls_per_hour)
    if not rolls or not stake:
        fail("--stake: expected an amount above zero")
    with exit_on_house_error():
        houses = house_for(first, None, ()), house_for(second, None, ())
    result = compare_houses(*houses, dice, wager, stake)
    explained = list(_explain_wagers(result, dice, every)) if explain else []
    more = _explained_json(explained) if explain else {}
    return lab.Report(
        json=lambda: house_difference_json(result, stake, rolls) | more,
        lines=lambda: (
            *_lines(result, stake, rolls, every),
            *_explained_lines(result, explained),
        ),
    )


def _explain_wagers(
    result: HouseDifference, dice: Dice, every: bool
) -> Iterator[tuple[str, Explanation]]:
    """Yield (side, explanation) for each edge shown; the side is "first" or "second" house.

    ``every`` includes wagers that do not differ.
    """
    from passline.lab.pricing.explain import explain_wager

    for each in result.wagers:
        for side in ("first", "second"):
            if (each.price_differs or every) and getattr(each, side) is not None:
                yield side, explain_wager(getattr(result, side), each.wager, dice=dice)


def _explained_json(explained: list[tuple[str, Explanation]]) -> dict[str, object]:
    from passline.lab.pricing.explain import explanation_json

    return {
        "explain": [
            {"house": side, "wager": each.row.wager} | explanation_json(each)
            for side, each in explained
        ]
    }


def _explained_lines(
    result: HouseDifference, explained: list[tuple[str, Explanation]]
) -> Iterator[str]:
    from passline.cli.odds import explanation_lines

    for side, each in explained:
        yield lab.bold(f"\n{getattr(result, side).name}")
        yield from explanation_lines(each)


def _lines(result: HouseDifference, stake: int, rolls: int, every: bool) -> Iterator[str]:
    from passline.game.words.wagers import wager_label
    from passline.lab.results import align_columns

    yield lab.bold(f"{result.first.name} | {result.second.name}")
    first, second = _house_headings(result)
    rows = [("wager", first, second, "a shift", "as dealt")]
    for each in result.wagers:
        if each.price_differs or every:
            dollars, dealt = (
                each.shift_difference(stake, rolls),
                each.difference_as_dealt(stake, rolls),
            )
            sides = (
                _side_text(each.first, result.first.book.id),
                _side_text(each.second, result.second.book.id),
            )
            rows.append(
                (wager_label(each.wager), *sides, _signed_dollars(dollars), _signed_dollars(dealt))
            )
    if len(rows) == 1 and not result.rules:
        yield "no wager differs"
        return
    if len(rows) == 1:
        yield "no pay or edge differs"
    else:
        yield from align_columns(rows, (True, True, True, False, False))
        yield (
            f"\na shift: how much more the second house wins in {rolls:,} rolls with "
            f"{show_money(stake)} always up and working, nothing rounded; as dealt: with pays and "
            "vigorish rounded as each house does for that stake, where both take it; exact"
        )
    yield from _rule_lines(result, [row[0] for row in rows])


def _rule_lines(result: HouseDifference, priced: list[str]) -> Iterator[str]:
    """Yield the rules that differ, grouped by the wagers that have them in common.

    ``priced`` are the wagers of the price table, which already shows those that only one house
    deals.
    """
    from passline.game.words.wagers import wager_label
    from passline.lab.pricing.player_rules import group_rules

    shown = [
        each
        for each in result.rules
        if each.rule not in {"dealt", "pays"} or wager_label(each.wager or "-") not in priced
    ]
    houses = result.first, result.second
    tags = tuple(house.book.id for house in houses)
    if tags[0] == tags[1]:
        tags = ("first", "second")
    width = max(map(len, tags))
    for wagers, rules in group_rules(*houses, shown).items():
        yield lab.bold(f"\n{wagers}")
        for each in rules:
            yield f"  {each.label}"
            for tag, side in zip(tags, (each.first, each.second), strict=True):
                cites = f"  [{', '.join(side.cites)}]" if side.cites else ""
                yield f"    {tag:<{width}}  {side.words}{cites}"


def _house_headings(result: HouseDifference) -> tuple[str, str]:
    """Return the names of both houses, or ("first", "second") if they have the same name."""
    first, second = result.first.name, result.second.name
    return (first, second) if first != second else ("first", "second")


def _signed_dollars(cents: Fraction | None) -> str:
    return "" if cents is None else f"{float(cents) / 100:+,.2f}"


def _side_text(side: WagerSide | None, book: str) -> str:
    """Return a wager's edge and pay at one house, with the pay's rulebook unless it is ``book``."""
    if side is None:
        return "not dealt"
    pays = side.pays if len(side.pays) <= 16 else f"{side.pays[:13]}..."
    origin = f", {side.origin}" if side.origin not in ("", book) else ""
    return f"{float(side.edge):+.4%} ({pays}{origin})"
