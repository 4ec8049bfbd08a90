"""The felt as click targets: one for each wager of one end and of the center.

A target is a rectangle over what is printed for its wager. Where the printed area is larger (a line
that turns the corner, the circles of all seat positions), its outlines belong to the target too.
Several wagers may share a printed area, such as all those on a number: then the page offers one of
them at a time, and the whole area is its target. Each of them also has a share of the area, between
which the arrow keys move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from passline.felt.geometry import Point, Rectangle, enclose
from passline.felt.layout_zones import CENTER, Zone
from passline.felt.plan import Cell, FeltPlan

#: The strips of a number's column from the dealer's side, with their shares of its height.
_COLUMN_STRIPS: tuple[tuple[tuple[str, ...], float], ...] = (
    (("behind", "behind-odds"), 0.37),
    (("place",), 0.25),
    (("box",), 0.2),
    (("box-odds",), 0.18),
)
#: The zones of a number's column behind which, or in which, its wagers are put.
_BEHIND_ZONES, _BOX_ZONES = ("behind",), ("back", "box", "front")
#: The number of corners of a zone without a bend.
_RECTANGLE_CORNERS = 4

#: The smallest side of a target, in felt units.
FINGER_SIZE = 30.0


class TargetBox(msgspec.Struct, frozen=True):
    """A rectangle of the felt: the left and top edges, the width and the height."""

    x: float
    y: float
    w: float
    h: float


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """The click target of one wager: its name, what it pays, its number (or 0), and where it is.

    `box` is the target's rectangle; a player's chips go to its center. `outlines` are further
    printed areas that belong to the target. `area` names the printed area; the page offers one of
    the wagers with the same area at a time. `share` is the wager's part of the area. `bet_as` is
    the option in the page's `Bet as` control that selects this wager, or empty.
    """

    slug: str
    name: str
    number: int
    kind: str
    pays: tuple[str, ...]
    area: str
    box: TargetBox
    share: TargetBox
    outlines: tuple[tuple[Point, ...], ...] = ()
    bet_as: str = ""


class TargetRow(msgspec.Struct, frozen=True):
    """A named row of click targets, which a screen reader reads one after the other."""

    name: str
    cells: tuple[Target, ...]


def list_target_rows(plan: FeltPlan, end: str, place: int = 0) -> tuple[TargetRow, ...]:
    """Return the click targets of ``end`` ("left" or "right") and of the center, row by row.

    `place` is the player's rail position, whose circle and fire spot become targets; 0 if none.
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
    area: str,
    box: Rectangle,
    share: Rectangle | None = None,
    outlines: Iterable[tuple[Point, ...]] = (),
) -> Target:
    return Target(
        slug=cell.slug,
        name=cell.name,
        number=cell.number,
        kind=cell.area,
        pays=cell.pays,
        area=area,
        box=_make_box(box),
        share=_make_box(share or box),
        outlines=tuple(outlines),
        bet_as=cell.bet_as,
    )


def _make_box(box: Rectangle) -> TargetBox:
    return TargetBox(x=box.left, y=box.top, w=round(box.width, 2), h=round(box.height, 2))


def _list_flat_targets(zones: dict[str, Zone], own: Sequence[Cell], place: int) -> Iterator[Target]:
    """Yield the targets outside the number columns: lines, their odds, the field, big 6 and 8.

    `own` are the cells of the end, and `place` is the player's rail position.
    """
    flat = [cell for cell in own if not _is_in_column(cell)]
    for cell in flat:
        zone = zones[_find_zone_id(cell, place)]
        sharing = [other for other in flat if zone.id in other.zones]
        bent = len(zone.shape.points) > _RECTANGLE_CORNERS
        box = _find_straight_part(zone, zones.values()) if bent else _find_painted_box(zone)
        outlines = (zone.shape.round_off(),) if bent else _list_other_spots(zones, cell, zone)
        share = box.parts(len(sharing))[sharing.index(cell)]
        yield _make_target(cell, zone.id, box, share, outlines)


