"""Objects put by as values: what is the same, what is not, and the object again."""

from __future__ import annotations

import random
from collections import Counter, deque
from dataclasses import dataclass
from typing import Any

import pytest

from passline.lab.machines.bettor import StrategyError
from passline.lab.strategies.crapssim.frozen_state import Freezer, UnknownBankroll, thaw


class Thing:
    def __init__(self, **parts: Any) -> None:
        vars(self).update(parts)

    def key(self) -> Any:
        return vars(self).get("level")


@dataclass(slots=True)
class Slotted:
    first: int
    second: list[int]


def again(thing: Any) -> Any:
    return thaw(Freezer().freeze(thing))


@pytest.mark.parametrize(
    "thing",
    [
        None,
        (1, 1.5, "a", b"b", True),
        [1, [2, {3: {4}}]],
        {"a": frozenset({1, 2})},
        deque([1, 2], 5),
        Counter("abba"),
        Slotted(1, [2]),
        float("inf"),
    ],
    ids=repr,
)
def test_it_is_itself_again(thing: Any) -> None:
    assert again(thing) == thing
    assert type(again(thing)) is type(thing)


def test_the_same_value_and_another() -> None:
    freezer = Freezer()
    one = freezer.freeze(Thing(level=1, hits=[4]))
    assert freezer.freeze(Thing(level=1, hits=[4])) is one
    for other in (
        Thing(level=2, hits=[4]),
        Thing(level=True, hits=[4]),
        Thing(level=1.0, hits=[4]),
        Thing(level=1, hits=(4,)),
        Thing(hits=[4], level=1),  # whoever walks through its attributes can tell
    ):
        assert freezer.freeze(other) != one


def test_what_is_one_object_stays_one() -> None:
    shared = [1]
    both = again(Thing(a=shared, b=shared, c=[1]))
    assert both.a is both.b
    assert both.a is not both.c
    whole: Any = Thing(level=7)
    whole.me, whole.ask = whole, whole.key
    found = again(whole)
    assert found.me is found
    found.level = 8
    assert found.ask() == 8


def test_chance_goes_on_where_it_was() -> None:
    dice = random.Random(3)
    dice.random()
    assert again(dice).random() == dice.random()


def test_chips_are_told_by_the_bankroll() -> None:
    freezer = Freezer()
    low = freezer.freeze([UnknownBankroll(3)], bankroll=1)
    assert freezer.chips
    assert freezer.freeze([UnknownBankroll(12)], bankroll=10) == low
    assert thaw(low) == [UnknownBankroll(2)]
    freezer.freeze([1])
    assert not freezer.chips


def test_what_cannot_be_put_by() -> None:
    with pytest.raises(StrategyError, match="it stores a generator, which passline cannot save"):
        Freezer().freeze([(n for n in (1, 2))])


def test_a_deep_bankroll() -> None:
    chips = UnknownBankroll(5)
    assert [chips > 10**12, chips >= 1, chips < 3, chips <= 3] == [True, True, False, False]
    assert (chips + 2) - chips == 2
    assert [(chips - 2) < chips, chips == 5, bool(chips)] == [True, False, True]
    assert 1 + chips == UnknownBankroll(6)
    for reckon in (float, lambda c: c / 2, lambda c: 2 * c, lambda c: 9 - c, round):
        with pytest.raises(StrategyError, match="whole bankroll"):
            reckon(chips)
