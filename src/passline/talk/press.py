"""Presses: a wager that is up goes up, and by how much is said or has one meaning only."""

from __future__ import annotations

import re

from passline.money import show_dollars
from passline.table import commands as cmd
from passline.talk.changes import AMOUNT, named
from passline.talk.groups import unit_on
from passline.talk.says import amount, money_words
from passline.talk.utterance import Heard, UnheardError, UnplayableError, either
from passline.words.refusals import refusal_words

_PRESS = re.compile(
    rf"(?P<how>press|full-press|power-press)(?: (?P<what>(?!to |by )[a-z0-9, -]*?[a-z0-9]))??"
    rf"(?:(?: to (?P<to>{AMOUNT}))|(?: (?:by )?(?P<units>\d+) unit)|(?: by (?P<by>{AMOUNT})))?"
    r"(?: each)?"
)
_ADD = re.compile(
    rf"add (?:(?P<units>\d+) unit|(?P<by>{AMOUNT})) (?:to|on) (?:number-)?(?P<what>[a-z0-9 -]+)"
)

_FAMILIES = ("place-win", "buy", "place-lose", "lay")


def pressed(heard: Heard) -> list[cmd.AnyCommand]:
    """``press the six``: doubled; to an amount, by units or by an amount where that is said."""
    found = _PRESS.fullmatch(heard.said)
    if found is None:
        raise UnheardError
    slugs = _which(heard, found["what"] or "it")
    if len(slugs) > 1 and found["to"]:
        raise UnheardError  # one amount for several wagers: each is pressed by itself
    return [cmd.Change(heard.player, slug, _to(heard, slug, found)) for slug in slugs]


def added(heard: Heard) -> list[cmd.AnyCommand]:
    """``add 6 to the six``: a press by so much, on one wager that is up."""
    found = _ADD.fullmatch(heard.said)
    if found is None:
        raise UnheardError
    slugs = _which(heard, found["what"])
    if len(slugs) != 1:
        raise UnheardError  # so much on each, or in all: not said
    return [cmd.Change(heard.player, slugs[0], _more(heard, slugs[0], found))]


def _which(heard: Heard, what: str) -> list[str]:
    if what == "it":
        up = [slug for slug in heard.wagers if slug.startswith((*_FAMILIES, "hard-"))]
        if len(up) > 1:
            raise either("press which", [f"press {slug}" for slug in up])
        if not up:
            raise UnplayableError(f"{heard.player} has no place or buy wager up to press")
        return up
    if what == "all":
        return _all(heard)
    try:
        slugs = named(heard, what)
    except UnplayableError as none_up:
        if none_up.choices:
            raise
        raise UnplayableError(f"{refusal_words(none_up.refusal)} to press") from None
    if not slugs:
        raise UnheardError
    if what.isdigit() and not slugs[0].startswith(_FAMILIES):
        raise UnplayableError(f"{heard.player} has no place or buy wager on the {what} to press")
    for slug in slugs:
        if slug not in heard.wagers:
            raise UnplayableError(f"{heard.player} has no {slug} up to press")
    return slugs


def _all(heard: Heard) -> list[str]:
    """``press them all``: where only place and buy wagers are up, they are meant."""
    slugs = [slug for slug in heard.wagers if slug.startswith(("place-win", "buy"))]
    others = [slug for slug in heard.wagers if slug.startswith(("place-lose", "lay-", "hard-"))]
    if not slugs and not others:
        raise UnplayableError(f"{heard.player} has no place or buy wager up to press")
    if others:
        raise either("press which", [f"press {slug}" for slug in (*slugs, *others)])
    return slugs


def _to(heard: Heard, slug: str, found: re.Match[str]) -> int:
    up = heard.wagers[slug].amount
    if found["to"]:
        return amount(found["to"].removeprefix("$"))
    if found["by"] or found["units"]:
        return _more(heard, slug, found)
    if found["how"] == "press":
        return up * 2  # Iowa's definition, and what the dealer school calls common
    whole = up + _win(heard, slug)
    unit = _unit(heard, slug)
    less, more = whole - whole % unit, whole + -whole % unit
    if found["how"] == "full-press":
        # The school doubles; others press as much of the win as makes units.
        return _agreed(slug, {up * 2, less}, f"a full press of {slug}")
    return _agreed(slug, {less, more}, f"{slug} and its whole win make {show_dollars(whole)}")


def _more(heard: Heard, slug: str, found: re.Match[str]) -> int:
    """What a wager comes to with an amount, or so many units, put on it."""
    up = heard.wagers[slug].amount
    if found["by"]:
        return up + amount(found["by"].removeprefix("$"))
    units = int(found["units"][:6])
    if not units:
        raise UnheardError
    return up + units * _unit(heard, slug)


def _agreed(slug: str, readings: set[int], what: str) -> int:
    if len(readings) == 1:
        return readings.pop()
    raise either(
        f"{what}: which amount",
        [f"press {slug} to {money_words(cents)}" for cents in sorted(readings)],
    )


def _win(heard: Heard, slug: str) -> int:
    """What the wager wins as it stands, at its posted odds."""
    return heard.table.layout.spots[slug].odds.paid(heard.wagers[slug].amount)


def _unit(heard: Heard, slug: str) -> int:
    spot = heard.table.layout.spots[slug]
    if spot.family != "place-win":
        raise UnplayableError(f"a unit on {slug} can be any amount: say press {slug} to an amount")
    return unit_on(heard, spot.number)
