"""The measures of a felt: how long it is, how its ends and its center are cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from passline.crew.ends import list_places_at
from passline.felt.areas import find_area, find_longest_table
from passline.felt.shapes import Point, Rectangle, make_point, make_rectangle
from passline.game.house.house import House
from passline.game.law.wagers import FeltArea
from passline.game.layout.spots import Layout, Spot

#: Felt units in a foot.
UNITS_PER_FOOT = 100
#: A player's share of a number box, from side to side, where there is room for it.
PLAYER_SLOT = 15.5
#: The same on a felt with one end, around which everybody stands.
_ONE_END_SLOT = 10.0
#: How much of a slot stays free, so that chips of two players never touch.
CHIP_GAP = 1.2
FELT_HEIGHT = 500.0
#: No player's place: where the wagers lie that were made for the dealers.
DEALERS_PLACE = 0
CENTER_WIDTH = 264.0
DONT_COME_WIDTH, DONT_PASS_WIDTH, NO_DONTS_WIDTH = 54.0, 34.0, 26.0
LINE_WIDTH, APRON_WIDTH, TOP_MARGIN = 40.0, 54.0, 6.0
#: Rows of an end from the dealer to the players, as high as they are where all are there; what is
#: not there leaves its height to the others by these shares.
_ROW_HEIGHTS: tuple[tuple[str, float, float], ...] = (
    ("head", 25, 0),
    ("behind", 62, 0),
    ("back", 22, 0),
    ("box", 64, 2),
    ("front", 22, 0),
    ("come", 70, 3),
    ("field", 62, 2),
    ("dont-pass", 54, 0),
    ("pass", 54, 0.5),
    ("apron", APRON_WIDTH, 0),
)


class BoxShare(NamedTuple):
    """A player's share of a box: the column from the center outwards, and the row (0: back).

    Half a column lies between two players: there the dealers' own wagers are put.
    """

    column: float
    row: int


class EndFrame(msgspec.Struct, frozen=True):
    """One end: where it begins, which way it runs, and who stands there.

    ``way`` is 1 where it runs to the picture's right, as the boxperson's left end does.
    """

    name: str
    edge: float
    way: int
    count: int
    first: int
    last: int

    @property
    def columns(self) -> int:
        """Places along the stick's side, and as many round the end: columns in a number box."""
        return (self.count + 1) // 2

    def across(self, out: float, more: float, top: float, bottom: float) -> Rectangle:
        """A box by its distances from the center."""
        one, two = self.edge + self.way * out, self.edge + self.way * more
        return make_rectangle(min(one, two), top, max(one, two), bottom)

    def x(self, out: float) -> float:
        """Where a distance from the center lies."""
        return self.edge + self.way * out

    def turn(self, place: int) -> int:
        """The place counted from the base dealer: 1 stands beside him, the last by the stick."""
        return place if self.way == 1 else self.last + 1 - place

    def is_round_the_end(self, place: int) -> bool:
        """Whether this place is round the end, not along the stick's side."""
        return self.turn(place) <= self.count - self.columns

    def seat(self, place: int) -> BoxShare:
        """The share of a box that mirrors a place: the side of the stick in front, from the center
        outwards; then, round the corner, the end behind, from the outside back to the center."""
        turn = self.turn(place)
        if self.is_round_the_end(place):
            return BoxShare(turn - 1, 0)
        return BoxShare(self.count - turn, 1)


class FeltMeasures(msgspec.Struct, frozen=True):
    """Everything that a plan is cut by."""

    layout: Layout
    places: int
    slot: float
    numbers: tuple[int, ...]
    #: From the numbers to the pass line, and how much of it is the don't come box.
    outer: float
    beside: float
    rows: dict[str, tuple[float, float]]
    ends: tuple[EndFrame, ...]
    center: Rectangle
    width: float
    height: float
    areas: dict[FeltArea, tuple[Spot, ...]]

    @property
    def column(self) -> float:
        """How wide a number's column is."""
        return self.slot * self.ends[0].columns

    @property
    def boxes(self) -> float:
        """How wide all of them are."""
        return self.column * len(self.numbers)

    def has(self, *areas: FeltArea) -> bool:
        """Whether any wager lies there."""
        return any(self.areas.get(area) for area in areas)

    def frame(self, place: int) -> EndFrame:
        """The end at which a place is."""
        if place == DEALERS_PLACE:
            return self.ends[-1]
        return next(end for end in self.ends if end.first <= place <= end.last)

    def find_number_strip(self, end: EndFrame, number: int, row: str) -> Rectangle:
        """A number's strip: the boxes read upwards from the picture's left at both ends."""
        index = self.numbers.index(number)
        out = index if end.way == 1 else len(self.numbers) - 1 - index
        return end.across(out * self.column, (out + 1) * self.column, *self.rows[row])

    def base_dealer(self, end: EndFrame) -> Point:
        """Where the base dealer of an end stands: at the inner side, before the numbers."""
        return make_point(end.x(self.boxes / 2), -16)

    def seat(self, place: int) -> BoxShare:
        """A place's share of a box; of the dealers' own wagers, which lie before nobody."""
        if place == DEALERS_PLACE:
            return BoxShare(self.ends[-1].columns / 2 - 0.5, 1)
        return self.frame(place).seat(place)

    def on_line(self, place: int, out: float, down: float, top: float = TOP_MARGIN + 26) -> Point:
        """Before a player: ``out`` from the center if he is round the end, ``down`` from the box
        if he stands along the stick's side."""
        end, seat = self.frame(place), self.seat(place)
        if seat.row:
            wide = (self.boxes + self.outer - 24) / end.columns
            return make_point(end.x(12 + (seat.column + 0.5) * wide), down)
        bottom = self.rows["pass"][0] - 26
        high = (bottom - top) / (end.count - end.columns)
        return make_point(end.x(out), top + (seat.column + 0.5) * high)


