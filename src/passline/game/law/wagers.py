"""The shapes that wagers come in. A book picks one for each wager and fills it in.

Shapes: line, come, odds, race, hardway, one-roll, composite, collect. Nothing here plays: the
layout reads these and compiles them into verdicts.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from passline.game.dice.dice import SEVEN, TOTALS
from passline.game.law.citations import CitedEntry, CitedValue

#: When a wager may be made.
WhenMade = Literal["any", "come-out", "point", "number", "new-shooter"]
#: Until when a wager may be raised, reduced or taken down: while it lives, until it has its
#: number (its point), or not at all.
ChangePeriod = Literal["always", "until-number", "never"]
#: Whether it sees a come-out roll when its player has said nothing.
Working = Literal["on", "off"]
#: What calling it off does: nothing may be called off, it rests, or it is handed back.
CallOff = Literal["no", "rests", "returned"]
#: What decides a wager that has a number: that number, or the seven.
Decider = Literal["number", "seven"]
#: Which minimum it must meet: the table's, the center's, or its own.
Area = Literal["table", "center", "side"]
#: A total (8) or a combination of dice ("3-5").
Face = int | str
#: Every total that can be a point: all but the seven.
POINT_NUMBERS = tuple(total for total in TOTALS if total != SEVEN)


class PayLine(CitedEntry, frozen=True, rename={"odds": "is", "cites": "cite"}):
    """One line of the payout card: what is paid on which faces (numbers, or points made).

    ``elect`` ties the line to an election: ``"fire=A"`` pays only where that table was chosen.
    """

    odds: str
    on: tuple[Face, ...] = ()
    elect: str = ""


class BookMaximum(CitedEntry, frozen=True, rename={"dollars": "is", "cites": "cite"}):
    """The most that the book lets a wager hold, in dollars, on these numbers (or on any)."""

    dollars: int
    on: tuple[int, ...] = ()


class WagerRule(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="shape", forbid_unknown_fields=True
):
    """What every wager says, whatever its shape."""

    title: str
    area: Area
    made: CitedValue[WhenMade]
    #: Overrides of the book's general rules on changing a wager.
    raises: CitedValue[ChangePeriod] | None = None
    #: The clause that bars raising it again once it was reduced, where one does.
    restored_by: str = ""
    reduces: CitedValue[ChangePeriod] | None = None
    removes: CitedValue[ChangePeriod] | None = None
    #: Working: whether it sees a come-out roll, and what its player may call.
    come_out: CitedValue[Working] | None = None
    call_on: CitedValue[bool] | None = None
    call_off: CitedValue[CallOff] | None = None
    #: A winning wager stays on its spot (its pay alone goes to the rail).
    stays: CitedValue[bool] | None = None
    most: tuple[BookMaximum, ...] = ()
    #: The election (``offers.KEY``) that puts it on the layout; empty: always there.
    offer: str = ""
    #: Games it is dealt in, where not in all of the book's.
    games: CitedValue[tuple[str, ...]] | None = None
    #: Clauses that the shape itself carries out, where there is no value to give.
    also: tuple[str, ...] = ()


class Line(WagerRule, frozen=True, kw_only=True, tag="line"):
    """Pass and don't pass: decided by a come-out roll, or by its point against the seven."""

    first_win: CitedValue[tuple[int, ...]]
    first_lose: CitedValue[tuple[int, ...]] | None = None
    first_push: CitedValue[tuple[int, ...]] | None = None
    wins: CitedValue[Decider]
    loses: CitedValue[Decider]
    pays: tuple[PayLine, ...]


class Come(WagerRule, frozen=True, kw_only=True, tag="come"):
    """Come and don't come: like a line wager, its own first roll standing for the come-out."""

    first_win: CitedValue[tuple[int, ...]]
    first_lose: CitedValue[tuple[int, ...]] | None = None
    first_push: CitedValue[tuple[int, ...]] | None = None
    travels: CitedValue[tuple[int, ...]]
    #: Numbers on which it may be put at once, without a first roll.
    put: CitedValue[tuple[int, ...]] | None = None
    wins: CitedValue[Decider]
    loses: CitedValue[Decider]
    pays: tuple[PayLine, ...]


