"""Wagers that are up: named as players name them, taken down, called on or off, changed."""

from __future__ import annotations

import re

from passline.law.wagers import Come, Line, Odds
from passline.layout.may import may_call
from passline.table import commands as cmd
from passline.talk.doubts import STRAIGHT_ON
from passline.talk.groups import HARDS, is_group, units_of
from passline.talk.odds import is_odds, odds_slug
from passline.talk.says import amount
from passline.talk.utterance import Heard, UnheardError, UnplayableError, either, knows

AMOUNT = r"\$?(\d[\d,]*(?:\.\d{1,2})?)"
_BOX = ("place-win", "buy", "lay", "place-lose")
_NUMBER = re.compile(r"(?:total-)?(\d+)")
_NAMED = re.compile(r"(place|buy|lay|come|dont-come) (?:total-)?(\d+)( lose)?")
_FAMILIES = {
    "place": ("place-win",),
    "buy": ("buy",),
    "buys": ("buy",),
    "lay": ("lay",),
    "lays": ("lay",),
    "numbers": ("place-win", "buy"),
}
_NUMBERS = ("2", "3", "4", "5", "6", "8", "9", "10", "11", "12")


def named(heard: Heard, what: str) -> list[str]:
    """The slugs that a player means; [] is everything. A slug is one whether it is up or not."""
    if what in {"", "all"}:
        return []
    found: list[str] = []
    for part in re.split(r" (?:and|,)(?: and)? ", what):
        found += [slug for slug in _one(heard, part) if slug not in found]
    return found


def _one(heard: Heard, what: str) -> list[str]:
    what = what.removeprefix("all ")
    number, pair = _NUMBER.fullmatch(what), _NAMED.fullmatch(what)
    if number:
        return [_on_number(heard, what, number[1])]
    if pair:
        verb = {"place": "place-lose" if pair[3] else "place-win"}.get(pair[1], pair[1])
        return [f"{verb}-{pair[2]}"]
    if what in {"it", "them"}:
        return [_only(heard, what)]
    if _is_family(what):
        return _family(heard, what)
    if is_odds(what):
        return [odds_slug(heard, what)]
    if knows(heard.table, what):
        return [_meant(heard, what)]
    raise UnheardError


def _meant(heard: Heard, slug: str) -> str:
    """A wager by its name; where it is not up, the one on a number that goes by that name too.

    ``my come`` may have travelled; at a crapless table ``boxcars`` may be the placed 12.
    """
    spots = heard.table.layout.spots
    if slug in STRAIGHT_ON:
        others = [f"{family}-{STRAIGHT_ON[slug]}" for family in _BOX]
    elif slug in spots and isinstance(spots[slug].rule, Come) and not spots[slug].number:
        others = [other for other in heard.wagers if other != slug and spots[other].family == slug]
    else:
        return slug
    up = [other for other in others if other in heard.wagers]
    if slug in heard.wagers:
        if not up:
            return slug
        ways = [f"{slug} down"] if "down" in heard.words else []
        raise either(f"{slug}, or another by that name", ways + heard.with_word(slug, up))
    if len(up) > 1:
        raise either("which one", heard.with_word(slug, up))
    return up[0] if up else slug


def _on_number(heard: Heard, word: str, number: str) -> str:
    """The one wager on a number; a come wager there only where nothing else is."""
    if number not in _NUMBERS:
        raise UnheardError
    spots, box = heard.table.layout.spots, [f"{family}-{number}" for family in _BOX]
    comes = [s for s in heard.wagers if isinstance(spots[s].rule, Come)]
    for there in (box, [s for s in comes if spots[s].number == int(number)]):
        up = [slug for slug in there if slug in heard.wagers]
        if len(up) > 1:
            raise either(f"which wager on the {number}", heard.with_word(word, up))
        if up:
            return up[0]
    raise UnplayableError(f"{heard.player} has no wager up on the {number}")


def _only(heard: Heard, word: str) -> str:
    spots = heard.table.layout.spots
    up = [slug for slug in heard.wagers if not isinstance(spots[slug].rule, Line)]
    if len(up) > 1:
        raise either("which one", heard.with_word(word, up))
    if not up:
        raise UnplayableError(f"{heard.player} has nothing up that this could mean")
    return up[0]


