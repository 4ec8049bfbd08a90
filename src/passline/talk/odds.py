"""Odds in table talk: behind which wager, and how much."""

from __future__ import annotations

import re

from passline.law.families import floor_name, is_laid
from passline.law.wagers import Line, Odds
from passline.layout import Refusal, Spot
from passline.layout.amounts import check_amount, odds_cap, price_of
from passline.layout.may import spot_for
from passline.table import commands as cmd
from passline.table.state import Table
from passline.talk.utterance import Heard, UnheardError, UnplayableError, either, knows
from passline.words.refusals import refusal_words

_MAX = re.compile(r"max (\S+)|(\S+)(?: (?:for|to))? max")
_TIMES = re.compile(r"(\d{1,3}) (?:x|times) (\S+)", re.ASCII)
#: The wagers that odds may be meant for, by what they are called.
_KINDS = {
    "odds": ("pass", "dont-pass"),
    "lay-odds": ("dont-pass",),
    "come-odds": ("come",),
    "dont-come-odds": ("dont-come",),
}


def is_odds(word: str) -> bool:
    """Whether a word is odds of some kind that have no slug yet."""
    return word in _KINDS or (word.startswith("odds-") and word[5:].isdigit())


def odds_slug(heard: Heard, word: str) -> str:
    """The odds that are meant: one wager of the player's must be up that they can stand behind."""
    if word.startswith("odds-"):
        return _on_number(heard, word)
    if "come" in word:
        return _on_come(heard, word)
    lines = _up(heard, word)
    if len(lines) != 1:
        which = "both line wagers are up" if lines else "no line wager is up"
        raise UnplayableError(
            f"odds on what? {which}: say pass-odds, dont-pass-odds, come-odds-6 ..."
        )
    return lines[0].behind


def _up(heard: Heard, word: str) -> list[Spot]:
    """The player's wagers that odds by this word may be meant for."""
    spots, book = heard.table.layout.spots, heard.table.house.book
    up = [spots[slug] for slug in heard.wagers if slug in spots]
    return [spot for spot in up if floor_name(book, spot.family) in _KINDS[word]]


def _on_come(heard: Heard, word: str) -> str:
    found = [spot.behind for spot in _up(heard, word) if spot.number]
    if len(found) > 1:
        raise either("odds on which number", heard.with_word(word, found))
    if not found:
        raise UnplayableError(f"{heard.player} has no {_KINDS[word][0]} wager on a number")
    return found[0]


def _on_number(heard: Heard, word: str) -> str:
    """Odds on a number: on the come or don't come there, or on the line where it is the point."""
    number = word.removeprefix("odds-")
    table = heard.table
    up = sorted((table.layout.spots[slug] for slug in heard.wagers), key=_comes_first)
    flats = [spot for spot in up if spot.set_on(table.puck) == int(number)]
    found = [spot.behind for spot in flats if spot.behind]
    if len(found) > 1:
        raise either(f"odds on the {number} behind which wager", heard.with_word(word, found))
    if not found:
        raise UnplayableError(f"{heard.player} has no wager on the {number} that takes odds")
    return found[0]


def _comes_first(spot: Spot) -> tuple[bool, int]:
    return isinstance(spot.rule, Line), spot.rank


def full_odds(heard: Heard) -> list[cmd.AnyCommand]:
    """As much as the house takes behind the flat wager: odds, made or changed to their maximum."""
    found = _MAX.fullmatch(heard.said)
    if found is None:
        raise UnheardError
    slug = found[1] or found[2]
    if is_odds(slug):
        slug = odds_slug(heard, slug)
    return _at_most(heard, slug)


def _at_most(heard: Heard, slug: str) -> list[cmd.AnyCommand]:
    layout, puck, wagers = heard.table.layout, heard.table.puck, heard.wagers
    spot = layout.spots.get(slug)
    if spot is None:
        raise _undealt(heard.table, slug)
    if not isinstance(spot.rule, Odds):
        raise UnheardError
    if not spot.number and not puck:
        raise UnplayableError("odds on the line need a point")
    if spot.flat not in wagers:
        raise UnplayableError(f"{slug} needs a {spot.flat} wager that has its number")
    cap = odds_cap(layout, spot, puck, wagers)
    if check_amount(layout, spot, puck, wagers, cap) is not None:
        # Where a book does not let odds pass their limit to pay exactly, they stay under it.
        cap -= cap % price_of(spot, puck).step(layout.house.chip)
    if slug in wagers:
        return [cmd.Change(heard.player, slug, cap)]
    return [heard.bet(slug, cap)]


def _undealt(table: Table, slug: str) -> Exception:
    """Odds that this table does not deal are refused as such; other words are not understood."""
    refused = spot_for(table.layout, slug)
    if isinstance(refused, Refusal) and knows(table, slug) and "-odds" in slug:
        return UnplayableError(refusal_words(refused), refused.cite)
    return UnheardError()


def times_odds(heard: Heard) -> list[cmd.AnyCommand]:
    """``double odds``: so many times the flat. Laid odds must be said in dollars."""
    found = _TIMES.fullmatch(heard.said)
    if found is None:
        raise UnheardError
    times, word = int(found[1]), found[2]
    if not times or not (is_odds(word) or "-odds" in word):
        raise UnheardError
    slug = odds_slug(heard, word) if is_odds(word) else word
    spot = heard.table.layout.spots.get(slug)
    if (
        spot is not None
        and isinstance(spot.rule, Odds)
        and is_laid(heard.table.house.book, spot.rule)
    ):
        raise UnplayableError(f"how much to lay? say {slug} for an amount, or {slug} for max")
    if spot is None or spot.flat not in heard.wagers:
        raise UnplayableError(f"{slug} needs a wager that has its number")
    cents = heard.wagers[spot.flat].amount * times
    if slug in heard.wagers:
        return [cmd.Change(heard.player, slug, cents)]
    return [heard.bet(slug, cents)]
