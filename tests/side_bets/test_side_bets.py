"""Side bets of the catalog: dealt, priced, drawn, spoken, against figures of their own."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.game.house.house import House
from passline.game.house.load import HouseError, house_for
from passline.game.law.book_files import BookError
from passline.game.law.load import rulebook, with_customs
from passline.game.law.shapes.collect import Collect
from passline.game.law.side_bets import add_side_bets, read_side_bets
from passline.game.layout.compile import compile_layout
from passline.game.words.placard import make_placard
from passline.game.words.wagers import explain_wager, spoken_wager_name
from passline.lab.conformance import MenuRow, list_conformance_rows
from passline.lab.pricing.wager_odds import odds
from passline.play.table_screen import describe_table
from passline.record.deal import Dealt, deal_text
from passline.record.write import write_record
from tests.side_bets import own_figures
from tests.side_bets.own_figures import PUBLISHED, REPEATERS

ELECTIONS = tuple((f"offers.{offer}", "A") for offer in read_side_bets())
WAGERS = [family for wagers in read_side_bets().values() for family in wagers]
HEADER = "rulebook: sides\n" + "".join(f"house.{key}: {value}\n" for key, value in ELECTIONS)
HEADER += "player: ann 5000\nplayer: bob 5000\n"
ROLLS = {2: "1 1", 3: "1 2", 4: "1 3", 5: "1 4", 6: "1 5", 7: "1 6"}
ROLLS |= {8: "2 6", 9: "3 6", 10: "4 6", 11: "5 6", 12: "6 6"}


def _house() -> House:
    return house_for("sides", None, ELECTIONS)


def _settled(*lines: str) -> list[str]:
    """Deal lines (a number is a roll) and return what becomes of side bets, in order."""
    dealt = deal_text(HEADER + "".join(_play(lines)))
    assert not dealt.refusals, dealt.refusals
    return [
        f"{done['wager']} {done['result']} {done['paid']}"
        for roll in dealt.to_json()["rolls"]
        for done in roll["settlements"]
        if done["wager"] in WAGERS
    ]


def _play(lines: tuple[str, ...]) -> Iterator[str]:
    """Yield the lines of a record. A text of totals is their rolls; bob bets before a come-out."""
    puck = 0
    for line in lines:
        totals = [int(word) for word in line.split() if word.isdigit()]
        if len(totals) != len(line.split()):
            yield f"ann: {line}\n"
            continue
        for total in totals:
            yield "" if puck else "bob: pass for 5\n"
            yield f"roll {ROLLS[total]}\n"
            if puck:
                puck = 0 if total in {puck, 7} else puck
            else:
                puck = total if total in {4, 5, 6, 8, 9, 10} else 0


@pytest.mark.parametrize("wager", WAGERS)
def test_the_edge_is_that_of_a_program_that_shares_nothing(wager: str) -> None:
    published, program = PUBLISHED[wager]
    edge = odds(_house(), wager).edge
    assert edge == program()
    assert published in ("", f"{float(edge) * 100:.2f}")


@pytest.mark.parametrize("total", REPEATERS["B"])
def test_repeater_for_one_is_that_of_the_other_program(total: int) -> None:
    elections = (("offers.repeater", "B"),)
    edge = odds(house_for("sides", None, elections), f"repeater-{total}").edge
    assert edge == REPEATERS["B"][total]()


def test_the_other_program_shares_nothing() -> None:
    tree = ast.parse(Path(own_figures.__file__).read_text("utf-8"))
    names = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not any("passline" in str(name) for name in names)
    assert PUBLISHED.keys() == set(WAGERS)


def test_muggsys_corner_wins_on_a_seven_at_once_or_right_after_the_point() -> None:
    corner = "muggsys-corner for 5"
    assert _settled(corner, "7") == ["muggsys-corner win 10.00"]
    assert _settled(corner, "4", "7") == ["muggsys-corner win 15.00"]
    assert _settled(corner, "10 7") == ["muggsys-corner win 15.00"]
    for total in (2, 3, 11, 12):
        assert _settled(corner, str(total)) == ["muggsys-corner lose 0.00"]
    for total in (4, 5, 6, 8, 9, 10, 2, 3, 11, 12):
        assert _settled(corner, "6", str(total)) == ["muggsys-corner lose 0.00"]


@pytest.mark.parametrize("point", [2, 3, 11, 12])
def test_muggsys_corner_wins_after_the_points_of_crapless_too(
    point: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSLINE_BOOKS", str(files("passline").joinpath("samples", "books")))
    header = "rulebook: vegas-crapless\nhouse.offers.muggsys-corner: A\nplayer: bob 50\n"
    lines = f"bob: pass for 5; muggsys-corner for 5\nroll {ROLLS[point]}\nroll {ROLLS[7]}\n"
    assert deal_text(header + lines).table.seat("bob").rail == 6_000


def test_muggsys_corner_is_made_before_a_come_out_roll_and_stays_for_the_next() -> None:
    start = f"{HEADER}bob: pass for 5\nann: muggsys-corner for 5; muggsys-corner to 10\n"
    dealt = deal_text(f"{start}ann: muggsys-corner to 5\nroll 3 3\nann: muggsys-corner down\n")
    assert [one.said for one in dealt.refusals] == ["muggsys-corner down"]
    assert dealt.table.seat("ann").wagers["muggsys-corner"].amount == 500
    late = deal_text(f"{HEADER}bob: pass for 5\nroll 3 3\nann: muggsys-corner for 5\n")
    assert [one.refusal.code for one in late.refusals if one.refusal] == ["before-come-out"]


def test_hot_hand_pays_all_ten_at_once_and_nine_at_the_seven() -> None:
    nine, bets = "2 3 4 5 6 8 9 10 11", "hot-hand for 5; flaming-four for 5; sizzling-six for 5"
    assert _settled(bets, nine, "12") == [
        "sizzling-six win 60.00",
        "flaming-four win 350.00",
        "hot-hand win 400.00",
    ]
    assert _settled("hot-hand for 5", nine, "7") == ["hot-hand win 100.00"]
    assert _settled("hot-hand for 5", "2 3 4 5 6 8 9 10", "7") == ["hot-hand lose 0.00"]
    assert _settled("flaming-four for 5", "2 3 11", "7") == ["flaming-four lose 0.00"]
    assert _settled("sizzling-six for 5", "7") == ["sizzling-six lose 0.00"]


@pytest.mark.parametrize("offer", ["hot-hand", "repeater", "different-doubles"])
def test_a_house_may_elect_that_any_seven_lets_it_be_made(offer: str) -> None:
    wager = {"repeater": "repeater-6"}.get(offer, offer)
    start = f"{HEADER}bob: pass for 5\nroll 5 6\nbob: pass for 5\n"
    late, after = f"ann: {wager} for 5\n", f"roll 4 3\nbob: pass for 5\nann: {wager} for 5\n"
    closed = deal_text(start + late + after)
    assert _codes(closed) == ["before-new-shooter"] * 2
    opened = f"house.made.{offer}: after-seven\n"
    dealt = deal_text(start.replace("player: ann", f"{opened}player: ann") + late + after)
    assert _codes(dealt) == ["after-a-seven"]
    assert list(dealt.table.seat("ann").wagers) == [wager]
    assert _redealt(dealt) == dealt.table


def test_bets_on_a_hand_are_made_before_it_only() -> None:
    for offer in ("sharp-shooter", "hot-shooter", "points-in-a-row"):
        with pytest.raises(HouseError, match=offer):
            house_for("sides", None, ((f"made.{offer}", "after-seven"),))


def _codes(dealt: Dealt) -> list[str]:
    return [one.refusal.code for one in dealt.refusals if one.refusal]


def test_each_is_spoken_and_recorded() -> None:
    table = "bob: pass for 5\n"
    for wager in WAGERS:
        spoken = spoken_wager_name(wager)
        number = wager.removeprefix("repeater-")
        own = f"the {number} repeater for 5" if number != wager else f"{spoken} for $5"
        for talk in (
            own,
            f"{spoken} for 5",
            f"5 on the {spoken}",
            f"{wager.replace('-', ' ')} for $5",
        ):
            dealt = deal_text(f"{HEADER}{table}ann: {talk}\n")
            assert not dealt.refusals
            assert list(dealt.table.seat("ann").wagers) == [wager], talk
            assert _redealt(dealt) == dealt.table


def _redealt(dealt: Dealt) -> Any:
    return deal_text(write_record(dealt)).table


def test_the_screen_shows_what_a_bet_has_counted() -> None:
    start = "bob: pass for 5\nann: hot-shooter for 5; different-doubles for 5; repeater-6 for 5\n"
    table = deal_text(f"{HEADER}{start}roll 3 3\nroll 2 2\nroll 5 4\n").table
    shown = " ".join(describe_table(table, "ann"))
    for words in ("hot shooter: 3 so far", "different doubles: 2 so far", "repeater 6: 1 so far"):
        assert words in shown.lower()


def test_the_stick_calls_a_winner() -> None:
    run = CliRunner().invoke(
        cli,
        ["deal", "-", "--crew"],
        input=f"{HEADER}bob: pass for 5\nann: muggsys-corner for 5\nroll 4 3\n",
    )
    assert run.exit_code == 0, run.output
    assert "pay muggsys corner" in run.output.lower().replace("'", "")


def test_the_placard_says_when_a_moving_bet_is_made_and_what_decides_it() -> None:
    [other] = [one for one in make_placard(_house()).sections if one.title == "Other bets"]
    assert {row.label.partition(",")[0]: row.note for row in other.rows if row.note} == {
        "Muggsy's Corner": "Made before a come-out roll. Stays up for the roll after the point.",
        "Ride the Line": "Closes at a new shooter's first come-out roll. "
        "Paid or taken at a 7 that ends a point.",
        "Twice Hard": "Made at any time. Any 7 takes it, and so does the number made easy after "
        "its first hardway.",
    }


@pytest.mark.parametrize("command", ["placard", "felt", "odds", "par", "hand"])
def test_every_command_shows_it(command: str) -> None:
    elect = [part for key, value in ELECTIONS for part in ("-o", f"{key}={value}")]
    shown = CliRunner().invoke(cli, [command, "sides", *elect])
    assert shown.exit_code == 0, shown.output
    not_of_a_hand = {"muggsys-corner", "twice-hard"} if command == "hand" else set()
    missing = [wager for wager in WAGERS if wager not in not_of_a_hand]
    words = shown.output.lower().replace("-", " ").replace("'", "").replace("&#39;", "")
    assert [one for one in missing if one.replace("-", " ") not in words] == []


def test_a_hand_has_nine_totals_more_often_than_ten() -> None:
    shown = CliRunner().invoke(cli, ["hand", "sides", "--json"])
    assert shown.exit_code == 0, shown.output
    chances = {
        (each["name"], each["least"]): Fraction(each["chance"])
        for each in json.loads(shown.output)["gathered"]
    }
    ten, nine = chances["hot-hand", 10], chances["hot-hand", 9]
    assert 20 * (nine - ten) + 80 * ten - (1 - nine) == -PUBLISHED["hot-hand"][1]()


def test_each_is_explained_in_a_sentence_of_its_own() -> None:
    layout = compile_layout(_house())
    told = {wager: explain_wager(layout, wager) for wager in WAGERS}
    assert len(set(told.values())) == len(WAGERS)
    assert told["hot-hand"].endswith("9 or more of them win at the 7.")


def test_a_table_comes_to_finitely_many_states() -> None:
    menus = {
        row.menu: row.states for row in list_conformance_rows(_house()) if isinstance(row, MenuRow)
    }
    assert set(WAGERS) <= menus.keys()
    # Off or on a point, each without and with the bet, before and after a shooter's first roll.
    assert menus["muggsys-corner"] <= 2 * 14


def test_a_book_that_does_not_allow_side_bets_has_none() -> None:
    for book in ("new-jersey", "iowa", "section-2", "maryland-crapless"):
        with pytest.raises(HouseError, match=r"hot-hand"):
            house_for(book, None, (("offers.hot-hand", "A"),))


def test_one_is_singular() -> None:
    rule = rulebook("las-vegas").wager["repeater-6"]
    assert isinstance(rule, Collect)
    shown = [rule.describe_count(1), rule.describe_count(2), rule.describe_count(1, " or more")]
    assert shown == ["1 time", "2 times", "1 or more times"]


def test_a_side_bet_is_not_dealt_unless_elected() -> None:
    dealt = deal_text("rulebook: sides\nplayer: ann 100\nann: pass for 5; hot-hand for 5\n")
    assert [one.refusal.code for one in dealt.refusals if one.refusal] == ["not-elected"]


@pytest.mark.parametrize(
    ("allowed", "why"),
    [
        ({"is": ["hot-foot"], "custom": "x"}, "there is no side bet 'hot-foot'"),
        ({"is": "hot-hand", "custom": "x"}, "expected"),
        (["hot-hand"], "expected"),
    ],
)
def test_a_mistake_in_a_book_is_named(allowed: Any, why: str) -> None:
    with pytest.raises(BookError, match=why):
        add_side_bets({"id": "mine", "side_bets": allowed})


def test_a_wager_of_the_book_stays_its_own() -> None:
    hot_hand = {"shape": "one-roll", "title": "own"}
    own = {"wager": {"hot-hand": hot_hand}, "side_bets": {"is": ["hot-hand"], "custom": ""}}
    found = add_side_bets(own)
    assert found["wager"]["hot-hand"] == hot_hand
    assert set(found["wager"]) == {"hot-hand", "flaming-four", "sizzling-six"}
    assert "side_bets" not in with_customs(own)


def test_the_page_on_side_bets_lists_each_of_them() -> None:
    page = Path(__file__).parents[2] / "docs" / "operate" / "side-bets.md"
    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("| ")]
    for offer in read_side_bets():
        assert any(row.startswith(f"| `{offer}` |") for row in rows), offer
