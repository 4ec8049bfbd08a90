"""What the dice did, and the crew with them: the events of throws, custody, posts and the game."""

from __future__ import annotations

from typing import Literal

from passline.layout import Settlement
from passline.table.player_events import Event
from passline.table.state import Fault, ShootoutNote


class DiceTaken(Event, frozen=True, tag="dice-taken"):
    """A player accepted the dice: two chosen of the set offered, the rest to the bowl."""

    player: str
    offered: int


class DiceDeclined(Event, frozen=True, tag="dice-declined"):
    """A player let the dice go by."""

    player: str


#: Why dice pass: given up by choice or declined, by order, on a seven, for want of a line wager,
#: because the game died or the table closed.
Passing = Literal["choice", "declined", "order", "seven", "no-line", "dead", "closed"]


class DicePassed(Event, frozen=True, tag="dice-passed"):
    """The shooter gave the dice up: by choice, by order, or on a loser seven.

    ``to_another``: by choice or by order, and another player is there to have them. By order:
    ``by`` whom, and on which ground.
    """

    player: str
    why: Passing
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
SetEvent = (
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
    | SetEvent
)