class OddsRule(WagerRule, frozen=True, kw_only=True, tag="odds"):
    """Odds behind a flat wager: won, lost and handed back with it."""

    #: The line or come wager that they stand behind.
    flat: str
    #: The clause by which they lose with their flat, and the one that limits them.
    lost_by: str
    limited_by: str
    pays: tuple[PayLine, ...]


class Race(WagerRule, frozen=True, kw_only=True, tag="race"):
    """A number before the seven, or the seven before it: place, buy, lay, big 6 and 8."""

    numbers: CitedValue[tuple[int, ...]]
    wins: CitedValue[Decider]
    loses: CitedValue[Decider]
    pays: tuple[PayLine, ...]
    #: Which vigorish it pays (``vig.buy``, ``vig.lay`` of the book); empty: none.
    vig: Literal["", "buy", "lay"] = ""


class Hardway(WagerRule, frozen=True, kw_only=True, tag="hardway"):
    """A pair before the same total comes easy, and before the seven."""

    win: CitedValue[tuple[str, ...]]
    lose: CitedValue[tuple[Face, ...]]
    #: More faces that lose, where another clause says so.
    lose_also: CitedValue[tuple[Face, ...]] | None = None
    pays: tuple[PayLine, ...]


class OneRoll(WagerRule, frozen=True, kw_only=True, tag="one-roll"):
    """Decided by the very next roll; ``lose = "other"`` is every face that does not win."""

    win: CitedValue[tuple[Face, ...]]
    lose: CitedValue[tuple[Face, ...] | Literal["other"]]
    pays: tuple[PayLine, ...]


class Composite(WagerRule, frozen=True, kw_only=True, tag="composite"):
    """Legs on other wagers, so many units each; the pay is the legs', never typed in twice.

    ``high``: the wager is made on one of these numbers, whose leg carries ``high_units`` more.
    ``list_winning_faces`` and ``lost_by`` are the clauses a settlement names (``list_winning_faces`` by total where the
    book has one for each: "2", or "2 high" and "2 low"); ``level_by`` one that wins nothing.
    """  # noqa: E501

    legs: CitedValue[dict[str, int]]
    won_by: tuple[str, ...] | dict[str, str]
    lost_by: tuple[str, ...]
    level_by: tuple[str, ...] = ()
    level: Literal["win", "push"] = "win"
    #: The clause that asks for whole units, where one does.
    units_by: str = ""
    high: CitedValue[tuple[int, ...]] | None = None
    high_units: CitedValue[int] | None = None
    #: Booked as its parts: always, where the layout has no spot for it, or never.
    split: CitedValue[Literal["always", "no-spot", "never"]] | None = None
    parts: CitedValue[dict[str, int]] | None = None
    pays: tuple[PayLine, ...] = ()


class Collect(WagerRule, frozen=True, kw_only=True, tag="collect"):
    """Won by a set gathered over many rolls.

    ``points-made``: distinct points the shooter makes, settled at the loser seven, paid by count.
    ``totals-thrown``: every total of ``needs`` thrown before any seven, paid at once.
    """

    counts: CitedValue[Literal["points-made", "totals-thrown"]]
    needs: CitedValue[tuple[int, ...]]
    #: How many must be gathered to win (all of ``needs`` for totals thrown).
    least: CitedValue[int]
    settled: CitedValue[Literal["loser-seven", "complete"]]
    lost_by: CitedValue[Literal["loser-seven", "any-seven"]]
    minimum: CitedValue[int] | None = None
    maximum: CitedValue[int] | None = None
    step: CitedValue[int] | None = None
    pays: tuple[PayLine, ...]


AnyWager = Line | Come | OddsRule | Race | Hardway | OneRoll | Composite | Collect
