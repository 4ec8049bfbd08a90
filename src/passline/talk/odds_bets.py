"""Parse talk about odds: which wager they go behind, and how much."""

from __future__ import annotations

import re

from passline.game.layout.odds_limits import find_odds_cap, find_odds_price
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Refusal
from passline.game.layout.wager_checks import check_amount, find_spot
from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.talk.errors import NoMatchError, UnplayableError
from passline.talk.utterance import ODDS_CITE, Utterance, make_unplayable, offer_choices

_MAX_PATTERN = re.compile(r"max (\S+)|(\S+)(?: (?:for|to))? max")
_TIMES_PATTERN = re.compile(r"(\d{1,3}) (?:x|times) (\S+)", re.ASCII)
_BY_POINT_PATTERN = re.compile(r"3-4-5 (\S+)")
_ON_NUMBER_PATTERN = re.compile(r"(lay-)?odds-(\d+)")
_EVERY_COME_PATTERN = re.compile(r"every-((?:dont-)?come-odds)")
#: The flat wagers that each odds word may go behind.
_FLATS_BY_WORD = {
    "odds": ("pass", "dont-pass"),
    "lay-odds": ("dont-pass",),
    "come-odds": ("come",),
    "dont-come-odds": ("dont-come",),
}


def is_odds_word(word: str) -> bool:
    """Return whether a word means odds without naming the wager that they go behind."""
    return word in _FLATS_BY_WORD or _ON_NUMBER_PATTERN.fullmatch(word) is not None


def is_every_come_odds(word: str) -> bool:
    """Return whether a word means the odds behind every come, or every don't come, wager."""
    return _EVERY_COME_PATTERN.fullmatch(word) is not None


def find_every_come_odds(utterance: Utterance, word: str) -> list[str]:
    """Return the slugs of the odds that `every-come-odds` means, or [] for another word.

    They go behind each of the player's come wagers that is on a number. Raise UnplayableError if
    the player has none.
    """
    found = _EVERY_COME_PATTERN.fullmatch(word)
    if found is None:
        return []
    behind = [spot.behind for spot in _find_flats(utterance, found[1]) if spot.number]
    if not behind:
        flat = _FLATS_BY_WORD[found[1]][0]
        raise make_unplayable("no-come-on-number", ODDS_CITE, player=utterance.player, wager=flat)
    return behind


def find_odds_slug(utterance: Utterance, word: str) -> str:
    """Return the slug of the odds that a word such as `odds` or `odds-9` means for this player.

    Raise UnplayableError unless exactly one of the player's wagers can take them.
    """
    on_number = _ON_NUMBER_PATTERN.fullmatch(word)
    if on_number is not None:
        return _find_odds_on_number(utterance, word, on_number[2], laid=bool(on_number[1]))
    if "come" in word:
        return _find_come_odds(utterance, word)
    behind = [spot.behind for spot in _find_flats(utterance, word)]
    if not behind:
        raise make_unplayable("odds-no-line", ODDS_CITE)
    if len(behind) > 1:
        raise offer_choices("odds-both-lines", utterance.replace_word(word, behind))
    return behind[0]


def _find_flats(utterance: Utterance, word: str) -> list[Spot]:
    """Return the player's line or come wagers that the odds named by `word` may go behind."""
    up = [spot for slug in utterance.wagers if (spot := utterance.find_spot(slug)) is not None]
    return [spot for spot in up if spot.kind in _FLATS_BY_WORD[word]]


def _find_come_odds(utterance: Utterance, word: str) -> str:
    found = [spot.behind for spot in _find_flats(utterance, word) if spot.number]
    if len(found) > 1:
        raise offer_choices("odds-which-number", utterance.replace_word(word, found))
    if not found:
        flat = _FLATS_BY_WORD[word][0]
        raise make_unplayable("no-come-on-number", ODDS_CITE, player=utterance.player, wager=flat)
    return found[0]


def _find_odds_on_number(utterance: Utterance, word: str, number: str, laid: bool) -> str:
    """Return the slug of the odds on a number: behind a come wager there, or behind the line.

    With `laid`, only odds that are laid count. Raise UnplayableError unless there is exactly one.
    """
    table = utterance.table
    up = [table.layout.spots[slug] for slug in utterance.wagers]
    flats = [spot for spot in up if spot.number_with_puck(table.point) == int(number)]
    flats.sort(key=lambda spot: (spot.rule.is_line, spot.rank))  # Come wagers first.
    found = [spot.behind for spot in flats if spot.behind]
    if laid:
        found = [odds for odds in found if _is_laid_odds(table, odds)]
    if len(found) > 1:
        raise offer_choices("odds-behind-which", utterance.replace_word(word, found), number=number)
    if not found:
        code = "no-laid-odds-on-number" if laid else "no-odds-on-number"
        raise make_unplayable(code, ODDS_CITE, player=utterance.player, number=number)
    return found[0]


