"""Compute the par sheet: the exact figures of a game that a test lab needs, not yet formatted."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from passline.game.dice.dice import FAIR, Dice
from passline.game.house.elections import show_election
from passline.game.house.house import House
from passline.game.money.amounts import Odds, show_dollars
from passline.game.words.odds import say_odds
from passline.game.words.placard import make_wager_sections
from passline.lab.pricing.explain import Explanation, explain_row
from passline.lab.pricing.exposure import Exposure, WagerLimit, find_limit
from passline.lab.pricing.pays import list_pay_lines
from passline.lab.pricing.wager_odds import (
    WITH_ODDS_SUFFIX,
    Appraiser,
    WagerOdds,
    appraise_all,
    make_result_table,
)
from passline.lab.results import LabResult, ResultTable
from passline.version import VERSION

#: A normal variable is within this many standard deviations nine times in ten.
NINETY_PERCENT_Z = 1.645


class PayTier(msgspec.Struct, frozen=True):
    """One line of a side wager's pay table: what it pays, its clause and its chance.

    ``on`` says which result pays this, such as how many points made; it is empty if any win does.
    """

    on: str
    odds: str
    cite: str
    chance: Fraction


class ParRow(msgspec.Struct, frozen=True):
    """One wager of a par sheet: its figures, its posted limits, and its pay table.

    ``limit`` is None if no amount within the limits may be wagered. ``tiers`` is () unless the
    wager pays by how much it has collected, as fire does.
    """

    odds: WagerOdds
    limit: WagerLimit | None
    tiers: tuple[PayTier, ...]

    @property
    def volatility(self) -> float:
        """The volatility index: NINETY_PERCENT_Z standard deviations of one decision.

        Divide it by the square root of N: in nine of ten series of N decisions (N large), the
        house's share of the amount wagered differs from the edge by less.
        """
        return NINETY_PERCENT_Z * self.odds.sd


class ParSheet(LabResult, msgspec.Struct, frozen=True):
    """A whole par sheet.

    ``header`` has pairs of label and text. ``terms`` are the rules behind the figures, as pairs of
    title and notes: vigorish, odds, side wagers. ``exposure`` is the cost of each throw at a
    layout. ``explained`` has the explanation of each row, if requested.
    """

    title: str
    rulebook: str
    game: str
    header: tuple[tuple[str, str], ...]
    rows: tuple[ParRow, ...]
    terms: tuple[tuple[str, tuple[str, ...]], ...]
    exposure: Exposure | None = None
    explained: tuple[Explanation, ...] = ()

    def headline(self) -> str:
        """Return in one line the house and the number of wagers."""
        return say_odds("par-sheet", title=self.title, count=len(self.rows))

    def to_table(self) -> ResultTable:
        """Return a table with one row for each wager."""
        return make_result_table([row.odds for row in self.rows])


def make_par_sheet(
    house: House,
    *,
    options: bool = False,
    layout: Exposure | None = None,
    dice: Dice = FAIR,
    explain: bool = False,
) -> ParSheet:
    """Return the par sheet of a house.

    ``options``: include every pay table that the house could still elect. ``layout``: the cost of
    each throw at a table. ``dice``: fair by default. ``explain``: include the explanation of every
    row.

    >>> from passline.game.house.load import house_for
    >>> sheet = make_par_sheet(house_for("iowa"))
    >>> sheet.rows[0].odds.wager, sheet.rows[0].limit.stake
    ('pass', 50000)
    """
    found = appraise_all(house, options=options, with_odds=True, dice=dice)
    return ParSheet(
        title=f"{house.name}: {house.game}",
        rulebook=house.book.id,
        game=house.game,
        header=tuple(_header(house, dice)),
        rows=tuple(_make_row(main, row) for main, row in found if isinstance(row, WagerOdds)),
        terms=tuple((part.title, part.notes) for part in make_wager_sections(house) if part.notes),
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
        (say_odds("par.rulebook"), f"{house.book.title} ({house.book.id})"),
        (say_odds("par.game"), house.game),
        (say_odds("par.house"), house.name),
        (say_odds("par.elections"), "; ".join(elected) or say_odds("par.no-elections")),
        (say_odds("par.minimum"), show_dollars(house.minimum)),
        (say_odds("par.center-minimum"), show_dollars(house.center_minimum)),
        (say_odds("par.maximum"), show_dollars(house.maximum)),
        (say_odds("par.chip"), show_dollars(house.chip)),
        *([] if dice.fair else [(say_odds("par.dice"), say_odds("par.unfair", dice=str(dice)))]),
        (say_odds("par.made-by"), say_odds("par.program", version=VERSION)),
    ]


def _make_row(main: Appraiser, row: WagerOdds) -> ParRow:
    slug = row.wager.removesuffix(WITH_ODDS_SUFFIX)
    spot = main.felt.spots[slug]
    chances = dict(row.outcomes)
    tiers = tuple(
        PayTier(
            on=line.on,
            odds=line.odds,
            cite=line.cites[0],
            chance=chances.get(Odds.parse(line.odds).ratio, Fraction(0)),
        )
        for line in (list_pay_lines(main.house, spot) if spot.tiers else ())
    )
    return ParRow(row, find_limit(main.felt, slug, slug != row.wager), tiers)
