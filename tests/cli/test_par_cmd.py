"""``passline par``."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli

RECORD = "rulebook: iowa\nplayer: ann 500\nann: pass for 10; craps-12 for 5\n"


def passline(*args: str) -> Result:
    return CliRunner().invoke(cli, ["par", *args])


def test_markdown_by_default() -> None:
    ended = passline("iowa")
    assert ended.exit_code == 0
    assert ended.stdout.startswith("# Par sheet: Iowa craps manual: craps\n")
    assert ended.stderr == ""


def test_files_of_each_kind(tmp_path: Path) -> None:
    md, html, csv = (str(tmp_path / f"par.{kind}") for kind in ("md", "html", "csv"))
    ended = passline("iowa", "--md", md, "--html", html, "--csv", csv, "-o", "odds.multiple=2")
    assert ended.exit_code == 0
    assert ended.stdout == ""
    columns = str(tmp_path / "par-columns.csv")
    assert ended.stderr.splitlines() == [f"wrote {out}" for out in (md, html, csv, columns)]
    assert "| Elections | odds.multiple = 2 |" in Path(md).read_text("utf-8")
    assert Path(html).read_text("utf-8").startswith("<!doctype html>")
    headings = Path(csv).read_text("utf-8").partition("\n")[0].split(",")
    assert headings[:3] == ["rulebook", "game", "wager"]
    told = Path(columns).read_text("utf-8").splitlines()
    assert [line.partition(",")[0] for line in told] == ["column", *headings]


def test_one_kind_to_output() -> None:
    assert passline("iowa", "--csv", "-").stdout.startswith("rulebook,game,wager,")
    both = passline("iowa", "--csv", "-", "--html", "-")
    assert both.exit_code == 2
    assert "only one of" in both.stderr


def test_a_layout(tmp_path: Path) -> None:
    record = tmp_path / "game.craps"
    record.write_text(RECORD, "utf-8")
    ended = passline("iowa", "--layout", str(record))
    assert ended.exit_code == 0
    assert "at most $140, on 6-6" in ended.stdout


def test_a_layout_as_csv(tmp_path: Path) -> None:
    record, out = tmp_path / "game.craps", tmp_path / "par.csv"
    record.write_text(RECORD, "utf-8")
    wagers = passline("iowa", "--csv", "-").stdout
    ended = passline("iowa", "--layout", str(record), "--csv", str(out))
    beside = tmp_path / "par-layout.csv"
    assert ended.exit_code == 0
    columns = tmp_path / "par-columns.csv"
    assert ended.stderr.splitlines() == [f"wrote {made}" for made in (out, columns, beside)]
    assert out.read_text("utf-8") == wagers
    layout = beside.read_text("utf-8")
    assert "\niowa,craps,off,15.00,0,6,6,1,140.00,-10.00,150.00\n" in layout
    shown = passline("iowa", "--layout", str(record), "--csv", "-")
    assert shown.stdout == f"{wagers}\n{layout}"
    assert shown.stderr == ""


def test_nothing_is_written_beside_a_device(tmp_path: Path) -> None:
    record, out = tmp_path / "game.craps", tmp_path / "null"
    record.write_text(RECORD, "utf-8")
    out.symlink_to("/dev/null")
    ended = passline("iowa", "--layout", str(record), "--csv", str(out))
    assert ended.stderr == f"wrote {out}\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.craps", "null"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "rulebook: new-jersey\nplayer: ann 5\n",
            "is for new-jersey, craps; the sheet is for iowa",
        ),
        ("rulebook: iowa\nplayer: ann 5\n", "no throw can follow it"),
        ("rulebook: iowa\nplayer: ann 5\nann: dance\n", ":3: "),
        ("rulebook: nevada\nplayer: ann 5\n", "there is no rulebook"),
        (RECORD.replace("player", "house.odds.multiple: 2\nplayer"), "elections of its own"),
        ("", "game.craps"),
    ],
)
def test_layouts_that_cannot_be_used(tmp_path: Path, text: str, says: str) -> None:
    record = tmp_path / "game.craps"
    record.write_text(text, "utf-8")
    ended = passline("iowa", "--layout", str(record))
    assert ended.exit_code == 2
    assert ended.stdout == ""
    assert says in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    unread = tmp_path / "game.craps"
    unread.write_bytes(b"\xff\xfe")
    for args, says in (
        (("--layout", str(tmp_path / "none.craps")), "there is no .craps record"),
        (("--layout", str(tmp_path)), "is a folder"),
        (("--layout", str(unread)), "not UTF-8"),
        (("--html", str(tmp_path / "no" / "par.html")), "cannot be written"),
        (("--csv", ""), "cannot be written"),
    ):
        ended = passline("iowa", *args)
        assert ended.exit_code == 2
        assert says in ended.stderr
        assert ended.stderr.count("\n") == 1


def test_a_house_that_cannot_be_used() -> None:
    ended = passline("iowa", "-o", "odds.multiple=11")
    assert ended.exit_code == 2
    assert "not allowed" in ended.stderr
