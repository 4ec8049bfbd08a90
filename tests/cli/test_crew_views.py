"""``passline deal --crew`` and ``passline duties``: the crew's side on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli.deal_cmd import command as deal
from passline.cli.duties_cmd import command as duties
from passline.crew.tasks import BANK, Move, Pot, Task, carried_out
from passline.law import BOOKS
from passline.law.clauses import register
from passline.law.duties import CONDUCT, post_of

GAME = """\
rulebook: iowa
player: ann 500
player: bob 500
ann: pass for 10; field for 5
bob: dont-pass for 10
roll 4 2
ann: place-win-8 for 12
roll 5 3
roll 4 3
"""


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "game.craps"
    path.write_text(GAME, "utf-8")
    return str(path)


def test_the_work_list_in_words(game: str) -> None:
    done = CliRunner().invoke(deal, [game, "--crew"])
    assert done.exit_code == 0
    assert "pay    ann: place 8 $14 (2 red, 4 white)  [take-pay.1.a]" in done.output
    assert "base dealer, left end   repeats: ann, pass line for $10  [base.7]" in done.output
    assert "place-win-8 $14" not in done.output


def test_the_work_list_as_data_adds_up(game: str) -> None:
    whole = json.loads(CliRunner().invoke(deal, [game, "--crew", "--json"]).output)
    assert [len(roll["crew"]) > 3 for roll in whole["rolls"]] == [True, True, True]
    assert {"line", "tasks"} == set(whole["errands"][0])
    rail = 50000
    for task in [t for e in whole["errands"] for t in e["tasks"]] + [
        t for roll in whole["rolls"] for t in roll["crew"]
    ]:
        for move in task["moves"]:
            cents = round(float(move["amount"]) * 100)
            rail += cents * ((move["to"] == "rail ann") - (move["from"] == "rail ann"))
    assert f"{rail / 100:.2f}" == whole["players"]["ann"]["rail"]


def test_without_crew_the_object_is_the_contracts(game: str) -> None:
    whole = json.loads(CliRunner().invoke(deal, [game, "--json"]).output)
    assert "errands" not in whole
    assert "crew" not in whole["rolls"][0]


def test_styles_differ_and_an_unknown_one_is_refused(game: str) -> None:
    calls = {
        style: json.loads(CliRunner().invoke(deal, [game, "--json", "--style", style]).output)[
            "rolls"
        ][2]["call"]
        for style in ("school-a", "school-b", "iowa")
    }
    assert len(set(calls.values())) == 3
    wrong = CliRunner().invoke(deal, [game, "--style", "vegas"])
    assert wrong.exit_code == 2
    assert "expected school-a, school-b, iowa" in wrong.output
    both = CliRunner().invoke(deal, [game, "--crew", "--canonical"])
    assert both.exit_code == 2
    assert "--canonical and --crew exclude each other" in both.output


@pytest.mark.parametrize("book", BOOKS)
def test_every_clause_of_conduct_is_somebodys_duty(book: str) -> None:
    shown = json.loads(CliRunner().invoke(duties, [book, "--json"]).output)
    ids = [row["id"] for rows in shown.values() for row in rows]
    assert sorted(ids) == sorted(c.id for c in register(book) if c.kind in CONDUCT)
    assert all(row["where"] for rows in shown.values() for row in rows)


def test_duties_of_one_post_in_words() -> None:
    done = CliRunner().invoke(duties, ["iowa", "--post", "boxperson"])
    assert done.exit_code == 0
    assert done.output.startswith("Boxperson\n")
    assert "  * Boxperson verifies the number called matches the dice. [box.1]" in done.output
    assert max(map(len, done.output.splitlines())) < 80


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["iowas"], "there is no rulebook 'iowas': did you mean iowa?"),
        (["zzz"], "the rulebooks are"),
        (["iowa", "--post", "cook"], "iowa has no duties for 'cook': expected one of supervisor"),
    ],
)
def test_duties_that_cannot_be_shown(args: list[str], said: str) -> None:
    done = CliRunner().invoke(duties, args)
    assert done.exit_code == 2
    assert said in done.output
    assert len(done.output.splitlines()) == 1


def test_a_clause_that_is_nobodys_duty() -> None:
    with pytest.raises(LookupError, match=r"iowa max\.1 is nobody's duty"):
        post_of("iowa", "max.1")


def test_chips_that_do_not_lie_there_cannot_be_moved() -> None:
    late = Task(
        by="x", do="take", words="takes", cite="", moves=(Move(Pot("rail", "ann"), BANK, 5),)
    )
    with pytest.raises(ValueError, match="rail ann has too little: takes"):
        carried_out({Pot("rail", "ann"): 4}, [late])
