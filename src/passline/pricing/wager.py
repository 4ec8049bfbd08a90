"""What a wager is worth: every figure exact, from the engine that deals it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from difflib import get_close_matches
from fractions import Fraction
from typing import Literal

import msgspec

from passline.exact.decision import DecidedWager
from passline.layout import Refusal
from passline.money import show_dollars
from passline.results import ColumnKind, LabResult, ResultTable, show_both, show_part
from passline.words.refusals import refusal_words

#: Figures per unit staked: what a decision nets, and its chance.
Outcomes = tuple[tuple[Fraction, Fraction], ...]


class WagerError(ValueError):
    """A wager that this house does not deal; the message says what is near, or what would."""


class StakeRefused(WagerError):  # noqa: N818 - the rules' answer, not a fault
    """A stake that the rules refuse; ``refusal`` is their answer."""

    def __init__(self, wager: str, stake: int, refusal: Refusal) -> None:
        self.refusal = refusal
        why = f"{refusal_words(refusal)} [{refusal.cite}]"
        super().__init__(f"{wager} for {show_dollars(stake)} is refused: {why}")


class WagerTerms(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """Which wager, and on what terms.

    ``option`` is the election it rests on (``offers.fire=A``); ``stake`` the cents it was dealt
    with, None where nothing is rounded; ``multiple`` the odds that the house allows behind it, and
    ``odds_taken`` those that were taken behind the stake, in cents by the number; ``capped``: a
    posted maximum kept them below the multiple.
    """

    wager: str
    title: str
    pays: str
    cite: str
    cites: tuple[str, ...] = ()
    option: str | None = None
    stake: int | None = None
    multiple: str | None = None
    odds_taken: dict[int, int] = {}
    capped: bool = False

    def listed(self) -> ResultTable:
        """One row, as a sheet of wagers has it."""
        return list_odds([self])


class RefusedOdds(WagerTerms, frozen=True, kw_only=True):
    """A stake that the rules refuse: there are no figures, but a reason and its clause."""

    refusal: Refusal
    by_point: dict[int, WagerOdds | RefusedOdds] = {}

    def headline(self) -> str:
        """Why there are no figures."""
        return f"{self.wager} is refused: {refusal_words(self.refusal)} [{self.refusal.cite}]"


class WagerOdds(WagerTerms, frozen=True, kw_only=True):
    """A wager's exact figures. An edge above zero is the house's.

    ``edge`` is of the amount wagered, pushes counted; ``edge_resolved`` of what is wagered on
    decisions that are no push; ``edge_per_roll`` by the mean ``rolls`` to a decision;
    ``edge_outlay`` of the stake and the vigorish paid up front, where there is vigorish. With
    odds, the amount wagered is the flat wager and the odds it carries on average: ``wagered``, for
    each unit of the flat.
    ``outcomes`` are the nets by the unit of stake, with their chances; ``by_point`` has odds
    behind a line wager by the point.
    """

    win: Fraction
    lose: Fraction
    push: Fraction
    edge: Fraction
    edge_outlay: Fraction | None = None
    rolls: Fraction
    wagered: Fraction = Fraction(1)
    variance: Fraction
    outcomes: Outcomes
    by_point: dict[int, WagerOdds | RefusedOdds] = {}
    method: Literal["exact"] = "exact"

    def headline(self) -> str:
        """The edge, the chance to win and the rolls to a decision."""
        return (
            f"{self.wager} pays {self.pays}: edge {show_both(self.edge)}, wins "
            f"{show_part(self.win)}, {float(self.rolls):.2f} rolls to a decision; exact"
        )

    @property
    def edge_resolved(self) -> Fraction:
        """The edge of what is wagered on decisions that are no push.

        A push comes before there are odds: it takes the flat alone out of the amount wagered.
        """
        left = self.wagered - self.push
        return self.edge * self.wagered / left if left else Fraction(0)

    @property
    def edge_per_roll(self) -> Fraction:
        """The edge by the roll."""
        return self.edge / self.rolls

    @property
    def edge_flat(self) -> Fraction:
        """The edge of the flat wager alone, where there are odds behind it."""
        return self.edge * self.wagered

    @property
    def sd(self) -> float:
        """The standard deviation of one decision, by the unit wagered."""
        return math.sqrt(self.variance)


OddsRow = WagerOdds | RefusedOdds

_COLUMNS: dict[str, ColumnKind] = {
    "wager": "words",
    "option": "words",
    "pays": "words",
    "win": "share",
    "lose": "share",
    "push": "share",
    "edge": "share",
    "edge_per_roll": "share",
    "rolls": "figure",
    "sd": "figure",
}


def list_odds(rows: Sequence[WagerTerms]) -> ResultTable:
    """Wagers as a table; those that are refused have no figures."""
    records = [tuple(getattr(row, name, None) for name in _COLUMNS) for row in rows]
    return ResultTable(_COLUMNS, records, across="wager", up="edge")


class OddsSheet(LabResult, list[OddsRow]):
    """The rows of a sheet of wagers: a list of them."""

    def headline(self) -> str:
        """How many wagers, and the best and the worst of them for the player."""
        told = sorted((row for row in self if isinstance(row, WagerOdds)), key=lambda r: r.edge)
        if not told:
            return f"{len(self)} wagers, none of them taken"
        best, worst = (f"{row.wager} {show_part(row.edge)}" for row in (told[0], told[-1]))
        return f"{len(self)} wagers, the edge from {best} to {worst}; exact"

    def listed(self) -> ResultTable:
        """A row for each."""
        return list_odds(self)


def reckon_figures(
    named: WagerTerms, solved: DecidedWager, cents: int, vig: int | None = None
) -> WagerOdds:
    """The figures of a decision that was solved, for a stake and the vigorish paid with it."""
    stake = Fraction(cents)
    unit = stake + solved.added
    chances = solved.chances
    loss = -solved.mean
    return WagerOdds(
        **{name: getattr(named, name) for name in WagerTerms.__struct_fields__},
        win=sum((c for net, c in chances.items() if net > 0), Fraction(0)),
        lose=sum((c for net, c in chances.items() if net < 0), Fraction(0)),
        push=chances.get(0, Fraction(0)),
        edge=loss / unit,
        edge_outlay=None if vig is None else loss / (unit + vig),
        rolls=solved.rolls,
        wagered=unit / stake,
        variance=solved.variance / unit**2,
        outcomes=tuple((net / stake, chance) for net, chance in chances.items()),
    )


def unknown_wager(wager: str, known: list[str]) -> WagerError:
    """The error for a name that is no wager's."""
    shown = wager if len(wager) <= 40 else f"{wager[:40]}..."
    near = get_close_matches(wager, known, 3, 0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {_some(known)}"
    return WagerError(f"there is no wager {shown!r} here: {hint}")


def _some(known: list[str]) -> str:
    few = 6
    rest = len(known) - few
    return ", ".join(known[:few]) + (f" and {rest} more" if rest > 0 else "")
