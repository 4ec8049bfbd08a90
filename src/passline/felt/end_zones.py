"""The zones of one end: the number boxes with their strips, the come, the field and the lines."""

from __future__ import annotations

from collections.abc import Iterator

from passline.felt.areas import FeltArea
from passline.felt.measures import APRON, LINE, TOP, EndFrame, Measures
from passline.felt.printing import bar, capitals, field_words, first_pay, numeral
from passline.felt.shapes import Point, Rectangle, at, bend
from passline.felt.where import cited
from passline.felt.zones import Print, Zone, fitted
from passline.layout import Spot

#: How the outside of the pass line is rounded.
_BEND = 74.0
#: How wide the box of a wager such as big 6 is.
_BIG = 46.0


def end_zones(m: Measures, end: EndFrame) -> Iterator[Zone]:
    """Every zone of an end, from the dealer to the players."""
    for number in m.numbers:
        yield from _column(m, end, number)
    yield from _flat(m, end, "dont-come")
    yield from _flat(m, end, "come")
    yield from _field(m, end)
    yield from _lines(m, end)


def _slugs(m: Measures, number: int, *areas: FeltArea) -> tuple[str, ...]:
    return tuple(s.slug for area in areas for s in m.areas.get(area, ()) if s.number == number)


def _column(m: Measures, end: EndFrame, number: int) -> Iterator[Zone]:
    """A number's column: its head, what is behind it, its place lines and the box itself."""
    strips: dict[str, tuple[FeltArea, ...]] = {
        "head": (),
        "behind": ("behind", "behind-odds"),
        "back": ("place",),
        "box": ("box", "box-odds"),
        "front": ("place",),
    }
    house = m.layout.house
    for row, areas in strips.items():
        if row not in m.rows:
            continue
        box = m.column_of(end, number, row)
        slugs = _slugs(m, number, *areas)
        prints: list[Print] = []
        if row == "box":
            size = 30 if number in house.book.points.value else 24
            middle = box.center.moved(0, 0)
            prints.append(fitted(numeral(number), middle, size, m.column - 6, "number"))
        yield Zone(
            id=f"{row}-{number}-{end.name}",
            kind=row,
            end=end.name,
            shape=box.outline(),
            slugs=slugs,
            prints=tuple(prints),
            number=number,
            cite=cited(areas[0], house.book.id) if areas else "",
        )


def _zone(
    m: Measures,
    end: EndFrame,
    kind: str,
    box: Rectangle,
    spots: tuple[Spot, ...],
    prints: tuple[Print, ...],
) -> Zone:
    return Zone(
        id=f"{kind}-{end.name}",
        kind=kind,
        end=end.name,
        shape=box.outline(),
        slugs=tuple(spot.slug for spot in spots),
        prints=prints,
        cite=cited(kind, m.layout.house.book.id),
    )


def dont_come_box(m: Measures, end: EndFrame) -> Rectangle:
    """The don't come box: outside the numbers, as high as they are."""
    bottom = m.rows["come" if "come" in m.rows else "pass"][0]
    return end.across(m.boxes, m.boxes + (m.beside or m.outer), TOP, bottom)


def _flat(m: Measures, end: EndFrame, area: FeltArea) -> Iterator[Zone]:
    spots = m.areas.get(area, ())
    if not spots:
        return
    first, turn = spots[0], 90 * end.way
    words: tuple[Print, ...]
    if area == "come":
        box = end.across(0, m.boxes + m.beside, *m.rows["come"])
        words = (fitted(capitals(first), box.center, 46, m.boxes * 0.7),)
    else:
        box = dont_come_box(m, end)
        middle = box.center
        words = (
            fitted(
                capitals(first), middle.moved(8.5 * end.way, 14), 15.5, box.height - 50, turn=turn
            ),
            fitted(
                bar(first), middle.moved(-9.5 * end.way, 14), 14.5, box.height - 50, "pays", turn
            ),
        )
    yield _zone(m, end, area, box, spots, tuple(p for p in words if p.text))


