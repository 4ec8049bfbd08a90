"""The lessons: everything taught and asked, figures that the engine draws, questions that hold."""

from __future__ import annotations

import re

import msgspec
import pytest

from passline.game.law.clauses import clauses_by_id, list_clauses
from passline.record.deal import deal_text
from passline.school.drills import list_drill_names, load_drill
from passline.school.lessons import figures as b
from passline.school.lessons import lesson_files as fig
from passline.school.lessons.figures import draw_figure, draw_tables
from passline.school.lessons.lesson_files import (
    build_syllabus,
    find_taught_clauses,
    list_lesson_ids,
    list_lesson_questions,
    load_lesson,
    load_lessons,
    make_lesson_question,
    match_clauses,
)
from passline.school.question_types import LEVELS
from passline.school.questions_and_grades import grade_answer, make_question
from passline.school.seeded_random import SeededRandom

from . import clause_questions
from .clause_questions import desk_of

BOOKS = ("dealer-school", "iowa")
#: The contract's order; what stands between is ours.
ORDER = (
    "words-of-the-trade", "pass-line", "line-in-chips", "dont-pass", "field", "place",
    "buy-and-lay", "come", "dont-come", "propositions", "hardways", "dice-calls", "the-stick",
    "base-dealer", "across-inside-outside", "press-moves", "stick-handling", "take-and-pay",
    "netting", "change-and-color", "relief", "dead-game", "dice-inspection", "table-limits",
    "shootout", "audition",
)  # fmt: skip


def procedures(book: str) -> list[str]:
    return [clause.id for clause in list_clauses(book) if clause.kind == "procedure"]


def test_the_lessons_come_in_the_order_of_the_manual() -> None:
    assert [name for name in list_lesson_ids() if name in ORDER] == list(ORDER)
    assert {*list_lesson_ids()} - {*ORDER} == {
        "appendix-b", "booking-and-buttons", "stick-in-iowa", "base-and-box-in-iowa",
    }  # fmt: skip
    assert not {*list_lesson_ids()} & {*list_drill_names()}, "a name is a lesson or a drill"


@pytest.mark.parametrize("book", BOOKS)
def test_every_clause_of_procedure_is_taught_and_asked(book: str) -> None:
    known = find_taught_clauses(book)
    for clause in procedures(book):
        assert any(one.drills for one in known.get(clause, ())), f"nobody asks {book}:{clause}"
    assert build_syllabus().missing == ()


def test_a_lesson_left_out_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    rest = tuple(lesson for lesson in load_lessons() if lesson.id != "relief")
    monkeypatch.setattr("passline.school.lessons.lesson_files.load_lessons", lambda: rest)
    find_taught_clauses.cache_clear()
    missing = build_syllabus().missing
    find_taught_clauses.cache_clear()
    assert {*missing} == {f"iowa:{c}" for c in procedures("iowa") if c.startswith("relief.")}


def test_drills_ask_what_lessons_say_they_ask() -> None:
    wanted = clause_questions.claims()
    for book, drill, level, n in clause_questions.hints():
        if (book, drill) in wanted:
            wanted[book, drill] -= clause_questions.find_clauses(book, drill, level, n)
    for (book, drill), left in wanted.items():
        clause_questions.search(book, drill, left, 300)
        assert not left, (
            f"{drill} does not ask these; python -m tests.school.clause_questions may find them"
        )


@pytest.mark.parametrize("name", list_lesson_ids())
def test_a_lesson_is_whole(name: str) -> None:
    lesson = load_lesson(name)
    assert lesson.book in BOOKS
    assert lesson.clauses
    assert {*lesson.drills} <= {*list_drill_names()}
    assert len({*lesson.drills}) == len(lesson.drills)
    assert all(section.heading and section.text for section in lesson.sections)
    assert all(practice.level in LEVELS for practice in lesson.practice)
    assert not lesson.asks or "rulings" in lesson.drills
    known = clauses_by_id(lesson.book)
    for clause in (c for ask in lesson.asks for c in ask.clauses):
        assert f"{lesson.book}:{clause}" in lesson.clauses, f"{clause} is asked and not taught"
        assert known[clause].kind in ("procedure", "enforced")


