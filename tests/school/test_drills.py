"""Every drill's questions: whole, the same for a seed, and borne out by a record that is dealt."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import msgspec
import pytest

from passline.game.house.load import house_for
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout
from passline.record.deal import deal_text
from passline.school import drills
from passline.school.drills import list_drill_names, load_drill
from passline.school.question_types import LEVELS, DrillSetup, NoQuestionError, Question
from passline.school.question_view import Fact, list_facts
from passline.school.questions_and_grades import grade_answer, make_question, make_questions
from passline.school.seeded_random import SeededRandom
from tests.cli.test_every_house import HOUSES

from .confirm import check

ROOT = Path(__file__).parent.parent.parent
every_drill = pytest.mark.parametrize("drill", list_drill_names())


@cache
def desk_of(book: str, level: int) -> DrillSetup:
    return DrillSetup(felt_of(book), level)


@cache
def felt_of(book: str) -> Layout:
    return compile_layout(house_for(book))


@every_drill
@pytest.mark.parametrize("book", ["dealer-school", "iowa"])
def test_every_answer_is_borne_out(drill: str, book: str) -> None:
    for seed in range(10):
        level = LEVELS[seed % len(LEVELS)]
        assert check(drill, desk_of(book, level), f"suite {seed}", seed + 1) is not None


def asks(question: Question) -> str:
    """What a question asks, whatever stands beside it."""
    beside = ("choices", "record") if "ask" in question.given else ("choices",)
    given = {name: value for name, value in question.given.items() if name not in beside}
    return f"{question.ask} {given}"


@pytest.mark.parametrize(
    ("drill", "level", "others"),
    [("groups", 3, 60), ("press", 2, 30), ("vig", 1, 60), ("limits", 1, 20), ("keys", 1, 60)],
)
def test_a_set_does_not_repeat_itself_while_there_are_others(
    drill: str, level: int, others: int
) -> None:
    found = [
        asks(q)
        for q in make_questions(load_drill(drill), desk_of("dealer-school", level), "1", others)
    ]
    assert len(set(found)) == others


def test_few_questions_come_round_again_and_none_before_the_others() -> None:
    found = [
        asks(q) for q in make_questions(load_drill("groups"), desk_of("dealer-school", 1), "1", 12)
    ]
    assert len(set(found[:6])) == len(set(found[6:])) == len(set(found)) == 6


@every_drill
@pytest.mark.parametrize("book", ["new-jersey", "section-2", "maryland-crapless"])
def test_the_regulations_have_every_drill(drill: str, book: str) -> None:
    for level in (1, 4):
        assert check(drill, desk_of(book, level), "rules", 1) is not None


@every_drill
def test_a_question_is_the_same_however_many_are_asked(drill: str) -> None:
    setup, asked = desk_of("dealer-school", 2), load_drill(drill)
    three = make_questions(asked, setup, "9", 3)
    assert three[2] == make_question(asked, setup, "9", 3)
    assert [question.n for question in three] == [1, 2, 3]
    assert three[0] != make_question(asked, setup, "10", 1)


ASK = """
import hashlib, msgspec
from tests.school.test_drills import digest
print(digest())
"""


def digest() -> str:
    """A question of every drill, as one number."""
    found = hashlib.sha256()
    for name in list_drill_names():
        for question in make_questions(load_drill(name), desk_of("dealer-school", 3), "same", 1):
            found.update(msgspec.json.encode(question))
    return found.hexdigest()


def test_a_seed_is_the_same_in_every_process() -> None:
    env = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
    other = subprocess.run(
        [sys.executable, "-c", ASK], capture_output=True, text=True, env=env, cwd=ROOT, check=True
    )
    assert other.stdout.strip() == digest()


def test_draws_are_even_and_none_is_left_out() -> None:
    random = SeededRandom("even")
    counts = [0] * 6
    for _ in range(6000):
        counts[random.below(6)] += 1
    assert min(counts) > 880
    assert sorted(random.shuffled(range(9))) == list(range(9))
    assert {random.between(3, 5) for _ in range(60)} == {3, 4, 5}


def test_a_record_in_a_question_deals_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('rulebook = "iowa"\nodds.multiple = 2\nlimits.min = 15\n', "utf-8")
    setup = DrillSetup(compile_layout(house_for(str(path))), 3)
    question = make_question(load_drill("order"), setup, "1", 1)
    table = deal_text(question.given["record"]).table
    assert table.house.minimum == 1500
    assert table.house.taken_multiples[6] == 2


@pytest.mark.parametrize("name", HOUSES)
def test_every_house_has_its_questions(name: str, tmp_path: Path) -> None:
    """What the house does not offer is not asked, in one line; all else marks its own answers."""
    path = tmp_path / "house.toml"
    path.write_text(HOUSES[name], "utf-8")
    felt = compile_layout(house_for(str(path)))
    unasked = set()
    for place, drill in enumerate(list_drill_names()):
        setup, asked = DrillSetup(felt, LEVELS[place % 5]), load_drill(drill)
        try:
            question = make_question(asked, setup, name, 1)
        except NoQuestionError:
            unasked.add(drill)
            continue
        answer = json.loads(json.dumps(question.answer))
        assert grade_answer(asked, setup, question, answer).right, (drill, question)
    none = {"one-stake": {"press", "vig"}, "automated": {"calls"}, "dear": {"groups", "press"}}
    assert unasked <= none.get(name, set())


@pytest.mark.parametrize("drill", list_drill_names())
@pytest.mark.parametrize("name", ["downtown", "strip", "boardwalk"])
def test_sample_houses_have_questions_or_say_why_not(name: str, drill: str) -> None:
    felt = compile_layout(house_for(str(ROOT / f"src/passline/samples/{name}.toml")))
    for level in (1, 3, 5):
        setup, asked = DrillSetup(felt, level), load_drill(drill)
        try:
            questions = list(make_questions(asked, setup, "h", 4))
        except NoQuestionError:
            continue
        for question in questions:
            answer = json.loads(json.dumps(question.answer))
            assert grade_answer(asked, setup, question, answer).right, question


def test_fire_and_bonus_spots_are_asked_where_a_house_has_them() -> None:
    options = [("offers.fire", "A"), ("offers.bonus", "A")]
    setup = DrillSetup(compile_layout(house_for("maryland-crapless", None, options)), 3)
    found = make_questions(load_drill("positions"), setup, "1", 60)
    asked = {q.given.get("wager"): q for q in found}
    right = {slug: q.given["choices"][q.answer["choice"]] for slug, q in asked.items()}
    assert right["fire"] == "on the numbered fire spot nearest the player"
    assert asked["fire"].cite == ("maryland-crapless:11.A(1)#2",)
    assert right["all-tall"] == "on the all tall spot before the box"
    assert asked["all-tall"].cite == ("maryland-crapless:12.B(2)#1",)


def test_the_folder_is_the_list_of_drills() -> None:
    files = {path.stem for path in Path(drills.__path__[0]).glob("*.py")} - {"__init__"}
    assert {*list_drill_names()} == files
    places = [load_drill(name).teaching_order for name in list_drill_names()]
    assert places == sorted({*places}), "two drills share a place in the teaching order"


@every_drill
@pytest.mark.parametrize("level", LEVELS)
def test_an_answer_form_asks_for_parts_of_the_answer(drill: str, level: int) -> None:
    setup = desk_of("dealer-school", level)
    for question in make_questions(load_drill(drill), setup, "form", 3):
        fields = load_drill(drill).list_fields(setup, question)
        assert fields
        assert {field.name for field in fields} <= question.answer.keys()


def test_a_question_shows_the_meaning_that_it_asks_a_term_for() -> None:
    asked = make_questions(load_drill("terms"), desk_of("dealer-school", 1), "view", 9)
    meanings = [question for question in asked if "means" in question.given]
    assert meanings
    for question in meanings:
        assert Fact("quote", question.given["means"]) in list_facts(question)


def test_the_documents_list_every_drill_and_how_to_answer_it() -> None:
    text = (ROOT / "docs" / "deal" / "school.md").read_text("utf-8")
    for head in ("| drill | what it trains |", "| drill | for example |"):
        table = text.partition(head)[2].partition("\n\n")[0]
        first = " ".join(row.split("|")[1] for row in table.splitlines() if row)
        assert set(re.findall(r"`([a-z]+)`", first)) == set(list_drill_names()), head
