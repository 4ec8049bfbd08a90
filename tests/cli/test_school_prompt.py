"""The school at the prompt: asked, marked and kept; practice by a clock that the test turns; the
audition; a learner's data."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from passline.cli import school_prompt
from passline.cli.main import cli
from passline.school.answer_log import FileAnswerStore

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
FIVE = ("--seed", "5", "--name", "ann")


class Turned(school_prompt.SchoolClock):
    """A clock that a test turns; every look at it takes two seconds."""

    def __init__(self) -> None:
        self.moment, self.ticks = NOON, 0.0

    def now(self) -> datetime:
        return self.moment

    def tick(self) -> float:
        self.ticks += 2.0
        self.moment += timedelta(seconds=2)
        return self.ticks


@pytest.fixture(autouse=True)
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Turned:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PASSLINE_HOME", str(tmp_path / "home"))
    turned = Turned()
    monkeypatch.setattr(school_prompt, "CLOCK", turned)
    return turned


def run(*args: str, said: str = "") -> Result:
    return CliRunner().invoke(cli, ["school", *args], input=said, prog_name="passline")


def answers(name: str = "ann") -> list[bool]:
    return [each.right for each in FileAnswerStore(Path("home/school")).read(name).answers]


def asked(*args: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run(*args, "--json").stdout)["questions"]
    return found


def test_a_drill_is_asked_marked_at_once_and_kept() -> None:
    right = [question["answer"]["paid"] for question in asked("payoffs", *FIVE, "--count", "3")]
    said = f"?\n{right[0]}\nsomething else\n0\nskip\n"
    ended = run("payoffs", *FIVE, "--count", "3", said=said)
    assert ended.exit_code == 0, ended.stderr
    assert "Answer with an amount or chips" in ended.stdout
    assert "Right (2.0 s)" in ended.stdout
    assert "can't be read; write how many of each color" in ended.stdout
    assert ended.stdout.count("Wrong (") == 2
    assert "1 of 3 right in 0:06, 2.0 seconds each." in ended.stdout
    assert "dealer-school:" in ended.stdout
    assert answers() == [True, False, False]
    assert "$" not in ended.stdout.split("Right")[0]


def test_bad_answers_of_every_kind_are_told_and_nothing_is_lost() -> None:
    junk = ["", "-5", "9" * 300, "☃", "5 blue", "{}", "\x1b[2J", "x" * 5000, "1 red -2 red"]
    ended = run("payoffs", *FIVE, said="\n".join(["1 red", *junk, "1 red", "q"]) + "\n")
    assert ended.exit_code == 0
    assert ended.stdout.count("(? for help)") == len(junk)
    assert len(answers()) == 2
    assert "\x1b[2J" not in ended.stdout


@pytest.mark.parametrize("end", ["q", "quit", ""])
def test_who_goes_keeps_what_was_answered(end: str) -> None:
    ended = run("terms", *FIVE, said=f"0\n1\n{end}" + ("\n" if end else ""))
    assert ended.exit_code == 0
    assert len(answers()) == 2
    assert "of 2 right" in ended.stdout


def test_ctrl_c_keeps_what_was_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = iter(["0", "1"])

    def interrupted(_: str) -> str:
        for line in lines:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr("passline.play.prompt.read_input", interrupted)
    ended = run("terms", *FIVE)
    assert ended.exit_code == 0
    assert "of 2 right" in ended.stdout
    assert len(answers()) == 2
    lines = iter(["g", "skip"])
    ended = run("--audition", "--seed", "7", "--name", "ann", "--html", "report.html")
    assert "broken off" in ended.stdout
    assert "1 answered" in ended.stdout
    assert "broken off" in Path("report.html").read_text("utf-8")
    assert len(answers()) == 4


def test_stacks_are_read_as_colours_and_counts_for_a_screen_reader() -> None:
    drawn = run("payoffs", *FIVE, "--level", "2").stdout
    lesson = run("come", "--plain").stdout
    assert "ann: Pass $10, Come 9 $10" in lesson
    assert not any(ord(sign) in range(0x2500, 0x25FF) for sign in lesson)  # nothing is drawn
    read = run("payoffs", *FIVE, "--level", "2", "--plain").stdout
    assert "●" in drawn
    assert "●" not in read
    assert "the bet: " in read
    assert "$" not in read
    assert "$" in run("payoffs", *FIVE, "--plain", "--dollars").stdout
    order = run("order", *FIVE, "--level", "3", "--plain").stdout
    assert " 1. " in order
    assert "roll " not in order  # the table as it lies, not its record


def test_an_order_by_numbers() -> None:
    ended = run("order", *FIVE, "--level", "3", "--count", "1", said="99\nfoo\n1 2\n")
    assert "there is no bet 99" in ended.stdout
    assert ended.stdout.count("Wrong (") == 1


def test_what_cannot_be_kept_is_told_and_asked_all_the_same() -> None:
    Path("home").write_text("a file")
    ended = run("terms", *FIVE, "--count", "2", said="0\n0\n")
    assert ended.exit_code == 0
    assert ended.stderr.count("this answer was not stored: ") == 2
    assert "of 2 right" in ended.stdout


def test_due_practice_and_progress(clock: Turned) -> None:
    assert "Nothing is due for ann." in run("--due", "--name", "ann").stdout
    ended = run("--practice", "--name", "ann", said="skip\nskip\nq\n")
    assert ended.stdout.count("(new) ") == 3
    assert json.loads(run("--due", "--name", "ann", "--json").stdout)["due"] == 0
    clock.moment += timedelta(minutes=5)
    due = json.loads(run("--due", "--name", "ann", "--json").stdout)
    assert due["learner"] == "ann"
    assert due["due"] == len(due["cards"]) == sum(due["drills"].values()) > 0
    assert "terms" in run("--due", "--name", "ann").stdout
    again = run("--practice", "--name", "ann", "--count", "1", said="skip\n")
    assert "1. (due) " in again.stdout
    assert "still due." in again.stdout
    told = json.loads(run("--progress", "--name", "ann", "--json").stdout)
    assert (told["learner"], told["answers"], told["right"], told["torn"]) == ("ann", 3, 0, 0)
    assert told["clauses"]
    assert sum(lesson["seen"] for lesson in told["lessons"]) > 0
    assert "0 of 3 answers right" in run("--progress", "--name", "ann").stdout


def test_known_takes_two_days_of_the_learners_zone(clock: Turned) -> None:
    """The learner's own midnight begins a day; that of UTC, in the afternoon, does not."""

    def answer(at: str) -> bool:
        clock.moment = datetime.fromisoformat(at)
        right = str(asked("terms", *FIVE)[0]["answer"]["choice"])
        assert "Right" in run("terms", *FIVE, "--count", "1", "--name", "ann", said=right).stdout
        found = json.loads(run("--progress", "--json", "--name", "ann").stdout)
        return any(clause["known"] for clause in found["clauses"])

    assert not answer("2026-11-20T15:58:00-08:00")
    assert not answer("2026-11-20T16:03:00-08:00")
    assert not answer("2026-11-19T12:00:00-08:00")  # The clock was set back.
    assert not answer("2026-11-20T23:55:00-08:00")
    assert answer("2026-11-21T00:02:00-08:00")
    due = run("--due", "--name", "ann").stdout
    assert "is due at 20" in due
    assert "Z" not in due


