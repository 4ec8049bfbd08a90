"""Points, boxes and outlines in felt units: a hundred to the foot, y from the box to the stick."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec


class Point(NamedTuple):
    """A point of the picture: x from left to right, y from the box down to the stick."""

    x: float
    y: float

    def moved(self, dx: float, dy: float) -> Point:
        """The point so far away."""
        return make_point(self.x + dx, self.y + dy)

    def distance_to(self, other: Point) -> float:
        """How far it is to another point."""
        return float(((self.x - other.x) ** 2 + (self.y - other.y) ** 2) ** 0.5)

    def toward(self, other: Point, by: float) -> Point:
        """The point so far on the way to another."""
        away = self.distance_to(other) or 1.0
        return self.moved((other.x - self.x) / away * by, (other.y - self.y) / away * by)


def make_point(x: float, y: float) -> Point:
    """A point, to the hundredth of a unit."""
    return Point(round(x, 2), round(y, 2))


class Rectangle(NamedTuple):
    """An upright rectangle by two of its corners."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    @property
    def center(self) -> Point:
        """The point in the middle."""
        return make_point((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    def holds(self, point: Point) -> bool:
        """Whether a point lies in it."""
        return self.left <= point.x <= self.right and self.top <= point.y <= self.bottom

    def outline(self, *corners: float) -> Shape:
        """Itself as an outline; ``corners``: the radius of each, clockwise from the top left."""
        points = (
            make_point(self.left, self.top),
            make_point(self.right, self.top),
            make_point(self.right, self.bottom),
            make_point(self.left, self.bottom),
        )
        return Shape(points, corners)

    def rows(self, heights: Iterable[float]) -> list[Rectangle]:
        """Cut across into rows whose heights are in these proportions."""
        parts = list(heights)
        scale, top, found = self.height / sum(parts), self.top, []
        for part in parts:
            found.append(make_rectangle(self.left, top, self.right, top + part * scale))
            top += part * scale
        return found

    def columns(self, count: int) -> list[Rectangle]:
        """Cut down into columns of one width."""
        wide = self.width / count
        return [
            make_rectangle(self.left + wide * n, self.top, self.left + wide * (n + 1), self.bottom)
            for n in range(count)
        ]


def make_rectangle(left: float, top: float, right: float, bottom: float) -> Rectangle:
    """The rectangle between these."""
    return Rectangle(left=left, top=top, right=right, bottom=bottom)


def enclose(boxes: Sequence[Rectangle]) -> Rectangle:
    """The least rectangle that holds all of them."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return make_rectangle(min(lefts), min(tops), max(rights), max(bottoms))


class Shape(msgspec.Struct, frozen=True):
    """An outline: its corners in order, and by how much each is rounded (nothing: all square)."""

    points: tuple[Point, ...]
    corners: tuple[float, ...] = ()

    @property
    def box(self) -> Rectangle:
        """The smallest box around it."""
        xs, ys = [point.x for point in self.points], [point.y for point in self.points]
        return make_rectangle(min(xs), min(ys), max(xs), max(ys))

    def holds(self, point: Point) -> bool:
        """Whether a point lies inside the outline, its corners taken as square.

        >>> make_rectangle(0, 0, 10, 10).outline().holds(Point(3, 4))
        True
        """
        inside = False
        for one, two in zip(self.points, (*self.points[1:], self.points[0]), strict=True):
            if (one.y > point.y) != (two.y > point.y):
                cross = (two.x - one.x) * (point.y - one.y) / (two.y - one.y) + one.x
                inside ^= point.x < cross
        return inside


def make_bend(
    end: Rectangle, inner: Rectangle, left_out: bool, outer: float, inside: float
) -> Shape:
    """An L along the bottom and the outer side: what of ``end`` is not ``inner``.

    ``left_out``: the outer side is the picture's left; ``outer`` and ``inside`` round the bend.
    """
    if left_out:
        points = (
            make_point(end.left, end.top),
            make_point(inner.left, end.top),
            make_point(inner.left, inner.bottom),
            make_point(end.right, inner.bottom),
            make_point(end.right, end.bottom),
            make_point(end.left, end.bottom),
        )
        return Shape(points, (0, 0, inside, 0, 0, outer))
    points = (
        make_point(inner.right, end.top),
        make_point(end.right, end.top),
        make_point(end.right, end.bottom),
        make_point(end.left, end.bottom),
        make_point(end.left, inner.bottom),
        make_point(inner.right, inner.bottom),
    )
    return Shape(points, (0, 0, outer, 0, 0, inside))
