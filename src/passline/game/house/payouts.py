"""The wagers that a house deals, what each pays, and the names by which a house raises a payout.

The layout, lint and the placard read payouts only from here. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from passline.game.house.rule_elections import find_group
from passline.game.law.book import Book
from passline.game.law.shapes import AnyWager
from passline.game.law.shapes.staged import StagedWager
from passline.game.law.wager_names import iter_slugs
from passline.game.law.wagers import PayLine
from passline.game.money.amounts import Odds

if TYPE_CHECKING:  # A house is made from elections, and this module checks names in elections.
    from passline.game.house.house import House


def is_dealt(house: House, rule: AnyWager) -> bool:
    """Return whether a house deals a wager.

    The wager must belong to the house's game. If it is elective, the house must elect it. Its group
    (hops, field or hardways) must not be left out.
    """
    if is_left_out(house, rule):
        return False
    if rule.games is not None and house.game not in rule.games.value:
        return False
    return not rule.offer or house.offers(rule.offer)


def is_left_out(house: House, rule: AnyWager) -> bool:
    """Return whether the house leaves out the wager's group: hops, field or hardways."""
    group = find_group(house.book, rule)
    return bool(group) and house.elections.get(f"offers.{group}") is False


def is_line_active(house: House, pay: PayLine) -> bool:
    """Return whether a payout line applies: it belongs to the elected pay table, or to none."""
    key, _, choice = pay.elect.partition("=")
    return not pay.elect or house.elected(f"offers.{key}") == choice


def select_lines_for_number(
    lines: tuple[PayLine, ...], rule: AnyWager, number: int
) -> tuple[PayLine, ...]:
    """Return those payout lines of a wager that apply when it is on this number.

    All do if the number is 0, or if the faces of the lines are throws and not the wager's numbers.
    """
    if number and rule.pays_by_number:
        return tuple(pay for pay in lines if not pay.on or number in pay.on)
    return lines


def find_pay_lines(
    house: House, slug: str, rule: AnyWager, number: int
) -> list[tuple[PayLine, Odds]]:
    """Return (payout line, this house's odds) for each line of a wager on a number or point.

    If the house raised the odds for only some of a line's faces, the line is divided.
    """
    found: list[tuple[PayLine, Odds]] = []
    active = tuple(pay for pay in rule.pays if is_line_active(house, pay))
    for place, pay in enumerate(select_lines_for_number(active, rule, number)):
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


def find_stage_lines(
    house: House, family: str, rule: StagedWager
) -> list[tuple[int, PayLine, Odds]]:
    """Return (stage, payout line, this house's odds) for each stage that pays, in rising order.

    A stage is how far a side bet has come, such as the number of pass wins so far.
    """
    found = []
    for slug, number in iter_slugs(house.book, family, rule):
        lines = find_pay_lines(house, slug, rule, number) if number else []
        found += [(number, pay, odds) for pay, odds in lines]
    return found


class Payout(msgspec.Struct, frozen=True):
    """What a payout name in an election stands for: a wager family and some of its payout lines."""

    family: str
    lines: tuple[PayLine, ...]


def find_payouts(book: Book) -> dict[str, Payout]:
    """Return every payout of the book by the name that a house uses to raise it."""
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
    """Yield (name, payout line) for each name of each line of a wager on this number.

    A wager may have several pay tables for a house to choose from. In each, the first line is named
    as the wager's first.
    """
    if rule.is_composite:  # A composite is paid through its legs.
        return
    seen: list[str] = []
    for pay in select_lines_for_number(rule.pays, rule, number):
        first = not any(elect in {"", pay.elect} for elect in seen)
        seen.append(pay.elect)
        for name in rule.list_payout_names(slug, pay, number, first):
            yield name, pay
