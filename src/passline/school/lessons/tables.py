"""Tables that the engine fills: payoffs by amount, keys, groups, presses, calls, limits.

The manual's Appendix b is a heading and nothing under it: these are what it would hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from passline.crew.keys import key, legs, winning_faces
from passline.crew.press import press, shown_moves
from passline.crew.stick import call
from passline.dice import OUTCOMES
from passline.law.wagers import Come, OddsRule
from passline.layout import Refusal, Spot, Stake
from passline.layout.amounts import odds_cap
from passline.money import show_dollars
from passline.school.drills.payoffs import won_on
from passline.school.lessons.blocks import TableBlock
from passline.school.questions import Desk
from passline.school.scenes import Scene, line_spot
from passline.talk.says import money_words
from passline.words.wagers import layout_name

_FLATS = (5, 10, 15, 20, 25, 50, 100)
_TAKEN = (5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 150, 200)
_LAID = (6, 10, 12, 18, 20, 24, 30, 36, 40, 48, 50, 60, 75, 90, 100, 120)
_PLACED = (5, 6, 10, 12, 15, 18, 20, 24, 25, 30, 35, 36, 40, 42, 48, 50, 54, 60, 75, 90, 100, 120)
_BOUGHT = (20, 25, 30, 40, 50, 60, 75, 80, 100, 150, 200)
_LAYS = (24, 30, 40, 48, 60, 72, 80, 90, 100, 120, 150, 200)
_UNITS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20)
_NONE = "-"
_Draw = Callable[[Desk], Iterator[TableBlock]]


def draw_tables(name: str, desk: Desk) -> Iterator[TableBlock]:
    """The tables of a name; KeyError where there are none."""
    yield from _TABLES[name](desk)


def _alike(desk: Desk, spots: Sequence[Spot]) -> list[list[Spot]]:
    """Wagers on numbers, those of one price together: 4 or 10, 5 or 9, 6 or 8."""
    found: dict[object, list[Spot]] = {}
    for spot in spots:
        found.setdefault(spot.odds, []).append(spot)
    return list(found.values())


def _numbers(spots: Sequence[Spot]) -> str:
    return " or ".join(str(spot.number) for spot in spots)


def _family(desk: Desk, family: str) -> list[list[Spot]]:
    spots = [s for s in desk.layout.spots.values() if s.family == family and s.number]
    return _alike(desk, spots)


def _win(spot: Spot, puck: int) -> int:
    """The first throw on which a wager wins at a price."""
    return next(
        index for index, v in enumerate(spot.tables[puck]) if v is not None and v.result == "win"
    )


def _pays(desk: Desk, spot: Spot, amount: int, puck: int) -> str:
    """What an amount of dollars wins, where it comes out in whole chips and is in units."""
    index, cents = _win(spot, puck), amount * 100
    verdict = spot.tables[puck][index]
    assert verdict is not None
    if cents % (verdict.per * desk.house.chip):
        return _NONE
    return show_dollars(won_on(desk, spot, cents, puck, index).paid)


def _odds(desk: Desk, right: bool) -> Spot | None:
    flat = line_spot(desk, right).slug
    spots = desk.layout.spots.values()
    return next((s for s in spots if isinstance(s.rule, OddsRule) and s.flat == flat), None)


def _points(desk: Desk, spot: Spot) -> list[list[int]]:
    """The points, those at which odds have one price together."""
    found: dict[object, list[int]] = {}
    for point in desk.house.book.points.value:
        found.setdefault(spot.by_puck.get(point, spot.odds), []).append(point)
    return list(found.values())


def _line_odds(desk: Desk, right: bool, amounts: Sequence[int], title: str) -> Iterator[TableBlock]:
    spot = _odds(desk, right)
    if spot is None:
        return
    points = _points(desk, spot)
    heads = [f"{' or '.join(map(str, those))}" for those in points]
    rows = [
        (f"${amount}", *(_pays(desk, spot, amount, those[0]) for those in points))
        for amount in amounts
    ]
    yield TableBlock(title, ("odds", *heads), _some(rows))


def _some(rows: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """The rows that say anything."""
    return tuple(row for row in rows if any(cell != _NONE for cell in row[1:]))


def _taken_odds(desk: Desk) -> Iterator[TableBlock]:
    yield from _line_odds(desk, True, _TAKEN, "What pass and come odds win")


def _laid_odds(desk: Desk) -> Iterator[TableBlock]:
    yield from _line_odds(desk, False, _LAID, "What odds laid on the don't win")


def _most_odds(desk: Desk) -> Iterator[TableBlock]:
    """The most odds behind a flat, and what they win."""
    spot = _odds(desk, True)
    if spot is None:
        return
    points = _points(desk, spot)
    heads = [part for those in points for part in (f"on {those[0]}/{those[-1]}", "wins")]
    rows = []
    for amount in _FLATS:
        row = [f"${amount}"]
        for those in points:
            most = odds_cap(desk.layout, spot, those[0], {spot.flat: Stake(amount * 100, 0)})
            won = won_on(desk, spot, most, those[0], _win(spot, those[0]))
            row += [show_dollars(most), show_dollars(won.paid)]
        rows.append(tuple(row))
    title = "The most odds behind a pass bet, and what they win"
    yield TableBlock(title, ("flat", *heads), tuple(rows))


def _priced(family: str, amounts: Sequence[int], title: str) -> _Draw:
    """What wagers on numbers win, and the vigorish where one is charged."""

    def draw(desk: Desk) -> Iterator[TableBlock]:
        kinds = _family(desk, family)
        if not kinds:
            return
        vig = [kind[0] for kind in kinds if kind[0].vig]
        heads = [part for kind in kinds for part in (_numbers(kind), *(["vig"] * bool(vig)))]
        rows = []
        for amount in amounts:
            row = [f"${amount}"]
            for kind in kinds:
                row.append(_pays(desk, kind[0], amount, kind[0].number))
                if vig:
                    charged = row[-1] != _NONE
                    row.append(_charge(desk, kind[0], amount) if charged else _NONE)
            rows.append(tuple(row))
        yield TableBlock(title, ("bet", *heads), _some(rows))

    return draw


def _charge(desk: Desk, spot: Spot, amount: int) -> str:
    charge = desk.house.vig[spot.vig].charge(amount * 100, spot.odds)
    return show_dollars(charge)


def _keys(desk: Desk) -> Iterator[TableBlock]:
    """Every proposition's key, and what a bet of so many units wins."""
    rows = []
    for slug, spot in desk.layout.spots.items():
        parts = legs(desk.layout, slug)
        if spot.rule.area != "center" or not parts or slug.startswith("hop-"):
            continue
        seen: dict[str, list[str]] = {}
        amount = max(sum(parts.values()) * 100, spot.minimum)
        for index in winning_faces(desk.layout, parts):
            a, b = OUTCOMES[index]
            found = key(desk.layout, slug, f"{a}-{b}")
            if found is not None:
                row = f"{found.words}|{show_dollars(found.pays(amount))}"
                seen.setdefault(row, []).append(str(a + b))
        for row, totals in seen.items():
            words, paid = row.split("|")
            on = ", ".join(dict.fromkeys(totals))
            rows.append((layout_name(slug), on, words, show_dollars(amount), paid))
    yield TableBlock("Propositions by their keys", ("bet", "on", "key", "for", "wins"), tuple(rows))


