"""What players did, and what became of their chips: the events of seats and wagers.

Tags are written out and never change: logs of old are read by them. Nothing is worded here, and
nothing is a set, whose order would differ from run to run.

What the dice did, and the crew with them: the events of throws, custody, posts and the game.

Every event of a table, under one name. State is a fold of these, and of nothing else.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from passline.game.layout.stakes import Refusal, Settlement, Stake
from passline.game.table.state import Fault, ShootoutNote

__all__ = [
    "Answer",
    "AnyEvent",
    "BoughtIn",
    "BowlDumped",
    "Called",
    "Changed",
    "ChequesChanged",
    "Clocked",
    "ColorUpPermitted",
    "ColorUpRequested",
    "ColoredUp",
    "DiceAsked",
    "DiceChanged",
    "DiceDeclined",
    "DiceDrawnBack",
    "DiceEvent",
    "DiceInspected",
    "DiceOkayed",
    "DicePassed",
    "DiceRecalled",
    "DiceReleased",
    "DiceSent",
    "DiceSetEvent",
    "DiceTaken",
    "DieFound",
    "DieLost",
    "Event",
    "Fault",
    "GameDied",
    "HouseDescription",
    "IdleEvent",
    "Joined",
    "LateCalled",
    "LateConfirmed",
    "LateLapsed",
    "LeftTable",
    "LimitsSet",
    "LimitsTold",
    "NoRoll",
    "Opened",
    "OpeningSeat",
    "PassReason",
    "PlayerEvent",
    "Relieved",
    "Rolled",
    "Seated",
    "SetCancelled",
    "ShootoutMoved",
    "TableClosed",
    "TableOpened",
    "TokeMade",
    "Toked",
    "TokesDropped",
    "Undone",
    "Wagered",
    "Warned",
]


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Something that happened."""


class OpeningSeat(msgspec.Struct, frozen=True):
    """Who stands where when a table opens."""

    id: str
    name: str
    place: int


class HouseDescription(msgspec.Struct, frozen=True, kw_only=True):
    """The house in full: what it elected, and every value that it plays by, in words."""

    rulebook: str
    game: str
    name: str
    elections: dict[str, str]
    terms: dict[str, str]


class Opened(Event, frozen=True, kw_only=True, tag="opened"):
    """The table opened: under which house, which words of its rulebook (a digest), by which
    version of this program; who stood there, and the shootout's bonus where there is one."""

    house: HouseDescription
    digest: str
    version: str
    seats: tuple[OpeningSeat, ...] = ()
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


class ColoredUp(Event, frozen=True, tag="coloured-up"):
    """Small chips were changed for large ones; nothing was won or lost."""

    player: str


class ColorUpRequested(Event, frozen=True, tag="colour-called"):
    """A colour change was called, and waits for leave."""

    player: str
    cite: str


class ColorUpPermitted(Event, frozen=True, tag="colour-permitted"):
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
    | ColoredUp
    | ColorUpRequested
    | ColorUpPermitted
    | LeftTable
    | Seated
    | LimitsTold
)


class DiceTaken(Event, frozen=True, tag="dice-taken"):
    """A player accepted the dice: two chosen of the set offered, the rest to the bowl."""

    player: str
    offered: int


class DiceDeclined(Event, frozen=True, tag="dice-declined"):
    """A player let the dice go by."""

    player: str


#: Why dice pass: given up by choice or declined, by order, on a seven, for want of a line wager,
#: because the game died or the table closed.
PassReason = Literal["choice", "declined", "order", "seven", "no-line", "dead", "closed"]


class DicePassed(Event, frozen=True, tag="dice-passed"):
    """The shooter gave the dice up: by choice, by order, or on a loser seven.

    ``to_another``: by choice or by order, and another player is there to have them. By order:
    ``by`` whom, and on which ground.
    """

    player: str
    why: PassReason
    cite: str
    to_another: bool = False
    by: str = ""
    ground: str = ""


class DiceAsked(Event, frozen=True, tag="dice-asked"):
    """The shooter asked for the same dice, or for others."""

    player: str
    same: bool
    cite: str


class DiceChanged(Event, frozen=True, tag="dice-changed"):
    """A new set came in."""

    reason: str
    cite: str
    serial: str = ""


class DiceSent(Event, frozen=True, tag="dice-sent"):
    """The dice went out to the shooter."""

    player: str


class DiceReleased(Event, frozen=True, tag="dice-released"):
    """The shooter let the dice go: they are in the air."""

    player: str


