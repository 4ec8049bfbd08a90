"""``passline felt``: a picture of a layout, and of what lies on it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli

SAMPLE = Path(__file__).parent.parent.parent / "src" / "passline" / "samples"
GAME = "rulebook: new-jersey\nplayer: ann 500\nann: pass for 10\nroll 3 3\nann: place 8 for 12\n"


def run(*args: str, text: str = "") -> Result:
    return CliRunner().invoke(cli, ["felt", *args], input=text, prog_name="passline")


@pytest.mark.parametrize(
    "args",
    [
        ("iowa",),
        ("new-jersey", "--game", "mini-craps"),
        ("maryland-crapless", "-o", "offers.fire=A"),
        (str(SAMPLE / "boardwalk.toml"),),
        ("--record", str(SAMPLE / "first-game.craps")),
    ],
)
def test_a_picture(args: tuple[str, ...]) -> None:
    ended = run(*args)
    assert ended.exit_code == 0, ended.stderr
    root = ElementTree.fromstring(ended.stdout)
    assert root.tag.endswith("svg")
    assert root.find("{*}style") is not None


def test_what_lies_there_at_the_end_of_a_record() -> None:
    ended = run("--record", "-", "--json", text=GAME)
    said = json.loads(ended.stdout)
    up = {(stack["player"], stack["slug"]): stack["amount"] for stack in said["lie"]["stacks"]}
    assert up == {("ann", "pass"): "10.00", ("ann", "place-win-8"): "12.00"}
    assert [die["face"] for die in said["lie"]["dice"] if die["where"] == "box"] == [3, 3]
    assert said["plan"]["rulebook"] == "new-jersey"


def test_one_end_is_a_part_of_the_whole() -> None:
    whole = ElementTree.fromstring(run("iowa").stdout).get("viewBox")
    left = ElementTree.fromstring(run("iowa", "--end", "left").stdout).get("viewBox")
    right = ElementTree.fromstring(run("iowa", "--end", "right").stdout).get("viewBox")
    assert len({whole, left, right}) == 3
    assert left is not None
    assert right is not None
    assert float(right.split()[0]) < float(left.split()[0])


def test_a_theme_of_its_own() -> None:
    assert 'data-theme="dark"' in run("iowa", "--theme", "dark").stdout
    assert "data-theme=" not in run("iowa").stdout.partition("</style>")[2]


def test_a_file(tmp_path: Path) -> None:
    out = tmp_path / "felt.svg"
    ended = run("iowa", "--out", str(out))
    assert (ended.exit_code, ended.stdout, ended.stderr) == (0, "", f"wrote {out}\n")
    assert out.read_text("utf-8").startswith("<svg ")
    assert run("iowa", "--out", str(out)).exit_code == 0
    other = tmp_path / "notes.txt"
    other.write_text("mine", "utf-8")
    assert run("iowa", "--out", str(other)).exit_code == 2
    assert other.read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "name a RULEBOOK or a house-rules FILE, or use --record FILE.craps"),
        (("iowa", "--record", "x"), "give either a rulebook or --record, not both"),
        (("--record", "-", "--game", "craps"), "--game can't be used with --record"),
        (("--record", "-", "-o", "odds.multiple=2"), "-o can't be used with --record"),
        (("--record", "none.craps"), "there is no .craps record none.craps"),
        (("--record", "-"), "standard input, line 4: "),
        (("nowhere",), "nowhere"),
        (
            ("new-jersey", "--game", "mini-craps", "--end", "right"),
            "layout has only the left end",
        ),
    ],
)
def test_what_cannot_be_drawn(args: tuple[str, ...], words: str) -> None:
    ended = run(*args, text="rulebook: iowa\nplayer: ann 100\nann: pass for 10\nann: fly away\n")
    assert ended.exit_code == 2
    assert ended.stderr.startswith("passline felt: ")
    assert words in ended.stderr
    assert ended.stderr.count("\n") == 1
