"""The path through the school: gates, and what comes next."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from passline.school.answer_log import AnswerRecord
from passline.school.drills import load_drill
from passline.school.learning_path import check_gate, find_next_step, find_step_after, is_at_pace
from passline.school.lessons.lesson_files import load_lessons
from passline.school.repetition import CardKey, build_deck

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
PACE = load_drill("terms").seconds


def answers(
    marks: str, drill: str = "terms", level: int = 1, book: str = "dealer-school"
) -> list[AnswerRecord]:
    """Answers by their letters: r is right at pace, s right but slow, u untimed, w wrong."""
    pace = load_drill(drill).seconds
    seconds = {"r": pace, "s": pace + 1, "u": None, "w": 1}
    return [
        AnswerRecord(
            at=NOON + timedelta(minutes=n),
            drill=drill,
            right=mark != "w",
            clauses=("dealer-school:base.1",),
            missed=("dealer-school:base.1",) if mark == "w" else (),
            seconds=seconds[mark],
            rulebook=book,
            level=level,
            id=f"{drill} {n}",
        )
        for n, mark in enumerate(marks)
    ]


@pytest.mark.parametrize(
    ("marks", "passed", "right", "of"),
    [
        ("", False, 0, 0),
        ("rrrrrrrr", False, 8, 8),  # ten must have been asked
        ("rrrrrrrrww", True, 8, 10),
        ("rrrrrrrwww", False, 7, 10),
        ("rrrrrrrsss", False, 7, 10),
        ("rrrrrrruuu", False, 7, 10),
        ("wwrrrrrrrr", True, 8, 10),
        ("rrrrrrrrwwwwwwww", True, 2, 10),  # passed once, passed for good
        ("wwwrrrrrrrr", True, 8, 10),
    ],
)
def test_a_gate_is_eight_of_ten_at_pace(marks: str, passed: bool, right: int, of: int) -> None:
    gate = check_gate(answers(marks), "dealer-school", "terms", 1)
    assert (gate.passed, gate.right, gate.of) == (passed, right, of)


def test_a_gate_has_its_level_and_its_book() -> None:
    assert check_gate(answers("r" * 10, level=3), "dealer-school", "terms", 2).passed
    assert not check_gate(answers("r" * 10, level=1), "dealer-school", "terms", 2).passed
    assert not check_gate(answers("r" * 10, book="iowa"), "dealer-school", "terms", 1).passed


def test_what_comes_next() -> None:
    lessons = load_lessons()
    first = lessons[0]
    begin = find_next_step([], lessons)
    assert (begin.kind, begin.path) == ("lesson", f"/school/{first.id}")
    assert begin.command == f"passline school {first.id}"
    assert find_next_step([], lessons, due=3).path == "/school/practice"
    drill, level = first.practice[0].drill, first.practice[0].level
    under_way = find_next_step(answers("rw", drill, level), lessons)
    assert (under_way.kind, "1 of the last 2" in under_way.words) == ("drill", True)
    assert under_way.path.startswith(f"/school/drill/{drill}?level={level}&")
    done = [
        one
        for lesson in lessons
        for each in lesson.practice
        for one in answers("r" * 10, each.drill, each.level, lesson.book)
    ]
    assert find_next_step(done, lessons).path == "/school/shift"


def test_every_drill_of_every_lesson_leads_on() -> None:
    """From the first drill, step after step, to the audition."""
    lessons = load_lessons()
    for place, lesson in enumerate(lessons):
        for at, each in enumerate(lesson.practice):
            step = find_step_after(lessons, lesson.id, each.drill, each.level)
            if at + 1 < len(lesson.practice):
                assert step.kind == "drill"
                assert f"lesson={lesson.id}" in step.path
            elif place + 1 < len(lessons):
                assert step.path == f"/school/{lessons[place + 1].id}"
            else:
                assert step.path == "/school/audition"
    assert find_step_after(lessons, "", "terms", 1).path
    assert find_step_after(lessons, "nothing", "terms", 1).path == "/school/audition"


def test_known_takes_two_successes_on_different_days_at_pace() -> None:
    key = CardKey("dealer-school:base.1", "terms")

    def known(*days: tuple[int, str]) -> bool:
        made = [
            AnswerRecord(
                at=NOON + timedelta(days=day, minutes=n),
                drill="terms",
                right=mark != "w",
                clauses=(key.clause,),
                missed=(key.clause,) if mark == "w" else (),
                seconds={"r": PACE, "s": PACE + 1, "u": None, "w": 1}[mark],
                id=f"{day} {n}",
            )
            for n, (day, mark) in enumerate(days)
        ]
        return build_deck(made).cards[key].known

    assert not known((0, "r"), (0, "r"), (0, "r"))
    assert known((0, "r"), (1, "r"))
    assert not known((0, "r"), (1, "s"))
    assert not known((0, "u"), (1, "u"))
    assert not known((0, "r"), (1, "r"), (2, "w"))
    assert known((0, "r"), (1, "r"), (2, "w"), (3, "r"), (4, "r"))
    assert known((0, "r"), (1, "s"), (2, "r"))


def test_pace() -> None:
    assert [is_at_pace(one) for one in answers("rsuw")] == [True, False, False, False]
