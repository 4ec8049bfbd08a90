"""The customs: what holds where a book says nothing. A test is marked with what it holds."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from math import lcm
from pathlib import Path
from typing import Any

import pytest

from passline.game.house.house import make_house
from passline.game.house.lint import lint
from passline.game.law.book_files import BOOKS
from passline.game.law.load import (
    customs,
    forget_books,
    read_customs_text,
    replace_customs,
    rulebook,
    with_customs,
)
from passline.game.layout.compile import compile_layout
from passline.game.table.events import DiceInspected, GameDied
from tests.table.games import deal, notes, rail, reason, settled, up

SILENT = "new-jersey"
#: A game without a boxperson: asking for one is refused, and by whom the rest is done cited.
MINI: dict[str, Any] = {"game": "mini-craps", "refused": ["custom"]}
TESTS = Path(__file__).parent.parent


def paths(part: dict[str, Any], path: str = "") -> Iterator[str]:
    """The key path of every value."""
    for key, value in part.items():
        word = f'"{key}"' if " " in key else key
        below = f"{path}.{word}" if path else word
        if "is" in value:
            yield below
        else:
            yield from paths(value, below)


def test_every_custom_gives_its_reason_and_no_clause() -> None:
    text = re.sub(r"#.*", "", read_customs_text())
    assert "cite" not in text
    assert text.count("is = ") == text.count("custom = ") == len(list(paths(customs())))


def test_every_custom_is_held_by_a_test() -> None:
    """Tests marked with a value of the customs fail when it changes: ``make mutate`` asks them."""
    marks = set()
    for file in TESTS.rglob("test_*.py"):
        text = file.read_text("utf-8")
        marks |= set(re.findall(r"^@pytest\.mark\.custom\(['\"](.+)['\"]\)$", text, re.M))
    assert set(paths(customs())) - marks == set()
    assert marks - set(paths(customs())) == set()


def test_a_book_that_says_something_is_not_overruled() -> None:
    data = {"tender": {"toke": {"is": "refuse", "cite": "x.1"}}, "dice": {"set_of": {"is": 5}}}
    whole = with_customs(data)
    assert whole["tender"]["toke"]["is"] == "refuse"
    assert whole["tender"]["toke_bets"]["is"] is True
    assert set(whole["dice"]) > {"set_of", "same_dice"}
    assert data["dice"] == {"set_of": {"is": 5}}


@pytest.fixture
def other_customs() -> Iterator[None]:
    yield
    replace_customs(tomllib.loads(read_customs_text()))
    forget_books()


@pytest.mark.usefixtures("other_customs")
def test_customs_bear_on_every_book_that_is_silent() -> None:
    data = tomllib.loads(read_customs_text())
    data["stakes"]["min_default"]["is"] = 15
    before = rulebook(SILENT)
    replace_customs(data)
    forget_books()
    assert {make_house(rulebook(book)).minimum for book in BOOKS} == {1500}
    assert rulebook(SILENT).digest != before.digest


# Money


@pytest.mark.custom("stakes.chip_default")
@pytest.mark.custom("stakes.min_default")
@pytest.mark.custom("stakes.center_min_default")
@pytest.mark.custom("stakes.max_default")
@pytest.mark.parametrize("book", BOOKS)
def test_the_house_that_elects_nothing(book: str) -> None:
    house = make_house(rulebook(book))
    limits = (house.chip, house.minimum, house.center_minimum, house.maximum)
    assert limits == (100, 500, 100, 500_000)
    layout = compile_layout(house)
    assert layout.spots["pass"].minimum == 500
    assert layout.spots["hard-8"].minimum == 100


@pytest.mark.custom('odds.three_four_five."2 12"')
@pytest.mark.custom('odds.three_four_five."3 11"')
@pytest.mark.custom('odds.three_four_five."4 10"')
@pytest.mark.custom('odds.three_four_five."5 9"')
@pytest.mark.custom('odds.three_four_five."6 8"')
def test_three_four_five_odds_win_six_times_the_flat_on_every_number() -> None:
    crapless = make_house(rulebook("maryland-crapless"), given={"odds.multiple": "3-4-5"})
    multiples = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
    assert crapless.taken_multiples == multiples
    spot = compile_layout(crapless).spots["pass-odds"]
    assert {times * spot.by_puck[n].ratio for n, times in multiples.items()} == {6}
    craps = make_house(rulebook(SILENT), given={"odds.multiple": "3-4-5"})
    assert craps.laid_multiples == {n: multiples[n] for n in (4, 5, 6, 8, 9, 10)}


@pytest.mark.custom('odds.three_four_five."2 12"')
def test_three_four_five_odds_in_play_at_a_crapless_table() -> None:
    play = "ann: pass for 10\nroll 1 1\nann: pass-odds for 11\nann: pass-odds for 10\nroll 1 1"
    dealt = deal(
        play, book="maryland-crapless", elect={"odds.multiple": "3-4-5"}, refused=["6.A#2"]
    )
    assert settled(dealt) == ["ann pass win 10", "ann pass-odds win 60"]


@pytest.mark.custom("odds.posted_max")
def test_the_school_takes_odds_over_the_table_maximum() -> None:
    play = "ann: pass for 50\nroll 4 2\nann: pass-odds for 250\nroll 4 2"
    dealt = deal(play, book="dealer-school", elect={"limits.max": "100"})
    assert settled(dealt) == ["ann pass win 50", "ann pass-odds win 300"]


@pytest.mark.parametrize(("laid", "vig"), [(25, 60), (41, 100), (40, 100), (39, 95)])
def test_lay_vigorish_is_of_the_win_as_it_is_paid(laid: int, vig: int) -> None:
    """$25 against a 4 would win 12.50; $12 are paid, and 5 percent of that is 60 cents."""
    elect = {"lay.rounding": "exact"}
    play = f"ann: dont-pass for 10; lay-4 for {laid}\nroll 3 3\nroll 4 3"
    dealt = deal(play, book="iowa", elect=elect)
    assert dealt.table.vig == vig
    assert settled(dealt)[1] == f"ann lay-4 win {laid // 2}"


# Tender


@pytest.mark.custom("tender.no_bet")
def test_a_wager_that_was_refused_aloud_is_none() -> None:
    dealt = deal("ann: pass for 10; field for 5 no bet\nroll 1 2", refused=["custom"])
    assert settled(dealt) == ["ann pass lose 10"]


@pytest.mark.custom("tender.toke")
@pytest.mark.custom("tender.toke_bets")
def test_tips_are_taken_and_wagered() -> None:
    dealt = deal("ann: pass for 10\nann: pass for 5 for the dealers\nroll 4 3\nann: toke 5")
    assert dealt.table.tokes == 1500
    assert "custom: a tip with no wager named goes to the toke box" in notes(dealt)[0]


@pytest.mark.custom("tender.change_out")
def test_money_is_changed_with_the_dice_out() -> None:
    deal("ann: pass for 10\ndice out\nann buys in 100\nann colours up")


@pytest.mark.custom("tender.colour_by")
def test_an_official_lets_a_colour_change_come_in() -> None:
    for role in ("boxperson", "floorperson", "supervisor"):
        deal(f"ann asks to colour up\n{role} permits ann to colour up")
    deal("ann asks to colour up\nboxperson permits ann to colour up", **MINI)  # there is none
    for role in ("dealer", "stickperson"):
        deal(f"ann asks to colour up\n{role} permits ann to colour up", refused=["custom"])


@pytest.mark.custom("stakes.found_over")
@pytest.mark.custom("stakes.found_under")
def test_no_wager_past_the_limits_goes_unnoticed() -> None:
    for amount in (2, 6000):
        deal(f"ann: pass for {amount} unnoticed", "ann 9000", refused=["custom"])


@pytest.mark.custom("stays")
def test_a_winner_comes_down_with_its_pay() -> None:
    assert up(deal("ann: pass for 10; field for 5\nroll 6 5")) == {}


@pytest.mark.custom("seating.until")
def test_whoever_sits_may_get_up_at_any_time() -> None:
    silent = {"seating/until": None}
    deal("ann: pass for 10\nann stands", game="mini-craps", but=silent)


@pytest.mark.custom("seating.required")
def test_standing_players_bet() -> None:
    assert up(deal("ann stands\nann: pass for 10")) == {"pass": "10"}
    for book in ("iowa", "dealer-school", "maryland-crapless"):
        assert up(deal("ann stands\nann: pass for 10", book=book)) == {"pass": "10"}


# Dice


@pytest.mark.custom("dice.automated")
@pytest.mark.parametrize("book", ["iowa", "dealer-school", "section-2", "maryland-crapless"])
def test_somebody_throws_the_dice(book: str) -> None:
    dealt = deal("ann: pass for 10\nann takes the dice\nroll 4 3", book=book)
    assert rail(dealt) == "1010"


@pytest.mark.custom("dice.set_more")
@pytest.mark.parametrize("book", ["iowa", "dealer-school", "maryland-crapless"])
def test_a_set_holds_no_more(book: str) -> None:
    assert [found.allowed for found in lint(rulebook(book), None, {"dice.set_of": 6})] == ["5"]


@pytest.mark.custom("dice.special")
@pytest.mark.parametrize("book", ["iowa", "dealer-school"])
def test_nobody_throws_a_come_out_for_come_wagers_alone(book: str) -> None:
    play = "ann: pass for 10\nroll 4 2\nann: come for 10\nroll 5 4\nroll 4 2\nroll 5 4"
    cite = {"iowa": "general.4", "dealer-school": "custom"}[book]
    assert up(deal(play, book=book, refused=[cite])) == {"come-9": "10"}


@pytest.mark.custom("dice.same_dice")
@pytest.mark.custom("dice.ask_new")
def test_the_shooter_asks_for_dice_and_nobody_else_for_the_same() -> None:
    play = "ann: pass for 10\nbob: pass for 10\nroll 3 3\nno roll off-table\n"
    deal(f"{play}bob asks for the same dice", "ann 100, bob 100", refused=["custom"])
    deal(f"{play}ann asks for the same dice\nann asks for new dice", "ann 100, bob 100")


@pytest.mark.custom("inspection.first")
@pytest.mark.custom("inspection.measured")
def test_a_set_comes_in_without_more_ado() -> None:
    play = "inspect dice serial 77 serial 78\nnew dice age serial 79\nann: pass for 10\nroll 4 3"
    assert rail(deal(play)) == "1010"


@pytest.mark.custom("inspection.one_serial")
def test_dice_of_several_numbers_are_fit() -> None:
    dealt = deal("inspect dice serial 77 serial 78")
    looked = [e for entry in dealt.entries for e in entry.events if isinstance(e, DiceInspected)]
    assert [event.faults for event in looked] == [()]


@pytest.mark.custom("inspection.by")
def test_an_official_looks_the_dice_over() -> None:
    for role in ("boxperson", "floorperson", "supervisor"):
        deal(f"inspect dice by {role}")
    deal("inspect dice by boxperson", **MINI)  # there is none
    for role in ("dealer", "stickperson"):
        deal(f"inspect dice by {role}", refused=["custom"])


@pytest.mark.custom("inspection.down_by")
def test_a_die_that_is_found_comes_back_as_it_is() -> None:
    play = "ann: pass for 10\nno roll off-table\ndie found\nroll 4 3"
    assert settled(deal(play)) == ["ann pass win 10"]


@pytest.mark.custom("inspection.cancelled_on")
def test_a_set_is_cancelled_on_any_face() -> None:
    came = "inspect dice serial 77\nnew dice age serial 77\nnew dice age serial 78\n"
    for face in range(1, 7):
        deal(f"{came}cancel dice 77 on {face} by boxperson")


@pytest.mark.custom("inspection.exchange")
def test_a_set_is_exchanged_while_the_dice_are_in() -> None:
    deal("ann: pass for 10\ndice out\nnew dice age", refused=["custom"])


@pytest.mark.custom("inspection.lost")
@pytest.mark.custom("inspection.reopen")
def test_the_game_goes_on_without_a_die_and_opens_again_with_its_set() -> None:
    play = "ann: pass for 10\nno roll off-table\ndie lost\nroll 4 3\ntable closes\n"
    assert settled(deal(f"{play}table opens\nann: pass for 10\nroll 4 3")) == ["ann pass win 10"]


# The crew


@pytest.mark.custom("relief.stickperson")
@pytest.mark.custom("relief.base")
@pytest.mark.custom("relief.boxperson")
@pytest.mark.parametrize("post", ["stickperson", "left base dealer", "boxperson"])
def test_the_crew_changes_with_the_dice_in(post: str) -> None:
    deal(f"ann: pass for 10\ndice out\nkim relieves the {post}", refused=["custom"])


@pytest.mark.custom("relief.okay")
def test_the_dice_wait_for_nobodys_okay() -> None:
    assert settled(deal("ann: pass for 10\nkim relieves the boxperson\nroll 4 3")) == [
        "ann pass win 10"
    ]


@pytest.mark.custom("dead_game.bowl")
@pytest.mark.custom("dead_game.dump")
def test_a_dead_games_dice_are_in_the_bowl_until_somebody_comes_up() -> None:
    dealt = deal("dead game\nroll 4 3", refused=["custom"])
    died = [e for entry in dealt.entries for e in entry.events if isinstance(e, GameDied)]
    assert [event.dice for event in died] == [5]
    emptied = "whoever comes up finds the dice out of the bowl"
    assert emptied in notes(deal("dead game\nann: pass for 10"))[0]


# Propositions, groups


@pytest.mark.custom("net_center")
def test_propositions_are_settled_each_by_itself() -> None:
    dealt = deal("ann: pass for 10; eleven for 5; any-craps for 5\nroll 6 5")
    assert settled(dealt) == ["ann pass win 10", "ann any-craps lose 5", "ann eleven win 75"]
    assert up(dealt) == {}


@pytest.mark.custom("net_down")
def test_netted_propositions_stay_up_until_they_are_asked_for() -> None:
    play = "ann: pass for 10; eleven for 5; any-craps for 5\nroll 6 5"
    assert set(up(deal(play, book="iowa", but={"net_down": None}))) == {"eleven", "any-craps"}


@pytest.mark.custom("groups.iron-cross.unit")
@pytest.mark.custom("groups.iron-cross.leaves_out_point")
def test_an_iron_cross_is_the_field_and_what_it_leaves_out() -> None:
    whole = {"field": "5", "place-win-5": "5", "place-win-6": "6", "place-win-8": "6"}
    assert up(deal("ann: iron cross for 22")) == whole
    six = deal("ann: pass for 10\nroll 3 3\nann: iron cross for 16")
    assert up(six) == {"pass": "10", "field": "5", "place-win-5": "5", "place-win-8": "6"}
    # A sum that divides both ways leaves the point out.
    both = deal("ann: pass for 10\nroll 3 3\nann: iron cross for 176")
    assert up(both) == {"pass": "10", "field": "55", "place-win-5": "55", "place-win-8": "66"}


@pytest.mark.custom("groups.across.unit")
@pytest.mark.custom("groups.across.leaves_out_point")
@pytest.mark.custom("groups.inside.unit")
@pytest.mark.custom("groups.inside.leaves_out_point")
@pytest.mark.custom("groups.outside.unit")
@pytest.mark.custom("groups.outside.leaves_out_point")
@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ("across for 64", {4: 10, 5: 10, 6: 12, 8: 12, 9: 10, 10: 10}),
        ("inside for 22", {5: 5, 6: 6, 8: 6, 9: 5}),
        ("outside for 20", {4: 5, 5: 5, 9: 5, 10: 5}),
    ],
)
def test_groups_of_place_wagers(said: str, numbers: dict[int, int]) -> None:
    assert up(deal(f"ann: {said}")) == {f"place-win-{n}": str(d) for n, d in numbers.items()}
    point = next(n for n in numbers if n in (5, 9, 6))
    dice = {5: "3 2", 6: "3 3", 9: "5 4"}[point]
    unit = sum(numbers.values()) - numbers[point]
    with_point = deal(f"ann: pass for 10\nroll {dice}\nann: {said.split()[0]} for {unit}")
    rest = {f"place-win-{n}": str(d) for n, d in numbers.items() if n != point}
    assert up(with_point) == {"pass": "10", **rest}
    # A sum that divides both ways leaves the point out.
    both = lcm(unit, sum(numbers.values()))
    again = deal(f"ann: pass for 10\nroll {dice}\nann: {said.split()[0]} for {both}", "ann 5000")
    assert set(up(again)) == {"pass", *rest}


def test_why_is_said() -> None:
    dealt = deal("ann: across for 33", refused=["custom"])
    assert "does not divide across" in reason(dealt)
