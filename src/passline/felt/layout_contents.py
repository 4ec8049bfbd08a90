"""What may lie on a felt, as values that go to JSON as they are.

Where a player's chips lie within a zone: each in a place that mirrors where he stands.

What lies on the felt at a table: stacks, lammers, pucks, markers, dice, and who stands where.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations
from math import inf
from typing import Literal

import msgspec

from passline.crew import ends as crew_ends
from passline.crew.payoffs import find_laid_position
from passline.crew.placement import find_buttons
from passline.felt.areas import COLUMN_AREAS, find_area, find_special_puck_line
from passline.felt.layout_zones import (
    CENTER,
    Zone,
    find_center_strip,
    find_dont_come_box,
    find_fire_spot,
    list_fire_spots_before_box,
)
from passline.felt.measures import (
    APRON_WIDTH,
    CHIP_GAP,
    DEALERS_PLACE,
    LINE_WIDTH,
    TOP_MARGIN,
    EndFrame,
    FeltMeasures,
)
from passline.felt.plan import FeltPlan, find_bowl, find_resting_dice, is_manned, plan_and_measure
from passline.felt.shapes import Point, Rectangle, make_point, make_rectangle
from passline.game.law.shapes.race import Race
from passline.game.law.wagers import FeltArea
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Stake
from passline.game.money.amounts import to_dollars
from passline.game.money.chips import Chips
from passline.game.table.dice_custody import dice_set_size
from passline.game.table.opening import count_places
from passline.game.table.state import DEALERS, NOBODY, Seat, Table
from passline.game.words.wagers import felt_wager_name

#: How a stack lies by the one it belongs to.
StackPosition = Literal["", "offset", "heeled", "bridged"]


class ChipPile(msgspec.Struct, frozen=True):
    """Chips of one colour in a stack; their value in cents."""

    colour: str
    value: int
    count: int


class ChipStack(msgspec.Struct, frozen=True, kw_only=True):
    """One wager as it lies: the largest colour underneath, the smallest on top.

    ``how`` it lies by the wager ``on`` which, or beside which, it is; ``coin`` is what no chip of
    the rack makes; ``working`` whether it sees the next throw. Amounts are decimal strings.
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
    """A button on a stack; ``all``: it stands for every wager of its kind of that player."""

    says: Literal["ON", "OFF", "BUY", "LAY"]
    slug: str
    player: str
    at: Point
    size: float
    all: bool = False


class Puck(msgspec.Struct, frozen=True):
    """The puck of an end: on its number, or off."""

    end: str
    on: bool
    number: int
    at: Point


class Marker(msgspec.Struct, frozen=True):
    """A marker of a side wager or a promotion on a number; ``size`` is its width."""

    kind: Literal["fire", "bonus", "shootout"]
    number: int
    says: str
    at: Point
    size: float


class Die(msgspec.Struct, frozen=True):
    """A die: the face that is up (0: nobody asked), and where it is."""

    face: int
    where: Literal["box", "shooter", "rest", "holder"]
    at: Point


class NamePlate(msgspec.Struct, frozen=True):
    """A player at the rail: the name, the chips in the rail, and whose dice they are."""

    player: str
    name: str
    place: int
    end: str
    at: Point
    turn: int
    rail: str
    shooter: bool
    here: bool
    #: How long the name may be written.
    room: float


