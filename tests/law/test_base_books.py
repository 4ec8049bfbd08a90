"""A rulebook that builds on another: what it inherits, what it changes, what it may not do."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.crew.press import list_manual_moves
from passline.crew.stick import find_style
from passline.crew.tasks import list_steps
from passline.felt.areas import cite_place
from passline.game.law.base_books import list_bases, merge_books
from passline.game.law.book_files import BOOKS, BookError, find_book_files
from passline.game.law.book_parts import read_own_part, read_part
from passline.game.law.clause_status import (
    find_clause_tests,
    list_clause_statuses,
    read_modeled_clauses,
)
from passline.game.law.clauses import clauses_by_id, find_decisions, list_clauses
from passline.game.law.duties import find_act_rules, find_post
from passline.game.law.load import list_values, read_book_text, rulebook
from passline.school.lessons.lesson_files import find_taught_clauses
from passline.talk.normalize import load_slang

OWN = """
id = "pier-nine"
title = "Pier Nine rules"
based_on = "new-jersey"

[odds]
most = { is = 20, cite = "pier.odds" }

[wager.field]
pays = [{ on = [12], is = "3 to 1", cite = "pier.field" }]

[wager.hop-2-2]
omit = true

[throw]
grounds = [{ is = "spilt-drink", cite = "pier.drink" }]
"""
REGISTER = (
    "id\tkind\trule\tfigures\tnote\n"
    "pier.odds\toption\tOdds to twenty times.\tmost=20\t\n"
    "pier.field\tpayout\tThe twelve in the field is triple.\t3 to 1\t\n"
    "pier.drink\tenforced\tA die in a drink is no roll.\t\t\n"
)


def write_book(folder: Path, book_id: str, text: str, register: str = "") -> Path:
    """Write a book's folder below ``folder`` and return it."""
    own = folder / book_id
    own.mkdir(parents=True, exist_ok=True)
    (own / "book.toml").write_text(text, "utf-8")
    if register:
        (own / "clauses.tsv").write_text(register, "utf-8")
    return own


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "books"
    write_book(folder, "pier-nine", OWN, REGISTER)
    monkeypatch.setenv("PASSLINE_BOOKS", str(folder))
    return folder


def run(*words: str, **more: Any) -> Any:
    return CliRunner().invoke(cli, list(words), prog_name="passline", **more)


def test_only_what_differs_is_written(books: Path) -> None:
    pier, base = rulebook("pier-nine"), rulebook("new-jersey")
    assert pier.odds.most is not None
    assert (pier.odds.most.value, pier.odds.most.cite) == (20, "pier.odds")
    assert pier.odds.least == base.odds.least
    assert pier.wager["pass"] == base.wager["pass"]
    assert "hop-2-2" in base.wager
    assert "hop-2-2" not in pier.wager
    assert [g.name for g in pier.throw.grounds][-1] == "spilt-drink"
    assert pier.throw.grounds[:-1] == base.throw.grounds
    assert list_bases("pier-nine") == ("new-jersey",)


def test_a_payout_line_replaces_the_bases_on_its_faces(books: Path) -> None:
    pays = rulebook("pier-nine").wager["field"].pays
    assert [(line.on, line.odds, line.cite) for line in pays] == [
        ((3, 4, 9, 10, 11), "1 to 1", "19:47-1.4(b)/field"),
        ((2,), "2 to 1", "19:47-1.4(b)/field-2"),
        ((12,), "3 to 1", "pier.field"),
    ]


@pytest.mark.parametrize(
    ("own", "pays"),
    [
        ([{"on": [2, 12], "is": "5"}], [([3, 4], "1"), ([2, 12], "5")]),
        ([{"on": [3], "is": "5"}], [([4], "1"), ([3], "5"), ([2], "2"), ([12], "2")]),
        ([{"is": "5"}], [(None, "5")]),
    ],
)
def test_lines_by_face(own: list[Any], pays: list[Any]) -> None:
    base = [{"on": [3, 4], "is": "1"}, {"on": [2], "is": "2"}, {"on": [12], "is": "2"}]
    found = merge_books({"pays": base}, {"pays": own})["pays"]
    assert [(line.get("on"), line["is"]) for line in found] == pays


