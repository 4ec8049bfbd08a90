"""The 36 outcomes of two dice, numbered so that a table can be looked up by them."""

from __future__ import annotations

Outcome = tuple[int, int]

#: The total that everything is measured against.
SEVEN = 7

#: Every throw of two dice, the first die varying slowest: ``OUTCOMES[index_of(a, b)] == (a, b)``.
OUTCOMES: tuple[Outcome, ...] = tuple((a, b) for a in range(1, 7) for b in range(1, 7))

#: Every total two dice can show.
TOTALS: tuple[int, ...] = tuple(range(2, 13))

#: The total of each outcome, by index.
_TOTAL_BY_INDEX: tuple[int, ...] = tuple(a + b for a, b in OUTCOMES)


def index_of(first: int, second: int) -> int:
    """The number of an outcome, 0 to 35.

    >>> index_of(1, 1), index_of(6, 6)
    (0, 35)
    """
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise ValueError(f"a die shows 1 to 6, not {first} and {second}")
    return (first - 1) * 6 + second - 1


def total_of(index: int) -> int:
    """The total of an outcome: the sum of its two upper faces.

    >>> total_of(index_of(4, 3))
    7
    """
    return _TOTAL_BY_INDEX[index]


def parse_faces(token: int | str) -> frozenset[int]:
    """The outcomes that a total (``8``) or a combination (``"3-5"``, either order) stands for.

    >>> sorted(parse_faces("1-2")) == [index_of(1, 2), index_of(2, 1)]
    True
    >>> len(parse_faces(7))
    6
    """
    if isinstance(token, int):
        return frozenset(i for i, total in enumerate(_TOTAL_BY_INDEX) if total == token)
    low, _, high = token.partition("-")
    first, second = int(low), int(high)
    return frozenset({index_of(first, second), index_of(second, first)})
