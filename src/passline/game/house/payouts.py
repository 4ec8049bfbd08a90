"""The wagers that a house deals, what each pays there, and the names under which a house raises a
payout.

The layout, lint and the placard all read payouts here. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from passline.game.law.book import Book
from passline.game.law.shapes import AnyWager
from passline.game.law.wager_names import (
    iter_slugs,
)
from passline.game.law.wagers import PayLine
from passline.game.money.amounts import Odds

if TYPE_CHECKING:  # a house is made from elections, whose names are checked here
    from passline.game.house.house import House


def is_dealt(house: House, rule: AnyWager) -> bool:
    """Return whether a wager is dealt here: in this game, and elected if it has to be."""
    if rule.games is not None and house.game not in rule.games.value:
        return False
    return not rule.offer or house.offers(rule.offer)


def list_active_lines(house: House, rule: AnyWager) -> tuple[PayLine, ...]:
    """Return the payout lines that the house's elections leave in force."""
    return tuple(pay for pay in rule.pays if is_line_active(house, pay))


def is_line_active(house: House, pay: PayLine) -> bool:
    """Return whether a payout line is paid here: it belongs to the elected pay table, or to
    none.
    """
    key, _, choice = pay.elect.partition("=")
    return not pay.elect or house.elected(f"offers.{key}") == choice


def select_lines_for_number(
    lines: tuple[PayLine, ...], rule: AnyWager, number: int
) -> tuple[PayLine, ...]:
    """Return the payout lines of a wager that are for its number."""
    if number and rule.pays_by_number:
        return tuple(pay for pay in lines if not pay.on or number in pay.on)
    return lines


def find_pay_lines(
    house: House, slug: str, rule: AnyWager, number: int
) -> list[tuple[PayLine, Odds]]:
    """Return a spot's payout lines with the odds that this house pays. ``number`` is the spot's,
    or the puck.
    """
    found: list[tuple[PayLine, Odds]] = []
    for place, pay in enumerate(
        select_lines_for_number(list_active_lines(house, rule), rule, number)
    ):
        names = rule.list_payout_names(slug, pay, number, place == 0)
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
    """What the name of a payout means: the wager's family and the book's lines for it."""

    family: str
    lines: tuple[PayLine, ...]


def find_payouts(book: Book) -> dict[str, Payout]:
    """Return every payout of the book by the name under which a house would raise it."""
    found: dict[str, list[PayLine]] = {}
    families: dict[str, str] = {}
    for family, rule in book.wager.items():
        for slug, number in iter_slugs(book, family, rule):
            on_line = rule.is_odds and not number
            for at in book.points.value if on_line else (number,):
                for name, pay in _iter_named_lines(slug, rule, at):
                    families[name] = family
                    if pay not in found.setdefault(name, []):
                        found[name].append(pay)
    return {name: Payout(families[name], tuple(lines)) for name, lines in found.items()}


def _iter_named_lines(slug: str, rule: AnyWager, number: int) -> Iterator[tuple[str, PayLine]]:
    """Yield each line of a wager with its names. The lines of each pay table are numbered
    separately.
    """
    if rule.is_composite:  # paid as its legs
        return
    seen: list[str] = []
    for pay in select_lines_for_number(rule.pays, rule, number):
        first = not any(elect in {"", pay.elect} for elect in seen)
        seen.append(pay.elect)
        for name in rule.list_payout_names(slug, pay, number, first):
            yield name, pay
