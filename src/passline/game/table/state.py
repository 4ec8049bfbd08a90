"""The state of a table as frozen values: seats, puck, dice, posts and money."""

from __future__ import annotations

from typing import Literal

import msgspec

from passline.game.house.house import House
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Wagers

#: The player id that means nobody: no shooter, no last shooter.
NOBODY = ""
#: The owner of wagers that players make for the dealers. It has a space, so no player can be called
#: that.
DEALERS = "the dealers"


class UndoStep(msgspec.Struct, frozen=True, gc=False):
    """A player's command about wagers since the last throw, and what an undo needs to restore.

    ``number`` identifies the command. ``throws`` counts the table's throws before it. ``wagers``
    were up before it. It moved ``moved`` cents from the rail, including ``vig`` cents of vigorish.
    """

    number: int
    throws: int
    wagers: Wagers
    moved: int
    vig: int


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """One player: chips in the rail, wagers up, cash bought in (all in cents).

    ``id`` identifies the player permanently, ``name`` is displayed, and ``place`` is the seat
    position, counted from 1 clockwise from the boxperson's left. ``here`` is false after the player
    left, and ``standing`` true after the player got up from a seat.
    """

    id: str
    name: str
    place: int
    rail: int = 0
    bought_in: int = 0
    wagers: Wagers = {}
    here: bool = True
    standing: bool = False
    #: Commands that ``undo`` can take back, latest last. They are valid only while
    #: ``UndoStep.throws`` is the current number of throws.
    undo_steps: tuple[UndoStep, ...] = msgspec.field(default=(), name="told")


class ShootoutNote(msgspec.Struct, frozen=True):
    """A line of the shootout's log: the bonus grew, was hit, or a run of points was void.

    ``amount`` is the bonus in cents, and ``shares`` how many players got a share. A run is void if
    the dice were tampered with.
    """

    what: Literal["void", "hit", "grown"]
    amount: int
    shares: int = 0
    when: str = ""


