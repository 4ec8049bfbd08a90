"""Every exact figure of a wager, unfolded, adds up to the figure; and the terms are the rules'."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from itertools import chain
from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.game.dice.dice import FAIR, OUTCOMES, Dice, parse_dice
from passline.game.house.load import as_house
from passline.game.law.book_files import BOOKS
from passline.game.law.clauses import clauses_by_id
from passline.lab.luck.shooter_hand import explain_hand, solve_shooter_hand
from passline.lab.pricing.explain import Explanation, explain_row, explain_wager
from passline.lab.pricing.wager_odds import Appraiser, WagerOdds, appraise_all

LOADED = parse_dice("1,2,1,1,1,3 x 1,1,1,1,1,2")


def adds_up(found: Explanation, book: str, dice: Dice) -> None:
    row = found.row
    own = (found.win, found.lose, found.push, found.edge, found.rolls, found.wagered)
    assert own == (row.win, row.lose, row.push, row.edge, row.rolls, row.wagered), row.wager
    if row.edge_outlay is not None:
        assert row.edge_outlay == -found.net / (found.wagered + found.vig)
    for place in found.places:
        assert sum(place.sources.values()) == place.rolls, (row.wager, place)
    clauses = clauses_by_id(book)
    for term in found.terms:
        weighed = [dice.weights[OUTCOMES.index(faces)] for faces in term.faces]
        assert (sum(weighed), term.whole) == (term.weight, dice.whole)
        assert term.settled
        for pay in term.settled:
            assert pay.cite in clauses or pay.cite.startswith("custom: "), pay


#: The bonus wagers take as long as all else: in 'make long'.
SLOW = pytest.param("maryland-crapless", marks=pytest.mark.long)


@pytest.mark.parametrize("book", [*(book for book in BOOKS if book != "maryland-crapless"), SLOW])
def test_every_wager_of_every_book(book: str) -> None:
    rows = appraise_all(as_house(book), options=True, with_odds=True)
    assert len(rows) > 40
    for appraiser, row in rows:
        assert isinstance(row, WagerOdds)
        adds_up(explain_row(appraiser, row), book, FAIR)


def test_other_dice_and_a_stake() -> None:
    appraiser = Appraiser(as_house("iowa"), 3300, LOADED)
    for wager in ("pass", "dont-pass", "lay-4", "buy-6", "hard-8", "field", "pass-odds"):
        row = appraiser.price(wager)
        assert isinstance(row, WagerOdds)
        adds_up(explain_row(appraiser, row), "iowa", LOADED)


def test_terms_by_hand() -> None:
    found = explain_wager("new-jersey", "pass")
    four = [t for t in found.terms if t.place == "pass, puck on 4"]
    assert [(t.dice, t.chance, t.net) for t in four] == [
        ("4", Fraction(1, 36), Fraction(1)),
        ("7", Fraction(1, 18), Fraction(-1)),
    ]
    assert four[0].does == ["pass wins 1 to 1"]
    horn = explain_wager("new-jersey", "horn").terms[0]
    assert (horn.faces, horn.net) == (((1, 1),), Fraction(27, 4))
    hard = {t.dice: t.weight for t in explain_wager("new-jersey", "hard-6").terms}
    assert hard == {"3-3": 1, "1-5 2-4": 4, "7": 6}


def run(*args: str) -> str:
    ended = CliRunner().invoke(cli, list(args))
    assert ended.exit_code == 0, ended.stderr
    return ended.stdout


def test_the_commands(tmp_path: Path) -> None:
    told = json.loads(run("odds", "iowa", "buy-4", "--explain", "--json", "--dice", "sevens=1/7"))
    unfolded = told[0]["explain"]
    assert sum(Fraction(term["part"]) for term in unfolded["terms"]) == -Fraction(told[0]["edge"])
    assert unfolded["edge"] == told[0]["edge"]
    assert "explain" not in json.loads(run("odds", "iowa", "buy-4", "--json"))[0]
    shown = run("odds", "iowa", "field", "--explain")
    assert "2: 1/36, a chance of 1/36; field wins" in shown
    assert "edge" in shown.rpartition("explained")[2]
    refused = json.loads(run("odds", "iowa", "place-win-6", "--stake", "1", "--explain", "--json"))
    assert refused[0]["explain"] is None
    out = tmp_path / "par.csv"
    run("par", "iowa", "--csv", str(out), "--explain")
    lines = csv.DictReader(io.StringIO((tmp_path / "par-explain.csv").read_text("utf-8")))
    parts = [Fraction(line["part"]) for line in lines if line["wager"] == "field"]
    assert -sum(parts) == explain_wager("iowa", "field").row.edge


def test_a_hand() -> None:
    hand = solve_shooter_hand("maryland-crapless", parse_dice("sevens=1/7"))
    terms, length = explain_hand(hand), hand.length
    assert sum(term.often for term in terms) == length.mean_rolls
    made = [term.often for term in terms if term.does == "makes the point"]
    assert sum(made) == length.mean_points
    ends = [term for term in terms if term.does == "ends the hand"]
    decided = [term.often for term in terms if term.does == "decides the come-out"]
    assert sum(chain(made, decided, (t.often for t in ends))) == length.mean_decisions
    assert {term.total for term in ends} == {7}
    assert all(term.cite in clauses_by_id("maryland-crapless") for term in ends)
    told = json.loads(run("hand", "maryland-crapless", "--explain", "--json"))["explain"]
    assert {each["place"] for each in told} >= {"come-out", "puck on 2", "puck on 12"}
    assert "ends the hand" in run("hand", "iowa", "--explain")
