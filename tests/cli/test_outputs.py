"""Files that commands write: never over an input, a record or each other, but with --force."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli

HOUSE = 'rulebook = "iowa"\n'
GAME = "rulebook: iowa\nplayer: ann 500\nann: pass for 10\n"
OWN = "def play(view):\n    return 'field for 5'\n"
KEPT = {"house.toml": HOUSE, "game.craps": GAME, "own.py": OWN, "notes.txt": "notes\n"}
SESSION = ("session", "pass", "--rulebook", "iowa", "--bankroll", "500", "--rolls", "9")

#: How each command that writes a file is called, with OUT for the file, and what it is called.
WRITES = {
    "placard": (("placard", "house.toml", "--html", "OUT"), "card.html"),
    "par-md": (("par", "house.toml", "--layout", "game.craps", "--md", "OUT"), "par.md"),
    "par-html": (("par", "house.toml", "--layout", "game.craps", "--html", "OUT"), "par.html"),
    "par-csv": (("par", "house.toml", "--layout", "game.craps", "--csv", "OUT"), "par.csv"),
    "machine": (("machine", "own.py:play", "--rulebook", "house.toml", "--save", "OUT"), "it.npz"),
    "simulate": (
        ("simulate", "own.py", "--rulebook", "house.toml", "--rolls", "9", "--plot", "OUT"),
        "it.png",
    ),
    "felt": (("felt", "house.toml", "--out", "OUT"), "felt.svg"),
    "conformance": (("conformance", "--rulebook", "house.toml", "--out", "OUT"), "rows.jsonl"),
    "bankroll": (
        ("bankroll", "pass", "--rulebook", "house.toml", "--rolls", "9", "--plot", "OUT"),
        "it.svg",
    ),
    "evidence": (("evidence", "rolls.txt", "--plot", "OUT"), "it.svg"),
    "sweep": (
        (
            *("sweep", "pass", "--rulebook", "house.toml", "--vary", "unit=10,20"),
            *("--bankroll", "100", "--rolls", "4", "--plot", "OUT"),
        ),
        "it.svg",
    ),
    "session": ((*SESSION, "--exact", "--plot", "OUT"), "it.svg"),
    "compare": (
        ("compare", "pass", "field", "--rulebook", "house.toml", "--rolls", "4", "--plot", "OUT"),
        "it.svg",
    ),
    "school": (("school", "--audition", "--answers", "answers.json", "--html", "OUT"), "it.html"),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in KEPT.items():
        Path(name).write_text(text, "utf-8")
    Path("answers.json").write_text("[]", "utf-8")
    Path("rolls.txt").write_text("3 4\n", "utf-8")
    return tmp_path


def run(args: tuple[str, ...], out: str, *more: str) -> Result:
    given = [arg.replace("OUT", out) for arg in args]
    return CliRunner().invoke(cli, [*given, *more], prog_name="passline")


def refused(ended: Result, says: str) -> None:
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert says in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert {name: Path(name).read_text("utf-8") for name in KEPT} == KEPT


#: Commands whose files have tests of their own: test_backup_cmd.py.
ELSEWHERE = {"backup"}


def test_every_option_that_writes_is_here() -> None:
    """An option that takes OUT, or FILE to save or draw, has --force beside it."""
    context = cli.make_context("passline", ["--help"], resilient_parsing=True)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        options = {
            option
            for param in command.params
            for option in param.opts
            if not getattr(param, "is_flag", False) or option == "--force"
        }
        if options & {"--html", "--csv", "--md", "--save", "--plot", "--out"}:
            assert "--force" in options, name
            assert name in {args[0] for args, _ in WRITES.values()} | ELSEWHERE


#: Commands whose output looks like a file of another kind: a log of a live table is .jsonl too.
NEVER_REPLACE = {"conformance"}


@pytest.mark.parametrize("way", sorted(WRITES.keys() - NEVER_REPLACE))
def test_an_earlier_output_is_written_over(way: str) -> None:
    args, out = WRITES[way]
    for _ in range(2):
        ended = run(args, out)
        assert ended.exit_code == 0, ended.stderr
        assert f"wrote {out}\n" in ended.stderr
    assert Path(out).stat().st_size > 100


@pytest.mark.parametrize("way", WRITES)
def test_whatever_else_is_there_is_left_alone(way: str) -> None:
    args, _ = WRITES[way]
    for name in KEPT:
        refused(run(args, name), f"{name} is ")
        refused(run(args, f"./{name}"), f"{name} is ")


def test_an_input_by_any_name() -> None:
    os.link("house.toml", "card.html")
    Path("link.html").symlink_to("house.toml")
    for out in ("card.html", "link.html"):
        args = ("placard", "house.toml", "--html", "OUT")
        refused(run(args, out), f"--html {out} is an input of this command")
    made = run(("machine", "pass", "--rulebook", "iowa", "--save", "OUT"), "it.npz")
    assert made.exit_code == 0
    refused(run(("machine", "it.npz", "--save", "OUT"), "it.npz"), "is an input of this command")


def test_two_outputs_are_two_files() -> None:
    args = ("par", "iowa", "--md", "OUT", "--html", "OUT")
    refused(run(args, "sheet"), "--html sheet is also written by --md")
    assert not Path("sheet").exists()
    Path("other").symlink_to("sheet")
    refused(run(("par", "iowa", "--md", "sheet", "--html", "other"), ""), "is also written by --md")
    # What is written beside the CSV counts too.
    args = ("par", "iowa", "--csv", "par.csv", "--md", "par-columns.csv")
    refused(run(args, ""), "--csv par-columns.csv is also written by --md")


def test_with_force() -> None:
    ended = run(("placard", "house.toml", "--html", "OUT"), "notes.txt", "--force")
    assert ended.exit_code == 0
    assert Path("notes.txt").read_text("utf-8").startswith("<!doctype html>")
    ended = run(("placard", "house.toml", "--html", "OUT"), "house.toml", "--force")
    assert ended.exit_code == 0
    assert Path("house.toml").read_text("utf-8").startswith("<!doctype html>")
    ended = run(("par", "iowa", "--md", "OUT", "--html", "OUT"), "sheet", "--force")
    assert ended.exit_code == 0