def _groups(desk: Desk) -> Iterator[TableBlock]:
    """Sums of a group by unit, with the point in it and with each kind of point left out."""
    for name, group in desk.house.book.groups.items():
        units = {int(n): unit for n, unit in group.unit.value.items() if n.isdigit()}
        if len(units) != len(group.unit.value):
            continue
        numbers = sorted(units)
        for out in (None, *_left_out(units)):
            kept = [n for n in numbers if n != out]
            rows = [
                (
                    f"${sum(units[n] for n in kept) * many}",
                    *(f"${units[n] * many}" if n in kept else _NONE for n in numbers),
                )
                for many in _UNITS
            ]
            title = name.capitalize() + (f", no {out}" if out else "")
            yield TableBlock(title, ("in all", *map(str, numbers)), tuple(rows))


def _left_out(units: dict[int, int]) -> Iterator[int]:
    """One number of each price: whichever of them is left out, the sums are the same."""
    seen: set[int] = set()
    for number, unit in units.items():
        if unit not in seen and len(set(units.values())) > 1:
            yield number
        seen.add(unit)


def _presses(desk: Desk) -> Iterator[TableBlock]:
    """The moves that the manual shows, worked out."""
    rows = []
    for move in shown_moves():
        numbers = move.numbers[-len(move.before) :]  # shown for either of them, or for both
        spans = zip(move.before, move.after, strict=True)
        bets = {n: (a * 100, b * 100) for n, (a, b) in zip(numbers, spans, strict=True)}
        done = press(desk.layout, bets, thrown=move.thrown * 100, way=move.way)
        if isinstance(done, Refusal):
            continue
        joined = " and " if len(bets) > 1 else " or "
        row = (
            f"{joined.join(map(str, move.numbers))}: ${move.before[0]} to ${move.after[0]}",
            *map(
                show_dollars,
                (
                    done.win,
                    done.thrown.amount,
                    done.press,
                    done.set_out.amount,
                    done.overpaid,
                    done.to_player.amount,
                ),
            ),
        )
        if row not in rows:
            rows.append(row)
    columns = ("press", "win", "thrown in", "goes up", "set out", "to the box", "handed")
    yield TableBlock("Press moves of the manual", columns, tuple(rows))