@pytest.mark.parametrize(
    ("base", "own", "message"),
    [
        ({}, {"wager": {"horn": {"omit": True}}}, "wager.horn.omit: its base has no horn"),
        ({"wager": {}}, {"wager": {"a": {"b": {"omit": True}}}}, "wager.a.b.omit: its base has no"),
        ({"a": {"is": 1}}, {"a": {"b": {"omit": True}}}, "a.b.omit: its base has no b"),
        (
            {"throw": {"grounds": [{"is": "wet"}]}},
            {"throw": {"grounds": [{"is": "dry", "omit": True}]}},
            "throw.grounds.dry.omit: its base has no dry",
        ),
        ({}, {"grounds": [{"is": "a"}, {"is": "dry", "omit": True}]}, "grounds.dry.omit: its base"),
    ],
)
def test_what_the_base_lacks_cannot_be_omitted(base: Any, own: Any, message: str) -> None:
    with pytest.raises(BookError) as caught:
        merge_books(base, own)
    assert str(caught.value).startswith(message)


def test_a_named_reason_is_omitted() -> None:
    base = {"grounds": [{"is": "wet"}, {"is": "dry"}]}
    found = merge_books(base, {"grounds": [{"is": "wet", "omit": True}]})
    assert found == {"grounds": [{"is": "dry"}]}


def _iter_values(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, dict) and "is" in data:
        yield path
    elif isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _iter_values(value, (*path, key))


@pytest.mark.parametrize("base_id", BOOKS)
def test_every_inherited_value_moves_with_the_base(base_id: str) -> None:
    base = tomllib.loads(read_book_text(base_id))
    own = {"id": "heir", "title": "Heir", "odds": {"fit": {"is": False, "cite": "heir.1"}}}
    moved = kept = 0
    for path in _iter_values(base):
        changed = copy.deepcopy(base)
        entry = changed
        for key in path:
            entry = entry[key]
        entry["is"] = "moved"
        found: Any = merge_books(changed, own)
        for key in path:
            found = found[key]
        moved += found["is"] == "moved"
        kept += found["is"] is False and path == ("odds", "fit")
    assert kept == 1
    assert moved == len(list(_iter_values(base))) - 1 > 200


def test_a_value_changed_in_the_base_s_file_moves(books: Path) -> None:
    base = "id = 'pier-ten'\ntitle = 'Pier Ten'\nbased_on = 'pier-nine'\n"
    write_book(
        books, "pier-ten", base + "[wager.fire]\nomit = true\n[elect.'offers.fire']\nomit = true\n"
    )
    changed = OWN.replace("is = 20", "is = 15").replace("3 to 1", "4 to 1")
    write_book(books, "pier-nine", changed, REGISTER)
    ten = rulebook("pier-ten")
    assert ten.odds.most is not None
    assert (ten.odds.most.value, ten.odds.most.cite) == (15, "pier.odds")
    assert ten.wager["field"].pays[-1].odds == "4 to 1"
    assert "fire" not in ten.wager
    assert list_bases("pier-ten") == ("pier-nine", "new-jersey")


def test_everything_of_the_folder_inherits(books: Path) -> None:
    pier, base = "pier-nine", "new-jersey"
    assert [s.name for s in list_steps(pier, "come-out")] == [
        s.name for s in list_steps(base, "come-out")
    ]
    parts = [
        path.relative_to(find_book_files(base).book.parent).with_suffix("").as_posix()
        for path in find_book_files(base).parts
    ]
    for part in parts:
        assert read_own_part(pier, part) == read_own_part(base, part) != {}
        assert read_part(pier, part) == read_part(base, part)
    assert cite_place("pass", pier) == cite_place("pass", base)
    assert find_style(pier) == find_style(base)
    assert find_act_rules(pier, "craps", "roll") == find_act_rules(base, "craps", "roll")
    clause = "19:47-1.3(b)#2"
    assert find_decisions(pier, clause) == find_decisions(base, clause) != ()
    assert find_clause_tests(pier, clause) == find_clause_tests(base, clause) != ()
    assert read_modeled_clauses(pier) == read_modeled_clauses(base)
    for one in list_clauses(base):
        assert find_post(pier, one.id) == find_post(base, one.id)


