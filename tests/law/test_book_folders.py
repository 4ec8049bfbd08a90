"""A rulebook is one folder: nothing outside names its id, and a sixth is one new folder."""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import passline
from passline.cli.main import cli
from passline.crew import stick
from passline.crew.stick import find_style
from passline.crew.tasks import list_steps
from passline.felt.areas import cite_place
from passline.game.law.book_files import BOOKS, BookError, book_ids, find_book_files
from passline.game.law.book_parts import (
    find_customary_book,
    merge_entries,
    read_own_part,
    read_part,
)
from passline.game.law.clause_status import list_clause_statuses
from passline.game.law.clauses import find_decisions
from passline.game.law.duties import find_act_rules, find_post
from passline.game.law.load import rulebook
from passline.talk.normalize import load_slang

SOURCE = Path(next(iter(passline.__path__)))
BOOKS_FOLDER = SOURCE / "game" / "law" / "books"
OWN = Path(__file__).with_name("own")
ANY_ID = re.compile(rf"(?<![\w-])({'|'.join(BOOKS)})(?![\w-])")
#: Lessons are written for a book, samples are users' files: both name one.
FREE = (SOURCE / "school" / "lessons", SOURCE / "samples")


def test_no_data_outside_a_books_folder_names_a_book() -> None:
    files = [path for end in ("toml", "tsv", "json") for path in SOURCE.rglob(f"*.{end}")]
    outside = [path for path in files if not {BOOKS_FOLDER, *FREE} & set(path.parents)]
    assert outside
    named = [str(path) for path in outside if ANY_ID.search(path.read_text("utf-8"))]
    assert named == []


def test_no_folder_names_another_book() -> None:
    for book in BOOKS:
        for path in find_book_files(book).parts:
            text = re.sub(r"#.*", "", path.read_text("utf-8"))
            others = {found for found in ANY_ID.findall(text) if found != book}
            assert others == set(), path


def test_code_names_a_book_only_as_a_default() -> None:
    named = []
    for path in SOURCE.rglob("*.py"):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if any(book in text for book in BOOKS) else ():
            if isinstance(node, ast.Constant) and node.value in BOOKS:
                named.append((path.relative_to(SOURCE).as_posix(), node.value))
    where = "game/law/book_files.py"
    assert sorted(named) == [(where, "dealer-school"), (where, "new-jersey")]


@pytest.mark.parametrize("book", BOOKS)
def test_every_part_of_a_book_is_one_that_somebody_reads(book: str) -> None:
    parts = {
        path.relative_to(BOOKS_FOLDER / book).with_suffix("").as_posix()
        for path in find_book_files(book).parts
    }
    crew = "announcements calls manual markers payoff_keys payoffs placement press procedures"
    known = {f"crew/{name}" for name in (*crew.split(), "sequence")}
    known |= {"act_rules", "decisions", "duties", "felt", "modelled", "school", "talk"}
    assert {part for part in parts if not part.startswith("crew/styles/")} <= known


def test_one_book_is_customary() -> None:
    says = [book for book in BOOKS if read_own_part(book, "crew/manual").get("customary")]
    assert says == [find_customary_book()]


# Laying a book over the customs

CUSTOMS = {
    "call": {"by": "stick"},
    "turn": {"by": "stick", "optional": True},
    "pay": {"by": "base"},
}


def test_a_book_that_says_nothing_has_the_customs() -> None:
    assert merge_entries(CUSTOMS, {}) == {"call": {"by": "stick"}, "pay": {"by": "base"}}


def test_an_optional_entry_is_for_books_that_name_it() -> None:
    assert list(merge_entries(CUSTOMS, {"turn": {}})) == ["call", "turn", "pay"]


def test_a_book_adds_clauses_changes_what_it_does_otherwise_and_omits() -> None:
    own = {"call": {"cite": "9.A"}, "pay": {"by": "box"}}
    assert merge_entries(CUSTOMS, own) == {
        "call": {"by": "stick", "cite": "9.A"},
        "pay": {"by": "box"},
    }
    assert list(merge_entries(CUSTOMS, {"pay": {"omit": True}})) == ["call"]


