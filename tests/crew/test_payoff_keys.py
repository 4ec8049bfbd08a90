"""Mental keys: the school's figures written by hand, and every key against the engine."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.crew.payoff_keys import (
    _load_keys,
    derive_key,
    find_key,
    find_key_on,
    find_legs,
    list_winning_faces,
    split_bet,
)
from passline.game.dice.dice import OUTCOMES, outcome_index, outcome_total
from passline.game.law.book_files import BOOKS
from passline.game.layout.settle import Throw, settle
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Stake
from tests.layout.felts import felt, shipped

SCHOOL = "dealer-school"


def says(wager: str, face: int | str, stake: int) -> tuple[str, int]:
    """Return the school's key in words, and what it pays on a stake, in dollars."""
    found = find_key(shipped(SCHOOL), wager, face)
    assert found is not None
    return found.words, found.compute_win(stake * 100) // 100


@pytest.mark.parametrize(
    ("wager", "face", "stake", "pays", "words"),
    [
        pytest.param(*case[1:], id=case[0], marks=pytest.mark.clause(f"{SCHOOL}:{case[0]}"))
        for case in [
            ("prop.3-way/one-way/key", "hops-6", "3-3", 3, 28, "nine times the bet, and"),
            ("prop.3-way/one-way/box-key", "hops-8", "4-4", 9, 84, "what is in the box"),
            ("prop.3-way/one-way/per-dollar", "hops-6", "3-3", 300, 2800, "a third of it"),
            ("prop.3-way/two-ways/key", "hops-6", "2-4", 3, 13, "four times the bet, and"),
            ("prop.3-way/two-ways/box-key", "hops-7", "1-6", 9, 39, "what is in the box"),
            ("prop.3-way/two-ways/per-dollar", "hops-6", "1-5", 300, 1300, "a third of it"),
            ("prop.any-7", "any-seven", 7, 5, 20, "four times the bet"),
            ("prop.any-craps", "any-craps", 3, 5, 35, "seven times the bet"),
            ("hardways/4-10", "hard-4", 4, 5, 35, "seven times the bet"),
            ("prop.c-and-e/craps", "c-and-e", 2, 10, 30, "three times the bet"),
            ("prop.c-and-e/eleven", "c-and-e", 11, 10, 70, "seven times the bet"),
            ("prop.hi-lo/key", "hi-lo", 2, 2, 29, "blackjack the bet, add a zero"),
            ("prop.hi-lo/example", "hi-lo", 12, 10, 145, "take half the bet off"),
            ("prop.2-way/15-key", "hops-5", "2-3", 10, 70, "seven times the bet"),
            ("horn/2/key", "horn", 2, 4, 27, "seven times the bet, less a quarter of it"),
            ("horn/12/key", "horn", 12, 100, 675, "seven times the bet, less a quarter of it"),
            ("horn/3/key", "horn", 3, 4, 12, "three times the bet"),
            ("horn/11/key", "horn", 11, 100, 300, "three times the bet"),
            ("whirl/2/key", "whirl", 2, 100, 520, "five times the bet, and what is in the box"),
            ("whirl/12/key", "whirl", 12, 100, 520, "five times the bet, and what is in the box"),
            ("whirl/3/key", "whirl", 3, 100, 220, "twice the bet, and what is in the box"),
            ("whirl/11/key", "whirl", 11, 100, 220, "twice the bet, and what is in the box"),
            ("whirl/2/per-red", "whirl", 2, 5, 26, "a fifth of it"),
            ("whirl/12/per-red", "whirl", 12, 5, 26, "a fifth of it"),
            ("whirl/3-11/per-red", "whirl", 11, 5, 11, "a fifth of it"),
            ("whirl/any-7", "whirl", 7, 5, 0, "a push"),
            ("horn-high/high-30/key", "horn-high-12", 12, 100, 1140, "eleven times the bet, and"),
            ("horn-high/low-30/key", "horn-high-11", 2, 100, 520, "five times the bet, and"),
            ("horn-high/high-15/key", "horn-high-11", 11, 100, 540, "two fifths of it"),
            ("horn-high/low-15/key", "horn-high-2", 11, 100, 220, "twice the bet, and"),
        ]
    ],
)
def test_the_schools_keys(wager: str, face: int | str, stake: int, pays: int, words: str) -> None:
    said, paid = says(wager, face, stake)
    assert paid == pays
    assert words in said


