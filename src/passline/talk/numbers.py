"""Spelled numbers as figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: n for n, word in enumerate(_ONES.split())}
_TENTHS = {word: (n + 2) * 10 for n, word in enumerate(_TENS.split())} | {"fourty": 40}
_PLURAL = {"sixes": 6, "twenties": 20} | {f"{word}s": n for word, n in _SMALL.items() if n != 6}
_HUNDREDS, _THOUSANDS = frozenset(["hundred"]), frozenset(["thousand", "grand"])
Read = Callable[[Sequence[str], int], tuple[int, int]]
#: Every word that is a number or part of one.
NUMBER_WORDS = frozenset([*_SMALL, *_TENTHS, *_PLURAL, *_HUNDREDS, *_THOUSANDS])


def in_figures(words: Sequence[str]) -> list[str]:
    """A text's words, its spelled numbers as figures.

    >>> in_figures("place the six for twenty five".split())
    ['place', 'the', '6', 'for', '25']
    >>> in_figures("fifteen hundred and fifty on the nines".split())
    ['1550', 'on', 'the', '9']
    """
    out: list[str] = []
    at = 0
    while at < len(words):
        value, after = _number(words, at)
        if after == at:
            out.append(_plural(words[at]))
            after = at + 1
        else:
            out.append(str(value))
        at = after
    return out


def _plural(word: str) -> str:
    if word in _PLURAL:
        return str(_PLURAL[word])
    return word[:-1] if word[:-1].isascii() and word[:-1].isdigit() and word[-1] == "s" else word


def _number(words: Sequence[str], at: int) -> tuple[int, int]:
    """The number that begins at a word, and where it ends (there, if there is none)."""
    value, after = _counted(words, at, _below_thousand, _THOUSANDS)
    if _word(words, after) in _THOUSANDS and value:
        more, end = _joined(words, after + 1, _below_thousand)
        return value * 1000 + more, end
    return value, after


def _below_thousand(words: Sequence[str], at: int) -> tuple[int, int]:
    value, after = _counted(words, at, _below_hundred, _HUNDREDS)
    if _word(words, after) in _HUNDREDS and value:
        more, end = _joined(words, after + 1, _below_hundred)
        return value * 100 + more, end
    return value, after


def _counted(words: Sequence[str], at: int, read: Read, of: frozenset[str]) -> tuple[int, int]:
    """How many hundreds or thousands there are: as said, in figures, or one of them."""
    value, after = read(words, at)
    if after > at:
        return value, after
    if _word(words, at) in of:
        return 1, at  # "hundred on the line"
    if _figure(_word(words, at)) and _word(words, at + 1) in of:
        return int(words[at]), at + 1  # "5 hundred"
    return 0, at


def _joined(words: Sequence[str], at: int, read: Read) -> tuple[int, int]:
    """What is added to the hundreds or thousands: "and fifty", "fifty", nothing."""
    start = at + (_word(words, at) == "and")
    more, end = read(words, start)
    return (more, end) if end > start else (0, at)


def _word(words: Sequence[str], at: int) -> str:
    return words[at] if at < len(words) else ""


def _figure(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 7


def _below_hundred(words: Sequence[str], at: int) -> tuple[int, int]:
    if at >= len(words):
        return 0, at
    word = words[at]
    if word in _SMALL:
        return _SMALL[word], at + 1
    if word in _TENTHS:
        one = _SMALL.get(words[at + 1], 0) if at + 1 < len(words) else 0
        return (_TENTHS[word] + one, at + 2) if 0 < one < 10 else (_TENTHS[word], at + 1)
    return 0, at
