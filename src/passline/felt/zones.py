"""What a plan is made of: zones, what is printed on them, and what stands around."""

from __future__ import annotations

from typing import Literal

import msgspec

from passline.felt.shapes import Point, Shape

#: The end of what belongs to the stick.
CENTER = "center"
#: How a word is set: a heading, a number, what is paid, or small print.
Set = Literal["word", "number", "pays", "fine"]
#: How wide a character is, of its size: no letter of a bold sans is much wider.
CHARACTER = 0.62


class Print(msgspec.Struct, frozen=True):
    """Words printed on the felt: where their middle is, how large, turned by how much."""

    text: str
    at: Point
    size: float
    kind: Set = "word"
    turn: int = 0

    @property
    def length(self) -> float:
        """About how long the words are."""
        return len(self.text) * self.size * CHARACTER


class Pips(msgspec.Struct, frozen=True):
    """Two dice printed on the felt."""

    first: int
    second: int
    at: Point
    size: float


class Zone(msgspec.Struct, frozen=True):
    """A part of the felt where wagers lie: which, at which end, its outline and its words.

    ``kind`` says what it is (``pass``, ``back``, ``box``, ``hard``); ``cite`` by which clause, or
    custom, these wagers lie here.
    """

    id: str
    kind: str
    end: str
    shape: Shape
    slugs: tuple[str, ...]
    prints: tuple[Print, ...] = ()
    pips: tuple[Pips, ...] = ()
    number: int = 0
    place: int = 0
    cite: str = ""


class Fixture(msgspec.Struct, frozen=True):
    """Something that stands at the table: the bank, the box, the bowl, a dealer.

    ``round``: its radius where it is round; else ``shape`` is its outline.
    """

    kind: str
    at: Point
    cite: str
    shape: Shape | None = None
    round: float = 0
    words: str = ""
    end: str = ""


def fitted(
    text: str,
    at: Point,
    size: float,
    room: float,
    kind: Set = "word",
    turn: int = 0,
) -> Print:
    """Words as large as asked for, or as large as there is room for."""
    size = min(size, room / (CHARACTER * max(len(text), 1)))
    return Print(text=text, at=at, size=round(size, 1), kind=kind, turn=turn)
