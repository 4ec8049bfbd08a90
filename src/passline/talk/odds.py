"""Odds in table talk: behind which wager, and how much."""

from __future__ import annotations

import re

from passline.game.law.shapes.line import Line
from passline.game.law.shapes.odds import OddsRule
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Refusal
from passline.game.layout.wager_checks import (
    check_amount,
    find_odds_cap,
    find_odds_price,
    find_spot,
)
from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.talk.utterance import (
    NoMatchError,
    UnplayableError,
    Utterance,
    is_wager_slug,
    make_unplayable,
    offer_choices,
)

_MAX_PATTERN = re.compile(r"max (\S+)|(\S+)(?: (?:for|to))? max")
_TIMES_PATTERN = re.compile(r"(\d{1,3}) (?:x|times) (\S+)", re.ASCII)
_BY_POINT_PATTERN = re.compile(r"3-4-5 (\S+)")
_ON_NUMBER_PATTERN = re.compile(r"(lay-)?odds-(\d+)")
#: The wagers that odds may be meant for, by what they are called.
_FLATS_BY_WORD = {
    "odds": ("pass", "dont-pass"),
    "lay-odds": ("dont-pass",),
    "come-odds": ("come",),
    "dont-come-odds": ("dont-come",),
}


def is_odds_word(word: str) -> bool:
    """Whether a word is odds of some kind that have no slug yet."""
    return word in _FLATS_BY_WORD or _ON_NUMBER_PATTERN.fullmatch(word) is not None


def find_odds_slug(heard: Utterance, word: str) -> str:
    """The odds that are meant: one wager of the player's must be up that they can stand behind."""
    on_number = _ON_NUMBER_PATTERN.fullmatch(word)
    if on_number is not None:
        return _find_odds_on_number(heard, word, on_number[2], laid=bool(on_number[1]))
    if "come" in word:
        return _find_come_odds(heard, word)
    lines = _find_flats(heard, word)
    if len(lines) != 1:
        if not lines:
            raise make_unplayable("odds-no-line")
        raise offer_choices(
            "odds-both-lines", heard.replace_word(word, [spot.behind for spot in lines])
        )
    return lines[0].behind


def _find_flats(heard: Utterance, word: str) -> list[Spot]:
    """The player's wagers that odds by this word may be meant for."""
    up = [spot for slug in heard.wagers if (spot := heard.spot(slug)) is not None]
    return [spot for spot in up if spot.kind in _FLATS_BY_WORD[word]]


def _find_come_odds(heard: Utterance, word: str) -> str:
    found = [spot.behind for spot in _find_flats(heard, word) if spot.number]
    if len(found) > 1:
        raise offer_choices("odds-which-number", heard.replace_word(word, found))
    if not found:
        raise make_unplayable(
            "no-come-on-number", player=heard.player, wager=_FLATS_BY_WORD[word][0]
        )
    return found[0]


def _find_odds_on_number(heard: Utterance, word: str, number: str, laid: bool) -> str:
    """Odds on a number: on the come or don't come there, or on the line where it is the point."""
    table = heard.table
    up = sorted((table.layout.spots[slug] for slug in heard.wagers), key=_sort_comes_first)
    flats = [spot for spot in up if spot.number_with_puck(table.puck) == int(number)]
    found = [spot.behind for spot in flats if spot.behind]
    if laid:
        found = [odds for odds in found if _is_laid_odds(table, odds)]
    if len(found) > 1:
        raise offer_choices("odds-behind-which", heard.replace_word(word, found), number=number)
    if not found:
        code = "no-laid-odds-on-number" if laid else "no-odds-on-number"
        raise make_unplayable(code, player=heard.player, number=number)
    return found[0]


def _sort_comes_first(spot: Spot) -> tuple[bool, int]:
    return isinstance(spot.rule, Line), spot.rank


def _is_laid_odds(table: Table, slug: str) -> bool:
    """Whether these are odds that are laid."""
    spot = table.layout.spots.get(slug)
    odds = spot.rule if spot is not None else None
    return isinstance(odds, OddsRule) and odds.is_laid(table.house.book)


