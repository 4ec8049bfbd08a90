"""Wagers that are up: named as players name them, taken down, raised or lowered."""

from __future__ import annotations

import re

from passline.law.families import is_hop
from passline.law.wagers import Come, Line, OddsRule
from passline.table import commands as cmd
from passline.talk.doubts import STRAIGHT_ON
from passline.talk.groups import PLACE, is_group, unit_on, units_of
from passline.talk.odds import is_odds, odds_slug
from passline.talk.says import money_words, read_amount, read_say
from passline.talk.sets import members
from passline.talk.utterance import (
    Heard,
    HowMuchError,
    UnheardError,
    knows,
    offer_choices,
    unplayable,
)

AMOUNT = r"\$?(\d[\d,]*(?:\.\d{1,2})?)"
_BOX = (PLACE, "buy", "lay", "place-lose")
_NUMBER = re.compile(r"(?:total-)?(\d+)")
_NAMED = re.compile(r"(place|buy|lay|come|dont-come) (?:total-)?(\d+)( lose)?")
_FAMILIES = {
    "place": (PLACE,),
    "buy": ("buy",),
    "buys": ("buy",),
    "lay": ("lay",),
    "lays": ("lay",),
    "numbers": (PLACE, "buy"),
}
_NUMBERS = ("2", "3", "4", "5", "6", "8", "9", "10", "11", "12")


def name_wagers(heard: Heard, what: str) -> list[str]:
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
        verb = {"place": "place-lose" if pair[3] else PLACE}.get(pair[1], pair[1])
        return [heard.slug(f"{verb}-{pair[2]}")]
    if what in {"it", "them"}:
        return [_only(heard, what)]
    if is_family(heard, what):
        return _family(heard, what)
    if is_odds(what):
        return [odds_slug(heard, what)]
    if knows(heard.table, what):
        return [_meant(heard, what)]
    raise UnheardError


def _meant(heard: Heard, word: str) -> str:
    """A wager by its name; where it is not up, the one on a number that goes by that name too.

    ``my come`` may have travelled; at a crapless table ``boxcars`` may be the placed 12.
    """
    spots = heard.table.layout.spots
    number, slug = STRAIGHT_ON.get(word), heard.slug(word)
    if number:
        others = [heard.slug(f"{name}-{number}") for name in _BOX]
    elif slug in spots and isinstance(spots[slug].rule, Come) and not spots[slug].number:
        others = [other for other in heard.wagers if other != slug and spots[other].family == slug]
    else:
        return slug
    up = [other for other in others if other in heard.wagers]
    if slug in heard.wagers:
        if not up:
            return slug
        ways = [f"{slug} down"] if "down" in heard.words else []
        raise offer_choices("same-name", ways + heard.with_word(word, up), wager=slug)
    if len(up) > 1:
        raise offer_choices("which-one", heard.with_word(word, up))
    return up[0] if up else slug


def _on_number(heard: Heard, word: str, number: str) -> str:
    """The one wager on a number; a come wager there only where nothing else is."""
    if number not in _NUMBERS:
        raise UnheardError
    spots, box = heard.table.layout.spots, [heard.slug(f"{b}-{number}") for b in _BOX]
    comes = [s for s in heard.wagers if isinstance(spots[s].rule, Come)]
    for there in (box, [s for s in comes if spots[s].number == int(number)]):
        up = [slug for slug in there if slug in heard.wagers]
        if len(up) > 1:
            raise offer_choices("which-on-number", heard.with_word(word, up), number=number)
        if up:
            return up[0]
    raise unplayable("none-on-number", player=heard.player, number=number)


def _only(heard: Heard, word: str) -> str:
    spots = heard.table.layout.spots
    up = [slug for slug in heard.wagers if not isinstance(spots[slug].rule, Line)]
    if len(up) > 1:
        raise offer_choices("which-one", heard.with_word(word, up))
    if not up:
        raise unplayable("nothing-meant", player=heard.player)
    return up[0]


def is_family(heard: Heard, what: str) -> bool:
    """Whether a word names several wagers at once: those of them that are up."""
    return (
        what in _FAMILIES
        or what in {"center", "hop", "odds"}
        or is_group(what)
        or bool(members(heard.table, what))
    )


def _family(heard: Heard, what: str) -> list[str]:
    spots = heard.table.layout.spots
    if what in _FAMILIES:
        up = [slug for slug in heard.wagers if spots[slug].kind in _FAMILIES[what]]
    elif what == "odds":
        up = [slug for slug in heard.wagers if isinstance(spots[slug].rule, OddsRule)]
    elif members(heard.table, what):
        up = [slug for slug in heard.wagers if slug in members(heard.table, what)]
    elif what == "hop":
        up = [slug for slug in heard.wagers if is_hop(spots[slug].rule)]
    elif what == "center":
        up = [slug for slug in heard.wagers if spots[slug].rule.area == "center"]
    else:
        # What is up on the point is up: it is left out only where that is said.
        whole = what if "-no-" in what or "-with-" in what else f"{what}-with-point"
        up = [slug for slug in heard.wagers if slug in units_of(heard.table, whole)[0]]
    if not up:
        shown = {"hards": "hardway", "hop": "hop", "center": "center wager"}.get(what, what)
        raise unplayable("none-of-kind", player=heard.player, kind=shown)
    return sorted(up, key=lambda slug: spots[slug].rank)


