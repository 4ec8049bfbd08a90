"""Everything on the felt of a table: stacks, buttons, pucks, markers, dice and name plates.

`find_layout_contents` computes them from the table; `chip_places` says where the chips lie. The
values go to JSON unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal

import msgspec

from passline.crew.cut_payoff import find_laid_position
from passline.crew.on_off_buttons import find_buttons
from passline.felt.areas import load_felt
from passline.felt.chip_places import BESIDE_SHIFT, LARGEST_CHIP, PUCK_RADIUS, StackPlaces
from passline.felt.geometry import Point, make_point
from passline.felt.layout_zones import (
    find_dont_come_box,
)
from passline.felt.measures import (
    APRON_WIDTH,
    DEALERS_PLACE,
    LINE_WIDTH,
    TOP_MARGIN,
    EndFrame,
    FeltMeasures,
)
from passline.felt.plan import FeltPlan, find_bowl, find_resting_dice, is_manned, plan_and_measure
from passline.game.law.wagers import FeltArea
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Stake
from passline.game.money.amounts import to_dollars
from passline.game.money.chips import Chips
from passline.game.table.dice_custody import dice_set_size
from passline.game.table.state import DEALERS, NOBODY, Seat, Table
from passline.game.table.table_ends import count_places, find_dice_end
from passline.game.words.wagers import felt_wager_name
from passline.text import show_name

#: How a stack is placed relative to the stack that it belongs to.
StackPosition = Literal["", "offset", "heeled", "bridged"]


class ChipPile(msgspec.Struct, frozen=True):
    """Chips of one color in a stack: the color, the value of one chip in cents, and the count."""

    colour: str
    value: int
    count: int


class ChipStack(msgspec.Struct, frozen=True, kw_only=True):
    """One wager as a stack of chips, the largest color underneath.

    `how` says how the stack is placed relative to the wager named in `on`. `amount` is in dollars,
    as text, and `coin` the part of it that is smaller than any chip. `working` is False if the
    wager is off. `at` is the center and `size` the chips' diameter in felt units.
    """

    slug: str
    name: str
    player: str
    end: str
    at: Point
    size: float
    amount: str
    chips: tuple[ChipPile, ...]
    coin: str = ""
    how: StackPosition = ""
    on: str = ""
    working: bool = True


class Lammer(msgspec.Struct, frozen=True):
    """A button (lammer) that lies on a stack of chips and `says` ON, OFF, BUY or LAY.

    With `all`, it covers all the player's wagers of that kind.
    """

    says: Literal["ON", "OFF", "BUY", "LAY"]
    slug: str
    player: str
    at: Point
    size: float
    all: bool = False


class Puck(msgspec.Struct, frozen=True):
    """The puck of one end of the table: on a number, or off (`number` is 0)."""

    end: str
    on: bool
    number: int
    at: Point


class Marker(msgspec.Struct, frozen=True):
    """A marker on a number that a player has made for fire, bonus craps or the shootout.

    `says` is its text, and `size` its width in felt units.
    """

    kind: Literal["fire", "bonus", "shootout"]
    number: int
    says: str
    at: Point
    size: float


class Die(msgspec.Struct, frozen=True):
    """A die: its top face (0 if not known), what it is near (`where`), and its position."""

    face: int
    where: Literal["box", "shooter", "rest", "holder"]
    at: Point


class NamePlate(msgspec.Struct, frozen=True):
    """A player's name at the rail, the dollars in the rail, and whether the player is the shooter.

    `place` is the rail position, `turn` the rotation in degrees, and `here` whether the player is
    still at the table.
    """

    player: str
    name: str
    place: int
    end: str
    at: Point
    turn: int
    rail: str
    shooter: bool
    here: bool
    #: The space for the name, in felt units.
    room: float


class LayoutContents(msgspec.Struct, frozen=True, kw_only=True):
    """Everything on the felt of a table: chips, buttons (lammers), pucks, markers, dice, names."""

    stacks: tuple[ChipStack, ...]
    lammers: tuple[Lammer, ...]
    pucks: tuple[Puck, ...]
    markers: tuple[Marker, ...]
    dice: tuple[Die, ...]
    plates: tuple[NamePlate, ...]
    #: The position of the bowl or cup, if there is one, and whether the stick is under it.
    holder: Point | None = None
    stick_down: bool = False


#: How much each chip raises a stack, and the most a whole stack rises, in chip widths.
CHIP_LIFT, TALLEST_STACK = 0.085, 0.5


def find_chip_lift(stack: ChipStack) -> float:
    """Return how much higher each chip of a stack is drawn than the one beneath, in felt units."""
    count = max(sum(pile.count for pile in stack.chips), 1)
    return min(CHIP_LIFT, TALLEST_STACK / count) * stack.size


def find_stack_height(stack: ChipStack) -> float:
    """Return how much higher the top of a stack is drawn than its foot, in felt units."""
    return find_chip_lift(stack) * max(sum(pile.count for pile in stack.chips) - 1, 0)


#: The radius of a marker, which is wider than any chip.
MARKER_RADIUS = LARGEST_CHIP / 2 + 1


@lru_cache(2048)
def find_plate(measures: FeltMeasures, place: int) -> tuple[Point, int]:
    """Return (position, rotation in degrees) of the name plate at rail position `place`."""
    end = measures.find_end(place)
    out = measures.boxes + measures.outer + LINE_WIDTH + APRON_WIDTH + 24
    spot = measures.find_line_point(place, out, measures.height + 24)
    return spot, 0 if end.find_share(place).row else 90 * end.direction


@lru_cache(2048)
def find_plate_room(measures: FeltMeasures, place: int) -> float:
    """Return the distance from a name plate to the nearest one beside it, in felt units.

    `place` is the plate's rail position. Return 100 if there is no plate beside it.
    """
    end = measures.find_end(place)
    beside = [p for p in (place - 1, place + 1) if end.first <= p <= end.last]
    near = [p for p in beside if measures.find_share(p).row == measures.find_share(place).row]
    here, _ = find_plate(measures, place)
    distances = (here.distance_to(find_plate(measures, p)[0]) for p in near)
    return round(min(distances, default=100.0), 1)


def find_puck(measures: FeltMeasures, end: EndFrame, number: int) -> Point:
    """Return where the puck of an end is when it is on a number, or off (0).

    On, it is at the head of the number's column; off, in the don't come box.
    """
    if number:
        return measures.find_number_strip(end, number, "head").center
    box = find_dont_come_box(measures, end)
    return make_point(box.center.x, TOP_MARGIN + PUCK_RADIUS + 4)


def find_marker(measures: FeltMeasures, end: EndFrame, number: int, out: bool) -> Point:
    """Return where a marker is at the head of a number's column, beside the puck.

    With `out` it is on the side away from the center of the table, else on the other side.
    """
    head = measures.find_number_strip(end, number, "head")
    return make_point(end.x_in(head, head.width * (0.83 if out else 0.17)), head.center.y)


#: The number of dice in play.
_DICE_IN_PLAY = 2


def find_layout_contents(
    table: Table, faces: tuple[int, int] | None = None, at_rest: bool = False
) -> LayoutContents:
    """Return what is on the felt of a table.

    `faces` are the last dice thrown, None if not known. With `at_rest`, they still lie where they
    came to rest.
    """
    plan, measures = plan_and_measure(table.layout, count_places(table))
    stacks = tuple(_list_stacks(table, plan, measures))
    manual = is_manned(measures)
    dead = table.status == "dead"
    return LayoutContents(
        stacks=stacks,
        lammers=tuple(_list_lammers(table, stacks)),
        pucks=tuple(_list_pucks(table, measures)),
        markers=tuple(_list_markers(table, measures, plan)),
        dice=tuple(_list_dice(table, measures, faces or (0, 0), at_rest)),
        plates=tuple(_make_plate(table, measures, seat) for seat in _list_seats(table)),
        holder=find_bowl(measures, dead) if manual else None,
        stick_down=manual and dead,
    )


def find_dice_at_rest(table: Table, faces: tuple[int, int]) -> tuple[Die, ...]:
    """Return all dice after a throw of `faces`: two where they came to rest, others in the bowl."""
    _, measures = plan_and_measure(table.layout, count_places(table))
    return tuple(_list_dice(table, measures, faces, at_rest=True))


def _list_stacks(table: Table, plan: FeltPlan, measures: FeltMeasures) -> Iterator[ChipStack]:
    spots = table.layout.spots
    seated = [
        (player, DEALERS_PLACE if player == DEALERS else table.seat(player).place, wagers)
        for player, wagers in table.everybody()
    ]
    up: dict[str, set[int]] = {slug: set() for slug in spots}
    for _, place, wagers in seated:
        for slug in wagers:
            up[slug].add(place)
    places = StackPlaces(measures, plan.zones, up)
    for player, place, wagers in seated:
        stacks: dict[Point, list[Spot]] = {}
        for spot in sorted((spots[slug] for slug in wagers), key=lambda spot: spot.rank):
            point = places.find_point(spot, place, moved=not table.fresh)
            stacks.setdefault(point, []).append(spot)
        for point, sharing in stacks.items():
            for index, spot in enumerate(sharing):
                size = places.find_chip_size(spot, place)
                at = _shift_stack(measures, spot, place, point, size, index, len(sharing))
                area = measures.area_by_wager[spot.slug]
                if len(sharing) > 1 and area not in (*_BEHIND_AREAS, *_BOX_AREAS):
                    size *= 1.25 / (len(sharing) + 0.25)
                end = measures.find_end(place).name
                yield _make_stack(table, area, player, end, spot, wagers, at, size)


_BEHIND_AREAS: tuple[FeltArea, ...] = ("behind", "behind-odds")
_BOX_AREAS: tuple[FeltArea, ...] = ("box", "box-odds")


def _shift_stack(
    measures: FeltMeasures, spot: Spot, place: int, point: Point, size: float, index: int, many: int
) -> Point:
    """Return where to draw stack number `index` (from 0) of the `many` stacks at a point.

    Stacks behind a number lie side by side, away from the box; elsewhere they overlap. `size` is
    the diameter of the chips.
    """
    area = measures.area_by_wager[spot.slug]
    if area in _BEHIND_AREAS:  # Stacks go away from the box.
        step = min(size * BESIDE_SHIFT, (2 * measures.slot - size - 1) / max(many - 1, 1))
        return point.shifted(measures.find_end(place).direction * step * index, 0)
    if many == 1:
        return point
    if area in _BOX_AREAS:
        up = {"come": -3.0, "odds": 2.0} if many == 2 else {"come": -7.0, "odds": -2.0}
        kind = "odds" if area == "box-odds" else "come" if not spot.rule.is_race else "buy"
        return point.shifted(0, up.get(kind, 8.0))
    return point.shifted((index - (many - 1) / 2) * size * 0.4, 0)


def _make_stack(
    table: Table,
    area: FeltArea,
    player: str,
    end: str,
    spot: Spot,
    wagers: dict[str, Stake],
    point: Point,
    size: float,
) -> ChipStack:
    stake = wagers[spot.slug]
    chips, over = table.house.rack.divide(stake.amount)
    return ChipStack(
        slug=spot.slug,
        name=felt_wager_name(spot.slug, spot.rule.title, spot.number),
        player=player,
        end=end,
        at=point,
        size=round(size, 2),
        amount=to_dollars(stake.amount),
        chips=tuple(ChipPile(chip.color, chip.value, count) for chip, count in chips.piles),
        coin=to_dollars(over) if over else "",
        how=_find_stack_position(table, area, spot, wagers, chips),
        on=spot.flat if spot.flat in wagers else "",
        working=stake.call if stake.call is not None else bool(table.point) or spot.works,
    )


def _find_stack_position(
    table: Table, area: FeltArea, spot: Spot, wagers: dict[str, Stake], chips: Chips
) -> StackPosition:
    if area == "box-odds":
        return "offset"
    if area not in ("behind-odds", "dont-pass-odds") or spot.flat not in wagers:
        return ""
    flat, _ = table.house.rack.divide(wagers[spot.flat].amount)
    odds = spot.by_puck.get(table.point, spot.odds)
    return find_laid_position(flat, chips, odds.paid(wagers[spot.slug].amount))


def _list_lammers(table: Table, stacks: tuple[ChipStack, ...]) -> Iterator[Lammer]:
    """Yield the buttons on stacks: BUY and LAY on such wagers, and the crew's ON and OFF."""
    for stack in stacks:
        rule, size = table.layout.spots[stack.slug].rule, round(stack.size * 0.74, 2)
        top = stack.at.shifted(0, -find_stack_height(stack))
        if rule.vig_kind:
            which: Literal["BUY", "LAY"] = "BUY" if rule.vig_kind == "buy" else "LAY"
            yield Lammer(says=which, slug=stack.slug, player=stack.player, at=top, size=size)
        if stack.player == DEALERS:
            continue
        button = find_buttons(table, stack.player).get(stack.slug)
        if button is not None:
            at = top.shifted(0, -stack.size * 0.3 if rule.vig_kind else 0)
            says: Literal["ON", "OFF"] = "ON" if button.on else "OFF"
            yield Lammer(says, stack.slug, stack.player, at=at, size=size, all=button.all)