def test_its_own_parts_come_on_top(books: Path) -> None:
    folder = books / "pier-nine"
    (folder / "crew").mkdir()
    (folder / "crew/sequence.toml").write_text(
        '[step.show-dice]\ninsert_after = "call"\ndo = "turn"\nby = "stick"\n'
        'words = "shows both dice"\ncite = "pier.drink"\n',
        "utf-8",
    )
    (folder / "duties.toml").write_text(
        '[[duty]]\npost = "bartender"\nclauses = ["pier.drink"]\n', "utf-8"
    )
    names = [s.name for s in list_steps("pier-nine", "come-out")]
    assert names[:2] == ["call", "show-dice"]
    assert len(names) == len(list_steps("new-jersey", "come-out")) + 1
    assert find_post("pier-nine", "pier.drink") == "bartender"
    assert find_post("pier-nine", "19:47-1.8(b)#1") == find_post("new-jersey", "19:47-1.8(b)#1")


def test_the_register_is_both(books: Path) -> None:
    found = clauses_by_id("pier-nine")
    assert [*found][:3] == ["pier.odds", "pier.field", "pier.drink"]
    assert len(found) == 3 + len(list_clauses("new-jersey"))
    assert found["19:47-1.3(c)1"].book == "new-jersey"
    assert found["pier.odds"].book == ""


def test_an_id_of_both_is_cited_with_the_base(books: Path) -> None:
    row = "19:47-1.6(e)#1\toption\tOdds to thirty times.\tmost=30\t\n"
    text = OWN.replace('{ is = 20, cite = "pier.odds" }', '{ is = 30, cite = "19:47-1.6(e)#1" }')
    write_book(books, "pier-six", text.replace("pier-nine", "pier-six"), REGISTER + row)
    pier = rulebook("pier-six")
    assert pier.odds.most is not None
    assert pier.odds.most.cite == "19:47-1.6(e)#1"
    found = clauses_by_id("pier-six")
    assert found["19:47-1.6(e)#1"].rule == "Odds to thirty times."
    assert found["new-jersey:19:47-1.6(e)#1"].book == "new-jersey"
    cited = {one.cite for one in list_values("pier-six") if one.book == "new-jersey"}
    assert not any("19:47-1.6(e)#1" in cite.split(", ") for cite in cited)


def test_the_law_says_where_each_comes_from(books: Path) -> None:
    where = {one.clause.id: one.where for one in list_clause_statuses("pier-nine")}
    assert where["pier.odds"].startswith("pier-nine/book.toml: odds.most")
    assert where["19:47-1.3(c)1"].startswith("game/law/books/new-jersey/book.toml: ")
    assert where["19:47-1.4(b)/field-12"].endswith("replaced: no value of pier-nine cites it")
    ran = run("law", "pier-nine", "19:47-1.3(c)1")
    assert "from new-jersey" in ran.stdout
    found = json.loads(run("law", "pier-nine", "--json").stdout)
    assert {one["book"] for one in found} == {"pier-nine", "new-jersey"}
    values = json.loads(run("law", "pier-nine", "--values", "--json").stdout)
    books_by_path = {one["path"]: one["book"] for one in values}
    assert books_by_path["odds.most"] == "pier-nine"
    assert books_by_path["odds.least"] == "new-jersey"
    assert books_by_path["stakes.chip_default"] == "customs"
    shown = run("law", "pier-nine", "--values", "--search", "odds.least").stdout
    assert shown == "odds.least = 1\n  19:47-1.6(a)#2, 19:47-1.6(c)#2 (new-jersey)\n"


def test_lint_says_whose_clause_it_is(books: Path) -> None:
    house = 'rulebook = "pier-nine"\nodds.multiple = {}\n'
    ran = run("lint", "-", input=house.format("0.5"))
    assert "19:47-1.6(a)#2 (from new-jersey)" in ran.stdout
    ran = run("lint", "-", input=house.format("21"))
    assert "  pier.odds\n" in ran.stdout
    found = json.loads(run("lint", "-", "--json", input=house.format("0.5")).stdout)
    assert [one["book"] for one in found["findings"]] == ["new-jersey"]


def test_the_placard_and_diff_say_it(books: Path) -> None:
    card = " ".join(run("placard", "pier-nine").stdout.split())
    assert "Own rules on field; the others are those of" in card
    assert "(new-jersey)." in card
    ran = run("diff", "new-jersey", "pier-nine", "--json", "--all")
    found = {one["wager"]: one for one in json.loads(ran.stdout)["wagers"]}
    assert found["field"]["second"]["book"] == "pier-nine"
    assert found["any-seven"]["second"]["book"] == "new-jersey"
    assert found["any-seven"]["second"]["cite"] == "19:47-1.4(b)/any-seven"
    assert found["hop-2-2"]["second"] is None
    shown = run("diff", "new-jersey", "pier-nine", "--all").stdout
    assert "(4 to 1, new-jersey)" in shown


