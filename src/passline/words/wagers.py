"""Wagers by name: the one place that words a slug."""

from __future__ import annotations

import re

_NAMES = {
    "dont-pass": "don't pass",
    "dont-come": "don't come",
    "c-and-e": "C and E",
    "dont-pass-odds": "don't pass odds",
    "eleven": "yo",
    "craps-2": "aces",
    "craps-3": "ace-deuce",
    "craps-12": "boxcars",
    "horn-high-2": "horn high aces",
    "horn-high-3": "horn high ace-deuce",
    "horn-high-11": "horn high yo",
    "horn-high-12": "horn high boxcars",
}
_COME_ODDS = re.compile(r"(dont-)?come-odds-([2-689]|1[0-2])")
_PLACE = re.compile(r"place-(win|lose)-(\d+)")
_HOP = re.compile(r"hop-(\d)-(\d)")
_CALLED = re.compile(r"(dont-)?come-(odds-)?\d+|hop-(?:1-1|1-2|5-6|6-6)|horn-high-\d+|[a-z-]+-7")


def wager_words(slug: str) -> str:
    """A wager as a dealer names it.

    >>> wager_words("place-win-6"), wager_words("hop-1-5"), wager_words("eleven")
    ('place 6', 'hop 1-5', 'yo')
    >>> wager_words("dont-come-odds-8")
    "don't come odds on the 8"
    """
    if slug in _NAMES:
        return _NAMES[slug]
    odds = _COME_ODDS.fullmatch(slug)
    if odds:
        side = "don't come" if odds[1] else "come"
        return f"{side} odds on the {odds[2]}"
    if _CALLED.fullmatch(slug):
        return slug  # no words of its own that could not be taken for another
    placed = _PLACE.fullmatch(slug)
    if placed:
        return f"place {placed[2]}" + (" to lose" if placed[1] == "lose" else "")
    hop = _HOP.fullmatch(slug)
    return f"hop {hop[1]}-{hop[2]}" if hop else slug.replace("-", " ")


#: Where a wager lies has more room than a dealer's breath.
_LAYOUT = {"pass": "pass line", "hi-lo": "hi-lo"} | {
    slug: words for slug, words in _NAMES.items() if words.startswith(("don't", "C and E"))
}
_TRAVELLED = re.compile(r"(dont-)?come-(odds-)?(\d+)")


def layout_name(slug: str) -> str:
    """A wager by its place on the layout.

    >>> layout_name("place-win-6"), layout_name("dont-come-odds-9"), layout_name("hop-1-5")
    ('place 6', "don't come 9 odds", 'hop 1-5')
    """
    if come := _TRAVELLED.fullmatch(slug):
        name = _NAMES["dont-come"] if come[1] else "come"
        return f"{name} {come[3]} odds" if come[2] else f"{name} {come[3]}"
    if placed := _PLACE.fullmatch(slug):
        return f"place {placed[2]}{' to lose' if placed[1] == 'lose' else ''}"
    if slug.startswith("hop-"):
        return slug.replace("-", " ", 1)
    return _LAYOUT.get(slug) or slug.replace("-", " ")


#: Where the screen has more room than a dealer's breath.
_SCREEN = {"pass": "pass line", "pass-odds": "odds", "dont-pass-odds": "don't odds"}


def bet_name(slug: str) -> str:
    """A wager as it is named on the screen.

    >>> bet_name("place-win-6"), bet_name("pass"), bet_name("dont-come-odds-4")
    ('place 6', 'pass line', "don't come 4 odds")
    """
    if _TRAVELLED.fullmatch(slug):
        return layout_name(slug)
    return _SCREEN.get(slug) or wager_words(slug)


def cell_name(slug: str, title: str, number: int) -> str:
    """A wager's name on the felt, for people who are told it: as the placard has it, and one on a
    number by that number.

    >>> cell_name("pass", "Pass", 0), cell_name("place-win-6", "Place to win", 6)
    ('Pass', 'Place 6')
    >>> cell_name("dont-come-odds-9", "Don't come odds", 9)
    "Don't come 9 odds"
    """
    if not number:
        return title
    name = layout_name(slug)
    return name[0].upper() + name[1:]
