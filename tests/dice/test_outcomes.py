"""The 36 outcomes: their numbers, totals and names."""

from __future__ import annotations

from collections import Counter

import pytest

from passline.game.dice.dice import OUTCOMES, TOTALS, outcome_index, outcome_total, parse_faces


def test_there_are_thirty_six_each_with_its_own_number() -> None:
    assert len(set(OUTCOMES)) == 36
    assert [outcome_index(*faces) for faces in OUTCOMES] == list(range(36))


@pytest.mark.parametrize("faces", [(0, 1), (1, 0), (7, 1), (1, 7), (-1, 3)])
def test_a_die_shows_one_to_six(faces: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="a die shows 1 to 6"):
        outcome_index(*faces)


def test_totals_come_in_the_ways_everybody_knows() -> None:
    ways = Counter(outcome_total(index) for index in range(36))
    assert ways == {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
    assert tuple(sorted(ways)) == TOTALS


@pytest.mark.parametrize("token", ["3-5", "5-3"])
def test_a_combination_is_either_order(token: str) -> None:
    assert {OUTCOMES[index] for index in parse_faces(token)} == {(3, 5), (5, 3)}


def test_a_pair_is_one_outcome_and_a_total_all_of_its_ways() -> None:
    assert parse_faces("4-4") == {outcome_index(4, 4)}
    assert {OUTCOMES[index] for index in parse_faces(4)} == {(1, 3), (2, 2), (3, 1)}
    assert parse_faces(13) == frozenset()
