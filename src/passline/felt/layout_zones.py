"""The zones of a felt: where wagers go, their outlines, and the words printed on them.

The ends have the number boxes, the come, the field and the lines. The center belongs to the stick:
hardways, totals, hops, circles and the side wagers. Words and payouts are those of the placard.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from passline.felt.areas import cite_place
from passline.felt.measures import APRON_WIDTH, LINE_WIDTH, TOP_MARGIN, EndFrame, FeltMeasures
from passline.felt.shapes import Point, Rectangle, Shape, make_bend, make_point, make_rectangle
from passline.game.house.house import House
from passline.game.house.payouts import find_pay_lines
from passline.game.law.wagers import POINT_NUMBERS, Face, FeltArea
from passline.game.layout.spots import Spot
from passline.game.words.placard import show_posted_odds
from passline.game.words.wagers import layout_name
from passline.text import join_words

#: The `end` of zones in the center.
CENTER = "center"
#: How words are set: a heading, a number, a payout, or small print.
PrintKind = Literal["word", "number", "pays", "fine"]
#: The width of a character relative to its size. No letter of a bold sans is much wider.
CHARACTER_WIDTH = 0.62


class PrintedText(msgspec.Struct, frozen=True):
    """Words printed on the felt: their center, their size, and by how many degrees they are
    turned."""

    text: str
    at: Point
    size: float
    kind: PrintKind = "word"
    turn: int = 0

    @property
    def length(self) -> float:
        """Return the approximate length of the words in felt units."""
        return len(self.text) * self.size * CHARACTER_WIDTH


class PrintedDice(msgspec.Struct, frozen=True):
    """Two dice printed on the felt."""

    first: int
    second: int
    at: Point
    size: float


class Zone(msgspec.Struct, frozen=True):
    """A part of the felt for some wagers: its end, its outline, its words.

    `kind` says what it is for (`pass`, `back`, `box`, `hard`). `cite` is the clause for its
    position, or the custom.
    """

    id: str
    kind: str
    end: str
    shape: Shape
    slugs: tuple[str, ...]
    prints: tuple[PrintedText, ...] = ()
    pips: tuple[PrintedDice, ...] = ()
    number: int = 0
    place: int = 0
    cite: str = ""


class Fixture(msgspec.Struct, frozen=True):
    """An object at the table: the bank, the box, the bowl, a dealer.

    `round` is its radius if it is round; otherwise `shape` is its outline.
    """

    kind: str
    at: Point
    cite: str
    shape: Shape | None = None
    round: float = 0
    words: str = ""
    end: str = ""


def fit_text(
    text: str,
    at: Point,
    size: float,
    room: float,
    kind: PrintKind = "word",
    turn: int = 0,
) -> PrintedText:
    """Return a printed text at the given size, or smaller if `room` is too short for it."""
    size = min(size, room / (CHARACTER_WIDTH * max(len(text), 1)))
    return PrintedText(text=text, at=at, size=round(size, 1), kind=kind, turn=turn)


#: Numbers that layouts spell, so that a 6 is not read as a 9 upside down.
_SPELLED_NUMBERS = {6: "SIX", 9: "NINE"}


def format_numeral(number: int) -> str:
    """Return a number as it is printed in its box.

    >>> format_numeral(6), format_numeral(10)
    ('SIX', '10')
    """
    return _SPELLED_NUMBERS.get(number, str(number))


def format_layout_name(spot: Spot) -> str:
    """Return a wager's layout name in capitals."""
    return layout_name(spot.slug).upper()


def format_title(spot: Spot) -> str:
    """Return a wager's placard name in capitals."""
    return spot.rule.title.upper()


def format_bar(spot: Spot) -> str:
    """Return what a don't wager bars ("BAR 12"), or ""."""
    push = spot.rule.push_totals
    return f"BAR {join_words(push)}" if push else ""