def test_a_torn_line_is_said_and_the_rest_is_there() -> None:
    run("terms", *FIVE, "--count", "2", said="0\n0\n")
    path = FileAnswerStore(Path("home/school")).find_path("ann")
    path.write_bytes(path.read_bytes()[:-20])
    ended = run("--progress", "--name", "ann", "--json")
    assert ended.stderr == "1 line of ann's answers can't be read and are left out\n"
    assert (json.loads(ended.stdout)["answers"], json.loads(ended.stdout)["torn"]) == (1, 1)


def test_a_learners_data_is_exported_and_deleted() -> None:
    run("terms", *FIVE, "--count", "2", said="0\n0\n")
    assert run("--export", "mine.json", "--name", "ann").exit_code == 0
    data = json.loads(Path("mine.json").read_text("utf-8"))
    assert (data["learner"], len(data["answers"])) == ("ann", 2)
    assert json.loads(run("--export", "-", "--name", "ann").stdout) == data
    Path("game.craps").write_text("a record")
    assert run("--export", "game.craps", "--name", "ann").exit_code == 2
    for said in ("no\n", "", "\n"):
        assert "Nothing was deleted." in run("--delete", "--name", "ann", said=said).stdout
    assert len(answers()) == 2
    assert "Deleted all 2 answers of ann" in run("--delete", "--name", "ann", said="yes\n").stdout
    assert answers() == []
    assert "There are no answers of ann." in run("--delete", "--name", "ann", "--yes").stdout


def test_an_audition_as_data_and_its_answers_marked() -> None:
    asked = json.loads(run("--audition", *FIVE, "--json").stdout)
    assert asked == json.loads(run("--audition", *FIVE, "--json").stdout)
    assert "practice" in asked["note"]
    assert not [one for one in asked["questions"] if {"answer", "explain", "cite"} & one.keys()]
    data = json.loads(run("--audition", *FIVE, "--json", "--practice").stdout)
    assert [one["given"] for one in data["questions"]] == [o["given"] for o in asked["questions"]]
    own = [question["answer"] for question in data["questions"]]
    wrapped = [{"answer": answer, "seconds": 2} for answer in own]
    forms: list[tuple[object, float]] = [
        ({"answers": own, "seconds": [2] * len(own)}, 100.0),
        ([*own[:9], *wrapped[9:20], *own[20:]], 88.4),  # eleven timed: their speed alone counts
    ]
    for told, total in forms:
        Path("own.json").write_text(json.dumps(told), "utf-8")
        ended = run("--audition", *FIVE, "--answers", "own.json", "--json", "--html", "r.html")
        report = json.loads(ended.stdout)
        assert (report["score"]["total"], report["passed"], report["name"]) == (total, True, "ann")
        assert (report["audition"], report["practice"]) == (data["audition"], True)
    assert "Practice audition of ann" in Path("r.html").read_text("utf-8")
    Path("own.json").write_text("[NaN, 1e999, null]", "utf-8")
    ended = run("--audition", *FIVE, "--answers", "own.json", "--export", "r.json")
    assert "NOT PASSED: 0 of 100" in ended.stdout
    assert json.loads(Path("r.json").read_text("utf-8"))["results"][0]["answer"] == "NaN"


