"""Messages for a player whose words are not understood, with the nearest phrase that would be."""

from __future__ import annotations

import re
from collections.abc import Iterable

from passline.game.words.wagers import spoken_wager_name

EXPECTED_FORMS = (
    "expected a bet such as 'pass for 10', 'odds for 25', 'place 8 down' or 'hard 8 off', "
    "or table talk such as '12 on the 6'"
)
_COLOR_UP = re.compile(r"\s*colou?rs?\s+up\s*", re.IGNORECASE)
_BET_ON_SEVEN = re.compile(r"\b(place|buy|lay) (?:the )?(?:7|seven)\b")


def describe_missing_amount(words: Iterable[str], preposition: str) -> str:
    """Return the question for a bet without an amount, such as "for how much?".

    ``preposition`` is the word that introduces the amount.

    >>> describe_missing_amount(["hard", "8"], "for")
    "for how much? say 'hard 8 for' and an amount"
    """
    again = _shorten(" ".join(words))
    return f"{preposition} how much? say '{again} {preposition}' and an amount"


def describe_several_bets(text: str) -> str:
    """Return the message for a text that seems to be several bets without a ';' between them."""
    return f"{_quote(text)} is not understood as one bet: separate several bets with ';'"


def describe_not_understood(text: str, known_words: Iterable[str] = (), wager: str = "") -> str:
    """Return a message that says which words are understood, and the nearest wager if there is one.

    ``known_words`` are the understood words, and ``wager`` is the slug of the nearest wager, or "".

    >>> describe_not_understood("plaice the 6", ["the 6"], "place-win-6")
    "'plaice the 6' is not understood; understood: the 6; the nearest wager is place 6"
    >>> describe_not_understood("place 7 for 5", ["place 7 for 5"])
    "'place 7 for 5' is not understood; there is no place bet on the 7"
    >>> describe_not_understood("colors up")
    "'colors up' is not a bet; to color up, write 'ann colors up' without a colon"
    """
    if _COLOR_UP.fullmatch(text):
        return f"{_quote(text)} is not a bet; to color up, write 'ann colors up' without a colon"
    known = _shorten(", ".join(known_words))
    understood = f"; understood: {known}" if known else ""
    if known == _shorten(" ".join(text.lower().split())):  # All of it: no help to the player.
        impossible = _BET_ON_SEVEN.search(known)
        understood = f"; there is no {impossible[1]} bet on the 7" if impossible else ""
    nearest = f"; the nearest wager is {spoken_wager_name(wager)}" if wager else ""
    return f"{_quote(text)} is not understood{understood}{nearest}"


def describe_suggestion(text: str) -> str:
    """Return the end of an error message that offers a phrase: ": did you mean 'place 6'?"."""
    return f": did you mean '{_shorten(text)}'?"


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _quote(text: str) -> str:
    return repr(_shorten(text))
