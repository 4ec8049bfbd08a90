"""``passline luck``."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli

SAMPLES = Path(__file__).parent.parent.parent / "src" / "passline" / "samples"
GAME, LOG = str(SAMPLES / "first-game.craps"), str(SAMPLES / "first-table.jsonl")
DOCS = SAMPLES.parent.parent.parent / "docs" / "play" / "luck.md"


def run(*args: str, said: str = "") -> Result:
    return CliRunner().invoke(cli, ["luck", *args], input=said, prog_name="passline")


def test_what_the_documentation_shows() -> None:
    ended = run(GAME, "--player", "ann", "--strategy", "pass-odds")
    shown = DOCS.read_text("utf-8").partition("```\n$ passline luck")[2].partition("\n```")[0]
    assert ended.stdout.rstrip("\n") == shown.partition("\n")[2].rstrip("\n")


@pytest.mark.parametrize("file", [GAME, LOG], ids=["record", "log"])
def test_the_json_adds_up(file: str) -> None:
    told = json.loads(run(file, "--strategy", "field", "--json").stdout)
    assert told["players"]
    for one in (*told["players"], *told["strategies"]):
        assert Fraction(one["net"]) == Fraction(one["decisions"]) + Fraction(one["luck"])
        for key in ("net", "decisions", "luck"):
            parts = [Fraction(wager[key]) for wager in one["wagers"]]
            assert Fraction(one[key]) == sum(parts, Fraction(0))
            assert float(Fraction(one[key])) == one[f"{key}_float"]


def test_a_record_from_standard_input() -> None:
    text = "rulebook: iowa\nplayer: ann 100\nann: pass for 10\nroll 4 3\n"
    assert "ann: +$10.00 = decisions -$0.14, luck +$10.14" in run("-", said=text).stdout
    spaced = run("-", "--player", "Mary Ann", said=text.replace("ann", "Mary Ann")).stdout
    assert "Mary Ann: +$10.00" in spaced


@pytest.mark.parametrize(
    ("args", "said", "words"),
    [
        ((GAME, "--player", "zoe"), "", "'zoe': name a player of the game: ann, bob"),
        ((GAME, "--strategy", "pas"), "", "did you mean pass"),
        (("nowhere.craps",), "", "nowhere.craps"),
        (("-",), "rulebook: iowa\nplayer: ann 9\nann: nonsense for\n", "standard input, line 3: "),
        (("-",), '{"seq": 0}\n', "is not the log of a table"),
        (("-",), "", "is empty"),
    ],
)
def test_one_line_and_exit_2(args: tuple[str, ...], said: str, words: str) -> None:
    ended = run(*args, said=said)
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert ended.stderr.count("\n") == 1
    assert words in ended.stderr


def test_a_strategy_that_the_house_refuses_is_told() -> None:
    ended = run(GAME, "--strategy", "small-tall-all", "--strategy", "pass")
    assert ended.exit_code == 2
    assert "small-tall-all: " in ended.stderr
    assert "\n  pass  " in ended.stdout


def test_other_dice() -> None:
    text = "rulebook: iowa\nplayer: ann 100\nann: pass for 10\nroll 4 3\n"
    told = json.loads(run("-", "--dice", "sevens=1/7", "--json", said=text).stdout)
    (ann,) = told["players"]
    # Pass is worth 11/630 to the player with these, so $110/630 was decided and the rest is luck.
    assert (ann["net"], ann["decisions"]) == ("10", "11/63")
    assert told["dice"].count(",") == 35
    shown = run("-", "--dice", "sevens=1/7", said=text).stdout
    assert "a seven 14.2857% of the time" in shown
    fair = json.loads(run("-", "--json", said=text).stdout)
    assert "dice" not in fair
    assert Fraction(told["mean_hand"]) > Fraction(fair["mean_hand"])
    ended = run("-", "--dice", "sevens=2", said=text)
    assert (ended.exit_code, ended.stderr.count("\n")) == (2, 1)
