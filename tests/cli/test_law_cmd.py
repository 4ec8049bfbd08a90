"""``passline law``: what people and programs see of the rulebooks."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from passline.cli import law as law_cmd
from passline.game.law.book_files import BOOKS
from passline.game.law.clause_status import find_clause_tests
from passline.game.law.clauses import CLAUSE_KINDS, list_clauses

FIELDS = [
    "id",
    "book",
    "kind",
    "rule",
    "figures",
    "decisions",
    "status",
    "where",
    "tests",
    "lessons",
]


def law(*words: str) -> Result:
    return CliRunner().invoke(law_cmd.command, list(words))


def objects(*words: str) -> list[dict[str, Any]]:
    ran = law(*words, "--json")
    assert (ran.exit_code, ran.stderr) == (0, "")
    found = json.loads(ran.stdout)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("book_id", BOOKS)
def test_json_has_every_clause(book_id: str) -> None:
    found = objects(book_id)
    assert [one["id"] for one in found] == [clause.id for clause in list_clauses(book_id)]
    for one in found:
        assert list(one) == FIELDS
        assert one["status"] in {"enforced", "modelled", "shown"}
        assert one["where"]


def test_one_clause_as_json() -> None:
    [one] = objects("new-jersey", "19:47-1.3(b)#2")
    assert one["kind"] == "enforced"
    assert one["status"] == "enforced"
    assert (
        one["where"] == "game/law/books/new-jersey/book.toml: tender.match_play; game/table/bets.py"
    )
    assert one["tests"] == list(find_clause_tests("new-jersey", "19:47-1.3(b)#2")) != []
    assert "Match play" in {decision["question"] for decision in one["decisions"]}


def test_every_kind_can_be_asked_for() -> None:
    (kinds,) = (p.type for p in law_cmd.command.params if p.name == "kind")
    assert isinstance(kinds, click.Choice)
    assert tuple(kinds.choices) == CLAUSE_KINDS


@pytest.mark.parametrize("kind", CLAUSE_KINDS)
def test_only_one_kind(kind: str) -> None:
    found = objects("iowa", "--kind", kind)
    assert {one["kind"] for one in found} == {kind}


def test_people_read_rule_status_place_tests_and_decision() -> None:
    ran = law("new-jersey", "19:47-1.3(b)#2")
    assert ran.exit_code == 0
    assert ran.stdout.startswith("19:47-1.3(b)#2  (enforced; enforced)\n  Match play coupons")
    assert "  where    game/law/books/new-jersey/book.toml: tender.match_play\n" in ran.stdout
    assert "  tests    tests/law/test_cases.py::" in ran.stdout
    assert "  decided  Match play: pass and don't pass in Section 2 and New Jersey" in ran.stdout


def test_lines_fit_eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    long = [line for line in law("dealer-school").stdout.splitlines() if len(line) > 80]
    # Only what cannot be broken may run over: a place or the name of a test.
    assert [line for line in long if " " in line.strip().removeprefix("tests    ")] == []


def test_many_places_are_cut_short_in_a_list() -> None:
    many = {**objects("new-jersey", "19:47-1.3(b)#2")[0], "tests": [f"t{n}" for n in range(9)]}
    lines = list(law_cmd.clause_lines(many, 80, whole=False))
    assert "           and 6 more" in lines
    assert "           t8" in list(law_cmd.clause_lines(many, 80, whole=True))


def test_coverage_counts_by_rulebook_and_kind() -> None:
    ran = law("--coverage", "--json")
    found = json.loads(ran.stdout)
    assert len(found["coverage"]) == len(BOOKS) * len(CLAUSE_KINDS)
    assert sum(row["clauses"] for row in found["coverage"]) == 2208
    assert sum(row["known"] for row in found["coverage"]) == 2208
    assert found["untested"] == []
    assert ran.exit_code == 0


def test_coverage_for_people() -> None:
    ran = law("--coverage", "section-2")
    assert ran.exit_code == 0
    assert ran.stdout.startswith("section-2\n  kind          clauses     known  enforced   modeled")
    assert "  all               304       304" in ran.stdout


@pytest.mark.parametrize("as_json", [True, False])
def test_coverage_fails_where_a_test_is_missing(
    as_json: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = ("new-jersey", "19:47-1.4(b)/hard-8")
    monkeypatch.setattr(
        "passline.game.law.clause_status.find_clause_tests",
        lambda book, clause: () if (book, clause) == gone else ("a test",),
    )
    ran = law("--coverage", *(["--json"] if as_json else []))
    assert ran.exit_code == 1
    assert ":".join(gone) in ran.stdout


def test_a_terminal_gets_colours() -> None:
    ran = CliRunner().invoke(law_cmd.command, ["new-jersey", "19:47-1.4(b)/hard-8"], color=True)
    assert "\x1b[1m19:47-1.4(b)/hard-8\x1b[0m  (payout; \x1b[32menforced\x1b[0m)" in ran.stdout
    counted = CliRunner().invoke(law_cmd.command, ["--coverage", "iowa"], color=True).stdout
    assert "\x1b[1miowa" in counted
    assert "tested" in counted


def test_a_house_file_stands_for_its_rulebook(tmp_path: Path) -> None:
    file = tmp_path / "boardwalk.toml"
    file.write_text('rulebook = "new-jersey"\nname = "Boardwalk"\n', "utf-8")
    assert len(objects(str(file))) == len(list_clauses("new-jersey"))
    assert len(objects(str(file), "-o", "odds.multiple=10")) == len(list_clauses("new-jersey"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name a rulebook ("),
        (("new-jersy",), "there is no rulebook 'new-jersy': did you mean new-jersey?"),
        (
            ("new-jersey", "19:47-1.3(q)"),
            "has no clause '19:47-1.3(q)': the nearest are ",
        ),
        (("iowa", "max.66"), "Iowa craps manual has no clause 'max.66': the nearest are max.6"),
        (("iowa", "-o", "odds.multiple"), "-o 'odds.multiple': expected KEY=VALUE"),
        (("--coverage", "iowa", "max.6"), "leave CLAUSE, --search and --kind out"),
    ],
)
def test_what_cannot_be_used_is_one_clear_line(words: tuple[str, ...], said: str) -> None:
    ran = law(*words)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_help_ends_in_an_example_that_works() -> None:
    example = law("--help").stdout.rstrip().splitlines()[-1]
    command = shlex.split(example.strip())
    assert command[:2] == ["passline", "law"]
    assert law(*command[2:]).exit_code == 0


def test_a_clause_with_parts_shows_all_of_them() -> None:
    ids = [one["id"] for one in objects("new-jersey", "19:47-1.4(b)")]
    assert "19:47-1.4(b)#1" in ids
    assert "19:47-1.4(b)/place-win-8" in ids
    assert all(one.startswith("19:47-1.4(b)") for one in ids)


def test_a_number_does_not_hold_a_longer_number() -> None:
    ids = [one["id"] for one in objects("new-jersey", "19:47-1.1")]
    assert ids
    assert not [one for one in ids if one.startswith("19:47-1.10")]


def test_clauses_are_found_by_word() -> None:
    found = objects("iowa", "--search", "HARDWAYS come-out")
    assert "wagers.10.hardways#4" in [one["id"] for one in found]
    for one in found:
        text = f"{one['id']} {one['rule']} {one['figures']}".lower()
        assert "hardways" in text
        assert "come-out" in text


def test_a_word_that_no_clause_contains() -> None:
    ran = law("iowa", "--search", "roulette")
    assert ran.exit_code == 2
    assert "no clause of Iowa craps manual contains all of these words: roulette" in ran.stderr
