"""Draw the felt as SVG: its plan, what is on it, and stacks of chips seen from the side.

SVG for a page has no inline styles, so it passes a strict content security policy; a file of its
own includes its style sheet. A page includes the chips of its rack once (`draw_chip_symbols`);
every stack seen from the side refers to them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache
from importlib import resources
from xml.sax.saxutils import escape, quoteattr

from msgspec.structs import replace

from passline.felt.chip_places import PUCK_RADIUS
from passline.felt.geometry import Point, Shape
from passline.felt.layout_contents import (
    ChipPile,
    ChipStack,
    Die,
    Lammer,
    LayoutContents,
    Marker,
    NamePlate,
    Puck,
    find_chip_lift,
)
from passline.felt.layout_zones import Fixture, PrintedDice, PrintedText, Zone, measure_text
from passline.felt.plan import RAIL_WIDTH, FeltPlan
from passline.game.money.amounts import from_dollars, show_dollars
from passline.game.money.chips import Chip, Chips
from passline.game.table.state import Table
from passline.text import escape_unprintable, show_name

SVG_NAMESPACE = "http://www.w3.org/2000/svg"
#: Positions of the pips of a die, in thirds of its face.
_PIP_POSITIONS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}

#: The font size of players' names at the rail.
_NAME_SIZE = 13
#: A name plate with less room than this has no room for dice beside the name.
_NARROW_PLATE = 60


@cache
def read_style_sheet() -> str:
    """Return the style sheet of the drawings, light and dark, for a page to serve."""
    return resources.files("passline.felt").joinpath("felt.css").read_text("utf-8")


def format_number(value: float) -> str:
    """Return a number with as few digits as it needs.

    >>> format_number(12.50), format_number(3.0)
    ('12.5', '3')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def make_element(name: str, inside: Iterable[str] | str = "", **attributes: object) -> str:
    """Return an SVG element with the tag `name` and `inside` as its content.

    Of the attributes, `class_` becomes class, `data_slug` data-slug, and None is omitted.
    """
    words = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_format_value(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    body = inside if isinstance(inside, str) else "".join(inside)
    return f"<{name}{words}>{body}</{name}>" if body else f"<{name}{words}/>"


def _format_value(value: object) -> str:
    return (
        format_number(value) if isinstance(value, int | float) else escape_unprintable(str(value))
    )


def format_path(shape: Shape) -> str:
    """Return an outline as SVG path data with rounded corners.

    >>> from passline.felt.geometry import make_rectangle
    >>> format_path(make_rectangle(0, 0, 4, 2).outline())
    'M0 0L4 0L4 2L0 2Z'
    """
    points = shape.points
    radii = (*shape.corners, *[0.0] * (len(points) - len(shape.corners)))
    steps: list[str] = []
    for index, point in enumerate(points):
        before, after = points[index - 1], points[(index + 1) % len(points)]
        radius = min(radii[index], point.distance_to(before), point.distance_to(after))
        verb = "L" if steps else "M"
        if not radius:
            steps.append(f"{verb}{_format_point(point)}")
            continue
        start, stop = point.toward(before, radius), point.toward(after, radius)
        turns = (point.x - before.x) * (after.y - point.y) > (point.y - before.y) * (
            after.x - point.x
        )
        round_ = format_number(radius)
        steps.append(
            f"{verb}{_format_point(start)}A{round_} {round_} 0 0 {int(turns)} {_format_point(stop)}"
        )
    return "".join(steps) + "Z"


def _format_point(point: Point) -> str:
    return f"{format_number(point.x)} {format_number(point.y)}"


def _format_turn(turn: int, at: Point) -> str | None:
    return f"rotate({turn} {_format_point(at)})" if turn else None


def _escape_text(words: str) -> str:
    return escape(escape_unprintable(words))


def _draw_circle(at: Point, radius: float, class_: str | None = None) -> str:
    return make_element("circle", cx=at.x, cy=at.y, r=radius, class_=class_)


def draw_text_at(words: str, at: Point, size: float, class_: str = "", turn: int = 0) -> str:
    """Return an SVG text centered at a point, rotated by `turn` degrees."""
    return make_element(
        "text",
        _escape_text(words),
        class_=class_ or None,
        font_size=size,
        transform=_format_turn(turn, at),
        x=at.x,
        y=at.y,
    )


@lru_cache(2048)
def draw_die(face: int, at: Point, size: float, turn: int = 0) -> str:
    """Return one die as SVG, seen from above, rotated by `turn` degrees. Face 0 shows no pips."""
    half, step, pip = size / 2, size * 0.26, size * 0.1
    dots = [
        make_element("circle", cx=at.x + dx * step, cy=at.y + dy * step, r=pip)
        for dx, dy in _PIP_POSITIONS.get(face, ())
    ]
    corner, rounding = at.x - half, size * 0.18
    body = make_element("rect", x=corner, y=at.y - half, width=size, height=size, rx=rounding)
    return make_element("g", [body, *dots], transform=_format_turn(turn, at))


def _draw_printed_dice(pips: PrintedDice) -> str:
    apart = pips.size * 0.57
    dice = ((pips.first, -apart), (pips.second, apart))
    drawn = [draw_die(face, pips.at.shifted(dx, 0), pips.size) for face, dx in dice]
    return make_element("g", drawn, class_="pips")


def _draw_printed_text(words: PrintedText) -> str:
    return draw_text_at(words.text, words.at, words.size, words.kind, words.turn)


def _draw_zone(zone: Zone) -> str:
    rings = []
    if zone.kind == "circles":
        radius = min(zone.shape.bounding_box.height * 0.46, zone.shape.bounding_box.width * 0.22)
        rings = [_draw_circle(words.at, radius, "ring") for words in zone.prints]
    return make_element(
        "g",
        [
            make_element("path", d=format_path(zone.shape)),
            *rings,
            *(_draw_printed_dice(pips) for pips in zone.pips),
            *(_draw_printed_text(words) for words in zone.prints),
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
    """Return an object at the table, such as the bank or a crew member's name, as SVG."""
    if fixture.kind.startswith("post-"):
        return draw_text_at(fixture.words, fixture.at, 13, "post")
    inside = []
    if fixture.shape is not None:
        inside.append(make_element("path", d=format_path(fixture.shape)))
    if fixture.round:
        inside += [_draw_circle(fixture.at, fixture.round * part) for part in (1, 0.82)]
    if fixture.words:
        inside.append(draw_text_at(fixture.words, fixture.at, 10, "boxed"))
    return make_element("g", inside, class_=f"fixture {fixture.kind}")


#: The spots around the edge of each chip color, as dashes on a circle of length 48. The patterns
#: tell the colors apart without color. Other colors share one look.
_EDGE_DASHES = {
    "white": "6 6",
    "red": "4 4",
    "green": "2 4",
    "black": "8 8",
    "purple": "2 2 2 6",
    "yellow": "1 2",
}
_OTHER_EDGE_DASHES = "12 12"
_EDGE_LENGTH = 48


def chip_class(color: str) -> str:
    """Return the CSS class for a chip color."""
    return f"chip-{_find_color_kind(color)}"


def _find_color_kind(color: str) -> str:
    return color if color in _EDGE_DASHES else "other"


def _draw_bank(plan: FeltPlan) -> Iterator[str]:
    """Yield the chips in the bank as SVG: two rows with every color."""
    bank = next((f.shape for f in plan.fixtures if f.kind == "bank"), None)
    if bank is None or not plan.bank:
        return
    for row in bank.bounding_box.grown(-8, -4).rows([1, 1]):
        for color, tub in zip(plan.bank, row.columns(len(plan.bank)), strict=True):
            for chip in range(count := max(2, int(tub.width / 5))):
                wide = (tub.width - 6) / count
                yield make_element(
                    "rect",
                    x=tub.left + 3 + chip * wide,
                    y=tub.top + 1,
                    width=wide * 0.86,
                    height=tub.height - 2,
                    rx=1,
                    class_=f"tub {chip_class(color)}",
                )


def _draw_rail(plan: FeltPlan) -> Iterator[str]:
    """Yield the rail and the cloth as SVG."""
    corners = [radius + RAIL_WIDTH * 0.6 for radius in plan.outline.corners]
    outer = plan.views["whole"].grown(-2, -2).outline(*corners)
    yield make_element("path", d=format_path(outer), class_="rail")
    yield make_element("path", d=format_path(plan.outline), class_="cloth")


def draw_plan(
    plan: FeltPlan,
    overlay: Iterable[str] = (),
    view: str = "whole",
    title: str = "",
    standalone: bool = False,
    theme: str = "",
    hidden_fixtures: Collection[str] = (),
) -> str:
    """Return a view of the plan as SVG, with the `overlay` drawn on it.

    `hidden_fixtures` are kinds of fixtures to leave out. With `standalone` the style sheet is
    included, for a file of its own. `theme` is `light` or `dark`, or "" for the reader's
    preference.
    """
    seen = plan.views[view]
    frame = " ".join(map(format_number, (seen.left, seen.top, seen.width, seen.height)))
    parts = [
        make_element("title", _escape_text(title)) if title else "",
        make_element("style", escape(read_style_sheet())) if standalone else "",
        *_draw_rail(plan),
        *(draw_fixture(one) for one in plan.fixtures if one.kind not in hidden_fixtures),
        *_draw_bank(plan),
        *(_draw_zone(zone) for zone in plan.zones),
        make_element("path", d=format_path(plan.outline), class_="rail-lip"),
        *(_draw_printed_text(words) for words in plan.prints),
        *overlay,
    ]
    return make_element(
        "svg",
        parts,
        xmlns=SVG_NAMESPACE,
        viewBox=frame,
        class_="felt",
        data_theme=theme or None,
        role="img",
        aria_label=title or plan.name,
    )


#: The radius at which a chip is drawn before it is scaled to its size on the felt.
_CHIP_RADIUS = 10.0
#: The most chips drawn of one stack.
_MOST_DRAWN_CHIPS = 24
#: Fixtures that hold the dice that are not in play.
DICE_HOLDERS = ("bowl", "cup")
_DIE_SIZES = {"box": 17.0, "shooter": 15.0, "rest": 15.0, "holder": 10.5}


def format_chip_value(value: int) -> str:
    """Return the numeral on a chip, given its value in cents.

    >>> format_chip_value(2500), format_chip_value(25), format_chip_value(250)
    ('25', '25¢', '2.50')
    """
    if value % 100 == 0:
        return str(value // 100)
    return f"{value}¢" if value < 100 else f"{value / 100:.2f}"


def _make_chip_id(pile: ChipPile, top: bool) -> str:
    kind = _find_color_kind(pile.colour)
    return f"chip-{kind}-{pile.value}" if top else f"edge-{kind}"


def _draw_chip(pile: ChipPile, top: bool) -> str:
    kind = _find_color_kind(pile.colour)
    parts = [
        make_element("circle", r=_CHIP_RADIUS, class_="disc"),
        make_element(
            "circle",
            r=_CHIP_RADIUS - 1.4,
            class_="spots",
            pathLength=_EDGE_LENGTH,
            stroke_dasharray=_EDGE_DASHES.get(kind, _OTHER_EDGE_DASHES),
        ),
    ]
    if top:
        words = format_chip_value(pile.value)
        size = min(9.5, 13.6 / (0.6 * len(words)))
        parts += [
            make_element("circle", r=_CHIP_RADIUS - 3.4, class_="inlay"),
            draw_text_at(words, Point(0, 0.3), round(size, 1), "value"),
        ]
    return make_element("g", parts, id=_make_chip_id(pile, top), class_=chip_class(pile.colour))


def _draw_definitions(piles: Iterable[ChipPile]) -> str:
    """Return SVG definitions of the chips in these piles, each once, for stacks to refer to."""
    made: dict[str, str] = {}
    for pile in piles:
        for top in (True, False):
            if (known := _make_chip_id(pile, top)) not in made:
                made[known] = _draw_chip(pile, top)
    return make_element("defs", made.values()) if made else ""


def draw_rack_definitions(chips: Iterable[Chip]) -> str:
    """Return SVG definitions of these chips, for a page that gets its stacks one by one."""
    return _draw_definitions(ChipPile(chip.color, chip.value, 1) for chip in chips)


@lru_cache(8192)
def _draw_chip_stack(stack: ChipStack) -> str:
    scale, up = stack.size / 2 / _CHIP_RADIUS, find_chip_lift(stack)
    colors = [pile for pile in stack.chips for _ in range(pile.count)]
    step = max(1, -(-len(colors) // _MOST_DRAWN_CHIPS))
    shown = [*colors[:-1:step], *colors[-1:]]
    rise = up * max(len(colors) - 1, 0) / max(len(shown) - 1, 1)
    radius = stack.size / 2
    parts = [make_element("ellipse", cx=0.8, cy=1.4, rx=radius, ry=radius, class_="shade")]
    for index, pile in enumerate(shown):
        top = index == len(shown) - 1
        where = f"translate(0 {format_number(-index * rise)}) scale({scale:.3f})"
        parts.append(make_element("use", href=f"#{_make_chip_id(pile, top)}", transform=where))
    if not shown:  # The stake is smaller than any chip.
        parts.append(draw_text_at(stack.coin, Point(0, 0), 7, "count"))
    # A drill may hide the player's name.
    words = f"{show_name(stack.player)}: " if stack.player else ""
    words += f"{stack.name} {show_dollars(from_dollars(stack.amount))}"
    words += f", {stack.how}" if stack.how else ""
    words += "" if stack.working else ", off"
    return make_element(
        "g",
        [make_element("title", _escape_text(words)), *parts],
        class_="stack" if stack.working else "stack resting",
        transform=f"translate({_format_point(stack.at)})",
        data_slug=stack.slug,
        data_player=stack.player,
        data_end=stack.end,
        data_amount=stack.amount,
    )


@lru_cache(1024)
def _draw_lammer(lammer: Lammer) -> str:
    return make_element(
        "g",
        [
            _draw_circle(lammer.at, lammer.size / 2),
            draw_text_at(lammer.says, lammer.at.shifted(0, 0.2), round(lammer.size * 0.42, 1)),
        ],
        class_=f"lammer {lammer.says.lower()}",
        data_slug=lammer.slug,
        data_player=lammer.player,
    )


@lru_cache(1024)
def _draw_puck(puck: Puck) -> str:
    says = "ON" if puck.on else "OFF"
    return make_element(
        "g",
        [
            make_element("title", f"puck {says}{f' {puck.number}' if puck.number else ''}"),
            _draw_circle(puck.at, PUCK_RADIUS),
            _draw_circle(puck.at, PUCK_RADIUS - 2.5, "rim"),
            draw_text_at(says, puck.at.shifted(0, 0.4), 13 if puck.on else 11.5),
        ],
        class_=f"puck {says.lower()}",
        data_end=puck.end,
    )


@lru_cache(1024)
def _draw_marker(marker: Marker) -> str:
    return make_element(
        "g",
        [
            make_element("title", f"{marker.kind}: {marker.number}"),
            _draw_circle(marker.at, marker.size / 2),
            draw_text_at(marker.says, marker.at.shifted(0, 0.3), 10),
        ],
        class_=f"marker {marker.kind}",
        data_number=marker.number,
    )


def _draw_table_die(one: Die) -> str:
    turn = {"rest": 24, "shooter": -8}.get(one.where, 0)
    more = 37 if one.at.x % 2 > 1 and turn else 0
    return draw_die(one.face, one.at, _DIE_SIZES[one.where], turn + more)


def draw_dice(dice: Iterable[Die]) -> str:
    """Return dice on the felt as SVG."""
    return make_element("g", [_draw_table_die(one) for one in dice], class_="die")


def _shorten_name(name: str, room: float) -> str:
    """Return a player's name, cut off after as many letters as fit into `room` (felt units).

    >>> _shorten_name("Ann", 60), _shorten_name("Christopher", 60)
    ('Ann', 'Christ…')
    """
    if measure_text(name) * _NAME_SIZE <= room:
        return name
    for most in range(len(name) - 1, 2, -1):
        short = f"{name[:most].rstrip()}…"
        if measure_text(short) * _NAME_SIZE <= room:
            return short
    return f"{name[:2]}…"


@lru_cache(1024)
def _draw_plate(plate: NamePlate) -> str:
    narrow = plate.room < _NARROW_PLATE
    beside = 8 if narrow else 26 if plate.shooter else 10
    name = _shorten_name(plate.name, plate.room - beside)
    money = show_dollars(from_dollars(plate.rail)) if plate.rail else ""
    sign = -1 if plate.turn == -90 else 1
    across = (0.0, 8.0) if not plate.turn else (-8.0 * sign, 0.0)
    above = plate.at.shifted(-across[0], -across[1])
    parts = [draw_text_at(name, above, _NAME_SIZE, "name", plate.turn)]
    if money:
        parts.append(draw_text_at(money, plate.at.shifted(*across), 11.5, "money", plate.turn))
    if plate.shooter:
        room = measure_text(name) * _NAME_SIZE / 2 + 12
        along = (-room, -across[1]) if not plate.turn else (-across[0], -room * sign)
        if narrow:  # Under the money, where it takes no letters from the name.
            along = (across[0] * 2.4, across[1] * 2.4)
        parts.append(make_element("g", [draw_die(5, plate.at.shifted(*along), 10)], class_="die"))
    state = "plate" if plate.here else "plate gone"
    return make_element("g", parts, class_=state, data_player=plate.player, data_place=plate.place)


def draw_pieces(plan: FeltPlan, contents: LayoutContents) -> dict[str, str]:
    """Return each thing on a felt as SVG by a key such as ``stack/ann/pass`` or ``puck/left``.

    The keys are in drawing order, from the cloth up.
    """
    pieces: dict[str, str] = {}
    if contents.holder is not None:
        x, y = contents.holder
        if contents.stick_down:
            line = make_element("line", x1=x - 90, y1=y + 6, x2=x + 90, y2=y - 6, class_="stick")
            pieces["stick"] = line
        for holder in (fixture for fixture in plan.fixtures if fixture.kind in DICE_HOLDERS):
            pieces[f"holder/{holder.kind}"] = draw_fixture(replace(holder, at=contents.holder))
    for index, marker in enumerate(contents.markers):
        pieces[f"marker/{index}"] = _draw_marker(marker)
    for puck in contents.pucks:
        pieces[f"puck/{puck.end}"] = _draw_puck(puck)
    for stack in sorted(contents.stacks, key=lambda stack: stack.at.y):
        pieces[f"stack/{stack.player}/{stack.slug}"] = _draw_chip_stack(stack)
    for lammer in contents.lammers:
        pieces[f"lammer/{lammer.player}/{lammer.slug}/{lammer.says}"] = _draw_lammer(lammer)
    pieces["dice"] = draw_dice(contents.dice)
    for plate in contents.plates:
        pieces[f"plate/{plate.player}"] = _draw_plate(plate)
    return pieces


def draw_contents(plan: FeltPlan, contents: LayoutContents) -> Iterator[str]:
    """Yield everything on a felt as SVG, from the cloth up, after the definitions of the chips."""
    yield _draw_definitions(pile for stack in contents.stacks for pile in stack.chips)
    yield from draw_pieces(plan, contents).values()


def draw_table(
    table: Table,
    plan: FeltPlan,
    contents: LayoutContents,
    view: str = "whole",
    standalone: bool = False,
    theme: str = "",
) -> str:
    """Return a view of a table as SVG: its plan, and everything on it.

    The parameters `view`, `standalone` and `theme` are those of `draw_plan`.
    """
    title = f"{table.house.name}: {table.house.game}"
    overlay = draw_contents(plan, contents)
    return draw_plan(plan, overlay, view, title, standalone, theme, DICE_HOLDERS)


#: The size of a chip seen from the side, and the part of it that shows under another chip.
CHIP_WIDTH, CHIP_HEIGHT, CHIP_STEP = 48, 26, 6
_CHIP_MIDDLE, _HALF_WIDTH, _HALF_DEPTH, _CHIP_THICKNESS = 24, 22, 9, 6
#: The most chips in one pile. More chips start another pile beside it.
TALLEST_PILE = 20
_PILE_GAP = 6
#: The scale of a stack on a page.
_STACK_SCALE = 1.4
#: The spots on the edge of each color, as dashes on the half circle that is visible.
_SIDE_DASHES = {"white": "8 8", "red": "6 6", "green": "3 6", "black": "11 11", "purple": "3 3 3 9"}
_SIDE_DASHES |= {"yellow": "2 3"}


def draw_chip_symbols(chips: Iterable[Chip]) -> str:
    """Return the chips of a rack as SVG symbols, from which stacks are drawn."""
    return make_element(
        "svg",
        make_element("defs", map(_draw_symbol, chips)),
        xmlns=SVG_NAMESPACE,
        width=0,
        height=0,
        aria_hidden="true",
        class_="chip-symbols",
    )


def _draw_symbol(chip: Chip) -> str:
    left, top = _CHIP_MIDDLE - _HALF_WIDTH, _HALF_DEPTH + 1
    half = f"a{_HALF_WIDTH} {_HALF_DEPTH} 0 0 0 {2 * _HALF_WIDTH} 0"
    side = f"M{left} {top}v{_CHIP_THICKNESS}{half}v-{_CHIP_THICKNESS}z"
    words = format_chip_value(chip.value)
    size = 8 if len(words) > 3 else 9.5
    return make_element(
        "symbol",
        [
            make_element("path", d=side, class_="disc"),
            make_element(
                "path",
                d=f"M{left} {top + _CHIP_THICKNESS / 2}{half}",
                class_="spots edge",
                pathLength=60,
                stroke_dasharray=_SIDE_DASHES.get(chip.color, "15 15"),
            ),
            *(
                make_element("ellipse", cx=_CHIP_MIDDLE, cy=top, rx=across, ry=deep, class_=class_)
                for across, deep, class_ in (
                    (_HALF_WIDTH, _HALF_DEPTH, "disc"),
                    (_HALF_WIDTH - 6, _HALF_DEPTH - 2.5, "inlay"),
                )
            ),
            draw_text_at(words, Point(_CHIP_MIDDLE, top + 0.4), size, "value"),
        ],
        id=f"slab-{chip.color}",
        viewBox=f"0 0 {CHIP_WIDTH} {CHIP_HEIGHT}",
        class_=chip_class(chip.color),
    )


def draw_stack(chips: Chips) -> str:
    """Return a stack of chips seen from the side as SVG, the largest color underneath.

    The page must contain `draw_chip_symbols`, to which the stack refers.
    """
    every = [chip.color for chip, count in chips.piles for _ in range(count)]
    piles = [every[at : at + TALLEST_PILE] for at in range(0, len(every), TALLEST_PILE)]
    high = CHIP_HEIGHT + CHIP_STEP * (max(map(len, piles), default=1) - 1)
    wide = max(1, len(piles)) * (CHIP_WIDTH + _PILE_GAP) - _PILE_GAP
    uses = (
        make_element(
            "use",
            href=f"#slab-{color}",
            x=at * (CHIP_WIDTH + _PILE_GAP),
            y=high - CHIP_HEIGHT - up * CHIP_STEP,
            width=CHIP_WIDTH,
            height=CHIP_HEIGHT,
        )
        for at, pile in enumerate(piles)
        for up, color in enumerate(pile)
    )
    return make_element(
        "svg",
        uses,
        xmlns=SVG_NAMESPACE,
        viewBox=f"0 0 {wide} {high}",
        width=round(wide * _STACK_SCALE),
        height=round(high * _STACK_SCALE),
        role="img",
        aria_label=str(chips),
        class_="chip-stack",
    )