def _is_family(what: str) -> bool:
    return what in _FAMILIES or what in {"hards", "center", "hop", "odds"} or is_group(what)


def _family(heard: Heard, what: str) -> list[str]:
    spots = heard.table.layout.spots
    if what in _FAMILIES:
        up = [slug for slug in heard.wagers if spots[slug].family in _FAMILIES[what]]
    elif what == "odds":
        up = [slug for slug in heard.wagers if isinstance(spots[slug].rule, Odds)]
    elif what == "hards":
        up = [slug for slug in heard.wagers if slug in HARDS]
    elif what == "hop":
        up = [slug for slug in heard.wagers if slug.startswith("hop-")]
    elif what == "center":
        up = [slug for slug in heard.wagers if spots[slug].rule.area == "center"]
    else:
        # What is up on the point is up: it is left out only where that is said.
        whole = what if "-no-" in what else f"{what.partition('-')[0]}-with-point"
        numbers = units_of(heard, whole)[0]
        up = [slug for slug in heard.wagers if slug in {f"place-win-{n}" for n in numbers}]
    if not up:
        shown = {"hards": "hardway", "hop": "hop", "center": "center wager"}.get(what, what)
        raise UnplayableError(f"{heard.player} has no {shown} up")
    return sorted(up, key=lambda slug: spots[slug].rank)


_DOWN = re.compile(r"(?:take )?down(?: on)?(?: (?P<b>.+))?|(?:take )?(?P<a>.+) down")


def taken_down(heard: Heard) -> list[cmd.AnyCommand]:
    """``take me down``, ``take down my six``, ``hardways down``."""
    found = _DOWN.fullmatch(heard.said)
    if found is None:
        raise UnheardError
    slugs = named(heard, found["a"] or found["b"] or "")
    if not slugs:
        return [cmd.TakeAllDown(heard.player)]
    return [cmd.TakeDown(heard.player, slug) for slug in slugs]


_VERB = r"(?:turn|make|call|keep|leave) "
_CALLS = (
    re.compile(rf"(?:{_VERB})?(?P<what>.+?)(?: (?P<on>on|off))"),
    re.compile(rf"(?:{_VERB})?(?P<on>on|off)(?: (?P<what>.+))?"),
)


def called(heard: Heard) -> list[cmd.AnyCommand]:
    """``turn me off``, ``hardways off``, ``my odds are working``, ``make the 4 and 10 work``."""
    said = re.sub(r"(?: for)?(?: comeout)$", "", heard.said)
    for pattern in _CALLS:
        found = pattern.fullmatch(said)
        if found is None:
            continue
        what = (found["what"] or "").removesuffix(" on").removeprefix("on ")
        if what in {"turn", "make", "call", "keep", "leave", "on", "off"}:
            what = ""
        try:
            slugs = named(heard, what)
        except UnheardError:
            continue
        on = found["on"] == "on"
        if _is_family(what):
            slugs = _may_be(heard, slugs, on) or slugs
        return [cmd.Call(heard.player, slug, on) for slug in slugs or [""]]
    raise UnheardError


def _may_be(heard: Heard, slugs: list[str], on: bool) -> list[str]:
    """Of a family, those that may be called; odds on the line, say, always work with it."""
    layout, wagers = heard.table.layout, heard.wagers
    return [
        slug
        for slug in slugs
        if may_call(layout, layout.spots[slug], wagers[slug].call, on) is None
    ]


_CHANGE = re.compile(rf"(?:take |make )?(?P<what>.+?)(?: (?:up|down))? to (?P<to>{AMOUNT})")
_MAKE = re.compile(rf"make (?P<what>.+?)(?: for)? (?P<to>{AMOUNT})")


def changed(heard: Heard) -> list[cmd.AnyCommand]:
    """``place 6 to 30``, ``make my six look like 30``, ``take the eight down to 6``."""
    for pattern in (_CHANGE, _MAKE):
        found = pattern.fullmatch(heard.said)
        if found is None:
            continue
        slugs = named(heard, found["what"])
        if len(slugs) != 1:
            raise UnheardError
        return [cmd.Change(heard.player, slugs[0], amount(found["to"].removeprefix("$")))]
    raise UnheardError
