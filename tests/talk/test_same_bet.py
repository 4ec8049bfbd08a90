"""`same bet` makes the bets again that came down when they were decided, and no others."""

from __future__ import annotations

import pytest

from passline.game.words.refusals import describe_refusal
from passline.record.deal import deal_line, deal_text, load_record_house, open_record_table
from passline.record.read import read_record
from passline.record.write import write_record
from passline.talk.errors import UnplayableError
from passline.talk.same_bet import BetMemory
from passline.talk.understand import understand

HEAD = "rulebook: iowa\nplayer: ann 1000\nplayer: bob 1000\nann: pass for 10\n"


def said(game: str) -> list[str]:
    return [entry.words for entry in deal_text(HEAD + game).entries if entry.line >= 5]


def test_a_lost_field_bet_is_made_again() -> None:
    game = "roll 3 3\nann: field for 5\nroll 4 3\nann: pass for 10\nroll 4 4\nann: same bet\n"
    assert said(game)[-1] == "field for 5"  # the line lost too, and is up again
    game = "roll 3 3\nann: field for 5\nroll 4 4\nann: same bet\n"
    assert said(game)[-1] == "field for 5"


def test_a_seven_out_repeats_the_flat_wagers_and_not_their_odds() -> None:
    game = "roll 3 3\nann: pass-odds for 10; place-win-8 for 12; come for 10\nroll 5 4\n"
    game += "ann: come-odds-9 for 10\nroll 4 3\nann: same bet\n"
    assert sorted(said(game)[-2:]) == ["pass for 10", "place-win-8 for 12"]


def test_a_throw_that_decides_nothing_forgets_nothing() -> None:
    game = "roll 3 3\nann: field for 5\nroll 4 4\nroll 4 4\nann: same bet\n"
    assert said(game)[-1] == "field for 5"


def test_what_is_up_again_is_not_doubled() -> None:
    game = "roll 3 3\nann: field for 5; yo for 1\nroll 4 4\nann: field for 5; same bet; same bet\n"
    dealt = deal_text(HEAD + game)
    assert [entry.words for entry in dealt.entries[-2:]] == ["eleven for 1", "same bet"]
    assert dealt.entries[-1].refusal is not None


def test_one_of_them_by_name_and_each_player_for_himself() -> None:
    game = "bob: yo for 2\nroll 3 3\nann: field for 5; yo for 1\nroll 4 4\n"
    assert said(game + "ann: same yo\n")[-1] == "eleven for 1"
    assert said(game + "bob: same bet\n")[-1] == "eleven for 2"
    assert deal_text(HEAD + game + "ann: same on the horn\n").entries[-1].refusal is not None


@pytest.mark.parametrize("talk", ["same bet", "same again", "repeat", "same thing"])
def test_nothing_to_repeat_is_refused_and_the_record_is_canonical(talk: str) -> None:
    dealt = deal_text(HEAD + f"ann: {talk}\n")
    (refused,) = dealt.refusals
    assert refused.refusal is not None
    assert "no decided wager" in describe_refusal(refused.refusal)
    game = deal_text(HEAD + "roll 3 3\nann: field for 5\nroll 4 4\nann: " + talk + "\n")
    assert write_record(game).splitlines()[-1] == "ann: field for 5"
    assert deal_text(write_record(game)).table == game.table


def test_a_winner_that_stays_up_is_the_same_bet() -> None:
    game = "roll 3 3\nann: field for 5; place-win-8 for 12\nroll 5 3\nann: same bet\n"
    assert said(game)[-1] == "place-win-8 to 12"  # left as it is; the field is asked for by name
    assert said(game + "ann: same field\n")[-1] == "field for 5"
    game = (
        "roll 3 3\nann: field for 5\nroll 4 4\nann: place-win-8 for 12\nroll 5 3\nann: same bet\n"
    )
    assert said(game)[-1] == "place-win-8 to 12"  # never the field that lost before it
    assert (
        said(game.replace("ann: same", "ann: place-win-8 down; same"))[-1] == "place-win-8 for 12"
    )
    assert said(game.replace("ann: same", "ann: press the eight; same"))[-1] == "place-win-8 to 24"


@pytest.mark.parametrize(
    ("game", "talk", "words"),
    [
        ("roll 4 3\n", "let it ride", "pass for 20"),
        ("roll 4 3\nann: pass for 10\n", "let my line ride", "pass to 20"),
        ("roll 3 3\nann: field for 5\nroll 5 4\n", "let it ride", "field for 10"),
        ("roll 3 3\nann: place-win-5 for 25\nroll 4 1\n", "let it ride", "place-win-5 to 60"),
        ("roll 3 3\nann: place-win-5 for 25\nroll 4 1\n", "let the five ride", "place-win-5 to 60"),
    ],
)
def test_a_win_rides(game: str, talk: str, words: str) -> None:
    dealt = deal_text(HEAD + game + f"ann: {talk}\n")
    assert (dealt.entries[-1].words, dealt.entries[-1].refusal) == (words, None)


@pytest.mark.parametrize(
    ("game", "talk", "choices"),
    [
        (
            "roll 3 3\nann: place-win-8 for 12\nroll 4 4\n",
            "let it ride",
            ("press place-win-8 to 24", "press place-win-8 to 30"),
        ),
        (
            "roll 3 3\nann: field for 5; place-win-9 for 25\nroll 5 4\n",
            "let it ride",
            ("let field ride", "let place-win-9 ride"),
        ),
        ("roll 3 3\nann: field for 5\nroll 4 4\n", "let it ride", ()),
    ],
)
def test_what_cannot_ride_is_refused(game: str, talk: str, choices: tuple[str, ...]) -> None:
    memory: BetMemory = {}
    record = read_record(HEAD + game)
    table = open_record_table(record, load_record_house(record))
    for line in record.lines:
        table = list(deal_line(table, line, memory))[-1][1]
    with pytest.raises(UnplayableError) as refused:
        understand(table, "ann", talk, memory)
    assert sorted(refused.value.choices) == sorted(choices)
