"""What a plan is made of: zones, what is printed on them, and what stands around.

The words and payouts that stand on the felt, as the placard has them.

The zones of one end: the number boxes with their strips, the come, the field and the lines.

The zones of the center, which belongs to the stick: hardways, totals, bars, hops, circles.

Side wagers on the felt: fire spots along the edge and before the box, the bonus area.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from passline.felt.areas import cite_place
from passline.felt.measures import APRON_WIDTH, LINE_WIDTH, TOP_MARGIN, EndFrame, FeltMeasures
from passline.felt.shapes import Point, Rectangle, Shape, make_bend, make_point, make_rectangle
from passline.game.house.house import House
from passline.game.house.payouts import find_pay_lines
from passline.game.house.placard import show_posted_odds
from passline.game.law.shapes.collect import Collect
from passline.game.law.shapes.come import Come
from passline.game.law.shapes.composite import Composite
from passline.game.law.shapes.hardway import Hardway
from passline.game.law.shapes.line import Line
from passline.game.law.shapes.one_roll import OneRoll
from passline.game.law.wagers import POINT_NUMBERS, Face, FeltArea
from passline.game.layout.spots import Spot
from passline.game.words.wagers import layout_name
from passline.text import join_words

#: The end of what belongs to the stick.
CENTER = "center"
#: How a word is set: a heading, a number, what is paid, or small print.
PrintKind = Literal["word", "number", "pays", "fine"]
#: How wide a character is, of its size: no letter of a bold sans is much wider.
CHARACTER_WIDTH = 0.62


class PrintedText(msgspec.Struct, frozen=True):
    """Words printed on the felt: where their middle is, how large, turned by how much."""

    text: str
    at: Point
    size: float
    kind: PrintKind = "word"
    turn: int = 0

    @property
    def length(self) -> float:
        """About how long the words are."""
        return len(self.text) * self.size * CHARACTER_WIDTH


class PrintedDice(msgspec.Struct, frozen=True):
    """Two dice printed on the felt."""

    first: int
    second: int
    at: Point
    size: float


class Zone(msgspec.Struct, frozen=True):
    """A part of the felt where wagers lie: which, at which end, its outline and its words.

    ``kind`` says what it is (``pass``, ``back``, ``box``, ``hard``); ``cite`` by which clause, or
    custom, these wagers lie here.
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
    """Something that stands at the table: the bank, the box, the bowl, a dealer.

    ``round``: its radius where it is round; else ``shape`` is its outline.
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
    """Words as large as asked for, or as large as there is room for."""
    size = min(size, room / (CHARACTER_WIDTH * max(len(text), 1)))
    return PrintedText(text=text, at=at, size=round(size, 1), kind=kind, turn=turn)


#: As layouts print them, so that nobody reads one for the other from across the table.
_SPELLED_NUMBERS = {6: "SIX", 9: "NINE"}


def format_numeral(number: int) -> str:
    """A number as it stands in its box.

    >>> format_numeral(6), format_numeral(10)
    ('SIX', '10')
    """
    return _SPELLED_NUMBERS.get(number, str(number))


def format_layout_name(spot: Spot) -> str:
    """A wager's name in capitals, by its place on the layout."""
    return layout_name(spot.slug).upper()


def format_title(spot: Spot) -> str:
    """A wager's name as the placard has it, in capitals."""
    return spot.rule.title.upper()


def format_bar(spot: Spot) -> str:
    """What a don't wager bars: the totals on which it pushes."""
    rule = spot.rule
    if not isinstance(rule, Line | Come) or rule.first_push is None:
        return ""
    return f"BAR {join_words(rule.first_push.value)}"


def format_pays(house: House, spot: Spot) -> tuple[str, ...]:
    """What a wager pays, as the placard words it; for each of its lines, its faces first."""
    rule = spot.rule
    if isinstance(rule, Composite):
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
    """What a wager pays at least: its first line."""
    lines = find_pay_lines(house, spot.slug, spot.rule, spot.number)
    return show_posted_odds(house, lines[0][1]) if lines else ""