def _is_laid_odds(table: Table, slug: str) -> bool:
    """Return whether a wager is odds that are laid, not taken."""
    spot = table.layout.spots.get(slug)
    return spot is not None and spot.rule.is_laid(table.house.book)


def refuse_no_odds(utterance: Utterance) -> UnplayableError:
    """Return the error for `no odds`, with taking down each of the player's odds as a choice."""
    spots = utterance.spots
    up = [slug for slug in utterance.wagers if spots[slug].is_odds]
    if not up:
        return make_unplayable("no-odds-up", ODDS_CITE, player=utterance.player)
    return offer_choices("no-odds", [f"{slug} down" for slug in up])


def bet_max_odds(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the commands for `max odds`: bet the most that the house takes, or change to it.

    Raise NoMatchError for other talk, and UnplayableError if the player can have no such odds now.
    """
    found = _MAX_PATTERN.fullmatch(utterance.text)
    if found is None:
        raise NoMatchError
    slugs = _find_slugs(utterance, found[1] or found[2])
    return [command for slug in slugs for command in _bet_up_to_limit(utterance, slug)]


def _find_slugs(utterance: Utterance, word: str) -> list[str]:
    if every := find_every_come_odds(utterance, word):
        return every
    return [find_odds_slug(utterance, word) if is_odds_word(word) else utterance.find_slug(word)]


def _bet_up_to_limit(utterance: Utterance, slug: str) -> list[cmd.AnyCommand]:
    layout, puck, wagers = utterance.table.layout, utterance.table.point, utterance.wagers
    spot = layout.spots.get(slug)
    if spot is None:
        raise _refuse_undealt(utterance.table, slug)
    if not spot.is_odds:
        raise NoMatchError
    if not spot.number and not puck:
        raise make_unplayable("odds-need-point", ODDS_CITE)
    if spot.flat not in wagers:
        raise make_unplayable("needs-flat", ODDS_CITE, wager=slug, flat=spot.flat)
    cap = find_odds_cap(layout, spot, puck, wagers)
    if check_amount(layout, spot, puck, wagers, cap) is not None:
        # If the book does not let odds exceed their limit to pay exactly, they stay below it.
        cap -= cap % find_odds_price(spot, puck).step(layout.house.chip)
    return utterance.change_or_bet(slug, cap)


def _offer_odds_by_point(utterance: Utterance) -> UnplayableError:
    """Return the error that refuses `345 odds`, with the amount for this point as a choice.

    Raise NoMatchError for other talk.
    """
    found = _BY_POINT_PATTERN.fullmatch(utterance.text)
    if found is None or not is_odds_word(found[1]):
        raise NoMatchError
    slug = find_odds_slug(utterance, found[1])
    spot = utterance.spots.get(slug)
    number = spot.number or utterance.table.point if spot is not None else 0
    printed = utterance.table.house.book.odds.three_four_five
    times = next((by.value for key, by in printed.items() if str(number) in key.split()), 0)
    choices = [f"{times}x {slug}"] if times and not _is_laid_odds(utterance.table, slug) else []
    return offer_choices("odds-by-point", [*choices, f"{slug} for max"])


def _refuse_undealt(table: Table, slug: str) -> Exception:
    """Return the error for odds that this table does not deal, or NoMatchError for other words."""
    refused = find_spot(table.layout, slug)
    if isinstance(refused, Refusal) and slug in table.layout.slugs and "-odds" in slug:
        return UnplayableError(refused)
    return NoMatchError()


def bet_times_odds(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Return the commands for `double odds`: a multiple of the flat bet.

    Laid odds raise UnplayableError, because they need an amount in dollars; so do `345 odds`, whose
    multiple depends on the point. Raise NoMatchError for other talk.
    """
    found = _TIMES_PATTERN.fullmatch(utterance.text)
    if found is None:
        raise _offer_odds_by_point(utterance)
    times, word = int(found[1]), found[2]
    if not times or not (is_odds_word(word) or "-odds" in word):
        raise NoMatchError
    slugs = _find_slugs(utterance, word)
    return [part for slug in slugs for part in _bet_times_flat(utterance, slug, times)]


def _bet_times_flat(utterance: Utterance, slug: str, times: int) -> list[cmd.AnyCommand]:
    if _is_laid_odds(utterance.table, slug):
        raise offer_choices("how-much-to-lay", [f"{slug} for max"])
    spot = utterance.spots.get(slug)
    if spot is None or spot.flat not in utterance.wagers:
        raise make_unplayable("needs-number", ODDS_CITE, wager=slug)
    return utterance.change_or_bet(slug, utterance.wagers[spot.flat].amount * times)
