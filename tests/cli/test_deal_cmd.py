"""``passline deal``: what it reads, what it prints, how it exits."""

from __future__ import annotations

import gc
import json
import os
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from passline.cli import deal as deal_json
from passline.cli import deal as deal_view
from passline.cli.deal import command
from passline.crew.stick import make_stick_call
from passline.game.house.house import make_house
from passline.game.law.load import rulebook
from passline.record.deal import deal_text
from passline.record.read import RecordLine, read_lines, read_record
from tests.table.games import varied

RECORD = """\
rulebook: new-jersey
player: ann 500
player: bob 300

ann: pass for 10; field for 5
bob: dont-pass for 10; big-6 for 5
roll 3 3
"""


def deal(*args: str, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(command, list(args), input=text)


def show(text: str, book: str = "new-jersey", player: str = "ann 1000") -> list[str]:
    """What a person reads of a game, header and end left out."""
    result = deal("-", text=f"rulebook: {book}\nplayer: {player}\n\n{text}\n")
    assert result.exit_code == 0, result.stderr
    return result.stdout.splitlines()


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.craps"
    path.write_text(RECORD, "utf-8")
    return path


def test_long_names_of_bets_keep_the_columns() -> None:
    offers = "house.offers.muggsys-corner: A\nhouse.offers.different-doubles: A\n"
    game = "ann: pass for 10; muggsys-corner for 5; different-doubles for 5\nroll 2 4\nroll 4 3\n"
    text = f"rulebook: las-vegas\n{offers}player: ann 500\n\n{game}"
    lines = deal("-", text=text).stdout.splitlines()
    settled = [line for line in lines if line.startswith("      ann      ")]
    assert {line[15:32].strip() for line in settled} == {
        "pass line", "Muggsy's Corner", "different doubles"
    }  # fmt: skip
    assert len({line.index("[") for line in settled}) == 1


# What it reads


def test_a_file_and_standard_input_are_the_same(record: Path) -> None:
    assert deal(str(record)).stdout == deal("-", text=RECORD).stdout


def test_a_house_file_lies_beside_the_record(tmp_path: Path) -> None:
    (tmp_path / "boardwalk.toml").write_text('rulebook = "iowa"\nname = "Boardwalk"\n', "utf-8")
    record = tmp_path / "game.craps"
    record.write_text("house: boardwalk.toml\nplayer: ann 500\n", "utf-8")
    assert deal(str(record)).stdout.startswith("Boardwalk: craps under Iowa craps manual\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "standard input is empty"),
        (b"\xff\xfe", "standard input is not UTF-8 text"),
        (b"hello", "standard input, line 1: expected a header line"),
    ],
)
def test_standard_input_that_is_no_record(text: bytes, words: str) -> None:
    result = deal("-", text=text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_file_that_cannot_be_opened() -> None:
    result = deal("x" * 300 + ".craps")
    assert result.exit_code == 2
    assert "cannot be read: File name too long" in result.stderr


def test_an_error_without_a_line_names_the_file_alone(record: Path) -> None:
    record.write_bytes(b"rulebook: iowa\0\n")
    result = deal(str(record))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"command: {record}: this is not text")


def test_json_and_canonical_exclude_each_other(record: Path) -> None:
    result = deal(str(record), "--json", "--canonical")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "can't be used together" in result.stderr


# How it exits


@pytest.mark.parametrize("option", ["--json", "--canonical", None])
def test_a_refusal_exits_one_only_when_asked(record: Path, option: str | None) -> None:
    options = [option] if option else []
    assert deal(str(record), *options).exit_code == 0
    assert deal(str(record), "--strict", *options).exit_code == 1


@pytest.mark.parametrize("option", ["--json", "--canonical", None])
def test_strict_exits_nought_when_nothing_was_refused(record: Path, option: str | None) -> None:
    record.write_text(RECORD.replace("; big-6 for 5", ""), "utf-8")
    assert deal(str(record), "--strict", *([option] if option else [])).exit_code == 0


# What it prints


def test_json_is_one_object_and_nothing_else(record: Path) -> None:
    result = deal(str(record), "--json")
    dealt = json.loads(result.stdout)
    assert result.stderr == ""
    assert dealt["house"] == {
        "win": "5.00",
        "vig": "0.00",
        "drop": "800.00",
        "promo": "0.00",
        "tokes": "0.00",
    }
    assert dealt["refusals"][0]["said"] == "big-6 for 5"
    assert dealt["rolls"][0]["settlements"][0]["wager"] == "field"


