"""Chips: the denominations of a rack, and amounts divided into them, largest first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from passline.game.money.amounts import parse_dollars

_PILE_PATTERN = re.compile(r"(\d{1,6})\s+([a-z][a-z-]*)")


class Chip(NamedTuple):
    """One denomination: its color, and its value in cents."""

    color: str
    value: int


class ChipsError(ValueError):
    """Raised for text that names no chips of a rack, or an amount that its chips cannot make.

    ``code`` is the key of the error's sentence in ``game.words.refusals``; ``figures`` fill it in.
    """

    def __init__(self, code: str, figures: Mapping[str, Any]) -> None:
        super().__init__(code)
        self.code, self.figures = code, figures


class UncutAmount(msgspec.Struct, frozen=True):
    """An amount in cents that the chips of a rack cannot make, or that is not above zero.

    ``chips`` make most of it, and ``over`` cents are left; an amount below zero counts as zero.
    ``smallest`` is the value of the rack's smallest chip in cents, 0 if the rack is empty.
    """

    amount: int
    chips: Chips
    over: int
    smallest: int

    @property
    def code(self) -> str:
        """Why the amount cannot be made, as the code of a refusal."""
        return "not-in-chips" if self.smallest else "no-chips"

    @property
    def figures(self) -> dict[str, int]:
        """The figures of that refusal's sentence, in cents."""
        return {"amount": self.amount, "chip": self.smallest}


class Chips(msgspec.Struct, frozen=True):
    """Some chips: how many of each color, the largest value first.

    ``+`` adds chips, ``-`` removes the other's chips, ``&`` returns the chips that both have, and
    ``a <= b`` is true if ``b`` includes all of ``a``.

    >>> red, white = Chip("red", 500), Chip("white", 100)
    >>> bet = Chips.of({white: 2, red: 2})
    >>> str(bet), bet.amount, bet.chip_count, str(bet - Chips.of({red: 5}))
    ('2 red, 2 white', 1200, 4, '2 white')
    """

    piles: tuple[tuple[Chip, int], ...] = ()

    @classmethod
    def of(cls, counts: Mapping[Chip, int]) -> Chips:
        """Return chips from {denomination: count}; those with a count of 0 are left out."""
        order = sorted(counts, key=lambda chip: (-chip.value, chip.color))
        return cls(tuple((chip, counts[chip]) for chip in order if counts[chip] > 0))

    @property
    def amount(self) -> int:
        """The value of all chips, in cents."""
        return sum(chip.value * count for chip, count in self.piles)

    @property
    def chip_count(self) -> int:
        """How many chips there are."""
        return sum(count for _, count in self.piles)

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """(color, number of chips) for each color, the largest value first."""
        return tuple((chip.color, count) for chip, count in self.piles)

    @property
    def smallest(self) -> int:
        """The value of the smallest chip, which is on top of a stack; 0 if there are no chips."""
        return self.piles[-1][0].value if self.piles else 0

    @property
    def one_color(self) -> bool:
        """Whether all chips are of one color."""
        return len(self.piles) == 1

    def below(self, value: int) -> Chips:
        """Return the chips worth less than ``value`` cents."""
        return Chips(tuple(pile for pile in self.piles if pile[0].value < value))

    def times(self, count: int) -> Chips:
        """Return ``count`` times these chips."""
        return Chips.of({chip: held * count for chip, held in self.piles})

    def __bool__(self) -> bool:
        return bool(self.piles)

    def __add__(self, other: Chips) -> Chips:
        return Chips.of(Counter(dict(self.piles)) + Counter(dict(other.piles)))

    def __sub__(self, other: Chips) -> Chips:
        return Chips.of(Counter(dict(self.piles)) - Counter(dict(other.piles)))

    def __and__(self, other: Chips) -> Chips:
        return Chips.of(Counter(dict(self.piles)) & Counter(dict(other.piles)))

    def __le__(self, other: Chips) -> bool:
        return not self - other

    def __str__(self) -> str:
        return ", ".join(f"{count} {chip.color}" for chip, count in self.piles) or "no chips"


NO_CHIPS = Chips()


def sum_chips(parts: Iterable[Chips]) -> Chips:
    """Return all of these chips together."""
    return sum(parts, NO_CHIPS)


