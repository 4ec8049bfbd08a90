"""How rare a hand is, in words: ``31 rolls: 1 in 70``. A hand is one shooter's turn."""

from __future__ import annotations

from fractions import Fraction

#: Numbers from here on are written as words.
_LARGE_NUMBERS = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))


def describe_hand(rolls: int, chance: Fraction) -> str:
    """Return the length of a hand, and the chance that one lasts as long or longer.

    >>> describe_hand(31, Fraction(1, 70)), describe_hand(5, Fraction(3, 5))
    ('31 rolls: 1 in 70', '5 rolls: 1 in 1.7')
    >>> describe_hand(2, Fraction(1)), describe_hand(154, Fraction(1, 5_590_264_072))
    ('2 rolls: the shortest there is', '154 rolls: 1 in 5.6 billion')
    >>> describe_hand(1, Fraction(1))  # of a shooter who took over in mid-hand
    '1 roll: the shortest there is'
    """
    rarity = "the shortest there is" if chance == 1 else describe_chance(chance)
    return f"{rolls:,} roll{'s' if rolls != 1 else ''}: {rarity}"


def describe_chance(chance: Fraction) -> str:
    """Return a chance as "1 in N", with large numbers in words or as a power of ten, or "never".

    >>> [describe_chance(Fraction(1) / many) for many in (69, Fraction(3, 2), 10**18)]
    ['1 in 69', '1 in 1.5', '1 in 10^18']
    >>> describe_chance(Fraction(0))  # of a total that the dice never throw
    'never'
    """
    if not chance:
        return "never"
    many = 1 / chance
    if many >= 10**15:
        return f"1 in 10^{len(str(int(many))) - 1}"
    for size, name in _LARGE_NUMBERS:
        if many >= size:
            return f"1 in {_format_short(many / size)} {name}"
    return f"1 in {_format_short(many)}"


def _format_short(many: Fraction) -> str:
    """Return a number below ten with one decimal unless that is zero, others without decimals.

    >>> [_format_short(Fraction(halves, 2)) for halves in (3, 4, 139, 10_000)]
    ['1.5', '2', '70', '5,000']
    """
    if many >= 10:
        return f"{int(many + Fraction(1, 2)):,}"
    tenths = int(many * 10 + Fraction(1, 2))
    return f"{tenths // 10}" if tenths % 10 == 0 else f"{tenths / 10:.1f}"
