"""The par sheet: everything that a test lab asks of a game, before it is set as text or a page."""

from __future__ import annotations

from fractions import Fraction
from importlib.metadata import version

import msgspec

from passline.dice import FAIR, Dice
from passline.house import House
from passline.house.card_wagers import wager_sections
from passline.house.keys import show_election
from passline.money import Odds, show_dollars
from passline.pricing.appraise import WITH_ODDS, Appraiser
from passline.pricing.costs import Exposure, Limit, at_limit
from passline.pricing.explain import Explanation, explain_row
from passline.pricing.pays import list_pays
from passline.pricing.rows import appraise_all
from passline.pricing.wager import WagerOdds, list_odds
from passline.results import LabResult, ResultTable

#: A normal variable stays within so many standard deviations nine times in ten.
NINE_IN_TEN = 1.645


class Tier(msgspec.Struct, frozen=True):
    """One line of a side wager's pay table, and the chance that it is the one paid."""

    on: str
    odds: str
    cite: str
    chance: Fraction


class ParRow(msgspec.Struct, frozen=True):
    """A wager: its figures, what it is at its posted limits, and its tiers if it has any."""

    odds: WagerOdds
    limit: Limit | None
    tiers: tuple[Tier, ...]

    @property
    def volatility(self) -> float:
        """The volatility index: NINE_IN_TEN standard deviations.

        Over N decisions the house's share of the amount wagered is within this over the root of
        N of the edge, nine times in ten (N large).
        """
        return NINE_IN_TEN * self.odds.sd


class ParSheet(LabResult, msgspec.Struct, frozen=True):
    """A whole par sheet. ``terms`` are the rules behind figures: vigorish, odds, side wagers;
    ``explained``: its rows unfolded, where that was asked for."""

    title: str
    rulebook: str
    game: str
    header: tuple[tuple[str, str], ...]
    rows: tuple[ParRow, ...]
    terms: tuple[tuple[str, tuple[str, ...]], ...]
    exposure: Exposure | None = None
    explained: tuple[Explanation, ...] = ()

    def headline(self) -> str:
        """Whose sheet it is."""
        return f"par sheet of {self.title}, {len(self.rows)} wagers; exact"

    def listed(self) -> ResultTable:
        """A row for each wager."""
        return list_odds([row.odds for row in self.rows])


def par_sheet(
    house: House,
    *,
    options: bool = False,
    layout: Exposure | None = None,
    dice: Dice = FAIR,
    explain: bool = False,
) -> ParSheet:
    """The par sheet of a house; ``options``: with every pay table that it may yet elect;
    ``dice``: others than fair ones; ``explain``: with every figure unfolded.

    >>> from passline.house import house_for
    >>> sheet = par_sheet(house_for("iowa"))
    >>> sheet.rows[0].odds.wager, sheet.rows[0].limit.stake
    ('pass', 50000)
    """
    found = appraise_all(house, options=options, with_odds=True, dice=dice)
    return ParSheet(
        title=f"{house.name}: {house.game}",
        rulebook=house.book.id,
        game=house.game,
        header=tuple(_header(house, dice)),
        rows=tuple(_row(main, row) for main, row in found if isinstance(row, WagerOdds)),
        terms=tuple((part.title, part.notes) for part in wager_sections(house) if part.notes),
        exposure=layout,
        explained=tuple(
            explain_row(main, row)
            for main, row in (found if explain else ())
            if isinstance(row, WagerOdds)
        ),
    )


def _header(house: House, dice: Dice) -> list[tuple[str, str]]:
    elected = [f"{key} = {show_election(key, v)}" for key, v in sorted(house.elections.items())]
    return [
        ("Rulebook", f"{house.book.title} ({house.book.id})"),
        ("Game", house.game),
        ("House", house.name),
        ("Elections", "; ".join(elected) or "none: the rulebook's defaults"),
        ("Table minimum", show_dollars(house.minimum)),
        ("Minimum on center wagers", show_dollars(house.center_minimum)),
        ("Table maximum", show_dollars(house.maximum)),
        ("Smallest chip", show_dollars(house.chip)),
        *([] if dice.fair else [("Dice", f"not fair: {dice}")]),
        ("Made by", f"passline {version('passline')}, every figure exact"),
    ]


def _row(main: Appraiser, row: WagerOdds) -> ParRow:
    slug = row.wager.removesuffix(WITH_ODDS)
    spot = main.felt.spots[slug]
    chances = dict(row.outcomes)
    tiers = tuple(
        Tier(
            on=line.on,
            odds=line.odds,
            cite=line.cites[0],
            chance=chances.get(Odds.parse(line.odds).ratio, Fraction(0)),
        )
        for line in (list_pays(main.house, spot) if spot.tiers else ())
    )
    return ParRow(row, at_limit(main.felt, slug, slug != row.wager), tiers)