def test_a_pattern_that_names_no_clause_is_told() -> None:
    with pytest.raises(LookupError, match="no clause 'place/7'"):
        match_clauses("dealer-school", ["place/7"])
    with pytest.raises(KeyError):
        load_lesson("crapless")


@pytest.mark.parametrize("book", BOOKS)
def test_a_question_of_a_lesson_has_one_right_answer(book: str) -> None:
    drill = load_drill("rulings")
    for place, ask in enumerate(list_lesson_questions(book)):
        setup = desk_of(book, LEVELS[place % len(LEVELS)])
        assert len({ask.right, *ask.wrong}) == len(ask.wrong) + 1 >= 4, ask.ask
        question = make_lesson_question(setup, ask, SeededRandom(place))
        assert {cite.partition(":")[2] for cite in question.cite} == {*ask.clauses}
        marks = [grade_answer(drill, setup, question, n).right for n in range(4)]
        assert [n for n, right in enumerate(marks) if right] == [question.answer["choice"]]
        assert question.given["choices"][question.answer["choice"]] == ask.right
    assert deal_text(question.given["record"]).to_json()["refusals"] == []


@pytest.mark.parametrize("level", LEVELS)
def test_rulings_put_the_lessons_questions(level: int) -> None:
    own = {ask.ask for ask in list_lesson_questions("iowa")}
    asks = [make_question(load_drill("rulings"), desk_of("iowa", level), "s", n) for n in range(8)]
    assert any(question.ask in own for question in asks)
    assert any(question.ask not in own for question in asks)


def test_choices_of_lessons_are_sentences() -> None:
    for ask in (ask for lesson in load_lessons() for ask in lesson.asks):
        for words in (ask.right, *ask.wrong):
            assert re.fullmatch(r"['A-Z][^.]*([.]\d[^.]*)*[.]", words), words
            assert len(words.split()) >= 4, words


def test_the_length_of_a_choice_gives_no_answer_away() -> None:
    """The right choice is the longest of four, the next and so on, about equally often."""
    every = [0] * 4
    for lesson in load_lessons():
        ranks = [0] * 4
        for ask in lesson.asks:
            ranks[sum(len(words) > len(ask.right) for words in ask.wrong)] += 1
        assert len(lesson.asks) < 7 or max(ranks) <= len(lesson.asks) / 2, (lesson.id, ranks)
        every = [a + b for a, b in zip(every, ranks, strict=True)]
    assert all(0.18 < count / sum(every) < 0.32 for count in every), every


def figures_of(book: str) -> list[fig.Figure]:
    return [
        f for one in load_lessons() if one.book == book for s in one.sections for f in s.figures
    ]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("house", [*BOOKS, "maryland-crapless"])
def test_every_figure_is_drawn_under_any_book(book: str, house: str) -> None:
    for figure in figures_of(book):
        found = draw_figure(figure, desk_of(house, 1))
        assert found.blocks
        refused = [x for x in found.blocks if isinstance(x, b.TextBlock) and "Not under" in x.text]
        assert not refused or book != house, refused
        assert all(cite.startswith(f"{house}:") for cite in found.cites)
        assert msgspec.convert(msgspec.to_builtins(found), b.DrawnFigure) == found


def test_a_figure_that_a_house_cannot_have_says_so() -> None:
    setup = desk_of("iowa", 1)
    for figure in (
        fig.KeyFigure(wager="whirl", stake="5", dice=(1, 1)),
        fig.PayoffFigure(wager="moon", stake="5"),
        fig.PayoffFigure(wager="field", stake="5", dice=(4, 3)),
        fig.PayoffFigure(wager="field", stake="0.50"),
        fig.StackFigure(chips="3 pink"),
        fig.PressFigure(numbers=(8,), before="6", after="7000"),
        fig.FeltFigure(lines=("ann: whirl for 5",)),
    ):
        (block,) = draw_figure(figure, setup).blocks[-1:]
        assert isinstance(block, b.TextBlock)
        assert block.text.startswith("Not in Iowa craps manual: "), figure
    (none,) = draw_figure(fig.TableFigure(table="shares"), desk_of("dealer-school", 1)).blocks
    assert isinstance(none, b.TextBlock)


