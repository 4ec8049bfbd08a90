"""The base package, without any extra: every command either works or says what it needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from passline.cli.main import cli
from passline.optional_packages import EXTRAS, install_command

ROOT = Path(__file__).parent.parent
GAME = str(ROOT / "tests" / "golden" / "iowa.craps")
LOG = str(ROOT / "src" / "passline" / "samples" / "first-table.jsonl")
HOUSE = str(ROOT / "src" / "passline" / "samples" / "boardwalk.toml")

#: Whatever an extra brings cannot be imported.
BARE = f"""
import sys

class Bare:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {sorted(m for ms in EXTRAS.values() for m in ms)!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Bare())
"""

#: Command → arguments with which it works in the base package.
WORKS = {
    "audit": (LOG,),
    "conformance": ("--rulebook", HOUSE),
    "deal": (GAME, "--json"),
    "dice": ("sevens=1/7", "pass"),
    "diff": ("iowa", HOUSE, "--wager", "field"),
    "duties": ("iowa",),
    "evidence": (GAME,),
    "felt": (HOUSE,),
    "hand": ("iowa",),
    "key": ("hi-lo", "10"),
    "law": ("new-jersey", "19:47-1.3(c)1"),
    "lint": (HOUSE,),
    "luck": (GAME, "--strategy", "pass-odds"),
    "odds": (HOUSE, "pass", "--with-odds"),
    "par": (HOUSE, "--csv", "-"),
    "payoff": ("place-win-6", "--chips", "12"),
    "placard": (HOUSE,),
    "play": ("iowa", "--seed", "3"),
    "press": ("6", "--from", "12", "--to", "18"),
    "school": ("order", "--level", "3", "--count", "2", "--json"),
}
#: Command → arguments with which it needs an extra, and which.
NEEDS = {
    "bankroll": (("pass", "--rulebook", "iowa", "--rolls", "9"), "lab"),
    "best": (("--goal", "20", "--bankroll", "10", "--rulebook", "iowa"), "lab"),
    "compare": (("pass", "field", "--rulebook", "iowa", "--rolls", "9"), "lab"),
    "cost": (("pass", "--rulebook", "iowa"), "lab"),
    "machine": (("pass", "--rulebook", "iowa"), "lab"),
    "backup": (("--out", "there", "--data", "here"), "live"),
    "restore": (("there", "--data", "here"), "live"),
    "tables": (("delete", "t1", "--data", "here"), "live"),
    "move": (("--from", "here", "--to", "there", "--all"), "live"),
    "replay": ((GAME, "--no-browser"), "live"),
    "serve": (("--port", "0"), "live"),
    "session": (("pass", "--rulebook", "iowa", "--bankroll", "100", "--rolls", "10"), "lab"),
    "shift": (("pass", "--rulebook", "iowa"), "lab"),
    "simulate": (("pass", "--rulebook", "iowa", "--rolls", "10"), "lab"),
    "strategies": ((), "lab"),
    "sweep": (
        ("pass", "--rulebook", "iowa", "--vary", "unit=5", "--bankroll", "99", "--rolls", "9"),
        "lab",
    ),
}


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BARE + code],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


#: Carries out commands one after the other: a line of JSON for each, read from standard input.
EACH = """
import contextlib, io, json
from passline.cli.main import main

for line in sys.stdin:
    args, said = json.loads(line)
    out, err, status = io.StringIO(), io.StringIO(), 0
    sys.argv, sys.stdin = ["passline", *args], io.TextIOWrapper(io.BytesIO(said.encode()))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as ended:
            status = ended.code
    print(json.dumps([status or 0, out.getvalue(), err.getvalue()]))
"""


class Ended(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


class Bare:
    """A process without extras that carries out one command after the other: to start one for each
    would take longer than the commands do."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", BARE + EACH],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "XDG_STATE_HOME": str(home)},
        )

    def __call__(self, *args: str, said: str = "") -> Ended:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps([args, said]), file=self.process.stdin, flush=True)
        return Ended(*json.loads(self.process.stdout.readline()))


@pytest.fixture(scope="module")
def passline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bare]:
    bare = Bare(tmp_path_factory.mktemp("state"))
    yield bare
    bare.process.communicate(timeout=30)


def known() -> Iterator[str]:
    context = cli.make_context("passline", ["--help"], resilient_parsing=True)
    yield from cli.list_commands(context)