def refuse_no_odds(heard: Utterance) -> UnplayableError:
    """``no odds``: none are made; those that are up come down where that is said."""
    spots = heard.table.layout.spots
    up = [slug for slug in heard.wagers if isinstance(spots[slug].rule, OddsRule)]
    if not up:
        return make_unplayable("no-odds-up", player=heard.player)
    return offer_choices("no-odds", [f"{slug} down" for slug in up])


def bet_max_odds(heard: Utterance) -> list[cmd.AnyCommand]:
    """As much as the house takes behind the flat wager: odds, made or changed to their maximum."""
    found = _MAX_PATTERN.fullmatch(heard.said)
    if found is None:
        raise NoMatchError
    word = found[1] or found[2]
    slug = find_odds_slug(heard, word) if is_odds_word(word) else heard.slug(word)
    return _bet_up_to_limit(heard, slug)


def _bet_up_to_limit(heard: Utterance, slug: str) -> list[cmd.AnyCommand]:
    layout, puck, wagers = heard.table.layout, heard.table.puck, heard.wagers
    spot = layout.spots.get(slug)
    if spot is None:
        raise _refuse_undealt(heard.table, slug)
    if not isinstance(spot.rule, OddsRule):
        raise NoMatchError
    if not spot.number and not puck:
        raise make_unplayable("odds-need-point")
    if spot.flat not in wagers:
        raise make_unplayable("needs-flat", wager=slug, flat=spot.flat)
    cap = find_odds_cap(layout, spot, puck, wagers)
    if check_amount(layout, spot, puck, wagers, cap) is not None:
        # Where a book does not let odds pass their limit to pay exactly, they stay under it.
        cap -= cap % find_odds_price(spot, puck).step(layout.house.chip)
    if slug in wagers:
        return [cmd.Change(heard.player, slug, cap)]
    return [heard.bet(slug, cap)]


def _offer_odds_by_point(heard: Utterance) -> UnplayableError:
    """``345 odds``: a table's limit and no amount; what it comes to here is offered."""
    found = _BY_POINT_PATTERN.fullmatch(heard.said)
    if found is None or not is_odds_word(found[1]):
        raise NoMatchError
    slug = find_odds_slug(heard, found[1])
    spot = heard.table.layout.spots.get(slug)
    number = spot.number or heard.table.puck if spot is not None else 0
    printed = heard.table.house.book.odds.three_four_five
    times = next((by.value for key, by in printed.items() if str(number) in key.split()), 0)
    ways = [f"{times}x {slug}"] if times and not _is_laid_odds(heard.table, slug) else []
    return offer_choices("odds-by-point", [*ways, f"{slug} for max"])


def _refuse_undealt(table: Table, slug: str) -> Exception:
    """Odds that this table does not deal are refused as such; other words are not understood."""
    refused = find_spot(table.layout, slug)
    if isinstance(refused, Refusal) and is_wager_slug(table, slug) and "-odds" in slug:
        return UnplayableError(refused)
    return NoMatchError()


def bet_times_odds(heard: Utterance) -> list[cmd.AnyCommand]:
    """``double odds``: so many times the flat. Laid odds must be said in dollars."""
    found = _TIMES_PATTERN.fullmatch(heard.said)
    if found is None:
        raise _offer_odds_by_point(heard)
    times, word = int(found[1]), found[2]
    if not times or not (is_odds_word(word) or "-odds" in word):
        raise NoMatchError
    slug = find_odds_slug(heard, word) if is_odds_word(word) else heard.slug(word)
    if _is_laid_odds(heard.table, slug):
        raise offer_choices("how-much-to-lay", [f"{slug} for max"])
    spot = heard.table.layout.spots.get(slug)
    if spot is None or spot.flat not in heard.wagers:
        raise make_unplayable("needs-number", wager=slug)
    cents = heard.wagers[spot.flat].amount * times
    if slug in heard.wagers:
        return [cmd.Change(heard.player, slug, cents)]
    return [heard.bet(slug, cents)]
