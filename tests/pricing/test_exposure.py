"""What one throw can cost the house."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.game.house.house import House, make_house
from passline.game.house.load import house_for
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.layout.compile import compile_layout
from passline.game.layout.stakes import Refusal, Stake
from passline.game.layout.wager_checks import check_amount
from passline.lab.pricing.exposure import Exposure, WagerLimit, compute_exposure, find_limit
from passline.record.deal import deal_text

GAME = """rulebook: new-jersey
player: ann 500
player: bob 500

ann: pass for 10
roll 3 3
ann: pass-odds for 10; hard-6 for 5; buy-4 for 20
bob: lay-6 for 60; field for 5
"""


def exposed(text: str) -> Exposure:
    found = compute_exposure(deal_text(text).table)
    assert isinstance(found, Exposure)
    return found


def test_the_dearest_throw_by_its_wagers() -> None:
    found = exposed(GAME)
    assert (found.puck, found.stakes) == (6, 11000)
    assert sum(fall.weight for fall in found.falls) == 36
    by_dice = {fall.dice: fall for fall in found.falls}
    # Hard six: even money, 6 to 5 and 9 to 1; the lay and the field lose.
    hard = by_dice[3, 3]
    assert hard.cost == 1000 + 1200 + 4500 - 6000 - 500
    assert ("bob", "lay-6", -6000) in hard.by
    # Four: the buy pays $40, and a dollar of it is the next decision's vigorish.
    assert by_dice[2, 2].cost == 4000 - 100 + 500
    assert by_dice[1, 6].cost == -1000 - 1000 - 500 - 2000 + 5000 - 500
    assert found.worst == max(found.falls, key=lambda fall: fall.cost)
    assert found.worst.dice == (1, 3)


def test_the_mean_of_a_throw() -> None:
    text = "rulebook: iowa\nplayer: ann 100\nann: pass for 10; any-seven for 5\n"
    mean = exposed(text).mean
    # Pass wins on 8 and loses on 4 of 36 come-out rolls; any seven pays 4 to 1 on 6.
    assert mean == Fraction(1000 * (8 - 4) + 500 * (4 * 6 - 30), 36)


def test_nobody_may_throw() -> None:
    found = compute_exposure(deal_text("rulebook: iowa\nplayer: ann 100\n").table)
    assert isinstance(found, Refusal)


def limit(house: House, wager: str, with_odds: bool = False) -> WagerLimit | None:
    return find_limit(compile_layout(house), wager, with_odds)


def test_a_wager_at_its_posted_maximum() -> None:
    jersey = house_for("new-jersey", None, [("offers.fire", "A")])
    assert limit(jersey, "pass") == WagerLimit(least=500, stake=500000, paid=500000, cost=500000)
    # $5,000 is no multiple of $6.
    assert limit(jersey, "place-win-6") == WagerLimit(
        least=600, stake=499800, paid=583100, cost=583100
    )
    # The vigorish for the next decision is taken from the pay.
    assert limit(jersey, "buy-4") == WagerLimit(least=500, stake=500000, paid=1000000, cost=975000)
    assert limit(jersey, "fire") == WagerLimit(least=100, stake=500, paid=499500, cost=499500)
    assert limit(jersey, "whirl") == WagerLimit(least=500, stake=500000, paid=2700000, cost=2600000)


def test_odds_behind_the_largest_flat() -> None:
    iowa = house_for("iowa")
    assert limit(iowa, "come-odds-4") == WagerLimit(
        least=100, stake=500000, paid=1000000, cost=1000000
    )
    assert limit(iowa, "pass", with_odds=True) == WagerLimit(
        least=500, stake=50000, paid=1050000, cost=1050000
    )
    odds = limit(iowa, "pass-odds")
    assert odds is not None
    assert odds.paid == 1000000


def test_no_amount_within_the_limits() -> None:
    limits = {"limits": {"max_by_wager": {"place-win-6": 5}}}
    house = make_house(rulebook("new-jersey"), given=limits)
    assert limit(house, "place-win-6") is None


@pytest.mark.parametrize("book", BOOKS)
def test_the_least_stake_is_taken_and_a_chip_less_is_not(book: str) -> None:
    felt = compile_layout(house_for(book))
    for slug, spot in felt.spots.items():
        found = find_limit(felt, slug)
        if found is None or (spot.number and spot.family in {"come", "dont-come"}):
            continue
        flat = felt.spots[spot.flat].maximum if spot.flat else 0
        behind = {spot.flat: Stake(flat, flat)} if spot.flat else {}
        line = bool(spot.flat) and not spot.number
        pucks = felt.house.book.points.value if line else (0,)
        taken = {
            amount: any(check_amount(felt, spot, puck, behind, amount) is None for puck in pucks)
            for amount in range(felt.house.chip, found.least + 1, felt.house.chip)
        }
        assert [amount for amount, yes in taken.items() if yes] == [found.least], slug