def format_pays(house: House, spot: Spot) -> tuple[str, ...]:
    """Return what a wager pays, in the placard's words. With several lines, each begins with its
    faces."""
    rule = spot.rule
    if rule.is_composite:
        return ()
    if spot.by_puck:
        found = {n: show_posted_odds(house, odds) for n, odds in spot.by_puck.items()}
        return tuple(f"{n}: {odds}" for n, odds in found.items())
    lines = find_pay_lines(house, spot.slug, rule, spot.number)
    if len(lines) == 1 or not lines[0][0].on:
        return tuple(show_posted_odds(house, odds) for _, odds in lines)
    return tuple(
        f"{join_words(pay.on, 'or')}: {show_posted_odds(house, odds)}" for pay, odds in lines
    )


def format_first_pay(house: House, spot: Spot) -> str:
    """Return the first payout line of a wager."""
    lines = find_pay_lines(house, spot.slug, spot.rule, spot.number)
    return show_posted_odds(house, lines[0][1]) if lines else ""


def format_field(house: House, spot: Spot) -> tuple[tuple[Face, ...], tuple[str, ...]]:
    """Return the field's totals, and in words which of them pay more."""
    rule = spot.rule
    lines = find_pay_lines(house, spot.slug, rule, spot.number)
    groups: dict[str, list[Face]] = {}
    for pay, odds in lines[1:]:
        groups.setdefault(show_posted_odds(house, odds), []).extend(pay.on)
    more = tuple(
        f"{join_words(faces)} {'pays' if len(faces) == 1 else 'pay'} {odds}"
        for odds, faces in groups.items()
    )
    return rule.winning_faces, more


#: The radius of the bend of the pass line.
_BEND_RADIUS = 74.0
#: The width of the big 6 and big 8 boxes.
_BIG_BOX_WIDTH = 46.0


def make_end_zones(measures: FeltMeasures, end: EndFrame) -> Iterator[Zone]:
    """Yield every zone of an end, from the dealer to the players."""
    for number in measures.numbers:
        yield from _make_column(measures, end, number)
    yield from _make_come_zone(measures, end, "dont-come")
    yield from _make_come_zone(measures, end, "come")
    yield from _make_field_zones(measures, end)
    yield from _make_line_zones(measures, end)


def _list_slugs(measures: FeltMeasures, number: int, *areas: FeltArea) -> tuple[str, ...]:
    return tuple(
        s.slug for area in areas for s in measures.areas.get(area, ()) if s.number == number
    )


def _make_column(measures: FeltMeasures, end: EndFrame, number: int) -> Iterator[Zone]:
    """Yield the zones of a number's column: head, behind, place lines and the box itself."""
    strips: dict[str, tuple[FeltArea, ...]] = {
        "head": (),
        "behind": ("behind", "behind-odds"),
        "back": ("place",),
        "box": ("box", "box-odds"),
        "front": ("place",),
    }
    house = measures.layout.house
    for row, areas in strips.items():
        if row not in measures.rows:
            continue
        box = measures.find_number_strip(end, number, row)
        slugs = _list_slugs(measures, number, *areas)
        prints: list[PrintedText] = []
        if row == "box":
            size = 30 if number in house.book.points.value else 24
            prints.append(
                fit_text(format_numeral(number), box.center, size, measures.column - 6, "number")
            )
        yield Zone(
            id=f"{row}-{number}-{end.name}",
            kind=row,
            end=end.name,
            shape=box.outline(),
            slugs=slugs,
            prints=tuple(prints),
            number=number,
            cite=cite_place(areas[0], house.book.id) if areas else "",
        )


def _make_end_zone(
    measures: FeltMeasures,
    end: EndFrame,
    kind: str,
    box: Rectangle,
    spots: tuple[Spot, ...],
    prints: tuple[PrintedText, ...],
) -> Zone:
    return Zone(
        id=f"{kind}-{end.name}",
        kind=kind,
        end=end.name,
        shape=box.outline(),
        slugs=tuple(spot.slug for spot in spots),
        prints=prints,
        cite=cite_place(kind, measures.layout.house.book.id),
    )


def find_dont_come_box(measures: FeltMeasures, end: EndFrame) -> Rectangle:
    """Return the don't come box: outside the numbers, and as high as they are."""
    bottom = measures.rows["come" if "come" in measures.rows else "pass"][0]
    return end.make_box(
        measures.boxes, measures.boxes + (measures.beside or measures.outer), TOP_MARGIN, bottom
    )


