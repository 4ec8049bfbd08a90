"""The 36 outcomes of two dice, each with an index from 0 to 35, and dice that are not fair.

Nothing here throws dice: random numbers are made in ``live`` and ``lab``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

Outcome = tuple[int, int]

#: The total seven.
SEVEN = 7

#: Every throw of two dice, the first die varying slowest: ``OUTCOMES[outcome_index(a, b)] == (a, b)``.  # noqa: E501
OUTCOMES: tuple[Outcome, ...] = tuple((a, b) for a in range(1, 7) for b in range(1, 7))

#: Every total two dice can show.
TOTALS: tuple[int, ...] = tuple(range(2, 13))

#: The totals that set a point in every game.
_POINTS = (4, 5, 6, 8, 9, 10)

#: The totals that two equal faces show.
DOUBLES: tuple[int, ...] = TOTALS[::2]

#: The total of each outcome, by index.
_TOTAL_BY_INDEX: tuple[int, ...] = tuple(a + b for a, b in OUTCOMES)


def outcome_index(first: int, second: int) -> int:
    """Return the index in ``OUTCOMES``, 0 to 35, of the faces ``first`` and ``second``.

    Raise ValueError for a face other than 1 to 6.

    >>> outcome_index(1, 1), outcome_index(6, 6)
    (0, 35)
    """
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise ValueError(f"a die shows 1 to 6, not {first} and {second}")
    return (first - 1) * 6 + second - 1


def outcome_total(index: int) -> int:
    """Return the total of the two dice for an outcome's index.

    >>> outcome_total(outcome_index(4, 3))
    7
    """
    return _TOTAL_BY_INDEX[index]


def parse_faces(token: int | str) -> frozenset[int]:
    """Return the outcome indexes of a total (``8``) or of two dice in any order (``"3-5"``).

    >>> sorted(parse_faces("1-2")) == [outcome_index(1, 2), outcome_index(2, 1)]
    True
    >>> len(parse_faces(7))
    6
    """
    if isinstance(token, int):
        return frozenset(i for i, total in enumerate(_TOTAL_BY_INDEX) if total == token)
    low, _, high = token.partition("-")
    first, second = int(low), int(high)
    return frozenset({outcome_index(first, second), outcome_index(second, first)})


def find_outcomes(faces: Iterable[int | str]) -> frozenset[int]:
    """Return the indexes of every outcome of these totals and combinations.

    >>> len(find_outcomes([7, "3-5"]))
    8
    """
    return frozenset().union(*map(parse_faces, faces))


#: The largest sum of the weights. A chance is a whole number out of that sum.
MAX_TOTAL_WEIGHT = 10**12
#: Face probabilities of an unfair die are rounded to multiples of 1/200,000.
_ROUNDING_PARTS = 200_000

_EXPECTED_FORMS = (
    "36 weights, two dice's six weights each (as in 1,1,1,1,1,2 x 1,1,1,1,1,1), one die's six for "
    "both, sevens=1/7, or off=1/100"
)


class WeightsError(ValueError):
    """Raised for text or weights that describe no dice. The message says what is expected."""


class Dice(msgspec.Struct, frozen=True):
    """Two dice, described by the weight (relative chance) of each of their 36 outcomes.

    The weights are whole numbers without a common divisor.

    >>> FAIR.whole, make_dice([2] * 36) == FAIR
    (36, True)
    """

    weights: tuple[int, ...]

    @property
    def whole(self) -> int:
        """The sum of all weights."""
        return sum(self.weights)

    @property
    def fair(self) -> bool:
        """Whether all outcomes are equally likely."""
        return len(set(self.weights)) == 1

    @property
    def level(self) -> bool:
        """Whether a total is always as likely as its opposite (2 as 12, 3 as 11, and so on)."""
        by_total = dict.fromkeys(TOTALS, 0)
        for faces, weight in zip(OUTCOMES, self.weights, strict=True):
            by_total[sum(faces)] += weight
        return all(by_total[total] == by_total[2 * SEVEN - total] for total in TOTALS)

    @property
    def sevens(self) -> Fraction:
        """The chance of a seven."""
        there = sum(w for faces, w in zip(OUTCOMES, self.weights, strict=True) if sum(faces) == 7)
        return Fraction(there, self.whole)

    def weigh(self, outcomes: Iterable[tuple[int, int]]) -> int:
        """Return the sum of the weights of some outcomes.

        >>> FAIR.weigh([(1, 2), (2, 1)])
        2
        """
        return sum(self.weights[outcome_index(*faces)] for faces in outcomes)

    def __str__(self) -> str:
        """Return the dice in the form that ``parse_dice`` reads."""
        return "fair" if self.fair else ",".join(map(str, self.weights))


FAIR = Dice((1,) * len(OUTCOMES))


def make_dice(weights: Sequence[Fraction | int]) -> Dice:
    """Return dice with these 36 weights, in the order of ``OUTCOMES``.

    A weight may be zero. Raise WeightsError if there are not 36, one is below zero, or their sum as
    whole numbers is over ``MAX_TOTAL_WEIGHT``. Raise it too if a shooter's hand would never end:
    the dice never throw a seven, or none of 4, 5, 6, 8, 9 and 10.
    """
    if len(weights) != len(OUTCOMES):
        raise WeightsError(f"{len(weights)} weights: expected {_EXPECTED_FORMS}")
    if min(weights) < 0 or not any(weights):
        raise WeightsError("weights of dice are zero or more, and some must be above zero")
    thrown = {sum(faces) for faces, weight in zip(OUTCOMES, weights, strict=True) if weight}
    if SEVEN not in thrown or thrown.isdisjoint(_POINTS):
        lacks = f"a point ({', '.join(map(str, _POINTS))})" if SEVEN in thrown else "a seven"
        raise WeightsError(f"these dice never throw {lacks}: a shooter's hand would never end")
    exact = [Fraction(weight) for weight in weights]
    times = math.lcm(*(weight.denominator for weight in exact))
    counted = [int(weight * times) for weight in exact]
    shared = math.gcd(*counted)
    found = Dice(tuple(weight // shared for weight in counted))
    if found.whole > MAX_TOTAL_WEIGHT:
        raise WeightsError(
            f"the weights come to {found.whole:,}: expected {MAX_TOTAL_WEIGHT:,} at most"
        )
    return found


def make_dice_from_faces(first: Sequence[Fraction | int], second: Sequence[Fraction | int]) -> Dice:
    """Return two independent dice, each given by the weights of its six faces.

    Raise WeightsError unless each has six weights, and as ``make_dice`` does.

    >>> make_dice_from_faces([1] * 6, [1, 1, 1, 1, 1, 2]).sevens
    Fraction(1, 6)
    """
    if (len(first), len(second)) != (6, 6):
        raise WeightsError(f"a die has six faces: expected {_EXPECTED_FORMS}")
    return make_dice([one * two for one in map(Fraction, first) for two in second])


def make_dice_with_sevens(chance: Fraction) -> Dice:
    """Return dice with this chance of a seven.

    The six ways to throw a seven share it equally, and the other thirty outcomes share the rest.
    Raise WeightsError unless the chance is above 0 and below 1, and as ``make_dice`` does.

    >>> make_dice_with_sevens(Fraction(1, 7)).whole, make_dice_with_sevens(Fraction(1, 6)) == FAIR
    (210, True)
    """
    if not 0 < chance < 1:
        raise WeightsError(f"sevens={chance}: expected a chance between 0 and 1, as in sevens=1/7")
    many = sum(sum(faces) == SEVEN for faces in OUTCOMES)
    own, other = chance / many, (1 - chance) / (len(OUTCOMES) - many)
    return make_dice([own if sum(faces) == SEVEN else other for faces in OUTCOMES])


def make_uneven_dice(part: Fraction) -> Dice:
    """Return two dice with one edge, between the one and the six, longer by the fraction ``part``.

    This is a model: a face comes up in proportion to the solid angle under which it is seen from
    the center of the die. Chances are rounded to 200,000ths. Raise WeightsError unless
    ``part`` is above 0 and at most 1.

    >>> round(float(make_uneven_dice(Fraction(1, 100)).sevens), 6)
    0.166677
    """
    if not 0 < part <= 1:
        raise WeightsError(f"off={part}: expected a part of the edge, as in off=1/100")
    long = 1 + float(part)
    # The end faces are half the long edge away from the center.
    ends = 4 * math.asin(1 / (1 + long**2)) / (4 * math.pi)
    end = Fraction(round(ends * _ROUNDING_PARTS), _ROUNDING_PARTS)
    side = (1 - 2 * end) / 4
    faces = [end, side, side, side, side, end]
    return make_dice_from_faces(faces, faces)


def describe_dice_model(text: str) -> str | None:
    """Return the assumption behind dice described as ``off=...``, in words; None for other texts.

    >>> describe_dice_model("sevens=1/7") is None
    True
    """
    if text.strip().lower().partition("=")[0].strip() != "off":
        return None
    return (
        "a model: a face comes up as often as the solid angle is large under which it is seen "
        "from the middle of the die; both dice are longer from the one to the six"
    )


def parse_dice(text: str) -> Dice:
    """Return the dice that a text describes, such as ``fair``, ``sevens=1/7`` or a list of weights.

    Raise WeightsError, with a message of one line, for any other text.

    >>> parse_dice("sevens=1/7").sevens, parse_dice("1,1,1,1,1,1").fair
    (Fraction(1, 7), True)
    """
    plain = text.strip().lower()
    if plain == "fair":
        return FAIR
    key, sign, value = plain.partition("=")
    if sign:
        made = {"sevens": make_dice_with_sevens, "off": make_uneven_dice}.get(key.strip())
        if made is None:
            raise WeightsError(f"{text[:40]!r}: expected {_EXPECTED_FORMS}")
        return made(_parse_number(value))
    groups = [_parse_numbers(part) for part in re.split(r"[x;:]", plain)]
    if len(groups) == 2:
        return make_dice_from_faces(*groups)
    numbers = [number for group in groups for number in group]
    if len(numbers) == 6:
        return make_dice_from_faces(numbers, numbers)
    if len(numbers) == 12:
        return make_dice_from_faces(numbers[:6], numbers[6:])
    return make_dice(numbers)


def _parse_numbers(text: str) -> list[Fraction]:
    return [_parse_number(part) for part in re.split(r"[,\s]+", text.strip()) if part]


def _parse_number(text: str) -> Fraction:
    """Return the number in a text such as 3, 0.95 or 1/7. Raise WeightsError for any other text."""
    if re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,12}|/[0-9]{1,12})?", text.strip()):
        try:
            return Fraction(text.strip())
        except ZeroDivisionError:
            pass
    raise WeightsError(f"{text.strip()[:40]!r} is no number: expected {_EXPECTED_FORMS}")
