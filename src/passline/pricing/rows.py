"""What wagers are worth: one of them, or a sheet of all; and the JSON of a row."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from passline.dice import FAIR, Dice
from passline.house import House
from passline.house.house import resolve
from passline.house.named import named_house
from passline.law.book import Elective
from passline.money import dollars
from passline.pricing.appraise import WITH_ODDS, Appraiser
from passline.pricing.pays import option_of
from passline.pricing.wager import (
    OddsRow,
    OddsSheet,
    RefusedOdds,
    StakeRefused,
    WagerError,
    WagerOdds,
)
from passline.words.refusals import refusal_words

_OFFERS = "offers."


def odds(
    house: House | str,
    wager: str,
    *,
    stake: int | None = None,
    with_odds: bool = False,
    dice: Dice = FAIR,
) -> WagerOdds:
    """What a wager of a house (or of a rulebook's id, or of a house-rules file) is worth, exactly.

    ``stake`` in cents: the wager as this house deals it, with its limits, breakage and rounded
    vigorish; without it nothing is rounded. ``with_odds``: a line or come wager with all the odds
    that the house allows behind it (``pass+odds`` names the same). ``dice``: others than fair ones.
    Raises WagerError for a wager that the house does not deal, and StakeRefused for a stake that
    the rules refuse.

    >>> odds("new-jersey", "pass").edge, odds("new-jersey", "pass", with_odds=True).edge
    (Fraction(7, 495), Fraction(7, 825))
    >>> odds("new-jersey", "place-win-6").rolls
    Fraction(36, 11)
    """
    if stake is not None and stake <= 0:
        raise WagerError(f"a stake is above zero, not {stake} cents")
    row = Appraiser(named_house(house), stake, dice).asked(wager, with_odds)
    if isinstance(row, RefusedOdds):
        assert stake is not None
        raise StakeRefused(wager, stake, row.refusal)
    return row


def sheet(
    house: House | str,
    wager: str | None = None,
    *,
    options: bool = False,
    stake: int | None = None,
    with_odds: bool = False,
    dice: Dice = FAIR,
) -> OddsSheet:
    """A row for every wager that a house deals, or for one of them.

    ``options``: also what the rulebook lets a house elect and this one has not (the pay tables of
    fire, for one), each a row of its own. ``with_odds``: line and come wagers with full odds too.

    >>> [row.option for row in sheet("new-jersey", "fire", options=True)]
    ['offers.fire=A', 'offers.fire=B']
    """
    dealt = named_house(house)
    found = appraise_all(dealt, wager, options=options, stake=stake, with_odds=with_odds, dice=dice)
    return OddsSheet(row for _, row in found)


def appraise_all(
    house: House,
    wager: str | None = None,
    *,
    options: bool = False,
    stake: int | None = None,
    with_odds: bool = False,
    dice: Dice = FAIR,
) -> list[tuple[Appraiser, OddsRow]]:
    """The rows of a sheet, each with the appraiser of the house that deals it."""
    main = Appraiser(house, stake, dice)
    others = list(_others(main)) if options else []
    found: list[tuple[Appraiser, OddsRow]] = []
    for slug in _wanted(main, others, wager):
        if slug in main.wagers:
            found.append((main, main.row(slug)))
        found += [(other, other.row(slug)) for other, slugs in others if slug in slugs]
    if with_odds or (wager or "").endswith(WITH_ODDS):
        found += [(main, row) for row in list_with_odds(main, wager)]
    return found


def list_with_odds(main: Appraiser, wager: str | None = None) -> list[OddsRow]:
    """The rows of wagers with full odds: all of them, or the one asked for."""
    slug = None if wager is None else main.layout.slug(wager.removesuffix(WITH_ODDS))
    if wager is not None and slug not in main.flats:
        if wager.endswith(WITH_ODDS):
            main.asked(wager)  # says what is wrong with it
        raise WagerError(f"no odds go with {slug}: they go with {', '.join(main.flats)}")
    return [main.with_odds(flat) for flat in main.flats if slug in (None, flat)]


def _wanted(
    main: Appraiser, others: list[tuple[Appraiser, list[str]]], wager: str | None
) -> list[str]:
    """The wagers to appraise, each once."""
    known = list(dict.fromkeys([*main.wagers, *(slug for _, slugs in others for slug in slugs)]))
    if wager is None:
        return known
    if wager.endswith(WITH_ODDS):
        return []
    slug = main.layout.slug(wager)
    if slug not in known:
        raise main.unknown(wager, slug)
    return [slug]


def _others(main: Appraiser) -> Iterator[tuple[Appraiser, list[str]]]:
    """Houses that elect one thing more, and the wagers that rest on that election."""
    house = main.house
    for key, elective in house.book.elect.items():
        if not key.startswith(_OFFERS) or key in house.elections:
            continue
        for choice in _choices(elective):
            elected = resolve(house.book, house.game, {**house.elections, key: choice}, house.name)
            other = Appraiser(elected, main.stake, main.dice)
            option = f"{key}={str(choice).lower() if choice is True else choice}"
            slugs = [s for s in other.wagers if option_of(elected, other.layout.spots[s]) == option]
            if slugs:
                yield other, slugs


def _choices(elective: Elective) -> list[str | bool | int]:
    default = elective.default.value
    return [c for c in elective.choices.value if c is not False and c != default]


def row_json(row: OddsRow) -> dict[str, Any]:
    """A row as ``passline odds --json`` has it: fractions as text, floats beside them."""
    found: dict[str, Any] = {
        "wager": row.wager,
        "title": row.title,
        "option": row.option,
        "pays": row.pays,
        **(_figures(row) if isinstance(row, WagerOdds) else dict.fromkeys(_FIGURES)),
        "method": "exact",
        "cite": row.cite,
        "cites": list(row.cites),
    }
    if row.multiple is not None:
        found["multiple"] = row.multiple
    if row.odds_taken:
        found["odds_taken"] = {str(n): dollars(cents) for n, cents in row.odds_taken.items()}
        found["capped"] = row.capped
    if row.stake is not None:
        found["stake"] = dollars(row.stake)
    if isinstance(row, RefusedOdds):
        found["refused"] = {"reason": refusal_words(row.refusal), "cite": row.refusal.cite}
    if row.by_point:
        found["by_point"] = {str(point): _point(part) for point, part in row.by_point.items()}
    return found


_EXACT = ("win", "lose", "push", "edge", "edge_resolved", "edge_per_roll", "rolls")
_FIGURES = (*_EXACT, *(f"{name}_float" for name in _EXACT), "sd", "outcomes")


def _figures(row: WagerOdds) -> dict[str, Any]:
    exact: dict[str, Fraction] = {name: getattr(row, name) for name in _EXACT}
    if row.edge_outlay is not None:
        exact["edge_outlay"] = row.edge_outlay
    if row.multiple is not None:
        exact |= {"wagered": row.wagered, "edge_flat": row.edge_flat}
    found: dict[str, Any] = {name: str(value) for name, value in exact.items()}
    found |= {f"{name}_float": float(value) for name, value in exact.items()}
    found["sd"] = row.sd
    found["outcomes"] = [{"net": str(net), "chance": str(c)} for net, c in row.outcomes]
    return found


def _point(part: OddsRow) -> dict[str, Any]:
    """Odds on one point: what is the same for all points is left out."""
    whole = row_json(part)
    return {k: v for k, v in whole.items() if k not in {"wager", "title", "option", "method"}}
