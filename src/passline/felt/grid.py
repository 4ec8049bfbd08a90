"""The felt as a grid of targets: each wager once, where a finger or a pointer finds it.

One end and the center. A zone that only one wager has is that wager's; what shares a number's
column has a part of the column, in the order of the strips from the dealer's side; anything else
that shares a zone has a part of it, side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from passline.felt.plan import Cell, FeltPlan
from passline.felt.shapes import Rectangle, rectangle
from passline.felt.zones import CENTER, Zone

#: The strips of a number's column from the dealer's side, and what each takes of its height.
_STRIPS: tuple[tuple[tuple[str, ...], float], ...] = (
    (("behind", "behind-odds"), 0.37),
    (("place",), 0.25),
    (("box",), 0.2),
    (("box-odds",), 0.18),
)


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A wager's target: its name and what it pays, the number it is on (0: none), and the box."""

    slug: str
    name: str
    number: int
    kind: str
    pays: tuple[str, ...]
    x: float
    y: float
    w: float
    h: float


class Row(msgspec.Struct, frozen=True):
    """Targets that are read one after the other."""

    name: str
    cells: tuple[Target, ...]


def grid_of(plan: FeltPlan, end: str, place: int = 0) -> tuple[Row, ...]:
    """The rows of one end and the center; ``place``: whose circles of the center they are."""
    zones = {zone.id: zone for zone in plan.zones if zone.end in (end, CENTER)}
    own = [cell for cell in plan.cells if cell.end == end]
    numbers = sorted({cell.number for cell in own if _in_column(cell)})
    rows = [Row("Line and field", tuple(_flat(plan, zones, own)))]
    rows += [Row(f"Number {n}", tuple(_column(zones, own, n))) for n in numbers]
    center = [cell for cell in plan.cells if cell.end == CENTER]
    rows.append(Row("Center", tuple(_center(zones, center, place))))
    return tuple(row for row in rows if row.cells)


def _in_column(cell: Cell) -> bool:
    """Whether a wager lies in the column of its number."""
    return bool(cell.number) and any(cell.area in areas for areas, _ in _STRIPS)


def _target(cell: Cell, box: Rectangle) -> Target:
    return Target(
        slug=cell.slug,
        name=cell.name,
        number=cell.number,
        kind=cell.area,
        pays=cell.pays,
        x=box.left,
        y=box.top,
        w=box.width,
        h=box.height,
    )


def _flat(plan: FeltPlan, zones: dict[str, Zone], own: Sequence[Cell]) -> Iterator[Target]:
    """What lies in no number's column: lines, their odds, the field, a big six and eight."""
    flat = [cell for cell in own if not _in_column(cell)]
    for cell in flat:
        zone = zones[cell.zones[0]]
        sharing = [other for other in flat if zone.id in other.zones]
        yield _target(cell, _part(_free(zone, zones.values()), sharing.index(cell), len(sharing)))


def _free(zone: Zone, zones: Iterable[Zone]) -> Rectangle:
    """The strip of a zone nearest to the player: what lies within its arms is not its own."""
    box = zone.shape.box
    top = box.top
    for other in zones:
        inner = other.shape.box
        within = inner.left >= box.left and inner.right <= box.right and inner.top >= box.top
        if other is not zone and within and inner.bottom < box.bottom:
            top = max(top, inner.bottom)
    return rectangle(box.left, top, box.right, box.bottom)


def _part(box: Rectangle, index: int, many: int) -> Rectangle:
    width = box.width / many
    return rectangle(box.left + index * width, box.top, box.left + (index + 1) * width, box.bottom)


def _column(zones: dict[str, Zone], own: Sequence[Cell], number: int) -> Iterator[Target]:
    cells = [cell for cell in own if cell.number == number and _in_column(cell)]
    boxes = [zones[id_].shape.box for cell in cells for id_ in cell.zones]
    left, right = min(box.left for box in boxes), max(box.right for box in boxes)
    top, bottom = min(box.top for box in boxes), max(box.bottom for box in boxes)
    strips = [([c for c in cells if c.area in areas], part) for areas, part in _STRIPS]
    strips = [(some, part) for some, part in strips if some]
    whole = (bottom - top) / sum(part for _, part in strips)
    for some, part in strips:
        high = part * whole
        lines = [some[:2], some[2:]] if len(some) > 3 else [some]
        for line in lines:
            below = top + high / len(lines)
            strip = rectangle(left, top, right, below)
            for index, cell in enumerate(line):
                yield _target(cell, _part(strip, index, len(line)))
            top = below


def _center(zones: dict[str, Zone], cells: Sequence[Cell], place: int) -> Iterator[Target]:
    for cell in cells:
        ids = cell.zones
        mine = ids[(place - 1) % len(ids)] if place and len(ids) > 1 else ids[0]
        zone = zones[mine]
        sharing = [other for other in cells if mine in other.zones]
        yield _target(cell, _part(zone.shape.box, sharing.index(cell), len(sharing)))
