"""Where a player's chips lie within a zone: each in a place that mirrors where he stands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from math import inf

from passline.felt.areas import STRIPS, FeltArea, area_of
from passline.felt.center import strip
from passline.felt.end_zones import dont_come_box
from passline.felt.measures import APRON, DEALERS_PLACE, GAP, LINE, TOP, EndFrame, Measures
from passline.felt.shapes import Point, Rectangle, at, rectangle
from passline.felt.side_bets import fire_before_box, fire_spot
from passline.felt.zones import CENTER, Zone
from passline.layout import Spot

#: No chip is drawn larger, however few players there are; nor one of the dealers' in a box.
LARGEST = 16.0
_DEALERS = 8.0
_CIRCLED = 12.0
#: How far the puck reaches from its middle, and a marker, which is wider than any chip.
PUCK = 11.0
MARKER = LARGEST / 2 + 1
#: How far beside its flat a heeled stack lies, of the width of its chips.
BESIDE = 0.82
#: Room at the top of the don't come box for the puck that is off.
_PUCK_ROOM = 2 * PUCK + 6


class Places:
    """The places of a felt's zones for the players that are there.

    ``up`` are the places of those who have each wager up; ``taken`` all places. Chips are as large
    as they can be without two players' touching, and never leave their zone.
    """

    def __init__(
        self, measures: Measures, zones: Iterable[Zone], up: Mapping[str, Collection[int]]
    ) -> None:
        self.m = measures
        self.up = up
        self.taken = tuple(sorted({place for places in up.values() for place in places}))
        self._zones: dict[tuple[str, str], Zone] = {}
        for zone in zones:
            for slug in zone.slugs:
                self._zones.setdefault((slug, zone.end), zone)
        self._fits: dict[str, tuple[float, dict[int, Point]]] = {}
        self._strip = self._strip_size()

    def zone(self, spot: Spot, place: int) -> Zone | None:
        """A zone in which a player's wager lies; None: the layout has no spot for it."""
        end = self.m.frame(place).name
        return self._zones.get((spot.slug, end)) or self._zones.get((spot.slug, CENTER))

    def at(self, spot: Spot, place: int, moved: bool = False) -> Point:
        """Where the middle of a player's wager lies; ``moved``: a fire wager before the box."""
        area = area_of(self.m.layout, spot)
        end = self.m.frame(place)
        if area in _ON_LINES:
            return self._on_line(area, end, place)
        if area == "dont-come":
            return self._in_dont_come(end, place)
        if area in ("behind", "behind-odds"):
            return self._behind(end, spot.number, place)
        if area in ("box", "box-odds"):
            return _share(self.m, end, self.m.column_of(end, spot.number, "box"), place)
        if area == "place":
            return self._on_place_line(end, spot.number, place)
        if area == "fire":
            return self._fire(place, moved)
        zone = self.zone(spot, place)
        if zone is None or area == "circles":
            return self._circles(place)
        return self._fitted(zone)[1][place]

    def size(self, spot: Spot, place: int) -> float:
        """How large the chips of a wager are."""
        area = area_of(self.m.layout, spot)
        if area in STRIPS:
            return _DEALERS if place == DEALERS_PLACE else self._strip
        zone = self.zone(spot, place)
        if zone is None or area == "circles":
            return _CIRCLED
        if area in _ON_LINES or area == "fire":
            return LARGEST
        if area == "dont-come":
            box, columns = dont_come_box(self.m, self.m.ends[0]), self.m.ends[0].columns
            return min(LARGEST, round((box.height - _PUCK_ROOM) / columns - GAP, 2))
        return self._fitted(zone)[0]

    def _strip_size(self) -> float:
        """What the places that are taken allow in a number's column, and in the one beside it."""
        most = LARGEST
        for end in self.m.ends:
            here = [self.m.seat(p) for p in self.taken if end.first <= p <= end.last]
            for one in here:
                for two in here:
                    steps = abs(one.column - two.column)
                    if one.row == two.row and steps:
                        near = min(steps, end.columns - steps)
                        most = min(most, near * self.m.slot - GAP)
        return round(most, 2)

    def _fitted(self, zone: Zone) -> tuple[float, dict[int, Point]]:
        """The largest chips that this zone holds for those who have something there."""
        if zone.id not in self._fits:
            there = {place for slug in zone.slugs for place in self.up.get(slug, ())}
            if zone.end != CENTER:
                there = {p for p in there if self.m.frame(p).name == zone.end}
            box = zone.shape.box
            raw = {p: self._in_zone(zone, self.m.frame(p), p) for p in sorted(there)}
            size = min(LARGEST, box.height - 1, box.width - 1)
            points = _kept_in(box, raw, size)
            while size > 2 and _closest(points.values()) < size + GAP / 2:
                size *= 0.95
                points = _kept_in(box, raw, size)
            self._fits[zone.id] = round(size, 2), points
        return self._fits[zone.id]

    def _on_line(self, area: FeltArea, end: EndFrame, place: int) -> Point:
        m = self.m
        out, (up, down) = m.boxes + m.outer, m.rows["pass"]
        if area == "pass":
            return m.on_line(place, out + LINE / 2, (up + down) / 2)
        if area == "pass-odds":
            return m.on_line(place, out + LINE + LARGEST / 2 + 3, down + LARGEST / 2 + 3)
        top, bottom = m.rows["dont-pass"]
        out = m.boxes + m.beside + (m.outer - m.beside) * 0.68
        flat = m.on_line(place, out, (top + bottom) / 2 + 7)
        if area == "dont-pass":
            return flat
        return flat.toward(m.base_dealer(end), LARGEST * BESIDE)

    def _in_dont_come(self, end: EndFrame, place: int) -> Point:
        """Those round the end in the outer half, the others in the inner one."""
        box = dont_come_box(self.m, end)
        seat = self.m.seat(place)
        high = (box.height - _PUCK_ROOM) / end.columns
        out = 0.27 if seat.row else 0.73
        if place == DEALERS_PLACE:
            out = 0.5
        inner = box.left if end.way == 1 else box.right
        return at(
            inner + end.way * box.width * out, box.top + _PUCK_ROOM + (seat.column + 0.5) * high
        )

    def _behind(self, end: EndFrame, number: int, place: int) -> Point:
        """Two columns share one: a flat and, farther from the box, what is heeled on it."""
        box = self.m.column_of(end, number, "behind")
        if place == DEALERS_PLACE:
            head = self.m.column_of(end, number, "head")
            return at(_inner(head, end) + end.way * head.width * 0.82, head.center.y)
        seat = self.m.seat(place)
        column, over = divmod(int(seat.column), 2)
        row = seat.row * 2 + over
        x = _inner(box, end) + end.way * (column * 2 * self.m.slot + self.m.slot / 2)
        return at(x, box.top + (row + 0.5) * box.height / 4)

    def _on_place_line(self, end: EndFrame, number: int, place: int) -> Point:
        """Along the stick's side on the front line, round the end on the back one."""
        seat = self.m.seat(place)
        line = self.m.column_of(end, number, "front" if seat.row else "back")
        x = _inner(line, end) + end.way * (seat.column + 0.5) * self.m.slot
        return at(x, line.bottom if place == DEALERS_PLACE else line.center.y)

    def _fire(self, place: int, moved: bool) -> Point:
        place = place or self.m.places
        return dict(fire_before_box(self.m))[place] if moved else fire_spot(self.m, place)

    def _circles(self, place: int) -> Point:
        props = strip(self.m, "props")
        end = self.m.frame(place)
        x = props.right - 17 if end.way == 1 else props.left + 17
        if place == DEALERS_PLACE:
            return at(x, props.top)
        return at(x, props.top + (end.turn(place) - 0.5) * props.height / end.count)

    def _in_zone(self, zone: Zone, end: EndFrame, place: int) -> Point:
        box = zone.shape.box
        if zone.end == CENTER and len(self.m.ends) > 1:
            middle = box.center.x
            right = end.way == 1
            box = rectangle(
                middle if right else box.left, box.top, box.right if right else middle, box.bottom
            )
            if place == DEALERS_PLACE:
                return zone.shape.box.center
        return _share(self.m, end, box, place)


