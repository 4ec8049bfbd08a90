"""The number boxes: puck, wagers with their chips and buttons, side wagers' markers."""

from __future__ import annotations

import re
from typing import NamedTuple

from passline.law.wagers import Come, OddsRule, Race
from passline.money import dollars
from passline.play.look import Look
from passline.play.names import chip_code, chip_letters, off_or_on
from passline.table import Table
from passline.table.state import Seat

_NUMERALS = {6: "SIX", 9: "NINE"}  # as layouts print them, so that nobody mixes the two up
#: Rows from the dealer outwards: label, and what the floor calls the wagers.
_ROWS = (
    ("don't come", "dont-come"),
    ("odds", "dont-come-odds"),
    ("lay", "lay"),
    ("to lose", "place-lose"),
    ("buy", "buy"),
    ("come", "come"),
    ("odds", "come-odds"),
    ("place", "place-win"),
    ("big", "big"),
)
_PILE = re.compile(r"\d+([a-z-]+)")


class BoxRow(NamedTuple):
    """A row of the boxes: its label, and what stands in each box."""

    label: str
    cells: tuple[str, ...]
    style: str = ""


def numbers_of(table: Table) -> tuple[int, ...]:
    """The numbers that have boxes."""
    return tuple(sorted(table.house.book.points.value))


def boxes(table: Table, seat: Seat, look: Look, with_chips: bool) -> list[str]:
    """The boxes as lines; ``with_chips`` shows each wager's chips under its amount."""
    numbers = numbers_of(table)
    wide = (look.width - _label_width(table)) // len(numbers) - 1
    label = min(look.width - 1 - len(numbers) * (wide + 1), 12)
    letters = chip_letters(table)
    rows = [
        BoxRow("", tuple(_NUMERALS.get(n, str(n)) for n in numbers), "bold"),
        BoxRow(
            "puck" if table.puck else "puck OFF" if label > 8 else "OFF",
            tuple("[ON]" if n == table.puck else "" for n in numbers),
            "puck",
        ),
        *_markers(table, numbers),
    ]
    for name, family in _rows_of(table):
        rows += _wagers(table, seat, name, [f"{family}-{n}" for n in numbers], wide, with_chips)
    lines = [_edge(look, label, wide, len(numbers), "top")]
    lines += [_line(row, look, label, wide, letters) for row in rows]
    return [*lines, _edge(look, label, wide, len(numbers), "bottom")]


def _rows_of(table: Table) -> list[tuple[str, str]]:
    """The rows of this layout: each label, and the family of its wagers. What the floor has no
    name for goes by its book's."""
    book = table.house.book
    dealt = {
        spot.kind: spot.family
        for spot in table.layout.spots.values()
        if spot.number and isinstance(spot.rule, Race | Come | OddsRule)
    }
    known = [(label, dealt.pop(name)) for label, name in _ROWS if name in dealt]
    return known + [(book.wager[family].title.lower(), family) for family in dealt.values()]


def _label_width(table: Table) -> int:
    """What the longest label of this layout's rows needs."""
    return max(9, *(len(label) + 2 for label, _ in _rows_of(table)))


def _markers(table: Table, numbers: tuple[int, ...]) -> list[BoxRow]:
    """Points made, for a fire wager or the shootout's run."""
    found = []
    if table.made:
        found.append(BoxRow("fire", tuple("made" if n in table.made else "" for n in numbers)))
    if table.shootout is not None and table.shootout.made and table.shootout.open:
        made = table.shootout.made
        found.append(BoxRow("shootout", tuple("made" if n in made else "" for n in numbers)))
    return found


def _wagers(
    table: Table, seat: Seat, label: str, slugs: list[str], wide: int, with_chips: bool
) -> list[BoxRow]:
    """The rows of one kind of wager: amounts, buttons, chips; none where there are none."""
    up = [seat.wagers.get(slug) for slug in slugs]
    if not any(up):
        return []
    letters = chip_letters(table)
    amounts = [short_amount(stake.amount, wide) if stake else "" for stake in up]
    buttons = [
        off_or_on(table, slug, stake) if stake else ""
        for slug, stake in zip(slugs, up, strict=True)
    ]
    both = [f"{a} {b}".strip() for a, b in zip(amounts, buttons, strict=True)]
    if all(len(cell) <= wide for cell in both):
        rows = [BoxRow(label, tuple(both))]
    else:
        rows = [BoxRow(label, tuple(amounts)), BoxRow("", tuple(buttons))]
    if with_chips:
        codes = [_fitted(chip_code(table, s.amount, letters), wide) if s else "" for s in up]
        rows.append(BoxRow("", tuple(codes), "chips"))
    return rows


def short_amount(cents: int, wide: int) -> str:
    """Dollars in so many characters: exactly where they fit, else in thousands.

    >>> short_amount(1250, 6), short_amount(500_000, 6), short_amount(1_234_500, 4)
    ('12.50', '5000', '~12k')
    """
    exact = dollars(cents).removesuffix(".00")
    if len(exact) <= wide:
        return exact
    for unit, letter in ((1_000, "k"), (1_000_000, "M"), (1_000_000_000, "B")):
        about = f"{'' if cents % (unit * 100) == 0 else '~'}{cents // (unit * 100)}{letter}"
        if len(about) <= wide:
            return about
    return "lots"


def _fitted(code: str, wide: int) -> str:
    """A chip code without its gaps where they do not fit, and cut where that is not enough."""
    if len(code) > wide:
        code = code.replace(" ", "")
    return code if len(code) <= wide else code[: wide - 1] + "+"


def _line(row: BoxRow, look: Look, label: int, wide: int, letters: dict[str, str]) -> str:
    side = "│" if look.boxes else "|"
    cells = [_painted(f"{cell:^{wide}}", row.style, look, letters) for cell in row.cells]
    return f"{row.label:>{label - 1}} {side}" + side.join(cells) + side


def _painted(cell: str, style: str, look: Look, letters: dict[str, str]) -> str:
    if style != "chips":
        return look.paint(cell, style) if cell.strip() else cell
    colours = {letter: colour for colour, letter in letters.items()}
    return _PILE.sub(lambda pile: look.paint(pile[0], colours.get(pile[1], "")), cell)


def _edge(look: Look, label: int, wide: int, count: int, which: str) -> str:
    left, middle, right, bar = "+++-"
    if look.boxes:
        left, middle, right, bar = "┌┬┐─" if which == "top" else "└┴┘─"
    return " " * label + left + middle.join([bar * wide] * count) + right