def list_shares(table: Table, spots: Iterable[Spot], end: str = "") -> dict[str, dict[int, Point]]:
    """Return {wager: {rail position: where its chips lie}} for the positions at an end.

    An empty `end` means all positions.
    """
    plan, measures = plan_and_measure(table.layout, count_places(table))
    here = [one for one in measures.ends if end in ("", one.name)]
    positions = [place for one in here for place in range(one.first, one.last + 1)]
    wagers = list(spots)
    places = StackPlaces(measures, plan.zones, {spot.slug: positions for spot in wagers})
    return {
        spot.slug: {place: places.find_point(spot, place) for place in positions} for spot in wagers
    }


def _list_pucks(table: Table, measures: FeltMeasures) -> Iterator[Puck]:
    """Yield the puck of each end.

    While the shooter rolls for come wagers only, some rulebooks have one puck, off, on the
    shooter's line.
    """
    line = load_felt(table.house.book.id).special.on
    if line and table.special and not table.point and table.shooter != NOBODY:
        place, dont = table.seat(table.shooter).place, line == "dont-pass" in measures.areas
        spot = measures.areas["dont-pass" if dont else "pass"][0]
        at = StackPlaces(measures, (), {}).find_point(spot, place)
        yield Puck(end=measures.find_end(place).name, on=False, number=0, at=at)
        return
    number = table.point if table.point in measures.numbers else 0
    for end in measures.ends:
        at = find_puck(measures, end, number)
        yield Puck(end=end.name, on=bool(table.point), number=number, at=at)