@pytest.mark.clause(f"{SCHOOL}:prop.hi-lo/example")
def test_ten_on_the_hi_lo_in_steps() -> None:
    found = find_key(shipped(SCHOOL), "hi-lo", 2)
    assert found is not None
    assert [(step.words, step.cents // 100) for step in found.calculate_steps(1000)] == [
        ("blackjack the bet", 15),
        ("add a zero", 150),
        ("take half the bet off", 145),
    ]


def test_a_horn_in_steps() -> None:
    found = find_key(shipped("iowa"), "horn", 12)
    assert found is not None
    assert [(step.words, step.cents // 100) for step in found.calculate_steps(800)] == [
        ("seven times the bet of $8", 56),
        ("less the $2 in the box", 54),
    ]
    assert found.cites == ("custom: the key of dealer-school horn/2/key",)


def test_a_bet_with_half_cents_is_multiplied_instead() -> None:
    found = find_key(shipped(SCHOOL), "eleven")
    assert found is not None
    assert [step.cents for step in found.calculate_steps(500)] == [750, 7500]
    assert [step.cents for step in found.calculate_steps(25)] == [375]


def settled(layout: Layout, parts: dict[str, int], unit: int, index: int) -> int:
    """Return the engine's net win of equal units on these wagers: pays less losses."""
    wagers = {slug: Stake(unit * units, call=True) for slug, units in parts.items()}
    cast = Throw(index, outcome_total(index), 0)
    net = 0
    for done in settle(layout, "ann", wagers, cast):
        net += done.paid if done.result == "win" else 0
        net -= done.stake if done.result == "lose" else 0
    return net


def keyed(layout: Layout) -> list[tuple[str, dict[str, int]]]:
    names = [*layout.spots, *(f"hops-{total}" for total in range(4, 11))]
    return [(name, parts) for name in names if (parts := find_legs(layout, name))]


@pytest.mark.parametrize("book", BOOKS)
def test_every_key_pays_what_the_engine_settles(book: str) -> None:
    """Every proposition and set of hops of every book, on each throw, for stakes of all sizes."""
    layout, seen = shipped(book), 0
    for name, parts in keyed(layout):
        spot = layout.spots.get(name)
        step = spot.step if spot is not None else layout.house.chip * sum(parts.values())
        whole = {name: 1} if spot is not None else parts
        for index in list_winning_faces(layout, parts):
            found = find_key(layout, name, "{}-{}".format(*OUTCOMES[index]))
            assert found is not None, (name, index)
            for count in (1, 2, 3, 7, 20, 33):
                stake = count * step
                unit = stake if spot is not None else stake // len(parts)
                assert found.compute_win(stake) == settled(layout, whole, unit, index), (
                    name,
                    index,
                )
                reckoned = found.calculate_steps(stake)
                assert (reckoned[-1].cents if reckoned else 0) == found.compute_win(stake)
                seen += 1
    assert seen > 200


@pytest.mark.parametrize("book", BOOKS)
def test_every_composite_of_every_book_has_a_key_in_small_numbers(book: str) -> None:
    layout = shipped(book)
    composites = [spot.slug for spot in layout.spots.values() if spot.legs]
    assert composites
    for slug in composites:
        for index in list_winning_faces(layout, find_legs(layout, slug)):
            found = find_key(layout, slug, "{}-{}".format(*OUTCOMES[index]))
            assert found is not None
            assert found.bet <= 15
            assert abs(found.box) <= 1
            assert found.part == 0


def test_every_key_of_the_data_is_in_use_and_true() -> None:
    used = set()
    layout = shipped(SCHOOL)
    for name, parts in keyed(layout):
        for index in list_winning_faces(layout, parts):
            found = find_key(layout, name, "{}-{}".format(*OUTCOMES[index]))
            assert found is not None
            if not found.cites[0].startswith("custom: derived"):
                used.add((found.words, found.share))
    assert len(used) == len(_load_keys(SCHOOL))


def test_a_key_that_a_house_makes_untrue_is_not_used() -> None:
    """A house that pays more on the 12: the school's key would short the player."""
    layout = felt("new-jersey", elect={"pays.craps-12": "33 to 1"})
    found = find_key(layout, "horn", 12)
    assert found is not None
    assert found.compute_win(400) == 3000
    assert found.cites[0].startswith("custom: derived")
    assert found.words == "seven times the bet, and twice what is in the box (a quarter of it)"


@given(st.integers(1, 200), st.integers(1, 6), st.integers(1, 6))
def test_a_derived_key_always_comes_out(net: int, held: int, more: int) -> None:
    ways = held + more
    ratio, share = Fraction(net, ways), Fraction(held, ways)
    found = derive_key(ratio, share)
    assert found.ratio == ratio
    assert found.bet >= 0


def test_a_derived_key_in_words() -> None:
    assert derive_key(Fraction(1), Fraction(1)).words == "even money"
    assert derive_key(Fraction(0), Fraction(1, 5)).words == "a push: the bet wins what it loses"
    box = derive_key(Fraction(1, 5), Fraction(1, 5))
    assert box.words == "what is in the box (a fifth of the bet)"
    assert [(step.words, step.cents) for step in box.calculate_steps(500)] == [
        ("and the $1 in the box", 100)
    ]
    part = derive_key(Fraction(9, 5), Fraction(1))
    assert [step.cents for step in part.calculate_steps(1000)] == [2000, 1800]
    assert derive_key(Fraction(9, 5), Fraction(1)).words == "twice the bet, less a fifth of it"
    assert derive_key(Fraction(13), Fraction(1)).words == "13 times the bet"
    assert "2/7 of it" in derive_key(Fraction(9, 7), Fraction(2, 7)).words


@pytest.mark.parametrize("name", ["pass", "fire", "roulette", "horn+pass", "hops-2", "hops-x", ""])
def test_what_has_no_key(name: str) -> None:
    layout = felt("new-jersey", elect={"offers.fire": "A"})
    assert find_legs(layout, name) == {}
    assert find_key(layout, name) is None


def test_a_throw_that_does_not_win() -> None:
    layout = shipped(SCHOOL)
    assert find_key(layout, "horn", 7) is None
    assert find_key_on(layout, {"any-seven": 1}, outcome_index(1, 1)) is None
    # Two sevens' worth of losers on one any seven: it wins less than the others lose.
    assert find_key_on(layout, {"any-seven": 1, "hard-4": 5}, outcome_index(3, 4)) is None


def test_two_legs_that_win_at_different_odds_together() -> None:
    """A dollar each on any craps and the two: aces pay seven and thirty."""
    layout = shipped(SCHOOL)
    found = find_key(layout, "any-craps+craps-2", 2)
    assert found is not None
    assert found.compute_win(200) == 3700
    assert settled(layout, {"any-craps": 1, "craps-2": 1}, 100, outcome_index(1, 1)) == 3700
    assert find_key(layout, "any-craps+craps-2", 3) == find_key(layout, "c-and-e", 3)


@pytest.mark.clause(f"{SCHOOL}:horn/split")
def test_a_horn_set_up_a_quarter_on_each_number_pays_the_same() -> None:
    layout = shipped(SCHOOL)
    parts = split_bet(layout, "horn", 2000)
    assert parts == {"craps-2": 500, "craps-3": 500, "eleven": 500, "craps-12": 500}
    assert settled(layout, parts, 1, outcome_index(1, 1)) == settled(
        layout, {"horn": 2000}, 1, outcome_index(1, 1)
    )
    assert split_bet(layout, "horn-high-11", 500)["eleven"] == 200
