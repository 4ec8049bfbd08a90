"""Wagers that are up: named as players name them, taken down, raised or lowered.

Presses: a wager that is up goes up, and by how much is said or has one meaning only.

Wagers called on and off, and what is said of a come-out that is still to come.
"""

from __future__ import annotations

import re

from passline.game.law.wager_names import is_hop
from passline.game.law.wagers import Come, Hardway, Line, OddsRule
from passline.game.layout.wager_checks import check_call
from passline.game.table import commands as cmd
from passline.talk.bets import STRAIGHT_NUMBERS
from passline.talk.canonical import format_amount, parse_canonical, read_amount
from passline.talk.groups import (
    PLACE,
    find_group_units,
    find_place_unit,
    find_set_members,
    is_group,
)
from passline.talk.odds import find_odds_slug, is_odds_word
from passline.talk.utterance import (
    MissingAmountError,
    NoMatchError,
    UnplayableError,
    Utterance,
    is_wager_slug,
    make_unplayable,
    offer_choices,
)

AMOUNT_PATTERN = r"\$?(\d[\d,]*(?:\.\d{1,2})?)"
_BOX_KINDS = (PLACE, "buy", "lay", "place-lose")
_NUMBER_PATTERN = re.compile(r"(?:total-)?(\d+)")
_NAMED_PATTERN = re.compile(r"(place|buy|lay|come|dont-come) (?:total-)?(\d+)( lose)?")
_FAMILY_KINDS = {
    "place": (PLACE,),
    "buy": ("buy",),
    "buys": ("buy",),
    "lay": ("lay",),
    "lays": ("lay",),
    "numbers": (PLACE, "buy"),
}
_NUMBER_FIGURES = ("2", "3", "4", "5", "6", "8", "9", "10", "11", "12")


def find_named_wagers(heard: Utterance, what: str) -> list[str]:
    """The slugs that a player means; [] is everything. A slug is one whether it is up or not."""
    if what in {"", "all"}:
        return []
    found: list[str] = []
    for part in re.split(r" (?:and|,)(?: and)? ", what):
        found += [slug for slug in _find_wagers(heard, part) if slug not in found]
    return found


def _find_wagers(heard: Utterance, what: str) -> list[str]:
    what = what.removeprefix("all ")
    number, pair = _NUMBER_PATTERN.fullmatch(what), _NAMED_PATTERN.fullmatch(what)
    if number:
        return [_find_wager_on_number(heard, what, number[1])]
    if pair:
        verb = {"place": "place-lose" if pair[3] else PLACE}.get(pair[1], pair[1])
        return [heard.slug(f"{verb}-{pair[2]}")]
    if what in {"it", "them"}:
        return [_find_only_wager(heard, what)]
    if is_family(heard, what):
        return _find_family(heard, what)
    if is_odds_word(what):
        return [find_odds_slug(heard, what)]
    if is_wager_slug(heard.table, what):
        return [_find_wager_by_name(heard, what)]
    raise NoMatchError


def _find_wager_by_name(heard: Utterance, word: str) -> str:
    """A wager by its name; where it is not up, the one on a number that goes by that name too.

    ``my come`` may have travelled; at a crapless table ``boxcars`` may be the placed 12.
    """
    spots = heard.table.layout.spots
    number, slug = STRAIGHT_NUMBERS.get(word), heard.slug(word)
    if number:
        others = [heard.slug(f"{name}-{number}") for name in _BOX_KINDS]
    elif slug in spots and isinstance(spots[slug].rule, Come) and not spots[slug].number:
        others = [other for other in heard.wagers if other != slug and spots[other].family == slug]
    else:
        return slug
    up = [other for other in others if other in heard.wagers]
    if slug in heard.wagers:
        if not up:
            return slug
        ways = [f"{slug} down"] if "down" in heard.words else []
        raise offer_choices("same-name", ways + heard.replace_word(word, up), wager=slug)
    if len(up) > 1:
        raise offer_choices("which-one", heard.replace_word(word, up))
    return up[0] if up else slug