def _list_markers(table: Table, measures: FeltMeasures, plan: FeltPlan) -> Iterator[Marker]:
    wide = 2 * MARKER_RADIUS
    if "fire" in measures.areas:
        for count, number in enumerate(sorted(table.made), start=1):
            for end in measures.ends:
                at = find_marker(measures, end, number, out=False)
                yield Marker(kind="fire", number=number, says=str(count), at=at, size=wide)
    if measures.side_heights["buttons"]:
        for number in sorted(table.thrown):
            at = plan.zone(f"bonus-button-{number}").shape.bounding_box.center
            yield Marker(kind="bonus", number=number, says=str(number), at=at, size=wide)
    if table.shootout is not None and table.shootout.open:
        for number in sorted(table.shootout.made):
            for end in measures.ends:
                at = find_marker(measures, end, number, out=True)
                yield Marker(kind="shootout", number=number, says="S", at=at, size=wide)


def _list_dice(
    table: Table, measures: FeltMeasures, faces: tuple[int, int], at_rest: bool
) -> Iterator[Die]:
    if not is_manned(measures):
        for face, (dx, dy) in zip(faces, _DICE_OFFSETS["box"], strict=True):
            yield Die(face, "box", find_resting_dice(measures).shifted(dx, dy))
        return
    dead = table.status != "live"
    spare = dice_set_size(table) - table.dice.lost - (0 if dead else _DICE_IN_PLAY)
    if not dead:
        where, middle = _find_dice(table, measures, at_rest)
        for face, (dx, dy) in zip(faces, _DICE_OFFSETS[where], strict=True):
            yield Die(face, where, middle.shifted(dx, dy))
    bowl = find_bowl(measures, table.status == "dead")
    for index in range(max(spare, 0)):
        column, row = index % 3, index // 3
        yield Die(0, "holder", bowl.shifted((column - 1) * 12, (row - 0.5) * 12))


