"""What happened at the table. State is a fold of these, and of nothing else."""

from __future__ import annotations

import msgspec

from passline.layout import Refusal, Settlement


class Event(msgspec.Struct, frozen=True, tag_field="event", tag=True):
    """Something that happened."""


#: What the table says to a command: what happened, or why it may not be.
Answer = tuple[Event, ...] | Refusal


class BoughtIn(Event, frozen=True):
    """Cash went into the drop, chips to the rail."""

    player: str
    amount: int


class Wagered(Event, frozen=True):
    """Chips went from the rail to a spot; vigorish was taken where it is due when made."""

    player: str
    wager: str
    amount: int
    vig: int = 0
    match: int = 0
    unnoticed: bool = False


class Changed(Event, frozen=True):
    """A wager was raised, reduced or (to nothing) taken down; ``vig`` moved with it."""

    player: str
    wager: str
    was: int
    now: int
    vig: int
    #: The flat wager that odds are measured by, afterwards.
    flat: int
    cite: str = ""
    #: It came down because its player called it off.
    called_off: bool = False


class Called(Event, frozen=True):
    """A wager was called on or off; None: back to what the rulebook has."""

    player: str
    wager: str
    on: bool | None


class Toked(Event, frozen=True):
    """A tip went into the toke box."""

    player: str
    amount: int
    cite: str


class TokeMade(Event, frozen=True):
    """A player's chips went to the dealers for a wager of theirs, which was announced."""

    player: str
    wager: str
    amount: int
    cite: str


class TokesDropped(Event, frozen=True):
    """What the dealers' wagers brought went into the toke box."""

    amount: int
    cite: str


class ChequesChanged(Event, frozen=True):
    """Chips were changed for as much in another colour; nothing was won or lost."""

    player: str
    amount: int
    colour: str
    count: int
    cite: str


class ColouredUp(Event, frozen=True):
    """Small chips were changed for large ones; nothing was won or lost."""

    player: str


class LeftTable(Event, frozen=True):
    """A player left, chips in hand."""

    player: str


class Seated(Event, frozen=True):
    """A player sat down or stood up."""

    player: str
    standing: bool


class DiceTaken(Event, frozen=True):
    """A player accepted the dice: two chosen of the set offered, the rest to the bowl."""

    player: str
    offered: int


class DiceDeclined(Event, frozen=True):
    """A player let the dice go by."""

    player: str


class DicePassed(Event, frozen=True):
    """The shooter gave the dice up: by choice, by order, or on a loser seven.

    ``to_another``: by choice or by order, and another player is there to have them. ``offered``:
    the set goes on to whoever is next; not where nobody plays.
    """

    player: str
    why: str
    cite: str
    to_another: bool = False
    offered: bool = True


class DiceAsked(Event, frozen=True):
    """The shooter asked for the same dice, or for others."""

    player: str
    same: bool
    cite: str


class DiceChanged(Event, frozen=True):
    """A new set came in."""

    reason: str
    cite: str
    serial: str = ""


class DiceSent(Event, frozen=True):
    """The dice went out to the shooter."""

    player: str


class DiceDrawnBack(Event, frozen=True):
    """Dice that were out came back to the center."""


class Fault(msgspec.Struct, frozen=True):
    """What an inspection found wrong, and the clause."""

    what: str
    cite: str


class DiceInspected(Event, frozen=True):
    """A set was looked over, and is fit if no fault was found. An empty serial: the set in play."""

    by: str
    serial: str
    faults: tuple[Fault, ...]
    cite: str


class DiceRecalled(Event, frozen=True):
    """The dice were called in, to be inspected."""

    reason: str
    cite: str


class SetCancelled(Event, frozen=True):
    """Each die of a set that came off was cancelled on a face."""

    serial: str
    face: int
    cite: str


class DieLost(Event, frozen=True):
    """A die was not found: so many are left, and the game goes on or waits for a new set."""

    left: int
    plays_on: bool
    cite: str


class DieFound(Event, frozen=True):
    """A die came back to the table; ``inspect``: it is looked over before it is thrown."""

    inspect: bool
    cite: str


class Relieved(Event, frozen=True):
    """Somebody took over a post; ``holds``: the dice wait for the OK of who came in."""

    name: str
    post: str
    holds: bool
    cite: str


class DiceOkayed(Event, frozen=True):
    """The boxperson who came in gave the OK."""

    cite: str


class GameDied(Event, frozen=True):
    """Nobody plays: so many dice are in the bowl."""

    dice: int
    cite: str


class BowlDumped(Event, frozen=True):
    """Somebody came up to a dead game."""

    player: str
    cite: str


class TableClosed(Event, frozen=True):
    """The table was closed; ``fresh_dice``: it opens again with a new set."""

    fresh_dice: bool
    cite: str


class TableOpened(Event, frozen=True):
    """A closed table opened again."""


class NoRoll(Event, frozen=True):
    """A throw that decided nothing; ``side``: where a die fell, ``outside`` or ``inside``."""

    ground: str
    by: str
    cite: str
    side: str = ""


class Rolled(Event, frozen=True):
    """A throw that counted, everything it settled, and the table after it.

    ``made``, ``thrown`` and ``riding`` are what the collecting wagers have gathered.
    """

    first: int
    second: int
    shooter: str
    was: int
    puck: int
    settlements: tuple[Settlement, ...]
    made: frozenset[int] = frozenset()
    thrown: frozenset[int] = frozenset()
    riding: frozenset[str] = frozenset()
    special: bool = False
    ruled_by: str = ""


class LimitsTold(Event, frozen=True):
    """A wager past the limits was found at its settlement, and its player told what they are;
    ``under``: it was below the least."""

    player: str
    wager: str
    least: int
    most: int
    cite: str
    under: bool = False


class ShootoutMoved(Event, frozen=True):
    """The shootout's bonus, the points of the present run, and whether a run is open."""

    amount: int
    made: frozenset[int]
    open: bool
    entry: str = ""


class Clocked(Event, frozen=True):
    """The time was told."""

    when: str


class Warned(Event, frozen=True):
    """A shooter was warned: the next throw like it may be called no roll."""

    player: str
    ground: str
    by: str
    cite: str


class ColourCalled(Event, frozen=True):
    """A colour change was called, and waits for leave."""

    player: str
    cite: str


class ColourPermitted(Event, frozen=True):
    """An official let a colour change come in."""

    player: str
    by: str
    cite: str
