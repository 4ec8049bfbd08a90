"""The felt as click targets: one rectangle per wager, for a finger or a pointer.

The targets are those of one end and the center. A zone with a single wager is that wager's target.
Wagers in a number's column share the column, in the order of its strips from the dealer's side.
Other wagers that share a zone divide it along its longer side. No target is smaller than a finger
if there is room. The rest of a wager's zone (the arm of a line around the end, for example) belongs
to it too, beneath all targets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from passline.felt.layout_zones import CENTER, Zone
from passline.felt.plan import Cell, FeltPlan
from passline.felt.shapes import Rectangle, enclose, make_point, make_rectangle

#: The strips of a number's column from the dealer's side, with their shares of its height.
_COLUMN_STRIPS: tuple[tuple[tuple[str, ...], float], ...] = (
    (("behind", "behind-odds"), 0.37),
    (("place",), 0.25),
    (("box",), 0.2),
    (("box-odds",), 0.18),
)
#: The number of corners of a zone without a bend.
_RECTANGLE_CORNERS = 4

#: The smallest side of a target, in felt units.
FINGER_SIZE = 30.0


class TargetPatch(msgspec.Struct, frozen=True):
    """A further rectangle that belongs to a target."""

    x: float
    y: float
    w: float
    h: float


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """The target of one wager: its name, what it pays, its number (0: none), and its rectangle.

    `bend` has the radii of the lower corners, right and left. `more` are further rectangles of this
    target, beneath all other targets. `beside` is true if the wager is put beside another and has
    no zone of its own. `bet_as` is the option in the page's `Bet as` control that selects this
    wager, or empty.
    """

    slug: str
    name: str
    number: int
    kind: str
    pays: tuple[str, ...]
    x: float
    y: float
    w: float
    h: float
    bend: tuple[float, float] = (0.0, 0.0)
    more: tuple[TargetPatch, ...] = ()
    beside: bool = False
    bet_as: str = ""


class TargetRow(msgspec.Struct, frozen=True):
    """Targets that a screen reader reads one after the other."""

    name: str
    cells: tuple[Target, ...]


def list_target_rows(plan: FeltPlan, end: str, place: int = 0) -> tuple[TargetRow, ...]:
    """Return the targets of one end and the center, row by row.

    `place` is the player's seat position; only that player's circles in the center become targets.
    """
    zones = {zone.id: zone for zone in plan.zones if zone.end in (end, CENTER)}
    own = [cell for cell in plan.cells if cell.end == end]
    numbers = sorted({cell.number for cell in own if _is_in_column(cell)})
    rows = [TargetRow("Line and field", tuple(_list_flat_targets(zones, own, place)))]
    rows += [TargetRow(f"Number {n}", tuple(_list_column_targets(zones, own, n))) for n in numbers]
    center = [cell for cell in plan.cells if cell.end == CENTER]
    rows.append(TargetRow("Center", tuple(_list_center_targets(zones, center, place))))
    return tuple(row for row in rows if row.cells)


def _is_in_column(cell: Cell) -> bool:
    """Return whether a wager is in the column of its number."""
    return bool(cell.number) and any(cell.area in areas for areas, _ in _COLUMN_STRIPS)


def _make_target(
    cell: Cell,
    box: Rectangle,
    more: Iterable[Rectangle] = (),
    bend: tuple[float, float] = (0.0, 0.0),
) -> Target:
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
        bend=bend,
        more=tuple(TargetPatch(part.left, part.top, w=part.width, h=part.height) for part in more),
        beside=cell.beside,
        bet_as=cell.bet_as,
    )


def _list_flat_targets(zones: dict[str, Zone], own: Sequence[Cell], place: int) -> Iterator[Target]:
    """Yield the targets outside the number columns: lines, their odds, the field, big 6 and 8."""
    flat = [cell for cell in own if not _is_in_column(cell)]
    for cell in flat:
        zone = zones[_find_zone_id(cell, place)]
        sharing = [other for other in flat if zone.id in other.zones]
        strip, arm = _split_bent_zone(zone, _find_free_strip(zone, zones.values()))
        index = sharing.index(cell)
        if arm is not None and arm.left > strip.left:  # The flat goes next to the arm.
            index = len(sharing) - 1 - index
        box = _cut_part(strip, index, len(sharing))
        if arm is None or cell.beside:
            yield _make_target(cell, _grow_to_finger(box) if zone.place else box)
        else:
            rest = [_cut_part(strip, n, len(sharing)) for n in range(len(sharing)) if n != index]
            yield _make_target(cell, box, (arm, *rest), _find_corner_radii(zone, box))


def _split_bent_zone(zone: Zone, strip: Rectangle) -> tuple[Rectangle, Rectangle | None]:
    """Return the strip of a zone along the bottom, and the arm around the end of a bent line.

    If the bend is wider than the strip, both stop before it.
    """
    one, two = zone.shape.points[:2]
    if len(zone.shape.points) == _RECTANGLE_CORNERS:
        return strip, None
    arm, bend = make_rectangle(one.x, one.y, two.x, strip.top), max(zone.shape.corners)
    if bend <= strip.height:
        return strip, arm
    if arm.left == strip.left:
        short = strip._replace(left=strip.left + 0.75 * bend)
    else:
        short = strip._replace(right=strip.right - 0.75 * bend)
    return short, arm._replace(top=arm.top + bend / 2, bottom=strip.bottom - bend * 0.9)


def _find_corner_radii(zone: Zone, box: Rectangle) -> tuple[float, float]:
    """Return the radii of the lower corners of a line's part, right and left."""
    round_at = dict(zip(zone.shape.points, zone.shape.corners, strict=True))
    right, left = make_point(box.right, box.bottom), make_point(box.left, box.bottom)
    return round_at.get(right, 0.0), round_at.get(left, 0.0)


