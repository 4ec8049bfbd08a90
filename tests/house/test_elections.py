"""Elections: which keys there are, and values read exactly or refused with what was expected."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.game.house.elections import (
    ElectionError,
    list_elective_offers,
    list_keys,
    parse_decimal,
    parse_value,
    read_election,
    read_elections,
    show_election,
    show_value,
)
from passline.game.house.house import make_house
from passline.game.house.payouts import find_pay_lines, find_payouts
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.law.side_bets import read_side_bets
from passline.game.law.wager_names import wager_slugs
from passline.game.money.amounts import Odds

NJ = rulebook("new-jersey")
CRAPLESS = rulebook("maryland-crapless")


def refused(key: str, value: Any, book: str = "new-jersey") -> str:
    """The one line by which an election cannot be read."""
    with pytest.raises(ElectionError) as wrong:
        read_election(rulebook(book), key, value)
    message = str(wrong.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("key", "value", "read"),
    [
        ("limits.min", 15, 1500),
        ("limits.min", Fraction("12.5"), 1250),
        ("limits.max", "5,000", 500000),
        ("limits.smallest_chip", Fraction("0.25"), 25),
        ("limits.center_min", "$1", 100),
        ("limits.max_by_wager.place-win-6", 6000, 600000),
        ("limits.min_by_wager.field", 10, 1000),
        ("limits.breakage", "down", "down"),
        ("odds.multiple", 10, 10),
        ("odds.multiple", "3-4-5", "3-4-5"),
        ("odds.multiple", Fraction("2.5"), Fraction(5, 2)),
        ("odds.multiple", Fraction("2.0"), 2),
        ("odds.multiple", Fraction("0.5"), Fraction(1, 2)),
        ("odds.multiple.4", 3, 3),
        ("odds.multiple.4", Fraction("3.5"), Fraction(7, 2)),
        ("pays.field-12", "3 to 1", "3 to 1"),
        ("pays.field-12", " 3 for 1 ", "3 for 1"),
        ("pays.field-12", "1 for 1", "1 for 1"),
        # Wagers and payouts of the contract that New Jersey does not have: for lint to refuse.
        ("limits.max_by_wager.big-6", 100, 10000),
        ("limits.min_by_wager.place-win-7", 10, 1000),
        ("pays.all-small", "40 to 1", "40 to 1"),
        ("pays.big-6", "1 to 1", "1 to 1"),
        ("offers.big-6", True, True),
        ("offers.shootout", True, True),
        ("buy.rate", Fraction("0.05"), Fraction(1, 20)),
        ("buy.rate", "0.04", Fraction(1, 25)),
        ("lay.rate", 0, Fraction(0)),
        ("buy.when", "won", "won"),
        ("lay.when.10", "made", "made"),
        ("buy.rounding", "half-up", "half-up"),
        ("lay.base", "win", "win"),
        ("offers.fire", "A", "A"),
        ("offers.fire", False, False),
        ("offers.fire", ["A", "B"], ("A", "B")),
        ("offers.fire.4", "A", "A"),
        ("dice.no_roll_by", "boxperson", ("boxperson",)),
        ("dice.no_roll_by", ["boxperson", "stickperson"], ("boxperson", "stickperson")),
        ("dice.set_of", 6, 6),
        ("fees.pass", Fraction("0.01"), Fraction(1, 100)),
        ("game", "mini-craps", "mini-craps"),
    ],
)
def test_values_are_read_exactly(key: str, value: Any, read: object) -> None:
    got = read_election(NJ, key, value)
    assert got == read
    assert type(got) is type(read)


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("limits.min", -5, "limits.min = -5: expected dollars like 15 or 12.50"),
        ("limits.min", 0, "expected dollars"),
        ("limits.min", True, "limits.min = true: expected dollars"),
        ("limits.min", Fraction("0.001"), "limits.min = 0.001: expected dollars"),
        ("limits.min", "lots", "limits.min = lots: expected dollars"),
        ("limits.min", [15], "expected dollars"),
        ("limits.max", 2**65, "that is beyond any table"),
        ("limits.breakage", "sideways", "expected one of refuse, down, up"),
        ("limits.breakage", 3, "limits.breakage = 3: expected one of"),
        ("odds.multiple", "2x", 'expected a number, "3-4-5", or a table by point'),
        ("odds.multiple", True, "odds.multiple = true: expected a number"),
        ("odds.multiple", [], "odds.multiple = []: expected a number"),
        ("odds.multiple.4", "3-4-5", "expected a number"),
        ("pays.field-12", "3 4 1", 'pays.field-12 = 3 4 1: expected odds in a form like "9 to'),
        ("pays.field-12", 3, 'expected odds in a form like "9 to 5"'),
        ("pays.field-12", "3 to 0", "expected odds"),
        # For odds hand the stake back: less than it is no win, and nothing is no stake.
        ("pays.field-12", "1 for 2", "pays.field-12 = 1 for 2: expected odds"),
        ("pays.field-12", "3 for 0", "expected odds"),
        ("buy.rate", "five", "buy.rate = five: expected a rate like 0.05"),
        ("buy.rate", Fraction(-1, 20), "buy.rate = -0.05: a rate is never negative"),
        ("buy.rate", False, "expected a rate"),
        ("buy.rate", "1e999999999", "expected a rate"),
        ("buy.when", "later", "buy.when = later: expected one of made, won"),
        ("buy.rounding", "near", "expected one of down, half-up, up, exact"),
        ("lay.base", "both", "expected one of win, stake"),
        ("dice.no_roll_by", [], "expected one or more roles"),
        ("dice.no_roll_by", [1], "expected one or more roles"),
        ("dice.no_roll_by", True, "expected one or more roles"),
        ("dice.set_of", "many", "dice.set_of = many: expected a whole number"),
        ("dice.set_of", True, "expected a whole number"),
        ("offers.fire", Fraction(1, 2), "offers.fire = 0.5: expected true, false or a word"),
        ("game", 3, "game = 3: expected the name of a game"),
        ("limits.min", "a\nb" * 100, "limits.min = a b"),
    ],
)
def test_a_value_of_the_wrong_kind_says_what_was_expected(
    key: str, value: Any, expected: str
) -> None:
    assert expected in refused(key, value)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (
            "odds.multipel",
            "there is no house rule 'odds.multipel' under new-jersey; did you mean odds.m",
        ),
        ("limits.smalest_chip", "did you mean limits.smallest_chip?"),
        ("offers.frie", "did you mean offers.fire?"),
        ("pays", "there is no house rule 'pays'"),
        ("pays.", "there is no house rule 'pays.'"),
        (
            "zzz",
            "keys begin with limits., odds., buy., lay., dice., dont., offers., layout., pays., "
            "fees.",
        ),
        ("pays.feild", "there is no payout 'feild' under new-jersey; did you mean pays.field?"),
        ("pays.horn", "pays.horn: horn is paid as its legs: craps-2, craps-3, eleven, craps-12"),
        ("pays.horn-high-12", "horn-high-12 is paid as its legs"),
        ("pays.come-4", "there is no payout 'come-4' under new-jersey; did you mean pays."),
        ("pays.place-win", "there is no payout 'place-win' under new-jersey; did you mean pays."),
        (
            "limits.max_by_wager.place-win",
            "no wager 'place-win' under new-jersey; did you mean limits.max_by_wager.place-win-",
        ),
        ("limits.max_by_wager.place-win-13", "no wager 'place-win-13' under new-jersey; did you"),
        ("offers.buy-4", "offers.buy-4: buy-4 is elected by offers.buy"),
        ("offers.big-7", "there is no house rule 'offers.big-7' under new-jersey"),
        ("crew.boxperson", "there is no house rule 'crew.boxperson' under new-jersey"),
        ("limits.max_by_wager.qqq", "there is no wager 'qqq' under new-jersey"),
        ("limits.min_by_wager.feild", "did you mean limits.min_by_wager.field?"),
        ("odds.multiple.7", "the numbers under new-jersey are 4, 5, 6, 8, 9, 10"),
        ("odds.multiple.four", "the numbers under new-jersey are 4, 5, 6, 8, 9, 10"),
        ("buy.when.2", "the numbers under new-jersey are 4, 5, 6, 8, 9, 10"),
        ("lay.when.-4", "the numbers under new-jersey are"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(key: str, expected: str) -> None:
    assert expected in refused(key, "made" if ".when." in key else 1)


def test_crapless_buys_and_takes_odds_on_ten_numbers() -> None:
    assert read_election(CRAPLESS, "odds.multiple.2", 3) == 3
    assert read_election(CRAPLESS, "buy.when.12", "won") == "won"
    assert "2, 3, 4, 5, 6, 8, 9, 10, 11, 12" in refused("buy.when.7", "won", "maryland-crapless")
    # No lay wagers there: the key is read all the same, so that lint can say what the book lacks.
    assert read_election(CRAPLESS, "lay.when.4", "won") == "won"


def test_a_wager_of_an_elected_pair_names_its_election() -> None:
    message = refused("offers.all-small", "A", "maryland-crapless")
    assert message == "offers.all-small: all-small is elected by offers.bonus"


def test_an_unprintable_or_endless_key_stays_on_one_line() -> None:
    assert len(refused("x\n" * 5000, 1)) < 1000


def test_the_offers_are_those_of_all_books() -> None:
    contract = ("fire", "bonus", "six-seven-eight", "place-2", "place-3", "place-11", "place-12")
    more = ("match_play", "buy", "lay", "place-lose", "shootout", "field", "big")
    names = (*contract, *more, *read_side_bets())
    assert set(list_elective_offers()) == {f"offers.{name}" for name in names}


def test_every_contract_offer_can_be_read_under_every_book() -> None:
    for book in BOOKS:
        for key in (*list_elective_offers(), *list_keys(rulebook(book))):
            if key.startswith("offers."):
                assert read_election(rulebook(book), key, False) is False


def test_nested_and_dotted_keys_are_the_same() -> None:
    nested = read_elections(NJ, {"odds": {"multiple": {"4": 3, "10": 3}}, "buy": {"when": "won"}})
    dotted = read_elections(NJ, {"odds.multiple.4": 3, "odds.multiple.10": 3, "buy.when": "won"})
    assert nested == dotted == {"odds.multiple.4": 3, "odds.multiple.10": 3, "buy.when": "won"}


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("10", 10),
        ("A", "A"),
        ("true", True),
        ("0.05", Fraction(1, 20)),
        ("3-4-5", "3-4-5"),
        ("3 to 1", "3 to 1"),
        (' "A" ', "A"),
        ('["boxperson", "dealer"]', ["boxperson", "dealer"]),
        ("{4 = 3}", {"4": 3}),
        ("inf", "inf"),
        ("1e999999999", "1e999999999"),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_what_is_typed_is_toml_or_a_word(typed: str, value: object) -> None:
    assert parse_value(typed) == value


def test_decimals_are_exact() -> None:
    assert parse_decimal("0.1") * 3 == Fraction(3, 10)
    assert parse_decimal("5e-2") == Fraction(1, 20)
    for text in ("nan", "inf", "1e10", "0x1", "1/3", "", "1" * 16):
        with pytest.raises(ValueError, match="no plain number"):
            parse_decimal(text)


@given(st.integers(-(10**12), 10**12), st.integers(0, 9))
def test_a_decimal_is_shown_as_it_was_written(units: int, places: int) -> None:
    assert parse_decimal(show_value(Fraction(units, 10**places))) == Fraction(units, 10**places)


def test_values_are_shown_on_one_short_line() -> None:
    assert show_value(Fraction(1, 3)) == "1/3"
    assert show_value(("a", "b")) == "a, b"
    assert show_value(1 << 70) == "a number of 71 bits"
    assert show_value("x" * 100) == "x" * 60 + "..."
    assert show_election("limits.max", 600050) == "6000.50"
    assert show_election("odds.multiple", 100) == "100"


def test_payout_names() -> None:
    names = find_payouts(NJ)
    assert {"pass", "come", "field", "field-2", "field-12", "six-seven-eight-hard"} <= set(names)
    assert {"fire-4", "fire-5", "fire-6", "pass-odds-4", "dont-come-odds-10"} <= set(names)
    assert not {"horn", "come-4", "pass-odds", "place-win", "fire", "field-3"} & set(names)
    # Both pay tables of a fire wager go by one name; the two lines are told apart by election.
    assert [pay.odds for pay in names["fire-5"].lines] == ["249 to 1", "199 to 1"]
    assert names["pass-odds-5"].family == "pass-odds"


def test_a_line_for_two_faces_goes_by_either() -> None:
    names = find_payouts(CRAPLESS)
    assert names["field-2"].lines == names["field-12"].lines
    house = make_house(CRAPLESS, given={"pays.field-12": "3 to 1"})
    lines = find_pay_lines(house, "field", CRAPLESS.wager["field"], 0)
    assert [(pay.on, odds) for pay, odds in lines] == [
        ((3, 4, 9, 10, 11), Odds(1, 1)),
        ((2,), Odds(2, 1)),
        ((12,), Odds(3, 1)),
    ]


def test_a_raised_come_wager_is_paid_the_same_once_it_has_travelled() -> None:
    house = make_house(NJ, given={"pays.come": "2 to 1"})
    for slug, number in (("come", 0), ("come-6", 6)):
        assert find_pay_lines(house, slug, NJ.wager["come"], number)[0][1] == Odds(2, 1)


def test_bonus_and_crapless_place_payouts_go_by_their_slugs() -> None:
    names = find_payouts(CRAPLESS)
    assert [pay.odds for pay in names["make-them-all"].lines] == ["175 to 1", "150 to 1"]
    assert [pay.odds for pay in names["place-win-2"].lines] == ["11 to 2", "25 to 5"]


def test_every_book_has_slugs_and_payouts_of_its_own() -> None:
    assert "horn-high-12" in wager_slugs(NJ)
    assert "dont-pass" not in wager_slugs(CRAPLESS)
    for book in BOOKS:
        assert len(set(wager_slugs(rulebook(book)))) == len(wager_slugs(rulebook(book)))


def test_a_house_takes_its_game_from_the_elections() -> None:
    assert make_house(NJ, given={"game": "mini-craps"}).game == "mini-craps"
    assert make_house(NJ, "craps", {"game": "mini-craps"}).game == "craps"
    with pytest.raises(ElectionError, match="has no game 'crapless': its games are craps"):
        make_house(NJ, given={"game": "crapless"})
    for game, elected in (("", None), (None, {"game": ""})):
        with pytest.raises(ElectionError, match="has no game '': its games are craps"):
            make_house(NJ, game, elected)
