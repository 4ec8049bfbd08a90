"""Compute the exact figures of wagers: edge, chances, rolls and deviation, for one wager or all.

An ``Appraiser`` follows each wager of a house to its decision on the engine and solves the
resulting Markov chain. ``odds`` and ``sheet`` are the public functions. ``price_coupon`` values a
match play coupon in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Literal

import msgspec
from msgspec.structs import asdict, replace

from passline.game.dice.dice import FAIR, Dice
from passline.game.house.house import House, resolve_house
from passline.game.house.load import as_house
from passline.game.law.shapes.odds import OddsRule
from passline.game.law.wager_names import known_slugs, wager_slugs
from passline.game.layout.compile import compile_layout
from passline.game.layout.odds_limits import find_odds_caps
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Refusal, Stake
from passline.game.layout.wager_checks import find_spot
from passline.game.money.amounts import show_dollars, to_dollars
from passline.game.words.odds import say_odds
from passline.game.words.refusals import describe_refusal
from passline.game.words.wagers import layout_name, suggest_wagers, wager_label
from passline.lab.exact.bet_decisions import DecidedWager, pool_decisions, solve_walk
from passline.lab.machines.bet_walks import BetWalk, reweigh_walk, walk_wager, weigh_points_set
from passline.lab.pricing.pays import (
    describe_multiple,
    describe_pays,
    find_option,
    list_pay_lines,
    pay_line_on_point,
)
from passline.lab.pricing.walk_setup import (
    add_full_odds,
    find_exact_stake,
    find_stake_with_odds,
    lift_limits,
    make_course,
    make_odds_course,
)
from passline.lab.results import (
    ColumnKind,
    LabResult,
    ResultTable,
    show_percent,
    show_percent_and_fraction,
)
from passline.talk.named_wagers import find_named_slugs

#: The possible results of a wager: the net per unit of stake, and its chance.
Outcomes = tuple[tuple[Fraction, Fraction], ...]


class WagerError(ValueError):
    """Raised for a wager that a house does not deal, with the nearest names or the reason."""


class StakeRefusedError(WagerError):
    """Raised for a stake that the rules refuse; ``refusal`` has the reason."""

    def __init__(self, wager: str, stake: int, refusal: Refusal) -> None:
        self.refusal = refusal
        why = f"{describe_refusal(refusal)} [{refusal.cite}]"
        super().__init__(f"{wager} for {show_dollars(stake)} is refused: {why}")


class WagerTerms(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """A wager, and the terms on which it is priced.

    ``cites`` are the clauses that set its pay, and ``cite`` the first of them. ``option`` is the
    house option it needs (``offers.fire=A``). ``stake`` is in cents, or None if nothing is rounded.
    ``multiple`` describes the odds that the house allows behind it, and ``odds_taken`` the odds
    taken behind the stake, in cents by number. ``capped`` is true if a posted maximum is below the
    multiple.
    """

    wager: str
    title: str
    pays: str
    cite: str
    cites: tuple[str, ...] = ()
    option: str | None = None
    stake: int | None = None
    multiple: str | None = None
    odds_taken: dict[int, int] = {}
    capped: bool = False

    def to_table(self) -> ResultTable:
        """Return a table with this wager as its only row."""
        return make_result_table([self])


class RefusedOdds(WagerTerms, frozen=True, kw_only=True):
    """A wager without figures, because the rules refuse the stake: the reason and its clause.

    ``by_point`` has, for odds behind a line wager, the odds on each point.
    """

    refusal: Refusal
    by_point: dict[int, WagerOdds | RefusedOdds] = {}

    def headline(self) -> str:
        """Return in one line why there are no figures."""
        return f"{self.wager} is refused: {describe_refusal(self.refusal)} [{self.refusal.cite}]"


class WagerOdds(WagerTerms, frozen=True, kw_only=True):
    """A wager's exact figures. A positive edge is the house's.

    ``edge`` is a share of the amount wagered, pushes counted; ``edge_resolved`` leaves pushes out;
    ``edge_per_roll`` divides by the mean ``rolls`` to a decision; ``edge_outlay`` is a share of
    stake plus prepaid vigorish. ``wagered`` is the amount wagered per unit of the flat bet: 1 plus
    the mean odds. ``outcomes`` are the nets per unit of stake with their chances; ``by_point`` has,
    for odds behind a line wager, the odds on each point.
    """

    win: Fraction
    lose: Fraction
    push: Fraction
    edge: Fraction
    edge_outlay: Fraction | None = None
    rolls: Fraction
    wagered: Fraction = Fraction(1)
    variance: Fraction
    outcomes: Outcomes
    by_point: dict[int, WagerOdds | RefusedOdds] = {}
    method: Literal["exact"] = "exact"

    def headline(self) -> str:
        """Return the edge, the chance to win and the rolls to a decision in one line."""
        return say_odds(
            "wager",
            wager=self.wager,
            pays=self.pays,
            edge=show_percent_and_fraction(self.edge),
            win=show_percent(self.win),
            rolls=float(self.rolls),
        )

    @property
    def edge_resolved(self) -> Fraction:
        """The edge when pushes do not count as wagered.

        A push happens before odds are taken, so only the flat bet is subtracted from the amount
        wagered.
        """
        left = self.wagered - self.push
        return self.edge * self.wagered / left if left else Fraction(0)

    @property
    def edge_per_roll(self) -> Fraction:
        """The edge divided by the mean number of rolls to a decision."""
        return self.edge / self.rolls

    @property
    def edge_flat(self) -> Fraction:
        """The edge as a share of the flat bet alone, not of the flat bet plus its odds.

        Without odds it equals ``edge``.
        """
        return self.edge * self.wagered

    @property
    def sd(self) -> float:
        """The standard deviation of one decision, per unit wagered."""
        return math.sqrt(self.variance)


OddsRow = WagerOdds | RefusedOdds

_RESULT_COLUMNS: dict[str, ColumnKind] = {
    "wager": "words",
    "option": "words",
    "pays": "words",
    "win": "share",
    "lose": "share",
    "push": "share",
    "edge": "share",
    "edge_per_roll": "share",
    "rolls": "figure",
    "sd": "figure",
}


def make_result_table(rows: Sequence[WagerTerms]) -> ResultTable:
    """Return a table with one row for each wager; a refused wager has no figures."""
    records = [tuple(getattr(row, name, None) for name in _RESULT_COLUMNS) for row in rows]
    return ResultTable(_RESULT_COLUMNS, records, x_column="wager", y_column="edge")


class OddsSheet(LabResult, list[OddsRow]):
    """A list of rows, one for each wager of a house."""

    def headline(self) -> str:
        """Return in one line the number of wagers, and the best and the worst for the player."""
        priced = sorted((row for row in self if isinstance(row, WagerOdds)), key=lambda r: r.edge)
        if not priced:
            return say_odds("no-wagers", count=len(self))
        best, worst = (f"{row.wager} {show_percent(row.edge)}" for row in (priced[0], priced[-1]))
        return say_odds("wagers", count=len(self), best=best, worst=worst)

    def to_table(self) -> ResultTable:
        """Return a table with one row for each wager."""
        return make_result_table(self)


def compute_figures(
    named: WagerTerms, solved: DecidedWager, cents: int, vig: int | None = None
) -> WagerOdds:
    """Return a wager's figures from ``solved``, the distribution of its result.

    ``named`` is the wager and its terms. ``cents`` is the stake, and ``vig`` its prepaid vigorish,
    or None if there is none.
    """
    stake = Fraction(cents)
    unit = stake + solved.added
    chances = solved.chances
    loss = -solved.mean
    return WagerOdds(
        **asdict(named),
        win=sum((c for net, c in chances.items() if net > 0), Fraction(0)),
        lose=sum((c for net, c in chances.items() if net < 0), Fraction(0)),
        push=chances.get(0, Fraction(0)),
        edge=loss / unit,
        edge_outlay=None if vig is None else loss / (unit + vig),
        rolls=solved.rolls,
        wagered=unit / stake,
        variance=solved.variance / unit**2,
        outcomes=tuple((net / stake, chance) for net, chance in chances.items()),
    )


def unknown_wager_error(wager: str, slugs: list[str]) -> WagerError:
    """Return the error for an unknown wager name, which suggests the nearest of ``slugs``."""
    shown = wager if len(wager) <= 40 else f"{wager[:40]}..."
    return WagerError(say_odds("unknown", wager=shown, nearest=suggest_wagers(wager, slugs)))


WITH_ODDS_SUFFIX = "+odds"


class Appraiser:
    """Computes the exact figures of a house's wagers, such as the edge.

    With ``stake`` (cents), it applies the house's limits and rounding. With None, it ignores the
    limits and rounds nothing.
    """

    def __init__(self, house: House, stake: int | None = None, dice: Dice = FAIR) -> None:
        self.house, self.stake, self.dice = house, stake, dice
        #: The layout as posted, and the layout without limits on which wagers are played out.
        self.felt = compile_layout(house)
        self.layout = self.felt if stake is not None else lift_limits(self.felt)
        #: Cached walks by wager and by point or odds, which a row and its explanation share.
        self._walked: dict[tuple[str, int | bool], BetWalk | Refusal] = {}

    def with_dice(self, dice: Dice) -> Appraiser:
        """Return an appraiser of the same house with other dice.

        It reuses this one's work with new weights, unless this one's dice are level
        (``Dice.level``): level dice merge states that other dice keep apart.
        """
        found = Appraiser(self.house, self.stake, dice)
        if not self.dice.level:
            found._walked = {
                key: walk if isinstance(walk, Refusal) else reweigh_walk(walk, dice)
                for key, walk in self._walked.items()
            }
        return found

    @property
    def wagers(self) -> list[str]:
        """The slugs of the wagers that can be priced.

        Those that cannot be bet directly, such as a come bet on a number, are left out.
        """
        return [slug for slug, spot in self.layout.spots.items() if not spot.only_travels]

    @property
    def flats(self) -> list[str]:
        """The slugs of wagers that allow odds behind them."""
        rules = [spot.rule for spot in self.layout.spots.values()]
        return list(dict.fromkeys(rule.flat_family for rule in rules if rule.is_odds))

    def price(self, wager: str, with_odds: bool = False) -> OddsRow:
        """Return the figures of a wager by its name, with full odds if ``with_odds`` is true.

        A name such as ``pass+odds`` also means full odds. Raise WagerError for an unknown wager.
        """
        flat = wager.removesuffix(WITH_ODDS_SUFFIX)
        slug = self.layout.slug(flat)
        behind = with_odds or wager.endswith(WITH_ODDS_SUFFIX)
        if slug not in self.wagers:
            meant = find_named_slugs(self.house, flat, ())
            if len(meant) != 1 or meant[0] not in self.wagers:
                raise self.make_unknown_error(wager, slug)
            slug = meant[0]
        if not behind:
            return self.price_wager(slug)
        if slug not in self.flats:
            raise unknown_wager_error(wager, [flat + WITH_ODDS_SUFFIX for flat in self.flats])
        return self.with_odds(slug)

    def price_accepted(self, wager: str, with_odds: bool = False) -> WagerOdds:
        """Return the figures of a wager. Raise StakeRefusedError if the rules refuse the stake."""
        row = self.price(wager, with_odds)
        if isinstance(row, RefusedOdds):
            raise StakeRefusedError(wager, self.stake or 0, row.refusal)
        return row

    def make_unknown_error(self, wager: str, slug: str) -> WagerError:
        """Return the error for a wager that cannot be priced, with the reason.

        ``wager`` is what the caller named, and ``slug`` the wager that it seems to mean.
        """
        spot = self.layout.spots.get(slug)
        if spot is not None:
            why = say_odds("traveled", wager=slug, flat=spot.family)
            return WagerError(f"{why} [{spot.rule.made.cite}]")
        refusal = find_spot(self.layout, slug)
        assert isinstance(refusal, Refusal)
        if slug in wager_slugs(self.house.book) or slug in known_slugs():
            return WagerError(f"{describe_refusal(refusal)} [{refusal.cite}]")
        return unknown_wager_error(wager, self.wagers)

    def price_wager(self, slug: str) -> OddsRow:
        """Return the figures of a wager without odds behind it."""
        spot = self.layout.spots[slug]
        if spot.is_odds:
            return self._odds_row(spot)
        return self._solved(self._named(spot), spot, self._walk(spot))

    def with_odds(self, slug: str) -> OddsRow:
        """Return the figures of a flat wager with all the odds that the house allows."""
        spot = self.layout.spots[slug]
        return self._solved(self._named_with_odds(spot), spot, self._walk(spot, with_odds=True))

    def list_walks(self, wager: str) -> list[tuple[int, Fraction, BetWalk]]:
        """Return (point, share, walk) for each chain of states behind a wager's figures.

        The point is that of odds behind a line bet, or 0. The share is the chain's part in the
        figures. Odds that the rules refuse are left out.
        """
        slug = wager.removesuffix(WITH_ODDS_SUFFIX)
        spot = self.layout.spots[slug]
        found: list[tuple[int, Fraction, BetWalk | Refusal]]
        if spot.is_odds:
            ways = {0: 1} if spot.number else weigh_points_set(self.layout, self.dice)
            found = [
                (point, Fraction(own, sum(ways.values())), self._walk_odds(spot, point))
                for point, own in ways.items()
            ]
        else:
            found = [(0, Fraction(1), self._walk(spot, slug != wager))]
        return [(point, share, walk) for point, share, walk in found if isinstance(walk, BetWalk)]

    def _walk(self, spot: Spot, with_odds: bool = False) -> BetWalk | Refusal:
        if (spot.slug, with_odds) in self._walked:
            return self._walked[spot.slug, with_odds]
        course = replace(make_course(self.layout, spot), dice=self.dice)
        exact = find_stake_with_odds if with_odds else find_exact_stake
        stake = self.stake if self.stake is not None else exact(self.layout, spot)
        if with_odds:
            course = replace(course, add_bets=add_full_odds)
        found = walk_wager(self.layout, spot.slug, stake, course)
        return self._walked.setdefault((spot.slug, with_odds), found)

    def _solved(self, named: WagerTerms, spot: Spot, walked: BetWalk | Refusal) -> OddsRow:
        if isinstance(walked, Refusal):
            return _make_refused_odds(named, walked)
        return compute_figures(
            named, solve_walk(walked), walked.stake, walked.vig if spot.vig else None
        )

    def _odds_row(self, spot: Spot) -> OddsRow:
        """Return the figures of an odds wager alone, without its flat bet.

        Odds behind a line bet are averaged over the points, by the chance that each is set.
        """
        if spot.number:
            return self._solved(self._named(spot), spot, self._walk_odds(spot, 0))
        ways = weigh_points_set(self.layout, self.dice)
        walks = {point: self._walk_odds(spot, point) for point in ways}
        rows = {
            point: self._solved(self._named(spot, point), spot, walked)
            for point, walked in walks.items()
        }
        parts = []
        for point, walked in walks.items():
            if isinstance(walked, Refusal):
                return _make_refused_odds(self._named(spot), walked, rows)
            parts.append((Fraction(ways[point], sum(ways.values())), solve_walk(walked)))
        row = compute_figures(self._named(spot), pool_decisions(parts), self._odds_stake(spot))
        return replace(row, by_point=rows)

    def _odds_stake(self, spot: Spot) -> int:
        return self.stake if self.stake is not None else find_exact_stake(self.layout, spot)

    def _walk_odds(self, spot: Spot, point: int) -> BetWalk | Refusal:
        """Return the chain of states of odds behind a large enough flat bet, or the rules' Refusal.

        ``point`` is the point that the puck is on, or 0 for odds on a number of their own.
        """
        if (spot.slug, point) in self._walked:
            return self._walked[spot.slug, point]
        stake = self._odds_stake(spot)
        behind = self.layout.spots[spot.flat]
        flat = min(max(stake, behind.minimum), behind.maximum)
        course = replace(make_odds_course(self.layout, spot, point, flat), dice=self.dice)
        found = walk_wager(self.layout, spot.slug, stake, course)
        return self._walked.setdefault((spot.slug, point), found)

    def _named(self, spot: Spot, point: int = 0) -> WagerTerms:
        lines = (
            (pay_line_on_point(self.house, spot, point),)
            if point
            else list_pay_lines(self.house, spot)
        )
        return WagerTerms(
            wager=spot.slug,
            title=wager_title(spot),
            pays=lines[0].odds if point else describe_pays(lines),
            cite=lines[0].cites[0],
            cites=tuple(dict.fromkeys(cite for line in lines for cite in line.cites)),
            option=find_option(self.house, spot),
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
            wager=spot.slug + WITH_ODDS_SUFFIX,
            title=say_odds("with-full-odds", wager=own.title),
            pays=own.pays,
            cite=own.cite,
            cites=(*own.cites, behind.rule.limited_by),
            stake=self.stake,
            multiple=describe_multiple(self.house, behind.rule.is_laid(self.house.book)),
            odds_taken=taken,
            capped=taken != free,
        )

    def _odds_taken(self, flat: Spot) -> tuple[dict[int, int], dict[int, int]]:
        """Return two dicts from number to the most odds behind the stake, in cents.

        The first respects the posted maximums, and the second only the multiple.
        """
        assert self.stake is not None
        up = Stake(self.stake, self.stake)
        taken, free = {}, {}
        for spot in self.layout.spots.values():
            if spot.rule.flat_family == flat.slug:
                for number in (spot.number,) if spot.number else self.house.book.points.value:
                    caps = find_odds_caps(self.layout, spot, number, {spot.flat: up})
                    taken[number], free[number] = min(caps), caps[0]
        return taken, free


def _make_refused_odds(
    named: WagerTerms, refusal: Refusal, rows: dict[int, OddsRow] | None = None
) -> RefusedOdds:
    return RefusedOdds(**asdict(named), refusal=refusal, by_point=rows or {})


def wager_title(spot: Spot) -> str:
    """Return a wager's name for people, such as ``Place to win 6``.

    If the title already has the number, return the wager's own name, such as ``Big 6``.
    """
    if str(spot.number) in spot.rule.title.split():
        return wager_label(spot.slug)
    return f"{spot.rule.title} {spot.number}" if spot.number else spot.rule.title


_OFFERS_PREFIX = "offers."


def odds(
    house: House | str,
    wager: str,
    *,
    stake: int | None = None,
    with_odds: bool = False,
    dice: Dice = FAIR,
) -> WagerOdds:
    """Return the exact figures of a wager at a house (or rulebook id, or house-rules file).

    With ``stake`` in cents, the figures include this house's limits, breakage and rounded vigorish;
    without it nothing is rounded. ``with_odds`` adds all the odds that the house allows behind a
    line or come wager (the same as ``pass+odds``). ``dice`` are fair by default. Raise WagerError
    for a wager that the house does not deal, and StakeRefusedError for a stake that the rules
    refuse.

    >>> odds("new-jersey", "pass").edge, odds("new-jersey", "pass", with_odds=True).edge
    (Fraction(7, 495), Fraction(7, 825))
    >>> odds("new-jersey", "place-win-6").rolls
    Fraction(36, 11)
    """
    if stake is not None and stake <= 0:
        raise WagerError(say_odds("stake", stake=stake))
    return Appraiser(as_house(house), stake, dice).price_accepted(wager, with_odds)


def sheet(
    house: House | str,
    wager: str | None = None,
    *,
    options: bool = False,
    stake: int | None = None,
    with_odds: bool = False,
    dice: Dice = FAIR,
) -> OddsSheet:
    """Return a row for every wager that a house deals, or only for ``wager``.

    ``options`` adds a row for each option that the rulebook allows and this house has not elected
    (such as the pay tables of fire). ``with_odds`` adds line and come wagers with full odds.
    ``stake`` and ``dice`` are as for ``odds``.

    >>> [row.option for row in sheet("new-jersey", "fire", options=True)]
    ['offers.fire=A', 'offers.fire=B']
    """
    dealt = as_house(house)
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
    """Price a house's wagers: return (appraiser, row) for each row that ``sheet`` returns.

    The arguments are as for ``sheet``, but ``house`` must be loaded. A row for an option that the
    house has not elected comes from an appraiser of the same house with that option elected.
    """
    main = Appraiser(house, stake, dice)
    others = list(_alternative_houses(main)) if options else []
    found: list[tuple[Appraiser, OddsRow]] = []
    for slug in _select_wagers(main, others, wager):
        if slug in main.wagers:
            found.append((main, main.price_wager(slug)))
        found += [(other, other.price_wager(slug)) for other, slugs in others if slug in slugs]
    if with_odds or (wager or "").endswith(WITH_ODDS_SUFFIX):
        found += [(main, row) for row in list_with_odds(main, wager)]
    return found


def list_with_odds(main: Appraiser, wager: str | None = None) -> list[OddsRow]:
    """Return the figures of wagers with full odds: all of them, or only ``wager``.

    Raise WagerError if that wager takes no odds.
    """
    slug = None if wager is None else main.layout.slug(wager.removesuffix(WITH_ODDS_SUFFIX))
    if wager is not None and slug not in main.flats:
        if wager.endswith(WITH_ODDS_SUFFIX):
            main.price(wager)  # raises the error that names the problem
        names = [layout_name(flat) for flat in main.flats]
        raise WagerError(say_odds("no-odds", wager=layout_name(str(slug)), flats=names))
    return [main.with_odds(flat) for flat in main.flats if slug in (None, flat)]


def _select_wagers(
    main: Appraiser, others: list[tuple[Appraiser, list[str]]], wager: str | None
) -> list[str]:
    known = list(dict.fromkeys([*main.wagers, *(slug for _, slugs in others for slug in slugs)]))
    if wager is None:
        return known
    if wager.endswith(WITH_ODDS_SUFFIX):
        return []
    slug = main.layout.slug(wager)
    if slug in known:
        return [slug]
    meant = [name for name in find_named_slugs(main.house, wager, known) if name in known]
    if not meant:
        raise main.make_unknown_error(wager, slug)
    return meant


def _alternative_houses(main: Appraiser) -> Iterator[tuple[Appraiser, list[str]]]:
    """Yield (appraiser, slugs) for each option that the house could elect in addition.

    The appraiser prices wagers with that option. The slugs are the wagers that depend on it.
    """
    house = main.house
    for key, elective in house.book.elect.items():
        if not key.startswith(_OFFERS_PREFIX) or key in house.elections:
            continue
        default = elective.default.value
        for choice in (c for c in elective.choices.value if c is not False and c != default):
            elected = resolve_house(
                house.book, house.game, {**house.elections, key: choice}, house.name
            )
            other = Appraiser(elected, main.stake, main.dice)
            option = f"{key}={str(choice).lower() if choice is True else choice}"
            slugs = [
                s for s in other.wagers if find_option(elected, other.layout.spots[s]) == option
            ]
            if slugs:
                yield other, slugs


def odds_json(row: OddsRow) -> dict[str, Any]:
    """Return the JSON of one row of ``passline odds``: exact fractions as text, and floats."""
    found: dict[str, Any] = {
        "wager": row.wager,
        "title": row.title,
        "option": row.option,
        "pays": row.pays,
        **(_figures_json(row) if isinstance(row, WagerOdds) else dict.fromkeys(_FIGURE_FIELDS)),
        "method": "exact",
        "cite": row.cite,
        "cites": list(row.cites),
    }
    if row.multiple is not None:
        found["multiple"] = row.multiple
    if row.odds_taken:
        found["odds_taken"] = {str(n): to_dollars(cents) for n, cents in row.odds_taken.items()}
        found["capped"] = row.capped
    if row.stake is not None:
        found["stake"] = to_dollars(row.stake)
    if isinstance(row, RefusedOdds):
        found["refused"] = {"reason": describe_refusal(row.refusal), "cite": row.refusal.cite}
    if row.by_point:
        found["by_point"] = {str(point): _point_json(part) for point, part in row.by_point.items()}
    return found


_EXACT_FIELDS = ("win", "lose", "push", "edge", "edge_resolved", "edge_per_roll", "rolls")
_FIGURE_FIELDS = (*_EXACT_FIELDS, *(f"{name}_float" for name in _EXACT_FIELDS), "sd", "outcomes")


def _figures_json(row: WagerOdds) -> dict[str, Any]:
    exact: dict[str, Fraction] = {name: getattr(row, name) for name in _EXACT_FIELDS}
    if row.edge_outlay is not None:
        exact["edge_outlay"] = row.edge_outlay
    if row.multiple is not None:
        exact |= {"wagered": row.wagered, "edge_flat": row.edge_flat}
    found: dict[str, Any] = {name: str(value) for name, value in exact.items()}
    found |= {f"{name}_float": float(value) for name, value in exact.items()}
    found["sd"] = row.sd
    found["outcomes"] = [{"net": str(net), "chance": str(c)} for net, c in row.outcomes]
    return found


def _point_json(part: OddsRow) -> dict[str, Any]:
    """Return the JSON of odds on one point, without the fields that all points share."""
    whole = odds_json(part)
    return {k: v for k, v in whole.items() if k not in {"wager", "title", "option", "method"}}


def price_coupon(house: House, wager: str, face: int, dice: Dice = FAIR) -> Fraction:
    """Return how many cents a match play coupon is worth on average to a player.

    The coupon has a face of ``face`` cents and goes with an equal bet. After a push it is still
    good. Raise WagerError, with the clause, if the house or the rules do not take it.

    >>> from passline.game.house.load import house_for
    >>> taken = house_for("new-jersey", None, [("offers.match_play", "true")])
    >>> price_coupon(taken, "pass", 1000)
    Fraction(48800, 99)
    """
    layout = compile_layout(house)
    slug = layout.slug(wager)
    if slug not in layout.spots:
        raise WagerError(say_odds("unknown-match", wager=wager[:40]))
    course = replace(make_course(layout, layout.spots[slug]), dice=dice)
    plain = walk_wager(layout, slug, face, course)
    matched = walk_wager(layout, slug, face, replace(course, match=face))
    for walked in (plain, matched):
        if isinstance(walked, Refusal):
            raise StakeRefusedError(f"{slug} with a coupon", face, walked)
    assert not isinstance(plain, Refusal)
    assert not isinstance(matched, Refusal)
    without, with_it = solve_walk(plain), solve_walk(matched)
    return (with_it.mean - without.mean) / (1 - without.chances.get(0, Fraction(0)))
