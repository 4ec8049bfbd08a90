"""Hands of random throws: each side bet is settled as a program that shares nothing settles it."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from passline.game.law.side_bets import read_side_bets
from passline.record.deal import deal_text
from tests.side_bets.own_settlements import Dice, Hand, settle

COLLECTING = [
    family
    for wagers in read_side_bets().values()
    for family, wager in wagers.items()
    if wager["shape"] == "collect"
]
_HEADER = "rulebook: sides\n" + "".join(
    f"house.offers.{offer}: A\n"
    for offer, wagers in read_side_bets().items()
    if set(wagers) & set(COLLECTING)
)


def _throw_hand(rng: random.Random, least: int, sevens: float) -> list[Dice]:
    """Throw a hand; of the sevens among its first ``least`` throws only a share is kept."""
    throws: list[Dice] = []
    while not Hand(throws).over:
        dice = rng.randint(1, 6), rng.randint(1, 6)
        if sum(dice) != 7 or len(throws) >= least or rng.random() < sevens:
            throws.append(dice)
    return throws


def _deal(throws: list[Dice]) -> dict[str, tuple[int, str, str]]:
    """Return (number of the throw, result, pay) of each side bet of a hand."""
    point, lines = 0, [_HEADER, "player: ann 9000\nplayer: bob 9000\n", "bob: pass for 5\n"]
    lines += [f"ann: {wager} for 5\n" for wager in COLLECTING]
    for first, second in throws:
        lines.append(f"roll {first} {second}\n")
        total = first + second
        point = (
            (0 if total in (point, 7) else point)
            if point
            else total * (total in (4, 5, 6, 8, 9, 10))
        )
        lines += [] if point else ["bob: pass for 5\n"]
    dealt = deal_text("".join(lines))
    return {
        done["wager"]: (number, done["result"], done["paid"])
        for number, roll in enumerate(dealt.to_json()["rolls"], 1)
        for done in roll["settlements"]
        if done["player"] == "ann"
    }


#: All six doubles; eleven points in a row, then 60 rolls without a decision; each with a seven-out.
LONG_HANDS: tuple[list[Dice], ...] = (
    [(face, face) for face in (2, 1, 3, 6, 4, 5)] + [(5, 4), (3, 4)],
    [(4, 2), (5, 1)] * 11 + [(6, 2)] + [(5, 4)] * 60 + [(3, 4)],
)


@pytest.mark.parametrize("throws", LONG_HANDS)
def test_a_long_hand_is_settled_as_by_the_other_program(throws: list[Dice]) -> None:
    _check_hand(throws)


@pytest.mark.parametrize("seed", range(40))
def test_a_hand_is_settled_as_by_the_other_program(seed: int) -> None:
    rng = random.Random(seed)
    _check_hand(_throw_hand(rng, rng.choice((0, 10, 30, 60)), rng.choice((0.0, 0.2))))


def _check_hand(throws: list[Dice]) -> None:
    expected = {}
    for wager in COLLECTING:
        for number in range(1, len(throws) + 1):
            fate = settle(wager, throws[:number])
            if fate is not None:
                expected[wager] = number, fate[0], f"{5 * fate[1]}.00"
                break
    assert _deal(throws) == expected


def test_the_hands_of_these_tests_meet_wins_losses_and_pushes() -> None:
    met: Counter[tuple[str, str]] = Counter()
    for seed in range(40):
        rng = random.Random(seed)
        throws = _throw_hand(rng, rng.choice((0, 10, 30, 60)), rng.choice((0.0, 0.2)))
        for wager in COLLECTING:
            fates = (settle(wager, throws[: n + 1]) for n in range(len(throws)))
            met[wager, next(fate[0] for fate in fates if fate)] += 1
    assert {wager for wager, result in met if result == "win"} == set(COLLECTING)
    assert {wager for wager, result in met if result == "lose"} == set(COLLECTING)
    assert met["hot-shooter", "push"]