def _find_wager_on_number(heard: Utterance, word: str, number: str) -> str:
    """The one wager on a number; a come wager there only where nothing else is."""
    if number not in _NUMBER_FIGURES:
        raise NoMatchError
    spots, box = heard.table.layout.spots, [heard.slug(f"{b}-{number}") for b in _BOX_KINDS]
    comes = [s for s in heard.wagers if isinstance(spots[s].rule, Come)]
    for there in (box, [s for s in comes if spots[s].number == int(number)]):
        up = [slug for slug in there if slug in heard.wagers]
        if len(up) > 1:
            raise offer_choices("which-on-number", heard.replace_word(word, up), number=number)
        if up:
            return up[0]
    raise make_unplayable("none-on-number", player=heard.player, number=number)


def _find_only_wager(heard: Utterance, word: str) -> str:
    spots = heard.table.layout.spots
    up = [slug for slug in heard.wagers if not isinstance(spots[slug].rule, Line)]
    if len(up) > 1:
        raise offer_choices("which-one", heard.replace_word(word, up))
    if not up:
        raise make_unplayable("nothing-meant", player=heard.player)
    return up[0]


def is_family(heard: Utterance, what: str) -> bool:
    """Whether a word names several wagers at once: those of them that are up."""
    return (
        what in _FAMILY_KINDS
        or what in {"center", "hop", "odds"}
        or is_group(what)
        or bool(find_set_members(heard.table, what))
    )


def _find_family(heard: Utterance, what: str) -> list[str]:
    spots = heard.table.layout.spots
    if what in _FAMILY_KINDS:
        up = [slug for slug in heard.wagers if spots[slug].kind in _FAMILY_KINDS[what]]
    elif what == "odds":
        up = [slug for slug in heard.wagers if isinstance(spots[slug].rule, OddsRule)]
    elif find_set_members(heard.table, what):
        up = [slug for slug in heard.wagers if slug in find_set_members(heard.table, what)]
    elif what == "hop":
        up = [slug for slug in heard.wagers if is_hop(spots[slug].rule)]
    elif what == "center":
        up = [slug for slug in heard.wagers if spots[slug].rule.area == "center"]
    else:
        # What is up on the point is up: it is left out only where that is said.
        whole = what if "-no-" in what or "-with-" in what else f"{what}-with-point"
        up = [slug for slug in heard.wagers if slug in find_group_units(heard.table, whole)[0]]
    if not up:
        shown = {"hards": "hardway", "hop": "hop", "center": "center wager"}.get(what, what)
        raise make_unplayable("none-of-kind", player=heard.player, kind=shown)
    return sorted(up, key=lambda slug: spots[slug].rank)


_DOWN_PATTERN = re.compile(
    r"(?:take )?down(?: (?:on|with))?(?: (?P<b>.+))?|(?:take )?(?P<a>.+) down"
)


def understand_take_down(heard: Utterance) -> list[cmd.AnyCommand]:
    """``take me down``, ``take down my six``, ``hardways down``, ``down with my odds``."""
    found = _DOWN_PATTERN.fullmatch(heard.said)
    if found is None:
        raise NoMatchError
    slugs = find_named_wagers(heard, found["a"] or found["b"] or "")
    if not slugs:
        return [cmd.TakeAllDown(heard.player)]
    return [cmd.TakeDown(heard.player, slug) for slug in slugs]


#: Which way each verb moves a wager; those that are not here move it either way.
_DIRECTIONS = {"raise": "up", "lower": "down", "up": "up", "down": "down"}
_TO_PATTERN = rf" to (?P<to>{AMOUNT_PATTERN})"
_CHANGE_VERB = r"(?P<verb>take|make|raise|lower|bring)"
_CHANGE_PATTERNS = (
    re.compile(
        rf"(?P<verb>raise|lower|bring|take|make)(?P<what>)(?: (?P<way>up|down))?{_TO_PATTERN}"
    ),
    re.compile(rf"(?:{_CHANGE_VERB} )?(?P<what>.+?)(?: (?P<way>up|down))?{_TO_PATTERN}"),
    re.compile(rf"(?P<verb>make) (?P<what>.+?)(?P<way>)(?: for)? (?P<to>{AMOUNT_PATTERN})"),
    re.compile(r"(?P<verb>raise|lower)(?: (?P<what>.+?))?(?P<way>) by (?P<units>\d+) unit"),
    re.compile(rf"(?P<verb>raise|lower)(?: (?P<what>.+?))?(?P<way>) by (?P<by>{AMOUNT_PATTERN})"),
)
_NO_AMOUNT_PATTERN = re.compile(r"(?:raise|lower)(?: (?P<what>.+))?")