def _make_come_zone(measures: FeltMeasures, end: EndFrame, area: FeltArea) -> Iterator[Zone]:
    spots = measures.areas.get(area, ())
    if not spots:
        return
    first, turn = spots[0], 90 * end.direction
    words: tuple[PrintedText, ...]
    if area == "come":
        box = end.make_box(0, measures.boxes + measures.beside, *measures.rows["come"])
        words = (fit_text(format_layout_name(first), box.center, 46, measures.boxes * 0.7),)
    else:
        box = find_dont_come_box(measures, end)
        middle = box.center
        words = (
            fit_text(
                format_layout_name(first),
                middle.shifted(8.5 * end.direction, 14),
                15.5,
                box.height - 50,
                turn=turn,
            ),
            fit_text(
                format_bar(first),
                middle.shifted(-9.5 * end.direction, 14),
                14.5,
                box.height - 50,
                "pays",
                turn,
            ),
        )
    yield _make_end_zone(measures, end, area, box, spots, tuple(p for p in words if p.text))


def _make_field_zones(measures: FeltMeasures, end: EndFrame) -> Iterator[Zone]:
    if "field" not in measures.rows:
        return
    top, bottom = measures.rows["field"]
    bigs = measures.areas.get("big", ())[:: end.direction]
    out = measures.boxes + measures.beside - _BIG_BOX_WIDTH * len(bigs)
    for index, spot in enumerate(bigs):
        wide = end.make_box(
            out + index * _BIG_BOX_WIDTH, out + (index + 1) * _BIG_BOX_WIDTH, top, bottom
        )
        words = (
            fit_text("BIG", wide.center.shifted(0, -17), 13, _BIG_BOX_WIDTH - 6, "pays"),
            fit_text(
                format_numeral(spot.number),
                wide.center.shifted(0, 2),
                22,
                _BIG_BOX_WIDTH - 6,
                "number",
            ),
            fit_text(
                format_first_pay(measures.layout.house, spot),
                wide.center.shifted(0, 21),
                10,
                _BIG_BOX_WIDTH - 6,
                "pays",
            ),
        )
        zone = _make_end_zone(measures, end, f"big-{spot.number}", wide, (spot,), words)
        yield zone
    fields = measures.areas.get("field", ())
    if not fields:
        return
    box = end.make_box(0, out, top, bottom)
    totals, more = format_field(measures.layout.house, fields[0])
    middle, high = box.center, box.height
    name = format_layout_name(fields[0])
    inside = [
        fit_text(
            " · ".join(map(str, totals)), middle.shifted(0, high * 0.01), 20, out - 12, "number"
        ),
        fit_text(name, middle.shifted(0, -high * 0.32), 14.5, out * 0.4),
    ]
    if more:
        line = ",  ".join(more)
        inside.append(fit_text(line, middle.shifted(0, high * 0.34), 14.5, out - 14, "pays"))
    yield _make_end_zone(measures, end, "field", box, fields, tuple(inside))


def _make_line_zones(measures: FeltMeasures, end: EndFrame) -> Iterator[Zone]:
    """Yield the lines around the corner: don't pass inside, then pass, then the apron."""
    out = measures.boxes + measures.outer
    if dont := measures.areas.get("dont-pass"):
        yield _make_bent_zone(
            measures, end, dont, measures.boxes + measures.beside, out, "dont-pass"
        )
    if passes := measures.areas.get("pass"):
        yield _make_bent_zone(measures, end, passes, out, out + LINE_WIDTH, "pass")
    if odds := measures.areas.get("pass-odds"):
        yield _make_bent_zone(
            measures, end, odds, out + LINE_WIDTH, out + LINE_WIDTH + APRON_WIDTH, "apron"
        )


_ROW_AREAS: dict[str, FeltArea] = {"dont-pass": "dont-pass", "pass": "pass", "apron": "pass-odds"}
_LINE_CURVES = {
    "dont-pass": (18.0, 6.0),
    "pass": (_BEND_RADIUS * 0.6, 18.0),
    "apron": (112.0, _BEND_RADIUS * 0.6),
}


