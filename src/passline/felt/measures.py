"""The measures of a felt: its length, and how its ends and its center are divided.

They are computed from the layout of a house and the number of player positions at the rail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from passline.felt.areas import cite_place, find_area, load_felt
from passline.felt.geometry import Point, Rectangle, make_point, make_rectangle
from passline.game.house.house import House
from passline.game.law.shapes.collect import Collect
from passline.game.law.wagers import FeltArea
from passline.game.layout.spots import Layout, Spot
from passline.game.table.table_ends import list_places_at

#: Felt units per foot.
UNITS_PER_FOOT = 100
#: The width of a player's share of a number box, if there is enough space.
PLAYER_SLOT = 15.5
#: The same on a felt with one end, around which all players stand.
_ONE_END_SLOT = 10.0
#: The part of a share that stays free, so that chips of two players never touch.
CHIP_GAP = 1.2
FELT_HEIGHT = 500.0
#: The seat position used for the dealers' own wagers. No player has it.
DEALERS_PLACE = 0
CENTER_WIDTH = 264.0
DONT_COME_WIDTH, DONT_PASS_WIDTH, NO_DONTS_WIDTH = 54.0, 34.0, 38.0
LINE_WIDTH, APRON_WIDTH, TOP_MARGIN = 40.0, 54.0, 6.0
#: The most side wagers in a row before the box.
_SIDE_WAGERS_PER_ROW = 5
#: Heights of the fire spots before the box, of a row of side wagers, and of the buttons below them.
FIRE_HEIGHT, SIDE_ROW_HEIGHT, BUTTON_ROW_HEIGHT = 39.0, 36.0, 20.0
#: The height that these may take on a felt of `FELT_HEIGHT`. With more of them the felt is higher.
_ROOM_BEFORE_BOX = 56.0
#: Rows of an end from the dealer to the players: name, height if all rows exist, the share that the
#: row gets of the height of rows that do not exist, and the areas of which it needs one.
_ROW_HEIGHTS: tuple[tuple[str, float, float, frozenset[FeltArea]], ...] = (
    ("head", 36, 0, frozenset()),
    ("behind", 60, 0, frozenset(["behind"])),
    ("back", 22, 0, frozenset(["place"])),
    ("box", 64, 2, frozenset()),
    ("front", 22, 0, frozenset(["place"])),
    ("come", 66, 3, frozenset(["come"])),
    ("field", 62, 2, frozenset(["field", "big"])),
    ("dont-pass", 54, 0, frozenset(["dont-pass"])),
    ("pass", 54, 0.5, frozenset()),
    ("apron", APRON_WIDTH, 0, frozenset()),
)


class BoxShare(NamedTuple):
    """The part of a printed box in which one player's chips lie, as a column and a row.

    `column` counts from the center of the table outward. Row 0 is the back row, on the dealer's
    side, and row 1 the front. The dealers' own wagers are half a column off, between two players.
    """

    column: float
    row: int


class EndFrame(msgspec.Struct, frozen=True):
    """One end of the felt: where it begins, in which direction it runs, and its rail positions.

    `edge` is the x of its border with the center. `direction` is 1 if the end runs to the picture's
    right (the boxperson's left end), else -1. The `count` positions go from `first` to `last`.
    """

    name: str
    edge: float
    direction: int
    count: int
    first: int
    last: int

    @property
    def columns(self) -> int:
        """The columns of a number box: one for each rail position on the stick's side."""
        return (self.count + 1) // 2

    def make_box(self, out: float, more: float, top: float, bottom: float) -> Rectangle:
        """Return the rectangle between the distances `out` and `more` from the end's inner edge."""
        left, right = sorted((self.x(out), self.x(more)))
        return make_rectangle(left, top, right, bottom)

    def x(self, out: float) -> float:
        """Return the x coordinate at distance `out` from the edge of this end by the center."""
        return self.edge + self.direction * out

    def x_in(self, box: Rectangle, out: float) -> float:
        """Return the x coordinate at distance `out` from the side of a box nearer the center."""
        return (box.left if self.direction == 1 else box.right) + self.direction * out

    def count_from_dealer(self, place: int) -> int:
        """Return the number of rail position `place` counted from the base dealer, from 1."""
        return place if self.direction == 1 else self.last + 1 - place

    def is_round_the_end(self, place: int) -> bool:
        """Return whether a rail position is around the end, not along the stick's side."""
        return self.count_from_dealer(place) <= self.count - self.columns

    def find_share(self, place: int) -> BoxShare:
        """Return the share of a printed box for the player at rail position `place`.

        Positions along the stick's side have the front row, from the center outward. Those around
        the end have the back row, from the center outward too, beginning next to the dealer.
        """
        turn = self.count_from_dealer(place)
        if self.is_round_the_end(place):
            return BoxShare(turn - 1, 0)
        return BoxShare(self.count - turn, 1)


class FeltMeasures(msgspec.Struct, frozen=True, eq=False):
    """All measures that a felt plan is drawn from, in felt units (100 per foot).

    `slot` is the width of one player's share of a number box; `rows` has (top, bottom) of each row
    of an end; `places` is the number of rail positions.
    """

    layout: Layout
    places: int
    slot: float
    numbers: tuple[int, ...]
    #: The distance from the numbers to the pass line, and the width of the don't come box in it.
    outer: float
    beside: float
    rows: dict[str, tuple[float, float]]
    ends: tuple[EndFrame, ...]
    center: Rectangle
    width: float
    height: float
    areas: dict[FeltArea, tuple[Spot, ...]]
    area_by_wager: dict[str, FeltArea]

    @property
    def column(self) -> float:
        """Return the width of a number's column."""
        return self.slot * self.ends[0].columns

    @property
    def boxes(self) -> float:
        """Return the width of all number columns together."""
        return self.column * len(self.numbers)

    @property
    def house(self) -> House:
        """Return the house whose felt this is."""
        return self.layout.house

    @property
    def side_rows(self) -> list[list[tuple[Spot, ...]]]:
        """Return the side wagers in front of the boxperson, row by row, each with its spots.

        A wager that moves on as the shooter rolls has a spot for each stage: how far it has come.
        """
        return _arrange_side_wagers(self.areas.get("bonus", ()))

    @property
    def side_heights(self) -> dict[str, float]:
        """Return the heights of the strips for fire, bonus and buttons; 0 if a strip is absent."""
        return _measure_side_strips(self.areas)

    def cite(self, name: str) -> str:
        """Return the clause or custom for the position of a named thing, or "" without a name."""
        return cite_place(name, self.house.book.id) if name else ""

    def find_end(self, place: int) -> EndFrame:
        """Return the end of the table that a rail position is at."""
        if place == DEALERS_PLACE:
            return self.ends[-1]
        return next(end for end in self.ends if end.first <= place <= end.last)

    def find_number_strip(self, end: EndFrame, number: int, row: str) -> Rectangle:
        """Return the rectangle of one row of a number's column, such as "head" or "box".

        Numbers ascend from the picture's left at both ends.
        """
        index = self.numbers.index(number)
        out = index if end.direction == 1 else len(self.numbers) - 1 - index
        return end.make_box(out * self.column, (out + 1) * self.column, *self.rows[row])

    def find_base_dealer(self, end: EndFrame) -> Point:
        """Return where the base dealer of an end stands."""
        return make_point(end.x(self.boxes / 2), -16)

    def find_share(self, place: int) -> BoxShare:
        """Return the share of a printed box for the player at rail position `place`.

        The dealers' own share is between two players.
        """
        if place == DEALERS_PLACE:
            return BoxShare(self.ends[-1].columns / 2 - 0.5, 1)
        return self.find_end(place).find_share(place)

    def find_line_point(
        self, place: int, out: float, down: float, top: float = TOP_MARGIN + 26
    ) -> Point:
        """Return the point on a line, such as the pass line, in front of a player.

        `place` is the player's rail position. For a player around the end of the table, `out` is
        how far the point is from the center, and `top` is the y of the first such player. For a
        player on the stick's side, `down` is the y of the point.
        """
        end, seat = self.find_end(place), self.find_share(place)
        if seat.row:
            wide = (self.boxes + self.outer - 24) / end.columns
            return make_point(end.x(12 + (seat.column + 0.5) * wide), down)
        bottom = self.rows["pass"][0] - 26
        high = (bottom - top) / (end.count - end.columns)
        return make_point(end.x(out), top + (seat.column + 0.5) * high)


def _has_one_end(house: House) -> bool:
    """Return whether the felt has one end: the game has one base dealer, or a machine deals it.

    A house that elects a single base dealer still has both ends.
    """
    crew = house.book.crew.get(house.game)
    return crew is None or (crew.bases is not None and crew.bases.value == 1)


def _arrange_side_wagers(spots: Iterable[Spot]) -> list[list[tuple[Spot, ...]]]:
    """Return the spots of each side wager, in rows of about equal length."""
    families: dict[str, tuple[Spot, ...]] = {}
    for spot in spots:
        families[spot.family] = (*families.get(spot.family, ()), spot)
    wagers = list(families.values())
    each = -(-len(wagers) // (-(-len(wagers) // _SIDE_WAGERS_PER_ROW) or 1)) or 1
    return [wagers[at : at + each] for at in range(0, len(wagers), each)]


def _measure_side_strips(areas: Mapping[FeltArea, tuple[Spot, ...]]) -> dict[str, float]:
    """Return the heights of the strips for side wagers, in front of the boxperson.

    There is a strip for buttons only if a wager counts the totals thrown.
    """
    side = areas.get("bonus", ())
    counted = any(isinstance(spot.rule, Collect) and spot.rule.counts_totals for spot in side)
    return {
        "fire": FIRE_HEIGHT if "fire" in areas else 0,
        "bonus": SIDE_ROW_HEIGHT * len(_arrange_side_wagers(side)),
        "buttons": BUTTON_ROW_HEIGHT if counted else 0,
    }


def measure_felt(layout: Layout, places: int) -> FeltMeasures:
    """Return the measures of a house's felt for `places` player positions at the rail."""
    areas: dict[FeltArea, tuple[Spot, ...]] = {}
    for spot in layout.spots.values():
        area = find_area(layout, spot)
        areas[area] = (*areas.get(area, ()), spot)
    single = _has_one_end(layout.house)
    count = places if single else len(list_places_at("left", places))
    boxed: tuple[FeltArea, ...] = ("behind", "box", "place")
    others = {spot.number for area in boxed for spot in areas.get(area, ())} - {0}
    numbers = tuple(sorted({*layout.house.book.points.value, *others}))
    beside = DONT_COME_WIDTH if "dont-come" in areas else 0.0
    outer = beside + (DONT_PASS_WIDTH if "dont-pass" in areas else 0.0) or NO_DONTS_WIDTH
    ends = 1 if single else 2
    rest = CENTER_WIDTH + ends * (outer + LINE_WIDTH + APRON_WIDTH)
    columns = ends * len(numbers) * ((count + 1) // 2)
    widest = _ONE_END_SLOT if single else PLAYER_SLOT
    longest = load_felt(layout.house.book.id).longest.feet * UNITS_PER_FOOT
    slot = min(widest, (longest - rest) / columns)
    reach = slot * ((count + 1) // 2) * len(numbers) + outer + LINE_WIDTH + APRON_WIDTH
    left = 0.0 if single else reach
    height = FELT_HEIGHT + max(0, sum(_measure_side_strips(areas).values()) - _ROOM_BEFORE_BOX)
    frames = (
        EndFrame("left", left + CENTER_WIDTH, direction=1, count=count, first=1, last=count),
        EndFrame("right", left, direction=-1, count=count, first=count + 1, last=places),
    )
    return FeltMeasures(
        layout=layout,
        places=places,
        slot=slot,
        numbers=numbers,
        outer=outer,
        beside=beside,
        rows=dict(_compute_rows(set(areas), height)),
        ends=frames[:ends],
        center=make_rectangle(left, TOP_MARGIN, left + CENTER_WIDTH, height),
        width=round(left + CENTER_WIDTH + reach, 2),
        height=height,
        areas=areas,
        area_by_wager={spot.slug: area for area, spots in areas.items() for spot in spots},
    )


def _compute_rows(areas: set[FeltArea], height: float) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield (name, (top, bottom)) of each row of an end.

    `areas` are the areas of the felt that have wagers, and `height` is the felt's. The rows share
    its height, without those that have no wagers.
    """
    kept = [row[:3] for row in _ROW_HEIGHTS if not row[3] or areas & row[3]]
    spare = height - TOP_MARGIN - sum(high for _, high, _ in kept)
    shares = sum(share for _, _, share in kept)
    top = TOP_MARGIN
    for name, high, share in kept:
        bottom = top + high + spare * share / shares
        yield name, (round(top, 2), round(bottom, 2))
        top = bottom