def change_wager(heard: Utterance) -> list[cmd.AnyCommand]:
    """``place 6 to 30``, ``make it look like 30``, ``take the eight down to 6``, ``lower it by 6``.

    A say that goes one way never moves a wager the other.
    """
    for pattern in _CHANGE_PATTERNS:
        found = pattern.fullmatch(heard.said)
        if found is None:
            continue
        slugs = find_named_wagers(heard, found["what"] or "it")
        if len(slugs) != 1:
            raise NoMatchError
        way = _DIRECTIONS.get(found["verb"] or "") or _DIRECTIONS.get(found["way"] or "", "")
        return [change_amount(heard, slugs[0], _find_new_amount(heard, slugs[0], found), way)]
    found = _NO_AMOUNT_PATTERN.fullmatch(heard.said)
    if found is not None and (not found["what"] or find_named_wagers(heard, found["what"])):
        raise MissingAmountError("to")
    raise NoMatchError


def _find_new_amount(heard: Utterance, slug: str, found: re.Match[str]) -> int:
    groups = found.groupdict()
    if groups.get("to"):
        return read_amount(groups["to"].removeprefix("$"))
    if slug not in heard.wagers:
        raise make_unplayable("not-up", player=heard.player, wager=slug)
    if groups.get("units"):
        by = int(groups["units"][:6]) * find_unit(heard, slug)
    else:
        by = read_amount(groups["by"].removeprefix("$"))
    up = heard.wagers[slug].amount
    if groups["verb"] == "raise":
        return up + by
    if by >= up:
        raise offer_choices("nothing-left", [f"{slug} down"], wager=slug, up=up)
    return up - by


def find_unit(heard: Utterance, slug: str) -> int:
    """What a unit on a wager is, in cents: only place numbers have one."""
    spot = heard.table.layout.spots[slug]
    if spot.kind != PLACE:
        raise make_unplayable("no-unit", wager=slug)
    return find_place_unit(heard.table, spot.number)


def change_amount(heard: Utterance, slug: str, to: int, way: str) -> cmd.AnyCommand:
    """A wager changed to an amount; refused where the say goes ``up`` or ``down``, and it would
    not."""
    up = heard.wagers[slug].amount if slug in heard.wagers else to
    if (way == "up" and to < up) or (way == "down" and to > up):
        code = "would-lower" if way == "up" else "would-raise"
        raise offer_choices(code, [f"{slug} to {format_amount(to)}"], wager=slug, up=up, to=to)
    return cmd.Change(heard.player, slug, to)


def change_chips(heard: Utterance) -> list[cmd.AnyCommand]:
    """``change 100 to green``, with other words around it."""
    direct = parse_canonical(heard.player, heard.said.removesuffix(" chips"))
    if not isinstance(direct, cmd.ChangeCheques):
        raise NoMatchError
    return [direct]


_PRESS_PATTERN = re.compile(
    rf"(?P<how>press|full-press|half-press|power-press)"
    rf"(?: (?P<what>(?!to |by |up )[a-z0-9, -]*?[a-z0-9]))??(?: up)?"
    rf"(?:(?: to (?P<to>{AMOUNT_PATTERN}))|(?: (?:by )?(?P<units>\d+) unit)|(?: by (?P<by>{AMOUNT_PATTERN})))?"  # noqa: E501
    r"(?: each)?(?: on (?P<late>[a-z0-9, -]+))?"
)
_ADD_PATTERN = re.compile(
    rf"add (?:(?P<units>\d+) unit|(?P<by>{AMOUNT_PATTERN})) (?:to|on) (?:number-)?(?P<what>[a-z0-9 -]+)"  # noqa: E501
)
#: What is pressed on its number; hardways are pressed too.
_PRESSED_KINDS = (PLACE, "buy", "place-lose", "lay")