def _make_bent_zone(
    measures: FeltMeasures,
    end: EndFrame,
    spots: tuple[Spot, ...],
    inner: float,
    outer: float,
    row: str,
) -> Zone:
    up, bottom = measures.rows[row]
    whole = end.make_box(0, outer, TOP_MARGIN, bottom)
    inside = end.make_box(0, inner, TOP_MARGIN, up)
    round_out, round_in = _LINE_CURVES[row]
    area = _ROW_AREAS[row]
    slugs = [spot.slug for spot in spots]
    if row == "dont-pass":
        slugs += [spot.slug for spot in measures.areas.get("dont-pass-odds", ())]
    return Zone(
        id=f"{area}-{end.name}",
        kind=area,
        end=end.name,
        shape=make_bend(whole, inside, end.direction == -1, round_out, round_in),
        slugs=tuple(slugs),
        prints=tuple(_print_line_name(measures, end, spots[0], row, (inner + outer) / 2)),
        cite=cite_place(area, measures.layout.house.book.id),
    )


def _print_line_name(
    measures: FeltMeasures, end: EndFrame, spot: Spot, row: str, middle: float
) -> Iterator[PrintedText]:
    """Yield the name of a line along the bottom. The pass line also has it around the end."""
    if row == "apron":
        return
    up, bottom = measures.rows[row]
    words = format_layout_name(spot)
    if row == "dont-pass":
        words = " · ".join(part for part in (words, format_bar(spot)) if part)
    along: Point = make_point(end.x(measures.boxes / 2), (up + bottom) / 2)
    yield fit_text(words, along, 21 if row == "pass" else 18, measures.boxes * 0.8)
    if row == "pass":
        upright = make_point(end.x(middle), TOP_MARGIN + (up - TOP_MARGIN) * 0.5)
        yield fit_text(words, upright, 21, up * 0.6, turn=90 * end.direction)


#: Heights of the bank, of the blank strip in front of it ("the box"), and of the stick's strip.
BANK_HEIGHT, BLANK_HEIGHT, STICK_HEIGHT = 28.0, 44.0, 50.0
#: Heights of the fire and bonus areas in front of the box.
FIRE_HEIGHT, BONUS_HEIGHT = 39.0, 56.0
#: The width of a column of circles beside the propositions.
_CIRCLES_WIDTH = 34.0
_HOPS_PER_ROW = 7


def find_center_strip(measures: FeltMeasures, name: str) -> Rectangle:
    """Return a strip of the center by name: bank, box, fire, bonus, props or stick."""
    box, down = measures.center, measures.center.top
    heights = {
        "bank": BANK_HEIGHT,
        "box": BLANK_HEIGHT,
        "fire": FIRE_HEIGHT if measures.has_wagers("fire") else 0,
        "bonus": BONUS_HEIGHT if measures.has_wagers("bonus") else 0,
    }
    heights["props"] = box.height - sum(heights.values()) - STICK_HEIGHT
    heights["stick"] = STICK_HEIGHT
    for one, high in heights.items():
        if one == name:
            return make_rectangle(box.left, down, box.right, down + high)
        down += high
    raise LookupError(name)


def _has_spot(measures: FeltMeasures, spot: Spot) -> bool:
    """Return whether the layout has a spot for a wager. A house may leave one out and book its
    parts."""
    key = f"layout.{spot.family}"
    return (
        key not in measures.layout.house.book.elect
        or measures.layout.house.elected(key) is not False
    )


def make_center_zones(measures: FeltMeasures) -> Iterator[Zone]:
    """Yield every zone of the center except the side wagers'."""
    props = find_center_strip(measures, "props")
    inner = props
    if measures.has_wagers("circles"):
        ways = {end.direction for end in measures.ends}
        inner = make_rectangle(
            props.left + (_CIRCLES_WIDTH if -1 in ways else 0),
            props.top,
            props.right - (_CIRCLES_WIDTH if 1 in ways else 0),
            props.bottom,
        )
        yield from _make_circles(measures, props, inner)
    bands = list(_list_bands(measures))
    boxes = inner.rows([high for _, high in bands])
    for (kind, _), box in zip(bands, boxes, strict=True):
        yield from _BAND_MAKERS[kind.partition(" ")[0]](measures, box, kind)