class LayoutContents(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that lies on a felt. It goes to JSON as it is."""

    stacks: tuple[ChipStack, ...]
    lammers: tuple[Lammer, ...]
    pucks: tuple[Puck, ...]
    markers: tuple[Marker, ...]
    dice: tuple[Die, ...]
    plates: tuple[NamePlate, ...]
    #: Where the bowl or cup stands, if the game has one; whether the stick lies under it.
    holder: Point | None = None
    stick_down: bool = False


#: How much higher each chip lies in the picture, of its width; a tall stack is squeezed.
CHIP_LIFT, TALLEST_STACK = 0.085, 0.5


def find_chip_lift(stack: ChipStack) -> float:
    """How much higher each chip of a stack lies than the one beneath it."""
    count = max(sum(pile.count for pile in stack.chips), 1)
    return min(CHIP_LIFT, TALLEST_STACK / count) * stack.size


def find_stack_height(stack: ChipStack) -> float:
    """How much higher its top lies than its foot."""
    return find_chip_lift(stack) * max(sum(pile.count for pile in stack.chips) - 1, 0)


#: No chip is drawn larger, however few players there are; nor one of the dealers' in a box.
LARGEST_CHIP = 16.0
_DEALERS_CHIP = 8.0
_CIRCLE_CHIP = 12.0
#: How far the puck reaches from its middle, and a marker, which is wider than any chip.
PUCK_RADIUS = 11.0
MARKER_RADIUS = LARGEST_CHIP / 2 + 1
#: How far beside its flat a heeled stack lies, of the width of its chips.
BESIDE_SHIFT = 0.82
#: Room at the top of the don't come box for the puck that is off.
_PUCK_ROOM = 2 * PUCK_RADIUS + 6


class StackPlaces:
    """The places of a felt's zones for the players that are there.

    ``up`` are the places of those who have each wager up; ``taken`` all places. Chips are as large
    as they can be without two players' touching, and never leave their zone.
    """

    def __init__(
        self, measures: FeltMeasures, zones: Iterable[Zone], up: Mapping[str, Collection[int]]
    ) -> None:
        self.m = measures
        self.up = up
        self.taken = tuple(sorted({place for places in up.values() for place in places}))
        self._zones: dict[tuple[str, str], Zone] = {}
        for zone in zones:
            for slug in zone.slugs:
                self._zones.setdefault((slug, zone.end), zone)
        self._fits: dict[str, tuple[float, dict[int, Point]]] = {}
        self._strip = self._find_strip_size()

    def zone(self, spot: Spot, place: int) -> Zone | None:
        """A zone in which a player's wager lies; None: the layout has no spot for it."""
        end = self.m.frame(place).name
        return self._zones.get((spot.slug, end)) or self._zones.get((spot.slug, CENTER))

    def at(self, spot: Spot, place: int, moved: bool = False) -> Point:
        """Where the middle of a player's wager lies; ``moved``: a fire wager before the box."""
        area = find_area(self.m.layout, spot)
        end = self.m.frame(place)
        if area in _LINE_AREAS:
            return self._find_line_point(area, end, place)
        if area == "dont-come":
            return self._find_dont_come_point(end, place)
        if area in ("behind", "behind-odds"):
            return self._behind(end, spot.number, place)
        if area in ("box", "box-odds"):
            return _find_share(
                self.m, end, self.m.find_number_strip(end, spot.number, "box"), place
            )
        if area == "place":
            return self._find_place_line_point(end, spot.number, place)
        if area == "fire":
            return self._fire(place, moved)
        zone = self.zone(spot, place)
        if zone is None or area == "circles":
            return self._circles(place)
        return self._fitted(zone)[1][place]

    def size(self, spot: Spot, place: int) -> float:
        """How large the chips of a wager are."""
        area = find_area(self.m.layout, spot)
        if area in COLUMN_AREAS:
            return _DEALERS_CHIP if place == DEALERS_PLACE else self._strip
        zone = self.zone(spot, place)
        if zone is None or area == "circles":
            return _CIRCLE_CHIP
        if area in _LINE_AREAS or area == "fire":
            return LARGEST_CHIP
        if area == "dont-come":
            box, columns = find_dont_come_box(self.m, self.m.ends[0]), self.m.ends[0].columns
            return min(LARGEST_CHIP, round((box.height - _PUCK_ROOM) / columns - CHIP_GAP, 2))
        return self._fitted(zone)[0]

    def _find_strip_size(self) -> float:
        """What the places that are taken allow in a number's column, and in the one beside it."""
        most = LARGEST_CHIP
        for end in self.m.ends:
            here = [self.m.seat(p) for p in self.taken if end.first <= p <= end.last]
            for one in here:
                for two in here:
                    steps = abs(one.column - two.column)
                    if one.row == two.row and steps:
                        near = min(steps, end.columns - steps)
                        most = min(most, near * self.m.slot - CHIP_GAP)
        return round(most, 2)

    def _fitted(self, zone: Zone) -> tuple[float, dict[int, Point]]:
        """The largest chips that this zone holds for those who have something there."""
        if zone.id not in self._fits:
            there = {place for slug in zone.slugs for place in self.up.get(slug, ())}
            if zone.end != CENTER:
                there = {p for p in there if self.m.frame(p).name == zone.end}
            box = zone.shape.box
            raw = {p: self._find_zone_point(zone, self.m.frame(p), p) for p in sorted(there)}
            size = min(LARGEST_CHIP, box.height - 1, box.width - 1)
            points = _keep_in_box(box, raw, size)
            while size > 2 and _find_closest(points.values()) < size + CHIP_GAP / 2:
                size *= 0.95
                points = _keep_in_box(box, raw, size)
            self._fits[zone.id] = round(size, 2), points
        return self._fits[zone.id]

    def _find_line_point(self, area: FeltArea, end: EndFrame, place: int) -> Point:
        m = self.m
        out, (up, down) = m.boxes + m.outer, m.rows["pass"]
        if area == "pass":
            return m.on_line(place, out + LINE_WIDTH / 2, (up + down) / 2)
        if area == "pass-odds":
            return m.on_line(
                place, out + LINE_WIDTH + LARGEST_CHIP / 2 + 3, down + LARGEST_CHIP / 2 + 3
            )
        top, bottom = m.rows["dont-pass"]
        out = m.boxes + m.beside + (m.outer - m.beside) * 0.68
        flat = m.on_line(place, out, (top + bottom) / 2 + 7)
        if area == "dont-pass":
            return flat
        return flat.toward(m.base_dealer(end), LARGEST_CHIP * BESIDE_SHIFT)

    def _find_dont_come_point(self, end: EndFrame, place: int) -> Point:
        """Those round the end in the outer half, the others in the inner one."""
        box = find_dont_come_box(self.m, end)
        seat = self.m.seat(place)
        high = (box.height - _PUCK_ROOM) / end.columns
        out = 0.27 if seat.row else 0.73
        if place == DEALERS_PLACE:
            out = 0.5
        inner = box.left if end.way == 1 else box.right
        return make_point(
            inner + end.way * box.width * out, box.top + _PUCK_ROOM + (seat.column + 0.5) * high
        )

    def _behind(self, end: EndFrame, number: int, place: int) -> Point:
        """Two columns share one: a flat and, farther from the box, what is heeled on it."""
        box = self.m.find_number_strip(end, number, "behind")
        if place == DEALERS_PLACE:
            head = self.m.find_number_strip(end, number, "head")
            return make_point(
                _find_inner_side(head, end) + end.way * head.width * 0.82, head.center.y
            )
        seat = self.m.seat(place)
        column, over = divmod(int(seat.column), 2)
        row = seat.row * 2 + over
        x = _find_inner_side(box, end) + end.way * (column * 2 * self.m.slot + self.m.slot / 2)
        return make_point(x, box.top + (row + 0.5) * box.height / 4)

    def _find_place_line_point(self, end: EndFrame, number: int, place: int) -> Point:
        """Along the stick's side on the front line, round the end on the back one."""
        seat = self.m.seat(place)
        line = self.m.find_number_strip(end, number, "front" if seat.row else "back")
        x = _find_inner_side(line, end) + end.way * (seat.column + 0.5) * self.m.slot
        return make_point(x, line.bottom if place == DEALERS_PLACE else line.center.y)

    def _fire(self, place: int, moved: bool) -> Point:
        place = place or self.m.places
        return (
            dict(list_fire_spots_before_box(self.m))[place]
            if moved
            else find_fire_spot(self.m, place)
        )

    def _circles(self, place: int) -> Point:
        props = find_center_strip(self.m, "props")
        end = self.m.frame(place)
        x = props.right - 17 if end.way == 1 else props.left + 17
        if place == DEALERS_PLACE:
            return make_point(x, props.top)
        return make_point(x, props.top + (end.turn(place) - 0.5) * props.height / end.count)

    def _find_zone_point(self, zone: Zone, end: EndFrame, place: int) -> Point:
        box = zone.shape.box
        if zone.end == CENTER and len(self.m.ends) > 1:
            middle = box.center.x
            right = end.way == 1
            box = make_rectangle(
                middle if right else box.left, box.top, box.right if right else middle, box.bottom
            )
            if place == DEALERS_PLACE:
                return zone.shape.box.center
        return _find_share(self.m, end, box, place)


_LINE_AREAS: tuple[FeltArea, ...] = ("pass", "pass-odds", "dont-pass", "dont-pass-odds")


def _find_inner_side(box: Rectangle, end: EndFrame) -> float:
    """The side of a box that is nearer the center."""
    return box.left if end.way == 1 else box.right


def _find_share(m: FeltMeasures, end: EndFrame, box: Rectangle, place: int) -> Point:
    """A player's share of a box: columns from the center outwards, the end's players behind."""
    seat = m.seat(place)
    wide = box.width / end.columns
    x = _find_inner_side(box, end) + end.way * (seat.column + 0.5) * wide
    down = 0.5 if place == DEALERS_PLACE else 0.25 + 0.5 * seat.row
    return make_point(x, box.top + down * box.height)


def _keep_in_box(box: Rectangle, points: Mapping[int, Point], size: float) -> dict[int, Point]:
    """These points, moved so far that chips of a size around them stay in the box."""
    edge = size / 2 + 0.4
    return {
        place: make_point(
            min(max(point.x, box.left + edge), box.right - edge),
            min(max(point.y, box.top + edge), box.bottom - edge),
        )
        for place, point in points.items()
    }


def _find_closest(points: Iterable[Point]) -> float:
    """The least distance between two of these."""
    return min((one.distance_to(two) for one, two in combinations(points, 2)), default=inf)


def find_plate(m: FeltMeasures, place: int) -> tuple[Point, int]:
    """Where a player's name stands on the rail, and how it is turned."""
    end = m.frame(place)
    out = m.boxes + m.outer + LINE_WIDTH + APRON_WIDTH + 24
    spot = m.on_line(place, out, m.height + 24)
    return spot, 0 if end.seat(place).row else 90 * end.way


def find_plate_room(m: FeltMeasures, place: int) -> float:
    """How far it is to the next player's name."""
    end = m.frame(place)
    beside = [p for p in (place - 1, place + 1) if end.first <= p <= end.last]
    near = [p for p in beside if m.seat(p).row == m.seat(place).row]
    here, _ = find_plate(m, place)
    return round(min((here.distance_to(find_plate(m, p)[0]) for p in near), default=100.0), 1)


def find_puck(m: FeltMeasures, end: EndFrame, number: int) -> Point:
    """The puck: on the number's box, or off in the don't come box (where there is none: above
    the line beside the numbers)."""
    if number:
        return m.find_number_strip(end, number, "head").center
    box = find_dont_come_box(m, end)
    return make_point(box.center.x, TOP_MARGIN + PUCK_RADIUS + 4)


def find_marker(m: FeltMeasures, end: EndFrame, number: int, out: bool) -> Point:
    """A marker beside the puck at the head of a number: inside, or outside it."""
    head = m.find_number_strip(end, number, "head")
    part = 0.17 if not out else 0.83
    return make_point(_find_inner_side(head, end) + end.way * head.width * part, head.center.y)


#: Dice that a shooter plays with.
_DICE_IN_PLAY = 2


def find_layout_contents(
    table: Table, faces: tuple[int, int] | None = None, rest: bool = False
) -> LayoutContents:
    """What lies on the felt of a table.

    ``faces``: the dice as they fell last; ``rest``: they still lie where they came to rest.
    """
    plan, m = plan_and_measure(table.layout, count_places(table))
    stacks = tuple(_list_stacks(table, plan, m))
    manual = is_manned(m)
    dead = table.status == "dead"
    return LayoutContents(
        stacks=stacks,
        lammers=tuple(_list_lammers(table, stacks)),
        pucks=tuple(_list_pucks(table, m)),
        markers=tuple(_list_markers(table, m, plan)),
        dice=tuple(_list_dice(table, m, faces or (0, 0), rest)),
        plates=tuple(_make_plate(table, m, seat) for seat in _list_seats(table)),
        holder=find_bowl(m, dead) if manual else None,
        stick_down=manual and dead,
    )


def _find_place(table: Table, player: str) -> int:
    return DEALERS_PLACE if player == DEALERS else table.seat(player).place


def _list_stacks(table: Table, plan: FeltPlan, m: FeltMeasures) -> Iterator[ChipStack]:
    everybody = table.everybody()
    up: dict[str, set[int]] = {slug: set() for slug in table.layout.spots}
    for player, wagers in everybody:
        for slug in wagers:
            up[slug].add(_find_place(table, player))
    spread = StackPlaces(m, plan.zones, up)
    for player, wagers in everybody:
        place = _find_place(table, player)
        lying: dict[Point, list[str]] = {}
        order = sorted(wagers, key=lambda slug: table.layout.spots[slug].rank)
        for slug in order:
            lying.setdefault(_find_stack_point(table, spread, slug, place), []).append(slug)
        for point, slugs in lying.items():
            for index, slug in enumerate(slugs):
                spot = table.layout.spots[slug]
                size = spread.size(spot, place)
                many = len(slugs)
                here = _shift_stack(m, spot, place, point, size, index, many)
                shown = size if _is_on_number(m, spot) or many == 1 else size * 1.25 / (many + 0.25)
                yield _make_stack(table, m, player, spot, wagers, here, shown)


def _find_stack_point(table: Table, spread: StackPlaces, slug: str, place: int) -> Point:
    spot = table.layout.spots[slug]
    return spread.at(spot, place, moved=not table.fresh)


def _is_on_number(m: FeltMeasures, spot: Spot) -> bool:
    return find_area(m.layout, spot) in ("behind", "behind-odds", "box", "box-odds")


def _shift_stack(
    m: FeltMeasures, spot: Spot, place: int, point: Point, size: float, index: int, many: int
) -> Point:
    """Where one of a player's stacks lies that share a place: beside or upon each other."""
    end = m.frame(place)
    area = find_area(m.layout, spot)
    if area in ("behind", "behind-odds"):  # away from the box
        step = min(size * BESIDE_SHIFT, (2 * m.slot - size - 1) / max(many - 1, 1))
        return point.moved(end.way * step * index, 0)
    if many == 1:
        return point
    if area in ("box", "box-odds"):
        up = {"come": -3.0, "odds": 2.0} if many == 2 else {"come": -7.0, "odds": -2.0}
        kind = (
            "odds" if area == "box-odds" else "come" if not isinstance(spot.rule, Race) else "buy"
        )
        return point.moved(0, up.get(kind, 8.0))
    return point.moved((index - (many - 1) / 2) * size * 0.4, 0)


def _make_stack(
    table: Table,
    m: FeltMeasures,
    player: str,
    spot: Spot,
    wagers: dict[str, Stake],
    point: Point,
    size: float,
) -> ChipStack:
    stake, area = wagers[spot.slug], find_area(m.layout, spot)
    chips, over = table.house.rack.divide(stake.amount)
    end = m.frame(_find_place(table, player))
    return ChipStack(
        slug=spot.slug,
        name=felt_wager_name(spot.slug, spot.rule.title, spot.number),
        player=player,
        end=end.name,
        at=point,
        size=round(size, 2),
        amount=to_dollars(stake.amount),
        chips=tuple(ChipPile(chip.colour, chip.value, count) for chip, count in chips.piles),
        coin=to_dollars(over) if over else "",
        how=_find_stack_position(table, area, spot, wagers, chips),
        on=spot.flat if spot.flat in wagers else "",
        working=stake.call if stake.call is not None else bool(table.puck) or spot.works,
    )


def _find_stack_position(
    table: Table, area: FeltArea, spot: Spot, wagers: dict[str, Stake], chips: Chips
) -> StackPosition:
    if area == "box-odds":
        return "offset"
    if area not in ("behind-odds", "dont-pass-odds") or spot.flat not in wagers:
        return ""
    flat, _ = table.house.rack.divide(wagers[spot.flat].amount)
    odds = spot.by_puck.get(table.puck, spot.odds)
    win = wagers[spot.slug].amount * odds.win // odds.stake
    return find_laid_position(flat, chips, win)


def _list_lammers(table: Table, stacks: tuple[ChipStack, ...]) -> Iterator[Lammer]:
    """BUY and LAY on every such wager; ON and OFF as the crew puts them."""
    for stack in stacks:
        rule, size = table.layout.spots[stack.slug].rule, round(stack.size * 0.74, 2)
        top = stack.at.moved(0, -find_stack_height(stack))
        if isinstance(rule, Race) and rule.vig:
            which: Literal["BUY", "LAY"] = "BUY" if rule.vig == "buy" else "LAY"
            yield Lammer(says=which, slug=stack.slug, player=stack.player, at=top, size=size)
        if stack.player == DEALERS:
            continue
        button = find_buttons(table, stack.player).get(stack.slug)
        if button is not None:
            shifted = top.moved(0, -stack.size * 0.3 if isinstance(rule, Race) and rule.vig else 0)
            says: Literal["ON", "OFF"] = "ON" if button.on else "OFF"
            yield Lammer(
                says=says,
                slug=stack.slug,
                player=stack.player,
                at=shifted,
                size=size,
                all=button.all,
            )


def _list_pucks(table: Table, m: FeltMeasures) -> Iterator[Puck]:
    """One at each end, always agreeing; off before a shooter who rolls on for come wagers."""
    line = find_special_puck_line(table.house.book.id) if table.special and not table.puck else ""
    if line and table.shooter != NOBODY:
        yield _make_special_puck(table, m, line)
        return
    for end in m.ends:
        number = table.puck if table.puck in m.numbers else 0
        yield Puck(end=end.name, on=bool(table.puck), number=number, at=find_puck(m, end, number))


def _make_special_puck(table: Table, m: FeltMeasures, line: str) -> Puck:
    place = table.seat(table.shooter).place
    spread = StackPlaces(m, (), {})
    spots = m.areas["dont-pass" if line == "dont-pass" and m.has("dont-pass") else "pass"]
    return Puck(end=m.frame(place).name, on=False, number=0, at=spread.at(spots[0], place))


def _list_markers(table: Table, m: FeltMeasures, plan: FeltPlan) -> Iterator[Marker]:
    wide = 2 * MARKER_RADIUS
    if m.has("fire"):
        for count, number in enumerate(sorted(table.made), start=1):
            for end in m.ends:
                yield Marker(
                    kind="fire",
                    number=number,
                    says=str(count),
                    at=find_marker(m, end, number, False),
                    size=wide,
                )
    if m.has("bonus"):
        for number in sorted(table.thrown):
            spot = plan.zone(f"bonus-button-{number}").shape.box.center
            yield Marker(kind="bonus", number=number, says=str(number), at=spot, size=wide)
    state = table.shootout
    if state is not None and state.open:
        for number in sorted(state.made):
            for end in m.ends:
                there = find_marker(m, end, number, True)
                yield Marker(kind="shootout", number=number, says="S", at=there, size=wide)


def _list_dice(table: Table, m: FeltMeasures, faces: tuple[int, int], rest: bool) -> Iterator[Die]:
    if not is_manned(m):
        for face, (dx, dy) in zip(faces, _DICE_OFFSETS["box"], strict=True):
            yield Die(face, "box", find_resting_dice(m).moved(dx, dy))
        return
    dead = table.status != "live"
    spare = dice_set_size(table) - table.dice.lost - (0 if dead else _DICE_IN_PLAY)
    if not dead:
        where, middle = _find_dice(table, m, rest)
        for face, (dx, dy) in zip(faces, _DICE_OFFSETS[where], strict=True):
            yield Die(face, where, middle.moved(dx, dy))
    bowl = find_bowl(m, table.status == "dead")
    for index in range(max(spare, 0)):
        column, row = index % 3, index // 3
        yield Die(0, "holder", bowl.moved((column - 1) * 12, (row - 0.5) * 12))


DicePlace = Literal["box", "shooter", "rest"]
_DICE_OFFSETS: dict[DicePlace, tuple[tuple[float, float], tuple[float, float]]] = {
    "box": ((-11, 0), (11, 0)),
    "shooter": ((-10, 0), (10, 0)),
    "rest": ((-18, -9), (21, 12)),
}


def _find_dice(table: Table, m: FeltMeasures, rest: bool) -> tuple[DicePlace, Point]:
    """Out with the shooter, at rest at the other end, or in the center before the box."""
    if rest or table.dice.in_air:
        far = crew_ends.find_dice_end(table, table.shooter)
        end: EndFrame = next((f for f in m.ends if f.name == far), m.ends[0])
        return "rest", m.on_line(
            end.first + 1, m.boxes * 0.72, m.rows["come" if "come" in m.rows else "pass"][0] + 30
        )
    if table.dice.out and table.shooter != NOBODY:
        place = table.seat(table.shooter).place
        spot, _ = find_plate(m, place)
        return "shooter", spot.toward(m.center.center, 42)
    return "box", find_resting_dice(m)


def _list_seats(table: Table) -> Iterator[Seat]:
    """One at each place: who is here goes before whoever left it, with wagers up or without."""
    last = {seat.place: seat for seat in table.gone.values()}
    playing = sorted(table.playing, key=lambda seat: (seat.here, bool(seat.wagers)))
    last |= {seat.place: seat for seat in playing}
    return (last[place] for place in sorted(last))


def _make_plate(table: Table, m: FeltMeasures, seat: Seat) -> NamePlate:
    spot, turn = find_plate(m, seat.place)
    return NamePlate(
        player=seat.id,
        name=seat.name,
        place=seat.place,
        end=m.frame(seat.place).name,
        at=spot,
        turn=turn,
        rail=to_dollars(seat.rail),
        shooter=seat.id == table.shooter,
        here=seat.here,
        room=find_plate_room(m, seat.place),
    )
