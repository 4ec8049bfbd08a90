"""Houses: odds multiples by number, the lawful way to make one, and what the package offers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from passline.game.house.house import House, Multiple, make_house
from passline.game.house.lint import lint
from passline.game.house.lint_findings import Finding
from passline.game.house.load import HouseError, house_for, make_lawful_house
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.law.shapes.odds import OddsRule
from passline.game.law.wager_names import iter_slugs, odds_numbers
from passline.game.words.refusals import describe_refusal
from passline.record.deal import deal_text

POINTS = (4, 5, 6, 8, 9, 10)
NJ = rulebook("new-jersey")


def house(book: str, **given: Any) -> House:
    """A house with odds elected: ``multiple``, or ``on_5`` for a point's own."""
    keys = {"multiple": "odds.multiple"} | {f"on_{n}": f"odds.multiple.{n}" for n in range(2, 13)}
    return make_house(rulebook(book), given={keys[key]: value for key, value in given.items()})


# Odds


def test_iowas_own_table_bounds_the_stake_that_is_laid() -> None:
    found = house("iowa")
    assert (found.laid_by, found.laid_multiples) == (
        "stake",
        {4: 20, 5: 15, 6: 12, 8: 12, 9: 15, 10: 20},
    )
    assert set(found.taken_multiples.values()) == {10}


def test_an_elected_multiple_bounds_what_laid_odds_win() -> None:
    found = house("iowa", multiple=4)
    assert (found.laid_by, set(found.laid_multiples.values())) == ("win", {4})


def test_one_points_own_multiple_turns_the_rest_of_the_table_into_wins() -> None:
    # 20, 15 and 12 times the flat, at 1 to 2, 2 to 3 and 5 to 6, all win ten times the flat.
    found = house("iowa", on_5=3)
    assert (found.laid_by, found.laid_multiples) == (
        "win",
        {4: 10, 5: 3, 6: 10, 8: 10, 9: 10, 10: 10},
    )
    assert found.taken_multiples == {4: 10, 5: 3, 6: 10, 8: 10, 9: 10, 10: 10}
    assert {type(times) for times in found.laid_multiples.values()} == {int}


def laid(point: str, amount: str, *elections: str) -> list[str]:
    """The refusals of a lay of odds behind $10 on don't pass."""
    header = "".join(f"house.{election}\n" for election in elections)
    record = f"rulebook: iowa\n{header}player: ann 1000\nann: dont-pass for 10\nroll {point}\n"
    dealt = deal_text(record + f"ann: dont-pass-odds for {amount}\n")
    return [describe_refusal(entry.refusal) for entry in dealt.entries if entry.refusal is not None]


@pytest.mark.parametrize(
    ("point", "most", "over"),
    [
        # Three times $10 on the 5, at 2 to 3: $45 laid. The other points keep what is printed.
        ("3 2", "45", "46"),
        ("2 2", "200", "201"),
        ("3 3", "120", "121"),
        ("5 4", "150", "151"),
    ],
)
def test_a_points_own_multiple_holds_in_play(point: str, most: str, over: str) -> None:
    assert laid(point, most, "odds.multiple.5: 3") == []
    assert laid(point, over, "odds.multiple.5: 3") != []


def test_a_multiple_may_be_a_fraction() -> None:
    found = house("new-jersey", multiple=Fraction("2.5"), on_4=Fraction("3.0"))
    assert found.taken_multiples == {**dict.fromkeys(POINTS, Fraction(5, 2)), 4: 3}
    assert type(found.taken_multiples[4]) is int
    assert found.laid_multiples == found.taken_multiples


@pytest.mark.parametrize(
    ("flat", "point", "most", "over"),
    [
        # 2.5 times $10 is $25, whatever the point; $10 against a 4 lays twice as much.
        ("pass", "2 2", "25", "26"),
        ("dont-pass", "2 2", "50", "52"),
        # 2.5 times $10 wins $25: $30 against a 6.
        ("dont-pass", "3 3", "30", "36"),
    ],
)
def test_a_fraction_holds_in_play(flat: str, point: str, most: str, over: str) -> None:
    for amount, refused in ((most, 0), (over, 1)):
        dealt = deal_text(
            "rulebook: new-jersey\nhouse.odds.multiple: 2.5\nplayer: ann 1000\n"
            f"ann: {flat} for 10\nroll {point}\nann: {flat}-odds for {amount}\n"
        )
        assert sum(entry.refusal is not None for entry in dealt.entries) == refused


def test_which_odds_are_laid() -> None:
    for name in BOOKS:
        book = rulebook(name)
        odds = {f: rule for f, rule in book.wager.items() if isinstance(rule, OddsRule)}
        assert odds
        for family, rule in odds.items():
            assert rule.is_laid(book) == family.startswith("dont-")


def test_the_numbers_that_odds_stand_on() -> None:
    assert odds_numbers(NJ) == POINTS
    assert odds_numbers(rulebook("maryland-crapless")) == (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
    slugs = [slug for slug, _ in iter_slugs(NJ, "come-odds", NJ.wager["come-odds"])]
    assert slugs == [f"come-odds-{n}" for n in POINTS]
    assert dict(iter_slugs(NJ, "pass-odds", NJ.wager["pass-odds"])) == {"pass-odds": 0}


# Lawful houses


def test_a_lawful_house_is_the_same_house() -> None:
    given = {"odds.multiple": 10, "offers": {"fire": "A"}}
    found = make_lawful_house(NJ, "craps", given, "Boardwalk")
    assert found == make_house(NJ, "craps", given, "Boardwalk")
    assert make_lawful_house(NJ).game == "craps"
    assert make_lawful_house(NJ, given={"game": "mini-craps"}).game == "mini-craps"
    assert make_lawful_house(NJ, "craps", {"game": "mini-craps"}).game == "craps"


@pytest.mark.parametrize(
    ("game", "given", "words"),
    [
        (None, {"odds.multiple": 1000}, "odds.multiple = 1000 is not allowed; allowed: 1 to 100"),
        (None, {"offers.big-6": True}, "[19:47-1.2(b)]"),
        ("mini-craps", {"offers.fire": "A"}, "Fire is dealt only in craps"),
        ("crapless", {}, "game = crapless is not allowed"),
        ("", {}, 'game = "" is not allowed'),
        (None, {"odds.multipel": 1}, "did you mean odds.multiple?"),
        (None, {"odds.multiple": "lots"}, "expected a number"),
    ],
)
def test_an_unlawful_house_is_not_made(game: str | None, given: dict[str, Any], words: str) -> None:
    with pytest.raises(HouseError) as wrong:
        make_lawful_house(NJ, game, given)
    assert words in str(wrong.value)


def test_any_house_can_be_made_to_see_what_would_happen() -> None:
    multiples: set[Multiple] = set(
        make_house(NJ, given={"odds.multiple": 1000}).taken_multiples.values()
    )
    assert multiples == {1000}
    # Odds that count the stake in are paid for what they are.
    assert make_house(NJ, given={"pays.field-12": "4 for 1"}).pays["field-12"] == (3, 1)


def test_a_developer_lints_elections_and_gets_findings() -> None:
    found = lint(NJ, None, {"odds.multiple": 101})
    assert [type(finding) for finding in found] == [Finding]
    assert house_for("new-jersey") == make_lawful_house(NJ)