def _list_bands(measures: FeltMeasures) -> Iterator[tuple[str, float]]:
    """Yield the rows of propositions from the box to the stick, with their relative heights."""
    if any(_has_spot(measures, spot) for spot in measures.areas.get("above-seven", ())):
        yield "above-seven", 1.0
    if measures.has_wagers("seven"):
        yield "seven", 1.0
    hard = len(measures.areas.get("hard", ()))
    if hard:
        yield "hard", 1.25 * ((hard + 1) // 2)
    if measures.has_wagers("total"):
        yield "total", 2.0
    if measures.has_wagers("parts"):
        yield "parts", 1.0
    for index, _ in enumerate(measures.areas.get("totals", ())):
        yield f"totals {index}", 1.0
    hops = len(measures.areas.get("hop", ()))
    if hops:
        yield "hop", 1.0 * -(-hops // _HOPS_PER_ROW)


def _make_center_zone(
    measures: FeltMeasures,
    kind: str,
    box: Rectangle,
    spots: tuple[Spot, ...],
    prints: tuple[PrintedText, ...],
    pips: tuple[PrintedDice, ...] = (),
) -> Zone:
    return Zone(
        id=kind if kind == "above-seven" else f"{kind}-{spots[0].slug}",
        kind=kind,
        end=CENTER,
        shape=box.outline(),
        slugs=tuple(spot.slug for spot in spots),
        prints=prints,
        pips=pips,
        cite=cite_place(kind, measures.layout.house.book.id),
    )


def _make_above_seven(measures: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """Yield the zone of wagers on the line above the any seven box."""
    spots = tuple(s for s in measures.areas["above-seven"] if _has_spot(measures, s))
    words = fit_text(
        " / ".join(format_title(s) for s in spots), box.center, box.height * 0.55, box.width
    )
    yield _make_center_zone(measures, kind, box, spots, (words,))


def _make_bar(measures: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """Yield a bar across the center: the name at its left, the payout at its right."""
    area, _, index = kind.partition(" ")
    spots = measures.areas["seven" if area == "seven" else "totals"]
    spot = spots[int(index or 0)]
    size, middle = min(17.0, box.height * 0.5), box.center
    words = format_title(spot)
    quarter = box.width / 4
    prints = (
        fit_text(words, middle.shifted(-quarter * 0.75, 0), size, quarter * 2.3),
        fit_text(
            format_first_pay(measures.layout.house, spot),
            middle.shifted(quarter * 1.2, 0),
            size * 0.82,
            quarter * 1.4,
            "pays",
        ),
    )
    yield _make_center_zone(measures, area, box, (spot,), prints)


def _read_faces(face: str) -> tuple[int, int]:
    one, two = face.split("-")
    return int(one), int(two)


def _make_dice_box(
    measures: FeltMeasures, box: Rectangle, spot: Spot, kind: str, face: str
) -> Zone:
    """Return a box with the winning dice and the payout of a wager."""
    die = min(box.height * 0.42, box.width * 0.3, 17)
    first, second = _read_faces(face)
    middle = box.center
    dice = PrintedDice(
        first=first, second=second, at=middle.shifted(0, -box.height * 0.14), size=die
    )
    size = min(13.0, box.height * 0.3)
    odds = fit_text(
        format_first_pay(measures.layout.house, spot),
        middle.shifted(0, box.height * 0.3),
        size,
        box.width - 4,
        "pays",
    )
    return _make_center_zone(measures, kind, box, (spot,), (odds,), (dice,))


def _make_hardways(measures: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    spots = measures.areas["hard"]
    rows = box.rows([1] * ((len(spots) + 1) // 2))
    # As on a real layout: 6 and 10 above, 8 and 4 below. Other hardways go by what they pay.
    by_pay = sorted(spots, key=lambda s: s.odds.ratio)
    half = (len(by_pay) + 1) // 2
    for column, group in enumerate((by_pay[:half], by_pay[half:])):
        for row, spot in zip(rows, group, strict=False):
            pair = str(spot.rule.winning_faces[0])
            yield _make_dice_box(measures, row.columns(2)[column], spot, "hard", pair)


#: The pair of faces of each total that only one pair makes.
_ONLY_PAIRS = {2: "1-1", 3: "1-2", 11: "5-6", 12: "6-6"}


def _make_totals(measures: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """Yield the boxes of single totals. A horn high is in the box of its number too."""
    spots = measures.areas["total"]
    house = measures.layout.house
    high = [s for s in measures.areas.get("high", ()) if _has_spot(measures, s)]
    for spot, cell in zip(spots, box.columns(len(spots)), strict=True):
        (total,) = spot.rule.winning_faces
        assert isinstance(total, int)
        if total in _ONLY_PAIRS:
            zone = _make_dice_box(measures, cell, spot, "total", _ONLY_PAIRS[total])
        else:
            words = (
                fit_text(str(total), cell.center.shifted(0, -6), 20, cell.width - 6, "number"),
                fit_text(
                    format_first_pay(house, spot), cell.center.shifted(0, 12), 11, cell.width - 4
                ),
            )
            zone = _make_center_zone(measures, "total", cell, (spot,), words)
        there = tuple(s.slug for s in high if s.number == total)
        yield replace(zone, slugs=(*zone.slugs, *there))


def _make_composites(measures: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    spots = measures.areas["parts"]
    for spot, cell in zip(spots, box.columns(len(spots)), strict=True):
        size = min(14.0, cell.height * 0.5)
        yield _make_center_zone(
            measures,
            kind,
            cell,
            (spot,),
            (fit_text(format_title(spot), cell.center, size, cell.width - 6),),
        )


def _make_hops(measures: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """Yield the hop boxes: pairs first, then by total, in rows of about equal length."""
    spots = sorted(measures.areas["hop"], key=_hop_sort_key)
    count = -(-len(spots) // _HOPS_PER_ROW)
    each = -(-len(spots) // count)
    for row, band in enumerate(box.rows([1] * count)):
        some = spots[row * each : (row + 1) * each]
        for spot, cell in zip(some, band.columns(len(some)), strict=True):
            first, second = _find_hop_faces(spot)
            die = min(cell.height * 0.42, cell.width * 0.28)
            up = cell.center.shifted(0, -cell.height * 0.12)
            odds = fit_text(
                format_first_pay(measures.layout.house, spot),
                cell.center.shifted(0, cell.height * 0.31),
                min(8.5, cell.height * 0.3),
                cell.width - 3,
                "fine",
            )
            yield _make_center_zone(
                measures,
                "hop",
                cell,
                (spot,),
                (odds,),
                (PrintedDice(first=first, second=second, at=up, size=die),),
            )


def _find_hop_faces(spot: Spot) -> tuple[int, int]:
    return _read_faces(str(spot.rule.winning_faces[0]))


def _hop_sort_key(spot: Spot) -> tuple[bool, int, int]:
    first, second = _find_hop_faces(spot)
    return first != second, first + second, first


def _make_circles(measures: FeltMeasures, props: Rectangle, inner: Rectangle) -> Iterator[Zone]:
    """Yield the C and E circles for each seat position, from the base dealer's side to the
    stick's.
    """
    spot = measures.areas["circles"][0]
    letters = ("C", "E")
    for end in measures.ends:
        left, right = (inner.right, props.right) if end.direction == 1 else (props.left, inner.left)
        high = props.height / end.count
        for place in range(end.first, end.last + 1):
            top = props.top + (end.count_from_dealer(place) - 1) * high
            cell = make_rectangle(left, top, right, top + high)
            size = min(high * 0.5, 10)
            prints = tuple(
                PrintedText(
                    text=letter,
                    at=make_point(left + (right - left) * part, cell.center.y),
                    size=size,
                    kind="pays",
                )
                for letter, part in zip(letters, (0.27, 0.73), strict=True)
            )
            yield Zone(
                id=f"circles-{place}",
                kind="circles",
                end=CENTER,
                shape=cell.outline(),
                slugs=(spot.slug,),
                prints=prints,
                place=place,
                cite=cite_place("circles", measures.layout.house.book.id),
            )


_BAND_MAKERS = {
    "above-seven": _make_above_seven,
    "seven": _make_bar,
    "totals": _make_bar,
    "hard": _make_hardways,
    "total": _make_totals,
    "parts": _make_composites,
    "hop": _make_hops,
}


#: The radius of a fire spot.
FIRE_SPOT_RADIUS = 9.0
_BUTTON_ROW_HEIGHT = 20.0


def find_fire_spot(measures: FeltMeasures, place: int) -> Point:
    """Return the center of the fire spot in front of the player at seat position `place`."""
    out = measures.boxes + measures.outer + LINE_WIDTH + APRON_WIDTH - FIRE_SPOT_RADIUS - 5
    return measures.find_line_point(place, out, measures.height - FIRE_SPOT_RADIUS - 5)


def _make_square(at: Point, size: float) -> Rectangle:
    return make_rectangle(at.x - size, at.y - size, at.x + size, at.y + size)


def make_side_zones(measures: FeltMeasures) -> Iterator[Zone]:
    """Yield the zones of fire and bonus wagers, if they are dealt."""
    if measures.has_wagers("fire"):
        yield from _make_fire_zones(measures)
    if measures.has_wagers("bonus"):
        yield from _make_bonus_zones(measures)


def _make_fire_zones(measures: FeltMeasures) -> Iterator[Zone]:
    book, fires = measures.layout.house.book.id, tuple(s.slug for s in measures.areas["fire"])
    for place in range(1, measures.places + 1):
        spot = find_fire_spot(measures, place)
        yield Zone(
            id=f"fire-{place}",
            kind="fire",
            end=measures.find_end(place).name,
            shape=_make_square(spot, FIRE_SPOT_RADIUS).outline(*[FIRE_SPOT_RADIUS] * 4),
            slugs=fires,
            prints=(PrintedText(text=str(place), at=spot, size=9, kind="pays"),),
            place=place,
            cite=cite_place("fire", book),
        )
    for place, cell in list_fire_spots_before_box(measures):
        yield Zone(
            id=f"fire-box-{place}",
            kind="fire-box",
            end=CENTER,
            shape=_make_square(cell, FIRE_SPOT_RADIUS).outline(*[FIRE_SPOT_RADIUS] * 4),
            slugs=(),
            prints=(PrintedText(text=str(place), at=cell, size=9, kind="pays"),),
            place=place,
            cite=cite_place("fire-before-box", book),
        )


def list_fire_spots_before_box(measures: FeltMeasures) -> Iterator[tuple[int, Point]]:
    """Yield each seat position with its fire spot in front of the box, clockwise from the
    boxperson's left.
    """
    area = find_center_strip(measures, "fire")
    half = (measures.places + 1) // 2
    upper, lower = area.rows([1, 1])
    cells = [*upper.columns(half)[::-1], *lower.columns(half)]
    for place, cell in enumerate(cells[: measures.places], start=1):
        yield place, cell.center


def _make_bonus_zones(measures: FeltMeasures) -> Iterator[Zone]:
    """Yield a zone for each bonus wager, and below it a spot for the button of every total."""
    book, spots = measures.layout.house.book.id, measures.areas["bonus"]
    area = find_center_strip(measures, "bonus")
    upper = make_rectangle(area.left, area.top, area.right, area.bottom - _BUTTON_ROW_HEIGHT)
    for spot, cell in zip(spots, upper.columns(len(spots)), strict=True):
        words = (
            fit_text(
                format_title(spot), cell.center.shifted(0, -cell.height * 0.18), 11, cell.width - 6
            ),
            fit_text(
                format_first_pay(measures.layout.house, spot),
                cell.center.shifted(0, cell.height * 0.22),
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
            cite=cite_place("bonus", book),
        )
    lower = make_rectangle(area.left, area.bottom - _BUTTON_ROW_HEIGHT, area.right, area.bottom)
    for number, cell in zip(POINT_NUMBERS, lower.columns(len(POINT_NUMBERS)), strict=True):
        yield Zone(
            id=f"bonus-button-{number}",
            kind="bonus-button",
            end=CENTER,
            shape=_make_square(cell.center, _BUTTON_ROW_HEIGHT / 2 - 0.5).outline(
                *[_BUTTON_ROW_HEIGHT / 2] * 4
            ),
            slugs=(),
            prints=(PrintedText(text=str(number), at=cell.center, size=10, kind="pays"),),
            number=number,
            cite=cite_place("bonus-button", book),
        )
