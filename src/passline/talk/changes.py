"""Parse talk about wagers that are up: take down, change, press, add to, call on or off."""

from __future__ import annotations

import re

from passline.game.layout.wager_checks import check_call, check_raise
from passline.game.table import commands as cmd
from passline.game.table.bets import current_moment
from passline.talk.canonical import format_amount, parse_canonical, read_amount
from passline.talk.errors import MissingAmountError, NoMatchError, UnplayableError
from passline.talk.groups import (
    PLACE,
    find_place_unit,
)
from passline.talk.meant_wagers import find_meant_wagers, is_family
from passline.talk.utterance import MONEY_CITE, Utterance, make_unplayable, offer_choices

AMOUNT_PATTERN = r"\$?(\d[\d,]*(?:\.\d{1,2})?)"
_DOWN_PATTERN = re.compile(
    r"(?:take )?down(?: (?:on|with))?(?: (?P<b>.+))?|(?:take )?(?P<a>.+) down"
)


def understand_take_down(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the commands for `take me down`, `take down my six`, `hardways down`.

    Raise NoMatchError for other talk.
    """
    found = _DOWN_PATTERN.fullmatch(utterance.text)
    if found is None:
        raise NoMatchError
    slugs = find_meant_wagers(utterance, found["a"] or found["b"] or "")
    if not slugs:
        return [cmd.TakeAllDown(utterance.player)]
    return [cmd.TakeDown(utterance.player, slug) for slug in slugs]


#: The direction in which a verb moves a wager. Other verbs move it either way.
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


def change_wager(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the commands for `place 6 to 30`, `take the eight down to 6`, `lower it by 6`.

    Raise UnplayableError if the change goes against the verb (`lower` to more), or if one amount is
    for several wagers without `each`; MissingAmountError for `raise it`; NoMatchError for other
    talk.
    """
    text = utterance.text.removesuffix(" each")
    for pattern in _CHANGE_PATTERNS:
        found = pattern.fullmatch(text)
        if found is None:
            continue
        slugs = find_meant_wagers(utterance, found["what"] or "it")
        if not slugs or (len(slugs) == 1 and text != utterance.text):
            raise NoMatchError
        if len(slugs) > 1 and text == utterance.text:
            raise _ask_each(utterance, slugs)
        way = _DIRECTIONS.get(found["verb"] or "") or _DIRECTIONS.get(found["way"] or "", "")
        amounts = [_find_new_amount(utterance, slug, found) for slug in slugs]
        named = zip(slugs, amounts, strict=True)
        return [change_amount(utterance, slug, to, way) for slug, to in named]
    found = _NO_AMOUNT_PATTERN.fullmatch(utterance.text)
    if found is not None and (not found["what"] or find_meant_wagers(utterance, found["what"])):
        raise MissingAmountError("to")
    raise NoMatchError


def _ask_each(utterance: Utterance, slugs: list[str]) -> UnplayableError:
    """Return the error for one amount and several wagers: `odds to 50`, `lower 6 and 8 to 6`.

    The choices are the amount on each of them, and, if one word named them all, on one of them.
    """
    named = utterance.words.count("and") == 0 and "," not in utterance.words
    alone = [f"{slug} {' '.join(utterance.words[-2:])}" for slug in slugs if named]
    return offer_choices("change-each", [*alone, f"{utterance.text} each"])


def _find_new_amount(utterance: Utterance, slug: str, found: re.Match[str]) -> int:
    groups = found.groupdict()
    if groups.get("to"):
        return read_amount(groups["to"].removeprefix("$"))
    if slug not in utterance.wagers:
        raise make_unplayable("not-up", player=utterance.player, wager=slug)
    if groups.get("units"):
        by = int(groups["units"][:6]) * find_unit(utterance, slug)
    else:
        by = read_amount(groups["by"].removeprefix("$"))
    up = utterance.wagers[slug].amount
    if groups["verb"] == "raise":
        return up + by
    if by >= up:
        raise offer_choices("nothing-left", [f"{slug} down"], wager=slug, up=up)
    return up - by


def find_unit(utterance: Utterance, slug: str) -> int:
    """Return the unit of a place bet in cents. Raise UnplayableError for other wagers."""
    spot = utterance.spots[slug]
    if spot.kind != PLACE:
        raise make_unplayable("no-unit", MONEY_CITE, wager=slug)
    return find_place_unit(utterance.table, spot.number)


def change_amount(utterance: Utterance, slug: str, to: int, way: str) -> cmd.AnyCommand:
    """Return the command that changes a wager to `to` cents.

    Raise UnplayableError if that goes against `way`, the direction of the player's verb ("up",
    "down" or "").
    """
    up = utterance.wagers[slug].amount if slug in utterance.wagers else to
    if (way == "up" and to < up) or (way == "down" and to > up):
        code = "would-lower" if way == "up" else "would-raise"
        raise offer_choices(code, [f"{slug} to {format_amount(to)}"], wager=slug, up=up, to=to)
    return cmd.Change(utterance.player, slug, to)


def change_chips(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the command for `change 100 to green`. Raise NoMatchError for other talk."""
    direct = parse_canonical(utterance.player, utterance.text.removesuffix(" chips"))
    if not isinstance(direct, cmd.ChangeCheques):
        raise NoMatchError
    return [direct]


_PRESS_PATTERN = re.compile(
    rf"(?P<how>press|full-press|half-press|power-press)"
    rf"(?: (?P<what>(?!to |by |up )[a-z0-9, -]*?[a-z0-9]))??(?: up)?"
    rf"(?:(?: to (?P<to>{AMOUNT_PATTERN}))|(?: (?:by )?(?P<units>\d+) unit)"
    rf"|(?: by (?P<by>{AMOUNT_PATTERN})))?"
    r"(?P<each> each)?(?: on (?P<late>[a-z0-9, -]+))?"
)
_ADD_PATTERN = re.compile(
    rf"add (?:(?P<units>\d+) unit|(?P<by>{AMOUNT_PATTERN}))"
    r" (?:to|on) (?:number-)?(?P<what>[a-z0-9 -]+)"
)
#: Kinds of wagers on a number that can be pressed. Hardways can be too.
_PRESSED_KINDS = (PLACE, "buy", "place-lose", "lay")


def press_wagers(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the commands for `press the six`: double it, or raise it to or by a named amount.

    A full, half or power press is worked out from the bet and its win. Raise UnplayableError, with
    the choices, if that could be two amounts, and NoMatchError for other talk.
    """
    found = _PRESS_PATTERN.fullmatch(utterance.text)
    if found is None or (found["what"] and found["late"]):
        raise NoMatchError
    slugs = _find_pressed(utterance, found["what"] or found["late"] or "it")
    if len(slugs) > 1 and found["to"] and not found["each"]:
        raise _ask_each(utterance, slugs)
    return [
        change_amount(utterance, slug, _find_pressed_amount(utterance, slug, found), "up")
        for slug in slugs
    ]


def double_all(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the commands for `double everything`: twice the amount on each wager that may grow.

    Raise NoMatchError for other talk, and UnplayableError if no wager is up that may be raised now.
    """
    if utterance.words != ("double-all",):
        raise NoMatchError
    moment = current_moment(utterance.table)
    up = sorted((utterance.spots[slug] for slug in utterance.wagers), key=lambda spot: spot.rank)
    grow = [spot.slug for spot in up if check_raise(spot, moment, utterance.wagers) is None]
    if not grow:
        raise make_unplayable("nothing-to-raise", player=utterance.player)
    return [cmd.Change(utterance.player, s, utterance.wagers[s].amount * 2) for s in grow]


def color_up(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the command for `color me up`: larger chips for what is in the rail.

    Raise NoMatchError for other talk.
    """
    if utterance.text.removeprefix("to ") != "color-up":
        raise NoMatchError
    return [cmd.ColorUp(utterance.player)]


def add_to_wager(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the command for `add 6 to the six`: a press of one wager by an amount.

    Raise NoMatchError for other talk.
    """
    found = _ADD_PATTERN.fullmatch(utterance.text)
    if found is None:
        raise NoMatchError
    slugs = _find_pressed(utterance, found["what"])
    if len(slugs) != 1:
        raise NoMatchError  # The amount could be for each or in total.
    return [cmd.Change(utterance.player, slugs[0], _find_added_amount(utterance, slugs[0], found))]


def _find_pressed(utterance: Utterance, what: str) -> list[str]:
    if what == "it":
        up = [slug for slug in utterance.wagers if _can_press(utterance, slug, _PRESSED_KINDS)]
        if len(up) > 1:
            raise offer_choices("press-which", utterance.replace_word("it", up))
        if not up:
            raise make_unplayable("nothing-to-press", player=utterance.player)
        return up
    if what == "all":
        return _find_all_pressed(utterance)
    slugs = find_meant_wagers(utterance, what)
    if not slugs:
        raise NoMatchError
    if what.isdigit() and utterance.find_kind(slugs[0]) not in _PRESSED_KINDS:
        raise make_unplayable("nothing-to-press-on", player=utterance.player, number=what)
    for slug in slugs:
        if slug not in utterance.wagers:
            raise make_unplayable("not-up", player=utterance.player, wager=slug)
    return slugs


def _can_press(utterance: Utterance, slug: str, kinds: tuple[str, ...]) -> bool:
    spot = utterance.spots[slug]
    return spot.kind in kinds or spot.rule.is_hardway


def _find_all_pressed(utterance: Utterance) -> list[str]:
    """Return the wagers for `press them all`: the player's place and buy bets.

    Raise UnplayableError if none is up, or if others that can be pressed are up.
    """
    up = list(utterance.wagers)
    slugs = [slug for slug in up if utterance.find_kind(slug) in (PLACE, "buy")]
    others = [slug for slug in up if _can_press(utterance, slug, ("place-lose", "lay"))]
    if not slugs and not others:
        raise make_unplayable("nothing-to-press", player=utterance.player)
    if others:
        raise offer_choices("press-which", utterance.replace_word("all", [*slugs, *others]))
    return slugs


def _find_pressed_amount(utterance: Utterance, slug: str, found: re.Match[str]) -> int:
    up = utterance.wagers[slug].amount
    if found["to"]:
        return read_amount(found["to"].removeprefix("$"))
    if found["by"] or found["units"]:
        return _find_added_amount(utterance, slug, found)
    if found["how"] == "press":
        return up * 2  # Iowa's definition, and common in the dealer school.
    win = utterance.spots[slug].odds.paid(up)
    whole = up + win
    if found["how"] == "power-press":
        return _round_to_units(utterance, slug, whole)
    unit = find_unit(utterance, slug)
    less = whole - whole % unit
    if found["how"] == "full-press":
        # The school doubles. Others press as much of the win as makes whole units.
        return _require_one_reading(slug, {up * 2, less}, "full-press", whole)
    if found["how"] == "half-press":
        # Half of the bet or half of the win, rounded down to whole units.
        halves = {up + half - half % unit for half in (up // 2, win // 2)}
        if up in halves:
            choices = [f"press {slug} to {format_amount(up + unit)}"]
            raise offer_choices("half-no-unit", choices, wager=slug)
        return _require_one_reading(slug, halves, "half-press", whole)
    raise AssertionError(found["how"])


def _find_added_amount(utterance: Utterance, slug: str, found: re.Match[str]) -> int:
    """Return a wager's amount in cents after adding the amount or the units that were said."""
    up = utterance.wagers[slug].amount
    if found["by"]:
        return up + read_amount(found["by"].removeprefix("$"))
    units = int(found["units"][:6])
    if not units:
        raise NoMatchError
    return up + units * find_unit(utterance, slug)


def let_wager_ride(utterance: Utterance, slug: str, whole: int) -> cmd.AnyCommand:
    """Return the command that raises a wager to `whole`, its stake plus its win in cents.

    A place bet is rounded to whole units; raise UnplayableError if up or down is unclear.
    """
    return cmd.Change(utterance.player, slug, _round_to_units(utterance, slug, whole))


def _round_to_units(utterance: Utterance, slug: str, whole: int) -> int:
    """Return `whole` (a stake plus its win, in cents); for a place bet, in whole units.

    Raise UnplayableError, with the choices, if it could be rounded up or down.
    """
    if utterance.find_kind(slug) != PLACE:
        return whole
    unit = find_unit(utterance, slug)
    readings = {whole - whole % unit, whole + -whole % unit}
    return _require_one_reading(slug, readings, "whole-win", whole)


def _require_one_reading(slug: str, readings: set[int], code: str, whole: int) -> int:
    if len(readings) == 1:
        return readings.pop()
    choices = [f"press {slug} to {format_amount(cents)}" for cents in sorted(readings)]
    raise offer_choices(code, choices, wager=slug, whole=whole)


_CALL_VERB = r"(?:turn|make|call|keep|leave) "
_CALL_PATTERNS = (
    re.compile(rf"(?:{_CALL_VERB})?(?P<what>.+?)(?: (?P<on>on|off))"),
    re.compile(rf"(?:{_CALL_VERB})?(?P<on>on|off)(?: (?P<what>.+))?"),
)
_COME_OUT_PATTERN = re.compile(r"(?: for)?(?: comeout)$")


def call_wagers(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the commands that call wagers on or off: `turn me off`, `my odds are working`.

    Raise NoMatchError for other talk, and UnplayableError for a call that is meant for later.
    """
    text = _COME_OUT_PATTERN.sub("", utterance.text)
    for pattern in _CALL_PATTERNS:
        found = pattern.fullmatch(text)
        if found is None:
            continue
        what = (found["what"] or "").removesuffix(" on").removeprefix("on ")
        if what in {"turn", "make", "call", "keep", "leave", "on", "off"}:
            what = ""
        try:
            slugs = find_meant_wagers(utterance, what)
        except NoMatchError:
            continue
        on = found["on"] == "on"
        if is_family(utterance, what):
            slugs = _filter_callable(utterance, slugs, on) or slugs
        if not on and text != utterance.text and utterance.table.point:
            raise _refuse_call_for_later(utterance, slugs)
        return [cmd.Call(utterance.player, slug, on) for slug in slugs or [""]]
    raise NoMatchError


def _filter_callable(utterance: Utterance, slugs: list[str], on: bool) -> list[str]:
    """Return the wagers that may be called on (or off). Odds on the line always work."""
    layout, up = utterance.table.layout, utterance.wagers
    return [s for s in slugs if check_call(layout, layout.spots[s], up[s].call, on) is None]


def _refuse_call_for_later(utterance: Utterance, slugs: list[str]) -> UnplayableError:
    """Return the error that refuses `off on the come-out`, a call for later, while a point is on.

    It tells the player if the wagers are off on a come-out anyway, or offers to call them off now.
    """
    spots = utterance.spots
    meant = slugs or _filter_callable(utterance, list(utterance.wagers), on=False)
    up = {slug: utterance.wagers[slug] for slug in meant if slug in utterance.wagers}
    if up and all(stake.call is None and not spots[slug].works for slug, stake in up.items()):
        cite = "custom: a call is for the next roll"
        return make_unplayable("rests-anyway", cite, wagers=tuple(up))
    now = [f"{slug} off" for slug in slugs] or ["all off"]
    return offer_choices("come-out-later", now)
