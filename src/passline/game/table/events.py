"""The events: everything that can happen at a table. The state of a table is the result of applying
its events in order.

The tags and fields are stored in logs and never change. Events hold codes and figures;
``game/words`` turns them into sentences. No field is a set, because the order of a set could differ
between runs.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from passline.game.layout.stakes import Refusal, Settlement, Stake
from passline.game.table.commands import AnyCommand
from passline.game.table.state import Fault, ShootoutNote


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Something that happened at a table."""


class PlayerEvent(Event, frozen=True):
    """An event about one player."""

    player: str


class WagerEvent(PlayerEvent, frozen=True):
    """An event about one wager of a player."""

    wager: str


class OpeningSeat(msgspec.Struct, frozen=True):
    """A player and the player's seat position when a table opens."""

    id: str
    name: str
    place: int


class HouseDescription(msgspec.Struct, frozen=True, kw_only=True):
    """All values of the house as text: its elections, and every value in force."""

    rulebook: str
    game: str
    name: str
    elections: dict[str, str]
    terms: dict[str, str]


class Opened(Event, frozen=True, kw_only=True, tag="opened"):
    """The table opened: house, digest of the rulebook, version, players, the shootout's bonus."""

    house: HouseDescription
    digest: str
    version: str
    seats: tuple[OpeningSeat, ...] = ()
    shootout: int | None = None


class Joined(PlayerEvent, frozen=True, tag="joined"):
    """A player came, or came back, to a seat position. If they buy in, that event follows."""

    name: str
    place: int


class BoughtIn(PlayerEvent, frozen=True, tag="bought-in"):
    """Cash went into the drop box, and chips to the rail."""

    amount: int


class Wagered(WagerEvent, frozen=True, tag="wagered"):
    """A player bet ``amount`` cents, from the rail, on a wager, or added them to it.

    If ``player`` is ``DEALERS``, the cents are a tip that a player bet for the dealers.
    ``vig`` is the vigorish in cents that was charged at once, and ``match`` the face of a coupon.
    """

    amount: int
    vig: int = 0
    match: int = 0
    unnoticed: bool = False
    #: One of several wagers made by one command: an undo takes it back with the one before it.
    part: bool = False


class Changed(WagerEvent, frozen=True, tag="changed"):
    """A wager went from ``was`` to ``now`` cents: it was raised, reduced or taken down (to 0).

    ``vig`` cents of vigorish were charged, or given back if negative.
    """

    was: int
    now: int
    vig: int
    #: The flat amount that limits odds from now on.
    flat: int
    cite: str = ""
    #: As in Wagered.
    part: bool = False
    #: Whether the wager came down because its player called it off.
    called_off: bool = False


class Called(WagerEvent, frozen=True, tag="called"):
    """A wager was called on or off. ``on`` is None if the rulebook's default applies again."""

    on: bool | None
    #: As in Wagered.
    part: bool = False


class Undone(PlayerEvent, frozen=True, tag="undone"):
    """The player's command number ``corrects`` was undone.

    ``wagers`` are all the player's wagers now, as they were before the command. ``moved`` cents
    went to the rail (from it, if negative), including ``vig`` cents of vigorish.
    """

    corrects: int
    wagers: tuple[tuple[str, Stake], ...]
    moved: int
    vig: int


class LateCalled(WagerEvent, frozen=True, tag="late-called"):
    """A wager was called with the dice in the air. Every role in ``needs`` must confirm it."""

    amount: int
    needs: tuple[str, ...]
    cite: str


class LateConfirmed(WagerEvent, frozen=True, tag="late-confirmed"):
    """A member of the crew, ``by``, confirmed a wager that was called with the dice in the air."""

    by: str
    cite: str


class LateLapsed(WagerEvent, frozen=True, tag="late-lapsed"):
    """A bet called in the air was not confirmed before the dice came to rest, and has no action."""

    cite: str


class Toked(PlayerEvent, frozen=True, tag="toked"):
    """A tip went into the toke box."""

    amount: int
    cite: str


class TokeMade(WagerEvent, frozen=True, tag="toke-made"):
    """A player's chips went to the dealers for a wager that the player announced for them."""

    amount: int
    cite: str


class TokesDropped(Event, frozen=True, tag="tokes-dropped"):
    """Money of the dealers' wagers went into the toke box: winnings, or stakes that came down."""

    amount: int
    cite: str


