"""Table talk is normalized to plain words."""

from __future__ import annotations

import pytest

from passline.game.law.clauses import list_clauses
from passline.talk.normalize import convert_number_words, load_slang, normalize_words


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Place the six for $12", "place 6 for $12"),
        ("give me a yo-leven for five dollars, please!", "eleven for $5"),
        ("don’t pass line for twenty-five", "dont-pass for 25"),
        ("DONT COME for 10", "dont-come for 10"),
        ("any 7 for 1", "any-seven for 1"),
        ("snake eyes for a buck", "craps-2 for $1"),
        ("midnight for 1", "craps-12 for 1"),
        ("world for 5", "whirl for 5"),
        ("c & e for 2", "c-and-e for 2"),
        ("high low for 2", "hi-lo for 2"),
        ("hard way 8 for 5", "hard-8 for 5"),
        ("place six, eight for 12 each", "place 6 , 8 for 12 each"),
        ("  press   the eights  ", "press 8"),
        ("three nickels on the 8’s", "$15 on 8"),
        ("$ 5 “yo”", "$5 eleven"),
        ("1.5 nickels on the field", "1.5? on field"),
        ("$1,500, field", "$1,500 , field"),
        ("hop-6-1 for 1", "hop-1-6 for 1"),
    ],
)
def test_small_words_go_and_numbers_are_figures(said: str, plain: str) -> None:
    assert " ".join(normalize_words(said)) == plain


@pytest.mark.parametrize(
    ("spelled", "figures"),
    [
        ("five", "5"),
        ("nineteen", "19"),
        ("twenty", "20"),
        ("ninety nine", "99"),
        ("twenty twelve", "20 12"),
        ("twenty ten", "20 10"),
        ("six eight", "6 8"),
        ("one hundred", "100"),
        ("hundred", "100"),
        ("five hundred", "500"),
        ("5 hundred", "500"),
        ("two hundred and fifty", "250"),
        ("two hundred and", "200 and"),
        ("a hundred six", "a 106"),
        ("fifteen hundred", "1500"),
        ("thousand", "1000"),
        ("2 grand", "2000"),
        ("two thousand five hundred", "2500"),
        ("two thousand five hundred and one", "2501"),
        ("twenty five thousand", "25000"),
        ("six and eight", "6 and 8"),
        ("tens", "10"),
        ("6s sixes", "6 6"),
        ("12345678 hundred", "12345678 100"),
        ("s", "s"),
    ],
)
def test_spelled_numbers(spelled: str, figures: str) -> None:
    assert " ".join(convert_number_words(spelled.split())) == figures


def test_every_slang_word_cites_a_clause_of_its_book_or_gives_its_reason() -> None:
    clauses = {book: {c.id for c in list_clauses(book)} for book in ("iowa", "dealer-school")}
    for entry in load_slang().entries:
        assert bool(entry.book) == bool(entry.clauses and entry.clauses[0])
        if entry.book:
            assert set(entry.clauses) <= clauses[entry.book], entry
        else:
            assert entry.custom


@pytest.mark.parametrize(
    ("clause", "said", "plain"),
    [
        pytest.param(term, said, plain, marks=pytest.mark.clause(f"dealer-school:term.{term}"))
        for term, said, plain in [
            ("aces", "aces", "craps-2"),
            ("ace-deuce", "ace-deuce", "craps-3"),
            ("big-red", "Big Red", "any-seven"),
            ("boxcars", "boxcars", "craps-12"),
            ("center-field", "center field", "total-9"),
            ("fever", "fever", "total-5"),
            ("front-line", "front line", "pass"),
            ("little-joe", "Little Joe", "total-4"),
            ("little-phoebe", "Little Phoebe", "total-5"),
            ("midnight", "midnight", "craps-12"),
            ("puppy-paws", "puppy paws", "total-10"),
            ("snake-eyes", "snake eyes", "craps-2"),
            ("square-pair", "square pair", "hard-8"),
            ("winner-on-dark-side", "winner on the dark side", "craps-3"),
        ]
    ],
)
def test_the_school_s_nicknames(clause: str, said: str, plain: str) -> None:
    assert " ".join(normalize_words(said)) == plain
    total = plain.rpartition("-")[2]
    figures = next(c.figures for c in list_clauses("dealer-school") if c.id == f"term.{clause}")
    if total.isdigit():  # the number that the school gives it
        assert f"total={total}" in figures
