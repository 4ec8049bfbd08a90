"""``passline school``: questions as data and as text, answers marked, bad input in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli
from passline.school.drills import list_drill_names

ONE = ("--seed", "5", "--count", "2")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PASSLINE_HOME", str(tmp_path / "home"))


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["school", *args], prog_name="passline")


def graded(answers: object, *args: str) -> dict[str, object]:
    Path("answers.json").write_text(json.dumps(answers), "utf-8")
    ended = run(*args, "--answers", "answers.json", "--json")
    assert ended.exit_code == 0, ended.stderr
    found: dict[str, object] = json.loads(ended.stdout)
    return found


@pytest.mark.parametrize("drill", list_drill_names())
def test_questions_are_data_and_their_answers_are_right(drill: str) -> None:
    ended = run(drill, *ONE, "--level", "3", "--json")
    asked = json.loads(ended.stdout)
    assert list(asked) == ["drill", "rulebook", "seed", "level", "questions"]
    assert (asked["drill"], asked["rulebook"], asked["seed"], asked["level"]) == (
        drill, "dealer-school", 5, 3,
    )  # fmt: skip
    for n, question in enumerate(asked["questions"], 1):
        assert list(question) == ["n", "ask", "given", "answer", "explain", "cite"]
        assert question["n"] == n
        assert question["explain"]
        assert all(cite.startswith("dealer-school:") for cite in question["cite"])
    own = [question["answer"] for question in asked["questions"]]
    marks = graded([own[0], None], drill, *ONE, "--level", "3")
    assert (marks["right"], marks["of"]) == (1, 2)
    results = marks["results"]
    assert isinstance(results, list)
    assert [list(result) for result in results] == [["n", "right", "because"]] * 2
    assert "the answer is" in results[1]["because"]
    plain = run(drill, *ONE, "--level", "3")
    assert plain.exit_code == 0
    assert plain.stdout.startswith("1. ")


def test_stacks_are_shown_and_dollars_when_asked() -> None:
    shown = run("payoffs", *ONE).stdout
    assert "●" in shown
    assert "$" not in shown
    assert "$" in run("payoffs", *ONE, "--dollars").stdout


def test_answers_that_are_too_few_or_too_many() -> None:
    assert graded([], "vig", *ONE)["right"] == 0
    Path("answers.json").write_text("[1, 2, 3, 4]", "utf-8")
    ended = run("vig", *ONE, "--answers", "answers.json", "--json")
    assert len(json.loads(ended.stdout)["results"]) == 2
    assert ended.stderr == "2 more answers than questions; they are left out\n"
    many = run("vig", "--seed", "5", "--answers", "answers.json")
    assert many.stdout.endswith("0 of 4 right\n")


@pytest.mark.parametrize(
    "text",
    ['{"paid": 3}', "3", "nothing", "", "[1, 2", "[" * 200_000, '["\\ud800"]\x00', "\ufeff[]"],
)
def test_a_file_that_is_no_list_is_one_line(text: str) -> None:
    Path("answers.json").write_text(text, "utf-8")
    ended = run("vig", *ONE, "--answers", "answers.json", "--json")
    assert ended.exit_code == 2
    assert ended.stderr.count("\n") == 1
    assert ended.stderr.startswith("passline school: answers.json ")


def test_numbers_that_no_answer_could_be() -> None:
    digits = "9" * 5000
    text = f'[NaN, {{"vig": 1e999, "paid": {digits}}}, -Infinity]'
    Path("answers.json").write_text(text, "utf-8")
    ended = run("vig", "--seed", "5", "--answers", "answers.json", "--json")
    assert json.loads(ended.stdout)["right"] == 0


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("xyz",), "there is no lesson or drill 'xyz'; passline school lists them"),
        (("payoff",), "there is no lesson or drill 'payoff'; did you mean 'payoffs'?"),
        (("vig", "--seed", "x" * 65), "--seed: 64 characters at most"),
        (("vig", "--answers", "gone.json"), "there is no list of answers gone.json"),
        (("vig", "--rulebook", "nowhere"), "nowhere"),
        (("--due", "--rulebook", "nowhere"), "--due covers all rulebooks; leave out --rulebook"),
        (("--syllabus", "--audition"), "--syllabus can't be used with --audition"),
        (("calls", "--rulebook", "new-jersey", "--game", "automated-craps"), "has no stick"),
    ],
)
def test_bad_input_is_one_line(args: tuple[str, ...], said: str) -> None:
    ended = run(*args)
    assert ended.exit_code == 2
    assert said in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_any_text_is_a_seed() -> None:
    asked = json.loads(run("keys", "--seed", "tuesday", "--count", "1", "--json").stdout)
    assert asked["seed"] == "tuesday"
