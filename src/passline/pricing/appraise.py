"""The appraiser: each wager of one house walked to its decision and solved."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from passline.dice import FAIR, Dice
from passline.exact.decision import pool_decisions, solve_walk
from passline.house import House
from passline.house.payouts import is_laid, wager_slugs
from passline.law.slugs import known_slugs
from passline.law.wagers import OddsRule
from passline.layout import Refusal, Spot, Stake, lay_felt
from passline.layout.amounts import odds_caps
from passline.layout.may import spot_for
from passline.machines.decision import Walk, count_points_set, walk_wager
from passline.pricing.pays import list_pays, multiple_of, option_of, pay_on, word_pays
from passline.pricing.setups import (
    add_full_odds,
    course_of,
    exact_stake,
    lift_limits,
    odds_course,
    stake_with_odds,
)
from passline.pricing.wager import (
    OddsRow,
    RefusedOdds,
    WagerError,
    WagerTerms,
    reckon_figures,
    unknown_wager,
)
from passline.words.refusals import refusal_words

WITH_ODDS = "+odds"


class Appraiser:
    """Figures for the wagers of a house: as dealt for a stake (cents), or with nothing rounded;
    with fair dice or others."""

    def __init__(self, house: House, stake: int | None = None, dice: Dice = FAIR) -> None:
        self.house, self.stake, self.dice = house, stake, dice
        #: The layout as posted, and the one that wagers are walked on.
        self.felt = lay_felt(house)
        self.layout = self.felt if stake is not None else lift_limits(self.felt)
        #: What was walked, by wager and by its point or odds: a row and its explanation share it.
        self._walked: dict[tuple[str, int | bool], Walk | Refusal] = {}

    @property
    def wagers(self) -> list[str]:
        """The wagers that have a row: all but those that only travelling makes."""
        return [slug for slug, spot in self.layout.spots.items() if not spot.only_travels]

    @property
    def flats(self) -> list[str]:
        """The wagers that odds may stand behind."""
        rules = [spot.rule for spot in self.layout.spots.values()]
        return list(dict.fromkeys(rule.flat for rule in rules if isinstance(rule, OddsRule)))

    def asked(self, wager: str, with_odds: bool = False) -> OddsRow:
        """One wager by its name; ``pass+odds`` is pass with odds."""
        slug = self.layout.slug(wager.removesuffix(WITH_ODDS))
        behind = with_odds or wager.endswith(WITH_ODDS)
        if slug not in self.wagers:
            raise self.unknown(wager, slug)
        if not behind:
            return self.row(slug)
        if slug not in self.flats:
            raise unknown_wager(wager, [flat + WITH_ODDS for flat in self.flats])
        return self.with_odds(slug)

    def unknown(self, wager: str, slug: str) -> WagerError:
        """Why there is no row for a wager."""
        spot = self.layout.spots.get(slug)
        if spot is not None:
            why = f"{slug} is a {spot.family} that has travelled: ask for {spot.family}"
            return WagerError(f"{why} [{spot.rule.made.cite}]")
        refusal = spot_for(self.layout, slug)
        assert isinstance(refusal, Refusal)
        if slug in wager_slugs(self.house.book) or slug in known_slugs():
            return WagerError(f"{refusal_words(refusal)} [{refusal.cite}]")
        return unknown_wager(wager, self.wagers)

    def row(self, slug: str) -> OddsRow:
        """A wager by itself."""
        spot = self.layout.spots[slug]
        if isinstance(spot.rule, OddsRule):
            return self._odds_row(spot)
        return self._solved(self._named(spot), spot, self._walk(spot))

    def with_odds(self, slug: str) -> OddsRow:
        """A flat wager with all the odds that the house allows."""
        spot = self.layout.spots[slug]
        return self._solved(self._named_with_odds(spot), spot, self._walk(spot, with_odds=True))

    def walks(self, wager: str) -> list[tuple[int, Fraction, Walk]]:
        """The walks behind a row that has figures: the point of odds (0: whatever it is), its
        share, and the walk."""
        slug = wager.removesuffix(WITH_ODDS)
        spot = self.layout.spots[slug]
        found: list[tuple[int, Fraction, Walk | Refusal]]
        if isinstance(spot.rule, OddsRule):
            ways = {0: 1} if spot.number else count_points_set(self.layout, self.dice)
            found = [
                (point, Fraction(own, sum(ways.values())), self._walk_odds(spot, point))
                for point, own in ways.items()
            ]
        else:
            found = [(0, Fraction(1), self._walk(spot, slug != wager))]
        return [(point, share, walk) for point, share, walk in found if isinstance(walk, Walk)]

    def _walk(self, spot: Spot, with_odds: bool = False) -> Walk | Refusal:
        if (spot.slug, with_odds) in self._walked:
            return self._walked[spot.slug, with_odds]
        course = replace(course_of(self.layout, spot), dice=self.dice)
        exact = stake_with_odds if with_odds else exact_stake
        stake = self.stake if self.stake is not None else exact(self.layout, spot)
        if with_odds:
            course = replace(course, dress=add_full_odds)
        found = walk_wager(self.layout, spot.slug, stake, course)
        return self._walked.setdefault((spot.slug, with_odds), found)

    def _solved(self, named: WagerTerms, spot: Spot, walked: Walk | Refusal) -> OddsRow:
        if isinstance(walked, Refusal):
            return _refused(named, walked)
        return reckon_figures(
            named, solve_walk(walked), walked.stake, walked.vig if spot.vig else None
        )

    def _odds_row(self, spot: Spot) -> OddsRow:
        """Odds alone, their flat left out; behind a line wager, pooled over the points."""
        if spot.number:
            return self._solved(self._named(spot), spot, self._walk_odds(spot, 0))
        ways = count_points_set(self.layout, self.dice)
        walks = {point: self._walk_odds(spot, point) for point in ways}
        rows = {
            point: self._solved(self._named(spot, point), spot, walked)
            for point, walked in walks.items()
        }
        parts = []
        for point, walked in walks.items():
            if isinstance(walked, Refusal):
                return _refused(self._named(spot), walked, rows)
            parts.append((Fraction(ways[point], sum(ways.values())), solve_walk(walked)))
        row = reckon_figures(self._named(spot), pool_decisions(parts), self._odds_stake(spot))
        return replace(row, by_point=rows)

    def _odds_stake(self, spot: Spot) -> int:
        return self.stake if self.stake is not None else exact_stake(self.layout, spot)

    def _walk_odds(self, spot: Spot, point: int) -> Walk | Refusal:
        """The flat is as large as the odds, within its limits: it allows them, at any multiple."""
        if (spot.slug, point) in self._walked:
            return self._walked[spot.slug, point]
        stake = self._odds_stake(spot)
        behind = self.layout.spots[spot.flat]
        flat = min(max(stake, behind.minimum), behind.maximum)
        course = replace(odds_course(self.layout, spot, point, flat), dice=self.dice)
        found = walk_wager(self.layout, spot.slug, stake, course)
        return self._walked.setdefault((spot.slug, point), found)

    def _named(self, spot: Spot, point: int = 0) -> WagerTerms:
        lines = (pay_on(self.house, spot, point),) if point else list_pays(self.house, spot)
        return WagerTerms(
            wager=spot.slug,
            title=title_of(spot),
            pays=lines[0].odds if point else word_pays(lines),
            cite=lines[0].cites[0],
            cites=tuple(dict.fromkeys(cite for line in lines for cite in line.cites)),
            option=option_of(self.house, spot),
            stake=self.stake,
        )

    def _named_with_odds(self, spot: Spot) -> WagerTerms:
        behind = next(
            s
            for s in self.layout.spots.values()
            if isinstance(s.rule, OddsRule) and s.rule.flat == spot.slug
        )
        assert isinstance(behind.rule, OddsRule)
        own = self._named(spot)
        taken, free = self._odds_taken(spot) if self.stake is not None else ({}, {})
        return WagerTerms(
            wager=spot.slug + WITH_ODDS,
            title=f"{own.title} with full odds",
            pays=own.pays,
            cite=own.cite,
            cites=(*own.cites, behind.rule.limited_by),
            stake=self.stake,
            multiple=multiple_of(self.house, is_laid(self.house.book, behind.rule)),
            odds_taken=taken,
            capped=taken != free,
        )

    def _odds_taken(self, flat: Spot) -> tuple[dict[int, int], dict[int, int]]:
        """All the odds that may stand behind a flat of the stake, by its number (cents): under the
        posted maximum, and as far as the multiple goes."""
        assert self.stake is not None
        up = Stake(self.stake, self.stake)
        taken, free = {}, {}
        for spot in self.layout.spots.values():
            if isinstance(spot.rule, OddsRule) and spot.rule.flat == flat.slug:
                for number in (spot.number,) if spot.number else self.house.book.points.value:
                    caps = odds_caps(self.layout, spot, number, {spot.flat: up})
                    taken[number], free[number] = min(caps), caps[0]
        return taken, free


def _refused(
    named: WagerTerms, refusal: Refusal, rows: dict[int, OddsRow] | None = None
) -> RefusedOdds:
    own = {name: getattr(named, name) for name in WagerTerms.__struct_fields__}
    return RefusedOdds(**own, refusal=refusal, by_point=rows or {})


def title_of(spot: Spot) -> str:
    """A wager's name for people: ``Place to win 6``."""
    return f"{spot.rule.title} {spot.number}" if spot.number else spot.rule.title