def format_field(house: House, spot: Spot) -> tuple[tuple[Face, ...], tuple[str, ...]]:
    """The field's totals, and what those pay that pay more than the first line."""
    rule = spot.rule
    assert isinstance(rule, OneRoll)
    lines = find_pay_lines(house, spot.slug, rule, spot.number)
    groups: dict[str, list[Face]] = {}
    for pay, odds in lines[1:]:
        groups.setdefault(show_posted_odds(house, odds), []).extend(pay.on)
    more = tuple(
        f"{join_words(faces)} {'pays' if len(faces) == 1 else 'pay'} {odds}"
        for odds, faces in groups.items()
    )
    return rule.win.value, more


#: How the outside of the pass line is rounded.
_BEND_RADIUS = 74.0
#: How wide the box of a wager such as big 6 is.
_BIG_BOX_WIDTH = 46.0


def make_end_zones(m: FeltMeasures, end: EndFrame) -> Iterator[Zone]:
    """Every zone of an end, from the dealer to the players."""
    for number in m.numbers:
        yield from _make_column(m, end, number)
    yield from _make_come_zone(m, end, "dont-come")
    yield from _make_come_zone(m, end, "come")
    yield from _make_field_zones(m, end)
    yield from _make_line_zones(m, end)


def _list_slugs(m: FeltMeasures, number: int, *areas: FeltArea) -> tuple[str, ...]:
    return tuple(s.slug for area in areas for s in m.areas.get(area, ()) if s.number == number)


def _make_column(m: FeltMeasures, end: EndFrame, number: int) -> Iterator[Zone]:
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
        box = m.find_number_strip(end, number, row)
        slugs = _list_slugs(m, number, *areas)
        prints: list[PrintedText] = []
        if row == "box":
            size = 30 if number in house.book.points.value else 24
            middle = box.center.moved(0, 0)
            prints.append(fit_text(format_numeral(number), middle, size, m.column - 6, "number"))
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
    m: FeltMeasures,
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
        cite=cite_place(kind, m.layout.house.book.id),
    )


def find_dont_come_box(m: FeltMeasures, end: EndFrame) -> Rectangle:
    """The don't come box: outside the numbers, as high as they are."""
    bottom = m.rows["come" if "come" in m.rows else "pass"][0]
    return end.across(m.boxes, m.boxes + (m.beside or m.outer), TOP_MARGIN, bottom)


def _make_come_zone(m: FeltMeasures, end: EndFrame, area: FeltArea) -> Iterator[Zone]:
    spots = m.areas.get(area, ())
    if not spots:
        return
    first, turn = spots[0], 90 * end.way
    words: tuple[PrintedText, ...]
    if area == "come":
        box = end.across(0, m.boxes + m.beside, *m.rows["come"])
        words = (fit_text(format_layout_name(first), box.center, 46, m.boxes * 0.7),)
    else:
        box = find_dont_come_box(m, end)
        middle = box.center
        words = (
            fit_text(
                format_layout_name(first),
                middle.moved(8.5 * end.way, 14),
                15.5,
                box.height - 50,
                turn=turn,
            ),
            fit_text(
                format_bar(first),
                middle.moved(-9.5 * end.way, 14),
                14.5,
                box.height - 50,
                "pays",
                turn,
            ),
        )
    yield _make_end_zone(m, end, area, box, spots, tuple(p for p in words if p.text))


