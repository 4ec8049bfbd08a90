"""What lies on the felt at a table: stacks, lammers, pucks, markers, dice, and who stands where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from passline.crew import ends as crew_ends
from passline.crew.buttons import buttons_of
from passline.crew.payoffs import laid_beside
from passline.felt import places
from passline.felt.areas import FeltArea, area_of
from passline.felt.fixtures import bowl_at, dice_at_rest, manned
from passline.felt.measures import DEALERS_PLACE, EndFrame, Measures
from passline.felt.pieces import Die, How, Lammer, Lie, Marker, Pile, Plate, Puck, Stack, height
from passline.felt.places import Places
from passline.felt.plan import FeltPlan, plan_and_measures
from passline.felt.shapes import Point
from passline.felt.where import special_puck
from passline.law.wagers import Race
from passline.layout import Spot, Stake
from passline.money import dollars
from passline.money.chips import Chips
from passline.table import Table
from passline.table.custody import set_size
from passline.table.opening import places_of
from passline.table.state import DEALERS, NOBODY, Seat
from passline.words.wagers import cell_name

#: Dice that a shooter plays with.
_IN_PLAY = 2


def lie_of(table: Table, faces: tuple[int, int] | None = None, rest: bool = False) -> Lie:
    """What lies on the felt of a table.

    ``faces``: the dice as they fell last; ``rest``: they still lie where they came to rest.
    """
    plan, m = plan_and_measures(table.layout, places_of(table))
    stacks = tuple(_stacks(table, plan, m))
    manual = manned(m)
    dead = table.status == "dead"
    return Lie(
        stacks=stacks,
        lammers=tuple(_lammers(table, stacks)),
        pucks=tuple(_pucks(table, m)),
        markers=tuple(_markers(table, m, plan)),
        dice=tuple(_dice(table, m, faces or (0, 0), rest)),
        plates=tuple(_plate(table, m, seat) for seat in _at_places(table)),
        holder=bowl_at(m, dead) if manual else None,
        stick_down=manual and dead,
    )


def _place(table: Table, player: str) -> int:
    return DEALERS_PLACE if player == DEALERS else table.seat(player).place


def _stacks(table: Table, plan: FeltPlan, m: Measures) -> Iterator[Stack]:
    everybody = table.everybody()
    up: dict[str, set[int]] = {slug: set() for slug in table.layout.spots}
    for player, wagers in everybody:
        for slug in wagers:
            up[slug].add(_place(table, player))
    spread = Places(m, plan.zones, up)
    for player, wagers in everybody:
        place = _place(table, player)
        lying: dict[Point, list[str]] = {}
        order = sorted(wagers, key=lambda slug: table.layout.spots[slug].rank)
        for slug in order:
            lying.setdefault(_spot_at(table, spread, slug, place), []).append(slug)
        for point, slugs in lying.items():
            for index, slug in enumerate(slugs):
                spot = table.layout.spots[slug]
                size = spread.size(spot, place)
                many = len(slugs)
                here = _shifted(m, spot, place, point, size, index, many)
                shown = size if _numbered(m, spot) or many == 1 else size * 1.25 / (many + 0.25)
                yield _stack(table, m, player, spot, wagers, here, shown)


def _spot_at(table: Table, spread: Places, slug: str, place: int) -> Point:
    spot = table.layout.spots[slug]
    return spread.at(spot, place, moved=not table.fresh)


def _numbered(m: Measures, spot: Spot) -> bool:
    return area_of(m.layout, spot) in ("behind", "behind-odds", "box", "box-odds")


def _shifted(
    m: Measures, spot: Spot, place: int, point: Point, size: float, index: int, many: int
) -> Point:
    """Where one of a player's stacks lies that share a place: beside or upon each other."""
    end = m.frame(place)
    area = area_of(m.layout, spot)
    if area in ("behind", "behind-odds"):  # away from the box
        step = min(size * places.BESIDE, (2 * m.slot - size - 1) / max(many - 1, 1))
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


def _stack(
    table: Table,
    m: Measures,
    player: str,
    spot: Spot,
    wagers: dict[str, Stake],
    point: Point,
    size: float,
) -> Stack:
    stake, area = wagers[spot.slug], area_of(m.layout, spot)
    chips, over = table.house.rack.divide(stake.amount)
    end = m.frame(_place(table, player))
    return Stack(
        slug=spot.slug,
        name=cell_name(spot.slug, spot.rule.title, spot.number),
        player=player,
        end=end.name,
        at=point,
        size=round(size, 2),
        amount=dollars(stake.amount),
        chips=tuple(Pile(chip.colour, chip.value, count) for chip, count in chips.piles),
        coin=dollars(over) if over else "",
        how=_how(table, area, spot, wagers, chips),
        on=spot.flat if spot.flat in wagers else "",
        working=stake.call if stake.call is not None else bool(table.puck) or spot.works,
    )


