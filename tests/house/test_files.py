"""House-rules files: reading them, whatever they hold, and the houses they stand for."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from passline.cli.lint import command as lint_command
from passline.game.house.load import HouseError, house_for, parse_house_file, read_house_file
from passline.game.law.book_files import BookError
from passline.game.money.amounts import Odds

BOARDWALK = """
rulebook = "new-jersey"
game = "craps"
name = "Boardwalk"

[limits]
smallest_chip = 1
min = 15
max = 5000
breakage = "refuse"
[limits.max_by_wager]
place-win-6 = 6000

[odds]
multiple = 10

[pays]
field-12 = "3 to 1"

[buy]
rate = 0.05
when = "made"
rounding = "down"
[lay]
rate = 0.04
base = "win"

[offers]
fire = "A"
six-seven-eight = true
match_play = true
"""


@pytest.fixture
def boardwalk(tmp_path: Path) -> Path:
    path = tmp_path / "boardwalk.toml"
    path.write_text(BOARDWALK, "utf-8")
    return path


def unreadable(data: bytes | str) -> str:
    """The one line by which house rules cannot be read."""
    with pytest.raises(HouseError) as wrong:
        parse_house_file(data.encode() if isinstance(data, str) else data, "house.toml")
    return one_line(str(wrong.value))


def refused(source: str, *options: tuple[str, str], **given: Any) -> str:
    with pytest.raises(HouseError) as wrong:
        house_for(source, options=options, **given)
    return one_line(str(wrong.value))


def one_line(message: str) -> str:
    assert "\n" not in message
    assert len(message) < 600
    return message


def test_a_file_is_read_exactly(boardwalk: Path) -> None:
    house = read_house_file(boardwalk)
    assert (house.rulebook, house.game, house.name) == ("new-jersey", "craps", "Boardwalk")
    assert house.elections["limits.min"] == 1500
    assert house.elections["lay.rate"] == Fraction(1, 25)
    assert house.elections["limits.max_by_wager.place-win-6"] == 600000
    assert "game" not in house.elections


def test_a_house_from_a_file(boardwalk: Path) -> None:
    house = house_for(str(boardwalk))
    assert (house.name, house.game, house.minimum) == ("Boardwalk", "craps", 1500)
    assert house.taken_multiples[4] == 10
    assert house.pays == {"field-12": Odds(3, 1)}
    # $100 laid on the 4 wins $50: 4% of it, rounded down, is $2.
    assert house.vig["lay"].charge(10000, Odds(1, 2)) == 200
    assert house.elected("offers.fire") == "A"


def test_a_house_from_a_rulebook() -> None:
    house = house_for("new-jersey")
    assert (house.name, house.game, house.minimum) == (
        "New Jersey regulation 19:47-1",
        "craps",
        500,
    )
    assert house_for("new-jersey", "mini-craps").game == "mini-craps"
    assert house_for("new-jersey", options=[("game", "mini-craps")]).game == "mini-craps"


def test_options_stand_over_the_file(boardwalk: Path) -> None:
    house = house_for(str(boardwalk), options=[("odds.multiple", "3-4-5"), ("limits.min", "25")])
    assert (house.taken_multiples[4], house.taken_multiples[5], house.taken_multiples[6]) == (
        3,
        4,
        5,
    )
    assert house.minimum == 2500
    assert house_for(str(boardwalk), options=[("offers.fire", "B")]).elected("offers.fire") == "B"


def test_a_general_election_clears_the_table_it_stands_for(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('rulebook = "new-jersey"\n[odds.multiple]\n4 = 3\n5 = 4\n')
    assert house_for(str(path)).taken_multiples == {4: 3, 5: 4, 6: 1, 8: 1, 9: 1, 10: 1}
    assert set(house_for(str(path), options=[("odds.multiple", "2")]).taken_multiples.values()) == {
        2
    }
    one = house_for(str(path), options=[("odds.multiple.4", "7")])
    assert (one.taken_multiples[4], one.taken_multiples[5]) == (7, 4)
    later = [("odds.multiple", "2"), ("odds.multiple.4", "5"), ("odds.multiple", "9")]
    assert set(house_for("new-jersey", options=later).taken_multiples.values()) == {9}
    table = house_for("new-jersey", options=[("odds.multiple", "{4 = 6}")])
    assert (table.taken_multiples[4], table.taken_multiples[5]) == (6, 1)


def test_the_command_lines_game_stands_over_the_files(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('rulebook = "new-jersey"\ngame = "mini-craps"\n')
    assert house_for(str(path)).game == "mini-craps"
    assert house_for(str(path), "craps").game == "craps"


def test_an_empty_game_is_no_game(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('rulebook = "new-jersey"\ngame = ""\n')
    assert 'game = "" is not allowed' in refused(str(path))
    assert 'game = "" is not allowed' in refused("new-jersey", game="")
    assert 'game = "" is not allowed' in refused("new-jersey", ("game", '""'))
    assert house_for(str(path), "craps").game == "craps"


def test_a_path_is_relative_to_its_base(boardwalk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert house_for("boardwalk.toml", base=boardwalk.parent).name == "Boardwalk"
    monkeypatch.chdir(boardwalk.parent)
    assert house_for("boardwalk.toml").name == "Boardwalk"
    boardwalk.rename(boardwalk.parent / "house")
    assert house_for("house").name == "Boardwalk"


def test_a_rulebooks_id_wins_over_a_file_of_that_name(
    boardwalk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boardwalk.rename(boardwalk.parent / "section-2")
    monkeypatch.chdir(boardwalk.parent)
    assert house_for("section-2").book.id == "section-2"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("", "house.toml is empty: expected house rules that begin with rulebook ="),
        (" \n\t\n", "house.toml is empty"),
        (b"\x00\x01\x02\xff\xfe", "house.toml: not UTF-8 text: expected a TOML file"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "house.toml: not readable as TOML:"),
        (b"#" * 1_000_001, "house.toml is over 1 MB: too large for house rules"),
        ('rulebook = "new-jersey\n', "(at line 1, column 23)"),
        ('rulebook = "new-jersey"\n\n[odds\nmultiple = 1', "(at line 3, column 6)"),
        ('rulebook = "new-jersey"\nname = "a"\nname = "b"\n\n', "(at line 3, column 11)"),
        ('rulebook = "new-jersey"\nbuy.rate = nan', "not readable as TOML: nan is no plain number"),
        ('rulebook = "new-jersey"\nbuy.rate = 1e999999999', "1e999999999 is no plain number"),
        ('rulebook = "new-jersey"\nodds.multiple = ' + "9" * 1900, "that is beyond any table"),
        ('rulebook = "new-jersey"\nodds.multiple = 0x' + "f" * 999, "that is beyond any table"),
        ('rulebook = "new-jersey"\nx = ' + "[" * 3000, "house.toml: "),
        ('rulebook = "new-jersey"\n' + ".".join("a" * 3000) + " = 1", "house.toml: "),
        ("odds.multiple = 10", "house.toml: no rulebook is named: expected rulebook ="),
        ('ruelbook = "iowa"', "no rulebook is named (is 'ruelbook' meant to be it?)"),
        ('rulebook = "new-jersy"', "there is no rulebook 'new-jersy': did you mean new-jersey?"),
        ('rulebook = "zzz"', "there is no rulebook 'zzz': the rulebooks are dealer-school, "),
        ("rulebook = 3", "house.toml: rulebook = 3: expected one of dealer-school, "),
        ('rulebook = "new-jersey"\nname = 3', "name = 3: expected words"),
        ('rulebook = "new-jersey"\nname = "a\\u001b[2J"', "expected words, at most 60 characters"),
        ('rulebook = "new-jersey"\nname = "' + "x" * 61 + '"', "at most 60 characters"),
        ('rulebook = "new-jersey"\ngame = 3', "game = 3: expected the name of a game"),
        ('rulebook = "new-jersey"\nodds.multipel = 3', "did you mean odds.multiple?"),
        (
            'rulebook = "new-jersey"\nodds = 3',
            "there is no house rule 'odds' under new-jersey; did you mean odds.",
        ),
        ('rulebook = "new-jersey"\n"a\\nb" = 3', "there is no house rule 'a\\nb'"),
        ('rulebook = "new-jersey"\npays.feild = "1 to 1"', "did you mean pays.field?"),
        ('rulebook = "new-jersey"\nlimits.min = "lots"', "limits.min = lots: expected dollars"),
        ('rulebook = "new-jersey"\nlimits.min = 1979-05-27', "expected dollars"),
        ('rulebook = "new-jersey"\noffers.fire = [1]', "expected true, false or a word"),
        ('rulebook = "new-jersey"\nodds.multiple = []', "odds.multiple = []: expected a number"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(data: bytes | str, words: str) -> None:
    assert words in unreadable(data)


def test_a_byte_order_mark_and_windows_lines_are_no_harm() -> None:
    data = b"\xef\xbb\xbf" + BOARDWALK.replace("\n", "\r\n").encode()
    assert parse_house_file(data, "house.toml").name == "Boardwalk"


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode()))
def test_no_bytes_end_in_anything_but_a_house_error(data: bytes) -> None:
    for text in (data, b'rulebook = "new-jersey"\n' + data):
        try:
            parse_house_file(text, "house.toml")
        except HouseError as wrong:
            one_line(str(wrong))


def test_what_is_no_file(tmp_path: Path) -> None:
    assert "there is no house-rules file" in refused(str(tmp_path / "nowhere.toml"))
    assert "is a folder: expected a house-rules file" in refused(str(tmp_path))
    assert "cannot be read" in refused("a\0b.toml")
    os.mkfifo(tmp_path / "pipe.toml")
    assert "is no plain file" in refused(str(tmp_path / "pipe.toml"))
    assert "is no plain file" in refused("/dev/zero")
    assert "cannot be read" in refused("x" * 300 + ".toml")


@pytest.mark.skipif(os.getuid() == 0, reason="nothing is closed to root")
def test_a_file_that_may_not_be_read(boardwalk: Path) -> None:
    boardwalk.chmod(0)
    assert "cannot be read: Permission denied" in refused(str(boardwalk))


def test_no_such_rulebook() -> None:
    assert refused("new-jersy") == "there is no rulebook 'new-jersy': did you mean new-jersey?"
    assert "the rulebooks are dealer-school, " in refused("zzz")
    assert "the rulebooks are" in refused("")
    assert "there is no rulebook" in refused("a\0b")
    assert "there is no rulebook" in refused("x" * 300)


def test_a_rulebook_that_does_not_hold_together(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(book_id: str) -> None:
        raise BookError(f"rulebook {book_id}: a field\nis missing")

    monkeypatch.setattr("passline.game.house.load.rulebook", broken)
    assert refused("new-jersey") == "rulebook new-jersey: a field is missing"


def test_elections_that_the_rulebook_does_not_allow(tmp_path: Path) -> None:
    assert refused("new-jersey", ("odds.multiple", "101")) == (
        "odds.multiple = 101 is not allowed; allowed: 1 to 100 [19:47-1.6(e)#1]"
    )
    assert refused("new-jersey", ("offers.fire", "A"), game="mini-craps") == (
        "offers.fire = A is not allowed; allowed: Fire is dealt only in craps [19:47-1.2(a)#2]"
    )
    two = refused("new-jersey", ("odds.multiple", "101"), ("buy.rate", "0.06"))
    assert two.endswith("[19:47-1.6(e)#1] (and 1 more)")
    assert refused("new-jersey", game="crapless").startswith("game = crapless is not allowed")
    path = tmp_path / "house.toml"
    path.write_text('rulebook = "section-2"\n[buy]\nwhen = "won"\n')
    assert refused(str(path)) == (
        f"{path}: buy.when = won is not allowed; allowed: made [2(e)(1)#3]"
    )
    # An option may set right what the file has wrong.
    assert house_for(str(path), options=[("buy.when", "made")]).vig["buy"].won_on == frozenset()


def test_options_that_cannot_be_read() -> None:
    assert "did you mean odds.multiple?" in refused("new-jersey", ("odds.multipel", "1"))
    assert "expected a number" in refused("new-jersey", ("odds.multiple", "lots"))


# passline lint


def lint(*args: str, text: str | bytes = "") -> Result:
    data = text.encode() if isinstance(text, str) else text
    return CliRunner().invoke(lint_command, args, prog_name="passline lint", input=data)


def test_lint_of_an_allowed_file(boardwalk: Path) -> None:
    done = lint(str(boardwalk))
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "OK: New Jersey regulation 19:47-1 allows every setting (15).\n"


def test_lint_of_a_file_that_is_not_allowed(boardwalk: Path) -> None:
    boardwalk.write_text(BOARDWALK.replace("multiple = 10", "multiple = 101"))
    done = lint(str(boardwalk))
    assert (done.exit_code, done.stderr) == (1, "")
    assert done.stdout == (
        "odds.multiple = 101\n"
        "  allowed: 1 to 100\n"
        "  19:47-1.6(e)#1, 19:47-1.6(e)#2\n"
        "Not allowed by New Jersey regulation 19:47-1: 1.\n"
    )


def test_lint_as_json(boardwalk: Path) -> None:
    good = lint(str(boardwalk), "--json")
    assert good.exit_code == 0
    assert json.loads(good.stdout) == {
        "rulebook": "new-jersey",
        "game": "craps",
        "name": "Boardwalk",
        "ok": True,
        "findings": [],
    }
    bad = lint("-", "--json", text='rulebook = "section-2"\npays.field-12 = "1 to 1"')
    assert (bad.exit_code, bad.stderr) == (1, "")
    assert json.loads(bad.stdout)["findings"] == [
        {
            "key": "pays.field-12",
            "value": "1 to 1",
            "allowed": "2 to 1 or more",
            "cite": "2(d)(2)/field-12",
            "also": ["2(d)(2)#1", "2(d)(2)#2"],
            "book": "section-2",
        }
    ]


def test_lint_of_a_game_that_the_book_lacks() -> None:
    done = lint("-", text='rulebook = "section-2"\ngame = "crapless"')
    assert done.exit_code == 1
    assert done.stdout.startswith("game = crapless\n  allowed: craps or mini-craps\n  2(b)(1)\n")


@pytest.mark.parametrize(
    ("election", "shown"),
    [
        ('game = ""', 'game = ""\n  allowed: craps, mini-craps or automated-craps\n'),
        ("offers.big-6 = true", "offers.big-6 = true\n  allowed: false (new-jersey has no such"),
        ("limits.max_by_wager.big-6 = 100", "limits.max_by_wager.big-6 = 100\n  allowed: nothing"),
        ('pays.all-small = "40 to 1"', "pays.all-small = 40 to 1\n  allowed: nothing (new-jersey"),
        ('pays.field-12 = "3 for 1"', "pays.field-12 = 3 for 1\n  allowed: 2 to 1 or more, posted"),
        ("odds.multiple = 0.5", "odds.multiple = 0.5\n  allowed: 1 to 100\n"),
        ("limits.max_by_wager.pass-odds = 1", "limits.max_by_wager.pass-odds = 1\n  allowed: at"),
    ],
)
def test_lint_of_what_can_be_read_and_is_not_allowed(election: str, shown: str) -> None:
    done = lint("-", text=f'rulebook = "new-jersey"\n{election}\n')
    assert (done.exit_code, done.stderr) == (1, "")
    assert done.stdout.startswith(shown)
    assert done.stdout.endswith("Not allowed by New Jersey regulation 19:47-1: 1.\n")


def test_lint_names_the_game_that_was_asked_for() -> None:
    for line, game in (("", "craps"), ('game = "mini-craps"', "mini-craps"), ('game = ""', "")):
        done = lint("-", "--json", text=f'rulebook = "new-jersey"\n{line}\n')
        assert json.loads(done.stdout)["game"] == game


@pytest.mark.parametrize(
    ("args", "text", "words"),
    [
        (["nowhere.toml"], "", "there is no house-rules file nowhere.toml"),
        (["/"], "", "/ is a folder"),
        (["-"], "", "standard input is empty"),
        (["-"], b"\xff\xff", "standard input: not UTF-8 text"),
        (["-"], "rulebook = ", "standard input: not readable as TOML: "),
        (["-"], b"x" * 1_000_001, "standard input is over 1 MB"),
        (["-"], 'rulebook = "new-jersey"\nodds.multipel = 1', "did you mean odds.multiple?"),
        (["-", "--json"], 'rulebook = "nj"', "there is no rulebook 'nj'"),
    ],
)
def test_lint_of_what_cannot_be_used(args: Sequence[str], text: str | bytes, words: str) -> None:
    done = lint(*args, text=text)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("passline lint: ")
    assert done.stderr.count("\n") == 1
    assert words in done.stderr


def test_lint_help_ends_with_an_example_that_works() -> None:
    help_text = lint("--help").stdout
    example = help_text.strip().splitlines()[-1].strip()
    assert example == (
        "printf 'rulebook = \"new-jersey\"\\nodds.multiple = 10\\n' | passline lint -"
    )
    done = lint("-", text='rulebook = "new-jersey"\nodds.multiple = 10\n')
    assert (done.exit_code, done.stdout) == (
        0,
        "OK: New Jersey regulation 19:47-1 allows every setting (1).\n",
    )


@pytest.mark.parametrize(
    "line",
    [
        ".".join(["a"] * 40_000) + " = 1",
        "limits." + ".".join(["a"] * 40_000) + " = 1",
        "[" + ".".join(["a"] * 40_000) + "]",
        '"' + "a" * 80_000 + '" = 1',
        "limits.max_by_wager." + "place-" * 14_000 + " = 1",
        "limits.min = " + "[" * 40_000,
    ],
    ids=["dots", "in a table", "a table", "quoted", "a wager", "lists"],
)
def test_a_key_without_end_is_refused_at_once(line: str) -> None:
    began = time.monotonic()
    said = unreadable(f'rulebook = "new-jersey"\n{line}\n')
    assert "line 2 is too long for house rules" in said
    assert time.monotonic() - began < 1  # read as TOML, the first takes half a minute


def test_a_long_comment_is_only_a_comment() -> None:
    assert parse_house_file(b'rulebook = "iowa"\n# ' + b"." * 5_000, "x").elections == {}


def test_more_elections_than_any_house_has() -> None:
    many = "".join(f"x{number} = 1\n" for number in range(2_000))
    said = unreadable(f'rulebook = "new-jersey"\n[fees]\n{many}')
    assert "over 1,000 elections: that is beyond any table" in said


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("limts", "there is no table of house rules 'limts' under iowa; did you mean limits?"),
        ("limits.max_by_wagr", "did you mean limits.max_by_wager?"),
        ("odds.multipel", "there is no table of house rules 'odds.multipel' under iowa"),
        ("offer", "there is no table of house rules 'offer' under iowa"),
        ("name-of-mine", "there is no table of house rules 'name-of-mine' under iowa"),
        ("limits.min", "there is no table of house rules 'limits.min' under iowa"),
        ("l\u0456mits", r"'l\u0456mits'"),
    ],
)
def test_an_empty_table_that_is_none(table: str, says: str) -> None:
    quoted = ".".join(f'"{part}"' for part in table.split("."))
    assert says in unreadable(f'rulebook = "iowa"\n[{quoted}]\n')
    assert says in unreadable(f'rulebook = "iowa"\n{quoted} = {{}}\n')


def test_an_empty_table_that_is_one_elects_nothing() -> None:
    for table in ("limits", "limits.max_by_wager", "odds", "odds.multiple", "pays", "offers"):
        text = f'rulebook = "new-jersey"\n[{table}]\n'
        assert parse_house_file(text.encode(), "house.toml").elections == {}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('"limits.m\u0430x" = 500', r"there is no house rule 'limits.m\u0430x' under new-jersey"),
        ('limits."m\u0430x" = 500', "did you mean limits.max?"),
        ('chips."bl\u0430ck" = 5', r"there is no house rule 'chips.bl\u0430ck' under new-jersey"),
        ('chips."\uff50ink" = 5', r"'chips.\uff50ink'"),
        ('"Limits".min = 5', "'Limits.min'"),
        ('offers.fire."a b" = 1', "keys are small letters, digits, dots and hyphens"),
    ],
)
def test_a_key_that_only_looks_like_one(line: str, says: str) -> None:
    assert says in unreadable(f'rulebook = "new-jersey"\n{line}\n')