def test_diff_names_the_base_of_each_numbers_payout(books: Path) -> None:
    own = '{ on = [6, 8], is = "13 to 11", custom = "ours" }'
    head = "id = 'odd'\ntitle = 'Odd'\nbased_on = 'new-jersey'\n"
    write_book(books, "odd", f"{head}[wager.place-win]\npays = [{own}]\n")
    write_book(books, "heir", "id = 'heir'\ntitle = 'Heir'\nbased_on = 'odd'\n")
    ran = run("diff", "iowa", "heir", "--json", "--all")
    found = {one["wager"]: one["second"] for one in json.loads(ran.stdout)["wagers"]}
    assert found["place-win-6"]["book"] == "odd"
    assert found["place-win-5"]["book"] == "new-jersey"


def test_a_game_is_dealt_by_the_bases_clauses(books: Path, tmp_path: Path) -> None:
    game = "rulebook: pier-nine\nplayer: ann 100\nann: pass for 10; field for 5\nroll 6 6\n"
    found = json.loads(run("deal", "-", "--json", input=game).stdout)
    settled = {s["wager"]: (s["paid"], s["cite"]) for s in found["rolls"][0]["settlements"]}
    assert settled["field"] == ("15.00", "pier.field")
    assert settled["pass"][1] in clauses_by_id("new-jersey")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('based_on = "nevada"', "rulebook heir: based_on: there is no rulebook 'nevada'"),
        ("based_on = 7", "rulebook heir: based_on: there is no rulebook 7"),
        ('based_on = "heir"', "rulebook heir: based_on: the books are circular: heir, heir"),
        ('based_on = "ring"', "rulebook heir: based_on: the books are circular: heir, ring, heir"),
        ('based_on = "b5"', "rulebook heir: based_on: too many bases (b5, b4, b3, b2, b1)"),
        (
            'based_on = "iowa"\n[wager.fire]\nomit = true',
            "rulebook heir: wager.fire.omit: its base has no fire",
        ),
        (
            'based_on = "iowa"\n[wager.hardway]\npays = [{ is = "9 to 1", cite = "x" }]',
            "rulebook heir: wager.hardway: Object missing required field `shape`: its base has no",
        ),
        ('based-on = "iowa"', "rulebook heir: Object contains unknown field `based-on`"),
        ("based_on = 'iowa", "heir/book.toml is not readable as TOML"),
        ('based_on = "las-vegas"\nwager = 3', "rulebook heir: wager: Expected `object`, got `int`"),
        (
            'based_on = "iowa"\n[wager.pass]\npays = [{ is = "even", cite = "x" }]',
            "rulebook heir: wager.pass.pays[0]: 'even' are no odds",
        ),
    ],
)
def test_what_cannot_be_a_base(books: Path, text: str, message: str) -> None:
    head = "id = 'heir'\ntitle = 'Heir'\n"
    write_book(books, "heir", head + text + "\n")
    write_book(books, "ring", "id = 'ring'\ntitle = 'Ring'\nbased_on = 'heir'\n")
    for number in range(1, 6):
        base = "iowa" if number == 1 else f"b{number - 1}"
        name = f"b{number}"
        write_book(books, name, f"id = '{name}'\ntitle = 'B'\nbased_on = '{base}'\n")
    with pytest.raises(BookError) as caught:
        rulebook("heir")
    assert str(caught.value).startswith(message)
    ran = run("placard", "heir")
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)


def test_a_mistake_in_another_book_stops_no_table(books: Path) -> None:
    write_book(books, "heir", "id = 'heir'\ntitle = 'Heir'\nbased_on = 'heir'\n")
    wrong = write_book(books, "slang", "id = 'slang'\ntitle = 'S'\nbased_on = 'iowa'\n")
    (wrong / "talk.toml").write_text("phrase = 3\n", "utf-8")
    load_slang.cache_clear()
    list_manual_moves.cache_clear()
    game = "player: ann 100\nann: place the six for 12\n"
    for book in ("pier-nine", "new-jersey"):
        assert run("deal", "-", input=f"rulebook: {book}\n{game}").exit_code == 0
    assert run("press", "6", "--from", "12", "--to", "24", "--rulebook", "iowa").exit_code == 0
    spoken = run("deal", "-", input=f"rulebook: slang\n{game}")
    assert (spoken.exit_code, spoken.stderr.count("\n")) == (2, 1)
    assert "rulebook slang: talk.toml: phrase: Expected" in spoken.stderr