def _how(table: Table, area: FeltArea, spot: Spot, wagers: dict[str, Stake], chips: Chips) -> How:
    if area == "box-odds":
        return "offset"
    if area not in ("behind-odds", "dont-pass-odds") or spot.flat not in wagers:
        return ""
    flat, _ = table.house.rack.divide(wagers[spot.flat].amount)
    odds = spot.by_puck.get(table.puck, spot.odds)
    win = wagers[spot.slug].amount * odds.win // odds.stake
    return laid_beside(flat, chips, win)


def _lammers(table: Table, stacks: tuple[Stack, ...]) -> Iterator[Lammer]:
    """BUY and LAY on every such wager; ON and OFF as the crew puts them."""
    for stack in stacks:
        rule, size = table.layout.spots[stack.slug].rule, round(stack.size * 0.74, 2)
        top = stack.at.moved(0, -height(stack))
        if isinstance(rule, Race) and rule.vig:
            which: Literal["BUY", "LAY"] = "BUY" if rule.vig == "buy" else "LAY"
            yield Lammer(says=which, slug=stack.slug, player=stack.player, at=top, size=size)
        if stack.player == DEALERS:
            continue
        button = buttons_of(table, stack.player).get(stack.slug)
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


def _pucks(table: Table, m: Measures) -> Iterator[Puck]:
    """One at each end, always agreeing; off before a shooter who rolls on for come wagers."""
    line = special_puck(table.house.book.id) if table.special and not table.puck else ""
    if line and table.shooter != NOBODY:
        yield _special(table, m, line)
        return
    for end in m.ends:
        number = table.puck if table.puck in m.numbers else 0
        yield Puck(
            end=end.name, on=bool(table.puck), number=number, at=places.puck_at(m, end, number)
        )


def _special(table: Table, m: Measures, line: str) -> Puck:
    place = table.seat(table.shooter).place
    spread = Places(m, (), {})
    spots = m.areas["dont-pass" if line == "dont-pass" and m.has("dont-pass") else "pass"]
    return Puck(end=m.frame(place).name, on=False, number=0, at=spread.at(spots[0], place))


def _markers(table: Table, m: Measures, plan: FeltPlan) -> Iterator[Marker]:
    wide = 2 * places.MARKER
    if m.has("fire"):
        for count, number in enumerate(sorted(table.made), start=1):
            for end in m.ends:
                yield Marker(
                    kind="fire",
                    number=number,
                    says=str(count),
                    at=places.marker_at(m, end, number, False),
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
                there = places.marker_at(m, end, number, True)
                yield Marker(kind="shootout", number=number, says="S", at=there, size=wide)


def _dice(table: Table, m: Measures, faces: tuple[int, int], rest: bool) -> Iterator[Die]:
    if not manned(m):
        for face, (dx, dy) in zip(faces, _SCATTER["box"], strict=True):
            yield Die(face, "box", dice_at_rest(m).moved(dx, dy))
        return
    dead = table.status != "live"
    spare = set_size(table) - table.dice.lost - (0 if dead else _IN_PLAY)
    if not dead:
        where, middle = _dice_where(table, m, rest)
        for face, (dx, dy) in zip(faces, _SCATTER[where], strict=True):
            yield Die(face, where, middle.moved(dx, dy))
    bowl = bowl_at(m, table.status == "dead")
    for index in range(max(spare, 0)):
        column, row = index % 3, index // 3
        yield Die(0, "holder", bowl.moved((column - 1) * 12, (row - 0.5) * 12))


Where = Literal["box", "shooter", "rest"]
_SCATTER: dict[Where, tuple[tuple[float, float], tuple[float, float]]] = {
    "box": ((-11, 0), (11, 0)),
    "shooter": ((-10, 0), (10, 0)),
    "rest": ((-18, -9), (21, 12)),
}


def _dice_where(table: Table, m: Measures, rest: bool) -> tuple[Where, Point]:
    """Out with the shooter, at rest at the other end, or in the center before the box."""
    if rest or table.dice.in_air:
        far = crew_ends.dice_end(table, table.shooter)
        end: EndFrame = next((f for f in m.ends if f.name == far), m.ends[0])
        return "rest", m.on_line(
            end.first + 1, m.boxes * 0.72, m.rows["come" if "come" in m.rows else "pass"][0] + 30
        )
    if table.dice.out and table.shooter != NOBODY:
        place = table.seat(table.shooter).place
        spot, _ = places.plate_at(m, place)
        return "shooter", spot.toward(m.center.center, 42)
    return "box", dice_at_rest(m)


def _at_places(table: Table) -> Iterator[Seat]:
    """One at each place: who is here goes before whoever left it, with wagers up or without."""
    last = {seat.place: seat for seat in table.gone.values()}
    playing = sorted(table.playing, key=lambda seat: (seat.here, bool(seat.wagers)))
    last |= {seat.place: seat for seat in playing}
    return (last[place] for place in sorted(last))


def _plate(table: Table, m: Measures, seat: Seat) -> Plate:
    spot, turn = places.plate_at(m, seat.place)
    return Plate(
        player=seat.id,
        name=seat.name,
        place=seat.place,
        end=m.frame(seat.place).name,
        at=spot,
        turn=turn,
        rail=dollars(seat.rail),
        shooter=seat.id == table.shooter,
        here=seat.here,
        room=places.plate_room(m, seat.place),
    )
