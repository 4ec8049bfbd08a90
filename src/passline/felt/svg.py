"""The felt as SVG: a plan, and what lies on it. No style stands in it that a strict page bars."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache
from importlib import resources
from xml.sax.saxutils import escape, quoteattr

from passline.felt.plan import RAIL, FeltPlan
from passline.felt.shapes import Point, Shape, rectangle
from passline.felt.zones import Fixture, Pips, Print, Zone
from passline.plain import plain

NAMESPACE = "http://www.w3.org/2000/svg"
#: Where the pips of a die stand, in thirds of its face.
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


@cache
def style_sheet() -> str:
    """What the drawing's classes look like, light and dark: for a page to serve as its own."""
    return resources.files("passline.felt").joinpath("felt.css").read_text("utf-8")


def number(value: float) -> str:
    """A measure in as few digits as it needs.

    >>> number(12.50), number(3.0)
    ('12.5', '3')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def tag(name: str, inside: Iterable[str] | str = "", **attributes: object) -> str:
    """An element; ``class_`` is class, ``data_slug`` is data-slug; None leaves one out."""
    words = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_value(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    body = inside if isinstance(inside, str) else "".join(inside)
    return f"<{name}{words}>{body}</{name}>" if body else f"<{name}{words}/>"


def _value(value: object) -> str:
    return number(value) if isinstance(value, int | float) else plain(str(value))


def path(shape: Shape) -> str:
    """An outline as path data, its corners rounded.

    >>> path(rectangle(0, 0, 4, 2).outline())
    'M0 0L4 0L4 2L0 2Z'
    """
    points = shape.points
    radii = (*shape.corners, *[0.0] * (len(points) - len(shape.corners)))
    steps: list[str] = []
    for index, point in enumerate(points):
        before, after = points[index - 1], points[(index + 1) % len(points)]
        radius = min(radii[index], point.far_from(before), point.far_from(after))
        verb = "L" if steps else "M"
        if not radius:
            steps.append(f"{verb}{_pair(point)}")
            continue
        start, stop = point.toward(before, radius), point.toward(after, radius)
        turns = (point.x - before.x) * (after.y - point.y) > (point.y - before.y) * (
            after.x - point.x
        )
        round_ = number(radius)
        steps.append(f"{verb}{_pair(start)}A{round_} {round_} 0 0 {int(turns)} {_pair(stop)}")
    return "".join(steps) + "Z"


def _pair(point: Point) -> str:
    return f"{number(point.x)} {number(point.y)}"


def text(words: str, at: Point, size: float, class_: str = "", turn: int = 0) -> str:
    """Words around a point."""
    where = {"x": at.x, "y": at.y}
    turned = f"rotate({turn} {_pair(at)})" if turn else None
    return tag(
        "text",
        escape(plain(words)),
        class_=class_ or None,
        font_size=size,
        transform=turned,
        **where,
    )


def die(face: int, at: Point, size: float, turn: int = 0) -> str:
    """One die, seen from above; face 0 shows none."""
    half, step, pip = size / 2, size * 0.26, size * 0.1
    dots = [
        tag("circle", cx=at.x + dx * step, cy=at.y + dy * step, r=pip)
        for dx, dy in _PIPS.get(face, ())
    ]
    turned = f"rotate({turn} {_pair(at)})" if turn else None
    body = tag("rect", x=at.x - half, y=at.y - half, width=size, height=size, rx=size * 0.18)
    return tag("g", [body, *dots], transform=turned)


def _pips(pips: Pips) -> str:
    apart = pips.size * 0.57
    return tag(
        "g",
        [
            die(pips.first, pips.at.moved(-apart, 0), pips.size),
            die(pips.second, pips.at.moved(apart, 0), pips.size),
        ],
        class_="pips",
    )


def _print(words: Print) -> str:
    return text(words.text, words.at, words.size, words.kind, words.turn)


def _zone(zone: Zone) -> str:
    rings = []
    if zone.kind == "circles":
        radius = min(zone.shape.box.height * 0.46, zone.shape.box.width * 0.22)
        rings = [tag("circle", cx=p.at.x, cy=p.at.y, r=radius, class_="ring") for p in zone.prints]
    return tag(
        "g",
        [
            tag("path", d=path(zone.shape)),
            *rings,
            *(_pips(pips) for pips in zone.pips),
            *(_print(words) for words in zone.prints),
        ],
        id=f"zone-{zone.id}",
        class_=f"zone {zone.kind}",
        data_zone=zone.id,
        data_end=zone.end,
        data_slugs=" ".join(zone.slugs) or None,
        data_number=zone.number or None,
        data_place=zone.place or None,
    )


def draw_fixture(fixture: Fixture) -> str:
    """Something that stands at the table."""
    if fixture.kind.startswith("post-"):
        return text(fixture.words, fixture.at, 13, "post")
    inside = []
    if fixture.shape is not None:
        inside.append(tag("path", d=path(fixture.shape)))
    if fixture.round:
        for part in (1, 0.82):
            ring = fixture.round * part
            inside.append(tag("circle", cx=fixture.at.x, cy=fixture.at.y, r=ring))
    if fixture.words:
        inside.append(text(fixture.words, fixture.at, 10, "boxed"))
    return tag("g", inside, class_=f"fixture {fixture.kind}")


#: Colours that have a look of their own.
COLOURS = ("white", "red", "green", "black", "purple", "yellow")


def colour_class(colour: str) -> str:
    """The class that a colour of chips is drawn by."""
    return f"chip-{colour if colour in COLOURS else 'other'}"


def _bank(plan: FeltPlan) -> Iterator[str]:
    """The bank: two rows of tubs, full of every colour."""
    bank = next((f.shape for f in plan.fixtures if f.kind == "bank"), None)
    if bank is None or not plan.bank:
        return
    box = bank.box
    inner = rectangle(box.left + 8, box.top + 4, box.right - 8, box.bottom - 4)
    for row in inner.rows([1, 1]):
        for colour, tub in zip(plan.bank, row.columns(len(plan.bank)), strict=True):
            for chip in range(count := max(2, int(tub.width / 5))):
                wide = (tub.width - 6) / count
                yield tag(
                    "rect",
                    x=tub.left + 3 + chip * wide,
                    y=tub.top + 1,
                    width=wide * 0.86,
                    height=tub.height - 2,
                    rx=1,
                    class_=f"tub {colour_class(colour)}",
                )


def _table(plan: FeltPlan) -> Iterator[str]:
    """The rail around, and the cloth."""
    whole = plan.views["whole"]
    outer = rectangle(whole.left + 2, whole.top + 2, whole.right - 2, whole.bottom - 2)
    corners = [radius + RAIL * 0.6 for radius in plan.outline.corners]
    yield tag("path", d=path(outer.outline(*corners)), class_="rail")
    yield tag("path", d=path(plan.outline), class_="cloth")


def draw_plan(
    plan: FeltPlan,
    over: Iterable[str] = (),
    view: str = "whole",
    title: str = "",
    alone: bool = False,
    theme: str = "",
    without: Collection[str] = (),
) -> str:
    """The plan as SVG, with ``over`` drawn upon it, ``without`` fixtures of these kinds.

    ``alone``: a file of its own, with its style in it; a page serves ``style_sheet`` instead.
    ``theme``: ``light`` or ``dark`` whatever the reader prefers.
    """
    seen = plan.views[view]
    frame = " ".join(map(number, (seen.left, seen.top, seen.width, seen.height)))
    parts = [
        tag("title", escape(plain(title))) if title else "",
        tag("style", escape(style_sheet())) if alone else "",
        *_table(plan),
        *(draw_fixture(one) for one in plan.fixtures if one.kind not in without),
        *_bank(plan),
        *(_zone(zone) for zone in plan.zones),
        tag("path", d=path(plan.outline), class_="rail-lip"),
        *(_print(words) for words in plan.prints),
        *over,
    ]
    return tag(
        "svg",
        parts,
        xmlns=NAMESPACE,
        viewBox=frame,
        class_="felt",
        data_theme=theme or None,
        role="img",
        aria_label=title or plan.name,
    )