_ON_LINES: tuple[FeltArea, ...] = ("pass", "pass-odds", "dont-pass", "dont-pass-odds")


def _inner(box: Rectangle, end: EndFrame) -> float:
    """The side of a box that is nearer the center."""
    return box.left if end.way == 1 else box.right


def _share(m: Measures, end: EndFrame, box: Rectangle, place: int) -> Point:
    """A player's share of a box: columns from the center outwards, the end's players behind."""
    seat = m.seat(place)
    wide = box.width / end.columns
    x = _inner(box, end) + end.way * (seat.column + 0.5) * wide
    down = 0.5 if place == DEALERS_PLACE else 0.25 + 0.5 * seat.row
    return at(x, box.top + down * box.height)


def _kept_in(box: Rectangle, points: Mapping[int, Point], size: float) -> dict[int, Point]:
    """These points, moved so far that chips of a size around them stay in the box."""
    edge = size / 2 + 0.4
    return {
        place: at(
            min(max(point.x, box.left + edge), box.right - edge),
            min(max(point.y, box.top + edge), box.bottom - edge),
        )
        for place, point in points.items()
    }


def _closest(points: Iterable[Point]) -> float:
    """The least distance between two of these."""
    return min((one.far_from(two) for one, two in combinations(points, 2)), default=inf)


def plate_at(m: Measures, place: int) -> tuple[Point, int]:
    """Where a player's name stands on the rail, and how it is turned."""
    end = m.frame(place)
    out = m.boxes + m.outer + LINE + APRON + 24
    spot = m.on_line(place, out, m.height + 24)
    return spot, 0 if end.seat(place).row else 90 * end.way


def plate_room(m: Measures, place: int) -> float:
    """How far it is to the next player's name."""
    end = m.frame(place)
    beside = [p for p in (place - 1, place + 1) if end.first <= p <= end.last]
    near = [p for p in beside if m.seat(p).row == m.seat(place).row]
    here, _ = plate_at(m, place)
    return round(min((here.far_from(plate_at(m, p)[0]) for p in near), default=100.0), 1)


def puck_at(m: Measures, end: EndFrame, number: int) -> Point:
    """The puck: on the number's box, or off in the don't come box (where there is none: above
    the line beside the numbers)."""
    if number:
        return m.column_of(end, number, "head").center
    box = dont_come_box(m, end)
    return at(box.center.x, TOP + PUCK + 4)


def marker_at(m: Measures, end: EndFrame, number: int, out: bool) -> Point:
    """A marker beside the puck at the head of a number: inside, or outside it."""
    head = m.column_of(end, number, "head")
    part = 0.17 if not out else 0.83
    return at(_inner(head, end) + end.way * head.width * part, head.center.y)
