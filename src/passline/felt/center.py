"""The zones of the center, which belongs to the stick: hardways, totals, bars, hops, circles."""

from __future__ import annotations

from collections.abc import Iterator

from passline.felt.areas import won_by
from passline.felt.measures import Measures
from passline.felt.printing import first_pay, title
from passline.felt.shapes import Rectangle, at, rectangle
from passline.felt.where import cited
from passline.felt.zones import CENTER, Pips, Print, Zone, fitted
from passline.law.wagers import Composite, Hardway, OneRoll
from passline.layout import Spot

#: From the top: the bank, the blank strip before it ("the box"), and at the bottom the stick's own.
BANK, BLANK, STICK = 28.0, 44.0, 50.0
#: The fire and bonus areas before the box, where they are dealt.
FIRE, BONUS = 39.0, 56.0
#: How wide a row of circles is beside the propositions.
_CIRCLES = 34.0
_HOPS_A_ROW = 7


def strip(m: Measures, name: str) -> Rectangle:
    """A strip of the center by its name: bank, box, fire, bonus, props, stick."""
    box, down = m.center, m.center.top
    heights = {
        "bank": BANK,
        "box": BLANK,
        "fire": FIRE if m.has("fire") else 0,
        "bonus": BONUS if m.has("bonus") else 0,
    }
    heights["props"] = box.height - sum(heights.values()) - STICK
    heights["stick"] = STICK
    for one, high in heights.items():
        if one == name:
            return rectangle(box.left, down, box.right, down + high)
        down += high
    raise LookupError(name)


def _on_layout(m: Measures, spot: Spot) -> bool:
    """Whether the layout has a spot for it: a house may leave one out, and book its parts."""
    key = f"layout.{spot.family}"
    return key not in m.layout.house.book.elect or m.layout.house.elected(key) is not False


def center_zones(m: Measures) -> Iterator[Zone]:
    """Every zone of the center but the side wagers'."""
    props = strip(m, "props")
    inner = props
    if m.has("circles"):
        ways = {end.way for end in m.ends}
        inner = rectangle(
            props.left + (_CIRCLES if -1 in ways else 0),
            props.top,
            props.right - (_CIRCLES if 1 in ways else 0),
            props.bottom,
        )
        yield from _circles(m, props, inner)
    bands = list(_bands(m))
    boxes = inner.rows([high for _, high in bands])
    for (kind, _), box in zip(bands, boxes, strict=True):
        yield from _MAKERS[kind.partition(" ")[0]](m, box, kind)


