"""What stands on a payout card, before it is set as text or as a page."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from passline.house.house import House
from passline.house.limits import most_of
from passline.house.payouts import deals, slugs_of
from passline.law.families import is_hop
from passline.law.wagers import AnyWager, Collect, Hardway, OddsRule, OneRoll
from passline.money import Odds, show_dollars
from passline.sentences import join_words


class CardRow(msgspec.Struct, frozen=True):
    """A line of the card: what, what it pays (or holds), and a word below it."""

    label: str
    pays: str
    note: str = ""


class Section(msgspec.Struct, frozen=True):
    """A part of the card under its own heading."""

    title: str
    rows: tuple[CardRow, ...]
    notes: tuple[str, ...] = ()


class Card(msgspec.Struct, frozen=True):
    """A whole payout card."""

    name: str
    game: str
    book: str
    sections: tuple[Section, ...]
    notices: tuple[str, ...]


def game_title(game: str) -> str:
    """A game as a heading has it.

    >>> game_title("mini-craps")
    'Mini-craps'
    """
    return game.capitalize()


def posted(house: House, odds: Odds) -> str:
    """Odds in the word the book asks for: "9 to 5" leaves the stake out, "14 for 5" counts it."""
    if house.book.odds_word.value == "for":
        return f"{odds.win + odds.stake} for {odds.stake}"
    return str(odds)


def grouped(by_number: dict[int, str]) -> dict[str, list[int]]:
    """Numbers that share a value, in the order of their first.

    >>> grouped({4: "9 to 5", 5: "7 to 5", 10: "9 to 5"})
    {'9 to 5': [4, 10], '7 to 5': [5]}
    """
    groups: dict[str, list[int]] = {}
    for number, value in by_number.items():
        groups.setdefault(value, []).append(number)
    return groups


def families(house: House) -> Iterator[tuple[str, AnyWager]]:
    """Every wager dealt in this house."""
    return ((f, rule) for f, rule in house.book.wager.items() if deals(house, rule))


def limits_section(house: House) -> Section:
    """The table's minimum and maximum, and wagers that have limits of their own."""
    rows = [CardRow("Minimum", show_dollars(house.minimum))]
    if house.center_minimum != house.minimum:
        rows.append(CardRow("Minimum on center wagers", show_dollars(house.center_minimum)))
    rows += [
        CardRow(f"Minimum, {label}", amount)
        for amount, label in _own(house, house.min_by_wager, 0).items()
    ]
    rows.append(CardRow("Maximum", show_dollars(house.maximum)))
    rows += [CardRow(f"Maximum, {label}", amount) for amount, label in _own_most(house).items()]
    return Section("Limits", tuple(rows), _breakage(house))


def _own_most(house: House) -> dict[str, str]:
    found: dict[str, int] = {}
    for family, rule in families(house):
        for slug, number in slugs_of(house.book, family, rule):
            if isinstance(rule, OddsRule):  # its section says how it is held to the flat wager
                found[slug] = house.max_by_wager.get(slug, house.maximum)
            elif not isinstance(rule, Collect):
                found[slug] = most_of(house, rule, slug, number)
    return _own(house, found, house.maximum)


def _own(house: House, amounts: dict[str, int], usual: int) -> dict[str, str]:
    """Wagers by an amount of their own: ``{"$600": "place to win 6 and 8"}``."""
    by_amount: dict[int, list[str]] = {}
    for family, rule in families(house):
        slugs = list(slugs_of(house.book, family, rule))
        own = {slug: amounts[slug] for slug, _ in slugs if amounts.get(slug, usual) != usual}
        for amount in dict.fromkeys(own.values()):
            numbers = [n for slug, n in slugs if own.get(slug) == amount and n]
            some = len(numbers) < sum(1 for _, n in slugs if n)
            title = rule.title.lower() + (f" {join_words(numbers)}" if numbers and some else "")
            by_amount.setdefault(amount, []).append(title)
    shown = sorted(by_amount.items())
    return {show_dollars(amount): "; ".join(_short(house, titles)) for amount, titles in shown}


def _short(house: House, titles: list[str]) -> list[str]:
    """Wagers of one kind that are all there go by the name of the kind."""
    for kind, shape, hops in (("hardways", Hardway, False), ("hops", OneRoll, True)):
        members = [
            rule.title.lower()
            for _, rule in families(house)
            if isinstance(rule, shape) and is_hop(rule) == hops
        ]
        if members and set(members) <= set(titles):
            titles = [title for title in titles if title not in members] + [kind]
    return titles


def _breakage(house: House) -> tuple[str, ...]:
    chip = show_dollars(house.chip)
    words = {
        "refuse": f"Wagers are made so that they can be paid exactly in chips of {chip}.",
        "down": f"What cannot be paid exactly is paid rounded down to {chip}.",
        "up": f"What cannot be paid exactly is paid rounded up to {chip}.",
    }
    return (words[house.breakage],)
