"""Presses: a wager that is up goes up, and by how much is said or has one meaning only."""

from __future__ import annotations

import re

from passline.law.wagers import Hardway
from passline.table import commands as cmd
from passline.talk.changes import AMOUNT, move, name_wagers, unit_of
from passline.talk.groups import PLACE
from passline.talk.says import money_words, read_amount
from passline.talk.utterance import Heard, UnheardError, offer_choices, unplayable

_PRESS = re.compile(
    rf"(?P<how>press|full-press|half-press|power-press)"
    rf"(?: (?P<what>(?!to |by |up )[a-z0-9, -]*?[a-z0-9]))??(?: up)?"
    rf"(?:(?: to (?P<to>{AMOUNT}))|(?: (?:by )?(?P<units>\d+) unit)|(?: by (?P<by>{AMOUNT})))?"
    r"(?: each)?(?: on (?P<late>[a-z0-9, -]+))?"
)
_ADD = re.compile(
    rf"add (?:(?P<units>\d+) unit|(?P<by>{AMOUNT})) (?:to|on) (?:number-)?(?P<what>[a-z0-9 -]+)"
)
#: What is pressed on its number; hardways are pressed too.
_NUMBERS = (PLACE, "buy", "place-lose", "lay")


def press_wagers(heard: Heard) -> list[cmd.AnyCommand]:
    """``press the six``: doubled; to an amount, by units or by an amount where that is said."""
    found = _PRESS.fullmatch(heard.said)
    if found is None or (found["what"] and found["late"]):
        raise UnheardError
    slugs = _which(heard, found["what"] or found["late"] or "it")
    if len(slugs) > 1 and found["to"]:
        raise UnheardError  # one amount for several wagers: each is pressed by itself
    return [move(heard, slug, _to(heard, slug, found), "up") for slug in slugs]


def add_to(heard: Heard) -> list[cmd.AnyCommand]:
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
        up = [slug for slug in heard.wagers if _is_pressed(heard, slug, _NUMBERS)]
        if len(up) > 1:
            raise offer_choices("press-which", heard.with_word("it", up))
        if not up:
            raise unplayable("nothing-to-press", player=heard.player)
        return up
    if what == "all":
        return _all(heard)
    slugs = name_wagers(heard, what)
    if not slugs:
        raise UnheardError
    if what.isdigit() and heard.kind(slugs[0]) not in _NUMBERS:
        raise unplayable("nothing-to-press-on", player=heard.player, number=what)
    for slug in slugs:
        if slug not in heard.wagers:
            raise unplayable("not-up", player=heard.player, wager=slug)
    return slugs


def _is_pressed(heard: Heard, slug: str, kinds: tuple[str, ...]) -> bool:
    spot = heard.table.layout.spots[slug]
    return spot.kind in kinds or isinstance(spot.rule, Hardway)


def _all(heard: Heard) -> list[str]:
    """``press them all``: where only place and buy wagers are up, they are meant."""
    slugs = [slug for slug in heard.wagers if heard.kind(slug) in (PLACE, "buy")]
    others = [slug for slug in heard.wagers if _is_pressed(heard, slug, ("place-lose", "lay"))]
    if not slugs and not others:
        raise unplayable("nothing-to-press", player=heard.player)
    if others:
        raise offer_choices("press-which", heard.with_word("all", [*slugs, *others]))
    return slugs


def _to(heard: Heard, slug: str, found: re.Match[str]) -> int:
    up = heard.wagers[slug].amount
    if found["to"]:
        return read_amount(found["to"].removeprefix("$"))
    if found["by"] or found["units"]:
        return _more(heard, slug, found)
    if found["how"] == "press":
        return up * 2  # Iowa's definition, and what the dealer school calls common
    win = _win(heard, slug)
    whole = up + win
    if found["how"] == "power-press":
        return _in_units(heard, slug, whole)
    unit = unit_of(heard, slug)
    less = whole - whole % unit
    if found["how"] == "full-press":
        # The school doubles; others press as much of the win as makes units.
        return _agreed(slug, {up * 2, less}, "full-press", whole)
    if found["how"] == "half-press":
        # Half as much again, or half of the win, as far as either makes units.
        halves = {up + half - half % unit for half in (up // 2, win // 2)}
        if up in halves:
            ways = [f"press {slug} to {money_words(up + unit)}"]
            raise offer_choices("half-no-unit", ways, wager=slug)
        return _agreed(slug, halves, "half-press", whole)
    raise AssertionError(found["how"])


def _more(heard: Heard, slug: str, found: re.Match[str]) -> int:
    """What a wager comes to with an amount, or so many units, put on it."""
    up = heard.wagers[slug].amount
    if found["by"]:
        return up + read_amount(found["by"].removeprefix("$"))
    units = int(found["units"][:6])
    if not units:
        raise UnheardError
    return up + units * unit_of(heard, slug)


def ride_on(heard: Heard, slug: str, whole: int) -> cmd.AnyCommand:
    """A wager that is up, to its stake and its whole win."""
    return cmd.Change(heard.player, slug, _in_units(heard, slug, whole))


def _in_units(heard: Heard, slug: str, whole: int) -> int:
    """A stake and its whole win: on a place number, where that makes units."""
    if heard.kind(slug) != PLACE:
        return whole
    unit = unit_of(heard, slug)
    readings = {whole - whole % unit, whole + -whole % unit}
    return _agreed(slug, readings, "whole-win", whole)


def _agreed(slug: str, readings: set[int], code: str, whole: int) -> int:
    if len(readings) == 1:
        return readings.pop()
    ways = [f"press {slug} to {money_words(cents)}" for cents in sorted(readings)]
    raise offer_choices(code, ways, wager=slug, whole=whole)


def _win(heard: Heard, slug: str) -> int:
    """What the wager wins as it stands, at its posted odds."""
    return heard.table.layout.spots[slug].odds.paid(heard.wagers[slug].amount)
