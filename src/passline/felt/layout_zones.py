"""The zones of a felt: where wagers go, their outlines, and the words printed on them.

The ends have the number boxes, the come area, the field and the lines. The center belongs to the
stick: hardways, totals, hops, circles and the side wagers. Words and payouts are those of the
placard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from passline.felt.geometry import Point, Rectangle, Shape, make_bend, make_point, make_rectangle
from passline.felt.measures import APRON_WIDTH, LINE_WIDTH, TOP_MARGIN, EndFrame, FeltMeasures
from passline.game.house.house import House
from passline.game.house.payouts import find_pay_lines, find_stage_lines
from passline.game.law.shapes.staged import StagedWager
from passline.game.law.wagers import POINT_NUMBERS, Face, FeltArea
from passline.game.layout.spots import Spot
from passline.game.words.placard import group_stages, show_posted_odds
from passline.game.words.wagers import describe_stages, layout_name
from passline.text import join_words

#: The `end` of zones in the center.
CENTER = "center"
#: How words are set: a heading, a number, a payout, or small print.
PrintKind = Literal["word", "number", "pays", "fine"]
#: The widths of capitals, of other letters and digits, and of spaces and marks relative to their
#: size. No bold sans is much wider.
_CAPITAL_WIDTH, _CHARACTER_WIDTH, _MARK_WIDTH = 0.75, 0.68, 0.38


def measure_text(text: str) -> float:
    """Return the approximate length of a text as a multiple of its font size.

    >>> round(measure_text("SIX"), 2), round(measure_text("7 to 1"), 2)
    (2.25, 3.48)
    """
    capitals = sum(char.isupper() for char in text)
    others = sum(char.isalnum() for char in text) - capitals
    marks = len(text) - capitals - others
    return capitals * _CAPITAL_WIDTH + others * _CHARACTER_WIDTH + marks * _MARK_WIDTH


class PrintedText(msgspec.Struct, frozen=True):
    """Words printed on the felt: their center, their size, and their rotation in degrees."""

    text: str
    at: Point
    size: float
    kind: PrintKind = "word"
    turn: int = 0

    @property
    def length(self) -> float:
        """Return the approximate length of the words in felt units."""
        return measure_text(self.text) * self.size


class PrintedDice(msgspec.Struct, frozen=True):
    """Two dice printed on the felt: their faces, the center of the pair, and the size of one."""

    first: int
    second: int
    at: Point
    size: float


class Zone(msgspec.Struct, frozen=True):
    """A printed part of the felt where some wagers (`slugs`) go: its end, its outline, its words.

    `kind` says what it is for (`pass`, `box`). `cite` is the clause or custom for its position. A
    zone for one number or for one rail position has it in `number` or `place`.
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
    """An object at the table, such as the bank. `round` is its radius, `shape` its outline."""

    kind: str
    at: Point
    cite: str
    shape: Shape | None = None
    round: float = 0
    words: str = ""
    end: str = ""


def fit_text(
    text: str, at: Point, size: float, room: float, kind: PrintKind = "word", turn: int = 0
) -> PrintedText:
    """Return a text to print at font size `size`, or smaller so that its length fits into `room`.

    Lengths are in felt units. The text is turned by `turn` degrees.
    """
    size = min(size, room / max(measure_text(text), 1))
    return PrintedText(text=text, at=at, size=round(size, 1), kind=kind, turn=turn)


#: The part of its size below which a title on one line is printed on two instead.
_LEAST_TITLE_PART = 0.75


def fit_title(text: str, at: Point, size: float, room: float) -> tuple[PrintedText, ...]:
    """Return a title on one line or, where it would be too small, on two lines around `at`."""
    line, words = fit_text(text, at, size, room), text.split()
    if line.size >= size * _LEAST_TITLE_PART or len(words) == 1:
        return (line,)
    cuts = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    upper, lower = min(cuts, key=lambda cut: max(map(measure_text, cut)))
    size = min(fit_text(half, at, size * 0.85, room).size for half in (upper, lower))
    places = ((upper, -0.55), (lower, 0.55))
    return tuple(fit_text(half, at.shifted(0, size * down), size, room) for half, down in places)


#: Numbers that layouts spell, so that a 6 is not read as a 9 upside down.
_SPELLED_NUMBERS = {6: "SIX", 9: "NINE"}


