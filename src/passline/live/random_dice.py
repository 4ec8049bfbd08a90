"""Where throws come from: the system's secure source, or a seed."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable

from passline.game.dice.dice import Outcome

#: Throws two dice.
DiceSource = Callable[[], Outcome]


def throw_secure_dice() -> Outcome:
    """Two dice from the operating system's secure source, every face as likely as any other.

    >>> all(1 <= die <= 6 for die in throw_secure_dice())
    True
    """
    return secrets.randbelow(6) + 1, secrets.randbelow(6) + 1


def make_seeded_dice(seed: int) -> DiceSource:
    """Dice that fall the same way for the same seed, for demonstrations and tests.

    >>> make_seeded_dice(7)() == make_seeded_dice(7)()
    True
    """
    rng = random.Random(seed)
    return lambda: (rng.randint(1, 6), rng.randint(1, 6))
