"""How long a question takes a dealer who knows: what is quick, what is slow, what is too late."""

from __future__ import annotations

#: Seconds by drill in which a working dealer answers in full, reading included. They are the
#: school's own: a payoff is cut in front of a player who waits, an order of work is told in words.
PACE = {
    "terms": 12,
    "positions": 12,
    "booking": 30,
    "lines": 25,
    "payoffs": 20,
    "keys": 20,
    "vig": 25,
    "limits": 25,
    "groups": 25,
    "press": 40,
    "calls": 20,
    "order": 60,
    "errors": 45,
    "rulings": 20,
}
_QUICK, _SLOW = 0.5, 2.0
#: The same figures as FSRS gives its four ratings.
AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4


def speed_of(drill: str, seconds: float) -> float:
    """How fast an answer is, from nothing to one: one within the drill's pace, half in twice it.

    >>> speed_of("payoffs", 15), speed_of("payoffs", 40)
    (1.0, 0.5)
    """
    return min(1.0, PACE[drill] / seconds) if seconds > 0 else 1.0


def rating_of(drill: str, right: bool, seconds: float | None) -> int:
    """What an answer says of how well its clause is known: 1 again, 2 hard, 3 good, 4 easy.

    >>> [rating_of("payoffs", True, seconds) for seconds in (9, 20, 60, None)]
    [4, 3, 2, 3]
    """
    if not right:
        return AGAIN
    if seconds is None or drill not in PACE:
        return GOOD
    share = seconds / PACE[drill]
    return EASY if share <= _QUICK else GOOD if share <= _SLOW else HARD
