"""What stands at the table besides wagers: bank, box, bowl or cup, boxes for cash and tokes.

The plan of a felt: every zone of a house's layout, what is printed on it, what may lie there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from passline.crew.placement import find_dice_holder
from passline.felt import layout_zones
from passline.felt.areas import cite_place, find_area, find_dead_bowl_place, has_printed_notice
from passline.felt.layout_zones import (
    CENTER,
    Fixture,
    PrintedText,
    Zone,
    find_center_strip,
    fit_text,
    make_end_zones,
)
from passline.felt.measures import APRON_WIDTH, LINE_WIDTH, FeltMeasures, measure_felt
from passline.felt.shapes import Point, Rectangle, Shape, make_point, make_rectangle
from passline.game.law.wagers import FeltArea
from passline.game.layout.spots import Layout, Spot
from passline.game.table.opening import PLACES
from passline.game.table.posts import bank_post, stick_post
from passline.game.words.wagers import felt_wager_name

#: How far the bowl reaches from its middle.
BOWL_RADIUS = 23.0
DROP_LABEL, TIP_LABEL = "DROP", "TIPS"


def is_manned(m: FeltMeasures) -> bool:
    """Whether people deal here: a game that a machine deals has no crew."""
    return m.layout.house.game in m.layout.house.book.crew


def find_bowl(m: FeltMeasures, dead: bool = False) -> Point:
    """Where the bowl or cup stands: before the stick, against the wall with the mirror; on a dead
    game in the center, where the book has it so."""
    middle = m.center.center.x
    if dead and find_dead_bowl_place(m.layout.house.book.id):
        return find_center_strip(m, "props").center
    return make_point(middle, m.height - BOWL_RADIUS - 4)


def find_resting_dice(m: FeltMeasures) -> Point:
    """Where the dice lie between throws: in the center, before the box."""
    return find_center_strip(m, "box").center


def list_fixtures(m: FeltMeasures) -> Iterator[Fixture]:
    """Everything that stands there on any table of this house."""
    book, middle = m.layout.house.book.id, m.center.center.x
    bank_strip = find_center_strip(m, "bank")
    yield Fixture(
        kind="bank", at=bank_strip.center, cite=cite_place("bank", book), shape=bank_strip.outline()
    )
    blank = find_center_strip(m, "box")
    yield Fixture(kind="box", at=blank.center, cite=cite_place("bank", book), shape=blank.outline())
    if not is_manned(m):
        return
    for kind, words, side in (("drop-box", DROP_LABEL, -1), ("tip-box", TIP_LABEL, 1)):
        spot = make_point(middle + side * (m.center.width / 2 - 20), -22)
        shape = make_rectangle(spot.x - 20, spot.y - 9, spot.x + 20, spot.y + 9).outline(4, 4, 4, 4)
        yield Fixture(kind=kind, at=spot, cite=cite_place(kind, book), shape=shape, words=words)
    house = m.layout.house
    who = bank_post(house).who
    yield Fixture("post-box", make_point(middle, -22), cite_place("bank", book), words=who)
    yield Fixture(
        "post-stick",
        make_point(middle, m.height + 22),
        cite_place("stick", book),
        words=stick_post(house).who,
    )
    for end in m.ends:
        name = "dealer" if len(m.ends) == 1 else "base dealer"
        spot = m.base_dealer(end).moved(0, -6)
        yield Fixture("post-base", spot, cite_place("base", book), words=name, end=end.name)
    holder = find_dice_holder(book)
    place = find_bowl(m)
    yield Fixture(holder, place, cite_place(holder, book), round=BOWL_RADIUS)


def list_layout_notices(m: FeltMeasures) -> Iterator[PrintedText]:
    """Whose layout it is; and that call bets are not taken, where a book wants that said there."""
    house, blank = m.layout.house, find_center_strip(m, "box")
    name = fit_text(house.name, blank.center.moved(0, -blank.height * 0.35), 10, blank.width - 12)
    yield PrintedText(text=name.text, at=name.at, size=name.size, kind="fine")
    if has_printed_notice(house.book.id):
        line = blank.center.moved(0, blank.height * 0.36)
        yield fit_text("NO CALL BETS", line, 11, blank.width - 12, "fine")


#: Rail around the felt, where the players' names stand: at the sides, and above and below.
RAIL_WIDTH = 46.0


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
    prints: tuple[PrintedText, ...]
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


class _LayoutKey:
    """A layout as a key: the very same one."""

    __slots__ = ("layout", "places")

    def __init__(self, layout: Layout, places: int) -> None:
        self.layout, self.places = layout, places

    def __hash__(self) -> int:
        return hash((id(self.layout), self.places))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _LayoutKey)
            and self.layout is other.layout
            and self.places == other.places
        )


@lru_cache(64)
def _make_cached(key: _LayoutKey) -> tuple[FeltPlan, FeltMeasures]:
    measures = measure_felt(key.layout, key.places)
    return _make_plan(measures), measures


def plan_felt(layout: Layout, places: int = PLACES) -> FeltPlan:
    """Every zone of a house's felt, from the house's own rules.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.layout.compile import compile_layout
    >>> plan = plan_felt(compile_layout(house_for("new-jersey", "mini-craps")))
    >>> plan.ends, plan.cell("place-win-6").name
    (('left',), 'Place 6')
    """
    return _make_cached(_LayoutKey(layout, places))[0]


def plan_and_measure(layout: Layout, places: int) -> tuple[FeltPlan, FeltMeasures]:
    """A plan and what it was cut by, for whoever puts things on it."""
    return _make_cached(_LayoutKey(layout, places))


def _make_plan(m: FeltMeasures) -> FeltPlan:
    house = m.layout.house
    zones = (
        *(zone for end in m.ends for zone in make_end_zones(m, end)),
        *layout_zones.make_center_zones(m),
        *layout_zones.make_side_zones(m),
    )
    felt = make_rectangle(0, 0, m.width, m.height)
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
        cells=tuple(_list_cells(m, zones)),
        fixtures=tuple(list_fixtures(m)),
        prints=tuple(list_layout_notices(m)),
        views=_make_views(m),
        bank=tuple(c.colour for c in house.rack.chips) if is_manned(m) else (),
    )


def _list_cells(m: FeltMeasures, zones: tuple[Zone, ...]) -> Iterator[Cell]:
    """Each wager once at each end, or once in the center; in the layout's order."""
    for spot in m.layout.spots.values():
        by_end: dict[str, list[str]] = {}
        for zone in zones:
            if spot.slug in zone.slugs:
                by_end.setdefault(zone.end, []).append(zone.id)
        for end, ids in by_end.items():
            yield _make_cell(m, spot, end, tuple(ids))


def _make_cell(m: FeltMeasures, spot: Spot, end: str, ids: tuple[str, ...]) -> Cell:
    area = find_area(m.layout, spot)
    return Cell(
        slug=spot.slug,
        name=felt_wager_name(spot.slug, spot.rule.title, spot.number),
        end=end,
        area=area,
        zones=ids,
        number=spot.number,
        pays=layout_zones.format_pays(m.layout.house, spot),
        beside=spot.only_travels or area in ("behind-odds", "box-odds", "dont-pass-odds"),
    )


def _make_views(m: FeltMeasures) -> dict[str, Rectangle]:
    top, bottom = -RAIL_WIDTH, m.height + RAIL_WIDTH
    views = {"whole": make_rectangle(-RAIL_WIDTH, top, m.width + RAIL_WIDTH, bottom)}
    for end in m.ends:
        near, far = end.x(-6), end.x(m.boxes + m.outer + LINE_WIDTH + APRON_WIDTH + RAIL_WIDTH - 6)
        views[f"end:{end.name}"] = make_rectangle(min(near, far), top, max(near, far), bottom)
    views["center"] = make_rectangle(m.center.left - 4, top, m.center.right + 4, bottom)
    return views
