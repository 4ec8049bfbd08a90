"""The wagers a house deals, the payouts in force, and the names under which it raises them.

Everything that shows or settles a payout reads it here: the layout, lint and the placard.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from passline.law.book import Book
from passline.law.families import flat_of, is_laid, odds_numbers, slugs_of, wager_slugs
from passline.law.wagers import AnyWager, Collect, Come, Composite, Face, OddsRule, Pay, Race
from passline.money import Odds

__all__ = [
    "Payout",
    "deals",
    "flat_of",
    "in_force",
    "is_laid",
    "lines_for",
    "odds_numbers",
    "on_number",
    "pay_lines",
    "pay_names",
    "payouts_of",
    "slugs_of",
    "wager_slugs",
]

if TYPE_CHECKING:  # a house is made from elections, whose names are checked here
    from passline.house.house import House


def deals(house: House, rule: AnyWager) -> bool:
    """Whether a wager is dealt here: in this game, and elected where it must be."""
    if rule.games is not None and house.game not in rule.games.value:
        return False
    return not rule.offer or house.offers(rule.offer)


def pay_lines(house: House, rule: AnyWager) -> tuple[Pay, ...]:
    """The payout lines that the house's elections leave in force."""
    return tuple(pay for pay in rule.pays if in_force(house, pay))


def in_force(house: House, pay: Pay) -> bool:
    """Whether a payout line is paid here: not of another pay table than the one elected."""
    key, _, choice = pay.elect.partition("=")
    return not pay.elect or house.elected(f"offers.{key}") == choice


def pay_names(
    slug: str, rule: AnyWager, pay: Pay, number: int, first: bool
) -> dict[str, tuple[Face, ...]]:
    """The names under which a house raises this line (``pays.field-12``), and the faces of each.

    The first line of a wager goes by its slug, a later one by slug and face (``field-12``) or,
    where it is for pairs, by ``-hard``; fire by the number of points; odds on the line by point.

    >>> field = Pay("2 to 1", on=(2, 12), custom="an example")
    >>> from passline.law import rulebook
    >>> pay_names("field", rulebook("new-jersey").wager["field"], field, 0, False)
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


def on_number(lines: tuple[Pay, ...], rule: AnyWager, number: int) -> tuple[Pay, ...]:
    """Of a wager's payout lines, those for the number it is on."""
    if number and isinstance(rule, Race | OddsRule):
        return tuple(pay for pay in lines if not pay.on or number in pay.on)
    return lines


def lines_for(house: House, slug: str, rule: AnyWager, number: int) -> list[tuple[Pay, Odds]]:
    """A spot's payout lines with the odds this house pays. ``number``: the spot's, or the puck."""
    found: list[tuple[Pay, Odds]] = []
    for place, pay in enumerate(on_number(pay_lines(house, rule), rule, number)):
        names = pay_names(slug, rule, pay, number, place == 0)
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
    lines: tuple[Pay, ...]


def payouts_of(book: Book) -> dict[str, Payout]:
    """Every payout of the book by the name under which a house would raise it."""
    found: dict[str, list[Pay]] = {}
    families: dict[str, str] = {}
    for family, rule in book.wager.items():
        for slug, number in slugs_of(book, family, rule):
            on_line = isinstance(rule, OddsRule) and not number
            for at in book.points.value if on_line else (number,):
                for name, pay in _named(slug, rule, at):
                    families[name] = family
                    if pay not in found.setdefault(name, []):
                        found[name].append(pay)
    return {name: Payout(families[name], tuple(lines)) for name, lines in found.items()}


def _named(slug: str, rule: AnyWager, number: int) -> Iterator[tuple[str, Pay]]:
    """Each line of a wager with its names; lines of another pay table are counted apart."""
    if isinstance(rule, Composite):  # paid as its legs
        return
    seen: list[str] = []
    for pay in on_number(rule.pays, rule, number):
        first = not any(elect in {"", pay.elect} for elect in seen)
        seen.append(pay.elect)
        for name in pay_names(slug, rule, pay, number, first):
            yield name, pay