def _format_numeral(number: int) -> str:
    return _SPELLED_NUMBERS.get(number, str(number))


def _format_layout_name(spot: Spot) -> str:
    return layout_name(spot.slug).upper()


def _format_bar(spot: Spot) -> str:
    """Return the total that a don't wager bars, as "BAR 12", or "" if it bars none."""
    push = spot.rule.push_totals
    return f"BAR {join_words(push)}" if push else ""


def format_pays(house: House, spot: Spot) -> tuple[str, ...]:
    """Return what a wager pays, in the placard's words.

    The result has one line, or one for each point or set of faces; a combined bet such as a horn
    has none.
    """
    if spot.rule.is_composite:
        return ()
    if spot.by_puck:
        return tuple(f"{n}: {show_posted_odds(house, odds)}" for n, odds in spot.by_puck.items())
    if isinstance(rule := spot.rule, StagedWager):
        stages = group_stages(house, spot.family, rule)
        return tuple(
            f"{describe_stages(rule, at)}: {odds}" for at, odds in stages if spot.number in (0, *at)
        )
    lines = find_pay_lines(house, spot.slug, spot.rule, spot.number)
    if len(lines) == 1 or not lines[0][0].on:
        return tuple(show_posted_odds(house, odds, spot.slug) for _, odds in lines)
    return tuple(
        f"{join_words(pay.on, 'or')}: {show_posted_odds(house, odds, spot.slug)}"
        for pay, odds in lines
    )


def _format_field_extras(house: House, spot: Spot) -> str:
    """Return in words which of the field's totals pay other than the usual odds."""
    groups: dict[str, list[Face]] = {}
    for pay, odds in find_pay_lines(house, spot.slug, spot.rule, spot.number)[1:]:
        groups.setdefault(show_posted_odds(house, odds, spot.slug), []).extend(pay.on)
    return ",  ".join(
        f"{join_words(faces)} {'pays' if len(faces) == 1 else 'pay'} {odds}"
        for odds, faces in groups.items()
    )


def _print_pay(
    measures: FeltMeasures,
    spot: Spot,
    at: Point,
    size: float,
    room: float,
    kind: PrintKind = "pays",
) -> PrintedText:
    """Return the first payout line of a wager as printed text, at most `room` long."""
    lines = find_pay_lines(measures.house, spot.slug, spot.rule, spot.number)
    text = show_posted_odds(measures.house, lines[0][1], spot.slug) if lines else ""
    return fit_text(text, at, size, room, kind)


def _format_side_pays(house: House, spot: Spot) -> str:
    """Return what a side wager pays when it wins: the least and, if it differs, the most.

    That is "20 to 1", or "20 - 80 to 1".
    """
    if isinstance(spot.rule, StagedWager):
        odds = [odds for _, _, odds in find_stage_lines(house, spot.family, spot.rule)]
    else:
        odds = [odds for _, odds in find_pay_lines(house, spot.slug, spot.rule, spot.number)]
    paid = sorted((each for each in odds if each.win), key=lambda each: each.ratio)
    least, most = (show_posted_odds(house, each, spot.slug) for each in (paid[0], paid[-1]))
    return most if least == most else f"{least.split()[0]} - {most}"


def _make_zone(
    measures: FeltMeasures,
    kind: str,
    name: object,
    shape: Rectangle | Shape,
    spots: Iterable[Spot] = (),
    prints: Iterable[PrintedText] = (),
    *,
    end: str = CENTER,
    cite: str | None = None,
    pips: tuple[PrintedDice, ...] = (),
    number: int = 0,
    place: int = 0,
) -> Zone:
    """Return a zone with the id `kind-name`, or `kind` if the name is empty.

    `cite` names the position whose clause it cites (default: the kind).
    """
    return Zone(
        id=f"{kind}-{name}" if name else kind,
        kind=kind,
        end=end,
        shape=shape.outline() if isinstance(shape, Rectangle) else shape,
        slugs=tuple(spot.slug for spot in spots),
        prints=tuple(prints),
        pips=pips,
        number=number,
        place=place,
        cite=measures.cite(kind if cite is None else cite),
    )


