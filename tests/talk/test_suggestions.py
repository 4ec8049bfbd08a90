"""Talk that is not understood: the known words and the nearest phrase are offered, never played."""

from __future__ import annotations

import pytest

from passline.game.table.state import Table
from passline.record.deal import deal_text
from passline.talk.errors import NotUnderstoodError, RecordError
from passline.talk.understand import understand

HEAD = "rulebook: new-jersey\nplayer: ann 500\nann: pass for 10\nroll 3 3\n"


@pytest.fixture(scope="module")
def table() -> Table:
    return deal_text(HEAD + "ann: place-win-6 for 12\n").table


@pytest.mark.parametrize(
    ("talk", "known", "suggestion"),
    [
        ("plaice the six for 12", ("the six for 12",), "place the six for 12"),
        ("palce the sic for 12", ("the", "for 12"), "place the six for 12"),
        ("passs for 10", ("for 10",), "pass for 10"),
        ("hard8 for 5", ("for 5",), "hard-8 for 5"),
        ("press the sux", ("press the",), "press the six"),
        ("yo for fiv", ("yo for",), "yo for five"),
        ("uh twelve on the six mate", ("twelve on the six",), "twelve on the six"),
        ("don’t psas for 10", ("don't", "for 10"), "don't pass for 10"),
        ("press teh six", ("press", "six"), "press the six"),
        ("press the sevn", ("press the",), ""),
        ("-5 on the six", ("on the six",), ""),
        ("banana split", (), ""),
        ("ggg hhh jjj kkk yo for 5", ("yo for 5",), ""),
        # A word that may change the meaning is never left out, and one slip is all that is mended.
        ("bump up 6 onto the six", ("bump up 6", "the six"), ""),
        ("shift my six for 12", ("my six for 12",), ""),
        ("bob: pass for 10", ("pass for 10",), ""),
        ("12 on the six from bob", ("12 on the six from",), ""),
        ("i wont take odds for 30", ("i", "take odds for 30"), ""),
        ("golden cross", ("cross",), ""),
        ("a green on the line", ("a", "on the line"), ""),
    ],
)
def test_known_words_and_the_suggestion(
    table: Table, talk: str, known: tuple[str, ...], suggestion: str
) -> None:
    with pytest.raises(NotUnderstoodError) as caught:
        understand(table, "ann", talk)
    wrong = caught.value
    assert (wrong.known_words, wrong.suggestion) == (known, suggestion)
    if suggestion:
        assert understand(table, "ann", suggestion)
        assert f"did you mean '{suggestion}'?" in str(wrong)
    else:
        assert "expected a bet such as 'pass for 10'" in str(wrong)


def test_the_suggestion_lives_on_with_its_line_number() -> None:
    with pytest.raises(NotUnderstoodError, match="line 5: ") as caught:
        deal_text(HEAD + "ann: plaice the six for 12\n")
    assert caught.value.suggestion == "place the six for 12"
    assert caught.value.line == 5


def test_a_wager_without_its_amount_is_asked_for(table: Table) -> None:
    for talk in ("yo", "odds", "place the six", "hard eight and yo", "across"):
        with pytest.raises(NotUnderstoodError, match="for how much") as caught:
            understand(table, "ann", talk)
        assert caught.value.suggestion == ""


@pytest.mark.parametrize("talk", ["place the six for 12 " * 40, "yo " * 30, "q" * 600, "a" * 300])
def test_long_talk_is_not_mended(table: Table, talk: str) -> None:
    with pytest.raises(RecordError) as caught:
        understand(table, "ann", talk)
    assert "did you mean" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "talk",
    [
        "place the thing",
        "buy what",
        "lay down low for 5",
        "press all day",
        "place it",
    ],
)
def test_no_wager_is_called_near_that_has_nothing_to_do_with_it(table: Table, talk: str) -> None:
    with pytest.raises(RecordError) as caught:
        understand(table, "ann", talk)
    assert "nearest wager" not in str(caught.value)


def test_what_could_not_be_played_may_still_be_what_was_meant(table: Table) -> None:
    with pytest.raises(NotUnderstoodError) as caught:
        understand(table, "ann", "press the tenn")
    assert caught.value.suggestion == "press the ten"
