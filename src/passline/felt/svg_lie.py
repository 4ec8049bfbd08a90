"""What lies on the felt as SVG: chips with numerals and edges, buttons, pucks, dice, names."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from msgspec.structs import replace

from passline.felt.pieces import Die, Lammer, Lie, Marker, Pile, Plate, Puck, Stack, lift
from passline.felt.places import PUCK
from passline.felt.plan import FeltPlan
from passline.felt.shapes import Point
from passline.felt.svg import colour_class, die, draw_fixture, draw_plan, number, tag, text
from passline.felt.zones import Fixture
from passline.money import show_dollars
from passline.plain import plain
from passline.table import Table

#: The spots around the edge of each colour, as dashes of a round of 48: told apart without colour.
_EDGES = {
    "white": "6 6",
    "red": "4 4",
    "green": "2 4",
    "black": "8 8",
    "purple": "2 2 2 6",
    "yellow": "1 2",
}
_OTHER = "12 12"
_ROUND = 48
#: A chip is drawn ten units from its middle to its edge, and then made as small as it lies.
_RADIUS = 10.0
#: No more chips of a stack are drawn, however many there are.
_MOST = 24
#: What holds the dice that are not in play.
HOLDERS = ("bowl", "cup")
_DIE = {"box": 17.0, "shooter": 15.0, "rest": 15.0, "holder": 10.5}


def chip_numeral(value: int) -> str:
    """A chip's chip_numeral.

    >>> chip_numeral(2500), chip_numeral(25), chip_numeral(250)
    ('25', '25¢', '2.50')
    """
    if value % 100 == 0:
        return str(value // 100)
    return f"{value}¢" if value < 100 else f"{value / 100:.2f}"


def _kind(colour: str) -> str:
    return colour if colour in _EDGES else "other"


def _id(pile: Pile, top: bool) -> str:
    return f"chip-{_kind(pile.colour)}-{pile.value}" if top else f"edge-{_kind(pile.colour)}"


def _chip(pile: Pile, top: bool) -> str:
    kind = _kind(pile.colour)
    parts = [
        tag("circle", r=_RADIUS, class_="disc"),
        tag(
            "circle",
            r=_RADIUS - 1.4,
            class_="spots",
            pathLength=_ROUND,
            stroke_dasharray=_EDGES.get(kind, _OTHER),
        ),
    ]
    if top:
        words = chip_numeral(pile.value)
        size = min(9.5, 13.6 / (0.6 * len(words)))
        parts += [
            tag("circle", r=_RADIUS - 3.4, class_="inlay"),
            text(words, Point(0, 0.3), round(size, 1), "value"),
        ]
    return tag("g", parts, id=_id(pile, top), class_=colour_class(pile.colour))


def _definitions(lie: Lie) -> str:
    made: dict[str, str] = {}
    for stack in lie.stacks:
        for pile in stack.chips:
            for top in (True, False):
                if (known := _id(pile, top)) not in made:
                    made[known] = _chip(pile, top)
    return tag("defs", made.values()) if made else ""


def _stack(stack: Stack) -> str:
    scale, up = stack.size / 2 / _RADIUS, lift(stack)
    colours = [pile for pile in stack.chips for _ in range(pile.count)]
    step = max(1, -(-len(colours) // _MOST))
    shown = [*colours[:-1:step], *colours[-1:]]
    rise = up * max(len(colours) - 1, 0) / max(len(shown) - 1, 1)
    parts = [
        tag("ellipse", cx=0.8, cy=1.4, rx=stack.size / 2, ry=stack.size / 2, class_="shade"),
    ]
    for index, pile in enumerate(shown):
        top = index == len(shown) - 1
        where = f"translate(0 {number(-index * rise)}) scale({scale:.3f})"
        parts.append(tag("use", href=f"#{_id(pile, top)}", transform=where))
    if not shown:  # nothing but coin: no chip of the rack is so small
        parts.append(text(stack.coin, Point(0, 0), 7, "count"))
    words = f"{stack.player}: " if stack.player else ""  # whose it is may be what is asked
    words += f"{stack.name} ${stack.amount}"
    words += f", {stack.how}" if stack.how else ""
    words += "" if stack.working else ", off"
    return tag(
        "g",
        [tag("title", escape(plain(words))), *parts],
        class_="stack" if stack.working else "stack resting",
        transform=f"translate({number(stack.at.x)} {number(stack.at.y)})",
        data_slug=stack.slug,
        data_player=stack.player,
        data_end=stack.end,
        data_amount=stack.amount,
    )


def _lammer(lammer: Lammer) -> str:
    return tag(
        "g",
        [
            tag("circle", cx=lammer.at.x, cy=lammer.at.y, r=lammer.size / 2),
            text(lammer.says, lammer.at.moved(0, 0.2), round(lammer.size * 0.42, 1)),
        ],
        class_=f"lammer {lammer.says.lower()}",
        data_slug=lammer.slug,
        data_player=lammer.player,
    )


def _puck(puck: Puck) -> str:
    says = "ON" if puck.on else "OFF"
    return tag(
        "g",
        [
            tag("title", f"puck {says}{f' {puck.number}' if puck.number else ''}"),
            tag("circle", cx=puck.at.x, cy=puck.at.y, r=PUCK),
            tag("circle", cx=puck.at.x, cy=puck.at.y, r=PUCK - 2, class_="rim"),
            text(says, puck.at.moved(0, 0.4), 8.5 if puck.on else 7.6),
        ],
        class_=f"puck {says.lower()}",
        data_end=puck.end,
    )


def _marker(marker: Marker) -> str:
    return tag(
        "g",
        [
            tag("title", f"{marker.kind}: {marker.number}"),
            tag("circle", cx=marker.at.x, cy=marker.at.y, r=marker.size / 2),
            text(marker.says, marker.at.moved(0, 0.3), 10),
        ],
        class_=f"marker {marker.kind}",
        data_number=marker.number,
    )


def _die(one: Die) -> str:
    turn = {"rest": 24, "shooter": -8}.get(one.where, 0)
    return die(one.face, one.at, _DIE[one.where], turn + (37 if one.at.x % 2 > 1 and turn else 0))


def _plate(plate: Plate) -> str:
    most = max(3, int((plate.room - (18 if plate.shooter else 6)) / 7.6))
    name = plate.name if len(plate.name) <= most else plate.name[: most - 1] + "…"
    money = show_dollars(_cents(plate.rail)) if plate.rail else ""
    sign = -1 if plate.turn == -90 else 1
    across = (0.0, 8.0) if not plate.turn else (-8.0 * sign, 0.0)
    parts = [
        text(name, plate.at.moved(-across[0], -across[1]), 13, "name", plate.turn),
        *([text(money, plate.at.moved(*across), 11.5, "money", plate.turn)] if money else []),
    ]
    if plate.shooter:
        room = len(name) * 4.2 + 12
        along = (-room, -across[1]) if not plate.turn else (-across[0], -room * sign)
        parts.append(tag("g", [die(5, plate.at.moved(*along), 10)], class_="die"))
    state = "plate" if plate.here else "plate gone"
    return tag("g", parts, class_=state, data_player=plate.player, data_place=plate.place)


def _cents(amount: str) -> int:
    whole, _, part = amount.partition(".")
    return int(whole) * 100 + int(part or 0)


def _holders(plan: FeltPlan) -> list[Fixture]:
    """The bowl or the cup."""
    return [fixture for fixture in plan.fixtures if fixture.kind in HOLDERS]


def draw_lie(plan: FeltPlan, lie: Lie) -> Iterator[str]:
    """Everything that lies on a felt, from the cloth up."""
    yield _definitions(lie)
    if lie.stick_down and lie.holder is not None:
        x, y = lie.holder
        yield tag("line", x1=x - 90, y1=y + 6, x2=x + 90, y2=y - 6, class_="stick")
    yield from (draw_fixture(replace(one, at=lie.holder)) for one in _holders(plan) if lie.holder)
    yield from (_marker(marker) for marker in lie.markers)
    yield from (_puck(puck) for puck in lie.pucks)
    yield from (_stack(stack) for stack in sorted(lie.stacks, key=lambda s: s.at.y))
    yield from (_lammer(lammer) for lammer in lie.lammers)
    yield tag("g", [_die(one) for one in lie.dice], class_="die")
    yield from (_plate(plate) for plate in lie.plates)


def draw_table(
    table: Table,
    plan: FeltPlan,
    lie: Lie,
    view: str = "whole",
    alone: bool = False,
    theme: str = "",
) -> str:
    """A table as SVG: its plan, and everything that lies on it."""
    house = table.house
    title = f"{house.name}: {house.game}"
    return draw_plan(plan, draw_lie(plan, lie), view, title, alone, theme, HOLDERS)
