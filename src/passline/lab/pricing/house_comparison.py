"""Compare two houses wager by wager: the edges, the dollars won in a shift, and the rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from passline.game.dice.dice import FAIR, Dice
from passline.game.house.house import House
from passline.game.house.load import as_house
from passline.game.house.payouts import find_pay_lines, is_line_active, select_lines_for_number
from passline.game.law.load import find_origins
from passline.game.layout.compile import compile_layout
from passline.game.words.odds import say_odds
from passline.lab.pricing.player_rules import RuleDifference, compare_rules
from passline.lab.pricing.wager_odds import OddsSheet, WagerError, WagerOdds, sheet
from passline.lab.results import LabResult, ResultTable, exact_json, make_columns


class WagerSide(msgspec.Struct, frozen=True):
    """A wager as one house deals it: its pay, its edge, and its edge per roll, not rounded.

    ``dealt`` is the edge per roll of one stake, with that stake's breakage and rounded vigorish. It
    is None if no stake was given or the house does not accept it. ``cite`` is the clause of the
    first payout. ``origin`` is the rulebook that states the payouts: the house's own, or one that
    it is based on.
    """

    pays: str
    edge: Fraction
    edge_per_roll: Fraction
    dealt: Fraction | None = None
    cite: str = ""
    origin: str = ""


class WagerDifference(msgspec.Struct, frozen=True):
    """A wager as the ``first`` and as the ``second`` house deals it; None for one that does not."""

    wager: str
    title: str
    first: WagerSide | None
    second: WagerSide | None
    #: The rules of the wager, and of the bets that go with it, in which the houses differ.
    rules: tuple[RuleDifference, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether a price or a rule of the wager differs."""
        return self.price_differs or bool(self.rules)

    @property
    def price_differs(self) -> bool:
        """Whether the pay or an edge differs, or only one house deals the wager.

        It compares the edges without rounding, and those of one stake if both houses accept it.
        """
        one, two = self.first, self.second
        if one is None or two is None:
            return one is not two
        rounded = one.dealt != two.dealt and one.dealt is not None and two.dealt is not None
        return rounded or (one.pays, one.edge, one.edge_per_roll) != (
            two.pays,
            two.edge,
            two.edge_per_roll,
        )

    def shift_difference(self, stake: int, rolls: int) -> Fraction | None:
        """Return how many cents more the second house wins in a shift of ``rolls`` rolls.

        Assume that ``stake`` cents are always bet, and that nothing is rounded. Return None if one
        of the houses does not deal the wager.
        """
        if self.first is None or self.second is None:
            return None
        return (self.second.edge_per_roll - self.first.edge_per_roll) * stake * rolls

    def difference_as_dealt(self, stake: int, rolls: int) -> Fraction | None:
        """Return how many cents more the second house wins in a shift, with breakage and rounding.

        Assume that ``stake`` cents are always bet for ``rolls`` rolls. Return None if one of the
        houses does not accept the stake.
        """
        one, two = (None if side is None else side.dealt for side in (self.first, self.second))
        return None if one is None or two is None else (two - one) * stake * rolls


class HouseDifference(LabResult, msgspec.Struct, frozen=True):
    """The comparison of two houses, with every wager that either of them deals.

    ``rules`` has the rules that differ: of the wagers, and of the whole house.
    """

    first: House
    second: House
    wagers: tuple[WagerDifference, ...]
    rules: tuple[RuleDifference, ...] = ()

    def headline(self) -> str:
        """Return in one line how many wagers differ."""
        many = sum(each.differs for each in self.wagers)
        names = (self.first.name, self.second.name)
        return say_odds("houses", houses=names, differ=many, count=len(self.wagers))

    def to_table(self) -> ResultTable:
        """Return a table of the wagers whose price differs: the edges, and their difference."""
        records = []
        for each in self.wagers:
            if each.price_differs:
                one = None if each.first is None else each.first.edge
                two = None if each.second is None else each.second.edge
                more = None if one is None or two is None else two - one
                records.append((each.wager, one, two, more))
        columns = make_columns(wager="words", first="share", second="share", more="share")
        return ResultTable(columns, records, x_column="wager", y_column="more")


def _find_source(house: House, slug: str) -> dict[str, str]:
    """Return {"cite": ..., "origin": ...} of a wager's payouts, for a ``WagerSide``.

    The first is the clause of the first payout. The second is the house's rulebook if that states
    any of the payouts, and otherwise those that it is based on. Return {} if the house does not
    deal the wager, or it has no payouts.
    """
    spot = compile_layout(house).spots.get(slug.removesuffix("+odds"))
    if spot is None or not spot.rule.pays:
        return {}
    book, pays = house.book.id, spot.rule.pays
    active = tuple(pay for pay in pays if is_line_active(house, pay))
    lines = select_lines_for_number(active, spot.rule, spot.number)
    paths = [f"wager.{spot.family}.pays[{at}]" for at, pay in enumerate(pays) if pay in lines]
    origins = tuple(dict.fromkeys(one for path in paths for one in find_origins(book, path)))
    cite = find_pay_lines(house, spot.slug, spot.rule, spot.number)[0][0].cite
    return {"cite": cite, "origin": book if book in origins else ", ".join(origins)}