#: The radius of the bend of the pass line.
_BEND_RADIUS = 74.0
#: The width of the big 6 and big 8 boxes.
_BIG_BOX_WIDTH = 46.0
#: The strips of a number's column from the dealer, with the areas whose wagers go there.
_COLUMN_STRIPS: dict[str, tuple[FeltArea, ...]] = {
    "head": (),
    "behind": ("behind", "behind-odds"),
    "back": ("place",),
    "box": ("box", "box-odds"),
    "front": ("place",),
}


def make_end_zones(measures: FeltMeasures, end: EndFrame) -> Iterator[Zone]:
    """Yield every zone of an end, from the dealer to the players."""
    for number in measures.numbers:
        yield from _make_column(measures, end, number)
    if "dont-come" in measures.areas:
        yield _make_dont_come_zone(measures, end)
    if "come" in measures.areas:
        spots = measures.areas["come"]
        box = end.make_box(0, measures.boxes + measures.beside, *measures.rows["come"])
        words = fit_text(_format_layout_name(spots[0]), box.center, 46, measures.boxes * 0.7)
        yield _make_zone(measures, "come", end.name, box, spots, (words,), end=end.name)
    yield from _make_field_zones(measures, end)
    yield from _make_line_zones(measures, end)


def _make_column(measures: FeltMeasures, end: EndFrame, number: int) -> Iterator[Zone]:
    """Yield the zones of a number's column, from the dealer's side to the players'.

    They are: head, behind, back line, box and front line.
    """
    for row, areas in _COLUMN_STRIPS.items():
        if row not in measures.rows:
            continue
        box = measures.find_number_strip(end, number, row)
        size = 30 if number in measures.house.book.points.value else 24
        numeral = fit_text(_format_numeral(number), box.center, size, measures.column - 6, "number")
        yield _make_zone(
            measures,
            row,
            f"{number}-{end.name}",
            box,
            (s for area in areas for s in measures.areas.get(area, ()) if s.number == number),
            (numeral,) if row == "box" else (),
            end=end.name,
            cite=areas[0] if areas else "",
            number=number,
        )


def find_dont_come_box(measures: FeltMeasures, end: EndFrame) -> Rectangle:
    """Return the don't come box of an end, outside the numbers and as high as they are.

    If the felt has no don't come box, return the rectangle where it would be.
    """
    bottom = measures.rows["come" if "come" in measures.rows else "pass"][0]
    return end.make_box(
        measures.boxes, measures.boxes + (measures.beside or measures.outer), TOP_MARGIN, bottom
    )


def _make_dont_come_zone(measures: FeltMeasures, end: EndFrame) -> Zone:
    spots, box, turn = measures.areas["dont-come"], find_dont_come_box(measures, end), end.direction
    name, bar = box.center.shifted(8.5 * turn, 20), box.center.shifted(-9.5 * turn, 20)
    room = box.height - 60
    words = (
        fit_text(_format_layout_name(spots[0]), name, 15.5, room, turn=90 * turn),
        fit_text(_format_bar(spots[0]), bar, 14.5, room, "pays", 90 * turn),
    )
    prints = (text for text in words if text.text)
    return _make_zone(measures, "dont-come", end.name, box, spots, prints, end=end.name)


def _make_field_zones(measures: FeltMeasures, end: EndFrame) -> Iterator[Zone]:
    """Yield the zones of the big 6 and the big 8, and of the field in the rest of their row."""
    if "field" not in measures.rows:
        return
    row = measures.rows["field"]
    bigs = measures.areas.get("big", ())[:: end.direction]
    out = measures.boxes + measures.beside - _BIG_BOX_WIDTH * len(bigs)
    for index, spot in enumerate(bigs):
        near = out + index * _BIG_BOX_WIDTH
        box, room = end.make_box(near, near + _BIG_BOX_WIDTH, *row), _BIG_BOX_WIDTH - 6
        words = (
            fit_text("BIG", box.center.shifted(0, -17), 13, room, "pays"),
            fit_text(_format_numeral(spot.number), box.center.shifted(0, 2), 22, room, "number"),
            _print_pay(measures, spot, box.center.shifted(0, 21), 10, room),
        )
        kind = f"big-{spot.number}"
        yield _make_zone(measures, kind, end.name, box, (spot,), words, end=end.name)
    if fields := measures.areas.get("field"):
        box = end.make_box(0, out, *row)
        middle, high = box.center, box.height
        totals = " · ".join(map(str, fields[0].rule.winning_faces))
        extras = _format_field_extras(measures.house, fields[0])
        prints = (
            fit_text(totals, middle.shifted(0, high * 0.01), 20, out - 12, "number"),
            fit_text(
                _format_layout_name(fields[0]), middle.shifted(0, -high * 0.32), 14.5, out * 0.4
            ),
            fit_text(extras, middle.shifted(0, high * 0.34), 14.5, out - 14, "pays"),
        )
        shown = prints if extras else prints[:2]
        yield _make_zone(measures, "field", end.name, box, fields, shown, end=end.name)


