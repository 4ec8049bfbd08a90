"""The house that a record's header names, and where a header is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.game.house.house import House
from passline.record.deal import load_record_house
from passline.record.read import read_record
from passline.talk.errors import RecordError


def house(header: str, base: Path | None = None) -> House:
    return load_record_house(read_record(header + "player: ann 500\n"), base)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    rules = 'rulebook = "new-jersey"\ngame = "mini-craps"\nname = "Boardwalk"\n'
    (tmp_path / "rules" / "boardwalk.toml").write_text(rules + "[odds]\nmultiple = 10\n", "utf-8")
    (tmp_path / "rules" / "broken.toml").write_text("rulebook = \n", "utf-8")
    return tmp_path


def test_without_a_file_the_rulebook_alone_is_the_house() -> None:
    plain = house("rulebook: iowa\n")
    assert (plain.book.id, plain.game, plain.elections) == ("iowa", "craps", {})


def test_a_house_files_path_is_relative_to_the_record(folder: Path) -> None:
    found = house("house: rules/boardwalk.toml\n", folder)
    assert (found.name, found.game, found.taken_multiples[4]) == ("Boardwalk", "mini-craps", 10)


def test_the_record_overrides_the_files_game_and_elections(folder: Path) -> None:
    header = "rulebook: new-jersey\ngame: craps\nhouse: rules/boardwalk.toml\n"
    found = house(header + "house.odds.multiple: 3\n", folder)
    assert (found.game, found.taken_multiples[4]) == ("craps", 3)


@pytest.mark.parametrize(
    ("header", "line", "words"),
    [
        ("rulebook: nevada\n", 1, "the rulebooks are"),
        ("\n\nrulebook: nevada\n", 3, "nevada"),
        ("rulebook: iowa\ngame: mini-craps\n", 2, "mini-craps"),
        ("rulebook: iowa\n\nhouse: gone.toml\n", 3, "gone.toml"),
        ("house: rules/broken.toml\n", 1, "not readable as TOML"),
        ("rulebook: iowa\nhouse: rules/boardwalk.toml\n", 2, "is for new-jersey"),
        (
            "rulebook: new-jersey\nhouse.limits.min: 15\nhouse.odds.multiple: 101\n",
            3,
            "odds.multiple",
        ),
        ("rulebook: new-jersey\nhouse.limits.mim: 15\n", 2, "limits.mim"),
        (
            "rulebook: new-jersey\nhouse.odds.multiple: 3\nhouse.limits.mim: 15\n",
            3,
            "limits.mim",
        ),
        (  # the line of the election at fault, not of one that its words name
            "rulebook: new-jersey\nhouse.limits.center_min: 5\n"
            "house.limits.breakage: limits.center_min\n",
            3,
            "limits.breakage = limits.center_min",
        ),
        ("rulebook: new-jersey\nhouse.odds: {multiple = 101}\n", 2, "odds.multiple"),
        ("rulebook: new-jersey\nhouse.game: poker\n", 2, "game = poker"),
        ("rulebook: new-jersey\nhouse.game: poker\ngame: bridge\n", 3, "game = bridge"),
    ],
)
def test_what_is_wrong_in_a_header_is_said_with_its_line(
    folder: Path, header: str, line: int, words: str
) -> None:
    with pytest.raises(RecordError) as caught:
        house(header, folder)
    assert caught.value.line == line
    assert words in caught.value.message
    assert str(caught.value) == f"line {line}: {caught.value.message}"


def test_an_error_keeps_the_line_it_was_first_found_on() -> None:
    assert RecordError("wrong").with_line(7).line == 7
    assert RecordError("wrong", 3).with_line(7).line == 3
    assert str(RecordError("wrong")) == "wrong"
