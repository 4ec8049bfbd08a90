"""Table talk: what a player says, and the canonical phrase it is understood as."""

from __future__ import annotations

import pytest

from passline.game.words.refusals import describe_refusal
from passline.record.deal import Dealt, deal_text
from passline.record.write import write_record
from passline.talk.errors import RecordError

HEAD = "rulebook: {book}\nhouse.odds.multiple: 3-4-5\nplayer: ann 5000\nann: pass for 10\n"


def said(talk: str, book: str = "new-jersey", point: str = "roll 3 3\n") -> str:
    dealt = heard(talk, book, point)
    assert [entry.refusal for entry in dealt.entries if entry.refusal] == []
    return write_record(dealt).splitlines()[-1].removeprefix("ann: ")


def heard(talk: str, book: str = "new-jersey", point: str = "roll 3 3\n") -> Dealt:
    header = HEAD.format(book=book)
    if book == "iowa":
        header = header.replace("house.odds.multiple: 3-4-5\n", "")
    return deal_text(header + point + f"ann: {talk}\n")


@pytest.mark.parametrize(
    ("talk", "canonical"),
    [
        ("place the 6 for 12", "place-win-6 for 12"),
        ("Place the six for twelve dollars", "place-win-6 for 12"),
        ("place six and eight for 12 each", "place-win-6 for 12; place-win-8 for 12"),
        ("12 on the 8", "place-win-8 for 12"),
        ("$12 on the eight", "place-win-8 for 12"),
        ("buy the four for 25", "buy-4 for 25"),
        ("lay me 60 against the ten", "lay-10 for 60"),
        ("lay the 10 for $60", "lay-10 for 60"),
        ("hard eight for five", "hard-8 for 5"),
        ("yo for 5", "eleven for 5"),
        ("$5 yo", "eleven for 5"),
        ("aces for 1", "craps-2 for 1"),
        ("boxcars for 1", "craps-12 for 1"),
        ("horn high yo for 5", "horn-high-11 for 5"),
        ("horn high aces for 5", "horn-high-2 for 5"),
        ("any craps for 2", "any-craps for 2"),
        ("$2 any-craps", "any-craps for 2"),
        ("big red for 1", "any-seven for 1"),
        ("c and e for 2", "c-and-e for 2"),
        ("field for five", "field for 5"),
        ("come for twenty-five", "come for 25"),
        ("don't come for 10", "dont-come for 10"),
        ("odds for 50", "pass-odds for 50"),
        ("50 odds", "pass-odds for 50"),
        ("full odds", "pass-odds for 50"),
        ("hop-2-2 for 1", "hop-2-2 for 1"),
    ],
)
def test_talk_is_understood(talk: str, canonical: str) -> None:
    assert said(talk) == canonical


@pytest.mark.parametrize(
    ("talk", "parts"),
    [
        ("$64 across", {4: 10, 5: 10, 6: 12, 8: 12, 9: 10, 10: 10}),
        ("across for 32", {4: 5, 5: 5, 6: 6, 8: 6, 9: 5, 10: 5}),
        ("27 across no 4", {5: 5, 6: 6, 8: 6, 9: 5, 10: 5}),
        ("44 inside", {5: 10, 6: 12, 8: 12, 9: 10}),
        ("outside for 20 each", {4: 20, 5: 20, 9: 20, 10: 20}),
    ],
)
def test_groups_follow_the_school_tables(talk: str, parts: dict[int, int]) -> None:
    wagers = "; ".join(f"place-win-{n} for {amount}" for n, amount in parts.items())
    assert said(talk, "dealer-school") == wagers


def test_groups_leave_out_the_point_in_iowa() -> None:
    assert said("16 inside", "iowa") == "place-win-5 for 5; place-win-8 for 6; place-win-9 for 5"


def test_a_press_doubles_or_goes_to_an_amount() -> None:
    assert said("place-win-8 for 6; press the 8").endswith("place-win-8 to 12")
    assert said("place-win-8 for 6; press the eight to 18").endswith("place-win-8 to 18")
    assert said("buy-4 for 20; press the 4").endswith("buy-4 to 40")