def test_canonical_prints_a_record_that_deals_the_same(record: Path) -> None:
    record.write_text(RECORD.replace("field for 5", "$5 field"), "utf-8")
    once = deal(str(record), "--canonical").stdout
    assert once == RECORD
    assert deal("-", "--json", text=once).stdout == deal(str(record), "--json").stdout


@pytest.mark.parametrize("option", ["--strict", "--crew"])
def test_a_name_of_two_words_stays_two_words(option: str) -> None:
    text = "rulebook: iowa\nplayer: Mary Ann 100\nMary Ann: pass for 10\nroll 4 2\n"
    shown = deal("-", option, text=f"{text}Mary Ann: odds for 1000\nroll 4 3\n").stdout
    assert "Mary Ann" in shown
    assert "Mary_Ann" not in shown


def test_people_read_it_throw_by_throw() -> None:
    result = deal("-", text=RECORD)
    assert (
        result.stdout
        == """\
New Jersey regulation 19:47-1: craps
ann $500 · bob $300

   5  ann: pass line for $10
   5  ann: field for $5
   6  bob: don't pass for $10
   6  bob: big-6 for 5: refused
      big 6 is not a wager of this rulebook  [19:47-1.2(b)]
   7  ann takes the dice: 5 offered, 2 chosen, 3 put back

      [3][3] six, the hard way, no field, mark the six  (puck ON 6  ann shoots)
      ann      field                  $5  loses                        [19:47-1.2(a)11#3]
      ann: rail $485; up: pass line $10

ann: rail $485; up: pass line $10  (-$5)
bob: rail $290; up: don't pass $10  ($0)
house: win $5, drop $800
"""
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ann: pass for 10\nroll 4 3", "wins $10 at 1 to 1"),
        ("ann: dont-pass for 10\nroll 6 6", "pushes"),
        ("ann: pass for 10\nroll 2 2\nann: come for 10\nroll 5 4", "travels to come 9"),
        (
            "ann: pass for 10\nroll 2 2\nann: come for 10\nroll 5 4\nann: come-odds-9 for 10\n"
            "roll 3 1\nann: pass for 10\nroll 4 3",
            "comes back",
        ),
        (
            "ann: pass for 10\nroll 3 2\nann: buy-4 for 100\nroll 2 2",
            "wins $200 at 2 to 1, vigorish $5",
        ),
        ("ann: pass for 10 match 5\nroll 4 3", "wins $15 at 1 to 1"),
    ],
)
def test_each_result_has_its_word(text: str, words: str) -> None:
    assert any(words in line for line in show(text))


def test_losers_taken_out_of_the_win_are_said_to_stay_up() -> None:
    lines = show("ann: pass for 10; eleven for 5; any-craps for 5\nroll 6 5", "iowa")
    assert any("loses out of the win, stays up" in line for line in lines)


def test_an_award_without_odds_is_a_plain_win() -> None:
    dice = ("2 2", "3 2", "4 2", "5 3", "5 4", "6 4")
    play = "".join(f"ann: pass for 5\nroll {faces}\nroll {faces}\n" for faces in dice)
    line = next(line for line in show(play, "iowa") if "shootout  " in line)
    assert "wins $100  " in line


def test_a_composite_that_wins_a_part_back_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    # In a book that pays any seven 3 to 1 a whirl of five wins three and loses four.
    but = {"wager/any-seven/pays": [{"is": "3 to 1", "custom": "another book"}]}
    record = read_record(
        "rulebook: dealer-school\nplayer: ann 100\nann: pass for 5; whirl for 5\nroll 4 3\n"
    )
    deal_view.print_dealt_text(record, record.lines, make_house(varied("dealer-school", but)))
    assert "loses, $4 back" in capsys.readouterr().out


def test_automated_craps_names_no_shooter() -> None:
    result = deal(
        "-",
        text="rulebook: new-jersey\ngame: automated-craps\nplayer: ann 500\nroll 3 3\n",
    )
    assert "(puck ON 6)" in result.stdout


def test_a_throw_that_is_refused_has_nobody_before_it() -> None:
    assert "   4  roll 3 3: refused" in show("roll 3 3")


