"""Wager slugs: the short names that records, JSON and house rules use."""

from __future__ import annotations

from functools import cache

_TOTALS = range(2, 13)
_HOPS = tuple(f"hop-{a}-{b}" for a in range(1, 7) for b in range(a, 7))
_SINGLE = [
    "pass",
    "dont-pass",
    "come",
    "dont-come",
    "pass-odds",
    "dont-pass-odds",
    "hard-4",
    "hard-6",
    "hard-8",
    "hard-10",
    "big-6",
    "big-8",
    "field",
    "any-seven",
    "any-craps",
    "craps-2",
    "craps-3",
    "craps-12",
    "eleven",
    "c-and-e",
    "horn",
    "whirl",
    "hi-lo",
    "three-way-craps",
    "six-seven-eight",
    "fire",
    "all-small",
    "all-tall",
    "make-them-all",
]
_NUMBERED = [
    "come",
    "dont-come",
    "come-odds",
    "dont-come-odds",
    "place-win",
    "place-lose",
    "buy",
    "lay",
    "horn-high",
]


@cache
def known_slugs() -> tuple[str, ...]:
    """Every slug that can be said; whether a rulebook deals it is another matter.

    >>> "place-win-6" in known_slugs(), "hop-1-1" in known_slugs(), "place-6" in known_slugs()
    (True, True, False)
    """
    numbered = [f"{family}-{n}" for family in _NUMBERED for n in _TOTALS]
    return (*_SINGLE, *numbered, *_HOPS)