def _make_field_zones(m: FeltMeasures, end: EndFrame) -> Iterator[Zone]:
    if "field" not in m.rows:
        return
    top, bottom = m.rows["field"]
    bigs = m.areas.get("big", ())[:: end.way]
    out = m.boxes + m.beside - _BIG_BOX_WIDTH * len(bigs)
    for index, spot in enumerate(bigs):
        wide = end.across(
            out + index * _BIG_BOX_WIDTH, out + (index + 1) * _BIG_BOX_WIDTH, top, bottom
        )
        words = (
            fit_text("BIG", wide.center.moved(0, -17), 13, _BIG_BOX_WIDTH - 6, "pays"),
            fit_text(
                format_numeral(spot.number),
                wide.center.moved(0, 2),
                22,
                _BIG_BOX_WIDTH - 6,
                "number",
            ),
            fit_text(
                format_first_pay(m.layout.house, spot),
                wide.center.moved(0, 21),
                10,
                _BIG_BOX_WIDTH - 6,
                "pays",
            ),
        )
        zone = _make_end_zone(m, end, f"big-{spot.number}", wide, (spot,), words)
        yield zone
    fields = m.areas.get("field", ())
    if not fields:
        return
    box = end.across(0, out, top, bottom)
    totals, more = format_field(m.layout.house, fields[0])
    middle, high = box.center, box.height
    name = format_layout_name(fields[0])
    inside = [
        fit_text(
            " · ".join(map(str, totals)), middle.moved(0, high * 0.01), 20, out - 12, "number"
        ),
        fit_text(name, middle.moved(0, -high * 0.32), 14.5, out * 0.4),
    ]
    if more:
        line = ",  ".join(more)
        inside.append(fit_text(line, middle.moved(0, high * 0.34), 14.5, out - 14, "pays"))
    yield _make_end_zone(m, end, "field", box, fields, tuple(inside))


def _make_line_zones(m: FeltMeasures, end: EndFrame) -> Iterator[Zone]:
    """The lines turn the corner: don't pass inside, then pass, and outside it the apron."""
    out = m.boxes + m.outer
    if dont := m.areas.get("dont-pass"):
        yield _make_bent_zone(m, end, dont, m.boxes + m.beside, out, "dont-pass")
    if passes := m.areas.get("pass"):
        yield _make_bent_zone(m, end, passes, out, out + LINE_WIDTH, "pass")
    if odds := m.areas.get("pass-odds"):
        yield _make_bent_zone(
            m, end, odds, out + LINE_WIDTH, out + LINE_WIDTH + APRON_WIDTH, "apron"
        )


_ROW_AREAS: dict[str, FeltArea] = {"dont-pass": "dont-pass", "pass": "pass", "apron": "pass-odds"}
_LINE_CURVES = {
    "dont-pass": (18.0, 6.0),
    "pass": (_BEND_RADIUS * 0.6, 18.0),
    "apron": (112.0, _BEND_RADIUS * 0.6),
}


def _make_bent_zone(
    m: FeltMeasures,
    end: EndFrame,
    spots: tuple[Spot, ...],
    inner: float,
    outer: float,
    row: str,
) -> Zone:
    up, bottom = m.rows[row]
    whole = end.across(0, outer, TOP_MARGIN, bottom)
    inside = end.across(0, inner, TOP_MARGIN, up)
    round_out, round_in = _LINE_CURVES[row]
    area = _ROW_AREAS[row]
    slugs = [spot.slug for spot in spots]
    if row == "dont-pass":
        slugs += [spot.slug for spot in m.areas.get("dont-pass-odds", ())]
    return Zone(
        id=f"{area}-{end.name}",
        kind=area,
        end=end.name,
        shape=make_bend(whole, inside, end.way == -1, round_out, round_in),
        slugs=tuple(slugs),
        prints=tuple(_print_line_name(m, end, spots[0], row, (inner + outer) / 2)),
        cite=cite_place(area, m.layout.house.book.id),
    )


def _print_line_name(
    m: FeltMeasures, end: EndFrame, spot: Spot, row: str, middle: float
) -> Iterator[PrintedText]:
    """A line's name along the bottom; the pass line's up the end as well."""
    if row == "apron":
        return
    up, bottom = m.rows[row]
    words = format_layout_name(spot)
    if row == "dont-pass":
        words = " · ".join(part for part in (words, format_bar(spot)) if part)
    along: Point = make_point(end.x(m.boxes / 2), (up + bottom) / 2)
    yield fit_text(words, along, 21 if row == "pass" else 18, m.boxes * 0.8)
    if row == "pass":
        upright = make_point(end.x(middle), TOP_MARGIN + (up - TOP_MARGIN) * 0.5)
        yield fit_text(words, upright, 21, up * 0.6, turn=90 * end.way)


