"""The plan of a felt: its zones, what is printed on it, the fixtures around it, and the views.

A plan depends on the layout of a house and the number of player positions at the rail. It shows no
chips; see `layout_contents` for those.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from passline.crew.props_and_dice import find_dice_holder
from passline.felt.areas import load_felt
from passline.felt.geometry import Point, Rectangle, Shape, make_point, make_rectangle
from passline.felt.layout_zones import (
    CENTER,
    Fixture,
    PrintedText,
    Zone,
    find_center_strip,
    fit_text,
    format_pays,
    make_center_zones,
    make_end_zones,
    make_side_zones,
)
from passline.felt.measures import APRON_WIDTH, LINE_WIDTH, FeltMeasures, measure_felt
from passline.game.law.wagers import FeltArea
from passline.game.layout.spots import Layout
from passline.game.table.posts import bank_post, stick_post
from passline.game.table.table_ends import PLACES
from passline.game.words.wagers import felt_wager_name
from passline.same_object import SameObject

#: The radius of the bowl.
BOWL_RADIUS = 23.0
DROP_LABEL, TIP_LABEL = "DROP", "TIPS"


def is_manned(measures: FeltMeasures) -> bool:
    """Return whether people deal this game. A game dealt by a machine has no crew."""
    return measures.house.game in measures.house.book.crew


def find_bowl(measures: FeltMeasures, dead: bool = False) -> Point:
    """Return where the bowl or cup of dice is: in front of the stick.

    With `dead` (a dead game), it is in the center if the rulebook says so.
    """
    if dead and load_felt(measures.house.book.id).dead.on:
        return find_center_strip(measures, "props").center
    return make_point(measures.center.center.x, measures.height - BOWL_RADIUS - 4)


def find_resting_dice(measures: FeltMeasures) -> Point:
    """Return where the dice are between rolls: in the center in front of the boxperson."""
    return find_center_strip(measures, "box").center


def list_fixtures(measures: FeltMeasures) -> Iterator[Fixture]:
    """Yield every object at the table: the bank, the box area, drop and tip boxes, crew, bowl.

    A game dealt by a machine has only the bank and the box area (in front of the boxperson's seat).
    """
    house, cite, middle = measures.house, measures.cite, measures.center.center.x
    for kind in ("bank", "box"):
        strip = find_center_strip(measures, kind)
        yield Fixture(kind, strip.center, cite("bank"), shape=strip.outline())
    if not is_manned(measures):
        return
    for kind, words, side in (("drop-box", DROP_LABEL, -1), ("tip-box", TIP_LABEL, 1)):
        spot = make_point(middle + side * (measures.center.width / 2 - 26), -22)
        shape = spot.surround(20, 9).outline(4, 4, 4, 4)
        yield Fixture(kind, spot, cite(kind), shape=shape, words=words)
    box, stick = make_point(middle, -22), make_point(middle, measures.height + 22)
    yield Fixture("post-box", box, cite("bank"), words=bank_post(house).who)
    yield Fixture("post-stick", stick, cite("stick"), words=stick_post(house).who)
    for end in measures.ends:
        name = "dealer" if len(measures.ends) == 1 else "base dealer"
        spot = measures.find_base_dealer(end).shifted(0, -6)
        yield Fixture("post-base", spot, cite("base"), words=name, end=end.name)
    holder = find_dice_holder(house.book.id)
    yield Fixture(holder, find_bowl(measures), cite(holder), round=BOWL_RADIUS)


def list_layout_notices(measures: FeltMeasures) -> Iterator[PrintedText]:
    """Yield the house's name, and the notice about call bets if the rulebook requires it."""
    house, blank = measures.house, find_center_strip(measures, "box")
    above = blank.center.shifted(0, -blank.height * 0.35)
    yield fit_text(house.name, above, 10, blank.width - 12, "fine")
    if load_felt(house.book.id).notice is not None:
        below = blank.center.shifted(0, blank.height * 0.28)
        yield fit_text("NO CALL BETS", below, 11, blank.width - 12, "fine")


#: The width of the rail around the felt, where the players' names stand.
RAIL_WIDTH = 46.0


class Cell(msgspec.Struct, frozen=True):
    """A wager at one end of the felt, or in the center: its name, its zones, and what it pays."""

    slug: str
    name: str
    end: str
    area: FeltArea
    zones: tuple[str, ...]
    number: int = 0
    pays: tuple[str, ...] = ()
    #: The option in the page's `Bet as` control that selects this wager, or empty.
    bet_as: str = ""


class FeltPlan(msgspec.Struct, frozen=True):
    """A felt without chips, in felt units (100 per foot).

    `ends` are the ends as the boxperson names them, `places` is the number of rail positions,
    `slot` the width of one player's share of a number box, `outline` the felt itself. `views` are
    the parts of the picture by name: `whole`, `end:left`, `end:right`, `center`.
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
    prints: tuple[PrintedText, ...]
    views: dict[str, Rectangle]
    #: The colors of the bank, the largest chip first.
    bank: tuple[str, ...]

    def zone(self, id_: str) -> Zone:
        """Return the zone with this id. Raise StopIteration if there is none."""
        return next(zone for zone in self.zones if zone.id == id_)

    def cell(self, slug: str, end: str = "") -> Cell:
        """Return the cell of a wager at `end` (default: the first end), or in the center.

        Raise StopIteration if the felt has none.
        """
        ends = {end or self.ends[0], CENTER}
        return next(cell for cell in self.cells if cell.slug == slug and cell.end in ends)


@lru_cache(64)
def _make_cached(key: SameObject[Layout], places: int) -> tuple[FeltPlan, FeltMeasures]:
    measures = measure_felt(key.value, places)
    return _make_plan(measures), measures


def plan_felt(layout: Layout, places: int = PLACES) -> FeltPlan:
    """Return the plan of a house's felt with `places` player positions at the rail.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.layout.compile import compile_layout
    >>> plan = plan_felt(compile_layout(house_for("new-jersey", "mini-craps")))
    >>> plan.ends, plan.cell("place-win-6").name
    (('left',), 'Place 6')
    """
    return plan_and_measure(layout, places)[0]


def plan_and_measure(layout: Layout, places: int) -> tuple[FeltPlan, FeltMeasures]:
    """Return (plan, measures) of a felt at a table with this many rail positions (``places``).

    They are for code that puts things on the felt.
    """
    return _make_cached(SameObject(layout), places)


def _make_plan(measures: FeltMeasures) -> FeltPlan:
    house = measures.house
    zones = (
        *(zone for end in measures.ends for zone in make_end_zones(measures, end)),
        *make_center_zones(measures),
        *make_side_zones(measures),
    )
    felt = make_rectangle(0, 0, measures.width, measures.height)
    left = (14.0, 14.0) if len(measures.ends) == 1 else (70.0, 120.0)
    return FeltPlan(
        rulebook=house.book.id,
        game=house.game,
        name=house.name,
        width=measures.width,
        height=measures.height,
        places=measures.places,
        ends=tuple(end.name for end in measures.ends),
        slot=measures.slot,
        outline=felt.outline(left[0], 70, 120, left[1]),
        zones=zones,
        cells=tuple(_list_cells(measures, zones)),
        fixtures=tuple(list_fixtures(measures)),
        prints=tuple(list_layout_notices(measures)),
        views=_make_views(measures),
        bank=tuple(c.color for c in house.rack.chips) if is_manned(measures) else (),
    )


#: The option in the page's `Bet as` control for each kind of wager on a number.
_BET_AS = {"place-win": "Place", "buy": "Buy", "lay": "Lay", "place-lose": "To lose"}


def _list_cells(measures: FeltMeasures, zones: tuple[Zone, ...]) -> Iterator[Cell]:
    """Yield a cell for each wager at each end, or in the center, in the layout's order."""
    for spot in measures.layout.spots.values():
        by_end: dict[str, list[str]] = {}
        for zone in zones:
            if spot.slug in zone.slugs:
                by_end.setdefault(zone.end, []).append(zone.id)
        area = measures.area_by_wager[spot.slug]
        for end, ids in by_end.items():
            yield Cell(
                slug=spot.slug,
                name=felt_wager_name(spot.slug, spot.rule.title, spot.number),
                end=end,
                area=area,
                zones=tuple(ids),
                number=spot.number,
                pays=format_pays(measures.house, spot),
                bet_as=_BET_AS.get(spot.kind, "Odds" if spot.flat else ""),
            )


def _make_views(measures: FeltMeasures) -> dict[str, Rectangle]:
    top, bottom = -RAIL_WIDTH, measures.height + RAIL_WIDTH
    felt = make_rectangle(0, 0, measures.width, measures.height)
    views = {"whole": felt.grown(RAIL_WIDTH, RAIL_WIDTH)}
    out = measures.boxes + measures.outer + LINE_WIDTH + APRON_WIDTH + RAIL_WIDTH
    for end in measures.ends:
        views[f"end:{end.name}"] = end.make_box(-2, out, top, bottom)
    views["center"] = measures.center.grown(4, 0)._replace(top=top, bottom=bottom)
    return views
