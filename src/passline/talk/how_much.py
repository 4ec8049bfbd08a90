"""Answer a player's question about a wager: `how much is the field`. It never makes a bet."""

from __future__ import annotations

import re

from passline.game.house.payouts import find_pay_lines
from passline.game.layout.odds_limits import find_odds_price
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Refusal
from passline.game.layout.wager_checks import find_bounds, find_spot
from passline.game.table import commands as cmd
from passline.talk.bets import BOX_NUMBERS, STRAIGHT_BETS
from passline.talk.canonical import format_amount
from passline.talk.errors import NoMatchError, UnplayableError
from passline.talk.groups import PLACE, find_set_members, find_smallest_sum, is_group
from passline.talk.odds_bets import find_odds_slug, is_odds_word
from passline.talk.utterance import Utterance, offer_choices

_CITE = "custom: a question makes no bet"
_QUESTION_PATTERN = re.compile(
    r"how-much(?: (?:does|do|for|on|in|to|minimum))*(?: (?P<verb>place|buy|lay))?(?: on)? "
    r"(?:total-|number-)?(?P<what>\S+)(?P<lose> lose)?"
    r"(?: (?:pays?|costs?|takes?|to|for|on|minimum))*"
)
_FAMILIES = {"place": PLACE, "buy": "buy", "lay": "lay"}


def answer_how_much(utterance: Utterance) -> list[cmd.AnyCommand]:
    """Raise UnplayableError with the answer to `how much`: the limits, the payout, and what is up.

    The answer is an error because the words play nothing. It offers the smallest bet as a choice if
    the player has none up. Raise NoMatchError if the words are another question.
    """
    found = _QUESTION_PATTERN.fullmatch(utterance.text)
    if found is None:
        raise NoMatchError
    word = found["what"]
    if is_group(word) and found["verb"] in {None, "place"}:
        raise _answer_group(utterance, word)
    if find_set_members(utterance.table, word):
        raise NoMatchError
    family = "place-lose" if found["lose"] else _FAMILIES.get(found["verb"] or "", "")
    raise _answer_wager(utterance, _find_slug(utterance, family, word))


def _answer_group(utterance: Utterance, word: str) -> UnplayableError:
    unit = find_smallest_sum(utterance.table, word)
    name = word.replace("-", " ")
    choices = [f"{name} for {format_amount(unit)}"]
    return offer_choices("how-much-group", choices, _CITE, group=name, unit=unit)


def _find_slug(utterance: Utterance, family: str, word: str) -> str:
    if word.isascii() and word.isdigit():
        number = int(word[:3])
        if not family and number in STRAIGHT_BETS:
            return utterance.find_slug(STRAIGHT_BETS[number])
        if number not in (*BOX_NUMBERS, *STRAIGHT_BETS):
            raise NoMatchError
        return utterance.find_slug(f"{family or PLACE}-{number}")
    if is_odds_word(word):
        return find_odds_slug(utterance, word)
    if not utterance.is_slug(utterance.find_slug(word)):
        raise NoMatchError
    return utterance.find_slug(word)


def _answer_wager(utterance: Utterance, slug: str) -> UnplayableError:
    table = utterance.table
    spot = find_spot(table.layout, slug)
    if isinstance(spot, Refusal):
        return UnplayableError(spot)
    bounds = find_bounds(table.layout, spot, table.point, utterance.wagers)
    up = utterance.wagers[slug].amount if slug in utterance.wagers else 0
    if bounds.most < bounds.least:
        return offer_choices("how-much-no-room", [], _CITE, wager=slug, up=up)
    choices = [] if up else [f"{slug} for {format_amount(bounds.least)}"]
    return offer_choices(
        "how-much",
        choices,
        _CITE,
        wager=slug,
        least=bounds.least,
        most=bounds.most,
        pays=_list_pays(utterance, spot),
        up=up,
    )


def _list_pays(utterance: Utterance, spot: Spot) -> tuple[str, ...]:
    """Return the odds that a wager pays, each once."""
    if spot.is_odds:
        return (str(find_odds_price(spot, utterance.table.point)),)
    if spot.legs:
        spots = [utterance.spots[leg] for leg in spot.legs]
        return tuple(dict.fromkeys(str(leg.odds) for leg in spots))
    lines = find_pay_lines(utterance.table.house, spot.slug, spot.rule, spot.number)
    return tuple(dict.fromkeys(str(odds) for _, odds in lines))
