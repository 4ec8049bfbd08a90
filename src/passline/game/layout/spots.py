"""``Spot``, one wager of a house with its odds, limits and verdicts; ``Layout``, all of them."""

from __future__ import annotations

import msgspec

from passline.game.dice.dice import OUTCOMES
from passline.game.house.house import House
from passline.game.law.citations import CitedValue
from passline.game.law.shapes import AnyWager
from passline.game.law.verdicts import VerdictTable
from passline.game.law.wagers import ChangePeriod, VigKind
from passline.game.money.amounts import Odds

#: For each outcome of the dice, whether it is a double.
DOUBLE_FLAGS = tuple(first == second for first, second in OUTCOMES)


class Spot(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One wager that a house deals, such as place-win-6: its verdicts, odds and limits (cents)."""

    slug: str
    family: str
    #: The standard name of its family, independent of the book (``standard_names``).
    kind: str
    rule: AnyWager
    #: Its rank in lists: the line first, the center last.
    rank: int
    #: The number that the wager is on (place-win-6 → 6), or 0.
    number: int
    #: Verdict tables by the puck (0: off).
    tables: tuple[VerdictTable, ...]
    #: For odds, the slug of their flat wager; for a flat wager, the slug of its odds.
    flat: str = ""
    behind: str = ""
    #: Whether the wager works on a come-out roll if its player has not called it on or off.
    works: bool = True
    #: Whether the wager stays up after a win.
    stays: bool = False
    #: Which vigorish the wager pays, and whether only on a win.
    vig: VigKind = ""
    vig_won: bool = False
    #: The odds paid (the first payout line, if there are several). For odds on a line wager, also
    #: by the puck, since they differ with the point.
    odds: Odds
    by_puck: dict[int, Odds]
    #: The amount in cents that a stake must be a multiple of, and the clause.
    step: int
    step_cite: str
    #: The legs of a composite (units by slug), and the sum of the units.
    legs: dict[str, int]
    units: int = 1
    raises: CitedValue[ChangePeriod]
    reduces: CitedValue[ChangePeriod]
    removes: CitedValue[ChangePeriod]
    minimum: int
    minimum_cite: str
    maximum: int
    maximum_cite: str
    #: A fire wager's odds by points made; a bonus wager's odds under key 0.
    tiers: dict[int, tuple[Odds, str]]

    @property
    def floor(self) -> str:
        """The wager's standard name with its number, such as ``place-win-6``, under any book."""
        return f"{self.kind}-{self.number}" if self.number else self.kind

    @property
    def only_travels(self) -> bool:
        """Whether no player can make this wager directly: it only comes here by a roll."""
        return self.rule.is_reached_by_moving(self.number)

    @property
    def is_odds(self) -> bool:
        """Whether the spot is odds behind a flat wager."""
        return self.rule.is_odds

    def list_outcome_keys(self, puck: int) -> tuple[object, ...]:
        """Return a key for each of the 36 outcomes of the dice, to group them by effect.

        Two outcomes of the same total with equal keys do the same to the wager. ``puck`` is the
        point, or 0.
        """
        return DOUBLE_FLAGS if self.rule.reads_doubles else self.tables[puck]

    def number_with_puck(self, puck: int) -> int:
        """Return the number that the wager is on, or 0 if it has none yet.

        A line wager and Muggsy's Corner (a bet on the seven) are on the point.
        """
        return puck if self.rule.takes_point else self.number


class Layout(msgspec.Struct, frozen=True):
    """The layout of a house: its spots by slug, and its names for wagers."""

    house: House
    spots: dict[str, Spot]
    #: Whether it has wagers that are made before a new shooter's first roll only.
    collects: bool = False
    #: Whether some collecting wager may be made after any seven, not only before a new shooter.
    collects_after_seven: bool = False
    #: The verdicts on a pass line wager, by the puck (0: off).
    line_tables: tuple[VerdictTable, ...] = ()
    #: Every slug: the standard ones, and those that this rulebook adds.
    slugs: frozenset[str] = frozenset()
    #: The book's slugs by standard name and by the book's own name.
    called: dict[str, str] = {}
    #: The slugs that only this book has, for wagers with a standard name; the longest first.
    renamed: tuple[str, ...] = ()
    #: How players name the wagers without a standard name, and the slug of each.
    own_names: tuple[tuple[str, str], ...] = ()

    def slug(self, name: str) -> str:
        """Return the rulebook's slug for a wager.

        ``name`` is the wager's standard name or the rulebook's own name for it. The house need not
        deal the wager. An unknown name is returned unchanged.
        """
        return self.called.get(name, name)

    def floor(self, slug: str) -> str:
        """Return the standard name of a wager by its slug. Return an unknown slug unchanged."""
        return self.spots[slug].floor if slug in self.spots else slug

    def spot(self, name: str) -> Spot | None:
        """Return the spot of a wager by its name, or None if the house does not deal it."""
        return self.spots.get(self.slug(name))

    def __repr__(self) -> str:
        """Return a short text; the full one would list the verdicts of every spot."""
        house = self.house
        return f"Layout({house.game} under {house.book.id}, {len(self.spots)} spots)"
