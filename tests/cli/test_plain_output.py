"""No code of an input reaches the terminal: escape codes, controls, what turns the writing."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner, Result

from passline.cli.common import json_text
from passline.cli.main import cli
from passline.lab.machines.machine import load_machine
from passline.lab.strategy_machine import machine

CODES = {
    "csi": "\x1b[95;7mX",
    "osc": "\x1b]0;title\x07",
    "c1": "\x9b95mX",
    "nel": "\x85",
    "bidi": "\u202eX",
    "isolate": "\u2066X\u2069",
    "bell": "\x07\x08\x0c",
    "surrogate": "\udcff",
}
#: Of the two kinds: what a terminal obeys, and what turns the writing.
OFTEN = (CODES["csi"], CODES["bidi"])
every_code = pytest.mark.parametrize("code", CODES.values(), ids=CODES)
#: What click's own styles write.
OURS = re.compile("\x1b\\[(0|1|3[0-9])m")

#: Each command with arguments that work; CODE goes into each of them in turn.
COMMANDS = {
    "audit": ("table.jsonl", "--table", "t1", "--receipt", f"0:{'0' * 64}"),
    "bankroll": (
        *("own.py:play", "--rulebook", "iowa", "--rolls", "9", "--ruin", "5%"),
        *("--bankroll", "100", "--plot", "it.png"),
    ),
    "best": (
        *("--goal", "20", "--bankroll", "10", "--rulebook", "iowa", "--menu", "field"),
        *("--unit", "5", "--states", "99", "--rolls", "3", "--policy", "it.json"),
    ),
    "compare": ("pass", "own.py:play", "--rulebook", "iowa", "--rolls", "9"),
    "conformance": ("--rulebook", "iowa", "--game", "craps", "--out", "rows.jsonl"),
    "cost": ("own.py:play", "--rulebook", "iowa", "--comps", "20", "--match-on", "pass"),
    "deal": ("game.craps", "--style", "iowa"),
    "dice": ("sevens=1/7", "pass", "--rulebook", "iowa", "--game", "craps"),
    "diff": ("iowa", "house.toml", "--wager", "field", "--stake", "5", "--hours", "8"),
    "duties": ("iowa", "--post", "stickperson", "-o", "odds.multiple=2"),
    "evidence": ("game.craps", "--wager", "pass", "--rulebook", "iowa", "--plot", "it.png"),
    "felt": ("iowa", "--game", "craps", "--end", "left", "--out", "felt.svg"),
    "hand": ("iowa", "--rolls", "9", "--dice", "sevens=1/7", "-o", "odds.multiple=2"),
    "key": ("hi-lo", "10", "--rulebook", "dealer-school", "--game", "craps"),
    "law": ("new-jersey", "19:47-1.3(c)1", "--kind", "enforced"),
    "lint": ("house.toml",),
    "luck": ("game.craps", "--player", "ann", "--strategy", "own.py:play"),
    "machine": ("own.py:play", "--rulebook", "iowa", "--limit", "9", "--save", "it.npz"),
    "backup": ("--out", "there", "--data", "here"),
    "restore": ("there", "--data", "here"),
    "tables": ("delete", "t1", "--data", "here"),
    "keys": ("rotate", "house", "--data", "here"),
    "move": ("t1", "--from", "here", "--to", "there"),
    "odds": ("iowa", "pass", "--stake", "10", "--multiple", "2", "--game", "craps"),
    "par": ("iowa", "--csv", "par.csv", "--layout", "game.craps", "-o", "odds.multiple=2"),
    "payoff": ("place-win-6", "--chips", "12", "--dice", "3-3", "--rulebook", "iowa"),
    "placard": ("house.toml", "--html", "card.html", "-o", "odds.multiple=2"),
    "play": ("iowa", "--name", "zoe", "--bankroll", "500", "--rail", "pass", "--seed", "3"),
    "press": ("6", "--from", "12", "--to", "18", "--rulebook", "iowa", "--way", "slide"),
    "replay": ("game.craps",),
    "school": (
        "payoffs",
        "--rulebook",
        "iowa",
        "--seed",
        "3",
        "--answers",
        "answers.json",
        "--name",
        "a",
    ),
    "serve": ("--data", "here", "--database", "there"),
    "session": (
        "pass",
        "--rulebook",
        "iowa",
        "--bankroll",
        "500",
        "--rolls",
        "9",
        "--plot",
        "s.png",
    ),
    "shift": ("own.py:play:2@50", "--rulebook", "iowa", "--hours", "1", "--trials", "16"),
    "simulate": ("pass", "--rulebook", "iowa", "--rolls", "9", "--seed", "1", "--dask", "x"),
    "sit": (
        *("127.0.0.1:9/t/x", "--strategy", "pass", "--name", "zoe", "--buy-in", "500"),
        *("--rolls", "9", "--stop-win", "5", "--stop-loss", "5", "--token", "abc"),
    ),
    "strategies": ("--rulebook", "iowa", "--game", "craps"),
    "sweep": (
        *("own.py:play", "--vary", "bankroll=50,100", "--against", "mean", "--rolls", "9"),
        *("--rulebook", "iowa", "--plot", "it.png"),
    ),
}
#: These take their time.
SLOW = {
    "bankroll",
    "best",
    "compare",
    "conformance",
    "cost",
    "diff",
    "luck",
    "machine",
    "par",
    "shift",
    "session",
    "simulate",
    "sweep",
}
SLOW |= {"strategies"}
GAME = "rulebook: iowa\nplayer: ann 500\nann: pass for 10\nroll 3 3\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Path("game.craps").write_text(GAME, "utf-8")
    Path("house.toml").write_text('rulebook = "iowa"\n', "utf-8")
    Path("table.jsonl").write_text("{}\n", "utf-8")
    Path("answers.json").write_text('[{"paid": "1"}, null]', "utf-8")
    Path("own.py").write_text("def play(view):\n    return 'field for 5'\n", "utf-8")
    return tmp_path


def run(*args: str, said: str = "") -> Result:
    return CliRunner().invoke(cli, args, input=said, color=True, prog_name="passline")


def check(ended: Result) -> None:
    """Nothing but text came out, and no traceback."""
    assert isinstance(ended.exception, SystemExit | None), ended.exc_info
    for text in (ended.stdout, ended.stderr):
        left = OURS.sub("", text)
        bad = [c for c in left if unicodedata.category(c)[0] == "C" and c not in "\n\t"]
        assert bad == [], text


def spoilt(args: tuple[str, ...], code: str) -> Iterator[list[str]]:
    """The arguments, each in turn with a code in its middle."""
    for place, arg in enumerate(args):
        if not arg.startswith("-"):
            middle = len(arg) // 2
            yield [*args[:place], arg[:middle] + code + arg[middle:], *args[place + 1 :]]


def test_no_command_is_left_out() -> None:
    context = cli.make_context("passline", ["--help"], resilient_parsing=True)
    assert set(cli.list_commands(context)) == COMMANDS.keys()


@pytest.mark.parametrize("command", COMMANDS)
def test_in_every_argument(command: str) -> None:
    # What takes its time reads its arguments in the same places.
    for code in OFTEN if command in SLOW else CODES.values():
        for args in spoilt(COMMANDS[command], code):
            check(run(command, *args))


@every_code
def test_in_names_of_commands_and_options(code: str) -> None:
    check(run(f"la{code}w"))
    check(run("law", f"--ki{code}nd", "x"))
    check(run("law", "iowa", "--kind", f"enf{code}orced"))


@every_code
def test_in_house_rules(code: str) -> None:
    text = code.encode("utf-8", "replace").decode()
    quoted = json.dumps(text)
    for line in (
        f"name = {quoted}",
        f"{quoted} = 3",
        f"[{quoted}]",
        f"offers.fire = {quoted}",
        f"limits.min = {quoted}",
        f"fees.{quoted} = 0.1",
        f"offers.fire.{quoted} = 1",
        f"chips.{quoted} = 3",
        f"pays.field-12 = {quoted}",
        f"dice.no_roll_by = [{quoted}]",
        f"game = {quoted}",
        f"# {text}",
    ):
        Path("house.toml").write_text(f'rulebook = "new-jersey"\n{line}\n', "utf-8")
        for args in (("lint", "house.toml"), ("lint", "house.toml", "--json")):
            check(run(*args))
        check(run("placard", "house.toml"))
    Path("house.toml").write_text(f"rulebook = {quoted}\n", "utf-8")
    check(run("lint", "house.toml"))
    name = f"h{text}.toml"
    Path(name).write_text("rulebook = 3", "utf-8")
    check(run("lint", name))
    check(run("odds", name))


@every_code
def test_in_a_record(code: str) -> None:
    text = code.encode("utf-8", "replace").decode()
    for old in ("iowa", "ann 500", "10", "roll 3 3", "3 3", "pass for"):
        spoilt = GAME.replace(old, f"{old[:2]}{text}{old[2:]}", 1)
        Path("game.craps").write_text(spoilt + f"# {text}\n", "utf-8")
        for more in ((), ("--json",), ("--canonical",), ("--crew",)):
            check(run("deal", "game.craps", *more))
    check(run("deal", f"no{code}where.craps"))


@every_code
def test_in_a_strategy(code: str) -> None:
    text = code.encode("utf-8", "replace").decode()
    spoken = f"'field{text} for 5'" if text.isprintable() else repr(f"field{text} for 5")
    Path("table.jsonl").write_text("{}\n", "utf-8")
    Path("answers.json").write_text('[{"paid": "1"}, null]', "utf-8")
    Path("own.py").write_text(
        f"def says(view):\n    return {spoken}\n"
        f"def raises(view):\n    raise ValueError({text!r})\n"
        f"def prints(view):\n    print({text!r}); return 'field for 5'\n"
        f"def keeps(view):\n    return [], [{text!r}]\n",
        "utf-8",
    )
    # Each is asked in a process of its own: two codes try every way, the others one.
    for function in ("says", "raises", "prints", "keeps") if code in OFTEN else ("raises",):
        check(run("machine", f"own.py:{function}", "--rulebook", "iowa"))
    Path("own.py").rename(f"o{text}n.py")
    check(run("machine", f"o{text}n.py:prints", "--rulebook", "iowa"))
    check(run("play", "iowa", "--rail", f"o{text}n.py:raises", said="pass for 10\nroll\nquit\n"))


@every_code
def test_said_at_the_prompt(code: str) -> None:
    text = code.encode("utf-8", "replace").decode()
    said = (
        f"pa{text}ss for 10\nsave my{text}game\nwhy {text}\nbets {text}\nplace the {text}\nquit\n"
    )
    check(run("play", "iowa", "--alone", "--seed", "1", said=said))


@every_code
def test_in_a_saved_machine(code: str) -> None:
    text = code.encode("utf-8", "replace").decode()
    machine("iowa", "pass").save("it.npz")
    with np.load("it.npz") as found:
        parts = dict(found)
    about = msgspec.structs.replace(load_machine("it.npz").about, strategy=text, house=text)
    parts["about"] = np.frombuffer(msgspec.json.encode(about), np.uint8)
    np.savez("it.npz", **parts)
    check(run("machine", "it.npz"))
    check(run("machine", "it.npz", "--json"))


def test_json_says_the_same_and_shows_nothing() -> None:
    value = {"a": "\x1b[31m\x9b\u202e\u2028 ordinary §— \U0001f3b2"}
    text = json_text(value)
    assert json.loads(text) == value
    assert "ordinary §— \U0001f3b2" in text
    assert all(char.isprintable() or char == "\n" for char in text)
