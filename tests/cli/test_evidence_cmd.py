"""``passline evidence``: the three kinds of files, and files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli.evidence import command

SAMPLES = Path(__file__).parents[2] / "src" / "passline" / "samples"


def run(*args: str, typed: str = "") -> tuple[int, str, str]:
    result = CliRunner().invoke(command, args, input=typed)
    return result.exit_code, result.stdout, result.stderr


def test_typed_rolls_in_every_form_are_the_same_rolls() -> None:
    forms = ("3 4\n6 1\n2 2\n", "34 61 22", "3-4, 6-1; 2-2  # mine\n\n# nothing\n", "3 4 6 1\n2,2")
    answers = [json.loads(run("-", "--json", typed=form)[1]) for form in forms]
    assert answers[0]["rolls"] == 3
    assert [each["count"] for each in answers[0]["faces"]] == [1, 2, 1, 1, 0, 1]
    assert all(answer == answers[0] for answer in answers)


def test_a_record_and_a_log() -> None:
    record = json.loads(run(str(SAMPLES / "first-game.craps"), "--json")[1])
    assert record["rolls"] == 6
    log = json.loads(run(str(SAMPLES / "first-table.jsonl"), "--json")[1])
    throws = [
        json.loads(line)["line"]
        for line in (SAMPLES / "first-table.jsonl").read_text().splitlines()
        if json.loads(line)["line"].startswith("roll ")
    ]
    assert log["rolls"] == len(throws) > 0


def test_totals() -> None:
    answer = json.loads(run("-", "--totals", "--json", typed="7 11\n12")[1])
    assert (answer["rolls"], answer["faces"]) == (3, [])


def test_text_says_the_verdict_and_explains() -> None:
    code, out, _ = run("-", "--explain", typed="1 1\n" * 60)
    assert code == 0
    assert out.startswith("60 rolls: very strong evidence that the dice are not fair")
    assert "no seven came" in out
    assert "by pairs" in out


def test_a_bound_that_says_nothing_is_not_printed() -> None:
    out = run("-", typed="3 4\n6 1\n2 2\n")[1]
    assert "no sign of unfair dice so far: 20 to 1 would be strong evidence" in out
    assert "with a chance of" not in out
    assert "1 to 1, before the first roll" in run("-", typed="1 2\n")[1]
    assert "fair dice ever get that far with a chance of" in run("-", typed="1 1\n" * 9)[1]


@pytest.mark.parametrize(
    ("args", "typed", "words"),
    [
        (("-",), "3 4\n3 4 5\n", "line 2: '3 4 5': expected two faces"),
        (("-",), "", "standard input is empty: expected two faces from 1 to 6"),
        (("-",), "7\n", "line 1: '7'"),
        (("-",), "1 23\n", "line 1: '1 23'"),
        (("-",), "# only words\n", "has no rolls"),
        (("-", "--totals"), "7 13", "'13': expected totals"),
        (("-", "--wager", "elbow"), "3 4", "there is no wager 'elbow'"),
        (("-",), "rulebook: iowa\nplayer: ann 100\n", "has no throws"),
        (("-", "--totals"), "rulebook: iowa\nplayer: ann 100\n", "--totals is for typed rolls"),
        (("no-such-file",), "", "no-such-file"),
    ],
)
def test_what_cannot_be_read_ends_in_one_line(
    args: tuple[str, ...], typed: str, words: str
) -> None:
    code, out, err = run(*args, typed=typed)
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.strip().splitlines()) == 1


def test_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "it.svg"
    code, _, err = run("-", "--plot", str(path), typed="3 4\n5 5\n")
    assert (code, "wrote" in err) == (0, True)
    assert "evidence against fair dice" in path.read_text() or path.stat().st_size > 5000
