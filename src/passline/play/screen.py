"""The table on the screen: drawn in 79 columns or more, or told in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from passline.law.wagers import Come, Line, OneRoll
from passline.layout import Wagers
from passline.money import show_dollars
from passline.play.boxes import boxes
from passline.play.look import Look, bare
from passline.play.names import chip_code, chip_letters, chips, off_or_on, up_words
from passline.table import Table
from passline.table.state import DEALERS, Seat
from passline.words.wagers import bet_name

#: Rows that a throw, its pays, a hint and the prompt take beside the drawing: where the drawing
#: leaves fewer, the chips under the amounts are left out.
_OTHER_ROWS = 9
#: Where the screen has more room than a card.
_TITLES = {"pass": "Pass line"}
_LONGEST_NAME = 12


def draw(table: Table, player: str, look: Look) -> list[str]:
    """The table as one player sees it, line by line."""
    lines = _drawn(table, player, look, with_chips=True)
    if len(lines) > look.rows - _OTHER_ROWS:
        lines = _drawn(table, player, look, with_chips=False)
    return lines


def _drawn(table: Table, player: str, look: Look, with_chips: bool) -> list[str]:
    seat = table.seat(player)
    return [
        *boxes(table, seat, look, with_chips),
        *look.flow(_line_bets(table, seat, look), " "),
        *look.flow(_others_up(table, seat, "center"), " Center: "),
        *look.flow(_side(table, seat), " Side: "),
        *_rails(table, player, look),
    ]


def _line_bets(table: Table, seat: Seat, look: Look) -> Iterator[str]:
    """The spots that every layout has along its edge, with what lies on them."""
    letters = chip_letters(table)
    for slug, spot in table.layout.spots.items():
        rule = spot.rule
        if rule.area != "table" or spot.number or not isinstance(rule, Line | Come | OneRoll):
            continue
        stake, odds = seat.wagers.get(slug), seat.wagers.get(spot.behind)
        words = f"{_TITLES.get(spot.kind, rule.title)} "
        if stake is None:
            yield words + look.dot
            continue
        words += f"{show_dollars(stake.amount)} ({chip_code(table, stake.amount, letters)})"
        if odds is not None:
            button = off_or_on(table, spot.behind, odds)
            words += f" + odds {show_dollars(odds.amount)}{' ' + button if button else ''}"
            words += f" ({chip_code(table, odds.amount, letters)})"
        yield words


def _others_up(table: Table, seat: Seat, area: str) -> Iterator[str]:
    for slug, stake in seat.wagers.items():
        spot = table.layout.spots[slug]
        if spot.rule.area == area and not spot.tiers:
            yield up_words(table, slug, stake)


def _side(table: Table, seat: Seat) -> Iterator[str]:
    """Wagers that gather over many throws, and what has been gathered."""
    for slug, stake in seat.wagers.items():
        if table.layout.spots[slug].tiers:
            yield up_words(table, slug, stake)
    if table.made:
        yield f"points made: {_listed(table.made)}"
    if table.thrown:
        yield f"totals thrown: {_listed(table.thrown)}"
    if table.shootout is not None and table.shootout.made and table.shootout.open:
        made = _listed(table.shootout.made)
        yield f"shootout {show_dollars(table.shootout.amount)}, points made: {made}"


def _listed(numbers: frozenset[int]) -> str:
    return " ".join(map(str, sorted(numbers)))


def _present(table: Table) -> Iterator[tuple[bool, Seat]]:
    """Everybody who is here or has something up, and whether they hold the dice."""
    for seat in table.seats:
        if seat.wagers or seat.here:
            yield seat.id == table.shooter, seat


def _rails(table: Table, player: str, look: Look) -> Iterator[str]:
    """Everybody's rail, the shooter marked; the player's own in chips."""
    names = ["You" if seat.name == player else seat.name for _, seat in _present(table)]
    wide = min(max(map(len, names), default=0), _LONGEST_NAME)
    for name, (shoots, seat) in zip(names, _present(table), strict=True):
        mark = " dice>" if shoots else "      "
        lead = f"{mark} {name[:_LONGEST_NAME]:<{wide}} {show_dollars(seat.rail):>7}"
        if seat.name == player:
            line = f"{lead} in your rail: {chips(table, seat.rail)}"
            yield look.paint(_cut(line, look.width), "bold")
        else:
            yield _cut(f"{lead}  {_up(table, seat.wagers)}", look.width)
    if table.dealers:
        yield _cut(f"       {DEALERS}: {_up(table, table.dealers)}", look.width)


def _up(table: Table, wagers: Wagers) -> str:
    """Somebody's wagers in short: numbers of a kind side by side."""
    kinds: dict[str, list[str]] = {}
    for slug, stake in wagers.items():
        spot, amount = table.layout.spots[slug], show_dollars(stake.amount)
        name = bet_name(slug)
        kind = name.removesuffix(f" {spot.number}") if spot.number else name
        if kind == name:
            kinds[f"{name} {amount}"] = []
        else:
            kinds.setdefault(kind, []).append(f"{spot.number} {amount}")
    return ", ".join(f"{kind} {', '.join(parts)}".rstrip() for kind, parts in kinds.items()) or (
        "nothing up"
    )


def _cut(line: str, wide: int) -> str:
    return line if len(bare(line)) <= wide else line[: wide - 3] + "..."


def spoken(table: Table, player: str, everybody: bool = True) -> list[str]:
    """The table in sentences, nothing drawn; the others only where ``everybody`` is asked for."""
    seat = table.seat(player)
    puck = f"The puck is on {table.puck}." if table.puck else "The puck is off, coming out."
    up = [up_words(table, slug, stake) for slug, stake in seat.wagers.items()]
    lines = [puck, f"You have up: {', '.join(up)}." if up else "You have nothing up."]
    lines.append(f"Your rail: {show_dollars(seat.rail)}, {chips(table, seat.rail)}.")
    side = [words for words in _side(table, seat) if ":" in words]
    lines += [f"{words[0].upper()}{words[1:]}." for words in side]
    for shoots, other in _present(table):
        if other.name == player:
            lines += ["You have the dice."] if shoots else []
        elif everybody:
            dice = ", who has the dice," if shoots else ""
            lines.append(
                f"{other.name}{dice} has {show_dollars(other.rail)}; {_up(table, other.wagers)}."
            )
    if everybody and table.dealers:
        lines.append(f"{DEALERS.capitalize()} have up: {_up(table, table.dealers)}.")
    return lines