def test_figures_show_what_the_manual_has() -> None:
    setup = desk_of("dealer-school", 1)
    odds = fig.PayoffFigure(
        wager="pass-odds", stake="1 green 1 red", flat="2 red", puck=6, dice=(4, 2)
    )
    stacks = {x.name: x for x in draw_figure(odds, setup).blocks if isinstance(x, b.StackBlock)}
    assert {name: x.amount for name, x in stacks.items()} == {
        "odds": "30.00", "flat": "10.00", "pay odds": "36.00", "pay flat": "10.00",
    }  # fmt: skip
    assert stacks["pay odds"].chips == {"white": 1, "red": 2, "green": 1}
    both = draw_figure(msgspec.structs.replace(odds, total=True), setup)
    assert [x.amount for x in both.blocks if isinstance(x, b.StackBlock)][-1] == "46.00"
    assert "dealer-school:pay.total" in both.cites
    press = draw_figure(fig.PressFigure(numbers=(8,), before="4 red 4 white", after="30"), setup)
    (steps,) = (x for x in press.blocks if isinstance(x, b.StepsBlock))
    assert [step.by for step in steps.steps] == [
        "inside hand", "inside hand", "outside hand", "inside hand",
    ]  # fmt: skip
    hi_lo = draw_figure(fig.KeyFigure(wager="hi-lo", stake="10", dice=(6, 6)), setup)
    assert [x.amount for x in hi_lo.blocks if isinstance(x, b.StackBlock)] == ["10.00", "145.00"]
    call = draw_figure(fig.CallFigure(lines=("ann: pass for 10",), dice=(6, 6)), setup)
    assert [x.words for x in call.blocks if isinstance(x, b.CallBlock)] == [
        "twelve craps twelve, line away"
    ]


def test_a_payoff_of_two_stacks_is_drawn_as_two() -> None:
    setup = desk_of("dealer-school", 1)
    odds = fig.PayoffFigure(wager="pass-odds", stake="4 red", flat="2 red", puck=4, dice=(3, 1))
    stacks = {x.name: x for x in draw_figure(odds, setup).blocks if isinstance(x, b.StackBlock)}
    assert stacks["pay odds"].stacks == ({"red": 4}, {"red": 4})
    assert stacks["pay flat"].stacks == ()
    mixed = fig.PayoffFigure(
        wager="pass-odds", stake="1 green 1 red", flat="2 red", puck=6, dice=(4, 2)
    )
    for block in draw_figure(mixed, setup).blocks:
        if isinstance(block, b.StackBlock) and block.stacks:
            total: dict[str, int] = {}
            for stack in block.stacks:
                for color, count in stack.items():
                    total[color] = total.get(color, 0) + count
            assert total == block.chips


@pytest.mark.parametrize("book", ["dealer-school", "iowa"])
def test_every_press_move_is_played_step_by_step(book: str) -> None:
    """After the last step the number holds what was asked for, and the player the rest."""
    setup = desk_of(book, 1)
    for lesson in load_lessons():
        for figure in (one for section in lesson.sections for one in section.figures):
            if not isinstance(figure, fig.PressFigure):
                continue
            blocks = draw_figure(figure, setup).blocks
            steps = [x for x in blocks if isinstance(x, b.StepsBlock)]
            for block in steps:
                assert all(step.piles for step in block.steps), figure
                last = block.steps[-1].piles
                after = [x for x in blocks if isinstance(x, b.StackBlock)][-len(figure.numbers) :]
                assert {x.name: x.chips for x in after}.items() <= last.items(), figure