class Rack(msgspec.Struct, frozen=True):
    """The denominations of chips that a table uses, the largest first.

    >>> str(STANDARD_RACK.cut(5800)), str(STANDARD_RACK.cut(114000))
    ('2 green, 1 red, 3 white', '1 yellow, 1 black, 1 green, 3 red')
    >>> STANDARD_RACK.cut(1250).over
    50
    """

    chips: tuple[Chip, ...]

    @classmethod
    def of(cls, values: Mapping[str, int]) -> Rack:
        """Return a rack from {color: value in cents}."""
        chips = [Chip(colour, value) for colour, value in values.items()]
        return cls(tuple(sorted(chips, key=lambda chip: (-chip.value, chip.color))))

    @property
    def smallest(self) -> int:
        """The value of the smallest chip; 0 in an empty rack."""
        return self.chips[-1].value if self.chips else 0

    def chip(self, colour: str) -> Chip | None:
        """Return the chip of a color, or None if the rack has none."""
        return next((chip for chip in self.chips if chip.color == colour), None)

    def divide(self, amount: int) -> tuple[Chips, int]:
        """Return (chips, cents left over) for an amount in cents, with the largest chips first.

        Every chip of a lawful house is a multiple of its smallest, so such amounts leave nothing
        over.
        """
        counts: dict[Chip, int] = {}
        for chip in self.chips:
            if amount >= chip.value:
                counts[chip], amount = divmod(amount, chip.value)
        return Chips.of(counts), amount

    def cut(self, amount: int) -> Chips | UncutAmount:
        """Return an amount in cents as chips, largest first.

        Return an UncutAmount if it is not above zero, or the rack cannot make it exactly.
        """
        chips, over = self.divide(max(amount, 0))
        return (
            UncutAmount(amount=amount, chips=chips, over=over, smallest=self.smallest)
            if over or amount <= 0
            else chips
        )

    def read_amount(self, text: str) -> Chips:
        """Return the chips for an amount in dollars ("30") or in chips ("6 red").

        Raise ChipsError if the rack lacks such chips or cannot make the amount. Raise AmountError
        for text without letters that is no amount.

        >>> str(STANDARD_RACK.read_amount("30")), str(STANDARD_RACK.read_amount("6 red"))
        ('1 green, 1 red', '6 red')
        """
        if any(letter.isalpha() for letter in text):
            return self.read(text)
        chips = self.cut(parse_dollars(text))
        if isinstance(chips, UncutAmount):
            raise ChipsError(chips.code, chips.figures)
        return chips

    def read(self, words: str) -> Chips:
        """Return the chips in a text such as "2 green, 1 red and 3 white". Commas may be left out.

        Raise ChipsError for any other text.

        >>> STANDARD_RACK.read("2 green, 1 red and 3 white").amount
        5800
        """
        counts: Counter[Chip] = Counter()
        for part in re.split(r"\s*(?:,|\band\b)\s*|(?<=[a-z])\s+(?=\d)", words.lower()):
            found = _PILE_PATTERN.fullmatch(part.strip())
            chip = self.chip(found.group(2)) if found else None
            if found is None or chip is None:
                colors = tuple(chip.color for chip in self.chips)
                raise ChipsError("not-a-stack", {"text": part.strip(), "colors": colors})
            counts[chip] += int(found.group(1))
        return Chips.of(counts)


#: The chip colors of most American tables.
STANDARD_CHIP_VALUES = {
    "white": 100,
    "red": 500,
    "green": 2500,
    "black": 10_000,
    "purple": 50_000,
    "yellow": 100_000,
}
STANDARD_RACK = Rack.of(STANDARD_CHIP_VALUES)
#: The names of chips below or between those values.
_SMALL_CHIP_NAMES = {25: "quarter", 50: "half", 200: "two-dollar", 250: "pink"}


def standard_chip_values(smallest: int) -> dict[str, int]:
    """Return {color: cents} of the smallest chip and the standard chips that are multiples of it.

    >>> standard_chip_values(50)["half"], "white" in standard_chip_values(500)
    (50, False)
    """
    kept = {
        colour: value for colour, value in STANDARD_CHIP_VALUES.items() if value % smallest == 0
    }
    if smallest not in kept.values():
        kept[_SMALL_CHIP_NAMES.get(smallest, "smallest")] = smallest
    return kept