DicePlace = Literal["box", "shooter", "rest"]
_DICE_OFFSETS: dict[DicePlace, tuple[tuple[float, float], tuple[float, float]]] = {
    "box": ((-11, 0), (11, 0)),
    "shooter": ((-10, 0), (10, 0)),
    "rest": ((-18, -9), (21, 12)),
}


def _find_dice(table: Table, measures: FeltMeasures, at_rest: bool) -> tuple[DicePlace, Point]:
    """Return (where, point) of the dice in play.

    The dice are with the shooter, at rest at the other end, or in front of the boxperson.
    """
    if at_rest or table.dice.in_air:
        far = find_dice_end(table, table.shooter)
        end: EndFrame = next((f for f in measures.ends if f.name == far), measures.ends[0])
        down = measures.rows["come" if "come" in measures.rows else "pass"][0] + 30
        return "rest", measures.find_line_point(end.first + 1, measures.boxes * 0.72, down)
    if table.dice.out and table.shooter != NOBODY:
        spot, _ = find_plate(measures, table.seat(table.shooter).place)
        return "shooter", spot.toward(measures.center.center, 42)
    return "box", find_resting_dice(measures)


def _list_seats(table: Table) -> Iterator[Seat]:
    """Yield the seat to draw at each rail position: a present player before one who left."""
    last = {seat.place: seat for seat in table.gone.values()}
    playing = sorted(table.playing, key=lambda seat: (seat.here, bool(seat.wagers)))
    last |= {seat.place: seat for seat in playing}
    return (last[place] for place in sorted(last))


def _make_plate(table: Table, measures: FeltMeasures, seat: Seat) -> NamePlate:
    spot, turn = find_plate(measures, seat.place)
    return NamePlate(
        player=seat.id,
        name=show_name(seat.name),
        place=seat.place,
        end=measures.find_end(seat.place).name,
        at=spot,
        turn=turn,
        rail=to_dollars(seat.rail),
        shooter=seat.id == table.shooter,
        here=seat.here,
        room=find_plate_room(measures, seat.place),
    )
