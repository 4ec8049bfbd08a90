"""Odds in table talk: behind which wager, and how much."""

from __future__ import annotations

import re

from passline.law.families import is_laid
from passline.law.wagers import Line, OddsRule
from passline.layout import Refusal, Spot
from passline.layout.amounts import check_amount, odds_cap, price_of
from passline.layout.may import spot_for
from passline.table import commands as cmd
from passline.table.state import Table
from passline.talk.utterance import (
    Heard,
    UnheardError,
    UnplayableError,
    knows,
    offer_choices,
    unplayable,
)

_MAX = re.compile(r"max (\S+)|(\S+)(?: (?:for|to))? max")
_TIMES = re.compile(r"(\d{1,3}) (?:x|times) (\S+)", re.ASCII)
_BY_POINT = re.compile(r"3-4-5 (\S+)")
_ON_NUMBER = re.compile(r"(lay-)?odds-(\d+)")
#: The wagers that odds may be meant for, by what they are called.
_KINDS = {
    "odds": ("pass", "dont-pass"),
    "lay-odds": ("dont-pass",),
    "come-odds": ("come",),
    "dont-come-odds": ("dont-come",),
}


def is_odds(word: str) -> bool:
    """Whether a word is odds of some kind that have no slug yet."""
    return word in _KINDS or _ON_NUMBER.fullmatch(word) is not None


def odds_slug(heard: Heard, word: str) -> str:
    """The odds that are meant: one wager of the player's must be up that they can stand behind."""
    on_number = _ON_NUMBER.fullmatch(word)
    if on_number is not None:
        return _on_number(heard, word, on_number[2], laid=bool(on_number[1]))
    if "come" in word:
        return _on_come(heard, word)
    lines = _up(heard, word)
    if len(lines) != 1:
        if not lines:
            raise unplayable("odds-no-line")
        raise offer_choices(
            "odds-both-lines", heard.with_word(word, [spot.behind for spot in lines])
        )
    return lines[0].behind


def _up(heard: Heard, word: str) -> list[Spot]:
    """The player's wagers that odds by this word may be meant for."""
    up = [spot for slug in heard.wagers if (spot := heard.spot(slug)) is not None]
    return [spot for spot in up if spot.kind in _KINDS[word]]


def _on_come(heard: Heard, word: str) -> str:
    found = [spot.behind for spot in _up(heard, word) if spot.number]
    if len(found) > 1:
        raise offer_choices("odds-which-number", heard.with_word(word, found))
    if not found:
        raise unplayable("no-come-on-number", player=heard.player, wager=_KINDS[word][0])
    return found[0]


def _on_number(heard: Heard, word: str, number: str, laid: bool) -> str:
    """Odds on a number: on the come or don't come there, or on the line where it is the point."""
    table = heard.table
    up = sorted((table.layout.spots[slug] for slug in heard.wagers), key=_comes_first)
    flats = [spot for spot in up if spot.set_on(table.puck) == int(number)]
    found = [spot.behind for spot in flats if spot.behind]
    if laid:
        found = [odds for odds in found if _lays(table, odds)]
    if len(found) > 1:
        raise offer_choices("odds-behind-which", heard.with_word(word, found), number=number)
    if not found:
        code = "no-laid-odds-on-number" if laid else "no-odds-on-number"
        raise unplayable(code, player=heard.player, number=number)
    return found[0]


def _comes_first(spot: Spot) -> tuple[bool, int]:
    return isinstance(spot.rule, Line), spot.rank


def _lays(table: Table, slug: str) -> bool:
    """Whether these are odds that are laid."""
    spot = table.layout.spots.get(slug)
    odds = spot.rule if spot is not None else None
    return isinstance(odds, OddsRule) and is_laid(table.house.book, odds)


def no_odds(heard: Heard) -> UnplayableError:
    """``no odds``: none are made; those that are up come down where that is said."""
    spots = heard.table.layout.spots
    up = [slug for slug in heard.wagers if isinstance(spots[slug].rule, OddsRule)]
    if not up:
        return unplayable("no-odds-up", player=heard.player)
    return offer_choices("no-odds", [f"{slug} down" for slug in up])


def make_full_odds(heard: Heard) -> list[cmd.AnyCommand]:
    """As much as the house takes behind the flat wager: odds, made or changed to their maximum."""
    found = _MAX.fullmatch(heard.said)
    if found is None:
        raise UnheardError
    word = found[1] or found[2]
    slug = odds_slug(heard, word) if is_odds(word) else heard.slug(word)
    return _at_most(heard, slug)


def _at_most(heard: Heard, slug: str) -> list[cmd.AnyCommand]:
    layout, puck, wagers = heard.table.layout, heard.table.puck, heard.wagers
    spot = layout.spots.get(slug)
    if spot is None:
        raise _undealt(heard.table, slug)
    if not isinstance(spot.rule, OddsRule):
        raise UnheardError
    if not spot.number and not puck:
        raise unplayable("odds-need-point")
    if spot.flat not in wagers:
        raise unplayable("needs-flat", wager=slug, flat=spot.flat)
    cap = odds_cap(layout, spot, puck, wagers)
    if check_amount(layout, spot, puck, wagers, cap) is not None:
        # Where a book does not let odds pass their limit to pay exactly, they stay under it.
        cap -= cap % price_of(spot, puck).step(layout.house.chip)
    if slug in wagers:
        return [cmd.Change(heard.player, slug, cap)]
    return [heard.bet(slug, cap)]


def _by_point(heard: Heard) -> UnplayableError:
    """``345 odds``: a table's limit and no amount; what it comes to here is offered."""
    found = _BY_POINT.fullmatch(heard.said)
    if found is None or not is_odds(found[1]):
        raise UnheardError
    slug = odds_slug(heard, found[1])
    spot = heard.table.layout.spots.get(slug)
    number = spot.number or heard.table.puck if spot is not None else 0
    printed = heard.table.house.book.odds.three_four_five
    times = next((by.value for key, by in printed.items() if str(number) in key.split()), 0)
    ways = [f"{times}x {slug}"] if times and not _lays(heard.table, slug) else []
    return offer_choices("odds-by-point", [*ways, f"{slug} for max"])


def _undealt(table: Table, slug: str) -> Exception:
    """Odds that this table does not deal are refused as such; other words are not understood."""
    refused = spot_for(table.layout, slug)
    if isinstance(refused, Refusal) and knows(table, slug) and "-odds" in slug:
        return UnplayableError(refused)
    return UnheardError()


def make_times_odds(heard: Heard) -> list[cmd.AnyCommand]:
    """``double odds``: so many times the flat. Laid odds must be said in dollars."""
    found = _TIMES.fullmatch(heard.said)
    if found is None:
        raise _by_point(heard)
    times, word = int(found[1]), found[2]
    if not times or not (is_odds(word) or "-odds" in word):
        raise UnheardError
    slug = odds_slug(heard, word) if is_odds(word) else heard.slug(word)
    if _lays(heard.table, slug):
        raise offer_choices("how-much-to-lay", [f"{slug} for max"])
    spot = heard.table.layout.spots.get(slug)
    if spot is None or spot.flat not in heard.wagers:
        raise unplayable("needs-number", wager=slug)
    cents = heard.wagers[spot.flat].amount * times
    if slug in heard.wagers:
        return [cmd.Change(heard.player, slug, cents)]
    return [heard.bet(slug, cents)]