def test_a_chain_of_four_bases_holds(books: Path) -> None:
    for number in range(1, 5):
        base = "iowa" if number == 1 else f"b{number - 1}"
        write_book(books, f"b{number}", f"id = 'b{number}'\ntitle = 'B'\nbased_on = '{base}'\n")
    assert rulebook("b4").wager == rulebook("iowa").wager
    assert find_taught_clauses("b4") == find_taught_clauses("iowa") != {}


def test_a_side_bet_of_the_catalog_is_changed_like_a_wager_of_the_base(books: Path) -> None:
    head = "id = 'heir'\ntitle = 'Heir'\nbased_on = 'las-vegas'\n[wager.repeater-6]\n"
    line = '{ elect = "repeater=A", is = "95 to 1", custom = "ours" }'
    write_book(books, "heir", f"{head}title = 'Sixes'\npays = [{line}]\n")
    heir, base = rulebook("heir").wager["repeater-6"], rulebook("las-vegas").wager["repeater-6"]
    assert (heir.title, heir.pays[0].odds, heir.pays[1:]) == ("Sixes", "95 to 1", base.pays[1:])
    for wrong in ("pays = 3", "pays = [3]"):
        write_book(books, "other", head.replace("heir", "other") + wrong + "\n")
        with pytest.raises(BookError, match=r"wager\.repeater-6\.pays"):
            rulebook("other")


def test_a_value_of_a_side_bet_is_omitted(books: Path) -> None:
    text = "id = 'heir'\ntitle = 'Heir'\nbased_on = 'las-vegas'\n[wager.repeater-6]\n"
    write_book(books, "heir", text + "reduces = { omit = true }\n")
    heir, base = rulebook("heir").wager["repeater-6"], rulebook("las-vegas").wager["repeater-6"]
    assert heir.reduces != base.reduces
    write_book(books, "other", text.replace("heir", "other") + "gone = { omit = true }\n")
    expected = r"rulebook other: wager\.repeater-6\.gone\.omit: its base has no gone"
    with pytest.raises(BookError, match=expected):
        rulebook("other")


@pytest.mark.parametrize("drill", ["errors", "limits"])
def test_one_clause_of_its_own_takes_no_drill_from_a_base_of_customs(
    books: Path, drill: str
) -> None:
    own = 'id = "own"\ntitle = "Own"\nbased_on = "las-vegas"\n'
    hard = own + '[wager.hard-4]\npays = [{ is = "8 to 1", cite = "own.hard" }]\n'
    register = "id\tkind\trule\tfigures\tnote\nown.hard\tpayout\tThe hard four.\t8 to 1\t\n"
    write_book(books, "own", hard, register)
    words = ("school", drill, "--level", "3", "--count", "20", "--seed", "1", "--json")
    asked, customs = (run(*words, "--rulebook", book) for book in ("own", "las-vegas"))
    assert asked.exit_code == customs.exit_code == 0, asked.output
    ours, theirs = (json.loads(ran.output)["questions"] for ran in (asked, customs))
    assert [one["ask"] for one in ours] == [one["ask"] for one in theirs]


def test_a_title_alone_is_no_citation(books: Path) -> None:
    head = "id = 'heir'\ntitle = 'Heir'\nbased_on = 'iowa'\n"
    write_book(books, "heir", f"{head}[wager.field]\ntitle = 'Meadow'\n")
    assert rulebook("heir").wager["field"].title == "Meadow"


def test_a_book_needs_a_title_of_its_own(books: Path) -> None:
    write_book(books, "heir", "id = 'heir'\nbased_on = 'iowa'\n")
    with pytest.raises(BookError, match="title"):
        rulebook("heir")


def test_an_unknown_citation_is_named(books: Path) -> None:
    write_book(books, "pier-nine", OWN.replace("pier.drink", "pier.gone"), REGISTER)
    with pytest.raises(BookError, match=r"has no clause 'pier\.gone'"):
        rulebook("pier-nine")