def test_a_books_own_entry_comes_last_or_where_it_asks_to_be() -> None:
    assert list(merge_entries(CUSTOMS, {"bow": {"by": "box"}})) == ["call", "pay", "bow"]
    own = {"bow": {"by": "box", "insert_after": "call"}}
    assert list(merge_entries(CUSTOMS, own)) == ["call", "bow", "pay"]
    assert merge_entries(CUSTOMS, own)["bow"] == {"by": "box"}


# A sixth book in a folder

PARTS = {
    "crew/sequence.toml": """
[step]
call.cite = "lv.crew.call"
[step.show-dice]
insert_after = "call"
do = "turn"
by = "stick"
words = "shows both dice to the box"
cite = "lv.crew.show"
[step.verify]
omit = true
""",
    "crew/procedures.toml": """
[buy-in.verify]
cite = "lv.crew.count"
[buy-in.thank]
by = "base"
do = "announce"
words = "wishes {player} luck"
cite = "lv.crew.thank"
""",
    "crew/calls.toml": 'style = { is = "strip", cite = "lv.crew.call" }\n',
    "felt.toml": '[lies]\npass.cite = "lv.felt.pass"\n',
    "talk.toml": '[[phrase]]\nsay = ["the strip"]\nmeans = "hard-8"\ncite = "lv.talk"\n',
    "duties.toml": '[[duty]]\npost = "stickperson"\nclauses = ["lv.crew.*"]\n',
    "act_rules.toml": '[[voice]]\nacts = ["roll"]\nby = ["stickperson"]\ncite = "lv.crew.call"\n',
    "modelled.toml": '"felt/svg.py" = ["lv.felt"]\n',
    "decisions.toml": """
[[decision]]
question = "Luck"
decision = "it is wished aloud"
beside = ["lv.crew.thank"]
[[decision]]
shared = "match-play"
beside = ["lv.crew.call"]
""",
}
CLAUSES = ["call", "show", "count", "thank"]


