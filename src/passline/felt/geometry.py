"""Points, rectangles and outlines in felt units: 100 per foot.

y grows from the boxperson's side of the table to the stick's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import cos, pi, sin
from typing import NamedTuple

import msgspec


class Point(NamedTuple):
    """A point of the picture: x from left to right, y from the boxperson down to the stick."""

    x: float
    y: float

    def surround(self, across: float, down: float) -> Rectangle:
        """Return the rectangle around the point: `across` to each side, `down` above and below."""
        return make_rectangle(self.x, self.y, self.x, self.y).grown(across, down)

    def shifted(self, dx: float, dy: float) -> Point:
        """Return the point shifted by these distances."""
        return make_point(self.x + dx, self.y + dy)

    def distance_to(self, other: Point) -> float:
        """Return the distance to another point."""
        return float(((self.x - other.x) ** 2 + (self.y - other.y) ** 2) ** 0.5)

    def toward(self, other: Point, by: float) -> Point:
        """Return the point at distance `by` on the way to another point."""
        away = self.distance_to(other) or 1.0
        return self.shifted((other.x - self.x) / away * by, (other.y - self.y) / away * by)


def make_point(x: float, y: float) -> Point:
    """Return a point rounded to a hundredth of a unit."""
    return Point(round(x, 2), round(y, 2))


class Rectangle(NamedTuple):
    """An upright rectangle. y grows downward, so `top` is less than `bottom`."""

    left: float
    top: float
    right: float
    bottom: float

    def grown(self, across: float, down: float) -> Rectangle:
        """Return the rectangle made larger: `across` left and right, `down` above and below."""
        left, top, right, bottom = self
        return make_rectangle(left - across, top - down, right + across, bottom + down)

    @property
    def width(self) -> float:
        """Return the distance from left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Return the distance from top to bottom."""
        return self.bottom - self.top

    @property
    def center(self) -> Point:
        """Return the point in the middle."""
        return make_point((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    def contains(self, point: Point) -> bool:
        """Return whether a point is inside, edges included."""
        return self.left <= point.x <= self.right and self.top <= point.y <= self.bottom

    def outline(self, *corners: float) -> Shape:
        """Return the outline. `corners` are the corner radii, clockwise from the top left."""
        left, top, right, bottom = self
        corner_points = ((left, top), (right, top), (right, bottom), (left, bottom))
        return Shape(tuple(make_point(*point) for point in corner_points), corners)

    def rows(self, heights: Iterable[float]) -> list[Rectangle]:
        """Return the rectangle cut into rows, from the top, with heights in these proportions."""
        parts = list(heights)
        scale, top, found = self.height / sum(parts), self.top, []
        for part in parts:
            found.append(make_rectangle(self.left, top, self.right, top + part * scale))
            top += part * scale
        return found

    def columns(self, count: int) -> list[Rectangle]:
        """Return the rectangle cut into `count` columns of equal width, from the left."""
        wide = self.width / count
        return [
            make_rectangle(self.left + wide * n, self.top, self.left + wide * (n + 1), self.bottom)
            for n in range(count)
        ]

    def parts(self, count: int) -> list[Rectangle]:
        """Return the rectangle cut into `count` equal parts along its longer side."""
        return self.columns(count) if self.height <= self.width else self.rows([1] * count)


def make_rectangle(left: float, top: float, right: float, bottom: float) -> Rectangle:
    """Return the rectangle with these edges."""
    return Rectangle(left=left, top=top, right=right, bottom=bottom)


def enclose(boxes: Sequence[Rectangle]) -> Rectangle:
    """Return the smallest rectangle that contains all of these rectangles."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return make_rectangle(min(lefts), min(tops), max(rights), max(bottoms))


class Shape(msgspec.Struct, frozen=True):
    """An outline: its corner points in order, and the radius of each (missing ones are square)."""

    points: tuple[Point, ...]
    corners: tuple[float, ...] = ()

    @property
    def bounding_box(self) -> Rectangle:
        """Return the smallest rectangle around the outline."""
        xs, ys = [point.x for point in self.points], [point.y for point in self.points]
        return make_rectangle(min(xs), min(ys), max(xs), max(ys))

    def edges(self) -> Iterable[tuple[Point, Point]]:
        """Return (start, end) of each edge, in order; the last one ends at the first point."""
        return zip(self.points, (*self.points[1:], self.points[0]), strict=True)

    def round_off(self) -> tuple[Point, ...]:
        """Return the outline as points, with its round corners as short straight lines.

        >>> len(make_rectangle(0, 0, 10, 10).outline(0, 0, 4, 0).round_off())
        10
        """
        radii = (*self.corners, *[0.0] * (len(self.points) - len(self.corners)))
        found: list[Point] = []
        for index, (corner, radius) in enumerate(zip(self.points, radii, strict=True)):
            before, after = self.points[index - 1], self.points[(index + 1) % len(self.points)]
            found += _round_corner(before, corner, after, radius) if radius else (corner,)
        return tuple(found)

    def contains(self, point: Point) -> bool:
        """Return whether a point is inside the outline, with its corners taken as square.

        >>> make_rectangle(0, 0, 10, 10).outline().contains(Point(3, 4))
        True
        """
        inside = False
        for one, two in self.edges():
            if (one.y > point.y) != (two.y > point.y):
                cross = (two.x - one.x) * (point.y - one.y) / (two.y - one.y) + one.x
                inside ^= point.x < cross
        return inside


#: The straight lines that stand for a round corner.
_CORNER_STEPS = 6


def _round_corner(before: Point, corner: Point, after: Point, radius: float) -> Iterator[Point]:
    """Yield the points of a quarter circle that replaces a right-angled corner."""
    start, stop = corner.toward(before, radius), corner.toward(after, radius)
    for step in range(_CORNER_STEPS + 1):
        angle = pi / 2 * step / _CORNER_STEPS
        to_start, to_stop = 1 - sin(angle), 1 - cos(angle)
        yield corner.shifted(
            (start.x - corner.x) * to_start + (stop.x - corner.x) * to_stop,
            (start.y - corner.y) * to_start + (stop.y - corner.y) * to_stop,
        )


def make_bend(
    end: Rectangle, inner: Rectangle, left_out: bool, outer: float, inside: float
) -> Shape:
    """Return an L-shaped outline along the bottom and the outer side: `end` without `inner`.

    The outer side is the left one with `left_out`, else the right one. `outer` and `inside` are the
    radii of the two corners of the bend.
    """
    left, top, right, bottom = end
    turn, low, foot = inner.left if left_out else inner.right, inner.bottom, (right, bottom)
    if left_out:
        points = ((left, top), (turn, top), (turn, low), (right, low), foot, (left, bottom))
        corners = (0, 0, inside, 0, 0, outer)
    else:
        points = ((turn, top), (right, top), foot, (left, bottom), (left, low), (turn, low))
        corners = (0, 0, outer, 0, 0, inside)
    return Shape(tuple(make_point(*point) for point in points), corners)