def _field(m: Measures, end: EndFrame) -> Iterator[Zone]:
    if "field" not in m.rows:
        return
    top, bottom = m.rows["field"]
    bigs = m.areas.get("big", ())[:: end.way]
    out = m.boxes + m.beside - _BIG * len(bigs)
    for index, spot in enumerate(bigs):
        wide = end.across(out + index * _BIG, out + (index + 1) * _BIG, top, bottom)
        words = (
            fitted("BIG", wide.center.moved(0, -17), 13, _BIG - 6, "pays"),
            fitted(numeral(spot.number), wide.center.moved(0, 2), 22, _BIG - 6, "number"),
            fitted(first_pay(m.layout.house, spot), wide.center.moved(0, 21), 10, _BIG - 6, "pays"),
        )
        zone = _zone(m, end, f"big-{spot.number}", wide, (spot,), words)
        yield zone
    fields = m.areas.get("field", ())
    if not fields:
        return
    box = end.across(0, out, top, bottom)
    totals, more = field_words(m.layout.house, fields[0])
    middle, high = box.center, box.height
    name = capitals(fields[0])
    inside = [
        fitted(" · ".join(map(str, totals)), middle.moved(0, high * 0.01), 20, out - 12, "number"),
        fitted(name, middle.moved(0, -high * 0.32), 14.5, out * 0.4),
    ]
    if more:
        line = ",  ".join(more)
        inside.append(fitted(line, middle.moved(0, high * 0.34), 14.5, out - 14, "pays"))
    yield _zone(m, end, "field", box, fields, tuple(inside))


def _lines(m: Measures, end: EndFrame) -> Iterator[Zone]:
    """The lines turn the corner: don't pass inside, then pass, and outside it the apron."""
    out = m.boxes + m.outer
    if dont := m.areas.get("dont-pass"):
        yield _bent(m, end, dont, m.boxes + m.beside, out, "dont-pass")
    if passes := m.areas.get("pass"):
        yield _bent(m, end, passes, out, out + LINE, "pass")
    if odds := m.areas.get("pass-odds"):
        yield _bent(m, end, odds, out + LINE, out + LINE + APRON, "apron")


_LINES: dict[str, FeltArea] = {"dont-pass": "dont-pass", "pass": "pass", "apron": "pass-odds"}
_CURVES = {"dont-pass": (18.0, 6.0), "pass": (_BEND * 0.6, 18.0), "apron": (112.0, _BEND * 0.6)}


def _bent(
    m: Measures,
    end: EndFrame,
    spots: tuple[Spot, ...],
    inner: float,
    outer: float,
    row: str,
) -> Zone:
    up, bottom = m.rows[row]
    whole = end.across(0, outer, TOP, bottom)
    inside = end.across(0, inner, TOP, up)
    round_out, round_in = _CURVES[row]
    area = _LINES[row]
    slugs = [spot.slug for spot in spots]
    if row == "dont-pass":
        slugs += [spot.slug for spot in m.areas.get("dont-pass-odds", ())]
    return Zone(
        id=f"{area}-{end.name}",
        kind=area,
        end=end.name,
        shape=bend(whole, inside, end.way == -1, round_out, round_in),
        slugs=tuple(slugs),
        prints=tuple(_line_words(m, end, spots[0], row, (inner + outer) / 2)),
        cite=cited(area, m.layout.house.book.id),
    )


def _line_words(m: Measures, end: EndFrame, spot: Spot, row: str, middle: float) -> Iterator[Print]:
    """A line's name along the bottom; the pass line's up the end as well."""
    if row == "apron":
        return
    up, bottom = m.rows[row]
    words = capitals(spot)
    if row == "dont-pass":
        words = " · ".join(part for part in (words, bar(spot)) if part)
    along: Point = at(end.x(m.boxes / 2), (up + bottom) / 2)
    yield fitted(words, along, 21 if row == "pass" else 18, m.boxes * 0.8)
    if row == "pass":
        upright = at(end.x(middle), TOP + (up - TOP) * 0.5)
        yield fitted(words, upright, 21, up * 0.6, turn=90 * end.way)
