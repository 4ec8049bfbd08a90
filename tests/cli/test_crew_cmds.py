"""``passline press`` and ``passline key``: what they print, and one line for what is wrong."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, args)


def test_a_press_step_by_step() -> None:
    done = run("press", "8", "--from", "24", "--to", "30")
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        "8: $24 (4 red, 4 white) to $30 (1 green, 1 red)",
        "win $28, press $6, thrown in $0, overpaid $2, to the player $22",
        "by overpay [press.6-8/24-to-30]",
        "In larger chips $30 makes the new bet, though only $28 is due: what is over, $2, comes "
        "back to the box off the old bet at once.",
        "  1. inside   sets out 1 green, 1 red ($30) in the come, $2 over the $28 due",
        "  2. inside   hands 2 white ($2) from the 8 to the box for the overpayment",
        "  3. outside  hands 4 red, 2 white ($22) off the 8 to the player",
        "  4. inside   stacks 1 green, 1 red ($30) from the come on the 8",
        "also: through the come (--way)",
    ]


def test_less_on_a_number_is_no_press() -> None:
    less = run("press", "6", "--from", "6", "--to", "5").output
    assert "win $7, reduced by $1, thrown in $0" in less
    assert "press -" not in less
    same = run("press", "6", "--from", "12", "--to", "12").output
    assert "win $14, no press, thrown in $0" in same


def test_a_press_as_json() -> None:
    done = run("press", "6", "8", "--from", "24", "--to", "30", "--json")
    move = json.loads(done.stdout)
    assert (move["win"], move["press"], move["overpaid"]) == ("28.00", "12.00", "27.00")
    assert move["to_box"] == {"amount": "27.00", "chips": {"red": 4, "white": 7}}
    assert move["after"]["8"] == {"amount": "30.00", "chips": {"green": 1, "red": 1}}
    assert move["motions"][3]["hand"] == "outside"
    assert move["motions"][3]["to"] == "apron"
    assert move["cites"] == ["press.6-and-8/24-to-30-each"]


def test_a_press_with_chips_money_thrown_in_and_a_way() -> None:
    done = run("press", "5", "--from", "2 red", "--to", "25", "--thrown", "1 white")
    assert "press.5-9/10-to-25" in done.output
    slid = run("press", "6", "--from", "12", "--to", "18", "--way", "slide")
    assert "by slide [press.6-8/12-to-18/slide]" in slid.output
    own = run("press", "4", "--from", "20", "--to", "40", "-o", "chips.green=20")
    assert "4: $20 (1 green) to $40 (2 green)" in own.output
    each = ("--from", "6", "--from", "12", "--to", "6", "--to", "18")
    assert "8: $12 (2 red, 2 white) to $18" in run("press", "6", "8", *each).output
    alone = ("--from", "24", "--from", "6", "--to", "30", "--to", "24")
    shown = run("press", "6", "8", *alone).output
    assert "by through the come" in shown
    assert "also:" not in shown


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("6", "--from", "6", "--to", "24"), "the player must throw in $11 more"),
        (("6", "--from", "six", "--to", "12"), "'six' is not a stack of chips"),
        (("6", "--from", "6", "--to", "-"), "'-' is not a valid amount"),
        (("6", "6", "--from", "6", "--to", "12"), "name each number once"),
        (
            ("6", "8", "9", "--from", "6", "--from", "6", "--to", "12"),
            "--from: expected one amount",
        ),
        (("7", "--from", "6", "--to", "12"), "7 is no place number here"),
        (("6", "--from", "6", "--to", "12", "--way", "up"), "is not made by 'up': cap off"),
        (("6", "--from", "6", "--to", "12", "--rulebook", "nevada"), "nevada"),
    ],
)
def test_a_press_that_cannot_be_made(args: tuple[str, ...], said: str) -> None:
    done = run("press", *args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_key_with_its_steps() -> None:
    assert run("key", "hi-lo", "10").output.splitlines() == [
        "1-1, 6-6: $145 (1 black, 1 green, 4 red): blackjack the bet, add a zero, and take half "
        "the bet off [prop.hi-lo/key]",
        "    blackjack the bet: $15",
        "    add a zero: $150",
        "    take half the bet off: $145",
    ]
    assert "1-6, 2-5, 3-4: $0: a push" in run("key", "whirl", "5").output


def test_a_key_as_json() -> None:
    rows = json.loads(run("key", "hops 6", "9", "--json", "--rulebook", "new-jersey").stdout)
    assert [(row["faces"], row["pays"]) for row in rows] == [
        (["1-5", "2-4"], "39.00"),
        (["3-3"], "84.00"),
    ]
    assert rows[0]["steps"][-1] == {"words": "and the $3 in the box", "is": "39.00"}


def test_a_throw_that_loses_on_the_whole_has_no_key() -> None:
    """Any seven with five hard fours: the seven wins less than they lose."""
    done = run("key", "any-seven+hard-4+hard-6+hard-8+hard-10+any-craps", "6")
    assert not any(line.startswith("1-6") for line in done.output.splitlines())


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("horn", "5"), "horn comes in multiples of $4"),
        (("fire", "5"), "there is no key for 'fire': "),
        (("place-6", "6.50"), "place 6 comes in multiples of $1"),
        (("pass-odds", "30", "--point", "7"), "7 can't be a point"),
        (("pass-odds", "30", "--point", "13"), "'13': expected a whole number from 2 to 12"),
        (("horn", "four"), "'four' is not a valid amount"),
    ],
)
def test_a_key_that_is_not_there(args: tuple[str, ...], said: str) -> None:
    done = run("key", *args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
