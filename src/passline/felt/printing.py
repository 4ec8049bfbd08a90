"""The words and payouts that stand on the felt, as the placard has them."""

from __future__ import annotations

from passline.house import House
from passline.house.card import posted
from passline.house.payouts import lines_for
from passline.law.wagers import Come, Composite, Face, Line, OneRoll
from passline.layout import Spot
from passline.sentences import join_words
from passline.words.wagers import layout_name

#: As layouts print them, so that nobody reads one for the other from across the table.
_LETTERS = {6: "SIX", 9: "NINE"}


def numeral(number: int) -> str:
    """A number as it stands in its box.

    >>> numeral(6), numeral(10)
    ('SIX', '10')
    """
    return _LETTERS.get(number, str(number))


def capitals(spot: Spot) -> str:
    """A wager's name in capitals, by its place on the layout."""
    return layout_name(spot.slug).upper()


def title(spot: Spot) -> str:
    """A wager's name as the placard has it, in capitals."""
    return spot.rule.title.upper()


def bar(spot: Spot) -> str:
    """What a don't wager bars: the totals on which it pushes."""
    rule = spot.rule
    if not isinstance(rule, Line | Come) or rule.first_push is None:
        return ""
    return f"BAR {join_words(rule.first_push.value)}"


def pays(house: House, spot: Spot) -> tuple[str, ...]:
    """What a wager pays, as the placard words it; for each of its lines, its faces first."""
    rule = spot.rule
    if isinstance(rule, Composite):
        return ()
    if spot.by_puck:
        found = {n: posted(house, odds) for n, odds in spot.by_puck.items()}
        return tuple(f"{n}: {odds}" for n, odds in found.items())
    lines = lines_for(house, spot.slug, rule, spot.number)
    if len(lines) == 1 or not lines[0][0].on:
        return tuple(posted(house, odds) for _, odds in lines)
    return tuple(f"{join_words(pay.on, 'or')}: {posted(house, odds)}" for pay, odds in lines)


def first_pay(house: House, spot: Spot) -> str:
    """What a wager pays at least: its first line."""
    lines = lines_for(house, spot.slug, spot.rule, spot.number)
    return posted(house, lines[0][1]) if lines else ""


def field_words(house: House, spot: Spot) -> tuple[tuple[Face, ...], tuple[str, ...]]:
    """The field's totals, and what those pay that pay more than the first line."""
    rule = spot.rule
    assert isinstance(rule, OneRoll)
    lines = lines_for(house, spot.slug, rule, spot.number)
    groups: dict[str, list[Face]] = {}
    for pay, odds in lines[1:]:
        groups.setdefault(posted(house, odds), []).extend(pay.on)
    more = tuple(
        f"{join_words(faces)} {'pays' if len(faces) == 1 else 'pay'} {odds}"
        for odds, faces in groups.items()
    )
    return rule.win.value, more
