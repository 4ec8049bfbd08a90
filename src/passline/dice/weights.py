"""Dice that do not fall as fair ones do: what each of the 36 outcomes weighs."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction

import msgspec

from passline.dice.outcomes import OUTCOMES, SEVEN, TOTALS

#: Weights may add up to so much: chances are counted in whole numbers of it.
HEAVIEST = 10**12
#: The faces of a die that is off are rounded to so many parts.
_PARTS = 200_000

_FORMS = (
    "36 weights, two dice's six weights each (as in 1,1,1,1,1,2 x 1,1,1,1,1,1), one die's six for "
    "both, sevens=1/7, or off=1/100"
)


class WeightsError(ValueError):
    """Dice that cannot be thrown; the message says what is expected."""


class Dice(msgspec.Struct, frozen=True):
    """Two dice: what each of the 36 outcomes weighs, in whole numbers that share no divisor.

    >>> FAIR.whole, weigh_dice([2] * 36) == FAIR
    (36, True)
    """

    weights: tuple[int, ...]

    @property
    def whole(self) -> int:
        """What all of them weigh together."""
        return sum(self.weights)

    @property
    def fair(self) -> bool:
        """Whether every outcome is as likely as any other."""
        return len(set(self.weights)) == 1

    @property
    def level(self) -> bool:
        """Whether a total comes as often as the one as far on the other side of seven."""
        by_total = dict.fromkeys(TOTALS, 0)
        for faces, weight in zip(OUTCOMES, self.weights, strict=True):
            by_total[sum(faces)] += weight
        return all(by_total[total] == by_total[2 * SEVEN - total] for total in TOTALS)

    @property
    def sevens(self) -> Fraction:
        """The chance of a seven."""
        there = sum(w for faces, w in zip(OUTCOMES, self.weights, strict=True) if sum(faces) == 7)
        return Fraction(there, self.whole)

    def __str__(self) -> str:
        """As ``parse_dice`` reads it."""
        return "fair" if self.fair else ",".join(map(str, self.weights))


FAIR = Dice((1,) * len(OUTCOMES))


def weigh_dice(weights: Sequence[Fraction | int]) -> Dice:
    """Dice whose 36 outcomes weigh so much; WeightsError where one of them cannot fall."""
    if len(weights) != len(OUTCOMES):
        raise WeightsError(f"{len(weights)} weights: expected {_FORMS}")
    if min(weights) <= 0:
        raise WeightsError("every fall of the dice needs a weight above nought")
    exact = [Fraction(weight) for weight in weights]
    times = math.lcm(*(weight.denominator for weight in exact))
    counted = [int(weight * times) for weight in exact]
    shared = math.gcd(*counted)
    found = Dice(tuple(weight // shared for weight in counted))
    if found.whole > HEAVIEST:
        raise WeightsError(f"the weights come to {found.whole:,}: expected {HEAVIEST:,} at most")
    return found


def weigh_faces(first: Sequence[Fraction | int], second: Sequence[Fraction | int]) -> Dice:
    """Two dice that fall by themselves, each with the weights of its six faces.

    >>> weigh_faces([1] * 6, [1, 1, 1, 1, 1, 2]).sevens
    Fraction(1, 6)
    """
    if (len(first), len(second)) != (6, 6):
        raise WeightsError(f"a die has six faces: expected {_FORMS}")
    return weigh_dice([one * two for one in map(Fraction, first) for two in second])


def weigh_sevens(chance: Fraction) -> Dice:
    """The six ways to seven share a chance, the other thirty the rest.

    >>> weigh_sevens(Fraction(1, 7)).whole, weigh_sevens(Fraction(1, 6)) == FAIR
    (210, True)
    """
    if not 0 < chance < 1:
        raise WeightsError(f"sevens={chance}: expected a chance between 0 and 1, as in sevens=1/7")
    many = sum(sum(faces) == SEVEN for faces in OUTCOMES)
    own, other = chance / many, (1 - chance) / (len(OUTCOMES) - many)
    return weigh_dice([own if sum(faces) == SEVEN else other for faces in OUTCOMES])


def weigh_off(part: Fraction) -> Dice:
    """Both dice longer, by such a part of their edge, from the one to the six.

    A model, and named as one: a face comes up as often as the solid angle is large under which it
    is seen from the middle of the die. Chances are rounded to 200,000ths.

    >>> round(float(weigh_off(Fraction(1, 100)).sevens), 6)
    0.166677
    """
    if not 0 < part <= 1:
        raise WeightsError(f"off={part}: expected a part of the edge, as in off=1/100")
    long = 1 + float(part)
    ends = 4 * math.asin(1 / (1 + long**2)) / (4 * math.pi)  # seen from half the long edge away
    end = Fraction(round(ends * _PARTS), _PARTS)
    side = (1 - 2 * end) / 4
    faces = [end, side, side, side, side, end]
    return weigh_faces(faces, faces)


def dice_model(text: str) -> str | None:
    """What dice as they are typed take for granted, in words; None: nothing.

    >>> dice_model("sevens=1/7") is None
    True
    """
    if text.strip().lower().partition("=")[0].strip() != "off":
        return None
    return (
        "a model: a face comes up as often as the solid angle is large under which it is seen "
        "from the middle of the die; both dice are longer from the one to the six"
    )


def parse_dice(text: str) -> Dice:
    """Dice as they are typed; WeightsError, in one line, for what is none.

    >>> parse_dice("sevens=1/7").sevens, parse_dice("1,1,1,1,1,1").fair
    (Fraction(1, 7), True)
    """
    plain = text.strip().lower()
    if plain == "fair":
        return FAIR
    key, sign, value = plain.partition("=")
    if sign:
        made = {"sevens": weigh_sevens, "off": weigh_off}.get(key.strip())
        if made is None:
            raise WeightsError(f"{text[:40]!r}: expected {_FORMS}")
        return made(_number(value))
    groups = [_numbers(part) for part in re.split(r"[x;:]", plain)]
    if len(groups) == 2:
        return weigh_faces(*groups)
    numbers = [number for group in groups for number in group]
    if len(numbers) == 6:
        return weigh_faces(numbers, numbers)
    if len(numbers) == 12:
        return weigh_faces(numbers[:6], numbers[6:])
    return weigh_dice(numbers)


def _numbers(text: str) -> list[Fraction]:
    return [_number(part) for part in re.split(r"[,\s]+", text.strip()) if part]


def _number(text: str) -> Fraction:
    """A plain number: 3, 0.95 or 1/7."""
    if re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,12}|/[0-9]{1,12})?", text.strip()):
        try:
            return Fraction(text.strip())
        except ZeroDivisionError:
            pass
    raise WeightsError(f"{text.strip()[:40]!r} is no number: expected {_FORMS}")
