"""Side wagers on the felt: fire spots along the edge and before the box, the bonus area."""

from __future__ import annotations

from collections.abc import Iterator

from passline.felt.center import strip
from passline.felt.measures import APRON, LINE, Measures
from passline.felt.printing import first_pay, title
from passline.felt.shapes import Point, Rectangle, rectangle
from passline.felt.where import cited
from passline.felt.zones import CENTER, Print, Zone, fitted
from passline.law.wagers import NUMBERS, Collect

#: How large a fire spot is, from its middle.
SPOT = 9.0
_BUTTONS = 20.0


def fire_spot(m: Measures, place: int) -> Point:
    """The numbered spot along the edge of the felt that faces a place."""
    out = m.boxes + m.outer + LINE + APRON - SPOT - 5
    return m.on_line(place, out, m.height - SPOT - 5)


def _round(at: Point, size: float) -> Rectangle:
    return rectangle(at.x - size, at.y - size, at.x + size, at.y + size)


def side_zones(m: Measures) -> Iterator[Zone]:
    """Fire and bonus, where they are dealt."""
    if m.has("fire"):
        yield from _fire(m)
    if m.has("bonus"):
        yield from _bonus(m)


def _fire(m: Measures) -> Iterator[Zone]:
    book, fires = m.layout.house.book.id, tuple(s.slug for s in m.areas["fire"])
    for place in range(1, m.places + 1):
        spot = fire_spot(m, place)
        yield Zone(
            id=f"fire-{place}",
            kind="fire",
            end=m.frame(place).name,
            shape=_round(spot, SPOT).outline(*[SPOT] * 4),
            slugs=fires,
            prints=(Print(text=str(place), at=spot, size=9, kind="pays"),),
            place=place,
            cite=cited("fire", book),
        )
    for place, cell in fire_before_box(m):
        yield Zone(
            id=f"fire-box-{place}",
            kind="fire-box",
            end=CENTER,
            shape=_round(cell, SPOT).outline(*[SPOT] * 4),
            slugs=(),
            prints=(Print(text=str(place), at=cell, size=9, kind="pays"),),
            place=place,
            cite=cited("fire-before-box", book),
        )


def fire_before_box(m: Measures) -> Iterator[tuple[int, Point]]:
    """The spots before the box with the same numbers, clockwise: 1 at the boxperson's left."""
    area = strip(m, "fire")
    half = (m.places + 1) // 2
    upper, lower = area.rows([1, 1])
    cells = [*upper.columns(half)[::-1], *lower.columns(half)]
    for place, cell in enumerate(cells[: m.places], start=1):
        yield place, cell.center


def _bonus(m: Measures) -> Iterator[Zone]:
    """A spot for each bonus wager, and under them one for the button of every total."""
    book, spots = m.layout.house.book.id, m.areas["bonus"]
    area = strip(m, "bonus")
    upper = rectangle(area.left, area.top, area.right, area.bottom - _BUTTONS)
    for spot, cell in zip(spots, upper.columns(len(spots)), strict=True):
        assert isinstance(spot.rule, Collect)
        words = (
            fitted(title(spot), cell.center.moved(0, -cell.height * 0.18), 11, cell.width - 6),
            fitted(
                first_pay(m.layout.house, spot),
                cell.center.moved(0, cell.height * 0.22),
                11,
                cell.width - 6,
                "pays",
            ),
        )
        yield Zone(
            id=f"bonus-{spot.slug}",
            kind="bonus",
            end=CENTER,
            shape=cell.outline(),
            slugs=(spot.slug,),
            prints=words,
            cite=cited("bonus", book),
        )
    lower = rectangle(area.left, area.bottom - _BUTTONS, area.right, area.bottom)
    for number, cell in zip(NUMBERS, lower.columns(len(NUMBERS)), strict=True):
        yield Zone(
            id=f"bonus-button-{number}",
            kind="bonus-button",
            end=CENTER,
            shape=_round(cell.center, _BUTTONS / 2 - 0.5).outline(*[_BUTTONS / 2] * 4),
            slugs=(),
            prints=(Print(text=str(number), at=cell.center, size=10, kind="pays"),),
            number=number,
            cite=cited("bonus-button", book),
        )