def _list_other_spots(
    zones: dict[str, Zone], cell: Cell, own: Zone
) -> tuple[tuple[Point, ...], ...]:
    """Return the outlines of a wager's zones other than `own`, at other players' positions.

    A click there bets on the player's own spot.
    """
    return tuple(zones[id_].shape.round_off() for id_ in cell.zones if zones[id_] is not own)


def _find_painted_box(zone: Zone) -> Rectangle:
    """Return the rectangle around a zone. That of a player's own spot is at least a finger wide."""
    box = zone.shape.bounding_box
    if not zone.place:
        return box
    out, down = (max(0.0, FINGER_SIZE - size) / 2 for size in (box.width, box.height))
    return box.grown(out, down)


def _find_straight_part(zone: Zone, zones: Iterable[Zone]) -> Rectangle:
    """Return the straight part of a line's zone: along the bottom of the felt, up to the bend.

    `zones` are those of the same end; the ones above the line show where it begins.
    """
    box = zone.shape.bounding_box
    top = box.top
    for other in zones:
        inner = other.shape.bounding_box
        within = inner.left >= box.left and inner.right <= box.right and inner.top >= box.top
        if other is not zone and not other.place and within and inner.bottom < box.bottom:
            top = max(top, inner.bottom)
    bend = max(zone.shape.corners)
    corner = zone.shape.points[zone.shape.corners.index(bend)]
    if corner.x == box.left:
        return box._replace(top=top, left=box.left + bend)
    return box._replace(top=top, right=box.right - bend)


def _find_zone_id(cell: Cell, place: int) -> str:
    """Return the id of a wager's zone.

    Circles and fire spots have a zone for each player: return that of rail position `place`.
    """
    ids = cell.zones
    return ids[(place - 1) % len(ids)] if place else ids[0]


def _list_column_targets(
    zones: dict[str, Zone], own: Sequence[Cell], number: int
) -> Iterator[Target]:
    """Yield the targets on a number, from the dealer's side. The whole column is their area.

    `own` are the wagers of the end, as cells.
    """
    cells = [cell for cell in own if cell.number == number and _is_in_column(cell)]
    column = [zone for zone in zones.values() if zone.number == number and not zone.place]
    column = [zone for zone in column if zone.kind in ("head", *_BEHIND_ZONES, *_BOX_ZONES)]
    whole = enclose([zone.shape.bounding_box for zone in column])
    for cell, share in _share_column(cells, whole):
        kinds = _BEHIND_ZONES if cell.area in ("behind", "behind-odds") else _BOX_ZONES
        box = enclose([zone.shape.bounding_box for zone in column if zone.kind in kinds])
        yield _make_target(cell, f"number-{number}", box, share, (whole.outline().points,))


def _share_column(cells: Sequence[Cell], whole: Rectangle) -> Iterator[tuple[Cell, Rectangle]]:
    """Yield (wager, its part of the column `whole`) for the wagers on a number.

    The order is from the dealer's side to the players'.
    """
    each = max(1, int(whole.width / FINGER_SIZE))
    lines: list[tuple[list[Cell], float]] = []
    for areas, part in _COLUMN_STRIPS:
        some = [cell for cell in cells if cell.area in areas]
        cut = [some[at : at + each] for at in range(0, len(some), each)]
        lines += [(line, part / len(cut)) for line in cut]
    for (line, _), row in zip(lines, whole.rows(part for _, part in lines), strict=True):
        yield from zip(line, row.columns(len(line)), strict=True)


def _list_center_targets(
    zones: dict[str, Zone], cells: Sequence[Cell], place: int
) -> Iterator[Target]:
    """Yield the targets of the center; `place` is the player's rail position.

    The circles of all positions belong to one target. A horn high has its part of the box of its
    number, where its name is printed. The spots of one side wager, for how far it has come, all
    have its whole box; the page offers one at a time.
    """
    for cell in cells:
        zone = zones[_find_zone_id(cell, place)]
        sharing = [other for other in cells if zone.id in other.zones]
        whole = _find_painted_box(zone)
        share = whole.parts(len(sharing))[sharing.index(cell)]
        staged = cell.area == "bonus"
        area, box = (zone.id, whole) if staged else (cell.slug, share)
        yield _make_target(cell, area, box, share, _list_other_spots(zones, cell, zone))
