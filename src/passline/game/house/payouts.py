"""The wagers a house deals, the payouts in force, and the names under which it raises them.

Everything that shows or settles a payout reads it here: the layout, lint and the placard.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from passline.game.law.book import Book
from passline.game.law.wager_names import (
    find_flat_wager,
    is_laid,
    iter_slugs,
    odds_numbers,
    wager_slugs,
)
from passline.game.law.wagers import (
    AnyWager,
    Collect,
    Come,
    Composite,
    Face,
    OddsRule,
    PayLine,
    Race,
)
from passline.game.money.amounts import Odds

__all__ = [
    "Payout",
    "find_flat_wager",
    "find_pay_lines",
    "find_payouts",
    "is_dealt",
    "is_laid",
    "is_line_active",
    "iter_slugs",
    "list_active_lines",
    "list_payout_names",
    "odds_numbers",
    "select_lines_for_number",
    "wager_slugs",
]

if TYPE_CHECKING:  # a house is made from elections, whose names are checked here
    from passline.game.house.house import House


def is_dealt(house: House, rule: AnyWager) -> bool:
    """Whether a wager is dealt here: in this game, and elected where it must be."""
    if rule.games is not None and house.game not in rule.games.value:
        return False
    return not rule.offer or house.offers(rule.offer)


def list_active_lines(house: House, rule: AnyWager) -> tuple[PayLine, ...]:
    """The payout lines that the house's elections leave in force."""
    return tuple(pay for pay in rule.pays if is_line_active(house, pay))


def is_line_active(house: House, pay: PayLine) -> bool:
    """Whether a payout line is paid here: not of another pay table than the one elected."""
    key, _, choice = pay.elect.partition("=")
    return not pay.elect or house.elected(f"offers.{key}") == choice


def list_payout_names(
    slug: str, rule: AnyWager, pay: PayLine, number: int, first: bool
) -> dict[str, tuple[Face, ...]]:
    """The names under which a house raises this line (``pays.field-12``), and the faces of each.

    The first line of a wager goes by its slug, a later one by slug and face (``field-12``) or,
    where it is for pairs, by ``-hard``; fire by the number of points; odds on the line by point.

    >>> field = PayLine("2 to 1", on=(2, 12), custom="an example")
    >>> from passline.game.law.load import rulebook
    >>> list_payout_names("field", rulebook("new-jersey").wager["field"], field, 0, False)
    {'field-2': (2,), 'field-12': (12,)}
    """
    if isinstance(rule, Collect) and pay.on:
        return {f"{slug}-{pay.on[0]}": pay.on}
    if isinstance(rule, Come):  # a come wager that has travelled is still a come wager
        return {slug.removesuffix(f"-{number}"): pay.on}
    if isinstance(rule, OddsRule) and number and not slug.endswith(f"-{number}"):
        return {f"{slug}-{number}": pay.on}
    if first or isinstance(rule, Race | OddsRule):
        return {slug: pay.on}
    if all(isinstance(face, int) for face in pay.on):
        return {f"{slug}-{face}": (face,) for face in pay.on}
    return {f"{slug}-hard": pay.on}


def select_lines_for_number(
    lines: tuple[PayLine, ...], rule: AnyWager, number: int
) -> tuple[PayLine, ...]:
    """Of a wager's payout lines, those for the number it is on."""
    if number and isinstance(rule, Race | OddsRule):
        return tuple(pay for pay in lines if not pay.on or number in pay.on)
    return lines


def find_pay_lines(
    house: House, slug: str, rule: AnyWager, number: int
) -> list[tuple[PayLine, Odds]]:
    """A spot's payout lines with the odds this house pays. ``number``: the spot's, or the puck."""
    found: list[tuple[PayLine, Odds]] = []
    for place, pay in enumerate(
        select_lines_for_number(list_active_lines(house, rule), rule, number)
    ):
        names = list_payout_names(slug, rule, pay, number, place == 0)
        raised = {name: house.pays[name] for name in names if name in house.pays}
        posted = Odds.parse(pay.odds)
        if len(names) == 1 or not raised:
            found.append((pay, next(iter(raised.values()), posted)))
            continue
        for name, faces in names.items():
            part = msgspec.structs.replace(pay, on=faces)
            found.append((part, raised.get(name, posted)))
    return found


class Payout(msgspec.Struct, frozen=True):
    """What a payout's name stands for: the wager's family and the book's lines for it."""

    family: str
    lines: tuple[PayLine, ...]


def find_payouts(book: Book) -> dict[str, Payout]:
    """Every payout of the book by the name under which a house would raise it."""
    found: dict[str, list[PayLine]] = {}
    families: dict[str, str] = {}
    for family, rule in book.wager.items():
        for slug, number in iter_slugs(book, family, rule):
            on_line = isinstance(rule, OddsRule) and not number
            for at in book.points.value if on_line else (number,):
                for name, pay in _iter_named_lines(slug, rule, at):
                    families[name] = family
                    if pay not in found.setdefault(name, []):
                        found[name].append(pay)
    return {name: Payout(families[name], tuple(lines)) for name, lines in found.items()}


def _iter_named_lines(slug: str, rule: AnyWager, number: int) -> Iterator[tuple[str, PayLine]]:
    """Each line of a wager with its names; lines of another pay table are counted apart."""
    if isinstance(rule, Composite):  # paid as its legs
        return
    seen: list[str] = []
    for pay in select_lines_for_number(rule.pays, rule, number):
        first = not any(elect in {"", pay.elect} for elect in seen)
        seen.append(pay.elect)
        for name in list_payout_names(slug, rule, pay, number, first):
            yield name, pay
