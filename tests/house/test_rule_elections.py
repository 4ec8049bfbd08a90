"""Elections that change a rule: allowed where the book is silent, refused with the clause else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.game.house.elections import ElectionError, read_elections
from passline.game.house.house import make_house
from passline.game.house.lint import lint
from passline.game.house.load import house_for
from passline.game.law.load import rulebook
from passline.game.layout.compile import compile_layout
from passline.game.words.placard import render_placard_text


def find(book: str, **elected: Any) -> dict[str, tuple[str, str]]:
    law = rulebook(book)
    given = {key.replace("__", ".").replace("_", "-"): value for key, value in elected.items()}
    given = {key.replace("call-off", "call_off"): value for key, value in given.items()}
    return {f.key: (f.allowed, f.cite) for f in lint(law, None, read_elections(law, given))}


def deal(text: str) -> Any:
    ran = CliRunner().invoke(cli, ["deal", "-", "--json"], input=text)
    assert ran.exit_code == 0, ran.output
    return json.loads(ran.stdout)


@pytest.mark.parametrize(
    ("book", "elected", "cite"),
    [
        ("new-jersey", {"working__hardways": "on"}, "19:47-1.3(e)#3"),
        ("section-2", {"working__hardways": "on"}, "2(c)(5)#4"),
        ("maryland-crapless", {"working__hardways": "on"}, "3.A(5)(a)#1"),
        ("dealer-school", {"working__hardways": "on"}, "calling.4#1"),
        ("new-jersey", {"call_off__lay": True}, "19:47-1.3(e)#5"),
        ("section-2", {"call_off__lay": True}, "2(c)(5)#7"),
        ("iowa", {"call_off__lay": True}, "lay/call-off#1"),
        ("iowa", {"working__dont_come_odds": "off"}, "wagers.5.d#3"),
        ("new-jersey", {"working__dont_come_odds": "off"}, "19:47-1.3(e)#5"),
        ("iowa", {"dont__bar": 2}, "wagers.2.c"),
        ("new-jersey", {"dont__bar": 3}, "19:47-1.2(a)2.iii"),
        ("new-jersey", {"dont__bar": 7}, "19:47-1.2(a)2.iii"),
        ("maryland-crapless", {"dont__bar": 2}, "3.A"),
        ("maryland-crapless", {"call_off__lay": True}, "3.A"),
        ("new-jersey", {"stays__big": True}, "19:47-1.2(b)"),
        ("new-jersey", {"pays__craps_2": "30 for 1"}, "19:47-1.4(a)#2"),
        ("iowa", {"buy__when": "won"}, "wagers.7#3"),
    ],
)
def test_what_a_clause_forbids(book: str, elected: dict[str, Any], cite: str) -> None:
    found = find(book, **elected)
    assert [one[1] for one in found.values()] == [cite]


@pytest.mark.parametrize(
    ("book", "elected"),
    [
        ("iowa", {"working__hardways": "on"}),
        ("dealer-school", {"call_off__lay": True}),
        ("dealer-school", {"working__dont_come_odds": "off"}),
        ("new-jersey", {"working__hardways": "off", "dont__bar": 12}),
        ("new-jersey", {"stays__lay": True, "call_off__place_win": False}),
        ("iowa", {"offers__hops": False, "offers__field": False, "offers__hardways": False}),
        ("new-jersey", {"offers__hops": False, "offers__field": True}),
        ("dealer-school", {"call_off__pass_odds": True}),
    ],
)
def test_what_a_house_may_elect(book: str, elected: dict[str, Any]) -> None:
    assert find(book, **elected) == {}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("working.hardways", "always", "expected one of on, off"),
        ("call_off.lay", "yes", "expected true or false"),
        ("stays.pass", True, "expected a kind of wager: place-win"),
        ("dont.bar", "two", "expected a whole number"),
        ("working.", "on", "there is no house rule"),
    ],
)
def test_what_cannot_be_read(key: str, value: Any, message: str) -> None:
    with pytest.raises(ElectionError, match=message):
        read_elections(rulebook("iowa"), {key: value})


def test_a_lay_that_is_called_off_rests() -> None:
    game = (
        "rulebook: dealer-school\nhouse.call_off.lay: true\nplayer: ann 500\n"
        "ann: pass for 10; lay-4 for 40\nann: lay-4 off\nroll 2 2\nann: lay-4 on\nroll 3 1\n"
    )
    found = deal(game)
    assert found["refusals"] == []
    first, second = ([s["wager"] for s in roll["settlements"]] for roll in found["rolls"])
    assert "lay-4" not in first
    assert "lay-4" in second
    refused = deal(game.replace("house.call_off.lay: true\n", ""))["refusals"]
    assert refused[0]["said"] == "lay-4 off"


def test_a_winning_lay_stays_up_and_pays_for_its_next_decision() -> None:
    game = "rulebook: iowa\n{}player: ann 500\nann: pass for 10; lay-4 for 40\nroll 4 3\n"
    stayed = deal(game.format("house.stays.lay: true\n"))
    assert stayed["players"]["ann"]["wagers"]["lay-4"] == "40.00"
    settled = next(s for s in stayed["rolls"][0]["settlements"] if s["wager"] == "lay-4")
    assert (settled["paid"], settled["vig"]) == ("20.00", "1.00")
    assert "lay-4" not in deal(game.format(""))["players"]["ann"]["wagers"]


def test_laid_odds_that_are_off_come_back() -> None:
    game = (
        "rulebook: dealer-school\nhouse.working.dont-come-odds: off\nplayer: ann 500\n"
        "ann: pass for 10\nroll 2 2\nann: dont-come for 10\nroll 6 3\n"
        "ann: dont-come-odds-9 for 15\nroll 3 1\nann: pass for 10\nroll 6 3\n"
    )
    found = deal(game)
    assert found["refusals"] == []
    settled = {s["wager"]: s for s in found["rolls"][-1]["settlements"]}
    assert settled["dont-come-odds-9"]["result"] == "return"
    assert settled["dont-come-odds-9"]["cite"] == "custom: the house elects working.dont-come-odds"
    working = deal(game.replace("house.working.dont-come-odds: off\n", ""))
    settled = {s["wager"]: s for s in working["rolls"][-1]["settlements"]}
    assert settled["dont-come-odds-9"]["result"] == "lose"


def test_the_bar_moves() -> None:
    house = make_house(rulebook("iowa"), given={"dont.bar": 2})
    for family in ("dont-pass", "dont-come"):
        rule = house.book.wager[family]
        assert rule.push_totals == (2,)
        assert rule.first_win.value == (3, 12)  # type: ignore[attr-defined]
    assert rulebook("iowa").wager["dont-pass"].push_totals == (12,)
    assert "2 on the first roll is a push" in " ".join(render_placard_text(house).split())


@pytest.mark.parametrize(
    ("group", "slugs"),
    [
        ("hops", ["hop-2-2", "hop-4-6"]),
        ("field", ["field"]),
        ("hardways", ["hard-4", "hard-10"]),
    ],
)
def test_what_is_not_dealt(group: str, slugs: list[str]) -> None:
    layout = compile_layout(house_for("new-jersey", options=[(f"offers.{group}", "false")]))
    whole = compile_layout(house_for("new-jersey"))
    assert set(slugs) <= whole.spots.keys() - layout.spots.keys()
    head = f"rulebook: new-jersey\nhouse.offers.{group}: false\nplayer: ann 100\n"
    game = f"{head}ann: {slugs[0]} for 5\n"
    refused = deal(game)["refusals"]
    assert "is not dealt here" in refused[0]["reason"]
    assert refused[0]["cite"].startswith("custom: the list of wagers is what may be dealt")


def test_the_same_elections_share_one_book() -> None:
    houses = [make_house(rulebook("iowa"), given={"stays.lay": True}) for _ in range(2)]
    assert houses[0].book is houses[1].book
    assert houses[0].book.digest == rulebook("iowa").digest, "a log names the published book"
    assert make_house(rulebook("iowa")).book is rulebook("iowa")