class ChequesChanged(PlayerEvent, frozen=True, tag="cheques-changed"):
    """Chips were exchanged for the same amount in another color."""

    amount: int
    colour: str
    count: int
    cite: str


class ColoredUp(PlayerEvent, frozen=True, tag="coloured-up"):
    """Small chips were exchanged for large ones."""


class ColorUpRequested(PlayerEvent, frozen=True, tag="colour-called"):
    """A player asked to color up, and waits for an official's permission."""

    cite: str


class ColorUpPermitted(PlayerEvent, frozen=True, tag="colour-permitted"):
    """An official permitted a color-up."""

    by: str
    cite: str


class LeftTable(PlayerEvent, frozen=True, tag="left-table"):
    """A player left with the chips of the rail."""


class Seated(PlayerEvent, frozen=True, tag="seated"):
    """A player sat down, or got up (``standing``)."""

    standing: bool


class LimitsTold(WagerEvent, frozen=True, tag="limits-told"):
    """The crew told a player the limits, after a wager outside them was settled.

    ``under`` means that it was below the minimum.
    """

    least: int
    most: int
    cite: str
    under: bool = False


class DiceTaken(PlayerEvent, frozen=True, tag="dice-taken"):
    """A player accepted the dice: chose two of the ``offered``; the others are back in the bowl."""

    offered: int


class DiceDeclined(PlayerEvent, frozen=True, tag="dice-declined"):
    """A player declined the dice."""


#: Why dice pass: by choice, declined, by order, after a seven, without a line wager, or because the
#: game was declared dead or the table closed.
PassReason = Literal["choice", "declined", "order", "seven", "no-line", "dead", "closed"]


class DicePassed(PlayerEvent, frozen=True, tag="dice-passed"):
    """The shooter gave up the dice, for the reason ``why``.

    ``to_another`` means that another player can take them. If an official ordered it, ``by`` is the
    official's role and ``ground`` the reason for the order.
    """

    why: PassReason
    cite: str
    to_another: bool = False
    by: str = ""
    ground: str = ""


class DiceAsked(PlayerEvent, frozen=True, tag="dice-asked"):
    """A player asked for the same dice again (``same``), or the shooter for others."""

    same: bool
    cite: str


class DiceChanged(Event, frozen=True, tag="dice-changed"):
    """A new set of dice came in, for the reason ``reason``."""

    reason: str
    cite: str
    serial: str = ""


class DiceSent(PlayerEvent, frozen=True, tag="dice-sent"):
    """The dice went out to the shooter."""


class DiceReleased(PlayerEvent, frozen=True, tag="dice-released"):
    """The shooter let go of the dice: they are in the air."""


class DiceDrawnBack(Event, frozen=True, tag="dice-drawn-back"):
    """Dice that were out came back to the center."""


class DiceInspected(Event, frozen=True, tag="dice-inspected"):
    """A set was inspected; without faults it is fit. An empty serial means the set in play."""

    by: str
    serial: str
    faults: tuple[Fault, ...]
    cite: str


class DiceRecalled(Event, frozen=True, tag="dice-recalled"):
    """The dice were called in for an inspection."""

    reason: str
    cite: str


class SetCancelled(Event, frozen=True, tag="set-cancelled"):
    """Each die of a set that came off the table was canceled on a face."""

    serial: str
    face: int
    cite: str


class DieLost(Event, frozen=True, tag="die-lost"):
    """A die was not found, and ``left`` dice remain.

    ``plays_on`` says whether the game goes on with them; otherwise it waits for a new set.
    """

    left: int
    plays_on: bool
    cite: str


class DieFound(Event, frozen=True, tag="die-found"):
    """A die came back. ``inspect`` means that it must be inspected before it is thrown."""

    inspect: bool
    cite: str


class Relieved(Event, frozen=True, tag="relieved"):
    """A person took over a post. ``holds`` means that the dice wait for the new boxperson's OK."""

    name: str
    post: str
    holds: bool
    cite: str


class DiceOkayed(Event, frozen=True, tag="dice-okayed"):
    """The new boxperson gave the OK."""

    cite: str


class GameDied(Event, frozen=True, tag="game-died"):
    """The game was declared dead; ``dice`` dice are in the bowl."""

    dice: int
    cite: str


class BowlDumped(PlayerEvent, frozen=True, tag="bowl-dumped"):
    """A player came to a dead game, so the dice were taken out of the bowl."""

    cite: str