def _calls(desk: Desk) -> Iterator[TableBlock]:
    """What the stick calls on every throw: on a come-out, with another point up, on the point."""
    points = tuple(desk.house.book.points.value)
    throws = _throws(points)
    rows: dict[str, list[tuple[str, str]]] = {name: [] for name in _PHASES}
    for name, faces in throws.items():
        total = sum(faces)
        other = next(point for point in points if point != total)
        for phase, point in zip(_PHASES, (0, other, total), strict=True):
            if point != total or total in points:
                rows[phase].append((name, _called(desk, point, faces)))
    for phase, found in rows.items():
        yield TableBlock(phase, ("throw", "the stick calls"), tuple(found))


_PHASES = ("On a come-out roll", "With another point up", "On the point")


def _throws(points: Sequence[int]) -> dict[str, tuple[int, int]]:
    """Every total with dice for it; those that come easy and hard, both ways."""
    found: dict[str, tuple[int, int]] = {}
    for low, high in sorted(OUTCOMES, key=lambda faces: (sum(faces), faces[0] == faces[1])):
        both = (low + high) in points and (low + high) % 2 == 0
        way = f" {'hard' if low == high else 'easy'}" if both else ""
        found.setdefault(f"{low + high}{way}", (low, high))
    return found


def _called(desk: Desk, point: int, faces: tuple[int, int]) -> str:
    scene = _with_point(desk, point)
    table, rolled = scene.rolled(*faces)
    return call(table, rolled, full=True)


def _with_point(desk: Desk, point: int) -> Scene:
    scene = Scene(desk)
    scene.seat("ann", 3)
    scene.says("ann", f"{line_spot(desk).slug} for {money_words(desk.house.minimum)}")
    if point:
        scene.throw(*next(faces for faces in OUTCOMES if sum(faces) == point))
    return scene


def _limits(desk: Desk) -> Iterator[TableBlock]:
    """The least and the most of every kind of wager."""
    rows: dict[str, tuple[str, ...]] = {}
    for spot in desk.layout.spots.values():
        if isinstance(spot.rule, OddsRule) or spot.tiers or spot.slug.startswith("hop-"):
            continue
        name = layout_name(spot.family if isinstance(spot.rule, Come) else spot.slug)
        rows.setdefault(name, (name, show_dollars(spot.minimum), show_dollars(spot.maximum)))
    yield TableBlock("The least and the most", ("bet", "least", "most"), tuple(rows.values()))


def _shares(desk: Desk) -> Iterator[TableBlock]:
    """What everybody else gets when the bonus is hit, by its amount."""
    shootout = desk.house.book.shootout
    if shootout is None:
        return
    spans = ((span.replace("-", " to $"), award.value) for span, award in shootout.share.items())
    rows = tuple((f"${span}", f"${award}") for span, award in spans)
    yield TableBlock("Share the Wealth", ("bonus", "each player"), rows)


_TABLES: dict[str, _Draw] = {
    "most-odds": _most_odds,
    "pass-odds": _taken_odds,
    "dont-odds": _laid_odds,
    "place": _priced("place-win", _PLACED, "What place bets win"),
    "buy": _priced("buy", _BOUGHT, "What buy bets win, before vigorish"),
    "lay": _priced("lay", _LAYS, "What lay bets win, before vigorish"),
    "keys": _keys,
    "groups": _groups,
    "press": _presses,
    "calls": _calls,
    "limits": _limits,
    "shares": _shares,
}
