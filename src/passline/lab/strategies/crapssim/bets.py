"""Map crapssim's bet classes to our wager slugs, and back."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Any

from passline.lab.machines.bettor import StrategyError

#: crapssim's class for each slug without a number.
_SLUG_BY_CLASS = {
    "PassLine": "pass",
    "DontPass": "dont-pass",
    "Field": "field",
    "Any7": "any-seven",
    "AnyCraps": "any-craps",
    "Two": "craps-2",
    "Three": "craps-3",
    "Yo": "eleven",
    "Boxcars": "craps-12",
    "CAndE": "c-and-e",
    "Horn": "horn",
    "World": "whirl",
    "Big6": "big-6",
    "Big8": "big-8",
    "Fire": "fire",
    "All": "make-them-all",
    "Tall": "all-tall",
    "Small": "all-small",
}
#: crapssim's class for each family of wagers on numbers; a slug is the family and a number.
_FAMILY_BY_CLASS = {"Place": "place-win", "Buy": "buy", "Lay": "lay", "HardWay": "hard"}
#: The flat wagers that travel, and the odds behind each flat.
_TRAVELING_BY_CLASS = {"Come": "come", "DontCome": "dont-come"}
_LINE_ODDS_BY_CLASS = {"PassLine": "pass-odds", "DontPass": "dont-pass-odds"}
_NUMBER_ODDS_BY_CLASS = {"Come": "come-odds", "DontCome": "dont-come-odds"}
#: Dice for which crapssim has a hop and our layouts have a wager of another name.
_SLUG_BY_FACES = {(1, 1): "craps-2", (1, 2): "craps-3", (5, 6): "eleven", (6, 6): "craps-12"}
#: Wagers that our rulebooks turn off on come-out rolls; "always working" turns them on by a call.
OFF_ON_COME_OUT = re.compile(r"(place-win|buy|come-odds)-\d+")
#: Wagers that the next throw always decides.
ONE_ROLL_BETS = re.compile(
    r"field|any-seven|any-craps|craps-\d+|eleven|c-and-e|horn|whirl|hop-\d-\d"
)
#: Wagers that a throw may pay and leave up at our table, while crapssim takes them down.
STAYS_UP_WHEN_PAID = re.compile(r"(hard|buy|big)-\d+")

_CLASS_BY_SLUG = {slug: name for name, slug in _SLUG_BY_CLASS.items()}
_CLASS_BY_FAMILY = {
    family: name
    for table in (_FAMILY_BY_CLASS, _TRAVELING_BY_CLASS)
    for name, family in table.items()
}
_FLAT_CLASS_BY_ODDS = {
    family: name
    for table in (_LINE_ODDS_BY_CLASS, _NUMBER_ODDS_BY_CLASS)
    for name, family in table.items()
}
_NUMBERED_SLUG = re.compile(r"([a-z-]+?)-(\d+)")
_HOP_SLUG = re.compile(r"hop-(\d)-(\d)")


@cache
def load_bet_module() -> Any:
    """Import and return ``crapssim.bet``."""
    return import_module("crapssim.bet")


def find_slug(bet: Any) -> str:
    """Return the slug of a crapssim bet. Raise StrategyError if no rulebook has that wager."""
    kind = type(bet)
    name = kind.__name__
    if kind.__module__ != "crapssim.bet":
        raise StrategyError(f"it bets a {name}, a wager of its own: none of our rulebooks has it")
    if name in _SLUG_BY_CLASS:
        return _SLUG_BY_CLASS[name]
    if name in _FAMILY_BY_CLASS:
        return f"{_FAMILY_BY_CLASS[name]}-{bet.number}"
    if name in _TRAVELING_BY_CLASS:
        return _TRAVELING_BY_CLASS[name] + (f"-{bet.number}" if bet.number else "")
    if name == "Hop":
        first, second = sorted(bet.result)
        return _SLUG_BY_FACES.get((first, second), f"hop-{first}-{second}")
    if name == "Odds" and bet.base_type.__name__ in _LINE_ODDS_BY_CLASS:
        return _LINE_ODDS_BY_CLASS[bet.base_type.__name__]
    if name == "Odds" and bet.base_type.__name__ in _NUMBER_ODDS_BY_CLASS:
        return f"{_NUMBER_ODDS_BY_CLASS[bet.base_type.__name__]}-{bet.number}"
    raise StrategyError(f"it bets {bet}: none of our rulebooks deals that wager")


def make_bet(slug: str, amount: float, point: int | None, working: bool | None) -> Any:
    """Return the crapssim bet for our wager ``slug``; None if crapssim has no such bet.

    ``amount`` is in dollars. ``point`` is the number that the puck is on, for odds behind a line
    bet. ``working`` says whether the bet works on come-out rolls too; only some bets have it.
    """
    theirs = load_bet_module()
    if slug in _CLASS_BY_SLUG:
        return getattr(theirs, _CLASS_BY_SLUG[slug])(amount)
    if hop := _HOP_SLUG.fullmatch(slug):
        return theirs.Hop((int(hop[1]), int(hop[2])), amount)
    parted = _NUMBERED_SLUG.fullmatch(slug)
    family, number = (parted[1], int(parted[2])) if parted else (slug, None)
    if family in _FLAT_CLASS_BY_ODDS:
        flat = getattr(theirs, _FLAT_CLASS_BY_ODDS[family])
        return theirs.Odds(flat, number or point, amount, working)
    if family not in _CLASS_BY_FAMILY:
        return None
    kind = getattr(theirs, _CLASS_BY_FAMILY[family])
    if family in _TRAVELING_BY_CLASS.values():
        return kind(amount, number) if number else kind(amount)
    return kind(number, amount) if family == "hard" else kind(number, amount, working)


def to_cents(bet: Any) -> int:
    """Return a crapssim bet's amount in cents. Raise StrategyError if it is not whole cents.

    >>> class Bet: amount = 6 / 5 * 6 * 2
    >>> Bet.amount, to_cents(Bet)
    (14.399999999999999, 1440)
    """
    exact = float(bet.amount) * 100
    if not (abs(exact) < 1e15 and abs(exact - round(exact)) < 1e-6):
        raise StrategyError(f"it bets ${bet.amount!r}, which is not whole cents")
    return round(exact)
