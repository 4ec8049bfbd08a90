"""Golden games: one a rulebook, readable, with what dealing them prints.

After a change that is meant, read the new output and write it with
``PASSLINE_GOLDEN=write .venv/bin/python -m pytest tests/golden``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.game.law.book_files import BOOKS
from passline.record.deal import deal_text
from passline.record.report import crew_json
from passline.record.write import write_record

HERE = Path(__file__).parent


@pytest.mark.parametrize("book", BOOKS)
def test_golden_game(book: str) -> None:
    result = CliRunner().invoke(cli, ["deal", str(HERE / f"{book}.craps")])
    assert result.exit_code == 0
    expected = HERE / f"{book}.txt"
    if os.environ.get("PASSLINE_GOLDEN") == "write":
        expected.write_text(result.output, "utf-8")
    assert result.output == expected.read_text("utf-8")


@pytest.mark.parametrize("book", BOOKS)
def test_the_library_says_what_the_command_prints(book: str) -> None:
    path = HERE / f"{book}.craps"
    dealt = deal_text(path.read_text("utf-8"))
    shown = CliRunner().invoke(cli, ["deal", str(path), "--json"]).output
    assert shown == json.dumps(dealt.to_json(), indent=1) + "\n"
    worked = json.loads(CliRunner().invoke(cli, ["deal", str(path), "--json", "--crew"]).output)
    assert worked == crew_json(dealt)
    bare = [{key: roll[key] for key in roll if key != "crew"} for roll in worked["rolls"]]
    assert bare == dealt.to_json()["rolls"]


@pytest.mark.parametrize("book", BOOKS)
def test_golden_game_is_stable_when_written_and_read_again(book: str) -> None:
    dealt = deal_text((HERE / f"{book}.craps").read_text("utf-8"))
    written = write_record(dealt)
    again = deal_text(written)
    assert again.table == dealt.table
    assert write_record(again) == written