@pytest.mark.parametrize("code", ["\x1b[2J", "\u202e", "\x9b"])
def test_no_code_of_an_input_reaches_the_terminal(code: str) -> None:
    for args in (("--seed", f"3{code}"), ("--seed", "3", "--rulebook", f"io{code}wa")):
        ended = run("--audition", *args, "--name", "ann", said=f"{code}\nskip\n")
        assert code not in ended.stdout + ended.stderr
    assert run("terms", "--name", f"a{code}b").exit_code == 2


def test_an_audition_ends_with_its_clock(clock: Turned) -> None:
    ended = run("--audition", *FIVE, "--minutes", "0.5", said="skip\n" * 40)
    assert "ended by the clock" in ended.stdout
    assert ended.stdout.count("This is practice: nobody proctors it") == 2
    assert "[0:2" in ended.stdout
    untimed = run("--audition", *FIVE, "--minutes", "0", said="skip\n" * 40)
    assert "no clock; finished" in untimed.stdout
    assert "not scored" in untimed.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--due", "--practice"), "--due and --practice can't be used together"),
        (("terms", "--due"), "--due takes no lesson or drill"),
        (
            ("terms", "--html", "x.html"),
            "--html writes the report of an audition; use it with --audition",
        ),
        (("--practice", "--json"), "--practice asks at the prompt"),
        (("--due", "--answers", "a.json"), "--answers goes with a drill or --audition"),
        (("--audition", "--minutes", "-1"), "--minutes"),
        (("--audition", "--practice"), "--audition --practice prints questions"),
        (("--audition", "--html", "no/where.html", "--answers", "a.json"), "cannot be written"),
        (("--audition", "--answers", "gone.json"), "there is no list of answers"),
        (("--audition", "--answers", "text.json"), "expected a JSON list"),
        (("--due", "--name", "\u202eann"), "--name: a learner's name"),
        (("--due", "--name", "x" * 41), "--name: a learner's name has 40 characters at most"),
        (("--export", "no/where.json"), "cannot be written"),
    ],
)
def test_bad_input_is_one_line(args: tuple[str, ...], said: str) -> None:
    Path("a.json").write_text("[]")
    Path("text.json").write_text('{"answers": 3}')
    ended = run(*args)
    assert ended.exit_code == 2
    assert said in ended.stderr
    assert ended.stderr.count("\n") == 1 or "Usage" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_drill_ends_in_its_gate_and_the_next_step() -> None:
    ten = ("limits", "--seed", "5", "--name", "ann")
    asked = json.loads(run(*ten, "--json").stdout)["questions"]
    said = "".join(f"{q['answer']['most']} {q['answer']['paid']}\n" for q in asked)
    passed = run(*ten, said=said).stdout
    assert "Gate passed: 10 of 10 right and at pace." in passed
    assert "Next: passline school lines --level 1 --rulebook dealer-school" in passed
    missed = run(*ten, said="skip\n" * 10).stdout
    assert "Not passed yet: 0 of 10 right and at pace" in missed
    assert "Gate" not in run(*ten, "--count", "5", said="skip\n" * 5).stdout


def test_the_school_says_what_to_do_next() -> None:
    assert "Next: Read the lesson: Words of the trade" in run("--name", "eve").stdout
    run("terms", "--seed", "1", "--name", "eve", "--count", "2", said="skip\nskip\n")
    after = run("--name", "eve").stdout
    assert "Next: Drill terms, level 1: 0 of the last 2 right and at pace; 8 of 10 pass" in after
    assert "passline school terms --level 1 --rulebook dealer-school" in after


def test_a_terminal_gets_long_lines_wrapped_between_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "   dealer-school:base.4: " + "Know each wager and whose it is. " * 3
    school_prompt.print_lines([line])
    assert capsys.readouterr().out == f"{line}\n"  # a file or a pipe gets lines as they are
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    school_prompt.print_lines([line, "short"])
    first, second, *rest = capsys.readouterr().out.splitlines()
    assert (len(first) <= 60, first.split()[-1] in line.split()) == (True, True)
    assert second.startswith("   ")
    assert rest[-1] == "short"
