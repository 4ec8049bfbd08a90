"""Table talk: what players say to a dealer, understood as commands.

Only what leaves no doubt about money is understood; anything else is not guessed.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from passline.house.payouts import wager_slugs
from passline.law.slugs import known_slugs
from passline.layout import Refusal
from passline.layout.amounts import odds_cap
from passline.money import show_dollars
from passline.record.errors import RecordError
from passline.record.says import amount, read_say
from passline.record.words import plain_words
from passline.table import commands as cmd
from passline.table.state import Table

_AMOUNT = r"(\d[\d,]*(?:\.\d{1,2})?)"
_NUMBER = r"(2|3|4|5|6|8|9|10|11|12)"
_SLUG = r"([a-z][a-z0-9-]*)"
#: What the horn numbers are called, as numbers and by name.
_STRAIGHT = {"2": "craps-2", "3": "craps-3", "11": "eleven", "12": "craps-12"}
_BY_NAME = {"aces": "2", "ace-deuce": "3", "yo": "11", "boxcars": "12"}
_HORN = r"(2|3|11|12|aces|ace-deuce|yo|boxcars)"


class UnplayableError(Exception):
    """Talk that is understood and cannot be done: a matter of play, refused and not unreadable."""

    def __init__(self, reason: str, cite: str = "custom: nothing to do it with") -> None:
        super().__init__(reason)
        self.refusal = Refusal(reason, cite)


class Heard(NamedTuple):
    """What a pattern is told: the table, the player, and the words it matched."""

    table: Table
    player: str
    found: re.Match[str]

    def up(self, slug: str) -> bool:
        """Whether the player has that wager up."""
        return slug in self.table.seats[self.table.index(self.player)].wagers

    def bet(self, slug: str, cents: int) -> cmd.Bet:
        """A plain bet by the player."""
        return cmd.Bet(self.player, slug, cents)


Meaning = Callable[[Heard], list[cmd.Command]]


def _numbers(verb: str, slug: str) -> tuple[str, Meaning]:
    """``place 6 for 12``, ``place 6 and 8 for 12 each``."""

    def meant(heard: Heard) -> list[cmd.Command]:
        cents = amount(heard.found["amount"])
        numbers = re.findall(r"\d+", heard.found["numbers"])
        return [heard.bet(f"{slug}-{n}", cents) for n in numbers]

    many = rf"(?P<numbers>{_NUMBER}(?:(?: and|,)? {_NUMBER})*)"
    return rf"{verb}{many} for (?P<amount>{_AMOUNT})(?: each)?", meant


def _placed_on(heard: Heard) -> list[cmd.Command]:
    return [heard.bet(f"place-win-{heard.found[2]}", amount(heard.found[1]))]


def _laid_against(heard: Heard) -> list[cmd.Command]:
    return [heard.bet(f"lay-{heard.found[2]}", amount(heard.found[1]))]


def _group(heard: Heard) -> list[cmd.Command]:
    """Across, inside, outside: one sum in units, or so much each."""
    name = heard.found["group"]
    group = heard.table.house.book.groups.get(name)
    units = dict(group.unit.value) if group else dict(_UNITS[name])
    left_out = group.leaves_out_point.value if group else True
    cite = group.unit.cite if group else "custom: six on 6 and 8 for every five elsewhere"
    if heard.found["no"]:
        units.pop(heard.found["no"], None)
    elif left_out:
        units.pop(str(heard.table.puck), None)
    if bool(heard.found["before"]) == bool(heard.found["after"]):
        raise _UnheardError
    cents = amount(heard.found["before"] or heard.found["after"])
    if heard.found["each"]:
        count = cents // 500 if cents % 500 == 0 else 0
        if not count:
            raise UnplayableError(f"{name} each comes in units of $5", cite)
    else:
        unit = sum(units.values()) * 100
        count = cents // unit if cents % unit == 0 else 0
        if not count:
            low = max(cents // unit, 1) * unit
            raise UnplayableError(
                f"{show_dollars(cents)} does not divide {name}: "
                f"{show_dollars(low)} or {show_dollars(low + unit)} does",
                cite,
            )
    return [heard.bet(f"place-win-{n}", u * 100 * count) for n, u in units.items()]


_UNITS = {
    "across": {"4": 5, "5": 5, "6": 6, "8": 6, "9": 5, "10": 5},
    "inside": {"5": 5, "6": 6, "8": 6, "9": 5},
    "outside": {"4": 5, "5": 5, "9": 5, "10": 5},
}


def _odds(heard: Heard) -> list[cmd.Command]:
    return [heard.bet(_odds_slug(heard), amount(heard.found[1]))]


def _full_odds(heard: Heard) -> list[cmd.Command]:
    """As much as the house takes behind the flat wager."""
    named = heard.found.groupdict().get("slug")
    slug = named or _odds_slug(heard)
    spot = heard.table.layout.spots.get(slug)
    if spot is None or not spot.flat:
        raise _UnheardError
    seat = heard.table.seats[heard.table.index(heard.player)]
    if not spot.number and not heard.table.puck:
        raise UnplayableError("odds on the line need a point")
    if spot.flat not in seat.wagers:
        raise UnplayableError(f"{slug} needs a {spot.flat} wager that has its number")
    cap = odds_cap(heard.table.layout, spot, heard.table.puck, seat.wagers)
    if slug in seat.wagers:
        return [cmd.Change(heard.player, slug, cap)]
    return [heard.bet(slug, cap)]


def _odds_slug(heard: Heard) -> str:
    lines = [flat for flat in ("pass", "dont-pass") if heard.up(flat)]
    if len(lines) != 1:
        which = "both line wagers are up" if lines else "no line wager is up"
        raise UnplayableError(
            f"odds on what? {which}: say pass-odds, dont-pass-odds, come-odds-6 ..."
        )
    return f"{lines[0]}-odds"


def _press(heard: Heard) -> list[cmd.Command]:
    """A press doubles the wager, or takes it to an amount."""
    number, to = heard.found[1], heard.found[2]
    for family in ("place-win", "buy"):
        slug = f"{family}-{number}"
        if heard.up(slug):
            up = heard.table.seats[heard.table.index(heard.player)].wagers[slug].amount
            return [cmd.Change(heard.player, slug, amount(to) if to else up * 2)]
    raise UnplayableError(f"{heard.player} has no place or buy wager on {number} to press")


def _straight(heard: Heard) -> list[cmd.Command]:
    named = heard.found["name"]
    return [heard.bet(_STRAIGHT[_BY_NAME.get(named, named)], amount(heard.found["amount"]))]


def _hard(heard: Heard) -> list[cmd.Command]:
    return [heard.bet(f"hard-{heard.found[1]}", amount(heard.found[2]))]


def _high(heard: Heard) -> list[cmd.Command]:
    number = _BY_NAME.get(heard.found[1], heard.found[1])
    return [heard.bet(f"horn-high-{number}", amount(heard.found[2]))]


def _amount_first(heard: Heard) -> list[cmd.Command]:
    slug = heard.found[2]
    if not knows(heard.table, slug):
        raise _UnheardError
    return [heard.bet(slug, amount(heard.found[1]))]


def _all_down(heard: Heard) -> list[cmd.Command]:
    return [cmd.TakeAllDown(heard.player)]


def _all_off(heard: Heard) -> list[cmd.Command]:
    return [cmd.Call(heard.player, "", heard.found[1] == "on")]


class _UnheardError(Exception):
    """The pattern fits, the meaning does not: try the next."""


_PATTERNS: tuple[tuple[str, Meaning], ...] = (
    _numbers("place ", "place-win"),
    _numbers("buy ", "buy"),
    _numbers("lay ", "lay"),
    (rf"{_AMOUNT} (?:against) {_NUMBER}", _laid_against),
    (rf"lay {_AMOUNT} (?:against )?{_NUMBER}", _laid_against),
    (rf"{_AMOUNT} on {_NUMBER}", _placed_on),
    (
        rf"(?:(?P<before>{_AMOUNT}) )?(?P<group>across|inside|outside)"
        rf"(?: no (?P<no>{_NUMBER}))?(?: for (?P<after>{_AMOUNT}))?(?P<each> each)?",
        _group,
    ),
    (rf"odds for {_AMOUNT}", _odds),
    (rf"{_AMOUNT} odds", _odds),
    (r"(?:full|max) odds|odds for max", _full_odds),
    (rf"(?P<slug>{_SLUG}) for max", _full_odds),
    (rf"press {_NUMBER}(?: to {_AMOUNT})?", _press),
    (rf"horn-high {_HORN} for {_AMOUNT}", _high),
    (rf"hard {_NUMBER} for {_AMOUNT}", _hard),
    (rf"(?P<name>{_HORN}) for (?P<amount>{_AMOUNT})", _straight),
    (rf"(?P<amount>{_AMOUNT}) (?P<name>aces|ace-deuce|yo|boxcars)", _straight),
    (rf"{_AMOUNT} {_SLUG}", _amount_first),
    (r"take down|down|take everything down", _all_down),
    (r"turn (on|off)", _all_off),
)
_COMPILED = tuple((re.compile(pattern), meaning) for pattern, meaning in _PATTERNS)


def knows(table: Table, slug: str) -> bool:
    """Whether a word is a wager's slug: one of the contract's, or one that this rulebook adds."""
    return (
        slug in table.layout.spots or slug in known_slugs() or slug in wager_slugs(table.house.book)
    )


def understand(table: Table, player: str, text: str) -> list[cmd.Command]:
    """What a player said, as commands: canonical says first, then table talk."""
    said = " ".join(plain_words(text))
    known = partial(knows, table)
    try:
        direct = read_say(player, text, known) or read_say(player, said, known)
    except RecordError:
        # "pass for ten" reads as it stands once its words are plain; if not, say what was wrong.
        direct = read_say(player, said, known) if said != text else None
        if direct is None:
            raise
    if direct is not None:
        return [direct]
    for pattern, meaning in _COMPILED:
        found = pattern.fullmatch(said)
        if found is not None:
            try:
                return meaning(Heard(table, player, found))
            except _UnheardError:
                continue
    raise RecordError(_not_understood(text))


def _not_understood(text: str) -> str:
    shown = text if len(text) <= 60 else text[:57] + "..."
    first = text.split()[0].lower() if text.split() else ""
    near = difflib.get_close_matches(first, known_slugs(), 1, 0.6)
    if not near:
        near = difflib.get_close_matches(text.lower()[:30], known_slugs(), 1, 0.5)
    hint = f"; the nearest wager is {near[0]}" if near else ""
    return (
        f"{shown!r} is not understood{hint}: expected SLUG for AMOUNT, SLUG to AMOUNT, "
        "SLUG down, SLUG on or SLUG off"
    )
