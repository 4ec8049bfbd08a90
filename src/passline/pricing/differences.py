"""Two houses side by side: wager by wager, and in dollars a shift."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from passline.dice import FAIR, Dice
from passline.house import House
from passline.house.named import named_house
from passline.pricing.rows import sheet
from passline.pricing.wager import OddsSheet, WagerError, WagerOdds
from passline.results import ColumnKind, LabResult, ResultTable


class WagerSide(msgspec.Struct, frozen=True):
    """A wager as one house deals it: its pay, the edge, and the edge by the roll."""

    pays: str
    edge: Fraction
    edge_per_roll: Fraction


class WagerDifference(msgspec.Struct, frozen=True):
    """A wager in both houses; None: one of them does not deal it."""

    wager: str
    title: str
    first: WagerSide | None
    second: WagerSide | None

    @property
    def differs(self) -> bool:
        """Whether the houses deal it differently."""
        return self.first != self.second

    def dollars(self, stake: int, rolls: int) -> Fraction | None:
        """What the second wins more than the first in a shift on which so many cents are always up
        (and working), in cents."""
        if self.first is None or self.second is None:
            return None
        return (self.second.edge_per_roll - self.first.edge_per_roll) * stake * rolls


class HouseDifference(LabResult, msgspec.Struct, frozen=True):
    """Two houses, every wager that either deals."""

    first: House
    second: House
    wagers: tuple[WagerDifference, ...]

    def headline(self) -> str:
        """How many wagers differ."""
        many = sum(each.differs for each in self.wagers)
        names = f"{self.first.name} and {self.second.name}"
        return f"{names} differ in {many} of {len(self.wagers)} wagers; exact"

    def listed(self) -> ResultTable:
        """The wagers that differ: the edge in each house, and what the second takes more."""
        records = []
        for each in self.wagers:
            if each.differs:
                one = None if each.first is None else each.first.edge
                two = None if each.second is None else each.second.edge
                more = None if one is None or two is None else two - one
                records.append((each.wager, one, two, more))
        columns: dict[str, ColumnKind] = {
            "wager": "words",
            "first": "share",
            "second": "share",
            "more": "share",
        }
        return ResultTable(columns, records, across="wager", up="more")


def diff_houses(
    first: House | str, second: House | str, dice: Dice = FAIR, wager: str | None = None
) -> HouseDifference:
    """Two houses side by side, line and come wagers with their full odds too; or one wager of
    theirs. Raises WagerError where neither deals it.

    >>> from passline.house.files import house_for
    >>> dearer = house_for("new-jersey", None, [("odds.multiple", "10")])
    >>> [w.wager for w in diff_houses("new-jersey", dearer).wagers if w.differs]
    ['pass+odds', 'dont-pass+odds', 'come+odds', 'dont-come+odds']
    """
    houses = named_house(first), named_house(second)
    sides: list[dict[str, WagerOdds]] = []
    for house in houses:
        try:
            rows = sheet(house, wager, with_odds=wager is None, dice=dice)
        except WagerError:
            if sides == [{}]:
                raise
            rows = OddsSheet()
        sides.append({row.wager: row for row in rows if isinstance(row, WagerOdds)})
    one, two = sides
    known = list(dict.fromkeys([*one, *two]))
    known.sort(key=lambda slug: slug.endswith("+odds"))
    found = []
    for slug in known:
        title = (one.get(slug) or two[slug]).title
        found.append(_difference(slug, title, one, two))
    return HouseDifference(*houses, tuple(found))


def _difference(
    wager: str, title: str, one: dict[str, WagerOdds], two: dict[str, WagerOdds]
) -> WagerDifference:
    return WagerDifference(
        wager=wager, title=title, first=_side(one, wager), second=_side(two, wager)
    )


def _side(rows: dict[str, WagerOdds], wager: str) -> WagerSide | None:
    row = rows.get(wager)
    if row is None:
        return None
    return WagerSide(row.pays, row.edge, row.edge_per_roll)


def difference_json(found: HouseDifference, stake: int, rolls: int) -> dict[str, Any]:
    """As ``passline diff --json`` tells it: fractions as text, dollars as floats beside them."""

    def side(one: WagerSide | None) -> dict[str, Any] | None:
        if one is None:
            return None
        return {
            "pays": one.pays,
            "edge": str(one.edge),
            "edge_float": float(one.edge),
            "edge_per_roll": str(one.edge_per_roll),
        }

    wagers = []
    for each in found.wagers:
        cents = each.dollars(stake, rolls)
        wagers.append(
            {
                "wager": each.wager,
                "differs": each.differs,
                "first": side(each.first),
                "second": side(each.second),
                "dollars_a_shift": None if cents is None else str(cents / 100),
                "dollars_a_shift_float": None if cents is None else float(cents) / 100,
            }
        )
    return {
        "first": {"name": found.first.name, "rulebook": found.first.book.id},
        "second": {"name": found.second.name, "rulebook": found.second.book.id},
        "stake": stake / 100,
        "rolls": rolls,
        "method": "exact",
        "wagers": wagers,
    }
