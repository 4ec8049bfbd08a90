"""``passline school`` by itself, its syllabus, and lessons read: within the terminal's width."""

from __future__ import annotations

import json

import click
import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli
from passline.school.lessons.lesson_files import (
    Syllabus,
    build_syllabus,
    list_lesson_ids,
    load_lesson,
)


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["school", *args], prog_name="passline")


def test_alone_it_says_what_there_is_and_what_to_do() -> None:
    ended = run()
    assert ended.exit_code == 0
    for word in (*list_lesson_ids(), "rulings", "Next: Read the lesson: Words of the trade"):
        assert word in ended.stdout


def test_the_syllabus_as_data() -> None:
    found = json.loads(run("--syllabus", "--json").stdout)
    assert found["missing"] == []
    assert [lesson["id"] for lesson in found["lessons"]] == list(list_lesson_ids())
    for lesson in found["lessons"]:
        assert list(lesson) == ["id", "title", "clauses", "drills"]
        assert all(":" in clause for clause in lesson["clauses"])
        assert lesson["drills"]


def test_the_syllabus_for_people() -> None:
    shown = run("--syllabus").stdout
    assert "  2. pass-line: The pass line and 3-4-5 odds" in shown
    assert shown.endswith("none is missing.\n")


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    short = Syllabus(build_syllabus().lessons[:1], ("iowa:stick.4",))
    monkeypatch.setattr("passline.school.lessons.lesson_files.build_syllabus", lambda: short)
    shown = run("--syllabus").stdout
    assert "1 procedure clauses are not taught or not asked:\n  iowa:stick.4" in shown
    assert json.loads(run("--syllabus", "--json").stdout)["missing"] == ["iowa:stick.4"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("pas-line",), "there is no lesson or drill 'pas-line'; did you mean 'pass-line'?"),
        (("payofs",), "did you mean 'payoffs'?"),
        (("§§§",), "passline school lists them"),
        (("field", "--syllabus"), "--syllabus lists all lessons; leave out 'field'"),
        (("field", "--rulebook", "moon"), "moon"),
        (("field", "--level", "2"), "--level goes with a drill; 'field' is not one"),
        (("--syllabus", "--count", "2"), "--count goes with a drill"),
    ],
)
def test_what_is_not_there_is_told_in_a_line(args: tuple[str, ...], said: str) -> None:
    ended = run(*args)
    assert ended.exit_code == 2
    assert said in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("columns", ["60", "80"])
def test_no_line_is_wider_than_the_terminal(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    names = {
        "60": ("appendix-b", "press-moves", "take-and-pay", "words-of-the-trade"),
        "80": ("base-and-box-in-iowa", "dice-calls", "propositions", "change-and-color"),
    }[columns]
    shown = [run().stdout, run("--syllabus").stdout, *(run(name).stdout for name in names)]
    wide = [line for text in shown for line in text.splitlines() if len(line) > int(columns)]
    assert wide == []


def test_a_lesson_is_read_with_its_figures() -> None:
    shown = run("line-in-chips").stdout
    assert shown.startswith("Paying the line in chips\n")
    assert (
        "pay odds    1 white   ●\n                1 green   ●\n    pay odds    2 red     ●●\n"
        in shown
    )
    assert "takes bob's don't pass, $10" in shown
    assert "PASS LINE" in shown
    assert "Next: passline school order --level 2" in shown
    assert "  $36\n" not in shown
    assert "  $36\n" in run("line-in-chips", "--dollars").stdout
    assert "Next: passline school rulings --rulebook iowa" in run("relief").stdout


def test_another_house_has_its_own_figures() -> None:
    own, other = run("pass-line").stdout, run("pass-line", "--rulebook", "iowa").stdout
    full = [" ".join(text.split()) for text in (own, other)]
    assert "$10 $30 $60 $40 $60 $50 $60" in full[0]
    assert "$10 $100 $200 $100 $150 $100 $120" in full[1]


def test_a_lesson_as_data() -> None:
    found = json.loads(run("field", "--json").stdout)
    assert list(found) == ["id", "title", "book", "rulebook", "sections", "drills"]
    (section,) = found["sections"]
    assert section["clauses"] == [*load_lesson("field").clauses]
    felt = section["figures"][0]["blocks"][0]
    assert (felt["block"], felt["view"], felt["lies"]) == ("felt", "end:left", ["ann: Field $15"])
    assert found["drills"][0] == {"name": "payoffs", "level": 1}


def test_the_law_names_the_lesson_of_a_clause() -> None:
    ended = CliRunner().invoke(cli, ["law", "iowa", "relief.base.2"], prog_name="passline")
    assert "  lesson   passline school relief, asked by rulings\n" in click.unstyle(ended.stdout)
    ended = CliRunner().invoke(cli, ["law", "iowa", "relief.base.2", "--json"])
    assert json.loads(ended.stdout)[0]["lessons"] == [{"lesson": "relief", "drills": ["rulings"]}]
