"""What may lie on a felt, as values that go to JSON as they are."""

from __future__ import annotations

from typing import Literal

import msgspec

from passline.felt.shapes import Point

#: How a stack lies by the one it belongs to.
How = Literal["", "offset", "heeled", "bridged"]


class Pile(msgspec.Struct, frozen=True):
    """Chips of one colour in a stack; their value in cents."""

    colour: str
    value: int
    count: int


class Stack(msgspec.Struct, frozen=True, kw_only=True):
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
    chips: tuple[Pile, ...]
    coin: str = ""
    how: How = ""
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


class Plate(msgspec.Struct, frozen=True):
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


class Lie(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that lies on a felt. It goes to JSON as it is."""

    stacks: tuple[Stack, ...]
    lammers: tuple[Lammer, ...]
    pucks: tuple[Puck, ...]
    markers: tuple[Marker, ...]
    dice: tuple[Die, ...]
    plates: tuple[Plate, ...]
    #: Where the bowl or cup stands, if the game has one; whether the stick lies under it.
    holder: Point | None = None
    stick_down: bool = False


#: How much higher each chip lies in the picture, of its width; a tall stack is squeezed.
LIFT, TALLEST = 0.085, 0.5


def lift(stack: Stack) -> float:
    """How much higher each chip of a stack lies than the one beneath it."""
    count = max(sum(pile.count for pile in stack.chips), 1)
    return min(LIFT, TALLEST / count) * stack.size


def height(stack: Stack) -> float:
    """How much higher its top lies than its foot."""
    return lift(stack) * max(sum(pile.count for pile in stack.chips) - 1, 0)
