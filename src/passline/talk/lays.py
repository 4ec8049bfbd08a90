"""Lays as dealers say them: ``$41 no four`` is forty against the four, and a dollar of vigorish."""

from __future__ import annotations

from passline.layout import Spot
from passline.layout.amounts import check_amount
from passline.talk.groups import PLACE
from passline.talk.says import money_words
from passline.talk.utterance import Heard, UnplayableError, offer_choices


def against(number: int, cents: int) -> UnplayableError:
    """``no ten for 50``: against it, or taking back what was said before."""
    said = money_words(cents)
    ways = [f"{family}-{number} for {said}" for family in ("lay", PLACE)]
    return offer_choices("against-or-on", ways, number=number)


def lay_with_vig(heard: Heard, number: int, cents: int) -> int:
    """The lay that a sum is said for: with its vigorish in it, or by itself.

    Refused where either would be paid exactly.
    """
    slug = f"lay-{number}"
    spot = heard.spot(slug)
    if spot is None or not spot.vig or spot.vig_won:
        return cents
    terms = heard.table.house.vig[spot.vig]
    chip = heard.table.house.chip
    least = cents - cents // 10  # no vigorish is a tenth of its lay
    stakes = range(least - least % chip, cents, chip)
    found = [s for s in stakes if s + terms.charge(s, spot.odds) == cents and _fits(heard, spot, s)]
    found += [cents] if _fits(heard, spot, cents) else []
    if len(found) > 1:
        ways = [f"{slug} for {money_words(stake)}" for stake in found]
        raise offer_choices("vig-in-it", ways, amount=cents)
    return found[0] if found else cents


def _fits(heard: Heard, spot: Spot, cents: int) -> bool:
    """Whether a lay is taken, and paid exactly."""
    exact = cents % spot.odds.step(heard.table.house.chip) == 0
    return exact and check_amount(heard.table.layout, spot, heard.table.puck, {}, cents) is None
