"""The table as it stands: seats, puck, dice and money. A frozen value."""

from __future__ import annotations

import msgspec

from passline.house import House
from passline.layout import Layout, Wagers, lay_felt

NOBODY = -1


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


class Table(msgspec.Struct, frozen=True):
    """Everything at one table. Seats go clockwise from the boxperson's left."""

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
    #: A die left the table on the last throw.
    off_table: bool = False
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
    if len(set(players)) != len(players):
        raise ValueError("two players have the same name")
    rules = house.book.shootout
    running = rules is not None and house.offers("shootout")
    return Table(
        layout=lay_felt(house),
        seats=tuple(Seat(name, 0, 0, {}) for name in players),
        shootout=ShootoutState(rules.start.value * 100) if rules and running else None,
    )
