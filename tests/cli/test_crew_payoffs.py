"""``passline payoff``, ``passline key`` for any wager, and why a press is made as it is."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli
from passline.crew.cut_payoff import compute_payoff as paid_at
from passline.crew.cut_payoff import list_winning_prices
from passline.game.law.book_files import BOOKS
from tests.layout.felts import shipped


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, args)


@pytest.mark.parametrize(
    ("args", "lines"),
    [
        (
            ("place-6", "18"),
            ["6: $21 (4 red, 1 white): the bet, and a sixth of it [place/6-8]", "every $6 gets $7"],
        ),
        (("place-4", "10"), ["4: $18 (3 red, 3 white): twice the bet, less a fifth of it"]),
        (("buy-4", "50"), ["4: $100 (1 black): twice the bet", "less vigorish of $3"]),
        (("lay-5", "30"), ["7: $20 (4 red): two thirds of the bet [lay/true-odds]"]),
        (("pass-odds", "30", "--point", "6"), ["6: $36 (1 green, 2 red, 1 white): the bet, and"]),
        (("dont-pass-odds", "30"), ["a half of", "two thirds of", "five sixths of the bet"]),
        (("come-odds-9", "20"), ["9: $30 (1 green, 1 red): the bet, and a half of it"]),
        (("pass", "10"), ["even money [pass-line/pays]"]),
        (("place-6", "20"), ["$23.33, rounded down to whole chips"]),
    ],
)
def test_a_key_for_any_wager(args: tuple[str, ...], lines: list[str]) -> None:
    done = run("key", *args)
    assert done.exit_code == 0
    for line in lines:
        assert line in done.output


def test_keys_for_place_buy_lay_and_odds_are_what_the_engine_pays() -> None:
    rows = json.loads(run("key", "pass-odds", "30", "--json").stdout)
    assert [(row["faces"], row["pays"]) for row in rows] == [
        (["4", "10"], "60.00"),
        (["5", "9"], "45.00"),
        (["6", "8"], "36.00"),
    ]
    (row,) = json.loads(run("key", "buy-4", "50", "--json").stdout)
    assert (row["pays"], row["vig"]) == ("100.00", "3.00")


def test_a_payoff_from_the_chips_as_they_lie() -> None:
    odds = ("payoff", "pass-odds", "--point", "9", "--flat", "2 red")
    done = run(*odds, "--chips", "1 green 3 red")
    assert done.exit_code == 0
    assert done.output.splitlines()[0] == (
        "pass odds $40 (1 green, 3 red), on 9: $60 (2 green, 2 red) at 3 to 2 [pass-odds/5-9]"
    )
    assert "sets 2 green ($50) beside the pass odds, staggered" in done.output
    broken = run(*odds, "--chips", "8 red").output
    assert "breaks the pass odds down into stacks of 4 red and 4 red" in broken


@pytest.mark.parametrize(
    ("args", "paid"),
    [
        (("place-6", "--chips", "3 red 3 white"), [("21.00", {"red": 4, "white": 1})]),
        (("buy-4", "--chips", "25"), [("50.00", {"green": 1, "red": 4, "white": 4})]),
        (("lay-4", "--chips", "40"), [("20.00", {"red": 4})]),
        (("dont-come-9", "--chips", "10"), [("10.00", {"red": 2})]),
        (("field", "--chips", "5"), [("10.00", {"red": 2}), ("5.00", {"red": 1})]),
        (("horn", "--chips", "4", "--dice", "6-6"), [("27.00", {"green": 1, "white": 2})]),
        (("hard-8", "--chips", "5"), [("45.00", {"green": 1, "red": 4})]),
        (("hop-1-5", "--chips", "1"), [("15.00", {"red": 3})]),
        (("come", "--chips", "5"), [("5.00", {"red": 1})]),
    ],
)
def test_any_wager_has_a_payoff(
    args: tuple[str, ...], paid: list[tuple[str, dict[str, int]]]
) -> None:
    rows = json.loads(run("payoff", *args, "--json").stdout)
    assert [(row["paid"], row["chips"]) for row in rows] == paid
    assert all(row["motions"] for row in rows)


@pytest.mark.parametrize("book", BOOKS)
def test_every_wager_of_every_book_has_one(book: str) -> None:
    layout, stake = shipped(book), 60_00
    for spot in layout.spots.values():
        for win in () if spot.tiers else list_winning_prices(layout, spot):
            row = paid_at(layout, spot, win, stake)
            assert row.payoff.due == row.payoff.chips.amount + row.payoff.coin
            assert row.settlement.paid == stake * win.ratio[0] // win.ratio[1] // 100 * 100


def test_odds_and_flat_paid_in_one() -> None:
    told = ("payoff", "pass-odds", "--chips", "8 red", "--flat", "2 red", "--point", "9", "--total")
    done = run(*told)
    assert done.output.splitlines()[0].startswith(
        "pass odds with its flat $50 (10 red), on 9: $70 (2 green, 4 red) at 3 to 2"
    )
    (row,) = json.loads(run(*told, "--json").stdout)
    assert (row["manner"], row["due"], row["paid"]) == ("totalled", "70.00", "70.00")


@pytest.mark.parametrize(
    ("chips", "lies"), [("4 red", "bridged"), ("6 red", "heeled"), ("20 white", "heeled")]
)
def test_how_laid_odds_lie_by_their_flat(chips: str, lies: str) -> None:
    told = ("payoff", "dont-pass-odds", "--chips", chips, "--flat", "2 red", "--point", "4")
    assert f"the odds lie {lies} by their flat" in run(*told, "--rulebook", "iowa").output
    (row,) = json.loads(run(*told, "--rulebook", "iowa", "--json").stdout)
    assert row["lies"] == lies


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("pass-odds", "--chips", "5", "--total"), "--total is for odds behind a line bet"),
        (("place-6", "--chips", "6", "--flat", "6", "--total"), "--total is for odds behind"),
        (("dont-pass-odds", "--chips", "6", "--flat", "5", "--total"), "--total is for odds"),
        (("fire", "--chips", "5"), "there is no payoff for 'fire': "),
        (("pas-ods", "--chips", "5"), "did you mean pass odds or pass?"),
        (("hard-8", "--chips", "5", "--dice", "4-3"), "hard-8 wins nothing on 4-3"),
        (("pass", "--chips", "5", "--point", "4", "--dice", "3-3"), "on 3-3 with the 4 on"),
        (("hard-8", "--chips", "5", "--dice", "7"), "expected two faces"),
        (("pass-odds", "--chips", "5", "--point", "7"), "7 can't be a point"),
        (("pass", "--chips", "5 blue"), "'5 blue' is not a stack of chips"),
        (("pass", "--chips", "-"), "'-' is not a valid amount"),
        (("pass", "--chips", "5.50"), "$5.50 is not a multiple of the smallest chip"),
        (("horn", "--chips", "5"), "horn"),
        (("pass", "--chips", "2"), "$5"),
        (("pass", "--chips", "5", "--rulebook", "nevada"), "nevada"),
    ],
)
def test_a_payoff_that_cannot_be_made(args: tuple[str, ...], said: str) -> None:
    done = run("payoff", *args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


SLIDE = ("press", "6", "--from", "12", "--to", "18", "--way", "slide")


@pytest.mark.clause("dealer-school:press.6-8/12-to-18/slide#3")
def test_a_slide_slides_the_white() -> None:
    done = run(*SLIDE)
    assert "  3. inside   slides 1 white ($1) off the payoff onto it" in done.output
    assert "hands 1 red, 3 white ($8) off the pile beside the payoff to the player" in done.output
    motion = json.loads(run(*SLIDE, "--json").stdout)["motions"][2]
    assert (motion["chips"], motion["cites"]) == ({"white": 1}, ["press.6-8/12-to-18/slide#3"])


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("6", "--from", "30", "--to", "42"), "No chip has to leave the bet"),
        (("6", "--from", "12", "--to", "24"), "The $2 that the player is left lies on top"),
        (("6", "--from", "18", "--to", "24"), "The $15 that the player is left lies under the cap"),
        (("6", "--from", "12", "--to", "18"), "what is missing is picked off the payoff"),
        (("6", "--from", "12", "--to", "18", "--way", "slide"), "what is missing is slid onto it"),
        (("6", "8", "--from", "12", "--to", "18"), "Both bets go up by $12 together"),
        (("6", "8", "--from", "24", "--to", "30"), "In larger chips $55 makes both bets"),
        (("6", "--from", "12", "--to", "12"), "Nothing is added to the bets"),
        (("6", "--from", "24", "--to", "30", "--way", "through the come"), "goes through the come"),
    ],
)
def test_a_press_says_why(args: tuple[str, ...], why: str) -> None:
    assert why in run("press", *args).output
    assert why in json.loads(run("press", *args, "--json").stdout)["why"]


@pytest.mark.parametrize(
    ("spoken", "slug"), [("place 6", "place-6"), ("any 7", "any-seven"), ("pass odds", "pass-odds")]
)
def test_a_wager_may_be_named_as_players_say_it(spoken: str, slug: str) -> None:
    for name, end in (("payoff", ("--chips", "6")), ("key", ("6",))):
        said, written = run(name, spoken, *end), run(name, slug, *end)
        assert (said.exit_code, said.stdout) == (0, written.stdout)
