"""What a row says it prices: odds under a posted maximum, refused rows, vigorish to the cent."""

from __future__ import annotations

import json

from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from passline.cli.main import cli
from passline.game.house.load import house_for
from passline.game.money.amounts import Odds
from passline.lab.pricing.wager_odds import Appraiser, odds, odds_json


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["odds", *args])


def test_odds_at_the_posted_maximum_are_labelled() -> None:
    """Ten times are allowed behind $5,000, and the table takes $5,000: that is what is priced."""
    args = ("new-jersey", "pass+odds", "--stake", "5000", "-o", "odds.multiple=10")
    (row,) = json.loads(run(*args, "--json").stdout)
    assert (row["multiple"], row["capped"], row["wagered"]) == ("10", True, "5/3")
    assert row["odds_taken"] == dict.fromkeys(("4", "5", "6", "8", "9", "10"), "5000.00")
    shown = " ".join(run(*args).stdout.split())
    assert "10 times the flat wager are allowed; priced are, at the posted maximum, $5,000" in shown
    (free,) = json.loads(run(*args[:3], "100", *args[4:], "--json").stdout)
    assert (free["capped"], free["odds_taken"]["6"], free["wagered"]) == (False, "1000.00", "23/3")


def test_no_maximum_caps_odds_at_the_dealer_school() -> None:
    """The multiples are the limit (odds-limit/cap): $25,000 behind $5,000 on the 6."""
    row = odds("dealer-school", "pass", stake=500_000, with_odds=True)
    assert (row.capped, row.odds_taken[6], row.odds_taken[4]) == (False, 2_500_000, 1_500_000)


def test_refused_rows_have_every_key() -> None:
    house = house_for("new-jersey")
    refused, taken = (
        odds_json(Appraiser(house, stake).price_wager("place-win-6")) for stake in (500, 600)
    )
    assert taken.keys() - refused.keys() == set()
    assert refused["outcomes"] is None


EXACT = house_for("iowa", None, [("lay.rounding", "exact")]).vig["lay"]


@given(st.integers(1, 5000), st.sampled_from([(1, 2), (2, 3), (5, 6)]))
def test_iowas_vigorish_is_five_percent_of_what_is_won_at_most(
    stake: int, price: tuple[int, int]
) -> None:
    won = stake * price[0] // price[1]  # in whole dollars, rounded down
    assert EXACT.charge(stake * 100, Odds(*price)) * 20 <= won * 100


def test_33_on_the_4_wins_16_and_pays_80_cents() -> None:
    assert EXACT.charge(3300, Odds(1, 2)) == 80
