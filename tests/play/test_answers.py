"""Questions that players put to a dealer, and what is no question."""

from __future__ import annotations

import pytest

from passline.game.law.book_files import BOOKS
from passline.play.screen_commands import Command, find_command

from .tables import game_at, sit, words


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("what's the minimum", "The minimum is $5 and the maximum $5,000, the center from $1."),
        ("What is the table minimum?", "The minimum is $5"),
        ("what's the max?", "the maximum $5,000"),
        ("minimum?", "The minimum is $5"),
        ("what's the minimum on the yo", "yo: $1 to $5,000."),
        ("what's the max on odds", "depends on the flat bet"),
        ("what does the field pay", "field pays 1 to 1 on 3, 4, 9, 10 and 11"),
        ("what does the six pay?", "place 6 pays 7 to 6. It wins 45.5%"),
        ("how much does a horn pay", "horn pays"),
        ("what do the hardways pay", "hard 10 pays 7 to 1"),
        (
            "what are the odds on the hard eight",
            "hard 8 pays 9 to 1. It wins 9.1% of its decisions",
        ),
        ("what's the house edge on big red?", "house edge 16.667%"),
        ("what does hocus pay", 'I know no wager called "hocus"'),
        ("what's the payout", "Which wager?"),
    ],
)
def test_a_question_is_answered(asked: str, answer: str) -> None:
    session = sit()
    assert answer in words(session, asked).replace("\n    ", " ")
    assert session.game.table.seat("ann").wagers == {}


@pytest.mark.parametrize("asked", ["who has the dice?", "what's the point", "how much do I have?"])
def test_the_table_answers_some_by_itself(asked: str) -> None:
    assert "in your rail" in words(sit(), asked)


def test_an_answer_of_the_talk_is_no_refusal() -> None:
    """`how much is the field` is answered without "No" and without a citation."""
    shown = words(sit(), "how much is the field")
    assert shown.startswith("Field takes $5 to $5,000")
    assert "[" not in shown
    assert words(sit(), "field for 2").startswith("No: field takes at least $5 [")


def test_odds_are_told_with_a_line_up() -> None:
    session = sit(throws=[(3, 3)])
    assert "no house edge" in words(session, "pass for 10; roll", "what do the odds pay")


@pytest.mark.parametrize("book", sorted(BOOKS))
def test_every_wager_can_be_asked_about_by_its_name(book: str) -> None:
    from passline.game.words.wagers import screen_wager_name
    from passline.play.answers import answer_question

    table = game_at(book).table
    for spot in table.layout.spots.values():
        if spot.flat or spot.family.endswith("come") or spot.tiers:
            continue
        (told, *_) = answer_question(table, "ann", f"pays {screen_wager_name(spot.slug)}")
        assert told.startswith(f"{screen_wager_name(spot.slug)} pays "), told


@pytest.mark.parametrize(
    ("said", "door"),
    [
        ("bets", Command("bets")),
        ("bets 6", Command("bets", "6")),
        ("bets on", None),
        ("bets off", None),
        ("Bets are working", None),
        ("bets down", None),
        ("new dice please", Command("does", "ann asks for new dice")),
        ("can I have new dice, please?", Command("does", "ann asks for new dice")),
        ("I'll pass the dice", Command("does", "ann passes the dice")),
        ("color me up please", Command("does", "ann colours up")),
        ("roll the dice please", Command("roll")),
        ("throw the dice!", Command("roll")),
        ("help me", Command("help")),
        ("table please", Command("table")),
        ("why not", Command("why")),
        ("6 six", None),
        ("no odds", None),
        ("throw 5 on the yo", None),
        ("change 100 to green", None),
        ("pass line for 10", None),
        ("odds", Command("odds")),
        ("odds for 10", None),
    ],
)
def test_what_is_asked_of_the_screen_and_what_of_the_dealer(
    said: str, door: Command | None
) -> None:
    assert find_command(said, "ann", game_at().table, typed=False) == door


def test_bets_on_calls_them_on() -> None:
    session = sit()
    words(session, "place the 6 for 12")
    assert "Place 6 is on." in words(session, "bets on")
    assert "Place 6 is off." in words(session, "bets off")


def test_chips_are_changed() -> None:
    assert words(sit(), "change 100 to green") == "$100 changed: 4 green."