def _bands(m: Measures) -> Iterator[tuple[str, float]]:
    """The rows of propositions from the box to the stick, and how high each is: none is less than
    the others but by the wagers that lie in it, so that a finger finds each."""
    if any(_on_layout(m, spot) for spot in m.areas.get("above-seven", ())):
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
        yield "hop", 1.0 * -(-hops // _HOPS_A_ROW)


def _one(
    m: Measures,
    kind: str,
    box: Rectangle,
    spots: tuple[Spot, ...],
    prints: tuple[Print, ...],
    pips: tuple[Pips, ...] = (),
) -> Zone:
    return Zone(
        id=kind if kind == "above-seven" else f"{kind}-{spots[0].slug}",
        kind=kind,
        end=CENTER,
        shape=box.outline(),
        slugs=tuple(spot.slug for spot in spots),
        prints=prints,
        pips=pips,
        cite=cited(kind, m.layout.house.book.id),
    )


def _above(m: Measures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """On the line along the top of the box below: its zone ends at that line."""
    spots = tuple(s for s in m.areas["above-seven"] if _on_layout(m, s))
    words = fitted(" / ".join(title(s) for s in spots), box.center, box.height * 0.55, box.width)
    yield _one(m, kind, box, spots, (words,))


def _bar(m: Measures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """A bar across: the name at its left, what it pays at its right."""
    area, _, index = kind.partition(" ")
    spots = m.areas["seven" if area == "seven" else "totals"]
    spot = spots[int(index or 0)]
    size, middle = min(17.0, box.height * 0.5), box.center
    words = title(spot)
    quarter = box.width / 4
    prints = (
        fitted(words, middle.moved(-quarter * 0.75, 0), size, quarter * 2.3),
        fitted(
            first_pay(m.layout.house, spot),
            middle.moved(quarter * 1.2, 0),
            size * 0.82,
            quarter * 1.4,
            "pays",
        ),
    )
    yield _one(m, area, box, (spot,), prints)


def _dice(face: str) -> tuple[int, int]:
    one, two = face.split("-")
    return int(one), int(two)


def _faced(m: Measures, box: Rectangle, spot: Spot, kind: str, face: str) -> Zone:
    """A box with the dice that win it, and what it pays."""
    die = min(box.height * 0.42, box.width * 0.3, 17)
    first, second = _dice(face)
    middle = box.center
    dice = Pips(first=first, second=second, at=middle.moved(0, -box.height * 0.14), size=die)
    size = min(13.0, box.height * 0.3)
    odds = fitted(
        first_pay(m.layout.house, spot),
        middle.moved(0, box.height * 0.3),
        size,
        box.width - 4,
        "pays",
    )
    return _one(m, kind, box, (spot,), (odds,), (dice,))


def _hard(m: Measures, box: Rectangle, kind: str) -> Iterator[Zone]:
    spots = m.areas["hard"]
    rows = box.rows([1] * ((len(spots) + 1) // 2))
    # Beside each other as on a layout: 6 and 10 above, 8 and 4 below; by what they pay else.
    by_pay = sorted(spots, key=lambda s: s.odds.ratio)
    half = (len(by_pay) + 1) // 2
    for column, group in enumerate((by_pay[:half], by_pay[half:])):
        for row, spot in zip(rows, group, strict=False):
            rule = spot.rule
            assert isinstance(rule, Hardway)
            yield _faced(m, row.columns(2)[column], spot, "hard", rule.win.value[0])


#: The pair that makes each total which only one pair makes.
_ONLY = {2: "1-1", 3: "1-2", 11: "5-6", 12: "6-6"}


def _totals(m: Measures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """Boxes of single totals; a wager high on one of them lies in that box too."""
    spots = m.areas["total"]
    house = m.layout.house
    high = [s for s in m.areas.get("high", ()) if _on_layout(m, s)]
    for spot, cell in zip(spots, box.columns(len(spots)), strict=True):
        rule = spot.rule
        assert isinstance(rule, OneRoll)
        (total,) = won_by(rule)
        assert isinstance(total, int)
        if total in _ONLY:
            zone = _faced(m, cell, spot, "total", _ONLY[total])
        else:
            words = (
                fitted(str(total), cell.center.moved(0, -6), 20, cell.width - 6, "number"),
                fitted(first_pay(house, spot), cell.center.moved(0, 12), 11, cell.width - 4),
            )
            zone = _one(m, "total", cell, (spot,), words)
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


def _parts(m: Measures, box: Rectangle, kind: str) -> Iterator[Zone]:
    spots = m.areas["parts"]
    for spot, cell in zip(spots, box.columns(len(spots)), strict=True):
        assert isinstance(spot.rule, Composite)
        size = min(14.0, cell.height * 0.5)
        yield _one(
            m, kind, cell, (spot,), (fitted(title(spot), cell.center, size, cell.width - 6),)
        )


def _hops(m: Measures, box: Rectangle, kind: str) -> Iterator[Zone]:
    """Pairs first, then the others by their total, in rows of about one length."""
    spots = sorted(m.areas["hop"], key=_hop_order)
    count = -(-len(spots) // _HOPS_A_ROW)
    each = -(-len(spots) // count)
    for row, band in enumerate(box.rows([1] * count)):
        some = spots[row * each : (row + 1) * each]
        for spot, cell in zip(some, band.columns(len(some)), strict=True):
            first, second = _hop_dice(spot)
            die = min(cell.height * 0.42, cell.width * 0.28)
            up = cell.center.moved(0, -cell.height * 0.12)
            odds = fitted(
                first_pay(m.layout.house, spot),
                cell.center.moved(0, cell.height * 0.31),
                min(8.5, cell.height * 0.3),
                cell.width - 3,
                "fine",
            )
            yield _one(
                m,
                "hop",
                cell,
                (spot,),
                (odds,),
                (Pips(first=first, second=second, at=up, size=die),),
            )


def _hop_dice(spot: Spot) -> tuple[int, int]:
    rule = spot.rule
    assert isinstance(rule, OneRoll)
    return _dice(next(face for face in won_by(rule) if isinstance(face, str)))


def _hop_order(spot: Spot) -> tuple[bool, int, int]:
    first, second = _hop_dice(spot)
    return first != second, first + second, first


def _circles(m: Measures, props: Rectangle, inner: Rectangle) -> Iterator[Zone]:
    """A pair of circles toward each player's place, from the base dealer's side to the stick's."""
    spot = m.areas["circles"][0]
    letters = ("C", "E")
    for end in m.ends:
        left, right = (inner.right, props.right) if end.way == 1 else (props.left, inner.left)
        high = props.height / end.count
        for place in range(end.first, end.last + 1):
            top = props.top + (end.turn(place) - 1) * high
            cell = rectangle(left, top, right, top + high)
            size = min(high * 0.5, 10)
            prints = tuple(
                Print(
                    text=letter,
                    at=at(left + (right - left) * part, cell.center.y),
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
                cite=cited("circles", m.layout.house.book.id),
            )


_MAKERS = {
    "above-seven": _above,
    "seven": _bar,
    "totals": _bar,
    "hard": _hard,
    "total": _totals,
    "parts": _parts,
    "hop": _hops,
}