def press_wagers(heard: Utterance) -> list[cmd.AnyCommand]:
    """``press the six``: doubled; to an amount, by units or by an amount where that is said."""
    found = _PRESS_PATTERN.fullmatch(heard.said)
    if found is None or (found["what"] and found["late"]):
        raise NoMatchError
    slugs = _find_pressed(heard, found["what"] or found["late"] or "it")
    if len(slugs) > 1 and found["to"]:
        raise NoMatchError  # one amount for several wagers: each is pressed by itself
    return [
        change_amount(heard, slug, _find_pressed_amount(heard, slug, found), "up") for slug in slugs
    ]


def add_to_wager(heard: Utterance) -> list[cmd.AnyCommand]:
    """``add 6 to the six``: a press by so much, on one wager that is up."""
    found = _ADD_PATTERN.fullmatch(heard.said)
    if found is None:
        raise NoMatchError
    slugs = _find_pressed(heard, found["what"])
    if len(slugs) != 1:
        raise NoMatchError  # so much on each, or in all: not said
    return [cmd.Change(heard.player, slugs[0], _find_added_amount(heard, slugs[0], found))]


def _find_pressed(heard: Utterance, what: str) -> list[str]:
    if what == "it":
        up = [slug for slug in heard.wagers if _can_press(heard, slug, _PRESSED_KINDS)]
        if len(up) > 1:
            raise offer_choices("press-which", heard.replace_word("it", up))
        if not up:
            raise make_unplayable("nothing-to-press", player=heard.player)
        return up
    if what == "all":
        return _find_all_pressed(heard)
    slugs = find_named_wagers(heard, what)
    if not slugs:
        raise NoMatchError
    if what.isdigit() and heard.kind(slugs[0]) not in _PRESSED_KINDS:
        raise make_unplayable("nothing-to-press-on", player=heard.player, number=what)
    for slug in slugs:
        if slug not in heard.wagers:
            raise make_unplayable("not-up", player=heard.player, wager=slug)
    return slugs


def _can_press(heard: Utterance, slug: str, kinds: tuple[str, ...]) -> bool:
    spot = heard.table.layout.spots[slug]
    return spot.kind in kinds or isinstance(spot.rule, Hardway)


def _find_all_pressed(heard: Utterance) -> list[str]:
    """``press them all``: where only place and buy wagers are up, they are meant."""
    slugs = [slug for slug in heard.wagers if heard.kind(slug) in (PLACE, "buy")]
    others = [slug for slug in heard.wagers if _can_press(heard, slug, ("place-lose", "lay"))]
    if not slugs and not others:
        raise make_unplayable("nothing-to-press", player=heard.player)
    if others:
        raise offer_choices("press-which", heard.replace_word("all", [*slugs, *others]))
    return slugs


