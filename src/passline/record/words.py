"""The words of table talk: numbers as people say them, brought to one form."""

from __future__ import annotations

import re

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NUMBERS = {word: n for n, word in enumerate(_ONES)} | {
    word: (n + 2) * 10 for n, word in enumerate(_TENS)
}
_PLURALS = {"fours": "4", "fives": "5", "sixes": "6", "eights": "8", "nines": "9", "tens": "10"}
_DROPPED = frozenset(
    [
        "the",
        "a",
        "an",
        "me",
        "my",
        "please",
        "dollars",
        "dollar",
        "bucks",
        "buck",
        "of",
        "give",
        "i",
        "want",
    ]
)
#: Phrases that stand for one word, longest first.
_PHRASES = (
    ("don't pass line", "dont-pass"),
    ("dont pass line", "dont-pass"),
    ("don't pass", "dont-pass"),
    ("dont pass", "dont-pass"),
    ("don't come", "dont-come"),
    ("dont come", "dont-come"),
    ("pass line", "pass"),
    ("line", "pass"),
    ("hard ways", "hardways"),
    ("hard way", "hard"),
    ("ace deuce", "ace-deuce"),
    ("snake eyes", "aces"),
    ("box cars", "boxcars"),
    ("midnight", "boxcars"),
    ("yo-leven", "yo"),
    ("yo leven", "yo"),
    ("yo eleven", "yo"),
    ("world", "whirl"),
    ("any craps", "any-craps"),
    ("any seven", "any-seven"),
    ("any 7", "any-seven"),
    ("big red", "any-seven"),
    ("c & e", "c-and-e"),
    ("c and e", "c-and-e"),
    ("c&e", "c-and-e"),
    ("hi lo", "hi-lo"),
    ("hi-low", "hi-lo"),
    ("high low", "hi-lo"),
    ("three way craps", "three-way-craps"),
    ("horn high", "horn-high"),
)


def amounts_in_figures(text: str) -> str:
    """Spelled numbers as figures.

    >>> amounts_in_figures("place the six for twenty five")
    'place the 6 for 25'
    >>> amounts_in_figures("buy the four for one hundred")
    'buy the 4 for 100'
    """
    out: list[str] = []
    for word in re.split(r"[\s]+", text):
        value = _NUMBERS.get(word)
        if word == "hundred" and out and out[-1].isdigit():
            out[-1] += "00"
        elif value is None:
            out.append(_PLURALS.get(word, word))
        elif out and value < 10 and out[-1] in {"20", "30", "40", "50", "60", "70", "80", "90"}:
            out[-1] = str(int(out[-1]) + value)
        else:
            out.append(str(value))
    return " ".join(out)


def _lower_first(hop: re.Match[str]) -> str:
    low, high = sorted((hop[1], hop[2]))
    return f"hop-{low}-{high}"


def plain_words(text: str) -> list[str]:
    """Table talk in its plainest form: lower case, figures, no small words, no dollar signs.

    >>> plain_words("Place the six for $12")
    ['place', '6', 'for', '12']
    >>> plain_words("horn high yo for five dollars")
    ['horn-high', 'yo', 'for', '5']
    """
    said = " " + re.sub(r"\s+", " ", text.lower().replace("’", "'").strip(" .!?")) + " "
    said = re.sub(rf"\b({'|'.join(_TENS)})-", r"\1 ", said)
    for phrase, word in _PHRASES:
        said = said.replace(f" {phrase} ", f" {word} ")
    said = said.replace(", ", " ")
    said = re.sub(r"\bhop-([2-6])-([1-5])\b", _lower_first, said)
    said = amounts_in_figures(said.strip())
    words = [word.strip(",").lstrip("$") for word in said.split()]
    return [word for word in words if word and word not in _DROPPED]