#: The radii of the bends of each line, outside and inside.
_LINE_CURVES: dict[FeltArea, tuple[float, float]] = {
    "dont-pass": (18.0, 6.0),
    "pass": (_BEND_RADIUS * 0.6, 18.0),
    "pass-odds": (112.0, _BEND_RADIUS * 0.6),
}


def _make_line_zones(measures: FeltMeasures, end: EndFrame) -> Iterator[Zone]:
    """Yield the zones of the lines, which bend around the corner: don't pass, pass, and apron."""
    edge = measures.boxes + measures.outer
    distances = (measures.boxes + measures.beside, edge, edge + LINE_WIDTH)
    widths = (edge, edge + LINE_WIDTH, edge + LINE_WIDTH + APRON_WIDTH)
    for area, inner, outer in zip(_LINE_CURVES, distances, widths, strict=True):
        spots = measures.areas.get(area)
        if not spots:
            continue
        up, bottom = measures.rows["apron" if area == "pass-odds" else area]
        whole = end.make_box(0, outer, TOP_MARGIN, bottom)
        inside = end.make_box(0, inner, TOP_MARGIN, up)
        yield _make_zone(
            measures,
            area,
            end.name,
            make_bend(whole, inside, end.direction == -1, *_LINE_CURVES[area]),
            (*spots, *(measures.areas.get("dont-pass-odds", ()) if area == "dont-pass" else ())),
            _print_line_name(measures, end, spots[0], area, (inner + outer) / 2),
            end=end.name,
        )


def _print_line_name(
    measures: FeltMeasures, end: EndFrame, spot: Spot, area: FeltArea, middle: float
) -> Iterator[PrintedText]:
    """Yield the printed name of a line along the bottom; the pass line also has it around the end.

    `middle` is the distance of the line's middle from the center of the table. The apron has no
    name.
    """
    if area == "pass-odds":
        return
    up, bottom = measures.rows[area]
    words = _format_layout_name(spot)
    if area == "dont-pass":
        words = " · ".join(part for part in (words, _format_bar(spot)) if part)
    along = make_point(end.x(measures.boxes / 2), (up + bottom) / 2)
    yield fit_text(words, along, 21 if area == "pass" else 18, measures.boxes * 0.8)
    if area == "pass":
        upright = make_point(end.x(middle), TOP_MARGIN + (up - TOP_MARGIN) * 0.5)
        yield fit_text(words, upright, 21, up * 0.6, turn=90 * end.direction)


#: Heights of the bank, of the blank strip in front of it ("the box"), and of the stick's strip.
BANK_HEIGHT, BLANK_HEIGHT, STICK_HEIGHT = 28.0, 44.0, 50.0
#: The width of a column of circles beside the propositions.
_CIRCLES_WIDTH = 34.0
_HOPS_PER_ROW = 7


def find_center_strip(measures: FeltMeasures, name: str) -> Rectangle:
    """Return a strip of the center by name: bank, box, fire, bonus, buttons, props, stick.

    The box is the blank strip in front of the boxperson. Raise LookupError for another name.
    """
    box, down = measures.center, measures.center.top
    heights = {"bank": BANK_HEIGHT, "box": BLANK_HEIGHT, **measures.side_heights}
    heights["props"] = box.height - sum(heights.values()) - STICK_HEIGHT
    heights["stick"] = STICK_HEIGHT
    for one, high in heights.items():
        if one == name:
            return box._replace(top=down, bottom=down + high)
        down += high
    raise LookupError(name)