def compare_houses(
    first: House | str,
    second: House | str,
    dice: Dice = FAIR,
    wager: str | None = None,
    stake: int | None = None,
) -> HouseDifference:
    """Compare two houses: the prices of their wagers, and the rules that matter to players.

    Compare all wagers, including line and come wagers with full odds, or only ``wager``. With
    ``stake`` (cents), also compare the prices with the breakage and rounding of that stake. Raise
    WagerError if neither house deals the wager.

    >>> from passline.game.house.load import house_for
    >>> dearer = house_for("new-jersey", None, [("odds.multiple", "10")])
    >>> found = compare_houses("new-jersey", dearer)
    >>> [each.wager for each in found.wagers if each.price_differs]
    ['pass+odds', 'dont-pass+odds', 'come+odds', 'dont-come+odds']
    >>> found.rules[0].first.words
    'as much as the flat bet on 4, 5, 6, 8, 9 and 10'
    """
    houses = as_house(first), as_house(second)
    sides: list[dict[str, WagerSide]] = []
    titles: dict[str, str] = {}
    for house in houses:
        try:
            rows = sheet(house, wager, with_odds=wager is None, dice=dice)
        except WagerError:
            if sides == [{}]:
                raise
            rows = OddsSheet()
        dealt: dict[str, Fraction] = {}
        if stake is not None and rows:
            taken = sheet(house, wager, stake=stake, dice=dice)
            priced = [row for row in taken if isinstance(row, WagerOdds) and row.multiple is None]
            dealt = {row.wager: row.edge_per_roll for row in priced}
        priced = [row for row in rows if isinstance(row, WagerOdds)]
        titles = {row.wager: row.title for row in priced} | titles
        sides.append(
            {
                row.wager: WagerSide(
                    pays=row.pays,
                    edge=row.edge,
                    edge_per_roll=row.edge_per_roll,
                    dealt=dealt.get(row.wager),
                    **_find_source(house, row.wager),
                )
                for row in priced
            }
        )
    one, two = sides
    known = list(dict.fromkeys([*one, *two]))
    known.sort(key=lambda slug: slug.endswith("+odds"))
    rules = compare_rules(*houses)
    found = [
        WagerDifference(
            wager=slug,
            title=titles[slug],
            first=one.get(slug),
            second=two.get(slug),
            rules=_select_rules(houses, slug, rules),
        )
        for slug in known
    ]
    if wager is not None:
        rules = tuple(rule for each in found for rule in each.rules)
    return HouseDifference(*houses, tuple(found), rules)


def _select_rules(
    houses: tuple[House, House], wager: str, rules: tuple[RuleDifference, ...]
) -> tuple[RuleDifference, ...]:
    """Return those of ``rules`` that are about ``wager``, a row of the sheet such as ``come+odds``.

    The row of a come wager includes the rules of come bets that have traveled to a number. A row
    with odds includes the rules of the odds.
    """
    flat, _, odds = wager.partition("+")
    spots = compile_layout(houses[1]).spots | compile_layout(houses[0]).spots
    names = {
        slug
        for slug, spot in spots.items()
        if flat in (slug, spot.family) or (odds and spot.rule.flat_family == flat)
    }
    return tuple(rule for rule in rules if rule.wager in names)


def house_difference_json(found: HouseDifference, stake: int, rolls: int) -> dict[str, Any]:
    """Return the JSON of ``passline diff``: exact fractions as text, and dollars as floats.

    Dollars are for a shift of ``rolls`` rolls in which ``stake`` cents are always bet.
    """

    def side(one: WagerSide | None) -> dict[str, Any] | None:
        if one is None:
            return None
        return {
            "pays": one.pays,
            **exact_json(edge=one.edge),
            "edge_per_roll": str(one.edge_per_roll),
            "edge_per_roll_dealt": None if one.dealt is None else str(one.dealt),
            "cite": one.cite,
            "book": one.origin,
        }

    wagers = []
    for each in found.wagers:
        cents, dealt = each.shift_difference(stake, rolls), each.difference_as_dealt(stake, rolls)
        wagers.append(
            {
                "wager": each.wager,
                "differs": each.differs,
                "first": side(each.first),
                "second": side(each.second),
                **exact_json(100, dollars_a_shift=cents, dollars_as_dealt=dealt),
            }
        )
    rules = [
        {
            "wager": each.wager or None,
            "rule": each.rule,
            "of": each.of or None,
            "about": each.label,
            "first": each.first.words,
            "second": each.second.words,
            "cites": {
                "first": list(each.first.cites),
                "second": list(each.second.cites),
            },
        }
        for each in found.rules
    ]
    return {
        "first": {"name": found.first.name, "rulebook": found.first.book.id},
        "second": {"name": found.second.name, "rulebook": found.second.book.id},
        "stake": stake / 100,
        "rolls": rolls,
        "method": "exact",
        "wagers": wagers,
        "rules": rules,
    }
