"""The values that every wager has, and the methods that every wager shape implements.

A shape is a way in which wagers are decided: line, come, odds, race and so on. A rulebook gives
each wager a shape and its values. ``WagerRule`` is the base class; each module of
``passline.game.law.shapes`` has the subclass for one shape. This module reads no files and names no
shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

import msgspec

from passline.game.dice.dice import SEVEN, TOTALS
from passline.game.law.citations import CitedEntry, CitedValue
from passline.game.money.amounts import Odds

if TYPE_CHECKING:  # A Book holds wagers, and the methods of a wager take a Book.
    from passline.game.law.book import Book
    from passline.game.law.verdicts import TableTerms, VerdictTable

T = TypeVar("T")
#: When a wager may be made.
WhenMade = Literal["any", "come-out", "point", "number", "new-shooter", "after-seven"]
#: Until when a wager may be raised, reduced or taken down: as long as it is up, until it has its
#: number (its point), or not at all.
ChangePeriod = Literal["always", "until-number", "never"]
#: Whether a wager works on a come-out roll when its player has not called it on or off.
Working = Literal["on", "off"]
#: The effect of calling a wager off: not allowed, the wager stays up but does not work, or it is
#: returned to its player.
CallOff = Literal["no", "rests", "returned"]
#: What wins or loses a wager that has a number: the number, or the seven.
Decider = Literal["number", "seven"]
#: Which minimum a wager must meet: the table's, the center's, or its own.
Area = Literal["table", "center", "side"]
#: Which vigorish a wager pays; empty: none.
VigKind = Literal["", "buy", "lay"]
#: A total (8) or a combination of dice ("3-5").
Face = int | str
_LineArea = Literal["pass", "pass-odds", "dont-pass", "dont-pass-odds", "come", "dont-come"]
_NumberArea = Literal["behind", "behind-odds", "box", "box-odds", "place", "big"]
_CenterArea = Literal["field", "hard", "seven", "total", "totals", "hop", "circles", "high"]
_SideArea = Literal["above-seven", "parts", "fire", "bonus"]
#: Parts of the felt. ``behind``, ``box`` and ``place`` are strips of a number's column.
FeltArea = Literal[_LineArea, _NumberArea, _CenterArea, _SideArea]
_LinePlace = Literal["line", "donts", "come", "dont-come", "boxes", "behind", "numbers"]
#: The area of the layout that the stick names in a call. Come bets are in the boxes; don't bets,
#: lay bets and place-to-lose bets are behind the numbers; place and buy bets are on the numbers.
CallPlace = Literal[_LinePlace, "field", "hardways", "center", "side", "odds", "working"]
#: How a wager is decided, for the sentence that explains it.
DecisionKind = Literal[
    "come-out",
    "first-roll",
    "with-flat",
    "one-roll",
    "two-rolls",
    "collected",
    "by-faces",
    "pass-wins",
    "twice-hard",
]
#: Every total that can be a point: all but the seven.
POINT_NUMBERS = tuple(total for total in TOTALS if total != SEVEN)


class PayLine(CitedEntry, frozen=True, rename={"odds": "is", "cites": "cite"}):
    """One line of the payout card: the odds paid on these faces, numbers or counts of points.

    ``elect`` ties the line to an election: ``"fire=A"`` pays only where the house elected table A.
    """

    odds: str
    on: tuple[Face, ...] = ()
    elect: str = ""


class BookMaximum(CitedEntry, frozen=True, rename={"dollars": "is", "cites": "cite"}):
    """The maximum in dollars that the book sets for a wager on these numbers; on all if empty."""

    dollars: int
    on: tuple[int, ...] = ()


#: The names of payout lines, with the faces of each.
PayoutNames = dict[str, tuple[Face, ...]]
#: Every wager that a house deals, by family.
Dealt = Mapping[str, "WagerRule"]


class WagerRule(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="shape", forbid_unknown_fields=True
):
    """The base class of wager shapes: the values that every wager has, and default methods.

    Each shape is a subclass and overrides the methods in which it differs. Some properties read
    fields that only some shapes have. The other defaults suit a wager without a number.
    """

    #: Flags for the shape of a wager: line, come, odds, and so on.
    is_line: ClassVar[bool] = False
    is_come: ClassVar[bool] = False
    is_odds: ClassVar[bool] = False
    is_race: ClassVar[bool] = False
    is_hardway: ClassVar[bool] = False
    is_composite: ClassVar[bool] = False
    is_collect: ClassVar[bool] = False
    #: The only time at which wagers of this shape may be made; None: no such restriction.
    only_made: ClassVar[WhenMade | None] = None
    #: Whether the faces of a payout line are the numbers that the wager can be on.
    pays_by_number: ClassVar[bool] = False
    #: Whether a stake must be a multiple for which the posted odds pay whole chips.
    stake_fits_pay: ClassVar[bool] = True
    #: Whether a payout line may say 0 to 1, so that the stake is given back.
    may_pay_nothing: ClassVar[bool] = False
    #: Whether the wager stays on its spot when it is a push.
    stays_on_push: ClassVar[bool] = True
    #: The rank on the layout: line wagers first, the center after them, composites last.
    layout_rank: ClassVar[int] = 5
    decision_kind: ClassVar[DecisionKind] = "by-faces"
    #: The area that the stick names; None: the field or the center.
    call_place: ClassVar[CallPlace | None] = None

    title: str
    area: Area
    made: CitedValue[WhenMade]
    #: When the wager may be changed, if not by the book's general rules.
    raises: CitedValue[ChangePeriod] | None = None
    #: The clause that forbids raising the wager again after a reduction; empty: none does.
    restored_by: str = ""
    reduces: CitedValue[ChangePeriod] | None = None
    removes: CitedValue[ChangePeriod] | None = None
    #: Whether the wager works on a come-out roll, and whether its player may call it on or off.
    come_out: CitedValue[Working] | None = None
    call_on: CitedValue[bool] | None = None
    call_off: CitedValue[CallOff] | None = None
    #: Whether a winning wager stays up, so that only its pay goes to the rail.
    stays: CitedValue[bool] | None = None
    most: tuple[BookMaximum, ...] = ()
    #: The election (``offers.KEY``) that puts the wager on the layout; empty: it is always there.
    offer: str = ""
    #: The games in which the wager is dealt; None: all games of the book.
    games: CitedValue[tuple[str, ...]] | None = None
    #: Clauses that the shape itself implements, so that no value cites them.
    also: tuple[str, ...] = ()
    if TYPE_CHECKING:  # Every shape has this field, at its own place in a book's digest.
        pays: tuple[PayLine, ...]

    def _find_value(self, name: str, default: T) -> T:
        """Return the value of the field ``name``, which only some shapes have, or the default."""
        cited = getattr(self, name, None)
        return default if cited is None else cited.value

    @property
    def wins_on_seven(self) -> bool:
        """Whether the seven wins it and its number loses it: don't, lay and place-to-lose bets."""
        return bool(self._find_value("wins", "") == "seven")

    @property
    def deciding_clauses(self) -> tuple[str, ...]:
        """The clauses on what wins and loses the wager once it has its number, if any."""
        cited = [getattr(self, name, None) for name in ("wins", "loses")]
        return tuple(clause for each in cited if each is not None for clause in each.clauses)

    @property
    def takes_point(self) -> bool:
        """Whether the point becomes the wager's number, as for a pass line bet."""
        return self.is_line

    @property
    def follows_puck(self) -> bool:
        """Whether the moves of the puck decide the wager: line wagers, and bets on points made."""
        return self.is_line

    @property
    def is_one_roll(self) -> bool:
        """Whether the next roll decides the wager: field, center and combination wagers."""
        return self.decision_kind == "one-roll"

    @property
    def flat_family(self) -> str:
        """For odds, the name of the wager that they go behind; empty for any other wager."""
        return getattr(self, "flat", "")

    @property
    def vig_kind(self) -> VigKind:
        """Which vigorish the wager pays, ``buy`` or ``lay``, or "" for none."""
        return getattr(self, "vig", "")

    @property
    def push_totals(self) -> tuple[int, ...]:
        """The totals on which a line or come wager pushes on its first roll; else empty."""
        return self._find_value("first_push", ())

    @property
    def put_numbers(self) -> tuple[int, ...]:
        """The numbers on which the wager may be made directly, without a first roll."""
        return self._find_value("put", ())

    def is_reached_by_moving(self, number: int) -> bool:
        """Return whether the wager cannot be made on this number, but only gets there by a roll."""
        return False

    @property
    def winning_faces(self) -> tuple[Face, ...]:
        """The totals or dice on which a hardway or one-roll wager wins; empty for others."""
        return self._find_value("win", ())

    @property
    def collects(self) -> str:
        """What a collecting wager counts, such as ``points-made``; empty for other wagers."""
        return self._find_value("counts", "")

    @property
    def reads_doubles(self) -> bool:
        """Whether a collecting wager tells a double from another throw of the same total."""
        return False

    @property
    def is_hop(self) -> bool:
        """Whether the wager is a hop: on one combination of dice, for the next roll only."""
        return False

    @property
    def pays_true_odds(self) -> bool:
        """Whether the wager is paid at true odds: odds wagers, and those that pay vigorish."""
        return False

    @property
    def own_minimum(self) -> CitedValue[int] | None:
        """The minimum in dollars that the book sets for this wager, or None for the table's."""
        return getattr(self, "minimum", None)

    @property
    def own_maximum(self) -> CitedValue[int] | None:
        """The maximum in dollars that the book sets for this wager, or None for the table's."""
        return getattr(self, "maximum", None)

    @property
    def own_step(self) -> CitedValue[int] | None:
        """The multiple in dollars that the wager's own clause requires of stakes, or None."""
        return getattr(self, "step", None)

    def is_laid(self, book: Book) -> bool:
        """Return whether the wager is laid odds, behind a don't wager."""
        return False

    def list_numbers(self, book: Book) -> tuple[int, ...]:
        """Return the numbers that the wager can be on; (0,) for a wager without a number."""
        return (0,)

    def find_standard_name(self, book: Book, family: str) -> str:
        """Return the name that most tables use for the wager, or ``family`` if there is none."""
        return family

    def list_payout_names(self, slug: str, pay: PayLine, number: int, first: bool) -> PayoutNames:
        """Return {name: faces}: the names under which a house may raise this payout line.

        ``number`` is the wager's number, or 0. The ``first`` line of a wager has the slug as its
        name (``field``). A later line has the slug and the face (``field-12``), or ``-hard`` if it
        is for pairs.
        """
        if first:
            return {slug: pay.on}
        if all(isinstance(face, int) for face in pay.on):
            return {f"{slug}-{face}": (face,) for face in pay.on}
        return {f"{slug}-hard": pay.on}

    def find_legs(self, book: Book, number: int) -> dict[str, int]:
        """Return {slug: units} of a composite's legs (the bets in a horn), or {} for others."""
        return {}

    def find_tiers(self, lines: list[tuple[PayLine, Odds]]) -> dict[int, tuple[Odds, str]]:
        """Return a collecting wager's (odds, clause) by what it has counted; {} for other wagers.

        ``lines`` are its payout lines with the odds that the house pays.
        """
        return {}

    def find_riding_key(self, slug: str) -> str:
        """Return the key under which the table remembers that this wager is undecided.

        While it is, no wager with the same key may be made.
        """
        return slug

    def find_layout_order(self, book: Book) -> tuple[int, bool, bool]:
        """Return the key that sorts wagers on the layout: line wagers first, composites last."""
        return self.layout_rank, False, False

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return its verdict tables, indexed by puck (0 means off) and by outcome of the dice."""
        raise NotImplementedError

    def check(self, book: Book) -> Iterator[str]:
        """Yield the mistakes in its values, one line each: the key, a colon, the problem."""
        raise NotImplementedError

    def check_pay_lines(self, book: Book, lines: list[PayLine], where: str) -> Iterator[str]:
        """Yield the mistakes in the payout lines of one pay table; ``where`` names that table."""
        raise NotImplementedError

    def find_felt_area(self, book: Book, dealt: Dealt, family: str, number: int) -> FeltArea:
        """Return the area of the felt for the wager on this number, which is 0 if it has none.

        ``dealt`` has every wager that the house deals, and ``family`` is this wager's name in it.
        """
        raise NotImplementedError

    def find_call_place(self, book: Book, number: int) -> CallPlace:
        """Return the area that a stick call names for the wager on this number (0: none)."""
        return self.call_place or ("field" if self.area == "table" else "center")

    def find_decision_kind(self, number: int) -> DecisionKind:
        """Return how the wager is decided while it is on this number (0: none)."""
        return self.decision_kind
