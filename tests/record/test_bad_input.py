"""Records that cannot be read: where, what was expected, exit 2, and never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli

HEAD = "rulebook: new-jersey\nplayer: ann 500\n"


def deal(path: Path, *options: str) -> Result:
    return CliRunner().invoke(cli, ["deal", str(path), *options], prog_name="passline")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("foo\n", 1, "expected a header line such as 'rulebook: new-jersey'"),
        ("rulebook: new-jersey\n", 1, "expected a header line such as 'player: ann 500'"),
        ("rulebook: nj\nplayer: ann 5\n", 1, "the rulebooks are"),
        ("rulebook: new-jersey\nrulebook: iowa\n", 2, "stands twice"),
        ("rulebook:\nplayer: ann 5\n", 1, "expected a value after 'rulebook:'"),
        ("rulebook: new-jersey\ngame: poker\nplayer: ann 5\n", 2, "mini-craps"),
        ("rulebook: new-jersey\nhouse.odds.multiple: 500\nplayer: ann 5\n", 2, "19:47-1.6(e)#1"),
        ("rulebook: new-jersey\nhouse.odds.mutliple: 5\nplayer: ann 5\n", 2, "odds.multiple"),
        ("rulebook: new-jersey\nhouse: gone.toml\nplayer: ann 5\n", 2, "gone.toml"),
        ("rulebook: new-jersey\nplayer: ann\n", 2, "expected a buy-in"),
        ("rulebook: new-jersey\nplayer: ann -5\n", 2, "'-5' is not a valid amount"),
        ("rulebook: new-jersey\nplayer: roll 5\n", 2, "cannot be a player's name"),
        ("rulebook: new-jersey\nplayer: roll 5\n", 2, "it is a word of the game"),
        ("rulebook: new-jersey\nplayer: J._R. 5\n", 2, "'J. R.' cannot be a player's name: begin"),
        ("rulebook: new-jersey\nplayer: ann 5.50\n", 2, "whole chips"),
        (HEAD + "player: ann 3\n", 3, "there is a player 'ann' already"),
        (HEAD + "ann: pass for 10\nplayer: bob 5\n", 4, "header lines come first"),
        (HEAD + "bob: pass for 10\n", 3, "neither a player (ann)"),
        (HEAD + "anne: pass for 10\n", 3, "did you mean 'ann'?"),
        (HEAD + "ann:\n", 3, "expected what ann says"),
        (HEAD + "ann: pass for -5\n", 3, "'-5' is not a valid amount"),
        (HEAD + "ann: pass for 0\n", 3, "above zero"),
        (HEAD + "ann: pass to 0\n", 3, "above zero"),
        (HEAD + "ann: pass for 10.505\n", 3, "12 or 12.50"),
        (HEAD + "ann: pass for 1e5\n", 3, "12 or 12.50"),
        (HEAD + "ann: pass for banana\n", 3, "'banana' is not a valid amount"),
        (HEAD + f"ann: pass for {'9' * 50}\n", 3, "12 or 12.50"),
        (HEAD + "ann: pass for\n", 3, "expected an amount"),
        (HEAD + "ann: pass for 10 sideways\n", 3, "'sideways' is not understood"),
        (HEAD + "ann: pass down now\n", 3, "'now' is not understood"),
        (HEAD + "ann: pass for 10 confirmed by the cat\n", 3, "expected who confirmed the bet"),
        (HEAD + "ann: passs for 10\n", 3, "the nearest wager is pass"),
        (HEAD + "ann: qqqq\n", 3, "is not understood"),
        (HEAD + "roll 7 1\n", 3, "a die shows 1 to 6, not '7'"),
        (HEAD + "roll 0 3\n", 3, "a die shows 1 to 6, not '0'"),
        (HEAD + "roll 1\n", 3, "expected two dice"),
        (HEAD + "roll 1 2 3\n", 3, "expected two dice"),
        (HEAD + "roll ² 3\n", 3, "a die shows 1 to 6"),
        (HEAD + "no roll banana\n", 3, "expected one of off table"),
        (HEAD + "no roll off-table by nobody\n", 3, "expected one of dealer"),
        (HEAD + "ruling 3 4\n", 3, "expected who ruled"),
        (HEAD + "ruling 3 by boxperson\n", 3, "expected two dice or void"),
        (HEAD + "new dice because\n", 3, "expected one of die lost"),
        (HEAD + "boxperson orders ann to pass for fun\n", 3, "expected one of delay"),
        (HEAD + "boxperson orders bob to pass for delay\n", 3, "'bob' is no player here"),
        (HEAD + "clock 25:99\n", 3, "2007-04-02 09:00"),
        (HEAD + "ann buys in x\n", 3, "'x' is not a valid amount"),
        (HEAD + "hello world\n", 3, "another line of a record"),
        (HEAD + "ann: " + "pass for 10; " * 200 + "\n", 3, "2000 at most"),
    ],
)
def test_unreadable_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    record = tmp_path / "game.craps"
    record.write_text(text, "utf-8")
    result = deal(record, "--json")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"passline deal: {record}:{line}: ")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_what_was_dealt_before_a_bad_line_is_shown(tmp_path: Path) -> None:
    record = tmp_path / "game.craps"
    record.write_text(HEAD + "ann: pass for 10\nroll 4 3\nroll 9 9\n", "utf-8")
    result = deal(record)
    assert result.exit_code == 2
    assert "wins $10" in result.stdout
    assert f"{record}:5:" in result.stderr


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b" \n\t\n", "is empty"),
        (b"\xff\xfe\x00\x01" * 40, "not UTF-8 text"),
        (b"rulebook: new-jersey\0", "this is not text"),
    ],
)
def test_files_that_are_no_record(tmp_path: Path, data: bytes, words: str) -> None:
    record = tmp_path / "game.craps"
    record.write_bytes(data)
    result = deal(record)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    missing, folder = deal(tmp_path / "gone.craps"), deal(tmp_path)
    assert (missing.exit_code, folder.exit_code) == (2, 2)
    assert "there is no .craps record" in missing.stderr
    assert "is a folder" in folder.stderr


def test_a_table_seats_only_so_many(tmp_path: Path) -> None:
    record = tmp_path / "game.craps"
    seats = [f"player: p{chr(97 + n // 26)}{chr(97 + n % 26)} 5" for n in range(200)]
    record.write_text("\n".join(["rulebook: iowa", *seats]), "utf-8")
    result = deal(record)
    assert result.exit_code == 2
    assert "players at most" in result.stderr


def test_a_line_without_end(tmp_path: Path) -> None:
    record = tmp_path / "game.craps"
    record.write_bytes(b"rulebook: iowa\n" + b"a" * 3_000_000)
    result = deal(record)
    assert result.exit_code == 2
    assert ":2: a line of 1000000 characters; 2000 at most" in result.stderr


def test_matters_of_play_are_refused_with_a_citation_and_the_game_goes_on(tmp_path: Path) -> None:
    record = tmp_path / "game.craps"
    record.write_text(
        HEAD + "roll 1 1\nann: pass for 9999999\nann: pass for 10.50\nann: big-6 for 10\n"
        "ann: pass for 600\nann: pass for 10\nroll 4 3\n",
        "utf-8",
    )
    result = deal(record)
    assert result.exit_code == 0
    assert deal(record, "--strict").exit_code == 1
    assert result.stdout.count("refused") == 5
    assert "[19:47-1.8#1]" in result.stdout
    assert "[19:47-1.2(b)]" in result.stdout
    assert "wins $10" in result.stdout


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("player: \u0430nn 500", r":2: '\u0430nn' mixes alphabets: expected letters of one"),
        ("player: aca 500\nplayer: \u0430\u0441\u0430 500", ":3: there is a player "),
        ("player: \uff41nn 500\nplayer: ann 500", "mixes alphabets"),
        ("player: r\u043ell 500", "mixes alphabets"),
        ("player: ann 500\nplayer: ANN 500", ":3: there is a player 'ANN' already\n"),
        ("player: aca 500\n\u0430\u0441\u0430 joins for 100", ":3: there is a player "),
        ("player: ann 500\nann: pa\x1bss for 10", r":3: \x1b is no character of a record"),
        ("player: ann 500\nann: pass\u202e for 10", r":3: \u202e is no character of a record"),
        ("player: ann 500\x9b", r":2: \x9b is no character of a record"),
    ],
)
def test_names_that_pose_as_others_and_codes(tmp_path: Path, lines: str, says: str) -> None:
    record = tmp_path / "game.craps"
    record.write_text(f"rulebook: iowa\n{lines}\n", "utf-8")
    result = deal(record)
    assert result.exit_code == 2
    assert says in result.stderr


def test_names_of_other_alphabets_are_names(tmp_path: Path) -> None:
    record = tmp_path / "game.craps"
    names = ("Zo\u00eb", "\u0410\u043d\u043d\u0430", "\u592a\u90ce", "Stra\u00dfe", "o'neill")
    seats = "".join(f"player: {name} 500\n" for name in names)
    record.write_text(f"rulebook: iowa\n{seats}# \u202e a comment is only a comment\n", "utf-8")
    result = deal(record)
    assert result.exit_code == 0, result.stderr
