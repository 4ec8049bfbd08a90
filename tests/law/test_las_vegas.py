"""The customs of Las Vegas: no clause gives a value, and two sample houses deal them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import passline
from passline.cli.main import cli
from passline.game.house.load import house_for
from passline.game.law.clauses import list_clauses
from passline.game.law.load import list_values
from passline.game.layout.compile import compile_layout
from passline.game.table.posts import bank_post, count_base_dealers, stick_post

BOOK = "las-vegas"
SAMPLES = Path(next(iter(passline.__path__))) / "samples"
HOUSES = {name: str(SAMPLES / f"{name}.toml") for name in ("strip", "downtown")}


def run(*words: str, **more: Any) -> Any:
    ran = CliRunner().invoke(cli, list(words), prog_name="passline", **more)
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def test_every_value_is_a_custom_with_its_reason() -> None:
    assert list_clauses(BOOK) == ()
    values = list_values(BOOK)
    assert len(values) > 400
    assert [one.path for one in values if not one.cite.startswith("custom: ")] == []
    assert {one.book for one in values} == {BOOK, "customs"}


def test_the_law_shows_the_customs() -> None:
    shown = run("law", BOOK)
    assert shown.startswith("Las Vegas customs has no published clauses. Its values are customs:")
    assert "the 12 is barred; a house may bar the 2" in shown
    assert json.loads(run("law", BOOK, "--json")) == []
    assert run("duties", BOOK).startswith("Las Vegas customs has no clauses about procedure")


@pytest.mark.clause(f"{BOOK}:custom:crew.craps.bank")
@pytest.mark.clause(f"{BOOK}:custom:crew.craps.stick")
def test_who_deals() -> None:
    house = house_for(BOOK)
    assert (stick_post(house).who, bank_post(house).who) == ("stickperson", "boxperson")
    assert count_base_dealers(house)[0] == 2


@pytest.mark.clause(f"{BOOK}:custom:crew.craps.instead")
def test_without_a_box_the_floor_watches_the_bank() -> None:
    house = house_for(BOOK, options=[("crew.boxperson", "false"), ("crew.base_dealers", "1")])
    assert bank_post(house).who == "floorperson"
    assert count_base_dealers(house)[0] == 1


@pytest.mark.parametrize("name", HOUSES)
def test_a_sample_house_is_lawful_and_dealt(name: str) -> None:
    assert run("lint", HOUSES[name]).startswith("OK: ")
    house = house_for(HOUSES[name])
    assert house.name == name.capitalize()
    minimum = house.minimum // 100
    game = f"house: {HOUSES[name]}\nrulebook: {BOOK}\nplayer: ann 1000\nann: pass for {minimum}\n"
    found = json.loads(run("deal", "-", "--json", input=f"{game}roll 4 3\n"))
    assert found["players"]["ann"]["rail"] == f"{1000 + minimum}.00"


def test_what_the_two_houses_deal_differently() -> None:
    strip, downtown = (compile_layout(house_for(path)).spots for path in HOUSES.values())
    assert {"big-6", "place-lose-4"} <= downtown.keys() - strip.keys()
    assert {"hop-2-2", "all-small"} <= strip.keys() - downtown.keys()
    assert downtown["hard-4"].works
    assert not strip["hard-4"].works
    assert downtown["lay-4"].stays
    assert not strip["lay-4"].stays
    assert [strip[f"buy-{n}"].vig_won for n in (4, 5, 10)] == [True, False, True]
    assert downtown["dont-pass"].rule.push_totals == (2,)


@pytest.mark.parametrize(
    ("wager", "elected", "edge"),
    [
        ("craps-2", ["pays.craps-2=30 for 1"], Fraction(1, 6)),
        ("eleven", ["pays.eleven=15 for 1"], Fraction(1, 6)),
        ("dont-pass", ["dont.bar=2"], Fraction(3, 220)),
        ("lay-4", ["lay.when=won"], Fraction(1, 60)),
        ("lay-6", ["lay.when=won"], Fraction(1, 44)),
        ("buy-4", ["buy.when=made"], Fraction(1, 20)),
        # Two ways to push instead of one: a thirty-sixth more is not won.
        ("dont-pass", ["dont.bar=3"], Fraction(3, 220) + Fraction(1, 36)),
    ],
)
def test_edges_of_what_a_house_elects(wager: str, elected: list[str], edge: Fraction) -> None:
    options = [word for one in elected for word in ("-o", one)]
    (row,) = json.loads(run("odds", BOOK, wager, "--json", *options))
    assert Fraction(row["edge"]) == edge


@pytest.mark.parametrize(
    "words",
    [
        f"par {BOOK}",
        f"placard {BOOK}",
        f"felt {BOOK}",
        f"hand {BOOK}",
        f"diff {BOOK} new-jersey --wager field",
        f"session pass --rulebook {BOOK} --bankroll 100 --rolls 20 --exact",
        f"simulate pass --rulebook {BOOK} --rolls 200",
        f"strategies --rulebook {BOOK}",
    ],
)
def test_commands_take_the_book(words: str) -> None:
    assert run(*words.split())


def test_strategies_bet_the_minimum_where_that_is_more_than_theirs() -> None:
    shown = run("simulate", "pass", "--rulebook", HOUSES["strip"], "--rolls", "200", "--json")
    assert Fraction(json.loads(shown)["exact_mean_per_roll"]).limit_denominator(2000) == Fraction(
        -1500 * 7, 1671
    )
    named = run("machine", "pass", "--rulebook", HOUSES["strip"])
    assert "pass(unit=15)" in named
    assert "pass(unit=" not in run("machine", "pass", "--rulebook", HOUSES["downtown"])


def test_a_side_bet_takes_less_than_the_line_on_the_strip() -> None:
    assert "Minimum, Muggsy's Corner" in run("placard", HOUSES["strip"])
    game = f"house: {HOUSES['strip']}\nrulebook: {BOOK}\nplayer: ann 100\n"
    game += "ann: pass for 15; muggsys-corner for 1\nroll 4 3\n"
    (rolled,) = json.loads(run("deal", "-", "--json", input=game))["rolls"]
    assert [(one["wager"], one["paid"]) for one in rolled["settlements"]] == [
        ("pass", "15.00"),
        ("muggsys-corner", "2.00"),
    ]


def test_the_errors_drill_needs_no_clause_where_the_book_has_none() -> None:
    for name in HOUSES.values():
        found = json.loads(run("school", "errors", "--rulebook", name, "--count", "3", "--json"))
        assert [question["cite"] for question in found["questions"]] == [[], [], []]
        assert all(question["answer"]["wrong"] for question in found["questions"])