def test_lessons_on_laid_odds_show_them() -> None:
    for name, slug in (("dont-pass", "dont-pass-odds"), ("dont-come", "dont-come-odds-5")):
        lesson = next(one for one in load_lessons() if one.id == name)
        setup = desk_of(lesson.book, 1)
        drawn = [draw_figure(f, setup) for s in lesson.sections for f in s.figures]
        felts = [x for one in drawn for x in one.blocks if isinstance(x, b.FeltBlock)]
        shown = {stack.slug for felt in felts for stack in b.load_felt(felt)[2].stacks}
        assert slug in shown


def test_a_felt_block_is_a_table_that_can_be_drawn() -> None:
    lines = ("ann: pass for 10", "roll 4 2", "ann: come 10")
    (felt,) = draw_figure(fig.FeltFigure(lines=lines), desk_of("iowa", 1)).blocks
    assert isinstance(felt, b.FeltBlock)
    table, plan, lie = b.load_felt(felt)
    assert table.puck == 6
    assert felt.view in plan.views
    assert sorted(stack.slug for stack in lie.stacks) == ["come", "pass"]
    assert felt.lies == ("ann: Pass $10, Come $10",)


def rows_of(name: str, book: str = "dealer-school") -> dict[str, dict[str, list[str]]]:
    """The tables of a name: by title, the cells by the head of their row."""
    return {
        table.title: {row[0]: list(row[1:]) for row in table.rows}
        for table in draw_tables(name, desk_of(book, 1))
    }


@pytest.mark.clause("dealer-school:odds-limit/six-times")
def test_appendix_b_has_the_figures_of_the_manual() -> None:
    (most,) = rows_of("most-odds").values()
    assert most["$10"] == ["$30", "$60", "$40", "$60", "$50", "$60"]
    (taken,) = rows_of("pass-odds").values()
    assert taken["$40"] == ["$80", "$60", "$48"]
    assert taken["$5"] == ["$10", "-", "$6"]
    (laid,) = rows_of("dont-odds").values()
    assert (laid["$20"][0], laid["$30"][1], laid["$18"][2]) == ("$10", "$20", "$15")
    (placed,) = rows_of("place").values()
    assert (placed["$5"], placed["$6"]) == (["$9", "$7", "-"], ["-", "-", "$7"])
    (bought,) = rows_of("buy").values()
    assert [bought[bet][1] for bet in ("$25", "$50", "$75")] == ["$1", "$3", "$4"]
    keys = next(draw_tables("keys", desk_of("dealer-school", 1)))
    paid = {(row[0], row[1]): row[4] for row in keys.rows}
    assert paid["whirl", "2, 12"] == "$26"
    assert paid["horn", "3, 11"] == "$12"
    assert paid["hi-lo", "2, 12"] == "$29"


def test_tables_of_groups_presses_calls_and_limits() -> None:
    groups = rows_of("groups")
    assert groups["Across"]["$288"] == ["$45", "$45", "$54", "$54", "$45", "$45"]
    assert groups["Across, no 4"]["$189"] == ["-", "$35", "$42", "$42", "$35", "$35"]
    assert groups["Across, no 6"]["$26"] == ["$5", "$5", "-", "$6", "$5", "$5"]
    assert groups["Outside"]["$20"] == ["$5"] * 4
    (moves,) = rows_of("press").values()
    assert moves["6 and 8: $24 to $30"] == ["$28", "$0", "$12", "$55", "$27", "$16"]
    calls = rows_of("calls")
    assert calls["On the point"]["8 hard"][0].startswith("eight hard eight, front line winner")
    assert len(calls["On a come-out roll"]) == 15
    (limits,) = rows_of("limits", "iowa").values()
    assert limits["any seven"] == ["$1", "$400"]
    assert [limits[f"horn high {n}"][1] for n in (2, 3)] == ["$125", "$250"]
    (shares,) = rows_of("shares", "iowa").values()
    assert shares == {"$100 to $700": ["$10"], "$800 to $1,400": ["$20"], "$1,500": ["$30"]}
