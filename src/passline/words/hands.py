"""A hand's luck in words: ``31 rolls: 1 in 70``."""

from __future__ import annotations

from fractions import Fraction

#: From here on a number is told in words.
_LARGE = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))


def hand_words(rolls: int, chance: Fraction) -> str:
    """A hand that ended, and the chance that one lasts as long or longer.

    >>> hand_words(31, Fraction(1, 70)), hand_words(5, Fraction(3, 5))
    ('31 rolls: 1 in 70', '5 rolls: 1 in 1.7')
    >>> hand_words(2, Fraction(1)), hand_words(154, Fraction(1, 5_590_264_072))
    ('2 rolls: the shortest there is', '154 rolls: 1 in 5.6 billion')
    >>> hand_words(1, Fraction(1))  # of a shooter who took over in mid-hand
    '1 roll: the shortest there is'
    """
    told = "the shortest there is" if chance == 1 else chance_words(chance)
    return f"{rolls:,} roll{'s' if rolls != 1 else ''}: {told}"


def chance_words(chance: Fraction) -> str:
    """A chance as one in so many.

    >>> [chance_words(Fraction(1) / many) for many in (69, Fraction(3, 2), 10**18)]
    ['1 in 69', '1 in 1.5', '1 in 10^18']
    """
    many = 1 / chance
    if many >= 10**15:
        return f"1 in 10^{len(str(int(many))) - 1}"
    for size, name in _LARGE:
        if many >= size:
            return f"1 in {_short(many / size)} {name}"
    return f"1 in {_short(many)}"


def _short(many: Fraction) -> str:
    """One decimal below ten, where it is not nought.

    >>> [_short(Fraction(halves, 2)) for halves in (3, 4, 139, 10_000)]
    ['1.5', '2', '70', '5,000']
    """
    if many >= 10:
        return f"{int(many + Fraction(1, 2)):,}"
    tenths = int(many * 10 + Fraction(1, 2))
    return f"{tenths // 10}" if tenths % 10 == 0 else f"{tenths / 10:.1f}"
