"""Where each player's chips lie in the zones (printed parts) of a felt, and how large they are.

A stack's position mirrors where its player stands. `layout_contents` lists the stacks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from math import inf

from passline.felt.areas import COLUMN_AREAS
from passline.felt.geometry import Point, Rectangle, make_point
from passline.felt.layout_zones import (
    CENTER,
    Zone,
    find_center_strip,
    find_dont_come_box,
    find_fire_spot,
    list_fire_spots_before_box,
)
from passline.felt.measures import (
    CHIP_GAP,
    DEALERS_PLACE,
    LINE_WIDTH,
    EndFrame,
    FeltMeasures,
)
from passline.game.law.wagers import FeltArea
from passline.game.layout.spots import Spot

#: Chip diameters: the largest, the dealers' in a number box, and in a C and E circle.
LARGEST_CHIP = 16.0
_DEALERS_CHIP = 8.0
_CIRCLE_CHIP = 12.0
PUCK_RADIUS = 17.0
#: The distance of a heeled stack from its flat, in chip widths.
BESIDE_SHIFT = 0.82
#: Space at the top of the don't come box for the puck that is off.
_PUCK_ROOM = 2 * PUCK_RADIUS + 6


class StackPlaces:
    """The positions of each player's stacks in the zones (printed parts) of a felt.

    `up` has, for each wager, the rail positions of the players who bet on it. Chips are as large as
    possible without touching another player's or leaving their zone.
    """

    def __init__(
        self, measures: FeltMeasures, zones: Iterable[Zone], up: Mapping[str, Collection[int]]
    ) -> None:
        self.measures = measures
        self.places_by_wager = up
        self.occupied_places = tuple(sorted({place for places in up.values() for place in places}))
        self._zones: dict[tuple[str, str], Zone] = {}
        for zone in zones:
            for slug in zone.slugs:
                self._zones.setdefault((slug, zone.end), zone)
        self._fits: dict[str, tuple[float, dict[int, Point]]] = {}
        self._strip = self._find_strip_size()

    def zone(self, spot: Spot, place: int) -> Zone | None:
        """Return the zone of a wager for the player at rail position `place`.

        Return None if the felt has no zone for it.
        """
        end = self.measures.find_end(place).name
        return self._zones.get((spot.slug, end)) or self._zones.get((spot.slug, CENTER))

    def find_point(self, spot: Spot, place: int, moved: bool = False) -> Point:
        """Return the center of the stack for a wager of the player at rail position `place`.

        With `moved`, a fire wager has been moved to its spot in front of the boxperson.
        """
        area, end = self.measures.area_by_wager[spot.slug], self.measures.find_end(place)
        if area in _LINE_AREAS:
            return self._find_line_point(area, end, place)
        if area == "dont-come":
            return self._find_dont_come_point(end, place)
        if area in ("behind", "behind-odds"):
            return self._find_point_behind(end, spot.number, place)
        if area in ("box", "box-odds"):
            box = self.measures.find_number_strip(end, spot.number, "box")
            return _find_share(self.measures, end, box, place)
        if area == "place":
            return self._find_place_line_point(end, spot.number, place)
        if area == "fire":
            place = place or self.measures.places
            before_box = dict(list_fire_spots_before_box(self.measures)) if moved else {}
            return before_box.get(place) or find_fire_spot(self.measures, place)
        zone = self.zone(spot, place)
        if zone is None or area == "circles":
            return self._find_circle_point(place)
        return self._fit_zone(zone)[1][place]

    def find_chip_size(self, spot: Spot, place: int) -> float:
        """Return the diameter of a wager's chips for the player at rail position `place`."""
        area = self.measures.area_by_wager[spot.slug]
        if area in COLUMN_AREAS:
            return _DEALERS_CHIP if place == DEALERS_PLACE else self._strip
        zone = self.zone(spot, place)
        if zone is None or area == "circles":
            return _CIRCLE_CHIP
        if area in _LINE_AREAS or area == "fire":
            return LARGEST_CHIP
        if area == "dont-come":
            end = self.measures.ends[0]
            high = find_dont_come_box(self.measures, end).height - _PUCK_ROOM
            return min(LARGEST_CHIP, round(high / end.columns - CHIP_GAP, 2))
        return self._fit_zone(zone)[0]

    def _find_strip_size(self) -> float:
        """Return the chip diameter with which the bets in a number column fit side by side."""
        most = LARGEST_CHIP
        for end in self.measures.ends:
            here = [
                self.measures.find_share(p)
                for p in self.occupied_places
                if end.first <= p <= end.last
            ]
            for one, two in combinations(here, 2):
                steps = abs(one.column - two.column)
                if one.row == two.row and steps:
                    near = min(steps, end.columns - steps)
                    most = min(most, near * self.measures.slot - CHIP_GAP)
        return round(most, 2)

    def _fit_zone(self, zone: Zone) -> tuple[float, dict[int, Point]]:
        """Return (chip diameter, point by rail position) for the largest chips that fit a zone."""
        if zone.id not in self._fits:
            there = {place for slug in zone.slugs for place in self.places_by_wager.get(slug, ())}
            if zone.end != CENTER:
                there = {p for p in there if self.measures.find_end(p).name == zone.end}
            box = zone.shape.bounding_box
            raw = {p: self._find_zone_point(zone, p) for p in sorted(there)}
            size = min(LARGEST_CHIP, box.height - 1, box.width - 1)
            points = _keep_in_box(box, raw, size)
            while size > 2 and _find_closest(points.values()) < size + CHIP_GAP / 2:
                size *= 0.95
                points = _keep_in_box(box, raw, size)
            self._fits[zone.id] = round(size, 2), points
        return self._fits[zone.id]

    def _find_line_point(self, area: FeltArea, end: EndFrame, place: int) -> Point:
        measures = self.measures
        out, (up, down) = measures.boxes + measures.outer, measures.rows["pass"]
        if area == "pass":
            return measures.find_line_point(place, out + LINE_WIDTH / 2, (up + down) / 2)
        if area == "pass-odds":
            beside = LARGEST_CHIP / 2 + 3
            return measures.find_line_point(place, out + LINE_WIDTH + beside, down + beside)
        top, bottom = measures.rows["dont-pass"]
        out = measures.boxes + measures.beside + (measures.outer - measures.beside) * 0.68
        flat = measures.find_line_point(place, out, (top + bottom) / 2 + 7)
        if area == "dont-pass":
            return flat
        return flat.toward(measures.find_base_dealer(end), LARGEST_CHIP * BESIDE_SHIFT)

    def _find_dont_come_point(self, end: EndFrame, place: int) -> Point:
        """Return the point of the player at rail position `place` in the don't come box of an end.

        Players around the end of the table have the outer half, the others the inner half.
        """
        box = find_dont_come_box(self.measures, end)
        seat = self.measures.find_share(place)
        high = (box.height - _PUCK_ROOM) / end.columns
        out = 0.5 if place == DEALERS_PLACE else 0.27 if seat.row else 0.73
        down = box.top + _PUCK_ROOM + (seat.column + 0.5) * high
        return make_point(end.x_in(box, box.width * out), down)

    def _find_point_behind(self, end: EndFrame, number: int, place: int) -> Point:
        """Return the point of the player at rail position `place` behind a number.

        It leaves space for odds heeled on the flat wager.
        """
        if place == DEALERS_PLACE:
            head = self.measures.find_number_strip(end, number, "head")
            return make_point(end.x_in(head, head.width * 0.82), head.center.y)
        box, slot = self.measures.find_number_strip(end, number, "behind"), self.measures.slot
        seat = self.measures.find_share(place)
        column, over = divmod(int(seat.column), 2)
        row = seat.row * 2 + over
        x = end.x_in(box, column * 2 * slot + slot / 2)
        return make_point(x, box.top + (row + 0.5) * box.height / 4)

    def _find_place_line_point(self, end: EndFrame, number: int, place: int) -> Point:
        """Return the point of the player at rail position `place` on a place line of a number.

        Players on the stick's side have the front line, those around the end of the table the back
        line.
        """
        seat = self.measures.find_share(place)
        line = self.measures.find_number_strip(end, number, "front" if seat.row else "back")
        x = end.x_in(line, (seat.column + 0.5) * self.measures.slot)
        return make_point(x, line.bottom if place == DEALERS_PLACE else line.center.y)

    def _find_circle_point(self, place: int) -> Point:
        props = find_center_strip(self.measures, "props")
        end = self.measures.find_end(place)
        x = props.right - 17 if end.direction == 1 else props.left + 17
        row = 0 if place == DEALERS_PLACE else end.count_from_dealer(place) - 0.5
        return make_point(x, props.top + row * props.height / end.count)

    def _find_zone_point(self, zone: Zone, place: int) -> Point:
        end, box = self.measures.find_end(place), zone.shape.bounding_box
        if zone.end == CENTER and len(self.measures.ends) > 1:
            if place == DEALERS_PLACE:
                return box.center
            inner = {"left" if end.direction == 1 else "right": box.center.x}
            box = box._replace(**inner)
        return _find_share(self.measures, end, box, place)


_LINE_AREAS: tuple[FeltArea, ...] = ("pass", "pass-odds", "dont-pass", "dont-pass-odds")


def _find_share(measures: FeltMeasures, end: EndFrame, box: Rectangle, place: int) -> Point:
    """Return the center of a player's part of a box. `place` is the player's rail position."""
    seat = measures.find_share(place)
    x = end.x_in(box, (seat.column + 0.5) * (box.width / end.columns))
    down = 0.5 if place == DEALERS_PLACE else 0.25 + 0.5 * seat.row
    return make_point(x, box.top + down * box.height)


def _keep_in_box(box: Rectangle, points: Mapping[int, Point], size: float) -> dict[int, Point]:
    """Return the points by rail position, moved so that chips `size` wide stay in the box."""
    edge = size / 2 + 0.4
    return {
        place: make_point(
            min(max(point.x, box.left + edge), box.right - edge),
            min(max(point.y, box.top + edge), box.bottom - edge),
        )
        for place, point in points.items()
    }


def _find_closest(points: Iterable[Point]) -> float:
    """Return the smallest distance between any two points; infinity if there are fewer than two."""
    return min((one.distance_to(two) for one, two in combinations(points, 2)), default=inf)
