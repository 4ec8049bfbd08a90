"""Chips seen from the side, one on the other: stacks that can be counted.

A page holds the chips of its rack once (``chip_symbols``), and every stack uses them: those that
the server draws and those that somebody builds with his own hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from passline.felt.shapes import Point
from passline.felt.svg import NAMESPACE, colour_class, tag, text
from passline.felt.svg_lie import chip_numeral
from passline.money.chips import Chip, Chips

#: A chip's picture, and how much of it shows under the one above.
WIDE, HIGH, STEP = 48, 26, 6
_MIDDLE, _ACROSS, _DEEP, _THICK = 24, 22, 9, 6
#: A stack is this high; what is more stands beside it.
TALLEST_PILE = 20
_APART = 6
#: How large it is on a page.
_SCALE = 1.4
#: The spots on the edge of each colour, as dashes of the half round that is seen.
_SIDES = {"white": "8 8", "red": "6 6", "green": "3 6", "black": "11 11", "purple": "3 3 3 9"}
_SIDES |= {"yellow": "2 3"}


def chip_symbols(chips: Iterable[Chip]) -> str:
    """The chips of a rack, each as a symbol: what stacks are drawn of."""
    made = [_symbol(chip) for chip in chips]
    return tag(
        "svg",
        [tag("defs", made)],
        xmlns=NAMESPACE,
        width=0,
        height=0,
        aria_hidden="true",
        class_="chip-symbols",
    )


def _symbol(chip: Chip) -> str:
    left, top = _MIDDLE - _ACROSS, _DEEP + 1
    half = f"a{_ACROSS} {_DEEP} 0 0 0 {2 * _ACROSS} 0"
    side = f"M{left} {top}v{_THICK}{half}v-{_THICK}z"
    words = chip_numeral(chip.value)
    return tag(
        "symbol",
        [
            tag("path", d=side, class_="disc"),
            tag(
                "path",
                d=f"M{left} {top + _THICK / 2}{half}",
                class_="spots edge",
                pathLength=60,
                stroke_dasharray=_SIDES.get(chip.colour, "15 15"),
            ),
            tag("ellipse", cx=_MIDDLE, cy=top, rx=_ACROSS, ry=_DEEP, class_="disc"),
            tag("ellipse", cx=_MIDDLE, cy=top, rx=_ACROSS - 6, ry=_DEEP - 2.5, class_="inlay"),
            text(words, Point(_MIDDLE, top + 0.4), 8 if len(words) > 3 else 9.5, "value"),
        ],
        id=f"slab-{chip.colour}",
        viewBox=f"0 0 {WIDE} {HIGH}",
        class_=colour_class(chip.colour),
    )


def draw_stack(chips: Chips) -> str:
    """A stack as it lies, the largest colour underneath; its words are its colours and counts."""
    every = [chip.colour for chip, count in chips.piles for _ in range(count)]
    piles = [every[at : at + TALLEST_PILE] for at in range(0, len(every), TALLEST_PILE)]
    high = HIGH + STEP * (max(map(len, piles), default=1) - 1)
    wide = max(1, len(piles)) * (WIDE + _APART) - _APART
    return tag(
        "svg",
        [use for at, pile in enumerate(piles) for use in _pile(pile, at, high)],
        xmlns=NAMESPACE,
        viewBox=f"0 0 {wide} {high}",
        width=round(wide * _SCALE),
        height=round(high * _SCALE),
        role="img",
        aria_label=str(chips),
        class_="chip-stack",
    )


def _pile(colours: Sequence[str], at: int, high: int) -> Iterable[str]:
    for up, colour in enumerate(colours):
        yield tag(
            "use",
            href=f"#slab-{colour}",
            x=at * (WIDE + _APART),
            y=high - HIGH - up * STEP,
            width=WIDE,
            height=HIGH,
        )
