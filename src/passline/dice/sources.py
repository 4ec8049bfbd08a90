"""Where throws come from: the system's secure source, or a seed."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable

from passline.dice.outcomes import Outcome

#: Throws two dice.
Source = Callable[[], Outcome]


def secure() -> Outcome:
    """Two dice from the operating system's secure source, every face as likely as any other.

    >>> all(1 <= die <= 6 for die in secure())
    True
    """
    return secrets.randbelow(6) + 1, secrets.randbelow(6) + 1


def seeded(seed: int) -> Source:
    """Dice that fall the same way for the same seed, for demonstrations and tests.

    >>> seeded(7)() == seeded(7)()
    True
    """
    rng = random.Random(seed)
    return lambda: (rng.randint(1, 6), rng.randint(1, 6))