#: From the top: the bank, the blank strip before it ("the box"), and at the bottom the stick's own.
BANK_HEIGHT, BLANK_HEIGHT, STICK_HEIGHT = 28.0, 44.0, 50.0
#: The fire and bonus areas before the box, where they are dealt.
FIRE_HEIGHT, BONUS_HEIGHT = 39.0, 56.0
#: How wide a row of circles is beside the propositions.
_CIRCLES_WIDTH = 34.0
_HOPS_PER_ROW = 7


def find_center_strip(m: FeltMeasures, name: str) -> Rectangle:
    """A strip of the center by its name: bank, box, fire, bonus, props, stick."""
    box, down = m.center, m.center.top
    heights = {
        "bank": BANK_HEIGHT,
        "box": BLANK_HEIGHT,
        "fire": FIRE_HEIGHT if m.has("fire") else 0,
        "bonus": BONUS_HEIGHT if m.has("bonus") else 0,
    }
    heights["props"] = box.height - sum(heights.values()) - STICK_HEIGHT
    heights["stick"] = STICK_HEIGHT
    for one, high in heights.items():
        if one == name:
            return make_rectangle(box.left, down, box.right, down + high)
        down += high
    raise LookupError(name)


def _has_spot(m: FeltMeasures, spot: Spot) -> bool:
    """Whether the layout has a spot for it: a house may leave one out, and book its parts."""
    key = f"layout.{spot.family}"
    return key not in m.layout.house.book.elect or m.layout.house.elected(key) is not False


def make_center_zones(m: FeltMeasures) -> Iterator[Zone]:
    """Every zone of the center but the side wagers'."""
    props = find_center_strip(m, "props")
    inner = props
    if m.has("circles"):
        ways = {end.way for end in m.ends}
        inner = make_rectangle(
            props.left + (_CIRCLES_WIDTH if -1 in ways else 0),
            props.top,
            props.right - (_CIRCLES_WIDTH if 1 in ways else 0),
            props.bottom,
        )
        yield from _make_circles(m, props, inner)
    bands = list(_list_bands(m))
    boxes = inner.rows([high for _, high in bands])
    for (kind, _), box in zip(bands, boxes, strict=True):
        yield from _BAND_MAKERS[kind.partition(" ")[0]](m, box, kind)


