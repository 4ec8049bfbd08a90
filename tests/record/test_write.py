"""Canonical writing: what is read and written is read the same again, line for line."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.game.table import commands as cmd
from passline.record.deal import deal_record, deal_text, load_record_house
from passline.record.read import read_record
from passline.record.table_lines import write_table_line
from passline.record.write import write_record
from passline.talk.canonical import format_command

HEAD = "rulebook: {book}\nplayer: ann 1000\nplayer: bob 500\n"


def written(line: str, book: str = "new-jersey") -> str:
    """One line in canonical words, dealt under a book; and stable when dealt again."""
    once = write_record(deal_text(HEAD.format(book=book) + line))
    assert write_record(deal_text(once)) == once
    return once.splitlines()[-1]


@pytest.mark.parametrize(
    "line",
    [
        "ann: pass for 10",
        "ann: pass for 12.50",
        "ann: pass to 25",
        "ann: place-win-8 down",
        "ann: hard-8 on",
        "ann: hard-8 off",
        "ann: all down",
        "ann: all on",
        "ann: all off",
        "ann: toke 5",
        "ann: pass for 10; field for 5; all down",
        "ann: pass for 10 match 25",
        "ann: field for 5 in the air",
        "ann: field for 5 in the air confirmed by dealer, boxperson",
        "ann: field for 5 in cash confirmed by dealer",
        "ann: field for 5 on call",
        "ann: hard-8 for 5 dice out",
        "ann: field for 5 no bet",
        "ann: field for 5 unnoticed",
        "ann: pass for 10 match 5 in the air confirmed by dealer",
        "roll 3 4",
        "roll 3 4 tampered",
        "no roll not-together by stickperson",
        "ruling 3 4 by boxperson",
        "ruling void by boxperson",
        "ann takes the dice",
        "ann declines the dice",
        "ann passes the dice",
        "boxperson orders ann to pass for delay",
        "ann asks for the same dice",
        "ann asks for new dice",
        "new dice damage",
        "ann buys in 200",
        "ann buys in 12.50",
        "ann colours up",
        "ann leaves",
        "ann stands",
        "ann sits",
        "clock 2007-04-02 09:00",
        "clock 0987-04-02 09:00",
    ],
)
def test_a_canonical_line_is_written_as_it_stands(line: str) -> None:
    assert written(line) == line


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("  ROLL  3   4 # a comment", "roll 3 4"),
        ("Roll 3 4 Tampered", "roll 3 4 tampered"),
        ("No Roll not-simultaneous by Stick", "no roll not-together by stickperson"),
        ("no roll judgement by box", "no roll improper by boxperson"),
        ("no roll in-bowl", "no roll in-cup by boxperson"),
        ("ruling 3 4 by boxman", "ruling 3 4 by boxperson"),
        ("floor orders ann to pass for Delay", "floorperson orders ann to pass for delay"),
        ("ann colors up", "ann colours up"),
        ("ann asks to color up", "ann asks to colour up"),
        ("ann Takes The Dice", "ann takes the dice"),
        ("ann buys in $1,200.00", "ann buys in 1200"),
        ("NEW DICE age", "new dice age"),
        ("ann:pass for 10;;field for 5;", "ann: pass for 10; field for 5"),
        ("ann: PASS FOR 10", "ann: pass for 10"),
        ("ann: toke for 5", "ann: toke 5"),
        (
            "ann: pass for 10 confirmed by box and dealer in the air",
            "ann: pass for 10 in the air confirmed by boxperson, dealer",
        ),
        ("ann: pass line for ten dollars", "ann: pass for 10"),
        ("ann: take me down", "ann: all down"),
        ("clock 2007-4-2 9:00", "clock 2007-04-02 09:00"),
    ],
)
def test_another_way_to_say_it_is_written_canonically(line: str, canonical: str) -> None:
    assert written(line) == canonical


def test_talk_that_cannot_be_played_is_written_as_it_was_said() -> None:
    assert written("ann: press the 8") == "ann: press the 8"


def test_the_header_is_written_whole(tmp_path: Path) -> None:
    text = (
        "rulebook: new-jersey\ngame: mini-craps\nhouse: boardwalk.toml\n"
        "house.odds.multiple: 10\nhouse.limits.min: 15\nplayer: ann 500\nplayer: bob 12.50\n\n"
        "ann: pass for 15\n"
    )
    rules = 'rulebook = "new-jersey"\nlimits.smallest_chip = 0.50\n'
    (tmp_path / "boardwalk.toml").write_text(rules, "utf-8")
    record = read_record(text)
    assert write_record(deal_record(record, load_record_house(record, tmp_path))) == text


def test_a_header_may_leave_the_rulebook_to_the_house_file(tmp_path: Path) -> None:
    (tmp_path / "boardwalk.toml").write_text('rulebook = "iowa"\n', "utf-8")
    record = read_record("house: boardwalk.toml\nplayer: ann 500\n")
    dealt = deal_record(record, load_record_house(record, tmp_path))
    assert write_record(dealt) == "house: boardwalk.toml\nplayer: ann 500\n\n"
    assert dealt.to_json()["rulebook"] == "iowa"


@pytest.mark.parametrize("command", [cmd.Roll(3, 4), cmd.Leave("ann")])
def test_what_no_player_says_is_no_say(command: cmd.AnyCommand) -> None:
    with pytest.raises(TypeError, match="has no canonical phrase"):
        format_command(command)


def test_what_a_player_says_is_no_line_of_the_table() -> None:
    with pytest.raises(TypeError, match="is not a line of the table"):
        write_table_line(cmd.TakeAllDown("ann"))
