"""The plan of a felt: every zone of a house's layout, what is printed on it, what may lie there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from passline.felt import center, fixtures, printing, side_bets
from passline.felt.areas import FeltArea, area_of
from passline.felt.end_zones import end_zones
from passline.felt.measures import APRON, LINE, Measures, measure
from passline.felt.shapes import Rectangle, Shape, rectangle
from passline.felt.zones import CENTER, Fixture, Print, Zone
from passline.layout import Layout, Spot
from passline.table.opening import PLACES
from passline.words.wagers import cell_name

#: Rail around the felt, where the players' names stand: at the sides, and above and below.
RAIL = 46.0


class Cell(msgspec.Struct, frozen=True):
    """A wager's place in the grid: its name, the zones in which it lies, and what it pays."""

    slug: str
    name: str
    end: str
    area: FeltArea
    zones: tuple[str, ...]
    number: int = 0
    pays: tuple[str, ...] = ()
    #: It lies with another wager, which was made before it: odds, a come bet that travelled.
    beside: bool = False


class FeltPlan(msgspec.Struct, frozen=True):
    """A felt without anything on it, in felt units (a hundred to the foot).

    ``ends`` are the ends that it has, as the boxperson names them; ``places`` how many players
    there is room for; ``outline`` the felt itself; ``views`` what part of the picture to look at,
    by name: ``whole``, ``end:left``, ``end:right``, ``center``.
    """

    rulebook: str
    game: str
    name: str
    width: float
    height: float
    places: int
    ends: tuple[str, ...]
    slot: float
    outline: Shape
    zones: tuple[Zone, ...]
    cells: tuple[Cell, ...]
    fixtures: tuple[Fixture, ...]
    prints: tuple[Print, ...]
    views: dict[str, Rectangle]
    #: The colours of the bank, the largest first.
    bank: tuple[str, ...]

    def zone(self, id_: str) -> Zone:
        """A zone by its id."""
        return next(zone for zone in self.zones if zone.id == id_)

    def cell(self, slug: str, end: str = "") -> Cell:
        """A wager's cell, at an end or in the center."""
        ends = {end or self.ends[0], CENTER}
        return next(cell for cell in self.cells if cell.slug == slug and cell.end in ends)


class _ById:
    """A layout as a key: the very same one."""

    __slots__ = ("layout", "places")

    def __init__(self, layout: Layout, places: int) -> None:
        self.layout, self.places = layout, places

    def __hash__(self) -> int:
        return hash((id(self.layout), self.places))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _ById) and self.layout is other.layout and self.places == other.places
        )


@lru_cache(64)
def _made(key: _ById) -> tuple[FeltPlan, Measures]:
    measures = measure(key.layout, key.places)
    return _plan(measures), measures


def plan_felt(layout: Layout, places: int = PLACES) -> FeltPlan:
    """Every zone of a house's felt, from the house's own rules.

    >>> from passline.house.files import house_for
    >>> from passline.layout import lay_felt
    >>> plan = plan_felt(lay_felt(house_for("new-jersey", "mini-craps")))
    >>> plan.ends, plan.cell("place-win-6").name
    (('left',), 'Place 6')
    """
    return _made(_ById(layout, places))[0]


def plan_and_measures(layout: Layout, places: int) -> tuple[FeltPlan, Measures]:
    """A plan and what it was cut by, for whoever puts things on it."""
    return _made(_ById(layout, places))


def _plan(m: Measures) -> FeltPlan:
    house = m.layout.house
    zones = (
        *(zone for end in m.ends for zone in end_zones(m, end)),
        *center.center_zones(m),
        *side_bets.side_zones(m),
    )
    felt = rectangle(0, 0, m.width, m.height)
    left = (14.0, 14.0) if len(m.ends) == 1 else (70.0, 120.0)
    return FeltPlan(
        rulebook=house.book.id,
        game=house.game,
        name=house.name,
        width=m.width,
        height=m.height,
        places=m.places,
        ends=tuple(end.name for end in m.ends),
        slot=m.slot,
        outline=felt.outline(left[0], 70, 120, left[1]),
        zones=zones,
        cells=tuple(_cells(m, zones)),
        fixtures=tuple(fixtures.fixtures(m)),
        prints=tuple(fixtures.layout_notices(m)),
        views=_views(m),
        bank=tuple(c.colour for c in house.rack.chips) if fixtures.manned(m) else (),
    )


def _cells(m: Measures, zones: tuple[Zone, ...]) -> Iterator[Cell]:
    """Each wager once at each end, or once in the center; in the layout's order."""
    for spot in m.layout.spots.values():
        by_end: dict[str, list[str]] = {}
        for zone in zones:
            if spot.slug in zone.slugs:
                by_end.setdefault(zone.end, []).append(zone.id)
        for end, ids in by_end.items():
            yield _cell(m, spot, end, tuple(ids))


def _cell(m: Measures, spot: Spot, end: str, ids: tuple[str, ...]) -> Cell:
    area = area_of(m.layout, spot)
    return Cell(
        slug=spot.slug,
        name=cell_name(spot.slug, spot.rule.title, spot.number),
        end=end,
        area=area,
        zones=ids,
        number=spot.number,
        pays=printing.pays(m.layout.house, spot),
        beside=spot.only_travels or area in ("behind-odds", "box-odds", "dont-pass-odds"),
    )


def _views(m: Measures) -> dict[str, Rectangle]:
    top, bottom = -RAIL, m.height + RAIL
    views = {"whole": rectangle(-RAIL, top, m.width + RAIL, bottom)}
    for end in m.ends:
        near, far = end.x(-6), end.x(m.boxes + m.outer + LINE + APRON + RAIL - 6)
        views[f"end:{end.name}"] = rectangle(min(near, far), top, max(near, far), bottom)
    views["center"] = rectangle(m.center.left - 4, top, m.center.right + 4, bottom)
    return views