def _find_pressed_amount(heard: Utterance, slug: str, found: re.Match[str]) -> int:
    up = heard.wagers[slug].amount
    if found["to"]:
        return read_amount(found["to"].removeprefix("$"))
    if found["by"] or found["units"]:
        return _find_added_amount(heard, slug, found)
    if found["how"] == "press":
        return up * 2  # Iowa's definition, and what the dealer school calls common
    win = _find_win(heard, slug)
    whole = up + win
    if found["how"] == "power-press":
        return _round_to_units(heard, slug, whole)
    unit = find_unit(heard, slug)
    less = whole - whole % unit
    if found["how"] == "full-press":
        # The school doubles; others press as much of the win as makes units.
        return _require_one_reading(slug, {up * 2, less}, "full-press", whole)
    if found["how"] == "half-press":
        # Half as much again, or half of the win, as far as either makes units.
        halves = {up + half - half % unit for half in (up // 2, win // 2)}
        if up in halves:
            ways = [f"press {slug} to {format_amount(up + unit)}"]
            raise offer_choices("half-no-unit", ways, wager=slug)
        return _require_one_reading(slug, halves, "half-press", whole)
    raise AssertionError(found["how"])


def _find_added_amount(heard: Utterance, slug: str, found: re.Match[str]) -> int:
    """What a wager comes to with an amount, or so many units, put on it."""
    up = heard.wagers[slug].amount
    if found["by"]:
        return up + read_amount(found["by"].removeprefix("$"))
    units = int(found["units"][:6])
    if not units:
        raise NoMatchError
    return up + units * find_unit(heard, slug)


def let_wager_ride(heard: Utterance, slug: str, whole: int) -> cmd.AnyCommand:
    """A wager that is up, to its stake and its whole win."""
    return cmd.Change(heard.player, slug, _round_to_units(heard, slug, whole))


def _round_to_units(heard: Utterance, slug: str, whole: int) -> int:
    """A stake and its whole win: on a place number, where that makes units."""
    if heard.kind(slug) != PLACE:
        return whole
    unit = find_unit(heard, slug)
    readings = {whole - whole % unit, whole + -whole % unit}
    return _require_one_reading(slug, readings, "whole-win", whole)


def _require_one_reading(slug: str, readings: set[int], code: str, whole: int) -> int:
    if len(readings) == 1:
        return readings.pop()
    ways = [f"press {slug} to {format_amount(cents)}" for cents in sorted(readings)]
    raise offer_choices(code, ways, wager=slug, whole=whole)


def _find_win(heard: Utterance, slug: str) -> int:
    """What the wager wins as it stands, at its posted odds."""
    return heard.table.layout.spots[slug].odds.paid(heard.wagers[slug].amount)


_CALL_VERB = r"(?:turn|make|call|keep|leave) "
_CALL_PATTERNS = (
    re.compile(rf"(?:{_CALL_VERB})?(?P<what>.+?)(?: (?P<on>on|off))"),
    re.compile(rf"(?:{_CALL_VERB})?(?P<on>on|off)(?: (?P<what>.+))?"),
)
_COME_OUT_PATTERN = re.compile(r"(?: for)?(?: comeout)$")


def call_wagers(heard: Utterance) -> list[cmd.AnyCommand]:
    """``turn me off``, ``hardways off``, ``my odds are working``, ``make the 4 and 10 work``."""
    said = _COME_OUT_PATTERN.sub("", heard.said)
    for pattern in _CALL_PATTERNS:
        found = pattern.fullmatch(said)
        if found is None:
            continue
        what = (found["what"] or "").removesuffix(" on").removeprefix("on ")
        if what in {"turn", "make", "call", "keep", "leave", "on", "off"}:
            what = ""
        try:
            slugs = find_named_wagers(heard, what)
        except NoMatchError:
            continue
        on = found["on"] == "on"
        if is_family(heard, what):
            slugs = _filter_callable(heard, slugs, on) or slugs
        if not on and said != heard.said and heard.table.puck:
            raise _refuse_call_for_later(heard, slugs)
        return [cmd.Call(heard.player, slug, on) for slug in slugs or [""]]
    raise NoMatchError


def _filter_callable(heard: Utterance, slugs: list[str], on: bool) -> list[str]:
    """Of a family, those that may be called; odds on the line, say, always work with it."""
    layout, wagers = heard.table.layout, heard.wagers
    return [
        slug
        for slug in slugs
        if check_call(layout, layout.spots[slug], wagers[slug].call, on) is None
    ]


def _refuse_call_for_later(heard: Utterance, slugs: list[str]) -> UnplayableError:
    """``off on the come-out`` with a point on: a call counts at once, and this one is for later.

    What rests on a come-out roll anyway needs no word.
    """
    spots = heard.table.layout.spots
    meant = slugs or _filter_callable(heard, list(heard.wagers), on=False)
    up = {slug: heard.wagers[slug] for slug in meant if slug in heard.wagers}
    if up and all(stake.call is None and not spots[slug].works for slug, stake in up.items()):
        return make_unplayable(
            "rests-anyway", "custom: a call is for the next roll", wagers=tuple(up)
        )
    now = [f"{slug} off" for slug in slugs] or ["all off"]
    return offer_choices("come-out-later", now)
