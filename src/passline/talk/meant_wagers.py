"""Find which of a player's wagers the words mean: `my come`, `the six`, `it`, `the hardways`."""

from __future__ import annotations

import re

from passline.talk.bets import STRAIGHT_NUMBERS
from passline.talk.errors import NoMatchError
from passline.talk.groups import PLACE, find_group_units, find_set_members, is_group
from passline.talk.odds_bets import find_odds_slug, is_odds_word
from passline.talk.utterance import Utterance, make_unplayable, offer_choices

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


def find_meant_wagers(utterance: Utterance, what: str) -> list[str]:
    """Return the slugs of the wagers that the words `what` name; [] means all wagers.

    A slug as the whole of the words is returned whether or not that wager is up. Raise NoMatchError
    if the words name no wager.
    """
    if what in {"", "all"}:
        return []
    found: list[str] = []
    for part in re.split(r" (?:and|,)(?: and)? ", what):
        found += [slug for slug in _find_wagers(utterance, part) if slug not in found]
    return found


def _find_wagers(utterance: Utterance, what: str) -> list[str]:
    what = what.removeprefix("all ")
    number, pair = _NUMBER_PATTERN.fullmatch(what), _NAMED_PATTERN.fullmatch(what)
    if number:
        return [_find_wager_on_number(utterance, what, number[1])]
    if pair:
        verb = {"place": "place-lose" if pair[3] else PLACE}.get(pair[1], pair[1])
        return [utterance.find_slug(f"{verb}-{pair[2]}")]
    if what in {"it", "them"}:
        return [_find_only_wager(utterance, what)]
    if is_family(utterance, what):
        return _find_family(utterance, what)
    if is_odds_word(what):
        return [find_odds_slug(utterance, what)]
    if utterance.is_slug(what):
        return [_find_wager_by_name(utterance, what)]
    raise NoMatchError


def _find_wager_by_name(utterance: Utterance, word: str) -> str:
    """Return the slug of the wager that a player means by a name.

    If no wager of that name is up, it may mean another that is: `my come` means a come bet that has
    traveled; `boxcars` means, at a crapless table, the place bet on 12. Raise UnplayableError, with
    the choices, if several fit.
    """
    spots, wagers = utterance.spots, utterance.wagers
    number, slug = STRAIGHT_NUMBERS.get(word), utterance.find_slug(word)
    if number:
        others = [utterance.find_slug(f"{name}-{number}") for name in _BOX_KINDS]
    elif slug in spots and spots[slug].rule.is_come and not spots[slug].number:
        others = [other for other in wagers if other != slug and spots[other].family == slug]
    else:
        return slug
    up = [other for other in others if other in wagers]
    if slug in utterance.wagers:
        if not up:
            return slug
        choices = [f"{slug} down"] if "down" in utterance.words else []
        raise offer_choices("same-name", choices + utterance.replace_word(word, up), wager=slug)
    if len(up) > 1:
        raise offer_choices("which-one", utterance.replace_word(word, up))
    return up[0] if up else slug


def _find_wager_on_number(utterance: Utterance, word: str, number: str) -> str:
    """Return the slug of the player's one wager on a number.

    A come wager counts only if there is no other. Raise UnplayableError if there are several or
    none. `word` is what the player said for the number.
    """
    if number not in _NUMBER_FIGURES:
        raise NoMatchError
    spots = utterance.spots
    box = [utterance.find_slug(f"{kind}-{number}") for kind in _BOX_KINDS]
    comes = [slug for slug in utterance.wagers if spots[slug].rule.is_come]
    for there in (box, [slug for slug in comes if spots[slug].number == int(number)]):
        up = [slug for slug in there if slug in utterance.wagers]
        if len(up) > 1:
            raise offer_choices("which-on-number", utterance.replace_word(word, up), number=number)
        if up:
            return up[0]
    raise make_unplayable("none-on-number", player=utterance.player, number=number)


def _find_only_wager(utterance: Utterance, word: str) -> str:
    spots = utterance.spots
    up = [slug for slug in utterance.wagers if not spots[slug].rule.is_line]
    if len(up) > 1:
        raise offer_choices("which-one", utterance.replace_word(word, up))
    if not up:
        raise make_unplayable("nothing-meant", player=utterance.player)
    return up[0]


def is_family(utterance: Utterance, what: str) -> bool:
    """Return whether `what` names a family of wagers, such as `hards` or `numbers`."""
    return (
        what in _FAMILY_KINDS
        or what in {"center", "hop", "odds"}
        or is_group(what)
        or bool(find_set_members(utterance.table, what))
    )


def _find_family(utterance: Utterance, what: str) -> list[str]:
    up = sorted((utterance.spots[slug] for slug in utterance.wagers), key=lambda spot: spot.rank)
    if what in _FAMILY_KINDS:
        family = [spot.slug for spot in up if spot.kind in _FAMILY_KINDS[what]]
    elif what == "odds":
        family = [spot.slug for spot in up if spot.is_odds]
    elif members := find_set_members(utterance.table, what):
        family = [spot.slug for spot in up if spot.slug in members]
    elif what == "hop":
        family = [spot.slug for spot in up if spot.rule.is_hop]
    elif what == "center":
        family = [spot.slug for spot in up if spot.rule.area == "center"]
    else:
        # A wager on the point is included unless the player excludes it.
        whole = what if "-no-" in what or "-with-" in what else f"{what}-with-point"
        units, _ = find_group_units(utterance.table, whole)
        family = [spot.slug for spot in up if spot.slug in units]
    if not family:
        shown = {"hards": "hardway", "hop": "hop", "center": "center wager"}.get(what, what)
        raise make_unplayable("none-of-kind", player=utterance.player, kind=shown)
    return family