def make_folder(tmp_path: Path) -> Path:
    """Copy the two files of high-desert into a folder, and add every other part to it."""
    folder = tmp_path / "books" / "high-desert"
    folder.mkdir(parents=True)
    shutil.copy(OWN / "high-desert.toml", folder / "book.toml")
    rows = [f"lv.crew.{name}\tprocedure\tThe crew does it.\t\t\n" for name in CLAUSES]
    rows += [f"lv.{name}\tphysical\tIt is so.\t\t\n" for name in ("felt.pass", "talk")]
    text = (OWN / "high-desert.tsv").read_text("utf-8")
    (folder / "clauses.tsv").write_text(text + "".join(rows), "utf-8")
    style = (BOOKS_FOLDER / "iowa/crew/styles/iowa.toml").read_text("utf-8")
    style = re.sub(r'cite = (\[[^\]]*\]|"[^"]*")', 'cite = "lv.crew.call"', style)
    for name, part in {
        **PARTS,
        "crew/styles/strip.toml": style.replace('"iowa"', '"strip"'),
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(part, "utf-8")
    return folder


def _clear_caches() -> None:
    """Forget what is read once in a process, for all books together."""
    for cached in (stick._books_by_style, stick.load_style, load_slang):
        cached.cache_clear()


@pytest.fixture
def vegas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = make_folder(tmp_path)
    monkeypatch.setenv("PASSLINE_BOOKS", str(folder.parent))
    _clear_caches()
    yield folder
    _clear_caches()


GAME = "rulebook: high-desert\nplayer: ann 100\nann: pass for 15\nann buys in 50\nroll 4 3\n"


def test_a_sixth_book_is_one_folder(vegas: Path) -> None:
    assert book_ids() == (*BOOKS, "high-desert")
    assert rulebook("high-desert").id == "high-desert"
    steps = [step.name for step in list_steps("high-desert", "come-out")]
    assert steps[:3] == ["call", "show-dice", "retrieve"]
    assert "verify" not in steps
    assert cite_place("pass", "high-desert") == "lv.felt.pass"
    assert find_post("high-desert", "lv.crew.call") == "stickperson"
    assert [rule.cite for rule in find_act_rules("high-desert", "craps", "roll")] == [
        "lv.crew.call"
    ]
    assert [d.question for d in find_decisions("high-desert", "lv.crew.call")] == ["Match play"]
    assert [d.decision for d in find_decisions("high-desert", "lv.crew.thank")] == [
        "it is wished aloud"
    ]
    assert find_style("high-desert").id == "strip"
    assert load_slang().phrases["the strip"] == "hard-8"
    assert read_part("high-desert", "crew/markers") == read_part("nobody", "crew/markers")


def test_its_crew_works_by_its_own_clauses(vegas: Path) -> None:
    ran = CliRunner().invoke(cli, ["deal", "-", "--crew", "--json"], input=GAME)
    assert ran.exit_code == 0, (ran.output, ran.exception)
    found = json.loads(ran.stdout)
    tasks = [task for roll in found["rolls"] for task in roll["crew"]]
    tasks += [task for line in found["errands"] for task in line["tasks"]]
    cites = {task["words"]: task["cite"] for task in tasks}
    assert cites["shows both dice to the box"] == "lv.crew.show"
    assert cites["wishes ann luck"] == "lv.crew.thank"
    assert cites["counts $50 and calls it out"] == "lv.crew.count"
    assert next(c for words, c in cites.items() if words.startswith("calls: ")) == "lv.crew.call"
    assert any(cite.startswith("custom: the crew works as iowa ") for cite in cites.values())


def test_the_law_shows_where_its_parts_stand(vegas: Path) -> None:
    where = {one.clause.id: one.where for one in list_clause_statuses("high-desert")}
    assert where["lv.crew.show"] == "high-desert/crew/sequence.toml"
    assert "high-desert/act_rules.toml: roll" in where["lv.crew.call"]
    assert where["lv.talk"] == "high-desert/talk.toml"
    assert where["lv.felt"] == "felt/svg.py", "modelled.toml lists it"
    assert where["lv.contract"].startswith("high-desert/book.toml: ")


@pytest.mark.parametrize(
    ("part", "text", "message"),
    [
        (
            "crew/sequence.toml",
            '[step.call]\ncite = "lv.gone"\n',
            "rulebook high-desert: high-desert/crew/sequence.toml: step.call.cite: "
            "high-desert/clauses.tsv has no clause 'lv.gone'",
        ),
        ("felt.toml", "[lies\n", "felt.toml is not readable as TOML"),
    ],
)
def test_a_part_that_is_wrong_is_named(vegas: Path, part: str, text: str, message: str) -> None:
    (vegas / part).write_text(text, "utf-8")
    with pytest.raises(BookError, match=re.escape(message)):
        rulebook("high-desert")


def test_a_value_of_a_part_that_is_wrong_is_named(vegas: Path) -> None:
    (vegas / "crew/sequence.toml").write_text('[step.call]\nby = "cook"\n', "utf-8")
    with pytest.raises(
        BookError, match=r"rulebook high-desert: crew/sequence.toml: step.call.by: "
    ):
        list_steps("high-desert", "come-out")


def test_a_step_after_no_step_is_a_mistake(vegas: Path) -> None:
    text = PARTS["crew/sequence.toml"].replace('insert_after = "call"', 'insert_after = "cal"')
    (vegas / "crew/sequence.toml").write_text(text, "utf-8")
    message = (
        "rulebook high-desert: crew/sequence.toml: show-dice.insert_after: there is no entry 'cal' "
        "here; did you mean 'call'?"
    )
    with pytest.raises(BookError, match=re.escape(message)):
        list_steps("high-desert", "come-out")


def test_a_command_that_meets_a_wrong_part_ends_in_one_line(vegas: Path, tmp_path: Path) -> None:
    (vegas / "crew/sequence.toml").write_text('[step.call]\nby = "cook"\n', "utf-8")
    record = tmp_path / "game.craps"
    record.write_text("rulebook: high-desert\nplayer: ann 100\nann: pass for 15\nroll 3 4\n")
    ended = CliRunner().invoke(cli, ["deal", "--crew", str(record)], prog_name="passline")
    assert ended.exit_code == 2
    told = "passline deal: rulebook high-desert: crew/sequence.toml: step.call.by: "
    assert ended.stderr.startswith(told)
    assert ended.stderr.count("\n") == 1


def test_a_folder_is_named_for_its_book(vegas: Path) -> None:
    vegas.rename(vegas.with_name("reno"))
    with pytest.raises(BookError, match="rulebook high-desert: id: the folder is called reno"):
        rulebook("reno")