def test_the_dealers_have_no_rail_and_no_change() -> None:
    lines = show(
        "ann: pass for 10; hard-8 for 1 for the dealers; eleven for 1 for the dealers\nroll 6 5"
    )
    assert lines[-3:] == [
        "ann: rail $1,008  (+$8)",
        "the dealers: up: hard 8 $1",
        "house: win -$25, tokes $16, drop $1,000",
    ]
    assert "      the dealers: up: hard 8 $1" in lines
    columns = [line for line in lines if "wins" in line]
    assert [line.index(word) for line, word in zip(columns, ("pass", "eleven"), strict=True)] == [
        len("      the dealers ")
    ] * 2
    over = show("ann: pass for 10; eleven for 1 for the dealers\nroll 6 5")
    assert "      the dealers: nothing up" in over
    assert over[-2].startswith("ann: rail")


def test_the_end_shows_who_won_and_the_vigorish() -> None:
    lines = show("ann: pass for 10\nroll 4 3\nann: buy-4 for 20")
    assert lines[-2:] == [
        "ann: rail $989; up: buy 4 $20  (+$9)",
        "house: win -$10, vigorish $1, drop $1,000",
    ]


def test_help_ends_with_an_example_that_works() -> None:
    result = deal("--help")
    assert result.exit_code == 0
    example = result.stdout.strip().splitlines()[-1]
    text = example.split("'")[1].replace("\\n", "\n")
    dealt = deal("-", text=text)
    assert dealt.exit_code == 0
    assert "wins $10" in dealt.stdout


# As it comes


def lines(count: int) -> Iterator[RecordLine]:
    """A game of any length: wagers, throws and refusals in turns."""
    for number in range(4, 4 + count, 4):
        yield RecordLine(
            number=number, text="ann: pass for 10", player="ann", says=("pass for 10",)
        )
        yield RecordLine(number + 1, f"roll {1 + number % 6} {1 + number // 6 % 6}")
        yield RecordLine(
            number=number + 2, text="ann: field for 5", player="ann", says=("field for 5",)
        )
        yield RecordLine(
            number=number + 3, text="ann: big-6 for 5", player="ann", says=("big-6 for 5",)
        )


def peak(deal_it: Callable[[Iterator[RecordLine]], object], count: int) -> int:
    """The most memory that dealing so many lines takes, in bytes."""
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        deal_it(lines(100))  # what is made once is made
        seldom = gc.get_threshold()
        gc.set_threshold(700, 10, 10)  # Python's own: the tests look for garbage seldom
        tracemalloc.start()
        try:
            deal_it(lines(count))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
            gc.set_threshold(*seldom)


@pytest.mark.parametrize("way", ["json", "plain"])
def test_a_long_game_takes_no_more_memory_than_a_short_one(way: str) -> None:
    record = read_record("rulebook: new-jersey\nplayer: ann 1000000")
    house = make_house(rulebook("new-jersey"))

    def deal_it(lines: Iterator[RecordLine]) -> object:
        if way == "json":
            return deal_json.print_dealt_json(record, lines, house, make_stick_call)
        return deal_view.print_dealt_text(record, lines, house)

    short, long = peak(deal_it, 200), peak(deal_it, 2_000)
    assert long < short + 500_000  # 2,000 entries that are held take several times that


def test_lines_are_read_as_they_are_asked_for() -> None:
    texts = iter(["rulebook: iowa", "player: ann 100", "ann: pass for 10", "roll 4 3", "oops: no"])
    header, played = read_lines(texts)
    assert header.players[0].name == "ann"
    assert next(played).says == ("pass for 10",)
    assert next(played).text == "roll 4 3"
    assert next(texts) == "oops: no"


def test_json_is_the_object_of_the_library(record: Path) -> None:
    text = record.read_text("utf-8") + "ann: field for 5\nroll 4 3\n"
    record.write_text(text, "utf-8")
    shown = deal(str(record), "--json").stdout
    dealt = deal_text(text)
    assert json.loads(shown) == dealt.to_json()
    assert shown == json.dumps(dealt.to_json(), indent=1) + "\n"
    bare = "rulebook: iowa\nplayer: ann 5\n"
    shown = deal("-", "--json", text=bare).stdout
    assert shown == json.dumps(deal_text(bare).to_json(), indent=1) + "\n"


def test_nothing_is_printed_of_json_that_cannot_be_whole(record: Path) -> None:
    record.write_text(RECORD + "ann: dance\n", "utf-8")
    result = deal(str(record), "--json")
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_they_do_on_any_system(end: str) -> None:
    text = "\ufeff" + RECORD.replace("\n", end)
    assert deal("-", text=text.encode()).stdout == deal("-", text=RECORD).stdout