def test_every_command_is_here() -> None:
    """A new command goes into WORKS or NEEDS, or needs a server or its folder to work."""
    assert set(known()) == WORKS.keys() | NEEDS.keys() | {"sit", "keys"}


def test_a_live_table_needs_no_extra_of_who_sits_down_there(passline: Bare, tmp_path: Path) -> None:
    from tests.web.serving import serving

    with serving(tmp_path) as server:
        url = str(server.open()["url"])
        sat = passline("sit", url, "--strategy", "pass", "--name", "ann", "--rolls", "1")
        assert (sat.returncode, sat.stderr) == (0, "")
        played = passline("play", "--table", url, "--name", "bob", said="field for 10\nquit\n")
        assert (played.returncode, played.stderr) == (0, "")
        assert "$490 in your rail" in played.stdout


@pytest.mark.parametrize("command", WORKS)
def test_a_command_of_the_base(passline: Bare, command: str) -> None:
    ended = passline(command, *WORKS[command], said="pass line for 10\nroll\nquit\n")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("command", NEEDS)
def test_a_command_that_needs_an_extra_says_which(passline: Bare, command: str) -> None:
    args, extra = NEEDS[command]
    ended = passline(command, *args)
    assert (ended.returncode, ended.stdout) == (2, "")
    words = f"passline {command} needs passline[{extra}]: {install_command(extra)}\n"
    assert ended.stderr == words
    assert passline(command, "--help").returncode == 0


@pytest.mark.parametrize("mode", ["--due", "--progress", "--practice"])
def test_spaced_repetition_needs_its_extra_and_the_rest_of_the_school_does_not(
    passline: Bare, mode: str
) -> None:
    ended = passline("school", mode)
    words = f"passline school needs passline[school]: {install_command('school')}\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", words)


@pytest.mark.parametrize("command", ["placard", "par"])
def test_an_html_document_needs_its_extra(passline: Bare, command: str, tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    ended = passline(command, "iowa", "--html", str(out))
    words = f"passline {command} needs passline[html]: {install_command('html')}\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", words)
    assert not out.exists()


def test_a_strategy_of_crapssims_needs_its_extra(passline: Bare) -> None:
    ended = passline("luck", GAME, "--strategy", "crapssim:IronCross")
    words = f"passline luck needs passline[crapssim]: {install_command('crapssim')}\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", words)


@pytest.mark.parametrize(
    ("code", "extra"),
    [
        ("import passline; passline.machine('iowa', 'pass')", "lab"),
        ("import passline; passline.simulate", "lab"),
        ("import passline; passline.Machine", "lab"),
        ("from passline.lab.machines.machine import load_machine", "lab"),
        ("import passline.lab.gym", "gym"),
    ],
)
def test_a_library_call_says_which(code: str, extra: str) -> None:
    ended = run(code)
    assert f"needs passline[{extra}]: {install_command(extra)}" in ended.stderr


def test_a_checkout_installs_an_extra_from_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / ".venv" / "bin" / "python"))
    assert install_command("lab", tmp_path) == "pip install 'passline[lab]'"
    (tmp_path / "pyproject.toml").touch()
    python = f"{tmp_path}/.venv/bin/python"
    assert install_command("lab", tmp_path) == f"{python} -m pip install -e '{tmp_path}[lab]'"
    monkeypatch.chdir(tmp_path)
    assert install_command("lab", tmp_path) == ".venv/bin/python -m pip install -e '.[lab]'"


def test_the_library_of_the_base() -> None:
    ended = run(
        "import passline\n"
        "print(passline.odds('new-jersey', 'pass').edge, passline.View(None, {}).puck)\n"
        "print(passline.deal_text('rulebook: iowa\\nplayer: ann 9').table.drop)"
    )
    assert ended.stdout == "7/495 None\n900\n"


def test_what_the_package_says_it_brings() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {need.partition(">")[0] for need in project["dependencies"]}
    assert names == {"msgspec", "click", "rich"}
    extras = project["optional-dependencies"]
    assert set(EXTRAS) | {"all", "dev", "bench"} == set(extras)
    assert extras["all"] == [
        f"passline[{','.join(['lab', 'live', 'plot', 'dask', 'gym', 'school', 'crapssim'])}]"
    ]
    assert "passline[all]" in extras["dev"]
