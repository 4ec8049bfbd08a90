"""Random dice: from the operating system's secure source, or from a seed."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable

from passline.game.dice.dice import Outcome

#: A function that throws two dice.
DiceSource = Callable[[], Outcome]


def throw_secure_dice() -> Outcome:
    """Throw two dice from the operating system's secure random source.

    >>> all(1 <= die <= 6 for die in throw_secure_dice())
    True
    """
    return secrets.randbelow(6) + 1, secrets.randbelow(6) + 1


def make_seeded_dice(seed: int) -> DiceSource:
    """Return a function that throws two dice. The same seed gives the same sequence of throws.

    >>> make_seeded_dice(7)() == make_seeded_dice(7)()
    True
    """
    rng = random.Random(seed)
    return lambda: (rng.randint(1, 6), rng.randint(1, 6))
