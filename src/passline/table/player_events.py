"""What players did, and what became of their chips: the events of seats and wagers.

Tags are written out and never change: logs of old are read by them. Nothing is worded here, and
nothing is a set, whose order would differ from run to run.
"""

from __future__ import annotations

import msgspec

from passline.layout import Stake


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Something that happened."""


class Place(msgspec.Struct, frozen=True):
    """Who stands where when a table opens."""

    id: str
    name: str
    place: int


class HouseTold(msgspec.Struct, frozen=True, kw_only=True):
    """The house in full: what it elected, and every value that it plays by, in words."""

    rulebook: str
    game: str
    name: str
    elections: dict[str, str]
    terms: dict[str, str]


class Opened(Event, frozen=True, kw_only=True, tag="opened"):
    """The table opened: under which house, which words of its rulebook (a digest), by which
    version of this program; who stood there, and the shootout's bonus where there is one."""

    house: HouseTold
    digest: str
    version: str
    seats: tuple[Place, ...] = ()
    shootout: int | None = None


class Joined(Event, frozen=True, tag="joined"):
    """Somebody came up to the table, or came back to it, at a place. The buy-in follows."""

    player: str
    name: str
    place: int


class BoughtIn(Event, frozen=True, tag="bought-in"):
    """Cash went into the drop, chips to the rail."""

    player: str
    amount: int


class Wagered(Event, frozen=True, tag="wagered"):
    """Chips went from the rail to a spot; vigorish was taken where it is due when made."""

    player: str
    wager: str
    amount: int
    vig: int = 0
    match: int = 0
    unnoticed: bool = False
    #: One of several wagers that one say made: it is taken back with the one before it.
    part: bool = False


class Changed(Event, frozen=True, tag="changed"):
    """A wager was raised, reduced or (to nothing) taken down; ``vig`` moved with it."""

    player: str
    wager: str
    was: int
    now: int
    vig: int
    #: The flat wager that odds are measured by, afterwards.
    flat: int
    cite: str = ""
    part: bool = False
    #: It came down because its player called it off.
    called_off: bool = False


class Called(Event, frozen=True, tag="called"):
    """A wager was called on or off; None: back to what the rulebook has."""

    player: str
    wager: str
    on: bool | None
    part: bool = False


class Undone(Event, frozen=True, kw_only=True, tag="undone"):
    """A correction: what the player said under number ``corrects`` is taken back. The wagers that
    lay there before it lie there again, and ``moved`` cents go back to the rail."""

    player: str
    corrects: int
    wagers: tuple[tuple[str, Stake], ...]
    moved: int
    vig: int


class LateCalled(Event, frozen=True, kw_only=True, tag="late-called"):
    """A wager was called with the dice in the air: it waits until everybody here confirms it."""

    player: str
    wager: str
    amount: int
    needs: tuple[str, ...]
    cite: str


class LateConfirmed(Event, frozen=True, tag="late-confirmed"):
    """One of the crew confirmed a late wager."""

    player: str
    wager: str
    by: str
    cite: str


class LateLapsed(Event, frozen=True, tag="late-lapsed"):
    """A late wager that nobody confirmed before the dice rested has no action."""

    player: str
    wager: str
    cite: str


class Toked(Event, frozen=True, tag="toked"):
    """A tip went into the toke box."""

    player: str
    amount: int
    cite: str


class TokeMade(Event, frozen=True, tag="toke-made"):
    """A player's chips went to the dealers for a wager of theirs, which was announced."""

    player: str
    wager: str
    amount: int
    cite: str


class TokesDropped(Event, frozen=True, tag="tokes-dropped"):
    """What the dealers' wagers brought went into the toke box."""

    amount: int
    cite: str


class ChequesChanged(Event, frozen=True, tag="cheques-changed"):
    """Chips were changed for as much in another colour; nothing was won or lost."""

    player: str
    amount: int
    colour: str
    count: int
    cite: str


class ColouredUp(Event, frozen=True, tag="coloured-up"):
    """Small chips were changed for large ones; nothing was won or lost."""

    player: str


class ColourCalled(Event, frozen=True, tag="colour-called"):
    """A colour change was called, and waits for leave."""

    player: str
    cite: str


class ColourPermitted(Event, frozen=True, tag="colour-permitted"):
    """An official let a colour change come in."""

    player: str
    by: str
    cite: str


class LeftTable(Event, frozen=True, tag="left-table"):
    """A player left, chips in hand."""

    player: str


class Seated(Event, frozen=True, tag="seated"):
    """A player sat down or stood up."""

    player: str
    standing: bool


class LimitsTold(Event, frozen=True, tag="limits-told"):
    """A wager past the limits was found at its settlement, and its player told what they are;
    ``under``: it was below the least."""

    player: str
    wager: str
    least: int
    most: int
    cite: str
    under: bool = False


#: Every one of them.
PlayerEvent = (
    Opened
    | Joined
    | BoughtIn
    | Wagered
    | Changed
    | Called
    | Undone
    | LateCalled
    | LateConfirmed
    | LateLapsed
    | Toked
    | TokeMade
    | TokesDropped
    | ChequesChanged
    | ColouredUp
    | ColourCalled
    | ColourPermitted
    | LeftTable
    | Seated
    | LimitsTold
)