class DiceDrawnBack(Event, frozen=True, tag="dice-drawn-back"):
    """Dice that were out came back to the center."""


class DiceInspected(Event, frozen=True, tag="dice-inspected"):
    """A set was looked over, and is fit if no fault was found. An empty serial: the set in play."""

    by: str
    serial: str
    faults: tuple[Fault, ...]
    cite: str


class DiceRecalled(Event, frozen=True, tag="dice-recalled"):
    """The dice were called in, to be inspected."""

    reason: str
    cite: str


class SetCancelled(Event, frozen=True, tag="set-cancelled"):
    """Each die of a set that came off was cancelled on a face."""

    serial: str
    face: int
    cite: str


class DieLost(Event, frozen=True, tag="die-lost"):
    """A die was not found: so many are left, and the game goes on or waits for a new set."""

    left: int
    plays_on: bool
    cite: str


class DieFound(Event, frozen=True, tag="die-found"):
    """A die came back to the table; ``inspect``: it is looked over before it is thrown."""

    inspect: bool
    cite: str


class Relieved(Event, frozen=True, tag="relieved"):
    """Somebody took over a post; ``holds``: the dice wait for the OK of who came in."""

    name: str
    post: str
    holds: bool
    cite: str


class DiceOkayed(Event, frozen=True, tag="dice-okayed"):
    """The boxperson who came in gave the OK."""

    cite: str


class GameDied(Event, frozen=True, tag="game-died"):
    """Nobody plays: so many dice are in the bowl."""

    dice: int
    cite: str


class BowlDumped(Event, frozen=True, tag="bowl-dumped"):
    """Somebody came up to a dead game."""

    player: str
    cite: str


class TableClosed(Event, frozen=True, tag="table-closed"):
    """The table was closed; ``fresh_dice``: it opens again with a new set."""

    fresh_dice: bool
    cite: str


class TableOpened(Event, frozen=True, tag="table-opened"):
    """A closed table opened again."""


class LimitsSet(Event, frozen=True, tag="limits-set"):
    """Other limits were posted, of the table or of one wager, in cents; what is up stands."""

    wager: str
    low: int
    high: int
    cite: str


class NoRoll(Event, frozen=True, tag="no-roll"):
    """A throw that decided nothing."""

    ground: str
    by: str
    cite: str
    #: A die left the table, and where it fell, as far as that was told; or "both" did.
    off_table: bool = False
    side: str = ""


class Warned(Event, frozen=True, tag="warned"):
    """A shooter was warned: the next throw like it may be called no roll."""

    player: str
    ground: str
    by: str
    cite: str


class Rolled(Event, frozen=True, tag="rolled"):
    """A throw that counted, everything it settled, and the table after it.

    ``made``, ``thrown`` and ``riding`` are what the collecting wagers have gathered.
    """

    first: int
    second: int
    shooter: str
    was: int
    puck: int
    settlements: tuple[Settlement, ...]
    made: tuple[int, ...] = ()
    thrown: tuple[int, ...] = ()
    riding: tuple[str, ...] = ()
    special: bool = False
    ruled_by: str = ""


class ShootoutMoved(Event, frozen=True, tag="shootout-moved"):
    """The shootout's bonus, the points of the present run, and whether a run is open."""

    amount: int
    made: tuple[int, ...]
    open: bool
    note: ShootoutNote | None = None


class Clocked(Event, frozen=True, tag="clocked"):
    """The time was told."""

    when: str


#: A table that waits: for the box, for somebody to come up, or to open again.
IdleEvent = DiceOkayed | GameDied | BowlDumped | TableClosed | TableOpened | LimitsSet
#: The set of dice, who has a post, and a table that waits.
DiceSetEvent = (
    DiceChanged
    | DiceInspected
    | DiceRecalled
    | SetCancelled
    | DieLost
    | DieFound
    | Relieved
    | IdleEvent
)
#: Every one of them.
DiceEvent = (
    DiceTaken
    | DiceDeclined
    | DicePassed
    | DiceAsked
    | DiceSent
    | DiceReleased
    | DiceDrawnBack
    | NoRoll
    | Warned
    | Rolled
    | ShootoutMoved
    | Clocked
    | DiceSetEvent
)


#: Every event there is.
AnyEvent = PlayerEvent | DiceEvent

#: What the table says to a command: what happened, or why it may not be.
Answer = tuple[AnyEvent, ...] | Refusal