def _list_printed_spots(measures: FeltMeasures, area: FeltArea) -> tuple[Spot, ...]:
    """Return the wagers of an area, without those that the house elects not to print."""
    house = measures.house
    return tuple(
        spot
        for spot in measures.areas.get(area, ())
        if (key := f"layout.{spot.family}") not in house.book.elect
        or house.elected(key) is not False
    )


def make_center_zones(measures: FeltMeasures) -> Iterator[Zone]:
    """Yield every zone of the center of the table, except those of the fire and bonus wagers."""
    inner = props = find_center_strip(measures, "props")
    if "circles" in measures.areas:
        ways = {end.direction for end in measures.ends}
        left, right = (_CIRCLES_WIDTH if way in ways else 0 for way in (-1, 1))
        inner = props._replace(left=props.left + left, right=props.right - right)
        yield from _make_circles(measures, props, inner)
    bands = list(_list_bands(measures))
    for (make, area, _), box in zip(bands, inner.rows(high for *_, high in bands), strict=True):
        yield from make(measures, box, area)


_BandMaker = Callable[[FeltMeasures, Rectangle, str], Iterator[Zone]]


def _list_bands(measures: FeltMeasures) -> Iterator[tuple[_BandMaker, str, float]]:
    """Yield (function that makes the zones, kind, relative height) of each row of propositions.

    The rows go from the boxperson to the stick.
    """
    if _list_printed_spots(measures, "above-seven"):
        yield _make_above_seven, "above-seven", 1.0
    if "seven" in measures.areas:
        yield _make_bar, "seven", 1.0
    if hards := measures.areas.get("hard"):
        yield _make_hardways, "hard", 1.25 * ((len(hards) + 1) // 2)
    if "total" in measures.areas:
        yield _make_totals, "total", 2.0
    if "parts" in measures.areas:
        yield _make_composites, "parts", 1.0
    for index, _ in enumerate(measures.areas.get("totals", ())):
        yield _make_bar, f"totals {index}", 1.0
    if hops := measures.areas.get("hop"):
        yield _make_hops, "hop", 1.0 * -(-len(hops) // _HOPS_PER_ROW)


def _make_above_seven(measures: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """Yield the zone of wagers on the line above the any seven box."""
    spots = _list_printed_spots(measures, "above-seven")
    title = " / ".join(spot.rule.title.upper() for spot in spots)
    words = fit_text(title, box.center, box.height * 0.55, box.width)
    yield _make_zone(measures, kind, "", box, spots, (words,))


def _make_bar(measures: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """Yield one zone across the center: the wager's name at its left, the payout at its right.

    `kind` is "seven", or "totals" and an index.
    """
    area, _, index = kind.partition(" ")
    spot = measures.areas["seven" if area == "seven" else "totals"][int(index or 0)]
    size, quarter = min(17.0, box.height * 0.5), box.width / 4
    name, pay = box.center.shifted(-quarter * 0.75, 0), box.center.shifted(quarter * 1.2, 0)
    prints = (
        fit_text(spot.rule.title.upper(), name, size, quarter * 2.3),
        _print_pay(measures, spot, pay, size * 0.82, quarter * 1.4),
    )
    yield _make_zone(measures, area, spot.slug, box, (spot,), prints)


def _read_faces(face: Face) -> tuple[int, int]:
    one, two = str(face).split("-")
    return int(one), int(two)


def _make_dice_box(
    measures: FeltMeasures, box: Rectangle, spot: Spot, kind: str, face: Face
) -> Zone:
    """Return a zone with the winning dice `face` (such as "3-3") and the payout of a wager."""
    die = min(box.height * 0.42, box.width * 0.3, 17)
    dice = PrintedDice(*_read_faces(face), box.center.shifted(0, -box.height * 0.14), die)
    below = box.center.shifted(0, box.height * 0.3)
    odds = _print_pay(measures, spot, below, min(13.0, box.height * 0.3), box.width - 4)
    return _make_zone(measures, kind, spot.slug, box, (spot,), (odds,), pips=(dice,))


def _make_hardways(measures: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    spots = measures.areas["hard"]
    # As on a real layout: 6 and 10 above, 8 and 4 below. Other hardways go by what they pay.
    by_pay = sorted(spots, key=lambda s: s.odds.ratio)
    half = (len(by_pay) + 1) // 2
    for column, group in enumerate((by_pay[:half], by_pay[half:])):
        for row, spot in zip(box.rows([1] * half), group, strict=False):
            face = spot.rule.winning_faces[0]
            yield _make_dice_box(measures, row.columns(2)[column], spot, kind, face)


#: The pair of faces of each total that only one pair makes.
_ONLY_PAIRS = {2: "1-1", 3: "1-2", 11: "5-6", 12: "6-6"}


def _make_totals(measures: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """Yield the zones of single totals. A horn high is in the box of its number too."""
    spots, highs = measures.areas["total"], _list_printed_spots(measures, "high")
    for spot, cell in zip(spots, box.columns(len(spots)), strict=True):
        (total,) = spot.rule.winning_faces
        assert isinstance(total, int)
        high = [one for one in highs if one.number == total]
        part = cell.parts(1 + len(high))[0]
        if total in _ONLY_PAIRS:
            zone = _make_dice_box(measures, part, spot, kind, _ONLY_PAIRS[total])
        else:
            words = (
                fit_text(str(total), part.center.shifted(0, -6), 20, part.width - 6, "number"),
                _print_pay(measures, spot, part.center.shifted(0, 12), 11, part.width - 4, "word"),
            )
            zone = _make_zone(measures, kind, spot.slug, part, (spot,), words)
        prints = (text for one in high for text in _print_high(one, cell))
        yield replace(
            zone,
            shape=cell.outline(),
            slugs=(*zone.slugs, *(one.slug for one in high)),
            prints=(*zone.prints, *prints),
        )


def _print_high(spot: Spot, box: Rectangle) -> Iterator[PrintedText]:
    """Yield the name of a horn high, word by word, in its part of the number's box."""
    part = box.parts(2)[1]
    words = spot.rule.title.upper().split()
    size = min(11.0, part.height * 0.36)
    for line, word in enumerate(words):
        at = part.center.shifted(0, (line - (len(words) - 1) / 2) * size * 1.25)
        yield fit_text(word, at, size, part.width - 7, "pays")


def _make_composites(measures: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    spots = measures.areas["parts"]
    for spot, cell in zip(spots, box.columns(len(spots)), strict=True):
        size = min(14.0, cell.height * 0.5)
        title = fit_title(spot.rule.title.upper(), cell.center, size, cell.width - 6)
        yield _make_zone(measures, kind, spot.slug, cell, (spot,), title)


def _make_hops(measures: FeltMeasures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """Yield the zones of the hop bets: pairs first, then by total, in rows of about equal size."""
    hops = ((_read_faces(spot.rule.winning_faces[0]), spot) for spot in measures.areas["hop"])
    ordered = sorted(hops, key=lambda hop: (hop[0][0] != hop[0][1], sum(hop[0]), hop[0][0]))
    count = -(-len(ordered) // _HOPS_PER_ROW)
    each = -(-len(ordered) // count)
    for row, band in enumerate(box.rows([1] * count)):
        some = ordered[row * each : (row + 1) * each]
        for (faces, spot), cell in zip(some, band.columns(len(some)), strict=True):
            die = min(cell.height * 0.42, cell.width * 0.28)
            dice = PrintedDice(*faces, cell.center.shifted(0, -cell.height * 0.12), die)
            below, size = cell.center.shifted(0, cell.height * 0.31), min(8.5, cell.height * 0.3)
            odds = _print_pay(measures, spot, below, size, cell.width - 3, "fine")
            yield _make_zone(measures, kind, spot.slug, cell, (spot,), (odds,), pips=(dice,))


def _make_circles(measures: FeltMeasures, props: Rectangle, inner: Rectangle) -> Iterator[Zone]:
    """Yield the C and E circles of each rail position, from the base dealer to the stick.

    They are in the columns of `props` to the left and right of `inner`.
    """
    spots = measures.areas["circles"][:1]
    for end in measures.ends:
        left, right = (inner.right, props.right) if end.direction == 1 else (props.left, inner.left)
        high, wide = props.height / end.count, right - left
        for place in range(end.first, end.last + 1):
            top = props.top + (end.count_from_dealer(place) - 1) * high
            cell, size = make_rectangle(left, top, right, top + high), min(high * 0.5, 10)
            prints = (
                PrintedText(letter, make_point(x, cell.center.y), size, kind="pays")
                for letter, x in (("C", left + wide * 0.27), ("E", left + wide * 0.73))
            )
            yield _make_zone(measures, "circles", place, cell, spots, prints, place=place)


#: The radius of a fire spot.
FIRE_SPOT_RADIUS = 9.0


def find_fire_spot(measures: FeltMeasures, place: int) -> Point:
    """Return the center of the fire spot in front of the player at rail position `place`."""
    out = measures.boxes + measures.outer + LINE_WIDTH + APRON_WIDTH - FIRE_SPOT_RADIUS - 5
    return measures.find_line_point(place, out, measures.height - FIRE_SPOT_RADIUS - 5)


def make_side_zones(measures: FeltMeasures) -> Iterator[Zone]:
    """Yield the zones of fire and bonus wagers, if they are dealt."""
    if "fire" in measures.areas:
        yield from _make_fire_zones(measures)
    if "bonus" in measures.areas:
        yield from _make_bonus_zones(measures)


def _make_disc(at: Point, size: float, radius: float) -> Shape:
    return at.surround(size, size).outline(*[radius] * 4)


def _make_fire_zones(measures: FeltMeasures) -> Iterator[Zone]:
    for place in range(1, measures.places + 1):
        spot, end = find_fire_spot(measures, place), measures.find_end(place).name
        disc = _make_disc(spot, FIRE_SPOT_RADIUS, FIRE_SPOT_RADIUS)
        words, fires = (PrintedText(str(place), spot, 9, kind="pays"),), measures.areas["fire"]
        yield _make_zone(measures, "fire", place, disc, fires, words, end=end, place=place)
    for place, spot in list_fire_spots_before_box(measures):
        disc = _make_disc(spot, FIRE_SPOT_RADIUS, FIRE_SPOT_RADIUS)
        words = (PrintedText(str(place), spot, 9, kind="pays"),)
        cite = "fire-before-box"
        yield _make_zone(measures, "fire-box", place, disc, (), words, place=place, cite=cite)


def list_fire_spots_before_box(measures: FeltMeasures) -> Iterator[tuple[int, Point]]:
    """Yield (rail position, center) of the fire spots in front of the boxperson.

    The spots go clockwise from the boxperson's left.
    """
    half = (measures.places + 1) // 2
    upper, lower = find_center_strip(measures, "fire").rows([1, 1])
    cells = [*upper.columns(half)[::-1], *lower.columns(half)]
    for place, cell in enumerate(cells[: measures.places], start=1):
        yield place, cell.center


def _make_bonus_zones(measures: FeltMeasures) -> Iterator[Zone]:
    """Yield a zone for each side wager in front of the boxperson, except fire.

    If one of them counts totals, also yield a round spot for the button of each total, below them.
    """
    rows = find_center_strip(measures, "bonus").rows([1] * len(measures.side_rows))
    for wagers, row in zip(measures.side_rows, rows, strict=True):
        for spots, cell in zip(wagers, row.columns(len(wagers)), strict=True):
            yield _make_side_zone(measures, spots, cell)
    buttons = find_center_strip(measures, "buttons")
    if not buttons.height:
        return
    for number, cell in zip(POINT_NUMBERS, buttons.columns(len(POINT_NUMBERS)), strict=True):
        disc = _make_disc(cell.center, buttons.height / 2 - 0.5, buttons.height / 2)
        prints = (PrintedText(str(number), cell.center, 10, kind="pays"),)
        yield _make_zone(measures, "bonus-button", number, disc, (), prints, number=number)


def _make_side_zone(measures: FeltMeasures, spots: tuple[Spot, ...], cell: Rectangle) -> Zone:
    """Return the zone of a side wager: its title, and below it what it pays."""
    title = cell.center.shifted(0, -cell.height * 0.18)
    below = cell.center.shifted(0, cell.height * 0.28)
    words = (
        *fit_title(spots[0].rule.title.upper(), title, 11, cell.width - 6),
        fit_text(_format_side_pays(measures.house, spots[0]), below, 11, cell.width - 6, "pays"),
    )
    return _make_zone(measures, "bonus", spots[0].slug, cell, spots, words)
