"""What every wager of a rulebook says, and the questions that every wager shape answers.

A rulebook gives each wager a shape (line, come, odds, race, hardway, one-roll, composite,
collect) and fills it in. ``WagerRule`` holds the values that all shapes share and asks the
questions; each module of ``passline.game.law.shapes`` answers them for one shape. This module
touches no files and knows no shape by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

import msgspec

from passline.game.dice.dice import SEVEN, TOTALS
from passline.game.law.citations import CitedEntry, CitedValue
from passline.game.money.amounts import Odds

if TYPE_CHECKING:  # A book is made of wagers, and a wager is asked about its book.
    from passline.game.law.book import Book
    from passline.game.law.verdicts import TableTerms, VerdictTable

#: When a wager may be made.
WhenMade = Literal["any", "come-out", "point", "number", "new-shooter"]
#: Until when a wager may be raised, reduced or taken down: as long as it is up, until it has its
#: number (its point), or not at all.
ChangePeriod = Literal["always", "until-number", "never"]
#: Whether a wager works on a come-out roll when its player has not called it on or off.
Working = Literal["on", "off"]
#: What calling a wager off does: it may not be called off, it stays up and rests, or it is
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
#: Parts of the felt. ``behind``, ``box`` and ``place`` are strips of a number's column.
FeltArea = Literal[
    "pass",
    "pass-odds",
    "dont-pass",
    "dont-pass-odds",
    "come",
    "dont-come",
    "behind",
    "behind-odds",
    "box",
    "box-odds",
    "place",
    "big",
    "field",
    "hard",
    "seven",
    "total",
    "totals",
    "hop",
    "circles",
    "high",
    "above-seven",
    "parts",
    "fire",
    "bonus",
]
#: Where the stick says that a wager is. Come bets are in the boxes; don't bets, lay bets and
#: place-to-lose bets are behind the numbers; place and buy bets are on the numbers.
CallPlace = Literal[
    "line",
    "donts",
    "come",
    "dont-come",
    "boxes",
    "behind",
    "numbers",
    "field",
    "hardways",
    "center",
    "side",
    "odds",
    "working",
]
#: How a wager is decided, for the sentence that explains it.
DecisionKind = Literal["come-out", "first-roll", "with-flat", "one-roll", "collected", "by-faces"]
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
    """The most dollars that the book lets a wager hold on these numbers (none listed: on any)."""

    dollars: int
    on: tuple[int, ...] = ()


class WagerRule(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="shape", forbid_unknown_fields=True
):
    """The values that every wager has, and what its shape answers about it.

    A shape is a subclass. It overrides the answers in which it differs from the ones here, which
    suit a wager without a number, without legs and without odds behind it.
    """

    #: Which shape it is, where rules speak of one: line or come wagers, odds, and so on.
    is_line: ClassVar[bool] = False
    is_come: ClassVar[bool] = False
    is_odds: ClassVar[bool] = False
    is_race: ClassVar[bool] = False
    is_hardway: ClassVar[bool] = False
    is_one_roll: ClassVar[bool] = False
    is_composite: ClassVar[bool] = False
    is_collect: ClassVar[bool] = False
    #: The one time at which wagers of this shape are made; None: any of the other times.
    only_made: ClassVar[WhenMade | None] = None
    #: Whether a payout line's faces are the numbers that the wager may be on.
    pays_by_number: ClassVar[bool] = False
    #: Whether a stake must be a multiple that its posted odds pay in whole chips.
    stake_fits_pay: ClassVar[bool] = True

    title: str
    area: Area
    made: CitedValue[WhenMade]
    #: When it may be changed, where it differs from the book's general rules.
    raises: CitedValue[ChangePeriod] | None = None
    #: The clause that forbids raising it again after it was reduced; empty: none does.
    restored_by: str = ""
    reduces: CitedValue[ChangePeriod] | None = None
    removes: CitedValue[ChangePeriod] | None = None
    #: Whether it works on a come-out roll, and whether its player may call it on or off.
    come_out: CitedValue[Working] | None = None
    call_on: CitedValue[bool] | None = None
    call_off: CitedValue[CallOff] | None = None
    #: Whether a winning wager stays up, so that only its pay goes to the rail.
    stays: CitedValue[bool] | None = None
    most: tuple[BookMaximum, ...] = ()
    #: The election (``offers.KEY``) that puts it on the layout; empty: it is always there.
    offer: str = ""
    #: The games it is dealt in; None: all games of the book.
    games: CitedValue[tuple[str, ...]] | None = None
    #: Clauses that the shape itself carries out, so that no value cites them.
    also: tuple[str, ...] = ()

    @property
    def wins_on_seven(self) -> bool:
        """Whether the seven wins it and its number loses it: don't, lay and place-to-lose bets."""
        return False

    @property
    def flat_family(self) -> str:
        """The wager that odds stand behind; empty for a wager that is not odds."""
        return ""

    @property
    def vig_kind(self) -> VigKind:
        """Which vigorish it pays, ``buy`` or ``lay``; empty: none."""
        return ""

    @property
    def push_totals(self) -> tuple[int, ...]:
        """The totals of a first roll on which it is a push."""
        return ()

    @property
    def put_numbers(self) -> tuple[int, ...]:
        """The numbers that it may be put on without a first roll."""
        return ()

    @property
    def winning_faces(self) -> tuple[Face, ...]:
        """The faces on which a hardway or one-roll wager wins."""
        return ()

    @property
    def collects(self) -> str:
        """What it collects, ``points-made`` or ``totals-thrown``; empty for other shapes."""
        return ""

    @property
    def is_hop(self) -> bool:
        """Whether it is on one combination of dice, for the next roll only."""
        return False

    @property
    def pays_true_odds(self) -> bool:
        """Whether it is paid at true odds: odds wagers, and those that pay vigorish."""
        return False

    @property
    def own_minimum(self) -> CitedValue[int] | None:
        """The minimum in dollars that the book sets for this wager; None: the table's."""
        return None

    @property
    def own_maximum(self) -> CitedValue[int] | None:
        """The maximum in dollars that the book sets for this wager; None: the table's."""
        return None

    @property
    def own_step(self) -> CitedValue[int] | None:
        """The dollars that its stake must be a multiple of, by a clause of its own."""
        return None

    def is_laid(self, book: Book) -> bool:
        """Return whether it is odds laid against a number, behind a don't wager."""
        return False

    def list_numbers(self, book: Book) -> tuple[int, ...]:
        """Return the numbers that it can be on; 0 stands for a wager without a number."""
        return (0,)

    def find_standard_name(self, book: Book, family: str) -> str:
        """Return the name that most tables use for it, or ``family`` where they have none."""
        return family

    def list_payout_names(
        self, slug: str, pay: PayLine, number: int, first: bool
    ) -> dict[str, tuple[Face, ...]]:
        """Return the names under which a house raises a payout line, with the faces of each.

        The first line goes by the slug (``field``). A later one goes by slug and face
        (``field-12``), or by ``-hard`` where it is for pairs.
        """
        if first:
            return {slug: pay.on}
        if all(isinstance(face, int) for face in pay.on):
            return {f"{slug}-{face}": (face,) for face in pay.on}
        return {f"{slug}-hard": pay.on}

    def find_legs(self, book: Book, number: int) -> dict[str, int]:
        """Return its legs, units by slug; empty for a wager that has none."""
        return {}

    def find_tiers(self, lines: list[tuple[PayLine, Odds]]) -> dict[int, tuple[Odds, str]]:
        """Return the odds and clause by how much was collected; empty for other shapes."""
        return {}

    def find_layout_order(self, book: Book) -> tuple[int, bool, bool]:
        """Return where it stands in lists: the line first, the center after it, composites last."""
        return 5, False, False

    def make_tables(self, terms: TableTerms) -> tuple[VerdictTable, ...]:
        """Return its verdicts: by the puck (0: off), then by the outcome of the dice."""
        raise NotImplementedError

    def check(self, book: Book) -> Iterator[str]:
        """Yield what is wrong with its values, one line each: the key, a colon, the mistake."""
        raise NotImplementedError

    def check_pay_lines(self, book: Book, lines: list[PayLine], where: str) -> Iterator[str]:
        """Yield what is wrong with the payout lines of one pay table; ``where`` names the table."""
        raise NotImplementedError

    def find_felt_area(
        self, book: Book, dealt: Mapping[str, WagerRule], family: str, number: int
    ) -> FeltArea:
        """Return the part of the felt that it lies on, given every wager that the house deals."""
        raise NotImplementedError

    def find_call_place(self, book: Book, number: int) -> CallPlace:
        """Return the place that the stick names for it."""
        return "field" if self.area == "table" else "center"

    def find_decision_kind(self, number: int) -> DecisionKind:
        """Return how it is decided when it is on this number (0: on none)."""
        return "by-faces"