def test_full_odds_behind_odds_that_are_up_are_a_raise() -> None:
    # Three, four, five times: fifty behind a flat of ten on the six.
    assert said("odds for 20; full odds").endswith("pass-odds to 50")
    assert said("full odds", point="ann: pass down; dont-pass for 10\nroll 2 2\n") == (
        "dont-pass-odds for 60"
    )


def test_turn_me_off_and_take_me_down() -> None:
    dealt = heard("place-win-8 for 6; hard-8 for 1; turn me off; turn me on; take me down")
    assert dealt.table.seats[0].wagers.keys() == {"pass"}
    words = [entry.words for entry in dealt.entries[-3:]]
    assert words == ["all off", "all on", "all down"]


@pytest.mark.parametrize(
    ("talk", "words"),
    [
        ("place the 7 for 12", "is not understood"),
        ("5 banana", "is not understood"),
        ("across", "for how much? say 'across for' and an amount"),
        ("27 across for 54", "is not understood"),
        ("dont-pass-odd for 5", "the nearest wager is don't pass odds: did you mean"),
    ],
)
def test_talk_that_is_not_understood_is_never_guessed(talk: str, words: str) -> None:
    with pytest.raises(RecordError, match="line") as caught:
        heard(talk)
    assert words in str(caught.value)


@pytest.mark.parametrize(("length", "shown"), [(60, "q" * 60), (61, "q" * 57 + "...")])
def test_what_is_not_understood_is_shown_in_short(length: int, shown: str) -> None:
    with pytest.raises(RecordError) as caught:
        heard("q" * length)
    assert f"{shown!r} is not understood: expected" in str(caught.value)


def test_the_nearest_wager_is_named_by_the_first_word_or_by_all_of_it() -> None:
    for talk in ("feild for 5", "hard8 for 5", "c amd e"):
        with pytest.raises(RecordError, match="the nearest wager is "):
            heard(talk)


@pytest.mark.parametrize(
    ("talk", "book", "point", "words", "cite"),
    [
        (
            "across for 33",
            "iowa",
            "roll 3 3\n",
            "'across without the point for 26'",
            "place-groups",
        ),
        ("outside for 7 each", "iowa", "roll 3 3\n", "units of $5", "place-groups/outside"),
        ("33 across", "new-jersey", "roll 3 3\n", "'across with the point for 32'", "custom: "),
        ("odds for 10", "new-jersey", "ann: dont-pass for 10\nroll 3 3\n", "both", "custom: "),
        ("full odds", "new-jersey", "", "need a point", "custom: "),
        ("odds for 10", "new-jersey", "ann: pass down\n", "no line wager is up", "custom: "),
        ("press the 8", "new-jersey", "", "no wager up on the 8", "custom: "),
    ],
)
def test_talk_that_cannot_be_played_is_refused(
    talk: str, book: str, point: str, words: str, cite: str
) -> None:
    dealt = heard(talk, book, point)
    (refused,) = dealt.refusals
    assert refused.refusal is not None
    assert words in describe_refusal(refused.refusal)
    assert refused.refusal.cite.startswith(cite)
    assert not refused.events


@pytest.mark.parametrize(
    ("talk", "needed", "made"),
    [
        ("64 across", 6_400, []),
        ("12 on the 6 and 36 on the 8", 4_800, []),
        ("buy the 4 and 10 for 20 each", 4_200, []),  # with the vigorish
        ("place-win-6 for 12; place-win-8 for 36", 3_600, ["place-win-6"]),
    ],
)
def test_a_sentence_of_bets_that_the_rail_does_not_cover_books_none(
    talk: str, needed: int, made: list[str]
) -> None:
    start = "rulebook: new-jersey\nplayer: ann 51\nann: pass for 10\nroll 3 1\n"
    dealt = deal_text(f"{start}ann: {talk}\n")
    assert [one.refusal.figures["needed"] for one in dealt.refusals if one.refusal] == [needed]
    assert list(dealt.table.seat("ann").wagers) == ["pass", *made]