_DOWN = re.compile(r"(?:take )?down(?: (?:on|with))?(?: (?P<b>.+))?|(?:take )?(?P<a>.+) down")


def hear_down(heard: Heard) -> list[cmd.AnyCommand]:
    """``take me down``, ``take down my six``, ``hardways down``, ``down with my odds``."""
    found = _DOWN.fullmatch(heard.said)
    if found is None:
        raise UnheardError
    slugs = name_wagers(heard, found["a"] or found["b"] or "")
    if not slugs:
        return [cmd.TakeAllDown(heard.player)]
    return [cmd.TakeDown(heard.player, slug) for slug in slugs]


#: Which way each verb moves a wager; those that are not here move it either way.
_WAYS = {"raise": "up", "lower": "down", "up": "up", "down": "down"}
_TO = rf" to (?P<to>{AMOUNT})"
_VERB = r"(?P<verb>take|make|raise|lower|bring)"
_CHANGES = (
    re.compile(rf"(?P<verb>raise|lower|bring|take|make)(?P<what>)(?: (?P<way>up|down))?{_TO}"),
    re.compile(rf"(?:{_VERB} )?(?P<what>.+?)(?: (?P<way>up|down))?{_TO}"),
    re.compile(rf"(?P<verb>make) (?P<what>.+?)(?P<way>)(?: for)? (?P<to>{AMOUNT})"),
    re.compile(r"(?P<verb>raise|lower)(?: (?P<what>.+?))?(?P<way>) by (?P<units>\d+) unit"),
    re.compile(rf"(?P<verb>raise|lower)(?: (?P<what>.+?))?(?P<way>) by (?P<by>{AMOUNT})"),
)
_UNSAID = re.compile(r"(?:raise|lower)(?: (?P<what>.+))?")


def change_wager(heard: Heard) -> list[cmd.AnyCommand]:
    """``place 6 to 30``, ``make it look like 30``, ``take the eight down to 6``, ``lower it by 6``.

    A say that goes one way never moves a wager the other.
    """
    for pattern in _CHANGES:
        found = pattern.fullmatch(heard.said)
        if found is None:
            continue
        slugs = name_wagers(heard, found["what"] or "it")
        if len(slugs) != 1:
            raise UnheardError
        way = _WAYS.get(found["verb"] or "") or _WAYS.get(found["way"] or "", "")
        return [move(heard, slugs[0], _target(heard, slugs[0], found), way)]
    found = _UNSAID.fullmatch(heard.said)
    if found is not None and (not found["what"] or name_wagers(heard, found["what"])):
        raise HowMuchError("to")
    raise UnheardError


def _target(heard: Heard, slug: str, found: re.Match[str]) -> int:
    groups = found.groupdict()
    if groups.get("to"):
        return read_amount(groups["to"].removeprefix("$"))
    if slug not in heard.wagers:
        raise unplayable("not-up", player=heard.player, wager=slug)
    if groups.get("units"):
        by = int(groups["units"][:6]) * unit_of(heard, slug)
    else:
        by = read_amount(groups["by"].removeprefix("$"))
    up = heard.wagers[slug].amount
    if groups["verb"] == "raise":
        return up + by
    if by >= up:
        raise offer_choices("nothing-left", [f"{slug} down"], wager=slug, up=up)
    return up - by


def unit_of(heard: Heard, slug: str) -> int:
    """What a unit on a wager is, in cents: only place numbers have one."""
    spot = heard.table.layout.spots[slug]
    if spot.kind != PLACE:
        raise unplayable("no-unit", wager=slug)
    return unit_on(heard.table, spot.number)


def move(heard: Heard, slug: str, to: int, way: str) -> cmd.AnyCommand:
    """A wager changed to an amount; refused where the say goes ``up`` or ``down``, and it would
    not."""
    up = heard.wagers[slug].amount if slug in heard.wagers else to
    if (way == "up" and to < up) or (way == "down" and to > up):
        code = "would-lower" if way == "up" else "would-raise"
        raise offer_choices(code, [f"{slug} to {money_words(to)}"], wager=slug, up=up, to=to)
    return cmd.Change(heard.player, slug, to)


def change_chips(heard: Heard) -> list[cmd.AnyCommand]:
    """``change 100 to green``, with other words around it."""
    direct = read_say(heard.player, heard.said.removesuffix(" chips"))
    if not isinstance(direct, cmd.ChangeCheques):
        raise UnheardError
    return [direct]
