"""Ride the Line and Twice Hard: side bets that move from stage to stage."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.game.house.house import House
from passline.game.house.load import HouseError, house_for
from passline.game.law.book_files import BookError
from passline.game.law.load import make_book, read_book_text
from passline.game.law.side_bets import _CATALOG_FILE
from passline.game.layout.compile import compile_layout
from passline.game.words.wagers import explain_wager
from passline.lab.pricing.wager_odds import odds
from passline.record.deal import Dealt, deal_text
from passline.record.write import write_record
from tests.side_bets.own_figures import RIDE_CHANCES, RIDES, pass_wins, ride_the_line, twice_hard

RIDE, HARD = "ride-the-line", "twice-hard"
COME_OUT = "bob: pass for 5"


def _house(table: str = "A", book: str = "sides") -> House:
    return house_for(book, None, ((f"offers.{RIDE}", table), (f"offers.{HARD}", "A")))


def _deal(*lines: str, table: str = "A") -> Dealt:
    """Deal lines at a table with both bets; a pair such as ``3-4`` is a roll."""
    header = f"rulebook: sides\nhouse.offers.{RIDE}: {table}\nhouse.offers.{HARD}: A\n"
    body = [f"roll {line.replace('-', ' ')}" if line[1] == "-" else line for line in lines]
    return deal_text("\n".join([header, "player: ann 1000", "player: bob 1000", *body]) + "\n")


def _ride(*rolls: str, table: str = "A") -> list[str]:
    """Return what becomes of Ride the Line on these rolls; a ``|`` before one is a come-out."""
    lines = [f"ann: {RIDE} for 5"]
    for roll in rolls:
        lines += [COME_OUT] * roll.startswith("|") + [roll.lstrip("|")]
    return _list_results(_deal(*lines, table=table))


def _list_results(dealt: Dealt) -> list[str]:
    assert not dealt.refusals, dealt.refusals
    settled = [done for roll in dealt.to_json()["rolls"] for done in roll["settlements"]]
    ours = [done for done in settled if done["wager"].startswith((RIDE, HARD))]
    return [f"{done['wager']} {done['result']} {done['paid']}" for done in ours]


@pytest.mark.parametrize("table", RIDES)
def test_ride_the_line_costs_what_another_program_finds(table: str) -> None:
    row = odds(_house(table), RIDE)
    assert row.edge == ride_the_line(RIDES[table])
    chances = pass_wins(11)
    assert row.push == sum(chances[wins] for wins, pays in RIDES[table].items() if not pays)
    assert row.win == sum(chances[wins] for wins, pays in RIDES[table].items() if pays)


def test_the_chances_of_pass_wins_are_the_published_ones() -> None:
    for chance, published in zip(pass_wins(11), RIDE_CHANCES, strict=True):
        assert abs(float(chance) - published) < 1e-9
    told = json.loads(CliRunner().invoke(cli, ["hand", "sides", "--json"]).output)["pass_wins"]
    assert told[:11] == [float(chance) for chance in pass_wins(11)[:11]]


def test_twice_hard_costs_five_in_thirty_three() -> None:
    row = odds(_house(), HARD)
    assert row.edge == twice_hard(20) == Fraction(5, 33)
    assert row.win == Fraction(4, 99)


def test_ride_the_line_moves_at_each_pass_win_and_is_paid_at_the_seven_out() -> None:
    # A natural, a point made and an eleven; craps and other numbers move nothing.
    rolls = ["|3-4", "|1-1", "|3-3", "4-4", "2-4", "|5-6", "|4-5", "1-6"]
    assert _ride(*rolls) == [
        "ride-the-line travel 0.00",
        "ride-the-line-1 travel 0.00",
        "ride-the-line-2 travel 0.00",
        "ride-the-line-3 win 5.00",
    ]


def test_ride_the_line_gives_the_stake_back_where_its_pay_table_says_0_to_1() -> None:
    two = ["|3-4", "|3-4", "|4-5", "3-4"]
    assert _ride(*two)[-1] == "ride-the-line-2 push 0.00"
    assert _ride(*two, table="B")[-1] == "ride-the-line-2 lose 0.00"
    lines = [f"ann: {RIDE} for 5", *[COME_OUT, "3-4"] * 2, COME_OUT, "4-5", "3-4"]
    seat = _deal(*lines).table.seat("ann")
    assert (seat.rail, seat.wagers) == (100000, {})


def test_ride_the_line_stays_at_its_highest_stage() -> None:
    twelve = ["|3-4"] * 12
    assert len(_ride(*twelve)) == 11
    assert _ride(*twelve, "|4-5", "3-4", table="G")[-1] == "ride-the-line-11 win 750.00"


def test_ride_the_line_is_made_before_a_new_shooter_only() -> None:
    late = _deal(COME_OUT, "3-4", f"ann: {RIDE} for 5")
    assert [one.refusal.code for one in late.refusals if one.refusal] == ["before-new-shooter"]
    stays = _deal(f"ann: {RIDE} for 5; {RIDE} down", f"ann: {RIDE} to 10")
    assert len(stays.refusals) == 2
    ahead = _deal(f"ann: {RIDE}-3 for 5")
    assert [one.refusal.code for one in ahead.refusals if one.refusal] == ["travels"]


def test_twice_hard_needs_the_same_hardway_again() -> None:
    start = [f"ann: {HARD} for 5", COME_OUT, "4-5"]
    assert _list_results(_deal(*start, "1-1", "6-6", "1-3", "4-4")) == ["twice-hard travel 0.00"]
    assert _list_results(_deal(*start, "4-4", "3-3", "2-4", "4-4"))[1:] == [
        "twice-hard-8 win 100.00"
    ]
    assert _list_results(_deal(*start, "2-2", "5-5", "1-3"))[1:] == ["twice-hard-4 lose 0.00"]
    assert _list_results(_deal(*start, "5-5", "3-4"))[1:] == ["twice-hard-10 lose 0.00"]
    assert _list_results(_deal(*start, "3-4")) == ["twice-hard lose 0.00"]


def test_twice_hard_changes_until_its_first_hardway() -> None:
    dealt = _deal(
        f"ann: {HARD} for 5; {HARD} to 10; {HARD} to 6",
        COME_OUT,
        "4-4",
        f"ann: {HARD} for 7",
    )
    assert not dealt.refusals
    assert {slug: up.amount for slug, up in dealt.table.seat("ann").wagers.items()} == {
        "twice-hard-8": 600,
        HARD: 700,
    }
    late = _deal(f"ann: {HARD} for 5", COME_OUT, "4-4", f"ann: {HARD}-8 down")
    assert len(late.refusals) == 1


def test_a_record_with_a_bet_on_its_way_is_dealt_again() -> None:
    dealt = _deal(f"ann: {RIDE} for 5; {HARD} for 5", COME_OUT, "5-6", COME_OUT, "4-4")
    assert set(dealt.table.seat("ann").wagers) == {"ride-the-line-1", "twice-hard-8"}
    assert deal_text(write_record(dealt)).table == dealt.table


def test_the_stick_calls_the_moves_and_a_dealer_makes_them() -> None:
    record = (
        f"rulebook: sides\nhouse.offers.{RIDE}: A\nplayer: ann 100\n"
        f"ann: {RIDE} for 5; pass for 5\nroll 5 6\nann: pass for 5\nroll 3 4\n"
        "ann: pass for 5\nroll 4 5\nroll 3 4\n"
    )
    run = CliRunner().invoke(cli, ["deal", "-", "--crew"], input=record)
    assert run.exit_code == 0, run.output
    words = " ".join(run.output.split())
    assert words.count("move ride the line") == 4  # called and done twice: no wins are named
    assert "place ann: ride the line $5 to ride the line with 1 win" in words
    assert "return ann: ride the line with 2 wins $5" in words


def test_the_felt_has_one_spot_for_all_stages() -> None:
    elect = ["-o", f"offers.{RIDE}=A", "-o", f"offers.{HARD}=A"]
    drawn = CliRunner().invoke(cli, ["felt", "sides", *elect, "--out", "-"])
    assert drawn.exit_code == 0, drawn.output
    assert drawn.output.count(">RIDE THE LINE<") == drawn.output.count(">TWICE HARD<") == 1
    assert "1 - 50 to 1" in drawn.output


def test_each_stage_is_explained() -> None:
    layout = compile_layout(_house("G"))
    assert explain_wager(layout, RIDE).startswith("4 or more pass wins")
    assert explain_wager(layout, HARD).startswith("Hard 4, 6, 8 or 10, then the same hardway")
    assert explain_wager(layout, "twice-hard-6") == "Hard 6 again wins; 7 and easy 6 lose."


def test_a_house_may_pay_a_stage_otherwise() -> None:
    richer = (("offers.ride-the-line", "A"), ("pays.ride-the-line-3", "2 to 1"))
    row = odds(house_for("las-vegas", None, richer), RIDE)
    assert row.edge == ride_the_line(RIDES["A"] | {3: 2})


def test_dealer_school_and_las_vegas_allow_the_catalog_and_the_laws_refuse_it() -> None:
    for book in ("las-vegas", "dealer-school"):
        assert _house(book=book).offers(RIDE)
    clauses = {
        "new-jersey": "19:47-1.2(b)",
        "section-2": "2(b)(2)",
        "iowa": "wagers.intro.4",
        "maryland-crapless": "3.A",
    }
    for book, clause in clauses.items():
        with pytest.raises(HouseError) as refused:
            _house(book=book)
        assert clause in str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("numbers = { is = [4, 6, 8, 10]", "numbers = { is = [4, 6, 8, 12]", "12 is no hardway"),
        ("numbers = { is = [4, 6, 8, 10]", "numbers = { is = []", "it wins on no hardway"),
        ("on = [4, 6, 8, 10], elect", "on = [4, 6, 8], elect", "0 payouts are given for 10"),
        (
            '{ on = [4], elect = "ride-the-line=B"',
            '{ on = [5], elect = "ride-the-line=B"',
            "payouts",
        ),
        (
            '{ on = [2], elect = "ride-the-line=A"',
            '{ on = [1], elect = "ride-the-line=A"',
            "no number",
        ),
    ],
)
def test_a_mistake_in_a_stage_is_named(old: str, new: str, why: str) -> None:

    text = _CATALOG_FILE.read_text("utf-8")
    assert text.count(old) == 1
    wagers = tomllib.loads(text.replace(old, new))["wager"]
    book = tomllib.loads(read_book_text("las-vegas"))
    book["wager"] |= {name: wagers[name] for name in (RIDE, HARD)}
    with pytest.raises(BookError, match=why):
        make_book(book)