def _find_free_strip(zone: Zone, zones: Iterable[Zone]) -> Rectangle:
    """Return the strip of a zone nearest to the player, without the zones inside its arms."""
    box = zone.shape.bounding_box
    top = box.top
    for other in zones:
        inner = other.shape.bounding_box
        within = inner.left >= box.left and inner.right <= box.right and inner.top >= box.top
        if other is not zone and not other.place and within and inner.bottom < box.bottom:
            top = max(top, inner.bottom)
    return box._replace(top=top)


def _find_zone_id(cell: Cell, place: int) -> str:
    """Return the zone of a wager. Circles and fire spots have one for each seat position."""
    ids = cell.zones
    return ids[(place - 1) % len(ids)] if place else ids[0]


def _cut_part(box: Rectangle, index: int, many: int) -> Rectangle:
    """Return one of equal parts of a box, cut across its longer side."""
    if box.height <= box.width:
        return box.columns(many)[index]
    high = box.height / many
    top = box.top + index * high
    return box._replace(top=top, bottom=top + high)


def _list_column_targets(
    zones: dict[str, Zone], own: Sequence[Cell], number: int
) -> Iterator[Target]:
    """Yield the targets on a number from the dealer's side, each fit for a finger if possible."""
    cells = [cell for cell in own if cell.number == number and _is_in_column(cell)]
    boxes = [zones[id_].shape.bounding_box for cell in cells for id_ in cell.zones]
    left, top, right, bottom = enclose(boxes)
    each = max(1, int((right - left) / FINGER_SIZE))
    lines: list[tuple[list[Cell], float]] = []
    for areas, part in _COLUMN_STRIPS:
        some = [cell for cell in cells if cell.area in areas]
        cut = [some[at : at + each] for at in range(0, len(some), each)]
        lines += [(line, part / len(cut)) for line in cut]
    spare = (bottom - top - FINGER_SIZE * len(lines)) / sum(part for _, part in lines)
    for line, part in lines:
        below = top + FINGER_SIZE + part * spare
        row = make_rectangle(left, top, right, below).columns(len(line))
        for cell, box in zip(line, row, strict=True):
            yield _make_target(cell, box, _list_zone_shares(zones, cells, cell))
        top = below


def _list_zone_shares(
    zones: dict[str, Zone], cells: Sequence[Cell], cell: Cell
) -> Iterator[Rectangle]:
    """Yield a wager's share of its zones, or nothing if it is placed with another wager."""
    for id_ in () if cell.beside else cell.zones:
        sharing = [other for other in cells if id_ in other.zones and not other.beside]
        yield zones[id_].shape.bounding_box.columns(len(sharing))[sharing.index(cell)]


def _list_center_targets(
    zones: dict[str, Zone], cells: Sequence[Cell], place: int
) -> Iterator[Target]:
    for cell in cells:
        zone = zones[_find_zone_id(cell, place)]
        sharing = [other for other in cells if zone.id in other.zones]
        box = _cut_part(zone.shape.bounding_box, sharing.index(cell), len(sharing))
        yield _make_target(cell, _grow_to_finger(box) if zone.place else box)


def _grow_to_finger(box: Rectangle) -> Rectangle:
    """Return a player's own spot, enlarged to a finger. Other players' spots are not targets."""
    out, down = (max(0.0, FINGER_SIZE - size) / 2 for size in (box.width, box.height))
    return box.grown(out, down)