class TableClosed(Event, frozen=True, tag="table-closed"):
    """The table was closed. ``fresh_dice`` means that it must reopen with a new set."""

    fresh_dice: bool
    cite: str


class TableOpened(Event, frozen=True, tag="table-opened"):
    """A closed table opened again."""


class LimitsSet(Event, frozen=True, tag="limits-set"):
    """New limits were posted, in cents, for ``wager``, or for the table if that is "".

    Wagers that are up stay up.
    """

    wager: str
    low: int
    high: int
    cite: str


class NoRoll(Event, frozen=True, tag="no-roll"):
    """A throw did not count, for the reason ``ground``; ``by`` is the role that called it."""

    ground: str
    by: str
    cite: str
    #: Whether a die left the table, and where it fell if that is known; "both" if both left.
    off_table: bool = False
    side: str = ""


class Warned(PlayerEvent, frozen=True, tag="warned"):
    """A shooter was warned: the next throw like this (``ground``) may be called no roll."""

    ground: str
    by: str
    cite: str


class Rolled(Event, frozen=True, tag="rolled"):
    """A throw that counted: its settlements, and the state of the round after it.

    ``was`` is the puck before it and ``puck`` the puck after it (0: off). ``made`` and ``thrown``
    are the points made and totals thrown so far for collecting wagers such as fire. ``riding`` has
    the keys of those still undecided (``find_riding_key``). ``tallies`` has what other collecting
    wagers have counted, as (slug, tally); logs leave it out if there are none. ``special`` is true
    for a throw without a line wager, to decide come wagers. ``ruled_by`` is the official who ruled
    on the faces, or "".
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
    tallies: tuple[tuple[str, tuple[int, ...]], ...] | msgspec.UnsetType = msgspec.UNSET
    special: bool = False
    ruled_by: str = ""


class ThrowCorrected(Event, frozen=True, tag="throw-corrected"):
    """The last throw was keyed wrongly: the table goes back to what it was before that throw.

    ``first`` and ``second`` are the right faces, ``was`` the wrong ones. The throw of the right
    faces follows as its own event, then the events of the commands given since.
    """

    first: int
    second: int
    was: tuple[int, int]
    by: str
    cite: str


class CommandDropped(Event, frozen=True, tag="command-dropped"):
    """After a throw was corrected, the table refused a command that had followed the wrong throw.

    ``number`` is its place among those commands, from 0. ``player`` is empty for the crew's.
    """

    number: int
    player: str
    command: AnyCommand
    refusal: Refusal


class ShootoutMoved(Event, frozen=True, tag="shootout-moved"):
    """The Craps Shootout changed: its bonus, the points made in this turn, or whether it is open.

    ``amount`` is the bonus in cents. While ``open`` is false, points made do not count. ``note`` is
    a line for the shootout's log.
    """

    amount: int
    made: tuple[int, ...]
    open: bool
    note: ShootoutNote | None = None


class Clocked(Event, frozen=True, tag="clocked"):
    """The clock of the table was set."""

    when: str


BetEvent = Wagered | Changed | Called | Undone | LateCalled | LateConfirmed | LateLapsed
ChipEvent = BoughtIn | ChequesChanged | ColoredUp | ColorUpRequested | ColorUpPermitted
SeatEvent = Opened | Joined | LeftTable | Seated | LimitsTold | Toked | TokeMade | TokesDropped
CustodyEvent = DiceTaken | DiceDeclined | DicePassed | DiceAsked | DiceSent | DiceReleased
CorrectionEvent = ThrowCorrected | CommandDropped
ThrowEvent = DiceDrawnBack | NoRoll | Warned | Rolled | CorrectionEvent | ShootoutMoved | Clocked
InspectionEvent = DiceInspected | DiceRecalled | DiceChanged | SetCancelled | DieLost | DieFound
IdleEvent = GameDied | BowlDumped | TableClosed | TableOpened | DiceOkayed | LimitsSet
#: Events about the set of dice, the posts, and a dead or closed table.
DiceSetEvent = InspectionEvent | Relieved | IdleEvent
DiceEvent = CustodyEvent | ThrowEvent | DiceSetEvent
#: Every event.
AnyEvent = BetEvent | ChipEvent | SeatEvent | DiceEvent
#: The answer to a command: the events that it causes, or a refusal.
Answer = tuple[AnyEvent, ...] | Refusal
