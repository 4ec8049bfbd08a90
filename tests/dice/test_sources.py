"""Where throws come from."""

from __future__ import annotations

import secrets
from collections import Counter

import pytest

from passline.game.dice.dice import OUTCOMES
from passline.live import random_dice


def test_secure_dice_ask_the_system_once_for_each_die(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    answers = iter([0, 5, 3, 2])

    def randbelow(limit: int) -> int:
        asked.append(limit)
        return next(answers)

    monkeypatch.setattr(secrets, "randbelow", randbelow)
    assert [random_dice.throw_secure_dice(), random_dice.throw_secure_dice()] == [(1, 6), (4, 3)]
    assert asked == [6, 6, 6, 6]


def test_secure_dice_show_every_outcome() -> None:
    # The chance that one of the 36 is missing from 3,000 throws is under 10 to the -34.
    assert set(Counter(random_dice.throw_secure_dice() for _ in range(3000))) == set(OUTCOMES)


def test_seeded_dice_repeat_and_differ_by_seed() -> None:
    once, again, other = (
        random_dice.make_seeded_dice(7),
        random_dice.make_seeded_dice(7),
        random_dice.make_seeded_dice(8),
    )
    first = [once() for _ in range(50)]
    assert first == [again() for _ in range(50)]
    assert first != [other() for _ in range(50)]
    assert set(first) <= set(OUTCOMES)