def list_boxed_numbers(layout: Layout) -> tuple[int, ...]:
    """The numbers that have boxes: the points, and whatever else a wager is on."""
    kept = {spot.number for spot in layout.spots.values() if _has_box(layout, spot)}
    return tuple(sorted({*layout.house.book.points.value, *kept}))


def _has_box(layout: Layout, spot: Spot) -> bool:
    return bool(spot.number) and find_area(layout, spot) in ("behind", "box", "place")


def has_one_end(house: House) -> bool:
    """Whether the felt has one end: where the book gives the game one base dealer, or a machine
    deals it. (A house that elects a single base dealer deals both ends of the same table.)"""
    crew = house.book.crew.get(house.game)
    return crew is None or (crew.bases is not None and crew.bases.value == 1)


def measure_felt(layout: Layout, places: int) -> FeltMeasures:
    """The measures of a house's felt for so many places."""
    areas: dict[FeltArea, tuple[Spot, ...]] = {}
    for spot in layout.spots.values():
        area = find_area(layout, spot)
        areas[area] = (*areas.get(area, ()), spot)
    single = has_one_end(layout.house)
    count = places if single else len(list_places_at("left", places))
    numbers = list_boxed_numbers(layout)
    beside = DONT_COME_WIDTH if "dont-come" in areas else 0.0
    outer = beside + (DONT_PASS_WIDTH if "dont-pass" in areas else 0.0) or NO_DONTS_WIDTH
    ends = 1 if single else 2
    rest = CENTER_WIDTH + ends * (outer + LINE_WIDTH + APRON_WIDTH)
    columns = ends * len(numbers) * ((count + 1) // 2)
    widest = _ONE_END_SLOT if single else PLAYER_SLOT
    slot = min(widest, (find_longest_table(layout.house.book.id) * UNITS_PER_FOOT - rest) / columns)
    reach = slot * ((count + 1) // 2) * len(numbers) + outer + LINE_WIDTH + APRON_WIDTH
    left = 0.0 if single else reach
    width = round(left + CENTER_WIDTH + reach, 2)
    frames = [
        EndFrame(name="left", edge=left + CENTER_WIDTH, way=1, count=count, first=1, last=count)
    ]
    if not single:
        frames.append(
            EndFrame(name="right", edge=left, way=-1, count=count, first=count + 1, last=places)
        )
    return FeltMeasures(
        layout=layout,
        places=places,
        slot=slot,
        numbers=numbers,
        outer=outer,
        beside=beside,
        rows=dict(_compute_rows(set(areas))),
        ends=tuple(frames),
        center=make_rectangle(left, TOP_MARGIN, left + CENTER_WIDTH, FELT_HEIGHT),
        width=width,
        height=FELT_HEIGHT,
        areas=areas,
    )


def _compute_rows(areas: set[FeltArea]) -> Iterator[tuple[str, tuple[float, float]]]:
    """From where to where each row of an end goes."""
    missing = set()
    for row, needs in (
        ("behind", {"behind"}),
        ("back", {"place"}),
        ("front", {"place"}),
        ("come", {"come"}),
        ("field", {"field", "big"}),
        ("dont-pass", {"dont-pass"}),
    ):
        if not areas & needs:
            missing.add(row)
    kept = [row for row in _ROW_HEIGHTS if row[0] not in missing]
    spare = FELT_HEIGHT - TOP_MARGIN - sum(high for _, high, _ in kept)
    shares = sum(share for _, _, share in kept)
    top = TOP_MARGIN
    for name, high, share in kept:
        bottom = top + high + spare * share / shares
        yield name, (round(top, 2), round(bottom, 2))
        top = bottom