def _list_bands(m: FeltMeasures) -> Iterator[tuple[str, float]]:
    """The rows of propositions from the box to the stick, and how high each is: none is less than
    the others but by the wagers that lie in it, so that a finger finds each."""
    if any(_has_spot(m, spot) for spot in m.areas.get("above-seven", ())):
        yield "above-seven", 1.0
    if m.has("seven"):
        yield "seven", 1.0
    hard = len(m.areas.get("hard", ()))
    if hard:
        yield "hard", 1.25 * ((hard + 1) // 2)
    if m.has("total"):
        yield "total", 2.0
    if m.has("parts"):
        yield "parts", 1.0
    for index, _ in enumerate(m.areas.get("totals", ())):
        yield f"totals {index}", 1.0
    hops = len(m.areas.get("hop", ()))
    if hops:
        yield "hop", 1.0 * -(-hops // _HOPS_PER_ROW)


def _make_center_zone(
    m: FeltMeasures,
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
        cite=cite_place(kind, m.layout.house.book.id),
    )


def _make_above_seven(m: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """On the line along the top of the box below: its zone ends at that line."""
    spots = tuple(s for s in m.areas["above-seven"] if _has_spot(m, s))
    words = fit_text(
        " / ".join(format_title(s) for s in spots), box.center, box.height * 0.55, box.width
    )
    yield _make_center_zone(m, kind, box, spots, (words,))


def _make_bar(m: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """A bar across: the name at its left, what it pays at its right."""
    area, _, index = kind.partition(" ")
    spots = m.areas["seven" if area == "seven" else "totals"]
    spot = spots[int(index or 0)]
    size, middle = min(17.0, box.height * 0.5), box.center
    words = format_title(spot)
    quarter = box.width / 4
    prints = (
        fit_text(words, middle.moved(-quarter * 0.75, 0), size, quarter * 2.3),
        fit_text(
            format_first_pay(m.layout.house, spot),
            middle.moved(quarter * 1.2, 0),
            size * 0.82,
            quarter * 1.4,
            "pays",
        ),
    )
    yield _make_center_zone(m, area, box, (spot,), prints)


def _read_faces(face: str) -> tuple[int, int]:
    one, two = face.split("-")
    return int(one), int(two)


def _make_dice_box(m: FeltMeasures, box: Rectangle, spot: Spot, kind: str, face: str) -> Zone:
    """A box with the dice that win it, and what it pays."""
    die = min(box.height * 0.42, box.width * 0.3, 17)
    first, second = _read_faces(face)
    middle = box.center
    dice = PrintedDice(first=first, second=second, at=middle.moved(0, -box.height * 0.14), size=die)
    size = min(13.0, box.height * 0.3)
    odds = fit_text(
        format_first_pay(m.layout.house, spot),
        middle.moved(0, box.height * 0.3),
        size,
        box.width - 4,
        "pays",
    )
    return _make_center_zone(m, kind, box, (spot,), (odds,), (dice,))


def _make_hardways(m: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    spots = m.areas["hard"]
    rows = box.rows([1] * ((len(spots) + 1) // 2))
    # Beside each other as on a layout: 6 and 10 above, 8 and 4 below; by what they pay else.
    by_pay = sorted(spots, key=lambda s: s.odds.ratio)
    half = (len(by_pay) + 1) // 2
    for column, group in enumerate((by_pay[:half], by_pay[half:])):
        for row, spot in zip(rows, group, strict=False):
            rule = spot.rule
            assert isinstance(rule, Hardway)
            yield _make_dice_box(m, row.columns(2)[column], spot, "hard", rule.win.value[0])


#: The pair that makes each total which only one pair makes.
_ONLY_PAIRS = {2: "1-1", 3: "1-2", 11: "5-6", 12: "6-6"}


def _make_totals(m: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """Boxes of single totals; a wager high on one of them lies in that box too."""
    spots = m.areas["total"]
    house = m.layout.house
    high = [s for s in m.areas.get("high", ()) if _has_spot(m, s)]
    for spot, cell in zip(spots, box.columns(len(spots)), strict=True):
        rule = spot.rule
        assert isinstance(rule, OneRoll)
        (total,) = rule.win.value
        assert isinstance(total, int)
        if total in _ONLY_PAIRS:
            zone = _make_dice_box(m, cell, spot, "total", _ONLY_PAIRS[total])
        else:
            words = (
                fit_text(str(total), cell.center.moved(0, -6), 20, cell.width - 6, "number"),
                fit_text(
                    format_first_pay(house, spot), cell.center.moved(0, 12), 11, cell.width - 4
                ),
            )
            zone = _make_center_zone(m, "total", cell, (spot,), words)
        there = tuple(s.slug for s in high if s.number == total)
        yield Zone(
            id=zone.id,
            kind=zone.kind,
            end=zone.end,
            shape=zone.shape,
            slugs=(*zone.slugs, *there),
            prints=zone.prints,
            pips=zone.pips,
            cite=zone.cite,
        )


def _make_composites(m: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    spots = m.areas["parts"]
    for spot, cell in zip(spots, box.columns(len(spots)), strict=True):
        assert isinstance(spot.rule, Composite)
        size = min(14.0, cell.height * 0.5)
        yield _make_center_zone(
            m,
            kind,
            cell,
            (spot,),
            (fit_text(format_title(spot), cell.center, size, cell.width - 6),),
        )


def _make_hops(m: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """Pairs first, then the others by their total, in rows of about one length."""
    spots = sorted(m.areas["hop"], key=_hop_sort_key)
    count = -(-len(spots) // _HOPS_PER_ROW)
    each = -(-len(spots) // count)
    for row, band in enumerate(box.rows([1] * count)):
        some = spots[row * each : (row + 1) * each]
        for spot, cell in zip(some, band.columns(len(some)), strict=True):
            first, second = _find_hop_faces(spot)
            die = min(cell.height * 0.42, cell.width * 0.28)
            up = cell.center.moved(0, -cell.height * 0.12)
            odds = fit_text(
                format_first_pay(m.layout.house, spot),
                cell.center.moved(0, cell.height * 0.31),
                min(8.5, cell.height * 0.3),
                cell.width - 3,
                "fine",
            )
            yield _make_center_zone(
                m,
                "hop",
                cell,
                (spot,),
                (odds,),
                (PrintedDice(first=first, second=second, at=up, size=die),),
            )


def _find_hop_faces(spot: Spot) -> tuple[int, int]:
    rule = spot.rule
    assert isinstance(rule, OneRoll)
    return _read_faces(next(face for face in rule.win.value if isinstance(face, str)))


def _hop_sort_key(spot: Spot) -> tuple[bool, int, int]:
    first, second = _find_hop_faces(spot)
    return first != second, first + second, first


def _make_circles(m: FeltMeasures, props: Rectangle, inner: Rectangle) -> Iterator[Zone]:
    """A pair of circles toward each player's place, from the base dealer's side to the stick's."""
    spot = m.areas["circles"][0]
    letters = ("C", "E")
    for end in m.ends:
        left, right = (inner.right, props.right) if end.way == 1 else (props.left, inner.left)
        high = props.height / end.count
        for place in range(end.first, end.last + 1):
            top = props.top + (end.turn(place) - 1) * high
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
                cite=cite_place("circles", m.layout.house.book.id),
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


#: How large a fire spot is, from its middle.
FIRE_SPOT_RADIUS = 9.0
_BUTTON_ROW_HEIGHT = 20.0


def find_fire_spot(m: FeltMeasures, place: int) -> Point:
    """The numbered spot along the edge of the felt that faces a place."""
    out = m.boxes + m.outer + LINE_WIDTH + APRON_WIDTH - FIRE_SPOT_RADIUS - 5
    return m.on_line(place, out, m.height - FIRE_SPOT_RADIUS - 5)


def _make_square(at: Point, size: float) -> Rectangle:
    return make_rectangle(at.x - size, at.y - size, at.x + size, at.y + size)


def make_side_zones(m: FeltMeasures) -> Iterator[Zone]:
    """Fire and bonus, where they are dealt."""
    if m.has("fire"):
        yield from _make_fire_zones(m)
    if m.has("bonus"):
        yield from _make_bonus_zones(m)


def _make_fire_zones(m: FeltMeasures) -> Iterator[Zone]:
    book, fires = m.layout.house.book.id, tuple(s.slug for s in m.areas["fire"])
    for place in range(1, m.places + 1):
        spot = find_fire_spot(m, place)
        yield Zone(
            id=f"fire-{place}",
            kind="fire",
            end=m.frame(place).name,
            shape=_make_square(spot, FIRE_SPOT_RADIUS).outline(*[FIRE_SPOT_RADIUS] * 4),
            slugs=fires,
            prints=(PrintedText(text=str(place), at=spot, size=9, kind="pays"),),
            place=place,
            cite=cite_place("fire", book),
        )
    for place, cell in list_fire_spots_before_box(m):
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


def list_fire_spots_before_box(m: FeltMeasures) -> Iterator[tuple[int, Point]]:
    """The spots before the box with the same numbers, clockwise: 1 at the boxperson's left."""
    area = find_center_strip(m, "fire")
    half = (m.places + 1) // 2
    upper, lower = area.rows([1, 1])
    cells = [*upper.columns(half)[::-1], *lower.columns(half)]
    for place, cell in enumerate(cells[: m.places], start=1):
        yield place, cell.center


def _make_bonus_zones(m: FeltMeasures) -> Iterator[Zone]:
    """A spot for each bonus wager, and under them one for the button of every total."""
    book, spots = m.layout.house.book.id, m.areas["bonus"]
    area = find_center_strip(m, "bonus")
    upper = make_rectangle(area.left, area.top, area.right, area.bottom - _BUTTON_ROW_HEIGHT)
    for spot, cell in zip(spots, upper.columns(len(spots)), strict=True):
        assert isinstance(spot.rule, Collect)
        words = (
            fit_text(
                format_title(spot), cell.center.moved(0, -cell.height * 0.18), 11, cell.width - 6
            ),
            fit_text(
                format_first_pay(m.layout.house, spot),
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
