"""The sample rulebook of a crapless table in Las Vegas, with lays against every number."""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.game.house.load import HouseError, house_for
from passline.lab.pricing.wager_odds import odds
from passline.record.deal import deal_text

WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}
NUMBERS = [total for total in WAYS if total != 7]


@pytest.fixture(autouse=True)
def books(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSLINE_BOOKS", str(files("passline").joinpath("samples", "books")))


@pytest.mark.parametrize("number", NUMBERS)
def test_a_lay_costs_five_percent_of_what_it_may_win(number: int) -> None:
    win = Fraction(WAYS[number], 6)
    row = odds(house_for("vegas-crapless"), f"lay-{number}")
    assert row.win == Fraction(6, 6 + WAYS[number])
    assert row.edge == win / 20


def test_the_pass_line_has_the_published_edge_of_crapless_craps() -> None:
    house = house_for("vegas-crapless")
    assert odds(house, "pass").edge == Fraction(373, 6930)
    assert not [wager for wager in ("dont-pass", "dont-come") if wager in house.book.wager]


def test_a_lay_against_the_2_wins_by_the_seven_and_loses_to_the_2() -> None:
    start = "rulebook: vegas-crapless\nplayer: ann 500\nann: pass for 5\nroll 4 5\n"
    won = deal_text(f"{start}ann: lay the 2 for 120; lay 11 for 60\nroll 3 4\n")
    assert not won.refusals
    settled = won.to_json()["rolls"][-1]["settlements"]
    paid = {done["wager"]: (done["result"], done["paid"]) for done in settled}
    assert paid["lay-2"] == ("win", "20.00")
    assert paid["lay-11"] == ("win", "20.00")
    lost = deal_text(f"{start}ann: lay-2 for 120; lay-3 for 60\nroll 1 1\n").to_json()["rolls"][-1]
    assert [(done["wager"], done["result"]) for done in lost["settlements"]] == [("lay-2", "lose")]


@pytest.mark.parametrize("election", ["offers.lay", "offers.place-lose"])
def test_maryland_has_no_lays(election: str) -> None:
    with pytest.raises(HouseError) as refused:
        house_for("maryland-crapless", None, ((election, "true"),))
    assert "3.A" in str(refused.value)


@pytest.mark.parametrize(
    "command",
    [
        ["placard", "vegas-crapless"],
        ["felt", "vegas-crapless", "--out", "-"],
        ["law", "vegas-crapless"],
        ["hand", "vegas-crapless", "--json"],
        ["odds", "vegas-crapless", "ride-the-line", "-o", "offers.ride-the-line=A"],
        [
            "session",
            "pass-odds",
            "--rulebook",
            "vegas-crapless",
            "--bankroll",
            "200",
            "--rolls",
            "9",
        ],
    ],
    ids=lambda words: words[0],
)
def test_commands_take_the_book(command: list[str]) -> None:
    shown = CliRunner().invoke(cli, command)
    assert shown.exit_code == 0, shown.output