class ShootoutState(msgspec.Struct, frozen=True):
    """The state of the shootout, Iowa's promotion that pays a shooter who makes every point.

    ``amount`` is the bonus in cents, and ``made`` the points made in this run. While ``open`` is
    false, points do not count; the next seven-out opens a new run. ``log`` lists when the bonus
    grew, was hit or was void.
    """

    amount: int
    made: frozenset[int] = frozenset()
    open: bool = True
    log: tuple[ShootoutNote, ...] = ()


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One fault that an inspection of the dice found (``what``), and its clause.

    ``flaw`` names a visible flaw. For a wrong size, ``die`` is the number of the die, ``size`` what
    it measures, and ``limit`` what is allowed, in ten-thousandths of an inch.
    """

    what: Literal["flaw", "undersize", "oversize", "serials"]
    cite: str
    flaw: str = ""
    die: int = 0
    size: int = 0
    limit: int = 0


class DiceRestriction(msgspec.Struct, frozen=True):
    """Why the dice may not be thrown (a code), what must happen first, and the clause.

    The code is ``down`` if a die left the table, ``lost`` if one is missing, ``reopened`` if the
    table was closed and ``fault`` if an inspection found a fault. Any other code is the reason for
    which the dice were recalled.
    """

    why: str
    needs: Literal["inspection", "new-set"]
    cite: str
    fault: Fault | None = None


class DiceSet(msgspec.Struct, frozen=True):
    """The set of dice in play, and where it is.

    Between throws it rests in the center, in front of the boxperson. It is ``out`` if it was sent
    to the shooter, ``in_air`` if it was thrown and is not at rest, and ``held`` until a new
    boxperson gives the OK. ``bar`` is why it may not be thrown. ``lost`` is how many dice are
    missing. ``since`` is when the set came in, if the clock was set. ``ready``, ``retired`` and
    ``cancelled`` are the serial numbers of sets that were inspected, that came off the table, and
    that were canceled after that.
    """

    out: bool = False
    in_air: bool = False
    held: bool = False
    bar: DiceRestriction | None = None
    lost: int = 0
    since: str = ""
    serial: str = ""
    ready: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    cancelled: tuple[str, ...] = ()


#: The dice of a table that has just opened: an inspected set in the center.
INITIAL_DICE = DiceSet()


class LateBet(msgspec.Struct, frozen=True, kw_only=True):
    """A wager called with the dice in the air. Every role in ``needs`` must confirm it."""

    player: str
    wager: str
    amount: int
    needs: tuple[str, ...]
    cite: str


class CorrectableThrow(msgspec.Struct, frozen=True, kw_only=True):
    """The last throw while its faces may still be corrected. ``before`` is the table before it."""

    before: Table
    first: int
    second: int
    shooter: str
    special: bool = False
    ruled_by: str = ""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The whole state of one table. Seats are ordered clockwise, from the boxperson's left."""

    layout: Layout
    #: Players who are here, or who left wagers that are still in play. Other players who were here
    #: are in ``gone``, with the chips that they ``carried`` away, so that a long history does not
    #: slow down the next command.
    playing: tuple[Seat, ...] = ()
    gone: dict[str, Seat] = {}
    carried: int = 0
    #: The highest seat position that was taken when the table opened.
    furthest: int = 0
    #: Wagers that players made for the dealers.
    dealers: Wagers = {}
    #: The point that the puck is on, 0 while it is off. Stored as ``puck``.
    point: int = msgspec.field(default=0, name="puck")
    #: The player who has the dice, the one who had them last, and that player's seat position.
    shooter: str = NOBODY
    last_shooter: str = NOBODY
    last_place: int = 0
    declined: tuple[str, ...] = ()
    #: Whether the shooter has yet to throw a first come-out roll, and the number of throws of this
    #: turn.
    fresh: bool = True
    turn: int = 0
    #: For collecting wagers: points made, totals thrown, and the keys of undecided wagers.
    made: frozenset[int] = frozenset()
    thrown: frozenset[int] = frozenset()
    riding: frozenset[str] = frozenset()
    #: What the other undecided collecting wagers have counted, by slug: ``collect.Tally``.
    tallies: tuple[tuple[str, tuple[int, ...]], ...] = ()
    #: The total of the last throw of this game; 0 before the first.
    last_total: int = 0
    #: Whether the shooter has no line wager and throws only to decide come wagers.
    special: bool = False
    #: Whether a die left the table on the last throw, and how many of the two are missing.
    off_table: bool = False
    strayed: int = 0
    dice: DiceSet = INITIAL_DICE
    #: Wagers called while the dice are in the air, not yet confirmed.
    late: tuple[LateBet, ...] = ()
    #: The number of throws so far, void ones included, and of players' commands about wagers.
    throws: int = 0
    bet_commands: int = msgspec.field(default=0, name="said")
    #: The total that the dice in the center show; 0 if they were moved since the last throw.
    fell: int = 0
    #: The last throw, until the next one or until the dice go out.
    correctable: CorrectableThrow | None = None
    #: Warned shooters, each with the reason; then players who wait for permission to color up.
    warned: tuple[tuple[str, str], ...] = ()
    color_up_requests: tuple[str, ...] = msgspec.field(default=(), name="colour")
    #: ``dead``: nobody plays, and all dice are in the bowl.
    status: Literal["live", "dead", "closed"] = "live"
    #: The names of people who took over a post, by post.
    crew: dict[str, str] = {}
    now: str = ""
    shootout: ShootoutState | None = None
    #: The house's ledger in cents: cash dropped, winnings, vigorish, tokes, and the cost of
    #: promotions, which is included in ``win``.
    drop: int = 0
    win: int = 0
    vig: int = 0
    tokes: int = 0
    promo: int = 0

    @property
    def puck(self) -> int | None:
        """The point that the puck is on; None while it is off."""
        return self.point or None

    @property
    def house(self) -> House:
        """The house that deals here."""
        return self.layout.house

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Every player who is or was at the table, by seat position."""
        if not self.gone:
            return self.playing
        return tuple(sorted((*self.gone.values(), *self.playing), key=lambda seat: seat.place))

    @property
    def names(self) -> list[str]:
        """The names of all players who are or were at the table, in no particular order."""
        return [seat.name for seats in (self.playing, self.gone.values()) for seat in seats]

    def find(self, player: str) -> Seat | None:
        """Return a player's seat by the player's id, or None."""
        for seat in self.playing:
            if seat.id == player:
                return seat
        return self.gone.get(player)

    def seat(self, player: str) -> Seat:
        """Return a player's seat by the player's id. Raise ValueError if there is none."""
        seat = self.find(player)
        if seat is None:
            raise ValueError(f"there is no player {player!r} at this table")
        return seat

    def wagers_of(self, player: str) -> Wagers:
        """Return the wagers of a player, by the player's id; ``DEALERS`` has the dealers' own."""
        return self.dealers if player == DEALERS else self.seat(player).wagers

    def everybody(self) -> tuple[tuple[str, Wagers], ...]:
        """Return (player id, wagers) for each player in ``playing``, then for the dealers."""
        players = tuple([(seat.id, seat.wagers) for seat in self.playing])
        return (*players, (DEALERS, self.dealers)) if self.dealers else players


def ledger_balance(table: Table) -> int:
    """Return the cash dropped minus the value of all chips, wherever they are. It must be zero."""
    held = table.win + table.vig + table.tokes + table.carried
    for stake in table.dealers.values():
        held += stake.amount
    for seat in table.playing:
        held += seat.rail
        for stake in seat.wagers.values():
            held += stake.amount
    return table.drop - held
