"""The state of a table as frozen values: seats, puck, dice, posts and money."""

from __future__ import annotations

from typing import Literal

import msgspec

from passline.game.house.house import House
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Wagers

#: The id of nobody: no shooter, no last one.
NOBODY = ""
#: Whose wagers a player's tokes are. No player can have this name: it has a space in it.
DEALERS = "the dealers"


class UndoStep(msgspec.Struct, frozen=True, gc=False):
    """One statement of a player about wagers since the last throw, and how to undo it.

    ``number`` identifies the statement. ``wagers`` were up before it. It took ``moved`` cents from
    the rail, ``vig`` of them as vigorish.
    """

    number: int
    throws: int
    wagers: Wagers
    moved: int
    vig: int


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """One player: chips in the rail, wagers up, cash bought in (cents).

    ``id`` identifies the player for the table's life, ``name`` is shown, and ``place`` counts from
    1 clockwise from the boxperson's left.
    """

    id: str
    name: str
    place: int
    rail: int = 0
    bought_in: int = 0
    wagers: Wagers = {}
    here: bool = True
    standing: bool = False
    #: What may be taken back, the latest last; only of the throw that ``Told.throws`` counts.
    told: tuple[UndoStep, ...] = ()


class ShootoutNote(msgspec.Struct, frozen=True):
    """One line of the shootout's log: a run void for tampering, a hit with its shares,
    or growth.
    """

    what: Literal["void", "hit", "grown"]
    amount: int
    shares: int = 0
    when: str = ""


class ShootoutState(msgspec.Struct, frozen=True):
    """The state of Iowa's promotion: the bonus in cents, points made in this run, and its log."""

    amount: int
    made: frozenset[int] = frozenset()
    open: bool = True
    log: tuple[ShootoutNote, ...] = ()


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One fault that an inspection found, and the clause. Sizes in ten-thousandths of an inch."""

    what: Literal["flaw", "undersize", "oversize", "serials"]
    cite: str
    flaw: str = ""
    die: int = 0
    size: int = 0
    limit: int = 0


class DiceRestriction(msgspec.Struct, frozen=True):
    """Why the dice may not be thrown (a code), what they need first, and the clause.

    ``down``: a die left the table. ``lost``: one is missing. ``reopened``: the table was closed.
    ``fault``: an inspection found one. Otherwise it is the ground on which they were recalled.
    """

    why: str
    needs: Literal["inspection", "new-set"]
    cite: str
    fault: Fault | None = None


class DiceSet(msgspec.Struct, frozen=True):
    """The set of dice in play and where it is. Between throws it rests in the center, before the
    box.

    ``out``: sent to the shooter. ``in_air``: thrown and not at rest. ``held``: a new boxperson has
    not given the OK. ``lost``: how many dice are missing. ``since``: when the set came in, if the
    clock was set. Serial numbers: ``ready`` sets were inspected, ``retired`` sets came off the
    table.
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


#: An inspected set in the center, of which nothing more is known: how every table opens.
INITIAL_DICE = DiceSet()


class LateBet(msgspec.Struct, frozen=True, kw_only=True):
    """A wager called with the dice in the air, which waits until every role in ``needs`` confirms
    it.
    """

    player: str
    wager: str
    amount: int
    needs: tuple[str, ...]
    cite: str


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Everything at one table. Seats go clockwise by place, from the boxperson's left."""

    layout: Layout
    #: Players who are here, or who left wagers that are still in play. Other players who were here
    #: are in ``gone``, with the chips that they ``carried`` away, so that a long history does not
    #: slow down the next command.
    playing: tuple[Seat, ...] = ()
    gone: dict[str, Seat] = {}
    carried: int = 0
    #: The highest place that was taken when the table opened.
    furthest: int = 0
    #: Wagers that players made for the dealers.
    dealers: Wagers = {}
    #: The point that the puck is on, 0 while it is off. Stored as ``puck``.
    point: int = msgspec.field(default=0, name="puck")
    #: The player who has the dice, the one who had them last, and that player's place.
    shooter: str = NOBODY
    last_shooter: str = NOBODY
    last_place: int = 0
    declined: tuple[str, ...] = ()
    #: Whether the shooter has not thrown a come-out roll yet, and the throws of this turn.
    fresh: bool = True
    turn: int = 0
    #: Points made and totals thrown for collecting wagers, and what undecided ones collect.
    made: frozenset[int] = frozenset()
    thrown: frozenset[int] = frozenset()
    riding: frozenset[str] = frozenset()
    #: Whether the throw is only for come wagers: the shooter has no line wager.
    special: bool = False
    #: Whether a die left the table on the last throw, and how many of the two are missing.
    off_table: bool = False
    strayed: int = 0
    dice: DiceSet = INITIAL_DICE
    #: Wagers called while the dice are in the air, not yet confirmed.
    late: tuple[LateBet, ...] = ()
    #: Throws so far, with void ones, and players' statements about wagers so far.
    throws: int = 0
    said: int = 0
    #: The total that the dice in the center show; 0: they were moved since they fell.
    fell: int = 0
    #: Shooters who were warned, each with the ground; players whose color-up waits for permission.
    warned: tuple[tuple[str, str], ...] = ()
    colour: tuple[str, ...] = ()
    #: Dead: nobody plays, and all dice are in the bowl.
    status: Literal["live", "dead", "closed"] = "live"
    #: The names of those who took over a post, by post.
    crew: dict[str, str] = {}
    now: str = ""
    shootout: ShootoutState | None = None
    #: The house's ledger in cents: cash dropped, winnings, vigorish, tokes, and the cost of
    #: promotions, which is a part of ``win``.
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
        """Every player who is here or was here, by place."""
        if not self.gone:
            return self.playing
        return tuple(sorted((*self.gone.values(), *self.playing), key=lambda seat: seat.place))

    @property
    def names(self) -> list[str]:
        """The names of all players who are here or were here, in no order."""
        return [seat.name for seats in (self.playing, self.gone.values()) for seat in seats]

    def find(self, player: str) -> Seat | None:
        """Return a player's seat by its id; None: there is none."""
        for seat in self.playing:
            if seat.id == player:
                return seat
        return self.gone.get(player)

    def seat(self, player: str) -> Seat:
        """Return a player's seat by its id. Raise ValueError if there is none."""
        seat = self.find(player)
        if seat is None:
            raise ValueError(f"there is no player {player!r} at this table")
        return seat

    def wagers_of(self, player: str) -> Wagers:
        """Return the wagers of a player, or of the dealers."""
        return self.dealers if player == DEALERS else self.seat(player).wagers

    def everybody(self) -> tuple[tuple[str, Wagers], ...]:
        """Return the wagers of everyone who plays, by id, with the dealers' last."""
        players = tuple([(seat.id, seat.wagers) for seat in self.playing])
        return (*players, (DEALERS, self.dealers)) if self.dealers else players


def ledger_balance(table: Table) -> int:
    """Return cash dropped less every chip that it bought, wherever that chip is. It is
    always zero.
    """
    held = table.win + table.vig + table.tokes + table.carried
    for stake in table.dealers.values():
        held += stake.amount
    for seat in table.playing:
        held += seat.rail
        for stake in seat.wagers.values():
            held += stake.amount
    return table.drop - held
