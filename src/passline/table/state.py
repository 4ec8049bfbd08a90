"""The table as it stands: seats, puck, dice and money. A frozen value."""

from __future__ import annotations

from typing import Literal

import msgspec

from passline.house import House
from passline.layout import Layout, Wagers, lay_felt

NOBODY = -1
#: Whose wagers a player's tokes are. No player can have this name: it has a space in it.
DEALERS = "the dealers"


class Seat(msgspec.Struct, frozen=True):
    """One player: chips in the rail, wagers up, cash bought in (cents)."""

    name: str
    rail: int
    bought_in: int
    wagers: Wagers
    here: bool = True
    standing: bool = False


class ShootoutState(msgspec.Struct, frozen=True):
    """Iowa's promotion: the bonus in cents, points made in this run, and its log."""

    amount: int
    made: frozenset[int] = frozenset()
    open: bool = True
    log: tuple[str, ...] = ()


#: Why dice may have to wait: one of them was down, or is missing; the table was closed.
DOWN, LOST, REOPENED = "a die was down", "a die is lost", "the table was closed"


class Bar(msgspec.Struct, frozen=True):
    """Why the dice may not be thrown, what they need first, and the clause."""

    why: str
    needs: Literal["inspection", "new-set"]
    cite: str


class DiceSet(msgspec.Struct, frozen=True):
    """The set in play and where it is. Between throws the dice rest in the center, before the box.

    ``out``: sent to the shooter. ``held``: a boxperson who came in has not given the OK. ``lost``:
    dice of the set that were not found. ``since``: when it came in, as far as the clock was told.
    Sets go by serial number: ``ready`` ones were inspected, ``retired`` ones came off the table.
    """

    out: bool = False
    held: bool = False
    bar: Bar | None = None
    lost: int = 0
    since: str = ""
    serial: str = ""
    ready: frozenset[str] = frozenset()
    retired: frozenset[str] = frozenset()
    cancelled: frozenset[str] = frozenset()


#: An inspected set in the center, of which nothing more is known: how every table opens.
IN_BOX = DiceSet()


class Table(msgspec.Struct, frozen=True):
    """Everything at one table. Seats go clockwise from the boxperson's left; once a wager was
    made for the dealers they have the last one, which is no player's."""

    layout: Layout
    seats: tuple[Seat, ...]
    puck: int = 0
    shooter: int = NOBODY
    last_shooter: int = NOBODY
    declined: frozenset[int] = frozenset()
    #: The shooter has thrown no come-out roll yet; throws in the present turn.
    fresh: bool = True
    turn: int = 0
    made: frozenset[int] = frozenset()
    thrown: frozenset[int] = frozenset()
    riding: frozenset[str] = frozenset()
    special: bool = False
    #: A die left the table on the last throw; how many of its two were not found.
    off_table: bool = False
    strayed: int = 0
    dice: DiceSet = IN_BOX
    #: The total that the dice in the center show, where they lie as they fell.
    fell: int = 0
    #: Players warned, each with the ground; players whose colour change waits for leave.
    warned: frozenset[tuple[str, str]] = frozenset()
    colour: frozenset[str] = frozenset()
    #: Dead: nobody plays, and all dice are in the bowl.
    status: Literal["live", "dead", "closed"] = "live"
    #: Who has which post, as far as reliefs told.
    crew: dict[str, str] = {}
    now: str = ""
    shootout: ShootoutState | None = None
    #: The house's side: cash dropped, won over the table, vigorish, tokes.
    drop: int = 0
    win: int = 0
    vig: int = 0
    tokes: int = 0

    @property
    def house(self) -> House:
        """The house that deals here."""
        return self.layout.house

    @property
    def players(self) -> tuple[Seat, ...]:
        """The seats of players: all but the dealers'."""
        seats = self.seats
        return seats[:-1] if seats and seats[-1].name == DEALERS else seats

    def seat(self, player: str) -> Seat:
        """A player's seat."""
        return self.seats[self.index(player)]

    def index(self, player: str) -> int:
        """The seat number of a player."""
        for number, seat in enumerate(self.seats):
            if seat.name == player:
                return number
        raise ValueError(f"there is no player {player!r} at this table")


def balance(table: Table) -> int:
    """Cash dropped less every chip it bought, wherever that lies now. Always zero."""
    held = table.win + table.vig + table.tokes
    for seat in table.seats:
        held += seat.rail
        for stake in seat.wagers.values():
            held += stake.amount
    return table.drop - held


def open_table(house: House, players: tuple[str, ...]) -> Table:
    """A table with these players, nobody bought in yet."""
    if len({*players, DEALERS}) != len(players) + 1:
        raise ValueError("two players have the same name, or the dealers'")
    rules = house.book.shootout
    running = rules is not None and house.offers("shootout")
    return Table(
        layout=lay_felt(house),
        seats=tuple(Seat(name, 0, 0, {}) for name in players),
        shootout=ShootoutState(rules.start.value * 100) if rules and running else None,
    )
