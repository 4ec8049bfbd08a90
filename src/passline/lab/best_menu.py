"""The menu of ``best``: what a user names, as wagers of the layout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from passline.law.wagers import Collect, Line, OddsRule
from passline.layout import Layout, Refusal, Spot
from passline.layout.may import spot_for
from passline.words import refusal_words

#: Words for several wagers at once: by their shape, or by what the floor calls their family.
DEFAULT_MENU = ("line", "odds", "place", "field")
_PLACE = "place-win"


class MenuError(ValueError):
    """A menu that cannot be used: one line that says why."""


def read_best_menu(layout: Layout, words: Sequence[str] = ()) -> tuple[str, ...]:
    """The slugs that a menu's words stand for, in the layout's order; all of it unless told.

    ``line`` and ``odds`` are all wagers of that shape (odds behind what else is on the menu), a
    family's name (``place``, ``hard``) all of its numbers. MenuError for what is not dealt here.

    >>> from passline.house.files import house_for
    >>> from passline.layout import lay_felt
    >>> read_best_menu(lay_felt(house_for("iowa")), ["place-6", "pass", "odds"])
    ('pass', 'pass-odds', 'place-win-6')
    """
    asked = [word.strip().lower() for word in words] if words else _dealt(layout)
    if not asked or not all(asked):
        raise MenuError("a menu is names of wagers with commas between them, such as pass,odds")
    found = {slug for word in asked if word != "odds" for slug in _meant(layout, word)}
    if "odds" in asked:
        behind = {s for s, spot in layout.spots.items() if _stands_behind(layout, spot, found)}
        if not behind and words:
            raise MenuError("odds: nothing else on the menu takes odds behind it")
        found |= behind
    for slug in found:
        spot = layout.spots[slug]
        if isinstance(spot.rule, OddsRule) and not _stands_behind(layout, spot, found):
            first = layout.spots[spot.flat].kind
            raise MenuError(f"{spot.floor} stands behind {first}, which is not on the menu")
        if isinstance(spot.rule, Collect):
            raise MenuError(f"{spot.floor} gathers what a whole hand throws: best does not play it")
    return tuple(sorted(found, key=lambda slug: layout.spots[slug].rank))


def _dealt(layout: Layout) -> list[str]:
    """What of the default menu is dealt here."""
    return [word for word in DEFAULT_MENU if word == "odds" or list(_named(layout, word))]


def _meant(layout: Layout, word: str) -> list[str]:
    spot = layout.spot(word) or layout.spot(word.replace("place-", f"{_PLACE}-", 1))
    if spot is not None and spot.only_travels:
        raise MenuError(f"{word} is never made: a {spot.kind} wager gets there")
    named = [spot.slug] if spot is not None else list(_named(layout, word))
    if named:
        return named
    refusal = spot_for(layout, layout.slug(word))
    near = get_close_matches(word, [spot.floor for spot in layout.spots.values()], 2)
    if isinstance(refusal, Refusal) and (refusal.code != "not-a-wager" or not near):
        raise MenuError(f"{word[:60]}: {refusal_words(refusal)} [{refusal.cite}]")
    raise MenuError(f"{word[:60]} is no wager here: did you mean {' or '.join(near)}?")


def _named(layout: Layout, word: str) -> Iterable[str]:
    """The wagers of a shape, or of a family."""
    kind = _PLACE if word == "place" else word
    for slug, spot in layout.spots.items():
        shape = word == "line" and isinstance(spot.rule, Line)
        if (shape or kind in (spot.kind, spot.family)) and not spot.only_travels:
            yield slug


def _stands_behind(layout: Layout, spot: Spot, menu: set[str]) -> bool:
    """Whether odds stand behind one of these, or behind what one of these becomes."""
    if not isinstance(spot.rule, OddsRule):
        return False
    flat = layout.spots[spot.flat]
    return flat.slug in menu or any(layout.spots[s].family == flat.family for s in menu)
